/* Levels from many sources at once: one bit per source in the words of every vertex.
 *
 * Source: M. Then, M. Kaufmann, F. Chirigati, T.-A. Hoang-Vu, K. Pham, A. Kemper, T. Neumann, H. T.
 *   Vo: The more the merrier: efficient multi-source graph traversal, VLDB 2014, sections 3 and 4.
 * Idea: searches from many sources reach the same vertices at nearly the same time. With 64 to 1024
 *   of them in 1 to 16 words per vertex, one access to an edge serves all: next[v] |= visit[u] and
 *   not seen[v]. Consecutive lanes hold a vertex's consecutive words, so their loads coalesce.
 * Differs: direction is chosen per level by edges. Top-down assigns 16 consecutive edges to one
 *   thread per word, whatever the degrees of their sources, and claims bits by an atomic or; the
 *   thread that sets a bit first stores the parent. Bottom-up, a group of lanes processes a
 *   vertex's in-edges, as many at a time as it has lanes per word, until no bit is missing; a
 *   prefix or over them selects the first edge that sets a bit, so the parents are the smallest where
 *   the in-edges are sorted. The in-edges of hubs are divided among warps, each of which ends on its
 *   own. If the smallest parents are requested, all levels pull, as on the CPU; in-edges of hubs, and
 *   of a directed graph, which the device may have built in any order, are then all examined, and an
 *   atomic minimum selects the parent.
 *   A source that found no vertex in a level is not waited for: otherwise one in a small component
 *   makes every pull examine all in-edges.
 * Needs: in-edges; unit weights.
 * Scratch: 24 bytes per vertex and word.
 * Work: at most (n + m) words per level.
 * Launches: top-down 2 and bottom-up 3, and one read of control words, per level.
 * Atomics: top-down one per word gained; bottom-up one per chunk of a hub and word; for the smallest
 *   parents of a directed graph and of hubs, at most one per edge and source.
 * Good at: low diameters, hundreds of sources.
 * Bad at: few sources on graphs of large diameter; a level scans all vertices, and top-down the
 *   sources of all edges. */
#include "cuda/drivers/apsp.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/reduce.cuh"

enum { SOURCES, PULL, LANES, BLOCK, CHUNK };
enum { MAX_WORDS = 16, MAX_THREADS = 1024, EDGES_PER_THREAD = 16 /* edges per thread top-down */ };
/* 64-bit control words of one level: vertices found, their out-edges, in-edges of incomplete
 * vertices, edges examined; a bit per source that has found a vertex. */
enum { FOUND = 0, EDGES = 2, LEFT = 4, EXAMINED = 6, ACTIVE = 8 };
enum { LEVEL_WORDS = ACTIVE + 2 * MAX_WORDS };

namespace {
struct search {
    fri_csr_view<int64_t> out, in;
    int64_t m, chunk;                        /* edges; knob `chunk` */
    int32_t n, words, count;                 /* words per vertex, sources */
    unsigned long long *seen, *visit, *next; /* [n * words] */
    unsigned long long full[MAX_WORDS];      /* one bit per source that may find more */
    void *dist;                              /* [count][n] */
    bool wide;                               /* dist is int64 */
    int32_t *parent;                         /* [count][n] or NULL */
    int32_t *traced;
};
} // namespace

static __device__ __forceinline__ void put(const search &s, int64_t at, int32_t level) {
    if (s.wide)
        ((int64_t *)s.dist)[at] = level == INT32_MAX ? INT64_MAX : level;
    else
        ((int32_t *)s.dist)[at] = level;
}

static __device__ __forceinline__ void put_parents(const search &s, int word,
                                                   unsigned long long bits, int32_t v, int32_t u) {
    for (; bits; bits &= bits - 1)
        s.parent[((int64_t)word * 64 + __ffsll((long long)bits) - 1) * s.n + v] = u;
}

