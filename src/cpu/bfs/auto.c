/* BFS, `auto` on the CPU: before each level chooses the cheapest of four methods by expected cost.
 *
 * Source: ours. The two directions are Beamer, Asanovic, Patterson's (SC 2012); see
 *   cpu/bfs/direction_optimizing.c.
 * Idea: a small level is processed by one thread with overlapping memory accesses, and other
 *   threads are only started when a level is worth it; a medium one top-down with atomic claims; a
 *   large one top-down into a bitmap per thread, without atomics, merged in order; a very large one
 *   bottom-up. Bottom-up tests the in-neighbor of greatest degree first (its "head", determined
 *   once): in skewed graphs this test settles most vertices, in order, without reading their rows.
 *   The costs are in cpu/bfs/cost_model.c. Threads are woken for medium levels once the time that
 *   they would have saved so far exceeds the cost of waking them; when such levels take far longer
 *   than expected, another process uses a core, and the traversal continues on one thread rather
 *   than wait at barriers.
 * Needs: in-edges.
 * Scratch: 12 n bytes (16 n directed), 4 + threads bitmaps.
 * Prepare: one pass over the in-edges.
 * Work: n + m at most. Barriers: none for small levels, 2 to 4 for others.
 * Good at: all graphs of docs/performance.md.
 * Bad at: large levels of graphs whose bitmaps do not fit the cache.
 */
#include <stdio.h>

#include "cpu/bfs/state.h"
#include "cpu/bfs/cost_model.h"

typedef struct {
    fri_bfs *bfs;
    int64_t serial_max;              /* up to it the serial method is taken without the model */
    int64_t taken[FRI_METHOD_COUNT]; /* levels by method */
    double missed_ns;   /* time that running threads would have saved on the last serial levels */
    double expected_ns; /* of the medium level in progress; 0: none */
    int64_t began_ns;
    int late_levels; /* such levels that took far longer, in this and in earlier traversals */
} auto_bfs;

static bool fits_offsets32(const fri_job *job) { return job->csr.m <= UINT32_MAX; }

static size_t offsets32_bytes(const fri_job *job) {
    return fits_offsets32(job)
               ? fri_align_line(fri_bytes((int64_t)job->csr.n + 1, sizeof(uint32_t)))
               : 0;
}

static size_t scratch(const fri_job *job) {
    size_t hub_parents = fri_align_line(fri_bytes(job->csr.n, sizeof(int32_t)));
    size_t offsets32_total = offsets32_bytes(job) * (job->csr.symmetric ? 1 : 2);
    return fri_align_line(sizeof(auto_bfs)) + fri_bfs_scratch(job, hub_parents + offsets32_total);
}

static const uint32_t *make_offsets32(const fri_job *job, const int64_t *offsets, char **at) {
    if (!fits_offsets32(job))
        return NULL;
    uint32_t *offsets32 = fri_carve(at, offsets32_bytes(job));
#pragma omp parallel for num_threads(job->threads)
    for (int64_t v = 0; v <= job->csr.n; v++)
        offsets32[v] = (uint32_t)offsets[v];
    return offsets32;
}

static int32_t find_hub_parent(fri_bfs_csr in, int32_t v) {
    int64_t begin = fri_bfs_row_begin(in, v), end = fri_bfs_row_begin(in, v + 1), maximum = -1;
    int32_t hub_parent = 0;
    for (int64_t e = begin; e < end; e++) {
        int64_t degree = fri_bfs_degree(in, in.targets[e]);
        if (degree > maximum) {
            maximum = degree;
            hub_parent = in.targets[e];
        }
    }
    return hub_parent;
}

static const int32_t *find_hub_parents(const fri_job *job, fri_bfs_csr in, char **at) {
    int32_t *hub_parents = fri_carve(at, fri_bytes(job->csr.n, sizeof(int32_t)));
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(job->threads)
    for (int32_t v = 0; v < job->csr.n; v++)
        hub_parents[v] = find_hub_parent(in, v);
    return hub_parents;
}

enum { PATIENCE = 3, LATE_NS = 40000 };

/* After a medium level: did a thread arrive late at its barriers? */
static void check_lateness(auto_bfs *r) {
    if (r->expected_ns > 0 && (double)(fri_now_ns() - r->began_ns) > LATE_NS + 4 * r->expected_ns)
        r->late_levels++;
    r->expected_ns = 0;
}

