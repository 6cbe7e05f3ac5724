"""Solvers of the C library and their queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pyfringe import _arrays, _device
from pyfringe._arrays import DTYPES, INT32, Array
from pyfringe._ask import BFS, Ask, Options, Query
from pyfringe._core import Context, is_kept, struct
from pyfringe._fringe import ffi, lib
from pyfringe._handles import Handle
from pyfringe.errors import FringeError, NegativeCycleError, NotFoundError

MAX_ENGINES = 4  # the most solvers that a graph keeps for `bfs` and the other functions, per thread

Row = Callable[[int, int, Array, "Array | None"], object]
Values = Any  # an array, a _device.DeviceArray, or None


_NO_QUERY = struct("fr_query")


class Level(NamedTuple):
    """One level of BFS or one round of SSSP; times in nanoseconds."""

    method: str
    frontier: int
    edges: int
    ns: int
    expected_ns: int


class Outputs(NamedTuple):
    """The arrays that a query fills, the caller's or new ones."""

    values: Values  # levels or distances
    parent: Values = None
    order: Array | None = None
    origin: Array | None = None


def _address_of(values: Values) -> Any:
    if isinstance(values, _device.DeviceArray):
        return ffi.cast("void *", values.address)
    return _arrays.pointer(values)


class Engine:
    """An fr_solver with its context and the structs of its queries."""

    __slots__ = ("call", "context", "dtype", "keep", "n", "options", "problem")

    def __init__(self, context: Context, handle: Handle, problem: int, options: Options) -> None:
        given, _ = options.as_struct()
        out = ffi.new("fr_solver **")
        context.check(lib.fr_solver_new(context.pointer, handle.pointer, problem, given, out))
        self.context: Context = context
        self.problem: int = problem
        self.options: Options = options
        self.keep: tuple[Any, object] = (handle.pointer, handle.borrowed)
        self.n: int = int(lib.fr_graph_vertex_count(handle.pointer))
        self.call: Any = ffi.new("pf_call *")
        self.call.solver = out[0]
        self.call.gate = context.gate
        self.call.problem = problem
        self.call.result.struct_size = ffi.sizeof("fr_result")
        self.dtype: np.dtype[Any] = INT32 if problem == BFS else DTYPES[lib.fr_solver_dist_type(out[0])]

    def __del__(self) -> None:
        call = getattr(self, "call", None)
        if call is not None:
            self.context.free_solver(call.solver, self.keep)

    def _begin(self, query: Query, outputs: Outputs) -> Any:
        call = self.call
        call.query = _NO_QUERY[0]
        query.fill(self.problem, self.dtype, call.query)
        result = call.result
        values = _address_of(outputs.values)
        result.level, result.dist = (values, ffi.NULL) if self.problem == BFS else (ffi.NULL, values)
        result.parent = _address_of(outputs.parent)
        result.order = _arrays.pointer(outputs.order)
        result.origin = _arrays.pointer(outputs.origin)
        return call

    def solve(self, ask: Ask, outputs: Outputs) -> None:
        """Runs one query, or one for each source; the context's lock is held."""
        call = self._begin(ask.query, outputs)
        if not ask.each:
            self.check(lib.pf_solve(call), ask.query.mark_negative_cycles)
            return
        solved = ffi.new("int64_t *")
        try:
            self.check(lib.pf_solve_each(call, solved), False)
        except FringeError as error:
            error.complete_rows = int(solved[0])
            raise

    def solve_rows(self, ask: Ask, row: Row) -> None:
        """Solves all pairs and passes one row at a time to a function."""
        context, dtype, (_, n) = self.context, self.dtype, ask.shape(self.n)

        def pass_on(index: int, source: int, dist: Any, parent: Any) -> object:
            d = np.frombuffer(ffi.buffer(dist, n * dtype.itemsize), dtype=dtype).copy()
            p = np.frombuffer(ffi.buffer(parent, n * 4), dtype=INT32).copy() if ask.parents else None
            return row(index, source, d, p)

        call = self._begin(ask.query, Outputs(None))
        call.query.row, call.query.row_user = lib.pf_row, context._handle
        call.query.want_parents = ask.parents
        context.row = pass_on
        try:
            self.check(lib.pf_solve(call), False)
        finally:
            context.row = None

    def check(self, status: int, cycles_wanted: bool) -> None:
        if status == lib.FR_NEGATIVE_CYCLE and self.context.raised is None:
            if not cycles_wanted:
                error = self.context.error(status)
                raise NegativeCycleError(str(error), self.cycle(), self.call.result.cycle_weight)
        elif status == lib.FR_NOT_FOUND and self.context.raised is None and lib.fr_graph_id(self.keep[0], self.n - 1) >= self.n:
            raise NotFoundError(f"{self.context.error(status)}; graph.vertex(id) is the number of an id")
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


def kept_engine(context: Context, ask: Ask) -> Engine:
    """Returns a solver for this context and keeps it with the graph for the next call; the lock is held.

    The library keeps solvers, too, for fr_bfs and fr_sssp; those have no options.
    """
    engines: dict[Any, Engine] = ask.graph.handle.solvers.engines
    key = (id(context), ask.problem, ask.options)
    engine = engines.get(key)
    if engine is not None and engine.context is context:
        return engine
    engine = Engine(context, ask.graph.handle, ask.problem, ask.options)
    if is_kept(context):
        kept = engines.copy()  # a collection of garbage while it is listed may call this function
        mine = [k for k, e in kept.items() if e.context is context]
        replaced = [k for k, e in kept.items() if not is_kept(e.context)]  # their settings were changed since
        for old in replaced + mine[: max(0, len(mine) + 1 - MAX_ENGINES)]:
            engines.pop(old, None)
        engines[key] = engine
    return engine
