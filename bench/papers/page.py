"""A page of Markdown: tables, figures, verdicts, and a list of what is not repeated."""

import os
import textwrap

from .lines import median_ms, spread

NOT = "not measured"
REPRODUCED, WEAKER, CONTRADICTED, UNTESTABLE = "reproduced", "weaker", "contradicted", "not testable"

PLAIN = {REPRODUCED: "It holds.", WEAKER: "It holds in part.", CONTRADICTED: "It does not hold.",
         UNTESTABLE: "It was not measured."}  # fmt: skip


def ms(x):
    """Three digits."""
    if x is None:
        return NOT
    return f"{x:.3g}" if x < 1000 else f"{x:,.0f}"


def timed(line):
    """The median with the spread: half the distance between the quartiles of all runs."""
    if not line:
        return NOT
    wide = spread(line)
    return ms(median_ms(line)) + (f" ±{wide * 100:.0f} %" if wide is not None else "")


def given(x):
    """A published figure, as printed in the paper."""
    if x is None:
        return "-"
    return x if isinstance(x, str) else f"{x:.10g}"


def times_as_fast(x):
    return NOT if x is None else f"{x:.2f}x" if x < 10 else f"{x:.1f}x" if x < 100 else f"{x:.0f}x"


class Claim:
    """A claim of a paper: its place, the published and the measured figure, the verdict and the reason."""

    def __init__(self, text, place, published, measured, verdict, why):
        self.text, self.place, self.published, self.measured = text, place, published, measured
        self.verdict, self.why = verdict, why

    def row(self):
        return [f"{self.text} ({self.place})", self.published, self.measured, f"**{self.verdict}**", self.why]


def verdict_of(holds, weakly=False):
    """The verdict for a statement that holds, holds in part, or does not; None: it cannot be tested."""
    if holds is None:
        return UNTESTABLE
    return REPRODUCED if holds else WEAKER if weakly else CONTRADICTED


def range_of(values, form="{:.1f}"):
    found = [value for value in values if value is not None]
    return f"{form.format(min(found))} to {form.format(max(found))}" if found else NOT


def judged(value, reproduced, weaker):
    """The verdict for a value that should be large: from `reproduced` on, from `weaker` on, or below."""
    if value is None:
        return UNTESTABLE
    return REPRODUCED if value >= reproduced else WEAKER if value >= weaker else CONTRADICTED


class Page:
    """Text, tables and figures in order; written at once, so that a page is never incomplete."""

    def __init__(self, name, title, text):
        self.name, self.parts, self.not_measured, self.claims = name, [f"# {title}\n"], [], []
        self.conclusion = ""
        self.paragraph(text)
        self.head = len(self.parts)

    def paragraph(self, text):
        lines = textwrap.fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False)
        self.parts.append(lines + "\n")

    def heading(self, text):
        self.parts.append(f"## {text}\n")

    def table(self, heads, rows):
        self.parts.append(table_of(heads, rows))

    def figure(self, plot, words):
        """A plot by its file name, with alternative text; tools/site/hooks.py puts the plot into the page."""
        self.parts.append(f"*Figure: {words}.* <!-- {plot}.svg -->\n")

    def missing(self, item, why):
        """Records an item of the paper that is not repeated, and why."""
        self.not_measured.append(f"**{item}**: {why}")

    def claim(self, text, place, published, measured, verdict, why):
        """why: a sentence, or {verdict: sentence}."""
        why = why if isinstance(why, str) else why.get(verdict, PLAIN[verdict])
        why = PLAIN[verdict] if verdict == UNTESTABLE and measured == NOT else why
        self.claims.append(Claim(text, place, published, measured, verdict, why))

    def knobs(self, columns):
        """columns: (heading, strategy, knobs): what each column was run with."""
        self.heading("Knobs")
        self.table(["column", "strategy", "knobs"],
                   [[head, f"`{row}`", f"`{text}`" if text else "fringe's defaults"] for head, row, text in columns])  # fmt: skip

    def conclude(self, text):
        """What the verdicts come to, in words; printed below them."""
        self.conclusion = " ".join(text.split())

    def summary(self):
        counts = [(verdict, sum(claim.verdict == verdict for claim in self.claims)) for verdict in PLAIN]
        words = ", ".join(f"{count} {verdict}" for verdict, count in counts if count)
        measured = any(verdict != UNTESTABLE and count for verdict, count in counts)
        text = f"Of {len(self.claims)} claims: {words}. {self.conclusion if measured else ''}"
        return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False) + "\n"

    def text(self):
        parts = list(self.parts)
        if self.claims:
            heads = ["claim (place)", "published", "measured", "verdict", "reason"]
            verdicts = ["## Verdicts\n", table_of(heads, [claim.row() for claim in self.claims]), self.summary()]
            parts[self.head : self.head] = verdicts
        if self.not_measured:
            parts.append("## Not repeated\n")
            fill = {"width": 118, "subsequent_indent": "  ", "break_long_words": False, "break_on_hyphens": False}
            parts.append("\n".join(textwrap.fill("* " + text, **fill) for text in self.not_measured) + "\n")
        return "\n".join(parts)

    def write(self, folder):
        path = os.path.join(folder, self.name + ".md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text())
        return path


def table_of(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"
