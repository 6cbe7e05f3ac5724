#!/usr/bin/env python3
"""NetworkX and its backend fringe on a graph of 100,000 edges, the conversion of the graph included.

usage: networkx_large.py [--results FILE.jsonl]     one JSON line per function; processor time, medians of three

"read_ms" is one pass over the dicts of the graph, which any conversion makes: the neighbors, and the weights where the
function has weights. "answer_ms" makes the dicts and sets of the answer from lists of their content.
"""

import argparse
import json
import os
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

CALLS = {
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


def taken(answer):
    """What a function returns, with all that it makes when it is asked for."""
    if isinstance(answer, tuple):
        return tuple(taken(part) for part in answer)
    if isinstance(answer, Iterator):
        return list(answer)
    return dict(answer) if isinstance(answer, Mapping) and not isinstance(answer, dict) else answer


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


def measure(graph, name, arguments):
    """{column: ms} of one round: the first call with the conversion, the next one, NetworkX, and the two limits."""
    function, spent = getattr(nx, name), {}
    graph.__networkx_cache__.clear()
    for column, backend in (("first_ms", "fringe"), ("next_ms", "fringe"), ("networkx_ms", "networkx")):
        spent[column], answer = spent_ms(lambda backend=backend: taken(function(graph, **arguments, backend=backend)))
    lists = parts(answer)
    spent["read_ms"], _ = spent_ms(lambda: read_graph(graph, "dijkstra" in name))
    spent["answer_ms"], _ = spent_ms(lambda: [make(content) for make, content in lists])
    return spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=argparse.FileType("a", encoding="utf-8"), default=sys.stdout)
    options = parser.parse_args()
    fr.config.threads = 1
    nx.config.warnings_to_ignore.add("cache")
    graph = nx.gnm_random_graph(2000, 100_000, seed=1)
    for u, v, data in graph.edges(data=True):
        data["weight"] = 1 + (u * 7 + v * 13) % 9
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    for name, arguments in CALLS.items():
        rounds = [measure(graph, name, arguments) for _ in range(3)]
        spent = {key: float(f"{statistics.median(r[key] for r in rounds):.4g}") for key in rounds[0]}
        line = {"function": name, "n": len(graph), "edges": graph.number_of_edges(), **spent, "commit": commit,
                "load": round(os.getloadavg()[0], 1)}  # fmt: skip
        print(json.dumps(line), file=options.results, flush=True)


if __name__ == "__main__":
    main()
