/* fringe: breadth-first search, shortest paths and all-pairs distances on large graphs.
 *
 * One header, one library. Everything that can fail takes a context first and returns a status;
 * the sentence that explains a failure, with its place, is kept in the context
 * (fr_ctx_error). Plain data is a struct that may be zeroed: zero is always the default. A
 * resource is opaque and has a free function that takes NULL. The caller owns every output array;
 * an output that is NULL is not computed.
 *
 * Vertices are int32 0..n-1, -1 means none. Edge offsets are int64. A built graph is read only
 * and may be shared between threads; a context and the solvers made from it serve one thread.
 * The library never prints, never exits and has no mutable global state.
 */
#ifndef FRINGE_H
#define FRINGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FR_VERSION_MAJOR 0
#define FR_VERSION_MINOR 1
#define FR_VERSION_PATCH 0
#define FR_VERSION       "0.1.0"

#if defined(__GNUC__)
#define FR_API __attribute__((visibility("default")))
#else
#define FR_API
#endif

/* ---- status ------------------------------------------------------------------------------ */

/* name, exit code of the command, sentence.  The one list of everything that can go wrong. */
#define FR_STATUS_MAP(X)                                                                           \
    X(FR_OK, 0, "success")                                                                         \
    X(FR_VERIFY_FAILED, 1, "the answer is wrong")                                                  \
    X(FR_NEGATIVE_CYCLE, 1, "a negative cycle is reachable from the source")                       \
    X(FR_INVALID, 2, "an argument is invalid")                                                     \
    X(FR_NOT_FOUND, 3, "a file, vertex or name does not exist")                                    \
    X(FR_IO, 3, "reading or writing failed")                                                       \
    X(FR_FORMAT, 3, "the input does not follow its format")                                        \
    X(FR_UNSUPPORTED, 3, "the input is well formed but is not a graph that can be used here")      \
    X(FR_RANGE, 3, "a number is outside the range that can be held")                               \
    X(FR_CHECKSUM, 3, "the checksum of a binary graph does not match")                             \
    X(FR_NEGATIVE_WEIGHT, 3, "a weight is negative where the strategy needs none")                 \
    X(FR_OVERFLOW, 4, "a distance leaves its type")                                                \
    X(FR_NOMEM, 4, "not enough memory")                                                            \
    X(FR_NO_DEVICE, 4, "no usable GPU")                                                            \
    X(FR_DEVICE, 4, "the GPU reported an error")                                                   \
    X(FR_DISK, 4, "the disk is full or the file cannot be written")                                \
    X(FR_CANCELLED, 130, "cancelled")

typedef enum fr_status {
#define FR_STATUS_ENUM(name, exit_code, text) name,
    FR_STATUS_MAP(FR_STATUS_ENUM)
#undef FR_STATUS_ENUM
        FR_STATUS_COUNT
} fr_status;

FR_API const char *fr_status_name(fr_status s);    /* "FR_OK" */
FR_API const char *fr_status_message(fr_status s); /* "success" */
FR_API int fr_status_exit_code(fr_status s);       /* what the command returns for it */
FR_API const char *fr_version(void);               /* "0.1.0" */

/* ---- types ------------------------------------------------------------------------------- */

typedef enum fr_type {
    FR_TYPE_NONE, /* no weights, or: choose for me */
    FR_TYPE_I32,
    FR_TYPE_I64,
    FR_TYPE_F32,
    FR_TYPE_F64
} fr_type;

FR_API size_t fr_type_size(fr_type t);      /* bytes; 0 for FR_TYPE_NONE */
FR_API const char *fr_type_name(fr_type t); /* "int32" ... */

/* The distance of a vertex that was not reached, by type (levels use -1, parents use -1). */
#define FR_INF_I32 INT32_MAX
#define FR_INF_I64 INT64_MAX
/* for FR_TYPE_F32 and FR_TYPE_F64: positive infinity */

/* The distance of a vertex that a negative cycle reaches, with fr_query.mark_negative_cycles. A
 * finite distance that would be the same number is FR_OVERFLOW then; of int64 always. */
