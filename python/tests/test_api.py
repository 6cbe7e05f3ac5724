"""The package's own functions, and every kind of wrong input: an exception with a message, never a crash."""

import fractions
import functools
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from device_arrays import ByDLPack, DeviceMemory, OnDevice

import pyfringe as fr
from pyfringe._engine import Engine

SRC, DST, WEIGHTS = [0, 0, 1, 2, 3], [1, 2, 3, 3, 4], [1, 4, 2, 1, 7]  # of `graph`


def test_wider_distances():
    g = fr.Graph.from_edges([0, 1], [1, 2], np.array([2**31 - 2, 5], np.int32))
    with pytest.raises(fr.errors.DistanceOverflowError):
        fr.sssp(g, 0)
    assert fr.sssp(g, 0, dtype=np.int64).dist[2] == 2**31 + 3


@pytest.mark.parametrize("search", [fr.sssp, lambda g, v, **more: fr.sssp_each(g, [v], **more), fr.apsp])
def test_a_limit_is_never_rounded(search):
    def reached(weight, limit):
        g = fr.Graph.from_edges([0], [1], np.array([weight]))
        return search(g, 0, max_distance=limit).dist.ravel()[1] == weight

    for weight, limit in ((2**53 + 1, 2**53 + 1), (2**62, 2**62 - 1), (2**62, np.int64(2**62 - 1))):
        with pytest.raises(ValueError, match=f"equal a double.*{limit} does not"):
            reached(weight, limit)
    for limit in (2**62, 2**63 - 1, 2**70 + 1, 10**400, np.inf):
        assert reached(2**62, limit)
    assert not reached(2**62, 2**61)
    assert reached(np.int32(2**30), 2**53 + 1)  # beyond all of the type
    assert reached(2.0**53, 2**53 + 1) and not reached(2.0**53 + 2, 2**53 + 1)
    assert reached(0.1, 0.1) and not reached(0.1, fractions.Fraction(1, 10))  # 0.1 is more than a tenth


def test_negative_cycle():
    g = fr.Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 0], [1.0, -3.0, 1.0, 1.0], n=5)
    with pytest.raises(fr.NegativeCycleError) as caught:
        fr.sssp(g, 0)
    assert sorted(caught.value.cycle) == [1, 2] and caught.value.weight == -2
    r = fr.sssp(g, 0, mark_negative_cycles=True, verify=True)
    assert r.dist.tolist() == [0, -np.inf, -np.inf, np.inf, np.inf] and sorted(r.cycle) == [1, 2]


def test_a_function_of_rows_ends_the_call(graph):
    with pytest.raises(fr.errors.CancelledError):
        fr.apsp(graph, rows=lambda *_: True)
    with pytest.raises(ZeroDivisionError):
        fr.apsp(graph, rows=lambda *_: 1 / 0)


def test_borrowed_arrays_are_not_copied():
    indptr, indices = np.array([0, 2, 3, 3]), np.array([1, 2, 2], np.int32)
    data = np.array([1.0, 2.0, 3.0])
    for a in (indptr, indices, data):
        a.flags.writeable = False
    g = fr.Graph.from_csr(indptr, indices, data, copy=False)
    assert g.indices.ctypes.data == indices.ctypes.data and g.data.ctypes.data == data.ctypes.data
    assert fr.Graph.from_csr(indptr, indices, data, copy=True).data.ctypes.data != data.ctypes.data
    views = g.indptr, g.indices, g.data
    del g, indptr, indices, data
    gc.collect()
    assert [v.tolist() for v in views] == [[0, 2, 3, 3], [1, 2, 2], [1, 2, 3]]
    with pytest.raises(ValueError):
        views[0][0] = 1


def test_unaligned_arrays():
    rows, columns = (np.zeros(8 * n + 1, np.uint8)[1:].view(np.int64) for n in (4, 2))
    rows[:], columns[:] = [0, 1, 2, 2], [1, 2]
    unaligned = np.zeros(13, np.uint8)[1:].view(np.int32)
    assert not rows.flags.aligned and not unaligned.flags.aligned
    g = fr.Graph.from_csr(rows, columns)
    unaligned[0] = 2
    assert fr.bfs(g, unaligned[1:2]).level.tolist() == [0, 1, 2]
    for call in (lambda: fr.bfs(g, 0, out=unaligned), lambda: fr.Solver(g, "bfs").run(0, unaligned)):
        with pytest.raises(ValueError, match="multiple of 4"):
            call()


