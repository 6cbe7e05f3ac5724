"""UIUC-BFS (Luo, Wong, Hwu, DAC 2010): Tables 1 to 3."""

import numpy as np

from . import graphs
from .jobs import HIER_FORM
from .lines import alike, graph_of, provenance, ratio
from .page import NOT, Page, given, range_of, timed, times_as_fast, verdict_of
from .published import UIUC

TABLES = [
    ("t1", "Table 1: regular graphs", graphs.UIUC_REGULAR,
     "Grids in which an inner vertex has degree 6; the source is at the center, as in the paper."),
    ("t2", "Table 2: road networks", graphs.UIUC_ROADS,
     "The surrogates of the DIMACS files are flat grids of as many vertices, 70 % of the edges kept (mean degree 2.8; "
     "the paper's graphs have 2): road-like, but not those roads. Random sources."),
    ("t3", "Table 3: scale-free graphs", graphs.UIUC_SCALE_FREE,
     "Generated as in the paper: 0.1 % of the vertices have degree 1000, the others 6 on average. Random sources."),
]  # fmt: skip
ROWS = ("simple", "serial", "published", "hier-queue", "auto")
HEADS = ["surrogate", "IIIT-BFS", "CPU-BFS", "UIUC-BFS", "Sp.", "`simple`", "`serial`", "`hier-queue`, published form",
         "Sp.", "`hier-queue`", "Sp.", "`auto`"]  # fmt: skip


def found_of(lines, item, label):
    found = {row: lines.job(f"uiuc-bfs/{item}/{label}/{row}") for row in ROWS}
    alike(found.values())
    return found


def row_of(found, label, published):
    any_line = next((line for line in found.values() if line), None)
    row = [label, graph_of(any_line) if any_line else "-"]
    row += [given(x) for x in published] + [f"{published[1] / published[2]:.1f}"]
    row += [timed(found["simple"]), timed(found["serial"])]
    for form in ("published", "hier-queue"):
        row += [timed(found[form]), times_as_fast(ratio(found["serial"], found[form]))]
    return row + [timed(found["auto"])]


def grid_argument(page):
    """Which grid of degree 6 the paper has: its IIIT-BFS times against level counts."""
    vertices = np.array([1, 2, 5, 7, 9, 10], dtype=float)
    published = np.array([each[0] for each in UIUC["t1"].values()])
    words = []
    for name, levels in (("two dimensions", (vertices * 1e6) ** (1 / 2)), ("three", 1.5 * (vertices * 1e6) ** (1 / 3))):
        design = np.stack([levels, levels * vertices], axis=1)
        fit, *_ = np.linalg.lstsq(design / published[:, None], np.ones(len(vertices)), rcond=None)
        off = np.abs(design @ fit / published - 1).max()
        words.append(f"in {name} {fit[0] * 1e3:.0f} + {fit[1] * 1e3:.0f} V us, off by at most {off * 100:.0f} %")
    page.paragraph(f"""The paper does not say whether its grid has two dimensions or three. IIIT-BFS tests every
        vertex on every level, so that its published times should be the number of levels times a + b V (V in
        millions); the best fits per level are {"; ".join(words)}. A negative cost of a launch is impossible:
        the grid is flat.""")  # fmt: skip


