#!/usr/bin/env python3
"""Runs the jobs of the papers' tables and figures and appends JSON lines; needs only Python.

Usage: bench/papers_run.py [--build DIR] [--output FILE] [--budget SECONDS] [--part I/N] [--only GLOB] [--dry-run]

bench/papers.sh builds the programs that it runs. Lines that the output file or a --have file has already, of
this commit and this GPU, are not measured again, so that a run that was cut off goes on. --part 2/3 is the
second of three parts of about the same length. The name of a job is paper/item/graph/column: `--only 'xbfs/*'`
runs those of one paper, `--skip 'h-bf/*'` all but those. Without a GPU only the jobs of the host run.
bench/papers_draw.py draws the pages from the lines.
"""

import argparse
import datetime
import fnmatch
import os
import sys

from papers import jobs as list_of_jobs
from papers import run


def chosen(options):
    """The jobs that --only, --skip and --part allow."""
    found = list_of_jobs.jobs()
    if options.part:
        found = run.part_of(found, *options.part)
    if options.only:
        found = [j for j in found if any(fnmatch.fnmatch(j.name, g) for g in options.only)]
    if options.skip:
        found = [j for j in found if not any(fnmatch.fnmatch(j.name, g) for g in options.skip)]
    return found


def part(text):
    """'2/4' -> (2, 4)."""
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise argparse.ArgumentTypeError(f"I/N with 1 <= I <= N, not '{text}'")
    return int(index), int(count)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=os.environ.get("BUILD", "build"), help="build folder (default build)")
    parser.add_argument(
        "--counting", default=os.environ.get("COUNTING", "build-counting"), help="that of the build that counts"
    )
    parser.add_argument("--output", help="append lines here (default: DATE-papers.jsonl)")
    parser.add_argument("--have", action="append", metavar="FILE", help="lines that need not be measured again")
    parser.add_argument("--budget", type=float, default=0, help="seconds; 0: no limit (default)")
    parser.add_argument(
        "--only", action="append", metavar="GLOB", help="jobs of these names; may be repeated"
    )
    parser.add_argument("--skip", action="append", metavar="GLOB", help="but not these")
    parser.add_argument("--part", type=part, metavar="I/N", help="the Ith of N parts of about the same length")
    parser.add_argument("--commit", default=os.environ.get("FRINGE_COMMIT", ""), help="where git does not say it")
    parser.add_argument("--on-host", action="store_true", help="run GPU jobs without a GPU: for the tests")
    parser.add_argument("--dry-run", action="store_true", help="print the commands, run nothing")
    options = parser.parse_args()
    options.output = options.output or f"{datetime.date.today().isoformat()}-papers.jsonl"
    parts = chosen(options)
    if not parts:
        print("no job has such a name")
        return 2
    if options.dry_run:
        run.dry(options, parts)
        return 0
    return run.run(options, parts)


if __name__ == "__main__":
    sys.exit(main())
