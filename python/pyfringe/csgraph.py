"""A drop-in for ``scipy.sparse.csgraph``: the same functions, arguments and results, computed by fringe.

``from pyfringe import csgraph`` instead of ``from scipy.sparse import csgraph``. Served by fringe:
`shortest_path`, `dijkstra`, `bellman_ford`, `johnson`, `floyd_warshall`, `yen`, `breadth_first_order`,
`breadth_first_tree` and `connected_components`. All other names are SciPy's own.

A small matrix (up to 16,384 vertices and entries for one source) is answered on one thread without a graph of the
library; `yen` calls SciPy's function on one of up to 4,096 / K.

Differences that can be seen: `dijkstra` and `shortest_path` answer correctly where weights are negative, or
raise NegativeCycleError (whose ``cycle`` has the vertices); of several shortest paths another one may be
returned; a cycle of weight -2.2e-16 is a negative cycle here; ``overwrite`` is accepted, and the input is
never written; a source out of range raises an exception in `breadth_first_order`, too.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import operator
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.csgraph import (
    NegativeCycleError, construct_dist_matrix, csgraph_from_dense, csgraph_from_masked, csgraph_masked_from_dense,
    csgraph_to_dense, csgraph_to_masked, depth_first_order, depth_first_tree, laplacian, maximum_bipartite_matching,
    maximum_flow, min_weight_full_bipartite_matching, minimum_spanning_tree, reconstruct_path, reverse_cuthill_mckee,
    structural_rank,
)  # fmt: skip
from scipy.sparse.csgraph._validation import validate_graph

from pyfringe import _arrays, _ask, _queue, _small, _solve, _vertices, errors
from pyfringe._arrays import Array
from pyfringe._core import Call
from pyfringe._fringe import ffi, lib
from pyfringe._graph import Graph
from pyfringe._router import Router

__all__ = [
    "NegativeCycleError", "bellman_ford", "breadth_first_order", "breadth_first_tree", "connected_components",
    "construct_dist_matrix", "csgraph_from_dense", "csgraph_from_masked", "csgraph_masked_from_dense",
    "csgraph_to_dense", "csgraph_to_masked", "depth_first_order", "depth_first_tree", "dijkstra", "floyd_warshall",
    "johnson", "laplacian", "maximum_bipartite_matching", "maximum_flow", "min_weight_full_bipartite_matching",
    "minimum_spanning_tree", "reconstruct_path", "reverse_cuthill_mckee", "shortest_path", "structural_rank", "yen",
]  # fmt: skip

NONE = _small.NONE
_FLAGS = {"dijkstra": 0, "bellman_ford": lib.PF_SIGNED, "johnson": lib.PF_SIGNED | lib.PF_ANYWHERE}
ROWS_PER_CALL = 1 << 27  # vertices and edges visited in C between two looks for Ctrl-C


class _NegativeCycleError(errors.NegativeCycleError, NegativeCycleError):  # type: ignore[misc]
    """An exception that is both SciPy's NegativeCycleError and pyfringe's, which has the cycle."""


def _as_sparse(csgraph: Any, directed: bool, by_place: bool = False) -> Any:
    """Converts the argument to a CSR array by SciPy's rules.

    They sum entries at the same place unless these are float64, and a zero of a masked array is an edge; `by_place`: the
    rules for Floyd and Warshall, where each entry is an edge, and such a zero is none.
    """
    if by_place and isinstance(csgraph, np.ma.MaskedArray):
        csgraph = np.ma.masked_equal(csgraph, 0)
        csgraph = np.ma.MaskedArray(csgraph, np.ma.getmaskarray(csgraph))  # SciPy reads no mask that is not an array
    if by_place and sparse.issparse(csgraph) and csgraph.dtype != np.float64:
        rows = csgraph.tocsr()
        csgraph = sparse.csr_array((rows.data.astype(np.float64), rows.indices, rows.indptr), shape=rows.shape)
    return validate_graph(csgraph, directed, dense_output=False)


def _used(matrix: Any, array: Array) -> Array:
    """Returns the part of a CSR array's indices or data that its rows use; there may be room behind them."""
    return array[: int(matrix.indptr[-1])]


