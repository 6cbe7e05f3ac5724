/* Breadth-first search from up to 64 sources at once.
 *
 * Source: M. Then et al.: The more the merrier: efficient multi-source graph traversal, VLDB 2014.
 * Differs: lists of active vertices instead of passes over all, so that a deep graph costs no more
 *   than single traversals, and vertices that are not reached cost nothing.
 * Work: a vertex sends its bits once per level at which it gets one: at most 64 times, and at most
 *   once per level of the graph.
 */
#include "cpu/centrality/ms_bfs.h"

#include "core/strategy.h"

fr_status fri_ms_bfs_new(fr_ctx *ctx, int32_t n, int count, fri_ms_bfs **out) {
    const size_t bits = fri_bytes(n, sizeof(uint64_t)), ids = fri_bytes(n, sizeof(int32_t));
    const size_t one = 3 * fri_align_line(bits) + 3 * fri_align_line(ids);
    char *at =
        fri_calloc(ctx, fri_align_line(fri_bytes(count, sizeof **out)) + (size_t)count * one);
    *out = at ? fri_carve(&at, fri_bytes(count, sizeof **out)) : NULL;
    for (int i = 0; *out && i < count; i++)
        (*out)[i] = (fri_ms_bfs){.seen = fri_carve(&at, bits),
                                 .now = fri_carve(&at, bits),
                                 .next = fri_carve(&at, bits),
                                 .active = fri_carve(&at, ids),
                                 .found = fri_carve(&at, ids),
                                 .touched = fri_carve(&at, ids)};
    return *out ? FR_OK : FR_NOMEM;
}

void fri_ms_bfs_begin(fri_ms_bfs *w, const int32_t *source, int count) {
    for (int32_t i = 0; i < w->reached; i++)
        w->seen[w->touched[i]] = 0;
    for (int i = 0; i < count; i++) {
        w->seen[source[i]] = w->now[source[i]] = (uint64_t)1 << i;
        w->active[i] = w->touched[i] = source[i];
    }
    w->count = w->reached = count;
}

/* Sends the bits of the active vertices along their edges; returns how many vertices got one. */
static int32_t send(fri_ms_bfs *w, const fr_csr *csr) {
    int32_t count = 0;
    for (int32_t i = 0; i < w->count; i++) {
        int32_t u = w->active[i];
        uint64_t bits = w->now[u];
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (!(bits & ~w->seen[v]))
                continue;
            if (!w->next[v])
                w->found[count++] = v;
            w->next[v] |= bits;
        }
    }
    return count;
}

bool fri_ms_bfs_step(fri_ms_bfs *w, const fr_csr *csr) {
    int32_t *active = w->found;
    w->count = send(w, csr);
    for (int32_t i = 0; i < w->count; i++) {
        int32_t v = active[i];
        uint64_t seen = w->seen[v];
        if (!seen)
            w->touched[w->reached++] = v;
        w->now[v] = w->next[v] & ~seen;
        w->seen[v] = seen | w->next[v];
        w->next[v] = 0;
    }
    w->found = w->active;
    w->active = active;
    return w->count > 0;
}
