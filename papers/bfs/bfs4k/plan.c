/* The knobs of bfs4k from the graph's degrees, chosen as in BFS-4K (Busato, Bombieri, TPDS 2015),
 * section 7, and table sizes by the formulas of section 5.5. */
#include "papers/bfs/bfs4k/plan.h"

#include <math.h>

#ifdef FRI_SIMT
enum { MAX_THREADS = 128, SHARED = 8 << 10 }; /* small blocks keep the SIMT tests short */
#else
/* |SM|: shared memory of a block without opt-in, as in the paper */
enum { MAX_THREADS = 1024, SHARED = 48 << 10 };
#endif

enum {
    VARIABLES = 1 << 10,
    FINE = 8, /* bins per doubling of the degree */
    BINS = 48 * FINE
};

typedef struct degrees {
    double mean, deviation;
    int64_t max_degree;
    int64_t bin[BINS];
} degrees;

static int bin_of(int64_t degree) { return degree < 1 ? 0 : (int)(FINE * log2((double)degree)); }

static void count_degrees(const fr_csr *csr, int32_t first, int32_t last, degrees *d,
                          double *squares) {
    for (int32_t v = first; v < last; v++) {
        int64_t degree = csr->offsets[v + 1] - csr->offsets[v];
        d->max_degree = FRI_MAX(d->max_degree, degree);
        *squares += (double)degree * (double)degree;
        d->bin[FRI_MIN(bin_of(degree), BINS - 1)]++;
    }
}

static void find_degrees(const fr_csr *csr, int threads, degrees *d) {
    const int32_t range = 1 << 16;
    double squares = 0;
    int64_t ranges = ((int64_t)csr->n + range - 1) / range;
    *d = (degrees){.mean = csr->n ? (double)csr->m / csr->n : 0};
#pragma omp parallel num_threads(threads)
    {
        degrees own = {0};
        double sum = 0;
#pragma omp for nowait
        for (int64_t p = 0; p < ranges; p++)
            count_degrees(csr, (int32_t)(p * range),
                          (int32_t)FRI_MIN((p + 1) * range, (int64_t)csr->n), &own, &sum);
#pragma omp critical
        {
            squares += sum;
            d->max_degree = FRI_MAX(d->max_degree, own.max_degree);
            for (int b = 0; b < BINS; b++)
                d->bin[b] += own.bin[b];
        }
    }
    if (csr->n)
        d->deviation = sqrt(fmax(0, squares / csr->n - d->mean * d->mean));
}

/* The minimum degree that at most `percent` of the vertices reach. */
static int64_t degree_of_share(const degrees *d, int32_t n, double percent) {
    double capacity = percent / 100 * n;
    int b = BINS;
    while (b > 0 && (double)d->bin[b - 1] <= capacity)
        capacity -= (double)d->bin[--b];
    return (int64_t)ceil(exp2((double)b / FINE));
}

static int32_t power_below(double x) {
    int32_t power = 1;
    while (2.0 * power <= x)
        power *= 2;
    return power;
}

static int32_t log_below(double x) {
    int32_t bits = 0;
    while (exp2(bits + 1) <= x)
        bits++;
    return bits;
}

/* K1: "increasing proportionally to the graph deviation and degree": the paper has 4 for roads,
 * web-Google and kkt_power, 32 for random.2Mv.128Me (mean 64) and com-youtube (deviation 50). A
 * lane here takes four edges at once, so that a smaller K1 suffices where the degrees are even; and
 * where all blocks share the hubs, half of that or, with a low mean, a quarter. */
static int32_t choose_k1(const degrees *d, const fri_bfs4k_plan *p) {
    int32_t max_width = !p->grid_hubs ? 32 : d->mean >= 32 ? 16 : 8;
    return FRI_MIN(max_width, power_below(fmax(d->mean / 4, d->deviation * 0.7)));
}

/* K2: at most 0.15 %, which is for the paper's minimum K1 of 4, and inversely proportional to K1,
 * if a degree exceeds 2,048. Hubs that need no launch are cheap enough for the full value. */
static double choose_k2(const degrees *d, const fri_bfs4k_plan *p) {
    return d->max_degree <= 2048 ? 0 : p->grid_hubs ? 0.15 : 0.15 * 4 / FRI_MAX(p->min_width, 4);
}

/* K4: 2 with a low mean and a high deviation, 1 with a medium one, 0 with both high; and 0 with
 * both low, where virtual warps suit all rows. */
static double choose_k4(const degrees *d) {
    if (d->deviation < 3 && d->mean < 16)
        return 0;
    if (d->deviation >= 32)
        return d->mean < 16 ? 2 : d->mean >= 32 ? 0 : 1;
    return 1;
}

static void set_hubs(fri_bfs4k_plan *p, const fri_job *job, const degrees *d) {
    double child = job->knob[BFS4K_CHILD];
    if (!FRI_CHILD_LAUNCHES && !p->grid_hubs)
        child = 0;
    p->hub_unit = p->child_edges * p->block;
    p->max_hubs = p->grid_hubs ? BFS4K_MAX_HUBS : BFS4K_MAX_CHILDREN;
    bool chosen = job->knob[BFS4K_K2] < 0;
    double percent = job->knob[BFS4K_K2];
    if (chosen) /* no level has more than the list holds */
        percent = fmin(choose_k2(d, p), 100.0 * p->max_hubs / FRI_MAX(job->csr.n, 1));
    int64_t degree = degree_of_share(d, job->csr.n, percent);
    if (chosen) /* a child has at least one full block */
        degree = FRI_MAX(degree, p->hub_unit);
    p->hub_degree =
        child >= 0.5 && percent > 0 && degree <= d->max_degree ? FRI_MAX(degree, 1) : INT64_MAX;
}

