/* A level of `auto`'s squad, as one block sees it: edges are tested in the block's copy of the
 * bitmap of visited vertices, finds are noted in a bitmap of its own and then claimed a word at a
 * time in the bitmap in L2. In a graph whose edges stay near a vertex is found many times in a
 * level, and its neighbours with it: atomics of one word, one after the other, would take most of
 * the time.
 */
#ifndef FRI_AUTO_COPY_CUH
#define FRI_AUTO_COPY_CUH

#include "cuda/bfs/auto_cell.cuh"

static const int SQUAD_THREADS = 1024, MOST_SQUAD = 256, ALONE_ROOM = 512;
/* Edges of an entry; that a lane looks at at once; entries that stay together; words at once. */
static const int SQUAD_SPAN = 64, IN_A_ROW = 4, SQUAD_RUN = 4, SQUAD_WORDS = 2;
namespace {
/* A frontier's sums. */
struct strength {
    int32_t entries, vertices;
    uint32_t edges; /* cut short, which nobody would see: the queue is too small for so many */
    int32_t over;   /* something found no room */
};

/* A block's shared memory, and its place. */
struct squad {
    uint32_t *copy;   /* [words] bits of vertices known to be visited; exact when a level begins */
    uint32_t *news;   /* [words] bits of those that this block has found since */
    uint16_t *listed; /* [words] which of those words are not zero */
    span *walked;     /* [SQUAD_THREADS] entries that the block walks */
    span *own;        /* [2][ALONE_ROOM] */
    strength *counts; /* [SLOTS] of the block */
    int *before;      /* [MOST_SQUAD] entries of the blocks before */
    int *lists;       /* how many words are listed */
    int32_t room;     /* of a block's part of the queue */
    bool alone;
};
} // namespace

static __host__ __device__ __forceinline__ size_t squad_map_bytes(int32_t n) {
    return ((size_t)words_of(n) * sizeof(uint32_t) + 31) / 32 * 32;
}
/* Copy, news, list; entries. */
static __host__ __device__ __forceinline__ size_t squad_bytes(int32_t n) {
    return squad_map_bytes(n) / 2 * 5 + (SQUAD_THREADS + 2 * ALONE_ROOM) * sizeof(span);
}

/* All threads: the copy as the bitmap is now. A barrier must follow. */
template <class O> static __device__ void renew(const world<O> &w, const squad &d) {
    const int32_t fours = words_of(w.n) / 4;
    for (int32_t i = (int32_t)threadIdx.x; i < fours; i += (int32_t)blockDim.x)
        ((int4 *)d.copy)[i] = __ldcg((const int4 *)w.visited + i); /* past L1: claims */
    for (int32_t i = 4 * fours + (int32_t)threadIdx.x; i < words_of(w.n); i += (int32_t)blockDim.x)
        d.copy[i] = __ldcg(&w.visited[i]);
}

/* Any thread: entry i of the level's frontier. Read past L1, which may hold what stood there. */
template <class O>
static __device__ __forceinline__ span entry_of(const world<O> &w, const squad &d, int32_t depth,
                                                int32_t i) {
    const int b = fri_owner(d.before, (int)gridDim.x, i);
    const span *at = w.queue[depth & 1] + (int64_t)b * d.room + (i - d.before[b]);
    const int4 four = __ldcg((const int4 *)at);
    return {four.x, four.y, (int64_t)((uint64_t)(uint32_t)four.w << 32 | (uint32_t)four.z)};
}

/* Any thread: one entry of the next frontier into the block's part of the queue. */
template <class O>
static __device__ __forceinline__ void put(const world<O> &w, const squad &d, int32_t depth,
                                           int32_t at, const span &one) {
    if (at < d.room)
        w.queue[(depth + 1) & 1][(int64_t)blockIdx.x * d.room + at] = one;
    if (d.alone && at < ALONE_ROOM)
        d.own[((depth + 1) & 1) * ALONE_ROOM + at] = one;
}

