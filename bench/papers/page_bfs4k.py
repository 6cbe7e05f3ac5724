"""BFS-4K (Busato, Bombieri, TPDS 2015): Tables 1 and 2, Figs. 7 and 12 to 15."""

from . import facts, graphs, plots
from .jobs import BFS4K_FORM, BFS4K_ROWS, BFS4K_STEPS, BFS4K_VISITS, HIER_FORM, WIDTHS, bfs4k_published
from .lines import (
    alike,
    counter,
    fastest,
    geometric_mean,
    graph_of,
    machines,
    median_ms,
    provenance,
    quartiles,
    ratio,
    times,
)
from .page import NOT, Page, given, range_of, timed, times_as_fast, verdict_of
from .published import BFS4K_TABLE1, BFS4K_TABLE2

# columns of the paper, then fringe's forms of the two systems that it has improved
COLUMNS = ("Harish [4]", "edge parallel [7]", "virtual warp [5]", "Luo [15]", "Garland [16]", "BFS-4K")
FORMS = ("hier-queue", "bfs4k")
JOBS = {**BFS4K_ROWS, "Luo [15]": "hier-published", "BFS-4K": "published", "hier-queue": "hier-queue", "bfs4k": "bfs4k"}
FOOTER = "Four random sources that reach a tenth of the graph. "


def best_width(lines, name):
    """(the line of the fastest static virtual warps, their width)."""
    found = {width: lines.job(f"{name}/width-{width}") for width in WIDTHS}
    found = {width: line for width, line in found.items() if line}
    alike(found.values())
    if not found:
        return None, None
    width = min(found, key=lambda each: median_ms(found[each]))
    return found[width], width


def measured(lines, original):
    """{column: line} of a graph, and the width of the best static virtual warps."""
    name = f"bfs-4k/t2/{original}"
    found = {column: lines.job(f"{name}/{job}") for column, job in JOBS.items()}
    found["virtual warp [5]"], width = best_width(lines, name)
    alike(found.values())
    return {column: found.get(column) for column in COLUMNS + FORMS}, width


def cell(x):
    return f"{given(x[0])} (W{x[1]})" if isinstance(x, tuple) else given(x)


def published_time(x):
    x = x[0] if isinstance(x, tuple) else x
    return None if isinstance(x, str) else x


def table2(page, everything):
    page.heading("Table 2: times")
    rows, used = [], []
    for original, (found, width) in everything.items():
        used += found.values()
        rows.append([original, "published"] + [cell(x) for x in BFS4K_TABLE2[original]] + [""] * len(FORMS))
        shown = [timed(line) + (f" (W{width})" if column == "virtual warp [5]" and line else "")
                 for column, line in found.items()]  # fmt: skip
        line = next((x for x in found.values() if x), None)
        winners = fastest({c: found[c] for c in COLUMNS if found[c]}) if line else []
        rows.append(["", f"measured; fastest: {' = '.join(winners)}"] + shown)
    page.table(["graph", ""] + list(COLUMNS) + [f"`{form}` by default" for form in FORMS], rows)
    page.paragraph(f"""The surrogates are those of Table 1. The columns of the paper are run in the published
        form (Knobs); the last two are what fringe runs by default. Static virtual warps: the best of the
        widths {", ".join(map(str, WIDTHS))}, as in the paper. The fastest of the paper's columns are named,
        with those that tie with it: times that differ by less than repeating changes them, or by less than
        2 %. On europe.osm the slow columns ran from as many of the four sources as fit in 4 s. Garland's program does
        not read the first set of graphs (section 7). {provenance(used)}""")  # fmt: skip


def win_count(everything, column, others):
    """(graphs on which `column` is among the fastest of itself and `others`, graphs that have all)."""
    won, count = 0, 0
    for found, _ in everything.values():
        have = {name: found[name] for name in (column, *others)}
        if all(have.values()):
            count += 1
            won += column in fastest(have)
    return won, count


