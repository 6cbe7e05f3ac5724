#!/usr/bin/env python3
"""Writes the C source of the extension module with cffi.

usage: write_source.py COMPILER OUTPUT HEADER...

The declarations come from the headers, through the compiler's preprocessor: a new function or member
of them needs no line here. The compiler checks each layout, as in any C program.
"""

import pathlib
import shutil
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


def declarations(compiler: str, header: str, others: list[str]) -> str:
    """The header without directives; the standard types are known to cffi."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stdbool.h", "stddef.h", "stdint.h", "stdio.h"):
            pathlib.Path(empty, name).touch()
        for name in others:  # its includes: declared once, by themselves
            pathlib.Path(empty, name).touch()
        copy = shutil.copy(header, pathlib.Path(empty, "header"))  # so that "fringe.h" is the empty one
        words = [compiler, "-E", "-P", "-x", "c", "-nostdinc", "-U__GNUC__", "-DFR_API=", "-I", empty, str(copy)]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def main(compiler: str, output: str, *headers: str) -> None:
    builder = cffi.FFI()
    for header in headers:
        builder.cdef(declarations(compiler, header, [pathlib.Path(other).name for other in headers]))
    builder.cdef(CALLBACKS)
    builder.set_source("pyfringe._fringe", '#include "binding.h"')
    builder.emit_c_code(output)


main(*sys.argv[1:])
