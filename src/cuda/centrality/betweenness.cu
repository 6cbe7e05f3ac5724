/* Sums of dependencies for betweenness: Brandes' algorithm from many sources at once.
 *
 * Source: U. Brandes: A faster algorithm for betweenness centrality, Journal of Mathematical
 *   Sociology 25(2), 2001. Levels that many sources share: bfs/many/state.cuh. Dependencies pulled
 *   from successors: K. Madduri, D. Ediger, K. Jiang, D. A. Bader, D. Chavarria-Miranda: A faster
 *   parallel algorithm and efficient multithreaded implementations for evaluating betweenness
 *   centrality on massive datasets, IPDPS 2009.
 * Idea: the searches list the vertices of each level (level_lists.cuh), with a bit per source. Level by
 *   level the path counts of predecessors, found along the in-edges, are added; then, from the last level
 *   back, the dependencies per path of successors, found along the out-edges. An item is a vertex and a
 *   word of 64 sources, of which a lane of a warp has two. The lanes test 32 edges, of several short rows,
 *   at a time: bits of both ends say for which sources the neighbor is one level away, and only such
 *   neighbors are read, all sources of a word in consecutive places.
 * Differs: sources of like degrees are searched together: their searches find a vertex in the same level
 *   more often. The value that a vertex passes to its predecessors overwrites its path count. Order of
 *   sums: no sum uses atomics, and its order depends only on the order of the rows, on that of the sources
 *   and on `spread`, so scores are the same bits on every run, unless the memory is too small for a word of
 *   sources. (In-edges that the device built are in no fixed order; a sum of path counts is then exact,
 *   and so the same, below 2^53.)
 * Needs: in-edges; no weights. Scratch per item: 28 bytes of the searches, 16, and 20 per source; with 8
 *   words 10.6 kB per vertex.
 * Work: for each batch of 512 sources (meshes: 1,024) that of bfs/many/state.cuh, and for each of their
 *   levels the rows of the items at that level: in-edges once, out-edges once, and up to 512 bytes per
 *   neighbor, of which the sectors with values are expected to take most of the time. Counted in a
 *   simulation of 1,024 random sources (uniform: 512), per 64 of them and stored edge, edges tested /
 *   neighbors read / bytes of sectors, forward or backward, sources in random order and by degree:
 *   Kronecker 18 2.6 / 1.2 / 186 and 1.5 / 0.7 / 140; uniform 18 (degrees about 32) 2.9 / 1.9 / 230 in both.
 * Launches: 2 per level, and those of the searches.
 * Good at: few levels, where sources share most items. Bad at: thousands of levels with few sources,
 *   whose launches take longer than their work. */
#include "core/gpu_interface.h"
extern "C" {
#include "core/call_backend.h"
}
#include "cuda/centrality/level_lists.cuh"
#include "cuda/device/results/results.h"

#include <float.h>

enum { TOO_MANY_PATHS /* control word */ };
enum { ABREAST = 4 /* neighbors whose values are loaded at a time */ };
/* MAX_EACH: items whose rows a warp joins. WAVES: warps per multiprocessor below which a warp gets fewer.
 * More than MESH_SOURCES sources and MESH_LEVELS levels: a batch has as many sources as it can. */
#ifdef FRI_SIMT /* small, since every thread costs time */
enum { BLOCK = 64, MAX_EACH = 4, WAVES = 1 };
enum { MESH_LEVELS = 8, MESH_SOURCES = 64 };
#else
enum { BLOCK = 256, MAX_EACH = 16, WAVES = 128 };
enum { MESH_LEVELS = 64, MESH_SOURCES = 512 };
#endif
enum { WARPS = BLOCK / FRI_WARP };

