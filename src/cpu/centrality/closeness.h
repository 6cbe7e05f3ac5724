/* The sums over distances that closeness and harmonic centrality are made of. */
#ifndef FRI_CENTRALITY_CLOSENESS_H
#define FRI_CENTRALITY_CLOSENESS_H

#include "core/gpu_interface.h"

/* Sets the sums of the part's vertices, by their own order. The graph has no weights or is transposed. */
fr_status fri_distance_sums_on_cpu(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                   fri_vertex_part part, fri_distance_sums to);

#endif
