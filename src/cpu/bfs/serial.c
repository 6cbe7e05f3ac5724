/* BFS with a FIFO queue, one thread: the oracle.
 *
 * Source: T. H. Cormen, C. E. Leiserson, R. L. Rivest, C. Stein: Introduction to Algorithms, 3rd
 *   ed., MIT Press 2009, section 22.2.
 * Idea: vertices leave a queue in order of level; each enters once.
 * Differs: merged sources all start at level 0; a depth limit and targets end the loop early, and
 *   vertices not settled by then count as not reached.
 * Scratch: n vertex ids.
 * Work: n + m.
 * Good at: graphs of large diameter.
 * Bad at: everything else: it uses one core.
 */
#include "base/bitmap.h"
#include "base/pace.h"
#include "core/strategy.h"

static size_t scratch(const fri_job *job) { return fri_bytes(job->csr.n, sizeof(int32_t)); }

static int64_t enqueue_sources(fri_job *job, int32_t *queue, int64_t *targets_left) {
    int32_t *level = job->out->level, *parent = job->out->parent;
    int64_t tail = 0;
    for (int64_t i = 0; i < job->in->query.source_count; i++) {
        int32_t s = job->in->query.sources[i];
        if (level[s] == 0)
            continue;
        level[s] = 0;
        if (parent)
            parent[s] = s;
        queue[tail++] = s;
        if (job->target_map && fri_bit_get(job->target_map, s))
            --*targets_left;
    }
    return tail;
}

/* Examines the edges of the vertices queue[head .. level_end) and returns the new tail. */
static int64_t expand(fri_job *job, int32_t *queue, int64_t head, int64_t level_end,
                      int64_t *targets_left, fri_pace *pace) {
    const fr_csr *csr = &job->csr;
    int32_t *level = job->out->level, *parent = job->out->parent;
    int64_t tail = level_end;
    for (; head < level_end; head++) {
        int32_t u = queue[head];
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (level[v] >= 0)
                continue;
            level[v] = level[u] + 1;
            if (parent)
                parent[v] = u;
            queue[tail++] = v;
            if (job->target_map && fri_bit_get(job->target_map, v))
                --*targets_left;
        }
        int64_t degree = csr->offsets[u + 1] - csr->offsets[u];
        job->out->stats.edges_examined += degree;
        if (fri_pace_stop(pace, degree + 1, tail))
            break;
    }
    return tail;
}

static fr_status run(fri_job *job) {
    int32_t *queue = job->scratch, *level = job->out->level, *parent = job->out->parent;
    for (int32_t v = 0; v < job->csr.n; v++)
        level[v] = -1;
    for (int32_t v = 0; parent && v < job->csr.n; v++)
        parent[v] = -1;
    int64_t targets_left = job->target_count;
    int64_t head = 0, tail = enqueue_sources(job, queue, &targets_left);
    int32_t depth = 0;
    fri_pace pace = fri_pace_begin(job->ctx, "traversing", job->csr.n);
    while (head < tail && !(job->target_map && targets_left <= 0) &&
           !(job->in->query.max_level && depth >= job->in->query.max_level)) {
        int64_t begin = fri_now_ns(), examined = job->out->stats.edges_examined;
        int64_t end = expand(job, queue, head, tail, &targets_left, &pace);
        if (pace.status)
            return pace.status;
        fri_job_level(job, "serial", tail - head, job->out->stats.edges_examined - examined,
                      fri_now_ns() - begin);
        head = tail;
        tail = end;
        depth += head < tail;
    }
    job->out->stats.levels = depth;
    return FR_OK;
}

const fri_strategy fri_bfs_serial = {
    .name = "serial",
    .source = "Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, MIT Press 2009",
    .text = "FIFO queue on one thread: the oracle",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CPU,
    .scratch = scratch,
    .run = run,
};
