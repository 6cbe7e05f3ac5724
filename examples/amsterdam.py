#!/usr/bin/env python3
"""A map of the travel distance along the streets of Amsterdam from one place, and the way to another.

usage: amsterdam.py [OUTPUT.png]     needs pyfringe (pip install ./python) and matplotlib

Streets: © OpenStreetMap contributors, ODbL (data/README.md).
"""

import pathlib
import sys

import matplotlib

matplotlib.use("agg")

import numpy as np
import pyfringe as fr
from matplotlib import pyplot
from pyfringe import draw

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def load():
    """(graph, coordinates, the vertex in the middle)"""
    xy = np.load(DATA / "amsterdam-roads.xy.npz")["xy"]
    return fr.Graph.load(DATA / "amsterdam-roads.gr.zst"), xy, int(np.abs(xy).sum(axis=1).argmin())


def travel_map():
    """(axes, a sentence)"""
    streets, xy, center = load()
    result = fr.sssp(streets, center, verify=True)
    reached = result.dist < np.iinfo(result.dist.dtype).max
    farthest = int(np.where(reached, result.dist, -1).argmax())
    way = result.path_to(farthest)
    _, ax = pyplot.subplots(figsize=(8, 5.6), layout="constrained")
    ax.set_axis_off()
    ax.set_title("Travel distance in Amsterdam. Streets: © OpenStreetMap contributors, ODbL", fontsize=8)
    draw.edges(streets, xy, np.where(reached, result.dist / 1000, np.inf), path=way, ax=ax,
               label="km along streets", linewidth=0.6)  # fmt: skip
    return ax, (f"{reached.sum():,} places reached, the farthest after {result.dist[farthest] / 1000:.1f} km "
                f"and {len(way)} streets")  # fmt: skip


def main(output):
    ax, sentence = travel_map()
    ax.figure.savefig(output, dpi=200)
    print(f"{sentence}; {output}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "amsterdam.png")