/* The same if u is less than the parent so far; none, -1, is the largest unsigned number. */
static __device__ __forceinline__ void
put_min_parents(const search &s, int word, unsigned long long bits, int32_t v, int32_t u) {
    for (; bits; bits &= bits - 1) {
        int64_t row = (int64_t)word * 64 + __ffsll((long long)bits) - 1;
        unsigned *at = (unsigned *)&s.parent[row * s.n + v];
        if (fri_racy_load(at) > (unsigned)u) { /* racy test avoids most atomics */
            FRI_COUNT(s.out, FR_COUNTER_ATOMICS, 1);
            atomicMin(at, (unsigned)u); /* atomic: other lanes of v have other edges */
        }
    }
}

static __global__ void clear_kernel(search s) {
    int64_t i = fri_thread_of_grid();
    if (i < (int64_t)s.count * s.n) {
        put(s, i, INT32_MAX);
        if (s.parent)
            s.parent[i] = -1;
    }
    if (i < (int64_t)s.words * s.n)
        s.seen[i] = s.visit[i] = s.next[i] = 0;
}

static __global__ void sources_kernel(search s, const int32_t *sources) {
    int32_t i = (int32_t)fri_thread_of_grid();
    if (i >= s.count)
        return;
    int32_t v = sources[i];
    int64_t at = (int64_t)v * s.words + i / 64;
    atomicOr(&s.seen[at], 1ull << i % 64); /* atomic: several sources may share a vertex's word */
    atomicOr(&s.visit[at], 1ull << i % 64);
    put(s, (int64_t)i * s.n + v, 0);
    if (s.parent)
        s.parent[(int64_t)i * s.n + v] = v;
}

