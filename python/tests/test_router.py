"""Paths between two vertices, their number and their edges, held against NetworkX."""

import itertools
import math

import numpy as np
import pytest

import pyfringe as fr

nx = pytest.importorskip("networkx")


def roads(seed, directed, real):
    """A mesh with random weights and coordinates, in NetworkX and in fringe."""
    rng = np.random.default_rng(seed)
    g = nx.grid_2d_graph(8, 8, create_using=nx.DiGraph if directed else nx.Graph)
    xy = np.array([v for v in g.nodes], dtype=float)
    g = nx.convert_node_labels_to_integers(g)
    g.remove_edges_from([e for e in list(g.edges) if rng.random() < 0.15])
    for _, _, data in g.edges(data=True):
        data["weight"] = float(rng.integers(8, 40)) / 8 if real else int(rng.integers(1, 9))
    return g, fr.Graph.from_networkx(g), xy


CASES = list(itertools.product([1, 2], [False, True], [False, True]))


def weight_of(g, vertices):
    return sum(g[u][v]["weight"] for u, v in itertools.pairwise(vertices))


@pytest.mark.parametrize(("seed", "directed", "real"), CASES)
@pytest.mark.parametrize("algorithm", ["bidirectional", "astar", "alt"])
def test_paths(algorithm, seed, directed, real):
    g, f, xy = roads(seed, directed, real)
    pairs = np.random.default_rng(seed).integers(0, 64, (40, 2))
    lengths = dict(nx.all_pairs_dijkstra_path_length(g))
    with fr.Router(f, algorithm, coordinates=xy if algorithm == "astar" else None) as router:
        assert router.algorithm == algorithm
        for s, t in pairs.tolist():
            found = router.path(s, t)
            assert found.length == lengths[s].get(t, math.inf)
            if t in lengths[s]:
                assert found.vertices[[0, -1]].tolist() == [s, t]
                assert weight_of(g, found.vertices.tolist()) == found.length
            else:
                assert found.vertices.size == 0
        many = router.distances(*pairs.T)
        assert many.dtype == (np.float64 if real else np.int64)
        none = math.inf if real else np.iinfo(np.int64).max
        assert many.tolist() == [lengths[s].get(t, none) for s, t in pairs.tolist()]
        assert router.table([3, 9], [0, 63, 7]).tolist() == [[lengths[s].get(t, none) for t in (0, 63, 7)] for s in (3, 9)]


@pytest.mark.parametrize(("seed", "directed", "real"), CASES)
def test_all_shortest_paths(seed, directed, real):
    g, f, _ = roads(seed, directed, real)
    for weight, result in (("weight", fr.sssp(f, 5)), (None, fr.bfs(f, 5)), (None, fr.sssp(f, 5, unit=True))):
        predecessors, _ = nx.dijkstra_predecessor_and_distance(g, 5, weight=weight or (lambda *_: 1))
        wanted = {(u, v) for v, before in predecessors.items() for u in before}
        mask = result.tight_edges()
        ends = np.repeat(np.arange(f.n), np.diff(f.indptr))[mask], f.indices[mask]
        assert set(zip(*(e.tolist() for e in ends), strict=True)) == wanted
        counts, exact = result.path_counts(), result.path_counts(exact=True)
        for v in predecessors:
            assert counts[v] == exact[v] == len(list(nx.all_shortest_paths(g, 5, v, weight=weight))), v
        assert counts.dtype == np.float64 and exact.dtype == np.int64


def test_counts_of_rows_and_other_queries():
    g = fr.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 3, 3, 4])
    rows = fr.bfs_each(g, [1, 0])
    assert rows.path_counts(row=1).tolist() == [1, 1, 1, 2, 2] and rows.path_counts(row=0).tolist() == [0, 1, 0, 1, 1]
    assert rows.tight_edges(row=1).all() and fr.apsp(g).path_counts(row=0).tolist() == [1, 1, 1, 2, 2]
    assert fr.bfs(g, 4, reverse=True).path_counts().tolist() == [2, 1, 1, 1, 1]
    assert fr.bfs(g, 0, closed_vertices=[1]).path_counts().tolist() == [1, 0, 1, 1, 1]


def test_no_paths_and_a_closed_router():
    router = fr.Router(fr.Graph.from_edges([0, 1], [1, 2], [1, 2]))
    assert router.k_paths(0, 2, 0) == [] and router.distances([], []).size == 0
    router.close()
    with pytest.raises(fr.FringeError, match="closed"):
        router.path(0, 2)


def test_a_closed_graph_lives_as_long_as_its_router():
    g = fr.Graph.generate("grid2d:rows=60,cols=60", weights="random", weight_low=1, weight_high=9, seed=1)
    router, ends = fr.Router(g), (np.arange(50), np.arange(3000, 3050))
    wanted, counts = router.distances(*ends), [len(router.k_paths(0, 3599, 3))]
    g.close()
    others = [np.full(m, 7, np.int32) for m in range(2000, 20000, 400)]  # take the memory if it is free
    assert (router.distances(*ends) == wanted).all() and [len(router.k_paths(0, 3599, 3))] == counts
    assert len(others)


def test_a_refused_call_leaves_the_running_one_alone():
    refused = []

    def interfere(*_):
        with pytest.raises(fr.FringeError, match="in use") as error:
            router.k_paths(0, 1, 2)
        refused.append(error)

    router = fr.Router(fr.Graph.generate("grid2d:rows=60,cols=60", weights="random", weight_high=9), progress=interfere)
    while not refused:
        assert len(router.k_paths(0, 3599, 500)) == 500


def test_coordinates(tmp_path):
    (tmp_path / "g.gr").write_text("p sp 3 2\na 1 2 5\na 2 3 5\n", encoding="utf-8")
    (tmp_path / "g.co").write_text("p aux sp co 3\nv 1 0 0\nv 3 6 8\nv 2 3 4\n", encoding="utf-8")
    g = fr.Graph.load(tmp_path / "g.gr")
    xy = fr.load_coordinates(g, tmp_path / "g.co")
    assert xy.tolist() == [[0, 0], [3, 4], [6, 8]]
    assert fr.path(g, 0, 2, coordinates=xy) == (10, pytest.approx([0, 1, 2]))
