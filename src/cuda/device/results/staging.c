/* Downloads results through page-locked memory that a kernel writes.
 *
 * Idea: a copy to pageable memory passes through one thread of the driver, which also takes the page
 *   faults of an array that was never touched. Here a kernel writes the values over the bus, narrowed
 *   (device/expand.h), and sets a flag after each piece. The members of a team wait for flags and
 *   expand pieces into the caller's arrays while later pieces arrive. No piece takes a call of the
 *   runtime: on an H200, 16 threads get 2.1 million levels in 100 us, and in 199 us where each piece
 *   is a transfer.
 * Start: threads take tens of microseconds to wake up. So the team starts while the traversal runs,
 *   which the caller's thread drives; the others spin, and sleep when it takes long. BFS `auto` submits
 *   the first pieces after every launch of a traversal: the device knows whether it was the last and
 *   how deep the levels are, so no read by the host comes between (fri_gpu_read_levels).
 * Slots: results that exceed the page-locked memory reuse it in quarters. The caller's thread launches
 *   the kernel of a quarter when all of its pieces are expanded, so that the bus does not wait. A flag
 *   holds the number of the piece, and numbers are never used again, so flags are never cleared.
 * Order: the kernel's fence between a piece and its flag pairs with the acquire of fri_gpu_await.
 * Failures: a failed kernel sets no flag, so a thread that waits long asks for the stream's state.
 * Called by: drivers/query.c; download.c. */
#include "cuda/device/results/expand.h"
#include "cuda/device/results/pinned.h"
#include "cuda/device/results/results.h"

#include "base/team.h"

#include <sched.h>

/* Spinning for a traversal: as long as a traversal that would hide the time of waking up. */
enum { WAIT_NS = 4000000 };
#ifdef FRI_SIMT
enum { BYTES_PER_THREAD = 1 << 7 };
#else
enum { BYTES_PER_THREAD = 1 << 16 }; /* of the caller's arrays */
#endif

/* An atomic count, which several threads write, on a cache line of its own: the fields that all read for
 * each piece stay in their caches. */
typedef struct count {
    _Alignas(FRI_CACHE_LINE) int64_t value;
} count;

typedef struct fri_staging {
    count rounds[FRI_DOWNLOAD_THREADS]; /* taken so far of the pieces of each member */
    count expanded[FRI_STAGE_PARTS];    /* pieces of each quarter so far, if it is used again */
    fri_gate gate;                      /* of the other members; the caller's thread opens it */
    fri_gpu *g;
    fri_gpu_delivery *d;
    fri_gpu_traversal *traverse; /* NULL: the results are ready */
    fri_gpu_pieces p;
    int64_t all, slots, part; /* pieces in total, of the buffers, of a quarter */
    int64_t launched;         /* atomic: pieces; the caller's thread writes it */
    bool stops;               /* atomic: nothing more to do */
    bool delivers;            /* is set before the gate is opened */
    int error;                /* atomic: the cudaError_t of any member */
    fr_status status;         /* of the caller's thread */
    int64_t begin;
} staging;

/* ---- pieces ------------------------------------------------------------------------------ */

int64_t fri_stage_piece(int64_t values) {
    const int64_t fair = values / (FRI_STAGE_BLOCKS * FRI_STAGE_WAVES) + 1,
                  units = (fair + FRI_PIECE_UNIT - 1) / FRI_PIECE_UNIT;
    return FRI_MIN(units * FRI_PIECE_UNIT, FRI_MAX_PIECE);
}

static void cut(staging *s) {
    struct fri_pinned *pinned = s->g->job->ctx->pinned;
    int64_t values = 0;
    fri_gpu_pieces *p = &s->p;
    *p =
        (fri_gpu_pieces){.buffer = pinned->buffers, .flags = pinned->flags, .base = pinned->pieces};
    p->buffer_bytes = (int64_t)pinned->buffer_bytes;
    for (int i = 0; i < s->d->count; i++)
        values += s->d->outputs[i].count;
    p->piece = fri_stage_piece(values);
    for (int i = 0; i < s->d->count; i++) {
        const fri_gpu_output *o = &s->d->outputs[i];
        p->from[i] = o->from;
        p->count[i] = o->count;
        p->size[i] = o->size;
        p->sent[i] = o->sent;
        p->pieces[i] = (o->count + p->piece - 1) / p->piece;
    }
    s->all = p->pieces[0] + p->pieces[1];
    pinned->pieces += (uint64_t)s->all;
}

