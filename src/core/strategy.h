/* The descriptor of a strategy and the job that a strategy gets. */
#ifndef FRI_CORE_STRATEGY_H
#define FRI_CORE_STRATEGY_H

#include "fringe_tune.h"
#include "base/base.h"
#include "graph/graph.h"

enum {                             /* bits of fri_strategy.needs */
       FRI_NEEDS_IN_EDGES = 1,     /* job.in_edges is set (for a symmetric graph, or if the device
                                      builds the in-edges, it is job.csr) */
       FRI_NEEDS_NON_NEGATIVE = 2, /* FR_NEGATIVE_WEIGHT if a weight is negative */
       FRI_NEEDS_WEIGHTS = 4,      /* job.csr.weights is never NULL: a graph without weights gets
                                      unit weights */
       FRI_TAKES_IN_PLACE = 8,     /* supports job.in->in_place */
       FRI_REFUSES_I64 = 16,       /* FR_UNSUPPORTED if weights are int64 */
       /* GPU strategies: job.csr_on_device_only may be set, unless a weight is negative */
       FRI_TAKES_CSR_ON_DEVICE = 32,
       FRI_SEPARATE_ROWS = 64,    /* APSP: a row costs the same whatever other rows a query has */
       FRI_SPANS_DEVICES = 128,   /* GPU strategies: a query may run on all GPUs of the context; the
                                      rows, in-edges included, are on the host, and the smallest
                                      parents are computed there */
       FRI_GATHERS_COLUMNS = 256, /* APSP: makes rows of the targets alone (job.columns) */
       FRI_SUMS_LEVELS = 512,     /* GPU strategies: write the sums of job.sums to device memory */
};

enum { FRI_MAX_KNOBS = 24, FRI_MAX_KERNELS = 32 };

/* A bit of fri_strategy.counts and fr_stats.counter_mask. */
#define FRI_COUNTER_BIT(kind) (1u << (kind))

/* What a strategy tells of itself and of the last query. */
typedef struct fri_told {
    const struct fri_strategy *chosen; /* what ran the query, where it was not `strategy` */
    char why[864]; /* of this query: the reason of `chosen`, or what the strategy says of itself */
    /* of all queries, before `why`: why this strategy, what did not fit, a tuning result */
    char note[480];
    bool counted_reached; /* the strategy set reached and reached_edges itself */
    bool ordered;         /* `order` is filled */
    bool has_starts;      /* job.level_start is filled */
    bool summed;          /* dist has the sums of job.sums: sums_in_download was made use of */
    int32_t rows_at_once; /* APSP on a GPU: rows that it computes together; 0: unknown */
    /* APSP on a GPU: solvers that compute rows at the same time, each on a part of it, in less time; 0: one */
    int32_t searches;
    int64_t upload_ns;   /* GPU strategies: upload time of the graph */
    int64_t device_ns;   /* GPU strategies: traversal time by the device's clock; 0: not measured */
    int64_t optional_ns; /* time that the run spent on `optional_bytes` */
    fr_level *levels;    /* NULL: not recorded */
    int64_t level_capacity, level_count;
    fr_kernel *kernels; /* [FRI_MAX_KERNELS] GPU strategies; NULL: not recorded */
    int kernel_count;
} fri_told;

/* What comes in: what the caller of the library asks for. The solver sets it, and strategies only read it. */
typedef struct fri_job_input {
    fr_problem problem;
    const fr_graph *graph; /* whose copies on a device are shared; NULL: csr is not shared */
    fri_ids ids;           /* of the graph: messages name a vertex by fri_id_of(&job->in->ids, v) */
    int64_t expected_queries; /* of the solver; 0: unknown */
    int64_t row_capacity;     /* APSP: maximum number of rows in one query (max_sources) */
    fr_type dist_type; /* FR_TYPE_I32 or FR_TYPE_I64 for int32 weights, FR_TYPE_I64 for int64,
                          FR_TYPE_F32, FR_TYPE_F64 */
    int threads;
    int gpu_parts;     /* of the GPU's multiprocessors the solver has one; 0: all */
    bool in_place;     /* APSP: compute all rows in result.dist, without other n^2 memory */
    bool counters;     /* the query requests counters */
    fr_query query;    /* sources are within 0 .. n-1, at least one, distinct unless APSP */
    int64_t batch_row; /* fr_solve_each: the index of the query */
} fri_job_input;

