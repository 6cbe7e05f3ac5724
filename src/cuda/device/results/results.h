/* Delivers results from the device to the caller: where the caller's arrays are, how they are filled, and
 * the counts that statistics need. */
#ifndef FRI_CUDA_DEVICE_RESULTS_H
#define FRI_CUDA_DEVICE_RESULTS_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

/* ---- results.c: the caller's arrays ------------------------------------------------------ */

/* The start of every query: checks that arrays that the query says are on the device are there (FR_INVALID),
 * and lets g->stream wait for the caller's stream. */
fr_status fri_gpu_open_results(fri_gpu *g);
/* FR_INVALID: an array on the device, where the query says host memory. Later in a query, but before
 * results are copied: to ask the driver takes microseconds, which a traversal on its way hides. */
fr_status fri_gpu_check_host_results(const fri_gpu *g);
/* Lets g->stream wait for the caller's stream of a query whose results are on the device. FR_INVALID:
 * it is not a stream of this GPU. */
fr_status fri_gpu_wait_for_caller(fri_gpu *g);
/* Whether both ends of an array are in memory of the context's GPU, or managed. */
bool fri_gpu_is_on_device(const fri_gpu *g, const void *array, size_t bytes);
/* Whether a traversal may use the caller's array, which is on the device, as its own. */
bool fri_gpu_is_direct(const fri_gpu *g, const void *array);

/* ---- download.c -------------------------------------------------------------------------- */

/* An array of the result and where it is copied to. */
typedef struct fri_gpu_output {
    void *to;         /* the caller's array; NULL: none */
    const void *from; /* [count] on the device */
    int64_t count;
    int size; /* bytes per value */
    int sent; /* bytes per value on the bus (fri_narrow_size); less than size for integers only */
    /* of FRI_COPY_TEAM: NULL, or the values are levels and `to` gets their sums */
    const struct fri_level_table *sums;
} fri_gpu_output;
enum { FRI_GPU_MAX_OUTPUTS = 2 };

/* What fri_gpu_count_reached counts. */
typedef struct fri_gpu_counting {
    const void *values; /* [n] on the device */
    int size;           /* bytes per value */
    int64_t unreached, last;
} fri_gpu_counting;

/* How an output reaches the caller: not at all, by one copy of the device, or by a team of threads. */
typedef enum fri_gpu_copy_method {
    FRI_COPY_NONE,
    FRI_COPY_DEVICE,
    FRI_COPY_TEAM
} fri_gpu_copy_method;
fri_gpu_copy_method fri_gpu_copy_method_of(const fri_gpu *g, const fri_gpu_output *o);
/* Writes `count` values of o->to, from value `at` on, that arrived in `sent` bytes each. */
void fri_gpu_write_output(const fri_gpu_output *o, int64_t at, const void *from, int sent,
                          int64_t count, bool around_caches);

/* Fills the caller's arrays after the work that is submitted to g->stream. `pending`: g->stream
 * has work that no thread has waited for; then it waits for that stream, also for copies and
 * counting. counting, or NULL: is done during the transfer, and is complete at the end. */
fr_status fri_gpu_download_results(fri_gpu *g, const fri_gpu_output *outputs, int count,
                                   bool pending, const fri_gpu_counting *counting);

/* Waits for g->stream, whose work is `what`, and fills one array with values of `size` bytes. */
fr_status fri_gpu_download_array(fri_gpu *g, const char *what, void *to, const void *from,
                                 int64_t count, int size);

/* Waits for copies of g->stream if any are pending, else for the counting if there is one. */
fr_status fri_gpu_await_results(fri_gpu *g, bool pending, bool counts);

/* Narrows `o` into `to`, which becomes o->from; a batch calls it. */
fr_status fri_gpu_narrow_output(fri_gpu *g, fri_gpu_output *o, void *to);

/* ---- staging.c; the other functions: delivery.h ------------------------------------------- */

/* The values of a piece of an output of `values` values: whole units, at most FRI_MAX_PIECE
 * (device/pinned.h), and so few that the blocks write FRI_STAGE_WAVES pieces in turn. Pieces of one turn
 * arrive at about the same time, and no thread expands before the first arrives. */
int64_t fri_stage_piece(int64_t values);

/* The control words of a strategy that show whether a launch was the last one of the traversal. */
typedef struct fri_gpu_ending {
    /* it was if control[found + control[phase] * found_stride] == 0 */
    int found, found_stride, phase;
    int levels;    /* control[levels]: levels of the launch */
    int32_t depth; /* levels before the launch */
    int words;     /* control words that the host reads */
} fri_gpu_ending;
/* As fri_gpu_read_control of words 0 to end->words, submitted after a launch of BFS. If a delivery waits,
 * its pieces follow the last launch at once, without the host. */
fr_status fri_gpu_read_levels(fri_gpu *g, const fri_gpu_ending *end);

/* ---- download_team.c --------------------------------------------------------------------- */

/* The same by transfers of the device. `pending` as in fri_gpu_download_results. */
fr_status fri_gpu_transfer(fri_gpu *g, fri_gpu_output *outputs, int count, bool pending,
                           const fri_gpu_counting *counting);

/* The number of threads that pays for `bytes` of the caller's arrays, and the streams of the
 * threads. */
