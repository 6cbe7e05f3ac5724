"""Centralities, eccentricity and diameter, held against NetworkX."""

import numpy as np
import pytest

import pyfringe as fr

nx = pytest.importorskip("networkx")


def both(kind=nx.Graph, weights=None):
    """A connected NetworkX graph with nodes 0 .. n-1, and fringe's of it."""
    rng = np.random.default_rng(7)
    g = kind(nx.cycle_graph(30, create_using=kind))
    g.add_edges_from(rng.integers(0, 30, (40, 2)).tolist())
    g.remove_edges_from(list(nx.selfloop_edges(g)))
    for _, _, data in g.edges(data=True):
        data["weight"] = weights(rng) if weights else 1
    return g, fr.Graph.from_networkx(g, "weight" if weights else None)


WEIGHTS = [None, lambda rng: int(rng.integers(1, 9)), lambda rng: float(rng.integers(1, 9)) / 4]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_centralities(kind, weights):
    n, f = both(kind, weights)
    name = "weight" if weights else None
    wanted = {
        "betweenness": nx.betweenness_centrality(n, weight=name),
        "closeness": nx.closeness_centrality(n, distance=name),
        "harmonic": nx.harmonic_centrality(n, distance=name),
    }
    for which, values in wanted.items():
        assert fr.centrality(f, which) == pytest.approx([values[v] for v in range(len(n))]), which
    raw = nx.betweenness_centrality(n, weight=name, normalized=False)
    assert fr.centrality(f, "betweenness", normalized=False) == pytest.approx([raw[v] for v in range(len(n))])
    backwards = nx.closeness_centrality(n.reverse() if n.is_directed() else n, distance=name)
    assert fr.centrality(f, "closeness", reverse=True) == pytest.approx([backwards[v] for v in range(len(n))])
    far = nx.eccentricity(n, weight=name)
    assert fr.eccentricity(f).tolist() == pytest.approx([far[v] for v in range(len(n))])
    assert (fr.diameter(f), fr.radius(f)) == (max(far.values()), min(far.values()))


def test_samples_and_options():
    _, f = both()
    exact, some = fr.centrality(f, "betweenness"), fr.centrality(f, "betweenness", samples=20, seed=3)
    assert not np.array_equal(exact, some) and np.abs(exact - some).max() < 0.3
    assert np.array_equal(some, fr.centrality(f, "betweenness", samples=20, seed=3))
    apart = fr.Graph.from_edges([0, 2], [1, 3], directed=False)
    assert fr.centrality(apart, "closeness", reached_only=True).tolist() == [1.0] * 4
    assert fr.centrality(apart, "closeness").tolist() == pytest.approx([1 / 3] * 4)
    assert fr.centrality(fr.Graph.from_edges([], []), "harmonic").size == 0


@pytest.mark.parametrize(("kind", "words", "call"), [
    (ValueError, "betweenness, closeness, harmonic", lambda g: fr.centrality(g, "degree")),
    (ValueError, "samples must be at least 1", lambda g: fr.centrality(g, "betweenness", samples=0)),
    (TypeError, "must be a pyfringe.Graph", lambda g: fr.centrality(None, "closeness")),
    (TypeError, "must be a pyfringe.Graph", lambda g: fr.diameter(3)),
    (fr.errors.NegativeWeightError, "at least 0", lambda g: fr.eccentricity(g.with_weights([-1] * g.m))),
    (fr.FringeError, "closed", lambda g: g.close() or fr.radius(g)),
])  # fmt: skip
def test_wrong_arguments(kind, words, call):
    with pytest.raises(kind, match=words):
        call(both()[1])


def test_cancelled():
    g = fr.Graph.generate("grid2d:rows=150,cols=150")
    with pytest.raises(fr.errors.CancelledError):
        fr.centrality(g, "betweenness", progress=lambda *_: True)
