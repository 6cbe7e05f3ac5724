"""bench/papers_draw.py: pages and plots from lines with made-up numbers; joins that must fail."""

import os
import re
import tempfile
import unittest

from bench_case import BenchCase, need_matplotlib, read

need_matplotlib()

import papers_draw  # noqa: E402  # after matplotlib is known to be there
import papers_lines  # noqa: E402
from papers import lines as joins  # noqa: E402
from papers.lines import Lines, Mixed  # noqa: E402

PAGES = ("study.md", "bfs-4k.md", "h-bf.md", "uiuc-bfs.md", "xbfs.md")
H100 = {**papers_lines.GPU, "name": "NVIDIA H100"}


def draw(*files, only=""):
    """{name: text} of all pages and plots that these files give, and the table of verdicts. only: part of a module's name."""
    with tempfile.TemporaryDirectory() as out:
        plots = os.path.join(out, "plots")
        os.makedirs(plots)
        lines = Lines(files)
        drawn = [kind.draw(lines, plots) for kind in papers_draw.pages() if only in kind.__name__]
        for page in drawn:
            page.write(out)
        found = {
            os.path.relpath(os.path.join(top, name), out): read(os.path.join(top, name))
            for top, _, names in os.walk(out)
            for name in names
        }
        return {**found, "verdicts": papers_draw.verdicts(drawn, lines)}


