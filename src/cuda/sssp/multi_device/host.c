/* The host side of SSSP `multi-device`: the memory and rows of a slice. Queries are in multi_device.cu. */
#include "cuda/multi_device/slices.h"

static size_t weight_size(const fri_slice *s) {
    return s->job.csr.weights ? fri_gpu_weight_size(s->g, &s->job.csr) : 0;
}

static void add_rows(fri_slice *s, fri_slice_layout *l, fri_gpu_csr *rows, int64_t count) {
    fri_slice_add(l, &rows->offsets, fri_bytes(count + 1, sizeof(int64_t)));
    fri_slice_add(l, &rows->targets, fri_bytes(s->edges, sizeof(int32_t)));
    if (weight_size(s))
        fri_slice_add(l, &rows->weights, fri_bytes(s->edges, weight_size(s)));
}

/* What queries write. */
static void add_lists(fri_slice *s, fri_slice_layout *l) {
    const fri_sssp_slices *all = &s->all->sssp;
    fri_sssp_slice *own = &s->sssp;
    fri_slice_add(l, &own->frontier, fri_bytes(4 * (int64_t)s->job.csr.n, all->entry_bytes));
    for (int i = 0; i < 2; i++) {
        fri_slice_add(l, &own->near_list[i],
                      fri_bytes(fri_sssp_near_capacity(s), all->entry_bytes));
        fri_slice_add(l, &own->far_pile[i], fri_bytes(fri_sssp_far_capacity(s), all->entry_bytes));
        fri_slice_add(l, &own->chunks[i], fri_bytes(fri_sssp_chunk_capacity(s), all->chunk_bytes));
    }
    if (all->packs_parents)
        fri_slice_add(l, &own->packed_parents, fri_bytes(s->own, sizeof(uint64_t)));
    fri_slice_add(l, &own->control, fri_sssp_control_bytes());
}

/* The fri_gpu of the first slice has distances and sources. */
static void lay_out(fri_slice *s, fri_slice_layout *l) {
    const fri_sssp_slices *all = &s->all->sssp;
    const int64_t n = s->job.csr.n;
    if (s->index) {
        fri_slice_add(l, &s->sssp.dist, fri_bytes(n, all->entry_bytes / 2));
        fri_slice_add(l, &s->sssp.sources, fri_bytes(n, sizeof(int32_t)));
    }
    add_rows(s, l, &s->push, n);
    if (all->pulls) {
        add_rows(s, l, &s->pull, s->own);
        fri_slice_add(l, &s->sssp.tile_first_row,
                      fri_bytes(fri_sssp_tile_count(s), sizeof(int32_t)));
    }
    add_lists(s, l);
}

static void *writable(const void *at) { return (void *)(uintptr_t)at; }

/* Own rows of the graph, whose weights have 32 bits. */
static fr_status upload_pull_rows(fri_slice *s) {
    fri_gpu *g = s->g;
    const fr_csr *csr = &s->job.csr;
    const int64_t begin = csr->offsets[s->first];
    const size_t bytes = fri_bytes(s->edges, sizeof(int32_t));
    FRI_GPU_TRY(fri_upload_slice_offsets(g, s->pull.offsets, csr->offsets + s->first, s->own));
    FRI_GPU_TRY(fri_gpu_upload(g, writable(s->pull.targets), csr->targets + begin, bytes));
    return csr->weights ? fri_gpu_upload(g, writable(s->pull.weights),
                                         (const int32_t *)csr->weights + begin, bytes)
                        : FR_OK;
}

static fr_status upload(fri_slice *s) {
    if (s->index == 0) {
        s->sssp.dist = s->g->dist;
        s->sssp.sources = s->g->sources;
    }
    FRI_GPU_TRY(fri_upload_push_rows(s, 0, weight_size(s)));
    return s->all->sssp.pulls ? upload_pull_rows(s) : FR_OK;
}

const fri_slices_kind fri_sssp_slices_kind = {.cost = &fri_sssp_devices_cost,
                                              .whole_graph = true,
                                              .plan = fri_sssp_plan,
                                              .lay_out = lay_out,
                                              .upload = upload,
                                              .complete = fri_sssp_change_slice};
