"""What a caller asks for: the arguments of `bfs` and the other functions, checked and converted, as one object."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from pyfringe import _arrays, _device, _vertices
from pyfringe._arrays import Array
from pyfringe._core import LIGHT, Progress, c_string, struct
from pyfringe._fringe import ffi, lib
from pyfringe._graph import Graph, check_graph
from pyfringe._handles import backend_of
from pyfringe.errors import RangeError

BFS, SSSP, APSP = lib.FR_PROBLEM_BFS, lib.FR_PROBLEM_SSSP, lib.FR_PROBLEM_APSP
Problem = Literal["bfs", "sssp", "apsp"]
ParentRule = Literal["any", "min-id", "nearest"]
PROBLEMS = {"bfs": BFS, "sssp": SSSP, "apsp": APSP}
_LIMITS = {BFS: "max_level", SSSP: "max_distance", APSP: "max_distance"}
PARENT_RULES = {"any": lib.FR_PARENT_ANY, "min-id": lib.FR_PARENT_MIN_ID, "nearest": lib.FR_PARENT_NEAREST}

_IN_C = {"engine": "backend", "dtype": "dist_type", "unit": "unit_weights", "record": "record_levels"}

Given = Mapping[str, Any]  # a function's arguments by name; a function without one of them leaves its default
Output = Any  # an array, a pair of arrays, or a Result whose arrays are reused


class Options(NamedTuple):
    """The settings of a solver: the members of fr_solver_options."""

    engine: str
    strategy: str | None
    knobs: str | None
    dtype: int
    unit: bool
    record: bool
    max_sources: int
    in_place: bool
    reverse: bool
    expected_queries: int

    @staticmethod
    def of(given: Given) -> Options:
        get = given.get
        engine, knobs, expected = get("engine", "auto"), get("knobs"), get("expected_queries", 0)
        backend_of(engine)
        if isinstance(knobs, Mapping):
            knobs = ",".join(f"{name}={value}" for name, value in knobs.items())
        if expected < 0:
            raise ValueError(f"expected_queries must be at least 0, not {expected}")
        return Options(
            engine, get("strategy"), knobs, _arrays.type_of(get("dtype")), bool(get("unit")), bool(get("record")),
            get("max_sources", 0), bool(get("in_place")), bool(get("reverse")), expected,
        )  # fmt: skip

    def as_struct(self) -> tuple[Any, object]:
        """Returns an fr_solver_options, and what must outlive it."""
        texts = {"strategy": c_string("strategy", self.strategy), "knobs": c_string("knobs", self.knobs)}
        members = self._asdict() | texts | {"engine": backend_of(self.engine)}
        return struct("fr_solver_options", **{_IN_C.get(name, name): value for name, value in members.items()}), texts


class Query(NamedTuple):
    """The members of fr_query. A Result keeps them for `verify`."""

    sources: Array | None
    targets: Array | None = None
    limit: float | None = None
    parent_rule: str = "any"
    mark_negative_cycles: bool = False
    closed: _vertices.Closed | None = None
    stream: int | None = None
    on_device: bool = False

    @staticmethod
    def of(graph: Graph, problem: int, given: Given) -> Query:
        sources, targets, stream = given["sources"], given["targets"], given["stream"]
        limit = given["limit" if "limit" in given else _LIMITS[problem]]  # a Solver of both problems has `limit`
        rule, vertices, edges = given["parent_rule"], given["closed_vertices"], given["closed_edges"]
        if rule not in PARENT_RULES:
            raise ValueError(f"parent_rule is 'any', 'min-id' or 'nearest', not {rule!r}")
        everywhere = sources is None and problem == APSP
        return Query(
            None if everywhere else _vertices.vertices(graph, "source", sources),
            None if targets is None else _vertices.vertices(graph, "target", targets),
            None if limit is None else _limit(problem, limit),
            rule,
            given.get("mark_negative_cycles", False),
            None if vertices is None and edges is None else _vertices.closed(graph, vertices, edges),
            None if stream is None else _device.checked_stream(stream),
        )

    def fill(self, problem: int, dtype: np.dtype[Any], query: Any) -> None:
        """Writes the members into an fr_query that has none yet; dtype: of the distances."""
        if self.sources is not None:
            query.sources = _arrays.pointer(self.sources)
            query.source_count = self.sources.size
        if self.targets is not None:
            query.targets = _arrays.pointer(self.targets)
            query.target_count = self.targets.size
        if self.limit is not None and problem == BFS:
            query.max_level, query.limit_level = int(self.limit), True
        elif self.limit is not None:
            query.max_distance, query.limit_distance = _as_double(self.limit, dtype), True
        query.parent_rule = PARENT_RULES[self.parent_rule]
        query.mark_negative_cycles = self.mark_negative_cycles
        if self.closed is not None:
            query.closed_vertices, query.closed_edges = self.closed.pointers()
        if self.on_device:
            query.result_memory = lib.FR_MEMORY_DEVICE
            query.stream = ffi.cast("void *", self.stream or 0)


def _limit(problem: int, limit: Any) -> Any:
    """Returns the limit of a query as a number of Python, which is compared exactly; None: no limit."""
    name = _LIMITS[problem]
    try:
        limit = limit.item() if isinstance(limit, (np.ndarray, np.generic)) else limit
        valid = bool(limit >= 0)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be a number, or None for no limit, not {type(limit).__name__}") from error
    if not valid:
        raise ValueError(f"{name} must be at least 0, or None for no limit; it is {limit}")
    if limit >= (2**31 if problem == BFS else sys.float_info.max):
        return None
    if problem == BFS and limit != int(limit):
        raise ValueError(f"{name} must be a whole number, or None for no limit; it is {limit}")
    return limit


def _as_double(limit: Any, dtype: np.dtype[Any]) -> float:
    """Returns a limit as the double that keeps the same distances; raises RangeError if there is none."""
    if dtype.kind == "f":
        near = float(limit)
        return math.nextafter(near, 0) if near > limit else near
    most = np.iinfo(dtype).max
    whole = min(int(limit), most)
    if whole < most and int(float(whole)) != whole:
        raise RangeError(f"a limit of integer distances must equal a double, and from 2^53 on few integers do; {whole} does not")
    return float(whole)


class Ask(NamedTuple):
    """A call of `bfs` or another function, which travels as it is from the function to the C library."""

    graph: Graph
    problem: int
    options: Options
    query: Query
    each: bool = False
    parents: bool = False
    order: bool = False
    origins: bool = False
    out: Output = None
    verify: bool = False
    progress: Progress | bool | None = None

    @staticmethod
    def of(graph: Graph, problem: int, given: Given, each: bool = False, options: Options | None = None) -> Ask:
        """From the arguments of a public function; `each`: a row for each source; options: of a solver that exists."""
        get = given.get
        check_graph(graph)
        query = Query.of(graph, problem, given)
        count = graph.n if query.sources is None else query.sources.size
        if options is None:
            options = Options.of(given)
            if problem == APSP:
                options = options._replace(max_sources=count)
            elif each:  # rounded up so that batches of similar size share a solver
                options = options._replace(expected_queries=1 << max(count - 1, 0).bit_length())
        return Ask(
            graph, problem, options, query, each, given["parents"], get("order", False), get("origins", False),
            given["out"], get("verify", False), get("progress"),
        )  # fmt: skip

    def shape(self, n: int) -> tuple[int, ...]:
        """Returns the shape of the result, of a graph of n vertices."""
        sources, targets = self.query.sources, self.query.targets
        if self.problem != APSP:
            return (sources.size, n) if self.each and sources is not None else (n,)
        return n if sources is None else sources.size, n if targets is None else targets.size

    def work(self) -> int:
        return work_of(self.graph, self.problem, self.each) * (self.options.max_sources or 1)


def work_of(graph: Graph, problem: int, each: bool = False) -> int:
    """Returns the vertices and edges on which SSSP would have as much work."""
    work = graph.handle.work
    return work // LIGHT if problem == BFS and not each else work
