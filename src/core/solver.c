/* Binds graph, problem and strategy, and allocates what a traversal needs before the timed part. */
#include "core/solver.h"

#include "base/bitmap.h"
#include "base/sized.h"
#include "core/gpu_seam.h"
#include "core/in_edges.h"
#include "core/options.h"

#include <string.h>

static bool wants_unit_weights(const fr_solver *s) {
    return (s->strategy->needs & FRI_NEEDS_WEIGHTS) && !s->job.csr.weights;
}

static bool wants_transpose(const fr_solver *s) {
    return (s->strategy->needs & FRI_NEEDS_IN_EDGES) && !s->job.csr.symmetric &&
           !s->job.makes_in_edges;
}

/* The peak of what take_memory() allocates. The transposition's temporary arrays are freed before
 * the scratch is allocated, so the larger of the two counts. */
static size_t planned_bytes(const fr_solver *s) {
    fr_csr csr = s->job.csr;
    size_t bytes = 0, scratch = s->strategy->scratch ? s->strategy->scratch(&s->job) : 0;
    if (scratch > SIZE_MAX / 2) /* exceeds size_t: no sum that includes it may wrap */
        return SIZE_MAX;
    scratch += fri_bitmap_bytes(csr.n); /* target_map */
    scratch += s->strategy->shared ? s->strategy->shared(&s->job) : 0;
    if (scratch > SIZE_MAX / 2)
        return SIZE_MAX;
    if (wants_unit_weights(s)) {
        bytes += fri_bytes(csr.m, sizeof(int32_t));
        csr.weight_type = FR_TYPE_I32;
    }
    if (wants_transpose(s) && (wants_unit_weights(s) || !fri_in_edges_found(&s->job))) {
        bytes += fri_csr_bytes(&csr);
        scratch = FRI_MAX(scratch, fri_csr_transpose_bytes(s->job.ctx, &csr));
    }
    return bytes + scratch;
}

/* If the memory of the GPU's `auto` does not fit: another strategy, with its default knobs. */
static fr_status step_down(fr_solver *s) {
    const fri_strategy *asked = s->strategy;
    fr_status status = FR_OK;
#ifdef FRI_CUDA
    status = fri_gpu_fallback(&s->job, &s->strategy);
#endif
    return status || s->strategy == asked ? status : fri_options_knobs(&s->job, s->strategy, NULL);
}

/* Before this call the plan assumes in-edges on the host. */
static void plan_in_edges(fr_solver *s) {
#ifdef FRI_CUDA
    s->job.makes_in_edges = fri_gpu_makes_in_edges(&s->job, s->strategy);
#else
    (void)s;
#endif
}

static fr_status check_counters(const fr_solver *s) {
#ifdef FRI_CUDA
    if (s->strategy->backend == FR_BACKEND_CUDA && !fri_gpu_kernels_count())
        return fri_fail(
            s->job.ctx, FR_UNSUPPORTED,
            "the kernels of this build do not count events (--counters); `make counting` "
            "builds a library and a command whose kernels do");
#endif
    (void)s;
    return FR_OK;
}

static fr_status describe(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                          const fr_solver_options *options, fr_solver *s) {
    if (!graph || (unsigned)problem >= FR_PROBLEM_COUNT)
        return fri_fail(ctx, FR_INVALID, "a solver needs a graph and a problem");
    if (options->expected_queries < 0)
        return fri_fail(ctx, FR_INVALID, "expected_queries must not be negative");
    fr_status status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    s->job.ctx = ctx;
    s->job.problem = problem;
    s->job.csr = *fr_graph_csr(graph);
    s->derived = fri_derived_open(ctx, graph->derived);
    s->job.derived = &s->derived;
    s->job.expected_queries = options->expected_queries;
    s->job.ids = graph->ids;
    s->job.threads = ctx->threads;
    s->job.in_place = options->in_place;
    s->job.row_capacity = options->max_sources ? options->max_sources : s->job.csr.n;
    if (options->unit_weights || problem == FR_PROBLEM_BFS) {
        s->job.csr.weights = NULL;
        s->job.csr.weight_type = FR_TYPE_NONE;
    }
    status = fri_options_dist_type(&s->job, options);
    if (!status)
        status = fri_options_strategy(&s->job, options, &s->strategy);
    if (!status)
        status = fri_options_knobs(&s->job, s->strategy, options->knobs);
    if (!status)
        status = fri_options_weights(&s->job, s->strategy);
    if (!status)
        status = step_down(s);
    if (!status)
        plan_in_edges(s);
    s->job.counters = options->counters;
    if (!status && options->in_place && !(s->strategy->needs & FRI_TAKES_IN_PLACE))
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "strategy %s on the %s cannot compute in place in the caller's array; "
                        "floyd-warshall on the GPU can",
                        s->strategy->name, s->strategy->backend == FR_BACKEND_CUDA ? "GPU" : "CPU");
    if (!status && options->counters)
        status = check_counters(s);
    s->job.strategy = s->strategy;
    return status;
}

static fr_status make_unit_weights(fr_solver *s) {
    int64_t m = s->job.csr.m;
    s->unit_weights = fri_alloc(s->job.ctx, fri_bytes(m, sizeof(int32_t)));
    if (!s->unit_weights)
        return FR_NOMEM;
    for (int64_t e = 0; e < m; e++)
        s->unit_weights[e] = 1;
    s->job.csr.weights = s->unit_weights;
    s->job.csr.weight_type = FR_TYPE_I32;
    s->job.own_weights = true;
    return FR_OK;
}