#define FR_NEG_INF_I32 INT32_MIN
#define FR_NEG_INF_I64 INT64_MIN
/* for FR_TYPE_F32 and FR_TYPE_F64: negative infinity */

/* ---- context ----------------------------------------------------------------------------- */

typedef struct fr_ctx fr_ctx;

/* Called from the calling thread while a long call runs, some ten times a second or more often:
 * where threads work on a row of all pairs each, at the latest when the calling thread's row ends.
 * `total` is 0 when unknown. A non-zero return cancels the call with FR_CANCELLED. */
typedef int (*fr_progress_fn)(void *user, const char *phase, int64_t done, int64_t total);

/* alloc returns NULL when there is none; free gets what alloc returned. Called from the calling
 * thread only. */
typedef void *(*fr_alloc_fn)(void *user, size_t bytes);
typedef void (*fr_free_fn)(void *user, void *block);

typedef struct fr_ctx_options {
    int threads;             /* 1 to 4096; 0: as many as this process may use */
    size_t max_memory_bytes; /* 0: the machine's memory (or its control group's limit) */
    int device;              /* which GPU, 0 the first */
    size_t max_gpu_bytes;    /* 0: what is free on the GPU; of all solvers of the context */
    fr_progress_fn progress; /* NULL: none */
    void *progress_user;
    fr_alloc_fn alloc; /* both NULL: malloc and free */
    fr_free_fn free;
    void *alloc_user;
} fr_ctx_options;

/* options may be NULL. FR_NOMEM where the system does not start as many threads as were asked for;
 * with threads 0 there are as many as it starts. */
FR_API fr_status fr_ctx_new(const fr_ctx_options *options, fr_ctx **out);
FR_API void fr_ctx_free(fr_ctx *ctx);
/* Why the last call that took the context, or a solver of it, failed; "" when it did not. After
 * fr_graph_load with cache and FR_OK: why no copy is kept, "" when one is. */
FR_API const char *fr_ctx_error(const fr_ctx *ctx);
FR_API int fr_ctx_threads(const fr_ctx *ctx);
FR_API fr_status fr_ctx_set_threads(fr_ctx *ctx, int threads); /* 0: all; fails as fr_ctx_new */
FR_API size_t
fr_ctx_peak_bytes(const fr_ctx *ctx); /* most memory held at once through the context */
FR_API size_t fr_ctx_max_bytes(const fr_ctx *ctx); /* the limit in force */

/* ---- graphs ------------------------------------------------------------------------------ */

typedef struct fr_graph fr_graph;

/* Compressed sparse rows. Row u holds the edges u -> targets[offsets[u] .. offsets[u+1]),
 * ascending by target, then by weight. */
typedef struct fr_csr {
    int32_t n;              /* vertices */
    int64_t m;              /* stored edges; an undirected edge is stored in both directions */
    const int64_t *offsets; /* [n+1] */
    const int32_t *targets; /* [m] */
    const void *weights;    /* [m] of weight_type, NULL when FR_TYPE_NONE */
    fr_type weight_type;    /* FR_TYPE_I32, FR_TYPE_I64, FR_TYPE_F32, FR_TYPE_F64 or FR_TYPE_NONE */
    bool symmetric;         /* every edge is stored in both directions with the same weight */
} fr_csr;

typedef enum fr_direction {
    FR_DIRECTION_FILE,      /* what the file says */
    FR_DIRECTION_DIRECTED,  /* each stored entry is one edge */
    FR_DIRECTION_UNDIRECTED /* each entry in both directions */
} fr_direction;

typedef enum fr_weights {
    FR_WEIGHTS_FILE,     /* the file's weights, none if it has none */
    FR_WEIGHTS_NONE,     /* forget them: every edge counts 1 */
    FR_WEIGHTS_RANDOM,   /* uniform in [weight_low, weight_high], the same for u-v as for v-u */
    FR_WEIGHTS_POTENTIAL /* the same from weight_low >= 0, plus p(u) - p(v) on u -> v, where each
                            vertex has a whole potential p uniform in [0, potential_max]: some
                            weights are below 0, no cycle is. Distances from s are those with the
                            random weights, plus p(s) - p(v). An undirected graph becomes a
                            directed one */
} fr_weights;

