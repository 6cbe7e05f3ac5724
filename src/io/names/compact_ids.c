/* Numbers the ids that occur in an edge list 0, 1, ... in ascending order.
 *
 * Idea: if the range of ids is not much larger than the list, a bitmap marks the ids that occur,
 *   and the number of set bits before an id is its vertex; otherwise all ids are sorted and looked
 *   up by binary search.
 * Work: two sweeps over the edges, each with one random access per endpoint into range / 8 bytes. */
#include "io/names/compact_ids.h"
#include "base/bitmap.h"
#include "io/text/number_scan.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    fr_ctx *ctx;
    fri_edge_list *edges;
    const fri_edge_lines_result *found;
    uint64_t *map;  /* bit i: low + i occurs */
    int32_t *ranks; /* bits before each word of map */
    int64_t words;
    const int64_t *list; /* without a map: the ids, sorted */
    int64_t n;
} ids;

static inline int64_t id_at(const ids *x, const fri_edge_block *block, int64_t i) {
    return x->found->wide_ids ? ((const int64_t *)(const void *)block->ends)[i] : block->ends[i];
}

static void mark(ids *x) {
    for (int b = 0; b < x->edges->block_count; b++) {
        const fri_edge_block *block = &x->edges->blocks[b];
        /* the claim is atomic because two threads may write the same word */
#pragma omp parallel for schedule(static) num_threads(x->ctx->threads)
        for (int64_t i = 0; i < 2 * block->count; i++)
            fri_bit_claim(x->map,
                          (int64_t)((uint64_t)id_at(x, block, i) - (uint64_t)x->found->low));
    }
}

static int64_t rank_all(ids *x) {
    int64_t rank = 0;
    for (int64_t w = 0; w < x->words; w++) {
        x->ranks[w] = (int32_t)FRI_MIN(rank, INT32_MAX);
        rank += __builtin_popcountll(x->map[w]);
    }
    return rank;
}

static void list_map(const ids *x, int64_t *list) {
    for (int64_t w = 0; w < x->words; w++)
        for (uint64_t left = x->map[w]; left; left &= left - 1)
            *list++ = x->found->low + w * 64 + __builtin_ctzll(left);
}

static inline int32_t rank_of(const ids *x, int64_t id) {
    uint64_t i = (uint64_t)id - (uint64_t)x->found->low;
    uint64_t before = x->map[i >> 6] & ((UINT64_C(1) << (i & 63)) - 1);
    return x->ranks[i >> 6] + __builtin_popcountll(before);
}

static int32_t index_of(const int64_t *list, int64_t n, int64_t id) {
    int64_t low = 0;
    while (n > 1) { /* the list contains id */
        int64_t half = n / 2;
        low += list[low + half] <= id ? half : 0;
        n -= half;
    }
    return (int32_t)low;
}

/* Replaces ids by vertices, in place. An int32 written over int64 ids never passes the id being
 * read. */
static void replace(const ids *x) {
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(x->ctx->threads)
    for (int b = 0; b < x->edges->block_count; b++) {
        const fri_edge_block *block = &x->edges->blocks[b];
        for (int64_t i = 0; i < 2 * block->count; i++) {
            int64_t id = id_at(x, block, i);
            int32_t vertex = x->map ? rank_of(x, id) : index_of(x->list, x->n, id);
            memcpy(&block->ends[i], &vertex, sizeof vertex);
        }
    }
    if (x->found->wide_ids)
        for (int b = 0; b < x->edges->block_count; b++)
            fri_trim(x->edges->blocks[b].ends, fri_bytes(x->edges->blocks[b].count, 8));
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* All distinct ids, sorted; *n is their number. NULL: out of memory. */
static int64_t *list_sorted(const ids *x, int64_t *n) {
    int64_t *list = fri_alloc(x->ctx, fri_bytes(2 * x->found->count, sizeof *list));
    if (!list)
        return NULL;
    int64_t at = 0;
    for (int b = 0; b < x->edges->block_count; b++)
        for (int64_t i = 0; i < 2 * x->edges->blocks[b].count; i++)
            list[at++] = id_at(x, &x->edges->blocks[b], i);
    qsort(list, (size_t)at, sizeof *list, ascending);
    *n = 0;
    for (int64_t i = 0; i < at; i++)
        if (*n == 0 || list[*n - 1] != list[i])
            list[(*n)++] = list[i];
    fri_trim(list, fri_bytes(*n, sizeof *list));
    return list;
}

static fr_status too_many(fr_ctx *ctx, int64_t n) {
    return fri_fail(ctx, FR_RANGE, "%lld vertices exceed the maximum of 2147483647", (long long)n);
}

static fr_status compact_by_map(ids *x) {
    fri_edge_list *edges = x->edges;
    x->map = fri_calloc(x->ctx, fri_bytes(x->words, sizeof *x->map));
    x->ranks = x->map ? fri_alloc(x->ctx, fri_bytes(x->words, sizeof *x->ranks)) : NULL;
    if (!x->ranks)
        return FR_NOMEM;
    mark(x);
    int64_t n = rank_all(x);
    if (n > INT32_MAX)
        return too_many(x->ctx, n);
    edges->n = (int32_t)n;
    edges->ids.base = x->found->low;
    bool gaps = n <= x->found->high - x->found->low;
    if (gaps) {
        edges->ids.list = fri_alloc(x->ctx, fri_bytes(n, sizeof(int64_t)));
        if (!edges->ids.list)
            return FR_NOMEM;
        list_map(x, edges->ids.list);
    }
    if (gaps || x->found->low != 0 || x->found->wide_ids)
        replace(x);
    return FR_OK;
}

static fr_status compact_by_sorting(ids *x) {
    int64_t n = 0, *list = list_sorted(x, &n);
    if (!list)
        return FR_NOMEM;
    x->edges->ids.list = list;
    if (n > INT32_MAX)
        return too_many(x->ctx, n);
    x->edges->n = (int32_t)n;
    x->list = list;
    x->n = n;
    replace(x);
    return FR_OK;
}

fr_status fri_ids_compact(fr_ctx *ctx, const fri_edge_lines_result *found, fri_edge_list *edges) {
    ids x = {.ctx = ctx, .edges = edges, .found = found};
    /* one less than the number of ids in the range, which may be 2^64 */
    uint64_t range = (uint64_t)found->high - (uint64_t)found->low;
    x.words = (int64_t)(range / 64 + 1);
    bool dense = range / 64 < (uint64_t)found->count + 1024;
    fr_status status = fri_progress(ctx, "numbering vertices", 0, 0);
    if (!status)
        status = dense ? compact_by_map(&x) : compact_by_sorting(&x);
    fri_free(x.map);
    fri_free(x.ranks);
    return status;
}

const char *fri_ids_find(const fri_input *text, int64_t id) {
    fri_scan scan = {text->data, text->data + text->size};
    do {
        const char *at = scan.at;
        int64_t a = 0, b = 0;
        if (fri_scan_int64(&scan, &a) == FRI_SCAN_OK && fri_scan_int64(&scan, &b) == FRI_SCAN_OK &&
            (a == id || b == id))
            return at;
    } while (fri_scan_next_line(&scan));
    return text->data;
}
