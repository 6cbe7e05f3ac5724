/* fringe tune: finds the fastest strategy and knobs for a graph and stores them for auto. */
#include "cli/io/json.h"
#include "cli/machine.h"
#include "cli/io/number.h"
#include "tuning_cache.h"
#include "cli/io/progress.h"
#include "cli/traversal.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCES = 5 };

typedef struct tuning_run {
    session x;
    char *path; /* of the tuning cache */
    int32_t *sources;
    int64_t count;
    json_t *findings, *trials; /* NULL unless --json */
    bool empty;                /* no result for any problem and device */
} tuning_run;

/* ---- output ------------------------------------------------------------------------------- */

static bool prints(const tuning_run *r) { return !r->x.s->json && !r->x.s->quiet; }

static const char *verdict(const fr_tune_trial *t) {
    switch (t->status) {
    case FR_OK: return t->best ? "fastest so far" : "";
    case FR_CANCELLED: return "given up";
    case FR_VERIFY_FAILED: return "wrong answer";
    default: return fr_status_message(t->status);
    }
}

/* One line for each strategy with default knobs, and for each better configuration. */
static void on_trial(void *user, const fr_tune_trial *t) {
    tuning_run *r = user;
    if (r->trials)
        json_array_append_new(r->trials,
                              json_pack("{s:s, s:s, s:s, s:I, s:b}", "strategy", t->strategy,
                                        "knobs", t->knobs, "status", fr_status_name(t->status),
                                        "ns", (json_int_t)t->ns, "best", t->best));
    if (!prints(r) || (*t->knobs && !t->best && t->status != FR_VERIFY_FAILED))
        return;
    progress_clear();
    printf("  %-20s %10s  %s%s%s\n", t->strategy, t->ns ? human_ns((double)t->ns).text : "-",
           t->knobs, *t->knobs ? "  " : "", verdict(t));
    fflush(stdout);
}

static void print_finding(const tuning_run *r, const fr_tuning *t) {
    if (strcmp(t->strategy, "auto") == 0 && !*t->knobs)
        summary_line(&r->x, "found", "auto with default knobs, %s: nothing faster was found",
                     human_ns((double)t->ns).text);
    else
        summary_line(&r->x, "found", "%s%s%s, %s; auto with default knobs %s", t->strategy,
                     *t->knobs ? " " : "", t->knobs, human_ns((double)t->ns).text,
                     human_ns((double)t->auto_ns).text);
    summary_line(&r->x, "measured", "%d configuration%s of %d strateg%s%s", t->configs_tried,
                 t->configs_tried == 1 ? "" : "s", t->strategies_tried,
                 t->strategies_tried == 1 ? "y" : "ies",
                 t->strategies_skipped ? "; others were not measured, --seconds gives more time"
                                       : "");
}

static void add_finding(tuning_run *r, const fr_tuning *t, fr_status status) {
    json_t *o = json_object();
    json_set(o, "problem", json_string(fr_problem_name(t->problem)));
    json_set(o, "backend", json_string(fr_backend_name(t->backend)));
    json_set(o, "device", json_string(t->device));
    json_set(o, "status", json_string(fr_status_name(status)));
    json_set(o, "strategy", json_string(t->strategy));
    json_set(o, "knobs", json_string(t->knobs));
    json_set(o, "ns", json_integer(t->ns));
    json_set(o, "auto_ns", json_integer(t->auto_ns));
    json_set(o, "strategies", json_integer(t->strategies_tried));
    json_set(o, "strategies_left", json_integer(t->strategies_skipped));
    json_set(o, "settings", json_integer(t->configs_tried));
    json_set(o, "trials", json_incref(r->trials));
    json_array_append_new(r->findings, o);
}

/* ---- one problem on one device ------------------------------------------------------------ */

static int tune(tuning_run *r, fr_problem problem, fr_backend backend) {
    const settings *s = r->x.s;
    fr_tuning found = {0};
    fr_tune_options options = {.backend = backend,
                               .dist_type = problem == FR_PROBLEM_BFS ? 0 : (fr_type)s->dist_type,
                               .sources = r->sources,
                               .source_count = r->count,
                               .seconds = s->time_limit,
                               .trial = on_trial,
                               .trial_user = r};
    if (prints(r))
        printf("%s%s on the %s%s, from %s source%s\n", color(stdout, "1"), fr_problem_name(problem),
               backend == FR_BACKEND_CUDA ? "GPU" : "CPU", color(stdout, "0"),
               human_count(r->count).text, r->count == 1 ? "" : "s");
    if (s->json)
        r->trials = json_array();
    fr_status status = fr_tune(r->x.ctx, r->x.graph, problem, &options, &found);
    progress_clear();
    int code = !status ? CLI_OK
               : progress_stopped()
                   ? cli_fail(FR_CANCELLED, "interrupted: %s",
                              *found.strategy ? "the best configuration so far is stored"
                                              : "no result so far")
                   : cli_fail_ctx(r->x.ctx, status);
    if (*found.strategy) {
        r->empty = false;
        if (prints(r))
            print_finding(r, &found);
        fr_status kept = fr_tuning_cache_store(r->x.ctx, r->path, r->x.graph, NULL, &found);
        if (kept)
            code = cli_fail_ctx(r->x.ctx, kept);
    }
    if (s->json && *found.strategy)
        add_finding(r, &found, status);
    json_decref(r->trials);
    r->trials = NULL;
    return code;
}

