"""What the scripts that write measured parts of documents share: tables, and blocks between marks."""

import difflib
import os
import re
import sys
import textwrap

BLOCK = re.compile(r"(<!-- ([\w-]+)(?:: [^>]*)? -->\n+).*?(\n+<!-- end -->\n)", re.DOTALL)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def wrapped(text):
    """A paragraph of 118 columns and the blank line after it."""
    return textwrap.fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False) + "\n\n"


def table(heads, rows, right=False):
    """right: all columns but the first are aligned to the right."""
    text = ["| " + " | ".join(map(str, line)) + " |\n" for line in (heads, *rows)]
    marks = "|---|" + ("---:|" if right else "---|") * (len(heads) - 1) + "\n"
    return "".join([text[0], marks, *text[1:]])


def without_empty(heads, rows):
    """The table without its empty columns."""
    kept = [i for i in range(len(heads)) if any(row[i] for row in rows)]
    return [heads[i] for i in kept], [[row[i] for i in kept] for row in rows]


def filled(path, blocks):
    """The text of a document with its blocks `<!-- NAME -->` to `<!-- end -->`, each of which `blocks` must have."""
    text = read(path)
    marked = [match[2] for match in BLOCK.finditer(text)]
    if sorted(marked) != sorted(blocks):
        raise SystemExit(f"{path}: needs the marks of {', '.join(sorted(blocks))} once each, has {', '.join(marked)}")
    return BLOCK.sub(lambda match: match[1] + blocks[match[2]].strip() + match[3], text)


def update(texts, check, script):
    """Writes {path: text}; check: only prints what differs. Returns the exit code."""
    differs = False
    for path, new in texts.items():
        old = read(path) if os.path.exists(path) else ""
        if not check:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
        elif old != new:
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), path, "as measured"))
            print(f"{path} differs from what was measured: run {script}")
            differs = True
    return 1 if differs else 0
