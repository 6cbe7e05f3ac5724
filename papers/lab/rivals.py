"""papers/pages/rivals.md, from rivals.jsonl: the programs of other authors, run on the graphs of the texts. draw.py writes it;
nothing here builds or runs them.

A line has "kind": "rival", `graph` (with its hash), `graph_name` (of the text, or of a suite), `problem`, `weights`, and
`programs`: of each `program`, fringe's strategies too, its `version` (repository and commit), `runs` (source, time,
vertices reached) and `verification`: whether the numbers of vertices reached and the sums of all levels or distances
are those of fringe's `auto`. Programs whose answers are not just `right` are not shown: "right, with its selector off"
is a time of GSWITCH that is not its own (asia.osm, papers/pages/rivals.md).
"""

import os

import documents
from documents import table
from graphs import HBF, STUDY, XBFS_NAMES
from jobs import HBF_STRATEGIES, STUDY_STRATEGIES
from lines import fastest, median_ms, ms, sources_of, spread, times
from result_lines import read_lines

LINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rivals.jsonl")
NAMES = {"xbfs": "XBFS", "enterprise": "Enterprise", "tigr": "Tigr", "gunrock": "Gunrock", "gswitch": "GSWITCH", "ligra": "Ligra",
         "adds": "ADDS", "lonestar": "LonestarGPU"}  # fmt: skip
XBFS_FORMS = {"fringe-xbfs-published": "`xbfs`, published form", "fringe-enterprise-form": "`xbfs`, Enterprise's form",
              "fringe-expand-contract": "`expand-contract`", "fringe-xbfs": "`xbfs`"}  # fmt: skip
STUDY_FORMS = {f"fringe-{strategy}": f"`{strategy}`" for strategy in STUDY_STRATEGIES}
HBF_FORMS = {"fringe-hbf-published": "H-BF, published form",
             **{f"fringe-{strategy}-published": f"`{strategy}`, published form" for strategy in HBF_STRATEGIES[1:]},
             "fringe-hbf": "`hbf`"}  # fmt: skip
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
    if not rows:
        return "No program has run on them.\n"
    kept = {name: head for name, head in columns.items() if any(name in each for each in rows.values())}
    text = []
    for words, each in rows.items():
        rivals = {name: line for name, line in each.items() if name in NAMES and name in kept}
        first, most = fastest(rivals) if rivals else [], max(len(sources_of(line)) for line in each.values())
        cells = (cell(each.get(name), most) for name in kept)
        text.append([words, *(f"**{x}**" if name in first and x else x for name, x in zip(kept, cells))])
    return table(["graph", *kept.values()], text)


def of_graphs(found, graphs, problem="bfs", weights="none", text=""):
    """{graph: {program: line}} of those on which a program of other authors ran. text: the prefix of their names."""
    keys = {graph: found.get((text + graph, problem, weights), {}) for graph in graphs}
    return {graph: each for graph, each in keys.items() if any(name in NAMES for name in each)}


def blocks(found):
    ours, commits = [line for each in found.values() for line in each.values() if line["program"].startswith("fringe")], {}
    for line in ours:
        commits.setdefault(line["version"], {})[line["graph_name"].split("/")[-1]] = None
    device = ours[0]["device"]
    versions = "; at ".join(f"{commit} ({', '.join(graphs)})" if len(commits) > 1 else commit for commit, graphs in commits.items())
    machine = (f"Measured on {device['name']} (driver {device['driver']}, CUDA {device['cuda']}) and 16 cores of an Intel(R) Xeon(R) "
               f"Processor; fringe at commit {versions}; {' and '.join(sorted({line['date'] for line in ours}))}.")  # fmt: skip
    xbfs = {f"{name} ({XBFS_NAMES[name]})": each for name, each in of_graphs(found, XBFS_NAMES).items()}
    weights = {kind: of_graphs(found, (*XBFS_NAMES, *SUITE), "sssp", kind) for kind in ("int32", "float32")}
    return {
        "measured-on": documents.wrapped(machine),
        "xbfs": time_table(xbfs, {**NAMES, **XBFS_FORMS, **AUTO}),
        "study": time_table(of_graphs(found, (each.original for each in STUDY), text="study/"), {**NAMES, **STUDY_FORMS, **AUTO}),
        "h-bf": time_table(of_graphs(found, (each.original for each in HBF), "sssp", "int32", "h-bf/"), {**NAMES, **HBF_FORMS, **AUTO}),
        "suite": time_table(of_graphs(found, SUITE), {**NAMES, **AUTO}),
        "sssp-int32": time_table(weights["int32"], {**NAMES, **AUTO}),
        "sssp-float32": time_table(weights["float32"], {**NAMES, **AUTO}),
    }
