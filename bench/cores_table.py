#!/usr/bin/env python3
"""Writes the tables of docs/results/cores.md, BFS and SSSP of fringe and of other programs by number of threads, from
bench/results/cores.jsonl; `--check` only compares. readme_table.py takes three numbers of threads for docs/performance.md.

Usage: bench/cores_table.py [--check] [--page FILE] [--results FILE]

A line has the times of a program by number of threads and round; in a round all ask from one source, in turns.
"""

import argparse
import os
import sys
from statistics import median, quantiles

from documents import filled, table, update, wrapped
from result_lines import GRAPHS, RESULTS, read_lines
from scaling_table import ms

ROOT = os.path.normpath(os.path.join(os.path.dirname(RESULTS), os.pardir))
NAMES = {"fringe": "fringe", "gapbs": "GAPBS", "pasgal": "PASGAL", "pasgal-rho": "PASGAL, rho", "pasgal-delta": "PASGAL, delta",
         "wasp": "Wasp", "queue": "a queue", "dial": "Dial's buckets", "heap": "a heap", "fringe-first": "fringe, first answer"}  # fmt: skip
OURS, PLAIN = ("fringe", "fringe-first"), ("queue", "dial", "heap")
PROBLEMS = {("int", "bfs"): "BFS", ("int", "sssp"): "SSSP", ("f64", "sssp"): "SSSP, float64"}


class Cores:
    """{(weights, problem, graph): {(program, threads): {round: ms}}}; exits when two lines are of one thing."""

    def __init__(self, path):
        self.cases, self.used, self.machines = {}, {}, {}
        lines = [line for line in read_lines(path) if line.get("kind") == "cores"]
        for problem in PROBLEMS:
            for graph in GRAPHS:
                for line in lines:
                    if (line["weights"], line["problem"], line["graph"]) == (*problem, graph):
                        self.add((*problem, graph), line, path)
        self.threads = sorted({int(threads) for line in lines for threads in line["times"]})

    def add(self, case, line, path):
        name = "heap" if (case[0], line["program"]) == ("f64", "dial") else line["program"]
        for threads, times in line["times"].items():
            if self.cases.setdefault(case, {}).setdefault((name, int(threads)), times) is not times:
                raise SystemExit(f"{path}: two lines of {case}, {name}, {threads} threads")
            self.used[case, name, int(threads)] = line.get("used", {}).get(threads, int(threads))
        where = f"{line['cores']} cores of an {line['cpu']}, commit {line['commit']}, {line['date']}"
        self.machines.setdefault(where, set()).add(line["graph"])

    def machine(self):
        several = len(self.machines) > 1
        return "; ".join(where + (f": {', '.join(sorted(graphs))}" if several else "") for where, graphs in self.machines.items())


def ratios(ours, other):
    """Of one to the other in the rounds of both, if these are at least half of one's, else of the medians: the median and,
    of several, the quartiles."""
    both = [ours[r] / other[r] for r in ours if r in other]
    if not both or 2 * len(both) < min(len(ours), len(other)):
        both = [median(ours.values()) / median(other.values())]
    quarters = quantiles(both, n=4, method="inclusive")[::2] if len(both) > 1 else []
    return [median(both), *quarters]


def spread(values):
    return f"{values[0]:.2f}" + (f" ({values[1]:.2f} to {values[2]:.2f})" if len(values) > 1 else "")


def best_of(times, names, threads):
    """(ms, key) of the fastest of these programs with that many threads, a plain one with its one."""
    keys = [key for key in times if key[0] in names and (key[1] == threads or key[0] in PLAIN)]
    return min(((median(times[key].values()), key) for key in keys), default=(None, None))


def against(times, ours, threads):
    """(key of the fastest other program, ratios to it); None where one of the two has no time."""
    _, other = best_of(times, set(NAMES) - set(OURS), threads)
    return (other, ratios(times[ours, threads], times[other])) if other and (ours, threads) in times else None


def fewer(times, threads):
    """fringe: ratios to the best of fewer threads; None where one of the two has no time."""
    best = min(((median(x.values()), key) for key, x in times.items() if key[0] == "fringe" and key[1] < threads), default=None)
    return ratios(times["fringe", threads], times[best[1]]) if best and ("fringe", threads) in times else None


def label(case):
    return f"{PROBLEMS[case[:2]]}: {GRAPHS[case[2]]}"


def names_of(cores, problem):
    return [name for name in NAMES if any(key[0] == name for case, times in cores.cases.items() if case[:2] == problem for key in times)]


def samples(cores):
    """How many cells have a time, and of how many rounds."""
    rounds = [len(x) for times in cores.cases.values() for x in times.values()]
    cells = sum(1 if name in PLAIN else len(cores.threads) for case in cores.cases for name in names_of(cores, case[:2]))
    return (f"Of {cells} cells (a graph, problem, program and number of threads) {len(rounds)} have a time: {rounds.count(1)} of one "
            f"round, {rounds.count(2)} of two, {sum(n > 2 for n in rounds)} of 3 to {max(rounds)}.")  # fmt: skip


def first_rows(cores, problem, threads):
    """Where fringe's time is at most that of every other program that has one; of the rest: the ratio and which."""
    found = [(case, against(times, "fringe", threads)) for case, times in cores.cases.items() if case[:2] == problem]
    found = [(GRAPHS[case[2]], x[1][0], x[0]) for case, x in found if x]
    first = [graph for graph, ratio, _ in found if ratio <= 1]
    rest = [f"{graph} {ratio:.2f} ({NAMES[other[0]]})" for graph, ratio, other in found if ratio > 1]
    return [PROBLEMS[problem], threads, f"{len(first)} of {len(found)}", "; ".join(first), "; ".join(rest)]


