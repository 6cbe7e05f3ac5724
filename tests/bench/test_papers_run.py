"""bench/papers: the list of jobs, what is run for one, its line; on the CPU and, where the build has the executor of
kernels (ON_HOST names its program), with the kernels that count."""

import json
import os
import subprocess
import unittest
from types import SimpleNamespace

from bench_case import BENCH, FRINGE, BenchCase, quietly, read

from papers import graphs, jobs, published, run
from papers.graphs import Surrogate
from papers.jobs import Job

PROGRAM = os.path.join(os.path.dirname(FRINGE), "bench", "bench_papers")
ON_HOST = os.environ.get("ON_HOST")
TOY = Surrogate("toy", "kronecker:scale=8,seed=1", graphs.UNDIRECTED)


class Listing(BenchCase):
    def test_names_are_unique(self):
        names = [job.name for job in jobs.jobs()]
        self.assertEqual(len(names), len(set(names)))
        self.assertFalse([name for name in names if "\t" in name])

    def test_every_published_graph_has_a_surrogate(self):
        def names(surrogates):
            return {surrogate.original for surrogate in surrogates}

        self.assertEqual(names(graphs.BFS4K), set(published.BFS4K_TABLE1))
        self.assertEqual(names(graphs.BFS4K), set(published.BFS4K_TABLE2))
        self.assertEqual(names(graphs.HBF), set(published.HBF_TABLE2))
        self.assertEqual(names(graphs.HBF_NEGATIVE), set(published.HBF_TABLE3))
        self.assertEqual(names(graphs.STUDY), set(published.STUDY_TABLE2))
        self.assertEqual(names(graphs.XBFS), set(published.XBFS_TABLE2))

    def test_published_forms_have_the_texts_settings(self):
        for surrogate in graphs.BFS4K:
            knobs = dict(text.split("=") for text in jobs.bfs4k_published(surrogate.original).split(","))
            self.assertIn(int(knobs["k1"]), (4, 8, 16, 32))
            self.assertEqual((knobs["k3"], knobs["k6"], knobs["k7"], knobs["hash"]), ("16", "128", "10", "1"))
        for name, k1 in (("roadNet-CA", 4), ("web-Google", 4), ("kkt_power", 4), ("random.2Mv.128Me", 32), ("com-youtube", 32)):
            self.assertTrue(jobs.bfs4k_published(name).startswith(f"k1={k1},"), name)  # section 7 names them
        self.assertIn("child=4096", jobs.HBF_FORM)
        self.assertIn("work=32", jobs.HBF_FORM)

    def test_all_graphs_of_xbfs_have_all_steps(self):
        names = {job.name for job in jobs.jobs()}
        for surrogate in graphs.XBFS:
            for label in jobs.XBFS_STEPS:
                self.assertIn(f"xbfs/step/{surrogate.original}/{label}", names)
            self.assertIn(f"xbfs/pass/{surrogate.original}", names)

    def test_parts_are_all_and_the_last_counts(self):
        whole = jobs.jobs()
        parts = [run.part_of(whole, i, 3) for i in (1, 2, 3)]
        self.assertEqual(sorted(j.name for j in whole), sorted(j.name for part in parts for j in part))
        self.assertFalse([j.name for part in parts[:2] for j in part if j.counting])
        for part in parts:
            seconds = sum(g.seconds() for g in run.groups_of([j for j in part if j.backend == "cuda"]))
            self.assertLess(seconds, 400)
        self.assertEqual(self.script("papers_run.py", "--dry-run", "--part", "5/4").returncode, 2)

    def test_dry_run(self):
        done = self.script("papers_run.py", "--dry-run", "--only", "h-bf/t3/wiki-talk/*", "--build", "B")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("B/bench/bench_papers -s -w 0,255,200"), 2)  # two lanes
        self.assertEqual(self.script("papers_run.py", "--dry-run", "--only", "nothing").returncode, 2)

    def test_counting_jobs_run_the_counting_build(self):
        words = ["--only", "h-bf/fig9/*", "--only", "bfs-4k/fig12/*", "--build", "B", "--counting", "C"]
        lines = self.script("papers_run.py", "--dry-run", *words).stdout.splitlines()
        program = None
        for line in lines:
            if not line.startswith("    "):
                program = line.split("/")[0]
            elif "| cuda |" in line:
                self.assertEqual("c" in line.split(" | ")[7], program == "C", line)
        self.assertGreater(sum(line.startswith("C/") for line in lines), 3)


