/* fringe: tuning and the tuning cache. The conventions of fringe.h apply. */
#ifndef FRINGE_TUNE_H
#define FRINGE_TUNE_H

#include "fringe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- strategies -------------------------------------------------------------------------- */

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

/* Parses `length` characters as a value of the knob: a number in its range, or names of its
 * switches. False: neither; *value is unchanged. */
FR_API bool fr_knob_value(const fr_knob *knob, const char *text, size_t length, double *value);

typedef struct fr_strategy_info {
    size_t struct_size;
    fr_problem problem;
    fr_backend backend;
    const char *name;     /* "direction-optimizing" */
    const char *source;   /* authors, venue, year */
    const char *text;     /* one line: how it works */
    const fr_knob *knobs; /* NULL: none */
    const char *alias;    /* another accepted name; NULL: none */
} fr_strategy_info;

/* The strategy with this index, 0, 1, ...; false past the last, and where *out is not initialized.
 * The strings are constants. O(1). */
FR_API bool fr_strategy_get(int index, fr_strategy_info *out);

/* ---- what ran ---------------------------------------------------------------------------- */

/* One level or round of a traversal. */
typedef struct fr_level {
    const char *method; /* "top-down", "bottom-up", "serial", "bucket 7", ... */
    int64_t frontier;   /* vertices */
    int64_t edges;      /* edges examined */
    int64_t ns;
    int64_t expected_ns; /* auto: predicted by its cost model; 0: not predicted */
} fr_level;

/* The levels of the last fr_solve, with fr_solver_options.record_levels; *count of them, which
 * may be NULL. The solver owns them until its next call. O(1). */
FR_API const fr_level *fr_solver_levels(const fr_solver *solver, int64_t *count);

/* A GPU kernel that was launched, and its occupancy. */
typedef struct fr_kernel {
    char name[48];
    int block;           /* threads */
    size_t shared_bytes; /* maximum dynamic shared memory of a launch */
    int64_t launches;    /* from the host */
    int blocks_per_multiprocessor;
    double occupancy; /* resident threads / maximum resident threads of a multiprocessor */
} fr_kernel;

/* The kernels of the last fr_solve on a GPU, in the order of their first launch, with
 * fr_solver_options.record_levels; *count of them, which may be NULL. O(1). */
FR_API const fr_kernel *fr_solver_kernels(const fr_solver *solver, int *count);

/* ---- tuning ------------------------------------------------------------------------------ */

/* The fastest measured strategy and knobs for a graph. */
typedef struct fr_tuning {
    size_t struct_size;
    fr_problem problem;
    fr_backend backend;
    int32_t strategies_tried;   /* fr_tune: strategies measured */
    int32_t strategies_skipped; /* fr_tune: strategies not measured because time ran out */
    int32_t configs_tried;      /* fr_tune: configurations measured, counting knob settings */
    bool from_similar_graph; /* fr_tuning_cache_find: measured on a similar graph, not this one */
    int64_t ns;              /* one traversal: the median over the sources */
    int64_t auto_ns;         /* the same of `auto` without tuning */
    char strategy[32];
    char knobs[512];  /* as fr_solver_options.knobs; "": defaults */
    char device[128]; /* "AMD EPYC 9654, 16 threads", "NVIDIA H200" */
} fr_tuning;

/* One configuration that was measured. Handed to a callback. */
typedef struct fr_tune_trial {
    const char *strategy, *knobs; /* knobs "": defaults */
    /* FR_OK: measured in full. FR_CANCELLED: stopped, far slower than the best. FR_VERIFY_FAILED: a
     * wrong answer. Others: cannot be used here. */
    fr_status status;
    int64_t ns; /* median over the sources, or of the only traversal; 0: none */
    bool best;  /* the best so far */
} fr_tune_trial;
typedef void (*fr_tune_trial_fn)(void *user, const fr_tune_trial *trial);

enum { FR_TUNE_MAX_SOURCES = 64 };

typedef struct fr_tune_options {
    size_t struct_size;
    fr_backend backend;     /* FR_BACKEND_ANY: where `auto` would run many queries */
    fr_type dist_type;      /* as in fr_solver_options */
    const int32_t *sources; /* [source_count]: one traversal each, with parents */
    int64_t source_count;   /* 1 to FR_TUNE_MAX_SOURCES */
    double seconds;         /* 0: 10. `auto` is measured in any case, however long it takes */
    bool unit_weights;      /* as in fr_solver_options */
    fr_tune_trial_fn trial; /* NULL: none */
    void *trial_user;
} fr_tune_options;

/* BFS, SSSP: measures every strategy on this graph; then, for the one or two best, varies one knob
 * after the other: its limits, and doubled and halved values while that helps. Less than 3 % faster
 * than the simpler setting counts as no faster. Every answer is compared with the answer of `auto`, which
 * is verified; the first answer of each best setting is verified, too. A setting with a wrong answer
 * is never the result. FR_CANCELLED: *out is the best so far, strategy "" when that is auto's own
 * choice. FR_UNSUPPORTED: another problem. FR_NEGATIVE_CYCLE, FR_OVERFLOW and others when `auto`
 * cannot solve the problem. Cost: options.seconds. */
FR_API fr_status fr_tune(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                         const fr_tune_options *options, fr_tuning *out);

/* ---- tuning cache ------------------------------------------------------------------------ */

/* A tuning cache is a text file with one finding per problem, device and graph. The library reads
 * one only when asked: find an entry, then pass it to fr_solver_new. */

/* Finds the entry for this graph (by fr_graph_hash), else for a similar one: the same log2, rounded,
 * of n, m, the largest degree and the mean weight, the same direction and type of weights. options:
 * backend (FR_BACKEND_ANY: where `auto` would run expected_queries) and unit_weights; may be NULL.
 * FR_NOT_FOUND: no file, or no entry. FR_INVALID: not a tuning cache. FR_UNSUPPORTED: another version,
 * or an unknown strategy or knob. FR_FORMAT: a bad line. FR_IO. All are recoverable: continue without the
 * cache. O(n + m) for the hash, and the file. */
FR_API fr_status fr_tuning_cache_find(fr_ctx *ctx, const char *path, const fr_graph *graph,
                                      fr_problem problem, const fr_solver_options *options,
                                      fr_tuning *out);

/* Stores an entry, replacing an older one for this graph, problem and device; atomic. A cache of
 * another version is replaced, bad lines are dropped. options: unit_weights; may be NULL. FR_INVALID:
 * the file exists and is not a tuning cache. FR_IO, FR_DISK. Cost as fr_tuning_cache_find. */
FR_API fr_status fr_tuning_cache_store(fr_ctx *ctx, const char *path, const fr_graph *graph,
                                       const fr_solver_options *options, const fr_tuning *tuning);

#ifdef __cplusplus
}
#endif
#endif
