/* Bottom-up levels of `auto`, on bitmaps, and the ways between a frontier's forms. */
#ifndef FRI_AUTO_PULL_CUH
#define FRI_AUTO_PULL_CUH

#include "cuda/bfs/auto_push.cuh"

/* In-edges read at once; looked at before the rest is put off; words of a sheaf read at once. */
enum { QUAD = 4, ALONE = 32, WORDS = 4, SHEAF = 24 };

namespace {
/* What a warp knows of its words; the block's in the same shared memory as its shelf. */
struct alignas(8) sheaf {
    uint32_t open[SHEAF];  /* bits of vertices to be found */
    int before[SHEAF];     /* such vertices of the words before */
    uint32_t found[SHEAF]; /* bits */
};
static_assert(sizeof(shelf<int64_t>) <= MOST_THREADS / FRI_WARP * sizeof(sheaf), "its place");

/* Targets read at once. */
struct few {
    int32_t u[QUAD];
};
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

/* The aligned QUAD targets that hold in-edge e, in one read. */
template <class O> static __device__ __forceinline__ few read_few(const world<O> &w, O e) {
    const int64_t base = (int64_t)(e & ~(O)(QUAD - 1));
    const int32_t *at = w.in.targets + base;
    few f;
    if (base + QUAD <= w.m) {
        int4 four = *(const int4 *)at;
        return {{four.x, four.y, four.z, four.w}};
    }
    FRI_UNROLL
    for (int j = 0; j < QUAD; j++) /* the last */
        f.u[j] = base + j < w.m ? at[j] : 0;
    return f;
}

/* Of edges [e, end) within those: one that comes from the frontier, or -1. */
template <class O>
static __device__ __forceinline__ int32_t test_few(const world<O> &w, const uint32_t *front,
                                                   const few &f, O e, O end, tally<O> *mine) {
    const O base = e & ~(O)(QUAD - 1);
    int32_t hit = -1;
    bool in[QUAD];
    FRI_UNROLL
    for (int j = 0; j < QUAD; j++)
        in[j] = base + (O)j >= e && base + (O)j < end && has_bit(front, f.u[j]);
    mine->examined += (edge_sum<O>)(end - e);
    FRI_COUNT(w.out, FR_COUNT_EDGES, end - e);
    FRI_UNROLL
    for (int j = 0; j < QUAD; j++)
        hit = in[j] ? f.u[j] : hit;
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
        few some[AT_ONCE];
        bool on[AT_ONCE], any = false;
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            any |= on[j] = u[j] < 0 && at[j] < near[j];
            some[j] = on[j] ? read_few(w, at[j]) : few{};
        }
        if (!any)
            return;
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            O stop = FRI_MIN((O)((at[j] & ~(O)(QUAD - 1)) + QUAD), near[j]);
            if (!on[j])
                continue;
            u[j] = test_few(w, front, some[j], at[j], stop, mine);
            at[j] = stop;
        }
    }
}

template <class O>
static __device__ __forceinline__ void found_by_pull(const world<O> &w, int32_t v, int32_t u,
                                                     tally<O> *mine) {
    if (w.parent)
        w.parent[v] = u;
    mine->vertices++;
    mine->edges += (edge_sum<O>)(w.out.offsets[v + 1] - w.out.offsets[v]);
}

/* Whole warp: of its words' open vertices those whose likely in-neighbour is in the frontier are
 * found; those that have no other are not looked at again in this level. */