def figure7(page, lines, folder):
    page.heading("Fig. 7: one block or many, level by level")
    parts, used = {}, []
    for original in ("as-skitter", "roadNet-CA"):
        line = lines.job(f"bfs-4k/fig7/{original}")
        if line:
            parts[original] = phases_of(line)
            used.append(line)
    if not used:
        page.missing("Fig. 7", "no line `bfs-4k/fig7/...` is in the files.")
        return
    plots.phases(folder, "bfs-4k-fig7", "Frontier by level and the kernel that expands it", parts,
                 f"{'; '.join(map(graph_of, used))}. One source, seed 1. {machines(used)}")  # fmt: skip
    page.figure("bfs-4k-fig7", "Frontier by level, with the kernel that expands each level")
    shares = []
    for name, levels in parts.items():
        one = sum(method == "one-block" for _, method in levels)
        shares.append(f"{one} of {len(levels)} levels of {name}")
    page.paragraph(f"""The one-block kernel expands {" and ".join(shares)}. The published form, with claims
        by atomics (`claim=2`), so that an entry of the frontier is a vertex. The paper shows one example without naming the graph. {provenance(used)}""")  # fmt: skip


def phases_of(line):
    """[(frontier, method)] by level: a launch of many blocks is a level, one of one block the levels up to
    the next launch."""
    sizes = [size for size in line["frontiers"] if size]
    entries, found, level = line["level_list"], [], 0
    for i, entry in enumerate(entries):
        end = level + 1
        if entry["method"] == "one-block":
            after = entries[i + 1]["frontier"] if i + 1 < len(entries) else None
            end = next((k for k in range(level + 1, len(sizes)) if sizes[k] == after), len(sizes))
        found += [(size, entry["method"]) for size in sizes[level:end]]
        level = end
    return found


def entries_by_level(found):
    """{label: [entries a level]} of launches of one level each, aligned at the first."""
    return {label: [level["frontier"] for level in line["level_list"]] for label, line in found.items() if line}


def visits(lines, kind):
    found = {label: lines.job(f"bfs-4k/fig12/{label}/{kind}") for label in BFS4K_VISITS}
    alike(found.values())
    return found


NONE = "no duplicates (atomic claims)"


def figure12(page, lines, folder):
    page.heading("Fig. 12: frontier by visiting technique")
    counts = visits(lines, "count")
    if not counts.get(NONE):
        page.missing("Fig. 12", "no line `bfs-4k/fig12/...` is in the files.")
        return
    labels = ("VirtualWarp1", "VirtualWarp4", "VirtualWarp4 + Hash64", "EdgeDiscover", "EdgeDiscover + Hash64", NONE)
    entries = entries_by_level({label: counts[label] for label in labels})
    plain = entries[NONE]
    series = {label: [100 * max(each[i] / plain[i] - 1, 0) if i < len(each) else None for i in range(len(plain))]
              for label, each in entries.items() if label != NONE}  # fmt: skip
    used = list(counts.values())
    plots.curves(folder, "bfs-4k-fig12", "Duplicates in the frontier, percent of its vertices", "percent", "level",
                 series, f"{graph_of(counts[NONE])}. One source, seed 1. {machines(used)}")  # fmt: skip
    page.figure("bfs-4k-fig12", "Duplicates of the frontier by level and visiting technique, percent of its vertices")
    page.table(["level", *map(str, range(len(plain)))],
               [[label, *(f"{size:,}" for size in each)] for label, each in entries.items()])  # fmt: skip
    entries_of = {label: sum(each) for label, each in entries.items()}
    base = entries_of[NONE]
    page.table(["visit", "entries", "duplicates among them"],
               [[label, f"{n:,}", f"{max(n - base, 0) / n * 100:.2f} %"] for label, n in entries_of.items()])  # fmt: skip
    share = {label: max(entries_of[label] - base, 0) / entries_of[label] for label in entries_of}
    page.paragraph(f"""The paper plots the sizes of the frontier, whose curves coincide; the table above has
        them. Racing stores (`claim=0`), one launch a level, static virtual warps of 1 and 4; the
        paper's "sequential visit" is the row of atomic claims. {graph_of(counts[NONE])}; the paper does not name its graph. {provenance(used)}""")  # fmt: skip
    page.claim("larger virtual warps make more duplicates; edge-discover makes considerably fewer", "section 6, Fig. 12",
               "a plot without figures",
               f"width 1: {share['VirtualWarp1'] * 100:.1f} %, width 4: {share['VirtualWarp4'] * 100:.1f} %, "
               f"edge-discover: {share['EdgeDiscover'] * 100:.1f} % of the entries",
               verdict_of(share["VirtualWarp4"] > 1.05 * share["VirtualWarp1"] and share["EdgeDiscover"] < share["VirtualWarp4"] / 2,
                          share["VirtualWarp4"] > share["VirtualWarp1"] or share["EdgeDiscover"] < share["VirtualWarp4"]),
               "Duplicates come from all warps that are resident at once, which are about 11 times as many as on the GTX 780, "
               "whatever the visit.")  # fmt: skip


