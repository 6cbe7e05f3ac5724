"""Graphs from edge tables with ids of any kind, and results as tables."""

import json
import pickle

import numpy as np
import pytest

import pyfringe as fr

FROM, TO, KM = ["Rome", "Bonn", "Rome"], ["Bonn", "Oslo", "Oslo"], [9, 4, 20]
OSM = {"Rome": 3006896123, "Bonn": -7, "Oslo": 46303}


def check_roads(g, rome="Rome", bonn="Bonn", oslo="Oslo"):
    """What every form of the same three roads must give."""
    assert g.n == 3 and g.m == 3 and sorted(map(str, g.ids)) == sorted(map(str, (rome, bonn, oslo)))
    assert [g.id(g.vertex(id)) for id in (rome, bonn, oslo)] == [rome, bonn, oslo]
    r = fr.sssp(g, rome, targets=[oslo])
    assert r.dist[g.vertex(oslo)] == 13 and r.path_to(oslo, ids=True) == g.id(r.path_to(oslo)) == [rome, bonn, oslo]
    assert fr.distances(g, [rome, bonn], [oslo]).tolist() == [[13], [4]]
    assert fr.sssp(g, rome, closed_edges=[(rome, bonn)]).dist[g.vertex(oslo)] == 20
    assert g.id(fr.path(g, rome, oslo).vertices) == [rome, bonn, oslo]
    for made in (pickle.loads(pickle.dumps(g)), g.reverse(), g.with_weights(None), g.filter(closed_vertices=[bonn])):
        assert list(made.ids) == list(g.ids)
    assert list(g.subgraph([oslo, rome]).ids) == [id for id in g.ids if id != bonn]
    with pytest.raises(IndexError, match="no node"):
        fr.bfs(g, "Paris")


@pytest.mark.parametrize("form", [list, np.array, lambda a: np.array(a, object)])
def test_strings(form):
    check_roads(fr.Graph.from_edges(form(FROM), form(TO), KM))
    g = fr.Graph.from_edges(form(FROM), form(TO), KM, ids=["Oslo", "Paris", "Bonn", "Rome"])
    assert g.n == 4 and g.ids[1] == "Paris" and fr.bfs(g, "Rome").level.tolist() == [1, -1, 1, 0]


def test_integers():
    ends = [[OSM[name] for name in names] for names in (FROM, TO)]
    for given in (ends, [np.array(a) for a in ends]):
        g = fr.Graph.from_edges(*given, KM)
        check_roads(g, *OSM.values())
        assert g.ids.dtype == np.int64 and g.ids.tolist() == sorted(OSM.values())
    small = fr.Graph.from_edges(np.array([30, 20, 30], np.int32), [20, 10, 10], KM, ids=True)
    check_roads(small, 30, 20, 10)
    with pytest.raises(IndexError, match="no node 11"):
        fr.bfs(small, [10] * 100 + [11])
    assert fr.bfs(small, np.full(100, 10)).level.tolist() == fr.bfs(small, 10).level.tolist() == [0, -1, -1]
    assert fr.Graph.from_edges([30, 20], [20, 10]).n == 31  # numbers, as always
    dense = fr.Graph.from_edges([2, 1, 0], [1, 0, 2], ids=True)
    assert dense.labels is None and dense.n == 3
    mixed = fr.Graph.from_edges([1, "a"], [2**63, (1, 2)])
    assert mixed.ids == [1, "a", 2**63, (1, 2)] and fr.bfs(mixed, "a").path_to((1, 2), ids=True) == ["a", (1, 2)]
    assert fr.Graph.from_edges([], [], ids=True).n == 0