def slower_rows(cores, problem, threads):
    """Where fringe takes more than 1.05 of the best of fewer threads, and how many it used."""
    found = [(case, fewer(times, threads)) for case, times in cores.cases.items() if case[:2] == problem]
    found = [(case, x[0]) for case, x in found if x]
    slow = [f"{GRAPHS[case[2]]} {ratio:.2f} ({cores.used[case, 'fringe', threads]})" for case, ratio in found if ratio > 1.05]
    return [PROBLEMS[problem], threads, f"{len(slow)} of {len(found)}", "; ".join(slow)]


def alone(cores, threads):
    """Comparisons in which a program of the problem has no time, and all of them."""
    found = [[(name, t) in times for name in names_of(cores, case[:2]) if name not in (*OURS, *PLAIN)]
             for case, times in cores.cases.items() for t in threads if against(times, "fringe", t)]  # fmt: skip
    return sum(not all(each) for each in found), len(found)


def shown(cores):
    """The numbers of threads that summaries have."""
    return [t for t in (1, 4, 16, 32, 60) if t in cores.threads]


def summary(cores):
    threads = shown(cores)
    problems = [problem for problem in PROBLEMS if names_of(cores, problem)]
    found = [against(times, "fringe-first", t) for times in cores.cases.values() for t in cores.threads]
    first = [x[1][0] <= 1 for x in found if x]
    text = "In {} of these {} comparisons one or more of the other programs have no time.".format(*alone(cores, threads))
    text += f" First answers, with any number of threads: first in {sum(first)} of {len(first)}."
    heads = ["fringe", "threads", "first", "where", "elsewhere: time / the fastest other program's"]
    rows = [first_rows(cores, problem, t) for problem in problems for t in threads]
    slow = [slower_rows(cores, problem, t) for problem in problems for t in cores.threads[1:]]
    more = ["fringe", "threads", "slower", "where: time / the best of fewer threads (threads used)"]
    return wrapped(samples(cores)) + table(heads, rows) + "\n" + wrapped(text) + table(more, slow)


def times_table(cores):
    """A row per case and program; the fastest with each number of threads, of several, in bold."""
    rows = []
    for case, times in cores.cases.items():
        here = {t: [median(x.values()) for (name, n), x in times.items() if n == t and name != "fringe-first"] for t in cores.threads}
        for name in [name for name in NAMES if any(key[0] == name for key in times)]:
            found = [(t, median(times[name, t].values())) if (name, t) in times else None for t in cores.threads]
            bold = [x and len(here[x[0]]) > 1 and x[1] == min(here[x[0]]) for x in found]
            cells = ["" if not x else f"**{ms(x[1])}**" if best else ms(x[1]) for x, best in zip(found, bold, strict=True)]
            rows.append([label(case), NAMES[name], *cells])
    return wrapped(f"{cores.machine()}.") + table(["ms", "program", *cores.threads], rows)


def fewer_table(cores):
    """fringe: time / the best of fewer threads."""
    rows = []
    for case, times in cores.cases.items():
        found = [fewer(times, t) for t in cores.threads[1:]]
        rows.append([label(case), *[spread(x) if x else "" for x in found]])
    return table(["time / the best of fewer threads", *cores.threads[1:]], rows)


def behind_table(cores):
    """Where fringe takes more than 1.02 of the fastest other program."""
    found = [(case, ours, t, against(times, ours, t)) for case, times in cores.cases.items() for ours in OURS for t in cores.threads]
    found = [x for x in found if x[3]]
    rows = []
    for case, ours, t, (other, ratio) in found:
        if ratio[0] > 1.02:
            mine, its = (ms(median(cores.cases[case][key].values())) for key in ((ours, t), other))
            rows.append([label(case), NAMES[ours], t, mine, its, NAMES[other[0]], spread(ratio)])
    heads = ["", "program", "threads", "ms", "fastest other, ms", "which", "ratio"]
    return wrapped(f"{len(rows)} of {len(found)} medians.") + table(heads, rows)


def short_table(cores):
    """fringe and the fastest other program on one thread and for the two largest numbers of threads of a summary."""
    rows, threads = [], sorted({1, *shown(cores)[-2:]})
    for case, times in cores.cases.items():
        cells = []
        for t in threads:
            other, key = best_of(times, set(NAMES) - set(OURS), t)
            here = times.get(("fringe", t))
            cells += [ms(median(here.values())) if here else "", f"{ms(other)} ({NAMES[key[0]]})" if key else ""]
        rows.append([label(case), *cells])
    heads = [head for t in threads for head in (f"{t} thread{'s' if t > 1 else ''}", "fastest other")]
    return table(["CPU: ms", *heads], rows) + "\n" + wrapped(f"Medians on {cores.machine()}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--page", default=os.path.join(ROOT, "docs", "results", "cores.md"))
    parser.add_argument("--results", default=os.path.join(RESULTS, "cores.jsonl"))
    options = parser.parse_args()
    cores = Cores(options.results)
    blocks = {"summary": summary(cores), "times": times_table(cores), "fewer": fewer_table(cores), "behind": behind_table(cores)}
    return update({options.page: filled(options.page, blocks)}, options.check, "bench/cores_table.py")


if __name__ == "__main__":
    sys.exit(main())
