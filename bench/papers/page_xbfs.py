"""XBFS (Gaihre, Wu, Yao, Liu, HPDC 2019): Tables 1 and 2, Figs. 5 and 9 to 16."""

import math

from . import facts, graphs, plots
from .jobs import DENSITIES, XBFS_BASE, XBFS_SHARES, XBFS_STEPS, join
from .lines import (
    alike,
    geometric_mean,
    graph_of,
    is_tie,
    machines,
    mean,
    noise,
    provenance,
    quartiles,
    ratio,
    run_median,
)
from .page import NOT, Page, given, range_of, timed, times_as_fast, verdict_of
from .published import (
    XBFS_FIG5,
    XBFS_FIG10,
    XBFS_FIG11,
    XBFS_FIG12,
    XBFS_FIG13,
    XBFS_FIG14,
    XBFS_FIG15,
    XBFS_FIG16,
    XBFS_MEANS,
    XBFS_TABLE1,
    XBFS_TABLE2,
)

FOOTER = "Surrogates of the named graphs, seed 1 (Table 1). Four random sources, seed 1. "
NAMES = [surrogate.original for surrogate in graphs.XBFS]


def table1(page, lines):
    page.heading("Table 1: the graphs")
    rows, used = [], []
    for surrogate in graphs.XBFS:
        name, line = surrogate.original, facts.facts_of(lines, surrogate)
        used.append(line)
        n, m = XBFS_TABLE1[name]
        rows.append([f"{name} ({graphs.XBFS_NAMES[name]})", f"{n:,}", f"{m:,}"])
        if line:
            away = math.sqrt((math.log(line["n"] / n) ** 2 + math.log(line["m"] / 2 / m) ** 2) / 2)
            rows[-1] += [graph_of(line), f"{line['n']:,}", f"{line['m'] // 2:,}", f">= {line['diameter_lower_bound']}",
                         f"{line['degree_stddev']:.0f}", f"{line['degree_max']:,}", f"{away:.2f}"]  # fmt: skip
        else:
            rows[-1] += [NOT] + [""] * 6
    page.table(["graph", "V", "E", "surrogate", "V", "E", "diameter", "deviation", "maximum degree", "distance"], rows)
    page.paragraph("""Columns 2 and 3 are published: edges before the reverse of each is added. The paper has neither degrees nor
        diameters, so that the distance (root mean square of the logarithms of the ratios) is that of vertices and edges alone.
        Parallel edges of R-MAT are merged, so that there are fewer than were drawn. """ + provenance(used))  # fmt: skip


TABLE2 = (("published form", "step", "async"), ("Enterprise's form", "step", "baseline"), ("`expand-contract`", "t2", "expand-contract"),
          ("`xbfs` by default", "t2", "xbfs"), ("`auto`", "t2", "auto"))  # fmt: skip


