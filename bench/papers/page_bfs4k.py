"""BFS-4K (Busato, Bombieri, TPDS 2015): Tables 1 and 2, Figs. 13, 14 and 15."""

from . import graphs, plots
from .jobs import BFS4K_DUPLICATES, BFS4K_STEPS
from .lines import graph_of, median_ms, provenance, short_where
from .page import NOT, Page, given, ms
from .published import BFS4K_TABLE1, BFS4K_TABLE2

# column of the paper -> strategy of fringe
ROWS = {
    "Harish [4]": "simple", "edge parallel [7]": "edge-parallel", "virtual warp [5]": "virtual-warp",
    "Luo [15]": "hier-queue", "Garland [16]": "expand-contract", "BFS-4K": "bfs4k",
}  # fmt: skip
FOOT = "Four random sources (seed 0) that reach a tenth of the graph. "


def facts_row(line):
    if not line:
        return [NOT] * 7
    return [
        f"{line['n'] * 1e-6:.2g}", f"{line['m'] * 1e-6:.3g}", f">= {line['diameter_lower_bound']}",
        f"{line['degree_mean']:.1f}", f"{line['degree_stddev']:.1f}", line["degree_max"], graph_of(line),
    ]  # fmt: skip


def table1(page, lines):
    page.heading("Table 1: the graphs")
    rows, used = [], []
    for original, *_ in graphs.BFS4K:
        line = lines.job(f"bfs-4k/t1/{original}")
        used.append(line)
        rows.append([original, "published"] + [given(x) for x in BFS4K_TABLE1[original]])
        found = facts_row(line)
        rows.append([found[6], "surrogate"] + found[:6])
    heads = ["graph", "", "V, M", "E, M", "diameter", "mean degree", "deviation", "greatest degree"]
    page.table(heads, rows)
    page.paragraph("""E counts stored edges, an undirected one twice. The paper calls its last column mode;
        its values are those of a maximum degree. Diameters are lower bounds from a few traversals. The
        statistics do not depend on a device. """ + provenance(used))  # fmt: skip
    if not all(used):
        page.missing("Table 1", "where a cell says so: the job `bfs-4k/t1/...` has no line in the files.")


def virtual_warp(lines, case):
    """(ms, width, line) of the best width that was run; the run of the suite has width 4."""
    found = [(median_ms(lines.case(case, "virtual-warp")), 4, lines.case(case, "virtual-warp"))]
    for width in (1, 2, 8, 16, 32):
        line = lines.job(f"bfs-4k/width/{case}/{width}")
        found.append((median_ms(line), width, line))
    found = [each for each in found if each[0]]
    return min(found, key=lambda each: each[0]) if found else (None, 4, None)


def measured(lines, case):
    """{column: ms} and the lines."""
    times, used = {}, []
    for column, row in ROWS.items():
        line = lines.case(case, row)
        times[column] = median_ms(line)
        used.append(line)
    times["virtual warp [5]"], width, line = virtual_warp(lines, case)
    return times, width, used + [line]


def cell(x):
    return f"{given(x[0])} (W{x[1]})" if isinstance(x, tuple) else given(x)


def table2(page, lines):
    page.heading("Table 2: times")
    rows, used, first, count = [], [], 0, 0
    for original, case, *_ in graphs.BFS4K:
        times, width, found = measured(lines, case)
        used += found
        rows.append([original, "published"] + [cell(x) for x in BFS4K_TABLE2[original]])
        line = next((x for x in found if x), None)
        shown = [ms(t) + (f" (W{width})" if c == "virtual warp [5]" and t else "") for c, t in times.items()]
        rows.append([graph_of(line) if line else "-", "measured"] + shown)
        if all(times.values()):
            count += 1
            first += min(times, key=times.get) == "BFS-4K"
    page.table(["graph", ""] + list(ROWS), rows)
    alone = [name for name, case, *_ in graphs.BFS4K if not lines.job(f"bfs-4k/width/{case}/32")]
    widths = "the best of 1, 2, 4, 8, 16 and 32"
    if len(alone) == len(graphs.BFS4K):
        widths = "width 4 only; the other widths were not run"
    elif alone:
        widths += f"; only width 4 was run on {', '.join(alone)}"
    page.paragraph(f"""BFS-4K is the fastest of these on all 18 graphs in the paper, and here on {first} of
        the {count} that all strategies finished. Static virtual warps: {widths}. Garland's
        `expand-contract` also ran on the first set, for which the paper has no times. """ + provenance(used))  # fmt: skip


def entries_by_level(lines):
    """{strategy: {level: entries}}, aligned at the deepest level, where all strategies end."""
    return {
        label: {
            line["runs"][0]["levels"] - 1 - back: level["frontier"]
            for back, level in enumerate(reversed(line["level_list"]))
        }
        for label, line in lines.items()
        if line.get("level_list")
    }  # fmt: skip


