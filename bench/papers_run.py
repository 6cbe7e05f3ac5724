#!/usr/bin/env python3
"""Runs the jobs of the papers' tables and figures and appends JSON lines; needs only Python.

Usage: bench/papers_run.py [--fringe PATH] [--output FILE] [--budget SECONDS] [--only GLOB] [--dry-run]

The most important jobs run first; --budget leaves out those that would not end in time. The name of a job
is paper/item/graph/strategy: `--only 'xbfs/*'` runs those of one paper, `--skip suite/bfs` all but
the suite.
On a machine with several GPUs run one part on each: `CUDA_VISIBLE_DEVICES=1 papers_run.py --part 2/4`.
Without a GPU only CPU jobs run. bench/papers_draw.py draws the pages from the lines.
"""

import argparse
import datetime
import fnmatch
import os
import sys
import tempfile

from papers import jobs as list_of_jobs
from papers import run
from peers import compare


def chosen(options):
    """The jobs that --only, --skip and the machine allow."""
    found = list_of_jobs.jobs()
    if options.only:
        found = [j for j in found if any(fnmatch.fnmatch(j.name, g) for g in options.only)]
    if options.skip:
        found = [j for j in found if not any(fnmatch.fnmatch(j.name, g) for g in options.skip)]
    if options.part:
        found = run.part_of(found, *options.part)
    if (
        not options.dry_run
        and any(j.backend == "cuda" for j in found)
        and not compare.has_gpu(options.fringe)
    ):
        print("fringe finds no usable GPU: only CPU jobs run")
        found = [j for j in found if j.backend == "cpu"]
    if not options.dry_run and not os.path.exists(options.fringe_counting):
        counting = [j for j in found if run.counts_on_gpu(j)]
        if counting:
            print(f"no {options.fringe_counting} (`make counting` builds it): {len(counting)} jobs do not run")
        found = [j for j in found if j not in counting]
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
    parser.add_argument("--fringe", default=os.environ.get("FRINGE", "build/fringe"), help="the command")
    parser.add_argument(
        "--fringe-counting",
        default=os.environ.get("FRINGE_COUNTING", "build-counting/fringe"),
        help="the command of `make counting`, for jobs with --counters on a GPU",
    )
    parser.add_argument("--output", help="append lines here (default: DATE-papers.jsonl)")
    parser.add_argument("--budget", type=float, default=0, help="seconds; 0: no limit (default)")
    parser.add_argument(
        "--only", action="append", metavar="GLOB", help="jobs of these names; may be repeated"
    )
    parser.add_argument("--skip", action="append", metavar="GLOB", help="but not these")
    parser.add_argument(
        "--part", type=part, metavar="I/N", help="the Ith of N parts of about the same length, one per GPU"
    )
    parser.add_argument("--scratch", help="folder for the graphs' files (default: a new one)")
    parser.add_argument("--dry-run", action="store_true", help="print the commands, run nothing")
    options = parser.parse_args()
    options.output = options.output or f"{datetime.date.today().isoformat()}-papers.jsonl"
    parts = chosen(options)
    if not parts:
        print("no job has such a name")
        return 2
    if options.dry_run:
        options.scratch = options.scratch or "GRAPHS"
        run.dry(options, parts)
        return 0
    options.scratch = options.scratch or tempfile.mkdtemp(prefix="fringe-papers-")
    return run.run(options, parts)


if __name__ == "__main__":
    sys.exit(main())
