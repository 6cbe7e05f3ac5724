#!/usr/bin/env python3
"""Writes the tables under "Measured" in README.md from bench/results; `--check` only compares.

Usage: bench/readme_table.py [--check] [--readme FILE] [--results DIR]

Of the files that have what a table needs, the last one by name counts, so that a table has one
machine, driver and date, and one commit unless it says more. Nothing between the two markers is written by hand.
"""

import argparse
import difflib
import glob
import os
import sys
import textwrap

from floor import Limits, floor_ns
from result_lines import RESULTS, count, graph_words, read_lines

BEGIN = "<!-- Written by bench/readme_table.py from bench/results; edit those. -->\n"
END = "<!-- End of what bench/readme_table.py writes. -->\n"
README = os.path.join(os.path.dirname(RESULTS), os.pardir, "README.md")
GPU_SUITES = {"bfs": ("gpu", ("", "levels")), "sssp": ("gpu-sssp", (", random whole weights 1..255,", "distances"))}
PLAIN = {"bfs": ("fringe serial", "plain queue"), "sssp": ("fringe dijkstra", "plain heap")}
PEERS = [("gapbs", "GAP Benchmark Suite"), ("lagraph", "LAGraph"), ("dial", "Dial's buckets, one core"),
         ("scipy", "SciPy"), ("igraph", "igraph")]  # fmt: skip


def last_with(files, wanted):
    """(file name, the lines that are wanted) of the last file that has any; (None, [])."""
    for path in sorted(files, reverse=True):
        lines = [line for line in read_lines(path) if wanted(line)]
        if lines:
            return os.path.basename(path), lines
    return None, []


def only(lines, what, get):
    """The one value that all lines have."""
    values = {get(line) for line in lines}
    if len(values) != 1:
        raise SystemExit(f"lines of one table differ in {what}: {sorted(map(str, values))}")
    return values.pop()


def ms(seconds):
    """About three digits, as many as the clock is worth."""
    x = seconds * 1e3
    return f"{x:.3f}" if x < 1 else f"{x:.2f}" if x < 10 else f"{x:.1f}" if x < 100 else f"{x:.0f}"


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def wrapped(text):
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False) + "\n\n"


def gpu_row(lines, limits):
    """A row of the GPU's table from all lines of one graph; None where auto has no time."""
    timed = [line for line in lines if "traverse_ns" in line and "variant" not in line]
    times = {line["strategy"]: line["traverse_ns"]["median"] * 1e-9 for line in timed}
    ours = times.pop("auto", None)
    if ours is None:
        return None
    best = min(times, key=times.get) if times else None
    graph = lines[0]["graph"]
    words = [graph_words(graph["name"]), lines[0]["stands_for"], count(graph["m"])]
    least = floor_ns(lines[0], limits) if limits else None
    ends = [f"{least * 1e-6:.3g}", f"{ours * 1e9 / least:.1f}"] if least else ["", ""]
    return words + [ms(ours), f"{ms(times[best])} (`{best}`)" if best else ""] + ends


def limits_of(files, device):
    """(file name, the limits of that device); (None, None) where nobody measured them."""
    name, lines = last_with(files, lambda line: "limit" in line and line["device"]["name"] == device)
    limits = Limits(lines)
    return (name, limits) if limits.usable() else (None, None)


def about_floor(name):
    return (
        " The floor is what the work comes to at the device's own limits "
        f"([formulas](docs/measuring.md#fringe-bench-floor), [{name}](bench/results/{name}))."
    )


def about_rows(lines):
    """Which other rows ran, and the graphs on which `auto` got no time."""
    others = sorted({line["strategy"] for line in lines if "traverse_ns" in line} - {"auto"})
    without = [
        f"{line['case']} ({line['skipped']})"
        for line in lines
        if line["strategy"] == "auto" and "variant" not in line and "skipped" in line
    ]
    fewer = {line["sources"] for line in lines if line["strategy"] in others} - {lines[0]["sources"]}
    each = f", {min(fewer)} sources each" if fewer else ""
    text = f" Other rows of that run{each}: {', '.join(f'`{o}`' for o in others)}." if others else ""
    return text + (f" No time for {', '.join(without)}." if without else "")


def without_empty(heads, rows):
    """The table less its columns that no row fills."""
    kept = [i for i in range(len(heads)) if any(row[i] for row in rows)]
    return [heads[i] for i in kept], [[row[i] for i in kept] for row in rows]


