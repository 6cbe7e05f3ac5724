/* fringe: graphs divided among processes (ranks), one or several on a host. The conventions of fringe.h apply. */
#ifndef FRINGE_RANKS_H
#define FRINGE_RANKS_H

#include "fringe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- ranks ------------------------------------------------------------------------------- */

/* A graph divided among several processes (ranks), on one host or many. Traversals run on the ranks' CPU
 * cores, or on a GPU per rank. Every function that takes a world, a part or a solver of a part is
 * collective: all ranks call it, in the same order and with the same arguments unless stated otherwise;
 * it returns FR_INVALID on all if the arguments of a rank differ. If a call fails on one rank, it
 * returns that status on every rank, and the message names the rank and its host. FR_RANK: a rank does
 * not answer in time, or what the ranks exchange would never end a traversal; the world can then only be
 * aborted or closed. P is the number of ranks, n and m
 * belong to the whole graph. Vertices are int64 numbers 0 .. n-1 here; rank r owns r, r + P,
 * r + 2 P, ... */
typedef struct fr_world fr_world;
typedef struct fr_part fr_part;
typedef struct fr_part_solver fr_part_solver;

typedef struct fr_world_options {
    size_t struct_size;
    /* "mpi": MPI through the plugin fringe-mpi.so, found by the variable FRINGE_MPI (its path) or
     * in the folder of this library; "self": one rank. NULL: "mpi" under a launcher, else "self". */
    const char *transport;
    /* FR_BACKEND_CUDA: traversals on GPUs, one per rank, connected by NCCL through the plugin fringe-nccl.so,
     * found by the variable FRINGE_NCCL (its path) or in the folder of this library. A rank that sees
     * several GPUs uses the one of its index among the ranks of its host; it becomes the context's GPU.
     * Any other backend: traversals run on CPU cores. */
    fr_backend backend;
    double timeout_s; /* maximum wait for another rank, in seconds; 0: 600 */
} fr_world_options;

/* The number of ranks that a launcher (mpirun, mpiexec, srun) started, by its environment variables,
 * and, if `rank` is not NULL, which of them this process is; 1 and rank 0 without a launcher. */
FR_API int fr_launched_ranks(int *rank);

/* Joins the ranks; options may be NULL. `ctx` belongs to the world until it is closed: every call
 * with the world gets this context. MPI is initialized if it is not yet. FR_NOT_FOUND: no plugin, or
 * one that cannot be loaded. FR_INVALID: ranks or plugin of another version of the library, or
 * processes of a launcher that MPI does not connect. FR_NO_DEVICE: a rank has no GPU of its own, or
 * this build has no GPU part. */
FR_API fr_status fr_world_open(fr_ctx *ctx, const fr_world_options *options, fr_world **out);
FR_API int fr_world_rank(const fr_world *world);
FR_API int fr_world_size(const fr_world *world);
FR_API int fr_world_host_ranks(const fr_world *world); /* ranks on this rank's host */
/* Collective: finalizes MPI if fr_world_open initialized it; not after FR_RANK. NULL is allowed. */
FR_API void fr_world_close(fr_world *world);
/* Ends the processes of all ranks with this exit code (MPI_Abort), for a program that got FR_RANK.
 * Returns if the transport cannot. */
FR_API void fr_world_abort(fr_world *world, int exit_code);

/* Each makes this rank's part: the edges into its vertices. options as for fr_graph_load, without
 * cache, FR_WEIGHTS_POTENTIAL and FR_IDS_STRINGS (FR_INVALID; FR_UNSUPPORTED: a file whose vertices
 * have names); weights, direction and dropped edges are those that the same options give for
 * fr_graph_load and fr_graph_generate. Further statuses as there. FR_RANGE: more than 2^31 - 64 P
 * vertices. Memory of a rank: 8 n bytes for offsets, about 8 m / P (unweighted) to 16 m / P for
 * edges, the same again while the part is built, and at most about 42 MB / P to exchange them.
 * fr_part_load: each rank reads its rows of a binary graph (.fringe, uncompressed), and together they
 * check it as fr_graph_check does, or each parses its range of a GAP edge list (.el, .wel); a file of
 * any other format is read whole by every rank.
 * fr_part_generate: each rank generates its share, except that forest-fire is made on every rank.
 * O(n + m / P) each, and all edges cross between ranks once. */
