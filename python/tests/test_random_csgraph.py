"""pyfringe.csgraph beside SciPy's own functions on drawn matrices: the same answers, or an exception from both."""

import contextlib
import copy
import warnings
from unittest import mock

import numpy as np
import pytest
from drawn import drawn, matrices, st

csgraph = pytest.importorskip("pyfringe.csgraph")
import scipy.sparse as sparse  # noqa: E402
import scipy.sparse.csgraph as theirs  # noqa: E402
from scipy.sparse.csgraph._validation import validate_graph  # noqa: E402

from pyfringe import _small  # noqa: E402

NONE = -9999


@contextlib.contextmanager
def served(by):
    """Leaves the calls to the functions for small matrices, to the search that reads few rows, to the attempt at rows of
    a sparse matrix, or to the library."""
    with contextlib.ExitStack() as stack:
        for limit in () if by == "small" else ("PATHS", "QUEUE", "YEN"):
            stack.enter_context(mock.patch.object(_small, limit, 0))
        if by == "near":
            stack.enter_context(mock.patch.object(_small, "SHARE", 1))
        if by == "tried":
            stack.enter_context(mock.patch.multiple(_small, PATHS=1, TRIED=1 << 14))
        warnings.simplefilter("ignore")
        yield


def answer(function, matrix, *args, **options):
    """What a function returns, or the exception; it may change the matrix."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(copy.deepcopy(matrix), *args, **options)
        except Exception as error:
            return error


def both(name, matrix, by, *args, **options):
    """(ours, theirs); fails if one alone raises. A negative self-loop, which SciPy's floyd_warshall ignores, is a cycle."""
    wanted = answer(getattr(theirs, name), matrix, *args, **options)
    with served(by):
        found = answer(getattr(csgraph, name), matrix, *args, **options)
    if isinstance(found, csgraph.NegativeCycleError) and len(found.cycle) == 1:
        return found, found
    assert isinstance(found, Exception) == isinstance(wanted, Exception), (found, wanted)
    return found, wanted


def lightest(matrix, directed, unweighted, cubic):
    """The weight of the edge from each vertex to each, infinity where there is none, by SciPy's rules."""
    if cubic:
        made = validate_graph(copy.deepcopy(matrix), directed, csr_output=False, copy_if_dense=True)
        made[np.isnan(made)] = np.inf
        if not sparse.issparse(matrix):
            made[made == 0] = np.inf
    else:
        rows = validate_graph(copy.deepcopy(matrix), directed, dense_output=False)
        made = np.full(rows.shape, np.inf)
        for u in range(len(made)):
            for e in range(rows.indptr[u], rows.indptr[u + 1]):
                w = 1 if unweighted else rows.data[e]
                made[u, rows.indices[e]] = min(made[u, rows.indices[e]], np.inf if np.isnan(w) else w)
    if unweighted:
        made[~np.isinf(made)] = 1
    return made if directed else np.minimum(made, made.T)


def check_tree(edges, dist, pred, sources):
    """Each predecessor gives the distance, over an edge of the graph, and leads to a source."""
    assert pred.dtype == np.int32
    for i, own in enumerate(sources):
        for v in range(len(edges)):
            p = pred[i, v]
            assert (p == NONE) == (np.isinf(dist[i, v]) or v in own), (i, v)
            assert p == NONE or dist[i, p] + edges[p, v] == dist[i, v], (i, v)
            for _ in edges:
                v = v if v in own or pred[i, v] == NONE else pred[i, v]
            assert v in own or np.isinf(dist[i, v]), "a cycle of predecessors"


def by_scipy(matrix, name, method, kind, options):
    """The algorithm that SciPy takes."""
    if name != "shortest_path":
        return {"floyd_warshall": "FW", "dijkstra": "D", "bellman_ford": "BF", "johnson": "J"}[name]
    if method != "auto":
        return method
    given = matrix if sparse.issparse(matrix) else validate_graph(copy.deepcopy(matrix), True, dense_output=False)
    if options["indices"] is None and given.nnz >= given.shape[0] ** 2 / 4:
        return "FW"
    rows = given.tocsr()
    return "J" if given.nnz and rows.data[: rows.indptr[-1]].min() < 0 else "D"