int fri_gpu_download_threads(const fri_gpu *g, size_t bytes);
fr_status fri_gpu_download_streams(fri_gpu *g, int threads);
/* Part of an output that is being copied to the caller's array. */
typedef struct fri_gpu_output_part {
    const fri_gpu_output *of;
    int64_t at, count; /* of of->to */
    fri_gpu_copy_method method;
    uint64_t after; /* publication (fri_gpu_published) that the copy waits for; 0: none */
    void *owner;    /* of the source */
} fri_gpu_output_part;

/* The source of the parts that the threads of a team copy. Several threads may call it at a time. */
typedef struct fri_gpu_source {
    void *arg;
    /* False: nothing is left. With `wait` it blocks until a part comes or none can come; without, false
     * may be temporary. */
    bool (*take)(void *arg, bool wait, fri_gpu_output_part *to);
    /* Called once for each part, after its copy has ended; `error`: the part was not copied. */
    void (*finish)(void *arg, const fri_gpu_output_part *part, cudaError_t error);
    bool around_caches; /* all parts together exceed the caches */
} fri_gpu_source;
/* Copies parts until nothing is left: thread `index` of those that fri_gpu_download_streams has made
 * streams for. The pinned buffers belong to the threads until it returns. */
void fri_gpu_copy_parts(fri_gpu *g, int index, const fri_gpu_source *source);
/* The values of each part of `o` for `threads` threads. `more_follow`: threads continue with other outputs, so
 * parts are larger; else there are several per thread, so that all end at about the same time. */
int64_t fri_gpu_part_values(const fri_gpu *g, const fri_gpu_output *o, int threads,
                            bool more_follow);

/* ---- batch.c ----------------------------------------------------------------------------- */

/* Whether results are delivered while the next query runs. */
bool fri_gpu_is_batched(const fri_gpu *g);
/* As fri_gpu_download_results, but the arrays are complete only at the end of the batch. */
fr_status fri_gpu_batch_add(fri_gpu *g, const fri_gpu_output *outputs, int count, bool pending,
                            const fri_gpu_counting *counting);
/* APSP: the values of such an output that may be added at a time. */
int64_t fri_gpu_batch_room(const fri_gpu *g, const fri_gpu_output *o);
void fri_gpu_batch_release(fri_gpu *g);

/* ---- result_kernels.cu ------------------------------------------------------------------- */

/* Writes `count` integers of `size` bytes as integers of `sent` bytes (device/expand.h). */
void fri_gpu_narrow(fri_gpu *g, const void *from, int size, void *to, int sent, int64_t count);
/* The fewest bytes in which `count` integers of `size` bytes, aligned to 4 * size, can be sent. Waits for the
 * stream. */
fr_status fri_gpu_find_size(fri_gpu *g, const void *values, int size, int64_t count, int *sent);
/* Pieces of up to two outputs, numbered consecutively, that a kernel writes to slots of page-locked
 * memory: piece i goes to slot i modulo the number of slots and is complete once the host reads
 * base + i + 1 from the slot's flag. Flags are FRI_FLAG_STRIDE words apart. */
typedef struct fri_gpu_pieces {
    const void *from[FRI_GPU_MAX_OUTPUTS];
    int64_t count[FRI_GPU_MAX_OUTPUTS], pieces[FRI_GPU_MAX_OUTPUTS]; /* 0: no such output */
    int size[FRI_GPU_MAX_OUTPUTS], sent[FRI_GPU_MAX_OUTPUTS]; /* equal: any values, not narrowed */
    char *buffer;
    int64_t buffer_bytes;
    uint64_t *flags, base;
    int64_t piece;       /* values of a piece */
    int64_t first, last; /* pieces to write; last 0: as many as there are slots */
} fri_gpu_pieces;
/* Blocks that write pieces: enough to fill the bus, and few, so that pieces are complete one after
 * another. Up to ONE_WAVE pieces have a block each: there the time of a piece counts, most of which is the
 * way to host memory and back, and not the bus. */
#ifdef FRI_SIMT
enum { FRI_STAGE_BLOCKS = 4, FRI_STAGE_WAVES = 3, FRI_STAGE_ONE_WAVE = 6 };
#else
enum { FRI_STAGE_BLOCKS = 64, FRI_STAGE_WAVES = 8, FRI_STAGE_ONE_WAVE = 256 };
#endif
/* The slots for pieces whose values have up to `sent` bytes: parts of equal size. */
#define FRI_STAGE_PARTS 4
#define FRI_STAGE_SLOTS(p, sent)                                                                   \
    ((p).buffer_bytes / ((p).piece * (sent)) / FRI_STAGE_PARTS * FRI_STAGE_PARTS)
void fri_gpu_stage_pieces(fri_gpu *g, const fri_gpu_pieces *p);
/* Publishes control words. After the last launch it writes the first pieces, too, with sent[0] chosen
 * if it is 0. host_control[FRI_CONTROL_STAGED_SIZE]: 0, or the bytes of a level. */
void fri_gpu_stage_end(fri_gpu *g, const fri_gpu_pieces *p, const fri_gpu_ending *end);
enum { FRI_CONTROL_STAGED_SIZE = FRI_GPU_CONTROL_WORDS + sizeof(uint64_t) / sizeof(int32_t) };
/* Counts the vertices whose value is not `unreached`, their out-edges, and the out-edges of those up
 * to `last`; publishes the counts. */
fr_status fri_gpu_count_reached(fri_gpu *g, const fri_gpu_counting *what);
/* Reads host_control, after fri_gpu_await_control. Returns the edges of those up to `last`. */
int64_t fri_gpu_take_reached(fri_gpu *g);

FRI_C_END
#endif
