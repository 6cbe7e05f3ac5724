"""The exceptions of pyfringe: one class for each status of the C library."""

from __future__ import annotations

from pyfringe._fringe import ffi, lib


class FringeError(Exception):
    """The base class of all exceptions of pyfringe.

    Attributes
    ----------
    complete_rows : int or None
        From `bfs_each`, `sssp_each` and `Solver.solve_each`: the rows of ``out`` that are complete, the first ones.
    """

    complete_rows: int | None = None


class VerifyError(FringeError):
    """An answer is wrong; the message names the first broken rule and its vertices."""


class NegativeCycleError(FringeError):
    """A negative cycle is reachable, so there are no shortest paths.

    Attributes
    ----------
    cycle : list of int
        Vertices v0 -> v1 -> ... -> v0, without the repetition of v0.
    weight : float
        The cycle's weight, which is negative.
    """

    cycle: list[int]
    weight: float

    def __init__(self, message: str, cycle: list[int] | None = None, weight: float = float("nan")) -> None:
        super().__init__(message)
        self.cycle = cycle or []
        self.weight = weight


class InvalidError(FringeError, ValueError):
    """An argument is invalid."""


class NotFoundError(FringeError, IndexError):
    """A vertex does not exist."""


class NoSuchFileError(FringeError, FileNotFoundError):
    """A file does not exist."""


class ReadError(FringeError, OSError):
    """Reading or writing failed."""


class FormatError(FringeError, ValueError):
    """A file does not follow its format."""


class UnsupportedError(FringeError, ValueError):
    """The library does not support the request."""


class RangeError(FringeError, ValueError):
    """A number is outside the range of its type."""


class NegativeWeightError(FringeError, ValueError):
    """A weight is negative, and the strategy needs non-negative weights."""


class DistanceOverflowError(FringeError, OverflowError):
    """A distance does not fit its type; ``dtype`` selects a wider one."""


class OutOfMemoryError(FringeError, MemoryError):
    """There is not enough memory."""


class DeviceError(FringeError, RuntimeError):
    """There is no usable GPU, or it reported an error."""


class CancelledError(FringeError):
    """A progress function cancelled the call."""


class ForkError(FringeError, RuntimeError):
    """A GPU was asked for in a process that was forked after its parent had used fringe."""


_CLASSES: dict[int, type[FringeError]] = {
    lib.FR_VERIFY_FAILED: VerifyError,
    lib.FR_NEGATIVE_CYCLE: NegativeCycleError,
    lib.FR_INVALID: InvalidError,
    lib.FR_NOT_FOUND: NotFoundError,
    lib.FR_IO: ReadError,
    lib.FR_FORMAT: FormatError,
    lib.FR_UNSUPPORTED: UnsupportedError,
    lib.FR_RANGE: RangeError,
    lib.FR_CHECKSUM: FormatError,
    lib.FR_NEGATIVE_WEIGHT: NegativeWeightError,
    lib.FR_OVERFLOW: DistanceOverflowError,
    lib.FR_NOMEM: OutOfMemoryError,
    lib.FR_NO_DEVICE: DeviceError,
    lib.FR_DEVICE: DeviceError,
    lib.FR_DISK: ReadError,
    lib.FR_CANCELLED: CancelledError,
}


def error_of(status: int, message: str) -> FringeError:
    """Returns the exception for a status of the C library."""
    meaning = ffi.string(lib.fr_status_message(status)).decode()
    return _CLASSES.get(status, FringeError)(message or meaning)
