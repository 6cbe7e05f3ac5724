/* BFS that gathers adjacency by block, warp or scan and culls duplicates before they cost work.
 *
 * Source: Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal", PPoPP 2012: expand-contract
 *   and two-phase; gathering by CTA, warp and scan; status lookup; warp and history culling;
 *   enqueueing by prefix sum. Known through BFS-4K (sections 3, 5.1 and 6; row [16] of its Table
 *   2), XBFS (section 1.1, B40C) and the authors' B40C, whose kernel configurations are the
 *   defaults here (128 threads, 32 edges for a warp, 128 slots per warp's table). Parts are named
 *   here, not numbered: the paper itself was not available. scan_gather=2: merge path, see its
 *   header.
 * Idea: every neighbor passes increasingly expensive filters: a bitmask kept with best effort, the
 *   label, a table of its warp, a table of its block, then the claim. With phases=1 one kernel per
 *   level does it all; with phases=2 a first kernel writes the edge frontier to memory and a second
 *   one contracts it to vertices, a thread per edge.
 * Differs: contract-expand and the hybrid of it and two-phase are omitted. The default
 *   claim is atomicCAS on the label, so that a vertex is queued once; claim=0 is B40C's plain
 *   label, which lets duplicates of other blocks pass. Culling comes between lookup and claim; with
 *   claim=0 and phases=1 it applies to the dequeued vertices, as in B40C. Lanes compete for their
 *   warp by ballot, not through shared memory. Tiles are assigned to the blocks cyclically. Space
 *   in the queues is reserved per iteration, not once for a tile's whole adjacency. Overflow, which
 *   B40C reports: edges that do not fit into the edge frontier are contracted where they were
 *   gathered; a vertex queue overfilled by claim=0 is written again from the labels, each vertex
 *   once.
 * Needs: nothing. Scratch: two queues, a bitmask, with phases=2 two words per edge (fewer
 *   with the knob `capacity`).
 *   Work: n + m, with claim=0 the duplicates' edges too. Launches: `phases` per level. Atomics: a
 *     claim per target that no filter stops, an append per block and iteration.
 * Good at: mixed degrees. Bad at: small frontiers (some barriers per iteration and a launch or
 *   two).
 * Measured on an H200: slower than hier-queue and bfs4k, which keep many levels in one launch, on all
 *   18 graphs of BFS-4K's Table 2; faster than simple on 10 of them (papers/pages/bfs-4k.md).
 */
#include "papers/vertex_queues.cuh"
#include "cuda/prim/append.cuh"
#include "cuda/prim/device.cuh"
#include "papers/bfs/gather.cuh"

#include <string.h>

/* ---- local duplicate culling ----
 *
 * Small tables in shared memory that catch most, but not all, duplicates: warp culling and history culling.
 * Duplicates that pass cause redundant but correct work; a culled vertex is always kept by another thread of the
 * same block in the same launch. */

/* Called by all lanes of the warp, with the warp's own table of `entries` words; v < 0: none. Of the
 * lanes with the same v one keeps it and the others get -1; lanes whose entry was taken by another
 * vertex all keep theirs. `counted`: as in FRI_COUNT. */
template <class C>
static __device__ __forceinline__ int32_t fri_warp_cull(const C &counted, int32_t v, int32_t *table,
                                                        int entries) {
    int32_t *entry = &table[v < 0 ? 0 : v % entries];
    if (v >= 0)
        fri_racy_store(entry, v); /* racy: any of the vertices may remain */
    __syncwarp();                 /* all vertices are written */
    bool kept = v >= 0 && fri_racy_load(entry) == v;
    __syncwarp(); /* all have read the entry before lanes replace it */
    FRI_COUNT(counted, FR_COUNTER_CONFLICTS, v >= 0 && !kept);
    if (kept)
        fri_racy_store(entry, fri_lane()); /* racy: the lane that remains keeps v */
    __syncwarp();                          /* all lanes are written */
    bool duplicate = kept && fri_racy_load(entry) != fri_lane();
    __syncwarp(); /* all have read the entry before the next call */
    FRI_COUNT(counted, FR_COUNTER_DUPLICATES_FOUND, duplicate);
    return duplicate ? -1 : v;
}

/* Called by any thread; `seen` has `entries` words, -1 at first. -1 when a thread of the block
 * recently kept the same v. Racy: two threads that test at the same time both keep it. */
template <class C>
static __device__ __forceinline__ int32_t fri_history_cull(const C &counted, int32_t v,
                                                           int32_t *seen, int entries) {
    if (v < 0)
        return -1;
    if (fri_racy_load(&seen[v % entries]) == v) {
        FRI_COUNT(counted, FR_COUNTER_DUPLICATES_FOUND, 1);
        return -1;
    }
    fri_racy_store(&seen[v % entries], v);
    return v;
}

