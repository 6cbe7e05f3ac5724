#!/usr/bin/env python3
"""Compares the time that a caller waits for between builds, on one GPU.

Usage: bench/call_turns.py [--graphs DIR] [--turns N] [--sources N] [--threads N] [--problem bfs|sssp]
                           [--only GRAPH,...] BUILD...

Runs BUILD/bench/bench_call of every build in turns, so that all see the same state of the machine, and prints for
each graph the medians over the turns, in ms: the traversal's clock, the call with levels (or distances) in a host
array that was used before ("warm"), their difference, the call with no array ("none") and with parents, and one
query of fr_solve_each ("each"). The last column is the difference relative to that of the first build. BUILD: a folder
configured with FRINGE_CUDA=ON; its bench_call is built if it is missing. Two builds, four graphs and three turns take
about 40 s on an H200.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

from from_file import SUITE

COLUMNS = ("clock", "warm", "none", "parents", "each_warm")
GRAPHS = "cnr-2000,kron21,moscow,wiki-like"


def parsed():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("builds", nargs="+", metavar="BUILD")
    p.add_argument("--graphs", metavar="DIR", help="folder of cnr-2000 and osm-moscow-roads; left out without it")
    p.add_argument("--turns", type=int, default=3)
    p.add_argument("--sources", type=int, default=32)
    p.add_argument("--threads", type=int, default=min(16, len(os.sched_getaffinity(0))))
    p.add_argument("--problem", choices=("bfs", "sssp"), default="bfs")
    p.add_argument("--only", default=GRAPHS, help=f"graphs of the suite gpu, with commas; all: every one ({GRAPHS})")
    return p.parse_args()


def program(build):
    path = os.path.join(build, "bench", "bench_call")
    if not os.path.exists(path):
        words = ["cmake", "--build", build, "-j", str(os.cpu_count()), "--target", "bench_call"]
        subprocess.run(words, check=True, stdout=sys.stderr)
    return path


def chosen(options):
    """{name: description or file, and its options}; files without --graphs are left out."""
    found = {}
    for name in SUITE if options.only == "all" else options.only.split(","):
        graph, ways = SUITE[name]
        if ":" in graph or options.graphs:
            flags = {"--undirected": "-u", "--simple": "-d"}
            path = graph if ":" in graph else os.path.join(options.graphs, graph)
            found[name] = [flags[way] for way in ways] + [path]
    return found


def measured(build, options, graph):
    """{column: ms} of one run."""
    words = [program(build), "-n", str(options.sources), "-t", str(options.threads), "-p", options.problem, *graph]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {(done.stderr or done.stdout).strip()}")
    line = json.loads(done.stdout)
    return {column: line[column + "_ms"] for column in COLUMNS}


def print_graph(graph, turns):
    """turns: {build: [run]}"""
    first = None
    for build, runs in turns.items():
        ms = {column: statistics.median(run[column] for run in runs) for column in COLUMNS}
        beyond = statistics.median(run["warm"] - run["clock"] for run in runs)
        first = first or beyond
        values = (ms["clock"], ms["warm"], beyond, ms["none"], ms["parents"], ms["each_warm"])
        print(f"{graph:10} " + " ".join(f"{value:8.3f}" for value in values) + f" {beyond / first:8.2f}  {build}")


def main():
    options = parsed()
    heads = ("clock", "warm", "beyond", "none", "parents", "each", "relative")
    print(f"{'graph':10} " + " ".join(f"{head:>8}" for head in heads) + f"   ms, {options.problem}, "
          f"{options.threads} threads, medians of {options.turns} turns")  # fmt: skip
    for name, graph in chosen(options).items():
        turns = {build: [] for build in options.builds}
        for _ in range(options.turns):
            for build, runs in turns.items():
                runs.append(measured(build, options, graph))
        print_graph(name, turns)


if __name__ == "__main__":
    main()
