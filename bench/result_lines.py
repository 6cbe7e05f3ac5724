"""Reads lines of results and describes the graphs of its lines in words."""

import json
import os

RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")
GRAPHS = {  # words of a graph of the suite gpu, in the order of the tables
    "kron21": "Kronecker, scale 21", "kron24": "Kronecker, scale 24", "uniform": "uniform random", "lj-like": "R-MAT like LiveJournal",
    "wiki-like": "R-MAT like wiki-Talk", "cnr-2000": "cnr-2000, web crawl", "lattice": "1400 x 1400 lattice",
    "grid3d": "215 x 215 x 215 grid", "moscow": "Moscow, roads",
}  # fmt: skip


def read_lines(path):
    """The JSON objects of a file; other text is ignored. A line without a graph, file, case, job and
    microbenchmark gives its fields to all lines after it."""
    common, lines = {}, []
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            if not text.startswith("{"):
                continue
            try:
                line = json.loads(text)
            except ValueError as error:
                raise SystemExit(f"{path}:{number}: {error}") from error
            if {"graph", "file", "case", "job", "microbench"} & line.keys():
                lines.append({**common, **line})
            else:
                common.update(line)
    return lines


def count(x):
    """1234567 -> '1.23 M'."""
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if x >= unit:
            return f"{x / unit:.3g}{name}"
    return f"{x:.0f}"


def share(text):
    return f"{float(text) * 100:.3g} %"


def parameters(description):
    """'rmat:n=5,edges=7' -> ('rmat', {'n': '5', 'edges': '7'})."""
    family, _, rest = description.partition(":")
    return family, dict(item.split("=") for item in rest.split(",") if "=" in item)


def grid(sides):
    def words(p):
        kept = f", {share(p['keep'])} of the edges kept" if "keep" in p else ""
        return " x ".join(p[s] for s in sides) + kept

    return words


def sized(p):
    return f"{count(float(p['n']))} vertices, {count(float(p['edges']))} edges drawn"


def rmat(p):
    n = float(p["n"]) if "n" in p else 2 ** int(p["scale"])
    abc = f", a {p['a']}, b {p['b']}, c {p['c']}" if "a" in p else ""
    return f"R-MAT, {count(n)} vertices, {count(float(p['edges']))} edges drawn{abc}"


FAMILIES = {
    "kronecker": lambda p: f"Kronecker (Graph500), 2^{p['scale']} vertices, "
    f"{p.get('edge_factor', '16')} edges each",
    "uniform": lambda p: f"uniform random, {sized(p)}",
    "rmat": rmat,
    "grid2d": lambda p: ("hexagons " if p.get("neighbors") == "3" else "flat grid ") + grid(("rows", "cols"))(p),
    "grid3d": lambda p: "cubic grid " + grid(("x", "y", "z"))(p)
    + (f", {p['neighbors']} neighbors" if "neighbors" in p else ""),
    "grid6": lambda p: "grid of degree 6, " + grid(("rows", "cols"))(p),
    "scale-free": lambda p: f"scale-free, {count(float(p['n']))} vertices, 0.1 % of degree 1000",
    "small-world": lambda p: f"small world, {count(float(p['n']))} vertices, "
    f"{p['k']} neighbors, {share(p['p'])} rewired",
    "forest-fire": lambda p: f"forest fire, {count(float(p['n']))} vertices, "
    f"forward {p['f']}, backward {p['b']}",
    "random-geometric": lambda p: f"random geometric, {count(float(p['n']))} vertices, "
    f"mean degree {p['degree']}",
    "path": lambda p: f"path of {p['n']} vertices",
}


def graph_words(name):
    """The description of a generated graph in words; of a file the name without folders and suffixes."""
    family, p = parameters(name)
    if family in FAMILIES and p:
        return FAMILIES[family](p)
    return os.path.basename(name).split(".")[0]


def seed_of(name):
    """The seed of a generated graph; None for a file or a graph without randomness."""
    return parameters(name)[1].get("seed")
