"""The peers, how each is found, and how to name the place of one that is not found."""

import os

from . import libraries, programs
from .fringe_row import Dial, Fringe


def gapbs(options):
    folder = options.gapbs or os.environ.get("GAPBS")
    kernel = programs.find(folder, options.problem, f"gapbs-{options.problem}")
    if not kernel:
        return []
    if options.problem == "bfs":
        return [programs.Gapbs(options, kernel)]
    return [programs.Gapbs(options, kernel, delta) for delta in options.deltas.split(",")]


def dial(options):
    program = os.path.join(os.path.dirname(options.fringe), "bench", "bench_dial")
    return [Dial(program)] if options.problem == "sssp" and os.path.exists(program) else []


def lagraph(options):
    name = f"{options.problem}_demo"
    program = programs.find(os.environ.get("LAGRAPH"), name, name)
    return [programs.Lagraph(options, program)] if program else []


def gunrock(options):
    program = programs.gunrock(os.environ.get("GUNROCK"), options.problem)
    return [programs.Gunrock(options, program)] if program else []


def module(kind):
    def look(options):
        wanted = not options.no_python and all(map(libraries.importable, ("numpy", kind.module)))
        return [kind(options)] if wanted else []

    return look


# name, backend, hint for its place, function that finds it
PEERS = [
    ("GAPBS", "cpu", "GAPBS=folder with its bfs and sssp, or gapbs-bfs and gapbs-sssp on the PATH", gapbs),
    (
        "LAGraph",
        "cpu",
        "LAGRAPH=folder with its bfs_demo and sssp_demo (built with LG_CHECK_RESULT=1)",
        lagraph,
    ),
    ("SciPy", "cpu", "pip install numpy scipy", module(libraries.Scipy)),
    ("igraph", "cpu", "pip install numpy igraph", module(libraries.Igraph)),
    ("Gunrock", "cuda", "GUNROCK=folder with its bfs and sssp (or gr_bfs, gr_sssp), or gunrock-bfs on the PATH", gunrock),
    (
        "cuGraph",
        "cuda",
        "pip install cugraph-cu13 (or -cu12), on a machine with a GPU",
        module(libraries.Cugraph),
    ),
]


def rows(options):
    """fringe's strategies, on the CPU and, if requested, on the GPU."""
    wheres = ["cpu", "cuda"] if options.gpu else ["cpu"]
    found = []
    for where in wheres:
        names = options.rows if where == "cpu" else options.gpu_rows
        found += [Fringe(options, row, where) for row in names.split(",")]
    return found + dial(options)


def look(options):
    """(peers found, [(name, hint)] of those that are absent)."""
    found, absent = [], []
    for name, where, hint, search in PEERS:
        if where == "cuda" and not options.gpu:
            absent.append((name, f"{hint}; needs a GPU that fringe can use"))
            continue
        got = search(options)
        found += got
        if not got:
            absent.append((name, hint))
    return found, absent