@pytest.mark.parametrize("unit", ["ns", "D", "s"])
def test_dates(unit):
    days = np.array(["1970-01-01", "1970-01-02", "1970-01-04"], f"M8[{unit}]")
    g = fr.Graph.from_edges(days[[0, 1, 0]], days[[1, 2, 2]], KM)
    check_roads(g, *days)
    assert fr.bfs(g, days[1:]).level.tolist() == fr.bfs(g, list(days[1:])).level.tolist() == [-1, 0, 0]
    assert fr.bfs(g, days[0], closed_edges=days[[[0, 2]]], closed_vertices=days[1:2]).level.tolist() == [0, -1, -1]
    with pytest.raises(ValueError, match="id in row 1.* is missing"):
        fr.Graph.from_edges(days, np.array([days[0], "NaT", days[0]], days.dtype))
    assert [line["vertex"] for line in json.loads(fr.bfs(g, days[1]).to_bytes("json"))] == [str(day) for day in days]
    pytest.importorskip("pyarrow")
    made = fr.bfs(g, days[1]).to_frame("arrow")
    assert made["vertex"].to_numpy().tolist() == days.tolist() and made["parent"].null_count == 1


@pytest.mark.parametrize("kind", ["object", "str", "category", "string[pyarrow]"])
def test_frames(kind):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    table = pandas.DataFrame({"from": FROM, "to": TO, "km": KM}).astype({"from": kind, "to": kind})
    check_roads(fr.Graph.from_pandas(table, "from", "to", "km"))
    check_roads(fr.Graph.from_edges(table["from"], table["to"], table["km"].astype("Int64")))
    only = table[table["to"] == "Oslo"]  # an index with gaps, a category that does not appear
    assert sorted(fr.Graph.from_pandas(only, "from", "to").ids) == ["Bonn", "Oslo", "Rome"]
    assert fr.Graph.from_pandas(only[only["from"] == "Rome"], "from", "to").n == 2
    table.loc[1, "from"] = None
    with pytest.raises(ValueError, match="row 1 .* is missing"):
        fr.Graph.from_pandas(table, "from", "to")
    with pytest.raises(ValueError, match="row 2 .* has no number"):
        fr.Graph.from_edges([0, 1, 2], [1, 2, 0], pandas.Series([1, 2, None], dtype="Int64"))


def test_arrow_and_polars():
    arrow = pytest.importorskip("pyarrow")
    columns = {"from": FROM, "to": TO, "km": KM}
    table = arrow.table(columns)
    encoded = table.set_column(0, "from", table["from"].dictionary_encode())
    for one in (table, encoded, arrow.concat_tables([table.slice(0, 1), table.slice(1)]), table.to_batches()[0]):
        check_roads(fr.Graph.from_arrow(one, "from", "to", "km"))
    numbers = arrow.table({"source": [OSM[a] for a in FROM], "target": [OSM[a] for a in TO], "km": KM})
    check_roads(fr.Graph.from_arrow(numbers, weight="km"), *OSM.values())
    with pytest.raises(ValueError, match="row 1 .* is missing"):
        fr.Graph.from_edges(arrow.array([1, None]), arrow.array([1, 2]))
    g = fr.Graph.from_arrow(table, "from", "to")
    assert fr.bfs(g, table["from"]).level.tolist() == fr.bfs(g, table["from"].combine_chunks()).level.tolist() == [0, 0, 1]
    polars = pytest.importorskip("polars")
    assert fr.bfs(g, polars.Series(["Bonn"])).level.tolist() == [-1, 0, 1]
    check_roads(fr.Graph.from_polars(polars.DataFrame(columns), "from", "to", "km"))
    check_roads(fr.Graph.from_polars(polars.from_arrow(numbers), weight="km"), *OSM.values())


def test_parquet(tmp_path, monkeypatch):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "roads.parquet"
    columns = arrow.table({"from": FROM, "note": ["x"] * 3, "to": TO, "km": KM})
    parquet.write_table(columns, path, row_group_size=1)
    read, sizes = parquet.ParquetFile.iter_batches, []

    def by_row(self, size, **options):
        for batch in read(self, 1, **options):
            sizes.append((batch.num_rows, batch.schema.names))
            yield batch

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", by_row)
    check_roads(fr.Graph.from_parquet(path, "from", "to", "km"))
    assert sizes == [(1, ["from", "to", "km"])] * 3
    parquet.write_table(arrow.table({"source": [OSM[a] for a in FROM], "target": [OSM[a] for a in TO], "km": KM}), path)
    check_roads(fr.Graph.from_parquet(path, weight="km"), *OSM.values())
    with pytest.raises(ValueError, match="no column 'from'"):
        fr.Graph.from_parquet(path, "from")


