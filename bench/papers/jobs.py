"""The jobs for each table and figure, the most important first: `jobs()` is the list.

A job is one setting of a strategy on one graph, run by bench_papers (bench/micro). Its name consists of
paper, item, graph and column; the pages find its line by the name.
"""

from . import graphs
from .graphs import UNDIRECTED, Surrogate
from .published import BFS4K_TABLE1

GPU, CPU = "cuda", "cpu"


class Job:
    """sources: a count, or @VERTEX; repeat: runs per source; flags: those of bench_papers; seconds: estimated,
    without making the graph; limit: no source is begun after this number of seconds; tool: None for
    bench_papers alone, or "gather", "ncu", "registers"."""

    def __init__(self, name, surrogate, strategy="", knobs="", problem="bfs", backend=GPU, sources="4", repeat=1,
                 flags="w", seconds=0.5, limit=4, tool=None, words=()):  # fmt: skip
        self.name, self.surrogate, self.strategy, self.knobs = name, surrogate, strategy, knobs
        self.problem, self.backend, self.sources, self.repeat = problem, backend, str(sources), repeat
        self.flags, self.seconds, self.limit, self.tool, self.words = flags, seconds, limit, tool, words

    @property
    def counting(self):
        """Only the build of `make counting` has kernels that count."""
        return self.backend == GPU and "c" in self.flags

    def line(self):
        """The setting, as bench_papers reads it."""
        fields = (self.name, self.problem, self.backend, self.strategy, self.knobs, self.sources, self.repeat,
                  self.flags or "-", self.limit)  # fmt: skip
        return "\t".join(map(str, fields)) + "\n"


def join(*knobs):
    return ",".join(text for text in knobs if text)


# ---- the study ----------------------------------------------------------------------------------

STUDY_ROWS = ("simple", "queue", "scan", "scan-fused", "warp-merge", "coalesced-map")
PROFILED = "com-Youtube"  # Figs. 7 and 8: a graph of a few levels of every size


def study():
    found = [
        Job(f"study/t2/{surrogate.original}/{row}", surrogate, row, repeat=3, flags="wf")
        for surrogate in graphs.STUDY
        for row in (*STUDY_ROWS, "auto")
    ]
    surrogate = graphs.by_name(graphs.STUDY, PROFILED)
    for row in STUDY_ROWS:
        found.append(Job(f"study/occupancy/{row}", surrogate, row, sources=1, flags="wl"))
        found.append(Job(f"study/ncu/{row}", surrogate, row, sources=1, flags="t", seconds=8.0, tool="ncu"))
    return found + [Job("study/registers", None, seconds=5.0, tool="registers")]


# ---- BFS-4K -------------------------------------------------------------------------------------


def bfs4k_published(original):
    """The knobs of section 7 of the paper, from its own Table 1: K1 grows with mean and deviation, from 4
    (roads, web-Google, kkt_power) to 32 (random.2Mv.128Me, com-youtube); K4 = 2 with a low mean and a high
    deviation, 0 with both high, else 1; K5 = 0 with a high mean, else 1; K3 = 16, K6 = 128, K7 = 10."""
    _, _, _, mean, deviation, _ = BFS4K_TABLE1[original]
    k1 = max(k for k in (4, 8, 16, 32) if k == 4 or k <= max(mean / 2, deviation * 0.7))
    k4 = 1 if deviation < 30 else 0 if mean >= 32 else 2
    k5 = 0 if mean >= 32 else 1
    return f"k1={k1},k3=16,k4={k4},k5={k5},{BFS4K_FORM}"


BFS4K_FORM = "k6=128,k7=10,persistent=0,cluster=0,child=1,claim=0,hash=1"
# Luo's form: thresholds 512 and 512 x multiprocessors are the defaults
HIER_FORM = "block=512,w_frontiers=8,blind_claim_max=0,prefetch=0"
WIDTHS = (1, 2, 4, 8, 16, 32)
BFS4K_ROWS = {"Harish [4]": "simple", "edge parallel [7]": "edge-parallel", "Garland [16]": "expand-contract"}

