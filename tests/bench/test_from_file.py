"""bench/from_file.py: a run on small graphs, with and without a peer; the table of its lines."""

import json
import os
import shutil
import subprocess
import sys
import unittest

from bench_case import BENCH, FRINGE, BenchCase

SCRIPT = os.path.join(BENCH, "from_file.py")


class FromFile(BenchCase):
    def run_script(self, *words, **more):
        env = {**os.environ, "GAPBS": more.get("gapbs", ""), "GUNROCK": "", "PATH": more.get("path", os.environ["PATH"])}
        return subprocess.run(
            [sys.executable, "-B", SCRIPT, "--fringe", FRINGE, "--runs", "1", "--threads", "1", *words],
            capture_output=True,
            text=True,
            env=env,
            check=False,
        )

    def test_lines_and_table(self):
        program = self.program("sssp", '[ "$1" = -f ] && [ -s "$2" ] && [ "$3" = -r ] && [ "$5" = -n ]')
        output = self.path("lines.jsonl", "")
        words = ("--problem", "sssp", "--output", output, "grid2d:rows=5,cols=6")
        done = self.run_script(*words, gapbs=os.path.dirname(program))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("not found: Gunrock", done.stdout)
        self.assertNotIn("not found: GAPBS", done.stdout)
        with open(output, encoding="utf-8") as file:
            line = json.loads(file.read())
        rows = {"fringe .fringe", "fringe .mtx", "fringe .mtx.zst", "GAPBS .wsg", "GAPBS .mtx"}
        self.assertLessEqual(rows, line["seconds"].keys())
        self.assertTrue(all(seconds > 0 for seconds in line["seconds"].values()))
        self.assertEqual((line["kind"], line["graph"]["n"]), ("from_file", 30))
        table = self.run_script("--table", output).stdout
        self.assertIn("| flat grid 5 x 6 | sssp | ", table)
        self.assertIn("GAPBS .wsg, ms", table)

    def test_gunrock_in_a_named_folder_has_a_column(self):
        for name in ("gr_bfs", os.path.join("bin", "bfs")):
            folder = self.path(os.path.dirname(name) + "installed")
            os.makedirs(os.path.join(folder, "bin"), exist_ok=True)
            asked = '[ "$1" = -m ] && [ "${2%.mtx}" != "$2" ] && [ -s "$2" ] && [ "$3" = --src ] && [ "$5" = -n ]'
            self.program(os.path.join(folder, name), asked + " && sleep 0.05")
            output = os.path.join(folder, "lines.jsonl")
            done = self.run_script("--gunrock", folder, "--output", output, "grid2d:rows=5,cols=6")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("not found: Gunrock", done.stdout)
            with open(output, encoding="utf-8") as file:
                self.assertGreaterEqual(json.loads(file.read())["seconds"]["Gunrock .mtx"], 0.05)
            self.assertIn("Gunrock .mtx, ms", self.run_script("--table", output).stdout)

    def test_a_slow_command_runs_once_and_only_named_programs_run(self):
        log = self.path("log", "")
        program = self.program("bfs", f"echo run >>{log}; sleep 0.2")
        words = ("--only", "GAPBS", "--binary", "--once", "0.1", "grid2d:rows=5,cols=6")
        done = self.run_script(*words, gapbs=os.path.dirname(program))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"  GAPBS \.sg +\d")
        self.assertNotRegex(done.stdout, r"  fringe")
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read().count("run"), 1)

    def test_a_peer_that_fails_is_left_out(self):
        program = self.program("bfs", "echo no memory >&2; exit 3")
        done = self.run_script("grid2d:rows=5,cols=6", gapbs=os.path.dirname(program))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"GAPBS \.sg: left out: .* exit 3: no memory")
        self.assertRegex(done.stdout, r"  fringe \.fringe +\d")
        self.assertNotRegex(done.stdout, r"  GAPBS")

    def test_without_zstd_no_compressed_text_is_timed(self):
        done = self.run_script("grid2d:rows=5,cols=6", path="/nonexistent")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("not found: zstd", done.stdout)
        self.assertRegex(done.stdout, r"  fringe \.mtx +\d")
        self.assertNotIn(".mtx.zst", done.stdout)

    def test_a_missing_file_is_left_out(self):
        done = self.run_script("moscow", "--graphs", "nowhere")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("moscow: left out: no file nowhere/osm-moscow-roads.gr.zst", done.stdout)


if __name__ == "__main__":
    if not shutil.which("zstd"):
        print("skip: zstd is not installed")
        sys.exit(77)
    unittest.main()
