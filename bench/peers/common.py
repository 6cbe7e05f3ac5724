"""Helpers of all comparisons: running programs, graphs in the format of each program, the machine of a line."""

import datetime
import json
import os
import subprocess
import sys

CONVERT_SUFFIX = {"bfs": ".sg", "sssp": ".wsg"}


class Wrong(Exception):
    """A program gave a wrong answer."""


class Unusable(Exception):
    """A program is installed but cannot take part; the message has the reason."""


def attempt(words, env=None, wrong=()):
    """Runs the program of a peer and returns its output; after a failure the other programs still run. Exit codes in
    `wrong` mean a wrong answer."""
    done = subprocess.run(words, capture_output=True, text=True, env=env, check=False)
    if done.returncode in wrong:
        raise Wrong(f"{' '.join(words)}: {done.stdout}{done.stderr}".strip())
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()
        raise Unusable(f"{' '.join(words)}: exit {done.returncode}: {lines[-1]}")
    return done.stdout


def command(words, env=None, wrong=()):
    """Runs a program and returns its output; a failure ends the script."""
    try:
        return attempt(words, env, wrong)
    except Unusable as why:
        sys.exit(str(why))


class Graph:
    """One graph in a folder, written in each format on first use."""

    def __init__(self, options, description, folder):
        self.options, self.description, self.folder = options, description, folder
        self.path = self.in_format(CONVERT_SUFFIX[options.problem])

    def in_format(self, suffix):
        o = self.options
        path = os.path.join(self.folder, f"graph{suffix}")
        if os.path.exists(path):
            return path
        words = [o.fringe, "convert", self.description, path]
        if o.problem == "sssp":
            words += ["--weights", o.weights, "--seed", str(o.seed)]
        elif suffix == ".sg":  # it holds none
            words += ["--weights", "none"]
        command(words)
        return path


def has_gpu(fringe):
    return json.loads(command([fringe, "doctor", "--json"])).get("gpu_used", False)


def machine(fringe, gpu=False):
    """cpu, cores, commit and date of a measurement, as a line of results has them; with a GPU also gpu."""
    found = {}
    for backend, strategy in (("cuda", "auto"), ("cpu", "serial"))[0 if gpu else 1 :]:
        words = [fringe, "bench", "--suite", "smoke", "--only", "path-200", "--backend", backend]
        lines = command(words + ["--strategies", strategy, "--sources", "1"]).splitlines()
        line = json.loads(lines[0]) if lines else {}
        found[backend] = line.get("device", {})
    facts = {"commit": line.get("commit", "unknown"), "date": datetime.date.today().isoformat(),
             "cpu": found["cpu"].get("name", "unknown"), "cores": len(os.sched_getaffinity(0))}  # fmt: skip
    return {**facts, "gpu": found["cuda"]} if gpu else facts


def put(options, line):
    """Prints the JSON line with --json, appends it to --output."""
    text = json.dumps(line)
    if getattr(options, "json", False):
        print(text, flush=True)
    if options.output:
        with open(options.output, "a", encoding="utf-8") as file:
            file.write(text + "\n")
