"""XBFS (Gaihre, Wu, Yao, Liu, HPDC 2019): Tables 1 and 2, Figs. 5 and 9 to 16."""

import math

import graphs
import rivals
from documents import table
from graphs import PUBLISHED, XBFS_NAMES
from jobs import DENSITIES, XBFS_SHARES, XBFS_STEPS
from lines import (NOISE, Missing, complete, faster, fold, geometric_mean, given, graph_of, is_tie, knobs_table, mean, noise,
                   quartiles, range_of, ratio, ratios, run_median, some, timed, without_edges)  # fmt: skip
from page import figure
from rules import amount, best, by_noise, count, gain, unsure

MEANS = PUBLISHED["xbfs_means"]
NOTE = "Surrogates of the named graphs, seed 1 (Table 1). Four random sources, seed 1."
ONE_SOURCE = NOTE.replace("Four random sources", "One random source")


def by_graph(lines, item, columns, gpu=None):
    """{graph: {column: line}} of the graphs that have all lines."""
    return some(complete({name: lines.each(f"xbfs/{item}/{name}", columns, gpu) for name in XBFS_NAMES}), f"xbfs/{item}")


def percent(values, form="{:.0f}"):
    return [f"{form} %".format(value) for value in values]


def extremes(values, most, least, away=NOISE):
    """Whether the published graphs have the highest and the lowest value, by more than the noise `away`, and which have;
    values: {graph: value}."""
    first, last = max(values, key=values.get), min(values, key=values.get)
    held = [False, False]
    if most in values:
        held[0] = by_noise(values[most], max(value for name, value in values.items() if name != most), away)
    if least in values:
        held[1] = by_noise(min(value for name, value in values.items() if name != least), values[least], away)
    return held, f"most on {first} ({values[first]:.1f}), least on {last} ({values[last]:.1f})"


def extreme_speeds(found, above, below, most, least):
    """The same of the quotients of two columns, each of which has the noise of both."""
    pairs = [(each[above], each[below]) for each in found.values()]
    return extremes(dict(zip(found, ratios(found.values(), above, below))), most, least, max(NOISE, 2 * unsure(pairs)))


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
                     f">= {line['diameter_lower_bound']}", f"{line['degree_stddev']:.0f}", f"{line['degree_max']:,}",
                     without_edges(line), f"{away:.2f}"])  # fmt: skip
    return table(["graph", "V", "E", "surrogate", "V", "E", "diameter", "deviation", "maximum degree", "degree 0", "distance"], rows)


@figure("xbfs", "t2", ("faster than Enterprise", "faster than Tigr, Gunrock and Ligra", "fastest on every graph", "its largest speed"))
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
    first = [best(each, "published form", ("Enterprise's form", "`expand-contract`")) for each in found.values()].count(True)
    pairs = [(each["Enterprise's form"], each["published form"]) for each in found.values()]
    return table(heads, rows), against_rivals(
        over, pairs, f"fringe's form: faster than Enterprise's form and `expand-contract` on {first} of {len(found)}")  # fmt: skip


RIVALS = {"enterprise": ("OR", "US"), "tigr": ("OR", "DP"), "gunrock": ("OR", "DB"), "ligra": ("WK", "WL")}  # largest, least speed


