#!/usr/bin/env python3
"""From which number of nodes on each function of the NetworkX backend is faster than NetworkX.

usage: networkx_sizes.py [--check | --large] [--results FILE.jsonl] [FUNCTION...]
       networkx_sizes.py --write FILE.jsonl

Each function runs on random graphs of 4 n edges and on square grids, with NetworkX, with fringe including the
conversion of the graph ("first"), and with fringe on the converted graph ("next"). Times are processor time of one
thread, medians of 3, with everything that is returned read to its end.
--write stores the sizes of measured lines in python/pyfringe/_nx_sizes.py, which Backend.should_run reads. --check measures instead what
a program sees with backend_priority=["fringe"], and prints a table.
--large: some functions on a graph of 100,000 edges; "read_ms" is one pass over the dicts of the graph, which any conversion
makes: the neighbors, and the weights where the function has weights; "answer_ms" makes the dicts and sets of the answer
from lists of their content.
"""

import argparse
import inspect
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import chain
from operator import itemgetter

import networkx as nx
import pyfringe as fr
from pyfringe import _nx_info

nx.config.warnings_to_ignore.add("cache")
fr.config.threads = 1
SIZES = (10, 30, 100, 300, 1000, 3000, 10000)
LARGEST_MS = 30  # a function that takes NetworkX longer is not tried on larger graphs
TARGET = pathlib.Path(__file__).resolve().parents[2] / "python/pyfringe/_nx_sizes.py"


def graph_of(kind, n, directed):
    if kind == "grid":
        side = max(2, round(n**0.5))
        graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side))
    else:
        graph = nx.gnm_random_graph(n, 4 * n, seed=1)
        graph.remove_nodes_from(list(set(graph) - max(nx.connected_components(graph), key=len)))
    for u, v, data in graph.edges(data=True):
        data["weight"] = 1 + (u * 7 + v * 13) % 9
    return graph.to_directed() if directed else graph


