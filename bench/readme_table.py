#!/usr/bin/env python3
"""Fills the measured parts of the documents from bench/results/measured.jsonl and cores.jsonl beside it; `--check` only compares.

Usage: bench/readme_table.py [--check] [--root DIR] [--results FILE] [--fringe PATH]

It writes the blocks between marks in README.md and docs/performance.md, and the plot docs/plots/h200.svg. A table is of
one machine, commit and date. bench/results/README.md defines the time of each
program.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from statistics import mean, median

import cores_table
import readme_plot
from documents import filled, table, update, without_empty, wrapped
from result_lines import GRAPHS, RESULTS, count, graph_words, parameters, read_lines

ROOT = os.path.normpath(os.path.join(os.path.dirname(RESULTS), os.pardir))
PROBLEMS = ("bfs", "sssp")


def only(lines, *keys):
    """The value that all lines share; keys: one within the other."""
    values = set()
    for line in lines:
        for key in keys:
            line = line.get(key, {})
        values.add(line if isinstance(line, (str, int)) else None)
    if len(values) != 1:
        raise SystemExit(f"lines of one table differ in {keys[-1]}: {sorted(map(str, values))}")
    return values.pop()


def ms(x):
    """About three digits, the precision of the clock."""
    return f"{x:.3f}" if x < 1 else f"{x:.2f}" if x < 10 else f"{x:.1f}" if x < 100 else f"{x:.0f}"


def gpu_words(device):
    return f"{device['name']} (driver {device['driver']}, CUDA {device['cuda']})"


def machine(lines):
    """Machine, commit and date."""
    commits = list(dict.fromkeys(line["commit"] for line in lines))
    return (
        f"{only(lines, 'cores')} cores of an {only(lines, 'cpu')}, commit{'s' if len(commits) > 1 else ''} {', '.join(commits)}, "
        f"{only(lines, 'date')}"
    )


# ---- the suites gpu and gpu-sssp ------------------------------------------------------------------


def rooflines(fringe, lines, limits):
    """{case: the line of `fringe bench roofline` for auto}."""
    counted = [line for line in lines if line["strategy"] == "auto" and line.get("min_work", {}).get("vertices")]
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("results.jsonl", "microbench.jsonl")]
        for path, part in zip(paths, (counted, limits)):
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(line) + "\n" for line in part)
        done = subprocess.run([fringe, "bench", "roofline", *paths, "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{fringe} bench roofline: {done.stderr.strip()}")
    return {bound["case"]: bound for bound in map(json.loads, done.stdout.splitlines())}


def gpu_row(lines, bounds):
    """A row of the GPU's table from all lines of one graph; None where auto has no time."""
    times = {line["strategy"]: line["traverse_ns"]["median"] * 1e-6 for line in lines}
    if "auto" not in times:
        return None
    ours, auto = times.pop("auto"), next(line for line in lines if line["strategy"] == "auto")
    best, bound = min(times, key=times.get, default=None), bounds.get(auto["case"])
    first = [ms(x * 1e-6) for x in (auto["first_ns"], auto["call_ns"]["median"])]
    ends = [f"{bound['bound_ns'] * 1e-6:.3g}", f"{bound['ratio']:.1f}"] if bound else ["", ""]
    graph = auto["graph"]
    return [graph_words(graph["name"]), auto["surrogate_for"], count(graph["m"]), *first, ms(ours),
            f"{ms(times[best])} (`{best}`)" if best else "", *ends]  # fmt: skip


