#include "ranks/edge_source.h"

fri_edge_source fri_source_of_list(const fri_edge_list *list) {
    return (fri_edge_source){.n = list->n,
                             .count = fri_edge_list_count(list),
                             .weight_type = list->weight_type,
                             .undirected = list->undirected,
                             .list = list};
}

/* The first row that begins at edge e or later. In a damaged file offsets may not ascend; the
 * result is then any row. */
static int32_t row_from(const fr_csr *rows, int64_t e) {
    int32_t low = 0, high = rows->n;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (rows->offsets[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

fri_edge_source fri_source_of_rows(const fr_csr *rows, int share, int shares) {
    int32_t first = row_from(rows, fri_share_begin(rows->m, share, shares));
    int32_t last = row_from(rows, fri_share_begin(rows->m, share + 1, shares));
    first = share ? first : 0;
    last = share + 1 < shares ? last : rows->n;
    int64_t count = first < last ? rows->offsets[last] - rows->offsets[first] : 0;
    return (fri_edge_source){.n = rows->n,
                             .count = count < 0 || count > rows->m ? 0 : count,
                             .weight_type = rows->weight_type,
                             .rows = rows,
                             .first_row = first,
                             .last_row = last,
                             .place = first,
                             .at = first < last ? rows->offsets[first] : 0};
}

fri_edge_source fri_source_of_arrays(int64_t n, int64_t count, const int64_t *from,
                                     const int64_t *to, const void *weights, fr_type type) {
    return (fri_edge_source){
        .n = n, .count = count, .weight_type = type, .from = from, .to = to, .weights = weights};
}

static const void *weight_at(const void *weights, fr_type type, int64_t i) {
    return type && weights ? (const char *)weights + (size_t)i * fr_type_size(type) : NULL;
}

static const char *next_of_list(fri_edge_source *s, int64_t *u, int64_t *v, const void **weight) {
    const fri_edge_block *block = &s->list->blocks[s->place];
    while (s->at == block->count) {
        s->at = 0;
        block = &s->list->blocks[++s->place];
    }
    *u = block->ends[2 * s->at];
    *v = block->ends[2 * s->at + 1];
    *weight = weight_at(block->weights, s->weight_type, s->at++);
    return NULL;
}

static const char *next_of_rows(fri_edge_source *s, int64_t *u, int64_t *v, const void **weight) {
    const fr_csr *rows = s->rows;
    while (s->at == rows->offsets[s->place + 1]) {
        if (++s->place == s->last_row)
            return "the offsets do not ascend";
    }
    int64_t end = rows->offsets[s->place + 1];
    if (s->at < 0 || s->at >= end || end > rows->m)
        return "the offsets do not ascend";
    *u = s->place;
    *v = rows->targets[s->at];
    *weight = weight_at(rows->weights, s->weight_type, s->at++);
    return NULL;
}

const char *fri_source_next(fri_edge_source *s, int64_t *u, int64_t *v, const void **weight) {
    const char *wrong = NULL;
    if (s->list)
        wrong = next_of_list(s, u, v, weight);
    else if (s->rows)
        wrong = next_of_rows(s, u, v, weight);
    else {
        *u = s->from[s->at];
        *v = s->to[s->at];
        *weight = weight_at(s->weights, s->weight_type, s->at++);
    }
    if (!wrong && (*u < 0 || *u >= s->n || *v < 0 || *v >= s->n))
        wrong = "an edge ends at a vertex that does not exist";
    return wrong;
}
