"""Options of the measures; test_random_networkx.py compares the values with NetworkX's."""

import numpy as np
import pytest

import pyfringe as fr

nx = pytest.importorskip("networkx")


def test_samples_and_options():
    g = nx.gnm_random_graph(30, 70, seed=7, directed=True)
    f = fr.Graph.from_networkx(g)
    backwards = nx.closeness_centrality(g.reverse())
    assert fr.centrality(f, "closeness", reverse=True) == pytest.approx([backwards[v] for v in range(30)])
    exact, some = fr.centrality(f, "betweenness"), fr.centrality(f, "betweenness", samples=20, seed=3)
    assert not np.array_equal(exact, some) and np.abs(exact - some).max() < 0.3
    assert np.array_equal(some, fr.centrality(f, "betweenness", samples=20, seed=3))
    apart = fr.Graph.from_edges([0, 2], [1, 3], directed=False)
    assert fr.centrality(apart, "closeness", reached_only=True).tolist() == [1.0] * 4
    assert fr.centrality(apart, "closeness").tolist() == pytest.approx([1 / 3] * 4)
    assert fr.centrality(fr.Graph.from_edges([], []), "harmonic").size == 0


@pytest.mark.parametrize(
    ("graph", "weights"),
    [("n=12000,edges=60000", {}), ("n=2000,edges=6000", {"weights": "random", "weight_high": 9})],
)
def test_parts_and_checkpoints(tmp_path, graph, weights):
    g = fr.Graph.generate(f"uniform:{graph},directed=1", **weights)
    wanted = fr.centrality(g, "closeness"), fr.centrality(g, "harmonic")
    parts = [fr.closeness_and_harmonic(g, vertices=range(*ends)) for ends in ((0, 700), (700, 700), (700, g.n))]
    for i in range(2):
        assert np.array_equal(np.concatenate([part[i] for part in parts]), wanted[i])
    file = tmp_path / "kept"
    with pytest.raises(fr.errors.CancelledError):
        fr.closeness_and_harmonic(g, checkpoint=file, progress=lambda *_: file.stat().st_size > 256)
    kept = file.stat().st_size
    made = fr.closeness_and_harmonic(g, checkpoint=file)
    assert 256 < kept < file.stat().st_size and all(map(np.array_equal, made, wanted))
    with pytest.raises(fr.errors.FormatError, match="is no checkpoint of this graph"):
        fr.centrality(g, "closeness", checkpoint=file)


def test_bad_parts():
    g = fr.Graph.generate("path:n=5")
    for part in (range(0, 5, 2), range(2, 6), range(-1, 3), [0, 1], 3):
        with pytest.raises(ValueError, match="consecutive"):
            fr.centrality(g, "harmonic", vertices=part)
    with pytest.raises(ValueError, match="are for closeness"):
        fr.centrality(g, "betweenness", vertices=range(2))


def test_cancelled():
    g = fr.Graph.generate("grid2d:rows=150,cols=150")
    with pytest.raises(fr.errors.CancelledError):
        fr.centrality(g, "betweenness", progress=lambda *_: True)