namespace {

enum knob_index {
    BLOCK,
    PHASES,
    BY_BLOCK,
    BY_WARP,
    REST,
    WARP_CULL,
    HISTORY,
    BITMASK,
    CLAIM,
    CAPACITY
};
/* 64-bit counters at the start of the control words */
enum tail { VERTICES, EDGES, EXAMINED, TAILS };

/* A level: the knobs, the frontier and the destination of the next one. */
struct level_args {
    int32_t depth, size;
    int32_t *level, *parent;
    uint32_t *mask; /* NULL: no bitmask */
    const int32_t *queue;
    int32_t *next;
    int32_t *edge_vertex, *edge_parent;         /* the edge frontier; NULL: one phase */
    unsigned long long capacity, edge_capacity; /* entries of next and of the edge frontier */
    unsigned long long *tail, *counts;          /* [TAILS]; [FR_COUNTER_COUNT] for FRI_COUNT */
    fri_gather_plan plan;
    int warp_slots, history_slots; /* 0: no such culling */
    bool atomic;
};

/* The tables for culling, in the block's shared memory. */
struct tables {
    int32_t *history; /* the block's */
    int32_t *warp;    /* this warp's */
};

} // namespace

static size_t table_bytes(const level_args &a, int block) {
    return ((size_t)a.history_slots + (size_t)(block / FRI_WARP) * (size_t)a.warp_slots) *
           sizeof(int32_t);
}

/* All threads of the block: clears the culling tables; ends with a barrier. */
static __device__ tables clean_tables(const level_args &a, int32_t *memory) {
    for (int i = (int)threadIdx.x; i < a.history_slots; i += (int)blockDim.x)
        memory[i] = -1;
    __syncthreads(); /* the tables are empty */
    return {memory, memory + a.history_slots + fri_warp() * a.warp_slots};
}

/* All lanes of the warp; v < 0: none. */
static __device__ int32_t cull(const level_args &a, tables t, int32_t v) {
    if (a.warp_slots)
        v = fri_warp_cull(a, v, t.warp, a.warp_slots);
    if (a.history_slots)
        v = fri_history_cull(a, v, t.history, a.history_slots);
    return v;
}

/* The paper's position for culling in expand-contract: as vertices leave the queue. It is useful
 * there only if the claim lets duplicates in. */
static __device__ bool culls_vertices(const level_args &a) { return !a.atomic && !a.edge_vertex; }

/* Whether v has been found, with best effort: a bit that a racing store loses only costs another
 * test, and a bit is set only for a vertex that has or gets its level in this launch. */
static __device__ bool status_lookup(const level_args &a, int32_t v) {
    if (a.mask) {
        uint32_t *word = &a.mask[v >> 5], bit = 1u << (v & 31), old = fri_racy_load(word);
        if (old & bit)
            return true;
        fri_racy_store(word, old | bit);
    }
    /* racy: a claim that is not seen fails later, or is a duplicate */
    return fri_racy_load(&a.level[v]) >= 0;
}

static __device__ bool claim(const level_args &a, int32_t v, int32_t u) {
    FRI_COUNT(a, FR_COUNTER_ATOMICS, a.atomic);
    if (a.atomic && atomicCAS(&a.level[v], -1, a.depth + 1) != -1) {
        FRI_COUNT(a, FR_COUNTER_DUPLICATES_FOUND, 1);
        return false;
    }
    if (!a.atomic) {
        FRI_COUNT(a, FR_COUNTER_DUPLICATES_MISSED, atomicExch(&a.level[v], a.depth + 1) != -1);
        fri_racy_store(&a.level[v], a.depth + 1); /* racy: all store the same value */
    }
    FRI_COUNT(a, FR_COUNTER_ENQUEUES, 1);
    if (a.parent)
        fri_racy_store(&a.parent[v], u); /* racy: all are of level depth, any of them is valid */
    return true;
}

/* Called by all threads of the block with a neighbor v of u each, or v < 0. */
static __device__ void contract(const level_args &a, tables t, int32_t v, int32_t u) {
    if (v >= 0 && status_lookup(a, v))
        v = -1;
    if (!culls_vertices(a))
        v = cull(a, t, v);
    bool found = v >= 0 && claim(a, v, u);
    fri_place place = fri_block_place(a, found, &a.tail[VERTICES]);
    if (found && place.at < a.capacity)
        a.next[place.at] = v;
}

/* The same, for the second kernel where the edge frontier has space. */
static __device__ void defer(const level_args &a, tables t, int32_t v, int32_t u) {
    fri_place place = fri_block_place(a, v >= 0, &a.tail[EDGES]);
    if (v >= 0 && place.at < a.edge_capacity) {
        a.edge_vertex[place.at] = v;
        a.edge_parent[place.at] = u;
        v = -1;
    }
    if (place.end > a.edge_capacity) /* the same in all threads */
        contract(a, t, v, u);
}

