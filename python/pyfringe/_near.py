"""Shortest paths from one vertex of a large sparse matrix, where they are found by reading few of its rows.

The general path converts and checks the whole matrix. This one reads the weights once, as SciPy's functions do, and
checks a row when the search reads it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pyfringe import _small
from pyfringe._arrays import Array
from pyfringe._core import Call
from pyfringe._fringe import ffi, lib

SHARE = 128  # a search may read this part of the edges; then the general path takes 1 to 3 % longer for the attempt
MAX_EDGES = 1 << 16  # edges

_at, _NULL = ffi.from_buffer, ffi.NULL


def row(
    matrix: Any, sources: Array | None, directed: bool, predecessors: bool, unweighted: bool, limit: float
) -> tuple[tuple[Array, Array | None] | None, bool]:
    """Returns SciPy's row of distances and the predecessors, or None, and whether all weights are known to be fine.

    Fine are weights that are finite and not negative.
    """
    if sources is None or sources.size != 1 or not directed or (given := _small._arguments(matrix, np.inf)) is None:
        return None, False
    data, n = matrix.data, given[0]
    if data.dtype != np.float64 or data.size < given[4]:
        return None, False
    dist = np.empty((1, n))
    parent = np.empty((1, n), np.int32) if predecessors else None
    failed = lib.pf_near_paths(
        *given, _at(data), lib.PF_UNIT if unweighted else 0, limit, int(sources[0]), min(given[4] // SHARE, MAX_EDGES),
        _small.NONE, _at(dist), _NULL if parent is None else _at(parent),
    )  # fmt: skip
    if failed:
        return None, bool(failed == lib.PF_FAR)
    Call.entered += 1
    return (dist, parent), True
