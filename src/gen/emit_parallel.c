/* Emits edges in parallel blocks: blocks are cut by unit, never by thread, and allocated before the
 * threads start (only the calling thread may allocate). */
#include "gen/generator.h"

#include "base/rng.h"

#include <omp.h>
#include <stdatomic.h>

static const int64_t MAX_EDGES = (int64_t)1 << 40;
/* 8 MB per block: large enough for huge pages, small enough to distribute and to free early. */
static const int64_t BLOCK_EDGES = (int64_t)1 << 20;

fri_permutation fri_permutation_of(uint64_t seed, int bits) {
    uint64_t key = fri_mix64(seed ^ UINT64_C(0x5343524d424c)); /* a random stream of its own */
    return (fri_permutation){.mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1,
                             .add = fri_random(key, 0),
                             .odd = {fri_random(key, 1) | 1, fri_random(key, 2) | 1},
                             .shift = bits / 2 + 1};
}

fr_status fri_gen_size(fri_gen_args *args, int64_t n, int64_t m) {
    fr_ctx *ctx = args->ctx;
    if (n > INT32_MAX)
        return fri_fail(ctx, FR_RANGE, "generator %s: %lld vertices exceed the maximum of 2^31-1",
                        args->name, (long long)n);
    if (m > MAX_EDGES)
        return fri_fail(ctx, FR_RANGE, "generator %s: %lld edges exceed the maximum of 2^40",
                        args->name, (long long)m);
    args->edges->n = (int32_t)n;
    return fri_reserve_check(ctx, "the generated graph",
                             (size_t)(n + 1) * sizeof(int64_t) +
                                 (size_t)(m / args->shares) * 2 * sizeof(int32_t));
}

typedef struct {
    fr_ctx *ctx;
    const char *phase;
    fri_gen_emit_fn emit;
    const void *state;
    int64_t first, units, per_block; /* units first .. units-1 */
    fri_edge_block *blocks;
    int count;
} job;

/* Runs over all blocks; fill: writes, otherwise counts. Thread 0 is the calling thread; only it
 * reports progress. */
static fr_status over_blocks(const job *j, bool fill) {
    fr_status status = FR_OK;
    atomic_bool stop = false;
    atomic_int done = 0;
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(j->ctx->threads)
    for (int b = 0; b < j->count; b++) {
        if (atomic_load_explicit(&stop, memory_order_relaxed)) /* relaxed: seeing it late is
                                                                  harmless */
            continue;
        int64_t begin = j->first + b * j->per_block, end = FRI_MIN(begin + j->per_block, j->units);
        int64_t count = j->emit(j->state, begin, end, fill ? j->blocks[b].ends : NULL);
        if (!fill)
            j->blocks[b].count = count;
        int finished = atomic_fetch_add(&done, 1) + 1; /* for progress reports only */
        if (omp_get_thread_num() == 0 &&
            (status = fri_progress(j->ctx, j->phase, finished, j->count)))
            atomic_store_explicit(&stop, true, memory_order_relaxed);
    }
    return status;
}

static fr_status count_blocks(const job *j, bool exact) {
    if (!exact)
        return over_blocks(j, false);
    for (int b = 0; b < j->count; b++)
        j->blocks[b].count = FRI_MIN(j->per_block, j->units - j->first - b * j->per_block);
    return FR_OK;
}

static fr_status allocate_blocks(fri_gen_args *args) {
    fri_edge_list *edges = args->edges;
    fr_status status = fri_gen_size(args, edges->n, fri_edge_list_count(edges) * args->shares);
    for (int b = 0; !status && b < edges->block_count; b++) {
        fri_edge_block *block = &edges->blocks[b];
        block->ends = fri_alloc(args->ctx, fri_bytes(block->count, 2 * sizeof(int32_t)));
        if (!block->ends)
            status = FR_NOMEM;
    }
    return status;
}

fr_status fri_gen_emit_parallel(fri_gen_args *args, int64_t units, int64_t max_edges, bool exact,
                                fri_gen_emit_fn emit, const void *state) {
    int64_t per_block = FRI_MAX(BLOCK_EDGES / FRI_MAX(max_edges, 1), 1);
    per_block = FRI_MAX(per_block, units / (1 << 20) + 1); /* at most about 10^6 blocks */
    int64_t first = fri_share_begin(units, args->share, args->shares);
    units = fri_share_begin(units, args->share + 1, args->shares);
    int64_t count = (units - first + per_block - 1) / per_block;
    fri_edge_list *edges = args->edges;
    args->divided = true;
    edges->blocks = fri_calloc(args->ctx, fri_bytes(count, sizeof *edges->blocks));
    if (!edges->blocks)
        return FR_NOMEM;
    edges->block_count = (int)count;
    job j = {args->ctx, "counting the edges", emit,      state, first, units,
             per_block, edges->blocks,        (int)count};
    fr_status status = count_blocks(&j, exact);
    if (!status)
        status = allocate_blocks(args);
    j.phase = "generating";
    return status ? status : over_blocks(&j, true);
}
