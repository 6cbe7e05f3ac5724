#!/usr/bin/env python3
"""pyfringe.csgraph compared with scipy.sparse.csgraph: every function, sizes of 10 to 10,000 vertices, the options that matter.

usage: compare_csgraph.py [--sizes N]... [--only FUNCTION]... [--seconds S] [--above RATIO] [--output FILE.jsonl]

One line for each call: its time by SciPy and the ratio of pyfringe's time to SciPy's, the median over pairs of runs, one
by each, in turns; a run repeats the call until a millisecond has passed. The graph is a random CSR array with 4 edges per
vertex. "indices" is one source (int), 8 sources (list), or all vertices (-, up to 1,000 vertices). Distances, components
and orders are compared; a difference ends the script. Wall times by all cores of the process. With --above the script
ends with status 1 if a ratio is greater. Entries slower than that are measured again, with four times the time.
"""

import argparse
import inspect
import json
import statistics
import sys
import time

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.csgraph as theirs
from pyfringe import csgraph as ours

ALL_ROWS = 1000  # vertices up to which all pairs are solved: 10,000 rows take 1.2 GB and minutes in SciPy
CUBIC = 1000  # the same for floyd_warshall


def graph(n, kind):
    rng = np.random.default_rng(n)
    made = sparse.csr_array((rng.random(4 * n) + 0.01, (rng.integers(0, n, 4 * n), rng.integers(0, n, 4 * n))), shape=(n, n))
    made.sum_duplicates()
    if kind == "negative":  # by potentials, so without negative cycles
        coo, p = made.tocoo(), rng.random(n)
        made = sparse.csr_array((coo.data + p[coo.row] - p[coo.col], (coo.row, coo.col)), shape=(n, n))
    made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)  # SciPy's yen reads no others
    return made


def calls(n):
    """(function, kind of weights, positional arguments, options)"""
    some = np.linspace(0, n - 1, 8).astype(int).tolist()
    sources = [("int", 0), ("list", some)] + ([("-", None)] if n <= ALL_ROWS else [])
    flags = [{}, {"return_predecessors": True}, {"unweighted": True}, {"unweighted": True, "return_predecessors": True},
             {"directed": False}, {"directed": False, "return_predecessors": True}]  # fmt: skip
    for name in ("shortest_path", "dijkstra", "bellman_ford", "johnson"):
        for _, indices in sources:
            for flag in flags:
                yield name, "reals", (), {"indices": indices, **flag}
            if name in ("bellman_ford", "johnson"):
                for flag in flags[:2]:
                    yield name, "negative", (), {"indices": indices, **flag}
    for _, indices in sources[:2]:
        yield "dijkstra", "reals", (), {"indices": indices, "limit": 0.5}
    for flag in flags[:2]:
        yield "dijkstra", "reals", (), {"indices": some, "min_only": True, **flag}
    if n <= CUBIC:
        for flag in flags:
            yield "floyd_warshall", "reals", (), flag
    for name in ("breadth_first_order", "breadth_first_tree"):
        for directed in (True, False):
            yield name, "reals", (0,), {"directed": directed}
    for flag in ({"connection": "weak"}, {"connection": "strong"}, {"directed": False}):
        yield "connected_components", "reals", (), flag
    if hasattr(theirs, "yen"):
        for flag in flags:
            yield "yen", "reals", (0, n - 1, 3), flag


def arguments(function, args, options):
    known = inspect.signature(function).parameters
    return args, {key: value for key, value in options.items() if key in known}


def repeated(call, times):
    begin = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - begin) / times


def paired(own, other, seconds):
    """(median time of `other`, median ratio of the times of `own` to its)"""
    once = repeated(other, 1)
    times = max(1, int(1e-3 / once))
    pairs, begin = [], time.perf_counter()
    while len(pairs) < (3 if once < 0.1 else 1) or (time.perf_counter() - begin < seconds and len(pairs) < 101):
        pairs.append((repeated(own, times), repeated(other, times)))
    return statistics.median(b for _, b in pairs), statistics.median(a / b for a, b in pairs)


def is_same(name, found, wanted, options):
    if name == "breadth_first_tree":
        return (found != wanted).nnz == 0
    if name == "connected_components":
        return found[0] == wanted[0]
    if name == "breadth_first_order":
        return all((a == b).all() for a, b in zip(found, wanted, strict=True))
    first = (found[0], wanted[0]) if options.get("return_predecessors") else (found, wanted)
    return first[0].shape == first[1].shape and bool(np.allclose(*first))


def label(options):
    words = [key if value is True else f"{key}={value}" for key, value in options.items() if key != "indices"]
    if "indices" in options:
        kind = {int: "int", list: "list"}.get(type(options["indices"]), "-")
        words.insert(0, f"indices {kind}")
    return ", ".join(words)


def measure(n, only, seconds, above):
    graphs = {kind: graph(n, kind) for kind in ("reals", "negative")}
    for name, kind, args, options in calls(n):
        if only and name not in only:
            continue
        a = graphs[kind]
        own, other = (lambda f=getattr(module, name): f(a, *args, **options) for module in (ours, theirs))
        if not is_same(name, own(), other(), options):
            sys.exit(f"{name}, {n} vertices, {kind}, {options}: another answer")
        scipy_s, ratio = paired(own, other, seconds)
        if above and ratio > above:
            scipy_s, ratio = paired(own, other, 4 * seconds)
        yield {"function": name, "n": n, "weights": kind, "options": label(options), "scipy_us": float(f"{scipy_s * 1e6:.4g}"),
               "ratio": float(f"{ratio:.3g}")}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, action="append", metavar="N", help="default 10, 100, 1000 and 10000")
    parser.add_argument("--only", action="append", metavar="FUNCTION")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each call (default %(default)s)")
    parser.add_argument("--above", type=float, default=0.0, metavar="RATIO", help="status 1 if a ratio is greater")
    parser.add_argument("--output", type=argparse.FileType("a", encoding="utf-8"), default=sys.stdout)
    options = parser.parse_args()
    worst = 0.0
    for n in options.sizes or (10, 100, 1000, 10000):
        for line in measure(n, options.only, options.seconds, options.above):
            worst = max(worst, line["ratio"])
            print(json.dumps(line), file=options.output, flush=True)
    if options.above and worst > options.above:
        sys.exit(f"a call takes {worst:.2f} times as long as SciPy's")


main()
