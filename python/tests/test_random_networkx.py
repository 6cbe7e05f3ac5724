"""Every function of the NetworkX backend beside NetworkX's own on drawn graphs: the same answer, or it is left to NetworkX."""

import contextlib
from unittest import mock

import numpy as np
import pytest
from drawn import drawn, graphs, st

nx = pytest.importorskip("networkx")
from pyfringe import _nx_info  # noqa: E402
from pyfringe import nx as backend  # noqa: E402

PLAIN = ("ints", "zeros", "quarters", "missing", "mixed")  # weights that fringe must not leave to NetworkX


class Call:
    """What a function gets besides the graph and the name of the weights, and how the answers are compared."""

    def __init__(self, ends=0, weight=None, cutoff=None, compare="equal", directed=None, **options):
        self.ends, self.weight, self.cutoff, self.compare, self.directed, self.options = ends, weight, cutoff, compare, directed, options


W, C = "weight", "cutoff"
CALLS = {
    "single_source_shortest_path_length": [Call(1, cutoff=C)],
    "single_target_shortest_path_length": [Call(1, cutoff=C)],
    "all_pairs_shortest_path_length": [Call(cutoff=C, compare="pairs")],
    "dijkstra_path_length": [Call(2, W)],
    "single_source_dijkstra_path_length": [Call(1, W, C)],
    "multi_source_dijkstra_path_length": [Call("several", W, C)],
    "all_pairs_dijkstra_path_length": [Call(0, W, C, "pairs")],
    "bellman_ford_path_length": [Call(2, W)],
    "single_source_bellman_ford_path_length": [Call(1, W)],
    "all_pairs_bellman_ford_path_length": [Call(0, W, compare="pairs")],
    "shortest_path_length": [Call(0, W, compare="pairs"), Call(1, W), Call(2, W), Call(2, W, method="bellman-ford"), Call("target", W)],
    "has_path": [Call(2)],
    "descendants": [Call(1)],
    "ancestors": [Call(1)],
    "descendants_at_distance": [Call(1, distance=0), Call(1, distance=2), Call(1, distance=1.5)],
    "negative_edge_cycle": [Call(0, W)],
    "floyd_warshall_numpy": [Call(0, W, compare="array")],
    "average_shortest_path_length": [Call(0, W, compare="close"), Call(0, W, compare="close", method="dijkstra")],
    "single_source_shortest_path": [Call(1, cutoff=C, compare="paths")],
    "single_target_shortest_path": [Call(1, cutoff=C, compare="paths")],
    "all_pairs_shortest_path": [Call(cutoff=C, compare="pairs of paths")],
    "bidirectional_shortest_path": [Call(2, compare="path")],
    "dijkstra_path": [Call(2, W, compare="path")],
    "single_source_dijkstra": [Call(1, W, C, "lengths and paths"), Call(1, W, C, "length and path", target=True)],
    "single_source_dijkstra_path": [Call(1, W, C, "paths")],
    "multi_source_dijkstra": [Call("several", W, C, "lengths and paths"), Call("several", W, C, "length and path", target=True)],
    "multi_source_dijkstra_path": [Call("several", W, C, "paths")],
    "all_pairs_dijkstra": [Call(0, W, C, "pairs of both")],
    "all_pairs_dijkstra_path": [Call(0, W, C, "pairs of paths")],
    "bidirectional_dijkstra": [Call(2, W, compare="length and path")],
    "bellman_ford_path": [Call(2, W, compare="path")],
    "single_source_bellman_ford": [Call(1, W, compare="lengths and paths"), Call(1, W, compare="length and path", target=True)],
    "single_source_bellman_ford_path": [Call(1, W, compare="paths")],
    "all_pairs_bellman_ford_path": [Call(0, W, compare="pairs of paths")],
    "johnson": [Call(0, W, compare="dict of paths")],
    "find_negative_cycle": [Call(1, W, compare="cycle")],
    "shortest_path": [Call(0, W, compare="pairs of paths"), Call(1, W, compare="paths"), Call(2, W, compare="path"), Call("target", W, compare="paths")],
    "predecessor": [Call(1, cutoff=C), Call(1, cutoff=C, return_seen=True)],
    "dijkstra_predecessor_and_distance": [Call(1, W, C, "predecessors")],
    "bellman_ford_predecessor_and_distance": [Call(1, W, compare="predecessors")],
    "eccentricity": [Call(0, W, compare="close")],
    "diameter": [Call(0, W, compare="close")],
    "radius": [Call(0, W, compare="close")],
    "center": [Call(0, W)],
    "periphery": [Call(0, W)],
    "barycenter": [Call(0, W)],
    "closeness_centrality": [Call(0, "distance", compare="close"), Call("u", "distance", compare="close"), Call("u", "distance", compare="close", wf_improved=False)],
    "harmonic_centrality": [Call(0, "distance", compare="close")],
    "betweenness_centrality": [Call(0, W, compare="close"), Call(0, W, compare="close", normalized=False)],
    "wiener_index": [Call(0, W, compare="close")],
    "global_efficiency": [Call(directed=False, compare="close")],
    "connected_components": [Call(directed=False, compare="list")],
    "number_connected_components": [Call(directed=False)],
    "is_connected": [Call(directed=False)],
    "node_connected_component": [Call(1, directed=False)],
    "weakly_connected_components": [Call(directed=True, compare="list")],
    "number_weakly_connected_components": [Call(directed=True)],
    "is_weakly_connected": [Call(directed=True)],
    "strongly_connected_components": [Call(directed=True, compare="list")],
    "number_strongly_connected_components": [Call(directed=True)],
    "is_strongly_connected": [Call(directed=True)],
    "bfs_edges": [Call(1, compare="list"), Call(1, compare="list", depth_limit=1), Call(1, compare="list", depth_limit=1.5)],
    "bfs_tree": [Call(1, compare="graph")],
    "bfs_predecessors": [Call(1, compare="list", depth_limit=2)],
    "bfs_successors": [Call(1, compare="list", depth_limit=2)],
    "bfs_layers": [Call(1, compare="list"), Call("several", compare="list")],
}  # fmt: skip


