#!/usr/bin/env python3
"""Times text -> sorted, deduplicated, symmetric CSR: fringe, and GAPBS and PIGO where they are.

Usage: bench/load.py [--fringe PATH] [--scale N] [--folder DIR] [--gapbs DIR] [--pigo DIR] >>DATE-cpu-load.jsonl
       bench/load.py --names [--fringe PATH] [--scale N] [--runs N] [--folder DIR]     names for ids instead

Prints one JSON line per file, program and number of threads. The files are a Kronecker graph of 2^N vertices and 16
edges each, once per undirected edge: by.el in the order of its vertices, mixed.el, mixed.mtx and mixed.wel (with
weights) in random order; they are kept in --folder. --gapbs: folder of a built GAP benchmark suite (its converter).
--pigo: folder of pigo.hpp (needs a C++ compiler).

--names times reading an edge list with integers and the same edges with names for ids, in turns. The edges of a Kronecker
and of a uniform graph, 16 per vertex, in random order; names are "v123" (short) and "https://example.org/user/0000123"
(long, which no slot of the table holds). A run is a process that reads the file and asks for a path of no edges. Prints the
median wall time of reading and the median processor time (user and system) of the process, and, with names, the median
over the rounds of the processor time with integers over that with names.
"""

import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

from peers.common import command, machine

GAPBS = re.compile(r"Read Time: +([\d.]+).*?Build Time: +([\d.]+)", re.DOTALL)
PIGO = re.compile(r"parse ([\d.]+) s, load ([\d.]+) s")
FILES = ("by.el", "mixed.el", "mixed.mtx", "mixed.wel")
MAKE = r"""set -eu
"$1" convert "kronecker:scale=$2,edge_factor=16,seed=1" --undirected --simple -q -o both.mtx
awk '/^%/ { next } !sized { sized = 1; next } { u = $1 - 1; v = $2 - 1; print u < v ? u " " v : v " " u }' both.mtx |
    sort -k1n -k2n -u >by.el
rm both.mtx
shuf --random-source=by.el by.el >mixed.el
{ echo "%%MatrixMarket matrix coordinate pattern symmetric"; echo "$((1 << $2)) $((1 << $2)) $(wc -l <mixed.el)"
  awk '{ print $2 + 1, $1 + 1 }' mixed.el; } >mixed.mtx
awk 'BEGIN { srand(3) } { print $0, 1 + int(255 * rand()) }' mixed.el >mixed.wel"""


def medians(name, program, runs):
    """The line of a peer: runs of (parse, build, load)."""
    parse, build, load = (round(statistics.median(x), 6) for x in zip(*runs))
    return {"file": name, "program": program, "parse_s": parse, "build_s": build, "load_s": load}


def gapbs_line(name, outputs):
    runs = [tuple(map(float, GAPBS.search(text).groups())) for text in outputs]
    return medians(name, "gapbs", [(read, build, read + build) for read, build in runs])


def pigo_line(name, output):
    runs = [tuple(map(float, found)) for found in PIGO.findall(output)]
    return medians(name, "pigo", [(parse, load - parse, load) for parse, load in runs])


def peer_lines(options, folder, scratch):
    """Of each peer that is there, for by.el and mixed.el."""
    pigo = os.path.join(scratch, "pigo_load")
    if options.pigo:
        source = os.path.join(os.path.dirname(__file__), "micro", "pigo_load.cc")
        compiler = os.environ.get("CXX", "c++")
        command([compiler, "-O3", "-march=native", "-fopenmp", "-I" + options.pigo, source, "-o", pigo])
    for name in FILES[:2]:
        path = os.path.join(folder, name)
        if options.gapbs:
            words = [os.path.join(options.gapbs, "converter"), "-s", "-f", path, "-b", os.path.join(scratch, "out.sg")]
            yield gapbs_line(name, [command(words) for _ in range(3)])
        if options.pigo:
            yield pigo_line(name, command([pigo, path]))


# ---- names for ids --------------------------------------------------------------------------------

KINDS = {"integers": "{}", "short names": "v{}", "long names": "https://example.org/user/{:07d}"}


def write_names(fringe, folder, description):
    """{kind: (path, a vertex)}"""
    made = os.path.join(folder, "made.el")
    subprocess.run([fringe, "gen", description, "-o", made, "-q"], check=True)
    lines = [line.split() for line in pathlib.Path(made).read_text(encoding="ascii").splitlines()]
    os.remove(made)
    random.Random(1).shuffle(lines)
    files = {}
    for kind, form in KINDS.items():
        path = os.path.join(folder, kind.replace(" ", "-") + ".tsv")
        with open(path, "w", encoding="ascii") as out:
            out.writelines(f"{form.format(int(u))}\t{form.format(int(v))}\n" for u, v in lines)
        files[kind] = path, form.format(int(lines[0][0]))
    return files


def read_names(fringe, path, vertex, kind):
    """(seconds of reading, seconds of the processor)"""
    ids = "integers" if kind == "integers" else "strings"
    words = [fringe, "path", path, "--ids", ids, "-s", vertex, "-t", vertex, "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        answer = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(words)}: {answer}")
    return json.loads(answer)["load_ns"] / 1e9, usage.ru_utime + usage.ru_stime


def time_names(options):
    n = 1 << int(options.scale)
    for graph in (f"kronecker:scale={options.scale},edge_factor=16,seed=1", f"uniform:n={n},edges={16 * n},seed=1"):
        with tempfile.TemporaryDirectory(dir=options.folder or "/dev/shm") as folder:
            files = write_names(options.fringe, folder, graph)
            times = {kind: [] for kind in files}
            for _ in range(options.runs):
                for kind, (path, vertex) in files.items():
                    times[kind].append(read_names(options.fringe, path, vertex, kind))
            sizes = {kind: os.path.getsize(path) for kind, (path, _) in files.items()}
        line = {"kind": "load_names", "graph": graph, "runs": options.runs, "threads": len(os.sched_getaffinity(0)),
                "load_average": round(os.getloadavg()[0], 1)}  # fmt: skip
        for kind, found in times.items():
            ratio = statistics.median(whole[1] / own[1] for whole, own in zip(times["integers"], found))
            wall, cpu = (round(statistics.median(x), 3) for x in zip(*found))
            line[kind] = {"bytes": sizes[kind], "wall_s": wall, "cpu_s": cpu, "speed": round(ratio, 3)}
        print(json.dumps(line), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fringe", default="build/fringe", help="the command; bench/bench_load lies next to it")
    parser.add_argument("--scale", help="2^SCALE vertices (20; with --names 18)")
    parser.add_argument("--names", action="store_true", help="time names for ids instead")
    parser.add_argument("--runs", type=int, default=5, help="with --names: rounds (%(default)s)")
    parser.add_argument("--folder")
    parser.add_argument("--gapbs", default=os.environ.get("GAPBS"))
    parser.add_argument("--pigo", default=os.environ.get("PIGO"))
    options = parser.parse_args()
    options.fringe = os.path.abspath(options.fringe)
    options.scale = options.scale or ("18" if options.names else "20")
    if options.names:
        return time_names(options)
    program = os.path.join(os.path.dirname(options.fringe), "bench", "bench_load")
    facts = machine(options.fringe)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or scratch
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, FILES[-1])):
            subprocess.run(["bash", "-c", MAKE, "make", options.fringe, options.scale], cwd=folder, check=True)
        own = command([program] + [os.path.join(folder, name) for name in FILES]).splitlines()
        for line in [*map(json.loads, own), *peer_lines(options, folder, scratch)]:
            print(json.dumps({"kind": "load", **facts, "threads": facts["cores"], **line}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
