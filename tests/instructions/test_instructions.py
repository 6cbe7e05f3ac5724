#!/usr/bin/env python3
"""The instructions that reading, building, BFS, SSSP and writing take on small fixed graphs with one
thread, counted by callgrind, are those in COMPILER.txt next to this file, give or take 3 %.

Only instructions of fringe's own objects count: the C library chooses its functions by the processor.
Every figure is one run of the command, in which the count is switched on and off by the functions
that the figure names.

usage: test_instructions.py       FRINGE: the command; COMPILER: what built it, such as gcc-12
       UPDATE=1 writes COMPILER.txt: for a change that is meant; say why in the commit
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOLERANCE = 0.03
KRON = "kronecker:scale=13,edge_factor=8"
GRID = "grid2d:rows=150,cols=150,keep=0.8"
WEIGHTS = ["--weights", "random:1,100"]
# name, command, the functions at whose entry and exit counting starts and stops
FIGURES = (
    ("load_text", "bfs kron.txt -s 1", "fr_graph_load fri_graph_build"),
    ("load_binary", "bfs kron.fringe -s 1", "fr_graph_load"),
    ("build", "bfs kron.txt -s 1", "fri_graph_build"),
    ("bfs_auto_kron_solver", "bfs kron.fringe -s 1", "fr_solver_new"),
    ("bfs_auto_kron", "bfs kron.fringe -s 1", "fr_solve"),
    ("bfs_auto_grid", "bfs grid.fringe -s 1", "fr_solve"),
    ("sssp_auto_kron_solver", "sssp kron.fringe -s 1", "fr_solver_new"),
    ("sssp_auto_kron", "sssp kron.fringe -s 1", "fr_solve"),
    ("sssp_auto_grid", "sssp grid.fringe -s 1", "fr_solve"),
    ("write_npy", "bfs grid.fringe -s 1 -o out.npy", "fr_result_write"),
    ("write_tsv", "bfs grid.fringe -s 1 -o out.tsv", "fr_result_write"),
    ("write_tsv_float", "sssp float.fringe -s 1 -o out.tsv", "fr_result_write"),
    ("write_mtx", "convert kron.fringe -o out.mtx", "fr_graph_write"),
)
SOLVER = ["--no-tuning-cache", "--backend", "cpu"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nexits {done.returncode}: {done.stdout}{done.stderr}")


def make_graphs(fringe):
    run(fringe, "gen", KRON, *WEIGHTS, "-o", "kron.fringe", "-q", "--threads", "1")
    run(fringe, "gen", GRID, *WEIGHTS, "-o", "grid.fringe", "-q", "--threads", "1")
    run(fringe, "gen", GRID, "--weights", "random:0,1", "--weight-type", "float64", "-o", "float.fringe", "-q")
    # Only an edge list whose vertices all have edges can be written; Matrix Market keeps the others.
    run(fringe, "convert", "kron.fringe", "kron.mtx", "-q")
    with open("kron.mtx") as mtx, open("kron.txt", "w") as text:
        lines = (line for line in mtx if not line.startswith("%"))
        next(lines)
        text.writelines(lines)


def own_instructions(path):
    """Sums the self cost of fringe's objects in a file of callgrind."""
    total, own, is_call = 0, False, False
    with open(path) as file:
        for line in file:
            if line.startswith("ob="):
                own = os.path.basename(line[3:].strip()).startswith(("fringe", "libfringe"))
            elif line.startswith("calls="):
                is_call = True  # the next line has the cost of the function that is called
            elif line[0].isdigit() or line[0] in "+-*":
                if own and not is_call:
                    total += int(line.split()[1])
                is_call = False
    return total


def count(fringe, figure):
    name, command, toggles = figure
    out = f"{name}.callgrind"
    words = command.split() + ["--threads", "1", "-q"] + (SOLVER if " -s " in command else [])
    run(
        *("valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", f"--callgrind-out-file={out}"),
        *(f"--toggle-collect={toggle}" for toggle in toggles.split()),
        *(fringe, *words),
    )
    return own_instructions(out)


def read_figures(path):
    with open(path) as file:
        return {name: int(value) for name, value in (line.split() for line in file if not line.startswith("#"))}


def write_figures(path, counted):
    with open(path, "w") as file:
        file.write("# Instructions; written by UPDATE=1 tests/instructions/test_instructions.py.\n")
        file.writelines(f"{name} {value}\n" for name, value in counted.items())


def compare(known, counted):
    """Prints every figure; returns the names of those that moved."""
    moved = [name for name in known if name not in counted]
    for name, value in counted.items():
        before = known.get(name)
        change = value / before - 1 if before else float("inf")
        verdict = "" if abs(change) <= TOLERANCE else "  MOVED"
        print(f"{name:21} {value:12,} instructions, {change:+.2%} from {before or 0:,}{verdict}")
        if verdict:
            moved.append(name)
    return moved


def main():
    fringe, compiler = os.environ["FRINGE"], os.environ["COMPILER"]
    if not shutil.which("valgrind"):
        print("skip: valgrind is not installed")
        return 77
    path = os.path.join(HERE, f"{compiler}.txt")
    update = bool(os.environ.get("UPDATE"))
    if not update and not os.path.exists(path):
        print(f"no figures of {compiler}: write {path} with UPDATE=1, from a commit whose speed was measured")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_graphs(fringe)
        counted = {figure[0]: count(fringe, figure) for figure in FIGURES}
    zero = [name for name, value in counted.items() if not value]
    if zero:
        print(f"nothing was counted for {', '.join(zero)}: are their functions renamed?")
        return 1
    if update:
        write_figures(path, counted)
        return 0
    moved = compare(read_figures(path), counted)
    if moved:
        print(f"{', '.join(moved)}: moved by more than {TOLERANCE:.0%}. If that is meant, UPDATE=1 writes {path}")
    return bool(moved)


if __name__ == "__main__":
    os.environ.update(OMP_WAIT_POLICY="passive", LC_ALL="C")
    sys.exit(main())
