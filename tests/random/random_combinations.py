#!/usr/bin/env python3
"""Compares queries that combine options with definitions in plain Python, on random graphs, for each CPU strategy.

A query draws among sources, targets, limits, closed vertices and edges, parent rules, origins, order, marks of negative
cycles, types of distances, unit weights, reversed edges, numbers of threads and a solver that is used again. A strategy
may refuse (FR_UNSUPPORTED, FR_NEGATIVE_WEIGHT); what it answers must be right, and the library's own checker must agree.
Distances are SciPy's where it can hold the graph. Needs NumPy, SciPy and cffi; without them: "skip: ...", exit 77.
"""

import argparse
import pathlib
import random
import sys

try:
    import numpy as np
    import scipy.sparse
    from random_library import Library, Mismatch
    from scipy.sparse import csgraph
except ImportError as absent:
    print(f"skip: {absent.name} is not installed")
    sys.exit(77)

INF = float("inf")
I32, I64, F32, F64 = 1, 2, 3, 4  # fr_type
TYPES = {I32: np.int32, I64: np.int64, F32: np.float32, F64: np.float64}
BFS, SSSP, APSP = 0, 1, 2  # fr_problem
ANY, MIN_ID, NEAREST = 0, 1, 2  # fr_parent_rule


class Refused(Exception):
    pass


class Graph:
    """A random graph with self-loops, parallel edges, weights of 0 and less."""

    def __init__(self, f, rng):
        self.f, self.rng = f, rng
        self.n = n = rng.choice((1, 2, rng.randint(3, 12), rng.randint(3, 40)))
        self.directed = rng.random() < 0.6
        self.type = rng.choice((0, I32, I64, F32, F64))
        low = rng.choice((0, 1, 1)) if rng.random() < 0.7 or not self.directed else -3
        draw = {0: lambda: 1, F32: lambda: rng.randint(4 * low, 40) / 4, F64: lambda: rng.randint(4 * low, 40) / 4}
        draw = draw.get(self.type, lambda: rng.randint(low, 9))
        pairs = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, 3 * n))]
        edges = [(u, v, draw()) for u, v in pairs]
        if not self.directed:
            edges += [(v, u, w) for u, v, w in edges if u != v]
        edges.sort()
        self.edges = edges
        offsets = np.searchsorted([u for u, _, _ in edges], np.arange(n + 1)).astype(np.int64)
        targets = np.array([v for _, v, _ in edges] or [0], dtype=np.int32)
        weights = np.array([w for _, _, w in edges] or [0], dtype=TYPES.get(self.type, np.int32))
        self.arrays = offsets, targets, weights  # borrowed by the graph
        csr = f.ffi.new("fr_csr *", {"n": n, "m": len(edges), "symmetric": not self.directed})
        csr.offsets, csr.targets = f.at(offsets), f.at(targets)
        csr.weights, csr.weight_type = (pointer(f, weights), self.type) if self.type else (f.ffi.NULL, 0)
        self.graph = f.out("fr_graph *", lambda at: f.lib.fr_graph_from_csr(f.ctx, csr, at))

    def free(self):
        self.f.lib.fr_graph_free(self.graph)

    def arcs(self, q):
        """[(u, v, weight)] that the query may use, in the direction of the traversal."""
        found = []
        shut = {(u, v) for e, (u, v, _) in enumerate(self.edges) if e in q.closed_edges} if not self.directed else ()
        closed_pairs = {(self.edges[e][0], self.edges[e][1], self.edges[e][2]) for e in q.closed_edges}
        for e, (u, v, w) in enumerate(self.edges):
            if u in q.closed_vertices or v in q.closed_vertices or e in q.closed_edges:
                continue
            if shut and (v, u, w) in closed_pairs and (v, u) != (u, v):
                continue
            w = 1 if q.unit or not self.type else w
            found.append((v, u, w) if q.reverse else (u, v, w))
        return found


def pointer(f, array):
    kinds = {"int32": "int32_t *", "int64": "int64_t *", "float32": "float *", "float64": "double *", "uint64": "uint64_t *"}
    return f.ffi.cast(kinds[array.dtype.name], array.ctypes.data)


