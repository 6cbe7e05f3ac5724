"""Breadth-first search in the order of a queue, and strong components, as SciPy and NetworkX define their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyfringe import _arrays
from pyfringe._arrays import Array
from pyfringe._core import LIGHT, Call
from pyfringe._fringe import ffi, lib


def as_rows(n: int, indptr: Any, indices: Any) -> tuple[Any, tuple[Array, Array]]:
    """A pf_rows, and the arrays that must outlive it."""
    offsets, targets = _arrays.indices("indptr", indptr), _arrays.integers("indices", indices)
    if offsets.size != n + 1:
        raise ValueError(f"indptr must have {n + 1} entries, not {offsets.size}")
    rows = ffi.new("pf_rows *")
    rows.m = targets.size
    rows.width = offsets.itemsize
    rows.offsets = _arrays.pointer(offsets)
    rows.targets = _arrays.pointer(targets)
    return rows, (offsets, targets)


def order(n: int, rows: list[tuple[Any, Any]], sources: list[int], none: int) -> tuple[Array, Array]:
    """(the reached vertices in queue order, the parent of each vertex, `none` where there is none).

    `rows`: (indptr, indices) of one CSR, or of two whose rows follow each other. `sources`: different vertices.
    """
    given = [as_rows(n, *pair) for pair in rows]
    made, parent = np.empty(n + 1, np.int32), np.empty(n, np.int32)
    with Call(work=(n + sum(one.m for one, _ in given)) // LIGHT) as context:
        threads = lib.fr_ctx_threads(context.pointer)
        count = lib.pf_bfs_order(
            n, given[0][0], given[1][0] if len(given) > 1 else ffi.NULL, sources, len(sources), none, threads,
            _arrays.pointer(made), _arrays.pointer(parent),
        )  # fmt: skip
    if count == lib.PF_DAMAGED:
        raise _damaged()
    if count == lib.PF_NO_MEMORY:
        raise MemoryError(f"no memory to mark {n} vertices")
    return made[:count], parent


def strong_components(n: int, indptr: Any, indices: Any, backward: bool) -> tuple[int, Array]:
    """(count, label), each component numbered after those that it reaches; backward: in SciPy's order, not NetworkX's."""
    rows, keep = as_rows(n, indptr, indices)
    label, work = np.empty(n, np.int32), np.empty(5 * n, np.int64)
    with Call(work=n):
        count = lib.pf_strong_components(n, rows, backward, _arrays.pointer(label), _arrays.pointer(work))
    del keep
    if count == lib.PF_DAMAGED:
        raise _damaged()
    return int(count), label


def _damaged() -> ValueError:
    return ValueError("the sparse array is damaged: an index pointer or an index is out of range")