/* The vertex whose row has edge `e`. */
static __device__ __forceinline__ int32_t row_of(const fri_csr_view<int64_t> &g, int32_t n,
                                                 int64_t e) {
    int32_t low = 0, high = n;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (g.offsets[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Top-down: one thread per word and EDGES_PER_THREAD edges. */
static __global__ void __launch_bounds__(1024) push_kernel(search s) {
    int64_t t = fri_thread_of_grid(), first = t / s.words * EDGES_PER_THREAD;
    int64_t end = first + EDGES_PER_THREAD < s.m ? first + EDGES_PER_THREAD : s.m;
    int word = (int)(t % s.words);
    int32_t u = first < end ? row_of(s.out, s.n, first) : 0;
    unsigned long long from = first < end ? s.visit[(int64_t)u * s.words + word] : 0;
    for (int64_t e = first; e < end; e++) {
        if (e >= s.out.offsets[u + 1]) {
            while (e >= s.out.offsets[u + 1])
                u++;
            from = s.visit[(int64_t)u * s.words + word];
        }
        if (!from)
            continue;
        int32_t v = s.out.targets[e];
        int64_t at = (int64_t)v * s.words + word;
        unsigned long long bits = from & ~s.seen[at];
        if (!(bits & ~fri_racy_load(&s.next[at]))) /* racy test: avoids atomics that set no bit */
            continue;
        FRI_COUNT(s.out, FR_COUNTER_ATOMICS, 1);
        /* atomic: the thread that sets a bit first stores the parent */
        bits &= ~atomicOr(&s.next[at], bits);
        if (s.parent)
            put_parents(s, word, bits, v, u);
    }
}

/* For a group of lanes, `words` per edge: the or over the edges up to this lane's own. */
static __device__ __forceinline__ unsigned long long or_up_to(unsigned mask, int width, int words,
                                                              unsigned long long bits) {
    int lane = fri_lane() % width;
    for (int d = words; d < width; d *= 2) {
        unsigned long long below = __shfl_up_sync(mask, bits, (unsigned)d, width);
        bits |= lane >= d ? below : 0;
    }
    return bits;
}

/* Bottom-up: `width` lanes process the in-edges e .. end - 1 of `v`. Returns the bits gained; adds the
 * edges examined to *examined, in all lanes. MIN_PARENTS: all edges are examined for the smallest
 * parent, since they are in any order. */
template <bool MIN_PARENTS>
static __device__ __forceinline__ unsigned long long
pull_edges(const search &s, int32_t v, int64_t e, int64_t end, unsigned mask, int width,
           unsigned long long *examined) {
    int lane = fri_lane() % width, word = lane % s.words, offset = lane / s.words;
    int edges_at_once = width / s.words;
    int64_t at = (int64_t)v * s.words + word;
    unsigned long long missing = s.full[word] & ~s.seen[at], gained = 0;
    while (e < end && __any_sync(mask, missing != 0)) {
        int32_t u = e + offset < end ? s.in.targets[e + offset] : -1;
        unsigned long long mine = u < 0 ? 0 : s.visit[(int64_t)u * s.words + word] & missing;
        unsigned long long upto = or_up_to(mask, width, s.words, mine);
        unsigned long long all = __shfl_sync(mask, upto, width - s.words + word, width);
        unsigned long long before = __shfl_up_sync(mask, upto, (unsigned)s.words, width);
        if (MIN_PARENTS)
            put_min_parents(s, word, mine, v, u);
        else if (s.parent)
            put_parents(s, word, mine & ~(offset ? before : 0), v, u);
        gained |= all;
        if (!MIN_PARENTS)
            missing &= ~all;
        *examined += (unsigned long long)(end - e < edges_at_once ? end - e : edges_at_once);
        e += edges_at_once;
    }
    return gained;
}

/* Vertices with at most s.chunk in-edges: `width` lanes each. */
template <bool MIN_PARENTS>
static __global__ void __launch_bounds__(1024) pull_kernel(search s, int width) {
    int64_t v = fri_thread_of_grid() / width;
    int lane = fri_lane() % width;
    unsigned group = width == FRI_WARP ? FRI_FULL_MASK : (1u << width) - 1;
    unsigned long long examined = 0;
    int64_t first = v < s.n ? s.in.offsets[v] : 0, end = v < s.n ? s.in.offsets[v + 1] : 0;
    if (v < s.n && end - first <= s.chunk) {
        unsigned long long gained = pull_edges<MIN_PARENTS>(
            s, (int32_t)v, first, end, group << fri_lane() / width * width, width, &examined);
        if (lane < s.words)
            s.next[v * s.words + lane] = gained;
    }
    fri_grid_add((unsigned long long *)&s.traced[EXAMINED], lane ? 0 : examined);
}

/* The part of hub `v`, if it is one, that lies among the edges first .. end - 1. */
template <bool MIN_PARENTS>
static __device__ __forceinline__ void pull_hub(const search &s, int32_t v, int64_t first,
                                                int64_t end, unsigned long long *examined) {
    int64_t low = s.in.offsets[v], high = s.in.offsets[v + 1];
    if (high - low <= s.chunk)
        return;
    unsigned long long gained =
        pull_edges<MIN_PARENTS>(s, v, low > first ? low : first, high < end ? high : end,
                                FRI_FULL_MASK, FRI_WARP, examined);
    if (fri_lane() < s.words && gained) {
        FRI_COUNT(s.in, FR_COUNTER_ATOMICS, 1);
        /* atomic: other warps have other edges of v; of parents that they store, any is valid */
        atomicOr(&s.next[(int64_t)v * s.words + fri_lane()], gained);
    }
}

/* Hubs, the vertices with more than s.chunk in-edges: a warp per chunk of all edges, which has parts
 * of at most two hubs. One warp would take longer for a large hub than the grid for all others. */
template <bool MIN_PARENTS>
static __global__ void __launch_bounds__(1024) pull_hubs_kernel(search s) {
    int64_t first = fri_thread_of_grid() / FRI_WARP * s.chunk;
    int64_t end = first + s.chunk < s.m ? first + s.chunk : s.m;
    unsigned long long examined = 0;
    if (first < end) {
        int32_t v = row_of(s.in, s.n, first), last = row_of(s.in, s.n, end - 1);
        pull_hub<MIN_PARENTS>(s, v, first, end, &examined);
        if (last != v)
            pull_hub<MIN_PARENTS>(s, last, first, end, &examined);
    }
    fri_grid_add((unsigned long long *)&s.traced[EXAMINED], fri_lane() ? 0 : examined);
}

/* Whole blocks of a grid: to[] |= the words of all threads; a thread has word threadIdx.x % words. */
static __device__ __forceinline__ void or_words(unsigned long long *to, int words,
                                                unsigned long long bits) {
    FRI_SHARED(unsigned long long, block_words, MAX_WORDS);
    if (threadIdx.x < (unsigned)words)
        block_words[threadIdx.x] = 0;
    __syncthreads(); /* the words are zero */
    for (int d = words; d < FRI_WARP; d *= 2)
        bits |= __shfl_xor_sync(FRI_FULL_MASK, bits, d);
    if (fri_lane() < words && bits)
        atomicOr(&block_words[fri_lane()], bits); /* atomic: one of several warps */
    __syncthreads();                              /* the words of all warps are in */
    if (threadIdx.x >= (unsigned)words)
        return;
    bits = block_words[threadIdx.x];
    if (bits & ~fri_racy_load(&to[threadIdx.x])) /* racy test: avoids atomics that set no bit */
        atomicOr(&to[threadIdx.x], bits);        /* atomic: one of several blocks */
}

/* Whole blocks: writes the level of the vertices found; `fresh`: their bits in the thread's word. Threads
 * hold the words of a vertex side by side, but rows of distances have vertices side by side. So the bits
 * pass through shared memory, and a lane of a warp gets the same word of each of 32 vertices. */
static __device__ __forceinline__ void put_levels(const search &s, unsigned long long fresh,
                                                  int32_t level) {
    FRI_SHARED(unsigned long long, tile, 2 * MAX_THREADS);
    const int stride = s.words + 1; /* lanes read different banks */
    const int vertices = (int)blockDim.x / s.words, groups = (vertices + FRI_WARP - 1) / FRI_WARP;
    const int64_t first = (int64_t)blockIdx.x * vertices;
    tile[threadIdx.x / s.words * stride + threadIdx.x % s.words] = fresh;
    __syncthreads(); /* the words of all threads are there */
    for (int job = fri_warp(); job < groups * s.words; job += (int)blockDim.x / FRI_WARP) {
        const int word = job % s.words, at = job / s.words * FRI_WARP + fri_lane();
        const unsigned long long bits = at < vertices ? tile[at * stride + word] : 0;
        unsigned long long any = (unsigned long long)fri_warp_or((unsigned)(bits >> 32)) << 32 |
                                 fri_warp_or((unsigned)bits);
        for (; any; any &= any - 1) {
            const int bit = __ffsll((long long)any) - 1;
            if (bits >> bit & 1)
                put(s, ((int64_t)word * 64 + bit) * s.n + first + at, level);
        }
    }
}

/* Makes the vertices found by the level its frontier. One thread per word. */
static __global__ void __launch_bounds__(1024) settle_kernel(search s, int32_t level) {
    int64_t i = fri_thread_of_grid(), v = i / s.words;
    int word = (int)(i % s.words);
    unsigned long long fresh = 0, edges = 0, left = 0, missing = 0;
    if (v < s.n) {
        fresh = s.next[i];
        s.seen[i] |= fresh;
        s.visit[i] = fresh;
        s.next[i] = 0;
        missing = s.full[word] & ~s.seen[i];
    }
    put_levels(s, fresh, level);
    /* mask of a vertex's lanes */
    unsigned mine = ((1u << s.words) - 1) << fri_lane() / s.words * s.words;
    bool active = (__ballot_sync(FRI_FULL_MASK, fresh != 0) & mine) != 0 && word == 0;
    bool wants = (__ballot_sync(FRI_FULL_MASK, missing != 0) & mine) != 0 && word == 0;
    if (active)
        edges = (unsigned long long)(s.out.offsets[v + 1] - s.out.offsets[v]);
    if (wants)
        left = (unsigned long long)(s.in.offsets[v + 1] - s.in.offsets[v]);
    fri_grid_add((unsigned long long *)&s.traced[FOUND], active ? 1 : 0);
    __syncthreads(); /* the block's sums are read before they are written again */
    fri_grid_add((unsigned long long *)&s.traced[EDGES], edges);
    __syncthreads();
    fri_grid_add((unsigned long long *)&s.traced[LEFT], left);
    or_words((unsigned long long *)&s.traced[ACTIVE], s.words, fresh);
}

/* ---- host -------------------------------------------------------------------------------- */

static int words_for(int32_t sources) {
    int words = 1;
    while (words * 64 < sources)
        words *= 2;
    return words;
}

static size_t state_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes((int64_t)g->n * words_for(g->apsp.batch), sizeof(uint64_t)));
}
static size_t device_scratch(const fri_gpu *g) { return 3 * state_bytes(g); }
static int32_t max_rows(const fri_gpu *g) { return (int32_t)g->job->knob[SOURCES]; }

static search search_of(const fri_gpu *g, int32_t count) {
    search s = {};
    char *at = g->scratch;
    s.out = fri_csr_view_of<int64_t>(g->out);
    s.in = fri_csr_view_of<int64_t>(g->in);
    s.m = g->m;
    s.chunk = (int64_t)g->job->knob[CHUNK];
    s.n = g->n;
    s.count = count;
    s.words = words_for(count);
    s.seen = (unsigned long long *)fri_carve(&at, state_bytes(g));
    s.visit = (unsigned long long *)fri_carve(&at, state_bytes(g));
    s.next = (unsigned long long *)fri_carve(&at, state_bytes(g));
    for (int32_t i = 0; i < count; i++)
        s.full[i / 64] |= 1ull << i % 64;
    s.dist = g->dist;
    s.wide = g->job->in->dist_type == FR_TYPE_I64;
    s.parent = g->parent;
    s.traced = g->control;
    return s;
}

static int64_t traced(const fri_gpu *g, int word) {
    return (int64_t)(uint32_t)g->host_control[word] | (int64_t)g->host_control[word + 1] << 32;
}

/* Lanes per vertex bottom-up: at least its words, and about as many edges at a time as the mean
 * degree. */
static int width_of(const fri_gpu *g, int words) {
    double degree = g->n ? (double)g->m / g->n : 0;
    double wanted = fri_job_knob(g->job, LANES, words * degree);
    int width = words;
    while (width < FRI_WARP && 2 * width <= wanted)
        width *= 2;
    return width;
}

static bool selects_min_parents(const fri_gpu *g) {
    return g->parent && g->job->in->query.parent_rule == FR_PARENT_MIN_ID;
}

/* The first of sorted in-edges has the smallest parent, unless several warps have parts of them. */
static void pull(fri_gpu *g, const search &s, int block) {
    int width = width_of(g, s.words);
    const unsigned vertices = fri_gpu_blocks((int64_t)s.n * width, block);
    const unsigned chunks = fri_gpu_blocks((s.m + s.chunk - 1) / s.chunk * FRI_WARP, block);
    if (selects_min_parents(g) && !g->job->csr.symmetric)
        FRI_RUN((pull_kernel<true>), vertices, block, s, width);
    else
        FRI_RUN((pull_kernel<false>), vertices, block, s, width);
    if (selects_min_parents(g))
        FRI_RUN((pull_hubs_kernel<true>), chunks, block, s);
    else
        FRI_RUN((pull_hubs_kernel<false>), chunks, block, s);
}

/* Expands one level from visit to next, then settles it as `level`. */
static fr_status expand(fri_gpu *g, const search &s, bool pulls, int32_t level) {
    int block = (int)g->job->knob[BLOCK] / FRI_WARP * FRI_WARP;
    FRI_GPU_TRY(fri_gpu_zero(g, g->control, LEVEL_WORDS * sizeof(int32_t)));
    if (pulls)
        pull(g, s, block);
    else
        FRI_RUN_EACH(push_kernel, (s.m + EDGES_PER_THREAD - 1) / EDGES_PER_THREAD * s.words, block,
                     s);
    FRI_RUN_EACH(settle_kernel, (int64_t)s.n * s.words, block, s, level);
    return fri_gpu_read_control(g, 0, LEVEL_WORDS);
}

/* A source that found no vertex in a level has ended: its bit is in no frontier, so a pull must not
 * examine all edges of the vertices that it does not reach. */
static void drop_ended_sources(const fri_gpu *g, search *s) {
    for (int word = 0; word < s->words; word++)
        s->full[word] &= (unsigned long long)traced(g, ACTIVE + 2 * word);
}

static fr_status rows(fri_gpu *g, int64_t first, int32_t count) {
    fri_job *job = g->job;
    fr_stats *stats = &job->out->stats;
    search s = search_of(g, count);
    int64_t cells = (int64_t)s.n * (count > s.words ? count : s.words), found = 1;
    int64_t edges = 0, left = g->m;
    for (int32_t i = 0; i < count; i++) {
        int32_t v = fri_job_source(job, first + i);
        edges += job->csr.offsets[v + 1] - job->csr.offsets[v];
    }
    FRI_RUN_EACH(clear_kernel, cells, 256, s);
    FRI_RUN_EACH(sources_kernel, count, 256, s, g->sources);
    for (int32_t level = 1; found; level++) {
        FRI_GPU_TRY(fri_gpu_check_steps(job, "levels", level, s.n));
        FRI_GPU_TRY(fri_progress(job->ctx, "traversing", first, fri_job_rows(job)));
        bool pulls = job->in->query.parent_rule == FR_PARENT_MIN_ID ||
                     (double)left < job->knob[PULL] * (double)edges;
        FRI_GPU_TRY(expand(g, s, pulls, level));
        stats->edges_examined += pulls ? traced(g, EXAMINED) : edges;
        found = traced(g, FOUND);
        edges = traced(g, EDGES);
        left = traced(g, LEFT);
        drop_ended_sources(g, &s);
        if (found && stats->levels < level)
            stats->levels = level;
    }
    return FR_OK;
}

static const fr_knob knobs[] = {
    {"sources", 512, 1, 1024, "sources per pass; 64 per word, a power of two of words"},
    {"pull", 3, 0, 1e9,
     "bottom-up when incomplete vertices' edges < this * active edges; 0: never"},
    {"lanes", FR_KNOB_AUTO, 1, 32,
     "bottom-up: lanes per vertex, at least its words; default words * mean degree"},
    {"block", 256, 32, 1024, "threads per block, whole warps"},
    {"chunk", 1024, 1, 1e9,
     "bottom-up: edges per warp of vertices with more in-edges; at least 32 use all lanes"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {
    .scratch = device_scratch, .solve_rows = rows, .max_batch = max_rows};

FRI_GPU_STRATEGY(fri_gpu_apsp_multi_bfs) = {
    .name = "multi-bfs",
    .source = "Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the "
              "merrier, VLDB 2014",
    .text = "breadth-first levels from up to 1024 sources at once, one bit each; unit weights",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_IN_EDGES | FRI_SEPARATE_ROWS,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_ATOMICS),
    .scratch = fri_gpu_apsp_scratch,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .check = fri_job_refuse_weights,
    .prepare = fri_gpu_prepare,
    .release = fri_gpu_release,
    .run = fri_gpu_apsp_run,
};
