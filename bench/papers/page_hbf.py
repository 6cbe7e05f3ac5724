"""H-BF (Busato, Bombieri, TPDS 2016): Tables 1 to 3, Figs. 7 to 9."""

from . import facts, graphs, plots
from .jobs import HBF_FORM, HBF_OFF, HBF_PLAIN, HBF_RIVALS
from .lines import (
    alike,
    counter,
    fastest,
    geometric_mean,
    graph_of,
    machines,
    mteps,
    provenance,
    ratio,
    run_median,
)
from .page import NOT, Page, given, range_of, timed, times_as_fast, verdict_of
from .published import HBF_TABLE1, HBF_TABLE2, HBF_TABLE3

# column -> job; the paper has Workfront Sweep and Near-Far in one column
ROWS = {
    "Bellman-Ford": "bellman-ford", "Dijkstra": "dijkstra", "LoneStar": "topology-bf-published",
    "Workfront Sweep": "workfront-sweep-published", "Near-Far": "near-far-published", "H-BF": "published",
    "`topology-bf` by default": "topology-bf", "`workfront-sweep` by default": "workfront-sweep",
    "`near-far` by default": "near-far", "`hbf` by default": "hbf",
}  # fmt: skip
GPU_RIVALS = ("LoneStar", "Workfront Sweep", "Near-Far")
DEFAULTS = tuple(column for column in ROWS if column.endswith("by default"))


def facts_row(name):
    vertices, edges, mean, deviation, max_degree, diameter = HBF_TABLE1[name]
    return vertices, edges, diameter, mean, deviation, max_degree


def table1(page, lines, folder):
    page.heading("Table 1: the graphs")
    used = facts.table(page, lines, [(surrogate, facts_row(surrogate.original)) for surrogate in graphs.HBF + graphs.HBF_NEGATIVE])
    found = {surrogate.original: line for surrogate, line in zip(graphs.HBF + graphs.HBF_NEGATIVE, used) if line}
    if not found:
        page.missing("Table 1's degree distributions and Fig. 7", "no line `facts/...` is in the files.")
        return
    loops = [name for name, line in found.items() if line["self_loops"] == line["n"]]
    steps = range(max(max(each["low"] for each in line["degree_histogram"]).bit_length() for line in found.values()) + 1)
    series = {}
    for name, line in found.items():
        counts = {each["low"].bit_length(): each["vertices"] for each in line["degree_histogram"]}
        series[name] = [counts.get(step) for step in steps]
    plots.curves(folder, "h-bf-table1", "Degree distributions of the surrogates", "vertices", "degree from",
                 {name: values[1:] for name, values in series.items()}, f"Table 1. {machines(used)}", log=True,
                 xs=[1 << step for step in steps][: len(steps) - 1], logx=True)  # fmt: skip
    page.figure("h-bf-table1", "Vertices by degree, in classes of powers of two")
    page.paragraph(f"""The paper's last column and its Fig. 7 plot the degree distributions; the plot below has those of the
        surrogates, in classes from a power of two to the next. Every vertex of {" and ".join(loops) or "no graph"} has a
        self-loop, as section 6.2 says of the paper's msdoor and circuit5M_dc.""")  # fmt: skip


def columns_of(lines, item, rows):
    found = {column: lines.job(f"{item}/{job}") or lines.job(f"{item}/{job.removesuffix('-published')}") for column, job in rows.items()}
    alike(found.values())
    return found


def cell(line):
    return f"{timed(line)} ({mteps(line):,.0f})" if line else NOT


def table2(page, everything):
    page.heading("Table 2: time and rate")
    rows, used = [], []
    for name, found in everything.items():
        sequential, boost, lonestar, davidson, hbf = (f"{given(a)} ({given(b)})" for a, b in HBF_TABLE2[name])
        rows.append([name, "published", sequential, boost, lonestar, davidson, "(same column)", hbf] + [""] * len(DEFAULTS))
        first = [" = ".join(fastest({c: found[c] for c in group if found[c]})) if any(found[c] for c in group) else "-"
                 for group in ((*GPU_RIVALS, "H-BF"), DEFAULTS)]  # fmt: skip
        rows.append(["", f"measured; fastest on the GPU: {first[0]}; {first[1]}"] + [cell(line) for line in found.values()])
        used += found.values()
    page.table(["graph", ""] + list(ROWS), rows)
    page.paragraph(f"""Milliseconds (millions of edges a second), the surrogates those of Table 1. The paper has Workfront Sweep and Near-Far
        Pile in one column. Its columns on the GPU are run with the knobs below, H-BF in the published form, in which the host waits for every round; the last
        four are fringe's defaults, which launch up to 32 rounds at once. Measured rates count the edges of the reached component, an undirected one once,
        as in Graph500, and are harmonic means over the sources; the paper counts the edges of the file.
        Weights are random integers in 1..255; the paper does not describe its weights. The first two columns run on
        one core of the host, on deep graphs from the first of the four sources alone; quotients are taken over common
        sources. {provenance(used)}""")  # fmt: skip


