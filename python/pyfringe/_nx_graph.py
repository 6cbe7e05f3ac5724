"""NetworkX graphs as arrays, by as little Python code per edge as possible, and paths that are built when asked for."""

from __future__ import annotations

import warnings
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from pyfringe import errors
from pyfringe._arrays import Array, row_numbers
from pyfringe._graph import Graph
from pyfringe._result import Result

Node = Any
EXACT = 2**53  # the largest integer below which a float64 holds all integers


def numbers(values: list[Any], terms: int = 1) -> Array:
    """Returns the weights in the smallest type that holds them: int32, int64 or float64; raises TypeError if none does.

    `terms`: how many are summed. Integers among real weights must stay exact until then, as in NetworkX.
    """
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "buif" or array.dtype.itemsize > 8:
        raise TypeError("edge weights must be real numbers")
    if array.dtype.kind in "bui":
        low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
        if high >= 2**63:
            raise TypeError("edge weights must fit int64")
        return array.astype(np.int32 if -(2**31) <= low and high < 2**31 else np.int64)
    if array.size and not float(np.abs(array).max()) * terms < EXACT:  # NaN, too
        for value in values:
            if isinstance(value, (int, np.integer)) and abs(int(value)) * terms >= EXACT:
                raise TypeError(f"the integer {value} is among real edge weights, where float64 would round it or its sums")
    return array.astype(np.float64, copy=False)


def adjacency(graph: Any) -> tuple[list[Any], dict[Any, int], Array, Array]:
    """Returns (nodes, their index, indptr, indices); rows are in NetworkX's order, a multi-edge appears once."""
    rows = graph._adj
    if not isinstance(rows, dict):  # a view: len() of a multigraph's row counts more edges than it lists
        rows = {node: list(row) for node, row in rows.items()}
    nodes = list(rows)
    index = {node: i for i, node in enumerate(nodes)}
    indptr = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, rows.values()), np.int64, len(nodes)), out=indptr[1:])
    ends: Iterable[Any] = chain.from_iterable(rows.values())
    if any(i is not node and (type(node) is not int or i != node) for i, node in enumerate(nodes)):
        ends = map(index.__getitem__, ends)
    return nodes, index, indptr, np.fromiter(ends, np.int32, int(indptr[-1]))


def edge_weights(graph: Any, attribute: str, default: Any, terms: int = 1) -> Array:
    """Returns an attribute of the edges in the order of `adjacency`; of a multi-edge the minimum."""
    rows = graph._adj.values()
    if graph.is_multigraph():
        values = [min(d.get(attribute, default) for d in keys.values()) for row in rows for keys in row.values()]
        return numbers(values, terms)
    try:  # without Python code for each edge: two thirds of the time, most of which is waiting for memory
        return numbers(list(map(itemgetter(attribute), chain.from_iterable(row.values() for row in rows))), terms)
    except KeyError:  # an edge has no such attribute
        return numbers([d.get(attribute, default) for row in rows for d in row.values()], terms)


def _lightest(edges: Mapping[Any, Any], attribute: str | None) -> Any:
    if len(edges) == 1:  # mostly
        return next(iter(edges))
    return min(edges, key=lambda key: edges[key].get(attribute, 1))  # of equal ones the first


def lightest_keys(graph: Any, attribute: str | None) -> list[Any]:
    """Returns the key of the lightest edge of each multi-edge, in the order of `adjacency`."""
    return [_lightest(edges, attribute) for row in graph._adj.values() for edges in row.values()]


def _has_no(attribute: str, graph: Any) -> bool:
    """Returns whether the graph has edges, none of which has the attribute."""
    return graph.number_of_edges() > 0 and all(attribute not in data for *_, data in graph.edges(data=True))


def _by_function(graph: Any, weight: Any, indptr: Array, indices: Array) -> tuple[Array, Array, Array]:
    """Returns (indptr, indices, weights) of the edges for which NetworkX's weight function gives a number."""
    rows = graph._adj.items()
    given = [weight(u, v, data) for u, row in rows for v, data in row.items()]
    kept = np.fromiter((value is not None for value in given), bool, len(given))
    starts = np.concatenate([[0], np.cumsum(kept)])[indptr]
    return starts, indices[kept], numbers([value for value in given if value is not None])


def graph_arrays(graph: Any, weight: Any) -> tuple[list[Any], Array, Array, Array | None]:
    """Returns (nodes, indptr, indices, weights) for Graph.from_networkx."""
    nodes, _, indptr, indices = adjacency(graph)
    if weight is None:
        return nodes, indptr, indices, None
    if callable(weight):
        return nodes, *_by_function(graph, weight, indptr, indices)
    weights = edge_weights(graph, weight, 1)
    if weight != "weight" and bool((weights == 1).all()) and _has_no(weight, graph):
        warnings.warn(f"no edge has the attribute {weight!r}: every edge gets weight 1, as in NetworkX", stacklevel=3)
    return nodes, indptr, indices, weights


