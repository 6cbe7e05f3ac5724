/* fringe cycle: a negative cycle anywhere in a graph. */
#include "cli/io/json.h"
#include "cli/io/progress.h"

#include <stdlib.h>

static fr_status find(session *x, fr_result *r, int32_t *cycle) {
    const settings *s = x->s;
    fr_solver_options options = {
        .strategy = s->strategy, .backend = (fr_backend)s->backend, .knobs = s->knobs};
    fr_status status =
        fr_negative_cycle(x->ctx, x->graph, &options, cycle, &r->cycle_length, &r->cycle_weight);
    r->cycle = cycle;
    if (status != FR_NEGATIVE_CYCLE || !s->verify)
        return status;
    status = fr_verify_cycle(x->ctx, x->graph, NULL, cycle, r->cycle_length, r->cycle_weight);
    return status ? status : FR_NEGATIVE_CYCLE;
}

static void report_none(const session *x) {
    if (x->s->json) {
        json_t *o = json_head(x);
        json_set(o, "negative_cycle", json_null());
        json_peak(o, x);
        outcome_object(o);
    } else if (!x->s->quiet)
        fprintf(x->summary_out, "no negative cycle\n");
}

static int run(session *x) {
    int32_t *cycle = cli_alloc(((size_t)x->csr->n + 1) * sizeof *cycle);
    fr_result result = {0};
    fr_status status = find(x, &result, cycle);
    int code = CLI_OK;
    progress_clear();
    if (!status)
        report_none(x);
    if (status == FR_NEGATIVE_CYCLE && x->s->json)
        json_negative_cycle(x, FR_PROBLEM_SSSP, &result);
    if (status == FR_NEGATIVE_CYCLE)
        code = cycle_fail(x, &result, false);
    else if (status)
        code = cli_fail_ctx(x->ctx, status);
    free(cycle);
    return code;
}

int cmd_cycle(const settings *s) { return session_run(s, run); }
