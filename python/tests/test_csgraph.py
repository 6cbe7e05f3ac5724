"""pyfringe.csgraph against SciPy's own: its test files unchanged, sizes, wrong input, and what serves which call."""

import os
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest

csgraph = pytest.importorskip("pyfringe.csgraph")
import scipy.sparse as sparse  # noqa: E402
import scipy.sparse.csgraph as theirs  # noqa: E402

import pyfringe as fr  # noqa: E402
from pyfringe import _small  # noqa: E402

FILES = ("test_shortest_path", "test_traversal", "test_conversions", "test_connected_components")
HAS_YEN = hasattr(theirs, "yen")  # SciPy 1.14
LIMITS = ("PATHS", "QUEUE", "YEN")
OWN_TESTS = 100 if HAS_YEN else 45


@pytest.fixture(autouse=True)
def all_by_fringe(monkeypatch):
    """No call goes on to SciPy's own function because it is small."""
    for limit in LIMITS:
        monkeypatch.setattr(_small, limit, 0)


def test_scipys_own_tests():
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "scipy_plugin", "--pyargs"]
    words += [f"scipy.sparse.csgraph.tests.{name}" for name in FILES]
    here = os.path.dirname(os.path.abspath(__file__))
    ran = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": here}, check=False)
    passed = re.search(r"^(\d+) passed", ran.stdout, re.M)
    assert ran.returncode == 0 and passed and int(passed[1]) >= OWN_TESTS, ran.stdout
    reached = {m[0]: (int(m[1]), int(m[2])) for m in re.findall(r"fringe: (\w+) (\d+) calls, (\d+) reached", ran.stdout)}
    for name in ("shortest_path", "dijkstra", "bellman_ford", "johnson", "breadth_first_tree", "connected_components") + (
        ("yen",) if HAS_YEN else ()
    ):
        calls, came = reached[name]
        assert came > 0 and calls - came <= 1, (name, reached)  # FW with indices is refused before any call
    print(passed[0], reached)


def test_negative_weights():
    a = np.array([[0, 4, 3], [0, 0, 0], [0, -2, 0.0]])
    with pytest.warns(UserWarning, match="negative"):
        assert csgraph.dijkstra(a, indices=0).tolist() == [0, 1, 3]
    cycle = np.array([[0, 1, 0], [0, 0, -3], [0, 1, 0.0]])
    island = np.zeros((5, 5))
    island[2:, 2:] = cycle
    for function in (csgraph.johnson, csgraph.shortest_path):
        with pytest.raises(csgraph.NegativeCycleError):
            function(island, indices=0)
    with pytest.raises(fr.NegativeCycleError) as caught:
        csgraph.floyd_warshall(island)
    assert sorted(caught.value.cycle) == [3, 4] and caught.value.weight == -2
    assert csgraph.bellman_ford(island, indices=0)[0] == 0


def test_the_input_is_never_written():
    a = np.array([[0, 1, np.inf], [np.nan, 0, 2], [0, 0, 0]])
    for options in ({}, {"overwrite": True}):
        b = a.copy()
        csgraph.floyd_warshall(b, **options)
        np.testing.assert_array_equal(a, b)


def test_sizes_and_wrong_input():
    for shape in ((0, 0), (1, 1)):
        assert csgraph.shortest_path(np.zeros(shape)).shape == shape
        assert csgraph.dijkstra(np.zeros(shape), return_predecessors=True)[1].shape == shape
    a = np.ones((3, 3))
    assert (csgraph.floyd_warshall(np.ma.masked_equal(a, 7)) == a - np.eye(3)).all()  # it has no mask
    assert csgraph.dijkstra(a, indices=1).shape == (3,)
    assert csgraph.dijkstra(a, indices=[[0, 1], [2, -1]]).shape == (2, 2, 3)
    assert csgraph.dijkstra(a, indices=[]).shape == (0, 3)
    for call in (
        lambda: csgraph.dijkstra(a, indices=3),
        lambda: csgraph.dijkstra(a, indices=[-4]),
        lambda: csgraph.dijkstra(a, limit=-1),
        lambda: csgraph.shortest_path(a, "none"),
        lambda: csgraph.shortest_path(np.ones((2, 3))),
        lambda: csgraph.connected_components(a, connection="no"),
    ):
        with pytest.raises(ValueError):
            call()
    for start in (3, -1):
        with pytest.raises(IndexError):
            csgraph.breadth_first_order(a, start)
    for start in (1.0, 1.9, np.True_, np.float32(1)):  # as SciPy reads them
        assert csgraph.breadth_first_order(a, start)[0].tolist() == [1, 0, 2]
    for call in (lambda: csgraph.dijkstra(a, limit="3"), lambda: csgraph.breadth_first_order(a, "1")):
        with pytest.raises(TypeError):
            call()
    bad = sparse.csr_array(np.ones((3, 3)))
    bad.indices[4] = 99
    for function in (csgraph.dijkstra, csgraph.connected_components, lambda m: csgraph.breadth_first_order(m, 0)):
        with pytest.raises(ValueError):
            function(bad)


