/* BFS, `auto` on the CPU: before each level the cheapest of four ways to take it, by expected cost.
 *
 * Source: ours. The two directions are Beamer, Asanovic, Patterson's (SC 2012); see beamer.
 * Idea: a thin level is taken by one thread with its memory accesses overlapped, and no other
 *   thread is even started before a level is worth it; a middling one top-down with atomic claims;
 *   a wide one top-down into a bitmap per thread, without atomics, merged in order; a very wide one
 *   bottom-up. Bottom-up tries the in-neighbour of greatest degree first (its "head", found once):
 *   in skewed graphs most vertices are settled by that one look, in order, without touching their
 *   rows. policy_bfs.c says what each would cost; the levels go on while any vertex is left.
 *   Threads are woken for middling levels once the time they would have saved so far passes what
 *   waking costs; when such levels take far longer than expected, another process holds a core,
 *   and the traversal goes on alone rather than wait at barriers.
 * Needs: in-edges. Scratch: 12 n bytes (16 n directed), 4 + threads bitmaps. Preparation: one pass
 * over the in-edges. Work: n + m at most. Barriers: none for thin levels, 2 to 4 for others. Good
 * at: everything measured. Bad at: wide levels of graphs too large for their bitmaps to be cached.
 */
#include <stdio.h>

#include "cpu/bfs_state.h"
#include "engine/policy_bfs.h"

typedef struct {
    fri_bfs *bfs;
    int64_t thin; /* frontier vertices below which the serial way is taken unasked */
    int64_t taken[FRI_WAY_COUNT]; /* levels */
    double missed_ns;   /* what threads at work would have saved on the last serial levels */
    double expected_ns; /* of the middling level under way; 0: none */
    int64_t began_ns;
    int late; /* such levels that took far too long, in this and in earlier traversals */
} auto_bfs;

static bool is_near(const fri_job *job) { return job->csr.m <= UINT32_MAX; }

static size_t near_bytes(const fri_job *job) {
    return is_near(job) ? fri_line(fri_bytes((int64_t)job->csr.n + 1, sizeof(uint32_t))) : 0;
}

static size_t scratch(const fri_job *job) {
    size_t heads = fri_line(fri_bytes(job->csr.n, sizeof(int32_t)));
    size_t nears = near_bytes(job) * (job->csr.symmetric ? 1 : 2);
    return fri_line(sizeof(auto_bfs)) + fri_bfs_scratch(job, heads + nears);
}

static const uint32_t *shorten(const fri_job *job, const int64_t *offsets, char **at) {
    if (!is_near(job))
        return NULL;
    uint32_t *near = fri_carve(at, near_bytes(job));
#pragma omp parallel for num_threads(job->threads)
    for (int64_t v = 0; v <= job->csr.n; v++)
        near[v] = (uint32_t)offsets[v];
    return near;
}

static int32_t find_head(fri_rows in, int32_t v) {
    int64_t begin = fri_row(in, v), end = fri_row(in, v + 1), most = -1;
    int32_t head = 0;
    for (int64_t e = begin; e < end; e++) {
        int64_t degree = fri_row_degree(in, in.targets[e]);
        if (degree > most) {
            most = degree;
            head = in.targets[e];
        }
    }
    return head;
}

static const int32_t *find_heads(const fri_job *job, fri_rows in, char **at) {
    int32_t *heads = fri_carve(at, fri_bytes(job->csr.n, sizeof(int32_t)));
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(job->threads)
    for (int32_t v = 0; v < job->csr.n; v++)
        heads[v] = find_head(in, v);
    return heads;
}

enum { PATIENCE = 3, LATE_NS = 40000 };

/* After a middling level: did somebody come late to its barriers? */
static void judge(auto_bfs *r) {
    if (r->expected_ns > 0 && (double)(fri_now_ns() - r->began_ns) > LATE_NS + 4 * r->expected_ns)
        r->late++;
    r->expected_ns = 0;
}

/* Serial or middling: by what it costs now and what was missed before. */
static fri_bfs_way settle_middling(auto_bfs *r, fri_bfs_facts *facts, fri_bfs_way way) {
    if (facts->threads == 1 || facts->is_bitmap || way > FRI_WAY_QUEUE)
        return way;
    double ns[FRI_WAY_COUNT];
    facts->awake = true;
    fri_bfs_expect(facts, ns);
    if (r->late >= PATIENCE || ns[FRI_WAY_SERIAL] <= ns[FRI_WAY_QUEUE])
        return FRI_WAY_SERIAL;
    r->missed_ns += ns[FRI_WAY_SERIAL] - ns[FRI_WAY_QUEUE];
    if (r->missed_ns < fri_bfs_wake_ns())
        return FRI_WAY_SERIAL;
    r->missed_ns = fri_bfs_wake_ns(); /* they are up now */
    r->expected_ns = ns[FRI_WAY_QUEUE];
    r->began_ns = fri_now_ns();
    return FRI_WAY_QUEUE;
}

