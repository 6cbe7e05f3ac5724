/* What every strategy on the GPU stands on: the device, the graph on it, and the loop that drives a
 * row. Included by C (host) and by .cu files. */
#ifndef FRI_CUDA_DEVICE_GPU_H
#define FRI_CUDA_DEVICE_GPU_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "core/strategy.h"

/* May kernels launch child grids? Not in a build for tools that see nothing then
 * (FRINGE_SANITIZER_BUILD in CMakeLists.txt): rows do without. */
#ifdef FRI_SANITIZER_BUILD
#define FRI_CHILD_LAUNCHES 0
#else
#define FRI_CHILD_LAUNCHES 1
#endif

/* A CSR on the device; offsets are uint32_t when m < 2^32, else int64_t (fri_gpu.wide). */
typedef struct fri_gpu_csr {
    const void *offsets;        /* [n+1] */
    const int32_t *targets;     /* [m] */
    const void *weights;        /* [m] of the job's weight type, or NULL */
    unsigned long long *counts; /* [FR_COUNTER_COUNT] for FRI_COUNT of prim/count.cuh */
} fri_gpu_csr;

enum { FRI_GPU_CONTROL_WORDS = 64, FRI_GPU_MAX_BLOCKS = 24 };
#define FRI_GPU_CONTROL_BYTES                                                                      \
    (FRI_GPU_CONTROL_WORDS * sizeof(int32_t) + FR_COUNTER_COUNT * sizeof(unsigned long long))

/* One strategy bound to one graph on one device. Pointers are device memory unless said. */
typedef struct fri_gpu {
    fri_job *job;
    const struct fri_gpu_strategy *strategy;
    int32_t n;
    int64_t m;
    bool offsets64;
    fri_gpu_csr out, in; /* in: only when the row needs in-edges; out's when symmetric */
    int multiprocessors, compute_capability; /* 90 = 9.0 */
    int max_threads_per_sm;                  /* that a multiprocessor can hold */
    size_t max_shared_per_block;             /* most shared memory a block may ask for, bytes */
    cudaStream_t stream;
    cudaStream_t
        copy_stream; /* of uploads: the context's own while the graph travels, else stream */
    cudaEvent_t begin, end;
    cudaEvent_t upload_event; /* on the bus, see fri_gpu_transpose */
    int32_t *level, *parent;  /* [n]; parent NULL when the query wants none */
    int32_t *parent_store;    /* [n] what parent points at when wanted */
    int32_t *sources;         /* [source_count] distinct, on the device */
    int32_t source_count;
    uint64_t *target_map; /* bitmap of n bits; valid when the job has targets */
    char *scratch;        /* what the row asked for, 256-byte aligned */
    bool end_recorded;    /* the row has recorded `end` behind its last kernel */
    int32_t *control; /* [FRI_GPU_CONTROL_WORDS] zeroed before each traversal: flags, sizes; then
                             the counters of out.counts */
    int32_t *host_control; /* [FRI_GPU_CONTROL_WORDS] pinned host memory to read words into */
    void *state;           /* the row's own host state, from its open; NULL: none */
    void *block[FRI_GPU_MAX_BLOCKS]; /* device memory to free */
    int blocks;
    size_t allocated_bytes;
    char *transpose_scratch;  /* to make in-edges in, see fri_gpu_transpose */
    int32_t transposed_tiles; /* of theirs */
    char *reserved;           /* device memory for fri_gpu_alloc_many, room among it */
    size_t reserved_bytes;
    /* SSSP (drivers/sssp.h); level is not there */
    fr_type kind;         /* of the distances on the device: int64 also after int32 was left */
    void *dist;           /* [n] keys of prim/distance.cuh */
    char *driver_scratch; /* fri_gpu_driver_scratch_bytes: looking for cycles, parents, narrow
                             distances */
    int64_t max_key;      /* the greatest key that is kept, below far() */
    double slack;         /* floats: relative fall that counts; 0 but where they run in circles */
    int32_t
        rounds_per_check; /* rounds to launch before the host looks: doubles while all have work */
    int32_t target_mask;  /* targets[e] & mask is the vertex; the other bits are the row's */
    /* APSP (drivers/apsp.h): dist and parent_store hold a band of rows */
    int32_t batch; /* rows in a band */
    int32_t
        *parents_invalid; /* [batch] the row's parents may run in circles: the driver mends them */
    void *nvtx_domain;    /* NVTX domain; NULL: nobody listens */
    const void *kernel[FRI_MAX_KERNELS]; /* of job->kernels */
} fri_gpu;

