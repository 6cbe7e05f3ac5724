"""Batches, closed edges, columns of all pairs: their arrays, and what ends a call."""

import numpy as np
import pytest

import pyfringe as fr

TOP = 2**31 - 1


def test_each(graph):
    r = fr.bfs_each(graph, [0, 3, 0], parents=True, verify=True)
    assert r.path_to(4, row=1).tolist() == [3, 4] and r.path_to(4).tolist()[-2:] == [3, 4]
    assert r.stats["reached"] == 12 and r.stats["strategy"] in r.explain()
    assert fr.bfs_each(graph, [0]).parent is None
    assert fr.sssp_each(graph, range(6), dtype=np.int64, verify=True).dist.dtype == np.int64
    assert fr.sssp_each(graph, [0, 1], unit=True, targets=[4], verify=True).dist[:, 4].tolist() == [3, 2]
    min_ids = fr.sssp_each(graph, [0, 1], parents=True, parent_rule="min-id")
    assert min_ids.parent.tolist() == [fr.sssp(graph, s, parent_rule="min-id").parent.tolist() for s in (0, 1)]
    r.level[1, 3] = 5
    with pytest.raises(fr.VerifyError):
        r.verify()


def test_each_into_the_callers_arrays(graph):
    dist, parent = np.empty((2, 6), np.int32), np.empty((2, 6), np.int32)
    r = fr.sssp_each(graph, [0, 3], out=(dist, parent))
    assert r.dist is dist and r.parent is parent and dist[:, 4].tolist() == [10, 7]
    with fr.Solver(graph, "sssp") as solver:
        assert solver.solve_each([3, 0], out=r).dist is dist and dist[:, 4].tolist() == [7, 10]
        assert solver.solve(0).dist[4] == 10
        for wrong in (np.empty((3, 6), np.int32), np.empty(6, np.int32), np.empty((2, 6)), dist.T, np.empty((2, 12), np.int32)[:, ::2]):
            with pytest.raises(ValueError, match="out: "):
                solver.solve_each([0, 1], out=wrong)
    with pytest.raises(fr.FringeError, match="closed"):
        solver.solve_each([0])


def test_a_cycle_and_an_interruption(graph):
    cyclic = fr.Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 0], [1, -3, 1, 1], n=5)
    dist = np.full((3, 5), 7, np.int64)
    with pytest.raises(fr.NegativeCycleError) as caught:
        fr.sssp_each(cyclic, [4, 0, 4], out=dist)
    assert sorted(caught.value.cycle) == [1, 2] and dist[0, 4] == 0 and (dist[2] == 7).all()
    assert caught.value.complete_rows == 1
    large = fr.Graph.generate("grid2d:rows=700,cols=700")
    with pytest.raises(fr.errors.CancelledError) as cancelled:
        fr.bfs_each(large, np.zeros(50, np.int32), progress=lambda *_: True)
    assert cancelled.value.complete_rows < 50
    assert fr.bfs_each(graph, [0]).level[0, 4] == 3


def test_columns_of_all_pairs(graph):
    assert fr.apsp(graph, [0, 2], targets=[4, 4, 0], parents=True).parent.shape == (2, 3)
    assert fr.apsp(graph, targets=4).dist.shape == (6, 1)
    out = np.empty((6, 2), np.int32)
    assert fr.apsp(graph, targets=[1, 2], out=out).dist is out
    rows = {}
    fr.apsp(graph, [0, 3], targets=[4, 1], parents=True, rows=lambda i, s, d, p: rows.__setitem__(s, (d.tolist(), p.tolist())))
    assert rows == {0: ([10, 1], [3, 0]), 3: ([7, TOP], [3, -1])}


def test_edges_between_two_vertices():
    g = fr.Graph.from_edges([0, 0, 0, 1], [1, 1, 2, 2], [5, 3, 1, 1], n=3)
    assert [g.edge(0, 1), g.edge(1, 2), g.edge(2, 0)] == [range(2), range(3, 4), range(0)]
    assert fr.sssp(g, 0, closed_edges=g.edge(0, 1)[:1]).dist.tolist() == [0, 5, 1]
    assert fr.sssp(g, 0, closed_edges=[(0, 1)]).dist[1] == np.iinfo(np.int64).max  # all parallel edges
    assert g.filter(closed_edges=[(0, 1), (1, 2)]).indices.tolist() == [2]
    both = fr.Graph.from_edges([0, 1], [1, 2], directed=False)
    assert both.filter(closed_edges=[(1, 0)]).m == 2 and both.filter([1]).m == 0
    assert g.filter().hash == g.hash and g.filter(closed_edges=[]).m == 4


def test_several_gpus_are_named(graph, monkeypatch):
    monkeypatch.setattr(fr.config, "devices", [0, 1])
    assert fr.bfs_each(graph, [0, 1], engine="cpu").level[:, 4].tolist() == [3, 2]


def test_measures_on_cpu_and_gpu(graph):
    assert graph.components(engine="cpu").label.tolist() == graph.components().label.tolist()
    for kind in ("betweenness", "closeness", "harmonic"):
        for weighted in (graph, graph.with_weights(None)):
            wanted = fr.centrality(weighted, kind, engine="cpu")
            assert fr.centrality(weighted, kind) == pytest.approx(wanted)
            if fr.devices():
                assert fr.centrality(weighted, kind, engine="cuda") == pytest.approx(wanted)
            else:
                with pytest.raises(fr.errors.DeviceError, match="GPU"):
                    fr.centrality(weighted, kind, engine="cuda")
    if fr.devices():
        assert graph.components(engine="cuda").label.tolist() == graph.components().label.tolist()
    else:
        with pytest.raises(fr.errors.DeviceError, match="GPU"):
            graph.components(engine="cuda")


def test_batches_on_the_gpu():
    if not fr.devices():
        pytest.skip("no GPU")
    g = fr.Graph.generate("grid2d:rows=300,cols=300", weights="random", weight_low=1, weight_high=99, seed=1)
    sources = list(range(0, g.n, 9000))
    mask = np.random.default_rng(1).random(g.m) < 0.05
    for call in (fr.bfs_each, fr.sssp_each):
        for closed in (None, mask):
            wanted = call(g, sources, engine="cpu", closed_edges=closed)._values
            found = call(g, sources, engine="cuda", closed_edges=closed, parents=True, verify=True)
            assert (found._values == wanted).all()
