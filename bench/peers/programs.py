"""What is compared: fringe's strategies, and peers that are programs: the GAP Benchmark Suite, LAGraph's
demonstrations, Gunrock's examples. `look` finds them, and the programs of libraries.py.

A peer loads the graph again for every source; the time is the traversal time that it prints.
"""

import json
import os
import re
import shutil
import statistics

from . import libraries
from .common import Unusable, Wrong, attempt, command

STRATEGIES = {"bfs": "auto,serial,direction-optimizing", "sssp": "auto,dijkstra,delta-step"}
PLAIN = ("fringe serial", "fringe dijkstra")  # strategies that are textbook programs


class Program:
    rounds = None  # as many as asked for; 1: it starts slowly

    def __init__(self, options, program):
        self.options, self.program = options, program
        self.env = dict(os.environ, OMP_NUM_THREADS=str(options.threads))

    def seconds(self, graph, sources):
        return {source: self.one(graph, source) for source in sources}


class Fringe(Program):
    """One strategy of fringe. It draws the sources itself; the same seed gives the same sources."""

    def __init__(self, options, strategy, backend):
        super().__init__(options, options.fringe)
        self.name = f"fringe {strategy}{'' if backend == 'cpu' else ' (GPU)'}"
        self.strategy, self.backend, self.prepare = strategy, backend, None

    def seconds(self, graph, _sources):
        o = self.options
        words = [self.program, o.problem, graph.path, "--backend", self.backend, "--strategy", self.strategy]
        words += ["--no-tuning-cache", "--json", "--verify", "--threads", str(o.threads)]
        words += ["--sources", str(o.sources), "--seed", str(o.seed)]
        words += ["--warmup", "1"] if self.backend == "cuda" else []
        answer = json.loads(command(words, wrong=(1,)))
        self.prepare = answer["prepare_ns"] * 1e-9
        return {run["source"]: run["traverse_ns"] * 1e-9 for run in answer["runs"]}


class Dial(Program):
    """The textbook bucket queue; it checks itself and exits 1 if wrong."""

    name = "dial"

    def seconds(self, graph, sources):
        lines = command([self.program, graph.path, *map(str, sources)], wrong=(1,)).splitlines()
        return {int(source): float(time_) for source, time_ in map(str.split, lines)}


class Gapbs(Program):
    """A kernel of the GAP Benchmark Suite: the median of 3 trials per source, checked by its -v."""

    def __init__(self, options, program, delta=None):
        super().__init__(options, program)
        self.name = "gapbs" if delta is None else f"gapbs delta {delta}"
        self.delta = [] if delta is None else ["-d", delta]
        self.checked = False  # a check is a serial traversal, so only the first round has it

    def seconds(self, graph, sources):
        times = super().seconds(graph, sources)
        self.checked = True
        return times

    def one(self, graph, source):
        words = [self.program, "-f", graph.path, "-r", str(source), "-n", "3", *self.delta]
        return gapbs_seconds(command(words if self.checked else words + ["-v"], self.env), not self.checked, words)


def gapbs_seconds(text, checked, words):
    """The median trial in the output of GAP's kernels; `checked`: with verification."""
    if "FAIL" in text or checked and "Verification: " not in re.sub(" +", " ", text):
        raise Wrong(f"{' '.join(words)}: {text}")
    return statistics.median(map(float, re.findall(r"Trial Time: +([0-9.]+)", text)))


class Lagraph(Program):
    """LAGraph's bfs_demo and sssp_demo; they check only their first source, so each run has one source."""

    name, rounds = "lagraph", 1

    def one(self, graph, source):
        path = os.path.join(graph.folder, "source.mtx")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"%%MatrixMarket matrix array integer general\n1 1\n{source + 1}\n")
        delta = ["64"] if self.options.problem == "sssp" else []
        return lagraph_seconds(attempt([self.program, graph.in_format(".mtx"), path, *delta], self.env))


def lagraph_seconds(text):
    """The best variant in the output of a demonstration; "check:" marks a checked one."""
    if not re.search(r"check(?: time)?: *[0-9.e+-]+ sec", text):
        raise Unusable("its answers are not checked: build LAGraph with LG_CHECK_RESULT=1")
    found = re.findall(r"trial: *\d+.*?(?:time: *)?([0-9.]+) sec", text)
    if not found:
        raise Unusable("its output has no known time")
    return min(map(float, found))