/* Most levels expanded between two looks at the caller's wish to cancel: 5 ms at 5 us a level. */
enum { FRI_GPU_MAX_LEVELS = 1024 };

/* What one leap did; levels is 1 and all else zero before it. */
typedef struct fri_gpu_progress {
    int32_t levels;       /* expanded, >= 1; only the last of them may have found nothing */
    int64_t found, edges; /* as in step: `found` by the last level, `edges` by all */
    const char *method;   /* what a line per level calls it; NULL: the row's name */
    const int32_t *sizes; /* [levels] in host memory: found by each; NULL: one line for all */
    bool traced;          /* the row has recorded its levels itself */
} fri_gpu_progress;

/* How many parents a row knows without a look at the edges. */
typedef enum fri_gpu_parents {
    FRI_PARENTS_NONE,
    FRI_PARENTS_SOME,
    FRI_PARENTS_ALL
} fri_gpu_parents;

/* The device side of a row (fri_strategy.gpu). Exactly one of step, leap and rows is set. */
typedef struct fri_gpu_strategy {
    /* Bytes of device scratch; n, m, wide and the device's facts are set. NULL: none. */
    size_t (*scratch)(const fri_gpu *g);
    /* Starts a traversal: level and parent are filled with -1, the sources have level 0 and
     * themselves as parents, words are zero. NULL: nothing to do. */
    fr_status (*begin)(fri_gpu *g);
    /* Expands level `depth`, sets *found to the vertices of level depth + 1 (or any number > 0 if
     * the row does not count them), and *edges to the edges examined where these are not just
     * all that leave the frontier. */
    fr_status (*run_level)(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges);
    /* Expands the levels from `depth` on, at most `most` of them (1 <= most <=
     * FRI_GPU_MAX_LEVELS; 1 when the query has targets, which are looked at in between). */
    fr_status (*run_levels)(fri_gpu *g, int32_t depth, int32_t max_levels,
                            fri_gpu_progress *progress);
    /* SSSP: brings g->dist up to date, between rounds or, `last`, after all. NULL: it always is. */
    fr_status (*sync_distances)(fri_gpu *g, bool last);
    /* SSSP: after settle some of g->dist went to minus infinity: takes it up. NULL: nothing to do.
     */
    fr_status (*restart)(fri_gpu *g);
    /* APSP, in place of both: rows first .. first + count - 1 of the query into g->dist
     * [count][n] of the job's dist_type and, unless g->parent is NULL, g->parent [count][n]; their
     * sources stand in g->sources. `begin` is called once a query, before. */
    fr_status (*solve_rows)(fri_gpu *g, int64_t first, int32_t count);
    int32_t (*max_batch)(const fri_gpu *g); /* the largest band worth its memory */
    /* SSSP: fills g->parent where it knows nearer ones, INT32_MAX elsewhere (-1: not reached).
     * NULL: the driver finds them by a pass over all edges, as it does for FRI_PARENTS_NONE. */
    fri_gpu_parents (*parents)(fri_gpu *g);
    /* BFS: whether `begin` and `leap` write level, parent and words of this query themselves, which
     * hold anything before, take its only source from the query, and the first leap records
     * g->begin. NULL: no. */
    bool (*initializes_arrays)(const fri_gpu *g);
    /* The row's parts of fri_gpu_prepare; NULL: none. `ahead` may use g->out.offsets, and words,
     * which are zero, while the edges are on their way; g->scratch too if the graph is undirected,
     * else it may hold something else still. `late` comes behind all that makes g->in, on
     * g->stream, and need not wait for what it launches. */
    fr_status (*prepare_during_upload)(fri_gpu *g);
    fr_status (*prepare_after_upload)(fri_gpu *g);
} fri_gpu_strategy;

