"""The NetworkX backend ``fringe``: ``nx.single_source_dijkstra(G, 0, backend="fringe")``.

NetworkX finds it through the package's entry points. A graph is converted once and stored in NetworkX's
cache. Lengths are returned as dicts ordered by distance, paths as a read-only Mapping that builds a path at
its first use. Among several shortest paths the result may differ from NetworkX's. Whatever fringe cannot answer raises
NotImplementedError with the reason, after which NetworkX asks the next backend of `backend_priority`, or answers itself.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from numbers import Rational, Real
from typing import Any

import networkx as nx
import numpy as np

from pyfringe import _arrays, _measures, _nx_info, _queue, _solve, errors
from pyfringe._arrays import Array
from pyfringe._fringe import lib
from pyfringe._graph import Graph
from pyfringe._nx_graph import EXACT, FringeGraph, Node, Paths
from pyfringe._nx_sizes import SIZES

INT64 = np.iinfo(np.int64).max
Weight = str | None
Lengths = dict[Node, Any]
Lists = dict[Node, list[Node]]
Pairs = Iterator[tuple[Node, Any]]


# ---- one traversal ----


def _vertex(G: FringeGraph, node: Node, message: str, kind: type[Exception] = nx.NodeNotFound) -> int:
    try:
        return G.index[node]
    except KeyError:
        raise kind(message.format(node)) from None
    except TypeError as error:
        raise NotImplementedError(f"{error}: NetworkX's own exception, which depends on the function") from error


def _node(G: FringeGraph, node: Node) -> int:
    return _vertex(G, node, "The node {} is not in the graph.", nx.NetworkXError)


def _starts(G: FringeGraph, sources: Any) -> list[int]:
    if not sources:
        raise ValueError("sources must not be empty")
    return [_vertex(G, s, "Node {} not found in graph") for s in sources]


def _bound(cutoff: Any) -> Any:
    """Returns a cutoff, None for none; leaves to NetworkX what is no finite number, with which it compares lengths as well."""
    if cutoff is None:
        return None
    if not isinstance(cutoff, Real) or not (isinstance(cutoff, Rational) or cutoff == math.inf or math.isfinite(cutoff)):
        raise NotImplementedError("the cutoff is no finite number")
    return None if cutoff == math.inf else cutoff


def _depth(cutoff: Any, rounded: Callable[[Any], int] = math.ceil) -> int | None:
    """Returns a cutoff as a number of levels: rounded up, as NetworkX's functions without weights do; None: all."""
    bound = _bound(cutoff)
    return None if bound is None else max(0, rounded(bound))


def _levels(G: FringeGraph, sources: Any, depth: int | None, parents: bool, reverse: bool = False) -> tuple[Any, Array]:
    """Returns (result, the reached vertices by level)."""
    result = _solve.bfs(G.graph(None, reverse), sources, max_level=depth, parents=parents,
                        parent_rule="min-id" if parents else "any", order=True)  # fmt: skip
    assert result.order is not None
    return result, result.order


def _distances(
    G: FringeGraph, sources: Any, cutoff: Any, weight: Weight, parents: bool, dijkstra: bool,
    targets: Any = None, reverse: bool = False,
) -> tuple[Any, Array]:  # fmt: skip
    """Returns (result, the reached vertices by distance)."""
    if weight is None:
        return _levels(G, sources, _depth(cutoff, math.floor), parents, reverse)
    graph = _positive(G, weight, reverse) if dijkstra else G.graph(weight, reverse)
    top = _bound(cutoff)
    if top is not None and top < 0:
        raise NotImplementedError("a cutoff below 0")
    try:
        result = _solve.sssp(graph, sources, targets=targets, max_distance=top, parents=parents, dtype=_wide(graph))
    except errors.NegativeCycleError as error:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from error
    reached = np.flatnonzero(_is_finite(result.dist))
    return result, reached[np.argsort(result.dist[reached], kind="stable")]


def _wide(graph: Graph) -> type[np.int64] | None:
    """Returns the type of distances: int64 of int32 weights, since NetworkX's integers do not overflow."""
    return np.int64 if graph.weight_dtype == np.int32 else None


def _positive(G: FringeGraph, weight: Weight, reverse: bool = False) -> Graph:
    """Returns fringe's graph; refuses negative weights."""
    graph = G.graph(weight, reverse)
    if G.is_negative(weight):
        raise NotImplementedError("negative weights: NetworkX's own Dijkstra, which may raise ValueError")
    return graph


