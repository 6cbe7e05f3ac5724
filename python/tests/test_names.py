"""Graphs whose vertices have names, columns of tables, and results as files."""

import pickle

import numpy as np
import pytest

import pyfringe as fr

ROADS = b'from,km,to,toll\nRome,9,"San Marino, city",1\n"San Marino, city",4,Oslo,1\nRome,20,Oslo,0\nOslo,1,\xc3\x85lesund,1\n'
NAMES = ["Rome", "San Marino, city", "Oslo", "Ålesund"]


@pytest.fixture
def roads():
    return fr.Graph.from_bytes(ROADS, ids="strings", source_column="from", target_column="to", weight_column="km")


def test_names(roads, tmp_path):
    assert roads.names == roads.ids == NAMES and roads.data.tolist() == [9, 20, 4, 1]
    assert [roads.id(v) for v in range(4)] == NAMES and [roads.vertex(name) for name in NAMES] == [0, 1, 2, 3]
    assert roads.vertex(2) == 2 and "strings" in roads.note
    (tmp_path / "roads.csv").write_bytes(ROADS)
    for columns in (("from", "to", "km"), (1, 3, 2), ("1", "3", "2")):
        chosen = dict(zip(("source_column", "target_column", "weight_column"), columns, strict=True))
        assert fr.Graph.load(tmp_path / "roads.csv", ids="auto", **chosen).hash == roads.hash
    for made in (pickle.loads(pickle.dumps(roads)), roads.reverse(), roads.with_weights(None), roads.filter([0])):
        assert made.names == NAMES
    assert roads.subgraph(["Oslo", "Rome"]).names == ["Rome", "Oslo"]
    roads.save(tmp_path / "roads.fringe")
    assert fr.Graph.load(tmp_path / "roads.fringe").names == NAMES
    decimal = fr.Graph.from_bytes(b"Rome|Bonn|1,5\n", ids="strings", separator="|", decimal=",")
    assert decimal.data.tolist() == [1.5] and decimal.names == ["Rome", "Bonn"]
    assert fr.Graph.from_bytes(b"0 1\n").names is None and fr.Graph.from_edges([], [], n=0).names is None


def test_queries_by_name(roads):
    r = fr.sssp(roads, "Rome", targets="Oslo", verify=True)
    assert r.dist[:3].tolist() == [0, 9, 13] and [roads.id(v) for v in r.path_to("Oslo")] == NAMES[:3]
    assert fr.bfs(roads, ["Oslo", "Rome"]).level.tolist() == fr.bfs(roads, [2, 0]).level.tolist() == [0, 1, 0, 1]
    assert fr.bfs(roads, np.array(["Oslo"])).level.tolist() == [-1, -1, 0, 1]
    assert fr.distances(roads, ["Rome"], ["Oslo", "Ålesund"]).tolist() == [[13, 14]]
    assert fr.apsp(roads, "Rome", targets=["Oslo"]).dist.tolist() == [[13]]
    assert fr.bfs_each(roads, NAMES).level.diagonal().tolist() == [0] * 4
    assert fr.Solver(roads, "sssp").solve("Rome", closed_vertices=["San Marino, city"]).dist[2] == 20
    assert fr.sssp(roads, "Rome", closed_edges=[("Rome", "Oslo"), ("Oslo", "Ålesund")]).dist[2] == 13
    assert roads.data[roads.edge("Rome", "Oslo")].tolist() == [20]
    pandas = pytest.importorskip("pandas")
    assert fr.bfs(roads, pandas.Series(["Oslo", "Rome"])).level.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("nodes", [["a", "b", "c"], [3006896, 46303, -7], [2, 1, 0], [(0, 1), (1, 0), "b"], [2, "2", (2,)]])
