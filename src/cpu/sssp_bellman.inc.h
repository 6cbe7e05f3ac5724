/* See sssp_bellman.c. */

#if INTEGER
#define WIDE     int64_t
#define WIDE_INF INT64_MAX
#else
#define WIDE     D
#define WIDE_INF INF
#endif

typedef struct {
    fri_job *job;
    const W *weights;
    WIDE *dist;
    int32_t *parent; /* the caller's, or scratch */
    int32_t *queue;  /* a ring of n: every vertex waits at most once */
    int32_t *mark;   /* of the walk; afterwards the cycle */
    uint64_t *waits; /* bitmap: in the queue */
    int64_t head, count;
    int64_t until_walk, interval; /* relaxations */
    WIDE slack;                   /* floats: relative fall that counts; 0 at first */
    int32_t on_cycle;             /* a vertex of it; -1: none known */
} FN(bellman);

static inline bool FN(falls)(const FN(bellman) * b, WIDE sum, WIDE old) {
#if INTEGER
    (void)b;
    return sum < old;
#else
    if (b->slack == 0 || old == INF)
        return sum < old;
    return sum < old - b->slack * (old < 0 ? -old : old);
#endif
}

/* The least weight of an edge u -> v. */
static double FN(least_weight)(const FN(bellman) * b, int32_t u, int32_t v) {
    const fr_csr *csr = &b->job->csr;
    double least = (double)INFINITY;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
        if (csr->targets[e] == v)
            least = FRI_MIN(least, (double)b->weights[e]);
    return least;
}

static double FN(cycle_weight)(const FN(bellman) * b, int32_t start, int32_t *length) {
    double weight = 0;
    int32_t v = start;
    *length = 0;
    do {
        weight += FN(least_weight)(b, b->parent[v], v);
        v = b->parent[v];
        ++*length;
    } while (v != start);
    return weight;
}

/* A vertex on a cycle of parents, or -1. Each walk goes up until it meets a mark. */
static int32_t FN(walk)(FN(bellman) * b) {
    int32_t n = b->job->csr.n;
    memset(b->mark, 0xff, fri_bytes(n, sizeof *b->mark));
    for (int32_t start = 0; start < n; start++) {
        int32_t v = start;
        while (b->mark[v] < 0) {
            b->mark[v] = start;
            if (b->parent[v] < 0 || b->parent[v] == v)
                break;
            v = b->parent[v];
            if (b->mark[v] == start)
                return v;
        }
    }
    return -1;
}

/* Looks for a negative cycle of parents; sets on_cycle. */
static void FN(look)(FN(bellman) * b) {
    int32_t length, v = FN(walk)(b);
    b->interval *= 2;
    b->until_walk = b->interval;
    if (v < 0)
        return;
    if (FN(cycle_weight)(b, v, &length) < 0)
        b->on_cycle = v;
#if !INTEGER
    else
        b->slack = sizeof(D) == 4 ? (D)1e-6 : (D)4e-15;
#endif
}

static inline void FN(wait)(FN(bellman) * b, int32_t v) {
    if (fri_bit_get(b->waits, v))
        return;
    fri_bit_set(b->waits, v);
    int64_t n = b->job->csr.n, at = b->head + b->count++;
    b->queue[at < n ? at : at - n] = v;
}

static void FN(bellman_row)(FN(bellman) * b, int32_t u) {
    const fr_csr *csr = &b->job->csr;
    WIDE d = b->dist[u];
    int64_t relaxed = 0;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int32_t v = csr->targets[e];
        WIDE sum = d + (WIDE)b->weights[e];
        if (!FN(falls)(b, sum, b->dist[v]))
            continue;
        relaxed++;
        b->dist[v] = sum;
        b->parent[v] = u;
        if (u == v) { /* a self-loop below 0 */
            b->on_cycle = v;
            break;
        }
        FN(wait)(b, v);
    }
    b->until_walk -= relaxed;
    b->job->out->stats.relaxations += relaxed;
    b->job->out->stats.edges_examined += csr->offsets[u + 1] - csr->offsets[u];
}

