#!/usr/bin/env python3
"""Components, centralities and routes compared with NetworKit, igraph, rustworkx and SciPy, those that are installed.

usage: compare_calls.py [--library PATH] [--scale K] [--runs N] [--only CALL]... [--output FILE]
       compare_calls.py --table FILE...       prints the lines of such runs as a Markdown table

Every program gets the same edges; making its graph is not timed. The programs take turns, a round each; the time is
the median of the rounds, in milliseconds by the caller's clock, of the whole call. Each answer is compared with that of
the first program, fringe; a difference ends the script. fringe, NetworKit and rustworkx use all cores of the process,
igraph and SciPy one. Needs NumPy, cffi and the peers: pip install numpy cffi scipy igraph networkit rustworkx.
"""

import argparse
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Library:
    """The C interface by cffi, from the public header."""

    def __init__(self, path):
        import cffi

        with tempfile.TemporaryDirectory() as empty:
            for name in ("stdbool.h", "stddef.h", "stdint.h", "stdio.h"):
                pathlib.Path(empty, name).touch()
            words = ["cc", "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", empty, str(ROOT / "include" / "fringe.h")]
            text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        self.ffi = cffi.FFI()
        self.ffi.cdef(text)
        self.lib = self.ffi.dlopen(str(path))
        self.ctx = self.ffi.NULL
        self.ctx = self.out("fr_ctx *", lambda at: self.lib.fr_ctx_new(self.ffi.NULL, at))

    def out(self, kind, call):
        at = self.ffi.new(kind + "*")
        self.need(call(at))
        return at[0]

    def need(self, status):
        if status:
            words = [self.lib.fr_status_name(status)] + ([self.lib.fr_ctx_error(self.ctx)] if self.ctx else [])
            sys.exit(": ".join(self.ffi.string(word).decode() for word in words))

    def struct(self, name, **members):
        made = self.ffi.new(f"{name} *")
        made.struct_size = self.ffi.sizeof(name)
        for key, value in members.items():
            setattr(made, key, value)
        return made

    def at(self, array):
        """A pointer to a NumPy array, which the caller keeps."""
        kinds = {"int32": "int32_t *", "float64": "double *"}
        return self.ffi.cast(kinds[array.dtype.name], array.ctypes.data)


class Graph:
    """A generated graph, or a file, in the library and as arrays; undirected ones reduced to the largest component."""

    def __init__(self, f, description, directed=False):
        self.f, self.description, self.directed = f, description, directed
        options = f.struct("fr_load_options", direction=1 if directed else 2, drop_loops=True, drop_parallel=True)
        load = f.lib.fr_graph_load if os.path.exists(description) else f.lib.fr_graph_generate
        self.graph = f.out("fr_graph *", lambda at: load(f.ctx, description.encode(), options, at))
        if not directed:
            self.keep_largest()
        csr = f.lib.fr_graph_csr(self.graph)
        self.n, self.m = csr.n, csr.m
        self.offsets = self.array(csr.offsets, csr.n + 1, np.int64)
        self.targets = self.array(csr.targets, csr.m, np.int32)
        self.weights = self.array(csr.weights, csr.m, np.int32) if csr.weight_type else np.ones(csr.m, dtype=np.int32)
        sources = np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.offsets))
        once = slice(None) if directed else sources <= self.targets
        self.pairs = np.column_stack([sources[once], self.targets[once]])
        self.pair_weights = self.weights[once].astype(float)

    def array(self, at, count, kind):
        size = count * np.dtype(kind).itemsize
        return np.frombuffer(self.f.ffi.buffer(self.f.ffi.cast("char *", at), size), dtype=kind).copy() if count else np.empty(0, kind)

    def keep_largest(self):
        label = components_of_fringe(self, 0)()
        kept = np.flatnonzero(label == np.bincount(label).argmax()).astype(np.int32)
        self.graph = self.f.out("fr_graph *", lambda at: self.f.lib.fr_graph_subgraph(
            self.f.ctx, self.graph, self.f.at(kept), len(kept), self.f.ffi.NULL, at))  # fmt: skip


# ---- the programs: each function makes what is not timed and returns the call ----------------------------------------


def components_of_fringe(g, kind):
    f, n = g.f, g.f.lib.fr_graph_vertex_count(g.graph)

    def call():
        label = np.empty(n, dtype=np.int32)
        f.out("int32_t", lambda at: f.lib.fr_components(f.ctx, g.graph, kind, f.lib.FR_BACKEND_CPU, f.at(label), f.ffi.NULL, at))
        return label

    return call


def score_of_fringe(g, name):
    f, null, cpu = g.f, g.f.ffi.NULL, g.f.lib.FR_BACKEND_CPU
    run = getattr(f.lib, f"fr_{name}")
    before, after = {"betweenness": ((null,), (null,)), "closeness": ((False, cpu), ()), "harmonic": ((cpu,), ())}[name]

    def call():
        score = np.empty(g.n)
        f.need(run(f.ctx, g.graph, *before, f.at(score), *after))
        return score

    return call