typedef struct fr_load_options {
    const char *format; /* NULL: by content, then by suffix; see fr_format_name */
    fr_direction direction;
    bool drop_loops;    /* drop self-loops */
    bool drop_parallel; /* of parallel edges keep the one of least weight */
    int id_base;        /* 0: the format's own; 1: ids start at 0; 2: ids start at 1 */
    fr_weights weights;
    int weight_column;   /* edge lists: 0: the third column if there; k >= 3: column k */
    fr_type weight_type; /* FR_TYPE_NONE: int32 if all weights are whole and fit, else int64 if
                            they do, else double. A whole weight that neither holds exactly is
                            FR_RANGE, unless FR_TYPE_F32 or FR_TYPE_F64 is asked for, which rounds
                            it */
    double weight_low;   /* FR_WEIGHTS_RANDOM, _POTENTIAL; both integral: FR_TYPE_I32, else
                            FR_TYPE_F64; with FR_TYPE_I64 integral and within 2^53 */
    double weight_high;
    double potential_max; /* FR_WEIGHTS_POTENTIAL; integral, 0 .. 2^30 */
    uint64_t seed;
    bool cache; /* keep and use a binary copy next to the input */
} fr_load_options;

/* Reads a graph file of any known format, compressed or not; path "-": standard input. options may
 * be NULL. Memory grows with what the file holds: where a header or an id asks for more than 2^22
 * vertices and 16 per entry it is FR_NOMEM, unless the context has a max_memory_bytes. */
FR_API fr_status fr_graph_load(fr_ctx *ctx, const char *path, const fr_load_options *options,
                               fr_graph **out);

/* Makes a graph from a generator's description, "kronecker:scale=20,edge_factor=16,seed=1".
 * options: direction, drop_loops, drop_parallel, weights, ... as for a file; may be NULL. */
FR_API fr_status fr_graph_generate(fr_ctx *ctx, const char *description,
                                   const fr_load_options *options, fr_graph **out);

/* Builds a graph from m edges src[i] -> dst[i]; the arrays are copied. weights: [m] of
 * weight_type or NULL. options: direction, drop_loops, drop_parallel, weights; may be NULL. */
FR_API fr_status fr_graph_from_edges(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *src,
                                     const int32_t *dst, const void *weights, fr_type weight_type,
                                     const fr_load_options *options, fr_graph **out);

/* Wraps a caller's CSR after checking it (offsets ascending, targets within n, rows sorted,
 * symmetric if it says so, weights finite). The arrays are borrowed and must outlive the graph.
 * Without edges (m = 0) targets and weights may be NULL; weight_type still sets the type of
 * distances. */
FR_API fr_status fr_graph_from_csr(fr_ctx *ctx, const fr_csr *csr, fr_graph **out);

FR_API void fr_graph_free(fr_graph *graph);

/* Checks all content of a graph that was opened from a binary file: checksums (FR_CHECKSUM) and
 * structure. Opening a large one checks its header alone; every call that takes a context and
 * follows edges checks the rest by itself, once. Who reads fr_graph_csr directly calls this first.
 * FR_OK at once for any other graph. */
FR_API fr_status fr_graph_check(fr_ctx *ctx, const fr_graph *graph);

FR_API const fr_csr *fr_graph_csr(const fr_graph *graph);
FR_API int64_t fr_graph_id(const fr_graph *graph, int32_t vertex); /* the file's id of a vertex */
FR_API int32_t fr_graph_vertex(const fr_graph *graph, int64_t id); /* -1 when no vertex has it */
FR_API const char *fr_graph_name(const fr_graph *graph);           /* file name or description */
/* What the reader took for granted and a user should know, as "line 1 read as column names:
 * from,to,weight"; NULL: nothing, and for a graph from a cache or a generator. */
FR_API const char *fr_graph_note(const fr_graph *graph);
FR_API uint64_t fr_graph_hash(const fr_graph *graph); /* of n, edges, weights, ids */

/* Writes a graph; format NULL: by the suffix of path. Written to a temporary name, then renamed.
 * "-" is standard output and needs a format. */
FR_API fr_status fr_graph_write(fr_ctx *ctx, const fr_graph *graph, const char *path,
                                const char *format);

