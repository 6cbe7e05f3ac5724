/* A transport between GPUs whose kernels run on the host (FRI_SIMT), so that device memory is the
 * host's: it uses the ranks' other transport. Linked into a test, and built as a plugin for the command. */
#include "fringe.h"
#include "ranks/world/device_comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct host_gpus {
    fri_device_comm base;
    fri_comm *comm;
} host_gpus;

/* A stream's work is done when it is submitted. The slice is copied first: it is a part of `all`. */
static bool gather_slices(fri_device_comm *gpus, const void *mine, void *all, size_t bytes,
                          void *stream) {
    fri_comm *comm = ((host_gpus *)gpus)->comm;
    int *counts = malloc((size_t)comm->size * sizeof *counts);
    void *slice = malloc(bytes);
    if (!counts || !slice)
        abort();
    (void)stream;
    memcpy(slice, mine, bytes);
    for (int r = 0; r < comm->size; r++)
        counts[r] = (int)bytes;
    bool good = comm->calls->allgather(comm, slice, all, counts, 1);
    if (!good)
        snprintf(gpus->why, sizeof gpus->why, "%.190s", comm->why);
    free(counts);
    free(slice);
    return good;
}

static bool is_healthy(fri_device_comm *gpus) {
    (void)gpus;
    return true;
}

static void leave_gpus(fri_device_comm *gpus, bool failed) {
    (void)failed;
    free(gpus);
}

static const fri_device_comm_calls gpu_calls = {gather_slices, is_healthy, leave_gpus};

static fri_device_comm *join_gpus(fri_comm *comm, double timeout_s, char *why, size_t why_bytes) {
    host_gpus *gpus = calloc(1, sizeof *gpus);
    if (!gpus)
        abort();
    (void)timeout_s;
    (void)why;
    (void)why_bytes;
    *gpus = (host_gpus){{&gpu_calls, ""}, comm};
    return &gpus->base;
}

FR_API const fri_device_comm_plugin FRI_DEVICE_COMM_PLUGIN = {FR_VERSION, sizeof(fri_comm),
                                                              sizeof(fri_device_comm), join_gpus};
