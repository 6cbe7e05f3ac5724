#!/usr/bin/env python3
"""NetworkX and its backend fringe on a graph of 100,000 edges, the conversion of the graph included.

usage: networkx_large.py [--results FILE.jsonl]     one JSON line per function; processor time, one call each
"""

import argparse
import json
import os
import subprocess
import sys
import time

import networkx as nx
import pyfringe as fr
from networkx_sizes import read

CALLS = {
    "single_source_shortest_path_length": {"source": 0},
    "single_source_dijkstra_path_length": {"source": 0},
    "single_source_dijkstra": {"source": 0},
    "connected_components": {},
    "eccentricity": {},
    "closeness_centrality": {},
    "average_shortest_path_length": {},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=argparse.FileType("a", encoding="utf-8"), default=sys.stdout)
    options = parser.parse_args()
    fr.config.threads = 1
    graph = nx.gnm_random_graph(2000, 100_000, seed=1)
    for u, v, data in graph.edges(data=True):
        data["weight"] = 1 + (u * 7 + v * 13) % 9
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    for name, arguments in CALLS.items():
        function, spent = getattr(nx, name), {}
        for backend in ("fringe", "fringe", "networkx"):
            begin = time.process_time()
            read(function(graph, **arguments, backend=backend))
            key = "networkx_ms" if backend == "networkx" else "next_ms" if "first_ms" in spent else "first_ms"
            spent[key] = float(f"{(time.process_time() - begin) * 1e3:.4g}")
        graph.__networkx_cache__.clear()
        line = {"function": name, "n": len(graph), "edges": graph.number_of_edges(), **spent, "commit": commit,
                "load": round(os.getloadavg()[0], 1)}  # fmt: skip
        print(json.dumps(line), file=options.results, flush=True)


if __name__ == "__main__":
    main()
