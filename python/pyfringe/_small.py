"""Small sparse matrices, and searches that read little of a large one: one call of C without a graph of the library.

Such a graph takes 20 us and more to make.

SciPy's functions take 3 to 100 us in all, so nothing here converts an array. A function returns None if the matrix is
not a CSR array in the types that SciPy itself computes with; the caller then takes the general path.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse
from scipy.sparse import csgraph as _scipy

from pyfringe._arrays import Array
from pyfringe._core import Call
from pyfringe._fringe import ffi, lib

# A call is small if the number of vertices and stored entries, times the number of rows of the result, is at most this.
# 0: no call is small. Where fringe solves row by row, the number of rows does not count.
PATHS = 1 << 14
# All rows of a matrix with at most 2 entries per vertex are tried up to TRIED times that product: they take less time
# where vertices reach few others, and on paths. The call ends after a few rows if these take longer than the library's.
TRIED = 1 << 7
QUEUE = 1 << 14
YEN = 1 << 12  # times K: SciPy's own function is called
# Up to this number of rows of unit weights are computed by one BFS each. The library's bit-parallel rows read all
# vertices in each level: one row of a road network took 1.2 s, a BFS 5 ms.
FEW_BFS = 32

# A search that is to read few rows of a matrix may read this part of the edges; then the general path takes 1 to 3 %
# longer for the attempt.
SHARE = 128
MAX_EDGES = 1 << 16

NONE = -9999  # SciPy's parent of a source or an unreached vertex

_KINDS = (sparse.csr_array, sparse.csr_matrix)
_INT32, _INT64, _FLOAT64 = np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float64)
_yen = getattr(_scipy, "yen", None)  # SciPy 1.14
_INFINITY = float("inf")
_at, _new, _NULL = ffi.from_buffer, ffi.new, ffi.NULL
_BOTH, _UNIT, _NEAREST, _BRIEF = lib.PF_BOTH, lib.PF_UNIT, lib.PF_NEAREST, lib.PF_BRIEF


def _arguments(matrix: Any, limit: float) -> tuple[Any, ...] | None:
    """What the functions of C need; None unless the matrix is a small square CSR array with usual indices."""
    if type(matrix) not in _KINDS:
        return None
    offsets, targets = matrix.indptr, matrix.indices
    n, m, kind = offsets.size - 1, targets.size, offsets.dtype
    if n + m > limit or kind != targets.dtype or (kind != _INT32 and kind != _INT64) or matrix.shape != (n, n) or not n:
        return None
    if not (offsets.flags.c_contiguous and targets.flags.c_contiguous and matrix.data.flags.c_contiguous):
        return None
    return n, kind.itemsize, _at(offsets), _at(targets), m


def _sources(matrix: Any, indices: Any) -> tuple[Any, int, tuple[int, ...]]:
    """(an address for C, the number of rows, the shape of SciPy's result without its last axis)"""
    kind = type(indices)
    if kind is int:
        return _new("int32_t[1]", (indices,)), 1, ()
    if indices is None:
        n = matrix.shape[0]
        return _NULL, n, (n,)
    if kind is not list or not indices or type(indices[0]) is not int:
        indices = np.array(indices, order="C", dtype=_INT32)
        return _at(indices), indices.size, indices.shape
    return _new("int32_t[]", indices), len(indices), (len(indices),)


def paths(
    matrix: Any, flags: int, directed: bool, indices: Any, predecessors: bool, unweighted: bool,
    limit: float = _INFINITY, min_only: bool = False,
) -> Any:  # fmt: skip
    """What the functions of shortest paths return, or None; flags: PF_SIGNED, PF_ANYWHERE."""
    if type(matrix) not in _KINDS:
        return None
    try:
        sources, rows, shape = _sources(matrix, indices)
    except (OverflowError, TypeError, ValueError):  # whatever is wrong with them
        return None
    one_by_one = min_only or limit != _INFINITY or (unweighted and rows <= FEW_BFS)
    if not rows or (given := _arguments(matrix, PATHS if one_by_one else PATHS * TRIED / rows)) is None:
        return None
    data, n = matrix.data, given[0]
    if data.dtype != _FLOAT64 or data.size < given[4]:
        return None
    if not one_by_one and (n + given[4]) * rows > PATHS:
        if given[4] > 2 * n:
            return None
        flags |= _BRIEF
    flags |= (0 if directed else _BOTH) | (_UNIT if unweighted else 0)
    if min_only:
        if indices is None:
            return None
        flags, shape = flags | _NEAREST, ()
    dist, parent, origin = np.empty((*shape, n)), None, None
    if predecessors:
        parent = np.empty((*shape, n), _INT32)
        origin = np.empty(n, _INT32) if min_only else None
    failed = lib.pf_small_paths(
        *given, _at(data), flags, limit, sources, rows, NONE,
        _at(dist), _NULL if parent is None else _at(parent), _NULL if origin is None else _at(origin)
    )  # fmt: skip
    if failed:
        return None
    Call.entered += 1
    if parent is None:
        return dist
    return (dist, parent) if origin is None else (dist, parent, origin)


def near(
    matrix: Any, sources: Array | None, directed: bool, predecessors: bool, unweighted: bool, limit: float
) -> tuple[tuple[Array, Array | None] | None, bool]:
    """Searches a matrix of any size from one vertex, as long as it finds the answer by reading few rows.

    The general path converts and checks the whole matrix. This one reads the weights once, as SciPy's functions do, and
    checks a row when the search reads it. Returns SciPy's row of distances and the predecessors, or None, and whether all
    weights are known to be finite and not negative.
    """
    if sources is None or sources.size != 1 or not directed or (given := _arguments(matrix, _INFINITY)) is None:
        return None, False
    data, n = matrix.data, given[0]
    if data.dtype != _FLOAT64 or data.size < given[4]:
        return None, False
    dist = np.empty((1, n))
    parent = np.empty((1, n), _INT32) if predecessors else None
    failed = lib.pf_near_paths(
        *given, _at(data), _UNIT if unweighted else 0, limit, int(sources[0]), min(given[4] // SHARE, MAX_EDGES),
        NONE, _at(dist), _NULL if parent is None else _at(parent),
    )  # fmt: skip
    if failed:
        return None, bool(failed == lib.PF_FAR)
    Call.entered += 1
    return (dist, parent), True


def yen(matrix: Any, source: int, sink: int, k: int, directed: bool, predecessors: bool, unweighted: bool) -> Any:
    """SciPy's answer, or None."""
    given = _arguments(matrix, YEN / k if k > 0 else 0)
    if _yen is None or given is None or given[1] != 4 or source == sink or not (0 <= source < given[0] and 0 <= sink < given[0]):
        return None
    data = matrix.data
    if data.dtype != _FLOAT64 or data.size < given[4] or lib.pf_small_weights(*given, _at(data)) != 0:
        return None
    return _yen(matrix, source, sink, k, directed=directed, return_predecessors=predecessors, unweighted=unweighted)


def _unchanged(matrix: Any) -> tuple[Any, ...] | None:
    """What `_arguments` returns for a matrix whose rows SciPy reads as they are: others it sorts, summing duplicates."""
    return _arguments(matrix, QUEUE) if type(matrix) in _KINDS and matrix.data.dtype == _FLOAT64 else None


def order(matrix: Any, source: int, directed: bool) -> tuple[Array, Array] | None:
    """What `_queue.order` returns, or None."""
    if (given := _unchanged(matrix)) is None or not 0 <= source < given[0]:
        return None
    Call.entered += 1
    made, parent = np.empty(given[0] + 1, _INT32), np.empty(given[0], _INT32)
    count = lib.pf_small_order(*given, not directed, source, NONE, _at(made), _at(parent))
    return None if count < 0 else (made[:count], parent)


def strong_components(matrix: Any) -> tuple[int, Array] | None:
    """(count, label) of strong components, numbered as SciPy's, or None."""
    if (given := _unchanged(matrix)) is None:
        return None
    Call.entered += 1
    label = np.empty(given[0], _INT32)
    count = lib.pf_small_strong(*given, _at(label))
    return None if count < 0 else (count, label)