/* The formats known, by index 0, 1, ... ; NULL past the last. */
FR_API const char *fr_format_name(int index);
FR_API const char *fr_format_description(int index); /* one line: what it is, suffixes */
FR_API bool fr_format_writable(int index);

/* The generators known, by index; NULL past the last. */
FR_API const char *fr_generator_name(int index);
FR_API const char *fr_generator_description(int index); /* one line: what it is, parameters,
                                                           defaults */

/* ---- facts ------------------------------------------------------------------------------- */

#define FR_DEGREE_BINS 33 /* bin 0: degree 0; bin k: degrees 2^(k-1) .. 2^k - 1 */

typedef struct fr_graph_stats {
    int32_t n;
    int64_t m; /* stored edges */
    bool symmetric;
    fr_type weight_type;
    double weight_min, weight_max; /* 0 when unweighted; of int64 ones the nearest doubles */
    int64_t negative_edges;
    int64_t self_loops;
    int64_t parallel_edges; /* stored entries beyond the first of each (u, v) */
    int32_t isolated;       /* vertices with neither out- nor in-edge */
    double degree_mean, degree_stddev;
    int32_t degree_max, degree_mode;
    int64_t degree_histogram[FR_DEGREE_BINS];    /* vertices */
    int32_t components;                          /* weakly connected */
    int32_t largest_component;                   /* vertices */
    int64_t component_histogram[FR_DEGREE_BINS]; /* components by vertices, bins as for degrees */
    int32_t diameter_lower_bound;           /* of the largest component seen undirected, by repeated
                                        sweeps */
    int64_t int_weight_min, int_weight_max; /* FR_TYPE_I32, FR_TYPE_I64: weight_min and weight_max
                                               exactly; else 0 */
} fr_graph_stats;

FR_API fr_status fr_graph_compute_stats(fr_ctx *ctx, const fr_graph *graph, fr_graph_stats *out);

/* ---- strategies -------------------------------------------------------------------------- */

typedef enum fr_problem {
    FR_PROBLEM_BFS,
    FR_PROBLEM_SSSP,
    FR_PROBLEM_APSP,
    FR_PROBLEM_COUNT
} fr_problem;
typedef enum fr_backend { FR_BACKEND_ANY, FR_BACKEND_CPU, FR_BACKEND_CUDA } fr_backend;

/* One number that a strategy can be given; a strategy's knobs end with a NULL name. */
typedef struct fr_knob {
    const char *name;
    double value;     /* default; FR_KNOB_AUTO: chosen from the graph */
    double low, high; /* accepted range */
    const char *text; /* what it does and where the default comes from */
    /* NULL: the value is a number. Else the names of its bits from the lowest on, NULL at the end:
     * a value is a sum of bits, or names joined by '+' ("ell+hub-parents"). */
    const char *const *switches;
} fr_knob;
#define FR_KNOB_AUTO (-1.0)

/* The value that `length` characters of text mean for a knob: a number in its range, or names of
 * its switches. False: neither; *value stays as it is. */
FR_API bool fr_knob_value(const fr_knob *knob, const char *text, size_t length, double *value);

typedef struct fr_strategy_info {
    fr_problem problem;
    fr_backend backend;
    const char *name;     /* "direction-optimizing" */
    const char *source;   /* authors, venue, year */
    const char *text;     /* one line: how it works */
    const fr_knob *knobs; /* NULL: none */
} fr_strategy_info;

/* Row `index` of the table of strategies; false past the last. */
FR_API bool fr_strategy_get(int index, fr_strategy_info *out);
FR_API const char *fr_problem_name(fr_problem p); /* "bfs" */
FR_API const char *fr_backend_name(fr_backend b); /* "cpu" */

/* ---- limits ------------------------------------------------------------------------------ */

