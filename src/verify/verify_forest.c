/* Walks a claimed forest from its roots, level by level, in O(n).
 *
 * Idea: the children of each vertex are gathered by counting; a queue then holds every vertex after
 *   its parent. What the queue never gets hangs on a cycle.
 * Scratch: 3 n vertex ids. Barriers: one a level; levels below PARALLEL_FROM vertices run alone.
 */
#include "verify/verify.h"

enum { PARALLEL_FROM = 4096 }; /* vertices; about what pays for waking the threads */

typedef struct {
    int32_t *begin; /* [n+1] the children of v: child[begin[v] .. begin[v+1]) */
    int32_t *child; /* [n] */
    int32_t *queue; /* [n] */
} lists;

static bool has_parent(const int32_t *parent, int32_t v) {
    return parent[v] >= 0 && parent[v] != v;
}

/* begin[] serves as counter, then as cursor; filled downwards it ends as the beginnings. */
static void gather(const lists *l, int32_t n, const int32_t *parent, int threads) {
#pragma omp parallel for num_threads(threads)
    for (int32_t v = 0; v < n; v++)
        if (has_parent(parent, v)) /* any thread may count for the same parent */
            __atomic_fetch_add(&l->begin[parent[v]], 1, __ATOMIC_RELAXED);
    int32_t sum = 0;
    for (int64_t v = 0; v <= n; v++)
        l->begin[v] = sum += l->begin[v];
#pragma omp parallel for num_threads(threads)
    for (int32_t v = 0; v < n; v++)
        if (has_parent(parent, v)) /* each slot goes to one child */
            l->child[__atomic_sub_fetch(&l->begin[parent[v]], 1, __ATOMIC_RELAXED)] = v;
}

static int32_t walk(const lists *l, int32_t n, const int32_t *parent, fri_visit_fn visit, void *arg,
                    int threads) {
    int32_t tail = 0;
    for (int32_t v = 0; v < n; v++)
        if (parent[v] == v) {
            visit(arg, v, v);
            l->queue[tail++] = v;
        }
    for (int32_t head = 0; head < tail;) {
        int32_t end = tail;
#pragma omp parallel for schedule(FRI_DYNAMIC, 256)                                                \
    num_threads(threads) if (end - head > PARALLEL_FROM)
        for (int32_t i = head; i < end; i++) {
            int32_t u = l->queue[i], count = l->begin[u + 1] - l->begin[u];
            if (!count)
                continue;
            /* slots for the children of u; their order within a level does not matter */
            int32_t at = __atomic_fetch_add(&tail, count, __ATOMIC_RELAXED);
            for (int32_t k = 0; k < count; k++) {
                int32_t v = l->child[l->begin[u] + k];
                visit(arg, v, u);
                l->queue[at + k] = v;
            }
        }
        head = end;
    }
    return tail;
}

/* Error path only: marks what the queue got and looks for the least vertex that is missing. */
static int32_t least_astray(const lists *l, int32_t n, const int32_t *parent, int32_t walked) {
    int32_t *mark = l->child;
    for (int32_t v = 0; v < n; v++)
        mark[v] = 0;
    for (int32_t i = 0; i < walked; i++)
        mark[l->queue[i]] = 1;
    for (int32_t v = 0; v < n; v++)
        if (parent[v] >= 0 && !mark[v])
            return v;
    return -1;
}

fr_status fri_verify_walk(fr_ctx *ctx, int32_t n, const int32_t *parent, fri_visit_fn visit,
                          void *arg, int32_t *astray) {
    lists l = {.begin = fri_calloc(ctx, fri_bytes((int64_t)n + 1, sizeof(int32_t))),
               .child = fri_alloc(ctx, fri_bytes(n, sizeof(int32_t))),
               .queue = fri_alloc(ctx, fri_bytes(n, sizeof(int32_t)))};
    fr_status status = l.begin && l.child && l.queue ? FR_OK : FR_NOMEM;
    if (!status) {
        int64_t members = 0;
        gather(&l, n, parent, ctx->threads);
        int32_t walked = walk(&l, n, parent, visit, arg, ctx->threads);
#pragma omp parallel for reduction(+ : members) num_threads(ctx->threads)
        for (int32_t v = 0; v < n; v++)
            members += parent[v] >= 0;
        *astray = walked == members ? -1 : least_astray(&l, n, parent, walked);
    }
    fri_free(l.begin);
    fri_free(l.child);
    fri_free(l.queue);
    return status;
}
