"""Paths between two vertices: one path, distances of pairs, tables, the k shortest paths; coordinates."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from pyfringe import _arrays, _coordinates, _vertices
from pyfringe._arrays import DTYPES, INT32, Array, Float64Array, Int32Array
from pyfringe._core import Context, Owner, Progress, as_progress, context_key, struct
from pyfringe._fringe import ffi, lib
from pyfringe._graph import Graph, check_graph
from pyfringe._handles import Handle

_ALGORITHMS = {"auto": lib.FR_ROUTE_AUTO, "bidirectional": lib.FR_ROUTE_BIDIRECTIONAL, "astar": lib.FR_ROUTE_ASTAR,
               "alt": lib.FR_ROUTE_ALT}  # fmt: skip
_NAMES = {number: name for name, number in _ALGORITHMS.items()}


MAX_ROUTERS = 2  # that a graph keeps for `path`, each with its arrays of n


class Path(NamedTuple):
    """A shortest path from one vertex to another."""

    length: float
    """The sum of its weights, an int for integer weights; inf where there is no path."""
    vertices: Int32Array
    """The vertices from the source to the target, int32; none where there is no path."""


def load_coordinates(graph: Graph, path: str | os.PathLike[str]) -> Float64Array:
    """Reads coordinates from a file of the 9th DIMACS challenge (.co) or the array xy of an .npz, compressed or not.

    ``graph.coordinates = path`` keeps them with the graph.

    Parameters
    ----------
    graph : Graph
        The graph; the file has its ids.
    path : str or path-like

    Returns
    -------
    ndarray of float64, shape (n, 2)
    """
    check_graph(graph)
    return _coordinates.read(graph, path)


class _Opened:
    """An fr_router and what it borrows; it is freed when neither its Router nor a call uses it."""

    __slots__ = ("borrowed", "context", "pointer")

    def __init__(self, context: Context, graph: Handle, options: Any, coordinates: Array | None) -> None:
        out = ffi.new("fr_router **")
        context.check(lib.fr_router_new(context.pointer, graph.pointer, options, out))
        self.context, self.borrowed = context, (graph.pointer, graph.borrowed, coordinates)
        self.pointer = out[0]

    def __del__(self) -> None:
        if hasattr(self, "pointer"):
            lib.fr_router_free(self.pointer)


class Router(Owner):
    """Solves queries between two vertices of a graph without negative weights, on the CPU.

    A query costs what it settles, not n: on road networks some percent of a search of the whole graph.

    Parameters
    ----------
    graph : Graph
    algorithm : {"auto", "bidirectional", "astar", "alt"}
        Dijkstra's search from both ends; A* with lower bounds from coordinates; ALT, with lower bounds
        from the distances of landmarks. "auto": A* with coordinates, ALT with landmarks, else both ends.
    landmarks : int
        ALT: 1 to 64, 0 for 16. Each takes two searches of the whole graph now, and 8 n bytes (16 n if
        the graph is directed).
    coordinates : array_like, shape (n, 2), optional
        A*: finite, in any unit; None with "astar": those of the graph. The lower bound is the straight distance times the minimum ratio of an edge's
        weight to its length.
    progress : callable or True, optional
        As for `bfs`.

    Notes
    -----
    One thread at a time may use a router; a second one gets a FringeError.

    Examples
    --------
    >>> import pyfringe as fr
    >>> g = fr.Graph.from_edges([0, 1, 0, 2], [1, 3, 2, 3], [1, 5, 2, 2], n=5)
    >>> with fr.Router(g) as router:
    ...     router.path(0, 3)
    ...     router.path(0, 4).length
    ...     router.table([0, 1], [2, 3])
    ...     [p.length for p in router.k_paths(0, 3, 5)]
    Path(length=4, vertices=array([0, 2, 3], dtype=int32))
    inf
    array([[                  2,                   4],
           [9223372036854775807,                   5]])
    [4, 6]
    """

    __slots__ = ()
    _noun = "router"

    def __init__(
        self, graph: Graph, algorithm: Literal["auto", "bidirectional", "astar", "alt"] = "auto", *, landmarks: int = 0, coordinates: Any = None,
        progress: Progress | bool | None = None,
    ) -> None:  # fmt: skip
        check_graph(graph)
        if algorithm == "astar" and coordinates is None:
            coordinates = graph.coordinates
        given = algorithm, operator.index(landmarks), coordinates
        _, columns = self._options(graph, *given)
        self._made_from = *given[:2], None if columns is None else columns.T
        self._graph = graph
        self._made = self._make(as_progress(progress))

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of distances: int64 for integer weights and without weights, float64 for real ones."""
        opened: _Opened = self._open()
        return DTYPES[lib.fr_router_dist_type(opened.pointer)]

    def _settings(self) -> str:
        return str(self._made_from[0]) if self._made is self.PICKLED else self.algorithm

    def _make(self, progress: Progress | None) -> _Opened:
        context = self._own_context(self._graph.handle.work, progress)
        with context.lock:
            context.begin()
            return _Opened(context, self._graph.handle, *self._options(self._graph, *self._made_from))

    @staticmethod
    def _options(graph: Graph, algorithm: str, landmarks: int, coordinates: Any) -> tuple[Any, Array | None]:
        """Returns an fr_router_options, and the coordinates that it points to."""
        if algorithm not in _ALGORITHMS:
            raise ValueError(f"algorithm is one of {', '.join(_ALGORITHMS)}, not {algorithm!r}")
        if algorithm == "auto" and coordinates is not None:
            algorithm = "astar"
        if (algorithm == "astar") != (coordinates is not None):
            raise ValueError("A* needs coordinates, and no other algorithm takes them")
        if not 0 <= landmarks <= 64 or (landmarks and algorithm not in ("auto", "alt")):
            raise ValueError(f"ALT takes 1 to 64 landmarks, or 0 for 16, and {algorithm} takes none: {landmarks}")
        options = struct("fr_router_options", algorithm=_ALGORITHMS[algorithm], landmarks=landmarks)
        if coordinates is None:
            return options, None
        xy = _arrays.unmasked("coordinates", coordinates).astype(np.float64, copy=False)
        if xy.shape != (graph.n, 2):
            raise ValueError(f"coordinates must have shape ({graph.n}, 2), not {xy.shape}")
        columns = np.ascontiguousarray(xy.T)
        options.x, options.y = (_arrays.pointer(column) for column in columns)
        return options, columns

    def _run(self, function: Any, *arguments: Any, route: Callable[[Any, Any, int], object] | None = None) -> None:
        opened: _Opened = self._open()
        context = self._context
        self._acquire()
        try:
            context.route = route
            context.begin()
            context.check(function(opened.pointer, *arguments))
        finally:
            context.route = None
            context.lock.release()

    @property
    def algorithm(self) -> str:
        """The algorithm of paths and distances of pairs."""
        opened: _Opened = self._open()  # another thread may close the router meanwhile
        return _NAMES[lib.fr_router_algorithm(opened.pointer)]

    @property
    def settled(self) -> int:
        """The vertices that the last query settled."""
        opened: _Opened = self._open()
        return int(lib.fr_router_settled(opened.pointer))

    def _length(self, value: Any) -> float:
        if self.dtype == np.float64:
            return float(value)
        return math.inf if value == np.iinfo(np.int64).max else int(value)

    def path(self, source: Any, target: Any) -> Path:
        """Returns a shortest path from `source` to `target`."""
        ends = self._ends(_vertices.vertex, source, target)
        length, found = np.empty(1, self.dtype), ffi.new("int32_t *")
        route = np.empty(self._graph.n, INT32)
        self._run(lib.fr_router_path, *ends, _arrays.pointer(length), _arrays.pointer(route), found)
        return Path(self._length(length[0]), route[: found[0]].copy())

    def _ends(self, convert: Callable[[Graph, str, Any], Any], sources: Any, targets: Any) -> list[Any]:
        return [convert(self._graph, what, given) for what, given in (("source", sources), ("target", targets))]

    def distances(self, sources: Any, targets: Any) -> Array:
        """Computes the distances of pairs, from sources[i] to targets[i]; each thread solves one pair at a time.

        Returns
        -------
        ndarray of `dtype`, shape (pairs,)
            Unreached: inf, or the largest int64.
        """
        first, second = self._ends(_vertices.vertices, sources, targets)
        if first.size != second.size:
            raise ValueError(f"as many sources as targets, not {first.size} and {second.size}; table() crosses them")
        made = np.empty(first.size, self.dtype)
        first_at, second_at, made_at = map(_arrays.pointer, (first, second, made))
        self._run(lib.fr_router_distances, first_at, second_at, first.size, made_at)
        return made

    def table(self, sources: Any, targets: Any) -> Array:
        """Computes the distances from every source to every target by a search per source, or per target if fewer.

        Returns
        -------
        ndarray of `dtype`, shape (sources, targets)
            Unreached: inf, or the largest int64.
        """
        first, second = self._ends(_vertices.vertices, sources, targets)
        made = np.empty((first.size, second.size), self.dtype)
        first_at, second_at, made_at = map(_arrays.pointer, (first, second, made))
        self._run(lib.fr_router_table, first_at, first.size, second_at, second.size, made_at)
        return made

    def k_paths(self, source: Any, target: Any, k: int) -> list[Path]:
        """Returns the `k` shortest paths without a repeated vertex, the shortest first; fewer if no more exist.

        Of parallel edges only the lightest counts.
        """
        ends = self._ends(_vertices.vertex, source, target)
        found: list[Path] = []

        def keep(dist: Any, path: Any, count: int) -> None:
            length = np.frombuffer(ffi.buffer(dist, self.dtype.itemsize), dtype=self.dtype)[0]
            found.append(Path(self._length(length), np.frombuffer(ffi.buffer(path, 4 * count), dtype=INT32).copy()))

        if operator.index(k) < 0:
            raise ValueError(f"k must be at least 0, not {k}")
        if not operator.index(k):
            return found
        self._run(lib.fr_router_k_paths, *ends, operator.index(k), lib.pf_route, self._context._handle, route=keep)
        return found


