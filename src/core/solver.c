/* Binds graph, problem and strategy, and allocates what a traversal needs before the timed part. */
#include "core/solver.h"

#include "base/bitmap.h"
#include "base/sized.h"
#include "core/device_team.h"
#include "core/gpu_interface.h"
#include "core/query/in_edges.h"
#include "core/options.h"

#include <string.h>

static bool wants_unit_weights(const fr_solver *s) {
    return (s->job.strategy->needs & FRI_NEEDS_WEIGHTS) && !s->job.csr.weights;
}

/* A solver that reverses the graph has its in-edges already. */
static bool wants_transpose(const fr_solver *s) {
    return (s->job.strategy->needs & FRI_NEEDS_IN_EDGES) && !s->job.csr.symmetric &&
           !s->job.makes_in_edges && !s->reverse;
}

/* Entries of job.told.levels; further levels are not recorded. Untouched pages cost nothing. */
static int64_t level_capacity(const fr_solver *s) { return 4 * ((int64_t)s->job.csr.n + 16); }

static size_t record_bytes(const fr_solver *s) {
    return s->record_levels ? fri_bytes(level_capacity(s), sizeof(fr_level)) +
                                  FRI_MAX_KERNELS * sizeof(fr_kernel)
                            : 0;
}

/* The peak of what take_memory() and then the strategy's preparation allocate. The transposition's
 * temporary arrays are freed before the scratch is allocated, so the larger of the two counts. */
static size_t planned_bytes(fr_solver *s) {
    fr_csr csr = s->job.csr;
    size_t bytes = 0, scratch = s->job.strategy->scratch ? s->job.strategy->scratch(&s->job) : 0;
    if (scratch > SIZE_MAX / 2) /* exceeds size_t: no sum that includes it may wrap */
        return SIZE_MAX;
    scratch += fri_bitmap_bytes(csr.n) + record_bytes(s); /* bitmap: target_map */
    scratch += s->job.sums ? FRI_LEVEL_TABLE_BYTES : 0;
    scratch += s->job.strategy->shared ? s->job.strategy->shared(&s->job) : 0;
    if (scratch > SIZE_MAX / 2)
        return SIZE_MAX;
    if (s->reverse && !fri_in_edges_found(&s->job, &s->derived)) {
        bytes += fri_csr_bytes(&csr);
        scratch = FRI_MAX(scratch, fri_csr_transpose_bytes(s->job.ctx, &csr));
    }
    if (wants_unit_weights(s)) {
        bytes += fri_bytes(csr.m, sizeof(int32_t));
        csr.weight_type = FR_TYPE_I32;
    }
    if (wants_transpose(s) &&
        (wants_unit_weights(s) || !fri_in_edges_found(&s->job, s->job.derived))) {
        bytes += fri_csr_bytes(&csr);
        scratch = FRI_MAX(scratch, fri_csr_transpose_bytes(s->job.ctx, &csr));
    }
    return bytes + scratch;
}

static bool is_auto(const fri_job *job) { return strcmp(job->strategy->name, "auto") == 0; }

/* Changes the job's strategy, to one with default knobs: `multi-device` to one GPU where that is faster
 * (fri_gpu_prefer_one; not if knobs are given), the GPU's `auto` to the one that it leaves this graph to
 * (fri_gpu_resolve). From here on the strategy is the job's. */
static fr_status resolve_strategy(fr_solver *s, const char *knobs, bool is_copy) {
    fr_status status = FR_OK;
    s->by_auto |= is_auto(&s->job);
#ifdef FRI_CUDA
    fri_job *job = &s->job;
    const fri_strategy *asked = job->strategy;
#ifdef FRI_CUDA_ALL
    if (!is_copy && (!knobs || !*knobs))
        status = fri_gpu_prefer_one(job);
    s->by_auto |= is_auto(job);
#endif
    if (!status && s->by_auto)
        status = fri_gpu_resolve(job);
    if (knobs && *knobs && job->strategy != asked)
        fri_job_note(job, "%s has its own knobs: those given are %s's and unused",
                     job->strategy->name, asked->name);
#endif
    (void)knobs, (void)is_copy;
    return status;
}

