#!/usr/bin/env python3
"""pyfringe beside SciPy, NetworkX and igraph (where installed): conversion, first call and steady call apart.

usage: compare.py [--graph DESCRIPTION_OR_FILE]... [--calls N] [--networkx-sizes]

One JSON line for each graph, problem and program. Every answer is compared with the first program's. Times are
milliseconds; a steady call is the median of N sources. SciPy, NetworkX and igraph use one thread, pyfringe all
cores of the process. --networkx-sizes: from which number of nodes on the NetworkX backend is faster, with its
conversion: the sizes of pyfringe.nx.should_run.
"""

import argparse
import json
import statistics
import time

import numpy as np
import pyfringe as fr


def timed(call):
    begin = time.perf_counter()
    answer = call()
    return (time.perf_counter() - begin) * 1e3, answer


def of_pyfringe(matrix, problem):
    graph = fr.Graph.from_scipy(matrix)
    if problem == "bfs":
        return lambda s: fr.bfs(graph, s, parents=False).level
    return lambda s: fr.sssp(graph, s, parents=False).dist


def of_csgraph(module):
    def convert(matrix, problem):
        return lambda s: module.dijkstra(matrix, indices=s, unweighted=problem == "bfs")

    return convert


def of_networkx(backend):
    def convert(matrix, problem):
        import networkx as nx

        nx.config.warnings_to_ignore.add("cache")
        graph = nx.from_scipy_sparse_array(matrix, create_using=nx.DiGraph)
        if backend:  # the conversion that counts is the backend's
            begin = time.perf_counter()
            nx.single_source_dijkstra_path_length(graph, 0, backend=backend)
            convert.extra_ms = (time.perf_counter() - begin) * 1e3
        name = "single_source_shortest_path_length" if problem == "bfs" else "single_source_dijkstra_path_length"
        return lambda s: getattr(nx, name)(graph, s, backend=backend or "networkx")

    return convert


def of_igraph(matrix, problem):
    import igraph

    coo = matrix.tocoo()
    graph = igraph.Graph(matrix.shape[0], np.column_stack([coo.row, coo.col]), directed=True)
    weights = None if problem == "bfs" else coo.data.tolist()
    return lambda s: graph.distances(s, weights=weights)[0]


def as_array(answer, n):
    """Distances as float64, infinity where unreached."""
    if isinstance(answer, dict):
        made = np.full(n, np.inf)
        made[list(answer)] = list(answer.values())
        return made
    made = np.asarray(answer, dtype=np.float64)
    made[made < 0] = np.inf
    return made


def programs():
    import scipy.sparse.csgraph

    import pyfringe.csgraph

    yield "pyfringe", of_pyfringe
    yield "scipy", of_csgraph(scipy.sparse.csgraph)
    yield "pyfringe.csgraph", of_csgraph(pyfringe.csgraph)
    yield "networkx", of_networkx(None)
    yield "networkx, backend fringe", of_networkx("fringe")
    yield "igraph", of_igraph


def compare(description, calls):
    load = fr.Graph.load if "." in description.split(":")[0] else fr.Graph.generate
    graph = load(description, weights="random", weight_low=1, weight_high=255, seed=1, weight_type=np.float64)
    matrix = graph.to_scipy().copy()
    matrix.sum_duplicates()
    rng = np.random.default_rng(1)
    sources = rng.choice(np.flatnonzero(np.diff(matrix.indptr)), calls)
    for problem in ("bfs", "sssp"):
        wanted = None
        for name, convert in programs():
            try:
                conversion, solve = timed(lambda convert=convert: convert(matrix, problem))
            except ImportError:
                continue
            first, answer = timed(lambda: solve(int(sources[0])))
            found = as_array(answer, matrix.shape[0])
            wanted = found if wanted is None else wanted
            steady = statistics.median(timed(lambda s=s: solve(int(s)))[0] for s in sources)
            line = {"graph": description, "n": matrix.shape[0], "m": int(matrix.nnz), "problem": problem, "program": name,
                    "conversion_ms": round(conversion, 3), "first_ms": round(first, 3), "steady_ms": round(steady, 3),
                    "same_answer": bool(np.allclose(found, wanted))}  # fmt: skip
            if hasattr(convert, "extra_ms"):
                line["backend_conversion_ms"] = round(convert.extra_ms, 3)
            print(json.dumps(line), flush=True)


def networkx_sizes():
    import networkx as nx

    nx.config.warnings_to_ignore.add("cache")
    for name in ("single_source_shortest_path_length", "single_source_dijkstra_path_length", "eccentricity"):
        for n in (20, 50, 100, 200, 500, 1000, 2000, 5000, 10000):
            if name == "eccentricity" and n > 500:
                continue
            graph = nx.gnm_random_graph(n, 4 * n, seed=1)
            graph.remove_nodes_from(list(set(graph) - max(nx.connected_components(graph), key=len)))
            arguments = () if name == "eccentricity" else (next(iter(graph)),)

            def median(backend, clear, graph=graph, name=name, arguments=arguments):
                def call():
                    if clear:
                        graph.__networkx_cache__.clear()
                    getattr(nx, name)(graph, *arguments, backend=backend)

                return statistics.median(timed(call)[0] for _ in range(9))

            times = {"networkx_ms": median("networkx", False), "fringe_converted_ms": median("fringe", True),
                     "fringe_cached_ms": median("fringe", False)}  # fmt: skip
            print(json.dumps({"function": name, "n": n, **{k: round(v, 3) for k, v in times.items()}}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", action="append", help="a file or a generator's description")
    parser.add_argument("--calls", type=int, default=16)
    parser.add_argument("--networkx-sizes", action="store_true")
    options = parser.parse_args()
    if options.networkx_sizes:
        networkx_sizes()
        return
    for description in options.graph or ["kronecker:scale=16,seed=1", "grid2d:rows=300,cols=300", "data/amsterdam-roads.gr.zst"]:
        compare(description, options.calls)


main()
