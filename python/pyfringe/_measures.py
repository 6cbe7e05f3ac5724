"""Measures of vertices: centralities, eccentricity, diameter."""

from __future__ import annotations

import os
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
    reached_only: bool = False, reverse: bool = False, vertices: range | None = None,
    checkpoint: str | os.PathLike[str] | None = None, engine: EngineName = "auto",
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
    vertices : range, optional
        Closeness and harmonic: computes only these, consecutive ones, which takes as much less time. Scores are the
        same in any part.
    checkpoint : path, optional
        Closeness and harmonic: a file that keeps finished scores, about once a minute. The same call continues it
        after an interruption; `FormatError`: it is of another graph or other arguments.
    engine : {"auto", "cpu", "cuda"}
        Where to run; "auto" chooses by predicted time. Closeness and harmonic without weights are the same on both;
        other scores differ by rounding.
    progress : callable or True, optional
        As for `bfs`.

    Returns
    -------
    ndarray of float64, shape (n,) or (len(vertices),)

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
    graph = graph.reverse() if reverse else graph
    if kind != "betweenness":
        return _distance_scores(graph, [kind], reached_only, vertices, checkpoint, backend, progress)[0]
    if vertices is not None or checkpoint is not None:
        raise ValueError("vertices and checkpoint are for closeness and harmonic")
    score = np.zeros(graph.n)
    options = {"normalized": bool(normalized), "samples": samples or 0, "seed": seed, "backend": backend}
    arguments = struct("fr_betweenness_options", **options), _arrays.pointer(score), ffi.NULL
    _call(graph, lib.fr_betweenness, arguments, progress)
    return score


def closeness_and_harmonic(
    graph: Graph, *, reached_only: bool = False, reverse: bool = False, vertices: range | None = None,
    checkpoint: str | os.PathLike[str] | None = None, engine: EngineName = "auto",
    progress: Progress | bool | None = None,
) -> tuple[Float64Array, Float64Array]:  # fmt: skip
    """Computes both in the time of one; parameters as for `centrality`.

    Examples
    --------
    >>> import pyfringe as fr
    >>> closeness, harmonic = fr.closeness_and_harmonic(fr.Graph.generate("path:n=4"), vertices=range(2))
    >>> closeness, harmonic.round(2)
    (array([0.5 , 0.75]), array([1.83, 2.5 ]))
    """
    check_graph(graph)
    graph = graph.reverse() if reverse else graph
    kinds, backend = ["closeness", "harmonic"], backend_of(engine)
    closeness, harmonic = _distance_scores(graph, kinds, reached_only, vertices, checkpoint, backend, progress)
    return closeness, harmonic


def _distance_scores(
    graph: Graph, kinds: list[str], reached_only: bool, vertices: range | None,
    checkpoint: str | os.PathLike[str] | None, backend: int, progress: Any,
) -> list[Float64Array]:  # fmt: skip
    part = range(graph.n) if vertices is None else vertices
    if not isinstance(part, range) or part.step != 1 or part.start < 0 or part.stop > graph.n:
        raise ValueError(f"vertices is a range of consecutive vertices of the graph's {graph.n}, not {vertices!r}")
    scores = {kind: np.zeros(len(part)) for kind in kinds}
    if part:
        path = ffi.NULL if checkpoint is None else ffi.new("char[]", os.fsencode(checkpoint))
        options = {"backend": backend, "reached_only": bool(reached_only), "checkpoint": path}
        given = struct("fr_distance_centrality_options", first=part.start, count=len(part), **options)
        addresses = [_arrays.pointer(scores.get(kind)) for kind in ("closeness", "harmonic")]
        _call(graph, lib.fr_distance_centrality, (given, *addresses), progress)
    return list(scores.values())


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
