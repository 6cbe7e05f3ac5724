/* The bucket engine: delta-stepping on the buckets of cpu/sssp/buckets.h; see
 * cpu/sssp/typed/delta_stepping.c.
 *
 * Every vertex whose distance is lowered enters the bin of its bucket with that distance; an entry
 * is valid as long as the vertex still has that distance. A round processes the smallest bucket and, on
 * several threads, as many after it as are worth two barriers: their chunks go to a common list, from
 * which each thread takes one after another. Entries that fall into the same buckets again are
 * processed by the thread that made them, the smallest bucket first, unless another has no work (given.h). Threads that
 * were in the round before keep their chunks, with one barrier less.
 * A round has as many threads as its edges are worth; they share the bins of those that take no part. It ends early where it
 * has many more edges than were planned.
 */
#ifndef FRI_CPU_SSSP_TYPED_DELTA_ENGINE_H
#define FRI_CPU_SSSP_TYPED_DELTA_ENGINE_H

#include "base/balance.h"
#include "cpu/sssp/typed/pair.h"
#include "cpu/sssp/buckets.h"

#include <sched.h>
#include <string.h>

enum { FRI_PARENT_LOCKED = -2 };

/* Edges on one thread, and with atomics and corrections: fitted on roads and lattices. */
static inline fri_work fri_delta_work(double edges) { return (fri_work){12 * edges, 18 * edges}; }

typedef struct {
    int32_t v;
    dist_t d;
} fri_bucket_entry;

/* Edges that a thread lists before it compares them with the distances of their targets: the sum along the edge, its
 * target, and where it begins if parents are asked for. A block of edges is copied at a time. */
enum { FRI_CANDIDATES = 128, FRI_BLOCK = 4 };

typedef struct {
    dist_t sum[FRI_CANDIDATES + FRI_BLOCK];
    int32_t v[FRI_CANDIDATES + FRI_BLOCK], from[FRI_CANDIDATES + FRI_BLOCK];
} fri_candidates;

enum { CHUNK_ENTRIES = (FRI_CHUNK_BYTES - sizeof(fri_bucket_chunk)) / sizeof(fri_bucket_entry) };

/* What a thread gives to one without work (given.h): a list of chunks, 0: none, or edges of a row whose vertex has distance
 * d; none: begin == end. */
typedef struct {
    uint32_t list;
    int32_t u;
    dist_t d;
    int64_t begin, end;
} fri_given_work;

/* Of one thread. */
typedef struct {
    _Alignas(FRI_CACHE_LINE) bool full;
    fri_given_work work;
} fri_given_box;

/* Threads without work. */
typedef struct {
    fri_given_box *box; /* [threads] */
    uint64_t *wants;    /* a bit of each thread that waits at its box */
    _Alignas(FRI_CACHE_LINE) int idle;
    _Alignas(FRI_CACHE_LINE) bool over;
} fri_given;

typedef struct {
    fri_job *job;
    dist_t *dist;
    int32_t *parent;
    const int64_t *offsets;
    const edge_t *edges;     /* NULL: the rows are the CSR's own arrays */
    const int32_t *targets;  /* of the CSR */
    const weight_t *weights; /* of the CSR; NULL: every weight is 1 */
    int64_t m;
    int32_t n;
    int threads;          /* of the job */
    bool shared;          /* several threads in this part: lower with atomics */
    int64_t last_bucket;  /* later buckets are beyond the query's limit */
    int shift;            /* integers: bucket = distance >> shift */
    double inverse;       /* floats: bucket = floor(distance * inverse) */
    fri_buckets *buckets; /* [threads] */
    uint32_t *work;       /* [pool.count] chunks of the current bucket */
    int64_t next_target;  /* query.targets before it are settled */
    fri_chunk_pool pool;
    _Alignas(FRI_CACHE_LINE) int64_t work_count;
    _Alignas(FRI_CACHE_LINE) int64_t work_taken;
    fri_given given;
    _Alignas(FRI_CACHE_LINE) int64_t bucket; /* buckets of the round: bucket .. end-1 */
    int64_t end, span;
    int64_t enough;        /* edges after which a thread ends it with the bucket that it is in */
    bool keeps;            /* threads keep the chunks of their own bins */
    bool publishes;        /* chunks go to the common list */
    int64_t waited_ns;     /* member 0, for work of others */
    fri_share *share, own; /* of the solver; or `own` */
    int members;           /* of the round */
    int64_t counted;       /* edges examined before it */
    int64_t began_ns, query_began_ns;
    enum {
        FRI_DELTA_CLEAR,
        FRI_DELTA_FILL,
        FRI_DELTA_REBUILD,
        FRI_DELTA_ROUND
    } stage; /* the next part */
    fr_status status;
    int32_t rounds;
    fri_pace pace;
    int64_t paced;                    /* edges reported to the pace */
    const char *doing;                /* name of the current round in the levels */
    int64_t since, visited, examined; /* at the start of the current round; levels only */
} fri_delta_engine;

