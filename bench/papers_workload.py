#!/usr/bin/env python3
"""Computes XBFS's Figs. 9 and 10 on the host and appends JSON lines; needs NumPy.

Usage: bench/papers_workload.py [--fringe PATH] [--output FILE] [GRAPH...]   (LJ, DB, OR, US, DP, ...)
"""

import argparse
import json
import os
import sys
import tempfile

from peers import machine


def main():
    from papers import graphs, workload

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graphs", nargs="*", metavar="GRAPH", default=graphs.XBFS_PARTS)
    parser.add_argument("--fringe", default=os.environ.get("FRINGE", "build/fringe"), help="the command")
    parser.add_argument("--output", default="/dev/stdout", help="append lines here")
    options = parser.parse_args()
    facts = machine.facts(options.fringe)
    device = {"kind": "cpu", "name": facts["cpu"], "threads": facts["cores"]}
    for original in options.graphs:
        with tempfile.TemporaryDirectory() as folder:
            line = workload.line_of(options, graphs.by_name(graphs.XBFS, original), folder)
        line.update(device=device, commit=facts["commit"], date=facts["date"])
        with open(options.output, "a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
