"""The measured parts of the pages: figures fill the marked blocks of papers/pages/*.md; their claims, what was measured,
the rule and the verdict of each row of the table of verdicts. All other text of a page is written by hand."""

import os
import re

import documents
from documents import table
from lines import Missing
from rules import OPEN, VERDICTS

FIGURES = {}  # page: [(block, claims, function)]


def figure(page, block, claims=()):
    """Registers a function of (lines, plots). It returns the text of a block, or the text and (measured, rule, verdict) of
    each of `claims`: words that only its row in the table of verdicts has. block "": it only draws."""

    def register(function):
        FIGURES.setdefault(page, []).append((block, claims, function))
        return function

    return register


def figures_of(page, lines, plots):
    """({block: text}, {words of a claim: (measured, rule, jobs, verdict)})."""
    lines.turn_to(page + "/")
    blocks, claims = {"measured-on": documents.wrapped(f"Measured on {lines.machines()}. {lines.verified(page)}")}, {}
    for block, words, function in FIGURES[page]:
        lines.read.clear()
        try:
            found = function(lines, plots)
        except Missing as why:
            found = f"Not measured: {why}.", [("-", "-", OPEN)] * len(words)
        text, judged = found if isinstance(found, tuple) else (found, [])
        if lines.commit() != lines.main:
            text = f"{text}\nOf commit {lines.commit()}, {lines.days[lines.commit()]}.\n"
        if block:
            blocks[block] = text
        for word, (*measured, verdict) in zip(words, judged, strict=True):
            claims[word] = *measured, lines.jobs(), verdict
    return blocks, claims


HEADS = ["claim (place)", "published", "measured", "rule", "jobs", "verdict", "reason"]
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
        *measured, verdict = judged
        if row[-2] != f"**{verdict}**":
            print(f"{name}: '{row[0]}' is {verdict}, was {row[-2].strip('*')}: is its reason still right?")
        row[2:-1] = *measured, f"**{verdict}**"
    return rows


def tally(rows):
    """{verdict: number of the claims that have it}."""
    found = [row[-2].strip("*") for row in rows]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def filled(path, lines, plots):
    """(the text of a page with its blocks as measured, the rows of its verdicts)."""
    name = os.path.basename(path)
    blocks, claims = figures_of(name.removesuffix(".md"), lines, plots)
    rows = judged_rows(name, documents.read(path), claims)
    counted = ", ".join(f"{number} {verdict}" for verdict, number in tally(rows).items() if number)
    blocks["verdicts"] = f"{table(HEADS, rows)}\nOf {len(rows)} claims: {counted}.\n"
    return documents.filled(path, blocks), rows
