"""First answers on CPUs compared with other programs, from the lines of bench/compare_first_answer.py, for documents."""

from result_lines import graph_words, parameters

OURS = ("fringe, first answer", "fringe, last answer", "fringe, last traversal")
OTHERS = {"gapbs": "GAPBS", "dial": "Dial's buckets", "plain queue": "plain queue"}
HEADS = ["first call", "tenth call", "its traversal", "fastest other"]


def ms(x):
    """Three digits."""
    return f"{x:.2f}" if x < 10 else f"{x:.1f}" if x < 100 else f"{x:.0f}"


class Report:
    """The times and ratios of one problem and graph, of a line."""

    def __init__(self, line):
        self.problem, self.graph, self.ms, self.ratio = (line[key] for key in ("problem", "graph", "ms", "ratio"))

    def best_of(self, name):
        """The least time of another program over its parameters; None: it did not run."""
        return min((x for key, x in self.ms.items() if key.split(" delta ")[0] == name), default=None)

    def others(self):
        return {words: self.best_of(name) for name, words in OTHERS.items() if self.best_of(name)}

    def words(self):
        family, given = parameters(self.graph)
        return f"Kronecker, scale {given['scale']}" if family == "kronecker" else graph_words(self.graph).split(",")[0]

    def cells(self):
        others = self.others()
        best = min(others, key=others.get)
        return [*(ms(self.ms[name]) for name in OURS), f"{ms(others[best])} ({best})"]

    def slower(self):
        """'SSSP on Kronecker, scale 20 (first call 1.11)', or nothing."""
        parts = [f"{head} {self.ratio[name]:.2f}" for head, name in zip(HEADS[:2], OURS) if self.ratio[name] > 1]
        return f"{self.problem.upper()} on {self.words()} ({', '.join(parts)})" if parts else ""


def long(reports):
    """(heads, rows): a row for each report."""
    heads = ["On two CPU cores: ms", *HEADS]
    return heads, [[f"{report.problem.upper()}: {report.words()}", *report.cells()] for report in reports]


def wide(reports):
    """(heads, rows): a row for each graph, with the first calls."""
    problems = sorted({report.problem for report in reports})
    rows = {}
    for problem in problems:
        for report in reports:
            if report.problem == problem:
                first, *_, other = report.cells()
                rows.setdefault(report.words(), []).extend([first, other])
    heads = [head for problem in problems for head in (problem.upper(), HEADS[-1])]
    return ["First call on two CPU cores: ms", *heads], [[words, *cells] for words, cells in rows.items()]


def slower(reports):
    """Where fringe takes longer than the fastest other program, as a sentence."""
    cases = [words for words in (report.slower() for report in reports) if words]
    if not cases:
        return ""
    return f" fringe is slower than the fastest other (median ratio): {'; '.join(cases)}."