def _is_finite(dist: Array) -> Array:
    return np.isfinite(dist) if dist.dtype.kind == "f" else dist != np.iinfo(dist.dtype).max


def _values(result: Any) -> Array:
    return result.level if result.problem == lib.FR_PROBLEM_BFS else result.dist  # type: ignore[no-any-return]


def _as_dict(G: FringeGraph, result: Any, order: Array) -> Lengths:
    return dict(zip(G.some(order), _values(result)[order].tolist(), strict=True))


def _groups(G: FringeGraph, vertices: Array, keys: Array, count: int) -> Iterator[list[Node]]:
    """Returns for each number below `count` the nodes of the vertices that have it as their key; keys ascend."""
    nodes, bounds = G.some(vertices), np.searchsorted(keys, np.arange(count + 1)).tolist()
    return (nodes[first:last] for first, last in itertools.pairwise(bounds))


def _by_node(G: FringeGraph, values: Array) -> Lengths:
    return dict(zip(G.nodes, values.tolist(), strict=True))


def _each_node(G: FringeGraph, name: str, *args: Any) -> Pairs:
    """Returns pairs of each node and a function's answer from it; NetworkX's own function answers where fringe cannot.

    By then it is too late to leave the call to NetworkX. What can be known at once is raised at once.
    """
    if "dijkstra" in name:
        _positive(G, args[-1])
    else:
        G.graph(args[-1] if "bellman" in name else None)

    def pairs() -> Pairs:
        own = None
        for node in G:
            try:
                made = _answering(name)(G, node, *args)
            except NotImplementedError:
                own = Backend.convert_to_nx(G) if own is None else own
                made = getattr(nx, name)(own, node, *args, backend="networkx")
            yield node, made

    return pairs()


# ---- unweighted ----


def _hops(
    G: FringeGraph, end: Node, message: str, cutoff: Any, parents: bool = False, reverse: bool = False
) -> tuple[Any, Array]:
    return _levels(G, _vertex(G, end, message), _depth(cutoff), parents, reverse)


def _reached(G: FringeGraph, vertex: int, reverse: bool = False) -> list[Node]:
    """Returns a vertex's node and the nodes that it reaches."""
    return G.some(_levels(G, vertex, None, False, reverse)[1])


def bidirectional_shortest_path(G: FringeGraph, source: Node, target: Node) -> list[Node]:
    s, t = _vertex(G, source, "Source {} is not in G"), _vertex(G, target, "Target {} is not in G")
    path = _solve.bfs(G.graph(), s, targets=t, parent_rule="min-id").path_to(t)
    if not path.size:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G.some(path)


def has_path(G: FringeGraph, source: Node, target: Node) -> bool:
    if source is None or target is None:
        raise NotImplementedError("a path with one end: NetworkX's own answer")
    s, t = _vertex(G, source, "Source {} is not in G"), _vertex(G, target, "Target {} is not in G")
    return bool(_solve.bfs(G.graph(), s, targets=t, parents=False).level[t] >= 0)


def descendants_at_distance(G: FringeGraph, source: Node, distance: Any) -> set[Node]:
    s = _node(G, source)
    depth = _bound(distance)
    if depth is None or not 0 <= depth < 2**31 or depth != int(depth):
        return set()
    level = _solve.bfs(G.graph(), s, max_level=int(depth), parents=False).level
    return set(G.some(np.flatnonzero(level == int(depth))))


# ---- weighted ----


def multi_source_dijkstra(
    G: FringeGraph, sources: Any, target: Node = None, cutoff: Any = None, weight: Weight = "weight"
) -> Any:
    starts = _starts(G, sources)
    if target is not None and target in sources:
        return (0, [target])
    return _pair(G, starts, target, cutoff, weight, True, "No path to {1}.", None)


def _dijkstra_lengths(G: FringeGraph, sources: Any, cutoff: Any, weight: Weight) -> Lengths:
    return _as_dict(G, *_distances(G, _starts(G, sources), cutoff, weight, False, True))


def _pair(
    G: FringeGraph, starts: Any, target: Node, cutoff: Any, weight: Weight, dijkstra: bool, message: str, source: Node
) -> Any:  # fmt: skip
    """Returns NetworkX's (lengths, paths), or the target's length and path."""
    if target is None:
        result, order = _distances(G, starts, cutoff, weight, True, dijkstra)
        return _as_dict(G, result, order), Paths(G, result, order)
    end = G.index.get(target)
    result, _ = _distances(G, starts, cutoff, weight, True, dijkstra, end)
    if end is None or result.parent[end] == -1:
        raise nx.NetworkXNoPath(message.format(source, target))
    return _values(result)[end].item(), G.some(result.path_to(end))


