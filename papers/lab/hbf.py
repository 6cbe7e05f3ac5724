"""H-BF (Busato, Bombieri, TPDS 2016): Tables 1 to 3, Figs. 7 to 9."""

import math

import graphs
import rivals
from documents import table
from graphs import PUBLISHED
from jobs import HBF_CORE, HBF_FORM, HBF_OFF, HBF_PLAIN, HBF_RIVALS
from lines import (NOT, Missing, counter, facts_table, faster, fastest, fold, geometric_mean, given, graph_of, knobs_table,
                   median_ms, ms, mteps, range_of, ratio, ratios, run_median, some, timed)  # fmt: skip
from page import figure
from rules import amount, best, by_noise, count, gain, unsure

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
    return some({name: each for name, each in found.items() if any(each.values())}, "h-bf/t2")


@figure("h-bf", "t1")
def table1(lines, plots):
    surrogates = graphs.HBF + graphs.HBF_NEGATIVE
    published = {name: (v, e, diameter, mean, deviation, most)
                 for name, (v, e, mean, deviation, most, diameter) in PUBLISHED["hbf_t1"].items()}  # fmt: skip
    text = facts_table(lines, surrogates, published)
    counts = {surrogate.original: {each["low"]: each["vertices"] for each in lines.facts(surrogate)["degree_histogram"]}
              for surrogate in surrogates}  # fmt: skip
    parts = {}
    for name, each in counts.items():
        share = each.get(0, 0) / sum(each.values()) * 100
        parts[f"{name}, degree 0: {share:.0f} %"] = {low: vertices for low, vertices in each.items() if low}
    plots.distributions("h-bf-table1", "Vertices by degree, in classes from a power of two to the next", parts, "Table 1.")
    return text


def published_cells(name):
    one_core, boost, lonestar, davidson, hbf = (f"{given(a)} ({given(b)})" for a, b in TABLE2[name])
    return [one_core, boost, lonestar, davidson, "(same column)", hbf, "", "", "", ""]


@figure("h-bf", "t2", ("on every graph", "better of Workfront Sweep", "average speedup of 5x", "on asia.osm it is",
                       "on USA-road-d.CAL", "sequential Dijkstra", "small diameter and high degree", "quite low", "high also on"))
def table2(lines, _):
    everything, rows = all_times(lines), []
    for name, found in everything.items():
        first = [" = ".join(fastest({c: found[c] for c in group})) or "-" for group in ((*RIVALS, "H-BF"), DEFAULTS)]
        cells = [f"{timed(line, 4)} ({ms(mteps(line))})" if line else NOT for line in found.values()]
        rows += [[name, "published", *published_cells(name)], ["", f"measured; fastest on the GPU: {first[0]}; {first[1]}", *cells]]
    return table(["graph", "", *ROWS], rows), claims_of_times(everything)  # fmt: skip


def over_programs():
    """By graph of Table 2, the time of the better of the authors' programs of Workfront Sweep (Gunrock's) and Near-Far
    (LonestarGPU's) over that of H-BF's published form, and the lines of both; of graphs where one of them ran."""
    ran = rivals.of_graphs(rivals.rival_lines(), TABLE2, "sssp", "int32", "h-bf/")
    pairs = []
    for each in ran.values():
        theirs = [each[name] for name in ("gunrock", "lonestar") if name in each]
        if theirs and "fringe-hbf-published" in each:
            ours = each["fringe-hbf-published"]
            pairs.append((min(theirs, key=lambda line, ours=ours: ratio(line, ours)), ours))
    return [ratio(*pair) for pair in pairs], pairs


def gain_over_davidson(forms, pairs, published):
    """By fringe's forms and, where they ran, by the programs: the worse of the two counts."""
    programs, theirs = over_programs()
    values = [geometric_mean(each) for each in (forms, programs) if each]
    words = f"the programs: {range_of(programs)} ({len(programs)} graphs)" if programs else ""
    return gain(values, [published] * len(values), unsure(pairs + theirs), f"fringe's forms: {range_of(forms)}{words and '; ' + words}")