BARE = "k1=4,k3=16,k4=1,k5=1,k6=128,k7=10,persistent=0,cluster=0,claim=0"
BFS4K_STEPS = {  # Fig. 14: one technique after the other, in the published form; then fringe's
    "virtual warps": f"{BARE},hash=0,child=0,discover=0",
    "+ edge-discover": f"{BARE},hash=0,child=0,discover=2",
    "+ dynamic parallelism": f"{BARE},hash=0,child=1,discover=2",
    "+ duplicate detection": f"{BARE},hash=1,child=1,discover=2",
    "published form": None,  # with the knobs of section 7
    "as fringe runs it": "",
}
STATIC = "persistent=0,cluster=0,claim=0,child=0,dynamic=0,k4=0,k5=0"
BFS4K_VISITS = {  # Fig. 12: entries of the frontier by visiting technique; Fig. 13: those of width 4
    "VirtualWarp1": f"{STATIC},k1=1,discover=0,hash=0",
    "VirtualWarp4": f"{STATIC},k1=4,discover=0,hash=0",
    "VirtualWarp1 + Hash64": f"{STATIC},k1=1,discover=0,hash=1",
    "VirtualWarp4 + Hash64": f"{STATIC},k1=4,discover=0,hash=1",
    "EdgeDiscover": f"{STATIC},k1=4,discover=2,hash=0".replace("k4=0", "k4=1"),
    "EdgeDiscover + Hash64": f"{STATIC},k1=4,discover=2,hash=1".replace("k4=0", "k4=1"),
    "VirtualWarp4 + table per warp [16]": f"{STATIC},k1=4,discover=0,hash=3",
    "VirtualWarp4 + exchange": f"{STATIC},k1=4,discover=0,hash=2",
    "no duplicates (atomic claims)": f"{STATIC},k1=4,discover=0,hash=0".replace("claim=0", "claim=2"),
}  # fmt: skip


def bfs4k_figures():
    surrogate = graphs.by_name(graphs.BFS4K, "as-skitter")
    found = []
    for label, text in BFS4K_STEPS.items():
        text = bfs4k_published("as-skitter") if text is None else text
        found.append(Job(f"bfs-4k/fig14/{label}", surrogate, "bfs4k", text, repeat=3))
    found += [Job(f"bfs-4k/fig14/{row}", surrogate, row, repeat=3) for row in ("simple", "edge-parallel")]
    found.append(Job("bfs-4k/fig14/serial", surrogate, "serial", backend=CPU, seconds=3.0))
    for label, text in BFS4K_VISITS.items():
        found.append(Job(f"bfs-4k/fig12/{label}/count", surrogate, "bfs4k", text, sources=1, flags="wlc"))
        found.append(Job(f"bfs-4k/fig12/{label}/time", surrogate, "bfs4k", text, sources=1, repeat=9))
    for original in ("as-skitter", "roadNet-CA"):
        surrogate = graphs.by_name(graphs.BFS4K, original)
        text = bfs4k_published(original).replace("claim=0", "claim=2")  # so that every entry is a vertex
        found.append(Job(f"bfs-4k/fig7/{original}", surrogate, "bfs4k", text, sources=1, flags="wl"))
    return found


def bfs4k_table2():
    found = []
    for surrogate in graphs.BFS4K:
        name = f"bfs-4k/t2/{surrogate.original}"
        slow = {"flags": "-", "seconds": 6.0} if surrogate.original == "europe.osm" else {}
        found.append(Job(f"{name}/bfs4k", surrogate, "bfs4k", repeat=3))
        found.append(Job(f"{name}/published", surrogate, "bfs4k", bfs4k_published(surrogate.original), repeat=3))
        found.append(Job(f"{name}/hier-queue", surrogate, "hier-queue", repeat=3))
        found.append(Job(f"{name}/hier-published", surrogate, "hier-queue", HIER_FORM, repeat=3))
        found += [Job(f"{name}/{row}", surrogate, row, **slow) for row in BFS4K_ROWS.values()]
        found += [Job(f"{name}/width-{w}", surrogate, "virtual-warp", f"width={w}", **slow) for w in WIDTHS]
    return found


# ---- H-BF ---------------------------------------------------------------------------------------

HBF_ROWS = ("hbf", "near-far", "workfront-sweep", "topology-bf")
HBF_FORM = "work=32,child=4096,hub=0,rounds=1,in_flight=1,staging=192"
HBF_RIVALS = "rounds=1"
HBF_PLAIN = "classes=0,dup=0,cache=0,staging=0,work=0,width=1,child=0,hub=0"
HBF_OFF = {  # Table 3: the technique that "without" switches off
    "hugetrace-00000": "work=0",
    "wiki-talk": "classes=0",
    "as-Skitter": "width=1,child=0,hub=0",
    "random.2Mv.128Me": "dup=0",
}
HBF_ONE = {"asia.osm", "USA-road-d.CAL", "delaunay_n20", "hugetrace-00000"}  # one core: one source


