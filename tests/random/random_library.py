"""The library's own C interface in Python, by cffi from the public header; needs NumPy and cffi."""

import pathlib
import subprocess
import tempfile

import cffi

HEADER = pathlib.Path(__file__).resolve().parents[2] / "include" / "fringe.h"


class Mismatch(Exception):
    pass


class Library:
    def __init__(self, path):
        with tempfile.TemporaryDirectory() as empty:
            for name in ("stdbool.h", "stddef.h", "stdint.h", "stdio.h"):
                pathlib.Path(empty, name).touch()
            words = ["cc", "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", empty, str(HEADER)]
            text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        self.ffi = cffi.FFI()
        self.ffi.cdef(text)
        self.lib = self.ffi.dlopen(str(path))
        self.ctx = self.out("fr_ctx *", lambda at: self.lib.fr_ctx_new(self.ffi.NULL, at))

    def out(self, kind, call):
        at = self.ffi.new(kind + "*")
        status = call(at)
        if status:
            raise Mismatch(f"{self.text(self.lib.fr_status_name(status))}: {self.error()}")
        return at[0]

    def error(self):
        return self.text(self.lib.fr_ctx_error(self.ctx)) if hasattr(self, "ctx") else ""

    def text(self, pointer):
        return self.ffi.string(pointer).decode()

    def need(self, status, allowed=0):
        if status not in (0, allowed):
            raise Mismatch(f"{self.text(self.lib.fr_status_name(status))}: {self.error()}")
        return status

    def struct(self, name, **members):
        made = self.ffi.new(f"{name} *")
        made.struct_size = self.ffi.sizeof(name)
        for key, value in members.items():
            setattr(made, key, value)
        return made

    def at(self, array):
        """A pointer to a NumPy array, which the caller keeps."""
        kinds = {"int32": "int32_t *", "int64": "int64_t *", "float64": "double *", "uint64": "uint64_t *"}
        return self.ffi.cast(kinds[array.dtype.name], array.ctypes.data)
