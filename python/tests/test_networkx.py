"""The NetworkX backend: NetworkX's own tests of the modules it serves, and random graphs."""

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
    rng = np.random.default_rng(5)
    for kind in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        for _ in range(6):
            n = int(rng.integers(1, 25))
            g = kind()
            g.add_nodes_from(rng.permutation(n).tolist())
            for u, v, w in rng.integers(0, n, (int(rng.integers(0, 3 * n)), 3)).tolist():
                g.add_edge(u, v, weight=w)
            yield g


@pytest.mark.parametrize("name", [
    "single_source_dijkstra_path_length", "single_source_bellman_ford_path_length", "single_source_shortest_path_length",
    "single_target_shortest_path_length", "descendants", "ancestors",
])  # fmt: skip
def test_random_graphs(name):
    function = getattr(nx, name)
    for g in graphs():
        source = next(iter(g))
        assert function(g, source, backend="fringe") == function(g, source, backend="networkx")


@pytest.mark.parametrize("distance", [None, "weight"])
def test_closeness_of_one_node(distance):
    for g in graphs():
        source = next(iter(g))
        wanted = nx.closeness_centrality(g, source, distance, backend="networkx")
        assert nx.closeness_centrality(g, source, distance, backend="fringe") == pytest.approx(wanted)
    with pytest.raises(nx.NodeNotFound):
        nx.closeness_centrality(nx.path_graph(3), 7, backend="fringe")


@pytest.mark.parametrize("name", ["predecessor", "dijkstra_predecessor_and_distance", "bellman_ford_predecessor_and_distance"])
def test_predecessors(name):
    function = getattr(nx, name)
    for g in graphs():
        for _, _, data in g.edges(data=True):
            data["weight"] += 1  # with weights of 0 NetworkX's lists depend on the order of its queue
        source = next(iter(g))
        ours, theirs = (function(g, source, backend=which) for which in ("fringe", "networkx"))
        if name == "predecessor":
            assert ours == theirs
            assert function(g, source, cutoff=2, return_seen=True, backend="fringe") == function(g, source, cutoff=2, return_seen=True, backend="networkx")
        else:
            assert ours[1] == theirs[1]
            assert {n: sorted(p) for n, p in ours[0].items()} == {n: sorted(set(p)) for n, p in theirs[0].items()}


def test_paths_are_made_when_asked_for():
    for g in graphs():
        source = next(iter(g))
        lengths, paths = nx.single_source_dijkstra(g, source, backend="fringe")
        assert isinstance(paths, backend.Paths) and len(paths) == len(lengths) and list(paths) == list(lengths)
        for node, path in paths.items():
            assert path[0] == source and path[-1] == node
            assert nx.path_weight(_lightest(g), path, "weight") == lengths[node]
        assert "no such node" not in paths
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


def test_order_of_breadth_first_edges():
    for g in graphs():
        source = next(iter(g))
        for depth in (None, 0, 1, 2):
            ours = nx.bfs_edges(g, source, depth_limit=depth, backend="fringe")
            assert list(ours) == list(nx.bfs_edges(g, source, depth_limit=depth, backend="networkx"))
        assert list(nx.bfs_successors(g, source, backend="fringe")) == list(nx.bfs_successors(g, source, backend="networkx"))
        assert list(nx.bfs_layers(g, source, backend="fringe")) == list(nx.bfs_layers(g, source, backend="networkx"))


def test_types():
    g = nx.path_graph(3)
    g[0][1]["weight"] = 2**31 - 1
    lengths = nx.single_source_dijkstra_path_length(g, 0, backend="fringe")
    assert lengths == {0: 0, 1: 2**31 - 1, 2: 2**31} and all(type(d) is int for d in lengths.values())
    g[0][1]["weight"] = 0.5
    g.__networkx_cache__.clear()
    assert nx.single_source_dijkstra_path_length(g, 0, backend="fringe") == {0: 0.0, 1: 0.5, 2: 1.5}


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


def test_back_to_networkx():
    for g in graphs():
        made = backend.backend.convert_to_nx(backend.backend.convert_from_nx(g, edge_attrs={"weight": 1}))
        lightest = _lightest(g)
        assert type(made) is type(g) and set(made) == set(g) and made.number_of_edges() == lightest.number_of_edges()
        assert all(made.has_edge(u, v) for u, v in lightest.edges())


def test_all_paths_at_once():
    g = nx.DiGraph()
    g.add_weighted_edges_from([(0, 9, 1), (9, 3, 0), (3, 1, 0), (0, 2, 1), (2, 8, 4)])  # weights of 0 against the order
    _, paths = nx.single_source_dijkstra(g, 0, backend="fringe")
    wanted = nx.single_source_dijkstra_path(g, 0, backend="networkx")
    assert dict(paths.items()) == wanted and list(paths.values()) == [wanted[v] for v in paths]
    _, others = nx.single_source_dijkstra(g, 0, backend="fringe")
    assert {v: others[v] for v in others} == wanted and repr(others) == repr(dict(others))
    to = nx.single_target_shortest_path(g, 1, backend="fringe")
    assert dict(to.items()) == nx.single_target_shortest_path(g, 1, backend="networkx")