def gpu_table(measured, problem, fringe):
    """The suite of a problem on the GPU: the machine, and a row for each graph."""
    suite = {"bfs": "gpu", "sssp": "gpu-sssp"}[problem]
    all_lines = [line for line in measured if line.get("suite") == suite and "graph" in line and "variant" not in line]
    lines = [line for line in all_lines if "traverse_ns" in line]
    device = lines[0]["device"]
    only(lines, "device", "driver")
    limits = [line for line in measured if "microbench" in line and line["device"]["name"] == device["name"]]
    bounds = rooflines(fringe, lines, limits)
    cases = dict.fromkeys(line["case"] for line in lines)
    rows = [gpu_row([line for line in lines if line["case"] == case], bounds) for case in cases]
    heads = ["graph", "surrogate for", "stored edges", "first answer, ms", "call, ms", "`auto`, ms", "fastest other strategy, ms",
             "roofline, ms", "`auto` / roofline"]  # fmt: skip
    others = sorted({f"`{line['strategy']}`" for line in lines} - {"`auto`"})
    lost = [f"{line['case']} ({line['skipped']})" for line in all_lines if line["strategy"] == "auto" and "skipped" in line]
    text = (
        f"{gpu_words(device)}, commit {only(lines, 'commit')}, {only(lines, 'date')}; medians of {only(lines, 'sources')} sources."
        + (f" Other strategies of that run: {', '.join(others)}." if others else "")
        + (f" No time for {', '.join(lost)}." if lost else "")
        + f" Microbenchmarks: commit {only(limits, 'commit')}, {only(limits, 'date')}."
    )
    return wrapped(text) + table(*without_empty(heads, [row for row in rows if row]))


# ---- loading, Graph500 -------------------------------------------------------------------------------


def load_table(measured):
    lines = [line for line in measured if line.get("kind") == "load"]
    programs = list(dict.fromkeys((line["program"], line["threads"]) for line in lines))
    rows = []
    for file in dict.fromkeys(line["file"] for line in lines):
        here = {(x["program"], x["threads"]): x for x in lines if x["file"] == file}
        size = next(x["megabytes"] for x in here.values() if "megabytes" in x)
        rows.append([f"`{file}` ({size:.0f} MB)", *(f"{here[key]['load_s']:.2f}" if key in here else "" for key in programs)])
    heads = [f"{p}, {t} thread{'s' if t > 1 else ''}, s" for p, t in programs]
    return wrapped(f"{machine(lines)}.") + table(["file", *heads], rows)


def graph500_table(measured):
    """A row for each object of `fringe graph500 --json`."""
    rows = []
    for run in (line for line in measured if "nbfs" in line):
        kernels, device = [run[kernel] for kernel in PROBLEMS], run["device"]
        rates = [f"{x['TEPS']['harmonic_mean'] / 1e9:.3g} ({x['TEPS']['harmonic_stddev'] / 1e9:.2g})" for x in kernels]
        seconds = [run["construction_time"], *(x.get("mean_validate") or mean(x["validate_times"]) for x in kernels)]
        where = gpu_words(device) if "driver" in device else f"{device['name']}, {device['threads']} threads"
        where += f", host {run['host']}" if "host" in run else ""
        rows.append([run["scale"], f"{where}; commit {run['commit']}, {run['date']}", *rates, *(f"{x:.3g}" for x in seconds)])
    return table(["scale", "where", "BFS, GTEPS", "SSSP, GTEPS", "construction", "validation of a BFS", "of an SSSP"], rows)


# ---- other programs on one GPU --------------------------------------------------------------------

# README has a graph of each kind, the lowest speed-ups among them, of SSSP a Kronecker graph on which Tigr and GSWITCH ran
# warm; docs/performance.md has all
README_GRAPHS = {"bfs": ("kron24", "cnr-2000", "moscow"), "sssp": ("kron21", "cnr-2000", "moscow")}
README_FLOATS = ("kron21", "moscow")
# all but cuGraph report the time of the traversal
NAMES = {"blest": "BLEST", "xbfs": "XBFS", "gunrock": "Gunrock", "lonestar": "LonestarGPU", "lonestar-persistent": "LonestarGPU",
         "gswitch": "GSWITCH", "adds": "ADDS", "tigr": "Tigr", "enterprise": "Enterprise", "ligra": "Ligra, 16 cores",
         "gapbs": "GAPBS, 16 cores"}  # fmt: skip
ONE_PROBLEM = {"blest": "bfs", "xbfs": "bfs", "enterprise": "bfs", "lonestar-persistent": "sssp", "adds": "sssp"}