/* Until here job.makes_in_edges is false: the device memory that resolve_strategy() compares omits the
 * transposition's scratch. */
static void plan_in_edges(fr_solver *s) {
#ifdef FRI_CUDA
    s->job.makes_in_edges = fri_gpu_makes_in_edges(&s->job);
#else
    (void)s;
#endif
}

static fr_status check_counters(const fr_solver *s) {
#ifdef FRI_CUDA
    if (s->job.strategy->backend == FR_BACKEND_CUDA && !fri_gpu_kernels_count())
        return fri_fail(s->job.ctx, FR_UNSUPPORTED,
                        "the kernels of this build do not count events; `make counting` "
                        "builds a library and a command whose kernels do");
#endif
    (void)s;
    return FR_OK;
}

/* From here on the job counts edges as int32, of which the caller's distances follow. */
static void compute_levels(fr_solver *s, double weight) {
    s->sums.of = fri_level_sums_of(s->dist_type, weight);
    s->job.sums = &s->sums;
    s->in.dist_type = FR_TYPE_I32;
}

/* Unit distances are computed as int32 and converted, if the caller wants floats: strategies for
 * levels are faster, and integers are exact. */
static fr_status choose_dist_type(fr_solver *s, const fr_solver_options *options) {
    fr_type wanted = options->dist_type;
    bool converts = s->job.csr.weight_type == FR_TYPE_NONE &&
                    s->job.in->problem != FR_PROBLEM_BFS &&
                    (wanted == FR_TYPE_F32 || wanted == FR_TYPE_F64);
    fr_solver_options computed = *options;
    if (converts)
        computed.dist_type = FR_TYPE_I32;
    fr_status status = fri_options_dist_type(&s->job, &computed, &s->in.dist_type);
    s->dist_type = converts ? wanted : s->job.in->dist_type;
    if (!status && converts)
        compute_levels(s, 1);
    if (!status && converts && options->in_place)
        return fri_fail(s->job.ctx, FR_UNSUPPORTED,
                        "distances of unit weights cannot be computed in place as %s; int32 can",
                        fr_type_name(wanted));
    return status;
}

/* SSSP by `auto` where all weights are equal: BFS. Weights of 0 keep their own rules of parents and origins;
 * int64 ones are compared as doubles, which hold those below 2^53. A copy does it if its model did: edges may
 * be closed until those left have equal weights, and knobs be set that the options of a copy do not name. */
static void take_equal_weights(fr_solver *s, const fr_solver_options *options, bool is_copy) {
    fri_job *job = &s->job;
    const double weight = job->weight_min;
    const bool unit = weight == 1 && job->in->dist_type == FR_TYPE_I32;
    const bool asked =
        is_copy ? s->equal_weights : is_auto(job) && !(options->knobs && *options->knobs);
    s->equal_weights = false;
    if (job->in->problem != FR_PROBLEM_SSSP || !asked || !(weight > 0) ||
        !(weight == job->weight_max) || job->sums ||
        (job->csr.weight_type == FR_TYPE_I64 && weight >= 0x1p53))
        return;
    if (weight != 1 && !is_copy) /* which has its model's notes */
        fri_job_note(job, "every weight is %g", weight);
    s->equal_weights = job->csr.weight_type != FR_TYPE_NONE;
    job->csr.weights = NULL;
    job->csr.weight_type = FR_TYPE_NONE;
    job->weight_mean = job->weight_min = job->weight_max = 1;
    if (!unit)
        compute_levels(s, weight);
}

/* Gives the solver derived objects of its own: what is derived from the transposed graph, and its copies on a
 * GPU, do not belong to the graph. */
