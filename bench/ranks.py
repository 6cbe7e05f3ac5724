#!/usr/bin/env python3
"""Scaling of ranks on one host: runs of 1, 2 and 4 ranks in turns, medians, as JSON lines and a table.

    bench/ranks.py --fringe build/fringe --mpirun mpirun --rounds 5 >ranks.jsonl
    bench/ranks.py --threads 8 --larger 4 >ranks-8-threads.jsonl      needs 32 cores
    build/tests/ranks/work_of_ranks >ranks-work.jsonl
    build/tests/ranks/rank_and_auto >rank-and-auto.jsonl      one rank and auto, in turns
    bench/ranks.py --table ranks.jsonl ranks-work.jsonl          the tables of docs/scaling.md
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

# name, problem, scale by number of ranks; --larger is added to the scales
SERIES = [("strong", "bfs", {1: 19, 2: 19, 4: 19}),
          ("weak", "bfs", {1: 18, 2: 19, 4: 20}),
          ("strong", "sssp", {1: 17, 2: 17, 4: 17})]
SOURCES = 8


def run(args, problem, scale, ranks):
    """One process of its own strategy for ranks 0, else that many ranks of --threads threads."""
    threads = str(args.threads)
    line = [args.fringe, problem, f"kronecker:scale={scale},seed=1", "--backend", "cpu", "--sources", str(SOURCES),
            "-j", threads, "--json"]
    if problem == "sssp":
        line += ["--weights", "random:1,255"]
    if ranks:
        place = ["--map-by", f"slot:PE={threads}", "--bind-to", "core"] if args.threads > 1 else ["--bind-to", "none"]
        line = [args.mpirun, *place, "-n", str(ranks)] + line + ["--ranks"]
    out = subprocess.run(line, check=True, capture_output=True, text=True, env=args.env).stdout
    found = json.loads(out)
    return {"ranks": ranks, "threads": args.threads, "problem": problem, "scale": scale,
            "traverse_ns": statistics.median(r["traverse_ns"] for r in found["runs"]),
            "build_ns": found.get("build_ns", 0), "bytes_received": found.get("bytes_received", 0)}


def measure(args):
    for number in range(args.rounds):
        for series, problem, scales in SERIES:
            for ranks in [0] + list(scales) if series == "strong" else scales:
                line = run(args, problem, scales[max(ranks, 1)] + args.larger, ranks)
                line.update(series=series, round=number, load=os.getloadavg()[0], cores=os.cpu_count())
                print(json.dumps(line), flush=True)


def series_of(line):
    """Lines of one series are compared with its line of one rank; a weak one has many scales."""
    return line["series"], line["problem"], line["scale"] if line["series"] == "strong" else 0


def table(paths):
    """A table per file: of work (the slowest rank's CPU time) or of time on the clock."""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        key = "work_ns" if "work_ns" in lines[0] else "traverse_ns"
        print(f"\n| scaling | problem | scale | ranks | {'work' if key == 'work_ns' else 'time'}, ms | "
              "to one rank | received per rank |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
        for series, problem, scale in dict.fromkeys(series_of(x) for x in lines):
            mine = [x for x in lines if series_of(x) == (series, problem, scale)]
            times = {r: statistics.median(x[key] for x in mine if x["ranks"] == r)
                     for r in sorted({x["ranks"] for x in mine})}
            for ranks, time in times.items():
                same = [x for x in mine if x["ranks"] == ranks]
                received = max(x["bytes_received"] for x in same)
                print(f"| {series} | {problem.upper()} | {same[0]['scale']} | {ranks or 'none (`auto`)'} | "
                      f"{time / 1e6:.1f} | {time / times[1]:.2f} | {received / 1024:.0f} KiB |")
        loads = [x["load"] for x in lines if "load" in x]
        if loads:
            print(f"\nLoad of the host while it ran: {min(loads):.0f} to {max(loads):.0f} on "
                  f"{lines[0]['cores']} cores.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fringe", default="build/fringe")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1, help="of each rank, bound to as many cores if more than one")
    parser.add_argument("--larger", type=int, default=0, help="added to the scales, which are 17 to 20")
    parser.add_argument("--table", metavar="FILE", nargs="+")
    args = parser.parse_args()
    args.env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                    OMPI_MCA_rmaps_base_oversubscribe="1")
    if args.table:
        table(args.table)
    else:
        measure(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
