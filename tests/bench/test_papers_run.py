"""bench/papers: the list of jobs, what is run for one, its line; on the CPU."""

import json
import os
import subprocess
import unittest
from types import SimpleNamespace

from bench_case import BENCH, FRINGE, BenchCase, quietly, read

from papers import graphs, jobs, published, run
from papers.graphs import Surrogate
from papers.jobs import Job


class Listing(BenchCase):
    def test_names_are_unique(self):
        names = [job.name for job in jobs.jobs()]
        self.assertEqual(len(names), len(set(names)))

    def test_every_published_graph_has_a_stand(self):
        self.assertEqual({row[0] for row in graphs.BFS4K}, set(published.BFS4K_TABLE1))
        self.assertEqual(set(published.BFS4K_TABLE1), set(published.BFS4K_TABLE2))
        self.assertEqual({surrogate.original for surrogate in graphs.HBF}, set(published.HBF_TABLE2))
        self.assertEqual({surrogate.original for surrogate in graphs.HBF_NEGATIVE}, set(published.HBF_TABLE3))
        self.assertEqual({row[0] for row in graphs.STUDY}, set(published.STUDY_TABLE2))
        self.assertEqual({surrogate.original for surrogate in graphs.XBFS}, set(published.XBFS_TABLE2))

    def test_cases_are_the_suites(self):
        text = read(os.path.join(BENCH, os.pardir, "cli", "bench", "suites.c"))
        for case in [row[1] for row in graphs.BFS4K + graphs.STUDY]:
            self.assertIn(f'"{case}"', text)

    def test_parts_are_all_and_share_no_graph(self):
        whole = jobs.jobs()
        parts = [run.part_of(whole, i, 4) for i in (1, 2, 3, 4)]
        self.assertEqual(sorted(j.name for j in whole), sorted(j.name for part in parts for j in part))
        keys = [{run.key_of(j.surrogate) for j in part if j.surrogate} for part in parts]
        self.assertEqual(len(set.union(*keys)), sum(map(len, keys)))
        self.assertEqual(self.script("papers_run.py", "--dry-run", "--part", "5/4").returncode, 2)

    def test_dry_run(self):
        done = self.script("papers_run.py", "--dry-run", "--only", "h-bf/t3/wiki-talk/*", "--fringe", "F")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("F sssp GRAPHS/"), 4)
        self.assertEqual(done.stdout.count("--weights potential:0,255,200"), 1)
        self.assertEqual(self.script("papers_run.py", "--dry-run", "--only", "nothing").returncode, 2)

    def test_counters_on_a_gpu_run_the_counting_build(self):
        words = ["--only", "*/fig9/*", "--only", "*/fig13/*", "--fringe", "F", "--fringe-counting", "C"]
        lines = self.script("papers_run.py", "--dry-run", *words).stdout.splitlines()
        commands = [line for line in lines if "--strategy" in line]
        for line in commands:
            self.assertEqual("--counters" in line, "C " in line.split("GRAPHS")[0], line)
        self.assertGreater(sum("--counters" in line for line in commands), 3)


class Shell(BenchCase):
    """bench/papers.sh, the whole of `make bench-papers`."""

    def run_it(self, *words, **env):
        words = ["sh", os.path.join(BENCH, "papers.sh"), *words]
        return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **env}, check=False)

    def test_dry_run_needs_no_virtual_environment(self):
        done = self.run_it("--dry-run", "--only", "study/*", VENV=self.path("none"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("--strategy"), 6)
        self.assertFalse(os.path.exists(self.path("none")))

    def test_without_a_network_it_says_so(self):
        done = self.run_it("--draw", VENV=self.path("venv"), PIP_NO_INDEX="1", PIP_FIND_LINKS=self.folder)
        self.assertEqual(done.returncode, 4)
        self.assertIn("papers.sh: ", done.stderr)


class Running(BenchCase):
    def run_jobs(self, budget, *parts):
        options = SimpleNamespace(
            fringe=FRINGE, output=self.path("out.jsonl"), budget=budget, scratch=self.path("g")
        )
        code, text = quietly(run.run, options, list(parts))
        lines = (
            [json.loads(line) for line in read(options.output).splitlines()]
            if os.path.exists(options.output)
            else []
        )
        return code, lines, text

    def job(self, name, row="serial", surrogate=Surrogate("toy", "kronecker:scale=8,seed=1", graphs.UNDIRECTED)):
        return Job(name, surrogate, jobs.solve("bfs", row, backend="cpu"), backend="cpu")

    def test_a_line_is_complete(self):
        code, lines, _ = self.run_jobs(0, self.job("a/b/toy/serial"))
        self.assertEqual(code, 0)
        line = lines[0]
        self.assertEqual(
            (line["job"], line["original"], line["graph"]["name"]),
            ("a/b/toy/serial", "toy", "kronecker:scale=8,seed=1"),
        )
        self.assertEqual(len(line["runs"]), 4)
        self.assertEqual(line["verification"], "right")
        self.assertTrue({"commit", "date", "device", "arguments", "shape"} <= line.keys())

    def test_negative_weights_and_facts(self):
        surrogate = Surrogate("toy", "kronecker:scale=8,seed=1", graphs.UNDIRECTED, "random:0,255", 200)
        words = jobs.solve("sssp", "bellman-ford", backend="cpu")
        code, lines, text = self.run_jobs(
            0, Job("n", surrogate, words, backend="cpu"), Job("f", surrogate, ["info", "--json"], backend="cpu")
        )
        self.assertEqual(code, 0, text)
        self.assertEqual(lines[0]["verification"], "right")
        self.assertLess(lines[1]["weight_min"], 0)
        self.assertEqual(os.path.exists(self.path("g")), False)

    def test_budget(self):
        code, lines, text = self.run_jobs(0.01, self.job("late"))
        self.assertEqual((code, lines), (0, []))
        self.assertIn("1 jobs were left out", text)

    def test_a_failure_is_told_and_the_others_go_on(self):
        code, lines, text = self.run_jobs(0, self.job("bad", row="no-such-row"), self.job("good"))
        self.assertEqual(code, 1)
        self.assertIn("no-such-row", lines[0]["skipped"])
        self.assertEqual(lines[1]["job"], "good")
        self.assertIn("failed: bad", text)


if __name__ == "__main__":
    unittest.main()
