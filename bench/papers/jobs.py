"""The jobs for each table and figure, the most important first: `jobs()` is the list.

A job is one call of fringe on one graph. Its name consists of paper, item, graph and strategy; the pages
find its line by the name.
"""

from . import graphs
from .graphs import AS_MADE, SIMPLE, UNDIRECTED, Surrogate

GPU, CPU = "cuda", "cpu"
REPEATS = ("--sources", "4", "--seed", "1", "--warmup", "1")


class Job:
    """words: fringe's arguments without the graph; seconds: estimated time without making the graph;
    program: a program of bench/ that runs in place of fringe and prints one line for each `key`."""

    def __init__(self, name, surrogate, words, seconds=1.0, backend=GPU, program=None, key=None):
        self.name, self.surrogate, self.words = name, surrogate, list(words)
        self.seconds, self.backend, self.program, self.key = seconds, backend, program, key


def knobs(text):
    return [word for knob in text.split(",") if knob for word in ("--knob", knob)]


def solve(problem, row, knob_text="", extra=(), repeats=REPEATS, backend=GPU):
    words = [problem, "--no-tuning-cache", "--backend", backend, "--strategy", row, *repeats, *knobs(knob_text)]
    return words + ["--verify", "--json", *extra]


# ---- the suite: BFS-4K's Table 2, the study's Tables 2 and 3 ------------------------------------


def suite():
    words = ["bench", "--suite", "bfs", "--backend", GPU, "--sources", "4", "--time-limit", "1"]
    return [Job("suite/bfs", None, words, seconds=150)]


# ---- the study ----------------------------------------------------------------------------------

STUDY_ROWS = ("simple", "queue", "scan", "scan-fused", "warp-merge", "coalesced-map")


def occupancy():
    surrogate = Surrogate("kron_g500-logn21", "kronecker:scale=21,edge_factor=43,seed=1", UNDIRECTED)
    once = ("--sources", "1", "--seed", "1")
    return [
        Job(f"study/occupancy/{row}", surrogate, solve("bfs", row, extra=["--explain"], repeats=once))
        for row in STUDY_ROWS
    ]


# ---- H-BF ---------------------------------------------------------------------------------------

HBF_ROWS = ("hbf", "near-far", "workfront-sweep", "topology-bf")
HBF_PLAIN = "classes=0,dup=0,cache=0,staging=0,work=0,width=1,child=0,hub=0"
HBF_OFF = {  # Table 3: the technique that "without" switches off
    "hugetrace-00000": "work=0",
    "wiki-talk": "classes=0",
    "as-Skitter": "width=1,child=0,hub=0",
    "random.2Mv.128Me": "dup=0",
}
HBF_DEEP = {"asia.osm", "USA-road-d.CAL", "delaunay_n20"}  # CPU rows: one source, seconds each


def hbf_table2(rows, backend):
    found = []
    for surrogate in graphs.HBF:
        deep = surrogate.original in HBF_DEEP and backend == CPU
        repeats = ("--sources", "1", "--seed", "1") if deep else REPEATS
        for row in rows:
            seconds = 2.0 if backend == GPU else 40.0 if surrogate.original == "asia.osm" else 12.0
            words = solve("sssp", row, repeats=repeats, backend=backend)
            name = f"h-bf/t2/{surrogate.original}/{row}"
            found.append(Job(name, surrogate.weighted(), words, seconds, backend))
    return found


def hbf_table3(rows, backend):
    found = []
    for surrogate in graphs.HBF_NEGATIVE:
        weighted = surrogate.weighted("random:0,255", height=200)
        for label, row, text in rows:
            text = HBF_OFF[surrogate.original] if text == "off" else text
            words = solve("sssp", row, text, backend=backend)
            if backend == CPU:
                words = solve("sssp", row, repeats=("--sources", "1", "--seed", "1"), backend=CPU)
            name = f"h-bf/t3/{surrogate.original}/{label}"
            found.append(Job(name, weighted, words, 3.0 if backend == GPU else 30.0, backend))
    return found