template <class O>
static __device__ __forceinline__ void pull_heads(const world<O> &w, int32_t depth, sheaf *words,
                                                  int32_t first, tally<O> *mine) {
    const uint32_t *front = w.front[depth & 1];
    unsigned live = __ballot_sync(FRI_FULL, fri_lane() < SHEAF && words->open[fri_lane()]);
    while (live) {
        int at[WORDS];
        int32_t head[WORDS];
        bool hit[WORDS];
        FRI_UNROLL
        for (int j = 0; j < WORDS; j++) {
            at[j] = live ? __ffs((int)live) - 1 : -1;
            live &= live - 1;
            bool open = at[j] >= 0 && words->open[at[j]] >> fri_lane() & 1;
            head[j] = open ? w.heads[(first + at[j]) * FRI_WARP + fri_lane()] : -1;
        }
        FRI_UNROLL
        for (int j = 0; j < WORDS; j++) {
            int32_t u = head[j] < -1 ? -2 - head[j] : head[j];
            hit[j] = u >= 0 && has_bit(front, u);
            mine->examined += u >= 0;
            FRI_COUNT(w.out, FR_COUNT_EDGES, u >= 0);
        }
        FRI_UNROLL
        for (int j = 0; j < WORDS; j++) {
            uint32_t found = __ballot_sync(FRI_FULL, hit[j]);
            uint32_t through = __ballot_sync(FRI_FULL, hit[j] || head[j] < -1);
            if (fri_lane() == 0 && at[j] >= 0) {
                words->found[at[j]] = found;
                words->open[at[j]] &= ~through;
            }
            if (!hit[j])
                continue;
            int32_t v = (first + at[j]) * FRI_WARP + fri_lane();
            w.level[v] = depth + 1;
            found_by_pull(w, v, head[j] < -1 ? -2 - head[j] : head[j], mine);
        }
    }
    __syncwarp(); /* what is left is known */
}

/* Whole warp: vertices `from` .. `from` + AT_ONCE * 32 of the `total` that its words, `first` and
 * those behind, have to be found. The first reads of all are on their way at once. A vertex with
 * many edges left is put off: `late` gets them as spans. */
template <class O>
static __device__ __forceinline__ void pull_some(const world<O> &w, int32_t depth, sheaf *words,
                                                 int32_t first, int from, int total,
                                                 outlet<O> *late, tally<O> *mine) {
    const uint32_t *front = w.front[depth & 1];
    int32_t v[AT_ONCE], u[AT_ONCE];
    O at[AT_ONCE], end[AT_ONCE];
    bool any = false;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        int nth = from + j * FRI_WARP + fri_lane();
        int word = fri_owner(words->before, SHEAF, nth);
        v[j] = -1;
        if (nth < total)
            v[j] =
                (first + word) * FRI_WARP + nth_bit(words->open[word], nth - words->before[word]);
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        at[j] = v[j] >= 0 ? w.in.offsets[v[j]] : 0;
        end[j] = v[j] >= 0 ? w.in.offsets[v[j] + 1] : 0;
        u[j] = -1;
    }
    look_alone(w, front, at, end, u, mine);
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        end[j] = u[j] < 0 ? end[j] - at[j] : 0; /* how many are left */
        any |= end[j] > 0;
        if (u[j] < 0)
            continue;
        /* lanes share the word */
        atomicOr(&words->found[v[j] / FRI_WARP - first], 1u << (v[j] % FRI_WARP));
        w.level[v[j]] = depth + 1;
        found_by_pull(w, v[j], u[j], mine);
    }
    if (__any_sync(FRI_FULL, any))
        enqueue(w, v, at, end, (O)1, late);
}

/* The team: one level from bitmap to bitmap. Each warp has words of its own and takes their open
 * vertices, however thin they are sown, 32 at a time. */
template <class O>
static __device__ void pull(const world<O> &w, int32_t depth, shelf<O> *s, outlet<O> *late,
                            tally<O> *mine) {
    sheaf *words = (sheaf *)s + fri_warp();
    uint32_t *next = w.front[(depth + 1) & 1];
    const int all = words_of(w.n), each = (all + team_warps() - 1) / team_warps();
    const int turns = (each + SHEAF - 1) / SHEAF, share = (each + turns - 1) / turns;
    for (int32_t first = team_warp() * share; first < all; first += team_warps() * share) {
        int32_t word = first + fri_lane();
        bool own = fri_lane() < share && word < all;
        uint32_t open = own ? ~w.visited[word] : 0;
        if (fri_lane() < SHEAF) {
            words->open[fri_lane()] = open;
            words->found[fri_lane()] = 0;
        }
        __syncwarp(); /* the sheaf is written */
        if (w.heads)
            pull_heads(w, depth, words, first, mine);
        int total, left = fri_lane() < SHEAF ? __popc(words->open[fri_lane()]) : 0;
        int before = fri_warp_sum(left, &total);
        if (fri_lane() < SHEAF)
            words->before[fri_lane()] = before;
        __syncwarp(); /* the sums are there */
        for (int from = 0; from < total; from += AT_ONCE * FRI_WARP)
            pull_some(w, depth, words, first, from, total, late, mine);
        __syncwarp(); /* what was found is there */
        if (own) {
            uint32_t found = words->found[fri_lane()];
            next[word] = found;
            if (found)
                w.visited[word] = ~open | found;
        }
        __syncwarp(); /* and read */
    }
}

