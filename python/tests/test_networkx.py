"""The NetworkX backend: NetworkX's own tests of the modules it serves, paths, types, and what is left to NetworkX."""

import decimal
import math
import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

nx = pytest.importorskip("networkx")
from pyfringe import _nx_info  # noqa: E402
from pyfringe import nx as backend  # noqa: E402

nx.config.warnings_to_ignore.add("cache")
MODULES = """shortest_paths traversal components tests.test_distance_measures tests.test_dag
    centrality.tests.test_closeness_centrality centrality.tests.test_harmonic_centrality
    centrality.tests.test_betweenness_centrality tests.test_wiener tests.test_efficiency"""


@pytest.mark.skipif(
    not hasattr(pytest.importorskip("scipy.sparse"), "sparray"), reason="NetworkX's tests of backends need SciPy 1.11"
)
def test_networkxs_own_tests():
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "networkx_plugin", "--pyargs"]
    words += [f"networkx.algorithms.{name}" for name in MODULES.split()]
    here = os.path.dirname(os.path.abspath(__file__))
    environment = {"PYTHONPATH": here, "NETWORKX_TEST_BACKEND": "fringe", "NETWORKX_FALLBACK_TO_NX": "True"}
    ran = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment}, check=False)
    passed = re.search(r"^(\d+) passed, 1 xfailed", ran.stdout, re.M)
    assert ran.returncode == 0 and passed and int(passed[1]) >= 950, ran.stdout
    calls = {name: int(count) for name, count in re.findall(r"fringe: (\w+) (\d+) calls$", ran.stdout, re.M)}
    without = [name for name in _nx_info.FUNCTIONS if not calls.get(name)]
    assert not without, f"no test came to {without}"
    print(passed[0], sum(calls.values()), "calls")


def graphs():
    for seed, kind in enumerate((nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)):
        rng = np.random.default_rng(seed)
        g = kind()
        g.add_nodes_from(rng.permutation(12).tolist())
        for u, v, w in rng.integers(0, 12, (24, 3)).tolist():
            g.add_edge(u, v, weight=w)
        yield g


def test_paths_are_made_when_asked_for():
    for g in graphs():
        source = next(iter(g))
        lengths, paths = nx.single_source_dijkstra(g, source, backend="fringe")
        assert isinstance(paths, backend.Paths) and len(paths) == len(lengths) and list(paths) == list(lengths)
        for node, path in paths.items():
            assert path[0] == source and path[-1] == node
            assert nx.path_weight(_lightest(g), path, "weight") == lengths[node]
        assert "no such node" not in paths and list(paths.values()) == [paths[v] for v in paths] and repr(paths) == repr(dict(paths))
        assert all(type(length) is int for length in lengths.values())
        with pytest.raises(KeyError):
            paths["no such node"]
        assert paths == dict(paths) and pickle.loads(pickle.dumps(dict(paths))) == dict(paths)


def _lightest(g):
    """A simple graph with the lightest of parallel edges."""
    made = nx.DiGraph() if g.is_directed() else nx.Graph()
    for u, v, w in g.edges(data="weight"):
        if not made.has_edge(u, v) or w < made[u][v]["weight"]:
            made.add_edge(u, v, weight=w)
    return made


def test_sizes_of_should_run():
    g = nx.gnm_random_graph(500, 2000, seed=1)
    run = backend.backend.should_run
    for name in _nx_info.FUNCTIONS:
        assert backend._measured_as(name, (g,), {}) in backend.SIZES, name
    assert run("betweenness_centrality", (g,), {}) is True
    assert "below" in run("single_source_dijkstra_path_length", (g, 0), {})  # the conversion costs more
    nx.single_source_dijkstra_path_length(g, 0, backend="fringe")
    assert run("single_source_dijkstra_path_length", (g, 0), {}) is True
    assert run("shortest_path_length", (g, 0), {"weight": "weight"}) is True
    assert run("shortest_path", (g, 0, 1), {}) == "NetworkX itself is faster"  # by its search from both ends
    assert run("shortest_path", (g,), {"source": 0, "target": 1}) == "NetworkX itself is faster"
    large = nx.empty_graph(backend._SMALL)
    assert run("single_source_shortest_path_length", (large, 0), {}) is True
    assert run("has_path", (large, 0, 1), {}) == "NetworkX itself is faster"


def test_views():
    for g in graphs():
        edges = list(g.edges(keys=True) if g.is_multigraph() else g.edges())
        for view in (g.edge_subgraph(edges[::2]), g.subgraph(list(g)[::2]), g.reverse(copy=False) if g.is_directed() else g):
            for source in view:
                for name in ("single_source_shortest_path_length", "single_source_dijkstra_path_length"):
                    ours, theirs = (getattr(nx, name)(view, source, backend=b) for b in ("fringe", "networkx"))
                    assert ours == theirs


def test_what_fringe_leaves_to_networkx():
    g = nx.path_graph(4)
    assert isinstance(backend.backend.can_run("single_source_dijkstra", (g, 0), {"weight": lambda *_: 1}), str)
    assert isinstance(backend.backend.can_run("eccentricity", (g, 0), {}), str)
    assert backend.backend.can_run("single_source_dijkstra", (g, 0), {}) is True
    assert isinstance(backend.backend.should_run("single_source_dijkstra", (g, 0), {}), str)
    assert backend.backend.should_run("single_source_dijkstra", (nx.empty_graph(10**5), 0), {}) is True
    g[0][1]["weight"] = "heavy"
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra(g, 0, backend="fringe")
    with nx.config(backend_priority=["fringe"]):
        assert nx.single_source_dijkstra_path_length(nx.path_graph(4), 0)[3] == 3