def wrong_in_scipy(matrix, kind, unweighted):
    """Algorithms that refuse the matrix there, or whose answers are wrong."""
    wrong = {"D"} if kind in ("potentials", "negative") and not unweighted else set()
    reads = matrix.format != "coo" if sparse.issparse(matrix) else matrix.flags.c_contiguous
    reads = reads and not (kind == "holes" and isinstance(matrix, np.ma.MaskedArray))  # counts NaN as an edge
    return wrong if reads else wrong | {"FW"}


def sources_of(indices, n):
    return [[s] for s in (range(n) if indices is None else np.atleast_1d(indices).astype(int).reshape(-1) % max(n, 1))]


PATHS = {"shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall"}
INDICES = st.none() | st.integers(-9, 9) | st.lists(st.integers(-9, 9), max_size=3)
SERVED = st.sampled_from(["small", "near", "tried", "library"])


@drawn(500, drawn_matrix=matrices(), name=st.sampled_from(sorted(PATHS)), method=st.sampled_from(["auto", "FW", "D", "BF", "J"]),
       directed=st.booleans(), unweighted=st.booleans(), places=INDICES,
       by=SERVED)  # fmt: skip
def test_paths(drawn_matrix, name, method, directed, unweighted, places, by):
    matrix, kind = drawn_matrix
    n = matrix.shape[0]
    options = {"directed": directed, "unweighted": unweighted}
    if name == "shortest_path":
        options["method"] = method
    if name != "floyd_warshall" and method != "FW":
        options["indices"] = places
    algorithm = by_scipy(matrix, name, method, kind, options)
    if algorithm in wrong_in_scipy(matrix, kind, unweighted):
        return
    found, wanted = both(name, matrix, by, **options)
    if isinstance(found, Exception):
        assert isinstance(found, csgraph.NegativeCycleError) == isinstance(wanted, csgraph.NegativeCycleError), (found, wanted)
        return
    np.testing.assert_array_equal(found, wanted)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    with served(by):
        dist, pred = answer(getattr(csgraph, name), matrix, return_predecessors=True, **options)
    np.testing.assert_array_equal(dist, found)
    sources = sources_of(options.get("indices"), n)
    shape = len(sources), n
    check_tree(lightest(matrix, directed, unweighted, algorithm == "FW"), dist.reshape(shape), pred.reshape(shape), sources)


@drawn(250, drawn_matrix=matrices(), directed=st.booleans(), unweighted=st.booleans(), places=INDICES, by=SERVED,
       limit=st.sampled_from([0, 0.25, 1, 2.5, 7, np.inf]), min_only=st.booleans())  # fmt: skip
def test_limits_and_the_nearest_source(drawn_matrix, directed, unweighted, places, by, limit, min_only):
    matrix, kind = drawn_matrix
    n, options = matrix.shape[0], {"directed": directed, "unweighted": unweighted, "indices": places, "limit": limit, "min_only": min_only}
    more = {**options, "return_predecessors": True}
    if kind in ("potentials", "negative") and not unweighted:  # SciPy's answer may be wrong; ours is that without a limit, cut
        with served(by):
            if min_only or isinstance(dist := answer(csgraph.dijkstra, matrix, **{**options, "limit": np.inf}), Exception):
                return
            np.testing.assert_array_equal(answer(csgraph.dijkstra, matrix, **options), np.where(dist > limit, np.inf, dist))
            cut, pred = answer(csgraph.dijkstra, matrix, **more)
        np.testing.assert_array_equal(cut, np.where(dist > limit, np.inf, dist))
        assert (pred[np.isinf(cut)] == NONE).all()
        return
    found, wanted = both("dijkstra", matrix, by, **options)
    if isinstance(found, Exception):
        return
    np.testing.assert_array_equal(found, wanted)
    found, wanted = both("dijkstra", matrix, by, **more)
    np.testing.assert_array_equal(found[0], wanted[0])
    edges, sources = lightest(matrix, directed, unweighted, False), sources_of(places, n)
    if not min_only:
        check_tree(edges, found[0].reshape(len(sources), n), found[1].reshape(len(sources), n), sources)
        return
    together = [s for own in sources for s in own]
    check_tree(edges, found[0][None], found[1][None], [together])
    rows = theirs.dijkstra(copy.deepcopy(matrix), directed=directed, unweighted=unweighted)
    for v, (origin, other) in enumerate(zip(found[2], wanted[2], strict=True)):
        assert (origin == NONE) == (other == NONE) == np.isinf(found[0][v])
        assert origin == NONE or (origin in together and rows[origin, v] == found[0][v])


