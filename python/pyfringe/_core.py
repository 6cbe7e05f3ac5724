"""Contexts, calls and their cancellation: the layer between the C library and the rest of the package."""

from __future__ import annotations

import operator
import os
import threading
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pyfringe._fringe import ffi, lib
from pyfringe.errors import CancelledError, ForkError, FringeError, error_of

Progress = Callable[[str, int, int], object]
Key = tuple[int, tuple[int, ...], int]  # threads, GPUs and memory of a context
MAX_DEVICES = 16
MAX_THREADS = 4096


@dataclass
class _Config:
    """Settings of the contexts that pyfringe makes; a change counts from the next call on.

    Attributes
    ----------
    threads : int
        Threads of a call; 0 for as many as the process may use.
    device : int
        Ordinal of the GPU.
    devices : sequence of int
        Several GPUs of this host, at most 16 different ones, instead of `device`: the rows of `apsp`,
        `bfs_each` and `sssp_each` are divided among them; anything else runs on the first. Each holds a
        copy of the graph.
    max_memory : int
        Limit in bytes; 0 for the machine's memory.
    """

    threads: int = 0
    device: int = 0
    max_memory: int = 0
    devices: Sequence[int] = ()

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(_Config, name) or name == "key":
            raise AttributeError(f"config has threads, device, devices and max_memory, not {name!r}")
        if name != "devices":
            try:
                value = operator.index(value)
            except TypeError:
                raise TypeError(f"config.{name} must be an integer, not {type(value).__name__}") from None
            if value < 0:
                raise ValueError(f"config.{name} must be at least 0, not {value}")
            if name == "threads" and value > MAX_THREADS:
                raise ValueError(f"config.threads must be at most {MAX_THREADS}, not {value}")
        super().__setattr__(name, value)

    def key(self) -> Key:
        if not self.devices:
            return (self.threads, (self.device,), self.max_memory)
        if not isinstance(self.devices, (tuple, list, range)):
            raise TypeError(f"config.devices must be a list of GPUs by number, not {type(self.devices).__name__}")
        return (self.threads, tuple(self.devices), self.max_memory)


config: _Config = _Config()


def c_text(what: str, value: object) -> bytes:
    """Returns a caller's string as bytes for C; refuses a zero byte, which would end it."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{what} holds a zero byte: {value!r}")
    return value.encode()


def c_string(what: str, value: object) -> Any:
    """Returns a caller's string, or NULL for None, as a member or an argument of C; it must outlive its use."""
    return ffi.NULL if value is None else ffi.new("char[]", c_text(what, value))


def struct(kind: str, **members: Any) -> Any:
    """Returns a struct that begins with its size, as FR_INIT makes it."""
    return ffi.new(f"{kind} *", {"struct_size": ffi.sizeof(kind), **members})


def members(of: Any) -> dict[str, Any]:
    """Returns the members of a struct of the library, numbers and lists of them, but its size."""
    made = {}
    for name, field in ffi.typeof(of).item.fields:
        if field.type.kind in ("primitive", "array") and name != "struct_size":
            value = getattr(of, name)
            made[name] = list(value) if field.type.kind == "array" else value
    return made


def taken(content: Any, size: Any) -> bytes:
    """Returns bytes that the library allocated, and frees them."""
    try:
        return bytes(ffi.buffer(content[0], size[0]))
    finally:
        lib.fr_memory_free(content[0])


class Process:
    """Whether this process has used fringe, and whether it is a fork of one that had.

    Such a child has none of the threads of the OpenMP team that its parent's thread started: a parallel region for more
    than one thread would wait for them for ever. One for a single thread needs none, so everything runs on one thread
    there, in contexts of the child's own. A GPU of the parent cannot be used.
    """

    used = False
    forked = False
    parents: list[object] = []  # contexts of the parent: freeing them could wait for its threads or use its GPU

    @classmethod
    def after_fork(cls) -> None:
        cls.forked = cls.forked or cls.used
        if cls.forked:
            cls.parents.append(_thread.contexts)
            _thread.contexts = {}

    @classmethod
    def refuse_gpu(cls) -> None:
        """Raises where a GPU is asked for in a child of fork()."""
        if cls.forked:
            raise ForkError(
                "this process was forked after its parent had used fringe, and a GPU cannot be used on both sides of a "
                "fork; start processes with multiprocessing's 'spawn' or 'forkserver' method"
            )


# The functions and fields that the library's messages name, and what stands for them in this package.
_WORDS = {
    "fr_strategy_get": "pyfringe.strategies()",
    "fr_format_name": "pyfringe.formats()",
    "fr_format_writable": "pyfringe.formats()",
    "fr_generator_name": "pyfringe.generators()",
    "fr_load_options.format": "the argument format",
    "fr_ctx_options.threads": "config.threads",
    "max_memory_bytes": "config.max_memory",
    "dist_type": "dtype",
}


