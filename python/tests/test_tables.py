"""Graphs from edge tables with ids of any kind, and results as tables."""

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
    polars = pytest.importorskip("polars")
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