def without(knobs, off):
    """The knobs with those of `off` in place of theirs."""
    names = {text.split("=")[0] for text in off.split(",")}
    return join(",".join(text for text in knobs.split(",") if text.split("=")[0] not in names), off)


def hbf_table2():
    found = []
    for surrogate in graphs.HBF:
        name, weighted = f"h-bf/t2/{surrogate.original}", surrogate.weighted()
        found += [Job(f"{name}/{row}", weighted, row, problem="sssp", seconds=2.0) for row in HBF_ROWS]
        found.append(Job(f"{name}/published", weighted, "hbf", HBF_FORM, problem="sssp", seconds=2.0))
        for row in HBF_ROWS[1:]:  # in the paper the host waited for every round
            found.append(Job(f"{name}/{row}-published", weighted, row, HBF_RIVALS, problem="sssp", seconds=2.0))
        for row in ("dijkstra", "bellman-ford"):
            sources = 1 if surrogate.original in HBF_ONE else 4
            seconds = 90.0 if surrogate.original == "asia.osm" and row == "bellman-ford" else 8.0
            found.append(Job(f"{name}/{row}", weighted, row, problem="sssp", backend=CPU, sources=sources,
                             flags="-", seconds=seconds, limit=20))  # fmt: skip
    return found


def hbf_table3():
    found = []
    for surrogate in graphs.HBF_NEGATIVE:
        name, off = f"h-bf/t3/{surrogate.original}", HBF_OFF[surrogate.original]
        weighted = surrogate.weighted("0,255,200")
        forms = (("with", ""), ("without", off), ("published", HBF_FORM),
                 ("published without", without(HBF_FORM, off)), ("plain", HBF_PLAIN))  # fmt: skip
        for label, text in forms:
            found.append(Job(f"{name}/{label}", weighted, "hbf", text, problem="sssp", seconds=1.0))
        sources = 1 if surrogate.original in HBF_ONE else 4
        found.append(Job(f"{name}/sequential", weighted, "bellman-ford", problem="sssp", backend=CPU, flags="-",
                         sources=sources, seconds=30.0, limit=20))  # fmt: skip
    return found


def hbf_counts():
    """Fig. 9, and the savings by edge classes if every vertex has a self-loop and if few have in-edges."""
    found = []
    for original, group in (("msdoor", graphs.HBF), ("circuit5M_dc", graphs.HBF), ("wiki-talk", graphs.HBF_NEGATIVE)):
        surrogate = graphs.by_name(group, original)
        weighted = surrogate.weighted("0,255,200" if original == "wiki-talk" else "1,255")
        rows = [("hbf", "hbf", ""), ("no classes", "hbf", "classes=0"), ("published", "hbf", HBF_FORM)]
        if original == "msdoor":
            rows += [("plain", "hbf", HBF_PLAIN), ("topology-bf", "topology-bf", ""), ("near-far", "near-far", "")]
        for label, row, text in rows:
            found.append(Job(f"h-bf/fig9/{original}/{label}", weighted, row, text, problem="sssp", sources=1,
                             flags="c", seconds=1.0))  # fmt: skip
        if original == "msdoor":
            for row in ("dijkstra", "bellman-ford"):
                found.append(Job(f"h-bf/fig9/{original}/{row}", weighted, row, problem="sssp", backend=CPU,
                                 sources=1, flags="c", seconds=3.0))  # fmt: skip
    for original in ("msdoor", "circuit5M_dc"):
        weighted = graphs.by_name(graphs.HBF, original).weighted()
        found.append(Job(f"h-bf/loops/{original}", weighted, "hbf", "classes=0", problem="sssp", seconds=1.0))
    return found


# ---- XBFS ---------------------------------------------------------------------------------------

