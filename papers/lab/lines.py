"""The measured lines, by job; what is computed of them, and how it is printed.

Two lines are compared (divided, ranked) only if they have the same commit and graph, by its hash, and only over sources
that both have; otherwise `ratio` fails, and nothing is drawn. Comparisons with a job without a line are None and
printed as "not measured"; what needs all of its lines takes them by `Lines.job`, which raises Missing.
"""

import collections
import math
import statistics

from documents import table
from graphs import key_of
from result_lines import graph_words, read_lines, seed_of

NOISE = 0.02  # relative; closer times are ties even if the spread of their runs is smaller
UNREPEATED = {"cuda": 0.02, "cpu": 0.1}  # of a line with one run a source; of the repeated ones 95 % and 11 of 13 have less
NOT = "not measured"


class Mixed(SystemExit):
    """Raised for lines that must not be on one page or in one quotient."""

    def __init__(self, text):
        super().__init__(f"draw.py: {text}")


class Missing(Exception):
    """Raised for a job without a line."""


class Lines:
    """All lines of some files. They must have, for each GPU, one driver; later lines replace earlier. The pages are about
    the GPU with the most lines, `gpu`; some figures compare `others`, also of another commit. `days`: {commit: its day}; `main`: the
    commit of most lines of a page; `read`: the jobs that `get` was asked for, with their commits where these matter."""

    def __init__(self, paths):
        self.by_device, self.read, drivers = {}, {}, {}
        for line in (line for path in paths for line in read_lines(path) if line.get("kind") == "paper"):
            device = line["device"]
            drivers.setdefault(device["name"], set()).add((device.get("driver"), device.get("cuda")))
            if "skipped" not in line:
                self.by_device.setdefault((device["kind"], device["name"]), {})[line["job"]] = line
        for name, found in drivers.items():
            if len(found) > 1:
                raise Mixed(f"lines of several drivers on {name}: {sorted(found)}")
        names = [name for kind, name in self.by_device if kind == "cuda"]
        names.sort(key=lambda name: (-len(self.by_device["cuda", name]), name))
        self.gpu, self.others = names[0] if names else None, names[1:]
        self.days = {line["commit"]: line["date"] for found in self.by_device.values() for line in found.values()}
        self.turn_to("")
        self.host = {job: line for (kind, _), found in self.by_device.items() if kind == "cpu" for job, line in found.items()}

    def turn_to(self, page):
        """`main` of the page whose jobs begin with these words, and whose machines `machines` names."""
        self.page = page
        found = collections.Counter(line["commit"] for (_, name), each in self.by_device.items() if name not in self.others
                                    for job, line in each.items() if job.startswith(page))  # fmt: skip
        self.main = max(found, key=found.get, default="")
        self.read.clear()

    def get(self, name, gpu=None):
        """The line of a job, or None."""
        line = self.by_device.get(("cuda", gpu or self.gpu), {}).get(name) or (None if gpu else self.host.get(name))
        matters = line and gpu not in self.others and not name.startswith("facts/")  # facts are the graph's
        self.read[name] = line["commit"] if matters else self.read.get(name)
        return line

    def job(self, name, gpu=None):
        found = self.get(name, gpu)
        if not found:
            raise Missing(f"no line of the job {name}")
        return found

    def each(self, prefix, columns, gpu=None):
        """{column: the line of its job}; columns: {column: the end of the job's name}, or ends of names."""
        columns = columns if isinstance(columns, dict) else {column: column for column in columns}
        return {column: self.get(f"{prefix}/{end}", gpu) for column, end in columns.items()}

    def facts(self, surrogate):
        return self.job(f"facts/{key_of(surrogate)}")

    def verified(self, page):
        """What bench_papers says of the answers of a page's lines."""
        here = [line.get("verification") for found in self.by_device.values() for job, line in found.items() if job.startswith(page + "/")]
        words = ", ".join(f"{here.count(word)} {word}" for word in sorted(filter(None, set(here)), reverse=True))
        return f"Verification of answers: {words}." if words else ""

    def commit(self):
        """The commit of all lines that were read, else of most; two are Mixed."""
        found = {commit for commit in self.read.values() if commit}
        if len(found) > 1:
            raise Mixed(f"lines of several commits: {', '.join(sorted(found))}")
        return found.pop() if found else self.main

    def jobs(self):
        """The jobs that were read, as globs."""
        found = {"/".join(name.split("/")[:2]) for name in self.read if not name.startswith("facts/")}
        return ", ".join(f"`{name}/*`" for name in sorted(found)) or "[rivals](rivals.md)"

    def machines(self):
        """The machines and driver of the page's lines, and the commit with its day."""
        words, compared = [], []
        for (kind, name), every in self.by_device.items():
            found = [line for job, line in every.items() if job.startswith(self.page)]
            if not found:
                continue
            device, at = found[0]["device"], found[0]["commit"]
            text = f"one core of an {name}" if kind == "cpu" else \
                f"{name} (driver {device['driver']}, CUDA {device['cuda']})"  # fmt: skip
            text += f" at commit {at}" if name in self.others and at != self.commit() else ""
            (compared if name in self.others else words).append(text)
        also = f"; compared with {', '.join(compared)}" if compared else ""
        return f"{', '.join(sorted(words))}{also}; commit {self.commit()}, {self.days[self.commit()]}" if words else "nothing"