def same_paths(G, found, wanted, weight, starts):
    """Both have a path to the same nodes, of the same length."""
    assert set(found) == set(wanted)
    for node, path in wanted.items():
        same_path(G, found[node], path, weight, starts)


def same_path(G, found, wanted, weight, starts):
    assert found[-1] == wanted[-1]
    assert found[0] == wanted[0] or {found[0], wanted[0]} <= starts
    assert length(G, found, weight) == length(G, wanted, weight)


def length(G, path, weight):
    if weight is None:
        return sum(G.has_edge(u, v) for u, v in zip(path, path[1:], strict=False)), len(path)
    return sum(min(d.get(weight, 1) for d in (G[u][v].values() if G.is_multigraph() else [G[u][v]])) for u, v in zip(path, path[1:], strict=False))


def close(found, wanted):
    if isinstance(wanted, dict):
        assert set(found) == set(wanted)
        return [close(found[node], wanted[node]) for node in wanted]
    assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    assert isinstance(found, float) or not isinstance(wanted, float)
    return None


def cycle_weight(G, cycle, weight):
    assert cycle[0] == cycle[-1]
    return length(G, cycle, weight)


def is_same(G, compare, found, wanted, weight, starts=frozenset()):
    """Compares two answers; raises AssertionError. `starts`: several sources, from any of which a path may begin."""
    if compare == "equal":
        assert found == wanted
    elif compare == "close":
        close(found, wanted)
    elif compare == "list":
        assert list(found) == list(wanted)
    elif compare == "pairs":
        found, wanted = list(found), list(wanted)
        assert found == wanted
    elif compare == "array":
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    elif compare == "graph":
        assert list(found.edges) == list(wanted.edges) and list(found) == list(wanted)
    elif compare == "path":
        same_path(G, found, wanted, weight, starts)
    elif compare == "paths":
        same_paths(G, found, wanted, weight, starts)
    elif compare == "cycle":
        assert cycle_weight(G, found, weight) < 0  # NetworkX's may have weight 0
    elif compare == "length and path":
        assert found[0] == wanted[0]
        same_path(G, found[1], wanted[1], weight, starts)
    elif compare == "lengths and paths":
        assert found[0] == wanted[0]
        same_paths(G, found[1], wanted[1], weight, starts)
    elif compare == "predecessors":
        assert found[1] == wanted[1]
        if any(w == 0 for *_, w in G.edges(data="weight")):  # NetworkX's lists depend on the order of its queue
            return
        assert {v: sorted(map(repr, p)) for v, p in found[0].items()} == {v: sorted(set(map(repr, p))) for v, p in wanted[0].items()}
    else:
        inner = {"pairs of paths": "paths", "dict of paths": "paths", "pairs of both": "lengths and paths"}[compare]
        found, wanted = dict(found), dict(wanted)
        assert list(found) == list(wanted)
        for node in wanted:
            is_same(G, inner, found[node], wanted[node], weight)


