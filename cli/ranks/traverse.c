/* fringe bfs --ranks, fringe sssp --ranks. */
#include "ranks.h"

#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/io/vertex.h"
#include "cli/traversal.h"

#include <stdlib.h>
#include <string.h>

typedef struct traversal_on_ranks {
    ranks r;
    ranks_answer a;
    int64_t *sources; /* vertices */
    int64_t count;    /* of traversals */
    run_record *runs; /* [count] */
    bool verified;
    int64_t write_ns;
} run;

/* ---- sources ------------------------------------------------------------------------------- */

static int find_sources(run *t) {
    const settings *s = t->r.x.s;
    t->count = s->sources.count ? s->sources.count : s->random_sources;
    t->sources = cli_alloc((size_t)t->count * sizeof *t->sources);
    for (int64_t i = 0; i < s->sources.count; i++) {
        const char *word = s->sources.words[i];
        int64_t id;
        if (!id_read(word, &id))
            return t->r.first ? cli_usage("--source takes ID[,ID...], not '%s'", word) : CLI_USAGE;
        t->sources[i] = fr_part_vertex(t->r.part, id);
        if (t->sources[i] < 0) /* every rank sees the same */
            return t->r.first ? cli_fail(FR_NOT_FOUND, "%s: no vertex has the id %s (source)",
                                         s->args[0], word)
                              : cli_exit_code(FR_NOT_FOUND);
    }
    if (s->sources.count)
        return CLI_OK;
    fr_status status =
        fr_part_draw_sources(t->r.x.ctx, t->r.part, s->load.seed, &t->count, t->sources);
    if (status)
        return ranks_fail(&t->r, status);
    if (t->count)
        return CLI_OK;
    return t->r.first
               ? cli_fail(FR_NOT_FOUND, "%s: no vertex has an edge to another vertex", s->args[0])
               : cli_exit_code(FR_NOT_FOUND);
}

/* ---- traversals ---------------------------------------------------------------------------- */

static void record(run *t, int64_t i) {
    const fr_part_result *r = &t->a.result;
    double edges = (double)r->reached_edges / (t->r.stats.undirected ? 2 : 1);
    int64_t ns = r->traverse_ns > 0 ? r->traverse_ns : 1;
    t->runs[i] = (run_record){.source = (int32_t)t->a.query.sources[0],
                              .ns = ns,
                              .call_ns = ns,
                              .mteps = edges * 1e3 / (double)ns};
}

/* Sources that -s names are merged into one traversal. */
static fr_status solve_all(run *t) {
    const settings *s = t->r.x.s;
    bool merged = s->sources.count > 0;
    int64_t runs = merged ? 1 : t->count;
    t->a.query.source_count = merged ? t->count : 1;
    t->runs = cli_alloc((size_t)runs * sizeof *t->runs);
    fr_status status = FR_OK;
    for (int64_t i = 0; i < runs && !status; i++) {
        t->a.query.sources = t->sources + i;
        status = fr_part_solve(t->a.solver, &t->a.query, &t->a.result);
        if (!status)
            record(t, i);
        if (!status && s->verify)
            status = fr_part_verify(t->r.x.ctx, t->r.part, t->a.problem, &t->a.query, &t->a.result);
    }
    t->count = runs;
    t->verified = s->verify && !status;
    return status;
}

static fr_status write_answer(run *t) {
    const settings *s = t->r.x.s;
    int64_t begin = cli_now_ns();
    fr_status status =
        fr_part_write(t->r.x.ctx, t->r.part, t->a.problem, &t->a.result, s->out, s->format);
    t->write_ns = cli_now_ns() - begin;
    return status;
}

/* ---- the summary, on rank 0 ------------------------------------------------------------------ */

static double largest_share(const fr_part_stats *f, int ranks_count) {
    return f->m ? (double)f->max_edges * ranks_count / (double)f->m : 1;
}

static void print_graph(const run *t) {
    const session *x = &t->r.x;
    const fr_part_stats *f = &t->r.stats;
    int size = fr_world_size(t->r.world), threads = fr_ctx_threads(x->ctx);
    summary_line(x, "graph", "%s", x->s->args[0]);
    summary_line(x, "size", "%s, %s %s %s, %s weights",
                 human_items(f->n, "vertex", "vertices").text, human_count(f->m).text,
                 f->undirected ? "stored (undirected)" : "directed", f->m == 1 ? "edge" : "edges",
                 f->weight_type ? fr_type_name(f->weight_type) : "no");
    summary_line(x, "ranks",
                 "%d, %d on this host, %d thread%s%s each; the largest has %.3g of the "
                 "mean edges",
                 size, fr_world_host_ranks(t->r.world), threads, threads == 1 ? "" : "s",
                 x->s->backend == FR_BACKEND_CUDA ? " and a GPU" : "", largest_share(f, size));
    summary_line(x, "loaded in", "%s, then divided in %s", human_ns((double)f->read_ns).text,
                 human_ns((double)f->build_ns).text);
}

