#!/usr/bin/env python3
"""Who uses a source file, such as src/io/atomic_file.h: who includes it, and who has the names that it gives to others.

usage: tools/callers.py FILE...
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ["git", "ls-files", "*.[ch]", "*.cpp", "*.cu", "*.cuh"]
# functions, also one for each pair of types; tables and strategies; macros with arguments
GIVEN = re.compile(
    r"^(?!typedef)[A-Za-z_][\w ]*[ *](?:__launch_bounds__\(.*?\) )?(\w+)\(|^FRI_\w*FUNCTION\([^;{]*?, (fri_\w+),"
    r"|^(?:extern )?const \w+ \*?(?:const )?(\w+)(?:\[| =|;)|^#define (\w+)\(", re.MULTILINE)  # fmt: skip


def given(path, text):
    """The names that a file declares or defines; a .c file has those that are static for itself."""
    own = ("static", "#define") if path.endswith((".c", ".cpp", ".cu")) else ("typedef",)
    return sorted({name for one in GIVEN.finditer(text) if not one[0].startswith(own) for name in one.groups() if name})


paths = subprocess.run(FILES, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
texts = {path: re.sub(r"(?s)/\*.*?\*/|//[^\n]*", "", (ROOT / path).read_text(encoding="utf-8")) for path in paths}
words = {path: set(re.findall(r"\w+", text)) for path, text in texts.items()}
for argument in sys.argv[1:] or sys.exit(__doc__):
    asked = pathlib.Path(argument).resolve()
    if str(asked).removeprefix(f"{ROOT}/") not in texts:
        sys.exit(f"{argument}: no file of C, C++ or CUDA that git lists")
    path, including = str(asked.relative_to(ROOT)), re.compile(rf'#include "(\S*/)?{re.escape(asked.name)}"')
    print(f"{path}, included by: {' '.join(other for other in paths if including.search(texts[other])) or 'none'}")
    for name in given(path, texts[path]):
        if using := [other for other in paths if name in words[other] and other != path]:
            print(f"  {name}: {' '.join(using)}")