class Context:
    """An fr_ctx. It serves one call at a time; `lock` is held during a call."""

    def __init__(self, key: Key) -> None:
        Process.used = True
        self.key = key
        self.pid: int = os.getpid()
        self.lock: threading.Lock = threading.Lock()
        self.solvers_to_free: list[tuple[Any, object]] = []  # each with the object that it borrows from
        self.raised: BaseException | None = None  # the exception of a callback during the call
        self.progress: Progress | None = None
        self.row: Callable[[int, int, Any, Any], object] | None = None
        self.route: Callable[[Any, Any, int], object] | None = None
        self._handle = ffi.new_handle(self)
        self.gate: Any = ffi.new("pf_gate *", {"self": self._handle})
        out = ffi.new("fr_ctx **")
        threads, devices, memory = key
        if not (0 <= min(devices) <= max(devices) < 2**31 and memory < 2**64):
            reason = f"config: GPUs are at least 0 and below 2^31, max_memory is below 2^64, not {devices} and {memory}"
            raise error_of(lib.FR_INVALID, reason)
        if len(set(devices)) < len(devices) or len(devices) > MAX_DEVICES:
            raise error_of(lib.FR_INVALID, f"config.devices must be at most {MAX_DEVICES} different GPUs: {devices}")
        status = lib.pf_ctx_new(self.gate, threads, devices, len(devices), memory, out)
        if status:
            raise error_of(status, f"a context for {threads or 'all'} threads could not be made")
        self.pointer: Any = ffi.gc(out[0], lib.fr_ctx_free)

    def is_inherited(self) -> bool:
        """Returns whether the context was made before this process was forked, and cannot be used here."""
        return Process.forked and self.pid != os.getpid()

    def check(self, status: int) -> None:
        """Raises the exception for the status of a call; called with the lock held."""
        if status or self.raised is not None:
            raise self.error(status)

    def error(self, status: int) -> BaseException:
        raised, self.raised = self.raised, None
        if raised is not None:
            return raised
        message = ffi.string(lib.fr_ctx_error(self.pointer)).decode("utf-8", "replace")
        for theirs, ours in _WORDS.items():
            message = message.replace(theirs, ours)
        return error_of(status, message)

    def begin(self) -> None:
        """Prepares for a call; the lock is held."""
        while self.solvers_to_free:
            lib.fr_solver_free(self.solvers_to_free.pop()[0])
        self.raised = None
        lib.pf_begin(self.gate)

    def free_solver(self, solver: Any, keep: object) -> None:
        """Frees a solver now, or after the call that is using the context; not in a fork of the process that made it."""
        if self.is_inherited():
            Process.parents.append((self, keep))
        elif self.lock.acquire(blocking=False):
            try:
                lib.fr_solver_free(solver)
            finally:
                self.lock.release()
        else:
            self.solvers_to_free.append((solver, keep))

    def __del__(self) -> None:
        if not self.is_inherited():
            for solver, _ in self.solvers_to_free:
                lib.fr_solver_free(solver)


class _Thread(threading.local):
    def __init__(self) -> None:
        self.contexts: dict[Key, Context] = {}


_thread = _Thread()
os.register_at_fork(after_in_child=Process.after_fork)
# One thread solves a graph with fewer vertices and edges than this, because waking a team of threads takes longer than
# the work, above all if other programs use the cores. On Kronecker 12 (101,000 vertices and edges, two shared cores)
# BFS then takes 0.03 ms of processor time instead of 0.47 ms, and SSSP gains as much. One thread needs at most 2 ms for
# a traversal of this size.
SMALL = 1 << 17
# BFS, weak components and a check of the rows take at most a quarter of SSSP's time for a vertex or an edge. BFS on
# Kronecker 14 (540,000 vertices and edges) then takes 0.1 ms of processor time on those cores instead of 8 ms.
LIGHT = 4


def context_key(work: int | None) -> Key:
    """Returns the settings of a context for work as SSSP has on `work` vertices and edges; None: unknown."""
    key = config.key()
    if Process.forked:
        return (1, *key[1:])
    return (1, *key[1:]) if work is not None and work < SMALL and key[0] == 0 else key


def thread_context(work: int | None = None) -> Context:
    """Returns the context of this thread, or a new one inside a callback, when the thread's context is in use."""
    key = context_key(work)
    context = _thread.contexts.get(key)
    if context is None:
        if len(_thread.contexts) > 2:  # some belong to settings that were changed since
            _thread.contexts.clear()
        context = _thread.contexts[key] = Context(key)
    return Context(key) if context.lock.locked() else context


def is_kept(context: Context) -> bool:
    """Returns whether the context is this thread's own, and not one for a call inside a callback."""
    return _thread.contexts.get(context.key) is context


class _Bar:
    """Shows one bar of tqdm for each phase of a call."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm

        self._make: Any = tqdm
        self._bar: Any = None
        self._phase: str | None = None

    def __call__(self, phase: str, done: int, total: int) -> None:
        if phase != self._phase:
            if self._bar is not None:
                self._bar.close()
            self._phase, self._bar = phase, self._make(total=total or None, desc=phase)
        self._bar.n = done
        self._bar.refresh()


def as_progress(progress: Progress | bool | None) -> Progress | None:
    """Returns a caller's progress function; True: a bar."""
    if progress is True:
        return _Bar()
    if progress is None or progress is False:
        return None
    if not callable(progress):
        raise TypeError(f"progress must be a function or True, not {type(progress).__name__}")
    return progress


