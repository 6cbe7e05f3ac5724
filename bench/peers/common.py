"""Helpers of all comparisons: running programs, graphs in the format of each program, GAP's files."""

import os
import subprocess
import sys

CONVERT_SUFFIX = {"bfs": ".sg", "sssp": ".wsg"}


class Wrong(Exception):
    """A program gave a wrong answer."""


class Unusable(Exception):
    """A program is installed but cannot take part; the message has the reason."""


def command(words, env=None, wrong=()):
    """Runs a program and returns its output. Exit codes in `wrong` mean a wrong answer."""
    done = subprocess.run(words, capture_output=True, text=True, env=env, check=False)
    if done.returncode in wrong:
        raise Wrong(f"{' '.join(words)}: {done.stdout}{done.stderr}".strip())
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def attempt(words, env=None):
    """Runs the program of a peer and returns its output; after a failure the other programs still run."""
    done = subprocess.run(words, capture_output=True, text=True, env=env, check=False)
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()
        raise Unusable(f"{' '.join(words)}: exit {done.returncode}: {lines[-1]}")
    return done.stdout


class Graph:
    """One graph in a folder, written in each format on first use."""

    def __init__(self, options, description, folder):
        self.options, self.description, self.folder = options, description, folder
        self.path = self.in_format(CONVERT_SUFFIX[options.problem])

    def in_format(self, suffix):
        o = self.options
        path = os.path.join(self.folder, f"graph{suffix}")
        if os.path.exists(path):
            return path
        words = [o.fringe, "convert", self.description, path]
        if o.problem == "sssp":
            words += ["--weights", o.weights, "--seed", str(o.seed)]
        elif suffix == ".sg":  # it holds none
            words += ["--weights", "none"]
        command(words)
        return path


def read_gap(path):
    """offsets, targets, weights (or None), directed of a GAP binary file."""
    import numpy as np

    with open(path, "rb") as file:
        directed = file.read(1) != b"\0"
        m, n = (int(x) for x in np.fromfile(file, np.int64, 2))
        offsets = np.fromfile(file, np.int64, n + 1)
        if path.endswith(".wsg"):
            pairs = np.fromfile(file, np.int32, 2 * m).reshape(m, 2)
            return offsets, pairs[:, 0].copy(), pairs[:, 1].copy(), directed
        return offsets, np.fromfile(file, np.int32, m), None, directed
