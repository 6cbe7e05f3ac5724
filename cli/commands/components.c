/* fringe components: labels, number and sizes of connected components. */
#include "fringe_measures.h"
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/io/result_sink.h"
#include "cli/traversal.h"

#include <stdlib.h>
#include <string.h>

int session_components(session *x, fr_component_kind kind, component_list *out) {
    size_t bytes = ((size_t)x->csr->n + 1) * sizeof(int32_t);
    *out = (component_list){.label = cli_alloc(bytes), .size = cli_alloc(bytes)};
    fr_status status = fr_components(x->ctx, x->graph, kind, (fr_backend)x->s->backend, out->label,
                                     out->size, &out->count);
    x->ran_on = fr_ctx_call_backend(x->ctx);
    if (!status && x->s->verify)
        status = fr_verify_components(x->ctx, x->graph, kind, out->label, out->count);
    progress_clear();
    if (status)
        return session_fail(x, status, FR_PROBLEM_BFS, NULL);
    for (int32_t c = 0; c < out->count; c++)
        if (out->size[c] > out->size[out->largest])
            out->largest = c;
    return CLI_OK;
}

void component_list_free(component_list *list) {
    free(list->label);
    free(list->size);
}

int session_keep_largest(session *x, fr_component_kind kind) {
    component_list list;
    fr_graph *part = NULL;
    int code = session_components(x, kind, &list);
    if (code || list.count < 2) {
        component_list_free(&list);
        return code;
    }
    int32_t count = 0, *kept = list.size, largest = list.size[list.largest]; /* reuses the array */
    for (int32_t v = 0; v < x->csr->n && count < largest; v++)
        if (list.label[v] == list.largest)
            kept[count++] = v;
    fr_status status = fr_graph_subgraph(x->ctx, x->graph, kept, count, NULL, &part);
    progress_clear();
    component_list_free(&list);
    if (status)
        return cli_fail_ctx(x->ctx, status);
    fr_graph_free(x->graph);
    x->graph = part;
    x->csr = fr_graph_csr(part);
    return CLI_OK;
}

/* The bins of fr_graph_stats. */
static void count_bins(const component_list *list, int64_t bins[FR_DEGREE_BINS]) {
    memset(bins, 0, FR_DEGREE_BINS * sizeof *bins);
    for (int32_t c = 0; c < list->count; c++)
        bins[32 - __builtin_clz((uint32_t)list->size[c])]++;
}

static void report(const session *x, const component_list *list) {
    int32_t n = x->csr->n, max_size = list->count ? list->size[list->largest] : 0;
    int64_t bins[FR_DEGREE_BINS];
    count_bins(list, bins);
    summary_graph(x);
    summary_line(x, "components", "%s, %s%s", human_count(list->count).text,
                 x->s->strong ? "strongly connected" : "weakly connected",
                 x->s->verify ? ", verified" : "");
    summary_line(x, "largest", "%s (%.3g %%)", human_items(max_size, "vertex", "vertices").text,
                 n ? 100.0 * max_size / n : 0);
    if (n)
        summary_histogram(x, "vertices", "components", bins);
}

static void report_json(const session *x, const component_list *list) {
    json_t *o = json_head(x);
    int64_t bins[FR_DEGREE_BINS];
    count_bins(list, bins);
    json_set(o, "kind", json_string(x->s->strong ? "strong" : "weak"));
    json_set(o, "components", json_integer(list->count));
    json_set(o, "largest_component", json_integer(list->count ? list->size[list->largest] : 0));
    json_set(o, "component_histogram", json_histogram(bins, "components", false));
    json_set(o, "verification", json_string(x->s->verify ? "right" : "not asked for"));
    json_peak(o, x);
    outcome_object(o);
}

static int write_labels(const session *x, const component_list *list) {
    const fr_column columns[] = {{.name = "vertex", .kind = FR_COLUMN_VERTEX},
                                 {.name = "component", .type = FR_TYPE_I32, .values = list->label}};
    return table_write(x, x->csr->n, columns, 2);
}

static int run(session *x) {
    component_list list;
    const bool strong = x->s->strong;
    int code = session_components(x, strong ? FR_COMPONENTS_STRONG : FR_COMPONENTS_WEAK, &list);
    if (!code && x->s->out)
        code = write_labels(x, &list);
    if (!code && x->s->json)
        report_json(x, &list);
    else if (!code && !x->s->quiet)
        report(x, &list);
    component_list_free(&list);
    return code;
}

int cmd_components(const settings *s) {
    return result_format(s, RESULT_TABLE) ? session_run(s, run) : CLI_USAGE;
}
