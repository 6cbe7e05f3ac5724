/* Downloads results by transfers: of a batch's queries while the next ones run (device/batch.c), and of a
 * single query into arrays that have no pages yet.
 *
 * Idea: each member of a team takes the next part, copies it into one of its two pinned buffers, and
 *   expands it into the caller's array while the other buffer is being filled. The copies are
 *   transfers of the device on streams of their own: they take no multiprocessor from the traversal
 *   and do not wait for it, as the kernel of device/staging.c would.
 * Calls: the threads' calls of the runtime take turns, about 2 us each on an H200, so that 2.1 million
 *   levels in 32 parts took 199 us where one transfer takes 45. A part takes two calls; threads wait for
 *   the kernel before it by reading host memory, not by an event. */
#include "cuda/device/results/pinned.h"
#include "cuda/device/results/results.h"

#include "base/team.h"

enum {
    BUFFERS = 2,
    ALIGNMENT = 256, /* of buffers, bytes */
    PIECE_UNIT = 32, /* values: pieces begin at whole cache lines of the caller's array */
    PIECES_PER_THREAD = 4,
    LARGER = 2 /* parts that others follow */
};
#ifdef FRI_SIMT /* small, so that small graphs take several pieces */
enum { MIN_PIECE_BYTES = 1 << 7 };
#else
/* of the caller's array: more transfers take longer to start */
enum { MIN_PIECE_BYTES = 1 << 18 };
#endif

/* ---- copies ------------------------------------------------------------------------------ */

static size_t buffer_bytes(const fri_gpu *g) {
    return g->job->ctx->pinned->buffer_bytes / (BUFFERS * FRI_DOWNLOAD_THREADS) / ALIGNMENT *
           ALIGNMENT;
}

int64_t fri_gpu_part_values(const fri_gpu *g, const fri_gpu_output *o, int threads,
                            bool more_follow) {
    const int64_t max_values = (int64_t)(buffer_bytes(g) / (size_t)o->sent);
    const int64_t fair = o->count / (threads * PIECES_PER_THREAD) + 1;
    const int64_t several = FRI_MAX(fair, MIN_PIECE_BYTES / o->size);
    const int64_t wanted = FRI_MIN(max_values, more_follow ? LARGER * several : several);
    return (wanted + PIECE_UNIT - 1) / PIECE_UNIT * PIECE_UNIT; /* `max_values` is a multiple */
}

/* One thread's state. */
typedef struct {
    const fri_gpu *g;
    cudaStream_t stream;
    char *buffer, *next_buffer;
    cudaError_t error; /* the first; then nothing more is copied */
} copier;

/* Whether submit() would return without a wait. */
static bool is_filled(const copier *c, const fri_gpu_output_part *p) {
    return __atomic_load_n(fri_gpu_published(c->g), __ATOMIC_ACQUIRE) >= p->after;
}

static void submit(copier *c, const fri_gpu_output_part *p) {
    const fri_gpu_output *o = p->of;
    const size_t size = p->method == FRI_COPY_DEVICE ? (size_t)o->size : (size_t)o->sent;
    void *to = p->method == FRI_COPY_DEVICE ? (char *)o->to + (size_t)p->at * size : c->next_buffer;
    if (!c->error && p->after)
        c->error = fri_gpu_await(c->g, fri_gpu_published(c->g), p->after);
    if (!c->error)
        c->error = cudaMemcpyAsync(to, (const char *)o->from + (size_t)p->at * size,
                                   (size_t)p->count * size, cudaMemcpyDeviceToHost, c->stream);
}

static void expand(const copier *c, const fri_gpu_source *source, const fri_gpu_output_part *p) {
    const fri_gpu_output *o = p->of;
    if (!c->error && p->method == FRI_COPY_TEAM)
        fri_gpu_write_output(o, p->at, c->buffer, o->sent, p->count, source->around_caches);
}

static void swap_buffers(copier *c) {
    char *free_buffer = c->buffer;
    c->buffer = c->next_buffer;
    c->next_buffer = free_buffer;
}

/* `part` is under way to the thread's buffer. Submits the next one first, if there is one. */
static bool complete(copier *c, const fri_gpu_source *source, const fri_gpu_output_part *part,
                     fri_gpu_output_part *next) {
    const bool more = source->take(source->arg, false, next);
    const cudaError_t error = cudaStreamSynchronize(c->stream);
    c->error = c->error ? c->error : error;
    const bool early = more && is_filled(c, next);
    if (early)
        submit(c, next);
    expand(c, source, part);
    if (more && !early)
        submit(c, next);
    if (c->error) /* no copy may arrive in memory that is used again */
        cudaStreamSynchronize(c->stream);
    source->finish(source->arg, part, c->error);
    swap_buffers(c);
    return more;
}

