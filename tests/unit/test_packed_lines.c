/* Lines that are parsed while they are decompressed: the graph, and what is said, are those of the plain file. */
#include "support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FRI_HAVE_ARCHIVE

enum { LINES = 120000, N = 20000 }; /* some MB: several pieces of a text */

/* What the library reports while it reads. */
typedef struct {
    int whole;   /* calls from decompressing the whole text */
    bool cancel; /* once a part of the text has been parsed */
    int64_t done, total;
} watched;

static int watch(void *user, const char *phase, int64_t done, int64_t total) {
    watched *w = user;
    w->whole += strcmp(phase, "decompressing") == 0;
    if (strcmp(phase, "reading") == 0) {
        w->done = done;
        w->total = total;
    }
    return w->cancel && w->done > 0;
}

static fr_ctx *watched_ctx(int threads, watched *w) {
    *w = (watched){0};
    return test_ctx(&(fr_ctx_options){.threads = threads, .progress = watch, .progress_user = w});
}

/* Writes edges, of which line `at` (from 0) is `odd`. */
static void put_edges(const char *name, const char *head, int64_t at, const char *odd) {
    FILE *out = fopen(test_path(name), "w");
    assert_non_null(out);
    fputs(head, out);
    uint32_t state = 1;
    for (int64_t i = 0; i < LINES; i++) {
        state = state * 1664525u + 1013904223u;
        if (i == at)
            fprintf(out, "%s\n", odd);
        else
            fprintf(out, "%u %u %d\n", 1 + (state >> 8) % N, 1 + (state >> 16) % N, (int)(i % 90));
    }
    assert_int_equal(fclose(out), 0);
}

static void put_matrix(int64_t at, const char *odd) {
    char head[100];
    snprintf(head, sizeof head, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", N, N,
             LINES);
    put_edges("m.mtx", head, at, odd);
}

static fr_graph *load(fr_ctx *ctx, const char *name) {
    fr_graph *graph;
    assert_ok(ctx, fr_graph_load(ctx, test_path(name), NULL, &graph));
    return graph;
}

/* Loads both; in_pieces: the packed one without its whole text in memory. */
static void expect_same(int threads, const char *plain, const char *packed, bool in_pieces) {
    watched w;
    fr_ctx *ctx = watched_ctx(threads, &w);
    fr_graph *a = load(ctx, plain), *b = load(ctx, packed);
    assert_same_graph(packed, a, b);
    assert_int_equal(fr_graph_note(a) != NULL, fr_graph_note(b) != NULL);
    if (fr_graph_note(a))
        assert_string_equal(fr_graph_note(a), fr_graph_note(b));
    if (in_pieces != (w.whole == 0))
        fail_msg("%s with %d threads: decompressed %s", packed, threads,
                 in_pieces ? "as a whole" : "in pieces");
    fr_graph_free(a);
    fr_graph_free(b);
    fr_ctx_free(ctx);
}

static void each_packer(void **state) {
    (void)state;
    static const struct {
        const char *command, *name;
        bool in_pieces;
    } packers[] = {
        {"gzip -1c m.mtx > m.mtx.gz", "m.mtx.gz", true},
        {"zstd -1qc m.mtx > m.mtx.zst", "m.mtx.zst", true},
        {"(head -c 799999 m.mtx | zstd -1qc; tail -c +800000 m.mtx | zstd -1qc) > m.mtx.zst",
         "m.mtx.zst", true},
        {"xz -0c m.mtx > m.mtx.xz", "m.mtx.xz", true},
        {"bzip2 -1c m.mtx > m.mtx.bz2", "m.mtx.bz2", true},
        /* only the whole text tells where a member ends */
        {"(head -c 799999 m.mtx | gzip -1; tail -c +800000 m.mtx | gzip -1) > m.mtx.gz", "m.mtx.gz",
         false},
        {"tar czf m.tar.gz m.mtx", "m.tar.gz", false},
    };
    put_matrix(-1, "");
    for (size_t i = 0; i < COUNT(packers); i++) {
        const bool packed = test_shell(packers[i].command);
        if (!packed)
            print_message("skipped: %s\n", packers[i].command);
        for (int threads = 1; packed && threads <= 4; threads += 3)
            expect_same(threads, "m.mtx", packers[i].name, packers[i].in_pieces);
    }
}

