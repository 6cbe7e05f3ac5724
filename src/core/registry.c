/* The table of strategies. A strategy listed here is tested, benchmarked, documented and listed by
 * `fringe list`; strategies are listed explicitly because the linker drops unreferenced objects.
 * How to add one: docs/architecture.md, "Add a strategy". */
#include "core/strategy.h"

#include "base/sized.h"
#include "base/text/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* FRINGE_GPU_STRATEGIES=auto of CMake: these and no other on the GPU. */
#define CUDA_AUTO(X)                                                                               \
    X(fri_gpu_bfs_auto)                                                                            \
    X(fri_gpu_sssp_auto)                                                                           \
    X(fri_gpu_sssp_topology_bf)

#define CUDA_OTHERS(X)                                                                             \
    X(fri_gpu_bfs_multi_device)                                                                    \
    X(fri_gpu_bfs_simple)                                                                          \
    X(fri_gpu_bfs_bfs4k)                                                                           \
    X(fri_gpu_bfs_queue)                                                                           \
    X(fri_gpu_bfs_scan)                                                                            \
    X(fri_gpu_bfs_scan_fused)                                                                      \
    X(fri_gpu_bfs_warp_merge)                                                                      \
    X(fri_gpu_bfs_hier_queue)                                                                      \
    X(fri_gpu_bfs_coalesced_map)                                                                   \
    X(fri_gpu_bfs_expand_contract)                                                                 \
    X(fri_gpu_bfs_virtual_warp)                                                                    \
    X(fri_gpu_bfs_edge_parallel)                                                                   \
    X(fri_gpu_bfs_spmv)                                                                            \
    X(fri_gpu_bfs_xbfs)                                                                            \
    X(fri_gpu_sssp_multi_device)                                                                   \
    X(fri_gpu_sssp_workfront_sweep)                                                                \
    X(fri_gpu_sssp_near_far)                                                                       \
    X(fri_gpu_sssp_hbf)                                                                            \
    X(fri_gpu_apsp_auto)                                                                           \
    X(fri_gpu_apsp_floyd_warshall)                                                                 \
    X(fri_gpu_apsp_multi_bfs)                                                                      \
    X(fri_gpu_apsp_multi_sssp)                                                                     \
    X(fri_gpu_apsp_each_sssp)                                                                      \
    X(fri_gpu_apsp_johnson)

#define NONE(X)
#ifndef FRI_CUDA
#define CUDA_BUILT       NONE
#define CUDA_LEFT_OUT(X) CUDA_AUTO(X) CUDA_OTHERS(X)
#elif !defined FRI_CUDA_ALL
#define CUDA_BUILT    CUDA_AUTO
#define CUDA_LEFT_OUT CUDA_OTHERS
#else
#define CUDA_BUILT(X) CUDA_AUTO(X) CUDA_OTHERS(X)
#define CUDA_LEFT_OUT NONE
#endif

#define STRATEGIES(X)                                                                              \
    X(fri_bfs_serial)                                                                              \
    X(fri_bfs_direction_optimizing)                                                                \
    X(fri_bfs_auto)                                                                                \
    X(fri_apsp_floyd_warshall)                                                                     \
    X(fri_apsp_auto)                                                                               \
    X(fri_apsp_multi_bfs)                                                                          \
    X(fri_sssp_dijkstra)                                                                           \
    X(fri_sssp_auto)                                                                               \
    X(fri_apsp_multi_sssp)                                                                         \
    X(fri_apsp_johnson)                                                                            \
    X(fri_sssp_bellman_ford)                                                                       \
    X(fri_sssp_spira_window)                                                                       \
    X(fri_sssp_delta_step)                                                                         \
    CUDA_BUILT(X)

#define DECLARE(strategy) extern const fri_strategy strategy;
STRATEGIES(DECLARE)
#undef DECLARE

const fri_strategy *const fri_strategies[] = {
#define ADDRESS(strategy) &strategy,
    STRATEGIES(ADDRESS)
#undef ADDRESS
        NULL};

static bool is_named(const fri_strategy *s, const char *name) {
    return strcmp(s->name, name) == 0 || (s->alias && strcmp(s->alias, name) == 0);
}

const fri_strategy *fri_strategy_find(fr_problem problem, fr_backend backend, const char *name) {
    for (const fri_strategy *const *strategy = fri_strategies; *strategy; strategy++)
        if ((*strategy)->problem == problem &&
            (backend == FR_BACKEND_ANY || (*strategy)->backend == backend) &&
            is_named(*strategy, name))
            return *strategy;
    return NULL;
}

