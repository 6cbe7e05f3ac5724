/* The kernels of BFS on ranks with a GPU each.
 *
 * Source: Beamer, Buluc, Asanovic, Patterson, IPDPSW 2013, as ranks/bfs.c; a push balances rows over
 *   the lanes of a warp, and cuts long ones into chunks, as Merrill, Garland, Grimshaw, PPoPP 2012.
 * Idea: push and pull only mark own vertices as seen and write their parents. settle_kernel then
 *   derives the rest from the bits that are new: the slice of the next frontier, levels, and the sums
 *   that all ranks exchange.
 * Differs: the frontier stays a bitmap; a warp reads 32 words of it at once and skips those that are 0.
 * Atomics: one per vertex that a push finds, three per block and level. Launches per level: 6 (push),
 *   5 (pull), and an allgather. */
#include "cuda/prim/reduce.cuh"
#include "cuda/ranks/part.cuh"

enum { QUEUE, BEGAN }; /* control */

static __device__ __forceinline__ fri_level_report *own_report(const fri_part_arrays &a) {
    return (fri_level_report *)(a.mine + a.words);
}

static __device__ __forceinline__ void add_examined(const fri_part_arrays &a,
                                                    unsigned long long examined) {
    fri_grid_add((unsigned long long *)&own_report(a)->examined, examined);
}

/* ---- the ends of a query --------------------------------------------------------------------- */

static __global__ void place_kernel(int32_t *slots, int64_t count, int32_t share, int32_t gap) {
    for (int64_t i = thread_of_grid(); i < count; i += threads_of_grid())
        slots[i] += slots[i] / share * gap;
}

static __global__ void set_sources_kernel(fri_part_arrays a, fri_part_sources batch) {
    if ((int)threadIdx.x < batch.count) { /* atomic: sources share words */
        const int32_t i = batch.own[threadIdx.x];
        atomicOr(&a.given[i / 32], 1u << (i % 32));
    }
}

/* The sources are the only vertices that are seen and not before. */
static __global__ void start_kernel(fri_part_arrays a) {
    const int32_t first = a.rank * a.slice_words * 32;
    for (int64_t w = thread_of_grid(); w < a.words; w += threads_of_grid()) {
        const uint32_t given = a.given[w];
        a.before[w] = a.no_in_edges[w] & ~given;
        a.seen[w] = a.no_in_edges[w] | given;
        for (uint32_t bits = given; bits; bits &= bits - 1) {
            const int32_t i = (int32_t)w * 32 + __ffs((int)bits) - 1;
            a.parent[i] = first + i;
        }
    }
}

static __global__ void answer_kernel(fri_part_arrays a) {
    const int32_t slice = a.slice_words * 32, gap = slice - a.words * 32;
    for (int64_t i = thread_of_grid(); i < a.own; i += threads_of_grid()) {
        const uint32_t reached = (a.seen[i / 32] & ~a.no_in_edges[i / 32]) | a.given[i / 32];
        const bool yes = reached >> (i % 32) & 1;
        if (!yes)
            a.level[i] = -1;
        a.parent[i] = yes ? a.parent[i] - a.parent[i] / slice * gap : -1;
    }
}

/* ---- a level ----------------------------------------------------------------------------------- */

static __global__ void open_kernel(fri_part_arrays a) {
    *own_report(a) = {};
    a.control[QUEUE] = 0;
    a.control[BEGAN] = fri_clock_ns();
}

static __global__ void finish_report_kernel(fri_part_arrays a, int64_t status) {
    own_report(a)->status = status;
    own_report(a)->work_ns = (int64_t)(fri_clock_ns() - a.control[BEGAN]);
}

static __device__ __forceinline__ void claim(const fri_part_arrays &a, int32_t i, int32_t u) {
    const uint32_t bit = 1u << (i % 32);
    /* racy: a bit once set stays set, and the atomic decides */
    if (!(fri_racy_load(&a.seen[i / 32]) & bit) && !(atomicOr(&a.seen[i / 32], bit) & bit))
        a.parent[i] = u;
}

/* Whole warp: claims the targets of the lanes' rows, edges [begin, begin + degree) of u; appends the
 * chunks of long rows to the queue. */
template <class O>
static __device__ __forceinline__ void push_rows(const fri_part_arrays &a, int32_t u, O begin,
                                                 O degree) {
    int total;
    const int edges =
        queue_long_rows<O>((fri_edge_chunk *)a.queue, &a.control[QUEUE], u, begin, degree);
    const int before = fri_warp_prefix(edges, &total);
    fri_for_each_chunk<1, 5>(before, total, u, (int64_t)begin, (int64_t)degree,
                             [&](int i, int, fri_edge_chunk edge) {
                                 if (i < total)
                                     claim(a, a.push_targets[edge.begin], edge.v);
                             });
}

