"""Plots as SVG. Equal numbers give equal bytes with one version of matplotlib: fixed salt, no date, text elements."""

import os
import textwrap

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  # the backend is chosen first
import numpy as np  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter  # noqa: E402

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


def finish(fig, folder, name, footer):
    """Writes the figure with its footer: graph, seed, GPU, driver, commit."""
    lines = textwrap.wrap(footer, int(19 * fig.get_size_inches()[0]))
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


def legend(fig, ax):
    """Places the legend above the title, in as many columns as fit."""
    words = ax.get_legend_handles_labels()[1]
    if len(words) > 1 or any("dashed" in word for word in words):
        room = int(13.5 * fig.get_size_inches()[0] / (max(map(len, words)) + 6))
        ax.legend(fontsize=7.5, frameon=False, ncols=max(1, min(len(words), room)), loc="lower left",
                  bbox_to_anchor=(0, 1.06))  # fmt: skip


def mark_absent(ax, place, values, width):
    """A cross on the axis where there is no value: out of time or memory, not published, not measured."""
    absent = [x for x, value in zip(place, values) if value is None]
    if absent:
        ax.plot(absent, [0.03] * len(absent), "x", color="#888888", markersize=min(4, 24 * width),
                transform=ax.get_xaxis_transform())  # fmt: skip


def one_set(ax, title, ylabel, labels, series, log, line, errors=None, means=None):
    """series: {name: [value or None a label]}, side by side; line: a height to draw across; errors: {name:
    [(low, high) or None]}; means: {name: a published mean}, dashed in the color of its series."""
    width, at = 0.84 / len(series), np.arange(len(labels))
    for i, (word, values) in enumerate(series.items()):
        heights = [np.nan if v is None else v for v in values]
        place, color = at + (i - (len(series) - 1) / 2) * width, COLORS[i % len(COLORS)]
        mean = f" (dashed: published mean {means[word]:g})" if means and word in means else ""
        ax.bar(place, heights, width, label=word + mean, color=color)
        mark_absent(ax, place, values, width)
        for x, each in zip(place, (errors or {}).get(word, ())):
            if each:
                ax.plot([x, x], each, color="#222222", linewidth=0.8)
        if means and word in means:
            ax.axhline(means[word], color=color, linewidth=1.2, linestyle="--")
    if line is not None:
        ax.axhline(line, color="#222222", linewidth=0.8)
    if log:
        plain_log(ax)
    ax.set_title(title, fontsize=10, loc="left")
    ax.set_ylabel(ylabel)


def bars(folder, name, title, ylabel, labels, series, footer, log=False, line=None, xlabel=None, published=None,
         errors=None, means=None):  # fmt: skip
    """One set of bars a label; `published`, of the same form, is drawn above the measured bars, on the same axis."""
    sets = {"": series} if published is None else {", published": published, ", measured": series}
    size = max(6.4, 1.2 + 0.75 * len(labels)), 4.2 + 2.6 * (len(sets) - 1)
    fig, axes = plt.subplots(len(sets), 1, figsize=size, sharex=True, sharey=True, squeeze=False)
    for ax, (which, each) in zip(axes.flat, sets.items()):
        measured = which != ", published"
        one_set(ax, title + which, ylabel, labels, each, False, line, errors if measured else None,
                means if measured else None)  # fmt: skip
    if log:
        plain_log(axes.flat[0])
        for ax in axes.flat[1:]:
            ax.yaxis.set_minor_formatter(NullFormatter())
    slanted = len(labels) * max(map(len, labels)) > 11 * size[0]
    axes.flat[-1].set_xticks(range(len(labels)), labels, rotation=25 if slanted else 0,
                             ha="right" if slanted else "center")  # fmt: skip
    axes.flat[-1].set_xlabel(xlabel)
    legend(fig, axes.flat[-1])
    finish(fig, folder, name, footer)


