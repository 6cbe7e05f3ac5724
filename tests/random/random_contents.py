"""What the bytes of a graph file say, read the plainest way, and large graphs whose answers are known."""

import array
import random
import re
import struct

import random_reference as reference

FIELDS = {"magic": 0, "byte order": 8, "version": 12, "weight type": 16, "flags": 20, "n": 24, "m": 32, "base": 40,
          "bytes": 48, "key": 56, "hash": 64}  # fmt: skip
TYPES = {0: None, 1: "i", 2: "q", 3: "f", 4: "d"}  # weights of a .fringe file
MOST = 3000  # vertices up to which an answer is computed here


class Refused(Exception):
    """No reader may take these bytes for a graph."""


class Unsure(Exception):
    """Whether they are a graph is for the format's own tests to say."""


class Said:
    """A graph: ids of its vertices, edges (u, v, w) between their numbers, each as it is followed."""

    def __init__(self, ids, edges, real=False, single=False, known=None, mirrored=True):
        self.ids, self.edges, self.real, self.single, self.known = ids, edges, real, single, known
        self.mirrored = mirrored  # False: claims to be undirected and is not

    @property
    def negative(self):
        return not self.known and any(w < 0 for _, _, w in self.edges)

    def answer(self, problem, source):
        """The values from vertex no. `source`, or None: a negative cycle."""
        if self.known:
            return self.known[problem]
        if problem == "bfs":
            return reference.bfs(len(self.ids), self.edges, [source])
        dist, cycle = reference.shortest(len(self.ids), self.edges, [source])
        return None if cycle else dist

    def near(self, a, b):
        if a == b or a is None or b is None or not self.real:
            return a == b
        magnitude = sum(abs(w) for _, _, w in self.edges) if self.negative else 0
        return abs(a - b) <= (2e-5 if self.single else 1e-9) * max(abs(a), abs(b), magnitude)


# ---- text --------------------------------------------------------------------------------------

WHOLE, REAL = re.compile(rb"-?\d{1,18}"), re.compile(rb"-?\d{1,18}(\.\d{1,18})?(e[+-]?\d{1,2})?")
NUMBER = re.compile(rb"0|[1-9]\d{0,8}")


def words_of(data):
    """The words of each line; Unsure unless they are plainly separated."""
    lines = data.split(b"\n")
    if lines[-1]:
        raise Unsure
    out = [line.split(b" ") for line in lines[:-1]]
    if any(b"" in words for words in out):
        raise Unsure
    return out


def vertex(word, first, n):
    if not NUMBER.fullmatch(word):
        raise Unsure
    v = int(word) - first
    if not 0 <= v < n:
        raise Refused
    return v


def weights_of(words):
    """(weights, whether they are floats)."""
    if all(WHOLE.fullmatch(w) for w in words):
        return [int(w) for w in words], False
    if all(REAL.fullmatch(w) and not WHOLE.fullmatch(w) for w in words):
        return [float(w) for w in words], True
    raise Unsure


def graph_of_lines(lines, first, n, weighted, ids):
    if any(len(words) != (3 if weighted else 2) for words in lines):
        raise Unsure
    ends = [(vertex(words[0], first, n), vertex(words[1], first, n)) for words in lines]
    weights, real = weights_of([words[2] for words in lines]) if weighted else ([1] * len(lines), False)
    return Said(ids, [(u, v, w) for (u, v), w in zip(ends, weights)], real)


def read_gap_list(data, weighted):
    lines = words_of(data)
    numbers = [int(w) for words in lines for w in words[:2] if NUMBER.fullmatch(w)]
    n = max(numbers, default=0) + 1
    if not lines or n > MOST:
        raise Unsure
    return graph_of_lines(lines, 0, n, weighted, list(range(n)))


def read_gr(data):
    lines = words_of(data)
    if not lines or lines[0][:2] != [b"p", b"sp"] or len(lines[0]) != 4 or any(w[0] != b"a" for w in lines[1:]):
        raise Unsure
    if not all(NUMBER.fullmatch(w) for w in lines[0][2:]):
        raise Unsure
    n, m = int(lines[0][2]), int(lines[0][3])
    if n > MOST or not m:
        raise Unsure
    if m != len(lines) - 1:
        raise Refused
    return graph_of_lines([words[1:] for words in lines[1:]], 1, n, True, list(range(1, n + 1)))


def read_mtx(data):
    lines = words_of(data)
    banner = b" ".join(lines[0]) if lines else b""
    found = re.fullmatch(rb"%%MatrixMarket matrix coordinate (pattern|integer|real) (general|symmetric)", banner)
    if not found or len(lines) < 3 or len(lines[1]) != 3 or not all(NUMBER.fullmatch(w) for w in lines[1]):
        raise Unsure
    n, columns, m = map(int, lines[1])
    if n > MOST:
        raise Unsure
    if n != columns or m != len(lines) - 2:
        raise Refused
    said = graph_of_lines(lines[2:], 1, n, found[1] != b"pattern", list(range(1, n + 1)))
    if found[2] == b"symmetric":
        if any(u < v for u, v, _ in said.edges):
            raise Unsure
        said.edges += [(v, u, w) for u, v, w in said.edges if u != v]
    said.real = found[1] == b"real"
    return said


