/* The random test of the public interface: what its files share. docs: tests/README.md.
 *
 * A case is a graph, a call of the table and the values of its options, everything drawn from one seed:
 *
 *     draw  ->  ri_case  ->  run: calls the library, computes the answer plainly, compares
 *                   |             a difference is ri_mismatch(), which does not return
 *                   +-- text (case_text.c): a file that --repeat runs again
 *                   +-- smaller cases (shrink.c), each tried in a process of its own
 *
 * So everything that decides what a call does must be in the case: its graph and its settings. run() must not
 * draw random numbers, except from ri_run_rng(), and must work for every smaller case that shrink.c makes: any
 * vertex, edge, member of a list or round may have gone, and any setting may be 0.
 *
 * To add calls beside solvers: a file with a ri_call, its options and three functions, and a line in ri_calls of
 * table.c. The test includes the public headers and nothing else of the library. */
#ifndef RANDOM_H
#define RANDOM_H

#include <fringe.h>
#include <fringe_tune.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- random numbers (rng.c) ------------------------------------------------------------------ */

typedef struct ri_block ri_block;

typedef struct ri_rng {
    uint64_t state;
} ri_rng;

ri_rng ri_seeded(uint64_t seed, uint64_t stream);
uint64_t ri_bits(ri_rng *rng);
int64_t ri_below(ri_rng *rng, int64_t bound); /* 0 .. bound-1; 0 if bound is 0 */
int64_t ri_between(ri_rng *rng, int64_t low, int64_t high);
bool ri_chance(ri_rng *rng, int percent);
double ri_unit(ri_rng *rng); /* 0 <= x < 1 */
/* One of the values listed. */
#define RI_PICK(rng, ...)                                                                          \
    (((const int64_t[]){__VA_ARGS__})[ri_below(                                                    \
        rng, (int64_t)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))])

/* ---- the graph as the test knows it ------------------------------------------------------------ */

/* .i of FR_TYPE_I32, FR_TYPE_I64; .f of FR_TYPE_F32 (then a float's value), FR_TYPE_F64; FR_TYPE_NONE: .i = 1 */
typedef union ri_weight {
    int64_t i;
    double f;
} ri_weight;

typedef struct ri_edge {
    int32_t from, to;
    ri_weight weight;
} ri_edge;

/* Edges as they are given, in any order; undirected: each of them stands for both directions. */
typedef struct ri_graph {
    int32_t n;
    int64_t m;
    ri_edge *edges;
    fr_type type;
    bool undirected;
} ri_graph;

/* Stored edges, in the order of fr_graph_csr: by from, to, weight. Of an undirected graph both directions of an
 * edge, a self-loop once. `twin`: the stored edge of the other direction, itself in a directed graph. `given`: the
 * edge of ri_graph.edges. */
typedef struct ri_arcs {
    int32_t n;
    int64_t m;
    ri_edge *arcs;
    int64_t *twin, *given;
    fr_type type;
    bool undirected; /* as the graph was declared */
} ri_arcs;

static inline bool ri_is_real(fr_type type) { return type == FR_TYPE_F32 || type == FR_TYPE_F64; }

/* ---- options ----------------------------------------------------------------------------------- */

typedef enum ri_kind {
    RI_NUMBER,   /* .number; 0 is the default and the simplest value */
    RI_REAL,     /* .real; 0 is the default */
    RI_NAME,     /* .number, an index into names: printed as text */
    RI_TEXT,     /* .text: words with commas between, which can go one by one; NULL: none */
    RI_VERTICES, /* .list[.count]: vertices, in this order, maybe several times */
    RI_EDGES     /* .list[.count]: indices into ri_graph.edges */
} ri_kind;

typedef struct ri_option {
    const char *name;
    ri_kind kind;
    bool each; /* one value per round (query), else one per case */
    int64_t
        least; /* members of a list that shrinking leaves; 1: it leaves a number or name as it is */
    const char *const *names; /* RI_NAME: NULL at the end */
} ri_option;

typedef struct ri_setting {
    int64_t number;
    double real;
    char *text;
    int32_t *list;
    int64_t count;
} ri_setting;

enum { RI_OPTIONS = 64, RI_ROUNDS = 5 };

typedef struct ri_call ri_call;

/* Options of every case, before the options of its call (context.c, make.c); ri_at(c, 0, RI_THREADS). */
enum {
    RI_BACKEND,     /* fr_backend that the call asks for */
    RI_THREADS,     /* fr_ctx_options.threads */
    RI_GPUS,        /* fr_ctx_options.device_count; 0: `device` */
    RI_MAX_MEMORY,  /* fr_ctx_options.max_memory_bytes in KiB */
    RI_MAX_GPU,     /* fr_ctx_options.max_gpu_bytes in KiB */
    RI_ALLOCATOR,   /* an allocator of the test's own */
    RI_PROGRESS,    /* a progress function */
    RI_MADE_BY,     /* how the graph came to be: make.c */
    RI_MADE_DETAIL, /* a seed of details of that: integer types, file format, order of edges */
    RI_FRAME_OPTIONS
};

