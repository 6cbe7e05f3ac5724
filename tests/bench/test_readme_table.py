"""bench/result_lines.py, peer_lines.py, first_answer_lines.py, readme_plot.py, readme_table.py: words, tables, the check."""

import json
import subprocess
import unittest
from xml.etree import ElementTree

from bench_case import FIXTURE, FRINGE, BenchCase, read

import peer_lines
import readme_plot
import readme_table
import result_lines

GPU = {"name": "NVIDIA H200", "driver": "1.2", "cuda": "13.0"}


def gpu_line(case, strategy, ms, commit="abc"):
    return {
        "suite": "gpu", "problem": "bfs", "case": case, "surrogate_for": "a city", "strategy": strategy, "backend": "cuda", "device": GPU,
        "commit": commit, "date": "2026-01-02", "sources": 8, "traverse_ns": {"median": ms * 1e6},
        "graph": {"name": "kronecker:scale=21,edge_factor=16,seed=1", "n": 2097152, "m": 63539136},
    }  # fmt: skip


def limit_line(name, value, **size):
    return {"device": GPU, "commit": "abc", "date": "2026-01-01", "microbench": name, "unit": "u", "value": value, **size}


LIMITS = [
    limit_line("copy", 1e12, bytes=2**30), limit_line("gather", 4e11, bytes=65536),
    limit_line("gather", 1e11, bytes=4000000), limit_line("probe", 2e11, bytes=262144),
    limit_line("block-barrier", 10, width=1), limit_line("cluster-barrier", 200, width=10),
    {"device": GPU, "commit": "abc", "date": "2026-01-01", "microbench": "cluster-barrier", "width": 20, "skipped": "why"},
    limit_line("grid-barrier", 1000, width=100), limit_line("grid-barrier", 1100, width=200),
]  # fmt: skip


def cpu_line(problem="bfs", **seconds):
    return {
        "kind": "compare", "problem": problem, "graph": "grid2d:rows=3,cols=4,keep=0.75,seed=1", "cpu": "EPYC",
        "cores": 2, "commit": "abc", "date": "2026-11-20", "sources": 16, "prepare_s": 0.0271,
        "seconds": {key.replace("_", " "): value for key, value in seconds.items()},
    }  # fmt: skip


def peers_of():
    """Lines of peers: fringe takes 1 ms (call 4), Gunrock 3 (2.5 for BFS on moscow), cuGraph 8 (2 for BFS on kron24)."""
    lines = []
    for problem in peer_lines.PROBLEMS:
        for graph in peer_lines.GRAPHS:
            times = {"fringe-{}": 1, "gunrock-{}": 3, "fringe-{}-wall": 4, "cugraph-{}": 8}
            times.update({("bfs", "moscow"): {"gunrock-{}": 2.5}, ("bfs", "kron24"): {"cugraph-{}": 2}}.get((problem, graph), {}))
            lines += [{"kind": "peer", "program": program.format(problem), "graph": graph, "ms": ms, "machine": "one Z80"}
                      for program, ms in times.items()]  # fmt: skip
    return [*lines, {"kind": "peer", "program": "adds", "graph": "moscow", "ms": 9, "machine": "one Z80"}]


class Words(BenchCase):
    def test_graphs(self):
        words = result_lines.graph_words
        self.assertEqual(
            words("kronecker:scale=21,edge_factor=16,seed=1"),
            "Kronecker (Graph500), 2^21 vertices, 16 edges each",
        )
        self.assertIn("4.85 M vertices, 72 M edges", words("rmat:scale=23,edges=72000000,n=4847571,seed=1"))
        self.assertEqual(
            words("grid2d:rows=8000,cols=600,keep=0.7,seed=1"), "flat grid 8000 x 600, 70 % of the edges kept"
        )
        self.assertEqual(words(".graphs/cnr-2000.fringe"), "cnr-2000")

    def test_every_family_of_the_fixture_has_words(self):
        for line in result_lines.read_lines(FIXTURE):
            if "graph" in line:
                self.assertNotIn("=", result_lines.graph_words(line["graph"]["name"]))

    def test_seeds(self):
        self.assertEqual(result_lines.seed_of("uniform:n=4,edges=5,seed=7"), "7")
        self.assertIsNone(result_lines.seed_of("grid6:rows=3,cols=3"))


class ReadLines(BenchCase):
    def test_common_fields(self):
        path = self.path("x.jsonl", '{"cpu":"EPYC","date":"old"}\nwords\n{"graph":"g"}\n{"graph":"h","date":"now"}\n')
        lines = result_lines.read_lines(path)
        self.assertEqual([line["date"] for line in lines], ["old", "now"])
        self.assertEqual([line["cpu"] for line in lines], ["EPYC", "EPYC"])

    def test_a_broken_line_is_named(self):
        path = self.path("x.jsonl", '{"graph":"g"}\n{"graph":\n')
        with self.assertRaisesRegex(SystemExit, "x.jsonl:2"):
            result_lines.read_lines(path)


