/* The results of many queries: one query's are copied to the host while the next one runs.
 *
 * Idea: a traversal leaves its results in arrays that the next one writes. So they first go, narrowed
 *   where that is possible, into one of two sets of buffers on the device, which takes a hundredth of
 *   the time of the copy over the bus. From there a thread of the batch fills the caller's arrays,
 *   with a team of its own, while the caller's thread drives the next traversal. The team persists for
 *   the batch: a member that finds no part left of one query continues with the next one, so that neither
 *   the last parts nor waking up cost time between queries.
 * Rows of all pairs: a query has batches of rows in place of queries. They need twice the rows that
 *   are copied at a time; a batch of narrowed rows fits both halves of the memory that parents would take
 *   (drivers/apsp.c), so the next batch is computed as soon as they are there.
 * Memory: twice the results of one query on the device, taken by the first batch and kept by the
 *   solver; for rows none. Without it, or where results are small or go to device memory, a query
 *   copies its own results.
 * Threads: the batch's thread neither allocates nor sets messages; the caller's thread reports
 *   errors. The pinned buffers belong to the team during a batch. */
#include "core/gpu_interface.h"
#include "cuda/device/results/pinned.h"
#include "cuda/device/results/results.h"
#include "cuda/drivers/apsp.h"

#include "base/team.h"

#include <pthread.h>

enum { SLOTS = 2 };
/* SMALL_BYTES, of one query: the copy takes less than a thread needs to wake up. SMALL_ROWS_BYTES, of all rows:
 * it takes less than starting the threads. */
#ifdef FRI_SIMT
enum { SMALL_BYTES = 1 << 9, SMALL_ROWS_BYTES = SMALL_BYTES };
#else
enum { SMALL_BYTES = 1 << 17, SMALL_ROWS_BYTES = 1 << 25 };
#endif

/* One set of buffers and what is in it. */
typedef struct {
    void *buffer[FRI_GPU_MAX_OUTPUTS];
    uint64_t filled; /* the publication after the work that fills them */
    fri_gpu_output output[FRI_GPU_MAX_OUTPUTS];
    fri_gpu_copy_method method[FRI_GPU_MAX_OUTPUTS];
    int64_t values[FRI_GPU_MAX_OUTPUTS], parts[FRI_GPU_MAX_OUTPUTS]; /* of a part; of an output */
    int64_t all;                                                     /* parts */
    int count;
    int64_t row;
    /* guarded by the lock */
    int64_t taken, finished; /* parts */
    bool full;               /* the team uses the slot while it is set */
} slot;

struct fri_gpu_batch {
    fri_gpu *g;
    slot slots[SLOTS];
    size_t slot_bytes; /* of the first buffer */
    int next;          /* slot of the next query */
    int threads;       /* of the team */
    bool active, around_caches;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled, freed; /* a slot; the batch ends: filled */
    /* guarded by the lock */
    bool ends;
    int taking, full; /* slot of the next part; number of full slots */
    cudaError_t error;
    int64_t lost, copied_ns; /* see fri_gpu_batch_end */
    int64_t since;           /* when the first slot was filled */
};

/* ---- the team ---------------------------------------------------------------------------- */

static void describe(slot *s, int64_t part, fri_gpu_output_part *to) {
    int i = 0;
    for (; part >= s->parts[i]; i++)
        part -= s->parts[i];
    const int64_t at = part * s->values[i];
    *to = (fri_gpu_output_part){
        .of = &s->output[i], .at = at, .method = s->method[i], .after = s->filled};
    to->count = FRI_MIN(s->values[i], s->output[i].count - at);
    to->owner = s;
}

/* Queries are taken in the order of the slots. */
static bool take(void *arg, bool wait, fri_gpu_output_part *to) {
    struct fri_gpu_batch *b = arg;
    pthread_mutex_lock(&b->lock);
    slot *s = &b->slots[b->taking];
    while (!(s->full && s->taken < s->all) && wait && !b->ends) {
        pthread_cond_wait(&b->filled, &b->lock);
        s = &b->slots[b->taking];
    }
    const bool found = s->full && s->taken < s->all;
    if (found) {
        describe(s, s->taken++, to);
        if (s->taken == s->all)
            b->taking = (b->taking + 1) % SLOTS;
    }
    pthread_mutex_unlock(&b->lock);
    return found;
}

static void finish(void *arg, const fri_gpu_output_part *part, cudaError_t error) {
    struct fri_gpu_batch *b = arg;
    slot *s = part->owner;
    pthread_mutex_lock(&b->lock);
    if (error) {
        b->lost = b->error ? FRI_MIN(b->lost, s->row) : s->row;
        b->error = error;
    }
    if (++s->finished == s->all) {
        s->full = false;
        if (--b->full == 0)
            b->copied_ns += fri_now_ns() - b->since;
        pthread_cond_signal(&b->freed);
    }
    pthread_mutex_unlock(&b->lock);
}

static void copy_worker(fri_member me, void *arg) {
    struct fri_gpu_batch *b = arg;
    const fri_gpu_source source = {b, take, finish, b->around_caches};
    fri_gpu_copy_parts(b->g, me.index, &source);
}