def table2(page, lines):
    page.heading("Table 2: times")
    rows, used, over, others, best = [], [], [], [], 0
    for name in NAMES:
        found = {head: lines.job(f"xbfs/{item}/{name}/{label}") for head, item, label in TABLE2}
        alike(found.values())
        used += found.values()
        rows.append([f"{name} ({graphs.XBFS_NAMES[name]})"] + ["OOM" if x is None else given(x) for x in XBFS_TABLE2[name]]
                    + [timed(line) for line in found.values()])  # fmt: skip
        ours, enterprise, b40c = (found[head] for head, _, _ in TABLE2[:3])
        over.append(ratio(enterprise, ours))
        others.append(ratio(b40c, ours))
        rows[-1] += [times_as_fast(over[-1]), times_as_fast(others[-1])]
        best += bool(over[-1] and others[-1] and min(over[-1], others[-1]) > 1)
    text = [f"{XBFS_MEANS[name]}x" for name in ("Enterprise", "Tigr", "Gunrock", "Ligra")]
    rows.append(["mean speed of XBFS over it", "-", *text] + [""] * 5 + [times_as_fast(mean(over)), times_as_fast(mean(others))])
    page.table(["graph", "XBFS", "Enterprise", "Tigr", "Gunrock", "Ligra", *(head for head, _, _ in TABLE2), "over Enterprise's form",
                "over `expand-contract`"], rows)  # fmt: skip
    baseline = lines.job(f"xbfs/step/{NAMES[0]}/baseline")
    form = """Enterprise's queues, and a thread, warp or block a vertex by its degree in both directions (`by_degree=1`, `balance=0`); all steps of Fig. 11
        keep the former top-down"""
    if baseline and "by_degree=1" not in baseline["knobs"]:
        form = """Enterprise's queues and its balancing bottom-up, but equal shares of edges top-down (these lines were measured before the knob
        `by_degree`)"""
    page.paragraph(f"""Published on a Quadro P6000, Ligra on 24 cores. XBFS in the published form and Enterprise's form (Knobs) are
        compared; the latter has {form}. `expand-contract` is Merrill's B40C, on which Gunrock's top-down is based. The last two measured columns of times are fringe's
        defaults. {provenance(used)}""")  # fmt: skip
    have = [x for x in over if x]
    page.claim("XBFS is faster than Enterprise", "section 6.1, Table 2", "mean 3.5x (2.1 to 5.0)",
               f"mean {times_as_fast(mean(have))} ({range_of(have)})" if have else NOT,
               verdict_of(mean(have) >= 2.5 if have else None, have and min(have) > 1.05), {
                   "weaker": "The scan of all levels, which Enterprise makes in each level, and its strided reads cost less on a current GPU.",
                   "contradicted": "The scan of all levels, which Enterprise makes in each level, costs little on a current GPU."})  # fmt: skip
    page.claim("XBFS is faster than Tigr, Gunrock and Ligra", "section 6.1, Table 2", "means 4.9x, 11.2x, 6.1x", "-", "not testable",
               "Their programs are not run.")  # fmt: skip
    page.claim("XBFS is the fastest on every graph", "section 6.1, Table 2", "10 of 10", f"{best} of {len(have)} against Enterprise's form and `expand-contract`",
               verdict_of(best == len(have) if have else None, best > len(have) / 2), "Tigr, Gunrock and Ligra are not run.")  # fmt: skip


def steps(lines, labels):
    """{graph: {step: line}} of the graphs that have all of these steps."""
    found = {name: {label: lines.job(f"xbfs/step/{name}/{label}") for label in labels} for name in NAMES}
    found = {name: each for name, each in found.items() if all(each.values())}
    for each in found.values():
        alike(each.values())
    return found


def speeds(page, lines, folder, item, title, labels, base, means, text):
    """A figure of speeds over the step `base`, and its table. means: {heading: the paper's mean}. Returns {heading: values}."""
    page.heading(f"{item}: {title}")
    found = steps(lines, dict.fromkeys((base, *labels)))
    if not found:
        page.missing(item, "no graph has all its lines `xbfs/step/...` in the files.")
        return {}
    series = {head: [ratio(each[base], each[label]) for each in found.values()] for label, head in zip(labels, means)}
    used = [line for each in found.values() for line in each.values()]
    plot = "xbfs-" + item.lower().replace(". ", "")
    plots.bars(folder, plot, f"Speed over {base}", "times as fast", list(found), series, FOOTER + machines(used), line=1, means=means)
    page.figure(plot, f"{title}: speed over {base}")
    rows = []
    for i, (name, each) in enumerate(found.items()):
        marks = [" (tie)" if is_tie(each[base], each[label]) else "" for label in labels]
        rows.append([name, timed(each[base])] + [f"{series[head][i]:.2f}{mark}" for head, mark in zip(means, marks)])
    rows.append(["mean", ""] + [f"{mean(values):.2f}" for values in series.values()])
    rows.append(["published mean", ""] + [f"{value:g}" for value in means.values()])
    page.table(["graph", f"{base}, ms", *means], rows)
    page.paragraph(f"{text} {provenance(used)}")
    return series


def gather_speeds(line):
    """The speed of atomics over the prefix sum by size, of a line of bench_gather."""
    return [each["prefix_ms"] / each["atomic_ms"] for each in line["sizes"]]


