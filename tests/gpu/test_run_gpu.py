#!/usr/bin/env python3
"""run_gpu.py with stand-in programs: what passes, what fails, and what the log says of it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
REPORT = r"printf '========= Error: Race reported at 0x7f\n========= in kernel\n=========\n'"
PROGRAMS = {
    "nvidia-smi": "echo '0, Test GPU, 1.0, 9.0'; echo '1, Test GPU, 1.0, 9.0'",
    "compute-sanitizer": 'while [ "${1#--}" != "$1" ]; do shift 2; done; exec "$@"',
    "test_gpu_bfs": '[ "$1" = --strategies ] && echo "simple xbfs" || echo "BFS: 5 cases, ${FAILED:-0} failed"',
    "test_gpu_sssp": '[ "$1" = --strategies ] && echo hbf || echo "SSSP: 7 cases, 0 failed"',
    "test_gpu_apsp": '[ "$1" = --strategies ] && echo floyd-warshall || echo "APSP: 1 cases, 0 failed"',
    "test_gpu_infrastructure": 'echo "2 checks, 0 failed"',
    "test_gpu_measures": 'echo "3 checks, 0 failed"',
    "test_gpu_queues": 'case "$*" in "" | slices) echo "9 checks, 0 failed" ;; *) exit 2 ;; esac',
    "test_gpu_results": 'echo "4 checks, 0 failed"',
    "test_gpu_multi_devices": 'echo "6 cases, 0 failed"',
    "test_gpu_multi_sssp": 'case $CUDA_VISIBLE_DEVICES in *,*) echo "8 cases, 0 failed" ;; *) exit 77 ;; esac',
    "gpu_extremes": 'echo "2 cases, 0 failed"',
    "gpu_stress": 'echo "$1 runs, 0 failed"',
    "gpu_large": 'echo "$# traversals, 0 failed"',
    "gpu_seeded_faults": f'[ "$SILENT" = "$1" ] || {REPORT}',
}


class RunGpu(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.build = pathlib.Path(self.folder.name)
        for place in ("tests/gpu", "counting/tests/gpu", "watched/tests/gpu"):
            (self.build / place).mkdir(parents=True)
            for name, text in PROGRAMS.items():
                path = self.build / place / name
                path.write_text(f"#!/bin/sh\n{text}\n")
                path.chmod(0o755)

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, *options, **environment):
        path = f"{self.build}/tests/gpu:{os.environ['PATH']}"
        done = subprocess.run([sys.executable, HERE / "run_gpu.py", "--skip-build", "--build", self.build, *options],
                              env=dict(os.environ, PATH=path, CUDA_VISIBLE_DEVICES="", **environment),
                              capture_output=True, text=True)
        log = self.build / "test-gpu.log"
        self.assertEqual(log.read_text().splitlines(), done.stdout.splitlines())
        return done.returncode, done.stdout

    def test_all_pass(self):
        code, log = self.run_it()
        self.assertEqual(code, 0, log)
        self.assertIn("native: 12 programs, 0 of them failed; 54 cases, 0 failed", log)
        self.assertIn("counting: 5 programs, 0 of them failed; 20 cases, 0 failed", log)
        self.assertIn("stress: 2 programs, 0 of them failed; 2000 cases, 0 failed", log)
        self.assertIn("racecheck: 8 programs, 0 of them failed; 36 cases, 0 failed", log)
        self.assertIn("seeded: 4 programs, 0 of them failed", log)
        self.assertIn("GPU 1", log)

    def test_a_failed_case(self):
        code, log = self.run_it("--tools", "", FAILED="1")
        self.assertEqual(code, 1)
        self.assertIn("native-bfs-xbfs: FAILED, 5 cases, 1 failed", log)

    def test_a_silent_tool(self):
        code, log = self.run_it("--only", "seeded", SILENT="racecheck")
        self.assertEqual(code, 1)
        self.assertIn("seeded-racecheck: FAILED", log)
        self.assertIn("seeded-memcheck: passed", log)

    def test_a_report_fails_a_program_that_exits_with_0(self):
        path = self.build / "watched/tests/gpu/test_gpu_sssp"
        path.write_text(path.read_text() + f'[ "$1" = --strategies ] || {REPORT}\n')
        code, log = self.run_it("--only", "check-sssp")
        self.assertEqual(code, 1, log)
        self.assertIn("racecheck-sssp-hbf: FAILED", log)
        self.assertIn("memcheck-sssp-hbf: passed", log)
        self.assertIn("Error: Race reported at 0x..", log)

    def test_no_program_is_no_success(self):
        self.assertEqual(self.run_it("--only", "nothing")[0], 1)

    def test_spent_budget(self):
        code, log = self.run_it("--budget", "-1", "--only", "native-bfs-simple")
        self.assertEqual(code, 1)
        self.assertIn("not started: the budget is spent", log)

    def test_what_a_stopped_program_started_is_stopped(self):
        alive = self.build / "alive"
        path = self.build / "tests/gpu/gpu_extremes"
        path.write_text(f'#!/bin/sh\n(sleep 4; touch {alive}) &\nwait\n')
        code, log = self.run_it("--budget", "2", "--only", "native-extremes-simple")
        self.assertEqual(code, 1)
        self.assertIn("stopped after", log)
        time.sleep(4)
        self.assertFalse(alive.exists())


if __name__ == "__main__":
    unittest.main()
