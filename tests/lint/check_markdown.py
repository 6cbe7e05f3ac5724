#!/usr/bin/env python3
"""Checks every Markdown file of the repository: links and a few rules of form.

Usage: tests/lint/check_markdown.py [FILE...]     (without files: all that git knows)

* A relative link leads to a file or folder that exists; its anchor is a heading there.
* A file has one heading of level 1, and begins with it.
* A table is separated from the text around it by blank lines: else GitHub takes the text for a row.
* No line has more than 120 columns, except in tables, in code, and with a link that cannot be broken.
  CHANGELOG.md has an entry per line, so that branches merge. docs/history keeps old logs as they were: only their
  links are checked.
* `name()` occurs in a source of the repository, and after "`name()` in [text](file)" in that file.
"""

import functools
import os
import re
import subprocess
import sys

COLUMNS = 120
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+(?:\([^()\s]*\))?)\)")
HEADING = re.compile(r"(#{1,6}) +(.*?) *#* *$")
FUNCTION = re.compile(r"`(\w+)\(\)`(?: in \[[^\]]*\]\(([^()\s#]+)\))?")
RULE = re.compile(r"\|?[ :|-]*--[ :|-]*$")


def visible(lines):
    """(number, line, is_code) without the contents of comments that span lines."""
    fence = None
    for number, line in enumerate(lines, 1):
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if mark and (fence is None or line.strip().startswith(fence)):
            fence = None if fence else mark.group(1)
            yield number, line, True
        else:
            yield number, line, fence is not None or line.startswith("    ")


def slug(heading, seen):
    """The anchor that GitHub gives a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
    count = seen.get(anchor, 0)
    seen[anchor] = count + 1
    return f"{anchor}-{count}" if count else anchor


def headings(lines):
    """[(number, level, anchor)]"""
    seen, found = {}, []
    for number, line, code in visible(lines):
        match = None if code else HEADING.match(line)
        if match:
            found.append((number, len(match[1]), slug(match[2], seen)))
    return found


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def anchors(path):
    return {anchor for _, _, anchor in headings(read(path))}


def check_links(path, lines):
    for number, line, code in visible(lines):
        for target in [] if code else LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z][a-z+.-]*:", target):
                continue
            file, _, anchor = target.partition("#")
            whole = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(whole):
                yield number, f"there is no {whole}"
            elif anchor and not whole.endswith(".md"):
                yield number, f"{target}: an anchor in a file that is not Markdown"
            elif anchor and anchor not in anchors(whole):
                yield number, f"{whole} has no heading #{anchor}"


def check_headings(lines):
    found = headings(lines)
    tops = [number for number, level, _ in found if level == 1]
    if len(tops) != 1 or tops[0] != 1:
        yield (tops or [1])[-1], f"a file begins with its one heading of level 1; here are {len(tops)}"
    for (_, before, _), (number, level, _) in zip(found, found[1:]):
        if level > before + 1:
            yield number, f"a heading of level {level} below one of level {before}"


@functools.lru_cache(maxsize=None)
def functions(path):
    """The names that are followed by a parenthesis in a source; without a path, in any."""
    kinds = ["*.[ch]", "*.cc", "*.cpp", "*.cu", "*.cuh", "*.py", "*.ipynb"]
    listed = [path] if path else subprocess.run(["git", "ls-files", *kinds], capture_output=True, text=True, check=True).stdout.split()
    return {name for each in listed if os.path.isfile(each) for name in re.findall(r"(\w+)\(", "\n".join(read(each)))}


def check_functions(path, lines):
    for number, line, code in visible(lines):
        for name, file in [] if code else FUNCTION.findall(line):
            whole = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else ""
            if name not in functions(whole):
                yield number, f"there is no function {name}() in {whole or 'the sources'}"


def separates(line):
    return not line.strip() or line.startswith("<!--")


def check_tables(lines):
    code = {number for number, _, is_code in visible(lines) if is_code}
    for number in range(2, len(lines) + 1):
        line = lines[number - 1]
        if number in code or not RULE.match(line) or "|" not in lines[number - 2]:
            continue
        if number > 2 and not separates(lines[number - 3]):
            yield number - 1, "a table needs a blank line before it"
        end = number
        while end < len(lines) and lines[end].lstrip().startswith("|"):
            end += 1
        if end < len(lines) and not separates(lines[end]):
            yield end + 1, "a table needs a blank line after it: this line becomes a row"


def check_columns(lines):
    for number, line, code in visible(lines):
        if len(line) > COLUMNS and not code and not line.lstrip().startswith("|") and "](" not in line:
            yield number, f"{len(line)} columns, at most {COLUMNS}"


def check(path):
    lines = read(path)
    yield from check_links(path, lines)
    if path.split(os.sep)[:2] != ["docs", "history"]:
        yield from check_headings(lines)
        yield from check_tables(lines)
        yield from check_functions(path, lines)
        if path != "CHANGELOG.md":
            yield from check_columns(lines)


def main():
    files = sys.argv[1:]
    if not files:
        listed = subprocess.run(["git", "ls-files", "*.md"], check=True, capture_output=True, text=True)
        files = [path for path in listed.stdout.split("\n") if path and os.path.exists(path)]
        if len(files) < 10:
            print(f"only {len(files)} files: is this a git checkout?")
            return 1
    complaints = [f"{path}:{number}: {words}" for path in files for number, words in sorted(check(path))]
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
