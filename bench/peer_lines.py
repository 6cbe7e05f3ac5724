"""Reads bench/results/peers: medians of fringe and of other programs on the graphs of `fringe bench --suite gpu`.

bench/results/peers/README.md says what each program's time covers.
"""

import glob
import os
from statistics import median

from result_lines import RESULTS

PEERS = os.path.join(RESULTS, "peers")
PROBLEMS = ("bfs", "sssp")
# words of a graph, in the order of the tables
GRAPHS = {
    "kron21": "Kronecker, scale 21",
    "kron24": "Kronecker, scale 24",
    "uniform": "uniform random",
    "lj-like": "R-MAT like LiveJournal",
    "wiki-like": "R-MAT like wiki-Talk",
    "cnr-2000": "cnr-2000, web crawl",
    "lattice": "1400 x 1400 lattice",
    "grid3d": "215 x 215 x 215 grid",
    "moscow": "Moscow, roads",
}
# program in the lines: (problem, name); all but cuGraph report the time of the traversal
TRAVERSALS = {
    "blest": ("bfs", "BLEST"),
    "xbfs": ("bfs", "XBFS"),
    "gunrock-bfs": ("bfs", "Gunrock"),
    "lonestar-bfs": ("bfs", "LonestarGPU"),
    "gswitch-bfs": ("bfs", "GSWITCH"),
    "gapbs-bfs": ("bfs", "GAPBS, 16 cores"),
    "gunrock-sssp": ("sssp", "Gunrock"),
    "lonestar-sssp": ("sssp", "LonestarGPU"),
    "lonestar-persistent-sssp": ("sssp", "LonestarGPU"),
    "adds": ("sssp", "ADDS"),
    "gswitch-sssp": ("sssp", "GSWITCH"),
    "gapbs-sssp": ("sssp", "GAPBS, 16 cores"),
}


def read_sources(path):
    """{(program, graph): [ms of each source]}; exits when two programs disagree on an answer."""
    times, answers = {}, {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split()
            if len(words) != 6:
                raise SystemExit(f"{path}:{number}: six words expected")
            program, graph, source, ms, *answer = words
            problem = "sssp" if program == "adds" or "sssp" in program else "bfs"
            if answers.setdefault((problem, graph, source), answer) != answer:
                raise SystemExit(f"{path}:{number}: {program} has another answer for source {source} of {graph}")
            times.setdefault((program, graph), []).append(float(ms))
    return times


def read_medians(path):
    """{(program, graph): ms} of a file of medians."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    return {(program, graph): float(ms) for program, graph, ms in lines}


class Peers:
    """The measurements of one folder."""

    def __init__(self, folder=PEERS):
        self.runs = {}  # name of a run: {(program, graph): ms}
        for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
            name = os.path.basename(path)
            if name.endswith("-medians.txt"):
                self.runs[name] = read_medians(path)
            else:
                self.runs[name] = {key: median(ms) for key, ms in read_sources(path).items()}

    def find(self, program, graph):
        """The smallest median of a program over the runs, and the run; (None, None) when it did not run."""
        found = [(run[program, graph], name) for name, run in self.runs.items() if (program, graph) in run]
        return min(found) if found else (None, None)

    def traversal(self, problem, graph):
        """fringe's traversal, in the run with the peers that report traversals."""
        name = next(name for name in self.runs if name.endswith("-peers.txt"))
        return self.runs[name][f"fringe-{problem}", graph]

    def best_other(self, problem, graph):
        """(ms, name) of the fastest other traversal."""
        found = [
            (self.find(program, graph)[0], name)
            for program, (solves, name) in TRAVERSALS.items()
            if solves == problem and self.find(program, graph)[0]
        ]
        return min(found)

    def calls(self, problem, graph):
        """(fringe's, cuGraph's) wall time of a call, from one run."""
        ms, name = self.find(f"cugraph-{problem}", graph)
        return self.runs[name][f"fringe-{problem}-wall", graph], ms

    def speedups(self, problem):
        """How many times as fast fringe's traversal is, graph by graph."""
        return {g: self.best_other(problem, g)[0] / self.traversal(problem, g) for g in GRAPHS}
