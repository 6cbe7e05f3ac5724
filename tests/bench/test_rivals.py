#!/usr/bin/env python3
"""papers/lab/rivals.py: what its tables show of lines. Does not need a build or a GPU."""

import json
import os
import sys
import unittest
import unittest.mock

from bench_case import ROOT, BenchCase

sys.path.insert(0, os.path.join(ROOT, "papers", "lab"))
import hbf  # noqa: E402
import rivals  # noqa: E402


def line(program, ms, **more):
    runs = [{"source": source, "traverse_ns": int(ms * 1e6) + source, "reached": 9} for source in range(3)]
    return {"program": program, "version": "a/b 1", "runs": runs, "verification": "right",
            "device": {"kind": "cuda", "name": "NVIDIA X", "driver": "1", "cuda": "2"}, **more}  # fmt: skip


class Tables(BenchCase):
    def found(self, *lines, **more):
        text = {"kind": "rival", "graph_name": "DB", "problem": "bfs", "weights": "none", "date": "2026-01-02", "programs": lines,
                "graph": {"name": "rmat:n=9,edges=9", "n": 9, "m": 18, "directed": False, "hash": "1"}, **more}  # fmt: skip
        return rivals.rival_lines(self.path("x.jsonl", json.dumps(text)))

    def test_the_fastest_setting_stands_and_wrong_answers_do_not(self):
        found = self.found(line("gunrock-bfs", 3), line("gunrock-bfs+merge", 2), line("gunrock-bfs+filter", 1, verification="wrong from 1 of 3 sources"),
                           line("xbfs", 5, verification="wrong from 3 of 3 sources"), line("fringe-auto", 0.5))  # fmt: skip
        self.assertEqual({name: each["program"] for name, each in found["DB", "bfs", "none"].items()},
                         {"gunrock": "gunrock-bfs+merge", "fringe-auto": "fringe-auto"})  # fmt: skip

    def test_the_fastest_and_its_ties_are_bold_and_few_sources_are_told(self):
        few = line("tigr-bfs", 2.001)
        few["runs"] = few["runs"][:2]
        found = self.found(few, line("gunrock-bfs", 2), line("enterprise", 4), line("fringe-auto", 0.5))
        blocks = rivals.blocks({**found, **self.found(line("fringe-auto", 0.5), graph_name="DP", date="2026-01-05")})
        self.assertIn("2026-01-02 and 2026-01-05.", blocks["measured-on"].replace("\n", " "))
        row = next(text for text in blocks["xbfs"].splitlines() if "DB" in text)
        self.assertIn("| 4 ±0 % | **2 ±0 % [2]** | **2 ±0 %** | 0.5 ±0 % |", row)

    def test_graphs_of_h_bf_have_a_table_of_their_own(self):
        lines = line("lonestar-sssp", 3), line("gunrock-sssp", 2), line("fringe-hbf-published", 4), line("fringe-auto", 0.5)
        found = self.found(*lines, graph_name="h-bf/flickr", problem="sssp", weights="int32 1..255")
        blocks = rivals.blocks(found)
        self.assertIn("| flickr | **2 ±0 %** | 3 ±0 % | 4 ±0 % | 0.5 ±0 % |", blocks["h-bf"])
        self.assertEqual(blocks["xbfs"], "No program has run on them.\n")

    def test_h_bf_is_compared_with_the_better_of_the_two_programs(self):
        lines = line("lonestar-sssp", 3), line("gunrock-sssp", 2), line("fringe-hbf-published", 4)
        found = self.found(*lines, graph_name="h-bf/flickr", problem="sssp", weights="int32 1..255")
        with unittest.mock.patch.object(rivals, "rival_lines", lambda: found):
            self.assertAlmostEqual(hbf.over_programs()[0][0], 0.5, 5)
            text, _, verdict = hbf.gain_over_davidson([4.0], [], 3.0)
        self.assertIn("4.00x, 0.50x", text)
        self.assertEqual(verdict, "contradicted")


if __name__ == "__main__":
    unittest.main()