/* All lanes of the warp. */
static __device__ void count_edges(const level_args &a, unsigned long long edges) {
    for (int d = FRI_WARP / 2; d; d /= 2)
        edges += __shfl_down_sync(FRI_FULL_MASK, edges, d);
    if (fri_lane() == 0 && edges)
        atomicAdd(&a.tail[EXAMINED], edges); /* one per warp */
}

/* Vertex i of the frontier with its row, or an empty one; all threads of the block. */
template <class O>
static __device__ fri_list<O> dequeue(fri_csr_view<O> csr, const level_args &a, tables t,
                                      int64_t i) {
    int32_t u = i < a.size ? a.queue[i] : -1;
    if (culls_vertices(a))
        u = cull(a, t, u);
    fri_list<O> list = {u, 0, 0};
    if (u >= 0) {
        list.first = csr.offsets[u];
        list.left = csr.offsets[u + 1] - list.first;
    }
    FRI_COUNT(a, FR_COUNTER_EDGES, list.left);
    if (!a.atomic) /* also edges of duplicates, which the labels do not show */
        count_edges(a, (unsigned long long)list.left);
    return list;
}

template <class O> static __global__ void expand_kernel(fri_csr_view<O> csr, level_args a) {
    FRI_SHARED_DYNAMIC(O, memory);
    fri_gather_space<O> space;
    tables t = clean_tables(a, fri_gather_carve(&space, memory, a.plan.rest));
    for (int64_t tile = blockIdx.x; tile * blockDim.x < a.size; tile += gridDim.x) {
        fri_gather<O> gather = {};
        fri_edge<O> edge;
        gather.mine = dequeue(csr, a, t, tile * blockDim.x + threadIdx.x);
        while (fri_gather_next(&gather, a.plan, space, &edge)) {
            int32_t v = edge.owner >= 0 ? csr.targets[edge.at] : -1;
            if (a.edge_vertex)
                defer(a, t, v, edge.owner);
            else
                contract(a, t, v, edge.owner);
        }
    }
}

static __global__ void contract_kernel(level_args a) {
    FRI_SHARED_DYNAMIC(int32_t, memory);
    unsigned long long edges = a.tail[EDGES] < a.edge_capacity ? a.tail[EDGES] : a.edge_capacity;
    unsigned long long first = (unsigned long long)blockIdx.x * blockDim.x;
    if (first >= edges) /* the whole block */
        return;
    tables t = clean_tables(a, memory);
    for (; first < edges; first += (unsigned long long)gridDim.x * blockDim.x) {
        unsigned long long i = first + threadIdx.x;
        contract(a, t, i < edges ? a.edge_vertex[i] : -1, i < edges ? a.edge_parent[i] : -1);
    }
}

/* Builds the frontier after depth from the labels. It fits: each vertex occurs once. */
static __global__ void collect_kernel(level_args a, int32_t n) {
    int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    bool in = v < n && a.level[v] == a.depth + 1;
    fri_place place = fri_block_place(a, in, &a.tail[VERTICES]);
    if (in)
        a.next[place.at] = v;
}

static int knob(const fri_gpu *g, enum knob_index which, double automatic) {
    return (int)fri_job_knob(g->job, which, automatic);
}

/* `capacity` percent of count. */
static unsigned long long capacity_of(const fri_gpu *g, int64_t count) {
    return (unsigned long long)((double)count * fri_job_knob(g->job, CAPACITY, 100) / 100);
}

/* Scratch after the queues: bitmask, with phases=2 the two arrays of the edge frontier. */
static size_t mask_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n / 32 + 1, sizeof(uint32_t)));
}
static size_t edge_bytes(const fri_gpu *g) {
    return fri_align_line((size_t)capacity_of(g, g->m) * sizeof(int32_t));
}
static size_t scratch(const fri_gpu *g) {
    return fri_queues_bytes(g) + mask_bytes(g) + (knob(g, PHASES, 1) == 2 ? 2 * edge_bytes(g) : 0);
}

