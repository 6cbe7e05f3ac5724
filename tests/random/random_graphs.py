"""Random small graphs: vertices by number, entries as a file has them, weights of one kind."""

import struct

SIGNED = ("potential", "signed", "edges32", "dag64", "eighths")
WHOLE = ("small", "ones", "zeros", "potential", "signed", "top32", "edges32", "wide", "near53", "near62", "dag64")
REAL = ("fraction", "spread", "eighths", "huge")
WIDE = ("wide", "near53", "near62", "dag64")  # beyond int32


def to_float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


class Graph:
    """n vertices with ascending ids; entries (u, v, w) of the file, w None without weights; undirected and skew
    say what each entry means."""

    def __init__(self, n, ids, entries, kind, undirected=False, skew=False):
        self.n, self.ids, self.entries = n, ids, entries
        self.kind, self.undirected, self.skew = kind, undirected, skew

    @property
    def weighted(self):
        return self.kind != "none"

    @property
    def real(self):
        return self.kind in REAL

    def edges(self, direction=None, drop_loops=False, unit=False, single=False):
        """The edges that fringe holds: (u, v, w)."""
        undirected = self.undirected if direction is None else direction == "undirected"
        out = []
        for u, v, w in self.entries:
            if u == v and drop_loops:
                continue
            w = 1 if unit or w is None else to_float32(w) if single else w
            out.append((u, v, w))
            if undirected and u != v:
                out.append((v, u, -w if self.skew and not unit else w))
        return out


def pairs_of(rng, n, loops, parallel, forward):
    """Pairs of ends: a few hubs, some parallel edges, self-loops; forward: u < v alone."""
    count = rng.choice([0, 1, n // 2, n, 2 * n, 4 * n])
    hub, pairs = rng.randrange(n), []
    for _ in range(count):
        u = hub if rng.random() < 0.2 else rng.randrange(n)
        v = rng.randrange(n)
        if forward and u != v:
            u, v = min(u, v), max(u, v)
        if u != v or (loops and not forward):
            pairs.append((u, v))
        if pairs and parallel and rng.random() < 0.1:
            pairs.append(rng.choice(pairs))
    return pairs if parallel else list(dict.fromkeys(pairs))


def draw_weight(rng, kind, u, v, height):
    lift = height[u] - height[v]
    if kind == "eighths":
        return rng.randrange(80) / 8 + lift
    if kind == "spread":
        return rng.uniform(1, 10) * 10.0 ** rng.randint(-12, 11)
    if kind == "huge":
        return rng.choice([0.0, 5e-324, 2.5e-308, 1e-300, 1e300, 1.25e300])
    if kind == "fraction":
        return rng.choice([rng.random(), rng.random() * 1e6, float(rng.randrange(100)), 0.0])
    if kind == "ones":
        return 1
    return {
        "small": lambda: rng.randrange(10),
        "zeros": lambda: rng.choice([0, 0, 0, 1]),
        "potential": lambda: rng.randrange(10) + lift,
        "signed": lambda: rng.randint(-2, 12),
        "top32": lambda: rng.choice([0, 1, 2**30, 2**31 - 2, 2**31 - 1]),
        "edges32": lambda: rng.choice([-(2**31), -(2**31) + 1, -1, 0, 2**31 - 1]),
        "wide": lambda: rng.choice([rng.randrange(100), rng.randrange(2**40), 2**31, 2**32 + 1]),
        "near53": lambda: 2**53 + rng.randint(-3, 3),
        "near62": lambda: rng.choice([2**62 + rng.randint(-3, 3), rng.randrange(2**40), 2**61, 1, 2**63 - 1]),
        "dag64": lambda: rng.choice([-1, 1]) * rng.choice([1, 2**31, 2**40 + 1, 2**53 + 1]),
    }[kind]()


def ids_of(rng, n, numbering):
    """Ascending ids. numbering: 0, 1, or "any"."""
    if numbering != "any":
        return list(range(numbering, numbering + n))
    if rng.random() < 0.3:
        return list(range(rng.choice([0, 1, 7]), 10**6))[:n]
    low, high = rng.choice([(0, 200), (-100, 100), (0, 2**31 + 5), (-(2**63), 2**63 - 1), (2**40, 2**40 + 500)])
    return sorted({rng.randint(low, high) for _ in range(n)})


def make(rng, numbering, kinds, loops=True, parallel=True, isolated=True, undirected=False, skew=False):
    """A graph as a format allows. isolated=False: every vertex has an entry; "inside": the last one has."""
    kind = rng.choice(kinds)
    ids = ids_of(rng, rng.randint(1, 28), numbering)
    n = len(ids)
    pairs = pairs_of(rng, n, loops and not skew, parallel, forward=kind in ("edges32", "dag64"))
    if isolated is not True and not pairs:
        pairs = [(0, n - 1)]
    used = {x for pair in pairs for x in pair}
    if isolated == "inside" and n - 1 not in used:
        pairs.append((rng.randrange(n), n - 1) if n > 1 or loops else (0, 0))
    if isolated is False:
        rank = {v: i for i, v in enumerate(sorted(used))}
        ids, n = [ids[v] for v in sorted(used)], len(used)
        pairs = [(rank[u], rank[v]) for u, v in pairs]
    height = [rng.randrange(20) for _ in range(n)]
    weigh = kind != "none"
    entries = [(u, v, draw_weight(rng, kind, u, v, height) if weigh else None) for u, v in pairs]
    return Graph(n, ids, entries, kind, undirected, skew)
