"""Medians of fringe and of other programs on the graphs of `fringe bench --suite gpu`.

bench/results/README.md defines the time of each program.
"""

PROBLEMS = ("bfs", "sssp")
# words of a graph, in the order of the tables
GRAPHS = {
    "kron21": "Kronecker, scale 21",
    "kron24": "Kronecker, scale 24",
    "uniform": "uniform random",
    "lj-like": "R-MAT like LiveJournal",
    "wiki-like": "R-MAT like wiki-Talk",
    "cnr-2000": "cnr-2000, web crawl",
    "lattice": "1400 x 1400 lattice",
    "grid3d": "215 x 215 x 215 grid",
    "moscow": "Moscow, roads",
}
# program in the lines: (problem, name); all but cuGraph report the time of the traversal
TRAVERSALS = {
    "blest": ("bfs", "BLEST"),
    "xbfs": ("bfs", "XBFS"),
    "gunrock-bfs": ("bfs", "Gunrock"),
    "lonestar-bfs": ("bfs", "LonestarGPU"),
    "gswitch-bfs": ("bfs", "GSWITCH"),
    "gapbs-bfs": ("bfs", "GAPBS, 16 cores"),
    "gunrock-sssp": ("sssp", "Gunrock"),
    "lonestar-sssp": ("sssp", "LonestarGPU"),
    "lonestar-persistent-sssp": ("sssp", "LonestarGPU"),
    "adds": ("sssp", "ADDS"),
    "gswitch-sssp": ("sssp", "GSWITCH"),
    "gapbs-sssp": ("sssp", "GAPBS, 16 cores"),
}


class Peers:
    """The medians of `"kind": "peer"` lines."""

    def __init__(self, lines):
        self.lines = {(line["program"], line["graph"]): line for line in lines if line.get("kind") == "peer"}

    def ms(self, program, graph):
        """The median of a program, or None if it did not run."""
        return self.lines.get((program, graph), {}).get("ms")

    def ours(self, program, graph):
        """fringe's line; exits without one."""
        if (program, graph) not in self.lines:
            raise SystemExit(f"no line has {program} on {graph}")
        return self.lines[program, graph]

    def traversal(self, problem, graph):
        """fringe's traversal, in ms."""
        return self.ours(f"fringe-{problem}", graph)["ms"]

    def best_other(self, problem, graph):
        """(ms, name) of the fastest other traversal."""
        return min(
            (self.ms(program, graph), name)
            for program, (solves, name) in TRAVERSALS.items()
            if solves == problem and self.ms(program, graph)
        )

    def calls(self, problem, graph):
        """(fringe's, cuGraph's) wall time of a call."""
        return self.ours(f"fringe-{problem}-wall", graph)["ms"], self.ms(f"cugraph-{problem}", graph)

    def machine(self):
        """The machine of fringe's traversals; exits if they come from two."""
        machines = {self.ours(f"fringe-{problem}", graph)["machine"] for problem in PROBLEMS for graph in GRAPHS}
        if len(machines) != 1:
            raise SystemExit(f"fringe's traversals come from several machines or commits: {sorted(machines)}")
        return machines.pop()

    def speedups(self, problem):
        """{graph: speed-up of fringe's traversal over the fastest other}."""
        return {g: self.best_other(problem, g)[0] / self.traversal(problem, g) for g in GRAPHS}
