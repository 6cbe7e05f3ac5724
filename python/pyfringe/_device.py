"""Arrays in a GPU's memory, of CuPy, PyTorch, Numba or JAX, for results that stay on the GPU."""

from __future__ import annotations

import ctypes
import operator
import sys
from typing import Any, NamedTuple

import numpy as np

from pyfringe._core import Call, struct
from pyfringe._fringe import ffi, lib

KDL_CUDA = (2, 13)  # DLPack's device types: kDLCUDA, kDLCUDAManaged
DLPACK_CODES = {0: "i", 1: "u", 2: "f"}


class Device(NamedTuple):
    """A GPU that fringe can use."""

    name: str
    compute_capability: int
    """90: 9.0."""
    multiprocessors: int
    free_bytes: int
    total_bytes: int


def devices() -> list[Device]:
    """Returns the GPUs that fringe can use, in the order of ``config.device``; none in a build without GPU code.

    Opening a GPU takes 0.2 to 0.35 s the first time.

    Examples
    --------
    >>> all(device.total_bytes >= device.free_bytes for device in devices())
    True
    """
    made = []
    count = ffi.new("int *")
    with Call() as ctx:
        status = lib.fr_device_count(ctx.pointer, count)
        if status == lib.FR_NO_DEVICE:
            return []
        ctx.check(status)
        for i in range(count[0]):
            info = struct("fr_device_info")
            ctx.check(lib.fr_device_get(ctx.pointer, i, info))
            name = ffi.string(info.name).decode("utf-8", "replace")
            rest = info.compute_capability, info.multiprocessors, info.free_bytes, info.total_bytes
            made.append(Device(name, *rest))
    return made


class DeviceArray(NamedTuple):
    """The address, type and shape of a caller's array on a GPU, and the array itself, which must stay alive."""

    owner: Any
    address: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    stream: int | None
    """The stream on which the array is used, if it says so."""
    keep: object = None

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def end(self) -> int:
        return self.address + self.size * self.dtype.itemsize


def overlap(one: Any, other: Any) -> bool:
    """Returns whether two contiguous arrays, NumPy's or a GPU's, share memory; None is no array."""
    if isinstance(one, DeviceArray) and isinstance(other, DeviceArray):
        return one.address < other.end and other.address < one.end
    return isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and bool(np.may_share_memory(one, other))


def is_on_device(array: Any) -> bool:
    """Returns whether the array states that it is in a GPU's memory; for a NumPy array nothing is queried."""
    if array is None or isinstance(array, np.ndarray):
        return False
    if hasattr(array, "__dlpack_device__"):
        return array.__dlpack_device__()[0] in KDL_CUDA
    return hasattr(array, "__cuda_array_interface__")


def _read(array: Any) -> tuple[DeviceArray, bool, bool]:
    """Returns (array, is contiguous, is writable)."""
    return _from_interface(array) if hasattr(array, "__cuda_array_interface__") else _from_dlpack(array)


def describe(what: str, array: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> DeviceArray:
    """Checks a caller's array for results."""
    made, contiguous, writable = _read(array)
    if made.dtype != dtype or made.shape != shape:
        raise ValueError(f"out: {what} must be {dtype.name} of shape {shape}, not {made.dtype.name} of {made.shape}")
    if not contiguous or not writable:
        raise ValueError(f"out: {what} must be contiguous and writable")
    return made


def vector(what: str, array: Any, dtypes: tuple[str, ...], size: int | None = None) -> DeviceArray:
    """Checks a caller's array of inputs."""
    if not is_on_device(array):
        raise TypeError(f"{what} must be an array in a GPU's memory, not {type(array).__name__}")
    made, contiguous, _ = _read(array)
    if made.dtype.name not in dtypes:
        raise TypeError(f"{what} must be {' or '.join(dtypes)} in the GPU's memory, not {made.dtype.name}")
    if len(made.shape) != 1:
        raise ValueError(f"{what} must be an array of one dimension, not of {len(made.shape)}")
    if size is not None and made.size != size:
        raise ValueError(f"{what} must have {size} elements, not {made.size}")
    if not contiguous:
        raise ValueError(f"{what} must be contiguous")
    return made


def checked_stream(stream: int | None) -> int | None:
    """Returns the address of a caller's stream."""
    if stream is not None and not 0 <= operator.index(stream) < 2**64:
        raise ValueError(f"stream is the address of a CUDA stream, not {stream}")
    return stream


def common_stream(stream: int | None, *arrays: DeviceArray | None) -> int | None:
    """Returns the given stream, else the first one that an array states."""
    named = [a.stream for a in arrays if a is not None and a.stream is not None]
    return named[0] if stream is None and named else stream


def _is_contiguous(shape: tuple[int, ...], strides: Any, step: int) -> bool:
    if strides is None or 0 in shape:
        return True
    for length, stride in zip(reversed(shape), reversed(strides), strict=True):
        if length != 1 and stride != step:
            return False
        step *= length
    return True


def _torch_stream(array: Any) -> int | None:
    """Returns PyTorch's current stream for a tensor, which does not state its stream; None for other arrays."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(array, torch.Tensor):
        return None
    return int(torch.cuda.current_stream(array.device).cuda_stream)


def _from_interface(array: Any) -> tuple[DeviceArray, bool, bool]:
    """Returns (array, is contiguous, is writable) by the CUDA array interface."""
    interface = array.__cuda_array_interface__
    address, read_only = interface["data"]
    dtype, shape = np.dtype(interface["typestr"]), tuple(interface["shape"])
    made = DeviceArray(array, int(address or 0), dtype, shape, interface.get("stream", _torch_stream(array)))
    return made, _is_contiguous(shape, interface.get("strides"), dtype.itemsize), not read_only


def _from_dlpack(array: Any) -> tuple[DeviceArray, bool, bool]:
    """Returns the same by DLPack. Passes stream -1, because the library itself waits for the caller's stream."""
    capsule = array.__dlpack__(stream=-1)
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = ffi.cast("pf_tensor *", get(capsule, b"dltensor"))
    if tensor.code not in DLPACK_CODES or tensor.lanes != 1:
        raise TypeError("an array in the GPU's memory must be of integers or floats")
    dtype = np.dtype(f"{DLPACK_CODES[tensor.code]}{tensor.bits // 8}")
    shape = tuple(ffi.unpack(tensor.shape, tensor.ndim))
    strides = None if tensor.strides == ffi.NULL else tuple(ffi.unpack(tensor.strides, tensor.ndim))
    address = int(ffi.cast("uintptr_t", tensor.data)) + tensor.byte_offset
    return DeviceArray(array, address, dtype, shape, None, capsule), _is_contiguous(shape, strides, 1), True
