"""bench/peers, compare_peers.py, in_turns.py, load.py: what is parsed, what is found, whole comparisons."""

import json
import os
import unittest
from types import SimpleNamespace

from bench_case import FRINGE, BenchCase, read

import compare_peers
import load
from peers import common, programs

GAPBS_RIGHT = "Trial Time:          0.00300\nTrial Time:          0.00100\nTrial Time:          0.00200\nVerification:           PASS\n"
LAGRAPH = """warmup: parent only, pushpull: 0.5 sec
parent only  pushpull trial:  0 threads:  2 src:           17     0.0040 sec
    n: 1024 check: 0.01 sec
"""
GUNROCK = "GPU Elapsed Time : 2.5 (ms)\nNumber of errors : {}\n"


class Parsers(BenchCase):
    def test_gapbs(self):
        self.assertEqual(programs.gapbs_seconds(GAPBS_RIGHT, True, ["bfs"]), 0.002)
        for text in (GAPBS_RIGHT.replace("PASS", "FAIL"), "Trial Time: 0.1\n"):  # wrong; asked to check, and did not
            with self.assertRaises(common.Wrong):
                programs.gapbs_seconds(text, True, ["bfs"])

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
        texts = [f"Read Time:           {s}\nBuild Time:          0.60000\n" for s in ("0.50000", "0.70000", "0.60000")]
        gapbs, pigo = load.gapbs_line("by.el", texts), load.pigo_line("by.el", "pigo: parse 0.300 s, load 0.800 s, 31400000 entries\n")
        self.assertEqual((gapbs["parse_s"], gapbs["load_s"], pigo["build_s"], pigo["load_s"]), (0.6, 1.2, 0.5, 0.8))

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
    def look(self, **more):
        base = {"problem": "bfs", "gapbs": None, "deltas": "1", "no_python": True, "fringe": FRINGE, "gpu": False, "threads": 1}
        return programs.look(SimpleNamespace(**{**base, **more}))

    def setUp(self):
        super().setUp()
        path = os.environ.get("PATH", "")
        for name in ("GAPBS", "LAGRAPH", "GUNROCK"):
            os.environ.pop(name, None)
        os.environ["PATH"] = self.folder
        self.addCleanup(os.environ.__setitem__, "PATH", path)

    def test_absent_ones_are_named_with_a_way(self):
        found, absent = self.look()
        self.assertEqual((found, list(dict(absent))), ([], ["GAPBS", "LAGraph", "SciPy", "igraph", "Gunrock", "cuGraph"]))
        self.assertIn("GAPBS=", dict(absent)["GAPBS"])
        self.assertIn("GPU", dict(absent)["Gunrock"])

    def test_found_on_the_path_and_by_folder(self):
        for name in ("gapbs-bfs", "gunrock-bfs", "bfs_demo"):
            self.program(name, "true")
        self.assertEqual([tool.name for tool in self.look(gpu=True)[0]], ["gapbs", "lagraph", "gunrock"])
        os.rename(self.path("gapbs-bfs"), self.path("bfs"))
        self.assertEqual(self.look(gapbs=self.folder)[0][0].program, self.path("bfs"))