def _length(G: FringeGraph, source: Node, target: Node, weight: Weight, dijkstra: bool, message: str) -> Any:
    s = _vertex(G, source, "Node {} not found in graph")
    if source == target:
        return 0
    end = G.index.get(target)
    result, _ = _distances(G, s, None, weight, False, dijkstra, end)
    values = _values(result)
    if end is None or values[end] == -1 and result.problem == lib.FR_PROBLEM_BFS or not _is_finite(values[end]):
        raise nx.NetworkXNoPath(message.format(target, source))
    return values[end].item()


def bidirectional_dijkstra(G: FringeGraph, source: Node, target: Node, weight: Weight = "weight") -> Any:
    s = _vertex(G, source, "Source {} is not in G")
    _vertex(G, target, "Target {} is not in G")
    if source == target:
        return (0, [source])
    return _pair(G, s, target, None, weight, True, "No path between {} and {}.", source)


def single_source_bellman_ford(G: FringeGraph, source: Node, target: Node = None, weight: Weight = "weight") -> Any:
    if source == target:
        _vertex(G, source, "Node {} is not found in the graph")
        return (0, [source])
    s = _vertex(G, source, "Source {} not in G")
    return _pair(G, s, target, None, weight, False, "Node {1} not reachable from {0}", source)


def find_negative_cycle(G: FringeGraph, source: Node, weight: Weight = "weight") -> list[Node]:
    s = _vertex(G, source, "Source {} not in G")
    try:
        _solve.sssp(G.graph(weight), s, parents=False)
    except errors.NegativeCycleError as error:
        cycle = [G.nodes[v] for v in error.cycle]
        return [*cycle, cycle[0]]
    raise nx.NetworkXError("No negative cycles detected.")


def shortest_path(
    G: FringeGraph, source: Node = None, target: Node = None, weight: Weight = None, method: str = "dijkstra"
) -> Any:
    method = _method(weight, method)
    if source is None and target is None:
        return _all_pairs(G, method, "", weight)
    if source is not None and target is not None:
        if method == "unweighted":
            return bidirectional_shortest_path(G, source, target)
        both = bidirectional_dijkstra if method == "dijkstra" else single_source_bellman_ford
        return both(G, source, target, weight=weight)[1]
    message = "Node {} not found in graph" if method == "dijkstra" else "Source {} not in G"
    return Paths(G, *_one_end(G, source, target, weight, method, message, True), backward=target is not None)


def _method(weight: Weight, method: str) -> str:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    return "unweighted" if weight is None else method


def _all_pairs(G: FringeGraph, method: str, suffix: str, weight: Weight) -> Pairs:
    if method == "unweighted":
        return _each_node(G, f"single_source_shortest_path{suffix}", None)
    if method == "dijkstra":
        return _each_node(G, f"single_source_dijkstra_path{suffix}", None, weight)
    return _each_node(G, f"single_source_bellman_ford_path{suffix}", weight)


def _one_end(
    G: FringeGraph, source: Node, target: Node, weight: Weight, method: str, message: str, parents: bool
) -> tuple[Any, Array]:
    """Returns what `_distances` does from the source, or to the target."""
    v = _vertex(G, source if target is None else target, message)
    return _distances(G, v, None, weight, parents, method == "dijkstra", None, target is not None)


def shortest_path_length(
    G: FringeGraph, source: Node = None, target: Node = None, weight: Weight = None, method: str = "dijkstra"
) -> Any:
    method = _method(weight, method)
    if source is None and target is None:
        return _all_pairs(G, method, "_length", weight)
    if source is not None and target is not None:
        if method == "unweighted":
            return len(bidirectional_shortest_path(G, source, target)) - 1
        return _length(G, source, target, weight, method == "dijkstra", "Node {} not reachable from {}")
    message = {"unweighted": "Source {} is not in G", "dijkstra": "Node {} not found in graph"}.get(method, "Source {} not in G")
    return _as_dict(G, *_one_end(G, source, target, weight, method, message, False))


# ---- all predecessors ----


def _predecessors(G: FringeGraph, dist: Array, order: Array, weight: Weight) -> Lists:
    """Returns, for each vertex of `order`, its predecessors on shortest paths, in the same order."""
    rank = np.full(len(G), -1, np.int64)
    rank[order] = np.arange(order.size)
    source = _arrays.row_numbers(G.indptr)
    step = np.ones(1, dist.dtype) if weight is None else G.weights[weight]
    kept = (rank[source] >= 0) & (rank[G.indices] >= 0)
    kept &= np.where(kept, dist[source], 0) + step == dist[G.indices]
    source, target = source[kept], G.indices[kept]
    sort = np.lexsort((rank[source], rank[target]))
    return dict(zip(G.some(order), _groups(G, source[sort], rank[target][sort], order.size), strict=True))