def figure5(page, lines, folder):
    page.heading("Fig. 5: atomics against a prefix sum")
    found = {density: lines.job(f"xbfs/fig5/{density}") for density in DENSITIES}
    found = {density: line for density, line in found.items() if line}
    if not found:
        page.missing("Fig. 5", "no line `xbfs/fig5/...` is in the files.")
        return
    xs = [each["elements"] >> 20 for each in next(iter(found.values()))["sizes"]]
    series = {f"{density / 10:g} % marked": gather_speeds(line) for density, line in found.items()}
    plots.curves(folder, "xbfs-fig5", "Time of the prefix sum / time of atomics; below 1: the prefix sum is faster", "times as fast", "millions (2^20) of elements", series,
                 "An array of 32-bit words, marked by a fixed hash: no graph, no seed. " + machines(found.values()), log=True,
                 xs=xs, logx=True, line=1)  # fmt: skip
    page.figure("xbfs-fig5", "Speed of gathering by atomics over gathering by a prefix sum, by size and density")
    others = {gpu: {head: lines.job(line["job"], gpu) for head, line in zip(series, found.values())} for gpu in lines.others()}
    others = {gpu: theirs for gpu, theirs in others.items() if all(theirs.values())}
    page.table(["marked"] + [f"{x} M" for x in xs] + ["mean"] + [f"mean, {gpu}" for gpu in others],
               [[head] + [f"{x:.2f}" for x in values] + [f"{mean(values):.2f}"] + [f"{mean(gather_speeds(theirs[head])):.2f}" for theirs in others.values()]
                for head, values in series.items()])  # fmt: skip
    means = {head: mean(values) for head, values in series.items()}
    wins = [head for head, value in means.items() if value > 1]
    page.paragraph(f"""Times as fast as the prefix sum; below 1 the prefix sum is faster. Atomics are faster on average with {", ".join(wins) or "no density that was run"}.
        Both methods are in bench/micro/bench_gather.cu; medians of 9 runs; the queues have the same elements. The paper has means of
        {", ".join(f"{value} on a {name}" for name, value in XBFS_FIG5.items())} and does not state how many elements are marked. {provenance([*found.values(), *(line for theirs in others.values() for line in theirs.values())])}""")  # fmt: skip
    page.claim("enqueuing by atomics is faster than by a prefix sum (Observation 1)", "section 4.1, Fig. 5", "1.7x (V100) to 5.2x (K80)",
               f"{range_of(means.values(), '{:.2f}')}x by density; above 1: {', '.join(wins) or 'none'}",
               verdict_of(len(wins) == len(means), bool(wins)), {
                   "weaker": "It holds where few elements are marked: all atomics meet at one tail, so that their time grows with the marked elements.",
                   "contradicted": "All atomics meet at one tail, whose rate has grown less than the bandwidth for scans; the published trend (5.2 to 1.7) agrees."})  # fmt: skip


def passes(lines, gpu=None):
    found = {name: lines.job(f"xbfs/pass/{name}", gpu) for name in NAMES}
    return {name: line for name, line in found.items() if line and "early" in line}


def figure9(page, lines, folder):
    page.heading("Fig. 9: degrees and work")
    found = passes(lines)
    if not found:
        page.missing("Fig. 9", "no line `xbfs/pass/...` is in the files.")
        return
    parts = {name: [(1 << d, 1 << w, count) for d, w, count in line["checks"]] for name, line in found.items()}
    plots.clouds(folder, "xbfs-fig9", "Unvisited vertices of the first bottom-up pass", "degree", "edges checked", parts,
                 f"Classes of powers of two; the gray line: all edges. {FOOTER.replace('Four random sources', 'One random source')}{machines(found.values())}")  # fmt: skip
    page.figure("xbfs-fig9", "Edges checked by degree, first bottom-up pass")
    rows, shares = [], []
    for name, line in found.items():
        high = [(d, w, count) for d, w, count in line["checks"] if d >= 6]
        few = sum(count for d, w, count in high if w <= 2)
        whole = sum(count for _, _, count in high)
        shares.append(few / whole if whole else None)
        most = max(line["checks"], key=lambda each: each[1])
        rows.append([name, line["pass"] + 1, f"{whole:,}", f"{few / whole * 100:.0f} %" if whole else "-", f"{1 << most[1]} to {(2 << most[1]) - 1}"])
    page.table(["graph", "level that is found", "unvisited of degree 64 and more", "of them with fewer than 8 checks", "most checks"], rows)
    page.paragraph(f"""The checks that the pass makes by definition: the neighbors of an unvisited vertex in order, until one is of the
        level before. Counted from the levels that the device found. {provenance(found.values())}""")  # fmt: skip
    page.claim("a majority of vertices of high degree do little work bottom-up (Observation 3)", "section 5.1, Fig. 9", "a plot",
               f"{mean(shares) * 100:.0f} % of those of degree 64 and more check fewer than 8 edges" if mean(shares) is not None else NOT,
               verdict_of(mean(shares) > 0.5 if mean(shares) is not None else None, True), "A vertex of high degree has a parent among its first neighbors.")  # fmt: skip