/* Part of every prepare (fri_gpu_prepare): the job's sizes; the device and its facts (FR_NO_DEVICE
 * in words where there is none); FR_NOMEM with the sum when device_bytes do not fit. */
void fri_gpu_describe(fri_gpu *g, fri_job *job);
fr_status fri_gpu_open(fri_gpu *g);
/* Runs `init` and adds its time to the context's device initialization. */
fr_status fri_gpu_time_init(fri_gpu *g, fr_status (*init)(fri_gpu *g));
fr_status fri_gpu_check_memory(fri_job *job);
/* Parts of that plan: bytes of a weight (floats whose distances are doubles travel as doubles), of
 * SSSP's distances (with room for 64 bits where they may leave int32 downwards) and of its spare.
 */
size_t fri_gpu_weight_size(const fri_gpu *g, const fr_csr *csr);
size_t fri_gpu_graph_bytes(const fri_gpu *g);
/* BFS and SSSP: all that a row takes beside the graph. */
size_t fri_gpu_vertex_bytes(const fri_gpu *g);
size_t fri_gpu_dist_bytes(const fri_gpu *g);
size_t fri_gpu_driver_scratch_bytes(const fri_gpu *g);

/* The four functions that every BFS strategy on the GPU puts into its fri_strategy. */
size_t fri_gpu_bytes(const fri_job *job);
fr_status fri_gpu_prepare(fri_job *job);
fr_status fri_gpu_bfs_run(fri_job *job);
void fri_gpu_release(fri_job *job);

/* FR_OK or FR_DEVICE / FR_NOMEM with the call's own words. */
fr_status fri_gpu_check(fri_gpu *g, cudaError_t error, const char *what);
/* Device memory until fri_gpu_release; NULL for 0 bytes. FR_NOMEM with the sum in the message. */
fr_status fri_gpu_alloc(fri_gpu *g, void **out, size_t bytes);
/* Whether the parts of a block are blocks of their own: the executor sees who leaves one. */
#ifdef FRI_SIMT
enum { FRI_GPU_SEPARATE_BUFFERS = 1 };
#else
enum { FRI_GPU_SEPARATE_BUFFERS = 0 };
#endif
/* A part of a block of device memory: where its place goes, its bytes. */
typedef struct fri_gpu_buffer {
    void **to;
    size_t bytes;
} fri_gpu_buffer;
/* One block for all, of what was kept if that is enough; each part on a line of 256 bytes. */
fr_status fri_gpu_alloc_many(fri_gpu *g, const fri_gpu_buffer *parts, int count);
static inline size_t fri_gpu_align(size_t bytes) { return (bytes + 255) / 256 * 256; }
/* Gives the block back that was taken with so many bytes. */
void fri_gpu_free(fri_gpu *g, void *block, size_t bytes);
/* Large ones through pinned buffers and several threads, so that the bus is used in full. */
fr_status fri_gpu_upload(fri_gpu *g, void *to, const void *from, size_t bytes);
/* Offsets narrowed to 32 bits on the way. */
fr_status fri_gpu_upload_narrow(fri_gpu *g, uint32_t *to, const int64_t *from, int64_t count);
/* What the caller's thread does while others carry an array. */
typedef struct fri_gpu_overlap {
    fr_status (*first)(fri_gpu *g);              /* then it carries, too */
    fr_status (*sent)(fri_gpu *g, size_t bytes); /* so many are on g->bus; called now and then, at
                                                    last for all */
} fri_gpu_overlap;
/* fri_gpu_upload with something beside, or NULL. Where nobody carries meanwhile, the time of
 * `first` is taken from the job's upload_ns. */
