"""Conversion of NetworkX graphs to arrays, with as little Python code per edge as possible."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from pyfringe._arrays import Array


EXACT = 2**53  # the largest integer below which a float64 holds all integers


def numbers(values: list[Any], terms: int = 1) -> Array:
    """Returns the weights in the smallest type that holds them: int32, int64 or float64; raises TypeError if none does.

    `terms`: how many are summed. Integers among real weights must stay exact until then, as in NetworkX.
    """
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "buif" or array.dtype.itemsize > 8:
        raise TypeError("edge weights must be real numbers")
    if array.dtype.kind in "bui":
        if array.size and not (-(2**31) <= int(array.min()) and int(array.max()) < 2**31):
            return array.astype(np.int64, casting="same_kind") if array.dtype.kind != "u" else _signed(array)
        return array.astype(np.int32)
    if array.size and not float(np.abs(array).max()) * terms < EXACT:  # NaN, too
        for value in values:
            if isinstance(value, (int, np.integer)) and abs(int(value)) * terms >= EXACT:
                raise TypeError(f"the integer {value} is among real edge weights, where float64 would round it or its sums")
    return array.astype(np.float64, copy=False)


def _signed(array: Array) -> Array:
    if int(array.max()) >= 2**63:
        raise TypeError("edge weights must fit int64")
    return array.astype(np.int64)


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
