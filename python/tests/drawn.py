"""Graphs drawn by hypothesis, for the tests beside SciPy and NetworkX; importing this skips them without hypothesis.

FRINGE_TEST_SEED repeats the examples of another commit, whose hash is the seed. FRINGE_TEST_EXAMPLES multiplies their number.
"""

import os
import pathlib
import subprocess

import numpy as np
import pytest

pytest.importorskip("hypothesis")
import hypothesis  # noqa: E402
from hypothesis import strategies as st  # noqa: E402


def _seed():
    words = ["git", "-C", str(pathlib.Path(__file__).parent), "rev-parse", "--short=12", "HEAD"]
    given = os.environ.get("FRINGE_TEST_SEED") or subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    return int(given, 16) if given else 0


SEED = _seed()
TIMES = float(os.environ.get("FRINGE_TEST_EXAMPLES", 1))


def drawn(examples, **strategies):
    """Runs a test with drawn arguments."""
    settings = hypothesis.settings(
        max_examples=max(1, int(examples * TIMES)), deadline=None, database=None, print_blob=True, report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    return lambda test: hypothesis.seed(SEED)(settings(hypothesis.given(**strategies)(test)))


# ---- weights: exact ones, whose sums no order of adding changes, so that answers can be compared for equality ----

SMALL = st.integers(1, 9)
WITH_ZEROS = st.integers(0, 3)
QUARTERS = st.integers(0, 40).map(lambda x: x / 4)
LARGE = st.sampled_from([2**31 - 1, 2**31, 2**53 + 1, 10**17, 2**59])
HUGE = st.sampled_from([2**59 + 1, 10**18, 2**60])  # distances fit int64 and their sums do not


def edges(n, weights, most=24):
    """Lists of (u, v, weight)."""
    vertex = st.integers(0, max(n, 1) - 1)
    return st.lists(st.tuples(vertex, vertex, weights), max_size=most if n else 0)


def potentials(n):
    """Integers whose differences are added to the weights: negative ones without a negative cycle."""
    return st.lists(st.integers(-5, 5), min_size=n, max_size=n)


# ---- matrices as SciPy takes them ----


@st.composite
def matrices(draw, weights=("ints", "zeros", "quarters", "holes", "potentials", "negative"), most=9):
    """(matrix, kind of its weights): sparse or dense, with all that SciPy accepts and reads in its own way."""
    kind = draw(st.sampled_from(weights))
    n = draw(st.integers(0, most))
    chosen = {
        "ints": SMALL, "zeros": WITH_ZEROS, "quarters": QUARTERS, "potentials": st.integers(0, 6), "negative": st.integers(-2, 6),
        "holes": st.one_of(QUARTERS, st.sampled_from([np.inf, np.nan])),
    }[kind]  # fmt: skip
    drawn_edges = draw(edges(n, chosen))
    if kind == "potentials":
        p = draw(potentials(n))
        drawn_edges = [(u, v, w + p[u] - p[v]) for u, v, w in drawn_edges]
    wide = kind in ("quarters", "holes")
    types = [np.float64, np.float64, np.float32] + ([] if wide else [np.int64, np.int32, np.int8])
    dtype = draw(st.sampled_from(types))
    form = draw(st.sampled_from(["csr", "csr", "csr_matrix", "room", "coo", "csc", "lil", "dense", "fortran", "masked"]))
    return _in_form(form, n, drawn_edges, dtype, draw(st.sampled_from([np.int32, np.int64]))), kind


def _rows(n, drawn_edges, dtype, index):
    """CSR arrays with the entries of a row in any order and more than one at a place."""
    rows = [[(v, w) for s, v, w in drawn_edges if s == u] for u in range(n)]
    indptr = np.cumsum([0, *map(len, rows)]).astype(index)
    flat = [entry for row in rows for entry in row]
    return np.array([w for _, w in flat], dtype), np.array([v for v, _ in flat], index), indptr


def _in_form(form, n, drawn_edges, dtype, index):
    sparse = pytest.importorskip("scipy.sparse")
    array, matrix = (getattr(sparse, f"csr_{word}", sparse.csr_matrix) for word in ("array", "matrix"))
    if form in ("csr", "csr_matrix", "room"):
        made = (matrix if form == "csr_matrix" else array)((n, n), dtype=dtype)
        made.data, made.indices, made.indptr = _rows(n, drawn_edges, dtype, index)
        if form == "room":  # behind the last row
            made.data, made.indices = np.append(made.data, [dtype(1)] * 2), np.append(made.indices, index([0, 0]))
        return made
    if form in ("coo", "csc", "lil"):
        u, v, w = ([edge[i] for edge in drawn_edges] for i in range(3))
        coo = sparse.coo_matrix((np.array(w, dtype), (np.array(u, index), np.array(v, index))), shape=(n, n))
        return coo if form == "coo" else coo.tocsc() if form == "csc" else coo.tolil()
    dense = np.zeros((n, n), dtype)
    for u, v, w in drawn_edges:
        dense[u, v] = w
    if form == "masked":
        return np.ma.masked_array(dense, mask=dense == 3)
    return np.asfortranarray(dense) if form == "fortran" else dense


# ---- graphs as NetworkX takes them ----

NODES = {
    "in order": lambda n: list(range(n)),
    "other integers": lambda n: [3_006_896 - 17 * i for i in range(n)],
    "permuted": lambda n: [(3 * i + 1) % n if n % 3 else n - 1 - i for i in range(n)],
    "strings": lambda n: [f"v{i}" for i in range(n)],
    "pairs": lambda n: [(i // 3, i % 3) for i in range(n)],
    "mixed": lambda n: [i if i % 2 else str(i) for i in range(n)],
}
MISSING = object()  # an edge without the attribute
WEIGHTS = {
    "ints": SMALL,
    "zeros": WITH_ZEROS,
    "quarters": QUARTERS,
    "large": LARGE,
    "huge": HUGE,
    "missing": st.one_of(SMALL, st.just(MISSING)),
    "mixed": st.one_of(SMALL, QUARTERS, st.booleans()),
    "signed": st.integers(-2, 6),
    "potentials": st.integers(0, 6),
    "beyond": st.one_of(SMALL, st.sampled_from([2**63, 10**30, 2**70])),
    "large beside reals": st.one_of(LARGE, QUARTERS),
    "odd": st.one_of(SMALL, st.sampled_from([None, float("inf")])),
}


@st.composite
def graphs(draw, most=8):
    """(graph, kind of its weights)."""
    nx = pytest.importorskip("networkx")
    made = draw(st.sampled_from([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]))()
    kind = draw(st.sampled_from(sorted(WEIGHTS)))
    n = draw(st.integers(1, most))
    nodes = NODES[draw(st.sampled_from(sorted(NODES)))](n)
    made.add_nodes_from(nodes)
    chosen = draw(edges(n, WEIGHTS[kind], 20))
    if draw(st.integers(0, 3)):  # most graphs without it are not connected
        chosen += [(i, (i + 1) % n, draw(WEIGHTS[kind])) for i in range(n)]
    p = draw(potentials(n)) if kind == "potentials" and made.is_directed() else [0] * n
    for u, v, w in chosen:
        attributes = {} if w is MISSING else {"weight": w + p[u] - p[v] if p[u] != p[v] else w}
        made.add_edge(nodes[u], nodes[v], **attributes)
    return made, kind