namespace {
/* The bits of levels d - 1, d, d + 1 are in three arrays in turn; each is cleared when its level is over. */
struct brandes {
    int32_t n, slots;     /* slots: sources per word */
    int32_t spread, part; /* scores that are added at the end; that of the first word */
    double *paths;    /* [items][slots] shortest paths; after walk_back: (1 + dependency) / paths */
    double *score;    /* [spread][n] */
    int32_t *sources; /* of all batches */
    int32_t *control;
    fri_bits *there[3]; /* [items]: word * n + vertex */
};

/* Of a launch. old: the level whose bits are cleared. */
struct step {
    fri_list_level now, old;
    const fri_bits *near; /* the bits of the neighbors' level */
    fri_bits *own, *stale;
    int each;  /* short rows of a warp */
    bool last; /* no neighbors */
};

/* Of a lane: the sums of its two sources, fri_lane() and 32 more. */
struct sums {
    double value[2];
};
/* An end of an edge, and the sources for which it is in the neighbors' level. */
struct alignas(16) neighbor {
    fri_bits shared;
    int32_t v;
};
} // namespace

static __device__ __forceinline__ bool has(fri_bits bits, int half) {
    return (unsigned)(bits >> half * FRI_WARP) >> fri_lane() & 1;
}
static __device__ __forceinline__ unsigned lanes_below(int lane) {
    return lane < FRI_WARP ? (1u << lane) - 1 : FRI_FULL_MASK;
}

/* Whole warp: puts the neighbors of the lanes whose `shared` is not 0 side by side in shared memory, where
 * a load reads one for all lanes. Returns the votes of these lanes. */
static __device__ __forceinline__ unsigned collect(neighbor *tile, int32_t v, fri_bits shared) {
    const unsigned votes = __ballot_sync(FRI_FULL_MASK, shared != 0);
    __syncwarp(); /* the tile has been read */
    if (shared)
        tile[__popc(votes & lanes_below(fri_lane()))] = {shared, v};
    __syncwarp(); /* the tile is written */
    return votes;
}

/* Whole warp: adds the values of the neighbors tile[first .. last - 1]. Loads ABREAST of them at a time, so
 * that the loads overlap, and adds in row order. */
static __device__ __forceinline__ void add_neighbors(const double *paths, int slots,
                                                     const neighbor *tile, int first, int last,
                                                     sums *sum) {
    FRI_ROLLED
    for (; first < last; first += ABREAST) {
        double value[ABREAST][2];
        FRI_UNROLL
        for (int k = 0; k < ABREAST; k++) {
            neighbor x = {};
            if (first + k < last)
                x = tile[first + k];
            const double *of = paths + (int64_t)x.v * slots + fri_lane();
            FRI_UNROLL
            for (int half = 0; half < 2; half++)
                value[k][half] = has(x.shared, half) ? of[half * FRI_WARP] : 0;
        }
        FRI_UNROLL
        for (int k = 0; k < ABREAST; k++) {
            sum->value[0] += value[k][0];
            sum->value[1] += value[k][1];
        }
    }
}

/* How a warp uses the sums of an item. */
namespace {
struct count_paths {
    __device__ __forceinline__ void finish(const brandes &b, int64_t item, fri_bits bits,
                                           const sums &sum) const {
        FRI_UNROLL
        for (int half = 0; half < 2; half++) {
            if (!has(bits, half))
                continue;
            b.paths[item * b.slots + half * FRI_WARP + fri_lane()] = sum.value[half];
            if (!(sum.value[half] <= DBL_MAX))
                fri_racy_store(&b.control[TOO_MANY_PATHS], 1); /* racy: all store 1 */
        }
    }
};

struct add_dependencies {
    __device__ __forceinline__ void finish(const brandes &b, int64_t item, fri_bits bits,
                                           const sums &sum) const {
        double dependency = 0;
        FRI_UNROLL
        for (int half = 0; half < 2; half++) {
            if (!has(bits, half))
                continue;
            double *own = &b.paths[item * b.slots + half * FRI_WARP + fri_lane()];
            const double paths = *own, of_source = sum.value[half] * paths;
            *own = (1 + of_source) / paths;
            dependency += of_source;
        }
        if (!__any_sync(FRI_FULL_MASK, dependency != 0))
            return;
        for (int d = FRI_WARP / 2; d; d /= 2)
            dependency += __shfl_xor_sync(FRI_FULL_MASK, dependency, d);
        if (fri_lane() == 0)
            b.score[item + (int64_t)b.part * b.n] += dependency;
    }
};
} // namespace

