/* Graph500's kernel 0: edge tuples in random order, with the counts and checks that need them.
 *
 * The library generates the list sorted by start. A keyed permutation of the tuple numbers then
 * scatters it, so that kernel 1 cannot use the order. The weight of a tuple is a function of its
 * number. */
#include "graph500.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/random.h"

#include <stdlib.h>

enum { POLLS = 32 }; /* polls for Ctrl-C during a pass over all rows */

/* Calls visit for every row of the tuples, in parallel; false after Ctrl-C. */
typedef void (*row_fn)(void *arg, int32_t u);
static bool each_row(const tuple_list *t, const char *phase, row_fn visit, void *arg) {
    int32_t n = fr_graph_csr(t->rows)->n, block = n / POLLS + 1;
    for (int32_t from = 0, to; from < n; from = to) {
        to = n - from < block ? n : from + block;
#pragma omp parallel for schedule(static, 64) num_threads(t->threads)
        for (int32_t u = from; u < to; u++)
            visit(arg, u);
        if (progress_report(NULL, phase, to, n))
            return false;
    }
    return true;
}

/* ---- making -------------------------------------------------------------------------------- */

/* Uniform in [0, 1), single precision. */
static float weight_of(const tuple_list *t, int64_t tuple) {
    return (float)(random_mix(random_mix(t->seed) + (uint64_t)tuple) >> 40) * 0x1p-24f;
}

/* A permutation of 0..m-1: invertible steps on the next power of two, repeated until the number is
 * below m. */
typedef struct permutation {
    uint64_t m, mask, key[3];
    int half;
} permutation;

static permutation permutation_of(uint64_t m, uint64_t seed) {
    permutation p = {.m = m, .mask = 1, .half = 1};
    int bits = 1;
    for (; p.mask + 1 < m; bits++)
        p.mask = p.mask * 2 + 1;
    p.half = (bits + 1) / 2;
    for (int i = 0; i < 3; i++)
        p.key[i] = random_next(&seed);
    return p;
}

static uint64_t permuted(const permutation *p, uint64_t at) {
    do
        for (int i = 0; i < 3; i++) {
            at = (at * (p->key[i] | 1) + (p->key[i] >> 7)) & p->mask;
            at ^= at >> p->half;
        }
    while (at >= p->m);
    return at;
}

typedef struct row_writer {
    tuple_list *t;
    permutation p;
} row_writer;

static void write_row(void *arg, int32_t u) {
    const row_writer *d = arg;
    const tuple_list *t = d->t;
    const fr_csr *rows = fr_graph_csr(t->rows);
    for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
        uint64_t at = permuted(&d->p, (uint64_t)e);
        t->start[at] = u;
        t->end[at] = rows->targets[e];
        if (t->weighted)
            t->weight[at] = weight_of(t, e);
    }
}

static bool write_tuples(tuple_list *t) {
    row_writer d = {t, permutation_of((uint64_t)t->m, t->seed)};
    return each_row(t, "generating edges", write_row, &d);
}

static int make_arrays(tuple_list *t, const session *x) {
    size_t each = t->weighted ? 12 : 8, bytes = (size_t)t->m * each;
    size_t held = fr_ctx_peak_bytes(x->ctx), limit = fr_ctx_max_bytes(x->ctx);
    if (bytes + held > limit)
        return cli_fail(FR_NOMEM,
                        "not enough memory: %lld edge tuples need %s in addition to %s in use, and "
                        "the limit is %s; --max-memory sets the limit",
                        (long long)t->m, human_bytes((double)bytes).text,
                        human_bytes((double)held).text, human_bytes((double)limit).text);
    t->start = cli_alloc((size_t)t->m * sizeof *t->start);
    t->end = cli_alloc((size_t)t->m * sizeof *t->end);
    if (t->weighted)
        t->weight = cli_alloc((size_t)t->m * sizeof *t->weight);
    return write_tuples(t) ? CLI_OK
                           : cli_fail(FR_CANCELLED, "interrupted while generating the edges");
}

