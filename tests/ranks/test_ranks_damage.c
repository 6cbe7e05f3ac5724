/* Damaged files that ranks read together: every rank ends with the status that one process ends
 * with, and with the same message. */
#include "base/checksum.h"
#include "io/csr_check.h"
#include "ranks/part/part_build.h"
#include "ranks/search.h"
#include "support/files.h"
#include "support/support.h"

#include <math.h>

typedef struct loading {
    const char *path;
    outcome out;
} loading;

static void load(fr_ctx *ctx, fr_world *w, void *user) {
    loading *l = user;
    search s = {0};
    outcome_set(&l->out, ctx, w, search_load(&s, ctx, w, l->path, NULL));
    search_free(&s);
}

static void assert_loads(const char *path, int ranks, fr_status status, const char *part,
                         const char *absent) {
    loading l = {.path = path};
    const ranks_run run = {.size = ranks};
    ranks_start(&run, load, &l);
    assert_true(outcome_is(&l.out, ranks, status, part));
    assert_true(!*absent || !strstr(l.out.message[0], absent));
}

/* Rows are checked by the rank that reads them: of shares that are all valid, every edge is read once,
 * and any other rows make one rank refuse its share. */
static void test_shares_of_rows(void **state) {
    (void)state;
    int64_t good[] = {0, 2, 3, 5}, back[] = {0, 4, 3, 5}, far[] = {0, 2, 9, 5},
            low[] = {0, -7, 3, 5}, high[] = {0, 2147483647, 3, 5}, late[] = {1, 2, 3, 5},
            brief[] = {0, 2, 3, 4};
    int32_t right[] = {1, 2, 0, 1, 2}, wide[] = {1, 2, 3, 1, 2}, below[] = {1, -1, 0, 1, 2};
    const struct {
        int64_t *offsets;
        int32_t *targets;
    } cases[] = {{good, right}, {back, right},  {far, right}, {low, right}, {high, right},
                 {late, right}, {brief, right}, {good, wide}, {good, below}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int ranks = 1; ranks <= 7; ranks++) {
            const fr_csr csr = {
                .n = 3, .m = 5, .offsets = cases[i].offsets, .targets = cases[i].targets};
            int64_t taken = 0, u, v;
            bool valid = true;
            for (int r = 0; r < ranks; r++)
                valid &= fri_csr_is_valid(1, &csr, fri_csr_share(&csr, r, ranks));
            assert_int_equal(valid, i == 0);
            for (int r = 0; r < ranks && valid; r++) {
                fri_edge_source s = fri_source_of_rows(&csr, r, ranks);
                const void *weight;
                for (int64_t k = 0; k < s.count; k++, taken++)
                    assert_true(fri_source_next(&s, &u, &v, &weight) && right[taken] == v);
            }
            assert_int_equal(taken, valid ? 5 : 0);
        }
}

/* One word of a .fringe file above 16 MB, which opening does not check, and whether its sums are made
 * to match. */
typedef struct damage {
    const char *what;
    bool mended;
    fr_status status;
    const char *message;
} damage;

typedef struct large {
    char *bytes;
    size_t size;
    int64_t n, m;
} large;

/* A ring of n vertices, each with edges to the next few. */
static large make_large(fr_ctx *ctx, const char *path) {
    enum { N = 400000, STEPS = 5 };
    large l = {.n = N, .m = (int64_t)N * STEPS};
    int32_t *from = malloc((size_t)l.m * sizeof *from), *to = malloc((size_t)l.m * sizeof *to);
    float *weight = malloc((size_t)l.m * sizeof *weight);
    for (int64_t e = 0; e < l.m; e++) {
        from[e] = (int32_t)(e / STEPS);
        to[e] = (int32_t)((e / STEPS + 1 + e % STEPS) % N);
        weight[e] = 1;
    }
    fr_graph *g = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, N, l.m, from, to, weight, FR_TYPE_F32, NULL, &g));
    assert_ok(ctx, fr_graph_write(ctx, g, path, NULL));
    fr_graph_free(g);
    free(from);
    free(to);
    free(weight);
    l.bytes = test_read(path, &l.size);
    assert_true(l.size > (size_t)16 << 20);
    return l;
}

static uint64_t *section_of(const large *l, int s) { return (uint64_t *)(l->bytes + 72) + 3 * s; }

static void spoil_word(const large *l, const char *what) {
    char *offsets = l->bytes + section_of(l, 0)[0], *targets = l->bytes + section_of(l, 1)[0];
    if (!strcmp(what, "offset"))
        ((int64_t *)offsets)[l->n / 2] = 2147483647;
    else if (!strcmp(what, "last offset"))
        ((int64_t *)offsets)[l->n] = 5;
    else if (!strcmp(what, "target"))
        ((int32_t *)targets)[l->m / 2] = (int32_t)l->n;
    else if (!strcmp(what, "another target"))
        ((int32_t *)targets)[l->m - 1] ^= 1;
    else
        ((float *)(l->bytes + section_of(l, 2)[0]))[l->m / 3] = (float)NAN;
}

static void mend_sums(const large *l) {
    for (int s = 0; s < 3; s++)
        section_of(l, s)[2] = fri_checksum(1, l->bytes + section_of(l, s)[0], section_of(l, s)[1]);
    uint64_t sum = fri_checksum(1, l->bytes, 248);
    memcpy(l->bytes + 248, &sum, sizeof sum);
}

/* Ranks refuse what one process refuses, by the same status. */
static void test_damaged_large_file(void **state) {
    fr_ctx *ctx = *state;
    const char *path = test_path("large.fringe");
    const large l = make_large(ctx, path);
    static const damage damages[] = {
        {"offset", false, FR_CHECKSUM, "the checksum of the offsets does not match"},
        {"another target", false, FR_CHECKSUM, "the checksum of the targets does not match"},
        {"offset", true, FR_FORMAT, "the offsets or targets are invalid"},
        {"last offset", true, FR_FORMAT, "the offsets or targets are invalid"},
        {"target", true, FR_FORMAT, "the offsets or targets are invalid"},
        {"weight", true, FR_RANGE, "a weight is not finite"}};
    char *whole = malloc(l.size);
    memcpy(whole, l.bytes, l.size);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const damage *d = &damages[i];
        memcpy(l.bytes, whole, l.size);
        spoil_word(&l, d->what);
        if (d->mended)
            mend_sums(&l);
        test_put("large.fringe", l.bytes, l.size);
        fr_graph *g = NULL;
        assert_ok(ctx, fr_graph_load(ctx, path, NULL, &g));
        assert_int_equal(fr_graph_check(ctx, g), d->status);
        fr_graph_free(g);
        for (int ranks = 1; ranks <= 5; ranks += 2)
            assert_loads(path, ranks, d->status, d->message, "");
    }
    free(whole);
    free(l.bytes);
}

/* A failure on which the ranks agreed is not reported as one of rank 0 a second time. */
static void test_bad_lines(void **state) {
    (void)state;
    const char *path = test_put("bad.el", "0 1\n1 2\n2 3\n3 x\n", 16);
    assert_loads(path, 3, FR_FORMAT, "rank 2 on ", "rank 0");
}

static int set_up(void **state) { return test_folder_make(state) || test_ctx_new(state); }
static int tear_down(void **state) { return test_ctx_free(state) || test_folder_remove(state); }

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shares_of_rows),
                                       cmocka_unit_test(test_damaged_large_file),
                                       cmocka_unit_test(test_bad_lines)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
