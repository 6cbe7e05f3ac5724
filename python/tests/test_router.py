"""Paths between two vertices: counts of rows, closed graphs, refused calls, coordinates; answers: test_random_api.py."""

import numpy as np
import pytest

import pyfringe as fr


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