/* Whole warp: the lanes' finds, those that are `in`, into the block's part of the queue. */
template <class O>
static __device__ __forceinline__ void put_all(const world<O> &w, const squad &d, int32_t depth,
                                               int32_t *entries, bool in, int32_t v, O begin,
                                               O degree) {
    const bool one = in && degree <= (O)SQUAD_SPAN;
    const unsigned ones = __ballot_sync(FRI_FULL, one);
    FRI_COUNT(w.out, FR_COUNT_ENQUEUES, in);
    if (ones) {
        const int32_t at = reserve(entries, __popc(ones));
        if (one)
            put(w, d, depth, at + __popc(ones & ((1u << fri_lane()) - 1)),
                {v, (int32_t)degree, (int64_t)begin});
    }
    for (unsigned more = __ballot_sync(FRI_FULL, in && !one); more; more &= more - 1) {
        const int owner = __ffs((int)more) - 1;
        const int32_t u = __shfl_sync(FRI_FULL, v, owner);
        const O from = __shfl_sync(FRI_FULL, begin, owner);
        const O all = __shfl_sync(FRI_FULL, degree, owner);
        const int32_t parts = (int32_t)((all + SQUAD_SPAN - 1) / SQUAD_SPAN);
        const int32_t at = reserve(entries, parts);
        for (int32_t i = fri_lane(); i < parts; i += FRI_WARP)
            put(w, d, depth, at + i,
                {u, (int32_t)FRI_MIN(all - (O)i * SQUAD_SPAN, (O)SQUAD_SPAN),
                 (int64_t)(from + (O)i * SQUAD_SPAN)});
    }
}

/* Any thread: v, where an edge of u leads: noted, if nobody had it, with u as parent. */
template <class O>
static __device__ __forceinline__ void look_at(const world<O> &w, const squad &d, int32_t u,
                                               int32_t v) {
    const int32_t word = v / FRI_WARP;
    const uint32_t bit = 1u << (v % FRI_WARP);
    if ((d.copy[word] | fri_racy_load(&d.news[word])) & bit) /* racy: the atomic decides */
        return;
    const uint32_t old = atomicOr(&d.news[word], bit); /* the block's threads meet there */
    if (!old)
        d.listed[atomicAdd(d.lists, 1)] = (uint16_t)word; /* they append */
    if (!(old & bit) && w.parent)
        w.parent[v] = u; /* whichever block gets v, it is of that level */
}

/* All threads: edges of the entries walked[0 .. count), `width` lanes to each. */
template <class O>
static __device__ void walk(const world<O> &w, const squad &d, const span *walked, int32_t count,
                            unsigned long long *looked) {
    int width = SQUAD_SPAN / IN_A_ROW;
    while (width > 4 && count * width > (int)blockDim.x)
        width /= 2;
    for (int i = (int)threadIdx.x / width; i < count; i += (int)blockDim.x / width) {
        const span one = walked[i];
        for (int k = (int)threadIdx.x % width * IN_A_ROW; k < one.count; k += width * IN_A_ROW) {
            int32_t v[IN_A_ROW];
            const int32_t *from = w.out.targets + one.begin + k;
            FRI_UNROLL
            for (int j = 0; j < IN_A_ROW; j++)
                v[j] = k + j < one.count ? from[j] : -1;
            const int looks = FRI_MIN(one.count - k, (int)IN_A_ROW);
            *looked += (unsigned)looks;
            FRI_COUNT(w.out, FR_COUNT_EDGES, looks);
            FRI_UNROLL
            for (int j = 0; j < IN_A_ROW; j++)
                if (v[j] >= 0)
                    look_at(w, d, one.v, v[j]);
        }
    }
}

/* All threads, behind a barrier: claims the block's news, a word at a time, and queues what it
 * gets; no news are left. */
