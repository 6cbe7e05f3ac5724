/* The common base of all folders: context, memory, failures, progress and clock. */
#ifndef FRI_BASE_H
#define FRI_BASE_H

#include "fringe.h"

#define FRI_CACHE_LINE 64
#define FRI_MIN(a, b)  ((a) < (b) ? (a) : (b))
#define FRI_MAX(a, b)  ((a) > (b) ? (a) : (b))

/* For schedule(FRI_DYNAMIC, chunk). Without "monotonic" clang's OpenMP runtime lets threads steal,
 * which occasionally aborts while threads wait passively (llvm-project issues 54422, 86995). */
// clang-format off
#define FRI_DYNAMIC monotonic : dynamic
// clang-format on

/* For functions that only prefetch: gcc 12 treats them as functions without effect and drops their
 * calls unless it inlines them first. */
#define FRI_PREFETCHER static inline __attribute__((always_inline)) void

typedef struct fri_heap fri_heap;

enum { FRI_MAX_DEVICES = 16 };

/* How many threads share a piece of work. Tests set the others, whose answer no other process changes. */
typedef enum fri_teams {
    FRI_TEAMS_MEASURED, /* as many as pay by the times measured */
    FRI_TEAMS_FITTED,   /* as many as pay by the cost models before anything is measured */
    FRI_TEAMS_ALL,      /* all that are asked for, and all sizes in turn, whether they pay or not */
} fri_teams;

struct fr_ctx {
    fri_heap *heap;
    int threads;
    int processors;        /* that its threads may use at a time */
    struct fri_crew *crew; /* see base/crew.h; NULL: not needed yet */
    fri_teams teams;
    bool limit_given; /* the caller set max_memory_bytes */
    int device;       /* GPU ordinal: devices[0] */
    int device_count, devices[FRI_MAX_DEVICES];
    fr_ctx *peers[FRI_MAX_DEVICES]; /* core/device_team.c: contexts of the further devices */
    fr_ctx *account;                /* its gpu_bytes and limit count; NULL: those of this context */
    size_t max_gpu_bytes;           /* 0: what is free on the device */
    size_t gpu_bytes;               /* atomic: device memory that the solvers of this context use */
    fr_progress_fn progress;
    void *progress_user;
    int64_t pace_ns; /* interval between progress reports of a loop; tests set 0 */
    char message[512];
    int64_t device_init_ns;    /* device initialization time, summed over all solvers */
    struct fri_pinned *pinned; /* see device/upload.c; NULL: not allocated yet */
    void (*unpin)(struct fri_pinned *pinned);
    struct fri_gpu_context *gpu; /* see cuda/device/context.h; NULL: not needed yet */
    void (*close_gpu)(struct fri_gpu_context *gpu);
    struct fri_idle_solvers *idle_solvers; /* see core/idle_solvers.h; NULL: none yet */
    void (*free_idle_solvers)(struct fri_idle_solvers *solvers);
    /* Frees idle solvers; false: there were none. Called before an allocation fails. NULL: none */
    bool (*free_idle)(fr_ctx *ctx);
    fr_backend call_backend; /* see core/call_backend.h: where the last call without a solver ran */
};

/* Every public call that takes a context begins with this call, so that the message belongs to the
 * last call; false: the caller gave no context. */
static inline bool fri_begin(fr_ctx *ctx) {
    if (ctx)
        ctx->message[0] = 0;
    return ctx != NULL;
}

/* Records the message that explains a failure and returns `status`, so that a caller can write
 * `return fri_fail(ctx, FR_FORMAT, "%s:%lld: row %lld > n %d", ...)`. ctx may be NULL. */
fr_status fri_fail(fr_ctx *ctx, fr_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* FR_INVALID: the pointer through which a function returns a new object is NULL. */
static inline fr_status fri_null_output(fr_ctx *ctx) {
    return fri_fail(ctx, FR_INVALID, "the output pointer (out) is NULL");
}

/* Reports progress; FR_CANCELLED if the user asked to stop. Calling thread only. */
fr_status fri_progress(fr_ctx *ctx, const char *phase, int64_t done, int64_t total);

/* Allocates 64-byte aligned memory, counted against the context's limit. Blocks of several MB ask
 * for huge pages (random gathers run up to 2.5 times faster). Calling thread only. Returns NULL if
 * memory is exhausted or the limit would be exceeded; the failure with the sizes is then already
 * recorded, so that a caller can `return FR_NOMEM`. A size of 0 gives a distinct block. */
void *fri_alloc(fr_ctx *ctx, size_t bytes);
void *fri_calloc(fr_ctx *ctx, size_t bytes); /* zeroed */
/* The first `small` bytes, rounded down to 2 MB, have no huge pages. A huge page is cleared at its first use,
 * which takes longer than the small pages of it that a user touches if these are few; and threads that touch
 * a new huge page at the same time clear one each, of which one is kept. */
void *fri_alloc_sparse(fr_ctx *ctx, size_t bytes, size_t small);
void fri_free(void *block); /* any thread; NULL is allowed; needs no context */
/* Like realloc; block may be NULL. Returns NULL on failure and leaves the block unchanged. Large
 * blocks grow by remapping pages, without a copy. */
void *fri_grow(fr_ctx *ctx, void *block, size_t bytes);
/* Releases the tail of a block; if the allocator cannot, the block keeps its size. */
void fri_trim(void *block, size_t bytes);
/* count * size, or SIZE_MAX (which no allocation satisfies) if the product overflows size_t. */
size_t fri_bytes(int64_t count, size_t size);
/* FR_NOMEM with the sizes in the message if `bytes` more would exceed the limit. `what` names the
 * purpose, for example "the edges". */
fr_status fri_reserve_check(fr_ctx *ctx, const char *what, size_t bytes);

/* "2.50 KiB": powers of 1024, as in --max-memory; three significant digits, or a whole number. */
typedef struct fri_size_text {
    char text[24];
} fri_size_text;
fri_size_text fri_size(size_t bytes);

/* The number of threads that can run at the same time, including the calling one: 1 to `wanted`. */
int fri_startable_threads(int wanted);
/* The processors that this process may use at a time: those of its affinity mask, and at most as many as
 * the quotas of its control groups pay for, rounded up. */
int fri_processors(void);

/* `most` threads for work that takes one thread so many nanoseconds, or 1 if waking them takes longer than they save. None
 * between: OpenMP ends the threads that a smaller team does not need. ctx: tests ask for all of them for
 * 10 us or more; or NULL. */
int fri_threads_for(const fr_ctx *ctx, int most, int64_t ns);

int64_t fri_now_ns(void); /* monotonic clock */

/* Where share `share` of `shares` of 0 .. count-1 begins; the last one ends at count. */
static inline int64_t fri_share_begin(int64_t count, int share, int shares) {
    return (int64_t)((__int128)count * share / shares);
}

#endif