static fr_status begin_reverse(fr_solver *s) {
    fri_derived *own = fri_derived_new(s->job.ctx);
    if (!own)
        return FR_NOMEM;
    s->reverse = true;
    s->own_derived = fri_derived_open(s->job.ctx, own);
    fri_derived_release(own);
    s->job.derived = &s->own_derived;
    s->in.graph = NULL;
    return FR_OK;
}

/* What the caller sets, before any choice. */
static void set_job(fr_solver *s, fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                    const fr_solver_options *options) {
    fri_job *job = &s->job;
    job->ctx = ctx;
    job->in = &s->in;
    s->in.problem = problem;
    s->in.graph = s->graph = graph;
    s->in.expected_queries = options->expected_queries;
    s->in.ids = graph->ids;
    s->in.threads = ctx->threads;
    s->in.in_place = options->in_place;
    s->in.counters = options->counters;
    s->last = job;
    job->csr = fri_graph_rows(graph, &job->csr_on_device_only);
    s->derived = fri_derived_open(ctx, graph->derived);
    job->derived = &s->derived;
    s->record_levels = options->record_levels;
    s->in.row_capacity = options->max_sources ? options->max_sources : job->csr.n;
    if (options->unit_weights || problem == FR_PROBLEM_BFS) {
        job->csr.weights = NULL;
        job->csr.weight_type = FR_TYPE_NONE;
    }
}

/* Whether the strategy can leave the rows where they are: `auto` on the GPU that has them. */
static bool leaves_csr_on_device(const fr_solver *s) {
    const fri_job *job = &s->job;
    const bool is_float = job->csr.weight_type == FR_TYPE_F32,
               wide = job->in->dist_type == FR_TYPE_F64;
    return job->csr_on_device_only && (s->job.strategy->needs & FRI_TAKES_CSR_ON_DEVICE) &&
           job->in->graph->device == job->ctx->device &&
           !(is_float && wide); /* such weights are widened on the host */
}

/* Rows on the host for a strategy that needs them. */
static fr_status fetch_rows(fr_solver *s) {
    return leaves_csr_on_device(s) ? FR_OK : fri_job_fetch_rows(&s->job);
}

/* The strategy and the knobs that the caller asks for. fri_solver_like has set both. */
static fr_status take_strategy(fr_solver *s, const fr_solver_options *options, bool is_copy) {
    if (is_copy)
        return fetch_rows(s);
    fr_status status = fri_options_strategy(&s->job, options);
    if (!status)
        status = fetch_rows(s);
    return status ? status : fri_options_knobs(&s->job, options->knobs);
}

/* Chooses types, strategy and knobs. */
static fr_status resolve_options(fr_solver *s, const fr_solver_options *options) {
    fr_status status = FR_OK;
    const bool is_copy = s->job.strategy != NULL; /* fri_solver_like */
    const bool reverses = options->reverse && !s->job.csr.symmetric;
    s->asks_reverse = options->reverse;
    if (reverses)
        status = fri_job_fetch_rows(&s->job);
    if (!status && reverses)
        status = begin_reverse(s);
    if (!status)
        status = choose_dist_type(s, options);
    if (!status)
        status = take_strategy(s, options, is_copy);
    if (!status)
        status = fri_options_weights(&s->job);
    if (!status)
        take_equal_weights(s, options, is_copy);
    if (!status && s->job.weight_min < 0) /* a negative cycle is walked on the host */
        status = fri_job_fetch_rows(&s->job);
    if (!status)
        status = resolve_strategy(s, options->knobs, is_copy);
    if (!status)
        plan_in_edges(s);
    return !status && wants_transpose(s) ? fri_job_fetch_rows(&s->job) : status;
}

