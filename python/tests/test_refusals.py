"""What is refused: the exception, the words of its message, and that later calls answer."""

import numpy as np
import pytest
from device_arrays import ByDLPack, OnDevice, OnHost

import pyfringe as fr

INDPTR, INDICES, DATA = np.array([0, 2, 3, 3]), np.array([1, 2, 2], np.int32), np.array([1.0, 4.0, 2.0])
MASKED = np.ma.masked_equal([1, -9999, 3], -9999)
ROADS = b"from,km,to\nRome,9,San Marino\nSan Marino,4,Oslo\nRome,20,Oslo\n"


def roads():
    return fr.Graph.from_bytes(ROADS, ids="strings")


def negative():
    return fr.Graph.from_edges([0], [1], [-1])


# ---- graphs ----

TABLE = np.array([(1, 7, "x")], [("from", int), ("to", int), ("km", "U1")])
GRAPHS = [
    (TypeError, "integers", lambda: fr.Graph.from_edges([0.5], [1])),
    (TypeError, "integers", lambda: fr.Graph.from_edges([True], [1])),
    (TypeError, "integers", lambda: fr.Graph.from_edges(["a"], [1], ids=False)),
    (TypeError, "integers", lambda: fr.Graph.from_edges(["a"], [1], n=3)),
    (ValueError, "ids=True", lambda: fr.Graph.from_edges([2**31], [1], ids=False)),
    (ValueError, "n is for", lambda: fr.Graph.from_edges([7], [1], n=3, ids=True)),
    (ValueError, "dst: 'c' is not among ids", lambda: fr.Graph.from_edges(["a"], ["c"], ids=["a", "b"])),
    (ValueError, "twice", lambda: fr.Graph.from_edges(["a"], ["b"], ids=["a", "b", "a"])),
    (ValueError, "src: the id in row 1", lambda: fr.Graph.from_edges([1, np.nan], [1, 2])),
    (ValueError, "dst: the id in row 0", lambda: fr.Graph.from_edges(["a"], [None])),
    (ValueError, "no column 'from'; the columns are 'a'", lambda: fr.Graph.from_pandas(np.zeros(1, [("a", int)]), "from")),
    (TypeError, "^km must be numbers", lambda: fr.Graph.from_pandas(TABLE, "from", "to", "km")),
    (TypeError, "^km must be integers", lambda: fr.Graph.from_pandas(TABLE, "from", "km", ids=False)),
    (ValueError, "^to: 7 is not among ids", lambda: fr.Graph.from_pandas(TABLE, "from", "to", ids=["x", 1])),
    (ValueError, "vertices are 0 to 1", lambda: fr.Graph.from_edges([2**40], [1], n=2)),
    (ValueError, "int64", lambda: fr.Graph.from_csr([0, 1, 1], np.array([2**63], np.uint64))),
    (ValueError, "-1 is no number of a vertex; ids=True", lambda: fr.Graph.from_edges([-1], [1])),
    (ValueError, "n must be", lambda: fr.Graph.from_edges([0], [1], n=-1)),
    (ValueError, "same length", lambda: fr.Graph.from_edges([0, 1], [1])),
    (ValueError, "one dimension, not of 2", lambda: fr.Graph.from_edges([[0]], [[1]])),
    (ValueError, "src must be an array of one dimension, not OnHost", lambda: fr.Graph.from_edges(OnHost(INDICES), INDICES)),
    (ValueError, "a weight for each", lambda: fr.Graph.from_edges([0], [1], [1, 2])),
    (TypeError, "weights", lambda: fr.Graph.from_edges([0], [1], [1j])),
    (TypeError, "weights", lambda: fr.Graph.from_edges([0], [1], [None])),
    (ValueError, "finite", lambda: fr.Graph.from_edges([0], [1], [np.nan])),
    (ValueError, "indptr", lambda: fr.Graph.from_csr([], [])),
    (ValueError, "offsets", lambda: fr.Graph.from_csr([0, 2], [0])),
    (ValueError, "offsets", lambda: fr.Graph.from_csr([0, 2, 1, 2], [0, 0])),
    (ValueError, "offsets", lambda: fr.Graph.from_csr([0, 2**62, 1], [0])),
    (ValueError, "vertices are 0 to 0", lambda: fr.Graph.from_csr([0, 1], [1])),
    (ValueError, "symmetric", lambda: fr.Graph.from_csr([0, 1, 1], [1], symmetric=True)),
    (ValueError, "copy=False", lambda: fr.Graph.from_csr([0, 2, 2, 2], np.array([2, 1]), copy=False)),
    (ValueError, "sorted", lambda: fr.Graph.from_csr(np.array([0, 2, 2, 2]), np.array([2, 1], np.int32), copy=False)),
    (TypeError, "sparse", lambda: fr.Graph.from_scipy(np.eye(3))),
    (TypeError, "made by", fr.Graph),
    (FileNotFoundError, "no-such-file", lambda: fr.Graph.load("no-such-file.gr")),
    (FileNotFoundError, "absent", lambda: fr.Graph.load("absent.csv", ids="auto")),
    (TypeError, "no option 'wrong'", lambda: fr.Graph.load("g.gr", wrong=1)),
    (ValueError, "generator", lambda: fr.Graph.generate("nonsense:n=3")),
    (fr.FringeError, "", lambda: fr.Graph.from_bytes(b"")),
    (fr.FringeError, "one with the argument format", lambda: fr.Graph.from_bytes(b"\x00\xff" * 50)),
    (fr.FringeError, "", lambda: fr.Graph.from_bytes(fr.Graph.generate("path:n=6").to_bytes()[:-9])),
    (ValueError, "cache", lambda: fr.Graph.from_bytes(ROADS, cache=True)),
    (TypeError, "", lambda: fr.Graph.from_bytes("text")),
    (ValueError, "separator is one of", lambda: fr.Graph.from_bytes(b"0 1\n", separator="x")),
    (ValueError, "ids is one of", lambda: fr.Graph.from_bytes(ROADS, ids="names")),
    (ValueError, "no base", lambda: fr.Graph.from_bytes(ROADS, ids="strings", id_base=1)),
    (ValueError, "column", lambda: fr.Graph.from_bytes(ROADS, ids="strings", source_column="none")),
    (TypeError, "must be a pyfringe.Graph", lambda: fr.bfs(None, 0)),
    (TypeError, "must be a pyfringe.Graph", lambda: fr.bfs_each("x", ["y"])),
    (TypeError, "must be a pyfringe.Graph", lambda: fr.centrality(None, "closeness")),
    (TypeError, "must be a pyfringe.Graph", lambda: fr.diameter(3)),
    (fr.FringeError, "at least 0", lambda: fr.Router(negative())),
    (fr.errors.NegativeWeightError, "at least 0", lambda: fr.eccentricity(negative())),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "words", "call"), GRAPHS)
