/* Finds how many ranks a launcher started, and loads the plugin that connects them. */
#include "ranks/world.h"

#include "base/sized.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Variables of Open MPI; of MPICH and others that use PMI; of Slurm's srun (sbatch starts one
 * process). */
static const struct {
    const char *size, *rank;
} launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                 {"PMI_SIZE", "PMI_RANK"},
                 {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
                 {0}};

static int number_in(const char *variable) {
    const char *text = getenv(variable);
    return text ? atoi(text) : 0;
}

/* Returns false without a launcher. */
static bool launched(int *size, int *rank) {
    *size = 1;
    *rank = 0;
    for (int i = 0; launchers[i].size; i++) {
        int ranks = number_in(launchers[i].size);
        if (ranks < 1)
            continue;
        *size = ranks;
        *rank = number_in(launchers[i].rank);
        return true;
    }
    return false;
}

int fr_launched_ranks(int *rank) {
    int size, own;
    launched(&size, &own);
    if (rank)
        *rank = own;
    return size;
}

/* The plugin is in the folder of the library, or of the program that contains it. */
static void plugin_path(char *path, size_t bytes) {
    static const char name[] = "fringe-mpi.so";
    const char *given = getenv("FRINGE_MPI");
    Dl_info here = {0};
    if (given && *given) {
        snprintf(path, bytes, "%s", given);
        return;
    }
    const char *slash = dladdr((void *)(uintptr_t)&fr_launched_ranks, &here) && here.dli_fname
                            ? strrchr(here.dli_fname, '/')
                            : NULL;
    snprintf(path, bytes, "%.*s%s", slash ? (int)(slash + 1 - here.dli_fname) : 0,
             slash ? here.dli_fname : "", name);
}

static fr_status find_plugin(fr_ctx *ctx, const fri_comm_plugin **plugin) {
    char path[512];
    plugin_path(path, sizeof path);
    /* RTLD_GLOBAL because MPI's components search the global symbols. A plugin is never closed
     * because MPI cannot start twice. */
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!handle)
        return fri_fail(ctx, FR_NOT_FOUND,
                        "ranks need the plugin fringe-mpi.so, which is built where MPI is found "
                        "(apt-get install libopenmpi-dev) or named by FRINGE_MPI: %.200s",
                        dlerror());
    *plugin = dlsym(handle, FRI_COMM_PLUGIN_NAME);
    fr_status status = FR_OK;
    if (!*plugin)
        status = fri_fail(ctx, FR_NOT_FOUND, "%s: not a plugin of fringe", path);
    else if (strcmp((*plugin)->version, FR_VERSION) != 0 ||
             (*plugin)->comm_bytes != sizeof(fri_comm))
        status = fri_fail(ctx, FR_INVALID, "%s: of version %.40s; this library is %s", path,
                          (*plugin)->version, FR_VERSION);
    if (status)
        dlclose(handle);
    return status;
}

static fr_status open_mpi(fr_ctx *ctx, double timeout_s, fri_comm **comm) {
    const fri_comm_plugin *plugin = NULL;
    char why[200] = "";
    fr_status status = find_plugin(ctx, &plugin);
    if (status)
        return status;
    *comm = plugin->open(timeout_s, why, sizeof why);
    return *comm ? FR_OK : fri_fail(ctx, FR_RANK, "MPI cannot start: %s", why);
}

/* srun starts processes also where MPI cannot connect them: each would do the work of all. */
static fr_status check_connected(fr_ctx *ctx, fri_comm *comm) {
    int size, rank;
    if (comm->size > 1 || !launched(&size, &rank) || size == 1)
        return FR_OK;
    comm->calls->close(comm, false);
    return fri_fail(ctx, FR_INVALID,
                    "MPI does not connect the %d processes that were started: srun needs "
                    "--mpi=pmix for Open MPI, --mpi=pmi2 for MPICH",
                    size);
}

fr_status fr_world_open(fr_ctx *ctx, const fr_world_options *options, fr_world **out) {
    fri_begin(ctx);
    *out = NULL;
    fr_world_options o;
    fr_status status = FRI_SIZED_READ(ctx, fr_world_options, options, &o);
    if (status)
        return status;
    if (!(o.timeout_s >= 0) || isinf(o.timeout_s))
        return fri_fail(ctx, FR_INVALID, "timeout_s must be at least 0, not %g", o.timeout_s);
    int size, rank;
    bool mpi = o.transport ? strcmp(o.transport, "mpi") == 0 : launched(&size, &rank);
    if (o.transport && !mpi && strcmp(o.transport, "self") != 0)
        return fri_fail(ctx, FR_INVALID, "no transport '%.40s'; there are mpi, self", o.transport);
    fri_comm *comm = NULL;
    if (mpi)
        status = open_mpi(ctx, o.timeout_s > 0 ? o.timeout_s : 600, &comm);
    if (comm)
        status = check_connected(ctx, comm);
    return status ? status : fri_world_over(ctx, comm, FR_VERSION, out);
}