class Joining(BenchCase):
    """What must not be divided is not."""

    def line(self, name="a", graph="1", sources=(1, 2), ns=(100, 110, 120)):
        runs = [{"source": source, "traverse_ns": each * 10000} for source in sources for each in ns]
        return {"job": name, "graph": {"name": "g", "hash": graph}, "runs": runs}

    def test_different_graphs(self):
        with self.assertRaises(Mixed) as failed:
            joins.ratio(self.line(), self.line("b", graph="2"))
        self.assertIn("a join of different graphs", str(failed.exception))

    def test_different_sources(self):
        with self.assertRaises(Mixed) as failed:
            joins.ratio(self.line(), self.line("b", sources=(2, 3)))
        self.assertIn("a join of different sources", str(failed.exception))

    def test_fewer_sources_are_compared_over_those_alone(self):
        slow = self.line(sources=(1,), ns=(400,))
        both = self.line("b", sources=(1,), ns=(100,))
        both["runs"].append({"source": 2, "traverse_ns": 10**9})
        self.assertEqual(joins.ratio(slow, both), 4)
        self.assertEqual(joins.ratio(both, slow), 1 / 4)

    def test_ties(self):
        self.assertTrue(joins.is_tie(self.line(ns=(100, 100, 100)), self.line(ns=(101, 101, 101))))
        self.assertFalse(joins.is_tie(self.line(ns=(100, 100, 100)), self.line(ns=(105, 105, 105))))
        self.assertTrue(joins.is_tie(self.line(ns=(100, 104, 108)), self.line(ns=(103, 107, 111))))
        found = {"a": self.line(ns=(100, 100, 100)), "b": self.line(ns=(101, 101, 101)), "c": self.line(ns=(300, 300, 300))}
        self.assertEqual(joins.ranking(found), "a = b < c")
        self.assertEqual(joins.fastest(found), ["a", "b"])

    def test_several_commits(self):
        old = self.path("old.jsonl", papers_lines.text_of(papers_lines.all_lines(only=lambda job: "fig14" in job.name)))
        new = self.path("new.jsonl", read(old).replace(papers_lines.COMMIT, "fedcba987654"))
        with self.assertRaises(Mixed) as failed:
            Lines([old, new])
        self.assertIn("lines of several commits", str(failed.exception))

    def test_several_drivers(self):
        old = self.path("old.jsonl", papers_lines.text_of(papers_lines.all_lines(only=lambda job: "fig14" in job.name)))
        with self.assertRaises(Mixed):
            Lines([old, self.path("new.jsonl", read(old).replace("580.159.04", "590"))])

    def test_a_page_with_a_line_of_another_graph_is_not_drawn(self):
        """The join of H-BF's Table 3: one core's line of another wiki-talk."""
        found = papers_lines.all_lines()
        for line in found:
            if line["job"] == "h-bf/t3/wiki-talk/sequential":
                line["graph"]["hash"] = "0"
        with self.assertRaises(Mixed):
            draw(self.path("x.jsonl", papers_lines.text_of(found)), only="hbf")

    def test_the_command_says_why(self):
        path = self.path("x.jsonl", papers_lines.text_of(papers_lines.all_lines()))
        done = self.script("papers_draw.py", "--from", path, "--from",
                           self.path("y.jsonl", read(path).replace(papers_lines.COMMIT, "fedcba987654")),
                           "--output", self.path("out"))  # fmt: skip
        self.assertEqual(done.returncode, 1)
        self.assertIn("papers_draw.py: lines of several commits", done.stderr)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = os.path.join(folder.name, "x.jsonl")
        small = papers_lines.all_lines(H100, only=lambda job: job.name.startswith(("xbfs/t2", "xbfs/step")))
        with open(cls.path, "w", encoding="utf-8") as file:
            file.write(papers_lines.text_of(papers_lines.all_lines() + small))
        cls.files = draw(cls.path)

    def has(self, page, text):
        """assertIn that does not print the page."""
        self.assertTrue(text in self.files[page], f"{page} has no {text}")

    def test_pages_have_what_the_papers_have(self):
        self.assertEqual({name for name in self.files if name.endswith(".md")}, set(PAGES))
        self.has("study.md", "| kron_g500-logn21 | published | 17144.2 | 20746.3 |")
        self.has("bfs-4k.md", "| VirtualWarp4 + table per warp [16] |")
        self.has("h-bf.md", "| wiki-talk | published | edge classification | 1000 | - | 65 | 15.4x | 19 | 52.6x | 3.42x |")
        self.has("uiuc-bfs.md", "| 462.8 | 146.7 | 67.8 | 2.2 |")
        self.has("xbfs.md", "| mean speed of XBFS over it | - | 3.5x | 4.9x | 11.2x | 6.1x |")
        self.has("xbfs.md", "NVIDIA H200 over NVIDIA H100")

    def test_every_page_has_verdicts_knobs_and_what_is_missing(self):
        for name in PAGES:
            for text in ("## Verdicts", "## Knobs", "## Not repeated", "commit " + papers_lines.COMMIT):
                self.has(name, text)
            self.assertFalse(" nan" in self.files[name] or "None" in self.files[name], name)

    def test_the_readme_has_every_claim_with_its_verdict(self):
        rows = [row for row in self.files["verdicts"].splitlines() if row.startswith("| [")]
        self.assertGreater(len(rows), 35)
        for row in rows:
            self.assertRegex(row, r"\*\*(reproduced|weaker|contradicted|not testable)\*\* \| \S")

    def test_plots_name_device_driver_commit(self):
        plots = {name: text for name, text in self.files.items() if name.endswith(".svg")}
        wanted = ["bfs-4k-fig7", "bfs-4k-fig12", "bfs-4k-fig13", "bfs-4k-fig14", "bfs-4k-fig15", "h-bf-table1", "h-bf-fig8", "h-bf-fig9",
                  "study-fig5", "study-fig6", *(f"xbfs-fig{i}" for i in (5, 9, 10, 11, 12, 13, 14, 15, 16))]  # fmt: skip
        self.assertEqual({f"plots/{name}.svg" for name in wanted}, set(plots))
        for name, text in plots.items():
            words = " ".join(re.sub("<[^>]*>", " ", text).split())
            for word in ("NVIDIA H200", "driver 580", "commit"):
                self.assertTrue(word in words, f"{name} does not name its {word}")

    def test_every_figure_of_a_page_is_there(self):
        self.has("xbfs.md", "*Figure: Edges checked by degree, first bottom-up pass.* <!-- xbfs-fig9.svg -->")
        for name, text in self.files.items():
            for plot in re.findall(r"^\*Figure: [^*]+\.\* <!-- (\S+) -->$", text, re.M) if name.endswith(".md") else []:
                self.assertIn("plots/" + plot, self.files)

    def test_the_same_lines_give_the_same_bytes(self):
        for name, text in draw(self.path, only="hbf").items():
            self.assertTrue(name == "verdicts" or self.files[name] == text, name)


class Absent(BenchCase):
    def test_nothing_measured_is_said_not_invented(self):
        files = draw(self.path("empty.jsonl", ""))
        self.assertFalse([name for name in files if name.endswith(".svg")])
        for name in PAGES:
            self.assertTrue("## Not repeated" in files[name], name)
            self.assertFalse("Measured on" in files[name], name)
        for verdict in ("**reproduced**", "**weaker**", "**contradicted**"):
            self.assertFalse(verdict in files["verdicts"], verdict)

    def test_the_readme_keeps_what_is_not_written_here(self):
        path = self.path("README.md", f"# Results\n\n{papers_draw.BEGIN}\nold\n{papers_draw.END}\n\nkept\n")
        papers_draw.put_verdicts(path, f"{papers_draw.BEGIN}\nnew\n{papers_draw.END}")
        self.assertEqual(read(path), f"# Results\n\n{papers_draw.BEGIN}\nnew\n{papers_draw.END}\n\nkept\n")


if __name__ == "__main__":
    unittest.main()