class FringeGraph:
    """A NetworkX graph as arrays, and fringe's graphs of it, which are made when they are needed."""

    __networkx_backend__ = "fringe"

    def __init__(self, graph: Any, attributes: Mapping[str, Any]) -> None:
        self.directed: bool = graph.is_directed()
        self.multigraph: bool = graph.is_multigraph()
        self.nodes: list[Any]
        self.index: dict[Any, int]
        self.indptr: Array
        self.indices: Array
        self.nodes, self.index, self.indptr, self.indices = adjacency(graph)
        self.weights: dict[str, Array] = {}
        try:
            for name, default in attributes.items():
                self.weights[name] = edge_weights(graph, name, 1 if default is None else default, len(self.nodes))
        except (TypeError, OverflowError) as error:
            raise NotImplementedError(f"fringe's weights are numbers: {error}") from error
        self._graphs: dict[tuple[str | None, bool], Graph] = {}

    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return self.multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def __str__(self) -> str:
        """As NetworkX's, without the number of edges of a multigraph, whose parallel edges are one here."""
        kind = ("Multi" if self.multigraph else "") + ("DiGraph" if self.directed else "Graph")
        once = self.indices if self.directed else self.indices[row_numbers(self.indptr) <= self.indices]
        return f"{kind} with {len(self)} nodes" + ("" if self.multigraph else f" and {once.size} edges")

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __contains__(self, node: Node) -> bool:
        try:
            return node in self.index
        except TypeError:
            return False

    def graph(self, weight: str | None = None, reverse: bool = False) -> Graph:
        """Returns fringe's graph with these weights."""
        key = (weight, reverse and self.directed)
        made = self._graphs.get(key)
        if made is None:
            if key[1]:
                made = self.graph(weight).reverse()
            else:
                try:
                    values = None if weight is None else self.weights[weight]
                    made = Graph.from_csr(self.indptr, self.indices, values, symmetric=not self.directed)
                except (KeyError, errors.RangeError) as error:  # infinity is a weight for NetworkX
                    raise NotImplementedError(f"fringe cannot use the weights: {error}") from error
            self._graphs[key] = made
        return made

    def is_negative(self, weight: str | None) -> bool:
        return weight is not None and bool((self.weights[weight] < 0).any())

    def some(self, vertices: Array) -> list[Node]:
        """Returns the nodes of some vertices."""
        nodes = self.nodes
        return [nodes[v] for v in vertices.tolist()]


class Paths(Mapping[Node, list[Node]]):
    """Shortest paths to the reached nodes, built from the parents: one at a time, or all after many were used."""

    __slots__ = ("_asked", "_backward", "_graph", "_made", "_order", "_result")

    def __init__(self, graph: FringeGraph, result: Result, order: Array, backward: bool = False) -> None:
        self._graph, self._result, self._order, self._backward = graph, result, order, backward
        self._asked = 0
        self._made: dict[Node, list[Node]] = {}

    def __getitem__(self, node: Node) -> list[Node]:
        if node in self._made:
            return self._made[node]
        path = self._result.path_to(self._graph.index[node])
        if not path.size:
            raise KeyError(node)
        self._asked += 1
        if self._asked > len(self) >> 3:
            self._made = dict(self._all())
        return self._graph.some(path[::-1] if self._backward else path)

    def _all(self) -> Iterator[tuple[Node, list[Node]]]:
        """Builds all paths, each by extending the path of the parent, which mostly exists already."""
        nodes, backward = self._graph.nodes, self._backward
        parent: Any = self._result.parent
        paths: dict[int, list[Node]] = {}
        for v, before in zip(self._order.tolist(), parent[self._order].tolist(), strict=True):
            node = nodes[v]
            if before == v:
                path = [node]
            elif before in paths:
                path = [node, *paths[before]] if backward else [*paths[before], node]
            else:  # an edge of weight 0 whose parent has a larger number
                path = self._graph.some(self._result.path_to(v)[:: -1 if backward else 1])
            paths[v] = path
            yield node, path

    def items(self) -> ItemsView[Node, list[Node]]:
        return self._whole().items()

    def values(self) -> ValuesView[list[Node]]:
        return self._whole().values()

    def _whole(self) -> dict[Node, list[Node]]:
        if not self._made:
            self._made = dict(self._all())
        return self._made

    def __contains__(self, node: Node) -> bool:
        parent = self._result.parent
        return node in self._graph and parent is not None and bool(parent[self._graph.index[node]] != -1)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._graph.some(self._order))

    def __len__(self) -> int:
        return int(self._order.size)

    def __repr__(self) -> str:
        return repr(self._whole())
