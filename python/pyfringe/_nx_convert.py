"""From NetworkX graphs to columns of edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyfringe._arrays import Array


def numbers(values: list[Any]) -> Array:
    """Weights as the least fitting type: int32, int64 or float64."""
    array = np.asarray(values)
    if array.dtype.kind not in "buif" or array.dtype.itemsize > 8:
        raise TypeError("edge weights must be real numbers")
    if array.dtype.kind in "bui":
        if array.size and not (-(2**31) <= array.min() and array.max() < 2**31):
            return array.astype(np.int64, copy=False)
        return array.astype(np.int32)
    return array.astype(np.float64, copy=False)


def columns(graph: Any, weight: str | None) -> tuple[list[Any], Array, Array, Array | None, bool]:
    """(nodes, sources, targets, weights, directed) of a NetworkX graph."""
    nodes = list(graph)
    index = {node: i for i, node in enumerate(nodes)}
    directed = graph.is_directed()
    src: list[int] = []
    dst: list[int] = []
    values: list[Any] = []
    edges = graph.edges(data=weight, default=1) if weight is not None else ((u, v, 1) for u, v in graph.edges())
    for u, v, value in edges:
        src.append(index[u])
        dst.append(index[v])
        values.append(value)
    made = numbers(values) if weight is not None else None
    return nodes, np.array(src, dtype=np.int32), np.array(dst, dtype=np.int32), made, directed
