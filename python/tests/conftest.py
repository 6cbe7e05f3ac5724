"""What several files of tests share."""

import sys

import numpy as np
import pytest

import pyfringe as fr


@pytest.fixture
def graph():
    """Six vertices; none leads to vertex 5."""
    return fr.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 3, 3, 4], np.array([1, 4, 2, 1, 7], np.int32), n=6)


def pytest_terminal_summary(terminalreporter):
    if "drawn" in sys.modules:
        seed = sys.modules["drawn"].SEED
        terminalreporter.write_line(f"random graphs: FRINGE_TEST_SEED={seed:x}")
