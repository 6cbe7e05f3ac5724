"""The exceptions of pyfringe: one class for each status of the C library."""

from __future__ import annotations

from pyfringe._fringe import ffi, lib


_CLASSES: dict[int, type[FringeError]] = {}


class FringeError(Exception):
    """The base class of all exceptions of pyfringe.

    Attributes
    ----------
    complete_rows : int or None
        From `bfs_each`, `sssp_each` and `Solver.solve_each`: the rows of ``out`` that are complete, the first ones.
    """

    complete_rows: int | None = None

    def __init_subclass__(cls, statuses: tuple[int, ...] = ()) -> None:
        _CLASSES.update(dict.fromkeys(statuses, cls))


class VerifyError(FringeError, statuses=(lib.FR_VERIFY_FAILED,)):
    """An answer is wrong; the message names the first broken rule and its vertices."""


class NegativeCycleError(FringeError, statuses=(lib.FR_NEGATIVE_CYCLE,)):
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


class InvalidError(FringeError, ValueError, statuses=(lib.FR_INVALID,)):
    """An argument is invalid."""


class NotFoundError(FringeError, IndexError, statuses=(lib.FR_NOT_FOUND,)):
    """A vertex does not exist."""


class NoSuchFileError(FringeError, FileNotFoundError):
    """A file does not exist."""


class ReadError(FringeError, OSError, statuses=(lib.FR_IO, lib.FR_DISK)):
    """Reading or writing failed."""


class FormatError(FringeError, ValueError, statuses=(lib.FR_FORMAT, lib.FR_CHECKSUM)):
    """A file does not follow its format."""


class UnsupportedError(FringeError, ValueError, statuses=(lib.FR_UNSUPPORTED,)):
    """The library does not support the request."""


class RangeError(FringeError, ValueError, statuses=(lib.FR_RANGE,)):
    """A number is outside the range of its type."""


class NegativeWeightError(FringeError, ValueError, statuses=(lib.FR_NEGATIVE_WEIGHT,)):
    """A weight is negative, and the strategy needs non-negative weights."""


class DistanceOverflowError(FringeError, OverflowError, statuses=(lib.FR_OVERFLOW,)):
    """A distance does not fit its type; ``dtype`` selects a wider one."""


class OutOfMemoryError(FringeError, MemoryError, statuses=(lib.FR_NOMEM,)):
    """There is not enough memory."""


class DeviceError(FringeError, RuntimeError, statuses=(lib.FR_NO_DEVICE, lib.FR_DEVICE)):
    """There is no usable GPU, or it reported an error."""


class CancelledError(FringeError, statuses=(lib.FR_CANCELLED,)):
    """A progress function cancelled the call."""


class ForkError(FringeError, RuntimeError):
    """A GPU was asked for in a process that was forked after its parent had used fringe."""


def error_of(status: int, message: str) -> FringeError:
    """Returns the exception for a status of the C library."""
    meaning = ffi.string(lib.fr_status_message(status)).decode()
    return _CLASSES.get(status, FringeError)(message or meaning)
