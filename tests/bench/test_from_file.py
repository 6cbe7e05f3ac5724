"""bench/from_file.py: a run on small graphs, with and without a peer; the table of its lines."""

import json
import os
import shutil
import sys
import unittest

from bench_case import FRINGE, BenchCase, read

GRAPH = "grid2d:rows=5,cols=6"


class FromFile(BenchCase):
    def run_script(self, *words, **env):
        output = self.path("lines.jsonl")
        done = self.script("from_file.py", "--fringe", FRINGE, "--runs", "1", "--threads", "1", "--output", output, *words, **env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, json.loads(read(output)) if os.path.exists(output) else None

    def test_lines_and_table(self):
        self.program("sssp", '[ "$1" = -f ] && [ -s "$2" ] && [ "$3" = -r ] && [ "$5" = -n ]')
        text, line = self.run_script("--problem", "sssp", GRAPH, GAPBS=self.folder)
        self.assertIn("not found: Gunrock", text)
        self.assertNotIn("not found: GAPBS", text)
        rows = {"fringe .fringe", "fringe .mtx", "fringe .mtx.zst", "GAPBS .wsg", "GAPBS .mtx"}
        self.assertLessEqual(rows, line["seconds"].keys())
        self.assertTrue(all(seconds > 0 for seconds in line["seconds"].values()))
        self.assertEqual((line["kind"], line["graph"]["n"]), ("from_file", 30))
        table = self.script("from_file.py", "--table", self.path("lines.jsonl")).stdout
        self.assertIn("| flat grid 5 x 6 | sssp | ", table)
        self.assertIn("GAPBS .wsg, ms", table)

    def test_gunrock_in_a_named_folder(self):
        asked = '[ "$1" = -m ] && [ "${2%.mtx}" != "$2" ] && [ -s "$2" ] && [ "$3" = --src ] && [ "$5" = -n ]'
        os.makedirs(self.path("bin"))
        self.program(os.path.join("bin", "gr_bfs"), asked + " && sleep 0.05")
        text, line = self.run_script("--gunrock", self.folder, GRAPH)
        self.assertNotIn("not found: Gunrock", text)
        self.assertGreaterEqual(line["seconds"]["Gunrock .mtx"], 0.05)

    def test_a_slow_command_runs_once_and_only_named_programs_run(self):
        log = self.path("log", "")
        self.program("bfs", f"echo run >>{log}; sleep 0.2")
        _, line = self.run_script("--only", "GAPBS", "--binary", "--once", "0.1", GRAPH, GAPBS=self.folder)
        self.assertEqual((list(line["seconds"]), read(log).count("run")), (["GAPBS .sg"], 1))

    def test_a_peer_that_fails_is_left_out(self):
        self.program("bfs", "echo no memory >&2; exit 3")
        text, line = self.run_script(GRAPH, GAPBS=self.folder)
        self.assertRegex(text, r"GAPBS \.sg: left out: .* exit 3: no memory")
        self.assertNotIn("GAPBS .sg", line["seconds"])

    def test_what_is_missing_is_said(self):
        text, line = self.run_script(GRAPH, "moscow", "--graphs", "nowhere", PATH="/nonexistent")
        self.assertIn("not found: zstd", text)
        self.assertNotIn("fringe .mtx.zst", line["seconds"])
        self.assertIn("moscow: left out: no file nowhere/osm-moscow-roads.gr.zst", text)


if __name__ == "__main__":
    if not shutil.which("zstd"):
        print("skip: zstd is not installed")
        sys.exit(77)
    unittest.main()
