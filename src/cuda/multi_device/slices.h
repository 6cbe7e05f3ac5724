/* What strategies that divide one traversal among the GPUs of a host share: the number of GPUs, the cut into
 * slices, the memory and the rows of each, a host thread per GPU. A fri_slices_kind says what differs. */
#ifndef FRI_CUDA_MULTI_DEVICE_SLICES_H
#define FRI_CUDA_MULTI_DEVICE_SLICES_H

#include "cuda/drivers/persistent.h"

#include <pthread.h>

FRI_C_BEGIN

/* GPUs; FRI_JOINT_DEVICES of prim/joint.cuh. Bytes of fri_joint_words, at most. */
enum { FRI_SLICES_MAX = 8, FRI_SLICE_WORDS_BYTES = 768 };

/* A GPU owns whole cache lines of bitmap; under the SIMT executor whole words, so that small graphs
 * are cut, too. MAX_POLLS: of a wait in a kernel, about 3 seconds on a GPU. HUB_EDGES: lists without
 * vertices of more edges are expanded without a queue; few in the executor, so that small graphs have
 * such vertices. */
#ifdef FRI_SIMT
enum { FRI_SLICE_UNIT = 32, FRI_MAX_POLLS = 1 << 20, FRI_SLICE_HUB_EDGES = 24 };
#else
enum { FRI_SLICE_UNIT = 1024, FRI_MAX_POLLS = 1 << 22, FRI_SLICE_HUB_EDGES = 1024 };
#endif

/* ---- plan.c: the number of GPUs, the cut; pure functions ----------------------------------- */

typedef struct fri_devices_input {
    int64_t n, m;       /* m: stored edges */
    int64_t max_degree; /* stored out-edges of a vertex */
    int devices;        /* that the context names */
} fri_devices_input;
/* Costs a pass over the offsets. */
fri_devices_input fri_devices_input_of(const fri_job *job);

/* Expected times of a strategy, in nanoseconds. `levels`: of a graph that is not deep. */
typedef struct fri_devices_cost {
    double edge, vertex, start;
    double sent;         /* per vertex whose value goes to the other GPUs */
    double level, joint; /* of a level or round on one GPU, on several */
    int levels;
} fri_devices_cost;
extern const fri_devices_cost fri_bfs_devices_cost, fri_sssp_devices_cost;
/* Of a traversal on one GPU (strategy `auto`), or on `devices`. */
double fri_expected_ns(const fri_devices_cost *cost, const fri_devices_input *in, int devices);
/* The number of GPUs with the lowest expected time: one or all. */
int fri_devices_that_pay(const fri_devices_cost *cost, const fri_devices_input *in);

/* Vertices first[k] .. first[k+1]-1 belong to device k; first has devices + 1 elements, multiples of
 * FRI_SLICE_UNIT. Slices have about equal edges and vertices; one may be empty. in_offsets: [n+1]. */
void fri_cut_slices(int32_t n, const int64_t *in_offsets, int devices, int32_t *first);

/* ---- the slices ---------------------------------------------------------------------------- */

/* Of both strategies; theirs follow. */
enum { FRI_SLICE_KNOB_ALL };
enum {
    FRI_SLICE_KNOB_DIRECTION = FRI_SLICE_KNOB_ALL + 1,
    FRI_SLICE_KNOB_THREADS,
    FRI_SLICE_KNOB_PUSH_COST,
    FRI_SLICE_KNOB_HUB_PARENTS,
    FRI_SLICE_KNOB_LIST_EDGES,
    FRI_SLICE_KNOB_SLICED_PUSH
};
enum {
    FRI_SSSP_SLICE_KNOB_DELTA = FRI_SLICE_KNOB_ALL + 1,
    FRI_SSSP_SLICE_KNOB_ADAPT,
    FRI_SSSP_SLICE_KNOB_ADVANCE_BELOW,
    FRI_SSSP_SLICE_KNOB_SHRINK_ABOVE,
    FRI_SSSP_SLICE_KNOB_PULL_DIVISOR,
    FRI_SSSP_SLICE_KNOB_FAR_DIVISOR,
    FRI_SSSP_SLICE_KNOB_THREADS,
    FRI_SSSP_SLICE_KNOB_PACK_PARENTS,
    FRI_SSSP_SLICE_KNOB_PACK_WEIGHTS
};

/* What a launch of BFS on one device reports, written by the device: part of its control words. */
typedef struct fri_slice_report {
    unsigned long long frontier_edges, frontier_vertices; /* of the last frontier, all devices */
    unsigned long long edges_of_frontiers;  /* out-edges of the frontiers before, all devices */
    unsigned long long vertices_visited;    /* in the frontiers before, all devices */
    unsigned long long words_published;     /* so far, all devices: see fri_published_bytes */
    unsigned long long targets_found;       /* so far, all devices */
    unsigned long long edges_scanned;       /* of this launch, this device */
    float random_finds;                     /* see fri_cost_input */
    int32_t levels;                         /* of this launch */
    uint32_t next_barrier;                  /* fri_joint.first of the next launch */
    int32_t dirty;                          /* bit d % 3: the bitmap of depth d is not zero, here */
    int32_t has_list, has_bitmap, has_hubs; /* of the last frontier: see slice_decision */
    int32_t listed[FRI_SLICES_MAX]; /* vertices of that frontier in the list of each device */
    int32_t completed;              /* 0: a device gave up */
} fri_slice_report;