def test_graphs(kind, words, call):
    with pytest.raises(kind, match=words or None):
        call()


# ---- calls on a graph of six vertices ----

CALLS = [
    (ValueError, "format", lambda g: g.to_bytes("no such")),
    (ValueError, "name a format", lambda g: g.save("absent/g.xlsx")),
    (IndexError, "id 'a': ids are integers", lambda g: g.vertex("a")),
    (IndexError, "id 0.5", lambda g: g.vertex(0.5)),
    (IndexError, "id None: ids are integers", lambda g: g.vertex(None)),
    (OverflowError, r"type int64 \(dtype\)", lambda g: fr.sssp(g.with_weights(np.full(5, 2**31 - 1, np.int32)), 0)),
    (ValueError, "expected_queries", lambda g: fr.Solver(g, "bfs", expected_queries=-1)),
    (ValueError, "problem", lambda g: fr.Solver(g, "tsp")),
    (ValueError, "problem", lambda g: fr.estimate_memory(g, "tsp")),
    (ValueError, "weight", lambda g: g.with_weights([1])),
    (ValueError, "weight", lambda g: g.with_weights([np.nan] * 5)),
    (ValueError, "weak", lambda g: g.components("no")),
    (IndexError, "vertices are 0 to 5", lambda g: g.subgraph([6])),
    (IndexError, "vertices are 0 to 5", lambda g: g.subgraph([-1])),
    (ValueError, "mask", lambda g: g.subgraph(np.ones(3, bool))),
    (IndexError, "the graph has no vertices", lambda g: g.subgraph([]).subgraph([0])),
    (IndexError, "the graph has no vertices", lambda g: g.subgraph([]).id(0)),
    (IndexError, "the graph has no vertices", lambda g: fr.bfs(g.subgraph([]), 0)),
    (IndexError, "vertex 6 does not exist", lambda g: g.edge(0, 6)),
    (TypeError, "have no names", lambda g: g.edge("a", 1)),
    # queries
    (IndexError, "vertices are 0 to 5", lambda g: fr.sssp(g, 6)),
    (IndexError, "vertices are 0 to 5", lambda g: fr.sssp(g, -1)),
    (fr.errors.NotFoundError, "less than 2\\^31", lambda g: fr.sssp(g, 2**40)),
    (IndexError, "target vertex 9", lambda g: fr.sssp(g, 0, targets=[9])),
    (ValueError, "at least one source", lambda g: fr.sssp(g, [])),
    (TypeError, "integers", lambda g: fr.sssp(g, 0.0)),
    (TypeError, "integers", lambda g: fr.sssp(g, True)),
    (TypeError, "integers", lambda g: fr.sssp(g, None)),
    (TypeError, "integers", lambda g: fr.sssp(g, "0")),
    (ValueError, "at least 0", lambda g: fr.sssp(g, 0, max_distance=-1)),
    (ValueError, "at least 0", lambda g: fr.sssp(g, 0, max_distance=np.nan)),
    (TypeError, "max_level must be a number, or None for no limit, not str", lambda g: fr.bfs(g, 0, max_level="3")),
    (TypeError, "max_distance must be a number, .* not list", lambda g: fr.sssp(g, 0, max_distance=[3, 4])),
    (ValueError, "max_level must be a whole number", lambda g: fr.bfs(g, 0, max_level=1.5)),
    (ValueError, "nearest", lambda g: fr.bfs(g, 0, parent_rule="least")),
    (TypeError, "progress must be a function or True, not int", lambda g: fr.bfs(g, 0, progress=5)),
    (TypeError, "progress must be a function or True, not str", lambda g: fr.Solver(g, "bfs", progress="")),
    (ValueError, "unknown strategy", lambda g: fr.sssp(g, 0, strategy="none such")),
    (ValueError, "knob", lambda g: fr.sssp(g, 0, strategy="dijkstra", knobs={"no": 1})),
    (ValueError, "engine", lambda g: fr.sssp(g, 0, engine="tpu")),
    (ValueError, "engine is", lambda g: g.components(engine="gpu")),
    (ValueError, "engine is", lambda g: fr.centrality(g, "closeness", engine="gpu")),
    (TypeError, "float16", lambda g: fr.sssp(g, 0, dtype=np.float16)),
    (ValueError, "cannot hold", lambda g: fr.sssp(g, 0, dtype=np.float32)),
    (TypeError, "NumPy array", lambda g: fr.sssp(g, 0, out=[1, 2])),
    (TypeError, "not a list of 6", lambda g: fr.sssp(g, 0, out=[0] * 6)),
    (ValueError, "shape", lambda g: fr.sssp(g, 0, out=np.empty(5, np.int32))),
    (ValueError, "int32", lambda g: fr.sssp(g, 0, out=np.empty(6, np.int64))),
    (ValueError, "contiguous", lambda g: fr.sssp(g, 0, out=np.empty(12, np.int32)[::2])),
    (ValueError, "writable", lambda g: fr.sssp(g, 0, out=np.frombuffer(bytes(24), np.int32))),
    (ValueError, "parents must be int32", lambda g: fr.sssp(g, 0, out=(None, np.empty(6)))),
    (ValueError, "in.place", lambda g: fr.apsp(g, in_place=True, strategy="multi-sssp")),
    # rows
    (ValueError, "max_level must be at least 0", lambda g: fr.bfs_each(g, [0], max_level=-1)),
    (ValueError, "at least one vertex", lambda g: fr.apsp(g, targets=[])),
    *((ValueError, "rows=.*are for a matrix", lambda g, more=more: fr.apsp(g, rows=lambda *_: None, **more))
      for more in ({"out": np.empty((6, 6), np.int32)}, {"stream": 1}, {"verify": True})),
    (IndexError, "target vertex 6", lambda g: fr.apsp(g, targets=[6])),
    (ValueError, "max_distance must be at least 0", lambda g: fr.apsp(g, max_distance=-1)),
    (ValueError, r"shape \(6, 1\)", lambda g: fr.apsp(g, targets=[0], out=np.empty((6, 6), np.int32))),
    (fr.FringeError, "targets alone", lambda g: fr.apsp(g, targets=[4, 0], parents=True).path_to(0)),
    (fr.FringeError, "targets alone", lambda g: fr.apsp(g, targets=[4, 0]).to_bytes(row=0)),
    (ValueError, "row=", lambda g: fr.bfs_each(g, [0, 1]).path_counts()),
    (ValueError, "row=", lambda g: fr.bfs(g, 0).tight_edges(row=0)),
    (fr.FringeError, "other numbers", lambda g: fr.bfs(g, 4, reverse=True).tight_edges()),
    # files of results
    (ValueError, "written as .tsv", lambda g: fr.bfs(g, 0).to_bytes("xlsx")),
    (TypeError, "format must be a string", lambda g: fr.bfs(g, 0).to_bytes(3)),
    (OSError, "No such file", lambda g: fr.bfs(g, 0).save("/no/such/folder/r.tsv")),
    (ValueError, "row= says which", lambda g: fr.apsp(g).to_bytes()),
    (ValueError, "no rows", lambda g: fr.bfs(g, 0).to_bytes(row=0)),
    (IndexError, "out of bounds", lambda g: fr.apsp(g).to_bytes(row=6)),
    (TypeError, "integer", lambda g: fr.apsp(g).to_bytes(row=0.5)),
    (fr.FringeError, "not kept", lambda g: fr.apsp(g, rows=lambda *_: None).to_bytes(row=0)),
    (fr.FringeError, "not kept", lambda g: fr.apsp(g, rows=lambda *_: None).verify()),
    (AttributeError, "not kept", lambda g: fr.apsp(g, rows=lambda *_: None).dist),
    (AttributeError, "only a result of bfs", lambda g: fr.apsp(g, rows=lambda *_: None).level),
    (AttributeError, "has level instead", lambda g: fr.bfs(g, 0).dist),
    # measures and routes
    (ValueError, "betweenness, closeness, harmonic", lambda g: fr.centrality(g, "degree")),
    (ValueError, "samples must be at least 1", lambda g: fr.centrality(g, "betweenness", samples=0)),
    (ValueError, "bidirectional", lambda g: fr.Router(g, "best")),
    (ValueError, "coordinates", lambda g: fr.Router(g, "astar")),
    (ValueError, "coordinates", lambda g: fr.Router(g, "alt", coordinates=np.zeros((6, 2)))),
    (ValueError, r"shape \(6, 2\)", lambda g: fr.Router(g, coordinates=np.zeros((2, 2)))),
    (fr.FringeError, "1e150", lambda g: fr.Router(g, coordinates=np.full((6, 2), np.nan))),
    (ValueError, "64", lambda g: fr.Router(g, landmarks=65)),
    (ValueError, "landmarks", lambda g: fr.Router(g, "bidirectional", landmarks=3)),
    (TypeError, "integer", lambda g: fr.Router(g, landmarks=1.5)),
    (fr.errors.NotFoundError, "", lambda g: fr.Router(g).path(0, 6)),
    (TypeError, "", lambda g: fr.Router(g).path(0, "a")),
    (TypeError, "", lambda g: fr.Router(g).path(0, 1.5)),
    (ValueError, "as many", lambda g: fr.Router(g).distances([0, 1], [2])),
    (ValueError, "k must be", lambda g: fr.Router(g).k_paths(0, 2, -1)),
    (FileNotFoundError, "none.co", lambda g: fr.load_coordinates(g, "none.co")),
]  # fmt: skip
CLOSED = [
    (IndexError, "closed vertex 6 does not exist: they are 0 to 5", {"closed_vertices": [1, 6]}),
    (IndexError, "closed vertex -1 does not exist", {"closed_vertices": -1}),
    (ValueError, r"a mask must have shape \(6,\), not \(5,\)", {"closed_vertices": np.zeros(5, bool)}),
    (ValueError, r"a mask must have shape \(6,\)", {"closed_vertices": [True]}),
    (ValueError, "one dimension", {"closed_vertices": [[0, 1]]}),
    (TypeError, "integers", {"closed_vertices": [0.5]}),
    (TypeError, "integers", {"closed_vertices": True}),
    (TypeError, "have no names", {"closed_vertices": "a"}),
    (IndexError, "stored edge 5 does not exist: they are 0 to 4", {"closed_edges": 5}),
    (IndexError, "stored edge -3 does not exist", {"closed_edges": [0, -3]}),
    (ValueError, r"a mask must have shape \(5,\), not \(6,\)", {"closed_edges": np.zeros(6, bool)}),
    (IndexError, "no edge 0 -> 4", {"closed_edges": [(0, 1), (0, 4)]}),
    (IndexError, "no edge 0 -> 9", {"closed_edges": [(0, 9)]}),
    (ValueError, r"pairs of shape \(k, 2\), not \(2, 3\)", {"closed_edges": [[0, 1, 2]] * 2}),
    (ValueError, "one dimension", {"closed_edges": np.zeros((1, 1, 2), int)}),
    (TypeError, "integers", {"closed_edges": [0.0]}),
    (TypeError, "integers", {"closed_edges": [(0.5, 1.0)]}),
    (ValueError, "int64", {"closed_edges": np.array([2**63], np.uint64)}),
]  # fmt: skip
for search in (fr.bfs, fr.sssp_each, fr.apsp, lambda g, _, **more: g.filter(**more)):
    CALLS += [(kind, words, lambda g, search=search, more=more: search(g, [0], **more)) for kind, words, more in CLOSED]


