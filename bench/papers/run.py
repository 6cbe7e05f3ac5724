"""Runs jobs and appends their lines. Each graph is generated once, as a binary file that loads fast."""

import hashlib
import json
import os
import shutil
import subprocess
import time

from peers import machine

MADE_PER_SECOND = 25e6  # stored edges generated and written per second, for the estimates
KEPT = (
    "source",
    "traverse_ns",
    "mteps",
    "edges_examined",
    "relaxations",
    "reached_edges",
    "levels",
    "counters",
)


def graph_seconds(surrogate):
    """The estimated time of making the graph."""
    if surrogate is None:
        return 0.0
    edges = 5e6
    for item in surrogate.description.replace(":", ",").split(","):
        key, _, value = item.partition("=")
        if key == "edges":
            edges = float(value) * 2
        elif key == "scale":
            edges = max(edges, 40.0 * 2 ** int(value))
    return 0.3 + edges / MADE_PER_SECOND * (2 if surrogate.weights else 1)


def key_of(surrogate):
    parts = (surrogate.description, *surrogate.shape, surrogate.weights or "", str(surrogate.height))
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]


def converting(options, surrogate, path):
    """The command that writes the file of a graph."""
    weights = surrogate.weights
    if surrogate.height:
        weights = f"{weights.replace('random:', 'potential:')},{surrogate.height}"
    chosen = ["--weights", weights, "--seed", "1"] if weights else []
    return [options.fringe, "convert", surrogate.description, path, *surrogate.shape, *chosen]


class Graphs:
    """The files of graphs; each is made before its first job and removed after its last."""

    def __init__(self, options, jobs):
        self.options, self.wanted = options, {}
        for job in jobs:
            if job.surrogate:
                key = key_of(job.surrogate)
                self.wanted[key] = self.wanted.get(key, 0) + 1

    def path(self, surrogate):
        return os.path.join(self.options.scratch, key_of(surrogate) + ".fringe")

    def made(self, surrogate):
        return os.path.exists(self.path(surrogate))

    def make(self, surrogate):
        """None, or why it could not be made."""
        if self.made(surrogate):
            return None
        words = converting(self.options, surrogate, self.path(surrogate))
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return f"{' '.join(words)}: {done.stderr.strip()}" if done.returncode else None

    def done(self, surrogate):
        key = key_of(surrogate)
        self.wanted[key] -= 1
        if not self.wanted[key] and self.made(surrogate):
            os.remove(self.path(surrogate))


def counts_on_gpu(job):
    """Kernels count in the build of `make counting` alone."""
    return job.backend == "cuda" and "--counters" in job.words


def words_of(options, job, path):
    if job.program:
        return [os.path.join(os.path.dirname(options.fringe), "bench", job.program), *job.words]
    graph = [] if job.surrogate is None else [path]
    command = options.fringe_counting if counts_on_gpu(job) else options.fringe
    return [command, job.words[0], *graph, *job.words[1:]]


def slim(answer):
    """Removes what no page reads: all but a few fields of each run."""
    runs = answer.get("runs")
    if isinstance(runs, list):
        answer["runs"] = [{key: run[key] for key in KEPT if key in run} for run in runs]
    for key in ("mteps_spread", "sources", "peak_memory_bytes", "peak_heap_bytes"):
        answer.pop(key, None)
    return answer


def line_of(job, answer, facts):
    """The line of a job: the output of fringe with graph, seed, GPU, driver, commit and date."""
    line = {"kind": "paper", "job": job.name, "commit": facts["commit"], "date": facts["date"]}
    line.update(slim(answer), kind="paper")
    if job.key:
        line["job"] += f"/{answer[job.key]}"
    line["arguments"] = " ".join(job.words)
    if job.backend == "cuda":
        line["device"] = facts["device"]
    if job.surrogate:
        line["graph"] = dict(line.get("graph", {}), name=job.surrogate.description)
        line.update(original=job.surrogate.original, shape=" ".join(job.surrogate.shape))
        if job.surrogate.weights:
            line.update(weights=job.surrogate.weights, height=job.surrogate.height)
    return line


