"""The programs of bench/micro on small graphs: each runs, its answers are right, its figures fit together."""

import json
import os
import subprocess
import unittest

from bench_case import FRINGE, BenchCase

FOLDER = os.path.join(os.path.dirname(FRINGE), "bench")
GRAPH = "kronecker:scale=9,seed=1"


def lines(name, *words):
    done = subprocess.run([os.path.join(FOLDER, name), *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{name} {' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Programs(BenchCase):
    def ordered(self, line, name):
        least, low, high, most = line[name + "_spread"]
        self.assertTrue(0 < least <= low <= line[name] <= high <= most, line)

    def test_turns(self):
        line, *levels = lines("bench_turns", "-b", "cpu", "-n", "5", "-l", "5", "-m", GRAPH, "serial@1", "auto@2")
        self.assertTrue(line["equal"] and line["right"] and len(line["by_source_ms"]) == 5, line)
        self.ordered(line, "one_ms")
        self.assertAlmostEqual(line["ratio"], line["one_ms"] / line["all_ms"], delta=0.01 * line["ratio"])
        listed = sum(x["frontier"] for x in levels if "level" in x)
        self.assertEqual(listed, sum(x["frontier"] for x in levels if "levels" in x))
        self.assertGreater(listed, 0)

    def test_turns_of_calls(self):
        for problem, more in (("apsp", ()), ("bfs", ("-a",)), ("sssp", ("-a", "-P"))):
            words = ("-b", "cpu", "-p", problem, *more, "-n", "6", "-r", "3", GRAPH, "auto@1", "auto@2")
            (line,) = lines("bench_turns", *words)
            self.assertTrue(line["equal"] and line["right"] and line["rows"] == 6, line)
            self.ordered(line, "all_with_distances_ms")

    def test_threads(self):
        found = lines("bench_threads", "-n", "3", "-m", "3", GRAPH)
        self.assertEqual([(x["problem"], x["threads"]) for x in found], [(p, t) for p in ("bfs", "sssp") for t in (1, 2, 3)])
        for line in found:
            self.assertTrue(line["equal"] and line["rounds"] == 3 and line["best_of"] <= max(1, line["threads"] - 1), line)
            self.ordered(line, "ratio")

    def test_negative_weights_and_all_rows(self):
        words = ("-b", "cpu", "-p", "apsp", "-n", "0", "-w", "1,99,50", "-r", "1", "uniform:n=90,edges=900,directed=1,seed=2")
        (line,) = lines("bench_turns", *words, "floyd-warshall", "johnson")
        self.assertTrue(line["right"] and line["rows"] == 90, line)

    def test_call(self):
        for line in lines("bench_call", "-b", "cpu", "-n", "4", GRAPH):
            for way in ("clock", "none", "warm", "fresh", "parents", "each_warm", "each_parents"):
                self.ordered(line, way + "_ms")

    def test_others(self):
        (line, *_) = lines("bench_measures", "--cpu", GRAPH)
        self.ordered(line, "cpu_ms")
        grid = self.path("grid.gr")
        subprocess.run([FRINGE, "convert", "grid2d:rows=9,cols=9", grid, "--weights", "random:1,9", "-q"], check=True)
        methods = lines("bench_route", grid, "-", "20")
        self.assertEqual([line["wrong"] for line in methods], [0] * 5)
        done = subprocess.run([os.path.join(FOLDER, "bench_dial"), grid, "1", "5"], capture_output=True, text=True, check=True)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], ["1", "5"])


if __name__ == "__main__":
    unittest.main()
