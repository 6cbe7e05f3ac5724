"""UIUC-BFS (Luo, Wong, Hwu, DAC 2010): Tables 1 to 3, and the work that the abstract claims."""

from documents import table
from graphs import PUBLISHED
from jobs import UIUC_FORMS
from lines import (faster, fold, geometric_mean, given, graph_of, knobs_table, present, range_of, ratio,
                   ratios, some, timed, work_table)  # fmt: skip
from page import figure
from rules import amount, count, gain, unsure

UIUC = PUBLISHED["uiuc"]
HEADS = ["surrogate", "IIIT-BFS", "CPU-BFS", "UIUC-BFS", "Sp.", "`simple`", "`serial`", "`hier-queue`, published form",
         "Sp.", "`hier-queue`", "Sp.", "`auto`"]  # fmt: skip


def row_of(label, each, published, sources):
    row = [label, graph_of(next(filter(None, each.values()))), *map(given, published), f"{published[1] / published[2]:.1f}"]
    row += [timed(each["simple"], sources), timed(each["serial"], sources)]
    for form in ("published", "hier-queue"):
        row += [timed(each[form], sources), fold(ratio(each["serial"], each[form]))]
    return [*row, timed(each["auto"], sources)]


def times_table(lines, item, head, sources):
    """The table, {label: {form: line}} and the speeds of the published form over one core."""
    found = {label: lines.each(f"uiuc-bfs/{item}/{label}", (*UIUC_FORMS, "serial")) for label in UIUC[item]}
    rows = [row_of(label, each, UIUC[item][label], sources) for label, each in found.items() if any(each.values())]
    some(rows, f"uiuc-bfs/{item}")
    return table([head, *HEADS], rows), found, present(ratios(found.values(), "serial", "published"))


def ahead(found, first, second, words=""):
    return count([faster(each[first], each[second]) for each in found.values()], words)


@figure("uiuc-bfs", "t1", ("CPU-BFS on all regular", "gain grows", "CPU-BFS (section 4, Table 1)"))
def regular(lines, _):
    text, found, speed = times_table(lines, "t1", "#vertices", 1)
    theirs = [core / ours for _, core, ours in UIUC["t1"].values()]
    ends = [(found[label]["serial"], found[label]["published"]) for label in ("1M", "10M")]
    return text, [
        ahead(found, "published", "serial", f"{range_of(speed)} times"),
        gain(speed[-1] / speed[0], theirs[-1] / theirs[0], 2 * unsure(ends), f"{speed[0]:.1f} at 1M, {speed[-1]:.1f} at 10M"),
        ahead(found, "serial", "simple"),
    ]


@figure("uiuc-bfs", "t2", ("CPU-BFS (section 4, Table 2)", "on road networks"))
def roads(lines, _):
    text, found, speed = times_table(lines, "t2", "network", 4)
    return text, [ahead(found, "serial", "simple"), ahead(found, "published", "serial", f"{range_of(speed)} times")]


@figure("uiuc-bfs", "t3", ("close to CPU-BFS", "much faster than IIIT-BFS"))
def scale_free(lines, _):
    text, found, speed = times_table(lines, "t3", "#vertices", 4)
    over, theirs = present(ratios(found.values(), "simple", "published")), list(UIUC["t3"].values())
    pairs = [(each["simple"], each["published"]) for each in found.values()]
    return text, [
        amount(geometric_mean(speed), geometric_mean([core / ours for _, core, ours in theirs]), " times as fast", -1,
               range_of(speed, "{:.0f}")),
        gain(geometric_mean(over), geometric_mean([iiit / ours for iiit, _, ours in theirs]), unsure(pairs),
             f"{', '.join(map(fold, over))} at 1M, 5M, 10M"),
    ]  # fmt: skip


@figure("uiuc-bfs", "work", ("complexity of the sequential",))
def work(lines, _):
    text, most = work_table([lines.job(f"uiuc-bfs/work/{label}") for label in UIUC["t1"]])
    return text, [amount(most, 1, " times the edges reached", -1)]


@figure("uiuc-bfs", "knobs")
def knobs(_lines, _plots):
    forms = {"simple": UIUC_FORMS["simple"], "serial": ("serial", ""), **UIUC_FORMS}
    return knobs_table({"`hier-queue`, published form" if form == "published" else f"`{form}`": row for form, row in forms.items()})
