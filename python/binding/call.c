/* Calls into the library: progress at intervals, and queries whose structs are reused. */
#include "binding.h"

#include <time.h>

enum { INTERVAL_NS = 50 * 1000 * 1000 };

/* Defined by the source that cffi writes. */
int pf_ask(void *self, const char *phase, int64_t done, int64_t total);

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void pf_begin(pf_gate *gate) { gate->next_ns = now_ns() + INTERVAL_NS; }

static int progress(void *user, const char *phase, int64_t done, int64_t total) {
    pf_gate *gate = user;
    if (now_ns() < gate->next_ns)
        return 0;
    int stop = pf_ask(gate->self, phase, done, total);
    pf_begin(gate);
    return stop;
}

fr_status pf_ctx_new(pf_gate *gate, int threads, const int *devices, int64_t device_count,
                     size_t max_memory, fr_ctx **out) {
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    options.threads = threads;
    options.devices = devices;
    options.device_count = device_count;
    options.max_memory_bytes = max_memory;
    options.progress = progress;
    options.progress_user = gate;
    return fr_ctx_new(&options, out);
}

fr_status pf_solve(pf_call *call) {
    pf_begin(call->gate);
    return fr_solve(call->solver, &call->query, &call->result);
}

fr_status pf_solve_each(pf_call *call, int64_t *solved) {
    pf_begin(call->gate);
    return fr_solve_each(call->solver, &call->query, &call->result, solved);
}

fr_status pf_solve_one(pf_call *call, int32_t source, void *dist, int32_t *parent) {
    call->source = source;
    call->query = FR_INIT(fr_query);
    call->query.sources = &call->source;
    call->query.source_count = 1;
    call->result.parent = parent;
    call->result.order = call->result.origin = NULL;
    if (call->problem == FR_PROBLEM_BFS)
        call->result.level = dist;
    else
        call->result.dist = dist;
    return pf_solve(call);
}
