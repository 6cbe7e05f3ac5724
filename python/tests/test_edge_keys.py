"""The edges of a path and their keys: of multigraphs of NetworkX, of tables, with closed edges, backwards."""

import pickle

import numpy as np
import pytest

import pyfringe as fr


def lightest(G, u, v, weight):
    return min(G[u][v], key=lambda k: G[u][v][k].get(weight, 1))


def multigraphs(nx):
    """Draws few weights, so that many parallel edges have the same one; keys of several kinds."""
    rng = np.random.default_rng(5)
    for kind in (nx.MultiGraph, nx.MultiDiGraph) * 4:
        G = kind()
        G.add_nodes_from(rng.permutation(9).tolist())
        for number, (u, v, w) in enumerate(rng.integers(0, 9, (60, 3)).tolist()):
            G.add_edge(u, v, *(((u, number),) if number % 3 == 0 else (f"k{number}",) if number % 3 == 1 else ()), **({"km": w % 3 + 1} if w else {}))
        yield G


def test_keys_beside_networkx():
    nx = pytest.importorskip("networkx")
    checked = 0
    for G in multigraphs(nx):
        g = fr.Graph.from_networkx(G, "km")
        router = fr.Router(g)
        for source in G:
            r, hops = fr.sssp(g, source), fr.bfs(g, source)
            for target, length in nx.single_source_dijkstra_path_length(G, source, weight=lambda u, v, d: min(e.get("km", 1) for e in d.values())).items():
                for edges in (r.path_edges(target, keys=True), g.path_edges(router.path(source, target), keys=True), g.path_edges(fr.path(g, source, target).vertices, keys=True)):
                    assert all(k == lightest(G, u, v, "km") for u, v, k in edges)
                    assert sum(G.edges[e].get("km", 1) for e in edges) == length
                    assert [u for u, _, _ in edges] + [target] == [source] + [v for _, v, _ in edges]
                    checked += len(edges)
                assert r.path_edges(target) == list(nx.utils.pairwise(r.path_to(target, ids=True)))
                assert len(hops.path_edges(target, keys=True)) == nx.shortest_path_length(G, source, target)
    assert checked > 1000
    g = fr.Graph.from_networkx(G, None)
    assert all(k == next(iter(G[u][v])) for u, v, k in fr.bfs(g, next(iter(G))).path_edges(list(G)[-1], keys=True))


def test_keys_of_views_and_copies():
    nx = pytest.importorskip("networkx")
    for G in multigraphs(nx):
        view = G.edge_subgraph(list(G.edges(keys=True))[::2])
        g = fr.Graph.from_networkx(view, "km")
        for same in (g, pickle.loads(pickle.dumps(g)), g.with_weights(g.data), g.with_weights(g.data * 0.5)):
            u, v, _ = same.edges()
            assert same.edge_keys == [lightest(view, *ends, "km") for ends in zip(g.id(u), g.id(v), strict=True)]


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_keys_of_a_table(directed, weighted):
    rng = np.random.default_rng(7)
    for turn in range(12):
        src, dst, w = rng.integers(0, 8, (3, 70))
        w = w // 3 if weighted else None
        g = fr.Graph.from_edges(src, dst, w, n=8, directed=directed, edge_keys=[f"line {i}" for i in range(70)], drop_parallel=turn % 3 == 0)
        assert (g.data is None) != weighted and g.m == fr.Graph.from_edges(src, dst, w, n=8, directed=directed, drop_parallel=turn % 3 == 0).m

        def best(u, v, open_lines):
            lines = [i for i in open_lines if (src[i], dst[i]) == (u, v) or (not directed and (dst[i], src[i]) == (u, v))]
            return min(lines, key=lambda i: (w[i] if weighted else 1, i))

        for (u, v, key), weight in zip(zip(*g.edges()[:2], g.edge_keys, strict=True), g.data if weighted else [None] * g.m, strict=True):
            line = int(key.split()[1])
            assert {(u, v), (u, v) if directed else (v, u)} & {(src[line], dst[line]), (dst[line], src[line]) if not directed else None}
            assert weight is None or weight == w[line]
        closed = rng.random(g.m) < 0.3 if turn % 3 else np.zeros(g.m, bool)
        shut = {int(g.edge_keys[e].split()[1]) for e in np.flatnonzero(closed)}
        for reverse in (False, True):
            r = (fr.sssp if weighted else fr.bfs)(g, 0, closed_edges=closed, reverse=reverse)
            for target in np.flatnonzero(r.parent >= 0).tolist():
                edges = r.path_edges(target, keys=True)
                assert [int(key.split()[1]) for *_, key in edges] == [best(u, v, [i for i in range(70) if i not in shut]) for u, v, _ in edges]
                ends = [u for u, _, _ in edges] + [v for *_, (_, v, _) in [edges]] if edges else [0, 0]
                assert {ends[0], ends[-1]} == {0, target}


def test_columns_of_keys():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"from": ["a", "a", "b"], "to": ["b", "b", "c"], "km": [5, 2, 1], "h": [1, 2, 1], "road": ["A1", "A2", "A3"]})
    tables = [table]
    for package, convert in (("pyarrow", lambda m: m.Table.from_pandas(table)), ("polars", lambda m: m.from_pandas(table))):
        try:
            tables.append(convert(__import__(package)))
        except ImportError:
            pass
    for given in tables:
        g = fr.Graph.from_pandas(given, "from", "to", ["km", "h"], edge_key="road")
        assert fr.sssp(g, "a").path_edges("c", keys=True) == [("a", "b", "A2"), ("b", "c", "A3")]
        assert fr.sssp(g.with_weights("h"), "a").path_edges("c", keys=True) == [("a", "b", "A1"), ("b", "c", "A3")]
    assert fr.Graph.from_edges([1, 0], [0, 1], edge_keys=np.array([70, 60])).edge_keys == [60, 70]
    rows = fr.sssp_each(fr.Graph.from_edges([0, 1], [1, 2], [3, 4], edge_keys="xy"), [0, 1], parents=True)
    assert rows.path_edges(2, row=1, keys=True) == [(1, 2, "y")] and rows.path_edges(0, row=1, keys=True) == []


def test_what_is_refused():
    nx = pytest.importorskip("networkx")
    M = nx.MultiDiGraph([(0, 1), (1, 2)])
    function = fr.Graph.from_networkx(M, lambda u, v, keys: len(keys))
    for g in (fr.Graph.from_edges([0, 1], [1, 2]), function, fr.Graph.from_networkx(M).reverse(), fr.Graph.from_networkx(nx.path_graph(3))):
        assert g.edge_keys is None and g.path_edges([1]) == []
        with pytest.raises(fr.FringeError, match="no keys of edges"):
            g.path_edges([0], keys=True)
    with pytest.raises(ValueError, match="an entry for each edge: 2, not 1"):
        fr.Graph.from_edges([0, 1], [1, 2], edge_keys=["a"])
    g = fr.Graph.from_networkx(M)
    with pytest.raises(IndexError, match="no edge 1 -> 0; a path of a search with reverse=True"):
        g.path_edges([1, 0])
    for wrong in (3, -1):
        with pytest.raises(IndexError, match="does not exist"):
            g.path_edges([0, wrong])
    with pytest.raises(fr.FringeError, match="no parents"):
        fr.bfs(g, 0, parents=False).path_edges(1)
