#!/usr/bin/env python3
"""Runs and times the side-by-side snippets of docs/migrate/*.md.

usage: snippets.py [--write RESULTS.jsonl] [--pairs N] [PAGE...]

Without --write each page's Python blocks and both columns of its table are run once, and the answers compared; then
the indented blocks and each call in the text whose names the page knows. With
it each row is timed in pairs, first one column, then the other; the medians of the processor time, which other work
of the machine disturbs least, go into the table and, with the wall time, to RESULTS.jsonl. A column whose heading says
"not run" is not run. Run it in the repository's root.
"""

import argparse
import ast
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import textwrap
import time

import numpy as np

PAGES = sorted(pathlib.Path("docs/migrate").glob("from-*.md"))


class Page:
    def __init__(self, path):
        self.path = path
        text = path.read_text(encoding="utf-8")
        self.lines = text.splitlines()
        self.setup, *blocks = re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M)
        prose = re.sub(r"^(```.*?^```|[|].*?)$", "", text, flags=re.S | re.M)
        self.blocks = blocks + [textwrap.dedent(block) for block in re.findall(r"^(?:    .*\n)+", prose, re.M)]
        self.calls = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]
        begin = next(i for i, line in enumerate(self.lines) if line.startswith("| to get |"))
        self.heading = cells(self.lines[begin])
        self.first = begin + 2
        self.rows = []
        for line in self.lines[self.first :]:
            if not line.startswith("|"):
                break
            self.rows.append(cells(line))

    def names(self):
        """What the snippets know."""
        made = {}
        exec(compile(self.setup, str(self.path), "exec"), made)
        return made

    def runs(self):
        """For each of the two columns: whether it is run."""
        return ["not run" not in heading for heading in self.heading[1:3]]

    def snippets(self, row):
        return [compile(cell.strip("`"), f"{self.path}: {row[0]}", "eval") for cell in row[1:3]]


def cells(line):
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def run_text(page, names):
    """Runs what stands beside the table; returns how many samples that are."""
    for block in page.blocks:
        exec(compile(block, f"{page.path}: {block}", "exec"), names)
    calls = [call for call in page.calls if is_call(call, names)]
    for call in calls:
        eval(compile(call, f"{page.path}: {call}", "eval"), names)
    return len(page.blocks) + len(calls)


def is_call(text, names):
    """Whether it is an expression that calls something, of names that are known."""
    try:
        nodes = list(ast.walk(ast.parse(text, mode="eval")))
    except SyntaxError:
        return False
    known = all(node.id in names for node in nodes if isinstance(node, ast.Name))
    return known and any(isinstance(node, ast.Call) for node in nodes)


def comparable(answer):
    """An array, where the answer can be one; lengths of all nodes come as dict or as array."""
    if isinstance(answer, dict):
        answer = [answer[i] for i in range(len(answer))]
    return np.asarray(answer, dtype=np.float64)


def check(page):
    names = page.names()
    for row in page.rows:
        answers = [comparable(eval(code, names)) for code, runs in zip(page.snippets(row), page.runs()) if runs]
        if not answers:
            sys.exit(f"{page.path}: {row[0]}: nothing was run")
        if any(a.shape != answers[0].shape or not np.allclose(a, answers[0]) for a in answers):
            sys.exit(f"{page.path}: {row[0]}: the answers differ: {answers}")
    print(f"{page.path}: {len(page.rows)} rows of {sum(page.runs())} columns are as they should be, {run_text(page, names)} samples of the text run")


def timed(code, names):
    wall, processor = time.perf_counter(), time.process_time()
    eval(code, names)
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - processor) * 1e3


def rounded(ms):
    return f"{ms:.3g}" if ms < 100 else f"{ms:,.0f}"


def write(page, pairs, results):
    if not all(page.runs()):
        return
    names, head = page.names(), subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True).strip()
    for i, row in enumerate(page.rows):
        snippets = page.snippets(row)
        for code in snippets:
            eval(code, names)
        times = [[timed(code, names) for code in snippets] for _ in range(pairs)]
        wall = [statistics.median(pair[k][0] for pair in times) for k in (0, 1)]
        processor = [statistics.median(pair[k][1] for pair in times) for k in (0, 1)]
        ratio = statistics.median(pair[0][1] / pair[1][1] for pair in times)
        row[3:] = [rounded(processor[0]), rounded(processor[1]), rounded(ratio)]
        page.lines[page.first + i] = f"| {' | '.join(row)} |"
        line = {"page": page.path.name, "row": row[0], "snippets": [c.strip("`") for c in row[1:3]], "pairs": pairs,
                "wall_ms": [round(t, 4) for t in wall], "processor_ms": [round(t, 4) for t in processor],
                "ratio": round(ratio, 3), "commit": head, "load": round(os.getloadavg()[0], 1), "machine": "two shared cores"}  # fmt: skip
        print(json.dumps(line), file=results, flush=True)
        print(f"{page.path.name}: {row[0]}: {' | '.join(row[3:])}", flush=True)
    page.path.write_text("\n".join(page.lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="*", type=pathlib.Path)
    parser.add_argument("--write", metavar="RESULTS.jsonl")
    parser.add_argument("--pairs", type=int, default=7)
    options = parser.parse_args()
    pages = [Page(path) for path in options.page or PAGES]
    if not options.write:
        for page in pages:
            check(page)
        return
    with open(options.write, "w", encoding="utf-8") as results:
        for page in pages:
            write(page, options.pairs, results)


main()