def gpu_table(files, problem):
    suite, words = GPU_SUITES[problem]

    def wanted(line):
        ours = line.get("suite") in (suite, "auto") and line.get("problem", "bfs") == problem
        return ours and line.get("backend") == "cuda" and "graph" in line

    name, lines = last_with(files, wanted)
    if not lines:
        return ""
    device = only(lines, "device", lambda x: tuple(x["device"][k] for k in ("name", "driver", "cuda")))
    limits_name, limits = limits_of(files, device[0])
    ours = [line for line in lines if line["strategy"] == "auto"]
    cases = list(dict.fromkeys(line["case"] for line in lines))
    rows = [gpu_row([line for line in lines if line["case"] == case], limits) for case in cases]
    rows = [row for row in rows if row]
    heads = ["graph", "stands for", "stored edges", "`auto`, ms", "fastest other row, ms"]
    heads += ["floor, ms", "`auto` / floor"]
    floors = any(row[-1] for row in rows)  # lines say what work there was
    heads, rows = without_empty(heads, rows)
    text = (
        f"{problem.upper()}{words[0]} on one {device[0]} (driver {device[1]}, CUDA {device[2]}), commit "
        f"{only(lines, 'commit', lambda x: x['commit'])}, {only(lines, 'date', lambda x: x['date'])}: "
        f"{words[1]} and parents, graph on the device, median of "
        f"{only(ours, 'sources', lambda x: x['sources'])} sources, the "
        f"first answer of each row checked. Repeat with `fringe bench --suite {suite} --backend cuda --graphs "
        f"DIR --sources {lines[0]['sources']}`; all lines are in [{name}](bench/results/{name})."
        + about_rows(lines)
        + (about_floor(limits_name) if floors else "")
    )
    return wrapped(text) + table(heads, rows)


def family(seconds, name):
    """The best time of a peer, whatever its parameter; None when it did not run."""
    times = [s for key, s in seconds.items() if key == name or key.startswith(name + " ")]
    return min(times) if times else None


def cpu_columns(lines, problem):
    """[(head, time of a line's seconds)]: fringe, then what every line has of the others."""
    columns = [("`auto` on the GPU, ms", lambda s: s.get("fringe auto (GPU)"))]
    columns.append(("`auto`, ms", lambda s: s.get("fringe auto")))
    plain, words = PLAIN[problem]
    columns.append((f"{words}, ms", lambda s: s.get(plain)))
    columns += [(f"{words}, ms", lambda s, k=key: family(s, k)) for key, words in PEERS]
    return [(head, get) for head, get in columns if all(get(line["seconds"]) for line in lines)]


def problem_of(line):
    return line.get("problem") or ("sssp" if "fringe dijkstra" in line["seconds"] else "bfs")


def machine(lines):
    """Where, of what and when, as far as the lines say."""
    cpu = only(lines, "processor", lambda x: x.get("cpu"))
    cores = only(lines, "cores", lambda x: x.get("cores"))
    commits = list(dict.fromkeys(line["commit"] for line in lines if "commit" in line))
    return (
        (f"{cores} cores of an {cpu}" if cpu else "a CPU")
        + (f", commit{'s' if len(commits) > 1 else ''} {', '.join(commits)}" if commits else "")
        + f", {only(lines, 'date', lambda x: x.get('date'))}"
    )


def prepared(lines):
    """The span of fringe's preparation, in words."""
    spans = [line["prepare_s"] for line in lines if line.get("prepare_s")]
    if not spans:
        return "Preparing the graph once is not in these times."
    low, high = ms(min(spans)), ms(max(spans))
    return f"Preparing the graph once ({low}{'' if low == high else '-' + high} ms) is not in these times."


def beside(gpu):
    """The GPU of a comparison's lines, in words."""
    return f"one {gpu['name']} (driver {gpu['driver']}, CUDA {gpu['cuda']}) and " if gpu else ""


def peer_table(files, problem, with_gpu):
    """fringe beside other programs, on the CPU alone or with its row on the GPU too."""

    def wanted(line):
        return "seconds" in line and ("gpu" in line) == with_gpu and problem_of(line) == problem

    name, lines = last_with(files, wanted)
    if not lines:
        return ""
    lines = list({line["graph"]: line for line in lines}.values())  # a repeated graph: its last line
    columns = cpu_columns(lines, problem)
    sources = only(lines, "sources", lambda x: x.get("sources"))
    words = f"{sources} sources, " if sources else ""
    weighted = problem == "sssp"
    again = "bench/compare_cpu.py --fringe build/fringe --problem sssp" if weighted else "make bench-cpu"
    again = "make bench-peers" if with_gpu else again
    gpu = beside(lines[0].get("gpu"))
    text = (
        f"{problem.upper()}{', random whole weights 1..255,' if weighted else ''} on {gpu}{machine(lines)}: {words}"
        f"medians over the sources, all answers checked{', GAP with its best delta' if weighted else ''}. "
        f"{prepared(lines)} Repeat with `GAPBS=... {again}`; "
        f"all programs are in [{name}](bench/results/{name})."
    )
    rows = [[graph_words(line["graph"])] + [ms(get(line["seconds"])) for _, get in columns] for line in lines]
    return wrapped(text) + table(["graph"] + [head for head, _ in columns], rows)