/* Whole warp: the rows of items first .. first + count - 1 of a list, joined. */
template <class O, class T>
static __device__ __forceinline__ void
each_short_row(const brandes &b, const fri_level_lists<O> &lists, const fri_csr_view<O> &csr,
               const step &s, neighbor *tile, int word, int64_t first, int count, const T &task) {
    const int lane = fri_lane();
    const int64_t base = (int64_t)word * b.n;
    const double *paths = b.paths + base * b.slots;
    const fri_bits *near = s.near + base;
    int32_t v = 0;
    fri_bits bits = 0;
    O begin = 0;
    int degree = 0, total;
    if (lane < count) {
        const int64_t at = lists.place(word, FRI_LISTS_SHORT, first + lane);
        v = lists.vertex[at];
        bits = lists.bits[at];
        s.own[base + v] = bits;
        begin = csr.offsets[v];
        degree = s.last ? 0 : (int)(csr.offsets[v + 1] - begin);
    }
    const int before = fri_warp_prefix(degree, &total);
    begin -= (O)before;
    /* `window` is the first of 32 edges of the joined rows; a lane has one of the next 32 */
    int window = -FRI_WARP, owner = 0;
    int32_t next = 0;
    unsigned votes = 0;
    const auto fetch = [&](int edge) {
        owner = fri_owner_lane(before, edge);
        const O at = __shfl_sync(FRI_FULL_MASK, begin, owner) + (O)edge;
        next = edge < total ? csr.targets[at] : -1;
    };
    fetch(lane);
    FRI_ROLLED
    for (int k = 0; k < count; k++) {
        const int end = __shfl_sync(FRI_FULL_MASK, before + degree, k);
        int edge = __shfl_sync(FRI_FULL_MASK, before, k);
        sums sum = {};
        FRI_ROLLED
        while (edge < end) {
            if (edge >= window + FRI_WARP) {
                window += FRI_WARP;
                const int32_t u = next;
                const fri_bits of_row = __shfl_sync(FRI_FULL_MASK, bits, owner);
                fetch(window + FRI_WARP + lane); /* in flight while the window is added */
                votes = collect(tile, u, u >= 0 ? of_row & near[u] : 0);
            }
            const int stop = FRI_MIN(end, window + FRI_WARP);
            add_neighbors(paths, b.slots, tile, __popc(votes & lanes_below(edge - window)),
                          __popc(votes & lanes_below(stop - window)), &sum);
            edge = stop;
        }
        task.finish(b, base + __shfl_sync(FRI_FULL_MASK, v, k), __shfl_sync(FRI_FULL_MASK, bits, k),
                    sum);
    }
}

