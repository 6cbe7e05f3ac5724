/* Bottom-up levels of `auto`, on bitmaps, and the ways between a frontier's forms. */
#ifndef FRI_AUTO_PULL_CUH
#define FRI_AUTO_PULL_CUH

#include "cuda/bfs/auto_queue.cuh"

/* In-edges that a lane looks at before other lanes help; edges read at once; lanes that help. */
enum { ALONE = 16, QUAD = 4, HAND = 8, HANDS = FRI_WARP / HAND };

namespace {
/* What a warp knows of its words; the same shared memory as a bundle. */
struct sheaf {
    uint32_t open[FRI_WARP];  /* bits of vertices to be found */
    int before[FRI_WARP];     /* such vertices of the words before */
    uint32_t found[FRI_WARP]; /* bits */
    uint32_t gone[FRI_WARP];  /* bits of those without in-edges */
};
static_assert(sizeof(sheaf) <= sizeof(bundle), "a sheaf lies in a bundle's place");
} // namespace

/* The place of the nth set bit, from 0; the word has so many. */
static __device__ __forceinline__ int nth_bit(uint32_t word, int nth) {
    int at = 0;
    FRI_UNROLL
    for (int step = FRI_WARP / 2; step; step /= 2) {
        int low = __popc(word & ((1u << step) - 1));
        if (nth >= low) {
            nth -= low;
            at += step;
            word >>= step;
        }
    }
    return at;
}

/* The aligned four targets that hold in-edge e, in one read. */
template <class O> static __device__ __forceinline__ int4 read_four(const world<O> &w, O e) {
    const int64_t base = (int64_t)(e & ~(O)(QUAD - 1));
    const int32_t *at = w.in.targets + base;
    if (base + QUAD <= w.m)
        return *(const int4 *)at;
    return {at[0], base + 1 < w.m ? at[1] : 0, base + 2 < w.m ? at[2] : 0, 0}; /* the last */
}

/* Of edges [e, end) within those four: one that comes from the frontier, or -1. */
template <class O>
static __device__ __forceinline__ int32_t test_four(const world<O> &w, const uint32_t *front,
                                                    int4 four, O e, O end, tally<O> *mine) {
    const O base = e & ~(O)(QUAD - 1);
    const int32_t u[QUAD] = {four.x, four.y, four.z, four.w};
    int32_t hit = -1;
    bool in[QUAD];
    FRI_UNROLL
    for (int j = 0; j < QUAD; j++)
        in[j] = base + (O)j >= e && base + (O)j < end && has_bit(front, u[j]);
    mine->examined += (edge_sum<O>)(end - e);
    FRI_COUNT(w.out, FR_COUNT_EDGES, end - e);
    FRI_UNROLL
    for (int j = 0; j < QUAD; j++)
        hit = in[j] ? u[j] : hit;
    return hit;
}

/* A lane looks at up to ALONE edges [at, end) of AT_ONCE vertices, those with no u yet, four of
 * each at a time, until one comes from the frontier: that is u. `at` moves on. */
template <class O>
static __device__ __forceinline__ void look_alone(const world<O> &w, const uint32_t *front, O *at,
                                                  const O *end, int32_t *u, tally<O> *mine) {
    O near[AT_ONCE];
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        near[j] = u[j] >= 0 ? at[j] : end[j] - at[j] > ALONE ? at[j] + ALONE : end[j];
    for (;;) {
        int4 four[AT_ONCE];
        bool on[AT_ONCE], any = false;
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            any |= on[j] = u[j] < 0 && at[j] < near[j];
            four[j] = on[j] ? read_four(w, at[j]) : int4{0, 0, 0, 0};
        }
        if (!any)
            return;
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            O stop = FRI_MIN((O)((at[j] & ~(O)(QUAD - 1)) + QUAD), near[j]);
            if (!on[j])
                continue;
            u[j] = test_four(w, front, four[j], at[j], stop, mine);
            at[j] = stop;
        }
    }
}

/* Whole warp: `hand` lanes, neighbours, look at edges [e, end), the same in them, QUAD each at
 * once; all of them get the in-neighbour found, or -1. Hands may have nothing to do. */
template <class O>
static __device__ __forceinline__ int32_t look_together(const world<O> &w, const uint32_t *front,
                                                        O e, O end, int hand, tally<O> *mine) {
    int32_t hit = -1;
    int first = fri_lane() / hand * hand;
    unsigned hands = FRI_FULL >> (FRI_WARP - hand);
    O base = e & ~(O)(QUAD - 1);
    for (; __any_sync(FRI_FULL, hit < 0 && base < end); base += (O)(hand * QUAD)) {
        O from = FRI_MAX(e, (O)(base + (O)((fri_lane() - first) * QUAD)));
        O to = FRI_MIN((O)((from & ~(O)(QUAD - 1)) + QUAD), end);
        int32_t mine_hit = -1;
        if (hit < 0 && from < to)
            mine_hit = test_four(w, front, read_four(w, from), from, to, mine);
        unsigned hits = __ballot_sync(FRI_FULL, mine_hit >= 0) >> first & hands;
        int32_t one = __shfl_sync(FRI_FULL, mine_hit, first + (hits ? __ffs((int)hits) - 1 : 0));
        hit = hits ? one : hit;
    }
    return hit;
}