class Query:
    def __init__(self, graph, rng, problem, reverse, unit):
        n, m = graph.n, len(graph.edges)
        some = lambda p: rng.random() < p  # noqa: E731
        self.problem, self.reverse, self.unit = problem, reverse, unit
        self.sources = [rng.randrange(n) for _ in range(rng.choice((1, 1, 2, 5)))]
        if problem == APSP and some(0.5):
            self.sources = None
        self.targets = [rng.randrange(n) for _ in range(rng.choice((1, 2, 5)))] if some(0.4) else None
        self.max_distance = rng.choice((0, 0.5, 1, 3, 7.25, 20, 1e300)) if problem != BFS and some(0.4) else None
        self.max_level = rng.choice((0, 1, 2, 5)) if problem == BFS and some(0.4) else None
        self.rule = rng.choice((ANY, MIN_ID, NEAREST))
        self.origin = problem != APSP and some(0.5)
        self.order = problem == BFS and some(0.5)
        self.parents = some(0.8)
        self.mark = problem == SSSP and some(0.3)
        # Which of several parallel edges of an undirected graph is closed in both directions depends on their order.
        self.closed_vertices = {v for v in range(n) if some(0.15)} if some(0.4) else set()
        self.closed_edges = {e for e in range(m) if some(0.15)} if some(0.4) else set()
        if not graph.directed:  # parallel edges all at once
            pairs = {graph.edges[e][:2] for e in self.closed_edges}
            self.closed_edges = {e for e, (u, v, _) in enumerate(graph.edges) if (u, v) in pairs}

    def __str__(self):
        return " ".join(f"{k}={v}" for k, v in vars(self).items() if v not in (None, False, set(), 0))


