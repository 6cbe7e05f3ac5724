"""Plots as SVG, the same bytes for the same numbers: fixed salt, no date, text as text."""

import os
import textwrap

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  # the backend is chosen first
import numpy as np  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

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
COLORS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#222222"]


def finish(fig, folder, name, foot):
    """Writes the figure with its foot: graph, seed, GPU, driver, commit."""
    lines = textwrap.wrap(foot, int(19 * fig.get_size_inches()[0]))
    fig.tight_layout(rect=(0, (0.02 + 0.13 * len(lines)) / fig.get_size_inches()[1], 1, 1))
    fig.text(0.01, 0.01, "\n".join(lines), fontsize=6.5, color="#444444", va="bottom")
    os.makedirs(folder, exist_ok=True)
    fig.savefig(os.path.join(folder, name + ".svg"), format="svg", metadata={"Date": None, "Creator": None})
    plt.close(fig)


def plain_log(ax):
    """A logarithmic axis with as many labels as fit, plain numbers below a million."""
    ax.set_yscale("log")
    low, high = ax.get_ylim()
    decades = np.log10(high / low)
    subs = (1, 2, 5) if decades < 2.5 else (1, 3) if decades < 4 and high < 1e6 else (1,)
    ax.yaxis.set_major_locator(LogLocator(subs=subs, numticks=20))
    ax.yaxis.set_minor_formatter(NullFormatter())
    if decades < 4 and high < 1e6:
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))


def legend(fig, ax, words):
    """Places the legend above the title, in as many columns as fit."""
    if len(words) > 1:
        room = int(16 * fig.get_size_inches()[0] / (max(map(len, words)) + 6))
        ax.legend(fontsize=7.5, frameon=False, ncols=max(1, min(len(words), room)), loc="lower left",
                  bbox_to_anchor=(0, 1.06))  # fmt: skip


def one_set(ax, title, ylabel, labels, series, log, line):
    """series: {name: [value or None a label]}, side by side; line: a height to draw across."""
    width, at = 0.84 / len(series), np.arange(len(labels))
    for i, (word, values) in enumerate(series.items()):
        heights = [np.nan if v is None else v for v in values]
        place = at + (i - (len(series) - 1) / 2) * width
        ax.bar(place, heights, width, label=word, color=COLORS[i % len(COLORS)])
    if line is not None:
        ax.axhline(line, color="#222222", linewidth=0.8)
    if log:
        plain_log(ax)
    ax.set_title(title, fontsize=10, loc="left")
    ax.set_ylabel(ylabel)


def bars(folder, name, title, ylabel, labels, series, foot, log=False, line=None, xlabel=None, published=None):
    """One set of bars a label; `published`, of the same form, is drawn above the measured bars."""
    sets = {"": series} if published is None else {", published": published, ", measured": series}
    size = max(6.4, 1.2 + 0.75 * len(labels)), 4.2 + 2.6 * (len(sets) - 1)
    fig, axes = plt.subplots(len(sets), 1, figsize=size, sharex=True, squeeze=False)
    for ax, (which, each) in zip(axes.flat, sets.items()):
        one_set(ax, title + which, ylabel, labels, each, log, line)
    slanted = len(labels) * max(map(len, labels)) > 11 * size[0]
    axes.flat[-1].set_xticks(range(len(labels)), labels, rotation=25 if slanted else 0,
                             ha="right" if slanted else "center")  # fmt: skip
    axes.flat[-1].set_xlabel(xlabel)
    legend(fig, axes.flat[0], list(series))
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
        base = np.zeros(len(columns_of))
        for i, piece in enumerate(next(iter(columns_of.values()))):
            heights = np.array([bar[piece] for bar in columns_of.values()])
            ax.bar(range(len(base)), heights, 0.8, bottom=base, color=COLORS[i], label=piece)
            base += heights
        ax.set_xticks(range(len(base)), columns_of, rotation=60, ha="right", fontsize=7)
    least = min(next(iter(bar.values())) for columns_of in parts.values() for bar in columns_of.values())
    axes.flat[0].set_yscale("log")
    axes.flat[0].set_ylim(bottom=least / 2)
    plain_log(axes.flat[0])
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
    for i, (word, values) in enumerate(series.items()):
        values = [np.nan if v is None else v for v in values]
        ax.plot(
            range(len(values)), values, marker="o", markersize=3, label=word, color=COLORS[i % len(COLORS)]
        )
    if log:
        plain_log(ax)
    legend(fig, ax, list(series))
    finish(fig, folder, name, foot)