/* Called once outputs[0].sent is known. */
static void count_slots(staging *s) {
    fri_gpu_pieces *p = &s->p;
    p->from[0] = s->d->outputs[0].from; /* the traversal may have changed it */
    p->sent[0] = s->d->outputs[0].sent;
    s->slots = FRI_STAGE_SLOTS(*p, FRI_MAX(p->sent[0], p->sent[1]));
    s->part = s->slots / FRI_STAGE_PARTS;
}

/* Called once all pieces are launched: the device counts while the team expands. */
static void count_behind(staging *s) {
    if (s->d->counts && !s->status)
        s->status = fri_gpu_count_reached(s->g, &s->d->count_what);
}

static void launch(staging *s, int64_t last) {
    s->p.first = s->launched;
    s->p.last = FRI_MIN(last, s->all);
    fri_gpu_stage_pieces(s->g, &s->p);
    s->status = fri_gpu_launched(s->g);
    if (s->p.last == s->all)
        count_behind(s);
    if (s->status) /* relaxed: orders nothing, as below */
        __atomic_store_n(&s->stops, true, __ATOMIC_RELAXED);
    __atomic_store_n(&s->launched, s->p.last, __ATOMIC_RELAXED);
}

static bool stops(const staging *s) { return __atomic_load_n(&s->stops, __ATOMIC_RELAXED); }

/* Whether the quarter of the next pieces is free. Acquire: it was read before it is written. */
static bool has_room(staging *s) {
    const int64_t quarter = s->launched / s->part, round = quarter / FRI_STAGE_PARTS;
    return s->launched < s->all && __atomic_load_n(&s->expanded[quarter % FRI_STAGE_PARTS].value,
                                                   __ATOMIC_ACQUIRE) == round * s->part;
}

static void launch_more(staging *s) {
    while (!stops(s) && has_room(s))
        launch(s, s->launched + s->part);
}

static void expand(staging *s, int64_t piece) {
    const int which = piece >= s->p.pieces[0];
    const int64_t at = (piece - (which ? s->p.pieces[0] : 0)) * s->p.piece, slot = piece % s->slots;
    const fri_gpu_output *o = &s->d->outputs[which];
    const char *from = s->p.buffer + slot * s->p.piece * FRI_MAX(s->p.sent[0], s->p.sent[1]);
    fri_expand((char *)o->to + at * o->size, o->size, from, s->p.sent[which],
               FRI_MIN(s->p.piece, o->count - at));
    if (s->all > s->slots) /* else no piece waits for the slot, and threads contend for the count */
        __atomic_fetch_add(&s->expanded[piece / s->part % FRI_STAGE_PARTS].value, 1,
                           __ATOMIC_RELEASE);
}

/* ---- the team ---------------------------------------------------------------------------- */

static bool is_launched(const staging *s, int64_t piece) {
    return __atomic_load_n(&s->launched, __ATOMIC_RELAXED) > piece;
}

/* Only the caller's thread launches, so it may not wait for a piece without doing so. */
static cudaError_t wait_for(staging *s, fri_member me, int64_t piece) {
    while (!is_launched(s, piece) && !stops(s)) {
        if (me.index == 0)
            launch_more(s);
        sched_yield();
    }
    return stops(s) ? cudaSuccess
                    : fri_gpu_await(s->g, &s->p.flags[piece % s->slots * FRI_FLAG_STRIDE],
                                    s->p.base + (uint64_t)piece + 1);
}