def panels(folder, name, title, ylabel, parts, footer):
    """parts: {panel: {bar: (kernels, whole)}}: bars of the first, a mark at the second, on one log scale."""
    columns = min(5, len(parts))
    lines = -(-len(parts) // columns)
    fig, axes = plt.subplots(
        lines, columns, figsize=(2.4 * columns + 1, 2.6 * lines + 1), sharey=True, squeeze=False
    )
    for ax in axes.flat[len(parts) :]:
        ax.axis("off")
    for ax, (panel, columns_of) in zip(axes.flat, parts.items()):
        ax.set_title(panel, fontsize=8)
        at = range(len(columns_of))
        ax.bar(at, [bar[0] for bar in columns_of.values()], 0.8, color=COLORS[0], label="kernels")
        ax.plot(at, [bar[1] for bar in columns_of.values()], "_", color=COLORS[1], markersize=14, markeredgewidth=2,
                label="end to end")  # fmt: skip
        ax.set_xticks(at, columns_of, rotation=60, ha="right", fontsize=7)
    minimum = min(bar[0] for columns_of in parts.values() for bar in columns_of.values())
    axes.flat[0].set_yscale("log")
    axes.flat[0].set_ylim(bottom=minimum / 2)
    plain_log(axes.flat[0])
    for row in axes:
        row[0].set_ylabel(ylabel)
    handles, words = axes.flat[0].get_legend_handles_labels()
    fig.suptitle(title, fontsize=10, x=0.01, ha="left")
    fig.legend(handles, words, fontsize=7.5, frameon=False, ncols=len(words), loc="upper right")
    finish(fig, folder, name, footer)


def curves(folder, name, title, ylabel, xlabel, series, footer, log=False, xs=None, logx=False, line=None):
    """series: {name: [value or None a step]}; xs: the steps (default 0, 1, ...); line: a height to draw across."""
    fig, ax = plt.subplots(figsize=(6.4, 4.2))
    ax.set_title(title, fontsize=10, loc="left")
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    for i, (word, values) in enumerate(series.items()):
        values = [np.nan if v is None else v for v in values]
        at = range(len(values)) if xs is None else xs[: len(values)]
        ax.plot(at, values, marker="o", markersize=3, label=word, color=COLORS[i % len(COLORS)],
                linestyle=("-", "--", ":")[i // len(COLORS) % 3])  # fmt: skip
    if log:
        plain_log(ax)
    if logx:
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    if line is not None:
        ax.axhline(line, color="#222222", linewidth=0.8)
    legend(fig, ax)
    finish(fig, folder, name, footer)


def phases(folder, name, title, parts, footer):
    """parts: {panel: [(frontier, method) a level]}: the frontier by level, each method with its color."""
    fig, axes = plt.subplots(1, len(parts), figsize=(4.4 * len(parts), 4.0), squeeze=False)
    methods = list(dict.fromkeys(method for levels in parts.values() for _, method in levels))
    for ax, (panel, levels) in zip(axes.flat, parts.items()):
        ax.set_title(panel, fontsize=9, loc="left")
        for method in methods:
            at = [i for i, level in enumerate(levels) if level[1] == method]
            ax.plot(at, [levels[i][0] for i in at], "o", markersize=3, label=method,
                    color=COLORS[methods.index(method) % len(COLORS)])  # fmt: skip
        ax.set_yscale("log")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel("level")
    axes.flat[0].set_ylabel("vertices of the frontier")
    fig.suptitle(title, fontsize=10, x=0.01, ha="left")
    handles, words = axes.flat[0].get_legend_handles_labels()
    fig.legend(handles, words, fontsize=7.5, frameon=False, ncols=min(4, len(words)), loc="upper right")
    finish(fig, folder, name, footer)


def clouds(folder, name, title, xlabel, ylabel, parts, footer):
    """parts: {panel: [(x, y, count)]}: on logarithmic axes of base 2, a dot as large as the logarithm of its count."""
    columns = min(5, len(parts))
    lines = -(-len(parts) // columns)
    fig, axes = plt.subplots(lines, columns, figsize=(2.3 * columns + 1, 2.3 * lines + 1), sharex=True, sharey=True,
                             squeeze=False)  # fmt: skip
    for ax in axes.flat[len(parts) :]:
        ax.axis("off")
    for ax, (panel, points) in zip(axes.flat, parts.items()):
        ax.set_title(panel, fontsize=8)
        maximum = max(x for x, _, _ in points)
        ax.plot([1, maximum], [1, maximum], color="#888888", linewidth=0.8)
        ax.scatter([x for x, _, _ in points], [y for _, y, _ in points],
                   s=[3 + 4 * np.log10(count) for _, _, count in points], color=COLORS[0])  # fmt: skip
        ax.set_xscale("log", base=2)
        ax.set_yscale("log", base=2)
    for row in axes:
        row[0].set_ylabel(ylabel)
    for ax in axes[-1]:
        ax.set_xlabel(xlabel)
    fig.suptitle(title, fontsize=10, x=0.01, ha="left")
    finish(fig, folder, name, footer)
