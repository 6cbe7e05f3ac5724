"""Random graphs as files, in every format that fringe reads, as programs of all sorts write them."""

import bz2
import gzip
import lzma
import os
import struct

import random_graphs as graphs

ALL_KINDS = ("none",) + graphs.WHOLE + graphs.REAL
WEIGHTED = graphs.WHOLE + graphs.REAL
INT32 = ("small", "ones", "zeros", "potential", "signed", "top32", "edges32")
POSITIVE = ("ones", "wide", "near53", "near62")


class Style:
    """What is the same in all lines of a text file."""

    def __init__(self, rng, comments=""):
        self.rng = rng
        self.eol = rng.choice(["\n", "\n", "\n", "\r\n"])
        self.bom = rng.random() < 0.15
        self.no_last_newline = rng.random() < 0.2
        self.comments = comments  # characters that open one; "": none are allowed

    def comment(self):
        text = self.rng.choice(["", " made at random", "x" * 300, " 1 2 3", "\t\u00e9\u4e2d"])
        return self.rng.choice(self.comments) + text if self.comments and self.rng.random() < 0.1 else None

    def text(self, head, lines):
        out = list(head)
        for line in lines:
            comment = self.comment()
            out += ([comment] if comment is not None else []) + [line]
        whole = self.eol.join(out) + ("" if self.no_last_newline and out else self.eol)
        return (b"\xef\xbb\xbf" if self.bom else b"") + whole.encode()


def number(rng, w):
    """A weight as text that reads back as the same number."""
    if isinstance(w, int):
        return str(w)
    return rng.choice([repr(w), "%.17g" % w, "%.17e" % w])


def real_number(rng, w):
    text = number(rng, w)
    return text if any(c in text for c in ".en") else text + ".0"


def zstd_frame(data):
    """A frame of raw blocks: no compressor is needed to make one."""
    out = [struct.pack("<IBQ", 0xFD2FB528, 0xE0, len(data))]  # one segment, 8 bytes of size
    for at in range(0, max(len(data), 1), 100000):
        block = data[at : at + 100000]
        last = at + 100000 >= len(data)
        out.append(struct.pack("<I", len(block) << 3 | last)[:3] + block)
    return b"".join(out)


PACKERS = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress, ".zst": zstd_frame}


def write_mtx(rng, g):
    field = "pattern" if not g.weighted else "integer" if not g.real else rng.choice(["real", "double"])
    symmetry = "skew-symmetric" if g.skew else "symmetric" if g.undirected else "general"
    style = Style(rng)
    banner = f"%%MatrixMarket matrix coordinate {field} {symmetry}"
    head = [banner.upper().replace("%%MATRIXMARKET", "%%MatrixMarket") if rng.random() < 0.2 else banner]
    head += ["%" + "c" * rng.choice([0, 9, 2000]) for _ in range(rng.choice([0, 0, 2]))]
    head.append(f"{g.n} {g.n} {len(g.entries)}")
    lines = []
    for u, v, w in g.entries:
        if g.undirected:  # one triangle: row >= column
            if g.skew and u < v:
                u, v, w = v, u, None if w is None else -w
            u, v = max(u, v), min(u, v)
        lines.append(f"{u + 1} {v + 1}" + ("" if w is None else " " + number(rng, w)))
    return style.text(head, lines)


def write_snap(rng, g):
    style = Style(rng, comments="#%")
    part = rng.choice([" ", "\t", ",", ", ", "  "])
    names = ["source", "target", "weight"][: 3 if g.weighted else 2]
    head = [style.comments[0] + " edges" for _ in range(rng.choice([0, 1, 2]))]
    head += [part.join(names)] if rng.random() < 0.25 else []
    text = real_number if g.real else number
    lines = []
    for u, v, w in g.entries:
        lines.append(part.join([str(g.ids[u]), str(g.ids[v])] + ([text(rng, w)] if g.weighted else [])))
    return style.text(head, lines)


def write_gap_list(rng, g):
    text = real_number if g.real else number
    lines = [f"{u} {v}" + (" " + text(rng, w) if g.weighted else "") for u, v, w in g.entries]
    return Style(rng).text([], lines)


def write_gr(rng, g):
    text = real_number if g.real else number
    lines = [f"a {u + 1} {v + 1} {text(rng, w)}" for u, v, w in g.entries]
    return Style(rng, comments="c").text([f"p sp {g.n} {len(g.entries)}"], lines)


def write_metis(rng, g):
    near = [[] for _ in range(g.n)]
    for u, v, w in g.entries:
        near[u].append((v, w))
        near[v].append((u, w))
    head = f"{g.n} {len(g.entries)}" + (rng.choice([" 1", " 001"]) if g.weighted else rng.choice(["", " 0"]))
    lines = [" ".join(f"{v + 1}" + (f" {w}" if g.weighted else "") for v, w in row) for row in near]
    style = Style(rng, comments="%")
    style.no_last_newline = False  # an empty last line is a vertex
    return style.text([head], lines)