def load_table(files):
    name, lines = last_with(files, lambda line: line.get("kind") == "load")
    if not lines:
        return ""
    most = max(line["threads"] for line in lines)
    programs = list(dict.fromkeys((line["program"], line["threads"]) for line in lines))
    heads = [f"{p}, {t} thread{'s' if t > 1 else ''}, s" for p, t in programs]
    rows = []
    for file in dict.fromkeys(line["file"] for line in lines):
        times = {(x["program"], x["threads"]): x["load_s"] for x in lines if x["file"] == file}
        size = [x["megabytes"] for x in lines if x["file"] == file and "megabytes" in x]
        rows.append([f"`{file}`" + (f" ({size[0]:.0f} MB)" if size else "")])
        rows[-1] += [f"{times[key]:.2f}" if key in times else "" for key in programs]
    text = (
        f"From text to a sorted, symmetric graph in memory, on {machine(lines)}: medians, up to {most} threads. Repeat "
        f"with `make bench-load`; parsing and building apart are in [{name}](bench/results/{name})."
    )
    return wrapped(text) + table(["file"] + heads, rows)


def graph500_fields(path):
    """{name: value} of what `fringe graph500` printed."""
    with open(path, encoding="utf-8") as file:
        pairs = [line.partition(":") for line in file if ":" in line]
    return {" ".join(name.split()): value.strip(" !\n") for name, _, value in pairs}


def graph500_table(folder):
    """A row for each whole output in `folder`."""
    rows = []
    for path in sorted(glob.glob(os.path.join(folder, "*graph500*.txt"))):
        run, name = graph500_fields(path), os.path.basename(path)
        rates = [
            f"{float(run[f'{kernel} harmonic_mean_TEPS']) / 1e9:.3g} ({float(run[f'{kernel} harmonic_stddev_TEPS']) / 1e9:.2g})"
            for kernel in ("bfs", "sssp")
        ]
        seconds = [f"{float(run[key]):.3g}" for key in ("construction_time", "bfs mean_validate", "sssp mean_validate")]
        where = f"{run['device']}; commit {run['fringe'].rpartition(' ')[2]}, {name[:10]}"
        rows.append([f"[{run['SCALE']}](bench/results/{name})", where, *rates, *seconds])
    if not rows:
        return ""
    text = (
        "Graph500, edge factor 16, 64 keys, seed 0, every answer validated: billions of edges a second "
        "([TEPS](docs/measuring.md#fringe-graph500)), harmonic mean and its deviation; times in seconds. Repeat with "
        "`fringe graph500 --scale S --backend cuda`; the whole output is behind each scale."
    )
    heads = ["scale", "where", "BFS, GTEPS", "SSSP, GTEPS", "construction", "validating a BFS", "an SSSP"]
    return wrapped(text) + table(heads, rows)


def measured(folder):
    """All that stands between the markers."""
    files = glob.glob(os.path.join(folder, "*.jsonl"))
    parts = [gpu_table(files, problem) for problem in ("bfs", "sssp")]
    parts += [peer_table(files, problem, gpu) for gpu in (True, False) for problem in ("bfs", "sssp")]
    parts += [graph500_table(folder), load_table(files)]
    return "\n" + "\n".join(part for part in parts if part) + "\n"


def replaced(text, inner):
    """README's text with what is between the markers exchanged."""
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise SystemExit("README.md: the two markers of bench/readme_table.py are not there once each")
    head, rest = text.split(BEGIN)
    return head + BEGIN + inner + END + rest.split(END)[1]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when README differs")
    parser.add_argument("--readme", default=README)
    parser.add_argument("--results", default=RESULTS)
    options = parser.parse_args()
    with open(options.readme, encoding="utf-8") as file:
        old = file.read()
    new = replaced(old, measured(options.results))
    if not options.check:
        with open(options.readme, "w", encoding="utf-8") as file:
            file.write(new)
    elif old != new:
        sides = old.splitlines(True), new.splitlines(True)
        sys.stdout.writelines(difflib.unified_diff(*sides, "README.md", "as measured"))
        print("README.md differs from bench/results: run bench/readme_table.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