#define fri_delta_engine_create       FRI_TYPED(fri_delta_engine_create)
#define fri_delta_engine_clear        FRI_TYPED(fri_delta_engine_clear)
#define fri_delta_engine_clear_thread FRI_TYPED(fri_delta_engine_clear_thread)
#define fri_delta_engine_decide       FRI_TYPED(fri_delta_engine_decide)
#define fri_delta_engine_part         FRI_TYPED(fri_delta_engine_part)
#define fri_delta_engine_begin        FRI_TYPED(fri_delta_engine_begin)
#define fri_delta_engine_finish       FRI_TYPED(fri_delta_engine_finish)
#define fri_delta_record              FRI_TYPED(fri_delta_record)
#define fri_delta_set_width           FRI_TYPED(fri_delta_set_width)
#define fri_delta_take                FRI_TYPED(fri_delta_take)
#define fri_delta_refill              FRI_TYPED(fri_delta_refill)
#define fri_delta_rebuild             FRI_TYPED(fri_delta_rebuild)

/* Takes fri_sssp_delta_bytes of scratch; rows NULL: the CSR's. `width`: of a bucket. */
fri_delta_engine *fri_delta_engine_create(fri_job *job, const edge_t *rows, double width,
                                          double pool, fri_share *share, char **scratch);
/* All threads: initializes distances and parents, except at the sources, and empties the bins. */
void fri_delta_engine_clear(fri_delta_engine *s, fri_member me);
void fri_delta_engine_clear_thread(fri_delta_engine *s, int thread);
/* How many members fri_delta_engine_clear gets. */
int fri_delta_engine_begin(fri_delta_engine *s, int most);
/* The rounds as parts of a team (fri_team_parts); the bins hold the start, and `least` of each. */
int fri_delta_engine_decide(fri_delta_engine *s, int most, fri_part_time last);
void fri_delta_engine_part(fri_delta_engine *s, fri_member me);
/* After the team: adds up the statistics and calls fri_sssp_finish. */
fr_status fri_delta_engine_finish(fri_delta_engine *s);

/* After the last part, of so many edges, if its time tells anything of threads. */
void fri_delta_record(fri_delta_engine *s, int64_t edges, fri_part_time last);

/* Steps of a round, also of ranks (ranks/typed/sssp.c). */
void fri_delta_set_width(fri_delta_engine *s, double width);
/* Removes and returns the list of a bin. */
uint32_t fri_delta_take(fri_buckets *buckets, uint32_t slot);
/* Moves the far entries that the ring now covers into the ring. */
void fri_delta_refill(fri_delta_engine *s, fri_buckets *buckets);
/* All threads: empties the bins and refills them with every vertex from `bucket` on. */
void fri_delta_rebuild(fri_delta_engine *s, fri_member me, int64_t bucket);

static inline int64_t fri_delta_bucket(const fri_delta_engine *s, dist_t d) {
#if DIST_IS_INTEGER
    return (int64_t)((unsigned_dist_t)d >> s->shift);
#else
    double x = (double)d * s->inverse;
    return x < 0x1p60 ? (int64_t)x : INT64_C(1) << 60;
#endif
}