/* One thing that the device can do, and how fast at most: measured by a loop that does nothing
 * else, on all of the device, the best of five runs; each loop's work is checked
 * (FR_VERIFY_FAILED).
 *   name            bytes, width        value
 *   copy            of each of two      B/s read and written
 *   gather          of the array        random reads of 4 bytes a second
 *   probe           of the bitmap       bits tested a second, at places that stream from memory
 *   atomic          of the array        random additions a second
 *   atomic-result   of the array        the same, each giving back what was there
 *   atomic-tested   of the array        random places read to see that no atomic is needed
 *   block-barrier   width 1             ns; a block of 512 threads
 *   cluster-barrier width: its blocks   ns; of 512 threads each
 *   grid-barrier    width: its blocks   ns; of 512 threads each: a block or two per multiprocessor
 *   launch          -                   ns a kernel, one behind the other
 *   launch-sync     -                   ns a kernel that the host waits for
 *   upload-pinned, upload-pageable      B/s to the device
 * On a CPU: copy, gather, probe, atomic, and team-barrier with width threads. */
typedef struct fr_microbench {
    const char *name, *unit; /* unit: "B/s", "1/s" or "ns" */
    int64_t bytes;           /* 0: none */
    int32_t width;           /* 0: none */
    double value;            /* 0 where skipped */
    const char *skipped;     /* NULL, or why it could not be measured here */
} fr_microbench;

/* Gets each finding, which is gone when it returns; non-zero cancels. */
typedef int (*fr_microbench_fn)(void *user, const fr_microbench *limit);

/* Takes a few seconds and, for its time, up to 2.3 GB on the GPU or 0.5 GB on the host; what the
 * context's limits do not allow is skipped. FR_BACKEND_ANY: the GPU where one can be used, else the
 * CPU. */
FR_API fr_status fr_microbench_run(fr_ctx *ctx, fr_backend backend, fr_microbench_fn found,
                                   void *user);

/* ---- solving ----------------------------------------------------------------------------- */

/* A solver binds a graph, a problem and a strategy; it holds everything a traversal needs, so
 * that fr_solve allocates nothing. */
typedef struct fr_solver fr_solver;

typedef struct fr_solver_options {
    const char *strategy; /* NULL: "auto" */
    fr_backend backend;   /* FR_BACKEND_ANY: whatever is best here */
    const char *knobs;    /* "alpha=15,beta=18"; NULL: defaults */
    fr_type dist_type;    /* FR_TYPE_NONE: the type of the weights; FR_TYPE_I64 for int32 weights
                             when sums may leave int32; FR_TYPE_F64 for float weights. Integer
                             distances are exact: one that its type cannot hold, or that is the
                             number of an infinity, is FR_OVERFLOW. FR_UNSUPPORTED for int64
                             weights: APSP rows on the GPU (`auto` takes one on the CPU), and
                             floyd-warshall where n times the greatest weight leaves 2^60 */
    bool unit_weights;    /* every edge counts 1, whatever the graph has */
    bool record_levels;   /* keep a line per level for fr_solver_levels, and one per kernel */
    bool counters;        /* fill fr_stats.counters: slower on a GPU, whose kernels then count */
    int32_t max_sources;  /* APSP: most rows solved in one fr_solve; 0: n */
    const struct fr_tuning *tuning; /* BFS, SSSP: `auto` without knobs becomes what fr_tune found,
                                       and fr_solver_explain says so; NULL: auto chooses. What
                                       cannot be used here (too little memory, a weight below 0, a
                                       knob that does not exist, another problem or backend) is left
                                       for auto's own choice */
    bool in_place; /* APSP, floyd-warshall on the GPU: every query asks for all rows by result.dist,
                      which is worked in (and may be a mapped file); nothing else of n^2 cells is
                      taken. FR_UNSUPPORTED for others */
} fr_solver_options;

FR_API fr_status fr_solver_new(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                               const fr_solver_options *options, fr_solver **out);
FR_API void fr_solver_free(fr_solver *solver);

/* The bytes that fr_solver_new would take, on the host and on the GPU, without taking them. While
 * a graph travels to the GPU, up to 16 MiB of pinned host memory are taken besides. A strategy
 * whose bytes are not there is refused with FR_NOMEM; `auto` takes another (see
 * fr_solver_explain). */
typedef struct fr_memory_estimate {
    size_t host, device;
} fr_memory_estimate;
FR_API fr_status fr_estimate_memory(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                                    const fr_solver_options *options, fr_memory_estimate *out);

