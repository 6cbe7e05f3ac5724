#!/usr/bin/env python3
"""run_gpu.py with stand-in programs: what runs, what passes, what fails, and what the log says of it.

Each program of this folder has a stand-in, which writes down how it was called, so that a program that is added
is in these tests too; the sums of the log are compared with those calls."""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
STRATEGIES = {"test_gpu_bfs": ("simple", "xbfs"), "test_gpu_sssp": ("hbf",), "test_gpu_apsp": ("floyd-warshall",)}
PLACES = ("tests/gpu", "counting/tests/gpu", "watched/tests/gpu")
CASES = 3  # what a stand-in says it has checked
REPORT = r"printf '========= Error: Race reported at 0x7f\n========= in kernel\n=========\n'"
Call = collections.namedtuple("Call", "place tool gpus name words")


def programs():
    """The names of the programs that run_gpu.py is to know: all but gpu_ranks, which starts processes of its own."""
    names = {path.stem for path in HERE.glob("*gpu_*.c*") if re.search(r"^int main\(", path.read_text(), re.M)}
    return sorted(names - {"gpu_ranks"} | {"gpu_random"})  # the last is built from tests/random


def stand_in(name, place, calls):
    lines = ["#!/bin/sh"]
    if name in STRATEGIES:
        lines.append(f'[ "$1" != --strategies ] || exec echo {" ".join(STRATEGIES[name])}')
    lines.append(f'echo "{place}|${{TOOL:-none}}|$CUDA_VISIBLE_DEVICES|{name}|$*" >>{calls}')
    if name == "gpu_seeded_faults":
        lines.append(f'[ "$SILENT" = "$1" ] || {REPORT}')
    else:
        lines.append(f'[ "$FAILING" = "{name} $*" ] && failed=1')
        lines.append(f'echo "{CASES} checks, ${{failed:-0}} failed"')
    return "\n".join(lines) + "\n"


