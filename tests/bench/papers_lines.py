"""Lines as papers_run.py writes them, for every job of the papers, with made-up numbers that depend on the job's
name alone."""

import hashlib
import json

from papers import jobs, run

GPU = {"kind": "cuda", "name": "NVIDIA H200", "driver": "580.159.04", "cuda": "13.0"}
CPU = {"kind": "cpu", "name": "a CPU", "threads": 16}
COMMIT = "0123456789ab"
LEVELS = [("scan-free", 1), ("one-block", 30), ("bottom-up", 700), ("many-block", 260), ("one-block", 9)]


def number(text, low, high):
    """A number of [low, high] that follows from the text."""
    digest = hashlib.sha256(text.encode()).digest()
    return low + int.from_bytes(digest[:4], "big") % (high - low + 1)


def head(name, surrogate, backend, device):
    line = {"kind": "paper", "job": name, "commit": COMMIT, "date": "2026-11-22", "device": device if backend == "cuda" else CPU}
    if surrogate:
        key = " ".join((surrogate.description, *surrogate.shape, surrogate.weights or ""))
        line.update(graph={"name": surrogate.description, "n": 1000, "m": 8000, "directed": "-u" not in surrogate.shape,
                           "weight_type": "int32" if surrogate.weights else "none",
                           "hash": hashlib.sha256(key.encode()).hexdigest()[:16]},
                    original=surrogate.original, surrogate=surrogate.description, shape=" ".join(surrogate.shape), weights=surrogate.weights)  # fmt: skip
    return line


def runs_of(job):
    sources = [int(job.sources[1:])] if job.sources.startswith("@") else [11, 22, 33, 44][: int(job.sources)]
    for source in sources:
        for i in range(job.repeat):
            ns = number(job.name, 100000, 900000) + 1000 * i + source
            yield {"source": source, "traverse_ns": ns, "call_ns": 2 * ns, "transfer_ns": 300000, "edges_examined": number(job.name, 5000, 9000),
                   "relaxations": 900, "reached": 1000, "reached_edges": 8000, "levels": 4,
                   **({"levels_ns": ns, "pulled_ns": ns // 3} if "l" in job.flags else {}),
                   **({"counters": {"edges": 7000, "duplicates_found": number(job.name, 0, 90), "duplicates_missed": 77,
                                    "conflicts": 5, "atomics": number(job.name, 100, 999), "early": 40}} if "c" in job.flags else {})}  # fmt: skip


def line_of(job, device=GPU):
    line = head(job.name, job.surrogate, job.backend, device)
    if job.tool == "gather":
        return {**line, "sizes": [{"elements": 1 << k, "atomic_ms": 1.5, "prefix_ms": number(job.name, 1, 3)} for k in range(20, 30)]}
    if job.tool == "registers":
        return {**line, "registers": {"_Z13simple_kernelIjEv": 22}}
    if job.tool == "ncu":
        name = {"scan": "assign_vertices"}.get(job.strategy, job.strategy.replace("-", "_")) + "_kernel"
        return {**line, "kernels": [{"name": name, "registers": 24, "launches": [[3000, 5.0, 1.0, 40.0], [9000, 7.0, 2.0, 60.0]]}]}
    line.update(problem=job.problem, strategy=job.strategy, knobs=job.knobs, prepare_ns=2000000, upload_ns=1000000,
                verification="right", why="", runs=list(runs_of(job)))  # fmt: skip
    if "l" in job.flags:
        name = {"scan": "assign_vertices"}.get(job.strategy, job.strategy.replace("-", "_")) + "_kernel"
        line["level_list"] = [{"method": method, "frontier": size, "edges": 3 * size, "ns": 1000} for method, size in LEVELS]
        line["kernel_list"] = [{"name": name, "block": 256, "launches": 5, "occupancy": 1.0}]
        line["frontiers"] = [size for _, size in LEVELS]
    if "p" in job.flags:
        line.update({"checks": [[3, 0, 10], [6, 1, 5], [7, 5, 1]], "pass": 2, "next_level": 260, "early": 120})
    return line


def facts_of(job, device=GPU):
    line = head(f"facts/{run.key_of(job.surrogate)}", job.surrogate, "cuda", device)
    loops = 1000 if "-l" in job.surrogate.shape else 0
    line.update(n=1000, m=8000, self_loops=loops, degree_mean=8.0, degree_stddev=9.5, degree_max=99, diameter_lower_bound=6,
                degree_histogram=[{"low": 0, "vertices": 10}, {"low": 1, "vertices": 900}, {"low": 64, "vertices": 90}])  # fmt: skip
    return line


def all_lines(device=GPU, only=lambda job: True):
    """The lines of every job, and the facts of every graph."""
    found = [line_of(job, device) for job in jobs.jobs() if only(job)]
    return found + [facts_of(job, device) for job in jobs.jobs() if only(job) and job.surrogate]


def text_of(lines):
    return "".join(json.dumps(line) + "\n" for line in lines)