/* What a solver passes to its strategy: from `in` it fills `out`, and `told` says how. The members in between are
 * neither: they are decided from the input, by whom their comments name. */
typedef struct fri_job {
    fr_ctx *ctx;             /* memory, messages, progress */
    const fri_job_input *in; /* of a job within another one: fri_job_within */

    /* By fr_solver_new: the graph as the strategy gets it, without weights where edges are counted, with unit
     * weights, or transposed. fri_job_fetch_rows adds the rows, fri_in_edges_recall the symmetry. */
    fr_csr csr;
    fr_csr in_edges; /* see FRI_NEEDS_IN_EDGES; else a strategy may take them (fri_in_edges_take) */
    fri_derived_use *derived; /* of the graph: a strategy may share what it makes for csr; NULL in
                                 a job without solver */
    /* csr and in_edges have neither offsets nor targets on the host; see fri_job_fetch_rows */
    bool csr_on_device_only;
    bool own_weights;    /* csr.weights are not the graph's: derived must not get their order */
    bool makes_in_edges; /* GPU strategies: in-edges are built on the device; in_edges is csr */
    double weight_mean, weight_min, weight_max; /* of csr's weights; 1 without weights */
    bool weights_whole;                         /* no weight has a fraction (fri_weight_stats) */
    /* Not NULL: each edge has the same weight, csr has none, and distances are computed as int32 levels. The solver
     * replaces them by these sums; where results go to device memory the strategy does (FRI_SUMS_LEVELS), and a
     * download may where sums_in_download is set. */
    const struct fri_level_table *sums;

    /* By fr_solver_new: the strategy that answers, and knobs in the order of its knobs. FR_KNOB_AUTO: the
     * strategy chooses, and may do so here until `run`. */
    const struct fri_strategy *strategy;
    double knob[FRI_MAX_KNOBS];
    void *scratch; /* as large as the strategy requested, 64-byte aligned, kept between runs */
    size_t scratch_bytes;
    void *device; /* GPU strategies: set by prepare, freed by release */

    /* By fr_solve, of the query: */
    const uint64_t *target_map; /* bitmap of in->query.targets, or NULL */
    int64_t target_count;       /* distinct targets */
    bool columns; /* APSP: rows have query.target_count values, those of the targets; no parents */
    bool
        sums_in_download; /* SSSP: the host needs no levels, and all sums of `sums` fit their type */
    bool reads_targets;   /* APSP, without `columns`: of a row only the targets' entries are read */
    /* By a strategy that runs bellman-ford: [n] parents of the paths from which that starts, right but for
     * rounding, a source its own; replaced by the answer's parents. NULL: none */
    int32_t *forest;
    /* NULL or [n + 2], for a CPU BFS to fill: by level, the vertices of lower levels */
    int32_t *level_start;

    fr_result *out; /* CPU strategies: BFS: level, SSSP: dist is never NULL; the others may be.
                             stats is zeroed */
    fri_told told;
} fri_job;

typedef struct fri_strategy {
    const char *name, *source, *text;
    const char *alias; /* another accepted name; NULL: none */
    fr_problem problem;
    fr_backend backend;
    uint32_t needs;
    const fr_knob *knobs; /* NULL, or terminated by a NULL name; at most FRI_MAX_KNOBS, in the order
                             of the indexes by which the strategy reads job.knob (its KNOB_ enum) */
    uint32_t counts;      /* GPU strategies: FRI_COUNTER_BIT of each counter that their kernels
                             support */
    /* Bytes of scratch for this job. All members before `scratch` are set, except that `in` and the
     * unit weights of csr are not yet set in the first call. NULL: none. */
    size_t (*scratch)(const fri_job *job);
    /* Bytes at the start of the scratch that get no huge pages: a query touches little of them, or many
     * threads touch them first at the same time. NULL: none. */
    size_t (*small_pages)(const fri_job *job);
    /* Bytes that prepare takes for the graph's derived data, which other solvers share. NULL: none. */
    size_t (*shared)(const fri_job *job);
    /* Memory, of the graph's derived data, that makes queries faster; they run without it. NULL: none. */
    size_t (*optional_bytes)(const fri_job *job);
    /* GPU strategies: the device part, and bytes of device memory for this job. */
    const struct fri_gpu_strategy *gpu;
    size_t (*device_bytes)(const fri_job *job);
    /* Refuses, with a message, a job that options and weights show to be impossible: in_place, the types and the
     * weights' range are set. fr_estimate_memory asks as well, so prepare refuses only what it finds out later.
     * NULL: takes any. */
    fr_status (*check)(const fri_job *job);
    /* One-time work on the scratch or the device, timed as preparation. NULL: none. */
    fr_status (*prepare)(fri_job *job);
    /* Undoes prepare, also one that failed or was never called because an earlier step failed.
     * NULL: nothing to undo. */
    void (*release)(fri_job *job);
    /* One query. Writes every element of each output that is not NULL and sets edges_examined,
     * relaxations and levels of out->stats, on a GPU also reached, reached_edges and
     * transfer_ns (without the upload); allocates at most what `optional_bytes` says. */
    fr_status (*run)(fri_job *job);
} fri_strategy;

