"""H-BF (Busato, Bombieri, TPDS 2016): Tables 1 to 3, Figs. 8 and 9."""

from . import graphs, plots
from .lines import graph_of, median_ms, mteps, provenance, run_median, short_where
from .page import NOT, Page, given, ms
from .page_bfs4k import facts_row
from .published import HBF_TABLE1, HBF_TABLE2, HBF_TABLE3

ROWS = {
    "Bellman-Ford": "bellman-ford", "Dijkstra": "dijkstra", "LoneStar": "topology-bf",
    "Workfront Sweep": "workfront-sweep", "Near-Far": "near-far", "H-BF": "hbf",
}  # fmt: skip


def table1(page, lines):
    page.heading("Table 1: the graphs")
    rows, used = [], []
    for surrogate in graphs.HBF + graphs.HBF_NEGATIVE:
        line = lines.job(f"h-bf/t1/{surrogate.original}")
        used.append(line)
        v, e, mean, deviation, most, diameter = HBF_TABLE1[surrogate.original]
        rows.append(
            [surrogate.original, "published"] + [given(x) for x in (v, e, diameter, mean, deviation, most)]
        )
        found = facts_row(line)
        rows.append([found[6], "surrogate"] + found[:6])
    page.table(["graph", "", "V, M", "E, M", "diameter", "mean degree", "deviation", "greatest degree"], rows)
    page.paragraph("E counts stored edges. The statistics do not depend on a device. " + provenance(used))
    if not all(used):
        page.missing("Table 1", "where a cell says so: the job `h-bf/t1/...` has no line in the files.")


def pair(line):
    return f"{ms(median_ms(line))} ({mteps(line):.3g})" if median_ms(line) else NOT


def table2(page, lines):
    page.heading("Table 2: time and rate")
    rows, used = [], []
    for surrogate in graphs.HBF:
        published = HBF_TABLE2[surrogate.original]
        sequential, boost, lonestar, davidson, hbf = (f"{given(a)} ({given(b)})" for a, b in published)
        rows.append(
            [surrogate.original, "published", sequential, boost, lonestar, davidson, "(same column)", hbf]
        )
        found = [lines.job(f"h-bf/t2/{surrogate.original}/{row}") for row in ROWS.values()]
        used += found
        line = next((x for x in found if x), None)
        rows.append([graph_of(line) if line else "-", "measured"] + [pair(x) for x in found])
    page.table(["graph", ""] + list(ROWS), rows)
    page.paragraph("""Milliseconds (millions of edges a second). The paper has Workfront Sweep and Near-Far
        Pile in one column. Measured rates count the edges of the reached component, an undirected one once,
        as in Graph500, and are harmonic means over the sources; the paper counts the edges of the file.
        Weights are random integers in 1..255; the paper does not describe its weights. The first two
        columns run on one core of the host each, up to six of them at a time. """ + provenance(used))  # fmt: skip
    if not all(used):
        page.missing("Table 2", "where a cell says so: the job `h-bf/t2/...` has no line in the files.")


def figure8(page, lines, folder):
    page.heading("Fig. 8: speed over the sequential Bellman-Ford")
    labels, used = [], []
    series = {column: [] for column in ROWS if column != "Bellman-Ford"}
    for surrogate in graphs.HBF:
        base = lines.job(f"h-bf/t2/{surrogate.original}/bellman-ford")
        if not base:
            continue
        labels.append(surrogate.original)
        used.append(base)
        for column in series:
            line = lines.job(f"h-bf/t2/{surrogate.original}/{ROWS[column]}")
            used.append(line)
            series[column].append(median_ms(base) / median_ms(line) if line else None)
    if not labels:
        page.missing("Fig. 8", "no line `h-bf/t2/.../bellman-ford` is in the files.")
        return
    published = {column: [] for column in series}
    for name in labels:
        base, *others = (time for time, _ in HBF_TABLE2[name])
        others.insert(3, None)  # Near-Far is in the column of Workfront Sweep in the paper
        for column, time in zip(published, others):
            published[column].append(base / time if time else None)
    foot = f"Generated surrogates of the named graphs, seed 1, weights 1..255 (Table 1). Random sources. {short_where(used)}"
    plots.bars(folder, "h-bf-fig8", "Speed over queue-based Bellman-Ford on one core", "times as fast", labels, series,
               foot, log=True, line=1, published=published)  # fmt: skip
    page.figure("h-bf-fig8", "Speed of each strategy over the sequential Bellman-Ford, published and measured")
    page.paragraph(provenance(used))


def wide(line):
    """The line with only the runs that reach 10^5 edges; the sources of the paper reach as many vertices."""
    runs = [run for run in (line or {}).get("runs", []) if run["reached_edges"] >= 1e5]
    return dict(line, runs=runs) if runs else line


