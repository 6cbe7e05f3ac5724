/* fr_distance_centrality: closeness and harmonic centrality in parts, on the CPU or on GPUs. */
#include "fringe_measures.h"
#include "cpu/centrality/closeness.h"
#include "cpu/centrality/pass.h"
#include "cpu/centrality/units.h"

#include "base/sized.h"
#include "core/call_backend.h"
#include "core/checkpoint.h"
#include "core/device_team.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

/* Vertices of a search; seconds between two checkpoints. */
#ifdef FRI_SIMT /* a GPU takes several parts of small graphs, too */
enum { AT_ONCE = 8, PERIOD_S = 60 };
#else
enum { AT_ONCE = 512, PERIOD_S = 60 };
#endif

/* A call. */
typedef struct {
    fr_ctx *ctx;
    const fr_graph *graph; /* whose traversals find distances to their sources */
    fr_distance_centrality_options o;
    const char *name;
    char phase[48];
    bool gpu;
    fri_vertex_part part; /* that is computed */
    double *rows;         /* [3][part.count] its sums */
    int64_t capacity;     /* of rows: vertices */
    fri_checkpoint kept;
    /* the caller's, to which that of a part adds what is done */
    int (*progress)(void *user, const char *phase, int64_t done, int64_t total);
    void *progress_user;
} call;

static fri_distance_sums sums_at(const call *c, int64_t i) {
    double *at = c->rows + i;
    return (fri_distance_sums){at, at + c->capacity, at + 2 * c->capacity};
}

#ifdef FRI_CUDA_ALL
/* The GPUs of a context take vertices of a part. */
typedef struct {
    call *c;
    pthread_mutex_t lock; /* guards what follows */
    fri_row_parts parts;
    fr_status status; /* of the first failure */
    const fr_ctx *failed;
} team;
typedef struct {
    team *of;
    fr_ctx *ctx;
    pthread_t thread;
} member;

static bool take_next(void *arg, fri_vertex_part *some, fri_distance_sums *to) {
    team *t = arg;
    pthread_mutex_lock(&t->lock);
    some->count = t->status ? 0 : fri_next_row_part(&t->parts, &some->first);
    pthread_mutex_unlock(&t->lock);
    if (!some->count)
        return false;
    *to = sums_at(t->c, some->first);
    some->first += t->c->part.first;
    return true;
}