def figure8(page, everything, folder):
    page.heading("Fig. 8: speed over the sequential Bellman-Ford")
    have = {name: found for name, found in everything.items() if found["Bellman-Ford"]}
    if not have:
        page.missing("Fig. 8", "no line `h-bf/t2/.../bellman-ford` is in the files.")
        return
    names = [column for column in ROWS if column != "Bellman-Ford" and column not in DEFAULTS[:-1]]
    series = {column: [ratio(found["Bellman-Ford"], found[column]) for found in have.values()] for column in names}
    published = {column: [] for column in names}
    for name in have:
        base, dijkstra, lonestar, davidson, hbf = (time for time, _ in HBF_TABLE2[name])
        for column, time in zip(names, (dijkstra, lonestar, davidson, None, hbf, None)):
            published[column].append(base / time if time else None)
    used = [line for found in have.values() for line in found.values()]
    footer = f"Surrogates of the named graphs (Table 1), weights 1..255. Common sources. {machines(used)}"
    plain = [{name.replace("`", ""): values for name, values in each.items()} for each in (series, published)]
    plots.bars(folder, "h-bf-fig8", "Speed over one core's queue-based Bellman-Ford", "times as fast", list(have), plain[0],
               footer, log=True, line=1, published=plain[1])  # fmt: skip
    page.figure("h-bf-fig8", "Speed of each strategy over the sequential Bellman-Ford, published and measured")
    page.paragraph("The published column of Davidson and others is drawn at Workfront Sweep; a cross marks a missing time. " + provenance(used))


T3_ROWS = {"one core": "sequential", "nothing": "plain", "without": "published without", "with": "published",
           "without, default": "without", "with, default": "with"}  # fmt: skip


def table3(page, lines):
    page.heading("Table 3: negative weights, and the effect of one technique")
    rows, used, gains = [], [], {}
    for surrogate in graphs.HBF_NEGATIVE:
        name = surrogate.original
        technique, core, off, on = HBF_TABLE3[name]
        found = columns_of(lines, f"h-bf/t3/{name}", T3_ROWS)
        used += found.values()
        rows.append([name, "published", technique, given(core), "-", given(off), f"{core / off:.1f}x", given(on), f"{core / on:.1f}x",
                     f"{off / on:.2f}x", "", "", ""])  # fmt: skip
        gain, default = ratio(found["without"], found["with"]), ratio(found["without, default"], found["with, default"])
        gains[name] = (off / on, gain, default, ratio(found["one core"], found["with"]), core / on)
        line = next((x for x in found.values() if x), None)
        rows.append([graph_of(line) if line else "-", "measured", f"`{HBF_OFF[name]}`", timed(found["one core"]), timed(found["nothing"]),
                     timed(found["without"]), times_as_fast(ratio(found["one core"], found["without"])), timed(found["with"]),
                     times_as_fast(gains[name][3]), times_as_fast(gain), timed(found["without, default"]),
                     timed(found["with, default"]), times_as_fast(default)])  # fmt: skip
    page.table(["graph", "", "technique", "one core", "H-BF, nothing", "without it", "speed", "with it", "speed", "gain",
                "default without it", "default", "gain"], rows)  # fmt: skip
    page.paragraph(f"""Milliseconds. Some weights are negative, but no cycle is: random weights 0..255 plus the difference of random
        potentials 0..200 of the two ends, which makes every edge directed. Columns up to "gain" are the published form
        (Knobs), the last three fringe's default. "Nothing" has all techniques switched off, "without it" only
        this one. The 19 ms of the paper on wiki-talk are 17, and 2 of the closing kernels. Times include the checks for
        negative cycles and the parents, which the paper does not compute. {provenance(used)}""")  # fmt: skip
    off = [ratio(lines.job(f"h-bf/t3/{n}/sequential"), lines.job(f"h-bf/t3/{n}/plain")) for n in gains]
    page.claim("the basic frontier-based solution over one core", "section 6.2, Table 3", "12.5x to 20x (58.1x on random.2Mv.128Me)",
               f"{range_of(off)} times with all techniques off" if any(off) else NOT,
               verdict_of(min(x for x in off if x) > 12.5 if any(off) else None, any(off)),
               {"weaker": "A frontier on the GPU is faster than a queue on one core by one to two orders of magnitude, except where one vertex delays the round: "
                          "all techniques off, one lane has a hub's 80,000 edges.",
                "reproduced": "A frontier on the GPU beats a queue on one core by one to two orders of magnitude."})  # fmt: skip
    whys = {
        "hugetrace-00000": "The paper's 32 vertices per warp fill a GPU of 768 resident warps; this one has 8,448, and the frontier is too small for them.",
        "wiki-talk": "Vertices without out-edges and with one in-edge need no atomic; atomics in the L2 of a current GPU cost little more than stores.",
        "as-Skitter": "One lane for a vertex of degree 45,000 is the whole time of a round.",
        "random.2Mv.128Me": "The 64-bit atomic drops duplicates, but twice as much data passes.",
    }
    for name, (there, here, default, speed, core) in gains.items():
        page.claim(f"{HBF_TABLE3[name][0]} makes {name} faster", "section 6.2, Table 3", f"{there:.1f}x ({core:.1f}x over one core)",
                   f"{times_as_fast(here)} in the published form, {times_as_fast(default)} by default ({times_as_fast(speed)} over one core)",
                   verdict_of(here and here >= 1 + (there - 1) / 2, here and here > 1.03) if here else verdict_of(None), whys[name])  # fmt: skip


