#!/usr/bin/env python3
"""Fills papers/pages/rivals.md from rivals.jsonl: the programs of other authors, run on the graphs of the texts. Runs
nothing, and nothing here builds or runs them.

Usage: papers/lab/rivals.py [--check] [--from FILE.jsonl]

A line has "kind": "rival", `graph` (with its hash), `graph_name` (of the text, or of a suite), `problem`, `weights`, and
`programs`: of each `program`, fringe's strategies too, its `version` (repository and commit), `runs` (source, time,
vertices reached) and `verification`: whether the numbers of vertices reached and the sums of all levels or distances
are those of fringe's `auto`.
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(1, os.path.join(ROOT, "bench"))
import documents  # noqa: E402  # bench/ is in the path
from documents import table  # noqa: E402
from graphs import XBFS_NAMES  # noqa: E402
from lines import fastest, median_ms, ms, sources_of, spread, times  # noqa: E402
from result_lines import read_lines  # noqa: E402

LINES = os.path.join(HERE, "rivals.jsonl")
PAGE = os.path.join(ROOT, "papers", "pages", "rivals.md")
NAMES = {"xbfs": "XBFS", "enterprise": "Enterprise", "tigr": "Tigr", "gunrock": "Gunrock", "gswitch": "GSWITCH", "ligra": "Ligra",
         "adds": "ADDS", "lonestar": "LonestarGPU"}  # fmt: skip
XBFS_FORMS = {"fringe-xbfs-published": "`xbfs`, published form", "fringe-enterprise-form": "`xbfs`, Enterprise's form",
              "fringe-expand-contract": "`expand-contract`", "fringe-xbfs": "`xbfs`"}  # fmt: skip
AUTO = {"fringe-auto": "`auto`"}
SUITE = ("kron21", "kron24", "uniform", "lj-like", "wiki-like", "cnr-2000", "lattice", "grid3d", "moscow")


def rival_lines(path=LINES):
    """{(graph, problem, weights): {program: line}}; of a program's settings (NAME+SETTING) the fastest stands for it."""
    found = {}
    for line in ({**line, **each} for line in read_lines(path) if line.get("kind") == "rival" for each in line["programs"]):
        here = found.setdefault((line["graph_name"], line["problem"], line["weights"].split()[0]), {})
        name = line["program"].split("+")[0].removesuffix("-bfs").removesuffix("-sssp").removesuffix("-int").removesuffix("-float")
        name = name.removesuffix("-lb") if name.startswith("lonestar") else name
        if line["verification"] == "right" and (name not in here or median_ms(line) < median_ms(here[name])):
            here[name] = line
    return found


def cell(line, most):
    if not line:
        return ""
    each = times(line)
    few = f" [{len(sources_of(line))}]" if len(sources_of(line)) < most else ""
    return ms(median_ms(line)) + (f" ±{spread(each) * 100:.0f} %" if len(each) > 1 else "") + few


def time_table(rows, columns):
    """rows: {words: {program: line}}. The fastest of the programs of other authors is bold, ties too."""
    kept = {name: head for name, head in columns.items() if any(name in each for each in rows.values())}
    text = []
    for words, each in rows.items():
        rivals = {name: line for name, line in each.items() if name in NAMES and name in kept}
        first, most = fastest(rivals) if rivals else [], max(len(sources_of(line)) for line in each.values())
        cells = (cell(each.get(name), most) for name in kept)
        text.append([words, *(f"**{x}**" if name in first and x else x for name, x in zip(kept, cells))])
    return table(["graph", *kept.values()], text)


def of_graphs(found, graphs, problem="bfs", weights="none"):
    """{graph: {program: line}} of those on which a program of other authors ran."""
    keys = {graph: found.get((graph, problem, weights), {}) for graph in graphs}
    return {graph: each for graph, each in keys.items() if any(name in NAMES for name in each)}


def blocks(found):
    ours, commits = [line for each in found.values() for line in each.values() if line["program"].startswith("fringe")], {}
    for line in ours:
        commits.setdefault(line["version"], {})[line["graph_name"]] = None
    device = ours[0]["device"]
    versions = "; at ".join(f"{commit} ({', '.join(graphs)})" if len(commits) > 1 else commit for commit, graphs in commits.items())
    machine = (f"Measured on {device['name']} (driver {device['driver']}, CUDA {device['cuda']}) and 16 cores of an Intel(R) Xeon(R) "
               f"Processor; fringe at commit {versions}; {ours[0]['date']}.")  # fmt: skip
    xbfs = {f"{name} ({XBFS_NAMES[name]})": each for name, each in of_graphs(found, XBFS_NAMES).items()}
    weights = {kind: of_graphs(found, (*XBFS_NAMES, *SUITE), "sssp", kind) for kind in ("int32", "float32")}
    return {
        "measured-on": documents.wrapped(machine),
        "xbfs": time_table(xbfs, {**NAMES, **XBFS_FORMS, **AUTO}),
        "suite": time_table(of_graphs(found, SUITE), {**NAMES, **AUTO}),
        "sssp-int32": time_table(weights["int32"], {**NAMES, **AUTO}),
        "sssp-float32": time_table(weights["float32"], {**NAMES, **AUTO}),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="file", default=LINES, metavar="FILE", help="lines to draw (default papers/lab/rivals.jsonl)")
    parser.add_argument("--check", action="store_true", help="write no page; exit 1 if it differs")
    options = parser.parse_args()
    return documents.update({PAGE: documents.filled(PAGE, blocks(rival_lines(options.file)))}, options.check, "papers/lab/rivals.py")


if __name__ == "__main__":
    sys.exit(main())