/* How the graph came to be, RI_MADE_BY (make.c). */
#define RI_WAYS(X)                                                                                 \
    X(RI_BY_EDGES, "edges")                                                                        \
    X(RI_BY_PAIRS, "pairs")                                                                        \
    X(RI_BY_ROWS, "rows")                                                                          \
    X(RI_BY_CSR, "csr")                                                                            \
    X(RI_BY_FILE, "file")                                                                          \
    X(RI_BY_SET_WEIGHTS, "set_weights")                                                            \
    X(RI_BY_TRANSPOSE, "transpose")                                                                \
    X(RI_BY_FILTER, "filter")                                                                      \
    X(RI_BY_SUBGRAPH, "subgraph")                                                                  \
    X(RI_BY_DEVICE, "device_csr")
typedef enum ri_way {
#define RI_WAY_ENUM(name, text) name,
    RI_WAYS(RI_WAY_ENUM)
#undef RI_WAY_ENUM
} ri_way;

typedef struct ri_case {
    uint64_t seed, number; /* of the run, and of the case within it */
    const ri_call *call;
    ri_graph graph;
    int rounds; /* 1 .. RI_ROUNDS: queries on the same solver */
    /* Options of the frame (RI_FRAME_OPTIONS) first, then the call's. of[0]: of the case; of[1 + round] */
    ri_setting of[1 + RI_ROUNDS][RI_OPTIONS];

    /* Set while it runs. */
    ri_arcs stored;
    fr_ctx *ctx;
    ri_block *blocks; /* ri_alloc, ri_out */
    char what[96];    /* for the table of counts: "sssp cuda hbf" */
    bool refused;     /* by a status that the header allows */
    char why[2048];   /* of a mismatch */
} ri_case;

/* A call of the table. `option` of its functions counts from RI_FRAME_OPTIONS on. */
struct ri_call {
    const char *name;         /* "solve": --only takes it */
    const ri_option *options; /* ends with a NULL name */
    int share;                /* of the cases, in proportion to the shares of the other calls */
    /* Sets c->rounds and the settings of the call, and may change the frame's. The graph is there. */
    void (*draw)(ri_case *c, ri_rng *rng);
    /* Calls the library and compares. */
    void (*run)(ri_case *c);
    /* True: the call is possible for this graph; NULL: for all. Asked before draw. */
    bool (*takes)(const ri_case *c);
};

extern const ri_call *const ri_calls[]; /* table.c; NULL at the end */
extern const ri_option ri_frame_options[];

/* A setting; round -1: of the case. */
static inline ri_setting *ri_of(ri_case *c, int round, int option) {
    return &c->of[1 + round][option];
}
static inline int64_t ri_at(const ri_case *c, int round, int option) {
    return c->of[1 + round][option].number;
}
const ri_option *ri_option_of(const ri_call *call, int option); /* NULL past the last */
/* Sets a list; the values are copied. */
void ri_set_list(ri_setting *setting, const int32_t *values, int64_t count);
void ri_set_text(ri_setting *setting, const char *text);
void ri_case_free(ri_case *c);

/* ---- while a case runs (run.c) ------------------------------------------------------------------- */

