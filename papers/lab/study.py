"""The 2025 study: Tables 1 to 4, Figs. 5 to 8, occupancy."""

import statistics

import graphs
import rivals
from documents import table
from graphs import PUBLISHED
from jobs import STUDY_STRATEGIES
from lines import (Missing, Mixed, complete, faster, fastest, fold, geometric_mean, given, graph_of, knobs_table,
                   median_ms, ms, ranking, ratio, ratios, some, timed, without_edges)  # fmt: skip
from page import figure
from rules import amount, best, count, gain, group_best, same_order, unsure

SHORT = ("simple", "queue", "scan", "fused", "WM", "CM")
NAMES = ("SimpleBFS", "QueueBFS", "ScanBFS", "Scanfused", "Scan_WM", "Scan_CM")
NOTE = "Surrogates (Table 1). Four random sources that reach a tenth of the graph."
TABLE2 = PUBLISHED["study_t2"]


def all_times(lines):
    """{graph: {short name: line}} of the graphs that have all lines."""
    columns = dict(zip(SHORT, STUDY_STRATEGIES))
    return some(complete({surrogate.original: lines.each(f"study/t2/{surrogate.original}", columns) for surrogate in graphs.STUDY}), "study/t2")


def end_to_end(each):
    """The lines of a graph with times from allocation and upload to download; without making the graph. Every setting uploads
    the same graph, once: each run is taken with each of these uploads, so that their spread is part of the noise."""
    uploads = [line["upload_ns"] for line in each.values()]

    def runs_of(line):
        fixed = line["prepare_ns"] - line["upload_ns"]
        own = [(run, fixed + run["traverse_ns"] + max(run["transfer_ns"] - line["upload_ns"], 0)) for run in line["runs"]]
        return [{**run, "traverse_ns": ns + upload} for run, ns in own for upload in uploads]

    return {short: {**line, "runs": runs_of(line)} for short, line in each.items()}


@figure("study", "t1")
def table1(lines, _):
    rows = []
    for surrogate in graphs.STUDY:
        line = lines.facts(surrogate)
        sizes = [f"{line[key] * 1e-6:.3g}" for key in ("n", "m")]
        rows.append([surrogate.original, *PUBLISHED["study_t1"][surrogate.original], graph_of(line), *sizes,
                     f">= {line['diameter_lower_bound']}", f"{line['degree_stddev']:.1f}", line["degree_max"],
                     without_edges(line)])  # fmt: skip
    heads = ["graph", "vertices", "edges", "domain", "surrogate", "V, M", "E, M", "diameter", "deviation", "maximum degree", "degree 0"]
    return table(heads, rows)


def both(found, published, show, names=NAMES):
    """The published times and the measured ones of each graph."""
    rows = []
    for name, each in found.items():
        rows += [[name, "published", *map(given, published[name])], ["", "measured", *map(show, each.values())]]
    return table(["graph", "", *names], rows)


FLAT, SMALL = ("msdoor", "roadNet-CA"), ("as-caida", "p2p-Gnutella08")


@figure("study", "t2", ("(WM or CM) are the fastest", "WM before CM, except", "queue is the slowest",
                        "simple outperforms the more complex ones on", "fusing the kernels", "queue matches or outperforms",
                        "fusing gains less on very small"))
def table2(lines, _):
    found = all_times(lines)
    published = {name: dict(zip(SHORT, TABLE2[name])) for name in found}
    first = {name: fastest(each) for name, each in found.items()}
    right = {name: min(published[name], key=published[name].get) in first[name] for name in found}
    rows = [[name, " < ".join(sorted(SHORT, key=published[name].get)), ranking(each), "yes" if right[name] else "no"] for name, each in found.items()]
    ties = sum(len(each) > 1 for each in first.values())
    text = both(found, TABLE2, timed) + "\n"
    text += table(["graph", "published", "measured; `=`: a tie", "the published fastest is among the fastest"], rows)
    text += f"\nThe published fastest is among the fastest on {sum(right.values())} of {len(found)} graphs; on {ties} several tie.\n"
    return text, claims_of_times(found, published, first)  # fmt: skip