def arguments_of(function, graph):
    """Arguments by the names of a function's parameters that have no default."""
    nodes = list(graph)
    known = {"source": nodes[0], "target": nodes[-1], "sources": [nodes[0], nodes[len(nodes) // 2]], "distance": 2, "n": nodes[0]}
    names = [p.name for p in inspect.signature(function.orig_func).parameters.values() if p.default is p.empty]
    return {name: known[name] for name in names[1:]}


def taken(answer):
    """What a function returns, with all that it makes when it is asked for."""
    if isinstance(answer, tuple):
        return tuple(taken(part) for part in answer)
    if isinstance(answer, Iterator):
        return list(answer)
    return dict(answer) if isinstance(answer, Mapping) and not isinstance(answer, dict) else answer


def calls():
    """(name, further arguments) of everything to measure; some functions answer two kinds of questions."""
    for name in _nx_info.FUNCTIONS:
        if name in ("shortest_path", "shortest_path_length"):
            yield name, ("source",)
            yield name, ("source", "target")
        elif name == "find_negative_cycle":
            continue  # an error without one
        else:
            yield name, ()


def processor_ms(call, before=None):
    """Median of 3; a call that is too short for the clock is repeated."""
    times = []
    for _ in range(3):
        count, spent = 0, 0.0
        while spent < 1e-3:
            if before:
                before()
            begin = time.process_time()
            call()
            spent += time.process_time() - begin
            count += 1
        times.append(spent / count)
    return statistics.median(times) * 1e3


def questions(only):
    """(label, name, graph kind, n, call(backend), clear) for each function, graph and size."""
    for name, extra in calls():
        if only and name not in only:
            continue
        for kind in ("random", "grid"):
            for size in SIZES:
                graph = graph_of(kind, size, "weakly" in name or "strongly" in name)
                function = getattr(nx, name)
                given = arguments_of(function, graph)
                nodes = list(graph)
                given.update({"source": nodes[0]} if "source" in extra else {})
                given.update({"target": nodes[-1]} if "target" in extra else {})

                def call(function=function, graph=graph, given=given, **backend):
                    taken(function(graph, **given, **backend))

                label = f"{name}({', '.join(extra)})" if extra else name
                yield label, name, kind, len(graph), call, graph.__networkx_cache__.clear


def put(line, results):
    line.update({key: float(f"{value:.4g}") for key, value in line.items() if key.endswith("_ms")})
    print(json.dumps(line), file=results, flush=True)


def measure(only, results):
    slow = set()
    for label, _, kind, n, call, clear in questions(only):
        if (label, kind) in slow:
            continue
        call(backend="fringe")
        line = {"function": label, "graph": kind, "n": n,
                "networkx_ms": processor_ms(lambda: call(backend="networkx")),
                "first_ms": processor_ms(lambda: call(backend="fringe"), clear),
                "next_ms": processor_ms(lambda: call(backend="fringe"))}  # fmt: skip
        put(line, results)
        if line["networkx_ms"] > LARGEST_MS:
            slow.add((label, kind))


def min_size(lines, key):
    """The smallest size from which on fringe takes at most 0.9 of NetworkX's time; None: no tried size."""
    found = None
    for n in sorted({line["n"] for line in lines}, reverse=True):
        if any(line[key] > 0.9 * line["networkx_ms"] for line in lines if line["n"] == n):
            break
        found = n
    return found


def write(lines):
    sizes = {}
    for name in sorted({line["function"].split("(")[0] for line in lines}):
        of_name = [line for line in lines if line["function"].split("(")[0] == name]
        labels = {(line["function"], line["graph"]) for line in of_name}
        pair = []
        for key in ("first_ms", "next_ms"):
            each = [min_size([x for x in of_name if (x["function"], x["graph"]) == label], key) for label in labels]
            pair.append(None if None in each else max(each))
        sizes[name] = tuple(pair)
    text = "".join(f'    "{name}": {pair},\n' for name, pair in sizes.items())
    TARGET.write_text(
        "\"\"\"Nodes from which on fringe takes at most 0.9 of NetworkX's time: (with the conversion, without it).\n\n"
        'Written by bench/python/networkx_sizes.py --write. None: no tried size, up to 10,000.\n"""\n\n'
        f"from __future__ import annotations\n\nSIZES: dict[str, tuple[int | None, int | None]] = {{\n{text}}}\n",
        encoding="utf-8",
    )


def check(only, results):
    """What backend_priority costs or gains: the first call, and the next ones."""
    worst = {}
    for label, _, kind, n, call, clear in questions(only):
        if n > 1000 or worst.get((label, kind), (0,))[0] > LARGEST_MS:
            continue
        own = processor_ms(call)
        with nx.config(backend_priority=["fringe"]):
            first, following = processor_ms(call, clear), processor_ms(call)
        worst[label, kind] = (own,)
        line = {"function": label, "graph": kind, "n": n, "networkx_ms": own, "first_ms": first, "next_ms": following}
        put(line, results)
        if max(first, following) > 1.1 * own:
            print(f"slower: {label} {kind} {n}: {own:.4f} ms, first {first:.4f}, next {following:.4f}", flush=True)


# ---- one large graph -------------------------------------------------------------------------------

LARGE_CALLS = {
    "single_source_shortest_path_length": {"source": 0},
    "single_source_dijkstra_path_length": {"source": 0},
    "single_source_dijkstra": {"source": 0},
    "connected_components": {},
    "eccentricity": {},
    "closeness_centrality": {},
    "average_shortest_path_length": {},
}


def read_graph(graph, weighted):
    rows = graph._adj.values()
    values = map(itemgetter("weight"), chain.from_iterable(row.values() for row in rows)) if weighted else chain.from_iterable(rows)
    deque(values, maxlen=0)


def parts(answer):
    """The content of dicts and sets as lists, and functions that make them again."""
    if isinstance(answer, tuple):
        return [part for one in answer for part in parts(one)]
    if isinstance(answer, dict):
        return [(lambda pair: dict(zip(*pair, strict=True)), (list(answer), list(answer.values())))]
    return [(set, list(one)) for one in answer] if isinstance(answer, list) else []


def spent_ms(call):
    begin = time.process_time()
    answer = call()
    return (time.process_time() - begin) * 1e3, answer


def one_round(graph, name, arguments):
    """{column: ms} of one round: the first call with the conversion, the next one, NetworkX, and the two limits."""
    function, spent = getattr(nx, name), {}
    graph.__networkx_cache__.clear()
    for column, backend in (("first_ms", "fringe"), ("next_ms", "fringe"), ("networkx_ms", "networkx")):
        spent[column], answer = spent_ms(lambda backend=backend: taken(function(graph, **arguments, backend=backend)))
    lists = parts(answer)
    spent["read_ms"], _ = spent_ms(lambda: read_graph(graph, "dijkstra" in name))
    spent["answer_ms"], _ = spent_ms(lambda: [make(content) for make, content in lists])
    return spent


def measure_large(only, results):
    graph = nx.gnm_random_graph(2000, 100_000, seed=1)
    for u, v, data in graph.edges(data=True):
        data["weight"] = 1 + (u * 7 + v * 13) % 9
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    for name, arguments in LARGE_CALLS.items():
        if only and name not in only:
            continue
        rounds = [one_round(graph, name, arguments) for _ in range(3)]
        spent = {key: statistics.median(r[key] for r in rounds) for key in rounds[0]}
        put({"function": name, "n": len(graph), "edges": graph.number_of_edges(), **spent, "commit": commit,
             "load": round(os.getloadavg()[0], 1)}, results)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("function", nargs="*")
    parser.add_argument("--write", metavar="FILE.jsonl", type=argparse.FileType(encoding="utf-8"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--results", type=argparse.FileType("a", encoding="utf-8"), default=sys.stdout)
    options = parser.parse_args()
    if options.write:
        write([json.loads(line) for line in options.write])
        return
    (check if options.check else measure_large if options.large else measure)(options.function, options.results)


if __name__ == "__main__":
    main()