/* Whether the memory suffices, if need be without what no solver of the graph uses. */
static fr_status check_memory(fr_solver *s) {
    fr_status status = fri_reserve_check(s->job.ctx, "the solver", planned_bytes(s));
    if (status != FR_NOMEM || !fri_derived_trim(s->derived.of))
        return status;
    fri_begin(s->job.ctx);
    return fri_reserve_check(s->job.ctx, "the solver", planned_bytes(s));
}

static fr_status take_memory(fr_solver *s, bool record_levels) {
    fri_job *job = &s->job;
    fr_status status = check_memory(s);
    if (!status && wants_unit_weights(s))
        status = make_unit_weights(s);
    job->in = job->csr;
    if (!status && wants_transpose(s))
        status = fri_in_edges_take(job, &s->transposed);
    if (status)
        return status;
    job->scratch_bytes = s->strategy->scratch ? s->strategy->scratch(job) : 0;
    job->scratch = fri_alloc(job->ctx, job->scratch_bytes);
    s->target_map = fri_calloc(job->ctx, fri_bitmap_bytes(job->csr.n));
    if (!job->scratch || !s->target_map)
        return FR_NOMEM;
    if (record_levels) {
        job->level_capacity = 4 * ((int64_t)job->csr.n + 16); /* untouched pages cost nothing */
        job->levels = fri_alloc(job->ctx, fri_bytes(job->level_capacity, sizeof *job->levels));
        job->kernels = fri_calloc(job->ctx, FRI_MAX_KERNELS * sizeof *job->kernels);
        if (!job->levels || !job->kernels)
            return FR_NOMEM;
    }
    return FR_OK;
}

static fr_status make_solver(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                             const fr_solver_options *options, fr_solver **out) {
    *out = NULL;
    fr_solver *s = fri_calloc(ctx, sizeof *s);
    if (!s)
        return FR_NOMEM;
    int64_t unopened = ctx->device_init_ns;
    fr_status status = describe(ctx, graph, problem, options, s);
    int64_t begin = fri_now_ns() - ctx->device_init_ns;
    if (!status)
        status = take_memory(s, options->record_levels);
    if (!status && s->strategy->prepare)
        status = s->strategy->prepare(&s->job);
    s->prepare_ns = fri_now_ns() - ctx->device_init_ns - begin;
    s->device_init_ns = ctx->device_init_ns - unopened;
    if (status) {
        fr_solver_free(s);
        return status;
    }
    *out = s;
    return FR_OK;
}

fr_status fr_solver_new(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                        const fr_solver_options *options, fr_solver **out) {
    fri_begin(ctx);
    *out = NULL;
    fr_tuning tuning;
    fr_solver_options own, tuned;
    fr_status status = fri_options_read(ctx, options, &own, &tuning);
    if (status)
        return status;
    if (!fri_options_tuned(problem, &own, &tuned))
        return make_solver(ctx, graph, problem, &own, out);
    char why_not[sizeof ctx->message];
    fr_status first = status = make_solver(ctx, graph, problem, &tuned, out);
    if (status && status != FR_CANCELLED) {
        memcpy(why_not, ctx->message, sizeof why_not);
        status = make_solver(ctx, graph, problem, &own, out);
    }
    if (status)
        return status;
    fri_options_tuned_note(&(*out)->job, &tuning, first ? why_not : NULL);
    fri_begin(ctx); /* the note already says why the tuning result was not used */
    return FR_OK;
}

void fr_solver_free(fr_solver *s) {
    if (!s)
        return;
    if (s->strategy && s->strategy->release)
        s->strategy->release(&s->job);
    fri_derived_close(&s->derived);
    fri_csr_free(&s->transposed);
    fri_free(s->unit_weights);
    fri_free(s->target_map);
    fri_free(s->sources);
    fri_free(s->spare);
    fri_free(s->job.levels);
    fri_free(s->job.kernels);
    fri_free(s->job.scratch);
    fri_free(s);
}

fr_status fr_estimate_memory(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                             const fr_solver_options *options, fr_memory_estimate *out) {
    fri_begin(ctx);
    fr_solver s = {0};
    fr_tuning tuning;
    fr_solver_options own, tuned;
    fr_status status = FRI_SIZED_CHECK(ctx, fr_memory_estimate, out);
    if (!status)
        status = fri_options_read(ctx, options, &own, &tuning);
    if (status)
        return status;
    bool is_tuned = fri_options_tuned(problem, &own, &tuned);
    status = describe(ctx, graph, problem, is_tuned ? &tuned : &own, &s);
    if (status && is_tuned) {
        fri_derived_close(&s.derived);
        s = (fr_solver){0};
        status = describe(ctx, graph, problem, &own, &s);
    }
    fr_memory_estimate bytes = {0};
    if (!status) {
        bytes.host = planned_bytes(&s) + (s.strategy->later ? s.strategy->later(&s.job) : 0);
        bytes.device = s.strategy->device_bytes ? s.strategy->device_bytes(&s.job) : 0;
    }
    fri_derived_close(&s.derived);
    FRI_SIZED_WRITE(fr_memory_estimate, &bytes, out);
    return status;
}

fr_type fr_solver_dist_type(const fr_solver *s) { return s->job.dist_type; }
const char *fr_solver_explain(const fr_solver *s) { return s->job.why; }

const fr_kernel *fr_solver_kernels(const fr_solver *s, int *count) {
    *count = s->job.kernel_count;
    return s->job.kernels;
}

const fr_level *fr_solver_levels(const fr_solver *s, int64_t *count) {
    *count = s->job.level_count;
    return s->job.levels;
}
