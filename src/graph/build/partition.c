/* Partitions edges by ranges of rows.
 *
 * Source: the buffers are from O. Polychroniou, K. A. Ross: A comprehensive study of
 *   main-memory partitioning and its application to large-scale comparison- and radix-sort, SIGMOD
 *   2014; chunks in the memory of input already read are from M. Axtmann, S. Witt, D.
 *   Ferizovic, P. Sanders: In-place parallel super scalar samplesort, ESA 2017.
 * Idea: scattering edges directly to their rows misses the caches and the TLB once per edge.
 *   Partitioned into several hundred buckets through buffers that stay in the second-level cache,
 *   they move in runs of a whole chunk; a bucket then fits that cache while it is sorted.
 * Differs: there is no histogram pass, because chunks need no position known in advance.
 * Work: one sweep over the edges. Memory: the input's, plus a buffer per bucket and thread,
 *   plus the difference in size between an entry and the input it came from.
 */
#include "graph/build/partition.h"

#include "base/pace.h"
#include "base/team.h"
#include "io/csr_check.h"

#include <omp.h>
#include <string.h>

enum {
    BUCKET_ENTRIES = 64 << 10, /* so that keys and result of a bucket fit a second-level cache */
    BUFFERS_BYTES = 512 << 10, /* the buffers of one thread; they must fit it too */
    MAX_NARROW_BUCKETS = 4096, /* partitioning into more buckets costs more than sorting 6-byte
                                   keys */
    MAX_ROW_BITS = 16,         /* of the wide form */
    SEGMENTS_PER_THREAD = 64,
    SMALL_SEGMENT = 16 << 10,
    SEGMENT_STEP = 512 /* edges; aligns chunks to cache lines */
};

static int bits_below(int64_t n) { return n <= 2 ? 1 : 64 - __builtin_clzll((uint64_t)n - 1); }

/* Chooses the representation of entries and the number of buckets. */
static void choose_layout(fri_partition *p, int64_t entries, fr_type weight_type) {
    int64_t n = FRI_MAX(p->n, 1);
    int bits = p->column_bits = bits_below(n);
    int wanted = bits_below(entries / BUCKET_ENTRIES + 1);
    p->row_bits = FRI_MAX(bits - wanted, 0);
    int narrow_rows = FRI_MIN(p->row_bits, 32 - bits);
    p->narrow = narrow_rows >= 0 && ((n - 1) >> narrow_rows) < MAX_NARROW_BUCKETS;
    p->row_bits = p->narrow ? narrow_rows : FRI_MIN(p->row_bits, MAX_ROW_BITS);
    p->buckets = (int)((n - 1) >> p->row_bits) + 1;
    p->weight_bytes = fr_type_size(weight_type);
    p->chunk_bytes = 256;
    while (p->chunk_bytes < 2048 && 2 * p->chunk_bytes * (size_t)p->buckets <= BUFFERS_BYTES)
        p->chunk_bytes *= 2;
    size_t entry = 4 + (p->narrow ? 0 : 2) + p->weight_bytes;
    p->chunk_entries = (uint32_t)((p->chunk_bytes - sizeof(char *)) / entry) & ~1u;
    p->columns_at = sizeof(char *) + p->chunk_entries * p->weight_bytes;
    p->rows_at = p->columns_at + p->chunk_entries * 4;
}

/* Small inputs do not justify waking threads. */
static int team(const fr_ctx *ctx, int64_t edges) {
    return (int)FRI_MAX(1, FRI_MIN(ctx->threads, edges / SMALL_SEGMENT));
}

static size_t writer_bytes(const fri_partition *p) {
    size_t entry = p->chunk_bytes + 2 * sizeof(char *) + sizeof(int64_t) + sizeof(uint32_t);
    return ((size_t)p->buckets * entry + FRI_CACHE_LINE - 1) / FRI_CACHE_LINE * FRI_CACHE_LINE;
}

static fr_status make_writers(fri_partition *p) {
    size_t buckets = (size_t)p->buckets, one = writer_bytes(p);
    p->writers = fri_calloc(p->ctx, fri_bytes(p->threads, sizeof *p->writers));
    p->memory = p->writers ? fri_calloc(p->ctx, fri_bytes(p->threads, one)) : NULL;
    if (!p->memory)
        return FR_NOMEM;
    for (int t = 0; t < p->threads; t++) {
        fri_partition_writer *w = &p->writers[t];
        char *at = (char *)p->memory + (size_t)t * one;
        w->buffers = at;
        w->first = (char **)(void *)(at += buckets * p->chunk_bytes);
        w->last = w->first + buckets;
        w->chunks = (int64_t *)(void *)(w->last + buckets);
        w->fill = (uint32_t *)(void *)(w->chunks + buckets);
        w->source = w->current = -1;
    }
    return FR_OK;
}

