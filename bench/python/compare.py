#!/usr/bin/env python3
"""pyfringe compared with SciPy, igraph, NetworKit, rustworkx, graph-tool, GraphBLAS and NetworkX, where they are installed.

usage: compare.py [--graph DESCRIPTION_OR_FILE]... [--calls N] [--results FILE.jsonl] [--threads N] [--networkx]

One JSON line for each graph, problem and program: the conversion from a SciPy matrix, the first call and a steady call
apart. Times are milliseconds of wall time and of processor time; a steady call is the median of N sources, and every
source runs with all programs one after the other, so that other work of the machine meets all of them. "wall_ratio"
and "processor_ratio" are medians of the program's time over pyfringe's for the same source. Every answer is compared
with the first program's. Problems: bfs, levels; order, SciPy's breadth_first_order with predecessors; sssp, distances by
float64 weights. pyfringe, NetworKit and GraphBLAS use all cores of the process unless --threads says otherwise, the others one.

GraphBLAS is python-graphblas on SuiteSparse:GraphBLAS, which has operations but no algorithms: BFS and SSSP are the loops
that its documentation shows: pip install python-graphblas==2025.2.0 suitesparse-graphblas==10.1.1.0 donfig pyyaml.
graph-tool is Debian's package and runs in Debian's own Python. --networkx adds NetworkX and its backend.
"""

import argparse
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

GRAPHS = ["kronecker:scale=16,seed=1", "grid2d:rows=300,cols=300", "data/amsterdam-roads.gr.zst"]
GRAPH_TOOL = pathlib.Path(__file__).with_name("graph_tool_server.py")


class Pyfringe:
    problems = ("bfs", "order", "sssp")

    def __init__(self, matrix):
        self.graph = fr.Graph.from_scipy(matrix)

    def bfs(self, source):
        return fr.bfs(self.graph, source, parents=False).level

    def order(self, source):
        result = fr.bfs(self.graph, source, order=True)
        return result.order, result.parent

    def sssp(self, source):
        return fr.sssp(self.graph, source, parents=False).dist


class Csgraph:
    problems = ("order", "sssp")

    def __init__(self, matrix):
        self.matrix = matrix
        self.module = __import__(self.name, fromlist=["dijkstra"])

    def order(self, source):
        return self.module.breadth_first_order(self.matrix, source)

    def sssp(self, source):
        return self.module.dijkstra(self.matrix, indices=source)


class Scipy(Csgraph):
    name = "scipy.sparse.csgraph"


class DropIn(Csgraph):
    name = "pyfringe.csgraph"


class Igraph:
    problems = ("bfs", "sssp")

    def __init__(self, matrix):
        import igraph

        coo = matrix.tocoo()
        self.graph = igraph.Graph(matrix.shape[0], np.column_stack([coo.row, coo.col]), directed=True)
        self.weights = coo.data.tolist()

    def bfs(self, source):
        return self.graph.distances(source)[0]

    def sssp(self, source):
        return self.graph.distances(source, weights=self.weights)[0]


class Networkit:
    problems = ("bfs", "sssp")

    def __init__(self, matrix):
        import networkit

        self.kit = networkit
        if fr.config.threads:
            networkit.setNumberOfThreads(fr.config.threads)
        coo = matrix.tocoo()
        self.graph = networkit.graph.GraphFromCoo((coo.data, (coo.row, coo.col)), n=matrix.shape[0], weighted=True, directed=True)

    def bfs(self, source):
        return self._run(self.kit.distance.BFS, source)

    def sssp(self, source):
        return self._run(self.kit.distance.Dijkstra, source)

    def _run(self, kind, source):
        made = np.array(kind(self.graph, source, storePaths=False).run().getDistances())
        made[made > 1e300] = np.inf
        return made


