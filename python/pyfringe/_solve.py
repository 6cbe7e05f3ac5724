"""Searches and shortest paths: `bfs`, `sssp` and the other functions, and the class Solver.

Each function hands its arguments by name, `locals()`, to `Ask.of`, so that its signature alone lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyfringe import _arrays, _device, _vertices
from pyfringe._arrays import INT32, Array
from pyfringe._ask import APSP, BFS, PROBLEMS, SSSP, Ask, Options, Output, ParentRule, Problem, Query, work_of
from pyfringe._core import Call, Owner, Progress, as_progress, struct
from pyfringe._engine import Engine, Outputs, Row, Values, kept_engine
from pyfringe._fringe import ffi, lib
from pyfringe._graph import Graph, check_graph
from pyfringe._handles import EngineName
from pyfringe._result import Result
from pyfringe.errors import NotFoundError


def _outputs(ask: Ask, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Ask, Values, Values]:
    """Returns the ask, which then says where results are, and the arrays for values and parents, the caller's or new ones."""
    made = _given_outputs(ask, shape, dtype)
    if ask.out is not None:
        _, values, parent = made
        _refuse_overlap(values, parent)
        for read in (*ask.graph.handle.lent(), ask.query.sources, ask.query.targets):
            if _device.overlap(values, read) or _device.overlap(parent, read):
                raise ValueError("out: an array shares memory with one that the graph borrows, or with sources or targets")
    return made


def _refuse_overlap(values: Values, parent: Values) -> None:
    if _device.overlap(values, parent):
        raise ValueError("out: the arrays for values and parents share memory")


def _given_outputs(ask: Ask, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Ask, Values, Values]:
    out = ask.out
    if isinstance(out, Result):
        out = (out._values, out.parent)
    if isinstance(out, (tuple, list)) and len(out) != 2:
        raise TypeError(f"out: an array, a pair (array, parents) or a Result, not a {type(out).__name__} of {len(out)}")
    given, given_parent = out if isinstance(out, (tuple, list)) else (out, None)
    if _device.is_on_device(given) or _device.is_on_device(given_parent):
        return _device_outputs(ask, given, given_parent, shape, dtype)
    if ask.query.stream is not None:
        raise ValueError("stream is for arrays in a GPU's memory, which out= would give")
    values = np.empty(shape, dtype) if given is None else _arrays.writable("the first array", given, shape, dtype)
    if given_parent is not None:
        return ask, values, _arrays.writable("parents", given_parent, shape, INT32)
    return ask, values, np.empty(shape, INT32) if ask.parents else None


