#!/usr/bin/env python3
"""A map of the travel distance along the streets of Amsterdam from one place, and the way to another.

usage: amsterdam.py [OUTPUT.png]     needs pyfringe (pip install ./python) and matplotlib

Streets: © OpenStreetMap contributors, ODbL (data/README.md).
"""

import pathlib
import sys

import matplotlib
import numpy as np
import pyfringe as fr
from pyfringe import draw

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def main(output):
    matplotlib.use("agg")
    streets = fr.Graph.load(DATA / "amsterdam-roads.gr.zst")
    xy = np.load(DATA / "amsterdam-roads.xy.npz")["xy"]
    center = int(np.abs(xy).sum(axis=1).argmin())
    result = fr.sssp(streets, center, verify=True)
    reached = result.dist < np.iinfo(result.dist.dtype).max
    farthest = int(np.where(reached, result.dist, -1).argmax())
    way = result.path_to(farthest)
    ax = draw.edges(streets, xy, np.where(reached, result.dist / 1000, np.inf), path=way, label="km along streets")
    ax.set_title("Travel distance in Amsterdam\nStreets: © OpenStreetMap contributors, ODbL", fontsize=9)
    ax.figure.savefig(output, dpi=200)
    print(f"{reached.sum():,} places reached, the farthest after {result.dist[farthest] / 1000:.1f} km "
          f"and {len(way)} streets; {output}")  # fmt: skip


main(sys.argv[1] if len(sys.argv) > 1 else "amsterdam.png")
