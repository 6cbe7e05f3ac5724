/* Bottom-up levels of `auto`, on bitmaps. */
#ifndef FRI_AUTO_PULL_CUH
#define FRI_AUTO_PULL_CUH

#include "cuda/bfs/auto_forms.cuh"
#include "cuda/bfs/auto_push.cuh"
#include "cuda/bfs/auto_solo.cuh"

/* In-edges that a lane reads at once, 32 bytes, and looks at before the rest is put off; words of a
 * sheaf. With 18 a warp is through with 2.43 million vertices on 132 multiprocessors in one turn;
 * with 22, on an H200, two blocks' shared memory took so much of L1 that a pull of uniform random
 * graphs became 15 % slower. */
enum { CHUNK = 8, ALONE = 128, SHEAF = 18 };

namespace {
/* What a warp knows of its words. */
template <class O> struct alignas(8) sheaf {
    uint32_t open[SHEAF];  /* bits of vertices to be found */
    uint32_t found[SHEAF]; /* bits */
    union {
        uint16_t list[SHEAF * FRI_WARP]; /* open vertices, counted from the first word's first */
        bundle<O> staged;                /* when they are through */
    };
};

/* A block's, by turn: what a pull needs, or what all else does. */
template <class O> union arena {
    sheaf<O> sheaves[MOST_THREADS / FRI_WARP];
    struct {
        bundle<O> staged[MOST_THREADS / FRI_WARP];
        shelf<O> on;
        /* of pushes that mind hot words */
        uint32_t sums[MOST_THREADS / FRI_WARP][STAGE];
        hoard<O> wide;
    } push;
    solo_room<O> solo;
};

/* A lane's vertex: edges [at, near) to look at, then up to `end`. */
template <class O> struct row {
    int32_t nth; /* on the list's words; -1: none */
    O at, near, end;
};
} // namespace

/* The aligned CHUNK targets from `base` on. */
template <class O>
static __device__ __forceinline__ void read_chunk(const world<O> &w, O base, int32_t *u) {
    const int32_t *at = w.in.targets + base;
    if ((int64_t)base + CHUNK <= w.m) {
        const int4 low = ((const int4 *)at)[0], high = ((const int4 *)at)[1];
        u[0] = low.x, u[1] = low.y, u[2] = low.z, u[3] = low.w;
        u[4] = high.x, u[5] = high.y, u[6] = high.z, u[7] = high.w;
        return;
    }
    FRI_UNROLL
    for (int j = 0; j < CHUNK; j++) /* the last */
        u[j] = (int64_t)base + j < w.m ? at[j] : 0;
}

/* Of edges [e, end), which lie in one aligned chunk: one that comes from the frontier, or -1. */
template <class O>
static __device__ __forceinline__ int32_t look_at(const world<O> &w, const uint32_t *front, O e,
                                                  O end, tally<O> *mine) {
    int32_t u[CHUNK], hit = -1;
    const O base = e & ~(O)(CHUNK - 1);
    const unsigned valid = (1u << (int)(end - base)) - (1u << (int)(e - base));
    unsigned in = 0;
    read_chunk(w, base, u);
    mine->examined += (edge_sum<O>)(end - e);
    FRI_COUNT(w.out, FR_COUNT_EDGES, end - e);
    FRI_UNROLL
    for (int j = 0; j < CHUNK; j++)
        in |= (valid >> j & 1 && has_bit(front, u[j]) ? 1u : 0u) << j;
    FRI_UNROLL
    for (int j = 0; j < CHUNK; j++)
        hit = in >> j & 1 ? u[j] : hit;
    return hit;
}

/* Whole warp: of its words' open vertices those whose likely in-neighbour is in the frontier are
 * found; those that have no other are not looked at again in this level. */
template <class O>
static __device__ __forceinline__ void pull_heads(const world<O> &w, const uint32_t *front,
                                                  sheaf<O> *words, int32_t first, tally<O> *mine) {
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
            if (hit[j] && w.parent)
                w.parent[(first + at[j]) * FRI_WARP + fri_lane()] =
                    head[j] < -1 ? -2 - head[j] : head[j];
        }
    }
    __syncwarp(); /* what is left is known */
}

