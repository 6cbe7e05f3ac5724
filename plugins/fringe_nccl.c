/* The NCCL transport of src/ranks/world/device_comm.h. This is the only file that includes <nccl.h>. It is
 * built as fringe-nccl.so and loaded at run time (src/ranks/world/world_gpus.c), so the library does not
 * depend on NCCL.
 *
 * The communicator is non-blocking: calls that wait for other ranks return at once and are polled, so
 * that a rank that waits yields its core, and fails after timeout_s. */
#include "fringe.h"
#include "ranks/world/device_comm.h"

#include <nccl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct nccl_comm {
    fri_device_comm base;
    ncclComm_t comm;
    double timeout_s;
} nccl_comm;

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool refused(nccl_comm *c, const char *call, ncclResult_t error) {
    const char *last = c->comm ? ncclGetLastError(c->comm) : "";
    snprintf(c->base.why, sizeof c->base.why, "%s: %s%s%.110s", call, ncclGetErrorString(error),
             last && *last ? ": " : "", last ? last : "");
    return false;
}

/* Waits until a call of a non-blocking communicator has done its part on the host. */
static bool finish(nccl_comm *c, const char *call, ncclResult_t error) {
    double begin = now_s();
    while (error == ncclInProgress) {
        ncclResult_t asked = ncclCommGetAsyncError(c->comm, &error);
        if (asked)
            error = asked;
        if (error == ncclInProgress && now_s() - begin > c->timeout_s) {
            snprintf(c->base.why, sizeof c->base.why,
                     "no answer from another rank within %g s (in %s)", c->timeout_s, call);
            return false;
        }
        sched_yield();
    }
    return error == ncclSuccess || refused(c, call, error);
}

static bool allgather(fri_device_comm *comm, const void *mine, void *all, size_t bytes,
                      void *stream) {
    nccl_comm *c = (nccl_comm *)comm;
    return finish(c, "ncclAllGather",
                  ncclAllGather(mine, all, bytes, ncclUint8, c->comm, (cudaStream_t)stream));
}

static bool healthy(fri_device_comm *comm) {
    nccl_comm *c = (nccl_comm *)comm;
    ncclResult_t error = ncclSuccess, asked = ncclCommGetAsyncError(c->comm, &error);
    error = asked ? asked : error;
    return error == ncclSuccess || error == ncclInProgress || refused(c, "NCCL", error);
}

static void close_comm(fri_device_comm *comm, bool failed) {
    nccl_comm *c = (nccl_comm *)comm;
    if (c->comm && !failed)
        failed = !finish(c, "ncclCommFinalize", ncclCommFinalize(c->comm));
    if (c->comm && failed)
        ncclCommAbort(c->comm);
    else if (c->comm)
        ncclCommDestroy(c->comm);
    free(c);
}

static const fri_device_comm_calls calls = {allgather, healthy, close_comm};

/* What rank 0 sends to the others. */
typedef struct id_message {
    int32_t error; /* of ncclGetUniqueId */
    ncclUniqueId id;
} id_message;

static bool share_id(fri_comm *comm, nccl_comm *c, id_message *to) {
    int *counts = calloc((size_t)comm->size, sizeof *counts);
    id_message mine = {ncclSuccess, {{0}}};
    if (comm->rank == 0)
        mine.error = ncclGetUniqueId(&mine.id);
    bool sent = false;
    if (counts) {
        counts[0] = 1;
        sent = comm->calls->allgather(comm, &mine, to, counts, sizeof mine);
    }
    free(counts);
    if (!sent)
        snprintf(c->base.why, sizeof c->base.why, "%.180s",
                 counts ? comm->why : "not enough memory");
    return sent && (!to->error || refused(c, "ncclGetUniqueId of rank 0", (ncclResult_t)to->error));
}

static bool join(fri_comm *comm, nccl_comm *c, const id_message *to) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    ncclResult_t error = ncclCommInitRankConfig(&c->comm, comm->size, to->id, comm->rank, &config);
    return finish(c, "ncclCommInitRankConfig", error);
}

static fri_device_comm *open_comm(fri_comm *comm, double timeout_s, char *why, size_t why_bytes) {
    id_message to;
    nccl_comm *c = calloc(1, sizeof *c);
    if (!c) {
        snprintf(why, why_bytes, "not enough memory");
        return NULL;
    }
    c->base.calls = &calls;
    c->timeout_s = timeout_s;
    if (share_id(comm, c, &to) && join(comm, c, &to))
        return &c->base;
    snprintf(why, why_bytes, "%s", c->base.why);
    close_comm(&c->base, true);
    return NULL;
}

FR_API const fri_device_comm_plugin FRI_DEVICE_COMM_PLUGIN = {FR_VERSION, sizeof(fri_comm),
                                                              sizeof(fri_device_comm), open_comm};
