"""Solvers, queries and results."""

from __future__ import annotations

import html
import math
import operator
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pyfringe import _arrays, _device, _vertices
from pyfringe._arrays import DTYPES, Array
from pyfringe._core import LIGHT, Call, Context, Process, Progress, c_text, context_key, is_kept
from pyfringe._fringe import ffi, lib
from pyfringe._graph import Graph, Handle, backend_of
from pyfringe.errors import FringeError, NegativeCycleError, NotFoundError

INT32 = np.dtype(np.int32)
PROBLEMS = {"bfs": lib.FR_PROBLEM_BFS, "sssp": lib.FR_PROBLEM_SSSP, "apsp": lib.FR_PROBLEM_APSP}
PARENT_RULES = {"any": lib.FR_PARENT_ANY, "min-id": lib.FR_PARENT_MIN_ID, "nearest": lib.FR_PARENT_NEAREST}
MAX_ENGINES = 4  # the most solvers that a graph keeps for `bfs` and the other functions, per thread

Row = Callable[[int, int, Array, "Array | None"], object]


class Level(NamedTuple):
    """One level of BFS or one round of SSSP; times in nanoseconds."""

    method: str
    frontier: int
    edges: int
    ns: int
    expected_ns: int


@dataclass(frozen=True)
class Options:
    """The settings of a solver: the members of fr_solver_options."""

    engine: str = "auto"
    strategy: str | None = None
    knobs: str | None = None
    dtype: int = 0
    unit: bool = False
    record: bool = False
    max_sources: int = 0
    in_place: bool = False
    reverse: bool = False
    expected_queries: int = 0

    def fill(self) -> tuple[Any, list[Any]]:
        """Returns an fr_solver_options, and the objects that must outlive it."""
        given = ffi.new("fr_solver_options *", {"struct_size": ffi.sizeof("fr_solver_options")})
        texts = {"strategy": self.strategy, "knobs": self.knobs}
        names = [None if s is None else ffi.new("char[]", c_text(what, s)) for what, s in texts.items()]
        given.strategy, given.knobs = (ffi.NULL if s is None else s for s in names)
        given.backend = backend_of(self.engine)
        given.dist_type = self.dtype
        given.unit_weights = self.unit
        given.record_levels = self.record
        given.max_sources = self.max_sources
        given.in_place = self.in_place
        given.reverse = self.reverse
        given.expected_queries = self.expected_queries
        return given, names

    @staticmethod
    def of(
        engine: str,
        strategy: str | None,
        knobs: str | Mapping[str, object] | None,
        dtype: npt.DTypeLike | None = None,
        unit: bool = False,
        record: bool = False,
        max_sources: int = 0,
        in_place: bool = False,
        reverse: bool = False,
        expected_queries: int = 0,
    ) -> Options:
        backend_of(engine)
        if isinstance(knobs, Mapping):
            knobs = ",".join(f"{name}={value}" for name, value in knobs.items())
        if expected_queries < 0:
            raise ValueError(f"expected_queries must be at least 0, not {expected_queries}")
        return Options(
            engine, strategy, knobs, _arrays.type_of(dtype), bool(unit), bool(record), max_sources, bool(in_place),
            bool(reverse), expected_queries,
        )  # fmt: skip


@dataclass(frozen=True)
class Query:
    """The members of fr_query. A Result keeps them for `verify`."""

    sources: Array | None
    targets: Array | None = None
    limit: float | None = None
    parent_rule: str = "any"
    mark_negative_cycles: bool = False
    stream: int | None = None
    on_device: bool = False
    closed: _vertices.Closed | None = None

    def fill(self, problem: int, query: Any) -> None:
        query.struct_size = ffi.sizeof("fr_query")
        if self.sources is not None:
            query.sources = _arrays.pointer(self.sources, "int32_t *")
            query.source_count = self.sources.size
        if self.targets is not None:
            query.targets = _arrays.pointer(self.targets, "int32_t *")
            query.target_count = self.targets.size
        if self.limit is not None and problem == lib.FR_PROBLEM_BFS:
            query.max_level, query.limit_level = int(self.limit), True
        elif self.limit is not None:
            query.max_distance, query.limit_distance = float(self.limit), True
        query.parent_rule = PARENT_RULES[self.parent_rule]
        query.mark_negative_cycles = self.mark_negative_cycles
        if self.closed is not None:
            query.closed_vertices, query.closed_edges = self.closed.pointers()
        if self.on_device:
            query.result_memory = lib.FR_MEMORY_DEVICE
            query.stream = ffi.cast("void *", self.stream or 0)


class Extra(NamedTuple):
    """The optional arrays of a result."""

    order: Array | None = None
    origin: Array | None = None


NO_EXTRA = Extra()
Values = Any  # an array, a _device.DeviceArray, or None


def _address_of(values: Values, kind: str) -> Any:
    if isinstance(values, _device.DeviceArray):
        return ffi.cast(kind, values.address)
    return _arrays.pointer(values, kind)


def _owner(values: Values) -> Any:
    """Returns the caller's array of a result: the one on the GPU, or the NumPy array."""
    return values.owner if isinstance(values, _device.DeviceArray) else values