class Run:
    """The state of a run: where its lines go and when it must end."""

    def __init__(self, options, jobs):
        self.options, self.jobs = options, jobs
        self.graphs = Graphs(options, jobs)
        self.begin, self.lines, self.late, self.failed = time.monotonic(), 0, 0, []
        self.facts = {}

    def facts_for(self, backend):
        if backend not in self.facts:
            self.facts[backend] = machine.facts(self.options.fringe, backend)
        return self.facts[backend]

    def left(self):
        spent = time.monotonic() - self.begin
        return self.options.budget - spent if self.options.budget else float("inf")

    def cost(self, job):
        made = job.surrogate is None or self.graphs.made(job.surrogate)
        return job.seconds + (0 if made else graph_seconds(job.surrogate))

    def put(self, line):
        self.lines += 1
        with open(self.options.output, "a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")

    def call(self, job):
        """The lines of a job; failures are appended to `failed`."""
        why = self.graphs.make(job.surrogate) if job.surrogate else None
        path = self.graphs.path(job.surrogate) if job.surrogate else None
        limit = max(60.0, 5 * job.seconds)
        try:
            words = words_of(self.options, job, path)
            done = (
                None
                if why
                else subprocess.run(words, capture_output=True, text=True, check=False, timeout=limit)
            )
            if done and done.returncode:
                why = done.stderr.strip() or f"exit {done.returncode}"
        except subprocess.TimeoutExpired:
            why = f"no answer within {limit:.0f} s"
        except OSError as error:
            why = str(error)
        if why:
            self.failed.append(f"{job.name}: {why}")
            self.put({"kind": "paper", "job": job.name, "skipped": why})
            return
        for text in done.stdout.splitlines():
            answer = json.loads(text)
            if job.surrogate is None and not job.program:
                self.put({"date": self.facts_for(job.backend)["date"], **answer})
            else:
                self.put(line_of(job, answer, self.facts_for(job.backend)))

    def all(self):
        for job in self.jobs:
            if self.cost(job) > self.left():
                self.late += 1
            else:
                begin = time.monotonic()
                self.call(job)
                print(f"{time.monotonic() - begin:7.1f} s  {job.name}", flush=True)
            if job.surrogate:
                self.graphs.done(job.surrogate)


def part_of(jobs, index, count):
    """One of `count` parts of about the same time that share no graph, in the same order."""
    groups, parts = {}, [(0.0, i, []) for i in range(count)]
    for job in jobs:
        groups.setdefault(key_of(job.surrogate) if job.surrogate else job.name, []).append(job)
    costs = {key: graph_seconds(g[0].surrogate) + sum(job.seconds for job in g) for key, g in groups.items()}
    for key in sorted(groups, key=costs.get, reverse=True):
        spent, i, names = min(parts)
        parts[i] = (spent + costs[key], i, names + [job.name for job in groups[key]])
    return [job for job in jobs if job.name in parts[index - 1][2]]


def dry(options, jobs):
    """Prints the commands in order with the estimated seconds of each."""
    graphs, made, total = Graphs(options, jobs), set(), 0.0
    for job in jobs:
        cost = job.seconds
        if job.surrogate and key_of(job.surrogate) not in made:
            made.add(key_of(job.surrogate))
            cost += graph_seconds(job.surrogate)
            print(" ".join(converting(options, job.surrogate, graphs.path(job.surrogate))))
        total += cost
        path = graphs.path(job.surrogate) if job.surrogate else None
        print(" ".join(words_of(options, job, path)), f"  # {job.name}, {cost:.0f} s, {total:.0f} s in all")


def run(options, jobs):
    """Returns the exit code: 1 if a job failed."""
    os.makedirs(options.scratch, exist_ok=True)
    work = Run(options, jobs)
    work.all()
    shutil.rmtree(options.scratch, ignore_errors=True)
    spent = time.monotonic() - work.begin
    print(f"{work.lines} lines in {spent:.0f} s to {options.output}")
    if work.late:
        print(f"{work.late} jobs were left out: more than --budget {options.budget:.0f} s")
    for text in work.failed:
        print(f"failed: {text}")
    return 1 if work.failed else 0
