"""BFS-4K (Busato, Bombieri, TPDS 2015): Tables 1 and 2, Figs. 7 and 12 to 15, and the work that the abstract claims."""

import graphs
from documents import table
from graphs import PUBLISHED
from jobs import BFS4K_FORM, BFS4K_STRATEGIES, BFS4K_STEPS, BFS4K_WORK, HIER_FORM, WIDTHS, bfs4k_published
from lines import (NOT, ascending, complete, counter, facts_table, faster, fastest, fold, geometric_mean, given,
                   graph_of, knobs_table, median_ms, quartiles, range_of, ratio, ratios, some, timed, times, work_table)  # fmt: skip
from page import figure
from rules import amount, best, by_noise, count, gain, same_order, unsure

# columns of the paper, then fringe's forms of the two systems that it has improved
COLUMNS = ("Harish [4]", "edge parallel [7]", "virtual warp [5]", "Luo [15]", "Garland [16]", "BFS-4K")
FORMS = ("hier-queue", "bfs4k")
JOBS = {**BFS4K_STRATEGIES, "Luo [15]": "hier-published", "BFS-4K": "published", "hier-queue": "hier-queue", "bfs4k": "bfs4k"}
TABLE1, TABLE2 = PUBLISHED["bfs4k_t1"], PUBLISHED["bfs4k_t2"]
NOTE = "Four random sources that reach a tenth of the graph."


def all_times(lines):
    """{graph: ({column: line}, the width of the fastest static virtual warps)}."""
    everything = {}
    for original in (surrogate.original for surrogate in graphs.BFS4K):
        name = f"bfs-4k/t2/{original}"
        widths = lines.each(name, {width: f"width-{width}" for width in WIDTHS})
        width = next(iter(ascending(widths)), None)
        found = {**lines.each(name, JOBS), "virtual warp [5]": widths.get(width)}
        if any(found.values()):
            everything[original] = {column: found[column] for column in COLUMNS + FORMS}, width
    return some(everything, "bfs-4k/t2")


def published_times(original):
    """{column: ms, or None where the paper has words}; the third has its width, too."""
    values = [x[0] if isinstance(x, list) else x for x in TABLE2[original]]
    return {column: None if isinstance(x, str) else x for column, x in zip(COLUMNS, values)}


@figure("bfs-4k", "t1")
def table1(lines, _):
    return facts_table(lines, graphs.BFS4K, TABLE1)


@figure("bfs-4k", "t2", ("on every graph", "speed over Harish's", "where edge-parallel", "Garland's is faster than Luo's",
                         "widths of static virtual warps"))
def table2(lines, _):
    everything, rows = all_times(lines), []
    for original, (found, width) in everything.items():
        cells = [f"{given(x[0])} (W{x[1]})" if isinstance(x, list) else given(x) for x in TABLE2[original]]
        shown = [timed(line, 4) + (f" (W{width})" if column == "virtual warp [5]" and line else "") for column, line in found.items()]
        winners = " = ".join(fastest({column: found[column] for column in COLUMNS}))
        rows += [[original, "published", *cells, "", ""], ["", f"measured; fastest: {winners}", *shown]]
    text = table(["graph", "", *COLUMNS, *(f"`{form}` by default" for form in FORMS)], rows)
    return text, claims_of_times({name: found for name, (found, _) in everything.items()}) + [claim_of_widths(lines)]  # fmt: skip


def claims_of_times(everything):
    have = complete(everything).values()
    default = [best(found, "bfs4k", COLUMNS[:-1]) for found in have]
    speeds = ratios(everything.values(), "Harish [4]", "BFS-4K")
    published = {name: published_times(name) for name in TABLE2}
    theirs = geometric_mean([each["Harish [4]"] / each["BFS-4K"] for each in published.values()])
    first, second = "edge parallel [7]", "Harish [4]"
    edges = [same_order(found[first], found[second], published[name][first] < published[name][second]) for name, found in everything.items()]
    garland = [faster(found["Garland [16]"], found["Luo [15]"]) for name, found in everything.items() if published[name]["Garland [16]"]]
    return [
        count([best(found, "BFS-4K", COLUMNS[:-1]) for found in have], f"fringe's default: on {default.count(True)}"),
        gain(geometric_mean(speeds), theirs, unsure([(found["Harish [4]"], found["BFS-4K"]) for found in have]), range_of(speeds)),
        count(edges),
        count(garland),
    ]