def test_everything_of_scipy_is_there():
    assert set(theirs.__all__) <= set(csgraph.__all__)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert csgraph.laplacian is theirs.laplacian


# What is left to the library from these sizes on, and below them to one call of C without a graph or to SciPy's yen.
CALLS = {
    "shortest_path": lambda module, a, **options: module.shortest_path(a, indices=[3, -1], **options),
    "dijkstra": lambda module, a, **options: module.dijkstra(a, indices=[3, -1], **options),
    "bellman_ford": lambda module, a, **options: module.bellman_ford(a, indices=[3, -1], **options),
    "johnson": lambda module, a, **options: module.johnson(a, indices=[3, -1], **options),
    "floyd_warshall": lambda module, a, **options: module.floyd_warshall(a, **options),
    "breadth_first_order": lambda module, a, **options: module.breadth_first_order(a, 3, **options),
    "connected_components": lambda module, a, **options: module.connected_components(a, connection="strong", **options),
    "yen": lambda module, a, **options: module.yen(a, 0, 5, 3, **options),
}


def small_matrix(rng, n, entries):
    row, column = rng.integers(0, n, (2, entries))
    a = sparse.csr_array((rng.random(entries), (row, column)), shape=(n, n))
    a.indices, a.indptr = a.indices.astype(np.int32), a.indptr.astype(np.int32)  # SciPy's yen reads no others
    return a


@pytest.mark.parametrize("name", [name for name in CALLS if name != "yen" or HAS_YEN])
def test_small_calls_make_no_graph_and_others_do(name, monkeypatch):
    monkeypatch.undo()
    rng = np.random.default_rng(8)
    call, made = CALLS[name], []
    for maker in ("from_csr", "from_edges"):
        monkeypatch.setattr(csgraph.Graph, maker, lambda *words, own=getattr(fr.Graph, maker), **more: made.append(1) or own(*words, **more))
    for maker in ("order", "strong_components"):
        monkeypatch.setattr(csgraph._queue, maker, lambda *words, own=getattr(csgraph._queue, maker): made.append(1) or own(*words))
    for options in ({}, {"directed": False}, {"return_predecessors": True}, {"unweighted": True}):
        if name in ("breadth_first_order", "connected_components") and options not in ({}, {"directed": False}):
            continue
        if name == "connected_components" and options:
            continue  # weak ones are always the library's
        small = small_matrix(rng, 60, 200)
        with monkeypatch.context() as patch:
            patch.setattr(csgraph, "Graph", None)
            patch.setattr(csgraph, "_queue", None)
            call(csgraph, small, **options)
        made.clear()
        before = csgraph.Call.entered
        rows = 300 if name == "floyd_warshall" else 5000
        call(csgraph, small_matrix(rng, rows, 12 * rows), **options)
        assert made and csgraph.Call.entered > before, (name, options)


@pytest.mark.parametrize("options", [{}, {"directed": False}, {"unweighted": True}, {"indices": [0, 5, -1]}])
def test_small_calls_choose_the_parents_of_others(options, monkeypatch):
    monkeypatch.undo()
    rng = np.random.default_rng(4)
    for n in (12, 70):  # by Floyd and Warshall, by Dijkstra
        a = sparse.csr_array(np.floor(rng.random((n, n)) * 3 + 1) * (rng.random((n, n)) < 0.2))
        small = csgraph.dijkstra(a, return_predecessors=True, **options)
        with monkeypatch.context() as patch:
            patch.setattr(_small, "PATHS", 0)
            others = csgraph.dijkstra(a, return_predecessors=True, **options)
        for found, wanted in zip(small, others, strict=True):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("options", [{}, {"directed": False}, {"unweighted": True}])
@pytest.mark.parametrize("degree, answered", [(0, True), (0.5, True), (1.9, False)])
def test_all_rows_are_tried_while_they_are_short(degree, answered, options, monkeypatch):
    """Sparse rows are answered without a graph of the library; long ones end the attempt. 0: a path."""
    rng = np.random.default_rng(5)
    n = 700
    m = int(degree * n)
    ends = (np.arange(n - 1), np.arange(1, n)) if m == 0 else (rng.integers(0, n, m), rng.integers(0, n, m))
    a = sparse.csr_array((rng.integers(0, 3, len(ends[0])) / 4, ends), shape=(n, n))
    a.sum_duplicates()
    others = csgraph.dijkstra(a, return_predecessors=True, **options)
    monkeypatch.undo()
    calls, made = [], csgraph._Problem
    monkeypatch.setattr(csgraph, "_Problem", lambda *args: calls.append(args) or made(*args))
    found = csgraph.dijkstra(a, return_predecessors=True, **options)
    assert len(calls) == (not answered)
    for one, wanted in zip(found, others, strict=True):
        np.testing.assert_array_equal(one, wanted)