def write_gap_binary(rng, g):
    edges = g.edges()
    rows = [[] for _ in range(g.n)]
    columns = [[] for _ in range(g.n)]
    for u, v, w in edges:
        rows[u].append((v, w))
        columns[v].append((u, w))

    def half(lists):
        offsets, flat = [0], b""
        for row in lists:
            offsets.append(offsets[-1] + len(row))
            for v, w in row:
                flat += struct.pack("=ii", v, w) if g.weighted else struct.pack("=i", v)
        return struct.pack(f"={len(offsets)}q", *offsets) + flat

    head = struct.pack("=Bqq", not g.undirected, len(edges), g.n)
    return head + half(rows) + (b"" if g.undirected else half(columns))


def write_pajek(rng, g):
    text = real_number if g.real else number
    word = rng.choice([str.lower, str.upper, str.capitalize])
    head = ["*" + word("vertices") + f" {g.n}"]
    head += [f'{v + 1} "vertex {v + 1}"' for v in range(g.n)] if rng.random() < 0.5 else []
    head.append("*" + word("edges" if g.undirected else "arcs"))
    lines = [f"{u + 1} {v + 1}" + (" " + text(rng, w) if g.weighted else "") for u, v, w in g.entries]
    return Style(rng, comments="%").text(head, lines)


def write_ldbc(rng, g):
    """The three parts: {suffix: bytes}."""
    text = real_number if g.real else number
    lines = [f"{g.ids[u]} {g.ids[v]}" + (" " + text(rng, w) if g.weighted else "") for u, v, w in g.entries]
    properties = ["vertex-file = graph.v", "edge-file = graph.e", f"meta.vertices = {g.n}", f"meta.edges = {len(lines)}"]
    properties.append(f"directed = {'false' if g.undirected else 'true'}")
    if g.weighted:
        properties += ["edge-properties.names = weight", f"edge-properties.types = {'real' if g.real else 'int'}"]
    return {
        ".v": Style(rng).text([], [str(i) for i in g.ids]),
        ".e": Style(rng).text([], lines),
        ".properties": "".join(f"graph.graph.{fact}\n" for fact in properties).encode(),
    }


INNER = {"numbering": 0, "isolated": "inside"}
KEPT = {"numbering": "any", "kinds": ALL_KINDS}
SPARSE = {"numbering": 1, "kinds": ALL_KINDS}
SIMPLE = {"numbering": 1, "kinds": ("none",) + POSITIVE, "loops": False, "parallel": False}
# name: suffixes, what the format can say (arguments of graphs.make), whether a file may be undirected, the writer
FORMATS = {
    "mtx": ([".mtx", ".mm"], SPARSE, True, write_mtx),
    "snap": ([".txt", ".csv", ".tsv", ".edges"], {**KEPT, "isolated": False}, False, write_snap),
    "el": ([".el"], {**INNER, "kinds": ("none",)}, False, write_gap_list),
    "wel": ([".wel"], {**INNER, "kinds": WEIGHTED}, False, write_gap_list),
    "gr": ([".gr"], {"numbering": 1, "kinds": WEIGHTED}, False, write_gr),
    "metis": ([".graph", ".metis"], SIMPLE, True, write_metis),
    "sg": ([".sg"], {"numbering": 0, "kinds": ("none",)}, True, write_gap_binary),
    "wsg": ([".wsg"], {"numbering": 0, "kinds": INT32}, True, write_gap_binary),
    "ldbc": ([".e", ".v", ".properties"], KEPT, True, write_ldbc),
    "pajek": ([".net"], SPARSE, True, write_pajek),
}
ONLY_UNDIRECTED = ("metis",)
PACKABLE = ("mtx", "snap", "el", "wel", "gr", "metis", "sg", "wsg", "pajek")


def one_per_pair(g):
    """METIS states an edge once: of u - v and v - u the first."""
    seen = {}
    for u, v, w in g.entries:
        seen.setdefault((min(u, v), max(u, v)), (u, v, w))
    g.entries = list(seen.values())


def graph_for(rng, name):
    _, limits, may_be_undirected, _ = FORMATS[name]
    undirected = name in ONLY_UNDIRECTED or (may_be_undirected and rng.random() < 0.5)
    skew = name == "mtx" and undirected and rng.random() < 0.1
    kinds = tuple(k for k in limits["kinds"] if not skew or k in ("potential", "signed", "small", "eighths"))
    g = graphs.make(rng, **{**limits, "kinds": kinds}, undirected=undirected, skew=skew)
    if name == "metis":
        one_per_pair(g)
    return g


def put(rng, folder, name, g):
    """Writes g into the folder; the path to give to fringe."""
    suffixes, _, _, write = FORMATS[name]
    suffix, data = rng.choice(suffixes), write(rng, g)
    if name != "ldbc":
        data = {suffix: data}
    pack = rng.choice(list(PACKERS)) if name in PACKABLE and rng.random() < 0.25 else ""
    for part, content in data.items():
        with open(os.path.join(folder, "graph" + part + pack), "wb") as file:
            file.write(PACKERS[pack](content) if pack else content)
    return os.path.join(folder, "graph" + suffix + pack)
