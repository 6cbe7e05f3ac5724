#!/usr/bin/env python3
"""Draws docs/results from measured lines: one page per paper, every plot as SVG. Runs nothing.

Usage: bench/papers_draw.py [--from FILE.jsonl ...] [--output DIR]

Without --from it takes all of bench/results/*.jsonl. A later file replaces lines of an earlier one for the
same measurement. The page lists what has no line as not measured.
"""

import argparse
import glob
import os
import sys

from result_lines import RESULTS

DOCS = os.path.join(os.path.dirname(RESULTS), os.pardir, "docs", "results")


def pages():
    try:
        from papers import page_bfs4k, page_hbf, page_study, page_uiuc, page_xbfs
    except ImportError as error:
        raise SystemExit(
            f"papers_draw.py: {error}; `make bench-papers` installs what it needs into .venv"
        ) from error
    return page_uiuc, page_bfs4k, page_hbf, page_study, page_xbfs


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--from", dest="files", action="append", metavar="FILE", help="lines to draw; may be given again"
    )
    parser.add_argument(
        "--output", default=os.path.normpath(DOCS), help="folder of the pages (default docs/results)"
    )
    options = parser.parse_args()
    kinds = pages()
    from papers.lines import Lines

    lines = Lines(options.files or sorted(glob.glob(os.path.join(RESULTS, "*.jsonl"))))
    plots = os.path.join(options.output, "plots")
    os.makedirs(plots, exist_ok=True)
    for kind in kinds:
        print(kind.draw(lines, plots).write(options.output))
    return 0


if __name__ == "__main__":
    sys.exit(main())
