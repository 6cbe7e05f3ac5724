"""The graphs of the C library: the handle, and calls that make one from arrays or with a reader's options."""

from __future__ import annotations

import threading
from typing import Any, Literal

import numpy as np

from pyfringe import _arrays, _device
from pyfringe._arrays import Array
from pyfringe._core import LIGHT, Call, Process, Progress, c_string, struct
from pyfringe._fringe import ffi, lib

_KINDS = {"weak": lib.FR_COMPONENTS_WEAK, "strong": lib.FR_COMPONENTS_STRONG}


class _Solvers(threading.local):
    """The solvers that one thread uses again for a graph; no other thread reads or changes them."""

    def __init__(self) -> None:
        self.engines: dict[tuple[Any, ...], Any] = {}


class Handle:
    """An fr_graph, the arrays that it borrows, and the solvers that `bfs` and the other functions reuse."""

    def __init__(self, pointer: Any, borrowed: object = None) -> None:
        self.pointer: Any = ffi.gc(pointer, lib.fr_graph_free)
        self.borrowed = borrowed
        self.solvers: _Solvers = _Solvers()
        self.routers: list[Any] = []  # of `path`
        self.n: int = int(lib.fr_graph_vertex_count(pointer))
        self.work: int = self.n + int(lib.fr_graph_edge_count(pointer))

    def lent(self) -> list[Any]:
        """Returns the caller's arrays that this graph, or the one that it is made of, reads."""
        if isinstance(self.borrowed, Handle):
            return self.borrowed.lent()
        return list(self.borrowed) if isinstance(self.borrowed, (list, tuple)) else []

    def call(
        self, function: Any, *arguments: Any, work: int | None = None, progress: Progress | bool | None = None
    ) -> None:
        """Calls a function of the library, whose first arguments are a context and this graph, and checks its status."""
        with Call(progress, self.work if work is None else work) as context:
            context.check(function(context.pointer, self.pointer, *arguments))

    def components(self, kind: str, engine: str, size: Array | None = None) -> tuple[int, Array]:
        """Returns the number of components and the labels; fills `size`."""
        if kind not in _KINDS:
            raise ValueError(f"kind is 'weak' or 'strong', not {kind!r}")
        label, count = np.empty(self.n, np.int32), ffi.new("int32_t *")
        outputs = _arrays.pointer(label), ffi.NULL if size is None else _arrays.pointer(size), count
        work = self.work // (LIGHT if kind == "weak" else 1)
        self.call(lib.fr_components, _KINDS[kind], backend_of(engine), *outputs, work=work)
        return int(count[0]), label


def new_handle(
    function: Any, *arguments: Any, work: int | None = None, progress: Progress | bool | None = None, keep: object = None
) -> Handle:
    """Calls a function of the library that makes a graph; the graph borrows from `keep`."""
    out = ffi.new("fr_graph **")
    with Call(progress, work) as ctx:
        ctx.check(function(ctx.pointer, *arguments, out))
    return Handle(out[0], keep)


EngineName = Literal["auto", "cpu", "cuda"]
_ENGINES = {"auto": lib.FR_BACKEND_ANY, "cpu": lib.FR_BACKEND_CPU, "cuda": lib.FR_BACKEND_CUDA}


def backend_of(engine: str) -> int:
    """Returns the fr_backend of an engine."""
    if engine not in _ENGINES:
        raise ValueError(f"engine is 'auto', 'cpu' or 'cuda', not {engine!r}")
    if engine == "cuda":
        Process.refuse_gpu()
    return int(_ENGINES["cpu" if Process.forked else engine])


_CHOICES: dict[str, dict[str | None, int]] = {
    "direction": {None: lib.FR_DIRECTION_FILE, "directed": lib.FR_DIRECTION_DIRECTED,
                  "undirected": lib.FR_DIRECTION_UNDIRECTED},
    "weights": {None: lib.FR_WEIGHTS_FILE, "none": lib.FR_WEIGHTS_NONE, "random": lib.FR_WEIGHTS_RANDOM,
                "potential": lib.FR_WEIGHTS_POTENTIAL, "exponential": lib.FR_WEIGHTS_EXPONENTIAL,
                "lognormal": lib.FR_WEIGHTS_LOGNORMAL},
    "ids": {None: lib.FR_IDS_INTEGERS, "integers": lib.FR_IDS_INTEGERS, "strings": lib.FR_IDS_STRINGS,
            "auto": lib.FR_IDS_AUTO},
    "separator": {None: 0, **{sign: ord(sign) for sign in ",;|:\t "}},
    "decimal": {None: 0, **{sign: ord(sign) for sign in ".,"}},
}  # fmt: skip
_OPTIONS = {name for name, _ in ffi.typeof("fr_load_options").fields} - {"struct_size"}
_TEXTS = ("format", "source_column", "target_column", "weight_column")


