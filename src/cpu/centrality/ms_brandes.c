/* Sums over shortest paths from 8 sources in the lanes of a vector.
 *
 * Source: U. Brandes: A faster algorithm for betweenness centrality, Journal of Mathematical
 *   Sociology 25(2), 2001; several sources in one search: M. Then et al.: The more the merrier:
 *   efficient multi-source graph traversal, VLDB 2014.
 * Idea: the vectors of a level are 0 in the lanes of other levels, so that an edge adds all lanes
 *   without a test of distances. Sums of lanes that reached the vertex earlier are dropped per vertex.
 * Differs: a vertex is sent once per level at which a lane reaches it. On small-world graphs these
 *   are two or three of eight lanes' levels.
 * Work: per search, (8 additions per edge of a vertex) * (levels of the vertex), twice. */
#include "cpu/centrality/ms_brandes.h"

#include "core/strategy.h"

#include <float.h>

/* All bits of the words whose bits are set in the row's number. */
#define ROW(b)                                                                                     \
    {                                                                                              \
        -(uint64_t)((b)&1), -(uint64_t)((b) >> 1 & 1), -(uint64_t)((b) >> 2 & 1),                  \
            -(uint64_t)((b) >> 3)                                                                  \
    }
static const uint64_t MASK[16][4] = {ROW(0),  ROW(1),  ROW(2),  ROW(3), ROW(4),  ROW(5),
                                     ROW(6),  ROW(7),  ROW(8),  ROW(9), ROW(10), ROW(11),
                                     ROW(12), ROW(13), ROW(14), ROW(15)};

fr_status fri_ms_brandes_new(fr_ctx *ctx, int32_t n, int count, fri_ms_brandes **out) {
    const size_t values = fri_bytes(n, sizeof(fri_lanes)), bits = (size_t)n,
                 entries = fri_bytes(n, FRI_LANES),
                 vertices = fri_bytes(FRI_LANES * (int64_t)n + 1, sizeof(int32_t)),
                 levels = fri_bytes((int64_t)n + 2, sizeof(int64_t));
    const size_t one = 3 * fri_align_line(values) + 2 * fri_align_line(bits) +
                       fri_align_line(entries) + fri_align_line(vertices) + fri_align_line(levels);
    char *at =
        fri_calloc(ctx, fri_align_line(fri_bytes(count, sizeof **out)) + (size_t)count * one);
    *out = at ? fri_carve(&at, fri_bytes(count, sizeof **out)) : NULL;
    for (int i = 0; *out && i < count; i++)
        (*out)[i] = (fri_ms_brandes){.paths = fri_carve(&at, values),
                                     .level = {fri_carve(&at, values), fri_carve(&at, values)},
                                     .seen = fri_carve(&at, bits),
                                     .sent = fri_carve(&at, bits),
                                     .lanes = fri_carve(&at, entries),
                                     .vertex = fri_carve(&at, vertices),
                                     .begin = fri_carve(&at, levels)};
    return *out ? FR_OK : FR_NOMEM;
}

/* The values of the lanes whose bits are set, 0 in the others. An integer operation: the other
 * values may be infinite. */
static inline fri_lanes keep(fri_lanes values, unsigned bits) {
    uint64_t word[FRI_LANES];
    memcpy(word, &values, sizeof word);
    for (int k = 0; k < 4; k++)
        word[k] &= MASK[bits & 15][k];
    for (int k = 0; k < 4; k++)
        word[4 + k] &= MASK[bits >> 4][k];
    memcpy(&values, word, sizeof word);
    return values;
}

/* Adds the values of the last level to the neighbors of its vertices; lists those that a lane has
 * not reached before. Returns the end of the list. */
static int64_t send(const fri_ms_brandes *w, const fr_csr *csr, const fri_lanes *restrict now,
                    fri_lanes *restrict next) {
    const int32_t *targets = csr->targets;
    const uint8_t *seen = w->seen;
    uint8_t *sent = w->sent;
    int64_t tail = w->count;
    for (int64_t i = w->begin[w->levels - 1]; i < w->count; i++) {
        const int32_t u = w->vertex[i];
        const unsigned bits = w->lanes[i];
        const fri_lanes x = now[u];
        const int64_t end = csr->offsets[u + 1];
        for (int64_t e = csr->offsets[u]; e < end; e++) {
            const int32_t v = targets[e];
            if (!(bits & ~(unsigned)seen[v]))
                continue;
            w->vertex[tail] = v;
            tail += !sent[v];
            sent[v] |= (uint8_t)bits;
            for (int k = 0; k < FRI_LANES; k++)
                next[v].lane[k] += x.lane[k];
        }
    }
    return tail;
}

/* The lanes that reach a vertex for the first time take their sums. Returns whether they are
 * finite. */
