/* The MPI transport of src/ranks/world/comm.h. This is the only file that includes <mpi.h>. It is built
 * as fringe-mpi.so and loaded at run time (src/ranks/world/open.c), so the library does not depend on
 * MPI.
 *
 * Collectives are non-blocking and polled. A waiting rank yields its core, because ranks may share
 * cores, and fails after timeout_s. */
#include "fringe.h"
#include "ranks/world/comm.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* After SPINS polls a waiting rank yields its core at every poll; it reads the clock once in
 * POLLS_PER_CLOCK_READ polls. */
enum { SPINS = 256, POLLS_PER_CLOCK_READ = 256 };

typedef struct mpi_comm {
    fri_comm base;
    MPI_Comm world;
    double timeout_s;
    bool finalizes;              /* this plugin has initialized MPI */
    int *out_places, *in_places; /* [size] */
} mpi_comm;

static bool refused(fri_comm *comm, const char *call, int error) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(error, text, &length);
    snprintf(comm->why, sizeof comm->why, "%s: %.150s", call, text);
    return false;
}

static bool finish(mpi_comm *c, const char *call, int error, MPI_Request *request) {
    double begin = MPI_Wtime();
    int done = 0;
    for (int64_t polls = 0; !error && !done; polls++) {
        error = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done && polls >= SPINS)
            sched_yield();
        if (done || polls % POLLS_PER_CLOCK_READ)
            continue;
        if (MPI_Wtime() - begin > c->timeout_s) {
            snprintf(c->base.why, sizeof c->base.why,
                     "no answer from another rank within %g s (in %s)", c->timeout_s, call);
            return false;
        }
    }
    return error ? refused(&c->base, call, error) : true;
}

static void places_of(const int *counts, int size, int *places) {
    for (int r = 0, at = 0; r < size; at += counts[r++])
        places[r] = at;
}

/* Counts are in units of this type because a count of bytes may not fit int. */
static MPI_Datatype unit_of(size_t width) {
    MPI_Datatype type;
    MPI_Type_contiguous((int)width, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

static bool allgather(fri_comm *comm, const void *mine, void *all, const int *counts,
                      size_t width) {
    mpi_comm *c = (mpi_comm *)comm;
    MPI_Request request;
    MPI_Datatype unit = unit_of(width);
    places_of(counts, comm->size, c->in_places);
    int error = MPI_Iallgatherv(mine, counts[comm->rank], unit, all, counts, c->in_places, unit,
                                c->world, &request);
    bool good = finish(c, "MPI_Iallgatherv", error, &request);
    MPI_Type_free(&unit);
    return good;
}

static bool alltoall(fri_comm *comm, const void *out, const int *out_counts, void *in,
                     const int *in_counts, size_t width) {
    mpi_comm *c = (mpi_comm *)comm;
    MPI_Request request;
    MPI_Datatype unit = unit_of(width);
    places_of(out_counts, comm->size, c->out_places);
    places_of(in_counts, comm->size, c->in_places);
    int error = MPI_Ialltoallv(out, out_counts, c->out_places, unit, in, in_counts, c->in_places,
                               unit, c->world, &request);
    bool good = finish(c, "MPI_Ialltoallv", error, &request);
    MPI_Type_free(&unit);
    return good;
}

static void abort_all(fri_comm *comm, int exit_code) {
    MPI_Abort(((mpi_comm *)comm)->world, exit_code);
}

/* MPI_Finalize waits for all ranks, so it is skipped when a rank does not answer. */
static void close_comm(fri_comm *comm, bool failed) {
    mpi_comm *c = (mpi_comm *)comm;
    if (!failed) {
        MPI_Comm_free(&c->world);
        if (c->finalizes)
            MPI_Finalize();
    }
    free(c->out_places);
    free(c->in_places);
    free(c);
}

static const fri_comm_calls calls = {allgather, alltoall, abort_all, close_comm};

static fri_comm *fail(mpi_comm *c, char *why, size_t why_bytes, const char *text) {
    snprintf(why, why_bytes, "%s", text);
    if (c) {
        free(c->out_places);
        free(c->in_places);
    }
    free(c);
    return NULL;
}

static fri_comm *open_comm(double timeout_s, char *why, size_t why_bytes) {
    int initialized = 0, finalized = 0, provided;
    mpi_comm *c = calloc(1, sizeof *c);
    if (!c)
        return fail(NULL, why, why_bytes, "not enough memory");
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (finalized)
        return fail(c, why, why_bytes, "MPI is finalized already");
    if (!initialized && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided))
        return fail(c, why, why_bytes, "MPI_Init_thread failed");
    c->finalizes = !initialized;
    c->timeout_s = timeout_s;
    c->base.calls = &calls;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &c->world))
        return fail(c, why, why_bytes, "MPI_Comm_dup failed");
    MPI_Comm_set_errhandler(c->world, MPI_ERRORS_RETURN);
    MPI_Comm_rank(c->world, &c->base.rank);
    MPI_Comm_size(c->world, &c->base.size);
    c->out_places = calloc((size_t)c->base.size, sizeof *c->out_places);
    c->in_places = calloc((size_t)c->base.size, sizeof *c->in_places);
    if (!c->out_places || !c->in_places)
        return fail(c, why, why_bytes, "not enough memory");
    return &c->base;
}

FR_API const fri_comm_plugin FRI_COMM_PLUGIN = {FR_VERSION, sizeof(fri_comm), open_comm};
