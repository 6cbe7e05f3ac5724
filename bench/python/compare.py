#!/usr/bin/env python3
"""pyfringe compared with SciPy, igraph, NetworKit, rustworkx, graph-tool, GraphBLAS and NetworkX, where they are installed.

usage: compare.py [--graph DESCRIPTION_OR_FILE]... [--calls N] [--results FILE.jsonl] [--threads N] [--networkx]
       compare.py --whole [--scale K] [--only PROBLEM]...     components, centralities and k paths instead
       compare.py --many [--graph DESCRIPTION_OR_FILE]...     closeness, and rows without weights, from many sources
       compare.py --table FILE.jsonl...     prints the lines of such runs as a Markdown table

One JSON line for each graph, problem and program: the conversion from a SciPy matrix, the first call and a steady call
apart. Times are milliseconds of wall time and of processor time; a steady call is the median of N sources, and every
source runs with all programs one after the other, so that other work of the machine meets all of them. "wall_ratio"
and "processor_ratio" are medians of the program's time over pyfringe's for the same source. Every answer is compared
with the first program's. Problems: bfs, levels; order, SciPy's breadth_first_order with predecessors; sssp, distances by
float64 weights; components, weak ones; path and hops, one path to the vertex n / 2 further by weights and without; all_pairs,
distances, of up to 1000 vertices; with --whole, N calls on one graph: components and strong components, betweenness, closeness and harmonic
centrality of the largest component (6 scales smaller), 5 shortest paths. With --many pyfringe gets as many sources as fill its
searches (MANY), the others FEW of them, N times, and lines have milliseconds per source. pyfringe, NetworKit, rustworkx and GraphBLAS use
all cores of the process unless --threads says otherwise, the others one.

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

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAPHS = ["kronecker:scale=16,seed=1", "grid2d:rows=300,cols=300", str(ROOT / "data/amsterdam-roads.gr.zst")]
GRAPH_TOOL = pathlib.Path(__file__).with_name("graph_tool_server.py")
ENDS, PATHS = (100, 300), 5  # of k_paths
QUERIES = ("bfs", "order", "sssp", "components", "path", "hops", "all_pairs")
ALL_PAIRS = 1000
MANY, FEW = {"near": 16384, "rows": 512}, 8


def far(source, n):
    """The other end of a path."""
    return (source + n // 2) % n


class Given:
    """A matrix whose values are weights; an undirected graph has both directions of an edge."""

    def __init__(self, matrix, directed=True):
        self.matrix, self.directed, self.n = matrix, directed, matrix.shape[0]
        coo = matrix.tocoo()
        once = slice(None) if directed else coo.row <= coo.col
        self.row, self.col, self.weights = coo.row[once], coo.col[once], coo.data[once]
        self.pairs = np.column_stack([self.row, self.col])


class Pyfringe:
    problems = (*QUERIES, "strong", "betweenness", "closeness", "harmonic", "k_paths")

    def __init__(self, given):
        self.graph = fr.Graph.from_scipy(given.matrix, directed=given.directed)
        self.unweighted = self.graph.with_weights(None)

    def bfs(self, source):
        return fr.bfs(self.graph, source, parents=False).level

    def order(self, source):
        result = fr.bfs(self.graph, source, order=True)
        return result.order, result.parent

    def sssp(self, source):
        return fr.sssp(self.graph, source, parents=False).dist

    def path(self, source):
        return fr.path(self.graph, source, far(source, self.graph.n)).length

    def hops(self, source):
        return fr.path(self.unweighted, source, far(source, self.graph.n)).length

    def all_pairs(self, _):
        return fr.apsp(self.graph, parents=False).dist

    def components(self, _):
        return self.graph.components(engine="cpu").label

    def strong(self, _):
        return self.graph.components("strong", engine="cpu").label

    def betweenness(self, _):
        return fr.centrality(self.unweighted, "betweenness", normalized=False, engine="cpu")

    def closeness(self, _):
        return fr.centrality(self.unweighted, "closeness", engine="cpu")

    def harmonic(self, _):
        return fr.centrality(self.unweighted, "harmonic", engine="cpu")

    def near(self, sources):
        return fr.centrality(self.unweighted, "closeness", vertices=sources, reached_only=True, engine="cpu")

    def rows(self, sources):
        return fr.apsp(self.unweighted, list(sources), engine="cpu").dist

    def k_paths(self, _):
        return np.array([path.length for path in fr.Router(self.graph).k_paths(*ENDS, PATHS)])


class Csgraph:
    problems = ("order", "sssp", "components", "all_pairs", "strong")

    def __init__(self, given):
        self.matrix = given.matrix
        self.module = __import__(self.name, fromlist=["dijkstra"])

    def order(self, source):
        return self.module.breadth_first_order(self.matrix, source)

    def sssp(self, source):
        return self.module.dijkstra(self.matrix, indices=source)

    def all_pairs(self, _):
        return self.module.dijkstra(self.matrix)

    def components(self, _):
        return self.module.connected_components(self.matrix, connection="weak")[1]

    def strong(self, _):
        return self.module.connected_components(self.matrix, connection="strong")[1]


class Scipy(Csgraph):
    name = "scipy.sparse.csgraph"


class DropIn(Csgraph):
    name = "pyfringe.csgraph"


class Igraph:
    problems = ("bfs", "sssp", "components", "path", "hops", "all_pairs", "strong", "betweenness", "closeness", "harmonic", "k_paths")

    def __init__(self, given):
        import igraph

        self.graph = igraph.Graph(given.n, given.pairs, directed=given.directed)
        self.weights = given.weights.tolist()

    def bfs(self, source):
        return self.graph.distances(source)[0]

    def sssp(self, source):
        return self.graph.distances(source, weights=self.weights)[0]

    def path(self, source):
        end = far(source, self.graph.vcount())
        edges = self.graph.get_shortest_path(source, end, weights=self.weights, output="epath")
        return sum(self.weights[edge] for edge in edges) if edges else np.inf

    def hops(self, source):
        return len(self.graph.get_shortest_path(source, far(source, self.graph.vcount()), output="epath")) or np.inf

    def all_pairs(self, _):
        return self.graph.distances(weights=self.weights)

    def components(self, _, mode="weak"):
        getattr(self.graph, "__invalidate_cache")()  # else all calls but the first take "connected" from the cache
        return np.asarray(self.graph.connected_components(mode=mode).membership)

    def strong(self, _):
        return self.components(_, "strong")

    def betweenness(self, _):
        return self.graph.betweenness()

    def closeness(self, _):
        return self.graph.closeness(normalized=True)

    def harmonic(self, _):
        return self.graph.harmonic_centrality(normalized=False)

    def near(self, sources):
        return self.graph.closeness(list(sources), normalized=True)

    def rows(self, sources):
        return self.graph.distances(list(sources))

    def k_paths(self, _):
        paths = self.graph.get_k_shortest_paths(*ENDS, k=PATHS, weights=self.weights, output="epath")
        return np.array([sum(self.weights[edge] for edge in path) for path in paths])


class Networkit:
    problems = ("bfs", "sssp", "components", "strong", "betweenness", "closeness", "harmonic")

    def __init__(self, given):
        import networkit

        self.kit = networkit
        if fr.config.threads:
            networkit.setNumberOfThreads(fr.config.threads)
        edges = given.weights, (given.row, given.col)
        self.graph = networkit.graph.GraphFromCoo(edges, n=given.n, weighted=True, directed=given.directed)
        self.unweighted = networkit.graphtools.toUnweighted(self.graph)

    def bfs(self, source):
        return self.distances(self.kit.distance.BFS, source)

    def sssp(self, source):
        return self.distances(self.kit.distance.Dijkstra, source)

    def distances(self, kind, source):
        made = np.array(kind(self.graph, source, storePaths=False).run().getDistances())
        made[made > 1e300] = np.inf
        return made

    def labels(self, kind):
        return np.asarray(kind(self.graph).run().getPartition().getVector())

    def components(self, _):
        weak = self.kit.components.WeaklyConnectedComponents
        return self.labels(weak if self.graph.isDirected() else self.kit.components.ParallelConnectedComponents)

    def strong(self, _):
        return self.labels(self.kit.components.StronglyConnectedComponents)

    def betweenness(self, _):  # it counts both directions of a pair
        return np.array(self.kit.centrality.Betweenness(self.unweighted).run().scores()) / 2

    def closeness(self, _):
        variant = self.kit.centrality.ClosenessVariant.Standard
        return self.kit.centrality.Closeness(self.unweighted, True, variant).run().scores()

    def harmonic(self, _):
        return self.kit.centrality.HarmonicCloseness(self.unweighted, False).run().scores()

    def near(self, sources):
        found = self.rows(sources)
        reached = np.isfinite(found)
        far = np.where(reached, found, 0).sum(axis=1)
        return np.divide(reached.sum(axis=1) - 1, far, out=np.full(len(found), np.nan), where=far > 0)

    def rows(self, sources):
        made = np.array([self.kit.distance.BFS(self.unweighted, v, storePaths=False).run().getDistances(asarray=True) for v in sources])
        made[made > 1e300] = np.inf
        return made


class Rustworkx:
    problems = ("sssp", "components", "strong", "betweenness", "closeness")

    def __init__(self, given):
        import rustworkx

        self.rx, self.n = rustworkx, given.n
        self.graph = (rustworkx.PyDiGraph if given.directed else rustworkx.PyGraph)(multigraph=False)
        self.graph.add_nodes_from(range(given.n))
        self.graph.add_edges_from(list(zip(given.row.tolist(), given.col.tolist(), given.weights.tolist(), strict=True)))

    def sssp(self, source):
        lengths = self.rx.digraph_dijkstra_shortest_path_lengths(self.graph, source, float)
        made = np.full(self.n, np.inf)
        made[list(lengths.keys())] = list(lengths.values())
        made[source] = 0
        return made

    def labels(self, sets):
        label = np.empty(self.n, dtype=np.int64)
        for i, one in enumerate(sets):
            label[list(one)] = i
        return label

    def components(self, _):
        return self.labels(self.rx.connected_components(self.graph))

    def strong(self, _):
        return self.labels(self.rx.strongly_connected_components(self.graph))

    def betweenness(self, _):
        scores = self.rx.betweenness_centrality(self.graph, normalized=False)
        return np.array([scores[v] for v in range(self.n)])

    def closeness(self, _):
        scores = self.rx.closeness_centrality(self.graph)
        return np.array([scores[v] for v in range(self.n)])


class GraphTool:
    """A process of Debian's Python, which says itself how long its calls took."""

    problems = ("bfs", "sssp")

    def __init__(self, given):
        self.folder = tempfile.TemporaryDirectory()
        np.savez(f"{self.folder.name}/graph.npz", n=given.n, row=given.row, column=given.col, data=given.weights)
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

    def __init__(self, given):
        import graphblas

        self.gb, self.n = graphblas, given.n
        try:
            self.matrix = graphblas.io.from_scipy_sparse(given.matrix)
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

    def __init__(self, given):
        import networkx

        networkx.config.warnings_to_ignore.add("cache")
        self.nx, self.graph = networkx, networkx.from_scipy_sparse_array(given.matrix, create_using=networkx.DiGraph)

    def bfs(self, source):
        return self.nx.single_source_shortest_path_length(self.graph, source, backend=self.backend)

    def sssp(self, source):
        return self.nx.single_source_dijkstra_path_length(self.graph, source, backend=self.backend)