def against_rivals(forms, pairs, words):
    """The claims about Enterprise, of which fringe has a form, too; about Tigr, Gunrock and Ligra; and about all of them, on
    the graphs where they and XBFS's own program ran."""
    ran = rivals.of_graphs(rivals.rival_lines(), XBFS_NAMES)
    names, found = zip(*((name, each) for name, each in ran.items() if {"xbfs", *RIVALS} <= each.keys()))
    over = {name: ratios(found, name, "xbfs") for name in RIVALS}
    means, others = {name: MEANS["table2"][rivals.NAMES[name]] for name in RIVALS}, list(RIVALS)[1:]
    spans = {name: f"{rivals.NAMES[name]} {range_of(each)}" for name, each in over.items()}
    ran = f"({len(found)} graphs)"
    held, ends = zip(*(extreme_speeds(dict(zip(names, found)), name, "xbfs", *theirs) for name, theirs in RIVALS.items()))
    theirs = [(each[name], each["xbfs"]) for each in found for name in RIVALS]
    return [
        gain([mean(forms), mean(over["enterprise"])], [means["enterprise"]] * 2, unsure(pairs + theirs[:: len(RIVALS)]),
             f"fringe's forms by graph: {range_of(forms)}; the programs: {spans['enterprise']} {ran}"),
        gain([mean(over[name]) for name in others], [means[name] for name in others], unsure(theirs),
             f"by graph: {', '.join(spans[name] for name in others)} {ran}"),
        count([best(each, "xbfs", RIVALS) for each in found], words),
        count(sum(held, []), "; ".join(f"{rivals.NAMES[name]}: {end}" for name, end in zip(RIVALS, ends))),
    ]  # fmt: skip


def gather_speeds(line):
    """The speed of atomics over the prefix sum by size, of a line of bench_gather."""
    return [each["prefix_ms"] / each["atomic_ms"] for each in line["sizes"]]


@figure("xbfs", "fig5", ("enqueuing by atomics",))
def figure5(lines, plots):
    jobs = {f"{density / 10:g} % marked": f"xbfs/fig5/{density}" for density in DENSITIES}
    found = {head: lines.job(job) for head, job in jobs.items()}
    xs = [each["elements"] >> 20 for each in next(iter(found.values()))["sizes"]]
    series = {head: gather_speeds(line) for head, line in found.items()}
    plots.curves("xbfs-fig5", "Time of the prefix sum / time of atomics; below 1: the prefix sum is faster", "times as fast",
                 "millions (2^20) of elements", series, "An array of 32-bit words, marked by a fixed hash: no graph, no seed.",
                 log=True, xs=xs, line=1, band=MEANS["fig5"])  # fmt: skip
    others = {gpu: [lines.get(job, gpu) for job in jobs.values()] for gpu in lines.others}
    others = {gpu: theirs for gpu, theirs in others.items() if all(theirs)}
    means = {head: mean(values) for head, values in series.items()}
    rows = []
    for (head, values), *theirs in zip(series.items(), *others.values()):
        rows.append([head, *(f"{x:.2f}" for x in (*values, means[head], *(mean(gather_speeds(line)) for line in theirs)))])
    held = {head: by_noise(value, 1, 0.02) for head, value in means.items()}
    words = f"means of {range_of(means.values(), '{:.2f}')}x; faster: {', '.join(head for head in held if held[head]) or 'none'}"
    heads = ["marked", *(f"{x} M" for x in xs), "mean", *(f"mean, {gpu}" for gpu in others)]
    return table(heads, rows), [count(held.values(), words)]


def passes(lines, gpu=None):
    found = {name: lines.get(f"xbfs/pass/{name}", gpu) for name in XBFS_NAMES}
    found = {name: line for name, line in found.items() if line and line["next_level"]}
    return found if gpu else some(found, "xbfs/pass")


@figure("xbfs", "fig9", ("a majority of vertices", "could come with a large volume"))
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
    heads = ["graph", "level that is found", "unvisited of degree 64 and more", "of them with fewer than 8 checks", "most checks"]
    text = table(heads, rows)
    most = {name: max(w for _, w, _ in found[name]["checks"]) for name in ("DP", "US", "WL") if name in found}
    return text, [
        count([share > 50 for share in shares if share is not None], f"{mean(shares):.0f} % of them check fewer than 8 edges"),
        count([w >= 6 for w in most.values()], "at most " + ", ".join(f"{(2 << w) - 1} checks on {name}" for name, w in most.items())),
    ]


def early_shares(found):
    """Percent of the next level that the first asynchronous pass visits, by graph."""
    return [line["early"] / line["next_level"] * 100 for line in found.values()]