/* Whole block: the row of an item. */
template <class O, class T>
static __device__ __forceinline__ void
long_row(const brandes &b, const fri_level_lists<O> &lists, const fri_csr_view<O> &csr,
         const step &s, neighbor *tile, int word, int64_t place, const T &task) {
    FRI_SHARED(sums, part, BLOCK);
    const int64_t base = (int64_t)word * b.n, at = lists.place(word, FRI_LISTS_LONG, place);
    const int32_t v = lists.vertex[at];
    const fri_bits bits = lists.bits[at];
    const int64_t end = s.last ? 0 : (int64_t)csr.offsets[v + 1];
    sums sum = {};
    if (threadIdx.x == 0)
        s.own[base + v] = bits;
    int64_t e = (int64_t)csr.offsets[v] + threadIdx.x;
    int32_t next = e < end ? csr.targets[e] : -1;
    FRI_ROLLED
    for (; e - fri_lane() < end; e += BLOCK) {
        const int32_t u = next;
        next = e + BLOCK < end ? csr.targets[e + BLOCK] : -1; /* in flight while `u` is added */
        const unsigned votes = collect(tile, u, u >= 0 ? bits & s.near[base + u] : 0);
        add_neighbors(b.paths + base * b.slots, b.slots, tile, 0, __popc(votes), &sum);
    }
    part[threadIdx.x] = sum;
    __syncthreads(); /* all warps' sums are written */
    if (fri_warp())
        return;
    for (int warp = 1; warp < WARPS; warp++)
        for (int half = 0; half < 2; half++)
            sum.value[half] += part[warp * FRI_WARP + fri_lane()].value[half];
    task.finish(b, base + v, bits, sum);
}

/* A row of blocks per word; the first ones have a long row each, since these take longest. */
template <class O, class T>
static __global__ void __launch_bounds__(BLOCK)
    level_kernel(brandes b, fri_level_lists<O> lists, fri_csr_view<O> csr, step s, T task) {
    FRI_SHARED(neighbor, tiles, BLOCK);
    neighbor *tile = tiles + fri_warp() * FRI_WARP;
    const int word = (int)blockIdx.y;
    const int64_t threads = (int64_t)gridDim.x * BLOCK;
    FRI_ROLLED
    for (int kind = 0; kind < FRI_LISTS_KINDS; kind++) {
        const fri_list_range old = s.old.of[word][kind];
        for (int64_t i = fri_thread_of_grid(); i < old.count; i += threads) {
            const int32_t v = lists.vertex[lists.place(word, kind, old.first + i)];
            s.stale[(int64_t)word * b.n + v] = 0;
        }
    }
    const fri_list_range longs = s.now.of[word][FRI_LISTS_LONG],
                         shorts = s.now.of[word][FRI_LISTS_SHORT];
    if ((int32_t)blockIdx.x < longs.count) {
        long_row(b, lists, csr, s, tile, word, longs.first + blockIdx.x, task);
        return;
    }
    const int64_t at = (((int64_t)blockIdx.x - longs.count) * WARPS + fri_warp()) * s.each;
    if (at < shorts.count)
        each_short_row(b, lists, csr, s, tile, word, shorts.first + at,
                       (int)FRI_MIN(shorts.count - at, (int64_t)s.each), task);
}

/* An entry of level 0 per thread: a source has one path to itself. */
template <class O>
static __global__ void sources_kernel(brandes b, fri_level_lists<O> lists, fri_list_level level) {
    const int word = (int)blockIdx.y;
    int64_t i = fri_thread_of_grid();
    for (int kind = 0; kind < FRI_LISTS_KINDS; kind++) {
        const fri_list_range range = level.of[word][kind];
        if (i >= 0 && i < range.count) {
            const int64_t at = lists.place(word, kind, range.first + i);
            const int64_t item = (int64_t)word * b.n + lists.vertex[at];
            b.there[0][item] = lists.bits[at];
            for (fri_bits left = lists.bits[at]; left; left &= left - 1)
                b.paths[item * b.slots + __ffsll((long long)left) - 1] = 1;
        }
        i -= range.count;
    }
}

/* A source per thread: few leading zeros first, that is by descending bits of the degree, then by number. */
template <class O>
static __global__ void degree_kernel(fri_csr_view<O> out, const int32_t *sources, int64_t count,
                                     unsigned long long *keys) {
    const int64_t i = fri_thread_of_grid();
    if (i >= count)
        return;
    const int32_t v = sources ? sources[i] : (int32_t)i;
    const int zeros = __clzll((long long)(out.offsets[v + 1] - out.offsets[v]));
    keys[i] = (unsigned long long)zeros << 32 | (uint32_t)v;
}

