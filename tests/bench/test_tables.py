"""The scripts that write tables from bench/results. That the documents have what the lines give is a lint check; here:
what is refused, and that --check notices a difference."""

import json
import os
import shutil
import subprocess
import unittest

from bench_case import FRINGE, ROOT, BenchCase, read

import cores_table
import readme_table
import result_lines
import scaling_table

DOCUMENTS = ("README.md", "docs/performance.md", "docs/plots/h200.svg")
MEASURED = os.path.join(result_lines.RESULTS, "measured.jsonl")


class Lines(BenchCase):
    def test_common_fields(self):
        path = self.path("x.jsonl", '{"cpu":"EPYC","date":"old"}\nwords\n{"graph":"g"}\n{"graph":"h","date":"now"}\n')
        lines = result_lines.read_lines(path)
        self.assertEqual([line["date"] for line in lines], ["old", "now"])
        self.assertEqual([line["cpu"] for line in lines], ["EPYC", "EPYC"])

    def test_a_broken_line_is_named(self):
        path = self.path("x.jsonl", '{"graph":"g"}\n{"graph":\n')
        with self.assertRaisesRegex(SystemExit, "x.jsonl:2"):
            result_lines.read_lines(path)

    def test_words(self):
        words = result_lines.graph_words
        self.assertIn("4.85 M vertices, 72 M edges", words("rmat:scale=23,edges=72000000,n=4847571,seed=1"))
        self.assertEqual(words("grid2d:rows=8000,cols=600,keep=0.7,seed=1"), "flat grid 8000 x 600, 70 % of the edges kept")
        self.assertEqual(words(".graphs/cnr-2000.fringe"), "cnr-2000")
        self.assertEqual([result_lines.seed_of(x) for x in ("uniform:n=4,edges=5,seed=7", "grid6:rows=3,cols=3")], ["7", None])