/* Whether the strategy chosen can do what is asked for. */
static fr_status check_support(const fr_solver *s, const fr_solver_options *options) {
    if (options->in_place && !(s->job.strategy->needs & FRI_TAKES_IN_PLACE))
        return fri_fail(s->job.ctx, FR_UNSUPPORTED,
                        "strategy %s on the %s cannot compute in place in the caller's array; "
                        "floyd-warshall on the GPU can",
                        s->job.strategy->name,
                        s->job.strategy->backend == FR_BACKEND_CUDA ? "GPU" : "CPU");
    fr_status status = options->counters ? check_counters(s) : FR_OK;
    return !status && s->job.strategy->check ? s->job.strategy->check(&s->job) : status;
}

/* Sets what needs no memory: the job, the strategy, the sizes. `s` is zeroed, or has what fri_solver_like sets. */
static fr_status bind_job(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                          const fr_solver_options *options, fr_solver *s) {
    if (!graph || (unsigned)problem >= FR_PROBLEM_COUNT)
        return fri_fail(ctx, FR_INVALID, "a solver needs a graph and a problem");
    if (options->max_sources < 0)
        return fri_fail(ctx, FR_INVALID, "max_sources must not be negative");
    if (options->expected_queries < 0)
        return fri_fail(ctx, FR_INVALID, "expected_queries must not be negative");
    fr_status status = graph->fetch ? FR_OK : fr_graph_check(ctx, graph);
    if (status)
        return status;
    set_job(s, ctx, graph, problem, options);
    status = resolve_options(s, options);
    return status ? status : check_support(s, options);
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

/* The strategy gets the transposed graph; the graph itself has its in-edges. What it derives from
 * the transposed graph is its own. */
static fr_status reverse(fr_solver *s) {
    fri_job *job = &s->job;
    const fr_csr graph = job->csr;
    fr_status status = fri_in_edges_take(job, &s->derived, &s->transposed);
    if (status)
        return status;
    job->csr = job->in_edges;
    if (wants_unit_weights(s))
        status = make_unit_weights(s);
    job->in_edges = job->csr;
    if (job->makes_in_edges)
        return status;
    job->in_edges.offsets = graph.offsets;
    job->in_edges.targets = graph.targets;
    if (graph.weights) /* else unit weights serve both */
        job->in_edges.weights = graph.weights;
    return status;
}

/* Whether the memory suffices, if need be without what no solver of the graph uses. */
static fr_status check_memory(fr_solver *s) {
    fr_status status = fri_reserve_check(s->job.ctx, "the solver", planned_bytes(s));
    if (status != FR_NOMEM || !fri_derived_trim(s->derived.of))
        return status;
    fri_begin(s->job.ctx);
    return fri_reserve_check(s->job.ctx, "the solver", planned_bytes(s));
}

/* Sets job.csr and job.in_edges. */
static fr_status take_edges(fr_solver *s) {
    fri_job *job = &s->job;
    if (s->reverse)
        return reverse(s);
    fr_status status = wants_unit_weights(s) ? make_unit_weights(s) : FR_OK;
    job->in_edges = job->csr;
    return status || !wants_transpose(s) ? status
                                         : fri_in_edges_take(job, job->derived, &s->transposed);
}

static fr_status make_sums(fr_solver *s) {
    s->sums.bits = fri_alloc(s->job.ctx, FRI_LEVEL_TABLE_BYTES);
    if (!s->sums.bits)
        return FR_NOMEM;
    fri_level_table_fill(&s->sums, s->job.csr.n);
    return FR_OK;
}

static fr_status take_memory(fr_solver *s) {
    fri_job *job = &s->job;
    fr_status status = check_memory(s);
    if (!status)
        status = take_edges(s);
    if (!status && job->sums)
        status = make_sums(s);
    if (status)
        return status;
    job->scratch_bytes = s->job.strategy->scratch ? s->job.strategy->scratch(job) : 0;
    const size_t small = s->job.strategy->small_pages ? s->job.strategy->small_pages(job) : 0;
    job->scratch = fri_alloc_sparse(job->ctx, job->scratch_bytes, small);
    s->target_map = fri_calloc(job->ctx, fri_bitmap_bytes(job->csr.n));
    if (!job->scratch || !s->target_map)
        return FR_NOMEM;
    if (s->record_levels) {
        job->told.level_capacity = level_capacity(s);
        job->told.levels =
            fri_alloc(job->ctx, fri_bytes(job->told.level_capacity, sizeof *job->told.levels));
        job->told.kernels = fri_calloc(job->ctx, FRI_MAX_KERNELS * sizeof *job->told.kernels);
        if (!job->told.levels || !job->told.kernels)
            return FR_NOMEM;
    }
    return FR_OK;
}

static fr_status make_solver(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                             const fr_solver_options *options, fr_solver *s) {
    const int64_t init_before = ctx->device_init_ns;
    fr_status status = bind_job(ctx, graph, problem, options, s);
    /* prepare_ns excludes the time of the device's initialization */
    const int64_t begin = fri_now_ns() - ctx->device_init_ns;
    if (!status)
        status = take_memory(s);
    if (!status && s->job.strategy->prepare)
        status = s->job.strategy->prepare(&s->job);
    s->prepare_ns = fri_now_ns() - ctx->device_init_ns - begin;
    s->device_init_ns = ctx->device_init_ns - init_before;
    return status;
}

static void clear(fr_solver *s) {
    fri_over_devices.free(s);
    fri_without_closed.free(s);
    if (s->job.strategy && s->job.strategy->release)
        s->job.strategy->release(&s->job);
    fri_derived_close(&s->own_derived);
    fri_derived_close(&s->derived);
    fri_csr_free(&s->transposed);
    fri_free(s->unit_weights);
    fri_free(s->sums.bits);
    fri_free(s->target_map);
    fri_free(s->sources);
    fri_free(s->post);
    fri_free(s->row);
    fri_free(s->spare);
    fri_free(s->row_dist);
    fri_free(s->row_parent);
    fri_free(s->nearest);
    fri_free(s->job.told.levels);
    fri_free(s->job.told.kernels);
    fri_free(s->job.scratch);
    *s = (fr_solver){0};
}

void fr_solver_free(fr_solver *s) {
    if (!s)
        return;
    clear(s);
    fri_free(s);
}

typedef fr_status (*make_fn)(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                             const fr_solver_options *options, fr_solver *s);

/* Makes `s`, zeroed before, with the tuning's strategy, or without the tuning if that fails. After a
 * failure it is zeroed again. */
static fr_status make_tuned(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                            const fr_solver_options *options, make_fn make, fr_solver *s) {
    fr_tuning tuning;
    fr_solver_options own, tuned;
    char message[sizeof ctx->message];
    const char *why_not;
    fr_status status = fri_options_read(ctx, options, &own, &tuning);
    if (status)
        return status;
    const bool tunes = fri_options_tuned(problem, &own, &tuned, &why_not);
    status = make(ctx, graph, problem, tunes ? &tuned : &own, s);
    if (tunes && status && status != FR_CANCELLED) {
        why_not = memcpy(message, ctx->message, sizeof message);
        clear(s);
        status = make(ctx, graph, problem, &own, s);
    }
    if (status) {
        clear(s);
    } else if (tunes || why_not) {
        fri_options_tuned_note(&s->job, &tuning, why_not);
        fri_begin(ctx); /* the note already says why the tuning result was not used */
    }
    return status;
}

fr_status fr_solver_new(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                        const fr_solver_options *options, fr_solver **out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!out)
        return fri_null_output(ctx);
    *out = NULL;
    fr_solver *s = fri_calloc(ctx, sizeof *s);
    if (!s)
        return FR_NOMEM;
    fr_status status = make_tuned(ctx, graph, problem, options, make_solver, s);
    if (!status && problem == FR_PROBLEM_APSP)
        status = fri_device_team_make(s);
    if (status)
        fr_solver_free(s);
    else
        *out = s;
    return status;
}

