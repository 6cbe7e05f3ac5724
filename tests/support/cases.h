/* Tables of texts: what a reader must make of them, or how it must refuse them. */
#ifndef TEST_CASES_H
#define TEST_CASES_H

#include "support/files.h"

/* The options of a row. */
#define OPTIONS(...)                                                                               \
    { __VA_ARGS__ }

typedef struct {
    const char *name, *text; /* of the file */
    const char *want;        /* "n: u>v u>v/weight ...", in ids of the file */
    fr_type type;
    fr_load_options options;
} test_good;

typedef struct {
    const char *name, *text;
    fr_status status;
    const char *message; /* a part of it; NULL: any */
    fr_load_options options;
} test_bad;

fr_status test_load_text(fr_ctx *ctx, const char *name, const char *text,
                         const fr_load_options *options, fr_graph **graph);
/* Writes "n: u>v u>v/weight ...", in ids of the file, for up to `size` bytes. */
void test_describe(const fr_graph *graph, char *out, size_t size);
void test_all_good(fr_ctx *ctx, const test_good *cases, size_t count);
void test_all_bad(fr_ctx *ctx, const test_bad *cases, size_t count);

#endif
