/* Parameters, control words and per-level state of the kernel of `multi-device`. */
#ifndef FRI_CUDA_BFS_MULTI_DEVICE_PARAMS_CUH
#define FRI_CUDA_BFS_MULTI_DEVICE_PARAMS_CUH

#include "cuda/bfs/auto/grid_level.cuh"
#include "cuda/bfs/auto/hub_slices.cuh"
#include "cuda/multi_device/slices.h"
#include "cuda/prim/joint.cuh"

#include <stddef.h>

/* Values of the knob `sliced_push`. */
enum { SLICED_PUSH_NEVER, SLICED_PUSH_BY_COST, SLICED_PUSH_ALWAYS };

namespace {
/* Control words of a device. The first two members are also the first of bfs_control, which the functions of
 * `auto` write; its others have no use here. */
struct slice_control {
    level_counters counters[FRI_PHASES];
    unsigned long long edges_scanned;
    fri_slice_report report;
    int32_t long_row_tiles[FRI_PHASES]; /* tiles with long rows, in fri_slice.long_row_tiles */
    int32_t words[FRI_PHASES];          /* words with finds, which peers get, see finish_words() */
    int32_t targets_found[FRI_PHASES];  /* by this device, here and below */
    int32_t listed[FRI_PHASES];         /* vertices for its list, which holds fri_list_edges() */
    int32_t hubs[FRI_PHASES];           /* 1: one of them has more than FRI_SLICE_HUB_EDGES edges */
};
static_assert(offsetof(slice_control, counters) == offsetof(bfs_control, counters) &&
                  offsetof(slice_control, edges_scanned) == offsetof(bfs_control, edges_scanned),
              "slice_control begins like bfs_control");

/* The numbers that a device contributes to a joint barrier:
 * SUM_STORED: words stored to each other device; above LIST_SHIFT the vertices for its list, at most one
 *   more than fit, or NO_LIST.
 * SUM_VERTICES: vertices found; above HUBS_SHIFT whether its list has hubs, above DEFERRED_SHIFT whether
 *   levels and edges are deferred.
 * SUM_EDGES: out-edges of the vertices found.
 * SUM_OTHER: targets found; in a query without targets the deferred out-edges of the frontier before. */
enum { SUM_STORED, SUM_VERTICES, SUM_EDGES, SUM_OTHER };
enum { LIST_SHIFT = 27, NO_LIST = FRI_SLICE_MAX_LISTED + 2, HUBS_SHIFT = 40, DEFERRED_SHIFT = 44 };
static_assert(NO_LIST < 1 << (FRI_JOINT_TAG_SHIFT - LIST_SHIFT), "it fits beside the words");

/* Kernel parameters. `own` and `rows` are for functions of `auto`. In `own` vertices are the
 * slice's, in.targets are vertices of the graph, out.offsets are of all out-edges of own vertices, and
 * out.targets belong to the push rows. In `rows` vertices are the graph's, and out.offsets belong to the
 * push rows. */
template <class O> struct slice_params {
    bfs_params<O> own, rows;
    fri_joint joint;
    uint32_t *bits[FRI_JOINT_DEVICES]; /* [3][words] of each device, by depth modulo 3 */
    int32_t words;                     /* of the graph's bitmap */
    int32_t first_word, first;         /* of own vertices */
    int32_t *lists[FRI_JOINT_DEVICES]; /* of each device, see list_of() */
    int32_t list_edges;                /* see fri_list_edges() */
    int32_t min_degree;                /* of a vertex that is worth listing */
    int32_t *long_row_tiles;           /* first words of tiles with long rows */
    int32_t sliced_push;               /* values of that knob */
    hub_slices by_slice; /* of own vertices: a slice per block; behind the queue's entries */
    unsigned long long max_sliced; /* vertices of a frontier that may be; 0: none */
    bool has_long_rows;            /* an own vertex has more than LANE_EDGES in-edges */
    const uint32_t *targets;       /* [words of own] or NULL */
    unsigned long long targets_wanted;
    slice_control *control;
    int32_t n, source_count; /* of the graph; of the query */
    int64_t m;
    int32_t reachable; /* vertices of the graph with in-edges */
    int32_t source;    /* the only one, in the graph */
    int32_t depth;     /* of the first level */
    int32_t dirty;     /* see slice_decision */
    fri_slice_report before;
};

/* A thread's share of a level's counters, the first of which functions of `auto` write. */
template <class O> struct slice_counters : thread_counters<O> {
    int32_t words; /* see slice_control; the same in all lanes of a warp */
};

/* What a level does, and what it knows of the frontier. In shared memory, written by the block's first
 * thread. */
struct slice_decision {
    unsigned long long vertices, edges; /* of the frontier, all devices, here and below */
    unsigned long long vertices_visited, edges_of_frontiers, words_published, targets_found;
    float random_finds;                /* see fri_cost_input.locality_ratio */
    int32_t done;                      /* levels of this launch */
    int32_t listed[FRI_JOINT_DEVICES]; /* vertices of the frontier in the list of each device */
    int32_t dirty;                     /* bit d % 3: the bitmap of that depth is not zero */
    bool has_list, has_bitmap;         /* of the frontier */
    bool has_hubs;                     /* in its lists */
    bool by_lists;                     /* this level reads and writes lists only */
    bool by_slices;                    /* it pushes hubs from lists by slices */
    bool also_lists;                   /* it writes lists as well as the bitmap */
    bool clears;                       /* it clears the bitmap after the next */
    bool defers;    /* it leaves levels and counting edges to the pull after it */
    bool deferred;  /* the level before has done so, on this device */
    bool must_pull; /* it has done so on any device: `edges` is an estimate */
    bool ends, bottom_up;
    bool uninitialized; /* level and parent of vertices not found yet are undefined */
    bool initializes;   /* this pull writes -1 there */
};
} // namespace