class Whole(BenchCase):
    """A comparison with the built command and programs that stand for the peers."""

    def run_it(self, **env):
        out = self.path("out.jsonl")
        done = self.script("compare_peers.py", "--cpu", "--fringe", FRINGE, "--no-python", "--sources", "2", "--rounds", "2",
                           "--threads", "1", "--output", out, "path:n=50", **env)  # fmt: skip
        return done, json.loads(read(out)) if os.path.exists(out) else None

    def test_right(self):
        self.program("bfs", f"printf '{GAPBS_RIGHT}'".replace("\n", "\\n"))
        done, line = self.run_it(GAPBS=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(line["seconds"]["gapbs"], 0.002)
        self.assertTrue({"cpu", "cores", "commit", "date", "seed", "threads", "prepare_s", "ratio"} <= line.keys())
        self.assertIn("fringe serial", done.stdout)
        self.assertIn("LAGRAPH=", done.stdout)  # what is not here

    def test_wrong_answers_end_it(self):
        self.program("bfs", "echo 'Trial Time: 0.1'; echo 'Verification: FAIL'")
        done, _ = self.run_it(GAPBS=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("wrong answer", done.stderr)

    def test_a_peer_that_fails_is_left_out(self):
        self.program("bfs_demo", "echo no memory >&2; exit 9")
        done, line = self.run_it(LAGRAPH=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no memory", line["left_out"]["lagraph"])

    def test_lagraph_gets_a_matrix_and_one_source_a_run(self):
        text = LAGRAPH.replace("\n", "\\n")
        self.program("bfs_demo", f'head -1 "$1" | grep -q MatrixMarket && sed 1d "$2" >>{self.path("seen")}\nprintf "{text}"')
        done, line = self.run_it(LAGRAPH=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertEqual(line["seconds"]["lagraph"], 0.004)
        sources = [int(text) for text in read(self.path("seen")).splitlines()[1::2]]
        self.assertTrue(len(sources) == 2 and all(1 <= source <= 50 for source in sources))

    def test_best_other(self):
        medians = {"fringe auto": 1.0, "fringe direction-optimizing": 0.1, "fringe serial": 4.0, "gapbs": 3.0}
        self.assertEqual(compare_peers.ratio_of(medians), ("gapbs", 3.0))
        self.assertEqual(compare_peers.ratio_of({"fringe auto": 1.0}), (None, None))


class InTurns(BenchCase):
    """Builds whose second turn is slow: medians and ratios."""

    def build(self, name, program, output):
        os.makedirs(self.path(os.path.join(name, "bench")))
        os.symlink(FRINGE, self.path(os.path.join(name, "fringe")))
        log = self.path(name + ".log")
        self.program(os.path.join(name, "bench", program), f"""printf '%s\\n' "$*" >> {log}
[ $(wc -l < {log}) -gt 2 ] && slow=9 || slow=
echo "{output}" """)  # fmt: skip
        return self.path(name)

    def test_calls(self):
        output = '{{\\"clock_ms\\": 0.17, \\"none_ms\\": 0.18, \\"warm_ms\\": ${{slow}}{}, \\"parents_ms\\": 0.25, \\"each_warm_ms\\": 0.16}}'
        old, new = (self.build(name, "bench_call", output.format(warm)) for name, warm in (("old", "0.21"), ("new", "0.19")))
        done = self.script("in_turns.py", "call", "--graphs", "g", "--threads", "4", "--only", "cnr-2000", old, new)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split()[1:] for line in done.stdout.splitlines()[3:]]
        self.assertEqual(rows, ["0.170 0.210 0.040 0.180 0.250 0.160 1.000".split(), "0.170 0.190 0.020 0.180 0.250 0.160 0.500".split()])
        self.assertEqual(read(old + ".log").splitlines(), ["-n 32 -t 4 -p bfs -u -d g/cnr-2000.mtx.zst"] * 3)

    def test_first_answers(self):
        output = '{\\"sources\\": [7, 8], \\"new_ms\\": 1.5, \\"call_ms\\": [${slow}8.0, 3.0, 2.0], \\"clock_ms\\": [1, 1, 1], \\"faults\\": [1, 2, 3]}'
        build, out = self.build("old", "bench_first_answer", output), self.path("out.jsonl")
        self.program("bfs", 'echo "Verification: PASS"; echo "Trial Time: 0.004"')
        done = self.script("in_turns.py", "first-answer", "--gapbs", self.folder, "--threads", "4", "--queries", "3", "--only", "path:n=9",
                           "--output", out, build)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        line = json.loads(read(out))
        self.assertEqual((line["ms"]["gapbs"], line["ms"]["plain queue"], line["rounds"]), (4, 2.5, 3))
        self.assertEqual(line["ratio"]["fringe, last answer"], 0.8)
        self.assertIn("-r 1 -n 3 -j 4 -s 3 bfs auto", read(build + ".log"))

    def test_a_run_that_fails(self):
        done = self.script("in_turns.py", "call", "--only", "path:n=9", self.build("old", "bench_call", "$(exit 1)"))
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
