/* The summary of a run, as text and as JSON. */
#include "fringe_tune.h"
#include "json.h"
#include "number.h"
#include "progress.h"
#include "cli/ranks/ranks.h"
#include "cli/traversal.h"
#include "cli/io/vertex.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void summary_line(const session *x, const char *name, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(x->summary_out, "%s%-11s%s ", color(x->summary_out, "1"), name,
            color(x->summary_out, "0"));
    vfprintf(x->summary_out, format, args);
    fputc('\n', x->summary_out);
    va_end(args);
}

void summary_loaded(const session *x) {
    if (x->generated)
        summary_line(x, "generated", "in %s", human_ns((double)x->load_ns).text);
    else
        summary_line(x, "loaded in", "%s", human_ns((double)x->load_ns).text);
    if (x->cached)
        summary_line(x, "cached in", "%s.fringe-cache", session_name(x));
}

void summary_graph(const session *x) {
    const fr_csr *c = x->csr;
    const char *weights = c->weight_type ? fr_type_name(c->weight_type) : "no";
    summary_line(x, "graph", "%s", session_name(x));
    summary_line(x, "size", "%s, %s %s %s, %s weights",
                 human_items(c->n, "vertex", "vertices").text, human_count(c->m).text,
                 session_undirected(x) ? "stored (undirected)" : "directed",
                 c->m == 1 ? "edge" : "edges", weights);
    if (x->closed.vertices || x->closed.edges[0])
        summary_line(x, "closed", "%s, %s",
                     human_items(x->closed.vertex_count, "vertex", "vertices").text,
                     human_items(x->closed.edge_count, "edge", "edges").text);
    if (x->ranks)
        ranks_summary(x);
    else
        summary_loaded(x);
}

void summary_verified(const session *x, const char *what) {
    summary_line(x, "verified", "%s%s%s", color(x->summary_out, "32"), what,
                 color(x->summary_out, "0"));
}

void summary_note(const session *x) {
    const char *note = fr_graph_note(x->graph);
    if (note)
        summary_line(x, "note", "%s", cli_words(note));
}

void summary_counts(const session *x, const fr_stats *stats) {
    char text[512] = "";
    size_t used = 0;
    for (int kind = 0; kind < FR_COUNTER_COUNT; kind++)
        if (stats->counter_mask >> kind & 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", used ? ", " : "",
                                     fr_counter_name((fr_counter)kind),
                                     human_count(stats->counters[kind]).text);
    if (used)
        summary_line(x, "counted", "%s", text);
}

void summary_histogram(const session *x, const char *what, const char *counted,
                       const int64_t *bins) {
    /* columns before the bars; columns of the longest bar */
    enum { LABELS = 38, MAX_COLUMNS = 40 };
    int last = 0, capacity = screen_width(x->summary_out) - LABELS,
        width = capacity < MAX_COLUMNS ? capacity : MAX_COLUMNS;
    int64_t max_count = 1;
    for (int k = 0; k < FR_DEGREE_BINS; k++) {
        last = bins[k] ? k : last;
        max_count = bins[k] > max_count ? bins[k] : max_count;
    }
    fprintf(x->summary_out, "\n%22s  %12s%s\n", what, counted,
            width < 20 ? "" : "  (length: log scale)");
    for (int k = 0; k <= last; k++) {
        int64_t count = bins[k], low = k ? (int64_t)1 << (k - 1) : 0;
        char range[112], cells[MAX_COLUMNS + 1];
        if (k < 2)
            snprintf(range, sizeof range, "%lld", (long long)low);
        else
            snprintf(range, sizeof range, "%s..%s", human_count(low).text,
                     human_count(2 * low - 1).text);
        double part = count ? log2((double)count + 1) / log2((double)max_count + 1) : 0;
        int length = count ? (int)ceil(part * width) : 0;
        memset(cells, '#', (size_t)length);
        cells[length] = 0;
        fprintf(x->summary_out, "%22s  %12s%s%s%s%s\n", range, human_count(count).text,
                length ? "  " : "", color(x->summary_out, "36"), cells, color(x->summary_out, "0"));
    }
}

json_t *json_counts(const fr_stats *stats) {
    json_t *object = json_object();
    for (int kind = 0; kind < FR_COUNTER_COUNT; kind++)
        if (stats->counter_mask >> kind & 1)
            json_set(object, fr_counter_name((fr_counter)kind),
                     json_integer(stats->counters[kind]));
    return object;
}