static void *run(void *arg) {
    struct fri_gpu_batch *b = arg;
    fri_team_share(NULL, b->threads, copy_worker, b);
    return NULL;
}

/* ---- the caller's thread ----------------------------------------------------------------- */

bool fri_gpu_is_batched(const fri_gpu *g) { return g->batch && g->batch->active; }

static fr_status make(fri_gpu *g) {
    struct fri_gpu_batch *b = fri_calloc(g->job->ctx, sizeof *b);
    if (!b)
        return FR_NOMEM;
    b->g = g;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->filled, NULL);
    pthread_cond_init(&b->freed, NULL);
    g->batch = b;
    return FR_OK;
}

void fri_gpu_batch_release(fri_gpu *g) {
    struct fri_gpu_batch *b = g->batch;
    if (!b)
        return;
    pthread_cond_destroy(&b->filled);
    pthread_cond_destroy(&b->freed);
    pthread_mutex_destroy(&b->lock);
    fri_free(b);
    g->batch = NULL;
}

/* Buffers for output number `index`, in every slot. */
static fr_status take_buffers(fri_gpu *g, int index, size_t bytes) {
    slot *s = g->batch->slots;
    const fri_gpu_buffer parts[SLOTS] = {{&s[0].buffer[index], bytes},
                                         {&s[1].buffer[index], bytes}};
    return s[0].buffer[index] && s[1].buffer[index] ? FR_OK : fri_gpu_alloc_many(g, parts, SLOTS);
}

static size_t value_size(const fri_job *job) {
    return job->in->problem == FR_PROBLEM_BFS ? sizeof(int32_t) : fr_type_size(job->in->dist_type);
}

static bool is_apsp(const fri_job *job) { return job->in->problem == FR_PROBLEM_APSP; }

static fr_status take_all_buffers(fri_gpu *g, size_t value_bytes, size_t parent_bytes) {
    if (value_bytes)
        FRI_GPU_TRY(take_buffers(g, 0, value_bytes));
    if (parent_bytes)
        FRI_GPU_TRY(take_buffers(g, 1, parent_bytes));
    return FR_OK;
}

static size_t half_of_parents(const fri_gpu *g) {
    const size_t alignment = fri_gpu_align(1),
                 half = fri_bytes(g->apsp.batch * (int64_t)g->n, sizeof(int32_t)) / SLOTS;
    return half / alignment * alignment;
}

static void take_parents(fri_gpu *g) {
    for (size_t i = 0; i < SLOTS; i++)
        g->batch->slots[i].buffer[0] = (char *)g->parent_store + i * half_of_parents(g);
    g->batch->slot_bytes = half_of_parents(g);
}

static fr_status prepare(fri_gpu *g, const fr_result *arrays) {
    const size_t values = fri_bytes(g->n, value_size(g->job)),
                 parents = fri_bytes(g->n, sizeof(int32_t));
    const bool value = arrays->level || arrays->dist;
    const size_t of_values = value ? values : 0, of_parents = arrays->parent ? parents : 0;
    size_t bytes = of_values + of_parents;
    if (!g->batch)
        FRI_GPU_TRY(make(g));
    if (is_apsp(g->job)) {
        take_parents(g);
        bytes = g->batch->slot_bytes;
    } else {
        FRI_GPU_TRY(take_all_buffers(g, of_values, of_parents));
    }
    /* the caller's thread needs a processor, too */
    g->batch->threads =
        FRI_MIN(fri_gpu_download_threads(g, bytes), FRI_MAX(g->job->in->threads - 1, 1));
    return fri_gpu_download_streams(g, g->batch->threads);
}

static size_t result_bytes(const fri_job *job, const fr_result *arrays) {
    const size_t n = (size_t)job->csr.n;
    return (arrays->level || arrays->dist ? n * value_size(job) : 0) +
           (arrays->parent ? n * sizeof(int32_t) : 0);
}

static bool rows_pay(const fri_gpu *g, const fri_job *job, const fr_result *arrays) {
    const size_t row = fri_bytes(g->n, value_size(job));
    return arrays->dist && !arrays->parent && !job->in->query.row &&
           !fri_gpu_apsp_adds_paths(job) && half_of_parents(g) >= row &&
           fri_job_rows(job) > g->apsp.batch &&
           (size_t)fri_job_rows(job) * row > (size_t)SMALL_ROWS_BYTES;
}

static bool pays(const fri_gpu *g, const fri_job *job, const fr_result *arrays) {
    if (job->in->query.result_memory != FR_MEMORY_HOST)
        return false;
    /* targets are uploaded through the pinned buffers */
    return is_apsp(job)
               ? rows_pay(g, job, arrays)
               : !job->in->query.target_count && result_bytes(job, arrays) > (size_t)SMALL_BYTES;
}