int64_t fri_partition_count(const fri_partition *p, int bucket) {
    int64_t count = 0;
    for (int t = 0; t < p->threads; t++)
        count += p->writers[t].chunks[bucket] * p->chunk_entries + p->writers[t].fill[bucket];
    return count;
}

/* ---- chunks ---- */

/* Takes a chunk from a segment of which `read` edges have been read; NULL: none is free. */
static char *chunk_of(const fri_partition *p, fri_segment *s, int64_t read) {
    size_t edge = 2 * sizeof(int32_t), weight = s->block->weights ? p->weight_bytes : 0;
    if (s->used_ends + p->chunk_bytes <= (size_t)read * edge) {
        char *chunk = (char *)s->block->ends + (size_t)s->begin * edge + s->used_ends;
        s->used_ends += p->chunk_bytes;
        return chunk;
    }
    if (s->used_weights + p->chunk_bytes <= (size_t)read * weight) {
        char *chunk = (char *)s->block->weights + (size_t)s->begin * weight + s->used_weights;
        s->used_weights += p->chunk_bytes;
        return chunk;
    }
    return NULL;
}

/* read: number of edges of the current segment that have been read, including the current one. */
static char *take_chunk(fri_partition *p, fri_partition_writer *w, int64_t read) {
    while (w->source >= 0) {
        fri_segment *s = &p->segments[w->source];
        bool current = w->source == w->current;
        char *chunk = chunk_of(p, s, current ? read : s->count);
        if (chunk)
            return chunk;
        if (current)
            break;
        w->source = s->next;
    }
    /* relaxed: only the number matters; the chunk's content is read after a barrier */
    int64_t at = __atomic_fetch_add(&p->spare_used, 1, __ATOMIC_RELAXED);
    return p->spare + (size_t)at * p->chunk_bytes;
}

/* Moves the full buffer of a row's bucket to a chunk. */
static __attribute__((noinline)) void flush(fri_partition *p, fri_partition_writer *w, uint32_t row,
                                            int64_t read) {
    uint32_t bucket = row >> p->row_bits;
    char *chunk = take_chunk(p, w, read), *none = NULL;
    memcpy(chunk, w->buffers + (size_t)bucket * p->chunk_bytes, p->chunk_bytes);
    memcpy(chunk, &none, sizeof none);
    if (w->last[bucket])
        memcpy(w->last[bucket], &chunk, sizeof chunk);
    else
        w->first[bucket] = chunk;
    w->last[bucket] = chunk;
    w->chunks[bucket]++;
    w->fill[bucket] = 0;
}

/* A copy of what the inner loop needs, so that it stays in registers. */
typedef struct {
    char *buffers;
    uint32_t *fill;
    size_t chunk_bytes, columns_at, rows_at;
    uint32_t chunk_entries, mask;
    int row_bits, column_bits;
} scatter_target;

static scatter_target scatter_target_of(const fri_partition *p, const fri_partition_writer *w) {
    return (scatter_target){w->buffers,    w->fill,          p->chunk_bytes,          p->columns_at,
                            p->rows_at,    p->chunk_entries, (1u << p->row_bits) - 1, p->row_bits,
                            p->column_bits};
}

/* Appends one entry to its buffer; true if the buffer is full now. narrow and weight_bytes are
 * constants at each call site. */
static inline __attribute__((always_inline)) bool scatter(const scatter_target *h, bool narrow,
                                                          size_t weight_bytes, uint32_t row,
                                                          uint32_t column, uint64_t weight) {
    uint32_t bucket = row >> h->row_bits, low = row & h->mask;
    char *buffer = h->buffers + bucket * h->chunk_bytes;
    uint32_t i = h->fill[bucket];
    uint32_t *columns = (uint32_t *)(void *)(buffer + h->columns_at);
    columns[i] = narrow ? low << h->column_bits | column : column;
    if (!narrow)
        ((uint16_t *)(void *)(buffer + h->rows_at))[i] = (uint16_t)low;
    if (weight_bytes == 4)
        ((uint32_t *)(void *)(buffer + sizeof(char *)))[i] = (uint32_t)weight;
    else if (weight_bytes == 8)
        ((uint64_t *)(void *)(buffer + sizeof(char *)))[i] = weight;
    h->fill[bucket] = i + 1;
    return i + 1 == h->chunk_entries;
}

static inline __attribute__((always_inline)) uint64_t weight_bits(const void *weights,
                                                                  size_t weight_bytes, int64_t i) {
    return weight_bytes == 4   ? ((const uint32_t *)weights)[i]
           : weight_bytes == 8 ? ((const uint64_t *)weights)[i]
                               : 0;
}

