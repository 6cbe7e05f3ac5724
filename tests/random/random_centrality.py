#!/usr/bin/env python3
"""Compares `fringe centrality` with the definitions of NetworkX on random graphs.

Reference: NetworkX if this Python has it, else the definitions below, in exact fractions.
"""

import argparse
import fractions
import heapq
import random
import subprocess
import sys
import tempfile

try:
    import networkx
except ImportError:
    networkx = None

MEASURES = ("betweenness", "closeness", "harmonic", "eccentricity", "diameter")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fringe", default="build/fringe", help="the program (default %(default)s)")
    parser.add_argument("--count", type=int, default=500, help="graphs (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first graph (default %(default)s)")
    parser.add_argument("--own", action="store_true", help="the definitions below even if NetworkX is installed")
    return parser.parse_args()


def draw(seed):
    """(n, directed, {(u, v): weight} or weights of 1, weighted); without parallel edges, which NetworkX merges."""
    rng = random.Random(seed)
    n = rng.randint(1, 30)
    directed, weighted = rng.random() < 0.5, rng.random() < 0.5
    edges = {}
    for _ in range(rng.randint(0, 3 * n)):
        u, v = rng.randrange(n), rng.randrange(n)
        if u != v and (directed or (v, u) not in edges):
            edges[u, v] = rng.randint(1, 5) if weighted else 1
    # Some edges in one direction only: a directed graph with all edges in both is an undirected one to fringe.
    if directed and all((v, u) in edges for u, v in edges):
        directed, edges = False, {(u, v): w for (u, v), w in edges.items() if u < v}
    return n, directed, edges, weighted


def write(path, n, directed, edges, weighted):
    kind = "integer" if weighted else "pattern"
    with open(path, "w", encoding="ascii") as out:
        out.write(f"%%MatrixMarket matrix coordinate {kind} {'general' if directed else 'symmetric'}\n")
        out.write(f"{n} {n} {len(edges)}\n")
        for (u, v), w in edges.items():
            u, v = (u, v) if directed else (max(u, v), min(u, v))
            out.write(f"{u + 1} {v + 1}" + (f" {w}\n" if weighted else "\n"))


def from_source(rows, s):
    """({vertex: (distance, number of shortest paths)} in the order of distance) by Dijkstra; weights are positive."""
    heap, best, paths, done = [(0, s)], {s: 0}, {s: 1}, {}
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done[u] = (d, paths[u])
        for v, w in rows[u]:
            if v not in best or d + w < best[v]:
                best[v], paths[v] = d + w, 0
                heapq.heappush(heap, (d + w, v))
            if d + w == best[v]:
                paths[v] += paths[u]
    return done


def own_reference(n, directed, edges):
    """The four lists of scores; betweenness is not normalized, closeness is that of Wasserman and Faust."""
    rows = [[] for _ in range(n)]
    for (u, v), w in edges.items():
        rows[u].append((v, w))
        if not directed:
            rows[v].append((u, w))
    found = [from_source(rows, s) for s in range(n)]
    between = [fractions.Fraction(0)] * n
    close, near = [0] * n, [fractions.Fraction(0)] * n
    for s in range(n):
        for t, (d, paths) in found[s].items():
            for v in found[s]:
                if s != t and v not in (s, t) and t in found[v] and found[s][v][0] + found[v][t][0] == d:
                    between[v] += fractions.Fraction(found[s][v][1] * found[v][t][1], paths) / (1 if directed else 2)
    for v in range(n):
        to = [found[s][v][0] for s in range(n) if s != v and v in found[s]]
        if to:
            close[v] = fractions.Fraction(len(to) * len(to), sum(to) * (n - 1))
            near[v] = sum(fractions.Fraction(1, d) for d in to)
    far = [max(d for d, _ in found[v].values()) for v in range(n)]
    return between, close, near, far


def networkx_reference(n, directed, edges):
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((u, v, w) for (u, v), w in edges.items())
    between = networkx.betweenness_centrality(graph, normalized=False, weight="weight")
    close = networkx.closeness_centrality(graph, distance="weight")
    near = networkx.harmonic_centrality(graph, distance="weight")
    # networkx.eccentricity refuses graphs that are not connected
    far = [max(networkx.single_source_dijkstra_path_length(graph, v).values()) for v in range(n)]
    return [[scores[v] for v in range(n)] for scores in (between, close, near)] + [far]


def run(fringe, path, measure, threads):
    command = [fringe, "centrality", path, "--measure", measure, "--threads", str(threads), "-q"]
    if measure == "diameter":
        command[-1:] = ["--json"]
    else:
        command += ["-o", "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def compare(fringe, path, reference, threads):
    """The first mismatch as text, or None."""
    for measure, expected in zip(MEASURES, reference):
        lines = run(fringe, path, measure, threads).splitlines()
        scores = [float(line.split("\t")[1]) for line in lines[1:]]
        if lines[0] != f"vertex\t{measure}" or len(scores) != len(expected):
            return f"{measure}: wrong header or number of lines"
        for v, (got, want) in enumerate(zip(scores, expected)):
            if abs(got - want) > 1e-9 * (1 + abs(want)):
                return f"{measure} of vertex {v + 1}: {got} instead of {float(want)}"
    text = run(fringe, path, "diameter", threads)
    for name, want in (("diameter", max(reference[3])), ("radius", min(reference[3]))):
        if f'"{name}":{float(want)}' not in text.replace(" ", ""):
            return f"{name} is not {want}: {text}"
    return None


def main():
    args = parse()
    reference_of = own_reference if args.own or networkx is None else networkx_reference
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/graph.mtx"
        for seed in range(args.seed, args.seed + args.count):
            n, directed, edges, weighted = draw(seed)
            write(path, n, directed, edges, weighted)
            found = compare(args.fringe, path, reference_of(n, directed, edges), (1, 2, 3, 8)[seed % 4])
            if found:
                sys.exit(f"seed {seed}: {found}; again: --seed {seed} --count 1")
    print(f"{args.count} graphs agree with {reference_of.__name__}")


if __name__ == "__main__":
    main()
