"""XBFS (Gaihre, Wu, Yao, Liu, HPDC 2019): Tables 1 and 2, Figs. 5 and 9 to 16."""

import math

import graphs
from documents import table
from graphs import PUBLISHED, XBFS_NAMES
from jobs import DENSITIES, XBFS_SHARES, XBFS_STEPS
from lines import (Missing, complete, fold, geometric_mean, given, graph_of, is_tie, knobs_table, mean, noise,
                   quartiles, range_of, ratio, ratios, run_median, timed)  # fmt: skip
from page import figure, verdict

MEANS = PUBLISHED["xbfs_means"]
NOTE = "Surrogates of the named graphs, seed 1 (Table 1). Four random sources, seed 1."
ONE_SOURCE = NOTE.replace("Four random sources", "One random source")


def by_graph(lines, item, columns, gpu=None):
    """{graph: {column: line}} of the graphs that have all lines."""
    found = complete({name: lines.each(f"xbfs/{item}/{name}", columns, gpu) for name in XBFS_NAMES})
    if not found:
        raise Missing(f"no graph has all its lines xbfs/{item}")
    return found


def percent(values, form="{:.0f}"):
    return [f"{form} %".format(value) for value in values]


def with_means(rows, series, form, published):
    """Rows of a table, with a row of the means and a row of the published ones."""
    blank = [""] * (len(rows[0]) - 1 - len(series))
    means = [["mean", *blank, *(form.format(mean(values)) for values in series.values())]]
    return rows + means + [["published mean", *blank, *published]]


@figure("xbfs", "t1")
def table1(lines, _):
    rows = []
    for surrogate in graphs.XBFS:
        name, line = surrogate.original, lines.facts(surrogate)
        n, m = PUBLISHED["xbfs_t1"][name]
        away = math.sqrt((math.log(line["n"] / n) ** 2 + math.log(line["m"] / 2 / m) ** 2) / 2)
        rows.append([f"{name} ({XBFS_NAMES[name]})", f"{n:,}", f"{m:,}", graph_of(line), f"{line['n']:,}", f"{line['m'] // 2:,}",
                     f">= {line['diameter_lower_bound']}", f"{line['degree_stddev']:.0f}", f"{line['degree_max']:,}", f"{away:.2f}"])  # fmt: skip
    return table(["graph", "V", "E", "surrogate", "V", "E", "diameter", "deviation", "maximum degree", "distance"], rows)


@figure("xbfs", "t2", claims=2)
def table2(lines, _):
    forms = {"published form": "async", "Enterprise's form": "baseline"}
    defaults = {"`expand-contract`": "expand-contract", "`xbfs` by default": "xbfs", "`auto`": "auto"}
    steps, found = by_graph(lines, "step", forms), by_graph(lines, "t2", defaults)
    found = {name: {**steps[name], **each} for name, each in found.items() if name in steps}
    over, others = (ratios(found.values(), head, "published form") for head in ("Enterprise's form", "`expand-contract`"))
    rows = []
    for (name, each), *speed in zip(found.items(), over, others):
        published = ["OOM" if x is None else given(x) for x in PUBLISHED["xbfs_t2"][name]]
        rows.append([f"{name} ({XBFS_NAMES[name]})", *published, *map(timed, each.values()), *map(fold, speed)])
    means = [f"{x}x" for x in MEANS["table2"].values()]
    rows.append(["mean speed of XBFS over it", "-", *means, *[""] * 5, fold(mean(over)), fold(mean(others))])
    heads = ["graph", "XBFS", *MEANS["table2"], *forms, *defaults, "over Enterprise's form", "over `expand-contract`"]
    best = sum(min(pair) > 1 for pair in zip(over, others))
    return table(heads, rows), [
        (f"mean {fold(mean(over))} ({range_of(over)})", verdict(mean(over) >= 2.5, min(over) > 1.05)),
        (f"{best} of {len(over)} against Enterprise's form and `expand-contract`", verdict(False, best > len(over) / 2)),  # three of its rivals are not run
    ]


def gather_speeds(line):
    """The speed of atomics over the prefix sum by size, of a line of bench_gather."""
    return [each["prefix_ms"] / each["atomic_ms"] for each in line["sizes"]]


