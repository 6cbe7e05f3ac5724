"""The package's own functions on drawn graphs, beside a matrix of the distances between all vertices."""

import numpy as np
from drawn import QUARTERS, SMALL, WITH_ZEROS, drawn, edges, st

import pyfringe as fr

DTYPES = {"int32": SMALL, "int64": WITH_ZEROS, "float32": QUARTERS, "float64": QUARTERS}


@st.composite
def graphs(draw):
    """(graph, its edges as (u, v, weight): the opposite ones, too, where it is undirected)"""
    n, dtype, directed = draw(st.integers(1, 8)), draw(st.sampled_from(sorted(DTYPES))), draw(st.booleans())
    chosen = draw(edges(n, DTYPES[dtype]))
    u, v, w = (np.array([edge[i] for edge in chosen], kind) for i, kind in enumerate((np.int32, np.int64, dtype)))
    graph = fr.Graph.from_edges(u, v, w, n=n, directed=directed)
    assert graph.weight_dtype == dtype
    return graph, chosen if directed else chosen + [(v, u, w) for u, v, w in chosen]


def lengths(n, chosen, unit=False):
    made = np.full((n, n), np.inf)
    for u, v, w in chosen:
        made[u, v] = min(made[u, v], 1 if unit else w)
    np.fill_diagonal(made, 0)
    for k in range(n):
        made = np.minimum(made, made[:, [k]] + made[k])
    return made


def same(result, wanted, limit=None):
    """The levels or distances equal the matrix's up to the limit, in their own type, and the parents lead there."""
    is_bfs = result.problem == fr._solve.BFS
    values = result.level if is_bfs else result.dist
    none = -1 if is_bfs else np.inf if values.dtype.kind == "f" else np.iinfo(values.dtype).max
    absent = np.isinf(wanted) if limit is None else np.isinf(wanted) | (wanted > limit)
    np.testing.assert_array_equal(values, np.where(absent, none, wanted))
    result.verify()


@st.composite
def closings(draw, g, chosen):
    """(closed vertices and edges in one of the forms that fringe takes, the edges that are left)"""
    shut = draw(st.lists(st.integers(0, g.n - 1), max_size=2, unique=True))
    pairs = draw(st.lists(st.sampled_from([edge[:2] for edge in chosen]), min_size=1, max_size=3)) if chosen else []
    both = set(pairs) | ({(v, u) for u, v in pairs} if g.symmetric else set())
    numbers = np.array([e for pair in both for e in g.edge(*pair)], np.int64)
    given = {
        "closed_vertices": draw(st.sampled_from([shut, np.isin(np.arange(g.n), shut)])),
        "closed_edges": draw(st.sampled_from([pairs, numbers, np.isin(np.arange(g.m), numbers)])) if pairs else None,
    }
    return given, [edge for edge in chosen if not {*edge[:2]} & {*shut} and edge[:2] not in both]


SEARCHES = [("bfs", "max_level", {}), ("sssp", "max_distance", {}), ("sssp", "max_distance", {"unit": True}),
            ("sssp", "max_distance", {"unit": True, "dtype": np.float64})]  # fmt: skip


@drawn(400, drawn_graph=graphs(), kind=st.sampled_from(SEARCHES), data=st.data())
def test_searches(drawn_graph, kind, data):
    g, chosen = drawn_graph
    (name, limited, options), vertices = kind, st.lists(st.integers(0, g.n - 1), min_size=1, max_size=4)
    sources, limit = data.draw(vertices), data.draw(st.sampled_from([None, None, 0, 1, 2.0, 5, 2**40, np.inf]))
    closed, left = data.draw(closings(g, chosen))
    whole, matrix = (lengths(g.n, some, name == "bfs" or "unit" in options) for some in (chosen, left))
    search, each, top = getattr(fr, name), getattr(fr, f"{name}_each"), {limited: limit}
    r = search(g, sources, origins=True, **closed, **options, **top)
    same(r, matrix[sources].min(axis=0), limit)
    assert r.origin.tolist() == [matrix[sources, v].argmin() if r.parent[v] >= 0 else -1 for v in range(g.n)]
    same(search(g.filter(**closed), sources, parent_rule="min-id", **options), matrix[sources].min(axis=0))
    same(search(g, sources, reverse=True, **closed, **options, **top), matrix[:, sources].min(axis=1), limit)
    same(each(g, sources, parents=True, **closed, **options, **top), matrix[sources], limit)
    same(search(g.reverse(), sources[0], **options), whole[:, sources[0]])
    targets = data.draw(vertices)
    some = search(g, sources, targets=targets, **closed, **options)
    assert (some.parent[targets] < 0).tolist() == np.isinf(matrix[sources].min(axis=0)[targets]).tolist()
    with fr.Solver(g, name, **options) as solver:
        for _ in range(2):  # closings change from query to query
            same(solver.solve(sources, limit=limit, **closed), matrix[sources].min(axis=0), limit)
            same(solver.solve_each(sources, **closed), matrix[sources])
            made = solver.solve(sources[0])
            same(made, whole[sources[0]])
            values, parent = np.empty(g.n, solver.dtype), np.empty(g.n, np.int32)
            solver.run(sources[0], values, parent)
            np.testing.assert_array_equal(values, made._values, strict=True)
            assert ((parent < 0) == (made.parent < 0)).all()