/* Whole warp: the lanes of `rest` have looked in vain until *at; HANDS of them at a time get HAND
 * lanes each, for up to w.probe edges. Their in-neighbour, or -1; *at moves on. */
template <class O>
static __device__ int32_t help(const world<O> &w, const uint32_t *front, unsigned rest, O *at,
                               O end, tally<O> *mine) {
    int32_t hit = -1;
    while (rest) {
        unsigned later = rest;
        int rank = __popc(rest & ((1u << fri_lane()) - 1));
        for (int i = 0; i < fri_lane() / HAND; i++)
            later &= later - 1;
        int whose = later ? __ffs((int)later) - 1 : 0;
        O from = __shfl_sync(FRI_FULL, *at, whose), to = __shfl_sync(FRI_FULL, end, whose);
        to = !later ? from : to - from > (O)w.probe ? from + (O)w.probe : to;
        int32_t found = look_together(w, front, from, to, HAND, mine);
        found = __shfl_sync(FRI_FULL, found, rank % HANDS * HAND);
        to = __shfl_sync(FRI_FULL, to, rank % HANDS * HAND);
        if (rest >> fri_lane() & 1 && rank < HANDS) {
            hit = found;
            *at = to;
        }
        for (int i = 0; i < HANDS; i++)
            rest &= rest - 1;
    }
    return hit;
}

template <class O>
static __device__ __forceinline__ void found_by_pull(const world<O> &w, int32_t v, int32_t u,
                                                     tally<O> *mine) {
    if (w.parent)
        w.parent[v] = u;
    mine->vertices++;
    mine->edges += (edge_sum<O>)(w.out.offsets[v + 1] - w.out.offsets[v]);
}

/* Whole warp: lanes' vertices v (-1: none) with in-edges [at, end) and the in-neighbour u in the
 * frontier, or -1. A vertex with many edges left is put off: `late` gets them as spans. */
template <class O>
static __device__ __forceinline__ void pull_one(const world<O> &w, int32_t depth, int32_t v,
                                                int32_t u, O at, O end, sheaf *words, int32_t first,
                                                int32_t *late, tally<O> *mine) {
    const uint32_t *front = w.front[depth & 1];
    unsigned rest = __ballot_sync(FRI_FULL, u < 0 && at < end);
    if (rest) {
        int32_t found = help(w, front, rest, &at, end, mine);
        u = u < 0 ? found : u;
        if (__any_sync(FRI_FULL, u < 0 && at < end))
            append_wide(w.queue[depth & 1], late, v, (int64_t)at, u < 0 ? (int64_t)(end - at) : 0);
    }
    if (u < 0)
        return;
    atomicOr(&words->found[v / FRI_WARP - first], 1u << (v % FRI_WARP)); /* lanes share the word */
    w.level[v] = depth + 1;
    found_by_pull(w, v, u, mine);
}

/* Whole warp: vertices `from` .. `from` + AT_ONCE * 32 of the `total` that its words, `first` and
 * those behind, have to be found. The first reads of all are on their way at once. */
template <class O>
static __device__ __forceinline__ void pull_some(const world<O> &w, int32_t depth, sheaf *words,
                                                 int32_t first, int from, int total, int32_t *late,
                                                 tally<O> *mine) {
    int32_t v[AT_ONCE], u[AT_ONCE];
    O at[AT_ONCE], end[AT_ONCE];
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        int nth = from + j * FRI_WARP + fri_lane();
        int word = fri_owner(words->before, FRI_WARP, nth);
        v[j] = -1;
        if (nth < total)
            v[j] =
                (first + word) * FRI_WARP + nth_bit(words->open[word], nth - words->before[word]);
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        at[j] = v[j] >= 0 ? w.in.offsets[v[j]] : 0;
        end[j] = v[j] >= 0 ? w.in.offsets[v[j] + 1] : 0;
        u[j] = v[j] >= 0 && w.heads ? w.heads[v[j]] : -1;
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        if (v[j] >= 0 && at[j] == end[j]) /* nobody will find it; lanes share the word */
            atomicOr(&words->gone[v[j] / FRI_WARP - first], 1u << (v[j] % FRI_WARP));
        mine->examined += u[j] >= 0;
        FRI_COUNT(w.out, FR_COUNT_EDGES, u[j] >= 0);
        u[j] = u[j] >= 0 && has_bit(w.front[depth & 1], u[j]) ? u[j] : -1;
    }
    look_alone(w, w.front[depth & 1], at, end, u, mine);
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        if (from + j * FRI_WARP < total)
            pull_one(w, depth, v[j], u[j], at[j], end[j], words, first, late, mine);
}