def predecessor(
    G: FringeGraph, source: Node, target: Node = None, cutoff: Any = None, return_seen: bool | None = None
) -> Any:
    s = _vertex(G, source, "Source {} not in G")
    depth = _depth(cutoff) if cutoff else None
    if depth is not None:
        depth = max(1, depth)
    order, _ = _order(G, source, depth)
    level = _solve.bfs(G.graph(), s, max_level=depth, parents=False).level
    pred = _predecessors(G, level, order, None)
    if target is None:
        return (pred, dict(zip(pred, level[order].tolist(), strict=True))) if return_seen else pred
    found = pred.get(target, [])
    if return_seen:
        return found, int(level[G.index[target]]) if target in pred else -1
    return found


def _predecessors_and_distance(
    G: FringeGraph, source: Node, cutoff: Any, weight: Weight, dijkstra: bool
) -> tuple[Lists, Lengths]:
    s = _vertex(G, source, "Node {} is not found in the graph")
    result, order = _distances(G, s, cutoff, weight, False, dijkstra)
    return _predecessors(G, _values(result), order, weight), _as_dict(G, result, order)


def bellman_ford_predecessor_and_distance(
    G: FringeGraph, source: Node, target: Node = None, weight: Weight = "weight", heuristic: bool = False
) -> tuple[Lists, Lengths]:
    if G.is_negative(weight):
        ends = _arrays.row_numbers(G.indptr)
        if bool((G.weights[str(weight)][ends == G.indices] < 0).any()):  # NetworkX also tests loops out of reach
            _vertex(G, source, "Node {} is not found in the graph")
            raise nx.NetworkXUnbounded("Negative cycle detected.")
    return _predecessors_and_distance(G, source, None, weight, False)


# ---- all rows ----


def _rows(G: FringeGraph, weight: Weight, row: Callable[[int, Array], object], exact: bool = False) -> None:
    """Calls row(vertex, distances) for each source; unreached vertices have infinity.

    `exact`: real distances are rounded as in Dijkstra's algorithm, where they add up a path from its start.
    """
    if not len(G):
        return
    graph = _positive(G, weight)

    def widen(_index: int, source: int, dist: Array, _parent: Any) -> None:
        if dist.dtype.kind != "f":
            reached = _is_finite(dist)
            if not reached.all():
                dist = np.where(reached, dist, np.inf)
        row(source, dist)

    real = graph.weight_dtype is not None and graph.weight_dtype.kind == "f"
    chosen: dict[str, Any] = {"engine": "cpu", "strategy": "multi-sssp"} if exact and real else {}
    _solve.apsp(graph, dtype=_wide(graph), rows=widen, **chosen)


def _sum(values: Array) -> Any:
    """Returns the sum of distances as a Python number: the exact one of integers, however large."""
    if values.dtype.kind == "f" or not values.size or int(values.max()) <= INT64 // values.size:
        return values.sum().item()
    return sum(values.tolist())


def floyd_warshall_numpy(G: FringeGraph, nodelist: Any = None, weight: Weight = "weight") -> Array:
    if nodelist is not None and not (len(nodelist) == len(G) == len(set(nodelist))):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)"
        )
    message = "Node {} is not in G"
    order = range(len(G)) if nodelist is None else [_vertex(G, v, message, nx.NetworkXError) for v in nodelist]
    if not len(G) or G.is_negative(weight):
        raise NotImplementedError("NetworkX's own answer, where a weight is negative")
    matrix = np.empty((len(G), len(G)))
    _rows(G, weight, lambda source, dist: matrix.__setitem__(source, dist))
    chosen: Array = matrix[np.ix_(order, order)]
    return chosen


def average_shortest_path_length(G: FringeGraph, weight: Weight = None, method: str | None = None) -> Any:
    if method not in (None, "unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy"):
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    if not _connected(G, G.directed):
        raise nx.NetworkXError(f"Graph is not {'strongly ' if G.directed else ''}connected.")
    total = _total(G, None if method == "unweighted" or (method is None and weight is None) else weight)
    return total / (n * (n - 1))


def _total(G: FringeGraph, weight: Weight) -> Any:
    sums: list[Any] = []
    _rows(G, weight, lambda _source, dist: sums.append(_sum(dist)))
    return sum(sums)