void fri_gpu_batch_begin(fri_job *job, const fr_result *arrays) {
    fri_gpu *g = job->device;
    if (fri_gpu_is_batched(g) || !pays(g, job, arrays))
        return;
    if (cudaSetDevice(job->ctx->device) || prepare(g, arrays)) {
        cudaGetLastError();
        fri_begin(job->ctx); /* each query copies its own results */
        return;
    }
    struct fri_gpu_batch *b = g->batch;
    b->next = b->taking = b->full = 0;
    b->ends = false;
    b->error = cudaSuccess;
    b->copied_ns = 0;
    b->around_caches =
        (size_t)fri_job_rows(job) * result_bytes(job, arrays) > (size_t)FRI_LARGE_BYTES;
    b->active = !pthread_create(&b->thread, NULL, run, b);
}

/* Rows that are page-locked in an array that is not have room for narrow values only (fri_gpu_batch_room). */
static fri_gpu_copy_method method_in_slot(const fri_gpu *g, const fri_gpu_output *o) {
    const fri_gpu_copy_method how = fri_gpu_copy_method_of(g, o);
    const bool fits =
        !is_apsp(g->job) || (size_t)o->count * (size_t)o->size <= g->batch->slot_bytes;
    return how == FRI_COPY_DEVICE && !fits ? FRI_COPY_TEAM : how;
}

/* Copies an output on the device, into the slot's buffer. */
static fr_status fill(fri_gpu *g, slot *s, const fri_gpu_output *from, int index) {
    fri_gpu_output *o = &s->output[s->count];
    const fri_gpu_copy_method how = method_in_slot(g, from);
    *o = *from;
    s->method[s->count++] = how;
    if (o->sent < o->size && how == FRI_COPY_TEAM)
        return fri_gpu_narrow_output(g, o, s->buffer[index]);
    o->from = s->buffer[index];
    o->sent = o->size;
    return fri_gpu_check(g,
                         cudaMemcpyAsync(s->buffer[index], from->from,
                                         (size_t)o->count * (size_t)o->size,
                                         cudaMemcpyDeviceToDevice, g->stream),
                         "downloading");
}

int64_t fri_gpu_batch_room(const fri_gpu *g, const fri_gpu_output *o) {
    const bool narrows = fri_gpu_copy_method_of(g, o) == FRI_COPY_TEAM;
    return (int64_t)(g->batch->slot_bytes / (size_t)(narrows ? o->sent : o->size));
}

static slot *wait_for_slot(struct fri_gpu_batch *b) {
    slot *s = &b->slots[b->next];
    pthread_mutex_lock(&b->lock);
    while (s->full)
        pthread_cond_wait(&b->freed, &b->lock);
    pthread_mutex_unlock(&b->lock);
    return s;
}

/* Cuts the outputs into parts; an array that the device writes directly is one part. */
static void cut(const struct fri_gpu_batch *b, slot *s) {
    s->all = s->taken = s->finished = 0;
    for (int i = 0; i < s->count; i++) {
        const fri_gpu_output *o = &s->output[i];
        s->values[i] = s->method[i] == FRI_COPY_DEVICE
                           ? o->count
                           : fri_gpu_part_values(b->g, o, b->threads, true);
        s->parts[i] = (o->count + s->values[i] - 1) / s->values[i];
        s->all += s->parts[i];
    }
}

static void submit_slot(struct fri_gpu_batch *b, slot *s) {
    cut(b, s);
    if (!s->all)
        return;
    pthread_mutex_lock(&b->lock);
    s->full = true;
    if (b->full++ == 0)
        b->since = fri_now_ns();
    pthread_cond_broadcast(&b->filled);
    pthread_mutex_unlock(&b->lock);
    b->next = (b->next + 1) % SLOTS;
}

fr_status fri_gpu_batch_add(fri_gpu *g, const fri_gpu_output *outputs, int count, bool pending,
                            const fri_gpu_counting *counting) {
    struct fri_gpu_batch *b = g->batch;
    slot *s = wait_for_slot(b);
    s->count = 0;
    s->row = g->job->in->batch_row;
    FRI_GPU_TRY(fri_gpu_launched(g));
    for (int i = 0; i < count; i++)
        if (fri_gpu_copy_method_of(g, &outputs[i]) != FRI_COPY_NONE)
            FRI_GPU_TRY(fill(g, s, &outputs[i], i));
    fri_gpu_publish(g, 0, 0);
    s->filled = g->publications;
    FRI_GPU_TRY(fri_gpu_launched(g));
    if (counting)
        FRI_GPU_TRY(fri_gpu_count_reached(g, counting));
    submit_slot(b, s);
    return fri_gpu_await_results(g, pending, counting != NULL);
}

fr_status fri_gpu_batch_end(fri_job *job, fr_status status, int64_t *copied_ns, int64_t *lost) {
    fri_gpu *g = job->device;
    struct fri_gpu_batch *b = g->batch;
    *copied_ns = 0;
    if (!fri_gpu_is_batched(g))
        return status;
    pthread_mutex_lock(&b->lock);
    b->ends = true;
    pthread_cond_broadcast(&b->filled);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->thread, NULL);
    b->active = false;
    *copied_ns = b->copied_ns;
    if (b->error)
        *lost = b->lost;
    return status ? status : fri_gpu_check(g, b->error, "downloading");
}