class NetworkxBackend(Networkx):
    """Its first call contains the conversion of the NetworkX graph."""

    backend = "fringe"


PROGRAMS = {"scipy": Scipy, "pyfringe": Pyfringe, "pyfringe.csgraph": DropIn, "igraph": Igraph, "networkit": Networkit,
            "rustworkx": Rustworkx, "graph-tool": GraphTool, "graphblas": Graphblas}  # fmt: skip
WITH_NETWORKX = {"networkx": Networkx, "networkx, backend fringe": NetworkxBackend}


# ---- measuring ------------------------------------------------------------------------------------


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
    """What all programs must agree on: distances, infinity where unreached; of an order the set of its vertices; of a
    partition the first vertex of each one's part."""
    if problem == "order":
        return np.sort(answer[0]).astype(np.float64)
    if problem in ("components", "strong"):
        _, first, part = np.unique(answer, return_index=True, return_inverse=True)
        return first[part].astype(np.float64)
    if isinstance(answer, dict):
        made = np.full(n, np.inf)
        made[list(answer)] = list(answer.values())
        return made
    made = np.array(answer, dtype=np.float64)
    if problem in ("bfs", "sssp", "path", "hops"):
        made[(made < 0) | (made >= 2**31 - 1)] = np.inf
    return made


def converted(kinds, given):
    """{name: (program, conversion ms)} of those that are installed."""
    made = {}
    for name, kind in kinds.items():
        try:
            wall, _, program = timed(lambda kind=kind: kind(given))
        except ImportError as error:
            print(f"left out: {name}: {error}", file=sys.stderr)
            continue
        made[name] = (program, getattr(program, "conversion_ms", wall))
    return made