SPARE = np.zeros(24, np.int32)
OVERLAPS = [
    ("values and parents share", lambda g: fr.bfs(g, 0, out=(SPARE[:6], SPARE[:6]))),
    ("values and parents share", lambda g: fr.bfs(g, 0, out=(SPARE[:6], SPARE[5:11]))),
    ("values and parents share", lambda g: fr.bfs_each(g, [0, 1], out=(SPARE[:12].reshape(2, 6), SPARE[11:23].reshape(2, 6)))),
    ("values and parents share", lambda g: fr.Solver(g, "bfs").run(0, SPARE[:6], SPARE[1:7])),
    ("values and parents share", lambda g: fr.bfs(g, 0, out=(OnDevice(SPARE[:6]), OnDevice(SPARE[5:11])))),
    ("sources or targets", lambda g: fr.bfs(g, SPARE[:6], out=SPARE[:6])),
    ("sources or targets", lambda g: fr.bfs(g, 0, targets=SPARE[:2], out=(None, SPARE[1:7]))),
]  # fmt: skip
CALLS += [(ValueError, f"out: .*{words}", call) for words, call in OVERLAPS]


@pytest.mark.parametrize(("kind", "words", "call"), CALLS)
def test_calls(graph, kind, words, call):
    with pytest.raises(kind, match=words or None):
        call(graph)
    assert fr.sssp(graph, 0).dist[4] == 10  # the context goes on


