/* Finds how many ranks a launcher started, and connects them. */
#include "ranks/world/plugin.h"
#include "ranks/world/world.h"

#include "base/sized.h"

#include <math.h>
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

static const fri_plugin mpi_plugin = {
    "fringe-mpi.so", "FRINGE_MPI", FRI_COMM_PLUGIN_NAME,
    "ranks need the plugin fringe-mpi.so, which is built where MPI is found (apt-get install "
    "libopenmpi-dev) or named by FRINGE_MPI"};

static fr_status open_mpi(fr_ctx *ctx, double timeout_s, fri_comm **comm) {
    const void *exported = NULL;
    char why[200] = "";
    fr_status status = fri_plugin_load(ctx, &mpi_plugin, &exported);
    if (status)
        return status;
    const fri_comm_plugin *plugin = exported;
    if (plugin->comm_bytes != sizeof(fri_comm))
        return fri_plugin_differs(ctx, &mpi_plugin, plugin->version);
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

static fr_status open_gpus(fr_world **world, double timeout_s) {
    fr_status status = fri_world_use_gpus(*world, NULL, timeout_s);
    if (!status)
        return FR_OK;
    fr_world_close(*world);
    *world = NULL;
    return status;
}

fr_status fr_world_open(fr_ctx *ctx, const fr_world_options *options, fr_world **out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!out)
        return fri_null_output(ctx);
    *out = NULL;
    fr_world_options o;
    fr_status status = FRI_SIZED_READ(ctx, fr_world_options, options, &o);
    if (status)
        return status;
    if ((unsigned)o.backend > FR_BACKEND_CUDA)
        return fri_fail(ctx, FR_INVALID, "there is no backend %d", (int)o.backend);
    if (!(o.timeout_s >= 0) || isinf(o.timeout_s))
        return fri_fail(ctx, FR_INVALID, "timeout_s must be at least 0, not %g", o.timeout_s);
    int size, rank;
    bool mpi = o.transport ? strcmp(o.transport, "mpi") == 0 : launched(&size, &rank);
    if (o.transport && !mpi && strcmp(o.transport, "self") != 0)
        return fri_fail(ctx, FR_INVALID, "no transport '%.40s'; there are mpi, self", o.transport);
    double timeout_s = o.timeout_s > 0 ? o.timeout_s : 600;
    fri_comm *comm = NULL;
    if (mpi)
        status = open_mpi(ctx, timeout_s, &comm);
    if (comm)
        status = check_connected(ctx, comm);
    if (!status)
        status = fri_world_open_with(ctx, comm, FR_VERSION, out);
    return status || o.backend != FR_BACKEND_CUDA ? status : open_gpus(out, timeout_s);
}