class Call:
    """Makes one call with this thread's context: `with Call() as ctx: ctx.check(lib.fr_...(ctx.pointer, ...))`."""

    entered = 0  # calls so far, for tests of whether a function called the library

    def __init__(self, progress: Progress | bool | None = None, work: int | None = None) -> None:
        self._progress = as_progress(progress)
        self._work = work

    def __enter__(self) -> Context:
        Call.entered += 1
        self._context = context = thread_context(self._work)
        context.lock.acquire()
        context.progress = self._progress
        context.begin()
        return context

    def __exit__(self, *_: object) -> None:
        self._context.progress = None
        self._context.lock.release()


_Self = TypeVar("_Self", bound="Owner")


_remaking = threading.RLock()  # held while an unpickled solver or router is made


class Owner:
    """Owns a solver or a router of the library with a context of its own. One thread at a time may use it.

    A child of fork() makes it again, and so does the first use of an unpickled one. `_made`: an object with its
    `context`, PICKLED before that use, None once closed; `_make` makes it from `_graph` and `_made_from`.
    """

    __slots__ = ("__weakref__", "_context", "_graph", "_made", "_made_from")
    PICKLED = "pickled"
    _noun = ""
    _made: Any
    _graph: Any
    _made_from: Any

    def _make(self, progress: Progress | None) -> Any:
        raise NotImplementedError

    def _own_context(self, work: int, progress: Progress | None) -> Context:
        self._context = Context(context_key(work))
        self._context.progress = progress
        return self._context

    def _open(self) -> Any:
        made = self._made  # another thread may close it meanwhile
        if made is self.PICKLED:
            with _remaking:
                if self._made is self.PICKLED:
                    self._made = self._make(None)
                made = self._made
        if made is None:
            raise FringeError(f"the {self._noun} is closed")
        if made.context.is_inherited():
            Process.parents.append(made)
            self._made = made = self._make(made.context.progress)
        return made

    def _acquire(self) -> None:
        """Takes the lock of the context for a call."""
        if not self._context.lock.acquire(False):
            raise FringeError(f"the {self._noun} is in use by another thread or by the call that runs this callback")

    def close(self) -> None:
        """Frees the memory, after the call of another thread that uses it."""
        self._made = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the graph and the settings, without a progress function."""
        if self._made is None:
            raise FringeError(f"the {self._noun} is closed and cannot be pickled")
        return _restore, (type(self), self._graph, self._made_from)

    def __repr__(self) -> str:
        what = "closed" if self._made is None else f"{self._settings()}, {self._graph._size()}"
        return f"<pyfringe.{type(self).__name__}: {what}>"

    def _settings(self) -> str:
        raise NotImplementedError

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _restore(kind: type[Owner], graph: Any, made_from: Any) -> Owner:
    """Unpickles a solver or a router without making it: an exception here would end a worker of a pool."""
    owner = kind.__new__(kind)
    owner._graph, owner._made_from, owner._made = graph, made_from, Owner.PICKLED
    return owner


# C calls the following functions with the GIL held; it calls pf_ask every 50 ms during a call. Running Python code runs
# the handlers of pending signals, so Ctrl-C raises KeyboardInterrupt here.


def _keep_exception(_type: Any, value: BaseException, _traceback: Any) -> None:
    """Stores the exception in the context of the call's frame; cffi calls this as onerror."""
    frame = _traceback.tb_frame
    handle = frame.f_locals.get("self")
    if handle is None:  # interrupted before its first line: no context to keep it in
        traceback.print_exception(value)
        return
    ffi.from_handle(handle).raised = value


@ffi.def_extern(error=1, onerror=_keep_exception)  # type: ignore[untyped-decorator]
def pf_ask(self: Any, phase: Any, done: int, total: int) -> int:
    context: Context = ffi.from_handle(self)
    if context.progress is not None and context.progress(ffi.string(phase).decode(), done, total):
        raise CancelledError("the progress function cancelled the call")
    return 0


@ffi.def_extern(error=1, onerror=_keep_exception)  # type: ignore[untyped-decorator]
def pf_row(self: Any, row: int, source: int, dist: Any, parent: Any) -> int:
    context: Context = ffi.from_handle(self)
    if context.row is not None and context.row(row, source, dist, parent):
        raise CancelledError("the function of the rows cancelled the call")
    return 0


@ffi.def_extern(error=1, onerror=_keep_exception)  # type: ignore[untyped-decorator]
def pf_route(self: Any, _index: int, dist: Any, path: Any, length: int) -> int:
    context: Context = ffi.from_handle(self)
    if context.route is not None:
        context.route(dist, path, length)
    return 0