def k_paths_of_fringe(g, pairs, k):
    f = g.f
    router = f.out("fr_router *", lambda at: f.lib.fr_router_new(f.ctx, g.graph, f.struct("fr_router_options"), at))
    found = []

    @f.ffi.callback("int(void *, int64_t, const void *, const int32_t *, int32_t)")
    def take(_user, _index, dist, _path, _length):
        found.append(f.ffi.cast("int64_t *", dist)[0])
        return 0

    def call():
        found.clear()
        for s, t in pairs:
            f.need(f.lib.fr_router_k_paths(router, s, t, k, take, f.ffi.NULL))
        return np.array(found, dtype=float)

    call.keep = take
    return call


def networkit_graph(g):
    import networkit as nk

    graph = nk.GraphFromCoo((g.pairs[:, 0].copy(), g.pairs[:, 1].copy()), n=g.n, directed=g.directed)
    return nk, graph


def of_networkit(make, read):
    def prepared(g):
        nk, graph = networkit_graph(g)

        def call():
            return np.asarray(read(make(nk, graph).run()))

        return call

    return prepared


def partition(run):
    return run.getPartition().getVector()


def igraph_of(g):
    import igraph

    graph = igraph.Graph(n=g.n, edges=g.pairs, directed=g.directed)
    graph.es["weight"] = g.pair_weights
    return graph


def of_igraph(read):
    def prepared(g):
        graph = igraph_of(g)
        return lambda: np.asarray(read(graph))

    return prepared


def components_of_igraph(mode):
    def prepared(g):
        graph = igraph_of(g)

        def call():
            getattr(graph, "__invalidate_cache")()  # else all calls but the first take "connected" from the cache
            return np.asarray(graph.connected_components(mode=mode).membership)

        return call

    return prepared


def of_rustworkx(read):
    def prepared(g):
        import rustworkx as rx

        graph = rx.PyDiGraph(multigraph=False) if g.directed else rx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(g.n))
        graph.add_edges_from_no_data([tuple(pair) for pair in g.pairs.tolist()])
        return lambda: read(rx, graph)

    return prepared


def labels_of_sets(sets, n):
    label = np.empty(n, dtype=np.int64)
    for i, one in enumerate(sets):
        label[list(one)] = i
    return label


def of_scipy(kind):
    def prepared(g):
        import scipy.sparse
        from scipy.sparse import csgraph

        matrix = scipy.sparse.csr_matrix((np.ones(g.m), g.targets, g.offsets), shape=(g.n, g.n))
        return lambda: csgraph.connected_components(matrix, directed=True, connection=kind)[1]

    return prepared


def values(scores, n):
    return np.array([scores[v] for v in range(n)])


def k_paths_of_igraph(g, pairs, k):
    graph, weights = igraph_of(g), g.pair_weights

    def call():
        found = []
        for s, t in pairs:
            for path in graph.get_k_shortest_paths(s, t, k=k, weights="weight", output="epath"):
                found.append(weights[path].sum())
        return np.array(found)

    return call


def calls(scale):
    """(name, description of the graph, directed, {program: function of a graph}, comparison)"""
    small = f"kronecker:scale={scale - 6},edge_factor=8,seed=1"
    yield "components", f"kronecker:scale={scale},edge_factor=16,seed=1", False, {
        "fringe": lambda g: components_of_fringe(g, 0),
        "NetworKit": of_networkit(lambda nk, graph: nk.components.ParallelConnectedComponents(graph), partition),
        "igraph": components_of_igraph("weak"),
        "rustworkx": of_rustworkx(lambda rx, graph: labels_of_sets(rx.connected_components(graph), graph.num_nodes())),
        "scipy": of_scipy("weak"),
    }, "partition"  # fmt: skip
    yield "strong components", f"rmat:scale={scale},edges={4 << scale},seed=1", True, {
        "fringe": lambda g: components_of_fringe(g, 1),
        "NetworKit": of_networkit(lambda nk, graph: nk.components.StronglyConnectedComponents(graph), partition),
        "igraph": components_of_igraph("strong"),
        "rustworkx": of_rustworkx(
            lambda rx, graph: labels_of_sets(rx.strongly_connected_components(graph), graph.num_nodes())),
        "scipy": of_scipy("strong"),
    }, "partition"  # fmt: skip
    yield "betweenness", small, False, {
        "fringe": lambda g: score_of_fringe(g, "betweenness"),
        # NetworKit counts both directions of a pair
        "NetworKit": of_networkit(lambda nk, graph: nk.centrality.Betweenness(graph), lambda run: np.array(run.scores()) / 2),
        "igraph": of_igraph(lambda graph: graph.betweenness()),
        "rustworkx": of_rustworkx(
            lambda rx, graph: values(rx.betweenness_centrality(graph, normalized=False), graph.num_nodes())),
    }, "scores"  # fmt: skip
    yield "closeness", small, False, {
        "fringe": lambda g: score_of_fringe(g, "closeness"),
        "NetworKit": of_networkit(
            lambda nk, graph: nk.centrality.Closeness(graph, True, nk.centrality.ClosenessVariant.Standard),
            lambda run: run.scores()),
        "igraph": of_igraph(lambda graph: graph.closeness(normalized=True)),
        "rustworkx": of_rustworkx(lambda rx, graph: values(rx.closeness_centrality(graph), graph.num_nodes())),
    }, "scores"  # fmt: skip
    yield "harmonic", small, False, {
        "fringe": lambda g: score_of_fringe(g, "harmonic"),
        "NetworKit": of_networkit(lambda nk, graph: nk.centrality.HarmonicCloseness(graph, False), lambda run: run.scores()),
        "igraph": of_igraph(lambda graph: graph.harmonic_centrality(normalized=False)),
    }, "scores"  # fmt: skip
    roads, pairs = str(ROOT / "data" / "amsterdam-roads.gr.zst"), [(100, 300)]
    yield "5 shortest paths", roads, True, {
        "fringe": lambda g: k_paths_of_fringe(g, pairs, 5),
        "igraph": lambda g: k_paths_of_igraph(g, pairs, 5),
    }, "scores"  # fmt: skip


