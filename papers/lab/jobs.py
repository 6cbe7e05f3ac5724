"""The jobs for each table and figure, the most important first: `jobs()` is the list.

A job is one setting of a strategy on one graph, run by bench_papers. Its name consists of paper, item, graph and
column; the pages find its line by the name.
"""

import graphs
from graphs import PUBLISHED, Surrogate

GPU, CPU = "cuda", "cpu"


class Job:
    """sources: a count, or @VERTEX; repeat: runs per source; flags: bench_papers' flags; limit: no source is begun after
    this number of seconds; tool: None for bench_papers alone, or "gather", "ncu"."""

    def __init__(self, name, surrogate, strategy="", knobs="", problem="bfs", backend=GPU, sources="4", repeat=1,
                 flags="w", limit=4, tool=None, words=()):  # fmt: skip
        self.name, self.surrogate, self.strategy, self.knobs = name, surrogate, strategy, knobs
        self.problem, self.backend, self.sources, self.repeat = problem, backend, str(sources), repeat
        self.flags, self.limit, self.tool, self.words = flags, limit, tool, words

    @property
    def counting(self):
        """Only the build of `make counting` has kernels that count."""
        return self.backend == GPU and "c" in self.flags

    def line(self):
        """The setting, as bench_papers reads it."""
        fields = (self.name, self.problem, self.backend, self.strategy, self.knobs, self.sources, self.repeat,
                  self.flags or "-", self.limit)  # fmt: skip
        return "\t".join(map(str, fields)) + "\n"


def settings(prefix, surrogate, rows, **common):
    """Jobs on one graph. rows: {column: (strategy, knobs)}, or names of strategies, which run with their defaults."""
    rows = rows if isinstance(rows, dict) else {row: (row, "") for row in rows}
    return [Job(f"{prefix}/{column}", surrogate, *setting, **common) for column, setting in rows.items()]


# ---- the study ----------------------------------------------------------------------------------

STUDY_STRATEGIES = ("simple", "queue", "scan", "scan-fused", "warp-merge", "coalesced-map")
PROFILED = "com-Youtube"  # Figs. 7 and 8: a graph of a few levels of every size


def study():
    found = []
    for surrogate in graphs.STUDY:
        name = f"study/t2/{surrogate.original}"
        found += settings(name, surrogate, STUDY_STRATEGIES, repeat=3, flags="wf")
        found += settings(name, surrogate, ("serial",), backend=CPU, limit=8)
    surrogate = graphs.by_name(graphs.STUDY, PROFILED)
    found += settings("study/occupancy", surrogate, STUDY_STRATEGIES, sources=1, flags="wl")
    return found + settings("study/ncu", surrogate, STUDY_STRATEGIES, sources=1, flags="t", tool="ncu")


# ---- BFS-4K -------------------------------------------------------------------------------------


def bfs4k_published(original):
    """The knobs of section 7 of the paper, from its own Table 1: K1 grows with mean and deviation, from 4
    (roads, web-Google, kkt_power) to 32 (random.2Mv.128Me, com-youtube); K4 = 2 with a low mean and a high
    deviation, 0 with both high, else 1; K5 = 0 with a high mean, else 1; K3 = 16, K6 = 128, K7 = 10."""
    _, _, _, mean, deviation, _ = PUBLISHED["bfs4k_t1"][original]
    k1 = max(k for k in (4, 8, 16, 32) if k == 4 or k <= max(mean / 2, deviation * 0.7))
    k4 = 1 if deviation < 30 else 0 if mean >= 32 else 2
    k5 = 0 if mean >= 32 else 1
    return f"k1={k1},k3=16,k4={k4},k5={k5},{BFS4K_FORM}"


BFS4K_FORM = "k6=128,k7=10,persistent=0,cluster=0,child=1,claim=0,hash=1"
# Luo's form: thresholds 512 and 512 x multiprocessors are the defaults
HIER_FORM = "block=512,w_frontiers=8,blind_claim_max=0,prefetch=0"
WIDTHS = (1, 2, 4, 8, 16, 32)
BFS4K_STRATEGIES = {"Harish [4]": "simple", "edge parallel [7]": "edge-parallel", "Garland [16]": "expand-contract"}