@drawn(200, drawn_graph=graphs(), data=st.data())
def test_all_pairs(drawn_graph, data):
    g, chosen = drawn_graph
    vertices = st.none() | st.lists(st.integers(0, g.n - 1), min_size=1, max_size=4)
    sources, targets = data.draw(vertices), data.draw(vertices)
    limit, (closed, left) = data.draw(st.sampled_from([None, 0, 2, 5.5])), data.draw(closings(g, chosen))
    matrix = lengths(g.n, left)
    rows, columns = (range(g.n) if some is None else some for some in (sources, targets))
    wanted = matrix[np.ix_(rows, columns)]
    same(fr.apsp(g, sources, targets=targets, parents=True, max_distance=limit, **closed), wanted, limit)
    if targets is None:
        same(fr.apsp(g, sources, reverse=True, **closed), matrix.T[np.ix_(rows, columns)])
    got = {}
    fr.apsp(g, sources, targets=targets, **closed, rows=lambda i, s, dist, _: got.__setitem__(i, (s, dist)))
    found = fr.apsp(g, sources, targets=targets, **closed).dist
    assert [(s, dist.tolist()) for _, (s, dist) in sorted(got.items())] == list(zip(rows, found.tolist(), strict=True))
    assert fr.distances(g, rows, columns).tolist() == fr.apsp(g, sources, targets=targets).dist.tolist()


@drawn(200, drawn_graph=graphs(), data=st.data())
def test_routes(drawn_graph, data):
    g, chosen = drawn_graph
    matrix, xy = lengths(g.n, chosen), np.random.default_rng(g.n).random((g.n, 2))
    algorithm = data.draw(st.sampled_from(["bidirectional", "astar", "alt"]))
    with fr.Router(g, algorithm, coordinates=xy if algorithm == "astar" else None) as router:
        assert router.algorithm == algorithm
        none = np.inf if router.dtype.kind == "f" else np.iinfo(np.int64).max
        s, t = np.divmod(np.arange(g.n**2), g.n)
        for found in (router.table(range(g.n), range(g.n)), router.distances(s, t).reshape(g.n, g.n)):
            np.testing.assert_array_equal(np.where(found == none, np.inf, found), matrix)
        for u, v in zip(s.tolist(), t.tolist(), strict=True):
            length, path = router.path(u, v)
            steps = [g.data[g.edge(*step).start] for step in zip(path, path[1:], strict=False)]
            assert length == matrix[u, v] and (not path.size if np.isinf(length) else sum(steps) == length)
            assert not path.size or path[[0, -1]].tolist() == [u, v]


@drawn(200, drawn_graph=graphs(), data=st.data())
def test_all_shortest_paths_and_parts(drawn_graph, data):
    g, chosen = drawn_graph
    source, unit = data.draw(st.integers(0, g.n - 1)), data.draw(st.booleans())
    r = fr.sssp(g, source, unit=unit)
    dist, u = lengths(g.n, chosen, unit)[source], np.repeat(np.arange(g.n), np.diff(g.indptr))
    weights = np.ones(g.m) if unit else g.data
    tight = np.isfinite(dist[u]) & (dist[u] + weights == dist[g.indices]) & (u != g.indices)
    assert r.tight_edges().tolist() == tight.tolist()
    if (weights > 0).all():
        count = (np.arange(g.n) == source) * 1
        for v in np.argsort(dist)[1:]:
            count[v] = count[u[tight & (g.indices == v)]].sum()
        assert r.path_counts().tolist() == r.path_counts(exact=True).tolist() == count.tolist()
    reach = np.isfinite(lengths(g.n, chosen))
    weak = np.isfinite(lengths(g.n, chosen + [(v, u, w) for u, v, w in chosen]))
    for kind, mates in (("weak", weak), ("strong", reach & reach.T)):
        _, label, size = np.unique(mates.argmax(axis=1), return_inverse=True, return_counts=True)
        assert [a.tolist() for a in g.components(kind)[1:]] == [label.tolist(), size.tolist()]
    kept = data.draw(st.lists(st.integers(0, g.n - 1), min_size=1))
    inside = [(ids.index(u), ids.index(v), w) for u, v, w in chosen if {u, v} <= {*kept}] if (ids := sorted({*kept})) else []
    part = g.subgraph(data.draw(st.sampled_from([kept, np.isin(np.arange(g.n), kept)])))
    assert part.ids.tolist() == ids
    same(fr.apsp(part), lengths(part.n, inside))