fr_status fri_gpu_upload_overlapped(fri_gpu *g, void *to, const void *from, size_t bytes,
                                    const fri_gpu_overlap *overlap);
/* What a context pins once: buffers for uploads with their stream, and host_control of its solvers.
 */
fr_status fri_gpu_pin(fri_gpu *g);
cudaStream_t fri_gpu_copy_stream(const fri_gpu *g);
fr_status fri_gpu_acquire_control(fri_gpu *g);
void fri_gpu_release_control(fri_gpu *g);
fr_status fri_gpu_download(fri_gpu *g, void *to, const void *from, size_t bytes);
/* words[first .. first+count) into host_control, waiting for the stream. */
fr_status fri_gpu_read_control(fri_gpu *g, int first, int count);
/* Zeroes words and counters: the start of every query. */
fr_status fri_gpu_clear_control(fri_gpu *g);
/* The kernels' counters into out->stats, when the job asks for them: the end of every query. */
fr_status fri_gpu_read_counts(fri_gpu *g);

/* NVTX ranges, "xbfs level 3" (number -1: "xbfs upload"), nested; nothing where no profiler is
 * attached. End what you began also when it failed. */
void fri_gpu_ranges_open(fri_gpu *g);
void fri_gpu_ranges_close(fri_gpu *g);
void fri_gpu_range_begin(const fri_gpu *g, const char *phase, int32_t number);
void fri_gpu_range_end(const fri_gpu *g);
/* FRI_LAUNCH calls this when the job records its kernels; the end of a query fills in the rest. */
void fri_gpu_record_launch(fri_gpu *g, const char *name, const void *kernel, int block,
                           size_t shared_bytes);
fr_status fri_gpu_read_occupancy(fri_gpu *g);

/* g->in, whose arrays are taken, from g->out, weights left out, rows in any order
 * (graph/transpose/transpose.cu): launches alone, with so many bytes in g->room until they are
 * done. To be called whenever more of the targets are on g->bus, at last with all m; launches wait
 * for those.
 */
fr_status fri_gpu_transpose(fri_gpu *g, int64_t edges);
void fri_gpu_transpose_load(fri_gpu *g); /* spares its first launches the wait */
size_t fri_gpu_transpose_bytes(const fri_gpu *g);
bool fri_gpu_can_transpose(const fri_gpu *g);

/* Kernels that all rows share (common.cu). */
fr_status fri_gpu_load_kernels(fri_gpu *g); /* what the first launch would wait for */
void fri_gpu_fill(fri_gpu *g, int32_t *at, int64_t count, int32_t value);
void fri_gpu_set_sources(fri_gpu *g);
/* words[FRI_CONTROL_TARGETS] = targets that have a level. */
void fri_gpu_count_targets(fri_gpu *g);
/* The out-edges of all vertices of levels 0 .. depth-1. */
fr_status fri_gpu_sum_degrees(fri_gpu *g, int32_t depth, int64_t *edges);
/* Of all allowed parents the least, from the levels. */
void fri_gpu_min_parents(fri_gpu *g);
/* Rows use words from 0 upwards; these, at the end, are the driver's. */
enum {
    FRI_CONTROL_TARGETS = FRI_GPU_CONTROL_WORDS - 1,
    FRI_CONTROL_SUM = FRI_GPU_CONTROL_WORDS - 4
};

/* Blocks of `block` threads for one thread per item; at least one. */
static inline unsigned fri_gpu_blocks(int64_t count, int block) {
    int64_t blocks = (count + block - 1) / block;
    return blocks < 1 ? 1 : blocks > 0x7fffffff ? 0x7fffffff : (unsigned)blocks;
}

#define FRI_GPU_TRY(expression)                                                                    \
    do {                                                                                           \
        fr_status try_ = (expression);                                                             \
        if (try_)                                                                                  \
            return try_;                                                                           \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
