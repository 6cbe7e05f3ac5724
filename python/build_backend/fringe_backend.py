"""The build backend: scikit-build-core, and an sdist that carries the sources of the C library.

In a checkout the library lies one folder up, where an sdist of this folder does not reach; it is copied
to fringe/ for the time of `build_sdist`. CMakeLists.txt builds whichever of the two is there.
"""

import contextlib
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any

from scikit_build_core.build import *  # noqa: F403  # the hooks of PEP 517 and PEP 660
from scikit_build_core.build import build_sdist as _build_sdist

_HERE = pathlib.Path(__file__).resolve().parents[1]
_LIBRARY = ("CMakeLists.txt", "LICENSE", "README.md", "cmake", "include", "papers", "src")


@contextlib.contextmanager
def _library_copied() -> Iterator[None]:
    copy, root = _HERE / "fringe", _HERE.parent
    if copy.exists():  # an sdist made from an unpacked sdist
        yield
        return
    try:
        for name in _LIBRARY:
            source = root / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("lab", "pages"))
            else:
                copy.mkdir(exist_ok=True)
                shutil.copy2(source, copy / name)
        yield
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    with _library_copied():
        return _build_sdist(sdist_directory, config_settings)