def _longest(G: FringeGraph, weight: Weight, measure: Callable[..., Any]) -> Any:
    """Returns the lengths that a measure gives: with integer weights they are int in NetworkX."""
    graph = _positive(G, weight)
    if not _connected(G, G.directed):
        kind = "digraph is not strongly" if G.directed else "graph is not"
        raise nx.NetworkXError(f"Found infinite path length because the {kind} connected")
    kept = np.asarray(measure(graph))
    if graph.weight_dtype is not None and graph.weight_dtype.kind == "f":
        return kept.tolist()
    if kept.max() >= EXACT:
        raise NotImplementedError("a distance from 2^53 on is rounded")
    return kept.astype(np.int64).tolist()


def _eccentricities(G: FringeGraph, weight: Weight) -> list[Any]:
    made: list[Any] = _longest(G, weight, _measures.eccentricity) if len(G) else []
    return made


def _refuse_null(G: FringeGraph) -> None:
    if not len(G):
        raise NotImplementedError("a graph without nodes: NetworkX's own answer")


def _extreme_value(G: FringeGraph, weight: Weight, measure: Callable[..., float]) -> Any:
    _refuse_null(G)
    return _longest(G, weight, measure)


def eccentricity(G: FringeGraph, v: Any = None, sp: Any = None, weight: Weight = None) -> Any:
    if v is not None:
        raise NotImplementedError("eccentricity of some nodes: NetworkX's own")
    return dict(zip(G.nodes, _eccentricities(G, weight), strict=True))


def _extreme(G: FringeGraph, weight: Weight, choose: Callable[[Iterable[Any]], Any]) -> list[Node]:
    _refuse_null(G)
    found = _eccentricities(G, weight)
    if isinstance(found[0], float):  # rounding decides which ones are equal
        _rows(G, weight, lambda source, dist: found.__setitem__(source, dist.max().item()), exact=True)
    wanted = choose(found)
    return [node for node, e in zip(G.nodes, found, strict=True) if e == wanted]


def barycenter(G: FringeGraph, weight: Weight = None, attr: Any = None, sp: Any = None) -> list[Node]:
    _refuse_null(G)
    sums = np.empty(len(G), dtype=object)

    def add(source: int, dist: Array) -> None:  # real distances in NetworkX's order, since rounding decides between sums
        sums[source] = sum(np.sort(dist).tolist()) if dist.dtype.kind == "f" else _sum(dist)

    _rows(G, weight, add, exact=True)
    if any(s == math.inf for s in sums):
        raise nx.NetworkXNoPath(
            f"Input graph {G} is disconnected, so every induced subgraph has infinite barycentricity."
        )
    minimum = min(sums)
    return [node for node, s in zip(G.nodes, sums, strict=True) if s == minimum]


def _centrality(G: FringeGraph, weight: Weight, kind: _measures.Kind, **options: Any) -> Array:
    return _measures.centrality(_positive(G, weight), kind, **options)


def closeness_centrality(G: FringeGraph, u: Node = None, distance: Weight = None, wf_improved: bool = True) -> Any:
    def score(reached: Array) -> float:
        total, count = _sum(reached), reached.size - 1.0
        if total <= 0 or len(G) < 2:
            return 0.0
        return float(count / total * (count / (len(G) - 1) if wf_improved else 1))

    if u is not None:
        result, order = _distances(G, _vertex(G, u, "Source {} is not in G"), None, distance, False, True, reverse=True)
        return score(_values(result)[order])
    return _by_node(G, _centrality(G, distance, "closeness", reached_only=not wf_improved))


def betweenness_centrality(
    G: FringeGraph, k: int | None = None, normalized: bool = True, weight: Weight = None,
    endpoints: bool = False, seed: Any = None,
) -> dict[Node, float]:  # fmt: skip
    return _by_node(G, _centrality(G, weight, "betweenness", normalized=normalized))


def wiener_index(G: FringeGraph, weight: Weight = None) -> Any:
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    total = _total(G, weight)
    return total if G.directed or total == math.inf else total / 2


def global_efficiency(G: FringeGraph) -> float:
    n = len(G)
    if n < 2:
        return 0
    return float(_centrality(G, None, "harmonic").sum()) / (n * (n - 1))


# ---- components ----


def _sets(G: FringeGraph, strong: bool) -> Iterator[set[Node]]:
    if strong:  # in NetworkX's order, too
        count, label = _queue.strong_components(len(G), G.indptr, G.indices, False)
    else:
        count, label, _ = G.graph().components()
    order = np.argsort(label, kind="stable")
    return map(set, _groups(G, order, label[order], count))


