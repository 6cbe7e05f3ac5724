#!/usr/bin/env python3
"""Which test fails without a barrier: leaves out one at a time on the host, and writes tests/simt/barriers.md.

usage: barriers.py [PATH...]    of the files that begin so (src/cuda/bfs/auto), after `ninja -C build test_simt_bfs ...`

A place is a statement `__syncthreads();`, `fri_grid_sync();` or `fri_cluster_sync();`. The programs of PROGRAMS run with
SIMT_WITHOUT=FILE:LINE, one after another, until one that comes to the place fails or takes a minute of processor time.
Without PATH nothing is tried: it fails unless the list has each place with the comment of its line.
"""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "tests/simt/barriers.md"
PLACE = re.compile(r"^\s+((?:__syncthreads|fri_grid_sync|fri_cluster_sync)\(\));(?:\s*/\*\s*(.*?)\s*\*/)?")
PROGRAMS = (  # of the first that fits: what runs its kernels
    ("src/cuda/bfs/auto/", "bfs auto"),
    ("src/cuda/sssp/auto/", "sssp auto"),
    ("src/cuda/prim/[!adj]", "bfs auto", "sssp auto"),
)


def places():
    """(file, line, row of the list without the test) of all."""
    patterns = [programs[0] + "*.cu*" for programs in PROGRAMS]
    for name in subprocess.check_output(["git", "ls-files", *patterns], cwd=ROOT, text=True).split():
        for line, text in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
            found = PLACE.match(text)
            if found:
                yield name, line, f"| [{name}](../../{name}) | `{found[1]}` | {found[2] or ''} | "


def test_of(name, line):
    """The test that fails without the barrier."""
    answer = "none comes here"
    for test in next(programs[1:] for programs in PROGRAMS if fnmatch.fnmatch(name, programs[0] + "*")):
        program, *strategy = test.split()
        ran = subprocess.run(["prlimit", "--cpu=60", f"build/tests/simt/test_simt_{program}", *strategy], capture_output=True,
                             env=os.environ | {"SIMT_WITHOUT": f"{name}:{line}"}, cwd=ROOT, check=False)  # fmt: skip
        if b"without the barrier" in ran.stderr:
            answer = "none"
            if ran.returncode:
                return f"`simt_{'_'.join(test.split())}`"
    return answer


def main():
    head, *old = LIST.read_text(encoding="utf-8").rstrip().split("\n| [")
    old, rows = ["| [" + row for row in old], []
    for name, line, row in places():
        kept = next((known for known in old if known.startswith(row)), None)
        if any(name.startswith(path) for path in sys.argv[1:]):
            rows.append(f"{row}{test_of(name, line)} |")
            print(rows[-1], flush=True)
        elif kept:
            rows.append(old.pop(old.index(kept)))
        elif not sys.argv[1:]:
            sys.exit(f"{name}:{line}: a barrier that tests/simt/barriers.md does not have: barriers.py {name}")
    if not sys.argv[1:] and old:
        sys.exit(f"there is no such barrier: {old[0]}")
    if sys.argv[1:]:
        LIST.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")


main()