@figure("xbfs", "fig5", claims=1)
def figure5(lines, plots):
    jobs = {f"{density / 10:g} % marked": f"xbfs/fig5/{density}" for density in DENSITIES}
    found = {head: lines.job(job) for head, job in jobs.items()}
    xs = [each["elements"] >> 20 for each in next(iter(found.values()))["sizes"]]
    series = {head: gather_speeds(line) for head, line in found.items()}
    plots.curves("xbfs-fig5", "Time of the prefix sum / time of atomics; below 1: the prefix sum is faster", "times as fast",
                 "millions (2^20) of elements", series, "An array of 32-bit words, marked by a fixed hash: no graph, no seed.",
                 log=True, xs=xs, line=1)  # fmt: skip
    others = {gpu: [lines.get(job, gpu) for job in jobs.values()] for gpu in lines.others}
    others = {gpu: theirs for gpu, theirs in others.items() if all(theirs)}
    means = {head: mean(values) for head, values in series.items()}
    rows = []
    for (head, values), *theirs in zip(series.items(), *others.values()):
        rows.append([head, *(f"{x:.2f}" for x in (*values, means[head], *(mean(gather_speeds(line)) for line in theirs)))])
    wins = [head for head, value in means.items() if value > 1]
    words = f"{range_of(means.values(), '{:.2f}')}x by density; above 1: {', '.join(wins) or 'none'}"
    heads = ["marked", *(f"{x} M" for x in xs), "mean", *(f"mean, {gpu}" for gpu in others)]
    return table(heads, rows), [(words, verdict(len(wins) == len(means), bool(wins)))]


def passes(lines, gpu=None):
    found = {name: lines.get(f"xbfs/pass/{name}", gpu) for name in XBFS_NAMES}
    found = {name: line for name, line in found.items() if line and line["next_level"]}
    if not found and not gpu:
        raise Missing("no line of xbfs/pass")
    return found


@figure("xbfs", "fig9", claims=1)
def figure9(lines, plots):
    found = passes(lines)
    parts = {name: [(1 << d, 1 << w, count) for d, w, count in line["checks"]] for name, line in found.items()}
    plots.clouds("xbfs-fig9", "Unvisited vertices of the first bottom-up pass", "degree", "edges checked", parts,
                 f"Classes of powers of two; the gray line: all edges. {ONE_SOURCE}")  # fmt: skip
    rows, shares = [], []
    for name, line in found.items():
        whole = sum(count for d, _, count in line["checks"] if d >= 6)
        few = sum(count for d, w, count in line["checks"] if d >= 6 and w <= 2)
        most = max(w for _, w, _ in line["checks"])
        shares.append(few / whole * 100 if whole else None)
        rows.append([name, line["pass"] + 1, f"{whole:,}", f"{shares[-1]:.0f} %" if whole else "-", f"{1 << most} to {(2 << most) - 1}"])
    text = table(["graph", "level that is found", "unvisited of degree 64 and more", "of them with fewer than 8 checks", "most checks"], rows)
    return text, [(f"{mean(shares):.0f} % of those of degree 64 and more check fewer than 8 edges", verdict(mean(shares) > 50, True))]


def early_shares(found):
    """Percent of the next level that the first asynchronous pass visits, by graph."""
    return [line["early"] / line["next_level"] * 100 for line in found.values()]


@figure("xbfs", "fig10", claims=1)
def figure10(lines, plots):
    found = passes(lines)
    shares = {lines.gpu: early_shares(found)}
    for gpu in lines.others:
        theirs = early_shares(passes(lines, gpu))
        if len(theirs) == len(found):
            shares[gpu] = theirs
    ours = shares[lines.gpu]
    plots.bars("xbfs-fig10", "Share of the next level that the first asynchronous pass visits", "percent", list(found), {"share": ours},
               ONE_SOURCE, means={"share": MEANS["fig10"]})  # fmt: skip
    rows = [[name, f"{line['next_level']:,}", f"{line['early']:,}", *percent(each)]
            for (name, line), *each in zip(found.items(), *shares.values())]  # fmt: skip
    rows = with_means(rows, shares, "{:.0f} %", [f"{MEANS['fig10']} %"] + [""] * (len(shares) - 1))
    words = f"mean {mean(ours):.0f} % ({range_of(ours, '{:.0f}')})"
    words += "".join(f"; {gpu}: {mean(each):.0f} %" for gpu, each in shares.items() if gpu != lines.gpu)
    heads = ["graph", "vertices of the next level", "visited early", *(f"share, {gpu}" for gpu in shares)]
    return table(heads, rows), [(words, verdict(mean(ours) >= 75, mean(ours) >= 30))]