def classes(page, lines):
    """Section 4.1's classes where they matter: counts with and without."""
    page.heading("Section 4.1: what edge classes save")
    rows, used, saved = [], [], {}
    for original in ("msdoor", "circuit5M_dc", "wiki-talk"):
        on, off = (lines.job(f"h-bf/fig9/{original}/{label}") for label in ("hbf", "no classes"))
        if not on or not off:
            continue
        alike([on, off])
        used += [on, off]
        fact = next((x for s in graphs.HBF + graphs.HBF_NEGATIVE if s.original == original for x in [facts.facts_of(lines, s)] if x), None)
        timed_on = lines.job(f"h-bf/t2/{original}/hbf") or lines.job(f"h-bf/t3/{original}/with")
        timed_off = lines.job(f"h-bf/loops/{original}") or lines.job(f"h-bf/t3/{original}/without")
        used += [timed_on, timed_off]
        row = [graph_of(on), f"{fact['self_loops']:,}" if fact else "-"]
        for key in ("edges", "atomics"):
            row += [f"{counter(off, key):,}", f"{counter(on, key):,}"]
        saved[original] = 1 - counter(on, "atomics") / counter(off, "atomics")
        rows.append([*row, timed(timed_off), timed(timed_on), times_as_fast(ratio(timed_off, timed_on))])
    if not rows:
        page.missing("Section 4.1", "no line `h-bf/fig9/.../no classes` is in the files.")
        return
    page.table(["graph", "self-loops", "edges relaxed without", "with", "atomics without", "with", "ms without", "with", "gain"], rows)
    page.paragraph(f"""Counts of one traversal from one source with and without `classes`, fringe's default otherwise; an edge of the
        self-loop class is not counted as relaxed. {provenance(used)}""")  # fmt: skip
    page.claim("the edge classes save atomics, as self-loops do in msdoor and circuit5M_dc", "sections 4.1 and 6.2", "not in numbers",
               ", ".join(f"{name}: {share * 100:.0f} % fewer atomics" for name, share in saved.items()),
               verdict_of(all(share > 0.02 for share in saved.values()), any(share > 0.02 for share in saved.values())),
               "Vertices without out-edges need no queue and, with one in-edge, no atomic. Self-loops save their reads alone: fringe compares "
               "the distances before it tries the atomic, and a loop of weight 0 or more never lowers one.")  # fmt: skip


F9_ROWS = (("Bellman-Ford without a queue", "topology-bf"), ("Bellman-Ford with a queue, one core", "bellman-ford"),
           ("H-BF, nothing", "plain"), ("H-BF, published form", "published"), ("H-BF, default", "hbf"),
           ("Near-Far", "near-far"), ("Dijkstra", "dijkstra"))  # fmt: skip


