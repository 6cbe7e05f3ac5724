/* A strategy bound to a graph on a device (fri_gpu), and what all GPU strategies call: preparation,
 * query, tracing, the transpose and common kernels. Headings name the file that defines the functions.
 * What a strategy provides is in gpu_strategy.h, memory and transfers are in memory.h. Included by C
 * (host) and by .cu files. */
#ifndef FRI_CUDA_DEVICE_GPU_H
#define FRI_CUDA_DEVICE_GPU_H

#include <cuda_runtime_api.h>

/* Around the declarations of a header that .cu files include, too. */
#ifdef __cplusplus
#define FRI_C_BEGIN extern "C" {
#define FRI_C_END   }
#else
#define FRI_C_BEGIN
#define FRI_C_END
#endif

FRI_C_BEGIN

#include "core/strategy.h"
#include "cuda/device/gpu_strategy.h"
#include "cuda/device/memory.h"

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
    unsigned long long *counts; /* [FR_COUNTER_COUNT] for FRI_COUNT of prim/device.cuh */
} fri_gpu_csr;

enum { FRI_GPU_CONTROL_WORDS = 96, FRI_GPU_MAX_ALLOCATIONS = 24, FRI_GPU_MAX_HELD = 8 };
#define FRI_GPU_CONTROL_BYTES                                                                      \
    (FRI_GPU_CONTROL_WORDS * sizeof(int32_t) + FR_COUNTER_COUNT * sizeof(unsigned long long))

/* Of g->host_control: whole cache lines. */
#define FRI_GPU_HOST_CONTROL_BYTES (FRI_GPU_CONTROL_WORDS * sizeof(int32_t) + FRI_CACHE_LINE)

/* The parts of a fri_gpu that belong to one problem. */
typedef struct fri_gpu_bfs {
    int32_t *level;    /* [n] */
    int32_t unreached; /* the level of vertices that are not reached: -1; of SSSP INT32_MAX */
    int32_t max_level; /* of the query; 0: all */
    bool end_recorded; /* the strategy has recorded clock_stop after its last kernel */
    bool submitted;    /* the first launch of run_levels is under way (submit_levels) */
} fri_gpu_bfs;

/* drivers/sssp.h */
typedef struct fri_gpu_sssp {
    /* [fri_gpu_driver_scratch_bytes] cycle search, parents, conversion to int32 */
    char *driver_scratch;
    int64_t max_key;      /* largest key that is kept, below unreached() */
    const char *why_host; /* why the host must solve; NULL: the device does */
    /* rounds to launch before the host reads the counters; doubles while all have work */
    int32_t rounds_per_check;
    int32_t searches;    /* for negative cycles, of the query so far */
    int32_t target_mask; /* targets[e] & mask is the vertex; the strategy uses the other bits */
    int32_t
        weight_shift;  /* targets[e] >> shift is the weight, a whole number; 0: it is not there */
    bool windows_fail; /* auto: a query has shown that the graph is no small world */
    /* Queries are solved with int32 distances, of a job of another type, until one has distances that these do not
     * hold, or floats not exactly */
    bool narrow_first, narrow_fails;
    void *values; /* [n] of the last query, of the job's type */
} fri_gpu_sssp;

/* drivers/apsp.h: dist and parent_store hold a batch of rows. */
typedef struct fri_gpu_apsp {
    int32_t batch; /* rows per batch */
    /* sources per batch of a strategy that makes no rows for a query (FRI_GATHERS_COLUMNS); else `batch` */
    int32_t together;
    /* [batch] the row's parents may contain cycles: the driver repairs them */
    int32_t *parents_invalid;
} fri_gpu_apsp;

/* One strategy bound to one graph on one device. Pointers are device memory unless stated
 * otherwise. */
