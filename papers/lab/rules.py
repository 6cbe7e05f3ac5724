"""The rules of the verdicts, as papers/pages/README.md states them. A rule returns (what was measured, the rule with the
published figure, the verdict).

True, False and None, a tie, are what `lines.faster` says. A value has to pass a threshold by its noise.
"""

import statistics

from lines import NOISE, faster, fold, noise, some

REPRODUCED, WEAKER, CONTRADICTED = "reproduced", "weaker", "contradicted"
OPEN = "not measured yet"
VERDICTS = (REPRODUCED, WEAKER, CONTRADICTED, OPEN)


def passes(value, reproduced, weaker):
    return REPRODUCED if value >= reproduced else WEAKER if value >= weaker else CONTRADICTED


def joined(*words):
    return "; ".join(filter(None, words))


def count(held, words="", published=None):
    """A statement about several graphs, or of several parts: whether each holds. published: on how many; None: all."""
    held = some(list(held), "any of its jobs")
    least, here = len(held) if published is None else published, held.count(True)
    ties = f" (ties: {held.count(None)})" if None in held else ""
    text = f"holds on {here} of {len(held)}{ties}" if len(held) > 1 else {True: "holds", False: "does not hold", None: "a tie"}[held[0]]
    return joined(text, words), f"count: {least} of {len(held)}", passes(here, least, least / 2)


def gain(values, published, unsure, words=""):
    """A factor, or several of which the worst decides. unsure: their relative noise."""
    values, published = ([x] if isinstance(x, float) else list(x) for x in (values, published))
    lows = [x / (1 + unsure) - 1 for x in values]
    found = [passes(low, max((p - 1) / 2, NOISE), max((p - 1) / 10, NOISE)) for low, p in zip(lows, published)]
    text = ", ".join(map(fold, values)) + (f" (±{100 * unsure:.1f} %)" if unsure else "")
    return joined(text, words), f"gain: {', '.join(map(fold, published))}", max(found, key=VERDICTS.index)


def amount(values, published, unit="", better=0, words=""):
    """A quantity, or several. better: 1 if more than published is as good as published, -1 if less is."""
    values, published = ([x] if isinstance(x, (int, float)) else list(x) for x in (values, published))
    found = []
    for value, theirs in zip(values, published):
        away = max(value / theirs, theirs / value)
        found.append(REPRODUCED if (value - theirs) * better > 0 else passes(-away, -1.25, -2))
    bound = {1: " or more", -1: " or less", 0: ""}[better]
    text = ", ".join(f"{x:.3g}" for x in values) + unit
    return joined(text, words), f"amount: {', '.join(f'{x:.3g}' for x in published)}{unit}{bound}", max(found, key=VERDICTS.index)


def best(found, name, others):
    """Whether the line of `name` is faster than each of the others: None if it ties with one and none is faster."""
    each = [faster(found[name], found[other]) for other in others]
    return False if False in each else None if None in each else True


def group_best(found, group):
    """Whether one of a group is faster than all outside of it."""
    each = [best(found, name, [other for other in found if other not in group]) for name in group]
    return True if True in each else None if None in each else False


def same_order(a, b, published):
    """Whether the line `a` is faster than `b`, as it was if `published`; None for a tie."""
    here = faster(a, b)
    return None if here is None else here == published


def by_noise(value, other, unsure):
    """Whether a value is above another one; None if they differ by less than `unsure`, relative to the other."""
    return None if abs(value - other) <= unsure * abs(other) else value > other


def unsure(pairs):
    """The noise of a mean of quotients of lines: that of both lines, the mean over the pairs."""
    return statistics.mean([noise(a) + noise(b) for a, b in pairs if a and b] or [0])
