"""Finds the measured lines by job or by case of the suite, and describes their machine."""

import os
import statistics

from result_lines import graph_words, read_lines, seed_of


class Lines:
    """All lines of some files; a later line replaces an earlier one for the same measurement."""

    def __init__(self, paths):
        self.jobs, self.suite, self.parts = {}, {}, []
        for path in paths:
            for line in read_lines(path):
                self.add(line, os.path.basename(path))

    def add(self, line, name):
        line["from"] = name
        if line.get("kind") == "paper":
            if "skipped" not in line or line["job"] not in self.jobs:
                self.jobs[line["job"]] = line
        elif line.get("kind") == "parts":
            self.parts.append(line)
        elif line.get("suite") == "bfs" and "strategy" in line:
            self.suite[line["case"], line["strategy"]] = line

    def job(self, name):
        """The line of a job that ran, else None."""
        line = self.jobs.get(name)
        return line if line and "skipped" not in line else None

    def case(self, case, strategy):
        return self.suite.get((case, strategy))


def median_ms(line):
    """The median traversal time, or None."""
    if not line:
        return None
    if isinstance(line.get("traverse_ns"), dict):
        return line["traverse_ns"]["median"] * 1e-6
    runs = line.get("runs")
    return statistics.median(run["traverse_ns"] for run in runs) * 1e-6 if runs else None


def mteps(line):
    """Millions of edges of the reached component per second (an undirected edge counts once), harmonic mean
    over the runs."""
    if not line:
        return None
    if "mteps_harmonic_mean" in line:
        return line["mteps_harmonic_mean"]
    runs = line.get("runs")
    return statistics.harmonic_mean([run["mteps"] for run in runs]) if runs else None


def run_median(line, key):
    return statistics.median(run[key] for run in line["runs"]) if line and line.get("runs") else None


def where(line):
    """The machine, driver, commit and date of a line, in words."""
    device = line.get("device", {})
    words = device.get("name", "unknown device")
    if "driver" in device:
        words += f" (driver {device['driver']}, CUDA {device['cuda']})"
    elif "threads" in device:
        words += f" ({device['threads']} threads)"
    return f"{words}, commit {line.get('commit', 'unknown')}, {line.get('date', 'no date')}, {line['from']}"


def provenance(lines):
    """One sentence for all machines and commits of the lines that are not None."""
    found = dict.fromkeys(where(line) for line in lines if line)
    return "Measured on " + "; ".join(found) + "." if found else ""


def short_where(lines):
    """The same for the foot of a figure, without the file."""
    return "; ".join(dict.fromkeys(where(line).rsplit(", ", 1)[0] for line in lines if line))


def graph_of(line):
    """The graph in words, with its seed."""
    seed = seed_of(line["graph"]["name"])
    return graph_words(line["graph"]["name"]) + (f", seed {seed}" if seed else "")