# ---- binary ------------------------------------------------------------------------------------

def ascends(offsets, m):
    return offsets[0] == 0 and offsets[-1] == m and all(map(int.__le__, offsets, offsets[1:]))


def edges_of(n, offsets, targets, weights):
    if n > MOST:
        return None
    return [(u, targets[e], weights[e] if weights else 1) for u in range(n) for e in range(offsets[u], offsets[u + 1])]


def read_gap_binary(data, entry):
    if len(data) < 17 or data[0] > 1:
        raise Refused
    m, n = struct.unpack_from("=qq", data, 1)
    if not 0 <= n < 2**31 or not 0 <= m <= 2**40:
        raise Refused
    rows = 8 * (n + 1) + m * entry
    if len(data) != 17 + rows * (1 + data[0]):
        raise Refused
    offsets = array.array("q", data[17 : 17 + 8 * (n + 1)])
    entries = array.array("i", data[17 + 8 * (n + 1) : 17 + rows])
    targets, weights = (entries, None) if entry == 4 else (entries[::2], entries[1::2])
    if not ascends(offsets, m) or (m and (min(targets) < 0 or max(targets) >= n)):
        raise Refused
    edges = edges_of(n, offsets, targets, weights)
    if edges is None:
        raise Unsure
    if not data[0] and sorted(edges) != sorted((v, u, w) for u, v, w in edges):
        raise Refused
    return Said(list(range(n)), edges)


