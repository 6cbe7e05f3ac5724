#!/usr/bin/env python3
"""Times of the work that every answer needs, compared with the times of pyfringe.csgraph and SciPy.

usage: floors.py [--graph DESCRIPTION_OR_FILE]... [--calls N] [--results FILE.jsonl]

One JSON line for each graph and problem, medians of processor time on one thread. "read_ms" reads the arrays of the
matrix that the search follows once from end to end, and does nothing else. "settle_ms" (floors.c, compiled by "cc") is
the least that a search needs which examines the edges of all vertices that it reaches: each vertex, in the order of
distances or of the queue, which is known in advance, compares its row once with the values of the targets. Rows sorted
by weight, and BFS from unvisited vertices, need fewer edges. "own_ms" is `fr.bfs` with order, or `fr.sssp`, on a graph that is kept. "make_ms" fills the
arrays of the answer, whose memory is new in each call. "levels_ms" is a BFS without order and parents. "own_five" and
"csgraph_five" say whether five times SciPy's speed is reached: "yes", "no", or "floor", where the least time is more than
a fifth of SciPy's: "settle_ms", of csgraph with "read_ms", since it checks the matrix in each call.
"""

import argparse
import ctypes
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import pyfringe as fr
import scipy.sparse.csgraph as theirs
from compare import matrix_of
from pyfringe import csgraph


def spent_ms(call, *arguments):
    begin = time.process_time()
    call(*arguments)
    return (time.process_time() - begin) * 1e3


def compiled():
    """The functions of floors.c."""
    with tempfile.TemporaryDirectory() as folder:
        made = f"{folder}/floors.so"
        source = pathlib.Path(__file__).with_suffix(".c")
        subprocess.run(["cc", "-O3", "-shared", "-fPIC", "-o", made, source], check=True)
        return ctypes.CDLL(made)


FLOORS = compiled()
GRAPHS = ["kronecker:scale=18,seed=1"]


def floor_ms(call, graph, weights, order, values):
    """The time of a function of floors.c, which fills `values`."""
    made, rows = np.empty_like(values), [graph.indptr, graph.indices, *weights, order]
    given = [ctypes.c_void_p(a.ctypes.data) for a in rows]
    spent = spent_ms(call, graph.n, *given, ctypes.c_int64(order.size), ctypes.c_void_p(made.ctypes.data))
    if not np.array_equal(made, values):
        raise SystemExit("floors.c has another answer")
    return spent


def by_order(matrix, graph, source):
    n = graph.n
    order, parent = theirs.breadth_first_order(matrix, source)
    parent[parent < 0] = -1
    parent[source] = source
    return {
        "scipy_ms": spent_ms(theirs.breadth_first_order, matrix, source),
        "csgraph_ms": spent_ms(csgraph.breadth_first_order, matrix, source),
        "own_ms": spent_ms(lambda: fr.bfs(graph, source, order=True)),
        "settle_ms": min(floor_ms(call, graph, [], order, parent) for call in (FLOORS.visit_by_branches, FLOORS.visit_without)),
        "levels_ms": spent_ms(lambda: fr.bfs(graph, source, parents=False)),
        "read_ms": spent_ms(matrix.indices.max),
        "make_ms": spent_ms(lambda: (np.full(n, 1, np.int32), np.full(n, 1, np.int32))),
    }


def by_weights(matrix, graph, source):
    dist = fr.sssp(graph, source, parents=False).dist
    order = np.argsort(dist, kind="stable")[: np.count_nonzero(np.isfinite(dist))].astype(np.int32)
    return {
        "scipy_ms": spent_ms(lambda: theirs.dijkstra(matrix, indices=source)),
        "csgraph_ms": spent_ms(lambda: csgraph.dijkstra(matrix, indices=source)),
        "own_ms": spent_ms(lambda: fr.sssp(graph, source, parents=False)),
        "settle_ms": floor_ms(FLOORS.settle, graph, [graph.data], order, dist),
        "read_ms": spent_ms(lambda: (matrix.indices.max(), matrix.data.max())),
        "make_ms": spent_ms(lambda: np.full(graph.n, 1.0)),
    }


def five(scipy_ms, spent, floor):
    """Whether five times SciPy's speed is reached, or can be by a search that examines all edges, if that is the least."""
    return "yes" if 5 * spent <= scipy_ms else "floor" if 5 * floor > scipy_ms and floor <= spent else "no"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", action="append", help="a file or a generator's description")
    parser.add_argument("--calls", type=int, default=9)
    parser.add_argument("--results", type=argparse.FileType("a", encoding="utf-8"), default=sys.stdout)
    options = parser.parse_args()
    fr.config.threads = 1
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    for description in options.graph or GRAPHS:
        matrix = matrix_of(description)
        graph = fr.Graph.from_scipy(matrix)
        sources = np.random.default_rng(1).choice(np.flatnonzero(np.diff(matrix.indptr)), options.calls).tolist()
        for problem, measure in (("order", by_order), ("sssp", by_weights)):
            rounds = [measure(matrix, graph, source) for source in sources]
            spent = {key: float(f"{statistics.median(r[key] for r in rounds):.4g}") for key in rounds[0]}
            floors = {"own": spent["settle_ms"], "csgraph": spent["settle_ms"] + spent["read_ms"]}
            reached = {f"{name}_five": five(spent["scipy_ms"], spent[f"{name}_ms"], floor) for name, floor in floors.items()}
            line = {"graph": os.path.basename(description), "n": graph.n, "m": graph.m, "problem": problem, **spent, **reached,
                    "commit": commit, "load": round(os.getloadavg()[0], 1)}  # fmt: skip
            print(json.dumps(line), file=options.results, flush=True)


if __name__ == "__main__":
    main()