def table3(page, lines):
    page.heading("Table 3: negative weights, and the effect of one technique")
    rows, used = [], []
    for surrogate in graphs.HBF_NEGATIVE:
        what, one, without, full = HBF_TABLE3[surrogate.original]
        rows.append([surrogate.original, "published", what, given(one), "-", given(without), f"{one / without:.1f}x", given(full),
                     f"{one / full:.1f}x"])  # fmt: skip
        keys = ("sequential", "plain", "without", "with")
        found = [wide(lines.job(f"h-bf/t3/{surrogate.original}/{key}")) for key in keys]
        used += found
        one, plain, without, full = map(median_ms, found)
        line = next((x for x in found if x), None)
        rows.append([graph_of(line) if line else "-", "measured", what, ms(one), ms(plain), ms(without),
                     f"{one / without:.1f}x" if one and without else NOT, ms(full),
                     f"{one / full:.1f}x" if one and full else NOT])  # fmt: skip
    page.table(
        ["graph", "", "technique", "one core", "H-BF, nothing", "without it", "speed", "with it", "speed"],
        rows,
    )
    page.paragraph("""Milliseconds. Some weights are negative, but no cycle is: random weights 0..255 plus the
        difference of random potentials 0..200 of the two ends (`--weights potential:0,255,200`; up to
        commit 9615e23 by a program that drew other random numbers), which makes every edge directed.
        "H-BF, nothing" has all techniques switched off, "without it" only this one. The 19 ms of the paper
        on wiki-talk are 17, and 2 of the closing kernels. Times include the checks for negative cycles and
        the parents, which the paper does not compute; sources that reach fewer than 10^5 edges are left
        out. Counts of one traversal show what a technique saves: edge classes 12.7 of 26.6 million relaxed
        edges and 4.7 of 8.3 million atomics, duplicate removal 916 of 1,695 million edges. The warp
        workload distributes frontiers of up to 200,000 vertices, at most three steps for each of the 8,448
        warps of this GPU; the GPU of the paper had 768. """ + provenance(used))  # fmt: skip
    if not all(used):
        page.missing("Table 3", "where a cell says so: the job `h-bf/t3/...` has no line in the files.")


def figure9(page, lines, folder):
    page.heading("Fig. 9: work")
    found = {
        "no queue": lines.job("h-bf/fig9/topology-bf"), "queue": lines.job("h-bf/t2/msdoor/bellman-ford"),
        "H-BF, nothing": lines.job("h-bf/fig9/plain"), "H-BF": lines.job("h-bf/fig9/hbf"),
        "Dijkstra": lines.job("h-bf/t2/msdoor/dijkstra"),
    }  # fmt: skip
    found = {label: line for label, line in found.items() if line}
    if not found:
        page.missing("Fig. 9", "no line `h-bf/fig9/...` is in the files.")
        return
    edges = [run_median(line, "edges_examined") for line in found.values()]
    lowered = [run_median(line, "relaxations") for line in found.values()]
    line = next(iter(found.values()))
    foot = f"{graph_of(line)}, surrogate for msdoor; weights 1..255. {short_where(found.values())}"
    series = {"edges relaxed": edges, "distances lowered": lowered}
    plots.bars(
        folder, "h-bf-fig9", "Work of one traversal", "operations", list(found), series, foot, log=True
    )
    page.figure("h-bf-fig9", "Edges relaxed and distances lowered in one traversal")
    atomics = [(x.get("counters") or {}).get("atomics") for x in found.values()]
    page.table(["", "edges relaxed", "distances lowered", "atomics"],
               [[a, f"{b:,.0f}", f"{c:,.0f}", "-" if d is None else f"{d:,}"] for a, b, c, d in zip(found, edges, lowered, atomics)])  # fmt: skip
    page.paragraph("""An edge is relaxed when the distance of its target is tested; the strategy without a
        queue is `topology-bf` on the GPU, whose rounds see some updates of the same round. Medians over the sources of each
        line. """ + provenance(found.values()))  # fmt: skip


def draw(lines, folder):
    page = Page("h-bf", "H-BF: published and measured", """
        F. Busato, N. Bombieri: An efficient implementation of the Bellman-Ford algorithm for Kepler GPU
        architectures, IEEE TPDS 27(8), 2016. Published on a GeForce GTX 780, means over 100 sources.
        Its comparators are fringe's strategies `bellman-ford` (queue-based, one core), `dijkstra` (a heap;
        in the paper Boost's), `topology-bf` (LoneStar), `workfront-sweep` and `near-far` (Davidson and
        others). The graphs are surrogates: generated ones whose kind, size and degrees are closest to the
        paper's. So the strategies on one graph compare with each other, not with the paper's times. Times are those of
        the traversal, the graph on the device. Written by `make bench-papers`.""")  # fmt: skip
    table1(page, lines)
    table2(page, lines)
    figure8(page, lines, folder)
    table3(page, lines)
    figure9(page, lines, folder)
    return page