def read_fringe(data):
    """After the checksums: these are to match."""
    if len(data) < 256:
        raise Refused
    magic, order, version, kind, flags, n, m, base = struct.unpack_from("=8sIIIIqqq", data)
    if magic != b"\x89FRINGE\n" or order != 0x01020304 or version != (2 if kind == 2 else 1):
        raise Refused
    places = [struct.unpack_from("=QQ", data, 72 + 24 * s) for s in range(4)]
    if kind > 4 or flags > 3 or base > 2**63 - 1 - n or not 0 <= n < 2**31 or not 0 <= m < 2**40:
        raise Refused
    sizes = [8 * (n + 1), 4 * m, m * (array.array(TYPES[kind]).itemsize if kind else 0), 8 * n if flags & 2 else 0]
    at = 256
    if any(data[168:216]):  # there are no names
        raise Refused
    for place, size in zip(places, sizes):
        if place != (at, size):
            raise Refused
        at += -(-size // 64) * 64
    if at != len(data) or struct.unpack_from("=Q", data, FIELDS["bytes"])[0] != at:
        raise Refused
    parts = [data[at : at + size] for at, size in places]
    offsets, targets = array.array("q", parts[0]), array.array("i", parts[1])
    weights = array.array(TYPES[kind], parts[2]) if kind else None
    ids = array.array("q", parts[3]) if flags & 2 else range(base, base + n)
    if not ascends(offsets, m) or (m and (min(targets) < 0 or max(targets) >= n)):
        raise Refused
    begins = set(offsets)
    entries = list(zip(targets, weights)) if kind else targets
    if any(a > b and e not in begins for e, a, b in zip(range(1, m), entries, entries[1:])):
        raise Refused
    if kind > 2 and any(w - w != 0 for w in weights):
        raise Refused
    if flags & 2 and any(map(int.__ge__, ids, ids[1:])):
        raise Refused
    edges = edges_of(n, offsets, targets, weights)
    if edges is None:
        raise Unsure
    mirrored = not flags & 1 or sorted(edges) == sorted((v, u, w) for u, v, w in edges)
    return Said(list(ids), edges, kind > 2, kind == 3, mirrored=mirrored)


READERS = {
    "el": lambda data: read_gap_list(data, False),
    "wel": lambda data: read_gap_list(data, True),
    "gr": read_gr,
    "mtx": read_mtx,
    "sg": lambda data: read_gap_binary(data, 4),
    "wsg": lambda data: read_gap_binary(data, 8),
    "fringe": read_fringe,
}

# ---- the checksums of .fringe, as src/base/checksum.c has them ---------------------------------------

MASK, ODD = 2**64 - 1, 0x9E3779B185EBCA87
BLOCK = 1 << 20


def mix64(x):  # src/base/rng.h
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def mix_lane(lane, word):
    lane = ((lane ^ word) * ODD) & MASK
    return (lane << 29 | lane >> 35) & MASK


def add(total, value):
    return mix64(mix_lane(total, value))


def block_sum(block):
    padded = bytes(block) + bytes(64 - len(block) % 64)  # one step more than there is, as there
    words, total = array.array("Q", padded), len(block)
    for i in range(8):
        lane = i
        for word in words[i::8]:
            lane = ((lane ^ word) * ODD) & MASK
            lane = (lane << 29 | lane >> 35) & MASK
        total = add(total, lane)
    return total


def inverse(function):
    """Of add(x, value) by value: checksums can be taken back to their sums."""
    odd = pow(ODD, -1, 2**64)

    def unshift(x, k):
        y = x
        for _ in range(64 // k):
            y = x ^ y >> k
        return y

    x = unshift(function[0], 31)
    x = unshift(x * pow(0x94D049BB133111EB, -1, 2**64) & MASK, 27)
    x = unshift(x * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK, 30)
    x = (x - 0x9E3779B97F4A7C15) & MASK
    x = (x >> 29 | x << 35) & MASK
    return x * odd & MASK ^ function[1]


def mend_sums(before, after):
    """Makes the checksums of `after` match, which differs from `before`, whose sums match, in a few words."""
    for s in range(6):
        at, size, total = struct.unpack_from("=QQQ", before, 72 + 24 * s)
        if not size or at + size > min(len(before), len(after)):
            continue
        wanted = inverse((total, size))
        for b, place in enumerate(range(at, at + size, BLOCK)):
            end = min(place + BLOCK, at + size)
            if before[place:end] != after[place:end]:
                wanted += add(b, block_sum(after[place:end])) - add(b, block_sum(before[place:end]))
        struct.pack_into("=Q", after, 72 + 24 * s + 16, add(wanted & MASK, size))
    struct.pack_into("=Q", after, 248, add(add(0, block_sum(after[:248])), 248))


# ---- large graphs --------------------------------------------------------------------------------

KINDS = ("none", "small", "wide", "eighths")


class Large:
    """A tree whose vertices have any distance, and further edges that shorten no way: levels and distances from
    the root are known. `text` has lines 'source target weight'."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.kind, self.listed = rng.choice(KINDS), rng.random() < 0.5
        self.undirected = self.kind == "none" or rng.random() < 0.5
        bytes_of_edge = {"none": 4, "small": 8, "wide": 12, "eighths": 12}[self.kind]
        n = rng.randrange(*((300_000, 500_000) if self.kind == "none" else (120_000, 250_000)))
        goal = 1.05 * (1 << 24) - n * (16 if self.listed else 8)
        m = max(int(goal / bytes_of_edge) // (2 if self.undirected else 1), n)
        parts = array.array("I", rng.randbytes(4 * (m + n)))
        step, shift = 7, rng.choice([0, 0, -(10**6), 2**40])
        above, level, dist, lines = [0] * n, [0] * n, [0] * n, []
        unit = {"none": 0, "small": 20, "wide": 2**40, "eighths": 800}[self.kind]
        turn = next(a for a in range(n // 3, n) if self.coprime(a, n))
        ids = [v * step + shift for v in range(n)] if self.listed else list(range(n))
        place = [ids[v * turn % n] for v in range(n)]
        for v in range(1, n):
            r = parts[v]
            parent = (r % v) >> (r >> 29)
            w = r % unit if unit else 1
            above[v], level[v], dist[v] = parent, level[parent] + 1, dist[parent] + w
            lines.append((place[parent], place[v], w))
        for e in range(n, m):
            r = parts[e]
            u, v = r % n, parts[e - n] % n
            if level[v] > level[u] + 1:
                u, v = v, u
            if self.undirected and abs(level[v] - level[u]) > 1:
                v = above[u]
            far = abs(dist[v] - dist[u]) if self.undirected else max(dist[v] - dist[u], 0)
            lines.append((place[u], place[v], far + r % 5 if unit else 1))
        order = sorted(range(n), key=place.__getitem__)
        self.root = place[0]
        self.ids = [place[v] for v in order]
        scale = 8 if self.kind == "eighths" else 1
        self.levels = [level[v] for v in order]
        self.dists = [dist[v] / scale if scale > 1 else dist[v] for v in order] if unit else self.levels
        if scale > 1:
            rows = ["%d %d %.3f" % (u, v, w / 8) for u, v, w in lines]
        else:
            rows = ["%d %d %d" % row for row in lines] if unit else ["%d %d" % row[:2] for row in lines]
        self.text = "\n".join(rows) + "\n"
        self.lines = {}  # what the command writes for a problem, once it was needed

    @staticmethod
    def coprime(a, b):
        while b:
            a, b = b, a % b
        return a == 1

    def rows(self, problem, ids):
        """'vertex value' lines as the command writes them."""
        key = problem, ids[0]
        if key not in self.lines:
            texts = [str(int(d)) if d == int(d) else repr(d) for d in self.dists if problem == "sssp"] or self.levels
            self.lines[key] = [f"{v}\t{text}" for v, text in zip(ids, texts)]
        return self.lines[key]

    def said(self):
        return Said(self.ids, None, self.kind == "eighths", known={"bfs": self.levels, "sssp": self.dists})