/* ---- the command -------------------------------------------------------------------------- */

/* Before measuring: refuses to overwrite a file of another kind, and reports a tuning cache that
 * will be replaced. */
static int check_cache(const tuning_run *r) {
    fr_tuning found = {0};
    fr_status status =
        fr_tuning_cache_find(r->x.ctx, r->path, r->x.graph, FR_PROBLEM_BFS,
                             &(fr_solver_options){.backend = FR_BACKEND_CPU}, &found);
    if (status == FR_INVALID || status == FR_IO)
        return cli_fail_ctx(r->x.ctx, status);
    if ((status == FR_FORMAT || status == FR_UNSUPPORTED) && !r->x.s->quiet)
        fprintf(stderr, "fringe: the tuning cache will be replaced: %s\n",
                cli_words(fr_ctx_error(r->x.ctx)));
    return CLI_OK;
}

static int choose_sources(tuning_run *r) {
    const settings *s = r->x.s;
    r->count = s->sources.count;
    if (r->count)
        return session_vertices(&r->x, "source", &s->sources, &r->sources);
    int64_t wanted = s->random_sources ? s->random_sources : SOURCES;
    r->count = wanted;
    fr_status status = session_reachable_sources(&r->x, &r->count, &r->sources, NULL, NULL);
    if (status == FR_NOT_FOUND)
        return cli_exit_code(status); /* printed */
    if (status)
        return cli_fail_ctx(r->x.ctx, status);
    if (r->count)
        return CLI_OK;
    free(r->sources); /* only small components: take any vertex with edges */
    r->count = wanted;
    return session_random_sources(&r->x, &r->count, &r->sources);
}

static bool has_gpu(void) {
    gpu_report gpus;
    fr_strategy_info strategy = {0};
    machine_gpus(&gpus);
    for (int i = 0; gpus.devices > 0 && fr_strategy_get(i, &strategy); i++)
        if (strategy.backend == FR_BACKEND_CUDA)
            return true;
    return false;
}

static int tune_all(tuning_run *r) {
    const settings *s = r->x.s;
    bool gpu = s->backend == FR_BACKEND_CUDA || (s->backend == FR_BACKEND_ANY && has_gpu());
    int code = CLI_OK;
    for (int p = FR_PROBLEM_BFS; p <= FR_PROBLEM_SSSP && !code; p++) {
        bool wanted = s->problem ? s->problem - 1 == p : p == FR_PROBLEM_BFS || r->x.csr->weights;
        if (wanted && s->backend != FR_BACKEND_CUDA)
            code = tune(r, (fr_problem)p, FR_BACKEND_CPU);
        if (wanted && gpu && !code)
            code = tune(r, (fr_problem)p, FR_BACKEND_CUDA);
    }
    return code;
}

static void finish(tuning_run *r) {
    if (r->x.s->json) {
        json_t *o = json_head(&r->x);
        json_set(o, "tuning_cache", json_text(r->path));
        json_set(o, "findings", json_incref(r->findings));
        outcome_object(o);
    } else if (prints(r) && !r->empty)
        summary_line(&r->x, "cache file", "%s", r->path);
}

int cmd_tune(const settings *s) {
    if (s->sources.count && s->random_sources)
        return cli_usage("-s and --sources exclude each other");
    if (s->sources.count > FR_TUNE_MAX_SOURCES || s->random_sources > FR_TUNE_MAX_SOURCES)
        return cli_usage("at most %d sources are allowed", FR_TUNE_MAX_SOURCES);
    tuning_run r = {.path = tuning_cache_path(s, true), .empty = true};
    if (!r.path)
        return cli_usage("neither XDG_CACHE_HOME nor HOME is set: give --tuning-cache FILE");
    r.findings = s->json ? json_array() : NULL;
    int code = session_open(&r.x, s, s->args[0]);
    if (!code && s->tuning_cache) /* the folder of the default is made */
        code = session_check_output(r.path);
    if (!code)
        code = check_cache(&r);
    if (!code)
        code = choose_sources(&r);
    if (!code && prints(&r))
        summary_graph(&r.x);
    if (!code)
        code = tune_all(&r);
    if (r.sources && (!code || !r.empty))
        finish(&r);
    json_decref(r.findings);
    free(r.sources);
    free(r.path);
    session_end(&r.x);
    return code;
}
