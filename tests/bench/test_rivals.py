#!/usr/bin/env python3
"""papers/lab/rivals.py: what its tables show of lines. Does not need a build or a GPU."""

import json
import os
import sys
import unittest

from bench_case import ROOT, BenchCase

sys.path.insert(0, os.path.join(ROOT, "papers", "lab"))
import rivals  # noqa: E402


def line(program, ms, **more):
    runs = [{"source": source, "traverse_ns": int(ms * 1e6) + source, "reached": 9} for source in range(3)]
    return {"program": program, "version": "a/b 1", "runs": runs, "verification": "right",
            "device": {"kind": "cuda", "name": "NVIDIA X", "driver": "1", "cuda": "2"}, **more}  # fmt: skip


class Tables(BenchCase):
    def found(self, *lines):
        text = {"kind": "rival", "graph_name": "DB", "problem": "bfs", "weights": "none", "date": "2026-01-02", "programs": lines,
                "graph": {"name": "rmat:n=9,edges=9", "n": 9, "m": 18, "directed": False, "hash": "1"}}  # fmt: skip
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
        row = rivals.blocks(found)["xbfs"].splitlines()[-1]
        self.assertIn("| 4 ±0 % | **2 ±0 % [2]** | **2 ±0 %** | 0.5 ±0 % |", row)


if __name__ == "__main__":
    unittest.main()