BARE = "k1=4,k3=16,k4=1,k5=1,k6=128,k7=10,persistent=0,cluster=0,claim=0"
BFS4K_STEPS = {  # Fig. 14: one technique after the other, in the published form; then fringe's
    "virtual warps": f"{BARE},hash=0,child=0,discover=0",
    "+ edge-discover": f"{BARE},hash=0,child=0,discover=2",
    "+ dynamic parallelism": f"{BARE},hash=0,child=1,discover=2",
    "+ duplicate detection": f"{BARE},hash=1,child=1,discover=2",
    "published form": bfs4k_published("as-skitter"),
    "as fringe runs it": "",
}


def visit(width, discover, table, k4=0, claim=0):
    return (
        f"persistent=0,cluster=0,claim={claim},child=0,dynamic=0,k4={k4},k5=0,k1={width},discover={discover},"
        f"hash={table}"
    )


BFS4K_VISITS = {  # Fig. 12: entries of the frontier by visiting technique; Fig. 13: the entries of width 4
    "VirtualWarp1": visit(1, 0, 0),
    "VirtualWarp4": visit(4, 0, 0),
    "VirtualWarp1 + Hash64": visit(1, 0, 1),
    "VirtualWarp4 + Hash64": visit(4, 0, 1),
    "EdgeDiscover": visit(4, 2, 0, k4=1),
    "EdgeDiscover + Hash64": visit(4, 2, 1, k4=1),
    "VirtualWarp4 + table per warp [16]": visit(4, 0, 3),
    "VirtualWarp4 + exchange": visit(4, 0, 2),
    "no duplicates (atomic claims)": visit(4, 0, 0, claim=2),
}


BFS4K_WORK = ("web-Google", "as-skitter", "roadNet-CA", "Gen-SmallWorld")  # the edges that the published form examines


def bfs4k_figures():
    skitter = graphs.by_name(graphs.BFS4K, "as-skitter")
    steps = {label: ("bfs4k", text) for label, text in BFS4K_STEPS.items()}
    visits = {label: ("bfs4k", text) for label, text in BFS4K_VISITS.items()}
    found = settings("bfs-4k/fig14", skitter, steps, repeat=3)
    found += settings("bfs-4k/fig14", skitter, ("simple", "edge-parallel"), repeat=3)
    found += settings("bfs-4k/fig14", skitter, ("serial",), backend=CPU)
    found += settings("bfs-4k/count", skitter, visits, sources=1, flags="wlc")
    found += settings("bfs-4k/time", skitter, visits, sources=1, repeat=9)
    for original in ("as-skitter", "roadNet-CA"):
        text = bfs4k_published(original).replace("claim=0", "claim=2")  # so that every entry is a vertex
        found += settings("bfs-4k/fig7", graphs.by_name(graphs.BFS4K, original), {original: ("bfs4k", text)}, sources=1, flags="wl")
    for original in BFS4K_WORK:
        setting = "bfs4k", bfs4k_published(original)
        found += settings("bfs-4k/work", graphs.by_name(graphs.BFS4K, original), {original: setting}, sources=1, flags="c")
    return found


def bfs4k_table2():
    found = []
    for surrogate in graphs.BFS4K:
        name = f"bfs-4k/t2/{surrogate.original}"
        forms = {"bfs4k": ("bfs4k", ""), "published": ("bfs4k", bfs4k_published(surrogate.original)),
                 "hier-queue": ("hier-queue", ""), "hier-published": ("hier-queue", HIER_FORM)}  # fmt: skip
        found += settings(name, surrogate, forms, repeat=3)
        found += settings(name, surrogate, BFS4K_STRATEGIES.values())
        found += settings(name, surrogate, {f"width-{w}": ("virtual-warp", f"width={w}") for w in WIDTHS})
    return found


# ---- H-BF ---------------------------------------------------------------------------------------