FR_API fr_status fr_part_load(fr_ctx *ctx, fr_world *world, const char *path,
                              const fr_load_options *options, fr_part **out);
FR_API fr_status fr_part_generate(fr_ctx *ctx, fr_world *world, const char *description,
                                  const fr_load_options *options, fr_part **out);
/* From edges that each rank holds some of, in any order: src, dst: [m_here] and weights: [m_here] of
 * weight_type or NULL, different on every rank; n and options the same. options: direction,
 * drop_loops, drop_parallel, weights, seed, weight_type of random weights. FR_INVALID: options that
 * concern a file or its ids (format, cache, columns, FR_IDS_STRINGS, id_base 2), another weight_type for
 * `weights`; a vertex is not in 0 .. n-1. FR_RANGE: a weight is not finite. */
FR_API fr_status fr_part_from_edges(fr_ctx *ctx, fr_world *world, int64_t n, int64_t m_here,
                                    const int64_t *src, const int64_t *dst, const void *weights,
                                    fr_type weight_type, const fr_load_options *options,
                                    fr_part **out);
FR_API void fr_part_free(fr_part *part); /* not collective; NULL is allowed */

typedef struct fr_part_stats {
    size_t struct_size;
    int64_t n, m;           /* vertices and stored edges of the whole graph */
    int64_t own, own_edges; /* vertices of this rank, stored edges into them */
    int64_t max_edges;      /* maximum of own_edges over the ranks */
    int64_t read_ns;        /* reading or generating, the slowest rank */
    int64_t build_ns;       /* from there to the finished part, the slowest rank */
    fr_type weight_type;
    fr_type dist_type; /* of distances: FR_TYPE_I64 for integer weights or none, else FR_TYPE_F64 */
    bool undirected;   /* every edge was stored in both directions */
} fr_part_stats;

/* Not collective. *out must be initialized. O(1). */
FR_API fr_status fr_part_get_stats(const fr_part *part, fr_part_stats *out);
/* The vertex of own index 0 .. own-1, the file's id of any vertex, the vertex of an id (-1: none).
 * Not collective. O(1), or O(log n) from an id. */
FR_API int64_t fr_part_vertex_of_own(const fr_part *part, int64_t own_index);
FR_API int64_t fr_part_id(const fr_part *part, int64_t vertex);
FR_API int64_t fr_part_vertex(const fr_part *part, int64_t id);
/* Draws up to *count different vertices that have an edge, by `seed`, the same on every rank. vertices:
 * [*count]; sets *count to their number. At most O(*count) rounds of messages. */
FR_API fr_status fr_part_draw_sources(fr_ctx *ctx, const fr_part *part, uint64_t seed,
                                      int64_t *count, int64_t *vertices);

/* Holds the memory of traversals: for BFS 5 n + 18 n / P bytes, for SSSP 12 n + 36 n / P. SSSP on a
 * small world with spread weights sorts its rows before the second query, 24 n + 16 m / P bytes
 * more (32 m / P for weights of 64 bits), and continues without if there is not enough memory.
 * problem: FR_PROBLEM_BFS or FR_PROBLEM_SSSP. Uses the context's number of threads. `part` must
 * outlive it. FR_NEGATIVE_WEIGHT: SSSP on ranks needs weights of at least 0.
 * BFS on GPUs holds 4 n + 16.1 n / P bytes of host memory, and on each GPU 4.1 n + 16.5 n / P for
 * vertices and 8.1 m / P for edges; SSSP there 16 n / P of host memory, and on each GPU 16 n + 40.3 n / P and
 * 8.1 m / P (4.1 m / P without weights, 12.1 m / P for weights of 64 bits), and on graphs with weights and m of at
 * least 24 n, which it also pulls, 4 n / P and 8 m / P more (16 m / P for weights of 64 bits; while the solver is
 * made, 1.5 times that on the host). Offsets of 64 bits, if a rank has 2^32 edges or more, add 4 n + 4 n / P. FR_RANGE:
 * more than 2^31 - 1600 P vertices for BFS on GPUs. */
