/* SSSP on ranks, for weights of at least 0: edges are divided by target, every rank learns each
 * distance that is lowered.
 *
 * Source: U. Meyer, P. Sanders: Delta-stepping: a parallelizable shortest path algorithm, J.
 *   Algorithms 49(1), 2003; two piles: A. Davidson, S. Baxter, M. Garland, J. Owens: Work-efficient
 *   parallel GPU methods for single-source shortest paths, IPDPS 2014.
 * Idea: distances below a bound are told to all ranks, which relax the edges that they hold; a
 *   lowered distance is written by its owner alone. When no distance below the bound waits, the bound
 *   moves to the least one that does, plus a width.
 * Differs: all edges of a vertex are relaxed at once, light and heavy.
 * Bytes that a rank receives per round: (P - 1) facts, and 12 per distance that others lowered.
 * Good at: graphs of few rounds. Bad at: road networks; a round costs two exchanges. */
#include "ranks/solver.h"

#include <sched.h>
#include <string.h>

/* A window's width in units of the largest weight over the mean degree. Kronecker 17, weights 1 to 255:
 * 1 relaxes 4.5 M edges in 85 rounds, 2 7.8 M in 52, 4 8.1 M in 35. */
enum { WIDTH = 1 };

typedef struct sssp {
    fr_part_solver *s;
    const fr_part *p;
    const fr_csr *rows;
    int64_t inf, bound; /* distances below bound are told at once */
    int64_t told;       /* entries that this round relaxes */
    bool overflow;      /* atomic */
} sssp;

static int64_t width_of(const fr_part *p) {
    double degree = FRI_MAX((double)p->m / (double)FRI_MAX(p->n, 1), 1.0);
    double width = WIDTH * p->max_weight / degree;
    if (fri_dist_is_real(p->push->csr.weight_type))
        return fri_dist_bits(width > 0 ? width : 1.0);
    return width < 1 ? 1 : width < 0x1p62 ? (int64_t)width : INT64_C(1) << 62;
}

static int64_t plus_width(const sssp *x, int64_t dist) {
    int64_t sum;
    if (fri_dist_is_real(x->rows->weight_type))
        return fri_dist_bits(fri_dist_real(dist) + fri_dist_real(x->s->delta));
    return __builtin_add_overflow(dist, x->s->delta, &sum) ? x->inf : sum;
}

/* ---- relaxing ------------------------------------------------------------------------------ */

static void lock(char *l) {
    /* acquire: sees what the last holder wrote */
    while (__atomic_test_and_set(l, __ATOMIC_ACQUIRE))
        sched_yield();
}

/* Distance and parent change together, so that a parent's edge is tight: under a lock, which only an
 * edge that may lower the distance takes. */
static bool lower(sssp *x, int32_t i, int64_t dist, int32_t slot) {
    fr_part_solver *s = x->s;
    /* relaxed: a distance only falls; the second look is under the lock */
    if (dist >= __atomic_load_n(&s->dist[i], __ATOMIC_RELAXED))
        return false;
    char *l = &s->locks[i % FRI_PART_LOCKS];
    lock(l);
    bool lowers = dist < s->dist[i];
    if (lowers) {
        __atomic_store_n(&s->dist[i], dist, __ATOMIC_RELAXED);
        s->parent[i] = slot;
    }
    __atomic_clear(l, __ATOMIC_RELEASE);
    return lowers;
}

/* Compiled once per type of weights: `type` is a constant. */
static inline __attribute__((always_inline)) void
relax_as(fr_type type, sssp *x, const fri_lowered *from, fri_append *near, fri_append *far) {
    fr_part_solver *s = x->s;
    fr_csr rows = *x->rows;
    rows.weight_type = type;
    int64_t dist = (int64_t)((uint64_t)from->dist[1] << 32 | from->dist[0]);
    int64_t end = rows.offsets[from->slot + 1], inf = x->inf, bound = x->bound;
    for (int64_t e = rows.offsets[from->slot]; e < end; e++) {
        int32_t i = rows.targets[e];
        int64_t sum = fri_dist_add(&rows, dist, e);
        if (sum == inf)
            __atomic_store_n(&x->overflow, true, __ATOMIC_RELAXED);
        if (!lower(x, i, sum, from->slot))
            continue;
        if (sum < bound && fri_bit_claim(s->in_found, i))
            fri_append_put(near, i);
        if (sum >= bound && fri_bit_claim(s->in_far, i))
            fri_append_put(far, i);
    }
}

static void relax_row(sssp *x, const fri_lowered *from, fri_append *near, fri_append *far) {
    switch (x->rows->weight_type) {
    case FR_TYPE_I32: relax_as(FR_TYPE_I32, x, from, near, far); break;
    case FR_TYPE_I64: relax_as(FR_TYPE_I64, x, from, near, far); break;
    case FR_TYPE_F32: relax_as(FR_TYPE_F32, x, from, near, far); break;
    case FR_TYPE_F64: relax_as(FR_TYPE_F64, x, from, near, far); break;
    case FR_TYPE_NONE: relax_as(FR_TYPE_NONE, x, from, near, far); break;
    }
}

