"""UIUC-BFS (Luo, Wong, Hwu, DAC 2010): Tables 1 to 3."""

from . import graphs
from .lines import graph_of, median_ms, provenance
from .page import Page, given, ms, ratio
from .published import UIUC

TABLES = [
    ("t1", "Table 1: regular graphs", graphs.UIUC_REGULAR,
     "Grids in which an inner vertex has degree 6; the source is at the center, as in the paper."),
    ("t2", "Table 2: road networks", graphs.UIUC_ROADS,
     "The surrogates of the DIMACS files are flat grids of as many vertices, 70 % of the edges kept (mean degree 2.8): "
     "road-like, but not those roads. Four random sources."),
    ("t3", "Table 3: scale-free graphs", graphs.UIUC_SCALE_FREE,
     "Generated as in the paper: 0.1 % of the vertices have degree 1000, the others 6 on average. Four random sources."),
]  # fmt: skip
ROWS = ("simple", "serial", "hier-queue")
# cases of the suite for the graphs of a table, for files without the jobs of this paper
SUITE = {"t1/1M": "grid6-1M", "t1/10M": "grid6-10M", "t3/1M": "scale-free-1M"}


def find(lines, item, label, row):
    """(the line, is it from the suite?)."""
    found = lines.job(f"uiuc-bfs/{item}/{label}/{row}")
    if found:
        return found, False
    return lines.case(SUITE.get(f"{item}/{label}"), row), True


def row_of(lines, item, label, published):
    """A row of a table, and its lines."""
    found = {row: find(lines, item, label, row) for row in ROWS + ("auto",)}
    times = {row: median_ms(line) for row, (line, _) in found.items()}
    any_line = next((line for line, _ in found.values() if line), None)
    star = "*" if any(line and suite for line, suite in found.values()) else ""
    row = [label + star, graph_of(any_line) if any_line else "-"]
    row += [given(x) for x in published] + [f"{published[1] / published[2]:.1f}"]
    row += [
        ms(times["simple"]),
        ms(times["serial"]),
        ms(times["hier-queue"]),
        ratio(times["serial"], times["hier-queue"]),
    ]
    return row + [ms(times["auto"])], [line for line, _ in found.values()]


def draw(lines, _plots):
    page = Page("uiuc-bfs", "UIUC-BFS: published and measured", """
        L. Luo, M. Wong, W. Hwu: An effective GPU implementation of breadth-first search, DAC 2010.
        Published on a GeForce GTX 280 and an Opteron of 2.4 GHz. IIIT-BFS is fringe's strategy `simple`,
        CPU-BFS is `serial` on one core, UIUC-BFS is `hier-queue`; Sp. is CPU-BFS / UIUC-BFS.
        Milliseconds of the traversal, the graph on the device; medians. Written by `make bench-papers`.""")  # fmt: skip
    for item, title, labels, text in TABLES:
        page.heading(title)
        page.paragraph(text)
        heads = [
            "#vertices" if item != "t2" else "network",
            "surrogate",
            "IIIT-BFS",
            "CPU-BFS",
            "UIUC-BFS",
            "Sp.",
        ]
        heads += ["`simple`", "`serial`", "`hier-queue`", "Sp.", "`auto`"]
        rows, used = [], []
        for label in labels:
            row, found = row_of(lines, item, label, UIUC[item][label])
            rows.append(row)
            used += found
        page.table(heads, rows)
        page.paragraph("Columns 3 to 6 are published, the others measured. " + provenance(used))
        if any(row[0].endswith("*") for row in rows):
            page.paragraph("*: from the suite `bfs`: random sources, not the center; medians of four.")
        if any("not measured" in row for row in rows):
            page.missing(
                title, "where a cell says so: the job `uiuc-bfs/" + item + "/...` has no line in the files."
            )
    return page