class Tools(unittest.TestCase):
    def test_profile(self):
        names = ["ID", "Kernel Name", *run.METRICS.values()]
        units = ["", "", "register/thread", "usecond", "%", "%", "%"]
        rows = [names, units, ["0", "void simple_kernel<unsigned>(int)", "22", "3.5", "5.1", "0.9", "41"],
                ["1", "void simple_kernel<unsigned>(int)", "22", "1,000.0", "6", "1", "60"]]  # fmt: skip
        text = "==PROF== Connected\n{}\n" + "\n".join(",".join(f'"{x}"' for x in row) for row in rows)
        self.assertEqual(run.profile_of(text), [{"name": "simple_kernel", "registers": 22,
                                                 "launches": [[3500, 5.1, 0.9, 41.0], [1000000, 6.0, 1.0, 60.0]]}])  # fmt: skip
        self.assertEqual(run.profile_of("==ERROR== no permission"), [])

    def test_registers(self):
        text = " Function _Z13simple_kernelIjEv:\n  REG:22 STACK:0 SHARED:0\n Function _Z5other:\n  REG:9 STACK:0\n"
        self.assertEqual(run.registers_of(text), {"_Z13simple_kernelIjEv": 22, "_Z5other": 9})


class Shell(BenchCase):
    """bench/papers.sh, the whole of `make bench-papers`."""

    def run_it(self, *words, **env):
        words = ["sh", os.path.join(BENCH, "papers.sh"), *words]
        return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **env}, check=False)

    def test_dry_run_needs_no_virtual_environment(self):
        done = self.run_it("--dry-run", "--only", "study/t2/*", VENV=self.path("none"))
        self.assertEqual(done.returncode, 0, done.stderr)
        table = [job for job in jobs.jobs() if job.name.startswith("study/t2/")]
        self.assertGreaterEqual(len(table), len(published.STUDY_TABLE2))
        self.assertEqual(done.stdout.count("| bfs | cuda |"), len(table))
        self.assertFalse(os.path.exists(self.path("none")))

    def test_without_a_network_it_says_so(self):
        done = self.run_it("--draw", VENV=self.path("venv"), PIP_NO_INDEX="1", PIP_FIND_LINKS=self.folder)
        self.assertEqual(done.returncode, 4)
        self.assertIn("papers.sh: ", done.stderr)

    def test_out_needs_no_drawing(self):
        cmake = self.program("cmake", "exit 0")
        done = self.run_it("--part", "1/3", "--limit", "5", "--only", "none", OUT=self.path("out"), VENV=self.path("none"),
                           BUILD=self.path("b"), COUNTING=self.path("c"), PATH=os.path.dirname(cmake) + ":" + os.environ["PATH"])  # fmt: skip
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("no job has such a name", done.stdout)
        self.assertFalse(os.path.exists(self.path("none")))