static __global__ void add_parts_kernel(brandes b) {
    const int64_t v = fri_thread_of_grid();
    double sum = 0;
    if (v >= b.n)
        return;
    for (int i = 0; i < b.spread; i++)
        sum += b.score[(int64_t)i * b.n + v];
    b.score[v] = sum;
}

/* ---- host -------------------------------------------------------------------------------- */

/* Indices of job.knob, after those of searches.cuh. */
enum { KNOB_SLOTS = FRI_SEARCHES_BLOCK + 1, KNOB_COUNT, KNOB_SPREAD };
/* Items of a batch of more than a word: they fill a GPU at every level of a mesh. */
enum { MAX_ITEMS = 1 << 25 };

static int slots_of(const fri_gpu *g) { return (int)g->job->knob[KNOB_SLOTS]; }
static int64_t at_once(const fri_gpu *g) { return (int64_t)fri_searches_words(g) * slots_of(g); }

static brandes carve(const fri_gpu *g, char **at) {
    brandes b = {};
    const int64_t items = (int64_t)fri_searches_words(g) * g->n;
    b.n = g->n;
    b.slots = slots_of(g);
    b.spread = (int32_t)g->job->knob[KNOB_SPREAD];
    fri_carve_array(at, &b.paths, items * b.slots);
    fri_carve_array(at, &b.score, (int64_t)b.spread * g->n);
    fri_carve_array(at, &b.sources, (int64_t)g->job->knob[KNOB_COUNT]);
    b.control = g->control;
    return b;
}
static size_t device_scratch(const fri_gpu *g) {
    static char none;
    char *at = &none;
    fri_lists_carve<uint32_t>(g, slots_of(g), &at);
    return (size_t)(at - &none) + fri_carved_bytes(g, carve) + fri_searches_bytes(g);
}

/* The words of a batch if there is enough memory. */
static int words_of(const fr_csr *csr, int64_t count) {
    const int64_t n = csr->n;
    if (count > MESH_SOURCES && n * FRI_MANY_MAX_WORDS <= MAX_ITEMS &&
        fri_call_levels(csr) > MESH_LEVELS)
        return FRI_MANY_MAX_WORDS;
    return count > 64 && n * FRI_SEARCHES_MOST <= MAX_ITEMS ? FRI_SEARCHES_MOST : 1;
}

/* The words of a batch, if they leave half of the memory; else fewer, and fewer sources than 64 if not even
 * a word fits, or if there are not so many. Otherwise the allocation fails with a message of sizes. */
static fr_status plan(fri_gpu_call *call, int64_t count) {
    double *knob = call->job.knob;
    bool fits = false;
    knob[KNOB_SLOTS] = 64;
    knob[KNOB_COUNT] = (double)count;
    knob[FRI_SEARCHES_BLOCK] = FR_KNOB_AUTO;
    knob[FRI_SEARCHES_WORDS] = knob[KNOB_SPREAD] = words_of(&call->job.csr, count);
    while (!fits && knob[FRI_SEARCHES_WORDS] > 1) {
        FRI_GPU_TRY(fri_gpu_call_fits(call, 1, &fits));
        if (!fits)
            knob[FRI_SEARCHES_WORDS] =
                knob[FRI_SEARCHES_WORDS] > FRI_SEARCHES_MOST ? FRI_SEARCHES_MOST : 1;
    }
    while (!fits && knob[KNOB_SLOTS] > 1) {
        if (knob[KNOB_SLOTS] / 2 < (double)count)
            FRI_GPU_TRY(fri_gpu_call_fits(call, 0, &fits));
        if (!fits)
            knob[KNOB_SLOTS] /= 2;
    }
    return FR_OK;
}

template <class O> struct batch {
    brandes b;
    fri_level_lists<O> lists;
    fri_many<O> searches;
    size_t zeroed;
};

