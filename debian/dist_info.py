#!/usr/bin/python3
"""Writes the metadata that pip, NetworkX and importlib.metadata read, from pyproject.toml.

usage: dist_info.py PYPROJECT DIRECTORY    makes DIRECTORY/pyfringe-VERSION.dist-info
"""

import pathlib
import sys
import tomllib


def metadata(project):
    yield "Metadata-Version: 2.1"
    for name in ("name", "version"):
        yield f"{name.title()}: {project[name]}"
    yield f"Summary: {project['description']}"
    yield f"License: {project['license']}"
    yield f"Requires-Python: {project['requires-python']}"
    yield from (f"Requires-Dist: {need}" for need in project["dependencies"])
    for extra, needs in project["optional-dependencies"].items():
        yield f"Provides-Extra: {extra}"
        yield from (f'Requires-Dist: {need}; extra == "{extra}"' for need in needs)


def entry_points(project):
    for group, points in project["entry-points"].items():
        yield f"[{group}]"
        yield from (f"{name} = {point}" for name, point in points.items())


def main(pyproject, directory):
    project = tomllib.loads(pathlib.Path(pyproject).read_text(encoding="utf-8"))["project"]
    made = pathlib.Path(directory, f"{project['name']}-{project['version']}.dist-info")
    made.mkdir(parents=True)
    for name, lines in (("METADATA", metadata(project)), ("entry_points.txt", entry_points(project))):
        made.joinpath(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


main(*sys.argv[1:])