def test_an_array_of_the_graph_takes_no_result():
    indices, data = np.array([1, 2, 0], np.int32), np.array([1.0, 2.0, 3.0])
    g = fr.Graph.from_csr(np.arange(4), indices, data, copy=False)
    for call in (lambda h: fr.bfs(h, 0, out=indices), lambda h: fr.bfs(h, 0, out=(None, indices)), lambda h: fr.sssp(h, 0, out=data)):
        for borrowing in (g, g.with_weights(data)):
            with pytest.raises(ValueError, match="out: .* that the graph borrows"):
                call(borrowing)
    assert indices.tolist() == [1, 2, 0] and data.tolist() == [1, 2, 3]


def test_an_id_for_a_number():
    g = fr.Graph.from_bytes(b"7 3006896\n3006896 9\n")
    for call in (fr.bfs, fr.sssp, fr.apsp, fr.bfs_each):
        with pytest.raises(IndexError, match=r"3006896 does not exist: vertices are 0 to 2; graph.vertex\(id\) is the number"):
            call(g, [3006896])
    with pytest.raises(IndexError, match="vertices are 0 to 1$"):
        fr.bfs(fr.Graph.from_bytes(b"0 1\n"), 2)


@pytest.mark.parametrize(("kind", "words", "call"), [
    (IndexError, 'no vertex is called "Bonn"', lambda g: fr.bfs(g, "Bonn")),
    (IndexError, 'no vertex is called "Bonn"', lambda g: fr.bfs(g, 0, targets=["Rome", "Bonn"])),
    (IndexError, 'no vertex is called "Bonn"', lambda g: g.vertex("Bonn")),
    (IndexError, 'no vertex is called "Bonn"', lambda g: fr.bfs(g, 0).path_to("Bonn")),
    (IndexError, "no edge 'Oslo' -> 'Rome'", lambda g: fr.bfs(g, 0, closed_edges=[("Oslo", "Rome")])),
    (TypeError, "all be names", lambda g: fr.bfs(g, ["Rome", 2])),
    (ValueError, "zero byte", lambda g: fr.bfs(g, "Rome\0")),
    (IndexError, "no id|does not exist|has the id", lambda g: g.vertex(9)),
    (ValueError, "tsv can", lambda g: fr.bfs(g, 0).to_bytes("npy")),
])  # fmt: skip
def test_names(kind, words, call):
    with pytest.raises(kind, match=words or None):
        call(roads())


