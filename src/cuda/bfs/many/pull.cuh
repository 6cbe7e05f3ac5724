/* A level bottom-up: open vertices gather the frontiers of their in-neighbors. */
#ifndef FRI_CUDA_BFS_MANY_PULL_CUH
#define FRI_CUDA_BFS_MANY_PULL_CUH

#include "cuda/bfs/many/settle.cuh"

/* What a group of lanes looks for, and has found: a part of it. */
template <int W> struct fri_many_search { fri_many_part<W> wanted, gained; };

/* Of a lane: its part of the edges that its group gathers next; -1: none. */
template <int W> struct fri_many_edges { int32_t target[fri_many_shape<W>::EACH]; };

/* The EDGES edges from `at` on of a row of `count`. */
template <int W>
static __device__ __forceinline__ fri_many_edges<W> fri_many_edges_at(const int32_t *row, int at,
                                                                      int count) {
    typedef fri_many_shape<W> shape;
    fri_many_edges<W> edges;
    FRI_UNROLL
    for (int i = 0; i < shape::EACH; i++) {
        const int e = at + i * shape::LANES + fri_lane() % shape::LANES;
        edges.target[i] = e < count ? row[e] : -1;
    }
    return edges;
}

/* Whether this lane's part of what its group looks for is incomplete. */
template <int W>
static __device__ __forceinline__ bool fri_many_lacks(const fri_many_search<W> &s) {
    fri_many_part<W> missing;
    FRI_UNROLL
    for (int i = 0; i < fri_many_shape<W>::WORDS; i++)
        missing.word[i] = s.wanted.word[i] & ~s.gained.word[i];
    return fri_many_any<W>(missing);
}

/* Whole warp: each group gathers its edges, each lane those words of which bits are missing. */
template <int W>
static __device__ __forceinline__ void fri_many_gather(const fri_many_level &level,
                                                       fri_many_edges<W> edges,
                                                       fri_many_search<W> *s, unsigned *examined) {
    typedef fri_many_shape<W> shape;
    const int leader = fri_lane() / shape::LANES * shape::LANES;
    const bool lacks = fri_many_lacks<W>(*s);
    fri_many_part<W> x[FRI_MANY_IN_FLIGHT];
    FRI_UNROLL
    for (int i = 0; i < shape::EACH; i++) {
        const int32_t u = edges.target[i];
        *examined += u >= 0;
        if (level.tests && u >= 0 && !fri_many_bit(level.active, u))
            edges.target[i] = -1;
    }
    FRI_UNROLL
    for (int first = 0; first < shape::EDGES; first += FRI_MANY_IN_FLIGHT) {
        FRI_UNROLL
        for (int k = 0; k < FRI_MANY_IN_FLIGHT; k++) {
            const int edge = first + k;
            int32_t u = edges.target[edge / shape::LANES];
            if (shape::LANES > 1)
                u = __shfl_sync(FRI_FULL_MASK, u, leader + edge % shape::LANES);
            x[k] = fri_many_part<W>{};
            if (u >= 0 && lacks)
                x[k] = fri_many_load<W>(level.from, u);
        }
        FRI_UNROLL
        for (int k = 0; k < FRI_MANY_IN_FLIGHT; k++)
            FRI_UNROLL
        for (int i = 0; i < shape::WORDS; i++)
            s->gained.word[i] |= x[k].word[i];
    }
    FRI_UNROLL
    for (int i = 0; i < shape::WORDS; i++) {
        s->gained.word[i] &= s->wanted.word[i];
    }
}

