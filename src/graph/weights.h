/* The weight options of fr_load_options. */
#ifndef FRI_WEIGHTS_H
#define FRI_WEIGHTS_H

#include "graph/graph.h"

/* FR_INVALID for options that no graph can satisfy. */
fr_status fri_load_options_check(fr_ctx *ctx, const fr_load_options *options);
/* The caller's options, of any size, or the defaults for NULL; checked. */
fr_status fri_load_options_read(fr_ctx *ctx, const fr_load_options *options, fr_load_options *own);

/* FR_INVALID for options that need a file: format, cache, columns, names for ids. `what`: "a graph
 * from arrays". */
fr_status fri_load_options_no_file(fr_ctx *ctx, const fr_load_options *options, const char *what);

/* The same of arrays, and for ids that do not start at 0. */
fr_status fri_load_options_arrays(fr_ctx *ctx, const fr_load_options *options);

/* A caller's weights, which may be NULL: FR_INVALID for an unknown type, FR_RANGE for a weight that is
 * not finite. */
fr_status fri_weights_check(fr_ctx *ctx, const void *weights, fr_type type, int64_t m);

/* Of csr->weights, m of them, 1 or more; false: a float is not finite. */
bool fri_weights_stats(fr_ctx *ctx, const fr_csr *csr, int threads, fri_weight_stats *out);

/* Before the build: drops the list's weights, or converts them to options->weight_type. FR_RANGE if
 * one does not fit or is not finite. */
fr_status fri_weights_convert(fr_ctx *ctx, fri_edge_list *edges, const fr_load_options *options);

/* Whether weights are generated after the build. */
static inline bool fri_weights_made(const fr_load_options *o) {
    return o->weights >= FR_WEIGHTS_RANDOM;
}
/* Whether they are lengths most of which are short. */
static inline bool fri_weights_skewed(const fr_load_options *o) {
    return o->weights == FR_WEIGHTS_EXPONENTIAL || o->weights == FR_WEIGHTS_LOGNORMAL;
}

/* After the build: generates the weights, a function of the seed and the edge's two endpoints. */
fr_status fri_weights_random(fr_ctx *ctx, fr_graph *graph, const fr_load_options *options);

/* How the random weights of options are drawn. */
typedef struct fri_weight_distribution {
    fr_type type;
    uint64_t seed, span, heights; /* span: of integers; potentials: 0 .. heights - 1 */
    double low, high;
    fr_weights skewed; /* the kind of skewed lengths; FR_WEIGHTS_FILE: uniform */
} fri_weight_distribution;
fri_weight_distribution fri_weight_distribution_of(const fr_load_options *options);
/* Stores the weight of the edge u -> v at weights[i], of distribution->type. */
void fri_weight_draw(const fri_weight_distribution *distribution, int32_t u, int32_t v,
                     void *weights, int64_t i);

#endif
