/* Sorts a bucket of a partition into rows.
 *
 * Source: the sort is the least-significant-digit radix sort (D. E. Knuth, The Art of Computer
 *   Programming, vol. 3, 2nd ed., section 5.2.5).
 * Idea: one sweep over the chunks counts all digits of the column; then the entries move once per
 *   digit and once more to their rows, which leaves the row bounds in the counters. Keys, scratch
 *   and result of a bucket stay in the second-level cache; the result is one of the two buffers
 *   between which entries move, so that a bucket needs scratch only once.
 * Work: one sweep, and (column bits / 11, rounded up) + 1 moves of each entry.
 */
#include "graph/build/bucket_sort.h"

#include <string.h>

enum { DIGIT_BITS = 11, MAX_DIGITS = 3 };
typedef uint64_t key; /* row within bucket << 32 | column, or narrow: << column_bits */

typedef struct {
    int digits, bits; /* of the column */
    int row_shift;
    uint64_t column_mask;
} radix;

static radix radix_of(const fri_partition *p, bool ordered) {
    radix r = {.row_shift = p->narrow ? p->column_bits : 32};
    r.column_mask = (UINT64_C(1) << r.row_shift) - 1;
    r.digits = ordered ? 0 : (p->column_bits + DIGIT_BITS - 1) / DIGIT_BITS;
    r.bits = r.digits ? (p->column_bits + r.digits - 1) / r.digits : 0;
    return r;
}

enum { SORTER_PARTS = 5 };

/* Sizes of the parts of a sorter, each in whole cache lines; returns their sum. */
static size_t measure_sorter(const fri_partition *p, int64_t entries, bool ordered,
                             size_t part[SORTER_PARTS]) {
    size_t keys = ordered ? 0 : fri_bytes(entries, p->narrow ? 4 : 8), one = 0;
    part[0] = (MAX_DIGITS << DIGIT_BITS) * sizeof(int64_t);
    part[1] = ((size_t)1 << p->row_bits) * sizeof(int64_t);
    part[2] = keys;
    part[3] = p->narrow ? 0 : keys;
    part[4] = ordered ? 0 : fri_bytes(entries, p->weight_bytes);
    for (int i = 0; i < SORTER_PARTS; i++)
        one += part[i] = (part[i] + FRI_CACHE_LINE - 1) / FRI_CACHE_LINE * FRI_CACHE_LINE;
    return one;
}

size_t fri_sorters_bytes(const fri_partition *p, int64_t entries, int sorters, bool ordered) {
    size_t part[SORTER_PARTS];
    return fri_bytes(sorters, measure_sorter(p, entries, ordered, part));
}

fr_status fri_sorters_make(fr_ctx *ctx, const fri_partition *p, int64_t entries, int sorters,
                           bool ordered, fri_sorter *sorter, void **memory) {
    size_t part[SORTER_PARTS], one = measure_sorter(p, entries, ordered, part);
    char *at = *memory = fri_alloc(ctx, fri_bytes(sorters, one));
    if (!at)
        return FR_NOMEM;
    for (int s = 0; s < sorters; s++) {
        sorter[s].counts = (int64_t *)(void *)at;
        sorter[s].row_counts = (int64_t *)(void *)(at += part[0]);
        sorter[s].keys[0] = at += part[1];
        sorter[s].keys[1] = at += part[2];
        sorter[s].weights = at += part[3];
        at += part[4];
    }
    return FR_OK;
}

static inline key chunk_key(const fri_partition *p, const char *chunk, uint32_t i, bool narrow) {
    uint32_t column = ((const uint32_t *)(const void *)(chunk + p->columns_at))[i];
    if (narrow)
        return column;
    return (key)((const uint16_t *)(const void *)(chunk + p->rows_at))[i] << 32 | column;
}

static inline key array_key(const void *keys, int64_t i, bool narrow) {
    return narrow ? ((const uint32_t *)keys)[i] : ((const uint64_t *)keys)[i];
}

static inline void put_key(void *keys, int64_t i, bool narrow, key k) {
    if (narrow)
        ((uint32_t *)keys)[i] = (uint32_t)k;
    else
        ((uint64_t *)keys)[i] = k;
}

static inline void put_weight(void *to, int64_t i, const void *from, int64_t j, size_t bytes) {
    if (bytes == 4)
        ((uint32_t *)to)[i] = ((const uint32_t *)from)[j];
    else if (bytes == 8)
        ((uint64_t *)to)[i] = ((const uint64_t *)from)[j];
}

/* Iterates over the chunks of a bucket, writer by writer, each writer's buffer last; false at the
 * end. */
