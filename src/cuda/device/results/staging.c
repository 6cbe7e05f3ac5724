/* Downloads results through page-locked memory that a kernel writes.
 *
 * Idea: a copy to pageable memory passes through one thread of the driver, which also takes the page
 *   faults of an array that was never touched. Here a kernel writes the values over the bus, narrowed
 *   (device/expand.h), and sets a flag after each piece. The members of a team wait for flags and
 *   expand pieces into the caller's arrays while later pieces arrive. No piece takes a call of the
 *   runtime: on an H200, 16 threads get 2.1 million levels in 100 us, and in 199 us where each piece
 *   is a transfer.
 * Start: threads take tens of microseconds to wake up. So the team starts before the traversal, which
 *   the caller's thread drives; the others spin, and sleep when it takes long. BFS `auto` submits
 *   the first pieces after every launch of a traversal: the device knows whether it was the last and
 *   how deep the levels are, so no read by the host comes between (fri_gpu_read_levels).
 * Slots: results that exceed the page-locked memory reuse it in quarters. The caller's thread launches
 *   the kernel of a quarter when all of its pieces are expanded, so that the bus does not wait. A flag
 *   holds the number of the piece, and numbers are never used again, so flags are never cleared.
 * Order: the kernel's fence between a piece and its flag pairs with the acquire of fri_gpu_await.
 * Failures: a failed kernel sets no flag, so a thread that waits long asks for the stream's state. */
#include "cuda/device/results/delivery.h"

#include <sched.h>

/* Spinning for a traversal: as long as a traversal that would hide the time of waking up. */
enum { WAIT_NS = 4000000 };
#ifdef FRI_SIMT
enum { BYTES_PER_THREAD = 1 << 7 };
#else
enum { BYTES_PER_THREAD = 1 << 16 }; /* of the caller's arrays */
#endif

/* ---- pieces ------------------------------------------------------------------------------ */

int64_t fri_stage_piece(int64_t values) {
    const int64_t fair = values / (FRI_STAGE_BLOCKS * FRI_STAGE_WAVES) + 1,
                  units = (fair + FRI_PIECE_UNIT - 1) / FRI_PIECE_UNIT;
    return FRI_MIN(units * FRI_PIECE_UNIT, FRI_MAX_PIECE);
}

void fri_gpu_stage_cut(fri_gpu_delivery *d) {
    struct fri_pinned *pinned = d->g->job->ctx->pinned;
    int64_t values = 0, bytes = 0;
    fri_gpu_pieces *p = &d->p;
    *p =
        (fri_gpu_pieces){.buffer = pinned->buffers, .flags = pinned->flags, .base = pinned->pieces};
    p->buffer_bytes = (int64_t)pinned->buffer_bytes;
    for (int i = 0; i < d->count; i++) {
        values += d->outputs[i].count;
        bytes += d->outputs[i].count * d->outputs[i].size;
    }
    d->threads = (int)FRI_MIN(bytes / BYTES_PER_THREAD + 1,
                              (int64_t)FRI_MIN(d->g->job->in->threads, FRI_DOWNLOAD_THREADS));
    d->around_caches = bytes > FRI_LARGE_BYTES;
    p->piece = fri_stage_piece(values);
    for (int i = 0; i < d->count; i++) {
        const fri_gpu_output *o = &d->outputs[i];
        p->from[i] = o->from;
        p->count[i] = o->count;
        p->size[i] = o->size;
        p->sent[i] = o->sent;
        p->pieces[i] = (o->count + p->piece - 1) / p->piece;
    }
    d->all = p->pieces[0] + p->pieces[1];
    pinned->pieces += (uint64_t)d->all;
}

/* Called once outputs[0].sent is known. */
static void count_slots(fri_gpu_delivery *d) {
    fri_gpu_pieces *p = &d->p;
    p->from[0] = d->outputs[0].from; /* the traversal may have changed it */
    p->sent[0] = d->outputs[0].sent;
    d->slots = FRI_STAGE_SLOTS(*p, FRI_MAX(p->sent[0], p->sent[1]));
    d->part = d->slots / FRI_STAGE_PARTS;
}

/* Called once all pieces are launched: the device counts while the team expands. */
static void count_behind(fri_gpu_delivery *d) {
    if (d->counts && !d->status)
        d->status = fri_gpu_count_reached(d->g, &d->count_what);
}

static void launch(fri_gpu_delivery *d, int64_t last) {
    d->p.first = d->launched;
    d->p.last = FRI_MIN(last, d->all);
    fri_gpu_stage_pieces(d->g, &d->p);
    d->status = fri_gpu_launched(d->g);
    if (d->p.last == d->all)
        count_behind(d);
    if (d->status) /* relaxed: orders nothing, as below */
        __atomic_store_n(&d->stops, true, __ATOMIC_RELAXED);
    __atomic_store_n(&d->launched, d->p.last, __ATOMIC_RELAXED);
}

static bool stops(const fri_gpu_delivery *d) {
    return __atomic_load_n(&d->stops, __ATOMIC_RELAXED);
}

/* Whether the quarter of the next pieces is free. Acquire: it was read before it is written. */
static bool has_room(fri_gpu_delivery *d) {
    const int64_t quarter = d->launched / d->part, round = quarter / FRI_STAGE_PARTS;
    return d->launched < d->all && __atomic_load_n(&d->expanded[quarter % FRI_STAGE_PARTS].value,
                                                   __ATOMIC_ACQUIRE) == round * d->part;
}

static void launch_more(fri_gpu_delivery *d) {
    while (!stops(d) && has_room(d))
        launch(d, d->launched + d->part);
}

