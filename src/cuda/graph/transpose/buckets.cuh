/* Transpose, second step: collect the buckets of the sorted tiles into rows.
 *
 * The block of a bucket divides its edges among its warps in chunks of equal length, counts the
 * edges of each row, and places the sources: in shared memory first, if the bucket fits, since the
 * sources of one warp go to as many rows. While edges are being uploaded, the edges that have
 * arrived are counted into the result's offsets. A bucket of many edges is divided into parts, one
 * per block; a launch before counts the rows of these parts.
 * Launched by: transpose.cu. */
#ifndef FRI_CUDA_GRAPH_TRANSPOSE_BUCKETS_CUH
#define FRI_CUDA_GRAPH_TRANSPOSE_BUCKETS_CUH

#include "cuda/graph/transpose/tiles.cuh"

#ifdef FRI_SIMT
static const int BUCKET_THREADS = 128; /* maximum: graphs with small buckets use half */
static const int MAX_STAGE = 1000;
#else
static const int BUCKET_THREADS = 1024;
static const int MAX_STAGE = PART;
#endif
static const int PLAN_THREADS = 1024, LONG_RUN = 64;
/* Lanes per group; short runs that a group has in flight, and edges per lane in each. */
static const int GROUP = 8, RUNS = 4, STEPS = 2;

namespace {
/* One of the `of` parts of a bucket; slot: index into part_rows of the bucket's first part, if
 * there are several. */
struct part {
    int32_t bucket, index, of, slot;
    int64_t base; /* the bucket's first edge in the result */
};
} // namespace

/* One block: lists the parts of all buckets; buckets with several parts also come first, as slots.
 */
