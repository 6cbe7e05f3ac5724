#!/usr/bin/env python3
"""Compares fringe with the installed peers: same graphs, same sources, one run: `make bench-peers`, `make bench-cpu`.

Usage: bench/compare_peers.py [--cpu] [--fringe PATH] [--gapbs DIR] [--problem bfs|sssp] [--output FILE] [GRAPH...]

GRAPH is a file or a generator's description; by default three of generators. Each graph is written once as a GAP binary
file, which every program reads. --cpu leaves the GPU out. The programs:

  fringe    the strategies of --strategies; `serial` is the plain FIFO queue, `dijkstra` the plain heap
  dial      the plain bucket queue on one core: bench_dial, built with the command
  gapbs     GAP Benchmark Suite: bfs and sssp in --gapbs, $GAPBS or on the PATH (as gapbs-bfs, ...);
            sssp with each of --deltas, the best one counts
  lagraph   LAGraph's bfs_demo and sssp_demo, in $LAGRAPH or on the PATH
  scipy     scipy.sparse.csgraph, igraph: python-igraph, where Python has them
  gunrock   Gunrock's examples, in $GUNROCK or on the PATH; cugraph: where Python has it; both with a GPU

For those that are absent it prints how to name their place. Every answer is checked: fringe's by --verify, GAP's by its
-v, LAGraph's and Gunrock's by themselves, the others by `fringe verify`. Times exclude loading and fringe's one-time
preparation, which is printed separately; on a GPU the graph is on the device. The time is the median of --rounds per
source, then the median over the sources; the programs alternate within a round. --json prints and --output appends one
JSON object per graph (bench/README.md). Exits 1 if an answer is wrong.
"""

import argparse
import math
import os
import statistics
import sys
import tempfile

from peers import programs
from peers.common import Graph, Unusable, Wrong, has_gpu, machine, put

GRAPHS = [
    "kronecker:scale=20,edge_factor=16,seed=1",
    "uniform:n=1048576,edges=16777216,seed=1",
    "grid2d:rows=1000,cols=1000,keep=0.75,seed=1",
]


def parsed():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("graphs", nargs="*", metavar="GRAPH", default=GRAPHS)
    p.add_argument("--cpu", action="store_true", help="leave the GPU out")
    p.add_argument("--list", action="store_true", help="list the peers that are found and absent; run nothing")
    p.add_argument("--fringe", default=os.environ.get("FRINGE", "fringe"), help="the command")
    p.add_argument("--gapbs", help="folder with GAP's bfs and sssp")
    p.add_argument("--problem", choices=("bfs", "sssp"), default="bfs")
    p.add_argument("--strategies", help="fringe's strategies; the first is compared with the others")
    p.add_argument("--gpu-strategies", default="auto", help="fringe's strategies on the GPU")
    p.add_argument("--sources", type=int, default=16)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--library-rounds", type=int, default=1, help="rounds of peers that start slowly")
    p.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument("--weights", default="random:1,255", help="sssp: as fringe's --weights")
    p.add_argument("--deltas", default="1,8,32,64,128", help="sssp: GAP's deltas to try")
    p.add_argument("--no-python", action="store_true", help="leave the Python libraries out")
    p.add_argument("--json", action="store_true", help="also print one JSON object per graph")
    p.add_argument("--output", metavar="FILE", help="append one JSON object per graph to this file")
    options = p.parse_args()
    options.gpu = not options.cpu and has_gpu(options.fringe)
    return options


def one_round(tools, graph, times, sources, left_out):
    """Runs each program once from every source; returns the sources, which the first program draws."""
    for tool in tools:
        try:
            got = tool.seconds(graph, sources)
        except Unusable as why:
            left_out[tool.name] = str(why)
            continue
        sources = sources or list(got)
        for source, seconds in got.items():
            times[tool.name].setdefault(source, []).append(seconds)
    return sources


def measure(options, peers, description, folder):
    """({program: median seconds}, fringe's preparation, {program: reason why it was left out})."""
    graph = Graph(options, description, folder)
    tools = programs.own(options) + peers
    times, left_out, sources = {tool.name: {} for tool in tools}, {}, None
    for round_ in range(options.rounds):
        now = [tool for tool in tools if tool.name not in left_out and (tool.rounds is None or round_ < options.library_rounds)]
        sources = one_round(now, graph, times, sources, left_out)
    medians = {name: statistics.median(map(statistics.median, found.values())) for name, found in times.items() if found}
    return medians, tools[0].prepare, left_out


def ratio_of(medians):
    """(the best program that is not part of fringe, its time divided by fringe's)."""
    ours = next(iter(medians))
    others = {name: x for name, x in medians.items() if name != ours and (name in programs.PLAIN or not name.startswith("fringe"))}
    if not others:
        return None, None
    best = min(others, key=others.get)
    return best, others[best] / medians[ours]


def report(description, medians, prepare, left_out):
    ours = next(iter(medians))
    print(f"\n{description}  (preparation {prepare * 1e3:.1f} ms)")
    for name, seconds in sorted(medians.items(), key=lambda item: item[1]):
        print(f"  {name:20} {seconds * 1e3:10.3f} ms   {seconds / medians[ours]:7.2f} x")
    for name, why in left_out.items():
        print(f"  {name:20} left out: {why}")
    best, ratio = ratio_of(medians)
    if best:
        print(f"  {ours} is {ratio:.2f} times as fast as the best other, {best}")
    sys.stdout.flush()


def line_of(options, facts, description, medians, prepare, left_out):
    """The complete line of one graph: machine, commit, date, parameters and times."""
    line = {"kind": "compare", "problem": options.problem, "graph": description, **facts, "sources": options.sources,
            "seed": options.seed, "rounds": options.rounds, "threads": options.threads, "prepare_s": prepare,
            "seconds": medians}  # fmt: skip
    line.update({"weights": options.weights} if options.problem == "sssp" else {})
    line.update({"left_out": left_out} if left_out else {})
    line["best_other"], line["ratio"] = ratio_of(medians)
    return line


def main():
    options = parsed()
    peers, absent = programs.look(options)
    print("here:", ", ".join(tool.name for tool in peers) or "no peer")
    for name, hint in absent:
        print(f"not found: {name:{max(len(each) for each, _ in absent)}}  {hint}")
    if options.list:
        return 0
    facts, ratios = machine(options.fringe, options.gpu), []
    for description in options.graphs:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = measure(options, peers, description, folder)
            except Wrong as wrong:
                print(f"wrong answer: {wrong}", file=sys.stderr)
                return 1
        report(description, *found)
        put(options, line_of(options, facts, description, *found))
        ratios += [r for r in [ratio_of(found[0])[1]] if r]
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f"\ngeometric mean over {len(ratios)} graphs: {mean:.2f} times as fast as the best other")
    return 0


if __name__ == "__main__":
    sys.exit(main())
