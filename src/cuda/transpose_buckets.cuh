/* Exchanging rows and columns, second step: buckets of sorted tiles into rows.
 *
 * A bucket's edges, from tile to tile, are in order of their sources; the block that has it deals
 * them out to its warps in neighbouring stretches of one length, counts rows, and puts the sources
 * in their places. Of a bucket of many edges several blocks have a part each: what comes before a
 * part was counted by a launch before.
 */
#ifndef FRI_TRANSPOSE_BUCKETS_CUH
#define FRI_TRANSPOSE_BUCKETS_CUH

#include "cuda/transpose_tiles.cuh"

#ifdef FRI_SIMT
static const int BUCKET_WARPS = 4;
#else
static const int BUCKET_WARPS = 16;
#endif
static const int BUCKET_THREADS = BUCKET_WARPS * FRI_WARP, PLAN_THREADS = 1024;

namespace {
/* Of `of` parts of a bucket one; slot: of part_rows, for the bucket's first part, where there are
 * several. */
struct part {
    int32_t bucket, index, of, slot;
    int64_t base; /* the bucket's first edge in the result */
};
} // namespace

/* One block: the parts of all buckets, those of several parts also in front, as slots. */
template <class O>
static __global__ void __launch_bounds__(PLAN_THREADS) parts_kernel(turning<O> t) {
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
    edges = fri_block_sum<unsigned long long>(edges, &all);
    parts = fri_block_sum<int>(parts, &all_parts);
    slots = fri_block_sum<int>(slots, &all_slots);
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
/* A warp's stretch of a bucket: from so many edges after the beginning of a tile. */
struct stretch {
    int32_t tile, skip, count;
};
} // namespace

/* Edges of the bucket in a tile, and where there they begin. */
template <class O>
static __device__ __forceinline__ int run_of(const turning<O> &t, int32_t bucket, int32_t tile,
                                             int *begin) {
    const uint16_t *at = t.begins + (int64_t)bucket * t.tiles + tile;
    *begin = tile < t.tiles ? at[0] : 0;
    return tile < t.tiles ? at[t.tiles] - *begin : 0;
}

/* All threads: which edges of its part's each warp has. sums: a word a warp. */
template <class O>
static __device__ stretch stretch_of(const turning<O> &t, const part &p, int *sums) {
    const int per = (t.tiles + BUCKET_WARPS - 1) / BUCKET_WARPS, low = fri_warp() * per;
    int sum = 0, begin, total;
    for (int i = low + fri_lane(); i < low + per; i += FRI_WARP)
        sum += run_of(t, p.bucket, i, &begin);
    fri_warp_sum<int>(sum, &total);
    if (fri_lane() == 0)
        sums[fri_warp()] = total;
    __syncthreads(); /* all sums are there */
    const long long all = t.totals[p.bucket], warps = (long long)p.of * BUCKET_WARPS;
    const long long me = (long long)p.index * BUCKET_WARPS + fri_warp();
    const int from = (int)(all * me / warps), to = (int)(all * (me + 1) / warps);
    int w = 0, skip = from;
    while (w < BUCKET_WARPS - 1 && skip >= sums[w])
        skip -= sums[w++];
    return {w * per, skip, to - from};
}

