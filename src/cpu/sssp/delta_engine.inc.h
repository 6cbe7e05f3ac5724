/* The bucket engine: delta-stepping on the bins of cpu/sssp/buckets.h; see
 * cpu/sssp/delta_stepping.c.
 *
 * Every vertex whose distance is lowered enters the bin of its bucket with that distance; an entry
 * is worth something as long as the vertex still has it. All threads process the least bucket:
 * their chunks of it go to a common list, from which each takes one after another; what falls
 * into the same bucket again a thread goes on with alone while it is little (bucket fusion).
 */
#ifndef FRI_STEP_ONCE
#define FRI_STEP_ONCE
#include <sched.h>
enum { FUSE_CHUNKS = 32, PARENT_LOCKED = -2 };
#endif

typedef struct {
    int32_t v;
    D d;
} FN(entry);

enum { FN(CHUNK_ENTRIES) = (FRI_CHUNK_BYTES - sizeof(fri_bucket_chunk)) / sizeof(FN(entry)) };

typedef struct {
    fri_job *job;
    D *dist;
    int32_t *parent;
    const int64_t *offsets;
    const EDGE *edges;
    int32_t n;
    bool shared;          /* several threads: lower with atomics */
    int64_t last_bucket;  /* beyond it all is farther than the query's limit */
    int shift;            /* integers: bucket = distance >> shift */
    double inverse;       /* floats: bucket = floor(distance * inverse) */
    fri_buckets *buckets; /* [threads] */
    uint32_t *work;       /* [pool.count] chunks of the present bucket */
    int64_t next_target;  /* query.targets before it are settled */
    fri_chunk_pool pool;
    _Alignas(FRI_CACHE_LINE) int64_t work_count[2]; /* by parity of the round */
    _Alignas(FRI_CACHE_LINE) int64_t work_taken;
    _Alignas(
        FRI_CACHE_LINE) int64_t minimum[2]; /* votes for the next bucket, by parity of the round */
    bool pool_empty[2];
    bool stop;
    fr_status status;
    int32_t rounds;
    fri_pace pace;
    int64_t paced;                    /* edges that the pace knows of */
    const char *doing;                /* the present round, as levels call it */
    int64_t since, visited, examined; /* when and where the present round began; levels only */
} FN(delta_engine);

static inline int64_t FN(bucket)(const FN(delta_engine) * s, D d) {
#if INTEGER
    return (int64_t)((U)d >> s->shift);
#else
    double x = (double)d * s->inverse;
    return x < 0x1p60 ? (int64_t)x : INT64_C(1) << 60;
#endif
}

static inline bool FN(less)(D a, D b) {
#if INTEGER
    return (U)a < (U)b; /* a sum that left D compares as greater than INF */
#else
    return a < b;
#endif
}

static inline D FN(sum)(D d, W w) {
#if INTEGER
    return (D)((U)d + (U)w);
#else
    return d + (D)w;
#endif
}

static inline D FN(load)(const D *dist, int32_t v) {
    D d; /* relaxed: an old value is only a worse bound, the atomic that follows decides */
    __atomic_load(&dist[v], &d, __ATOMIC_RELAXED);
    return d;
}

/* Sets distance and parent as one: whoever swaps PARENT_LOCKED in owns both. */
static inline bool FN(lower_locked)(FN(delta_engine) * s, int32_t v, D sum, int32_t u) {
    for (int attempts = 0; FN(less)(sum, FN(load)(s->dist, v)); attempts++) {
        int32_t old = __atomic_exchange_n(&s->parent[v], PARENT_LOCKED, __ATOMIC_ACQUIRE);
        if (old != PARENT_LOCKED) {
            bool lower = FN(less)(sum, FN(load)(s->dist, v));
            if (lower)
                __atomic_store(&s->dist[v], &sum, __ATOMIC_RELAXED);
            __atomic_store_n(&s->parent[v], lower ? u : old, __ATOMIC_RELEASE);
            return lower;
        }
        if (attempts > 100) /* its owner lost the processor */
            sched_yield();
    }
    return false;
}

