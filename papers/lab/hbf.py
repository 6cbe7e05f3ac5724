"""H-BF (Busato, Bombieri, TPDS 2016): Tables 1 to 3, Figs. 7 to 9."""

import graphs
from documents import table
from graphs import PUBLISHED
from jobs import HBF_FORM, HBF_OFF, HBF_PLAIN, HBF_RIVALS
from lines import (NOT, Missing, counter, facts_table, fastest, fold, geometric_mean, given, graph_of, knobs_table,
                   mteps, present, range_of, ratio, ratios, run_median, timed)  # fmt: skip
from page import figure, verdict

# column -> job; the paper has Workfront Sweep and Near-Far in one column
ROWS = {
    "Bellman-Ford": "bellman-ford", "Dijkstra": "dijkstra", "LoneStar": "topology-bf-published",
    "Workfront Sweep": "workfront-sweep-published", "Near-Far": "near-far-published", "H-BF": "published",
    "`topology-bf` by default": "topology-bf", "`workfront-sweep` by default": "workfront-sweep",
    "`near-far` by default": "near-far", "`hbf` by default": "hbf",
}  # fmt: skip
COLUMNS = list(ROWS)
RIVALS, DEFAULTS = COLUMNS[2:5], COLUMNS[6:]
TABLE2, TABLE3 = PUBLISHED["hbf_t2"], PUBLISHED["hbf_t3"]


def all_times(lines):
    """{graph: {column: line}}."""
    found = {surrogate.original: lines.each(f"h-bf/t2/{surrogate.original}", ROWS) for surrogate in graphs.HBF}
    found = {name: each for name, each in found.items() if any(each.values())}
    if not found:
        raise Missing("no line of h-bf/t2")
    return found


@figure("h-bf", "t1")
def table1(lines, plots):
    surrogates = graphs.HBF + graphs.HBF_NEGATIVE
    published = {name: (v, e, diameter, mean, deviation, most)
                 for name, (v, e, mean, deviation, most, diameter) in PUBLISHED["hbf_t1"].items()}  # fmt: skip
    text = facts_table(lines, surrogates, published)
    counts = {surrogate.original: {each["low"]: each["vertices"] for each in lines.facts(surrogate)["degree_histogram"]}
              for surrogate in surrogates}  # fmt: skip
    most = max(max(each) for each in counts.values())
    xs = [1 << step for step in range(most.bit_length())]
    plots.curves("h-bf-table1", "Degree distributions of the surrogates", "vertices", "degree from",
                 {name: [each.get(x) for x in xs] for name, each in counts.items()}, "Table 1.", log=True, xs=xs)  # fmt: skip
    return text


def published_cells(name):
    one_core, boost, lonestar, davidson, hbf = (f"{given(a)} ({given(b)})" for a, b in TABLE2[name])
    return [one_core, boost, lonestar, davidson, "(same column)", hbf, "", "", "", ""]


@figure("h-bf", "t2", claims=4)
def table2(lines, _):
    everything, rows = all_times(lines), []
    for name, found in everything.items():
        first = [" = ".join(fastest({c: found[c] for c in group})) or "-" for group in ((*RIVALS, "H-BF"), DEFAULTS)]
        cells = [f"{timed(line)} ({mteps(line):,.0f})" if line else NOT for line in found.values()]
        rows += [[name, "published", *published_cells(name)], ["", f"measured; fastest on the GPU: {first[0]}; {first[1]}", *cells]]
    return table(["graph", "", *ROWS], rows), claims_of_times(everything)


