"""bench/first_answer_turns.py: builds and GAPBS in turns, medians and ratios; a run that fails."""

import os
import unittest

from bench_case import FRINGE, BenchCase, read


class FirstAnswerTurns(BenchCase):
    def build(self, name, lines):
        """A build with the real command and a script in place of bench_first_answer."""
        os.makedirs(self.path(os.path.join(name, "bench")))
        os.symlink(FRINGE, self.path(os.path.join(name, "fringe")))
        self.program(os.path.join(name, "bench", "bench_first_answer"), lines)
        return self.path(name)

    def fake(self, name, first, faults):
        """A build whose second turn is slow; it logs its arguments."""
        log = self.path(name + ".log")
        return self.build(name, f"""printf '%s\\n' "$*" >> {log}
[ $(wc -l < {log}) = 2 ] && first=90.0 || first={first}
echo "{{\\"sources\\": [7, 8], \\"new_ms\\": 1.5, \\"call_ms\\": [$first, 3.0, 2.0]{faults}}}" """)

    def test_medians_and_ratios(self):
        old, new = self.fake("old", "8.0", ""), self.fake("new", "4.0", ", \\\"faults\\\": [10, 20, 30]")
        os.makedirs(self.path("gap"))
        self.program(os.path.join("gap", "bfs"), 'echo "Verification: PASS"; echo "Trial Time: 0.005"')
        done = self.script("first_answer_turns.py", "--gapbs", self.path("gap"), "--threads", "4", "--queries", "3",
                           "--turns", "3", "--problems", "bfs", "--only", "grid2d", old, new)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        title, head, first, second, gap = done.stdout.splitlines()[1:]
        self.assertIn("bfs grid2d:", title)
        self.assertEqual(head.split(), "new first second last faults first/gapbs".split())
        self.assertEqual(first.split()[-5:], ["1.500", "8.000", "3.000", "2.000", "1.60"])
        self.assertEqual(second.split()[-6:], ["1.500", "4.000", "3.000", "2.000", "30.000", "0.80"])
        self.assertEqual(gap.split(), ["gapbs", "5.000"])
        log = [line.rsplit(" ", 1)[0] for line in read(new + ".log").splitlines()]
        self.assertEqual(log, [f"-r 1 -n 3 -j 4 -s {seed} bfs auto" for seed in (1, 2, 3)])

    def test_a_run_that_fails(self):
        bad = self.build("bad", "echo no memory >&2; exit 1")
        done = self.script("first_answer_turns.py", "--problems", "bfs", "--only", "grid2d", bad)
        self.assertEqual(done.returncode, 1)
        self.assertIn("exit 1: no memory", done.stderr)


if __name__ == "__main__":
    unittest.main()