def _device_outputs(
    ask: Ask, given: Any, given_parent: Any, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> tuple[Ask, Values, Values]:
    """The same for arrays on a GPU. None are allocated there: arrays that are not given are not computed."""
    for array in (given, given_parent):
        if array is not None and not _device.is_on_device(array):
            raise ValueError("out: all arrays must be in the GPU's memory, or none")
    values = None if given is None else _device.describe("the first array", given, shape, dtype)
    parent = None if given_parent is None else _device.describe("parents", given_parent, shape, INT32)
    stream = _device.common_stream(ask.query.stream, values, parent)
    return ask._replace(query=ask.query._replace(stream=stream, on_device=True)), values, parent


def _run(engine: Engine, ask: Ask) -> Result:
    """Runs the query; the context's lock is held."""
    n = engine.n
    ask, values, parent = _outputs(ask, ask.shape(n), engine.dtype)
    outputs = Outputs(
        values, parent, np.empty(n, INT32) if ask.order else None, np.empty(n, INT32) if ask.origins else None
    )
    engine.solve(ask, outputs)
    return Result(engine, ask, outputs)


def _answer(ask: Ask) -> Result:
    """Runs the query by a solver that the graph keeps."""
    with Call(ask.progress, ask.work()) as context:
        result = _run(kept_engine(context, ask), ask)
    return result.verify() if ask.verify else result


def bfs(
    graph: Graph, sources: Any, *, targets: Any = None, max_level: int | None = None, parents: bool = True,
    parent_rule: ParentRule = "any", order: bool = False, origins: bool = False, closed_vertices: Any = None,
    closed_edges: Any = None, reverse: bool = False, engine: EngineName = "auto", strategy: str | None = None,
    knobs: str | Mapping[str, object] | None = None, record: bool = False, out: Output = None,
    stream: int | None = None, verify: bool = False, progress: Progress | bool | None = None,
) -> Result:  # fmt: skip
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
        A name of `strategies`; by default fringe chooses.
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
    return _answer(Ask.of(graph, BFS, locals()))


def sssp(
    graph: Graph, sources: Any, *, targets: Any = None, max_distance: float | None = None, parents: bool = True,
    parent_rule: ParentRule = "any", origins: bool = False, closed_vertices: Any = None, closed_edges: Any = None,
    reverse: bool = False, dtype: npt.DTypeLike | None = None, unit: bool = False, mark_negative_cycles: bool = False,
    engine: EngineName = "auto", strategy: str | None = None, knobs: str | Mapping[str, object] | None = None,
    record: bool = False, out: Output = None, stream: int | None = None, verify: bool = False,
    progress: Progress | bool | None = None,
) -> Result:  # fmt: skip
    """Computes shortest paths from one vertex, or from the nearest of several; weights may be negative.

    Parameters
    ----------
    graph, sources, targets, parents, parent_rule, origins, closed_vertices, closed_edges, reverse
        As for `bfs`.
    engine, strategy, knobs, record, out, stream, verify, progress
        As for `bfs`.
    max_distance : float, optional
        The maximum distance, inclusive, for integer distances one that equals a double; None: no limit.
    dtype : dtype, optional
        Type of the distances: that of the weights, or a wider one (int64 for int32, float64 for float32).
        Any type without weights or with `unit`.
    unit : bool
        Each edge has weight 1; the graph's weights are ignored.
    mark_negative_cycles : bool
        Does not raise at a negative cycle: vertices that a cycle reaches get minus infinity, or the minimum of
        an integer type; ``cycle`` of the result is the first one found.

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
    return _answer(Ask.of(graph, SSSP, locals()))


def bfs_each(
    graph: Graph, sources: Any, *, targets: Any = None, max_level: int | None = None, parents: bool = False,
    parent_rule: ParentRule = "any", closed_vertices: Any = None, closed_edges: Any = None, reverse: bool = False,
    engine: EngineName = "auto", strategy: str | None = None, knobs: str | Mapping[str, object] | None = None,
    out: Output = None, stream: int | None = None, verify: bool = False, progress: Progress | bool | None = None,
) -> Result:  # fmt: skip
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
    return _answer(Ask.of(graph, BFS, locals(), each=True))


def sssp_each(
    graph: Graph, sources: Any, *, targets: Any = None, max_distance: float | None = None, parents: bool = False,
    parent_rule: ParentRule = "any", closed_vertices: Any = None, closed_edges: Any = None, reverse: bool = False,
    dtype: npt.DTypeLike | None = None, unit: bool = False, engine: EngineName = "auto", strategy: str | None = None,
    knobs: str | Mapping[str, object] | None = None, out: Output = None, stream: int | None = None,
    verify: bool = False, progress: Progress | bool | None = None,
) -> Result:  # fmt: skip
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
    return _answer(Ask.of(graph, SSSP, locals(), each=True))


def apsp(
    graph: Graph, sources: Any = None, *, targets: Any = None, max_distance: float | None = None,
    parents: bool = False, closed_vertices: Any = None, closed_edges: Any = None, dtype: npt.DTypeLike | None = None,
    unit: bool = False, engine: EngineName = "auto", strategy: str | None = None,
    knobs: str | Mapping[str, object] | None = None, rows: Row | None = None, in_place: bool = False,
    parent_rule: ParentRule = "any", reverse: bool = False, out: Output = None, stream: int | None = None,
    verify: bool = False, progress: Progress | bool | None = None,
) -> Result:  # fmt: skip
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
    ask = Ask.of(graph, APSP, locals())
    if ask.query.targets is not None and not ask.query.targets.size:  # the library takes no targets for all vertices
        raise ValueError("targets must name at least one vertex, or be None for all")
    if rows is not None and (out is not None or stream is not None or verify):
        raise ValueError("rows= takes each row as it is finished: out=, stream= and verify= are for a matrix")
    with Call(progress, ask.work()) as context:
        solver = Engine(context, graph.handle, APSP, ask.options)
        if rows is not None:
            solver.solve_rows(ask, rows)
            return Result(solver, ask, Outputs(None))
        result = _run(solver, ask)
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
    with Solver(graph, "sssp", **options) as solver:
        wanted, ends = (_vertices.vertices(graph, *given) for given in (("source", sources), ("target", targets)))
        row = np.empty(graph.n, solver.dtype)
        made = np.empty((wanted.size, ends.size), solver.dtype)
        for i in range(wanted.size if ends.size else 0):
            ask = Ask(graph, SSSP, solver._made_from[1], Query(wanted[i : i + 1], ends), out=row)
            made[i] = solver._answer(ask).dist[ends]
    return made


class Solver(Owner):
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

    __slots__ = ()
    _noun = "solver"

    def __init__(
        self, graph: Graph, problem: Literal["bfs", "sssp"], *, engine: EngineName = "auto", strategy: str | None = None,
        knobs: str | Mapping[str, object] | None = None, dtype: npt.DTypeLike | None = None, unit: bool = False,
        record: bool = False, reverse: bool = False, expected_queries: int = 0,
        progress: Progress | bool | None = None,
    ) -> None:  # fmt: skip
        check_graph(graph)
        if problem not in ("bfs", "sssp"):
            raise ValueError(f"problem is 'bfs' or 'sssp', not {problem!r}; apsp() solves all pairs")
        self._graph = graph
        self._made_from = PROBLEMS[problem], Options.of(locals())
        self._made = self._make(as_progress(progress))

    def _make(self, progress: Progress | None) -> Engine:
        problem, options = self._made_from
        context = self._own_context(work_of(self._graph, problem), progress)
        with context.lock:
            context.begin()
            return Engine(context, self._graph.handle, problem, options)

    def _settings(self) -> str:
        problem, options = self._made_from
        words = [{number: name for name, number in PROBLEMS.items()}[problem], options.strategy or ""]
        return " by ".join(word for word in words if word)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of levels or distances."""
        dtype: np.dtype[Any] = self._open().dtype
        return dtype

    def explain(self) -> str:
        """The strategy's explanation of the last query."""
        engine: Engine = self._open()
        self._acquire()
        try:
            return engine.explain()
        finally:
            self._context.lock.release()

    def solve(
        self, sources: Any, *, targets: Any = None, limit: float | None = None, parents: bool = True,
        parent_rule: ParentRule = "any", mark_negative_cycles: bool = False, order: bool = False, origins: bool = False,
        closed_vertices: Any = None, closed_edges: Any = None, out: Output = None, stream: int | None = None,
    ) -> Result:  # fmt: skip
        """Runs one query. `limit` is max_level or max_distance; other arguments are as for `bfs` and `sssp`."""
        return self._answer(self._ask(locals()))

    def solve_each(
        self, sources: Any, *, targets: Any = None, limit: float | None = None, parents: bool = False,
        parent_rule: ParentRule = "any", closed_vertices: Any = None, closed_edges: Any = None, out: Output = None,
        stream: int | None = None,
    ) -> Result:  # fmt: skip
        """Runs a separate query from each source in one call; the result has a row for each, as `bfs_each`.

        Examples
        --------
        >>> import pyfringe as fr
        >>> fr.Solver(fr.Graph.generate("path:n=3"), "bfs").solve_each([2, 0]).level
        array([[2, 1, 0],
               [0, 1, 2]], dtype=int32)
        """
        return self._answer(self._ask(locals(), each=True))

    def _ask(self, given: dict[str, Any], each: bool = False) -> Ask:
        problem, options = self._made_from
        return Ask.of(self._graph, problem, given, each, options)

    def _answer(self, ask: Ask) -> Result:
        engine: Engine = self._open()
        self._acquire()
        try:
            self._context.begin()
            return _run(engine, ask)
        finally:
            self._context.lock.release()

    def run(self, source: int, values: Array | None = None, parent: Array | None = None) -> None:
        """Runs a query with the least overhead: one source, the caller's arrays, no Result.

        Parameters
        ----------
        source : int
        values : ndarray of `dtype`, shape (n,), optional
            For levels or distances; no array that the graph borrows, which is not checked here.
        parent : ndarray of int32, shape (n,), optional

        Examples
        --------
        >>> import numpy as np, pyfringe as fr
        >>> level = np.empty(3, np.int32)
        >>> fr.Solver(fr.Graph.generate("path:n=3"), "bfs").run(0, level)
        >>> level
        array([0, 1, 2], dtype=int32)
        """
        engine: Engine = self._open()
        context = self._context
        self._acquire()
        try:
            context.raised = None
            if self._graph._places is not None:
                source = _vertices.vertex(self._graph, "source", source)
            first = ffi.NULL if values is None else _address(values, engine.dtype, engine.n)
            second = ffi.NULL if parent is None else _address(parent, INT32, engine.n)
            if parent is not None and values is not None:
                _refuse_overlap(values, parent)
            status = lib.pf_solve_one(engine.call, source, first, second)
            if status or context.raised is not None:
                engine.check(status, False)
        except OverflowError:
            raise NotFoundError(f"source vertex {source} does not exist: vertices are less than 2^31") from None
        finally:
            context.lock.release()


def _address(array: Array, dtype: np.dtype[Any], n: int) -> Any:
    """Checks a caller's array and returns its address."""
    if type(array) is not np.ndarray or array.dtype != dtype or array.shape != (n,) or not array.flags.aligned:
        _arrays.writable("the array", array, (n,), dtype)
    return ffi.from_buffer("int32_t[]", array, True)


def estimate_memory(graph: Graph, problem: Problem, **options: Any) -> tuple[int, int]:
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
    check_graph(graph)
    if problem not in PROBLEMS:
        raise ValueError(f"problem is 'bfs', 'sssp' or 'apsp', not {problem!r}")
    if unknown := options.keys() - set(Options._fields):
        raise TypeError(f"estimate_memory() got an unexpected keyword argument {min(unknown)!r}")
    given, _ = Options.of(options).as_struct()
    made = struct("fr_memory_estimate")
    graph.handle.call(lib.fr_estimate_memory, PROBLEMS[problem], given, made)
    return int(made.host), int(made.device)


def strategies(problem: Problem | None = None) -> list[dict[str, str]]:
    """Returns the strategies of this build: problem, backend, name, source and a description.

    Examples
    --------
    >>> [s["name"] for s in strategies("bfs") if s["backend"] == "cpu"]
    ['serial', 'direction-optimizing', 'auto']
    """
    made = []
    info = struct("fr_strategy_info")
    index = 0
    while lib.fr_strategy_get(index, info):
        line = {name: ffi.string(getattr(info, name)).decode() for name in ("name", "source", "text")}
        line["problem"] = ffi.string(lib.fr_problem_name(info.problem)).decode()
        line["backend"] = ffi.string(lib.fr_backend_name(info.backend)).decode()
        if problem is None or line["problem"] == problem:
            made.append(line)
        index += 1
    return made


def formats() -> list[dict[str, Any]]:
    """Returns the formats of graph files: name, description, and whether `Graph.save` writes it.

    Examples
    --------
    >>> {"gr", "metis", "fringe"} <= {f["name"] for f in formats() if f["writable"]}
    True
    """
    made: list[dict[str, Any]] = []
    while (name := lib.fr_format_name(len(made))) != ffi.NULL:
        text, writable = lib.fr_format_description(len(made)), bool(lib.fr_format_writable(len(made)))
        made.append({"name": ffi.string(name).decode(), "text": ffi.string(text).decode(), "writable": writable})
    return made


def generators() -> list[str]:
    """Returns the generators that `Graph.generate` takes.

    Examples
    --------
    >>> "kronecker" in generators()
    True
    """
    made: list[str] = []
    while (name := lib.fr_generator_name(len(made))) != ffi.NULL:
        made.append(ffi.string(name).decode())
    return made


def version() -> str:
    """Returns the version of the C library.

    Examples
    --------
    >>> version().count(".")
    2
    """
    return str(ffi.string(lib.fr_version()).decode())