/* The team: one level from bitmap to bitmap. Each warp has words of its own and takes their open
 * vertices, however thin they are sown, 32 at a time. */
template <class O>
static __device__ void pull(const world<O> &w, int32_t depth, slot *next_slot, bundle *b,
                            tally<O> *mine) {
    sheaf *words = (sheaf *)b;
    uint32_t *next = w.front[(depth + 1) & 1];
    int32_t *late = &next_slot->late;
    const int all = words_of(w.n), each = (all + team_warps() - 1) / team_warps();
    const int share = FRI_MIN(each, FRI_WARP);
    for (int32_t first = team_warp() * share; first < all; first += team_warps() * share) {
        int32_t word = first + fri_lane();
        bool own = fri_lane() < share && word < all;
        uint32_t open = own ? ~w.visited[word] : 0;
        int total, before = fri_warp_sum(__popc(open), &total);
        words->open[fri_lane()] = open;
        words->before[fri_lane()] = before;
        words->found[fri_lane()] = words->gone[fri_lane()] = 0;
        __syncwarp(); /* the sheaf is written */
        for (int from = 0; from < total; from += AT_ONCE * FRI_WARP)
            pull_some(w, depth, words, first, from, total, late, mine);
        __syncwarp(); /* what was found is there */
        if (own) {
            uint32_t found = words->found[fri_lane()], gone = found | words->gone[fri_lane()];
            next[word] = found;
            if (gone)
                w.visited[word] = ~open | gone;
        }
        __syncwarp(); /* and read */
    }
}

/* The team, after a barrier: the spans that were put off. */
template <class O>
static __device__ void pull_late(const world<O> &w, int32_t depth, int32_t count, tally<O> *mine) {
    const uint32_t *front = w.front[depth & 1];
    uint32_t *next = w.front[(depth + 1) & 1];
    for (int32_t i = team_warp(); i < count; i += team_warps()) {
        span s = w.queue[depth & 1][i];
        int32_t level = fri_racy_load(&w.level[s.v]); /* another span of it may be faster */
        if (__any_sync(FRI_FULL, level >= 0))
            continue;
        O begin = (O)s.begin;
        int32_t u = look_together(w, front, begin, (O)(begin + (O)s.count), FRI_WARP, mine);
        if (u < 0 || fri_lane() != 0 ||
            atomicCAS(&w.level[s.v], -1, depth + 1) >= 0) /* spans of one vertex race */
            continue;
        found_by_pull(w, s.v, u, mine);
        uint32_t bit = 1u << (s.v % FRI_WARP); /* the words are shared now */
        atomicOr(&next[s.v / FRI_WARP], bit);
        atomicOr(&w.visited[s.v / FRI_WARP], bit);
    }
}

/* The team: this level's bitmap from the levels, four words a warp at once. */
template <class O> static __device__ void to_bitmap(const world<O> &w, int32_t depth) {
    uint32_t *front = w.front[depth & 1];
    const int32_t all = words_of(w.n);
    for (int64_t first = team_warp() * QUAD; first < all; first += team_warps() * QUAD) {
        int32_t level[QUAD];
        uint32_t word = 0;
        FRI_UNROLL
        for (int j = 0; j < QUAD; j++) {
            int64_t v = (first + j) * FRI_WARP + fri_lane();
            level[j] = v < w.n ? w.level[v] : -1;
        }
        FRI_UNROLL
        for (int j = 0; j < QUAD; j++) {
            uint32_t now = __ballot_sync(FRI_FULL, level[j] == depth);
            word = fri_lane() == j ? now : word;
        }
        if (fri_lane() < QUAD && first + fri_lane() < all)
            front[first + fri_lane()] = word;
    }
}

/* The team: the queue of this level from its bitmap. */
template <class O>
static __device__ void to_queue(const world<O> &w, int32_t depth, slot *now, bundle *b) {
    const uint32_t *front = w.front[depth & 1];
    outlet out = {b, &now->entries, depth, 0};
    for (int32_t word = team_warp(); word < words_of(w.n); word += AT_ONCE * team_warps()) {
        O begin[AT_ONCE], degree[AT_ONCE];
        int32_t v[AT_ONCE];
        bool any = false;
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            int32_t at = word + j * team_warps();
            bool in = at < words_of(w.n) && (front[at] >> fri_lane() & 1);
            v[j] = at * FRI_WARP + fri_lane();
            begin[j] = in ? w.out.offsets[v[j]] : 0;
            degree[j] = in ? w.out.offsets[v[j] + 1] - begin[j] : 0;
            any |= degree[j] > 0;
        }
        if (__any_sync(FRI_FULL, any))
            enqueue(w, v, begin, degree, &out);
    }
    settle(w, tally<O>{0, 0, 0}, &out, now); /* they were counted when they were found */
}

#endif
