/* Interface shared by all GPU strategies: the device, the graph in device memory, and the driver
 * that runs a strategy. Included by C (host) and by .cu files. */
#ifndef FRI_CUDA_DEVICE_GPU_H
#define FRI_CUDA_DEVICE_GPU_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "core/strategy.h"

/* Whether kernels may launch child grids. A build for tools that cannot follow child grids
 * (FRINGE_SANITIZER_BUILD in CMakeLists.txt) disables them, and strategies do without. */
#ifdef FRI_SANITIZER_BUILD
#define FRI_CHILD_LAUNCHES 0
#else
#define FRI_CHILD_LAUNCHES 1
#endif

/* A CSR in device memory; offsets are uint32_t when m < 2^32, else int64_t (fri_gpu.offsets64). */
typedef struct fri_gpu_csr {
    const void *offsets;        /* [n+1] */
    const int32_t *targets;     /* [m] */
    const void *weights;        /* [m] of the job's weight type, or NULL */
    unsigned long long *counts; /* [FR_COUNTER_COUNT] for FRI_COUNT of prim/count.cuh */
} fri_gpu_csr;

enum { FRI_GPU_CONTROL_WORDS = 96, FRI_GPU_MAX_BLOCKS = 24, FRI_GPU_MAX_HELD = 8 };
#define FRI_GPU_CONTROL_BYTES                                                                      \
    (FRI_GPU_CONTROL_WORDS * sizeof(int32_t) + FR_COUNTER_COUNT * sizeof(unsigned long long))

/* The parts of a fri_gpu that belong to one problem. */
typedef struct fri_gpu_bfs {
    int32_t *level;    /* [n] */
    bool end_recorded; /* the strategy has recorded `end` after its last kernel */
} fri_gpu_bfs;

/* drivers/sssp.h */
typedef struct fri_gpu_sssp {
    /* [fri_gpu_driver_scratch_bytes] cycle search, parents, conversion to int32 */
    char *driver_scratch;
    int64_t max_key; /* largest key that is kept, below unreached() */
    /* floats: minimum relative decrease that counts; 0 unless rounding makes parents cyclic */
    double slack;
    /* rounds to launch before the host reads the counters; doubles while all have work */
    int32_t rounds_per_check;
    int32_t target_mask; /* targets[e] & mask is the vertex; the strategy uses the other bits */
} fri_gpu_sssp;

/* drivers/apsp.h: dist and parent_store hold a batch of rows. */
typedef struct fri_gpu_apsp {
    int32_t batch; /* rows per batch */
    /* [batch] the row's parents may contain cycles: the driver repairs them */
    int32_t *parents_invalid;
} fri_gpu_apsp;

/* One strategy bound to one graph on one device. Pointers are device memory unless stated
 * otherwise. */
typedef struct fri_gpu {
    fri_job *job;
    const struct fri_gpu_strategy *strategy;
    void *state; /* host state of the strategy, set by its prepare; NULL: none */
    /* the device */
    int multiprocessors, compute_capability; /* 90 = 9.0 */
    int max_threads_per_sm;                  /* resident threads per multiprocessor */
    size_t max_shared_per_block;             /* maximum shared memory per block, bytes */
    /* the graph */
    int32_t n;
    int64_t m;
    bool offsets64;
    /* in: only if the strategy needs in-edges; equals out for symmetric graphs */
    fri_gpu_csr out, in;
    /* graph/resident.h: the copies of the graph, those in use and those being made */
    struct fri_resident *resident;
    struct fri_resident_block *held[FRI_GPU_MAX_HELD], *fresh[FRI_GPU_MAX_HELD];
    int held_count, fresh_count;
    const void *row_extra;    /* fri_gpu_rows.extra bytes of the strategy's rows */
    /* orders two streams: of copy_stream in fri_gpu_transpose, of a query's results */
    cudaEvent_t upload_event;
    char *transpose_scratch;  /* scratch of fri_gpu_transpose */
    int32_t transposed_tiles; /* tiles transposed so far */
    /* streams and the clock */
    cudaStream_t stream;
    cudaStream_t copy_stream; /* the context's during graph upload, otherwise `stream` */
    cudaEvent_t begin, end;
    /* memory */
    void *block[FRI_GPU_MAX_BLOCKS]; /* device allocations to give back */
    size_t block_bytes[FRI_GPU_MAX_BLOCKS];
    int blocks;
    size_t allocated_bytes;
    /* device memory that fri_gpu_alloc_many uses first; includes transpose_scratch */
    char *reserved;
    size_t reserved_bytes;
    char *scratch; /* the strategy's scratch, 256-byte aligned */
    /* [FRI_GPU_CONTROL_WORDS] flags and sizes, zeroed before each traversal; followed by the
     * counters of out.counts */
    int32_t *control;
    int32_t *host_control; /* [FRI_GPU_CONTROL_WORDS] pinned host copy of control words */
    /* the query */
    int32_t *sources; /* [source_count] distinct, on the device */
    int32_t source_count;
    uint64_t *target_map;  /* bitmap of n bits; valid when the job has targets */
    int32_t *parent;       /* [n]; NULL when the query wants none */
    int32_t *parent_store; /* [n] storage behind `parent` */
    fr_type kind;          /* type of the distances on the device: int64 after int32 overflowed */
    void *dist;            /* SSSP: [n] keys of prim/distance.cuh; APSP: a batch of rows */
    fri_gpu_bfs bfs;
    fri_gpu_sssp sssp;
    fri_gpu_apsp apsp;
    /* profiling */
    void *nvtx_domain;                   /* NVTX domain; NULL: no profiler is attached */
    const void *kernel[FRI_MAX_KERNELS]; /* of job->kernels */
} fri_gpu;

