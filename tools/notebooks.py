#!/usr/bin/env python3
"""Runs the notebooks of examples/ and compares their outputs with the stored ones, or stores them.

usage: notebooks.py [--write] [NOTEBOOK...]

Texts must be the same, and a picture must be where one is stored. Needs pyfringe, matplotlib, nbclient, ipykernel.
"""

import argparse
import base64
import io
import pathlib
import sys
import tempfile

import nbclient
import nbformat
from jupyter_client import AsyncKernelManager
from PIL import Image

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


def texts(cell):
    """What a cell's outputs say; a picture counts as its type."""
    made = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        made.append("image/png" if "image/png" in data else output.get("text", data.get("text/plain", "")))
    return made


def smaller(png):
    """A picture of 64 colors, in base64."""
    made = io.BytesIO()
    Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB").quantize(64).save(made, "PNG", optimize=True)
    return base64.b64encode(made.getvalue()).decode()


def without_noise(notebook):
    """Leaves what differs from run to run or from machine to machine out of the file."""
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                output.data = {"image/png": smaller(output.data["image/png"])}
            if output.output_type != "stream":
                output.metadata = {}
    return notebook


def run(path, write):
    stored = nbformat.read(path, as_version=4)
    before = [texts(cell) for cell in stored.cells]
    folder = {"metadata": {"path": str(path.parent)}}
    with tempfile.TemporaryDirectory() as sockets:  # not TCP, which other users of the machine can reach
        kernel = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=f"{sockets}/kernel")
        nbclient.NotebookClient(stored, km=kernel, timeout=60, startup_timeout=30, resources=folder).execute()
    if write:
        nbformat.write(without_noise(stored), path)
        return True
    for number, (cell, old) in enumerate(zip(stored.cells, before, strict=True), 1):
        if texts(cell) != old:
            print(f"{path.name}: cell {number} gives {texts(cell)}, stored is {old}; store with tools/notebooks.py --write")
            return False
    print(f"{path.name}: {len(before)} cells give what is stored")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebook", nargs="*", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    paths = [path.resolve() for path in options.notebook] or sorted(EXAMPLES.glob("*.ipynb"))
    sys.exit(not all([run(path, options.write) for path in paths]))


main()
