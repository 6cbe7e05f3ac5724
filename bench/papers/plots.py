"""Plots as SVG, the same bytes for the same numbers: fixed salt, no date, text as text."""

import os
import textwrap

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  # the backend is chosen first
import numpy as np  # noqa: E402

matplotlib.rcParams.update(
    {
        "svg.hashsalt": "fringe",
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "grid.alpha": 0.3,
        "axes.axisbelow": True,
    }
)
COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#222222"]


def finish(fig, folder, name, foot):
    """Writes the figure with its foot: graph, seed, GPU, driver, commit."""
    lines = textwrap.wrap(foot, int(19 * fig.get_size_inches()[0]))
    fig.tight_layout(rect=(0, (0.02 + 0.13 * len(lines)) / fig.get_size_inches()[1], 1, 1))
    fig.text(0.01, 0.01, "\n".join(lines), fontsize=6.5, color="#444444", va="bottom")
    os.makedirs(folder, exist_ok=True)
    fig.savefig(os.path.join(folder, name + ".svg"), format="svg", metadata={"Date": None, "Creator": None})
    plt.close(fig)


def frame(title, ylabel, labels, log):
    fig, ax = plt.subplots(figsize=(max(6.4, 1.2 + 0.75 * len(labels)), 4.2))
    ax.set_title(title, fontsize=10, loc="left")
    ax.set_ylabel(ylabel)
    if log:
        ax.set_yscale("log")
    ax.set_xticks(range(len(labels)), labels, rotation=25 if len(labels) > 4 else 0,
                  ha="right" if len(labels) > 4 else "center")  # fmt: skip
    return fig, ax


def legend(ax, count):
    if count > 1:
        ax.legend(
            fontsize=7.5, frameon=False, ncols=min(count, 5), loc="lower left", bbox_to_anchor=(0, 1.06)
        )


def bars(folder, name, title, ylabel, labels, series, foot, log=False, line=None):
    """series: {name: [value or None a label]}, side by side; line: a height to draw across."""
    fig, ax = frame(title, ylabel, labels, log)
    width = 0.84 / len(series)
    at = np.arange(len(labels))
    for i, (word, values) in enumerate(series.items()):
        heights = [np.nan if v is None else v for v in values]
        ax.bar(
            at + (i - (len(series) - 1) / 2) * width,
            heights,
            width,
            label=word,
            color=COLOURS[i % len(COLOURS)],
        )
    if line is not None:
        ax.axhline(line, color="#222222", linewidth=0.8)
    legend(ax, len(series))
    finish(fig, folder, name, foot)


def panels(folder, name, title, ylabel, parts, foot):
    """parts: {panel: {bar: {piece: value}}}, stacked on one log scale."""
    columns = min(5, len(parts))
    lines = -(-len(parts) // columns)
    fig, axes = plt.subplots(
        lines, columns, figsize=(2.4 * columns + 1, 2.6 * lines + 1), sharey=True, squeeze=False
    )
    for ax in axes.flat[len(parts) :]:
        ax.axis("off")
    for ax, (panel, columns_of) in zip(axes.flat, parts.items()):
        ax.set_title(panel, fontsize=8)
        ax.set_yscale("log")
        base = np.zeros(len(columns_of))
        for i, piece in enumerate(next(iter(columns_of.values()))):
            heights = np.array([bar[piece] for bar in columns_of.values()])
            ax.bar(range(len(base)), heights, 0.8, bottom=base, color=COLOURS[i], label=piece)
            base += heights
        ax.set_xticks(range(len(base)), columns_of, rotation=60, ha="right", fontsize=7)
    least = min(next(iter(bar.values())) for columns_of in parts.values() for bar in columns_of.values())
    axes.flat[0].set_ylim(bottom=least / 2)
    for row in axes:
        row[0].set_ylabel(ylabel)
    handles, words = axes.flat[0].get_legend_handles_labels()
    fig.suptitle(title, fontsize=10, x=0.01, ha="left")
    fig.legend(handles, words, fontsize=7.5, frameon=False, ncols=len(words), loc="upper right")
    finish(fig, folder, name, foot)


def curves(folder, name, title, ylabel, xlabel, series, foot, log=False):
    """series: {name: [value a step]}."""
    fig, ax = plt.subplots(figsize=(6.4, 4.2))
    ax.set_title(title, fontsize=10, loc="left")
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    if log:
        ax.set_yscale("log")
    for i, (word, values) in enumerate(series.items()):
        values = [np.nan if v is None else v for v in values]
        ax.plot(
            range(len(values)), values, marker="o", markersize=3, label=word, color=COLOURS[i % len(COLOURS)]
        )
    legend(ax, len(series))
    finish(fig, folder, name, foot)