@pytest.fixture
def roads():
    return fr.Graph.from_edges(FROM, TO, KM)


def test_frames_of_results(roads):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    r = fr.sssp(roads, "Bonn")
    frame = r.to_frame()
    assert list(frame.columns) == ["vertex", "distance", "parent", "reached"]
    assert frame["vertex"].tolist() == ["Rome", "Bonn", "Oslo"] and frame["reached"].tolist() == [False, True, True]
    assert frame["distance"].isna().tolist() == frame["parent"].isna().tolist() == [True, False, False]
    assert frame["distance"][1:].tolist() == [0, 4] and frame["parent"][1:].tolist() == ["Bonn", "Bonn"]
    assert r.to_frame(float_distances=True)["distance"].tolist() == [np.inf, 0, 4]
    assert r.to_frame(reached_only=True)["vertex"].tolist() == ["Bonn", "Oslo"]
    table = r.to_frame("arrow").to_pydict()
    assert table == {"vertex": ["Rome", "Bonn", "Oslo"], "distance": [None, 0, 4], "parent": [None, "Bonn", "Bonn"],
                     "reached": [False, True, True]}  # fmt: skip
    by_number = fr.bfs(fr.Graph.from_edges([7, 5], [5, 9], ids=True), 5)
    assert by_number.to_frame("arrow").to_pydict() == {
        "vertex": [5, 7, 9], "level": [0, None, 1], "parent": [5, None, 5], "reached": [True, False, True],
    }  # fmt: skip
    real = fr.sssp(roads.with_weights([0.5, 1, 2]), "Bonn", parents=False).to_frame()
    assert real["distance"].tolist() == [np.inf, 0, 2] and "parent" not in real
    assert isinstance(real, pandas.DataFrame)
    polars = pytest.importorskip("polars")
    assert r.to_frame("polars").equals(polars.DataFrame(table, schema_overrides={"distance": polars.Int64}))
    with pytest.raises(ValueError, match="library is one of"):
        r.to_frame("numpy")


def test_frames_of_rows(roads):
    pytest.importorskip("pandas")
    full, some = fr.apsp(roads, parents=True), fr.apsp(roads, ["Oslo", "Rome"], targets=["Bonn"])
    long = full.to_frame()
    assert long["source"].tolist() == ["Rome"] * 3 + ["Bonn"] * 3 + ["Oslo"] * 3
    assert long["vertex"].tolist() == ["Rome", "Bonn", "Oslo"] * 3 and len(full.to_frame(row=1)) == 3
    assert long[long["reached"]]["distance"].tolist() == [0, 9, 13, 0, 4, 0] and len(full.to_frame(reached_only=True)) == 6
    assert full.to_frame(wide=True, float_distances=True)["Oslo"].tolist() == [13, 4, 0]
    assert some.to_frame()["vertex"].tolist() == ["Bonn"] * 2 and some.to_frame()["distance"].isna().tolist() == [True, False]
    assert list(some.to_frame(wide=True).columns) == ["source", "Bonn"]
    each = fr.bfs_each(roads, ["Bonn"], targets=["Oslo"], parents=True).to_frame()
    assert each["vertex"].tolist() == ["Rome", "Bonn", "Oslo"] and each["level"][1:].tolist() == [0, 1]
    for wrong in (lambda: fr.bfs(roads, "Rome").to_frame(wide=True), lambda: full.to_frame(wide=True, row=1)):
        with pytest.raises(ValueError, match="a wide table"):
            wrong()