/* Whole warp: all groups gather one row until no bit is missing; all have the result. */
template <int W>
static __device__ __forceinline__ void
fri_many_gather_row(const fri_many_level &level, const int32_t *row, int count,
                    fri_many_search<W> *s, unsigned *examined) {
    typedef fri_many_shape<W> shape;
    int at = fri_lane() / shape::LANES * shape::EDGES, done = 0;
    fri_many_edges<W> next = fri_many_edges_at<W>(row, at, count);
    FRI_ROLLED
    for (; done < count && __any_sync(FRI_FULL_MASK, fri_many_lacks<W>(*s));
         done += shape::GROUPS * shape::EDGES) {
        const fri_many_edges<W> now = next;
        at += shape::GROUPS * shape::EDGES;
        next = fri_many_edges_at<W>(row, at, count); /* in flight while `now` is gathered */
        fri_many_gather<W>(level, now, s, examined);
        FRI_UNROLL
        for (int i = 0; i < shape::WORDS; i++)
            for (int d = shape::LANES; d < FRI_WARP; d *= 2)
                s->gained.word[i] |= __shfl_xor_sync(FRI_FULL_MASK, s->gained.word[i], d);
    }
}

/* All threads of the grid: the chunks of long rows. Their vertices' bits of `next` get what is found. */
template <int W, class O>
static __device__ __forceinline__ void
fri_many_pull_chunks(const fri_many<O> &p, const fri_many_level &level, fri_many_thread *mine) {
    typedef fri_many_shape<W> shape;
    fri_many_each_chunk(p, 1, p.open, [&](const fri_edge_chunk &c) {
        fri_many_search<W> s = {};
        const int64_t at =
            (int64_t)c.v * W + fri_lane() % shape::LANES * shape::WORDS; /* this lane's words */
        s.wanted = fri_many_missing<W>(level, fri_many_load<W>(p.seen, c.v));
        FRI_UNROLL
        for (int i = 0; i < shape::WORDS; i++) /* racy: what other warps have found so far */
            s.wanted.word[i] &= ~fri_racy_load(&level.next[at + i]);
        fri_many_gather_row<W>(level, p.in.targets + c.begin, c.count, &s, &mine->examined);
        FRI_UNROLL
        for (int i = 0; i < shape::WORDS; i++)
            if (fri_lane() < shape::LANES && s.gained.word[i]) {
                FRI_COUNT(p.in, FR_COUNTER_ATOMICS, 1);
                atomicOr(&level.next[at + i], s.gained.word[i]); /* of other chunks, too */
            }
    });
}

/* Of a lane: the row of its vertex. */
struct fri_many_row {
    int32_t v, count; /* -1: none; edges to gather: none of those in chunks */
    const int32_t *targets;
};

/* Whole warp: v has been searched by this lane's group. */
template <int W, class O>
static __device__ __forceinline__ void
fri_many_pulled(const fri_many<O> &p, const fri_many_level &level, fri_bits *tile, int32_t v,
                int slot, const fri_many_part<W> &seen, const fri_many_part<W> &gained) {
    if (v >= 0 && fri_many_any<W>(gained))
        fri_many_store<W>(level.next, v, gained);
    fri_many_finish<W>(level, p.seen, tile, v, slot, seen, gained);
}

/* Whole warp: a row after the other, by all groups. `rows`: the lanes whose rows are meant. */
template <int W, class O>
static __device__ __forceinline__ void
fri_many_pull_long(const fri_many<O> &p, const fri_many_level &level, fri_bits *tile,
                   const fri_many_row &row, unsigned rows, fri_many_thread *mine) {
    FRI_ROLLED
    for (; rows; rows &= rows - 1) {
        const int slot = __ffs((int)rows) - 1;
        const int32_t v = __shfl_sync(FRI_FULL_MASK, row.v, slot);
        const int count = __shfl_sync(FRI_FULL_MASK, row.count, slot);
        const int64_t begin = __shfl_sync(FRI_FULL_MASK, row.targets - p.in.targets, slot);
        const fri_many_part<W> seen = fri_many_load<W>(p.seen, v);
        fri_many_search<W> s = {fri_many_missing<W>(level, seen), {}};
        fri_many_gather_row<W>(level, p.in.targets + begin, count, &s, &mine->examined);
        fri_many_pulled<W>(p, level, tile, fri_lane() < fri_many_shape<W>::LANES ? v : -1, slot,
                           seen, s.gained);
    }
}

/* Whole warp: a row per group; a group that has finished takes the next one. `chunked`: of `rows`, those
 * whose bits are in `next` already. */