template <class O> static __global__ void push_kernel(fri_part_arrays a) {
    const O *offsets = (const O *)a.push_offsets;
    unsigned long long examined = 0;
    for_each_word((int64_t)a.ranks * a.slice_words, a.step,
                  [&](int64_t w) { return w % a.slice_words < a.words ? a.front[w] : 0; },
                  [&](int64_t w, uint32_t word) {
                      const int64_t slot =
                          (w / a.slice_words * a.words + w % a.slice_words) * 32 + fri_lane();
                      const bool yes = word >> fri_lane() & 1;
                      const O begin = yes ? offsets[slot] : 0,
                              degree = yes ? offsets[slot + 1] - begin : 0;
                      examined += (unsigned long long)degree;
                      if (__any_sync(FRI_FULL_MASK, degree > 0))
                          push_rows<O>(a, (int32_t)(w * 32) + fri_lane(), begin, degree);
                  });
    add_examined(a, examined);
}

static __global__ void push_chunks_kernel(fri_part_arrays a) {
    const unsigned long long count = a.control[QUEUE];
    const fri_edge_chunk *queue = (const fri_edge_chunk *)a.queue;
    const int64_t warps = threads_of_grid() / FRI_WARP;
    for (int64_t k = thread_of_grid() / FRI_WARP; k < (int64_t)count; k += warps) {
        const fri_edge_chunk chunk = queue[k];
        for (int e = fri_lane(); e < chunk.count; e += FRI_WARP)
            claim(a, a.push_targets[chunk.begin + e], chunk.v);
    }
}

static __device__ __forceinline__ bool in_frontier(const fri_part_arrays &a, int32_t place) {
    return a.front[place / 32] >> (place % 32) & 1;
}

/* Whole warp: examines row [begin, end) until an edge comes from the frontier; returns its source in
 * all lanes, or -1. */
template <class O>
static __device__ __forceinline__ int32_t pull_row(const fri_part_arrays &a, O begin, O end,
                                                   unsigned long long *examined) {
    for (O first = begin; first < end; first += FRI_WARP) {
        const O e = first + (O)fri_lane();
        const int32_t u = e < end ? a.pull_sources[e] : 0;
        const unsigned hits = __ballot_sync(FRI_FULL_MASK, e < end && in_frontier(a, u));
        *examined += e < end;
        if (hits)
            return __shfl_sync(FRI_FULL_MASK, u, __ffs((int)hits) - 1);
    }
    return -1;
}

/* Whole warp, a vertex per lane: its hub parent first, then the first edges of its row by the lane
 * alone, then the rest by all lanes. Returns its parent, or -1. */
template <class O>
static __device__ __forceinline__ int32_t pull(const fri_part_arrays &a, int32_t i, bool open,
                                               unsigned long long *examined) {
    const O *offsets = (const O *)a.pull_offsets;
    int32_t found = -1;
    O e = 0, end = 0;
    if (open) {
        const int32_t u = a.hub_parent[i];
        (*examined)++;
        if (in_frontier(a, u))
            found = u;
    }
    if (open && found < 0) {
        e = offsets[i];
        end = offsets[i + 1];
        for (int k = 0; k < FRI_PART_LANE_EDGES && e < end && found < 0; k++, e++) {
            const int32_t u = a.pull_sources[e];
            (*examined)++;
            if (in_frontier(a, u))
                found = u;
        }
    }
    const bool rest = found < 0 && e < end;
    for (unsigned left = __ballot_sync(FRI_FULL_MASK, rest); left; left &= left - 1) {
        const int owner = __ffs((int)left) - 1;
        const int32_t u = pull_row<O>(a, __shfl_sync(FRI_FULL_MASK, e, owner),
                                      __shfl_sync(FRI_FULL_MASK, end, owner), examined);
        if (fri_lane() == owner)
            found = u;
    }
    return found;
}

template <class O> static __global__ void pull_kernel(fri_part_arrays a) {
    unsigned long long examined = 0;
    for_each_word(
        a.words, a.step, [&](int64_t w) { return ~a.seen[w]; },
        [&](int64_t w, uint32_t unseen) {
            const int32_t i = (int32_t)w * 32 + fri_lane();
            const int32_t u = pull<O>(a, i, unseen >> fri_lane() & 1, &examined);
            if (u >= 0)
                a.parent[i] = u;
            const unsigned found = __ballot_sync(FRI_FULL_MASK, u >= 0);
            if (fri_lane() == 0 && found) /* no other warp has the word */
                a.seen[w] = ~unseen | found;
        });
    add_examined(a, examined);
}

