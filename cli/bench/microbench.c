/* fringe bench --suite microbench: the peak rates of the device, one JSON line each. */
#include <commit.h> /* made by the build */
#include "cli/io/json.h"
#include "cli/machine.h"
#include "cli/io/progress.h"
#include "fringe_tune.h"
#include "suite.h"

#include <string.h>

typedef struct microbench_state {
    const session *x;
    json_t *gpu;
    fr_backend backend; /* that is measured */
} microbench_state;

static int print_result(void *user, const fr_microbench *result) {
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

int cmd_microbench(const settings *s) {
    microbench_state r = {.backend = (fr_backend)s->backend};
    session x;
    if (!takes_nothing_else(s))
        return cli_usage("--suite microbench takes only --backend and the machine options");
    int code = session_begin(&x, s);
    r.x = &x;
    r.gpu = json_gpu_device();
    if (!code) {
        fr_status status = FR_NO_DEVICE;
        if (s->backend != FR_BACKEND_CPU) {
            r.backend = FR_BACKEND_CUDA;
            status = fr_microbench_run(x.ctx, FR_BACKEND_CUDA, print_result, &r);
        }
        if (status == FR_NO_DEVICE && s->backend != FR_BACKEND_CUDA) {
            r.backend = FR_BACKEND_CPU;
            status = fr_microbench_run(x.ctx, FR_BACKEND_CPU, print_result, &r);
        }
        progress_clear();
        if (status)
            code = cli_fail_ctx(x.ctx, progress_stopped() ? FR_CANCELLED : status);
    }
    json_decref(r.gpu);
    session_end(&x);
    return code;
}