class Gunrock(Program):
    """Gunrock's bfs and sssp examples with --validate: its own check on the CPU."""

    name, rounds = "gunrock", 1

    def one(self, graph, source):
        if "--src" not in attempt([self.program, "--help"]):
            raise Unusable("its program takes no source (--src): take a newer Gunrock")
        words = [self.program, "-m", graph.in_format(".mtx"), "--src", str(source), "-n", "4", "--validate"]
        return gunrock_seconds(attempt(words))


def gunrock_seconds(text):
    """The last run in the output of an example, checked."""
    errors = re.search(r"Number of errors *: *(\d+)", text)
    times = re.findall(r"GPU Elapsed Time *: *([0-9.eE+-]+)", text)
    if not errors or not times:
        raise Unusable("its output has no known time and number of errors")
    if int(errors.group(1)):
        raise Wrong(f"gunrock: {errors.group(1)} errors by its own check")
    return float(times[-1]) * 1e-3


# ---- where they are -------------------------------------------------------------------------------


def find(folder, *names):
    """The first program of these names in a folder (or its bin/), or on the PATH; None if there is none."""
    for name in names:
        for place in (folder, folder and os.path.join(folder, "bin")):
            if place and os.access(os.path.join(place, name), os.X_OK):
                return os.path.join(place, name)
    return next(filter(None, map(shutil.which, names[1:])), None)


def gapbs_program(options):
    return find(options.gapbs or os.environ.get("GAPBS"), options.problem, f"gapbs-{options.problem}")


def gunrock_program(options):
    """Gunrock's program by either of its names, in its examples or in an installation."""
    folder = getattr(options, "gunrock", None) or os.environ.get("GUNROCK")
    return find(folder, options.problem, f"gunrock-{options.problem}", f"gr_{options.problem}")


def lagraph_program(options):
    name = f"{options.problem}_demo"
    return find(os.environ.get("LAGRAPH"), name, name)


def gapbs(options):
    kernel = gapbs_program(options)
    deltas = [None] if options.problem == "bfs" else options.deltas.split(",")
    return [Gapbs(options, kernel, delta) for delta in deltas] if kernel else []


def dial(options):
    program = os.path.join(os.path.dirname(options.fringe), "bench", "bench_dial")
    return [Dial(options, program)] if options.problem == "sssp" and os.path.exists(program) else []


def one_program(kind, program_of):
    return lambda options: [kind(options, program_of(options))] if program_of(options) else []


def module(kind):
    def look_for(options):
        wanted = not options.no_python and all(map(libraries.importable, ("numpy", kind.module)))
        return [kind(options)] if wanted else []

    return look_for


# name, backend, hint for its place, function that finds it
PEERS = [
    ("GAPBS", "cpu", "GAPBS=folder with its bfs and sssp, or gapbs-bfs and gapbs-sssp on the PATH", gapbs),
    ("LAGraph", "cpu", "LAGRAPH=folder with its bfs_demo and sssp_demo (built with LG_CHECK_RESULT=1)", one_program(Lagraph, lagraph_program)),
    ("SciPy", "cpu", "pip install numpy scipy", module(libraries.Scipy)),
    ("igraph", "cpu", "pip install numpy igraph", module(libraries.Igraph)),
    ("Gunrock", "cuda", "GUNROCK=folder with its bfs and sssp (or gr_bfs, gr_sssp), or gunrock-bfs on the PATH", one_program(Gunrock, gunrock_program)),
    ("cuGraph", "cuda", "pip install cugraph-cu13 (or -cu12), on a machine with a GPU", module(libraries.Cugraph)),
]  # fmt: skip


def own(options):
    """fringe's strategies, on the CPU and, if requested, on the GPU."""
    found = [Fringe(options, strategy, "cpu") for strategy in (options.strategies or STRATEGIES[options.problem]).split(",")]
    if options.gpu:
        found += [Fringe(options, strategy, "cuda") for strategy in options.gpu_strategies.split(",")]
    return found + dial(options)


def look(options):
    """(peers found, [(name, hint)] of those that are absent)."""
    found, absent = [], []
    for name, where, hint, search in PEERS:
        got = search(options) if where == "cpu" or options.gpu else []
        found += got
        if not got:
            absent.append((name, hint if where == "cpu" or options.gpu else f"{hint}; needs a GPU that fringe can use"))
    return found, absent
