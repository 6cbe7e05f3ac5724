/* Graph500's kernel 0: edge tuples without any order, and what is counted and checked by them.
 *
 * The generator's list comes from the library sorted by start; a keyed bijection of the tuples'
 * numbers then deals it out, so that no order is left that kernel 1 could use. A tuple's weight
 * follows from its number. */
#include "graph500.h"
#include "progress.h"
#include "random.h"

#include <stdlib.h>

enum { POLL = 1 << 20 }; /* tuples between two looks at Ctrl-C */

/* ---- making -------------------------------------------------------------------------------- */

/* Uniform in [0, 1), single precision. */
static float weight_of(const tuple_list *t, int64_t tuple) {
    return (float)(random_mix(random_mix(t->seed) + (uint64_t)tuple) >> 40) * 0x1p-24f;
}

/* A permutation of 0..m-1: steps that can be undone on the next power of two, walked until the
 * number lies below m. */
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

static bool deal(tuple_list *t) {
    const fr_csr *rows = fr_graph_csr(t->rows);
    permutation p = permutation_of((uint64_t)t->m, t->seed);
    for (int32_t u = 0; u < rows->n; u++)
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
            uint64_t at = permuted(&p, (uint64_t)e);
            t->start[at] = u;
            t->end[at] = rows->targets[e];
            if (t->weighted)
                t->weight[at] = weight_of(t, e);
            if (e % POLL == 0 && progress_report(NULL, "dealing", e, t->m))
                return false;
        }
    return true;
}

static int make_arrays(tuple_list *t, const session *x) {
    size_t each = t->weighted ? 12 : 8, bytes = (size_t)t->m * each;
    size_t held = fr_ctx_peak_bytes(x->ctx), limit = fr_ctx_max_bytes(x->ctx);
    if (bytes + held > limit)
        return cli_fail(FR_NOMEM, "%lld edge tuples need %zu bytes beside %zu; the limit is %zu",
                        (long long)t->m, bytes, held, limit);
    t->start = cli_alloc((size_t)t->m * sizeof *t->start);
    t->end = cli_alloc((size_t)t->m * sizeof *t->end);
    if (t->weighted)
        t->weight = cli_alloc((size_t)t->m * sizeof *t->weight);
    return deal(t) ? CLI_OK : cli_fail(FR_CANCELLED, "interrupted while making the edges");
}

int tuples_make(tuple_list *t, const session *x, int scale, int edge_factor, bool weighted) {
    *t = (tuple_list){.weighted = weighted, .seed = x->s->load.seed};
    fr_load_options options = {.direction = FR_DIRECTED, .weights = FR_WEIGHTS_NONE};
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
    for (int32_t u = 0; u < rows->n; u++)
        if (parent[u] >= 0)
            count += rows->offsets[u + 1] - rows->offsets[u];
    return count;
}

/* ---- checking ------------------------------------------------------------------------------ */

typedef struct edge_check {
    const tuple_list *t;
    const fr_csr *csr;
    int64_t *cursor; /* [n] where a row's next mirrored tuple is sought; both sides ascend */
    uint8_t *found;  /* [m of csr] by a tuple of the same weight */
} edge_check;

/* Looks for u -> v from *at on. */
static bool find(edge_check *c, int32_t u, int32_t v, float weight, int64_t *at) {
    const fr_csr *csr = c->csr;
    const float *weights = csr->weights;
    int64_t end = csr->offsets[u + 1];
    while (*at < end && csr->targets[*at] < v)
        ++*at;
    if (*at == end || csr->targets[*at] != v || (weights && weights[*at] > weight))
        return false;
    if (!weights || weights[*at] == weight)
        c->found[*at] = 1;
    return true;
}

static int check_row(edge_check *c, int32_t u) {
    const fr_csr *rows = fr_graph_csr(c->t->rows);
    int64_t at = c->csr->offsets[u];
    for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
        int32_t v = rows->targets[e];
        float weight = c->t->weighted ? weight_of(c->t, e) : 0;
        if (v != u && !(find(c, u, v, weight, &at) && find(c, v, u, weight, &c->cursor[v])))
            return cli_fail(FR_WRONG, "kernel 1 lost the edge between %d and %d", u, v);
    }
    return CLI_OK;
}

int tuples_check(const tuple_list *t, const fr_csr *csr) {
    edge_check c = {.t = t, .csr = csr};
    c.cursor = cli_alloc((size_t)csr->n * sizeof *c.cursor);
    c.found = cli_alloc((size_t)csr->m);
    for (int32_t u = 0; u < csr->n; u++)
        c.cursor[u] = csr->offsets[u];
    int code = CLI_OK;
    for (int32_t u = 0; u < csr->n && !code; u++) {
        code = check_row(&c, u);
        if (!code && u % 1024 == 0 && progress_report(NULL, "checking", u, csr->n))
            code = cli_fail(FR_CANCELLED, "interrupted while checking the graph");
    }
    for (int64_t e = 0; e < csr->m && !code; e++)
        if (!c.found[e])
            code = cli_fail(FR_WRONG, "kernel 1 made an edge to %d that no tuple has",
                            csr->targets[e]);
    free(c.cursor);
    free(c.found);
    return code;
}