/* Maximum levels expanded between two checks for cancellation: 5 ms at 5 us per level. */
enum { FRI_GPU_MAX_LEVELS = 1024 };

/* Result of one run_levels call; levels is 1 and all other members are zero before it. */
typedef struct fri_gpu_progress {
    int32_t levels; /* expanded, >= 1; only the last of them may be empty */
    /* as in run_level: `found` by the last level (0: the query is finished, any other number if the
     * strategy does not count them), `edges` by all */
    int64_t found, edges;
    const char *method; /* method name in the per-level trace; NULL: the strategy's name */
    /* [levels] in host memory: vertices found by each; NULL: one trace line for all */
    const int32_t *sizes;
    bool traced; /* the strategy has recorded its levels itself */
    /* BFS, found == 0: all vertices reached and all their out-edges; 0: not counted */
    int64_t reached, reached_edges;
} fri_gpu_progress;

/* Rows that a strategy changes in place, and therefore shares only with solvers of the same
 * variant. */
typedef struct fri_gpu_rows {
    uint32_t variant; /* identifies the change, unique among all strategies; 0: none */
    bool weights;     /* the weights are changed, too */
    size_t extra;     /* bytes of g->row_extra, which is shared with the rows */
} fri_gpu_rows;

/* How many parents a strategy has found itself. FRI_PARENTS_SOME: where g->parent is
 * INT32_MAX, the driver searches, hop by hop from vertices that have a parent. */
typedef enum fri_gpu_parents {
    FRI_PARENTS_NONE,
    FRI_PARENTS_SOME,
    FRI_PARENTS_ALL
} fri_gpu_parents;

/* The device side of a strategy (fri_strategy.gpu). Exactly one of run_level, run_levels and
 * solve_rows is set. */
typedef struct fri_gpu_strategy {
    /* Bytes of device scratch; n, m, offsets64 and the device's attributes are set. NULL: none. */
    size_t (*scratch)(const fri_gpu *g);
    /* Starts a traversal: level and parent are filled with -1, the sources have level 0 and are
     * their own parents, control words are zero. NULL: nothing to do. */
    fr_status (*begin)(fri_gpu *g);
    /* Expands level `depth`, sets *found to the number of vertices of level depth + 1 (any number >
     * 0 if the strategy does not count them), and *edges to the edges examined if these are not
     * exactly the edges leaving the frontier. */
    fr_status (*run_level)(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges);
    /* Expands levels from `depth` on, at most `max_levels` of them (1 <= max_levels <=
     * FRI_GPU_MAX_LEVELS; 1 when the query has targets, which are checked between calls). */
    fr_status (*run_levels)(fri_gpu *g, int32_t depth, int32_t max_levels,
                            fri_gpu_progress *progress);
    /* SSSP: brings g->dist up to date, between rounds or, with `last`, after all. NULL: it always
     * is. */
    fr_status (*sync_distances)(fri_gpu *g, bool last);
    /* SSSP: resumes after the driver set some of g->dist to minus infinity. NULL: nothing to do. */
    fr_status (*restart)(fri_gpu *g);
    /* APSP, in place of run_level and run_levels: computes rows first .. first + count - 1 of the
     * query into g->dist [count][n] of the job's dist_type and, unless g->parent is NULL, g->parent
     * [count][n]; their sources are in g->sources. `begin` is called once per query, before the
     * first batch. */
    fr_status (*solve_rows)(fri_gpu *g, int64_t first, int32_t count);
    int32_t (*max_batch)(const fri_gpu *g); /* the largest batch worth its memory */
    /* SSSP: fills g->parent where it knows nearer parents, INT32_MAX elsewhere (-1: not reached).
     * NULL: the driver finds them by a pass over all edges, as it does for FRI_PARENTS_NONE. */
    fri_gpu_parents (*parents)(fri_gpu *g);
    /* BFS: whether `begin` and `run_levels` initialize level, parent and the control words of this
     * query themselves (which hold arbitrary values before), read the only source from the query,
     * and record g->begin in the first call. NULL: no. */
    bool (*initializes_arrays)(const fri_gpu *g);
    /* The strategy's parts of fri_gpu_prepare; NULL: none. prepare_during_upload may use
     * g->out.offsets and the control words, which are zero, while the edges are uploaded; also
     * g->scratch if the graph is undirected, otherwise the scratch may still hold other data.
     * prepare_after_upload is called after everything that builds g->in, on g->stream, and need not
     * wait for what it launches. */
    fr_status (*prepare_during_upload)(fri_gpu *g);
    fr_status (*prepare_after_upload)(fri_gpu *g);
    /* Whether the strategy changes its rows in place: before any allocation. change_rows makes the
     * change, once for all solvers that share the rows, on g->stream, with the scratch and the
     * control words at its disposal. NULL: rows are used as they are. */
    fri_gpu_rows (*rows)(const fri_gpu *g);
    fr_status (*change_rows)(fri_gpu *g);
} fri_gpu_strategy;

