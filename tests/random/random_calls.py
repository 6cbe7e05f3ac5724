#!/usr/bin/env python3
"""Compares calls of the library with NetworkX, SciPy or igraph on random graphs, --count graphs for each call.

Each graph has a seed of its own: `--only CALL --seed N --count 1` makes it again. Needs NumPy, SciPy, NetworkX, igraph
and cffi, for example build/python/venv; without them: "skip: ...", exit 77. docs/benchmarking.md lists the calls.
"""

import argparse
import io
import pathlib
import random
import sys
import warnings

try:
    import igraph
    import networkx as nx
    import numpy as np
    import scipy.io
    import scipy.sparse
    from random_library import Library, Mismatch
    from scipy.sparse import csgraph
except ImportError as absent:
    print(f"skip: {absent.name} is not installed")
    sys.exit(77)

I32, I64, F64 = 1, 2, 4  # fr_type
TYPES = {I32: np.int32, I64: np.int64, F64: np.float64}
warnings.simplefilter("ignore")


def same(found, wanted, what):
    found, wanted = np.asarray(found, dtype=float), np.asarray(wanted, dtype=float)
    if found.shape != wanted.shape or not np.allclose(found, wanted, rtol=1e-9, atol=1e-12):
        raise Mismatch(f"{what}: {found.tolist()} instead of {wanted.tolist()}")


def equal(found, wanted, what):
    if found != wanted:
        raise Mismatch(f"{what}: {found} instead of {wanted}")


class Case:
    """A random graph as fringe and as NetworkX have it: no parallel edges, no self-loops, weights of at least 1."""

    def __init__(self, f, rng, weights="any", min_weight=1):
        self.f, self.rng = f, rng
        self.n = n = rng.randint(2, 18)
        self.directed = rng.random() < 0.6
        self.real = weights == "any" and rng.random() < 0.3
        self.weighted = weights != "none" and (weights == "all" or rng.random() < 0.7)
        self.edges = {}
        for _ in range(rng.randint(1, 4 * n)):
            u, v = rng.sample(range(n), 2)
            if self.directed or (v, u) not in self.edges:
                self.edges[u, v] = self.draw(min_weight) if self.weighted else 1
        if self.directed and all((v, u) in self.edges for u, v in self.edges):
            self.edges.pop(next(iter(self.edges)))  # else fringe has an undirected graph
        self.nx = nx.DiGraph() if self.directed else nx.Graph()
        self.nx.add_nodes_from(range(n))
        self.nx.add_weighted_edges_from((u, v, w) for (u, v), w in self.edges.items())
        pairs = list(self.edges)
        self.src = np.array([u for u, _ in pairs] or [0], dtype=np.int32)
        self.dst = np.array([v for _, v in pairs] or [0], dtype=np.int32)
        self.w = np.array([self.edges[p] for p in pairs] or [0], dtype=np.float64 if self.real else np.int32)
        self.type = 0 if not self.weighted else F64 if self.real else I32
        options = f.struct("fr_load_options", direction=1 if self.directed else 2)
        values = f.at(self.w) if self.type else f.ffi.NULL
        self.graph = f.ffi.gc(
            f.out("fr_graph *", lambda at: f.lib.fr_graph_from_edges(
                f.ctx, n, len(pairs), f.at(self.src), f.at(self.dst), values, self.type, options, at)),
            f.lib.fr_graph_free)  # fmt: skip

    def draw(self, min_weight=1):
        return self.rng.randint(max(min_weight, 1) * 2, 12) / 2 if self.real else self.rng.randint(min_weight, 6)

    def matrix(self, transpose=False):
        """Dense, infinity where there is no edge, for SciPy."""
        made = np.full((self.n, self.n), np.inf)
        for (u, v), w in self.edges.items():
            made[u, v] = w
            if not self.directed:
                made[v, u] = w
        return made.T if transpose else made

    def distances(self, transpose=False, **options):
        graph = csgraph.csgraph_from_dense(self.matrix(transpose), null_value=np.inf)
        return csgraph.dijkstra(graph, **options)

    def some(self, maximum=3):
        return self.rng.sample(range(self.n), self.rng.randint(1, min(maximum, self.n)))

    def csr(self, graph=None):
        """{(u, v): weight} of the library's rows."""
        csr = self.f.lib.fr_graph_csr(graph or self.graph)
        kinds = {0: None, I32: "int32_t *", I64: "int64_t *", 3: "float *", F64: "double *"}
        kind = kinds[csr.weight_type]
        weights = self.f.ffi.cast(kind, csr.weights) if kind else None
        return {(u, csr.targets[e]): weights[e] if kind else 1
                for u in range(csr.n) for e in range(csr.offsets[u], csr.offsets[u + 1])}  # fmt: skip

    def arcs(self):
        made = dict(self.edges)
        if not self.directed:
            made.update({(v, u): w for (u, v), w in self.edges.items()})
        return made

    def solve(self, problem=1, sources=(0,), graph=None, allowed=0, options=None, **query):
        """A query of BFS (0) or SSSP (1): a dictionary of arrays, distances as float with infinity."""
        f, n = self.f, self.n
        solver = f.ffi.gc(
            f.out("fr_solver *", lambda at: f.lib.fr_solver_new(
                f.ctx, graph or self.graph, problem, options or f.ffi.NULL, at)), f.lib.fr_solver_free)  # fmt: skip
        kind = f.lib.fr_solver_dist_type(solver)
        made = {name: np.empty(n, dtype=np.int32) for name in ("level", "parent", "origin", "order")}
        made["dist"] = np.empty(n, dtype=TYPES[kind or I32])
        keep = np.array(sources, dtype=np.int32)
        q = f.struct("fr_query", sources=f.at(keep), source_count=len(keep), **query)
        r = f.struct("fr_result", parent=f.at(made["parent"]), origin=f.at(made["origin"]))
        if problem == 0:
            r.level, r.order = f.at(made["level"]), f.at(made["order"])
        else:
            r.dist = f.at(made["dist"])
        made["status"] = f.need(f.lib.fr_solve(solver, q, r), allowed)
        made["reached"] = r.stats.reached
        values = made["level" if problem == 0 else "dist"].astype(float)
        none = {0: -1, I32: 2**31 - 1, I64: float(2**63 - 1), F64: np.inf}[0 if problem == 0 else kind]
        made["float"] = np.where(values == none, np.inf, values)
        return made

    def nearest_distances(self, sources):
        return np.min(np.atleast_2d(self.distances(indices=list(sources))), axis=0)


