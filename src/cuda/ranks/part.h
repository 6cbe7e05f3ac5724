/* A rank's part on its GPU: shared by the host side (part.c, and for each problem part_bfs.c, part_sssp.c) and the
 * kernels (part_bfs.cu, part_sssp.cu).
 *
 * BFS: the frontier consists of one slice per rank: the bitmap of the rank's vertices, followed by its
 * fri_level_report, so that one allgather sends both. Slices are whole cache lines. A place is the
 * position of a vertex's bit in the frontier: slice * slice bits + own index. Unlike slots, places have
 * gaps.
 * SSSP: the frontier is a list of fri_lowered per rank. A message of a rank is its fri_sssp_record, followed by the
 * list if that is short; longer lists are sent after the messages. */
#ifndef FRI_CUDA_RANKS_PART_H
#define FRI_CUDA_RANKS_PART_H

#include "fringe_ranks.h"
#include "cuda/device/gpu.h"
#include "ranks/world/gpu_interface.h"

FRI_C_BEGIN

enum {
    FRI_PART_RECORD_BYTES = 64, /* of a fri_sssp_record; a fri_level_report is not larger */
    FRI_PART_LINE_BYTES = 128,
    FRI_PART_SOURCES = 64,
    FRI_PART_CHUNK_BYTES = 16, /* of fri_edge_chunk */
    FRI_PART_CONTROL_WORDS = 8
};
/* CHUNK: edges of a row beyond which a push cuts it into chunks of this length. */
#ifdef FRI_SIMT /* small, since every thread costs time */
enum { FRI_PART_BLOCK = 64, FRI_PART_CHUNK = 8, FRI_PART_LANE_EDGES = 2 };
#else
enum { FRI_PART_BLOCK = 256, FRI_PART_CHUNK = 256, FRI_PART_LANE_EDGES = 8 };
#endif
/* Of the message of SSSP: pairs that follow the record in it. */
enum {
    FRI_SSSP_SHORT_LIST =
        (FRI_SSSP_MESSAGE_BYTES - FRI_PART_RECORD_BYTES) / (int)sizeof(fri_lowered)
};

/* Device memory of BFS. Offsets are uint32_t, or int64_t with g.offsets64. Maps are of own vertices, [words]. */
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
    unsigned long long *control; /* the length of the queue, the time when the level began */
    int32_t own, words, slice_words, ranks, rank, step;
} fri_part_arrays;

/* A distance that this rank has lowered in the round. */
typedef struct fri_sssp_event {
    int32_t own, parent; /* own index; the slot of the parent */
    int64_t dist;
} fri_sssp_event;

/* Device memory of SSSP; offsets and maps as above. Distances are the keys of ranks/part.h. */
typedef struct fri_sssp_arrays {
    const void *push_offsets, *pull_offsets; /* [slots + 1]; [own + 1], if there are pulls */
    const int32_t *push_targets;             /* own indices */
    const void *push_weights;                /* NULL: every edge has weight 1 */
    const void *pull_edges;  /* pairs of slot and weight, rows sorted by weight; NULL: no pulls */
    int64_t *dist;           /* [share] */
    int32_t *parent;         /* [own] slots */
    uint32_t *pending;       /* lowered, and not in a list since */
    uint32_t *lost;          /* lowered in this round, but `events` was full */
    fri_sssp_event *events;  /* [events_size] */
    fri_lowered *lowered;    /* [share] this rank's part of the next frontier */
    fri_lowered *lists;      /* [ranks * share] long lists, or ... */
    int64_t *all_dist;       /* ... the distances of all slots; the same memory */
    char *messages[2];       /* [ranks * FRI_SSSP_MESSAGE_BYTES] of this frontier and of the next */
    fri_sssp_record *record; /* this rank's, of the current round */
    void *queue;             /* as in BFS; a chunk's `v` is a position in the frontier */
    unsigned long long *control;
    int64_t inf, bound;  /* distances below bound enter the list */
    int64_t lower_bound; /* in a pull: nothing below it is pending */
    int64_t list_size;   /* positions of a rank in the frontier */
    int32_t own, words, share, ranks, rank, base, events_size, step;
    int32_t phase; /* messages[phase] belong to this frontier */
    bool long_lists, recovers;
} fri_sssp_arrays;

