#!/usr/bin/env python3
"""Who uses a source file: who includes it, and the names that it gives to others, each with the files that have it.

usage: tools/callers.py FILE...    such as src/io/atomic_file.h
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
GIVEN = re.compile(
    r"^(?!typedef)[A-Za-z_][\w ]*[ *](?:__launch_bounds__\(.*?\) )?(\w+)\("  # a function
    r"|^FRI_\w*FUNCTION\([^;{]*?, (fri_\w+),"  # one for each pair of types
    r"|^(?:extern )?const \w+ \*?(?:const )?(\w+)(?:\[| =|;)"  # a table, a strategy
    r"|^#define (\w+)\(",
    re.MULTILINE,
)


def given(path, text):
    """The names that a file declares or defines; a .c file has those that are static for itself."""
    own = ("static", "#define") if path.endswith((".c", ".cpp", ".cu")) else ()
    found = [one for one in GIVEN.finditer(text) if not own or not one[0].startswith(own)]
    return sorted({name for one in found for name in one.groups() if name})


def main():
    tracked = ["git", "ls-files", "*.[ch]", "*.cpp", "*.cu", "*.cuh"]
    paths = subprocess.run(tracked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    texts = {path: COMMENT.sub("", (ROOT / path).read_text(encoding="utf-8")) for path in paths}
    words = {path: set(re.findall(r"\w+", text)) for path, text in texts.items()}
    for argument in sys.argv[1:] or sys.exit(__doc__):
        path = str(pathlib.Path(argument).resolve()).removeprefix(f"{ROOT}/")
        if path not in texts:
            sys.exit(f"{argument}: no file of C, C++ or CUDA that git lists")
        including = re.compile(rf'#include "(\S*/)?{re.escape(pathlib.Path(path).name)}"')
        print(f"{path}, included by: {' '.join(other for other in texts if including.search(texts[other])) or 'none'}")
        for name in given(path, texts[path]):
            if using := [other for other in texts if name in words[other] and other != path]:
                print(f"  {name}: {' '.join(using)}")


main()