def hbf_work():
    surrogate = graphs.by_name(graphs.HBF, "msdoor").weighted()
    found = []
    for row, text in (("hbf", ""), ("hbf", HBF_PLAIN), ("topology-bf", "")):
        label = "plain" if text else row
        words = solve("sssp", row, text, extra=["--counters"], repeats=("--sources", "1", "--seed", "1"))
        found.append(Job(f"h-bf/fig9/{label}", surrogate, words, 2.0))
    return found


# ---- XBFS ---------------------------------------------------------------------------------------

BASE = "levels_per_sync=1,donate=0,batch=1"
XBFS_STEPS = {  # one technique after the other, in the order of the paper
    "baseline": "queue=2,no_queue=0,pull_queue=0,balance=0,async=0",
    "scan-free": "queue=0,no_queue=0,pull_queue=0,balance=0,async=0",
    "single-scan": "no_queue=0,pull_queue=0,balance=0,async=0",
    "no-queue": "no_queue=1,pull_queue=0,balance=0,async=0",
    "adaptive": "no_queue=1,pull_queue=1,balance=0,async=0",
    "static": "no_queue=1,pull_queue=1,balance=1,async=0",
    "warp": "no_queue=1,pull_queue=1,balance=2,async=0",
    "thread": "no_queue=1,pull_queue=1,balance=3,async=0",
    "async": "no_queue=1,pull_queue=1,balance=2,async=1",
}
XBFS_SHARES = ("baseline", "adaptive", "async")  # Fig. 12


def xbfs_parts():
    found = []
    for original in graphs.XBFS_PARTS:
        surrogate = graphs.by_name(graphs.XBFS, original)
        for label, text in XBFS_STEPS.items():
            words = solve("bfs", "xbfs", f"{text},{BASE}", repeats=REPEATS + ("--repeat", "3"))
            found.append(Job(f"xbfs/step/{original}/{label}", surrogate, words))
        for label in XBFS_SHARES:
            words = solve("bfs", "xbfs", f"{XBFS_STEPS[label]},{BASE}", extra=["--explain"],
                          repeats=("--sources", "1", "--seed", "1", "--warmup", "1"))  # fmt: skip
            found.append(Job(f"xbfs/levels/{original}/{label}", surrogate, words))
    return found


def xbfs_gather():
    return [Job("xbfs/fig5", None, ["100"], 4.0, program="bench_gather", key="elements")]


def xbfs_table2():
    large = ("WK", "EW", "WL", "FR")
    order = [s for s in graphs.XBFS if s.original not in large]
    order += [graphs.by_name(graphs.XBFS, name) for name in large]
    return [
        Job(
            f"xbfs/t2/{surrogate.original}/{row}",
            surrogate,
            solve("bfs", row),
            6.0 if surrogate.original in large else 2.0,
        )
        for surrogate in order
        for row in ("xbfs", "auto")
    ]


# ---- BFS-4K -------------------------------------------------------------------------------------

PUBLISHED = "persistent=0,child=1,claim=0,hash=1"
BFS4K_STEPS = {  # Fig. 14: one technique after the other; claim=0 lets duplicates pass, as in the paper
    "virtual warps": "persistent=0,claim=0,hash=0,child=0,discover=0",
    "+ edge-discover": "persistent=0,claim=0,hash=0,child=0,discover=2",
    "+ dynamic parallelism": "persistent=0,claim=0,hash=0,child=1,discover=2",
    "+ duplicate detection": f"{PUBLISHED},discover=2",
    "as fringe runs it": "",
}
VIRTUAL = "persistent=0,claim=0,child=0,discover=0,dynamic=0,k1=4"  # Fig. 13: virtual warps of size 4
BFS4K_DUPLICATES = {
    "none": ("bfs4k", f"{VIRTUAL},hash=0"),
    "hash64 (text)": ("bfs4k", f"{VIRTUAL},hash=1"),
    "hash64 (exchange)": ("bfs4k", f"{VIRTUAL},hash=2"),
    "per warp [16]": ("expand-contract", "claim=0,bitmask=0,history_cull=0"),
    "per warp and block [16]": ("expand-contract", "claim=0,bitmask=0"),
}


