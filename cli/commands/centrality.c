/* fringe centrality: betweenness, closeness, harmonic centrality, eccentricity, diameter. */
#include "fringe_measures.h"
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/io/result_sink.h"
#include "cli/traversal.h"
#include "cli/io/vertex.h"

#include <stdlib.h>

enum { TOP = 10 };

typedef struct centrality {
    double *score;    /* [count]; NULL for the diameter */
    double *harmonic; /* [count], of both measures in one pass, or NULL */
    int32_t first, count;
    double error_bound, diameter, radius;
    int64_t passes; /* eccentricity, diameter */
    int64_t ns;
} centrality;

static bool is_extent(const settings *s) {
    return s->measure == MEASURE_ECCENTRICITY || s->measure == MEASURE_DIAMETER;
}

static bool is_distance(const settings *s) {
    return s->measure == MEASURE_CLOSENESS || s->measure == MEASURE_HARMONIC ||
           s->measure == MEASURE_BOTH;
}

/* The name of the first score. */
static const char *name_of(const settings *s) {
    return measures[s->measure == MEASURE_BOTH ? MEASURE_CLOSENESS : s->measure].name;
}

static fr_status measure_distances(session *x, const centrality *c) {
    const settings *s = x->s;
    fr_distance_centrality_options options = FR_INIT(fr_distance_centrality_options);
    options.backend = settings_backend(s);
    options.reached_only = s->reached_only;
    options.first = c->first;
    options.count = s->vertex_count;
    options.checkpoint = s->checkpoint;
    options.checkpoint_vertices = s->checkpoint_every;
    const bool is_harmonic = s->measure == MEASURE_HARMONIC;
    return fr_distance_centrality(x->ctx, x->graph, &options, is_harmonic ? NULL : c->score,
                                  is_harmonic ? c->score : c->harmonic);
}

static fr_status measure(session *x, centrality *c) {
    const settings *s = x->s;
    if (is_distance(s))
        return measure_distances(x, c);
    fr_betweenness_options options = FR_INIT(fr_betweenness_options);
    options.normalized = s->normalized;
    options.samples = s->samples;
    options.seed = s->load.seed;
    options.backend = (fr_backend)s->backend;
    switch (s->measure) {
    case MEASURE_BETWEENNESS:
        return fr_betweenness(x->ctx, x->graph, &options, c->score, &c->error_bound);
    default:
        return fr_eccentricity(x->ctx, x->graph, options.backend, c->score, &c->diameter,
                               &c->radius, &c->passes);
    }
}

static int compute(session *x, centrality *c) {
    const int64_t n = x->csr->n, first = x->s->first_vertex, asked = x->s->vertex_count;
    if (first > n || asked > n - first)
        return cli_usage("--first and --count name vertices that the graph lacks; it has %lld",
                         (long long)n);
    c->first = (int32_t)first;
    c->count = (int32_t)(asked ? asked : n - first);
    if (x->s->measure != MEASURE_DIAMETER)
        c->score = cli_alloc(((size_t)c->count + 1) * sizeof *c->score);
    if (x->s->measure == MEASURE_BOTH)
        c->harmonic = cli_alloc(((size_t)c->count + 1) * sizeof *c->harmonic);
    int64_t begin = cli_now_ns();
    fr_status status = measure(x, c);
    x->ran_on = fr_ctx_call_backend(x->ctx);
    c->ns = cli_now_ns() - begin;
    progress_clear();
    return status ? cli_fail_ctx(x->ctx, status) : CLI_OK;
}

/* The vertices of the highest score, from c->first on, of equal ones the smallest; returns how many. */
static int find_top(const centrality *c, const double *score, int32_t top[TOP]) {
    int count = 0;
    for (int32_t v = 0; score && v < c->count; v++) {
        if (count == TOP && score[v] <= score[top[TOP - 1]])
            continue;
        int at = count < TOP ? count++ : TOP - 1;
        for (; at > 0 && score[v] > score[top[at - 1]]; at--)
            top[at] = top[at - 1];
        top[at] = v;
    }
    return count;
}

static text_buffer text_of(double value) {
    text_buffer out = {{0}};
    *fr_put_double(out.text, value) = 0;
    return out;
}

