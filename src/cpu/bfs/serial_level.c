/* One level of a small frontier by one thread, with the memory accesses of later rows in flight.
 *
 * Idea: a plain queue loop waits for memory up to four times per vertex (offset, row, visited,
 *   level). Here a vertex's offset is fetched when the vertex is found, and its row some vertices
 *   before it is processed, so that a dozen accesses overlap; the visited bitmap is cached; level
 *   and parent are only written.
 */
#include "cpu/bfs/state.h"

FRI_PREFETCHER prefetch_row(const fri_bfs *b, int64_t i, int64_t tail) {
    if (i < tail)
        __builtin_prefetch(b->out.targets + fri_bfs_row_begin(b->out, b->queue[i]));
}

void fri_bfs_serial_level(fri_bfs *b) {
    fri_job *job = b->job;
    const fri_bfs_csr out = b->out;
    const int32_t *targets = out.targets;
    uint64_t *visited = b->visited;
    int32_t *queue = b->queue, *level = b->level, *parent = b->parent;
    int64_t begin_ns = job->levels ? fri_now_ns() : 0;
    const int64_t put = b->put, end = b->tail;
    int64_t tail = put, examined = 0, polled = 0;
    for (int64_t i = b->head; i < end; i++) {
        prefetch_row(b, i + FRI_BFS_PREFETCH, put == end ? tail : end);
        int32_t u = queue[i];
        int64_t e = fri_bfs_row_begin(out, u), last = fri_bfs_row_begin(out, u + 1);
        examined += last - e;
        for (; e < last; e++) {
            int32_t v = targets[e];
            uint64_t word = visited[v >> 6];
            if (word >> (v & 63) & 1)
                continue;
            visited[v >> 6] = word | UINT64_C(1) << (v & 63);
            fri_bfs_prefetch_offset(out, v);
            level[v] = b->depth + 1;
            if (parent)
                parent[v] = u;
            queue[tail++] = v;
        }
        if (examined - polled < FRI_PACE_WORK)
            continue;
        if (fri_pace_stop(&b->pace, examined - polled, b->with_in - b->left_vertices))
            break; /* the next step sees the status */
        polled = examined;
    }
    if (job->target_map)
        for (int64_t i = put; i < tail; i++)
            b->targets_left -= fri_bit_get(job->target_map, queue[i]);
    if (job->levels)
        fri_job_level_expected(job, "serial", end - b->head, examined, fri_now_ns() - begin_ns,
                               b->expected_ns);
    job->out->stats.edges_examined += examined;
    b->reuse_partition = false;
    b->head = put;
    b->tail = tail;
    b->vertices = tail - put;
    b->edges = -1;
    b->left_vertices -= tail - put;
    b->left_edges -= examined;
    b->depth += tail > put;
}