class Peers:
    """The medians of `"kind": "peer"` lines, in ms. Exits where fringe has none, or has several machines or commits."""

    def __init__(self, lines):
        self.lines = {(line["program"], line["graph"]): line for line in lines if line.get("kind") == "peer"}
        ours = [(f"fringe-{problem}", graph) for problem in PROBLEMS for graph in GRAPHS]
        missing = [key for key in ours if key not in self.lines]
        if missing:
            raise SystemExit(f"no line has {missing[0][0]} on {missing[0][1]}")
        lines = [self.lines[key] for key in ours]
        only(lines, "gpu", "name")
        self.commit = only(lines, "commit")
        self.machine = f"one {gpu_words(lines[0]['gpu'])} and {machine(lines)}"

    def ms(self, program, graph):
        return self.lines.get((program, graph), {}).get("ms")

    def best_other(self, problem, graph):
        """(ms, name) of the fastest other traversal."""
        programs = {p if p in ("blest", "xbfs", "enterprise", "adds") else f"{p}-{problem}": name for p, name in NAMES.items()
                    if ONE_PROBLEM.get(p, problem) == problem}  # fmt: skip
        return min((self.ms(program, graph), name) for program, name in programs.items() if self.ms(program, graph))

    def times(self, problem, graph):
        """(fringe's traversal, the fastest other one, its name, fringe's call, cuGraph's call)."""
        call, cugraph = (self.ms(program, graph) for program in (f"fringe-{problem}-wall", f"cugraph-{problem}"))
        return (self.ms(f"fringe-{problem}", graph), *self.best_other(problem, graph), call, cugraph)


def digits(ratio):
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def span(values):
    return f"{min(values):.1f} to {digits(max(values))}"


def headline(peers):
    """What a whole call gains, in words."""
    bfs, sssp = ([other / call for _, other, _, call, _ in (peers.times(p, graph) for graph in GRAPHS)] for p in PROBLEMS)
    return wrapped(
        f"On one NVIDIA H200 a whole call of BFS, with the levels copied to the host, is {median(bfs):.1f} times as fast as the "
        f"traversal alone of the fastest other program in the median of {len(GRAPHS)} graphs ({span(bfs)}), a call of SSSP "
        f"{median(sssp):.1f} times ({span(sssp)})."
    )


def peer_tables(peers):
    """A table for each problem with all graphs."""
    parts = []
    for problem, words in zip(PROBLEMS, ("BFS", "SSSP, weights 1..255")):
        rows = []
        for graph, name in GRAPHS.items():
            ours, other, program, call, cugraph = peers.times(problem, graph)
            rows.append([name, ms(ours), f"{ms(other)} ({program})", digits(other / ours), ms(call), ms(cugraph), digits(cugraph / call)])
        parts.append(table([f"{words}: ms", "fringe traversal", "fastest other traversal", "speed-up", "fringe call", "cuGraph call",
                            "speed-up"], rows))  # fmt: skip
    return "\n".join(parts) + "\n" + wrapped(f"Medians of up to 32 sources on {peers.machine}.")


def by_type_lines(measured):
    return {(line["graph"], line["distribution"]): line for line in measured if line.get("kind") == "by type"}


def by_type(measured):
    """Traversals and calls of SSSP by the type and distribution of the weights."""
    lines = by_type_lines(measured)
    names = list(dict.fromkeys(name for _, name in lines))
    every = list(lines.values())
    only(every, "commit")
    text = (
        f"{gpu_words(every[0]['gpu'])}, {machine(every)}; medians of {only(every, 'sources')} sources, without parents, but for BFS. "
        "float32 and float64 are uniform in (0, 1), exponential has a mean of 100, log-normal a sigma of 1.5, both as float64."
    )
    tables = [table([f"{words}, ms", *names], [[GRAPHS[graph], *(ms(lines[graph, name][key][1]) for name in names)]
                                               for graph in dict.fromkeys(graph for graph, _ in lines)])
              for words, key in (("traversal", "traverse_ms"), ("call", "call_ms"))]  # fmt: skip
    return wrapped(text) + "\n".join(tables)


def float_rows(measured, peers):
    """SSSP with float64 weights beside the fastest other program with its own, 1..255, if measured at the same commit."""
    lines = by_type_lines(measured)
    for graph in README_FLOATS if {line["commit"] for line in lines.values()} == {peers.commit} else ():
        call, (other, program) = lines[graph, "float64"]["call_ms"][1], peers.best_other("sssp", graph)
        yield [f"SSSP, float64, {GRAPHS[graph]}", ms(call), f"{ms(other)} ({program})", digits(other / call)]


