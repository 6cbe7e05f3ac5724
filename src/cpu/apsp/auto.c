/* All pairs, `auto` on the CPU: chooses a strategy from properties known before the first query.
 *
 * Source: ours; the strategies name theirs.
 * Idea: each strategy that is correct for these weights has an expected cost, by the formulas
 *   below; the lowest is chosen.
 *     floyd-warshall  any weights      n^3 cell updates, whatever the query requests
 *     multi-bfs       no weights       rows n (22 + d/20) ns, d the edges per vertex; not for meshes of
 *                                      more than DEEP levels, where sources seldom meet in a level
 *     multi-sssp      none below 0     rows n (32 + 5 d) ns
 *     johnson         any weights      the same, and one Bellman-Ford
 *   So dense graphs of a few thousand vertices go to Floyd-Warshall, and queries of few rows never
 *   do. A matrix that does not fit in memory is not chosen, nor one for int64 or float weights that are
 *   too large.
 * Scratch, preparation, work: as the chosen strategy.
 */
#include "core/call_backend.h"
#include "cpu/apsp/floyd_warshall/matrix.h"
#include "core/strategy.h"
#include "cpu/typed.h"

#include <stdio.h>

extern const fri_strategy fri_apsp_floyd_warshall, fri_apsp_johnson, fri_apsp_multi_bfs,
    fri_apsp_multi_sssp;

/* Nanoseconds, fitted with two threads and parents, n = 1024, 4, 32 and 256 edges per vertex,
 * int32. Only their ratios matter. */
static const double CELL_NS = 0.13, CELL_WIDE_NS = 0.26; /* 4- and 8-byte distances */
static const double LEVEL_VERTEX_NS = 22, LEVEL_EDGE_NS = 0.05;
static const double PATH_VERTEX_NS = 32, PATH_EDGE_NS = 5;

enum { DEEP = 64 }; /* levels */

typedef struct {
    const fri_strategy *strategy;
    fri_job inner; /* what the chosen strategy sees */
    char why[256];
} auto_apsp;

static double matrix_ns(const fri_job *job) {
    double n = FRI_MAX(job->csr.n, 64); /* at least one block */
    return n * n * n * (fr_type_size(job->in->dist_type) == 4 ? CELL_NS : CELL_WIDE_NS);
}

static double per_source_ns(const fri_job *job, bool levels) {
    double n = FRI_MAX(job->csr.n, 1), degree = (double)job->csr.m / n;
    double vertex =
        levels ? LEVEL_VERTEX_NS + LEVEL_EDGE_NS * degree : PATH_VERTEX_NS + PATH_EDGE_NS * degree;
    return (double)job->in->row_capacity * n * vertex;
}

static bool is_unit(const fri_job *job) {
    bool integers = !fri_is_real(job->in->dist_type);
    return !job->csr.weights || (integers && job->weight_min >= 1 && job->weight_max <= 1);
}

static bool fits_memory(const fri_job *job) {
    size_t bytes = fri_apsp_floyd_warshall.scratch(job), maximum = fr_ctx_max_bytes(job->ctx);
    return bytes <= maximum - maximum / 8;
}

/* Depends on the graph and the options alone, so that the plan and the solver agree. */
static void describe(const fri_job *job, auto_apsp *a) {
    bool unit = is_unit(job), negative = job->weight_min < 0;
    const bool shares = unit && fri_call_levels(&job->csr) <= DEEP;
    const fri_strategy *per_source = shares     ? &fri_apsp_multi_bfs
                                     : negative ? &fri_apsp_johnson
                                                : &fri_apsp_multi_sssp;
    double matrix = matrix_ns(job), rows = per_source_ns(job, shares);
    bool takes = fri_floyd_takes(job) && fri_floyd_sums_fit(job), fits = fits_memory(job);
    bool dense = takes && fits && matrix < rows;
    a->strategy = dense ? &fri_apsp_floyd_warshall : per_source;
    char other[48] = "; floyd-warshall does not fit memory";
    if (!takes)
        snprintf(other, sizeof other, "; floyd-warshall cannot add up such weights");
    else if (fits)
        snprintf(other, sizeof other, ", floyd-warshall %.3g ms", matrix / 1e6);
    snprintf(a->why, sizeof a->why,
             "%s: %s weights, %.3g edges a vertex, %lld rows of %d; expected: %s %.3g ms%s",
             a->strategy->name,
             unit       ? "unit"
             : negative ? "negative"
                        : "non-negative",
             job->csr.n ? (double)job->csr.m / job->csr.n : 0.0, (long long)job->in->row_capacity,
             job->csr.n, per_source->name, rows / 1e6, other);
    a->inner = *job;
    a->inner.strategy = a->strategy;
    if (a->strategy == &fri_apsp_multi_bfs) {
        a->inner.csr.weights = a->inner.in_edges.weights = NULL;
        a->inner.csr.weight_type = a->inner.in_edges.weight_type = FR_TYPE_NONE;
    }
    for (int i = 0; a->strategy->knobs && a->strategy->knobs[i].name; i++)
        a->inner.knob[i] = a->strategy->knobs[i].value;
}

static size_t scratch(const fri_job *job) {
    auto_apsp a;
    describe(job, &a);
    size_t bytes = a.strategy->scratch(&a.inner);
    return bytes > SIZE_MAX / 2 ? bytes : bytes + fri_align_line(sizeof a);
}

static fr_status prepare(fri_job *job) {
    auto_apsp *a = job->scratch;
    describe(job, a);
    snprintf(job->told.why, sizeof job->told.why, "%s", a->why); /* before a query, too */
    a->inner.scratch = (char *)job->scratch + fri_align_line(sizeof *a);
    a->inner.scratch_bytes = job->scratch_bytes - fri_align_line(sizeof *a);
    return a->strategy->prepare ? a->strategy->prepare(&a->inner) : FR_OK;
}

static fr_status run(fri_job *job) {
    auto_apsp *a = job->scratch;
    a->inner.target_map = job->target_map;
    a->inner.target_count = job->target_count;
    a->inner.reads_targets = job->reads_targets;
    a->inner.out = job->out;
    a->inner.told.levels = job->told.levels;
    a->inner.told.level_capacity = job->told.level_capacity;
    a->inner.told.level_count = 0;
    fr_status status = a->strategy->run(&a->inner);
    job->told.level_count = a->inner.told.level_count;
    job->told.chosen = a->strategy;
    snprintf(job->told.why, sizeof job->told.why, "%s", a->why);
    return status;
}

const fri_strategy fri_apsp_auto = {
    .name = "auto",
    .source = "fringe",
    .text = "chosen by expected cost: floyd-warshall, multi-bfs, multi-sssp or johnson",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_IN_EDGES,
    .scratch = scratch,
    .prepare = prepare,
    .run = run,
};
