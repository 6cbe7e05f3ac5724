#!/usr/bin/env python3
"""Compares queries of the command with SciPy on random graphs: closed vertices and edges, all pairs with
columns, limits and parents.

Reference: scipy.sparse.csgraph.dijkstra and bellman_ford if this Python has them, else the search below.
"""

import argparse
import collections
import random
import subprocess
import sys
import tempfile

try:
    import numpy
    import scipy.sparse
    import scipy.sparse.csgraph
except ImportError:
    scipy = None

INF = float("inf")
STRATEGIES = {
    "bfs": ("auto", "serial", "direction-optimizing"),
    "sssp": ("auto", "dijkstra", "delta-step", "bellman-ford", "spira-window"),
    "apsp": ("auto", "floyd-warshall", "johnson", "multi-sssp"),
}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fringe", default="build/fringe", help="the program (default %(default)s)")
    parser.add_argument("--count", type=int, default=500, help="graphs of each kind (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first graph (default %(default)s)")
    parser.add_argument("--own", action="store_true", help="the search below even if SciPy is installed")
    return parser.parse_args()


class Graph:
    """A random graph of vertices 1 .. n without parallel edges, which SciPy would add up, and without weights of 0,
    which it would drop."""

    def __init__(self, rng):
        self.n = rng.randint(1, 30)
        self.directed, self.weighted = rng.random() < 0.5, rng.random() < 0.7
        self.edges = {}
        for _ in range(rng.randint(1, 3 * self.n)):
            u, v = rng.randint(1, self.n), rng.randint(1, self.n)
            if u != v and (self.directed or (v, u) not in self.edges):
                self.edges[u, v] = rng.randint(1, 9) if self.weighted else 1
        # A directed graph with all edges in both directions is an undirected one to fringe.
        if self.directed and all(self.edges.get((v, u)) == w for (u, v), w in self.edges.items()):
            self.directed, self.edges = False, {(u, v): w for (u, v), w in self.edges.items() if u < v}

    def write(self, path):
        kind = f"{'integer' if self.weighted else 'pattern'} {'general' if self.directed else 'symmetric'}"
        with open(path, "w", encoding="ascii") as out:
            out.write(f"%%MatrixMarket matrix coordinate {kind}\n{self.n} {self.n} {len(self.edges)}\n")
            for (u, v), w in self.edges.items():
                u, v = (u, v) if self.directed else (max(u, v), min(u, v))
                out.write(f"{u} {v}" + (f" {w}\n" if self.weighted else "\n"))

    def arcs(self, closed_vertices=(), closed_edges=()):
        """{(u, v): weight} of every open edge, in both directions if undirected."""
        found = {}
        for (u, v), w in self.edges.items():
            mirrored = not self.directed and (v, u) in closed_edges
            if u not in closed_vertices and v not in closed_vertices and (u, v) not in closed_edges and not mirrored:
                found[u, v] = w
                if not self.directed:
                    found[v, u] = w
        return found


def own_distances(n, arcs, source):
    """[distance from source to 1 .. n] by a queue."""
    rows = collections.defaultdict(list)
    for (u, v), w in arcs.items():
        rows[u].append((v, w))
    best, queue = {source: 0}, collections.deque([source])
    while queue:
        u = queue.popleft()
        for v, w in rows[u]:
            if best[u] + w < best.get(v, INF):
                best[v] = best[u] + w
                queue.append(v)
    return [best.get(v, INF) for v in range(1, n + 1)]


def scipy_distances(n, arcs, source):
    ends = numpy.array(list(arcs), dtype=int).reshape(-1, 2) - 1
    matrix = scipy.sparse.csr_matrix((numpy.array(list(arcs.values()), dtype=float), ends.T), shape=(n, n))
    search = scipy.sparse.csgraph.dijkstra if source % 2 else scipy.sparse.csgraph.bellman_ford
    return list(search(matrix, indices=source - 1))


def rows_of(fringe, words):
    """The lines of the output after the header, as lists of numbers."""
    command = [fringe, *words, "--verify", "-q", "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: {done.stderr}")
    return [[float(x) for x in line.split("\t")] for line in done.stdout.splitlines()[1:]]


def wrong_parent(distances, arcs, source, v, parent):
    """Whether `parent` is not on a shortest path to v; distances by vertex - 1."""
    if distances[v - 1] == INF or v == source:
        return parent != (v if v == source else -1)
    return (parent, v) not in arcs or distances[int(parent) - 1] + arcs[parent, v] != distances[v - 1]