HBF_STRATEGIES = ("hbf", "near-far", "workfront-sweep", "topology-bf")
HBF_FORM = "work=32,child=4096,hub=0,rounds=1,in_flight=1,staging=192"
HBF_RIVALS = "rounds=1"  # in the paper the host waited for every round
HBF_CORE = {"dijkstra": ("dijkstra", ""), "bellman-ford": ("bellman-ford", "subtrees=0")}  # a plain queue
HBF_PLAIN = "classes=0,dup=0,cache=0,staging=0,work=0,width=1,child=0,hub=0"
HBF_OFF = {  # Table 3: the technique that "without" switches off
    "hugetrace-00000": "work=0",
    "wiki-talk": "classes=0",
    "as-Skitter": "width=1,child=0,hub=0",
    "random.2Mv.128Me": "dup=0",
}
HBF_ONE = {"asia.osm", "USA-road-d.CAL", "delaunay_n20", "hugetrace-00000"}  # one core: one source


def without(knobs, off):
    """The knobs, with the values of `off` where it has any."""
    names = {text.split("=")[0] for text in off.split(",")}
    return ",".join([text for text in knobs.split(",") if text.split("=")[0] not in names] + [off])


def core_sources(surrogate):
    return 1 if surrogate.original in HBF_ONE else 4


def hbf_table2():
    forms = {strategy: (strategy, "") for strategy in HBF_STRATEGIES}
    forms.update({f"{strategy}-published": (strategy, HBF_RIVALS) for strategy in HBF_STRATEGIES[1:]}, published=("hbf", HBF_FORM))
    found = []
    for surrogate in graphs.HBF:
        name, weighted = f"h-bf/t2/{surrogate.original}", surrogate.weighted()
        found += settings(name, weighted, forms, problem="sssp")
        found += settings(name, weighted, HBF_CORE, problem="sssp", backend=CPU, sources=core_sources(surrogate), flags="-",
                          limit=20)  # fmt: skip
    return found


def hbf_table3():
    found = []
    for surrogate in graphs.HBF_NEGATIVE:
        name, off = f"h-bf/t3/{surrogate.original}", HBF_OFF[surrogate.original]
        weighted = surrogate.weighted("0,255,200")
        forms = {"with": "", "without": off, "published": HBF_FORM, "published without": without(HBF_FORM, off), "plain": HBF_PLAIN}
        found += settings(name, weighted, {form: ("hbf", text) for form, text in forms.items()}, problem="sssp")
        found += settings(name, weighted, {"sequential": HBF_CORE["bellman-ford"]}, problem="sssp", backend=CPU, flags="-",
                          sources=core_sources(surrogate), limit=20)  # fmt: skip
    return found


def hbf_counts():
    """Fig. 9, and the savings by edge classes if every vertex has a self-loop and if few have in-edges."""
    forms = {"hbf": ("hbf", ""), "no classes": ("hbf", "classes=0"), "published": ("hbf", HBF_FORM)}
    more = {"plain": ("hbf", HBF_PLAIN), "topology-bf": ("topology-bf", ""), "near-far": ("near-far", "")}
    counted = {"problem": "sssp", "sources": 1, "flags": "c"}
    msdoor, circuit = (graphs.by_name(graphs.HBF, name).weighted() for name in ("msdoor", "circuit5M_dc"))
    talk = graphs.by_name(graphs.HBF_NEGATIVE, "wiki-talk").weighted("0,255,200")
    found = settings("h-bf/fig9/msdoor", msdoor, {**forms, **more}, **counted)
    found += settings("h-bf/fig9/msdoor", msdoor, HBF_CORE, backend=CPU, **counted)
    found += settings("h-bf/fig9/circuit5M_dc", circuit, forms, **counted)
    found += settings("h-bf/fig9/wiki-talk", talk, forms, **counted)
    for weighted in (msdoor, circuit):
        found += settings("h-bf/loops", weighted, {weighted.original: ("hbf", "classes=0")}, problem="sssp")
    return found


# ---- XBFS ---------------------------------------------------------------------------------------