static void *run_member(void *arg) {
    const member *m = arg;
    team *t = m->of;
    const call *c = t->c;
    fri_vertex_part some = {0, 0};
    fri_distance_sums to;
    if (!take_next(t, &some, &to))
        return NULL;
    const fr_status status =
        (c->graph->csr.weight_type ? fri_gpu_weighted_distance_sums : fri_gpu_distance_sums)(
            m->ctx, c->graph, c->phase, some, to, take_next, t);
    pthread_mutex_lock(&t->lock);
    if (status && !t->status) {
        t->status = status;
        t->failed = m->ctx;
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static fr_status on_gpus(call *c) {
    member members[FRI_MAX_DEVICES] = {{0}};
    const int devices = FRI_MAX(c->ctx->device_count, 1);
    team t = {.c = c, .lock = PTHREAD_MUTEX_INITIALIZER};
    int started = 1;
    const int64_t at_once = devices > 1 ? AT_ONCE : c->part.count;
    /* large ones: the vertices of a part are sorted by their neighbors' edges */
    t.parts = fri_cut_rows_evenly(c->part.count, at_once, devices);
    members[0] = (member){.of = &t, .ctx = c->ctx};
    for (int i = 1; i < devices; i++) {
        members[i].of = &t;
        const fr_status status = fri_device_peer(c->ctx, i, &members[i].ctx);
        if (status)
            return status;
    }
    while (started < devices &&
           !pthread_create(&members[started].thread, NULL, run_member, &members[started]))
        started++; /* without a thread the others take its vertices */
    run_member(&members[0]);
    for (int i = 1; i < started; i++)
        pthread_join(members[i].thread, NULL);
    if (t.failed && t.failed != c->ctx)
        fri_fail(c->ctx, t.status, "%s", fr_ctx_error(t.failed));
    return t.status;
}
#endif

static double closeness_of(const call *c, double reached, double far) {
    if (!(far > 0))
        return 0;
    return (reached - 1) / far *
           (c->o.reached_only ? 1 : (reached - 1) / ((double)c->graph->csr.n - 1));
}

/* The next `count` vertices, which are appended to the checkpoint. */
static fr_status run_part(call *c, int64_t count) {
    const int64_t done = c->kept.done;
    fr_status status = FR_UNSUPPORTED;
    c->part = (fri_vertex_part){c->o.first + done, count};
    const fri_distance_sums s = sums_at(c, 0);
#ifdef FRI_CUDA_ALL
    if (c->gpu) {
        status = on_gpus(c);
        c->gpu = !fri_call_falls_back(c->ctx, c->o.backend, status);
    }
#endif
    if (!c->gpu)
        status = fri_distance_sums_on_cpu(c->ctx, c->graph, c->phase, c->part, s);
    if (status)
        return status;
    for (int64_t i = 0; i < count; i++) {
        if (c->kept.score[0])
            c->kept.score[0][done + i] = closeness_of(c, s.reached[i], s.far[i]);
        if (c->kept.score[1])
            c->kept.score[1][done + i] = s.near[i];
    }
    return fri_checkpoint_add(&c->kept, count);
}

/* A progress function. */
static int report(void *user, const char *phase, int64_t done, int64_t total) {
    const call *c = user;
    if (!strcmp(phase, c->phase) && total > 0) {
        done = c->kept.done + (int64_t)((double)done / (double)total * (double)c->part.count);
        total = c->kept.count;
    }
    return c->progress ? c->progress(c->progress_user, phase, done, total) : 0;
}

/* Vertices until about PERIOD_S later, if the last `count` took so many seconds: whole searches on each GPU. */
static int64_t next_count(const call *c, int64_t count, double seconds) {
    const double want = (double)count * fmin(fmax(PERIOD_S / fmax(seconds, 1e-3), 0.25), 8);
    const int64_t unit = (int64_t)AT_ONCE * FRI_MAX(c->ctx->device_count, 1);
    return FRI_MAX((int64_t)want / unit, 1) * unit;
}

static fr_status run_parts(call *c) {
    const int64_t most = c->o.checkpoint ? c->o.checkpoint_vertices : c->kept.count;
    int64_t part = most ? most : next_count(c, 0, 1);
    fr_status status =
        c->o.checkpoint ? fri_progress(c->ctx, "saving", c->kept.done, c->kept.count) : FR_OK;
    for (int64_t count; !status && c->kept.done < c->kept.count;) {
        const int64_t begin = fri_now_ns();
        count = FRI_MIN(part, c->kept.count - c->kept.done);
        if (count > c->capacity) {
            fri_free(c->rows);
            c->rows = fri_alloc(c->ctx, fri_bytes(3 * count, sizeof *c->rows));
            c->capacity = count;
        }
        status = c->rows ? run_part(c, count) : FR_NOMEM;
        if (!status && c->o.checkpoint)
            status = fri_progress(c->ctx, "saving", c->kept.done, c->kept.count);
        if (!most)
            part = next_count(c, count, (double)(fri_now_ns() - begin) / 1e9);
    }
    return status;
}

static fr_status open_checkpoint(call *c) {
    char about[FRI_CHECKPOINT_HEAD];
    if (!c->o.checkpoint)
        return FR_OK;
    snprintf(about, sizeof about,
             "fringe checkpoint 1\nhash %016" PRIx64 "\nn %d\nvertices %" PRId64 " from %" PRId64
             "\nscores%s%s\n",
             fr_graph_hash(c->graph), c->graph->csr.n, c->kept.count, c->o.first,
             !c->kept.score[0]   ? ""
             : c->o.reached_only ? " closeness-reached-only"
                                 : " closeness",
             c->kept.score[1] ? " harmonic" : "");
    return fri_checkpoint_open(&c->kept, about);
}

static fri_call_work weighted_work(const fr_csr *csr, double sources) {
    return (fri_call_work){
        .cpu_ns = fri_call_weighted_cpu_ns(csr, sources),
        .gpu_ns = fri_call_weighted_gpu_ns(csr, sources),
        .units = (int64_t)sources,
    };
}

/* Constants: CPU: within a factor of 2 of times of 2 cores, 2026-11-29; GPU: fitted to times of one H200,
 * 2026-11-22. */
static fri_call_work work_of(const call *c) {
    const fr_csr *csr = &c->graph->csr;
    const double n = csr->n, m = (double)csr->m, levels = FRI_MAX(fri_call_levels(csr), 1);
    const double sources = (double)c->kept.count;
    fri_call_work work = {
        .cpu_ns = sources * fri_call_shared(levels) * (2.4 * n + 0.06 * m),
        .gpu_ns = fri_call_ms_bfs_ns(csr, sources, levels),
        .units = FRI_MIN(FRI_UNIT_BLOCKS, FRI_MAX(1, c->kept.count / 64)),
    };
    if (csr->weight_type)
        work = weighted_work(csr, sources);
    work.name = c->name;
    return work;
}

static fr_status compute(call *c) {
    fri_weight_stats weights;
    fr_graph *transposed = NULL;
    fr_status status = fri_pass_check(c->ctx, c->graph, "a centrality", &weights);
    if (!status)
        status = open_checkpoint(c);
    const fri_call_work work = work_of(c);
    if (!status)
        status = fri_call_backend(c->ctx, c->graph, c->o.backend, &work, &c->gpu);
    if (!status && c->graph->csr.weight_type && !c->graph->csr.symmetric) {
        status = fr_graph_transpose(c->ctx, c->graph, &transposed);
        c->graph = transposed;
    }
    if (!status)
        status = run_parts(c);
    fr_graph_free(transposed);
    return status;
}

static fr_status run_call(call *c) {
    fr_ctx *ctx = c->ctx;
    snprintf(c->phase, sizeof c->phase, "computing %s", c->name);
    c->progress = ctx->progress;
    c->progress_user = ctx->progress_user;
    ctx->progress = report;
    ctx->progress_user = c;
    fr_status status = compute(c);
    ctx->progress = c->progress;
    ctx->progress_user = c->progress_user;
    fri_checkpoint_close(&c->kept);
    fri_free(c->rows);
    return status;
}

fr_status fr_distance_centrality(fr_ctx *ctx, const fr_graph *graph,
                                 const fr_distance_centrality_options *options, double *closeness,
                                 double *harmonic) {
    call c = {.ctx = ctx,
              .graph = graph,
              .name = closeness ? "closeness" : "harmonic centrality",
              .kept = {.ctx = ctx, .file = -1, .score = {closeness, harmonic}}};
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_status status = FRI_SIZED_READ(ctx, fr_distance_centrality_options, options, &c.o);
    if (status)
        return status;
    if (!graph || !(closeness || harmonic))
        return fri_fail(ctx, FR_INVALID, "a centrality needs a graph and an array");
    const int64_t n = graph->csr.n;
    if (c.o.checkpoint && !*c.o.checkpoint)
        return fri_fail(ctx, FR_INVALID, "the name of the checkpoint is empty");
    if (c.o.checkpoint_vertices < 0)
        return fri_fail(ctx, FR_INVALID, "checkpoint_vertices (%lld) is negative",
                        (long long)c.o.checkpoint_vertices);
    if (c.o.first < 0 || c.o.count < 0)
        return fri_fail(ctx, FR_INVALID, "a part's first vertex or count is negative");
    if (c.o.first > n || c.o.count > n - c.o.first)
        return fri_fail(ctx, FR_NOT_FOUND,
                        "the part of %lld vertices from %lld on is not within the graph's %lld",
                        (long long)c.o.count, (long long)c.o.first, (long long)n);
    c.kept.path = c.o.checkpoint;
    c.kept.count = c.o.count ? c.o.count : n - c.o.first;
    return run_call(&c);
}

fr_status fr_closeness(fr_ctx *ctx, const fr_graph *graph, bool reached_only, fr_backend backend,
                       double *score) {
    fr_distance_centrality_options options = FR_INIT(fr_distance_centrality_options);
    options.reached_only = reached_only;
    options.backend = backend;
    return fr_distance_centrality(ctx, graph, &options, score, NULL);
}

fr_status fr_harmonic(fr_ctx *ctx, const fr_graph *graph, fr_backend backend, double *score) {
    fr_distance_centrality_options options = FR_INIT(fr_distance_centrality_options);
    options.backend = backend;
    return fr_distance_centrality(ctx, graph, &options, NULL, score);
}
