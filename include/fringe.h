/* fringe: breadth-first search (BFS), single-source shortest paths (SSSP) and all-pairs shortest
 * paths (APSP) on large graphs, on CPUs and NVIDIA GPUs.
 *
 * Quick start, a complete program:
 *
 *     #include <fringe.h>
 *     #include <stdio.h>
 *     int main(void) {
 *         int32_t src[] = {0, 1, 2}, dst[] = {1, 2, 3}, level[4] = {0};
 *         fr_ctx *ctx = NULL;
 *         fr_graph *graph = NULL;
 *         fr_status s = fr_ctx_new(NULL, &ctx);
 *         s = s ? s : fr_graph_from_edges(ctx, 4, 3, src, dst, NULL, FR_TYPE_NONE, NULL, &graph);
 *         s = s ? s : fr_bfs(ctx, graph, 0, level, NULL);
 *         printf("%s: vertex 3 has level %d\n", fr_status_message(s), level[3]);
 *         fr_graph_free(graph), fr_ctx_free(ctx);
 *     }
 *
 * Conventions. A function that can fail takes a context and returns a status; fr_ctx_error gives
 * the message that explains the failure, with its place. Opaque resources have a free function that
 * accepts NULL. Any other function that gets NULL for its context, graph, solver, router, world or
 * part returns FR_INVALID; one without a status returns 0, false, NULL or an unset type, and -1 if it
 * returns a vertex, an edge or an id. The caller owns every output array; an output
 * that is NULL is not computed. Vertices are int32 0 .. n-1, -1 means none; edge offsets are int64.
 * The library never prints, never exits and has no mutable global state. In the notes on cost n is
 * the number of vertices and m the number of stored edges; docs/memory.md has the formulas of memory.
 *
 * Contents. Sections of this header, in this order; each begins with a line of dashes and its name:
 *
 *     types and status      statuses, types of numbers, infinities
 *     one-call functions    fr_bfs, fr_sssp, fr_apsp
 *     context               memory, threads, GPUs, progress, messages
 *     graph                 load, generate, from arrays; transpose, filter; size, ids, arrays; write
 *     solver                one graph, many queries; parents by rule, limits, targets, batches, memory
 *     files of results      text, npy, Graphalytics
 *     negative cycles       what counts as one; search for one
 *     what ran              explanations, backends
 *     verification          checkers that share no code with strategies
 *
 *     fringe_measures.h     components, shortest paths as a set, centrality, eccentricity, routers, k paths
 *     fringe_ranks.h        graphs divided among processes
 *     fringe_tune.h         the table of strategies and knobs, levels and kernels, tuning
 *
 * Statuses. In addition to those listed at a function, every function with a context may return FR_INVALID
 * (an argument is invalid), FR_NOMEM and FR_CANCELLED (fr_ctx_options.progress); what runs on a GPU
 * may also return FR_NO_DEVICE, which is also the status where a GPU is asked for and this build of the
 * library lacks the GPU part that the call needs, and FR_DEVICE. After a failure *out is NULL or unchanged.
 *
 * Thread safety:
 *
 *     fr_ctx      one thread at a time; use one context per thread
 *     fr_solver   one thread at a time, the one that uses its context
 *     fr_graph    any number of threads at a time once built; free it after its last user
 *     functions without an object (names, versions, formats, strategies): any thread
 *
 * Lifetimes. What an object uses must exist until the object is freed; that is the caller's duty and nothing
 * checks it: a call with a solver whose context or graph is freed, its free function included, reads freed
 * memory.
 *
 *     object          must outlive it                   its memory counts against the limit of
 *     fr_ctx          its allocator                     itself
 *     fr_graph        arrays and graph that it          the context that made it, until either is freed;
 *                     borrows; no context               what solvers prepare for it: the context that
 *                                                       prepared it, until the graph and they are freed
 *     fr_solver       its context and its graph         its context
 *     fr_router       context, graph, coordinates       its context
 *     fr_world        its context                       its context
 *     fr_part         its context and its world         its context
 *     fr_part_solver  its context and its part          its context
 *
 * An allocator of the caller (fr_ctx_options) must work until the context and all objects made with it are
 * freed. Options, queries, outputs and strings are read or written during the call only. A pointer that the
 * library returns (messages, explanations, levels, cycles, names, the arrays of fr_graph_csr) belongs to the
 * object asked and is valid until its next call; what belongs to a graph, until it is freed.
 *
 * Structs and versions. Members are added to structs only at the end, so a program keeps working
 * with a newer libfringe.so. A struct whose first member is struct_size can grow: set that member to
 * its sizeof, with FR_INIT, or zero the struct. struct_size 0 means the struct as it was in 0.2.0,
 * so `= {0}` and `= {.sources = ...}` are right for every member up to that version. Zero is the
 * default of every member. A struct larger than the library knows, from a newer header, is accepted
 * when its further bytes are zero, else the call returns FR_INVALID. The library fills an output
 * struct up to the stated size: it must be initialized, too. A struct without struct_size has a
 * fixed layout (fr_csr, fr_floyd_options, fr_column, fr_knob, fr_level, fr_kernel) or is for callbacks only.
 */
#ifndef FRINGE_H
#define FRINGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h> /* FILE */

