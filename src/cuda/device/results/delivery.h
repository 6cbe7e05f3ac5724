/* The delivery of one query's results to the host while a team wakes up during the traversal. */
#ifndef FRI_CUDA_DEVICE_DELIVERY_H
#define FRI_CUDA_DEVICE_DELIVERY_H

#include "base/team.h"
#include "cuda/device/results/pinned.h"
#include "cuda/device/results/results.h"

/* What a query delivers. The driver sets `outputs`, `count` and `ahead`. */
typedef struct fri_gpu_delivery {
    /* [count] a team has only the outputs of FRI_COPY_TEAM. If `sent` of the first is 0, the device sets it, or
     * the traversal, together with `from` */
    fri_gpu_output outputs[FRI_GPU_MAX_OUTPUTS];
    int count;
    bool ahead; /* pieces may directly follow a launch of the traversal: see fri_gpu_read_levels */
    /* set by the traversal */
    bool ready;   /* the results are on the device */
    bool pending; /* as in fri_gpu_download_results */
    bool counts;  /* count_what follows the pieces */
    fri_gpu_counting count_what;
    /* set by the functions below */
    fri_gpu *g;
    int threads;        /* of the team */
    bool around_caches; /* all outputs together exceed them */
    fr_status status;   /* of the caller's thread */
    int64_t begin, ns;  /* when the results were on the device; set at the end: since then */
    /* The team's, through the page-locked buffers, which nothing else may use until it ends. Counts are atomic and have
     * a cache line each: the fields that all read for each piece stay in their caches. */
    struct {
        _Alignas(FRI_CACHE_LINE) int64_t value;
    } rounds[FRI_DOWNLOAD_THREADS], /* taken so far of the pieces of each member */
        expanded[FRI_STAGE_PARTS];  /* pieces of each quarter so far, if it is used again */
    fri_gate gate;                  /* of the other members; the caller's thread opens it */
    fri_gpu_pieces p;
    int64_t all;         /* pieces in total; 0: there is no team */
    int64_t slots, part; /* pieces of the buffers, of a quarter */
    int64_t launched;    /* atomic: pieces; the caller's thread writes it */
    bool stops;          /* atomic: nothing more to do */
    bool delivers;       /* is set before the gate is opened */
    int error;           /* atomic: the cudaError_t of any member */
} fri_gpu_delivery;

/* Before the traversal. The threads of fri_team_share(ctx, d->threads, ...) follow: the caller's thread traverses and
 * calls fri_gpu_delivery_launch with the status, then all call fri_gpu_delivery_help. */
void fri_gpu_delivery_begin(fri_gpu *g, fri_gpu_delivery *d);
void fri_gpu_delivery_launch(fri_gpu_delivery *d, fr_status status); /* staging.c */
void fri_gpu_delivery_help(fri_member me, void *d);                  /* staging.c */
/* Downloads where there is no team. Sets stats.transfer_ns, to which core/query/solve.c adds the upload. */
fr_status fri_gpu_delivery_end(fri_gpu_delivery *d);

/* staging.c, for download.c: before and after the team. Counting may still run when the latter returns. */
void fri_gpu_stage_cut(fri_gpu_delivery *d);
fr_status fri_gpu_stage_join(fri_gpu_delivery *d);

#endif
