/* A value of a result as text: a level, a distance, a score. All files of results use it. */
#ifndef FRI_IO_VALUE_TEXT_H
#define FRI_IO_VALUE_TEXT_H

#include "io/text/number_text.h"

#include <math.h>
#include <string.h>

typedef struct fri_values {
    fr_type type;
    const void *values;
    bool is_number;        /* no integer is special */
    bool marks_cycles;     /* the minimum integer is minus infinity */
    int64_t none;          /* the integer of an unreached vertex */
    const char *unreached; /* its text, also the text of positive infinity */
} fri_values;

/* Distances of the type; numbers and levels differ in `none` and is_number. */
static inline fri_values fri_distances(fr_type type, const void *values) {
    return (fri_values){.type = type,
                        .values = values,
                        .none = type == FR_TYPE_I64 ? FR_INF_I64 : FR_INF_I32,
                        .unreached = "inf"};
}

static inline char *fri_put_whole(const fri_values *a, int64_t value, int64_t neg_inf, char *at) {
    if (value == a->none && !a->is_number)
        return stpcpy(at, a->unreached);
    return a->marks_cycles && value == neg_inf ? stpcpy(at, "-inf") : fri_put_int64(at, value);
}

static inline char *fri_put_value(const fri_values *a, int64_t i, char *at) {
    switch (a->type) {
    case FR_TYPE_I64: return fri_put_whole(a, ((const int64_t *)a->values)[i], FR_NEG_INF_I64, at);
    case FR_TYPE_F32: {
        float d = ((const float *)a->values)[i];
        return d == INFINITY ? stpcpy(at, a->unreached) : fri_put_float(at, d);
    }
    case FR_TYPE_F64: {
        double d = ((const double *)a->values)[i];
        return d == (double)INFINITY ? stpcpy(at, a->unreached) : fri_put_double(at, d);
    }
    default: return fri_put_whole(a, ((const int32_t *)a->values)[i], FR_NEG_INF_I32, at);
    }
}

#endif