struct fri_gpu {
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
    /* in: equals out if the graph is symmetric or the strategy needs no in-edges */
    fri_gpu_csr out, in;
    /* graph/resident.h: the copies of the graph, those in use and those being made */
    struct fri_resident *resident;
    struct fri_resident_block *held[FRI_GPU_MAX_HELD], *fresh[FRI_GPU_MAX_HELD];
    int held_count, fresh_count;
    const void *row_extra; /* fri_gpu_rows.extra bytes of the strategy's rows */
    /* orders two streams: of copy_stream in fri_gpu_transpose, of a query's results */
    cudaEvent_t upload_event;
    char *transpose_scratch;  /* scratch of fri_gpu_transpose */
    int32_t transposed_tiles; /* tiles transposed so far */
    /* streams and the clock */
    cudaStream_t stream;
    cudaStream_t copy_stream;            /* the context's during graph upload, otherwise `stream` */
    cudaEvent_t clock_start, clock_stop; /* around a query's work: stats.traverse_ns */
    /* memory */
    void *allocation[FRI_GPU_MAX_ALLOCATIONS]; /* of device memory, to be freed or kept as spare */
    size_t allocation_bytes[FRI_GPU_MAX_ALLOCATIONS];
    int allocations;
    size_t allocated_bytes;
    /* device memory that fri_gpu_alloc_many uses first; includes transpose_scratch */
    char *reserved;
    size_t reserved_bytes;
    char *scratch; /* the strategy's scratch, 256-byte aligned */
    /* [FRI_GPU_CONTROL_WORDS] flags and sizes, zeroed before each traversal; followed by the
     * counters of out.counts */
    int32_t *control;
    /* [FRI_GPU_CONTROL_WORDS] pinned host copy of control words, followed by what
     * fri_gpu_published and fri_gpu_staged_size read */
    int32_t *host_control;
    uint64_t publications; /* of control words so far */
    struct fri_gpu_delivery
        *delivery; /* of staging.c, while it waits for the traversal; else NULL */
    /* the query */
    int32_t *sources; /* [source_count] distinct, on the device */
    int32_t source_count;
    uint64_t *target_map;  /* bitmap of n bits; valid when the job has targets */
    int32_t *parent;       /* [n]; NULL when the query wants none */
    int32_t *parent_store; /* [n] storage of `parent` */
    fr_type dist_type;     /* type of the distances on the device: int64 after int32 overflowed */
    void *dist;            /* SSSP: [n] keys of prim/distance.cuh; APSP: a batch of rows */
    fri_gpu_bfs bfs;
    fri_gpu_sssp sssp;
    fri_gpu_apsp apsp;
    int32_t deepest; /* bfs/many: levels of all searches so far that no limit ended; 0: not known */
    struct fri_gpu_batch *batch; /* device/batch.c; NULL: there was none yet */
    /* profiling */
    void *nvtx_domain;                   /* NVTX domain; NULL: no profiler is attached */
    const void *kernel[FRI_MAX_KERNELS]; /* of job->told.kernels */
};

/* ---- device.c ---------------------------------------------------------------------------- */

/* Opens the context's device, once per context, and sets its attributes in g. FR_NO_DEVICE with the
 * reason if there is none. */
fr_status fri_gpu_open(fri_gpu *g);
/* Runs `init` and adds its time to the context's device initialization. */
fr_status fri_gpu_time_init(fri_gpu *g, fr_status (*init)(fri_gpu *g));

/* For every loop that runs until something stops changing: FR_DEVICE, with the strategy and the number,
 * once it has done more than the `most` `steps` ("rounds") that theory allows. */
fr_status fri_gpu_check_steps(const fri_job *job, const char *steps, int64_t done, int64_t most);

/* ---- memory_plan.c ----------------------------------------------------------------------- */