FR_API fr_status fr_part_solver_new(fr_ctx *ctx, const fr_part *part, fr_problem problem,
                                    fr_part_solver **out);
FR_API void fr_part_solver_free(fr_part_solver *solver); /* not collective; NULL is allowed */

typedef struct fr_part_query {
    size_t struct_size;
    const int64_t *sources; /* vertices; several are merged into one traversal */
    int64_t source_count;   /* at least 1 */
} fr_part_query;

/* The answer for this rank's vertices, by own index: [own] each, or NULL. */
typedef struct fr_part_result {
    size_t struct_size;
    int32_t *level;  /* BFS; -1: not reached */
    void *dist;      /* SSSP, of stats.dist_type; FR_INF_I64 or positive infinity: not reached */
    int64_t *parent; /* vertices; a source has itself, -1: not reached */
    /* Totals over all ranks. */
    int64_t traverse_ns; /* the slowest rank; on GPUs without the copy of the answer to the host */
    int64_t reached;
    int64_t reached_edges; /* stored edges into reached vertices */
    int64_t input_edges; /* edges given between reached vertices, loops and parallel ones included,
                               an undirected one once: Graph500's count */
    int64_t edges_examined; /* by all ranks */
    int64_t bytes_received; /* by this rank from others */
    int levels;             /* BFS: the deepest level; SSSP: rounds */
} fr_part_result;

/* Traverses from the sources. *result must be initialized; its arrays may differ by rank in being
 * NULL. FR_NOT_FOUND: no such source. FR_OVERFLOW: a distance does not fit int64. Which of several valid
 * parents is returned varies. No allocation. A rank receives at most n / 8 bytes per level of BFS (on
 * GPUs always n / 8 and about 128 P), and 12 bytes per published distance of SSSP; on GPUs 4096 P per round, at most
 * 12 n + 384 P where a rank publishes more than 336 distances, and 8 n + 512 P before a pull. */
FR_API fr_status fr_part_solve(fr_part_solver *solver, const fr_part_query *query,
                               fr_part_result *result);

/* One level of BFS or round of SSSP. Fixed layout. */
typedef struct fr_part_level {
    const char *method;     /* "push", "pull", "relax", ... */
    bool bitmap;            /* sent as a bitmap (SSSP: the distances of all vertices), not a list */
    int64_t frontier;       /* vertices, all ranks */
    int64_t own_frontier;   /* this rank's */
    int64_t bytes_received; /* by this rank, for making this frontier known */
    int64_t ns;             /* on this rank, waiting included */
    int64_t work_ns;        /* the slowest rank without waiting */
    int64_t mean_work_ns;   /* of all ranks */
} fr_part_level;

/* The levels of the last query, at most 4096; *count may be NULL. Not collective. O(1). */
FR_API const fr_part_level *fr_part_levels(const fr_part_solver *solver, int64_t *count);

/* Checks a result by its properties: sources, that every reached vertex has a tight edge from its
 * parent, that no edge leads out of the reached part or shortens a distance, that parents lead to a
 * source. result->parent and level or dist must be set. FR_VERIFY_FAILED: the message names a
 * vertex. O(n + m / P); each rank receives 4 n (BFS) or 8 n (SSSP) bytes. */
FR_API fr_status fr_part_verify(fr_ctx *ctx, const fr_part *part, fr_problem problem,
                                const fr_part_query *query, const fr_part_result *result);

/* Gives every rank the answer for the vertices first .. first + count - 1, which may differ by rank:
 * out->level, dist, parent: [count], set where `own` has them. One rank with all of n and the others
 * with none is a gather. O(own + count). */
FR_API fr_status fr_part_collect(fr_ctx *ctx, const fr_part *part, const fr_part_result *own,
                                 int64_t first, int64_t count, fr_part_result *out);

/* Writes the answer, ordered by vertex, to a file that all ranks can open: each writes its place. The
 * file gets a temporary name first and is renamed when all have written. format: "tsv", "npy", or
 * NULL, as fr_result_format_choose. result->parent and level or dist must be set. FR_DISK. */
FR_API fr_status fr_part_write(fr_ctx *ctx, const fr_part *part, fr_problem problem,
                               const fr_part_result *result, const char *path, const char *format);

#ifdef __cplusplus
}
#endif
#endif