typedef struct {
    int writer;
    const char *chunk;
    uint32_t count;
} walk;

static bool next_chunk(const fri_partition *p, int bucket, walk *w) {
    for (;;) {
        const fri_partition_writer *d = w->writer >= 0 ? &p->writers[w->writer] : NULL;
        const char *buffer = d ? d->buffers + (size_t)bucket * p->chunk_bytes : NULL;
        const char *next = NULL;
        if (d && w->chunk && w->chunk != buffer)
            memcpy(&next, w->chunk, sizeof next);
        if (d && !w->chunk)
            next = d->first[bucket];
        if (next) {
            *w = (walk){w->writer, next, p->chunk_entries};
            return true;
        }
        if (d && w->chunk != buffer) {
            *w = (walk){w->writer, buffer, d->fill[bucket]};
            return true;
        }
        if (w->writer + 1 == p->threads)
            return false;
        *w = (walk){w->writer + 1, NULL, 0};
    }
}

/* Prefetches the next chunk while the current one is counted: chunks are scattered in memory, so
 * the hardware prefetcher cannot predict them, and a bucket's first sweep would wait for each
 * line. */
static inline void fetch_next(const fri_partition *p, const walk *w) {
    const char *next;
    memcpy(&next, w->chunk, sizeof next);
    for (size_t at = 0; next && at < p->chunk_bytes; at += FRI_CACHE_LINE)
        __builtin_prefetch(next + at);
}

/* Counts all digits and the rows of a bucket; returns the number of its entries. `digits` is a
 * constant at each call site. */
static inline __attribute__((always_inline)) int64_t count_digits(const fri_partition *p,
                                                                  int bucket, const radix *r,
                                                                  const fri_sorter *s, bool narrow,
                                                                  int digits) {
    const uint64_t digit_mask = (UINT64_C(1) << r->bits) - 1;
    const uint64_t row_mask = (UINT64_C(1) << p->row_bits) - 1;
    const int bits = r->bits, row_shift = r->row_shift;
    int64_t *counts = s->counts, *rows = s->row_counts, entries = 0;
    for (walk w = {-1, NULL, 0}; next_chunk(p, bucket, &w); entries += w.count) {
        fetch_next(p, &w);
        for (uint32_t i = 0; i < w.count; i++) {
            key k = chunk_key(p, w.chunk, i, narrow);
            for (int d = 0; d < digits; d++)
                counts[((uint64_t)d << bits) + (k >> (d * bits) & digit_mask)]++;
            rows[k >> row_shift & row_mask]++;
        }
    }
    return entries;
}