/* A vertex as users see it; ranks have integers. */
static const char *source_text(const session *x, int32_t v, vertex_text_buffer *buffer) {
    if (!x->ranks)
        return vertex_text(x->graph, v, buffer);
    *fr_put_int64(buffer->text, fr_part_id(x->ranks->part, v)) = 0;
    return buffer->text;
}

static json_t *json_source(const session *x, int32_t v) {
    return x->ranks ? json_integer(fr_part_id(x->ranks->part, v)) : json_vertex(x->graph, v);
}

/* ", one thread", ", 2 threads" or ", GPU". */
text_buffer summary_where(const session *x, const fr_stats *stats) {
    text_buffer where = {", GPU"};
    if (x->ranks)
        *where.text = 0;
    else if (stats->threads == 1)
        where = (text_buffer){", one thread"};
    else if (stats->threads)
        snprintf(where.text, sizeof where.text, ", %d threads", (int)stats->threads);
    return where;
}

static void print_one(const traversal *t, const run_record *r) {
    const session *x = t->x;
    double share = x->csr->n ? 100.0 * (double)r->stats.reached / x->csr->n : 0;
    vertex_text_buffer buffer;
    summary_line(x, "source", "%s%s", source_text(x, r->source, &buffer),
                 t->query.source_count > 1 ? " and others, merged" : "");
    summary_line(x, "reached", "%s (%.3g %%), %s %d",
                 human_items(r->stats.reached, "vertex", "vertices").text, share,
                 t->problem == FR_PROBLEM_BFS ? "deepest level" : "rounds", r->stats.levels);
    summary_line(x, "time", "%s%s; %s preparing", human_ns((double)r->ns).text,
                 summary_where(x, &r->stats).text, human_ns((double)r->stats.prepare_ns).text);
    summary_line(x, "rate", "%.4g MTEPS, %s examined", r->mteps,
                 human_items(r->stats.edges_examined, "edge", "edges").text);
    if (x->ranks)
        summary_line(x, "received", "%s by this rank",
                     human_bytes((double)t->part->result.bytes_received).text);
    summary_counts(x, &r->stats);
}

static void print_many(const traversal *t) {
    const session *x = t->x;
    quantiles rate = quantiles_of_rates(t->runs, t->run_count);
    quantiles time = quantiles_of_times(t->runs, t->run_count);
    summary_line(x, "runs", "%s", human_count(t->run_count).text);
    summary_line(x, "time", "min %s, median %s, max %s%s", human_ns(time.min).text,
                 human_ns(time.median).text, human_ns(time.max).text,
                 summary_where(x, &t->runs[t->run_count - 1].stats).text);
    summary_line(
        x, "MTEPS",
        "min %.4g, quartile %.4g, median %.4g, quartile %.4g, max %.4g, harmonic mean %.4g",
        rate.min, rate.quartile1, rate.median, rate.quartile3, rate.max, rate.harmonic_mean);
}

void summary_widened(const session *x, fr_type type) {
    if (x->overflowed)
        summary_line(x, "distances", "%s: a sum overflowed %s", fr_type_name(type),
                     fr_type_name(x->overflowed));
}

void summary_strategy(const session *x, const char *ran, const char *why) {
    static const char automatic[] = "auto";
    const char *asked = x->s->strategy ? x->s->strategy : automatic;
    const bool left_gpu = x->s->backend == FR_BACKEND_CUDA && x->ran_on == FR_BACKEND_CPU;
    if ((x->s->explain || left_gpu) && *why)
        summary_line(x, "strategy", "%s (%s)", ran, why);
    else
        summary_line(
            x, "strategy", "%s%s", ran,
            strcmp(asked, automatic) == 0 && strcmp(ran, automatic) != 0 ? ", chosen by auto" : "");
}

/* Where every edge counts the same, SSSP's `auto` on the CPU runs that of BFS, which has the same name. */
static void print_strategy(const traversal *t, const fr_stats *stats) {
    const bool levels = t->problem == FR_PROBLEM_SSSP && t->x->ran_on == FR_BACKEND_CPU &&
                        strcmp(stats->strategy, "auto") == 0;
    summary_strategy(t->x, levels ? "bfs" : stats->strategy, t->why);
    summary_widened(t->x, t->answer.type);
}

