#!/usr/bin/env python3
"""Draws docs/results from measured lines: one page per paper, every plot as SVG, and in docs/results/README.md the
verdicts on all claims. Runs nothing.

Usage: bench/papers_draw.py [--from FILE.jsonl ...] [--output DIR] [--plots DIR]

Without --from it takes bench/results/papers.jsonl. All lines are of one commit, and of one driver a GPU: others
are refused, as are quotients over different graphs or sources. The pages are about the GPU with the most lines; those
of other GPUs are compared in XBFS's Fig. 16.
"""

import argparse
import os
import sys
import textwrap

from result_lines import RESULTS

ROOT = os.path.normpath(os.path.join(os.path.dirname(RESULTS), os.pardir))
BEGIN, END = "<!-- verdicts: written by bench/papers_draw.py -->", "<!-- end of the verdicts -->"


def pages():
    try:
        from papers import page_bfs4k, page_hbf, page_study, page_uiuc, page_xbfs
    except ImportError as error:
        raise SystemExit(
            f"papers_draw.py: {error}; `make bench-papers` installs what it needs into .venv"
        ) from error
    return page_uiuc, page_bfs4k, page_hbf, page_study, page_xbfs


TITLES = {"uiuc-bfs": "UIUC-BFS", "bfs-4k": "BFS-4K", "h-bf": "H-BF", "study": "study", "xbfs": "XBFS"}


def verdicts(drawn, lines):
    """The table of all claims, as Markdown."""
    from papers.page import table_of

    rows, counts = [], {}
    for page in drawn:
        for claim in page.claims:
            counts[claim.verdict] = counts.get(claim.verdict, 0) + 1
            rows.append([f"[{TITLES[page.name]}]({page.name}.md)", *claim.row()])
    words = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items(), key=lambda x: -x[1]))
    line = next(iter(lines.by_gpu.get(lines.gpu, {}).values()), {})
    device = line.get("device", {})
    where = f"{device.get('name')}, driver {device.get('driver')}, commit {line.get('commit')}, {line.get('date')}" if line else "nothing"
    text = f"""The claims of the five papers, each with its place, its published and its measured figure: {words or "none"}.
        Measured on {where}, on surrogates of the papers' graphs; `make bench-papers` repeats all of it,
        `bench/papers.sh --only 'xbfs/*'` one paper. *Reproduced*: the statement holds, or at least half of the published
        gain; *weaker*: it holds in part, or with a smaller gain; *contradicted*: it does not hold; *not testable*: it was not
        measured."""
    text = textwrap.fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False) + "\n"
    return f"{BEGIN}\n\n{text}\n{table_of(['paper', 'claim (place)', 'published', 'measured', 'verdict', 'reason'], rows)}\n{END}"


def put_verdicts(path, text):
    """Replaces the part of the README between the marks; a file without them gets nothing."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        old = file.read()
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if begin and end:
        with open(path, "w", encoding="utf-8") as file:
            file.write(before + text + after)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--from", dest="files", action="append", metavar="FILE", help="lines to draw; may be given again"
    )
    parser.add_argument(
        "--output", default=os.path.join(ROOT, "docs", "results"), help="folder of the pages (default docs/results)"
    )
    parser.add_argument(
        "--plots", default=os.path.join(ROOT, "build", "site", "plots"), help="folder of the plots (default build/site/plots)"
    )
    options = parser.parse_args()
    kinds = pages()
    from papers.lines import Lines

    lines = Lines(options.files or [os.path.join(RESULTS, "papers.jsonl")])
    for folder in (options.output, options.plots):
        os.makedirs(folder, exist_ok=True)
    drawn = [kind.draw(lines, options.plots) for kind in kinds]  # all of them, before any is written
    for page in drawn:
        print(page.write(options.output))
    put_verdicts(os.path.join(options.output, "README.md"), verdicts(drawn, lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
