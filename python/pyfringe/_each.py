"""Batches: a query from each of many sources in one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from pyfringe._core import Progress
from pyfringe._graph import Graph
from pyfringe._solve import PROBLEMS, Options, Output, Query, Result, _one, _query


def _each(
    problem: str, graph: Graph, query: Query, options: Options, out: Output, parents: bool, verify: bool,
    progress: Progress | bool | None,
) -> Result:  # fmt: skip
    count = 0 if query.sources is None else query.sources.size
    # rounded up so that batches of similar size share a solver
    expected = replace(options, expected_queries=1 << max(count - 1, 0).bit_length())
    return _one(PROBLEMS[problem], graph, query, expected, out, parents, verify, progress, each=True)


def bfs_each(
    graph: Graph,
    sources: Any,
    *,
    targets: Any = None,
    max_level: int | None = None,
    parents: bool = False,
    parent_rule: str = "any",
    closed_vertices: Any = None,
    closed_edges: Any = None,
    reverse: bool = False,
    engine: str = "auto",
    strategy: str | None = None,
    knobs: str | Mapping[str, object] | None = None,
    out: Output = None,
    stream: int | None = None,
    verify: bool = False,
    progress: Progress | bool | None = None,
) -> Result:
    """Runs a separate breadth-first search from each of many vertices, in one call.

    On a GPU the rows are copied to the host while the next search runs; several GPUs
    (``config.devices``) divide the rows.

    Parameters
    ----------
    graph, max_level, parent_rule, closed_vertices, closed_edges, reverse
        As for `bfs`.
    engine, strategy, knobs, stream, verify, progress
        As for `bfs`.
    sources : array_like of int, or names
        The result has a row for each, in this order.
    targets : int or array_like of int, optional
        Each search stops once all of them are reached.
    parents : bool
        Whether parents are computed.
    out : ndarray, tuple of two ndarrays, or Result, optional
        As for `bfs`, of shape (sources, n). ``complete_rows`` of an exception says how many rows are complete.

    Returns
    -------
    Result
        With ``level`` and ``parent`` of shape (sources, n); ``stats`` are sums.

    Examples
    --------
    >>> import pyfringe as fr
    >>> g = fr.Graph.from_edges([0, 0, 1, 3], [1, 2, 3, 0], n=5)
    >>> r = fr.bfs_each(g, [0, 3], parents=True)
    >>> r.level
    array([[ 0,  1,  1,  2, -1],
           [ 1,  2,  2,  0, -1]], dtype=int32)
    >>> r.path_to(2, row=1)
    array([3, 0, 2], dtype=int32)
    """
    closed = closed_vertices, closed_edges
    query = _query(graph, sources, targets, max_level, "max_level", parent_rule, False, stream, closed)
    options = Options.of(engine, strategy, knobs, reverse=reverse)
    return _each("bfs", graph, query, options, out, parents, verify, progress)


def sssp_each(
    graph: Graph,
    sources: Any,
    *,
    targets: Any = None,
    max_distance: float | None = None,
    parents: bool = False,
    parent_rule: str = "any",
    closed_vertices: Any = None,
    closed_edges: Any = None,
    reverse: bool = False,
    dtype: npt.DTypeLike | None = None,
    unit: bool = False,
    engine: str = "auto",
    strategy: str | None = None,
    knobs: str | Mapping[str, object] | None = None,
    out: Output = None,
    stream: int | None = None,
    verify: bool = False,
    progress: Progress | bool | None = None,
) -> Result:
    """Computes shortest paths separately from each of many vertices, in one call; weights may be negative.

    `apsp` gives the same rows and chooses among more algorithms; here each row has the limits, targets and
    strategies of `sssp`.

    Parameters
    ----------
    graph, max_distance, parent_rule, closed_vertices, closed_edges, reverse, dtype, unit
        As for `sssp`.
    engine, strategy, knobs, stream, verify, progress
        As for `sssp`.
    sources, targets, parents, out
        As for `bfs_each`.

    Returns
    -------
    Result
        With ``dist`` and ``parent`` of shape (sources, n); ``stats`` are sums.

    Raises
    ------
    NegativeCycleError
        A source reaches a negative cycle.

    Examples
    --------
    >>> import pyfringe as fr
    >>> g = fr.Graph.from_edges([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.5])
    >>> fr.sssp_each(g, [0, 2]).dist
    array([[0. , 1. , 3. ],
           [3.5, 4.5, 0. ]])
    """
    closed = closed_vertices, closed_edges
    query = _query(graph, sources, targets, max_distance, "max_distance", parent_rule, False, stream, closed)
    options = Options.of(engine, strategy, knobs, dtype, unit, reverse=reverse)
    return _each("sssp", graph, query, options, out, parents, verify, progress)
