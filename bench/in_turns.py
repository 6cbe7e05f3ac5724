#!/usr/bin/env python3
"""Compares what a caller waits for between builds, and with other programs: all of them run in turns on the same graph
from the same sources, so that all see the same state of the machine.

Usage: bench/in_turns.py first-answer [--gapbs DIR] [--problem bfs|sssp] [--turns N] [--output FILE] BUILD...
       bench/in_turns.py call [--graphs DIR] [--problem bfs|sssp] [--turns N] [--output FILE] BUILD...

Prints for each graph the medians over the turns, in ms, and the median ratio within a turn: on a busy machine only the
ratio counts. BUILD: a folder with fringe and bench/; the first one writes the graphs. A wrong answer ends the script.

first-answer, on the CPU: BUILD/bench/bench_first_answer with `auto` (a new solver, --queries queries): making the solver,
the first answer (which includes it), the second and the last one, the last traversal, and page faults of the first
answer. Compared with bench_first_answer with `serial` (BFS: the plain queue), bench_dial (SSSP) and GAP's kernels (sssp:
each of --deltas), whose traversal is their answer, as they prepare nothing. The ratio is of the first answer to the best of
them.

call, on one GPU: BUILD/bench/bench_call: the traversal's clock; the call with levels (or distances) in a host array that
was used before ("warm"), and beyond the clock; the call with no array ("none") and with parents; one query of
fr_solve_each ("each"). The ratio is of the time beyond the clock to the first build's. Two builds, four graphs and
three turns take about 40 s on an H200.

--output appends lines of the first build for bench/results.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile

import compare_peers
from from_file import SUITE
from peers import programs
from peers.common import Graph, Unusable, Wrong, command, machine, put


def run(build, program, *words):
    return json.loads(command([os.path.join(build, "bench", program), *map(str, words)]))


# ---- first-answer ---------------------------------------------------------------------------------


def first_answer(options, build, strategy, graph, turn):
    """The figures of a build, and the sources."""
    line = run(build, "bench_first_answer", "-r", 1, "-n", options.queries, "-j", options.threads, "-s", options.seed + turn,
               options.problem, strategy, graph.path)  # fmt: skip
    call = line["call_ms"]
    return {"new": line["new_ms"], "first": call[0], "second": call[1], "last": call[-1], "traversal": line["clock_ms"][-1],
            "faults": sum(line["faults"][:2]), "rest": statistics.median(call[1:])}, line["sources"]  # fmt: skip


def others_of(options, graph, sources, turn):
    """{program: median milliseconds over the sources}."""
    found = {}
    for tool in programs.dial(options) + programs.gapbs(options):
        try:
            found[tool.name] = 1e3 * statistics.median(tool.seconds(graph, sources[: options.peer_sources]).values())
        except Unusable as why:
            print(f"  {tool.name}: left out: {why}", file=sys.stderr)
    if options.problem == "bfs":
        plain, _ = first_answer(options, options.builds[0], "serial", graph, turn)
        found["plain queue"] = plain["rest"]
    return found


def first_turn(options, graph, turn):
    """{build or program: {column: figure}}; ratios: to the best other program."""
    rows, sources = {}, []
    for build in options.builds:
        rows[build], sources = first_answer(options, build, "auto", graph, turn)
    others = others_of(options, graph, sources, turn)
    best = min(others.values(), default=None)
    for row in rows.values():
        row.update({f"{column}/best": row[column] / best for column in ("first", "last", "traversal")} if best else {})
    return {**rows, **{name: {"first": ms} for name, ms in others.items()}}


def put_first(options, facts, description, medians):
    """The line of the first build, by the names that readme_table.py reads."""
    ours, names = medians[options.builds[0]], {"first answer": "first", "last answer": "last", "last traversal": "traversal"}
    others = {name: row["first"] for name, row in medians.items() if name not in options.builds}
    put(options, {"kind": "first answer", "problem": options.problem, "graph": description, **facts, "threads": options.threads,
                  "queries": options.queries, "rounds": options.turns,
                  "ms": {**{f"fringe, {name}": ours[column] for name, column in names.items()}, **others},
                  "ratio": {f"fringe, {name}": ours.get(f"{column}/best") for name, column in names.items()}})  # fmt: skip


def measure_first(options):
    facts = machine(options.fringe) if options.output else {}
    for description in options.only or compare_peers.GRAPHS:
        with tempfile.TemporaryDirectory() as folder:
            graph = Graph(options, description, folder)
            turns = [first_turn(options, graph, turn) for turn in range(options.turns)]
        columns = ("new", "first", "second", "last", "traversal", "faults", "first/best")
        medians = show(options, description, columns, turns)
        if options.output:
            put_first(options, facts, description, medians)


# ---- call -----------------------------------------------------------------------------------------


def put_calls(options, facts, name, medians):
    """The clock and the call of the first build, by the names that readme_table.py reads."""
    ours = medians[options.builds[0]]
    for program, column in ((f"fringe-{options.problem}", "clock"), (f"fringe-{options.problem}-wall", "warm")):
        put(options, {"kind": "peer", "program": program, "graph": name, **facts, "sources": options.sources, "ms": ours[column]})


def call_turn(options, graph):
    rows = {}
    for build in options.builds:
        line = run(build, "bench_call", "-n", options.sources, "-t", options.threads, "-p", options.problem, *graph)
        rows[build] = {column: line[f"{key}_ms"] for column, key in
                       (("clock", "clock"), ("warm", "warm"), ("none", "none"), ("parents", "parents"), ("each", "each_warm"))}  # fmt: skip
        rows[build]["beyond"] = line["warm_ms"] - line["clock_ms"]
        rows[build]["beyond/first"] = rows[build]["beyond"] / rows[options.builds[0]]["beyond"]
    return rows


def measure_calls(options):
    """On graphs of the suite gpu; its files are left out without --graphs."""
    facts = machine(options.fringe, gpu=True) if options.output else {}
    for name in options.only or ("cnr-2000", "kron21", "moscow", "wiki-like"):
        graph, ways = SUITE.get(name, (name, []))
        if ":" in graph or options.graphs:
            path = graph if ":" in graph else os.path.join(options.graphs, graph)
            words = [{"--undirected": "-u", "--simple": "-d"}[way] for way in ways] + [path]
            turns = [call_turn(options, words) for _ in range(options.turns)]
            medians = show(options, name, ("clock", "warm", "beyond", "none", "parents", "each", "beyond/first"), turns)
            if options.output:
                put_calls(options, facts, name, medians)


# ---------------------------------------------------------------------------------------------------


def show(options, name, columns, turns):
    """Prints the medians of a graph; returns {row: {column: median}}."""
    print(f"\n{options.problem} {name}, {options.threads} threads, medians of {len(turns)} turns")
    print(f"  {'':24} {' '.join(f'{column:>11}' for column in columns)}")
    medians = {}
    for row in turns[0]:
        keys = turns[0][row]
        medians[row] = {key: statistics.median(turn[row][key] for turn in turns if row in turn) for key in keys}
        cells = [f"{medians[row][column]:11.3f}" if column in keys else f"{'':11}" for column in columns]
        print(f"  {row[-24:]:24} {' '.join(cells)}", flush=True)
    return medians


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=("first-answer", "call"))
    p.add_argument("builds", nargs="+", metavar="BUILD")
    p.add_argument("--problem", choices=("bfs", "sssp"), default="bfs")
    p.add_argument("--turns", type=int, default=3)
    p.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument("--only", action="append", metavar="GRAPH", help="a graph; may be repeated")
    p.add_argument("--gapbs", help="first-answer: folder with GAP's bfs and sssp")
    p.add_argument("--deltas", default="1,8,32,64,128", help="first-answer of sssp: GAP's deltas to try")
    p.add_argument("--queries", type=int, default=10, help="first-answer: of one solver")
    p.add_argument("--peer-sources", type=int, default=3, help="first-answer: sources of the other programs")
    p.add_argument("--output", metavar="FILE", help="append a JSON object per graph")
    p.add_argument("--graphs", metavar="DIR", help="call: folder of cnr-2000 and osm-moscow-roads; left out without it")
    p.add_argument("--sources", type=int, default=32, help="call: of a graph")
    p.set_defaults(seed=1, weights="random:1,255")
    options = p.parse_args()
    options.fringe = os.path.join(options.builds[0], "fringe")
    try:
        (measure_first if options.what == "first-answer" else measure_calls)(options)
    except Wrong as wrong:
        print(f"wrong answer: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
