/* Buckets of vertices: the pool and the ring; see sssp_bins.h. */
#include "cpu/sssp_bins.h"

#include "cpu/sssp_pairs.h"

#include <string.h>

double fri_sssp_along(const fri_job *job) {
    const fr_csr *csr = &job->csr;
    double squares = 0;
#pragma omp parallel for reduction(+ : squares) num_threads(job->threads) if (csr->n > 65536)
    for (int32_t v = 0; v < csr->n; v++) {
        double degree = (double)(csr->offsets[v + 1] - csr->offsets[v]);
        squares += degree * degree;
    }
    return csr->m ? FRI_MAX(squares / (double)csr->m, 1) : 1;
}

double fri_sssp_delta(const fri_job *job) {
    double mean = job->weight_mean > 0 ? job->weight_mean : 1;
    return FRI_MAX(2 * mean / fri_sssp_along(job), 1e-300);
}

uint32_t fri_pool_chunks(int32_t n, int threads, size_t entry, double room) {
    double entries = (double)(FRI_CHUNK_BYTES - sizeof(fri_chunk)) / (double)entry;
    /* each thread may leave one chunk of every bin, and its last grab, partly filled */
    double slack = (double)threads * (FRI_BINS + 2 + FRI_POOL_GRAB);
    double chunks = room * ((double)n / (double)(int)entries + threads + 1) + slack;
    return chunks < UINT32_MAX ? (uint32_t)chunks : UINT32_MAX;
}

void fri_bins_reset(fri_bins *bins, int64_t base) {
    memset(bins->head, 0, sizeof bins->head);
    memset(bins->used, 0, sizeof bins->used);
    bins->base = base;
    bins->far_least = INT64_MAX;
    bins->free = bins->fresh = bins->fresh_end = 0;
    bins->dropped = false;
}

static uint32_t take_chunk(fri_bins *bins, fri_pool *pool) {
    if (bins->free) {
        uint32_t number = bins->free;
        bins->free = fri_chunk_at(pool, number)->next;
        return number;
    }
    if (bins->fresh == bins->fresh_end) {
        /* looked at first, so that threads that find it dry cannot wrap the counter */
        if (__atomic_load_n(&pool->taken, __ATOMIC_RELAXED) >= pool->count)
            return 0;
        uint32_t first = __atomic_fetch_add(&pool->taken, FRI_POOL_GRAB, __ATOMIC_RELAXED);
        if (first >= pool->count)
            return 0;
        bins->fresh = first;
        bins->fresh_end = FRI_MIN(first + FRI_POOL_GRAB, pool->count);
    }
    return bins->fresh++;
}

fri_chunk *fri_bins_grow(fri_bins *bins, fri_pool *pool, uint32_t bin) {
    uint32_t number = take_chunk(bins, pool);
    if (!number) {
        bins->dropped = true;
        return NULL;
    }
    fri_chunk *chunk = fri_chunk_at(pool, number);
    chunk->next = bins->head[bin];
    chunk->count = 0;
    bins->head[bin] = number;
    if (bin < FRI_BINS)
        bins->used[bin / 64] |= UINT64_C(1) << (bin % 64);
    return chunk;
}

int64_t fri_bins_least(const fri_bins *bins) {
    enum { WORDS = FRI_BINS / 64 };
    uint32_t start = (uint32_t)(bins->base % FRI_BINS);
    for (uint32_t i = 0; i <= WORDS; i++) {
        uint32_t word = (start / 64 + i) % WORDS;
        uint64_t bits = bins->used[word];
        if (i == 0)
            bits &= ~UINT64_C(0) << (start % 64);
        if (i == WORDS)
            bits &= ~(~UINT64_C(0) << (start % 64));
        if (!bits)
            continue;
        uint32_t bin = word * 64 + (uint32_t)__builtin_ctzll(bits);
        int64_t bucket = bins->base + (bin - start) % FRI_BINS;
        return FRI_MIN(bucket, bins->far_least);
    }
    return bins->far_least;
}
