/* The answer of a traversal: its values, its file. */
#include "answer.h"
#include "progress.h"

#include <math.h>
#include <string.h>

double answer_value(const answer *a, int64_t v) {
    switch (a->type) {
    case FR_TYPE_I64: return (double)((const int64_t *)a->value)[v];
    case FR_TYPE_F32: return (double)((const float *)a->value)[v];
    case FR_TYPE_F64: return ((const double *)a->value)[v];
    default: return ((const int32_t *)a->value)[v];
    }
}

int64_t answer_whole(const answer *a, int64_t v) {
    return a->type == FR_TYPE_I64 ? ((const int64_t *)a->value)[v] : ((const int32_t *)a->value)[v];
}

bool answer_reached(const answer *a, int64_t v) {
    if (a->problem == FR_PROBLEM_BFS)
        return ((const int32_t *)a->value)[v] >= 0;
    switch (a->type) {
    case FR_TYPE_I64: return ((const int64_t *)a->value)[v] != FR_INF_I64;
    case FR_TYPE_F32: return ((const float *)a->value)[v] != INFINITY;
    case FR_TYPE_F64: return ((const double *)a->value)[v] != (double)INFINITY;
    default: return ((const int32_t *)a->value)[v] != FR_INF_I32;
    }
}

const char *result_format(const settings *s) {
    const char *name = fr_result_format_choose(s->format, s->out);
    if (s->format && !s->out) {
        cli_usage("--format needs -o FILE");
        return NULL;
    }
    if (!name)
        cli_usage("--format takes tsv, graphalytics or npy, not '%s'", s->format);
    return name;
}

fr_status answer_write(const session *x, const answer *a) {
    bool levels = a->problem == FR_PROBLEM_BFS;
    fr_query query = {.mark_negative_cycles = a->marks_cycles};
    fr_result result = {
        .level = levels ? a->value : NULL, .dist = levels ? NULL : a->value, .parent = a->parent};
    fr_output to = {.path = x->s->out, .format = x->s->format};
    return fr_result_write(x->ctx, x->graph, &query, a->type, &result, &to);
}

int table_write(const session *x, int64_t rows, const fr_column *columns, int count) {
    fr_output to = {.path = x->s->out};
    fr_status status = fr_table_write(x->ctx, x->graph, rows, columns, count, &to);
    progress_clear();
    return status ? cli_fail_ctx(x->ctx, status) : CLI_OK;
}