/* Whole warp: its words' open vertices onto the list; how many. */
template <class O> static __device__ __forceinline__ int list_open(sheaf<O> *words) {
    int total = 0;
    FRI_UNROLL
    for (int i = 0; i < SHEAF; i++) {
        const uint32_t open = words->open[i];
        if (open >> fri_lane() & 1)
            words->list[total + __popc(open & ((1u << fri_lane()) - 1))] =
                (uint16_t)(i * FRI_WARP + fri_lane());
        total += __popc(open);
    }
    __syncwarp(); /* the list is written */
    return total;
}

/* The edge behind the chunks of a row that a lane looks at, ALONE edges at most. */
template <class O> static __device__ __forceinline__ O far_edge(O begin) {
    return (begin & ~(O)(CHUNK - 1)) + (O)ALONE;
}

/* Whole warp: the `total` vertices of its list. Each lane has a vertex and, its offsets on their
 * way, the one to come; a lane that is through with its own takes the next of the list. Returns how
 * many are put off, which stand at the list's begin. */
template <class O>
static __device__ __forceinline__ int pull_listed(const world<O> &w, const uint32_t *front,
                                                  sheaf<O> *words, int32_t first, int total,
                                                  tally<O> *mine) {
    row<O> now = {-1, 0, 0, 0};
    int32_t coming = -1;
    O begin = 0, end = 0;
    int taken = 0, late = 0;
    const unsigned below = (1u << fri_lane()) - 1;
    for (;;) {
        if (now.nth < 0 && coming >= 0) {
            now = {coming, begin, FRI_MIN(far_edge(begin), end), end};
            coming = -1;
        }
        const unsigned idle = __ballot_sync(FRI_FULL, coming < 0);
        const int place = taken + __popc(idle & below);
        if (coming < 0 && place < total) {
            coming = words->list[place];
            begin = w.in.offsets[first * FRI_WARP + coming];
            end = w.in.offsets[first * FRI_WARP + coming + 1];
        }
        taken = FRI_MIN(taken + __popc(idle), total);
        if (!__any_sync(FRI_FULL, now.nth >= 0 || coming >= 0))
            return late;
        bool waits = false;
        const int32_t nth = now.nth;
        if (nth >= 0 && now.at < now.near) {
            const O stop = FRI_MIN((O)((now.at & ~(O)(CHUNK - 1)) + CHUNK), now.near);
            const int32_t u = look_at(w, front, now.at, stop, mine);
            now.at = stop;
            if (u >= 0) {
                /* lanes share the word */
                atomicOr(&words->found[nth / FRI_WARP], 1u << (nth % FRI_WARP));
                if (w.parent)
                    w.parent[first * FRI_WARP + nth] = u;
                now.nth = -1;
            }
        }
        if (now.nth >= 0 && now.at >= now.near) {
            waits = now.near < now.end;
            now.nth = -1;
        }
        const unsigned wait = __ballot_sync(FRI_FULL, waits);
        if (wait) {
            __syncwarp(); /* their places on the list are read */
            if (waits)
                words->list[late + __popc(wait & below)] = (uint16_t)nth;
            late += __popc(wait);
        }
    }
}

/* Whole warp: the far edges of the list's first `late` vertices into the queue of spans put off. */
template <class O>
static __device__ void put_off(const world<O> &w, int32_t depth, const sheaf<O> *words,
                               int32_t first, int late, slot *next) {
    __syncwarp(); /* the list is written */
    for (int from = 0; from < late; from += FRI_WARP) {
        const bool on = from + fri_lane() < late;
        const int32_t v = first * FRI_WARP + (on ? words->list[from + fri_lane()] : 0);
        const O begin = far_edge(w.in.offsets[v]), end = w.in.offsets[v + 1];
        append_wide(w.queue[depth & 1], &next->late, v, (int64_t)begin,
                    on ? (int64_t)(end - begin) : 0);
    }
}

/* The team: one level from bitmap to bitmap. Each warp has words of its own and takes their open
 * vertices, however thin they are sown. */