def claims_of_times(everything):
    gpu = [found for found in everything.values() if all(found[c] for c in (*RIVALS, "H-BF", *DEFAULTS))]
    won = sum("H-BF" in fastest({c: found[c] for c in (*RIVALS, "H-BF")}) for found in gpu)
    best = sum(DEFAULTS[-1] in fastest({c: found[c] for c in DEFAULTS}) for found in gpu)
    over = [min(ratio(found[c], found["H-BF"]) for c in RIVALS[1:]) for found in gpu]
    gain, theirs = geometric_mean(over), geometric_mean([row[3][0] / row[4][0] for row in TABLE2.values()])
    asia, road = ({c: ratio(everything[name]["Dijkstra"], everything[name][c]) for c in (*RIVALS, "H-BF")}
                  for name in ("asia.osm", "USA-road-d.CAL"))  # fmt: skip
    others, (deep,), (flat,) = [c for c in RIVALS if asia[c] and asia[c] > 1], present([asia["H-BF"]]), present([road["H-BF"]])
    return [
        (f"published form: {won} of {len(gpu)}; default: {best} of {len(gpu)}", verdict(won == len(gpu), won >= len(gpu) / 2)),
        (f"mean {fold(gain)} ({range_of(over)})", verdict(gain > 1 + (theirs - 1) / 2, gain > 1.03)),
        (f"{fold(deep)}; beating it too: {', '.join(others) or 'none'}", verdict(deep > 1 and not others, deep > 1)),
        (fold(flat), verdict(flat > 0.8, flat > 0.5)),
    ]


@figure("h-bf", "")
def figure8(lines, plots):
    found = {name: each for name, each in all_times(lines).items() if each["Bellman-Ford"]}
    columns = [*COLUMNS[1:6], DEFAULTS[-1]]
    series = {column.replace("`", ""): ratios(found.values(), "Bellman-Ford", column) for column in columns}
    published = {name: [] for name in series}
    for name in found:
        base, dijkstra, lonestar, davidson, hbf = (time for time, _ in TABLE2[name])
        for column, time in zip(series, (dijkstra, lonestar, davidson, None, hbf, None)):
            published[column].append(base / time if time else None)
    plots.bars("h-bf-fig8", "Speed over one core's queue-based Bellman-Ford", "times as fast", list(found), series,
               "Surrogates of the named graphs (Table 1), weights 1..255. Common sources.", log=True, line=1, published=published)  # fmt: skip


T3_ROWS = {"one core": "sequential", "nothing": "plain", "without": "published without", "with": "published",
           "without, default": "without", "with, default": "with"}  # fmt: skip


def technique_rows(name, found):
    """The published row and the measured one of Table 3, and the claim."""
    technique, core, off, on = TABLE3[name]
    speed = [ratio(found["one core"], found[form]) for form in ("without", "with")]
    gain, default = ratio(found["without"], found["with"]), ratio(found["without, default"], found["with, default"])
    published = [name, "published", technique, given(core), "-", given(off), f"{core / off:.1f}x", given(on), f"{core / on:.1f}x",
                 f"{off / on:.2f}x", "", "", ""]  # fmt: skip
    cells = {form: timed(line) for form, line in found.items()}
    measured = [graph_of(found["with"]), "measured", f"`{HBF_OFF[name]}`", cells["one core"], cells["nothing"], cells["without"],
                fold(speed[0]), cells["with"], fold(speed[1]), fold(gain), cells["without, default"], cells["with, default"],
                fold(default)]  # fmt: skip
    words = f"{fold(gain)} in the published form, {fold(default)} by default ({fold(speed[1])} over one core)"
    return [published, measured], (words, verdict(gain >= 1 + (off / on - 1) / 2, gain > 1.03))


@figure("h-bf", "t3", claims=5)
def table3(lines, _):
    found = {name: {head: lines.job(f"h-bf/t3/{name}/{end}") for head, end in T3_ROWS.items()} for name in TABLE3}
    rows, techniques = zip(*(technique_rows(name, each) for name, each in found.items()))
    off = ratios(found.values(), "one core", "nothing")
    text = table(["graph", "", "technique", "one core", "H-BF, nothing", "without it", "speed", "with it", "speed", "gain",
                  "default without it", "default", "gain"], sum(rows, []))  # fmt: skip
    return text, [(f"{range_of(off)} times with all techniques off", verdict(min(off) > 12.5, True)), *techniques]


