"""A pytest plugin: SciPy's csgraph is pyfringe's, and each function's calls that reach fringe are counted.

usage: pytest -p scipy_plugin --pyargs scipy.sparse.csgraph.tests.test_shortest_path
"""

import functools
from collections import Counter

import scipy.sparse.csgraph

import pyfringe.csgraph
from pyfringe import _small
from pyfringe._core import Call

SERVED = ("shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall", "yen", "breadth_first_order",
          "breadth_first_tree", "connected_components")  # fmt: skip
CALLS, REACHED = Counter(), Counter()


def counted(name):
    function = getattr(pyfringe.csgraph, name)

    @functools.wraps(function)
    def call(*args, **kwargs):
        before = Call.entered
        CALLS[name] += 1
        try:
            return function(*args, **kwargs)
        finally:
            REACHED[name] += Call.entered > before

    return call


def pytest_configure(config):  # not on import: --doctest-modules imports this file with tests that need SciPy's own
    _small.PATHS = _small.QUEUE = _small.YEN = 0  # all calls, however small
    for name in pyfringe.csgraph.__all__:
        setattr(scipy.sparse.csgraph, name, counted(name) if name in SERVED else getattr(pyfringe.csgraph, name))


def pytest_terminal_summary(terminalreporter):
    for name in SERVED:
        terminalreporter.write_line(f"fringe: {name} {CALLS[name]} calls, {REACHED[name]} reached")
