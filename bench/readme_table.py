#!/usr/bin/env python3
"""Writes the measured parts of the documents from bench/results/measured.jsonl; `--check` only compares.

Usage: bench/readme_table.py [--check] [--root DIR] [--results FILE] [--fringe PATH]

It writes the blocks between markers in README.md and docs/performance.md, the plot docs/plots/h200.svg, and the page
docs/results/measured.md. A table is of one machine, commit and date.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from statistics import mean, median

import first_answer_lines
import readme_plot
from peer_lines import GRAPHS, PROBLEMS, Peers
from result_lines import RESULTS, count, graph_words, read_lines

BLOCK = re.compile(r"(<!-- ([\w-]+): written by bench/readme_table.py -->\n).*?(<!-- end -->\n)", re.DOTALL)
ROOT = os.path.normpath(os.path.join(os.path.dirname(RESULTS), os.pardir))
FRINGE = os.path.join(ROOT, "build", "fringe")
GPU_SUITES = {"bfs": ("gpu", ("", "levels")), "sssp": ("gpu-sssp", (", random integer weights 1..255,", "distances"))}
PLAIN = {"bfs": ("fringe serial", "plain queue"), "sssp": ("fringe dijkstra", "plain heap")}
PEERS = [("gapbs", "GAP Benchmark Suite"), ("lagraph", "LAGraph"), ("dial", "Dial's buckets, one core"),
         ("scipy", "SciPy"), ("igraph", "igraph")]  # fmt: skip


def only(lines, what, get):
    """The value that all lines share."""
    values = {get(line) for line in lines}
    if len(values) != 1:
        raise SystemExit(f"lines of one table differ in {what}: {sorted(map(str, values))}")
    return values.pop()


def ms(seconds):
    """About three digits, the precision of the clock."""
    x = seconds * 1e3
    return f"{x:.3f}" if x < 1 else f"{x:.2f}" if x < 10 else f"{x:.1f}" if x < 100 else f"{x:.0f}"


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def wrapped(text):
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False) + "\n\n"


def answer_times(lines):
    """[the first answer, a call] of auto, in ms; "" in lines of versions that did not measure them."""
    auto = next(line for line in lines if line["strategy"] == "auto" and "traverse_ns" in line)
    first, call = auto.get("first_ns"), auto.get("call_ns", {}).get("median")
    return [ms(x * 1e-9) if x else "" for x in (first, call)]


def gpu_row(lines, bounds):
    """A row of the GPU's table from all lines of one graph; None where auto has no time."""
    timed = [line for line in lines if "traverse_ns" in line and "variant" not in line]
    times = {line["strategy"]: line["traverse_ns"]["median"] * 1e-9 for line in timed}
    ours = times.pop("auto", None)
    if ours is None:
        return None
    best = min(times, key=times.get) if times else None
    graph = lines[0]["graph"]
    words = [graph_words(graph["name"]), lines[0]["surrogate_for"], count(graph["m"]), *answer_times(lines)]
    bound = bounds.get(lines[0]["case"])
    ends = [f"{bound['bound_ns'] * 1e-6:.3g}", f"{bound['ratio']:.1f}"] if bound else ["", ""]
    return words + [ms(ours), f"{ms(times[best])} (`{best}`)" if best else ""] + ends