def test_unsorted_and_other_types():
    g = fr.Graph.from_csr(np.array([0, 3], np.int32), np.array([0, 0, 0], np.uint8), [3, 1, 2])
    assert g.data.tolist() == [1, 2, 3]
    g = fr.Graph.from_csr([0, 2, 2, 2], np.array([5, 2, 9, 1])[1::2], np.array([1, 2], np.float16))
    assert g.indices.tolist() == [1, 2] and g.weight_dtype == np.float32


def test_pickle_scipy_save(graph, tmp_path):
    copy = pickle.loads(pickle.dumps(graph))
    assert copy.hash == graph.hash
    sparse = pytest.importorskip("scipy.sparse")
    matrix = graph.to_scipy()
    assert isinstance(matrix, sparse.csr_array) and matrix[3, 4] == 7
    assert fr.Graph.from_scipy(matrix).hash == graph.hash
    assert fr.Graph.from_scipy(matrix.tocoo(), directed=False).m == 10
    graph.save(tmp_path / "g.gr")
    assert fr.Graph.load(tmp_path / "g.gr").data.tolist() == graph.data.tolist()


def test_arrays_as_other_programs_hold_them():
    """COO and CSR, unsorted, parallel edges, int32 and int64: the same graph; sorted int64/int32 is borrowed."""
    src, dst, weight = np.array([2, 0, 0, 1, 0]), np.array([0, 2, 1, 2, 1]), np.array([5.0, 4, 3, 2, 1])
    wanted = fr.Graph.from_edges(src, dst, weight)
    assert wanted.indices.tolist() == [1, 1, 2, 2, 0] and wanted.data.tolist() == [1, 3, 4, 2, 5]
    rows = np.array([0, 3, 4, 5]), np.array([2, 1, 1, 2, 0]), np.array([4.0, 3, 1, 2, 5])
    for wide in (np.int32, np.int64, np.uint16):
        assert fr.Graph.from_edges(src.astype(wide), dst, weight).hash == wanted.hash
        for other in (np.int32, np.int64):
            assert fr.Graph.from_csr(rows[0].astype(wide), rows[1].astype(other), rows[2]).hash == wanted.hash
    merged = fr.Graph.from_edges(src, dst, weight, drop_parallel=True)
    assert merged.indices.tolist() == [1, 2, 2, 0] and merged.data.tolist() == [1, 4, 2, 5]
    offsets, targets = np.array([0, 1, 2]), np.array([1, 0], np.int32)
    g = fr.Graph.from_csr(offsets, targets)
    assert g.indices.ctypes.data == targets.ctypes.data
    unsorted = fr.Graph.from_csr([0, 2, 3, 4], [2, 1, 0, 0], [3, 4, 4, 3], symmetric=True)
    assert unsorted.symmetric and unsorted.data.tolist() == [4, 3, 4, 3]


def test_bytes(graph, tmp_path):
    for format in ("fringe", "gr"):
        assert fr.Graph.from_bytes(graph.to_bytes(format), format=format).data.tolist() == WEIGHTS
    graph.save(tmp_path / "g.gr")
    assert graph.to_bytes("gr") == (tmp_path / "g.gr").read_bytes()
    table = b"cost,to,from\n5,1,0\n7,2,1\n"
    g = fr.Graph.from_bytes(memoryview(table), source_column="from", target_column="to", weight_column=1)
    assert g.data.tolist() == [5, 7] and g.indices.tolist() == [1, 2]
    named = fr.Graph.from_bytes(b"10 20\n20 40\n", format="snap")
    assert pickle.loads(pickle.dumps(named)).ids.tolist() == named.ids.tolist() == [10, 20, 40]


def test_reverse_and_weights(graph):
    back = graph.reverse()
    assert back.reverse().hash == graph.hash
    assert fr.distances(graph, [4], [0], reverse=True).tolist() == [[10]]
    assert fr.Solver(graph, "bfs", reverse=True, expected_queries=5).solve(4).level[0] == 3
    other = graph.with_weights(np.array([1, 1, 1, 1, 1.5]))
    assert fr.sssp(other, 0).dist.tolist() == [0, 1, 1, 2, 3.5, np.inf]
    assert other.with_weights(None).weight_dtype is None
    assert fr.sssp(other.with_weights(None), 0, dtype=np.float32).dist.dtype == np.float32
    del graph  # what the derived graphs need stays
    gc.collect()
    assert other.indices.tolist() == DST and back.indices.tolist() == [0, 0, 1, 2, 3]