class Engine:
    """An fr_solver with its context and the structs of its queries."""

    __slots__ = ("call", "context", "dtype", "keep", "n", "options", "problem", "why")

    def __init__(self, context: Context, handle: Handle, problem: int, options: Options) -> None:
        given, keep = options.fill()
        out = ffi.new("fr_solver **")
        context.check(lib.fr_solver_new(context.pointer, handle.pointer, problem, given, out))
        del keep
        self.context = context
        self.problem = problem
        self.options = options
        self.keep = (handle.pointer, handle.borrowed)
        self.n = int(lib.fr_graph_vertex_count(handle.pointer))
        self.call = ffi.new("pf_call *")
        self.call.solver = out[0]
        self.call.gate = context.gate
        self.call.problem = problem
        self.call.result.struct_size = ffi.sizeof("fr_result")
        self.dtype = INT32 if problem == lib.FR_PROBLEM_BFS else DTYPES[lib.fr_solver_dist_type(out[0])]
        self.why = ""

    def __del__(self) -> None:
        call = getattr(self, "call", None)
        if call is not None:
            self.context.free_solver(call.solver, self.keep)

    def solve(
        self, query: Query, dist: Values, parent: Values, extra: Extra = NO_EXTRA, each: bool = False
    ) -> None:
        """Runs one query, or one for each source; the context's lock is held."""
        call = self.call
        ffi.memmove(ffi.addressof(call, "query"), bytes(ffi.sizeof("fr_query")), ffi.sizeof("fr_query"))
        query.fill(self.problem, call.query)
        call.result.level = call.result.dist = ffi.NULL
        if self.problem == lib.FR_PROBLEM_BFS:
            call.result.level = _address_of(dist, "int32_t *")
        else:
            call.result.dist = _address_of(dist, "void *")
        call.result.parent = _address_of(parent, "int32_t *")
        call.result.order = _arrays.pointer(extra.order, "int32_t *")
        call.result.origin = _arrays.pointer(extra.origin, "int32_t *")
        if not each:
            self.check(lib.pf_solve(call), query.mark_negative_cycles)
            return
        solved = ffi.new("int64_t *")
        try:
            self.check(lib.pf_solve_each(call, solved), False)
        except FringeError as error:
            error.complete_rows = int(solved[0])
            raise

    def solve_rows(self, query: Query, row: Row, parents: bool) -> None:
        """Solves all pairs and passes one row at a time to a function."""
        context, dtype = self.context, self.dtype
        n = self.n if query.targets is None else query.targets.size

        def pass_on(index: int, source: int, dist: Any, parent: Any) -> object:
            d = np.frombuffer(ffi.buffer(dist, n * dtype.itemsize), dtype=dtype).copy()
            p = np.frombuffer(ffi.buffer(parent, n * 4), dtype=INT32).copy() if parents else None
            return row(index, source, d, p)

        context.row = pass_on
        call = self.call
        query.fill(self.problem, call.query)
        call.query.row = lib.pf_row
        call.query.row_user = context._handle
        call.query.want_parents = parents
        call.result.dist = ffi.NULL
        call.result.parent = call.result.order = call.result.origin = ffi.NULL
        try:
            self.check(lib.pf_solve(call), False)
        finally:
            context.row = None

    def check(self, status: int, cycles_wanted: bool) -> None:
        if status == lib.FR_NEGATIVE_CYCLE and self.context.raised is None:
            if not cycles_wanted:
                error = self.context.error(status)
                raise NegativeCycleError(str(error), self.cycle(), self.call.result.cycle_weight)
        else:
            self.context.check(status)

    def cycle(self) -> list[int]:
        result = self.call.result
        return list(ffi.unpack(result.cycle, result.cycle_length)) if result.cycle_length else []

    def explain(self) -> str:
        return str(ffi.string(lib.fr_solver_explain(self.call.solver)).decode("utf-8", "replace"))

    def levels(self) -> list[Level]:
        count = ffi.new("int64_t *")
        first = lib.fr_solver_levels(self.call.solver, count)
        lines = (first[i] for i in range(count[0]))
        return [Level(ffi.string(e.method).decode(), e.frontier, e.edges, e.ns, e.expected_ns) for e in lines]


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

    __slots__ = ("_engine_options", "_levels", "_stats", "_values", "_why", "cycle", "graph", "order", "origin", "parent",
                 "problem", "query")  # fmt: skip

    def __init__(
        self, graph: Graph, engine: Engine, query: Query, values: Array | None, parent: Array | None,
        extra: Extra = NO_EXTRA,
    ) -> None:  # fmt: skip
        self.graph = graph
        self.problem = engine.problem
        self.query = query
        self.parent = parent
        self.order = None if extra.order is None else extra.order[: engine.call.result.stats.reached]
        self.origin = extra.origin
        self.cycle: list[int] = []
        self._values = values
        self._engine_options = engine.options
        self._stats: bytes = ffi.buffer(ffi.addressof(engine.call.result, "stats"))[:]
        self._why = engine.explain()
        self._levels: list[Level] | None = engine.levels() if engine.options.record else None

    @property
    def level(self) -> Array:
        if self._values is None or self.problem != lib.FR_PROBLEM_BFS:
            raise AttributeError("only a result of bfs has levels; this one has distances in dist")
        return self._values

    @property
    def dist(self) -> Array:
        if self._values is None or self.problem == lib.FR_PROBLEM_BFS:
            raise AttributeError("a result of bfs has level instead of dist")
        return self._values

    @property
    def stats(self) -> dict[str, Any]:
        """Statistics of the query: the members of ``fr_stats``, times in nanoseconds."""
        stats = ffi.new("fr_stats *")
        ffi.memmove(stats, self._stats, len(self._stats))
        made: dict[str, Any] = {}
        for name, field in ffi.typeof("fr_stats").fields:
            if field.type.kind == "primitive":
                made[name] = getattr(stats, name)
        made["strategy"] = ffi.string(stats.strategy).decode() if stats.strategy else ""
        del made["counter_mask"]
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

    def path_to(self, target: int | str, row: int = 0) -> Array:
        """Returns the vertices of a shortest path from a source to `target`.

        Parameters
        ----------
        target : int or str
        row : int
            With a row for each source: the index of the source in the query.

        Returns
        -------
        ndarray of int32
            Empty if `target` is unreached.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.bfs(fr.Graph.from_edges([0, 1, 0], [1, 2, 3]), 0).path_to(2)
        array([0, 1, 2], dtype=int32)
        """
        if self.parent is None:
            raise FringeError("the result has no parents; call with parents=True")
        if self.query.on_device:
            raise FringeError("the parents are in the GPU's memory; call without out= for paths")
        if self._has_columns():
            raise FringeError("the rows hold the targets alone; call without targets= for paths")
        parent = self.parent if self.parent.ndim == 1 else self.parent[row]
        v = _vertices.vertex(self.graph, "target", target)
        if not 0 <= v < parent.size:
            raise _vertices.missing("target vertex", v, parent.size)
        address = _arrays.pointer(parent, "int32_t *")
        count = lib.pf_path(parent.size, address, v, ffi.NULL)
        if count < 0:
            raise FringeError("the parents were changed: they contain a cycle or a vertex that does not exist")
        path = np.empty(count, dtype=INT32)
        if count:
            lib.pf_path(parent.size, address, v, _arrays.pointer(path, "int32_t *"))
        return path

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
        if self._values is None:
            raise FringeError("the rows were passed on and not kept; there is nothing to check")
        if self.query.on_device:
            raise FringeError("the answer is in the GPU's memory, where it cannot be checked; copy it to NumPy arrays")
        graph, query = self.graph, self.query
        if self._engine_options.reverse:
            graph, query = self._traversed()
        if self.problem == lib.FR_PROBLEM_APSP or self._values.ndim == 1 or query.sources is None:
            self._check_answer(graph, query, self._values, self.parent)
            return self
        for i, values in enumerate(self._values):
            one = replace(query, sources=query.sources[i : i + 1])
            self._check_answer(graph, one, values, None if self.parent is None else self.parent[i])
        return self

    def _traversed(self) -> tuple[Graph, Query]:
        """Returns the graph without closed vertices and edges, in the search's direction, and a query without them."""
        graph, query = self.graph, self.query
        if query.closed is not None:
            graph = graph._without(query.closed)
            query = replace(query, closed=None)
        return graph.reverse() if self._engine_options.reverse else graph, query

    def _values_of(self, row: int | None) -> tuple[int, Array, Array]:
        """Returns (fr_type, values, sources) of a row, for the functions of all shortest paths."""
        if self._values is None or self.query.on_device or self._has_columns() or self.query.mark_negative_cycles:
            raise FringeError("this needs the values of all vertices in NumPy arrays, without marks of negative cycles")
        if (self._values.ndim == 2) != (row is not None):
            raise ValueError("row= names a row of a result that has one for each source, and of no other")
        sources = self.query.sources
        if sources is None:  # all pairs
            sources = np.arange(self.graph.n, dtype=INT32)
        values = self._values if row is None else self._values[operator.index(row)]
        chosen = sources if row is None else sources[operator.index(row) :][:1]
        bfs = self.problem == lib.FR_PROBLEM_BFS
        return lib.FR_TYPE_NONE if bfs else _arrays.type_of(values.dtype), values, chosen

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
        dtype, values, sources = self._values_of(row)
        graph, _ = self._traversed()
        if self._engine_options.unit:
            graph = graph.with_weights(None)
        made = np.empty(graph.n, np.int64 if exact else np.float64)
        rounded, whole = (None, made) if exact else (made, None)
        with Call(work=graph.handle.work) as context:
            context.check(
                lib.fr_path_counts(
                    context.pointer, graph.handle.pointer, dtype, _arrays.pointer(values),
                    _arrays.pointer(sources, "int32_t *"), sources.size,
                    _arrays.pointer(rounded, "double *"), _arrays.pointer(whole, "int64_t *"),
                )
            )  # fmt: skip
        return made

    def tight_edges(self, row: int | None = None) -> Array:
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
        dtype, values, _ = self._values_of(row)
        query, graph = self.query, self.graph
        if self._engine_options.reverse or query.closed is not None:
            raise FringeError("edges have other numbers there; search in Graph.reverse() or Graph.filter(...) instead")
        if self._engine_options.unit:
            graph = graph.with_weights(None)
        words = np.zeros((graph.m + 63) // 64, np.uint64)
        with Call(work=graph.handle.work) as context:
            bits = _arrays.pointer(words, "uint64_t *")
            at = context.pointer, graph.handle.pointer
            context.check(lib.fr_tight_edges(*at, dtype, _arrays.pointer(values), bits, ffi.NULL))
        return np.unpackbits(words.view(np.uint8), count=graph.m, bitorder="little").astype(bool)

    def _check_answer(self, checked: Graph, query: Query, values: Array, parent: Array | None) -> None:
        asked = ffi.new("fr_query *")
        query.fill(self.problem, asked)
        graph, unit = checked.handle.pointer, self._engine_options.unit
        at, parent_at = _arrays.pointer(values), _arrays.pointer(parent, "int32_t *")
        dtype = _arrays.type_of(values.dtype)
        with Call(work=checked.handle.work) as ctx:
            if self.problem == lib.FR_PROBLEM_BFS:
                status = lib.fr_verify_bfs(ctx.pointer, graph, asked, ffi.cast("int32_t *", at), parent_at)
            elif self.problem == lib.FR_PROBLEM_SSSP:
                status = lib.fr_verify_sssp(ctx.pointer, graph, asked, unit, at, dtype, parent_at)
            else:
                status = lib.fr_verify_apsp(ctx.pointer, graph, asked, unit, at, dtype, parent_at, 0, 0)
            ctx.check(status)

    def _has_columns(self) -> bool:
        """Returns whether rows have only the targets instead of all vertices."""
        return self.problem == lib.FR_PROBLEM_APSP and self.query.targets is not None

    def _answer(self, row: int | None) -> tuple[Any, Any, int]:
        """Returns (fr_query, fr_result, fr_type) for the writers."""
        if self._values is None:
            raise FringeError("the rows were passed on and not kept; there is nothing to write")
        if self.query.on_device:
            raise FringeError("the answer is in the GPU's memory; copy it to NumPy arrays to write it")
        if self._has_columns():
            raise FringeError("the rows hold the targets alone; a file has all vertices")
        if self._values.ndim == 2 and row is None:
            raise ValueError("the result has a row for each source; row= says which one")
        if self._values.ndim == 1 and row is not None:
            raise ValueError(f"the result has no rows, and row is {row}")
        arrays = [a if a is None or row is None else a[operator.index(row)] for a in (self._values, self.parent)]
        query = ffi.new("fr_query *")
        self.query.fill(self.problem, query)
        result = ffi.new("fr_result *", {"struct_size": ffi.sizeof("fr_result")})
        if self.problem == lib.FR_PROBLEM_BFS:
            result.level = _arrays.pointer(arrays[0], "int32_t *")
        else:
            result.dist = _arrays.pointer(arrays[0])
        result.parent = _arrays.pointer(arrays[1], "int32_t *")
        return query, result, _arrays.type_of(self._values.dtype)

    def save(self, path: str | os.PathLike[str], format: str | None = None, row: int | None = None) -> None:
        """Writes levels or distances, and parents if there are any, with the ids or names of the graph.

        Parameters
        ----------
        path : path
            The file has a temporary name until it is complete.
        format : {"tsv", "npy", "graphalytics"}, optional
            A line for each vertex; a NumPy array of the same records, without parents of the values alone;
            the lines of LDBC Graphalytics. None: npy if the path ends in .npy, else tsv. Names need tsv.
        row : int, optional
            The index of the source, of a result with a row for each.
        """
        query, result, dtype = self._answer(row)
        name = ffi.NULL if format is None else ffi.new("char[]", c_text("format", format))
        target = ffi.new("char[]", os.fsencode(path))
        out = ffi.new("fr_output *", {"struct_size": ffi.sizeof("fr_output"), "path": target, "format": name})
        graph = self.graph.handle
        with Call(work=graph.work) as ctx:
            ctx.check(lib.fr_result_write(ctx.pointer, graph.pointer, query, dtype, result, out))

    def to_bytes(self, format: str = "tsv", row: int | None = None) -> bytes:
        """Returns the content of the file that `save` would write.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.bfs(fr.Graph.generate("path:n=3"), 0, parents=False).to_bytes()
        b'vertex\\tlevel\\n0\\t0\\n1\\t1\\n2\\t2\\n'
        """
        query, result, dtype = self._answer(row)
        made, size = ffi.new("void **"), ffi.new("size_t *")
        graph, name = self.graph.handle, ffi.new("char[]", c_text("format", format))
        out = ffi.new(
            "fr_output *", {"struct_size": ffi.sizeof("fr_output"), "bytes": made, "size": size, "format": name}
        )
        with Call(work=graph.work) as ctx:
            ctx.check(lib.fr_result_write(ctx.pointer, graph.pointer, query, dtype, result, out))
        try:
            return bytes(ffi.buffer(made[0], size[0]))
        finally:
            lib.fr_memory_free(made[0])

    def __repr__(self) -> str:
        name = {number: name for name, number in PROBLEMS.items()}[self.problem]
        reached, strategy = self.stats["reached"], self.stats["strategy"]
        return f"<pyfringe.Result of {name}: {reached:,} {'vertex' if reached == 1 else 'vertices'} reached, {strategy}>"

    def _repr_html_(self) -> str:
        return f"<b>pyfringe.Result</b> {html.escape(repr(self)[len('<pyfringe.Result ') : -1])}"


Output = Any  # an array, a pair of arrays, or a Result whose arrays are reused


def _arrays_for(
    out: Output, shape: tuple[int, ...], dtype: np.dtype[Any], parents: bool, query: Query
) -> tuple[Values, Values, Query]:
    """The arrays of a query, the caller's or new ones, and the query that points to them."""
    if isinstance(out, Result):
        out = (out._values, out.parent)
    if isinstance(out, (tuple, list)) and len(out) != 2:
        raise TypeError(f"out: an array, a pair (array, parents) or a Result, not a {type(out).__name__} of {len(out)}")
    given, given_parent = out if isinstance(out, (tuple, list)) else (out, None)
    if _device.is_on_device(given) or _device.is_on_device(given_parent):
        return _device_arrays(given, given_parent, shape, dtype, query)
    if query.stream is not None:
        raise ValueError("stream is for arrays in a GPU's memory, which out= would give")
    values = np.empty(shape, dtype) if given is None else _arrays.writable("the first array", given, shape, dtype)
    if given_parent is not None:
        return values, _arrays.writable("parents", given_parent, shape, INT32), query
    return values, np.empty(shape, INT32) if parents else None, query


def _device_arrays(
    given: Any, given_parent: Any, shape: tuple[int, ...], dtype: np.dtype[Any], query: Query
) -> tuple[Values, Values, Query]:
    """The same for arrays on a GPU. None are allocated there: arrays that are not given are not computed."""
    for array in (given, given_parent):
        if array is not None and not _device.is_on_device(array):
            raise ValueError("out: all arrays must be in the GPU's memory, or none")
    values = None if given is None else _device.describe("the first array", given, shape, dtype)
    parent = None if given_parent is None else _device.describe("parents", given_parent, shape, INT32)
    return values, parent, replace(query, stream=_device.common_stream(query.stream, values, parent), on_device=True)


def _run(
    graph: Graph, engine: Engine, query: Query, out: Output, parents: bool, order: bool = False, origins: bool = False,
    each: bool = False,
) -> Result:  # fmt: skip
    """Runs one query of bfs or sssp, or one for each source; the context's lock is held."""
    rows = (query.sources.size,) if each and query.sources is not None else ()
    values, parent, query = _arrays_for(out, (*rows, engine.n), engine.dtype, parents, query)
    extra = Extra(np.empty(engine.n, INT32) if order else None, np.empty(engine.n, INT32) if origins else None)
    engine.solve(query, values, parent, extra, each)
    result = Result(graph, engine, query, _owner(values), _owner(parent), extra)
    if query.mark_negative_cycles:
        result.cycle = engine.cycle()
    return result


def _rule(name: str) -> str:
    if name not in PARENT_RULES:
        raise ValueError(f"parent_rule is 'any', 'min-id' or 'nearest', not {name!r}")
    return name


def _limit(limit: float, name: str) -> float | None:
    if not (limit >= 0):
        raise ValueError(f"{name} must be at least 0, or None for no limit; it is {limit}")
    if name == "max_level" and not math.isinf(limit) and limit != int(limit):
        raise ValueError(f"max_level must be a whole number, or None for no limit; it is {limit}")
    return None if math.isinf(limit) or (name == "max_level" and limit >= 2**31) else limit


def _query(
    graph: Graph,
    sources: Any,
    targets: Any,
    limit: float | None,
    name: str,
    parent_rule: str,
    mark_negative_cycles: bool = False,
    stream: int | None = None,
    closed: tuple[Any, Any] = (None, None),
) -> Query:
    _check_graph(graph)
    return Query(
        _vertices.vertices(graph, "source", sources),
        None if targets is None else _vertices.vertices(graph, "target", targets),
        None if limit is None else _limit(limit, name),
        _rule(parent_rule),
        mark_negative_cycles,
        None if stream is None else _device.checked_stream(stream),
        False,
        None if closed[0] is None and closed[1] is None else _vertices.closed(graph, *closed),
    )


def _engine(context: Context, graph: Graph, problem: int, options: Options) -> Engine:
    """Returns a solver of the graph for this context and keeps it for the next call; the lock is held."""
    engines = graph.handle.engines
    key = (id(context), problem, options)
    engine = engines.get(key)
    if engine is not None and engine.context is context:
        return engine
    engine = Engine(context, graph.handle, problem, options)
    if is_kept(context):
        mine = [k for k, e in list(engines.items()) if e.context is context]
        ended = [k for k, e in list(engines.items()) if not e.context.thread.is_alive()]
        for old in ended + mine[: max(0, len(mine) + 1 - MAX_ENGINES)]:
            engines.pop(old, None)
        engines[key] = engine
    return engine


def _as_progress(progress: Progress | bool | None) -> Progress | None:
    if progress is True:
        from pyfringe._progress import Bar

        return Bar()
    return progress or None


def _work(graph: Graph, problem: int, each: bool = False) -> int:
    work = graph.handle.work
    return work // LIGHT if problem == lib.FR_PROBLEM_BFS and not each else work


def _one(
    problem: int, graph: Graph, query: Query, options: Options, out: Output, parents: bool, verify: bool,
    progress: Progress | bool | None, order: bool = False, origins: bool = False, each: bool = False,
) -> Result:  # fmt: skip
    with Call(_as_progress(progress), _work(graph, problem, each)) as context:
        result = _run(graph, _engine(context, graph, problem, options), query, out, parents, order, origins, each)
    return result.verify() if verify else result


def _check_graph(graph: Any) -> None:
    if not isinstance(graph, Graph):
        raise TypeError(f"the first argument must be a pyfringe.Graph, not {type(graph).__name__}")


def bfs(
    graph: Graph,
    sources: Any,
    *,
    targets: Any = None,
    max_level: int | None = None,
    parents: bool = True,
    parent_rule: str = "any",
    order: bool = False,
    origins: bool = False,
    closed_vertices: Any = None,
    closed_edges: Any = None,
    reverse: bool = False,
    engine: str = "auto",
    strategy: str | None = None,
    knobs: str | Mapping[str, object] | None = None,
    record: bool = False,
    out: Output = None,
    stream: int | None = None,
    verify: bool = False,
    progress: Progress | bool | None = None,
) -> Result:
    """Runs a breadth-first search from one vertex, or one search from several.

    Parameters
    ----------
    graph : Graph
    sources : int or array_like of int
        Several sources start one traversal: each vertex gets its level from the nearest. `bfs_each` returns a
        row for each. Names where the vertices have names (`Graph.names`), also as targets.
    targets : int or array_like of int, optional
        Stop once all of them are reached.
    max_level : int, optional
        The deepest level wanted; None: all.
    parents : bool
        Whether parents are computed.
    parent_rule : {"any", "min-id", "nearest"}
        The choice among valid parents: the first one found, the one with the smallest number, or the one
        nearest to the source and then with the smallest number. The last two are the same on every run and
        cost a pass over the edges.
    order : bool
        Whether ``order`` of the result is computed: the reached vertices by level.
    origins : bool
        Whether ``origin`` of the result is computed: the nearest source of each vertex.
    closed_vertices, closed_edges : optional
        Vertices and edges that this query does not use, as for `Graph.filter`; a closed source reaches only
        itself. The first query with other closed vertices or edges takes as long as making a solver.
    reverse : bool
        Traverses every edge backwards: levels *to* the sources. A parent is then the next vertex of the path.
    engine : {"auto", "cpu", "cuda"}
        Where to run; "auto" chooses the faster one.
    strategy : str, optional
        One of ``fringe list strategies``; by default fringe chooses.
    knobs : str or dict, optional
        Parameters of the strategy: ``"alpha=15"`` or ``{"alpha": 15}``.
    record : bool
        Records the levels for `Result.levels`.
    out : ndarray, tuple of two ndarrays, or Result, optional
        Arrays for levels and parents, or a result whose arrays are reused. Arrays in the GPU's memory
        (CUDA array interface or DLPack: CuPy, PyTorch, Numba, JAX) are filled there; an array that is not
        given is not computed.
    stream : int, optional
        For arrays in the GPU's memory: the address of the CUDA stream after whose work the library writes
        them; by default the stream that the arrays state (CuPy's and PyTorch's current stream), else the
        default stream. The arrays are complete on return.
    verify : bool
        Checks the result.
    progress : callable or True, optional
        ``progress(phase, done, total)``, every 50 ms; a true result cancels. True shows a tqdm bar.

    Returns
    -------
    Result

    Examples
    --------
    >>> import pyfringe as fr
    >>> g = fr.Graph.from_edges([0, 0, 1, 3], [1, 2, 3, 0], n=5)
    >>> fr.bfs(g, 0).level
    array([ 0,  1,  1,  2, -1], dtype=int32)
    >>> r = fr.bfs(g, [2, 3], order=True, origins=True)
    >>> r.order, r.origin
    (array([2, 3, 0, 1], dtype=int32), array([ 1,  1,  0,  1, -1], dtype=int32))
    >>> fr.bfs(g, 3, reverse=True).level
    array([ 2,  1, -1,  0, -1], dtype=int32)
    """
    closed = closed_vertices, closed_edges
    query = _query(graph, sources, targets, max_level, "max_level", parent_rule, False, stream, closed)
    options = Options.of(engine, strategy, knobs, None, False, record, reverse=reverse)
    return _one(PROBLEMS["bfs"], graph, query, options, out, parents, verify, progress, order, origins)


def sssp(
    graph: Graph,
    sources: Any,
    *,
    targets: Any = None,
    max_distance: float | None = None,
    parents: bool = True,
    parent_rule: str = "any",
    origins: bool = False,
    closed_vertices: Any = None,
    closed_edges: Any = None,
    reverse: bool = False,
    dtype: npt.DTypeLike | None = None,
    unit: bool = False,
    mark_negative_cycles: bool = False,
    engine: str = "auto",
    strategy: str | None = None,
    knobs: str | Mapping[str, object] | None = None,
    record: bool = False,
    out: Output = None,
    stream: int | None = None,
    verify: bool = False,
    progress: Progress | bool | None = None,
) -> Result:
    """Computes shortest paths from one vertex, or from the nearest of several; weights may be negative.

    Parameters
    ----------
    graph, sources, targets, parents, parent_rule, origins, closed_vertices, closed_edges, reverse
        As for `bfs`.
    engine, strategy, knobs, record, out, stream, verify, progress
        As for `bfs`.
    max_distance : float, optional
        The maximum distance, inclusive; None: no limit.
    dtype : dtype, optional
        Type of the distances: that of the weights, or a wider one (int64 for int32, float64 for float32).
        Any type without weights or with `unit`.
    unit : bool
        Each edge has weight 1; the graph's weights are ignored.
    mark_negative_cycles : bool
        Does not raise at a negative cycle: vertices that a cycle reaches get minus infinity, or the minimum of
        an integer type; ``cycle`` of the result is the first one found.

    Returns
    -------
    Result

    Raises
    ------
    NegativeCycleError
        A negative cycle is reachable; the exception has its vertices and its weight.

    Examples
    --------
    >>> import pyfringe as fr
    >>> g = fr.Graph.from_edges([0, 0, 1], [1, 2, 2], [4.0, 7.0, -1.5], n=4)
    >>> r = fr.sssp(g, 0)
    >>> r.dist, r.path_to(2)
    (array([0. , 4. , 2.5, inf]), array([0, 1, 2], dtype=int32))
    """
    closed = closed_vertices, closed_edges
    query = _query(
        graph, sources, targets, max_distance, "max_distance", parent_rule, mark_negative_cycles, stream, closed
    )
    options = Options.of(engine, strategy, knobs, dtype, unit, record, reverse=reverse)
    return _one(PROBLEMS["sssp"], graph, query, options, out, parents, verify, progress, False, origins)


def apsp(
    graph: Graph,
    sources: Any = None,
    *,
    targets: Any = None,
    max_distance: float | None = None,
    parents: bool = False,
    closed_vertices: Any = None,
    closed_edges: Any = None,
    dtype: npt.DTypeLike | None = None,
    unit: bool = False,
    engine: str = "auto",
    strategy: str | None = None,
    knobs: str | Mapping[str, object] | None = None,
    rows: Row | None = None,
    in_place: bool = False,
    parent_rule: str = "any",
    reverse: bool = False,
    out: Output = None,
    stream: int | None = None,
    verify: bool = False,
    progress: Progress | bool | None = None,
) -> Result:
    """Computes shortest paths between all pairs, or from each of some sources.

    Parameters
    ----------
    graph, max_distance, closed_vertices, closed_edges, dtype, unit, reverse
        As for `sssp`.
    engine, strategy, knobs, out, stream, verify, progress
        As for `sssp`.
    sources : array_like of int, optional
        The result has a row for each; by default every vertex.
    targets : array_like of int, optional
        The columns of the rows, in this order; by default every vertex. A row ends once they are reached.
    parents : bool
        Whether parents are computed.
    rows : callable, optional
        ``rows(i, source, dist, parent)`` gets each finished row, in any order, instead of a matrix; a
        true result cancels.
    in_place : bool
        Runs Floyd-Warshall on a GPU in `out` itself, which may be a ``numpy.memmap``, without another n x n array.
    parent_rule : {"any", "min-id", "nearest"}

    Returns
    -------
    Result
        With ``dist`` and ``parent`` of shape (rows, n), or (rows, targets).

    Examples
    --------
    >>> import pyfringe as fr
    >>> g = fr.Graph.from_edges([0, 1, 2], [1, 2, 0], [1, 2, 3])
    >>> fr.apsp(g).dist
    array([[0, 1, 3],
           [5, 0, 2],
           [3, 4, 0]])
    >>> fr.apsp(g, [2, 0], targets=[1]).dist
    array([[4],
           [1]])
    """
    _check_graph(graph)
    wanted = () if sources is None else sources
    closed = closed_vertices, closed_edges
    query = _query(graph, wanted, targets, max_distance, "max_distance", parent_rule, False, stream, closed)
    if sources is None:
        query = replace(query, sources=None)
    count = graph.n if query.sources is None else query.sources.size
    columns = graph.n if query.targets is None else query.targets.size
    if query.targets is not None and not columns:  # the library takes no targets for all vertices
        raise ValueError("targets must name at least one vertex, or be None for all")
    options = Options.of(engine, strategy, knobs, dtype, unit, False, count, in_place, reverse)
    with Call(_as_progress(progress), count * graph.handle.work) as context:
        solver = Engine(context, graph.handle, PROBLEMS["apsp"], options)
        if rows is not None:
            solver.solve_rows(query, rows, parents)
            return Result(graph, solver, query, None, None)
        values, parent, query = _arrays_for(out, (count, columns), solver.dtype, parents, query)
        solver.solve(query, values, parent)
        result = Result(graph, solver, query, _owner(values), _owner(parent))
    return result.verify() if verify else result


def distances(graph: Graph, sources: Any, targets: Any, **options: Any) -> Array:
    """Computes the distance from each source to each target.

    Parameters
    ----------
    graph : Graph
    sources, targets : int or array_like of int
    **options
        dtype, unit, reverse, engine, strategy, knobs as for `sssp`.

    Returns
    -------
    ndarray, shape (sources, targets)

    Examples
    --------
    >>> import pyfringe as fr
    >>> fr.distances(fr.Graph.generate("grid2d:rows=3,cols=3"), [0, 4], [8, 2])
    array([[4, 2],
           [2, 2]], dtype=int32)
    """
    _check_graph(graph)
    wanted, ends = (_vertices.vertices(graph, *given) for given in (("source", sources), ("target", targets)))
    with Solver(graph, "sssp", **options) as solver:
        row = np.empty(graph.n, solver.dtype)
        made = np.empty((wanted.size, ends.size), solver.dtype)
        for i in range(wanted.size if ends.size else 0):
            query = Query(wanted[i : i + 1], ends)
            made[i] = solver._ask(query, row, False).dist[ends]
    return made


class Solver:
    """A solver for many queries on one graph: it prepares once and allocates nothing in a query.

    Parameters
    ----------
    graph : Graph
    problem : {"bfs", "sssp"}
    engine, strategy, knobs, dtype, unit, record, reverse
        As for `bfs` and `sssp`.
    expected_queries : int
        The expected number of queries, 0 if unknown. fringe prepares the graph at once if that saves time.

    Notes
    -----
    One thread at a time may use a solver; a second one gets a FringeError. Make a solver per thread.

    Examples
    --------
    >>> import pyfringe as fr
    >>> with fr.Solver(fr.Graph.generate("path:n=4"), "bfs") as solver:
    ...     result = solver.solve(0)
    ...     print(result.level)
    ...     print(solver.solve(3, out=result).level)
    [0 1 2 3]
    [3 2 1 0]
    """

    __slots__ = ("__weakref__", "_context", "_engine", "_graph", "_made_from")

    def __init__(
        self,
        graph: Graph,
        problem: str,
        *,
        engine: str = "auto",
        strategy: str | None = None,
        knobs: str | Mapping[str, object] | None = None,
        dtype: npt.DTypeLike | None = None,
        unit: bool = False,
        record: bool = False,
        reverse: bool = False,
        expected_queries: int = 0,
        progress: Progress | bool | None = None,
    ) -> None:
        self._engine: Engine | None = None
        _check_graph(graph)
        if problem not in ("bfs", "sssp"):
            raise ValueError(f"problem is 'bfs' or 'sssp', not {problem!r}; apsp() solves all pairs")
        options = Options.of(
            engine, strategy, knobs, dtype, unit, record, reverse=reverse, expected_queries=expected_queries
        )
        self._graph = graph
        self._made_from = PROBLEMS[problem], options
        self._engine = self._make(_as_progress(progress))

    def _make(self, progress: Progress | None) -> Engine:
        problem, options = self._made_from
        self._context = context = Context(context_key(_work(self._graph, problem)))
        context.progress = progress
        with context.lock:
            context.begin()
            return Engine(context, self._graph.handle, problem, options)

    def _open(self) -> Engine:
        engine = self._engine  # another thread may close the solver meanwhile
        if engine is None:
            raise FringeError("the solver is closed")
        if engine.context.is_inherited():
            Process.parents.append(engine)
            self._engine = engine = self._make(engine.context.progress)
        return engine

    def _acquire(self) -> None:
        """Takes the lock of the solver's context for a call."""
        if not self._context.lock.acquire(False):
            raise FringeError("the solver is in use by another thread or by the call that runs this callback")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of levels or distances."""
        return self._open().dtype

    def explain(self) -> str:
        """The strategy's explanation of the last query."""
        engine = self._open()
        self._acquire()
        try:
            return engine.explain()
        finally:
            self._context.lock.release()

    def solve(
        self,
        sources: Any,
        *,
        targets: Any = None,
        limit: float | None = None,
        parents: bool = True,
        parent_rule: str = "any",
        mark_negative_cycles: bool = False,
        order: bool = False,
        origins: bool = False,
        closed_vertices: Any = None,
        closed_edges: Any = None,
        out: Output = None,
        stream: int | None = None,
    ) -> Result:
        """Runs one query. `limit` is max_level or max_distance; other arguments are as for `bfs` and `sssp`."""
        asked = targets, limit, parent_rule, mark_negative_cycles, stream, (closed_vertices, closed_edges)
        return self._solve(sources, asked, out, parents, order, origins)

    def solve_each(
        self,
        sources: Any,
        *,
        targets: Any = None,
        limit: float | None = None,
        parents: bool = False,
        parent_rule: str = "any",
        closed_vertices: Any = None,
        closed_edges: Any = None,
        out: Output = None,
        stream: int | None = None,
    ) -> Result:
        """Runs a separate query from each source in one call; the result has a row for each, as `bfs_each`.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.Solver(fr.Graph.generate("path:n=3"), "bfs").solve_each([2, 0]).level
        array([[2, 1, 0],
               [0, 1, 2]], dtype=int32)
        """
        asked = targets, limit, parent_rule, False, stream, (closed_vertices, closed_edges)
        return self._solve(sources, asked, out, parents, False, False, True)

    def _solve(
        self, sources: Any, asked: tuple[Any, ...], out: Output, parents: bool, order: bool, origins: bool,
        each: bool = False,
    ) -> Result:  # fmt: skip
        targets, limit, *further = asked
        name = "max_level" if self._open().problem == lib.FR_PROBLEM_BFS else "max_distance"
        query = _query(self._graph, sources, targets, limit, name, *further)
        return self._ask(query, out, parents, order, origins, each)

    def _ask(
        self, query: Query, out: Output, parents: bool, order: bool = False, origins: bool = False, each: bool = False
    ) -> Result:  # fmt: skip
        engine = self._open()
        self._acquire()
        try:
            self._context.begin()
            return _run(self._graph, engine, query, out, parents, order, origins, each)
        finally:
            self._context.lock.release()

    def run(self, source: int, values: Array | None = None, parent: Array | None = None) -> None:
        """Runs a query with the least overhead: one source, the caller's arrays, no Result.

        Parameters
        ----------
        source : int
        values : ndarray of `dtype`, shape (n,), optional
            For levels or distances.
        parent : ndarray of int32, shape (n,), optional

        Examples
        --------
        >>> import numpy as np, pyfringe as fr
        >>> level = np.empty(3, np.int32)
        >>> fr.Solver(fr.Graph.generate("path:n=3"), "bfs").run(0, level)
        >>> level
        array([0, 1, 2], dtype=int32)
        """
        engine = self._open()
        context = self._context
        self._acquire()
        try:
            context.raised = None
            if self._graph._places is not None:
                source = _vertices.vertex(self._graph, "source", source)
            first = ffi.NULL if values is None else _address(values, engine.dtype, engine.n)
            second = ffi.NULL if parent is None else _address(parent, INT32, engine.n)
            status = lib.pf_solve_one(engine.call, source, first, second)
            if status or context.raised is not None:
                engine.check(status, False)
        except OverflowError:
            raise NotFoundError(f"source vertex {source} does not exist: vertices are less than 2^31") from None
        finally:
            context.lock.release()

    def close(self) -> None:
        """Frees the solver's memory."""
        self._engine = None

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _address(array: Array, dtype: np.dtype[Any], n: int) -> Any:
    """Checks a caller's array and returns its address."""
    if type(array) is not np.ndarray or array.dtype != dtype or array.shape != (n,) or not array.flags.aligned:
        _arrays.writable("the array", array, (n,), dtype)
    return ffi.from_buffer("int32_t[]", array, True)


def estimate_memory(graph: Graph, problem: str, **options: Any) -> tuple[int, int]:
    """Returns the memory that a solver would need, without allocating it.

    Parameters
    ----------
    graph : Graph
    problem : {"bfs", "sssp", "apsp"}
    **options
        engine, strategy, knobs, dtype, unit, reverse as for `sssp`; max_sources, the number of rows of all pairs.

    Returns
    -------
    host, device : int
        Bytes.

    Examples
    --------
    >>> host, device = estimate_memory(Graph.generate("path:n=1000"), "bfs", engine="cpu")
    >>> host > 0, device
    (True, 0)
    """
    _check_graph(graph)
    if problem not in PROBLEMS:
        raise ValueError(f"problem is 'bfs', 'sssp' or 'apsp', not {problem!r}")
    settings = {"engine": "auto", "strategy": None, "knobs": None, **options}
    given, keep = Options.of(**settings).fill()
    made = ffi.new("fr_memory_estimate *", {"struct_size": ffi.sizeof("fr_memory_estimate")})
    with Call(work=graph.handle.work) as context:
        context.check(
            lib.fr_estimate_memory(context.pointer, graph.handle.pointer, PROBLEMS[problem], given, made)
        )  # fmt: skip
    del keep
    return int(made.host), int(made.device)


def strategies(problem: str | None = None) -> list[dict[str, str]]:
    """Returns the strategies of this build: problem, backend, name, source and a description.

    Examples
    --------
    >>> [s["name"] for s in strategies("bfs") if s["backend"] == "cpu"]
    ['serial', 'direction-optimizing', 'auto']
    """
    made = []
    info = ffi.new("fr_strategy_info *", {"struct_size": ffi.sizeof("fr_strategy_info")})
    index = 0
    while lib.fr_strategy_get(index, info):
        line = {name: ffi.string(getattr(info, name)).decode() for name in ("name", "source", "text")}
        line["problem"] = ffi.string(lib.fr_problem_name(info.problem)).decode()
        line["backend"] = ffi.string(lib.fr_backend_name(info.backend)).decode()
        if problem is None or line["problem"] == problem:
            made.append(line)
        index += 1
    return made


def version() -> str:
    """Returns the version of the C library.

    Examples
    --------
    >>> version().count(".")
    2
    """
    return str(ffi.string(lib.fr_version()).decode())

