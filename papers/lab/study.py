"""The 2025 study: Tables 1 to 4, Figs. 5 to 8, occupancy."""

import statistics

import graphs
from documents import table
from graphs import PUBLISHED
from jobs import STUDY_STRATEGIES
from lines import (NOT, Missing, Mixed, complete, fastest, fold, geometric_mean, given, graph_of, knobs_table,
                   median_ms, ms, ranking, ratio, ratios, timed)  # fmt: skip
from page import figure, verdict

SHORT = ("simple", "queue", "scan", "fused", "WM", "CM")
NAMES = ("SimpleBFS", "QueueBFS", "ScanBFS", "Scanfused", "Scan_WM", "Scan_CM")
NOTE = "Surrogates (Table 1). Four random sources that reach a tenth of the graph."
TABLE2 = PUBLISHED["study_t2"]


def all_times(lines):
    """{graph: {short name: line}} of the graphs that have all lines."""
    columns = dict(zip(SHORT, STUDY_STRATEGIES))
    found = complete({surrogate.original: lines.each(f"study/t2/{surrogate.original}", columns) for surrogate in graphs.STUDY})
    if not found:
        raise Missing("no line of study/t2")
    return found


def end_to_end(lines, line):
    """Allocation and upload, traversal and download, in ms; without making the graph."""
    download = statistics.median(run["transfer_ns"] for run in line["runs"]) - line["upload_ns"]
    return median_ms(line) + (line["prepare_ns"] - line["upload_ns"] + lines.upload_ns(line) + max(download, 0)) * 1e-6


@figure("study", "t1")
def table1(lines, _):
    rows = []
    for surrogate in graphs.STUDY:
        line = lines.facts(surrogate)
        sizes = [f"{line[key] * 1e-6:.3g}" for key in ("n", "m")]
        rows.append([surrogate.original, *PUBLISHED["study_t1"][surrogate.original], graph_of(line), *sizes,
                     f">= {line['diameter_lower_bound']}", f"{line['degree_stddev']:.1f}", line["degree_max"]])  # fmt: skip
    return table(["graph", "vertices", "edges", "domain", "surrogate", "V, M", "E, M", "diameter", "deviation", "maximum degree"], rows)


def both(found, published, show):
    """The published times and the measured ones of each graph."""
    rows = []
    for name, each in found.items():
        rows += [[name, "published", *map(given, published[name])], ["", "measured", *map(show, each.values())]]
    return table(["graph", "", *NAMES], rows)


def order(values):
    """{name: value} -> 'a < b < c'."""
    return " < ".join(sorted(values, key=values.get))


@figure("study", "t2", claims=5)
def table2(lines, _):
    found = all_times(lines)
    published = {name: dict(zip(SHORT, TABLE2[name])) for name in found}
    first = {name: fastest(each) for name, each in found.items()}
    right = {name: min(published[name], key=published[name].get) in first[name] for name in found}
    rows = [[name, order(published[name]), ranking(each), "yes" if right[name] else "no"] for name, each in found.items()]
    ties = sum(len(each) > 1 for each in first.values())
    text = both(found, TABLE2, timed) + "\n"
    text += table(["graph", "published", "measured; `=`: a tie", "the published fastest is among the fastest"], rows)
    text += f"\nThe published fastest is among the fastest on {sum(right.values())} of {len(found)} graphs; on {ties} several tie.\n"
    return text, claims_of_times(found, published, first)


def claims_of_times(found, published, first):
    count = len(found)
    merged = sum(bool({"WM", "CM"} & set(each)) for each in first.values())
    orders = [ratio(each["CM"], each["WM"]) for each in found.values()]
    agree = sum((x > 1) == (p["CM"] > p["WM"]) for x, p in zip(orders, published.values()))
    slowest = [max(each, key=lambda short: median_ms(each[short])) for each in found.values()]
    queue = slowest.count("queue")
    flat = {name: first[name] for name in ("msdoor", "roadNet-CA") if name in first}
    simple = ["simple" in each for each in flat.values()]
    fused = sum(x > 1 for x in ratios(found.values(), "scan", "fused"))
    return [
        (f"among the fastest on {merged} of {count}", verdict(merged >= 0.7 * count, merged >= count / 2)),
        (f"the published order of the two on {agree} of {count}; CM first on {sum(x < 1 for x in orders)}",
         verdict(agree >= 0.8 * count, agree > count / 2)),
        (f"queue on {queue}, scan on {slowest.count('scan')} of {count}", verdict(queue >= 0.5 * count, queue > 0)),
        ("; ".join(f"{name}: {' = '.join(each)}" for name, each in flat.items()), verdict(all(simple), any(simple))),
        (f"{fused} of {count}", verdict(fused == count, fused > count / 2)),
    ]  # fmt: skip


@figure("study", "t3")
def table3(lines, _):
    return both(all_times(lines), PUBLISHED["study_t3"], lambda line: ms(end_to_end(lines, line)))


@figure("study", "")
def figure5(lines, plots):
    panels = {name: {short: (median_ms(line), end_to_end(lines, line)) for short, line in each.items()}
              for name, each in all_times(lines).items()}  # fmt: skip
    plots.marked_bars("study-fig5", "Kernel time (bars) and end to end (marks), log scale", "ms", panels, NOTE)


