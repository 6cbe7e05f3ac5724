/* What the parts of fr_tune share: configurations, trials, the time limits, the key of a result in a cache. */
#ifndef FRI_TUNE_TUNE_H
#define FRI_TUNE_TUNE_H

#include "core/options.h"
#include "core/solver.h"
#include "fringe_tune.h"

typedef struct fri_config {
    const fri_strategy *strategy;
    double knob[FRI_MAX_KNOBS];
} fri_config;

typedef struct fri_measurement {
    fri_config config;
    bool own_knobs;  /* of config, not knobs of another strategy that took its place */
    double ns;       /* median over the sources of the minimum time of each */
    double first_ns; /* of the first source */
    int64_t cost_ns; /* of the whole trial, including preparation */
} fri_measurement;

typedef struct fri_tuner {
    fr_ctx *ctx;
    const fr_graph *graph;
    fr_problem problem;
    const fr_tune_options *options;
    fr_type dist_type; /* as requested, or FR_TYPE_I64 once a sum exceeded int32 */

    void *value;     /* [n] levels or distances */
    int32_t *parent; /* [n] */
    size_t value_bytes;
    uint64_t answer[FR_TUNE_MAX_SOURCES]; /* checksums of values that passed the check */
    bool answer_known[FR_TUNE_MAX_SOURCES];

    int64_t begin, end; /* fri_now_ns */
    int64_t budget_ms;  /* for the caller's progress function */
    int64_t trial_end;  /* the running call is cancelled at this time */
    bool stopped;       /* by the caller's progress function */
    fr_progress_fn progress;
    void *progress_user;

    int32_t strategies_tried, strategies_skipped, configs_tried; /* as in fr_tuning */
    double best_ns;           /* the minimum time among the winners so far */
    fri_measurement baseline; /* `auto` with default knobs */
} fri_tuner;

enum { FRI_KNOBS_CAPACITY = sizeof((fr_tuning *)0)->knobs, FRI_CANDIDATES = 8 };

/* The knobs that differ from their defaults, as fr_solver_options.knobs. Returns `text`. */
const char *fri_config_text(const fri_config *s, char text[FRI_KNOBS_CAPACITY]);
/* A strategy with all knobs at their defaults. */
fri_config fri_config_default(const fri_strategy *strategy);
/* Candidate values for a knob whose value is `current`, excluding `current`; returns their number.
 * weight: a mean weight, for knobs that are a distance. */
int fri_knob_candidates(const fr_knob *knob, double current, double weight,
                        double out[FRI_CANDIDATES]);

/* Measures a configuration and compares its answers. With a rival, the trial is cancelled
 * (FR_CANCELLED) as soon as it cannot beat the rival or the time is over. */
fr_status fri_trial(fri_tuner *t, const fri_config *s, const fri_measurement *rival,
                    fri_measurement *out);
/* Solves from the first source with this configuration and checks levels and parents by rules. */
fr_status fri_trial_check(fri_tuner *t, const fri_config *s);

/* The key of a line of a tuning cache: a device, and a graph or similar graphs (tuning_cache.c). */
typedef struct fri_tuning_key {
    const char *problem, *backend;
    char device[sizeof((fr_tuning *)0)->device];
    char hash[24];    /* of the graph; "" until fri_tuning_key_hash */
    char similar[96]; /* "n20 m25 d14 undirected int32 w7": graphs with the same text are similar */
} fri_tuning_key;

/* "AMD EPYC 9654, 16 threads", "NVIDIA H200"; FR_NO_DEVICE. */
fr_status fri_device_name(fr_ctx *ctx, fr_backend backend, char *out, size_t capacity);
fr_status fri_tuning_key_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                            fr_backend backend, bool unit_weights, fri_tuning_key *out);
/* Sets hash. The first call passes over the whole graph, so it is only made for similar graphs. */
void fri_tuning_key_hash(const fr_graph *graph, fri_tuning_key *key);

#endif
