/* Exchanging rows and columns, second step: buckets of sorted tiles into rows.
 *
 * A bucket's edges, from tile to tile, are in order of their sources. The block that has it counts
 * its rows; then its warps fetch batches of 32 tiles each, and one after the other takes places in
 * the rows for the sources, which keeps the order. Of a bucket of many edges several blocks have a
 * part each: what comes before a part was counted by a launch before.
 */
#ifndef FRI_TRANSPOSE_BUCKETS_CUH
#define FRI_TRANSPOSE_BUCKETS_CUH

#include "cuda/transpose_tiles.cuh"

#ifdef FRI_SIMT
static const int BUCKET_WARPS = 4;
#else
static const int BUCKET_WARPS = 8;
#endif
static const int BUCKET_THREADS = BUCKET_WARPS * FRI_WARP, PLAN_THREADS = 1024;
static const int BUCKET_BLOCKS = 3, FETCH = 8; /* blocks a multiprocessor */

#ifdef FRI_SIMT
#define FRI_SPIN() __nanosleep(1) /* lets others run */
#else
#define FRI_SPIN() ((void)0)
#endif

namespace {
/* Of `of` parts of a bucket one; slot: of part_rows, for the bucket's first part, where there are
 * several. */
struct part {
    int32_t bucket, index, of, slot;
    int64_t base; /* the bucket's first edge in the result */
};
} // namespace

static __device__ __forceinline__ int batches_of(int32_t tiles) {
    return (tiles + FRI_WARP - 1) / FRI_WARP;
}

template <class O> static __device__ __forceinline__ int parts_of(const turning<O> &t, int bucket) {
    const unsigned of =
        FRI_MIN((t.totals[bucket] + PART - 1u) / PART, (unsigned)batches_of(t.tiles));
    return (int)FRI_MAX(of, 1u);
}

/* One block: the parts of all buckets, those of several parts also in front, as slots. */
template <class O>
static __global__ void __launch_bounds__(PLAN_THREADS) parts_kernel(turning<O> t) {
    const int each = (t.buckets + PLAN_THREADS - 1) / PLAN_THREADS;
    const int low = FRI_MIN((int)threadIdx.x * each, t.buckets),
              high = FRI_MIN(low + each, t.buckets);
    unsigned long long edges = 0, all;
    int parts = 0, slots = 0, all_parts, all_slots;
    for (int b = low; b < high; b++) {
        int of = parts_of(t, b);
        edges += t.totals[b];
        parts += of == 1;
        slots += of > 1 ? of : 0;
    }
    edges = fri_block_sum<unsigned long long>(edges, &all);
    parts = fri_block_sum<int>(parts, &all_parts);
    slots = fri_block_sum<int>(slots, &all_slots);
    for (int b = low; b < high; b++) {
        int of = parts_of(t, b);
        for (int i = 0; i < of; i++)
            t.parts[of > 1 ? slots + i : all_slots + parts] = {b, i, of, slots, (int64_t)edges};
        edges += t.totals[b];
        parts += of == 1;
        slots += of > 1 ? of : 0;
    }
    if (threadIdx.x == 0) {
        t.part_count[0] = all_slots + all_parts;
        t.part_count[1] = all_slots;
        t.offsets[t.n] = (O)t.m;
    }
}

namespace {
/* Bucket's edges in the tiles of a batch, a tile a lane. */
template <class O> struct batch {
    int end, total; /* edges of this lane's tile and those before; of all */
    O edge;         /* where in t.sorted the batch's first would be if all were like this tile's */
    int32_t row;    /* the tile's first */
};
} // namespace