static fri_bfs_facts facts_of(fri_bfs *b) {
    return (fri_bfs_facts){.threads = b->job->threads,
                           .awake = b->team_is_up,
                           .is_bitmap = b->is_bitmap,
                           .heads = b->heads != NULL,
                           .words = b->words,
                           .vertices = b->vertices,
                           .edges = fri_bfs_edges(b),
                           .left_vertices = b->left_vertices,
                           .left_edges = b->left_edges};
}

static fri_bfs_way choose(auto_bfs *r, fri_bfs *b) {
    fri_bfs_facts facts = facts_of(b);
    return settle_middling(r, &facts, fri_bfs_choose(&facts));
}

/* What the level is expected to take, where levels are recorded. */
static void expect(fri_bfs *b, fri_bfs_way way) {
    double ns[FRI_WAY_COUNT];
    if (!b->job->levels)
        return;
    fri_bfs_facts facts = facts_of(b);
    fri_bfs_expect(&facts, ns);
    b->expected_ns = ns[way];
}

static fri_bfs_step rule(fri_bfs *b) {
    auto_bfs *r = b->rule_state;
    judge(r);
    if (!b->is_bitmap && b->vertices <= r->thin) {
        r->missed_ns = 0;
        r->taken[FRI_WAY_SERIAL]++;
        expect(b, FRI_WAY_SERIAL);
        return FRI_BFS_THIN;
    }
    fri_bfs_way way = choose(r, b);
    if (way <= FRI_WAY_QUEUE && b->is_bitmap)
        return FRI_BFS_TO_QUEUE;
    if (way == FRI_WAY_PULL && !b->is_bitmap)
        return FRI_BFS_TO_BITMAP;
    static const fri_bfs_step step[] = {
        [FRI_WAY_SERIAL] = FRI_BFS_THIN,
        [FRI_WAY_QUEUE] = FRI_BFS_PUSH_QUEUE,
        [FRI_WAY_BITMAP] = FRI_BFS_PUSH_BITMAP,
        [FRI_WAY_PULL] = FRI_BFS_PULL,
    };
    r->taken[way]++;
    expect(b, way);
    return step[way];
}

static fr_status prepare(fri_job *job) {
    auto_bfs *r = job->scratch;
    void *extra;
    *r = (auto_bfs){0};
    fri_bfs *b = fri_bfs_prepare(job, (char *)job->scratch + fri_line(sizeof *r), &extra);
    char *at = extra;
    b->out.near = shorten(job, job->csr.offsets, &at);
    b->in.near = job->csr.symmetric ? b->out.near : shorten(job, job->in.offsets, &at);
    b->heads = find_heads(job, b->in, &at);
    b->rule = rule;
    b->rule_state = r;
    r->bfs = b;
    r->thin = fri_bfs_serial_edges(job->threads) / FRI_MAX(b->max_degree, 1);
    return FR_OK;
}

static fr_status run(fri_job *job) {
    auto_bfs *r = job->scratch;
    for (int way = 0; way < FRI_WAY_COUNT; way++)
        r->taken[way] = 0;
    r->missed_ns = r->expected_ns = 0;
    r->late /= 2; /* the other process may be gone */
    fr_status status = fri_bfs_traverse(r->bfs);
    snprintf(
        job->why, sizeof job->why,
        "cheapest way per level by expected cost: %lld levels serial, %lld top-down queue, %lld "
        "top-down bitmap, %lld bottom-up",
        (long long)r->taken[FRI_WAY_SERIAL], (long long)r->taken[FRI_WAY_QUEUE],
        (long long)r->taken[FRI_WAY_BITMAP], (long long)r->taken[FRI_WAY_PULL]);
    return status;
}

const fri_strategy fri_bfs_auto = {
    .name = "auto",
    .source = "fringe",
    .text = "per level the cheapest of serial, top-down and bottom-up, by expected cost",
    .problem = FR_BFS,
    .backend = FR_CPU,
    .needs = FRI_IN_EDGES,
    .scratch = scratch,
    .prepare = prepare,
    .run = run,
};
