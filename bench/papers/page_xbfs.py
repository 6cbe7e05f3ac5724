"""XBFS (Gaihre, Wu, Yao, Liu, HPDC 2019): Table 2, Figs. 5 and 9 to 15."""

from . import graphs, plots
from .jobs import XBFS_SHARES
from .lines import graph_of, median_ms, provenance, run_median, short_where
from .page import NOT, Page, given, ms
from .published import XBFS_TABLE2

FOOT = "Generated surrogates of the named graphs, seed 1 (Table 2). Four random sources, seed 1. "


def table2(page, lines):
    page.heading("Table 2: times")
    rows, used = [], []
    for surrogate in graphs.XBFS:
        name = surrogate.original
        found = [lines.job(f"xbfs/t2/{name}/{row}") for row in ("xbfs", "auto")]
        used += found
        line = found[0] or found[1]
        words = graph_of(line) if line else f"`{surrogate.description}`"
        rows.append(
            [f"{name} ({graphs.XBFS_NAMES[name]})"]
            + ["OOM" if x is None else given(x) for x in XBFS_TABLE2[name]]
        )
        rows[-1] += [words] + [ms(median_ms(x)) for x in found]
    heads = [
        "graph",
        "XBFS",
        "Enterprise",
        "Tigr",
        "Gunrock",
        "surrogate",
        "`xbfs` measured",
        "`auto` measured",
    ]
    page.table(heads, rows)
    page.paragraph("Published on a Quadro P6000. " + provenance(used))
    if not all(used):
        page.missing("Table 2", "where a cell says so: the job `xbfs/t2/...` has no line in the files.")


def steps(lines, labels):
    """{graph: {step: line}} of the graphs that have all of these steps."""
    found = {
        name: {label: lines.job(f"xbfs/step/{name}/{label}") for label in labels}
        for name in graphs.XBFS_PARTS
    }
    return {name: each for name, each in found.items() if all(each.values())}


def speeds(page, lines, folder, item, title, labels, base, words, text):
    """A figure of speeds over the step `base`, and its table."""
    page.heading(title)
    found = steps(lines, [base] + [label for label in labels if label != base])
    if not found:
        page.missing(item, "no graph has all its lines `xbfs/step/...` in the files.")
        return
    series = {
        word: [median_ms(each[base]) / median_ms(each[label]) for each in found.values()]
        for label, word in zip(labels, words)
    }
    used = [line for each in found.values() for line in each.values()]
    plot = "xbfs-" + item.lower().replace(". ", "")
    plots.bars(
        folder, plot, title, f"times as fast as {base}", list(found), series, FOOT + short_where(used), line=1
    )
    page.figure(plot, title)
    rows = [
        [name, ms(median_ms(each[base]))] + [f"{series[word][i]:.2f}" for word in words]
        for i, (name, each) in enumerate(found.items())
    ]
    page.table(["graph", f"{base}, ms"] + list(words), rows)
    page.paragraph(text + " " + provenance(used))


def figure12(page, lines, folder):
    page.heading("Fig. 12: top-down and bottom-up")
    panels, used = {}, []
    for name in graphs.XBFS_PARTS:
        found = {label: lines.job(f"xbfs/levels/{name}/{label}") for label in XBFS_SHARES}
        if not all(found.values()):
            continue
        used += found.values()
        panels[name] = {}
        for label, line in found.items():
            up = sum(x["ns"] for x in line["level_list"] if x["method"] == "bottom-up")
            whole = sum(x["ns"] for x in line["level_list"])
            panels[name][label] = (whole - up) / whole * 100 if whole else 0
    if not panels:
        page.missing("Fig. 12", "no graph has all its lines `xbfs/levels/...` in the files.")
        return
    series = {label: [each[label] for each in panels.values()] for label in XBFS_SHARES}
    foot = FOOT.replace("Four random sources", "One random source") + short_where(used)
    plots.bars(
        folder, "xbfs-fig12", "Share of the time spent top-down", "percent", list(panels), series, foot
    )
    page.figure("xbfs-fig12", "Share of the time spent top-down, by step")
    page.table(["graph"] + [f"{label}, top-down" for label in XBFS_SHARES],
               [[name] + [f"{each[label]:.0f} %" for label in XBFS_SHARES] for name, each in panels.items()])  # fmt: skip
    page.paragraph("""From the times of the levels of a run with `--explain`. The paper has means of 30, 32
        and 43 percent top-down for the baseline, with adaptive queues, and with all techniques. """ + provenance(used))  # fmt: skip


