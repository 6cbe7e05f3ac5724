"""XBFS's Figs. 9 and 10 from levels and adjacency: the edge checks of a bottom-up pass.

Counted on the host by the definitions, so independent of a device: the first level whose frontier has the
share `alpha` of all edges is followed by a bottom-up pass; an unvisited vertex checks its
neighbors in order until one is of the previous level.
"""

import os
import subprocess

import numpy as np

from peers.common import read_gap

ALPHA = 0.1


def load(options, surrogate, folder):
    """(offsets, targets, levels) of a graph from one random source."""
    path, levels = os.path.join(folder, "graph.sg"), os.path.join(folder, "levels.npy")
    subprocess.run([options.fringe, "convert", surrogate.description, path, *surrogate.shape, "--quiet"], check=True)
    words = ["bfs", path, "--sources", "1", "--seed", "1", "--backend", "cpu", "--quiet", "-o", levels]
    subprocess.run([options.fringe, *words], check=True)
    offsets, targets, _, _ = read_gap(path)
    level = np.load(levels)
    level = level["level"] if level.dtype.names else level[:, 0] if level.ndim > 1 else level
    return offsets, targets, level


def pulled_level(offsets, level):
    """The first level that is found bottom-up, or None."""
    degree = np.diff(offsets)
    edges = np.bincount(level[level >= 0], weights=degree[level >= 0])
    wide = np.flatnonzero(edges >= ALPHA * offsets[-1])
    return int(wide[0]) + 1 if len(wide) else None


def looked_at(offsets, targets, level, pulled):
    """(degrees, edges checked) of the vertices that are unvisited before the pass."""
    degree = np.diff(offsets)
    work = degree.copy()
    hits = np.flatnonzero((level == pulled - 1)[targets])
    rows, first = np.unique(np.searchsorted(offsets, hits, "right") - 1, return_index=True)
    work[rows] = hits[first] - offsets[rows] + 1
    open_ = ((level < 0) | (level >= pulled)) & (degree > 0)
    return degree[open_], work[open_]


def by_degree(degree, work):
    """One entry per power of two of the degree."""
    bins, bin_of = [], np.floor(np.log2(degree)).astype(int)
    for k in range(int(bin_of.max()) + 1 if len(bin_of) else 0):
        inside = work[bin_of == k]
        if len(inside):
            bins.append({"degree": 1 << k, "vertices": len(inside), "mean": float(inside.mean()),
                         "percentile99": float(np.percentile(inside, 99)), "max": int(inside.max())})  # fmt: skip
    return bins


def early(offsets, targets, level, pulled):
    """(vertices of the level after the pulled one, those that a neighbor of the pulled level precedes in
    the queue): the model of Lemma 3 of the paper."""
    rows = np.flatnonzero(level == pulled + 1)
    settled = 0
    for part in np.array_split(rows, max(1, len(rows) // 200000)):
        lengths = offsets[part + 1] - offsets[part]
        own = np.repeat(part, lengths)
        at = (
            np.arange(len(own))
            - np.repeat(np.cumsum(lengths) - lengths, lengths)
            + np.repeat(offsets[part], lengths)
        )
        seen = targets[at]
        settled += len(np.unique(own[(level[seen] == pulled) & (seen < own)]))
    return len(rows), settled


def line_of(options, surrogate, folder):
    offsets, targets, level = load(options, surrogate, folder)
    pulled = pulled_level(offsets, level)
    line = {"kind": "paper", "job": f"xbfs/fig9/{surrogate.original}", "original": surrogate.original, "seed": 1,
            "graph": {"name": surrogate.description, "n": len(offsets) - 1, "m": int(offsets[-1])},
            "pulled_level": pulled}  # fmt: skip
    if pulled is not None:
        line["bins"] = by_degree(*looked_at(offsets, targets, level, pulled))
        line["next_level"], line["settled_early"] = early(offsets, targets, level, pulled)
    return line
