#include "graph/write/row_queue.h"

fr_status fri_row_queue_open(fr_ctx *ctx, const fri_matrix *m, fri_row_output *out,
                             fri_row_queue *q) {
    size_t bytes = (size_t)(m->rows + 1) * sizeof *q->early;
    *q = (fri_row_queue){.ctx = ctx, .m = m, .out = out, .early = fri_alloc(ctx, bytes)};
    if (!q->early)
        return FR_NOMEM;
    memset(q->early, 0, bytes);
    return FR_OK;
}

void fri_row_queue_close(fri_row_queue *q) {
    for (int64_t i = q->next; q->early && i < q->m->rows; i++)
        fri_free(q->early[i]);
    fri_free(q->early);
    q->early = NULL;
}

static size_t dist_bytes(const fri_row_queue *q) {
    return (size_t)q->m->columns * fr_type_size(q->m->type);
}

static void keep(fri_row_queue *q, int64_t row, const void *dist, const int32_t *parent) {
    size_t bytes = dist_bytes(q), ids = parent ? (size_t)q->m->columns * sizeof *parent : 0;
    char *copy = fri_alloc(q->ctx, bytes + ids);
    if (!copy) {
        q->out->status = FR_NOMEM;
        return;
    }
    memcpy(copy, dist, bytes);
    if (parent)
        memcpy(copy + bytes, parent, ids);
    q->early[row] = copy;
}

static void put(fri_row_queue *q, const void *dist, const int32_t *parent) {
    fri_matrix_put(q->m, q->next++, 1, dist, parent, q->out);
}

bool fri_row_queue_take(fri_row_queue *q, int64_t row, const void *dist, const int32_t *parent) {
    if (row == q->next)
        put(q, dist, parent);
    else
        keep(q, row, dist, parent);
    while (q->next < q->m->rows && q->early[q->next]) {
        char *copy = q->early[q->next];
        q->early[q->next] = NULL;
        put(q, copy, parent ? (const int32_t *)(const void *)(copy + dist_bytes(q)) : NULL);
        fri_free(copy);
    }
    return q->out->status == FR_OK;
}