/* Serial or medium, by the expected cost and the time not saved so far. */
static fri_bfs_method settle_middling(auto_bfs *r, fri_bfs_policy_input *input,
                                      fri_bfs_method method) {
    if (input->threads == 1 || input->is_bitmap || method > FRI_METHOD_QUEUE)
        return method;
    double ns[FRI_METHOD_COUNT];
    input->awake = true;
    fri_bfs_expected_ns(input, ns);
    if (r->late_levels >= PATIENCE || ns[FRI_METHOD_SERIAL] <= ns[FRI_METHOD_QUEUE])
        return FRI_METHOD_SERIAL;
    r->missed_ns += ns[FRI_METHOD_SERIAL] - ns[FRI_METHOD_QUEUE];
    if (r->missed_ns < fri_bfs_wake_ns())
        return FRI_METHOD_SERIAL;
    r->missed_ns = fri_bfs_wake_ns(); /* the threads are running now */
    r->expected_ns = ns[FRI_METHOD_QUEUE];
    r->began_ns = fri_now_ns();
    return FRI_METHOD_QUEUE;
}

static fri_bfs_policy_input policy_input_of(fri_bfs *b) {
    return (fri_bfs_policy_input){.threads = b->job->threads,
                                  .awake = b->team_is_up,
                                  .is_bitmap = b->is_bitmap,
                                  .hub_parents = b->hub_parents != NULL,
                                  .words = b->words,
                                  .vertices = b->vertices,
                                  .edges = fri_bfs_edges(b),
                                  .left_vertices = b->left_vertices,
                                  .left_edges = b->left_edges};
}

static fri_bfs_method choose(auto_bfs *r, fri_bfs *b) {
    fri_bfs_policy_input input = policy_input_of(b);
    return settle_middling(r, &input, fri_bfs_choose(&input));
}

/* The expected time of the level, where levels are recorded. */
static void expect(fri_bfs *b, fri_bfs_method method) {
    double ns[FRI_METHOD_COUNT];
    if (!b->job->levels)
        return;
    fri_bfs_policy_input input = policy_input_of(b);
    fri_bfs_expected_ns(&input, ns);
    b->expected_ns = ns[method];
}

static fri_bfs_step policy(fri_bfs *b) {
    auto_bfs *r = b->policy_state;
    check_lateness(r);
    if (!b->is_bitmap && b->vertices <= r->serial_max) {
        r->missed_ns = 0;
        r->taken[FRI_METHOD_SERIAL]++;
        expect(b, FRI_METHOD_SERIAL);
        return FRI_BFS_SERIAL;
    }
    fri_bfs_method method = choose(r, b);
    if (method <= FRI_METHOD_QUEUE && b->is_bitmap)
        return FRI_BFS_TO_QUEUE;
    if (method == FRI_METHOD_PULL && !b->is_bitmap)
        return FRI_BFS_TO_BITMAP;
    static const fri_bfs_step step[] = {
        [FRI_METHOD_SERIAL] = FRI_BFS_SERIAL,
        [FRI_METHOD_QUEUE] = FRI_BFS_PUSH_QUEUE,
        [FRI_METHOD_BITMAP] = FRI_BFS_PUSH_BITMAP,
        [FRI_METHOD_PULL] = FRI_BFS_PULL,
    };
    r->taken[method]++;
    expect(b, method);
    return step[method];
}

static fr_status prepare(fri_job *job) {
    auto_bfs *r = job->scratch;
    void *extra;
    *r = (auto_bfs){0};
    fri_bfs *b = fri_bfs_prepare(job, (char *)job->scratch + fri_align_line(sizeof *r), &extra);
    char *at = extra;
    b->out.offsets32 = make_offsets32(job, job->csr.offsets, &at);
    b->in.offsets32 =
        job->csr.symmetric ? b->out.offsets32 : make_offsets32(job, job->in.offsets, &at);
    b->hub_parents = find_hub_parents(job, b->in, &at);
    b->policy = policy;
    b->policy_state = r;
    r->bfs = b;
    r->serial_max = fri_bfs_serial_edges(job->threads) / FRI_MAX(b->max_degree, 1);
    return FR_OK;
}

static fr_status run(fri_job *job) {
    auto_bfs *r = job->scratch;
    for (int method = 0; method < FRI_METHOD_COUNT; method++)
        r->taken[method] = 0;
    r->missed_ns = r->expected_ns = 0;
    r->late_levels /= 2; /* the other process may be gone */
    fr_status status = fri_bfs_traverse(r->bfs);
    snprintf(
        job->why, sizeof job->why,
        "cheapest way per level by expected cost: %lld levels serial, %lld top-down queue, %lld "
        "top-down bitmap, %lld bottom-up",
        (long long)r->taken[FRI_METHOD_SERIAL], (long long)r->taken[FRI_METHOD_QUEUE],
        (long long)r->taken[FRI_METHOD_BITMAP], (long long)r->taken[FRI_METHOD_PULL]);
    return status;
}

const fri_strategy fri_bfs_auto = {
    .name = "auto",
    .source = "fringe",
    .text = "per level the cheapest of serial, top-down and bottom-up, by expected cost",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_IN_EDGES,
    .scratch = scratch,
    .prepare = prepare,
    .run = run,
};
