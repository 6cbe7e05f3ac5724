/* fringe bench: every strategy of the table on the same graphs and sources, checked and timed. */
#include "fringe_tune.h"
#include "bench_lines.h"
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/commands/tuning_cache.h"
#include "cli/io/progress.h"
#include "cli/bench/report.h"
#include "suite.h"
#include "cli/traversal.h"

#include <stdlib.h>
#include <string.h>

typedef struct bench {
    session x;
    fr_problem problem;
    int32_t *sources;
    int64_t count;
    bool wrong;
    report *page;
} bench;

static fr_status measure(bench *b, traversal *t) {
    const settings *s = b->x.s;
    for (int64_t i = 0; i < b->count; i++) {
        t->query.sources = b->sources + i;
        for (int64_t w = 0; i == 0 && w < s->warmup; w++) {
            fr_status status = traversal_run(t, false, false);
            if (status)
                return status;
        }
        for (int64_t r = 0; r < s->repeat; r++) {
            fr_status status = traversal_run(t, true, false);
            if (status)
                return status;
        }
        fr_status status = traversal_run(t, false, true); /* the check, not timed */
        if (status)
            return status;
    }
    return FR_OK;
}

static void print_head(const bench *b) {
    printf("%s%s%s: %s, %s, %s from %s\n", color(stdout, "1"), fr_graph_name(b->x.graph),
           color(stdout, "0"), human_items(b->x.csr->n, "vertex", "vertices").text,
           human_items(b->x.csr->m, "edge", "edges").text, fr_problem_name(b->problem),
           human_items(b->count, "source", "sources").text);
    printf("  %-5s %-20s %8s %8s %9s %8s %8s %8s  %s\n", "where", "strategy", "first", "call",
           "traversal", "quart. 1", "quart. 3", "MTEPS", "checked");
}

static const char *verdict(const bench *b, const traversal *t, fr_status status) {
    if (!status)
        return "right";
    if (t->wrong)
        return t->message;
    return status == FR_NEGATIVE_CYCLE ? "a negative cycle is reachable"
                                       : cli_words(fr_ctx_error(b->x.ctx));
}

static void print_strategy(const bench *b, const fr_strategy_info *strategy, const traversal *t,
                           fr_status status) {
    const char *text = verdict(b, t, status);
    printf("  %-5s %-20s ", fr_backend_name(strategy->backend), strategy->name);
    if (status) {
        printf("%s%s%s\n", color(stdout, t->wrong ? "31" : "0"), text, color(stdout, "0"));
        return;
    }
    quantiles time = quantiles_of_times(t->runs, t->run_count);
    quantiles call = quantiles_of_calls(t->runs, t->run_count);
    quantiles rate = quantiles_of_rates(t->runs, t->run_count);
    printf("%8s %8s %9s %8s %8s %8.4g  %s%s%s\n", human_ns((double)t->first_ns).text,
           human_ns(call.median).text, human_ns(time.median).text, human_ns(time.quartile1).text,
           human_ns(time.quartile3).text, rate.median, color(stdout, "32"), text,
           color(stdout, "0"));
    fflush(stdout);
}

static void print_json(const bench *b, const fr_strategy_info *strategy, const traversal *t,
                       fr_status status) {
    json_t *o = json_head(&b->x);
    json_set(o, "problem", json_string(fr_problem_name(b->problem)));
    json_set(o, "strategy", json_string(strategy->name));
    json_set(o, "backend", json_string(fr_backend_name(strategy->backend)));
    json_set(o, "status", json_string(fr_status_name(status)));
    json_set(o, "verification", json_string(t->wrong ? "wrong" : status ? "not done" : "right"));
    if (status)
        json_set(o, "message", json_text(verdict(b, t, status)));
    json_set(o, "sources", json_integer(b->count));
    if (!status) {
        quantiles time = quantiles_of_times(t->runs, t->run_count);
        quantiles rate = quantiles_of_rates(t->runs, t->run_count);
        json_set(o, "prepare_ns", json_integer(t->runs[0].stats.prepare_ns));
        json_set(o, "min_ns", json_real(time.min));
        json_set(o, "median_ns", json_real(time.median));
        json_set(o, "max_ns", json_real(time.max));
        json_set(o, "mteps_median", json_real(rate.median));
        json_set(o, "mteps_harmonic_mean", json_real(rate.harmonic_mean));
        if (*t->why)
            json_set(o, "why", json_string(t->why));
        bench_put_runs(o, t);
    }
    json_line(o);
    fflush(stdout);
}

