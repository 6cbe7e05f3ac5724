#!/usr/bin/env python3
"""Compares fringe on the CPU with the installed programs: same graphs, same sources, one run.

Usage: bench/compare_cpu.py [--fringe PATH] [--gapbs DIR] [--problem bfs|sssp] [GRAPH...]

GRAPH is a file or a generator's description; by default the three graphs of the table in the
README. Each graph is written once as a GAP binary file, which every program reads. The programs:

  fringe    the strategies of --rows; `serial` is the plain FIFO queue, `dijkstra` the plain heap
  dial      the plain bucket queue on one core: bench_dial, built with the command
  gapbs     GAP Benchmark Suite: bfs and sssp in --gapbs, $GAPBS or on the PATH (as gapbs-bfs, ...);
            sssp with each of --deltas, the best one counts
  lagraph   LAGraph's bfs_demo and sssp_demo, in $LAGRAPH or on the PATH
  scipy     scipy.sparse.csgraph, where Python has it
  igraph    python-igraph, where Python has it

Every answer is checked: fringe's by --verify, GAP's by its -v, LAGraph's by itself, the others by `fringe
verify`. Times exclude loading and fringe's one-time preparation, which is printed separately. The time is
the median of --rounds per source, then the median over the sources; the programs alternate within a round.
--json prints and --output appends one JSON object per graph (bench/README.md). Exits 1 if an answer is
wrong. `make bench-peers` (compare_peers.py) lists the programs that it does not find, and adds the GPU.
"""

import sys

from peers import compare


def main():
    options = compare.parser(__doc__).parse_args()
    options.gpu = False
    return compare.run(options)


if __name__ == "__main__":
    sys.exit(main())
