#!/usr/bin/env python3
"""Compares fringe on the CPU with the programs that are installed: same graphs, same sources, one run.

Usage: bench/compare_cpu.py [--fringe PATH] [--gapbs DIR] [--problem bfs|sssp] [GRAPH...]

GRAPH is a file or a generator's description; by default the three graphs of the table in the
README. Each graph is written once as a GAP binary file, which every program reads. Compared are:

  fringe    the rows named by --rows; `serial` is the plain FIFO queue, `dijkstra` the plain heap
  dial      the plain bucket queue on one core: bench_dial, built beside the command
  gapbs     GAP Benchmark Suite: bfs and sssp in --gapbs, $GAPBS or on the PATH (as gapbs-bfs, ...);
            sssp with each of --deltas, the best one counts
  scipy     scipy.sparse.csgraph, where Python has it
  igraph    python-igraph, where Python has it

Every answer is checked: fringe's by --verify, GAP's by its -v, the others' by `fringe verify`.
Times exclude loading and fringe's one-time preparation, which is printed beside. Per source the median
of --rounds, then the median over the sources; the programs alternate within a round. Exits 1 when an
answer is wrong.
"""
import argparse
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

GRAPHS = [
    "kronecker:scale=20,edge_factor=16,seed=1",
    "uniform:n=1048576,edges=16777216,seed=1",
    "grid2d:rows=1000,cols=1000,keep=0.75,seed=1",
]
PLAIN = ("fringe serial", "fringe dijkstra")  # rows that stand for textbook programs
ROWS = {"bfs": "auto,serial,beamer", "sssp": "auto,dijkstra,delta-step"}


class Wrong(Exception):
    """A program gave a wrong answer."""


def command(words, env=None, wrong=()):
    """Runs a program; its output. Exit codes in `wrong` mean a wrong answer."""
    done = subprocess.run(words, capture_output=True, text=True, env=env, check=False)
    if done.returncode in wrong:
        raise Wrong(f"{' '.join(words)}: {done.stdout}{done.stderr}".strip())
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


class Fringe:
    """One row of fringe's table."""

    def __init__(self, options, row):
        self.name, self.row, self.options = f"fringe {row}", row, options
        self.prepare = None

    def seconds(self, graph, _sources):
        """Draws the sources itself, the same ones for the same seed."""
        o = self.options
        words = [o.fringe, o.problem, graph, "--backend", "cpu", "--strategy", self.row, "--json"]
        words += ["--verify", "--threads", str(o.threads)]
        words += ["--sources", str(o.sources), "--seed", str(o.seed)]
        answer = json.loads(command(words, wrong=(1,)))
        self.prepare = answer["prepare_ns"] * 1e-9
        return {run["source"]: run["traverse_ns"] * 1e-9 for run in answer["runs"]}


class Gapbs:
    """A kernel of the GAP Benchmark Suite, loaded anew for every source: the median of 3 trials."""

    def __init__(self, options, program, delta=None):
        self.name = "gapbs" if delta is None else f"gapbs delta {delta}"
        self.options, self.program, self.delta = options, program, delta
        self.checked = False  # checking is a serial traversal each: the first round's will do

    def seconds(self, graph, sources):
        env = dict(os.environ, OMP_NUM_THREADS=str(self.options.threads))
        delta = [] if self.delta is None else ["-d", str(self.delta)]
        times = {}
        for source in sources:
            words = [self.program, "-f", graph, "-r", str(source), "-n", "3"] + delta
            text = command(words if self.checked else words + ["-v"], env)
            if not self.checked and "Verification: " not in re.sub(" +", " ", text) or "FAIL" in text:
                raise Wrong(f"{' '.join(words)}: {text}")
            trials = re.findall(r"Trial Time: +([0-9.]+)", text)
            times[source] = statistics.median(map(float, trials))
        self.checked = True
        return times


