"""Coordinates of vertices, from a caller's array, table or file, and the vertex nearest to a point."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pyfringe import _arrays, _tables
from pyfringe._arrays import Array, Float64Array, Int32Array
from pyfringe._fringe import lib
from pyfringe.errors import NoSuchFileError, NotFoundError

if TYPE_CHECKING:
    from pyfringe._graph import Graph

FEW = 8  # points for which reading all coordinates is faster than making a tree


class Places:
    """The coordinates of a graph, which graphs made from it share, and the tree that `nearest` makes."""

    __slots__ = ("tree", "xy")

    def __init__(self, xy: Float64Array) -> None:
        self.xy = xy
        self.tree: Any = None

    def nearest(self, points: Array) -> Int32Array:
        if self.tree is None and len(points) > FEW:
            try:
                from scipy.spatial import KDTree

                self.tree = KDTree(self.xy)
            except ImportError:
                pass
        if self.tree is not None:
            return np.asarray(self.tree.query(points)[1], np.int32)
        found = (np.square(self.xy - point).sum(axis=1).argmin() for point in points)
        return np.fromiter(found, np.int32, len(points))


def read(graph: Graph, path: str | os.PathLike[str]) -> Float64Array:
    columns = np.empty((2, graph.n))
    try:
        graph.handle.call(lib.fr_coordinates_load, os.fsencode(path), *map(_arrays.pointer, columns))
    except NotFoundError as error:
        raise NoSuchFileError(str(error)) from None
    return np.ascontiguousarray(columns.T)


def _listed(column: Any) -> Any:
    """Returns a column of pandas, Arrow or Polars, or an array, as a list."""
    for name in ("tolist", "to_pylist", "to_list"):
        if hasattr(column, name):
            return getattr(column, name)()
    return list(column)


def _of_ids(graph: Graph, ids: Any, x: Any, y: Any) -> Float64Array:
    """Returns the coordinates of the vertices with these ids; rows of other ids are ignored."""
    known, listed = graph.ids, _listed(ids)
    places = {id: v for v, id in enumerate(known.tolist() if isinstance(known, np.ndarray) else known)}
    at = np.fromiter((places.get(id, -1) for id in listed), np.int64, len(listed))
    used, made = at >= 0, np.full((graph.n, 2), np.nan)
    if np.bincount(at[used], minlength=1).max() > 1:
        raise ValueError("coordinates: an id has two rows")
    for axis, values in enumerate((x, y)):
        made[at[used], axis] = np.asarray(_tables.numeric("coordinates", values), np.float64)[used]
    return made


def of(graph: Graph, given: Any) -> Places | None:
    """Checks a caller's coordinates: an array of shape (n, 2), a mapping or a table by id, or the path of a file."""
    if given is None:
        return None
    names = getattr(given, "column_names", getattr(given, "columns", None))
    if isinstance(given, (str, os.PathLike)):
        xy = read(graph, given)
    elif isinstance(given, Mapping):
        pairs: Any = np.array(list(given.values()) or np.empty((0, 2)), np.float64)
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise ValueError("coordinates: a mapping has two numbers, x and y, for each id")
        xy = _of_ids(graph, list(given), *pairs.T)
    elif names is not None:
        ids = _tables.pick(given, "id") if "id" in list(names) or not hasattr(given, "index") else given.index
        xy = _of_ids(graph, ids, _tables.pick(given, "x"), _tables.pick(given, "y"))
    else:
        xy = np.array(_arrays.unmasked("coordinates", given), np.float64)
        if xy.shape != (graph.n, 2):
            raise ValueError(f"coordinates must have shape ({graph.n}, 2), not {xy.shape}")
    wrong = np.flatnonzero(~np.isfinite(xy).all(axis=1))
    if wrong.size:
        raise ValueError(f"coordinates: the vertex {graph.id(wrong[0])!r} has no finite x and y")
    xy.flags.writeable = False
    return Places(xy)


def of_attributes(pairs: Iterable[tuple[Any, Any]]) -> Places | None:
    """Returns the attributes x and y of the nodes of another package; None unless all are finite numbers."""
    try:
        xy = np.array(list(pairs), np.float64)
    except (TypeError, ValueError):
        return None
    xy.flags.writeable = False
    return Places(xy) if xy.size and np.isfinite(xy).all() else None


def nearest(places: Places | None, x: Any, y: Any) -> Any:
    """Returns the vertices nearest to points as an array, or as an int that nearest to one."""
    if places is None or not len(places.xy):
        raise ValueError("the graph has no coordinates; g.coordinates = ... sets them")
    columns = [_arrays.unmasked("points", values).astype(np.float64) for values in (x, y)]
    points = np.stack(np.broadcast_arrays(*columns), axis=-1)
    if not np.isfinite(points).all():
        raise ValueError("points must be finite")
    found = places.nearest(points.reshape(-1, 2)).reshape(points.shape[:-1])
    return found if found.ndim else int(found)


class Located:
    """The part of a graph that knows where its vertices are."""

    __slots__ = ("_places_xy",)

    _places_xy: Places | None

    @property
    def coordinates(self) -> Float64Array | None:
        """The coordinates x and y of the vertices: float64, shape (n, 2), read-only; None without.

        May be set to an array of shape (n, 2); to a mapping of ids to (x, y); to a table (pandas, Arrow, Polars) with
        the columns x and y, and id, which of pandas may be the index; to the path of a DIMACS .co file or of an .npz
        file with the array xy; or to None. Tables and files of results then have columns x and y.

        Examples
        --------
        >>> from pyfringe import Graph
        >>> g = Graph.from_edges(["Rome", "Bonn"], ["Bonn", "Oslo"], coordinates={"Rome": (12, 42), "Bonn": (7, 51), "Oslo": (11, 60)})
        >>> g.coordinates[g.vertex("Oslo")]
        array([11., 60.])
        """
        return None if self._places_xy is None else self._places_xy.xy

    @coordinates.setter
    def coordinates(self: Any, given: Any) -> None:
        self._places_xy = of(self, given)

    def nearest(self, x: Any, y: Any) -> Any:
        """Returns the vertex nearest to a point, or an array of those nearest to several; of equally near ones any.

        With SciPy many points take a k-d tree, which the graph keeps; else each point takes a pass over all vertices.

        Parameters
        ----------
        x, y : float or array_like
            In the unit of `coordinates`; distances are straight.

        Examples
        --------
        >>> from pyfringe import Graph
        >>> g = Graph.from_edges([0, 1], [1, 2], coordinates=[[0, 0], [1, 0], [5, 5]])
        >>> g.nearest(4, 4), g.nearest([0.2, 0.9], 0)
        (2, array([0, 1], dtype=int32))
        """
        return nearest(self._places_xy, x, y)