def claims_of_times(everything):
    gpu = [found for found in everything.values() if all(found[c] for c in (*RIVALS, "H-BF", *DEFAULTS))]
    if len(gpu) < len(TABLE2):
        raise Missing("not all lines of h-bf/t2")
    default = [best(found, DEFAULTS[-1], DEFAULTS[:-1]) for found in gpu].count(True)
    davidson = [(found[min(RIVALS[1:], key=lambda c, found=found: ratio(found[c], found["H-BF"]))], found["H-BF"]) for found in gpu]
    over = [ratio(*pair) for pair in davidson]
    theirs = geometric_mean([row[3][0] / row[4][0] for row in TABLE2.values()])
    asia, road = everything["asia.osm"], everything["USA-road-d.CAL"]
    ahead = [column for column in RIVALS if faster(asia[column], asia["Dijkstra"])]
    rates = {name: mteps(found["H-BF"]) for name, found in everything.items()}
    deep = max(rates[name] for name in ("asia.osm", "USA-road-d.CAL", "delaunay_n20"))
    uneven = {name: (everything[name]["Bellman-Ford"], everything[name]["H-BF"]) for name in ("rmat.3Mv.20Me", "flickr")}
    mean = {c: geometric_mean(ratios(everything.values(), "Bellman-Ford", c)) for c in (*RIVALS, "H-BF")}
    return [
        count([best(found, "H-BF", RIVALS) for found in gpu], f"fringe's default: on {default}"),
        gain_over_davidson(over, davidson, theirs),
        gain_over_davidson(over, davidson, 5.0),
        count([faster(asia["H-BF"], asia["Dijkstra"]) and not ahead],
              f"{fold(ratio(asia['Dijkstra'], asia['H-BF']))}; beating it: {', '.join(ahead) or 'none'}"),
        amount(ratio(road["Dijkstra"], road["H-BF"]), TABLE2["USA-road-d.CAL"][1][0] / TABLE2["USA-road-d.CAL"][4][0], "x", 1),
        count([faster(found["Dijkstra"], found[c]) for found in (asia, road) for c in RIVALS],
              ", ".join(fold(ratio(found["Workfront Sweep"], found["Dijkstra"])) for found in (asia, road)) + " as fast as Workfront Sweep"),
        count([rates[name] > deep for name in ("msdoor", "circuit5M_dc", "rmat.3Mv.20Me", "flickr")]),
        count([ratio(found["Bellman-Ford"], found[c]) < mean[c] for c in mean for found in (asia, road)]),
        gain([ratio(*pair) for pair in uneven.values()], [TABLE2[name][0][0] / TABLE2[name][4][0] for name in uneven], unsure(uneven.values())),
    ]  # fmt: skip


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
    alone = fold(ratio(found["without"], found["with"]))
    default = ratio(found["without, default"], found["with, default"])
    published = [name, "published", technique, given(core), "-", given(off), f"{core / off:.1f}x", given(on), f"{core / on:.1f}x",
                 f"{off / on:.2f}x", "", "", ""]  # fmt: skip
    cells = {form: timed(line, 4) for form, line in found.items()}
    measured = [graph_of(found["with"]), "measured", f"`{HBF_OFF[name]}`", cells["one core"], cells["nothing"], cells["without"],
                fold(speed[0]), cells["with"], fold(speed[1]), alone, cells["without, default"],
                cells["with, default"], fold(default)]  # fmt: skip
    # the base of the gain: without the technique, or without any where that is faster
    base = min(("without", "nothing"), key=lambda form: median_ms(found[form]))
    words = f"over all off, which is faster than this one off ({alone})" if base == "nothing" else ""
    words += f"{words and '; '}{fold(default)} by default, {fold(speed[1])} over one core"
    return [published, measured], gain(ratio(found[base], found["with"]), off / on, unsure([(found[base], found["with"])]), words)


@figure("h-bf", "t3", ("basic frontier-based", "warp workload makes", "edge classification makes",
                       "dynamic parallelism and virtual warps make", "64-bit atomics make", "negative weights"))