@pytest.mark.parametrize("call", [
    lambda g: fr.Graph.from_edges([0, 1, 2], [1, 2, 3], MASKED),
    lambda g: fr.Graph.from_edges([0, 1, 2], MASKED),
    lambda g: fr.Graph.from_csr([0, 3, 3, 3, 3], [1, 2, 3], MASKED),
    lambda g: fr.Graph.from_csr(MASKED, [1]),
    lambda g: g.with_weights(np.ma.masked_less(np.arange(5.0), 2)),
    lambda g: fr.bfs(g, MASKED),
    lambda g: fr.bfs(g, 0, targets=MASKED),
    lambda g: fr.bfs(g, 0, closed_vertices=MASKED),
    lambda g: fr.bfs(g, 0, closed_edges=MASKED),
    lambda g: g.subgraph(MASKED),
    lambda g: g.filter(np.ma.masked_array([True] * 6, [False, True] * 3)),
    lambda g: fr.Router(g, coordinates=np.ma.masked_less(np.ones((6, 2)), 2)),
])  # fmt: skip
def test_masked_numbers(graph, call):
    with pytest.raises(ValueError, match="masked entries"):
        call(graph)


@pytest.mark.parametrize(("name", "value", "error"), [
    ("thread", 1, AttributeError), ("key", 1, AttributeError), ("threads", "2", TypeError), ("threads", 1.5, TypeError),
    ("device", None, TypeError), ("threads", -1, ValueError), ("threads", 4097, ValueError), ("max_memory", -5, ValueError),
])  # fmt: skip
def test_config(name, value, error):
    before = fr.config.key()
    with pytest.raises(error, match=rf"config.*{name}"):
        setattr(fr.config, name, value)
    assert fr.config.key() == before
    fr.config.max_memory = np.int64(0)


