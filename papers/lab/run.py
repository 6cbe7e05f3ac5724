#!/usr/bin/env python3
"""Builds and runs what measures the papers' tables and figures, and fills papers/pages: `make bench-papers`.

Usage: papers/lab/run.py [--limit SECONDS] [--only GLOB]... [--skip GLOB]... [--dry-run]
       papers/lab/run.py --draw | --from FILE.jsonl...     only draw: from papers.jsonl, or from these lines

One process of bench_papers runs all settings on one graph. Each GPU has two lanes of processes, which run at the same
time: one for the GPU, one for strategies on one core of the host. All lanes make their graphs at the same time, and
measure when all are made: a graph in the making raised the noise of short levels from 0.7 to 6 %. Nsight Compute runs
when all else is measured. Without a GPU only the jobs of the host run. The name of a job is paper/item/graph/column:
`--only 'xbfs/*'` runs those of one paper, `--skip 'h-bf/*'` all but those. A page is written once all its jobs have a
line, README.md once all pages have.
--limit: seconds for the whole call, with building. Lines that the output file has already, of this commit and this
device, are not measured again, so that a run that was cut off goes on. The statistics of a graph are those in
papers.jsonl, and computed where it has none.

OUT=DIR: the lines go to DIR/papers.jsonl, and nothing is drawn; this needs nothing but Python, CMake and CUDA's
compiler. Else they go to BUILD/papers-COMMIT.jsonl, which becomes papers/lab/papers.jsonl when the pages are committed.
BUILD, COUNTING: the two build folders. VENV: the virtual environment for drawing (default .venv), made from
bench/requirements.txt if missing. FRINGE_COMMIT: the commit, where the sources have no git. CUDA_VISIBLE_DEVICES: the
GPUs (default all, if they are alike). MEMORY: GiB for graphs that wait to be measured (default half of the machine's).
"""

import argparse
import collections
import contextlib
import csv
import datetime
import fnmatch
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import jobs as list_of_jobs
from graphs import key_of

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BEGIN = time.monotonic()
PAGES = ("uiuc-bfs", "bfs-4k", "h-bf", "study", "xbfs")  # the first part of the names of their jobs
LONGEST = 600  # seconds of a process
CPU_THREADS = 4  # of a lane of the host, for making graphs; its strategies use one
NCU_SECONDS = 60  # of a process of Nsight Compute: on 30 November 2026 between 30 and 105 on an H200 of a host of four
WAITING = 32  # processes of a lane at most: each has a context on the GPU
MEMORY = float(os.environ.get("MEMORY", 0)) * 2**30 or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2
METRICS = {
    "registers": "launch__registers_per_thread",
    "ns": "gpu__time_duration.sum",
    "memory": "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "compute": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
}


class Group:
    """The jobs of one process: the same graph, weights, lane and build."""

    def __init__(self, job):
        self.surrogate, self.backend, self.counting, self.tool = job.surrogate, job.backend, job.counting, job.tool
        self.jobs, self.known = [], None  # known: the line of the statistics, where these are committed

    @staticmethod
    def key(job):
        if job.surrogate is None or job.tool == "ncu":
            return job.name
        return key_of(job.surrogate), job.surrogate.weights, job.backend, job.counting

    @property
    def facts(self):
        """The job name of the graph's statistics, or None where another group has them."""
        plain = self.surrogate and self.backend == "cuda" and not self.counting and self.tool is None
        return f"facts/{key_of(self.surrogate)}" if plain else None


def groups_of(jobs, backend):
    """The groups of a backend in the order of their first job."""
    found = {}
    for job in jobs:
        if job.backend == backend:
            found.setdefault(Group.key(job), Group(job)).jobs.append(job)
    return list(found.values())


class Lane:
    """Groups that run one after the other on these cores, and on this GPU if it is not None."""

    def __init__(self, cores, gpu=None):
        self.cores, self.gpu, self.groups, self.seconds = cores, gpu, collections.deque(), 0
        self.environment = os.environ if gpu is None else {**os.environ, "CUDA_VISIBLE_DEVICES": gpu}


def committed():
    """({job: seconds of its runs}, {job: line} of the statistics) of the committed lines."""
    with open(os.path.join(HERE, "papers.jsonl"), encoding="utf-8") as file:
        lines = {line["job"]: line for line in map(json.loads, file)}
    seconds = {job: sum(run["call_ns"] for run in line.get("runs", ())) * 1e-9 for job, line in lines.items()}
    return seconds, {job: line for job, line in lines.items() if job.startswith("facts/")}