class Running(BenchCase):
    def run_jobs(self, *parts, budget=0, program=PROGRAM):
        os.makedirs(self.path("bench"), exist_ok=True)
        if not os.path.exists(self.path("bench/bench_papers")):
            os.symlink(program, self.path("bench/bench_papers"))
        options = SimpleNamespace(build=self.folder, counting=self.folder, output=self.path("out.jsonl"), have=None, budget=budget,
                                  commit="c0ffee", on_host=True)  # fmt: skip
        code, text = quietly(run.run, options, list(parts))
        lines = []
        if os.path.exists(options.output):
            lines = [json.loads(line) for line in read(options.output).splitlines()]
        return code, lines, text

    def job(self, name, row="serial", surrogate=TOY, **more):
        return Job(name, surrogate, row, backend="cpu", **more)

    def test_a_line_is_complete(self):
        code, lines, text = self.run_jobs(self.job("a/b/toy/serial", repeat=2))
        self.assertEqual(code, 0, text)
        line = lines[0]
        self.assertEqual((line["job"], line["original"], line["graph"]["name"], line["commit"]),
                         ("a/b/toy/serial", "toy", "kronecker:scale=8,seed=1", "c0ffee"))  # fmt: skip
        self.assertEqual([run["source"] for run in line["runs"]][::2], sorted(set(run["source"] for run in line["runs"]),
                         key=[run["source"] for run in line["runs"]].index))  # fmt: skip
        self.assertEqual(len(line["runs"]), 8)
        self.assertEqual(line["verification"], "right")
        self.assertTrue({"date", "device", "knobs", "shape", "weights"} <= line.keys())

    def test_sources_are_the_same_for_all_settings_of_a_graph(self):
        weighted = TOY.weighted("0,255,200")
        _, lines, _ = self.run_jobs(self.job("a"), self.job("b", sources=1), self.job("c", "bellman-ford", weighted, problem="sssp"))
        sources = {line["job"]: [run["source"] for run in line["runs"]] for line in lines}
        self.assertEqual(sources["a"][:1], sources["b"])
        self.assertEqual(sources["a"], sources["c"])
        self.assertEqual({line["verification"] for line in lines}, {"right"})
        hashes = {line["job"]: line["graph"]["hash"] for line in lines}
        self.assertEqual(hashes["a"], hashes["b"])
        self.assertNotEqual(hashes["a"], hashes["c"])

    def test_paths_for_edges_and_self_loops(self):
        command = [PROGRAM, "-x", "-k", "3", "-l", "grid2d:rows=4,cols=5"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        stats = json.loads(done.stdout)
        edges = 4 * 4 + 3 * 5
        self.assertEqual((stats["n"], stats["m"]), (20 + 2 * edges, 2 * 3 * edges + 20 + 2 * edges))
        self.assertEqual(stats["self_loops"], stats["n"])
        self.assertEqual(stats["diameter_lower_bound"], 3 * 7)

    def test_what_is_there_is_not_run_again(self):
        self.run_jobs(self.job("a"))
        code, lines, text = self.run_jobs(self.job("a"), self.job("b"))
        self.assertEqual((code, [line["job"] for line in lines]), (0, ["a", "b"]))
        self.assertIn("1 were there", text)

    def test_budget(self):
        code, lines, text = self.run_jobs(self.job("late"), budget=0.01)
        self.assertEqual((code, lines), (3, []))
        self.assertIn("1 jobs were left out", text)

    def test_a_failure_is_told_and_the_others_go_on(self):
        code, lines, text = self.run_jobs(self.job("bad", "no-such-row"), self.job("good"))
        self.assertEqual(code, 1)
        self.assertIn("no-such-row", lines[0]["skipped"])
        self.assertEqual(lines[1]["job"], "good")
        self.assertIn("failed: bad", text)

    @unittest.skipUnless(ON_HOST, "this build has no executor of kernels")
    def test_the_pass_of_xbfs_is_counted(self):
        job = next(job for job in jobs.jobs() if job.name == "xbfs/pass/LJ")
        job.surrogate = Surrogate("LJ", "rmat:n=600,edges=4000,directed=0,seed=1", graphs.UNDIRECTED)
        code, lines, text = self.run_jobs(job, program=ON_HOST)
        self.assertEqual(code, 0, text)
        line = lines[0]
        self.assertEqual(line["next_level"], line["frontiers"][line["pass"] + 2])
        self.assertTrue(0 < line["early"] <= line["next_level"])
        unvisited = sum(line["frontiers"][line["pass"] + 1 :])
        self.assertGreaterEqual(sum(count for _, _, count in line["checks"]), unvisited)


if __name__ == "__main__":
    unittest.main()
