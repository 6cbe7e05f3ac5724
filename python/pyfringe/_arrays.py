"""Conversion of arguments to arrays that the C library borrows, and NumPy views of the library's memory."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from pyfringe._fringe import ffi, lib
from pyfringe.errors import NotFoundError

Array = npt.NDArray[Any]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
Float64Array = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

TYPES: dict[str, int] = {
    "int32": lib.FR_TYPE_I32,
    "int64": lib.FR_TYPE_I64,
    "float32": lib.FR_TYPE_F32,
    "float64": lib.FR_TYPE_F64,
}
INT32 = np.dtype(np.int32)
DTYPES: dict[int, np.dtype[Any]] = {number: np.dtype(name) for name, number in TYPES.items()}


def type_of(dtype: npt.DTypeLike | None) -> int:
    """Returns the fr_type of a NumPy dtype; None: FR_TYPE_NONE."""
    if dtype is None:
        return int(lib.FR_TYPE_NONE)
    name = np.dtype(dtype).name
    if name not in TYPES:
        raise TypeError(f"weights and distances are int32, int64, float32 or float64, not {name}")
    return TYPES[name]


def unmasked(what: str, values: Any) -> Array:
    """Returns the values as an array; refuses a masked array, whose masked numbers would count, unless none is."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(
            f"{what}: the array has masked entries, which mean no number here; leave their edges or vertices out "
            "(x[~mask]), or give them numbers (numpy.ma.filled)"
        )
    return np.asarray(values)


def vector(what: str, values: Any) -> Array:
    array = unmasked(what, values)
    if array.ndim != 1:
        raise ValueError(f"{what} must be an array of one dimension, not {f'of {array.ndim}' if array.ndim else type(values).__name__}")
    return array


def listed(array: Array) -> list[Any]:
    """Returns `tolist()`, but dates as they are: it makes integers of them, or objects that are not equal to them."""
    return list(array) if array.dtype.kind == "M" else array.tolist()


def plain(array: Array, dtype: npt.DTypeLike) -> Array:
    """Returns a contiguous, aligned array of `dtype`: the given array if it is one, else a copy."""
    made = np.ascontiguousarray(array, dtype=dtype)
    return made if made.flags.aligned else made.copy()


def _narrow(array: Array) -> Array | None:
    """An int64 array as int32, in one pass; None if a number does not fit."""
    given, made = plain(array, np.int64), np.empty(array.size, np.int32)
    fits = lib.pf_narrow(array.size, pointer(given), pointer(made))
    return made if fits else None


def row_numbers(indptr: Array, dtype: npt.DTypeLike = np.int32) -> Array:
    """Returns the row of each entry of a CSR."""
    return np.repeat(np.arange(indptr.size - 1, dtype=dtype), np.diff(indptr))


def integers(what: str, values: Any, bits: int = 32) -> Array:
    """Returns a contiguous int32 or int64 array: the caller's array if it is one, else a copy. Checks the range."""
    array = vector(what, values)
    if array.size == 0 and array.dtype == np.float64:  # an empty list
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} must be integers, not {array.dtype.name}")
    dtype = np.dtype(np.int32 if bits == 32 else np.int64)
    if bits == 32 and array.dtype == np.int64 and (narrow := _narrow(array)) is not None:
        return narrow
    if array.size and not np.can_cast(array.dtype, dtype):
        low, high = int(array.min()), int(array.max())
        if low < -(1 << (bits - 1)) or high >= 1 << (bits - 1):
            raise ValueError(f"{what} must fit {dtype.name}; they are {low} to {high}")
    return plain(array, dtype=dtype)


def indices(what: str, values: Any) -> Array:
    """Returns a contiguous int32 or int64 array, whichever type the numbers have; the library checks the range."""
    given = vector(what, values)
    return integers(what, given, 64 if given.dtype in (np.int64, np.float64) or given.dtype.itemsize > 4 else 32)


# A narrow type is converted to the smallest type of the library that holds all its numbers.
_WIDER = {"bool": "int32", "int8": "int32", "uint8": "int32", "int16": "int32", "uint16": "int32",
          "uint32": "int64", "float16": "float32"}  # fmt: skip


def weights(values: Any, count: int, dtype: npt.DTypeLike | None = None, what: str = "weights") -> Array:
    """Returns a contiguous array of a weight type: the caller's array if it is one, else a copy."""
    array = vector(what, values)
    if array.size != count:
        raise ValueError(f"there must be a weight for each of the {count} edges, not {array.size}")
    if dtype is not None:
        type_of(dtype)
        return plain(array, dtype=dtype)
    name = array.dtype.name
    if name == "uint64":
        return integers(what, array, 64)
    if name not in TYPES and name not in _WIDER:
        raise TypeError(f"{what} must be numbers of int32, int64, float32 or float64, not {name}")
    return plain(array, dtype=_WIDER.get(name) or name)


def vertex(what: str, value: Any) -> int:
    """Returns the value as an int if int32 holds it; the library checks it against the graph."""
    number = operator.index(value)
    if not -(2**31) <= number < 2**31:
        raise NotFoundError(f"{what} vertex {number} does not exist: vertices are less than 2^31")
    return number


def vertices(what: str, values: Any) -> Array:
    """Returns one vertex or several as an int32 array."""
    if isinstance(values, (int, np.integer)) and not isinstance(values, (bool, np.bool_)):
        return np.array([vertex(what, values)], dtype=np.int32)
    if np.ndim(values) == 0:
        raise TypeError(f"{what} vertices must be integers, one or an array, not {type(values).__name__}")
    return integers(f"{what} vertices", values)


_NOTHING = ffi.new("int64_t[1]")


def pointer(array: Array | None) -> Any:
    """Returns the address of a contiguous array, for C a pointer of any type; the array must outlive its use."""
    if array is None:
        return ffi.NULL
    if not array.size:  # an address that is not NULL, which would mean "none"
        return ffi.cast("void *", _NOTHING)
    return ffi.cast("void *", ffi.from_buffer(array))


def writable(what: str, array: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Checks a caller's array for results."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"out: {what} must be a NumPy array, not {type(array).__name__}")
    if array.dtype != dtype or array.shape != shape:
        raise ValueError(f"out: {what} must be {dtype.name} of shape {shape}, not {array.dtype.name} of {array.shape}")
    if not array.flags.c_contiguous or not array.flags.writeable:
        raise ValueError(f"out: {what} must be contiguous and writable")
    if not array.flags.aligned:
        raise ValueError(f"out: {what} must be at an address that is a multiple of {dtype.itemsize}")
    return array


class _Memory:
    """Memory of the library for NumPy. Views of it keep this object alive, and this object keeps its owner alive."""

    def __init__(self, address: Any, shape: tuple[int, ...], dtype: np.dtype[Any], owner: object) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "data": (int(ffi.cast("uintptr_t", address)), True),  # True: read-only
            "shape": shape,
            "typestr": dtype.str,
            "version": 3,
        }


def view(address: Any, count: int, dtype: npt.DTypeLike, owner: object) -> Array:
    """Returns a read-only view of the library's memory."""
    if not count:
        return np.empty(0, dtype=dtype)
    return np.asarray(_Memory(address, (count,), np.dtype(dtype), owner))