/* Any thread: v's in-neighbour u is in the frontier; spans of v race. */
template <class O>
static __device__ __forceinline__ void found_late(const world<O> &w, int32_t depth, int32_t v,
                                                  int32_t u, tally<O> *mine) {
    if (atomicCAS(&w.level[v], -1, depth + 1) >= 0) /* another span may be faster */
        return;
    found_by_pull(w, v, u, mine);
    uint32_t bit = 1u << (v % FRI_WARP); /* the words are shared now */
    atomicOr(&w.front[(depth + 1) & 1][v / FRI_WARP], bit);
    atomicOr(&w.visited[v / FRI_WARP], bit);
}

/* The team, after a barrier: the spans that were put off. A block takes every g-th and deals their
 * in-edges out to its threads, QUAD at a time, until one of a span is found. */
template <class O>
static __device__ void pull_late(const world<O> &w, int32_t depth, int32_t count, shelf<O> *s,
                                 tally<O> *mine) {
    const uint32_t *front = w.front[depth & 1];
    const int threads = (int)blockDim.x, room = shelf_room();
    const int64_t blocks = gridDim.x;
    for (int64_t first = blockIdx.x; first < count; first += blocks * room) {
        int64_t i = first + (int64_t)threadIdx.x * blocks;
        bool on = (int)threadIdx.x < room && i < count;
        span one = on ? w.queue[depth & 1][i] : span{0, 0, 0};
        const int held = (int)FRI_MIN((int64_t)room, (count - first + blocks - 1) / blocks);
        const int reads = (int)(one.begin % QUAD + one.count + QUAD - 1) / QUAD;
        const int total = fill_shelf(s, one, one.count ? reads : 0);
        for (int k = (int)threadIdx.x; k < total; k += threads) {
            const int owner = fri_owner(s->before, held, k);
            const int32_t v = fri_racy_load(&s->v[owner]); /* -1 once one of them has found it */
            if (v < 0)
                continue;
            const O begin = s->begin[owner], base = begin & ~(O)(QUAD - 1);
            const O at = base + (O)((k - s->before[owner]) * QUAD), from = FRI_MAX(at, begin);
            const O end = FRI_MIN((O)(at + QUAD), (O)(begin + (O)s->count[owner]));
            const int32_t u = test_few(w, front, read_few(w, from), from, end, mine);
            if (u < 0)
                continue;
            fri_racy_store(&s->v[owner], -1); /* racy: all store the same */
            found_late(w, depth, v, u, mine);
        }
    }
}

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

/* The team: the queue of this level from its bitmap; words without a bit cost next to nothing. */
template <class O>
static __device__ void to_queue(const world<O> &w, int32_t depth, slot *now, bundle<O> *b) {
    const uint32_t *front = w.front[depth & 1];
    const int all = words_of(w.n), each = (all + team_warps() - 1) / team_warps();
    const int share = FRI_MIN(each, FRI_WARP);
    outlet<O> out = {b, &now->entries, depth, 0};
    for (int32_t first = team_warp() * share; first < all; first += team_warps() * share) {
        bool own = fri_lane() < share && first + fri_lane() < all;
        uint32_t word = own ? front[first + fri_lane()] : 0;
        unsigned live = __ballot_sync(FRI_FULL, word != 0);
        while (live) {
            O begin[AT_ONCE], degree[AT_ONCE];
            int32_t v[AT_ONCE];
            FRI_UNROLL
            for (int j = 0; j < AT_ONCE; j++) {
                int at = live ? __ffs((int)live) - 1 : 0;
                bool in = live && __shfl_sync(FRI_FULL, word, at) >> fri_lane() & 1;
                v[j] = (first + at) * FRI_WARP + fri_lane();
                begin[j] = in ? w.out.offsets[v[j]] : 0;
                degree[j] = in ? w.out.offsets[v[j] + 1] - begin[j] : 0;
                live &= live - 1;
            }
            enqueue(w, v, begin, degree, least_edges(w, depth), &out);
        }
    }
    settle(w, tally<O>{0, 0, 0}, &out, now); /* they were counted when they were found */
}

#endif