def _connected(G: FringeGraph, strong: bool) -> bool:
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return G.graph().components("strong" if strong else "weak").count == 1


# ---- breadth-first order: NetworkX's own order of neighbors ----


def _order(G: FringeGraph, source: Node, depth_limit: Any) -> tuple[Array, Array]:
    """Returns (vertices in queue order, their parents)."""
    s = _node(G, source)
    order, parent = _queue.order(len(G), [(G.indptr, G.indices)], [s], -1)
    depth = _depth(depth_limit)
    if depth is not None:
        level = _solve.bfs(G.graph(), s, max_level=depth, parents=False).level
        order = order[level[order] >= 0]
    return order, parent


def bfs_edges(
    G: FringeGraph, source: Node, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Any = None
) -> Pairs:
    order, parent = _order(G, source, depth_limit)
    return zip(G.some(parent[order[1:]]), G.some(order[1:]), strict=True)


def bfs_tree(
    G: FringeGraph, source: Node, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Any = None
) -> Any:
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(bfs_edges(G, source, False, depth_limit))
    return tree


def bfs_successors(G: FringeGraph, source: Node, depth_limit: Any = None, sort_neighbors: Any = None) -> Pairs:
    children: Lists = {source: []}
    for parent, child in bfs_edges(G, source, False, depth_limit):
        children.setdefault(parent, []).append(child)
    if len(children) > 1 and not children[source]:
        del children[source]
    return iter(children.items())


def bfs_layers(G: FringeGraph, sources: Any) -> Iterator[list[Node]]:
    starts = [sources] if sources in G else list(set(sources))  # in the set's order, as in NetworkX
    vertices = [_node(G, s) for s in starts]
    if not vertices:
        return iter(())
    order, _ = _queue.order(len(G), [(G.indptr, G.indices)], vertices, -1)
    level = _solve.bfs(G.graph(), vertices, parents=False).level
    return _groups(G, order, level[order], int(level.max()) + 1)


# ---- the backend: NetworkX's functions with their arguments ----

