/* What every other folder stands on: the context, memory, failures, progress, the clock. */
#ifndef FRI_BASE_H
#define FRI_BASE_H

#include "fringe.h"

#define FRI_CACHE_LINE 64
#define FRI_MIN(a, b)  ((a) < (b) ? (a) : (b))
#define FRI_MAX(a, b)  ((a) > (b) ? (a) : (b))

/* For schedule(FRI_DYNAMIC, chunk). Without "monotonic" clang's runtime lets threads steal, which
   aborts now and then while threads wait passively (llvm-project issues 54422, 86995). */
// clang-format off
#define FRI_DYNAMIC monotonic : dynamic
// clang-format on

typedef struct fri_heap fri_heap;

struct fr_ctx {
    fri_heap *heap;
    int threads;
    bool limit_given;     /* the caller set max_memory_bytes */
    int device;           /* GPU ordinal */
    size_t max_gpu_bytes; /* 0: what is free */
    size_t gpu_bytes;     /* held there by all solvers of this context */
    fr_progress_fn progress;
    void *progress_user;
    int64_t pace_ns; /* from one report of a loop to the next; tests want all of them */
    char message[512];
    int64_t device_init_ns;    /* spent on making the device ready, of all solvers' time */
    struct fri_pinned *pinned; /* of device/upload.c; NULL: not yet */
    void (*unpin)(struct fri_pinned *pinned);
};

/* Every public call that takes a context begins with this: the message is that of the last call. */
static inline void fri_begin(fr_ctx *ctx) { ctx->message[0] = 0; }

/* Records the sentence that explains a failure and returns `status`, so that a caller can write
 * `return fri_fail(ctx, FR_FORMAT, "%s:%lld: row %lld > n %d", ...)`. */
fr_status fri_fail(fr_ctx *ctx, fr_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports progress; FR_CANCELLED when the user asked to stop. Calling thread only. */
fr_status fri_progress(fr_ctx *ctx, const char *phase, int64_t done, int64_t total);

/* Memory, 64-byte aligned, counted against the context's limit. Blocks of some MB ask for huge
 * pages (random gathers run up to 2.5 times faster). Calling thread only. NULL when there is
 * none or the limit is passed; the failure is then already recorded with the sum, so that a
 * caller can `return FR_NOMEM`. A size of 0 gives a block of its own. */
void *fri_alloc(fr_ctx *ctx, size_t bytes);
void *fri_calloc(fr_ctx *ctx, size_t bytes); /* zeroed */
void fri_free(void *block);                  /* any thread; NULL is fine; needs no context */
/* As realloc, block may be NULL. On failure NULL, and the block stays as it was. Large blocks grow
 * by moving pages, without a copy. */
void *fri_grow(fr_ctx *ctx, void *block, size_t bytes);
/* Gives back the tail of a block; where the allocator cannot, the block just stays longer. */
void fri_trim(void *block, size_t bytes);
/* count * size, or SIZE_MAX (which no allocation satisfies) where that leaves size_t. */
size_t fri_bytes(int64_t count, size_t size);
/* FR_NOMEM with the sum in the message when `bytes` more would pass the limit. `what`, "the edges",
 * names what they are for. */
fr_status fri_reserve_check(fr_ctx *ctx, const char *what, size_t bytes);

/* "2.50 KB": at least one digit that is not 0, powers of 1000. */
typedef struct fri_size_text {
    char text[24];
} fri_size_text;
fri_size_text fri_size(size_t bytes);

/* How many threads can run at the same time, the calling one included: 1 to `wanted`. */
int fri_startable_threads(int wanted);

int64_t fri_now_ns(void); /* monotonic */

#endif