def figure13(page, lines, folder):
    page.heading("Fig. 13: duplicates")
    counts = {label: lines.job(f"bfs-4k/fig13/{label}/count") for label in BFS4K_DUPLICATES}
    if not any(counts.values()):
        page.missing("Fig. 13", "no line `bfs-4k/fig13/...` is in the files.")
        return
    page.paragraph("""Duplicates of virtual warps of size 4 with racing stores (`claim=0`): without
        detection, with hash64 as in the paper, with hash64 by an atomic exchange (the default of fringe),
        and for comparison the tables of [16] in `expand-contract`. Found: rejected duplicates; missed:
        duplicates that entered a queue; conflicts: the slot had another vertex. Counted on the device by
        the build of `make counting` (`--counters`), timed without counters.""")  # fmt: skip
    rows = []
    for label, line in counts.items():
        got = line.get("counters", {}) if line else {}
        cells = [
            f"{got[k]:,}" if k in got else "-" for k in ("duplicates_found", "duplicates_missed", "conflicts")
        ]
        rows.append([label] + cells + [ms(median_ms(lines.job(f"bfs-4k/fig13/{label}/time")))])
    page.table(["detection", "found", "missed", "conflicts", "ms"], rows)
    used = list(counts.values())
    entries = entries_by_level({label: line for label, line in counts.items() if line})
    if entries:
        levels = sorted(set.intersection(*(set(each) for each in entries.values())))
        series = {label: [each[level] / 1e3 for level in levels] for label, each in entries.items()}
        foot = f"{graph_of(next(x for x in used if x))}. One source, seed 1. {short_where(used)}"
        plots.bars(folder, "bfs-4k-fig13", "Frontier with duplicates, by detection", "thousands of queue entries",
                   [str(level) for level in levels], series, foot, xlabel="level")  # fmt: skip
        page.figure("bfs-4k-fig13", "Entries of the frontier per level, by how duplicates are detected")
        page.paragraph("""Levels that every strategy reports separately: `bfs4k` runs the first ones in one
        launch of one block.""")  # fmt: skip
    page.paragraph(provenance(used))


def figure14(page, lines, folder):
    page.heading("Fig. 14: effect of each technique")
    found = {label: lines.job(f"bfs-4k/fig14/{label}") for label in BFS4K_STEPS}
    serial = lines.job("bfs-4k/fig14/serial")
    rows = {"Harish [4]": "simple", "Jia [7]": "edge-parallel"}
    others = {label: lines.job(f"bfs-4k/fig14/{row}") for label, row in rows.items()}
    everything = {**others, **found}
    if not any(found.values()):
        page.missing("Fig. 14", "no line `bfs-4k/fig14/...` is in the files.")
        return
    base = median_ms(serial) or median_ms(others["Harish [4]"])
    against = "one core (`serial`)" if serial else "`simple`"
    speeds = [base / median_ms(line) if line and base else None for line in everything.values()]
    used = list(everything.values()) + [serial]
    line = next(x for x in used if x)
    foot = f"{graph_of(line)}. Four random sources, seed 1. {short_where(used)}"
    plots.bars(
        folder,
        "bfs-4k-fig14",
        f"Speed over {against.replace('`', '')}",
        "times as fast",
        list(everything),
        {"speed": speeds},
        foot,
    )
    page.figure("bfs-4k-fig14", f"Speed over {against}, one technique after the other")
    page.table(["", "ms", f"times as fast as {against}"],
               [[label, ms(median_ms(x)), f"{s:.1f}" if s else NOT] for (label, x), s in zip(everything.items(), speeds)])  # fmt: skip
    page.paragraph(
        "Each step includes the ones before it; `claim=0,persistent=0` as in the paper, except for the last. "
        + provenance(used)
    )


def published_speeds(originals):
    """{column: [speed relative to Harish's, per graph]} from Table 2 of the paper."""
    rows = [[x[0] if isinstance(x, tuple) else x for x in BFS4K_TABLE2[name]] for name in originals]
    return {
        column: [None if isinstance(row[i], str) else row[0] / row[i] for row in rows]
        for i, column in enumerate(ROWS)
        if i > 0
    }


def figure15(page, lines, folder):
    labels, series, used = [], {column: [] for column in ROWS}, []
    for original, case, *_ in graphs.BFS4K:
        times, _, found = measured(lines, case)
        if not times["Harish [4]"]:
            continue
        used += found
        labels.append(original)
        for column, time in times.items():
            series[column].append(times["Harish [4]"] / time if time else None)
    page.heading("Fig. 15: speed")
    if not labels:
        page.missing("Fig. 15", "no line of the suite `bfs` is in the files.")
        return
    series.pop("Harish [4]")
    foot = f"Generated surrogates of the named graphs, seed 1 (Table 1). {FOOT}{short_where(used)}"
    plots.bars(folder, "bfs-4k-fig15", "Speed over Harish [4]", "times as fast", labels, series, foot, log=True, line=1,
               published=published_speeds(labels))  # fmt: skip
    page.figure("bfs-4k-fig15", "Speed of each strategy over Harish's, by Table 2")
    page.paragraph(
        "From Table 2. The paper does not name the baseline of its speeds; here it is Harish's, the strategy `simple`. "
        + provenance(used)
    )


def draw(lines, folder):
    page = Page("bfs-4k", "BFS-4K: published and measured", """
        F. Busato, N. Bombieri: BFS-4K: an efficient implementation of BFS for Kepler GPU architectures,
        IEEE TPDS 2015. Published on a GeForce GTX 780. Its comparators are fringe's strategies `simple`
        (Harish), `edge-parallel` (Jia), `virtual-warp` (Hong), `hier-queue` (Luo, UIUC-BFS) and
        `expand-contract` (Merrill, Garland, Grimshaw). The graphs are surrogates: generated ones whose
        kind, size and degrees are closest to the paper's. So the strategies on one graph compare with each
        other, not with the paper's times. Milliseconds of the traversal, the graph on the device; medians over four
        random sources (seed 0) that reach a tenth of the graph. Written by `make bench-papers`.""")  # fmt: skip
    table1(page, lines)
    table2(page, lines)
    figure13(page, lines, folder)
    figure14(page, lines, folder)
    figure15(page, lines, folder)
    return page
