"""Peers that are programs: the GAP Benchmark Suite, LAGraph's demonstrations, Gunrock's examples.

Each loads the graph again for every source; the time is the traversal time that it prints.
"""

import os
import re
import shutil
import statistics

from .common import Unusable, Wrong, attempt, command


class Gapbs:
    """A kernel of the GAP Benchmark Suite: the median of 3 trials per source, checked by its -v."""

    rounds = None

    def __init__(self, options, program, delta=None):
        self.name = "gapbs" if delta is None else f"gapbs delta {delta}"
        self.options, self.program, self.delta = options, program, delta
        self.checked = False  # a check is a serial traversal, so only the first round has it

    def seconds(self, graph, sources):
        env = dict(os.environ, OMP_NUM_THREADS=str(self.options.threads))
        delta = [] if self.delta is None else ["-d", str(self.delta)]
        times = {}
        for source in sources:
            words = [self.program, "-f", graph.path, "-r", str(source), "-n", "3"] + delta
            text = command(words if self.checked else words + ["-v"], env)
            times[source] = gapbs_seconds(text, not self.checked, words)
        self.checked = True
        return times


def gapbs_seconds(text, checked, words):
    """The median trial in the output of GAP's kernels; `checked`: with verification."""
    if "FAIL" in text or checked and "Verification: " not in re.sub(" +", " ", text):
        raise Wrong(f"{' '.join(words)}: {text}")
    return statistics.median(map(float, re.findall(r"Trial Time: +([0-9.]+)", text)))


class Lagraph:
    """LAGraph's bfs_demo and sssp_demo; they check only their first source, so each run has one source."""

    name = "lagraph"
    rounds = 1

    def __init__(self, options, program):
        self.options, self.program = options, program

    def seconds(self, graph, sources):
        matrix = graph.in_format(".mtx")
        env = dict(os.environ, OMP_NUM_THREADS=str(self.options.threads))
        times = {}
        for source in sources:
            path = os.path.join(graph.folder, "source.mtx")
            with open(path, "w", encoding="ascii") as file:
                file.write(f"%%MatrixMarket matrix array integer general\n1 1\n{source + 1}\n")
            delta = ["64"] if self.options.problem == "sssp" else []
            times[source] = lagraph_seconds(attempt([self.program, matrix, path] + delta, env))
        return times


def lagraph_seconds(text):
    """The best variant in the output of a demonstration; "check:" marks a checked one."""
    if not re.search(r"check(?: time)?: *[0-9.e+-]+ sec", text):
        raise Unusable("its answers are not checked: build LAGraph with LG_CHECK_RESULT=1")
    found = re.findall(r"trial: *\d+.*?(?:time: *)?([0-9.]+) sec", text)
    if not found:
        raise Unusable("its output has no known time")
    return min(map(float, found))


class Gunrock:
    """Gunrock's bfs and sssp examples with --validate: its own check on the CPU."""

    name = "gunrock"
    rounds = 1

    def __init__(self, options, program):
        self.options, self.program = options, program

    def seconds(self, graph, sources):
        matrix = graph.in_format(".mtx")
        if "--src" not in attempt([self.program, "--help"]):
            raise Unusable("its program takes no source (--src): take a newer Gunrock")
        times = {}
        for source in sources:
            words = [self.program, "-m", matrix, "--src", str(source), "-n", "4", "--validate"]
            times[source] = gunrock_seconds(attempt(words))
        return times


def gunrock_seconds(text):
    """The last run in the output of an example, checked."""
    errors = re.search(r"Number of errors *: *(\d+)", text)
    times = re.findall(r"GPU Elapsed Time *: *([0-9.eE+-]+)", text)
    if not errors or not times:
        raise Unusable("its output has no known time and number of errors")
    if int(errors.group(1)):
        raise Wrong(f"gunrock: {errors.group(1)} errors by its own check")
    return float(times[-1]) * 1e-3


def find(folder, name, on_path):
    """The program `name` in a folder (or its bin/), else `on_path` on the PATH, else None."""
    for place in (folder, folder and os.path.join(folder, "bin")):
        if place and os.access(os.path.join(place, name), os.X_OK):
            return os.path.join(place, name)
    return shutil.which(on_path)


def gunrock(folder, problem):
    """Gunrock's program for a problem, by either of its names: that of its examples, or that of an installation."""
    return find(folder, problem, f"gunrock-{problem}") or find(folder, f"gr_{problem}", f"gr_{problem}")