def test_small_sizes_and_wrong_input(monkeypatch):
    monkeypatch.undo()
    test_sizes_and_wrong_input()
    test_negative_weights()
    empty = sparse.csr_array((4, 4))
    assert np.isinf(csgraph.dijkstra(empty)).sum() == 12
    damaged = sparse.csr_array(([1.0], [0], [0, 1, 1]), shape=(2, 2))
    for indices, indptr in (([7], [0, 1, 1]), ([-1], [0, 1, 1]), ([0], [0, 2, 1]), ([0], [1, 1, 1]), ([0], [0, 1, 9])):
        for dtype in (np.int32, np.int64):
            damaged.indices, damaged.indptr = np.array(indices, dtype), np.array(indptr, dtype)
            for function in (csgraph.dijkstra, csgraph.bellman_ford, csgraph.floyd_warshall):
                with pytest.raises(ValueError):
                    function(damaged)
            with pytest.raises(ValueError):  # by SciPy's own conversion, or as damaged
                csgraph.breadth_first_order(damaged, 0)
            with pytest.raises(ValueError):
                csgraph.connected_components(damaged, connection="strong")


def test_searches_that_reach_more(monkeypatch):
    """Too many edges, weights that are no plain numbers, and sums that overflow: the whole matrix is read."""
    chain = sparse.csr_array((np.ones(9), np.arange(1, 10), np.minimum(np.arange(11), 9)), shape=(10, 10))
    with monkeypatch.context() as patch:
        patch.setattr(_small, "SHARE", 1)
        patch.setattr(_small, "MAX_EDGES", 8)
        assert _small.near(chain, np.array([0]), True, False, False, np.inf) == (None, True)
        assert _small.near(chain, np.array([1]), True, False, False, np.inf)[0] is not None
        assert (csgraph.dijkstra(chain, indices=0) == np.arange(10)).all()
    monkeypatch.setattr(_small, "SHARE", 1)
    for weight in (np.nan, np.inf, -np.inf, -1.0, -0.0):
        other = chain.copy()
        other.data[8] = weight
        assert _small.near(other, np.array([0]), True, False, False, np.inf) == (None, False)
    assert _small.near(chain, np.array([0]), False, False, False, np.inf) == (None, False)  # both directions
    other = chain.copy()
    other.data[3] = np.inf  # no edge
    assert (csgraph.dijkstra(other, indices=0) == [0, 1, 2, 3] + [np.inf] * 6).all()
    large = chain.copy()
    large.data[:] = 1e308
    with pytest.raises(OverflowError):
        csgraph.dijkstra(large, indices=0)


@pytest.mark.parametrize("graph", ["kronecker:scale=15,seed=1", "grid2d:rows=90,cols=70,keep=0.7,seed=2", "uniform:n=263000,edges=2400000,seed=3", "path:n=263000"])
def test_orders_of_larger_matrices(graph, monkeypatch):
    """One thread marks by parents or in a bitmap; levels that threads share follow and precede its own."""
    matrix = fr.Graph.generate(graph, direction="directed").to_scipy().astype(np.float64)
    for start in (0, matrix.shape[0] // 3):
        for directed in (True, False):
            wanted = theirs.breadth_first_order(matrix, start, directed)
            for threads in (1, 3):
                monkeypatch.setattr(fr.config, "threads", threads)
                for found, right in zip(csgraph.breadth_first_order(matrix, start, directed), wanted, strict=True):
                    np.testing.assert_array_equal(found, right)


def test_damaged_rows_that_a_search_reads(monkeypatch):
    monkeypatch.setattr(_small, "SHARE", 1)
    for dtype in (np.int32, np.int64):
        for indices, indptr in (
            ([7, 0, 1], [0, 1, 2, 3]), ([-1, 0, 1], [0, 1, 2, 3]), ([1, 0, 1], [0, 3, 2, 3]), ([1, 0, 1], [0, -5, 2, 3]),
            ([1, 0, 1], [0, 2**30, 2, 3]), ([1, 0, 1], [1, 1, 2, 3]), ([1, 0, 1], [0, 1, 2, 4]),
        ):  # fmt: skip
            damaged = sparse.csr_array((np.ones(3), [0, 1, 2], [0, 1, 2, 3]), shape=(3, 3))
            damaged.indices, damaged.indptr = np.array(indices, dtype), np.array(indptr, dtype)
            for function in (csgraph.dijkstra, csgraph.bellman_ford):
                with pytest.raises(ValueError):
                    function(damaged, indices=0)
            for threads in (1, 2):
                monkeypatch.setattr(fr.config, "threads", threads)
                with pytest.raises(ValueError):
                    csgraph.breadth_first_order(damaged, 0)
