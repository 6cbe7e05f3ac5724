#!/usr/bin/env python3
"""Wraps the paragraphs of Markdown files that have a line of more than 120 columns.

Usage: tools/wrap_markdown.py [FILE...]     (without files: all that git knows)

Headings, tables, comments and code stay as they are, and so do the parts that a script writes, from a comment to
`<!-- end -->`, and CHANGELOG.md, which has an entry per line. A list item is wrapped below its own indent.
"""

import os
import re
import subprocess
import sys
import textwrap

COLUMNS = 120
ITEM = re.compile(r"\s*([*-]|\d+\.) ")
GENERATED = re.compile(r"<!-- [\w-]+: written by\b")
FIXED = ("    ", "#", "|", "<", "```", "!", ">")  # how lines begin that are not prose


def is_prose(line):
    return bool(line.strip()) and (ITEM.match(line) or not line.startswith(FIXED))


def wrap(paragraph):
    item = ITEM.match(paragraph[0])
    first = item.group() if item else re.match(r"\s*", paragraph[0]).group()
    text = " ".join(line.strip() for line in [paragraph[0][len(first) :], *paragraph[1:]])
    return textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )


def wrapped(lines):
    out, at, fenced, generated = [], 0, False, False
    while at < len(lines):
        fenced ^= lines[at].lstrip().startswith("```")
        generated = (generated or bool(GENERATED.match(lines[at]))) and lines[at] != "<!-- end -->"
        end = at + 1
        if not fenced and not generated and is_prose(lines[at]):
            while end < len(lines) and is_prose(lines[end]) and not ITEM.match(lines[end]):
                end += 1
        paragraph = lines[at:end]
        too_long = not fenced and not generated and is_prose(paragraph[0]) and max(map(len, paragraph)) > COLUMNS
        out += wrap(paragraph) if too_long else paragraph
        at = end
    return out


def main():
    files = sys.argv[1:]
    if not files:
        listed = subprocess.run(["git", "ls-files", "*.md"], check=True, capture_output=True, text=True)
        files = [path for path in listed.stdout.split() if os.path.exists(path)]
        files = [path for path in files if path != "CHANGELOG.md"]
    for path in files:
        with open(path, encoding="utf-8") as file:
            old = file.read()
        new = "\n".join(wrapped(old.split("\n")))
        if new != old:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
