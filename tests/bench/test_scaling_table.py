"""bench/scaling_table.py: which lines count, strong and weak scaling, divided rows, and --check."""

import json
import unittest

from bench_case import BenchCase, read

PAGE = "".join(
    f"<!-- {name}: written by bench/scaling_table.py -->\nold\n<!-- end -->\n"
    for name in ("divided", "bfs", "bfs-weak", "sssp", "sssp-weak")
)
MACHINE = {"device": "NVIDIA H200", "gpus": 4, "commit": "abc"}


def line(problem, scale, devices, one, every, **more):
    graph = f"kronecker:scale={scale},seed=1"
    return {"problem": problem, "graph": graph, "devices": devices, "sources": 8, "one_ms": one, "all_ms": every,
            "ratio": one / every, **more}


def text_of(*lines):
    return "# text\n" + "".join(json.dumps(x) + "\n" for x in lines)


class ScalingTable(BenchCase):
    def written(self, **files):
        """The page from these files, without the names' underscores: {'2026_01_01_h200_x2': text}."""
        for name, text in files.items():
            self.path(f"results/{name[1:].replace('_', '-')}.txt", text)
        self.page = self.path("page.md", PAGE)
        self.words = ("scaling_table.py", "--page", self.page, "--results", self.path("results"))
        done = self.script(*self.words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read(self.page)

    def test_strong_and_weak(self):
        lines = [line("bfs", 22, 2, 0.2, 0.16), line("bfs", 22, 4, 0.2, 0.1), line("bfs", 24, 4, 0.8, 0.25)]
        page = self.written(_2026_01_01_h200_x4=text_of(MACHINE, *lines))
        self.assertIn("| Kronecker 22 | 0.200 | 0.160 | 1.25 x | 0.100 | 2.00 x | 0.67 |", page)
        self.assertIn("| Kronecker 24 | 0.800 |  |  | 0.250 | 3.20 x | 1.1 |", page)
        self.assertIn("| 22 | 0.200 | 0.250 | 80% |", page)
        self.assertIn("[commit abc](../bench/results/2026-01-01-h200-x4.txt)", page)
        self.assertIn("<!-- sssp: written by bench/scaling_table.py -->\n<!-- end -->", page)
        self.assertEqual(self.script(*self.words, "--check").returncode, 0)
        self.path("page.md", page.replace("3.20", "3.30"))
        done = self.script(*self.words, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("+| Kronecker 24", done.stdout)

    def test_which_lines_count(self):
        first = text_of(
            line("bfs", 22, 2, 0.3, 0.2, one_after_pause_ms=0.3),
            line("bfs", 22, 2, 0.4, 0.1),  # one query per source
            line("sssp", 22, 2, 4.0, 1.0, knobs="all=1,delta=2"),
            line("sssp", 22, 2, 4.0, 2.5, knobs="all=1"),
            line("sssp", 23, 2, 9.0, 8.0, knobs="all=1"),
        )
        other = text_of({"device": "NVIDIA A100"}, line("sssp", 23, 2, 9.0, 5.0))
        last = text_of(line("sssp", 23, 2, 9.0, 6.0))
        page = self.written(_2026_01_01_h200_x2=first, _2026_01_02_a100=other, _2026_01_02_h200_x2=last)
        self.assertIn("| Kronecker 22 | 0.300 | 0.200 | 1.50 x |", page)
        self.assertIn("| Kronecker 22 | 4.00 | 2.50 | 1.60 x |", page)
        self.assertIn("| Kronecker 23 | 9.00 | 6.00 | 1.50 x |", page)

    def test_divided(self):
        rows = {"weighted": False, "rows": 4096, "one_with_distances_ms": 1200.0, "all_with_distances_ms": 600.0,
                "ratio_with_distances": 2.0}
        page = self.written(_2026_01_01_h200_x4=text_of(MACHINE, line("apsp", 20, 4, 160.0, 40.0, **rows)))
        self.assertIn("| 4,096 unweighted rows of Kronecker 20, no results | 160 | 40.0 | 4.00 x |", page)
        self.assertIn("| 4,096 unweighted rows of Kronecker 20, with results | 1,200 | 600 | 2.00 x |", page)
        self.assertIn("<!-- bfs: written by bench/scaling_table.py -->\n<!-- end -->", page)


if __name__ == "__main__":
    unittest.main()
