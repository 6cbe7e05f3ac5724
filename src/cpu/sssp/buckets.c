/* Buckets of vertices: the pool and the ring; see cpu/sssp/buckets.h. */
#include "cpu/sssp/buckets.h"

#include "base/balance.h"
#include "base/rng.h"
#include "cpu/sssp/sssp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sum of squared degrees of some rows: in integers, which take no time to convert and to add one
 * after the other, unless their squares may exceed 64 bits. */
static double sum_of_squares(const int64_t *offsets, int64_t rows) {
    uint64_t squares = 0;
    if (offsets[rows] - offsets[0] <= UINT32_MAX) {
        for (int64_t v = 0; v < rows; v++) {
            const uint32_t degree = (uint32_t)(offsets[v + 1] - offsets[v]);
            squares += (uint64_t)degree * degree;
        }
        return (double)squares;
    }
    double sum = 0;
    for (int64_t v = 0; v < rows; v++) {
        const double degree = (double)(offsets[v + 1] - offsets[v]);
        sum += degree * degree;
    }
    return sum;
}

enum { PARTS = 64 };

typedef struct {
    const int64_t *offsets;
    int64_t rows; /* of a part */
    double squares[PARTS];
} degree_sums;

static void square_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    degree_sums *d = arg;
    (void)me;
    d->squares[begin / d->rows] = sum_of_squares(d->offsets + begin, end - begin);
}

static double edge_biased_degree(const fri_job *job) {
    const fr_csr *csr = &job->csr;
    degree_sums d = {.offsets = csr->offsets, .rows = csr->n / PARTS + 1};
    fri_team_loop(job->ctx, fri_job_threads(job, csr->n / 2), csr->n, d.rows, square_piece, &d);
    for (int i = 1; i < PARTS; i++)
        d.squares[0] += d.squares[i];
    return csr->m ? FRI_MAX(d.squares[0] / (double)csr->m, 1) : 1;
}

double fri_sssp_edge_biased_degree(const fri_job *job) {
    fri_derived *derived = job->derived ? job->derived->of : NULL;
    double degree;
    if (derived && fri_derived_edge_degree(derived, job->csr.offsets, &degree))
        return degree;
    degree = edge_biased_degree(job);
    if (derived)
        fri_derived_set_edge_degree(derived, job->csr.offsets, degree);
    return degree;
}

/* Several threads: the fewer edges a vertex has, the fewer are corrected in a wide bucket, and the less a thread has to do in a
 * narrow one. Roads with 16 times the width: 4 % more edges, .8 of the time; grids of three dimensions with 4: 8 %.
 * Behind hubs buckets would be so narrow that the ring holds less than a weight, and most entries wait far away first: a ring has
 * four mean weights at least, and 32 on several threads, which have more to do in wider ones. */