def speeds(lines, plots, item, labels, base):
    """A figure of speeds over the step `base`: its table and the means. labels: steps, in the order of the means."""
    found, means = by_graph(lines, "step", (base, *labels)), MEANS[item]
    series = {head: ratios(found.values(), base, label) for label, head in zip(labels, means)}
    plots.bars(f"xbfs-{item}", f"Speed over {base}", "times as fast", list(found), series, NOTE, line=1, means=means)
    rows = []
    for (name, each), *row in zip(found.items(), *series.values()):
        marks = [" (tie)" if is_tie(each[base], each[label]) else "" for label in labels]
        rows.append([name, timed(each[base])] + [f"{x:.2f}{mark}" for x, mark in zip(row, marks)])
    rows = with_means(rows, series, "{:.2f}", [f"{value:g}" for value in means.values()])
    return table(["graph", f"{base}, ms", *means], rows), [mean(values) for values in series.values()]


@figure("xbfs", "fig11", claims=2)
def figure11(lines, plots):
    text, here = speeds(lines, plots, "fig11", ("adaptive", "warp", "async"), "baseline")
    found = by_graph(lines, "step", ("warp", "async")).values()
    ties, gain = sum(is_tie(each["warp"], each["async"]) for each in found), mean(ratios(found, "warp", "async"))
    return text, [
        (", ".join(map(fold, here)), verdict(here[2] >= 2.5, here[2] > 1.05)),
        (f"{fold(gain)}; {ties} of {len(found)} are ties", verdict(gain >= 1.07, gain >= 1.02)),
    ]


@figure("xbfs", "fig12", claims=1)
def figure12(lines, plots):
    found = by_graph(lines, "levels", XBFS_SHARES)
    shares = {name: {label: [100 * (1 - run["pulled_ns"] / run["levels_ns"]) for run in line["runs"]] for label, line in each.items()}
              for name, each in found.items()}  # fmt: skip
    series = {label: [mean(each[label]) for each in shares.values()] for label in XBFS_SHARES}
    errors = {label: [quartiles(each[label]) for each in shares.values()] for label in XBFS_SHARES}
    plots.bars("xbfs-fig12", "Share of the time spent top-down", "percent", list(found), series, f"{NOTE} Lines: quartiles of the sources.",
               errors=errors, means=MEANS["fig12"])  # fmt: skip
    rows = [[name, *percent(row)] for name, *row in zip(found, *series.values())]
    rows = with_means(rows, series, "{:.0f} %", percent(MEANS["fig12"].values(), "{}"))
    here = [mean(values) for values in series.values()]
    holds = verdict(abs(here[1] - here[0]) <= 5 and here[2] > here[1] + 3, here[2] > here[1] + 3)
    return table(["graph", *(f"{label}, top-down" for label in XBFS_SHARES)], rows), [(", ".join(percent(here)), holds)]


@figure("xbfs", "fig13", claims=1)
def figure13(lines, plots):
    order = ("baseline", "scan-free", "single-scan", "no-queue", "adaptive")
    found, published = by_graph(lines, "step", order), MEANS["fig13"]
    series = {head: [] for head in published}
    for each in found.values():
        rest = [ratio(each[label], each["baseline"]) for label in order]  # of the baseline's time
        for i, head in enumerate(published):
            series[head].append((rest[i] - rest[i + 1]) / (rest[0] - rest[-1]) * 100 if rest[0] - rest[-1] > 0.02 else None)
    plots.bars("xbfs-fig13", "Share of the whole gain of adaptive queues", "percent", list(found), series, NOTE, line=0, means=published)
    rows = [[name, *("no gain" if x is None else f"{x:.0f} %" for x in row)] for name, *row in zip(found, *series.values())]
    rows = with_means(rows, series, "{:.0f} %", percent(published.values(), "{:g}"))
    noisy = mean([noise(line) for each in found.values() for line in each.values()])
    text = f"{table(['graph', *published], rows)}\nRepeating a run changes its time by ±{noisy * 100:.1f} %.\n"
    here = {head: mean(values) for head, values in series.items()}
    holds = verdict(max(here, key=here.get) == "double-scan", here["double-scan"] > 20)
    return text, [(" / ".join(f"{x:.0f}" for x in here.values()) + " %", holds)]


