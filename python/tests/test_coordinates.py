"""Coordinates of vertices, the vertex nearest to a point, and several weights with names."""

import builtins
import pickle
import sys

import numpy as np
import pytest

import pyfringe as fr

FROM, TO = ["Rome", "Bonn", "Rome"], ["Bonn", "Oslo", "Oslo"]
XY = {"Oslo": (11, 60), "Rome": (12.5, 42), "Paris": (2, 49), "Bonn": (7, 51)}
WANT = [[12.5, 42], [7, 51], [11, 60]]


def table(kind):
    pandas = pytest.importorskip("pandas")
    made = pandas.DataFrame([(id, *xy) for id, xy in XY.items()], columns=["id", "x", "y"])
    if kind == "index":
        return made.set_index("id")
    if kind == "pandas":
        return made
    arrow = pytest.importorskip("pyarrow").Table.from_pandas(made)
    return arrow if kind == "arrow" else pytest.importorskip("polars").from_arrow(arrow)


def roads(**options):
    return fr.Graph.from_edges(FROM, TO, [9, 4, 20], **options)


@pytest.mark.parametrize("kind", ["index", "pandas", "arrow", "polars"])
def test_tables(kind):
    assert roads(coordinates=table(kind)).coordinates.tolist() == WANT


def test_forms_and_derived_graphs(tmp_path):
    g = roads(coordinates=XY)
    assert g.coordinates.tolist() == WANT and not g.coordinates.flags.writeable
    for made in (pickle.loads(pickle.dumps(g)), g.reverse(), g.with_weights(None), g.filter(closed_vertices=["Bonn"])):
        assert made.coordinates.tolist() == WANT
    assert g.subgraph(["Oslo", "Rome"]).coordinates.tolist() == [WANT[0], WANT[2]]
    assert roads().coordinates is None and roads(coordinates=WANT).coordinates.tolist() == WANT
    g.coordinates = None
    assert g.coordinates is None
    columns = {"from": FROM, "to": TO}
    assert fr.Graph.from_pandas(pytest.importorskip("pandas").DataFrame(columns), "from", "to", coordinates=XY).coordinates.tolist() == WANT
    # ids of a file
    np.savez(tmp_path / "g.xy.npz", xy=np.array(WANT), ids=[7, 30, 9])
    g = fr.Graph.from_bytes(b"30 7\n7 9\n", format="snap")
    g.coordinates = tmp_path / "g.xy.npz"
    assert g.ids.tolist() == [7, 9, 30] and g.coordinates.tolist() == [WANT[0], WANT[2], WANT[1]]
    g.coordinates = {7: (0, 1), 9: (2, 3), 30: (4, 5)}
    assert g.coordinates.tolist() == [[0, 1], [2, 3], [4, 5]]
    (tmp_path / "g.gr").write_text("p sp 2 1\na 1 2 5\n", encoding="utf-8")
    (tmp_path / "g.co").write_text("v 1 0 1\nv 2 2 3\n", encoding="utf-8")
    assert fr.Graph.load(tmp_path / "g.gr", coordinates=tmp_path / "g.co").coordinates.tolist() == [[0, 1], [2, 3]]


def test_other_packages():
    networkx = pytest.importorskip("networkx")
    h = networkx.Graph([("a", "b")])
    networkx.set_node_attributes(h, {"a": 1, "b": 3}, "x")
    assert fr.Graph.from_networkx(h).coordinates is None
    networkx.set_node_attributes(h, {"a": 2.5, "b": 4}, "y")
    g = fr.Graph.from_networkx(h)
    assert g.coordinates.tolist() == [[1, 2.5], [3, 4]]
    assert dict(g.to_networkx().nodes(data=True)) == dict(h.nodes(data=True))
    h.nodes["a"]["x"] = "west"
    assert fr.Graph.from_networkx(h).coordinates is None
    h = pytest.importorskip("igraph").Graph([(0, 1)])
    h.vs["x"], h.vs["y"] = [1, 3], [2, 4]
    assert fr.Graph.from_igraph(h).coordinates.tolist() == [[1, 2], [3, 4]]
    assert fr.Graph.from_igraph(g.to_igraph()).coordinates.tolist() == g.coordinates.tolist()


@pytest.mark.parametrize("given", [
    {id: xy for id, xy in XY.items() if id != "Bonn"}, {**XY, "Bonn": (1, np.nan)}, {"Rome": (1, 2, 3)}, {}, [[0, 0]], np.zeros((3, 3)),
    [[0, 0], [1, np.inf], [2, 2]], np.ma.masked_equal([[0, 0], [1, 1], [2, 9]], 9),
])  # fmt: skip
def test_refused(given):
    with pytest.raises(ValueError, match="coordinates|masked"):
        roads(coordinates=given)


def test_refused_files_and_tables(tmp_path):
    with pytest.raises(ValueError, match="'Bonn' has no finite"):
        roads(coordinates=table("pandas").drop(3))
    with pytest.raises(ValueError, match="two rows"):
        roads(coordinates=table("pandas").replace("Oslo", "Rome"))
    with pytest.raises(ValueError, match="no column 'x'"):
        roads(coordinates=table("index").rename(columns={"x": "lon"}))
    with pytest.raises(FileNotFoundError):
        roads(coordinates=tmp_path / "none.co")
    np.savez(tmp_path / "two.npz", xy=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="2 rows, and the graph has 3"):
        roads(coordinates=tmp_path / "two.npz")
    with pytest.raises(ValueError, match="no coordinates"):
        roads().nearest(0, 0)
    with pytest.raises(ValueError, match="finite"):
        roads(coordinates=XY).nearest(0, np.nan)


