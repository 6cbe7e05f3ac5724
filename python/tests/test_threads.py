"""Many threads at once, with the GIL and without it: each answer is compared with a single thread's."""

import functools
import gc
import pickle
import subprocess
import sys
import sysconfig
import threading

import numpy as np
import pytest

import pyfringe as fr

THREADS = 8
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def together(work, count=THREADS):
    """Calls work(i) in `count` threads that begin at the same time; raises the first exception of one."""
    barrier, errors = threading.Barrier(count), []

    def run(i):
        barrier.wait()
        try:
            work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def kronecker():
    return fr.Graph.generate("kronecker:scale=7,seed=1", weights="random", weight_low=1, weight_high=99, seed=2)


def grid():
    """Large enough for a team of the library's own threads in each call."""
    return fr.Graph.generate("grid2d:rows=250,cols=200", weights="random", weight_low=1, weight_high=255, seed=1)


def of(result):
    values = result.level if result.problem == fr._solve.PROBLEMS["bfs"] else result.dist
    return [values, result.parent]


def counted(g, s):
    r = fr.bfs(g, s)
    return [r.path_counts(), r.tight_edges()]


def saved(g, s):
    return [fr.sssp(g, s, parents=False).to_bytes(), g.to_bytes("fringe"), pickle.loads(pickle.dumps(g)).hash]


def routed(g, s):
    with fr.Router(g) as router:
        return [router.path(s, 7).length, router.table([s, 3], [5, 9]), [p.length for p in router.k_paths(s, 7, 3)]]


CALLS = {
    "bfs": lambda g, s: of(fr.bfs(g, s, parent_rule="min-id")),
    "sssp": lambda g, s: of(fr.sssp(g, s, parent_rule="nearest")),
    "backwards": lambda g, s: of(fr.sssp(g, s, reverse=True, parents=False)),
    "closed": lambda g, s: of(fr.sssp(g, s, closed_vertices=[s + 1, s + 2], parents=False)),
    "apsp": lambda g, s: of(fr.apsp(g, [s, s + 1])),
    "bfs_each": lambda g, s: of(fr.bfs_each(g, [s, s + 1])),
    "distances": lambda g, s: [fr.distances(g, [s], [1, 2, 3])],
    "weak components": lambda g, s: list(g.components()),
    "strong components": lambda g, s: list(g.components("strong")),
    "transpose": lambda g, s: [g.reverse().hash],
    "filter": lambda g, s: [g.filter([s], [(int(np.flatnonzero(np.diff(g.indptr))[0]), int(g.indices[0]))]).hash],
    "weights": lambda g, s: [g.with_weights(g.data + s).hash],
    "subgraph": lambda g, s: [g.subgraph(range(s, g.n)).hash],
    "arrays": lambda g, s: [g.indptr, g.indices, g.data, g.ids, g.name, g.id(s), g.edge(s, s + 1)],
    "stats": lambda g, s: list(g.stats().values()),
    "eccentricity": lambda g, s: [fr.eccentricity(g.subgraph(range(s, s + 60)))],
    "centrality": lambda g, s: [np.round(fr.centrality(g.subgraph(range(s, s + 60)), "betweenness"), 9)],
    "paths counted": counted,
    "saved": saved,
    "router": routed,
}


def assert_same(name, found, wanted):
    assert len(found) == len(wanted), name
    for a, b in zip(found, wanted, strict=True):
        assert np.array_equal(a, b), name


@pytest.mark.parametrize("directed", [False, True])
def test_one_graph_in_many_threads(directed):
    """All calls at once on a graph that nothing has prepared: each thread has an order of its own."""
    for seed in range(2):
        g, known = kronecker(), kronecker()
        if directed:
            g, known = (fr.Graph.from_csr(one.indptr, one.indices, one.data) for one in (g, known))
        wanted = {(name, s): call(known, s) for name, call in CALLS.items() for s in range(2)}

        def work(i, g=g, wanted=wanted, seed=seed):
            order = np.random.default_rng([seed, i]).permutation(len(wanted))
            for name, s in (list(wanted)[at] for at in order):
                assert_same(name, CALLS[name](g, s), wanted[name, s])

        together(work)


def test_a_collection_of_garbage_lets_other_threads_go_on():
    """It may begin at any allocation and run finalizers that release the GIL; here a thread makes its first call then."""
    g, others, tuples, ended, threshold = kronecker(), [], [], threading.Event(), gc.get_threshold()

    def other():
        fr.bfs(g, 0)
        ended.wait()

    def begin(phase="start", _=None):
        if phase == "start" and threading.current_thread() is threading.main_thread():
            others.append(threading.Thread(target=other))
            others[-1].start()
            others[-1].join(0.01)  # it does not end; time for its call
            tuples.append([(i,) * 2 for i in range(5000)])  # freed ones are used again without a collection

    for _ in range(40):
        begin()
    gc.callbacks.append(begin)
    try:
        for options in ({}, {"record": True}, {"parents": False}, {"engine": "cpu", "strategy": "serial"}):
            gc.set_threshold(20)
            found = fr.bfs(g, 0, **options)
            gc.set_threshold(*threshold)
            assert np.array_equal(found.level, fr.bfs(kronecker(), 0).level)
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(begin)
        ended.set()
        for thread in others:
            thread.join()


def same_in_threads(call, known, count=THREADS):
    """Calls call(s) for each s in each thread, in another order; all answers equal known(s), made before."""
    wanted = [known(s) for s in range(count)]

    def work(i):
        for s in np.roll(range(count), i).tolist():
            assert_same("calls", call(s), wanted[s])

    together(work, count)