def matrix_of(description, **options):
    load = fr.Graph.load if "." in description.split(":")[0] else fr.Graph.generate
    graph = load(description, weights="random", weight_low=1, weight_high=255, seed=1, weight_type=np.float64, **options)
    matrix = graph.to_scipy().copy()
    matrix.sum_duplicates()
    return matrix


def largest_component(matrix):
    label = fr.Graph.from_scipy(matrix, directed=False).components().label
    kept = np.flatnonzero(label == np.bincount(label).argmax())
    return matrix[kept][:, kept]


def compare(given, name, problem, programs, sources, head):
    """The lines of all programs that solve a problem, on a graph from these sources."""
    able = {name: p for name, (p, _) in programs.items() if problem in p.problems}
    first = {name: solve(program, problem, sources[0])[:2] for name, program in able.items()}
    times, right = {name: [] for name in able}, dict.fromkeys(able, True)
    for source in sources:
        wanted = None
        for program in able:
            wall, processor, answer = solve(able[program], problem, source)
            times[program].append((wall, processor))
            found = comparable(answer, problem, given.n)
            wanted = found if wanted is None else wanted
            right[program] &= found.shape == wanted.shape and bool(np.allclose(found, wanted))
    for program in able:
        line = {"graph": os.path.basename(name), "n": given.n, "m": int(given.matrix.nnz), "problem": problem, "program": program,
                "conversion_ms": programs[program][1], "first_ms": first[program][0], "first_processor_ms": first[program][1],
                "steady_ms": statistics.median(t[0] for t in times[program]),
                "steady_processor_ms": statistics.median(t[1] for t in times[program])}  # fmt: skip
        for k, clock in enumerate(("wall", "processor")):
            pairs = zip(times[program], times["pyfringe"], strict=True)
            line[f"{clock}_ratio"] = statistics.median(its[k] / own[k] for its, own in pairs)
        line = {key: float(f"{value:.4g}") if isinstance(value, float) else value for key, value in line.items()}
        yield {**line, "same_answer": right[program], **head}


