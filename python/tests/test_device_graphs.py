"""Graphs of arrays in a GPU's memory: the same answers, on a machine with a GPU."""

import numpy as np
import pytest
from device_arrays import DeviceMemory

import pyfringe as fr

INDPTR, INDICES, DATA = np.array([0, 2, 3, 3]), np.array([1, 2, 2], np.int32), np.array([1.0, 4.0, 2.0])


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