def claim_of_widths(lines):
    """Whether the published width is the fastest of all, on each graph."""
    found = {name: lines.each(f"bfs-4k/t2/{name}", {width: f"width-{width}" for width in WIDTHS}) for name in TABLE2}
    found = {name: each for name, each in found.items() if any(each.values())}
    first = [ascending(each)[0] for each in found.values()]
    held = [best(each, TABLE2[name][2][1], [width for width in WIDTHS if width != TABLE2[name][2][1]]) for name, each in found.items()]
    return count(held, "fastest: " + ", ".join(f"W{width} on {first.count(width)}" for width in WIDTHS if width in first))


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


@figure("bfs-4k", "fig7", ("single-block kernel",))
def figure7(lines, plots):
    used = [lines.job(f"bfs-4k/fig7/{original}") for original in ("as-skitter", "roadNet-CA")]
    parts = {line["original"]: phases_of(line) for line in used}
    plots.phases("bfs-4k-fig7", "Frontier by level and the kernel that expands it", parts,
                 f"{'; '.join(map(graph_of, used))}. One source, seed 1.")  # fmt: skip
    shares = [f"{sum(method == 'one-block' for _, method in levels)} of {len(levels)} levels of {name}" for name, levels in parts.items()]
    ends = [levels[0][1] == levels[-1][1] == "one-block" for levels in parts.values()]
    return f"The one-block kernel expands {' and '.join(shares)}.\n", [count(ends)]


# ---- Figs. 12 and 13: the same jobs, with counters and without ------------------------------------

PLAIN = "no duplicates (atomic claims)"
VISITS = ("VirtualWarp1", "VirtualWarp4", "VirtualWarp4 + Hash64", "EdgeDiscover", "EdgeDiscover + Hash64")
TABLES = ("VirtualWarp4", "VirtualWarp4 + table per warp [16]", "VirtualWarp4 + Hash64", "VirtualWarp4 + exchange")


def entries_of(lines, labels):
    """({label: [entries of the frontier a level]}, those without duplicates, a note for the plot)."""
    found = {label: [level["frontier"] for level in lines.job(f"bfs-4k/count/{label}")["level_list"]] for label in labels}
    plain = lines.job(f"bfs-4k/count/{PLAIN}")
    return found, [level["frontier"] for level in plain["level_list"]], f"{graph_of(plain)}. One source, seed 1."


def over(entries, plain, value):
    """{label: [value(entries, entries without duplicates) a level, or None]}."""
    return {label: [value(each[i], base) if i < len(each) else None for i, base in enumerate(plain)] for label, each in entries.items()}


@figure("bfs-4k", "fig12", ("larger virtual warps",))
def figure12(lines, plots):
    entries, plain, note = entries_of(lines, VISITS)
    series = over(entries, plain, lambda n, base: 100 * max(n / base - 1, 0))
    plots.curves("bfs-4k-fig12", "Duplicates in the frontier, percent of its vertices", "percent", "level", series, note)
    entries[PLAIN] = plain
    share = {label: max(sum(each) - sum(plain), 0) / sum(each) for label, each in entries.items()}
    text = table(["level", *map(str, range(len(plain)))], [[label, *(f"{size:,}" for size in each)] for label, each in entries.items()])
    rows = [[label, f"{sum(each):,}", f"{share[label] * 100:.2f} %"] for label, each in entries.items()]
    one, four, discover = (share[label] for label in ("VirtualWarp1", "VirtualWarp4", "EdgeDiscover"))
    # detection can only remove entries: the most that it seems to add is noise
    away = max(0, *(share[f"{label} + Hash64"] - share[label] for label in ("VirtualWarp4", "EdgeDiscover")))
    claim = f"width 1: {one * 100:.1f} %, width 4: {four * 100:.1f} %, edge-discover: {discover * 100:.1f} % (±{away * 100:.1f} points)"
    return text + "\n" + table(["visit", "entries", "duplicates among them"], rows), [
        count([by_noise(four, one, away / one), discover < four / 2 - away], claim)
    ]


