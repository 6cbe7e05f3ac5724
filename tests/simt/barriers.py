#!/usr/bin/env python3
"""Which test fails without a barrier: leaves out one at a time on the host, and writes tests/simt/barriers.md.

usage: barriers.py PATH...    of files that begin so and have changed since, after `ninja -C build test_simt_bfs ...` (TESTS)
       barriers.py            tries none: fails unless the list has each place with the comment of its line

A place is a statement `__syncthreads();`, `fri_grid_sync();` or `fri_cluster_sync();`. The tests that come to it run with
SIMT_WITHOUT=FILE:LINE, one after another, until one fails or takes a minute of processor time.
"""

import hashlib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "tests/simt/barriers.md"
PLACE = re.compile(r"^\s+((?:__syncthreads|fri_grid_sync|fri_cluster_sync)\(\));(?:\s*/\*\s*(.*?)\s*\*/)?")
TESTS = (  # programs test_simt_... with arguments, in this order, for the files that begin so
    ("src/cuda/apsp/floyd_warshall/", "apsp floyd-warshall"),
    ("src/cuda/apsp/multi_sssp/", "apsp multi-sssp special", "apsp multi-sssp", "apsp johnson"),
    ("src/cuda/bfs/auto/", "bfs auto", "queues slices sharing", "queues deferring", "queues limits"),
    ("src/cuda/bfs/many/", "apsp multi-bfs special", "measures words dense", "apsp multi-bfs drawn"),
    ("src/cuda/bfs/multi_device/", "multi_devices star", "multi_devices hubs", "multi_devices devices"),
    ("src/cuda/centrality/", "measures star degrees-32", "measures random"),
    ("src/cuda/components/", "measures rings", "measures kronecker"),
    ("src/cuda/device/", "results levels distances"),
    ("src/cuda/drivers/", "sssp hbf star", "sssp hbf hubs", "sssp topology-bf star", "sssp near-far star"),
    ("src/cuda/graph/", "prepare in-edges"),
    ("src/cuda/prim/append", "bfs expand-contract kronecker-directed"),
    ("src/cuda/prim/joint", "multi_devices star", "multi_devices devices", "multi_sssp hubs"),
    ("src/cuda/prim/", "bfs auto", "apsp multi-sssp", "sssp hbf hubs", "measures rings random", "multi_devices hubs"),
    ("src/cuda/ranks/", "ranks kronecker-directed in-star degrees-256"),
    ("src/cuda/sssp/auto/", "sssp auto", "queues near"),
    ("src/cuda/sssp/multi_device/", "sssp multi-device star", "multi_sssp hubs", "multi_sssp devices"),
)


def places():
    """(file, line, row of the list without the test) of all."""
    for name in subprocess.check_output(["git", "ls-files", "src/cuda/*.cu*"], cwd=ROOT, text=True).split():
        before = ""
        for line, text in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
            found = PLACE.match(text)
            if found:
                why = found[2] or "".join(re.findall(r"^\s+/\* (.*) \*/$", before))
                yield name, line, f"| [{name}](../../{name}) | `{found[1]}` | {why} | "
            before = text


def run(test, place):
    """Whether the test fails without the barrier at the place, and what it prints, to its first failure."""
    program, *arguments = test.split()
    command = ["stdbuf", "-oL", "prlimit", "--cpu=60", f"build/tests/simt/test_simt_{program}", *arguments]
    said = ""
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | {"SIMT_WITHOUT": place}, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:  # fmt: skip
        for text in running.stdout:
            said += text
            if text.startswith("FAILED"):
                running.kill()
    return running.returncode != 0, said


def comes_to(test):
    """The places that the test comes to, kept in a file while the program is the same."""
    program = ROOT / f"build/tests/simt/test_simt_{test.split()[0]}"
    kept = program.with_name(test.replace(" ", "_") + ".places")
    if not kept.exists() or kept.stat().st_mtime < program.stat().st_mtime:
        failed, said = run(test, "")
        kept.write_text(said if not failed else sys.exit(f"{said}{test} fails with all barriers"), encoding="utf-8")
    return kept.read_text(encoding="utf-8")


def answer(name, line):
    """The test that fails without the barrier."""
    found = "none comes here"
    for test in next(tests for path, *tests in TESTS if name.startswith(path)):
        if f"{name}:{line}\n" in comes_to(test):
            found = "none"
            if run(test, f"{name}:{line}")[0]:
                return f"`test_simt_{test}`"
    return found


def main():
    head, *old = LIST.read_text(encoding="utf-8").rstrip().split("\n| [")
    old, rows = ["| [" + row for row in old], []
    for name, line, row in places():
        kept = next((known for known in old if known.startswith(row)), None)
        if kept:
            old.remove(kept)
        elif not sys.argv[1:]:
            sys.exit(f"{name}:{line}: a barrier that tests/simt/barriers.md does not have: barriers.py {name}")
        text = hashlib.sha1((ROOT / name).read_bytes()).hexdigest()[:8]
        if any(name.startswith(path) for path in sys.argv[1:]) and not (kept and kept.endswith(f" {text} |")):
            found, said = answer(name, line), kept.split(" | ")[-2] if kept else ""
            kept = f"{row}{said if said.startswith(f'{found}: ') else found} | {text} |"
            print(kept, flush=True)
            LIST.write_text("\n".join([head, *rows, kept, *old]) + "\n", encoding="utf-8")
        rows.append(kept or f"{row}not tried | - |")
    if sys.argv[1:]:
        LIST.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    elif old:
        sys.exit(f"there is no such barrier: {old[0]}")


main()
