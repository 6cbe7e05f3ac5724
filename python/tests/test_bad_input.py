"""Random arguments of every wrong kind to every function: an exception or an answer, and never a crash.

`make nightly NIGHTLY=python-asan` runs this under AddressSanitizer, which sees a read or write out of bounds.
"""

import functools
import inspect

import numpy as np
import pytest
from device_arrays import ByDLPack, OnDevice

import pyfringe as fr

REFUSALS = (fr.FringeError, ValueError, TypeError, IndexError, OverflowError, MemoryError, OSError)


def closed():
    graph = fr.Graph.generate("path:n=5")
    graph.close()
    return graph


def read_only(values, dtype):
    made = np.array(values, dtype)
    made.flags.writeable = False
    return made


# Makers, since an argument may be changed. No size that a machine could have memory for and that is large.
POOL = [
    lambda: None, lambda: True, lambda: -1, lambda: 0, lambda: 3, lambda: 2**31, lambda: 2**40, lambda: 2**70,
    lambda: 1.5, lambda: float("nan"), lambda: float("inf"), lambda: 1j, lambda: "x", lambda: "", lambda: b"\xff" * 40,
    lambda: b"", list, lambda: [0], lambda: [-1], lambda: [4, 4, 4], lambda: [[0, 1], [2, 3]], lambda: [2**40],
    lambda: ["a"], lambda: [None], lambda: {}, lambda: {"a": 1}, object, lambda: (0, 1), lambda: range(3),
    lambda: np.arange(5), lambda: np.arange(6, dtype=np.int32), lambda: np.arange(12, dtype=np.int32)[::2],
    lambda: np.arange(5)[::-1], lambda: np.zeros(5), lambda: np.full(5, np.nan), lambda: np.zeros((5, 5), np.float32),
    lambda: np.array(3), lambda: np.zeros(0, np.int32), lambda: np.array([0, 2**62, 1]), lambda: np.array([0, 3, 1, 2, 2, 5]),
    lambda: np.array(["a", "b"]), lambda: np.array([None, 1]), lambda: np.zeros(3, "i4,f8"), lambda: np.zeros(5, ">i4"),
    lambda: np.arange(20, dtype=np.int8).view(np.int8)[1:17].view(np.int32), lambda: read_only(range(5), np.int32),
    lambda: memoryview(bytes(20)), lambda: np.array([2**63], np.uint64), lambda: np.ones(5, bool), lambda: np.float16(2),
    lambda: np.dtype("i4"), lambda: np.int32, lambda: "int64", lambda: "cpu", lambda: "sssp", lambda: lambda *a: 0,
    lambda: [(0, 1), (1, 2)], lambda: np.array([[1, 2], [3, 9]]), lambda: [("a", "b")], lambda: [True] * 5,
    lambda: ["a", "b", "no"], lambda: np.empty((3, 5), np.int32), lambda: OnDevice(np.arange(5)), lambda: ByDLPack(np.zeros(5)),
    lambda: fr.Graph.generate("path:n=5"), closed, lambda: fr.bfs(fr.Graph.generate("path:n=5"), 0),
]  # fmt: skip

GRAPH = ["from_csr", "from_device_csr", "from_edges", "from_scipy", "from_networkx", "from_bytes", "load", "generate"]
METHODS = ["with_weights", "subgraph", "components", "reverse", "id", "vertex", "save", "to_bytes", "negative_cycle",
           "filter", "edge"]  # fmt: skip
FUNCTIONS = ["bfs", "sssp", "bfs_each", "sssp_each", "apsp", "distances", "path", "estimate_memory", "Solver", "strategies",
             "centrality"]  # fmt: skip
RESULT = ["path_to", "save", "to_bytes"]
CSGRAPH = ["shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall", "yen", "breadth_first_order",
           "breadth_first_tree", "connected_components"]  # fmt: skip


def calls():
    graph = fr.Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 0], [1, 2, 3, 4, 5])
    named = fr.Graph.from_bytes(b"a b\nb c\n", ids="strings")
    solver = fr.Solver(graph, "sssp")
    yield from (getattr(fr.Graph, name) for name in GRAPH)
    yield from (getattr(graph, name) for name in METHODS)
    yield from (getattr(result, name) for result in (fr.bfs(named, "a"), fr.apsp(graph), fr.bfs_each(graph, [1, 0])) for name in RESULT)
    yield from (functools.partial(getattr(fr, name), named) for name in FUNCTIONS)
    yield from (functools.partial(getattr(fr, name), graph) for name in FUNCTIONS)
    yield from (getattr(fr, name) for name in FUNCTIONS)
    yield from (solver.solve, solver.solve_each, solver.run)
    try:
        from pyfringe import csgraph
    except ImportError:
        return
    yield from (getattr(csgraph, name) for name in CSGRAPH)


def keywords_of(function):
    try:
        return [p.name for p in inspect.signature(function).parameters.values() if p.kind == p.KEYWORD_ONLY]
    except (TypeError, ValueError):
        return []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore")
def test_an_exception_or_an_answer(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(seed)
    refused = answered = 0
    for function in calls():
        for _ in range(60):
            arguments = [POOL[i]() for i in rng.integers(len(POOL), size=int(rng.integers(0, 4)))]
            names = keywords_of(function)
            chosen = rng.choice(names, min(len(names), int(rng.integers(0, 3))), replace=False) if names else []
            keywords = {str(name): POOL[int(rng.integers(len(POOL)))]() for name in chosen}
            try:
                function(*arguments, **keywords)
                answered += 1
            except REFUSALS:
                refused += 1
    graph = fr.Graph.from_edges([0, 1], [1, 2], [4, 5])
    assert fr.sssp(graph, 0, verify=True).dist.tolist() == [0, 4, 9]
    assert refused > 100 and answered > 20
