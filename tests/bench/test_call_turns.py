"""bench/call_turns.py: builds in turns, medians and differences; a run that fails."""

import os
import unittest

from bench_case import BenchCase, read

HEAD = "     graph        n    clock     none   device   pinned     warm    fresh  parents   ms, 16 threads"


class CallTurns(BenchCase):
    def build(self, name, lines):
        os.makedirs(self.path(os.path.join(name, "bench")))
        self.program(os.path.join(name, "bench", "call_wall"), lines)
        return self.path(name)

    def fake(self, name, warm):
        """A build whose second turn is slow; it logs its arguments."""
        turns = self.path(name + ".log")
        return self.build(name, f"""printf '%s\\n' "$*" >> {turns}
echo "{HEAD}"
[ $(wc -l < {turns}) = 2 ] && warm=9.0 || warm={warm}
echo "bfs  cnr-2000    32    0.170    0.180    0.190    0.220    $warm    0.430    0.250"
echo "     moscow     left out: a file, which needs -g DIR" """)

    def test_medians_and_differences(self):
        old, new = self.fake("old", "0.210"), self.fake("new", "0.190")
        done = self.script("call_turns.py", "--graphs", "g", "--threads", "4", "--only", "cnr-2000,moscow", old, new)
        self.assertEqual(done.returncode, 0, done.stderr)
        head, first, second = done.stdout.splitlines()
        self.assertEqual(head.split()[:7], "graph clock warm beyond none parents relative".split())
        self.assertEqual(first.split(), ["cnr-2000", "0.170", "0.210", "0.040", "0.180", "0.250", "1.00", old])
        self.assertEqual(second.split(), ["cnr-2000", "0.170", "0.190", "0.020", "0.180", "0.250", "0.50", new])
        log = read(old + ".log").splitlines()
        self.assertEqual(log, ["-n 32 -t 4 -p bfs -g g cnr-2000 moscow"] * 3)

    def test_a_run_that_fails(self):
        done = self.script("call_turns.py", self.build("old", "echo no GPU >&2; exit 1"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("exit 1: no GPU", done.stderr)


if __name__ == "__main__":
    unittest.main()
