/* A rank's part on its GPU: shared by the host side (part.c) and the kernels (part_bfs.cu).
 *
 * The frontier consists of one slice per rank: the bitmap of the rank's vertices, followed by its
 * fri_level_report, so that one allgather sends both. Slices are whole cache lines. A place is the
 * position of a vertex's bit in the frontier: slice * slice bits + own index. Unlike slots, places have
 * gaps. */
#ifndef FRI_CUDA_RANKS_PART_H
#define FRI_CUDA_RANKS_PART_H

#include "cuda/device/gpu.h"
#include "ranks/gpu_seam.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FRI_PART_RECORD_BYTES = 64, /* at least those of fri_level_report */
    FRI_PART_LINE_BYTES = 128,
    FRI_PART_SOURCES = 64,
    FRI_PART_CHUNK_BYTES = 16, /* of fri_edge_chunk */
    FRI_PART_CONTROL_WORDS = 2
};
/* CHUNK: edges of a row beyond which a push cuts it into chunks of this length. */
#ifdef FRI_SIMT /* small, since every thread costs time */
enum { FRI_PART_BLOCK = 64, FRI_PART_CHUNK = 8, FRI_PART_LANE_EDGES = 2 };
#else
enum { FRI_PART_BLOCK = 256, FRI_PART_CHUNK = 256, FRI_PART_LANE_EDGES = 8 };
#endif

/* Device memory. Offsets are uint32_t, or int64_t with `wide`. Maps are of own vertices, [words]. */
typedef struct fri_part_arrays {
    const void *push_offsets, *pull_offsets; /* [slots + 1], [own + 1] */
    const int32_t *push_targets;             /* own indices */
    int32_t *pull_sources, *hub_parent;      /* places; hub_parent: [own] */
    uint32_t *front;                         /* [ranks * slice_words] */
    uint32_t *mine;                          /* this rank's slice of it */
    uint32_t *no_in_edges;                   /* vertices without in-edges, and the padding */
    uint32_t *given;                         /* sources */
    uint32_t *seen,
        *before; /* reached or without in-edges; the same without those found in this level */
    int32_t *level, *parent;     /* [own]; parents are places */
    void *queue;                 /* [queue_size] fri_edge_chunk: chunks of long rows */
    fri_level_report *reports;   /* [ranks] */
    unsigned long long *control; /* the length of the queue, the time when the level began */
    int32_t own, words, slice_words, ranks, rank, step;
} fri_part_arrays;

typedef struct fri_part_sources {
    int32_t count, own[FRI_PART_SOURCES];
} fri_part_sources;

struct fri_gpu_part {
    fri_job job; /* only what fri_gpu's functions read */
    fri_gpu g;
    fr_world *world;
    const fr_part *part;
    bool wide;
    unsigned blocks; /* that fill the GPU */
    int64_t m, queue_size;
    fri_part_arrays a;
    fri_level_report *host_reports; /* [ranks], pinned */
};

/* part_bfs.cu; they only launch. */
void fri_gpu_part_place(fri_gpu_part *p); /* slots to places */
void fri_gpu_part_set_sources(fri_gpu_part *p, fri_part_sources batch);
void fri_gpu_part_start(fri_gpu_part *p);
void fri_gpu_part_level(fri_gpu_part *p, int32_t depth, bool pull);
void fri_gpu_part_settle(fri_gpu_part *p, int32_t depth);
void fri_gpu_part_finish_report(fri_gpu_part *p, fr_status status);
void fri_gpu_part_gather_reports(fri_gpu_part *p);
void fri_gpu_part_answer(fri_gpu_part *p); /* parents as slots; -1 where not reached */

#ifdef __cplusplus
}
#endif
#endif
