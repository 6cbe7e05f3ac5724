/* What ranks need of a transport: three ways to exchange bytes. MPI is one (plugins/fringe_mpi.c),
 * threads of one process another (tests/ranks/comm_threads.c), one rank alone the third (world.c).
 *
 * Every call is made by all ranks in the same order, from one thread of each. Counts are in units of
 * `width` bytes and, as MPI's, ints: their sum over the ranks fits int too. A call that fails (false)
 * has its reason in `why`; the transport is not used after that, except for abort and close. */
#ifndef FRI_RANKS_COMM_H
#define FRI_RANKS_COMM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fri_comm fri_comm;

typedef struct fri_comm_calls {
    /* Rank r's counts[r] units of `mine` go to all ranks, in the order of the ranks. */
    bool (*gather)(fri_comm *comm, const void *mine, void *all, const int *counts, size_t width);
    /* out_counts[r] units of `out`, in the order of the ranks, go to rank r; in_counts[r] units come
     * from it. */
    bool (*deal)(fri_comm *comm, const void *out, const int *out_counts, void *in,
                 const int *in_counts, size_t width);
    void (*abort)(fri_comm *comm, int exit_code); /* ends all ranks, if it can */
    void (*close)(fri_comm *comm, bool failed);   /* frees comm; failed: without the other ranks */
} fri_comm_calls;

struct fri_comm {
    const fri_comm_calls *calls;
    int rank, size;
    char why[200];
};

/* What a plugin exports under the name FRI_COMM_PLUGIN. */
typedef struct fri_comm_plugin {
    const char *version; /* FR_VERSION that it was compiled with */
    size_t comm_bytes;   /* sizeof(fri_comm) */
    /* NULL: `why` has the reason. patience_s: the longest wait in a call. */
    fri_comm *(*open)(double patience_s, char *why, size_t why_bytes);
} fri_comm_plugin;
#define FRI_COMM_PLUGIN      fringe_comm_plugin
#define FRI_COMM_PLUGIN_NAME "fringe_comm_plugin"

#endif