@figure("study", "fig6")
def figure6(lines, plots):
    found = all_times(lines)
    series = {short: ratios(found.values(), "simple", short) for short in SHORT[1:]}
    published = {short: [TABLE2[name][0] / TABLE2[name][i] for name in found] for i, short in enumerate(SHORT) if i}
    plots.bars("study-fig6", "Kernel time of simple / kernel time of the strategy", "times as fast", list(found), series, NOTE,
               log=True, line=1, published=published)  # fmt: skip
    return table(["geometric mean over simple", "published", "measured"],
                 [[short, fold(geometric_mean(published[short])), fold(geometric_mean(series[short]))] for short in series])  # fmt: skip


@figure("study", "t4")
def table4(lines, _):
    rows = []
    for name, published in PUBLISHED["study_t4"].items():
        line = lines.get(f"study/t2/{name}/auto")
        rows.append([name, *map(given, published), timed(line), ms(end_to_end(lines, line)) if line else NOT])
    return table(["graph", "Gunrock kernel", "end to end", "GSWITCH kernel", "end to end", "`auto` kernel", "end to end"], rows)


# ---- Figs. 7 and 8 --------------------------------------------------------------------------------


def weighted(launches, i):
    """The mean of a metric over launches, weighted by their time."""
    return sum(launch[0] * launch[i] for launch in launches) / sum(launch[0] for launch in launches)


def mean_and_peak(launches, i, form):
    return f"{weighted(launches, i):{form}} (peak {max(launch[i] for launch in launches):{form}})"


def main_kernel(row):
    """The kernel of a strategy that traverses."""
    return {"scan": "assign_vertices_kernel"}.get(row, row.replace("-", "_") + "_kernel")


def kernels_of(lines, row):
    """The kernels of Nsight Compute's line that the other line has, too: [(kernel, its bound of occupancy)]."""
    line, bound = lines.job(f"study/ncu/{row}"), lines.job(f"study/occupancy/{row}")
    if (line["surrogate"], line["shape"]) != (bound["graph"]["name"], bound["shape"]):
        raise Mixed(f"{line['job']} and {bound['job']} are of different graphs")  # Nsight's lines have no hash
    limit = {kernel["name"]: kernel["occupancy"] for kernel in bound["kernel_list"]}
    leave = ("fill_kernel", "place_sources_kernel", "sum_degrees_kernel")
    return [(kernel, limit[kernel["name"]]) for kernel in line["kernels"] if kernel["name"] in limit and kernel["name"] not in leave]


def kernel_row(kernel, bound):
    launches = kernel["launches"]
    us = [launch[0] / 1e3 for launch in launches]
    return [f"`{kernel['name']}`", "measured", kernel["registers"], f"{min(us):.1f} to {max(us):.0f}", mean_and_peak(launches, 1, ".1f"),
            mean_and_peak(launches, 2, ".1f"), f"{bound * 100:.0f}", mean_and_peak(launches, 3, ".0f")]  # fmt: skip


@figure("study", "profile", claims=4)
def profile(lines, _):
    rows, traversal = [], {}
    for short, strategy in zip(SHORT, STUDY_STRATEGIES):
        registers, memory, compute, achieved = PUBLISHED["study_profile"][strategy]
        rows.append([short, "published", registers, "-", memory, compute, "-", achieved])
        for kernel, bound in kernels_of(lines, strategy):
            rows.append(kernel_row(kernel, bound))
            if kernel["name"] == main_kernel(strategy):
                traversal[short] = kernel
    text = table(["kernel", "", "registers", "duration, us", "memory, %", "compute, %", "occupancy bound, %", "achieved, %"], rows)
    return text, claims_of_profile(traversal)


def claims_of_profile(traversal):
    registers = {short: kernel["registers"] for short, kernel in traversal.items()}
    memory, achieved = ({short: weighted(kernel["launches"], i) for short, kernel in traversal.items()} for i in (1, 3))
    low, high = [achieved["simple"], achieved["queue"]], [achieved["WM"], achieved["CM"]]
    return [
        (f"WM {memory['WM']:.1f} %, CM {memory['CM']:.1f} %, simple {memory['simple']:.1f} % of the peak",
         verdict(min(memory["WM"], memory["CM"]) > 1.5 * memory["simple"], max(memory.values()) > memory["simple"])),
        (", ".join(f"{short} {count}" for short, count in registers.items()),
         verdict(min(registers["WM"], registers["CM"]) > max(registers["simple"], registers["queue"]),
                 registers["simple"] < registers["CM"])),
        (f"simple {low[0]:.0f} %, queue {low[1]:.0f} %", verdict(max(low) < 50, min(low) < 50)),
        (f"WM {high[0]:.0f} %, CM {high[1]:.0f} %", verdict(min(high) > 60 and high[0] >= high[1] - 2, max(high) > 50)),
    ]  # fmt: skip


@figure("study", "knobs")
def knobs(_lines, _plots):
    return knobs_table({name: (strategy, "") for name, strategy in zip((*NAMES, "`auto`"), (*STUDY_STRATEGIES, "auto"))})
