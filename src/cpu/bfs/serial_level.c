/* One level of a small frontier by one thread, with the memory accesses of later rows in flight.
 *
 * Idea: a plain queue loop waits for memory up to four times per vertex (offset, row, visited,
 *   level). Here a vertex's offset is fetched when the vertex is found, and its row some vertices
 *   before it is processed, so that a dozen accesses overlap; the visited bitmap is cached; level
 *   and parent are only written. */
#include "cpu/bfs/state.h"

/* Edges of a row; whether such a row, as on roads, leads to new vertices is predicted wrong too often for a branch. */
enum { SHORT_ROW = 3 };

static inline int32_t select_bits(int32_t fresh, int32_t old, int32_t keep) {
    return fresh ^ ((fresh ^ old) & keep);
}

/* Visits the targets of the frontier; returns the end of the next one. The compiler makes one of it for each
 * width of offsets, and one for ranks, where `counted` has other rows than `out`: another rank has found most
 * vertices of the frontier, so that their offsets are fetched here. Pointers, unsigned targets and locals in
 * place of members of b: the loops take few instructions, which are what a frontier in the cache waits for. */
static inline __attribute__((always_inline)) int64_t expand(fri_bfs *b, const fri_bfs_csr out,
                                                            const fri_bfs_csr counted,
                                                            const bool slots,
                                                            int64_t *examined_edges) {
    const int32_t *from = b->queue + b->head, *const end = b->queue + b->tail;
    int32_t *to = b->queue + b->next_head; /* after the frontier, or before it */
    const int32_t *const targets = out.targets ? out.targets : from; /* NULL: no edges */
    uint64_t *visited = b->visited;
    int32_t *level = b->level, *parent = b->parent;
    const int32_t depth = b->depth + 1, base = slots ? b->base : 0;
    int64_t examined = 0, unpolled = 0;
    for (; from < end; from++) {
        if (slots && end - from > 2 * FRI_BFS_PREFETCH)
            fri_bfs_prefetch_offset(out, from[2 * FRI_BFS_PREFETCH]);
        if ((!slots && to - from > FRI_BFS_PREFETCH) || end - from > FRI_BFS_PREFETCH)
            __builtin_prefetch(targets + fri_bfs_row_begin(out, from[FRI_BFS_PREFETCH]));
        const int32_t u = *from;
        const int64_t row = fri_bfs_row_begin(out, u), degree = fri_bfs_row_begin(out, u + 1) - row;
        const int32_t *at = targets + row, *const last = at + degree;
        unpolled += degree;
        for (; !slots && degree <= SHORT_ROW && at < last; at++) {
            const uint32_t v = (uint32_t)*at;
            const uint64_t word = visited[v >> 6];
            const int32_t keep = -(int32_t)(word >> (v & 63) & 1); /* all bits, if it is not new */
            visited[v >> 6] = word | UINT64_C(1) << (v & 63);
            fri_bfs_prefetch_offset(counted, v);
            level[v] = select_bits(depth, level[v], keep);
            if (parent)
                parent[v] = select_bits(u, parent[v], keep);
            *to = (int32_t)v; /* there is room for an entry per edge */
            to += 1 + keep;
        }
        for (; at < last; at++) {
            const uint32_t v = (uint32_t)*at;
            if (visited[v >> 6] >> (v & 63) & 1)
                continue;
            fri_bit_set(visited, v);
            fri_bfs_prefetch_offset(counted, v);
            level[v] = depth;
            if (slots || parent)
                parent[v] = u;
            *to++ = base + (int32_t)v;
        }
        if (unpolled < FRI_PACE_WORK)
            continue;
        const bool stop = fri_pace_stop(&b->pace, unpolled, b->with_in - b->left_vertices);
        examined += unpolled;
        unpolled = 0;
        if (stop)
            break; /* the next step sees the status */
    }
    *examined_edges = examined + unpolled;
    return to - b->queue;
}

/* Apart from the others, whose registers it would take. */
static __attribute__((noinline)) int64_t expand_slots(fri_bfs *b, int64_t *examined) {
    const fri_bfs_csr out = {NULL, b->out.offsets64, b->out.targets};
    const fri_bfs_csr counted = {NULL, b->counted.offsets64, b->counted.targets};
    return expand(b, out, counted, true, examined);
}

static bool ascends(const int32_t *at, int count) {
    int32_t differences = 0;
    for (int i = 0; i < count; i++)
        differences |= at[i] - at[i - 1];
    return differences >= 0;
}

/* Sorts the frontier as long as that moves few entries: on grids and meshes, the targets of vertices in ascending
 * order are nearly so. */
static void sort_frontier(fri_bfs *b) {
    enum { SLACK = 64, SHARE = 4, BLOCK = 64 };
    int32_t *const first = b->queue + b->head, *const end = b->queue + b->tail;
    const int64_t most = SLACK + b->tail / SHARE;
    for (int32_t *from = first + 1; from < end; from++) {
        while (end - from > BLOCK && ascends(from, BLOCK)) /* vector instructions */
            from += BLOCK;
        int32_t v = *from, *to = from;
        if (to[-1] < v)
            continue;
        for (; to > first && to[-1] > v && b->moved < most; to--, b->moved++)
            *to = to[-1];
        *to = v;
    }
    b->is_ordered = b->moved < most;
}

void fri_bfs_serial_level(fri_bfs *b) {
    fri_job *job = b->job;
    const fri_bfs_csr narrow = b->out, wide = {NULL, b->out.offsets64, b->out.targets};
    const int64_t begin_ns = job->told.levels ? fri_now_ns() : 0, next_head = b->next_head;
    int64_t examined, tail;
    if (b->counted.targets != wide.targets)
        tail = expand_slots(b, &examined);
    else if (narrow.offsets32)
        tail = expand(b, narrow, narrow, false, &examined);
    else
        tail = expand(b, wide, wide, false, &examined);
    if (job->target_map)
        for (int64_t i = next_head; i < tail; i++)
            b->targets_left -= fri_bit_get(job->target_map, b->queue[i]);
    if (job->told.levels)
        fri_job_level_expected(job, "serial", b->tail - b->head, examined, fri_now_ns() - begin_ns,
                               b->expected_ns);
    job->out->stats.edges_examined += examined;
    b->reuse_partition = false;
    b->head = next_head;
    b->tail = tail;
    b->vertices = tail - next_head;
    b->edges = -1;
    b->left_vertices -= tail - next_head;
    b->left_edges -= examined;
    b->depth += tail > next_head;
    if (job->level_start && b->is_serial && b->vertices)
        job->level_start[b->depth + 1] = (int32_t)(job->level_start[b->depth] + b->vertices);
    if (b->is_ordered)
        sort_frontier(b);
}