def lanes_of(jobs, gpus):
    """A lane of either backend for each GPU, with different cores if there are enough. They share the groups by the seconds
    that these took the last time. In each, Nsight Compute's are the last."""
    cores, (seconds, facts) = sorted(os.sched_getaffinity(0)), committed()
    share = len(cores) // len(gpus)  # of the two lanes of a GPU
    apart = share > 2 * CPU_THREADS
    parts = [cores[i * share : (i + 1) * share] if apart else cores for i in range(len(gpus))]
    found = []
    for backend, own, names in (("cuda", slice(CPU_THREADS, None), gpus), ("cpu", slice(CPU_THREADS), [None] * len(gpus))):
        lanes = [Lane(part[own] if apart else part, name) for part, name in zip(parts, names)]
        cost = {group: NCU_SECONDS if group.tool == "ncu" else sum(0.1 + seconds.get(job.name, 1) for job in group.jobs)
                for group in groups_of(jobs, backend)}  # fmt: skip
        owner = {}
        for group in sorted(cost, key=cost.get, reverse=True):
            owner[group] = min(lanes, key=lambda lane: lane.seconds)
            owner[group].seconds += cost[group]
        for group in sorted(cost, key=lambda group: group.tool == "ncu"):
            group.known = facts.get(group.facts)
            owner[group].groups.append(group)
        found += [lane for lane in lanes if lane.groups]
    return found


def command_of(options, group):
    """The program and its arguments."""
    if group.tool == "gather":
        return [os.path.join(options.build, "bench", "bench_gather"), *group.jobs[0].words]
    folder = options.counting if group.counting else options.build
    words = [os.path.join(folder, "bench", "bench_papers"), *group.surrogate.shape]
    if group.surrogate.weights:
        words += ["-w", group.surrogate.weights]
    if group.backend == "cpu":
        words += ["-t", str(CPU_THREADS)]
    if group.facts and not group.known:
        words.append("-x")
    words.append(group.surrogate.description)
    if group.tool == "ncu":
        metrics = ",".join(METRICS.values())
        ncu = shutil.which("ncu", path=os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/local/cuda/bin") or "ncu"
        words = [ncu, "--clock-control", "none", "--csv", "--page", "raw", "--metrics", metrics, *words]
    return words


# ---- the machine of a line ------------------------------------------------------------------------


def output_of(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def commit_of(options):
    """FRINGE_COMMIT, else git's; "+" marks a changed tree."""
    if options.commit:
        return options.commit
    commit = output_of("git", "-C", HERE, "rev-parse", "--short=12", "HEAD")
    changed = output_of("git", "-C", HERE, "status", "--porcelain", "--untracked-files=no")
    return commit + ("+" if changed else "") if commit else ""


def gpus_of():
    """What CUDA_VISIBLE_DEVICES says, or the numbers of all GPUs, of the first alone if they are not alike."""
    if chosen := os.environ.get("CUDA_VISIBLE_DEVICES"):
        return chosen.split(",")
    names = re.findall(r"^GPU \d+: (.*) \(", output_of("nvidia-smi", "-L"), re.M)
    return [str(i) for i in range(len(names))] if len(set(names)) == 1 else ["0"]


def gpu_of():
    """{"kind", "name", "driver", "cuda"} of the first GPU, as nvidia-smi says them, or {}."""
    text = output_of("nvidia-smi", "-i", gpus_of()[0], "-q")
    found = dict(re.findall(r"^ *(Product Name|Driver Version|CUDA Version) *: *(.+?) *$", text, re.M))
    names = {"name": "Product Name", "driver": "Driver Version", "cuda": "CUDA Version"}
    return {"kind": "cuda", **{key: found.get(name, "unknown") for key, name in names.items()}} if found else {}


def cpu_of():
    name = "unknown processor"
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        name = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), name)
    return {"kind": "cpu", "name": name, "threads": len(os.sched_getaffinity(0))}


def machine_of(options):
    """{backend: what a line says of where it was measured}."""
    found = {"commit": commit_of(options), "date": datetime.date.today().isoformat()}
    if not found["commit"]:
        raise SystemExit("run.py: which commit is this? There is no git here: FRINGE_COMMIT says it")
    return {"cuda": {**found, "device": gpu_of()}, "cpu": {**found, "device": cpu_of()}}


# ---- the lines of the tools -----------------------------------------------------------------------


