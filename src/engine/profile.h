/* What a line of a profile is found by. */
#ifndef FRI_PROFILE_H
#define FRI_PROFILE_H

#include "run/strategy.h"

typedef struct fri_profile_key {
    const char *problem, *backend;
    char device[sizeof((fr_tuning *)0)->device];
    char hash[24];  /* of the graph; "" until fri_profile_key_hash */
    char alike[96]; /* "n20 m25 d14 undirected int32 w7": graphs that have it too are alike */
} fri_profile_key;

/* "AMD EPYC 9654, 16 threads", "NVIDIA H200"; FR_NO_DEVICE. */
fr_status fri_device_name(fr_ctx *ctx, fr_backend backend, char *out, size_t room);
fr_status fri_profile_key_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                             fr_backend backend, bool unit_weights, fri_profile_key *out);
/* Fills hash: a pass over the whole graph the first time, so for those alike alone. */
void fri_profile_key_hash(const fr_graph *graph, fri_profile_key *key);

#endif
