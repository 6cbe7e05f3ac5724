#!/usr/bin/env python3
"""Prints SSSP's table by type of weights: `auto` on the graphs of the suite gpu-sssp, or on others, each with every
distribution, beside BFS.

Usage: bench/by_type.py [--backend cpu|cuda] [--graphs DIR] [--only NAME]... [--weights NAME]... [--sources N]
                        [--threads N] [--output FILE] [FRINGE [GRAPH...]]

For each graph and distribution: the medians of the call and of the traversal in ms, after one run that is not counted;
edges examined in millions; on a GPU the MB of distances over the bus (of integers at most: they are sent in the fewest
bytes that hold them) and the ms of their copies. FRINGE: build/fringe by default. GRAPH: descriptions of generators or
files; each is made once, as a file in memory. --output appends a line for each row, in the form of bench/results/measured.jsonl. Two cores take three minutes
with "--sources 4 build/fringe kronecker:scale=18,seed=1".
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from from_file import SUITE
from peers.common import Unusable, attempt, machine, put

# name: (--weights, --weight-type); None: BFS
DISTRIBUTIONS = {
    "int32 1..255": ("random:1,255", "int32"),
    "float32": ("random:0,1", "float32"),
    "int32 1..2^20": ("random:1,1048576", "int32"),
    "int64 1..255": ("random:1,255", "int64"),
    "int64 1..2^40": ("random:1,1099511627776", "int64"),
    "float64": ("random:0,1", "float64"),
    "exponential": ("exponential:100", "float64"),
    "log-normal": ("lognormal:100,1.5", "float64"),
    "all 1": ("random:1,1", "int32"),
    "all 0.1": ("random:0.1,0.1", "float64"),
    "BFS": None,
}
SIZES = {"int32": 4, "float32": 4, "int64": 8, "float64": 8}


def measure(options, graph, weights):
    """The object that the command prints, or why it failed."""
    problem = ["bfs"] if weights is None else ["sssp", "--weights", weights[0], "--weight-type", weights[1]]
    words = [options.fringe, *problem, graph, "--backend", options.backend, "--json"]
    words += ["--sources", str(options.sources + 1), "--seed", "1"]
    words += ["--threads", str(options.threads)] if options.threads else []
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not found or len(found[-1].get("runs", [])) < 2:
        return (done.stderr.strip().splitlines() or ["no result"])[-1]
    return found[-1]


def megabytes(result, weights):
    """Of the distances over the bus: levels, which floats of equal weights follow from, in one, two or four bytes."""
    equal = weights is None or weights[0].split(":")[1].split(",")[0] == weights[0].split(",")[-1]
    levels = result["levels"]
    size = (1 if levels < 255 else 2 if levels < 65535 else 4) if equal else SIZES[weights[1]]
    return result["graph"]["n"] * size / 1e6


def summary(options, graph, distribution, result):
    """The line for --output."""
    runs = result["runs"][1:]
    copies = {"bus_mb": megabytes(result, DISTRIBUTIONS[distribution])} if options.backend == "cuda" else {}
    return {"kind": "by type", "graph": graph, "distribution": distribution, "strategy": runs[0]["strategy"], "dist_type": result["dist_type"], "sources": len(runs), **copies,
            **{key.replace("_ns", "_ms"): statistics.quantiles((run[key] / 1e6 for run in runs), n=4, method="inclusive")
               for key in ("call_ns", "traverse_ns", "transfer_ns")},
            "edges_m": statistics.median(run["edges_examined"] for run in runs) / 1e6}  # fmt: skip


def row(line):
    text = f"  {line['distribution']:14} {line['call_ms'][1]:10.3f} {line['traverse_ms'][1]:10.3f} {line['edges_m']:10.2f}"
    if "bus_mb" in line:
        text += f" {line['bus_mb']:8.1f} {line['transfer_ms'][1]:8.3f}"
    return text + f"  {line['strategy']}"


def measure_graph(options, facts, name, graph, shape, folder):
    """Returns 1 if a run failed."""
    path = os.path.join(folder, "graph.fringe")
    try:
        attempt([options.fringe, "convert", graph, path, "-q", "--weights", "none", *shape])
    except Unusable as why:
        print(f"{name}: {why}", flush=True)
        return 1
    bus = "  bus, MB   copy" if options.backend == "cuda" else ""
    print(f"{name}\n  weights          call, ms  trav., ms   edges, M{bus}")
    failed = 0
    for distribution in options.weights or DISTRIBUTIONS:
        result = measure(options, path, DISTRIBUTIONS[distribution])
        if isinstance(result, str):
            failed = 1
            print(f"  {distribution:14} {result}", flush=True)
            continue
        line = summary(options, name, distribution, result)
        print(row(line), flush=True)
        put(options, {**line, **facts})
    return failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__[__doc__.index("Usage:") + 7 :].split("\n\n")[0])
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--graphs", default=".")
    parser.add_argument("--only", action="append", choices=list(SUITE))
    parser.add_argument("--weights", action="append", choices=list(DISTRIBUTIONS))
    parser.add_argument("--sources", type=int, default=16)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--output")
    parser.add_argument("fringe", nargs="?", default="build/fringe")
    parser.add_argument("graph", nargs="*")
    options = parser.parse_args()
    cases = {graph: (graph, []) for graph in options.graph} or {
        name: (graph if ":" in graph else os.path.join(options.graphs, graph), shape)
        for name, (graph, shape) in SUITE.items() if name in (options.only or SUITE)}  # fmt: skip
    facts = machine(options.fringe, options.backend == "cuda") if options.output else {}
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        return max([measure_graph(options, facts, name, *case, folder) for name, case in cases.items()])


if __name__ == "__main__":
    sys.exit(main())