def load_options(given: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Returns an fr_load_options, and the objects that must outlive it."""
    options = struct("fr_load_options")
    keep: list[Any] = []
    for name, value in given.items():
        if name not in _OPTIONS:
            raise TypeError(f"there is no option {name!r}; the options are {', '.join(sorted(_OPTIONS))}")
        if name in _CHOICES:
            if value not in _CHOICES[name]:
                raise ValueError(f"{name} is one of {list(_CHOICES[name])}, not {value!r}")
            value = _CHOICES[name][value]
        elif name == "weight_type":
            value = _arrays.type_of(value)
        elif name in _TEXTS:
            number = name.endswith("_column") and isinstance(value, int)
            value = c_string(name, str(value) if number else value)
            keep.append(value)
        setattr(options, name, value)
    return options, keep


def borrow(arrays: list[Any], symmetric: bool) -> Handle:
    """Returns a graph that borrows the arrays of a CSR. Raises if they are not in the library's format."""
    offsets, targets, weights = arrays
    csr = ffi.new("fr_csr *", {"n": offsets.size - 1, "m": targets.size, "symmetric": bool(symmetric)})
    csr.offsets, csr.targets, csr.weights = map(_arrays.pointer, arrays)
    csr.weight_type = _arrays.type_of(None if weights is None else weights.dtype)
    work = (offsets.size + targets.size) // LIGHT
    return new_handle(lib.fr_graph_from_csr, csr, work=work, keep=arrays)


def borrowable(offsets: Array, targets: Array) -> tuple[Array, Array] | None:
    """Returns offsets and targets in the types that the library borrows; None if a target does not fit.

    Converting one array takes a twentieth of the time of the library's own copy, which sorts every row.
    """
    if targets.dtype != np.int32:
        if targets.size and not 0 <= targets.min() <= targets.max() < 2**31:
            return None
        targets = targets.astype(np.int32)
    return offsets.astype(np.int64, copy=False), targets


def from_rows(arrays: list[Any], copy: bool = False) -> Handle:
    """Returns the graph of a CSR with rows in any order; borrows the arrays if it can."""
    offsets, targets, weights = arrays
    given = {"offsets": offsets, "targets": targets, "weights": weights}
    types = {"vertex_type": targets.dtype, "offset_type": offsets.dtype}
    handle = from_arrays(offsets.size - 1, given, types, copy=copy)
    csr = lib.fr_graph_csr(handle.pointer)
    ours = [int(ffi.cast("uintptr_t", a)) for a in (csr.offsets, csr.targets, csr.weights)]
    lent = [a for a in arrays if a is not None and a.size and a.ctypes.data in ours]
    handle.borrowed = lent or None
    return handle


def from_arrays(n: int, arrays: dict[str, Any], types: dict[str, Any], copy: bool = False, **options: Any) -> Handle:
    """Calls fr_graph_from_arrays; options: members of fr_load_options."""
    targets, weights = arrays["targets"], arrays["weights"]
    types["weight_type"] = None if weights is None else weights.dtype
    given = struct("fr_arrays", n=n, m=targets.size, copy=copy)
    for name, array in arrays.items():
        setattr(given, name, _arrays.pointer(array))
    for name, dtype in types.items():
        setattr(given, name, _arrays.type_of(dtype))
    read, _ = load_options(options)
    return new_handle(lib.fr_graph_from_arrays, given, read, work=(n + targets.size) // 2)


def device_rows(indptr: Any, indices: Any, data: Any, symmetric: bool, stream: int | None) -> Handle:
    """Returns a graph that borrows the arrays of a CSR in a GPU's memory."""
    offsets = _device.vector("indptr", indptr, ("int32", "int64"))
    targets = _device.vector("indices", indices, ("int32",))
    weights = None if data is None else _device.vector("data", data, tuple(_arrays.TYPES), targets.size)
    if not 1 <= offsets.size <= 2**31:
        raise ValueError("indptr must have an entry more than there are vertices: 1 to 2^31")
    used = _device.common_stream(_device.checked_stream(stream), offsets, targets, weights)
    keep = offsets, targets, weights
    csr = struct("fr_device_csr", n=offsets.size - 1, m=targets.size, symmetric=symmetric)
    csr.offsets, csr.targets, csr.weights = (ffi.cast("void *", a.address if a else 0) for a in keep)
    csr.offset_type, csr.weight_type = (_arrays.type_of(a.dtype if a else None) for a in (offsets, weights))
    csr.stream = ffi.cast("void *", used or 0)
    return new_handle(lib.fr_graph_from_device_csr, csr, work=offsets.size + targets.size, keep=keep)