def test_subgraphs_and_cycles(graph):
    assert graph.subgraph(np.array([], np.int32)).n == 0
    named = fr.Graph.from_networkx(pytest.importorskip("networkx").path_graph(["a", "b", "c", "d"]))
    assert named.subgraph(["d", "c"]).labels == named.subgraph(np.arange(4) > 1).labels == ["c", "d"]
    assert graph.negative_cycle() is None
    vertices, weight = fr.Graph.from_edges([0, 1, 2, 3], [1, 2, 1, 0], [1, -3, 2, 1]).negative_cycle()
    assert sorted(vertices) == [1, 2] and weight == -1


def test_order_origins_and_rules(graph):
    assert fr.bfs(graph, [2, 1], order=True).order.tolist() == [1, 2, 3, 4]
    assert fr.bfs(graph, 0).order is None and fr.bfs(graph, 0).origin is None
    g = fr.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [2, 1, 1, 2])
    assert fr.sssp(g, 0, parent_rule="min-id").parent[3] == 1
    assert fr.sssp(g, 0, parent_rule="nearest", verify=True).parent[3] == 2
    assert fr.apsp(g, parents=True, parent_rule="nearest", verify=True).parent[0].tolist() == [0, 0, 0, 2]
    solver = fr.Solver(g, "bfs")
    assert solver.solve(0, order=True, origins=True).order.size == 4
    solver.run(0, np.empty(4, np.int32))  # the arrays of the query before are not written again
    assert solver.solve(0).order is None


def test_tables():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"from": SRC, "to": DST, "cost": WEIGHTS})
    assert fr.Graph.from_edges(table["from"], table["to"], table["cost"]).n == 5
    table.loc[1, "to"] = np.nan
    with pytest.raises(ValueError, match="dst: the id in row 1 .* is missing"):
        fr.Graph.from_edges(table["from"], table["to"])


def test_arrow():
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"from": SRC, "to": DST, "cost": arrow.array(WEIGHTS, arrow.float32())})
    g = fr.Graph.from_edges(table["from"], table["to"], table["cost"])
    assert g.weight_dtype == np.float32 and fr.sssp(g, 0).dist.tolist() == [0, 1, 4, 3, 10]
    joined = arrow.concat_tables([table.slice(0, 2), table.slice(2)])  # columns of two chunks
    assert fr.Graph.from_edges(joined["from"], joined["to"], joined["cost"]).hash == g.hash
    assert fr.Graph.from_csr(arrow.array([0, 1, 1]), arrow.array([1], arrow.int32())).m == 1
    with pytest.raises(ValueError, match="dst: the id in row 1 .* is missing"):
        fr.Graph.from_edges(table["from"], arrow.array([1, None, 3, 3, 4]))
    with pytest.raises(TypeError, match="src must be integers"):
        fr.Graph.from_edges(arrow.array(["a"]), arrow.array([1]), ids=False)


def test_html(graph):
    assert graph._repr_html_() == "<b>pyfringe.Graph</b> arrays: 6 vertices, 5 edges, int32 weights"
    assert "<b>pyfringe.Result</b> of sssp: 5 vertices reached, " in fr.sssp(graph, 0)._repr_html_()
    assert repr(fr.sssp(graph, [1, 2])).startswith("<pyfringe.Result of sssp: 4 vertices reached from the nearest of 2 sources, ")
    graph.close()
    assert "closed" in graph._repr_html_()


def test_explain_names_the_strategy_and_a_reason(graph):
    for result in (fr.bfs(graph, 0), fr.sssp(graph, 0), fr.apsp(graph)):
        strategy, _, reason = result.explain().partition(" ")
        assert strategy.rstrip(":") == result.stats["strategy"] and len(reason) > 10, result.explain()
    assert fr.bfs(graph, 0, strategy="serial").explain().startswith("serial")


