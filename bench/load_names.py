#!/usr/bin/env python3
"""Times reading an edge list with integers and the same edges with names for ids, in turns.

usage: bench/load_names.py [--fringe PATH] [--scale K] [--runs N] [--folder DIR] [--output FILE]

The edges of a Kronecker and of a uniform graph, 16 per vertex, in random order; names are "v123" (short) and
"https://example.org/user/0000123" (long, which no slot of the table holds). A run is a process that reads the file and
asks for a path of no edges. Prints the median wall time of reading and the median processor time (user and system) of
the process, and, with names, the median over the rounds of the processor time with integers over that with names.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import tempfile

from peers.common import put

KINDS = {"integers": "{}", "short names": "v{}", "long names": "https://example.org/user/{:07d}"}


def write(fringe, folder, description):
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


def read(fringe, path, vertex, kind):
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


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--fringe", default="build/fringe", help="the command (default %(default)s)")
    p.add_argument("--scale", type=int, default=18, help="2^SCALE vertices (default %(default)s)")
    p.add_argument("--runs", type=int, default=5, help="rounds (default %(default)s)")
    p.add_argument("--folder", default="/dev/shm", help="for the files (default %(default)s)")
    p.add_argument("--output", metavar="FILE", help="append one JSON line per graph")
    options = p.parse_args()
    options.json = True
    n = 1 << options.scale
    for graph in (f"kronecker:scale={options.scale},edge_factor=16,seed=1", f"uniform:n={n},edges={16 * n},seed=1"):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            files = write(options.fringe, folder, graph)
            times = {kind: [] for kind in files}
            for _ in range(options.runs):
                for kind, (path, vertex) in files.items():
                    times[kind].append(read(options.fringe, path, vertex, kind))
            sizes = {kind: os.path.getsize(path) for kind, (path, _) in files.items()}
        line = {"kind": "load_names", "graph": graph, "runs": options.runs, "threads": len(os.sched_getaffinity(0)),
                "load_average": round(os.getloadavg()[0], 1)}  # fmt: skip
        for kind, found in times.items():
            ratio = statistics.median(whole[1] / own[1] for whole, own in zip(times["integers"], found))
            line[kind] = {"bytes": sizes[kind], "wall_s": round(statistics.median(w for w, _ in found), 3),
                          "cpu_s": round(statistics.median(c for _, c in found), 3), "speed": round(ratio, 3)}  # fmt: skip
        put(options, line)


main()
