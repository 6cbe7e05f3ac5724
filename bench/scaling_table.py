#!/usr/bin/env python3
"""Writes the tables of several GPUs in docs/scaling.md from bench/results/scaling.jsonl; `--check` only compares.

Usage: bench/scaling_table.py [--check] [--page FILE] [--results FILE]

The lines are those of bench_turns, which bench/scaling_gpus.sh runs: one a graph, problem and number of GPUs, all of one
kind of GPU. A column or table without lines is left out.
"""

import argparse
import os
import sys

import documents
from documents import filled, update, wrapped
from result_lines import RESULTS, parameters, read_lines

ROOT = os.path.normpath(os.path.join(os.path.dirname(RESULTS), os.pardir))
EDGE_FACTOR = 16


def is_divided(line):
    """Rows or sources divided among GPUs, not one traversal."""
    return "rows" in line


def key_of(line):
    return (line["problem"], is_divided(line), line.get("weighted"), line["graph"], line["devices"])


def lines_of(path):
    """{key: line}; exits when two lines are of one thing, or of two kinds of GPUs."""
    found = {}
    for line in read_lines(path):
        if found.setdefault(key_of(line), line) is not line:
            raise SystemExit(f"{path}: two lines of {key_of(line)}")
    machines = {(line["device"], line["driver"], line["date"]) for line in found.values()}
    if len(machines) > 1:
        raise SystemExit(f"{path}: lines of several GPUs, drivers or days: {sorted(machines)}")
    return found


def where(used):
    """'On H200s of one host (driver 580.1, 2026-11-26)'."""
    return f"On {used[0]['device'].rpartition(' ')[2]}s of one host (driver {used[0]['driver']}, {used[0]['date']})"


def ms(x):
    return f"{x:.3f}" if x < 1 else f"{x:.2f}" if x < 10 else f"{x:.1f}" if x < 100 else f"{x:,.0f}"


def times(x):
    return f"{x:.2f} x"


def table(heads, rows):
    """Without columns that are empty in every row."""
    return documents.table(*documents.without_empty(heads, rows), right=True)


def and_list(words):
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def gpus(count):
    return f"{count} GPU{'s' if count > 1 else ''}"


def commits_of(used, named=True):
    """The commits of these lines; named: with their scales, if there are several."""
    found = {}
    for line in used:
        found.setdefault(line["commit"], set()).add(scale_of(line))
    parts = []
    for commit, scales in sorted(found.items(), key=str, reverse=True):
        words = f" for Kronecker {and_list([str(s) for s in sorted(scales)])}" if named and len(found) > 1 else ""
        parts.append(f"commit {commit}{words}")
    return ", ".join(parts)


def scale_of(line):
    return int(parameters(line["graph"])[1]["scale"])


def sources_of(used):
    """'from 32 sources, of Kronecker 28 from 8'."""
    by_count = {}
    for line in used:
        by_count.setdefault(line["sources"], set()).add(scale_of(line))
    parts = [
        (f"of Kronecker {and_list([str(s) for s in sorted(by_count[count])])} " if i else "") + f"from {count}"
        for i, count in enumerate(sorted(by_count, reverse=True))
    ]
    return parts[0] + " sources" + "".join(", " + part for part in parts[1:])


def by_scale(lines, problem):
    """{(scale, devices): line} of one traversal."""
    return {(scale_of(x), x["devices"]): x for key, x in lines.items() if key[0] == problem and not key[1]}


def counts_of(found):
    return sorted({count for _, count in found if count > 1})


def one_gpu(found):
    """{scale: ms on one GPU}, of the line of the fewest GPUs."""
    return {scale: line["one_ms"] for (scale, _), line in sorted(found.items(), reverse=True)}