class Dial:
    """The textbook bucket queue; it checks itself and exits 1 when wrong."""

    name = "dial"

    def __init__(self, program):
        self.program = program

    def seconds(self, graph, sources):
        lines = command([self.program, graph] + [str(s) for s in sources], wrong=(1,)).splitlines()
        return {int(source): float(time_) for source, time_ in map(str.split, lines)}


def read_gap(path):
    """offsets, targets, weights (or None), directed of a GAP binary file."""
    import numpy as np

    with open(path, "rb") as file:
        directed = file.read(1) != b"\0"
        m, n = np.fromfile(file, np.int64, 2)
        offsets = np.fromfile(file, np.int64, n + 1)
        if path.endswith(".wsg"):
            pairs = np.fromfile(file, np.int32, 2 * m).reshape(m, 2)
            return offsets, pairs[:, 0].copy(), pairs[:, 1].copy(), directed
        return offsets, np.fromfile(file, np.int32, m), None, directed


class Library:
    """A Python library: subclasses build a graph once and answer one source."""

    def __init__(self, options):
        self.options, self.graph = options, None

    def seconds(self, graph, sources):
        if self.graph is None:
            self.graph = self.build(*read_gap(graph))
        times = {}
        for source in sources:
            begin = time.perf_counter()
            answer = self.solve(source)
            times[source] = time.perf_counter() - begin
            self.check(graph, source, self.values(answer, source))
        return times

    def check(self, graph, source, values):
        import numpy as np

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "answer.npy")
            np.save(path, values)
            words = [self.options.fringe, "verify", graph, path, "-s", str(source)]
            command(words + ["--problem", self.options.problem], wrong=(1,))


class Scipy(Library):
    name = "scipy"

    def build(self, offsets, targets, weights, _directed):
        import numpy as np
        from scipy.sparse import csr_matrix

        n = len(offsets) - 1
        data = np.ones(len(targets)) if weights is None else weights.astype(float)
        return csr_matrix((data, targets, offsets.astype(np.int32)), shape=(n, n))

    def solve(self, source):
        from scipy.sparse import csgraph

        if self.options.problem == "bfs":
            return csgraph.breadth_first_order(self.graph, source)
        return csgraph.dijkstra(self.graph, indices=source)

    def values(self, answer, source):
        import numpy as np

        if self.options.problem == "sssp":
            return whole(answer)
        order, parent = answer
        level = [-1] * self.graph.shape[0]
        level[source] = 0
        for v in order[1:].tolist():
            level[v] = level[parent[v]] + 1
        return np.array(level, np.int32)


class Igraph(Library):
    name = "igraph"

    def build(self, offsets, targets, weights, directed):
        import igraph
        import numpy as np

        sources = np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
        once = slice(None) if directed else sources <= targets
        edges = np.stack([sources[once], targets[once]], axis=1)
        graph = igraph.Graph(n=len(offsets) - 1, edges=edges, directed=directed)
        self.weights = None if weights is None else weights[once].tolist()
        return graph

    def solve(self, source):
        return self.graph.distances(source=source, weights=self.weights)[0]

    def values(self, answer, _source):
        import numpy as np

        if self.options.problem == "sssp":
            return whole(answer)
        return np.array([-1 if math.isinf(x) else x for x in answer], np.int32)


def whole(distances):
    """Sums of integer weights as int32, the greatest one for what was not reached."""
    import numpy as np

    distances = np.asarray(distances, float)
    most = np.iinfo(np.int32).max
    return np.where(np.isinf(distances), most, distances).astype(np.int32)


def importable(name):
    try:
        __import__(name)
        return True
    except ImportError:
        return False


def programs(options):
    """What is there, fringe's own rows first."""
    found = [Fringe(options, row) for row in options.rows.split(",")]
    folder = options.gapbs or os.environ.get("GAPBS")
    kernel = shutil.which(f"gapbs-{options.problem}")
    if folder and os.path.exists(os.path.join(folder, options.problem)):
        kernel = os.path.join(folder, options.problem)
    dial = os.path.join(os.path.dirname(options.fringe), "bench", "bench_dial")
    if options.problem == "sssp" and os.path.exists(dial):
        found.append(Dial(dial))
    if kernel and options.problem == "bfs":
        found.append(Gapbs(options, kernel))
    elif kernel:
        found += [Gapbs(options, kernel, delta) for delta in options.deltas.split(",")]
    if not options.no_python:
        found += [kind(options) for kind in (Scipy, Igraph) if importable(kind.name)]
    return found