/* The table (core/registry.c), terminated by NULL. */
extern const fri_strategy *const fri_strategies[];
/* The strategy of that name for the problem; NULL: none. FR_BACKEND_ANY matches any backend. */
const fri_strategy *fri_strategy_find(fr_problem problem, fr_backend backend, const char *name);
/* Whether it is the name of a strategy on the GPU that this build leaves out. */
bool fri_strategy_left_out(fr_problem problem, const char *name);

/* Gives the job this strategy, with default knobs. */
void fri_job_give(fri_job *job, const fri_strategy *strategy);
/* Adds to job->note, after a semicolon if there is one already. */
void fri_job_note(fri_job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies the rows of a graph in device memory to the host unless they are there, and sets them in csr
 * and in. */
fr_status fri_job_fetch_rows(fri_job *job);

/* A `check` of strategies that count edges: FR_UNSUPPORTED if the graph has weights. */
fr_status fri_job_refuse_weights(const fri_job *job);

/* Records a level if the user requested it. */
void fri_job_level(fri_job *job, const char *method, int64_t frontier, int64_t edges, int64_t ns);
/* The same with the predicted time; 0: no prediction. */
void fri_job_level_expected(fri_job *job, const char *method, int64_t frontier, int64_t edges,
                            int64_t ns, double expected_ns);

/* Sets stats.reached and reached_edges of job->out from its level (BFS) or dist (SSSP), which are in
 * host memory. The solver calls it for CPU strategies. */
void fri_job_count_reached(const fri_job *job);

/* Returns FR_NEGATIVE_CYCLE with a message about the cycle in job->out. */
fr_status fri_job_negative_cycle(fri_job *job);

/* The end of an FR_OVERFLOW message: the type to ask for instead; "" if there is no wider one. */
static inline const char *fri_wider_type_hint(fr_type type) {
    return type == FR_TYPE_I32   ? "; ask for distances of type int64 (dist_type)"
           : type == FR_TYPE_F32 ? "; ask for distances of type float64 (dist_type)"
                                 : "";
}

/* The value of a knob of the job, or `automatic` if the knob is FR_KNOB_AUTO. */
static inline double fri_job_knob(const fri_job *job, int index, double automatic) {
    return job->knob[index] < 0 ? automatic : job->knob[index];
}

/* Threads of the job for work that takes one of them so many nanoseconds. */
static inline int fri_job_threads(const fri_job *job, int64_t ns) {
    return fri_threads_for(job->ctx, job->in->threads, ns);
}

/* The job of a query within another one, which records no levels and no kernels. *in, its input, is at first that
 * of the other one. */
static inline fri_job fri_job_within(const fri_job *job, fri_job_input *in) {
    fri_job inner = *job;
    *in = *job->in;
    inner.in = in;
    inner.told.levels = NULL;
    inner.told.kernels = NULL;
    return inner;
}

/* APSP: the number of requested rows, and the source of one. */
static inline int64_t fri_job_rows(const fri_job *job) {
    return job->in->query.sources ? job->in->query.source_count : job->csr.n;
}
static inline int32_t fri_job_source(const fri_job *job, int64_t row) {
    return job->in->query.sources ? job->in->query.sources[row] : (int32_t)row;
}

/* Carves `bytes` (rounded up to a cache line) off *scratch. Scratch sizes are computed with the
 * same rounding. */
static inline size_t fri_align_line(size_t bytes) {
    return (bytes + FRI_CACHE_LINE - 1) / FRI_CACHE_LINE * FRI_CACHE_LINE;
}
static inline void *fri_carve(char **scratch, size_t bytes) {
    void *p = *scratch;
    *scratch += fri_align_line(bytes);
    return p;
}

#endif