def early_shares(found):
    """Percent of the next level that the first asynchronous pass visits, by graph."""
    return [line["early"] / line["next_level"] * 100 for line in found.values() if line["next_level"]]


def figure10(page, lines, folder):
    page.heading("Fig. 10: vertices visited early")
    found = {name: line for name, line in passes(lines).items() if line["next_level"]}
    if not found:
        page.missing("Fig. 10", "no line `xbfs/pass/...` is in the files.")
        return
    shares = early_shares(found)
    others = {gpu: early_shares(passes(lines, gpu)) for gpu in lines.others()}
    others = {gpu: theirs for gpu, theirs in others.items() if len(theirs) == len(shares)}
    plots.bars(folder, "xbfs-fig10", "Share of the next level that the first asynchronous pass visits", "percent", list(found), {"share": shares},
               FOOTER.replace("Four random sources", "One random source") + machines(found.values()), means={"share": XBFS_FIG10})  # fmt: skip
    page.figure("xbfs-fig10", "Share of the next level that an asynchronous pass visits")
    page.table(["graph", "vertices of the next level", "visited early", *(f"share, {gpu}" for gpu in (lines.gpu, *others))],
               [[name, f"{line['next_level']:,}", f"{line['early']:,}", *(f"{share:.0f} %" for share in each)]
                for (name, line), *each in zip(found.items(), shares, *others.values())]
               + [["mean", "", "", *(f"{mean(each):.0f} %" for each in (shares, *others.values()))],
                  ["published mean", "", "", f"{XBFS_FIG10} %", *("" for _ in others)]])  # fmt: skip
    theirs = [line for gpu in others for line in passes(lines, gpu).values()]
    page.paragraph("Counted on the device, by the build of `make counting`. " + provenance([*found.values(), *theirs]))
    page.claim("the first asynchronous pass visits nearly the whole next level", "section 5.2, Fig. 10", "mean 88 % (40 to >99)",
               f"mean {mean(shares):.0f} % ({range_of(shares, '{:.0f}')})" + "".join(f"; {gpu}: {mean(each):.0f} %" for gpu, each in others.items()), verdict_of(mean(shares) >= 75, mean(shares) >= 30), {
                   "weaker": "Lemma 3 counts on vertices being visited one after the other; an H200 has up to 270,000 of them in flight at once, which do not see each other's levels.",
                   "contradicted": "Lemma 3 counts on vertices being visited one after the other; an H200 has up to 270,000 of them in flight at once."})  # fmt: skip


def figure11(page, lines, folder):
    series = speeds(page, lines, folder, "Fig. 11", "the techniques, one after the other", ("adaptive", "warp", "async"), "baseline", XBFS_FIG11,
                    "Ad: adaptive queues; WB: warp-centric balancing; Async: asynchronous passes.")  # fmt: skip
    if not series:
        return
    here = [mean(values) for values in series.values()]
    page.claim("the three techniques together", "section 6.2, Fig. 11", "2.3x, 3.1x, 3.5x", ", ".join(times_as_fast(x) for x in here),
               verdict_of(here[2] >= 2.5, here[2] > 1.05), "The first step saves scans of all levels and strided reads, which cost less on this GPU; balancing bottom-up gains as published; asynchrony gains nothing.")  # fmt: skip
    found = steps(lines, ("warp", "async"))
    ties = sum(is_tie(each["warp"], each["async"]) for each in found.values())
    gain = mean([ratio(each["warp"], each["async"]) for each in found.values()])
    page.claim("asynchrony gains up to 20 %", "section 1.2, Fig. 11", "1.13x on average", f"{times_as_fast(gain)}; {ties} of {len(found)} are ties",
               verdict_of(gain >= 1.07, gain >= 1.02), {
                   "contradicted": "Few edge checks are saved (Fig. 15), and the vertices visited early must be enqueued separately.",
                   "weaker": "Few edge checks are saved (Fig. 15)."})  # fmt: skip


