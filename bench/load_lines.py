#!/usr/bin/env python3
"""Converts the output of `make bench-load` to JSON lines, one per file, program and number of threads.

Usage: make bench-load | bench/load_lines.py --fringe build/fringe >>load.jsonl
"""

import argparse
import json
import re
import statistics
import sys

from peers import machine

ROW = re.compile(r"^(\S+\.\w+) +(\d+) +(\d+) +([\d.]+) +\d+ +([\d.]+) +([\d.]+) +([\d.]+)$")
GAPBS = re.compile(r"^gapbs (\S+), run \d+: read ([\d.]+) s, build ([\d.]+) s, load ([\d.]+) s$")
PIGO = re.compile(r"^pigo (\S+): parse ([\d.]+) s, load ([\d.]+) s")
KEYS = ("parse_s", "build_s", "load_s")


def parse(text):
    """[{file, program, threads, parse_s, build_s, load_s, ...}]: runs of peers as medians."""
    lines, runs = [], {}
    for row in map(str.strip, text.splitlines()):
        if found := ROW.match(row):
            name, megabytes, threads = found.group(1), int(found.group(2)), int(found.group(3))
            times = dict(zip(KEYS, map(float, found.group(4, 5, 6))))
            lines.append({"file": name, "megabytes": megabytes, "program": "fringe", "threads": threads})
            lines[-1].update(times, peak_per_csr=float(found.group(7)))
        elif found := GAPBS.match(row):
            parse_, build, load = map(float, found.groups()[1:])
            runs.setdefault(("gapbs", found.group(1)), []).append((parse_, build, load))
        elif found := PIGO.match(row):
            parse_, load = map(float, found.groups()[1:])
            runs.setdefault(("pigo", found.group(1)), []).append((parse_, load - parse_, load))
    for (program, name), times in runs.items():
        medians = (round(statistics.median(x), 6) for x in zip(*times))
        lines.append({"file": name, "program": program, **dict(zip(KEYS, medians))})
    return lines


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fringe", default="build/fringe", help="the command")
    options = parser.parse_args()
    facts = machine.facts(options.fringe)
    lines = parse(sys.stdin.read())
    for line in lines:
        line.setdefault("threads", facts["cores"])
        print(json.dumps({"kind": "load", **facts, **line}))
    return 0 if lines else 1


if __name__ == "__main__":
    sys.exit(main())
