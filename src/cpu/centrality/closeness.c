/* fr_closeness, fr_harmonic and fr_distance_centrality: how near a vertex is to those that reach it.
 *
 * Source: L. C. Freeman: Centrality in social networks, Social Networks 1, 1979 (closeness);
 *   S. Wasserman, K. Faust: Social Network Analysis, 1994 (the factor of the reached part);
 *   M. Marchiori, V. Latora: Harmony in the small-world, Physica A 285, 2000 (harmonic).
 * Idea: distances *to* a vertex are those from it in the transposed graph, so that a traversal gives the
 *   scores of its source, whichever other sources there are. Without weights up to 512 traversals share one
 *   (cpu/multi_bfs/multi_bfs.h): a bit per source. Counters count the vertices of a level for each source. It searches a copy of the graph whose order brings sources together (order.h).
 * Scratch: 193 bytes per vertex and thread, 28 per source, and the copy.
 * Work: O(s m / 512) to O(s m) for s sources, O(s m log n) with weights.
 */
#include "cpu/centrality/closeness.h"

#include "cpu/centrality/pass.h"
#include "cpu/centrality/units.h"
#include "cpu/multi_bfs/order.h"
#include "cpu/multi_bfs/multi_bfs.h"

typedef struct {
    const fr_csr *csr;
    fri_vertex_part part;
    fri_distance_sums to;
    fri_ordered ordered; /* without weights: the graph that is searched */
    int32_t *source;     /* [count] of its vertices */
    fri_multi_bfs **searches;
    struct searcher *searchers;
    int width; /* sources of a search */
    fri_pass *passes;
} task;

/* What a thread's search adds to. */
struct searcher {
    fri_multi_bfs_counters level;
    const task *task;
    const int32_t *source; /* of this search */
};

/* The counts of the 64 columns of a word; c is zero afterwards, but for what waits. */
static void read_columns(fri_multi_bfs_counters *c, int word, int64_t count[64]) {
    const uint64_t every_byte = 0x0101010101010101;
    uint64_t carry = 0;
    memset(count, 0, 64 * sizeof *count);
    for (int p = 0; c->taken >> p; p += 8) {
        uint64_t eight[8] = {0}; /* of columns i, i + 8, ..: a byte each, the digits p .. p + 7 */
        for (int q = p; c->taken >> q && q < p + 8; q++) {
            const uint64_t a = c->digit[q][word], b = c->taken >> q & 1 ? c->waiting[q][word] : 0,
                           sum = a ^ b ^ carry;
            carry = (a & b) | ((a ^ b) & carry);
            c->digit[q][word] = 0;
            for (int i = 0; i < 8; i++)
                eight[i] |= (sum >> i & every_byte) << (q - p);
        }
        for (int i = 0; i < 64; i++)
            count[i] += (int64_t)(eight[i % 8] >> (i & ~7) & 0xff) << p;
    }
}

/* Levels ascend, so that the sums of a source are the same bits in any search, on the GPU too. */
static void end_level(fri_multi_bfs *search) {
    struct searcher *s = search->user;
    const task *t = s->task;
    const double level = (double)search->level;
    int64_t count[64];
    for (int k = 0; k < search->words; k++) {
        read_columns(&s->level, k, count);
        for (uint64_t left = search->fresh[k]; left; left &= left - 1) {
            const int bit = __builtin_ctzll(left);
            const int64_t i = t->ordered.vertex[s->source[k * 64 + bit]] - t->part.first;
            const double vertices = (double)count[bit];
            t->to.reached[i] += vertices;
            t->to.far[i] += vertices * level;
            t->to.near[i] += level > 0 ? vertices / level : 0;
        }
    }
    s->level.taken = 0;
}

static void run_search(void *arg, fri_pace *pace, int thread, int block, int64_t unit) {
    const task *t = arg;
    fri_multi_bfs *search = t->searches[thread];
    const int64_t first = unit * t->width;
    (void)block;
    t->searchers[thread].source = t->source + first;
    search->pace = pace;
    search->caller = thread == 0;
    search->done = unit;
    fri_multi_bfs_alone(search, t->source + first,
                        (int32_t)FRI_MIN(t->width, t->part.count - first));
}

static void run_pass(void *arg, fri_pace *pace, int thread, int block, int64_t unit) {
    const task *t = arg;
    fri_pass *p = &t->passes[thread];
    (void)pace, (void)block;
    fri_pass_run(p, t->csr, (int32_t)(t->part.first + unit));
    t->to.reached[unit] = p->reached;
    for (int32_t i = 0; i < p->reached; i++) {
        const double distance = p->dist[p->order[i]];
        t->to.far[unit] += distance;
        t->to.near[unit] += distance > 0 ? 1 / distance : 0;
    }
}

/* As many sources a search as leave one for each block. */
static int width_for(int64_t sources) {
    return sources >= FRI_UNIT_BLOCKS * FRI_MULTI_BFS_WIDTH       ? FRI_MULTI_BFS_WIDTH
           : sources >= FRI_UNIT_BLOCKS * FRI_MULTI_BFS_WIDTH / 2 ? FRI_MULTI_BFS_WIDTH / 2
                                                                  : 64;
}

/* The part's vertices in the order of the copy. */
static void list_sources(const task *t) {
    int64_t count = 0;
    for (int32_t i = 0; i < t->csr->n; i++)
        if ((uint64_t)(t->ordered.vertex[i] - t->part.first) < (uint64_t)t->part.count)
            t->source[count++] = i;
}

static fr_status open_searches(fr_ctx *ctx, task *t, int threads) {
    fr_status status = fri_ordered_new(ctx, t->csr, &t->ordered);
    if (status)
        return status;
    t->source = fri_alloc(ctx, fri_bytes(t->part.count, sizeof *t->source));
    t->searchers = fri_calloc(ctx, fri_bytes(threads, sizeof *t->searchers));
    if (!t->source || !t->searchers)
        return FR_NOMEM;
    list_sources(t);
    status = fri_multi_bfs_new(ctx, &t->ordered.in, &t->ordered.out,
                               fri_multi_bfs_words_for(t->width), threads, &t->searches);
    for (int i = 0; !status && i < threads; i++) {
        t->searchers[i].task = t;
        t->searches[i]->user = &t->searchers[i];
        t->searches[i]->counters = &t->searchers[i].level;
        t->searches[i]->level_done = end_level;
    }
    return status;
}

fr_status fri_distance_sums_on_cpu(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                   fri_vertex_part part, fri_distance_sums to) {
    const fr_csr *csr = &graph->csr;
    const bool weighted = csr->weight_type;
    const int64_t one = (int64_t)csr->n + csr->m;
    task t = {.csr = csr, .part = part, .to = to, .width = weighted ? 1 : width_for(part.count)};
    const int64_t units = (part.count + t.width - 1) / t.width;
    const int threads = fri_unit_threads(ctx, units);
    fr_status status =
        weighted ? fri_passes_new(ctx, csr, threads, &t.passes) : open_searches(ctx, &t, threads);
    for (int64_t i = 0; i < part.count; i++)
        to.reached[i] = to.far[i] = to.near[i] = 0;
    if (!status)
        status = fri_units_run(ctx, phase, units, weighted ? one : 4 * one,
                               weighted ? run_pass : run_search, &t);
    fri_free(t.searches);
    fri_free(t.searchers);
    fri_free(t.source);
    fri_free(t.ordered.block);
    fri_free(t.passes);
    return status;
}