template <class O> static __global__ void settle_kernel(fri_part_arrays a, int32_t depth) {
    const O *offsets = (const O *)a.pull_offsets;
    unsigned long long edges = 0, count = 0;
    for_each_word(
        a.words, a.step,
        [&](int64_t w) {
            const uint32_t seen = a.seen[w], found = seen & ~a.before[w];
            a.mine[w] = found;
            if (found)
                a.before[w] = seen;
            return found;
        },
        [&](int64_t w, uint32_t found) {
            const int32_t i = (int32_t)w * 32 + fri_lane();
            if (!(found >> fri_lane() & 1))
                return;
            a.level[i] = depth;
            edges += (unsigned long long)(offsets[i + 1] - offsets[i]);
            count++;
        });
    fri_grid_add((unsigned long long *)&own_report(a)->edges, edges);
    __syncthreads(); /* between two sums */
    fri_grid_add((unsigned long long *)&own_report(a)->count, count);
}

/* ---- launches ---------------------------------------------------------------------------------- */

/* With the `step` of for_each_word. */
static fri_part_arrays stepped(const fri_gpu_part *p, int64_t words) {
    fri_part_arrays a = p->bfs;
    a.step = step_for(p, words);
    return a;
}

void fri_gpu_part_bfs_place(fri_gpu_part *p) {
    fri_gpu *g = &p->g;
    const int32_t gap = (p->bfs.slice_words - p->bfs.words) * 32, share = p->bfs.words * 32;
    FRI_RUN(place_kernel, blocks_for(p, p->m), FRI_PART_BLOCK, p->bfs.pull_sources, p->m, share,
            gap);
    FRI_RUN(place_kernel, blocks_for(p, p->bfs.own), FRI_PART_BLOCK, p->bfs.hub_parent,
            (int64_t)p->bfs.own, share, gap);
}

void fri_gpu_part_bfs_set_sources(fri_gpu_part *p, fri_part_sources batch) {
    fri_gpu *g = &p->g;
    FRI_RUN(set_sources_kernel, 1, FRI_PART_SOURCES, p->bfs, batch);
}

static void settle(fri_gpu_part *p, int32_t depth) {
    fri_gpu *g = &p->g;
    const fri_part_arrays a = stepped(p, p->bfs.words);
    const unsigned blocks = blocks_of_items(p, a.step, a.words);
    FRI_BY_OFFSET_TYPE(&p->g, FRI_RUN((settle_kernel<O>), blocks, FRI_PART_BLOCK, a, depth));
}

void fri_gpu_part_bfs_start(fri_gpu_part *p) {
    fri_gpu *g = &p->g;
    FRI_RUN(start_kernel, blocks_for(p, p->bfs.words), FRI_PART_BLOCK, p->bfs);
    FRI_RUN(open_kernel, 1, 1, p->bfs);
    settle(p, 0);
}

static void launch_push(fri_gpu_part *p) {
    fri_gpu *g = &p->g;
    const int64_t words = (int64_t)p->bfs.ranks * p->bfs.slice_words;
    const fri_part_arrays a = stepped(p, words);
    const unsigned blocks = blocks_of_items(p, a.step, words);
    FRI_BY_OFFSET_TYPE(&p->g, FRI_RUN((push_kernel<O>), blocks, FRI_PART_BLOCK, a));
    const unsigned chunk_blocks = blocks_for(p, p->queue_size * FRI_WARP);
    FRI_RUN(push_chunks_kernel, chunk_blocks, FRI_PART_BLOCK, a);
}

static void launch_pull(fri_gpu_part *p) {
    fri_gpu *g = &p->g;
    const fri_part_arrays a = stepped(p, p->bfs.words);
    const unsigned blocks = blocks_of_items(p, a.step, a.words);
    FRI_BY_OFFSET_TYPE(&p->g, FRI_RUN((pull_kernel<O>), blocks, FRI_PART_BLOCK, a));
}

void fri_gpu_part_bfs_level(fri_gpu_part *p, int32_t depth, bool pull) {
    fri_gpu *g = &p->g;
    FRI_RUN(open_kernel, 1, 1, p->bfs);
    if (pull)
        launch_pull(p);
    else
        launch_push(p);
    settle(p, depth);
}

void fri_gpu_part_bfs_finish_report(fri_gpu_part *p, fr_status status) {
    fri_gpu *g = &p->g;
    FRI_RUN(finish_report_kernel, 1, 1, p->bfs, (int64_t)status);
}

void fri_gpu_part_bfs_answer(fri_gpu_part *p) {
    fri_gpu *g = &p->g;
    FRI_RUN(answer_kernel, blocks_for(p, p->bfs.own), FRI_PART_BLOCK, p->bfs);
}