/* Whole warp. */
template <class O>
static __device__ __forceinline__ batch<O> batch_of(const turning<O> &t, int32_t bucket,
                                                    int which) {
    const int32_t tile = which * FRI_WARP + fri_lane();
    const uint16_t *at = t.begins + (int64_t)bucket * t.tiles + tile;
    const int begin = tile < t.tiles ? at[0] : 0;
    const int length = tile < t.tiles ? at[t.tiles] - begin : 0;
    const corner c = t.corners[FRI_MIN(tile, t.tiles)];
    batch<O> b;
    const int before = fri_warp_sum<int>(length, &b.total);
    b.end = before + length;
    b.edge = (O)(c.edge + begin - before);
    b.row = c.row;
    return b;
}

/* Whole warp: FETCH times 32 of the batch's edges, lane by lane: which of rows low .. low + pass -
 * 1 they lead to, if any, and their sources. */
template <class O>
static __device__ __forceinline__ void fetch(const turning<O> &t, const batch<O> &b, int from,
                                             uint32_t low, uint32_t (&row)[FETCH],
                                             int32_t (&source)[FETCH], bool (&in)[FETCH]) {
    int x[FETCH], owner[FETCH];
    uint32_t word[FETCH];
    FRI_UNROLL
    for (int k = 0; k < FETCH; k++)
        x[k] = FRI_MIN(from + k * FRI_WARP + fri_lane(), b.total - 1);
    lanes_upto(b.end, x, owner);
    FRI_UNROLL
    for (int k = 0; k < FETCH; k++) {
        word[k] = t.sorted[__shfl_sync(FRI_FULL, b.edge, owner[k]) + (O)x[k]];
        source[k] = __shfl_sync(FRI_FULL, b.row, owner[k]);
    }
    FRI_UNROLL
    for (int k = 0; k < FETCH; k++) {
        row[k] = (word[k] & ((1u << t.shift) - 1)) - low;
        source[k] += (int32_t)(word[k] >> t.shift);
        in[k] = from + k * FRI_WARP + fri_lane() < b.total && row[k] < (uint32_t)t.pass;
    }
}

/* All threads: edges of each row in this part. */
template <class O>
static __device__ void count_rows(const turning<O> &t, const part &p, int first, int end, int low,
                                  uint32_t *counts) {
    for (int r = (int)threadIdx.x; r < t.pass; r += BUCKET_THREADS)
        counts[r] = 0;
    __syncthreads(); /* all are zero */
    for (int which = first + fri_warp(); which < end; which += BUCKET_WARPS) {
        const batch<O> b = batch_of(t, p.bucket, which);
        for (int i = 0; i < b.total; i += FETCH * FRI_WARP) {
            uint32_t row[FETCH];
            int32_t source[FETCH];
            bool in[FETCH];
            fetch(t, b, i, (uint32_t)low, row, source, in);
            FRI_UNROLL
            for (int k = 0; k < FETCH; k++)
                if (in[k])
                    atomicAdd(&counts[row[k]], 1u); /* other threads too */
        }
    }
    __syncthreads(); /* all are counted */
}

static __device__ __forceinline__ int first_batch(const part &p, int32_t tiles, int index) {
    return (int)((int64_t)batches_of(tiles) * index / p.of);
}

/* A block a slot: edges of each row in that part. */
template <class O>
static __global__ void __launch_bounds__(BUCKET_THREADS) count_kernel(turning<O> t) {
    FRI_SHARED_DYNAMIC(uint32_t, counts);
    if ((int)blockIdx.x >= t.part_count[1])
        return;
    const part p = t.parts[blockIdx.x];
    const int first = first_batch(p, t.tiles, p.index), end = first_batch(p, t.tiles, p.index + 1);
    for (int low = 0; low < 1 << t.shift; low += t.pass) {
        count_rows(t, p, first, end, low, counts);
        for (int r = (int)threadIdx.x; r < t.pass; r += BUCKET_THREADS)
            t.part_rows[((int64_t)blockIdx.x << t.shift) + low + r] = counts[r];
        __syncthreads(); /* read before they are zeroed */
    }
}

/* All threads: from this part's counts of rows low .. low + pass - 1 where in the bucket its edges
 * of each begin. `done` edges are in rows before; returned with those of these. */
