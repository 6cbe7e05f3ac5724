"""tools/strategy_tables.py and api_reference.py: what they write into documents."""

import os
import sys
import unittest

from bench_case import ROOT, BenchCase, read

sys.path.insert(0, os.path.join(ROOT, "tools"))
import api_reference
import strategy_tables

STRATEGY = {
    "problem": "bfs", "backend": "cuda", "name": "x", "source": "A, B: C, 2000.", "text": "t",
    "knobs": [
        {"name": "k", "default": "auto", "low": 0.0, "high": 1e9, "text": "a | b"},
        {"name": "off", "default": 0.0, "low": 0.0, "high": 3.0, "text": "turns off", "switches": ["one", "two"]},
    ],
}  # fmt: skip
HEADER = """/* demo: one line.
 *
 * A second paragraph about demo_name. */
#ifndef DEMO_H
#define DEMO_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define FR_API __attribute__((visibility("default")))

/* ---- things ---- */

/* What it measures:
 *   name   value
 *   copy   B/s */
typedef struct fr_thing {
    int n; /* its size */

    void (*call)(void *user);
} fr_thing;
/* Makes a thing. *out is NULL on failure. */
FR_API fr_status fr_thing_new(fr_ctx *ctx,
                              fr_thing **out);
FR_API void fr_thing_free(fr_thing *thing); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
"""


class StrategyTables(BenchCase):
    def test_block(self):
        text = strategy_tables.block(STRATEGY, "cuda/bfs/x.cu")
        self.assertIn("Source: A, B: C, 2000. Code: [cuda/bfs/x.cu](../src/cuda/bfs/x.cu).\n", text)
        self.assertIn("| `k` | auto | 0 to 1e+09 | a \\| b |\n", text)
        self.assertIn("| `off` | none | names joined by `+` | turns off: `one`, `two` |\n", text)
        self.assertIn("No knobs.", strategy_tables.block({**STRATEGY, "knobs": []}, "x.c"))

    def test_known_blocks_are_written_and_others_left(self):
        old = "a\n<!-- strategy bfs cuda x -->\nold\n<!-- end -->\n<!-- strategy bfs cuda y -->\nkept\n<!-- end -->\nb\n"
        other = {**STRATEGY, "name": "z"}
        files = {("bfs", "cuda", name): f"cuda/bfs/{name}.cu" for name in "xz"}
        new, missing = strategy_tables.rewritten(old, [STRATEGY, other], files)
        self.assertEqual(missing, ["bfs cuda z"])
        self.assertIn("kept", new)
        self.assertNotIn("old", new)
        self.assertTrue(new.startswith("a\n") and new.endswith("b\n"))

    def test_index(self):
        old = "<!-- index -->\nold\n<!-- end -->\n### `x-y` (BFS, CUDA)\n### `z` (BFS, CPU)\n### `x-y` (APSP, CPU)\n"
        new, _ = strategy_tables.rewritten(old, [], {})
        self.assertIn("| BFS | [`z`](#z-bfs-cpu) | [`x-y`](#x-y-bfs-cuda) |\n| SSSP |  |  |\n", new)
        self.assertIn("| APSP | [`x-y`](#x-y-apsp-cpu) |  |\n<!-- end -->\n###", new)
        self.assertEqual(strategy_tables.rewritten(new, [], {})[0], new)

    def test_definitions_are_found(self):
        files = strategy_tables.definitions()
        self.assertEqual(files["sssp", "cpu", "delta-step"], "cpu/sssp/delta_stepping.c")
        self.assertEqual(files["bfs", "cuda", "auto"], "cuda/bfs/auto/auto.cu")


class ApiReference(BenchCase):
    def page(self):
        return api_reference.page([self.path("demo.h", HEADER)])

    def test_items(self):
        text = self.page()
        self.assertIn("A second paragraph about `demo_name`.", text)
        self.assertIn("## Things\n\n### fr_thing\n\nWhat it measures:\n\n```text\nname   value\n", text)
        self.assertIn("    int n; /* its size */\n\n    void (*call)", text)
        self.assertIn("### fr_thing_new, fr_thing_free\n\nMakes a thing. \\*out is NULL on failure.", text)
        self.assertIn("fr_status fr_thing_new(fr_ctx *ctx,\n                       fr_thing **out);", text)
        for plumbing in ("cplusplus", "DEMO_H", "FR_API", "#include"):
            self.assertNotIn(plumbing, text)

    def test_check(self):
        header, page = self.path("demo.h", HEADER), self.path("api.md", "old")
        words = ["../tools/api_reference.py", "--page", page, header]
        self.assertEqual(self.script(*words, "--check").returncode, 1)
        self.assertEqual(self.script(*words).returncode, 0)
        self.assertEqual(read(page), self.page())
        self.assertEqual(self.script(*words, "--check").returncode, 0)


if __name__ == "__main__":
    unittest.main()