class Tables(BenchCase):
    def test_gpu(self):
        lines = [gpu_line("k", "auto", 0.239), gpu_line("k", "xbfs", 0.331), gpu_line("k", "queue", 42.6), gpu_line("lost", "queue", 3)]
        text = readme_table.gpu_table(lines, "bfs", FRINGE)
        self.assertIn(
            "| Kronecker (Graph500), 2^21 vertices, 16 edges each | a city | 63.5 M | 0.239 | 0.331 (`xbfs`) |",
            text,
        )
        words = " ".join(text.split())
        self.assertIn("NVIDIA H200 (driver 1.2, CUDA 13.0), commit abc, 2026-01-02", words)
        self.assertEqual(text.count("\n| "), 2)  # heads and one row: the graph without auto is left out

    def test_first_answer_and_call(self):
        line = gpu_line("k", "auto", 0.5)
        line.update(first_ns=12.3e6, call_ns={"median": 0.75e6})
        text = readme_table.gpu_table([line], "bfs", FRINGE)
        self.assertIn("| first answer, ms | call, ms | `auto`, ms |", text)
        self.assertIn("| 12.3 | 0.750 | 0.500 |", text)

    def test_roofline_columns(self):
        work = {"levels": 1000, "vertices": 100000, "edges": 400000, "edge_checks": 400000}
        graph = {"name": "path:n=100000", "n": 100000, "m": 400000}
        lines = [{**gpu_line("deep", strategy, ms), "graph": graph, "min_work": work}
                 for strategy, ms in (("auto", 0.5), ("xbfs", 0.9))]  # fmt: skip
        lines += [gpu_line("old", "auto", 1), gpu_line("old", "xbfs", 2)]
        text = readme_table.gpu_table(lines + LIMITS, "bfs", FRINGE)
        self.assertIn("| fastest other strategy, ms | roofline, ms | `auto` / roofline |", text)
        self.assertIn("| 0.500 | 0.900 (`xbfs`) | 0.2 | 2.5 |", text)
        self.assertIn("| 1.00 | 2.00 (`xbfs`) |  |  |", text)  # a build that did not count the work
        self.assertIn("microbenchmarks (commit abc, 2026-01-01) allow", " ".join(text.split()))
        self.assertNotIn("roofline", readme_table.gpu_table(lines, "bfs", FRINGE))

    def test_incomplete_microbenchmarks_are_refused(self):
        work = {"levels": 1, "vertices": 1, "edges": 1, "edge_checks": 1}
        lines = [{**gpu_line("deep", "auto", 1), "min_work": work}]
        lines += [line for line in LIMITS if line["microbench"] != "probe"]
        with self.assertRaisesRegex(SystemExit, "roofline"):
            readme_table.gpu_table(lines, "bfs", FRINGE)

    def test_auto_alone_and_without_time(self):
        late = {**gpu_line("late", "auto", 1), "skipped": "over the time limit"}
        del late["traverse_ns"]
        text = readme_table.gpu_table([gpu_line("k", "auto", 1), late], "bfs", FRINGE)
        self.assertIn("| stored edges | `auto`, ms |\n", text)
        self.assertIn("No time for late (over the time limit).", " ".join(text.split()))
        self.assertNotIn("Other strategies", text)

    def test_sssp_on_the_gpu(self):
        weighted = {"suite": "gpu-sssp", "problem": "sssp"}
        lines = [{**gpu_line("k", "auto", 2), **weighted}, {**gpu_line("k", "hbf", 4), **weighted},
                 {**gpu_line("k", "auto", 1), **weighted, "variant": "no-pull"}, gpu_line("k", "xbfs", 1)]  # fmt: skip
        text = readme_table.gpu_table(lines, "sssp", FRINGE)
        self.assertIn("| 2.00 | 4.00 (`hbf`) |", text)
        self.assertIn("SSSP, random integer weights 1..255, on one NVIDIA H200", " ".join(text.split()))

    def test_two_commits_in_one_table_are_refused(self):
        with self.assertRaisesRegex(SystemExit, "commit"):
            readme_table.gpu_table([gpu_line("k", "auto", 1), gpu_line("k", "xbfs", 2, commit="def")], "bfs", FRINGE)

    def test_cpu(self):
        line = cpu_line(fringe_auto=0.0141, fringe_serial=0.0254, gapbs=0.0166)
        text = readme_table.peer_table([line], "bfs", False)
        self.assertIn("| graph | `auto`, ms | plain queue, ms | GAP Benchmark Suite, ms |", text)
        self.assertIn("| flat grid 3 x 4, 75 % of the edges kept | 14.1 | 25.4 | 16.6 |", text)
        self.assertIn("takes 27.1 ms.", " ".join(text.split()))

    def test_best_delta_counts(self):
        line = cpu_line("sssp", fringe_auto=0.01, fringe_dijkstra=0.2, gapbs_delta_1=0.9, gapbs_delta_8=0.05)
        text = readme_table.peer_table([line], "sssp", False)
        self.assertIn("| 10.0 | 200 | 50.0 |", text)

    def test_peers_beside_a_gpu(self):
        line = cpu_line(fringe_auto=0.0141, fringe_serial=0.0254, gapbs=0.0166)
        line["seconds"]["fringe auto (GPU)"] = 0.001
        line["gpu"] = GPU
        self.assertEqual(readme_table.peer_table([line], "bfs", False), "")
        text = readme_table.peer_table([line], "bfs", True)
        self.assertIn("| graph | `auto` on the GPU, ms | `auto`, ms | plain queue, ms |", text)
        self.assertIn("| 1.00 | 14.1 | 25.4 | 16.6 |", text)
        self.assertIn("one NVIDIA H200 (driver 1.2, CUDA 13.0)", " ".join(text.split()))

    def test_graph500(self):
        self.assertEqual(readme_table.graph500_table([]), "")
        teps = {"harmonic_mean": 2.5e11, "harmonic_stddev": 1e9}
        line = {"nbfs": 64, "scale": 22, "construction_time": 1.25, "commit": "abc", "date": "2026-01-02", "host": "Xeon, 16 threads",
                "device": GPU, "bfs": {"TEPS": teps, "validate_times": [0.02, 0.04]}, "sssp": {"TEPS": teps, "mean_validate": 0.12}}  # fmt: skip
        text = readme_table.graph500_table([line])
        self.assertIn("| 22 | NVIDIA H200 (driver 1.2, CUDA 13.0), host Xeon, 16 threads; commit abc, 2026-01-02 | 250 (1) | 250 (1) | 1.25 | 0.03 | 0.12 |", text)
        done = subprocess.run([FRINGE, "graph500", "--scale", "5", "--backend", "cpu", "--json"], capture_output=True, check=True)
        line = {**json.loads(done.stdout), "date": "2026-01-02"}
        self.assertIn(f"{line['device']['threads']} threads; commit", readme_table.graph500_table([line]))

    def test_load(self):
        common = {"kind": "load", "cpu": "EPYC", "cores": 2, "commit": "abc", "date": "2026-01-02", "file": "by.el"}
        lines = [{**common, "program": "fringe", "threads": 2, "load_s": 0.19, "megabytes": 218},
                 {**common, "program": "pigo", "threads": 2, "load_s": 0.8}]  # fmt: skip
        text = readme_table.load_table(lines)
        self.assertIn("| `by.el` (218 MB) | 0.19 | 0.80 |", text)