void summary_print(const traversal *t) {
    summary_graph(t->x);
    if (t->run_count) {
        if (!t->part)
            print_strategy(t, &t->runs[t->run_count - 1].stats);
        if (t->run_count == 1)
            print_one(t, t->runs);
        else
            print_many(t);
    }
    if (t->verified)
        summary_verified(t->x, t->run_count > 1 ? "every answer is right" : "the answer is right");
    if (t->s->out && strcmp(t->s->out, "-") != 0)
        summary_line(t->x, "written", "%s in %s", t->s->out, human_ns((double)t->write_ns).text);
}

/* The kernels that ran on the GPU: --explain, after the levels. */
static void explain_kernels(const traversal *t) {
    int count;
    const fr_kernel *k = fr_solver_kernels(t->solver, &count);
    FILE *out = t->x->summary_out;
    if (count)
        fprintf(out, "%-24s %6s %8s %10s %10s %10s\n", "kernel", "block", "shared", "launches",
                "blocks/SM", "occupancy");
    for (int i = 0; i < count; i++)
        fprintf(out, "%-24s %6d %8zu %10s %10d %9.0f%%\n", k[i].name, k[i].block, k[i].shared_bytes,
                human_count(k[i].launches).text, k[i].blocks_per_multiprocessor,
                100 * k[i].occupancy);
}

static void explain_levels(FILE *out, const fr_level *levels, int64_t count) {
    bool expects = false;
    for (int64_t i = 0; i < count; i++)
        expects |= levels[i].expected_ns > 0;
    if (count)
        fprintf(out, "%7s  %-16s %15s %15s %10s%s\n", "level", "method", "frontier", "edges",
                "time", expects ? "   expected" : "");
    for (int64_t i = 0; i < count; i++) {
        const fr_level *l = &levels[i];
        fprintf(out, "%7lld  %-16s %15s %15s %10s", (long long)i, l->method,
                human_count(l->frontier).text, human_count(l->edges).text,
                human_ns((double)l->ns).text);
        if (l->expected_ns > 0)
            fprintf(out, " %10s", human_ns((double)l->expected_ns).text);
        putc('\n', out);
    }
}

/* The three clocks of `fringe bench`. */
static void explain_clocks(const traversal *t) {
    if (!t->run_count)
        return;
    quantiles call = quantiles_of_calls(t->runs, t->run_count);
    quantiles time = quantiles_of_times(t->runs, t->run_count);
    summary_line(t->x, "clocks", "first answer %s, call %s, traversal %s%s",
                 human_ns((double)t->first_ns).text, human_ns(call.median).text,
                 human_ns(time.median).text, t->run_count > 1 ? " (medians)" : "");
}

void summary_explain(const traversal *t) {
    int64_t count;
    const fr_level *levels = fr_solver_levels(t->solver, &count);
    if (t->part) {
        ranks_explain(t);
        return;
    }
    if (t->s->quiet && *t->why)
        summary_line(t->x, "why", "%s", t->why);
    summary_note(t->x);
    explain_clocks(t);
    explain_levels(t->x->summary_out, levels, count);
    explain_kernels(t);
}

static json_t *json_run(const session *x, const run_record *r) {
    json_t *run = json_pack(
        "{s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:f}", "source", json_source(x, r->source),
        "strategy", r->stats.strategy, "traverse_ns", (json_int_t)r->ns, "edges_examined",
        (json_int_t)r->stats.edges_examined, "relaxations", (json_int_t)r->stats.relaxations,
        "reached", (json_int_t)r->stats.reached, "reached_edges",
        (json_int_t)r->stats.reached_edges, "transfer_ns", (json_int_t)r->stats.transfer_ns,
        "levels", r->stats.levels, "mteps", r->mteps);
    json_set(run, "call_ns", json_integer(r->stats.call_ns));
    json_set(run, "threads", json_integer(r->stats.threads));
    if (r->stats.counter_mask)
        json_set(run, "counters", json_counts(&r->stats));
    return run;
}

static json_t *json_sources(const traversal *t) {
    json_t *list = json_array();
    if (t->query.source_count > 1 || !t->run_count)
        for (int64_t i = 0; i < t->query.source_count; i++)
            json_array_append_new(list, json_source(t->x, t->query.sources[i]));
    else
        for (int64_t i = 0; i < t->run_count; i++)
            if (i % t->s->repeat == 0)
                json_array_append_new(list, json_source(t->x, t->runs[i].source));
    return list;
}

