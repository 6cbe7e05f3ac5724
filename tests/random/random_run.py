#!/usr/bin/env python3
"""Compares fringe with plain reference programs on random graphs in every format that it reads.

Each graph has a seed of its own: `--seed N --count 1` makes it, its files and its commands again. On the first mismatch
the seed is printed, the files and the commands stay in a folder, and the exit code is 1.
"""

import argparse
import concurrent.futures
import json
import math
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import random_cases as cases


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fringe", default="build/fringe", help="the program (default %(default)s)")
    parser.add_argument("--seconds", type=float,
                        help="stop after so long (default: no limit with --count, else RANDOM_SECONDS of the "
                             "environment, else 30)")  # fmt: skip
    parser.add_argument("--count", type=int, default=0, help="stop after so many graphs (default 0: never)")
    parser.add_argument("--seed", type=int, help="of the first graph, the next ones follow (default: by the clock)")
    parser.add_argument("--jobs", type=int, default=1, help="graphs at a time (default %(default)s)")
    parser.add_argument("--keep", default="random-found", help="folder for what fails (default %(default)s)")
    parser.add_argument("--go-on", action="store_true", help="list every mismatch instead of stopping at the first")
    options = parser.parse_args()
    if options.seconds is None:
        options.seconds = math.inf if options.count else float(os.environ.get("RANDOM_SECONDS", 30))
    return options


def table_of(program):
    """({problem: CPU strategies}, names of the formats)."""
    listed = json.loads(subprocess.run([program, "list", "--json"], capture_output=True, check=True).stdout)
    strategies = {}
    for row in listed["strategies"]:
        if row["backend"] == "cpu":
            strategies.setdefault(row["problem"], []).append(row["name"])
    return strategies, [f["name"] for f in listed["formats"]]


def keep(folder, where, seed, case, why):
    place = os.path.join(where, str(seed))
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder, place)
    with open(os.path.join(place, "commands.sh"), "w", encoding="utf-8") as file:
        for command in case.commands if case else []:
            file.write(shlex.join(command).replace(folder, ".") + "\n")
        file.write(f"# {why}\n")
    return place


def one(seed, options, table):
    """None, or what went wrong with the graph of this seed."""
    with tempfile.TemporaryDirectory(prefix="fringe-random-") as folder:
        case = None
        try:
            case = cases.Case(random.Random(seed), options.fringe, *table, folder)
            case.all()
            return None
        except (cases.Mismatch, subprocess.TimeoutExpired, ValueError, KeyError, IndexError) as error:
            last = shlex.join(case.commands[-1]) if case and case.commands else "no command yet"
            place = keep(folder, options.keep, seed, case, error)
            about = f"{case.name}, {case.graph.kind} weights" if case else "making the graph"
            return f"seed {seed}: {about}: {type(error).__name__}: {error}\n  {last.replace(folder, place)}"


def main():
    options = parse()
    options.fringe = os.path.abspath(options.fringe)
    first = options.seed if options.seed is not None else int(time.time())
    table, begin, done, failed = table_of(options.fringe), time.monotonic(), 0, 0
    limits = [f"at most {options.seconds:g} s"] if options.seconds < math.inf else []
    limits += [f"{options.count} graphs"] if options.count else []
    print(f"random graphs from seed {first}, {', '.join(limits)}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running, seed = set(), first
        while True:
            time_left = time.monotonic() - begin < options.seconds
            more = time_left and (not options.count or seed - first < options.count) and (options.go_on or not failed)
            while more and len(running) < options.jobs and (not options.count or seed - first < options.count):
                running.add(pool.submit(one, seed, options, table))
                seed += 1
            if not running:
                break
            ended, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                done += 1
                if future.result():
                    failed += 1
                    print(future.result(), flush=True)
    took = time.monotonic() - begin
    print(f"{done} graphs in {took:.1f} s, {done / took:.1f} a second, {failed} with a mismatch")
    if failed:
        print(f"again: {sys.argv[0]} --seed SEED --count 1; files and commands: {options.keep}/SEED/")
    if not done:
        print("no graph was compared: the time was too short")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
