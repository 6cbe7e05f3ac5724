/* The interface of a transport between GPUs, a GPU per rank: plugins/fringe_nccl.c implements it with
 * NCCL, tests/ranks/host_gpus.c with threads of one process. It starts over the ranks' other transport
 * (comm.h). All ranks make the same calls in the same order, from one thread each. */
#ifndef FRI_RANKS_DEVICE_COMM_H
#define FRI_RANKS_DEVICE_COMM_H

#include "ranks/world/comm.h"

typedef struct fri_device_comm fri_device_comm;

typedef struct fri_device_comm_calls {
    /* Submits to `stream`, a cudaStream_t: `all`, device memory, gets `bytes` bytes of every rank in
     * the order of the ranks; `mine` is this rank's place in it, or other memory. Returns false and sets `why` on
     * failure; after that only close may be called. */
    bool (*allgather)(fri_device_comm *comm, const void *mine, void *all, size_t bytes,
                      void *stream);
    /* Whether what was submitted can still end; false, and `why`, after a failure elsewhere. */
    bool (*healthy)(fri_device_comm *comm);
    void (*close)(fri_device_comm *comm, bool failed); /* frees comm; failed: waits for no rank */
} fri_device_comm_calls;

struct fri_device_comm {
    const fri_device_comm_calls *calls;
    char why[200];
};

/* A plugin exports this struct under the name FRI_DEVICE_COMM_PLUGIN. */
typedef struct fri_device_comm_plugin {
    const char *version;      /* FR_VERSION at its compilation */
    size_t comm_bytes, bytes; /* sizeof(fri_comm), sizeof(fri_device_comm) */
    /* Collective, with the calling thread's current GPU. Returns NULL on failure and sets `why`.
     * timeout_s: the longest wait. */
    fri_device_comm *(*open)(fri_comm *comm, double timeout_s, char *why, size_t why_bytes);
} fri_device_comm_plugin;
#define FRI_DEVICE_COMM_PLUGIN      fringe_device_comm_plugin
#define FRI_DEVICE_COMM_PLUGIN_NAME "fringe_device_comm_plugin"

#endif