def rooflines(fringe, lines, limits):
    """{case: the line of `fringe bench roofline` for auto}. Lines of builds that did not count the work have none."""
    counted = [
        line
        for line in lines
        if line["strategy"] == "auto" and "traverse_ns" in line and line.get("min_work", {}).get("vertices")
    ]
    if not counted or not limits:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("results.jsonl", "microbench.jsonl")]
        for path, part in zip(paths, (counted, limits)):
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(line) + "\n" for line in part)
        done = subprocess.run(
            [fringe, "bench", "roofline", *paths, "--json"], capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise SystemExit(f"{fringe} bench roofline: {done.stderr.strip()}")
    return {bound["case"]: bound for bound in map(json.loads, done.stdout.splitlines())}


def about_roofline(limits):
    """The work's bound, and where its microbenchmarks ran."""
    return (
        " The roofline is the least time that the device's microbenchmarks (commit "
        f"{only(limits, 'commit', lambda x: x.get('commit'))}, {only(limits, 'date', lambda x: x.get('date'))}) "
        "allow for the work ([formulas](../benchmarking.md#roofline))."
    )


def about_rows(lines):
    """The other strategies that ran, and the graphs without a time of `auto`."""
    others = sorted({line["strategy"] for line in lines if "traverse_ns" in line} - {"auto"})
    without = [
        f"{line['case']} ({line['skipped']})"
        for line in lines
        if line["strategy"] == "auto" and "variant" not in line and "skipped" in line
    ]
    fewer = {line["sources"] for line in lines if line["strategy"] in others} - {lines[0]["sources"]}
    each = f", {min(fewer)} sources each" if fewer else ""
    text = f" Other strategies of that run{each}: {', '.join(f'`{o}`' for o in others)}." if others else ""
    return text + (f" No time for {', '.join(without)}." if without else "")


def without_empty(heads, rows):
    """The table without its empty columns."""
    kept = [i for i in range(len(heads)) if any(row[i] for row in rows)]
    return [heads[i] for i in kept], [[row[i] for i in kept] for row in rows]


def gpu_table(measured, problem, fringe):
    suite, words = GPU_SUITES[problem]

    def wanted(line):
        ours = line.get("suite") in (suite, "auto") and line.get("problem", "bfs") == problem
        return ours and line.get("backend") == "cuda" and "graph" in line

    lines = [line for line in measured if wanted(line)]
    if not lines:
        return ""
    device = only(lines, "device", lambda x: tuple(x["device"][k] for k in ("name", "driver", "cuda")))
    limits = [line for line in measured if "microbench" in line and line["device"]["name"] == device[0]]
    bounds = rooflines(fringe, lines, limits)
    ours = [line for line in lines if line["strategy"] == "auto"]
    cases = list(dict.fromkeys(line["case"] for line in lines))
    rows = [gpu_row([line for line in lines if line["case"] == case], bounds) for case in cases]
    rows = [row for row in rows if row]
    heads = ["graph", "surrogate for", "stored edges", "first answer, ms", "call, ms", "`auto`, ms", "fastest other strategy, ms"]
    heads += ["roofline, ms", "`auto` / roofline"]
    heads, rows = without_empty(heads, rows)
    text = (
        f"{problem.upper()}{words[0]} on one {device[0]} (driver {device[1]}, CUDA {device[2]}), commit "
        f"{only(lines, 'commit', lambda x: x['commit'])}, {only(lines, 'date', lambda x: x['date'])}: "
        f"{words[1]} and parents, graph on the device, median of "
        f"{only(ours, 'sources', lambda x: x['sources'])} sources, the "
        f"first answer of each strategy checked. Repeat with `fringe bench --suite {suite} --backend cuda --graphs "
        f"DIR --sources {lines[0]['sources']}`." + about_rows(lines) + (about_roofline(limits) if bounds else "")
    )
    return wrapped(text) + table(heads, rows)


def family(seconds, name):
    """The best time of a peer over its parameters; None if it did not run."""
    times = [s for key, s in seconds.items() if key == name or key.startswith(name + " ")]
    return min(times) if times else None


def cpu_columns(lines, problem):
    """[(head, function of a line's seconds)]: fringe, then the peers that every line has."""
    columns = [("`auto` on the GPU, ms", lambda s: s.get("fringe auto (GPU)"))]
    columns.append(("`auto`, ms", lambda s: s.get("fringe auto")))
    plain, words = PLAIN[problem]
    columns.append((f"{words}, ms", lambda s: s.get(plain)))
    columns += [(f"{words}, ms", lambda s, k=key: family(s, k)) for key, words in PEERS]
    return [(head, get) for head, get in columns if all(get(line["seconds"]) for line in lines)]


def machine(lines):
    """Machine, commit and date, as far as the lines have them."""
    cpu = only(lines, "processor", lambda x: x.get("cpu"))
    cores = only(lines, "cores", lambda x: x.get("cores"))
    commits = list(dict.fromkeys(line["commit"] for line in lines if "commit" in line))
    return (
        (f"{cores} cores of an {cpu}" if cpu else "a CPU")
        + (f", commit{'s' if len(commits) > 1 else ''} {', '.join(commits)}" if commits else "")
        + f", {only(lines, 'date', lambda x: x.get('date'))}"
    )


def prepared(lines):
    """The range of fringe's preparation times, in words."""
    spans = [line["prepare_s"] for line in lines if line.get("prepare_s")]
    if not spans:
        return "These times leave out the preparation of the graph, which happens once."
    low, high = ms(min(spans)), ms(max(spans))
    return (
        "These times leave out the preparation of the graph, which happens once and takes "
        f"{low}{'' if low == high else ' to ' + high} ms."
    )


def gpu_and_host(gpu):
    """The GPU of a comparison's lines, in words."""
    return f"one {gpu['name']} (driver {gpu['driver']}, CUDA {gpu['cuda']}) and " if gpu else ""


def peer_table(measured, problem, with_gpu):
    """fringe and other programs, on the CPU only or also on the GPU."""

    def wanted(line):
        return line.get("kind") == "compare" and ("gpu" in line) == with_gpu and line["problem"] == problem

    lines = [line for line in measured if wanted(line)]
    if not lines:
        return ""
    columns = cpu_columns(lines, problem)
    sources = only(lines, "sources", lambda x: x.get("sources"))
    words = f"{sources} sources, " if sources else ""
    weighted = problem == "sssp"
    again = "bench/compare_cpu.py --fringe build/fringe --problem sssp" if weighted else "make bench-cpu"
    again = "make bench-peers" if with_gpu else again
    gpu = gpu_and_host(lines[0].get("gpu"))
    text = (
        f"{problem.upper()}{', random integer weights 1..255,' if weighted else ''} on {gpu}{machine(lines)}: {words}"
        f"medians over the sources, all answers checked{', GAP with its best delta' if weighted else ''}. "
        f"{prepared(lines)} Repeat with `GAPBS=... {again}`."
    )
    rows = [[graph_words(line["graph"])] + [ms(get(line["seconds"])) for _, get in columns] for line in lines]
    return wrapped(text) + table(["graph"] + [head for head, _ in columns], rows)


def load_table(measured):
    lines = [line for line in measured if line.get("kind") == "load"]
    if not lines:
        return ""
    max_threads = max(line["threads"] for line in lines)
    programs = list(dict.fromkeys((line["program"], line["threads"]) for line in lines))
    heads = [f"{p}, {t} thread{'s' if t > 1 else ''}, s" for p, t in programs]
    rows = []
    for file in dict.fromkeys(line["file"] for line in lines):
        times = {(x["program"], x["threads"]): x["load_s"] for x in lines if x["file"] == file}
        size = [x["megabytes"] for x in lines if x["file"] == file and "megabytes" in x]
        rows.append([f"`{file}`" + (f" ({size[0]:.0f} MB)" if size else "")])
        rows[-1] += [f"{times[key]:.2f}" if key in times else "" for key in programs]
    text = (
        f"From text to a sorted, symmetric graph in memory, on {machine(lines)}: medians, up to {max_threads} threads. Repeat "
        "with `make bench-load`."
    )
    return wrapped(text) + table(["file"] + heads, rows)


def device_words(run):
    device = run["device"]
    gpu = f" (driver {device['driver']}, CUDA {device['cuda']})" if "driver" in device else ""
    threads = f", {device['threads']} threads" if "threads" in device else ""
    return device["name"] + gpu + threads + (f", host {run['host']}" if "host" in run else "")


def graph500_table(measured):
    """A row for each object of `fringe graph500 --json`."""
    rows = []
    for run in (line for line in measured if "nbfs" in line):
        kernels = [run[kernel] for kernel in ("bfs", "sssp")]
        rates = [
            f"{x['TEPS']['harmonic_mean'] / 1e9:.3g} ({x['TEPS']['harmonic_stddev'] / 1e9:.2g})" for x in kernels
        ]
        seconds = [run["construction_time"], *(x.get("mean_validate") or mean(x["validate_times"]) for x in kernels)]
        where = f"{device_words(run)}; commit {run['commit']}, {run['date']}"
        rows.append([str(run["scale"]), where, *rates, *(f"{x:.3g}" for x in seconds)])
    if not rows:
        return ""
    text = (
        "Graph500, edge factor 16, 64 keys, seed 0, every answer validated: billions of edges per second "
        "([TEPS](../benchmarking.md#fringe-graph500)), harmonic mean and its standard deviation; times in seconds. Repeat with "
        "`fringe graph500 --scale S --backend cuda`."
    )
    heads = ["scale", "where", "BFS, GTEPS", "SSSP, GTEPS", "construction", "validation of a BFS", "of an SSSP"]
    return wrapped(text) + table(heads, rows)


ABOUT = """# Measured times

Written by `bench/readme_table.py` from [measured.jsonl](../../bench/results/measured.jsonl), which has all programs and
parts of each time. [bench/README.md](../../bench/README.md) explains how to repeat the measurements.
"""


def page(measured, fringe, peers):
    """The whole of docs/results/measured.md."""
    every_graph = tables(peers, tuple(GRAPHS)).lstrip() + "\n"
    sections = [
        ("GPU", [gpu_table(measured, problem, fringe) for problem in ("bfs", "sssp")]),
        ("Other programs, one GPU (README has five of the graphs)", [every_graph]),
        ("Other programs, one GPU and its host", [peer_table(measured, p, True) for p in ("bfs", "sssp")]),
        ("Other programs, CPU", [peer_table(measured, p, False) for p in ("bfs", "sssp")]),
        ("Graph500", [graph500_table(measured)]),
        ("Loading", [load_table(measured)]),
    ]
    filled = [(head, [part for part in parts if part]) for head, parts in sections]
    return "\n".join([ABOUT] + [f"## {head}\n\n" + "\n".join(parts) for head, parts in filled if parts])


def span(values):
    return f"{min(values):.1f} to {max(values):.0f}" if max(values) >= 10 else f"{min(values):.1f} to {max(values):.1f}"


def headline(peers):
    """The two speed-ups and the comparison of whole calls, in words."""
    bfs, sssp = (list(peers.speedups(problem).values()) for problem in PROBLEMS)
    slower = [
        f"{problem.upper()} on {words}"
        for problem in PROBLEMS
        for graph, words in GRAPHS.items()
        if peers.calls(problem, graph)[0] > peers.calls(problem, graph)[1]
    ]
    exceptions = f", except for {' and '.join(slower)}" if slower else ""
    return wrapped(
        f"On one NVIDIA H200, fringe's BFS traversal is {median(bfs):.1f} times as fast as the fastest other program "
        f"in the median of {len(GRAPHS)} graphs ({span(bfs)} times), its SSSP traversal {median(sssp):.1f} times "
        f"({span(sssp)} times). A whole call also copies the result to the host, and is still faster than a call of "
        f"cuGraph, which leaves it on the GPU{exceptions}."
    )[:-1]


def speedup(ratio):
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def peer_row(peers, problem, graph):
    ours, (other, name), (call, cugraph) = (
        peers.traversal(problem, graph),
        peers.best_other(problem, graph),
        peers.calls(problem, graph),
    )
    traversal = [ms(ours * 1e-3), f"{ms(other * 1e-3)} ({name})", speedup(other / ours)]
    return [GRAPHS[graph], *traversal, ms(call * 1e-3), ms(cugraph * 1e-3), speedup(cugraph / call)]


# README has a graph of each kind, those of the lowest speed-ups among them; docs/results/measured.md has all.
README_GRAPHS = ("kron24", "lj-like", "cnr-2000", "grid3d", "moscow")


def short_cells(peers, problem, graph):
    """The traversals of peer_row; the speed-up follows the other program's time."""
    _, ours, other, ratio, *_ = peer_row(peers, problem, graph)
    return [ours, other.replace(")", f", {ratio} x)")]


def short_table(peers):
    """README's table of the GPU, with both problems in one row, and the words about it."""
    heads = ["Traversal on one H200: ms"]
    for problem in PROBLEMS:
        heads += [problem.upper(), "fastest other"]
    rows = [[GRAPHS[graph]] + [c for p in PROBLEMS for c in short_cells(peers, p, graph)] for graph in README_GRAPHS]
    return table(heads, rows), f"Medians of up to 32 sources, SSSP with weights 1..255, on {peers.machine()}."


def tables(peers, graphs):
    """The two tables of fringe and the other programs."""
    parts = []
    for problem, words in zip(PROBLEMS, ("BFS", "SSSP, weights 1..255")):
        heads = [f"{words}: ms", "fringe traversal", "fastest other traversal", "speed-up"]
        heads += ["fringe call", "cuGraph call", "speed-up"]
        parts.append(table(heads, [peer_row(peers, problem, graph) for graph in graphs]))
    words = f"Medians of up to 32 sources on {peers.machine()}: another commit and other sources than in the tables above."
    where = wrapped(words)[:-1]
    return "\n" + "\n".join([*parts, where])


def first_answer_table(measured, wide=False):
    """First and tenth calls on CPU cores compared with the fastest other program, and the words about them; wide: both
    problems of a graph in one row."""
    lines = [line for line in measured if line.get("kind") == "first answer"]
    if not lines:
        return "", ""
    reports = [first_answer_lines.Report(line) for line in lines]
    prepares = "" if wide else " A later call may prepare the graph; the other programs prepare nothing."
    where = (
        f"Medians of {only(lines, 'rounds', lambda x: x['rounds'])} rounds in turns, on {machine(lines)}. "
        f"A first call also makes the solver.{prepares}{first_answer_lines.slower(reports)}"
    )
    heads, rows = first_answer_lines.wide(reports) if wide else first_answer_lines.long(reports)
    return table(heads, rows), where


def with_words(*parts):
    """The tables, then one paragraph with the text about all tables."""
    filled = [part for part in parts if part[0]]
    if not filled:
        return ""
    words = wrapped(" ".join(words for _, words in filled))[:-1]
    return "\n" + "\n".join([each for each, _ in filled] + [words])


def replaced(name, text, blocks):
    """A document's text with the marked blocks replaced."""
    if sorted(match[1] for match in BLOCK.findall(text)) != sorted(blocks):
        raise SystemExit(f"{name}: needs the markers of {', '.join(blocks)} once each")
    return BLOCK.sub(lambda match: match[1] + blocks[match[2]] + match[3], text)


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def documents(root, results, fringe):
    """{path below root: its text as measured}"""
    measured = read_lines(results)
    peers = Peers(measured)
    blocks = {
        "README.md": {
            "headline": headline(peers),
            "tables": with_words(short_table(peers), first_answer_table(measured, wide=True)),
        },
        "docs/performance.md": {"first-answers": with_words(first_answer_table(measured))},
    }
    return {
        **{name: replaced(name, read(os.path.join(root, name)), blocks[name]) for name in blocks},
        "docs/plots/h200.svg": readme_plot.draw(peers),
        "docs/results/measured.md": page(measured, fringe, peers),
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a document differs")
    parser.add_argument("--root", default=ROOT, help="the folder with README.md and docs/")
    parser.add_argument("--results", default=os.path.join(RESULTS, "measured.jsonl"))
    parser.add_argument("--fringe", default=FRINGE, help="the command, which computes the rooflines")
    options = parser.parse_args()
    differs = False
    for name, new in documents(options.root, options.results, options.fringe).items():
        path = os.path.join(options.root, name)
        old = read(path)
        if not options.check:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
        elif old != new:
            sides = old.splitlines(True), new.splitlines(True)
            sys.stdout.writelines(difflib.unified_diff(*sides, name, "as measured"))
            print(f"{name} differs from {options.results}: run bench/readme_table.py")
            differs = True
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
