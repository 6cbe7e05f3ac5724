#!/usr/bin/env python3
"""Compares the CPU's first answer between builds, and with GAPBS.

Usage: bench/first_answer_turns.py [--gapbs DIR] [--turns N] [--threads N] [--queries N] [--problems bfs,sssp]
                                   [--only GRAPH,...] BUILD...

Runs BUILD/bench/bench_first_answer of every build, and GAP's kernel, in turns from the same source, so that all
see the same state of the machine. Prints for each problem and graph the medians over the turns, in ms: making
the solver, the first answer (which includes it), the second and the last one; page faults of the first answer;
and the median of the first answer relative to GAPBS in the same turn. GAPBS: the median of its 3 trials, which
share their memory; for SSSP with the best of --deltas. BUILD: a folder that has fringe and bench_first_answer;
the first one writes the graphs. Two builds, three graphs and five turns take about 3 minutes on 16 cores.
"""

import argparse
import json
import os
import statistics
import tempfile

from peers import compare, registry
from peers.common import Graph, command


def parsed():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("builds", nargs="+", metavar="BUILD")
    p.add_argument("--gapbs", help="folder with GAP's bfs and sssp; left out without it")
    p.add_argument("--turns", type=int, default=5)
    p.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument("--queries", type=int, default=10, help="of one solver")
    p.add_argument("--problems", default="bfs,sssp")
    p.add_argument("--only", default="kronecker,uniform,grid2d", help="graphs of compare_first_answer.py, by generator")
    p.add_argument("--deltas", default="4,64", help="sssp: GAP's deltas to try")
    p.set_defaults(seed=1, weights="random:1,255")
    return p.parse_args()


def answers(build, options, graph, seed):
    """The line of bench_first_answer."""
    words = [os.path.join(build, "bench", "bench_first_answer"), "-r", "1", "-n", str(options.queries)]
    words += ["-j", str(options.threads), "-s", str(seed), options.problem, "auto", graph.path]
    return json.loads(command(words))


def gapbs_ms(options, graph, source):
    """The fastest of GAP's kernels; None: there is none."""
    tools = registry.gapbs(options) if options.gapbs else []
    return min((1e3 * tool.seconds(graph, [source])[source] for tool in tools), default=None)


def one_turn(options, graph, seed):
    """({build: line}, ms of GAPBS)"""
    lines = {build: answers(build, options, graph, seed) for build in options.builds}
    return lines, gapbs_ms(options, graph, next(iter(lines.values()))["sources"][0])


def print_row(name, values, ratio):
    cells = [f"{value:9.3f}" if value is not None else f"{'':9}" for value in values]
    print(f"  {name:24} {' '.join(cells)} {ratio}")


def print_graph(options, description, turns):
    others = [other for _, other in turns if other]
    print(f"\n{options.problem} {description}, {options.threads} threads, medians of {len(turns)} turns")
    heads = ("new", "first", "second", "last", "faults")
    print(f"  {'':24} {' '.join(f'{head:>9}' for head in heads)} first/gapbs")
    for build in options.builds:
        lines = [turn[build] for turn, _ in turns]
        calls = [[line["call_ms"][at] for line in lines] for at in (0, 1, -1)]
        faults = [sum(line["faults"][:2]) for line in lines if "faults" in line]
        values = [statistics.median(line["new_ms"] for line in lines)] + [statistics.median(c) for c in calls]
        values.append(statistics.median(faults) if faults else None)
        ratio = statistics.median(first / other for first, other in zip(calls[0], others)) if others else None
        print_row(build[-24:], values, f"{ratio:6.2f}" if ratio else "")
    if others:
        print_row("gapbs", [None, statistics.median(others)], "")


def main():
    options = parsed()
    options.fringe = os.path.join(options.builds[0], "fringe")
    names = options.only.split(",")
    for options.problem in options.problems.split(","):
        for description in (graph for graph in compare.GRAPHS if graph.split(":")[0] in names):
            with tempfile.TemporaryDirectory() as folder:
                graph = Graph(options, description, folder)
                turns = [one_turn(options, graph, options.seed + turn) for turn in range(options.turns)]
            print_graph(options, description, turns)


if __name__ == "__main__":
    main()