/* The bitmap of the frontier at that depth, in the memory of a device. */
template <class O>
static __device__ __forceinline__ uint32_t *bits_of(const slice_params<O> &p, int device,
                                                    int32_t depth) {
    return p.bits[device] + (int64_t)(depth % 3) * p.words;
}

/* The words of own vertices in it. */
template <class O>
static __device__ __forceinline__ uint32_t *own_bits(const slice_params<O> &p, int32_t depth) {
    return bits_of(p, p.joint.me, depth) + p.first_word;
}

/* All threads of the block, at the end of a level: adds the counters to the device's, with one atomic per
 * block for each. */
template <class O>
static __device__ __forceinline__ void commit_slice(const slice_params<O> &p, int phase,
                                                    const slice_counters<O> &mine) {
    FRI_SHARED(slice_counters<O>, totals, 1);
    level_counters *to = &p.control->counters[phase];
    if (threadIdx.x == 0)
        *totals = {};
    __syncthreads(); /* the sums are zero */
    if (__any_sync(FRI_FULL_MASK,
                   mine.vertices || mine.edges_scanned || mine.uncounted_edges || mine.words)) {
        const edge_sum<O> edges = fri_warp_total(mine.edges),
                          scanned = fri_warp_total(mine.edges_scanned),
                          uncounted = fri_warp_total(mine.uncounted_edges);
        const int32_t vertices = (int32_t)fri_warp_total((unsigned)mine.vertices);
        if (fri_lane() == 0) { /* up to 16 warps add */
            atomicAdd(&totals->edges, edges);
            atomicAdd(&totals->edges_scanned, scanned);
            atomicAdd(&totals->uncounted_edges, uncounted);
            atomicAdd(&totals->vertices, vertices);
            atomicAdd(&totals->words, mine.words);
        }
    }
    __syncthreads(); /* the block's sums are complete */
    if (threadIdx.x)
        return;
    if (totals->edges) /* all blocks add, here and below */
        atomicAdd(&to->edges, (unsigned long long)totals->edges);
    if (totals->vertices)
        atomicAdd(&to->vertices, totals->vertices);
    if (totals->uncounted_edges)
        atomicAdd(&to->uncounted_edges, (unsigned long long)totals->uncounted_edges);
    if (totals->words)
        atomicAdd(&p.control->words[phase], totals->words);
    if (totals->edges_scanned)
        atomicAdd(&p.control->edges_scanned, (unsigned long long)totals->edges_scanned);
}

#endif
