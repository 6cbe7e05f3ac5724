/* A traversal on ranks, and what the summary says of ranks alone. */
#include "ranks.h"

#include "cli/io/json.h"
#include "cli/io/number.h"

#include <stdlib.h>

/* ---- a traversal --------------------------------------------------------------------------- */

fr_status ranks_solver_new(traversal *t) {
    const ranks *r = t->x->ranks;
    const bool bfs = t->problem == FR_PROBLEM_BFS;
    const size_t own = (size_t)r->stats.own;
    part_answer *a = t->part = cli_alloc(sizeof *t->part);
    a->result.parent = cli_alloc(own * sizeof *a->result.parent);
    a->result.level = bfs ? cli_alloc(own * sizeof *a->result.level) : NULL;
    a->result.dist = bfs ? NULL : cli_alloc(own * sizeof(int64_t));
    t->answer.type = bfs ? FR_TYPE_I32 : r->stats.dist_type;
    return fr_part_solver_new(t->x->ctx, r->part, t->problem, &a->solver);
}

fr_status ranks_solve(traversal *t) {
    part_answer *a = t->part;
    const int64_t count = t->query.source_count;
    a->sources = cli_realloc(a->sources, (size_t)count * sizeof *a->sources);
    for (int64_t i = 0; i < count; i++)
        a->sources[i] = t->query.sources[i];
    a->query = (fr_part_query){.sources = a->sources, .source_count = count};
    const fr_status status = fr_part_solve(a->solver, &a->query, &a->result);
    t->result.stats = (fr_stats){.strategy = "ranks",
                                 .traverse_ns = a->result.traverse_ns,
                                 .call_ns = a->result.traverse_ns,
                                 .prepare_ns = t->made_ns,
                                 .reached = a->result.reached,
                                 .reached_edges = a->result.reached_edges,
                                 .edges_examined = a->result.edges_examined,
                                 .levels = a->result.levels};
    return status;
}

fr_status ranks_verify(traversal *t) {
    return fr_part_verify(t->x->ctx, t->x->ranks->part, t->problem, &t->part->query,
                          &t->part->result);
}

fr_status ranks_write(traversal *t) {
    return fr_part_write(t->x->ctx, t->x->ranks->part, t->problem, &t->part->result, t->s->out,
                         t->s->format);
}

void ranks_solver_free(traversal *t) {
    part_answer *a = t->part;
    if (!a)
        return;
    fr_part_solver_free(a->solver);
    free(a->result.parent);
    free(a->result.level);
    free(a->result.dist);
    free(a->sources);
    free(a);
}

/* ---- the summary --------------------------------------------------------------------------- */

void ranks_summary(const session *x) {
    const fr_part_stats *f = &x->ranks->stats;
    int size = fr_world_size(x->ranks->world), threads = fr_ctx_threads(x->ctx);
    summary_line(x, "ranks",
                 "%d, %d on this host, %d thread%s%s each; the largest has %.3g of the "
                 "mean edges",
                 size, fr_world_host_ranks(x->ranks->world), threads, threads == 1 ? "" : "s",
                 x->ran_on == FR_BACKEND_CUDA ? " and a GPU" : "",
                 f->m ? (double)f->max_edges * size / (double)f->m : 1);
    summary_line(x, "loaded in", "%s, then divided in %s", human_ns((double)f->read_ns).text,
                 human_ns((double)f->build_ns).text);
}

/* How ranks received the frontier. */
static const char *form_of(const traversal *t, const fr_part_level *l) {
    const char *dense = t->problem == FR_PROBLEM_BFS ? "bitmap" : "dense";
    return l->bitmap ? dense : "list";
}

void ranks_explain(const traversal *t) {
    int64_t count;
    const fr_part_level *levels = fr_part_levels(t->part->solver, &count);
    FILE *out = t->x->summary_out;
    fprintf(out, "%7s  %-8s %15s  %-8s %12s %10s %10s %8s\n", "level", "method", "found", "sent as",
            "received", "time", "work", "max/mean");
    for (int64_t i = 0; i < count; i++) {
        const fr_part_level *l = &levels[i];
        fprintf(out, "%7lld  %-8s %15s  %-8s %12s %10s %10s %8.3g\n", (long long)i, l->method,
                human_count(l->frontier).text, form_of(t, l),
                human_bytes((double)l->bytes_received).text, human_ns((double)l->ns).text,
                human_ns((double)l->work_ns).text,
                l->mean_work_ns ? (double)l->work_ns / (double)l->mean_work_ns : 1);
    }
}

json_t *ranks_json(const session *x) {
    const fr_part_stats *f = &x->ranks->stats;
    json_t *o = json_object();
    json_set(o, "version", json_string(fr_version()));
    json_set(o, "command", json_string(x->s->command->name));
    json_set(o, "graph", json_string(session_name(x)));
    json_set(o, "vertices", json_integer(f->n));
    json_set(o, "edges", json_integer(f->m));
    json_set(o, "undirected", json_boolean(f->undirected));
    json_set(o, "ranks", json_integer(fr_world_size(x->ranks->world)));
    json_set(o, "ranks_on_host", json_integer(fr_world_host_ranks(x->ranks->world)));
    json_set(o, "threads", json_integer(fr_ctx_threads(x->ctx)));
    json_set(o, "backend", json_string(x->ran_on == FR_BACKEND_CUDA ? "cuda" : "cpu"));
    json_set(o, "max_edges", json_integer(f->max_edges));
    json_set(o, "read_ns", json_integer(f->read_ns));
    json_set(o, "build_ns", json_integer(f->build_ns));
    return o;
}
