"""The description of the backend, which NetworkX reads at import; so this module imports nothing else."""

from __future__ import annotations

from typing import Any

from pyfringe._nx_sizes import SIZES

FUNCTIONS = (*SIZES, "find_negative_cycle")  # which is measured as negative_edge_cycle


def get_info() -> dict[str, Any]:
    """Returns the description for the entry point ``networkx.backend_info``."""
    return {
        "backend_name": "fringe",
        "project": "pyfringe",
        "package": "pyfringe",
        "short_summary": "Shortest paths and breadth-first search by the C library fringe",
        "functions": {name: {} for name in FUNCTIONS},
        "default_config": {},
    }
