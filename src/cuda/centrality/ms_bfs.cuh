/* Multi-source BFS (MS-BFS): searches from many sources at once, with the vertices of every level and
 * the sources that reach them there.
 *
 * Source: M. Then, M. Kaufmann, F. Chirigati, T.-A. Hoang-Vu, K. Pham, A. Kemper, T. Neumann, H. T.
 *   Vo: The more the merrier: efficient multi-source graph traversal, VLDB 2014.
 * Idea: a group has up to 32 sources, each with a slot: a bit of one word per vertex. The word of a
 *   vertex in a group is an item, and several groups advance together. A level is a list of
 *   entries: an item, and the slots that are new there. All levels are kept, so that a caller can
 *   process them in reverse. A row whose targets are all seen costs a test per edge and no atomic.
 * Launches: one per level here; the caller adds its own, which settle the next level. Atomics: one
 * per item, level and edge that adds slots; one per warp that lists items.
 *
 * Level d of the loop: the push kernel lists the items of level d + 1, then the caller's kernel
 * calls fri_ms_bfs_settle() for each of them. The host launches both without reading results, because
 * the bounds of levels are on the device. Of three arrays of words one holds level d, one receives
 * level d + 1, one is cleared. */
#ifndef FRI_CUDA_CENTRALITY_MS_BFS_CUH
#define FRI_CUDA_CENTRALITY_MS_BFS_CUH

#include "cuda/drivers/graph_call.h"
#include "cuda/prim/append.cuh"
#include "cuda/prim/device.cuh"

/* LONG_ROW: all warps of a block share a row with more edges; BLOCKS: per multiprocessor; CHECK:
 * the most levels launched before the host reads their bounds. */
#ifdef FRI_SIMT /* small, since every thread costs time */
enum {
    FRI_MS_BFS_BLOCK = 64,
    FRI_MS_BFS_LONG_ROW = 40,
    FRI_MS_BFS_BLOCKS = 1,
    FRI_MS_BFS_CHECK = 8
};
#else
enum {
    FRI_MS_BFS_BLOCK = 512,
    FRI_MS_BFS_LONG_ROW = 512,
    FRI_MS_BFS_BLOCKS = 8,
    FRI_MS_BFS_CHECK = 64
};
#endif
enum { FRI_MS_BFS_SLOTS = 32, FRI_MS_BFS_WARPS = FRI_MS_BFS_BLOCK / FRI_WARP };

struct fri_ms_bfs_entry {
    uint32_t item; /* group * n + vertex */
    uint32_t slots;
};

struct fri_ms_bfs {
    int32_t n;
    int32_t slots; /* per group: 1, 2, 4 .. 32 */
    int64_t items;
    uint32_t *seen;             /* [items] slots that have reached the item */
    uint32_t *word[3];          /* [items] */
    fri_ms_bfs_entry *list;     /* [items * slots] by level */
    unsigned long long *bounds; /* [n + FRI_MS_BFS_CHECK + 4] level d: list[bounds[d]] .. [d + 1] */
};

static __device__ __forceinline__ int64_t fri_thread_of_grid() {
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Sets each source's slot and lists it. bounds[0 .. 2] describe level 0 and an empty level 1. */
static __global__ void fri_ms_bfs_begin_kernel(fri_ms_bfs w, const int32_t *sources, int32_t first,
                                               int32_t count) {
    const int64_t i = fri_thread_of_grid();
    if (i < 3)
        w.bounds[i] = i ? (unsigned long long)count : 0;
    if (i >= count)
        return;
    const int32_t source = sources ? sources[i] : first + (int32_t)i;
    const uint32_t item = (uint32_t)(i / w.slots * w.n + source), bit = 1u << i % w.slots;
    w.list[i] = {item, bit};
    w.seen[item] = w.word[0][item] = bit; /* sources are distinct */
}

/* Clears the words of a level, by all threads of the grid. */
static __device__ __forceinline__ void fri_ms_bfs_clear(const fri_ms_bfs &w, uint32_t *word,
                                                        int64_t level) {
    const int64_t end = (int64_t)w.bounds[level + 1], step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)w.bounds[level] + fri_thread_of_grid(); i < end; i += step)
        word[w.list[i].item] = 0;
}

