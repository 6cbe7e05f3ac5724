/* The calls of the test. */
#include "case.h"

#include <string.h>

#include "solve.h"

extern const ri_call ri_call_solve, ri_call_components, ri_call_measures, ri_call_tight,
    ri_call_routes, ri_call_operations, ri_call_cycles, ri_call_writers, ri_call_files,
    ri_call_names, ri_call_fault;

const ri_call *const ri_calls[] = {
    &ri_call_solve,
    &ri_call_components,
    &ri_call_measures,
    &ri_call_tight,
    &ri_call_routes,
    &ri_call_operations,
    &ri_call_cycles,
    &ri_call_writers,
    &ri_call_files,
    &ri_call_names,
    &ri_call_fault, /* share 0: only if chosen */
    NULL,
};

void ri_prepare_calls(void) {
    int count;
    so_strategies(&count);
}

const ri_call *ri_call_named(const char *name) {
    for (int i = 0; ri_calls[i]; i++)
        if (strcmp(ri_calls[i]->name, name) == 0)
            return ri_calls[i];
    return NULL;
}

/* --only CALL, or --only PROBLEM[/BACKEND[/STRATEGY]], which the call of solvers reads. */
bool ri_call_is_chosen(const ri_call *call) {
    return ri_call_named(ri_chosen.only) ? strcmp(call->name, ri_chosen.only) == 0
                                         : strcmp(call->name, "solve") == 0;
}
