"""The sdist holds all that a build needs."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[1]


@pytest.mark.skipif(not (PROJECT.parent / "include/fringe.h").exists(), reason="not in a checkout")
def test_sdist(tmp_path):
    code = f"import sys; sys.path.insert(0, 'build_backend'); import fringe_backend as b; print(b.build_sdist({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True, capture_output=True)
    assert not (PROJECT / "fringe").exists()
    (archive,) = tmp_path.glob("pyfringe-*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.split("/", 1)[1] for name in tar.getnames() if "/" in name}
        tar.extractall(tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))  # not in Python 3.11.2
    for wanted in ("fringe/include/fringe.h", "fringe/src/core/query/solve.c", "fringe/cmake/typed.cmake", "LICENSE",
                   "binding/call.c", "pyfringe/csgraph.py", "build_backend/fringe_backend.py"):  # fmt: skip
        assert wanted in names
    assert not [name for name in names if name.endswith((".o", ".so", ".pyc"))]
    cmake = shutil.which("cmake")
    if cmake is None:
        pytest.skip("no cmake")
    source = next(tmp_path.glob("pyfringe-*/CMakeLists.txt")).parent
    assert "Apache License" in (source / "LICENSE").read_text(encoding="utf-8")  # a link in a checkout
    words = [cmake, "-S", source, "-B", tmp_path / "build", "-G", "Ninja", f"-DPython_EXECUTABLE={sys.executable}"]
    words += ["-DFRINGE_CUDA=OFF"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ})
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_wheel_has_types():
    import pyfringe

    assert (pathlib.Path(pyfringe.__path__[0]) / "py.typed").exists()
    assert list(pathlib.Path(pyfringe.__path__[0]).glob("_fringe.*.so"))