def claims_of_times(found, published, first):
    pairs = list(zip(found.values(), published.values()))
    queue, scan = ([all(faster(each[o], each[short]) for o in SHORT if o != short) for each, _ in pairs] for short in ("queue", "scan"))
    fused = {name: ratio(each["scan"], each["fused"]) for name, each in found.items()}
    return [
        count([group_best(each, ("WM", "CM")) for each, _ in pairs], published=7),
        count([same_order(each["WM"], each["CM"], p["WM"] < p["CM"]) for each, p in pairs],
              f"CM first on {sum(bool(faster(each['CM'], each['WM'])) for each, _ in pairs)}"),
        count(queue, f"scan on {scan.count(True)}", published=6),
        count([best(found[name], "simple", SHORT[1:]) for name in FLAT if name in found],
              "; ".join(f"{name}: {' = '.join(first[name])}" for name in FLAT if name in found)),
        count([faster(each["fused"], each["scan"]) for each, _ in pairs]),
        count(["queue" in first[name] for name in FLAT[:1] if name in found]),
        count([fused[name] < geometric_mean(fused.values()) for name in SMALL if name in found]),
    ]  # fmt: skip


@figure("study", "t3", ("simple outperforms them end to end", "fused is faster than simple and queue", "WM is faster than queue and fused",
                        "CM is faster than scan and fused", "queue is worse than simple", "scan is worse than simple and queue",
                        "fused is comparable to scan", "queue is better than simple", "scan underperforms"))
def table3(lines, _):
    found = {name: end_to_end(each) for name, each in all_times(lines).items()}

    def ahead(name, first, others):
        if name not in found:
            raise Missing(f"not all lines of study/t2/{name}")
        held = [faster(found[name][first], found[name][other]) for other in others]
        return held, f"{name}: " + ", ".join(f"{short} {ms(median_ms(found[name][short]))}" for short in (first, *others)) + " ms"

    flat = [ahead(name, "simple", SHORT[1:]) for name in FLAT]
    published = PUBLISHED["study_t3"]
    (_, words), (_, talk_words) = ahead("roadNet-CA", "fused", SHORT[:2]), ahead("wiki-Talk", "fused", ("scan",))
    road, talk, theirs = found["roadNet-CA"], found["wiki-Talk"], published["roadNet-CA"]
    better, better_words = zip(*(ahead(name, "queue", ("simple",)) for name in ("soc-orkut", "kron_g500-logn21")))
    under, under_words = zip(*(ahead("msdoor", short, ("scan",)) for short in SHORT[:2]))
    slower, kron_words = zip(*(ahead("kron_g500-logn21", short, ("scan",)) for short in SHORT[:2]))
    return both(found, published, timed), [
        count(sum((held for held, _ in flat), []), "; ".join(words for _, words in flat)),
        gain([ratio(road[other], road["fused"]) for other in SHORT[:2]], [x / theirs[3] for x in theirs[:2]],
             unsure([(road[other], road["fused"]) for other in SHORT[:2]]), words),
        count(*ahead("soc-orkut", "WM", ("queue", "fused"))),
        count(*ahead("wiki-talk-temporal", "CM", ("scan", "fused"))),
        count(*ahead("roadNet-CA", "simple", ("queue",))),
        count(sum(slower, []), "; ".join(kron_words)),
        amount(ratio(talk["scan"], talk["fused"]), published["wiki-Talk"][2] / published["wiki-Talk"][3], "x", 1, talk_words),
        count(sum(better, []), "; ".join(better_words)),
        count(sum(under, []), "; ".join(under_words)),
    ]  # fmt: skip


@figure("study", "serial", ("over a sequential algorithm",))
def sequential(lines, _):
    found = all_times(lines)
    core = {name: lines.job(f"study/t2/{name}/serial") for name in found}
    rows = [[name, timed(core[name], 4), *(fold(ratio(core[name], line)) for line in each.values())] for name, each in found.items()]
    return table(["graph", "`serial`, one core, ms", *NAMES], rows), [count([group_best({**each, "serial": core[name]}, SHORT)
                                                                             for name, each in found.items()])]  # fmt: skip