def figure13(page, lines, folder):
    page.heading("Fig. 13: duplicates found by each table")
    labels = ("VirtualWarp4", "VirtualWarp4 + table per warp [16]", "VirtualWarp4 + Hash64", "VirtualWarp4 + exchange")
    counts, timings = visits(lines, "count"), visits(lines, "time")
    if not all(counts.get(label) for label in (*labels, NONE)):
        page.missing("Fig. 13", "no line `bfs-4k/fig12/...` is in the files.")
        return
    rows, found_share = [], {}
    for label in labels:
        line = counts[label]
        found, missed, conflicts = (counter(line, key) or 0 for key in ("duplicates_found", "duplicates_missed", "conflicts"))
        found_share[label] = found / (found + missed) if found + missed else 0
        rows.append([label, f"{found:,}", f"{missed:,}", f"{found_share[label] * 100:.1f} %", f"{conflicts:,}",
                     timed(timings.get(label)), times_as_fast(ratio(timings.get(labels[0]), timings.get(label)))])  # fmt: skip
    page.table(["detection", "found", "missed", "found, share", "conflicts", "ms", "speed over none"], rows)
    entries = entries_by_level({label: counts[label] for label in (*labels, NONE)})
    base = entries.pop(NONE)
    series = {label: [max(each[i] - base[i], 0) / 1e3 if i < len(each) else None for i in range(len(base))]
              for label, each in entries.items()}  # fmt: skip
    used = [counts[label] for label in labels] + [timings[label] for label in labels]
    plots.bars(folder, "bfs-4k-fig13", "Duplicates in the frontier, by detection", "thousands of duplicates",
               [str(i) for i in range(len(base))], series,
               f"{graph_of(counts[NONE])}. One source, seed 1. {machines(used)}", xlabel="level")  # fmt: skip
    page.figure("bfs-4k-fig13", "Duplicates per level, by how they are detected")
    speed = ratio(timings["VirtualWarp4"], timings["VirtualWarp4 + Hash64"])
    page.paragraph(f"""All tables run in the same traversal: virtual warps of size 4 with racing stores on
        {graph_of(counts[NONE])}. No table; a table for each warp, as [16] divides it (measured with hash64's one word,
        where [16] writes vertex and lane apart); hash64, a table for the block; hash64 by an atomic exchange, which
        is fringe's. Found: rejected; missed: entered the queue; conflicts: the slot had another vertex. Counted by the
        build of `make counting`, timed by the plain one. {provenance(used)}""")  # fmt: skip
    text, other = found_share["VirtualWarp4 + Hash64"], found_share["VirtualWarp4 + table per warp [16]"]
    page.claim("hash64 finds more duplicates than the tables of [16]", "section 6, Fig. 13", "a plot without figures",
               f"{text * 100:.1f} % of the duplicates against {other * 100:.1f} %",
               verdict_of(text > 1.05 * other and text > 0.05, text > other), {
                   "reproduced": "One table for the block sees duplicates of different warps; most are of different blocks, which no table finds.",
                   "weaker": "Both miss nearly all: the duplicates are those of different blocks.",
                   "contradicted": "Both miss nearly all: the duplicates are those of different blocks, and threads no longer run in lock step between the write and the read back."})  # fmt: skip
    page.claim("detecting duplicates saves time", "sections 6 and 7, Figs. 13 and 14", "faster on average and at best",
               f"{speed:.2f} times as fast as without" if speed else NOT, verdict_of(speed and speed > 1.02, speed and speed > 0.98),
               {"reproduced": "Fewer entries are expanded again.",
                "weaker": "A tie: the test costs what it saves.",
                "contradicted": "The test costs more than the few duplicates that it finds."})  # fmt: skip


