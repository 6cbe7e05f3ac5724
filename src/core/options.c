#include "core/options.h"

#include "core/backend.h"
#include "core/gpu_interface.h"
#include "core/query/weight_stats.h"

#include "base/text/number.h"
#include "base/sized.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

fr_status fri_options_read(fr_ctx *ctx, const fr_solver_options *options, fr_solver_options *own,
                           fr_tuning *tuning) {
    fr_status status = FRI_SIZED_READ(ctx, fr_solver_options, options, own);
    if (status || !own->tuning)
        return status;
    status = FRI_SIZED_READ(ctx, fr_tuning, own->tuning, tuning);
    own->tuning = tuning;
    return status;
}

fr_status fri_options_dist_type(const fri_job *job, const fr_solver_options *options, fr_type *to) {
    fr_type weights = job->csr.weight_type, wanted = options->dist_type;
    fr_type usual = weights == FR_TYPE_NONE ? FR_TYPE_I32 : weights;
    *to = wanted ? wanted : usual;
    bool fits = wanted == FR_TYPE_NONE || wanted == usual ||
                (usual == FR_TYPE_I32 && wanted == FR_TYPE_I64) ||
                (usual == FR_TYPE_F32 && wanted == FR_TYPE_F64);
    if (!fits)
        return fri_fail(job->ctx, FR_INVALID,
                        "distances of type %s cannot hold sums of %s weights; %s can",
                        fr_type_name(wanted), weights ? fr_type_name(weights) : "unit",
                        usual == FR_TYPE_I32   ? "int32 and int64"
                        : usual == FR_TYPE_I64 ? "int64"
                        : usual == FR_TYPE_F32 ? "float32 and float64"
                                               : "float64");
    return FR_OK;
}

/* Explains a name that matches no strategy of the problem and the backend. FR_NO_DEVICE: a build with all
 * GPU strategies has it; else FR_INVALID. */
static fr_status no_strategy(fri_job *job, fr_backend backend, const char *name) {
    fr_strategy_info strategy = {0};
    const char *problem = fr_problem_name(job->in->problem), *other = NULL;
    const fr_status status =
        fri_strategy_left_out(job->in->problem, name) ? FR_NO_DEVICE : FR_INVALID;
    for (int i = 0; fr_strategy_get(i, &strategy); i++) {
        if (strcmp(strategy.name, name) != 0)
            continue;
        if (strategy.problem == job->in->problem && status == FR_NO_DEVICE)
            return fri_fail(job->ctx, status,
                            "strategy '%s' for %s has no implementation for %s in this build; it "
                            "runs on %s" FRI_GPU_LEFT_OUT,
                            name, problem, fr_backend_name(backend),
                            fr_backend_name(strategy.backend));
        if (strategy.problem == job->in->problem)
            return fri_fail(job->ctx, status, "strategy '%s' for %s runs on %s only", name, problem,
                            strategy.backend == FR_BACKEND_CPU ? "the CPU" : "a GPU");
        other = fr_problem_name(strategy.problem);
    }
    if (status == FR_NO_DEVICE)
        return fri_fail(job->ctx, status,
                        "strategy '%s' for %s runs on a GPU only" FRI_GPU_LEFT_OUT, name, problem);
    if (other)
        return fri_fail(job->ctx, FR_INVALID,
                        "strategy '%s' is for %s, not for %s; fr_strategy_get lists all", name,
                        other, problem);
    return fri_fail(job->ctx, FR_INVALID,
                    "unknown strategy '%.80s' for %s; fr_strategy_get lists all" FRI_GPU_LACKS,
                    name, problem);
}

#ifdef FRI_CUDA
static fri_backend_input backend_input(const fri_job *job, const fr_solver_options *options) {
    const int64_t queries = FRI_MAX(options->expected_queries, 1);
    fri_backend_input in = fri_backend_input_of(&job->csr, job->in->threads);
    in.problem = job->in->problem;
    in.queries =
        (double)(job->in->problem == FR_PROBLEM_APSP ? queries * job->in->row_capacity : queries);
    fri_backend_skip_done(&in, job->ctx, job->in->graph);
    return in;
}

/* Whether the strategy on the GPU refuses what the one on the CPU can do. */
static bool refuses(const fri_strategy *gpu, const fri_job *job, const fr_solver_options *options) {
    return (options->counters && !fri_gpu_kernels_count()) ||
           (job->csr.weight_type == FR_TYPE_I64 && (gpu->needs & FRI_REFUSES_I64));
}

