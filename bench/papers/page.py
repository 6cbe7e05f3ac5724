"""A page of Markdown: tables, figures, and a list of what was not measured."""

import os
import textwrap

NOT = "not measured"


def ms(x):
    """Three digits."""
    if x is None:
        return NOT
    return f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def given(x):
    """A published figure, as printed in the paper."""
    if x is None:
        return "-"
    return x if isinstance(x, str) else f"{x:.10g}"


def ratio(a, b):
    return f"{a / b:.2f}" if a and b else NOT


class Page:
    """Text, tables and figures in order; written at once, so that a page is never incomplete."""

    def __init__(self, name, title, text):
        self.name, self.parts, self.not_measured = name, [f"# {title}\n"], []
        self.paragraph(text)

    def paragraph(self, text):
        lines = textwrap.fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False)
        self.parts.append(lines + "\n")

    def heading(self, text):
        self.parts.append(f"## {text}\n")

    def items(self, texts):
        fill = {"width": 118, "subsequent_indent": "  ", "break_long_words": False, "break_on_hyphens": False}
        self.parts.append("\n".join(textwrap.fill("* " + text, **fill) for text in texts) + "\n")

    def table(self, heads, rows):
        lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
        lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
        self.parts.append("\n".join(lines) + "\n")

    def figure(self, plot, words):
        """A plot by its file name, with alternative text."""
        self.parts.append(f"![{words}](plots/{plot}.svg)\n")

    def missing(self, item, why):
        """Records an item of the paper that this page lacks, and why."""
        self.not_measured.append(f"**{item}**: {why}")
        self.paragraph(f"**Not measured**: {why}")

    def text(self):
        parts = list(self.parts)
        if self.not_measured:
            parts.append("## Not measured\n")
            parts.append("\n".join("* " + text for text in self.not_measured) + "\n")
        return "\n".join(parts)

    def write(self, folder):
        path = os.path.join(folder, self.name + ".md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text())
        return path
