/* fringe info: statistics of a graph and a histogram of its degrees. */
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/traversal.h"

/* The shortest text that reads back as the same weight. */
static text_buffer human_weight(double weight, int64_t whole, fr_type type) {
    text_buffer b = {{0}};
    if (type == FR_TYPE_I32 || type == FR_TYPE_I64)
        *fr_put_int64(b.text, whole) = '\0';
    else
        *(type == FR_TYPE_F32 ? fr_put_float(b.text, (float)weight)
                              : fr_put_double(b.text, weight)) = '\0';
    return b;
}

static void print_weights(const session *x, const fr_graph_stats *f) {
    if (f->weight_type == FR_TYPE_NONE)
        summary_line(x, "weights", "none");
    else
        summary_line(x, "weights", "%s, %s to %s, %s negative", fr_type_name(f->weight_type),
                     human_weight(f->weight_min, f->int_weight_min, f->weight_type).text,
                     human_weight(f->weight_max, f->int_weight_max, f->weight_type).text,
                     human_count(f->negative_edges).text);
}

static void print_stats(const session *x, const fr_graph_stats *f) {
    double share = f->n ? 100.0 * f->largest_component / f->n : 0;
    summary_line(x, "graph", "%s", fr_graph_name(x->graph));
    summary_line(x, "hash", "%016llx", (unsigned long long)fr_graph_hash(x->graph));
    summary_line(x, "vertices", "%s, %s isolated", human_count(f->n).text,
                 human_count(f->isolated).text);
    summary_line(x, "edges", "%s stored, %s", human_count(f->m).text,
                 session_undirected(x) ? "undirected (each in both directions)"
                 : f->symmetric        ? "directed (each has one back of the same weight)"
                                       : "directed");
    summary_line(x, "loops", "%s, %s", human_items(f->self_loops, "self-loop", "self-loops").text,
                 human_items(f->parallel_edges, "parallel edge", "parallel edges").text);
    print_weights(x, f);
    summary_note(x);
    summary_line(x, "degree", "mean %.4g, deviation %.4g, maximum %s, mode %s", f->degree_mean,
                 f->degree_stddev, human_count(f->degree_max).text,
                 human_count(f->degree_mode).text);
    summary_line(x, "components", "%s, the largest has %s (%.3g %%)",
                 human_count(f->components).text,
                 human_items(f->largest_component, "vertex", "vertices").text, share);
    summary_line(x, "diameter", "at least %d", f->diameter_lower_bound);
    summary_loaded(x);
    if (f->n)
        summary_histogram(x, "degree", "vertices", f->degree_histogram);
}

static void json_stats(const session *x, const fr_graph_stats *f) {
    json_t *o = json_head(x);
    json_set(o, "n", json_integer(f->n));
    json_set(o, "m", json_integer(f->m));
    json_set(o, "directed", json_boolean(!session_undirected(x)));
    json_set(o, "weight_type", json_string(fr_type_name(f->weight_type)));
    bool wide = f->weight_type == FR_TYPE_I64; /* a double might round it */
    json_set(o, "weight_min", wide ? json_integer(f->int_weight_min) : json_real(f->weight_min));
    json_set(o, "weight_max", wide ? json_integer(f->int_weight_max) : json_real(f->weight_max));
    json_set(o, "negative_edges", json_integer(f->negative_edges));
    json_set(o, "self_loops", json_integer(f->self_loops));
    json_set(o, "parallel_edges", json_integer(f->parallel_edges));
    json_set(o, "isolated", json_integer(f->isolated));
    json_set(o, "degree_mean", json_real(f->degree_mean));
    json_set(o, "degree_stddev", json_real(f->degree_stddev));
    json_set(o, "degree_max", json_integer(f->degree_max));
    json_set(o, "degree_mode", json_integer(f->degree_mode));
    json_set(o, "components", json_integer(f->components));
    json_set(o, "largest_component", json_integer(f->largest_component));
    json_set(o, "diameter_lower_bound", json_integer(f->diameter_lower_bound));
    json_set(o, "degree_histogram", json_histogram(f->degree_histogram, "vertices", true));
    json_peak(o, x);
    outcome_object(o);
}

static int run(session *x) {
    fr_graph_stats stats = {0};
    fr_status status = fr_graph_compute_stats(x->ctx, x->graph, &stats);
    progress_clear();
    if (status)
        return cli_fail_ctx(x->ctx, status);
    (x->s->json ? json_stats : print_stats)(x, &stats);
    return CLI_OK;
}

int cmd_info(const settings *s) { return session_run(s, run); }
