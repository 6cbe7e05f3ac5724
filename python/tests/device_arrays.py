"""Arrays in a GPU's memory for tests: real ones, and what only says that it is one."""

import ctypes
import ctypes.util

import numpy as np
import pytest

import pyfringe as fr


class OnDevice:
    """What a GPU's array says of itself, over host memory: the library must notice."""

    def __init__(self, array, **said):
        self.array = array
        interface = {"shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False), "version": 3}
        self.__cuda_array_interface__ = {**interface, "strides": array.strides, **said}


class ByDLPack:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream=None):
        assert stream == -1
        return self.array.__dlpack__()


class OnHost(ByDLPack):
    """A tensor of PyTorch or JAX in host memory."""

    def __dlpack_device__(self):
        return (1, 0)


class DeviceMemory:
    """An array in GPU memory by the CUDA runtime alone, so that no package for GPUs is needed."""

    runtime: ctypes.CDLL

    @classmethod
    def need(cls):
        """Skips the test without a GPU or the CUDA runtime."""
        if not fr.devices():
            pytest.skip("no GPU")
        try:
            cls.runtime = ctypes.CDLL(ctypes.util.find_library("cudart") or "libcudart.so")
        except OSError as error:
            pytest.skip(f"no CUDA runtime: {error}")

    @classmethod
    def of(cls, values: np.ndarray) -> "DeviceMemory":
        """A copy of a NumPy array."""
        made = cls(values.size, values.dtype)
        to_device, pointer = 1, ctypes.c_void_p(values.ctypes.data)
        assert cls.runtime.cudaMemcpy(made.address, pointer, ctypes.c_size_t(values.nbytes), to_device) == 0
        return made

    def __init__(self, n: int, dtype: type):
        self.shape, self.dtype = (n,), np.dtype(dtype)
        self.address = ctypes.c_void_p()
        assert self.runtime.cudaMalloc(ctypes.byref(self.address), ctypes.c_size_t(n * self.dtype.itemsize)) == 0

    def __del__(self):
        self.runtime.cudaFree(self.address)

    @property
    def __cuda_array_interface__(self):
        data = (self.address.value, False)
        return {"shape": self.shape, "typestr": self.dtype.str, "data": data, "version": 3, "strides": None}

    def read(self) -> np.ndarray:
        values = np.empty(self.shape, self.dtype)
        to_host = 2
        pointer = ctypes.c_void_p(values.ctypes.data)
        assert self.runtime.cudaMemcpy(pointer, self.address, ctypes.c_size_t(values.nbytes), to_host) == 0
        return values