@pytest.mark.parametrize("scipy", [True, False])
def test_nearest(monkeypatch, scipy):
    if scipy:
        pytest.importorskip("scipy.spatial")
    else:
        real = builtins.__import__
        monkeypatch.delitem(sys.modules, "scipy.spatial", raising=False)
        monkeypatch.setattr(builtins, "__import__", lambda name, *a: (_ for _ in ()).throw(ImportError(name)) if name.startswith("scipy") else real(name, *a))
    rng = np.random.default_rng(5)
    xy = rng.random((300, 2))
    g = fr.Graph.from_edges([0], [1], n=300, coordinates=xy)
    for count in (1, 8, 9, 50):
        points = 1.5 * rng.random((count, 2)) - 0.25
        want = np.square(points[:, None] - xy).sum(axis=2).argmin(axis=1)
        assert g.nearest(*points.T).tolist() == want.tolist() and g.nearest(*points[0]) == want[0]
    assert (g._places_xy.tree is not None) == scipy
    assert isinstance(g.nearest(0, 0), int) and g.nearest([[0, 1]], [[0.5], [1]]).shape == (2, 2) and g.nearest([], []).shape == (0,)


def test_results():
    g = roads(coordinates=XY)
    frame = fr.sssp(g, "Rome", max_distance=10).to_frame(reached_only=True)
    assert frame[["vertex", "x", "y"]].to_numpy().tolist() == [["Rome", 12.5, 42], ["Bonn", 7, 51]]
    assert fr.apsp(g, ["Rome", "Bonn"], targets=["Oslo"]).to_frame()[["x", "y"]].to_numpy().tolist() == [WANT[2]] * 2
    assert fr.bfs_each(g, ["Rome", "Bonn"]).to_frame()[["x", "y"]].to_numpy().tolist() == WANT * 2
    assert fr.bfs_each(g, ["Rome", "Bonn"]).to_frame(row=1)[["x", "y"]].to_numpy().tolist() == WANT
    g = fr.Graph.from_edges([0], [1], coordinates=[[1, 2], [3.5, 4]])
    r = fr.bfs(g, 0)
    assert r.to_bytes("tsv") == b"vertex\tlevel\tparent\tx\ty\n0\t0\t0\t1.0\t2.0\n1\t1\t0\t3.5\t4.0\n"
    g.coordinates = None
    assert r.to_bytes("tsv") == b"vertex\tlevel\tparent\n0\t0\t0\n1\t1\t0\n"


def test_router_uses_them():
    g = fr.Graph.generate("grid2d:rows=20,cols=20", weights="random", weight_low=5, weight_high=9)
    with pytest.raises(ValueError, match="needs coordinates"):
        fr.Router(g, "astar")
    g.coordinates = np.stack(np.divmod(np.arange(400), 20), axis=1)
    assert fr.Router(g, "astar").path(0, 399).length == fr.sssp(g, 0).dist[399]


# ---- several weights ----

WEIGHTS = {"km": [9, 4, 20, 8], "hours": [0.5, 0.25, 0.125, 7]}


@pytest.mark.parametrize("directed", [True, False])
def test_named_weights(directed):
    ends = [*FROM, "Rome"], [*TO, "Bonn"]
    g = fr.Graph.from_edges(*ends, WEIGHTS, directed=directed)
    assert g.weight_names == ["km", "hours"] and g.weight_dtype == np.int64
    for name, values in WEIGHTS.items():
        alone = fr.Graph.from_edges(*ends, values, directed=directed)
        for made in (g.with_weights(name), pickle.loads(pickle.dumps(g)).with_weights(name), g.with_weights("hours").with_weights(name)):
            assert made.data.tolist() == alone.data.tolist() and made.ids == alone.ids and made.symmetric == alone.symmetric
            assert fr.sssp(made, "Rome").dist.tolist() == fr.sssp(alone, "Rome").dist.tolist()
            assert np.shares_memory(made.indices, g.indices) or made.handle is not g.with_weights(name).handle
    assert g.with_weights("km").handle is g.handle


def test_named_weights_of_a_table():
    frame = pytest.importorskip("pandas").DataFrame({"from": FROM, "to": TO, "km": [9, 4, 20], "hours": [0.5, 0.25, 0.125]})
    g = fr.Graph.from_pandas(frame, "from", "to", ["km", "hours"])
    assert fr.sssp(g, "Rome").dist.tolist() == [0, 9, 13] and fr.sssp(g.with_weights("hours"), "Rome").dist.tolist() == [0, 0.5, 0.125]
    with pytest.raises(ValueError, match="no column 'cost'"):
        fr.Graph.from_pandas(frame, "from", "to", ["km", "cost"])
    with pytest.raises(ValueError, match="no weights 'miles'; the names are 'km', 'hours'"):
        g.with_weights("miles")
    with pytest.raises(ValueError, match="none; graphs that reverse"):
        g.filter(closed_vertices=["Bonn"]).with_weights("km")
    with pytest.raises(ValueError, match="drop_parallel"):
        fr.Graph.from_pandas(frame, "from", "to", ["km", "hours"], drop_parallel=True)
    with pytest.raises(ValueError, match="name each"):
        fr.Graph.from_pandas(frame, "from", "to", [])
    with pytest.raises(ValueError, match="4 for|a weight for each of the 3 edges"):
        fr.Graph.from_edges(FROM, TO, {"km": [1, 2, 3], "hours": [1, 2]})