/* FR_BACKEND_ANY for a strategy that both backends have. job->told.note says what was expected. */
static bool prefers_gpu(fri_job *job, const fr_solver_options *options, const fri_strategy *gpu) {
    if (options->in_place)
        return true;
    if (refuses(gpu, job, options))
        return false;
    if (job->csr_on_device_only)
        return true;
    fri_backend_input in = backend_input(job, options);
    bool faster = fri_backend_choose(&in) == FR_BACKEND_CUDA;
    if (faster && fri_gpu_open_now(job->ctx)) {
        snprintf(job->told.note, sizeof job->told.note, "on the CPU: %.200s", job->ctx->message);
        fri_begin(job->ctx);
        return false;
    }
    fri_backend_explain(&in, job->told.note, sizeof job->told.note);
    return faster;
}
#endif

fr_status fri_options_strategy(fri_job *job, const fr_solver_options *options) {
    const char *name = options->strategy ? options->strategy : "auto";
    if ((unsigned)options->backend > FR_BACKEND_CUDA)
        return fri_fail(job->ctx, FR_INVALID, "there is no backend %d", (int)options->backend);
    job->strategy = fri_strategy_find(job->in->problem, options->backend, name);
    if (!job->strategy)
        return no_strategy(job, options->backend, name);
#ifdef FRI_CUDA
    const fri_strategy *gpu = fri_strategy_find(job->in->problem, FR_BACKEND_CUDA, name);
    if (options->backend == FR_BACKEND_ANY && gpu && gpu != job->strategy &&
        prefers_gpu(job, options, gpu))
        job->strategy = gpu;
#endif
    return FR_OK;
}

static fr_status no_knob(fri_job *job, const char *text, int length) {
    const fri_strategy *strategy = job->strategy;
    char known[256] = "";
    size_t used = 0;
    for (int i = 0; strategy->knobs && strategy->knobs[i].name && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                 strategy->knobs[i].name);
    return fri_fail(job->ctx, FR_INVALID, "strategy %s has no knob '%.*s'; its knobs: %s",
                    strategy->name, length, text, used ? known : "none");
}

static bool switch_bit(const char *const *switches, const char *name, size_t length, int *bit) {
    for (*bit = 0; switches[*bit]; ++*bit)
        if (strlen(switches[*bit]) == length && strncmp(switches[*bit], name, length) == 0)
            return true;
    return false;
}

/* "a+b" -> the sum of their bits. */
static bool switch_sum(const char *const *switches, const char *text, size_t length, double *sum) {
    int64_t bits = 0;
    for (const char *end = text + length, *next;; text = next + 1) {
        int bit;
        next = memchr(text, '+', (size_t)(end - text));
        if (!switch_bit(switches, text, (size_t)((next ? next : end) - text), &bit))
            return false;
        bits |= (int64_t)1 << bit;
        if (!next)
            break;
    }
    *sum = (double)bits;
    return true;
}

bool fr_knob_value(const fr_knob *knob, const char *text, size_t length, double *value) {
    if (!knob || !text || !value)
        return false;
    char *end = NULL;
    double number = fri_parse_number(text, &end);
    bool is_number = length && end == text + length;
    if (!is_number && !(knob->switches && switch_sum(knob->switches, text, length, &number)))
        return false;
    if (!(number >= knob->low) || !(number <= knob->high) ||
        (knob->switches && number != nearbyint(number)))
        return false;
    *value = number;
    return true;
}

/* Parses one "name=value" of `length` characters. */
static fr_status set_knob(fri_job *job, const char *text, size_t length) {
    const fri_strategy *strategy = job->strategy;
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : length;
    for (int i = 0; strategy->knobs && strategy->knobs[i].name; i++) {
        const fr_knob *knob = &strategy->knobs[i];
        if (strlen(knob->name) != name_length || strncmp(knob->name, text, name_length) != 0)
            continue;
        const char *value = equals ? equals + 1 : text + length;
        if (fr_knob_value(knob, value, (size_t)(text + length - value), &job->knob[i]))
            return FR_OK;
        return fri_fail(job->ctx, FR_INVALID, "knob %s takes %sa number from %g to %g, not '%.*s'",
                        knob->name,
                        knob->switches ? "names joined by '+' (see 'fringe list') or " : "",
                        knob->low, knob->high, (int)FRI_MIN(length, 80), text);
    }
    return no_knob(job, text, (int)FRI_MIN(name_length, 80));
}