def table3(lines, _):
    found = {name: {head: lines.job(f"h-bf/t3/{name}/{end}") for head, end in T3_ROWS.items()} for name in TABLE3}
    rows, techniques = zip(*(technique_rows(name, each) for name, each in found.items()))
    off = ratios(found.values(), "one core", "nothing")
    text = table(["graph", "", "technique", "one core", "H-BF, nothing", "without it", "speed", "with it", "speed", "gain",
                  "default without it", "default", "gain"], sum(rows, []))  # fmt: skip
    right = [all(line["verification"] == "right" for line in each.values()) for each in found.values()]
    return text, [count([x >= 12.5 for x in off], range_of(off) + " times"), *techniques, count(right)]  # fmt: skip


@figure("h-bf", "classes", ("classes save atomics",))
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
        less, more = (counter(line, "atomics") for line in (on, off))
        saved[original] = by_noise(more, less, 0.02), 1 - less / more
    text = table(["graph", "self-loops", "edges relaxed without", "with", "atomics without", "with", "ms without", "with", "gain"], rows)
    words = ", ".join(f"{name}: {share * 100:.0f} %" for name, (_, share) in saved.items()) + " fewer atomics"
    return text, [count([saved["wiki-talk"][0], saved["msdoor"][0] and saved["circuit5M_dc"][0]], words)]


F9_ROWS = {"Bellman-Ford without a queue": "topology-bf", "Bellman-Ford with a queue, one core": "bellman-ford",
           "H-BF, nothing": "plain", "H-BF, published form": "published", "H-BF, default": "hbf", "Near-Far": "near-far",
           "Dijkstra": "dijkstra"}  # fmt: skip


@figure("h-bf", "fig9", ("far fewer relaxations", "six orders of magnitude", "fewer relaxations than the sequential queue",
                         "within an order"))
def figure9(lines, plots):
    found = {head: lines.job(f"h-bf/fig9/msdoor/{end}") for head, end in F9_ROWS.items()}
    edges, lowered = ({head: run_median(line, key) for head, line in found.items()} for key in ("edges_examined", "relaxations"))
    rows = [[head, f"{edges[head]:,.0f}", f"{lowered[head]:,.0f}", f"{counter(line, 'atomics'):,}" if counter(line, "atomics") else "-"]
            for head, line in found.items()]  # fmt: skip
    series = {"edges relaxed": [x / 1e6 for x in edges.values()], "distances lowered": [x / 1e6 for x in lowered.values()]}
    plots.bars("h-bf-fig9", "Work of one traversal of msdoor's surrogate", "millions", [x.replace("Bellman-Ford", "BF") for x in found],
               series, f"{graph_of(found['Dijkstra'])}, weights 1..255, one source, seed 1.", log=True)  # fmt: skip
    without, queue, _, ours, _, _, dijkstra = edges.values()
    orders = math.log10(without / ours)
    return table(["", "edges relaxed", "distances lowered", "atomics"], rows), [
        count([without > 2 * queue, orders > 2.5],
              f"{fold(without / queue)} fewer with a queue; H-BF saves {orders:.1f} of the five orders that the text has it save"),
        amount(without / dijkstra, 1e6, "x", words=f"{math.log10(without / dijkstra):.1f} orders above Dijkstra"),
        count([by_noise(queue, ours, 0.02)], f"{fold(ours / queue)} as many"),
        amount(ours / dijkstra, 10, "x", -1, f"{math.log10(ours / dijkstra):.1f} orders above Dijkstra"),
    ]  # fmt: skip


@figure("h-bf", "knobs")
def knobs(_lines, _plots):
    columns = {"H-BF; with it": ("hbf", HBF_FORM), "H-BF, nothing": ("hbf", HBF_PLAIN)}
    for column, end in ROWS.items():
        if column != "H-BF":
            published = (end.removesuffix("-published"), HBF_RIVALS) if end.endswith("-published") else (end, "")
            columns[column] = HBF_CORE.get(end, published)
    return knobs_table(columns)