@pytest.mark.parametrize(("wrong", "kind", "words"), [
    ([0, 0], ValueError, "different"), (range(17), ValueError, "at most 16"), ([-1], ValueError, "at least 0"),
    (5, TypeError, "list of GPUs"), ("01", TypeError, "list of GPUs"), ({0: 1}, TypeError, "list of GPUs"),
])  # fmt: skip
def test_several_gpus(graph, monkeypatch, wrong, kind, words):
    monkeypatch.setattr(fr.config, "devices", wrong)
    with pytest.raises(kind, match=words or None):
        fr.bfs(graph, 0)


# ---- arrays in a GPU's memory ----


@pytest.mark.parametrize("wrap", [OnDevice, ByDLPack])
@pytest.mark.parametrize(("kind", "words", "arrays"), [
    (TypeError, "indptr must be int32 or int64 in the GPU's memory, not float64", (INDPTR * 1.0, INDICES)),
    (TypeError, "indices must be int32 in the GPU's memory, not int64", (INDPTR, INDICES.astype(np.int64))),
    (TypeError, "data must be int32 or int64 or float32 or float64 .*, not float16", (INDPTR, INDICES, DATA.astype(np.float16))),
    (ValueError, "data must have 3 elements, not 2", (INDPTR, INDICES, DATA[:2])),
    (ValueError, "indices must be an array of one dimension, not of 2", (INDPTR, INDICES.reshape(3, 1))),
    (ValueError, "indptr must be contiguous", (np.repeat(INDPTR, 2)[::2], INDICES)),
    (ValueError, "an entry more than there are vertices", (INDPTR[:0], INDICES[:0])),
])  # fmt: skip
def test_device_arrays(wrap, kind, words, arrays):
    with pytest.raises(kind, match=words or None):
        fr.Graph.from_device_csr(*map(wrap, arrays))