def is_same(kind, found, wanted):
    if kind == "partition":
        parts = len(np.unique(wanted))
        return len(np.unique(found)) == parts and len(np.unique(found.astype(np.int64) * len(wanted) + wanted)) == parts
    return found.shape == wanted.shape and bool(np.allclose(found, wanted, rtol=1e-6))


def version(program):
    return importlib.metadata.version(program.lower()) if program != "fringe" else "0.3.0"


def measure(name, g, programs, kind, runs):
    """One line per program."""
    made, times, wanted = {}, {}, None
    for program, prepare in programs.items():
        try:
            made[program] = prepare(g)
        except ImportError as absent:
            print(f"not found: {program} ({absent.name})")
    for round_ in range(runs):
        for program, call in made.items():
            begin = time.perf_counter()
            answer = call()
            times.setdefault(program, []).append((time.perf_counter() - begin) * 1e3)
            if round_ == 0:
                wanted = answer if wanted is None else wanted
                if not is_same(kind, np.asarray(answer), np.asarray(wanted)):
                    sys.exit(f"{name}: {program} has another answer")
    for program, found in times.items():
        yield {"kind": "calls", "call": name, "graph": os.path.basename(g.description), "n": g.n, "m": int(g.m), "program": program,
               "version": version(program), "runs": runs, "ms": round(statistics.median(found), 3),
               "ratio": round(statistics.median(a / b for a, b in zip(found, times["fringe"])), 3)}  # fmt: skip


def machine():
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8") if os.path.exists("/proc/cpuinfo") else ""
    names = [line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")]
    return {"cpu": names[0] if names else platform.machine(), "cores": len(os.sched_getaffinity(0)),
            "load_average": round(os.getloadavg()[0], 1), "date": datetime.date.today().isoformat()}  # fmt: skip


def table(paths):
    lines = [json.loads(line) for path in paths for line in open(path, encoding="utf-8")]
    programs = list(dict.fromkeys(line["program"] for line in lines))
    text = ["| call | graph | n | m | " + " | ".join(f"{p}, ms" for p in programs) + " |", "|" + "---|" * (4 + len(programs))]
    for call in dict.fromkeys(line["call"] for line in lines):
        rows = {line["program"]: line for line in lines if line["call"] == call}
        one = rows["fringe"]
        cells = [f"{rows[p]['ms']:.4g}" + ("" if p == "fringe" else f" ({rows[p]['ratio']:.2g})") if p in rows else "-" for p in programs]
        text.append(f"| {call} | {one['graph']} | {one['n']:,} | {one['m']:,} | " + " | ".join(cells) + " |")
    return "\n".join(text)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--library", default=str(ROOT / "build" / "libfringe.so"), help="default %(default)s")
    p.add_argument("--scale", type=int, default=18, help="of the graphs of components; centralities: 6 less")
    p.add_argument("--runs", type=int, default=5, help="rounds (default %(default)s)")
    p.add_argument("--only", action="append", help="a call; may be repeated")
    p.add_argument("--output", metavar="FILE", help="append the lines to this file")
    p.add_argument("--table", nargs="+", metavar="FILE", help="print the lines of these files as a table")
    options = p.parse_args()
    if options.table:
        print(table(options.table))
        return
    f = Library(options.library)
    for name, description, directed, programs, kind in calls(options.scale):
        if options.only and name not in options.only:
            continue
        for line in measure(name, Graph(f, description, directed), programs, kind, options.runs):
            text = json.dumps({**machine(), **line})
            print(text, flush=True)
            if options.output:
                with open(options.output, "a", encoding="utf-8") as file:
                    file.write(text + "\n")


main()