def figure12(page, lines, folder):
    page.heading("Fig. 12: top-down and bottom-up")
    panels, used = {}, []
    for name in NAMES:
        found = {label: lines.job(f"xbfs/levels/{name}/{label}") for label in XBFS_SHARES}
        if not all(found.values()):
            continue
        alike(found.values())
        used += found.values()
        panels[name] = {label: [100 * (1 - run["pulled_ns"] / run["levels_ns"]) for run in line["runs"]] for label, line in found.items()}
    if not panels:
        page.missing("Fig. 12", "no graph has all its lines `xbfs/levels/...` in the files.")
        return
    series = {label: [mean(each[label]) for each in panels.values()] for label in XBFS_SHARES}
    errors = {label: [quartiles(each[label]) for each in panels.values()] for label in XBFS_SHARES}
    plots.bars(folder, "xbfs-fig12", "Share of the time spent top-down", "percent", list(panels), series, f"{FOOTER}Lines: quartiles of the sources. {machines(used)}",
               errors=errors, means=XBFS_FIG12)  # fmt: skip
    page.figure("xbfs-fig12", "Share of the time spent top-down, by step")
    rows = [[name] + [f"{mean(each[label]):.0f} %" for label in XBFS_SHARES] for name, each in panels.items()]
    rows.append(["mean"] + [f"{mean(values):.0f} %" for values in series.values()])
    rows.append(["published mean"] + [f"{value} %" for value in XBFS_FIG12.values()])
    page.table(["graph"] + [f"{label}, top-down" for label in XBFS_SHARES], rows)
    page.paragraph("From the times of the levels, means over the sources; async: all techniques. " + provenance(used))
    here = [mean(values) for values in series.values()]
    page.claim("adaptive queues leave top-down's share, balancing and asynchrony raise it", "section 6.2, Fig. 12", "30, 32, 43 %",
               ", ".join(f"{x:.0f} %" for x in here), verdict_of(abs(here[1] - here[0]) <= 5 and here[2] > here[1] + 3, here[2] > here[1] + 3), {
                   "weaker": "The later steps raise it as in the paper, but scan-free queues save more of top-down levels than the double-scan saves of bottom-up ones.",
                   "contradicted": "The share of top-down levels falls with every step."})  # fmt: skip


def figure13(page, lines, folder):
    page.heading("Fig. 13: what each method of queue generation adds")
    order = ("baseline", "scan-free", "single-scan", "no-queue", "adaptive")
    found = steps(lines, order)
    if not found:
        page.missing("Fig. 13", "no graph has all its lines `xbfs/step/...` in the files.")
        return
    series = {head: [] for head in XBFS_FIG13}
    for each in found.values():
        rest = [1 / ratio(each["baseline"], each[label]) for label in order]  # of the baseline's time
        for i, head in enumerate(XBFS_FIG13):
            series[head].append((rest[i] - rest[i + 1]) / (rest[0] - rest[-1]) * 100 if rest[0] - rest[-1] > 0.02 else None)
    used = [line for each in found.values() for line in each.values()]
    plots.bars(folder, "xbfs-fig13", "Share of the whole gain of adaptive queues", "percent", list(found), series, FOOTER + machines(used),
               line=0, means=XBFS_FIG13)  # fmt: skip
    page.figure("xbfs-fig13", "Share of the gain by each method of queue generation")
    rows = [[name] + [f"{series[head][i]:.0f} %" if series[head][i] is not None else "no gain" for head in XBFS_FIG13] for i, name in enumerate(found)]
    rows.append(["mean"] + [f"{mean(values) or 0:.0f} %" for values in series.values()])
    rows.append(["published mean"] + [f"{value:g} %" for value in XBFS_FIG13.values()])
    page.table(["graph", *XBFS_FIG13], rows)
    noisy = mean([noise(line) for line in used])
    page.paragraph(f"""Switched on one after the other, starting with Enterprise's queues: shares of the time saved by all four, as in
        the paper; negative: a loss. Repeating a run changes its time by ±{noisy * 100:.1f} %. {provenance(used)}""")  # fmt: skip
    here = {head: mean(values) or 0 for head, values in series.items()}
    top = max(here, key=here.get)
    page.claim("the optimized double-scan contributes most", "section 6.3, Fig. 13", "18 / 15.7 / 11.4 / 54.9 %",
               " / ".join(f"{x:.0f}" for x in here.values()) + " %", verdict_of(top == "double-scan", here["double-scan"] > 20), {
                   "weaker": "Scan-free queues alone lose in levels of many vertices, whose atomics meet at one tail; a single scan there saves most. The strided reads that the double-scan avoids hit a 50 MB L2.",
                   "contradicted": "Choosing between scan-free and single-scan queues saves more; the strided reads that the double-scan avoids hit a 50 MB L2."})  # fmt: skip


