/* What the kernel of `multi-device` works on, and the end of each level: levels of what was found,
 * counts, and the words of the frontier's bitmap that the other devices get. */
#ifndef FRI_CUDA_BFS_MULTI_DEVICE_PARAMS_CUH
#define FRI_CUDA_BFS_MULTI_DEVICE_PARAMS_CUH

#include "cuda/bfs/auto/grid_level.cuh"
#include "cuda/bfs/multi_device/slices.h"
#include "cuda/prim/joint.cuh"

namespace {
/* Control words of a device. */
struct slice_control {
    bfs_control grid; /* counters, which the functions of `auto` write */
    fri_slice_report report;
    int32_t late[FRI_PHASES];          /* tiles with long rows, in fri_slice.late */
    int32_t targets_found[FRI_PHASES]; /* by this device */
};

/* The numbers that devices add at a joint barrier. */
enum { SUM_VERTICES, SUM_EDGES, SUM_WORDS, SUM_TARGETS };

/* Kernel parameters. `own` and `rows` are for functions of `auto`: of `own` the vertices are those of
 * the slice, in.targets vertices of the graph, out.offsets the out-edges of own vertices and
 * out.targets those of the push rows; of `rows` the vertices are the graph's and out.offsets those of
 * the push rows. */
template <class O> struct slice_params {
    bfs_params<O> own, rows;
    fri_joint joint;
    uint32_t *bits[FRI_JOINT_DEVICES]; /* [3][words] of each device, by depth modulo 3 */
    int32_t words;                     /* of the graph's bitmap */
    int32_t first_word, first;         /* of own vertices */
    int32_t *late;                     /* first words of tiles with long rows */
    bool has_long_rows;                /* an own vertex has more than LANE_EDGES in-edges */
    const uint32_t *targets;           /* [words of own] or NULL */
    unsigned long long targets_wanted;
    slice_control *control;
    int32_t n, source_count; /* of the graph; of the query */
    int64_t m;
    int32_t reachable; /* vertices of the graph with in-edges */
    int32_t source;    /* the only one, in the graph */
    int32_t depth;     /* of the first level */
    fri_slice_report before;
};

/* What all threads are to do in a level; in shared memory, written by the block's first thread. */
struct slice_decision {
    unsigned long long vertices, edges; /* of the frontier, all devices, here and below */
    unsigned long long vertices_visited, edges_of_frontiers, words_published, targets_found;
    float random_finds;  /* see fri_cost_input.locality_ratio */
    int32_t done;        /* levels of this launch */
    bool ends, bottom_up;
    bool uninitialized;  /* level and parent of vertices not found yet are undefined */
    bool initializes;    /* this pull writes -1 there */
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

/* Whole warp: words `first`, `first` + 1, ... of own vertices are final, lane i has word i. Writes
 * levels, counts what was found, and stores the words with finds to the other devices. */
template <class O>
static __device__ __forceinline__ void finish_words(const slice_params<O> &p, int32_t depth,
                                                    int32_t first, uint32_t found,
                                                    uint32_t uninitialized, int phase,
                                                    thread_counters<O> *mine) {
    const pending_writes writes = {found, 0, uninitialized};
    for (int d = 0; found && d < p.joint.devices; d++)
        if (d != p.joint.me)
            fri_peer_store(&bits_of(p, d, depth + 1)[p.first_word + first + fri_lane()], found);
    /* no deferred levels here: this sum counts the words */
    mine->uncounted_edges += found != 0 && p.joint.devices > 1;
    if (p.targets && found) {
        const int hits = __popc(found & p.targets[first + fri_lane()]);
        if (hits) /* other warps add */
            atomicAdd(&p.control->targets_found[phase], hits);
    }
    write_levels(p.own, depth, first, writes, mine);
}

/* Bits of vertices of an own word that a pull must initialize. */
template <class O>
static __device__ __forceinline__ uint32_t undefined_bits(const slice_params<O> &p, int32_t word,
                                                          uint32_t unvisited) {
    return uninitialized_bits(p.own, word, unvisited);
}

#endif