def test_teams_of_many_threads():
    g, known = grid(), grid()
    same_in_threads(*(lambda s, g=g: [fr.bfs(g, s).level, fr.sssp(g, s).dist] for g in (g, known)), count=4)


def answered_or_refused(calls):
    """Each call by several threads at once gives the answer of a single thread or is refused."""
    wanted, answered, refused = {(name, i): call(i) for name, call in calls.items() for i in range(THREADS)}, [], []

    def work(i):
        for name in list(calls) * 20:
            try:
                assert_same(name, calls[name](i), wanted[name, i])
                answered.append(i)
            except fr.FringeError as error:
                refused.append(str(error))

    together(work)
    assert answered and all("in use by another thread" in text for text in refused)


def test_one_solver_in_many_threads():
    g = kronecker()
    solver, rows = fr.Solver(g, "sssp"), np.empty((THREADS, g.n), np.int32)
    answered_or_refused({
        "run": lambda i: [solver.run(i, rows[i]), rows[i].copy()][1:],
        "solve": lambda i: [solver.solve(i).dist],
        "solve_each": lambda i: [solver.solve_each([i, 0]).dist],
        "explain": lambda i: [bool(solver.explain())],
    })  # fmt: skip


def test_one_router_in_many_threads():
    router = fr.Router(fr.Graph.generate("grid2d:rows=30,cols=30", weights="random", weight_low=1, weight_high=99, seed=1))
    answered_or_refused({
        "path": lambda i: [router.path(i, 899).length],
        "k_paths": lambda i: [x for p in router.k_paths(i, 899, 20) for x in p],
        "distances": lambda i: [router.distances([i], [9])],
    })  # fmt: skip


@pytest.mark.parametrize("kind", ["graph", "solver", "router"])
def test_closing_in_another_thread(kind):
    """The calls that run then end with their answer, later ones raise."""
    known = kronecker()
    wanted = {name: call(known, 0) for name, call in CALLS.items()}
    dist = fr.sssp(known, 0, dtype="int64").dist
    for _ in range(10):
        g = kronecker()
        shared = {"graph": g, "solver": fr.Solver(g, "sssp"), "router": fr.Router(g)}[kind]
        failed = []

        def work(i, g=g, shared=shared, failed=failed):
            if i == 0:
                return shared.close()
            for name in list(wanted)[i::2]:
                try:
                    if kind == "graph":
                        assert_same(name, CALLS[name](g, 0), wanted[name])
                    elif kind == "solver":
                        assert_same(kind, [shared.solve(0).dist], [wanted["sssp"][0]])
                    else:
                        assert_same(kind, [shared.table([0], range(known.n))[0]], [dist])
                except fr.FringeError as error:
                    failed.append(str(error))

        together(work, 3)
        assert all(f"the {kind} is closed" in text or "in use" in text for text in failed)
        with pytest.raises(fr.FringeError, match="closed"):
            shared.n if kind == "graph" else shared.solve(0) if kind == "solver" else shared.path(0, 1)


def test_many_threads_make_graphs():
    known = kronecker()
    arrays = known.indptr.copy(), known.indices.copy(), known.data.copy()
    columns = np.repeat(np.arange(known.n), np.diff(known.indptr)), known.indices, known.data

    def work(i):
        for turn in range(20):
            g = fr.Graph.from_csr(*arrays, copy=bool(turn % 2)) if i % 2 else fr.Graph.from_edges(*columns, n=known.n)
            assert_same("a graph", [g.indptr, g.indices, g.data], arrays)
            assert_same("its distances", [fr.sssp(g, i).dist], [fr.sssp(known, i).dist])

    together(work)


@pytest.mark.parametrize("scale", [6, 12])  # answered without a graph of the library, and with one
def test_csgraph_in_many_threads(scale):
    sparse = pytest.importorskip("scipy.sparse")
    ours, theirs = pytest.importorskip("pyfringe.csgraph"), pytest.importorskip("scipy.sparse.csgraph")
    g = fr.Graph.generate(f"kronecker:scale={scale},seed=1", weights="random", weight_low=1, weight_high=9, seed=2)
    a = sparse.csr_array((g.data.astype(float), g.indices, g.indptr.astype(np.int32)), shape=(g.n, g.n))

    def calls(module, s):
        return [
            module.dijkstra(a, indices=[s, s + 1]),
            module.dijkstra(a, indices=s, unweighted=True, min_only=True),
            module.breadth_first_order(a, s)[0],
            *module.connected_components(a),
        ]

    same_in_threads(*(functools.partial(calls, module) for module in (ours, theirs)))


def test_networkx_in_many_threads():
    nx = pytest.importorskip("networkx")
    g = nx.gnm_random_graph(200, 600, seed=1)
    same_in_threads(*(lambda s, by=by: [dict(nx.single_source_shortest_path_length(g, s, **by))] for by in ({"backend": "fringe"}, {})))


@pytest.mark.skipif(not FREE_THREADED, reason="this Python has the GIL")
def test_the_import_leaves_the_gil_off():
    modules = ["pyfringe"]
    for needs, module in (("scipy", "pyfringe.csgraph"), ("networkx", "pyfringe.nx")):
        if subprocess.run([sys.executable, "-c", f"import {needs}"], check=False, capture_output=True).returncode == 0:
            modules.append(module)
    code = f"import sys, {', '.join(modules)}; sys.exit(sys._is_gil_enabled())"
    ran = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