template <class O>
static __device__ void pull(const world<O> &w, int32_t depth, chores also, sheaf<O> *words,
                            slot *next, outlet<O> *out, tally<O> *mine) {
    const uint32_t *front = w.front[depth & 1];
    uint32_t *found_map = w.front[(depth + 1) & 1];
    const int all = words_of(w.n), each = (all + team_warps() - 1) / team_warps();
    const int turns = (each + SHEAF - 1) / SHEAF, share = (each + turns - 1) / turns;
    for (int32_t first = team_warp() * share; first < all; first += team_warps() * share) {
        const int32_t word = first + fri_lane();
        const bool own = fri_lane() < share && word < all;
        const uint32_t open = own ? ~w.visited[word] : 0;
        debt d = {0, also.owed && own ? front[word] : 0,
                  also.fills && own ? blank_bits(w, word, open) : 0};
        if (fri_lane() < SHEAF) {
            words->open[fri_lane()] = open;
            words->found[fri_lane()] = 0;
        }
        __syncwarp(); /* the sheaf is written */
        if (__any_sync(FRI_FULL, open != 0)) {
            if (w.heads)
                pull_heads(w, front, words, first, mine);
            const int late = pull_listed(w, front, words, first, list_open(words), mine);
            if (late)
                put_off(w, depth, words, first, late, next);
            __syncwarp(); /* what was found is there */
        }
        if (own) {
            d.found = words->found[fri_lane()];
            found_map[word] = d.found;
            if (d.found)
                w.visited[word] = ~open | d.found;
        }
        pay(w, depth, first, d, mine);
        if (also.queues) {
            queue_bits(w, first, d.found, out);
            flush(w, out); /* the list's place is wanted */
        }
        __syncwarp(); /* what was found is read */
    }
}

/* Any thread: v's in-neighbour u is in the frontier; spans of v race. `entries` of the next queue,
 * or NULL: it is not wanted. */
template <class O>
static __device__ __forceinline__ void found_late(const world<O> &w, int32_t depth, int32_t v,
                                                  int32_t u, int32_t *entries, tally<O> *mine) {
    if (atomicCAS(&w.level[v], -1, depth + 1) >= 0) /* another span may be faster */
        return;
    if (w.parent)
        w.parent[v] = u;
    const O begin = w.out.offsets[v], degree = w.out.offsets[v + 1] - begin;
    mine->vertices++;
    mine->edges += (edge_sum<O>)degree;
    uint32_t bit = 1u << (v % FRI_WARP); /* the words are shared now */
    atomicOr(&w.front[(depth + 1) & 1][v / FRI_WARP], bit);
    atomicOr(&w.visited[v / FRI_WARP], bit);
    if (!entries || degree < least_edges(w, depth + 1))
        return;
    span *to = w.queue[(depth + 1) & 1];
    const int spans = (int)((degree + SPAN - 1) / SPAN);
    to += atomicAdd(entries, spans); /* others append too */
    for (int i = 0; i < spans; i++)
        to[i] = {v, (int32_t)FRI_MIN((int64_t)degree - (int64_t)i * SPAN, (int64_t)SPAN),
                 (int64_t)begin + (int64_t)i * SPAN};
}

/* The team, after a barrier: the spans that were put off. A block takes every g-th and deals their
 * in-edges out to its threads, CHUNK at a time, until one of a span is found. */
template <class O>
static __device__ void pull_late(const world<O> &w, int32_t depth, int32_t count, shelf<O> *s,
                                 int32_t *entries, tally<O> *mine) {
    const uint32_t *front = w.front[depth & 1];
    const int threads = (int)blockDim.x, room = shelf_room();
    const int64_t blocks = gridDim.x;
    for (int64_t first = blockIdx.x; first < count; first += blocks * room) {
        int64_t i = first + (int64_t)threadIdx.x * blocks;
        bool on = (int)threadIdx.x < room && i < count;
        span one = on ? w.queue[depth & 1][i] : span{0, 0, 0};
        const int held = (int)FRI_MIN((int64_t)room, (count - first + blocks - 1) / blocks);
        const int reads = (int)(one.begin % CHUNK + one.count + CHUNK - 1) / CHUNK;
        const int total = fill_shelf(s, one, one.count ? reads : 0);
        for (int k = (int)threadIdx.x; k < total; k += threads) {
            const int owner = fri_owner(s->before, held, k);
            const int32_t v = fri_racy_load(&s->v[owner]); /* -1 once one of them has found it */
            if (v < 0)
                continue;
            const O begin = s->begin[owner], base = begin & ~(O)(CHUNK - 1);
            const O at = base + (O)((k - s->before[owner]) * CHUNK), from = FRI_MAX(at, begin);
            const O end = FRI_MIN((O)(at + CHUNK), (O)(begin + (O)s->count[owner]));
            const int32_t u = look_at(w, front, from, end, mine);
            if (u < 0)
                continue;
            fri_racy_store(&s->v[owner], -1); /* racy: all store the same */
            found_late(w, depth, v, u, entries, mine);
        }
    }
}

#endif