/* Sets what follows from the job alone: strategy, sizes, type of the distances, width of offsets. */
void fri_gpu_bind_job(fri_gpu *g, fri_job *job);
/* FR_NOMEM, with the required and the available bytes, when device_bytes do not fit. */
fr_status fri_gpu_check_memory(fri_gpu *g);
/* Whether the solver has arrays of levels. */
bool fri_gpu_has_levels(const fri_gpu *g);
/* Bytes of a weight: float32 weights whose distances are float64 are stored as float64. */
size_t fri_gpu_weight_size(const fri_gpu *g, const fr_csr *csr);
/* Bytes of the parts of the graph that are not on the device yet, and of the control words. */
size_t fri_gpu_graph_bytes(const fri_gpu *g);
/* BFS and SSSP: bytes of everything a solver allocates in addition to the graph. */
size_t fri_gpu_vertex_bytes(const fri_gpu *g);
/* Bytes of SSSP's distances: 64 bits each if they may fall below int32. */
size_t fri_gpu_dist_bytes(const fri_gpu *g);
/* Bytes of fri_gpu_sssp.driver_scratch. */
size_t fri_gpu_driver_scratch_bytes(const fri_gpu *g);

/* ---- the functions of a fri_strategy ----------------------------------------------------- */

/* device_bytes, of every GPU strategy (memory_plan.c). */
size_t fri_gpu_bytes(const fri_job *job);
/* prepare and release (graph/device_graph.c). A strategy with state of its own wraps them. */
fr_status fri_gpu_prepare(fri_job *job);
void fri_gpu_release(fri_job *job);
/* run, of BFS (drivers/bfs.c); of the others: fri_gpu_sssp_run, fri_gpu_apsp_run. */
fr_status fri_gpu_bfs_run(fri_job *job);
fr_status fri_gpu_levels_run(fri_job *job); /* drivers/bfs.c, of SSSP with distances_are_levels */

/* ---- trace.c ----------------------------------------------------------------------------- */

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

/* ---- graph/transpose/transpose.cu --------------------------------------------------------- */

/* Builds g->in, whose arrays are allocated, from g->out, without weights, rows in any order.
 * Only launches kernels; needs fri_gpu_transpose_bytes in
 * g->transpose_scratch until they have finished. Call it whenever more of the targets are submitted
 * to g->copy_stream, the last time with all m; the launches wait for those targets. */
fr_status fri_gpu_transpose(fri_gpu *g, int64_t edges);
void fri_gpu_transpose_load(fri_gpu *g); /* loads the kernels before their first launch */
size_t fri_gpu_transpose_bytes(const fri_gpu *g);
/* False: the graph has too many vertices. */
bool fri_gpu_can_transpose(const fri_gpu *g);

/* ---- kernels.cu --------------------------------------------------------------------------- */

/* Loads modules, which the first launch would wait for. */
fr_status fri_gpu_load_kernels(fri_gpu *g);
void fri_gpu_preload(void); /* the same ahead of time, in any thread */
void fri_gpu_fill(fri_gpu *g, int32_t *at, int64_t count, int32_t value);
/* Submits a kernel that writes control[first .. first+count) to host_control; fri_gpu_await_control waits
 * for it. With count 0 it marks a point in the stream: any thread may wait for it by fri_gpu_await(g,
 * fri_gpu_published(g), g->publications), also while the stream continues. */
void fri_gpu_publish(fri_gpu *g, int first, int count);
/* BFS: the sources get level 0 and are their own parents. */
void fri_gpu_set_sources(fri_gpu *g);
/* control[FRI_CONTROL_TARGETS] = targets that have a level. */
void fri_gpu_count_targets(fri_gpu *g);
/* The smallest allowed parent of each vertex, from the levels. */
void fri_gpu_min_parents(fri_gpu *g);
/* SSSP: only the sources, at level 0, are reached. */
void fri_gpu_keep_sources(fri_gpu *g);
/* Writes the sums of these distances, of job->sums->of.type, to `dist` on the device. */
void fri_gpu_sum_levels(fri_gpu *g, void *dist);
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

FRI_C_END
#endif
