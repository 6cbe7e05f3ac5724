"""UIUC-BFS (Luo, Wong, Hwu, DAC 2010): Tables 1 to 3."""

from documents import table
from graphs import PUBLISHED
from jobs import UIUC_FORMS
from lines import Missing, fold, given, graph_of, knobs_table, present, range_of, ratio, ratios, timed
from page import figure, verdict

UIUC = PUBLISHED["uiuc"]
HEADS = ["surrogate", "IIIT-BFS", "CPU-BFS", "UIUC-BFS", "Sp.", "`simple`", "`serial`", "`hier-queue`, published form",
         "Sp.", "`hier-queue`", "Sp.", "`auto`"]  # fmt: skip


def found_of(lines, item):
    return {label: lines.each(f"uiuc-bfs/{item}/{label}", (*UIUC_FORMS, "serial")) for label in UIUC[item]}


def row_of(label, each, published):
    row = [label, graph_of(next(filter(None, each.values()))), *map(given, published), f"{published[1] / published[2]:.1f}"]
    row += [timed(each["simple"]), timed(each["serial"])]
    for form in ("published", "hier-queue"):
        row += [timed(each[form]), fold(ratio(each["serial"], each[form]))]
    return [*row, timed(each["auto"])]


def times_table(lines, item, head):
    """The table, and the speeds of the published form and of `simple` over one core."""
    found = found_of(lines, item)
    if not any(line for each in found.values() for line in each.values()):
        raise Missing(f"no line of uiuc-bfs/{item}")
    rows = [row_of(label, each, UIUC[item][label]) for label, each in found.items()]
    speeds = (present(ratios(found.values(), "serial", form)) for form in ("published", "simple"))
    return table([head, *HEADS], rows), *speeds


def slower_than_core(simple):
    """The claim that IIIT-BFS is slower than one core."""
    lost = sum(x < 1 for x in simple)
    return f"on {lost} of {len(simple)}", verdict(lost == len(simple), lost > 0)


@figure("uiuc-bfs", "t1", claims=3)
def regular(lines, _):
    text, speed, simple = times_table(lines, "t1", "#vertices")
    first, last = speed[0], speed[-1]
    return text, [
        (f"{range_of(speed)} times", verdict(min(speed) > 1)),
        (f"{first:.1f} at 1M, {last:.1f} at 10M", verdict(last > 1.5 * first, last > 1.1 * first)),
        slower_than_core(simple),
    ]


@figure("uiuc-bfs", "t2", claims=2)
def roads(lines, _):
    text, speed, simple = times_table(lines, "t2", "network")
    return text, [slower_than_core(simple), (f"{range_of(speed)} times", verdict(min(speed) > 1))]


@figure("uiuc-bfs", "t3", claims=2)
def scale_free(lines, _):
    text, speed, _simple = times_table(lines, "t3", "#vertices")
    over = present(ratios(found_of(lines, "t3").values(), "simple", "published"))
    return text, [
        (f"{range_of(speed, '{:.0f}')} times as fast", verdict(max(speed) < 1.5)),
        (f"{range_of(over)} times", verdict(min(over) > 1.3, min(over) > 1)),
    ]


@figure("uiuc-bfs", "knobs")
def knobs(_lines, _plots):
    names = {"simple": "`simple`", "serial": "`serial`", "published": "`hier-queue`, published form", "hier-queue": "`hier-queue`",
             "auto": "`auto`"}  # fmt: skip
    return knobs_table({head: UIUC_FORMS.get(form, (form, "")) for form, head in names.items()})