class Rustworkx:
    problems = ("sssp",)

    def __init__(self, matrix):
        import rustworkx

        self.rx, self.graph = rustworkx, rustworkx.PyDiGraph()
        coo = matrix.tocoo()
        self.graph.add_nodes_from(range(matrix.shape[0]))
        self.graph.add_edges_from(list(zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist(), strict=True)))

    def sssp(self, source):
        lengths = self.rx.digraph_dijkstra_shortest_path_lengths(self.graph, source, float)
        made = np.full(self.graph.num_nodes(), np.inf)
        made[list(lengths.keys())] = list(lengths.values())
        made[source] = 0
        return made


class GraphTool:
    """A process of Debian's Python, which says itself how long its calls took."""

    problems = ("bfs", "sssp")

    def __init__(self, matrix):
        self.folder = tempfile.TemporaryDirectory()
        coo = matrix.tocoo()
        np.savez(f"{self.folder.name}/graph.npz", n=matrix.shape[0], row=coo.row, column=coo.col, data=coo.data)
        words = ["/usr/bin/python3", str(GRAPH_TOOL), self.folder.name]
        clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        self.server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean)
        ready = self.server.stdout.readline()
        if not ready:
            raise ImportError("graph-tool is not installed")
        self.conversion_ms = float(ready)

    def ask(self, problem, source):
        print(problem, source, file=self.server.stdin, flush=True)
        times = [float(word) for word in self.server.stdout.readline().split()]
        return (*times, np.load(f"{self.folder.name}/answer.npy"))


class Graphblas:
    """BFS by masked products over any_pair, SSSP by products over min_plus (Bellman-Ford on what changed)."""

    problems = ("bfs", "sssp")

    def __init__(self, matrix):
        import graphblas

        self.gb, self.n = graphblas, matrix.shape[0]
        try:
            self.matrix = graphblas.io.from_scipy_sparse(matrix)
        except AttributeError as error:  # python-graphblas 2025.2.0 with suitesparse-graphblas after 10.1.1.0
            raise ImportError(f"python-graphblas and suitesparse-graphblas do not match: {error}") from None
        if fr.config.threads:
            graphblas.ss.config["nthreads"] = fr.config.threads

    def bfs(self, source):
        gb, level = self.gb, self.gb.Vector(int, self.n)
        front = gb.Vector.from_coo([source], True, size=self.n)
        depth = 0
        while front.nvals:
            level(front.S) << depth
            front(~level.S, replace=True) << front.vxm(self.matrix, gb.semiring.any_pair)
            depth += 1
        return level.to_dense(fill_value=-1)

    def sssp(self, source):
        gb = self.gb
        dist = gb.Vector.from_coo([source], 0.0, size=self.n)
        changed = dist.dup()
        while changed.nvals:
            found = changed.vxm(self.matrix, gb.semiring.min_plus).new()
            less = gb.Vector(bool, self.n)
            less(found.S) << True  # where no distance was known
            less(dist.S) << found.ewise_mult(dist, gb.binary.lt)
            changed = found.dup(mask=less.V)
            dist(gb.binary.min) << changed
        return dist.to_dense(fill_value=np.inf)


class Networkx:
    problems = ("bfs", "sssp")
    backend = "networkx"

    def __init__(self, matrix):
        import networkx

        networkx.config.warnings_to_ignore.add("cache")
        self.nx, self.graph = networkx, networkx.from_scipy_sparse_array(matrix, create_using=networkx.DiGraph)

    def bfs(self, source):
        return self.nx.single_source_shortest_path_length(self.graph, source, backend=self.backend)

    def sssp(self, source):
        return self.nx.single_source_dijkstra_path_length(self.graph, source, backend=self.backend)


class NetworkxBackend(Networkx):
    """Its first call contains the conversion of the NetworkX graph."""

    backend = "fringe"


PROGRAMS = {
    "scipy": Scipy,
    "pyfringe": Pyfringe,
    "pyfringe.csgraph": DropIn,
    "igraph": Igraph,
    "networkit": Networkit,
    "rustworkx": Rustworkx,
    "graph-tool": GraphTool,
    "graphblas": Graphblas,
}
WITH_NETWORKX = {"networkx": Networkx, "networkx, backend fringe": NetworkxBackend}


