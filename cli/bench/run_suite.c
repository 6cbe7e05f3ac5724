/* fringe bench --suite: runs every strategy on every graph of a suite and prints JSON lines.
 *
 * If a graph cannot be made, or a strategy cannot be used, does not fit or takes too long, its line
 * has the reason in "skipped", and the others still run. The first answer of each strategy is
 * checked, which is not timed. All strategies have the same sources. --suite auto ends with the
 * regret of auto. */
#include <commit.h> /* made by the build */
#include "bench_lines.h"
#include "cli/args/suggest.h"
#include "cli/io/json.h"
#include "cli/commands/tuning_cache.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/bench/report.h"
#include "suite.h"
#include "cli/traversal.h"
#include "min_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the regret of auto on each graph: its time divided by the best other strategy's ----- */

typedef struct regret_line {
    const char *graph, *best; /* best: name of the strategy; NULL: no other has times */
    fr_backend backend;
    double auto_ns, best_ns; /* medians; 0: not measured */
} regret_line;

typedef struct regret {
    fr_problem problem;
    regret_line *line;
    int64_t count;
} regret;

static regret_line *line_of(regret *r, const char *graph, fr_backend backend) {
    for (int64_t i = 0; i < r->count; i++)
        if (r->line[i].backend == backend && strcmp(r->line[i].graph, graph) == 0)
            return &r->line[i];
    r->line = cli_realloc(r->line, (size_t)(r->count + 1) * sizeof *r->line);
    r->line[r->count] = (regret_line){.graph = graph, .backend = backend};
    return &r->line[r->count++];
}

/* Adds a strategy that ran from all sources. Keeps pointers to `graph` and the strategy's strings. */
static void regret_add(regret *r, const char *graph, const fr_strategy_info *strategy,
                       double median_ns) {
    regret_line *l = line_of(r, graph, strategy->backend);
    if (strcmp(strategy->name, "auto") == 0)
        l->auto_ns = median_ns;
    else if (!l->best || median_ns < l->best_ns) {
        l->best = strategy->name;
        l->best_ns = median_ns;
    }
}

static bool is_whole(const regret_line *l) { return l->best && l->auto_ns > 0; }

static json_t *json_of(const regret *r, fr_backend backend, const char *graph) {
    json_t *o = json_object();
    json_set(o, "suite", json_string("auto"));
    json_set(o, "kind", json_string("regret"));
    json_set(o, "problem", json_string(fr_problem_name(r->problem)));
    json_set(o, "backend", json_string(fr_backend_name(backend)));
    json_set(o, "case", json_string(graph));
    return o;
}

static void print_line(const regret *r, const regret_line *l) {
    json_t *o = json_of(r, l->backend, l->graph);
    json_set(o, "auto_ns", json_real(l->auto_ns));
    json_set(o, "best", json_string(l->best));
    json_set(o, "best_ns", json_real(l->best_ns));
    json_set(o, "factor", json_real(l->auto_ns / l->best_ns));
    json_line(o);
    fprintf(stderr, "  %-16s %10s  %10s %-16s %7.3f\n", l->graph, human_ns(l->auto_ns).text,
            human_ns(l->best_ns).text, l->best, l->auto_ns / l->best_ns);
}

/* Prints all graphs of one backend. Returns the one of the largest regret; NULL if there is
 * none. */