def queries(options, kinds, head):
    for description in options.graph or GRAPHS:
        given = Given(matrix_of(description))
        programs = converted(kinds, given)
        sources = np.random.default_rng(1).choice(np.flatnonzero(np.diff(given.matrix.indptr)), options.calls).tolist()
        for problem in options.only or (QUERIES if given.n <= ALL_PAIRS else QUERIES[:-1]):
            yield from compare(given, description, problem, programs, sources, head)


def whole_graphs(options, kinds, head):
    scale = options.scale
    one, small = f"kronecker:scale={scale},edge_factor=16,seed=1", f"kronecker:scale={scale - 6},edge_factor=8,seed=1"
    questions = {"components": (one, False), "strong": (f"rmat:scale={scale},edges={4 << scale},seed=1", True),
                 "betweenness": (small, False), "closeness": (small, False), "harmonic": (small, False), "k_paths": (GRAPHS[2], True)}  # fmt: skip
    for problem, (description, directed) in questions.items():
        if not options.only or problem in options.only:
            matrix = matrix_of(description, direction="directed" if directed else "undirected", drop_loops=True, drop_parallel=True)
            given = Given(matrix if directed else largest_component(matrix), directed)
            programs = converted({name: kind for name, kind in kinds.items() if problem in kind.problems}, given)
            yield from compare(given, description, problem, programs, [None] * options.calls, head)


