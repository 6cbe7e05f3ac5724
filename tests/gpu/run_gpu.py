#!/usr/bin/env python3
"""Runs the GPU test programs on every GPU of this machine and writes a log.

Stage 1, one program per GPU at a time (--native-jobs): every strategy x graph x query x knob setting, extreme degrees
and depths, and a stress that repeats each BFS strategy.
Stage 2, several programs per GPU: a reduced suite under each compute-sanitizer tool, a program with a
seeded fault per tool (the tool must report it), and graphs of more than 2^31 edges.

`make test-gpu LOG=FILE` builds and runs all of it: about five minutes on four H200s.
The exit status is 0 when every program passed and no tool reported anything.
"""
import argparse
import collections
import concurrent.futures
import datetime
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEVERAL_GPUS = ("devices", "multi_devices", "multi_sssp")  # programs that use all of them
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
# Seconds that a program took on an H200, by the first matching pattern: the longest start first.
EXPECTED_SECONDS = (("random", 120), ("native-sssp", 40), ("native-apsp", 30), ("native", 12), ("large", 60),
                    ("memcheck-apsp-floyd", 120), ("racecheck", 60), ("stress", 8), ("", 3))

Program = collections.namedtuple("Program", "name command limit tool seeded", defaults=(None, False))
Outcome = collections.namedtuple("Outcome", "program passed cases failed reports")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--log", type=pathlib.Path, help="default: BUILD/test-gpu.log")
    add("--build", type=pathlib.Path, default=ROOT / "build-gpu", help="build directory (default %(default)s)")
    add("--skip-build", action="store_true", help="use the programs that are in BUILD; needs no nvcc")
    add("--gpus", help="indices, for example 0,2 (default: CUDA_VISIBLE_DEVICES, else all)")
    add("--only", default="", metavar="REGEX", help="only programs of such names, for example native-bfs-xbfs")
    add("--budget", type=int, default=0, metavar="SECONDS", help="programs that cannot start by then fail")
    add("--tools", default=",".join(TOOLS), help="compute-sanitizer tools; empty: none")
    add("--settings", type=int, default=2, help="knob settings per strategy under a tool")
    add("--jobs", type=int, default=6, help="programs at once per GPU under the tools")
    add("--native-jobs", type=int, default=1, help="programs at once per GPU without a tool; 2 take longer than one after the other")
    add("--stress", type=int, default=1000, help="runs per BFS strategy; 0: none")
    add("--random", type=int, default=120, metavar="SECONDS", help="random calls on each GPU; 0: none")
    add("--no-large", action="store_true", help="leave out graphs of 2.3e9 and 4.4e9 edges (28 GB of host memory each)")
    return parser.parse_args()


def fail(reason):
    sys.exit(f"test-gpu: {reason}")


class Log:
    def __init__(self, path):
        self.file, self.lock = open(path, "w"), threading.Lock()

    def say(self, text):
        with self.lock:
            print(text, flush=True)
            print(text, file=self.file, flush=True)


def find_gpus(chosen):
    """The chosen indices and nvidia-smi's line for each GPU present."""
    if not shutil.which("nvidia-smi"):
        fail("no nvidia-smi: no NVIDIA driver is installed")
    query = ["nvidia-smi", "--query-gpu=index,name,driver_version,compute_cap", "--format=csv,noheader"]
    found = subprocess.run(query, capture_output=True, text=True)
    lines = [line for line in found.stdout.splitlines() if line.count(",") == 3]
    if found.returncode or not lines:
        fail(f"no GPU: {(found.stdout + found.stderr).strip()}")
    chosen = chosen or os.environ.get("CUDA_VISIBLE_DEVICES") or ",".join(line.split(",")[0] for line in lines)
    return chosen.split(","), lines