fr_status fri_options_knobs(fri_job *job, const char *text) {
    const fri_strategy *strategy = job->strategy;
    int count = 0;
    while (strategy->knobs && strategy->knobs[count].name)
        count++;
    if (count > FRI_MAX_KNOBS)
        return fri_fail(job->ctx, FR_INVALID, "strategy %s has more than %d knobs (FRI_MAX_KNOBS)",
                        strategy->name, FRI_MAX_KNOBS);
    fri_job_give(job, strategy);
    while (text && *text) {
        size_t length = strcspn(text, ",");
        fr_status status = set_knob(job, text, length);
        if (status)
            return status;
        text += length + (text[length] == ',');
    }
    return FR_OK;
}

fr_status fri_job_refuse_weights(const fri_job *job) {
    if (job->csr.weight_type == FR_TYPE_NONE)
        return FR_OK;
    return fri_fail(job->ctx, FR_UNSUPPORTED,
                    "%s counts edges; use unit weights (weights none) or multi-sssp",
                    job->strategy->name);
}

fr_status fri_options_weights(fri_job *job) {
    const fri_strategy *strategy = job->strategy;
    const fr_csr *csr = &job->csr;
    job->weight_mean = job->weight_min = job->weight_max = 1;
    job->weights_whole = true;
    if (!csr->weights || csr->m == 0)
        return FR_OK;
    fri_weight_stats stats = fri_weight_stats_of(job);
    double minimum = stats.min;
    job->weight_mean = stats.mean;
    job->weight_max = stats.max;
    job->weights_whole = stats.whole;
    job->weight_min = minimum;
    if (csr->weight_type == FR_TYPE_I64 && (strategy->needs & FRI_REFUSES_I64))
        return fri_fail(
            job->ctx, FR_UNSUPPORTED,
            "strategy %s on the GPU does not take int64 weights; johnson on the CPU does",
            strategy->name);
    if (minimum < 0 && (strategy->needs & FRI_NEEDS_NON_NEGATIVE))
        return fri_fail(job->ctx, FR_NEGATIVE_WEIGHT,
                        "the minimum weight is %g; strategy %s needs non-negative weights (%s "
                        "accepts negative ones)",
                        minimum, strategy->name,
                        strategy->problem == FR_PROBLEM_APSP ? "johnson" : "bellman-ford");
    return FR_OK;
}

bool fri_options_tuned(fr_problem problem, const fr_solver_options *options, fr_solver_options *as,
                       const char **why_not) {
    const fr_tuning *t = options->tuning;
    *why_not = NULL;
    if (!t || !*t->strategy || (options->knobs && *options->knobs) ||
        (options->strategy && strcmp(options->strategy, "auto") != 0))
        return false;
    if (t->problem != problem)
        *why_not = "it is for another problem";
    else if (options->backend != FR_BACKEND_ANY && options->backend != t->backend)
        *why_not = "it is for another backend";
    if (*why_not)
        return false;
    *as = *options;
    as->backend = t->backend;
    as->strategy = t->strategy;
    as->knobs = t->knobs;
    as->tuning = NULL;
    return true;
}

void fri_options_tuned_note(fri_job *job, const fr_tuning *t, const char *why_not) {
    char own[sizeof job->told.note];
    memcpy(own, job->told.note, sizeof own);
    const char *blank = *t->knobs ? " " : "";
    if (why_not)
        snprintf(job->told.note, sizeof job->told.note, "tuned: %s%s%.20s not used: %.*s%s%.100s",
                 t->strategy, blank, t->knobs, (int)FRI_MIN(strcspn(why_not, ";"), 120), why_not,
                 *own ? "; " : "", own);
    else if (strcmp(t->strategy, "auto") == 0 && !*t->knobs)
        snprintf(job->told.note, sizeof job->told.note,
                 "tuned: nothing measured%s was faster%s%.90s",
                 t->from_similar_graph ? " on a similar graph" : "", *own ? "; " : "", own);
    else if (*own) /* a fallback is more important than the times */
        snprintf(job->told.note, sizeof job->told.note, "tuned: %s%s%.20s; %.90s", t->strategy,
                 blank, t->knobs, own);
    else
        snprintf(job->told.note, sizeof job->told.note, "tuned: %s%s%.50s, %.3g ms %s, auto %.3g",
                 t->strategy, blank, t->knobs, (double)t->ns / 1e6,
                 t->from_similar_graph ? "on a similar graph" : "here", (double)t->auto_ns / 1e6);
}
