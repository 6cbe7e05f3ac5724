/* Sends every edge to the rank that owns its target.
 *
 * Idea: works in rounds with equally many edges per rank, which bounds what a rank receives in a
 *   round even if it receives all edges. A round sorts the edges by owner, exchanges the counts and
 *   then the edges, which become a block of the edge list that the CSR builder reads.
 * Memory: the buffers of a round, 48 to 80 bytes per edge that the rank brings, at most 26 to 42 MB over all
 *   ranks, and the received edges. */
#include "ranks/part/part_build.h"

#include "graph/weights.h"

#include <string.h>

static const int64_t ROUND_EDGES = (int64_t)1 << 19; /* of all ranks together */

typedef struct distributor {
    fr_ctx *ctx;
    const fr_part *part;
    fri_edge_source *source;
    fri_weight_distribution distribution;
    bool draws;
    fr_type type; /* of the weights that are sent */
    size_t weight_bytes;
    int64_t capacity, left; /* capacity of a round in edges; edges not yet read */
    int64_t *ends;  /* [2][2 * capacity] the round's edges: source, target; in both directions */
    char *weights;  /* [2 * capacity] */
    int32_t *pairs; /* [2 * capacity][2] the same edges, sorted by owner */
    char *sorted;   /* [2 * capacity] their weights */
    int *out, *in;  /* [ranks] counts */
    int64_t *place; /* [ranks] */
} distributor;

static fr_status open_distributor(distributor *d) {
    fr_ctx *ctx = d->ctx;
    int64_t both = 2 * d->capacity;
    size_t ranks = (size_t)d->part->world->size;
    d->ends = fri_alloc(ctx, fri_bytes(both, 2 * sizeof *d->ends));
    d->pairs = fri_alloc(ctx, fri_bytes(both, 2 * sizeof *d->pairs));
    d->weights = fri_alloc(ctx, fri_bytes(both, d->weight_bytes));
    d->sorted = fri_alloc(ctx, fri_bytes(both, d->weight_bytes));
    d->out = fri_alloc(ctx, ranks * sizeof *d->out);
    d->in = fri_alloc(ctx, ranks * sizeof *d->in);
    d->place = fri_alloc(ctx, ranks * sizeof *d->place);
    return d->ends && d->pairs && d->weights && d->sorted && d->out && d->in && d->place ? FR_OK
                                                                                         : FR_NOMEM;
}

static void close_distributor(distributor *d) {
    fri_free(d->ends);
    fri_free(d->pairs);
    fri_free(d->weights);
    fri_free(d->sorted);
    fri_free(d->out);
    fri_free(d->in);
    fri_free(d->place);
}

/* Reads the edges of a round, an undirected edge in both directions, and counts them. */
static fr_status take(distributor *d, int64_t *count) {
    int64_t k = 0, u, v, now = FRI_MIN(d->capacity, d->left);
    const void *weight;
    for (int64_t i = 0; i < now; i++) {
        if (!fri_source_next(d->source, &u, &v, &weight))
            return fri_fail(d->ctx, FR_INVALID, "an edge ends at a vertex that does not exist");
        for (int back = 0; back < (d->source->undirected && u != v ? 2 : 1); back++, k++) {
            d->ends[2 * k] = back ? v : u;
            d->ends[2 * k + 1] = back ? u : v;
            if (d->draws)
                fri_weight_draw(&d->distribution, (int32_t)u, (int32_t)v, d->weights, k);
            else if (d->weight_bytes)
                memcpy(d->weights + (size_t)k * d->weight_bytes, weight, d->weight_bytes);
        }
    }
    d->left -= now;
    *count = k;
    return FR_OK;
}

static void sort_by_owner(distributor *d, int64_t count) {
    int ranks = d->part->world->size;
    memset(d->out, 0, (size_t)ranks * sizeof *d->out);
    for (int64_t k = 0; k < count; k++)
        d->out[d->ends[2 * k + 1] % ranks]++;
    int64_t sum = 0;
    for (int r = 0; r < ranks; r++) {
        d->place[r] = sum;
        sum += d->out[r];
    }
    for (int64_t k = 0; k < count; k++) {
        int64_t target = d->ends[2 * k + 1], to = d->place[target % ranks]++;
        d->pairs[2 * to] = fri_part_slot(d->part, d->ends[2 * k]);
        d->pairs[2 * to + 1] = (int32_t)(target / ranks);
        memcpy(d->sorted + (size_t)to * d->weight_bytes, d->weights + (size_t)k * d->weight_bytes,
               d->weight_bytes);
    }
}

static fr_status make_block(distributor *d, fri_edge_block *block) {
    for (int r = 0; r < d->part->world->size; r++)
        block->count += d->in[r];
    block->ends = fri_alloc(d->ctx, fri_bytes(block->count, 2 * sizeof *block->ends));
    if (d->weight_bytes)
        block->weights = fri_alloc(d->ctx, fri_bytes(block->count, d->weight_bytes));
    return block->ends && (!d->weight_bytes || block->weights) ? FR_OK : FR_NOMEM;
}

/* status: of this rank so far; the exchange of counts reports it to the other ranks. */
static fr_status distribute_round(distributor *d, fr_status status, fri_edge_block *block) {
    fr_world *w = d->part->world;
    int64_t count = 0;
    if (!status)
        status = take(d, &count);
    if (status)
        count = 0;
    sort_by_owner(d, count);
    fr_status exchanged = fri_world_alltoall_each(w, d->out, d->in);
    if (exchanged)
        return exchanged;
    status = status ? status : make_block(d, block);
    status = fri_world_agree(w, status);
    if (!status)
        status = fri_world_alltoall(w, d->pairs, d->out, block->ends, d->in, 2 * sizeof *d->pairs);
    if (!status && d->weight_bytes)
        status = fri_world_alltoall(w, d->sorted, d->out, block->weights, d->in, d->weight_bytes);
    return status;
}

fr_status fri_distribute_edges(fr_ctx *ctx, const fr_part *part, fri_edge_source *source,
                               const fr_load_options *options, fri_edge_list *edges) {
    fr_world *w = part->world;
    distributor d = {.ctx = ctx,
                     .part = part,
                     .source = source,
                     .draws = fri_weights_made(options),
                     .capacity =
                         FRI_MIN(FRI_MAX(ROUND_EDGES / w->size, 1024), FRI_MAX(source->count, 1)),
                     .left = source->count};
    if (d.draws)
        d.distribution = fri_weight_distribution_of(options);
    d.type = d.draws                               ? d.distribution.type
             : options->weights == FR_WEIGHTS_NONE ? FR_TYPE_NONE
                                                   : source->weight_type;
    d.weight_bytes = fr_type_size(d.type);
    int64_t rounds = (source->count + d.capacity - 1) / d.capacity, longest = rounds;
    fr_status status = fri_world_max(w, &longest, 1);
    if (status)
        return status;
    edges->n = (int32_t)fri_part_slots(part);
    edges->weight_type = d.type;
    edges->blocks = fri_calloc(ctx, fri_bytes(longest, sizeof *edges->blocks));
    status = edges->blocks ? open_distributor(&d) : FR_NOMEM;
    status = fri_world_agree(w, status);
    for (int64_t i = 0; i < longest && !status; i++) {
        edges->block_count++;
        status = fri_progress(ctx, "distributing edges", i, longest);
        status = distribute_round(&d, status, &edges->blocks[i]);
    }
    close_distributor(&d);
    return status;
}