@figure("bfs-4k", "fig13", ("hash64 finds more", "detecting duplicates saves"))
def figure13(lines, plots):
    entries, plain, note = entries_of(lines, TABLES)
    timings = lines.each("bfs-4k/time", TABLES)
    rows, share, count_of = [], {}, {}
    for label in TABLES:
        line = lines.job(f"bfs-4k/count/{label}")
        found, missed, conflicts = (counter(line, key) for key in ("duplicates_found", "duplicates_missed", "conflicts"))
        share[label] = found / (found + missed) if found + missed else 0
        count_of[label] = found
        rows.append([label, f"{found:,}", f"{missed:,}", f"{share[label] * 100:.1f} %", f"{conflicts:,}", timed(timings[label]),
                     fold(ratio(timings["VirtualWarp4"], timings[label]))])  # fmt: skip
    plots.bars("bfs-4k-fig13", "Duplicates in the frontier, by detection", "thousands of duplicates", [str(i) for i in range(len(plain))],
               over(entries, plain, lambda n, base: max(n - base, 0) / 1e3), note, xlabel="level")  # fmt: skip
    both = ("VirtualWarp4 + Hash64", "VirtualWarp4 + table per warp [16]")
    ours, theirs = (share[label] for label in both)
    chance = 2 * sum(1 / max(count_of[label], 1) for label in both) ** 0.5  # of counts of one run
    return table(["detection", "found", "missed", "found, share", "conflicts", "ms", "speed over none"], rows), [
        count([by_noise(ours, theirs, max(0.05, chance))], f"{ours * 100:.2f} % of the duplicates against {theirs * 100:.2f} %"),
        count([faster(timings["VirtualWarp4 + Hash64"], timings["VirtualWarp4"])],
              fold(ratio(timings["VirtualWarp4"], timings["VirtualWarp4 + Hash64"])) + " as fast as without"),
    ]  # fmt: skip


# ---- Figs. 14 and 15 ------------------------------------------------------------------------------


@figure("bfs-4k", "fig14", ("every technique adds",))
def figure14(lines, plots):
    columns = {"Harish [4]": "simple", "Jia [7]": "edge-parallel", **{label: label for label in BFS4K_STEPS}}
    serial, found = lines.job("bfs-4k/fig14/serial"), {label: lines.job(f"bfs-4k/fig14/{end}") for label, end in columns.items()}
    speeds = {label: ratio(serial, line) for label, line in found.items()}
    errors = [[median_ms(serial) / x for x in quartiles(times(line))] for line in found.values()]
    plots.bars("bfs-4k-fig14", "Speed over one core (serial)", "times as fast", list(found), {"speed": list(speeds.values())},
               f"{graph_of(serial)}. {NOTE} Lines: quartiles.", errors={"speed": errors})  # fmt: skip
    steps = list(BFS4K_STEPS)[:4]
    held = [faster(found[after], found[before]) for before, after in zip(steps, steps[1:])]
    held.append(best(found, "published form", [label for label in columns if label not in ("published form", "as fringe runs it")]))
    gains = [fold(ratio(found[before], found[after])) for before, after in zip(steps, steps[1:])]
    claim = "edge-discover {}, dynamic parallelism {}, duplicate detection {}".format(*gains)
    rows = [[label, timed(line), fold(speeds[label])] for label, line in found.items()]
    return table(["", "ms", "times as fast as `serial`"], rows), [count(held, claim)]


@figure("bfs-4k", "work", ("asymptotically optimal",))
def work(lines, _):
    text, most = work_table([lines.job(f"bfs-4k/work/{name}") for name in BFS4K_WORK])
    return text, [amount(most, 1, " times the edges reached", -1)]


@figure("bfs-4k", "fig15")
def figure15(lines, plots):
    found = {name: each for name, (each, _) in all_times(lines).items()}
    series = {column: ratios(found.values(), "Harish [4]", column) for column in COLUMNS[1:]}
    series["bfs4k by default"] = ratios(found.values(), "Harish [4]", "bfs4k")
    theirs = [published_times(name) for name in found]
    published = {column: [each["Harish [4]"] / each[column] if each.get(column) else None for each in theirs] for column in series}
    plots.bars("bfs-4k-fig15", "Speed over Harish [4]", "times as fast", list(found), series,
               f"Surrogates of the named graphs, seed 1 (Table 1). {NOTE} x: no time.", log=True, line=1, published=published)  # fmt: skip
    rows = [[name, fold(geometric_mean(published[name])) if any(published[name]) else NOT, fold(geometric_mean(values))]
            for name, values in series.items()]  # fmt: skip
    return table(["geometric mean over Harish", "published", "measured"], rows)


@figure("bfs-4k", "knobs")
def knobs(_lines, _plots):
    columns = {column: (strategy, "") for column, strategy in BFS4K_STRATEGIES.items()}
    columns["virtual warp [5]"], columns["Luo [15]"] = ("virtual-warp", "width=W"), ("hier-queue", HIER_FORM)
    columns["BFS-4K"] = ("bfs4k", f"k1, k4, k5 by section 7, k3=16, {BFS4K_FORM}")
    for name in ("roadNet-CA", "as-skitter", "random.2Mv.128Me"):
        columns[f"BFS-4K on {name}"] = ("bfs4k", bfs4k_published(name))
    return knobs_table(columns)