@figure("xbfs", "fig10", ("nearly the whole next level", "nearly all the next level's"))
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
    words = f"{range_of(ours, '{:.0f}')}" + "".join(f"; {gpu}: {mean(each):.0f} %" for gpu, each in shares.items() if gpu != lines.gpu)
    heads = ["graph", "vertices of the next level", "visited early", *(f"share, {gpu}" for gpu in shares)]
    least = {**dict.fromkeys(("DP", "OR", "LJ", "EW", "TR", "FR"), 99), "US": 40}
    held = [share > least[name] for name, share in zip(found, ours) if name in least]
    return table(heads, rows), [amount(mean(ours), MEANS["fig10"], " %", 1, words), count(held)]


def speeds(lines, plots, item, labels, base):
    """A figure of speeds over the step `base`: its table and its claim. labels: steps, in the order of the published means."""
    found, means = by_graph(lines, "step", (base, *labels)), MEANS[item]
    series = {head: ratios(found.values(), base, label) for label, head in zip(labels, means)}
    plots.bars(f"xbfs-{item}", f"Speed over {base}", "times as fast", list(found), series, NOTE, line=1, means=means)
    rows = []
    for (name, each), *row in zip(found.items(), *series.values()):
        marks = [" (tie)" if is_tie(each[base], each[label]) else "" for label in labels]
        rows.append([name, timed(each[base])] + [f"{x:.2f}{mark}" for x, mark in zip(row, marks)])
    rows = with_means(rows, series, "{:.2f}", [f"{value:g}" for value in means.values()])
    claim = gain([mean(values) for values in series.values()], means.values(),
                 unsure([(each[base], each[label]) for each in found.values() for label in labels]))  # fmt: skip
    return table(["graph", f"{base}, ms", *means], rows), claim


def step_gain(lines, before, after, published):
    """The claim of one step over another."""
    pairs = [(each[before], each[after]) for each in by_graph(lines, "step", (before, after)).values()]
    found = [ratio(*pair) for pair in pairs]
    ties = sum(is_tie(*pair) for pair in pairs)
    return gain(mean(found), published, unsure(pairs), f"{range_of(found, '{:.2f}')}; ties: {ties} of {len(pairs)}")


@figure("xbfs", "fig11", ("three techniques together", "asynchrony gains", "gain most on OR", "adaptive queues gain most on DB", "another 59 %"))
def figure11(lines, plots):
    text, claim = speeds(lines, plots, "fig11", ("adaptive", "warp", "async"), "baseline")
    before, after = list(MEANS["fig11"].values())[1:]
    found = by_graph(lines, "step", ("baseline", "adaptive", "warp", "async"))
    ends = {"async": ("OR", "US"), "adaptive": ("DB", "WL"), "warp": ("OR", "US")}
    last, *first = [extreme_speeds(found, "baseline", step, *names) for step, names in ends.items()]
    return text, [claim, step_gain(lines, "warp", "async", after / before), count(*last),
                  count(sum((held for held, _ in first), []), "; ".join(f"{head}: {words}" for head, (_, words) in zip(("Ad", "Ad + WB"), first))),
                  step_gain(lines, "adaptive", "warp", 1.59)]  # fmt: skip


@figure("xbfs", "fig12", ("leave top-down's share",))
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
    claim = amount([mean(values) for values in series.values()], MEANS["fig12"].values(), " %")
    return table(["graph", *(f"{label}, top-down" for label in XBFS_SHARES)], rows), [claim]


