"""The measured lines of one commit, by job; comparisons of lines, and their conditions in words.

Two lines are compared (divided, ranked) only if they have the same graph, by its hash, and only over sources
that both have; otherwise `ratio` and `alike` fail, and nothing is drawn.
"""

import math
import statistics

from result_lines import graph_words, read_lines, seed_of

NOISE = 0.02  # relative; closer times are ties even if the spread of their runs is smaller


class Mixed(SystemExit):
    """Raised for lines that must not be on one page or in one quotient."""

    def __init__(self, text):
        super().__init__(f"papers_draw.py: {text}")


class Lines:
    """All lines of some files. They must have one commit and, for each GPU, one driver; later lines replace earlier."""

    def __init__(self, paths):
        self.by_gpu, self.host, self.skipped = {}, {}, {}
        commits, drivers = {}, {}
        for path in paths:
            for line in read_lines(path):
                if line.get("kind") == "paper":
                    self.add(line)
                    commits.setdefault(line.get("commit"), path)
                    device = line.get("device", {})
                    if device.get("kind") == "cuda":
                        drivers.setdefault(device["name"], set()).add((device["driver"], device["cuda"]))
        if len(commits) > 1:
            raise Mixed("lines of several commits: " + ", ".join(f"{c} in {f}" for c, f in commits.items()))
        for name, found in drivers.items():
            if len(found) > 1:
                raise Mixed(f"lines of several drivers on {name}: {sorted(found)}")
        # the pages are about the GPU with the most lines; Fig. 16 of XBFS compares the others
        self.gpu = max(self.by_gpu, key=lambda name: len(self.by_gpu[name]), default=None)

    def add(self, line):
        device = line.get("device", {})
        place = self.host if device.get("kind") == "cpu" else self.by_gpu.setdefault(device.get("name"), {})
        if "skipped" in line:
            self.skipped[line["job"]] = line["skipped"]
        else:
            place[line["job"]] = line

    def job(self, name, gpu=None):
        """The line of a job that ran, else None."""
        return self.by_gpu.get(gpu or self.gpu, {}).get(name) or (None if gpu else self.host.get(name))

    def upload_ns(self, line):
        """Returns the upload time of a line's graph, which the first solver of the process made for all others."""
        here = self.by_gpu.get(self.gpu, {}).values()
        return max(each.get("upload_ns", 0) for each in here if each.get("graph", {}).get("hash") == graph_key(line))

    def others(self):
        """The names of the other GPUs."""
        return sorted(name for name in self.by_gpu if name != self.gpu)


# ---- joins ----------------------------------------------------------------------------------------


def graph_key(line):
    return line["graph"]["hash"]


def alike(lines):
    """The lines that are not None; fails unless all of them are of one graph."""
    found = [line for line in lines if line]
    keys = {graph_key(line) for line in found}
    if len(keys) > 1:
        raise Mixed("a join of different graphs: " + ", ".join(f"{x['job']} ({x['graph']['name']})" for x in found))
    return found


def sources_of(line):
    return list(dict.fromkeys(run["source"] for run in line["runs"]))


def common_sources(lines):
    """The sources that all lines have; fails if those of one line are not among those of another."""
    sets = [set(sources_of(line)) for line in alike(lines)]
    smallest = min(sets, key=len)
    if not smallest or any(not smallest <= each for each in sets):
        raise Mixed("a join of different sources: " + ", ".join(line["job"] for line in lines if line))
    return smallest


def times(line, sources=None):
    """Milliseconds of the runs, in order."""
    return [run["traverse_ns"] * 1e-6 for run in line["runs"] if sources is None or run["source"] in sources]


def median_ms(line, sources=None):
    """The median traversal time, or None."""
    return statistics.median(times(line, sources)) if line and line.get("runs") else None


def ratio(above, below):
    """Median time of `above` / that of `below`, over the sources that both have; None without a line."""
    if not above or not below:
        return None
    sources = common_sources([above, below])
    return median_ms(above, sources) / median_ms(below, sources)


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def spread(line):
    """Half the distance between the quartiles of all runs, relative to the median; None for one run."""
    found = times(line)
    if len(found) < 2:
        return None
    low, high = quartiles(found)
    return (high - low) / 2 / statistics.median(found)


def noise(line):
    """Returns the same over the runs of one source, the median over the sources: the noise of a repetition."""
    found = []
    for source in sources_of(line):
        each = times(line, {source})
        if len(each) > 2:
            low, high = quartiles(each)
            found.append((high - low) / 2 / statistics.median(each))
    return statistics.median(found) if found else 0.0


def is_tie(a, b):
    """Returns whether the times differ by less than the noise of a repetition, or by less than 2 %."""
    return abs(math.log(ratio(a, b))) < max(NOISE, noise(a) + noise(b))


def fastest(found):
    """{name: line} -> the names of the fastest and of those that tie with it."""
    found = {name: line for name, line in found.items() if line}
    sources = common_sources(found.values())
    best = min(found, key=lambda name: median_ms(found[name], sources))
    return [name for name in found if name == best or is_tie(found[name], found[best])]


def ranking(found):
    """{name: line} -> 'a < b = c < d': ascending, `=` between neighbors that tie."""
    found = {name: line for name, line in found.items() if line}
    sources = common_sources(found.values())
    names = sorted(found, key=lambda name: median_ms(found[name], sources))
    text = names[0]
    for before, name in zip(names, names[1:]):
        text += (" = " if is_tie(found[before], found[name]) else " < ") + name
    return text


def mteps(line):
    """Millions of edges of the reached component a second (an undirected edge counts once), harmonic mean."""
    half = 1 if line["graph"]["directed"] else 2
    return statistics.harmonic_mean([run["reached_edges"] / half * 1e3 / run["traverse_ns"] for run in line["runs"]])


def run_median(line, key):
    return statistics.median(run[key] for run in line["runs"]) if line and line.get("runs") else None


def counter(line, key):
    """A counter of the first run, or None."""
    return line["runs"][0].get("counters", {}).get(key) if line else None


def geometric_mean(values):
    found = [value for value in values if value]
    return statistics.geometric_mean(found) if found else None


def mean(values):
    found = [value for value in values if value is not None]
    return statistics.mean(found) if found else None


# ---- words ----------------------------------------------------------------------------------------


def where(line):
    """The machine, driver, commit and date of a line, in words."""
    device = line.get("device", {})
    words = device.get("name", "unknown device")
    if "driver" in device:
        words += f" (driver {device['driver']}, CUDA {device['cuda']})"
    elif "threads" in device:
        words += f" (one core of {device['threads']} threads)"
    return f"{words}, commit {line.get('commit', 'unknown')}, {line.get('date', 'no date')}"


def machines(lines):
    """The machines of the lines that are not None, for the footer of a figure."""
    return "; ".join(dict.fromkeys(where(line) for line in lines if line))


def provenance(lines):
    """The same as a sentence."""
    found = machines(lines)
    return f"Measured on {found}." if found else ""


def graph_of(line):
    """The graph in words, with its seed."""
    seed = seed_of(line["graph"]["name"])
    words = graph_words(line["graph"]["name"])
    shape = line.get("shape", "").split()
    if "-k" in shape:
        words += f", every edge a path of {shape[shape.index('-k') + 1]}"
    if "-l" in shape:
        words += ", a self-loop at every vertex"
    return words + (f", seed {seed}" if seed else "")
