/* What is done with the new bits of vertices. A consumer has
 *   take<W>(own, v, gains, any, depth)   called by whole warps: this lane has vertex v, or -1; own[0 .. W - 1]
 *     are its new bits, in shared memory, if `gains`; lane w < W has in `any` the or of word w over the lanes. */
#ifndef FRI_CUDA_BFS_MANY_CONSUMERS_CUH
#define FRI_CUDA_BFS_MANY_CONSUMERS_CUH

#include "cuda/bfs/many/state.cuh"

static __device__ __forceinline__ void fri_many_put(void *dist, bool wide, int64_t at,
                                                    int32_t level) {
    if (wide)
        ((int64_t *)dist)[at] = level;
    else
        ((int32_t *)dist)[at] = level;
}

/* Rows of levels. Threads hold the words of a vertex, but rows have vertices side by side: for each source
 * the warp writes the values of its 32 vertices together. */
struct fri_many_rows {
    void *dist; /* [count][n], of int32 or int64; NULL: none */
    bool wide;
    int32_t n;
    const fri_bits *late; /* fri_many_control */
    /* A block's search from source i (blocks.cuh) finds v, in any thread. */
    __device__ __forceinline__ void found(int64_t i, int32_t v, int32_t depth) const {
        if (dist)
            fri_many_put(dist, wide, i * n + v, depth);
    }
    template <int W>
    __device__ __forceinline__ void take(const fri_bits *own, int32_t v, bool gains, fri_bits any,
                                         int32_t depth) const {
        FRI_ROLLED
        for (int w = 0; w < W && dist; w++) {
            const fri_bits bits = gains ? own[w] : 0;
            for (fri_bits left = __shfl_sync(FRI_FULL_MASK, any, w); left; left &= left - 1) {
                const int bit = __ffsll((long long)left) - 1;
                if (bits >> bit & 1)
                    fri_many_put(dist, wide, ((int64_t)w * 64 + bit) * n + v,
                                 fri_many_distance(late, w, bit, depth));
            }
        }
    }
};

/* The block's counts of the vertices that a source finds in a level, where fri_many.tally is not NULL: of bit c of
 * half-word h at c * 2 W + h, so that lanes with other half-words use other banks. */
template <int W> static __device__ __forceinline__ unsigned *fri_many_counted() {
    FRI_SHARED(unsigned, counted, W * 64);
    return counted;
}

/* A full adder per bit: a + b + *carry. */
static __device__ __forceinline__ uint32_t fri_many_add_bits(uint32_t a, uint32_t b,
                                                             uint32_t *carry) {
    const uint32_t sum = a ^ b ^ *carry;
    *carry = (a & b) | ((a ^ b) & *carry);
    return sum;
}

/* Counts the vertices of each level for each source. A lane has a half-word, of 32 sources, of 2 W of the warp's
 * vertices, and adds them bit-sliced: digit[p] has the digits of weight 2^p. Then lanes of the same half-word
 * add theirs. */
struct fri_many_tally {
    template <int W>
    __device__ __forceinline__ void take(const fri_bits *own, int32_t, bool gains, fri_bits,
                                         int32_t) const {
        const int HALVES = 2 * W, GROUPS = FRI_WARP / HALVES, DIGITS = 6, STEP = FRI_WARP / 4;
        const int half = fri_lane() % HALVES, group = fri_lane() / HALVES;
        const unsigned used = __ballot_sync(FRI_FULL_MASK, gains);
        const fri_bits *tile = own - fri_lane() * fri_many_shape<W>::STRIDE + half / 2;
        uint32_t digit[DIGITS] = {}, waiting[DIGITS] = {};
        FRI_UNROLL
        for (int i = 0; i < HALVES; i++) { /* vertices apart so that two groups use other banks */
            const int slot = W == 8 ? i % STEP + i / STEP * 16 + group * STEP : group * HALVES + i;
            uint32_t bits =
                used >> slot & 1
                    ? (uint32_t)(tile[slot * fri_many_shape<W>::STRIDE] >> half % 2 * 32)
                    : 0;
            int p = 0;
            FRI_UNROLL
            for (int taken = i; taken & 1; taken /= 2, p++)
                digit[p] = fri_many_add_bits(digit[p], waiting[p], &bits);
            waiting[p] = bits;
        }
        FRI_UNROLL
        for (int p = 0; p < DIGITS; p++) /* HALVES is a power of two: one word waits */
            digit[p] = 1 << p == HALVES ? waiting[p] : digit[p];
        FRI_UNROLL
        for (int d = HALVES; d < FRI_WARP; d *= 2) {
            uint32_t carry = 0;
            FRI_UNROLL
            for (int p = 0; p < DIGITS; p++)
                digit[p] = fri_many_add_bits(digit[p], __shfl_xor_sync(FRI_FULL_MASK, digit[p], d),
                                             &carry);
        }
        FRI_UNROLL
        for (int k = 0; k < 8; k += GROUPS) {
            const int c = k + group; /* columns c, c + 8, ..: a byte each */
            uint32_t four = 0;
            FRI_UNROLL
            for (int p = 0; p < DIGITS && c < 8; p++)
                four |= (digit[p] >> c & 0x01010101u) << p;
            FRI_UNROLL
            for (int b = 0; b < 4; b++)
                if (four >> 8 * b & 0xff) /* other warps add */
                    atomicAdd(&fri_many_counted<W>()[(c + 8 * b) * HALVES + half],
                              four >> 8 * b & 0xff);
        }
    }
};

/* All threads of the block, at the end of a level and before a barrier of the grid. */
template <int W>
static __device__ __forceinline__ void fri_many_tally_add(unsigned *tally, int32_t depth) {
    unsigned *counted = fri_many_counted<W>(), *to = tally + depth % FRI_PHASES * W * 64;
    for (int i = (int)threadIdx.x; i < W * 64; i += (int)blockDim.x) {
        if (counted[i])
            atomicAdd(&to[i % (2 * W) * 32 + i / (2 * W)], counted[i]); /* other blocks add */
        counted[i] = 0;
    }
}

/* All threads of a block: adds level `depth` to the sums of the sources, of which each has a thread, so that
 * they are the same bits on every run and on the CPU. */
template <int W, class O>
static __device__ __forceinline__ void fri_many_tally_end(const fri_many<O> &p, int32_t level) {
    for (int i = (int)threadIdx.x; i < p.count; i += (int)blockDim.x) {
        const unsigned found = fri_volatile_load(&p.tally[level % FRI_PHASES * W * 64 + i]);
        const int32_t depth = fri_many_distance(p.control->late, i / 64, i % 64, level);
        p.tally[(level + 2) % FRI_PHASES * W * 64 + i] = 0; /* read a level ago, added to in two */
        p.reached[i] += found;
        p.far[i] += (double)found * depth;
        p.near[i] += found && depth ? (double)found / depth : 0;
    }
}

#endif
