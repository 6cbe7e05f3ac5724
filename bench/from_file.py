#!/usr/bin/env python3
"""Times whole commands from a file to the answer, the start of the program included.

Usage: bench/from_file.py [--fringe PATH] [--problem bfs|sssp] [--gapbs DIR] [--gunrock DIR] [--graphs DIR]
                          [--only PROGRAM,...] [--output FILE] [GRAPH...]
       bench/from_file.py --table FILE...       prints the lines of such runs as a Markdown table

Every program reads the same graph from its own binary form, from Matrix Market text, and from that text
compressed with zstd where it can, and solves from one source that has an edge; fringe on the CPU and, where it
finds a GPU, on that, too. The files lie in --folder, which is memory-backed by default; one run that is not timed
brings program and file into memory. The programs take turns; the time is the median wall time of --runs processes.
A command that takes more than --once seconds runs only once.
Answers are not written, and not checked (compare_peers.py does that). A peer that fails is left out, with the reason.

GRAPH is one of the nine graphs of the suite gpu (the default; cnr-2000 and moscow are files of --graphs DIR), a
file, or the description of a generator. GAPBS: bfs and sssp in the folder --gapbs, else in that of the environment
variable GAPBS, else gapbs-bfs and gapbs-sssp on the PATH. Gunrock: bfs or gr_bfs, sssp or gr_sssp, in the folder
--gunrock, else in that of GUNROCK, else gunrock-bfs or gr_bfs (...) on the PATH; it reads Matrix Market only. The
folder's bin/ will do. cuGraph: a module of this Python. What is absent is named.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time

from documents import table
from peers import programs
from peers.common import CONVERT_SUFFIX, Unusable, attempt, command, has_gpu, machine, put
from peers.libraries import importable
from result_lines import graph_words, read_lines

# name: description or file, and the options of `fringe convert`, as in cli/bench/suites.c
UNDIRECTED = ["--undirected", "--simple"]
SUITE = {
    "kron21": ("kronecker:scale=21,edge_factor=16,seed=1", UNDIRECTED),
    "kron24": ("kronecker:scale=24,edge_factor=16,seed=1", UNDIRECTED),
    "uniform": ("uniform:n=2000000,edges=64000000,seed=1", UNDIRECTED),
    "lj-like": ("rmat:scale=23,edges=72000000,n=4847571,seed=1", ["--simple"]),
    "wiki-like": ("rmat:scale=22,edges=5400000,n=2394385,seed=1", ["--simple"]),
    "cnr-2000": ("cnr-2000.mtx.zst", UNDIRECTED),
    "lattice": ("grid2d:rows=1400,cols=1400,keep=0.7,seed=1", []),
    "grid3d": ("grid3d:x=215,y=215,z=215", []),
    "moscow": ("osm-moscow-roads.gr.zst", []),
}
PROGRAMS = ("fringe", "fringe (GPU)", "GAPBS", "Gunrock", "cuGraph")
# The whole program that a user of cuGraph writes; Matrix Market counts vertices from 1.
CUGRAPH = """
import sys
import cudf, cugraph
problem, path, source = sys.argv[1], sys.argv[2], int(sys.argv[3])
symmetric = "symmetric" in open(path).readline()
names = ["dst", "src"] + (["weight"] if problem == "sssp" else [])
types = ["int32", "int32"] + (["float32"] if problem == "sssp" else [])
frame = cudf.read_csv(path, sep=" ", names=names, dtype=types, skiprows=2)
graph = cugraph.Graph(directed=not symmetric)
graph.from_cudf_edgelist(frame, "src", "dst", edge_attr="weight" if problem == "sssp" else None)
print(len(getattr(cugraph, problem)(graph, source + 1)))
"""


class Files:
    """The files of one graph, each written on first use."""

    def __init__(self, options, description, convert, folder):
        self.options, self.folder = options, folder
        self.own = os.path.join(folder, "graph.fringe")
        weights = ["--weights", "random:1,255"] if options.problem == "sssp" else ["--weights", "none"]
        command([options.fringe, "convert", description, self.own, "-q", *weights, *convert])

    def path(self, suffix):
        path = os.path.join(self.folder, f"graph{suffix}")
        if suffix.endswith(".zst") and not os.path.exists(path):
            command(["zstd", "-q", "-T0", self.path(suffix[: -len(".zst")]), "-o", path])
        elif not os.path.exists(path):
            command([self.options.fringe, "convert", self.own, path, "-q"])
        return path


def facts_of(options, files):
    """Graph, and a source that fringe draws."""
    words = [options.fringe, options.problem, files.own, "--sources", "1", "--seed", str(options.seed)]
    answer = json.loads(command([*words, "--backend", "cpu", "--no-tuning-cache", "--json"]))
    return answer["graph"], answer["runs"][0]["source"]


def fringe_rows(options, files, source, backend):
    where = "" if backend == "cpu" else " (GPU)"
    for suffix in (".fringe", ".mtx", ".mtx.zst")[: 3 if shutil.which("zstd") else 2]:
        words = [options.fringe, options.problem, files.path(suffix), "-s", "{}"]
        words += ["-q", "--no-tuning-cache", "--backend", backend, "--threads", str(options.threads)]
        # ids of Matrix Market begin with 1
        yield f"fringe{where}", suffix, [word.format(source + (suffix != ".fringe")) for word in words]


def gapbs_rows(options, files, source):
    program = programs.gapbs_program(options)
    if program:
        for suffix in (CONVERT_SUFFIX[options.problem], ".mtx")[: 1 if options.binary else 2]:
            yield "GAPBS", suffix, [program, "-f", files.path(suffix), "-r", str(source), "-n", "1"]


def gunrock_rows(options, files, source):
    program = programs.gunrock_program(options)
    if program and (options.gpu or options.gunrock):
        yield "Gunrock", ".mtx", [program, "-m", files.path(".mtx"), "--src", str(source), "-n", "1"]


def cugraph_rows(options, files, source):
    if options.gpu and importable("cugraph") and importable("cudf"):
        yield "cuGraph", ".mtx", [sys.executable, "-c", CUGRAPH, options.problem, files.path(".mtx"), str(source)]


def commands(options, files, source):
    """[(program, suffix, words)]"""
    found = list(fringe_rows(options, files, source, "cpu"))
    if options.gpu:
        found += fringe_rows(options, files, source, "cuda")
    for rows in (gapbs_rows, gunrock_rows, cugraph_rows):
        found += rows(options, files, source)
    return [row for row in found if row[0] in options.only]


def absent(options):
    hints = (
        ("GAPBS", programs.gapbs_program(options), "--gapbs, or GAPBS=folder with its bfs and sssp"),
        ("a GPU that fringe can use", options.gpu, "without it only peers of the CPU and --gunrock are timed"),
        ("Gunrock", programs.gunrock_program(options), "--gunrock, or GUNROCK=folder with its bfs or gr_bfs (sssp, gr_sssp)"),
        ("zstd", shutil.which("zstd"), "without the command no compressed text is timed"),
        ("cuGraph", importable("cugraph"), "pip install cugraph-cu13 (or -cu12), on a machine with a GPU"),
    )
    return [(name, hint) for name, there, hint in hints if not there]


def leave_out(row, failure):
    program, suffix, _ = row
    if program.startswith("fringe"):
        sys.exit(str(failure))
    print(f"{program} {suffix}: left out: {failure}")


def measure(options, description, convert, folder):
    """A line of results: seconds by program and suffix."""
    files = Files(options, description, convert, folder)
    graph, source = facts_of(options, files)
    rows = commands(options, files, source)
    env = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    times = {}
    for round_ in range(options.runs + 1):
        for row in list(rows):
            program, suffix, words = row
            begin = time.perf_counter()
            try:
                attempt(words, env)
            except Unusable as failure:
                leave_out(row, failure)
                rows.remove(row)
                times.pop(f"{program} {suffix}", None)
                continue
            seconds = time.perf_counter() - begin
            if round_ or seconds > options.once:
                times.setdefault(f"{program} {suffix}", []).append(seconds)
            if seconds > options.once:
                rows.remove(row)
    sizes = {suffix: os.path.getsize(files.path(suffix)) for suffix in dict.fromkeys(name.split()[-1] for name in times)}
    seconds = {name: round(statistics.median(found), 6) for name, found in times.items()}
    return {"kind": "from_file", "problem": options.problem, "graph": graph, "source": source,
            "runs": options.runs, "threads": options.threads, "bytes": sizes, "seconds": seconds}  # fmt: skip


def named(options, name):
    """(description or path, options of convert) of GRAPH; None if it is a file that is not there."""
    description, convert = SUITE.get(name, (name, []))
    if name in SUITE and ":" not in description:
        description = os.path.join(options.graphs or "", description)
    if ":" not in description and not os.path.exists(description):
        print(f"{name}: left out: no file {description}; --graphs DIR names its folder")
        return None
    return description, convert


def print_line(name, line):
    print(f"{name}: {line['problem']}, {line['graph']['n']} vertices, {line['graph']['m']} stored edges")
    for row, seconds in line["seconds"].items():
        megabytes = line["bytes"][row.split()[-1]] / 1e6
        print(f"  {row:24} {seconds * 1e3:10.1f} ms  {megabytes:9.1f} MB")


def table_of(paths):
    """One row per graph and problem; columns are the programs and forms that any line has."""
    lines = [line for path in paths for line in read_lines(path) if line.get("kind") == "from_file"]
    columns = list(dict.fromkeys(column for line in lines for column in line["seconds"]))
    cells = [[f"{line['seconds'][c] * 1e3:.0f}" if c in line["seconds"] else "-" for c in columns] for line in lines]
    rows = [[graph_words(line["case"]), line["problem"], *each] for line, each in zip(lines, cells)]
    return table(["graph", "problem", *(f"{column}, ms" for column in columns)], rows)


def parsed():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", metavar="GRAPH", default=list(SUITE))
    p.add_argument("--fringe", default=os.environ.get("FRINGE", "fringe"), help="the command")
    p.add_argument("--gapbs", metavar="DIR", help="folder with GAP's bfs and sssp; else GAPBS")
    p.add_argument("--gunrock", metavar="DIR", help="folder with Gunrock's bfs or gr_bfs (sssp, gr_sssp); else GUNROCK")
    p.add_argument("--problem", choices=("bfs", "sssp"), default="bfs")
    p.add_argument("--graphs", metavar="DIR", help="folder of cnr-2000.mtx.zst and osm-moscow-roads.gr.zst")
    p.add_argument("--folder", default="/dev/shm" if os.path.isdir("/dev/shm") else None, help="for the files")
    p.add_argument("--binary", action="store_true", help="GAPBS reads only its own form: its reader of text is slow")
    p.add_argument("--only", metavar="PROGRAM,...", default=",".join(PROGRAMS), help=f"of {', '.join(PROGRAMS)}; default: all that are found")
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--once", type=float, default=60, metavar="SECONDS", help="slower commands run once (%(default)s)")
    p.add_argument("--seed", type=int, default=1, help="of the source")
    p.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument("--output", metavar="FILE", help="append one JSON object per graph to this file")
    p.add_argument("--table", nargs="+", metavar="FILE", help="print the lines of these files as a table")
    options = p.parse_args()
    options.only = options.only.split(",")
    for name in options.only:
        if name not in PROGRAMS:
            p.error(f"--only: no program {name}; there are {', '.join(PROGRAMS)}")
    return options


def main():
    options = parsed()
    if options.table:
        print(table_of(options.table), end="")
        return
    options.fringe = shutil.which(options.fringe) or sys.exit(f"{options.fringe}: no such command")
    options.gpu = has_gpu(options.fringe)
    for name, hint in absent(options):
        print(f"not found: {name}: {hint}")
    facts = machine(options.fringe, options.gpu)
    for name in options.names:
        graph = named(options, name)
        if graph:
            with tempfile.TemporaryDirectory(dir=options.folder) as folder:
                line = {**facts, "case": name, **measure(options, *graph, folder)}
            print_line(name, line)
            put(options, line)


if __name__ == "__main__":
    main()