def figure14(page, lines, folder):
    page.heading("Fig. 14: effect of each technique")
    found = {label: lines.job(f"bfs-4k/fig14/{row}") for label, row in (("Harish [4]", "simple"), ("Jia [7]", "edge-parallel"))}
    found.update({label: lines.job(f"bfs-4k/fig14/{label}") for label in BFS4K_STEPS})
    serial = lines.job("bfs-4k/fig14/serial")
    if not serial or not found["virtual warps"]:
        page.missing("Fig. 14", "no line `bfs-4k/fig14/...` is in the files.")
        return
    speeds = {label: ratio(serial, line) for label, line in found.items()}
    errors = [tuple(sorted(median_ms(serial) / x for x in quartiles(times(line)))) if line else None for line in found.values()]
    used = [*found.values(), serial]
    footer = f"{graph_of(serial)}. {FOOTER}Lines: quartiles. {machines(used)}"
    plots.bars(folder, "bfs-4k-fig14", "Speed over one core (serial)", "times as fast", list(found),
               {"speed": list(speeds.values())}, footer, errors={"speed": errors})  # fmt: skip
    page.figure("bfs-4k-fig14", "Speed over one core, one technique after the other")
    page.table(["", "ms", "times as fast as `serial`"], [[label, timed(line), times_as_fast(speeds[label])] for label, line in found.items()])
    page.paragraph(f"""{graph_of(serial)}. The steps have K1 = 4, K3 = 16, K4 = 1, K5 = 1, K6 = 128, K7 = 10 and racing
        stores; each includes the ones before it. "Published form" has the knobs that section 7 of the paper gives this
        graph. The paper's bars have no figures in its text. {provenance(used)}""")  # fmt: skip
    names = ("virtual warps", "+ edge-discover", "+ dynamic parallelism", "+ duplicate detection")
    gains = [ratio(found[a], found[b]) for a, b in zip(names, names[1:])]
    rises = sum(gain is not None and gain > 1.02 for gain in gains)
    page.claim("every technique adds to the speed; the best is their combination", "section 7, Fig. 14", "rising bars",
               "edge-discover {}, dynamic parallelism {}, duplicate detection {}".format(*(times_as_fast(x) for x in gains)),
               verdict_of(rises == 3, rises > 0), {
                   "reproduced": "Each step distributes the work of as-skitter's hubs further.",
                   "weaker": "Distributing the hubs' edges over the grid saves time; the others cost as much as they save on a GPU whose "
                             "caches hold the graph.",
                   "contradicted": "No technique saves time on this GPU."})  # fmt: skip


def figure15(page, everything, folder):
    page.heading("Fig. 15: speed")
    names = [column for column in COLUMNS if column != "Harish [4]"]
    series, published, labels, used = {name: [] for name in (*names, "bfs4k by default")}, {}, [], []
    for original, (found, _) in everything.items():
        if not found["Harish [4]"]:
            continue
        labels.append(original)
        used += found.values()
        for name in names:
            series[name].append(ratio(found["Harish [4]"], found[name]))
        series["bfs4k by default"].append(ratio(found["Harish [4]"], found["bfs4k"]))
    if not labels:
        page.missing("Fig. 15", "no line `bfs-4k/t2/...` is in the files.")
        return
    for i, column in enumerate(COLUMNS):
        if column in names:
            rows = [[published_time(x) for x in BFS4K_TABLE2[label]] for label in labels]
            published[column] = [row[0] / row[i] if row[i] else None for row in rows]
    published["bfs4k by default"] = [None] * len(labels)
    footer = f"Surrogates of the named graphs, seed 1 (Table 1). {FOOTER}x: no time. {machines(used)}"
    plots.bars(folder, "bfs-4k-fig15", "Speed over Harish [4]", "times as fast", labels, series, footer, log=True, line=1,
               published=published)  # fmt: skip
    page.figure("bfs-4k-fig15", "Speed of each strategy over Harish's, by Table 2")
    page.paragraph("""From Table 2; the paper does not name the baseline of its speeds; these are over Harish's. A cross marks
        a missing time: out of time, out of memory or not run in the paper. """ + provenance(used))  # fmt: skip
    rows = []
    for name, values in series.items():
        rows.append([name, times_as_fast(geometric_mean(published[name])), times_as_fast(geometric_mean(values))])
    page.table(["geometric mean over Harish", "published", "measured"], rows)


