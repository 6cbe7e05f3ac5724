"""The maps, and the example that draws one."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import pyfringe as fr  # noqa: E402
from pyfringe import draw  # noqa: E402

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/amsterdam.py"


def test_edges():
    g = fr.Graph.from_edges([0, 1, 2], [1, 2, 3], n=5, directed=False)
    xy = np.arange(10).reshape(5, 2)
    ax = draw.edges(g, xy, fr.bfs(g, 0, max_level=2).level, path=[0, 1, 2], label="level")
    gray, colored = ax.collections
    assert len(gray.get_segments()) == 1 and colored.get_array().tolist() == [0.5, 1.5]
    for wrong in (xy[:4], xy.T, [1, 2]):
        with pytest.raises(ValueError, match="xy"):
            draw.edges(g, wrong)
    with pytest.raises(ValueError, match="values"):
        draw.edges(g, xy, [1, 2])


def test_profile_and_degrees():
    g = fr.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], n=5)
    ax = draw.levels(fr.bfs(g, 0, record=True, strategy="serial"))
    assert ax.lines[0].get_ydata().tolist()[:3] == [1, 2, 1]
    with pytest.raises(fr.FringeError, match="record=True"):
        draw.levels(fr.bfs(g, 0))
    points = draw.degrees(g).collections[0].get_offsets()
    assert points.tolist() == [[0, 2], [1, 2], [2, 1]]  # (degree, vertices)


@pytest.mark.skipif(not EXAMPLE.exists(), reason="not in a checkout")
def test_example(tmp_path):
    ran = subprocess.run([sys.executable, EXAMPLE, tmp_path / "map.png"], capture_output=True, text=True, check=False)
    assert ran.stdout.startswith("58,600 places reached") and (tmp_path / "map.png").stat().st_size > 10**5, ran.stderr


@pytest.mark.skipif(not EXAMPLE.exists(), reason="not in a checkout")
def test_gallery(tmp_path):
    words = [sys.executable, EXAMPLE.with_name("gallery.py"), tmp_path]
    subprocess.run(words, capture_output=True, text=True, check=True)
    stored = EXAMPLE.parents[1] / "docs/plots"
    for picture in tmp_path.glob("*.png"):
        ratio = picture.stat().st_size / (stored / picture.name).stat().st_size
        assert 0.5 < ratio < 2, f"{picture.name} is not the one of docs/plots"
    assert len(list(tmp_path.glob("*.png"))) == 4
