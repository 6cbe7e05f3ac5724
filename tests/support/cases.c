#include "support/cases.h"

#include <stdio.h>

fr_status test_load_text(fr_ctx *ctx, const char *name, const char *text,
                         const fr_load_options *options, fr_graph **graph) {
    return fr_graph_load(ctx, test_put(name, text, strlen(text)), options, graph);
}

static double weight_of(const fr_csr *csr, int64_t e) {
    return csr->weight_type == FR_TYPE_I32   ? ((const int32_t *)csr->weights)[e]
           : csr->weight_type == FR_TYPE_F32 ? (double)((const float *)csr->weights)[e]
                                             : ((const double *)csr->weights)[e];
}

void test_describe(const fr_graph *graph, char *out, size_t size) {
    const fr_csr *csr = fr_graph_csr(graph);
    size_t at = (size_t)snprintf(out, size, "%d:", csr->n);
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            at += (size_t)snprintf(out + at, size - at, " %lld>%lld",
                                   (long long)fr_graph_id(graph, u),
                                   (long long)fr_graph_id(graph, csr->targets[e]));
            if (csr->weight_type == FR_TYPE_I64)
                at += (size_t)snprintf(out + at, size - at, "/%lld",
                                       (long long)((const int64_t *)csr->weights)[e]);
            else if (csr->weights)
                at += (size_t)snprintf(out + at, size - at, "/%g", weight_of(csr, e));
        }
}

void test_all_good(fr_ctx *ctx, const test_good *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fr_graph *graph = NULL;
        char got[512];
        fr_status status =
            test_load_text(ctx, cases[i].name, cases[i].text, &cases[i].options, &graph);
        if (status)
            fail_msg("%s: %s", cases[i].text, fr_ctx_error(ctx));
        test_describe(graph, got, sizeof got);
        if (strcmp(got, cases[i].want) || fr_graph_csr(graph)->weight_type != cases[i].type)
            fail_msg("%s:\n%s (%s)\nnot %s", cases[i].text, got,
                     fr_type_name(fr_graph_csr(graph)->weight_type), cases[i].want);
        fr_graph_free(graph);
    }
}

void test_all_bad(fr_ctx *ctx, const test_bad *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fr_graph *graph = NULL;
        fr_status status =
            test_load_text(ctx, cases[i].name, cases[i].text, &cases[i].options, &graph);
        if (graph)
            fail_msg("%s:\nis read", cases[i].text);
        const char *words = cases[i].message ? cases[i].message : "";
        if (status != cases[i].status || !strstr(fr_ctx_error(ctx), words))
            fail_msg("%s:\n%s: %s", cases[i].text, fr_status_name(status), fr_ctx_error(ctx));
    }
}
