/* fringe path: a traversal that stops at the target, then the path along the parents. */
#include "fringe_measures.h"
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "tuning_cache.h"
#include "cli/io/progress.h"
#include "cli/io/result_sink.h"
#include "cli/traversal.h"
#include "cli/io/vertex.h"

#include <stdlib.h>
#include <string.h>

typedef struct path {
    int32_t *vertices; /* [length] from source to target; length 0: no path */
    int32_t length;
} path;

static fr_status walk_back(const traversal *t, int32_t target, path *p) {
    int32_t n = t->x->csr->n;
    p->vertices = cli_alloc((size_t)n * sizeof *p->vertices);
    return fr_path(t->x->ctx, t->answer.parent, n, target, p->vertices, &p->length);
}

/* Formats the distance; levels are the distances of unit weights. */
static text_buffer value_text(const traversal *t, int32_t v) {
    text_buffer out = {{0}};
    *fr_put_distance(out.text, t->answer.type, t->answer.value, v) = 0;
    return out;
}

static void print_path(const traversal *t, const path *p, const int32_t *ends) {
    const session *x = t->x;
    const char *what = t->problem == FR_PROBLEM_BFS ? "length" : "distance";
    if (p->length == 0) {
        fprintf(x->summary_out, "no path from %s to %s\n", VERTEX_TEXT(x->graph, ends[0]),
                VERTEX_TEXT(x->graph, ends[1]));
        return;
    }
    fprintf(x->summary_out, "%s %s over %s edge%s\n", what, value_text(t, ends[1]).text,
            human_count(p->length - 1).text, p->length == 2 ? "" : "s");
    for (int64_t i = 0; i < p->length; i++)
        fprintf(x->summary_out, "%s%s", i ? " -> " : "", VERTEX_TEXT(x->graph, p->vertices[i]));
    fputc('\n', x->summary_out);
}

static void json_path(const traversal *t, const path *p, const int32_t *ends) {
    const session *x = t->x;
    json_t *o = json_head(x), *list = json_array();
    for (int64_t i = 0; i < p->length; i++)
        json_array_append_new(list, json_vertex(x->graph, p->vertices[i]));
    bool whole = t->answer.type == FR_TYPE_I32 || t->answer.type == FR_TYPE_I64;
    double value = p->length ? answer_value(&t->answer, ends[1]) : 0;
    json_set(o, "problem", json_string(fr_problem_name(t->problem)));
    json_set(o, "strategy", json_string(t->result.stats.strategy));
    json_set(o, "why", json_string(t->why));
    json_set(o, "source", json_vertex(x->graph, ends[0]));
    json_set(o, "target", json_vertex(x->graph, ends[1]));
    json_set(o, "distance",
             !p->length ? json_null()
             : whole    ? json_integer(answer_whole(&t->answer, ends[1]))
                        : json_real(value));
    json_set(o, "edges", p->length ? json_integer(p->length - 1) : json_null());
    json_set(o, "path", list);
    json_set(o, "traverse_ns", json_integer(t->result.stats.traverse_ns));
    json_set(o, "verification", json_string(t->verified ? "right" : "not asked for"));
    json_peak(o, x);
    outcome_object(o);
}

static int write_path(const traversal *t, const path *p) {
    size_t size = fr_type_size(t->answer.type);
    char *dist = cli_alloc((size_t)p->length * size);
    for (int32_t i = 0; i < p->length; i++)
        memcpy(dist + (size_t)i * size,
               (const char *)t->answer.value + (size_t)p->vertices[i] * size, size);
    const fr_column columns[] = {
        {.name = "vertex", .kind = FR_COLUMN_VERTEX, .values = p->vertices},
        {.name = "distance", .kind = FR_COLUMN_DISTANCE, .type = t->answer.type, .values = dist}};
    int code = table_write(t->x, p->length, columns, 2);
    free(dist);
    return code;
}

static int show(const traversal *t, const int32_t *ends) {
    const settings *s = t->s;
    path p = {0};
    fr_status status = walk_back(t, ends[1], &p);
    int code = status ? cli_fail_ctx(t->x->ctx, status) : s->out ? write_path(t, &p) : CLI_OK;
    if (!code && s->json)
        json_path(t, &p, ends);
    else if (!code && !s->quiet)
        print_path(t, &p, ends);
    free(p.vertices);
    return code;
}

static int search(session *x) {
    const settings *s = x->s;
    const fr_problem problem = x->csr->weights ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS;
    const int32_t ends[] = {x->sources[0], x->targets[0]};
    fr_solver_options options = {.strategy = s->strategy,
                                 .backend = (fr_backend)s->backend,
                                 .knobs = s->knobs,
                                 .expected_queries = 1};
    fr_tuning found = {0};
    use_tuning_cache(x, problem, &options, &found);
    traversal t;
    fr_status status = traversal_open(&t, x, problem, &options);
    t.query =
        (fr_query){.sources = ends, .source_count = 1, .targets = ends + 1, .target_count = 1};
    closed_sets_use(&x->closed, NULL, &t.query);
    t.wants_parents = true;
    if (!status)
        status = traversal_run(&t, false, s->verify);
    progress_clear();
    int code = status ? session_fail(x, status, problem, &t.result) : show(&t, ends);
    traversal_close(&t);
    return code;
}

int cmd_path(const settings *s) {
    if (s->algorithm || s->coordinates || s->landmarks || s->path_count || s->pairs || s->routes ||
        s->sources_file || s->targets_file)
        return cmd_route(s);
    if (s->sources.count != 1 || s->targets.count != 1)
        return cli_usage("one source and one target are needed: -s ID -t ID");
    if (s->tuning_cache && s->no_tuning_cache)
        return cli_usage("--tuning-cache and --no-tuning-cache exclude each other");
    return result_format(s, RESULT_TABLE) ? session_run(s, search) : CLI_USAGE;
}
