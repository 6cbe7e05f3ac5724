/* The answer of a traversal: values as text, formats, its file. */
#include "answer.h"
#include "number.h"
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

static bool is_least(const answer *a, int64_t v) {
    if (!a->marks_cycles)
        return false;
    return a->type == FR_TYPE_I32   ? ((const int32_t *)a->value)[v] == FR_NEG_INF_I32
           : a->type == FR_TYPE_I64 ? ((const int64_t *)a->value)[v] == FR_NEG_INF_I64
                                    : false; /* floats print as they are */
}

char *answer_put(const answer *a, int64_t v, const char *inf, char *at) {
    if (!answer_reached(a, v))
        return stpcpy(at, inf);
    if (is_least(a, v))
        return stpcpy(at, "-inf");
    switch (a->type) {
    case FR_TYPE_I64: return put_int64(at, ((const int64_t *)a->value)[v]);
    case FR_TYPE_F32: return put_float(at, ((const float *)a->value)[v]);
    case FR_TYPE_F64: return put_double(at, ((const double *)a->value)[v]);
    default: return put_int64(at, ((const int32_t *)a->value)[v]);
    }
}

int result_format_choose(const settings *s) {
    if (s->format && !s->out) {
        cli_usage("--format needs -o FILE");
        return -1;
    }
    for (int i = 0; s->format && fr_result_format_name(i); i++)
        if (strcmp(fr_result_format_name(i), s->format) == 0)
            return i;
    if (s->format) {
        cli_usage("--format takes tsv, graphalytics or npy, not '%s'", s->format);
        return -1;
    }
    size_t length = s->out ? strlen(s->out) : 0;
    return length > 4 && strcmp(s->out + length - 4, ".npy") == 0 ? RESULT_NPY : RESULT_TSV;
}

int answer_write(const session *x, const answer *a, const char *path, int format) {
    bool levels = a->problem == FR_PROBLEM_BFS;
    fr_query query = {.mark_negative_cycles = a->marks_cycles};
    fr_result result = {
        .level = levels ? a->value : NULL, .dist = levels ? NULL : a->value, .parent = a->parent};
    fr_status status = fr_result_write(x->ctx, x->graph, &query, a->type, &result, path,
                                       fr_result_format_name(format));
    progress_clear();
    return status ? cli_fail_ctx(x->ctx, status) : CLI_OK;
}
