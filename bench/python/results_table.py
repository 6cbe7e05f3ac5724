#!/usr/bin/env python3
"""Fills the tables of docs/results/python.md from the lines of compare.py, floors.py and networkx_sizes.py in
bench/results/python.jsonl; --check only compares."""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "bench"))
from documents import filled, table, update  # noqa: E402  # from bench/

LINES = [json.loads(line) for line in (ROOT / "bench/results/python.jsonl").read_text(encoding="utf-8").splitlines()]


def lines(field):
    """The lines of the program that writes this field."""
    return [line for line in LINES if field in line]


def number(value):
    if not isinstance(value, float):
        return value
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def speed_ups(line, base, *fields):
    """Each time, and by how much it is less than the base's."""
    return [cell for field in fields for cell in (line[field], line[base] / line[field])]


def compared():
    return comparison("bfs", "order", "sssp")


def others():
    return comparison("components", "path", "hops", "all_pairs")


def comparison(*problems):
    for x in lines("program"):
        if x["problem"] not in problems:
            continue
        if not x["same_answer"]:
            raise SystemExit(f"a wrong answer: {x}")
        conversion = "none" if x["program"] in ("scipy", "pyfringe.csgraph") else x["conversion_ms"]
        yield x["graph"], x["problem"], x["program"], conversion, x["first_processor_ms"], x["steady_processor_ms"], x["processor_ratio"]


def floors():
    for x in lines("csgraph_ms"):
        yield (x["graph"], x["problem"], x["scipy_ms"], *speed_ups(x, "scipy_ms", "csgraph_ms"), x["csgraph_five"],
               *speed_ups(x, "scipy_ms", "own_ms"), x["own_five"], x["scipy_ms"] / 5, x["settle_ms"], x["read_ms"])  # fmt: skip


def many():
    for x in lines("many"):
        if not x["same_answer"]:
            raise SystemExit(f"a wrong answer: {x}")
        yield x["graph"], {"near": "closeness"}.get(x["many"], x["many"]), x["by"], x["sources"], x["source_ms"], x["processor_ratio"]


def large():
    for x in lines("answer_ms"):
        yield x["function"], x["networkx_ms"], *speed_ups(x, "networkx_ms", "first_ms", "next_ms"), x["read_ms"], x["answer_ms"]


def sizes():
    names = {}
    exec((ROOT / "python/pyfringe/_nx_sizes.py").read_text(encoding="utf-8"), names)
    last = {x["function"]: x for x in lines("function") if x.get("graph") == "random"}
    for label, x in last.items():
        least = ("never" if n is None else f"{n:,}" for n in names["SIZES"][label.split("(")[0]])
        ratios = (x["networkx_ms"] / x[field] for field in ("first_ms", "next_ms"))
        yield f"`{label}`", *least, f"{x['n']:,}", x["networkx_ms"], *ratios


TABLES = {
    "compare": (compared, "graph|problem|program|conversion, wall|first call|steady call|times as long as pyfringe"),
    "others": (others, "graph|problem|program|conversion, wall|first call|steady call|times as long as pyfringe"),
    "many": (many, "graph|problem|program|sources|a source|times as long as pyfringe"),
    "floors": (floors, "graph|problem|SciPy|pyfringe.csgraph|speed-up|five|graph kept|speed-up|five|SciPy / 5|settle|read"),
    "large": (large, "function|NetworkX|backend, first call|speed-up|backend, next call|speed-up|read|make"),
    "sizes": (sizes, "function|from, first|from, next|n|NetworkX, ms|first call, speed-up|next call, speed-up"),
}


def main():
    page = str(ROOT / "docs/results/python.md")
    blocks = {name: table(heads.split("|"), [map(number, row) for row in rows()]) for name, (rows, heads) in TABLES.items()}
    return update({page: filled(page, blocks)}, "--check" in sys.argv[1:], "bench/python/results_table.py")


sys.exit(main())