def profile_of(text):
    """ncu's CSV -> [{"name", "registers", "launches": [[ns, memory, compute, occupancy], ...]}]."""
    rows = list(csv.reader(io.StringIO("\n".join(x for x in text.splitlines() if x.startswith('"')))))
    if len(rows) < 3:
        return []
    head, units = rows[0], dict(zip(rows[0], rows[1]))
    scale = {"nsecond": 1, "ns": 1, "usecond": 1e3, "us": 1e3, "msecond": 1e6, "ms": 1e6, "second": 1e9, "s": 1e9}
    found = {}
    for row in rows[2:]:
        got = dict(zip(head, row))
        name = got["Kernel Name"].split("(")[0].split("<")[0].split("::")[-1].replace("void ", "")
        value = {key: float(got[metric].replace(",", "")) for key, metric in METRICS.items()}
        kernel = found.setdefault(name, {"name": name, "registers": int(value["registers"]), "launches": []})
        ns = value["ns"] * scale.get(units[METRICS["ns"]], 1)
        kernel["launches"].append([round(ns), value["memory"], value["compute"], value["occupancy"]])
    return list(found.values())


def tool_line(group, text):
    """The line of a tool's output, or a reason why there is none."""
    line = {"kind": "paper", "job": group.jobs[0].name}
    if group.tool == "gather":
        sizes = [json.loads(x) for x in text.splitlines() if x.startswith("{")]
        return {**line, "sizes": sizes} if sizes else {**line, "skipped": "no output"}
    kernels = profile_of(text)
    return {**line, "kernels": kernels} if kernels else {**line, "skipped": "ncu read no counters"}


# ---- running --------------------------------------------------------------------------------------


def existing(path, machine):
    """The names of jobs that this file has lines of, of this commit and these devices."""
    found = set()
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
        for text in file:
            with contextlib.suppress(ValueError, KeyError):
                line = json.loads(text)
                here = machine[line["device"]["kind"]]
                if "skipped" not in line and (line["commit"], line["device"]) == (here["commit"], here["device"]):
                    found.add(line["job"])
    return found