/* The parts of a fri_slice that belong to one problem. Pointers are device memory. */
typedef struct fri_bfs_slice {
    const void *out_offsets;          /* [own+1], of the out-edges */
    int32_t reachable;                /* own vertices with in-edges */
    uint32_t max_in_degree;           /* of own vertices */
    uint32_t max_out_degree;          /* edges of one vertex to own vertices */
    uint32_t *bits;                   /* [3][words of n]: the frontier, known to all devices */
    uint32_t *visited, *no_in_edges;  /* [words of own] */
    int32_t *hub_parents;             /* [own]; or NULL */
    int32_t *lists;                   /* [2][devices][list_edges] by depth modulo 2, finder */
    int32_t dirty;                    /* bit d % 3: the bitmap of depth d is not zero */
    void *queue;                      /* edge chunks */
    int32_t *long_row_tiles;          /* [words of own] tiles with long rows */
    int64_t edges_scanned, device_ns; /* of the last query */
} fri_bfs_slice;
typedef struct fri_sssp_slice {
    int32_t *tile_first_row;
    void *dist;         /* [n] keys; the first slice: the fri_gpu's */
    void *frontier;     /* [2][2 n] entries */
    void *near_list[2]; /* [own + 32] entries */
    void *far_pile[2];
    void *chunks[2];
    void *packed_parents; /* [own] */
    int32_t *sources;     /* [n]; the first slice: the fri_gpu's */
    void *control;        /* slice_control */
} fri_sssp_slice;

/* The part of the graph on one GPU, and what queries need there. */
typedef struct fri_slice {
    struct fri_slices *all;
    int index;
    fri_job job; /* as the solver's, but with the context of this GPU; job.in is `in` */
    fri_job_input in;
    fri_gpu *g;
    int32_t first, own; /* its vertices: first .. first + own - 1 */
    int64_t edges;      /* that end at them */
    /* push: [n] rows of the edges to own vertices; pull: [own] rows of in-edges. Targets are vertices of
     * the graph, but of push in BFS relative to `first` */
    fri_gpu_csr push, pull;
    void *words;             /* fri_joint_words */
    fri_level_record *trace; /* of the first; NULL: none */
    fr_status status;
    pthread_t thread;
    union {
        fri_bfs_slice bfs;
        fri_sssp_slice sssp;
    };
} fri_slice;

typedef struct fri_bfs_slices {
    int32_t list_edges; /* see fri_list_edges() */
    int64_t published;  /* bytes stored to other devices by the last query */
    /* the query */
    int32_t depth;
    fri_slice_report report; /* of the last launch; before the first: the sources */
    fri_gpu_progress progress;
    bool continues;
} fri_bfs_slices;
/* What the plan of the strategy has decided, the same in an estimate and in a solver. */
typedef struct fri_sssp_slices {
    size_t entry_bytes, chunk_bytes; /* of the kernel's structures */
    bool pulls, packs_parents;
    int weight_shift;                                        /* see sssp_params of `auto` */
    double delta, pull_divisor, advance_below, shrink_above; /* FR_KNOB_AUTO: by the blocks */
    double far_divisor;
    bool adapts;
    bool starts; /* the next launch is the first of the query */
} fri_sssp_slices;

typedef struct fri_slices {
    fri_job *job; /* of the solver */
    const struct fri_slices_kind *kind;
    int count;
    fri_slice slice[FRI_SLICES_MAX];
    uint32_t barrier;   /* fri_joint.first of the next launch */
    uint32_t max_polls; /* of a wait in a kernel */
    bool failed;        /* a device gave up: its words must be cleared */
    /* host threads wait for each other: see fri_slices_agree */
    int arrived, agreed_failure;
    int failed_slice; /* 1 + the first slice that failed; 0: none */
    uint32_t barriers;
    union {
        fri_bfs_slices bfs;
        fri_sssp_slices sssp;
    };
} fri_slices;

static inline fri_slices *fri_slices_of(const fri_job *job) {
    return (fri_slices *)((fri_gpu *)job->device)->state;
}

/* The buffers of a slice; for a plan `to` of each is ignored. */
enum { FRI_SLICE_BUFFERS = 24 };
typedef struct fri_slice_layout {
    fri_gpu_buffer buffer[FRI_SLICE_BUFFERS];
    int count;
} fri_slice_layout;
void fri_slice_add(fri_slice_layout *l, const void *to, size_t bytes);