class RunGpu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        self.calls_file = self.build / "calls"
        self.calls_file.touch()
        for place in PLACES:
            (self.build / place).mkdir(parents=True)
            for name in programs():
                self.program(f"{place}/{name}", stand_in(name, place, self.calls_file))
        self.program("tests/gpu/nvidia-smi", "#!/bin/sh\necho '0, Test GPU, 1.0, 9.0'; echo '1, Test GPU, 1.0, 9.0'\n")
        # --tool NAME and further options with a value each, then the program
        self.program("tests/gpu/compute-sanitizer", '#!/bin/sh\nexport TOOL=$2\nwhile [ "${1#--}" != "$1" ]; do shift 2; done\nexec "$@"\n')

    def program(self, name, text):
        path = self.build / name
        path.write_text(text)
        path.chmod(0o755)

    def run_it(self, *options, **environment):
        path = f"{self.build}/tests/gpu:{os.environ['PATH']}"
        done = subprocess.run([sys.executable, HERE / "run_gpu.py", "--skip-build", "--build", self.build, *options],
                              env=dict(os.environ, PATH=path, CUDA_VISIBLE_DEVICES="", **environment),
                              capture_output=True, text=True)
        log = self.build / "test-gpu.log"
        self.assertEqual(log.read_text().splitlines(), done.stdout.splitlines())
        return done.returncode, done.stdout

    def calls(self, place, tool="none", without=()):
        found = [Call(*line.split("|")) for line in self.calls_file.read_text().splitlines()]
        return [call for call in found if (call.place, call.tool) == (place, tool) and call.name not in without]

    def assert_sums(self, log, kind, calls):
        """The summary's line of a kind of program is that of these calls, which are some."""
        self.assertTrue(calls, kind)
        self.assertIn(f"{kind}: {len(calls)} programs, 0 of them failed; {CASES * len(calls)} cases, 0 failed", log)

    def test_all_pass(self):
        code, log = self.run_it()
        self.assertEqual(code, 0, log)
        others = ("gpu_stress", "gpu_large", "gpu_seeded_faults", "gpu_random")
        native = self.calls("tests/gpu", without=others)
        self.assert_sums(log, "native", native)
        self.assertEqual({call.name for call in native}, set(programs()) - set(others))
        for name, strategies in STRATEGIES.items():
            self.assertEqual(sorted(call.words for call in native if call.name == name), sorted(strategies))
        self.assert_sums(log, "stress", [call for call in self.calls("tests/gpu") if call.name == "gpu_stress"])
        self.assert_sums(log, "large", [call for call in self.calls("tests/gpu") if call.name == "gpu_large"])
        randomly = [call for call in self.calls("tests/gpu") if call.name == "gpu_random"]
        self.assert_sums(log, "random", randomly)
        self.assertEqual(len({call.words for call in randomly}), 3)  # other cases on each GPU, and on both
        counting = self.calls("counting/tests/gpu")
        self.assert_sums(log, "counting", counting)
        self.assertEqual({call.name for call in counting}, {*STRATEGIES, "test_gpu_infrastructure"})
        self.assertIn("seeded: 4 programs, 0 of them failed", log)
        self.assertIn("GPU 1", log)

    def test_all_tools(self):
        code, log = self.run_it("--only", "check|seeded")
        self.assertEqual(code, 0, log)
        for tool in TOOLS:
            place = "tests/gpu" if tool == "memcheck" else "watched/tests/gpu"
            calls = self.calls(place, tool, without=("gpu_seeded_faults",))
            self.assert_sums(log, tool, calls)
            names = {call.name for call in calls}
            self.assertLessEqual({*STRATEGIES, "test_gpu_queues", "test_gpu_measures"}, names, tool)
            self.assertEqual("test_gpu_results" in names, tool != "racecheck", tool)  # clusters wait: no race
            self.assertEqual([call.words for call in self.calls(place, tool) if call.name == "gpu_seeded_faults"], [tool])

    def test_several_gpus(self):
        self.run_it("--tools", "")
        both = {call.name for call in self.calls("tests/gpu") if "," in call.gpus}
        several = {"test_gpu_devices", "test_gpu_multi_devices", "test_gpu_multi_sssp"}
        self.assertEqual(both, several | {"gpu_random"})
        self.calls_file.write_text("")
        self.run_it("--tools", "", "--gpus", "1")
        self.assertFalse([call for call in self.calls("tests/gpu") if call.name in several or call.gpus != "1"])

    def test_a_failed_case(self):
        code, log = self.run_it("--tools", "", FAILING="test_gpu_bfs xbfs")
        self.assertEqual(code, 1)
        self.assertIn(f"native-bfs-xbfs: FAILED, {CASES} cases, 1 failed", log)
        self.assertIn(f"native-bfs-simple: passed, {CASES} cases, 0 failed", log)

    def test_a_silent_tool(self):
        code, log = self.run_it("--only", "seeded", SILENT="racecheck")
        self.assertEqual(code, 1)
        self.assertIn("seeded-racecheck: FAILED", log)
        self.assertIn("seeded-memcheck: passed", log)

    def test_a_report_fails_a_program_that_exits_with_0(self):
        path = self.build / "watched/tests/gpu/test_gpu_sssp"
        path.write_text(path.read_text() + REPORT + "\n")
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
        started = self.build / "started"
        self.program("tests/gpu/gpu_extremes", f"#!/bin/sh\nsleep 600 &\necho $! >{started}\nwait\n")
        code, log = self.run_it("--budget", "4", "--only", "native-extremes-simple")
        self.assertEqual(code, 1)
        self.assertIn("stopped after", log)
        self.assertTrue(self.ends(int(started.read_text())), "the program that was started runs on")

    @staticmethod
    def ends(process):
        """Whether a process that was killed is gone, or only its status is left; after a minute: no."""
        for _ in range(600):
            try:
                if pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                    return True
            except (FileNotFoundError, ProcessLookupError):
                return True
            time.sleep(0.1)
        return False


if __name__ == "__main__":
    unittest.main()
