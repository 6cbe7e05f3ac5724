"""Measures of vertices: centralities, eccentricity, diameter."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from pyfringe import _arrays
from pyfringe._arrays import Float64Array
from pyfringe._core import Progress, struct
from pyfringe._fringe import ffi, lib
from pyfringe._graph import Graph, check_graph
from pyfringe._handles import EngineName, backend_of

ROWS_AT_ONCE = 16  # a row costs a sixteenth of a single traversal: decides between one thread and a team

Kind = Literal["betweenness", "closeness", "harmonic"]
KINDS = ("betweenness", "closeness", "harmonic")


def centrality(
    graph: Graph, kind: Kind, *, normalized: bool = True, samples: int | None = None, seed: int = 0,
    reached_only: bool = False, reverse: bool = False, engine: EngineName = "auto",
    progress: Progress | bool | None = None,
) -> Float64Array:  # fmt: skip
    """Computes a centrality of every vertex with the graph's weights; ``graph.with_weights(None)`` counts edges.

    Parameters
    ----------
    graph : Graph
        Weights must not be negative.
    kind : {"betweenness", "closeness", "harmonic"}
        The fraction of shortest paths through a vertex; the inverse of the mean distance to it; the sum of the
        inverse distances to it.
    normalized : bool
        Betweenness: divides by the number of pairs of other vertices.
    samples : int, optional
        Betweenness: estimates the values from this number of random sources.
    seed : int
        Selects the random sources.
    reached_only : bool
        Closeness: does not scale by the fraction of vertices that reach the vertex (`wf_improved=False` of NetworkX).
    reverse : bool
        Closeness and harmonic: uses distances *from* the vertex.
    engine : {"auto", "cpu", "cuda"}
        Where to run; "auto" chooses by predicted time. Closeness without weights is the same on both; other
        scores differ by rounding.
    progress : callable or True, optional
        As for `bfs`.

    Returns
    -------
    ndarray of float64, shape (n,)

    Examples
    --------
    >>> import pyfringe as fr
    >>> star = fr.Graph.from_edges([0, 0, 0], [1, 2, 3], directed=False)
    >>> fr.centrality(star, "betweenness")
    array([1., 0., 0., 0.])
    >>> fr.centrality(star, "closeness").round(2)
    array([1. , 0.6, 0.6, 0.6])
    """
    check_graph(graph)
    if kind not in KINDS:
        raise ValueError(f"kind is one of {', '.join(KINDS)}, not {kind!r}")
    if samples is not None and samples < 1:
        raise ValueError(f"samples must be at least 1, or None for all vertices; it is {samples}")
    backend = backend_of(engine)
    score = np.zeros(graph.n)
    address = _arrays.pointer(score)
    arguments: dict[str, tuple[Any, ...]] = {"closeness": (bool(reached_only), backend, address), "harmonic": (backend, address)}
    if kind == "betweenness":
        options = {"normalized": bool(normalized), "samples": samples or 0, "seed": seed, "backend": backend}
        arguments[kind] = struct("fr_betweenness_options", **options), address, ffi.NULL
    _call(graph.reverse() if reverse else graph, getattr(lib, f"fr_{kind}"), arguments[kind], progress)
    return score


def _call(graph: Graph, function: Any, arguments: tuple[Any, ...], progress: Any) -> None:
    graph.handle.call(function, *arguments, work=graph.n * graph.handle.work // ROWS_AT_ONCE, progress=progress)


def eccentricity(graph: Graph, *, engine: EngineName = "auto", progress: Progress | bool | None = None) -> Float64Array:
    """Computes the distance of each vertex to the farthest one that it reaches.

    Parameters
    ----------
    graph : Graph
        Weights must not be negative.
    engine : {"auto", "cpu", "cuda"}
        Where to run; "auto" chooses by predicted time. Values are the same on both. Graphs with float weights run
        only on the CPU.
    progress : callable or True, optional
        As for `bfs`.

    Returns
    -------
    ndarray of float64, shape (n,)

    Examples
    --------
    >>> import pyfringe as fr
    >>> fr.eccentricity(fr.Graph.generate("path:n=4"))
    array([3., 2., 2., 3.])
    """
    made: Float64Array = _extremes(graph, engine, progress, True)[0]
    return made


def diameter(graph: Graph, *, engine: EngineName = "auto", progress: Progress | bool | None = None) -> float:
    """Computes the maximum eccentricity, mostly with far fewer traversals than `eccentricity`; parameters as there.

    Examples
    --------
    >>> import pyfringe as fr
    >>> fr.diameter(fr.Graph.generate("path:n=4"))
    3.0
    """
    return _extremes(graph, engine, progress)[1]


def radius(graph: Graph, *, engine: EngineName = "auto", progress: Progress | bool | None = None) -> float:
    """Computes the minimum eccentricity; parameters as for `eccentricity`.

    Examples
    --------
    >>> import pyfringe as fr
    >>> fr.radius(fr.Graph.generate("path:n=4"))
    2.0
    """
    return _extremes(graph, engine, progress)[2]


def _extremes(graph: Graph, engine: str, progress: Any, each: bool = False) -> tuple[Any, float, float]:
    """Returns (eccentricities if `each` is set, diameter, radius)."""
    check_graph(graph)
    values = np.zeros(graph.n) if each else None
    diameter, radius = ffi.new("double *"), ffi.new("double *")
    arguments = backend_of(engine), _arrays.pointer(values), diameter, radius, ffi.NULL
    _call(graph, lib.fr_eccentricity, arguments, progress)
    return values, float(diameter[0]), float(radius[0])
