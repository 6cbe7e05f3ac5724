#!/usr/bin/env python3
"""Writes docs/results/python.md: tables of the lines of compare.py, floors.py, networkx_large.py and networkx_sizes.py
in bench/results/python.jsonl."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES = [json.loads(line) for line in (ROOT / "bench/results/python.jsonl").read_text(encoding="utf-8").splitlines()]
HEAD = """# pyfringe compared with other Python packages

Written by `bench/python/results_table.py` from [python.jsonl](../../bench/results/python.jsonl). Machine: two cores
shared with other programs; each line has the date and, where it was written down, the load and fringe's commit. Times
are milliseconds of processor time, which other programs disturb least; the lines have wall time, too.
"""
COMPARE = """
## One query on one thread

`compare.py --threads 1`: levels (bfs), breadth-first order with parents (order) and distances by float64 weights (sssp)
of random sources. Conversion is from a SciPy matrix, wall time. The first call includes what a program prepares. The
last column is the median over the sources of the program's time over pyfringe's. All answers are equal.

| graph | problem | program | conversion, wall | first call | steady call | times as long as pyfringe |
|---|---|---|---|---|---|---|
"""
FLOORS = """
## Work that every answer needs, compared with SciPy

`floors.py`, one thread, medians of nine sources. "Read" reads the arrays that a search follows from end to end. "Pass"
compares each edge with the distance of its end, once, and changes nothing. "Levels" is a BFS without order and parents.
"Make" fills the arrays of the answer. The last column is a twentieth of SciPy's time.

| graph | problem | SciPy | pyfringe.csgraph | speed-up | read | pass | levels | make | SciPy / 20 |
|---|---|---|---|---|---|---|---|---|---|
"""
LARGE = """
## NetworkX on 100,000 edges

`networkx_large.py`: 2,000 nodes, one thread; the first call includes the conversion of the NetworkX graph. "Read" is a
pass over the dicts of the NetworkX graph, with the weights where the function has weights. "Make" makes the dicts and
sets of the answer from lists.

| function | NetworkX | backend, first call | speed-up | backend, next call | speed-up | read | make |
|---|---|---|---|---|---|---|---|
"""
SIZES = """
## Each function of the NetworkX backend

`networkx_sizes.py`: random graphs with 4 edges per node, one thread. "From" is the least number of nodes from which
`should_run` takes fringe: for the first call with the conversion, and for next calls; "never" up to 10,000. The
speed-ups are those of the largest graph that was tried, which has `n` nodes.

With `backend_priority` NetworkX asks the backend before each call. That takes 8 to 13 µs, 0.7 µs of them in fringe, and
makes a call that stays with NetworkX slower by as much: `has_path` on 10 nodes takes 24 µs instead of 11 µs. Where
fringe answers, `networkx_sizes.py --check` found one of 64 cases of at most 1000 nodes more than 1.1 times as slow
(Bellman-Ford on 300 nodes, 1.26 times); the sizes have asked for 0.9 of NetworkX's time since.

| function | from, first | from, next | n | NetworkX, ms | first call, speed-up | next call, speed-up |
|---|---|---|---|---|---|---|
"""


def lines(field):
    """The lines of the program that writes this field."""
    return [line for line in LINES if field in line]


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def row(*cells):
    return f"| {' | '.join(number(c) if isinstance(c, float) else str(c) for c in cells)} |\n"


def compared():
    for x in lines("program"):
        if not x["same_answer"]:
            raise SystemExit(f"a wrong answer: {x}")
        conversion = "none" if x["program"] in ("scipy", "pyfringe.csgraph") else x["conversion_ms"]
        yield row(x["graph"], x["problem"], x["program"], conversion, x["first_processor_ms"],
                  x["steady_processor_ms"], x["processor_ratio"])  # fmt: skip


def floors():
    for x in lines("csgraph_ms"):
        yield row(x["graph"], x["problem"], x["scipy_ms"], x["csgraph_ms"], x["scipy_ms"] / x["csgraph_ms"], x["read_ms"],
                  x.get("pass_ms", ""), x.get("levels_ms", ""), x["make_ms"], x["scipy_ms"] / 20)  # fmt: skip


def large():
    for x in lines("answer_ms"):
        yield row(x["function"], x["networkx_ms"], x["first_ms"], x["networkx_ms"] / x["first_ms"], x["next_ms"],
                  x["networkx_ms"] / x["next_ms"], x["read_ms"], x["answer_ms"])  # fmt: skip


def sizes():
    names = {}
    exec((ROOT / "python/pyfringe/_nx_sizes.py").read_text(encoding="utf-8"), names)
    last = {}
    for x in lines("function"):
        if x.get("graph") == "random":
            last[x["function"]] = x
    for label, x in last.items():
        first, later = ("never" if n is None else f"{n:,}" for n in names["SIZES"][label.split("(")[0]])
        yield row(f"`{label}`", first, later, f"{x['n']:,}", x["networkx_ms"], x["networkx_ms"] / x["first_ms"],
                  x["networkx_ms"] / x["next_ms"])  # fmt: skip


def main():
    text = HEAD + COMPARE + "".join(compared()) + FLOORS + "".join(floors()) + LARGE + "".join(large()) + SIZES + "".join(sizes())
    (ROOT / "docs/results/python.md").write_text(text, encoding="utf-8")


main()