/* Ends the run of the case: the library's answer is not the expected one. Not from a callback. */
_Noreturn void ri_mismatch(ri_case *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define RI_CHECK(c, condition, ...) ((condition) ? (void)0 : ri_mismatch(c, __VA_ARGS__))

/* A call of the library, watched: one that takes over 20 s is reported with a backtrace of all threads.
 *     fr_status s = RI_DO(c, fr_solve(solver, &query, &result)); */
#define RI_DO(c, expression)                                                                       \
    (ri_watch(c, #expression), (__typeof__(expression))ri_watched(c, (int64_t)(expression)))
void ri_watch(ri_case *c, const char *what);
int64_t ri_watched(ri_case *c, int64_t value); /* also checks the guard zones of ri_out */
/* The status must be FR_OK: else a mismatch with the library's message. */
#define RI_OK(c, expression) ri_ok(c, RI_DO(c, expression), #expression)
void ri_ok(ri_case *c, fr_status status, const char *what);
/* The header allows this refusal: counted; the case goes on. ri_stop: the case ends here without a mismatch, as RI_OK
 * does itself after FR_NOMEM under a limit and after a cancelled FR_CANCELLED. */
void ri_refuse(ri_case *c);
_Noreturn void ri_stop(ri_case *c);
/* Such a status is allowed whatever the call does. */
bool ri_is_excused(const ri_case *c, fr_status status);
/* Frees an object of the library when the case ends, the last one first. */
#define RI_FREE_AT_END(c, free_it, object)                                                         \
    ri_defer(c, (void (*)(void *))(free_it), (void *)(object))
void ri_defer(ri_case *c, void (*free_it)(void *), void *object);

/* Memory of the case, zeroed, freed when it ends. */
void *ri_alloc(ri_case *c, size_t bytes);
/* An output array with guard zones, filled with RI_FILL. Each RI_DO checks the zones of arrays on the host. */
typedef enum ri_place { RI_HOST, RI_PINNED, RI_DEVICE } ri_place;
void *ri_out_at(ri_case *c, ri_place place, size_t bytes);
static inline void *ri_out(ri_case *c, size_t bytes) { return ri_out_at(c, RI_HOST, bytes); }
/* The content of an array of ri_out_at as an array on the host. NULL stays NULL. */
const void *ri_host(ri_case *c, const void *out);
enum { RI_FILL = 0x5b };
/* Random numbers that decide nothing which must be shrunk: the same for every run of the case. */
ri_rng ri_run_rng(const ri_case *c);

/* The context and the graph of the case, by its frame options; freed by the frame. `stored` is checked against
 * fr_graph_csr. */
fr_ctx *ri_context(ri_case *c);
fr_graph *ri_make_graph(ri_case *c);
bool ri_have_gpu(void); /* a GPU, or kernels on the host */

/* ---- reference (reference.c, exact.c) ---------------------------------------------------------------- */

void ri_store(ri_case *c);                            /* graph -> stored */
int64_t *ri_twins(ri_case *c, const ri_arcs *stored); /* NULL: it is not symmetric */
void ri_no_twins(ri_arcs *stored);                    /* each edge is its own */
/* Arcs without those that are closed (flags, [n] and [m], or NULL), reversed, each of weight 1. */
ri_arcs ri_view(ri_case *c, const ri_arcs *stored, const bool *closed_vertices,
                const bool *closed_arcs, bool reverse, bool unit);

enum { RI_UNREACHED, RI_FINITE, RI_MINUS }; /* RI_MINUS: a negative cycle leads to the vertex */

/* Exact distances: integers of `words` 64-bit limbs, two's complement, times 2^low. */
typedef struct ri_distances {
    int32_t n;
    int words, low;
    uint64_t *value;     /* [n][words] */
    unsigned char *kind; /* [n] RI_UNREACHED ... */
    double *size;        /* [n] sum of |weight| on the shortest path that was found */
    int32_t *hops;       /* [n] edges of it */
    bool cycle;          /* a negative cycle is reached */
    int bits;            /* of the largest sum of n weights, in units of 2^low */
    double largest;      /* weight in size */
} ri_distances;

/* Bellman-Ford by passes over all arcs from `sources`; count -1: from every vertex. */
ri_distances ri_shortest(ri_case *c, const ri_arcs *arcs, const int32_t *sources, int64_t count);
int ri_compare(const ri_distances *d, int32_t u, int32_t v); /* finite ones: < 0, 0, > 0 */
/* The same of two searches of the same arcs. */
int ri_compare_both(const ri_distances *d, int32_t u, const ri_distances *e, int32_t v);
/* d[u] + weight compared with d[v]. */
int ri_compare_edge(const ri_distances *d, const ri_arcs *arcs, int64_t arc);
/* d[v] compared with a number of `type` at `value`. */
int ri_compare_value(const ri_distances *d, int32_t v, fr_type type, const void *value);
double ri_read(fr_type type, const void *at, int64_t i); /* a number of a type as a double */
double ri_double(const ri_distances *d, int32_t v);      /* the nearest */
bool ri_fits(const ri_distances *d, int32_t v,
             fr_type type); /* finite, and no infinity of an integer type */
/* Whether every sum of up to n weights is exact in the type. */
bool ri_is_exact(const ri_distances *d, fr_type type);
/* Whether `value` of `type` is d[v] as far as sums of up to n numbers of `type` can be right: exactly if sums are
 * exact, else within n times the type's epsilon times `size`. */
bool ri_is(const ri_distances *d, int32_t v, fr_type type, const void *value, double size);
double ri_epsilon(fr_type type); /* FLT_EPSILON, DBL_EPSILON; 0 for integers */
/* Levels; -1: unreached. */
int32_t *ri_levels(ri_case *c, const ri_arcs *arcs, const int32_t *sources, int64_t count);

#endif
