"""bench/scaling_table.py: strong and weak scaling, divided rows, what is refused, and --check."""

import json
import unittest

from bench_case import BenchCase, read

PAGE = "".join(
    f"<!-- {name}: written by bench/scaling_table.py -->\nold\n<!-- end -->\n"
    for name in ("divided", "bfs", "bfs-weak", "sssp", "sssp-weak")
)
MACHINE = {"date": "2026-01-01", "device": "NVIDIA H200", "driver": "1.2", "gpus": 4, "commit": "abc"}


def line(problem, scale, devices, one, every, **more):
    graph = f"kronecker:scale={scale},seed=1"
    return {"problem": problem, "graph": graph, "devices": devices, "sources": 8, "one_ms": one, "all_ms": every,
            "ratio": one / every, **more}


def text_of(*lines):
    return "# text\n" + "".join(json.dumps(x) + "\n" for x in lines)


class ScalingTable(BenchCase):
    def written(self, *lines):
        """The page from these lines of one machine."""
        lines = self.path("x.jsonl", text_of(MACHINE, *lines))
        self.words = ("scaling_table.py", "--page", self.path("page.md", PAGE), "--results", lines)
        done = self.script(*self.words)
        self.assertEqual(done.stderr, "")
        return read(self.path("page.md"))

    def test_strong_and_weak(self):
        lines = [line("bfs", 22, 2, 0.2, 0.16), line("bfs", 22, 4, 0.2, 0.1), line("bfs", 24, 4, 0.8, 0.25)]
        page = self.written(*lines)
        self.assertIn("| Kronecker 22 | 0.200 | 0.160 | 1.25 x | 0.100 | 2.00 x | 0.67 |", page)
        self.assertIn("| Kronecker 24 | 0.800 |  |  | 0.250 | 3.20 x | 1.1 |", page)
        self.assertIn("| 22 | 0.200 | 0.250 | 80% |", page)
        self.assertIn("On H200s of one host (driver 1.2, 2026-01-01), medians from 8 sources (commit abc);", page)
        self.assertIn("<!-- sssp: written by bench/scaling_table.py -->\n<!-- end -->", page)
        self.assertEqual(self.script(*self.words, "--check").returncode, 0)
        self.path("page.md", page.replace("3.20", "3.30"))
        done = self.script(*self.words, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("+| Kronecker 24", done.stdout)

    def test_lines_of_several_commits(self):
        lines = [line("bfs", 22, 2, 0.2, 0.16), {**MACHINE, "commit": "def"}, line("bfs", 24, 2, 0.8, 0.25)]
        self.assertIn("(commit def for Kronecker 24, commit abc for Kronecker 22)", " ".join(self.written(*lines).split()))

    def test_what_is_refused(self):
        for words, lines in (("two lines of", [line("bfs", 22, 2, 0.2, 0.1), line("bfs", 22, 2, 0.2, 0.2)]),
                             ("several GPUs", [line("bfs", 22, 2, 0.2, 0.1), line("bfs", 24, 2, 0.2, 0.2, device="NVIDIA A100")])):  # fmt: skip
            path = self.path("x.jsonl", text_of(MACHINE, *lines))
            done = self.script("scaling_table.py", "--page", self.path("page.md", PAGE), "--results", path)
            self.assertIn(words, done.stderr)

    def test_divided(self):
        rows = {"weighted": False, "rows": 4096, "one_with_distances_ms": 1200.0, "all_with_distances_ms": 600.0,
                "ratio_with_distances": 2.0}
        page = self.written(line("apsp", 20, 4, 160.0, 40.0, **rows))
        self.assertIn("| 4,096 unweighted rows of Kronecker 20, no results | 160 | 40.0 | 4.00 x |", page)
        self.assertIn("| 4,096 unweighted rows of Kronecker 20, with results | 1,200 | 600 | 2.00 x |", page)
        self.assertIn("<!-- bfs: written by bench/scaling_table.py -->\n<!-- end -->", page)


if __name__ == "__main__":
    unittest.main()