/* A block processes FRI_MS_BFS_WARPS entries at a time, one per warp. Their stride is the number of
 * blocks: entries next to each other in the list are often all hubs, and go to different blocks. */
static __device__ __forceinline__ int64_t fri_ms_bfs_first(const fri_ms_bfs &w, int64_t level) {
    return (int64_t)w.bounds[level] + blockIdx.x;
}
static __device__ __forceinline__ int64_t fri_ms_bfs_place(int64_t first, int index) {
    return first + (int64_t)index * gridDim.x;
}

/* The rows of a block's entries; the same in all its warps. */
template <class O> struct fri_ms_bfs_rows {
    uint32_t item; /* of this lane's entry, below FRI_MS_BFS_WARPS */
    O begin, end;
    unsigned longs; /* bit i: entry i has a long row */
};

template <class O>
static __device__ __forceinline__ fri_ms_bfs_rows<O>
fri_ms_bfs_rows_from(const fri_ms_bfs &w, const fri_csr_view<O> &csr, int64_t first, int64_t end) {
    fri_ms_bfs_rows<O> rows = {0, 0, 0, 0};
    const int64_t at = fri_ms_bfs_place(first, fri_lane());
    if (fri_lane() < FRI_MS_BFS_WARPS && at < end) {
        rows.item = w.list[at].item;
        const uint32_t v = rows.item % (uint32_t)w.n;
        rows.begin = csr.offsets[v];
        rows.end = csr.offsets[v + 1];
    }
    rows.longs = __ballot_sync(FRI_FULL_MASK, rows.end - rows.begin > FRI_MS_BFS_LONG_ROW);
    return rows;
}

/* The edges of entry `index` that this warp processes: 32 consecutive edges per step. `begin` is
 * the lane's first edge. */
template <class O> struct fri_ms_bfs_row {
    uint32_t item, base; /* base: the group's first item */
    O begin, end;
    int step; /* edges between two steps of this warp */
};

template <class O>
static __device__ __forceinline__ fri_ms_bfs_row<O>
fri_ms_bfs_row_of(const fri_ms_bfs &w, const fri_ms_bfs_rows<O> &rows, int index) {
    const bool is_long = rows.longs >> index & 1;
    fri_ms_bfs_row<O> row;
    row.item = __shfl_sync(FRI_FULL_MASK, rows.item, index);
    row.begin = __shfl_sync(FRI_FULL_MASK, rows.begin, index);
    row.end = __shfl_sync(FRI_FULL_MASK, rows.end, index);
    row.base = row.item - row.item % (uint32_t)w.n;
    row.step = is_long ? FRI_MS_BFS_BLOCK : FRI_WARP;
    if (is_long)
        row.begin = row.end - row.begin > (O)(fri_warp() * FRI_WARP)
                        ? row.begin + (O)(fri_warp() * FRI_WARP)
                        : row.end;
    return row;
}

/* Sets `slots` in the targets of a row, and lists items whose word was zero. */
template <class O>
static __device__ __forceinline__ void
fri_ms_bfs_push_row(const fri_ms_bfs &w, const fri_csr_view<O> &csr, uint32_t *next,
                    unsigned long long *tail, const fri_ms_bfs_row<O> &row, uint32_t slots) {
    for (O left = row.end - row.begin, e = row.begin; left; e += (O)row.step) {
        uint32_t item = 0, fresh = 0;
        if ((O)fri_lane() < left) {
            item = row.base + (uint32_t)csr.targets[e + (O)fri_lane()];
            fresh = slots & ~w.seen[item];
        }
        /* racy test: avoids atomics that set no bit */
        bool first = fresh && (fresh & ~fri_racy_load(&next[item]));
        first = first && atomicOr(&next[item], fresh) == 0; /* one thread per item sees the 0 */
        const unsigned long long at = fri_warp_place(csr, first ? 1ull : 0ull, tail);
        if (first)
            w.list[at].item = item;
        left = left > (O)row.step ? left - (O)row.step : 0;
    }
}

/* Pushes level d to d + 1. `next` must be zero; `old`, of level d - 1, is cleared. bounds[d + 2]
 * must equal bounds[d + 1], and grows. */