/* Values that need a wider representation, and lines longer than a piece. */
static void rare_texts(void **state) {
    (void)state;
    static const struct {
        const char *name, *head, *odd;
        bool in_pieces;
    } texts[] = {
        {"a.txt", "", "1 2 3", true},
        {"a.wel", "", "1 2 3", true},
        {"a.txt", "# Nodes: 20000 Edges: 120000\n", "1 2 3", true},
        {"a.tsv", "source target weight\n", "1 2 3", true},
        {"a.txt", "", "1 2 3.5", false},
        {"a.txt", "", "1 2 5000000000", false},
        {"a.txt", "", "1 5000000000 3", false},
        {"a.tsv", "weight source target\n", "1 2 3", false},
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        char command[99], packed[20];
        put_edges(texts[i].name, texts[i].head, LINES - 9, texts[i].odd);
        snprintf(packed, sizeof packed, "%s.gz", texts[i].name);
        snprintf(command, sizeof command, "gzip -1c %s > %s", texts[i].name, packed);
        if (!test_shell(command))
            skip();
        expect_same(2, texts[i].name, packed, texts[i].in_pieces);
    }
    char *line = malloc(3 << 20);
    assert_non_null(line);
    memset(line, '%', 3 << 20);
    line[(3 << 20) - 1] = 0;
    put_matrix(LINES / 2, line);
    free(line);
    if (test_shell("sed -i '2s/120000/119999/' m.mtx && gzip -1c m.mtx > m.mtx.gz"))
        expect_same(2, "m.mtx", "m.mtx.gz", false);
}

static void wrong_lines(void **state) {
    fr_graph *graph;
    static const struct {
        int64_t at;
        const char *odd, *says;
    } lines[] = {
        {LINES - 3, "1 2 x", "m.mtx.gz:120000:5: expected a weight in column 3, found \"x\""},
        {60000, "1 20001 2", "m.mtx.gz:60003:3: column 20001 is outside 1..20000"},
        {60000, "%", "m.mtx.gz:2:1: 120000 entries are declared, 119999 follow"},
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        put_matrix(lines[i].at, lines[i].odd);
        if (!test_shell("gzip -1c m.mtx > m.mtx.gz"))
            skip();
        assert_refused(*state, fr_graph_load(*state, test_path("m.mtx.gz"), NULL, &graph),
                       FR_FORMAT, lines[i].says);
    }
}

static void damaged(void **state) {
    fr_graph *graph;
    put_matrix(-1, "");
    if (!test_shell("gzip -nc m.mtx > m.mtx.gz"))
        skip();
    size_t size;
    char *bytes = test_read(test_path("m.mtx.gz"), &size);
    assert_non_null(bytes);
    const char *path = test_put("cut.gz", bytes, size * 3 / 4);
    assert_refused(*state, fr_graph_load(*state, path, NULL, &graph), FR_FORMAT,
                   "cut.gz: damaged gzip data after");
    bytes[size - 6] ^= 1;
    path = test_put("sum.mtx.gz", bytes, size);
    assert_refused(*state, fr_graph_load(*state, path, NULL, &graph), FR_FORMAT,
                   "sum.mtx.gz: damaged gzip data: the checksum does not match");
    free(bytes);
}

/* Neither the text nor what it exceeds counts as an allocation of the library. */
static void limits(void **state) {
    (void)state;
    fr_graph *graph;
    if (!test_shell("yes 1 2 | head -c 64M | gzip > bomb.txt.gz"))
        skip();
    fr_ctx *ctx = test_ctx(&(fr_ctx_options){.threads = 2, .max_memory_bytes = 8 << 20});
    assert_refused(ctx, fr_graph_load(ctx, test_path("bomb.txt.gz"), NULL, &graph), FR_NOMEM,
                   "memory limit of 8.00 MiB");
    assert_true(fr_ctx_peak_bytes(ctx) <= 8 << 20);
    fr_ctx_free(ctx);
}

static void cancelled(void **state) {
    (void)state;
    fr_graph *graph;
    put_matrix(-1, "");
    if (!test_shell("gzip -1c m.mtx > m.mtx.gz"))
        skip();
    for (int threads = 1; threads <= 3; threads++) {
        watched w;
        fr_ctx *ctx = watched_ctx(threads, &w);
        w.cancel = true;
        assert_refused(ctx, fr_graph_load(ctx, test_path("m.mtx.gz"), NULL, &graph), FR_CANCELLED,
                       "cancelled while reading");
        assert_int_equal(w.whole, 0);
        w.cancel = false;
        fr_graph_free(load(ctx, "m.mtx.gz"));
        fr_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(each_packer), TEST(rare_texts), TEST(wrong_lines),
                                       TEST(damaged),     TEST(limits),     TEST(cancelled)};
    return cmocka_run_group_tests(tests, test_folder_make, test_folder_remove);
}

#else

int main(void) { return 0; }

#endif
