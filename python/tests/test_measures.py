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


def test_cancelled():
    g = fr.Graph.generate("grid2d:rows=150,cols=150")
    with pytest.raises(fr.errors.CancelledError):
        fr.centrality(g, "betweenness", progress=lambda *_: True)