def bits(found, size):
    words = np.zeros((size + 63) // 64 + 1, dtype=np.uint64)
    for i in found:
        words[i // 64] |= np.uint64(1 << (i % 64))
    return words


def by_scipy(n, arcs, sources):
    """Distances from each source; None where SciPy cannot hold the graph."""
    lightest = {}
    for u, v, w in arcs:
        if u != v or w < 0:
            lightest[u, v] = min(w, lightest.get((u, v), INF))
    if any(w <= 0 for w in lightest.values()) or not lightest:
        return None
    (rows, columns), values = zip(*lightest), list(lightest.values())
    matrix = scipy.sparse.csr_matrix((values, (rows, columns)), shape=(n, n), dtype=float)
    return csgraph.dijkstra(matrix, indices=sources)


def own(n, arcs, sources):
    """(distances from the nearest source, vertices that a negative cycle reaches)."""
    best = [INF] * n
    for s in sources:
        best[s] = 0
    for _ in range(n):
        for u, v, w in arcs:
            best[v] = min(best[v], best[u] + w)
    bad = {v for u, v, w in arcs if best[u] + w < best[v]}
    for _ in range(n if bad else 0):
        bad |= {v for u, v, _ in arcs if u in bad}
    return best, bad


class Reference:
    """The right answer of one traversal."""

    def __init__(self, graph, q, sources):
        self.n, self.q, self.sources = graph.n, q, sources
        self.arcs = graph.arcs(q)
        if q.problem == BFS:
            self.arcs = [(u, v, 1) for u, v, _ in self.arcs]
        self.all, self.bad = own(self.n, self.arcs, sources)
        if len(sources) == 1 and not self.bad:
            theirs = by_scipy(self.n, self.arcs, sources[0])
            if theirs is not None and not np.array_equal(theirs, self.all):
                raise Mismatch(f"the reference is wrong: {self.all} {theirs}")
        self.dist = [d if v not in self.bad else -INF for v, d in enumerate(self.all)]
        self.whole = self.dist
        self.negative = not q.unit and any(w < 0 for _, _, w in graph.edges)
        if q.problem != APSP:
            self.limit()
        elif q.max_distance is not None:
            self.dist = [d if d <= q.max_distance else INF for d in self.dist]

    def limit(self):
        q = self.q
        max_dist = q.max_level if q.problem == BFS else q.max_distance
        if max_dist is not None:
            self.dist = [d if d <= max_dist else INF for d in self.dist]
        if q.targets is None:
            return
        far = max(self.dist[t] for t in q.targets)
        if far == INF or (q.problem == SSSP and self.negative):
            return
        self.dist = [d if d <= far or (d == 0) else INF for d in self.dist]

    def tight(self, v):
        """[(vertex, weight)]: the last edges of shortest paths, which may lead through vertices beyond the limit."""
        d = self.whole
        return [(u, w) for u, x, w in self.arcs if x == v and d[u] + w == d[v] and abs(d[u]) < INF]

    def hops(self, all_edges):
        """The fewest tight edges (of weight 0, or all) from a vertex that needs none."""
        found = {v: 0 for v in set(self.sources) if self.dist[v] == 0}
        if not all_edges:
            found.update({v: 0 for v in range(self.n) if any(w > 0 for _, w in self.tight(v))})
        step = 0
        while True:
            step += 1
            new = {
                v
                for v in range(self.n)
                if abs(self.whole[v]) < INF and v not in found
                and any(u in found and (all_edges or w == 0) for u, w in self.tight(v))
            }  # fmt: skip
            if not new:
                return found
            found.update({v: step for v in new})

    def check_parents(self, parent, rule):
        hops = self.hops(self.negative) if rule == NEAREST else None
        zero = any(w <= 0 for _, _, w in self.arcs)
        for v in range(self.n):
            p = int(parent[v])
            if abs(self.dist[v]) == INF:
                want = {-1}
            elif v in self.sources and self.dist[v] == 0:
                want = {v}
            else:
                want = {u for u, w in self.tight(v)}
                if rule == MIN_ID and not zero:
                    want = {min(want)}
                elif rule == NEAREST and self.negative:
                    want = {min((hops[u], u) for u in want)[1]}
                elif rule == NEAREST:
                    near = min(self.whole[u] for u in want)
                    close = {u for u in want if self.whole[u] == near}
                    want = {min((0 if near < self.dist[v] else hops[u], u) for u in close)[1]}
            if p not in want:
                raise Mismatch(f"vertex {v} has parent {p}, not {sorted(want)}")
            seen = set()
            while v not in self.sources and v >= 0:
                if v in seen:
                    raise Mismatch(f"parents form a cycle at {v}")
                seen.add(v)
                v = int(parent[v])

    def check_origin(self, origin):
        first = {s: i for i, s in reversed(list(enumerate(self.sources)))}
        for v in range(self.n):
            want = -1
            if abs(self.dist[v]) < INF:
                ways = [own(self.n, self.arcs, [s])[0][v] for s in self.sources]
                want = min(range(len(ways)), key=lambda i: (ways[i], i))
            if origin[v] != want and not self.negative:
                raise Mismatch(f"vertex {v} has origin {origin[v]}, not {want}")
        del first


def numbers(dist, kind):
    """The distances as floats, with infinities."""
    if kind in (F32, F64):
        return dist.astype(float)
    top = np.iinfo(TYPES[kind])
    return np.where(dist == top.max, INF, np.where(dist == top.min, -INF, dist.astype(float)))


class Run:
    """A solver of one strategy and the queries on it."""

    def __init__(self, f, graph, rng, problem, strategy):
        self.f, self.graph, self.rng, self.problem = f, graph, rng, problem
        self.strategy = strategy
        self.reverse, self.unit = rng.random() < 0.3, problem != BFS and rng.random() < 0.15
        kinds = [0, F64] if graph.type in (F32, F64) else [0, I64]
        if problem == BFS:
            kinds = [0]
        elif not graph.type or self.unit:
            kinds = [0, I32, I64, F32, F64]
        self.keep = f.ffi.new("char[]", strategy.encode())
        options = f.struct("fr_solver_options", strategy=self.keep, reverse=self.reverse, unit_weights=self.unit,
                           dist_type=rng.choice(kinds), max_sources=64, expected_queries=rng.choice((0, 1, 100)))  # fmt: skip
        f.lib.fr_ctx_set_threads(f.ctx, rng.choice((1, 1, 2, 3)))
        self.solver = self.call("fr_solver *", lambda at: f.lib.fr_solver_new(f.ctx, graph.graph, problem, options, at))
        self.kind = f.lib.fr_solver_dist_type(self.solver)
        self.transposed = f.out("fr_graph *", lambda at: f.lib.fr_graph_transpose(f.ctx, graph.graph, at))

    def call(self, kind, fn):
        at = self.f.ffi.new(kind + "*")
        self.refuse(fn(at))
        return at[0]

    def refuse(self, status):
        name = self.f.text(self.f.lib.fr_status_name(status))
        if name in ("FR_UNSUPPORTED", "FR_NEGATIVE_WEIGHT"):
            raise Refused(self.f.error())
        if status and name != "FR_NEGATIVE_CYCLE":
            raise Mismatch(f"{name}: {self.f.error()}")
        return name

    def free(self):
        self.f.lib.fr_solver_free(self.solver)
        self.f.lib.fr_graph_free(self.transposed)

    def fill(self, q):
        """The query as the library takes it; arrays are kept in self.arrays."""
        f = self.f
        a = self.arrays = {}
        made = f.struct("fr_query", parent_rule=q.rule, want_parents=q.parents, mark_negative_cycles=q.mark)
        for name in ("sources", "targets"):
            if getattr(q, name) is not None:
                a[name] = np.array(getattr(q, name), dtype=np.int32)
                setattr(made, name, f.at(a[name]))
                setattr(made, name[:-1] + "_count", len(a[name]))
        if q.max_distance is not None:
            made.max_distance, made.limit_distance = q.max_distance, True
        if q.max_level is not None:
            made.max_level, made.limit_level = q.max_level, True
        if q.closed_vertices:
            a["cv"] = bits(q.closed_vertices, self.graph.n)
            made.closed_vertices = f.at(a["cv"])
        if q.closed_edges:
            a["ce"] = bits(q.closed_edges, len(self.graph.edges))
            made.closed_edges = f.at(a["ce"])
        return made

    def once(self, q):
        f, n = self.f, self.graph.n
        sources = q.sources if q.sources is not None else list(range(n))
        rows = len(sources) if self.problem == APSP else 1
        columns = len(q.targets) if self.problem == APSP and q.targets is not None else n
        made = self.fill(q)
        dist = np.zeros((rows, columns), dtype=np.int32 if self.problem == BFS else TYPES[self.kind])
        parent, origin, order = (np.full((rows, columns), -7, dtype=np.int32) for _ in range(3))
        result = f.struct("fr_result")
        if self.problem == BFS:
            result.level = f.at(dist)
        else:
            result.dist = pointer(f, dist)
        if q.parents:
            result.parent = f.at(parent)
        if q.origin:
            result.origin = f.at(origin)
        if q.order:
            result.order = f.at(order)
        status = self.refuse(f.lib.fr_solve(self.solver, made, result))
        self.check(q, sources, status, made, result, dist, parent, origin, order)

    def check(self, q, sources, status, made, result, dist, parent, origin, order):
        f, n = self.f, self.graph.n
        found = np.where(dist < 0, INF, dist.astype(float)) if self.problem == BFS else numbers(dist, self.kind)
        groups = [[s] for s in sources] if self.problem == APSP else [sources]
        references = [Reference(self.graph, q, g) for g in groups]
        if status == "FR_NEGATIVE_CYCLE" and not q.mark:
            if not any(r.bad for r in references):
                raise Mismatch("a negative cycle where there is none")
            return
        if any(r.bad for r in references) != (status == "FR_NEGATIVE_CYCLE"):
            # a limit, or targets, may end the search before
            raise Mismatch(f"{status} although a negative cycle is reached")
        for row, r in enumerate(references):
            columns = q.targets if self.problem == APSP and q.targets is not None else range(n)
            if not np.array_equal(found[row], [r.dist[v] for v in columns]):
                raise Mismatch(f"row {row}: {found[row].tolist()} instead of {[r.dist[v] for v in columns]}")
            if q.parents and len(columns) == n and columns == range(n):
                r.check_parents(parent[row], q.rule if not (r.bad and q.rule == NEAREST) else ANY)
            if q.origin:
                r.check_origin(origin[row])
            if q.order:
                want = sorted((d, v) for v, d in enumerate(r.dist) if d < INF)
                if [int(v) for v in order[row][: len(want)]] != [v for _, v in want]:
                    raise Mismatch(f"order {order[row].tolist()} instead of {want}")
        self.verify(q, made, dist, parent)

    def verify(self, q, made, dist, parent):
        """The library's checker, which takes the transposed graph."""
        f, graph = self.f, self.graph
        if q.reverse and q.closed_edges:
            return  # bits of the edges of the graph that was traversed
        g = self.transposed if q.reverse else graph.graph
        p = f.at(parent) if q.parents else f.ffi.NULL
        if self.problem == BFS:
            status = f.lib.fr_verify_bfs(f.ctx, g, made, f.at(dist), p)
        elif self.problem == SSSP:
            status = f.lib.fr_verify_sssp(f.ctx, g, made, q.unit, pointer(f, dist), self.kind, p)
        else:
            status = f.lib.fr_verify_apsp(f.ctx, g, made, q.unit, pointer(f, dist), self.kind, p, 0, 1)
        name = f.text(f.lib.fr_status_name(status))
        if status and name != "FR_UNSUPPORTED":
            raise Mismatch(f"the checker says {name}: {f.error()}")

    def each(self, q):
        """fr_solve_each gives the rows of single queries."""
        f, n = self.f, self.graph.n
        made, count = self.fill(q), len(q.sources)
        dist = np.zeros((count, n), dtype=np.int32 if self.problem == BFS else TYPES[self.kind])
        parent = np.full((count, n), -7, dtype=np.int32)
        result = f.struct("fr_result")
        if self.problem == BFS:
            result.level = f.at(dist)
        else:
            result.dist = pointer(f, dist)
        if q.parents:
            result.parent = f.at(parent)
        solved = f.ffi.new("int64_t *")
        status = self.refuse(f.lib.fr_solve_each(self.solver, made, result, solved))
        found = np.where(dist < 0, INF, dist.astype(float)) if self.problem == BFS else numbers(dist, self.kind)
        if status == "FR_OK" and solved[0] != count:
            raise Mismatch(f"{solved[0]} rows of {count} are solved")
        for row in range(solved[0]):
            r = Reference(self.graph, q, [q.sources[row]])
            if not np.array_equal(found[row], r.dist):
                raise Mismatch(f"each, row {row}: {found[row].tolist()} instead of {r.dist}")
            if q.parents:
                r.check_parents(parent[row], q.rule)


def one(f, table, seed, counts):
    rng = random.Random(seed)
    graph = Graph(f, rng)
    try:
        for problem in (BFS, SSSP, APSP):
            for strategy in table[problem]:
                run = q = None
                try:
                    run = Run(f, graph, rng, problem, strategy)
                    for _ in range(3):
                        q = Query(graph, rng, problem, run.reverse, run.unit)
                        try:
                            if problem != APSP and rng.random() < 0.2:
                                q.origin = q.order = False
                                run.each(q)
                            else:
                                run.once(q)
                            counts["answered"] += 1
                        except Refused as why:
                            counts["refused"] += 1
                            counts.setdefault(str(why)[:70], 0)
                            counts[str(why)[:70]] += 1
                except Refused:
                    counts["refused"] += 1
                except Mismatch as error:
                    kinds = f"{graph.n} vertices, {'directed' if graph.directed else 'undirected'}, type {graph.type}"
                    text = f"seed {seed}: {('bfs', 'sssp', 'apsp')[problem]} {strategy}, {kinds}, {q}: {error}"
                    return f"{text}\n  edges {graph.edges if len(graph.edges) < 30 else '...'}"
                finally:
                    if run:
                        run.free()
        return None
    finally:
        graph.free()


def strategies(f):
    table, at = {BFS: [], SSSP: [], APSP: []}, 0
    info = f.struct("fr_strategy_info")
    while f.lib.fr_strategy_get(at, info):
        if info.backend == 1:
            table[info.problem].append(f.text(info.name))
        at += 1
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--library", default=root / "build" / "libfringe.so", help="default: %(default)s")
    parser.add_argument("--count", type=int, default=200, help="graphs (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first graph (default %(default)s)")
    parser.add_argument("--go-on", action="store_true", help="list every mismatch instead of stopping at the first")
    parser.add_argument("--refused", action="store_true", help="list the reasons of refused queries")
    options = parser.parse_args()
    f = Library(options.library)
    table, counts, failed = strategies(f), {"answered": 0, "refused": 0}, 0
    for seed in range(options.seed, options.seed + options.count):
        why = one(f, table, seed, counts)
        if why:
            print(why, flush=True)
            failed += 1
            if not options.go_on:
                break
    answered, refused = counts.pop("answered"), counts.pop("refused")
    print(f"{answered} queries answered, {refused} refused, {failed} graphs with a mismatch")
    if options.refused:
        for text, count in sorted(counts.items(), key=lambda item: -item[1]):
            print(f"  {count:6d} {text}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