@pytest.mark.parametrize(("kind", "words", "arrays", "more"), [
    (TypeError, "must be an array in a GPU's memory, not", (INDPTR, INDICES), {}),
    (TypeError, "must be an array in a GPU's memory, not", (INDPTR.tolist(), INDICES.tolist()), {}),
    (TypeError, "must be an array in a GPU's memory, not", (OnDevice(INDPTR), INDICES), {}),
    (TypeError, "must be an array in a GPU's memory, not", (None, None), {}),
    (TypeError, "must be an array in a GPU's memory, not OnHost", (OnHost(INDPTR), OnHost(INDICES)), {}),
    (TypeError, "data must be an array in a GPU's memory, not ndarray", (OnDevice(INDPTR), OnDevice(INDICES), DATA), {}),
    (ValueError, "address of a CUDA stream", (OnDevice(INDPTR), OnDevice(INDICES)), {"stream": -1}),
    (ValueError, "address of a CUDA stream", (OnDevice(INDPTR), OnDevice(INDICES)), {"stream": 2**64}),
])  # fmt: skip
def test_host_arrays(kind, words, arrays, more):
    with pytest.raises(kind, match=words or None):
        fr.Graph.from_device_csr(*arrays, **more)


@pytest.mark.parametrize("wrap", [OnDevice, ByDLPack])
def test_arrays_that_are_not_on_the_gpu(wrap):
    """With a GPU the library looks where the arrays are; without, it says that there is none."""
    with pytest.raises(TypeError, match=r"Graph\.from_device_csr"):
        fr.Graph.from_csr(wrap(INDPTR), wrap(INDICES))
    kind, words = (ValueError, "memory") if fr.devices() else (fr.errors.DeviceError, "GPU|CUDA")
    with pytest.raises(kind, match=words or None):
        fr.Graph.from_device_csr(wrap(INDPTR), wrap(INDICES), wrap(DATA))
