"""Runs fringe on one random graph in several ways and compares with the reference."""

import itertools
import os
import subprocess

import random_damage as damage
import random_files as files
import random_graphs as graphs
import random_reference as reference
from random_reference import INF, MINUS

ENVIRONMENT = {**os.environ, "OMP_WAIT_POLICY": "passive", "LC_ALL": "C", "XDG_CACHE_HOME": os.devnull}
OWN_IDS = ("snap", "ldbc", "fringe")  # formats that keep them
FROM_ONE = ("mtx", "gr", "metis", "pajek")


class Mismatch(Exception):
    pass


class Case:
    """A graph in a file, and the loading options that every command on it gets."""

    def __init__(self, rng, program, strategies, formats, folder):
        self.rng, self.program, self.strategies, self.folder = rng, program, strategies, folder
        self.formats = [f for f in files.FORMATS if f in formats]
        self.commands = []
        self.name = rng.choice(self.formats)
        self.graph = files.graph_for(rng, self.name)
        self.path = files.put(rng, folder, self.name, self.graph)
        self.choose_options()

    def choose_options(self):
        rng, g = self.rng, self.graph
        direction, self.options = None, []
        if rng.random() < 0.2 and not g.skew and not g.undirected:
            direction = rng.choice(["directed", "undirected"])
            self.options.append("--" + direction)
        loops_go = rng.random() < 0.2 and not g.skew
        if loops_go:
            self.options.append(rng.choice(["--drop-loops", "--simple"]))
        elif rng.random() < 0.1 and not g.skew:
            self.options.append("--drop-parallel")
        self.single = g.kind in ("fraction", "spread", "eighths") and rng.random() < 0.25
        if self.single:
            self.options += ["--weight-type", "float32"]
        self.unit = g.weighted and rng.random() < 0.1 and not self.single
        if self.unit:
            self.options += ["--weights", "none"]
        if rng.random() < 0.2 and self.name != "ldbc":
            self.options.append("--cache")
        if rng.random() < 0.2:
            self.options += ["--input-format", self.name]
        self.hold(g.edges(direction, loops_go, self.unit, self.single), g.real and not self.unit)

    def hold(self, edges, real):
        """What fringe is to have: edges (u, v, w), and whether weights are floats."""
        self.edges, self.real = edges, real
        self.negative = any(w < 0 for _, _, w in self.edges)
        self.magnitude = sum(abs(w) for _, _, w in self.edges) if self.negative else 0

    def near(self, a, b):
        """Equal, as the type of the distances allows."""
        if not self.real:
            return a == b
        return abs(a - b) <= (2e-5 if self.single else 1e-9) * max(abs(a), abs(b), self.magnitude)

    # ---- running -------------------------------------------------------------------------------

    def run(self, *words):
        command = [self.program, *map(str, words)]
        self.commands.append(command)
        done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120, check=False)
        self.code, self.said, self.out = done.returncode, done.stderr.strip(), done.stdout
        if self.code < 0 or self.code > 4:
            raise Mismatch(f"ended with {self.code}: {self.said}")
        return self.code

    def expect(self, allowed, why):
        if self.code not in allowed:
            raise Mismatch(f"exit code {self.code}, not {' or '.join(map(str, allowed))} ({why}): {self.said}")

    def id(self, v, name=None):
        if name is None or name in OWN_IDS:
            return self.graph.ids[v]
        return v + (name in FROM_ONE)

    def list(self, vertices, name=None):
        return ",".join(str(self.id(v, name)) for v in vertices)

    def sources(self, maximum=3):
        n = self.graph.n
        return [self.rng.randrange(n) for _ in range(self.rng.choice([1, 1, 1, 2, maximum]))]

    def strategy(self, problem):
        return self.rng.choice(self.strategies[problem] + ["auto"])

    def threads(self):
        return self.rng.choice([["-j", "1"], ["-j", "2"], ["-j", "3"], []])

    # ---- comparing -----------------------------------------------------------------------------

    def value(self, text):
        if text in ("inf", "-inf"):
            return INF if text == "inf" else MINUS
        return float(text) if self.real else int(text)

    def same(self, got, want):
        if got is INF or want is INF or got == MINUS or want == MINUS:
            return got == want
        return self.near(got, want)

    def compare(self, what, got, want):
        for v, (a, b) in enumerate(zip(got, want)):
            if not self.same(a, b):
                raise Mismatch(f"{what}: vertex {self.id(v)} (no. {v}) is at {a}, not at {b}")

    def rows(self, columns):
        lines = [line.split("\t") for line in self.out.splitlines()]
        if not lines or any(len(line) != columns for line in lines):
            raise Mismatch(f"the answer is no table of {columns} columns: {self.out[:200]!r}")
        return lines[1:]

    def direction(self):
        """(words, edges) of a traversal: sometimes against the edges."""
        if self.rng.random() < 0.2:
            return ["--reverse"], [(v, u, w) for u, v, w in self.edges]
        return [], self.edges

    def traversal(self, problem, want, sources, name, followed):
        """Compares 'vertex value parent' lines."""
        rows, n = self.rows(3), self.graph.n
        vertices = [row[0] for row in rows]
        if vertices != [str(self.id(v, name)) for v in range(n)]:
            raise Mismatch(f"the answer's vertices are not those of the file: {vertices}")
        if problem == "bfs":
            got = [INF if row[1] == "-1" else int(row[1]) for row in rows]
        else:
            got = [self.value(row[1]) for row in rows]
        self.compare(problem, got, want)
        number = {str(self.id(v, name)): v for v in range(n)}
        parent = [number.get(row[2], n) for row in rows]
        for v, d in enumerate(got):
            if d is INF or d == MINUS:  # there -1 is no id
                parent[v] = -1 if rows[v][2] == "-1" else n
        edges = [(u, v, 1) for u, v, _ in followed] if problem == "bfs" else followed
        wrong = reference.parents_wrong(n, edges, sources, got, parent, self.near)
        if wrong:
            raise Mismatch(wrong)

    # ---- the ways ------------------------------------------------------------------------------

    def bfs(self, path=None, name=None, options=None):
        sources, limit, targets = self.sources(), INF, []
        words, edges = self.direction()
        if self.rng.random() < 0.25:
            limit = self.rng.randint(0, 5)
            words += ["--max-level", limit]
        if self.rng.random() < 0.2:
            targets = self.sources()
            words += ["-t", self.list(targets, name)]
        words += ["--parents", self.rng.choice(["any", "min-id", "nearest"])]
        want = reference.cut_off(reference.bfs(self.graph.n, edges, sources), limit, targets)
        options = self.options if options is None else options
        self.run("bfs", path or self.path, "-s", self.list(sources, name), *options, *words, *self.threads(),
                 "--strategy", self.strategy("bfs"), "--verify", "-q", "-o", "-")  # fmt: skip
        self.expect([0], "a search")
        self.traversal("bfs", want, sources, name, edges)

    def limits(self, dist, name):
        """(words, limit, targets); floats: a limit only where no distance is near it."""
        words, limit, targets = [], INF, []
        reached = sorted({d for d in dist if d is not INF and d != MINUS and d > 0})
        if reached and not self.negative and self.rng.random() < 0.25:
            limit = self.rng.choice(reached)
            if self.real:
                limit *= 1.25
            apart = all(d == limit or not self.near(d, limit) for d in reached)
            if apart and limit == float(limit) and limit > 1e-200:
                words += ["--max-distance", repr(limit)]
            else:
                limit = INF
        if self.rng.random() < 0.2:
            targets = self.sources()
            ends = [dist[t] for t in targets if dist[t] is not INF and dist[t] != MINUS]
            if self.real and any(d != t and self.near(d, t) for d in reached for t in ends):
                return words, limit, []
            words += ["-t", self.list(targets, name)]
        return words, limit, [] if self.negative else targets

    def sssp(self, path=None, name=None, options=None):
        sources = self.sources()
        way, edges = self.direction()
        dist, cycle = reference.shortest(self.graph.n, edges, sources)
        words, limit, targets = self.limits(dist, name)
        words += way + ["--parents", self.rng.choice(["any", "min-id", "nearest"])]
        want = reference.cut_off(dist, limit, targets)
        strategy, past = self.strategy("sssp"), self.negative and self.rng.random() < 0.3
        words += ["--mark-negative-cycles"] if past else []
        options = self.options if options is None else options
        limits = reference.INT64_RANGE
        if not self.real and self.rng.random() < 0.1 and self.graph.kind not in graphs.WIDE:
            kind = self.rng.choice(["int32", "int64"])
            words += ["--dist-type", kind]
            if kind == "int32":
                limits = reference.INT32_RANGE_BESIDE_CYCLES if past else reference.INT32_RANGE
        self.run("sssp", path or self.path, "-s", self.list(sources, name), *options, *words, *self.threads(),
                 "--strategy", strategy, "--verify", "-q", "-o", "-")  # fmt: skip
        if self.negative and strategy in ("dijkstra", "delta-step", "spira-window"):
            return self.expect([3], f"{strategy} and weights below 0")
        if cycle and not past:
            return self.expect([1], "a negative cycle")
        finite = [d for d in want if d is not INF and d != MINUS]
        if not self.real and not all(reference.fits(d, limits) for d in finite):
            return self.expect([4], "a distance does not fit its type")
        self.expect([1 if cycle else 0], "distances")
        return self.traversal("sssp", want, sources, name, edges)

    def expect_matrix(self, strategy, sources, full):
        """The distances of the rows; None where the exit code says all."""
        answers = [reference.shortest(self.graph.n, self.edges, [s]) for s in sources]
        weighted = self.graph.weighted and not self.unit
        refuses = strategy == "multi-bfs" and weighted
        refuses = refuses and (self.edges or self.code)  # without edges some files tell of no weights
        if refuses or strategy == "multi-sssp" and self.negative:
            return self.expect([3], f"{strategy} and these weights")
        if strategy == "floyd-warshall" and self.code in (3, 4) and self.graph.kind in graphs.WIDE + ("huge",):
            return None  # its sums are of any two rows, and it refuses what might leave their type
        cycle = any(c for _, c in answers)
        somewhere = cycle or reference.has_negative_cycle(self.graph.n, self.edges)
        if cycle or (somewhere and full):
            return self.expect([1], "a negative cycle")
        finite = [d for dist, _ in answers for d in dist if d is not INF and d != MINUS]
        if not self.real and not all(reference.fits(d, reference.INT64_RANGE) for d in finite):
            return self.expect([4], "a distance does not fit int64")
        if somewhere and self.code == 1:  # it may be reported although no row meets it
            return None
        self.expect([0], "all pairs")
        return [dist for dist, _ in answers]

    def apsp(self):
        n = self.graph.n
        sources = list(range(n))
        words = []
        if self.rng.random() < 0.5:
            sources = list(dict.fromkeys(self.sources(maximum=6)))
            words = ["-s", self.list(sources)]
        strategy = self.strategy("apsp")
        self.run("apsp", self.path, *words, *self.options, *self.threads(), "--strategy", strategy, "--verify",
                 "-q", "-o", "-")  # fmt: skip
        want = self.expect_matrix(strategy, sources, not words)
        if want is None:
            return
        rows = iter(self.rows(3))
        for s, dist in zip(sources, want):
            part = list(itertools.islice(rows, n))
            if [row[:2] for row in part] != [[str(self.id(s)), str(self.id(v))] for v in range(n)]:
                raise Mismatch(f"row {self.id(s)} is not there as it should be")
            self.compare(f"row {self.id(s)}", [self.value(row[2]) for row in part], dist)

    def convert(self):
        name = self.rng.choice(self.formats + ["fringe"] * 3)
        suffix = ".fringe" if name == "fringe" else self.rng.choice(files.FORMATS[name][0])
        path = os.path.join(self.folder, "copy" + suffix)
        self.run("convert", self.path, path, *self.options, "-q")
        if name != "fringe" and self.code in (2, 3):  # a format need not hold every graph
            return
        self.expect([0], "a copy")
        if self.rng.random() < 0.5:
            self.bfs(path, name, [])
        else:
            self.sssp(path, name, [])

    def verify(self):
        """The checker on the reference's answer, right and then wrong."""
        sources = list(dict.fromkeys(self.sources()))
        dist, cycle = reference.shortest(self.graph.n, self.edges, sources)
        finite = [v for v, d in enumerate(dist) if d is not INF and d != MINUS]
        if cycle or (not self.real and not all(reference.fits(dist[v], reference.INT64_RANGE) for v in finite)):
            return
        path = os.path.join(self.folder, "answer.tsv")
        words = ["verify", self.path, path, "-s", self.list(sources), *self.options, "-q"]
        words += ["--dist-type", "float32"] if self.single else []
        self.write_answer(path, dist)
        self.run(*words)
        self.expect([0], "a right answer")
        v = self.rng.choice(finite)
        step = max(abs(w) for _, _, w in self.edges) if self.negative else abs(dist[v])
        worse = 0.01 * step if self.real else self.rng.choice([-1, 1])
        if self.same(dist[v] + worse, dist[v]):
            return
        self.write_answer(path, [d + worse if u == v else d for u, d in enumerate(dist)])
        self.run(*words)
        self.expect([1], f"a wrong distance of vertex {self.id(v)}")

    def write_answer(self, path, dist):
        with open(path, "w", encoding="ascii") as file:
            file.write("vertex\tdistance\n")
            for v, d in enumerate(dist):
                file.write(f"{self.id(v)}\t{'inf' if d is INF else repr(d)}\n")

    def components(self):
        strong = self.rng.random() < 0.5
        self.run("components", self.path, *self.options, *self.threads(), *["--strong"] * strong, "--verify", "-q",
                 "-o", "-")  # fmt: skip
        self.expect([0], "components")
        want = reference.components(self.graph.n, self.edges, strong)
        got = [row[1] for row in self.rows(2)]
        if got != [str(label) for label in want]:
            raise Mismatch(f"components are {got}, not {want}")

    def cycle(self):
        self.run("cycle", self.path, *self.options, *self.threads(), "--verify", "-q")
        if self.code == 4 and self.graph.kind in graphs.WIDE + ("huge",):
            return  # its sums are of any vertices
        there = reference.has_negative_cycle(self.graph.n, self.edges)
        self.expect([1 if there else 0], "a negative cycle anywhere" if there else "no negative cycle")

    def unknown_source(self):
        gone = next(i for i in itertools.count(-3) if i not in self.graph.ids and i >= 0)
        self.run("bfs", self.path, "-s", gone, *self.options, "-q", "-o", "-")
        self.expect([3], f"no vertex {gone}")

    def damaged(self):
        path, why = damage.put(self.rng, self.folder, self.formats)
        self.run("info", path)
        self.expect([3], why)

    def all(self):
        for way in (self.bfs, self.sssp, self.apsp, self.verify, self.components, self.cycle, self.convert):
            way()
        self.rng.choice([self.unknown_source, self.damaged])()
