#include "core/resolved.h"

#include "base/number.h"

#include <stdio.h>

/* The knobs that are not at their defaults, as fr_solver_options takes them. */
static void write_knobs(const fr_solver *s, char *text, size_t bytes) {
    const fr_knob *knobs = s->strategy->knobs;
    char value[FRI_NUMBER_TEXT];
    size_t used = 0;
    *text = 0;
    for (int i = 0; knobs && knobs[i].name && used < bytes; i++)
        if (s->job.knob[i] != knobs[i].value) {
            fri_print_number(value, 17, s->job.knob[i]);
            used += (size_t)snprintf(text + used, bytes - used, "%s%s=%s", used ? "," : "",
                                     knobs[i].name, value);
        }
}

fr_solver_options fri_resolved_options(const fr_solver *s, char knobs[FRI_KNOBS_TEXT]) {
    write_knobs(s, knobs, FRI_KNOBS_TEXT);
    return (fr_solver_options){
        .strategy = s->strategy->name,
        .knobs = knobs,
        .backend = s->strategy->backend,
        .dist_type = s->job.problem == FR_PROBLEM_BFS ? FR_TYPE_NONE : s->dist_type,
        .max_sources = (int32_t)s->job.row_capacity,
        .unit_weights = s->unit_weights_asked,
        .record_levels = s->record_levels,
        .counters = s->job.counters,
        .in_place = s->job.in_place,
        .reverse = s->reverse,
    };
}