# ---- comparisons ----------------------------------------------------------------------------------


def sources_of(line):
    return list(dict.fromkeys(run["source"] for run in line["runs"]))


def common_sources(lines):
    """The sources that all lines have; fails for different graphs, or commits on one machine, or if sources of one are not
    among another's."""
    lines = list(lines)
    if len({line["graph"]["hash"] for line in lines}) > 1:
        raise Mixed("a join of different graphs: " + ", ".join(f"{x['job']} ({x['graph']['name']})" for x in lines))
    gpus = {line["device"].get("name") for line in lines if line["device"]["kind"] == "cuda"}
    if len({line.get("commit") for line in lines}) > 1 and len(gpus) < 2:
        raise Mixed("a join of different commits: " + ", ".join(line["job"] for line in lines))
    sets = [set(sources_of(line)) for line in lines]
    smallest = min(sets, key=len)
    if not smallest or any(not smallest <= each for each in sets):
        raise Mixed("a join of different sources: " + ", ".join(line["job"] for line in lines))
    return smallest


def times(line, sources=None):
    """Milliseconds of the runs, in order."""
    return [run["traverse_ns"] * 1e-6 for run in line["runs"] if sources is None or run["source"] in sources]


def median_ms(line, sources=None):
    return statistics.median(times(line, sources))


def ratio(above, below):
    """Median time of `above` / median time of `below`, over the sources that both have; None without a line."""
    if not above or not below:
        return None
    sources = common_sources([above, below])
    return median_ms(above, sources) / median_ms(below, sources)


def ratios(found, above, below):
    """The ratio of two columns, for each {column: line}."""
    return [ratio(each[above], each[below]) for each in found]


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def spread(values):
    """Half the distance between the quartiles, relative to the median."""
    low, high = quartiles(values)
    return (high - low) / 2 / statistics.median(values)


def noise(line):
    """The spread over the runs of one source, the median over the sources: the noise of a repetition."""
    found = [each for each in (times(line, {source}) for source in sources_of(line)) if len(each) > 2]
    return statistics.median(map(spread, found)) if found else UNREPEATED[line["device"]["kind"]]


def is_tie(a, b):
    """Whether the times differ by less than 2 %, or than the noise of both; or the sources disagree about the order: 0 is
    between the quartiles of their logarithms."""
    if abs(math.log(ratio(a, b))) < max(NOISE, noise(a) + noise(b)):
        return True
    low, high = quartiles([math.log(median_ms(a, {source}) / median_ms(b, {source})) for source in common_sources([a, b])])
    return low < 0 < high


def faster(a, b):
    """Whether `a` takes less time; None for a tie, or without a line."""
    return None if not a or not b or is_tie(a, b) else ratio(a, b) < 1


def ascending(found):
    """{name: line} -> the names with a line, by their medians over common sources."""
    found = {name: line for name, line in found.items() if line}
    sources = common_sources(found.values()) if found else ()
    return sorted(found, key=lambda name: median_ms(found[name], sources))


def fastest(found):
    """{name: line} -> the names of the fastest and of those that tie with it."""
    names = ascending(found)
    return [name for name in found if name in names and (name == names[0] or is_tie(found[name], found[names[0]]))]


def ranking(found):
    """{name: line} -> 'a < b = c < d': ascending, `=` between neighbors that tie."""
    names = ascending(found)
    signs = [" = " if is_tie(found[a], found[b]) else " < " for a, b in zip(names, names[1:])]
    return "".join(word for pair in zip(names, [*signs, ""]) for word in pair)


def some(found, jobs):
    """What was found of these jobs; raises Missing if that is nothing."""
    if not found:
        raise Missing(f"no line of {jobs}")
    return found


def complete(found):
    """{graph: {column: line}} -> the graphs that have all lines."""
    return {name: each for name, each in found.items() if all(each.values())}