def resident_bytes(process):
    """0 of one that has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{process.pid}/statm", encoding="utf-8") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


class Run:
    """The state of a run: where its lines go and when it must end."""

    def __init__(self, options, machine):
        self.options, self.machine, self.lock = options, machine, threading.Lock()
        self.written, self.waiting, self.failed, self.late = 0, 0, [], []

    def left(self):
        return self.options.limit + BEGIN - time.monotonic() if self.options.limit else LONGEST

    def put(self, group, line):
        """Writes the line of a tool, with the machine and the graph's original."""
        if line["job"] == "facts":
            line["job"] = group.facts
        if "skipped" in line:
            self.failed.append(f"{line['job']}: {line['skipped']}")
        if group.known and group.known["weights"] == group.surrogate.weights and line["graph"]["hash"] != group.known["graph"]["hash"]:
            self.failed.append(f"{line['job']}: the graph is another than in papers.jsonl, which must lose the line {group.facts}")
        line.update(self.machine[group.backend])
        if graph := group.surrogate:
            line = {"original": graph.original, "surrogate": graph.description, "shape": " ".join(graph.shape), "weights": graph.weights, **line}
        with self.lock, open(self.options.output, "a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            self.written += 1

    def start(self, group, lane):
        """A process of a group, and its messages; one of bench_papers has made its graph and waits for the settings."""
        errors, pipes = tempfile.TemporaryFile("w+"), {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        process = subprocess.Popen(command_of(self.options, group), stderr=errors, env=lane.environment, **pipes)
        timer = threading.Timer(max(min(self.left(), LONGEST), 0), process.kill)
        timer.start()
        for text in () if group.tool else process.stdout:
            if '"ready"' in text:
                break
            self.put(group, json.loads(text))
        timer.cancel()
        if group.known:
            self.put(group, dict(group.known))
        return process, errors

    def call(self, group, process, errors):
        """Runs the settings of a group; records jobs without a line as failed or, when time is up, as late."""
        names = {job.name for job in group.jobs}
        with errors, process:
            timer = threading.Timer(max(min(self.left(), LONGEST), 0), process.kill)
            timer.start()
            with contextlib.suppress(BrokenPipeError), process.stdin:
                process.stdin.writelines(job.line() for job in group.jobs)
            if group.tool:
                found = [tool_line(group, process.stdout.read())]
            else:
                found = map(json.loads, process.stdout)
            for line in found:
                names.discard(line["job"])
                self.put(group, line)
            code = process.wait()
            timer.cancel()
            errors.seek(0)
            why = errors.read().strip()[-300:]
        if code < 0 and self.left() < 1:
            self.late += sorted(names)
        elif code or names:
            self.failed.append(f"{group.jobs[0].name} and {len(group.jobs) - 1} more: exit {code}, {len(names)} "
                               f"without a line: {why}")  # fmt: skip

    def told(self, what, group, function, *values):
        """Calls a function and prints the seconds that it took; returns what it does, None if it failed."""
        begin, found = time.monotonic(), None
        try:
            found = function(group, *values)
        except (OSError, ValueError) as error:
            self.failed.append(f"{group.jobs[0].name}: {error}")
        graph = group.surrogate.original if group.surrogate else group.tool
        print(f"{time.monotonic() - BEGIN:6.0f} s: {time.monotonic() - begin:6.1f} s to {what} {graph}, "
              f"{len(group.jobs)} jobs, {group.jobs[0].name} first", flush=True)  # fmt: skip
        return found

    def wait_for(self, size):
        """Adds to the bytes of the processes that wait."""
        with self.lock:
            self.waiting += size

    def make(self, lane, profile):
        """The next graphs of a lane, as many as may wait and as half of the time left suffices for: [(group, process, messages,
        bytes)]. Runs Nsight Compute, whose clock is the GPU's, if `profile`; else stops before its groups."""
        made, until = [], self.left() / 2
        while lane.groups and len(made) < WAITING and (not made or self.waiting < MEMORY and self.left() > until):
            if lane.groups[0].tool == "ncu" and not profile:
                break
            group = lane.groups.popleft()
            if self.left() <= 0:
                self.late += [job.name for job in group.jobs]
            elif group.tool == "ncu":
                self.told("measure", group, self.measure, lane)
            elif group.tool:
                made.append((group, 0))
            elif found := self.told("make", group, self.start, lane):
                made.append((group, *found, resident_bytes(found[0])))
                self.wait_for(made[-1][-1])
        return made

    def measure(self, group, lane, *process):
        self.call(group, *(process or self.start(group, lane)))

    def run_lane(self, lane, lanes, barrier):
        """Makes and measures in turns, each of them at the same time as the other lanes."""
        os.sched_setaffinity(0, lane.cores)  # of this thread, and so of its processes
        try:
            more, profile = True, False
            while more:
                made = self.make(lane, profile)
                barrier.wait()
                more = any(each.groups for each in lanes)
                profile = all(group.tool == "ncu" for each in lanes for group in each.groups)
                for group, *process, size in made:
                    self.told("measure", group, self.measure, lane, *process)
                    self.wait_for(-size)
                barrier.wait()
        except BaseException:
            barrier.abort()
            raise


def dry(options, jobs):
    """Prints the commands of both lanes in order, and the settings that each reads."""
    for group in groups_of(jobs, "cuda") + groups_of(jobs, "cpu"):
        print(" ".join(command_of(options, group)), f"  # {len(group.jobs)} jobs")
        for job in group.jobs if not group.tool else ():
            print("   ", job.line().rstrip().replace("\t", " | "))


def run(options, jobs):
    """Returns the exit code: 1 if a job failed, 3 if some were left out for lack of time."""
    machine = machine_of(options)
    done = existing(options.output, machine)
    jobs = [job for job in jobs if job.name not in done]
    work = Run(options, machine)
    if not machine["cuda"]["device"] and not options.on_host and any(job.backend == "cuda" for job in jobs):
        print("no GPU is found: only the jobs of the host run")
        jobs = [job for job in jobs if job.backend == "cpu"]
    lanes = lanes_of(jobs, gpus_of())
    barrier = threading.Barrier(len(lanes) or 1)
    threads = [threading.Thread(target=work.run_lane, args=(lane, lanes, barrier)) for lane in lanes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{work.written} lines in {time.monotonic() - BEGIN:.0f} s to {options.output}; {len(done)} were there")
    if work.late:
        print(f"{len(work.late)} jobs were left out: more than --limit {options.limit:.0f} s")
    for text in work.failed:
        print(f"failed: {text}")
    return 1 if work.failed else 3 if work.late else 0


# ---- building and drawing -------------------------------------------------------------------------


def build(folder, *flags):
    """Starts building the measuring programs alone, without the command, which needs further libraries."""
    os.makedirs(folder, exist_ok=True)
    log = os.path.join(folder, "papers.log")
    words = ["cmake", "-S", ROOT, "-B", folder, *(["-G", "Ninja"] if shutil.which("ninja") else []), "-DFRINGE_CUDA=AUTO",
             "-DFRINGE_BENCH_ONLY=ON", "-DFRINGE_ARCHIVE=OFF", "-DFRINGE_TESTS=OFF", *flags]  # fmt: skip
    script = f"""{shlex.join(words)} && targets=bench_papers &&
        if cmake --build {shlex.quote(folder)} --target help | grep -q bench_gather; then targets="$targets bench_gather"; fi &&
        cmake --build {shlex.quote(folder)} -j {os.cpu_count()} --target $targets"""
    with open(log, "w", encoding="utf-8") as file:
        return log, subprocess.Popen(["sh", "-c", script], stdout=file, stderr=file)


def build_all(options, jobs):
    started = [build(options.build)]
    if any(job.counting for job in jobs):
        started.append(build(options.counting, "-DFRINGE_COUNTING=ON"))
    for log, process in started:
        if process.wait():
            with open(log, encoding="utf-8") as file:
                print(*file.readlines()[-20:], sep="", file=sys.stderr)
            raise SystemExit(f"run.py: the build failed; {log} says all")
    print(f"built in {time.monotonic() - BEGIN:.0f} s", flush=True)


def drawing():
    """The Python that has what draw.py imports."""
    venv = os.environ.get("VENV", os.path.join(ROOT, ".venv"))
    python = os.path.join(venv, "bin", "python")
    has = os.path.exists(python) and not subprocess.run([python, "-c", "import matplotlib, numpy"], check=False).returncode
    if not has:
        install = [python, "-m", "pip", "install", "--quiet", "-r", os.path.join(ROOT, "bench", "requirements.txt")]
        if subprocess.run([sys.executable, "-m", "venv", venv], check=False).returncode or subprocess.run(install, check=False).returncode:
            raise SystemExit(f"run.py: cannot install matplotlib and numpy into {venv} (python3-venv, a network). Without them\n"
                             "OUT=DIR papers/lab/run.py still runs the jobs; draw later, with --from FILE.jsonl.")  # fmt: skip
    return python


def draw(files, pages=()):
    words = [word for file in files for word in ("--from", file)] + [word for name in pages for word in ("--page", name)]
    return subprocess.run([drawing(), os.path.join(HERE, "draw.py"), *words], check=False).returncode


# ---- the command ----------------------------------------------------------------------------------


def chosen(options):
    """The jobs that --only and --skip allow."""
    found = list_of_jobs.jobs()
    if options.only:
        found = [job for job in found if any(fnmatch.fnmatch(job.name, glob) for glob in options.only)]
    return [job for job in found if not any(fnmatch.fnmatch(job.name, glob) for glob in options.skip)]


def complete_pages(path):
    """The pages of whose every job this file has a line."""
    with open(path, encoding="utf-8") as file:
        have = {json.loads(line)["job"] for line in file if line.endswith("}\n")}
    left = {job.name.split("/")[0] for job in list_of_jobs.jobs() if job.name not in have}
    return [page for page in PAGES if page not in left]


def output_file(options):
    """Where the lines go, and whether the pages are drawn from them."""
    if "OUT" in os.environ:
        return os.path.join(os.environ["OUT"], "papers.jsonl"), False
    return os.path.join(options.build, f"papers-{commit_of(options).rstrip('+')}.jsonl"), True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--limit", type=float, default=0, help="seconds; 0: no limit (default)")
    option("--only", action="append", metavar="GLOB", help="jobs of these names; may be repeated")
    option("--skip", action="append", default=[], metavar="GLOB", help="but not these")
    option("--dry-run", action="store_true", help="print the commands, run nothing")
    option("--draw", action="store_true", help="only draw")
    option("--from", dest="files", action="append", default=[], metavar="FILE", help="only draw, from these lines")
    options = parser.parse_args()
    options.build = os.environ.get("BUILD", os.path.join(ROOT, "build-papers"))
    options.counting = os.environ.get("COUNTING", os.path.join(ROOT, "build-papers-counting"))
    options.commit, options.on_host = os.environ.get("FRINGE_COMMIT", ""), False
    if options.draw or options.files:
        return draw(options.files)
    wanted = chosen(options)
    if not wanted:
        print("no job has such a name")
        return 2
    if options.dry_run:
        return dry(options, wanted)
    options.output, draws = output_file(options)
    os.makedirs(os.path.dirname(os.path.abspath(options.output)), exist_ok=True)
    if draws:
        drawing()  # before hours of measuring
    build_all(options, wanted)
    code = run(options, wanted)
    if not draws or not os.path.exists(options.output):
        return code
    pages = complete_pages(options.output)
    print(f"pages with all their lines: {', '.join(pages) or 'none'}")
    return code or (draw([options.output], pages if len(pages) < len(PAGES) else ()) if pages else 0)


if __name__ == "__main__":
    sys.exit(main())
