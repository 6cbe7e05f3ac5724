/* fringe doctor: reports this machine, and why a GPU is or is not used. */
#include "fringe_tune.h"
#include "cli/io/json.h"
#include "cli/machine.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>

static void line(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void line(const char *name, const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("%s%-13s%s ", color(stdout, "1"), name, color(stdout, "0"));
    vprintf(format, args);
    putchar('\n');
    va_end(args);
}

/* "" if the build has no libarchive. */
static const char *archive_version(void) {
#ifdef CLI_HAVE_ARCHIVE
    const char *(*version)(void);
    void *symbol = dlsym(RTLD_DEFAULT, "archive_version_string");
    if (!symbol)
        return "libarchive";
    memcpy(&version, &symbol, sizeof version);
    return version();
#else
    return "";
#endif
}

static int count_strategies(fr_backend backend) {
    fr_strategy_info info = {0};
    int rows = 0;
    for (int i = 0; fr_strategy_get(i, &info); i++)
        rows += info.backend == backend;
    return rows;
}

typedef struct findings {
    char model[128], features[128];
    char why_no_gpu[1200]; /* "" if a traversal can run on a GPU here */
    gpu_report gpu;
    const char *archive;
    int cuda_strategies, cpu_strategies;
    fr_ctx *ctx;
} findings;

/* All reasons, so that removing one suffices. Opens the device if it is the only thing left to fail. */
static void find_why_no_gpu(findings *f, int device) {
    const char *build = "", *machine = f->gpu.devices ? "" : f->gpu.reason;
    fr_device_info info = FR_INIT(fr_device_info);
    if (!f->cuda_strategies)
        build =
            "this build has no GPU strategies (build it where nvcc is, with CMake's FRINGE_CUDA)";
    else if (!*machine && fr_device_get(f->ctx, device, &info))
        machine = fr_ctx_error(f->ctx);
    snprintf(f->why_no_gpu, sizeof f->why_no_gpu, "%s%s%s", build, *build && *machine ? "; " : "",
             machine);
}

static void print_gpus(const findings *f) {
    if (*f->gpu.driver)
        line("CUDA driver", "%s", f->gpu.driver);
    for (int i = 0; i < f->gpu.devices; i++) {
        const struct gpu *g = &f->gpu.device[i];
        line("GPU", "%d: %s, %s, compute capability %d.%d, %d multiprocessors", i, g->name,
             human_bytes((double)g->memory).text, g->major, g->minor, g->processors);
    }
    line("GPU used", "%s%s", *f->why_no_gpu ? "no: " : "yes", f->why_no_gpu);
}

static void print_findings(const findings *f) {
    line("fringe", "%s", fr_version());
    line("processor", "%s", f->model);
    line("cores", "%d usable, %s used", machine_cores(),
         human_items(fr_ctx_threads(f->ctx), "thread", "threads").text);
    line("features", "%s", *f->features ? f->features : "none that fringe uses");
    line("memory", "%s, %s available, limit %s",
         human_bytes((double)machine_memory("MemTotal")).text,
         human_bytes((double)machine_memory("MemAvailable")).text,
         human_bytes((double)fr_ctx_max_bytes(f->ctx)).text);
    line("compression", "%s", *f->archive ? f->archive : "none: built without libarchive");
    line("strategies", "%d on the CPU, %d on a GPU", f->cpu_strategies, f->cuda_strategies);
    print_gpus(f);
}

static json_t *json_gpus(const findings *f) {
    json_t *list = json_array();
    for (int i = 0; i < f->gpu.devices; i++) {
        const struct gpu *g = &f->gpu.device[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:I, s:i, s:i, s:i}", "name", g->name,
                                        "memory_bytes", (json_int_t)g->memory, "major", g->major,
                                        "minor", g->minor, "multiprocessors", g->processors));
    }
    return list;
}

static void print_json(const findings *f) {
    json_t *o = json_object();
    json_set(o, "version", json_string(fr_version()));
    json_set(o, "device", json_device(f->ctx));
    json_set(o, "cores", json_integer(machine_cores()));
    json_set(o, "features", json_string(f->features));
    json_set(o, "memory_bytes", json_integer(machine_memory("MemTotal")));
    json_set(o, "memory_available_bytes", json_integer(machine_memory("MemAvailable")));
    json_set(o, "memory_limit_bytes", json_integer((json_int_t)fr_ctx_max_bytes(f->ctx)));
    json_set(o, "archive", *f->archive ? json_string(f->archive) : json_null());
    json_set(o, "cpu_strategies", json_integer(f->cpu_strategies));
    json_set(o, "cuda_strategies", json_integer(f->cuda_strategies));
    json_set(o, "cuda_driver", *f->gpu.driver ? json_string(f->gpu.driver) : json_null());
    json_set(o, "gpus", json_gpus(f));
    json_set(o, "gpu_used", json_boolean(!*f->why_no_gpu));
    json_set(o, "why_no_gpu", json_string(f->why_no_gpu));
    outcome_object(o);
}

int cmd_doctor(const settings *s) {
    session x;
    int code = session_begin(&x, s);
    if (code)
        return code;
    findings f = {.archive = archive_version(),
                  .cuda_strategies = count_strategies(FR_BACKEND_CUDA),
                  .cpu_strategies = count_strategies(FR_BACKEND_CPU),
                  .ctx = x.ctx};
    machine_cpu_model(f.model, sizeof f.model);
    machine_cpu_features(f.features, sizeof f.features);
    machine_gpus(&f.gpu);
    find_why_no_gpu(&f, s->device);
    if (s->json)
        print_json(&f);
    else
        print_findings(&f);
    session_end(&x);
    return CLI_OK;
}
