#!/usr/bin/env python3
"""The pictures of docs/gallery.md.

usage: gallery.py [FOLDER]     default docs/plots; needs pyfringe (pip install ./python) and matplotlib

Streets: © OpenStreetMap contributors, ODbL; web pages: SuiteSparse Matrix Collection, CC-BY 4.0 (data/README.md).
"""

import pathlib
import sys

import amsterdam
import numpy as np
import pyfringe as fr
from matplotlib import pyplot
from PIL import Image
from pyfringe import draw

ROOT = pathlib.Path(__file__).resolve().parents[1]
TERMS = "Streets: © OpenStreetMap contributors, ODbL"


def save(ax, path, dpi=100):
    """A PNG of 128 colors, a third of the size of one with all."""
    ax.figure.savefig(path, dpi=dpi)
    pyplot.close(ax.figure)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)


def travel_distance(path):
    save(amsterdam.travel_map()[0], path)


def nearest_source(path):
    graph, xy, _ = amsterdam.load()
    component = graph.components()
    largest = np.flatnonzero(component.label == component.size.argmax())
    sources = np.random.default_rng(3).choice(largest, 12, replace=False)
    origin = fr.sssp(graph, sources, origins=True).origin
    _, ax = pyplot.subplots(figsize=(8, 5.6), layout="constrained")
    ax.set_axis_off()
    draw.edges(graph, xy, origin, ax=ax, cmap="tab20")
    ax.scatter(*xy[sources].T, color="black", s=20, zorder=3)
    ax.set_title(f"The nearest of twelve places. {TERMS}", fontsize=8)
    save(ax, path)


def frontier(path):
    graph, _, center = amsterdam.load()
    web = fr.Graph.load(ROOT / "data/notredame-www.mtx.zst")
    hub = int(np.diff(web.indptr).argmax())
    _, axes = pyplot.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
    draw.levels(fr.bfs(graph, center, record=True), ax=axes[0]).set_title("streets", fontsize=9)
    draw.levels(fr.bfs(web, hub, record=True), ax=axes[1]).set_title("web pages", fontsize=9)
    save(axes[0], path)


def degree(path):
    web = fr.Graph.load(ROOT / "data/notredame-www.mtx.zst")
    save(draw.degrees(web), path)


PICTURES = {
    "amsterdam.png": travel_distance,
    "nearest-source.png": nearest_source,
    "frontier.png": frontier,
    "degrees.png": degree,
}


def main(folder):
    for name, make in PICTURES.items():
        make(folder / name)


main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/plots")