def figure13(page, lines, folder):
    page.heading("Fig. 13: effect of each method of queue generation")
    order = ("baseline", "scan-free", "single-scan", "no-queue", "adaptive")
    words = ("scan-free", "single-scan", "no queue", "double-scan")
    found = steps(lines, order)
    if not found:
        page.missing("Fig. 13", "no graph has all its lines `xbfs/step/...` in the files.")
        return
    series = {word: [] for word in words}
    for each in found.values():
        times = [median_ms(each[label]) for label in order]
        for i, word in enumerate(words):
            series[word].append((times[i] - times[i + 1]) / times[0] * 100)
    used = [line for each in found.values() for line in each.values()]
    plots.bars(
        folder,
        "xbfs-fig13",
        "Time saved, percent of the baseline",
        "percent",
        list(found),
        series,
        FOOT + short_where(used),
        line=0,
    )
    page.figure("xbfs-fig13", "Time saved by each method of queue generation")
    page.table(
        ["graph"] + list(words),
        [[name] + [f"{series[w][i]:.1f} %" for w in words] for i, name in enumerate(found)],
    )
    page.paragraph("""Switched on one after the other, starting with the baseline (Enterprise's double
        scan): saved time in percent of the baseline, negative for a loss. The paper has 18, 15.7, 11.4 and
        54.9 percent of the total gain on average. """ + provenance(used))  # fmt: skip


def figure15(page, lines, folder):
    page.heading("Fig. 15: edges checked")
    found = steps(lines, ("warp", "async"))
    if not found:
        page.missing("Fig. 15", "no graph has both lines `xbfs/step/.../warp` and `.../async` in the files.")
        return
    series = {
        word: [run_median(each[label], "edges_examined") / 1e6 for each in found.values()]
        for label, word in (("warp", "synchronous"), ("async", "asynchronous"))
    }
    used = [line for each in found.values() for line in each.values()]
    plots.bars(folder, "xbfs-fig15", "Edges checked", "millions", list(found), series, FOOT + short_where(used),
               xlabel="graph")  # fmt: skip
    page.figure("xbfs-fig15", "Edges checked, synchronous and asynchronous")
    rows = []
    for i, name in enumerate(found):
        a, b = series["synchronous"][i], series["asynchronous"][i]
        rows.append([name, f"{a * 1e6:,.0f}", f"{b * 1e6:,.0f}", f"{(1 - b / a) * 100:.1f} %"])
    page.table(["graph", "synchronous", "asynchronous", "fewer"], rows)
    page.paragraph(
        "Of the whole traversal, medians over the sources; the paper has 23.2 % fewer on average (1 to 51 %). "
        + provenance(used)
    )


def figure5(page, lines, folder):
    page.heading("Fig. 5: atomics against a prefix sum")
    found = {1 << k: lines.job(f"xbfs/fig5/{1 << (20 + k)}") for k in range(10)}
    found = {millions: line for millions, line in found.items() if line}
    if not found:
        page.missing("Fig. 5", "no line `xbfs/fig5/...` is in the files.")
        return
    speeds_of = [line["prefix_ms"] / line["atomic_ms"] for line in found.values()]
    line = next(iter(found.values()))
    what = (
        f"An array of 32-bit words, {line['permille'] / 10:g} % marked by a fixed hash (no graph, no seed). "
    )
    plots.bars(folder, "xbfs-fig5", "Gathering marked elements: prefix sum / atomics", "times as fast", list(map(str, found)),
               {"speed": speeds_of}, what + short_where(found.values()), line=1, xlabel="millions (2^20) of places")  # fmt: skip
    page.figure(
        "xbfs-fig5", "Speed of gathering by atomics over gathering by a prefix sum, by millions of elements"
    )
    rows = [[millions, ms(each["atomic_ms"]), ms(each["prefix_ms"]), f"{speed:.2f}"]
            for (millions, each), speed in zip(found.items(), speeds_of)]  # fmt: skip
    page.table(["millions (2^20)", "atomics, ms", "prefix sum, ms", "times as fast"], rows)
    page.paragraph(what + """Both methods are in bench/micro/bench_gather.cu; medians of 9 runs; the queues
        have the same elements. The paper has 5.2, 4.1, 2.5 and 1.7 on average on a K80, P6000, Titan Xp and
        V100, and does not state how many elements are marked. """
             + provenance(found.values()))  # fmt: skip


def counted(lines):
    """The lines of bench/papers/workload.py with a bottom-up level."""
    found = {name: lines.job(f"xbfs/fig9/{name}") for name in graphs.XBFS_PARTS}
    return {name: line for name, line in found.items() if line and line["pulled_level"] is not None}


HOST = "Counted on the host from levels and adjacency (bench/papers/workload.py), not on a GPU. "


def figure9(page, lines, folder):
    page.heading("Fig. 9: degrees and work")
    found = counted(lines)
    if not found:
        page.missing("Fig. 9", "no line `xbfs/fig9/...` is in the files (bench/papers_workload.py).")
        return
    degrees = [1 << k for k in range(max(line["bins"][-1]["degree"] for line in found.values()).bit_length())]
    series = {}
    for name, line in found.items():
        means = {each["degree"]: each["mean"] for each in line["bins"]}
        series[name] = [means.get(degree) for degree in degrees]
    series["all edges"] = degrees
    foot = "Generated surrogates of the named graphs, seed 1 (Table 2). One random source, seed 1. " + HOST
    foot += short_where(found.values())
    plots.curves(folder, "xbfs-fig9", "Edges checked per vertex in the first bottom-up level", "edges, mean",
                 "degree, 2 to the power of", series, foot, log=True)  # fmt: skip
    page.figure("xbfs-fig9", "Mean number of edges checked per vertex, by degree")
    rows = []
    for name, line in found.items():
        top = line["bins"][-1]
        middle = min(line["bins"], key=lambda each: abs(each["degree"] - 64))
        rows.append([name, line["pulled_level"]])
        rows[-1] += [
            f"{middle['mean']:.1f} ({middle['percentile99']:.0f})" if middle["degree"] == 64 else "-"
        ]
        rows[-1] += [f"{top['degree']} and more", f"{top['mean']:.1f}", f"{top['max']:,}"]
    heads = [
        "graph",
        "first bottom-up level",
        "degree 64-127: mean (99 %)",
        "highest degrees",
        "mean",
        "max",
    ]
    page.table(heads, rows)
    page.paragraph(HOST + """As in the paper, the work is not proportional to the degree: a vertex of high
        degree finds a parent early. The paper plots single vertices. """ + provenance(found.values()))  # fmt: skip


