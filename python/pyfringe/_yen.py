"""The K shortest loopless paths by Yen's algorithm (Management Science 17, 1971); fringe runs each search.

A search runs on the graph without the vertices of the path so far and without the edges that earlier paths
use from its end. Making that graph costs O(m). Only graphs with negative weights need it; see `Router.k_paths`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from pyfringe import _solve
from pyfringe._arrays import Array
from pyfringe._graph import Graph

Path = tuple[int, ...]


class _Searches:
    """Finds shortest paths in a simple graph without some of its vertices and edges."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.n = graph, graph.n
        self.source = np.repeat(np.arange(self.n, dtype=np.int32), np.diff(graph.indptr))
        self.target, self.indptr = graph.indices, graph.indptr
        self.weight: Array = graph.data if graph.data is not None else np.ones(graph.m)

    def cost(self, u: int, v: int) -> float:
        begin, end = self.indptr[u], self.indptr[u + 1]
        return float(self.weight[begin + np.searchsorted(self.target[begin:end], v)])

    def length(self, path: Path) -> float:
        return sum(self.cost(u, v) for u, v in zip(path, path[1:], strict=False))

    def path(self, start: int, sink: int, without: Path = (), ends: tuple[int, ...] = ()) -> Path:
        """Returns the shortest path without the vertices `without` and the edges start -> `ends`, or an empty one."""
        graph = self.graph
        if without or ends:
            excluded = np.zeros(self.n, dtype=bool)
            excluded[list(without)] = True
            kept = ~(excluded[self.source] | excluded[self.target])
            kept[(self.source == start) & np.isin(self.target, ends)] = False
            indptr = np.zeros(self.n + 1, dtype=np.int64)
            np.cumsum(np.bincount(self.source[kept], minlength=self.n), out=indptr[1:])
            graph = Graph.from_csr(indptr, self.target[kept], self.weight[kept])
        found: list[int] = _solve.sssp(graph, start, targets=sink).path_to(sink).tolist()
        return tuple(found)


def paths(graph: Graph, source: int, sink: int) -> Iterator[tuple[float, Path]]:
    """Yields (length, path) of the loopless paths in ascending order; the graph must have no parallel edges."""
    searches = _Searches(graph)
    first = searches.path(source, sink)
    found: list[Path] = []
    waiting = [(searches.length(first), first)] if first else []
    seen = {first}
    while waiting:
        length, path = heapq.heappop(waiting)
        yield length, path
        found.append(path)
        for i in range(len(path) - 1):
            root = path[: i + 1]
            ends = tuple({p[i + 1] for p in found if p[: i + 1] == root and len(p) > i + 1})
            rest = searches.path(path[i], sink, root[:-1], ends)
            candidate = root[:-1] + rest
            if rest and candidate not in seen:
                seen.add(candidate)
                heapq.heappush(waiting, (searches.length(candidate), candidate))