/* Without weights `s` counts edges, whatever the graph has. */
fr_status fri_solver_like(const fr_solver *like, fr_ctx *ctx, const fr_graph *graph,
                          fr_solver **out) {
    const fri_job *job = &like->job;
    const fr_solver_options options = {
        .dist_type = job->in->problem == FR_PROBLEM_BFS ? FR_TYPE_NONE : like->dist_type,
        .max_sources = (int32_t)job->in->row_capacity,
        .unit_weights =
            like->unit_weights || (job->csr.weight_type == FR_TYPE_NONE && !like->equal_weights),
        .record_levels = like->record_levels,
        .counters = job->in->counters,
        .in_place = job->in->in_place,
        .reverse = like->asks_reverse, /* a graph with closed edges may not be symmetric */
    };
    fri_begin(ctx);
    fr_solver *s = fri_calloc(ctx, sizeof *s);
    if (!s)
        return FR_NOMEM;
    s->job.strategy = job->strategy;
    s->by_auto = like->by_auto;
    s->equal_weights = like->equal_weights || like->job.sums;
    memcpy(s->job.knob, job->knob, sizeof job->knob);
    memcpy(s->job.told.note, job->told.note, sizeof job->told.note);
    fr_status status = make_solver(ctx, graph, job->in->problem, &options, s);
    if (status)
        fr_solver_free(s);
    else
        *out = s;
    return status;
}