static const regret_line *print_backend(const regret *r, fr_backend backend) {
    const regret_line *worst = NULL;
    double log_sum = 0;
    int64_t graphs = 0;
    for (int64_t i = 0; i < r->count; i++) {
        const regret_line *l = &r->line[i];
        if (l->backend != backend || !is_whole(l))
            continue;
        if (!graphs++)
            fprintf(stderr, "%s%s, %s%s: auto / best other strategy\n", color(stderr, "1"),
                    fr_problem_name(r->problem), fr_backend_name(backend), color(stderr, "0"));
        print_line(r, l);
        log_sum += log(l->auto_ns / l->best_ns);
        if (!worst || l->auto_ns * worst->best_ns > worst->auto_ns * l->best_ns)
            worst = l;
    }
    if (!worst)
        return NULL;
    double mean = exp(log_sum / (double)graphs), max = worst->auto_ns / worst->best_ns;
    json_t *o = json_of(r, backend, "all");
    json_set(o, "graphs", json_integer(graphs));
    json_set(o, "worst", json_real(max));
    json_set(o, "worst_case", json_string(worst->graph));
    json_set(o, "geometric_mean", json_real(mean));
    json_line(o);
    fprintf(stderr, "  worst %.3f (%s), geometric mean %.3f of %lld\n", max, worst->graph, mean,
            (long long)graphs);
    return worst;
}

/* Prints JSON lines on stdout and a table on stderr. Fails if auto is slower than the best by more
 * than max_regression per cent; 0: no limit. */
static int regret_end(regret *r, double max_regression) {
    int code = CLI_OK;
    bool any = false;
    for (int backend = FR_BACKEND_CPU; backend <= FR_BACKEND_CUDA; backend++) {
        const regret_line *worst = print_backend(r, (fr_backend)backend);
        any |= worst != NULL;
        if (worst && !code && max_regression > 0 &&
            worst->auto_ns > (1 + max_regression / 100) * worst->best_ns)
            code = cli_fail(FR_VERIFY_FAILED, "auto is %.1f %% slower than %s on %s",
                            100 * (worst->auto_ns / worst->best_ns - 1), worst->best, worst->graph);
    }
    if (!any)
        code = cli_fail(FR_NOT_FOUND, "no graph has times of both auto and another strategy");
    free(r->line);
    return code;
}

/* ---- the suite ---------------------------------------------------------------------------- */

enum { SOURCES = 16, WARMUP = 1 };
static const double time_limit = 5; /* seconds per strategy */

typedef struct suite_run {
    const settings *s;
    const suite *suite;
    const suite_graph *graph;
    session x;
    json_t *head; /* members of every line of this graph */
    json_t *gpu;  /* "device" of the GPU strategies */
    int32_t *sources;
    min_work *min_work; /* [count] */
    int32_t *in_degree; /* while sources are chosen */
    int64_t count;
    bool wrong, stopped;
    report page;
    regret regret;
} suite_run;

/* ---- lines -------------------------------------------------------------------------------- */

static json_t *graph_head(const suite_run *r) {
    json_t *o = r->x.graph ? json_head(&r->x) : json_object();
    json_set(o, "version", json_string(fr_version()));
    json_set(o, "commit", json_string(FRINGE_COMMIT));
    json_set(o, "suite", json_string(r->suite->name));
    json_set(o, "case", json_string(r->graph->name));
    json_set(o, "surrogate_for", json_string(r->graph->surrogate_for));
    return o;
}

static void skip_graph(suite_run *r, const char *why) {
    json_t *o = graph_head(r);
    json_set(o, "skipped", json_string(why));
    json_line(o);
    fflush(stdout);
    report_graph_skip(&r->page, r->graph->name, why);
}

/* why: the reason if the strategy did not finish, else NULL. */
static void print_row(const suite_run *r, const fr_strategy_info *strategy,
                      const suite_variant *variant, const traversal *t, const char *why) {
    settings with = *r->s;
    with.knobs = variant ? (char *)(uintptr_t)variant->knobs : with.knobs;
    json_t *o = json_copy(r->head);
    if (!o)
        cli_no_memory();
    if (strategy->backend == FR_BACKEND_CUDA)
        json_set(o, "device", json_incref(r->gpu));
    json_set(o, "problem", json_string(fr_problem_name(strategy->problem)));
    json_set(o, "strategy", json_string(strategy->name));
    json_set(o, "backend", json_string(fr_backend_name(strategy->backend)));
    if (variant)
        json_set(o, "variant", json_string(variant->name));
    json_set(o, "knobs", json_knobs(&with, strategy->problem, strategy->name));
    json_set(o, "verification",
             json_string(t->wrong      ? "wrong"
                         : t->verified ? "right"
                                       : "not done"));
    if (t->run_count && !t->wrong)
        bench_put_times(o, t);
    if (why)
        json_set(o, t->run_count && !t->wrong ? "stopped" : "skipped", json_string(why));
    json_line(o);
    fflush(stdout);
}