template <class O> static batch<O> carve_batch(const fri_gpu *g, char *at) {
    batch<O> p = {};
    p.b = carve(g, &at);
    p.lists = fri_lists_carve<O>(g, p.b.slots, &at);
    p.searches = fri_searches_carve<O>(g, &at, &p.zeroed);
    p.b.there[0] = p.searches.seen; /* not needed after the searches */
    p.b.there[1] = p.searches.frontier[0];
    p.b.there[2] = p.searches.frontier[1];
    return p;
}

/* Launches a level; `forward`: from level - 1. */
template <class O, class T>
static void run_level(fri_gpu *g, const batch<O> &p, const fri_list_level *levels, int32_t level,
                      int32_t deepest, bool forward, const T &task) {
    const int direction = forward ? 1 : -1, old = level - 2 * direction;
    step s = {};
    int64_t all = 0;
    unsigned blocks = 1;
    s.now = levels[level + 1];
    if (old >= 0 && old <= deepest)
        s.old = levels[old + 1];
    s.near = p.b.there[(level - direction + 3) % 3];
    s.own = p.b.there[level % 3];
    s.stale = p.b.there[(level + direction) % 3];
    s.last = !forward && level == deepest;
    for (int w = 0; w < p.lists.words; w++)
        all += s.now.of[w][FRI_LISTS_SHORT].count;
    s.each = (int)FRI_MAX(FRI_MIN(all / (g->multiprocessors * WAVES), (int64_t)MAX_EACH), 1);
    for (int w = 0; w < p.lists.words; w++) {
        const fri_list_range *of = s.now.of[w];
        blocks = FRI_MAX(blocks, (unsigned)of[FRI_LISTS_LONG].count +
                                     fri_gpu_blocks(of[FRI_LISTS_SHORT].count, WARPS * s.each));
    }
    FRI_RUN((level_kernel<O, T>), dim3(blocks, (unsigned)p.lists.words), BLOCK, p.b, p.lists,
            forward ? p.searches.in : p.searches.out, s, task);
}

static fr_status check_paths(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_read_control(g, TOO_MANY_PATHS, 1));
    return g->host_control[TOO_MANY_PATHS]
               ? fri_fail(g->job->ctx, FR_OVERFLOW,
                          "the number of shortest paths does not fit double")
               : FR_OK;
}

/* Counts paths down to the deepest level, and sums the dependencies from there up to level 1. */
template <class O>
static fr_status walk(fri_gpu *g, const batch<O> &p, const fri_list_level *levels,
                      int32_t deepest) {
    const dim3 blocks(fri_gpu_blocks(at_once(g), BLOCK), (unsigned)p.lists.words);
    for (fri_bits *there : p.b.there)
        FRI_GPU_TRY(
            fri_gpu_zero(g, there, fri_bytes((int64_t)p.lists.words * g->n, sizeof *there)));
    FRI_RUN((sources_kernel<O>), blocks, BLOCK, p.b, p.lists, levels[1]);
    for (int32_t d = 1; d <= deepest; d++)
        run_level(g, p, levels, d, deepest, true, count_paths{});
    FRI_GPU_TRY(check_paths(g));
    for (int32_t d = deepest; d > 0; d--)
        run_level(g, p, levels, d, deepest, false, add_dependencies{});
    return FR_OK;
}

static int by_key(const void *a, const void *b) {
    const unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;
    return x < y ? -1 : x > y;
}

/* Sends the sources, those of like degrees together. sorted, list: [count]. */
template <class O>
static fr_status sort_sources(fri_gpu *g, const batch<O> &p, const int32_t *sources, int64_t count,
                              unsigned long long *sorted, int32_t *list) {
    unsigned long long *keys = (unsigned long long *)p.b.paths; /* not needed before the searches */
    const size_t bytes = fri_bytes(count, sizeof *sources);
    if (sources)
        FRI_GPU_TRY(fri_gpu_upload(g, p.b.sources, sources, bytes));
    FRI_RUN_EACH((degree_kernel<O>), count, BLOCK, p.searches.out, sources ? p.b.sources : NULL,
                 count, keys);
    FRI_GPU_TRY(fri_gpu_download(g, sorted, keys, fri_bytes(count, sizeof *keys)));
    qsort(sorted, (size_t)count, sizeof *sorted, by_key);
    for (int64_t i = 0; i < count; i++)
        list[i] = (int32_t)sorted[i];
    return fri_gpu_upload(g, p.b.sources, list, bytes);
}