@figure("study", "")
def figure5(lines, plots):
    panels = {name: {short: (median_ms(each[short]), median_ms(line)) for short, line in end_to_end(each).items()}
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


FUSED = ("fringe-scan-fused", "fringe-warp-merge", "fringe-coalesced-map")


@figure("study", "t4", ("rival Gunrock and GSWITCH",))
def table4(_lines, _plots):
    columns = {"gunrock": "Gunrock", "gswitch": "GSWITCH", **dict(zip(FUSED, NAMES[3:]))}
    ran = rivals.of_graphs(rivals.rival_lines(), TABLE2, text="study/")
    found = some(complete({name: {column: each.get(column) for column in columns} for name, each in ran.items()}), "Gunrock and GSWITCH")
    theirs = {name: (row[0], row[2], *TABLE2[name][3:]) for name, row in PUBLISHED["study_t4"].items() if name in found}
    held = {name: group_best(each, FUSED) is not False for name, each in found.items()}  # a tie rivals
    published = sum(min(row[2:]) <= min(row[:2]) for row in theirs.values())
    rows = both({name: found[name] for name in theirs}, theirs, timed, columns.values())
    return rows, [count([held[name] for name in theirs], f"on {sum(held.values())} of all {len(held)} graphs", published)]


# ---- Figs. 7 and 8 --------------------------------------------------------------------------------


def weighted(launches, i):
    """The mean of a metric over launches, weighted by their time."""
    return sum(launch[0] * launch[i] for launch in launches) / sum(launch[0] for launch in launches)


def mean_and_peak(launches, i, form):
    return f"{weighted(launches, i):{form}} (peak {max(launch[i] for launch in launches):{form}})"


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


@figure("study", "profile", ("use the memory better", "queue improves the memory", "registers: 22", "often well below 50",
                             "scan's occupancy rises", "fused has a moderate", "WM is near"))
def profile(lines, _):
    rows, traversal, bounds = [], {}, {}
    for short, strategy in zip(SHORT, STUDY_STRATEGIES):
        registers, duration, memory, compute, achieved = PUBLISHED["study_profile"][strategy]
        rows.append([short, "published", registers, duration, memory, compute, "66.67", achieved])
        traverses = "assign_vertices_kernel" if strategy == "scan" else strategy.replace("-", "_") + "_kernel"
        for kernel, bound in kernels_of(lines, strategy):
            rows.append(kernel_row(kernel, bound))
            if kernel["name"] == traverses:
                traversal[short], bounds[short] = kernel, bound * 100
            if kernel["name"] == "scan_degrees_kernel":
                rising = [launch[3] for launch in kernel["launches"]]
    text = table(["kernel", "", "registers", "duration, us", "memory, %", "compute, %", "occupancy bound, %", "achieved, %"], rows)
    return text, claims_of_profile(traversal, bounds, rising)  # fmt: skip


def claims_of_profile(traversal, bounds, rising):
    registers = {short: kernel["registers"] for short, kernel in traversal.items()}
    memory, compute, achieved = ({short: weighted(kernel["launches"], i) for short, kernel in traversal.items()} for i in (1, 2, 3))
    half = len(rising) // 2
    early, late = statistics.mean(rising[:half]), statistics.mean(rising[-half:])
    few, many = ("simple", "queue"), ("WM", "CM")

    def words(values, shorts):
        return ", ".join(f"{short} {values[short]:.3g}" for short in shorts)

    return [
        count([*(memory[a] > 1.1 * memory["simple"] for a in many), memory["WM"] > 10, memory["simple"] < 6, compute["WM"] > 2],
              words(memory, ("WM", "CM", "simple")) + f" % of the peak; compute: WM {compute['WM']:.3g} %"),
        count([memory["queue"] > 1.1 * memory["simple"], compute["queue"] < 1],
              words(memory, few) + f" % of the peak; compute: queue {compute['queue']:.3g} %"),
        count([registers[a] < registers[b] for a in few for b in many], words(registers, SHORT)),
        count([achieved[a] < 50 for a in few] + [1.1 * achieved[a] < achieved[b] for a in few for b in many],
              words(achieved, few + many) + " %"),
        count([late > 1.1 * early], f"`scan_degrees_kernel`: {early:.0f} % in the first half of the levels, {late:.0f} % in the second"),
        count([achieved["fused"] > 1.1 * achieved[a] for a in few], words(achieved, ("fused", *few)) + " %"),
        count([achieved[a] > 0.8 * bounds[a] for a in many], words(achieved, many) + f" % of a bound of {bounds['WM']:.0f} %"),
    ]  # fmt: skip


@figure("study", "knobs")
def knobs(_lines, _plots):
    return knobs_table({name: (strategy, "") for name, strategy in zip(NAMES, STUDY_STRATEGIES)})
