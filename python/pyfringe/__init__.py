"""Breadth-first search, shortest paths and all-pairs distances on large graphs, computed by the C library fringe.

`pyfringe.csgraph` is a drop-in for ``scipy.sparse.csgraph``. NetworkX finds the backend ``fringe`` by its
entry point. Only NumPy is imported at once; SciPy, NetworkX and other packages are imported when needed.

Examples
--------
>>> import pyfringe as fr
>>> g = fr.Graph.from_edges([0, 1, 2], [1, 2, 3])
>>> fr.bfs(g, 0).level
array([0, 1, 2, 3], dtype=int32)
"""

from pyfringe import errors
from pyfringe._core import config
from pyfringe._device import Device, devices
from pyfringe._engine import Level
from pyfringe._graph import Components, Cycle, Graph
from pyfringe._measures import centrality, closeness_and_harmonic, diameter, eccentricity, radius
from pyfringe._router import Path, Router, load_coordinates, path
from pyfringe._result import Result
from pyfringe._solve import (
    Solver, apsp, bfs, bfs_each, distances, estimate_memory, formats, generators, sssp, sssp_each, strategies, version,
)  # fmt: skip
from pyfringe.errors import FringeError, NegativeCycleError, VerifyError

__version__ = "0.3.0"

__all__ = [
    "Components", "Cycle", "Device", "FringeError", "Graph", "Level", "NegativeCycleError", "Path", "Result", "Router",
    "Solver", "VerifyError", "apsp", "bfs", "bfs_each", "centrality", "closeness_and_harmonic", "config", "devices", "diameter",
    "distances", "eccentricity", "errors", "estimate_memory", "formats", "generators", "load_coordinates", "path", "radius", "sssp", "sssp_each", "strategies",
    "version",
]  # fmt: skip
