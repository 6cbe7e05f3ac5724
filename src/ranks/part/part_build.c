/* Builds the parts of a graph: distributes the edges to the owners of their targets, counts them,
 * sorts them into push rows, and transposes these into pull rows.
 *
 * A push reads the out-edges of a frontier vertex that end on this rank, a pull the in-edges of an
 * own vertex. Vertices are divided round robin because in most inputs hubs have low ids, which
 * contiguous ranges would give to few ranks. */
#include "ranks/part/part_build.h"

#include <math.h>
#include <string.h>

/* Counts the in-edges of each own vertex, and removes loops if the options ask for it. */
static void count_input(fr_part *p, fri_edge_list *edges, bool drop_loops) {
    int32_t base = fri_part_base(p);
    size_t bytes = fr_type_size(edges->weight_type);
    for (int b = 0; b < edges->block_count; b++) {
        fri_edge_block *block = &edges->blocks[b];
        int64_t kept = 0;
        for (int64_t i = 0; i < block->count; i++) {
            int32_t source = block->ends[2 * i], own = block->ends[2 * i + 1];
            bool loop = source == base + own;
            p->input[own] += loop && p->undirected ? 2 : 1;
            if (loop && drop_loops)
                continue;
            block->ends[2 * kept] = source;
            block->ends[2 * kept + 1] = own;
            if (bytes)
                memmove((char *)block->weights + (size_t)kept * bytes,
                        (char *)block->weights + (size_t)i * bytes, bytes);
            kept++;
        }
        block->count = kept;
    }
}

static fr_status check_weights(fr_ctx *ctx, fr_part *p) {
    const fr_csr *csr = &p->push->csr;
    double low = 0, high = csr->weight_type ? 0 : 1;
    for (int64_t e = 0; e < csr->m && csr->weight_type; e++) {
        double w = fri_csr_weight(csr, e);
        if (!isfinite(w))
            return fri_fail(ctx, FR_RANGE, "a weight is not finite");
        low = FRI_MIN(low, w);
        high = FRI_MAX(high, w);
    }
    p->negative = low < 0;
    p->max_weight = high;
    return FR_OK;
}

static fr_status make_pull_rows(fr_ctx *ctx, fr_part *p) {
    const fr_csr *push = &p->push->csr;
    p->pull_offsets = fri_calloc(ctx, fri_bytes((int64_t)p->own + 2, sizeof *p->pull_offsets));
    p->pull_sources = fri_alloc(ctx, fri_bytes(push->m, sizeof *p->pull_sources));
    if (!p->pull_offsets || !p->pull_sources)
        return FR_NOMEM;
    int64_t *end = p->pull_offsets + 1; /* the begin of each row, and its end once it is full */
    for (int64_t e = 0; e < push->m; e++)
        end[push->targets[e] + 1]++;
    for (int32_t i = 0; i < p->own; i++)
        end[i + 1] += end[i];
    for (int32_t slot = 0; slot < push->n; slot++)
        for (int64_t e = push->offsets[slot]; e < push->offsets[slot + 1]; e++)
            p->pull_sources[end[push->targets[e]]++] = slot;
    return FR_OK;
}

static fr_status make_rows(fr_ctx *ctx, fr_part *p, fri_edge_list *edges,
                           const fr_load_options *options) {
    const fr_load_options dropping = {.drop_parallel = options->drop_parallel};
    p->input = fri_calloc(ctx, fri_bytes(p->own, sizeof *p->input));
    p->push = p->input ? fri_graph_new(ctx, "part") : NULL;
    if (!p->push)
        return FR_NOMEM;
    count_input(p, edges, options->drop_loops);
    fr_status status = fri_graph_build_rows(ctx, edges, &dropping, p->push);
    if (!status)
        status = check_weights(ctx, p);
    return status ? status : make_pull_rows(ctx, p);
}

/* Computes the sizes of the whole graph, which all ranks know. */
static fr_status share_stats(fr_part *p, int64_t read_ns, int64_t begin_ns) {
    int64_t m = p->push->csr.m, sums[] = {m, p->negative};
    int64_t maxima[] = {m, read_ns, fri_now_ns() - begin_ns, fri_dist_bits(p->max_weight)};
    fr_status status = fri_world_sum(p->world, sums, 2);
    if (!status)
        status = fri_world_max(p->world, maxima, 4);
    p->m = sums[0];
    p->negative = sums[1];
    p->max_edges = maxima[0];
    p->read_ns = maxima[1];
    p->build_ns = maxima[2];
    p->max_weight = fri_dist_real(maxima[3]);
    return status;
}

/* The slots of a rank: its vertices, rounded up to whole words of a bitmap. */
static int64_t share_of(int64_t n, int ranks) { return ((n + ranks - 1) / ranks + 63) / 64 * 64; }

static fr_status check_size(fr_ctx *ctx, const fr_world *w, int64_t n) {
    if (n < 0 || n > INT32_MAX || share_of(n, w->size) * w->size > INT32_MAX)
        return fri_fail(ctx, FR_RANGE, "%lld vertices on %d ranks: there may be 2^31 - %lld",
                        (long long)n, w->size, 64LL * w->size);
    return FR_OK;
}

static fr_status build(fr_ctx *ctx, fr_part *p, fri_edge_source *source,
                       const fr_load_options *options, int64_t begin_ns) {
    fr_world *w = p->world;
    int64_t distributed_ns = fri_now_ns();
    fri_edge_list edges = {0};
    p->n = source->n;
    p->share = (int32_t)share_of(p->n, w->size);
    p->own = fri_part_own_of(p, w->rank);
    p->undirected = source->undirected || (source->rows && source->rows->symmetric);
    fr_status status = fri_distribute_edges(ctx, p, source, options, &edges);
    if (!status)
        status = fri_world_agree(w, make_rows(ctx, p, &edges, options));
    fri_edge_list_free(&edges);
    return status ? status : share_stats(p, distributed_ns - begin_ns, distributed_ns);
}

fr_status fri_part_build(fr_ctx *ctx, fr_world *world, fr_status status, fri_edge_source *source,
                         const fr_load_options *options, fri_ids *ids, int64_t begin_ns,
                         fr_part **out) {
    if (!status)
        status = check_size(ctx, world, source->n);
    fr_part *p = status ? NULL : fri_calloc(ctx, sizeof *p);
    status = status ? status : p ? FR_OK : FR_NOMEM;
    status = fri_world_begin(world, "reading", status ? 0 : (uint64_t)source->n, status);
    if (p) {
        p->world = world;
        p->ids = *ids;
        *ids = (fri_ids){0};
    }
    if (!status)
        status = build(ctx, p, source, options, begin_ns);
    if (status)
        fr_part_free(p);
    else
        *out = p;
    return status;
}