def figure14(page, lines, folder):
    series = speeds(page, lines, folder, "Fig. 14", "balancing bottom-up", ("static", "warp", "thread"), "adaptive", XBFS_FIG14,
                    "Over adaptive queues with a thread, warp or block by degree.")  # fmt: skip
    if not series:
        return
    here = [mean(values) for values in series.values()]
    page.claim("static, warp- and thread-centric balancing", "section 6.3, Fig. 14", "1.4x, 1.6x, 1.6x", ", ".join(times_as_fast(x) for x in here),
               verdict_of(here[0] > 1.2 and here[1] >= here[0] * 1.02, here[1] > 1.05), {
                   "weaker": "One thread per vertex is faster than sorting by degree, as in the paper, but fetching at runtime costs more than the imbalance that it removes: searches are short.",
                   "contradicted": "Fetching at runtime costs more than the imbalance that it removes: searches are short."})  # fmt: skip
    found = steps(lines, ("async", "donation"))
    slow = mean([ratio(each["donation"], each["async"]) for each in found.values()])
    page.claim("donating work within a warp slows down", "section 5.1", "1 to 5 % slower", f"{(slow - 1) * 100:+.1f} %" if slow else NOT,
               verdict_of(slow > 1.0 if slow else None, slow and slow > 0.98), "The test every five neighbors costs; few searches are long enough to share.")  # fmt: skip


def figure15(page, lines, folder):
    page.heading("Fig. 15: edges checked")
    found = steps(lines, ("warp", "async"))
    if not found:
        page.missing("Fig. 15", "no graph has both lines `xbfs/step/.../warp` and `.../async` in the files.")
        return
    checks = {name: [run_median(each[label], "edges_examined") for label in ("warp", "async")] for name, each in found.items()}
    series = {"synchronous": [100.0 for _ in found], "asynchronous": [b / a * 100 for a, b in checks.values()]}
    used = [line for each in found.values() for line in each.values()]
    plots.bars(folder, "xbfs-fig15", "Edges checked, of the synchronous traversal", "percent", list(found), series, FOOTER + machines(used),
               means={"asynchronous": 100 - XBFS_FIG15})  # fmt: skip
    page.figure("xbfs-fig15", "Edges checked, synchronous and asynchronous")
    spared = [(1 - b / a) * 100 for a, b in checks.values()]
    page.table(["graph", "synchronous", "asynchronous", "fewer"],
               [[name, f"{a:,.0f}", f"{b:,.0f}", f"{each:.1f} %"] for (name, (a, b)), each in zip(checks.items(), spared)]
               + [["mean", "", "", f"{mean(spared):.1f} %"], ["published mean", "", "", f"{XBFS_FIG15} %"]])  # fmt: skip
    page.paragraph("Of the whole traversal, medians over the sources. " + provenance(used))
    page.claim("asynchronous passes check fewer edges", "section 6.3, Fig. 15", "23.2 % fewer (1 to 51)", f"{mean(spared):.1f} % fewer ({range_of(spared)})",
               verdict_of(mean(spared) >= 15, mean(spared) >= 1), {
                   "weaker": "A vertex without a parent still checks all its edges; only its second pass is saved, and on R-MAT graphs few vertices need one.",
                   "contradicted": "On R-MAT graphs few vertices need a second pass."})  # fmt: skip