static level_args args_of(fri_gpu *g, int32_t depth, int block) {
    level_args a = {};
    char *after = g->scratch + fri_queues_bytes(g), *edges = after + mask_bytes(g);
    bool two = knob(g, PHASES, 1) == 2;
    a.depth = depth;
    a.size = g->host_control[FRI_CONTROL_TAIL]; /* what the previous level has found */
    a.level = g->bfs.level;
    a.parent = g->parent;
    a.mask = knob(g, BITMASK, 1) ? (uint32_t *)after : nullptr;
    a.queue = fri_queue_of(g, depth);
    a.next = fri_queue_of(g, depth + 1);
    a.edge_vertex = two ? (int32_t *)edges : nullptr;
    a.edge_parent = two ? (int32_t *)(edges + edge_bytes(g)) : nullptr;
    a.capacity = capacity_of(g, g->n);
    a.edge_capacity = capacity_of(g, g->m);
    a.tail = (unsigned long long *)g->control;
    a.counts = g->out.counts;
    a.plan = {knob(g, BY_BLOCK, block), knob(g, BY_WARP, FRI_WARP),
              knob(g, REST, FRI_REST_BY_SCAN)};
    a.warp_slots = knob(g, WARP_CULL, 128);
    a.history_slots = knob(g, HISTORY, 1024);
    a.atomic = knob(g, CLAIM, 1) != 0;
    return a;
}

static fr_status start_query(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaMemsetAsync(g->scratch + fri_queues_bytes(g), 0, mask_bytes(g), g->stream),
        "clearing the bitmask"));
    return fri_queues_begin(g);
}

/* Reads the counters; an overfull queue is written again. */
static fr_status found_of(fri_gpu *g, const level_args &a, int64_t *found, int64_t *edges) {
    int64_t tail[TAILS];
    FRI_GPU_TRY(fri_gpu_read_control(g, 0, 2 * TAILS));
    memcpy(tail, g->host_control, sizeof tail);
    *edges = tail[EXAMINED];
    if ((unsigned long long)tail[VERTICES] > a.capacity) {
        FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(a.tail, 0, sizeof *a.tail, g->stream),
                                  "emptying a queue"));
        FRI_RUN_EACH(collect_kernel, g->n, 256, a, g->n);
        FRI_GPU_TRY(fri_gpu_read_control(g, 0, 2));
        memcpy(tail, g->host_control, sizeof *tail);
    }
    *found = tail[VERTICES];
    return FR_OK;
}

static fr_status run_level(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    int block = FRI_MAX(32, knob(g, BLOCK, 128) / 32 * 32);
    level_args a = args_of(g, depth, block);
    size_t tables = table_bytes(a, block);
    unsigned max_blocks =
        (unsigned)(g->multiprocessors * g->max_threads_per_sm / block); /* resident threads */
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(a.tail, 0, TAILS * sizeof *a.tail, g->stream),
                              "emptying the queues"));
    FRI_BY_OFFSET_TYPE(g, FRI_LAUNCH((expand_kernel<O>),
                                     FRI_MIN(max_blocks, fri_gpu_blocks(a.size, block)), block,
                                     (size_t)block * fri_gather_bytes<O>(a.plan.rest) + tables,
                                     g->stream, fri_csr_view_of<O>(g->out), a));
    if (a.edge_vertex)
        FRI_LAUNCH(contract_kernel, FRI_MIN(max_blocks, fri_gpu_blocks(g->m, block)), block, tables,
                   g->stream, a);
    return found_of(g, a, found, edges);
}

static const fr_knob knobs[] = {
    {"block", 128, 32, 1024, "threads per block, whole warps; default as in the authors' B40C"},
    {"phases", 1, 1, 2, "1: expand-contract in one kernel; 2: an edge frontier between two"},
    {"block_gather", FR_KNOB_AUTO, 0, 65536,
     "minimum degree for gathering by a block; 0: never; default: the threads of the block"},
    {"warp_gather", 32, 0, 65536, "minimum degree for gathering by a warp; 0: never"},
    {"scan_gather", 1, 0, 2,
     "the other lists: 0: a thread each; 1: through a prefix sum; 2: by prefix sum and merge path"},
    {"warp_cull", 128, 0, 128, "slots of each warp's table against duplicates; 0: none"},
    {"history_cull", 1024, 0, 2048, "slots of each block's table against duplicates; 0: none"},
    {"bitmask", 1, 0, 1, "1: a bitmask is tested before the label"},
    {"claim", 1, 0, 1, "1: atomic; 0: as in the paper, which lets some duplicates pass"},
    {"capacity", 100, 0, 100, "percent of n and m that the queues hold; overflow costs time only"},
    {nullptr, 0, 0, 0, nullptr}};

static const fri_gpu_strategy device_side = {
    .scratch = scratch, .start_query = start_query, .run_level = run_level};

FRI_GPU_STRATEGY(fri_gpu_bfs_expand_contract) = {
    .name = "expand-contract",
    .source = "Merrill, Garland, Grimshaw: Scalable GPU Graph Traversal, PPoPP 2012",
    .text = "lists gathered by block, warp or scan, with culling of duplicates",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS | FRI_COUNTER_BIT(FR_COUNTER_DUPLICATES_MISSED) |
              FRI_COUNTER_BIT(FR_COUNTER_CONFLICTS),
    FRI_GPU_BFS_STRATEGY(device_side),
};
