"""Plots as SVG. Equal numbers give equal bytes with one version of matplotlib: fixed salt, no date, text elements."""

import os
import textwrap

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  # the backend is chosen first
import numpy as np  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter  # noqa: E402

matplotlib.rc("svg", hashsalt="fringe", fonttype="none")
matplotlib.rc("font", family="sans-serif", size=9, **{"sans-serif": ["DejaVu Sans"]})
matplotlib.rc("axes", grid=True, titlelocation="left", titlesize=9, axisbelow=True)
matplotlib.rc("axes.spines", top=False, right=False)
matplotlib.rc("axes.grid", axis="y")
matplotlib.rc("grid", alpha=0.3)
matplotlib.rc("legend", fontsize=7.5, frameon=False)
matplotlib.rc("lines", markersize=3)
COLORS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#222222"]
DARK, GRAY = "#222222", "#888888"


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


def numbers(values):
    return [np.nan if value is None else value for value in values]


def panels(parts, width, height, **shared):
    """(figure, [(axes, name of the part, part)]): up to five panels side by side."""
    columns = min(5, len(parts))
    rows = -(-len(parts) // columns)
    fig, axes = plt.subplots(rows, columns, figsize=(width * columns + 1, height * rows + 1), squeeze=False, **shared)
    for ax in axes.flat[len(parts) :]:
        ax.axis("off")
    for ax, name in zip(axes.flat, parts):
        ax.set_title(name, fontsize=8)
    return fig, list(zip(axes.flat, *zip(*parts.items())))


def bar_group(ax, labels, series, line, errors, means):
    """The bars of each label side by side; a cross where there is no value: out of time or memory, not published."""
    width, at = 0.84 / len(series), np.arange(len(labels))
    for i, (word, values) in enumerate(series.items()):
        place, color = at + (i - (len(series) - 1) / 2) * width, COLORS[i % len(COLORS)]
        mean = f" (dashed: published mean {means[word]:g})" if word in means else ""
        ax.bar(place, numbers(values), width, label=word + mean, color=color)
        absent = [x for x, value in zip(place, values) if value is None]
        ax.plot(absent, [0.03] * len(absent), "x", color=GRAY, markersize=min(4, 24 * width), transform=ax.get_xaxis_transform())
        for x, each in zip(place, errors.get(word, ())):
            ax.plot([x, x], each, color=DARK, linewidth=0.8)
        if word in means:
            ax.axhline(means[word], color=color, linewidth=1.2, linestyle="--")
    if line is not None:
        ax.axhline(line, color=DARK, linewidth=0.8)


def legend_above(fig, ax):
    """Places the legend above the title, in as many columns as fit."""
    words = ax.get_legend_handles_labels()[1]
    if len(words) > 1 or any("dashed" in word for word in words):
        room = int(13.5 * fig.get_size_inches()[0] / (max(map(len, words)) + 6))
        ax.legend(ncols=max(1, min(len(words), room)), loc="lower left", bbox_to_anchor=(0, 1.06))


class Plots:
    """Draws into a folder. Each plot has a note, and the machines and the commit of its lines, as its footer."""

    def __init__(self, folder, lines):
        self.folder, self.lines = folder, lines

    def finish(self, fig, name, note, title=None, key=None):
        """key: axes whose legend is for the whole figure."""
        if title:
            fig.suptitle(title, fontsize=10, x=0.01, ha="left")
        if key:
            fig.legend(*key.get_legend_handles_labels(), ncols=4, loc="upper right")
        lines = textwrap.wrap(f"{note} {self.lines.machines()}.", int(19 * fig.get_size_inches()[0]))
        fig.tight_layout(rect=(0, (0.02 + 0.13 * len(lines)) / fig.get_size_inches()[1], 1, 1))
        fig.text(0.01, 0.01, "\n".join(lines), fontsize=6.5, color="#444444", va="bottom")
        fig.savefig(os.path.join(self.folder, name + ".svg"), format="svg", metadata={"Date": None, "Creator": None})
        plt.close(fig)

    def bars(self, name, title, ylabel, labels, series, note, log=False, line=None, xlabel=None, published=None, errors=None,
             means=None):  # fmt: skip
        """series: {name: [value or None a label]}; `published`, of the same form, is drawn above on the same axis; line: a
        height to draw across; errors: {name: [(low, high)]}; means: {name: its published mean}."""
        sets = {title + ", published": published, title + ", measured": series} if published else {title: series}
        size = max(6.4, 1.2 + 0.75 * len(labels)), 1.6 + 2.6 * len(sets)
        fig, axes = plt.subplots(len(sets), 1, figsize=size, sharex=True, sharey=True, squeeze=False)
        for ax, (head, each) in zip(axes.flat, sets.items()):
            own = each is series
            bar_group(ax, labels, each, line, errors or {} if own else {}, means or {} if own else {})
            ax.set_title(head, fontsize=10)
            ax.set_ylabel(ylabel)
        if log:
            plain_log(axes.flat[0])
        slanted = len(labels) * max(map(len, labels)) > 11 * size[0]
        last = axes.flat[-1]
        last.set_xticks(range(len(labels)), labels, rotation=25 if slanted else 0, ha="right" if slanted else "center")
        last.set_xlabel(xlabel)
        legend_above(fig, last)
        self.finish(fig, name, note)

    def marked_bars(self, name, title, ylabel, parts, note):
        """parts: {panel: {bar: (kernels, whole)}}: bars of the first, a mark at the second, on one log scale."""
        fig, axes = panels(parts, 2.4, 2.6, sharey=True)
        for ax, _, bars in axes:
            at = range(len(bars))
            ax.bar(at, [bar[0] for bar in bars.values()], 0.8, color=COLORS[0], label="kernels")
            ax.plot(at, [bar[1] for bar in bars.values()], "_", color=COLORS[1], markersize=14, markeredgewidth=2, label="end to end")
            ax.set_xticks(at, bars, rotation=60, ha="right", fontsize=7)
        first = axes[0][0]
        first.set(yscale="log", ylabel=ylabel, ylim=(min(bar[0] for bars in parts.values() for bar in bars.values()) / 2, None))
        plain_log(first)
        self.finish(fig, name, note, title, first)

    def curves(self, name, title, ylabel, xlabel, series, note, log=False, xs=None, line=None, band=None):
        """series: {name: [value or None a step]}; xs: the steps (default 0, 1, ...), on a logarithmic axis of base 2; band: the
        lowest and the highest published mean."""
        fig, ax = plt.subplots(figsize=(6.4, 4.2))
        ax.set_title(title, fontsize=10)
        ax.set(xlabel=xlabel, ylabel=ylabel)
        for i, (word, values) in enumerate(series.items()):
            style = ("-", "--", ":")[i // len(COLORS) % 3]
            at = xs[: len(values)] if xs else range(len(values))
            ax.plot(at, numbers(values), marker="o", label=word, color=COLORS[i % len(COLORS)], linestyle=style)
        if log:
            plain_log(ax)
        if xs:
            ax.set_xscale("log", base=2)
            ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        if line is not None:
            ax.axhline(line, color=DARK, linewidth=0.8)
        if band:
            ax.axhspan(*band, color=GRAY, alpha=0.2, label=f"published means, {band[0]:g} to {band[1]:g}")
        legend_above(fig, ax)
        self.finish(fig, name, note)

    def distributions(self, name, title, parts, note):
        """parts: {panel: {degree: vertices}}: a panel each, on logarithmic axes."""
        fig, axes = panels(parts, 2.3, 1.9, sharex=True, sharey=True)
        for ax, _, counts in axes:
            ax.bar(list(counts), list(counts.values()), list(counts), color=COLORS[0], align="edge", log=True)
            ax.set_xscale("log", base=2)
            ax.set_xlabel("degree")
        axes[0][0].set(ylim=(0.7, None), ylabel="vertices")
        self.finish(fig, name, note, title)

    def phases(self, name, title, parts, note):
        """parts: {panel: [(frontier, method) a level]}: the frontier by level, each method with its color."""
        fig, axes = panels(parts, 4.4, 3.0)
        methods = list(dict.fromkeys(method for levels in parts.values() for _, method in levels))
        for ax, _, levels in axes:
            for method, color in zip(methods, COLORS):
                at = [i for i, level in enumerate(levels) if level[1] == method]
                ax.plot(at, [levels[i][0] for i in at], "o", label=method, color=color)
            ax.set_yscale("log")
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
            ax.set_xlabel("level")
        axes[0][0].set_ylabel("vertices of the frontier")
        self.finish(fig, name, note, title, axes[0][0])

    def clouds(self, name, title, xlabel, ylabel, parts, note):
        """parts: {panel: [(x, y, count)]}: on logarithmic axes of base 2, a dot as large as the logarithm of its count."""
        fig, axes = panels(parts, 2.3, 2.3, sharex=True, sharey=True)
        for i, (ax, _, points) in enumerate(axes):
            xs, ys, counts = zip(*points)
            ax.set(xlabel=xlabel if i >= len(axes) - 5 else None, ylabel=ylabel if i % 5 == 0 else None)
            ax.plot([1, max(xs)], [1, max(xs)], color=GRAY, linewidth=0.8)
            ax.scatter(xs, ys, s=3 + 4 * np.log10(counts), color=COLORS[0])
            ax.set_xscale("log", base=2)
            ax.set_yscale("log", base=2)
        self.finish(fig, name, note, title)