def strong(lines, problem, rate):
    """One traversal by scale and number of GPUs; rate: with TTEPS on most of them."""
    found = by_scale(lines, problem)
    counts, one = counts_of(found), one_gpu(found)
    if not counts:
        return ""
    rows = []
    for scale in sorted(one):
        here = [found.get((scale, count)) for count in counts]
        cells = [c for x in here for c in ([ms(x["all_ms"]), times(x["ratio"])] if x else ["", ""])]
        most = [x for x in here if x]
        teps = f"{EDGE_FACTOR * 2**scale / most[-1]['all_ms'] * 1e-9:.2g}" if rate and most else ""
        rows.append([f"Kronecker {scale}", ms(one[scale])] + cells + [teps])
    heads = ["ms", "one GPU, `auto`"] + [h for c in counts for h in (gpus(c), "ratio")] + ["TTEPS"]
    used = list(found.values())
    weights = "weights 1 to 255, " if problem == "sssp" else ""
    text = (
        f"{where(used)}, {weights}medians {sources_of(used)} ({commits_of(used)}); the answers are equal, and "
        "each ratio is to one GPU in turns with the others."
    )
    return wrapped(text) + table(heads, rows)


def weak(lines, problem):
    """As many vertices per GPU: scale s on one, s + 1 on two, s + 2 on four."""
    found = by_scale(lines, problem)
    one = one_gpu(found)
    counts = [c for c in counts_of(found) if c & (c - 1) == 0 and any((s + c.bit_length() - 1, c) in found for s in one)]
    rows = []
    for scale in sorted(one):
        here = [found.get((scale + count.bit_length() - 1, count)) for count in counts]
        cells = [c for x in here for c in ([ms(x["all_ms"]), f"{one[scale] / x['all_ms']:.0%}"] if x else ["", ""])]
        if any(here):
            rows.append([str(scale), ms(one[scale])] + cells)
    if not rows:
        return ""
    larger = and_list([f"s + {count.bit_length() - 1} on {count}" for count in counts])
    text = (
        f"Weak scaling, 2^s vertices per GPU: Kronecker s on one GPU, {larger}. The efficiency is the time of one GPU "
        "divided by that of several."
    )
    heads = ["s", "one GPU, ms"] + [h for c in counts for h in (f"{gpus(c)}, ms", "efficiency")]
    return wrapped(text) + table(heads, rows)


def case_of(key):
    problem, _, weighted, graph, _ = key
    scale = parameters(graph)[1]["scale"]
    if problem == "bfs":
        return f"BFS of Kronecker {scale} from {{rows:,}} sources"
    return f"{{rows:,}} {'weighted' if weighted else 'unweighted'} rows of Kronecker {scale}"


def divided_cells(x, words):
    return [ms(x[f"all{words}_ms"]), times(x[f"ratio{words}"])] if x else ["", ""]


def divided(lines):
    """Rows of all pairs and sources divided among GPUs: a call without results and with results in host memory."""
    found = {key: line for key, line in lines.items() if key[1]}
    counts = sorted({key[4] for key in found if key[4] > 1})
    if not counts:
        return ""
    rows = []
    for case in sorted({key[:4] for key in found}, key=lambda case: (case[0], not case[2])):
        here = [found.get((*case, count)) for count in counts]
        first = next(x for x in here if x)
        label = case_of((*case, 0)).format(rows=first["rows"])
        for results, words in ((", no results", ""), (", with results", "_with_distances")):
            cells = [c for x in here for c in divided_cells(x, words)]
            rows.append([label + results, ms(first[f"one{words}_ms"])] + cells)
    used = list(found.values())
    text = (
        f"{where(used)}, medians of 5 in turns ({commits_of(used, named=False)}); all distances are equal. Milliseconds of a "
        "call without results, and with results in host memory:"
    )
    return wrapped(text) + table(["ms", "one GPU"] + [h for c in counts for h in (gpus(c), "ratio")], rows)


BLOCKS = {
    "divided": divided,
    "bfs": lambda lines: strong(lines, "bfs", True),
    "bfs-weak": lambda lines: weak(lines, "bfs"),
    "sssp": lambda lines: strong(lines, "sssp", False),
    "sssp-weak": lambda lines: weak(lines, "sssp"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "scaling.md"))
    parser.add_argument("--results", default=os.path.join(RESULTS, "scaling.jsonl"))
    options = parser.parse_args()
    lines = lines_of(options.results)
    text = filled(options.page, {name: block(lines) for name, block in BLOCKS.items()})
    return update({options.page: text}, options.check, "bench/scaling_table.py")


if __name__ == "__main__":
    sys.exit(main())