def test_nodes_of_networkx(nodes):
    nx = pytest.importorskip("networkx")
    a, b, c = nodes
    g = fr.Graph.from_networkx(nx.path_graph(nodes))
    assert g.ids == g.labels == nodes and [g.vertex(node) for node in nodes] == [0, 1, 2] and g.id(2) == c
    for one in (g, pickle.loads(pickle.dumps(g)), g.with_weights([2] * 4), g.filter()):
        assert fr.bfs(one, c).level.tolist() == [2, 1, 0] and fr.bfs(one, [c, a]).level.tolist() == [0, 1, 0]
    if all(type(node) is int for node in nodes):
        assert fr.bfs(g, np.array([c])).level.tolist() == [2, 1, 0]
    assert fr.sssp(g, a, targets=b).path_to(b).tolist() == [0, 1]
    assert fr.bfs(g, a, closed_vertices=[b]).level.tolist() == [0, -1, -1]
    assert fr.bfs(g, a, closed_edges=[(b, c)]).level.tolist() == fr.bfs(g, a, closed_edges=g.edge(b, c)).level.tolist() == [0, 1, -1]
    assert fr.distances(g, [a, b], [c]).tolist() == [[2], [1]] and fr.apsp(g, [c]).dist.tolist() == [[2, 1, 0]]
    assert fr.bfs_each(g, nodes).level.diagonal().tolist() == [0] * 3 and fr.path(g, a, c).vertices.tolist() == [0, 1, 2]
    assert g.subgraph([c, b]).labels == g.subgraph(np.array([False, True, True])).labels == [b, c]
    level = np.empty(3, np.int32)
    fr.Solver(g, "bfs").run(c, level)
    assert level.tolist() == fr.Solver(g, "bfs").solve(c).level.tolist() == [2, 1, 0]
    for wrong in ("d", 5, [a, "d"], [[a]], None, 1.5):
        with pytest.raises(IndexError, match="no node"):
            fr.bfs(g, wrong)


def test_weights_of_networkx():
    nx = pytest.importorskip("networkx")
    g = nx.Graph([(0, 1, {"length": 70.5}), (1, 2, {"length": 30.5, "toll": 2})])
    assert fr.sssp(fr.Graph.from_networkx(g, "length"), 0).dist.tolist() == [0, 70.5, 101]
    assert fr.sssp(fr.Graph.from_networkx(g, "toll"), 0).dist.tolist() == [0, 1, 3]
    with pytest.warns(UserWarning, match="no edge has the attribute 'lenght'"):
        assert fr.sssp(fr.Graph.from_networkx(g, "lenght"), 0).dist.tolist() == [0, 1, 2]
    made = fr.Graph.from_networkx(g, lambda u, v, d: None if "toll" in d else d["length"] * (2 if u < v else 1))
    assert made.indices.tolist() == [1, 0] and made.data.tolist() == [141, 70.5] and not made.symmetric
    assert fr.Graph.from_networkx(g, lambda u, v, d: 3).symmetric
    many = nx.MultiDiGraph([(0, 1, {"w": 2**60 + 1}), (0, 1, {"w": 5}), (1, 0, {"w": 2**60 + 1})])
    assert fr.Graph.from_networkx(many, "w").data.tolist() == [5, 2**60 + 1]
    assert fr.Graph.from_networkx(many, lambda u, v, keys: max(d["w"] for d in keys.values())).data.tolist() == [2**60 + 1] * 2
    many.add_edge(1, 1, w=0.5)
    with pytest.raises(TypeError, match="1152921504606846977"):
        fr.Graph.from_networkx(many, "w")


def test_results_as_files(roads, tmp_path):
    r = fr.sssp(roads, "Rome")
    text = "vertex\tdistance\tparent\nRome\t0\tRome\nSan Marino, city\t9\tRome\nOslo\t13\tSan Marino, city\nÅlesund\t14\tOslo\n"
    assert r.to_bytes().decode() == text
    r.save(tmp_path / "r.tsv")
    assert (tmp_path / "r.tsv").read_bytes() == r.to_bytes()
    g = fr.Graph.from_edges([0, 1], [1, 2], [0.5, 0.25], n=4)
    for suffix, format in (("npy", None), ("bin", "npy")):
        fr.sssp(g, 0).save(tmp_path / f"d.{suffix}", format)
        table = np.load(tmp_path / f"d.{suffix}")
        assert table["distance"].tolist() == [0, 0.5, 0.75, np.inf] and table["parent"].tolist() == [0, 0, 1, -1]
    assert fr.bfs(g, 0, parents=False).to_bytes("graphalytics").splitlines()[:2] == [b"0 0", b"1 1"]
    each = fr.bfs_each(g, [0, 1])
    assert each.to_bytes(row=1) == fr.bfs(g, 1, parents=False).to_bytes()
    assert fr.apsp(g, parents=True).to_bytes(row=1) == fr.sssp(g, 1).to_bytes()