static void print_runs(const run *t) {
    const session *x = &t->r.x;
    const fr_part_result *r = &t->a.result;
    if (t->count > 1) {
        quantiles rate = quantiles_of_rates(t->runs, t->count);
        quantiles time = quantiles_of_times(t->runs, t->count);
        summary_line(x, "runs", "%s", human_count(t->count).text);
        summary_line(x, "time", "min %s, median %s, max %s", human_ns(time.min).text,
                     human_ns(time.median).text, human_ns(time.max).text);
        summary_line(x, "MTEPS", "min %.4g, median %.4g, max %.4g, harmonic mean %.4g", rate.min,
                     rate.median, rate.max, rate.harmonic_mean);
        return;
    }
    double share = t->r.stats.n ? 100.0 * (double)r->reached / (double)t->r.stats.n : 0;
    summary_line(x, "source", "%lld%s", (long long)fr_part_id(t->r.part, t->runs[0].source),
                 t->a.query.source_count > 1 ? " and others, merged" : "");
    summary_line(x, "reached", "%s (%.3g %%), %s %d",
                 human_items(r->reached, "vertex", "vertices").text, share,
                 t->a.problem == FR_PROBLEM_BFS ? "deepest level" : "rounds", r->levels);
    summary_line(x, "time", "%s traversing", human_ns((double)t->runs[0].ns).text);
    summary_line(x, "rate", "%.4g MTEPS, %s examined", t->runs[0].mteps,
                 human_items(r->edges_examined, "edge", "edges").text);
    summary_line(x, "received", "%s by this rank", human_bytes((double)r->bytes_received).text);
}

/* How ranks received the frontier. */
static const char *form_of(const run *t, const fr_part_level *l) {
    const char *dense = t->a.problem == FR_PROBLEM_BFS ? "bitmap" : "dense";
    return l->bitmap ? dense : "list";
}

static void explain(const run *t) {
    int64_t count;
    const fr_part_level *levels = fr_part_levels(t->a.solver, &count);
    FILE *out = t->r.x.summary_out;
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

static void print_json(const run *t) {
    const fr_part_stats *f = &t->r.stats;
    const fr_part_result *r = &t->a.result;
    json_t *o = json_object(), *runs = json_array();
    json_set(o, "version", json_string(fr_version()));
    json_set(o, "command", json_string(t->r.x.s->command->name));
    json_set(o, "graph", json_string(t->r.x.s->args[0]));
    json_set(o, "vertices", json_integer(f->n));
    json_set(o, "edges", json_integer(f->m));
    json_set(o, "undirected", json_boolean(f->undirected));
    json_set(o, "ranks", json_integer(fr_world_size(t->r.world)));
    json_set(o, "ranks_on_host", json_integer(fr_world_host_ranks(t->r.world)));
    json_set(o, "threads", json_integer(fr_ctx_threads(t->r.x.ctx)));
    json_set(o, "backend", json_string(t->r.x.s->backend == FR_BACKEND_CUDA ? "cuda" : "cpu"));
    json_set(o, "max_edges", json_integer(f->max_edges));
    json_set(o, "read_ns", json_integer(f->read_ns));
    json_set(o, "build_ns", json_integer(f->build_ns));
    json_set(o, "reached", json_integer(r->reached));
    json_set(o, "reached_edges", json_integer(r->reached_edges));
    json_set(o, "edges_examined", json_integer(r->edges_examined));
    json_set(o, "bytes_received", json_integer(r->bytes_received));
    json_set(o, "levels", json_integer(r->levels));
    json_set(o, "verification", json_string(t->verified ? "right" : "not asked for"));
    for (int64_t i = 0; i < t->count; i++)
        json_array_append_new(runs, json_pack("{s:I, s:I, s:f}", "source",
                                              (json_int_t)fr_part_id(t->r.part, t->runs[i].source),
                                              "traverse_ns", (json_int_t)t->runs[i].ns, "mteps",
                                              t->runs[i].mteps));
    json_set(o, "runs", runs);
    outcome_object(o);
}

static void print_all(const run *t) {
    const settings *s = t->r.x.s;
    progress_clear();
    if (s->json) {
        print_json(t);
        return;
    }
    if (!s->quiet) {
        print_graph(t);
        print_runs(t);
        if (t->verified)
            summary_line(&t->r.x, "verified", "every answer is right");
        if (s->out)
            summary_line(&t->r.x, "written", "%s in %s", s->out,
                         human_ns((double)t->write_ns).text);
    }
    if (s->explain)
        explain(t);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int traverse(run *t) {
    const settings *s = t->r.x.s;
    int code = find_sources(t);
    if (code)
        return code;
    fr_status status = ranks_answer_open(&t->r, (fr_problem)(s->problem - 1), &t->a);
    if (!status)
        status = solve_all(t);
    if (!status && s->out)
        status = write_answer(t);
    if (status)
        return ranks_fail(&t->r, status);
    if (t->r.first)
        print_all(t);
    return CLI_OK;
}

int cmd_ranks_traverse(const settings *s) {
    run t = {0};
    int code = ranks_check(s);
    if (code)
        return code;
    code = ranks_open(&t.r, s);
    if (!code)
        code = ranks_load(&t.r, s->args[0]);
    if (!code)
        code = traverse(&t);
    ranks_answer_close(&t.a);
    free(t.sources);
    free(t.runs);
    ranks_close(&t.r);
    return code;
}