static void sums(int64_t *counts, int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

/* Destination of an entry in one move; the last move goes to the rows and keeps the column
 * unchanged. */
typedef struct {
    int64_t *counts;
    int shift;
    uint64_t mask;
    void *keys, *weights;
    bool last;
} move;

static inline __attribute__((always_inline)) void move_one(const move *m, key k,
                                                           const void *weights, int64_t i,
                                                           uint64_t column_mask, bool narrow,
                                                           size_t weight_bytes) {
    int64_t at = m->counts[k >> m->shift & m->mask]++;
    if (m->last)
        ((uint32_t *)m->keys)[at] = (uint32_t)(k & column_mask);
    else
        put_key(m->keys, at, narrow, k);
    put_weight(m->weights, at, weights, i, weight_bytes);
}

static inline __attribute__((always_inline)) void sort_form(const fri_partition *p, int bucket,
                                                            bool ordered, const fri_sorter *s,
                                                            int32_t *targets, void *weights,
                                                            bool narrow, size_t weight_bytes) {
    const radix r = radix_of(p, ordered);
    const uint64_t digit_mask = (UINT64_C(1) << r.bits) - 1;
    const uint64_t row_mask = (UINT64_C(1) << p->row_bits) - 1;
    memset(s->counts, 0, ((size_t)r.digits << r.bits) * sizeof(int64_t));
    memset(s->row_counts, 0, ((size_t)1 << p->row_bits) * sizeof(int64_t));
    int64_t entries = r.digits == 0   ? count_digits(p, bucket, &r, s, narrow, 0)
                      : r.digits == 1 ? count_digits(p, bucket, &r, s, narrow, 1)
                      : r.digits == 2 ? count_digits(p, bucket, &r, s, narrow, 2)
                                      : count_digits(p, bucket, &r, s, narrow, 3);
    for (int d = 0; d < r.digits; d++)
        sums(s->counts + ((int64_t)d << r.bits), INT64_C(1) << r.bits);
    sums(s->row_counts, INT64_C(1) << p->row_bits);
    for (int d = 0; d <= r.digits; d++) {
        bool last = d == r.digits, scratch = !last && (r.digits - d) % 2 == 1;
        void *other = narrow ? (void *)targets : s->keys[1];
        move m = {last ? s->row_counts : s->counts + ((int64_t)d << r.bits),
                  last ? r.row_shift : d * r.bits,
                  last ? row_mask : digit_mask,
                  last      ? (void *)targets
                  : scratch ? s->keys[0]
                            : other,
                  scratch ? s->weights : weights,
                  last};
        if (d == 0) {
            for (walk w = {-1, NULL, 0}; next_chunk(p, bucket, &w);)
                for (uint32_t i = 0; i < w.count; i++)
                    move_one(&m, chunk_key(p, w.chunk, i, narrow), w.chunk + sizeof(char *), i,
                             r.column_mask, narrow, weight_bytes);
            continue;
        }
        const void *from = scratch ? other : s->keys[0];
        const void *from_weights = scratch ? weights : s->weights;
        for (int64_t i = 0; i < entries; i++)
            move_one(&m, array_key(from, i, narrow), from_weights, i, r.column_mask, narrow,
                     weight_bytes);
    }
}

void fri_bucket_sort(const fri_partition *p, int bucket, bool ordered, const fri_sorter *s,
                     int32_t *targets, void *weights) {
#define FORM(narrow, weight_bytes)                                                                 \
    sort_form(p, bucket, ordered, s, targets, weights, narrow, weight_bytes)
    FRI_FOR_EACH_FORM(p, FORM);
#undef FORM
}

/* ---- parallel edges ---- */

/* Maps weights to integers whose unsigned order is the order of the weights, -0.0 before 0.0. */
static uint64_t rank(const void *weights, fr_type type, int64_t i) {
    if (type == FR_TYPE_I32)
        return (uint32_t)((const int32_t *)weights)[i] ^ 0x80000000u;
    if (type == FR_TYPE_F32) {
        uint32_t bits = ((const uint32_t *)weights)[i];
        return bits ^ (bits >> 31 ? UINT32_MAX : 0x80000000u);
    }
    uint64_t bits = ((const uint64_t *)weights)[i];
    if (type == FR_TYPE_I64)
        return bits ^ UINT64_C(0x8000000000000000);
    return bits ^ (bits >> 63 ? UINT64_MAX : UINT64_C(0x8000000000000000));
}

static void swap(void *weights, size_t bytes, int64_t i, int64_t j) {
    char *a = (char *)weights + (size_t)i * bytes, *b = (char *)weights + (size_t)j * bytes, w[8];
    memcpy(w, a, bytes);
    memcpy(a, b, bytes);
    memcpy(b, w, bytes);
}

/* Heapsort: in place and fast for any input order. */
static void sift(void *weights, fr_type type, int64_t i, int64_t n) {
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && rank(weights, type, child) < rank(weights, type, child + 1))
            child++;
        if (rank(weights, type, i) >= rank(weights, type, child))
            return;
        swap(weights, fr_type_size(type), i, child);
    }
}

static void sort_weights(void *weights, fr_type type, int64_t n) {
    for (int64_t i = n / 2 - 1; i >= 0; i--)
        sift(weights, type, i, n);
    for (int64_t i = n - 1; i > 0; i--) {
        swap(weights, fr_type_size(type), 0, i);
        sift(weights, type, 0, i);
    }
}

/* Whether a sorted row contains a column twice. Without early exit, so that it is vectorized. */
static bool any_parallel(const int32_t *targets, int64_t count) {
    int32_t same = 0;
    for (int64_t i = 1; i < count; i++)
        same |= targets[i] == targets[i - 1];
    return same;
}

int64_t fri_dedup_row(int32_t *targets, void *weights, fr_type type, int64_t count, bool drop) {
    size_t bytes = fr_type_size(type);
    char *w = weights;
    int64_t kept = 0;
    if (!any_parallel(targets, count))
        return count;
    for (int64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && targets[end] == targets[i]; end++)
            ;
        if (w && end - i > 1)
            sort_weights(w + (size_t)i * bytes, type, end - i);
        int64_t keep = drop ? 1 : end - i;
        if (kept != i) {
            memmove(targets + kept, targets + i, (size_t)keep * sizeof *targets);
            if (w)
                memmove(w + (size_t)kept * bytes, w + (size_t)i * bytes, (size_t)keep * bytes);
        }
        kept += keep;
    }
    return kept;
}