def build(directory, log):
    """Builds three times: as users do; with kernels that count events (FRINGE_COUNTING); and without launches from
    kernels, which racecheck, initcheck and synccheck do not support (FRINGE_SANITIZER_BUILD)."""
    start = time.monotonic()
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    for target, option in ((directory, ()), (directory / "counting", ("-DFRINGE_COUNTING=ON",)),
                           (directory / "watched", ("-DFRINGE_SANITIZER_BUILD=ON",))):
        configure = ["cmake", "-S", str(ROOT), "-B", str(target), *generator, "-DFRINGE_GPU_TESTS_ONLY=ON",
                     "-DFRINGE_ARCHIVE=OFF", *option]
        for command in (configure, ["cmake", "--build", str(target), "-j", str(os.cpu_count())]):
            made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if made.returncode:
                lines = made.stdout.splitlines()
                first = next((i for i, line in enumerate(lines) if line.startswith("FAILED")), len(lines) - 40)
                log.say("\n".join(lines[max(first, 0):][:40]))
                fail("the build failed")
    log.say(f"built in {time.monotonic() - start:.0f} s")


def strategies_of(folder, part):
    path = folder / f"test_gpu_{part}"
    return path, subprocess.run([path, "--strategies"], capture_output=True, text=True, check=True).stdout.split()


def by_strategy(prefix, folder, graphs_for, limit=400, checker=(), tool=None):
    """A program for each strategy, on the graphs of graphs_for(part, strategy); none: on all."""
    for part in ("bfs", "sssp", "apsp"):
        path, strategies = strategies_of(folder, part)
        for strategy in strategies:
            yield Program(f"{prefix}-{part}-{strategy}", [*checker, path, strategy, *graphs_for(part, strategy)], limit, tool)


def counting_programs(folder):
    """Of the build whose kernels count: each strategy on a few shapes, with counters."""
    yield from by_strategy("counting", folder, lambda part, _: (
        ("drawn",) if part == "apsp" else ("kronecker-directed", "hubs", "dag")))
    yield Program("counting-infrastructure", [folder / "test_gpu_infrastructure"], 400)


def native_programs(folder, stress, gpu_count):
    yield from by_strategy("native", folder, lambda part, strategy: ())
    for path in sorted(folder.glob("test_gpu_*")):
        part = path.name[len("test_gpu_"):]
        if path.suffix == "" and part not in ("bfs", "sssp", "apsp") and (part not in SEVERAL_GPUS or gpu_count > 1):
            yield Program(f"native-{part}", [path], 400)
    for strategy in strategies_of(folder, "bfs")[1]:
        yield Program(f"native-extremes-{strategy}", [folder / "gpu_extremes", strategy], 400)
        if stress:
            yield Program(f"stress-{strategy}", [folder / "gpu_extremes", "--stress", stress, strategy], 400)