# the paper's form of everything that the steps do not name
XBFS_BASE = "alpha=0.1,levels_per_sync=1,batch=1,fuse_scans=0,by_degree=1"
XBFS_STEPS = {  # one technique after the other, in the order of the paper
    "baseline": "queue=2,no_queue=0,pull_queue=0,balance=0,async=0,donate=0",
    "scan-free": "queue=0,no_queue=0,pull_queue=0,balance=0,async=0,donate=0",
    "single-scan": "no_queue=0,pull_queue=0,balance=0,async=0,donate=0",
    "no-queue": "no_queue=1,pull_queue=0,balance=0,async=0,donate=0",
    "adaptive": "no_queue=1,pull_queue=1,balance=0,async=0,donate=0",
    "static": "no_queue=1,pull_queue=1,balance=1,async=0,donate=0",
    "warp": "no_queue=1,pull_queue=1,balance=2,async=0,donate=0",
    "thread": "no_queue=1,pull_queue=1,balance=3,async=0,donate=0",
    "async": "no_queue=1,pull_queue=1,balance=2,async=1,donate=0",  # all of them: the published form
    "donation": "no_queue=1,pull_queue=1,balance=2,async=1,donate=5",
}
XBFS_SHARES = ("baseline", "adaptive", "async")  # Fig. 12
DENSITIES = (1, 2, 5, 10, 50, 100, 200, 500, 900)  # Fig. 5: entries marked, in thousandths


def xbfs_steps():
    found = []
    for surrogate in graphs.XBFS:
        trusted = "t" if surrogate.original in graphs.XBFS_LARGE else ""
        for label, text in XBFS_STEPS.items():
            found.append(Job(f"xbfs/step/{surrogate.original}/{label}", surrogate, "xbfs", join(text, XBFS_BASE),
                             repeat=3, flags="w" + trusted))  # fmt: skip
        for label in XBFS_SHARES:
            found.append(Job(f"xbfs/levels/{surrogate.original}/{label}", surrogate, "xbfs",
                             join(XBFS_STEPS[label], XBFS_BASE), flags="wlt", sources=4))  # fmt: skip
    return found


def xbfs_pass():
    """Figs. 9 and 10, counted on the device."""
    return [
        Job(f"xbfs/pass/{surrogate.original}", surrogate, "xbfs", join(XBFS_STEPS["async"], XBFS_BASE), sources=1,
            flags="wlcpt", seconds=2.0)
        for surrogate in graphs.XBFS
    ]  # fmt: skip


def xbfs_gather():
    return [Job(f"xbfs/fig5/{density}", None, seconds=4.0, tool="gather", words=(str(density),)) for density in DENSITIES]


def xbfs_table2():
    """The published form is the job xbfs/step/.../async, Enterprise's xbfs/step/.../baseline."""
    return [
        Job(f"xbfs/t2/{surrogate.original}/{row}", surrogate, row, repeat=3)
        for surrogate in graphs.XBFS
        for row in ("xbfs", "auto", "expand-contract")
    ]


# ---- UIUC-BFS -----------------------------------------------------------------------------------

UIUC_ROWS = (("simple", "simple", ""), ("hier-queue", "hier-queue", ""), ("published", "hier-queue", HIER_FORM),
             ("auto", "auto", ""))  # fmt: skip


def uiuc_graphs():
    """(item, surrogate, sources)."""
    for label, side in graphs.UIUC_REGULAR.items():
        center = f"@{side // 2 * side + side // 2}"
        yield f"t1/{label}", Surrogate(label, f"grid6:rows={side},cols={side}"), center
    for label, side in graphs.UIUC_ROADS.items():
        yield f"t2/{label}", Surrogate(label, graphs.square(side)), 4
    for label, n in graphs.UIUC_SCALE_FREE.items():
        yield f"t3/{label}", Surrogate(label, f"scale-free:n={n},seed=1"), 4


def uiuc():
    found = []
    for item, surrogate, sources in uiuc_graphs():
        repeat = 12 if str(sources).startswith("@") else 3
        for label, row, text in UIUC_ROWS:
            found.append(Job(f"uiuc-bfs/{item}/{label}", surrogate, row, text, sources=sources, repeat=repeat))
        found.append(Job(f"uiuc-bfs/{item}/serial", surrogate, "serial", backend=CPU, sources=sources,
                         repeat=repeat, seconds=4.0, limit=8))  # fmt: skip
    return found


def jobs():
    """All jobs, the most informative per second first; those of one graph run together."""
    return (
        xbfs_gather()
        + uiuc()
        + bfs4k_figures()
        + bfs4k_table2()
        + hbf_table2()
        + hbf_table3()
        + hbf_counts()
        + study()
        + xbfs_steps()
        + xbfs_table2()
        + xbfs_pass()
    )


__all__ = ["UNDIRECTED", "Job", "jobs"]
