#!/usr/bin/env python3
"""Compares fringe with the installed peers on the CPU and the GPU: `make bench-peers`.

Usage: bench/compare_peers.py [--fringe PATH] [--problem bfs|sssp] [--output FILE] [GRAPH...]

Looks for GAPBS, LAGraph, SciPy, igraph, Gunrock and cuGraph: by an environment variable that names
a folder, on the PATH, or as a Python module. For those that are absent it prints how to name their place.
All run on the same graphs from the same sources; every answer is checked, and a wrong one ends the run with
exit code 1. compare_cpu.py describes the timing; on a GPU the graph is on the device.
"""

import sys

from peers import compare, registry


def print_absent(absent):
    width = max((len(name) for name, _ in absent), default=0)
    for name, hint in absent:
        print(f"not found: {name:{width}}  {hint}")


def main():
    parser = compare.parser(__doc__)
    parser.add_argument("--gpu-rows", default="auto", help="fringe's strategies on the GPU")
    parser.add_argument("--list", action="store_true", help="list the peers that are found and absent; run nothing")
    options = parser.parse_args()
    options.gpu = compare.has_gpu(options.fringe)
    found, absent = registry.look(options)
    print("here:", ", ".join(tool.name for tool in found) or "no peer")
    print_absent(absent)
    return 0 if options.list else compare.run(options)


if __name__ == "__main__":
    sys.exit(main())
