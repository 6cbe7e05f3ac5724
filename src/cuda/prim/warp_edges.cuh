/* The edges of up to 32 chunks, one per lane of a warp, divided evenly among the lanes. */
#ifndef FRI_CUDA_PRIM_WARP_EDGES_CUH
#define FRI_CUDA_PRIM_WARP_EDGES_CUH

#include "cuda/prim/edge_chunks.cuh"
#include "cuda/prim/reduce.cuh"

/* Any thread: the position of the nth bit that is set; a number below 32 if there are fewer. */
static __device__ __forceinline__ int fri_nth_bit(unsigned bits, int nth) {
    int low = 0;
    FRI_UNROLL
    for (int step = FRI_WARP / 2; step; step /= 2)
        low += __popc(bits & ((1u << (low + step)) - 1)) <= nth ? step : 0;
    return low;
}

/* Whole warp: the chunks that are not empty, moved to the lowest lanes in their order; the other
 * lanes get an empty chunk. */
static __device__ __forceinline__ fri_edge_chunk fri_pack_chunks(const fri_edge_chunk &mine) {
    const unsigned full = __ballot_sync(FRI_FULL_MASK, mine.count > 0);
    const int from = fri_nth_bit(full, fri_lane()), count = __popc(full);
    const fri_edge_chunk its = {__shfl_sync(FRI_FULL_MASK, mine.v, from),
                                __shfl_sync(FRI_FULL_MASK, mine.count, from),
                                (int64_t)__shfl_sync(FRI_FULL_MASK, mine.begin, from)};
    return fri_lane() < count ? its : fri_edge_chunk{0, 0, 0};
}

/* Whole warp: calls visit(e, owner, on) for the edges of the lanes' chunks, which fri_pack_chunks()
 * has packed, ITEMS per lane at a time: e[j] is an edge if on[j], and owner[j] the lane whose chunk
 * it belongs to. Consecutive lanes have consecutive edges. One reduction over the warp finds the
 * chunks that begin within the next 32 positions, in place of a search by five shuffles. Before each
 * visit() it calls ahead(e) with every ITEMSth edge of the next. */
template <int ITEMS, class O, class V, class A>
static __device__ __forceinline__ void fri_for_each_warp_edge(const fri_edge_chunk &mine, V visit,
                                                              A ahead) {
    int total, before = fri_warp_prefix(mine.count, &total), base = 0;
    const O begin = (O)mine.begin - (O)before;
    const unsigned lower_lanes = (1u << fri_lane()) - 1;
    for (int first = 0; first < total; first += ITEMS * FRI_WARP) {
        O e[ITEMS];
        int owner[ITEMS];
        bool on[ITEMS];
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            const int at = first + j * FRI_WARP, start = before - at - 1;
            const unsigned starts = fri_warp_or((unsigned)start < FRI_WARP ? 1u << start : 0);
            owner[j] = base + __popc(starts & lower_lanes);
            base += __popc(starts);
            e[j] = __shfl_sync(FRI_FULL_MASK, begin, owner[j]) + (O)(at + fri_lane());
            on[j] = at + fri_lane() < total;
        }
        const int later = first + ITEMS * (FRI_WARP + fri_lane());
        const O from = __shfl_sync(FRI_FULL_MASK, begin, fri_owner_lane(before, later));
        if (later < total)
            ahead(from + (O)later);
        visit(e, owner, on);
    }
}

#endif
