/* The ways between a frontier's forms, and what a pull or a launch's end owes to level and parent.
 */
#ifndef FRI_AUTO_FORMS_CUH
#define FRI_AUTO_FORMS_CUH

#include "cuda/bfs/auto_queue.cuh"

/* Words of a bitmap whose vertices a warp takes at once; whose degrees it sums up at once. */
enum { WORDS = 4, SUMS = 6 };

/* The team: this level's bitmap from the levels, four words a warp at once. */
template <class O> static __device__ void to_bitmap(const world<O> &w, int32_t depth) {
    uint32_t *front = w.front[depth & 1];
    const int32_t all = words_of(w.n);
    for (int64_t first = team_warp() * WORDS; first < all; first += team_warps() * WORDS) {
        int32_t level[WORDS];
        uint32_t word = 0;
        FRI_UNROLL
        for (int j = 0; j < WORDS; j++) {
            int64_t v = (first + j) * FRI_WARP + fri_lane();
            level[j] = v < w.n ? w.level[v] : -1;
        }
        FRI_UNROLL
        for (int j = 0; j < WORDS; j++) {
            uint32_t now = __ballot_sync(FRI_FULL, level[j] == depth);
            word = fri_lane() == j ? now : word;
        }
        if (fri_lane() < WORDS && first + fri_lane() < all)
            front[first + fri_lane()] = word;
    }
}

/* The team: no bit in this level's bitmap. */
template <class O> static __device__ void clear_bitmap(const world<O> &w, int32_t depth) {
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < words_of(w.n); i += all)
        w.front[depth & 1][i] = 0;
}

/* The team: this level's bitmap, so far without a bit, from its queue; who is not queued is
 * nobody's parent. */
template <class O>
static __device__ void mark_queue(const world<O> &w, int32_t depth, int32_t entries) {
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < entries; i += all) {
        const int32_t v = w.queue[depth & 1][i].v;
        atomicOr(&w.front[depth & 1][v / FRI_WARP], 1u << (v % FRI_WARP)); /* words are shared */
    }
}

/* What a warp's words still have to be told; lane i has word i's. */
struct debt {
    uint32_t found, owed, blank; /* bits: of the next level, of this one, of none */
};

/* Bits of a word whose vertices have neither level nor parent written while arrays are blank. */
template <class O>
static __device__ __forceinline__ uint32_t blank_bits(const world<O> &w, int32_t word,
                                                      uint32_t open) {
    const int32_t source = w.source;
    uint32_t bits = open | (w.closed ? w.closed[word] : 0);
    if ((word + 1) * (int64_t)FRI_WARP > w.n)
        bits &= FRI_FULL >> (FRI_WARP - w.n % FRI_WARP);
    return source / FRI_WARP == word ? bits & ~(1u << (source % FRI_WARP)) : bits;
}

/* Whole warp: edges that leave what is found in words `first` and behind, and what is owed. */
template <class O>
static __device__ __forceinline__ void sum_degrees(const world<O> &w, int32_t first, const debt &d,
                                                   tally<O> *mine) {
    unsigned live = __ballot_sync(FRI_FULL, (d.found | d.owed) != 0);
    while (live) {
        O begin[SUMS], end[SUMS];
        bool found[SUMS];
        FRI_UNROLL
        for (int j = 0; j < SUMS; j++) {
            const int at = live ? __ffs((int)live) - 1 : 0;
            const uint32_t mask = live ? 1u << fri_lane() : 0;
            found[j] = __shfl_sync(FRI_FULL, d.found, at) & mask;
            const bool owed = __shfl_sync(FRI_FULL, d.owed, at) & mask, on = found[j] || owed;
            const int32_t v = (first + at) * FRI_WARP + fri_lane();
            begin[j] = on ? w.out.offsets[v] : 0;
            end[j] = on ? w.out.offsets[v + 1] : 0;
            live &= live - 1;
        }
        FRI_UNROLL
        for (int j = 0; j < SUMS; j++) {
            mine->edges += found[j] ? (edge_sum<O>)(end[j] - begin[j]) : 0;
            mine->behind += found[j] ? 0 : (edge_sum<O>)(end[j] - begin[j]);
        }
    }
}

