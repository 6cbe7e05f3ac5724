/* The key of a line of a tuning cache. */
#ifndef FRI_TUNE_CACHE_KEY_H
#define FRI_TUNE_CACHE_KEY_H

#include "core/strategy.h"
#include "fringe_tune.h"

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