double fri_sssp_bucket_width(const fri_job *job, int threads) {
    const double sparse = 9, degree = fri_sssp_edge_biased_degree(job);
    const double mean = job->weight_mean > 0 ? job->weight_mean : 1;
    const double wider = FRI_MIN(pow(sparse / degree, 2), 2.0 * threads);
    const double least = FRI_MAX((threads == 1 ? 4 : 32) * mean / FRI_BUCKETS, 1e-300);
    return FRI_MAX(2 * mean / degree * (threads == 1 ? 1 : FRI_MAX(wider, 1)), least);
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The weight below which a vertex has two edges on average, from weights at random places, always the same: 0.2 ms.
 * Uniform weights keep the exact width; skewed ones, exponential or log-normal, have half of it or less. */
double fri_sssp_sampled_width(const fri_job *job) {
    enum { SAMPLES = 2048 };
    const fr_csr *csr = &job->csr;
    const double uniform = fri_sssp_window_width(job->weight_mean, csr->n, csr->m);
    double sample[SAMPLES];
    if (!csr->weights || csr->m < SAMPLES)
        return uniform;
    for (int i = 0; i < SAMPLES; i++)
        sample[i] = fri_csr_weight(
            csr, (int64_t)fri_random_below(fri_mix64((uint64_t)i), (uint64_t)csr->m));
    qsort(sample, SAMPLES, sizeof *sample, by_value);
    const int64_t two_edges = 2 * SAMPLES * (int64_t)csr->n / csr->m;
    const double width = sample[FRI_MIN(two_edges, SAMPLES - 1)];
    return width > 0 && width < 0.75 * uniform ? width : uniform;
}

/* Edges of a round, so that threads wait little for each other: of a thread 1,100 on 16; roads take 1.1 times as long with
 * 4096. */
static int64_t round_edges(int threads) {
    enum { LEAST = 1 << 13 };
    return FRI_MAX(threads * (int64_t)fri_share_fitted_ns(threads) / 3, LEAST);
}

int64_t fri_sssp_span(int64_t span, int64_t rate, int threads) {
    enum {
        GROWTH = 8,                /* of the span, as the next buckets may have more edges */
        MAX_SPAN = FRI_BUCKETS / 2 /* the rest of the ring takes what the round adds */
    };
    const int64_t wanted = round_edges(threads) / FRI_MAX(rate, 1);
    return threads == 1 ? 1 : FRI_MAX(FRI_MIN(wanted, FRI_MIN(GROWTH * span, MAX_SPAN)), 1);
}

int64_t fri_sssp_enough(int threads) { return 4 * round_edges(threads) / threads; }

uint32_t fri_chunk_pool_size(int32_t n, int threads, size_t entry, double pool_factor) {
    double entries = (double)(FRI_CHUNK_BYTES - sizeof(fri_bucket_chunk)) / (double)entry;
    /* each thread may leave one chunk per bin that has a vertex, and its last batch, partly filled */
    double slack = FRI_MIN((double)threads * (FRI_BUCKETS + 2), n) + threads * FRI_POOL_BATCH;
    double chunks = pool_factor * ((double)n / (double)(int)entries + threads + 1) + slack;
    return chunks < UINT32_MAX ? (uint32_t)chunks : UINT32_MAX;
}

void fri_buckets_reset(fri_buckets *buckets, int64_t base) {
    memset(buckets->head, 0, sizeof buckets->head);
    memset(buckets->used, 0, sizeof buckets->used);
    buckets->base = base;
    buckets->far_min = buckets->least = INT64_MAX;
    buckets->free = buckets->fresh = buckets->fresh_end = 0;
    buckets->overflow = false;
}

static uint32_t take_chunk(fri_buckets *buckets, fri_chunk_pool *pool) {
    if (buckets->free) {
        uint32_t number = buckets->free;
        buckets->free = fri_bucket_chunk_at(pool, number)->next;
        return number;
    }
    if (buckets->fresh == buckets->fresh_end) {
        /* tested first, so that threads that find the pool empty cannot wrap the counter */
        if (__atomic_load_n(&pool->taken, __ATOMIC_RELAXED) >= pool->count)
            return 0;
        uint32_t first = __atomic_fetch_add(&pool->taken, FRI_POOL_BATCH, __ATOMIC_RELAXED);
        if (first >= pool->count)
            return 0;
        buckets->fresh = first;
        buckets->fresh_end = FRI_MIN(first + FRI_POOL_BATCH, pool->count);
    }
    return buckets->fresh++;
}

fri_bucket_chunk *fri_buckets_grow(fri_buckets *buckets, fri_chunk_pool *pool, uint32_t slot) {
    uint32_t number = take_chunk(buckets, pool);
    if (!number) {
        buckets->overflow = true;
        return NULL;
    }
    fri_bucket_chunk *chunk = fri_bucket_chunk_at(pool, number);
    chunk->next = buckets->head[slot];
    chunk->count = 0;
    buckets->head[slot] = number;
    if (slot < FRI_BUCKETS)
        buckets->used[slot / 64] |= UINT64_C(1) << (slot % 64);
    return chunk;
}

int64_t fri_buckets_min(const fri_buckets *buckets) {
    enum { WORDS = FRI_BUCKETS / 64 };
    uint32_t start = (uint32_t)(buckets->base % FRI_BUCKETS);
    for (uint32_t i = 0; i <= WORDS; i++) {
        uint32_t word = (start / 64 + i) % WORDS;
        uint64_t bits = buckets->used[word];
        if (i == 0)
            bits &= ~UINT64_C(0) << (start % 64);
        if (i == WORDS)
            bits &= ~(~UINT64_C(0) << (start % 64));
        if (!bits)
            continue;
        uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
        int64_t bucket = buckets->base + (slot - start) % FRI_BUCKETS;
        return FRI_MIN(bucket, buckets->far_min);
    }
    return buckets->far_min;
}