template <class O>
static __device__ void claim(const world<O> &w, const squad &d, const state &s, catches *mine) {
    const int lane = fri_lane(), all = *d.lists, warps = (int)blockDim.x / FRI_WARP;
    const O least = least_edges(w, s.depth + 1);
    int32_t *entries = &d.counts[(s.turn + 1) % SLOTS].entries;
    for (int i = fri_warp() * SQUAD_WORDS; i < all; i += warps * SQUAD_WORDS) {
        O begin[SQUAD_WORDS], degree[SQUAD_WORDS];
        const int own = lane < SQUAD_WORDS && i + lane < all ? d.listed[i + lane] : -1;
        uint32_t bits = own >= 0 ? d.news[own] : 0, answer = 0;
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, bits != 0);
        if (bits && d.alone) /* a load's way is long, and nobody waits */
            atomicOr(&w.visited[own], bits);
        else if (bits) /* other blocks may find the same */
            answer = atomicOr(&w.visited[own], bits);
        FRI_UNROLL
        for (int j = 0; j < SQUAD_WORDS; j++) { /* also of those not to be won */
            const int32_t v = __shfl_sync(FRI_FULL, own, j) * FRI_WARP + lane;
            const bool in = __shfl_sync(FRI_FULL, bits, j) >> lane & 1;
            begin[j] = in ? w.out.offsets[v] : 0;
            degree[j] = in ? w.out.offsets[v + 1] - begin[j] : 0;
        }
        if (bits) {
            d.news[own] = 0;
            d.copy[own] |= bits | answer;
        }
        bits &= ~answer;
        FRI_UNROLL
        for (int j = 0; j < SQUAD_WORDS; j++) {
            const int32_t v = __shfl_sync(FRI_FULL, own, j) * FRI_WARP + lane;
            const bool in = __shfl_sync(FRI_FULL, bits, j) >> lane & 1;
            if (in)
                w.level[v] = s.depth + 1;
            mine->vertices += in;
            mine->edges += in ? (uint32_t)degree[j] : 0;
            put_all(w, d, s.depth, entries, in && degree[j] >= least, v, begin[j], degree[j]);
        }
    }
}

/* All threads: the block's share of a level, or, alone, the level. A barrier must follow. */
template <class O>
static __device__ void squad_level(const world<O> &w, const squad &d, const state &s,
                                   int32_t entries, unsigned long long *looked) {
    const int32_t lap = (int32_t)gridDim.x * SQUAD_RUN, first = (int32_t)blockIdx.x * SQUAD_RUN;
    const int turn = (s.turn + 1) % SLOTS;
    const int32_t rest = FRI_MAX(FRI_MIN(entries % lap - first, (int32_t)SQUAD_RUN), 0);
    const int32_t share = d.alone ? entries : entries / lap * SQUAD_RUN + rest;
    catches mine = {0, 0};
    if (threadIdx.x == 0)
        *d.lists = 0; /* read before the barrier at the end of the last level */
    for (int32_t from = 0; from < share; from += SQUAD_THREADS) {
        const int32_t count = FRI_MIN(share - from, (int32_t)SQUAD_THREADS);
        const span *walked = d.alone ? d.own + (s.depth & 1) * ALONE_ROOM : d.walked;
        for (int32_t j = (int32_t)threadIdx.x; j < count && !d.alone; j += (int32_t)blockDim.x)
            d.walked[j] =
                entry_of(w, d, s.depth, (from + j) / SQUAD_RUN * lap + first + j % SQUAD_RUN);
        __syncthreads(); /* they are there, the list is empty, the copy renewed */
        walk(w, d, walked, count, looked);
        if (from + SQUAD_THREADS < share)
            __syncthreads(); /* and walked */
    }
    __syncthreads(); /* the news are complete */
    claim(w, d, s, &mine);
    if (__any_sync(FRI_FULL, mine.vertices)) {
        const int32_t vertices = (int32_t)warp_total((unsigned)mine.vertices);
        const unsigned edges = warp_total(mine.edges);
        if (fri_lane() == 0) { /* the block's warps add */
            atomicAdd(&d.counts[turn].vertices, vertices);
            atomicAdd(&d.counts[turn].edges, edges);
        }
    }
}

#endif
