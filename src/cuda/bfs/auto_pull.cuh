/* Bottom-up levels of `auto`, on bitmaps, and the ways between bitmap and queue. */
#ifndef FRI_AUTO_PULL_CUH
#define FRI_AUTO_PULL_CUH

#include "cuda/bfs/auto_push.cuh"

/* In-edges that a lane looks at before the warp helps; that the warp looks at before all help. */
enum { ALONE = 16, TOGETHER = 1024 };

static __device__ __forceinline__ bool has_bit(const uint32_t *map, int32_t v) {
    return map[v / FRI_WARP] >> (v % FRI_WARP) & 1;
}

/* A lane looks at edges [e, end), AT_ONCE at a time, until one comes from the frontier: its index,
 * or end. */
template <class O>
static __device__ __forceinline__ O first_hit(const world<O> &w, const uint32_t *front, O e, O end,
                                              tally *mine) {
    for (; e < end; e += AT_ONCE) {
        int32_t u[AT_ONCE];
        bool hit[AT_ONCE];
        int many = (int)FRI_MIN(end - e, (O)AT_ONCE);
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++)
            u[j] = w.in.targets[j < many ? e + (O)j : e];
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++)
            hit[j] = has_bit(front, u[j]);
        mine->examined += (unsigned)many;
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++)
            if (hit[j] && j < many)
                return e + (O)j;
    }
    return end;
}

/* Whole warp: the same for one vertex, 32 edges at a time. */
template <class O>
static __device__ O first_hit_together(const world<O> &w, const uint32_t *front, O e, O end,
                                       tally *mine) {
    for (; e < end; e += FRI_WARP) {
        O at = e + (O)fri_lane();
        bool hit = at < end && has_bit(front, w.in.targets[at]);
        mine->examined += at < end;
        unsigned hits = __ballot_sync(FRI_FULL, hit);
        if (hits)
            return e + (O)(__ffs((int)hits) - 1);
    }
    return end;
}

template <class O>
static __device__ __forceinline__ void found_by_pull(const world<O> &w, int32_t v, O edge,
                                                     tally *mine) {
    if (w.parent)
        w.parent[v] = w.in.targets[edge];
    mine->vertices++;
    mine->edges += (unsigned long long)(w.out.offsets[v + 1] - w.out.offsets[v]);
}

/* Whole warp: lanes whose vertex has looked at ALONE edges in vain; where each stopped. */
template <class O>
static __device__ O help(const world<O> &w, const uint32_t *front, unsigned rest, O at, O end,
                         tally *mine) {
    for (; rest; rest &= rest - 1) {
        int lane = __ffs((int)rest) - 1;
        O from = __shfl_sync(FRI_FULL, at, lane), to = __shfl_sync(FRI_FULL, end, lane);
        O hit = first_hit_together(w, front, from, FRI_MIN(to, (O)(from + TOGETHER)), mine);
        if (fri_lane() == lane)
            at = hit;
    }
    return at;
}

/* Whole warp: the 32 vertices of a word; the bits of those found. A vertex with many edges left is
 * put off: `late` gets the rest of them as spans. */
template <class O>
static __device__ uint32_t pull_word(const world<O> &w, int32_t depth, const uint32_t *front,
                                     int32_t word, uint32_t seen, const outlet &late, tally *mine) {
    int32_t v = word * FRI_WARP + fri_lane();
    unsigned long long before = mine->examined;
    bool on = v < w.n && !(seen >> fri_lane() & 1);
    O begin = on ? w.in.offsets[v] : 0, end = on ? w.in.offsets[v + 1] : 0;
    O near = end - begin > ALONE ? begin + ALONE : end;
    O at = first_hit(w, front, begin, near, mine);
    unsigned rest = __ballot_sync(FRI_FULL, at == near && near < end);
    O limit = rest >> fri_lane() & 1 ? FRI_MIN(end, (O)(near + TOGETHER)) : near;
    at = help(w, front, rest, at, end, mine);
    bool found = at < limit;
    int64_t left = on && !found ? (int64_t)(end - at) : 0;
    if (__any_sync(FRI_FULL, left > 0))
        append_wide(late, v, (int64_t)at, left);
    FRI_COUNT(w.out, FR_COUNT_EDGES, mine->examined - before);
    if (found) {
        w.level[v] = depth + 1;
        found_by_pull(w, v, at, mine);
    }
    return __ballot_sync(FRI_FULL, found);
}