/* ---- a strategy --------------------------------------------------------------------------- */

typedef struct strategy_clock {
    int64_t limit, used, last; /* ns */
} strategy_clock;

/* Solves once, timed by the strategy's clock. The check is not timed. */
static fr_status timed(traversal *t, strategy_clock *clock, bool record) {
    int64_t begin = cli_now_ns();
    progress_deadline(begin + clock->limit - clock->used);
    fr_status status = traversal_run(t, record, false);
    clock->last = cli_now_ns() - begin;
    clock->used += clock->last;
    progress_deadline(0);
    return status;
}

static bool out_of_time(const strategy_clock *clock) {
    return clock->used + clock->last > clock->limit;
}

static fr_status measure(const suite_run *r, traversal *t, strategy_clock *clock) {
    const settings *s = r->s;
    int64_t warmup = s->warmup ? s->warmup : WARMUP;
    t->query.sources = r->sources;
    for (int64_t w = 0; w < warmup && !(w && out_of_time(clock)); w++) {
        fr_status status = timed(t, clock, false);
        if (!status && w == 0)
            status = traversal_check(t);
        t->wants_parents = t->problem == FR_PROBLEM_BFS || r->suite->parents;
        if (status)
            return status;
    }
    for (int64_t i = 0; i < r->count * s->repeat; i++) {
        t->query.sources = r->sources + i % r->count;
        if (i && out_of_time(clock))
            return FR_CANCELLED;
        fr_status status = timed(t, clock, true);
        if (status)
            return status;
    }
    return FR_OK;
}

/* Why the strategy did not finish; NULL if it did, or after Ctrl-C. */
static const char *reason(suite_run *r, const traversal *t, fr_status status, char text[600]) {
    double limit = r->s->time_limit > 0 ? r->s->time_limit : time_limit;
    r->stopped = progress_stopped();
    if (!status || r->stopped)
        return NULL;
    if (t->wrong)
        snprintf(text, 600, "wrong answer: %s", t->message);
    else if (status == FR_CANCELLED)
        snprintf(text, 600, "over the time limit of %g s after %lld of %lld runs", limit,
                 (long long)t->run_count, (long long)(r->count * r->s->repeat));
    else
        snprintf(text, 600, "%s", cli_words(fr_ctx_error(r->x.ctx)));
    return text;
}

static void run_strategy(suite_run *r, const fr_strategy_info *strategy,
                         const suite_variant *variant) {
    double limit = r->s->time_limit > 0 ? r->s->time_limit : time_limit;
    fr_solver_options options = {.strategy = strategy->name,
                                 .backend = strategy->backend,
                                 .knobs = variant ? variant->knobs : NULL,
                                 .expected_queries = (r->s->warmup ? r->s->warmup : WARMUP) +
                                                     r->count * r->s->repeat};
    fr_tuning found = {0};
    if (r->s->tuning_cache)
        use_tuning_cache(&r->x, r->suite->problem, &options, &found);
    strategy_clock clock = {.limit = (int64_t)(limit * 1e9)};
    char text[600];
    traversal t;
    int64_t begin = cli_now_ns();
    progress_deadline(begin + clock.limit);
    fr_status status = traversal_open(&t, &r->x, r->suite->problem, &options);
    progress_deadline(0);
    clock.used = cli_now_ns() - begin;
    t.query = (fr_query){.source_count = 1};
    t.wants_parents = true;
    if (!status)
        status = measure(r, &t, &clock);
    progress_clear();
    const char *why = reason(r, &t, status, text);
    if (!r->stopped)
        print_row(r, strategy, variant, &t, why);
    r->wrong |= t.wrong;
    report_row_add(&r->page, strategy, &t, why);
    if (!why && !variant && t.run_count)
        regret_add(&r->regret, r->graph->name, strategy,
                   quantiles_of_times(t.runs, t.run_count).median);
    options = t.options;
    traversal_close(&t);
    if (!r->stopped)
        report_levels(&r->page, &r->x, &options, r->sources[0], clock.limit);
    r->stopped = progress_stopped();
}

