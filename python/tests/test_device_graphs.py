"""Graphs of arrays in a GPU's memory: what is refused on any machine, and the same answers on one with a GPU."""

import numpy as np
import pytest
from device_arrays import ByDLPack, DeviceMemory, OnDevice

import pyfringe as fr

INDPTR, INDICES, DATA = np.array([0, 2, 3, 3]), np.array([1, 2, 2], np.int32), np.array([1.0, 4.0, 2.0])


@pytest.mark.parametrize("wrap", [OnDevice, ByDLPack])
@pytest.mark.parametrize(("kind", "words", "arrays"), [
    (TypeError, "indptr must be int32 or int64 in the GPU's memory, not float64", (INDPTR * 1.0, INDICES)),
    (TypeError, "indices must be int32 in the GPU's memory, not int64", (INDPTR, INDICES.astype(np.int64))),
    (TypeError, "data must be int32 or int64 or float32 or float64 .*, not float16", (INDPTR, INDICES, DATA.astype(np.float16))),
    (ValueError, "data must have 3 elements, not 2", (INDPTR, INDICES, DATA[:2])),
    (ValueError, "indices must be an array of one dimension, not of 2", (INDPTR, INDICES.reshape(3, 1))),
    (ValueError, "indptr must be contiguous", (np.repeat(INDPTR, 2)[::2], INDICES)),
    (ValueError, "an entry more than there are vertices", (INDPTR[:0], INDICES[:0])),
])  # fmt: skip
def test_wrong_arrays(wrap, kind, words, arrays):
    with pytest.raises(kind, match=words):
        fr.Graph.from_device_csr(*map(wrap, arrays))


def test_host_arrays_are_refused():
    for arrays in ((INDPTR, INDICES), (INDPTR.tolist(), INDICES.tolist()), (OnDevice(INDPTR), INDICES), (None, None)):
        with pytest.raises(TypeError, match="must be an array in a GPU's memory, not"):
            fr.Graph.from_device_csr(*arrays)
    with pytest.raises(TypeError, match="data must be an array in a GPU's memory, not ndarray"):
        fr.Graph.from_device_csr(OnDevice(INDPTR), OnDevice(INDICES), DATA)
    for wrong in (-1, 2**64):
        with pytest.raises(ValueError, match="address of a CUDA stream"):
            fr.Graph.from_device_csr(OnDevice(INDPTR), OnDevice(INDICES), stream=wrong)
    for wrap in (OnDevice, ByDLPack):
        with pytest.raises(TypeError, match=r"Graph\.from_device_csr"):
            fr.Graph.from_csr(wrap(INDPTR), wrap(INDICES))


class OnHost(ByDLPack):
    """A tensor of PyTorch or JAX in host memory."""

    def __dlpack_device__(self):
        return (1, 0)


def test_tensors_on_the_host_are_refused():
    with pytest.raises(TypeError, match="must be an array in a GPU's memory, not OnHost"):
        fr.Graph.from_device_csr(OnHost(INDPTR), OnHost(INDICES))


@pytest.mark.parametrize("wrap", [OnDevice, ByDLPack])
def test_arrays_that_are_not_on_the_gpu(wrap):
    """With a GPU the library looks where the arrays are; without, it says that there is none."""
    kind, words = (ValueError, "memory") if fr.devices() else (fr.errors.DeviceError, "GPU|CUDA")
    with pytest.raises(kind, match=words):
        fr.Graph.from_device_csr(wrap(INDPTR), wrap(INDICES), wrap(DATA))


def grid():
    return fr.Graph.generate("grid2d:rows=100,cols=90", weights="random", weight_low=1, weight_high=99, seed=3)


@pytest.mark.parametrize("narrow", [False, True])
def test_the_same_answers_on_the_gpu(narrow):
    DeviceMemory.need()
    host = grid()
    arrays = [DeviceMemory.of(a.astype(np.int32) if narrow else a) for a in (host.indptr, host.indices, host.data)]
    g = fr.Graph.from_device_csr(*arrays, symmetric=True)
    del arrays
    assert (g.n, g.m, g.symmetric, g.weight_dtype) == (host.n, host.m, True, host.weight_dtype)
    level = DeviceMemory(g.n, np.int32)
    fr.bfs(g, 5, engine="cuda", out=level)
    assert (level.read() == fr.bfs(host, 5, engine="cpu").level).all()
    assert (fr.sssp(g, 5, engine="cuda").dist == fr.sssp(host, 5, engine="cpu").dist).all()
    assert (fr.bfs_each(g, [0, 7], verify=True).level == fr.bfs_each(host, [0, 7]).level).all()
    assert g.hash == host.hash and (g.indices == host.indices).all()
    fr.sssp(g, 5, engine="cpu", verify=True)


def test_wrong_rows_on_the_gpu():
    DeviceMemory.need()
    for wrong in ([0, 2, 1, 3], [0, 2, 3, 4], [1, 2, 3, 3]):
        with pytest.raises(ValueError):
            fr.Graph.from_device_csr(DeviceMemory.of(np.array(wrong)), DeviceMemory.of(INDICES))
    with pytest.raises(ValueError, match="symmetric"):
        fr.Graph.from_device_csr(DeviceMemory.of(INDPTR), DeviceMemory.of(INDICES), symmetric=True)


@pytest.mark.parametrize("package", ["cupy", "torch"])
def test_csr_of_gpu_packages(package):
    """The package's own arrays, written by kernels of its current stream just before."""
    if not fr.devices():
        pytest.skip("no GPU")
    module = pytest.importorskip(package)
    host = grid()
    as_array = module.asarray if package == "cupy" else lambda a: module.tensor(np.array(a), device="cuda")
    made = [as_array(a) + 0 for a in (host.indptr, host.indices, host.data)]
    g = fr.Graph.from_device_csr(*made, symmetric=True)
    del made
    module.zeros(host.m, **({} if package == "cupy" else {"device": "cuda"}))  # memory that was freed would be used again
    assert (fr.bfs(g, 0, engine="cuda").level == fr.bfs(host, 0, engine="cpu").level).all()