class PeerLines(BenchCase):
    def test_medians_and_speedups(self):
        peers = peer_lines.Peers(peers_of())
        self.assertEqual(peers.traversal("bfs", "moscow"), 1)
        self.assertEqual(peers.best_other("bfs", "moscow"), (2.5, "Gunrock"))
        self.assertEqual(peers.best_other("sssp", "moscow"), (3, "Gunrock"))
        self.assertEqual(peers.calls("bfs", "kron24"), (4, 2))
        self.assertEqual(peers.speedups("bfs")["kron21"], 3)

    def test_headline_and_tables(self):
        peers = peer_lines.Peers(peers_of())
        words = " ".join(readme_table.headline(peers).split())
        self.assertIn("BFS traversal is 3.0 times as fast as the fastest other program", words)
        self.assertIn("(2.5 to 3.0 times), its SSSP traversal 3.0 times (3.0 to 3.0 times)", words)
        self.assertIn("except for BFS on Kronecker, scale 24.", words)
        text = readme_table.tables(peers, tuple(peer_lines.GRAPHS))
        self.assertIn("| Kronecker, scale 24 | 1.00 | 3.00 (Gunrock) | 3.0 | 4.00 | 2.00 | 0.5 |", text)
        self.assertIn("| Moscow, roads | 1.00 | 2.50 (Gunrock) | 2.5 | 4.00 | 8.00 | 2.0 |", text)
        self.assertIn("1400 x 1400 lattice", text)
        text = readme_table.with_words(readme_table.short_table(peers))
        self.assertIn("| Moscow, roads | 1.00 | 2.50 (Gunrock, 2.5 x) | 1.00 | 3.00 (Gunrock, 3.0 x) |", text)
        self.assertNotIn("lattice", text)

    def test_machine(self):
        lines = peers_of()
        self.assertIn("with weights 1..255, on one Z80.", readme_table.short_table(peer_lines.Peers(lines))[1])
        lines[0]["machine"] = "one Cray"
        with self.assertRaisesRegex(SystemExit, "several machines"):
            peer_lines.Peers(lines).machine()
        with self.assertRaisesRegex(SystemExit, "no line has fringe-bfs on kron21"):
            peer_lines.Peers(lines[1:]).machine()

    def test_plot(self):
        drawing = ElementTree.fromstring(readme_plot.draw(peer_lines.Peers(peers_of())))
        name = "{http://www.w3.org/2000/svg}"
        circles = drawing.findall(name + "circle")
        self.assertEqual(len(circles), 2 + 2 * 2 * len(peer_lines.GRAPHS))  # legend, two panels
        places = [float(c.get("cx")) for c in circles if c.find(name + "title").text == "fringe, traversal: 1 ms"]
        self.assertEqual(len(set(places)), 2)  # one column in each panel