def claims(page, found):
    """found: {item: {label: {row: line}}}."""

    def speed(item, below, above="serial"):
        return [ratio(each[above], each[below]) for each in found[item].values()]

    def slower(item):
        values = [x for x in speed(item, "simple") if x]
        return (sum(x < 1 for x in values), len(values)) if values else (None, 0)

    regular = speed("t1", "published")
    fast = all(x > 1 for x in regular) if all(regular) else None
    page.claim("UIUC-BFS is faster than CPU-BFS on all regular graphs", "section 4, Table 1", "2.2 to 10.3 times",
               range_of(regular) + " times", verdict_of(fast), {
                   "reproduced": "A current core against a current GPU gives factors of the same size.",
                   "contradicted": "The published form is slower at some size."})  # fmt: skip
    ends = (regular[0], regular[-1]) if regular and regular[0] and regular[-1] else None
    page.claim("the gain grows with the graph", "section 4, Table 1", "2.2 at 1M, 10.3 at 10M",
               f"{ends[0]:.1f} at 1M, {ends[1]:.1f} at 10M" if ends else NOT,
               verdict_of(ends and ends[1] > 1.5 * ends[0], ends and ends[1] > 1.1 * ends[0]), {
                   "reproduced": "Levels get wider, so that their fixed cost counts less.",
                   "weaker": "Levels get wider, but their fixed cost is small already at 1M."})  # fmt: skip
    for item, place in (("t1", "Table 1"), ("t2", "Table 2")):
        lost, count = slower(item)
        page.claim("IIIT-BFS is slower than CPU-BFS", f"section 4, {place}", f"on {len(UIUC[item])} of {len(UIUC[item])}",
                   f"on {lost} of {count}" if count else NOT, verdict_of(lost == count if count else None, count and lost > 0), {
                       "reproduced": "Testing all vertices on every level costs more than a queue on one core.",
                       "weaker": "The sweep over all vertices is far cheaper on an HBM GPU (the cost of a level fell more than that of a core); it is slower only on the small graphs.",
                       "contradicted": "The sweep over all vertices of a level profits from the bandwidth of today's GPUs, one core does not."})  # fmt: skip
    roads = speed("t2", "published")
    page.claim("UIUC-BFS is faster than CPU-BFS on road networks", "section 4, Table 2", "2.0 to 5.6 times",
               range_of(roads) + " times", verdict_of(all(x > 1 for x in roads) if all(roads) else None),
               "Surrogates, not the DIMACS files: the factor is that of road-like graphs.")  # fmt: skip
    free = speed("t3", "published")
    page.claim("on scale-free graphs its time is close to CPU-BFS's or longer", "section 4, Table 3", "0.5 to 1.0 times as fast",
               range_of(free, "{:.0f}") + " times as fast", verdict_of(all(x < 1.5 for x in free) if all(free) else None),
               "The split vertices balance well on a GPU that hides the random reads; one core waits for each of them: "
               "the generated graph has no locality.")  # fmt: skip
    over = speed("t3", "published", "simple")
    page.claim("on scale-free graphs it is much faster than IIIT-BFS", "section 4, Table 3", "1.6 to 4.7 times", range_of(over) + " times",
               verdict_of(all(x > 1.3 for x in over) if all(over) else None, all(x > 1 for x in over if x)),
               {"reproduced": "Splitting vertices of degree 1000 balances the threads.",
                "weaker": "Splitting still helps, but less the larger the graph is.",
                "contradicted": "The sweep is as fast as the queue on graphs of few wide levels."})  # fmt: skip


def draw(lines, _plots):
    page = Page("uiuc-bfs", "UIUC-BFS: published and measured", """
        L. Luo, M. Wong, W. Hwu: An effective GPU implementation of breadth-first search, DAC 2010.
        Published on a GeForce GTX 280 and an Opteron of 2.4 GHz. IIIT-BFS is fringe's strategy `simple`,
        CPU-BFS is `serial` on one core, UIUC-BFS is `hier-queue`: in the published form (Knobs) and as fringe
        runs it by default. Sp. is CPU-BFS / UIUC-BFS, over the sources that both have. Milliseconds of
        the traversal, the graph on the device: medians, ± half the distance between the quartiles of all
        runs. Written by `make bench-papers`.""")  # fmt: skip
    everything = {}
    for item, title, labels, text in TABLES:
        page.heading(title)
        page.paragraph(text)
        found = everything[item] = {label: found_of(lines, item, label) for label in labels}
        page.table(["network" if item == "t2" else "#vertices", *HEADS],
                   [row_of(found[label], label, UIUC[item][label]) for label in labels])  # fmt: skip
        used = [line for each in found.values() for line in each.values()]
        page.paragraph("Columns 3 to 6 are published, the others measured. " + provenance(used))
        if item == "t1":
            grid_argument(page)
    claims(page, everything)
    page.conclude("""The paper's techniques, queues in fast memory and kernels that run many levels, gain on this GPU
        as it did on the GTX 280, and by similar factors over one core. Its claims about other programs do not hold: a sweep over all
        vertices of a level, IIIT-BFS, was limited by bandwidth, of which an H200 has far more, and random reads of a scale-free graph stall a core, not a GPU.""")  # fmt: skip
    page.knobs([("`simple`", "simple", ""), ("`serial`", "serial", ""),
                ("`hier-queue`, published form", "hier-queue", HIER_FORM), ("`hier-queue`", "hier-queue", ""),
                ("`auto`", "auto", "")])  # fmt: skip
    page.missing("Matrix BFS [3]", "the paper names it without a time; fringe's `spmv` is it.")
    page.missing("Figs. 1 to 4", "drawings of the method, without measurements.")
    return page