/* The next piece of member `owner` below `end`. */
static bool claim(staging *s, int owner, int members, int64_t end, int64_t *piece) {
    int64_t *at = &s->rounds[owner].value, round = __atomic_load_n(at, __ATOMIC_RELAXED);
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
static bool take(staging *s, fri_member me, int64_t *piece) {
    const int64_t launched = __atomic_load_n(&s->launched, __ATOMIC_RELAXED);
    for (int i = 0; i < me.count; i++)
        if (claim(s, (me.index + i) % me.count, me.count, launched, piece))
            return true;
    return claim(s, me.index, me.count, s->all, piece);
}

static void deliver(staging *s, fri_member me) {
    int64_t piece;
    while (!stops(s) && take(s, me, &piece)) {
        const cudaError_t error = wait_for(s, me, piece);
        if (error) { /* relaxed: read after the join */
            __atomic_store_n(&s->error, (int)error, __ATOMIC_RELAXED);
            __atomic_store_n(&s->stops, true, __ATOMIC_RELAXED);
        }
        if (!stops(s))
            expand(s, piece);
        if (me.index == 0)
            launch_more(s);
    }
    while (me.index == 0 && s->launched < s->all && !stops(s)) {
        launch_more(s); /* what the others wait for */
        sched_yield();
    }
}

/* Lets the other threads begin: the results are on the device, or there are none. */
static void release_others(staging *s, bool delivers) {
    s->delivers = delivers;
    fri_gate_open(&s->gate);
}

static void launch_first(staging *s) {
    count_slots(s);
    launch(s, s->slots);
}

/* Called by the caller's thread. fri_gpu_read_levels may have released the others. */
static void solve(staging *s) {
    fri_gpu *g = s->g;
    if (s->traverse) {
        g->staging = s;
        s->status = s->traverse(g, s->d);
        g->staging = NULL;
    }
    s->begin = fri_now_ns();
    const bool ready = !s->status && s->d->ready, ahead = s->launched > 0;
    if (ready && !ahead)
        launch_first(s);
    else if (ready && s->launched == s->all)
        count_behind(s);
    if (s->status) /* relaxed: orders nothing */
        __atomic_store_n(&s->stops, true, __ATOMIC_RELAXED);
    if (!ahead)
        release_others(s, ready);
}

static void stage_worker(fri_member me, void *arg) {
    staging *s = arg;
    if (me.index != 0)
        fri_gate_pass(&s->gate, me.team->crowded ? 0 : WAIT_NS);
    else if (s->traverse)
        solve(s);
    if (s->delivers)
        deliver(s, me);
}

static int threads_for(const fri_gpu *g, const fri_gpu_delivery *d) {
    int64_t bytes = 0;
    for (int i = 0; i < d->count; i++)
        bytes += d->outputs[i].count * d->outputs[i].size;
    return (int)FRI_MIN(bytes / BYTES_PER_THREAD + 1,
                        (int64_t)FRI_MIN(g->job->threads, FRI_DOWNLOAD_THREADS));
}

fr_status fri_gpu_stage(fri_gpu *g, fri_gpu_delivery *d, fri_gpu_traversal *traverse) {
    staging s = {.g = g, .d = d, .traverse = traverse};
    const int threads = threads_for(g, d);
    cut(&s);
    if (!traverse)
        solve(&s);
    if (!s.status)
        fri_team_run(threads, stage_worker, &s);
    d->ns = fri_now_ns() - s.begin;
    if (!s.status)
        s.status = fri_gpu_check(g, (cudaError_t)s.error, "downloading");
    /* no kernel may write a buffer that is used again */
    if (s.status && cudaStreamSynchronize(g->stream))
        cudaGetLastError(); /* reported */
    return s.status;
}

/* ---- after a launch ---------------------------------------------------------------------- */

fr_status fri_gpu_read_levels(fri_gpu *g, const fri_gpu_ending *end) {
    staging *s = g->staging;
    if (!s || !s->d->ahead)
        return fri_gpu_read_control(g, 0, end->words);
    FRI_GPU_TRY(fri_gpu_launched(g));
    fri_gpu_stage_end(g, &s->p, end);
    FRI_GPU_TRY(fri_gpu_await_control(g));
    const int size = g->host_control[FRI_CONTROL_STAGED_SIZE];
    if (!size)
        return FR_OK;
    if (!s->d->outputs[0].sent)
        s->d->outputs[0].sent = size;
    s->d->ready = true;
    count_slots(s);
    s->launched = FRI_MIN(s->slots, s->all);
    release_others(s, true);
    return FR_OK;
}