static int64_t relax(sssp *x) {
    fr_part_solver *s = x->s;
    int64_t examined = 0;
#pragma omp parallel num_threads(s->ctx->threads) reduction(+ : examined)
    {
        fri_append near = {.list = s->found, .count = &s->found_count};
        fri_append far = {.list = s->far, .count = &s->far_count};
#pragma omp for schedule(FRI_DYNAMIC, 64) nowait
        for (int64_t k = 0; k < x->told; k++) {
            int32_t u = s->all[k].slot;
            examined += x->rows->offsets[u + 1] - x->rows->offsets[u];
            relax_row(x, &s->all[k], &near, &far);
        }
        fri_append_flush(&near);
        fri_append_flush(&far);
    }
    return examined;
}

/* ---- the piles ----------------------------------------------------------------------------- */

static void clear_bit(uint64_t *map, int32_t i) { map[i >> 6] &= ~(UINT64_C(1) << (i & 63)); }

/* The least distance of the far pile. An entry whose distance has fallen below the bound has been in
 * the other pile since, and is dropped. */
static int64_t least_far(sssp *x) {
    fr_part_solver *s = x->s;
    int64_t least = x->inf, kept = 0;
    for (int64_t k = 0; k < s->far_count; k++) {
        int32_t i = s->far[k];
        if (s->dist[i] < x->bound) {
            clear_bit(s->in_far, i);
            continue;
        }
        s->far[kept++] = i;
        least = FRI_MIN(least, s->dist[i]);
    }
    s->far_count = kept;
    return least;
}

static void move_bound(sssp *x, int64_t least) {
    fr_part_solver *s = x->s;
    int64_t kept = 0;
    x->bound = FRI_MAX(plus_width(x, least), least + 1); /* bits of a double: the next one */
    for (int64_t k = 0; k < s->far_count; k++) {
        int32_t i = s->far[k];
        if (s->dist[i] >= x->bound) {
            s->far[kept++] = i;
            continue;
        }
        clear_bit(s->in_far, i);
        fri_bit_set(s->in_found, i);
        s->found[s->found_count++] = i;
    }
    s->far_count = kept;
}

/* ---- rounds -------------------------------------------------------------------------------- */

/* Tells all ranks the distances that this rank has lowered. */
static fr_status tell(sssp *x) {
    fr_part_solver *s = x->s;
    fr_world *w = x->p->world;
    for (int64_t k = 0; k < s->found_count; k++) {
        int32_t i = s->found[k];
        uint64_t dist = (uint64_t)s->dist[i];
        s->lowered[k] =
            (fri_lowered){fri_part_base(x->p) + i, {(uint32_t)dist, (uint32_t)(dist >> 32)}};
        clear_bit(s->in_found, i);
    }
    for (int r = 0; r < w->size; r++)
        s->counts[r] = (int)s->facts[r].count;
    s->found_count = 0;
    return fri_world_gather(w, s->lowered, s->all, s->counts, sizeof *s->all);
}

/* One exchange of facts: what waits below the bound is told, or the bound moves. */
static fr_status end_round(sssp *x, int64_t examined, const char *method, bool *more) {
    fr_part_solver *s = x->s;
    fri_level_facts sum, mine = {.count = s->found_count, .examined = examined};
    mine.edges = s->found_count ? x->inf : least_far(x);
    mine.status = fri_progress(s->ctx, "traversing", s->rounds, 0);
    if (!mine.status && x->overflow)
        mine.status = fri_fail(s->ctx, FR_OVERFLOW, "a distance leaves %s",
                               fri_dist_is_real(x->rows->weight_type) ? "double" : "int64");
    fr_status status = fri_part_exchange_facts(s, mine, &sum);
    if (status)
        return status;
    x->told = sum.count;
    int64_t least = x->inf;
    for (int r = 0; r < x->p->world->size; r++)
        least = FRI_MIN(least, s->facts[r].edges);
    *more = x->told || least < x->inf;
    if (x->told)
        status = tell(x);
    fri_part_record(s, method, false, x->told);
    if (!x->told && *more)
        move_bound(x, least);
    return status;
}

static void begin(sssp *x, const fr_part_query *query) {
    fr_part_solver *s = x->s;
    const fr_part *p = x->p;
    size_t map = (size_t)fri_part_words(p) * sizeof *s->in_found;
    memset(s->in_found, 0, map);
    memset(s->in_far, 0, map);
    s->found_count = s->far_count = 0;
    for (int32_t i = 0; i < p->own; i++) {
        s->dist[i] = x->inf;
        s->parent[i] = -1;
    }
    for (int64_t k = 0; k < query->source_count; k++) {
        int32_t slot = fri_part_slot(p, query->sources[k]), i = slot - fri_part_base(p);
        if (i < 0 || i >= p->own || s->dist[i] == 0)
            continue;
        s->dist[i] = 0;
        s->parent[i] = slot;
        fri_bit_set(s->in_found, i);
        s->found[s->found_count++] = i;
    }
}

fr_status fri_part_sssp(fr_part_solver *s, const fr_part_query *query) {
    sssp x = {.s = s, .p = s->part, .rows = &s->part->push->csr};
    x.inf = fri_dist_inf(x.rows->weight_type);
    s->delta = width_of(x.p);
    x.bound = plus_width(&x, 0);
    begin(&x, query);
    bool more;
    fr_status status = end_round(&x, 0, "source", &more);
    while (!status && more) {
        int64_t examined = x.told ? relax(&x) : 0;
        const char *method = x.told ? "relax" : "window";
        s->rounds += x.told > 0;
        status = end_round(&x, examined, method, &more);
    }
    return status;
}
