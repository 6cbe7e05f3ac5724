/* Builds the rows of cpu/sssp/sorted_adjacency.h: one copy and, on request, one sort per row. */
#include "cpu/sssp/typed/pair.h"

static void insertion_sort(edge_t *row, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        edge_t x = row[i];
        int64_t j = i;
        for (; j > 0 && row[j - 1].w > x.w; j--)
            row[j] = row[j - 1];
        row[j] = x;
    }
}

/* Quicksort by weight; the recursion takes the smaller side, so that its depth is logarithmic.
 * Equal weights are split evenly. */
static void sort_row(edge_t *row, int64_t count) {
    while (count > 24) {
        weight_t a = row[0].w, b = row[count / 2].w, c = row[count - 1].w;
        weight_t pivot = a < b ? (b < c ? b : FRI_MAX(a, c)) : (a < c ? a : FRI_MAX(b, c));
        int64_t i = 0, j = count - 1;
        while (i <= j) {
            while (row[i].w < pivot)
                i++;
            while (pivot < row[j].w)
                j--;
            if (i <= j) {
                edge_t x = row[i];
                row[i++] = row[j];
                row[j--] = x;
            }
        }
        if (j + 1 < count - i) {
            sort_row(row, j + 1);
            row += i;
            count -= i;
        } else {
            sort_row(row + i, count - i);
            count = j + 1;
        }
    }
    insertion_sort(row, count);
}

fr_status fri_adjacency_fill(const fri_job *job, void *rows_, bool by_weight) {
    edge_t *rows = rows_;
    const fr_csr *csr = &job->csr;
    fri_pace pace = fri_pace_begin(job->ctx, "laying out rows", csr->m);
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(job->threads) if (csr->m > 65536)
    for (int32_t u = 0; u < csr->n; u++) {
        int64_t begin = csr->offsets[u], end = csr->offsets[u + 1];
        if (FRI_PACE_STOP_LOOP(&pace, end - begin + 1, begin))
            continue;
        for (int64_t e = begin; e < end; e++)
            rows[e] = (edge_t){csr->targets[e], weight_at(csr, e)};
        if (by_weight && csr->weights)
            sort_row(rows + begin, end - begin);
    }
    for (int i = 0; i < FRI_ADJACENCY_PAD; i++)
        rows[csr->m + i] = (edge_t){0, 0};
    return pace.status;
}
