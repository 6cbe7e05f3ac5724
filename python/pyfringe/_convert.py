"""Graphs as those of other packages: SciPy, NetworkX, igraph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyfringe import _keys, _tables
from pyfringe._arrays import Array

if TYPE_CHECKING:
    from pyfringe._graph import Graph


def to_scipy(graph: Graph) -> Any:
    from scipy.sparse import csr_array

    indptr, indices = graph.indptr, graph.indices
    data = graph.data if graph.data is not None else np.ones(graph.m, dtype=np.int32)
    first = _keys.first_of_parallel(indptr, indices)
    if not first.all():
        indptr = np.concatenate([[0], np.cumsum(first)])[indptr]
        indices, data = indices[first], data[first]
    if indices.size < 2**31:  # SciPy widens both index arrays to the wider one's type
        indptr = indptr.astype(np.int32)
    return csr_array((data, indices, indptr), shape=(graph.n, graph.n))


def _edges_once(graph: Graph) -> tuple[list[int], list[int], list[Any] | None]:
    """Returns the edges as lists, an undirected edge once."""
    u, v, w = graph.edges()
    if graph.symmetric:
        kept = u <= v
        u, v, w = u[kept], v[kept], None if w is None else w[kept]
    return u.tolist(), v.tolist(), None if w is None else w.tolist()


def _ids(graph: Graph) -> list[Any]:
    ids = graph.ids
    return ids.tolist() if isinstance(ids, np.ndarray) else ids  # type: ignore[no-any-return]


def _axes(graph: Graph) -> list[tuple[str, list[float]]]:
    return [] if graph.coordinates is None else list(zip("xy", graph.coordinates.T.tolist(), strict=True))


def to_networkx(graph: Graph, weight: str) -> Any:
    import networkx as nx

    kinds = [[nx.DiGraph, nx.MultiDiGraph], [nx.Graph, nx.MultiGraph]]
    u, v, w = _edges_once(graph)
    parallel = len(set(zip(u, v, strict=True))) < len(u)
    made, ids = kinds[graph.symmetric][parallel](), _ids(graph)
    made.add_nodes_from(ids)
    for axis, values in _axes(graph):
        nx.set_node_attributes(made, dict(zip(ids, values, strict=True)), axis)
    ends = [map(ids.__getitem__, side) for side in (u, v)]
    if w is None:
        made.add_edges_from(zip(*ends, strict=True))
    else:
        made.add_weighted_edges_from(zip(*ends, w, strict=True), weight=weight)
    return made


def to_igraph(graph: Graph, weight: str) -> Any:
    import igraph

    u, v, w = _edges_once(graph)
    attributes = {} if w is None else {weight: w}
    made = igraph.Graph(graph.n, list(zip(u, v, strict=True)), directed=not graph.symmetric, edge_attrs=attributes)
    ids = _ids(graph)
    if ids != list(range(graph.n)):
        made.vs["name"] = ids
    for axis, values in _axes(graph):
        made.vs[axis] = values
    return made


def igraph_arrays(graph: Any, weight: str | None, ids: str | None) -> tuple[Array, Any, Any]:
    """Returns (the ends of the edges as two rows, weights, ids) of an igraph.Graph."""
    if not hasattr(graph, "get_edgelist"):
        raise TypeError(f"an igraph.Graph is needed, not {type(graph).__name__}")
    named = graph.es.attributes()
    if weight not in (None, "weight", *named):
        raise ValueError(f"no edge has the attribute {weight!r}; there are {', '.join(named) or 'none'}")
    ends = np.array(graph.get_edgelist(), np.int32).reshape(-1, 2)
    labels = _tables.Numbering(graph.vs[ids]).finish()[2] if ids in graph.vs.attributes() else None
    return np.ascontiguousarray(ends.T), graph.es[weight] if weight in named else None, labels


class Converted:
    """The part of a graph that other packages get."""

    __slots__ = ()

    def to_scipy(self: Any) -> Any:
        """Returns the graph as a ``scipy.sparse.csr_array``; edges of a graph without weights become 1.

        Of parallel edges the lightest is kept: SciPy would sum them.

        Examples
        --------
        >>> from pyfringe import Graph
        >>> Graph.from_edges([0, 0, 1], [1, 1, 0], [4, 3, 5]).to_scipy().toarray()
        array([[0, 3],
               [5, 0]])
        """
        return to_scipy(self)

    def to_networkx(self: Any, weight: str = "weight") -> Any:
        """Returns the graph as one of NetworkX, whose nodes are the ids; coordinates become the attributes x and y.

        Parameters
        ----------
        weight : str
            The name of the attribute that holds weights.

        Returns
        -------
        networkx.Graph or DiGraph
            A Graph if `symmetric`; MultiGraph or MultiDiGraph if there are parallel edges.

        Examples
        --------
        >>> from pyfringe import Graph
        >>> Graph.from_edges(["Rome", "Bonn"], ["Bonn", "Oslo"], [9, 4]).to_networkx().edges["Rome", "Bonn"]
        {'weight': 9}
        """
        return to_networkx(self, weight)

    def to_igraph(self: Any, weight: str = "weight") -> Any:
        """Returns the graph as an ``igraph.Graph``.

        Ids that are not the numbers become the vertex attribute "name", coordinates the attributes "x" and "y".
        """
        return to_igraph(self, weight)