@figure("xbfs", "fig14", claims=2)
def figure14(lines, plots):
    text, here = speeds(lines, plots, "fig14", ("static", "warp", "thread"), "adaptive")
    slow = mean(ratios(by_graph(lines, "step", ("async", "donation")).values(), "donation", "async"))
    return text, [
        (", ".join(map(fold, here)), verdict(here[0] > 1.2 and here[1] >= here[0] * 1.02, here[1] > 1.05)),
        (f"{(slow - 1) * 100:+.1f} %", verdict(slow > 1.0, slow > 0.98)),
    ]


@figure("xbfs", "fig15", claims=1)
def figure15(lines, plots):
    found = by_graph(lines, "step", ("warp", "async"))
    checks = {name: [run_median(line, "edges_examined") for line in each.values()] for name, each in found.items()}
    left = [b / a * 100 for a, b in checks.values()]
    spared = {"fewer": [100 - x for x in left]}
    plots.bars("xbfs-fig15", "Edges checked, of the synchronous traversal", "percent", list(found),
               {"synchronous": [100.0] * len(found), "asynchronous": left}, NOTE, means={"asynchronous": 100 - MEANS["fig15"]})  # fmt: skip
    rows = [[name, f"{a:,.0f}", f"{b:,.0f}", f"{x:.1f} %"] for (name, (a, b)), x in zip(checks.items(), spared["fewer"])]
    rows = with_means(rows, spared, "{:.1f} %", [f"{MEANS['fig15']} %"])
    fewer = mean(spared["fewer"])
    words = f"{fewer:.1f} % fewer ({range_of(spared['fewer'])})"
    return table(["graph", "synchronous", "asynchronous", "fewer"], rows), [(words, verdict(fewer >= 15, fewer >= 1))]


@figure("xbfs", "fig16", claims=1)
def figure16(lines, plots):
    columns = {gpu: {name: lines.get(f"xbfs/step/{name}/async", gpu) for name in XBFS_NAMES} for gpu in (lines.gpu, *lines.others)}
    found = complete({name: {gpu: each[name] for gpu, each in columns.items()} for name in XBFS_NAMES})
    if not found or not lines.others:
        raise Missing("no line of another GPU")
    series = {gpu: ratios(found.values(), gpu, lines.gpu) for gpu in lines.others}
    plots.bars("xbfs-fig16", f"Time on the {' or the '.join(lines.others)} / time on the {lines.gpu}", "times as long", list(found), series,
               NOTE, line=1)  # fmt: skip
    rows = []
    for (name, each), *row in zip(found.items(), *series.values()):
        marks = [" (tie)" if is_tie(each[lines.gpu], each[gpu]) else "" for gpu in lines.others]
        rows.append([name, *map(timed, each.values()), *(fold(x) + mark for x, mark in zip(row, marks))])
    rows.append(["geometric mean", *[""] * len(columns), *(fold(geometric_mean(values)) for values in series.values())])
    first = lines.others[0]
    gain, ties = geometric_mean(series[first]), sum(is_tie(each[lines.gpu], each[first]) for each in found.values())
    words = f"{lines.gpu} over {first}: {gain:.2f}x ({range_of(series[first], '{:.2f}')}; ties: {ties} of {len(found)})"
    heads = ["graph", *(f"{gpu}, ms" for gpu in columns), *(f"{gpu} / {lines.gpu}" for gpu in lines.others)]
    return table(heads, rows), [(words, verdict(min(series[first]) > 1 and ties == 0, gain > 1.02))]


@figure("xbfs", "knobs")
def knobs(_lines, _plots):
    return knobs_table({**{label: ("xbfs", text) for label, text in XBFS_STEPS.items()}, "`xbfs` by default": ("xbfs", "")})
