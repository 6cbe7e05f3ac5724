#include "ranks/part/part_build.h"

#include "io/csr_check.h"

fri_edge_source fri_source_of_list(const fri_edge_list *list) {
    return (fri_edge_source){.n = list->n,
                             .count = fri_edge_list_count(list),
                             .weight_type = list->weight_type,
                             .undirected = list->undirected,
                             .list = list};
}

fri_edge_source fri_source_of_rows(const fr_csr *csr, int share, int shares) {
    const fri_rows rows = fri_csr_share(csr, share, shares);
    return (fri_edge_source){.n = csr->n,
                             .count = csr->offsets[rows.last] - csr->offsets[rows.first],
                             .weight_type = csr->weight_type,
                             .rows = csr,
                             .place = rows.first,
                             .at = csr->offsets[rows.first]};
}

fri_edge_source fri_source_of_arrays(int64_t n, int64_t count, const int64_t *from,
                                     const int64_t *to, const void *weights, fr_type type) {
    return (fri_edge_source){
        .n = n, .count = count, .weight_type = type, .from = from, .to = to, .weights = weights};
}

static const void *weight_at(const void *weights, fr_type type, int64_t i) {
    return type && weights ? (const char *)weights + (size_t)i * fr_type_size(type) : NULL;
}

static void next_of_list(fri_edge_source *s, int64_t *u, int64_t *v, const void **weight) {
    const fri_edge_block *block = &s->list->blocks[s->place];
    while (s->at == block->count) {
        s->at = 0;
        block = &s->list->blocks[++s->place];
    }
    *u = block->ends[2 * s->at];
    *v = block->ends[2 * s->at + 1];
    *weight = weight_at(block->weights, s->weight_type, s->at++);
}

static void next_of_rows(fri_edge_source *s, int64_t *u, int64_t *v, const void **weight) {
    const fr_csr *rows = s->rows;
    while (s->at == rows->offsets[s->place + 1])
        s->place++;
    *u = s->place;
    *v = rows->targets[s->at];
    *weight = weight_at(rows->weights, s->weight_type, s->at++);
}

bool fri_source_next(fri_edge_source *s, int64_t *u, int64_t *v, const void **weight) {
    if (s->list)
        next_of_list(s, u, v, weight);
    else if (s->rows)
        next_of_rows(s, u, v, weight);
    else {
        *u = s->from[s->at];
        *v = s->to[s->at];
        *weight = weight_at(s->weights, s->weight_type, s->at++);
    }
    return *u >= 0 && *u < s->n && *v >= 0 && *v < s->n;
}