def first_answer(problem, graph, ratios, **others):
    ours = ("fringe, first answer", "fringe, last answer", "fringe, last traversal")
    times = dict(zip(ours, (16.23, 4.09, 4.0)))
    return {"kind": "first answer", "problem": problem, "graph": graph, "cpu": "Z80", "cores": 2, "commit": "abc",
            "date": "2026-11-22", "threads": 2, "queries": 10, "rounds": 3, "ratio": dict(zip(ours, ratios)),
            "ms": {**times, **{name.replace("_", " "): ms for name, ms in others.items()}}}  # fmt: skip


FIRST_ANSWERS = [
    first_answer("bfs", "kronecker:scale=20,edge_factor=16,seed=1", (0.85, 0.2, 0.2), gapbs=19.02, plain_queue=136.72),
    first_answer("sssp", "grid2d:rows=10,cols=20,keep=0.75,seed=1", (1.33, 1.15, 1.15), dial=56.88, gapbs_delta_1=403.07, gapbs_delta_64=40.31),
]  # fmt: skip


class FirstAnswers(BenchCase):
    def test_table_has_the_fastest_other_and_admits_the_slower_cases(self):
        text = readme_table.with_words(readme_table.first_answer_table(FIRST_ANSWERS))
        self.assertIn("| BFS: Kronecker, scale 20 | 16.2 | 4.09 | 4.00 | 19.0 (GAPBS) |", text)
        self.assertIn("| SSSP: flat grid 10 x 20 | 16.2 | 4.09 | 4.00 | 40.3 (GAPBS) |", text)
        words = " ".join(text.split())
        self.assertIn("(median ratio): SSSP on flat grid 10 x 20 (first call 1.33, tenth call 1.15).", words)
        self.assertNotIn("BFS on", words)
        self.assertIn("| flat grid 10 x 20 | 16.2 | 40.3 (GAPBS) |", readme_table.first_answer_table(FIRST_ANSWERS, wide=True)[0])
        self.assertIn("Medians of 3 rounds in turns, on 2 cores of an Z80, commit abc, 2026-11-22.", words)

    def test_without_lines(self):
        self.assertEqual(readme_table.with_words(readme_table.first_answer_table([])), "")


class Check(BenchCase):
    @staticmethod
    def marked(inner, *names):
        return "".join(f"<!-- {n}: written by bench/readme_table.py -->\n{inner}<!-- end -->\n" for n in names)

    def readme(self, inner=""):
        self.path("docs/performance.md", self.marked(inner, "first-answers"))
        return self.path("README.md", "before\n" + self.marked(inner, "headline", "tables") + "after\n")

    def words(self, *lines):
        path = self.path("x.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        return ["readme_table.py", "--root", self.folder, "--results", path, "--fringe", FRINGE]

    def test_writes_then_agrees_then_differs(self):
        words = self.words(*peers_of(), cpu_line(fringe_auto=0.0141, fringe_serial=0.0254), *FIRST_ANSWERS)
        self.readme("old")
        self.assertEqual(self.script(*words, "--check").returncode, 1)
        self.assertEqual(self.script(*words).returncode, 0)
        text, page = read(self.path("README.md")), read(self.path("docs/results/measured.md"))
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n") and "(Gunrock, 2.5 x)" in text)
        self.assertIn("14.1", page)
        self.assertEqual(self.script(*words, "--check").returncode, 0)
        for name in ("README.md", "docs/performance.md", "docs/results/measured.md", "docs/plots/h200.svg"):
            before = read(self.path(name))
            self.path(name, before.replace("4", "5"))
            done = self.script(*words, "--check")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{name} differs from {self.path('x.jsonl')}: run bench/readme_table.py", done.stdout)
            self.path(name, before)

    def test_missing_markers(self):
        path = self.path("README.md", "nothing\n")
        done = self.script(*self.words(*peers_of()))
        self.assertIn("markers", done.stderr)
        self.assertEqual(read(path), "nothing\n")


if __name__ == "__main__":
    unittest.main()
