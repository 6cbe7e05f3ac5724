/* The ranks that work on a graph together, and what all agree on. */
#ifndef FRI_RANKS_WORLD_H
#define FRI_RANKS_WORLD_H

#include "base/base.h"
#include "ranks/comm.h"

enum { FRI_HOST_BYTES = 64 };

struct fr_world {
    fr_ctx *ctx;
    fri_comm *comm; /* NULL: one rank alone */
    int rank, size, host_ranks;
    bool broken; /* a call of the transport failed */
    int64_t bytes_received;
    int *counts;   /* [size] for calls with equal counts */
    void *scratch; /* what all ranks sum or agree on: these steps cannot run out of memory */
    char host[FRI_HOST_BYTES];
};

/* Takes over `comm`, also on failure; NULL is one rank alone. version: of this rank's library, which
 * must be that of all. */
fr_status fri_world_over(fr_ctx *ctx, fri_comm *comm, const char *version, fr_world **out);

/* comm.h's gather and deal; FR_RANK when the transport fails. */
fr_status fri_world_gather(fr_world *world, const void *mine, void *all, const int *counts,
                           size_t width);
fr_status fri_world_deal(fr_world *world, const void *out, const int *out_counts, void *in,
                         const int *in_counts, size_t width);
/* `bytes` of every rank go to all. */
fr_status fri_world_gather_each(fr_world *world, const void *mine, void *all, int bytes);
/* One of every rank's values goes to each: out[r] to rank r, in[r] from it. */
fr_status fri_world_deal_each(fr_world *world, const int *out, int *in);
/* Replaces values[0..count-1], count <= FRI_SUM_MOST, by their sum or maximum over the ranks. */
enum { FRI_SUM_MOST = 8 };
fr_status fri_world_sum(fr_world *world, int64_t *values, int count);
fr_status fri_world_max(fr_world *world, int64_t *values, int count);

/* Ends a step that may fail on some ranks: returns FR_OK if `status` is that on every rank, else the
 * status of the first rank that failed, whose sentence every rank then has. */
fr_status fri_world_agree(fr_world *world, fr_status status);
/* The same at the start of a public call: FR_INVALID if the ranks made different calls or `arguments`,
 * a hash of what must be the same, differs. */
fr_status fri_world_begin(fr_world *world, const char *call, uint64_t arguments, fr_status status);

uint64_t fri_hash_bytes(uint64_t hash, const void *bytes, size_t count);
uint64_t fri_hash_text(uint64_t hash, const char *text); /* NULL differs from "" */
uint64_t fri_hash_load_options(const fr_load_options *options);

#endif