int tuples_make(tuple_list *t, const session *x, int scale, int edge_factor, bool weighted) {
    *t = (tuple_list){
        .weighted = weighted, .seed = x->s->load.seed, .threads = fr_ctx_threads(x->ctx)};
    fr_load_options options = {.direction = FR_DIRECTION_DIRECTED, .weights = FR_WEIGHTS_NONE};
    char *text = cli_format("kronecker:scale=%d,edge_factor=%d,seed=%llu", scale, edge_factor,
                            (unsigned long long)t->seed);
    fr_status status = fr_graph_generate(x->ctx, text, &options, &t->rows);
    free(text);
    if (status)
        return cli_fail_ctx(x->ctx, status);
    t->m = fr_graph_csr(t->rows)->m;
    return make_arrays(t, x);
}

void tuples_drop_arrays(tuple_list *t) {
    free(t->start);
    free(t->end);
    free(t->weight);
    t->start = t->end = NULL;
    t->weight = NULL;
}

void tuples_free(tuple_list *t) {
    tuples_drop_arrays(t);
    fr_graph_free(t->rows);
}

int64_t tuples_within(const tuple_list *t, const int32_t *parent) {
    const fr_csr *rows = fr_graph_csr(t->rows);
    int64_t count = 0;
#pragma omp parallel for reduction(+ : count) num_threads(t->threads)
    for (int32_t u = 0; u < rows->n; u++)
        if (parent[u] >= 0)
            count += rows->offsets[u + 1] - rows->offsets[u];
    return count;
}

/* ---- checking ------------------------------------------------------------------------------ */

typedef struct edge_check {
    const tuple_list *t;
    const fr_csr *csr;
    uint8_t *found; /* [m of csr] matched by a tuple of the same weight */
    int64_t lost;   /* the smallest tuple that the graph lacks */
} edge_check;

/* Lower bound of v in the targets from low to high. */
static int64_t lower_bound(const fr_csr *csr, int64_t low, int64_t high, int32_t v) {
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (csr->targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether the edge at `at` leads to v with at most this weight. Any thread may set a byte, always to 1. */
static bool has_edge(const edge_check *c, int64_t at, int64_t end, int32_t v, float weight) {
    const float *weights = c->csr->weights;
    if (at == end || c->csr->targets[at] != v || (weights && weights[at] > weight))
        return false;
    if (!weights || weights[at] == weight)
        __atomic_store_n(&c->found[at], 1, __ATOMIC_RELAXED);
    return true;
}

static void note_missing(edge_check *c, int64_t tuple) {
    int64_t seen = __atomic_load_n(&c->lost, __ATOMIC_RELAXED);
    while (tuple < seen && !__atomic_compare_exchange_n(&c->lost, &seen, tuple, true,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Both rows are sorted: the row of u is merged, the row of v is searched. */
static void check_row(void *arg, int32_t u) {
    edge_check *c = arg;
    const fr_csr *rows = fr_graph_csr(c->t->rows), *csr = c->csr;
    int64_t at = csr->offsets[u], end = csr->offsets[u + 1];
    for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
        int32_t v = rows->targets[e];
        float weight = c->t->weighted ? weight_of(c->t, e) : 0;
        while (at < end && csr->targets[at] < v)
            at++;
        if (v == u)
            continue;
        int64_t last = csr->offsets[v + 1], back = lower_bound(csr, csr->offsets[v], last, u);
        if (!has_edge(c, at, end, v, weight) || !has_edge(c, back, last, u, weight))
            note_missing(c, e);
    }
}

static int fail_missing(const edge_check *c) {
    const fr_csr *rows = fr_graph_csr(c->t->rows);
    int32_t u = 0;
    while (rows->offsets[u + 1] <= c->lost)
        u++;
    return cli_fail(FR_VERIFY_FAILED, "kernel 1 lost the edge between %d and %d", u,
                    rows->targets[c->lost]);
}

int tuples_check(const tuple_list *t, const fr_csr *csr) {
    edge_check c = {.t = t, .csr = csr, .lost = t->m};
    int64_t missing = csr->m;
    c.found = cli_alloc((size_t)csr->m);
    bool whole = each_row(t, "checking", check_row, &c);
    int code = !whole          ? cli_fail(FR_CANCELLED, "interrupted while checking the graph")
               : c.lost < t->m ? fail_missing(&c)
                               : CLI_OK;
#pragma omp parallel for reduction(min : missing) num_threads(t->threads)
    for (int64_t e = 0; e < csr->m; e++)
        if (!c.found[e] && e < missing)
            missing = e;
    if (!code && missing < csr->m)
        code = cli_fail(FR_VERIFY_FAILED, "kernel 1 built an edge to %d that no tuple has",
                        csr->targets[missing]);
    free(c.found);
    return code;
}
