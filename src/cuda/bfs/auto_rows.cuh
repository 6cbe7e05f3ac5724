/* Thin levels of `auto` from rows: in a graph of few edges per vertex each vertex has a row of its
 * first targets, made once, four or eight, and a frontier's entry is such a row. Who claims a
 * vertex lets its row come into shared memory and does not wait: it is there when the barrier
 * between levels is through. So a level is a chain of claim, place and barrier. The edge back to
 * where a vertex was found from is left out; one of more targets than a row has is walked.
 */
#ifndef FRI_AUTO_ROWS_CUH
#define FRI_AUTO_ROWS_CUH

#include "cuda/bfs/auto_cell.cuh"

static const int WIDEST_ROW = 64, NONE = -1, MORE = -2;

/* A thread a quarter or half of a row: four of the vertex's targets, then NONE; MORE throughout, if
 * it has more than the row. */
template <class O>
static __global__ void rows_kernel(fri_rows<O> out, int32_t n, int bits, int4 *rows) {
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int32_t v = (int32_t)(i >> (bits - 2));
    if (v >= n)
        return;
    const O begin = out.offsets[v], end = out.offsets[v + 1];
    const O e = begin + (O)(4 * (i & ((1 << (bits - 2)) - 1)));
    if (end - begin > (O)(1 << bits))
        rows[i] = {MORE, MORE, MORE, MORE};
    else
        rows[i] = {e < end ? out.targets[e] : NONE, e + 1 < end ? out.targets[e + 1] : NONE,
                   e + 2 < end ? out.targets[e + 2] : NONE,
                   e + 3 < end ? out.targets[e + 3] : NONE};
}

/* Any thread: where the row of v begins. */
template <class O>
static __device__ __forceinline__ const int4 *row_of(const world<O> &w, int32_t v) {
    return (const int4 *)((const char *)w.rows + (uint64_t)(uint32_t)v * (4u << w.row_bits));
}

namespace {
/* What a level of rows writes to. */
struct sink {
    rack to;
    int32_t depth, turn; /* of the level that is walked; of the next one's counters */
    bool spread;         /* finds go to the block that they hash to */
    int32_t keep;        /* of a crew: finds from here on are for others, too */
};
} // namespace

/* Of a crew: where a block's entry stands for others to take. */
template <class O>
static __device__ __forceinline__ parcel *parcel_at(const world<O> &w, int32_t depth, int block,
                                                    int32_t at) {
    return &w.parcels[((int64_t)(depth & 1) * gridDim.x + block) * w.room + at];
}

/* Any thread: v is its own, found from u: an entry of the next frontier, whose block does the rest
 * (settle_rows). What finds no room is missed when the entries are summed up. */
template <class O, class C>
static __device__ __forceinline__ void win(const world<O> &w, const C &d, const sink &out,
                                           int32_t v, int32_t u) {
    const unsigned rank = out.spread ? home_of(d, v) : d.rank;
    const int32_t at = out.spread ? reserve_near(d, rank, out.turn)
                                  : atomicAdd(&d.counts[out.turn].entries, 1); /* the block's */
    FRI_COUNT(w.out, FR_COUNT_ENQUEUES, 1);
    if (at < w.room)
        *(out.spread ? fri_cluster_at(&out.to.who[at], rank) : &out.to.who[at]) = {v, u};
    else
        note(w, v, u, out.depth + 1);
}

/* Threads first of `step` of a block: level, parent and row of the entries that it has of that
 * depth. Rows are on their way then. */
template <class O, class C>
static __device__ __forceinline__ void settle_rows(const world<O> &w, const C &d, int turn,
                                                   int32_t depth, int32_t keep, int32_t first,
                                                   int32_t step) {
    const rack to = rack_of(w, d, depth);
    const int32_t count = FRI_MIN(d.counts[turn].entries, w.room), quads = w.row_bits - 2;
    for (int32_t i = first; i < count << quads; i += step) /* neighbours bring a row together */
        fri_copy_async((int4 *)to.targets + i,
                       row_of(w, to.who[i >> quads].v) + (i & ((1 << quads) - 1)));
    for (int32_t i = first; i < count; i += step) {
        const tie it = to.who[i];
        if (C::is_crew && i >= keep) {
            parcel *one = parcel_at(w, depth, (int)blockIdx.x, i);
            const uint64_t mark = (uint64_t)(w.serial + (uint32_t)depth) << 32;
            fri_racy_store(&one->v, mark | (uint32_t)it.v); /* racy: who helps waits for both */
            fri_racy_store(&one->from, mark | (uint32_t)it.from);
        }
        if (it.from >= 0) /* found in this launch */
            note(w, it.v, it.from, depth);
    }
}

/* Any thread: every 1 << row_bits-th edge of it.v from edge `first` on. */
template <class O, class C>
static __device__ __forceinline__ unsigned walk(const world<O> &w, const C &d, const sink &out,
                                                tie it, int first) {
    const O begin = w.out.offsets[it.v], end = w.out.offsets[it.v + 1];
    unsigned looked = 0;
    FRI_ROLLED
    for (O e = begin + (O)first; e < end; e += (O)(1 << w.row_bits)) {
        const int32_t v = w.out.targets[e];
        looked++;
        FRI_COUNT(w.out, FR_COUNT_EDGES, 1);
        if (v == it.from || tried(d, v))
            continue;
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, 1);
        if (is_first(v, try_bit(w, d, v)))
            win(w, d, out, v, it.v);
    }
    return looked;
}

/* Any thread: targets v of its rows, LOOKS at once; those that are vertices, counted. */
template <class O, class C>
static __device__ __forceinline__ unsigned
try_targets(const world<O> &w, const C &d, const sink &out, const int32_t *v, const tie *it) {
    bool open[C::LOOKS];
    uint32_t answer[C::LOOKS];
    unsigned looked = 0;
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++) {
        const bool on = v[j] >= 0 && v[j] != it[j].from;
        open[j] = on && !tried(d, v[j]);
    }
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++) {
        answer[j] = open[j] ? try_bit(w, d, v[j]) : 0;
        if (!C::is_crew && open[j]) /* its barrier is shorter than a read of memory */
            fri_prefetch(row_of(w, v[j]));
        looked += v[j] >= 0;
        FRI_COUNT(w.out, FR_COUNT_EDGES, v[j] >= 0);
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, open[j]);
    }
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++)
        if (open[j] && is_first(v[j], answer[j]))
            win(w, d, out, v[j], it[j].v);
    return looked;
}

/* Any thread: bit j if target j stands for many. */
template <class C> static __device__ __forceinline__ unsigned many_of(const int32_t *v) {
    unsigned many = 0;
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++)
        many |= (unsigned)(v[j] == MORE) << j;
    return many;
}

#endif