def result(name, call, arguments, **how):
    """What NetworkX returns, with generators used up, or the exception."""
    try:
        made = getattr(nx, name)(*arguments, **call, **how)
        return list(made) if hasattr(made, "__next__") else made
    except Exception as error:
        return error


@contextlib.contextmanager
def only_fringe_first():
    """NetworkX asks fringe first, whatever the size of the graph."""
    with nx.config(backend_priority=["fringe"]), mock.patch.object(type(backend.backend), "should_run", staticmethod(lambda *_: True)):
        yield


def arguments_of(call, nodes, ends, weight, cutoff):
    """(positional arguments after the graph, keywords)"""
    s, t = nodes[ends[0] % len(nodes)], nodes[ends[1] % len(nodes)]
    several = [nodes[i % len(nodes)] for i in ends]
    places = {0: [], 1: [s], 2: [s, t], "several": [several], "target": [], "u": []}[call.ends]
    options = dict(call.options)
    if call.ends in ("target", "u"):
        options[call.ends] = t
    if options.get("target") is True:
        options["target"] = t
    if call.weight:
        options[call.weight] = weight
    if call.cutoff and cutoff is not None:
        options["cutoff"] = cutoff
    return places, options


def by_function(u, v, data):
    return 1 if u == v else 2


@pytest.mark.filterwarnings("ignore")
@drawn(80, drawn_graph=graphs(), ends=st.lists(st.integers(0, 7), min_size=2, max_size=4), weight=st.sampled_from(["weight"] * 6 + [None, "wieght", "function"]),
       cutoff=st.sampled_from([None, None, 0, 1, 1.5, 2, 2.5, 7, float("inf"), 10**18]))  # fmt: skip
def test_every_function(drawn_graph, ends, weight, cutoff):
    G, kind = drawn_graph
    nodes = list(G)
    for name in _nx_info.FUNCTIONS:
        for call in CALLS[name]:
            if call.directed in (None, G.is_directed()):
                check(G, kind, name, call, *arguments_of(call, nodes, ends, by_function if weight == "function" else weight, cutoff))


def check(G, kind, name, call, places, options):
    weight = options.get(call.weight) if call.weight else None
    if callable(weight) and call.compare not in ("equal", "pairs", "list", "array", "close"):
        return
    wanted = result(name, options, [G, *places], backend="networkx")
    # NetworkX's own faults: find_negative_cycle of multigraphs, and of loops beside edges of weight 0
    if isinstance(wanted, AttributeError) or "detected but not found" in str(wanted):
        return
    found = result(name, options, [G, *places], backend="fringe")
    said = f"{name}{places} {options} of {kind} {type(G).__name__} {list(G.edges(data=True))}: {found!r} instead of {wanted!r}"
    if isinstance(found, NotImplementedError):
        signed = any(type(w) in (int, float) and w < 0 for *_, w in G.edges(data="weight"))
        zeros = name == "betweenness_centrality" and any(w == 0 for *_, w in G.edges(data="weight"))  # paths cannot be counted
        needless = weight is None or (kind in PLAIN and not callable(weight) and not signed and not zeros)
        assert not needless or isinstance(wanted, Exception) or backend.backend.can_run(name, [G, *places], options) is not True, said
        with only_fringe_first():
            found = result(name, options, [G, *places])
    if isinstance(wanted, Exception) or isinstance(found, Exception):
        assert isinstance(found, type(wanted)) or (type(wanted) is TypeError and kind == "odd"), said
        return
    try:
        is_same(G, call.compare, found, wanted, weight, set(places[0]) if call.ends == "several" else set())
    except AssertionError as error:
        raise AssertionError(said) from error


def test_every_function_is_there():
    assert set(CALLS) == set(_nx_info.FUNCTIONS)
