/* fringe bfs, fringe sssp. */
#include "tuning_cache.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/io/result_sink.h"
#include "cli/traversal.h"

#include <stdlib.h>
#include <string.h>

/* Merged sources count as one query. */
static int64_t query_count(const settings *s, int64_t count) {
    return s->warmup + (names_sources(s) ? 1 : count) * s->repeat;
}

/* A traversal of several GPUs has one strategy. */
static const char SEVERAL_GPUS[] = "multi-device";

static fr_solver_options solver_options(const settings *s, int64_t count) {
    fr_solver_options options = session_solver_options(s);
    options.strategy = s->devices ? SEVERAL_GPUS : s->strategy;
    options.expected_queries = query_count(s, count);
    return options;
}

static int check_settings(const settings *s) {
    const bool part = s->reached_only || s->band_count;
    if (!names_sources(s) && !s->random_sources)
        return cli_usage("a source is needed: -s ID, or --sources N for random ones");
    if (s->sources.count && s->random_sources)
        return cli_usage("-s and --sources exclude each other");
    if (s->out && s->random_sources > 1)
        return cli_usage("-o holds one answer, but --sources asks for %lld",
                         (long long)s->random_sources);
    if (s->devices && s->strategy && strcmp(s->strategy, SEVERAL_GPUS) != 0)
        return cli_usage("--devices divides a traversal with the strategy %s, not %s", SEVERAL_GPUS,
                         s->strategy);
    if (s->tuning_cache && s->no_tuning_cache)
        return cli_usage("--tuning-cache and --no-tuning-cache exclude each other");
    if (s->reached_only && !s->out)
        return cli_usage("--reached-only needs -o FILE");
    if (part && s->mark_negative_cycles)
        return cli_usage("%s and --mark-negative-cycles exclude each other",
                         s->reached_only ? "--reached-only" : "several limits of --max-distance");
    if (s->coordinates && s->out && s->mark_negative_cycles)
        return cli_usage("--coordinates with -o and --mark-negative-cycles exclude each other");
    const char *formats = s->ranks                 ? "tsv npy graphalytics"
                          : part || s->coordinates ? RESULT_TABLE
                                                   : RESULT_TABLE " graphalytics";
    return result_format(s, formats) ? CLI_OK : CLI_USAGE;
}

/* Says that several sources give one answer, which those miss who want a row of each. */
static void note_merged(const session *x) {
    if (names_sources(x->s) && x->source_count > 1 && !x->s->quiet && !x->silent)
        fprintf(stderr,
                "fringe: the %s are merged: each vertex gets the %s from its nearest source; "
                "'fringe apsp%s -s' gives a row for each\n",
                human_items(x->source_count, "source", "sources").text,
                x->s->problem - 1 == FR_PROBLEM_BFS ? "level" : "distance",
                x->s->problem - 1 == FR_PROBLEM_BFS && x->csr->weights ? " --weights none" : "");
}

/* Whether the command must stop: not at a negative cycle that is only marked. */
static bool is_over(const traversal *t, fr_status status) {
    return status && !(status == FR_NEGATIVE_CYCLE && t->query.mark_negative_cycles);
}

/* All runs: every source `repeat` times. Merged sources count as one. */
static fr_status solve_all(traversal *t, const int32_t *sources, int64_t count) {
    const settings *s = t->s;
    bool merged = names_sources(s);
    int64_t groups = merged ? 1 : count;
    fr_status met = FR_OK;
    t->query.source_count = merged ? count : 1;
    for (int64_t g = 0; g < groups; g++) {
        t->query.sources = sources + g;
        for (int64_t w = 0; g == 0 && w < s->warmup; w++) {
            fr_status status = traversal_run(t, false, false);
            if (is_over(t, status))
                return status;
        }
        for (int64_t r = 0; r < s->repeat; r++) {
            fr_status status = traversal_run(t, true, s->verify);
            if (is_over(t, status))
                return status;
            met = status;
        }
    }
    return met;
}

static int finish(traversal *t, fr_status status) {
    const settings *s = t->s;
    const bool json = s->json && !t->x->silent, text = !s->json && !t->x->silent;
    progress_clear();
    if (json && (!status || status == FR_NEGATIVE_CYCLE || t->wrong))
        summary_json(t, status);
    if (status == FR_NEGATIVE_CYCLE && t->query.mark_negative_cycles && text && !s->quiet)
        summary_print(t);
    if (status == FR_NEGATIVE_CYCLE)
        return cycle_fail(t->x, &t->result, true);
    if (t->wrong)
        return cli_fail(FR_VERIFY_FAILED, "%s: wrong answer: %s", session_name(t->x), t->message);
    if (status)
        return session_fail_ctx(t->x, status);
    if (t->run_count == 1)
        hint_reached(t->x, t->runs->stats.reached);
    if (text && !s->quiet) {
        summary_print(t);
        if (t->run_count == 1 || names_sources(s)) {
            summary_bands(t);
            summary_targets(t);
        }
    }
    if (text && s->explain)
        summary_explain(t);
    return CLI_OK;
}

static int run(session *x) {
    const settings *s = x->s;
    note_merged(x);
    fr_solver_options options = solver_options(s, x->source_count);
    fr_tuning found = {0};
    if (!s->ranks)
        use_tuning_cache(x, (fr_problem)(s->problem - 1), &options, &found);
    traversal t;
    fr_status status = traversal_open(&t, x, (fr_problem)(s->problem - 1), &options);
    t.query = (fr_query){.targets = x->targets,
                         .target_count = x->target_count,
                         .parent_rule = (fr_parent_rule)s->parent_rule,
                         .mark_negative_cycles = s->mark_negative_cycles};
    query_limits(s, &t.query);
    closed_sets_use(&x->closed, NULL, &t.query);
    t.wants_parents = s->out || s->parent_rule || s->problem - 1 == FR_PROBLEM_BFS;
    if (!status)
        status = solve_all(&t, x->sources, x->source_count);
    int code = !is_over(&t, status) && s->out ? traversal_write(&t) : CLI_OK;
    code = code ? code : finish(&t, status);
    traversal_close(&t);
    return code;
}

int cmd_traverse(const settings *s) {
    int code = check_settings(s);
    if (code)
        return code;
    return session_run(s, run);
}
