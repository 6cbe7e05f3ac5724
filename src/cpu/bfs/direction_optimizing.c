/* Direction-optimizing BFS on all cores: top-down while the frontier is small, bottom-up while it
 * is large.
 *
 * Source: S. Beamer, K. Asanovic, D. Patterson: Direction-optimizing breadth-first search, SC
 *   2012, section V; the rule as in the authors' GAP Benchmark Suite, src/bfs.cc.
 * Idea: in the large middle levels of a low-diameter graph most edges lead to visited vertices.
 *   There each unvisited vertex searches its in-edges for one parent in the frontier and stops at
 *   the first. The traversal switches to bottom-up when the frontier has more edges than the
 *   unexplored edges / alpha, and back when the frontier shrinks and has at most n / beta vertices.
 * Differs: visited vertices are a bitmap and levels are written, where GAP keeps parents only and
 *   stores the degree of an unvisited vertex in place of its parent; rows of 16384 and more edges
 *   are shared; one team of threads runs the whole traversal.
 * Needs: in-edges.
 * Scratch: 4 n bytes, 4 + threads bitmaps.
 * Work: n + m at most. Barriers: 3 per level top-down, 2 bottom-up. Atomics: one fetch-or per
 *   vertex found top-down.
 * Good at: Kronecker, social, uniform graphs.
 * Bad at: graphs of large diameter (barriers).
 */
#include "cpu/bfs/state.h"

enum { ALPHA, BETA };
static const fr_knob knobs[] = {
    {"alpha", 15, 1, 1e9, "bottom-up when frontier edges > unexplored edges / alpha (GAP: 15)"},
    {"beta", 18, 1, 1e9, "top-down again when frontier vertices <= n / beta (GAP: 18)"},
    {0}};

typedef struct {
    fri_bfs *bfs;
    bool pulls; /* in the bottom-up phase */
    bool back;  /* the bottom-up phase has ended: the next level is top-down, whatever its edges */
    int64_t last_vertices;    /* of the frontier before the last bottom-up level; 0: none */
    int64_t unexplored_edges; /* as GAP counts them */
} phases;

static size_t scratch(const fri_job *job) {
    return fri_align_line(sizeof(phases)) + fri_bfs_state_bytes(job, job->csr.n);
}

static fri_bfs_step push(fri_bfs *b, phases *r) {
    int64_t edges = r->back ? 1 : fri_bfs_edges(b); /* 1 as in GAP */
    if ((double)edges > (double)r->unexplored_edges / b->job->knob[ALPHA]) {
        r->pulls = true;
        r->last_vertices = 0;
        return FRI_BFS_TO_BITMAP;
    }
    r->back = false;
    r->unexplored_edges -= edges;
    return FRI_BFS_PUSH_QUEUE;
}

static fri_bfs_step policy(fri_bfs *b) {
    phases *r = b->policy_state;
    if (!r->pulls)
        return push(b, r);
    if (b->vertices >= r->last_vertices || (double)b->vertices > b->n / b->job->knob[BETA]) {
        r->last_vertices = b->vertices;
        return FRI_BFS_PULL;
    }
    r->pulls = false;
    r->back = true;
    return FRI_BFS_TO_QUEUE;
}

static fr_status prepare(fri_job *job) {
    phases *r = job->scratch;
    *r = (phases){0};
    void *extra;
    r->bfs =
        fri_bfs_prepare(job, job->csr.n, (char *)job->scratch + fri_align_line(sizeof *r), &extra);
    fri_bfs_read_offsets(r->bfs, NULL, NULL);
    r->bfs->policy = policy;
    r->bfs->policy_state = r;
    return FR_OK;
}

static fr_status run(fri_job *job) {
    phases *r = job->scratch;
    *r = (phases){.bfs = r->bfs, .unexplored_edges = job->csr.m};
    return fri_bfs_traverse(r->bfs);
}

const fri_strategy fri_bfs_direction_optimizing = {
    .name = "direction-optimizing",
    .alias = "beamer",
    .source = "Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search, SC 2012",
    .text = "direction-optimizing on all cores: top-down queue, bottom-up bitmap",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_IN_EDGES,
    .knobs = knobs,
    .scratch = scratch,
    .prepare = prepare,
    .run = run,
};
