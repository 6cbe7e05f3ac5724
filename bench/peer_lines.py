"""Reads bench/results/peers: medians of fringe and of other programs on the graphs of `fringe bench --suite gpu`.

bench/results/peers/README.md defines the time of each program.
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
            if line.startswith("#"):
                continue
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


def first_comment(path):
    """The machine, from the comment in the first line of a file, or ""."""
    with open(path, encoding="utf-8") as file:
        line = file.readline()
    return line[1:].strip() if line.startswith("#") else ""


class Peers:
    """The measurements of one folder."""

    def __init__(self, folder=PEERS):
        self.runs = {}  # name of a run: {(program, graph): ms}
        self.machines = {}
        for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
            name = os.path.basename(path)
            self.machines[name] = first_comment(path)
            if name.endswith("-medians.txt"):
                self.runs[name] = read_medians(path)
            else:
                self.runs[name] = {key: median(ms) for key, ms in read_sources(path).items()}

    def newest(self, program, graph):
        """The latest run of fringe: the last one by the name of its file, which begins with the date."""
        names = [name for name, run in self.runs.items() if (program, graph) in run]
        if not names:
            raise SystemExit(f"no file of bench/results/peers has {program} on {graph}")
        return max(names)

    def find(self, program, graph):
        """The smallest median of a program over the runs, and the run; (None, None) if it did not run."""
        found = [(run[program, graph], name) for name, run in self.runs.items() if (program, graph) in run]
        return min(found) if found else (None, None)

    def traversal_run(self, problem, graph):
        return self.newest(f"fringe-{problem}", graph)

    def traversal(self, problem, graph):
        """fringe's traversal, in ms."""
        return self.runs[self.traversal_run(problem, graph)][f"fringe-{problem}", graph]

    def best_other(self, problem, graph):
        """(ms, name) of the fastest other traversal."""
        found = [
            (self.find(program, graph)[0], name)
            for program, (solves, name) in TRAVERSALS.items()
            if solves == problem and self.find(program, graph)[0]
        ]
        return min(found)

    def calls(self, problem, graph):
        """(fringe's, cuGraph's) wall time of a call."""
        wall, peer = f"fringe-{problem}-wall", f"cugraph-{problem}"
        return self.runs[self.newest(wall, graph)][wall, graph], self.find(peer, graph)[0]

    def machine(self):
        """The machine of fringe's traversals; exits if they come from two runs."""
        runs = {self.traversal_run(problem, graph) for problem in PROBLEMS for graph in GRAPHS}
        machines = {self.machines[name] for name in runs}
        if len(machines) != 1:
            raise SystemExit(f"fringe's traversals come from several machines or commits: {sorted(runs)}")
        return machines.pop()

    def speedups(self, problem):
        """{graph: speed-up of fringe's traversal over the fastest other}."""
        return {g: self.best_other(problem, g)[0] / self.traversal(problem, g) for g in GRAPHS}