def many(options, kinds, head):
    kinds = {name: kinds[name] for name in ("pyfringe", "igraph", "networkit")}
    for description in options.graph or GRAPHS:
        given = Given(matrix_of(description, direction="undirected", drop_loops=True, drop_parallel=True), directed=False)
        programs = converted(kinds, given)
        for problem in options.only or MANY:
            counts = {name: FEW for name in programs} | {"pyfringe": min(MANY[problem], given.n)}
            firsts = np.random.default_rng(1).integers(0, given.n - counts["pyfringe"] + 1, options.calls).tolist()
            times, right = {name: [] for name in programs}, True
            for first in firsts:
                wanted = None
                for name, count in counts.items():
                    _, processor, answer = solve(programs[name][0], problem, range(first, first + count))
                    times[name].append(processor / count)
                    found = comparable(answer[:FEW], "bfs", given.n)
                    found[np.isnan(found)] = 0  # closeness of a vertex without edges
                    wanted = found if wanted is None else wanted
                    right &= bool(np.allclose(found, wanted))
            for name, count in counts.items():
                ratio = statistics.median(its / own for its, own in zip(times[name], times["pyfringe"], strict=True))
                yield {"graph": os.path.basename(description), "n": given.n, "m": int(given.matrix.nnz), "many": problem, "by": name, "sources": count,
                       "source_ms": float(f"{statistics.median(times[name]):.4g}"), "processor_ratio": float(f"{ratio:.4g}"), "same_answer": right, **head}  # fmt: skip


def table(paths):
    """A row for each graph and problem; of the other programs the ratio of the wall times, too."""
    lines = [json.loads(line) for path in paths for line in open(path, encoding="utf-8")]
    programs = list(dict.fromkeys(line["program"] for line in lines))
    rows = {}
    for line in lines:
        ratio = "" if line["program"] == "pyfringe" else f" ({line['wall_ratio']:.2g})"
        rows.setdefault((line["problem"], line["graph"], line["n"], line["m"]), {})[line["program"]] = f"{line['steady_ms']:.4g}{ratio}"
    print("| problem | graph | n | m | " + " | ".join(f"{p}, ms" for p in programs) + " |\n|" + "---|" * (4 + len(programs)))
    for (problem, graph, n, m), cells in rows.items():
        print(f"| {problem} | {graph} | {n:,} | {m:,} | " + " | ".join(cells.get(p, "-") for p in programs) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", action="append", help="a file or a generator's description")
    parser.add_argument("--calls", type=int, default=16)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--networkx", action="store_true")
    parser.add_argument("--whole", action="store_true", help="components, centralities and k paths")
    parser.add_argument("--many", action="store_true", help="closeness and rows from many sources")
    parser.add_argument("--scale", type=int, default=18, help="with --whole: of the graphs of components")
    parser.add_argument("--only", action="append", help="a problem; may be repeated")
    parser.add_argument("--results", type=argparse.FileType("a", encoding="utf-8"), default=sys.stdout)
    parser.add_argument("--table", nargs="+", metavar="FILE", help="print the lines of these files as a table")
    options = parser.parse_args()
    if options.table:
        table(options.table)
        return
    fr.config.threads = options.threads
    kinds = {**PROGRAMS, **(WITH_NETWORKX if options.networkx else {})}
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout
    head = {"threads": options.threads or len(os.sched_getaffinity(0)), "load": round(os.getloadavg()[0], 1), "commit": commit.strip()}
    for line in (whole_graphs if options.whole else many if options.many else queries)(options, kinds, head):
        print(json.dumps(line), file=options.results, flush=True)


if __name__ == "__main__":
    main()