/* If a strategy cannot be used on this graph, prints the reason; the others still run. */
static int run_strategy(bench *b, const fr_strategy_info *strategy) {
    const settings *s = b->x.s;
    fr_solver_options options = {.strategy = strategy->name,
                                 .backend = strategy->backend,
                                 .dist_type = (fr_type)s->dist_type,
                                 .expected_queries = s->warmup + b->count * s->repeat};
    fr_tuning found = {0};
    if (s->tuning_cache) /* only when asked: bench compares strategies as they are */
        use_tuning_cache(&b->x, b->problem, &options, &found);
    traversal t;
    b->x.ran_on = strategy->backend; /* also where the solver cannot be made */
    fr_status status = traversal_open(&t, &b->x, b->problem, &options);
    t.query = (fr_query){.source_count = 1};
    t.wants_parents = b->problem == FR_PROBLEM_BFS;
    if (!status)
        status = measure(b, &t);
    progress_clear();
    int code = CLI_OK;
    if (status == FR_CANCELLED)
        code = cli_fail_ctx(b->x.ctx, status);
    else if (s->json)
        print_json(b, strategy, &t, status);
    else
        print_strategy(b, strategy, &t, status);
    b->wrong |= t.wrong;
    report_row_add(b->page, strategy, &t, status ? verdict(b, &t, status) : NULL);
    options = t.options;
    traversal_close(&t);
    if (!code)
        report_levels(b->page, &b->x, &options, b->sources[0], 0);
    if (!code && progress_stopped())
        code = cli_fail(FR_CANCELLED, "interrupted");
    return code;
}

static int bench_graph(const settings *s, const char *graph, report *page, bool *wrong) {
    bench b = {.page = page,
               .problem = page->problem,
               .count = s->random_sources ? s->random_sources : 16};
    fr_strategy_info strategy;
    int code = session_open(&b.x, s, graph);
    if (!code)
        code = session_random_sources(&b.x, &b.count, &b.sources);
    if (!code && !s->json)
        print_head(&b);
    if (!code)
        report_graph_begin(page, &b.x, fr_graph_name(b.x.graph), "", b.count);
    for (int i = 0;
         !code && strategy_next(s->strategies, b.problem, (fr_backend)s->backend, &i, &strategy);)
        code = run_strategy(&b, &strategy);
    *wrong |= b.wrong;
    free(b.sources);
    session_end(&b.x);
    return code;
}

int cmd_bench(const settings *s) {
    if (s->suite)
        return s->arg_count ? cli_usage("--suite and a GRAPH exclude each other")
               : strcmp(s->suite, "microbench") == 0 ? cmd_microbench(s)
                                                     : cmd_suite(s);
    if (s->arg_count == 0)
        return cli_usage("GRAPH... is missing, or --suite NAME");
    if (s->only || s->graphs || s->time_limit > 0 || s->max_regression > 0)
        return cli_usage("--only, --graphs, --time-limit and --max-regression go with --suite");
    report page;
    bool wrong = false;
    fr_problem problem = s->problem ? (fr_problem)(s->problem - 1) : FR_PROBLEM_BFS;
    int code = suite_check_strategies(s->strategies, problem, (fr_backend)s->backend);
    if (code)
        return code;
    code = report_begin(&page, s, problem);
    for (int i = 0; i < s->arg_count && !code; i++)
        code = bench_graph(s, s->args[i], &page, &wrong);
    if (!code && wrong)
        code = cli_fail(FR_VERIFY_FAILED, "a strategy gave a wrong answer");
    return report_end(&page, code);
}