def xbfs_step(no_queue, pull_queue, balance=0, wait=0, donate=0, queue=None):
    """One step of the paper's order, in its form of everything that the steps do not name. wait: async."""
    first = "" if queue is None else f"queue={queue},"
    return (
        f"{first}no_queue={no_queue},pull_queue={pull_queue},balance={balance},async={wait},donate={donate},"
        "alpha=0.1,levels_per_sync=1,batch=1,fuse_scans=0,by_degree=1"
    )


XBFS_STEPS = {  # one technique after the other, in the order of the paper
    "baseline": xbfs_step(0, 0, queue=2),
    "scan-free": xbfs_step(0, 0, queue=0),
    "single-scan": xbfs_step(0, 0),
    "no-queue": xbfs_step(1, 0),
    "adaptive": xbfs_step(1, 1),
    "static": xbfs_step(1, 1, balance=1),
    "warp": xbfs_step(1, 1, balance=2),
    "thread": xbfs_step(1, 1, balance=3),
    "async": xbfs_step(1, 1, balance=2, wait=1),  # all of them: the published form
    "donation": xbfs_step(1, 1, balance=2, wait=1, donate=5),
}
XBFS_SHARES = ("baseline", "adaptive", "async")  # Fig. 12
DENSITIES = (1, 2, 5, 10, 50, 100, 200, 500, 900)  # Fig. 5: entries marked, in thousandths


def xbfs():
    """Steps and their levels; Table 2, whose published form is the step async and whose Enterprise is the step
    baseline; Figs. 9 and 10, counted on the device."""
    steps, table, passes = [], [], []
    forms = {label: ("xbfs", text) for label, text in XBFS_STEPS.items()}
    for surrogate in graphs.XBFS:
        name = surrogate.original
        trusted = "t" if name in graphs.XBFS_LARGE else ""
        steps += settings(f"xbfs/step/{name}", surrogate, forms, repeat=3, flags="w" + trusted)
        steps += settings(f"xbfs/levels/{name}", surrogate, {label: forms[label] for label in XBFS_SHARES}, flags="wlt")
        table += settings(f"xbfs/t2/{name}", surrogate, ("xbfs", "auto", "expand-contract"), repeat=3)
        passes += settings("xbfs/pass", surrogate, {name: forms["async"]}, sources=1, flags="wlcpt")
    return steps + table + passes


def xbfs_gather():
    return [Job(f"xbfs/fig5/{density}", None, tool="gather", words=(str(density),)) for density in DENSITIES]


# ---- UIUC-BFS -----------------------------------------------------------------------------------

UIUC_FORMS = {"simple": ("simple", ""), "hier-queue": ("hier-queue", ""), "published": ("hier-queue", HIER_FORM), "auto": ("auto", "")}


def uiuc_graphs():
    """(item, surrogate, sources, runs per source)."""
    for label, side in graphs.UIUC_REGULAR.items():
        center = f"@{side // 2 * side + side // 2}"
        yield f"t1/{label}", Surrogate(label, f"grid6:rows={side},cols={side}"), center, 12
    for label, side in graphs.UIUC_ROADS.items():
        yield f"t2/{label}", Surrogate(label, graphs.square(side)), 4, 3
    for label, n in graphs.UIUC_SCALE_FREE.items():
        yield f"t3/{label}", Surrogate(label, f"scale-free:n={n},seed=1"), 4, 3


def uiuc():
    found = []
    for item, surrogate, sources, repeat in uiuc_graphs():
        found += settings(f"uiuc-bfs/{item}", surrogate, UIUC_FORMS, sources=sources, repeat=repeat)
        found += settings(f"uiuc-bfs/{item}", surrogate, ("serial",), backend=CPU, sources=sources, repeat=repeat, limit=8)
        if item.startswith("t1"):
            found += settings("uiuc-bfs/work", surrogate, {surrogate.original: UIUC_FORMS["published"]}, sources=sources, flags="c")
    return found


def jobs():
    """All jobs, the most informative per second first; the jobs of one graph run together."""
    return (
        xbfs_gather() + uiuc() + bfs4k_figures() + bfs4k_table2() + hbf_table2() + hbf_table3() + hbf_counts() + study() + xbfs()
    )
