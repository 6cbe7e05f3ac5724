"""bench/peers: what is parsed, what is found, what is said of what is not; a whole comparison."""

import json
import os
import unittest
from types import SimpleNamespace

from bench_case import FRINGE, BenchCase, read

import load
from peers import common, compare, programs, registry

GAPBS_RIGHT = "Trial Time:          0.00300\nTrial Time:          0.00100\nTrial Time:          0.00200\nVerification:           PASS\n"
LAGRAPH = """warmup: parent only, pushpull: 0.5 sec
parent only  pushpull trial:  0 threads:  2 src:           17     0.0040 sec
    n: 1024 check: 0.01 sec
"""
GUNROCK = "GPU Elapsed Time : 2.5 (ms)\nNumber of errors : {}\n"
CONVERTER = "Read Time:           {}\nBuild Time:          0.60000\n"
PIGO = "pigo: parse 0.300 s, load 0.800 s, 31400000 entries\n"


class Parsers(BenchCase):
    def test_gapbs(self):
        self.assertEqual(programs.gapbs_seconds(GAPBS_RIGHT, True, ["bfs"]), 0.002)
        with self.assertRaises(common.Wrong):
            programs.gapbs_seconds(GAPBS_RIGHT.replace("PASS", "FAIL"), True, ["bfs"])
        with self.assertRaises(common.Wrong):  # asked to check, and did not
            programs.gapbs_seconds("Trial Time: 0.1\n", True, ["bfs"])

    def test_lagraph(self):
        self.assertEqual(programs.lagraph_seconds(LAGRAPH), 0.004)
        with self.assertRaisesRegex(common.Unusable, "LG_CHECK_RESULT"):
            programs.lagraph_seconds(LAGRAPH.replace("check", ""))
        text = "sssp15:  threads:  2 trial:  0 source 5 time:     0.0300 sec\ntotal check time: 0.2 sec\n"
        self.assertEqual(programs.lagraph_seconds(text), 0.03)

    def test_gunrock(self):
        self.assertEqual(programs.gunrock_seconds(GUNROCK.format(0)), 0.0025)
        with self.assertRaises(common.Wrong):
            programs.gunrock_seconds(GUNROCK.format(3))
        with self.assertRaises(common.Unusable):
            programs.gunrock_seconds("GPU Elapsed Time : 2.5 (ms)\n")

    def test_load(self):
        gapbs = load.gapbs_line("by.el", [CONVERTER.format(s) for s in ("0.50000", "0.70000", "0.60000")])
        pigo = load.pigo_line("by.el", PIGO)
        self.assertEqual((gapbs["parse_s"], gapbs["load_s"]), (0.6, 1.2))
        self.assertEqual((pigo["build_s"], pigo["load_s"]), (0.5, 0.8))

    def test_load_of_files(self):
        """The files hold each edge once; the program reads each of them."""
        done = self.script("load.py", "--fringe", FRINGE, "--scale", "6", "--folder", self.path("files"))
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual({line["file"] for line in lines}, set(load.FILES))
        self.assertTrue(all(line["load_s"] > 0 and line["kind"] == "load" for line in lines))
        by = sorted(read(self.path("files/by.el")).splitlines())
        self.assertEqual(by, sorted(read(self.path("files/mixed.el")).splitlines()))
        self.assertEqual(len(by), len({frozenset(edge.split()) for edge in by}))


class Looking(BenchCase):
    def options(self, **more):
        base = {
            "problem": "bfs",
            "gapbs": None,
            "deltas": "1",
            "no_python": True,
            "fringe": FRINGE,
            "gpu": False,
        }
        return SimpleNamespace(**{**base, **more})

    def setUp(self):
        super().setUp()
        for name in ("GAPBS", "LAGRAPH", "GUNROCK"):
            os.environ.pop(name, None)
        path = os.environ.get("PATH", "")
        os.environ["PATH"] = self.folder
        self.addCleanup(os.environ.__setitem__, "PATH", path)

    def test_absent_ones_are_named_with_a_way(self):
        found, absent = registry.look(self.options())
        self.assertEqual(found, [])
        self.assertEqual(
            [name for name, _ in absent], ["GAPBS", "LAGraph", "SciPy", "igraph", "Gunrock", "cuGraph"]
        )
        self.assertIn("GAPBS=", dict(absent)["GAPBS"])
        self.assertIn("GPU", dict(absent)["Gunrock"])

    def test_found_on_the_path_and_by_folder(self):
        self.program("gapbs-bfs", "true")
        self.program("gunrock-bfs", "true")
        self.program("bfs_demo", "true")
        found, _ = registry.look(self.options(gpu=True))
        self.assertEqual([tool.name for tool in found], ["gapbs", "lagraph", "gunrock"])
        os.rename(self.path("gapbs-bfs"), self.path("bfs"))
        found, _ = registry.look(self.options(gapbs=self.folder))
        self.assertEqual(found[0].program, self.path("bfs"))


class Whole(BenchCase):
    """A comparison with the built command and programs that stand for GAP's."""

    def run_it(self, *words, **env):
        return self.script("compare_cpu.py", "--fringe", FRINGE, "--no-python", "--sources", "2", "--rounds", "2",
                           "--threads", "1", *words, "path:n=50", **env)  # fmt: skip

    def test_right(self):
        self.program("bfs", f"printf '{GAPBS_RIGHT}'".replace("\n", "\\n"))
        out = self.path("out.jsonl")
        done = self.run_it("--output", out, GAPBS=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        line = json.loads(read(out))
        self.assertEqual(line["seconds"]["gapbs"], 0.002)
        self.assertTrue(
            {"cpu", "cores", "commit", "date", "seed", "threads", "prepare_s", "ratio"} <= line.keys()
        )
        self.assertIn("fringe serial", done.stdout)

    def test_wrong_answers_end_it(self):
        self.program("bfs", "echo 'Trial Time: 0.1'; echo 'Verification: FAIL'")
        done = self.run_it(GAPBS=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("wrong answer", done.stderr)

    def test_a_peer_that_fails_is_left_out(self):
        self.program("bfs_demo", "echo no memory >&2; exit 9")
        out = self.path("out.jsonl")
        done = self.run_it("--output", out, LAGRAPH=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no memory", json.loads(read(out))["left_out"]["lagraph"])

    def test_lagraph_gets_a_matrix_and_one_source_a_run(self):
        text = LAGRAPH.replace("\n", "\\n")
        self.program(
            "bfs_demo",
            f'head -1 "$1" | grep -q MatrixMarket && sed 1d "$2" >>{self.path("seen")}\nprintf "{text}"',
        )
        out = self.path("out.jsonl")
        done = self.run_it("--output", out, LAGRAPH=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertEqual(json.loads(read(out))["seconds"]["lagraph"], 0.004)
        sources = [int(line) for line in read(self.path("seen")).splitlines()[1::2]]
        self.assertEqual(len(sources), 2)
        self.assertTrue(all(1 <= source <= 50 for source in sources))

    def test_peers_says_what_is_not_here(self):
        done = self.script("compare_peers.py", "--list", "--fringe", FRINGE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("LAGRAPH=", done.stdout)


class Ratio(BenchCase):
    def test_best_other(self):
        medians = {"fringe auto": 1.0, "fringe direction-optimizing": 0.1, "fringe serial": 4.0, "gapbs": 3.0}
        self.assertEqual(compare.ratio_of(medians), ("gapbs", 3.0))
        self.assertEqual(compare.ratio_of({"fringe auto": 1.0}), (None, None))


if __name__ == "__main__":
    unittest.main()