/* Whole warp: calls each(in, target, source) with arrays of AHEAD, lane by lane in order. */
template <class O, class F>
static __device__ __forceinline__ void walk(const turning<O> &t, int32_t bucket, stretch s,
                                            F each) {
    const uint32_t mask = (1u << t.shift) - 1;
    for (int32_t tile = s.tile + fri_lane(); s.count > 0; tile += FRI_WARP) {
        int begin, total, length = run_of(t, bucket, tile, &begin);
        int before = fri_warp_sum<int>(length, &total);
        const int end = FRI_MIN(total, s.skip + s.count);
        if (s.skip >= total) {
            s.skip -= total;
            continue;
        }
        const corner c = t.corners[FRI_MIN(tile, t.tiles)];
        const O edge = (O)(c.edge + begin - before);
        const auto read = [&](int from, uint32_t(&word)[AHEAD], int32_t(&row)[AHEAD]) {
            int x[AHEAD], owner[AHEAD];
            FRI_UNROLL
            for (int k = 0; k < AHEAD; k++)
                x[k] = FRI_MIN(from + k * FRI_WARP + fri_lane(), end - 1);
            lanes_upto(before + length, x, owner);
            FRI_UNROLL
            for (int k = 0; k < AHEAD; k++) {
                word[k] = t.sorted[__shfl_sync(FRI_FULL, edge, owner[k]) + (O)x[k]];
                row[k] = __shfl_sync(FRI_FULL, c.row, owner[k]);
            }
        };
        uint32_t word[AHEAD], ahead[AHEAD], v[AHEAD];
        int32_t row[AHEAD], ahead_row[AHEAD], u[AHEAD];
        bool in[AHEAD];
        read(s.skip, word, row);
        for (int i = s.skip; i < end; i += AHEAD * FRI_WARP) {
            if (i + AHEAD * FRI_WARP < end) /* on their way while these are dealt with */
                read(i + AHEAD * FRI_WARP, ahead, ahead_row);
            FRI_UNROLL
            for (int k = 0; k < AHEAD; k++) {
                in[k] = i + k * FRI_WARP + fri_lane() < end;
                u[k] = row[k] + (int32_t)(word[k] >> t.shift);
                v[k] = word[k] & mask;
            }
            each(in, v, u);
            FRI_UNROLL
            for (int k = 0; k < AHEAD; k++) {
                word[k] = ahead[k];
                row[k] = ahead_row[k];
            }
        }
        s.count -= end - s.skip;
        s.skip = 0;
    }
}

/* A block a slot: edges of each row in that part. */
template <class O>
static __global__ void __launch_bounds__(BUCKET_THREADS) count_kernel(turning<O> t) {
    FRI_SHARED(int, sums, BUCKET_WARPS);
    FRI_SHARED_DYNAMIC(uint32_t, counts);
    const int rows = t.pass;
    if ((int)blockIdx.x >= t.part_count[1])
        return;
    const part p = t.parts[blockIdx.x];
    const stretch s = stretch_of(t, p, sums);
    for (int low = 0; low < 1 << t.shift; low += rows) {
        for (int r = (int)threadIdx.x; r < rows; r += BUCKET_THREADS)
            counts[r] = 0;
        __syncthreads(); /* all are zero */
        walk(t, p.bucket, s, [&](const bool *in, const uint32_t *v, const int32_t *) {
            FRI_UNROLL
            for (int k = 0; k < AHEAD; k++)
                if (in[k] && v[k] - (uint32_t)low < (uint32_t)rows)
                    atomicAdd(&counts[v[k] - (uint32_t)low], 1u); /* other threads too */
        });
        __syncthreads(); /* all are counted */
        for (int r = (int)threadIdx.x; r < rows; r += BUCKET_THREADS)
            t.part_rows[((int64_t)blockIdx.x << t.shift) + low + r] = counts[r];
        __syncthreads(); /* read before they are zeroed */
    }
}

/* All threads: from the warps' counts of rows low .. low + rows - 1 how many of each come before
 * the warp's in this part; `starts` of rows in the bucket, of this part's edges. `done` edges are
 * in rows before; the same after these. */