template <class O>
static __device__ unsigned place_rows(const turning<O> &t, const part &p, uint32_t *counts, int low,
                                      unsigned done) {
    const int each = (t.pass + BUCKET_THREADS - 1) / BUCKET_THREADS;
    const int from = FRI_MIN((int)threadIdx.x * each, t.pass), to = FRI_MIN(from + each, t.pass);
    const uint32_t *part_rows = t.part_rows + ((int64_t)p.slot << t.shift) + low;
    unsigned sum = 0, all;
    for (int r = from; r < to; r++) {
        sum += p.of > 1 ? 0 : counts[r];
        for (int i = 0; p.of > 1 && i < p.of; i++)
            sum += part_rows[((int64_t)i << t.shift) + r];
    }
    unsigned at = done + fri_block_sum<unsigned>(sum, &all);
    for (int r = from; r < to; r++) {
        unsigned whole = p.of > 1 ? 0 : counts[r], before = 0;
        for (int i = 0; p.of > 1 && i < p.of; i++) {
            before += i < p.index ? part_rows[((int64_t)i << t.shift) + r] : 0;
            whole += part_rows[((int64_t)i << t.shift) + r];
        }
        const int64_t v = ((int64_t)p.bucket << t.shift) + low + r;
        if (p.index == 0 && v < t.n)
            t.offsets[v] = (O)(p.base + at);
        counts[r] = at + before;
        at += whole;
    }
    __syncthreads(); /* all places are known */
    return done + all;
}

/* Whole warp: until the warps with all batches before have taken their places. */
static __device__ __forceinline__ void await_turn(const int *turn, int which) {
    if (fri_lane() == 0)
        while (fri_racy_load(turn) != which) /* racy: the warp before sets it */
            FRI_SPIN();
    __threadfence_block(); /* its places are seen */
    __syncwarp();
}
static __device__ __forceinline__ void pass_turn(int *turn, int which) {
    __threadfence_block(); /* places before the turn */
    __syncwarp();
    if (fri_lane() == 0)
        fri_racy_store(turn, which + 1);
}

static size_t bucket_bytes(int pass) { return sizeof(uint32_t) * (size_t)pass; }

/* A block a part. */
template <class O>
static __global__ void __launch_bounds__(BUCKET_THREADS, BUCKET_BLOCKS) rows_kernel(turning<O> t) {
    FRI_SHARED(int, turn, 1);
    FRI_SHARED_DYNAMIC(uint32_t, places);
    if ((int)blockIdx.x >= t.part_count[0])
        return;
    const part p = t.parts[blockIdx.x];
    const int first = first_batch(p, t.tiles, p.index), end = first_batch(p, t.tiles, p.index + 1);
    int32_t *to = t.sources + p.base;
    unsigned done = 0;
    for (int low = 0; low < 1 << t.shift; low += t.pass) {
        if (threadIdx.x == 0)
            *turn = first;
        count_rows(t, p, first, end, low, places);
        done = place_rows(t, p, places, low, done);
        for (int which = first + fri_warp(); which < end; which += BUCKET_WARPS) {
            const batch<O> b = batch_of(t, p.bucket, which);
            if (b.total == 0) {
                await_turn(turn, which);
                pass_turn(turn, which);
            }
            for (int i = 0; i < b.total; i += FETCH * FRI_WARP) {
                uint32_t row[FETCH];
                int32_t source[FETCH];
                int at[FETCH];
                bool in[FETCH];
                fetch(t, b, i, (uint32_t)low, row, source, in);
                if (i == 0)
                    await_turn(turn, which);
                take_turns<1>(places, row, in, at);
                if (i + FETCH * FRI_WARP >= b.total)
                    pass_turn(turn, which);
                FRI_UNROLL
                for (int k = 0; k < FETCH; k++)
                    if (in[k])
                        to[(unsigned)at[k]] = source[k];
            }
        }
        __syncthreads(); /* the places are through with */
    }
}

#endif
