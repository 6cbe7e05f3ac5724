/* fringe bench --suite limits: what the device can do at most, a JSON line for each thing. */
#include <commit.h> /* made by the build */
#include "json.h"
#include "machine.h"
#include "progress.h"
#include "suite.h"

#include <string.h>

typedef struct limits_run {
    const session *x;
    json_t *gpu;
    fr_backend backend; /* what is measured */
} limits_run;

static int print_limit(void *user, const fr_limit *limit) {
    limits_run *r = user;
    json_t *o = json_object();
    progress_clear();
    json_set(o, "version", json_string(fr_version()));
    json_set(o, "commit", json_string(FRINGE_COMMIT));
    json_set(o, "suite", json_string("limits"));
    json_set(o, "device", r->backend == FR_CUDA ? json_incref(r->gpu) : json_device(r->x->ctx));
    json_set(o, "limit", json_string(limit->name));
    if (limit->bytes)
        json_set(o, "bytes", json_integer(limit->bytes));
    if (limit->width)
        json_set(o, "width", json_integer(limit->width));
    json_set(o, "unit", json_string(limit->unit));
    if (limit->skipped)
        json_set(o, "skipped", json_string(limit->skipped));
    else
        json_set(o, "value", json_real(limit->value));
    json_line(o);
    fflush(stdout);
    return progress_stopped();
}

static bool takes_nothing_else(const settings *s) {
    return !s->only && !s->graphs && !s->strategies && !s->random_sources && !s->problem &&
           !s->report && !s->dist_type && !s->warmup && s->repeat == 1 && !(s->time_limit > 0) &&
           !(s->loss > 0);
}

int cmd_limits(const settings *s) {
    limits_run r = {.backend = (fr_backend)s->backend};
    session x;
    if (!takes_nothing_else(s))
        return cli_usage("--suite limits takes --backend and the options of the machine alone");
    int code = session_begin(&x, s);
    r.x = &x;
    r.gpu = json_gpu_device();
    if (!code) {
        fr_status status = FR_NO_DEVICE;
        if (s->backend != FR_CPU) {
            r.backend = FR_CUDA;
            status = fr_limits_measure(x.ctx, FR_CUDA, print_limit, &r);
        }
        if (status == FR_NO_DEVICE && s->backend != FR_CUDA) {
            r.backend = FR_CPU;
            status = fr_limits_measure(x.ctx, FR_CPU, print_limit, &r);
        }
        progress_clear();
        if (status)
            code = cli_fail_ctx(x.ctx, progress_stopped() ? FR_CANCELLED : status);
    }
    json_decref(r.gpu);
    session_end(&x);
    return code;
}