/* Clusters of up to 8 blocks fit every device of compute capability 9.0 and above. They pay for the
 * change of kernel where frontiers grow slowly, on roads and meshes. */
static int32_t choose_cluster(const degrees *d) { return d->mean < 7 && d->deviation < 3 ? 8 : 0; }

/* A cluster is as fast as a grid up to a frontier of about a quarter of its threads. */
static void set_cluster(fri_bfs4k_plan *p, const fri_gpu *g, const degrees *d) {
    double blocks = fri_job_knob(g->job, BFS4K_CLUSTER, choose_cluster(d));
    bool can = g->compute_capability >= 90 && p->persistent_threads && blocks >= 2;
    p->cluster = can ? power_below(blocks) : 0;
    p->cluster_max = p->cluster * p->persistent_threads / 4 / FRI_MAX(1, p->min_width / 4);
}

static int32_t whole_warps(double threads, int32_t max_threads) {
    return FRI_MAX(32, FRI_MIN(max_threads, (int32_t)threads / 32 * 32));
}

/* nearest_pow2((|SM| - Var) K6 / MaxThrPerMultiproc), in entries. */
static int32_t table_of(const fri_gpu *g, int32_t block) {
    return log_below((SHARED - VARIABLES) * (double)block / g->max_threads_per_sm /
                     sizeof(uint64_t));
}

/* K5: mainly 1, and 0 with a high mean, "though to a lesser extent" by the deviation: if it is high
 * a search has few levels, and changes of kernel cost more than its small ones. A cluster starts at
 * smaller frontiers than would pay with a launch per level. */
static double choose_k5(const degrees *d, const fri_bfs4k_plan *p) {
    bool few_levels = d->mean >= 32 || (d->deviation >= 3 && p->persistent_threads);
    return few_levels ? 0 : p->cluster ? 0.5 : 1;
}

/* FThreshold = MaxThreadsPerBlock K5, and the hash tables from the remaining shared memory. */
static void set_shared(fri_bfs4k_plan *p, const fri_gpu *g, const degrees *d) {
    const fri_job *job = g->job;
    bool hash = job->knob[BFS4K_HASH] >= 0.5;
    p->hash_by_warp = job->knob[BFS4K_HASH] >= 2.5;
    p->hash_exchange = job->knob[BFS4K_HASH] >= 1.5 && !p->hash_by_warp;
    double k5 = fri_job_knob(job, BFS4K_K5, choose_k5(d, p));
    p->one_threads = MAX_THREADS;
    p->one_block_max = (int32_t)(MAX_THREADS * k5); /* at most 4: two thirds of the shared memory */
    p->hash_one =
        hash ? log_below((SHARED - VARIABLES - 8.0 * p->one_block_max) / sizeof(uint64_t)) : 0;
    p->hash_many = hash ? table_of(g, p->block) : 0;
    p->hash_persistent = hash ? table_of(g, p->persistent_threads) : 0;
}

int32_t fri_bfs4k_capacity(const fri_gpu *g) {
    double share = g->job->knob[BFS4K_QUEUE] / 100;
    return (int32_t)FRI_MAX(1.0, floor(g->n * share));
}

static void fill(fri_gpu *g, fri_bfs4k_plan *p) {
    const fri_job *job = g->job;
    degrees d;
    find_degrees(&job->csr, job->in->threads, &d);
    p->dynamic = job->knob[BFS4K_DYNAMIC] >= 0.5;
    p->child_edges = (int32_t)job->knob[BFS4K_K3];
    p->block = whole_warps(job->knob[BFS4K_K6], 1024);
    p->persistent_threads = job->knob[BFS4K_PERSISTENT] < 32
                                ? 0
                                : whole_warps(job->knob[BFS4K_PERSISTENT], MAX_THREADS);
    p->grid_hubs = job->knob[BFS4K_CHILD] >= 1.5 && p->persistent_threads;
    p->min_width = power_below(fri_job_knob(job, BFS4K_K1, choose_k1(&d, p)));
    set_cluster(p, g, &d);
    set_hubs(p, job, &d);
    p->k4 =
        job->knob[BFS4K_DISCOVER] >= 0.5 ? (int32_t)fri_job_knob(job, BFS4K_K4, choose_k4(&d)) : 0;
    p->extended = job->knob[BFS4K_DISCOVER] >= 1.5;
    set_shared(p, g, &d);
    p->coalesce_from = (int32_t)job->knob[BFS4K_K7];
    p->scan = (int32_t)job->knob[BFS4K_SCAN];
    p->share_reads = job->knob[BFS4K_READS] >= 0.5;
    p->claim = (int32_t)job->knob[BFS4K_CLAIM];
    p->resident = g->multiprocessors * g->max_threads_per_sm;
    p->capacity = fri_bfs4k_capacity(g);
}

fr_status fri_bfs4k_prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = job->device;
    fri_bfs4k_plan *plan = fri_alloc(job->ctx, sizeof *plan);
    if (!plan)
        return FR_NOMEM;
    g->state = plan;
    fill(g, plan);
    return FR_OK;
}
