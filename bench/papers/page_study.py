"""The 2025 study: Tables 2 to 4, Figs. 5 and 6, occupancy."""

from . import graphs, plots
from .lines import graph_of, median_ms, provenance, short_where
from .page import NOT, Page, given, ms
from .published import STUDY_TABLE2, STUDY_TABLE3, STUDY_TABLE4

ROWS = ("simple", "queue", "scan", "scan-fused", "warp-merge", "coalesced-map")
SHORT = ("simple", "queue", "scan", "fused", "WM", "CM")
FOOT = "Four random sources (seed 0) that reach a tenth of the graph. "


def end_to_end(line):
    """Preparation (allocation and upload), traversal and download; without making the graph."""
    kernel = median_ms(line)
    return None if kernel is None else kernel + (line["prepare_ns"] + line["download_ns"]) * 1e-6


def order(times):
    """'CM < WM < ...' of six times."""
    ranked = sorted((t, name) for t, name in zip(times, SHORT) if t)
    return " < ".join(name for _, name in ranked)


def stand_rows(lines, published, measure):
    """Two rows per graph: published and measured."""
    rows, used = [], []
    for original, case in graphs.STUDY:
        found = [lines.case(case, row) for row in ROWS]
        used += found
        rows.append([original, "published"] + [given(x) for x in published[original]])
        words = graph_of(found[0]) if found[0] else "-"
        rows.append([words, "measured"] + [ms(measure(line)) if line else NOT for line in found])
    return rows, used


def merit(page, lines):
    """The ranking of Table 2 on each graph."""
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
            f"Ranking in Table 2 and as measured; the same strategy is fastest on {same} of {both} graphs."
        )
        page.table(["graph", "published", "measured", "same fastest"], rows)


def split(line):
    """The parts of the time of one line, in ms, without making the graph."""
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
    page.figure("study-fig5", "End-to-end time of each strategy on each graph, split, log scale")
    page.paragraph("""Kernels at the bottom, then the other parts of an end-to-end run, stacked on a log
        scale as in the paper: heights add up, areas mislead. The load time (Table 3) is not included. """ + provenance(used))  # fmt: skip


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
    plots.bars(folder, "study-fig6", "Kernel time of simple / kernel time of the strategy", "times as fast", labels, series,
               foot, log=True, line=1, published=published)  # fmt: skip
    page.figure("study-fig6", "Speed of each strategy relative to simple, by kernel time")
    page.paragraph(provenance(used))


def occupancy(page, lines):
    page.heading("Occupancy")
    found = [(row, lines.job(f"study/occupancy/{row}")) for row in ROWS]
    if not any(line for _, line in found):
        page.missing("Occupancy", "no line `study/occupancy/...` is in the files.")
        return
    page.paragraph("""Resident threads per multiprocessor divided by the maximum, for each kernel as
        launched. The paper has the achieved occupancy of Nsight Compute, at most 66.67 %; here it is the
        bound of registers, shared memory and block size, by the CUDA occupancy API.""")  # fmt: skip
    rows = []
    for row, line in found:
        for kernel in line["kernel_list"] if line else []:
            rows.append([f"`{row}`", kernel["name"], kernel["block"], kernel["launches"],
                         kernel["blocks_per_multiprocessor"], f"{kernel['occupancy'] * 100:.0f} %"])  # fmt: skip
    page.table(["strategy", "kernel", "block", "launches", "blocks per multiprocessor", "occupancy"], rows)
    line = next(line for _, line in found if line)
    page.paragraph(f"{graph_of(line)}. {provenance(line for _, line in found)}")


def table4(page, lines):
    page.heading("Table 4: Gunrock and GSWITCH")
    page.paragraph("""Published times, and the times of fringe's `auto` on the surrogate: kernels, then end
        to end without making the graph. The end-to-end times of Gunrock and GSWITCH in the paper include
        reading the file; its text on kron_g500-logn21 (92.3 ms) contradicts its table. Neither program was
        run here; `make bench-peers` runs Gunrock if it is installed.""")  # fmt: skip
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
        source 0, mean of five runs. SimpleBFS to Scan_CM are fringe's strategies `simple`, `queue`, `scan`,
        `scan-fused`, `warp-merge` and `coalesced-map`. Measured: medians over four random sources (seed
        0) that reach a tenth of the graph, on surrogates: generated graphs whose kind, size and degrees are
        closest to the paper's. So the strategies on one graph compare with each other, not with the paper's
        times. Milliseconds. Written by `make bench-papers`.""")  # fmt: skip
    heads = ["graph", "", "SimpleBFS", "QueueBFS", "ScanBFS", "Scanfused", "Scan_WM", "Scan_CM"]
    page.heading("Table 2: kernel time")
    rows, used = stand_rows(lines, STUDY_TABLE2, median_ms)
    page.table(heads, rows)
    page.paragraph("Kernel time is the traversal on the device, including launches and waiting. " + provenance(used))
    merit(page, lines)
    page.heading("Table 3: end to end")
    rows, used = stand_rows(lines, STUDY_TABLE3, end_to_end)
    for i, (_, case) in enumerate(graphs.STUDY):  # the load time is separate
        line = lines.case(case, "simple")
        rows[2 * i].append("-")
        rows[2 * i + 1].append(ms(line["load_ns"] * 1e-6) if line else NOT)
    page.table(heads + ["load"], rows)
    page.paragraph("""Allocation, upload, kernels and download. The load time, which is that of generating
        the graph on the host, is in no other column: the differences from Table 2 in the paper (15 ms for
        182 M edges) are too small to include reading a file. """ + provenance(used))  # fmt: skip
    figure5(page, lines, folder)
    figure6(page, lines, folder)
    table4(page, lines)
    occupancy(page, lines)
    return page
