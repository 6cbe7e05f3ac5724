"""One comparison: every program on the same graphs and sources, alternating; tables and JSON lines."""

import argparse
import json
import math
import os
import statistics
import sys
import tempfile

from . import machine, registry
from .common import Graph, Unusable, Wrong, attempt
from .fringe_row import PLAIN, ROWS

GRAPHS = [
    "kronecker:scale=20,edge_factor=16,seed=1",
    "uniform:n=1048576,edges=16777216,seed=1",
    "grid2d:rows=1000,cols=1000,keep=0.75,seed=1",
]


def parser(text):
    p = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("graphs", nargs="*", metavar="GRAPH", default=GRAPHS)
    p.add_argument("--fringe", default=os.environ.get("FRINGE", "fringe"), help="the command")
    p.add_argument("--gapbs", help="folder with GAP's bfs and sssp")
    p.add_argument("--problem", choices=("bfs", "sssp"), default="bfs")
    p.add_argument("--rows", help="fringe's strategies; the first is compared with the others")
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
    return p


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


def measure(options, description, folder):
    """({program: median seconds}, fringe's preparation, {program: reason why it was left out})."""
    graph = Graph(options, description, folder)
    tools = registry.rows(options) + registry.look(options)[0]
    times, left_out, sources = {tool.name: {} for tool in tools}, {}, None
    for round_ in range(options.rounds):
        now = [t for t in tools if t.rounds is None or round_ < options.library_rounds]
        sources = one_round([t for t in now if t.name not in left_out], graph, times, sources, left_out)
    medians = {
        name: statistics.median(statistics.median(runs) for runs in by_source.values())
        for name, by_source in times.items()
        if by_source
    }
    return medians, tools[0].prepare, left_out


def ratio_of(medians):
    """(the best program that is not part of fringe, its time divided by fringe's)."""
    ours = next(iter(medians))
    others = {
        name: seconds for name, seconds in medians.items() if name in PLAIN or not name.startswith("fringe")
    }
    others.pop(ours, None)
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


def line_of(options, description, medians, prepare, left_out):
    """The complete line of one graph: machine, commit, date, parameters and times."""
    line = {"kind": "compare", "problem": options.problem, "graph": description}
    line.update(options.machine)
    line.update(sources=options.sources, seed=options.seed, rounds=options.rounds)
    line.update(threads=options.threads, prepare_s=prepare, seconds=medians)
    if options.problem == "sssp":
        line["weights"] = options.weights
    if left_out:
        line["left_out"] = left_out
    line["best_other"], line["ratio"] = ratio_of(medians)
    return line


def put(options, line):
    text = json.dumps(line)
    if options.json:
        print(text, flush=True)
    if options.output:
        with open(options.output, "a", encoding="utf-8") as file:
            file.write(text + "\n")


def has_gpu(fringe):
    return json.loads(attempt([fringe, "doctor", "--json"])).get("gpu_used", False)


def prepare_options(options):
    options.rows = options.rows or ROWS[options.problem]
    options.machine = machine.facts(options.fringe)
    if options.gpu:
        options.machine["gpu"] = machine.facts(options.fringe, "cuda")["device"]


def run(options):
    """Returns the exit code: 1 if an answer is wrong."""
    prepare_options(options)
    ratios = []
    for description in options.graphs:
        with tempfile.TemporaryDirectory() as folder:
            try:
                medians, prepare, left_out = measure(options, description, folder)
            except Wrong as wrong:
                print(f"wrong answer: {wrong}", file=sys.stderr)
                return 1
        report(description, medians, prepare, left_out)
        put(options, line_of(options, description, medians, prepare, left_out))
        ratios += [r for r in [ratio_of(medians)[1]] if r]
    if ratios:
        mean = math.exp(statistics.fmean(math.log(r) for r in ratios))
        print(f"\ngeometric mean over {len(ratios)} graphs: {mean:.2f} times as fast as the best other")
    return 0