def merged(matrix):
    """As CSR in float64 with one entry at a place."""
    made = sparse.csr_matrix(copy.deepcopy(matrix), dtype=np.float64)
    made.sum_duplicates()
    return made


def has_duplicates(matrix):
    return sparse.issparse(matrix) and matrix.nnz > merged(matrix).nnz


@drawn(350, drawn_matrix=matrices(), start=st.integers(0, 8), directed=st.booleans(), by=SERVED)
def test_orders_and_components(drawn_matrix, start, directed, by):
    matrix, _ = drawn_matrix
    if start < matrix.shape[0]:
        for found, wanted in zip(*both("breadth_first_order", matrix, by, start, directed), strict=True):
            np.testing.assert_array_equal(found, wanted)
            assert found.dtype == wanted.dtype
        found, wanted = both("breadth_first_tree", matrix, by, start, directed)
        np.testing.assert_array_equal(found.toarray(), wanted.toarray())
    for connection in ("weak", "strong"):
        if directed and connection == "strong" and has_duplicates(matrix):  # SciPy may not return
            count, label = theirs.connected_components(merged(matrix), directed, connection)
            with served(by):
                found = csgraph.connected_components(matrix, directed, connection)
            assert found[0] == count == len(set(zip(found[1], label, strict=True)))
            continue
        found, wanted = both("connected_components", matrix, by, directed, connection)
        assert found[0] == wanted[0] and found[1].dtype == wanted[1].dtype
        np.testing.assert_array_equal(found[1], wanted[1])


def _small_indices(matrix):
    made = matrix.tocsr(copy=True)
    made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)
    return made


@pytest.mark.skipif(not hasattr(theirs, "yen"), reason="this SciPy has no yen")
@drawn(100, drawn_matrix=matrices(["ints", "quarters", "potentials"], 6), ends=st.permutations(range(6)),
       count=st.integers(1, 6), directed=st.booleans(), unweighted=st.booleans(), by=SERVED)  # fmt: skip
def test_k_paths(drawn_matrix, ends, count, directed, unweighted, by):
    matrix, _ = drawn_matrix
    options = {"directed": directed, "unweighted": unweighted, "return_predecessors": True}
    if sparse.issparse(matrix):  # SciPy reads these alone
        matrix = _small_indices(matrix)
    found, wanted = both("yen", matrix, by, *ends[:2], count, **options)
    if isinstance(found, Exception):
        return
    # with duplicates SciPy's distances may not be those of its own paths
    if has_duplicates(matrix) and not np.array_equal(found[0], wanted[0]):
        weight = lightest(matrix, directed, unweighted, False)
        u, v = np.nonzero(np.isfinite(weight))
        one = sparse.csr_matrix((weight[u, v], (u, v)), shape=weight.shape)
        wanted = theirs.yen(_small_indices(one), *ends[:2], count, **options)
    np.testing.assert_array_equal(found[0], wanted[0])
    assert found[1].shape == wanted[1].shape and len({row.tobytes() for row in found[1]}) == len(found[1])
