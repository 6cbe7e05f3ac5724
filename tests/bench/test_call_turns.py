"""bench/call_turns.py: builds in turns, medians and differences; a run that fails."""

import os
import unittest

from bench_case import BenchCase, read


class CallTurns(BenchCase):
    def build(self, name, lines):
        os.makedirs(self.path(os.path.join(name, "bench")))
        self.program(os.path.join(name, "bench", "bench_call"), lines)
        return self.path(name)

    def fake(self, name, warm):
        """A build whose second turn is slow; it logs its arguments."""
        turns = self.path(name + ".log")
        return self.build(name, f"""printf '%s\\n' "$*" >> {turns}
[ $(wc -l < {turns}) = 2 ] && warm=9.0 || warm={warm}
echo "{{\\"clock_ms\\": 0.17, \\"none_ms\\": 0.18, \\"warm_ms\\": $warm, \\"parents_ms\\": 0.25, \\"each_warm_ms\\": 0.16}}" """)

    def test_medians_and_differences(self):
        old, new = self.fake("old", "0.210"), self.fake("new", "0.190")
        done = self.script("call_turns.py", "--graphs", "g", "--threads", "4", "--only", "cnr-2000", old, new)
        self.assertEqual(done.returncode, 0, done.stderr)
        head, first, second = done.stdout.splitlines()
        self.assertEqual(head.split()[:7], "graph clock warm beyond none parents each".split())
        self.assertEqual(first.split(), ["cnr-2000", "0.170", "0.210", "0.040", "0.180", "0.250", "0.160", "1.00", old])
        self.assertEqual(second.split(), ["cnr-2000", "0.170", "0.190", "0.020", "0.180", "0.250", "0.160", "0.50", new])
        log = read(old + ".log").splitlines()
        self.assertEqual(log, ["-n 32 -t 4 -p bfs -u -d g/cnr-2000.mtx.zst"] * 3)

    def test_a_run_that_fails(self):
        done = self.script("call_turns.py", self.build("old", "echo no GPU >&2; exit 1"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("exit 1: no GPU", done.stderr)


if __name__ == "__main__":
    unittest.main()
