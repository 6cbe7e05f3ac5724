"""Peers that are Python modules: SciPy, igraph and cuGraph. `fringe verify` checks their answers."""

import math
import os
import tempfile
import time

from .common import command

try:
    import numpy as np
except ImportError:
    np = None  # then no module of these is found


def read_gap(path):
    """offsets, targets, weights (or None), directed of a GAP binary file."""
    with open(path, "rb") as file:
        directed = file.read(1) != b"\0"
        m, n = (int(x) for x in np.fromfile(file, np.int64, 2))
        offsets = np.fromfile(file, np.int64, n + 1)
        if path.endswith(".wsg"):
            pairs = np.fromfile(file, np.int32, 2 * m).reshape(m, 2)
            return offsets, pairs[:, 0].copy(), pairs[:, 1].copy(), directed
        return offsets, np.fromfile(file, np.int32, m), None, directed


class Library:
    """Subclasses build a graph once (build) and answer one source (solve, values)."""

    rounds = 1

    def __init__(self, options):
        self.options, self.graph = options, None

    def seconds(self, graph, sources):
        if self.graph is None:
            self.graph = self.build(*read_gap(graph.path))
        times = {}
        for source in sources:
            begin = time.perf_counter()
            answer = self.solve(source)
            times[source] = time.perf_counter() - begin
            self.check(graph.path, source, self.values(answer, source))
        return times

    def check(self, path, source, values):
        with tempfile.TemporaryDirectory() as folder:
            result = os.path.join(folder, "answer.npy")
            np.save(result, values)
            words = [self.options.fringe, "verify", path, result, "-s", str(source)]
            command(words + ["--problem", self.options.problem], wrong=(1,))


class Scipy(Library):
    name = module = "scipy"

    def build(self, offsets, targets, weights, _directed):
        from scipy.sparse import csr_matrix

        n = len(offsets) - 1
        data = np.ones(len(targets)) if weights is None else weights.astype(float)
        return csr_matrix((data, targets, offsets.astype(np.int32)), shape=(n, n))

    def solve(self, source):
        from scipy.sparse import csgraph

        if self.options.problem == "bfs":
            return csgraph.breadth_first_order(self.graph, source)
        return csgraph.dijkstra(self.graph, indices=source)

    def values(self, answer, source):
        if self.options.problem == "sssp":
            return whole(answer)
        order, parent = answer
        level = [-1] * self.graph.shape[0]
        level[source] = 0
        for v in order[1:].tolist():
            level[v] = level[parent[v]] + 1
        return np.array(level, np.int32)


class Igraph(Library):
    name = module = "igraph"

    def build(self, offsets, targets, weights, directed):
        import igraph
        sources = np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
        once = slice(None) if directed else sources <= targets
        edges = np.stack([sources[once], targets[once]], axis=1)
        graph = igraph.Graph(n=len(offsets) - 1, edges=edges, directed=directed)
        self.weights = None if weights is None else weights[once].tolist()
        return graph

    def solve(self, source):
        return self.graph.distances(source=source, weights=self.weights)[0]

    def values(self, answer, _source):
        if self.options.problem == "sssp":
            return whole(answer)
        return np.array([-1 if math.isinf(x) else x for x in answer], np.int32)


class Cugraph(Library):
    name = module = "cugraph"

    def build(self, offsets, targets, weights, directed):
        import cudf
        import cugraph
        self.n = len(offsets) - 1
        sources = np.repeat(np.arange(self.n, dtype=np.int32), np.diff(offsets))
        frame = cudf.DataFrame({"src": sources, "dst": targets})
        if weights is not None:
            frame["weight"] = weights.astype(np.float32)
        graph = cugraph.Graph(directed=directed)
        column = None if weights is None else "weight"
        graph.from_cudf_edgelist(frame, "src", "dst", edge_attr=column, renumber=False)
        getattr(cugraph, self.options.problem)(graph, int(targets[0]))  # the first call prepares
        return graph

    def solve(self, source):
        import cugraph

        return getattr(cugraph, self.options.problem)(self.graph, source)

    def values(self, answer, _source):
        bfs = self.options.problem == "bfs"
        nothing = np.iinfo(np.int32).max
        out = np.full(self.n, -1 if bfs else nothing, np.int32)
        distance = answer["distance"].to_numpy()
        reached = (distance >= 0) & (distance < nothing)
        out[answer["vertex"].to_numpy()[reached]] = distance[reached]
        return out


def whole(distances):
    """Sums of integer weights as int32; unreached vertices have its maximum."""
    distances = np.asarray(distances, float)
    max_int32 = np.iinfo(np.int32).max
    return np.where(np.isinf(distances), max_int32, distances).astype(np.int32)


def importable(name):
    """Can Python load the module? One that fails to load (no GPU) counts as absent."""
    try:
        __import__(name)
        return True
    except Exception:  # pylint: disable=broad-except  # whatever a module raises while it loads
        return False