def test_suffixes(roads, tmp_path):
    r, plain = fr.sssp(roads, "Bonn"), fr.sssp(fr.Graph.from_edges([0, 1], [1, 2], [9, 4]), 1)
    text = "vertex,distance,parent\nRome,inf,-1\nBonn,0,Bonn\nOslo,4,Bonn\n"
    for name, wanted in (("r.csv", text), ("r.tsv", text.replace(",", "\t")), ("r", text.replace(",", "\t")), ("R.CSV", text)):
        r.save(tmp_path / name)
        assert (tmp_path / name).read_text() == wanted
    plain.save(tmp_path / "p.csv")
    assert (tmp_path / "p.csv").read_text().replace(",", "\t") == plain.to_bytes().decode()
    r.save(tmp_path / "r.json")
    pandas = pytest.importorskip("pandas")
    assert pandas.read_json(tmp_path / "r.json").values.tolist()[1:] == [["Bonn", 0, "Bonn"], ["Oslo", 4, "Bonn"]]
    unreached = '{"vertex": "Rome", "distance": null, "parent": null}'
    assert (tmp_path / "r.json").read_text().startswith("[" + unreached + ",\n")
    assert r.to_bytes("ndjson").decode().splitlines()[0] == unreached
    assert [json.loads(line) for line in r.to_bytes("ndjson").splitlines()] == json.loads(r.to_bytes("json"))
    assert fr.bfs(fr.Graph.from_edges(["-1"], ["a"]), "a").to_bytes("csv") == b"vertex,level,parent\n-1,-1,\na,0,a\n"
    r.save(tmp_path / "r.npz")
    with np.load(tmp_path / "r.npz") as arrays:
        assert arrays["vertex"].tolist() == ["Rome", "Bonn", "Oslo"] and arrays["distance"][1:].tolist() == [0, 4]
        assert arrays["reached"].tolist() == [False, True, True] and arrays["parent"].tolist() == ["", "Bonn", "Bonn"]
    plain.save(tmp_path / "p.npz")
    with np.load(tmp_path / "p.npz") as arrays:
        assert arrays["parent"].tolist() == [-1, 1, 1] and arrays["distance"].tolist() == plain.dist.tolist()
    for wrong in ("r.xlsx", "r.tsv.gz", "r.graphalytics"):
        with pytest.raises(ValueError, match="written as .tsv"):
            r.save(tmp_path / wrong)
    for one, other in (("a", 5), (("a", 1), ("b", 2))):
        with pytest.raises(ValueError, match="all strings"):
            fr.bfs(fr.Graph.from_edges([one], [other]), one).save(tmp_path / "mixed.npz")
    with pytest.raises(ValueError, match="has the ids"):
        r.save(tmp_path / "r.npy")
    with pytest.raises(ValueError, match="row= says"):
        fr.apsp(roads).save(tmp_path / "r.tsv")
    with pytest.raises(FileNotFoundError):
        r.save(tmp_path / "absent" / "r.csv")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["R.CSV", "p.csv", "p.npz", "r", "r.csv", "r.json", "r.npz", "r.tsv"]
    parquet = pytest.importorskip("pyarrow.parquet")
    fr.apsp(roads).save(tmp_path / "r.parquet")
    assert parquet.read_table(tmp_path / "r.parquet").equals(fr.apsp(roads).to_frame("arrow"))
    r.save(tmp_path / "r.arrow")
    assert pytest.importorskip("pyarrow.feather").read_table(tmp_path / "r.arrow").equals(r.to_frame("arrow"))


def test_a_symmetric_matrix():
    scipy = pytest.importorskip("scipy.sparse")
    matrix = scipy.csr_array(np.array([[0, 2, 1], [2, 0, 0], [1, 0, 0]]))
    unsorted = scipy.csr_array((matrix.data[[1, 0, 2, 3]], matrix.indices[[1, 0, 2, 3]], matrix.indptr), shape=(3, 3))
    for one in (matrix, unsorted, matrix.tocoo()):
        assert fr.Graph.from_scipy(one, symmetric=True).symmetric
    assert not fr.Graph.from_scipy(matrix).symmetric  # not looked for
    matrix.data[0] = 9
    with pytest.raises(ValueError, match="symmetric"):
        fr.Graph.from_scipy(matrix, symmetric=True)


def test_reprs(roads):
    assert repr(fr.apsp(roads)).startswith("<pyfringe.Result of apsp: 3 sources x 3 vertices, ")
    assert "1 source x 3 vertices" in repr(fr.bfs_each(roads, ["Rome"])) and "3 vertices reached" in repr(fr.bfs(roads, "Rome"))
    assert "the rows were passed on" in repr(fr.apsp(roads, rows=lambda *_: None))