template <class O>
static fr_status send_sources(fri_gpu *g, const batch<O> &p, const int32_t *sources,
                              int64_t count) {
    fr_ctx *ctx = g->job->ctx;
    unsigned long long *sorted =
        (unsigned long long *)fri_alloc(ctx, fri_bytes(count, sizeof *sorted));
    int32_t *list = (int32_t *)fri_alloc(ctx, fri_bytes(count, sizeof *list));
    const fr_status status =
        sorted && list ? sort_sources(g, p, sources, count, sorted, list) : FR_NOMEM;
    fri_free(sorted);
    fri_free(list);
    return status;
}

template <class O>
static fr_status search(fri_gpu *g, const batch<O> &p, const fri_many_phase &phase,
                        fri_many_control *end) {
    if (p.lists.words <= FRI_SEARCHES_MOST)
        return fri_searches_run(g, p.searches, p.zeroed, p.lists, phase, end);
    const int threads = fri_gpu_threads_per_block(g, FRI_SEARCHES_BLOCK, FRI_MANY_THREADS);
    return fri_many_run<FRI_MANY_MAX_WORDS>(g, p.searches, p.zeroed, p.lists, threads, phase, end);
}

template <class O>
static fr_status run_batch(fri_gpu *g, const batch<O> &p, const fri_many_phase &phase) {
    fri_many_control end;
    fri_list_level *levels = NULL;
    FRI_GPU_TRY(fri_lists_clear(g, p.lists));
    FRI_GPU_TRY(search(g, p, phase, &end));
    FRI_GPU_TRY(fri_lists_read(g, p.lists, end.deepest, &levels));
    const fr_status status = walk(g, p, levels, end.deepest);
    fri_free(levels);
    return status;
}

template <class O>
static fr_status run(fri_gpu *g, const int32_t *sources, int64_t count, double *score) {
    batch<O> p = carve_batch<O>(g, g->scratch);
    FRI_GPU_TRY(fri_gpu_zero(g, p.b.score, fri_bytes((int64_t)p.b.spread * g->n, sizeof *score)));
    FRI_GPU_TRY(send_sources(g, p, sources, count));
    for (int64_t first = 0; first < count; first += p.searches.count) {
        p.searches.sources = p.b.sources + first;
        p.b.part = (int32_t)(first / 64 % p.b.spread); /* as if the batch had all words */
        p.searches.count = (int32_t)FRI_MIN(at_once(g), count - first);
        FRI_GPU_TRY(run_batch(g, p, {"computing betweenness", first, count}));
    }
    FRI_RUN_EACH(add_parts_kernel, g->n, BLOCK, p.b);
    return fri_gpu_download_array(g, "computing betweenness", score, p.b.score, g->n,
                                  sizeof *score);
}

FRI_GPU_CALL_STRATEGY(strategy, "betweenness", FR_PROBLEM_BFS, FRI_NEEDS_IN_EDGES, device_scratch);

fr_status fri_gpu_betweenness(fr_ctx *ctx, const fr_graph *graph, const int32_t *sources,
                              int64_t count, double *score) {
    fri_gpu_call call;
    if (!graph->csr.n)
        return FR_OK;
    fri_gpu_call_bind(&call, ctx, graph, &strategy);
    return fri_gpu_call_run(&call, plan(&call, count), [&](fri_gpu *g) {
        fr_status status = FR_OK;
        FRI_BY_OFFSET_TYPE(g, status = run<O>(g, sources, count, score));
        return status;
    });
}