def test_solver(graph):
    solver = fr.Solver(graph, "sssp")
    first = solver.solve(0)
    assert solver.solve(3, out=first).dist is first.dist
    assert first.dist[4] == 7
    row = np.empty(6, np.int32)
    solver.run(0, row)
    assert row[4] == 10
    for wrong in (np.empty(5, np.int32), np.empty(6, np.int64), np.empty(12, np.int32)[::2], [0] * 6, "no",
                  np.frombuffer(bytes(24), np.int32)):  # fmt: skip
        with pytest.raises((TypeError, ValueError, BufferError)):
            solver.run(0, wrong)
    for wrong in (6, -1, 2**40):
        with pytest.raises(IndexError):
            solver.run(wrong, row)
    with pytest.raises(TypeError):
        solver.run("0", row)
    solver.close()
    with pytest.raises(fr.FringeError, match="closed"):
        solver.run(0, row)


def test_closed_graph(graph):
    solver, view = fr.Solver(graph, "bfs"), graph.indices
    graph.close()
    assert repr(graph) == "<pyfringe.Graph: closed>"
    for call in (lambda: graph.n, lambda: fr.bfs(graph, 0), lambda: fr.Solver(graph, "bfs"), graph.stats, lambda: fr.radius(graph)):
        with pytest.raises(fr.FringeError, match="closed"):
            call()
    assert view.tolist() == DST
    level = np.empty(6, np.int32)
    solver.run(0, level)  # the solver holds what it needs
    assert level[4] == 3


def test_changed_parents_are_refused(graph):
    r = fr.bfs(graph, 0)
    r.parent[4], r.parent[3] = 3, 4
    with pytest.raises(fr.FringeError, match="cycle"):
        r.path_to(4)
    r.parent[4] = 99
    with pytest.raises(fr.FringeError):
        r.path_to(4)
    with pytest.raises(fr.VerifyError):
        r.verify()
    with pytest.raises(IndexError):
        r.path_to(6)


def test_empty_graph():
    g = fr.Graph.from_edges([], [], n=0)
    assert (g.n, g.m, g.indices.size) == (0, 0, 0)
    with pytest.raises((IndexError, ValueError)):
        fr.bfs(g, 0)
    for dtype in (np.int32, np.float32):  # the type counts without edges, too
        g = fr.Graph.from_edges([], [], np.array([], dtype), n=3)
        assert g.m == 0 and g.weight_dtype == fr.sssp(g, 0).dist.dtype == dtype


def big(rows=1000):
    return fr.Graph.generate(f"grid2d:rows={rows},cols=1000", weights="random", weight_low=1, weight_high=255, seed=1)


def test_call_within_a_callback(graph):
    inner = []
    fr.apsp(graph, [0], rows=lambda *_: inner.append(fr.bfs(graph, 0).level.max()))
    assert inner == [3]


def test_the_gil_is_free_during_a_call():
    g = big()
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    fr.apsp(g, range(4), rows=lambda *_: None)
    end = time.monotonic()
    done.set()
    thread.join()
    assert sum(begin < t < end for t in ticks) > 5


def test_progress_and_exceptions():
    g, phases = big(), []
    fr.apsp(g, range(3), rows=lambda *_: None, progress=lambda *args: phases.append(args))
    assert phases and all(isinstance(p[0], str) and p[1] >= 0 for p in phases)
    with pytest.raises(fr.errors.CancelledError, match="progress"):
        fr.apsp(g, range(30), rows=lambda *_: None, progress=lambda *_: True)
    with pytest.raises(ZeroDivisionError):
        fr.apsp(g, range(30), rows=lambda *_: None, progress=lambda *_: 1 / 0)


def test_tqdm(monkeypatch):
    import io

    import tqdm.auto

    shown = io.StringIO()
    monkeypatch.setattr(tqdm.auto, "tqdm", functools.partial(tqdm.auto.tqdm, file=shown, mininterval=0))
    fr.apsp(big(), range(3), rows=lambda *_: None, progress=True)
    text = shown.getvalue()
    assert "apsp" in text or "rows" in text, text
    assert text.endswith("\n"), "the last bar was not closed"


@pytest.mark.parametrize("what", ["fr.apsp(g, range(1000), rows=lambda *_: None)", "fr.sssp(g, 0, strategy='bellman-ford')",
                                  "fr.bfs(g, 0, strategy='serial'); fr.apsp(g, unit=True, rows=lambda *_: None)"])  # fmt: skip
