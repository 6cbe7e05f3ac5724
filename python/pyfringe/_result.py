"""The class Result: levels or distances, parents, statistics, and what follows from them."""

from __future__ import annotations

import html
import operator
import os
from typing import Any, Literal, overload

import numpy as np

from pyfringe import _arrays, _device, _frame, _keys, _vertices
from pyfringe._arrays import INT32, Array, BoolArray, Float64Array, Int32Array
from pyfringe._ask import APSP, BFS, PROBLEMS, SSSP, Ask, Query
from pyfringe._core import c_text, members, struct, taken
from pyfringe._engine import Engine, Level, Outputs, Values
from pyfringe._fringe import ffi, lib
from pyfringe._graph import Graph
from pyfringe.errors import FringeError


def _owner(values: Values) -> Any:
    """Returns the caller's array of a result: the one on the GPU, or the NumPy array."""
    return values.owner if isinstance(values, _device.DeviceArray) else values


class Result:
    """Levels or distances, parents, and statistics of the query.

    Attributes
    ----------
    level : ndarray of int32, shape (n,)
        BFS: the level of each vertex, -1 for unreached ones.
    dist : ndarray, shape (n,) or (rows, n)
        SSSP and all pairs: distances. Unreached: inf, or the maximum of an integer type. With a row
        for each source (`apsp`, `sssp_each`; `level` of `bfs_each`) all arrays have rows.
    parent : ndarray of int32, or None
        The vertex before each on its shortest path; a source is its own, unreached vertices have -1.
    order : ndarray of int32, or None
        BFS with ``order=True``: the reached vertices by level, within a level by number.
    origin : ndarray of int32, or None
        With ``origins=True``: the index in `sources` of the nearest source of each vertex, the smallest
        index of several; -1 for unreached vertices.
    cycle : list of int
        With ``mark_negative_cycles``: the first negative cycle found, else empty.
    """

    __slots__ = ("_levels", "_options", "_stats", "_values", "_why", "cycle", "graph", "order", "origin", "parent",
                 "problem", "query")  # fmt: skip

    def __init__(self, engine: Engine, ask: Ask, outputs: Outputs) -> None:
        self.graph: Graph = ask.graph
        self.problem: int = ask.problem
        self.query: Query = ask.query
        self.parent: Any = _owner(outputs.parent)
        self.order: Int32Array | None = None if outputs.order is None else outputs.order[: engine.call.result.stats.reached]
        self.origin: Int32Array | None = outputs.origin
        self.cycle: list[int] = engine.cycle() if ask.query.mark_negative_cycles else []
        self._values: Any = _owner(outputs.values)
        self._options = ask.options
        self._stats: bytes = ffi.buffer(ffi.addressof(engine.call.result, "stats"))[:]
        self._why = engine.explain()
        self._levels: list[Level] | None = engine.levels() if ask.options.record else None

    @property
    def level(self) -> Int32Array:
        if self.problem != BFS:
            raise AttributeError("only a result of bfs has levels; this one has distances in dist")
        self._need_kept()
        return self._values  # type: ignore[no-any-return]

    @property
    def dist(self) -> Array:
        if self.problem == BFS:
            raise AttributeError("a result of bfs has level instead of dist")
        self._need_kept()
        return self._values  # type: ignore[no-any-return]

    def _need_kept(self) -> None:
        if self._values is None:
            why = "out= had no array for them" if self.query.on_device else "the rows were passed on and not kept"
            raise AttributeError(f"the result has no values: {why}")

    @property
    def stats(self) -> dict[str, Any]:
        """Statistics of the query: the members of ``fr_stats``, times in nanoseconds."""
        stats = ffi.new("fr_stats *")
        ffi.memmove(stats, self._stats, len(self._stats))
        strategy = ffi.string(stats.strategy).decode() if stats.strategy else ""
        made = members(stats) | {"strategy": strategy}
        del made["counters"], made["counter_mask"]
        return made

    def explain(self) -> str:
        """The strategy that ran and the reason, as a text of the library."""
        name = str(self.stats["strategy"])
        return self._why if self._why.startswith(name) else f"{name}: {self._why}" if self._why else name

    def levels(self) -> list[Level]:
        """The levels or rounds of the traversal, of a call with ``record=True``.

        Examples
        --------
        >>> import pyfringe as fr
        >>> r = fr.bfs(fr.Graph.generate("path:n=4"), 0, record=True)
        >>> [line.frontier for line in r.levels()][:2]
        [1, 1]
        """
        if self._levels is None:
            raise FringeError("the levels were not recorded; call with record=True")
        return self._levels

    def as_float(self) -> Float64Array:
        """Returns the levels or distances as float64, those of unreached vertices as infinity.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.sssp(fr.Graph.from_edges([0, 2], [1, 1], [7, 1]), 0).as_float()
        array([ 0.,  7., inf])
        """
        self._need_values("convert")
        return _frame.values_of(self, True)[0]

    @overload
    def path_to(self, target: Any, row: int = 0, *, ids: Literal[False] = False) -> Int32Array: ...
    @overload
    def path_to(self, target: Any, row: int = 0, *, ids: Literal[True]) -> list[Any]: ...
    @overload
    def path_to(self, target: Any, row: int = 0, *, ids: bool) -> Any: ...
    def path_to(self, target: Any, row: int = 0, *, ids: bool = False) -> Any:
        """Returns the vertices of a shortest path from a source to `target`.

        Parameters
        ----------
        target : int or str
        row : int
            With a row for each source: the index of the source in the query.
        ids : bool
            Whether the path is a list of ids (`Graph.ids`) instead of numbers of vertices.

        Returns
        -------
        ndarray of int32, or list
            Empty if `target` is unreached.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.bfs(fr.Graph.from_edges([0, 1, 0], [1, 2, 3]), 0).path_to(2)
        array([0, 1, 2], dtype=int32)
        """
        if self.parent is None:
            raise FringeError("the result has no parents; call with parents=True")
        self._need_values("follow", whole=True)
        parent = self.parent if self.parent.ndim == 1 else self.parent[row]
        v = _vertices.vertex(self.graph, "target", target)
        if not 0 <= v < parent.size:
            raise _vertices.missing("target vertex", v, parent.size)
        address = _arrays.pointer(parent)
        count = lib.pf_path(parent.size, address, v, ffi.NULL)
        if count < 0:
            raise FringeError("the parents were changed: they contain a cycle or a vertex that does not exist")
        path = np.empty(count, dtype=INT32)
        if count:
            lib.pf_path(parent.size, address, v, _arrays.pointer(path))
        return self.graph.id(path) if ids else path

    @overload
    def path_edges(self, target: Any, row: int = 0, *, keys: Literal[False] = False) -> list[tuple[Any, Any]]: ...
    @overload
    def path_edges(self, target: Any, row: int = 0, *, keys: Literal[True]) -> list[tuple[Any, Any, Any]]: ...
    @overload
    def path_edges(self, target: Any, row: int = 0, *, keys: bool) -> list[Any]: ...
    def path_edges(self, target: Any, row: int = 0, *, keys: bool = False) -> Any:
        """Returns the edges of a shortest path as NetworkX lists edges: (u, v), or (u, v, key) with the ids of the ends.

        Parameters
        ----------
        target, row
            As for `path_to`. The edges of a search with ``reverse=True`` lead from `target` to the source.
        keys : bool
            As for `Graph.path_edges`; edges that the query closed are not taken.

        Examples
        --------
        >>> import pyfringe as fr
        >>> g = fr.Graph.from_edges(["a", "a", "b"], ["b", "b", "c"], [5, 2, 1], edge_keys=["slow", "fast", "only"])
        >>> fr.sssp(g, "a").path_edges("c", keys=True)
        [('a', 'b', 'fast'), ('b', 'c', 'only')]
        """
        path = self.path_to(target, row)
        closed = None if self.query.closed is None else self.query.closed.edges
        return _keys.path_edges(self.graph, path[::-1] if self._options.reverse else path, keys, closed)

    def verify(self) -> Result:
        """Checks the result with code that is independent of the strategies.

        Returns
        -------
        Result
            The result itself.

        Raises
        ------
        VerifyError
            The message names the first broken rule and its vertices.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.sssp(fr.Graph.from_edges([0, 1], [1, 2], [2, 3]), 0).verify().dist
        array([0, 2, 5])
        """
        self._need_values("check")
        graph, query = self._traversed() if self._options.reverse else (self.graph, self.query)
        if self.problem == APSP or self._values.ndim == 1 or query.sources is None:
            self._check_answer(graph, query, self._values, self.parent)
            return self
        for i, values in enumerate(self._values):
            one = query._replace(sources=query.sources[i : i + 1])
            self._check_answer(graph, one, values, None if self.parent is None else self.parent[i])
        return self

    def _need_values(self, use: str, whole: bool = False) -> None:
        """Raises if there are no values in host memory for a use; `whole`: of all vertices."""
        if self.query.on_device:
            raise FringeError(f"the answer is in the GPU's memory; to {use} it call without out=, or copy it to the host")
        if self._values is None:
            raise FringeError(f"the rows were passed on and not kept; there is nothing to {use}")
        if whole and self.problem == APSP and self.query.targets is not None:
            raise FringeError(f"the rows hold the targets alone; to {use} them call without targets=")

    def _row(self, use: str, row: int | None) -> tuple[Array, Array | None]:
        """Returns (values, parents) of all vertices, in a row or in a result without rows."""
        self._need_values(use, whole=True)
        if self._values.ndim == 2 and row is None:
            raise ValueError("the result has a row for each source; row= says which one")
        if self._values.ndim == 1 and row is not None:
            raise ValueError(f"the result has no rows, and row= is {row}")
        if row is None:
            return self._values, self.parent
        at = operator.index(row)
        return self._values[at], None if self.parent is None else self.parent[at]

    def _traversed(self) -> tuple[Graph, Query]:
        """Returns the graph without closed vertices and edges, in the search's direction, and a query without them."""
        graph, query = self.graph, self.query
        if query.closed is not None:
            graph = graph._without(query.closed)
            query = query._replace(closed=None)
        return graph.reverse() if self._options.reverse else graph, query

    def _lengths(self, row: int | None) -> tuple[int, Array]:
        """Returns (fr_type, values) of a row, for the functions of all shortest paths."""
        values, _ = self._row("count", row)
        if self.query.mark_negative_cycles:
            raise FringeError("there are no shortest paths where negative cycles are marked")
        return lib.FR_TYPE_NONE if self.problem == BFS else _arrays.type_of(values.dtype), values

    def path_counts(self, row: int | None = None, exact: bool = False) -> Array:
        """Counts the shortest paths from the sources to each vertex; parallel edges are different paths.

        Parameters
        ----------
        row : int, optional
            Of a result with a row for each source.
        exact : bool
            As int64, else float64, which is rounded beyond 2^53. A count that does not fit the type raises.

        Returns
        -------
        ndarray, shape (n,)
            0 for unreached vertices.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.bfs(fr.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3]), 0).path_counts()
        array([1., 1., 1., 2.])
        """
        dtype, values = self._lengths(row)
        graph, query = self._traversed()
        sources = np.arange(graph.n, dtype=INT32) if query.sources is None else query.sources  # None: all pairs
        if row is not None:
            sources = sources[operator.index(row) :][:1]
        if self._options.unit:
            graph = graph.with_weights(None)
        made = np.empty(graph.n, np.int64 if exact else np.float64)
        values_at, sources_at, made_at = (_arrays.pointer(a) for a in (values, sources, made))
        outputs = (ffi.NULL, made_at) if exact else (made_at, ffi.NULL)
        graph.handle.call(lib.fr_path_counts, dtype, values_at, sources_at, sources.size, *outputs)
        return made

    def tight_edges(self, row: int | None = None) -> BoolArray:
        """Returns the edges on shortest paths: all predecessors of every vertex, of which `parent` has one.

        Parameters
        ----------
        row : int, optional
            Of a result with a row for each source.

        Returns
        -------
        ndarray of bool, shape (m,)
            By stored edge, in the order of `Graph.indices`.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.bfs(fr.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]), 0).tight_edges()
        array([ True,  True, False,  True])
        """
        dtype, values = self._lengths(row)
        query, graph = self.query, self.graph
        if self._options.reverse or query.closed is not None:
            raise FringeError("edges have other numbers there; search in Graph.reverse() or Graph.filter(...) instead")
        if self._options.unit:
            graph = graph.with_weights(None)
        words = np.zeros((graph.m + 63) // 64, np.uint64)
        graph.handle.call(lib.fr_tight_edges, dtype, _arrays.pointer(values), _arrays.pointer(words), ffi.NULL)
        return np.unpackbits(words.view(np.uint8), count=graph.m, bitorder="little").astype(bool)

    def _check_answer(self, checked: Graph, query: Query, values: Array, parent: Array | None) -> None:
        asked = struct("fr_query")
        query.fill(self.problem, values.dtype, asked)
        arrays = _arrays.pointer(values), _arrays.pointer(parent)
        lengths = self._options.unit, arrays[0], _arrays.type_of(values.dtype), arrays[1]
        if self.problem == BFS:
            checked.handle.call(lib.fr_verify_bfs, asked, *arrays)
        elif self.problem == SSSP:
            checked.handle.call(lib.fr_verify_sssp, asked, *lengths)
        else:
            checked.handle.call(lib.fr_verify_apsp, asked, *lengths, 0, 0)

    def to_frame(
        self, library: _frame.Library = "pandas", *, wide: bool = False, row: int | None = None,
        reached_only: bool = False, float_distances: bool = False,
    ) -> Any:  # fmt: skip
        """Returns the result as a data frame with the ids of the graph.

        Parameters
        ----------
        library : {"pandas", "polars", "arrow"}
            polars needs pyarrow, too.
        wide : bool
            A line for each source and a column for each vertex, of a result with a row for each source. False: a line
            for each vertex, or for each pair of a source and a vertex.
        row : int, optional
            The index of one source, of a result with a row for each.
        reached_only : bool
            Leaves out the vertices that are not reached, for example those beyond ``max_distance``.
        float_distances : bool
            Levels and integer distances as float64, and those of unreached vertices as infinity.

        Returns
        -------
        DataFrame or pyarrow.Table
            With the columns vertex (its id), level or distance, parent (the id), reached, and x and y of a graph with
            `coordinates`; before them source, of a result with rows. Integers of unreached vertices are missing (NA), real distances infinite.

        Examples
        --------
        >>> import pyfringe as fr
        >>> g = fr.Graph.from_edges(["Rome", "Bonn"], ["Bonn", "Oslo"], [9, 4])
        >>> fr.sssp(g, "Bonn").to_frame()
          vertex  distance parent  reached
        0   Rome      <NA>    NaN    False
        1   Bonn         0   Bonn     True
        2   Oslo         4   Bonn     True
        >>> fr.apsp(g, ["Rome", "Bonn"]).to_frame(wide=True, float_distances=True)
          source  Rome  Bonn  Oslo
        0   Rome   0.0   9.0  13.0
        1   Bonn   inf   0.0   4.0
        """
        if wide:
            if row is not None or reached_only:
                raise ValueError("a wide table has all sources and vertices; row= and reached_only= are for a long one")
            return _frame.as_frame(_frame.wide_table(self, float_distances), library)
        return _frame.as_frame(_frame.long_table(self, row, reached_only, float_distances), library)

    def _file(self, format: str, row: int | None) -> bytes | None:
        """Returns the content of a file that the library does not write itself; None for one that it writes."""
        plain = self.graph._places is None and (format != "tsv" or self.graph.coordinates is None)
        if format in _frame.NATIVE and plain:
            return None
        if format not in _frame.WRITERS:
            raise ValueError(f"format {format!r} has numbers of vertices, not the ids of this graph; .npz has the ids")
        if format == "tsv":
            self._row("write", row)
        return _frame.to_bytes(_frame.long_table(self, row, False, False), format)

    def _write(self, row: int | None, **output: Any) -> None:
        """Calls the library's writer; output: members of fr_output."""
        values, parent = self._row("write", row)
        name = "level" if self.problem == BFS else "dist"
        made = {name: _arrays.pointer(values), "parent": _arrays.pointer(parent)}
        query, dtype = struct("fr_query"), _arrays.type_of(values.dtype)
        self.query.fill(self.problem, values.dtype, query)
        self.graph.handle.call(
            lib.fr_result_write, query, dtype, struct("fr_result", **made), struct("fr_output", **output)
        )

    def save(self, path: str | os.PathLike[str], format: _frame.Format | None = None, row: int | None = None) -> None:
        """Writes levels or distances, and parents if there are any, with the ids or names of the graph.

        Parameters
        ----------
        path : path
            The file has a temporary name until it is complete.
        format : {"tsv", "csv", "json", "ndjson", "npy", "npz", "parquet", "arrow", "graphalytics"}, optional
            None: that of the path's suffix, of which any other is refused; tsv without a suffix. tsv, csv, json and
            ndjson have a line for each vertex; npy is a NumPy array of the same records, without parents of the values
            alone; npz, parquet and arrow (by pyarrow) have the columns of `to_frame`; graphalytics is the
            lines of LDBC Graphalytics.
        row : int, optional
            The index of the source, of a result with a row for each. tsv, npy and graphalytics need it there; the
            others write all rows without it.
        """
        target = os.fsdecode(path)
        chosen = _frame.format_of(target, format)
        content = self._file(chosen, row)
        if content is None:
            name = ffi.new("char[]", c_text("format", chosen))
            self._write(row, path=ffi.new("char[]", os.fsencode(path)), format=name)
        else:
            _frame.write_file(target, content)

    def to_bytes(self, format: _frame.Format = "tsv", row: int | None = None) -> bytes:
        """Returns the content of the file that `save` would write.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.bfs(fr.Graph.generate("path:n=3"), 0, parents=False).to_bytes()
        b'vertex\\tlevel\\n0\\t0\\n1\\t1\\n2\\t2\\n'
        """
        made = self._file(_frame.format_of("", format), row)
        if made is not None:
            return made
        content, size = ffi.new("void **"), ffi.new("size_t *")
        name = ffi.new("char[]", c_text("format", format))
        self._write(row, bytes=content, size=size, format=name)
        return taken(content, size)

    def __repr__(self) -> str:
        name = {number: name for name, number in PROBLEMS.items()}[self.problem]
        reached, strategy = self.stats["reached"], self.stats["strategy"]
        if (shape := getattr(self._values, "shape", ())) and len(shape) == 2:
            size = f"{shape[0]:,} {'source' if shape[0] == 1 else 'sources'} x {shape[1]:,} {'vertex' if shape[1] == 1 else 'vertices'}"
        elif self._values is None and self.problem == APSP:
            size = "the rows were passed on"
        else:
            size = f"{reached:,} {'vertex' if reached == 1 else 'vertices'} reached"
            if self.query.sources is not None and (count := len(self.query.sources)) > 1:
                size += f" from the nearest of {count:,} sources"
        return f"<pyfringe.Result of {name}: {size}, {strategy}>"

    def _repr_html_(self) -> str:
        return f"<b>pyfringe.Result</b> {html.escape(repr(self)[len('<pyfringe.Result ') : -1])}"