W = "weight"
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    # lengths
    "single_source_shortest_path_length":
        lambda G, source, cutoff=None: _as_dict(G, *_hops(G, source, "Source {} is not in G", cutoff)),
    "single_target_shortest_path_length":
        lambda G, target, cutoff=None: _as_dict(G, *_hops(G, target, "Target {} is not in G", cutoff, reverse=True)),
    "all_pairs_shortest_path_length":
        lambda G, cutoff=None: _each_node(G, "single_source_shortest_path_length", cutoff),
    "dijkstra_path_length":
        lambda G, source, target, weight=W: _length(G, source, target, weight, True, "Node {} not reachable from {}"),
    "single_source_dijkstra_path_length":
        lambda G, source, cutoff=None, weight=W: _dijkstra_lengths(G, {source}, cutoff, weight),
    "multi_source_dijkstra_path_length":
        lambda G, sources, cutoff=None, weight=W: _dijkstra_lengths(G, sources, cutoff, weight),
    "all_pairs_dijkstra_path_length":
        lambda G, cutoff=None, weight=W: _each_node(G, "single_source_dijkstra_path_length", cutoff, weight),
    "bellman_ford_path_length":
        lambda G, source, target, weight=W: _length(G, source, target, weight, False, "node {} not reachable from {}"),
    "single_source_bellman_ford_path_length": lambda G, source, weight=W: _as_dict(
        G, *_distances(G, _vertex(G, source, "Source {} not in G"), None, weight, False, False)),
    "all_pairs_bellman_ford_path_length":
        lambda G, weight=W: _each_node(G, "single_source_bellman_ford_path_length", weight),
    # paths
    "single_source_shortest_path":
        lambda G, source, cutoff=None: Paths(G, *_hops(G, source, "Source {} not in G", cutoff, True)),
    "single_target_shortest_path":
        lambda G, target, cutoff=None: Paths(G, *_hops(G, target, "Target {} not in G", cutoff, True, True), backward=True),
    "all_pairs_shortest_path": lambda G, cutoff=None: _each_node(G, "single_source_shortest_path", cutoff),
    "dijkstra_path": lambda G, source, target, weight=W: multi_source_dijkstra(G, {source}, target, None, weight)[1],
    "single_source_dijkstra": lambda G, source, target=None, cutoff=None, weight=W:
        multi_source_dijkstra(G, {source}, target, cutoff, weight),
    "single_source_dijkstra_path":
        lambda G, source, cutoff=None, weight=W: multi_source_dijkstra(G, {source}, None, cutoff, weight)[1],
    "multi_source_dijkstra_path":
        lambda G, sources, cutoff=None, weight=W: multi_source_dijkstra(G, sources, None, cutoff, weight)[1],
    "all_pairs_dijkstra":
        lambda G, cutoff=None, weight=W: _each_node(G, "single_source_dijkstra", None, cutoff, weight),
    "all_pairs_dijkstra_path":
        lambda G, cutoff=None, weight=W: _each_node(G, "single_source_dijkstra_path", cutoff, weight),
    "single_source_bellman_ford_path":
        lambda G, source, weight=W: single_source_bellman_ford(G, source, None, weight)[1],
    "bellman_ford_path": lambda G, source, target, weight=W: single_source_bellman_ford(G, source, target, weight)[1],
    "all_pairs_bellman_ford_path": lambda G, weight=W: _each_node(G, "single_source_bellman_ford_path", weight),
    "johnson": lambda G, weight=W: {v: single_source_bellman_ford(G, v, None, weight)[1] for v in G},
    "negative_edge_cycle": lambda G, weight=W, heuristic=True:
        G.is_negative(weight) and G.graph(weight).negative_cycle() is not None,
    "dijkstra_predecessor_and_distance":
        lambda G, source, cutoff=None, weight=W: _predecessors_and_distance(G, source, cutoff, weight, True),
    # measures, components, breadth-first order
    "diameter": lambda G, e=None, usebounds=False, weight=None: _extreme_value(G, weight, _measures.diameter),
    "radius": lambda G, e=None, usebounds=False, weight=None: _extreme_value(G, weight, _measures.radius),
    "center": lambda G, e=None, usebounds=False, weight=None: _extreme(G, weight, min),
    "periphery": lambda G, e=None, usebounds=False, weight=None: _extreme(G, weight, max),
    "harmonic_centrality": lambda G, nbunch=None, distance=None, sources=None:
        _by_node(G, _centrality(G, distance, "harmonic")),
    "connected_components": lambda G: _sets(G, False),
    "weakly_connected_components": lambda G: _sets(G, False),
    "strongly_connected_components": lambda G: _sets(G, True),
    "number_connected_components": lambda G: G.graph().components().count,
    "number_weakly_connected_components": lambda G: G.graph().components().count,
    "number_strongly_connected_components": lambda G: G.graph().components("strong").count,
    "is_connected": lambda G: _connected(G, False),
    "is_weakly_connected": lambda G: _connected(G, False),
    "is_strongly_connected": lambda G: _connected(G, True),
    "node_connected_component": lambda G, n: set(_reached(G, G.index[n])),
    "descendants": lambda G, source: set(_reached(G, _node(G, source))[1:]),
    "ancestors": lambda G, source: set(_reached(G, _node(G, source), True)[1:]),
    "bfs_predecessors": lambda G, source, depth_limit=None, sort_neighbors=None:
        ((child, parent) for parent, child in bfs_edges(G, source, False, depth_limit)),
    **{function.__name__: function for function in (
        average_shortest_path_length, barycenter, bellman_ford_predecessor_and_distance, betweenness_centrality, bfs_edges,
        bfs_layers, bfs_successors, bfs_tree, bidirectional_dijkstra, bidirectional_shortest_path, closeness_centrality,
        descendants_at_distance, eccentricity, find_negative_cycle, floyd_warshall_numpy, global_efficiency, has_path,
        multi_source_dijkstra, predecessor, shortest_path, shortest_path_length, single_source_bellman_ford, wiener_index)},
}  # fmt: skip


