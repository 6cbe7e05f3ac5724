"""The 2025 study: Tables 2 to 4, Figs. 5 and 6, occupancy."""

from . import graphs, plots
from .lines import graph_of, median_ms, provenance, short_where
from .page import NOT, Page, given, ms
from .published import STUDY_TABLE2, STUDY_TABLE3, STUDY_TABLE4

ROWS = ("simple", "queue", "scan", "scan-fused", "warp-merge", "coalesced-map")
SHORT = ("simple", "queue", "scan", "fused", "WM", "CM")
FOOT = "Four random sources (seed 0) that reach a tenth of the graph. "


def end_to_end(line):
    """Preparation (allocation and upload), traversal and download; the graph's making not counted."""
    kernel = median_ms(line)
    return None if kernel is None else kernel + (line["prepare_ns"] + line["download_ns"]) * 1e-6


def order(times):
    """'CM < WM < ...' of six times."""
    ranked = sorted((t, name) for t, name in zip(times, SHORT) if t)
    return " < ".join(name for _, name in ranked)


def stand_rows(lines, published, measure):
    """Two rows a graph: the text's and the measured."""
    rows, used = [], []
    for original, case in graphs.STUDY:
        found = [lines.case(case, row) for row in ROWS]
        used += found
        rows.append([original, "published"] + [given(x) for x in published[original]])
        words = graph_of(found[0]) if found[0] else "-"
        rows.append([words, "measured"] + [ms(measure(line)) if line else NOT for line in found])
    return rows, used


def merit(page, lines):
    """The order of merit of Table 2, graph by graph."""
    rows, same, both = [], 0, 0
    for original, case in graphs.STUDY:
        times = [median_ms(lines.case(case, row)) for row in ROWS]
        if not all(times):
            continue
        text = STUDY_TABLE2[original]
        first = SHORT[text.index(min(text))], SHORT[times.index(min(times))]
        both += 1
        same += first[0] == first[1]
        rows.append([original, order(text), order(times), "yes" if first[0] == first[1] else "no"])
    if rows:
        page.paragraph(
            f"Order of merit by Table 2 and as measured; the same row is fastest on {same} of {both} graphs."
        )
        page.table(["graph", "published", "measured", "same fastest"], rows)


def split(line):
    """Where the time of one line goes, in ms; making the graph is not part of it."""
    return {
        "kernels": median_ms(line),
        "upload": line["upload_ns"] * 1e-6,
        "other preparation": (line["prepare_ns"] - line["upload_ns"]) * 1e-6,
        "download": line["download_ns"] * 1e-6,
    }


def figure5(page, lines, folder):
    panels, used = {}, []
    for original, case in graphs.STUDY:
        found = [(row, lines.case(case, row)) for row in ROWS]
        found = [(row, line) for row, line in found if median_ms(line)]
        used += [line for _, line in found]
        if found:
            panels[original] = {SHORT[ROWS.index(row)]: split(line) for row, line in found}
    page.heading("Fig. 5: end to end, split")
    if not panels:
        page.missing("Fig. 5", "no line of the suite `bfs` is in the files.")
        return
    foot = f"Generated graphs, seed 1 (see the table). {FOOT}{short_where(used)}"
    plots.panels(folder, "study-fig5", "End to end, stacked, log scale", "ms", panels, foot)
    page.figure("study-fig5", "End-to-end time of each row on each graph, split, log scale")
    page.paragraph("""Kernels at the bottom, then what else an end-to-end run takes, stacked on a log scale as
        in the text: heights add up, areas mislead. The load time (Table 3) is not in it. """ + provenance(used))  # fmt: skip


def figure6(page, lines, folder):
    labels, series, used = [], {row: [] for row in ROWS[1:]}, []
    for original, case in graphs.STUDY:
        base = median_ms(lines.case(case, "simple"))
        if not base:
            continue
        labels.append(original)
        for row in ROWS[1:]:
            line = lines.case(case, row)
            used.append(line)
            time = median_ms(line)
            series[row].append(base / time if time else None)
    page.heading("Fig. 6: speed relative to simple")
    if not labels:
        page.missing("Fig. 6", "no line of the suite `bfs` is in the files.")
        return
    foot = f"Generated graphs, seed 1 (see the table). {FOOT}{short_where(used)}"
    published = {
        row: [STUDY_TABLE2[name][0] / STUDY_TABLE2[name][i] for name in labels] for i, row in enumerate(ROWS) if i > 0
    }
    plots.bars(folder, "study-fig6", "Kernel time of simple / kernel time of the row", "times as fast", labels, series,
               foot, log=True, line=1, published=published)  # fmt: skip
    page.figure("study-fig6", "Speed of each row relative to simple, by kernel time")
    page.paragraph(provenance(used))


