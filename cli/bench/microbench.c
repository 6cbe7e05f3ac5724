/* fringe bench --suite microbench: the peak rates of the device, one JSON line each. */
#include <commit.h> /* made by the build */
#include "bench/microbench/microbench.h"
#include "cli/io/json.h"
#include "cli/machine.h"
#include "cli/io/progress.h"
#include "suite.h"

#include <string.h>

typedef struct microbench_state {
    const session *x;
    json_t *gpu;
    fr_backend backend; /* that is measured */
} microbench_state;

static int print_result(void *user, const microbench *result) {
    microbench_state *r = user;
    json_t *o = json_object();
    progress_clear();
    json_set(o, "version", json_string(fr_version()));
    json_set(o, "commit", json_string(FRINGE_COMMIT));
    json_set(o, "suite", json_string("microbench"));
    json_set(o, "device",
             r->backend == FR_BACKEND_CUDA ? json_incref(r->gpu) : json_device(r->x->ctx));
    json_set(o, "microbench", json_string(result->name));
    if (result->bytes)
        json_set(o, "bytes", json_integer(result->bytes));
    if (result->width)
        json_set(o, "width", json_integer(result->width));
    json_set(o, "unit", json_string(result->unit));
    if (result->skipped)
        json_set(o, "skipped", json_string(result->skipped));
    else
        json_set(o, "value", json_real(result->value));
    json_line(o);
    fflush(stdout);
    return progress_stopped();
}

static bool takes_nothing_else(const settings *s) {
    return !s->only && !s->graphs && !s->strategies && !s->random_sources && !s->problem &&
           !s->report && !s->dist_type && !s->warmup && s->repeat == 1 && !(s->time_limit > 0) &&
           !(s->max_regression > 0);
}

/* FR_NO_DEVICE: no GPU can be used, and the context's message says why. */
static fr_status on_gpu(microbench_state *r, microbench_run *run) {
    const settings *s = r->x->s;
    fr_device_info info = FR_INIT(fr_device_info);
    int devices[DEVICE_LIST_MAX] = {s->device}, count = 1;
    if (s->devices) /* session_begin has read it */
        (void)device_list(s->devices, devices, &count);
    const fr_status status = fr_device_get(r->x->ctx, devices[0], &info);
    if (status)
        return status;
    run->device = devices[0];
    run->max_bytes = info.free_bytes;
    if (s->max_gpu_memory && (size_t)s->max_gpu_memory < run->max_bytes)
        run->max_bytes = (size_t)s->max_gpu_memory;
    r->backend = FR_BACKEND_CUDA;
#ifdef CLI_CUDA
    return microbench_gpu(run);
#else
    return FR_NO_DEVICE; /* not reached: fr_device_get finds none */
#endif
}

static fr_status on_cpu(microbench_state *r, microbench_run *run) {
    r->backend = FR_BACKEND_CPU;
    run->threads = fr_ctx_threads(r->x->ctx);
    run->max_bytes = fr_ctx_max_bytes(r->x->ctx);
    return microbench_cpu(run);
}

static int failure(const session *x, const microbench_run *run, fr_status status) {
    if (progress_stopped() || !*run->message)
        return cli_fail_ctx(x->ctx, progress_stopped() ? FR_CANCELLED : status);
    return cli_fail(status, "%s", run->message);
}

int cmd_microbench(const settings *s) {
    session x;
    microbench_state r = {.x = &x};
    microbench_run run = {.progress = progress_report, .found = print_result, .user = &r};
    if (!takes_nothing_else(s))
        return cli_usage("--suite microbench takes only --backend and the machine options");
    int code = session_begin(&x, s);
    r.gpu = json_gpu_device();
    if (!code) {
        fr_status status = s->backend == FR_BACKEND_CPU ? FR_NO_DEVICE : on_gpu(&r, &run);
        if (status == FR_NO_DEVICE && s->backend != FR_BACKEND_CUDA)
            status = on_cpu(&r, &run);
        progress_clear();
        if (status)
            code = failure(&x, &run, status);
    }
    json_decref(r.gpu);
    session_end(&x);
    return code;
}
