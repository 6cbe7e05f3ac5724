#!/usr/bin/env python3
"""Checks Markdown files: links, form, and that functions which they name exist.

Usage: tests/lint/check_markdown.py FILE...     in the repository's root

* A relative link leads to a file or folder that exists; its anchor is a heading there.
* `name()` occurs in a source of the repository, and after "`name()` in [text](file)" in that file.
* The rules of FORM; CHANGELOG.md has lines of any length.
"""

import functools
import os
import re
import subprocess
import sys

BLOCK = re.compile(r"^ {0,3}(```+|~~~+)[^`\n]*\n.*?^ {0,3}\1 *$|^ {4}[^\n]*$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\((?![a-z][a-z+.-]*:)([^()\s#]*)#?([^()\s]*(?:\([^()\s]*\))?)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *#* *$", re.M)
FUNCTION = re.compile(r"`(\w+)\(\)`(?: in \[[^\]]*\]\(([^()\s#]+)\))?")
FORM = [(re.compile(pattern, re.M), words) for pattern, words in (
    (r"^(?!\|)(?!.*\]\().{121,}$", "more than 120 columns"),
    (r"\A(?!# )|(?<=\n)# ", "a file begins with its one heading of level 1"),
    (r"^(#+) .*\n(?:(?!#).*\n)*(?=\1##)", "the heading below this is of more than one level more"),
    (r"^(?!\||<!--).+\n(?=\|.*\n\|[ :|-]+$)", "a table needs a blank line before it"),
    (r"^\|.*\n(?!\||<!--|\n|\Z)", "a table needs a blank line after it: the next line becomes a row"),
)]  # fmt: skip


@functools.lru_cache(maxsize=None)
def prose(path):
    """The text of a file; of its blocks of code only the ends of lines."""
    with open(path, encoding="utf-8") as file:
        return BLOCK.sub(lambda block: "\n" * block[0].count("\n"), file.read())


@functools.lru_cache(maxsize=None)
def anchors(path):
    """The anchors that GitHub gives the headings."""
    found = []
    for heading in HEADING.findall(prose(path)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        found.append(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return {f"{anchor}-{found[:at].count(anchor)}".removesuffix("-0") for at, anchor in enumerate(found)}


@functools.lru_cache(maxsize=None)
def functions(*paths):
    """The names that are followed by a parenthesis in these sources; without a path, in any."""
    kinds = ["*.[ch]", "*.cc", "*.cpp", "*.cu", "*.cuh", "*.py", "*.ipynb"]
    words = ["git", "grep", "-ohE", "[A-Za-z0-9_]+[(]", "--", *(paths or kinds)]
    return set(subprocess.run(words, capture_output=True, text=True, check=False).stdout.split())


def check(path):
    """(position, complaint)"""
    text, folder = prose(path), os.path.dirname(path)
    for name in FUNCTION.finditer(text):
        source = [os.path.normpath(os.path.join(folder, name[2]))] if name[2] else []
        if name[1] + "(" not in functions(*source):
            yield name.start(), f"there is no function {name[1]}() in {' '.join(source) or 'the sources'}"
    for pattern, words in FORM[path == "CHANGELOG.md" :]:
        yield from ((match.start(), words) for match in pattern.finditer(text))
    for link in LINK.finditer(re.sub(r"`[^`\n]*`", lambda code: " " * len(code[0]), text)):
        target = os.path.normpath(os.path.join(folder, link[1])) if link[1] else path
        if not os.path.exists(target):
            yield link.start(), f"there is no {target}"
        elif link[2] and (not target.endswith(".md") or link[2] not in anchors(target)):
            yield link.start(), f"{target} has no heading #{link[2]}"


def main(paths):
    complaints = 0
    for path in paths:
        for position, words in sorted(check(path)):
            print(f"{path}:{prose(path).count(chr(10), 0, position) + 1}: {words}")
            complaints += 1
    return complaints > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