def figure9(page, lines, folder):
    page.heading("Fig. 9: work")
    found = {label: lines.job(f"h-bf/fig9/msdoor/{job}") for label, job in F9_ROWS}
    found = {label: line for label, line in found.items() if line}
    if not found:
        page.missing("Fig. 9", "no line `h-bf/fig9/...` is in the files.")
        return
    alike(found.values())
    edges = {label: run_median(line, "edges_examined") for label, line in found.items()}
    rows = []
    for label, line in found.items():
        atomics = counter(line, "atomics")
        rows.append([label, f"{edges[label]:,.0f}", f"{run_median(line, 'relaxations'):,.0f}", f"{atomics:,}" if atomics else "-"])
    used = list(found.values())
    series = {"edges relaxed": [edges[label] / 1e6 for label in found],
              "distances lowered": [run_median(line, "relaxations") / 1e6 for line in used]}  # fmt: skip
    plots.bars(folder, "h-bf-fig9", "Work of one traversal of msdoor's surrogate", "millions", [x.replace("Bellman-Ford", "BF") for x in found],
               series, f"{graph_of(used[0])}, weights 1..255, one source, seed 1. {machines(used)}", log=True)  # fmt: skip
    page.figure("h-bf-fig9", "Edges relaxed and distances lowered in one traversal")
    page.table(["", "edges relaxed", "distances lowered", "atomics"], rows)
    page.paragraph(f"""An edge is relaxed when the distance of its target is tested. The paper's variant without a queue is
        sequential; the measured one is `topology-bf` on the GPU, whose rounds see some updates of the same round. Dijkstra relaxes
        every edge once (the paper leaves its line out of the plot). {provenance(used)}""")  # fmt: skip
    queue, without = edges.get(F9_ROWS[1][0]), edges.get(F9_ROWS[0][0])
    ours, dijkstra = edges.get(F9_ROWS[3][0]), edges.get("Dijkstra")
    page.claim("a frontier makes far fewer relaxations than Bellman-Ford without a queue", "section 6.2, Fig. 9", "sensibly fewer",
               times_as_fast(without / queue).replace("x", " times fewer") if queue and without else NOT,
               verdict_of(without > 2 * queue if queue and without else None), "Only vertices whose distance fell are active.")  # fmt: skip
    page.claim("H-BF makes fewer relaxations than the sequential queue", "section 6.2, Fig. 9", "fewer",
               times_as_fast(ours / queue) + " as many" if ours and queue else NOT,
               verdict_of(ours < queue if ours and queue else None, ours and queue and ours < 1.1 * queue),
               {"reproduced": "In wide rounds a vertex gets its least distance before it is expanded; the queue of one core expands it at once.",
                "contradicted": "A round relaxes many vertices from distances that the same round still lowers.",
                "weaker": "A round relaxes many vertices from distances that the same round still lowers."})  # fmt: skip
    page.claim("its work is within an order of magnitude of Dijkstra's", "section 6.2, Fig. 9", "one order of magnitude",
               times_as_fast(ours / dijkstra) + " as many" if ours and dijkstra else NOT,
               verdict_of(ours < 20 * dijkstra if ours and dijkstra else None, ours and dijkstra and ours < 60 * dijkstra),
               "Random weights of 1..255 on a mesh of degree 49 make long corrections; the paper does not say its weights.")  # fmt: skip