def claims(page, everything):
    rivals = [column for column in COLUMNS if column != "BFS-4K"]
    won, count = win_count(everything, "BFS-4K", rivals)
    default, _ = win_count(everything, "bfs4k", rivals)
    page.claim("BFS-4K outperforms all other implementations on every graph", "section 7, Table 2", "18 of 18",
               f"among the fastest: published form on {won} of {count}, fringe's default on {default}", verdict_of(won == count if count else None, count and won >= count / 2), {
                   "weaker": "It is fastest where frontiers change from level to level; elsewhere a simpler strategy has the same bandwidth and fewer steps.",
                   "contradicted": "Queues in shared memory (Luo) lose their limits on a large GPU: no graph is out of time or memory."})  # fmt: skip
    speeds = [ratio(found["Harish [4]"], found["BFS-4K"]) for found, _ in everything.values()]
    text = [published_time(times_[0]) / times_[5] for times_ in BFS4K_TABLE2.values()]
    page.claim("its speed over Harish's", "Table 2", f"{range_of(text)}, mean {geometric_mean(text):.1f}",
               f"{range_of(speeds)}, mean {geometric_mean(speeds):.1f}" if any(speeds) else NOT,
               verdict_of(geometric_mean(speeds) > 0.5 * geometric_mean(text) if any(speeds) else None,
                          any(speeds) and geometric_mean(speeds) > 1.5), {
                   "reproduced": "The same order of magnitude on graphs of the same shape.",
                   "weaker": "Harish's sweep over all vertices costs far less on a current GPU, so there is less to gain."})  # fmt: skip
    edges = {name: (ratio(found["edge parallel [7]"], found["Harish [4]"]), published_time(BFS4K_TABLE2[name][1]) / BFS4K_TABLE2[name][0])
             for name, (found, _) in everything.items() if found["Harish [4]"] and found["edge parallel [7]"]}  # fmt: skip
    agree = sum((here > 1) == (there > 1) for here, there in edges.values())
    page.claim("where edge-parallel is faster than a thread per vertex, and where slower", "Table 2", "per graph",
               f"the same order on {agree} of {len(edges)}", verdict_of(agree >= 0.8 * len(edges) if edges else None, edges and agree > len(edges) / 2),
               "High deviation favors edges, depth favors vertices: this follows from the graph, not from the GPU.")  # fmt: skip


def draw(lines, folder):
    page = Page("bfs-4k", "BFS-4K: published and measured", """
        F. Busato, N. Bombieri: BFS-4K: an efficient implementation of BFS for Kepler GPU architectures,
        IEEE TPDS 2015. Published on a GeForce GTX 780. Its comparators are fringe's strategies `simple`
        (Harish), `edge-parallel` (Jia), `virtual-warp` (Hong), `hier-queue` (Luo, UIUC-BFS) and
        `expand-contract` (Merrill, Garland, Grimshaw). The graphs are surrogates: generated ones, their
        distance from the paper's in Table 1. So compare the strategies on one graph with each
        other, not with the paper's times. Milliseconds of the traversal, the graph on the device: medians,
        ± half the distance between the quartiles of all runs. Written by `make bench-papers`.""")  # fmt: skip
    everything = {surrogate.original: measured(lines, surrogate.original) for surrogate in graphs.BFS4K}
    everything = {name: each for name, each in everything.items() if any(each[0].values())}
    claims(page, everything)
    page.heading("Table 1: the graphs")
    facts.table(page, lines, [(surrogate, BFS4K_TABLE1[surrogate.original]) for surrogate in graphs.BFS4K])
    page.paragraph("The paper calls its last column mode; its values are those of a maximum degree.")
    table2(page, everything)
    figure7(page, lines, folder)
    figure12(page, lines, folder)
    figure13(page, lines, folder)
    figure14(page, lines, folder)
    figure15(page, everything, folder)
    page.conclude("""The order of the paper's table does not hold on this GPU for the published form: Luo's queues, which ran out of time or memory on
        a GTX 780, are the fastest of the six on most graphs, because no graph is too large for them on this GPU, and they run many levels in one launch.
        What fringe changed to make BFS-4K the fastest again (claims by atomics, kernels that stay resident, hubs shared by the grid) is in the
        last column. Balancing hubs is the only technique that gains as published; duplicate detection does not: duplicates are those of
        different blocks, which no table in shared memory sees.""")  # fmt: skip
    page.knobs([(column, row, "") for column, row in BFS4K_ROWS.items()]
               + [("virtual warp [5]", "virtual-warp", "width=W"), ("Luo [15]", "hier-queue", HIER_FORM),
                  ("BFS-4K", "bfs4k", f"k1, k4, k5 by section 7, k3=16, {BFS4K_FORM}")]
               + [(f"BFS-4K on {name}", "bfs4k", bfs4k_published(name)) for name in ("roadNet-CA", "as-skitter", "random.2Mv.128Me")])  # fmt: skip
    page.missing("Figs. 1 to 6 and 8 to 11", "drawings of the method, without measurements.")
    page.missing("Comparators' own programs", "their code is not run; fringe's strategies follow the papers.")
    return page