@figure("xbfs", "fig13", ("double-scan contributes most", "scan-free helps"))
def figure13(lines, plots):
    order = ("baseline", "scan-free", "single-scan", "no-queue", "adaptive")
    found, published = by_graph(lines, "step", order), MEANS["fig13"]
    rest = {name: [100 * ratio(each[label], each["baseline"]) for label in order] for name, each in found.items()}
    saved = {name: [a - b for a, b in zip(each, each[1:])] for name, each in rest.items()}
    series = {f"+ {head}": [each[i + 1] for each in rest.values()] for i, head in enumerate(published)}
    plots.bars("xbfs-fig13", "Time with each method of queue generation, one after the other", "percent of the baseline's", list(found),
               series, NOTE, line=100)  # fmt: skip
    rows = [[name, *(f"{x:+.1f}" for x in each), f"{rest[name][-1]:.1f} %"] for name, each in saved.items()]
    sums = [mean(each) for each in zip(*saved.values())]
    shares = [f"{x / sum(sums) * 100:.0f} %" for x in sums]
    rows += [["mean", *(f"{x:+.1f}" for x in sums), f"{mean([each[-1] for each in rest.values()]):.1f} %"],
             ["share of the mean gain", *shares, ""], ["published share", *percent(published.values(), "{:g}"), ""]]  # fmt: skip
    noisy = 100 * mean([noise(line) for each in found.values() for line in each.values()])
    text = f"{table(['graph', *published, 'time left'], rows)}\nRepeating a run changes its time by ±{noisy:.1f} %.\n"

    def most(name):
        *others, ours = saved[name]
        return by_noise(ours, max(others), 2 * noisy / abs(max(others)))

    free = {name: saved[name][0] for name in ("DP", "DB", "US") if name in saved}
    return text, [
        count([by_noise(sums[-1], max(sums[:-1]), 2 * noisy / max(sums[:-1]))],
              f"{' / '.join(shares)}; most on {sum(bool(most(name)) for name in saved)} of {len(saved)}"),
        count([None if abs(x) < 2 * noisy else x > 0 for x in free.values()]
              + [most(name) for name in ("EW", "WL", "OR") if name in saved],
              ", ".join(f"{name} {x:+.0f} %" for name, x in free.items()) + " of the time saved by scan-free"),
    ]  # fmt: skip


@figure("xbfs", "fig14", ("static, warp- and thread-centric", "dynamic balancing adds", "degrades on DB", "donating work",
                          "performs like thread-centric"))
def figure14(lines, plots):
    labels = ("static", "warp", "thread")
    text, claim = speeds(lines, plots, "fig14", labels, "adaptive")
    found = by_graph(lines, "step", ("adaptive", *labels, "async", "donation"))
    most = max(("warp", "thread"), key=lambda label: mean(ratios(found.values(), "static", label)))
    pairs = [(each["donation"], each["async"]) for each in found.values()]
    return text, [
        claim,
        step_gain(lines, "static", most, 1.133),
        count([faster(found["DB"]["adaptive"], found["DB"][label]) for label in labels] if "DB" in found else [None],
              ", ".join(fold(ratio(found["DB"]["adaptive"], found["DB"][label])) for label in labels) if "DB" in found else ""),
        count([faster(b, a) for a, b in pairs],
              f"{(mean([ratio(*pair) for pair in pairs]) - 1) * 100:+.1f} % (±{100 * unsure(pairs):.1f} %)"),
        count([is_tie(each["warp"], each["thread"]) for each in found.values()],
              f"warp-centric {range_of(ratios(found.values(), 'thread', 'warp'), '{:.2f}')}x as fast"),
    ]  # fmt: skip


@figure("xbfs", "fig15", ("check fewer edges", "fewest checks on DP"))
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
    return table(["graph", "synchronous", "asynchronous", "fewer"], rows), [
        gain(100 / (100 - fewer), 100 / (100 - MEANS["fig15"]), 0, words),
        count(*extremes(dict(zip(checks, spared["fewer"])), "DP", "OR")),
    ]


@figure("xbfs", "fig16", ("newer GPU is faster",))
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
    words = f"{lines.gpu} over {first}: {fold(geometric_mean(series[first]))} ({range_of(series[first], '{:.2f}')})"
    heads = ["graph", *(f"{gpu}, ms" for gpu in columns), *(f"{gpu} / {lines.gpu}" for gpu in lines.others)]
    return table(heads, rows), [count([faster(each[lines.gpu], each[first]) for each in found.values()], words)]


@figure("xbfs", "knobs")
def knobs(_lines, _plots):
    return knobs_table({**{label: ("xbfs", text) for label, text in XBFS_STEPS.items()}, "`xbfs` by default": ("xbfs", "")})
