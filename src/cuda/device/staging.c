/* Downloads results through page-locked memory that a kernel writes.
 *
 * Idea: a copy to pageable memory passes through one thread of the driver, which also takes the page
 *   faults of an array that was never touched. Here a kernel writes the values over the bus, narrowed
 *   (device/expand.h), and sets a flag after each piece. The members of a team wait for flags and
 *   expand pieces into the caller's arrays while later pieces arrive. No piece takes a call of the
 *   runtime: on an H200, 16 threads get 2.1 million levels in 100 us, and in 199 us where each piece
 *   is a transfer (bench/micro/bench_download.cu).
 * Rounds: results that exceed the page-locked memory take several. A flag holds the number of the
 *   round that set it last, so that flags are never cleared.
 * Order: the kernel's fence between a piece and its flag pairs with the acquire of wait_for.
 * Failures: a failed kernel sets no flag, so a thread that waits long asks for the stream's state. */
#include "cuda/device/expand.h"
#include "cuda/device/pinned.h"
#include "cuda/device/results.h"

#include "base/team.h"

#include <sched.h>

enum { SPINS = 4096 }; /* reads of a flag before asking the driver, which takes its lock */

/* What a round carries of an output. */
typedef struct {
    const fri_gpu_output *of;
    int64_t at, count, pieces;
    const char *buffer;
} part;

typedef struct {
    fri_gpu *g;
    const fri_gpu_output *outputs;
    int count;
    int64_t done[FRI_GPU_MAX_OUTPUTS]; /* values of earlier rounds */
    part parts[FRI_GPU_MAX_OUTPUTS];
    int64_t pieces, cursor;
    uint64_t round;
    int error; /* the cudaError_t of any member */
} staging;

static bool is_set(const staging *s, int64_t piece) {
    return __atomic_load_n(&s->g->job->ctx->pinned->flags[piece], __ATOMIC_ACQUIRE) == s->round;
}

static cudaError_t ask(const staging *s) {
    cudaError_t state = cudaSetDevice(s->g->job->ctx->device); /* per thread */
    if (!state)
        state = cudaStreamQuery(s->g->stream);
    if (state)
        cudaGetLastError(); /* "not ready" counts as an error, too */
    return state;
}

static cudaError_t wait_for(const staging *s, int64_t piece) {
    for (int spins = 1; !is_set(s, piece); spins = spins % SPINS + 1) {
        if (spins < SPINS)
            continue;
        const cudaError_t state = ask(s);
        if (state != cudaErrorNotReady)
            return state || is_set(s, piece) ? state : cudaErrorUnknown;
        sched_yield(); /* the stream has other work first, or processors are few */
    }
    return cudaSuccess;
}

static void expand(const staging *s, int64_t piece) {
    const part *p = s->parts;
    for (; piece >= p->pieces; p++)
        piece -= p->pieces;
    const fri_gpu_output *o = p->of;
    const int64_t at = piece * FRI_PIECE_VALUES, count = FRI_MIN(FRI_PIECE_VALUES, p->count - at);
    fri_expand((char *)o->to + (p->at + at) * o->size, o->size, p->buffer + at * o->sent, o->sent,
               count);
}

static void stage_worker(fri_member me, void *arg) {
    staging *s = arg;
    cudaError_t error = cudaSuccess;
    int64_t piece, end;
    (void)me;
    while (!error && fri_team_next_chunk(&s->cursor, s->pieces, 1, &piece, &end)) {
        error = wait_for(s, piece);
        if (!error)
            expand(s, piece);
    }
    if (error) /* relaxed: read after the join */
        __atomic_store_n(&s->error, (int)error, __ATOMIC_RELAXED);
}

/* Launches the kernels for as many values as the page-locked memory holds. */
static fr_status launch_round(staging *s) {
    struct fri_pinned *pinned = s->g->job->ctx->pinned;
    char *buffer = pinned->buffers, *end = buffer + pinned->buffer_bytes;
    s->round = ++pinned->rounds;
    s->pieces = s->cursor = 0;
    for (int i = 0; i < s->count; i++) {
        const fri_gpu_output *o = &s->outputs[i];
        const int64_t piece_bytes = FRI_PIECE_VALUES * o->sent;
        const int64_t capacity = (end - buffer) / piece_bytes * FRI_PIECE_VALUES;
        part *p = &s->parts[i];
        *p = (part){o, s->done[i], FRI_MIN(capacity, o->count - s->done[i]), 0, buffer};
        p->pieces = (p->count + FRI_PIECE_VALUES - 1) / FRI_PIECE_VALUES;
        if (p->count)
            fri_gpu_stage_pieces(s->g, (const char *)o->from + p->at * o->size, o->size, buffer,
                                 o->sent, p->count, pinned->flags + s->pieces, s->round);
        s->pieces += p->pieces;
        s->done[i] += p->count;
        buffer += p->pieces * piece_bytes;
    }
    return fri_gpu_check(s->g, cudaGetLastError(), "launching a kernel");
}

static bool is_last(const staging *s) {
    bool last = true;
    for (int i = 0; i < s->count; i++)
        last &= s->done[i] == s->outputs[i].count;
    return last;
}

static fr_status run_rounds(staging *s, int threads, const fri_gpu_counting *counting) {
    do {
        FRI_GPU_TRY(launch_round(s));
        if (counting && is_last(s)) /* the device counts while the team expands */
            FRI_GPU_TRY(fri_gpu_count_reached(s->g, counting));
        fri_team_run(threads, stage_worker, s);
        FRI_GPU_TRY(fri_gpu_check(s->g, (cudaError_t)s->error, "downloading"));
    } while (!is_last(s));
    return FR_OK;
}

fr_status fri_gpu_stage(fri_gpu *g, const fri_gpu_output *outputs, int count,
                        const fri_gpu_counting *counting) {
    staging s = {.g = g, .outputs = outputs, .count = count};
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += (size_t)outputs[i].count * (size_t)outputs[i].size;
    fr_status status = run_rounds(&s, fri_gpu_download_threads(g, bytes), counting);
    /* no kernel may write a buffer that is used again */
    if (status && cudaStreamSynchronize(g->stream))
        cudaGetLastError(); /* reported */
    return status;
}
