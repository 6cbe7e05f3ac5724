/* Binds graph, problem and strategy, and allocates what a traversal needs before the timed part. */
#include "core/solver.h"

#include "base/bitmap.h"
#include "base/sized.h"
#include "core/gpu_seam.h"
#include "core/options.h"

#include <string.h>

static bool wants_unit_weights(const fr_solver *s) {
    return (s->strategy->needs & FRI_NEEDS_WEIGHTS) && !s->job.csr.weights;
}

/* A solver that reverses the graph has its in-edges already. */
static bool wants_transpose(const fr_solver *s) {
    return (s->strategy->needs & FRI_NEEDS_IN_EDGES) && !s->job.csr.symmetric &&
           !s->job.makes_in_edges && !s->reverse;
}

static size_t csr_bytes(const fr_csr *csr) {
    return fri_bytes((int64_t)csr->n + 1, sizeof(int64_t)) + fri_bytes(csr->m, sizeof(int32_t)) +
           fri_bytes(csr->m, fr_type_size(csr->weight_type));
}

/* The peak of what take_memory() allocates. The transposition's temporary arrays are freed before
 * the scratch is allocated, so the larger of the two counts. */
static size_t planned_bytes(const fr_solver *s) {
    fr_csr csr = s->job.csr;
    size_t bytes = 0, scratch = s->strategy->scratch ? s->strategy->scratch(&s->job) : 0;
    if (scratch > SIZE_MAX / 2) /* exceeds size_t: no sum that includes it may wrap */
        return SIZE_MAX;
    scratch += fri_bitmap_bytes(csr.n); /* target_map */
    if (s->reverse) {
        bytes += csr_bytes(&csr);
        scratch = FRI_MAX(scratch, fri_csr_transpose_bytes(s->job.ctx, &csr));
    }
    if (wants_unit_weights(s)) {
        bytes += fri_bytes(csr.m, sizeof(int32_t));
        csr.weight_type = FR_TYPE_I32;
    }
    if (wants_transpose(s)) {
        bytes += csr_bytes(&csr);
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

static fr_status take_counted(fr_solver *s) {
    const fri_strategy *plain = s->strategy;
    s->strategy = fri_strategy_counting_twin(plain);
    if (s->strategy == plain && plain->backend == FR_BACKEND_CUDA)
        return fri_fail(s->job.ctx, FR_UNSUPPORTED,
                        "this build has no counting kernels; build with -DFRINGE_COUNTING=ON");
    return FR_OK;
}

/* Unit distances are computed as int32 and converted, if the caller wants floats: strategies for
 * levels are faster, and integers are exact. */
static fr_status choose_dist_type(fr_solver *s, const fr_solver_options *options) {
    fr_type wanted = options->dist_type;
    bool converts = s->job.csr.weight_type == FR_TYPE_NONE && s->job.problem != FR_PROBLEM_BFS &&
                    (wanted == FR_TYPE_F32 || wanted == FR_TYPE_F64);
    fr_solver_options own = *options;
    if (converts)
        own.dist_type = FR_TYPE_I32;
    fr_status status = fri_options_dist_type(&s->job, &own);
    s->dist_type = converts ? wanted : s->job.dist_type;
    if (!status && converts && options->in_place)
        return fri_fail(s->job.ctx, FR_UNSUPPORTED,
                        "distances of unit weights cannot be computed in place as %s; int32 can",
                        fr_type_name(wanted));
    return status;
}

static fr_status describe(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                          const fr_solver_options *options, fr_solver *s) {
    if (!graph || (unsigned)problem >= FR_PROBLEM_COUNT)
        return fri_fail(ctx, FR_INVALID, "a solver needs a graph and a problem");
    fr_status status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    s->job.ctx = ctx;
    s->job.problem = problem;
    s->job.csr = *fr_graph_csr(graph);
    s->job.ids = graph->ids;
    s->job.threads = ctx->threads;
    s->job.in_place = options->in_place;
    s->job.row_capacity = options->max_sources ? options->max_sources : s->job.csr.n;
    if (options->unit_weights || problem == FR_PROBLEM_BFS) {
        s->job.csr.weights = NULL;
        s->job.csr.weight_type = FR_TYPE_NONE;
    }
    s->reverse = options->reverse && !s->job.csr.symmetric;
    status = choose_dist_type(s, options);
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
        status = take_counted(s);
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
    return FR_OK;
}

/* The strategy gets the transposed graph; the graph itself has its in-edges. */
static fr_status reverse(fr_solver *s, fr_csr *in) {
    fri_job *job = &s->job;
    *in = job->csr;
    fr_status status = fri_csr_transpose(job->ctx, in, &s->reversed);
    if (!status)
        job->csr = s->reversed;
    return status;
}

static fr_status take_memory(fr_solver *s, bool record_levels) {
    fri_job *job = &s->job;
    fr_csr in = {0};
    fr_status status = fri_reserve_check(job->ctx, "the solver", planned_bytes(s));
    if (!status && s->reverse)
        status = reverse(s, &in);
    if (!status && wants_unit_weights(s))
        status = make_unit_weights(s);
    job->in = job->csr;
    if (s->reverse && !job->makes_in_edges) {
        job->in.offsets = in.offsets;
        job->in.targets = in.targets;
        job->in.weights = in.weights ? in.weights : job->csr.weights; /* unit weights serve both */
    }
    if (!status && wants_transpose(s)) {
        status = fri_csr_transpose(job->ctx, &job->csr, &s->transposed);
        job->in = s->transposed;
    }
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
    fri_csr_free(&s->transposed);
    fri_csr_free(&s->reversed);
    fri_free(s->unit_weights);
    fri_free(s->target_map);
    fri_free(s->sources);
    fri_free(s->post);
    fri_free(s->row);
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
        s = (fr_solver){0};
        status = describe(ctx, graph, problem, &own, &s);
    }
    fr_memory_estimate bytes = {0};
    if (!status) {
        bytes.host = planned_bytes(&s);
        bytes.device = s.strategy->device_bytes ? s.strategy->device_bytes(&s.job) : 0;
    }
    FRI_SIZED_WRITE(fr_memory_estimate, &bytes, out);
    return status;
}

fr_type fr_solver_dist_type(const fr_solver *s) { return s->dist_type; }
const char *fr_solver_explain(const fr_solver *s) { return s->job.why; }

const fr_kernel *fr_solver_kernels(const fr_solver *s, int *count) {
    *count = s->job.kernel_count;
    return s->job.kernels;
}

const fr_level *fr_solver_levels(const fr_solver *s, int64_t *count) {
    *count = s->job.level_count;
    return s->job.levels;
}