void fri_gpu_copy_parts(fri_gpu *g, int index, const fri_gpu_source *source) {
    struct fri_pinned *pinned = g->job->ctx->pinned;
    copier c = {.g = g, .stream = pinned->download_stream[index]};
    fri_gpu_output_part now, next;
    c.buffer = pinned->buffers + (size_t)(index * BUFFERS) * buffer_bytes(g);
    c.next_buffer = c.buffer + buffer_bytes(g);
    c.error = cudaSetDevice(g->job->ctx->device); /* per thread */
    while (source->take(source->arg, true, &now)) {
        submit(&c, &now);
        swap_buffers(&c);
        while (complete(&c, source, &now, &next))
            now = next;
    }
}

/* ---- the team of one query --------------------------------------------------------------- */

typedef struct {
    fri_gpu *g;
    const fri_gpu_output *outputs;
    int64_t values[FRI_GPU_MAX_OUTPUTS], parts[FRI_GPU_MAX_OUTPUTS]; /* of a part; of an output */
    int64_t all, cursor;
    uint64_t after;
    int error; /* the cudaError_t of any member */
} transfer;

static bool take(void *arg, bool wait, fri_gpu_output_part *to) {
    transfer *t = arg;
    int64_t index, end;
    (void)wait; /* all parts are known */
    if (!fri_team_next_chunk(&t->cursor, t->all, 1, &index, &end))
        return false;
    const int which = index >= t->parts[0];
    const int64_t at = (index - (which ? t->parts[0] : 0)) * t->values[which];
    *to = (fri_gpu_output_part){.of = &t->outputs[which], .at = at, .after = t->after};
    to->count = FRI_MIN(t->values[which], to->of->count - at);
    to->method = FRI_COPY_TEAM;
    return true;
}

static void finish(void *arg, const fri_gpu_output_part *part, cudaError_t error) {
    transfer *t = arg;
    (void)part;
    if (error)
        __atomic_store_n(&t->error, (int)error, __ATOMIC_RELAXED); /* read after the join */
}

static void download_worker(fri_member me, void *arg) {
    transfer *t = arg;
    const fri_gpu_source source = {t, take, finish, false};
    fri_gpu_copy_parts(t->g, me.index, &source);
}

static cudaError_t run_team(fri_gpu *g, const fri_gpu_output *outputs, int count, uint64_t after,
                            int threads) {
    transfer t = {.g = g, .outputs = outputs, .after = after};
    for (int i = 0; i < count; i++) {
        t.values[i] = fri_gpu_part_values(g, &outputs[i], threads, false);
        t.parts[i] = (outputs[i].count + t.values[i] - 1) / t.values[i];
        t.all += t.parts[i];
    }
    fri_team_share(g->job->ctx, threads, download_worker, &t);
    return (cudaError_t)t.error;
}

int fri_gpu_download_threads(const fri_gpu *g, size_t bytes) {
    const int64_t useful = (int64_t)(bytes / MIN_PIECE_BYTES) + 1;
    return (int)FRI_MIN(useful, (int64_t)FRI_MIN(g->job->in->threads, FRI_DOWNLOAD_THREADS));
}

fr_status fri_gpu_download_streams(fri_gpu *g, int threads) {
    struct fri_pinned *pinned = g->job->ctx->pinned;
    for (int i = 0; i < threads; i++)
        if (!pinned->download_stream[i])
            FRI_GPU_TRY(fri_gpu_check(
                g, cudaStreamCreateWithFlags(&pinned->download_stream[i], cudaStreamNonBlocking),
                "creating a stream"));
    return FR_OK;
}

/* Memory of the device for narrow values of an output. NULL: none. */
static void *narrow_space(const fri_gpu *g) {
    if (g->job->in->problem != FR_PROBLEM_APSP)
        return g->sources; /* [n], which a traversal reads at its start only */
    return g->parent ? NULL : g->parent_store;
}

/* Submits what the team waits for: the publication *after, or 0 where nothing is pending. */
static fr_status narrow_all(fri_gpu *g, fri_gpu_output *outputs, int count, bool pending,
                            uint64_t *after) {
    void *space = narrow_space(g);
    *after = 0;
    for (int i = 0; i < count; i++) {
        if (!space)
            outputs[i].sent = outputs[i].size;
        if (outputs[i].sent < outputs[i].size) { /* of one output: parents have all their bytes */
            FRI_GPU_TRY(fri_gpu_narrow_output(g, &outputs[i], space));
            pending = true;
        }
    }
    if (!pending)
        return FR_OK;
    fri_gpu_publish(g, 0, 0);
    *after = g->publications;
    return fri_gpu_launched(g);
}

fr_status fri_gpu_transfer(fri_gpu *g, fri_gpu_output *outputs, int count, bool pending,
                           const fri_gpu_counting *counting) {
    size_t bytes = 0;
    uint64_t after;
    for (int i = 0; i < count; i++)
        bytes += (size_t)outputs[i].count * (size_t)outputs[i].size;
    const int threads = fri_gpu_download_threads(g, bytes);
    FRI_GPU_TRY(narrow_all(g, outputs, count, pending, &after));
    if (counting) /* the team does not wait for it */
        FRI_GPU_TRY(fri_gpu_count_reached(g, counting));
    FRI_GPU_TRY(fri_gpu_download_streams(g, threads));
    return fri_gpu_check(g, run_team(g, outputs, count, after, threads), "downloading");
}
