/* SSSP `multi-device`, host side: the slice of the graph on each GPU. The kernel is in
 * multi_device.cu. */
#ifndef FRI_CUDA_SSSP_MULTI_DEVICE_STATE_H
#define FRI_CUDA_SSSP_MULTI_DEVICE_STATE_H

#include "cuda/drivers/peers.h"
#include "cuda/drivers/persistent.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FRI_SSSP_SLICE_KNOB_ALL,
    FRI_SSSP_SLICE_KNOB_DELTA,
    FRI_SSSP_SLICE_KNOB_ADAPT,
    FRI_SSSP_SLICE_KNOB_ADVANCE_BELOW,
    FRI_SSSP_SLICE_KNOB_SHRINK_ABOVE,
    FRI_SSSP_SLICE_KNOB_PULL_DIVISOR,
    FRI_SSSP_SLICE_KNOB_FAR_DIVISOR,
    FRI_SSSP_SLICE_KNOB_THREADS,
    FRI_SSSP_SLICE_KNOB_PACK_PARENTS,
    FRI_SSSP_SLICE_KNOB_PACK_WEIGHTS
};

/* The part of the graph on one GPU, and what queries need there. Pointers are device memory. The first
 * slice is on the GPU of the solver, whose fri_gpu also has the whole graph: it ends the query. */
typedef struct fri_sssp_slice {
    fri_job job; /* as the solver's, but with the context of this GPU; unused in the first */
    fri_gpu *g;
    int32_t first, own; /* its vertices: first .. first + own - 1 */
    int64_t edges;      /* that end at them */
    /* push: [n] rows of the edges to own vertices; pull: [own] rows of own vertices, if the graph
     * pulls; targets are vertices of the graph */
    fri_gpu_csr push, pull;
    int32_t *tile_first_row;
    void *dist;         /* [n] keys; the first slice: the fri_gpu's */
    void *frontier;     /* [2][2 n] entries */
    void *near_list[2]; /* [own + 32] entries */
    void *far_pile[2];
    void *chunks[2];
    void *packed_parents;    /* [own] */
    int32_t *sources;        /* [n]; the first slice: the fri_gpu's */
    void *control;           /* slice_control */
    void *words;             /* fri_joint_words */
    fri_level_record *trace; /* NULL: none */
} fri_sssp_slice;

/* What the plan of the strategy has decided, the same in an estimate and in a solver. */
typedef struct fri_sssp_slices {
    fri_job *job; /* of the solver */
    int count;
    fri_sssp_slice slice[FRI_SLICES_MAX];
    size_t entry_bytes, chunk_bytes; /* of the kernel's structures */
    bool pulls, packs_parents;
    int weight_shift;                                        /* see sssp_params of `auto` */
    double delta, pull_divisor, advance_below, shrink_above; /* FR_KNOB_AUTO: by the blocks */
    double far_divisor;
    bool adapts;
    uint32_t barrier;   /* fri_joint.first of the next launch */
    uint32_t max_polls; /* of a wait in a kernel */
    bool failed;        /* a device gave up: its words must be cleared */
    bool starts;        /* the next launch is the first of the query */
} fri_sssp_slices;

static inline fri_sssp_slices *fri_sssp_slices_of(const fri_job *job) {
    return (fri_sssp_slices *)((fri_gpu *)job->device)->state;
}

/* ---- slices.c: the functions of fri_strategy ------------------------------------------------ */

size_t fri_sssp_slices_bytes(const fri_job *job);
fr_status fri_sssp_slices_prepare(fri_job *job);
void fri_sssp_slices_release(fri_job *job);
/* Entries of the lists of a slice. */
static inline int64_t fri_sssp_near_capacity(const fri_sssp_slice *s) { return s->own + 32; }
static inline int64_t fri_sssp_far_capacity(const fri_sssp_slices *all, const fri_sssp_slice *s) {
    return (int64_t)(s->own / all->far_divisor) + 32;
}
static inline int64_t fri_sssp_chunk_capacity(const fri_sssp_slice *s) {
    return s->edges / 32 + 32;
}
int64_t fri_sssp_tile_count(const fri_sssp_slices *all, const fri_sssp_slice *s);

/* ---- multi_device.cu ------------------------------------------------------------------------ */

size_t fri_sssp_words_bytes(void);   /* of fri_joint_words */
size_t fri_sssp_control_bytes(void); /* of slice_control */
/* Sets entry_bytes to shrink_above: needs the job of g alone. */
void fri_sssp_plan(fri_gpu *g, fri_sssp_slices *all);
/* Sorts and packs the uploaded rows, and loads the kernel. */
fr_status fri_sssp_change_slice(const fri_sssp_slices *all, fri_sssp_slice *s);

#ifdef __cplusplus
}
#endif
#endif
