#!/usr/bin/env python3
"""Compares what a caller waits for: fringe's first and later answers compared with GAPBS and plain programs.

Usage: bench/compare_first_answer.py [--fringe PATH] [--gapbs DIR] [--problem bfs|sssp] [GRAPH...]

Per graph (by default the three of compare_cpu.py) and round, the programs run one after the other from the
same sources: bench_first_answer with `auto` (a new solver, --queries queries), the same with `serial` (BFS:
the plain queue), bench_dial (SSSP: the bucket queue), GAP's kernels (sssp: each of --deltas). GAP and
bench_dial prepare nothing, so that their traversal is their answer, the first as the tenth. fringe's first
answer includes making the solver. Prints the medians over the rounds, and the median over the rounds of
fringe's time divided by that of the best other program in the same round: on a busy machine only this
ratio counts. Exits 1 if an answer is wrong.
"""

import json
import os
import statistics
import sys
import tempfile

from peers import compare, machine, registry
from peers.common import Graph, Unusable, Wrong, command


def answers(options, graph, strategy, seed):
    """The line of bench_first_answer: lists of milliseconds per query."""
    program = os.path.join(os.path.dirname(options.fringe), "bench", "bench_first_answer")
    words = [program, "-r", "1", "-n", str(options.queries), "-j", str(options.threads), "-s", str(seed)]
    return json.loads(command(words + [options.problem, strategy, graph.path]))


def others_of(options, graph, sources):
    """{program: median milliseconds over the sources}."""
    found = {}
    for tool in registry.dial(options) + registry.gapbs(options):
        try:
            seconds = tool.seconds(graph, sources)
        except Unusable as why:
            print(f"  {tool.name}: left out: {why}", file=sys.stderr)
            continue
        found[tool.name] = 1e3 * statistics.median(seconds.values())
    return found


def one_round(options, graph, round_):
    """({name: milliseconds}, {name: ratio to the best other program})."""
    ours = answers(options, graph, "auto", options.seed + round_)
    others = others_of(options, graph, ours["sources"][: options.peer_sources])
    if options.problem == "bfs":
        plain = answers(options, graph, "serial", options.seed + round_)
        others["plain queue"] = statistics.median(plain["call_ms"][1:])
    mine = {
        "fringe, first answer": ours["call_ms"][0],
        "fringe, last answer": ours["call_ms"][-1],
        "fringe, last traversal": ours["clock_ms"][-1],
    }
    best = min(others.values()) if others else None
    return {**mine, **others}, {name: ms / best for name, ms in mine.items()} if best else {}


def measure(options, description):
    with tempfile.TemporaryDirectory() as folder:
        graph = Graph(options, description, folder)
        rounds = [one_round(options, graph, i) for i in range(options.rounds)]
    times = {name: statistics.median(r[0][name] for r in rounds) for name in rounds[0][0]}
    ratios = {name: statistics.median(r[1][name] for r in rounds) for name in rounds[0][1]}
    return times, ratios


def report(options, description, times, ratios):
    print(f"\n{options.problem} {description}, {options.threads} threads, {options.queries} queries")
    for name, ms in times.items():
        ratio = f"   {ratios[name]:6.2f} of the best other's" if name in ratios else ""
        print(f"  {name:24} {ms:10.2f} ms{ratio}")
    sys.stdout.flush()


def main():
    parser = compare.parser(__doc__)
    parser.add_argument("--queries", type=int, default=10, help="of one solver")
    parser.add_argument("--peer-sources", type=int, default=3, help="sources of the other programs")
    options = parser.parse_args()
    facts = machine.facts(options.fringe)
    for description in options.graphs:
        try:
            times, ratios = measure(options, description)
        except Wrong as wrong:
            print(f"wrong answer: {wrong}", file=sys.stderr)
            return 1
        report(options, description, times, ratios)
        compare.put(options, {"kind": "first answer", "problem": options.problem, "graph": description,
                              **facts, "threads": options.threads, "queries": options.queries, "rounds": options.rounds,
                              "ms": times, "ratio": ratios})  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