/* What differs: fri_gpu_strategy.slices. */
typedef struct fri_slices_kind {
    const fri_devices_cost *cost;
    /* The first GPU has the whole graph as well, in a fri_gpu that ends queries; in-edges are counted for the
     * cut. Else the job has in-edges. */
    bool whole_graph;
    /* Decides what the job alone does; the slices are not cut yet. */
    void (*plan)(fri_gpu *g, fri_slices *all);
    /* Adds buffers to the ones that every slice has, which layout_of() lists. */
    void (*lay_out)(fri_slice *s, fri_slice_layout *l);
    /* Called by the slice's thread once it has memory: uploads rows; completes the slice, all on g->stream. */
    fr_status (*upload)(fri_slice *s);
    fr_status (*complete)(fri_slice *s);
} fri_slices_kind;
extern const fri_slices_kind fri_bfs_slices_kind, fri_sssp_slices_kind;

/* ---- slices.c ------------------------------------------------------------------------------ */

/* Functions of fri_strategy. prepare: job->device becomes the fri_gpu of the first slice, its `state` the
 * fri_slices. */
size_t fri_slices_bytes(const fri_job *job);
fr_status fri_slices_prepare(fri_job *job);
void fri_slices_release(fri_job *job);
/* Submits it: after a failure, when no kernel uses the words. */
fr_status fri_slice_clear_words(fri_slice *s);
/* Calls `run` in a thread per slice, on its device, the calling thread for the first. Returns the
 * status of the first that failed, whose message job->ctx then has. */
fr_status fri_slices_run(fri_slices *all, fr_status (*run)(fri_slice *slice));
/* Called by such a function: waits for the other threads. `status` is this slice's. If it returns
 * false, a slice has failed, and the function must return `status`. */
bool fri_slices_agree(fri_slice *slice, fr_status status);
/* Returns the status of a slice; its message, which names the GPU, becomes the solver's. */
fr_status fri_slice_failure(const fri_slice *s, fr_status status);

/* ---- rows.c -------------------------------------------------------------------------------- */

/* Offsets of `count` rows, rebased to begin at 0, to the device: int64 or uint32 as g->offsets64. */
fr_status fri_upload_slice_offsets(fri_gpu *g, const void *to, const int64_t *from, int64_t count);
/* Makes s->push on the host and uploads it. Targets are relative to `base`; weight_size: bytes of a weight, of
 * the csr's type or doubles of its floats; 0: none. */
fr_status fri_upload_push_rows(fri_slice *s, int32_t base, size_t weight_size);

/* ---- BFS: host.c, multi_device.cu ---------------------------------------------------------- */

fr_status fri_slices_solve(fri_job *job); /* run, of fri_strategy */
/* Bytes of fri_bfs_slice.queue. */
size_t fri_slice_queue_bytes(const fri_slice *s);

/* The most vertices of a list: their number is part of a word of a joint barrier (params.cuh). */
enum { FRI_SLICE_MAX_LISTED = (1 << 21) - 4 };
/* Most edges of a level that exchanges lists by default; also the most vertices of a list. */
static inline int32_t fri_list_edges(int32_t n) {
    return FRI_MIN(FRI_MAX(n / 32, 1024), (int32_t)FRI_SLICE_MAX_LISTED);
}
/* Bytes that all devices together store to others in a level that finds vertices in `words` words of 32
 * vertices or lists `words` vertices: each is stored once to every other device. */
static inline int64_t fri_published_bytes(int64_t words, int devices) {
    return words * (int64_t)sizeof(uint32_t) * (devices - 1);
}

fr_status fri_slice_preprocess(fri_slice *s);
/* Launches up to max_levels levels, the first launch of a query also initializes. Returns when the
 * launch is submitted. */
fr_status fri_slice_launch(fri_slice *s, int32_t max_levels);
/* The report of the last launch; waits for it. */
fr_status fri_slice_read_report(fri_slice *s, fri_slice_report *report);
const char *const *fri_slice_method_names(void);

/* ---- SSSP: multi_device.cu ----------------------------------------------------------------- */

/* Entries of the lists of a slice. */
static inline int64_t fri_sssp_near_capacity(const fri_slice *s) { return s->own + 32; }
static inline int64_t fri_sssp_far_capacity(const fri_slice *s) {
    return (int64_t)(s->own / s->all->sssp.far_divisor) + 32;
}
static inline int64_t fri_sssp_chunk_capacity(const fri_slice *s) { return s->edges / 32 + 32; }
int64_t fri_sssp_tile_count(const fri_slice *s);
size_t fri_sssp_control_bytes(void); /* of slice_control */
void fri_sssp_plan(fri_gpu *g, fri_slices *all);
/* Sorts and packs the uploaded rows, and loads the kernel. */
fr_status fri_sssp_change_slice(fri_slice *s);

FRI_C_END
#endif