def closed(rng, graph, fringe, folder, distances_of):
    """The first mismatch of a traversal with closed vertices and edges as text, or None."""
    vertices = [v for v in range(1, graph.n + 1) if rng.random() < 0.15]
    edges = [(u, v) for u, v in graph.edges if rng.random() < 0.2]
    if not graph.directed:
        edges = [(v, u) if rng.random() < 0.5 else (u, v) for u, v in edges]
    words = []
    for name, lines in (("vertices", [(v,) for v in vertices]), ("edges", edges)):
        if rng.random() < 0.7:
            path = f"{folder}/{name}.txt"
            with open(path, "w", encoding="ascii") as out:
                out.writelines(" ".join(map(str, line)) + "\n" for line in lines)
            words += [f"--closed-{name}", path]
    arcs = graph.arcs(vertices if "--closed-vertices" in words else (), edges if "--closed-edges" in words else ())
    problem = rng.choice(("bfs", "sssp"))
    reverse = rng.random() < 0.3
    arcs = {(v, u) if reverse else (u, v): w if problem == "sssp" else 1 for (u, v), w in arcs.items()}
    source = rng.randint(1, graph.n)
    words = [problem, f"{folder}/graph.mtx", "-s", str(source), *words, *(["--reverse"] if reverse else [])]
    words += ["--strategy", rng.choice(STRATEGIES[problem]), "--threads", rng.choice("12")]
    want = distances_of(graph.n, arcs, source)
    for v, value, parent in rows_of(fringe, words):
        value = INF if value == -1 else value
        if value != want[int(v) - 1]:
            return f"{' '.join(words)}: vertex {v:g} has {value}, not {want[int(v) - 1]}"
        if wrong_parent(want, arcs, source, int(v), parent):
            return f"{' '.join(words)}: vertex {v:g} has the parent {parent:g}"
    return None


def columns(rng, graph, fringe, folder, distances_of):
    """The same of all pairs with columns, a limit and parents."""
    pick = [rng.randint(1, graph.n) for _ in range(rng.randint(1, 6))]
    sources = pick if rng.random() < 0.7 else list(range(1, graph.n + 1))
    targets = [rng.randint(1, graph.n) for _ in range(rng.randint(1, 6))]
    words = ["apsp", f"{folder}/graph.mtx", "--strategy", rng.choice(STRATEGIES["apsp"]), "--threads", rng.choice("12")]
    words += ["-s", ",".join(map(str, pick))] if sources is pick else []
    if rng.random() < 0.7:
        words += ["-t", ",".join(map(str, targets))]
    else:
        targets = list(range(1, graph.n + 1))
    limit = rng.choice((INF, 0, 2.5, 7))
    words += ["--max-distance", str(limit)] if limit < INF else []
    rule = rng.choice(("any", "min-id", "nearest"))
    arcs = graph.arcs()
    lines = iter(rows_of(fringe, [*words, "--parents", rule]))
    for s in sources:
        want = distances_of(graph.n, arcs, s)
        for t in targets:
            got = next(lines)
            kept = want[t - 1] if want[t - 1] <= limit else INF
            if got[:3] != [s, t, kept]:
                return f"{' '.join(words)} --parents {rule}: {got}, not {[s, t, kept]}"
            if kept == INF and got[3] != -1 or kept < INF and wrong_parent(want, arcs, s, t, got[3]):
                return f"{' '.join(words)} --parents {rule}: {got} has a wrong parent"
            if 0 < kept < INF and rule != "any" and got[3] != by_rule(want, arcs, t, rule):
                return f"{' '.join(words)} --parents {rule}: {got}, not parent {by_rule(want, arcs, t, rule)}"
    return None


def by_rule(distances, arcs, v, rule):
    tight = [u for (u, t), w in arcs.items() if t == v and distances[u - 1] + w == distances[v - 1]]
    return min(tight, key=(lambda u: u) if rule == "min-id" else (lambda u: (distances[u - 1], u)))


def main():
    args = parse()
    distances_of = own_distances if args.own or scipy is None else scipy_distances
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            for query in (closed, columns):
                rng = random.Random(f"{seed} {query.__name__}")
                graph = Graph(rng)
                if graph.edges:
                    graph.write(f"{folder}/graph.mtx")
                    found = query(rng, graph, args.fringe, folder, distances_of)
                    if found:
                        sys.exit(f"seed {seed}: {found}; again: --seed {seed} --count 1")
    print(f"{args.count} graphs of each kind agree with {distances_of.__name__}")


if __name__ == "__main__":
    main()