template <int W, class O>
static __device__ __forceinline__ void
fri_many_pull_short(const fri_many<O> &p, const fri_many_level &level, fri_bits *tile,
                    const fri_many_row &row, unsigned rows, unsigned chunked,
                    fri_many_thread *mine) {
    typedef fri_many_shape<W> shape;
    const int leader = fri_lane() / shape::LANES * shape::LANES;
    int slot = 0, at = 0, count = 0;
    int32_t v = -1;
    int64_t begin = 0;
    fri_many_part<W> seen = {};
    fri_many_search<W> s = {};
    fri_many_edges<W> next_edges = {};
    /* each turn a group takes a row or the next edges of its own, so turns end with the rows */
    FRI_ROLLED
    for (;;) {
        const bool idle = !fri_many_group_any<W>(at < count && fri_many_lacks<W>(s));
        const unsigned idles = __ballot_sync(FRI_FULL_MASK, idle);
        const bool ended = __any_sync(FRI_FULL_MASK, idle && v >= 0);
        if (ended)
            fri_many_pulled<W>(p, level, tile, idle ? v : -1, slot, seen, s.gained);
        if (idles == FRI_FULL_MASK && !rows)
            return;
        if (ended || (idles && rows)) {
            const int some = __popc(idles) / shape::LANES, left = __popc(rows);
            const int nth = __popc(idles & ((1u << leader) - 1)) / shape::LANES;
            const int next = nth < left ? fri_nth_bit(rows, nth) : 0;
            const int32_t next_v = __shfl_sync(FRI_FULL_MASK, row.v, next);
            const int next_count = __shfl_sync(FRI_FULL_MASK, row.count, next);
            const int64_t next_begin = __shfl_sync(FRI_FULL_MASK, row.targets - p.in.targets, next);
            rows = some < left ? rows & FRI_FULL_MASK << fri_nth_bit(rows, some) : 0;
            if (idle) {
                slot = next;
                v = nth < left ? next_v : -1;
                count = nth < left ? next_count : 0;
                begin = next_begin;
                at = 0;
                next_edges = fri_many_edges_at<W>(p.in.targets + begin, 0, count);
                s = {};
                if (v >= 0) {
                    seen = fri_many_load<W>(p.seen, v);
                    s.wanted = fri_many_missing<W>(level, seen);
                    if (chunked >> slot & 1)
                        s.gained = fri_many_load<W>(level.next, v);
                }
            }
        }
        const fri_many_edges<W> now = next_edges;
        at += shape::EDGES;
        next_edges = fri_many_edges_at<W>(p.in.targets + begin, at, count);
        fri_many_gather<W>(level, now, &s, &mine->examined);
    }
}

/* All threads of the grid. Chunks come first, and a barrier. */
template <int W, class O, class C>
static __device__ __forceinline__ void fri_many_pull(const fri_many<O> &p,
                                                     const fri_many_level &level, const C &consumer,
                                                     fri_many_thread *mine) {
    fri_bits *tile = fri_many_tile<W>();
    fri_many_each(p.open, p.n, FRI_MANY_TURNS, [&](int32_t v) {
        const O begin = v >= 0 ? p.in.offsets[v] : 0, end = v >= 0 ? p.in.offsets[v + 1] : 0;
        const bool chunked = end - begin > (O)p.chunk;
        const fri_many_row row = {v, chunked ? 0 : (int32_t)(end - begin), p.in.targets + begin};
        const unsigned longs = __ballot_sync(FRI_FULL_MASK, row.count > FRI_MANY_LONG_ROW),
                       some = __ballot_sync(FRI_FULL_MASK, v >= 0),
                       hubs = __ballot_sync(FRI_FULL_MASK, chunked);
        fri_many_pull_long<W>(p, level, tile, row, longs, mine);
        fri_many_pull_short<W>(p, level, tile, row, some & ~longs, hubs, mine);
        fri_many_settle<W>(p, level, consumer, tile, v, level.depth + 1, mine);
    });
}

#endif