def test_contents(roads):
    assert len(roads) == 3 and bool(fr.Graph.from_edges([], [], n=0)) and len(fr.Graph.from_edges([], [], n=0)) == 0
    assert roads.degree().tolist() == [2, 1, 0] and roads.degree("Rome") == 2 and roads.degree(["Rome"]).tolist() == [2]
    assert roads.id(roads.neighbors("Rome")) == ["Bonn", "Oslo"] and roads.neighbors("Oslo").size == 0
    u, v, w = roads.edges()
    assert fr.Graph.from_edges(u, v, w, n=3).hash == roads.hash and roads.with_weights(None).edges()[2] is None
    numbers = fr.Graph.from_edges([0, 0], [1, 1], n=3)
    assert numbers.degree([2, 0]).tolist() == [0, 2] and numbers.neighbors(0).tolist() == [1, 1]
    for wrong in (lambda: numbers.degree(3), lambda: numbers.neighbors(-1), lambda: roads.degree("Paris")):
        with pytest.raises(IndexError):
            wrong()


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weights", [KM + [7, 1], None])
def test_networkx_and_igraph_both_ways(directed, weights):
    ends = FROM + ["Bonn", "Rome"], TO + ["Bonn", "Bonn"]  # a self-loop, a parallel edge
    many = fr.Graph.from_edges(*ends, weights, directed=directed)
    one = fr.Graph.from_edges(*ends, weights, directed=directed, drop_parallel=True)
    nx = pytest.importorskip("networkx")
    for g in (one, many):
        made = g.to_networkx("km")
        assert made.is_directed() == directed and made.is_multigraph() == (g is many) and list(made) == g.ids
        back = fr.Graph.from_networkx(made, None if weights is None else "km")
        assert back.ids == one.ids and back.indices.tolist() == one.indices.tolist()
        assert weights is None or back.data.tolist() == one.data.tolist()
    assert one.with_weights(None).to_networkx().number_of_edges() == 4 == one.to_networkx().number_of_edges()
    assert nx.is_isomorphic(fr.Graph.from_edges([0, 1], [1, 2]).to_networkx(), nx.path_graph(3, nx.DiGraph))
    igraph = pytest.importorskip("igraph")
    assert many.to_igraph("km").vs["name"] == many.ids and repr(fr.Graph.from_igraph(igraph.Graph.Ring(4))).endswith("symmetric>")
    back = fr.Graph.from_igraph(many.to_igraph("km"), None if weights is None else "km")
    assert back.hash == many.hash and back.ids == many.ids and fr.Graph.from_igraph(igraph.Graph(2)).labels is None
    assert fr.Graph.from_igraph(fr.Graph.from_edges([5, 3], [3, 4], ids=True).to_igraph()).ids == [3, 4, 5]
    with pytest.raises(ValueError, match="no edge has the attribute 'miles'"):
        fr.Graph.from_igraph(many.to_igraph("km"), "miles")
    with pytest.raises(TypeError, match="igraph.Graph is needed"):
        fr.Graph.from_igraph(nx.Graph())


def test_as_float():
    g = fr.Graph.from_edges([0, 1, 2, 0], [1, 2, 1, 4], [1, -3, 2, 6], n=6)
    marked = fr.sssp(g, 0, mark_negative_cycles=True).as_float()
    assert marked.tolist() == [0, -np.inf, -np.inf, np.inf, 6, np.inf] and marked.dtype == np.float64
    assert fr.bfs(g, 0).as_float().tolist() == [0, 1, 2, np.inf, 1, np.inf]
    assert fr.bfs_each(g, [0, 3]).as_float().shape == (2, 6)
    real = fr.sssp(fr.Graph.from_edges([0, 2], [1, 1], [0.5, 1]), 0)
    assert real.as_float().tolist() == real.dist.tolist() == [0, 0.5, np.inf]
    with pytest.raises(fr.FringeError, match="convert"):
        fr.apsp(g.with_weights(None), rows=lambda *_: None).as_float()


def test_threads_are_told():
    g = fr.Graph.generate("kronecker:scale=10,seed=1")
    assert fr.bfs(g, 0, strategy="serial").stats["threads"] == 1