template <class O>
static __global__ void __launch_bounds__(FRI_MS_BFS_BLOCK)
    fri_ms_bfs_push_kernel(fri_ms_bfs w, fri_csr_view<O> csr, int32_t level, uint32_t *next,
                           uint32_t *old) {
    const int64_t end = (int64_t)w.bounds[level + 1];
    if (level > 0)
        fri_ms_bfs_clear(w, old, level - 1);
    for (int64_t first = fri_ms_bfs_first(w, level); first < end;
         first = fri_ms_bfs_place(first, FRI_MS_BFS_WARPS)) {
        const fri_ms_bfs_rows<O> rows = fri_ms_bfs_rows_from(w, csr, first, end);
        const unsigned own = fri_ms_bfs_place(first, fri_warp()) < end ? 1u << fri_warp() : 0;
        for (unsigned mine = rows.longs | own; mine; mine &= mine - 1) {
            const int i = __ffs((int)mine) - 1;
            fri_ms_bfs_push_row(w, csr, next, &w.bounds[level + 2], fri_ms_bfs_row_of(w, rows, i),
                                w.list[fri_ms_bfs_place(first, i)].slots);
        }
    }
}

/* Called by the thread that processes list[at]: stores its slots, now complete, and marks them
 * seen. */
static __device__ __forceinline__ void fri_ms_bfs_settle(const fri_ms_bfs &w, int64_t at,
                                                         uint32_t item, uint32_t slots) {
    w.list[at].slots = slots;
    w.seen[item] |= slots;
}

/* Called by one thread of the kernel that settles level d: level d + 1 begins where d ends. */
static __device__ __forceinline__ void fri_ms_bfs_open_level(const fri_ms_bfs &w, int64_t level) {
    if (fri_thread_of_grid() == 0)
        w.bounds[level + 2] = w.bounds[level + 1];
}

/* ---- host -------------------------------------------------------------------------------- */

/* Indices of job.knob, which fri_ms_bfs_plan sets before the call is opened. */
enum { FRI_MS_BFS_KNOB_GROUPS, FRI_MS_BFS_KNOB_SLOTS };
/* No groups are added beyond this number of items, which fills a GPU at every level of a mesh. */
enum { FRI_MS_BFS_MAX_ITEMS = 1 << 25 };

static inline int64_t fri_ms_bfs_items(const fri_gpu *g) {
    return (int64_t)g->job->knob[FRI_MS_BFS_KNOB_GROUPS] * g->n;
}
static inline int fri_ms_bfs_slots(const fri_gpu *g) {
    return (int)g->job->knob[FRI_MS_BFS_KNOB_SLOTS];
}
static inline int64_t fri_ms_bfs_sources(const fri_gpu *g) {
    return (int64_t)g->job->knob[FRI_MS_BFS_KNOB_GROUPS] * fri_ms_bfs_slots(g);
}
static inline size_t fri_ms_bfs_bounds_bytes(const fri_gpu *g) {
    return fri_bytes((int64_t)g->n + FRI_MS_BFS_CHECK + 4, sizeof(unsigned long long));
}

static inline size_t fri_ms_bfs_bytes(const fri_gpu *g) {
    return 4 * fri_align_line(fri_bytes(fri_ms_bfs_items(g), sizeof(uint32_t))) +
           fri_align_line(
               fri_bytes(fri_ms_bfs_items(g) * fri_ms_bfs_slots(g), sizeof(fri_ms_bfs_entry))) +
           fri_align_line(fri_ms_bfs_bounds_bytes(g));
}

static inline fri_ms_bfs fri_ms_bfs_carve(const fri_gpu *g, char **at) {
    fri_ms_bfs w = {};
    w.n = g->n;
    w.slots = fri_ms_bfs_slots(g);
    w.items = fri_ms_bfs_items(g);
    w.seen = (uint32_t *)fri_carve(at, fri_bytes(w.items, sizeof *w.seen));
    for (uint32_t *&word : w.word)
        word = (uint32_t *)fri_carve(at, fri_bytes(w.items, sizeof *word));
    w.list = (fri_ms_bfs_entry *)fri_carve(at, fri_bytes(w.items * w.slots, sizeof *w.list));
    w.bounds = (unsigned long long *)fri_carve(at, fri_ms_bfs_bounds_bytes(g));
    return w;
}