typedef struct fri_part_sources {
    int32_t count, own[FRI_PART_SOURCES];
} fri_part_sources;

/* What a rank sends after a level or round begins with these bytes. */
typedef struct fri_part_head {
    char bytes[FRI_PART_RECORD_BYTES];
} fri_part_head;

struct fri_gpu_part {
    fri_job job; /* only what fri_gpu's functions read */
    fri_job_input in;
    fri_gpu g;
    fr_world *world;
    const fr_part *part;
    int ranks;
    unsigned blocks; /* that fill the GPU */
    int64_t m, queue_size;
    fri_part_head *records, *host_records; /* [ranks] on the device; pinned */
    fri_part_arrays bfs;
    fri_sssp_arrays sssp;
    fr_type weight_type;
};

/* ---- part.c: both problems ---- */

/* Opens the GPU, sets sizes, and calls `fill`, which allocates and uploads. */
fr_status fri_gpu_part_open(const fr_part_solver *s, fri_gpu_part **out,
                            fr_status (*fill)(fri_gpu_part *p, const fr_part_solver *s));
fr_status fri_gpu_part_upload_offsets(fri_gpu_part *p, const void *to, const int64_t *from,
                                      int64_t count);
/* The bytes of a buffer of `count` offsets. */
size_t fri_gpu_part_offset_bytes(const fri_gpu_part *p, int64_t count);
/* The start of a query: the current device is per thread. */
fr_status fri_gpu_part_select(fri_gpu_part *p);
/* Calls `set` with the sources that belong to this rank. */
void fri_gpu_part_each_source(fri_gpu_part *p, const int64_t *sources, int64_t count,
                              void (*set)(fri_gpu_part *p, fri_part_sources batch));
fr_status fri_gpu_part_launched(fri_gpu_part *p);
fr_status fri_gpu_part_clear(fri_gpu_part *p, void *at, size_t bytes);
/* Submits: `all` gets `bytes` bytes of `mine` of every rank. One rank alone copies, unless it is in place. */
fr_status fri_gpu_part_gather(fri_gpu_part *p, const void *mine, void *all, size_t bytes);
/* Waits for all ranks; p->host_records gets the records at first, first + stride, ... */
fr_status fri_gpu_part_await_records(fri_gpu_part *p, const void *first, int64_t stride);

/* ---- kernels; these functions only launch ---- */

/* part_bfs.cu, of both problems */
void fri_gpu_part_gather_records(fri_gpu_part *p, const void *first, int64_t stride);

/* part_bfs.cu */
void fri_gpu_part_bfs_place(fri_gpu_part *p); /* slots to places */
void fri_gpu_part_bfs_set_sources(fri_gpu_part *p, fri_part_sources batch);
void fri_gpu_part_bfs_start(fri_gpu_part *p);
void fri_gpu_part_bfs_level(fri_gpu_part *p, int32_t depth, bool pull);
void fri_gpu_part_bfs_finish_report(fri_gpu_part *p, fr_status status);
void fri_gpu_part_bfs_answer(fri_gpu_part *p); /* parents as slots; -1 where not reached */

/* part_sssp.cu */
void fri_gpu_part_sssp_clear(fri_gpu_part *p);
void fri_gpu_part_sssp_set_sources(fri_gpu_part *p, fri_part_sources batch);
void fri_gpu_part_sssp_run_relax(fri_gpu_part *p, bool moved);
void fri_gpu_part_sssp_run_recover(fri_gpu_part *p);
void fri_gpu_part_sssp_run_pull(fri_gpu_part *p);
void fri_gpu_part_sssp_finish_message(fri_gpu_part *p, fr_status status);

FRI_C_END
#endif