def short_table(measured, peers):
    """README's table: whole calls of both problems."""
    rows = []
    for problem in PROBLEMS:
        for graph in README_GRAPHS[problem]:
            _, other, program, call, _ = peers.times(problem, graph)
            rows.append([f"{problem.upper()}, {GRAPHS[graph]}", ms(call), f"{ms(other)} ({program})", digits(other / call)])
    floats = list(float_rows(measured, peers))
    rows += floats
    heads = ["On one H200", "fringe, call, ms", "best other, traversal, ms", "times"]
    return table(heads, rows) + "\n" + wrapped(
        f"Medians of up to 32 sources, weights 1..255{' (float64: in (0, 1), others 1..255)' if floats else ''}, on {peers.machine}; "
        "results in host memory. Repeat with `bench/measured.sh`.")  # fmt: skip


# ---- first answers on CPUs (bench/in_turns.py first-answer) ----------------------------------------

FIRST = {"first call": "fringe, first answer", "tenth call": "fringe, last answer", "its traversal": "fringe, last traversal"}
FIRST_OTHERS = {"gapbs": "GAPBS", "dial": "Dial's buckets", "plain queue": "plain queue"}


def family(times, name):
    """The best time of a program over its parameters; None if it did not run."""
    return min((x for key, x in times.items() if key.split(" delta ")[0] == name), default=None)


def first_cells(line):
    """The graph in words, the times of FIRST, and the fastest other program."""
    family_, given = parameters(line["graph"])
    words = f"Kronecker, scale {given['scale']}" if family_ == "kronecker" else graph_words(line["graph"]).split(",")[0]
    others = {label: family(line["ms"], name) for name, label in FIRST_OTHERS.items()}
    best = min((name for name in others if others[name]), key=others.get)
    return [words, *(ms(line["ms"][name]) for name in FIRST.values()), f"{ms(others[best])} ({best})"]


def slower_than_others(lines):
    """Where fringe takes longer than the fastest other program, as a sentence."""
    cases = []
    for line in lines:
        parts = [f"{head} {line['ratio'][FIRST[head]]:.2f}" for head in list(FIRST)[:2] if line["ratio"][FIRST[head]] > 1]
        if parts:
            cases.append(f"{line['problem'].upper()} on {first_cells(line)[0]} ({', '.join(parts)})")
    return f" fringe is slower than the fastest other (median ratio): {'; '.join(cases)}." if cases else ""


def first_answers(measured):
    """First and tenth calls compared with the fastest other program."""
    lines = [line for line in measured if line.get("kind") == "first answer"]
    rows = [[f"{line['problem'].upper()}: {cells[0]}", *cells[1:]] for line in lines for cells in [first_cells(line)]]
    words = (
        f"Medians of {only(lines, 'rounds')} rounds in turns, with two threads, on {machine(lines)}. A first call also makes the solver. "
        "A later call may prepare the graph; the other programs prepare nothing."
    )
    return table(["On two CPU cores: ms", *FIRST, "fastest other"], rows) + "\n" + wrapped(words + slower_than_others(lines))


# ---- the documents --------------------------------------------------------------------------------


def documents(root, results, fringe):
    """{path: its text as measured}"""
    measured = read_lines(results)
    peers = Peers(measured)
    blocks = {
        "README.md": {"speed": headline(peers) + short_table(measured, peers)},
        "docs/performance.md": {
            **{f"gpu-{problem}": gpu_table(measured, problem, fringe) for problem in PROBLEMS},
            "by-type": by_type(measured),
            "peers": peer_tables(peers),
            "first-answers": first_answers(measured),
            "cores": cores_table.short_table(cores_table.Cores(os.path.join(os.path.dirname(results), "cores.jsonl"))),
            "graph500": graph500_table(measured),
            "load": load_table(measured),
        },
    }
    texts = {os.path.join(root, name): filled(os.path.join(root, name), each) for name, each in blocks.items()}
    return {**texts, os.path.join(root, "docs/plots/h200.svg"): readme_plot.draw(peers, GRAPHS)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a document differs")
    parser.add_argument("--root", default=ROOT, help="the folder with README.md and docs/")
    parser.add_argument("--results", default=os.path.join(RESULTS, "measured.jsonl"))
    parser.add_argument("--fringe", default=os.path.join(ROOT, "build", "fringe"), help="the command, which computes the rooflines")
    options = parser.parse_args()
    return update(documents(options.root, options.results, options.fringe), options.check, "bench/readme_table.py")


if __name__ == "__main__":
    sys.exit(main())
