#!/usr/bin/env python3
"""Times of the work that every answer needs, compared with the times of pyfringe.csgraph and SciPy.

usage: floors.py [--graph DESCRIPTION_OR_FILE]... [--calls N] [--results FILE.jsonl]

One JSON line for each graph and problem, medians of processor time on one thread. "read_ms" reads the arrays of the
matrix that the search follows once from end to end, and does nothing else. "pass_ms" is one pass over all edges that
compares each with the distance of its end and writes nothing new, which is the least that a search by weights does.
"own_ms" is `fr.bfs` with order, or `fr.sssp`, on a graph that is kept. "make_ms" fills the arrays of the answer, whose memory is new in each call. "levels_ms" is a BFS without order and parents.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import pyfringe as fr
import scipy.sparse.csgraph as theirs
from compare import matrix_of
from pyfringe import _arrays, csgraph
from pyfringe._fringe import ffi, lib


def spent_ms(call, *arguments):
    begin = time.process_time()
    call(*arguments)
    return (time.process_time() - begin) * 1e3


def one_pass(graph, dist, parent):
    csr = lib.fr_graph_csr(graph.handle.pointer)
    distances, parents = (ffi.cast(kind, _arrays.pointer(a)) for kind, a in (("double *", dist), ("int32_t *", parent)))
    lib.pf_nearest_parents(csr, 1, distances, parents, 1)


def by_order(matrix, graph, source):
    n = graph.n
    return {
        "scipy_ms": spent_ms(theirs.breadth_first_order, matrix, source),
        "csgraph_ms": spent_ms(csgraph.breadth_first_order, matrix, source),
        "own_ms": spent_ms(lambda: fr.bfs(graph, source, order=True)),
        "levels_ms": spent_ms(lambda: fr.bfs(graph, source, parents=False)),
        "read_ms": spent_ms(matrix.indices.max),
        "make_ms": spent_ms(lambda: (np.full(n, 1, np.int32), np.full(n, 1, np.int32))),
    }


def by_weights(matrix, graph, source):
    answer = fr.sssp(graph, source, parent_rule="nearest")
    return {
        "scipy_ms": spent_ms(lambda: theirs.dijkstra(matrix, indices=source)),
        "csgraph_ms": spent_ms(lambda: csgraph.dijkstra(matrix, indices=source)),
        "own_ms": spent_ms(lambda: fr.sssp(graph, source, parents=False)),
        "pass_ms": spent_ms(one_pass, graph, answer.dist, answer.parent),
        "read_ms": spent_ms(lambda: (matrix.indices.max(), matrix.data.max())),
        "make_ms": spent_ms(lambda: np.full(graph.n, 1.0)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", action="append", help="a file or a generator's description")
    parser.add_argument("--calls", type=int, default=9)
    parser.add_argument("--results", type=argparse.FileType("a", encoding="utf-8"), default=sys.stdout)
    options = parser.parse_args()
    fr.config.threads = 1
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    for description in options.graph or ["kronecker:scale=18,seed=1"]:
        matrix = matrix_of(description)
        graph = fr.Graph.from_scipy(matrix)
        sources = np.random.default_rng(1).choice(np.flatnonzero(np.diff(matrix.indptr)), options.calls).tolist()
        for problem, measure in (("order", by_order), ("sssp", by_weights)):
            rounds = [measure(matrix, graph, source) for source in sources]
            spent = {key: float(f"{statistics.median(r[key] for r in rounds):.4g}") for key in rounds[0]}
            line = {"graph": os.path.basename(description), "n": graph.n, "m": graph.m, "problem": problem, **spent,
                    "commit": commit, "load": round(os.getloadavg()[0], 1)}  # fmt: skip
            print(json.dumps(line), file=options.results, flush=True)


if __name__ == "__main__":
    main()