# ---- the calls: each draws a graph, calls the library and compares ---------------------------------------------------


def call_reverse(f, rng):
    case, s = Case(f, rng), 0
    options = f.struct("fr_solver_options", reverse=True)
    same(case.solve(1, [s], options=options)["float"], case.distances(True, indices=s), "reversed distances")
    same(case.solve(0, [s], options=options)["float"], case.distances(True, indices=s, unweighted=True), "levels")


def call_transpose(f, rng):
    case = Case(f, rng)
    turned = f.ffi.gc(f.out("fr_graph *", lambda at: f.lib.fr_graph_transpose(f.ctx, case.graph, at)), f.lib.fr_graph_free)
    wanted = {(u, v): w for u, v, w in (case.nx.reverse() if case.directed else case.nx).edges(data="weight")}
    if not case.directed:
        wanted.update({(v, u): w for (u, v), w in wanted.items()})
    equal(case.csr(turned), wanted, "transposed edges")


def components_of(f, case, kind):
    label, size = np.empty(case.n, dtype=np.int32), np.empty(case.n, dtype=np.int32)
    count = f.out("int32_t", lambda at: f.lib.fr_components(f.ctx, case.graph, kind, f.lib.FR_BACKEND_CPU, f.at(label), f.at(size), at))
    return label, size[:count], count


def call_components(f, rng):
    case = Case(f, rng)
    graph = scipy.sparse.csr_array(np.where(np.isinf(case.matrix()), 0, 1))
    for kind, name in enumerate(("weak", "strong")):
        label, size, count = components_of(f, case, kind)
        number, labels = csgraph.connected_components(graph, connection=name)
        equal(count, number, name)
        equal(len(set(zip(label.tolist(), labels.tolist()))), number, name + " labels")
        equal(size.tolist(), np.bincount(label).tolist(), name + " sizes")


def call_origin(f, rng):
    case = Case(f, rng)
    sources = case.some(4)
    every = np.atleast_2d(case.distances(indices=sources))
    wanted = np.where(np.isinf(every.min(axis=0)), -1, every.argmin(axis=0))
    same(case.solve(1, sources)["origin"], wanted, "origins")
    every = np.atleast_2d(case.distances(indices=sources, unweighted=True))
    wanted = np.where(np.isinf(every.min(axis=0)), -1, every.argmin(axis=0))
    same(case.solve(0, sources)["origin"], wanted, "origins of levels")