def test_ctrl_c(what):
    code = f"""
import os, signal, sys, threading, time
import pyfringe as fr
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores the signal
g = fr.Graph.generate("grid2d:rows=2500,cols=2500", weights="random", weight_low=1, weight_high=255, seed=1)
sent = []
def send():
    time.sleep(0.5)
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
try:
    threading.Thread(target=send).start()
    {what}
except KeyboardInterrupt:
    print("late", time.process_time() - sent[0])
else:
    print("missed")
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    word, *seconds = ran.stdout.split() or ["nothing printed"]
    # Processor time of all threads; OpenMP's spin while they wait for one that other programs delay.
    limit = 0.4 * os.cpu_count()
    assert word == "late" and float(seconds[0]) < limit, f"not late by less than {limit} s: {ran.stdout}{ran.stderr}"


def test_after_a_fork():
    """The parent has threads, solvers and a router; a child answers the same on one thread, and refuses a GPU."""
    code = """
import multiprocessing as mp, pickle
import numpy as np, pyfringe as fr
from concurrent.futures import ProcessPoolExecutor
fr.config.threads = 2
g = fr.Graph.generate("grid2d:rows=300,cols=300", weights="random", weight_low=1, weight_high=9, seed=1)
kept = fr.Graph.from_edges([0, 1], [1, 2])
solver, router, content = fr.Solver(g, "sssp"), fr.Router(g), pickle.dumps(kept)
def calls(s):
    made = [fr.bfs(g, s).level, fr.sssp(g, s).dist, solver.solve(s).dist, solver.solve(s).dist, fr.distances(g, [s], [7]),
            router.path(s, 9).length, router.path(s, 9).length, *g.components(), *g.components("strong"), g.reverse().hash,
            g.filter([5]).hash, g.hash, fr.bfs(pickle.loads(content), 0).level, fr.Graph.generate("path:n=300000").m,
            fr.Graph.from_edges(np.arange(300000), np.arange(300000), n=300000).m, fr.bfs_each(g, [s, 1]).level,
            fr.diameter(kept), g.negative_cycle(), g.stats()["components"], fr.sssp(g, s).verify().path_to(5)]
    row = np.empty(g.n, solver.dtype)
    solver.run(s, row)
    return [np.array(x).tolist() for x in [*made, row]]
def gpu(s):
    try:
        fr.bfs(g, s, engine="cuda")
    except fr.errors.ForkError as error:
        return str(error)
if __name__ == "__main__":
    wanted = [calls(s) for s in range(2)]
    with mp.get_context("fork").Pool(2) as pool:
        assert pool.map(calls, range(2)) == wanted
        assert "spawn" in pool.map(gpu, [0])[0]
        assert pool.starmap(fr.distances, [(kept, 0, 2)] * 2) == [2, 2]  # a graph as an argument
    with ProcessPoolExecutor(2, mp_context=mp.get_context("fork")) as pool:
        assert list(pool.map(calls, range(2))) == wanted
    assert [calls(s) for s in range(2)] == wanted
    print("the same")
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert ran.stdout == "the same\n", ran.stdout + ran.stderr


