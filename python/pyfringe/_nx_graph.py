"""What the NetworkX backend's functions get and return: a graph as arrays, and paths that are built when asked for."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from typing import Any

from pyfringe import errors
from pyfringe._arrays import Array
from pyfringe._graph import Graph
from pyfringe._nx_convert import adjacency, edge_weights
from pyfringe._result import Result

Node = Any


class FringeGraph:
    """A NetworkX graph as arrays, and fringe's graphs of it, which are made when they are needed."""

    __networkx_backend__ = "fringe"

    def __init__(self, graph: Any, attributes: Mapping[str, Any]) -> None:
        self.directed: bool = graph.is_directed()
        self.multigraph: bool = graph.is_multigraph()
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
