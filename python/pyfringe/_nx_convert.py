"""Conversion of NetworkX graphs to arrays, with as little Python code per edge as possible."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from pyfringe._arrays import Array


def numbers(values: list[Any]) -> Array:
    """Returns the weights in the smallest type that holds them: int32, int64 or float64."""
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "buif" or array.dtype.itemsize > 8:
        raise TypeError("edge weights must be real numbers")
    if array.dtype.kind in "bui":
        if array.size and not (-(2**31) <= int(array.min()) and int(array.max()) < 2**31):
            return array.astype(np.int64, casting="same_kind") if array.dtype.kind != "u" else _signed(array)
        return array.astype(np.int32)
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


def edge_weights(graph: Any, attribute: str, default: Any) -> Array:
    """Returns an attribute of the edges in the order of `adjacency`; of a multi-edge the minimum."""
    rows = graph._adj.values()
    if graph.is_multigraph():
        values = [min(d.get(attribute, default) for d in keys.values()) for row in rows for keys in row.values()]
        return numbers(values)
    try:  # without Python code for each edge: two thirds of the time, most of which is waiting for memory
        return numbers(list(map(itemgetter(attribute), chain.from_iterable(row.values() for row in rows))))
    except KeyError:  # an edge has no such attribute
        return numbers([d.get(attribute, default) for row in rows for d in row.values()])


def graph_arrays(graph: Any, weight: str | None) -> tuple[list[Any], Array, Array, Array | None]:
    """Returns (nodes, indptr, indices, weights) for Graph.from_networkx."""
    nodes, _, indptr, indices = adjacency(graph)
    return nodes, indptr, indices, None if weight is None else edge_weights(graph, weight, 1)
