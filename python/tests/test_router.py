"""Paths between two vertices: counts of rows, closed graphs, refused calls, coordinates; answers: test_random_api.py."""

import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor

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


def test_path_keeps_its_router(monkeypatch):
    made, init = [], fr.Router.__init__
    monkeypatch.setattr(fr.Router, "__init__", lambda self, *args, **options: (made.append(1), init(self, *args, **options))[1])
    g = fr.Graph.generate("grid2d:rows=60,cols=60", weights="random", weight_low=1, weight_high=9, seed=1)
    lengths = [fr.path(g, s, 3599).length for s in range(5)]
    assert len(made) == 1 and lengths == fr.Router(g).distances(range(5), [3599] * 5).tolist()
    with pytest.raises(IndexError):
        fr.path(g, 0, 3600)
    assert fr.path(g, 4, 3599).length == lengths[4] and len(made) == 2
    monkeypatch.setattr(fr.config, "threads", 2)
    assert fr.path(g, 4, 3599).length == lengths[4] and len(made) == 3
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda s, g=g: fr.path(g, s, 3599).length, list(range(5)) * 40)) == lengths * 40
    made_of, g = weakref.ref(g), None
    assert made_of() is None  # without the garbage collector


@pytest.mark.parametrize("make", [
    lambda g: fr.Solver(g, "sssp", dtype=np.int64, strategy="dijkstra"), lambda g: fr.Router(g),
    lambda g: fr.Router(g, "alt", landmarks=2), lambda g: fr.Router(g, coordinates=np.zeros((4, 2))),
])  # fmt: skip
def test_pickle_and_repr(make):
    g = fr.Graph.from_edges(["a", "b", "c"], ["b", "c", "d"], np.array([1, 2, 3], np.int32))
    solver = make(g)
    copy = pickle.loads(pickle.dumps(solver))
    assert copy._made is copy.PICKLED and "4 vertices, 3 edges" in repr(copy) and copy.dtype == np.int64
    assert repr(copy) == repr(solver) and repr(solver).startswith(f"<pyfringe.{type(solver).__name__}: ")
    if isinstance(solver, fr.Solver):
        assert "sssp by dijkstra" in repr(copy) and copy.solve("a").dist.tolist() == [0, 1, 3, 6]
    else:
        assert copy.algorithm == solver.algorithm in repr(copy) and copy.path("a", "d").length == 6
    solver.close()
    assert repr(solver).endswith(": closed>")
    with pytest.raises(fr.FringeError, match="closed"):
        pickle.dumps(solver)


def test_messages_name_what_pip_installs():
    g = fr.Graph.from_edges([0], [1])
    calls = [
        ("strategies", lambda: fr.bfs(g, 0, strategy="nonsense")), ("formats", lambda: g.to_bytes("nonsense")),
        ("formats", lambda: g.save("g.nonsense")), ("formats", lambda: fr.Graph.from_bytes(b"0 1", format="nonsense")),
    ]  # fmt: skip
    for name, call in calls:
        with pytest.raises(ValueError, match=rf"pyfringe\.{name}\(\)") as error:
            call()
        assert "fringe list" not in str(error.value)
        assert getattr(fr, name)()
    for name in fr.generators():
        with pytest.raises(ValueError, match="there are .*" + name):
            fr.Graph.generate("nonsense")