@figure("h-bf", "classes", claims=1)
def classes(lines, _):
    """Section 4.1's classes where they matter: counts with and without."""
    rows, saved = [], {}
    for original, group in (("msdoor", graphs.HBF), ("circuit5M_dc", graphs.HBF), ("wiki-talk", graphs.HBF_NEGATIVE)):
        on, off = (lines.job(f"h-bf/fig9/{original}/{label}") for label in ("hbf", "no classes"))
        timed_on = lines.get(f"h-bf/t2/{original}/hbf") or lines.job(f"h-bf/t3/{original}/with")
        timed_off = lines.get(f"h-bf/loops/{original}") or lines.job(f"h-bf/t3/{original}/without")
        counts = [f"{counter(line, key):,}" for key in ("edges", "atomics") for line in (off, on)]
        loops = lines.facts(graphs.by_name(group, original))["self_loops"]
        rows.append([graph_of(on), f"{loops:,}", *counts, timed(timed_off), timed(timed_on), fold(ratio(timed_off, timed_on))])
        saved[original] = 1 - counter(on, "atomics") / counter(off, "atomics")
    text = table(["graph", "self-loops", "edges relaxed without", "with", "atomics without", "with", "ms without", "with", "gain"], rows)
    words = ", ".join(f"{name}: {share * 100:.0f} % fewer atomics" for name, share in saved.items())
    return text, [(words, verdict(min(saved.values()) > 0.02, max(saved.values()) > 0.02))]


F9_ROWS = {"Bellman-Ford without a queue": "topology-bf", "Bellman-Ford with a queue, one core": "bellman-ford",
           "H-BF, nothing": "plain", "H-BF, published form": "published", "H-BF, default": "hbf", "Near-Far": "near-far",
           "Dijkstra": "dijkstra"}  # fmt: skip


@figure("h-bf", "fig9", claims=3)
def figure9(lines, plots):
    found = {head: lines.job(f"h-bf/fig9/msdoor/{end}") for head, end in F9_ROWS.items()}
    edges, lowered = ({head: run_median(line, key) for head, line in found.items()} for key in ("edges_examined", "relaxations"))
    rows = [[head, f"{edges[head]:,.0f}", f"{lowered[head]:,.0f}", f"{counter(line, 'atomics'):,}" if counter(line, "atomics") else "-"]
            for head, line in found.items()]  # fmt: skip
    series = {"edges relaxed": [x / 1e6 for x in edges.values()], "distances lowered": [x / 1e6 for x in lowered.values()]}
    plots.bars("h-bf-fig9", "Work of one traversal of msdoor's surrogate", "millions", [x.replace("Bellman-Ford", "BF") for x in found],
               series, f"{graph_of(found['Dijkstra'])}, weights 1..255, one source, seed 1.", log=True)  # fmt: skip
    without, queue, _, ours, _, _, dijkstra = edges.values()
    return table(["", "edges relaxed", "distances lowered", "atomics"], rows), [
        (fold(without / queue).replace("x", " times fewer"), verdict(without > 2 * queue)),
        (f"{fold(ours / queue)} as many", verdict(ours < queue, ours < 1.1 * queue)),
        (f"{fold(ours / dijkstra)} as many", verdict(ours < 20 * dijkstra, ours < 60 * dijkstra)),
    ]


@figure("h-bf", "knobs")
def knobs(_lines, _plots):
    columns = {"H-BF; with it": ("hbf", HBF_FORM), "H-BF, nothing": ("hbf", HBF_PLAIN)}
    for column, end in ROWS.items():
        if column != "H-BF":
            columns[column] = (end.removesuffix("-published"), HBF_RIVALS if end.endswith("-published") else "")
    return knobs_table(columns)
