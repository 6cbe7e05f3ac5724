"""Answers computed the plainest way, with Python's exact integers or its floats."""

import collections
import heapq

INF = None  # not reached
MINUS = "-inf"  # a negative cycle leads to it


def fits(distance):
    """In int64, whose maximum means not reached and whose minimum minus infinity."""
    return -(2**63) < distance < 2**63 - 1


def rows(n, edges):
    """edges: (u, v, w) -> for each u a list of (v, w)."""
    out = [[] for _ in range(n)]
    for u, v, w in edges:
        out[u].append((v, w))
    return out


def bfs(n, edges, sources):
    """Levels; INF where not reached."""
    level, queue, out = [INF] * n, collections.deque(), rows(n, edges)
    for s in sources:
        if level[s] is INF:
            level[s] = 0
            queue.append(s)
    while queue:
        u = queue.popleft()
        for v, _ in out[u]:
            if level[v] is INF:
                level[v] = level[u] + 1
                queue.append(v)
    return level


def dijkstra(n, edges, sources):
    dist, out = [INF] * n, rows(n, edges)
    heap = [(0, s) for s in set(sources)]
    for _, s in heap:
        dist[s] = 0
    heapq.heapify(heap)
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in out[u]:
            if dist[v] is INF or d + w < dist[v]:
                dist[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return dist


def bellman_ford(n, edges, sources):
    """(distances, whether a negative cycle is reached); what one leads to is at MINUS."""
    dist = [INF] * n
    for s in sources:
        dist[s] = 0
    for _ in range(n):
        fell = [(u, v, w) for u, v, w in edges if dist[u] is not INF and (dist[v] is INF or dist[u] + w < dist[v])]
        for u, v, w in fell:
            if dist[v] is INF or dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
        if not fell:
            return dist, False
    on = [v for u, v, w in edges if dist[u] is not INF and dist[u] + w < dist[v]]
    for v, level in enumerate(bfs(n, edges, on)):
        if level is not INF:
            dist[v] = MINUS
    return dist, bool(on)


def shortest(n, edges, sources):
    """(distances, whether a negative cycle is reached)."""
    if any(w < 0 for _, _, w in edges):
        return bellman_ford(n, edges, sources)
    return dijkstra(n, edges, sources), False


def has_negative_cycle(n, edges):
    return any(w < 0 for _, _, w in edges) and bellman_ford(n, edges, range(n))[1]


def components(n, edges, strong):
    """The label of each vertex: 0, 1, ... by smallest vertex. Reachability from every vertex."""
    near = [set() for _ in range(n)]
    for u, v, _ in edges:
        near[u].add(v)
        if not strong:
            near[v].add(u)
    reached = []
    for s in range(n):
        seen, stack = {s}, [s]
        while stack:
            fresh = near[stack.pop()] - seen
            seen |= fresh
            stack += fresh
        reached.append(seen)
    label, count = [-1] * n, 0
    for s in range(n):
        if label[s] < 0:
            for v in reached[s]:
                if s in reached[v]:
                    label[v] = count
            count += 1
    return label
