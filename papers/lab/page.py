"""The measured parts of the pages: figures fill the marked blocks of papers/pages/*.md; their claims, in order, the
measured figures and the verdicts of the table of verdicts. All other text of a page is written by hand."""

import os
import re

import documents
from documents import table
from lines import NOT, Missing

REPRODUCED, WEAKER, CONTRADICTED, UNTESTABLE = "reproduced", "weaker", "contradicted", "not testable"
FIGURES = {}  # page: [(block, number of claims, function)]


def figure(page, block, claims=0):
    """Registers a function of (lines, plots). It returns the text of a block, or the text and its claims: a list of
    (measured, verdict). block "": it only draws."""

    def register(function):
        FIGURES.setdefault(page, []).append((block, claims, function))
        return function

    return register


def verdict(holds, weakly=False):
    """The verdict for a statement that holds, holds in part, or does not."""
    return REPRODUCED if holds else WEAKER if weakly else CONTRADICTED


def figures_of(page, lines, plots):
    """({block: text}, [(measured, verdict) of each claim])."""
    blocks, claims = {"measured-on": documents.wrapped(f"Measured on {lines.machines()}.")}, []
    for block, count, function in FIGURES[page]:
        try:
            found = function(lines, plots)
        except Missing as why:
            found = f"Not measured: {why}.", [(NOT, UNTESTABLE)] * count
        text, judged = found if isinstance(found, tuple) else (found, [])
        if block:
            blocks[block] = text
        claims += judged
    return blocks, claims


def judged_rows(name, text, claims):
    """The rows of the table of verdicts; a claim whose measured figure is "-" stays as it is. Tells which verdicts are
    not the page's, as their reasons have to be written anew."""
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]
    tested = [row for row in rows if row[2] != "-"]
    if len(tested) != len(claims):
        raise SystemExit(f"{name}: {len(tested)} claims in its table of verdicts, {len(claims)} are judged")
    for row, (measured, new) in zip(tested, claims):
        if row[3] != f"**{new}**":
            print(f"{name}: '{row[0]}' is {new}, was {row[3].strip('*')}: is its reason still right?")
        row[2], row[3] = measured, f"**{new}**"
    return rows


def counted(rows):
    """'5 reproduced, 1 weaker': the verdicts of some claims."""
    verdicts = [row[-2].strip("*") for row in rows]
    return ", ".join(f"{verdicts.count(v)} {v}" for v in (REPRODUCED, WEAKER, CONTRADICTED, UNTESTABLE) if v in verdicts)


HEADS = ["claim (place)", "published", "measured", "verdict", "reason"]
VERDICTS = re.compile(r"<!-- verdicts -->\n(.*?)<!-- end -->", re.DOTALL)


def filled(path, lines, plots):
    """(the text of a page with its blocks as measured, the rows of its verdicts)."""
    name = os.path.basename(path)
    blocks, claims = figures_of(name.removesuffix(".md"), lines, plots)
    rows = judged_rows(name, VERDICTS.search(documents.read(path))[1], claims)
    blocks["verdicts"] = f"{table(HEADS, rows)}\nOf {len(rows)} claims: {counted(rows)}.\n"
    return documents.filled(path, blocks), rows