/* APSP: gets each finished row instead of (or besides) the caller's arrays. row: the source's
 * index in the query. dist: [n] of the solver's distance type; parent: [n], or NULL when the
 * query's want_parents is false. Called from the calling thread; non-zero cancels. */
typedef int (*fr_apsp_row_fn)(void *user, int64_t row, int32_t source, const void *dist,
                              const int32_t *parent);

/* APSP in place: gets how many vertices, the first ones, have had their turn as pivots: result.dist
 * holds what is best by way of them. A query with `pivots_done` set to that, on the same array,
 * goes on from there, also in another process. Non-zero cancels. */
typedef int (*fr_pivot_fn)(void *user, int64_t pivots_done, int64_t n);

typedef struct fr_query {
    const int32_t *sources; /* [source_count]. BFS, SSSP: merged into one traversal. APSP: one
                               row each; NULL: every vertex */
    int64_t source_count;
    const int32_t *targets; /* [target_count]: stop once all are settled; NULL: none. Vertices
                               that were not settled by then count as not reached: BFS
                               finishes the level of the last target found; SSSP keeps exactly
                               those at most as far as the farthest target (and as the
                               sources; all of them when a target cannot be reached or a
                               weight is negative) */
    int64_t target_count; /* APSP: FR_UNSUPPORTED with targets or a limit, rows are whole; `row` may
                             take what it wants of each */
    int32_t max_level;    /* BFS: deepest level wanted; 0: all */
    double max_distance;  /* SSSP: greatest distance wanted; 0: all. An integer distance is compared
                             with this real number exactly, also beyond 2^53, where only some
                             integers are doubles: the limit is then the double that was given */
    bool min_parents;     /* of all allowed parents take the least: the same on every run */
    fr_apsp_row_fn row;   /* APSP; NULL: none */
    void *row_user;
    bool want_parents;         /* APSP with `row`: hand it parents too */
    bool mark_negative_cycles; /* SSSP: do not stop at a negative cycle. What one reaches gets
                          FR_NEG_INF and no parent (-1), all else its right distance; the status is
                          FR_NEGATIVE_CYCLE all the same, with the first cycle found. APSP:
                          FR_UNSUPPORTED */
    int64_t pivots_done;       /* in place: what an earlier query's `pivot` was told; 0: nothing */
    fr_pivot_fn pivot;         /* in place; NULL: none */
    void *pivot_user;
} fr_query;

/* What can be counted while a query runs (fr_solver_options.counters). */
typedef enum fr_counter {
    FR_COUNTER_EDGES,             /* edges whose far end was looked at */
    FR_COUNTER_ENQUEUES,          /* vertices put into a queue */
    FR_COUNTER_DUPLICATES_FOUND,  /* met by several threads at once; all but one turned away */
    FR_COUNTER_DUPLICATES_MISSED, /* in a queue although already there */
    FR_COUNTER_CONFLICTS,         /* of a hash table for duplicates: another vertex's place */
    FR_COUNTER_RELAXATIONS,       /* SSSP: distances lowered */
    FR_COUNTER_ATOMICS,           /* atomic operations on vertices and queues */
    FR_COUNTER_COUNT
} fr_counter;
FR_API const char *fr_counter_name(fr_counter kind); /* "edges", "duplicates_found", ... */

typedef struct fr_stats {
    int64_t edges_examined; /* edges whose far end was looked at */
    int64_t relaxations;    /* SSSP: distances lowered */
    int64_t reached;        /* vertices reached, the sources included */
    int64_t reached_edges;  /* stored edges leaving them: the numerator of TEPS */
    int32_t levels;         /* BFS: deepest level; SSSP: rounds or buckets processed */
    int64_t prepare_ns;     /* one-time preparation of the graph (by fr_solver_new) */
    int64_t upload_ns;      /* the graph's way to the device: part of prepare_ns */
    int64_t transfer_ns;    /* to and from the device, upload_ns included */
    int64_t traverse_ns;    /* the traversal, initialisation of its arrays included */
    size_t scratch_bytes;
    const char *strategy;               /* what ran: auto names its choice */
    uint32_t counter_mask;              /* bit 1 << fr_counter: counters holds it; 0 without
                                  fr_solver_options.counters */
    int64_t counters[FR_COUNTER_COUNT]; /* 0 where not counted */
    int64_t device_init_ns; /* GPU: making it ready, which a context does once; not in prepare_ns */
} fr_stats;