template <class O>
static __global__ void __launch_bounds__(PLAN_THREADS) parts_kernel(transposition<O> t) {
    const int each = (t.buckets + PLAN_THREADS - 1) / PLAN_THREADS;
    const int low = FRI_MIN((int)threadIdx.x * each, t.buckets),
              high = FRI_MIN(low + each, t.buckets);
    unsigned long long edges = 0, all;
    int parts = 0, slots = 0, all_parts, all_slots;
    for (int b = low; b < high; b++) {
        int of = (int)FRI_MAX((t.totals[b] + PART - 1u) / PART, 1u);
        edges += t.totals[b];
        parts += of == 1;
        slots += of > 1 ? of : 0;
    }
    edges = fri_block_prefix<unsigned long long>(edges, &all);
    parts = fri_block_prefix<int>(parts, &all_parts);
    slots = fri_block_prefix<int>(slots, &all_slots);
    for (int b = low; b < high; b++) {
        int of = (int)FRI_MAX((t.totals[b] + PART - 1u) / PART, 1u);
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
/* A warp's chunk of a bucket: it starts `skip` edges after the beginning of a tile. */
struct edge_chunk {
    int32_t tile, skip, count;
};

/* The bucket's edges in a tile: their first index in `sorted`, the tile's first row. */
template <class O> struct run {
    O edge;
    int32_t row;
    int length;
};
} // namespace

template <class O>
static __device__ __forceinline__ run<O> run_of(const transposition<O> &t, int32_t bucket,
                                                int32_t tile) {
    if (tile >= t.end)
        return {0, 0, 0};
    const uint16_t *at = t.begins + (int64_t)bucket * t.tiles + tile;
    const corner c = t.corners[tile];
    return {(O)(c.edge + at[0]), c.row, at[t.tiles] - at[0]};
}

/* All threads: the chunk of each warp among the edges of its part in tiles from `first` on. sums:
 * one word per warp. */
template <class O>
static __device__ edge_chunk chunk_of(const transposition<O> &t, const part &p, int32_t first,
                                      unsigned *sums) {
    const int warps = (int)blockDim.x / FRI_WARP;
    const int per = (t.end - first + warps - 1) / warps, low = first + fri_warp() * per;
    unsigned sum = 0, all;
    FRI_UNROLL
    for (int i = low + fri_lane(); i < low + per; i += FRI_WARP)
        sum += (unsigned)run_of(t, p.bucket, i).length;
    fri_warp_prefix<unsigned>(sum, &all);
    if (fri_lane() == 0)
        sums[fri_warp()] = all;
    __syncthreads(); /* all sums are written */
    const unsigned before =
        fri_warp_prefix<unsigned>(fri_lane() < warps ? sums[fri_lane()] : 0, &all);
    const int64_t share = all / (uint32_t)p.of + 1;
    const int64_t begin = FRI_MIN(share * p.index, (int64_t)all);
    const int64_t end = FRI_MIN(begin + share, (int64_t)all);
    const int64_t each = (uint32_t)(end - begin) / (uint32_t)warps + 1;
    const int64_t from = FRI_MIN(begin + each * fri_warp(), end), to = FRI_MIN(from + each, end);
    const int w = __popc(__ballot_sync(FRI_FULL_MASK, fri_lane() < warps && before <= from)) - 1;
    __syncthreads(); /* all have read the sums, which may be reused */
    return {first + w * per, (int32_t)(from - __shfl_sync(FRI_FULL_MASK, before, w)),
            (int32_t)(to - from)};
}

/* Whole warp: cuts each lane's run to the chunk, which continues after these runs. */
template <class O> static __device__ __forceinline__ void cut(run<O> *r, edge_chunk *s) {
    int total;
    const int before = fri_warp_prefix<int>(r->length, &total);
    const int from = FRI_MIN(FRI_MAX(s->skip - before, 0), r->length);
    const int to = FRI_MIN(FRI_MAX(s->skip + s->count - before, 0), r->length);
    *r = {r->edge + (O)from, r->row, to - from};
    s->count -= FRI_MIN(FRI_MAX(total - s->skip, 0), s->count);
    s->skip = FRI_MAX(s->skip - total, 0);
}

/* Whole warp: calls each(target in the bucket, source) for every edge of its chunk. All lanes
 * process a long run together; groups of lanes process several short runs at once. */
template <class O, class F>
static __device__ __forceinline__ void walk(const transposition<O> &t, int32_t bucket, edge_chunk s,
                                            F each) {
    const uint32_t mask = (1u << t.shift) - 1;
    const auto visit = [&](uint32_t word, int32_t row) {
        each(word & mask, row + (int32_t)(word >> t.shift));
    };
    const auto from_lane = [](const run<O> &r, int lane) -> run<O> {
        return {__shfl_sync(FRI_FULL_MASK, r.edge, lane), __shfl_sync(FRI_FULL_MASK, r.row, lane),
                __shfl_sync(FRI_FULL_MASK, r.length, lane)};
    };
    int32_t tile = s.tile + fri_lane();
    run<O> next = run_of(t, bucket, tile);
    while (s.count > 0) {
        run<O> mine = next;
        /* prefetched while the current runs are processed */
        next = run_of(t, bucket, tile += FRI_WARP);
        cut(&mine, &s);
        unsigned far = __ballot_sync(FRI_FULL_MASK, mine.length > LONG_RUN);
        for (; far; far &= far - 1) {
            const run<O> r = from_lane(mine, __ffs((int)far) - 1);
            for (int i = fri_lane(); i < r.length; i += IN_FLIGHT * FRI_WARP) {
                uint32_t word[IN_FLIGHT];
                FRI_UNROLL
                for (int k = 0; k < IN_FLIGHT; k++)
                    word[k] = t.sorted[r.edge + (O)FRI_MIN(i + k * FRI_WARP, r.length - 1)];
                FRI_UNROLL
                for (int k = 0; k < IN_FLIGHT; k++)
                    if (i + k * FRI_WARP < r.length)
                        visit(word[k], r.row);
            }
        }
        if (mine.length > LONG_RUN)
            mine.length = 0;
        if (!__any_sync(FRI_FULL_MASK, mine.length > 0))
            continue;
        FRI_ROLLED
        for (int of = fri_lane() / GROUP; of < FRI_WARP; of += RUNS * (FRI_WARP / GROUP)) {
            run<O> r[RUNS];
            int max_length = 0;
            FRI_UNROLL
            for (int j = 0; j < RUNS; j++) {
                r[j] = from_lane(mine, of + j * (FRI_WARP / GROUP));
                max_length = FRI_MAX(max_length, r[j].length);
            }
            for (int i = fri_lane() % GROUP; i < max_length; i += STEPS * GROUP) {
                uint32_t word[RUNS][STEPS];
                FRI_UNROLL
                for (int j = 0; j < RUNS * STEPS; j++) {
                    const int at = i + j % STEPS * GROUP;
                    word[j / STEPS][j % STEPS] =
                        at < r[j / STEPS].length ? t.sorted[r[j / STEPS].edge + (O)at] : 0;
                }
                FRI_UNROLL
                for (int j = 0; j < RUNS * STEPS; j++)
                    if (i + j % STEPS * GROUP < r[j / STEPS].length)
                        visit(word[j / STEPS][j % STEPS], r[j / STEPS].row);
            }
            __syncwarp(); /* groups reconverge: shuffles follow */
        }
    }
}

/* All threads: counts the edges of each of rows low .. low + t.pass - 1 in the chunks; `more`: adds
 * to the counts in offsets. Ends with a barrier. */
template <class O>
static __device__ __forceinline__ void count_rows(const transposition<O> &t, int32_t bucket,
                                                  edge_chunk s, int low, bool more,
                                                  uint32_t *counts) {
    for (int r = (int)threadIdx.x; r < t.pass; r += (int)blockDim.x) {
        const int64_t v = ((int64_t)bucket << t.shift) + low + r;
        counts[r] = more && v < t.n ? (uint32_t)t.offsets[v] : 0;
    }
    __syncthreads(); /* all counts are initialized */
    walk(t, bucket, s, [&](uint32_t v, int32_t) {
        if (v - (uint32_t)low < (uint32_t)t.pass)
            atomicAdd(&counts[v - (uint32_t)low], 1u); /* other threads add to the same row */
    });
    __syncthreads(); /* all edges are counted */
}

/* One block per bucket that has one part so far: counts the edges of each row in tiles sorted since
 * the previous such launch, while later edges are being uploaded. */
template <class O>
static __global__ void __launch_bounds__(BUCKET_THREADS) count_early_kernel(transposition<O> t) {
    FRI_SHARED(unsigned, sums, FRI_WARP);
    FRI_SHARED_DYNAMIC(uint32_t, counts);
    const part p = {(int32_t)blockIdx.x, 0, 1, 0, 0};
    if (t.totals[p.bucket] > PART)
        return;
    const edge_chunk s = chunk_of(t, p, t.counted, sums);
    for (int low = 0; low < 1 << t.shift; low += t.pass) {
        count_rows(t, p.bucket, s, low, t.counted > 0, counts);
        for (int r = (int)threadIdx.x; r < t.pass; r += (int)blockDim.x) {
            const int64_t v = ((int64_t)p.bucket << t.shift) + low + r;
            if (v < t.n)
                t.offsets[v] = (O)counts[r];
        }
    }
}

/* One block per slot: counts the edges of each row in that part. */
template <class O>
static __global__ void __launch_bounds__(BUCKET_THREADS) count_kernel(transposition<O> t) {
    FRI_SHARED(unsigned, sums, FRI_WARP);
    FRI_SHARED_DYNAMIC(uint32_t, counts);
    if ((int)blockIdx.x >= t.part_count[1])
        return;
    const part p = t.parts[blockIdx.x];
    const edge_chunk s = chunk_of(t, p, 0, sums);
    for (int low = 0; low < 1 << t.shift; low += t.pass) {
        count_rows(t, p.bucket, s, low, false, counts);
        for (int r = (int)threadIdx.x; r < t.pass; r += (int)blockDim.x)
            t.part_rows[((int64_t)blockIdx.x << t.shift) + low + r] = counts[r];
    }
}

/* All threads: for each of rows low .. low + t.pass - 1, the position of its first edge in the part
 * relative to the bucket's first edge; the counts are of the only part or from part_rows. `done`
 * edges are in the rows before; returns the same for the rows after these. */
template <class O>
static __device__ unsigned place_rows(const transposition<O> &t, const part &p, uint32_t *counts,
                                      int low, unsigned done) {
    const int each = (t.pass + (int)blockDim.x - 1) / (int)blockDim.x;
    const int from = FRI_MIN((int)threadIdx.x * each, t.pass), to = FRI_MIN(from + each, t.pass);
    const uint32_t *part_rows = t.part_rows + ((int64_t)p.slot << t.shift) + low;
    unsigned sum = 0, all;
    for (int r = from; r < to; r++) {
        unsigned before = 0, whole = p.of == 1 ? counts[r] : 0;
        for (int i = 0; p.of > 1 && i < p.of; i++) {
            const unsigned its = part_rows[((int64_t)i << t.shift) + r];
            before += i < p.index ? its : 0;
            whole += its;
        }
        counts[r] = sum + before;
        sum += whole;
    }
    const unsigned at = done + fri_block_prefix<unsigned>(sum, &all);
    for (int r = from; r < to; r++) {
        const int64_t v = ((int64_t)p.bucket << t.shift) + low + r;
        counts[r] += at;
        if (p.index == 0 && v < t.n)
            t.offsets[v] = (O)(p.base + counts[r]);
    }
    return done + all;
}

/* One block per part. */
template <class O>
static __global__ void __launch_bounds__(BUCKET_THREADS) rows_kernel(transposition<O> t) {
    FRI_SHARED(unsigned, sums, FRI_WARP);
    FRI_SHARED_DYNAMIC(uint32_t, places);
    if ((int)blockIdx.x >= t.part_count[0])
        return;
    const part p = t.parts[blockIdx.x];
    int32_t *to = t.sources + p.base, *stage = (int32_t *)places + t.pass;
    const edge_chunk s = chunk_of(t, p, 0, sums), rest = chunk_of(t, p, t.counted, sums);
    unsigned done = 0;
    for (int low = 0; low < 1 << t.shift; low += t.pass) {
        const unsigned first = done;
        if (p.of == 1)
            count_rows(t, p.bucket, rest, low, t.counted > 0, places);
        done = place_rows(t, p, places, low, done);
        __syncthreads(); /* all positions are known */
        const bool staged = p.of == 1 && done - first <= (unsigned)t.stage;
        walk(t, p.bucket, s, [&](uint32_t v, int32_t u) {
            if (v - (uint32_t)low >= (uint32_t)t.pass)
                return;
            /* atomic: reserves this edge's position */
            const unsigned at = atomicAdd(&places[v - (uint32_t)low], 1u);
            if (staged)
                stage[at - first] = u;
            else
                to[at] = u;
        });
        /* all are in place; the next pass writes the stage only after its own barriers */
        __syncthreads();
        if (!staged)
            continue;
        FRI_UNROLL
        for (unsigned i = threadIdx.x; i < done - first; i += blockDim.x)
            to[first + i] = stage[i];
    }
}

#endif
