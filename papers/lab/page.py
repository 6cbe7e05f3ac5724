"""The measured parts of the pages: figures fill the marked blocks of papers/pages/*.md; their claims, what was measured,
the rule and the verdict of each row of the table of verdicts. All other text of a page is written by hand."""

import os
import re

import documents
from documents import table
from lines import Missing
from rules import OPEN, VERDICTS

FIGURES = {}  # page: [(block, claims, function, jobs)]


def figure(page, block, claims=(), only=None):
    """Registers a function of (lines, plots). It returns the text of a block, or the text and (measured, rule, verdict) of
    each of `claims`: words that only its row in the table of verdicts has. block "": it only draws. only: its jobs, if
    they are not all of the page."""

    def register(function):
        FIGURES.setdefault(page, []).append((block, claims, function, only or page + "/*"))
        return function

    return register


def figures_of(page, lines, plots):
    """({block: text}, {words of a claim: (measured, rule, verdict)})."""
    blocks, claims = {"measured-on": documents.wrapped(f"Measured on {lines.machines()}. {lines.verified(page)}")}, {}
    for block, words, function, only in FIGURES[page]:
        try:
            found = function(lines, plots)
        except Missing as why:
            found = f"Not measured: {why}.", [(f"by `--only '{only}'`", "-", OPEN)] * len(words)
        text, judged = found if isinstance(found, tuple) else (found, [])
        if block:
            blocks[block] = text
        claims.update(zip(words, judged, strict=True))
    return blocks, claims


HEADS = ["claim (place)", "published", "measured", "rule", "verdict", "reason"]
TABLE = re.compile(r"<!-- verdicts -->\n(.*?)<!-- end -->", re.DOTALL)


def judged_rows(name, text, claims):
    """The rows of the table of verdicts: claim, published figure and reason are the page's, the rest is computed. Tells
    which verdicts are not the page's, as their reasons have to be written anew."""
    rows = [line.strip("| \n").split(" | ") for line in TABLE.search(text)[1].splitlines() if line.startswith("| ")][1:]
    for words, judged in claims.items():
        mine = [row for row in rows if words in row[0]]
        if len(mine) != 1 or len(rows) != len(claims) or len(mine[0]) != len(HEADS):
            raise SystemExit(f"{name}: {len(claims)} claims are judged, {len(rows)} are in its table, {len(mine)} with '{words}'")
        (row,) = mine
        if row[4] != f"**{judged[2]}**":
            print(f"{name}: '{row[0]}' is {judged[2]}, was {row[4].strip('*')}: is its reason still right?")
        row[2:5] = judged[0], judged[1], f"**{judged[2]}**"
    return rows


def tally(rows):
    """{verdict: number of the claims that have it}."""
    found = [row[-2].strip("*") for row in rows]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def counted(rows):
    """'5 reproduced, 1 weaker': the verdicts of some claims."""
    return ", ".join(f"{number} {verdict}" for verdict, number in tally(rows).items() if number)


def filled(path, lines, plots):
    """(the text of a page with its blocks as measured, the rows of its verdicts)."""
    name = os.path.basename(path)
    blocks, claims = figures_of(name.removesuffix(".md"), lines, plots)
    rows = judged_rows(name, documents.read(path), claims)
    blocks["verdicts"] = f"{table(HEADS, rows)}\nOf {len(rows)} claims: {counted(rows)}.\n"
    return documents.filled(path, blocks), rows