static void expand(fri_gpu_delivery *d, int64_t piece) {
    const int which = piece >= d->p.pieces[0];
    const int64_t at = (piece - (which ? d->p.pieces[0] : 0)) * d->p.piece, slot = piece % d->slots;
    const fri_gpu_output *o = &d->outputs[which];
    const char *from = d->p.buffer + slot * d->p.piece * FRI_MAX(d->p.sent[0], d->p.sent[1]);
    fri_gpu_write_output(o, at, from, d->p.sent[which], FRI_MIN(d->p.piece, o->count - at),
                         d->around_caches);
    if (d->all > d->slots) /* else no piece waits for the slot, and threads contend for the count */
        __atomic_fetch_add(&d->expanded[piece / d->part % FRI_STAGE_PARTS].value, 1,
                           __ATOMIC_RELEASE);
}

/* ---- the team ---------------------------------------------------------------------------- */

static bool is_launched(const fri_gpu_delivery *d, int64_t piece) {
    return __atomic_load_n(&d->launched, __ATOMIC_RELAXED) > piece;
}

/* Only the caller's thread launches, so it may not wait for a piece without doing so. */
static cudaError_t wait_for(fri_gpu_delivery *d, fri_member me, int64_t piece) {
    while (!is_launched(d, piece) && !stops(d)) {
        if (me.index == 0)
            launch_more(d);
        sched_yield();
    }
    return stops(d) ? cudaSuccess
                    : fri_gpu_await(d->g, &d->p.flags[piece % d->slots * FRI_FLAG_STRIDE],
                                    d->p.base + (uint64_t)piece + 1);
}

/* The next piece of member `owner` below `end`. */
static bool claim(fri_gpu_delivery *d, int owner, int members, int64_t end, int64_t *piece) {
    int64_t *at = &d->rounds[owner].value, round = __atomic_load_n(at, __ATOMIC_RELAXED);
    for (;;) { /* relaxed: flags order the values */
        *piece = round * members + owner;
        if (*piece >= end)
            return false;
        if (__atomic_compare_exchange_n(at, &round, round + 1, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
    }
}

/* Piece i belongs to member i modulo the team, so that repeated calls write a part of the array from
 * the same processor, whose cache has it. Others take it where theirs are not launched yet: launching
 * may wait for it. So a thread that waits for a launch has claimed the first of its own pieces. */
static bool take(fri_gpu_delivery *d, fri_member me, int64_t *piece) {
    const int64_t launched = __atomic_load_n(&d->launched, __ATOMIC_RELAXED);
    for (int i = 0; i < me.count; i++)
        if (claim(d, (me.index + i) % me.count, me.count, launched, piece))
            return true;
    return claim(d, me.index, me.count, d->all, piece);
}

static void deliver(fri_gpu_delivery *d, fri_member me) {
    int64_t piece;
    while (!stops(d) && take(d, me, &piece)) {
        const cudaError_t error = wait_for(d, me, piece);
        if (error) { /* relaxed: read after the join */
            __atomic_store_n(&d->error, (int)error, __ATOMIC_RELAXED);
            __atomic_store_n(&d->stops, true, __ATOMIC_RELAXED);
        }
        if (!stops(d))
            expand(d, piece);
        if (me.index == 0)
            launch_more(d);
    }
    while (me.index == 0 && d->launched < d->all && !stops(d)) {
        launch_more(d); /* what the others wait for */
        sched_yield();
    }
}

/* Lets the other threads begin: the results are on the device, or there are none. */
static void release_others(fri_gpu_delivery *d, bool delivers) {
    d->delivers = delivers;
    fri_gate_open(&d->gate);
}

/* fri_gpu_read_levels may have released the others. */
void fri_gpu_delivery_launch(fri_gpu_delivery *d, fr_status status) {
    d->g->delivery = NULL;
    d->status = status;
    d->begin = fri_now_ns();
    if (!d->all)
        return;
    const bool ready = !d->status && d->ready, ahead = d->launched > 0;
    if (ready && !ahead) {
        count_slots(d);
        launch(d, d->slots);
    } else if (ready && d->launched == d->all) {
        count_behind(d);
    }
    if (d->status) /* relaxed: orders nothing */
        __atomic_store_n(&d->stops, true, __ATOMIC_RELAXED);
    if (!ahead)
        release_others(d, ready);
}

void fri_gpu_delivery_help(fri_member me, void *arg) {
    fri_gpu_delivery *d = arg;
    if (me.index != 0)
        fri_gate_pass(&d->gate, me.team->crowded ? 0 : WAIT_NS);
    if (d->delivers)
        deliver(d, me);
}

fr_status fri_gpu_stage_join(fri_gpu_delivery *d) {
    d->ns = fri_now_ns() - d->begin;
    if (!d->status)
        d->status = fri_gpu_check(d->g, (cudaError_t)d->error, "downloading");
    /* no kernel may write a buffer that is used again */
    if (d->status && cudaStreamSynchronize(d->g->stream))
        cudaGetLastError(); /* reported */
    return d->status;
}

/* ---- after a launch ---------------------------------------------------------------------- */

fr_status fri_gpu_read_levels(fri_gpu *g, const fri_gpu_ending *end) {
    fri_gpu_delivery *d = g->delivery;
    if (!d || !d->ahead)
        return fri_gpu_read_control(g, 0, end->words);
    FRI_GPU_TRY(fri_gpu_launched(g));
    fri_gpu_stage_end(g, &d->p, end);
    FRI_GPU_TRY(fri_gpu_await_control(g));
    const int size = g->host_control[FRI_CONTROL_STAGED_SIZE];
    if (!size)
        return FR_OK;
    if (!d->outputs[0].sent)
        d->outputs[0].sent = size;
    d->ready = true;
    count_slots(d);
    d->launched = FRI_MIN(d->slots, d->all);
    release_others(d, true);
    return FR_OK;
}
