#!/usr/bin/env python3
"""Times text -> sorted, deduplicated, symmetric CSR: fringe, and GAPBS and PIGO where they are.

Usage: bench/load.py [--fringe PATH] [--scale N] [--folder DIR] [--gapbs DIR] [--pigo DIR] >>DATE-cpu-load.jsonl

Prints one JSON line per file, program and number of threads. The files are a Kronecker graph of 2^N vertices and 16
edges each, once per undirected edge: by.el in the order of its vertices, mixed.el, mixed.mtx and mixed.wel (with
weights) in random order; they are kept in --folder. --gapbs: folder of a built GAP benchmark suite (its converter).
--pigo: folder of pigo.hpp (needs a C++ compiler).
"""

import argparse
import json
import os
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
"$1" convert "kronecker:scale=$2,edge_factor=16,seed=1" --undirected --simple -q -o both.el
awk '$1 < $2' both.el >by.el
rm both.el
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fringe", default="build/fringe", help="the command; bench/bench_load lies next to it")
    parser.add_argument("--scale", default="20")
    parser.add_argument("--folder")
    parser.add_argument("--gapbs", default=os.environ.get("GAPBS"))
    parser.add_argument("--pigo", default=os.environ.get("PIGO"))
    options = parser.parse_args()
    options.fringe = os.path.abspath(options.fringe)
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
