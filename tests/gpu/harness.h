/* What the programs of tests/gpu share: contexts, graphs, arrays in every kind of memory, questions and their answers, and
 * a main function that runs the graphs and parts that are named. */
#ifndef FRI_TESTS_GPU_HARNESS_H
#define FRI_TESTS_GPU_HARNESS_H

#include "conformance/choose.h"
#include "conformance/queries.h"
#include "fringe.h"
#include "gpu/checks.h"
#include "gpu/gpu_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- contexts, graphs, solvers: what cannot be made ends the program ---- */

enum { MAX_DEVICES = 8 };

fr_ctx *context_new(fr_ctx_options options);
/* On the first `devices` GPUs. */
fr_ctx *context_on(int devices, fr_ctx_options options);

fr_graph *graph_generate(fr_ctx *ctx, const char *description, fr_load_options options);
/* Random weights from `low` to `high`; high 0: none. */
fr_graph *graph_weighted(fr_ctx *ctx, const char *description, double low, double high);

typedef struct edge {
    int32_t from, to;
    double weight;
} edge;
/* Weights are stored as `type`; FR_TYPE_NONE: there are none. */
fr_graph *graph_of_edges(fr_ctx *ctx, int32_t n, int64_t m, const edge *edges, fr_type type,
                         fr_direction direction);
/* A directed path from vertex 0, and vertices that it does not reach; the last edge weighs `last`. */
fr_graph *graph_path(fr_ctx *ctx, int32_t edges, int32_t unreached, fr_type type, double weight,
                     double last);
/* A clique with random weights, in which distances fall many times in a round, so that it has more near entries than
 * vertices; far vertices at different distances, each with one more vertex after it, are pending meanwhile. */
enum { CLIQUE = ON_HOST ? 160 : 2000, FAR = 40, CLIQUE_N = CLIQUE + 2 * FAR };
fr_graph *graph_clique_and_far(fr_ctx *ctx);

/* The strategy of that name for the GPU. */
fr_strategy_info strategy_named(fr_problem problem, const char *name);
/* On the GPU unless the options name a backend; NULL after a failed check. */
fr_solver *solver_new(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                      fr_solver_options options);
/* How many levels of the last query that method searched, of a solver that records them. */
int levels_by(const fr_solver *solver, const char *method);
/* The largest finite distance of unit weights. */
cf_number depth_of(const cf_number *dist, int32_t n);

/* The kinds of weights of programs for weighted strategies. The first and the last have only sums of small integers; the
 * first four have no floats. */
typedef struct weight_kind {
    cf_weights weights;
    bool unit;
    fr_type type;
} weight_kind;
enum { KINDS = 24 };
extern const weight_kind kinds[KINDS];

/* ---- arrays of a caller ---- */

/* HALF_PINNED: the first half of pageable memory is registered; SHIFTED: one value after the begin of a block. */
typedef enum place {
    PAGEABLE,
    PINNED,
    DEVICE,
    PLACES,
    UNTOUCHED = PLACES,
    PINNED_SHIFTED,
    DEVICE_SHIFTED,
    HALF_PINNED
} place;
extern const char *const place_names[];

typedef struct array {
    place where;
    char *block, *at; /* `at`: what the library gets */
    size_t bytes;
} array;

/* With garbage, or on the device with whatever it holds. */
array array_new(place where, size_t bytes, size_t value);
void array_free(array *a);
bool on_device(place where);
/* Copies on a stream of its own: a call that has returned needs no waiting. */
void array_read(const array *a, void *to);
/* A stream that is busy writing garbage to the array, if it is on the device. */
void array_produce(const array *a, cudaStream_t stream);

/* ---- questions and answers ---- */

enum { VALUES = 1, PARENTS = 2, ORDER = 4 }; /* outputs */

typedef struct ask {
    fr_ctx *ctx;
    fr_graph *graph;
    const char *name;
    fr_problem problem;
    fr_solver_options options;
    fr_query query;
    bool each; /* fr_solve_each: a row for every source */
} ask;

typedef struct answer {
    fr_status status;
    fr_stats stats;
    int64_t rows, solved; /* solved: of fr_solve_each */
    size_t width, row;    /* values of a row; their bytes */
    char *values;
    int32_t *parent, *order;
} answer;

/* By that solver, to arrays there, where a stream of the caller writes garbage until right before the query. */
answer answer_at(const ask *a, fr_solver *solver, place where, int outputs);
/* The rows of all pairs that a callback gets, each with its source. */
answer answer_by_row(ask a, fr_solver *solver, int outputs);
/* By a solver of its own, all outputs, to pageable memory. */
answer answer_new(const ask *a);
/* The same on the CPU by its `auto`. */
answer answer_on_cpu(const ask *a);
void answer_free(answer *a);
/* Equal status, and in the first rows that are `complete` (-1: all) equal outputs; equal sums if all are. */
void check_same(const ask *a, const answer *want, const answer *got, int outputs, int64_t complete,
                const char *where);
/* answer_at, and check_same with what it should be. */
fr_stats check_place(const ask *a, fr_solver *solver, const answer *want, place where, int outputs);
/* The library's checkers, which share no code with strategies. */
void check_verified(const ask *a, const answer *got);
/* Solves with values and parents, which are verified. */
fr_stats solve_verified(const ask *a, fr_solver *solver);

/* ---- programs ---- */

/* For fr_ctx_options.progress: cancels in `phase` from `done` on; NULL: never. */
typedef struct stop {
    const char *phase;
    int64_t done;
} stop;
int stop_here(void *user, const char *phase, int64_t done, int64_t total);

typedef struct part {
    const char *name;
    void (*run)(fr_ctx *ctx);
} part;

typedef struct program {
    const char *what;
    fr_problem problem;       /* of the strategy that shows whether there is a device */
    int devices, min_devices; /* GPUs that the host has; with fewer than min_devices it skips */
    bool by_strategy; /* the first argument is the only strategy; --strategies: lists them */
    void (*shape)(fr_ctx *ctx, const cf_shape *shape, int nth); /* NULL: none */
    const part *parts; /* ended by a NULL name; NULL: none */
} program;
extern int devices_there;         /* GPUs, at most MAX_DEVICES */
int more_devices(int devices);    /* the next number of GPUs to test: 1, 2, 3, 4, 8 */
extern const char *only_strategy; /* of a program by strategy; NULL: all */

/* Runs the shapes and parts that the arguments name, all without arguments; all device memory must be free at the end. */
int program_main(const program *p, int argc, char **argv);

#endif