def bfs4k_figures():
    surrogate = Surrogate("as-skitter", graphs.RMAT_SKITTER, UNDIRECTED)
    found = [
        Job(f"bfs-4k/fig14/{label}", surrogate, solve("bfs", "bfs4k", text))
        for label, text in BFS4K_STEPS.items()
    ]
    found += [Job(f"bfs-4k/fig14/{row}", surrogate, solve("bfs", row)) for row in ("simple", "edge-parallel")]
    found.append(Job("bfs-4k/fig14/serial", surrogate, solve("bfs", "serial", backend=CPU), 3.0, CPU))
    once = ("--sources", "1", "--seed", "1", "--warmup", "1")
    for label, (row, text) in BFS4K_DUPLICATES.items():
        words = solve("bfs", row, text, extra=["--counters", "--explain"], repeats=once)
        found.append(Job(f"bfs-4k/fig13/{label}/count", surrogate, words))
        found.append(Job(f"bfs-4k/fig13/{label}/time", surrogate, solve("bfs", row, text, repeats=once)))
    return found


def bfs4k_widths():
    """Table 2 has the best width of static virtual warps for each graph."""
    return [
        Job(f"bfs-4k/width/{case}/{width}", Surrogate(original, text, shape),
            solve("bfs", "virtual-warp", f"width={width}"))
        for original, case, text, shape in graphs.BFS4K
        for width in (1, 2, 8, 16, 32)
    ]  # fmt: skip


# ---- UIUC-BFS -----------------------------------------------------------------------------------

UIUC_ROWS = (("simple", GPU), ("hier-queue", GPU), ("auto", GPU), ("serial", CPU))


def uiuc():
    surrogates = []
    for label, side in graphs.UIUC_REGULAR.items():
        center = side // 2 * side + side // 2
        at_center = ("--source", str(center), "--repeat", "4", "--warmup", "1")
        surrogates.append((f"t1/{label}", Surrogate(label, f"grid6:rows={side},cols={side}"), at_center))
    for label, side in graphs.UIUC_ROADS.items():
        surrogates.append((f"t2/{label}", Surrogate(label, square_roads(side)), REPEATS))
    for label, n in graphs.UIUC_SCALE_FREE.items():
        surrogates.append((f"t3/{label}", Surrogate(label, f"scale-free:n={n},seed=1"), REPEATS))
    found = []
    for name, surrogate, repeats in surrogates:
        for row, backend in UIUC_ROWS:
            words = solve("bfs", row, repeats=repeats, backend=backend)
            seconds = 1.0 if backend == GPU else 4.0
            found.append(Job(f"uiuc-bfs/{name}/{row}", surrogate, words, seconds, backend))
    return found


def square_roads(side):
    return graphs.square(side)


# ---- graph statistics, which need no GPU -------------------------------------------------------------------


def facts():
    surrogates = [("bfs-4k/t1", Surrogate(original, text, shape)) for original, _, text, shape in graphs.BFS4K]
    surrogates += [("h-bf/t1", surrogate) for surrogate in graphs.HBF + graphs.HBF_NEGATIVE]
    return [
        Job(f"{item}/{surrogate.original}", Surrogate(surrogate.original, surrogate.description, surrogate.shape),
            ["info", "--json"], 4.0, CPU)
        for item, surrogate in surrogates
    ]  # fmt: skip


def jobs():
    """All jobs, the most informative per second first."""
    return (
        occupancy()
        + xbfs_gather()
        + bfs4k_figures()
        + hbf_table2(HBF_ROWS, GPU)
        + hbf_work()
        + hbf_table3((("with", "hbf", ""), ("without", "hbf", "off"), ("plain", "hbf", HBF_PLAIN)), GPU)
        + xbfs_parts()
        + uiuc()
        + suite()
        + xbfs_table2()
        + hbf_table2(("dijkstra", "bellman-ford"), CPU)
        + hbf_table3((("sequential", "bellman-ford", ""),), CPU)
        + bfs4k_widths()
        + facts()
    )


__all__ = ["AS_MADE", "SIMPLE", "UNDIRECTED", "Job", "jobs"]