/* Parts of every prepare (fri_gpu_prepare): the job's sizes; the device and its attributes
 * (FR_NO_DEVICE with the reason if there is none); FR_NOMEM with the required bytes when
 * device_bytes do not fit. */
void fri_gpu_describe(fri_gpu *g, fri_job *job);
fr_status fri_gpu_open(fri_gpu *g);
/* Runs `init` and adds its time to the context's device initialization. */
fr_status fri_gpu_time_init(fri_gpu *g, fr_status (*init)(fri_gpu *g));
fr_status fri_gpu_check_memory(fri_gpu *g);
/* Parts of the memory plan: bytes of a weight (float32 weights whose distances are float64 are
 * stored as float64), of SSSP's distances (64 bits if they may fall below int32), and of the
 * driver's scratch. */
size_t fri_gpu_weight_size(const fri_gpu *g, const fr_csr *csr);
size_t fri_gpu_graph_bytes(const fri_gpu *g);
/* graph_bytes: parts of the graph that are not on the device yet, and the control words. */
/* BFS and SSSP: everything a strategy allocates in addition to the graph. */
size_t fri_gpu_vertex_bytes(const fri_gpu *g);
size_t fri_gpu_dist_bytes(const fri_gpu *g);
size_t fri_gpu_driver_scratch_bytes(const fri_gpu *g);

/* The four functions that every GPU BFS strategy puts into its fri_strategy. */
size_t fri_gpu_bytes(const fri_job *job);
fr_status fri_gpu_prepare(fri_job *job);
fr_status fri_gpu_bfs_run(fri_job *job);
void fri_gpu_release(fri_job *job);

/* FR_OK, or FR_DEVICE / FR_NOMEM with CUDA's error string. */
fr_status fri_gpu_check(fri_gpu *g, cudaError_t error, const char *what);
/* Allocates device memory until fri_gpu_release; NULL for 0 bytes. FR_NOMEM with the sizes in the
 * message. */
fr_status fri_gpu_alloc(fri_gpu *g, void **out, size_t bytes);
/* The same without a record in g: the caller frees it with fri_gpu_give. Before it fails, what
 * nobody uses makes room (fri_gpu_make_room of device/context.h). */
fr_status fri_gpu_take(fri_gpu *g, void **out, size_t bytes);
void fri_gpu_give(fr_ctx *ctx, void *block, size_t bytes);
/* Whether each buffer is an allocation of its own, so that the SIMT executor detects accesses
 * beyond its bounds. */
#ifdef FRI_SIMT
enum { FRI_GPU_SEPARATE_BUFFERS = 1 };
#else
enum { FRI_GPU_SEPARATE_BUFFERS = 0 };
#endif
/* A part of a device allocation: where to store its address, its bytes. */
typedef struct fri_gpu_buffer {
    void **to;
    size_t bytes;
} fri_gpu_buffer;
/* Carves all buffers from one allocation, or from g->reserved if that is large enough; each buffer
 * is aligned to 256 bytes. */
fr_status fri_gpu_alloc_many(fri_gpu *g, const fri_gpu_buffer *parts, int count);
static inline size_t fri_gpu_align(size_t bytes) { return (bytes + 255) / 256 * 256; }
/* Frees the block, which was allocated with `bytes` bytes. */
void fri_gpu_free(fri_gpu *g, void *block, size_t bytes);
/* Uploads large arrays through pinned buffers filled by several threads, to use the full bandwidth
 * of the bus. */
