/* A world: the ranks that work on one graph, exchanges between them, agreement on statuses. */
#ifndef FRI_RANKS_WORLD_H
#define FRI_RANKS_WORLD_H

#include "fringe_ranks.h"
#include "base/base.h"
#include "ranks/world/device_comm.h"

enum { FRI_HOST_BYTES = 64 };

struct fr_world {
    fr_ctx *ctx;
    fri_comm *comm; /* NULL: one rank alone */
    int rank, size;
    int host_ranks, host_rank;    /* ranks on this rank's host; index of this rank among them */
    bool broken;                  /* a call of the transport failed */
    bool on_gpus;                 /* traversals run on the ranks' GPUs, else on their CPU cores */
    fri_device_comm *device_comm; /* between the GPUs; NULL: one rank alone */
    double timeout_s;             /* of waiting for a GPU */
    int64_t bytes_received;
    int *counts;   /* [size] for calls with equal counts */
    void *scratch; /* the ranks' values of a sum or agreement, allocated once: these cannot fail */
    char host[FRI_HOST_BYTES];
};

/* Takes ownership of `comm`, also on failure; NULL: one rank alone. version: of this rank's
 * library; all ranks must have the same one. */
fr_status fri_world_open_with(fr_ctx *ctx, fri_comm *comm, const char *version, fr_world **out);

/* Collective: gives each rank a GPU, the context's from now on, and connects them. plugin: NULL:
 * fringe-nccl.so. FR_NO_DEVICE: a rank has no GPU of its own. */
fr_status fri_world_use_gpus(fr_world *world, const fri_device_comm_plugin *plugin,
                             double timeout_s);
/* After a step of a traversal on this rank alone; after a failure returns what the traversal ends with. The other ranks wait for this
 * one in an exchange until they time out. */
fr_status fri_world_leave_gpus(fr_world *world, fr_status status);
/* FR_RANK: this rank cannot continue, and the others wait for it; `why` is a sentence. */
fr_status fri_world_break(fr_world *world, const char *why);

/* The allgather and alltoall of comm.h; FR_RANK when the transport fails. */
fr_status fri_world_allgather(fr_world *world, const void *mine, void *all, const int *counts,
                              size_t width);
fr_status fri_world_alltoall(fr_world *world, const void *out, const int *out_counts, void *in,
                             const int *in_counts, size_t width);
/* The same with equal counts. */
fr_status fri_world_allgather_equal(fr_world *world, const void *mine, void *all, int count,
                                    size_t width);
/* Sends `bytes` of every rank to all ranks. */
fr_status fri_world_allgather_each(fr_world *world, const void *mine, void *all, int bytes);
/* Sends out[r] to rank r and receives in[r] from it. */
fr_status fri_world_alltoall_each(fr_world *world, const int *out, int *in);
/* Replaces values[0..count-1], count <= FRI_SUM_MAX, by their sum, which wraps, or maximum over
 * the ranks. */
enum { FRI_SUM_MAX = 8 };
fr_status fri_world_sum(fr_world *world, int64_t *values, int count);
fr_status fri_world_max(fr_world *world, int64_t *values, int count);

/* Ends a step that may fail on some ranks: returns FR_OK if `status` is FR_OK on every rank, else
 * the status of the first rank that failed, whose message every rank then records. */
fr_status fri_world_agree(fr_world *world, fr_status status);
/* The same at the start of a public call. FR_INVALID if the ranks made different calls, or if
 * `arguments`, a hash of the arguments that must be equal on all ranks, differs. */
fr_status fri_world_begin(fr_world *world, const char *call, uint64_t arguments, fr_status status);

uint64_t fri_hash_bytes(uint64_t hash, const void *bytes, size_t count);
uint64_t fri_hash_text(uint64_t hash, const char *text); /* NULL differs from "" */
uint64_t fri_hash_load_options(const fr_load_options *options);

#endif
