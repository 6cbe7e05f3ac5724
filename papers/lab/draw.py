#!/usr/bin/env python3
"""Fills papers/pages from measured lines, and draws every plot as SVG. Runs nothing.

Usage: papers/lab/draw.py [--check] [--from FILE.jsonl ...] [--page NAME ...] [--pages DIR] [--plots DIR]

Without --from it takes papers/lab/papers.jsonl. A block has lines of one commit, which it names where it is not that of
most lines of its page, and all have one driver a GPU: others are refused, as are quotients over different graphs,
commits or sources. The pages are about the GPU with the most lines; those of other GPUs are compared in some figures of
XBFS. --page writes that page alone, and neither README.md, which is about all, nor rivals.md.
"""

import argparse
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(1, os.path.join(ROOT, "bench"))
import documents  # noqa: E402  # bench/ is in the path
import jobs  # noqa: E402
import page  # noqa: E402
import rivals  # noqa: E402
from lines import Lines, knobs_table  # noqa: E402
from rules import VERDICTS  # noqa: E402

PAGES = {"uiuc-bfs": ("uiuc", "UIUC-BFS"), "bfs-4k": ("bfs4k", "BFS-4K"), "h-bf": ("hbf", "H-BF"),
         "study": ("study", "study"), "xbfs": ("xbfs", "XBFS")}  # fmt: skip
FORMS = {"UIUC-BFS": ("hier-queue", jobs.HIER_FORM), "BFS-4K": ("bfs4k", f"k1, k4, k5 by section 7, k3=16, {jobs.BFS4K_FORM}"),
         "H-BF": ("hbf", jobs.HBF_FORM), "XBFS": ("xbfs", jobs.XBFS_STEPS["async"]),
         "XBFS's Enterprise": ("xbfs", jobs.XBFS_STEPS["baseline"])}  # fmt: skip


def pages_of(folder, lines, plots, only):
    """{path: text} of the five pages, or of those of `only`; else also of README.md, which has the claims of all, and rivals.md."""
    texts, rows, tallies = {}, [], []
    for name, (module, title) in PAGES.items():
        if only and name not in only:
            continue
        importlib.import_module(module)
        path = os.path.join(folder, name + ".md")
        texts[path], claims = page.filled(path, lines, plots)
        link = f"[{title}]({name}.md)"
        tallies.append([link, len(claims), *page.tally(claims).values(), f"{lines.main}, {lines.days.get(lines.main)}"])
        rows += [[link, *row] for row in claims]
    if only:
        return texts
    lines.turn_to("")
    path = os.path.join(folder, "rivals.md")
    texts[path] = documents.filled(path, rivals.blocks(rivals.rival_lines()))
    path = os.path.join(folder, "README.md")
    tallies.append(["all", *map(sum, list(zip(*tallies))[1:-1]), ""])
    tally = documents.table(["text", "claims", *VERDICTS, "measured at commit"], tallies)
    blocks = {"texts": documents.wrapped(f"Measured on {lines.machines()}.") + tally, "forms": knobs_table(FORMS),
              "verdicts": documents.table(["text", *page.HEADS], rows)}  # fmt: skip
    texts[path] = documents.filled(path, blocks)
    return texts


class NoPlots:
    """Draws nothing, so that `--check` needs no matplotlib."""

    def __getattr__(self, _):
        return lambda *_args, **_options: None


def plots_into(folder, lines):
    try:
        from plots import Plots
    except ImportError as error:
        raise SystemExit(f"draw.py: {error}; `make bench-papers` installs what it needs into .venv") from error
    os.makedirs(folder, exist_ok=True)
    return Plots(folder, lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--from", dest="files", action="append", metavar="FILE", help="lines to draw; may be given again")
    option("--page", dest="only", action="append", choices=list(PAGES), help="write this page alone; may be given again")
    option("--pages", default=os.path.join(ROOT, "papers", "pages"), help="folder of the pages (default papers/pages)")
    option("--plots", help="folder of the plots (default build/site/plots; none with --check)")
    option("--check", action="store_true", help="write no page; exit 1 if one differs")
    options = parser.parse_args()
    if not options.check:
        options.plots = options.plots or os.path.join(ROOT, "build", "site", "plots")
    lines = Lines(options.files or [os.path.join(HERE, "papers.jsonl")])
    plots = plots_into(options.plots, lines) if options.plots else NoPlots()
    return documents.update(pages_of(options.pages, lines, plots, options.only), options.check, "papers/lab/draw.py")


if __name__ == "__main__":
    sys.exit(main())