def random_programs(folder, seconds, gpu_count, found):
    """One program per GPU, each with its own part of the cases, and one on all GPUs of the machine."""
    command = [folder / "gpu_random", "--backend", "cuda", "--found", found]
    for share in range(gpu_count if seconds else 0):
        yield Program(f"random-{share + 1}",
                      [*command, "--large", "--seconds", seconds, "--first", share * 10**7], seconds + 180)
    if seconds and gpu_count > 1:
        yield Program("random-devices", [*command, "--seconds", seconds // 2, "--first", 10**9], seconds + 180)


def large_programs(folder, gpu_count):
    """One program per GPU: each builds the graphs for itself and runs its share of the strategies."""
    _, strategies = strategies_of(folder, "bfs")
    for share in range(min(gpu_count, len(strategies))):
        yield Program(f"large-{share + 1}", [folder / "gpu_extremes", "--large", *strategies[share::gpu_count]], 400)


def graphs_for(tool, part, strategy):
    """Graphs small enough for a tool, which slows a kernel down 10 to 100 times."""
    if strategy == "floyd-warshall":  # n^3 steps
        return ["special"]
    if part == "apsp":
        return ["drawn"]
    windows = ["windows"] if (part, strategy) == ("sssp", "auto") else []
    return [*(["kronecker-directed"] if tool == "memcheck" else []), "hubs", *windows]


def tool_programs(directory, programs, tool, gpu_count):
    folder = programs if tool == "memcheck" else directory / "watched/tests/gpu"
    checker = ["compute-sanitizer", "--tool", tool]
    if tool == "initcheck":  # it does not see writes by the host
        checker += ["--check-api-memory-access", "no"]
    # a second context that enables peer access gets an error, which is harmless
    quiet = ["--report-api-errors", "no"] if tool == "memcheck" else []
    yield Program(f"seeded-{tool}", [*checker, folder / "gpu_seeded_faults", tool], 150, tool, True)
    yield from by_strategy(tool, folder, lambda part, strategy: graphs_for(tool, part, strategy), 150, checker, tool)
    others = [("slices", "queues", "slices")]
    others += [(f"measures-{graph}", "measures", graph) for graph in ("hubs", "degrees-256-directed", "two-components")]
    if tool != "racecheck":
        # BFS `auto` runs in a cluster there: its blocks wait for words in shared memory that others write, which
        # racecheck calls a race.
        others += [("measures-random", "measures", "random"), ("results", "results")]
        if gpu_count > 1:
            others += [(part, part, "others", "devices", "hubs") for part in ("multi_devices", "multi_sssp")]
    for name, part, *parts in others:
        extra = quiet if part in SEVERAL_GPUS else []
        yield Program(f"{tool}-{name}", [*checker, *extra, folder / f"test_gpu_{part}", *parts], 150, tool)


def tool_reports(text):
    """The reports of a compute-sanitizer run, one string each, addresses left out so that equal
    reports compare equal. A tool that does not support a program says so in a report too."""
    reports, block = [], []
    for line in text.splitlines() + ["========="]:
        if not line.startswith("========="):
            continue
        line = re.sub(r"0x[0-9a-f]+", "0x..", line.lstrip("=")[1:])
        if line.strip() and not line.startswith("COMPUTE-SANITIZER") and "SUMMARY" not in line:
            block.append(line)
            continue
        if block:
            reports.append("\n".join(block))
        block = []
    return reports


def run_group(command, environment, cores, limit):
    """Exit status and output. On TimeoutExpired the program that a tool has started is stopped too: it would
    continue to use the GPU."""
    with subprocess.Popen(command, env=environment, preexec_fn=lambda: os.sched_setaffinity(0, cores),
                          start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace") as process:
        try:
            text, _ = process.communicate(timeout=limit)
            return process.returncode, text
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def run_program(program, gpu, options, deadline, log):
    """Runs one program on one GPU. A seeded fault must be reported; nothing else may be."""
    start = time.monotonic()
    limit = min(program.limit, deadline - start)
    # More threads than cores delay each other at every barrier: each GPU's programs get their share of the cores.
    several = program.name.partition("-")[2] in SEVERAL_GPUS
    visible = ",".join([gpu, *(other for other in options.gpus if other != gpu)]) if several else gpu
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES=visible, OMP_WAIT_POLICY="passive")
    cores = sorted(os.sched_getaffinity(0))[options.gpus.index(gpu)::len(options.gpus)]
    if program.tool:
        environment["FRINGE_REDUCED"] = str(options.settings)
    code, text = "not started: the budget is spent", ""
    if limit > 0:
        try:
            code, text = run_group([str(word) for word in program.command], environment, cores, limit)
        except subprocess.TimeoutExpired as expired:
            code, text = f"stopped after {limit:.0f} s", (expired.output or b"").decode(errors="replace")
    counts = re.findall(r"(\d+) (?:cases|checks|runs|traversals), (\d+) failed", text)
    cases, failed = (sum(int(count[i]) for count in counts) for i in (0, 1))
    reports = tool_reports(text) if program.tool else []
    passed = bool(reports) if program.seeded else code == 0 and not failed and not reports
    verdict = "passed" if passed else "FAILED"
    log.say(f"{program.name}: {verdict}, {cases} cases, {failed} failed, {len(reports)} reports, exit {code}, "
            f"{time.monotonic() - start:.0f} s, GPU {gpu}" +
            ("" if passed else "\n" + "\n".join(text.splitlines()[-60:])))
    return Outcome(program, passed, cases, failed, [] if program.seeded else reports)


def run_stage(title, programs, gpus, jobs, options, deadline, log):
    """Runs the programs, the longest first, `jobs` at a time on each GPU."""
    def expected(program):
        return next(seconds for prefix, seconds in EXPECTED_SECONDS if program.name.startswith(prefix))

    start = time.monotonic()
    chosen = [program for program in programs if re.search(options.only, program.name)]
    log.say(f"== {title}: {len(chosen)} programs")
    slots = queue.SimpleQueue()  # a GPU for each program that may run
    for gpu in gpus * jobs:
        slots.put(gpu)

    def work(program):
        gpu = slots.get()
        try:
            return run_program(program, gpu, options, deadline, log)
        finally:
            slots.put(gpu)

    with concurrent.futures.ThreadPoolExecutor(len(gpus) * jobs) as pool:
        outcomes = list(pool.map(work, sorted(chosen, key=expected, reverse=True)))
    log.say(f"{title}: {time.monotonic() - start:.0f} s")
    return outcomes


def summarize(outcomes, log):
    reports = collections.defaultdict(list)
    for outcome in outcomes:
        for report in outcome.reports:
            reports[report].append(outcome.program.name)
    if reports:
        log.say("== reports of compute-sanitizer")
    for report, names in reports.items():
        log.say(f"from {len(set(names))} programs: {' '.join(sorted(set(names)))}\n{report}")
    log.say("== summary")
    kinds = collections.defaultdict(list)
    for outcome in outcomes:
        kinds[outcome.program.name.split("-")[0]].append(outcome)
    for kind, group in kinds.items():
        log.say(f"{kind}: {len(group)} programs, {sum(not o.passed for o in group)} of them failed; "
                f"{sum(o.cases for o in group)} cases, {sum(o.failed for o in group)} failed")
    return all(outcome.passed for outcome in outcomes)


def main():
    options = arguments()
    os.environ["PATH"] += ":/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer"
    if not options.skip_build and not shutil.which("nvcc"):
        fail("no nvcc: the CUDA toolkit is not installed, or not in PATH")
    options.gpus, present = find_gpus(options.gpus)
    gpus = options.gpus
    tools = [tool for tool in options.tools.split(",") if tool]
    if tools and not shutil.which("compute-sanitizer"):
        fail("no compute-sanitizer in PATH or in the CUDA folder")
    options.build.mkdir(parents=True, exist_ok=True)
    log = Log(options.log or options.build / "test-gpu.log")
    start = time.monotonic()
    deadline = start + (options.budget or 86400)
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    log.say(f"date: {datetime.datetime.now(datetime.timezone.utc):%FT%TZ}")
    for line in present:
        log.say(f"gpu: {line}")
    log.say(f"GPUs used: {' '.join(gpus)}; cores: {os.cpu_count()}")
    log.say(f"commit: {os.environ.get('COMMIT') or commit.stdout.strip() or 'unknown'}")
    if not options.skip_build:
        build(options.build, log)
    programs = options.build / "tests/gpu"
    if not (programs / "test_gpu_bfs").exists():
        fail(f"no programs in {programs}")

    first = [*native_programs(programs, options.stress, len(gpus)), *counting_programs(options.build / "counting/tests/gpu"),
             *random_programs(programs, options.random, len(gpus), options.build / "random-found")]
    outcomes = run_stage("native and stress", first, gpus, options.native_jobs, options, deadline, log)
    second = [p for tool in tools for p in tool_programs(options.build, programs, tool, len(gpus))]
    large = [] if options.no_large else list(large_programs(programs, len(gpus)))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        stages = [pool.submit(run_stage, title, list_, gpus, jobs, options, deadline, log)
                  for title, list_, jobs in (("more than 2^31 edges", large, 1), ("compute-sanitizer", second, options.jobs))
                  if list_]
        for stage in stages:
            outcomes += stage.result()
    passed = summarize(outcomes, log)
    log.say(f"test-gpu: {'passed' if passed and outcomes else 'FAILED'} in {time.monotonic() - start:.0f} s")
    return 0 if passed and outcomes else 1


if __name__ == "__main__":
    sys.exit(main())
