/* The interface of a transport: how ranks exchange bytes. plugins/fringe_mpi.c implements it with
 * MPI, tests/ranks/comm_threads.c with threads of one process; a rank alone needs none (world.c).
 *
 * All ranks make the same calls in the same order, from one thread each. Counts are in units of
 * `width` bytes and have MPI's type int; their sum over the ranks fits int too. A call that fails
 * returns false and sets `why`; after that only abort and close may be called. */
#ifndef FRI_RANKS_COMM_H
#define FRI_RANKS_COMM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fri_comm fri_comm;

typedef struct fri_comm_calls {
    /* MPI_Allgatherv: sends counts[r] units of rank r's `mine` to all ranks; `all` has them in the
     * order of the ranks. */
    bool (*allgather)(fri_comm *comm, const void *mine, void *all, const int *counts, size_t width);
    /* MPI_Alltoallv: sends out_counts[r] units of `out` to rank r and receives in_counts[r] units
     * from it; `out` and `in` are in the order of the ranks. */
    bool (*alltoall)(fri_comm *comm, const void *out, const int *out_counts, void *in,
                     const int *in_counts, size_t width);
    void (*abort)(fri_comm *comm, int exit_code); /* ends all ranks, if it can */
    void (*close)(fri_comm *comm, bool failed);   /* frees comm; failed: does not wait for others */
} fri_comm_calls;

struct fri_comm {
    const fri_comm_calls *calls;
    int rank, size;
    char why[200];
};

/* A plugin exports this struct under the name FRI_COMM_PLUGIN. */
typedef struct fri_comm_plugin {
    const char *version; /* FR_VERSION at its compilation */
    size_t comm_bytes;   /* sizeof(fri_comm) */
    /* Returns NULL on failure and sets `why`. timeout_s: the longest wait in a call. */
    fri_comm *(*open)(double timeout_s, char *why, size_t why_bytes);
} fri_comm_plugin;
#define FRI_COMM_PLUGIN      fringe_comm_plugin
#define FRI_COMM_PLUGIN_NAME "fringe_comm_plugin"

#endif