/* "fri_gpu_bfs_hier_queue" is "hier-queue" for "bfs". */
static bool is_spelled(const char *identifier, const char *problem, const char *name) {
    const size_t skipped = strlen("fri_gpu_"), length = strlen(problem);
    const char *spelled = identifier + skipped + length + 1;
    if (strncmp(identifier + skipped, problem, length) != 0)
        return false;
    while (*name && (*spelled == *name || (*spelled == '_' && *name == '-')))
        spelled++, name++;
    return !*name && !*spelled;
}

bool fri_strategy_left_out(fr_problem problem, const char *name) {
    static const char *const identifiers[] = {
#define SPELLING(strategy) #strategy,
        CUDA_LEFT_OUT(SPELLING)
#undef SPELLING
            NULL};
    for (const char *const *identifier = identifiers; *identifier; identifier++)
        if (is_spelled(*identifier, fr_problem_name(problem), name))
            return true;
    return false;
}

void fri_job_give(fri_job *job, const fri_strategy *strategy) {
    job->strategy = strategy;
    for (int i = 0; i < FRI_MAX_KNOBS && strategy->knobs && strategy->knobs[i].name; i++)
        job->knob[i] = strategy->knobs[i].value;
}

void fri_job_note(fri_job *job, const char *format, ...) {
    size_t used = strlen(job->told.note);
    va_list args;
    used += (size_t)snprintf(job->told.note + used, sizeof job->told.note - used, "%s",
                             used ? "; " : "");
    va_start(args, format);
    if (used < sizeof job->told.note)
        vsnprintf(job->told.note + used, sizeof job->told.note - used, format, args);
    va_end(args);
}

const char *fr_counter_name(fr_counter kind) {
    static const char *const names[] = {
        [FR_COUNTER_EDGES] = "edges",
        [FR_COUNTER_ENQUEUES] = "enqueues",
        [FR_COUNTER_DUPLICATES_FOUND] = "duplicates_found",
        [FR_COUNTER_DUPLICATES_MISSED] = "duplicates_missed",
        [FR_COUNTER_CONFLICTS] = "conflicts",
        [FR_COUNTER_RELAXATIONS] = "relaxations",
        [FR_COUNTER_ATOMICS] = "atomics",
        [FR_COUNTER_EARLY] = "early",
    };
    _Static_assert(sizeof names / sizeof *names == FR_COUNTER_COUNT, "a counter has no name");
    return (unsigned)kind < FR_COUNTER_COUNT ? names[kind] : "?";
}

bool fr_strategy_get(int index, fr_strategy_info *out) {
    const int count = (int)(sizeof fri_strategies / sizeof *fri_strategies) - 1;
    if (index < 0 || index >= count)
        return false;
    if (FRI_SIZED_CHECK(NULL, fr_strategy_info, out))
        return false;
    const fri_strategy *s = fri_strategies[index];
    fr_strategy_info info = {.problem = s->problem,
                             .backend = s->backend,
                             .name = s->name,
                             .source = s->source,
                             .text = s->text,
                             .knobs = s->knobs,
                             .alias = s->alias};
    FRI_SIZED_WRITE(fr_strategy_info, &info, out);
    return true;
}

const char *fr_problem_name(fr_problem p) {
    static const char *const names[] = {"bfs", "sssp", "apsp"};
    return (unsigned)p < FR_PROBLEM_COUNT ? names[p] : "?";
}

const char *fr_backend_name(fr_backend b) {
    static const char *const names[] = {"any", "cpu", "cuda"};
    return (unsigned)b <= FR_BACKEND_CUDA ? names[b] : "?";
}

fr_status fri_job_negative_cycle(fri_job *job) {
    const fr_result *out = job->out;
    return fri_fail(job->ctx, FR_NEGATIVE_CYCLE,
                    "a cycle of %d %s and weight %g is reachable from the source%s",
                    out->cycle_length, fri_words(out->cycle_length, "vertex", "vertices"),
                    out->cycle_weight,
                    job->csr.symmetric
                        ? "; an undirected edge of negative weight is such a cycle, there and back"
                        : "");
}

void fri_job_level_expected(fri_job *job, const char *method, int64_t frontier, int64_t edges,
                            int64_t ns, double expected_ns) {
    if (job->told.levels && job->told.level_count < job->told.level_capacity)
        job->told.levels[job->told.level_count++] =
            (fr_level){method, frontier, edges, ns, (int64_t)(expected_ns + 0.5)};
}

void fri_job_level(fri_job *job, const char *method, int64_t frontier, int64_t edges, int64_t ns) {
    fri_job_level_expected(job, method, frontier, edges, ns, 0);
}