def call_parents(f, rng):
    case = Case(f, rng)
    sources = case.some()
    dist, arcs = case.nearest_distances(sources), case.arcs()
    for rule, best in enumerate((None, lambda u: u, lambda u: (dist[u], u))):
        found = case.solve(1, sources, parent_rule=rule)["parent"]
        for v in range(case.n):
            tight = [u for u in range(case.n) if (u, v) in arcs and dist[u] + arcs[u, v] == dist[v] < np.inf]
            if v in sources:
                equal(found[v], v, "parent of a source")
            elif not tight:
                equal(found[v], -1, "parent of an unreached vertex")
            elif best:
                equal(found[v], min(tight, key=best), f"parent by rule {rule}")
            elif found[v] not in tight:
                raise Mismatch(f"parent {found[v]} of {v} is none of {tight}")


def call_order(f, rng):
    case = Case(f, rng)
    source = rng.randrange(case.n)
    level = nx.single_source_shortest_path_length(case.nx, source)
    found = case.solve(0, [source])
    equal(found["order"][: found["reached"]].tolist(), sorted(level, key=lambda v: (level[v], v)), "order")


def call_tight_edges(f, rng):
    case = Case(f, rng)
    source, m = rng.randrange(case.n), f.lib.fr_graph_edge_count(case.graph)
    found = case.solve(1, [source])
    bits = np.zeros((m + 63) // 64 + 1, dtype=np.uint64)
    kind = case.type or I32
    f.out("int64_t", lambda at: f.lib.fr_tight_edges(
        f.ctx, case.graph, kind, f.ffi.cast("void *", found["dist"].ctypes.data), f.at(bits), at))  # fmt: skip
    tight = {edge for e, edge in enumerate(case.csr()) if int(bits[e // 64]) >> (e % 64) & 1}
    before, _ = nx.dijkstra_predecessor_and_distance(case.nx, source)
    equal(tight, {(u, v) for v, us in before.items() for u in us}, "tight edges")


def call_path_counts(f, rng):
    case = Case(f, rng)
    source = rng.randrange(case.n)
    found = case.solve(1, [source])
    count, exact = np.empty(case.n), np.empty(case.n, dtype=np.int64)
    keep = np.array([source], dtype=np.int32)
    f.need(f.lib.fr_path_counts(f.ctx, case.graph, case.type or I32, f.ffi.cast("void *", found["dist"].ctypes.data),
                                f.at(keep), 1, f.at(count), f.at(exact)))  # fmt: skip
    for v in range(case.n):
        reached = v == source or nx.has_path(case.nx, source, v)
        paths = nx.all_shortest_paths(case.nx, source, v, weight="weight")
        wanted = 1 if v == source else len(list(paths)) if reached else 0
        equal((count[v], exact[v]), (wanted, wanted), f"paths to {v}")


def igraph_of(case):
    graph = igraph.Graph(n=case.n, edges=list(case.edges), directed=case.directed)
    graph.es["weight"] = list(case.edges.values())
    return graph


def call_betweenness(f, rng):
    case = Case(f, rng)
    score = np.empty(case.n)
    f.need(f.lib.fr_betweenness(f.ctx, case.graph, f.ffi.NULL, f.at(score), f.ffi.NULL))
    same(score, igraph_of(case).betweenness(weights="weight"), "betweenness (igraph)")


def call_closeness(f, rng):
    case = Case(f, rng)
    score = np.empty(case.n)
    f.need(f.lib.fr_closeness(f.ctx, case.graph, False, f.lib.FR_BACKEND_CPU, f.at(score)))
    wanted = nx.closeness_centrality(case.nx, distance="weight")
    same(score, [wanted[v] for v in range(case.n)], "closeness")


def call_harmonic(f, rng):
    case = Case(f, rng)
    score = np.empty(case.n)
    f.need(f.lib.fr_harmonic(f.ctx, case.graph, f.lib.FR_BACKEND_CPU, f.at(score)))
    wanted = igraph_of(case).harmonic_centrality(mode="in", weights="weight", normalized=False)
    same(score, wanted, "harmonic (igraph)")


def call_eccentricity(f, rng):
    case = Case(f, rng)
    score, ends = np.empty(case.n), np.empty(2)
    f.need(f.lib.fr_eccentricity(f.ctx, case.graph, f.lib.FR_BACKEND_CPU, f.at(score), f.at(ends), f.at(ends[1:]), f.ffi.NULL))
    every = case.distances()
    every[np.isinf(every)] = 0
    wanted = every.max(axis=1)
    same(score, wanted, "eccentricity")
    same(ends, [wanted.max(), wanted.min()], "diameter and radius")


def router_of(f, case, **options):
    return f.ffi.gc(
        f.out("fr_router *", lambda at: f.lib.fr_router_new(f.ctx, case.graph, f.struct("fr_router_options", **options), at)),
        f.lib.fr_router_free)  # fmt: skip


def routed(f, router, values):
    kind = f.lib.fr_router_dist_type(router)
    array = np.array(values, dtype=TYPES[kind])
    return array, lambda: np.where(array == (np.inf if kind == F64 else 2**63 - 1), np.inf, array.astype(float))


def call_router(f, rng):
    """Bidirectional, A* with coordinates and ALT: distance and path of every pair."""
    case = Case(f, rng)
    x, y = np.array([[rng.random() for _ in range(case.n)] for _ in range(2)])
    wanted, arcs = case.distances(), case.arcs()
    for options in ({"algorithm": 1}, {"algorithm": 2, "x": f.at(x), "y": f.at(y)}, {"algorithm": 3, "landmarks": 2}):
        router = router_of(f, case, **options)
        for s in range(case.n):
            t = rng.randrange(case.n)
            dist, read = routed(f, router, [0])
            path = np.empty(case.n, dtype=np.int32)
            length = f.out("int32_t", lambda at: f.lib.fr_router_path(
                router, s, t, f.ffi.cast("void *", dist.ctypes.data), f.at(path), at))  # fmt: skip
            same(read(), [wanted[s, t]], f"distance {s} to {t}, {options['algorithm']}")
            path = path[:length].tolist()
            if np.isinf(wanted[s, t]):
                equal(path, [], "no path")
            else:
                equal((path[0], path[-1]), (s, t), "ends of the path")
                same(sum(arcs[e] for e in zip(path, path[1:])), wanted[s, t], "length of the path")


def call_pairs(f, rng):
    case = Case(f, rng)
    router = router_of(f, case)
    s, t = (np.array([rng.randrange(case.n) for _ in range(20)], dtype=np.int32) for _ in range(2))
    dist, read = routed(f, router, np.zeros(20))
    f.need(f.lib.fr_router_distances(router, f.at(s), f.at(t), 20, f.ffi.cast("void *", dist.ctypes.data)))
    same(read(), case.distances()[s, t], "pairs")


def call_table(f, rng):
    case = Case(f, rng)
    router = router_of(f, case)
    s, t = (np.array(case.some(5), dtype=np.int32) for _ in range(2))
    dist, read = routed(f, router, np.zeros((len(s), len(t))))
    f.need(f.lib.fr_router_table(router, f.at(s), len(s), f.at(t), len(t), f.ffi.cast("void *", dist.ctypes.data)))
    same(read(), case.distances()[np.ix_(s, t)], "table")


def call_k_paths(f, rng):
    case = Case(f, rng)
    router, found = router_of(f, case), []
    s, t = rng.sample(range(case.n), 2)
    kind = "double *" if f.lib.fr_router_dist_type(router) == F64 else "int64_t *"

    @f.ffi.callback("int(void *, int64_t, const void *, const int32_t *, int32_t)")
    def take(_user, _index, dist, path, length):
        found.append((f.ffi.cast(kind, dist)[0], [path[i] for i in range(length)]))
        return 0

    f.need(f.lib.fr_router_k_paths(router, s, t, 6, take, f.ffi.NULL))
    wanted = []
    if nx.has_path(case.nx, s, t):
        for path in nx.shortest_simple_paths(case.nx, s, t, weight="weight"):
            wanted.append(nx.path_weight(case.nx, path, "weight"))
            if len(wanted) == 6:
                break
    same([d for d, _ in found], wanted, "lengths of the k paths")
    same([nx.path_weight(case.nx, p, "weight") for _, p in found], wanted, "the k paths")
    equal(len({tuple(p) for _, p in found}), len(found), "different paths")


def call_apsp(f, rng):
    case = Case(f, rng, min_weight=0)
    kind = case.type or I32
    dist = np.empty((case.n, case.n), dtype=TYPES[kind])
    f.need(f.lib.fr_apsp(f.ctx, case.graph, f.ffi.cast("void *", dist.ctypes.data), f.ffi.NULL))
    found = np.where(dist == (np.inf if kind == F64 else 2**31 - 1), np.inf, dist.astype(float))
    graph = csgraph.csgraph_from_dense(case.matrix(), null_value=np.inf)
    same(found, csgraph.floyd_warshall(graph), "all pairs")


def call_negative_cycle(f, rng):
    case = Case(f, rng, weights="all", min_weight=-1)
    cycle = np.empty(case.n, dtype=np.int32)
    length, weight = f.ffi.new("int32_t *"), f.ffi.new("double *")
    status = f.need(f.lib.fr_negative_cycle(f.ctx, case.graph, f.ffi.NULL, f.at(cycle), length, weight), 2)
    equal(status == 2, nx.negative_edge_cycle(case.nx), "is there a negative cycle")
    if status:
        ring, arcs = cycle[: length[0]].tolist(), case.arcs()
        total = sum(arcs[e] for e in zip(ring, ring[1:] + ring[:1]))
        same(total, weight[0], "its weight")
        equal(total < 0, True, "it is negative")


def call_set_weights(f, rng):
    case = Case(f, rng)
    old, s = case.csr(), rng.randrange(case.n)
    fresh = {e: rng.randint(1, 9) for e in old}
    weights = np.array(list(fresh.values()) or [0], dtype=np.int64)
    other = f.ffi.gc(f.out("fr_graph *", lambda at: f.lib.fr_graph_set_weights(
        f.ctx, case.graph, f.ffi.cast("void *", weights.ctypes.data), I64, at)), f.lib.fr_graph_free)  # fmt: skip
    graph = nx.DiGraph()
    graph.add_nodes_from(range(case.n))
    graph.add_weighted_edges_from((u, v, w) for (u, v), w in fresh.items())
    wanted = nx.single_source_dijkstra_path_length(graph, s)
    same(case.solve(1, [s], graph=other)["float"], [wanted.get(v, np.inf) for v in range(case.n)], "new weights")


def call_subgraph(f, rng):
    case = Case(f, rng)
    kept = np.array(case.some(case.n), dtype=np.int32)
    new = np.empty(case.n, dtype=np.int32)
    part = f.ffi.gc(f.out("fr_graph *", lambda at: f.lib.fr_graph_subgraph(
        f.ctx, case.graph, f.at(kept), len(kept), f.at(new), at)), f.lib.fr_graph_free)  # fmt: skip
    wanted = {}
    for u, v, w in case.nx.subgraph(kept.tolist()).edges(data="weight"):
        wanted[new[u], new[v]] = w
        if not case.directed:
            wanted[new[v], new[u]] = w
    equal(case.csr(part), wanted, "subgraph")


def call_largest_component(f, rng):
    case = Case(f, rng)
    _, size, _ = components_of(f, case, 1)
    parts = nx.strongly_connected_components(case.nx) if case.directed else nx.connected_components(case.nx)
    equal(int(size.max()), max(len(p) for p in parts), "largest component")


def call_limits(f, rng):
    case = Case(f, rng)
    sources, limit, level = case.some(), rng.choice([0, 1, 2, 3.5, 5]), rng.randint(0, 3)
    wanted = np.min(np.atleast_2d(case.distances(indices=sources, limit=limit)), axis=0)
    same(case.solve(1, sources, max_distance=limit, limit_distance=True)["float"], wanted, "limit of distance")
    wanted = np.min(np.atleast_2d(case.distances(indices=sources, limit=level, unweighted=True)), axis=0)
    same(case.solve(0, sources, max_level=level, limit_level=True)["float"], wanted, "limit of level")


def call_targets(f, rng):
    case = Case(f, rng)
    sources, targets = case.some(), np.array(case.some(), dtype=np.int32)
    found = case.solve(1, sources, targets=f.at(targets), target_count=len(targets))["float"]
    same(found[targets], case.nearest_distances(sources)[targets], "targets")


def call_unit_weights(f, rng):
    case, s = Case(f, rng), 0
    options = f.struct("fr_solver_options", unit_weights=True, dist_type=F64)
    same(case.solve(1, [s], options=options)["float"], case.distances(indices=s, unweighted=True), "unit weights")


def call_merged_sources(f, rng):
    case = Case(f, rng)
    sources = case.some(4)
    wanted = nx.multi_source_dijkstra_path_length(case.nx, set(sources))
    same(case.solve(1, sources)["float"], [wanted.get(v, np.inf) for v in range(case.n)], "merged sources")


def call_path(f, rng):
    case = Case(f, rng)
    s, t = rng.randrange(case.n), rng.randrange(case.n)
    parent, path = case.solve(1, [s])["parent"], np.empty(case.n, dtype=np.int32)
    length = f.out("int32_t", lambda at: f.lib.fr_path(f.ctx, f.at(parent), case.n, t, f.at(path), at))
    if not nx.has_path(case.nx, s, t):
        equal(length, 0, "no path")
        return
    wanted = nx.dijkstra_path_length(case.nx, s, t)
    same(nx.path_weight(case.nx, path[:length].tolist(), "weight") if length > 1 else 0, wanted, "path")


def call_arrays(f, rng):
    """Unsorted rows with parallel edges, merged by smallest weight, in SciPy's CSR with int32 or int64 indices."""
    n, m, kind = rng.randint(1, 12), rng.randint(0, 40), rng.choice([np.int32, np.int64])
    row, col = (np.array([rng.randrange(n) for _ in range(m)], dtype=kind) for _ in range(2))
    values = np.array([rng.randint(1, 9) for _ in range(m)] or [0], dtype=np.int32)[: max(m, 1)]
    matrix = scipy.sparse.coo_array((values[:m], (row, col)), shape=(n, n))
    order = np.argsort(row, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n))]).astype(kind)
    targets, weights = np.ascontiguousarray(np.append(col[order], 0)).astype(kind), np.append(values[:m][order], 0).astype(np.int32)
    code = I32 if kind is np.int32 else I64
    arrays = f.struct("fr_arrays", n=n, m=m, offsets=f.at(offsets), targets=f.at(targets), weights=f.at(weights),
                      vertex_type=code, offset_type=code, weight_type=I32)  # fmt: skip
    options = f.struct("fr_load_options", drop_parallel=True)
    graph = f.ffi.gc(f.out("fr_graph *", lambda at: f.lib.fr_graph_from_arrays(f.ctx, arrays, options, at)), f.lib.fr_graph_free)
    wanted = {}
    for u, v, w in zip(*matrix.coords, matrix.data):
        wanted[int(u), int(v)] = min(int(w), wanted.get((int(u), int(v)), 10))
    equal(Case.csr(type("rows", (), {"f": f})(), graph), wanted, "arrays")


def call_memory(f, rng):
    """A Matrix Market file that SciPy wrote, and one that SciPy reads."""
    case = Case(f, rng, weights="all")
    matrix, out = scipy.sparse.coo_array(np.where(np.isinf(case.matrix()), 0, case.matrix())), io.BytesIO()
    scipy.io.mmwrite(out, matrix, symmetry="general")
    text = out.getvalue()
    graph = f.ffi.gc(f.out("fr_graph *", lambda at: f.lib.fr_graph_load_memory(
        f.ctx, text, len(text), f.ffi.NULL, at)), f.lib.fr_graph_free)  # fmt: skip
    equal(case.csr(graph), case.arcs(), "read")
    size = f.ffi.new("size_t *")
    block = f.out("void *", lambda at: f.lib.fr_graph_write_memory(f.ctx, case.graph, b"mtx", at, size))
    again = scipy.io.mmread(io.BytesIO(bytes(f.ffi.buffer(block, size[0])))).toarray()
    f.lib.fr_memory_free(block)
    same(again, matrix.toarray(), "written")


def call_files(f, rng):
    """Files of results, in memory, as NumPy reads them: a matrix of distances, row by row and at once, and a table."""
    case = Case(f, rng, weights="all")
    sources, targets = np.array(case.some(), dtype=np.int32), np.array(case.some(), dtype=np.int32)
    query = f.struct("fr_query", sources=f.at(sources), source_count=len(sources))
    query.targets, query.target_count = f.at(targets), len(targets)
    solver = f.ffi.gc(
        f.out("fr_solver *", lambda at: f.lib.fr_solver_new(f.ctx, case.graph, 2, f.ffi.NULL, at)),
        f.lib.fr_solver_free,
    )
    kind, result = f.lib.fr_solver_dist_type(solver), f.struct("fr_result")
    dist = np.empty((len(sources), len(targets)), dtype=TYPES[kind])
    result.dist = f.at(dist)

    def written(call, form):
        size, format_name = f.ffi.new("size_t *"), f.ffi.new("char []", form)
        out = f.struct("fr_output", size=size, format=format_name)
        out.bytes = at = f.ffi.new("void **")
        f.need(call(out))
        made = io.BytesIO(bytes(f.ffi.buffer(at[0], size[0])))
        f.lib.fr_memory_free(at[0])
        return made

    wanted = case.distances(indices=sources.tolist())[:, targets]
    for call in (lambda out: f.lib.fr_apsp_write(solver, query, result, out),
                 lambda out: f.lib.fr_matrix_write(f.ctx, case.graph, query, kind, result, out)):  # fmt: skip
        matrix = np.load(written(call, b"npy")).astype(float)
        same(np.where(matrix == 2**31 - 1, np.inf, matrix), wanted, "npy")
        lines = np.loadtxt(written(call, b"tsv"), skiprows=1, ndmin=2)
        same(lines[:, 2].reshape(wanted.shape), wanted, "tsv")
        pairs = [(int(s), int(t)) for s in sources for t in targets]
        equal([(int(s), int(t)) for s, t in lines[:, :2]], pairs, "pairs")
    score = np.array([rng.random() * 10 ** rng.randint(-20, 20) for _ in range(case.n)])
    columns, names = f.ffi.new("fr_column [2]"), [f.ffi.new("char []", b"vertex"), f.ffi.new("char []", b"score")]
    columns[0].kind, columns[0].name, columns[1].name = 2, *names
    columns[1].type, columns[1].values = F64, f.at(score)
    table = written(lambda out: f.lib.fr_table_write(f.ctx, case.graph, case.n, columns, 2, out), b"tsv")
    equal(np.loadtxt(table, skiprows=1, ndmin=2)[:, 1].tolist(), score.tolist(), "scores")
    table = np.load(written(lambda out: f.lib.fr_table_write(f.ctx, case.graph, case.n, columns, 2, out), b"npy"))
    equal(table["score"].tolist(), score.tolist(), "records")
    equal(table["vertex"].tolist(), list(range(case.n)), "ids")


def call_names(f, rng):
    """Ids that are strings: the distances of NetworkX's reader of edge lists, by name."""
    n = rng.randint(2, 12)
    names = [rng.choice(["v", "Z\u00fcrich-", "a-rather-long-name-", "7"]) + str(v) for v in range(n)]
    lines = [f"{rng.choice(names)} {rng.choice(names)} {rng.randint(1, 5)}" for _ in range(rng.randint(1, 30))]
    merged = {}
    for line in lines:
        u, v, w = line.split()
        merged[u, v] = min(int(w), merged.get((u, v), 9))
    graph = nx.parse_edgelist((f"{u} {v} {w}" for (u, v), w in merged.items()), data=[("weight", int)], create_using=nx.DiGraph)
    text = "\n".join(lines).encode()
    options = f.struct("fr_load_options", ids=1)
    loaded = f.ffi.gc(f.out("fr_graph *", lambda at: f.lib.fr_graph_load_memory(
        f.ctx, text, len(text), options, at)), f.lib.fr_graph_free)  # fmt: skip
    count = f.lib.fr_graph_vertex_count(loaded)
    found = [f.text(f.lib.fr_graph_vertex_name(loaded, v)) for v in range(count)]
    equal(found, list(dict.fromkeys(word for line in lines for word in line.split()[:2])), "names in order")
    s = f.out("int32_t", lambda at: f.lib.fr_graph_find_vertex(f.ctx, loaded, found[-1].encode(), at))
    equal(s, count - 1, "vertex of a name")
    dist = np.empty(count, dtype=np.int32)
    f.need(f.lib.fr_sssp(f.ctx, loaded, s, f.ffi.cast("void *", dist.ctypes.data), f.ffi.NULL))
    wanted = nx.single_source_dijkstra_path_length(graph, found[-1])
    same(dist, [wanted.get(name, 2**31 - 1) for name in found], "distances by name")


def bits_of(count, numbers):
    """The words of fr_query.closed_vertices and closed_edges."""
    words = np.zeros((count + 63) // 64 or 1, dtype=np.uint64)
    for i in numbers:
        words[i // 64] |= np.uint64(1 << i % 64)
    return words


def closed_sets(f, case, rng):
    """Random closed vertices and edges: NetworkX's view without them, and the words of bits."""
    nodes = [v for v in range(case.n) if rng.random() < 0.15]
    edges = [e for e in case.edges if rng.random() < 0.3]
    stored = [e if case.directed or rng.random() < 0.5 else e[::-1] for e in edges]
    numbers = [f.lib.fr_graph_edge(case.graph, u, v, f.ffi.NULL) for u, v in stored]
    targets = f.lib.fr_graph_csr(case.graph).targets
    equal([targets[e] for e in numbers], [v for _, v in stored], "targets of the edges found")
    m = f.lib.fr_graph_edge_count(case.graph)
    return nx.restricted_view(case.nx, nodes, edges), bits_of(case.n, nodes), bits_of(m, numbers)


def lengths(view, n, source, weight="weight"):
    """A row of distances by NetworkX; a source that the view hides reaches itself."""
    found = nx.single_source_dijkstra_path_length(view, source, weight=weight) if source in view else {source: 0}
    return [found.get(v, np.inf) for v in range(n)]


def call_closed(f, rng):
    case = Case(f, rng)
    view, vertices, edges = closed_sets(f, case, rng)
    at = {"closed_vertices": f.at(vertices), "closed_edges": f.at(edges)}
    s = rng.randrange(case.n)
    same(case.solve(1, [s], **at)["float"], lengths(view, case.n, s), "distances without closed edges")
    same(case.solve(0, [s], **at)["float"], lengths(view, case.n, s, None), "levels without closed edges")
    part = f.ffi.gc(
        f.out("fr_graph *", lambda out: f.lib.fr_graph_filter(f.ctx, case.graph, f.at(vertices), f.at(edges), out)),
        f.lib.fr_graph_free)  # fmt: skip
    same(case.solve(1, [s], graph=part)["float"], lengths(view, case.n, s), "distances in the filtered graph")
    wanted = {(u, v): w for u, v, w in view.edges(data="weight")}
    if not case.directed:
        wanted.update({(v, u): w for (u, v), w in wanted.items()})
    equal(case.csr(part), wanted, "edges of the filtered graph")


def call_each(f, rng):
    case = Case(f, rng)
    view, vertices, edges = closed_sets(f, case, rng)
    at = {"closed_vertices": f.at(vertices), "closed_edges": f.at(edges)} if rng.random() < 0.5 else {}
    graph = view if at else case.nx
    sources = np.array([rng.randrange(case.n) for _ in range(rng.randint(1, 5))], dtype=np.int32)
    for problem, weight in ((0, None), (1, "weight")):
        solver = f.ffi.gc(
            f.out("fr_solver *", lambda out: f.lib.fr_solver_new(f.ctx, case.graph, problem, f.ffi.NULL, out)),
            f.lib.fr_solver_free)  # fmt: skip
        kind = f.lib.fr_solver_dist_type(solver) if problem else 0
        values = np.empty((len(sources), case.n), dtype=TYPES[kind or I32])
        none = -1 if not problem else np.inf if kind == F64 else np.iinfo(values.dtype).max
        query = f.struct("fr_query", sources=f.at(sources), source_count=len(sources), **at)
        result = f.struct("fr_result", **{"dist" if problem else "level": f.at(values)})
        solved = f.ffi.new("int64_t *")
        f.need(f.lib.fr_solve_each(solver, query, result, solved))
        equal(solved[0], len(sources), "rows that are complete")
        rows = [lengths(graph, case.n, s, weight) for s in sources.tolist()]
        same(np.where(values == none, np.inf, values), rows, f"rows of problem {problem}")


CALLS = {name[5:]: call for name, call in globals().items() if name.startswith("call_")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default="build/libfringe.so", help="default %(default)s")
    parser.add_argument("--count", type=int, default=500, help="graphs for each call (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first graph (default %(default)s)")
    parser.add_argument("--only", choices=CALLS, action="append", help="a call; may be repeated")
    args = parser.parse_args()
    f = Library(pathlib.Path(args.library).resolve())
    for name in args.only or CALLS:
        for seed in range(args.seed, args.seed + args.count):
            try:
                CALLS[name](f, random.Random(seed))
            except Mismatch as wrong:
                sys.exit(f"{name}: {wrong}; again: --only {name} --seed {seed} --count 1")
        print(f"{name}: {args.count} graphs agree", flush=True)


main()