def occupancy(page, lines):
    page.heading("Occupancy")
    found = [(row, lines.job(f"study/occupancy/{row}")) for row in ROWS]
    if not any(line for _, line in found):
        page.missing("Occupancy", "no line `study/occupancy/...` is in the files.")
        return
    page.paragraph("""Threads that fit on a multiprocessor at once over those it can hold, for each kernel as
        launched (the text has the achieved share by Nsight Compute, at most 66.67 % there; here it is
        the bound that registers, shared memory and block size set, by the CUDA occupancy API).""")  # fmt: skip
    rows = []
    for row, line in found:
        for kernel in line["kernel_list"] if line else []:
            rows.append([f"`{row}`", kernel["name"], kernel["block"], kernel["launches"],
                         kernel["blocks_per_multiprocessor"], f"{kernel['occupancy'] * 100:.0f} %"])  # fmt: skip
    page.table(["row", "kernel", "block", "launches", "blocks a multiprocessor", "occupancy"], rows)
    line = next(line for _, line in found if line)
    page.paragraph(f"{graph_of(line)}. {provenance(line for _, line in found)}")


def table4(page, lines):
    page.heading("Table 4: Gunrock and GSWITCH")
    page.paragraph("""Published, and beside it what fringe's `auto` takes on the graph that stands for it:
        kernels, then end to end without making the graph. The text's end-to-end times of Gunrock and
        GSWITCH include reading the file, its words on kron_g500-logn21 (92.3 ms) contradict its table.
        Neither program was run here; `make bench-peers` runs Gunrock where it is installed.""")  # fmt: skip
    rows, used = [], []
    for original, case in graphs.STUDY:
        if original in STUDY_TABLE4:
            line = lines.case(case, "auto")
            used.append(line)
            both = [ms(median_ms(line)), ms(end_to_end(line)) if line else NOT]
            rows.append([original] + [given(x) for x in STUDY_TABLE4[original]] + both)
    heads = [
        "graph",
        "Gunrock kernel",
        "end to end",
        "GSWITCH kernel",
        "end to end",
        "`auto` kernel",
        "end to end",
    ]
    page.table(heads, rows)
    page.paragraph(provenance(used))


def draw(lines, folder):
    page = Page("study", "The 2025 study: published and measured", """
        Performance Optimization of GPU Breadth-First Search Algorithm, 2025. Published on an RTX 4070,
        source 0, mean of five runs. SimpleBFS to Scan_CM are fringe's rows `simple`, `queue`, `scan`,
        `scan-fused`, `warp-merge` and `coalesced-map`. Measured: medians over four random sources (seed
        0) that reach a tenth of the graph, on the generated graph whose kind, size and degrees are
        nearest (the text's files are not fetched), so rows of one graph compare with each other, not
        with the text's. Milliseconds. Written by `make bench-papers`.""")  # fmt: skip
    heads = ["graph", "", "SimpleBFS", "QueueBFS", "ScanBFS", "Scanfused", "Scan_WM", "Scan_CM"]
    page.heading("Table 2: kernel time")
    rows, used = stand_rows(lines, STUDY_TABLE2, median_ms)
    page.table(heads, rows)
    page.paragraph("Kernel time is the traversal on the device, launches and waiting included. " + provenance(used))
    merit(page, lines)
    page.heading("Table 3: end to end")
    rows, used = stand_rows(lines, STUDY_TABLE3, end_to_end)
    for i, (_, case) in enumerate(graphs.STUDY):  # the load time surrogates apart
        line = lines.case(case, "simple")
        rows[2 * i].append("-")
        rows[2 * i + 1].append(ms(line["load_ns"] * 1e-6) if line else NOT)
    page.table(heads + ["load"], rows)
    page.paragraph("""Allocation, upload, kernels and download. The load time, that of making the graph from
        its generator on the host, surrogates apart and is in no other column: the text's own differences
        from Table 2 (15 ms for 182 M edges) leave no room for reading a file either. """ + provenance(used))  # fmt: skip
    figure5(page, lines, folder)
    figure6(page, lines, folder)
    table4(page, lines)
    occupancy(page, lines)
    return page