/* Lowers dist[v] to sum, with u as parent; false when it is as low already. */
static inline bool FN(lower)(FN(delta_engine) * s, int32_t v, D sum, int32_t u) {
    D old = FN(load)(s->dist, v);
    if (!FN(less)(sum, old))
        return false;
    if (!s->shared) {
        s->dist[v] = sum;
        if (s->parent)
            s->parent[v] = u;
        return true;
    }
    if (s->parent)
        return FN(lower_locked)(s, v, sum, u);
    /* relaxed: the barrier before the next bucket orders it */
    while (!__atomic_compare_exchange(&s->dist[v], &old, &sum, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        if (!FN(less)(sum, old))
            return false;
    return true;
}

static inline void FN(put)(FN(delta_engine) * s, fri_buckets *buckets, int32_t v, D d) {
    int64_t bucket = FN(bucket)(s, d);
    uint32_t slot = (uint32_t)(bucket % FRI_BUCKETS);
    if (__builtin_expect(bucket - buckets->base >= FRI_BUCKETS, 0)) {
        slot = FRI_FAR_BUCKET;
        buckets->far_min = FRI_MIN(buckets->far_min, bucket);
    }
    uint32_t number = buckets->head[slot];
    fri_bucket_chunk *chunk = fri_bucket_chunk_at(&s->pool, number);
    if (!number || chunk->count == FN(CHUNK_ENTRIES)) {
        chunk = fri_buckets_grow(buckets, &s->pool, slot);
        if (!chunk)
            return;
    }
    ((FN(entry) *)(void *)(chunk + 1))[chunk->count++] = (FN(entry)){v, d};
}

static inline void FN(relax_row)(FN(delta_engine) * s, fri_buckets *buckets, int32_t u, D d) {
    const EDGE *edges = s->edges;
    int64_t begin = s->offsets[u], end = s->offsets[u + 1], relaxed = 0;
    for (int64_t e = begin; e < end; e++) {
        __builtin_prefetch(&s->dist[edges[e + 8].v]);
        D sum = FN(sum)(d, edges[e].w);
        if (FN(lower)(s, edges[e].v, sum, u)) {
            FN(put)(s, buckets, edges[e].v, sum);
            relaxed++;
        }
    }
    buckets->examined += end - begin;
    buckets->relaxed += relaxed;
}

static void FN(process)(FN(delta_engine) * s, fri_buckets *buckets, uint32_t number) {
    fri_bucket_chunk *chunk = fri_bucket_chunk_at(&s->pool, number);
    const FN(entry) *entry = (const FN(entry) *)(const void *)(chunk + 1);
    uint32_t count = chunk->count;
    for (uint32_t i = 0; i < count; i++) {
        if (i + 4 < count)
            __builtin_prefetch(&s->offsets[entry[i + 4].v]);
        if (i + 2 < count)
            __builtin_prefetch(&s->edges[s->offsets[entry[i + 2].v]]);
        if (FN(load)(s->dist, entry[i].v) == entry[i].d) {
            FN(relax_row)(s, buckets, entry[i].v, entry[i].d);
            buckets->visited++;
        }
    }
    fri_bucket_chunk_release(buckets, chunk, number);
}

/* Is there no use in going on with a round? Member 0 asks. */
static inline bool FN(halt)(FN(delta_engine) * s, const fri_buckets *buckets) {
    enum { CHUNK_WORK = 64 };
    int64_t work = 0;
    if (buckets == s->buckets) {
        work = buckets->examined - s->paced + CHUNK_WORK;
        s->paced = buckets->examined;
    }
    return fri_pace_stop_team(&s->pace, buckets == s->buckets, work, s->rounds);
}

/* Takes the list of a bin away from it. */
static inline uint32_t FN(take_bucket)(fri_buckets *buckets, uint32_t slot) {
    uint32_t number = buckets->head[slot];
    buckets->head[slot] = 0;
    if (slot < FRI_BUCKETS)
        buckets->used[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
    return number;
}

/* Moves the far entries that the ring now covers into it. */
static void FN(refill_from_far)(FN(delta_engine) * s, fri_buckets *buckets) {
    uint32_t number = FN(take_bucket)(buckets, FRI_FAR_BUCKET);
    buckets->far_min = INT64_MAX;
    while (number) {
        fri_bucket_chunk *chunk = fri_bucket_chunk_at(&s->pool, number);
        const FN(entry) *entry = (const FN(entry) *)(const void *)(chunk + 1);
        for (uint32_t i = 0; i < chunk->count; i++)
            if (FN(load)(s->dist, entry[i].v) == entry[i].d)
                FN(put)(s, buckets, entry[i].v, entry[i].d);
        uint32_t next = chunk->next;
        fri_bucket_chunk_release(buckets, chunk, number);
        number = next;
    }
}

/* Goes on alone with what fell into the present bucket, while it is little or nobody else is. */
static void FN(fuse)(FN(delta_engine) * s, fri_buckets *buckets, uint32_t slot) {
    for (;;) {
        uint32_t number = buckets->head[slot], chunks = 0;
        for (uint32_t c = number; c && chunks <= FUSE_CHUNKS;
             c = fri_bucket_chunk_at(&s->pool, c)->next)
            chunks++;
        if (!number || (s->shared && chunks > FUSE_CHUNKS) || FN(halt)(s, buckets))
            return;
        FN(take_bucket)(buckets, slot);
        while (number && !FN(halt)(s, buckets)) {
            uint32_t next = fri_bucket_chunk_at(&s->pool, number)->next;
            FN(process)(s, buckets, number);
            number = next;
        }
    }
}

/* Hands this thread's chunks of the present bucket to everybody. */
static void FN(publish)(FN(delta_engine) * s, fri_buckets *buckets, uint32_t slot, int parity) {
    uint32_t number = FN(take_bucket)(buckets, slot);
    int64_t chunks = 0;
    for (uint32_t c = number; c; c = fri_bucket_chunk_at(&s->pool, c)->next)
        chunks++;
    int64_t at = __atomic_fetch_add(&s->work_count[parity], chunks, __ATOMIC_RELAXED);
    for (; number; number = fri_bucket_chunk_at(&s->pool, number)->next)
        s->work[at++] = number;
}

/* Are all targets nearer than the bucket? Then nothing from it on is wanted. */
static bool FN(targets_settled)(FN(delta_engine) * s, int64_t bucket) {
    const fr_query *q = &s->job->query;
    if (q->target_count == 0)
        return false;
    for (; s->next_target < q->target_count; s->next_target++) {
        D d = s->dist[q->targets[s->next_target]];
        if (d == INF || FN(bucket)(s, d) >= bucket)
            return false;
    }
    return true;
}

/* Member 0, after a round: a line for the user who asked for levels. */
static void FN(report_round)(FN(delta_engine) * s, const char *choice) {
    fri_job *job = s->job;
    if (!job->levels)
        return;
    int64_t visited = 0, examined = 0, now = fri_now_ns();
    for (int t = 0; t < job->threads; t++) {
        visited += s->buckets[t].visited;
        examined += s->buckets[t].examined;
    }
    if (s->rounds)
        fri_job_level(job, choice, visited - s->visited, examined - s->examined, now - s->since);
    s->since = now;
    s->visited = visited;
    s->examined = examined;
}

/* Member 0, before a bucket: is there an end? */
static void FN(decide)(FN(delta_engine) * s, int64_t bucket) {
    FN(report_round)(s, s->doing);
    s->doing = "bucket";
    s->work_taken = 0;
    s->rounds++;
    s->stop = bucket == INT64_MAX || FN(targets_settled)(s, bucket) || bucket > s->last_bucket;
    if (FN(halt)(s, s->buckets)) {
        s->status = s->pace.status;
        s->stop = true;
    }
}

/* All: empties the bins and fills them with every vertex from `bucket` on. */
static void FN(rebuild)(FN(delta_engine) * s, fri_member me, int64_t bucket) {
    fri_buckets *buckets = &s->buckets[me.index];
    int64_t begin, end;
    fri_team_barrier(me); /* nobody allocates any more */
    if (me.index == 0)
        s->pool.taken = 1;
    fri_buckets_reset(buckets, bucket);
    fri_team_barrier(me); /* the pool is whole */
    fri_team_static_range(me, s->n, 1024, &begin, &end);
    for (int64_t v = begin; v < end; v++)
        if (s->dist[v] != INF && FN(bucket)(s, s->dist[v]) >= bucket)
            FN(put)(s, buckets, (int32_t)v, s->dist[v]);
}

/* All: agrees on the least bucket of any thread, after a barrier that ends the last one. Rebuilds
 * first when somebody ran dry in `present`. */
static int64_t FN(agree)(FN(delta_engine) * s, fri_member me, int64_t present, int parity) {
    fri_buckets *buckets = &s->buckets[me.index];
    if (buckets->overflow)
        __atomic_store_n(&s->pool_empty[parity], true, __ATOMIC_RELAXED);
    int64_t mine = fri_buckets_min(buckets),
            seen = __atomic_load_n(&s->minimum[parity], __ATOMIC_RELAXED);
    while (mine < seen && !__atomic_compare_exchange_n(&s->minimum[parity], &seen, mine, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    fri_team_barrier(me); /* all have voted, and all chunks of the last bucket are processed */
    if (!s->pool_empty[parity])
        return s->minimum[parity];
    FN(rebuild)(s, me, present);
    return present;
}

/* One thread of the engine. The bins hold the start; `present`: no bucket before it is used. */
static void FN(engine_member)(FN(delta_engine) * s, fri_member me, int64_t present) {
    fri_buckets *buckets = &s->buckets[me.index];
    for (int parity = 0;; parity ^= 1) {
        int64_t bucket = FN(agree)(s, me, present, parity);
        buckets->base = present = bucket;
        if (bucket != INT64_MAX && buckets->far_min <= bucket)
            FN(refill_from_far)(s, buckets);
        uint32_t slot = (uint32_t)(bucket % FRI_BUCKETS);
        if (me.index == 0) {
            s->minimum[parity ^ 1] = INT64_MAX;
            s->pool_empty[parity ^ 1] = false;
            s->work_count[parity ^ 1] = 0;
            FN(decide)(s, bucket);
        }
        if (me.count > 1 && bucket != INT64_MAX)
            FN(publish)(s, buckets, slot, parity);
        fri_team_barrier(me); /* the list is complete, the decision made */
        if (s->stop)
            return;
        int64_t at, end;
        while (!FN(halt)(s, buckets) &&
               fri_team_next_chunk(&s->work_taken, s->work_count[parity], 1, &at, &end))
            FN(process)(s, buckets, s->work[at]);
        FN(fuse)(s, buckets, slot);
    }
}

/* All: writes the arrays of the start, sources aside, and empties the bins. */
static void FN(clear)(FN(delta_engine) * s, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, s->n, 4096, &begin, &end);
    for (int64_t v = begin; v < end; v++)
        s->dist[v] = INF;
    for (int64_t v = begin; s->parent && v < end; v++)
        s->parent[v] = -1;
    fri_buckets_reset(&s->buckets[me.index], 0);
    s->buckets[me.index].examined = s->buckets[me.index].relaxed = s->buckets[me.index].visited = 0;
}

/* Bytes that FN(carve) takes beside the rows. */
static size_t FN(engine_bytes)(const fri_job *job, double pool_factor) {
    uint32_t chunks = fri_chunk_pool_size(job->csr.n, job->threads, sizeof(FN(entry)), pool_factor);
    return fri_align_line(fri_bytes(job->threads, sizeof(fri_buckets))) +
           fri_align_line(fri_bytes(chunks, sizeof(uint32_t))) +
           fri_align_line(fri_bytes(chunks, FRI_CHUNK_BYTES)) +
           fri_align_line(sizeof(FN(delta_engine)));
}

static FN(delta_engine) *
    FN(carve)(fri_job *job, const EDGE *rows, char **scratch, double pool_factor) {
    uint32_t chunks = fri_chunk_pool_size(job->csr.n, job->threads, sizeof(FN(entry)), pool_factor);
    FN(delta_engine) *s = fri_carve(scratch, sizeof *s);
    *s = (FN(delta_engine)){.job = job, .dist = job->out->dist, .parent = job->out->parent};
    s->offsets = job->csr.offsets;
    s->edges = rows;
    s->n = job->csr.n;
    s->shared = job->threads > 1;
    s->pace = fri_pace_begin(job->ctx, "traversing", 0);
    s->minimum[0] = s->minimum[1] = INT64_MAX;
    s->buckets = fri_carve(scratch, fri_bytes(job->threads, sizeof *s->buckets));
    s->work = fri_carve(scratch, fri_bytes(chunks, sizeof *s->work));
    s->pool = (fri_chunk_pool){.chunks = fri_carve(scratch, fri_bytes(chunks, FRI_CHUNK_BYTES)),
                               .count = chunks,
                               .taken = 1};
    return s;
}

static void FN(set_width)(FN(delta_engine) * s, double width) {
#if INTEGER
    const int maximum = 8 * (int)sizeof(D) - 2;
    for (s->shift = 0; s->shift < maximum && ldexp(2, s->shift) <= width;)
        s->shift++;
    s->last_bucket = FN(bucket)(s, (D)fri_sssp_last(s->job, INF));
#else
    double limit = s->job->query.max_distance;
    s->inverse = 1 / width;
    s->last_bucket = limit > 0 && limit < MOST ? FN(bucket)(s, (D)limit) : INT64_C(1) << 60;
#endif
}

static fr_status FN(engine_end)(FN(delta_engine) * s) {
    fri_job *job = s->job;
    for (int t = 0; t < job->threads; t++) {
        job->out->stats.edges_examined += s->buckets[t].examined;
        job->out->stats.relaxations += s->buckets[t].relaxed;
    }
    job->out->stats.levels = s->rounds;
    return s->status ? s->status : fri_sssp_finish(job, s->pool.chunks);
}
