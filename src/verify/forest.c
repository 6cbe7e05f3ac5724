/* Walks a candidate forest from its roots in O(n).
 *
 * Idea: in a shallow forest, each vertex climbs to the nearest ancestor that was visited, and its
 *   chain is then visited downwards: this needs no lists, and a hub is read by its many children
 *   instead of being incremented by them. As soon as a chain is long or ends at no root, the rest
 *   is walked level by level: counting gathers the children of each vertex, a queue then holds
 *   every vertex after its parent, and a vertex that never enters the queue leads to a cycle.
 * Scratch: n bytes; for levels 3 n vertex ids. Barriers: one; for levels one per level, of which
 *   those that are small run on one thread.
 */
#include "verify/verify.h"

#include <sched.h>

enum { LONGEST = 512 }; /* maximum chain length for climbing */
/* States of a vertex. BUSY: its parent is VISITED and a thread is processing it. */
enum { OPEN, BUSY, VISITED };

typedef struct {
    int32_t n;
    const int32_t *parent;
    uint8_t *state; /* [n] */
    fri_visit_fn visit;
    void *arg;
} forest;

/* ---- climbing ------------------------------------------------------------------------------ */

/* acquire: a thread that finds the vertex VISITED sees what the visit wrote */
static bool is_visited(const forest *f, int32_t v) {
    return __atomic_load_n(&f->state[v], __ATOMIC_ACQUIRE) == VISITED;
}

/* Visits v, whose parent is VISITED; or waits for the thread that is processing it, which itself
 * never waits. */
static void visit_once(const forest *f, int32_t v) {
    uint8_t open = OPEN;
    if (__atomic_compare_exchange_n(&f->state[v], &open, BUSY, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE)) {
        f->visit(f->arg, v, f->parent[v]);
        __atomic_store_n(&f->state[v], VISITED, __ATOMIC_RELEASE); /* after the visit's writes */
    }
    while (!is_visited(f, v))
        sched_yield();
}

/* False if the chain of v is long or ends at no root. */
static bool visit_chain(const forest *f, int32_t v) {
    int32_t chain[LONGEST];
    int length = 0;
    for (; !is_visited(f, v); v = f->parent[v]) {
        if (length == LONGEST || f->parent[v] < 0)
            return false;
        chain[length++] = v;
        if (f->parent[v] == v)
            break;
    }
    while (length)
        visit_once(f, chain[--length]);
    return true;
}

static bool visit_chains(const forest *f, int threads) {
    bool whole = true;
#pragma omp parallel for schedule(FRI_DYNAMIC, 4096) num_threads(threads)
    for (int32_t v = 0; v < f->n; v++)
        if (f->parent[v] >= 0 && __atomic_load_n(&whole, __ATOMIC_RELAXED) && !visit_chain(f, v))
            __atomic_store_n(&whole, false, __ATOMIC_RELAXED); /* a hint to stop soon */
    return whole;
}

/* ---- level by level ------------------------------------------------------------------------ */

typedef struct {
    int32_t *begin; /* [n+1] the children of v: child[begin[v] .. begin[v+1]) */
    int32_t *child; /* [n] */
    int32_t *queue; /* [n] */
} lists;

static bool has_parent(const int32_t *parent, int32_t v) {
    return parent[v] >= 0 && parent[v] != v;
}

/* begin[] serves as counter, then as cursor; filled downwards, it ends as the start positions. */
static void gather(const lists *l, int32_t n, const int32_t *parent, int threads) {
#pragma omp parallel for num_threads(threads)
    for (int32_t v = 0; v < n; v++)
        if (has_parent(parent, v)) /* several threads may count for the same parent */
            __atomic_fetch_add(&l->begin[parent[v]], 1, __ATOMIC_RELAXED);
    int32_t sum = 0;
    for (int64_t v = 0; v <= n; v++)
        l->begin[v] = sum += l->begin[v];
#pragma omp parallel for num_threads(threads)
    for (int32_t v = 0; v < n; v++)
        if (has_parent(parent, v)) /* each position is taken by one child */
            l->child[__atomic_sub_fetch(&l->begin[parent[v]], 1, __ATOMIC_RELAXED)] = v;
}

static void visit_open(const forest *f, int32_t v) {
    if (f->state[v] == OPEN) /* otherwise already visited by climbing */
        f->visit(f->arg, v, f->parent[v]);
}

static int32_t walk(const lists *l, const forest *f, int threads) {
    int32_t tail = 0;
    for (int32_t v = 0; v < f->n; v++)
        if (f->parent[v] == v) {
            visit_open(f, v);
            l->queue[tail++] = v;
        }
    for (int32_t head = 0; head < tail;) {
        int32_t end = tail;
#pragma omp parallel for schedule(FRI_DYNAMIC, 256)                                                \
    num_threads(fri_threads_for(NULL, threads, 16 * (int64_t)(end - head)))
        for (int32_t i = head; i < end; i++) {
            int32_t u = l->queue[i], count = l->begin[u + 1] - l->begin[u];
            if (!count)
                continue;
            /* positions for the children of u; their order within a level is irrelevant */
            int32_t at = __atomic_fetch_add(&tail, count, __ATOMIC_RELAXED);
            for (int32_t k = 0; k < count; k++) {
                int32_t v = l->child[l->begin[u] + k];
                visit_open(f, v);
                l->queue[at + k] = v;
            }
        }
        head = end;
    }
    return tail;
}

/* Error path only: marks the vertices in the queue and finds the minimum vertex that is missing. */
static int32_t min_detached(const lists *l, int32_t n, const int32_t *parent, int32_t walked) {
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

static fr_status walk_levels(fr_ctx *ctx, const forest *f, int32_t *detached) {
    int32_t n = f->n;
    lists l = {.begin = fri_calloc(ctx, fri_bytes((int64_t)n + 1, sizeof(int32_t))),
               .child = fri_alloc(ctx, fri_bytes(n, sizeof(int32_t))),
               .queue = fri_alloc(ctx, fri_bytes(n, sizeof(int32_t)))};
    fr_status status = l.begin && l.child && l.queue ? FR_OK : FR_NOMEM;
    if (!status) {
        int64_t members = 0;
        const int threads = fri_threads_for(ctx, ctx->threads, 4 * (int64_t)n);
        gather(&l, n, f->parent, threads);
        int32_t walked = walk(&l, f, ctx->threads);
#pragma omp parallel for reduction(+ : members) num_threads(threads)
        for (int32_t v = 0; v < n; v++)
            members += f->parent[v] >= 0;
        *detached = walked == members ? -1 : min_detached(&l, n, f->parent, walked);
    }
    fri_free(l.begin);
    fri_free(l.child);
    fri_free(l.queue);
    return status;
}

fr_status fri_verify_walk(fr_ctx *ctx, int32_t n, const int32_t *parent, fri_visit_fn visit,
                          void *arg, int32_t *detached) {
    forest f = {n, parent, fri_calloc(ctx, fri_bytes(n, 1)), visit, arg};
    if (!f.state)
        return FR_NOMEM;
    *detached = -1;
    const int threads = fri_threads_for(ctx, ctx->threads, 4 * (int64_t)n);
    fr_status status = visit_chains(&f, threads) ? FR_OK : walk_levels(ctx, &f, detached);
    fri_free(f.state);
    return status;
}