@functools.cache
def _answering(name: str) -> Callable[..., Any]:
    """Returns the function that raises NotImplementedError, with the reason, for fringe's exceptions."""
    function = _FUNCTIONS[name]

    def answer(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except errors.CancelledError:
            raise
        except errors.FringeError as error:
            raise NotImplementedError(f"fringe cannot answer: {error}") from error

    return answer


# With one of these arguments NetworkX's own function runs.
_ONLY_IN = {
    "bellman_ford_predecessor_and_distance": ("target",),
    "eccentricity": ("sp", "v"), "diameter": ("e",), "radius": ("e",), "center": ("e",), "periphery": ("e",),
    "barycenter": ("sp", "attr"), "betweenness_centrality": ("k", "endpoints"), "harmonic_centrality": ("nbunch", "sources"),
    "bfs_edges": ("sort_neighbors", "reverse"), "bfs_tree": ("sort_neighbors", "reverse"),
    "bfs_predecessors": ("sort_neighbors",), "bfs_successors": ("sort_neighbors",),
}  # fmt: skip
_SMALL = 10_000  # the largest graph whose first call is compared; above it the conversion pays later
# shortest_path and shortest_path_length dispatch: (with lengths, with weights) -> functions for 0, 1, 2 given ends
_CALLED = {
    (False, False): ("all_pairs_shortest_path", "single_source_shortest_path", "bidirectional_shortest_path"),
    (False, True): ("all_pairs_dijkstra_path", "single_source_dijkstra_path", "bidirectional_dijkstra"),
    (True, False): ("all_pairs_shortest_path_length", "single_source_shortest_path_length", "bidirectional_shortest_path"),
    (True, True): ("all_pairs_dijkstra_path_length", "single_source_dijkstra_path_length", "dijkstra_path_length"),
}


def _names(name: str) -> tuple[str, ...]:
    code = _FUNCTIONS[name].__code__
    return tuple(code.co_varnames[: code.co_argcount])


def _measured_as(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Returns the function whose entry in _nx_sizes applies to a call."""
    given = {**dict(zip(_names(name), args, strict=False)), **kwargs}
    if name == "find_negative_cycle":
        return "negative_edge_cycle"
    if name == "closeness_centrality" and given.get("u") is not None:
        return "single_source_shortest_path_length"
    if name in ("shortest_path", "shortest_path_length"):
        ends = sum(given.get(end) is not None for end in ("source", "target"))
        return _CALLED[name.endswith("length"), given.get("weight") is not None][ends]
    return name


class Backend:
    """The object of the entry point ``networkx.backends``; its functions are those of `_FUNCTIONS`."""

    def __getattr__(self, name: str) -> Any:
        if name in _nx_info.FUNCTIONS:
            return _answering(name)
        raise AttributeError(name)

    @staticmethod
    def convert_from_nx(graph: Any, *, edge_attrs: Mapping[str, Any] | None = None, **_: Any) -> FringeGraph:
        if isinstance(graph, FringeGraph):
            return graph
        return FringeGraph(graph, edge_attrs or {})

    @staticmethod
    def convert_to_nx(obj: Any, **_: Any) -> Any:
        if not isinstance(obj, FringeGraph):
            return obj
        kind = {(False, False): nx.Graph, (True, False): nx.DiGraph, (False, True): nx.MultiGraph, (True, True): nx.MultiDiGraph}
        graph = kind[obj.directed, obj.multigraph]()
        graph.add_nodes_from(obj.nodes)
        source = _arrays.row_numbers(obj.indptr)
        kept = slice(None) if obj.directed else source <= obj.indices
        columns = {name: values[kept].tolist() for name, values in obj.weights.items()}
        ends = zip(obj.some(source[kept]), obj.some(obj.indices[kept]), strict=True)
        for i, (u, v) in enumerate(ends):
            graph.add_edge(u, v, **{name: values[i] for name, values in columns.items()})
        return graph

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        for argument, place, callable_only in _refused(name):
            given = args[place] if place < len(args) else kwargs.get(argument)
            if given is None or given is False:
                continue
            if not callable_only:
                return f"fringe has no {argument}"
            if callable(given):
                return f"{argument} is a function, which fringe cannot call for each edge"
        graph = args[0] if args else kwargs.get("G")
        if isinstance(graph, nx.Graph) and len(graph) >= 2**31:
            return "fringe has at most 2^31 - 1 vertices"
        return True

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        graph = args[0] if args else kwargs.get("G")
        if not isinstance(graph, nx.Graph):
            return True
        first, later = SIZES[_measured_as(name, args, kwargs)]
        converted = "fringe" in (getattr(graph, "__networkx_cache__", None) or {}).get("backends", ())
        min_size = later if converted else _SMALL if first is None and later is not None else first
        if min_size is None:
            return "NetworkX itself is faster"
        return True if len(graph) >= min_size else f"NetworkX itself is faster below {min_size} nodes"


@functools.cache
def _refused(name: str) -> tuple[tuple[str, int, bool], ...]:
    """Lists the arguments that can require NetworkX's function: (name, position, only if it is a function)."""
    names = _names(name)
    return tuple((word, place, word in ("weight", "distance"))
                 for place, word in enumerate(names)
                 if word in ("weight", "distance") or word in _ONLY_IN.get(name, ()))  # fmt: skip


backend: Backend = Backend()