def timed(call):
    """(wall ms, processor ms, answer)"""
    wall, processor = time.perf_counter(), time.process_time()
    answer = call()
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - processor) * 1e3, answer


def solve(program, problem, source):
    if isinstance(program, GraphTool):
        return program.ask(problem, source)
    return timed(lambda: getattr(program, problem)(source))


def comparable(answer, problem, n):
    """What all programs must agree on: distances, infinity where unreached; of an order the set of its vertices."""
    if problem == "order":
        return np.sort(answer[0]).astype(np.float64)
    if isinstance(answer, dict):
        made = np.full(n, np.inf)
        made[list(answer)] = list(answer.values())
        return made
    made = np.array(answer, dtype=np.float64)
    made[(made < 0) | (made >= 2**31 - 1)] = np.inf
    return made


def converted(kinds, matrix):
    """{name: (program, conversion ms)} of those that are installed."""
    made = {}
    for name, kind in kinds.items():
        try:
            wall, _, program = timed(lambda kind=kind: kind(matrix))
        except ImportError as error:
            print(f"left out: {name}: {error}", file=sys.stderr)
            continue
        made[name] = (program, getattr(program, "conversion_ms", wall))
    return made


def matrix_of(description):
    load = fr.Graph.load if "." in description.split(":")[0] else fr.Graph.generate
    graph = load(description, weights="random", weight_low=1, weight_high=255, seed=1, weight_type=np.float64)
    matrix = graph.to_scipy().copy()
    matrix.sum_duplicates()
    return matrix


def compare(description, calls, kinds, head):
    matrix = matrix_of(description)
    n, programs = matrix.shape[0], converted(kinds, matrix)
    sources = np.random.default_rng(1).choice(np.flatnonzero(np.diff(matrix.indptr)), calls).tolist()
    for problem in ("bfs", "order", "sssp"):
        able = {name: p for name, (p, _) in programs.items() if problem in p.problems}
        first, right = {}, dict.fromkeys(able, True)
        times = {name: [] for name in able}
        for name, program in able.items():
            *first[name], _ = solve(program, problem, sources[0])
        for source in sources:
            wanted = None
            for name, program in able.items():
                wall, processor, answer = solve(program, problem, source)
                times[name].append((wall, processor))
                found = comparable(answer, problem, n)
                wanted = found if wanted is None else wanted
                right[name] &= found.shape == wanted.shape and bool(np.allclose(found, wanted))
        for name in able:
            line = {"graph": os.path.basename(description), "n": n, "m": int(matrix.nnz), "problem": problem, "program": name,
                    "conversion_ms": programs[name][1], "first_ms": first[name][0], "first_processor_ms": first[name][1],
                    "steady_ms": statistics.median(t[0] for t in times[name]),
                    "steady_processor_ms": statistics.median(t[1] for t in times[name])}  # fmt: skip
            for k, clock in enumerate(("wall", "processor")):
                pairs = zip(times[name], times["pyfringe"], strict=True)
                line[f"{clock}_ratio"] = statistics.median(its[k] / own[k] for its, own in pairs)
            line = {key: float(f"{value:.4g}") if isinstance(value, float) else value for key, value in line.items()}
            yield {**line, "same_answer": right[name], **head}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", action="append", help="a file or a generator's description")
    parser.add_argument("--calls", type=int, default=16)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--networkx", action="store_true")
    parser.add_argument("--results", type=argparse.FileType("a", encoding="utf-8"), default=sys.stdout)
    options = parser.parse_args()
    fr.config.threads = options.threads
    kinds = {**PROGRAMS, **(WITH_NETWORKX if options.networkx else {})}
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout
    head = {"threads": options.threads or len(os.sched_getaffinity(0)), "load": round(os.getloadavg()[0], 1), "commit": commit.strip()}
    for description in options.graph or GRAPHS:
        for line in compare(description, options.calls, kinds, head):
            print(json.dumps(line), file=options.results, flush=True)


if __name__ == "__main__":
    main()