def mteps(line):
    """Millions of edges of the reached component a second (an undirected edge counts once), harmonic mean."""
    half = 1 if line["graph"]["directed"] else 2
    return statistics.harmonic_mean([run["reached_edges"] / half * 1e3 / run["traverse_ns"] for run in line["runs"]])


def run_median(line, key):
    return statistics.median(run[key] for run in line["runs"])


def counter(line, key):
    """A counter of the first run; 0 if it has none."""
    return line["runs"][0].get("counters", {}).get(key) or 0


def present(values):
    return some([value for value in values if value is not None], "any of its jobs")


def geometric_mean(values):
    return statistics.geometric_mean(present(values))


def mean(values):
    return statistics.mean(present(values))


# ---- words ----------------------------------------------------------------------------------------


def ms(x):
    """Three digits."""
    return f"{x:.3g}" if x < 1000 else f"{x:,.0f}"


def timed(line, sources=0):
    """The median with the spread of all runs; [2]: it has two sources, less than that number."""
    if not line:
        return NOT
    found, have = times(line), len(sources_of(line))
    return ms(median_ms(line)) + (f" ±{spread(found) * 100:.0f} %" if len(found) > 1 else "") + (f" [{have}]" if have < sources else "")


def given(x):
    """A published figure, as printed in the paper."""
    return "-" if x is None else x if isinstance(x, str) else f"{x:.10g}"


def fold(x):
    """Times as fast."""
    return NOT if x is None else f"{x:.2f}x" if x < 10 else f"{x:.1f}x" if x < 100 else f"{x:.0f}x"


def range_of(values, form="{:.1f}"):
    found = present(values)
    return f"{form.format(min(found))} to {form.format(max(found))}"


def graph_of(line):
    """The graph in words, with its seed."""
    name, shape = line["graph"]["name"], line["shape"].split()
    words = graph_words(name)
    words += f", every edge a path of {shape[shape.index('-k') + 1]}" if "-k" in shape else ""
    words += ", a self-loop at every vertex" if "-l" in shape else ""
    return words + (f", seed {seed_of(name)}" if seed_of(name) else "")


FACTS = ["graph", "", "V, M", "E, M", "diameter", "mean degree", "deviation", "maximum degree", "degree 0", "distance"]


def without_edges(line):
    """The share of the vertices that have no edge (no out-edge, if directed), of a line of facts."""
    return f"{sum(each['vertices'] for each in line['degree_histogram'] if each['low'] == 0) / line['n'] * 100:.0f} %"


def facts_table(lines, surrogates, published):
    """Paper's graphs and surrogates. published: {graph: (V and E in millions, diameter, mean degree, deviation, maximum
    degree)}. Distance: the root mean square of the logarithms of the ratios."""
    rows = []
    for surrogate in surrogates:
        line, theirs = lines.facts(surrogate), published[surrogate.original]
        vertices, edges, diameter, _, deviation, max_degree = theirs
        pairs = [(line["n"] * 1e-6, vertices), (line["m"] * 1e-6, edges), (line["diameter_lower_bound"], diameter),
                 (line["degree_stddev"] + 1, deviation + 1), (line["degree_max"], max_degree)]  # fmt: skip
        away = math.sqrt(sum(math.log(a / b) ** 2 for a, b in pairs) / len(pairs))
        rows.append([surrogate.original, "published", *map(given, theirs), "", ""])
        rows.append([graph_of(line), "surrogate", f"{pairs[0][0]:.3g}", f"{pairs[1][0]:.3g}", f">= {line['diameter_lower_bound']}",
                     f"{line['degree_mean']:.1f}", f"{line['degree_stddev']:.1f}", line["degree_max"],
                     without_edges(line), f"{away:.2f}"])  # fmt: skip
    return table(FACTS, rows)


def work_table(found):
    """Edges that counting kernels examined, and those that leave reached vertices; and the highest quotient of the two."""
    pairs = [(line, line["runs"][0]["edges_examined"], line["runs"][0]["reached_edges"]) for line in found]
    rows = [[graph_of(line), f"{ours:,}", f"{edges:,}", f"{ours / edges:.3f}"] for line, ours, edges in pairs]
    return table(["graph", "edges examined", "edges of reached vertices", "quotient"], rows), max(ours / edges for _, ours, edges in pairs)


def knobs_table(columns):
    """columns: {heading: (strategy, knobs)}: what each column was run with."""
    rows = [[head, f"`{row}`", f"`{text}`" if text else "fringe's defaults"] for head, (row, text) in columns.items()]
    return table(["column", "strategy", "knobs"], rows)