def claims(page, everything):
    won = count = best = 0
    over = []
    for found in everything.values():
        rivals = {column: found[column] for column in GPU_RIVALS}
        if found["H-BF"] and all(rivals.values()):
            count += 1
            won += "H-BF" in fastest({**rivals, "H-BF": found["H-BF"]})
            best += DEFAULTS[-1] in fastest({column: found[column] for column in DEFAULTS if found[column]})
            over.append(min(ratio(found[c], found["H-BF"]) for c in GPU_RIVALS[1:]))
    text = geometric_mean([row[3][0] / row[4][0] for row in HBF_TABLE2.values()])
    page.claim("H-BF outperforms all other parallel implementations on every graph", "section 6.2, Table 2", "7 of 7",
               f"published form: {won} of {count}; default: {best} of {count}", verdict_of(won == count if count else None, count and won >= count / 2),
               {"weaker": "It is fastest on meshes and roads; work-efficient strategies are faster where few rounds suffice.",
                "contradicted": "Its 32 vertices per warp leave most of this GPU idle in small rounds; fringe's default assigns fewer."})  # fmt: skip
    page.claim("its speed over the better of Workfront Sweep and Near-Far", "section 6.2, Table 2", f"mean {text:.1f}x",
               f"mean {times_as_fast(geometric_mean(over))} ({range_of(over)})" if over else NOT,
               verdict_of(geometric_mean(over) > 1 + (text - 1) / 2 if over else None, over and geometric_mean(over) > 1.03), {
                   "weaker": "fringe's forms of the rivals are new: they share its queues and its parents.",
                   "contradicted": "fringe's forms of the rivals are new, share its queues, and spread the edges of small frontiers over all warps."})  # fmt: skip
    asia, road = everything.get("asia.osm"), everything.get("USA-road-d.CAL")
    if asia:
        speeds = {column: ratio(asia["Dijkstra"], asia[column]) for column in (*GPU_RIVALS, "H-BF")}
        others = [column for column in GPU_RIVALS if speeds[column] and speeds[column] > 1]
        page.claim("on asia.osm it is the only parallel one that beats Dijkstra", "section 6.2", "1.5x; the others 0.02x to 0.4x",
                   f"{times_as_fast(speeds['H-BF'])}; beating it too: {', '.join(others) or 'none'}",
                   verdict_of(speeds["H-BF"] > 1 and not others if speeds["H-BF"] else None, speeds["H-BF"] and speeds["H-BF"] > 1),
                   {"weaker": "It beats Dijkstra, and so do rivals: a round costs less than on Kepler.",
                    "contradicted": "Thirty thousand rounds cost more than one core's heap."})  # fmt: skip
    if road:
        value = ratio(road["Dijkstra"], road["H-BF"])
        page.claim("on USA-road-d.CAL it is comparable to Dijkstra", "section 6.2", "0.8x", times_as_fast(value),
                   verdict_of(value > 0.8 if value else None, value and value > 0.5),
                   {"reproduced": "It is faster than one core even on this graph.", "contradicted": "A launch per round costs too much for a frontier of a few hundred vertices."})  # fmt: skip


def draw(lines, folder):
    page = Page("h-bf", "H-BF: published and measured", """
        F. Busato, N. Bombieri: An efficient implementation of the Bellman-Ford algorithm for Kepler GPU
        architectures, IEEE TPDS 27(8), 2016. Published on a GeForce GTX 780, means over 100 sources. Its
        comparators are fringe's strategies `bellman-ford` (queue-based, one core), `dijkstra` (a heap; in the
        paper Boost's), `topology-bf` (LoneStar), `workfront-sweep` and `near-far` (Davidson and others). The
        graphs are surrogates: generated ones, their distance from the paper's in Table 1. So the
        strategies on one graph compare with each other, not with the paper's times. Times are those of the
        traversal, the graph on the device: medians, ± half the distance between the quartiles of all runs. Written by
        `make bench-papers`.""")  # fmt: skip
    everything = {s.original: columns_of(lines, f"h-bf/t2/{s.original}", ROWS) for s in graphs.HBF}
    everything = {name: found for name, found in everything.items() if any(found.values())}
    claims(page, everything)
    table1(page, lines, folder)
    table2(page, everything)
    figure8(page, everything, folder)
    table3(page, lines)
    classes(page, lines)
    figure9(page, lines, folder)
    page.conclude("""The 64-bit atomic, hubs' own grids and the classes of edges do what the paper says; on this GPU only the hubs matter much. The published
        form is the fastest on some of the graphs only: its 32 vertices per warp suit a GPU of 768 resident warps, not one of 8,448, and its threshold of 4,096
        leaves hubs to single virtual warps. fringe's default, which chooses both by the frontier, is the fastest on all meshes and roads. Claims about
        the cost of a round (Dijkstra on asia.osm) depend on the depth of the graph and on launches, not on the algorithm.""")  # fmt: skip
    page.knobs([("H-BF; with it", "hbf", HBF_FORM), ("H-BF, nothing", "hbf", HBF_PLAIN),
                *((name, job.removesuffix("-published"), HBF_RIVALS if lines.job(f"h-bf/t2/flickr/{job}") and job.endswith("-published") else "")
                  for name, job in ROWS.items() if job != "published")])  # fmt: skip
    page.missing("Figs. 1 to 6", "drawings of the method, without measurements.")
    page.missing("100 sources", "four random sources that reach a tenth of the graph; of one core on deep graphs one.")
    page.missing("Boost's Dijkstra and the comparators' programs", "they are not run; fringe's strategies follow the papers.")
    return page
