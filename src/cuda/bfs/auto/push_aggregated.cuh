/* Top-down levels of `auto` on graphs whose bitmap of visited vertices fits into L1, designed for
 * bitmap words that many edges lead to at once, such as words of a web site's navigation pages: L2
 * serializes the accesses to one word.
 *
 * The bitmap is read through L1, whose copies last for a level; a warp claims all its vertices of a
 * word with one atomic and finds its edges' owners with a few ballots; and the whole block writes
 * the chunks of the hubs that are found.
 */
#ifndef FRI_CUDA_BFS_AUTO_PUSH_AGGREGATED_CUH
#define FRI_CUDA_BFS_AUTO_PUSH_AGGREGATED_CUH

#include "cuda/bfs/auto/push.cuh"

/* Maximum bitmap size in words for aggregated pushes: 64 KB, a third of what remains for L1 on an
 * H200, which also holds targets and offsets. */
static const int32_t AGGREGATED_MAX_WORDS = 16 << 10;

/* Whole warp: claims all candidates, as claim_begin(), with one atomic per word, which lane
 * `leader` issues for all lanes with a vertex of that word. Of lanes with the same vertex one keeps
 * it. */
template <class O>
static __device__ __forceinline__ void claim_aggregated(const bfs_params<O> &p, const int32_t *v,
                                                        bool *candidate, uint32_t *word_sums,
                                                        int *leader, uint32_t *answer) {
    bool leads[ITEMS];
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        word_sums[j * FRI_WARP + fri_lane()] = 0;
        leader[j] = __ffs((int)__match_any_sync(FRI_FULL_MASK,
                                                candidate[j] ? word_of(v[j]) : FRI_FULL_MASK)) -
                    1;
        leads[j] = candidate[j] && leader[j] == fri_lane();
    }
    __syncwarp(); /* the sums are zero */
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        if (candidate[j]) /* lanes with the same word share its sum */
            candidate[j] =
                !(atomicOr(&word_sums[j * FRI_WARP + leader[j]], bit_of(v[j])) & bit_of(v[j]));
    __syncwarp(); /* the sums are complete */
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        answer[j] = leads[j] /* other warps claim too */
                        ? atomicOr(&p.visited[word_of(v[j])], word_sums[j * FRI_WARP + fri_lane()])
                        : 0;
}

/* Whole warp: as expand_edges(), of targets v, -1 where a lane has no edge. L1 does not see what
 * other SMs claim during this level: that costs atomics that fail, but saves an L2 read of a
 * contended word per edge. */
template <class O>
static __device__ __forceinline__ void
expand_edges_aggregated(const bfs_params<O> &p, int32_t depth, const int32_t *u, const int32_t *v,
                        uint32_t *word_sums, push_output<O> *output, thread_counters<O> *mine) {
    uint32_t answer[ITEMS];
    int leader[ITEMS];
    O begin[ITEMS], degree[ITEMS];
    bool candidate[ITEMS];
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) { /* racy: the claim decides */
        candidate[j] = v[j] >= 0 && !(p.visited[word_of(v[j])] & bit_of(v[j]));
        FRI_COUNT(p.out, FR_COUNTER_EDGES, v[j] >= 0);
        FRI_COUNT(p.out, FR_COUNTER_ATOMICS, candidate[j]);
    }
    claim_aggregated(p, v, candidate, word_sums, leader, answer);
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++) {
        begin[j] = candidate[j] && !output->skip_queue ? p.out.offsets[v[j]] : 0;
        degree[j] = candidate[j] && !output->skip_queue ? p.out.offsets[v[j] + 1] : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        answer[j] = __shfl_sync(FRI_FULL_MASK, answer[j], leader[j]);
    commit_claims(p, depth, u, v, candidate, answer, begin, degree, output, mine);
}

/* Whole warp: expands edges [first, end) of the tile's chunks. A binary search finds the owner of
 * the first edge; then one lane for each of the next 32 chunks gives its beginning. */
template <class O>
static __device__ __forceinline__ void
expand_tile(const bfs_params<O> &p, int32_t depth, const chunk_tile<O> *tile, int tile_chunks,
            int first, int end, uint32_t *word_sums, push_output<O> *output,
            thread_counters<O> *mine) {
    int owner = fri_find_owner(tile->before, tile_chunks, first);
    for (; first < end; first += ITEMS * FRI_WARP) {
        int32_t u[ITEMS], v[ITEMS];
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            const int from = first + j * FRI_WARP, next = owner + 1 + fri_lane();
            const int at = next < tile_chunks ? tile->before[next] - from : FRI_WARP + 1;
            const unsigned chunk_heads = fri_warp_or(at < FRI_WARP ? 1u << at : 0);
            const int its =
                owner + __popc(chunk_heads & (FRI_FULL_MASK >> (FRI_WARP - 1 - fri_lane())));
            const O e = (O)(tile->begin[its] + (O)(from + fri_lane() - tile->before[its]));
            u[j] = tile->v[its];
            v[j] = from + fri_lane() < end ? p.out.targets[e] : -1;
            owner += __popc(__ballot_sync(FRI_FULL_MASK, at <= FRI_WARP));
        }
        expand_edges_aggregated(p, depth, u, v, word_sums, output, mine);
    }
}

/* As push_even(), but a warp's edges are adjacent, so that many of their targets lie in one
 * word. */
template <class O>
static __device__ void push_aggregated(const bfs_params<O> &p, int32_t depth, int32_t entries,
                                       chunk_tile<O> *tile, uint32_t *word_sums,
                                       push_output<O> *output, thread_counters<O> *mine) {
    const edge_chunk *queue = p.queue[depth & 1];
    const unsigned blocks = gridDim.x, max_chunks = (unsigned)max_tile_chunks(),
                   all = (unsigned)entries;
    for (unsigned first = blockIdx.x; first < all; first += blocks * max_chunks) {
        const bool only = all <= blocks;
        const unsigned i = first + (only ? 0 : threadIdx.x * blocks);
        const int tile_chunks = (int)FRI_MIN(max_chunks, (all - first + blocks - 1) / blocks);
        const edge_chunk chunk =
            threadIdx.x < max_chunks && i < all ? queue[i] : edge_chunk{0, 0, 0};
        const int edges = only ? load_single(tile, chunk) : load_tile(tile, chunk, chunk.count);
        const int each = (edges + (int)blockDim.x - 1) / (int)blockDim.x * FRI_WARP;
        const int from = fri_warp() * each;
        if (from < edges)
            expand_tile(p, depth, tile, tile_chunks, from, FRI_MIN(from + each, edges), word_sums,
                        output, mine);
        mine->edges_scanned += threadIdx.x == 0 ? (edge_sum<O>)edges : 0;
    }
    if (!output->skip_queue)
        flush_hubs(p, output->writer);
}

#endif
