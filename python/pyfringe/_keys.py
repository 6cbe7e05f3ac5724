"""The edges between two vertices and of a path, and their keys: what tells parallel edges apart in the input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from pyfringe import _arrays, _vertices
from pyfringe._arrays import Array
from pyfringe._fringe import ffi, lib
from pyfringe.errors import FringeError, NotFoundError

if TYPE_CHECKING:
    from pyfringe._graph import Graph


class Keys(NamedTuple):
    edges: Array
    """The edge of the input that each stored one is, in the order of `Graph.indices`."""
    keys: list[Any]
    """By edge of the input."""

    def stored(self) -> list[Any]:
        return [self.keys[e] for e in self.edges.tolist()]

    def with_weights(self, graph: Graph, weights: Array | None) -> Keys:
        """The same when the graph's edges get other weights: parallel ones ascend by weight, then as in the input."""
        groups = np.cumsum(first_of_parallel(graph.indptr, graph.indices))
        by = (self.edges, groups) if weights is None else (self.edges, weights, groups)
        return Keys(self.edges[np.lexsort(by)], self.keys)


def column(values: Any, count: int) -> list[Any]:
    """Returns a caller's keys of edges: a list, an array, a column of pandas, Arrow or Polars."""
    for convert in ("to_pylist", "tolist", "to_list"):
        if hasattr(values, convert):
            values = getattr(values, convert)()
    kept = list(values)
    if len(kept) != count:
        raise ValueError(f"edge_keys must have an entry for each edge: {count}, not {len(kept)}")
    return kept


def first_of_parallel(indptr: Array, indices: Array) -> Array:
    """Returns a mask of the stored edges that leaves out all but the first, which is the lightest, of parallel ones."""
    made = np.ones(indices.size, bool)
    made[1:] = indices[1:] != indices[:-1]
    made[indptr[:-1][np.diff(indptr) > 0]] = True
    return made


def stored_edges(graph: Graph, path: Array, closed: Array | None) -> list[int]:
    """Returns the stored edge of each step of a path: of parallel ones, which ascend by weight, the first open one."""
    handle, _ = graph._rows()
    count = ffi.new("int64_t *")
    bits = b"" if closed is None else closed.tobytes()

    def parallel(u: int, v: int) -> range:
        first = int(lib.fr_graph_edge(handle.pointer, u, v, count))
        return range(first, first + count[0])

    def is_open(e: int, u: int, v: int) -> bool:
        places = [e]
        if graph.symmetric:  # either direction closes both, which have the same place among parallel edges
            places.append(parallel(v, u)[e - parallel(u, v)[0]])
        return not any(bits[place >> 3] >> (place & 7) & 1 for place in places)

    def lightest(u: int, v: int) -> int:
        if not (edges := parallel(u, v)):
            reason = f"there is no edge {graph.id(u)!r} -> {graph.id(v)!r}"
            raise NotFoundError(f"path: {reason}; a path of a search with reverse=True leads the other way, path[::-1]")
        return edges[0] if closed is None else next(e for e in edges if is_open(e, u, v))

    steps = path.tolist()
    return [lightest(u, v) for u, v in zip(steps, steps[1:], strict=False)]


def path_edges(graph: Graph, path: Array, keys: bool, closed: Array | None = None) -> list[Any]:
    keyed = graph._edge_keys
    if keys and keyed is None:
        raise FringeError(
            "the graph has no keys of edges: those of a multigraph of NetworkX (whose weight is no function) or made "
            "with edge_keys= have them, not graphs that reverse, filter and subgraph make"
        )
    edges = stored_edges(graph, path, closed)
    ids = graph.id(path)
    columns = [ids[:-1], ids[1:]]
    if keys and keyed is not None:
        columns.append([keyed.keys[e] for e in keyed.edges[edges].tolist()])
    return list(zip(*columns, strict=True))


class Keyed:
    """The part of a graph that finds edges: between two vertices, and of a path."""

    __slots__ = ()

    def edge(self: Any, source: Any, target: Any) -> range:
        """Returns the stored edges between two vertices: their indices in `indices` and `data`.

        Parameters
        ----------
        source, target : int, str or node

        Returns
        -------
        range
            Empty if there is no such edge; more than one for parallel edges, the lightest first.

        Examples
        --------
        >>> from pyfringe import Graph
        >>> g = Graph.from_edges([0, 0, 1], [1, 1, 2], [5, 3, 7])
        >>> g.edge(0, 1), g.data[g.edge(0, 1)], len(g.edge(2, 0))
        (range(0, 2), array([3, 5]), 0)
        """
        ends = [_vertices.vertex(self, "the", v) for v in (source, target)]
        for v in ends:
            if not 0 <= v < self.n:
                raise _vertices.missing("vertex", v, self.n)
        handle, _ = self._rows()
        count = ffi.new("int64_t *")
        first = int(lib.fr_graph_edge(handle.pointer, *ends, count))
        return range(first, first + count[0]) if count[0] else range(0)

    @property
    def edge_keys(self: Any) -> list[Any] | None:
        """The key of each stored edge in the order of `indices`; None without keys.

        Examples
        --------
        >>> from pyfringe import Graph
        >>> Graph.from_edges([0, 0, 0], [2, 1, 2], [5, 1, 3], edge_keys=["slow", "only", "fast"]).edge_keys
        ['only', 'fast', 'slow']
        """
        return None if self._edge_keys is None else self._edge_keys.stored()

    @overload
    def path_edges(self, path: Any, *, keys: Literal[False] = False) -> list[tuple[Any, Any]]: ...
    @overload
    def path_edges(self, path: Any, *, keys: Literal[True]) -> list[tuple[Any, Any, Any]]: ...
    @overload
    def path_edges(self, path: Any, *, keys: bool) -> list[Any]: ...
    def path_edges(self: Any, path: Any, *, keys: bool = False) -> Any:
        """Returns the edges of a path as NetworkX lists edges: (u, v), or (u, v, key) with the ids of the ends.

        Parameters
        ----------
        path : Path or array_like of int
            What `path`, a `Router` or `Result.path_to` returns: numbers of vertices. `Result.path_edges` also knows
            the closed edges and the direction of its query.
        keys : bool
            Whether the key of the edge taken is added: of parallel edges the lightest, of equally light ones the first
            in the order of the input; also for paths of `bfs`, which counts each edge as 1.

        Examples
        --------
        >>> import networkx as nx
        >>> import pyfringe as fr
        >>> G = nx.MultiDiGraph([("a", "b", "slow", {"km": 5}), ("a", "b", "fast", {"km": 2}), ("b", "c", {"km": 1})])
        >>> g = fr.Graph.from_networkx(G, "km")
        >>> g.path_edges(fr.path(g, "a", "c"), keys=True)
        [('a', 'b', 'fast'), ('b', 'c', 0)]
        """
        steps = _arrays.vertices("the", getattr(path, "vertices", path))
        for v in steps[(steps < 0) | (steps >= self.n)].tolist():
            raise _vertices.missing("vertex", v, self.n)
        return path_edges(self, steps, keys)