class Tables(BenchCase):
    def test_lines_of_two_commits_or_machines_are_refused(self):
        lines = result_lines.read_lines(MEASURED)
        changed = [{**line, "commit": "other"} if line.get("case") == "moscow" else line for line in lines]
        with self.assertRaisesRegex(SystemExit, "differ in commit"):
            readme_table.gpu_table(changed, "bfs", FRINGE)
        with self.assertRaisesRegex(SystemExit, "differ in cores"):
            readme_table.Peers([{**line, "cores": 1} if line.get("program") == "fringe-bfs" else line for line in lines])
        with self.assertRaisesRegex(SystemExit, "no line has fringe-bfs on kron21"):
            readme_table.Peers([line for line in lines if (line.get("program"), line.get("graph")) != ("fringe-bfs", "kron21")])

    def test_incomplete_microbenchmarks_are_refused(self):
        lines = [line for line in result_lines.read_lines(MEASURED) if line.get("microbench") != "probe"]
        with self.assertRaisesRegex(SystemExit, "roofline"):
            readme_table.gpu_table(lines, "bfs", FRINGE)

    def test_a_row_without_a_roofline_and_a_graph_without_a_time(self):
        lines = result_lines.read_lines(MEASURED)
        for line in lines:
            if line.get("case") == "moscow" and line["strategy"] == "auto":
                del line["traverse_ns"]
                line["skipped"] = "over the time limit"
            if line.get("case") == "lattice":
                line.pop("min_work", None)
        text = readme_table.gpu_table(lines, "bfs", FRINGE)
        self.assertIn("No time for moscow (over the time limit).", " ".join(text.split()))
        self.assertIn("| 2.97 | 9.78 (`bfs4k`) |  |  |", text)

    def test_types_of_weights(self):
        measured = [line for line in result_lines.read_lines(MEASURED) if line.get("kind") != "by type"]
        peers = readme_table.Peers(measured)
        facts = {key: peers.lines["fringe-sssp", "kron21"][key] for key in ("commit", "date", "cpu", "cores", "gpu")}
        lines = [{"kind": "by type", "graph": graph, "distribution": name, "sources": 8, "traverse_ms": [1, 1.5, 2],
                  "call_ms": [2, 2.5, 3], **facts} for graph in readme_table.GRAPHS for name in ("int32 1..255", "float64")]  # fmt: skip
        self.assertIn("| 215 x 215 x 215 grid | 2.50 | 2.50 |", readme_table.by_type(lines))
        self.assertIn("| SSSP, float64, Moscow, roads | 2.50 | 4.26 (GAPBS, 16 cores) | 1.7 |",
                      readme_table.short_table(measured + lines, peers))  # fmt: skip
        for left_out in ([], [{**line, "commit": "other"} for line in lines]):
            self.assertNotIn("float64,", readme_table.short_table(measured + left_out, peers))

    def test_graph500_of_this_build(self):
        done = subprocess.run([FRINGE, "graph500", "--scale", "5", "--backend", "cpu", "--json"], capture_output=True, check=True)
        line = {**json.loads(done.stdout), "date": "2026-01-02"}
        self.assertIn(f"{line['device']['threads']} threads; commit", readme_table.graph500_table([line]))

    def test_scaling_refuses_two_lines_of_one_thing_and_two_kinds_of_gpus(self):
        lines = read(os.path.join(result_lines.RESULTS, "scaling.jsonl")).splitlines(True)
        last = lines[-1].replace("scale=28", "scale=29").replace("scale=20", "scale=19").replace('"devices": ', '"devices": 1')
        for words, more in (("two lines of", lines[-1]), ("several GPUs", '{"device": "NVIDIA A100"}\n' + last)):
            with self.assertRaisesRegex(SystemExit, words):
                scaling_table.lines_of(self.path("x.jsonl", "".join(lines) + more))

    def test_cores(self):
        line = {"kind": "cores", "weights": "int", "graph": "moscow", "problem": "bfs", "cores": 64, "cpu": "X", "commit": "c", "date": "d"}
        times = {"fringe": {"1": {"0": 8, "1": 10, "2": 12}, "16": {"0": 4, "1": 6, "2": 9}}, "queue": {"1": {"0": 5}},
                 "gapbs": {"16": {"1": 12}}}  # fmt: skip
        text = "".join(json.dumps({**line, "program": name, "times": each}) + "\n" for name, each in times.items())
        line |= {"weights": "f64", "problem": "sssp"}
        for more in ({"program": "fringe", "used": {"16": 3}, "times": {"1": {"0": 4}, "16": {"0": 8}}},
                     {"program": "dial", "times": {"1": {"0": 2}}}):  # fmt: skip
            text += json.dumps({**line, **more}) + "\n"
        cores = cores_table.Cores(self.path("x.jsonl", text))
        self.assertIn("| BFS: Moscow, roads | 0.60 (0.55 to 0.68) |", cores_table.fewer_table(cores))
        self.assertIn("3 of 4 medians.", cores_table.behind_table(cores))
        self.assertIn("| fringe | 1 | 10.0 | 5.00 | a queue | 1.60 |", cores_table.behind_table(cores))
        self.assertIn("| BFS: Moscow, roads | fringe | 10.0 | **6.00** |", cores_table.times_table(cores))
        self.assertIn("| 10.0 | 5.00 (a queue) | 6.00 | 5.00 (a queue) |", cores_table.short_table(cores))
        for words in ("7 have a time: 5 of one", "| BFS | 1 | 0 of 1 |  | Moscow, roads 1.60 (a queue) |",
                      "| BFS | 16 | 1 of 1 | Moscow, roads |  |", "In 1 of these 4 comparisons", "| BFS | 16 | 0 of 1 |  |",
                      "| SSSP, float64 | 16 | 0 of 1 |  | Moscow, roads 4.00 (a heap) |",
                      "| SSSP, float64 | 16 | 1 of 1 | Moscow, roads 2.00 (3) |"):  # fmt: skip
            self.assertIn(words, cores_table.summary(cores).replace("\n", " "))
        with self.assertRaisesRegex(SystemExit, "two lines of"):
            cores_table.Cores(self.path("x.jsonl", text + text))
        rounds = {str(r): 10 for r in range(4)}  # one of four is shared: medians; two: the rounds of both
        self.assertEqual(cores_table.ratios({"0": 90, "5": 5, "6": 5, "7": 5}, rounds), [0.5])
        self.assertEqual(cores_table.ratios({"0": 90, "1": 70, "6": 5, "7": 5}, rounds)[0], 8)


class Check(BenchCase):
    def test_agrees_then_differs(self):
        for name in DOCUMENTS:
            self.path(name, "")
            shutil.copy(os.path.join(ROOT, name), self.path(name))
        words = ["readme_table.py", "--root", self.folder, "--fringe", FRINGE]
        self.assertEqual(self.script(*words, "--check").returncode, 0)
        before = read(self.path("README.md"))
        self.path("README.md", before.replace("4.81 (Tigr)", "5.81 (Tigr)"))
        done = self.script(*words, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("README.md differs from what was measured: run bench/readme_table.py", done.stdout)
        self.assertEqual(self.script(*words).returncode, 0)
        self.assertEqual(read(self.path("README.md")), before)
        self.path("README.md", "nothing\n")
        self.assertIn("needs the marks of", self.script(*words).stderr)


if __name__ == "__main__":
    unittest.main()