typedef struct fr_result {
    int32_t *level;  /* BFS: [n]; APSP: unused */
    void *dist;      /* SSSP: [n]; APSP: [rows][n]; of fr_solver_dist_type */
    int32_t *parent; /* [n], APSP: [rows][n]; a source is its own parent, unreached: -1 */
    fr_stats stats;
    /* after FR_NEGATIVE_CYCLE: */
    const int32_t *cycle; /* [cycle_length]: v0 -> v1 -> ... -> v0, owned by the solver until its
                             next call */
    int32_t cycle_length;
    double cycle_weight; /* < 0; of integer weights the double nearest to their sum */
} fr_result;

/* Runs one query. FR_NEGATIVE_CYCLE is an answer: distances then hold no promise unless the query
 * goes mark_negative_cycles, cycle does. */
FR_API fr_status fr_solve(fr_solver *solver, const fr_query *query, fr_result *result);

FR_API fr_type fr_solver_dist_type(const fr_solver *solver);
FR_API const char *fr_solver_explain(const fr_solver *solver); /* auto: the choice and its reason */

typedef struct fr_level {
    const char *method; /* "top-down", "bottom-up", "serial", "bucket 7", ... */
    int64_t frontier;   /* vertices */
    int64_t edges;      /* edges examined */
    int64_t ns;
    int64_t expected_ns; /* auto: what it reckoned with; 0: nothing */
} fr_level;
/* The lines of the last fr_solve, when record_levels was set; *count of them. */
FR_API const fr_level *fr_solver_levels(const fr_solver *solver, int64_t *count);

/* A kernel that was launched, and how many of its threads a multiprocessor can hold at once. */
typedef struct fr_kernel {
    char name[48];
    int block;           /* threads */
    size_t shared_bytes; /* asked for by the launch, the most of them; not those it declares */
    int64_t launches;    /* from the host */
    int blocks_per_multiprocessor;
    double occupancy; /* threads that fit at once / threads that a multiprocessor can hold */
} fr_kernel;
/* The kernels of the last fr_solve on a GPU, in the order of their first launch, when record_levels
 * was set; *count of them. */
FR_API const fr_kernel *fr_solver_kernels(const fr_solver *solver, int *count);

/* One-call forms: level or dist, and parent, each [n] or NULL. fr_sssp: dist as fr_solver_options
 * dist_type FR_TYPE_NONE, so int32 for int32 weights and for none, int64 for int64 ones. */
FR_API fr_status fr_bfs(fr_ctx *ctx, const fr_graph *graph, int32_t source, int32_t *level,
                        int32_t *parent);
FR_API fr_status fr_sssp(fr_ctx *ctx, const fr_graph *graph, int32_t source, void *dist,
                         int32_t *parent);

/* ---- tuning ------------------------------------------------------------------------------ */

/* Which strategy and knobs were fastest on a graph, by measurement. */
typedef struct fr_tuning {
    fr_problem problem;
    fr_backend backend;
    char strategy[32];
    char knobs[512];            /* as fr_solver_options.knobs; "": defaults */
    char device[128];           /* "AMD EPYC 9654, 16 threads", "NVIDIA H200" */
    int64_t ns;                 /* a traversal: the median over the sources */
    int64_t auto_ns;            /* the same of `auto` with no tuning */
    int32_t strategies_tried;   /* fr_tune: strategies measured */
    int32_t strategies_skipped; /* fr_tune: not measured for want of time */
    int32_t configs_tried;   /* fr_tune: configurations measured with all their knobs' settings */
    bool from_similar_graph; /* fr_tuning_cache_find: not measured on this graph but on one
                                    alike */
} fr_tuning;

/* One setting that was measured. */
typedef struct fr_tune_trial {
    const char *strategy, *knobs; /* knobs "": defaults */
    fr_status status; /* FR_OK: measured in full; FR_CANCELLED: given up, far slower than the best;
                         FR_VERIFY_FAILED: gave a wrong answer; others: cannot be used here */
    int64_t ns; /* median over the sources, or of the one traversal that was enough; 0: none */
    bool best;  /* of all so far */
} fr_tune_trial;
typedef void (*fr_tune_trial_fn)(void *user, const fr_tune_trial *trial);

