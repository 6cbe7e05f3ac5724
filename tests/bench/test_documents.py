"""tools/api_reference.py: what it writes."""

import os
import sys
import unittest

from bench_case import ROOT, BenchCase

sys.path.insert(0, os.path.join(ROOT, "tools"))
import api_reference

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

    def test_command(self):
        done = self.script("../tools/api_reference.py", self.path("demo.h", HEADER))
        self.assertEqual((done.returncode, done.stdout), (0, self.page()))

    def test_a_lost_function_is_an_error(self):
        lost = HEADER.replace("#ifndef DEMO_H", "#if 1\nFR_API int fr_lost(int);\n#endif\n#ifndef DEMO_H")
        done = self.script("../tools/api_reference.py", self.path("demo.h", lost))
        self.assertEqual(done.returncode, 1)
        self.assertIn("demo.h: the page would lack fr_lost", done.stderr)


if __name__ == "__main__":
    unittest.main()