def figure16(page, lines, folder):
    page.heading("Fig. 16: platforms")
    others = lines.others()
    rows, series, used = [], {}, []
    for name in NAMES:
        here = lines.job(f"xbfs/step/{name}/async")
        there = {gpu: lines.job(f"xbfs/step/{name}/async", gpu) for gpu in others}
        if here and all(there.values()) and there:
            alike([here, *there.values()])
            used += [here, *there.values()]
            rows.append([name, timed(here)] + [timed(line) for line in there.values()]
                        + [times_as_fast(ratio(line, here)) + (" (tie)" if is_tie(here, line) else "") for line in there.values()])  # fmt: skip
            for gpu, line in there.items():
                series.setdefault(gpu, []).append(ratio(line, here))
    if not rows:
        page.missing("Fig. 16", "no line of another GPU is in the files: a run on a second platform draws it.")
        return
    plots.bars(folder, "xbfs-fig16", f"Time on the {' or the '.join(others)} / time on the {lines.gpu}", "times as long", [row[0] for row in rows], series,
               FOOTER + machines(used), line=1)  # fmt: skip
    page.figure("xbfs-fig16", "Times of the published form on several GPUs")
    page.table(["graph", f"{lines.gpu}, ms", *(f"{gpu}, ms" for gpu in others), *(f"{gpu} / {lines.gpu}" for gpu in others)],
               rows + [["geometric mean", ""] + [""] * len(others) + [times_as_fast(geometric_mean(series[gpu])) for gpu in others]])  # fmt: skip
    page.paragraph(f"""The published form on the same graphs from the same sources. The paper has {", ".join(f"{value:g} ({name})" for name, value in XBFS_FIG16.items())}
        times the speed of a K80 on average. {provenance(used)}""")  # fmt: skip
    gain = geometric_mean(series[others[0]])
    ties = sum("(tie)" in row[-1] for row in rows)
    page.claim("a newer GPU is faster on every graph", "section 6.4, Fig. 16", "1.8x, 2.3x, 4.1x over the K80", f"{lines.gpu} over {others[0]}: {gain:.2f}x ({range_of(series[others[0]], '{:.2f}')}; ties: {ties} of {len(rows)})",
               verdict_of(min(series[others[0]]) > 1 and ties == 0, gain > 1.02), "The two have the same multiprocessors; the H200 has 1.4 times the bandwidth, of which small levels use little.")  # fmt: skip


def draw(lines, folder):
    page = Page("xbfs", "XBFS: published and measured", """
        A. Gaihre, Z. Wu, F. Yao, H. Liu: XBFS: eXploring runtime optimizations for breadth-first search
        on GPUs, HPDC 2019. fringe's strategy is `xbfs`; its knobs switch each technique. The graphs are
        surrogates: R-MAT graphs of as many vertices and edges as the paper's, each edge in both directions.
        So compare the steps on one graph with each other, not with the paper's times. Milliseconds of
        the traversal, the graph on the device: medians, ± half the distance between the quartiles of all runs. The steps have
        the paper's form of all other techniques (Knobs). Written by `make bench-papers`.""")  # fmt: skip
    table1(page, lines)
    table2(page, lines)
    figure5(page, lines, folder)
    figure9(page, lines, folder)
    figure10(page, lines, folder)
    figure11(page, lines, folder)
    figure12(page, lines, folder)
    figure13(page, lines, folder)
    figure14(page, lines, folder)
    figure15(page, lines, folder)
    figure16(page, lines, folder)
    page.conclude("""Choosing the queue by level and pulling without sorting by degree gain as the paper says, by smaller factors. What depended on the
        cost of atomics and of strided reads on GPUs of 2014 to 2017 gains less: a prefix sum is faster than atomics unless few elements are marked, the optimized double-scan is the
        smaller part of the gain, and fetching vertices at runtime is slower than a fixed share. Asynchronous passes find less of the next level than published, because many more vertices are
        in flight at once, and save few checks on R-MAT graphs: they gain nothing.""")  # fmt: skip
    ran = {label: lines.job(f"xbfs/step/LJ/{label}") for label in XBFS_STEPS}
    page.knobs([(label, "xbfs", line["knobs"] if line else join(XBFS_STEPS[label], XBFS_BASE)) for label, line in ran.items()]
               + [("`xbfs` by default", "xbfs", "")])  # fmt: skip
    page.missing("Figs. 1 to 4 and 6 to 8", "drawings of the method, without measurements.")
    page.missing("Tigr, Gunrock, Ligra, Enterprise", "their programs are not run; Enterprise's queues and balancing are knobs of `xbfs`, Gunrock's ancestor B40C is `expand-contract`.")
    page.missing("K80, P6000, Titan Xp, V100", "these GPUs were not available.")
    return page