enum { FR_TUNE_MAX_SOURCES = 64 };

typedef struct fr_tune_options {
    fr_backend backend; /* FR_BACKEND_ANY: where `auto` would run */
    fr_type dist_type;  /* as in fr_solver_options, unit_weights too */
    bool unit_weights;
    const int32_t *sources; /* [source_count], 1 to FR_TUNE_MAX_SOURCES: a traversal each, with
                               parents */
    int64_t source_count;
    double seconds;         /* 0: 10. `auto` is measured in any case, however long it takes */
    fr_tune_trial_fn trial; /* NULL: none */
    void *trial_user;
} fr_tune_options;

/* BFS, SSSP: measures every strategy of the table on this graph, then, of the one or two best, each
 * knob at its ends and at doubled and halved values while that helps, a knob after the other. What
 * is less than 3 % faster than the simpler setting counts as no faster. Answers are compared with
 * auto's, which are checked by rules, and the first of each best setting is checked itself: a
 * setting that answers wrongly is never found. FR_CANCELLED when the callback asked for it: *out
 * is then the best so far, strategy "" when that is auto's own choice. FR_NEGATIVE_CYCLE,
 * FR_OVERFLOW and so on when `auto` cannot solve it. */
FR_API fr_status fr_tune(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                         const fr_tune_options *options, fr_tuning *out);

/* A tuning cache is a text file of findings, a line for each problem, device and graph. Nothing
 * reads one unless it is asked to: find what is for a graph, and hand it to fr_solver_new.
 *
 * A finding is for a graph when it was measured on the same one (by fr_graph_hash), or else on one
 * alike: of the same whole numbers nearest to log2 of n, m, the greatest degree and the mean
 * weight, the same direction and kind of weights. options: backend and unit_weights; may be NULL.
 *
 * FR_NOT_FOUND: no such file, or nothing in it for this graph. FR_INVALID: the file is no tuning
 * cache; FR_UNSUPPORTED: one of another version, or what it names is no row or knob of this
 * library; FR_FORMAT: a line cannot be read; FR_IO. None of these need stop anybody from going on
 * without.
 */
FR_API fr_status fr_tuning_cache_find(fr_ctx *ctx, const char *path, const fr_graph *graph,
                                      fr_problem problem, const fr_solver_options *options,
                                      fr_tuning *out);
/* Puts a finding into the tuning cache, in place of an older one for this graph, problem and
 * device: as a whole or not at all. A tuning cache of another version is replaced, lines that
 * cannot be read are dropped; FR_INVALID where there is a file that is no tuning cache. options:
 * unit_weights. */
FR_API fr_status fr_tuning_cache_store(fr_ctx *ctx, const char *path, const fr_graph *graph,
                                       const fr_solver_options *options, const fr_tuning *tuning);

/* ---- checking ---------------------------------------------------------------------------- */

/* The checkers share no code with any strategy. Each is parallel and O(n + m); FR_VERIFY_FAILED
 * comes with the first broken rule and its vertices in the message. Pass the query that was solved:
 * its limits and targets say which vertices may be missing. */
FR_API fr_status fr_verify_bfs(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                               const int32_t *level, const int32_t *parent);
/* dist: [n] of dist_type. unit_weights as in fr_solver_options. With mark_negative_cycles in the
 * query minus infinities are checked too: that exactly what a negative cycle reaches has them (for
 * these vertices it searches again: O(n m) at worst). */
FR_API fr_status fr_verify_sssp(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                                bool unit_weights, const void *dist, fr_type dist_type,
                                const int32_t *parent);
FR_API fr_status fr_verify_cycle(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                                 const int32_t *cycle, int32_t cycle_length, double cycle_weight);
/* APSP: checks `rows` rows drawn from seed (all when rows is 0), and triangles between them. */
FR_API fr_status fr_verify_apsp(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                                bool unit_weights, const void *dist, fr_type dist_type,
                                const int32_t *parent, int64_t rows, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