/* ---- an edge list ---- */

typedef struct {
    bool both, drop_loops, negate;
    fr_type type;
} rules;

static uint64_t negated(fr_type type, uint64_t bits) {
    if (type == FR_TYPE_I32)
        return (uint32_t)(0 - (uint32_t)bits);
    if (type == FR_TYPE_I64)
        return 0 - bits;
    return type == FR_TYPE_F32 ? bits ^ 0x80000000u : bits ^ UINT64_C(0x8000000000000000);
}

static inline __attribute__((always_inline)) void
scatter_segment(fri_partition *p, fri_partition_writer *w, const fri_segment *s, const rules *r,
                bool narrow, size_t weight_bytes) {
    const int32_t *ends = s->block->ends + 2 * s->begin;
    const char *weights =
        weight_bytes ? (const char *)s->block->weights + (size_t)s->begin * weight_bytes : NULL;
    const scatter_target h = scatter_target_of(p, w);
    for (int64_t i = 0; i < s->count; i++) {
        uint32_t u = (uint32_t)ends[2 * i], v = (uint32_t)ends[2 * i + 1];
        uint64_t weight = weight_bits(weights, weight_bytes, i);
        if (u == v && r->drop_loops)
            continue;
        if (scatter(&h, narrow, weight_bytes, u, v, weight))
            flush(p, w, u, i + 1);
        if (r->both && u != v &&
            scatter(&h, narrow, weight_bytes, v, u, r->negate ? negated(r->type, weight) : weight))
            flush(p, w, v, i + 1);
    }
}

static void scatter_segments(fri_partition *p, const rules *r, int *next) {
    fri_partition_writer *w = &p->writers[omp_get_thread_num()];
    int s;
    /* relaxed: only the counter is shared; cancellation may be seen late */
    while ((s = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED)) < p->segment_count &&
           !__atomic_load_n(&p->stop, __ATOMIC_RELAXED)) {
        fri_segment *segment = &p->segments[s];
        if (w->current >= 0)
            p->segments[w->current].next = s;
        else
            w->source = s;
        w->current = s;
#define FORM(narrow, weight_bytes) scatter_segment(p, w, segment, r, narrow, weight_bytes)
        FRI_FOR_EACH_FORM(p, FORM);
#undef FORM
        if (omp_get_thread_num() == 0 &&
            fri_progress(p->ctx, "sorting edges into buckets", s + 1, p->segment_count))
            __atomic_store_n(&p->stop, 1, __ATOMIC_RELAXED);
    }
}

/* The number of chunks that a segment's entries may need in addition to those in its own memory. */
static int64_t spare_for(const fri_partition *p, int64_t edges, int directions) {
    int64_t need = edges * directions / p->chunk_entries + 1;
    int64_t own = edges * 8 / (int64_t)p->chunk_bytes +
                  edges * (int64_t)p->weight_bytes / (int64_t)p->chunk_bytes;
    return FRI_MAX(need - own, 0);
}

static fr_status make_segments(fri_partition *p, fri_edge_list *edges, int64_t total,
                               int directions) {
    int64_t step = total / ((int64_t)p->threads * SEGMENTS_PER_THREAD);
    step = (FRI_MAX(step, SMALL_SEGMENT) + SEGMENT_STEP - 1) / SEGMENT_STEP * SEGMENT_STEP;
    int64_t count = 0;
    for (int b = 0; b < edges->block_count; b++)
        count += (edges->blocks[b].count + step - 1) / step;
    p->segments = fri_alloc(p->ctx, fri_bytes(count, sizeof *p->segments));
    if (!p->segments)
        return FR_NOMEM;
    for (int b = 0; b < edges->block_count; b++)
        for (int64_t at = 0; at < edges->blocks[b].count; at += step) {
            int64_t size = FRI_MIN(step, edges->blocks[b].count - at);
            p->segments[p->segment_count++] =
                (fri_segment){.block = &edges->blocks[b], .begin = at, .count = size, .next = -1};
            p->spare_count += spare_for(p, size, directions);
        }
    p->spare_count += 4 * (int64_t)p->threads; /* for partial chunks at a segment that is being
                                                  read */
    p->spare = fri_alloc(p->ctx, fri_bytes(p->spare_count, p->chunk_bytes));
    return p->spare ? FR_OK : FR_NOMEM;
}