static bool take(fri_ms_brandes *w, int64_t tail, fri_lanes *restrict next) {
    fri_lanes maximum = {0}, *restrict paths = w->paths;
    bool finite = true;
    for (int64_t i = w->count; i < tail; i++) {
        const int32_t v = w->vertex[i];
        const unsigned seen = w->seen[v], bits = w->sent[v] & ~seen;
        const fri_lanes x = keep(next[v], bits), before = keep(paths[v], seen);
        w->lanes[i] = (uint8_t)bits;
        w->seen[v] = (uint8_t)(seen | bits);
        w->sent[v] = 0;
        next[v] = x;
        for (int k = 0; k < FRI_LANES; k++) {
            paths[v].lane[k] = before.lane[k] + x.lane[k];
            maximum.lane[k] = maximum.lane[k] > x.lane[k] ? maximum.lane[k] : x.lane[k];
        }
    }
    for (int k = 0; k < FRI_LANES; k++)
        finite &= maximum.lane[k] <= DBL_MAX;
    return finite;
}

static void clear_level(const fri_ms_brandes *w, int32_t level, fri_lanes *values) {
    for (int64_t i = w->begin[level]; i < w->begin[level + 1]; i++)
        values[w->vertex[i]] = (fri_lanes){0};
}

void fri_ms_brandes_begin(fri_ms_brandes *w, const int32_t *source, int count) {
    for (int64_t i = 0; i < w->count; i++)
        w->seen[w->vertex[i]] = 0;
    for (int k = 0; k < count; k++) {
        w->vertex[k] = source[k];
        w->lanes[k] = w->seen[source[k]] = (uint8_t)(1 << k);
        w->level[0][source[k]] = w->paths[source[k]] = (fri_lanes){0};
        w->level[0][source[k]].lane[k] = w->paths[source[k]].lane[k] = 1;
    }
    w->count = count;
    w->begin[0] = 0;
    w->begin[1] = count;
    w->levels = 1;
    w->finite = true;
}

/* false: there is no further level. */
static bool next_level(fri_ms_brandes *w, const fr_csr *csr) {
    fri_lanes *now = w->level[~w->levels & 1], *next = w->level[w->levels & 1];
    const int64_t tail = send(w, csr, now, next);
    if (tail == w->count)
        return false;
    clear_level(w, w->levels - 1, now);
    w->finite &= take(w, tail, next);
    w->count = tail;
    w->begin[++w->levels] = tail;
    return true;
}

void fri_ms_brandes_count(fri_ms_brandes *w, const fr_csr *csr, int32_t levels) {
    while (w->levels < levels && next_level(w, csr))
        ;
}

double fri_ms_brandes_shared(const fri_ms_brandes *w) {
    int64_t lanes = 0;
    for (int64_t i = 0; i < w->count; i++)
        lanes += __builtin_popcount(w->lanes[i]);
    return (double)lanes / (double)w->count;
}

/* The dependency of each source on w, and what a predecessor gets per path: (1 + dependency) / paths. */
static void pull(const fri_ms_brandes *w, const fr_csr *csr, int64_t i,
                 const fri_lanes *restrict after, fri_lanes *restrict own, double *sum) {
    const int32_t v = w->vertex[i], *targets = csr->targets;
    const fri_lanes paths = w->paths[v];
    const int64_t end = csr->offsets[v + 1];
    fri_lanes x = {0};
    for (int64_t e = csr->offsets[v]; e < end; e++)
        for (int k = 0; k < FRI_LANES; k++)
            x.lane[k] += after[targets[e]].lane[k];
    for (int k = 0; k < FRI_LANES; k++)
        x.lane[k] *= paths.lane[k];
    x = keep(x, w->lanes[i]);
    double total = sum[v];
    for (int k = 0; k < FRI_LANES; k++)
        total += x.lane[k];
    sum[v] = total;
    for (int k = 0; k < FRI_LANES; k++)
        x.lane[k] = (1 + x.lane[k]) / paths.lane[k];
    own[v] = keep(x, w->lanes[i]);
}

void fri_ms_brandes_add(fri_ms_brandes *w, const fr_csr *csr, double *sum) {
    clear_level(w, w->levels - 1, w->level[~w->levels & 1]);
    for (int32_t level = w->levels - 1; level > 0; level--) {
        fri_lanes *own = w->level[level & 1], *after = w->level[~level & 1];
        for (int64_t i = w->begin[level]; i < w->begin[level + 1]; i++)
            pull(w, csr, i, after, own, sum);
        if (level + 1 < w->levels)
            clear_level(w, level + 1, after);
    }
    if (w->levels > 1)
        clear_level(w, 1, w->level[1]);
}