/* Chooses the most groups that the sources fill, that FRI_MS_BFS_MAX_ITEMS permits, and that fit the
 * free memory twice; fewer slots if not even one group fits. */
static inline fr_status fri_ms_bfs_plan(fri_gpu_call *call, int64_t count) {
    const int64_t n = call->job.csr.n;
    int64_t slots = FRI_MS_BFS_SLOTS, groups = (count + slots - 1) / slots;
    bool fits = false;
    groups = FRI_MAX(1, FRI_MIN(groups, FRI_MS_BFS_MAX_ITEMS / n));
    for (; slots > 1 && slots / 2 >= count; slots /= 2)
        ;
    while (!fits) {
        call->job.knob[FRI_MS_BFS_KNOB_GROUPS] = (double)groups;
        call->job.knob[FRI_MS_BFS_KNOB_SLOTS] = (double)slots;
        FRI_GPU_TRY(fri_gpu_call_fits(call, groups > 1 ? 1 : 0, &fits));
        if (groups == 1 && slots == 1) /* the allocation then fails with a message of sizes */
            return FR_OK;
        slots = fits || groups > 1 ? slots : slots / 2;
        groups = fits ? groups : FRI_MAX(1, groups / 2);
    }
    return FR_OK;
}

static inline unsigned fri_ms_bfs_grid(const fri_gpu *g) {
    return (unsigned)(g->multiprocessors * FRI_MS_BFS_BLOCKS);
}

static inline fr_status fri_ms_bfs_zero(fri_gpu *g, uint32_t *words, int64_t count) {
    return fri_gpu_zero(g, words, fri_bytes(count, sizeof *words));
}

static inline fr_status fri_ms_bfs_begin(fri_gpu *g, const fri_ms_bfs &w, const int32_t *sources,
                                         int32_t first, int32_t count) {
    FRI_GPU_TRY(fri_ms_bfs_zero(g, w.seen, w.items));
    for (uint32_t *word : w.word)
        FRI_GPU_TRY(fri_ms_bfs_zero(g, word, w.items));
    FRI_RUN_EACH(fri_ms_bfs_begin_kernel, count + 3, FRI_MS_BFS_BLOCK, w, sources, first, count);
    return FR_OK;
}

/* The caller's part of a batch. `settle` launches the caller's kernel for one level. */
struct fri_ms_bfs_task {
    void (*settle)(fri_gpu *g, const fri_ms_bfs &w, int32_t level, void *arg);
    void *arg;
    const char *phase;   /* for fri_progress */
    int64_t done, total; /* sources */
};

/* Runs all levels of a batch. *levels: the number of levels with entries. */
static inline fr_status fri_ms_bfs_run(fri_gpu *g, const fri_ms_bfs &w, const fri_ms_bfs_task &task,
                                       int32_t *levels) {
    unsigned long long bounds[FRI_MS_BFS_CHECK + 2]; /* of the levels from `level` on */
    int32_t level = 0, some = 1;
    for (bool more = true; more; some = FRI_MIN(2 * some, (int32_t)FRI_MS_BFS_CHECK)) {
        FRI_GPU_TRY(fri_progress(g->job->ctx, task.phase, task.done, task.total));
        for (int32_t i = level; i < level + some; i++) {
            FRI_BY_OFFSET_TYPE(g, FRI_RUN((fri_ms_bfs_push_kernel<O>), fri_ms_bfs_grid(g),
                                          FRI_MS_BFS_BLOCK, w, fri_csr_view_of<O>(g->out), i,
                                          w.word[(i + 1) % 3], w.word[(i + 2) % 3]));
            task.settle(g, w, i + 1, task.arg);
        }
        FRI_GPU_TRY(
            fri_gpu_download(g, bounds, w.bounds + level, (size_t)(some + 2) * sizeof *bounds));
        int32_t filled = 0;
        while (filled < some && bounds[filled + 2] > bounds[filled + 1])
            filled++;
        more = filled == some;
        level += filled;
        if (more)
            FRI_GPU_TRY(fri_gpu_check_steps(g->job, "levels", level, g->n));
    }
    *levels = level + 1;
    return FR_OK;
}

#endif