/* What a GPU strategy and its driver keep on the host beside the scratch, of a fixed size. */
enum { GPU_STATE_BYTES = 6 << 10 };

fr_status fr_estimate_memory(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                             const fr_solver_options *options, fr_memory_estimate *out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_solver s = {0};
    fr_memory_estimate bytes = {0};
    fr_status status = FRI_SIZED_CHECK(ctx, fr_memory_estimate, out);
    if (status)
        return status;
    status = make_tuned(ctx, graph, problem, options, bind_job, &s);
    if (!status) {
        const size_t planned = planned_bytes(&s), /* SIZE_MAX: more than there is */
            beside = sizeof s + (s.job.strategy->device_bytes ? GPU_STATE_BYTES : 0) +
                     (s.job.strategy->optional_bytes ? s.job.strategy->optional_bytes(&s.job) : 0);
        bytes.host = planned + FRI_MIN(beside, SIZE_MAX - planned);
        bytes.device = s.job.strategy->device_bytes ? s.job.strategy->device_bytes(&s.job) : 0;
    }
    clear(&s);
    FRI_SIZED_WRITE(fr_memory_estimate, &bytes, out);
    return status;
}

fr_status fri_solver_auto_backend(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                                  const fr_solver_options *options, fr_backend *out) {
    fr_solver s = {0};
    const fr_solver_options asked = {.backend = options->backend,
                                     .unit_weights = options->unit_weights,
                                     .expected_queries = options->expected_queries};
    fr_status status = graph->fetch ? FR_OK : fr_graph_check(ctx, graph);
    if (status)
        return status;
    set_job(&s, ctx, graph, problem, &asked);
    status = fri_options_strategy(&s.job, &asked);
    if (!status)
        *out = s.job.strategy->backend;
    clear(&s);
    return status;
}

fr_type fr_solver_dist_type(const fr_solver *s) { return s ? s->dist_type : FR_TYPE_NONE; }
fr_backend fr_solver_backend(const fr_solver *s) {
    return s ? s->last->strategy->backend : FR_BACKEND_ANY;
}

const char *fr_solver_explain(const fr_solver *s) { return s ? s->last->told.why : NULL; }

const fr_kernel *fr_solver_kernels(const fr_solver *s, int *count) {
    const fri_job *job = s ? s->last : NULL;
    if (count)
        *count = job ? job->told.kernel_count : 0;
    return job ? job->told.kernels : NULL;
}

const fr_level *fr_solver_levels(const fr_solver *s, int64_t *count) {
    const fri_job *job = s ? s->last : NULL;
    if (count)
        *count = job ? job->told.level_count : 0;
    return job ? job->told.levels : NULL;
}
