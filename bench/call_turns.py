#!/usr/bin/env python3
"""Compares the time that a caller waits for between builds, on one GPU.

Usage: bench/call_turns.py [--graphs DIR] [--turns N] [--sources N] [--threads N] [--problem bfs|sssp]
                           [--only GRAPH,...] BUILD...

Runs BUILD/bench/call_wall of every build in turns, so that all see the same state of the machine, and prints for
each graph the medians over the turns, in ms: the traversal's clock, the call with levels (or distances) in a host
array that was used before ("warm"), their difference, the call with no array ("none") and with parents. The last
column is the difference relative to that of the first build. BUILD: a folder configured with FRINGE_CUDA=ON; its
call_wall is built if it is missing. Two builds, four graphs and three turns take about 40 s on an H200.
"""

import argparse
import os
import statistics
import subprocess
import sys

COLUMNS = ("clock", "warm", "none", "parents")
GRAPHS = "cnr-2000,kron21,moscow,wiki-like"


def parsed():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("builds", nargs="+", metavar="BUILD")
    p.add_argument("--graphs", metavar="DIR", help="folder of cnr-2000 and osm-moscow-roads; left out without it")
    p.add_argument("--turns", type=int, default=3)
    p.add_argument("--sources", type=int, default=32)
    p.add_argument("--threads", type=int, default=min(16, len(os.sched_getaffinity(0))))
    p.add_argument("--problem", choices=("bfs", "sssp"), default="bfs")
    p.add_argument("--only", default=GRAPHS, help=f"graphs of call_wall, with commas; all: every one ({GRAPHS})")
    return p.parse_args()


def program(build):
    path = os.path.join(build, "bench", "call_wall")
    if not os.path.exists(path):
        words = ["cmake", "--build", build, "-j", str(os.cpu_count()), "--target", "call_wall"]
        subprocess.run(words, check=True, stdout=sys.stderr)
    return path


def measured(build, options):
    """{graph: {column: ms}} of one run."""
    words = [program(build), "-n", str(options.sources), "-t", str(options.threads), "-p", options.problem]
    words += ["-g", options.graphs] if options.graphs else []
    words += [] if options.only == "all" else options.only.split(",")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {(done.stderr or done.stdout).strip()}")
    head, *lines = done.stdout.splitlines()
    names = head.split()[2:]  # after "graph" and "n"
    rows = (line.split() for line in lines)
    return {row[1]: dict(zip(names, map(float, row[3:]))) for row in rows if row[0] == options.problem}


def middle(runs, graph, column):
    return statistics.median(run[graph][column] for run in runs)


def print_graph(graph, turns):
    """turns: {build: [run]}"""
    first = None
    for build, runs in turns.items():
        ms = {column: middle(runs, graph, column) for column in COLUMNS}
        beyond = statistics.median(run[graph]["warm"] - run[graph]["clock"] for run in runs)
        first = first or beyond
        values = (ms["clock"], ms["warm"], beyond, ms["none"], ms["parents"])
        print(f"{graph:10} " + " ".join(f"{value:8.3f}" for value in values) + f" {beyond / first:8.2f}  {build}")


def main():
    options = parsed()
    turns = {build: [] for build in options.builds}
    for _ in range(options.turns):
        for build, runs in turns.items():
            runs.append(measured(build, options))
    heads = ("clock", "warm", "beyond", "none", "parents", "relative")
    print(f"{'graph':10} " + " ".join(f"{head:>8}" for head in heads) + f"   ms, {options.problem}, "
          f"{options.threads} threads, medians of {options.turns} turns")  # fmt: skip
    for graph in next(iter(turns.values()))[0]:
        print_graph(graph, turns)


if __name__ == "__main__":
    main()