def test_networkx_answers_what_fringe_cannot(monkeypatch):
    monkeypatch.setattr(type(backend.backend), "should_run", staticmethod(lambda *_: True))
    g = nx.path_graph(40, create_using=nx.DiGraph)
    nx.set_edge_attributes(g, 10**18, "weight")
    with pytest.raises(NotImplementedError) as caught:
        nx.single_source_dijkstra_path_length(g, 0, backend="fringe")
    assert "does not fit int64" in str(caught.value.__cause__)
    far = nx.DiGraph([(0, 1, {"weight": 2**54 + 1})])
    half = nx.DiGraph([(0, 1, {"weight": 2**53 + 1}), (1, 2, {"weight": 0.5})])
    with nx.config(backend_priority=["fringe"]):
        assert nx.single_source_dijkstra_path_length(g, 0)[39] == 39 * 10**18
        lengths = dict(nx.all_pairs_dijkstra_path_length(g))  # some rows by fringe, the others by NetworkX
        assert lengths[0][39] == 39 * 10**18 and lengths[36] == {36: 0, 37: 10**18, 38: 2 * 10**18, 39: 3 * 10**18}
        assert dict(nx.all_pairs_dijkstra(g))[1][0][39] == 38 * 10**18
        assert nx.single_source_dijkstra_path_length(half, 0)[1] == 2**53 + 1
        assert nx.single_source_dijkstra_path_length(far, 0, cutoff=2**54 + 1)[1] == 2**54 + 1
        assert nx.eccentricity(nx.path_graph(3, nx.DiGraph).to_undirected(), weight="none") == {0: 2, 1: 1, 2: 2}
        nx.set_edge_attributes(g, lambda: 0, "weight")
        assert nx.single_source_dijkstra_path_length(g, 0, weight=lambda *_: 2)[39] == 78
    monkeypatch.setattr(backend._solve, "sssp", lambda *_, **__: (_ for _ in ()).throw(backend.errors.OutOfMemoryError("full")))
    with nx.config(backend_priority=["fringe"]):
        assert nx.single_source_dijkstra_path_length(nx.path_graph(3), 0, weight="x") == {0: 0, 1: 1, 2: 2}


def _outcome(call):
    try:
        made = call()
        return list(made) if hasattr(made, "__next__") else dict(made) if isinstance(made, backend.Paths) else made
    except Exception as error:
        return type(error), str(error)


def _as_networkx(g, name, *args, **more):
    """The answer or exception with fringe first is NetworkX's own; returns that with fringe alone."""
    with nx.config(backend_priority=["fringe"]):
        ours = _outcome(lambda: getattr(nx, name)(g, *args, **more))
    theirs = _outcome(lambda: getattr(nx, name)(g, *args, **more, backend="networkx"))
    assert ours == theirs, (name, args, more)
    return _outcome(lambda: getattr(nx, name)(g, *args, **more, backend="fringe"))


@pytest.fixture
def always(monkeypatch):
    monkeypatch.setattr(type(backend.backend), "should_run", staticmethod(lambda *_: True))


CUTOFFS = [math.inf, -math.inf, math.nan, 10**400, -(10**400), "2", decimal.Decimal(2), 2j, np.float32(1.5), np.int8(2), 2**31, 1.5, -1]


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_cutoffs_as_networkx_compares_them(always, cutoff):
    g = nx.path_graph(5)
    limited = "single_source_shortest_path", "single_source_shortest_path_length", "single_target_shortest_path", "predecessor"
    for name in (*limited, "single_source_dijkstra_path_length", "dijkstra_predecessor_and_distance"):
        _as_networkx(g, name, 1, cutoff=cutoff)
    _as_networkx(g, "all_pairs_shortest_path_length", cutoff=cutoff)
    for name in ("bfs_edges", "bfs_predecessors", "bfs_successors"):
        _as_networkx(g, name, 1, depth_limit=cutoff)
    _as_networkx(g, "descendants_at_distance", 1, cutoff)


def test_exceptions_are_networkxs(always):
    g, pair = nx.path_graph(4), nx.DiGraph([(0, 1)])
    for end in ([1], {1}):
        for name in ("single_source_shortest_path_length", "single_target_shortest_path", "predecessor", "shortest_path", "descendants",
                     "single_source_bellman_ford", "dijkstra_predecessor_and_distance", "shortest_path_length"):  # fmt: skip
            assert _as_networkx(g, name, end)[0] in (NotImplementedError, TypeError)
        for name in ("bidirectional_shortest_path", "bidirectional_dijkstra", "has_path"):
            _as_networkx(g, name, 0, end)
    for name in ("center", "barycenter", "periphery", "diameter", "eccentricity"):
        for empty in (nx.Graph(), nx.DiGraph()):
            _as_networkx(empty, name)
    for ends in ((0, None), (None, 0), ("z", None), (None, None)):
        _as_networkx(g, "has_path", *ends)
    assert _as_networkx(g, "node_connected_component", 7) == (KeyError, "7")
    assert "DiGraph with 2 nodes and 1 edges is" in _as_networkx(pair, "barycenter")[1]
    assert "Graph with 4 nodes and 3 edges is" in _as_networkx(nx.Graph([(0, 1), (2, 3), (3, 3)]), "barycenter")[1]
    apart = nx.MultiGraph([(0, 1), (0, 1), (2, 3)])
    assert "graph MultiGraph with 4 nodes is" in _outcome(lambda: nx.barycenter(apart, backend="fringe"))[1]


def test_back_to_networkx():
    for g in graphs():
        made = backend.backend.convert_to_nx(backend.backend.convert_from_nx(g, edge_attrs={"weight": 1}))
        lightest = _lightest(g)
        assert type(made) is type(g) and set(made) == set(g) and made.number_of_edges() == lightest.number_of_edges()
        assert all(made.has_edge(u, v) for u, v in lightest.edges())