template <class O>
static __device__ unsigned place_rows(const turning<O> &t, const part &p, uint32_t *words,
                                      uint32_t *starts, int low, int rows, unsigned done) {
    const int stride = rows / 2;
    for (int i = (int)threadIdx.x; i < stride; i += BUCKET_THREADS) {
        uint32_t sum = 0;
        for (int w = 0; w < BUCKET_WARPS; w++) { /* no half overflows: a part is small */
            uint32_t mine = words[w * stride + i];
            words[w * stride + i] = sum;
            sum += mine;
        }
        starts[2 * i] = sum & 0xffff;
        starts[2 * i + 1] = sum >> 16;
    }
    __syncthreads(); /* all rows of the part are summed */
    const int each = (rows + BUCKET_THREADS - 1) / BUCKET_THREADS;
    const int from = FRI_MIN((int)threadIdx.x * each, rows), to = FRI_MIN(from + each, rows);
    unsigned sum = 0, all;
    const uint32_t *part_rows = t.part_rows + ((int64_t)p.slot << t.shift) + low;
    for (int r = from; r < to; r++) {
        unsigned whole = starts[r];
        if (p.of > 1) {
            whole = 0;
            for (int i = 0; i < p.of; i++)
                whole += part_rows[((int64_t)i << t.shift) + r];
        }
        sum += whole;
    }
    unsigned at = done + fri_block_sum<unsigned>(sum, &all);
    for (int r = from; r < to; r++) {
        unsigned whole = starts[r], mine = 0;
        if (p.of > 1) {
            whole = 0;
            for (int i = 0; i < p.of; i++) {
                mine += i < p.index ? part_rows[((int64_t)i << t.shift) + r] : 0;
                whole += part_rows[((int64_t)i << t.shift) + r];
            }
        }
        const int64_t v = ((int64_t)p.bucket << t.shift) + low + r;
        if (p.index == 0 && v < t.n)
            t.offsets[v] = (O)(p.base + at);
        starts[r] = at + mine;
        at += whole;
    }
    return done + all;
}

static size_t bucket_bytes(int pass) {
    return sizeof(uint32_t) * ((size_t)pass / 2 * BUCKET_WARPS + (size_t)pass);
}

/* A block a part. */
template <class O>
static __global__ void __launch_bounds__(BUCKET_THREADS, 2) rows_kernel(turning<O> t) {
    FRI_SHARED(int, sums, BUCKET_WARPS);
    FRI_SHARED_DYNAMIC(uint32_t, room);
    const int rows = t.pass, stride = rows / 2;
    if ((int)blockIdx.x >= t.part_count[0])
        return;
    const part p = t.parts[blockIdx.x];
    uint32_t *words = room + fri_warp() * stride, *starts = room + BUCKET_WARPS * stride;
    int32_t *to = t.sources + p.base;
    const stretch s = stretch_of(t, p, sums);
    unsigned done = 0;
    for (int low = 0; low < 1 << t.shift; low += rows) {
        for (int i = (int)threadIdx.x; i < BUCKET_WARPS * stride; i += BUCKET_THREADS)
            room[i] = 0;
        __syncthreads(); /* all counts are zero */
        walk(t, p.bucket, s, [&](const bool *in, const uint32_t *v, const int32_t *) {
            FRI_UNROLL
            for (int k = 0; k < AHEAD; k++)
                if (in[k] && v[k] - (uint32_t)low < (uint32_t)rows)
                    tally_one(words, v[k] - (uint32_t)low);
        });
        __syncthreads(); /* all are counted */
        done = place_rows(t, p, room, starts, low, rows, done);
        __syncthreads(); /* all places are known */
        walk(t, p.bucket, s, [&](const bool *in, const uint32_t *v, const int32_t *u) {
            uint32_t row[AHEAD];
            bool here[AHEAD];
            int before[AHEAD];
            FRI_UNROLL
            for (int k = 0; k < AHEAD; k++) {
                here[k] = in[k] && v[k] - (uint32_t)low < (uint32_t)rows;
                row[k] = here[k] ? v[k] - (uint32_t)low : 0;
            }
            take_turns(words, row, here, before);
            FRI_UNROLL
            for (int k = 0; k < AHEAD; k++)
                if (here[k])
                    to[starts[row[k]] + (unsigned)before[k]] = u[k];
        });
        __syncthreads(); /* the counts are through with */
    }
}

#endif