static void FN(bellman_start)(FN(bellman) * b) {
    fri_job *job = b->job;
    int64_t n = job->csr.n;
    char *scratch = job->scratch;
    b->dist = fri_carve(&scratch, fri_bytes(n, sizeof(int64_t)));
    b->queue = fri_carve(&scratch, fri_bytes(n, sizeof(int32_t)));
    b->mark = fri_carve(&scratch, fri_bytes(n, sizeof(int32_t)));
    b->parent = fri_carve(&scratch, fri_bytes(n, sizeof(int32_t)));
    b->waits = fri_carve(&scratch, fri_bitmap_bytes(n));
    if (job->out->parent)
        b->parent = job->out->parent;
    memset(b->waits, 0, fri_bitmap_bytes(n));
    for (int64_t v = 0; v < n; v++) {
        b->dist[v] = WIDE_INF;
        b->parent[v] = -1;
    }
    b->interval = b->until_walk = n / 4 + 64;
    for (int64_t i = 0; i < job->query.source_count; i++) {
        int32_t s = job->query.sources[i];
        b->dist[s] = 0;
        b->parent[s] = s;
        FN(wait)(b, s);
    }
}

static fr_status FN(cycle)(FN(bellman) * b) {
    fr_result *out = b->job->out;
    out->cycle_weight = FN(cycle_weight)(b, b->on_cycle, &out->cycle_length);
    int32_t v = b->on_cycle;
    for (int32_t i = out->cycle_length; i-- > 0; v = b->parent[v])
        b->queue[i] = v; /* parents lead backwards */
    out->cycle = b->queue;
    return fri_fail(b->job->ctx, FR_NEGATIVE_CYCLE,
                    "a cycle of %d vertices and weight %g is reachable from the source",
                    out->cycle_length, out->cycle_weight);
}

/* From the wide distances to the caller's; the rule of targets and limits first, because only what
 * it keeps must fit. */
static fr_status FN(narrow)(FN(bellman) * b) {
    fri_job *job = b->job;
    const fr_query *q = &job->query;
    D *dist = job->out->dist;
    /* with negative weights a path to what is kept may lead through what would be cut off */
    WIDE bound = q->target_count && job->weight_min >= 0 ? 0 : WIDE_INF;
    for (int64_t i = 0; bound != WIDE_INF && i < q->target_count; i++)
        bound = FRI_MAX(bound, b->dist[q->targets[i]]);
    for (int32_t v = 0; v < job->csr.n; v++) {
        WIDE d = b->dist[v];
        bool kept =
            d != WIDE_INF && d <= bound && !(q->max_distance > 0 && (double)d > q->max_distance);
        dist[v] = kept ? (D)d : INF;
        if (!kept && job->out->parent)
            job->out->parent[v] = -1;
#if INTEGER
        if (kept && ((WIDE)dist[v] != d || dist[v] == INF))
            return fri_fail(job->ctx, FR_OVERFLOW,
                            "the distance %lld of vertex %lld does not fit %s; ask for distances "
                            "of type int64",
                            (long long)d, (long long)fri_id_of(&job->ids, v),
                            fr_type_name(job->dist_type));
#endif
    }
    return FR_OK;
}

static fr_status FN(run)(fri_job *job) {
    FN(bellman) b = {.job = job, .weights = job->csr.weights, .on_cycle = -1};
    FN(bellman_start)(&b);
    int64_t n = job->csr.n, processed = 0, round_end = b.count;
    while (b.count && b.on_cycle < 0) {
        int32_t u = b.queue[b.head];
        b.head = b.head + 1 < n ? b.head + 1 : 0;
        b.count--;
        b.waits[u >> 6] &= ~(UINT64_C(1) << (u & 63));
        FN(bellman_row)(&b, u);
        if (b.until_walk <= 0 && b.on_cycle < 0)
            FN(look)(&b);
        if ((processed++ & 0xffff) == 0 && fri_progress(job->ctx, "traversing", processed, 0))
            return FR_CANCELLED;
        if (--round_end == 0) {
            job->out->stats.levels++;
            round_end = b.count;
        }
    }
    if (b.on_cycle >= 0)
        return FN(cycle)(&b);
    fr_status status = FN(narrow)(&b);
    return status ? status : fri_sssp_finish(job, b.dist);
}

#undef WIDE
#undef WIDE_INF
