/* BFS `multi-device`, host side: the slice of the graph on each GPU, and a thread per GPU. The kernels
 * are in multi_device.cu. */
#ifndef FRI_CUDA_BFS_MULTI_DEVICE_SLICES_H
#define FRI_CUDA_BFS_MULTI_DEVICE_SLICES_H

#include "cuda/drivers/persistent.h"

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "cuda/bfs/multi_device/plan.h"

/* Lists without vertices of more edges are expanded without a queue. Few in the executor, so that small
 * graphs have such vertices. */
#ifdef FRI_SIMT
enum { FRI_SLICE_HUB_EDGES = 24 };
#else
enum { FRI_SLICE_HUB_EDGES = 1024 };
#endif

enum {
    FRI_SLICE_KNOB_ALL,
    FRI_SLICE_KNOB_DIRECTION,
    FRI_SLICE_KNOB_THREADS,
    FRI_SLICE_KNOB_PUSH_COST,
    FRI_SLICE_KNOB_HUB_PARENTS,
    FRI_SLICE_KNOB_LIST_EDGES,
    FRI_SLICE_KNOB_SLICED_PUSH
};

/* What a launch on one device reports, written by the device: part of its control words. */
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

/* The part of the graph on one GPU, and what queries need there. Pointers are device memory. */
typedef struct fri_slice {
    struct fri_slices *all;
    int index;
    fri_job job; /* as the solver's, but with the context of this GPU */
    fri_gpu *g;
    int32_t first, own; /* its vertices: first .. first + own - 1 */
    int64_t edges;      /* that end at them */
    int64_t out_edges;  /* that begin at them */
    /* pull: [own] rows of in-edges, sources are vertices of the graph; push: [n] rows of the edges to
     * own vertices, targets are relative to `first`; out_offsets: [own+1], of the out-edges */
    fri_gpu_csr pull, push;
    const void *out_offsets;
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
    void *words;                      /* fri_joint_words */
    fri_level_record *trace;          /* NULL: none */
    int64_t edges_scanned, device_ns; /* of the last query */
    fr_status status;
    pthread_t thread;
} fri_slice;

typedef struct fri_slices {
    fri_job *job; /* of the solver */
    int count;
    int32_t n;
    int64_t m, max_degree;
    fri_slice slice[FRI_SLICES_MAX];
    int32_t reachable;  /* vertices with in-edges */
    int32_t list_edges; /* see fri_list_edges() */
    uint32_t barrier;   /* fri_joint.first of the next launch */
    uint32_t max_polls; /* of a wait in a kernel */
    bool failed;        /* a device gave up: its words must be cleared */
    int64_t published;  /* bytes stored to other devices by the last query */
    /* the query */
    int32_t depth;
    fri_slice_report report; /* of the last launch; before the first: the sources */
    fri_gpu_progress progress;
    bool continues;
    /* host threads wait for each other: see fri_slices_agree */
    int arrived, agreed_failure;
    int failed_slice; /* 1 + the first slice that failed; 0: none */
    uint32_t barriers;
} fri_slices;

/* ---- slices.c ---------------------------------------------------------------------------- */

/* Functions of fri_strategy. */
size_t fri_slices_bytes(const fri_job *job);
void fri_slices_release(fri_job *job);
/* Makes the slices: job->device becomes the fri_gpu of the first, its `state` the fri_slices. */
fr_status fri_slices_prepare(fri_job *job);
/* Bytes of fri_slice.queue. */
size_t fri_slice_queue_bytes(const fri_slice *slice);
/* Calls `run` in a thread per slice, on its device, the calling thread for the first. Returns the
 * status of the first that failed, whose message job->ctx then has. */
fr_status fri_slices_run(fri_slices *all, fr_status (*run)(fri_slice *slice));
/* Called by such a function: waits for the other threads. `status` is this slice's. If it returns
 * false, a slice has failed, and the function must return `status`. */
bool fri_slices_agree(fri_slice *slice, fr_status status);

static inline fri_slices *fri_slices_of(const fri_job *job) {
    return (fri_slices *)((fri_gpu *)job->device)->state;
}

/* ---- query.c ----------------------------------------------------------------------------- */

fr_status fri_slices_solve(fri_job *job); /* run, of fri_strategy */

/* ---- multi_device.cu --------------------------------------------------------------------- */

size_t fri_slice_words_bytes(void); /* of fri_joint_words */
fr_status fri_slice_preprocess(fri_slice *slice);
/* Launches up to max_levels levels, the first launch of a query also initializes. Returns when the
 * launch is submitted. */
fr_status fri_slice_launch(fri_slice *slice, int32_t max_levels);
/* The report of the last launch; waits for it. */
fr_status fri_slice_read_report(fri_slice *slice, fri_slice_report *report);
const char *const *fri_slice_method_names(void);

#ifdef __cplusplus
}
#endif
#endif