/* ---- a graph ------------------------------------------------------------------------------ */

/* Records the minimum work of the traversal from each source. */
static void note_work(void *user, int64_t i, const int32_t *level) {
    suite_run *r = user;
    r->min_work[i] = min_work_of(r->x.csr, level, r->in_degree);
}

static fr_status choose_sources(suite_run *r) {
    r->count = r->s->random_sources ? r->s->random_sources : SOURCES;
    r->min_work = cli_alloc((size_t)r->count * sizeof *r->min_work);
    r->in_degree = min_work_in_degrees(r->x.csr);
    fr_status status = session_reachable_sources(&r->x, &r->count, &r->sources, note_work, r);
    free(r->in_degree);
    return status;
}

/* The file of a folder with this name and any suffix of a format and a compression. */
static char *find_file(const char *folder, const char *name) {
    static const char *const suffixes[] = {"",    ".fringe", ".mtx", ".gr",     ".graph", ".txt",
                                           ".el", ".sg",     ".tsv", ".tar.gz", NULL};
    static const char *const packed[] = {"", ".zst", ".gz", ".xz", ".bz2", NULL};
    struct stat info;
    for (int s = 0; folder && suffixes[s]; s++)
        for (int p = 0; packed[p]; p++) {
            char *path = cli_format("%s/%s%s%s", folder, name, suffixes[s], packed[p]);
            if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
                return path;
            free(path);
        }
    return NULL;
}

static fr_load_options shape_of(const settings *s, fr_problem problem, int shape) {
    enum { MIN_WEIGHT = 1, MAX_WEIGHT = 255 }; /* weights and potentials */
    fr_load_options o = s->load;
    o.weights = problem == FR_PROBLEM_BFS ? FR_WEIGHTS_NONE
                : shape & SUITE_FILE      ? FR_WEIGHTS_FILE
                : shape & SUITE_NEGATIVE  ? FR_WEIGHTS_POTENTIAL
                                          : FR_WEIGHTS_RANDOM;
    o.weight_low = MIN_WEIGHT;
    o.weight_high = o.potential_max = MAX_WEIGHT;
    o.drop_loops |= (shape & (SUITE_SIMPLE | SUITE_UNDIRECTED)) != 0;
    o.drop_parallel |= (shape & (SUITE_SIMPLE | SUITE_UNDIRECTED)) != 0;
    if (shape & SUITE_UNDIRECTED)
        o.direction = FR_DIRECTION_UNDIRECTED;
    return o;
}

/* Prints the line and returns false if the graph cannot be loaded or generated. */
static bool load(suite_run *r) {
    const suite_graph *g = r->graph;
    fr_load_options options = shape_of(r->s, r->suite->problem, g->shape);
    int64_t begin = cli_now_ns();
    fr_status status;
    if (strchr(g->graph, ':'))
        status = fr_graph_generate(r->x.ctx, g->graph, &options, &r->x.graph);
    else {
        char *path = find_file(r->s->graphs, g->graph);
        if (!path) {
            skip_graph(r, r->s->graphs ? "the --graphs folder has no such file"
                                       : "a file, which needs --graphs DIR");
            return false;
        }
        status = fr_graph_load(r->x.ctx, path, &options, &r->x.graph);
        free(path);
    }
    r->x.load_ns = cli_now_ns() - begin;
    progress_clear();
    if (!status)
        status = fr_graph_check(r->x.ctx, r->x.graph);
    if (status && !progress_stopped())
        skip_graph(r, cli_words(fr_ctx_error(r->x.ctx)));
    return !status;
}