static json_t *json_levels(const traversal *t) {
    int64_t count;
    const fr_level *levels = fr_solver_levels(t->solver, &count);
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++) {
        const fr_level *l = &levels[i];
        json_t *o = json_object();
        json_set(o, "method", json_string(l->method));
        json_set(o, "frontier", json_integer(l->frontier));
        json_set(o, "edges", json_integer(l->edges));
        json_set(o, "ns", json_integer(l->ns));
        if (l->expected_ns > 0)
            json_set(o, "expected_ns", json_integer(l->expected_ns));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *json_kernels(const traversal *t) {
    int count;
    const fr_kernel *k = fr_solver_kernels(t->solver, &count);
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:i, s:I, s:I, s:i, s:f}", "name", k[i].name, "block",
                            k[i].block, "shared_bytes", (json_int_t)k[i].shared_bytes, "launches",
                            (json_int_t)k[i].launches, "blocks_per_multiprocessor",
                            k[i].blocks_per_multiprocessor, "occupancy", k[i].occupancy));
    return list;
}

static void json_runs(json_t *object, const traversal *t) {
    json_t *list = json_array();
    for (int64_t i = 0; i < t->run_count; i++)
        json_array_append_new(list, json_run(t->x, &t->runs[i]));
    json_set(object, "runs", list);
    quantiles m = quantiles_of_rates(t->runs, t->run_count);
    json_set(object, "mteps_spread",
             json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "min", m.min, "quartile1", m.quartile1,
                       "median", m.median, "quartile3", m.quartile3, "max", m.max, "harmonic_mean",
                       m.harmonic_mean));
}

/* Which strategy ran, and how its time is divided. */
static void json_strategy(json_t *o, const traversal *t, const fr_stats *stats) {
    const char *asked = t->s->strategy ? t->s->strategy : "auto";
    json_set(o, "strategy", json_string(stats->strategy ? stats->strategy : asked));
    json_set(o, "strategy_asked", json_string(asked));
    json_set(o, "why", json_string(t->why));
    json_set(o, "knobs", json_knobs(t->s, t->problem, asked));
}

void summary_json(const traversal *t, fr_status status) {
    json_t *o = t->part ? ranks_json(t->x) : json_head(t->x);
    const run_record *r = t->run_count ? median_run(t->runs, t->run_count) : NULL;
    const fr_stats *stats = r ? &r->stats : &t->result.stats;
    json_set(o, "problem", json_string(fr_problem_name(t->problem)));
    json_set(o, "status", json_string(fr_status_name(status)));
    if (t->part)
        json_set(o, "bytes_received", json_integer(t->part->result.bytes_received));
    else
        json_strategy(o, t, stats);
    json_set(o, "dist_type",
             t->problem == FR_PROBLEM_BFS ? json_null()
                                          : json_string(fr_type_name(t->answer.type)));
    json_set(o, "sources", json_sources(t));
    json_set(o, "prepare_ns", json_integer(stats->prepare_ns));
    json_set(o, "transfer_ns", json_integer(stats->transfer_ns));
    json_set(o, "traverse_ns", json_integer(stats->traverse_ns));
    json_set(o, "call_ns", json_integer(stats->call_ns));
    json_set(o, "first_ns", json_integer(t->first_ns));
    json_set(o, "threads", json_integer(stats->threads));
    json_set(o, "edges_examined", json_integer(stats->edges_examined));
    json_set(o, "relaxations", json_integer(stats->relaxations));
    if (stats->counter_mask)
        json_set(o, "counters", json_counts(stats));
    json_set(o, "levels", json_integer(stats->levels));
    json_set(o, "reached", json_integer(stats->reached));
    json_set(o, "reached_edges", json_integer(stats->reached_edges));
    json_set(o, "mteps", r ? json_real(r->mteps) : json_null());
    if (t->query.target_count && (t->run_count == 1 || names_sources(t->s)) && !t->wrong)
        json_set(o, "targets", json_targets(t));
    if (t->write_ns)
        json_set(o, "write_ns", json_integer(t->write_ns));
    json_peak(o, t->x);
    json_set(o, "verification",
             json_string(t->wrong      ? "wrong"
                         : t->verified ? "right"
                                       : "not asked for"));
    if (t->wrong)
        json_set(o, "verification_message", json_text(t->message));
    if (status == FR_NEGATIVE_CYCLE)
        json_set(o, "negative_cycle", json_cycle(t->x, &t->result));
    if (t->run_count)
        json_runs(o, t);
    if (t->s->explain && t->solver)
        json_set(o, "level_list", json_levels(t));
    int kernels = 0;
    if (t->s->explain && t->solver && fr_solver_kernels(t->solver, &kernels) && kernels)
        json_set(o, "kernel_list", json_kernels(t));
    outcome_object(o);
}