fr_status fri_gpu_upload(fri_gpu *g, void *to, const void *from, size_t bytes);
/* Part of a query: as fri_gpu_upload, but need not have ended when it returns. Work on g->stream
 * follows it; `from` must not change before the host waits for that stream. */
fr_status fri_gpu_send(fri_gpu *g, void *to, const void *from, size_t bytes);
/* Uploads offsets, narrowed to 32 bits. */
fr_status fri_gpu_upload_narrow(fri_gpu *g, uint32_t *to, const int64_t *from, int64_t count);
/* Work of the caller's thread while other threads upload an array. */
typedef struct fri_gpu_overlap {
    /* called once; then the caller's thread uploads, too */
    fr_status (*first)(fri_gpu *g);
    /* `bytes` bytes are submitted to g->copy_stream; called repeatedly, the last time for all */
    fr_status (*sent)(fri_gpu *g, size_t bytes);
} fri_gpu_overlap;
/* fri_gpu_upload with overlapped work, or NULL. If no other thread uploads at the same time, the
 * time of `first` is subtracted from the job's upload_ns. */
fr_status fri_gpu_upload_overlapped(fri_gpu *g, void *to, const void *from, size_t bytes,
                                    const fri_gpu_overlap *overlap);
/* Pins what a context pins once: upload buffers with their stream, and host_control of its solvers.
 */
fr_status fri_gpu_pin(fri_gpu *g);
cudaStream_t fri_gpu_copy_stream(const fri_gpu *g);
fr_status fri_gpu_acquire_control(fri_gpu *g);
void fri_gpu_release_control(fri_gpu *g);
fr_status fri_gpu_download(fri_gpu *g, void *to, const void *from, size_t bytes);
/* Reads control[first .. first+count) into host_control and waits for the stream. */
fr_status fri_gpu_read_control(fri_gpu *g, int first, int count);
/* Zeroes control words and counters: the start of every query. */
fr_status fri_gpu_clear_control(fri_gpu *g);
/* Reads the kernels' counters into out->stats if the job asks for them: the end of every query. */
fr_status fri_gpu_read_counts(fri_gpu *g);

/* NVTX ranges, "xbfs level 3" (number -1: "xbfs upload"), nested; no-ops when no profiler is
 * attached. End every range, also after a failure. */
void fri_gpu_ranges_open(fri_gpu *g);
void fri_gpu_ranges_close(fri_gpu *g);
void fri_gpu_range_begin(const fri_gpu *g, const char *phase, int32_t number);
void fri_gpu_range_end(const fri_gpu *g);
/* FRI_LAUNCH calls this when the job records its kernels; the occupancy is added at the end of a
 * query. */
void fri_gpu_record_launch(fri_gpu *g, const char *name, const void *kernel, int block,
                           size_t shared_bytes);
fr_status fri_gpu_read_occupancy(fri_gpu *g);

/* Builds g->in, whose arrays are allocated, from g->out, without weights, rows in any order
 * (graph/transpose/transpose.cu). Only launches kernels; needs fri_gpu_transpose_bytes in
 * g->transpose_scratch until they have finished. Call it whenever more of the targets are submitted
 * to g->copy_stream, the last time with all m; the launches wait for those targets. */
fr_status fri_gpu_transpose(fri_gpu *g, int64_t edges);
void fri_gpu_transpose_load(fri_gpu *g); /* loads the kernels before their first launch */
size_t fri_gpu_transpose_bytes(const fri_gpu *g);
bool fri_gpu_can_transpose(const fri_gpu *g);

/* Kernels shared by all strategies (device/kernels.cu). */
/* loads modules, which the first launch would wait for */
fr_status fri_gpu_load_kernels(fri_gpu *g);
void fri_gpu_preload(void); /* the same ahead of time, in any thread */
void fri_gpu_fill(fri_gpu *g, int32_t *at, int64_t count, int32_t value);
void fri_gpu_set_sources(fri_gpu *g);
/* control[FRI_CONTROL_TARGETS] = targets that have a level. */
void fri_gpu_count_targets(fri_gpu *g);
/* The smallest allowed parent of each vertex, from the levels. */
void fri_gpu_min_parents(fri_gpu *g);
/* Strategies use control words from 0 upwards; these, at the end, belong to the driver. */
enum {
    FRI_CONTROL_TARGETS = FRI_GPU_CONTROL_WORDS - 1,
    FRI_CONTROL_REACHED = FRI_GPU_CONTROL_WORDS - 24, /* see device/results.h; 6 words */
    FRI_CONTROL_DRIVER_BEGIN = FRI_CONTROL_REACHED    /* the first of these */
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