/* Whole warp: levels of words `first` and behind, each line at once; parents of what is not found;
 * sums, apart, so that no store waits for an offset. */
template <class O>
static __device__ __forceinline__ void pay(const world<O> &w, int32_t depth, int32_t first,
                                           const debt &d, tally<O> *mine) {
    unsigned live = __ballot_sync(FRI_FULL, (d.found | d.owed | d.blank) != 0);
    while (live) {
        FRI_UNROLL
        for (int j = 0; j < WORDS; j++) {
            const int at = live ? __ffs((int)live) - 1 : 0;
            const uint32_t mask = live ? 1u << fri_lane() : 0;
            const bool found = __shfl_sync(FRI_FULL, d.found, at) & mask;
            const bool owed = __shfl_sync(FRI_FULL, d.owed, at) & mask;
            const bool blank = (__shfl_sync(FRI_FULL, d.blank, at) & mask) && !found;
            const int32_t v = (first + at) * FRI_WARP + fri_lane();
            if (found || owed || blank)
                w.level[v] = found ? depth + 1 : owed ? depth : -1;
            if (blank && w.parent)
                w.parent[v] = -1;
            live &= live - 1;
        }
    }
    mine->vertices += __popc(d.found);
    sum_degrees(w, first, d, mine);
}

/* Whole warp: vertices of words `first` and behind, lane i has word i's bits, into a queue. */
template <class O>
static __device__ __forceinline__ void queue_bits(const world<O> &w, int32_t first, uint32_t bits,
                                                  outlet<O> *out) {
    unsigned live = __ballot_sync(FRI_FULL, bits != 0);
    while (live) {
        O begin[AT_ONCE], degree[AT_ONCE];
        int32_t v[AT_ONCE];
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            int at = live ? __ffs((int)live) - 1 : 0;
            bool in = live && __shfl_sync(FRI_FULL, bits, at) >> fri_lane() & 1;
            v[j] = (first + at) * FRI_WARP + fri_lane();
            begin[j] = in ? w.out.offsets[v[j]] : 0;
            degree[j] = in ? w.out.offsets[v[j] + 1] - begin[j] : 0;
            live &= live - 1;
        }
        enqueue(w, v, begin, degree, least_edges(w, out->depth), out);
    }
}

/* The team: the queue of this level from its bitmap; words without a bit cost next to nothing. If
 * the frontier owes its levels and edges, these too. */
template <class O>
static __device__ void to_queue(const world<O> &w, int32_t depth, bool owed, slot *now,
                                bundle<O> *b, tally<O> *mine) {
    const uint32_t *front = w.front[depth & 1];
    const int all = words_of(w.n), each = (all + team_warps() - 1) / team_warps();
    const int share = FRI_MIN(each, FRI_WARP);
    outlet<O> out = {b, &now->entries, depth, 0};
    for (int32_t first = team_warp() * share; first < all; first += team_warps() * share) {
        bool own = fri_lane() < share && first + fri_lane() < all;
        uint32_t word = own ? front[first + fri_lane()] : 0;
        if (owed)
            pay(w, depth, first, {0, word, 0}, mine);
        queue_bits(w, first, word, &out);
    }
    settle(w, tally<O>{0, 0, 0}, &out, now); /* they were counted when they were found */
}

/* The team, at the end of a launch: levels that are owed, and -1 for what was not found, if the
 * arrays are blank. */
template <class O>
static __device__ void pay_all(const world<O> &w, int32_t depth, bool owed, bool blank, slot *now) {
    const int32_t all = words_of(w.n);
    const uint32_t *front = w.front[depth & 1];
    outlet<O> none = {nullptr, nullptr, depth, 0};
    tally<O> mine = {0, 0, 0};
    for (int32_t first = team_warp() * FRI_WARP; first < all; first += team_warps() * FRI_WARP) {
        const int32_t word = first + fri_lane();
        const uint32_t open = word < all ? ~w.visited[word] : 0;
        const debt d = {0, owed && word < all ? front[word] : 0,
                        blank && word < all ? blank_bits(w, word, open) : 0};
        pay(w, depth, first, d, &mine);
    }
    mine.edges = mine.behind;
    mine.behind = 0;
    settle(w, mine, &none, now);
}

#endif