static void report_top(const session *x, const centrality *c, const char *name,
                       const double *score) {
    int32_t top[TOP];
    const int count = find_top(c, score, top);
    for (int i = 0; i < count; i++)
        summary_line(x, i ? "" : name, "%s of vertex %s", text_of(score[top[i]]).text,
                     VERTEX_TEXT(x->graph, c->first + top[i]));
}

static void report(const session *x, const centrality *c) {
    summary_graph(x);
    if (is_extent(x->s)) {
        summary_line(x, "diameter", "%s", text_of(c->diameter).text);
        summary_line(x, "radius", "%s", text_of(c->radius).text);
        summary_line(x, "traversals", "%s", human_count(c->passes).text);
    }
    if (c->error_bound > 0)
        summary_line(x, "error", "at most %.3g for all vertices, with a probability of 95 %%",
                     c->error_bound);
    report_top(x, c, name_of(x->s), c->score);
    report_top(x, c, "harmonic", c->harmonic);
    summary_line(x, "time", "%s", human_ns((double)c->ns).text);
}

static json_t *json_top(const session *x, const centrality *c, const double *score) {
    int32_t top[TOP];
    json_t *rows = json_array();
    const int count = find_top(c, score, top);
    for (int i = 0; i < count; i++)
        json_array_append_new(rows, json_pack("{s:o, s:f}", "vertex",
                                              json_vertex(x->graph, c->first + top[i]), "score",
                                              score[top[i]]));
    return rows;
}

static void report_json(const session *x, const centrality *c) {
    json_t *o = json_head(x);
    json_set(o, "measure", json_string(measures[x->s->measure].name));
    if (x->s->measure == MEASURE_BETWEENNESS) {
        json_set(o, "normalized", json_boolean(x->s->normalized));
        json_set(o, "samples", json_integer(x->s->samples));
        json_set(o, "error_bound", json_real(c->error_bound));
    }
    if (is_extent(x->s)) {
        json_set(o, "diameter", json_real(c->diameter));
        json_set(o, "radius", json_real(c->radius));
        json_set(o, "traversals", json_integer(c->passes));
    }
    if (c->score)
        json_set(o, "top", json_top(x, c, c->score));
    if (c->harmonic)
        json_set(o, "top_harmonic", json_top(x, c, c->harmonic));
    json_set(o, "compute_ns", json_integer(c->ns));
    json_peak(o, x);
    outcome_object(o);
}

static int write_scores(const session *x, const centrality *c) {
    int32_t *vertices = cli_alloc(((size_t)c->count + 1) * sizeof *vertices);
    for (int32_t i = 0; i < c->count; i++)
        vertices[i] = c->first + i;
    const fr_column columns[] = {{.name = "vertex", .kind = FR_COLUMN_VERTEX, .values = vertices},
                                 {.name = name_of(x->s), .type = FR_TYPE_F64, .values = c->score},
                                 {.name = "harmonic", .type = FR_TYPE_F64, .values = c->harmonic}};
    const int code = table_write(x, c->count, columns, c->harmonic ? 3 : 2);
    free(vertices);
    return code;
}

/* Refuses an option that the measure would ignore. */
static int check(const settings *s) {
    if ((s->samples || s->normalized) && s->measure != MEASURE_BETWEENNESS)
        return cli_usage("--samples and --normalized are for --measure betweenness");
    if (s->reached_only && s->measure != MEASURE_CLOSENESS && s->measure != MEASURE_BOTH)
        return cli_usage("--reached-only is for --measure closeness");
    if ((s->first_vertex || s->vertex_count || s->checkpoint || s->devices) && !is_distance(s))
        return cli_usage("--first, --count, --checkpoint and --devices are for --measure "
                         "closeness, harmonic or both");
    if (s->checkpoint_every && !s->checkpoint)
        return cli_usage("--checkpoint-every needs --checkpoint");
    if (s->out && s->measure == MEASURE_DIAMETER)
        return cli_usage(
            "the diameter has no value per vertex; --measure eccentricity writes them");
    return result_format(s, RESULT_TABLE) ? CLI_OK : CLI_USAGE;
}

static int run(session *x) {
    centrality c = {0};
    int code = compute(x, &c);
    if (!code && x->s->out)
        code = write_scores(x, &c);
    if (!code && x->s->json)
        report_json(x, &c);
    else if (!code && !x->s->quiet)
        report(x, &c);
    free(c.score);
    free(c.harmonic);
    return code;
}

int cmd_centrality(const settings *s) {
    int code = check(s);
    return code ? code : session_run(s, run);
}
