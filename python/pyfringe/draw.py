"""Draws graphs and traversals with matplotlib (``pip install matplotlib``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyfringe import _arrays
from pyfringe._arrays import Array
from pyfringe._graph import Graph
from pyfringe._result import Result


def segments(graph: Graph, xy: Any = None) -> tuple[Array, Array]:
    """Returns the edges as line segments.

    Parameters
    ----------
    graph : Graph
    xy : array_like, shape (n, 2), optional
        Coordinates of the vertices; by default those of the graph.

    Returns
    -------
    lines : ndarray, shape (edges, 2, 2)
        End points; of a symmetric graph each edge once.
    ends : ndarray of int32, shape (edges, 2)
        The vertices.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1], [1, 2], directed=False)
    >>> segments(g, [[0, 0], [1, 0], [1, 1]])[1]
    array([[0, 1],
           [1, 2]], dtype=int32)
    """
    given: Any = graph.coordinates if xy is None else xy
    places = _arrays.unmasked("xy", given).astype(np.float64, copy=False)
    if places.shape != (graph.n, 2):
        raise ValueError(f"xy must have a row of two for each of the {graph.n} vertices, not the shape {places.shape}")
    source = _arrays.row_numbers(graph.indptr)
    kept = source < graph.indices if graph.symmetric else source != graph.indices
    ends = np.stack([source[kept], graph.indices[kept]], axis=1)
    return places[ends], ends


def edges(
    graph: Graph, xy: Any = None, values: Any = None, *, path: Any = None, ax: Any = None, cmap: str = "viridis",
    linewidth: float = 0.4, label: str | None = None,
) -> Any:  # fmt: skip
    """Draws the edges, colored by a value of their ends, and a path over them.

    Parameters
    ----------
    graph : Graph
    xy : array_like, shape (n, 2), optional
        Coordinates of the vertices; by default those of the graph.
    values : array_like, shape (n,), optional
        Levels or distances; an edge has the mean of its ends. Unreached edges are gray.
    path : array_like of int, optional
        Vertices to join, such as those of `Result.path_to`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.
    cmap, linewidth
        Colors of the values, width of the lines in points.
    label : str, optional
        With it the colors get a legend.

    Returns
    -------
    matplotlib.axes.Axes
    """
    from matplotlib.collections import LineCollection

    if ax is None:
        ax = _new_axes(8, 8)
        ax.set_axis_off()
    lines: Any
    lines, ends = segments(graph, xy)
    number = _numbers(values, graph.n)[ends].mean(axis=1)
    reached = np.isfinite(number)
    ax.add_collection(LineCollection(lines[~reached], colors="0.8", linewidths=linewidth))
    drawn = LineCollection(lines[reached], array=number[reached], cmap=cmap, linewidths=linewidth)
    ax.add_collection(drawn)
    if path is not None:
        ax.plot(*np.asarray(xy)[np.asarray(path)].T, color="red", linewidth=4 * linewidth)
    if label is not None:
        ax.figure.colorbar(drawn, ax=ax, label=label, shrink=0.6)
    ax.autoscale()
    ax.set_aspect("equal")
    return ax


def levels(result: Result, *, ax: Any = None) -> Any:
    """Draws the frontier profile: the vertices and the edges of each level of a traversal.

    Parameters
    ----------
    result : Result
        Of a call with ``record=True``.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
    """
    lines = result.levels()
    ax = _new_axes(7, 4) if ax is None else ax
    at = np.arange(len(lines))
    ax.step(at, [line.frontier for line in lines], where="mid", label="vertices of the frontier")
    ax.step(at, [line.edges for line in lines], where="mid", label="edges that are read", linewidth=0.8)
    ax.set_yscale("symlog", linthresh=1)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("level")
    ax.legend(frameon=False)
    return ax


def degrees(graph: Graph, *, ax: Any = None) -> Any:
    """Draws the distribution of the out-degrees on logarithmic axes.

    Parameters
    ----------
    graph : Graph
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
    """
    count = np.bincount(np.diff(graph.indptr), minlength=1)
    degree = np.flatnonzero(count)
    ax = _new_axes(7, 4) if ax is None else ax
    ax.scatter(degree, count[degree], s=6)
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xlim(left=-0.2)
    ax.set_yscale("log")
    ax.set_xlabel("edges of a vertex")
    ax.set_ylabel("vertices")
    return ax


def _new_axes(width: int, height: int) -> Any:
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def _numbers(values: Any, n: int) -> Array:
    """Returns the values as float64, with NaN for unreached vertices."""
    if values is None:
        return np.full(n, np.nan)
    given = _arrays.unmasked("values", values)
    if given.shape != (n,):
        raise ValueError(f"values must have one for each of the {n} vertices, not the shape {given.shape}")
    made = given.astype(np.float64)
    unreached = ~np.isfinite(made) if given.dtype.kind == "f" else (given == np.iinfo(given.dtype).max) | (given < 0)
    made[unreached] = np.nan
    return made