def _is_cubic(csgraph: Any, method: str, indices: Any) -> bool:
    """Returns whether SciPy takes the algorithm of Floyd and Warshall, which reads sparse and masked arrays in another way."""
    if method != "auto" or indices is not None:
        return method == "FW"
    masked = isinstance(csgraph, np.ma.MaskedArray)
    entries = csgraph.nnz if sparse.issparse(csgraph) else csgraph.count() if masked else -1
    return bool(entries >= csgraph.shape[0] * csgraph.shape[0] / 4) if entries >= 0 else False


class _Problem:
    """A graph as SciPy reads the argument, with the queries of the functions below."""

    def __init__(
        self, matrix: Any, directed: bool, unweighted: bool, fine: bool = False, as_dense: bool = False
    ) -> None:
        """`fine`: all weights are known to be finite and not negative.

        An unweighted search counts every stored edge, whatever its weight; `as_dense`: not those without a finite one.
        """
        self.n: int = matrix.shape[0]
        data = _used(matrix, matrix.data)
        indices = _used(matrix, matrix.indices)
        fine = fine or (unweighted and not as_dense)
        # one number each for all weights: NaN if there is one
        smallest, largest = (data.min(), data.max()) if data.size and not fine else (0.0, 0.0)
        are_edges = None
        if not -np.inf < smallest <= largest < np.inf:  # infinity and NaN are no edges; minus infinity is refused
            are_edges = ~(np.isposinf(data) | np.isnan(data))
            data = data[are_edges]
            smallest = data.min() if data.size else 0.0
        weights = None if unweighted else data
        if directed and are_edges is None:
            self.graph = Graph.from_csr(matrix.indptr, indices, weights)
        else:
            ends = _arrays.row_numbers(matrix.indptr, indices.dtype), indices
            if are_edges is not None:
                ends = ends[0][are_edges], indices[are_edges]
            self.graph = Graph.from_edges(*ends, weights, n=self.n, directed=directed, drop_parallel=True)
        self.unweighted = unweighted
        self.negative = not unweighted and bool(smallest < 0)

    def refuse_cycles(self) -> None:
        """Raises if there is a negative cycle anywhere."""
        if self.negative and (cycle := self.graph.negative_cycle()):
            raise errors.NegativeCycleError("the graph contains a negative cycle", cycle.vertices, cycle.weight)

    def rows(self, indices: Array | None, predecessors: bool, limit: float = np.inf) -> tuple[Array, Array | None]:
        """Returns distances and SciPy's predecessors from each of `indices`, or from every vertex."""
        count = self.n if indices is None else indices.size
        if not self.n or not count:
            return np.empty((count, self.n)), np.empty((count, self.n), np.int32) if predecessors else None
        if np.isinf(limit) and count > (_small.FEW_BFS if self.unweighted else 1):
            return self._matrix(indices, predecessors)
        if indices is not None and count == 1:
            one, before, _ = self.nearest(indices, predecessors, limit)
            if before is None:
                return one[None], None
            before[before == -1] = NONE
            before[indices] = NONE
            return one[None], before[None]
        dist = np.empty((count, self.n))
        parent = np.empty((count, self.n), np.int32) if predecessors else None
        for i, source in enumerate(range(self.n) if indices is None else indices):
            dist[i], before, _ = self.nearest(np.array([source], np.int32), predecessors, limit)
            if parent is not None and before is not None:
                parent[i] = before
        return dist, None if parent is None else self._as_scipy(parent)

    def _matrix(self, indices: Array | None, predecessors: bool) -> tuple[Array, Array | None]:
        """Solves all pairs in one call."""
        rule: _ask.ParentRule = "min-id" if self.unweighted and predecessors else "any"
        result = _solve.apsp(self.graph, indices, parents=predecessors, parent_rule=rule)
        dist, parent = self._as_float(result.dist), result.parent
        if parent is not None:
            self._choose(dist, parent)
            return dist, self._as_scipy(parent)
        return dist, None

    def nearest(self, sources: Array, predecessors: bool, limit: float, origins: bool = False) -> Any:
        """Returns distances from the nearest of `sources`, fringe's parents, and the index of the nearest source."""
        if self.negative and predecessors and not np.isinf(limit):
            return self._cut(limit, *self.nearest(sources, True, np.inf, origins))
        top = None if np.isinf(limit) else limit
        rule: _ask.ParentRule = "nearest" if predecessors else "any"
        if self.unweighted:
            depth = None if top is None else int(top)
            result = _solve.bfs(
                self.graph, sources, max_level=depth, parents=predecessors, parent_rule=rule, origins=origins
            )
            dist = result.level.astype(np.float64)
            dist[result.level < 0] = np.inf
        else:
            result = _solve.sssp(
                self.graph, sources, max_distance=top, parents=predecessors, parent_rule=rule, origins=origins
            )
            dist = result.dist
        return dist, result.parent, result.origin

    @staticmethod
    def _cut(limit: float, dist: Array, parent: Array, origin: Array | None) -> tuple[Array, Array, Array | None]:
        """Leaves out what is beyond the limit: the library has no nearest parents with a limit and negative weights."""
        beyond = dist > limit
        dist[beyond], parent[beyond] = np.inf, -1
        if origin is not None:
            origin[beyond] = -1
        return dist, parent, origin

    @staticmethod
    def _as_float(dist: Array) -> Array:
        """Converts distances: with unit weights they are int32 in fringe."""
        if dist.dtype == np.float64:
            return dist
        made = dist.astype(np.float64)
        made[dist == np.iinfo(dist.dtype).max] = np.inf
        return made

    def _choose(self, dist: Array, parent: Array) -> None:
        """Replaces parents by SciPy's choice where several are valid."""
        if self.unweighted or self.negative or self.graph.data is None:
            return
        csr, work = lib.fr_graph_csr(self.graph.handle.pointer), self.graph.handle.work
        step = max(1, ROWS_PER_CALL // work)
        with Call(work=len(dist) * work) as context:
            threads = lib.fr_ctx_threads(context.pointer)
            for i in range(0, len(dist), step):
                d, p = (_arrays.pointer(a[i : i + step]) for a in (dist, parent))
                rows = min(step, len(dist) - i)
                lib.pf_nearest_parents(csr, rows, ffi.cast("double *", d), ffi.cast("int32_t *", p), threads)

    def _as_scipy(self, parent: Array) -> Array:
        parent[(parent == -1) | (parent == np.arange(self.n, dtype=np.int32))] = NONE
        return parent


def _sources(indices: Any, n: int) -> tuple[Array | None, tuple[int, ...]]:
    """Returns the sources and the shape of the result for SciPy's `indices`."""
    if indices is None:
        return None, (n, n)
    array = np.array(indices, order="C", dtype=np.int32)
    shape = (*array.shape, n)
    array = np.atleast_1d(array).reshape(-1)
    array[array < 0] += n
    if ((array < 0) | (array >= n)).any():
        raise ValueError(f"indices out of range 0...{n}")
    return array, shape


def _shaped(dist: Array, parent: Array | None, shape: tuple[int, ...]) -> Any:
    return dist.reshape(shape) if parent is None else (dist.reshape(shape), parent.reshape(shape))


def _paths(
    csgraph: Any, method: str, directed: bool, indices: Any, predecessors: bool, unweighted: bool,
    as_dense: bool = False, limit: float = np.inf, min_only: bool = False,
) -> Any:  # fmt: skip
    """What the functions of shortest paths share; "johnson": a cycle out of reach counts, too."""
    rest = _FLAGS[method], directed, indices, predecessors, unweighted, limit, min_only
    if (small := _small.paths(csgraph, *rest)) is not None:
        return small
    matrix = _as_sparse(csgraph, directed, as_dense)
    if (small := _small.paths(matrix, *rest)) is not None:
        return small
    sources, shape = _sources(indices, matrix.shape[0])
    near, fine = None, False
    if not min_only:
        near, fine = _small.near(matrix, sources, directed, predecessors, unweighted, limit)
    if near is not None:
        return _shaped(*near, shape)
    problem = _Problem(matrix, directed, unweighted, fine, as_dense)
    if method == "dijkstra" and problem.negative:
        warnings.warn(
            "Graph has negative weights: scipy's dijkstra would be inaccurate; fringe's answer is exact", stacklevel=3
        )
    with _scipys_errors():
        if method == "johnson" and sources is not None:
            problem.refuse_cycles()
        if min_only:
            return _nearest(problem, sources, predecessors, limit)
        return _shaped(*problem.rows(sources, predecessors, limit), shape)


@contextlib.contextmanager
def _scipys_errors() -> Iterator[None]:
    try:
        yield
    except errors.NegativeCycleError as error:
        raise _NegativeCycleError(str(error), error.cycle, error.weight) from None


def shortest_path(
    csgraph: Any, method: str = "auto", directed: bool = True, return_predecessors: bool = False,
    unweighted: bool = False, overwrite: bool = False, indices: Any = None,
) -> Any:  # fmt: skip
    """Shortest paths: ``scipy.sparse.csgraph.shortest_path``.

    Parameters
    ----------
    csgraph : array_like or sparse array, shape (N, N)
        Zeros of a dense array are no edges; stored zeros of a sparse one are.
    method : {"auto", "FW", "D", "BF", "J"}
        SciPy's values. fringe chooses the algorithm itself; the method decides which inputs are refused.
    directed : bool
        False: an edge has both directions; of i -> j and j -> i the lighter one is used.
    return_predecessors : bool
    unweighted : bool
        Each edge has weight 1.
    overwrite : bool
        Accepted; the input is never written.
    indices : array_like of int, optional
        Sources; by default all.

    Returns
    -------
    dist_matrix : ndarray of float64
    predecessors : ndarray of int32
        If asked for; -9999 for sources and unreached vertices.

    Examples
    --------
    >>> shortest_path([[0, 1, 2], [0, 0, 0.5], [0, 0, 0]], indices=0)
    array([0. , 1. , 1.5])
    """
    if method not in ("auto", "FW", "D", "BF", "J"):
        raise ValueError(f"unrecognized method '{method}'")
    if method == "FW" and indices is not None:
        raise ValueError("Cannot specify indices with method == 'FW'.")
    if method == "D":
        return dijkstra(csgraph, directed, indices, return_predecessors, unweighted)
    name, as_dense = "bellman_ford" if method == "BF" else "johnson", _is_cubic(csgraph, method, indices)
    return _paths(csgraph, name, directed, indices, return_predecessors, unweighted, as_dense)


def dijkstra(
    csgraph: Any, directed: bool = True, indices: Any = None, return_predecessors: bool = False,
    unweighted: bool = False, limit: float = np.inf, min_only: bool = False,
) -> Any:  # fmt: skip
    """Shortest paths: ``scipy.sparse.csgraph.dijkstra``.

    Parameters
    ----------
    csgraph, directed, indices, return_predecessors, unweighted
        As for `shortest_path`.
    limit : float
        The maximum distance, inclusive.
    min_only : bool
        Makes one traversal from all of `indices`, which computes the distance from the nearest.

    Returns
    -------
    dist_matrix : ndarray of float64
    predecessors : ndarray of int32
        If asked for.
    sources : ndarray of int32
        If predecessors are asked for with `min_only`: the nearest source of each vertex.

    Examples
    --------
    >>> dijkstra([[0, 1, 0], [0, 0, 2], [0, 0, 0]], indices=[0, 1], min_only=True)
    array([0., 0., 2.])
    """
    limit = math.copysign(limit, limit)  # as float(), which takes a text
    if not limit >= 0:
        raise ValueError("limit must be >= 0")
    return _paths(
        csgraph, "dijkstra", directed, indices, return_predecessors, unweighted, limit=limit, min_only=min_only
    )


def _nearest(problem: _Problem, sources: Array | None, predecessors: bool, limit: float) -> Any:
    """Implements dijkstra(min_only=True)."""
    n = problem.n
    if sources is None:
        sources = np.arange(n, dtype=np.int32)
    if not n or not sources.size:
        dist, none = np.full(n, np.inf), np.full(n, NONE, np.int32)
        return (dist, none, none.copy()) if predecessors else dist
    dist, parent, origin = problem.nearest(sources, predecessors, limit, predecessors)
    if parent is None:
        return dist
    return dist, problem._as_scipy(parent), np.where(origin < 0, NONE, sources[origin])


def bellman_ford(
    csgraph: Any, directed: bool = True, indices: Any = None, return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:  # fmt: skip
    """Shortest paths: ``scipy.sparse.csgraph.bellman_ford``; arguments as for `shortest_path`.

    Examples
    --------
    >>> bellman_ford([[0, 4, 3], [0, 0, 0], [0, -2, 0]], indices=0)
    array([0., 1., 3.])
    """
    return _paths(csgraph, "bellman_ford", directed, indices, return_predecessors, unweighted)


def johnson(
    csgraph: Any, directed: bool = True, indices: Any = None, return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:  # fmt: skip
    """Shortest paths: ``scipy.sparse.csgraph.johnson``; arguments as for `shortest_path`.

    Examples
    --------
    >>> johnson([[0, 4, 3], [0, 0, 0], [0, -2, 0]], indices=0)
    array([0., 1., 3.])
    """
    return _paths(csgraph, "johnson", directed, indices, return_predecessors, unweighted)


def floyd_warshall(
    csgraph: Any, directed: bool = True, return_predecessors: bool = False, unweighted: bool = False,
    overwrite: bool = False,
) -> Any:  # fmt: skip
    """Shortest paths between all pairs: ``scipy.sparse.csgraph.floyd_warshall``; arguments as for `shortest_path`.

    Examples
    --------
    >>> floyd_warshall([[0, 1], [3, 0]])
    array([[0., 1.],
           [3., 0.]])
    """
    return _paths(csgraph, "johnson", directed, None, return_predecessors, unweighted, as_dense=True)


def _shortest(graph: Graph, source: int, sink: int, k: int) -> list[tuple[float, tuple[int, ...]]]:
    """Returns (length, vertices) of the k shortest loopless paths of a graph without parallel edges."""
    routed, weights = graph, graph.data
    if weights is not None and graph.m and weights.min() < 0:  # which the router refuses: Johnson's potentials
        potential = _solve.sssp(graph, range(graph.n), parents=False).dist
        rows = _arrays.row_numbers(graph.indptr)
        routed = graph.with_weights(np.maximum(weights + potential[rows] - potential[graph.indices], 0))
    with Router(routed) as router:
        found = [(length, tuple(path.tolist())) for length, path in router.k_paths(source, sink, k)]
    if routed is graph or weights is None:
        return found
    steps = [[graph.edge(u, v).start for u, v in itertools.pairwise(path)] for _, path in found]
    return sorted((float(sum(weights[at].tolist())), path) for at, (_, path) in zip(steps, found, strict=True))


def yen(
    csgraph: Any, source: int, sink: int, K: int, *, directed: bool = True, return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:  # fmt: skip
    """The K shortest loopless paths between two vertices: ``scipy.sparse.csgraph.yen``.

    Parameters
    ----------
    csgraph, directed, return_predecessors, unweighted
        As for `shortest_path`.
    source, sink : int
    K : int
        The number of paths wanted.

    Returns
    -------
    dist_array : ndarray of float64, shape (M,)
        Lengths of the paths, ascending; M is the smaller of K and the number of paths.
    predecessors : ndarray of int32, shape (M, N)
        If asked for; -9999 where a path does not go.

    Examples
    --------
    >>> yen([[0, 1, 4], [0, 0, 2], [0, 0, 0]], 0, 2, 5)
    array([3., 4.])
    """
    source, sink, k = operator.index(source), operator.index(sink), operator.index(K)
    rest = source, sink, k, directed, return_predecessors, unweighted
    if (small := _small.yen(csgraph, *rest)) is not None:
        return small
    matrix = _as_sparse(csgraph, directed)
    if (small := _small.yen(matrix, *rest)) is not None:
        return small
    problem = _Problem(matrix, directed, unweighted)
    n = problem.n
    if not (0 <= source < n and 0 <= sink < n):
        raise ValueError(f"source and sink must have 0 <= source, sink < {n}, not {source} and {sink}")
    with _scipys_errors():
        problem.refuse_cycles()
    graph = problem.graph
    ends = _arrays.row_numbers(graph.indptr), graph.indices
    simple = Graph.from_edges(*ends, graph.data, n=n, drop_parallel=True, drop_loops=True)
    found = _shortest(simple, source, sink, max(0, k))
    lengths = np.array([length for length, _ in found], dtype=np.float64)
    if not return_predecessors:
        return lengths
    predecessors = np.full((len(found), n), NONE, dtype=np.int32)
    for row, (_, path) in zip(predecessors, found, strict=True):
        row[list(path[1:])] = path[:-1]
    return lengths, predecessors


def breadth_first_order(csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True) -> Any:
    """Vertices in breadth-first order: ``scipy.sparse.csgraph.breadth_first_order``.

    Parameters
    ----------
    csgraph : array_like or sparse array, shape (N, N)
    i_start : int
    directed : bool
    return_predecessors : bool

    Returns
    -------
    node_array : ndarray of int32
        The reached vertices in order.
    predecessors : ndarray of int32
        If asked for; -9999 for `i_start` and unreached vertices.

    Examples
    --------
    >>> breadth_first_order([[0, 1, 1], [0, 0, 1], [0, 0, 0]], 0)
    (array([0, 1, 2], dtype=int32), array([-9999,     0,     0], dtype=int32))
    """
    start = int(i_start + 0)  # real numbers are cut off; a text is refused
    small, matrix = _small.order(csgraph, start, directed), csgraph
    if small is None:
        matrix = _as_sparse(csgraph, directed)
        small = _small.order(matrix, start, directed)
    if small is not None:
        return small if return_predecessors else small[0]
    n = matrix.shape[0]
    if not 0 <= start < n:
        raise _vertices.missing("i_start", start, n)
    rows = [(matrix.indptr, matrix.indices)]
    if not directed:
        back = matrix.T.tocsr()
        rows.append((back.indptr, back.indices))
    order, parent = _queue.order(n, rows, [start], NONE)
    return (order, parent) if return_predecessors else order


def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """The breadth-first tree as a sparse array: ``scipy.sparse.csgraph.breadth_first_tree``.

    Examples
    --------
    >>> breadth_first_tree([[0, 8, 6], [0, 0, 5], [0, 0, 0]], 0).toarray()
    array([[0., 8., 6.],
           [0., 0., 0.],
           [0., 0., 0.]])
    """
    _, predecessors = breadth_first_order(csgraph, i_start, directed)
    return reconstruct_path(csgraph, predecessors, directed)


def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> Any:  # fmt: skip
    """Components: ``scipy.sparse.csgraph.connected_components``.

    Parameters
    ----------
    csgraph : array_like or sparse array, shape (N, N)
    directed : bool
    connection : {"weak", "strong"}
        For directed graphs.
    return_labels : bool

    Returns
    -------
    n_components : int
    labels : ndarray of int32, shape (N,)
        If asked for, numbered as SciPy's: weak components by their smallest vertex, strong ones after those that they
        reach, in the order in which a depth-first search that visits rows from their ends leaves them.

    Examples
    --------
    >>> connected_components([[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    (2, array([0, 0, 1], dtype=int32))
    """
    if str(connection).lower() not in ("weak", "strong"):
        raise ValueError("connection must be 'weak' or 'strong'")
    strong = directed and str(connection).lower() == "strong"
    small, matrix = _small.strong_components(csgraph) if strong else None, csgraph
    if small is None:
        matrix = _as_sparse(csgraph, directed)
        small = _small.strong_components(matrix) if strong else None
    if small is not None:
        count, label = small
    elif strong:
        count, label = _queue.strong_components(matrix.shape[0], matrix.indptr, matrix.indices, True)
    else:
        count, label = Graph.from_csr(matrix.indptr, _used(matrix, matrix.indices)).handle.components("weak", "auto")
    return (count, label) if return_labels else count


