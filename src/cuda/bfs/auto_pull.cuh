/* Bottom-up levels of `auto`, on bitmaps, and the ways between bitmap and queue. */
#ifndef FRI_AUTO_PULL_CUH
#define FRI_AUTO_PULL_CUH

#include "cuda/bfs/auto_push.cuh"

enum { ALONE = 16 }; /* in-edges that a lane looks at before the warp helps */

static __device__ __forceinline__ bool has_bit(const uint32_t *map, int32_t v) {
    return map[v / FRI_WARP] >> (v % FRI_WARP) & 1;
}

/* A lane looks at edges [e, end) until one comes from the frontier: its index, or end. */
template <class O>
static __device__ __forceinline__ O first_hit(const world<O> &w, const uint32_t *front, O e, O end,
                                              bool on, tally *mine) {
    for (; on && e < end; e++) {
        mine->examined++;
        if (has_bit(front, w.in.targets[e]))
            break;
    }
    return e;
}

/* Whole warp: what `from`'s lane began is gone on with by all lanes; the index, or end. */
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

/* Whole warp: the 32 vertices of a word; the bits of those found. */
template <class O>
static __device__ uint32_t pull_word(const world<O> &w, const uint32_t *front, int32_t word,
                                     uint32_t seen, tally *mine) {
    int32_t v = word * FRI_WARP + fri_lane();
    unsigned long long before = mine->examined;
    bool on = v < w.n && !(seen >> fri_lane() & 1);
    O begin = on ? w.in.offsets[v] : 0, end = on ? w.in.offsets[v + 1] : 0;
    O near = end - begin > ALONE ? begin + ALONE : end;
    O at = first_hit(w, front, begin, near, on, mine);
    unsigned rest = __ballot_sync(FRI_FULL, on && at == near && near < end);
    for (; rest; rest &= rest - 1) {
        int lane = __ffs((int)rest) - 1;
        O hit = first_hit_together(w, front, (O)__shfl_sync(FRI_FULL, at, lane),
                                   (O)__shfl_sync(FRI_FULL, end, lane), mine);
        if (fri_lane() == lane)
            at = hit;
    }
    bool found = on && at < end;
    FRI_COUNT(w.out, FR_COUNT_EDGES, mine->examined - before);
    if (found) {
        w.level[v] = w.depth + 1;
        if (w.parent)
            w.parent[v] = w.in.targets[at];
        mine->vertices++;
        mine->edges += (unsigned long long)(w.symmetric ? end - begin
                                                        : w.out.offsets[v + 1] - w.out.offsets[v]);
    }
    return __ballot_sync(FRI_FULL, found);
}

/* The team: one level from bitmap to bitmap. Each word belongs to one warp, so no atomics. */
template <class O> static __device__ void pull(const world<O> &w, tally *mine) {
    const uint32_t *front = w.front[w.depth & 1];
    uint32_t *next = w.front[(w.depth + 1) & 1];
    for (int32_t word = team_warp(); word < words_of(w.n); word += team_warps()) {
        uint32_t seen = w.visited[word];
        uint32_t found = ~seen ? pull_word(w, front, word, seen, mine) : 0;
        __syncwarp(); /* the word is read by all lanes */
        if (fri_lane() == 0) {
            next[word] = found;
            w.visited[word] = seen | found;
        }
    }
}

/* The team: bitmaps from the levels. */
template <class O> static __device__ void to_bitmap(const world<O> &w) {
    uint32_t *front = w.front[w.depth & 1];
    for (int32_t word = team_warp(); word < words_of(w.n); word += team_warps()) {
        int32_t v = word * FRI_WARP + fri_lane(), level = v < w.n ? w.level[v] : 0;
        uint32_t seen = __ballot_sync(FRI_FULL, level >= 0);
        uint32_t now = __ballot_sync(FRI_FULL, v < w.n && level == w.depth);
        if (fri_lane() == 0) {
            w.visited[word] = seen;
            front[word] = now;
        }
    }
}

/* The team: the queue of this level from its bitmap. */
template <class O> static __device__ void to_queue(const world<O> &w, slot *now) {
    const uint32_t *front = w.front[w.depth & 1];
    tally unused = {0, 0, 0}; /* they were counted when they were found */
    for (int32_t word = team_warp(); word < words_of(w.n); word += team_warps())
        enqueue(w, front[word] >> fri_lane() & 1, word * FRI_WARP + fri_lane(), w.least,
                w.queue[w.depth & 1], &now->entries, &unused);
}

#endif