def _kept_router(graph: Graph) -> Router:
    """Takes a router that an earlier call left with the graph, or makes one."""
    handle = graph.handle
    while handle.routers:
        try:
            router: Router = handle.routers.pop()
        except IndexError:  # another thread took it
            break
        router._graph = graph
        if router._context.is_inherited() or router._context.key == context_key(handle.work):
            return router
    return Router(graph)


def path(graph: Graph, source: Any, target: Any, *, coordinates: Any = None) -> Path:
    """Returns a shortest path from one vertex to another; the graph keeps a router for the next call.

    With coordinates, and for k paths or pairs, make a `Router`.

    Parameters
    ----------
    graph : Graph
        Without negative weights; with them take ``sssp(...).path_to(target)``.
    source, target : int or str
    coordinates : array_like, shape (n, 2), optional
        As for `Router`.

    Examples
    --------
    >>> import pyfringe as fr
    >>> fr.path(fr.Graph.from_edges([0, 1, 0], [1, 2, 2], [1, 1, 3]), 0, 2)
    Path(length=2, vertices=array([0, 1, 2], dtype=int32))
    """
    if coordinates is not None:
        with Router(graph, coordinates=coordinates) as router:
            return router.path(source, target)
    check_graph(graph)
    handle, router = graph.handle, _kept_router(graph)
    try:
        return router.path(source, target)
    finally:
        router._graph = None  # the graph would own itself
        if len(handle.routers) < MAX_ROUTERS:
            handle.routers.append(router)