/* The team: one level from bitmap to bitmap. Each word belongs to one warp, so no atomics. */
template <class O>
static __device__ void pull(const world<O> &w, int32_t depth, slot *next_slot, bundle *b,
                            tally *mine) {
    const uint32_t *front = w.front[depth & 1];
    uint32_t *next = w.front[(depth + 1) & 1];
    outlet late = outlet_of(w, depth, &next_slot->late, b);
    for (int32_t word = team_warp(); word < words_of(w.n); word += team_warps()) {
        uint32_t seen = w.visited[word];
        uint32_t found = ~seen ? pull_word(w, depth, front, word, seen, late, mine) : 0;
        __syncwarp(); /* the word is read by all lanes */
        if (fri_lane() == 0) {
            next[word] = found;
            w.visited[word] = seen | found;
        }
    }
}

/* The team, after a barrier: the spans that were put off. */
template <class O>
static __device__ void pull_late(const world<O> &w, int32_t depth, int32_t count, tally *mine) {
    const uint32_t *front = w.front[depth & 1];
    uint32_t *next = w.front[(depth + 1) & 1];
    for (int32_t i = team_warp(); i < count; i += team_warps()) {
        span s = w.queue[depth & 1][i];
        unsigned long long before = mine->examined;
        if (fri_racy_load(&w.level[s.v]) >= 0) /* another span of it was faster */
            continue;
        O begin = (O)s.begin, end = begin + (O)s.count;
        O at = first_hit_together(w, front, begin, end, mine);
        FRI_COUNT(w.out, FR_COUNT_EDGES, mine->examined - before);
        if (at == end || fri_lane() != 0 ||
            atomicCAS(&w.level[s.v], -1, depth + 1) >= 0) /* spans of one vertex race */
            continue;
        found_by_pull(w, s.v, at, mine);
        uint32_t bit = 1u << (s.v % FRI_WARP); /* the words are shared now */
        atomicOr(&next[s.v / FRI_WARP], bit);
        atomicOr(&w.visited[s.v / FRI_WARP], bit);
    }
}

/* The team: bitmaps from the levels. */
template <class O> static __device__ void to_bitmap(const world<O> &w, int32_t depth) {
    uint32_t *front = w.front[depth & 1];
    for (int32_t word = team_warp(); word < words_of(w.n); word += team_warps()) {
        int32_t v = word * FRI_WARP + fri_lane(), level = v < w.n ? w.level[v] : 0;
        uint32_t seen = __ballot_sync(FRI_FULL, level >= 0);
        uint32_t now = __ballot_sync(FRI_FULL, v < w.n && level == depth);
        if (fri_lane() == 0) {
            w.visited[word] = seen;
            front[word] = now;
        }
    }
}

/* The team: the queue of this level from its bitmap. */
template <class O>
static __device__ void to_queue(const world<O> &w, int32_t depth, slot *now, bundle *b) {
    const uint32_t *front = w.front[depth & 1];
    outlet out = outlet_of(w, depth, &now->entries, b);
    tally unused = {0, 0, 0}; /* they were counted when they were found */
    for (int32_t word = team_warp(); word < words_of(w.n); word += AT_ONCE * team_warps()) {
        bool is_in[AT_ONCE];
        int32_t v[AT_ONCE];
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            int32_t at = word + j * team_warps();
            is_in[j] = at < words_of(w.n) && (front[at] >> fri_lane() & 1);
            v[j] = at * FRI_WARP + fri_lane();
        }
        enqueue(w, is_in, v, &out, &unused);
    }
    flush(&out);
}

#endif
