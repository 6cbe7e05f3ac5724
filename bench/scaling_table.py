#!/usr/bin/env python3
"""Writes the tables of several GPUs in docs/scaling.md from bench/results/scaling.jsonl; `--check` only compares.

Usage: bench/scaling_table.py [--check] [--page FILE] [--results FILE]

bench_turns, which bench/scaling_gpus.sh runs, prints the lines: one a graph, problem and number of GPUs, all of one
kind of GPU. A column without lines is left out.
"""

import argparse
import os
import sys

from documents import filled, table, update, without_empty
from result_lines import RESULTS, parameters, read_lines

ROOT = os.path.normpath(os.path.join(os.path.dirname(RESULTS), os.pardir))
EDGE_FACTOR = 16


def lines_of(path):
    """{(problem, whether rows or sources are divided, whether weighted, scale, GPUs): line}; exits when two lines are of
    one thing, or of two kinds of GPUs."""
    found = {}
    for line in read_lines(path):
        key = (line["problem"], "rows" in line, line.get("weighted"), int(parameters(line["graph"])[1]["scale"]), line["devices"])
        if found.setdefault(key, line) is not line:
            raise SystemExit(f"{path}: two lines of {key}")
    machines = {(line["device"], line["driver"], line["date"]) for line in found.values()}
    if len(machines) > 1:
        raise SystemExit(f"{path}: lines of several GPUs, drivers or days: {sorted(machines)}")
    return found


def where(lines):
    line = next(iter(lines.values()))
    return f"{line['gpus']} {line['device']} of one host, driver {line['driver']}, {line['date']}."


def ms(x):
    return f"{x:.3f}" if x < 1 else f"{x:.2f}" if x < 10 else f"{x:.1f}" if x < 100 else f"{x:,.0f}"


def gpus(count):
    return f"{count} GPU{'s' if count > 1 else ''}"


def commits(lines):
    return ", ".join(dict.fromkeys(line["commit"] for line in lines))


def by_scale(lines, problem):
    """({(scale, GPUs): line} of one traversal, the numbers of GPUs, {scale: ms on one GPU})."""
    found = {key[3:]: line for key, line in lines.items() if key[:2] == (problem, False)}
    one = {scale: line["one_ms"] for (scale, _), line in sorted(found.items(), reverse=True)}
    return found, sorted({count for _, count in found if count > 1}), dict(sorted(one.items()))


def strong(lines, problem, rate):
    """One traversal by scale and number of GPUs; rate: with TTEPS on most of them."""
    found, counts, one = by_scale(lines, problem)
    rows = []
    for scale in one:
        here = [found.get((scale, count)) for count in counts]
        used = [x for x in here if x]
        cells = [c for x in here for c in ([ms(x["all_ms"]), f"{x['ratio']:.2f}"] if x else ["", ""])]
        teps = f"{EDGE_FACTOR * 2**scale / used[-1]['all_ms'] * 1e-9:.2g}" if rate else ""
        rows.append([f"Kronecker {scale}", ms(one[scale]), *cells, teps, used[0]["sources"], commits(used)])
    heads = ["ms", "one GPU, `auto`", *(h for c in counts for h in (gpus(c), "ratio")), "TTEPS", "sources", "commit"]
    return table(*without_empty(heads, rows), right=True)


def weak(lines, problem):
    """The efficiency with as many vertices per GPU (scale s on one, s + 1 on two, s + 2 on four): the time of one GPU
    divided by the time of several."""
    found, counts, one = by_scale(lines, problem)
    rows = []
    for scale in one:
        here = [found.get((scale + count.bit_length() - 1, count)) for count in counts]
        if any(here):
            rows.append([str(scale), *(f"{one[scale] / x['all_ms']:.0%}" if x else "" for x in here)])
    heads = ["s", *(f"{gpus(c)}, s + {c.bit_length() - 1}" for c in counts)]
    return table(*without_empty(heads, rows), right=True)


def divided(lines):
    """Rows of all pairs and sources divided among GPUs: a call without results and with results in host memory."""
    found = {key: line for key, line in lines.items() if key[1]}
    counts = sorted({key[4] for key in found if key[4] > 1})
    rows = []
    for case in sorted({key[:4] for key in found}, key=lambda case: (case[0], not case[2])):
        here = [found.get((*case, count)) for count in counts]
        first = next(x for x in here if x)
        what = f"from {first['rows']:,} sources" if case[0] == "bfs" else f"{first['rows']:,} {'' if case[2] else 'un'}weighted rows"
        label = f"BFS of Kronecker {case[3]} {what}" if case[0] == "bfs" else f"{what} of Kronecker {case[3]}"
        for results, words in ((", no results", ""), (", with results", "_with_distances")):
            cells = [c for x in here for c in ([ms(x[f"all{words}_ms"]), f"{x[f'ratio{words}']:.2f}"] if x else ["", ""])]
            rows.append([label + results, ms(first[f"one{words}_ms"]), *cells, commits(filter(None, here))])
    heads = ["ms", "one GPU", *(h for c in counts for h in (gpus(c), "ratio")), "commit"]
    return f"{where(lines)}\n\n{table(*without_empty(heads, rows), right=True)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "scaling.md"))
    parser.add_argument("--results", default=os.path.join(RESULTS, "scaling.jsonl"))
    options = parser.parse_args()
    lines = lines_of(options.results)
    blocks = {"divided": divided(lines), "bfs": strong(lines, "bfs", True), "bfs-weak": weak(lines, "bfs"),
              "sssp": strong(lines, "sssp", False), "sssp-weak": weak(lines, "sssp")}  # fmt: skip
    return update({options.page: filled(options.page, blocks)}, options.check, "bench/scaling_table.py")


if __name__ == "__main__":
    sys.exit(main())