def write_graph(options, graph, folder):
    suffix = ".sg" if options.problem == "bfs" else ".wsg"
    path = os.path.join(folder, f"graph{suffix}")
    words = [options.fringe, "convert", graph, path]
    if options.problem == "sssp":
        words += ["--weights", options.weights, "--seed", str(options.seed)]
    command(words)
    return path


def measure(options, graph, folder):
    """{program: median seconds} of one graph, and the time that auto prepares."""
    path = write_graph(options, graph, folder)
    tools = programs(options)
    times = {tool.name: {} for tool in tools}
    sources = None
    for round_ in range(options.rounds):
        for tool in tools:
            if isinstance(tool, Library) and round_ >= options.library_rounds:
                continue
            got = tool.seconds(path, sources)
            sources = sources or list(got)
            for source, seconds in got.items():
                times[tool.name].setdefault(source, []).append(seconds)
    medians = {
        name: statistics.median(statistics.median(list_) for list_ in by_source.values())
        for name, by_source in times.items()
    }
    return medians, tools[0].prepare


def report(graph, medians, prepare):
    """Prints one graph's table; how many times faster fringe's first row is than the best other."""
    ours = next(iter(medians))
    others = {
        name: seconds
        for name, seconds in medians.items()
        if name != ours and (name in PLAIN or not name.startswith("fringe"))
    }
    print(f"\n{graph}  (preparation {prepare * 1e3:.1f} ms)")
    for name, seconds in sorted(medians.items(), key=lambda item: item[1]):
        print(f"  {name:20} {seconds * 1e3:10.3f} ms   {seconds / medians[ours]:7.2f} x")
    if not others:
        return None
    best = min(others, key=others.get)
    ratio = others[best] / medians[ours]
    print(f"  {ours} is {ratio:.2f} times as fast as the best other, {best}")
    return ratio


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graphs", nargs="*", metavar="GRAPH", default=GRAPHS)
    parser.add_argument("--fringe", default=os.environ.get("FRINGE", "fringe"), help="the command")
    parser.add_argument("--gapbs", help="folder with GAP's bfs and sssp")
    parser.add_argument("--problem", choices=("bfs", "sssp"), default="bfs")
    parser.add_argument("--rows", help="fringe's strategies; the first is compared with the rest")
    parser.add_argument("--sources", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--library-rounds", type=int, default=1, help="of the Python libraries")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--weights", default="random:1,255", help="sssp: as fringe's --weights")
    parser.add_argument("--deltas", default="1,8,32,64,128", help="sssp: GAP's deltas to try")
    parser.add_argument("--no-python", action="store_true", help="leave SciPy and igraph out")
    parser.add_argument("--json", action="store_true", help="print one JSON object a graph too")
    options = parser.parse_args()
    options.rows = options.rows or ROWS[options.problem]
    ratios = []
    for graph in options.graphs:
        with tempfile.TemporaryDirectory() as folder:
            try:
                medians, prepare = measure(options, graph, folder)
            except Wrong as wrong:
                print(f"wrong answer: {wrong}", file=sys.stderr)
                return 1
        ratio = report(graph, medians, prepare)
        if ratio:
            ratios.append(ratio)
        if options.json:
            print(json.dumps({"graph": graph, "seconds": medians, "ratio": ratio}))
    if ratios:
        mean = math.exp(statistics.fmean(math.log(r) for r in ratios))
        print(f"\ngeometric mean over {len(ratios)} graphs: {mean:.2f} times as fast as the best other")
    return 0


if __name__ == "__main__":
    sys.exit(main())