static inline dist_t fri_delta_load(const dist_t *dist, int32_t v) {
    dist_t d; /* relaxed: an old value is only a worse bound; the atomic that follows decides */
    __atomic_load(&dist[v], &d, __ATOMIC_RELAXED);
    return d;
}

/* Sets distance and parent together: the thread that stores FRI_PARENT_LOCKED owns both. */
static inline bool fri_delta_lower_locked(fri_delta_engine *s, int32_t v, dist_t sum, int32_t u) {
    for (int attempts = 0; dist_less(sum, fri_delta_load(s->dist, v)); attempts++) {
        int32_t old = __atomic_exchange_n(&s->parent[v], FRI_PARENT_LOCKED, __ATOMIC_ACQUIRE);
        if (old != FRI_PARENT_LOCKED) {
            bool lower = dist_less(sum, fri_delta_load(s->dist, v));
            if (lower)
                __atomic_store(&s->dist[v], &sum, __ATOMIC_RELAXED);
            __atomic_store_n(&s->parent[v], lower ? u : old, __ATOMIC_RELEASE);
            return lower;
        }
        if (attempts > 100) /* the owner of the lock is not running */
            sched_yield();
    }
    return false;
}

/* Lowers dist[v] to sum, with u as parent; false if it is as low already. */
static inline bool fri_delta_lower(fri_delta_engine *s, int32_t v, dist_t sum, int32_t u) {
    dist_t old = fri_delta_load(s->dist, v);
    if (!dist_less(sum, old))
        return false;
    if (!s->shared) {
        s->dist[v] = sum;
        if (s->parent)
            s->parent[v] = u;
        return true;
    }
    if (s->parent)
        return fri_delta_lower_locked(s, v, sum, u);
    /* relaxed: the barrier before the next bucket orders it */
    while (!__atomic_compare_exchange(&s->dist[v], &old, &sum, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        if (!dist_less(sum, old))
            return false;
    return true;
}

/* Lowers distances to those of the candidates that are less. They come to the front of the list; returns how many they
 * are. A branch for each candidate would be predicted wrong too often in sparse graphs. */
static inline int fri_delta_lower_all(fri_delta_engine *s, fri_candidates *list, int count) {
    const bool alone = !s->shared, parents = s->parent != NULL;
    dist_t *dist = s->dist;
    int less = 0, lowered = 0;
    for (int i = 0; i < count; i++) {
        const dist_t sum = list->sum[i], old = fri_delta_load(dist, list->v[i]);
        const int32_t v = list->v[i];
        const bool is_less = dist_less(sum, old);
        if (alone)
            dist[v] = is_less ? sum : old;
        list->sum[less] = sum;
        list->v[less] = v;
        if (parents)
            list->from[less] = list->from[i];
        less += is_less;
    }
    for (int i = 0; alone && parents && i < less; i++)
        s->parent[list->v[i]] = list->from[i];
    if (alone)
        return less;
    for (int i = 0; i < less; i++) {
        const dist_t sum = list->sum[i];
        const int32_t v = list->v[i];
        list->sum[lowered] = sum;
        list->v[lowered] = v;
        lowered += fri_delta_lower(s, v, sum, parents ? list->from[i] : -1);
    }
    return lowered;
}

static inline void fri_delta_put(fri_delta_engine *s, fri_buckets *buckets, int32_t v, dist_t d) {
    int64_t bucket = fri_delta_bucket(s, d);
    uint32_t slot = (uint32_t)((uint64_t)bucket % FRI_BUCKETS);
    if (__builtin_expect(bucket - buckets->base >= FRI_BUCKETS, 0)) {
        slot = FRI_FAR_BUCKET;
        buckets->far_min = FRI_MIN(buckets->far_min, bucket);
    }
    uint32_t number = buckets->head[slot];
    fri_bucket_chunk *chunk = fri_bucket_chunk_at(&s->pool, number);
    if (!number || chunk->count == CHUNK_ENTRIES) {
        chunk = fri_buckets_grow(buckets, &s->pool, slot);
        if (!chunk)
            return;
    }
    ((fri_bucket_entry *)(void *)(chunk + 1))[chunk->count++] = (fri_bucket_entry){v, d};
}

/* The distances of up to FRI_DELTA_AHEAD targets of a CSR row are prefetched, all of them when the row begins unless
 * it is shorter than FRI_LONG_ROW. With 8 ahead Kronecker 20 takes 1.1 to 1.2 times the processor time. */
enum { FRI_DELTA_AHEAD = 32, FRI_LONG_ROW = 8 };

static inline int64_t fri_delta_relax(fri_delta_engine *s, fri_buckets *buckets, int32_t u,
                                      int32_t v, dist_t sum) {
    if (!fri_delta_lower(s, v, sum, u))
        return 0;
    fri_delta_put(s, buckets, v, sum);
    return 1;
}

/* A row of interleaved edges, which are padded for the prefetch. */
static inline int64_t fri_delta_relax_edges(fri_delta_engine *s, fri_buckets *buckets, int32_t u,
                                            dist_t d) {
    const edge_t *edges = s->edges;
    int64_t end = s->offsets[u + 1], relaxed = 0;
    for (int64_t e = s->offsets[u]; e < end; e++) {
        __builtin_prefetch(&s->dist[edges[e + 8].v]);
        relaxed += fri_delta_relax(s, buckets, u, edges[e].v, dist_sum(d, edges[e].w));
    }
    return relaxed;
}

/* Edges of a row of the CSR. */
static inline int64_t fri_delta_relax_csr(fri_delta_engine *s, fri_buckets *buckets, int32_t u,
                                          dist_t d, int64_t begin, int64_t end) {
    const int32_t *targets = s->targets;
    const weight_t *weights = s->weights;
    const dist_t *dist = s->dist;
    int64_t relaxed = 0;
    for (int64_t e = begin;
         end - begin >= FRI_LONG_ROW && e < FRI_MIN(begin + FRI_DELTA_AHEAD, end); e++)
        __builtin_prefetch(&dist[targets[e]]);
    for (int64_t e = begin; e < end; e++) {
        if (e + FRI_DELTA_AHEAD < end)
            __builtin_prefetch(&dist[targets[e + FRI_DELTA_AHEAD]]);
        relaxed +=
            fri_delta_relax(s, buckets, u, targets[e], dist_sum(d, weights ? weights[e] : 1));
    }
    return relaxed;
}

static inline void fri_delta_relax_row(fri_delta_engine *s, fri_buckets *buckets, int32_t u,
                                       dist_t d) {
    const int64_t begin = s->offsets[u], end = s->offsets[u + 1];
    buckets->relaxed += s->edges ? fri_delta_relax_edges(s, buckets, u, d)
                                 : fri_delta_relax_csr(s, buckets, u, d, begin, end);
    buckets->examined += end - begin;
}

/* The first edges of a row, which end on a second line as often as not. */
FRI_PREFETCHER fri_prefetch_edges(const edge_t *row) {
    __builtin_prefetch(row);
    __builtin_prefetch(row + 4);
}

FRI_PREFETCHER fri_delta_prefetch_row(const fri_delta_engine *s, int32_t u) {
    int64_t e = s->offsets[u];
    if (s->edges) {
        fri_prefetch_edges(&s->edges[e]);
        return;
    }
    if (s->targets) /* NULL: there are no edges */
        __builtin_prefetch(s->targets + e);
    if (s->weights)
        __builtin_prefetch(s->weights + e);
}

/* The end of the round, which any thread may lower. */
static inline int64_t fri_delta_end(const fri_delta_engine *s) {
    return __atomic_load_n(&s->end, __ATOMIC_RELAXED);
}

/* Whether the query should end early. Member 0 checks for cancellation. */
static inline bool fri_delta_halt(fri_delta_engine *s, const fri_buckets *buckets) {
    enum { CHUNK_WORK = 64 };
    int64_t work = 0;
    if (buckets == s->buckets) {
        work = buckets->examined - s->paced + CHUNK_WORK;
        s->paced = buckets->examined;
    }
    return fri_pace_stop_team(&s->pace, buckets == s->buckets, work, s->rounds);
}

#endif