def figure10(page, lines, folder):
    page.heading("Fig. 10: vertices visited early")
    found = {name: line for name, line in counted(lines).items() if line["next_level"]}
    if not found:
        page.missing("Fig. 10", "no line `xbfs/fig9/...` is in the files (bench/papers_workload.py).")
        return
    shares = [line["settled_early"] / line["next_level"] * 100 for line in found.values()]
    foot = "Generated surrogates of the named graphs, seed 1 (Table 2). One random source, seed 1. " + HOST
    foot += short_where(found.values())
    plots.bars(folder, "xbfs-fig10", "Share of the next level that one pass in queue order visits", "percent",
               list(found), {"share": shares}, foot)  # fmt: skip
    page.figure("xbfs-fig10", "Share of the next level that an asynchronous pass visits, modeled")
    rows = [[name, f"{line['next_level']:,}", f"{line['settled_early']:,}", f"{share:.0f} %"]
            for (name, line), share in zip(found.items(), shares)]  # fmt: skip
    page.table(["graph", "vertices of the next level", "settled early", "share"], rows)
    page.paragraph(HOST + """A model, not a measurement: a pass in queue order, which visits a vertex of the
        next level if a neighbor of the current level precedes it in the queue (the model of Lemma 3 of the
        paper). A device processes many vertices at once. The paper measured 88 % on average. """ + provenance(found.values()))  # fmt: skip


def parts(page, lines):
    """Lines of single knobs, measured before the steps above."""
    if not lines.parts:
        return
    page.heading("One part at a time")
    names = list(dict.fromkeys(line["graph"]["name"] for line in lines.parts))
    settings = list(dict.fromkeys(line["knobs_given"] for line in lines.parts))
    times = {(line["graph"]["name"], line["knobs_given"]): min(line["medians_ms"]) for line in lines.parts}
    rows = []
    for knobs in settings:
        rows.append([f"`{knobs}`" if knobs else "all as by default"])
        for name in names:
            time = times.get((name, knobs))
            rows[-1].append(f"{time:.3f} ({time / times[name, '']:.2f}x)" if time else NOT)
    page.table(["knobs given"] + [graph_of({"graph": {"name": name}}) + ", ms" for name in names], rows)
    page.paragraph("""Each knob alone against the default: the better of two medians over 16 sources (seed
        1), and its ratio to the time of the default. The second row is the baseline of the paper. The lines
        were written without a commit; the page has the commit that was checked out, and only comments
        changed up to the next one. """
             + provenance(lines.parts))  # fmt: skip


def draw(lines, folder):
    page = Page("xbfs", "XBFS: published and measured", """
        A. Gaihre, Z. Wu, F. Yao, H. Liu: XBFS: eXploring runtime optimizations for breadth-first search
        on GPUs, HPDC 2019. fringe's strategy is `xbfs`; its knobs switch each technique. The graphs are
        surrogates: R-MAT graphs of as many vertices and edges as the paper's, each edge in both directions.
        So the steps on one graph compare with each other, not with the paper's times. Milliseconds of
        the traversal, the graph on the device; medians. The steps follow the paper:
        `levels_per_sync=1,batch=1,donate=0` throughout. Written by `make bench-papers`.""")  # fmt: skip
    table2(page, lines)
    figure5(page, lines, folder)
    figure9(page, lines, folder)
    figure10(page, lines, folder)
    speeds(page, lines, folder, "Fig. 11", "Fig. 11: the techniques, one after the other", ("adaptive", "warp", "async"), "baseline",
           ("Ad", "Ad + WB", "Ad + WB + Async"), "The paper has 2.3, 3.1 and 3.5 on average over its ten graphs.")  # fmt: skip
    figure12(page, lines, folder)
    figure13(page, lines, folder)
    speeds(page, lines, folder, "Fig. 14", "Fig. 14: balancing bottom-up", ("static", "warp", "thread"), "adaptive",
           ("static", "warp-centric", "thread-centric"),
           "Over the adaptive queues with a thread, warp or block by degree; the paper has 1.4, 1.6 and 1.6 on average over the "
           "baseline.")  # fmt: skip
    figure15(page, lines, folder)
    parts(page, lines)
    return page