#ifdef __cplusplus
extern "C++" {                          /* also where a C wrapper includes this header */
template <class T> inline T fr_init() { /* for FR_INIT */
    T value = T();
    value.struct_size = sizeof(T);
    return value;
}
}
extern "C" {
#endif

#define FR_VERSION_MAJOR 0
#define FR_VERSION_MINOR 3
#define FR_VERSION_PATCH 0
#define FR_VERSION       "0.3.0"

#if defined(__GNUC__)
#define FR_API __attribute__((visibility("default")))
#else
#define FR_API
#endif

/* A zeroed struct with its struct_size set: `fr_query query = FR_INIT(fr_query);` */
#ifdef __cplusplus
#define FR_INIT(type) fr_init<type>()
#else
#define FR_INIT(type) ((type){.struct_size = sizeof(type)})
#endif

/* ---- types and status -------------------------------------------------------------------- */

/* Every status: name, message. */
#define FR_STATUS_MAP(X)                                                                           \
    X(FR_OK, "success")                                                                            \
    X(FR_VERIFY_FAILED, "the answer is wrong")                                                     \
    X(FR_NEGATIVE_CYCLE, "a negative cycle is reachable from the source")                          \
    X(FR_INVALID, "an argument is invalid")                                                        \
    X(FR_NOT_FOUND, "a file, vertex or name does not exist")                                       \
    X(FR_IO, "reading or writing failed")                                                          \
    X(FR_FORMAT, "the input does not follow its format")                                           \
    X(FR_UNSUPPORTED, "the input is well formed but is not a graph that can be used here")         \
    X(FR_RANGE, "a number is outside the range that can be held")                                  \
    X(FR_CHECKSUM, "the checksum of a binary graph does not match")                                \
    X(FR_NEGATIVE_WEIGHT, "a weight is negative where the strategy needs none")                    \
    X(FR_OVERFLOW, "a distance does not fit its type")                                             \
    X(FR_NOMEM, "not enough memory")                                                               \
    X(FR_NO_DEVICE, "no usable GPU")                                                               \
    X(FR_DEVICE, "the GPU reported an error")                                                      \
    X(FR_DISK, "the disk is full or the file cannot be written")                                   \
    X(FR_CANCELLED, "cancelled")                                                                   \
    X(FR_RANK, "another rank does not answer")

typedef enum fr_status {
#define FR_STATUS_ENUM(name, text) name,
    FR_STATUS_MAP(FR_STATUS_ENUM)
#undef FR_STATUS_ENUM
        FR_STATUS_COUNT
} fr_status;

FR_API const char *fr_status_name(fr_status s);    /* "FR_OK" */
FR_API const char *fr_status_message(fr_status s); /* "success" */
FR_API const char *fr_version(void);               /* of the library that runs: "0.3.0" */

/* Types of weights and distances. FR_TYPE_NONE: no weights, or, as an option, the usual type. */
typedef enum fr_type { FR_TYPE_NONE, FR_TYPE_I32, FR_TYPE_I64, FR_TYPE_F32, FR_TYPE_F64 } fr_type;

FR_API size_t fr_type_size(fr_type t);      /* bytes; 0 for FR_TYPE_NONE */
FR_API const char *fr_type_name(fr_type t); /* "int32", "float64", ... */
/* The type to try after FR_OVERFLOW: int64 for int32, float64 for float32; FR_TYPE_NONE: there is none */
FR_API fr_type fr_type_wider(fr_type t);

/* The distance of an unreached vertex. FR_TYPE_F32 and FR_TYPE_F64 use positive infinity; levels and
 * parents use -1. */
#define FR_INF_I32 INT32_MAX
#define FR_INF_I64 INT64_MAX

/* The distance of a vertex that a negative cycle reaches, with fr_query.mark_negative_cycles.
 * FR_TYPE_F32 and FR_TYPE_F64 use negative infinity. A finite distance equal to this number is
 * FR_OVERFLOW: with mark_negative_cycles for int32, always for int64. */
#define FR_NEG_INF_I32 INT32_MIN
#define FR_NEG_INF_I64 INT64_MIN

typedef struct fr_ctx fr_ctx;
typedef struct fr_graph fr_graph;
typedef struct fr_solver fr_solver;

typedef enum fr_problem {
    FR_PROBLEM_BFS,
    FR_PROBLEM_SSSP,
    FR_PROBLEM_APSP,
    FR_PROBLEM_COUNT
} fr_problem;
/* The library that `make demo` builds has only `auto` of BFS and SSSP on the GPU, with topology-bf for
 * negative weights. Its calls without a
 * solver run on the CPU, and are FR_NO_DEVICE with FR_BACKEND_CUDA. */
typedef enum fr_backend { FR_BACKEND_ANY, FR_BACKEND_CPU, FR_BACKEND_CUDA } fr_backend;

FR_API const char *fr_problem_name(fr_problem p); /* "bfs" */
FR_API const char *fr_backend_name(fr_backend b); /* "cpu" */

/* ---- one-call functions ------------------------------------------------------------------ */

/* Levels and parents from one source; level, parent: [n] or NULL. FR_NOT_FOUND: no such source.
 * O(n + m).
 *
 * The solver that a one-call function makes is kept for the next call with the same context, graph
 * and problem, which then costs what fr_solve costs. A context keeps up to 8; they are freed with
 * their graph or their context, whichever is freed first, and before memory runs short. A context
 * with an allocator of its own keeps none. */
FR_API fr_status fr_bfs(fr_ctx *ctx, const fr_graph *graph, int32_t source, int32_t *level,
                        int32_t *parent);

/* Distances and parents from one source; dist, parent: [n] or NULL. dist has the type of the
 * weights, int32 for an unweighted graph. FR_NOT_FOUND: no such source. FR_NEGATIVE_CYCLE: the
 * distances are unspecified. FR_OVERFLOW. Worst case O(n m) with negative weights; otherwise
 * typically a few times m. */
FR_API fr_status fr_sssp(fr_ctx *ctx, const fr_graph *graph, int32_t source, void *dist,
                         int32_t *parent);

/* Distances and parents of all pairs; dist, parent: [n][n] or NULL, row u from source u. dist has
 * the type as for fr_sssp. FR_NEGATIVE_CYCLE, FR_OVERFLOW. O(n^3) or n times fr_sssp,
 * whichever is cheaper. For rows one at a time use fr_query.row. */
FR_API fr_status fr_apsp(fr_ctx *ctx, const fr_graph *graph, void *dist, int32_t *parent);

/* ---- context ----------------------------------------------------------------------------- */

/* Called from the calling thread during a long call, usually ten times a second or more often; with
 * a row of all pairs per thread, at the latest when the calling thread's row ends. total is 0 when
 * unknown. A non-zero return cancels the call with FR_CANCELLED. */
typedef int (*fr_progress_fn)(void *user, const char *phase, int64_t done, int64_t total);

/* An allocator, called from the calling thread only. alloc returns NULL when there is no memory;
 * free gets what alloc returned. */
typedef void *(*fr_alloc_fn)(void *user, size_t bytes);
typedef void (*fr_free_fn)(void *user, void *block);

typedef struct fr_ctx_options {
    size_t struct_size;
    int threads;             /* 1 to 4096; 0: as many as this process may use */
    int device;              /* GPU ordinal */
    size_t max_memory_bytes; /* 0: the machine's memory or its control group's limit */
    size_t max_gpu_bytes;    /* for all solvers of the context, each graph's copy counted once; 0:
                                what is free on the GPU */
    fr_progress_fn progress; /* NULL: none */
    void *progress_user;
    fr_alloc_fn alloc; /* both NULL: malloc and free */
    fr_free_fn free;
    void *alloc_user;
    /* Several GPUs of this host: [device_count] different ordinals, at most 16; the first replaces
     * `device`. The rows of APSP and of fr_solve_each in host memory are divided among them, except with
     * in_place and where floyd-warshall or johnson computes them. Each GPU then holds a copy of the
     * graph, made by fr_solver_new for APSP, else by the first fr_solve_each. Anything else runs on the
     * first. Times in fr_stats are of the GPU that took longest. A row callback then comes from a
     * thread per GPU, one call at a time. Each further GPU may take max_memory_bytes / device_count.
     * NULL and 0: `device`. Not with an allocator. */
    const int *devices;
    int64_t device_count;
} fr_ctx_options;

/* Creates a context; options may be NULL. FR_NOMEM: also when the system cannot start the threads
 * asked for; with threads 0 the context has as many as it can start. */
FR_API fr_status fr_ctx_new(const fr_ctx_options *options, fr_ctx **out);
FR_API void fr_ctx_free(fr_ctx *ctx);

/* Starts to open the context's GPU in a thread of its own and returns at once, so that a program can
 * read its graph at the same time; the first call that needs the GPU waits for it, and reports what went
 * wrong. FR_NO_DEVICE: a build without CUDA. */
FR_API fr_status fr_ctx_open_device(fr_ctx *ctx);

/* Why the last call with the context, or with a solver of it, failed; "" after success. After
 * fr_graph_load with cache and FR_OK: why no copy is kept, "" when one is. */
FR_API const char *fr_ctx_error(const fr_ctx *ctx);

/* The number of threads. Setting it: 0 means all; FR_NOMEM as for fr_ctx_new. */
FR_API int fr_ctx_threads(const fr_ctx *ctx);
FR_API fr_status fr_ctx_set_threads(fr_ctx *ctx, int threads);

FR_API size_t fr_ctx_peak_bytes(const fr_ctx *ctx); /* maximum memory held at once */
FR_API size_t fr_ctx_max_bytes(const fr_ctx *ctx);  /* the limit in force */

/* The number of GPUs that this library can use. FR_NO_DEVICE: none, or a library without its GPU
 * part; *count is then 0. The first call of a process starts the driver. */
FR_API fr_status fr_device_count(fr_ctx *ctx, int *count);

typedef struct fr_device_info {
    size_t struct_size;
    char name[128];         /* "NVIDIA H200" */
    int compute_capability; /* 90: 9.0 */
    int multiprocessors;
    size_t free_bytes, total_bytes; /* device memory; what other processes hold is not free */
} fr_device_info;

/* Describes the GPU with this ordinal, 0, 1, ...; *out must be initialized. FR_NO_DEVICE: there is no
 * such GPU. Opens the device, which takes some hundred milliseconds the first time. */
FR_API fr_status fr_device_get(fr_ctx *ctx, int device, fr_device_info *out);

/* ---- graph ------------------------------------------------------------------------------- */

typedef enum fr_direction {
    FR_DIRECTION_FILE,      /* what the file says */
    FR_DIRECTION_DIRECTED,  /* each stored entry is one edge */
    FR_DIRECTION_UNDIRECTED /* each entry in both directions */
} fr_direction;

/* Where weights come from. FR_WEIGHTS_POTENTIAL: random weights w from weight_low >= 0 on, then w + p(u) - p(v) on
 * u -> v, where every vertex has an integral potential p, uniform in [0, potential_max]. Some weights are negative,
 * no cycle is. Distances from s are those with the random weights, plus p(s) - p(v). An undirected graph becomes
 * directed. FR_WEIGHTS_EXPONENTIAL: of mean weight_low; FR_WEIGHTS_LOGNORMAL: weight_low e^(weight_high z), z of the
 * standard normal distribution. Both (0.3.0): the same on every machine, integers rounded up. */
typedef enum fr_weights {
    FR_WEIGHTS_FILE,   /* the file's weights, if it has any */
    FR_WEIGHTS_NONE,   /* unweighted: every edge counts 1 */
    FR_WEIGHTS_RANDOM, /* uniform in [weight_low, weight_high], the same for u-v as for v-u */
    FR_WEIGHTS_POTENTIAL,
    FR_WEIGHTS_EXPONENTIAL,
    FR_WEIGHTS_LOGNORMAL
} fr_weights;

/* The ids of an edge list. FR_IDS_STRINGS: any text; vertices are numbered in order of first appearance, and the
 * graph keeps their names (fr_graph_vertex_name). A line is divided as for chosen columns; a field may be in double
 * quotes, with "" for a quote inside; names are UTF-8 of 1 to 2048 bytes without control characters. The first line
 * has the names of the columns if a column is chosen by name, its weight is not a number, or it has known names of
 * a source and a target of more than a letter ("source", "from"; not with ends chosen by number); otherwise it is
 * an edge. fr_graph_note reports how it was read. */
typedef enum fr_ids {
    FR_IDS_INTEGERS,
    FR_IDS_STRINGS,
    FR_IDS_AUTO /* strings if a source or target in the second line (in the first, if it is the only
                   one) is not an integer, else integers; fr_graph_note reports it. Also a file of unknown
                   format is then read as an edge list */
} fr_ids;

typedef struct fr_load_options {
    size_t struct_size;
    const char *format; /* NULL: by content, then by suffix; see fr_format_name */
    fr_direction direction;
    bool drop_loops;    /* drop self-loops */
    bool drop_parallel; /* keep only the lightest of parallel edges */
    bool cache;         /* keep and use a binary copy next to the input */
    int id_base;        /* 0: the format's own; 1: ids start at 0; 2: ids start at 1 */
    fr_weights weights;
    /* Edge lists: the names of columns, as the first line has them, or their numbers from 1 on. NULL: the column
     * whose name is known ("source", "from", "u"; "target", "to", "v"; "weight", "cost", "length"; see
     * docs/formats.md), without such names columns 1 and 2, and as weight the third one if there is one. With
     * source_column or target_column there are no weights without weight_column. Two columns with such names, and
     * a first column that is an id of the edge, are FR_FORMAT. Other formats: FR_INVALID, except for a number as
     * weight_column of LDBC. */
    const char *source_column, *target_column, *weight_column;
    /* FR_TYPE_NONE: int32 if all weights are whole and fit, else int64 if they do, else double. A
     * whole weight that neither holds exactly is FR_RANGE; with FR_TYPE_F32 or FR_TYPE_F64 it is
     * rounded. */
    fr_type weight_type;
    fr_ids ids; /* FR_IDS_STRINGS: edge lists only, else FR_INVALID, and without id_base */
    /* FR_WEIGHTS_RANDOM and _POTENTIAL: FR_TYPE_I32 when both are integral and fit, FR_TYPE_I64 when both are within
     * 2^53, as they must be with it, else FR_TYPE_F64. The others: FR_TYPE_F64; FR_INVALID if one may not fit its type. */
    double weight_low, weight_high;
    double potential_max; /* FR_WEIGHTS_POTENTIAL: integral, 0 .. 2^30 */
    uint64_t seed;
    /* Edge lists; other formats: FR_INVALID. What divides the columns: ',' ';' '|' ':' '\t' or ' ' (blanks
     * and tabs); 0: a tab, a semicolon, a comma or blanks, the first of these that the first line has. */
    int separator;
    int decimal; /* edge lists: the decimal sign of weights, ',' or '.' (also 0) */
} fr_load_options;

/* Reads a graph file of any known format, compressed or not; path "-" is standard input. options
 * may be NULL. FR_NOT_FOUND, FR_IO, FR_FORMAT, FR_UNSUPPORTED, FR_RANGE, FR_CHECKSUM. O(n + m).
 * Memory grows with what the file holds: a header or an id that asks for more than 2^22 vertices and
 * 16 per entry is FR_NOMEM, unless the context has a max_memory_bytes. */
FR_API fr_status fr_graph_load(fr_ctx *ctx, const char *path, const fr_load_options *options,
                               fr_graph **out);

/* The same from the bytes of a file, compressed or not, for example from a network or an archive. The
 * format is options->format or found by content. The bytes are not needed afterwards. FR_UNSUPPORTED:
 * a format of several files. FR_INVALID: options->cache. */
FR_API fr_status fr_graph_load_memory(fr_ctx *ctx, const void *bytes, size_t size,
                                      const fr_load_options *options, fr_graph **out);

/* The same from an open stream of the caller, such as a pipe: read from where it is to its end, not
 * closed. FR_IO: reading fails. The content is held in memory while it is read. */
FR_API fr_status fr_graph_load_stream(fr_ctx *ctx, FILE *in, const fr_load_options *options,
                                      fr_graph **out);

/* Makes a graph from a generator's description, "kronecker:scale=20,edge_factor=16,seed=1".
 * options as for a file, without format, cache, columns and FR_IDS_STRINGS (FR_INVALID); may be NULL.
 * FR_INVALID: no such generator or parameter. FR_RANGE: too many vertices or edges. O(n + m). */
FR_API fr_status fr_graph_generate(fr_ctx *ctx, const char *description,
                                   const fr_load_options *options, fr_graph **out);

/* Builds a graph from m edges src[i] -> dst[i]; the arrays are copied. weights: [m] of weight_type
 * or NULL. options as for fr_graph_from_arrays. FR_INVALID: a vertex is not in 0 .. n-1. FR_RANGE: a
 * weight is not finite or does not fit weight_type. O(n + m). */
FR_API fr_status fr_graph_from_edges(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *src,
                                     const int32_t *dst, const void *weights, fr_type weight_type,
                                     const fr_load_options *options, fr_graph **out);

/* Edges as other programs hold them: pairs (sources and targets) or rows (offsets and targets), in
 * any order, with 32 or 64 bit integers. */
typedef struct fr_arrays {
    size_t struct_size;
    int64_t n;           /* vertices, at most 2^31 - 1 */
    int64_t m;           /* edges */
    const void *sources; /* [m] pairs; NULL: rows */
    /* [n+1] rows: row u holds targets[offsets[u] .. offsets[u+1]); NULL: pairs */
    const void *offsets;
    const void *targets; /* [m] */
    const void *weights; /* [m] of weight_type, NULL when FR_TYPE_NONE */
    bool copy;           /* never borrow an array */
    fr_type vertex_type; /* of both ends: FR_TYPE_I32 (also FR_TYPE_NONE) or FR_TYPE_I64 */
    fr_type offset_type; /* FR_TYPE_I64 (also FR_TYPE_NONE) or FR_TYPE_I32 */
    fr_type weight_type;
} fr_arrays;

/* Builds a graph from a caller's arrays, which are checked. Rows that a graph can hold as they are
 * (int32 targets, int64 offsets, sorted as in fr_csr, and options that change no edge) are borrowed
 * and must outlive *out, unless `copy` is set; anything else is copied and sorted like a file.
 * Parallel edges stay, or are merged into the lightest (options->drop_parallel). options: direction
 * (FR_DIRECTION_FILE is directed), drop_loops, drop_parallel, weights, weight_type, seed; may be
 * NULL. FR_INVALID: options that concern a file or its ids (format, cache, columns, FR_IDS_STRINGS,
 * id_base 2); a vertex is not in 0 .. n-1, or offsets do not ascend from 0 to m. FR_RANGE: a weight is
 * not finite or does not fit weight_type. O(n + m). */
FR_API fr_status fr_graph_from_arrays(fr_ctx *ctx, const fr_arrays *arrays,
                                      const fr_load_options *options, fr_graph **out);

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

/* Wraps a caller's CSR after checking it: offsets ascend, targets are below n, rows are sorted, and the graph is
 * symmetric if it says so; else FR_INVALID. FR_RANGE: a weight is not finite. The arrays are borrowed and must outlive
 * the graph. Without edges (m = 0) targets and weights may be NULL; weight_type still sets the type of distances. O(n + m). */
FR_API fr_status fr_graph_from_csr(fr_ctx *ctx, const fr_csr *csr, fr_graph **out);

/* Compressed sparse rows in memory of a GPU; rows as in fr_csr. */
typedef struct fr_device_csr {
    size_t struct_size;
    int32_t n;              /* vertices */
    int64_t m;              /* stored edges */
    const void *offsets;    /* [n+1] of offset_type */
    const int32_t *targets; /* [m] */
    const void *weights;    /* [m] of weight_type, NULL when FR_TYPE_NONE */
    fr_type offset_type;    /* FR_TYPE_I64 (also FR_TYPE_NONE) or FR_TYPE_I32 */
    fr_type weight_type;
    bool symmetric; /* every edge is stored in both directions with the same weight */
    void *stream;   /* a cudaStream_t: the arrays are read after all work submitted to it before the
                       call; NULL: the default stream */
} fr_device_csr;

/* Wraps a CSR in memory of the context's GPU (of CuPy, PyTorch, cuGraph, another library) without a
 * copy, after the GPU has checked what fr_graph_from_csr checks; the message names the first edge or
 * row that is wrong. The arrays are borrowed: they are not written, must not change, and must outlive
 * the graph. BFS and SSSP by `auto` on that GPU use targets and weights where they are; they convert
 * offsets once if they need the other width (BFS 32 bits below 2^32 edges, SSSP 64), make in-edges
 * of a directed graph, and may sort a copy of targets and weights. FR_BACKEND_ANY solves there.
 * Anything else (other strategies, the CPU, another GPU, a negative weight, order, origin,
 * FR_PARENT_NEAREST, checkers, files) copies the rows to host memory at first need, once per graph,
 * as fr_graph_check does; until then fr_graph_csr has no arrays and fr_graph_hash is 0. FR_INVALID:
 * also an array outside that GPU's memory. FR_RANGE: a weight is not finite. FR_NO_DEVICE. O(n + m)
 * on the GPU. */
FR_API fr_status fr_graph_from_device_csr(fr_ctx *ctx, const fr_device_csr *csr, fr_graph **out);
FR_API void fr_graph_free(fr_graph *graph);

/* The graph with every edge reversed, with the same ids: what it reaches from v is what reaches v in
 * `graph`. For a symmetric graph it is the graph itself, O(1). `graph` must outlive *out. FR_CHECKSUM
 * and FR_FORMAT as fr_graph_check. O(n + m), as much memory as the graph. For single traversals
 * fr_solver_options.reverse does the same. */
FR_API fr_status fr_graph_transpose(fr_ctx *ctx, const fr_graph *graph, fr_graph **out);

/* The same edges with other weights: [m] of `type`, in the order of fr_graph_csr(graph); of parallel
 * edges the lighter ones come first in *out. NULL and FR_TYPE_NONE: no weights. The weights are
 * copied, the structure is not: `graph` must outlive *out. The result is symmetric if `graph` is and
 * both directions of every edge have the same weight. FR_RANGE: a weight is not finite. O(n + m). */
FR_API fr_status fr_graph_set_weights(fr_ctx *ctx, const fr_graph *graph, const void *weights,
                                      fr_type type, fr_graph **out);

/* The subgraph induced by the vertices listed, in any order: every edge of which both ends are
 * listed. A vertex listed twice counts once. Vertices of *out are in the order of `graph` and keep
 * their ids (fr_graph_id). map: [n] or NULL; the new number of each vertex of `graph`, -1 for one
 * that is left out. *out does not depend on `graph`. FR_NOT_FOUND: no such vertex. O(n + m). */
FR_API fr_status fr_graph_subgraph(fr_ctx *ctx, const fr_graph *graph, const int32_t *vertices,
                                   int64_t count, int32_t *map, fr_graph **out);

/* The graph without the edges that begin or end at a vertex of closed_vertices, and without closed_edges. Vertices keep
 * their numbers and ids, a closed one is isolated. closed_vertices: [(n + 63) / 64] or NULL; bit v % 64 of word v / 64
 * closes vertex v. closed_edges: [(m + 63) / 64] or NULL; bit e % 64 of word e / 64 closes stored edge e of
 * fr_graph_csr(graph), which fr_graph_edge finds. Of an undirected graph (by its file, FR_DIRECTION_UNDIRECTED, or
 * `symmetric` of a CSR) either direction closes both, of a directed one that holds both only itself. `graph` must
 * outlive *out. To close something in single queries set it in fr_query. O(n + m), at most the graph's memory. */
FR_API fr_status fr_graph_filter(fr_ctx *ctx, const fr_graph *graph,
                                 const uint64_t *closed_vertices, const uint64_t *closed_edges,
                                 fr_graph **out);

/* The first stored edge from `source` to `target`, and in *count, which may be NULL, how many there
 * are: parallel ones follow. -1 and 0: there is none, or no such vertex. Call fr_graph_check first, as
 * for fr_graph_csr. O(log degree). */
FR_API int64_t fr_graph_edge(const fr_graph *graph, int32_t source, int32_t target, int64_t *count);

/* Size and kind of a graph. O(1). */
FR_API int32_t fr_graph_vertex_count(const fr_graph *graph);
FR_API int64_t fr_graph_edge_count(const fr_graph *graph); /* stored: undirected ones count twice */
FR_API fr_type fr_graph_weight_type(const fr_graph *graph); /* FR_TYPE_NONE: unweighted */
FR_API bool fr_graph_is_symmetric(const fr_graph *graph);   /* false, too: no memory to compare */
FR_API bool fr_graph_is_undirected(const fr_graph *graph);  /* symmetric, and declared so */

/* Between vertices and the file's ids. O(1), or O(log n) from an id. */
FR_API int64_t fr_graph_id(const fr_graph *graph, int32_t vertex);
FR_API int32_t fr_graph_vertex(const fr_graph *graph, int64_t id); /* -1: no vertex has the id */

/* The name of a vertex of a graph that was read with names (FR_IDS_STRINGS), or of one made from it;
 * NUL-terminated UTF-8, owned by the graph. NULL: the graph has no names. Ids of such a graph are its
 * vertices. O(1). */
FR_API const char *fr_graph_vertex_name(const fr_graph *graph, int32_t vertex);
/* The vertex with that name. FR_NOT_FOUND: none, or the graph has no names. FR_NOMEM: the first call for
 * a graph builds an index of 8 to 16 bytes per vertex, O(n); any number of threads may call. Then
 * O(length). */
FR_API fr_status fr_graph_find_vertex(fr_ctx *ctx, const fr_graph *graph, const char *name,
                                      int32_t *vertex);

FR_API const char *fr_graph_name(const fr_graph *graph); /* file name or description */
/* An assumption that the reader made about the file, such as "line 1 read as column names:
 * from,to,weight"; NULL: none. A graph from a cache or a generator has none. */
FR_API const char *fr_graph_note(const fr_graph *graph);
/* What of that a user should see unasked: columns that are not read, names of columns that are guessed;
 * NULL: nothing. The command prints it on standard error. */
FR_API const char *fr_graph_warning(const fr_graph *graph);
/* A hash of n, edges, weights and ids. O(n + m) the first time. */
FR_API uint64_t fr_graph_hash(const fr_graph *graph);

/* The arrays of the graph, owned by it. Call fr_graph_check before reading them. O(1). */
FR_API const fr_csr *fr_graph_csr(const fr_graph *graph);

/* Checks all content of a graph opened from a binary file: FR_CHECKSUM, or FR_FORMAT where the
 * structure is wrong. Opening a large file checks only its header; every call that takes a context
 * and follows edges checks the rest once. Copies the rows of fr_graph_from_device_csr to the host:
 * FR_NOMEM, FR_DEVICE. O(n + m) the first time; FR_OK at once afterwards and for any other graph. */
FR_API fr_status fr_graph_check(fr_ctx *ctx, const fr_graph *graph);

/* Writes a graph; format NULL: by the suffix of path. The file gets a temporary name first, then is
 * renamed. Path "-" is standard output and needs a format. FR_INVALID: no such format, or one that is not
 * written. FR_UNSUPPORTED: the format cannot hold the graph. FR_IO, FR_DISK. O(n + m). */
FR_API fr_status fr_graph_write(fr_ctx *ctx, const fr_graph *graph, const char *path,
                                const char *format);

/* The same to memory: *bytes, [*size], is the content of the file, to be freed by fr_memory_free,
 * which needs no context. FR_INVALID: also a format of several files. O(n + m). */
FR_API fr_status fr_graph_write_memory(fr_ctx *ctx, const fr_graph *graph, const char *format,
                                       void **bytes, size_t *size);
FR_API void fr_memory_free(void *bytes);

/* The same to an open stream of the caller, such as a pipe: written from where it is, flushed, not
 * closed. FR_DISK: a part may have been written. */
FR_API fr_status fr_graph_write_stream(fr_ctx *ctx, const fr_graph *graph, FILE *out,
                                       const char *format);

/* The known formats by index 0, 1, ...; NULL past the last. The description is one line: what it is,
 * suffixes. */
FR_API const char *fr_format_name(int index);
FR_API const char *fr_format_description(int index);
FR_API bool fr_format_writable(int index);

/* The known generators by index; NULL past the last. The description is one line: what it is,
 * parameters, defaults. */
FR_API const char *fr_generator_name(int index);
FR_API const char *fr_generator_description(int index);

#define FR_DEGREE_BINS 33 /* bin 0: degree 0; bin k: degrees 2^(k-1) .. 2^k - 1 */

typedef struct fr_graph_stats {
    size_t struct_size;
    int32_t n;
    fr_type weight_type;
    int64_t m; /* stored edges */
    bool symmetric;
    double weight_min, weight_max;          /* 0 when unweighted; int64 weights are rounded */
    int64_t int_weight_min, int_weight_max; /* FR_TYPE_I32, FR_TYPE_I64: exact; else 0 */
    int64_t negative_edges;
    int64_t self_loops;
    int64_t parallel_edges; /* stored entries beyond the first of each (u, v) */
    double degree_mean, degree_stddev;
    int32_t degree_max, degree_mode;
    int32_t isolated;          /* vertices with neither out- nor in-edge */
    int32_t components;        /* weakly connected */
    int32_t largest_component; /* vertices */
    /* From repeated sweeps of the largest component, seen as undirected. */
    int32_t diameter_lower_bound;
    int64_t degree_histogram[FR_DEGREE_BINS];    /* vertices */
    int64_t component_histogram[FR_DEGREE_BINS]; /* components by vertices, bins as for degrees */
} fr_graph_stats;

/* Computes statistics of a graph. FR_CHECKSUM, FR_FORMAT as fr_graph_check. O(n + m) and a few BFS;
 * a directed graph is transposed for the time. */
FR_API fr_status fr_graph_compute_stats(fr_ctx *ctx, const fr_graph *graph, fr_graph_stats *out);

/* ---- solver ------------------------------------------------------------------------------ */

/* A solver binds a graph, a problem and a strategy, and holds the memory of a traversal. */
struct fr_tuning; /* fringe_tune.h */

typedef struct fr_solver_options {
    size_t struct_size;
    const char *strategy; /* NULL: "auto" */
    /* "alpha=15,beta=18"; NULL: defaults. `auto` on a GPU gives some graphs to another strategy for good (with a
     * negative weight, or where its memory does not fit), which has knobs of its own: those given, which must be
     * knobs of `auto`, are then not used, and fr_solver_explain says so. */
    const char *knobs;
    /* FR_BACKEND_ANY: the device on which the expected_queries are predicted to end first, opening the
     * GPU and the upload included. fr_solver_explain has both times where neither is a hundred times
     * the other. A strategy that one device lacks or refuses runs on the other. */
    fr_backend backend;
    /* FR_TYPE_NONE: the type of the weights, int32 without. FR_TYPE_I64 for int32 weights whose sums
     * may not fit int32; FR_TYPE_F64 for float weights; any type without weights or with unit_weights.
     * Integer distances are exact: one that the type cannot hold, or that equals an infinity, is
     * FR_OVERFLOW. FR_UNSUPPORTED for int64 weights: the APSP strategies on the GPU but each-sssp (`auto` runs on
     * the CPU where some are negative, or in place), and floyd-warshall where n times the largest weight exceeds 2^60; FR_OVERFLOW by
     * floyd-warshall, which `auto` does not choose then, where n times the largest float weight exceeds a quarter
     * of the largest double, and by johnson where a sum with its potentials leaves double. */
    fr_type dist_type;
    int32_t max_sources; /* APSP: most rows of one fr_solve; 0: n */
    bool unit_weights;   /* every edge counts 1, whatever the graph has */
    bool record_levels;  /* keep the lines of fr_solver_levels and fr_solver_kernels */
    bool counters;       /* fill fr_stats.counters; GPU: FR_UNSUPPORTED except in the build of
                            `make counting` */
    /* APSP, floyd-warshall on the GPU: compute in place in result.dist, which may be a mapped file.
     * No other n x n array is allocated; every query asks for all rows. `auto` takes floyd-warshall then;
     * FR_UNSUPPORTED for other strategies. FR_OVERFLOW, whatever the distances are, where n times the largest
     * absolute weight is at least 2^29 with distances of int32, a quarter of the largest float with float32. See
     * fr_query.floyd. */
    bool in_place;
    /* Traverse every edge backwards: distances and levels *to* the sources. A parent is then the next
     * vertex on the way to the source, and a negative cycle is listed against its edges. The solver
     * keeps the transposed graph, O(n + m) time and memory; for a symmetric graph nothing changes.
     * The checkers take the graph of fr_graph_transpose. */
    bool reverse;
    /* BFS, SSSP: `auto` without knobs runs what fr_tune found; NULL: auto chooses. auto also chooses
     * when the tuning cannot be used: too little memory, a negative weight, an unknown knob,
     * another problem or backend. fr_solver_explain gives the reason. Read by fr_solver_new only. */
    const struct fr_tuning *tuning;
    /* The number of queries that this solver will get; 0: unknown. FR_BACKEND_ANY chooses by it, with 1
     * for 0, and `auto` of BFS and SSSP on the CPU prepares by it. The first queries run on the CSR as
     * it is. Preparing it (in-edges of directed graphs, hub parents, rows sorted by weight) makes each
     * query faster and happens once it pays: in fr_solver_new if this number is large enough, else in
     * the fr_solve before which the earlier queries would have saved its cost. It is omitted if there is
     * not enough memory. Answers do not depend on it. */
    int64_t expected_queries;
} fr_solver_options;

/* Creates a solver; options may be NULL. FR_INVALID: no such strategy or knob. FR_NOMEM: too little
 * memory for the strategy named (`auto` takes another). FR_NEGATIVE_WEIGHT, FR_UNSUPPORTED, FR_OVERFLOW (in
 * place); FR_CHECKSUM
 * and FR_FORMAT as fr_graph_check. O(n + m); uploads the graph to the GPU unless its copy is there:
 * the copy is shared by all solvers of the graph, of any context and thread, and freed with the graph
 * or when no solver uses it and memory runs short. Takes all memory that the traversals need, except
 * for what queries prepare later (expected_queries). What the CPU prepares for a graph, transposes
 * included, belongs to it and is shared by all solvers on it; it counts against the limit of the
 * context that prepared it until the graph and those solvers are freed, or until a solver needs the
 * memory and no other uses it. A context with an allocator of its own shares nothing. The graph must
 * not change and must outlive the solver. */
FR_API fr_status fr_solver_new(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                               const fr_solver_options *options, fr_solver **out);
FR_API void fr_solver_free(fr_solver *solver);

typedef struct fr_memory_estimate {
    size_t struct_size;
    size_t host, device; /* bytes */
} fr_memory_estimate;

/* The memory that fr_solver_new would take, and what its queries may prepare later (not with
 * expected_queries 1), without taking it; statuses as fr_solver_new. Parts of the graph that are on
 * the GPU already cost nothing, and copies in no use count as free. The upload of a graph and the
 * download of results need up to 16 MiB of pinned host memory in addition. O(m). */
FR_API fr_status fr_estimate_memory(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                                    const fr_solver_options *options, fr_memory_estimate *out);

/* APSP: gets each finished row, from the calling thread (with several GPUs see
 * fr_ctx_options.devices). row: the source's index in the query.
 * dist: [n], with targets [target_count], of the solver's distance type. parent: the same, NULL
 * unless fr_query.want_parents. Both are valid until it returns. Non-zero cancels. */
typedef int (*fr_apsp_row_fn)(void *user, int64_t row, int32_t source, const void *dist,
                              const int32_t *parent);

/* In-place APSP: called after each block of pivots; dist then holds the best paths that use only
 * vertices below pivots_done as intermediates. Non-zero cancels. */
typedef int (*fr_pivot_fn)(void *user, int64_t pivots_done, int64_t n);

/* Floyd-Warshall in place (fr_solver_options.in_place): reports progress and resumes. */
typedef struct fr_floyd_options {
    fr_pivot_fn pivot; /* NULL: none */
    void *pivot_user;
    /* The last pivots_done that an earlier query on the same array reported to `pivot`, also in another
     * process: the query resumes there. 0: from the start. */
    int64_t pivots_done;
} fr_floyd_options;

/* Where the arrays of a result are. FR_MEMORY_DEVICE: in memory of the context's GPU (or managed
 * memory), for a consumer that continues there. */
typedef enum fr_memory { FR_MEMORY_HOST, FR_MEMORY_DEVICE } fr_memory;
/* Which of several valid parents a traversal returns. MIN_ID and NEAREST give the same parents on
 * every run, whatever the strategy, backend and number of threads; both cost a pass over the edges. */
typedef enum fr_parent_rule {
    FR_PARENT_ANY,
    /* The smallest vertex. SSSP: of those nearer to the source; where only edges of weight 0 lead to a vertex, of
     * those with the fewest such edges to them; where a weight is negative, of those with the fewest edges from the
     * source. APSP with float weights: FR_UNSUPPORTED by floyd-warshall, by johnson where a weight is negative, and
     * by `auto` where it chooses one of them, since they add up in another order than a path has. */
    FR_PARENT_MIN_ID,
    /* SSSP: the one nearest to the source, of several at that distance the smallest; where only edges of
     * weight 0 lead to a vertex, the smallest of those with the fewest such edges to them. Where a weight
     * is negative: as MIN_ID. BFS: as MIN_ID, since all valid parents have the same level. APSP:
     * the same in each row; with float weights FR_UNSUPPORTED except for multi-sssp and each-sssp, since other
     * strategies add up in another order. */
    FR_PARENT_NEAREST
} fr_parent_rule;

/* What a query and its result may have, by problem; no: FR_UNSUPPORTED.
 *                        BFS                        SSSP                       APSP
 *   sources              merged into one traversal  merged into one traversal  a row each
 *   targets              the search ends with them  the search ends with them  columns of the result
 *   max_level            yes                        no                         no
 *   max_distance         no                         yes                        yes, but not in place
 *   mark_negative_cycles no effect                  yes                        no
 *   row                  no                         no                         yes
 *   floyd                FR_INVALID                 FR_INVALID                 in place
 *   result.level         [n]                        no                         no
 *   result.dist          no                         [n]                        [rows][n or target_count]
 *   result.parent        [n]                        [n]                        like dist
 *   result.order         [n]                        no                         no
 *   result.origin        [n]                        [n]                        no
 * A level that is set beside dist, or a dist beside level, is not written. */
typedef struct fr_query {
    size_t struct_size;
    const int32_t *sources; /* [source_count]; APSP: NULL: every vertex */
    int64_t source_count;
    /* [target_count]; NULL: none. BFS, SSSP: vertices that are not settled when all targets are count as unreached:
     * BFS finishes the level of the last target; SSSP keeps exactly those at most as far as the farthest target and
     * the sources, or all of them when a target is unreachable or a weight is negative. APSP: columns in this
     * order, also several times. A row of the CPU's multi-sssp ends once they are settled; others are computed whole. For
     * fewer targets than sources, `reverse` from the targets is faster. */
    const int32_t *targets;
    int64_t target_count;
    /* The largest distance to compute; 0: all, unless limit_distance is set. An integer distance is
     * compared with this real number exactly, also beyond 2^53. With negative weights a parent may be
     * farther than the limit and so unreached, and with result.origin distances beyond the limit must
     * fit their type, too. APSP: rows of multi-sssp, each-sssp and multi-bfs end there; others are whole. */
    double max_distance;
    int32_t max_level;   /* the deepest level to compute; 0: all, unless limit_level is set */
    bool limit_distance; /* max_distance is a limit also if it is 0 */
    bool limit_level;    /* max_level is a limit also if it is 0 */
    fr_parent_rule parent_rule;
    bool want_parents; /* with `row`: pass parents, too */
    /* Do not stop at a negative cycle. What one reaches gets FR_NEG_INF and parent -1, all else its
     * distance. The status is still FR_NEGATIVE_CYCLE, with the first cycle found. */
    bool mark_negative_cycles;
    fr_apsp_row_fn row; /* instead of, or in addition to, result.dist; NULL: none */
    void *row_user;
    fr_floyd_options floyd;
    /* Where result.level, dist and parent are. FR_MEMORY_DEVICE: FR_UNSUPPORTED where the CPU solves, for parents
     * of APSP, with `row` or in place, and for what the host computes: order, origin, FR_PARENT_NEAREST,
     * FR_PARENT_MIN_ID by BFS multi-device, limits of 0, and of APSP targets, limits and float distances of unit
     * weights; FR_INVALID when an array is not in memory of the context's GPU. The GPU writes an array in page-
     * locked host memory without a copy. */
    fr_memory result_memory;
    /* FR_MEMORY_DEVICE: a cudaStream_t of the same GPU; NULL: the default stream. The arrays are written
     * after all work submitted to it before the call, and complete when fr_solve returns. */
    void *stream;
    /* Edges that this query does not use, as for fr_graph_filter (of the graph that the function gets,
     * also with `reverse`); NULL: none. A closed source reaches only itself. The solver keeps a filtered
     * copy of the graph and a solver on it, with its strategy and knobs, or on the CPU if the GPU lacks the
     * memory: O(n + m) time, another solver's bytes. Made again when the bits differ from the last ones. */
    const uint64_t *closed_vertices; /* [(n + 63) / 64] */
    const uint64_t *closed_edges;    /* [(m + 63) / 64] */
} fr_query;

/* What can be counted during a query (fr_solver_options.counters). */
typedef enum fr_counter {
    FR_COUNTER_EDGES,            /* edges examined */
    FR_COUNTER_ENQUEUES,         /* vertices appended to a queue */
    FR_COUNTER_DUPLICATES_FOUND, /* vertices found by several threads at once: all but one of them */
    FR_COUNTER_DUPLICATES_MISSED, /* vertices appended to a queue that already held them */
    FR_COUNTER_CONFLICTS,         /* collisions in a hash table for duplicates */
    FR_COUNTER_RELAXATIONS,       /* SSSP: distances lowered */
    FR_COUNTER_ATOMICS,           /* atomic operations on vertices and queues */
    FR_COUNTER_EARLY,             /* vertices that a bottom-up pass visits a level early (xbfs) */
    FR_COUNTER_COUNT
} fr_counter;
FR_API const char *fr_counter_name(fr_counter kind); /* "edges", "duplicates_found", ... */
#define FR_COUNTER_CAPACITY 16 /* counters later versions may add are included */

/* Figures of one query. Part of fr_result, at its end: new members are added here. */
typedef struct fr_stats {
    int64_t edges_examined; /* edges whose target was read */
    int64_t relaxations;    /* SSSP: distances lowered */
    int64_t reached;        /* vertices reached, including the sources */
    int64_t reached_edges;  /* stored edges leaving them: the numerator of TEPS */
    int64_t prepare_ns;     /* preparation of the graph, by fr_solver_new and, so far, fr_solve */
    int64_t upload_ns;      /* upload of the graph to the GPU: part of prepare_ns */
    int64_t transfer_ns;    /* upload_ns + download of the results (APSP: + row callback) */
    int64_t traverse_ns;    /* the traversal, including the initialization of its arrays */
    int64_t device_init_ns; /* one-time initialization of the GPU; not part of prepare_ns */
    size_t scratch_bytes;
    const char *strategy;  /* what ran: auto names its choice */
    int32_t levels;        /* BFS: deepest level; SSSP: rounds or buckets processed */
    uint32_t counter_mask; /* bit 1 << fr_counter: that counter was counted */
    int64_t counters[FR_COUNTER_CAPACITY]; /* by fr_counter; 0 where not counted */
    int64_t call_ns; /* the whole call of fr_solve, with the transfer of the results */
    int64_t threads; /* of the CPU that searched; 1: the caller's alone, 0: a GPU (0.3.0) */
} fr_stats;

/* The caller sets the arrays, the library the rest. */
typedef struct fr_result {
    size_t struct_size;
    int32_t *level;
    void *dist;      /* of fr_solver_dist_type */
    int32_t *parent; /* a source is its own parent, unreached: -1 */
    /* The first stats.reached are set: the reached vertices by level, within a level by number, so the
     * same on every run. */
    int32_t *order;
    /* The nearest source as its index in query.sources, of several the smallest index; unreached or at
     * minus infinity: -1. O(n + m) on one thread. */
    int32_t *origin;
    /* After FR_NEGATIVE_CYCLE: [cycle_length], v0 -> v1 -> ... -> v0. Owned by the solver until its
     * next call. */
    const int32_t *cycle;
    double cycle_weight; /* < 0; for integer weights the double nearest to their sum */
    int32_t cycle_length;
    fr_stats stats;
} fr_result;

/* Runs one query. FR_NOT_FOUND: no such source or target. FR_NEGATIVE_CYCLE is a valid result:
 * `cycle` is set; distances are unspecified unless query.mark_negative_cycles. FR_OVERFLOW,
 * FR_UNSUPPORTED. Cost: the strategy's; on a GPU also the transfer of the arrays that are not
 * NULL, in the fewest bytes per value that hold them. Allocates once for several sources, for
 * order, origin and FR_PARENT_NEAREST, for APSP with targets, for closed vertices and edges, for a
 * level or dist array that is needed but left out, and what is prepared late (expected_queries);
 * nothing else. */
FR_API fr_status fr_solve(fr_solver *solver, const fr_query *query, fr_result *result);

/* Runs one query for each of query->sources, in their order: BFS or SSSP from that source alone, with
 * all other members of the query. level, dist and parent of the result are [source_count][n], a
 * row per source; order and origin: FR_UNSUPPORTED, as is APSP, which has rows of its own. stats are
 * sums over the queries, levels the maximum; call_ns is the whole call, upload_ns, prepare_ns and
 * scratch_bytes are the solver's, transfer_ns is upload_ns and the time of the copies, also of those
 * that overlap a query. record_levels keeps the levels of the last query. On a GPU the rows in host memory
 * are copied while the next query runs, by a further thread and a team: many queries take as long as
 * their traversals or their copies, whichever take longer. For that the first such call takes twice the
 * device memory of a row; without it, and for rows of less than 128 KiB, with targets, or with results
 * that the host computes (FR_PARENT_NEAREST, limits of 0, equal weights but 1 as int32), queries run one after
 * the other. progress is also called before each query.
 * Stops at the first query that does not return FR_OK, with its status and cycle. *solved (may be NULL)
 * is then the number of rows that are complete, the first ones; after FR_NEGATIVE_CYCLE with
 * mark_negative_cycles the next one is complete, too. The other rows are unspecified. */
FR_API fr_status fr_solve_each(fr_solver *solver, const fr_query *query, fr_result *result,
                               int64_t *solved);

/* ---- files of results -------------------------------------------------------------------- */

/* The destination of a result: exactly one of path (not ""), stream and bytes is set, else FR_INVALID. FR_DISK:
 * the message has the reason; a file is then removed, a stream may have got a part. A matrix as npy for which the file
 * system of `path` has too little space is refused before it is computed. */
typedef struct fr_output {
    size_t struct_size;
    /* A file; "-" is standard output. A regular file, links resolved, gets the name PATH.PID.tmp
     * first (PID: of this process) and is renamed when it is complete. */
    const char *path;
    FILE *stream; /* of the caller, such as a pipe: written in order, flushed, not closed */
    void **bytes; /* *bytes, [*size], is the content of the file, to be freed by fr_memory_free */
    size_t *size;
    const char *format; /* see fr_result_format_choose; may be NULL */
} fr_output;

/* Writes the levels (result.level) or else distances (result.dist, of dist_type) of a traversal, [n],
 * and its parents if they are set, with the ids of the graph or its names, which only tsv can hold (else
 * FR_UNSUPPORTED). FR_NOT_FOUND: a parent is not a vertex. query: the one that was solved; may be NULL.
 * format: "tsv", one line per vertex below the header "vertex TAB level|distance TAB parent",
 * unreached: -1 or inf; "npy", a NumPy array of the same records, without parents of the values alone,
 * in which unreached is the constant of the type; "graphalytics", the lines "vertex value" of LDBC
 * Graphalytics. No parent is -1; where a vertex is called -1, it is an empty field in tsv, also of a table
 * or matrix, and the smallest int64 in npy. O(n), by all threads; to memory by one. */
FR_API fr_status fr_result_write(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                                 fr_type dist_type, const fr_result *result, const fr_output *to);
FR_API const char *fr_result_format_name(int index); /* NULL past the last */
/* The format of a file of results: `format`, NULL if none has that name; if `format` is NULL, npy where path
 * (or NULL) ends in .npy, else tsv. */
FR_API const char *fr_result_format_choose(const char *format, const char *path);

/* The values of a column. npy: numbers and distances as they are, vertices as int64 ids. */
typedef enum fr_column_kind {
    FR_COLUMN_NUMBER,   /* values: [rows] of type */
    FR_COLUMN_DISTANCE, /* the same; "inf" where it is the type's infinity */
    FR_COLUMN_VERTEX,   /* values: int32 [rows], id or name, -1: none; NULL: row i is of vertex i */
    FR_COLUMN_PATH /* values: int32 [offsets[rows]], vertices with blanks between; not in npy */
} fr_column_kind;

/* A column of a table. Fixed layout. */
typedef struct fr_column {
    const char *name; /* 1 to 64 printable ASCII characters except quotes and backslashes */
    fr_column_kind kind;
    fr_type type; /* of numbers and distances */
    const void *values;
    const int64_t *offsets; /* [rows+1] paths: row i is values[offsets[i] .. offsets[i+1]) */
} fr_column;

/* Writes a table, such as scores of vertices, labels, pairs or paths: tsv, a header line and a line
 * per row, or npy, an array of records, of one column an array of its values. columns:
 * [column_count], 1 to 64 with different names. FR_NOT_FOUND: no such vertex. FR_UNSUPPORTED: npy with
 * paths, or with vertices that have names. O(values), by all threads; to memory by one. */
FR_API fr_status fr_table_write(fr_ctx *ctx, const fr_graph *graph, int64_t rows,
                                const fr_column *columns, int column_count, const fr_output *to);

/* Writes a matrix of distances and parents (or NULL) as APSP returns it: result.dist, parent:
 * [rows][columns], by the sources and targets of the query that was solved; NULL: all pairs. tsv: a
 * line per pair below the header "source TAB vertex TAB distance TAB parent"; npy: a matrix of the
 * distances, FR_UNSUPPORTED with parents. FR_NOT_FOUND: no such source or target. O(rows columns), by
 * all threads; to memory by one. */
FR_API fr_status fr_matrix_write(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                                 fr_type dist_type, const fr_result *result, const fr_output *to);

/* fr_solve for APSP that writes the same file row by row, with parents if query.want_parents, so that
 * the matrix need not fit into memory. query.row is called, too, and result may have arrays. Rows that
 * are finished early wait in memory for those before them. Statuses as fr_solve, and FR_DISK;
 * FR_UNSUPPORTED: another problem, or in place. Cost: as fr_solve and, on one thread, the
 * text. */
FR_API fr_status fr_apsp_write(fr_solver *solver, const fr_query *query, fr_result *result,
                               const fr_output *to);

/* Writes the header of a .npy file of a matrix, of a vector if columns < 0, and returns its bytes: its
 * values follow in the file, for example a mapped one (fr_solver_options.in_place). type: not
 * FR_TYPE_NONE. */
#define FR_NPY_HEADER_CAPACITY 256
FR_API size_t fr_npy_header(char header[FR_NPY_HEADER_CAPACITY], fr_type type, int64_t rows,
                            int64_t columns);

/* Write a number as these files do: at most FR_NUMBER_CAPACITY bytes at `at`, without a NUL. Return the
 * end. The text of a real number is the shortest that parses to the same number. */
#define FR_NUMBER_CAPACITY 32
FR_API char *fr_put_int64(char *at, int64_t value);
FR_API char *fr_put_float(char *at, float value);
FR_API char *fr_put_double(char *at, double value);
/* dist[index] of the type, "inf" if it is the type's infinity. */
FR_API char *fr_put_distance(char *at, fr_type type, const void *dist, int64_t index);

/* ---- negative cycles --------------------------------------------------------------------- */

/* A cycle of float weights is negative if they sum to less than -k e S: k is the number of its edges, S
 * the sum of their absolute values, and e the epsilon of the distances' type (2^-23 or 2^-52). A cycle
 * between that and 0 is taken for rounding and counts as 0: parents are a forest without it, and every
 * distance is the sum along the parents' path, from the source on. So it is right within n e times the
 * absolute weights of that path. A negative cycle so far from the sources that rounding hides its weight
 * may be taken for 0, too, unless it is a self-loop. Integers are exact. */

/* Finds a negative cycle anywhere in the graph. FR_OK: there is none, *length is 0.
 * FR_NEGATIVE_CYCLE: cycle, [n] or NULL, gets *length vertices v0 -> v1 -> ... ->
 * v0; *weight, which may be NULL, is the double nearest to its weight. options: strategy, knobs and
 * backend; may be NULL. FR_OVERFLOW: sums do not fit int64. One SSSP from all vertices at once, at worst
 * O(n m); O(n + m) if no weight is negative. fr_verify_cycle without a query checks it. */
FR_API fr_status fr_negative_cycle(fr_ctx *ctx, const fr_graph *graph,
                                   const fr_solver_options *options, int32_t *cycle,
                                   int32_t *length, double *weight);

/* ---- what ran ---------------------------------------------------------------------------- */

FR_API fr_type fr_solver_dist_type(const fr_solver *solver);   /* element type of result.dist */
FR_API const char *fr_solver_explain(const fr_solver *solver); /* auto: its choice and reason */
/* Where its queries run: FR_BACKEND_CPU or FR_BACKEND_CUDA, whatever was asked for. */
FR_API fr_backend fr_solver_backend(const fr_solver *solver);

/* ---- verification ------------------------------------------------------------------------ */

/* The checkers share no code with any strategy. Each is parallel and, unless it says otherwise,
 * O(n + m). FR_VERIFY_FAILED: the message names the first broken rule and its vertices. FR_NOT_FOUND:
 * no such source or target. Pass the query that was solved: its limits and targets say which
 * vertices may be missing. parent may be NULL. */

/* Checks the result of BFS. level may be NULL if parent is not: levels are then those that follow from it. */
FR_API fr_status fr_verify_bfs(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                               const int32_t *level, const int32_t *parent);

/* Checks the result of SSSP. dist: [n] of dist_type. unit_weights as in fr_solver_options. With
 * query.mark_negative_cycles also that exactly the vertices that a negative cycle reaches have minus
 * infinity: at worst O(n m). With a limit and a negative weight the missing distances are computed, at worst
 * in O(n m). */
FR_API fr_status fr_verify_sssp(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                                bool unit_weights, const void *dist, fr_type dist_type,
                                const int32_t *parent);

/* Checks that a cycle exists, is reachable from the sources and has the negative weight given. query may be NULL
 * or without sources: any cycle of the graph. */
FR_API fr_status fr_verify_cycle(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                                 const int32_t *cycle, int32_t cycle_length, double cycle_weight);

/* Checks `rows` rows of APSP drawn at random from seed (0: all), and triangles between rows.
 * O(rows (n + m)). With query.targets dist and parent are [rows][target_count]; other rows are then not
 * checked, and each takes a search of the checker's own, at worst O(n m), as with max_distance and a
 * negative weight. */
FR_API fr_status fr_verify_apsp(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                                bool unit_weights, const void *dist, fr_type dist_type,
                                const int32_t *parent, int64_t rows, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
