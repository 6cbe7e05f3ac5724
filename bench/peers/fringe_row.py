"""fringe's strategies, and the textbook programs that are built with it."""

import json

from .common import command

ROWS = {"bfs": "auto,serial,direction-optimizing", "sssp": "auto,dijkstra,delta-step"}
PLAIN = ("fringe serial", "fringe dijkstra")  # strategies that are textbook programs


class Fringe:
    """One strategy of fringe."""

    rounds = None  # as many as asked for

    def __init__(self, options, row, backend):
        where = "" if backend == "cpu" else " (GPU)"
        self.name, self.row, self.options, self.backend = f"fringe {row}{where}", row, options, backend
        self.prepare = None

    def seconds(self, graph, _sources):
        """Draws the sources itself; the same seed gives the same sources."""
        o = self.options
        words = [o.fringe, o.problem, graph.path, "--backend", self.backend, "--strategy", self.row]
        words += ["--no-tuning-cache", "--json", "--verify", "--threads", str(o.threads)]
        words += ["--sources", str(o.sources), "--seed", str(o.seed)]
        words += ["--warmup", "1"] if self.backend == "cuda" else []
        answer = json.loads(command(words, wrong=(1,)))
        self.prepare = answer["prepare_ns"] * 1e-9
        return {run["source"]: run["traverse_ns"] * 1e-9 for run in answer["runs"]}


class Dial:
    """The textbook bucket queue; it checks itself and exits 1 if wrong."""

    name = "dial"
    rounds = None

    def __init__(self, program):
        self.program = program

    def seconds(self, graph, sources):
        words = [self.program, graph.path] + [str(s) for s in sources]
        lines = command(words, wrong=(1,)).splitlines()
        return {int(source): float(time_) for source, time_ in map(str.split, lines)}