/* Frees the input that did not become chunks: half of it for directed edges. */
static void free_unused(fri_partition *p, fri_edge_list *edges) {
    int s = 0;
    for (int b = 0; b < edges->block_count; b++) {
        fri_edge_block *block = &edges->blocks[b];
        size_t ends = 0, weights = 0;
        for (; s < p->segment_count && p->segments[s].block == block; s++) {
            const fri_segment *segment = &p->segments[s];
            if (segment->used_ends)
                ends = (size_t)segment->begin * 8 + segment->used_ends;
            if (segment->used_weights)
                weights = (size_t)segment->begin * p->weight_bytes + segment->used_weights;
        }
        if (block->ends && ends)
            fri_trim(block->ends, ends);
        else {
            fri_free(block->ends);
            block->ends = NULL;
        }
        if (block->weights && weights)
            fri_trim(block->weights, weights);
        else {
            fri_free(block->weights);
            block->weights = NULL;
        }
    }
}

fr_status fri_partition_edges(fr_ctx *ctx, fri_edge_list *edges, bool drop_loops,
                              fri_partition *p) {
    int64_t total = fri_edge_list_count(edges);
    rules r = {edges->undirected, drop_loops, edges->negate_mirror, edges->weight_type};
    int directions = edges->undirected ? 2 : 1;
    *p = (fri_partition){.ctx = ctx, .n = edges->n, .threads = team(ctx, total)};
    choose_layout(p, total * directions, edges->weight_type);
    fr_status status = make_writers(p);
    if (!status)
        status = make_segments(p, edges, total, directions);
    if (status)
        return status;
    int next = 0;
#pragma omp parallel num_threads(p->threads)
    scatter_segments(p, &r, &next);
    if (p->stop)
        return FR_CANCELLED;
    free_unused(p, edges);
    return FR_OK;
}

/* ---- a CSR, transposed ---- */

typedef struct {
    fri_partition *part;
    const fr_csr *csr;
    fri_pace pace;
} transposition;

static inline __attribute__((always_inline)) void
scatter_rows(fri_partition *p, fri_partition_writer *w, const fr_csr *csr, fri_rows rows,
             fri_pace *pace, bool is_caller, bool narrow, size_t weight_bytes) {
    const scatter_target h = scatter_target_of(p, w);
    for (int32_t u = rows.first; u < rows.last; u++) {
        if (fri_pace_stop_team(pace, is_caller, csr->offsets[u + 1] - csr->offsets[u] + 1, u))
            return;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            uint32_t v = (uint32_t)csr->targets[e];
            if (scatter(&h, narrow, weight_bytes, v, (uint32_t)u,
                        weight_bits(csr->weights, weight_bytes, e)))
                flush(p, w, v, 0);
        }
    }
}

/* Writer t gets the t-th part of the edges, whichever thread runs it: this keeps the order. */
static void scatter_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    transposition *x = arg;
    fri_partition *p = x->part;
    for (int t = (int)begin; t < (int)end; t++) {
        const fri_rows rows = fri_csr_share(x->csr, t, p->threads);
        fri_partition_writer *w = &p->writers[t];
#define FORM(narrow, weight_bytes)                                                                 \
    scatter_rows(p, w, x->csr, rows, &x->pace, me.index == 0, narrow, weight_bytes)
        FRI_FOR_EACH_FORM(p, FORM);
#undef FORM
    }
}

static fri_partition transposed(fr_ctx *ctx, const fr_csr *csr) {
    fri_partition p = {.ctx = ctx, .n = csr->n, .threads = team(ctx, csr->m)};
    choose_layout(&p, csr->m, csr->weight_type);
    p.spare_count = csr->m / p.chunk_entries + 1;
    return p;
}

size_t fri_partition_transposed_bytes(fr_ctx *ctx, const fr_csr *csr, fri_partition *p) {
    *p = transposed(ctx, csr);
    return fri_bytes(p->threads, sizeof *p->writers + writer_bytes(p)) +
           fri_bytes(p->spare_count, p->chunk_bytes);
}

fr_status fri_partition_transposed(fr_ctx *ctx, const fr_csr *csr, fri_partition *p) {
    *p = transposed(ctx, csr);
    fr_status status = make_writers(p);
    if (status)
        return status;
    p->spare = fri_alloc(ctx, fri_bytes(p->spare_count, p->chunk_bytes));
    if (!p->spare)
        return FR_NOMEM;
    transposition x = {p, csr, fri_pace_begin(ctx, "transposing", csr->n)};
    fri_team_loop(ctx, p->threads, p->threads, 1, scatter_piece, &x);
    return x.pace.status;
}

void fri_partition_free(fri_partition *p, fri_edge_list *edges) {
    fri_free(p->writers);
    fri_free(p->memory);
    fri_free(p->segments);
    fri_free(p->spare);
    if (edges)
        fri_edge_list_free(edges);
    *p = (fri_partition){0};
}