static void run_strategies(suite_run *r) {
    fr_strategy_info strategy;
    for (int i = 0; !r->stopped && strategy_next(r->s->strategies, r->suite->problem,
                                                 (fr_backend)r->s->backend, &i, &strategy);) {
        run_strategy(r, &strategy, NULL);
        const suite_variant *v = r->suite->variants;
        for (; v && v->strategy && !r->stopped; v++)
            if (strategy.backend == FR_BACKEND_CUDA && strcmp(v->strategy, strategy.name) == 0)
                run_strategy(r, &strategy, v);
    }
}

static void run_graph(suite_run *r) {
    if (!load(r)) {
        r->stopped = progress_stopped();
        return;
    }
    r->x.csr = fr_graph_csr(r->x.graph);
    fr_status status = choose_sources(r);
    r->stopped = progress_stopped();
    if (r->stopped)
        return;
    if (status)
        skip_graph(r, cli_words(fr_ctx_error(r->x.ctx)));
    else if (!r->count)
        skip_graph(r, "none of the drawn sources reaches a tenth of the graph");
    else {
        r->head = graph_head(r);
        json_set(r->head, "sources", json_integer(r->count));
        json_set(r->head, "min_work", min_work_json(r->min_work, r->count));
        char *note = cli_format("%s (%s)", r->graph->surrogate_for, r->graph->graph);
        report_graph_begin(&r->page, &r->x, r->graph->name, note, r->count);
        free(note);
        run_strategies(r);
        json_decref(r->head);
    }
}

int cmd_suite(const settings *s) {
    suite_run r = {.s = s, .suite = suite_find(s->suite, s->problem)};
    if (!r.suite)
        return cli_usage(
            "unknown suite '%s'%s; there are gpu, gpu-sssp, bfs, sssp, smoke, smoke-sssp, auto "
            "and microbench",
            s->suite, did_you_mean(s->suite, suite_name_at, NULL, "").text);
    r.regret.problem = r.suite->problem;
    if (s->problem && s->problem != 1 + (int)r.suite->problem)
        return cli_usage("the suite '%s' is for %s", s->suite, fr_problem_name(r.suite->problem));
    if (s->max_regression > 0 && !r.suite->regret)
        return cli_usage("--max-regression goes with --suite auto");
    int code = suite_check_only(r.suite, s->only);
    if (!code)
        code = suite_check_strategies(s->strategies, r.suite->problem, (fr_backend)s->backend);
    if (code)
        return code;
    code = report_begin(&r.page, s, r.suite->problem);
    r.gpu = json_gpu_device();
    for (r.graph = r.suite->graphs; r.graph->name && !code && !r.stopped; r.graph++) {
        if (!suite_lists(s->only, r.graph->name))
            continue;
        r.count = 0;
        r.sources = NULL;
        r.min_work = NULL;
        code = session_begin(&r.x, s);
        if (!code)
            run_graph(&r);
        free(r.sources);
        free(r.min_work);
        session_end(&r.x);
    }
    json_decref(r.gpu);
    if (!code && r.stopped)
        code = progress_exit_code();
    else if (!code && r.wrong)
        code = cli_fail(FR_VERIFY_FAILED, "a strategy gave a wrong answer");
    else if (!code && r.suite->regret) {
        code = report_end(&r.page, CLI_OK);
        int regression = regret_end(&r.regret, s->max_regression);
        return code ? code : regression;
    }
    free(r.regret.line);
    return report_end(&r.page, code);
}
