#!/usr/bin/env python3
"""Writes source, code and knobs of every strategy into docs/strategies.md, from `fringe list --json` and src/.

Usage: tools/strategy_tables.py [--check] [--page FILE] FRINGE

The page has one block for each strategy, between `<!-- strategy PROBLEM BACKEND NAME -->` and
`<!-- end -->`, and an index of its headings in the block `<!-- index -->`. A build without CUDA lists no GPU
strategy: blocks of those are left as they are.
--check writes nothing: it exits 1 when a block is missing or differs, and 77 when FRINGE is not built.
"""

import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
PAGE = os.path.join(ROOT, "docs", "strategies.md")
# The members of an fri_strategy, in their order.
STRATEGY = re.compile(r'\.name = "([\w-]+)",(?:(?!\.name).)*?\.problem = FR_PROBLEM_(\w+),\s*\.backend = FR_BACKEND_(\w+)', re.DOTALL)
BLOCK = re.compile(r"<!-- strategy (\w+) (\w+) (\S+) -->\n.*?<!-- end -->\n", re.DOTALL)

INDEX = re.compile(r"<!-- index -->\n.*?<!-- end -->\n", re.DOTALL)
HEADING = re.compile(r"^### `(\S+)` \((BFS|SSSP|APSP), (CPU|CUDA)\)$", re.MULTILINE)


def number(value):
    return value if isinstance(value, str) else f"{value:g}"


def cell(text):
    return text.replace("|", "\\|")


def knob_row(knob):
    default, limits = number(knob["default"]), f"{number(knob['low'])} to {number(knob['high'])}"
    text = cell(knob["text"])
    if knob.get("switches"):  # names of bits, joined by '+'
        default, limits = "none" if knob["default"] == 0 else default, "names joined by `+`"
        text += ": " + ", ".join(f"`{name}`" for name in knob["switches"])
    return f"| `{knob['name']}` | {default} | {limits} | {text} |"


def knob_table(knobs):
    if not knobs:
        return "No knobs.\n"
    return "\n".join(["| knob | default | range | meaning |", "|---|---|---|---|", *map(knob_row, knobs)]) + "\n"


def definitions():
    """{(problem, backend, name): the file below src/ that defines the strategy}"""
    found = {}
    for backend in ("cpu", "cuda"):
        for folder, _, names in os.walk(os.path.join(ROOT, "src", backend)):
            for path in (os.path.join(folder, name) for name in names if name.endswith((".c", ".cu"))):
                with open(path, encoding="utf-8") as file:
                    for name, problem, kind in STRATEGY.findall(file.read()):
                        found[problem.lower(), kind.lower(), name] = os.path.relpath(path, os.path.join(ROOT, "src"))
    return found


def block(strategy, file):
    key = f"{strategy['problem']} {strategy['backend']} {strategy['name']}"
    source = strategy["source"].rstrip(".")
    code = f"Code: [{file}](../src/{file})."
    return f"<!-- strategy {key} -->\nSource: {source}. {code}\n\n{knob_table(strategy['knobs'])}<!-- end -->\n"


def index(page):
    """A table of links to the headings of the page, a row for each problem."""
    names = HEADING.findall(page)

    def links(*section):
        where = "-".join(section).lower()
        return ", ".join(f"[`{name}`](#{name}-{where})" for name, *other in names if tuple(other) == section)

    rows = [f"| {problem} | {links(problem, 'CPU')} | {links(problem, 'CUDA')} |" for problem in ("BFS", "SSSP", "APSP")]
    return "\n".join(["<!-- index -->", "| | on the CPU | on the GPU |", "|---|---|---|", *rows, "<!-- end -->", ""])


def rewritten(page, strategies, files):
    """The page with current blocks, and the strategies that have none. files: as definitions() returns them."""
    keys = [(s["problem"], s["backend"], s["name"]) for s in strategies]
    blocks = {key: block(s, files[key]) for key, s in zip(keys, strategies)}
    found = set()

    def replace(match):
        found.add(match.groups())
        return blocks.get(match.groups(), match.group())

    return INDEX.sub(lambda _: index(page), BLOCK.sub(replace, page)), [" ".join(key) for key in blocks if key not in found]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the page differs")
    parser.add_argument("--page", default=os.path.normpath(PAGE))
    parser.add_argument("fringe", help="the command")
    options = parser.parse_args()
    if not os.path.exists(options.fringe):
        print(f"skip: {options.fringe} is not built")
        return 77
    listed = subprocess.run([options.fringe, "list", "strategies", "--json"], check=True, capture_output=True)
    with open(options.page, encoding="utf-8") as file:
        old = file.read()
    new, missing = rewritten(old, json.loads(listed.stdout)["strategies"], definitions())
    for key in missing:
        print(f"{options.page}: no block for {key}")
    if options.check:
        if new != old:
            print(f"{options.page} differs from `fringe list --json`: run tools/strategy_tables.py")
        return 1 if missing or new != old else 0
    with open(options.page, "w", encoding="utf-8") as file:
        file.write(new)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