def test_csgraph_after_a_fork():
    pytest.importorskip("scipy")
    code = """
import multiprocessing as mp, numpy as np, scipy.sparse as sparse, pyfringe as fr
from pyfringe import csgraph
fr.config.threads = 2
A = sparse.random(9000, 9000, density=2e-3, format="csr", random_state=0)
def calls(s):
    made = [csgraph.dijkstra(A, indices=s), csgraph.dijkstra(A, indices=[s, 3], limit=0.1), csgraph.breadth_first_order(A, s)[0],
            csgraph.connected_components(A)[1], csgraph.connected_components(A, connection="strong")[1]]
    return [x.tolist() for x in made]
if __name__ == "__main__":
    wanted = [calls(s) for s in range(2)]
    with mp.get_context("fork").Pool(2) as pool:
        print(pool.map(calls, range(2)) == wanted)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert ran.stdout == "True\n", ran.stdout + ran.stderr


def test_a_graph_is_unpickled_when_it_is_used():
    g = fr.Graph.from_edges([0, 1], [1, 2], [4, 5])
    made = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(g))))
    assert made._handle is None and repr(made) == repr(g) and made.hash == g.hash
    function, (content, labels, *_) = g.__reduce__()
    damaged = function(content[:100] + bytes(8) + content[108:], labels)  # no exception here
    with pytest.raises(fr.FringeError):
        fr.bfs(damaged, 0)
    closed = pickle.loads(pickle.dumps(g))
    closed.close()
    with pytest.raises(fr.FringeError, match="closed"):
        fr.bfs(closed, 0)


def test_a_masked_array_without_masked_numbers():
    weights = np.ma.masked_equal([1.0, 50.0, 3.0], 7)
    assert fr.sssp(fr.Graph.from_edges([0, 1, 2], [1, 2, 3], weights), 0).dist.tolist() == [0, 1, 51, 54]


def test_imports_nothing_else():
    code = "import sys, pyfringe; print([m for m in ('scipy', 'networkx', 'pandas', 'tqdm', 'cupy', 'torch', 'matplotlib') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_config():
    g = big()
    fr.config.threads = 1
    try:
        assert fr.bfs(g, 0).level.max() == 1998
        fr.config.threads, fr.config.max_memory = 0, 1000
        with pytest.raises(MemoryError):
            fr.bfs(g, 0)
    finally:
        fr.config.threads = fr.config.max_memory = 0


def test_knobs_and_strategies(graph):
    names = {s["name"] for s in fr.strategies("sssp") if s["backend"] == "cpu"}
    for name in names:
        assert fr.sssp(graph, 0, strategy=name, verify=True).dist[4] == 10
    assert "delta" in fr.sssp(graph, 0, strategy="delta-step", knobs={"delta": 3}).explain()


def test_small_work_takes_one_thread():
    """More work by BFS than by SSSP is small, and so is more of a check."""
    g = big(300)  # 1.5 million vertices and edges
    small = g.subgraph(range(60_000))
    assert 2**17 < small.handle.work < 2**19 < g.handle.work
    for one in (g, small):
        fr.bfs(one, 0)
        fr.sssp(one, 0)
    assert [e.context.key[0] for e in g.handle.solvers.engines.values()] == [0, 0]
    assert [e.context.key[0] for e in small.handle.solvers.engines.values()] == [1, 0]


def test_solvers_are_kept_for_each_thread(graph):
    def use():
        for _ in range(2):
            for strategy in ("dijkstra", "delta-step", "bellman-ford", "spira-window", "auto"):
                fr.sssp(graph, 0, strategy=strategy)

    threads = [threading.Thread(target=use) for _ in range(6)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    for strategy in ("dijkstra", "delta-step", "bellman-ford", "spira-window", "auto"):
        fr.sssp(graph, 0, strategy=strategy)
    assert len(graph.handle.solvers.engines) == 4
    kept = [o for o in gc.get_objects() if isinstance(o, Engine) and o.keep[0] == graph.handle.pointer]
    assert len(kept) == 4  # this thread's alone: the others have ended
    fr.apsp(graph, rows=lambda *_: fr.bfs(graph, 0) and None)
    assert len(graph.handle.solvers.engines) == 4  # none of those of a call within a callback


def test_estimate(graph):
    assert fr.estimate_memory(graph, "apsp", max_sources=2)[0] > 0


@pytest.mark.parametrize("wrap", [OnDevice, ByDLPack])
def test_arrays_on_a_device(graph, wrap):
    level, matrix = np.full(6, 7, np.int32), np.full((6, 6), 7, np.int32)
    calls = [
        lambda **more: fr.bfs(graph, 0, out=wrap(level), engine="cpu", **more),
        lambda **more: fr.sssp(graph, 0, out=(wrap(level), wrap(matrix[0])), engine="cpu", stream=1, **more),
        lambda **more: fr.apsp(graph, out=wrap(matrix), engine="cpu", **more),
        lambda **more: fr.Solver(graph, "bfs", engine="cpu").solve(0, out=(None, wrap(level)), **more),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="FR_MEMORY_DEVICE|device|GPU"):
            call()
    assert (level == 7).all() and (matrix == 7).all()
    for wrong in (level[:5].copy(), level.astype(np.int64), np.full(12, 7, np.int32)[::2], matrix):
        with pytest.raises(ValueError, match="must be"):
            fr.bfs(graph, 0, out=wrap(wrong))
    with pytest.raises(ValueError, match="or none"):
        fr.bfs(graph, 0, out=(wrap(level), level))
    with pytest.raises(ValueError, match="stream"):
        fr.bfs(graph, 0, stream=1)
    with pytest.raises(ValueError, match="stream"):
        fr.bfs(graph, 0, out=wrap(level), stream=-1)
    assert fr.bfs(graph, 0).level[4] == 3  # the graph's solver goes on


def test_what_a_device_array_says():
    from pyfringe import _device

    a = np.zeros((2, 3), np.float32)
    said = _device.describe("it", OnDevice(a, stream=2), (2, 3), a.dtype)
    assert (said.address, said.stream, said.size) == (a.ctypes.data, 2, 6)
    assert _device.describe("it", ByDLPack(a[1:]), (1, 3), a.dtype).address == a[1:].ctypes.data
    for wrong in (OnDevice(a, strides=(4, 8)), OnDevice(a, data=(a.ctypes.data, True)), ByDLPack(np.asfortranarray(a))):
        with pytest.raises(ValueError, match="contiguous"):
            _device.describe("it", wrong, (2, 3), a.dtype)
    with pytest.raises(TypeError):
        _device.describe("it", ByDLPack(np.zeros(3, complex)), (3,), a.dtype)
    assert fr.devices() == [] or fr.devices()[0].multiprocessors > 0


def test_no_gpu(graph):
    if any(s["backend"] == "cuda" for s in fr.strategies()):
        pytest.skip("this build has GPU strategies")
    with pytest.raises((fr.errors.DeviceError, ValueError), match="cuda|GPU"):
        fr.bfs(graph, 0, engine="cuda")


def test_results_on_the_gpu():
    DeviceMemory.need()
    g = big(100)
    values, parent = DeviceMemory(g.n, np.int32), DeviceMemory(g.n, np.int32)
    wanted = fr.bfs(g, 0, engine="cpu")
    result = fr.bfs(g, 0, engine="cuda", out=(values, parent))
    assert result.level is values and (values.read() == wanted.level).all() and (parent.read() >= 0).all()
    with pytest.raises(fr.FringeError, match="memory"):
        result.verify()
    with pytest.raises(fr.FringeError, match="memory"):
        result.path_to(3)
    fr.sssp(g, 0, engine="cuda", out=values, stream=0)
    assert (values.read() == fr.sssp(g, 0, engine="cpu").dist).all()
    with pytest.raises(ValueError):
        fr.bfs(g, 0, engine="cuda", out=OnDevice(np.empty(g.n, np.int32)))


@pytest.mark.parametrize("package", ["cupy", "torch"])
def test_arrays_of_gpu_packages(package):
    """Results into the package's own arrays, between two kernels of its current stream."""
    if not fr.devices():
        pytest.skip("no GPU")
    module = pytest.importorskip(package)
    on_gpu = {"device": "cuda"} if package == "torch" else {}
    current = module.cuda.current_stream if package == "torch" else module.cuda.get_current_stream
    stream = (module.cuda.Stream if package == "torch" else lambda: module.cuda.Stream(non_blocking=True))()
    g = big(100)
    bfs, sssp = fr.bfs(g, 0, engine="cpu").level, fr.sssp(g, 0, engine="cpu").dist
    with module.cuda.stream(stream) if package == "torch" else stream:
        address = current().cuda_stream if package == "torch" else current().ptr
        for _ in range(20):
            level = module.zeros(g.n, dtype=module.int32, **on_gpu)
            for fill in range(8):  # a producer's kernels, not waited for
                level += fill
            fr.bfs(g, 0, engine="cuda", out=level)
            deeper = level + 1  # a consumer's
            assert (np.asarray(deeper.tolist()) == bfs + 1).all()
        dist = module.empty(g.n, dtype=module.int32, **on_gpu)
        assert fr.sssp(g, 0, engine="cuda", out=dist, stream=address).dist is dist
        assert (np.asarray(dist.tolist()) == sssp).all()


def test_gpu():
    g = big()
    try:
        level = fr.bfs(g, 0, engine="cuda", verify=True).level
    except (fr.errors.DeviceError, ValueError) as error:
        pytest.skip(f"no GPU: {error}")
    assert (level == fr.bfs(g, 0, engine="cpu").level).all()
    assert (fr.sssp(g, 0, engine="cuda", verify=True).dist == fr.sssp(g, 0, engine="cpu").dist).all()
    small = big(20)
    matrix = np.empty((small.n, small.n), np.int32)
    fr.apsp(small, engine="cuda", strategy="floyd-warshall", in_place=True, out=matrix, verify=True)
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        while True:
            fr.apsp(g, range(1000), engine="cuda", rows=lambda *_: None)
