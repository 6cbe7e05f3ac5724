/* Every SSSP strategy x every shape x weights x knobs x threads x queries, against the oracle.
 */
#include "conformance/queries.h"

#include <string.h>

/* Every setting of the knobs with two threads, the defaults also with one and three; where only the
 * kind of weights is another, the defaults and one setting more, of distributions (which a small `delta` makes
 * slow) the defaults alone. */
static void cross(fr_ctx *ctx, const cf_graph *g, bool unit, fr_type type, const cf_task *tasks,
                  int count) {
    cf_config c = {.g = g, .unit = unit, .dist_type = type};
    bool all = (g->weights == CF_I32 || g->weights == CF_NEGATIVE) && !unit && !type;
    const bool drawn =
        (g->weights >= CF_WIDE && g->weights <= CF_TENTHS_F64) || g->weights == CF_I64_40;
    const int last = g->large || drawn ? 0 : all ? INT32_MAX - 1 : 1;
    for (int r = 0; cf_strategy(FR_PROBLEM_SSSP, r, &c.strategy); r++) {
        if (cf_is_negative(g->weights) && !cf_takes_negative(&c.strategy))
            continue; /* refusal: test_conform_refuse */
        for (int k = 0; k <= last && cf_knobs(&c.strategy, k, c.knobs); k++)
            for (c.threads = 1; c.threads <= 3; c.threads++)
                if (cf_runs_setting(g, k) && cf_runs_threads(c.threads, k == 0 && all))
                    cf_run_tasks(ctx, &c, tasks, g->large ? (c.threads == 3 ? 1 : 3) : count);
    }
}

static void shape(fr_ctx *ctx, const cf_shape *s, cf_weights weights, bool unit, fr_type type) {
    cf_task tasks[CF_MAX_QUERIES];
    cf_graph *g = cf_graph_new(ctx, s, weights);
    if (!g) {
        cf_failures++;
        return;
    }
    int count = cf_tasks_new(g, unit, tasks);
    cross(ctx, g, unit, type, tasks, count);
    cf_report_time(cf_weights_name[weights], s->name);
    cf_tasks_free(tasks, count);
    cf_graph_free(g);
}

int main(void) {
    static const struct {
        cf_weights weights;
        bool unit;
        fr_type type;
    } kinds[] = {
        {CF_NONE, false, FR_TYPE_NONE},         {CF_I32, false, FR_TYPE_NONE},
        {CF_I32, false, FR_TYPE_I64},           {CF_I32, true, FR_TYPE_NONE},
        {CF_ZERO, false, FR_TYPE_NONE},         {CF_F32, false, FR_TYPE_NONE},
        {CF_F32, false, FR_TYPE_F64},           {CF_F64, false, FR_TYPE_NONE},
        {CF_NEGATIVE, false, FR_TYPE_NONE},     {CF_NEGATIVE, false, FR_TYPE_I64},
        {CF_HUGE, false, FR_TYPE_I64},          {CF_I64, false, FR_TYPE_NONE},
        {CF_I64, true, FR_TYPE_NONE},           {CF_I64_31, false, FR_TYPE_NONE},
        {CF_I64_53, false, FR_TYPE_NONE},       {CF_I64_62, false, FR_TYPE_NONE},
        {CF_I64_NEGATIVE, false, FR_TYPE_NONE}, {CF_WIDE, false, FR_TYPE_NONE},
        {CF_SEVENS, false, FR_TYPE_NONE},       {CF_SEVENS, false, FR_TYPE_I64},
        {CF_UNIT_F32, false, FR_TYPE_NONE},     {CF_UNIT_F64, false, FR_TYPE_NONE},
        {CF_EXPONENTIAL, false, FR_TYPE_NONE},  {CF_LOGNORMAL, false, FR_TYPE_NONE},
        {CF_TENTHS_F32, false, FR_TYPE_NONE},   {CF_TENTHS_F64, false, FR_TYPE_NONE},
        {CF_I64_40, false, FR_TYPE_NONE},
    };
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    for (const cf_shape *s = cf_shapes; s->name; s++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (!s->large || kinds[k].weights == CF_I32)
                shape(ctx, s, kinds[k].weights, kinds[k].unit, kinds[k].type);
    fr_ctx_free(ctx);
    return cf_finish("SSSP");
}
