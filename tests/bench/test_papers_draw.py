"""bench/papers_draw.py: pages and plots from a small fixture."""

import os
import re
import tempfile
import unittest

from bench_case import FIXTURE, BenchCase, need_matplotlib, read

need_matplotlib()

import papers_draw  # noqa: E402  # after matplotlib is known to be there
from papers.lines import Lines, median_ms, mteps  # noqa: E402


class Reading(BenchCase):
    def test_lines(self):
        lines = Lines([FIXTURE])
        self.assertAlmostEqual(median_ms(lines.job("uiuc-bfs/t1/1M/simple")), 0.401)
        self.assertIsNone(lines.job("xbfs/t2/FR/xbfs"))  # it was skipped
        self.assertAlmostEqual(mteps(lines.job("h-bf/t2/flickr/hbf")), 40)
        self.assertGreater(median_ms(lines.case("kron21", "scan")), 100)

    def test_a_later_file_counts(self):
        path = self.path("z.jsonl", '{"kind":"paper","job":"j","runs":[{"traverse_ns":1000000}]}\n')
        late = self.path("zz.jsonl", '{"kind":"paper","job":"j","runs":[{"traverse_ns":3000000}]}\n')
        self.assertEqual(median_ms(Lines([path, late]).job("j")), 3)


def draw(*files):
    """{name: text} of all pages and plots that these files give."""
    with tempfile.TemporaryDirectory() as out:
        plots = os.path.join(out, "plots")
        os.makedirs(plots)
        lines = Lines(files)
        for kind in papers_draw.pages():
            kind.draw(lines, plots).write(out)
        return {
            os.path.relpath(os.path.join(top, name), out): read(os.path.join(top, name))
            for top, _, names in os.walk(out)
            for name in names
        }


class Pages(BenchCase):
    @classmethod
    def setUpClass(cls):
        cls.files = draw(FIXTURE)

    def has(self, page, text):
        """assertIn that does not print the page."""
        self.assertTrue(text in self.files[page], f"{page} has no {text}")

    def test_pages_say_what_they_have(self):
        files = self.files
        self.assertEqual(
            {name for name in files if name.endswith(".md")},
            {"uiuc-bfs.md", "bfs-4k.md", "h-bf.md", "study.md", "xbfs.md"},
        )
        self.has("study.md", "| kron_g500-logn21 | published | 17144.2 | 20746.3 |")
        self.assertTrue(
            "(driver 580.159.04, CUDA 13.0), commit 1051c7793511" in " ".join(files["study.md"].split())
        )
        self.has("study.md", "simple_kernel")
        self.has("uiuc-bfs.md", "| 462.8 | 146.7 | 67.8 | 2.2 | 0.401 | 0.901 | 0.101 | 8.92 |")
        self.has(
            "h-bf.md", "| wiki-talk | published | edge classification | 1000 | - | 65 | 15.4x | 19 | 52.6x |"
        )
        self.has("h-bf.md", "| 5 | 0.4 | 0.3 | 16.7x | 0.1 | 50.0x |")
        self.has("bfs-4k.md", "| none | 0 | 1,234 | 0 | 0.06 |")
        self.has("xbfs.md", "| LJ | 0.9 | 1.80 | 3.00 | 3.10 |")

    def test_plots_name_graph_seed_device_commit(self):
        files = self.files
        plots = {name: text for name, text in files.items() if name.endswith(".svg")}
        self.assertGreaterEqual(len(plots), 10)
        for name, text in plots.items():
            words = " ".join(re.sub("<[^>]*>", " ", text).split())
            for word in ("seed", "NVIDIA H200", "driver 580", "commit"):
                self.assertTrue(word in words, f"{name} does not name its {word}")

    def test_every_figure_of_a_page_is_there(self):
        files = self.files
        for name, text in files.items():
            for plot in text.split("](plots/")[1:] if name.endswith(".md") else []:
                self.assertIn("plots/" + plot.split(")")[0], files)

    def test_the_same_lines_give_the_same_bytes(self):
        self.assertTrue(self.files == draw(FIXTURE))

    def test_nothing_measured_is_said_not_invented(self):
        files = draw(self.path("empty.jsonl", ""))
        self.assertFalse([name for name in files if name.endswith(".svg")])
        for name in ("study.md", "bfs-4k.md", "h-bf.md", "uiuc-bfs.md", "xbfs.md"):
            self.assertTrue("## Not measured" in files[name], name)
            self.assertFalse("Measured on" in files[name], name)


if __name__ == "__main__":
    unittest.main()
