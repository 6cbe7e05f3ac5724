#!/usr/bin/env python3
"""Writes the C source of the extension module with cffi.

usage: write_source.py COMPILER FRINGE_H BINDING_H OUTPUT

The declarations come from the two headers, through the compiler's preprocessor: a new function or member
of fringe.h needs no line here. The compiler checks each layout, as in any C program.
"""

import pathlib
import subprocess
import sys
import tempfile

import cffi

# Called from C during a long call, with the GIL (pyfringe/_core.py defines them).
CALLBACKS = """
extern "Python+C" int pf_ask(void *self, const char *phase, int64_t done, int64_t total);
extern "Python+C" int pf_row(void *self, int64_t row, int32_t source, const void *dist, const int32_t *parent);
extern "Python+C" int pf_route(void *self, int64_t index, const void *dist, const int32_t *path, int32_t length);
"""


def declarations(compiler: str, header: pathlib.Path) -> str:
    """The header without directives; the standard types are known to cffi."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stdbool.h", "stddef.h", "stdint.h", "stdio.h", "fringe.h"):
            if name != header.name:
                pathlib.Path(empty, name).touch()
        words = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", empty, str(header)]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def main(compiler: str, fringe: str, binding: str, output: str) -> None:
    builder = cffi.FFI()
    builder.cdef(declarations(compiler, pathlib.Path(fringe)))
    builder.cdef(declarations(compiler, pathlib.Path(binding)))
    builder.cdef(CALLBACKS)
    builder.set_source("pyfringe._fringe", '#include "binding.h"')
    builder.emit_c_code(output)


main(*sys.argv[1:])
