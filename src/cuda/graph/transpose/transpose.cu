/* Builds in-edges on the device: the transpose of the CSR.
 *
 * Source: ours; a bucket sort with counts in shared memory.
 * Idea: an edge is moved twice. Tiles of the edges are sorted by bucket of targets, while sources
 *   are recovered from the offsets (tiles.cuh); then one block collects a bucket from all
 *   tiles and writes its sources into rows (buckets.cuh). Each edge reserves the next position of
 *   its bucket, then of its row, by an atomic that returns it, so the order within a row differs
 *   between runs. Strategies accept any order: any allowed parent is valid, and the smallest one is
 *   a minimum over all edges, not the first. The time does not depend on the distribution of
 *   edges: tiles are cut by edges and rows, large buckets into parts. Tiles
 *   are sorted, and rows of buckets counted, while later edges are still being uploaded.
 * Needs: temporarily, in addition to both CSRs, 4 bytes per edge, 2 per tile and bucket, and little
 *   more: fri_gpu_makes_in_edges checks for it, and the host transposes the graph if it is not
 *   available. Weights are not transposed: no strategy uses the weights of in-edges built here.
 * Work: 12 m bytes, then 12 m.
 * Launches: 5, and 2 for each group of tiles sorted during the upload.
 * Atomics: four per edge, in shared memory. */
#include "cuda/graph/transpose/buckets.cuh"

static const int MIN_SHIFT = 5, MAX_SHIFT = 16, BLOCK = 256;
/* Percentages of the tiles that are sorted during the upload, as soon as they have arrived; then
 * the rest. */
static const int STAGES[] = {60, 90, 97, 100};

namespace {
/* Bytes of the parts of the scratch, which is freed after the transpose. */
struct places {
    size_t corners, sorted, begins, totals, parts, slots;
};
} // namespace

static size_t max_shared(const fri_gpu *g) {
    return FRI_MAX(g->max_shared_per_block, (size_t)48 << 10) - 1024;
}

template <class O> static transposition<O> transposition_of(const fri_gpu *g) {
    transposition<O> t = {};
    t.out = fri_csr_view_of<O>(g->out);
    t.n = g->n;
    t.m = g->m;
    t.tiles = tiles_of(g->n, g->m);
    for (t.shift = MIN_SHIFT; (g->n - 1) >> t.shift >= MAX_BUCKETS;)
        t.shift++;
    t.buckets = ((g->n - 1) >> t.shift) + 1;
    t.direct = tile_bytes(t.buckets, false) > max_shared(g);
    t.pass = FRI_MIN(1 << t.shift, MAX_PASS);
    t.stage = FRI_MIN((int)(max_shared(g) / sizeof(uint32_t)) - t.pass, MAX_STAGE);
    t.halves = t.m / t.buckets <= t.stage / 4;
    if (t.halves) /* less than half: part of a block's shared memory is reserved by the system */
        t.stage = (t.stage - t.pass) / 2 - 256;
    return t;
}

template <class O> static places places_of(const transposition<O> &t) {
    const size_t parts = (size_t)(t.m / PART) + 1, rows = (size_t)t.buckets + 1;
    return {fri_gpu_align(((size_t)t.tiles + 1) * sizeof(corner)),
            fri_gpu_align((size_t)t.m * sizeof(uint32_t)),
            fri_gpu_align(rows * (size_t)t.tiles * sizeof(uint16_t)),
            fri_gpu_align((rows + 1) * sizeof(uint32_t)),
            fri_gpu_align((rows + parts) * sizeof(part)),
            fri_gpu_align((2 * parts << t.shift) * sizeof(uint32_t))};
}

extern "C" size_t fri_gpu_transpose_bytes(const fri_gpu *g) {
    if (!g->m)
        return 0;
    const places p = places_of(transposition_of<int64_t>(g));
    return p.corners + p.sorted + p.begins + p.totals + p.parts + p.slots;
}

template <class O> static transposition<O> transposition_in(const fri_gpu *g) {
    char *scratch = g->transpose_scratch;
    transposition<O> t = transposition_of<O>(g);
    const places p = places_of(t);
    t.offsets = (O *)(uintptr_t)g->in.offsets;
    t.sources = (int32_t *)(uintptr_t)g->in.targets;
    t.corners = (corner *)fri_carve(&scratch, p.corners);
    t.sorted = (uint32_t *)fri_carve(&scratch, p.sorted);
    t.begins = (uint16_t *)fri_carve(&scratch, p.begins);
    t.totals = (uint32_t *)fri_carve(&scratch, p.totals);
    t.part_count = (int32_t *)(t.totals + t.buckets);
    t.parts = (part *)fri_carve(&scratch, p.parts);
    t.part_rows = (uint32_t *)fri_carve(&scratch, p.slots);
    return t;
}

/* The number of tiles within the first `edges` edges: tiles that begin before them and before the
 * row in which they end, see corner_at. */
static int32_t tiles_within(const fri_gpu *g, int64_t edges) {
    const int32_t tiles = tiles_of(g->n, g->m);
    if (edges == g->m) /* offsets on the host may be absent: see fri_job.csr_on_device_only */
        return tiles;
    const int32_t row = row_of(g->job->csr.offsets, 0, g->n - 1, edges);
    return (int32_t)((row + EDGE_COST * edges) / TILE_COST);
}

template <class O> static void begin(fri_gpu *g, const transposition<O> &t) {
    cudaMemsetAsync(t.totals, 0, (size_t)t.buckets * sizeof(uint32_t), g->stream);
    FRI_RUN_EACH((corners_kernel<O>), (int64_t)t.tiles + 1, BLOCK, t);
}

template <class O> static void sort(fri_gpu *g, const transposition<O> &t) {
    const size_t bytes = tile_bytes(t.buckets, t.direct);
    fri_allow_shared_bytes((const void *)tiles_kernel<O>, bytes);
    FRI_LAUNCH((tiles_kernel<O>), (unsigned)(t.end - t.counted), TILE_THREADS, bytes, g->stream, t);
}

template <class O> static unsigned bucket_threads(const transposition<O> &t) {
    return (unsigned)BUCKET_THREADS / (t.halves ? 2 : 1);
}
static size_t count_bytes(int pass) { return (size_t)pass * sizeof(uint32_t); }

template <class O> static void count_early(fri_gpu *g, const transposition<O> &t) {
    FRI_LAUNCH((count_early_kernel<O>), (unsigned)t.buckets, bucket_threads(t), count_bytes(t.pass),
               g->stream, t);
}

template <class O> static void finish(fri_gpu *g, const transposition<O> &t) {
    const unsigned parts = (unsigned)(t.m / PART) + 1;
    const size_t counts = count_bytes(t.pass);
    const size_t bytes = counts + (size_t)t.stage * sizeof(uint32_t);
    fri_allow_shared_bytes((const void *)rows_kernel<O>, bytes);
    FRI_RUN((parts_kernel<O>), 1, PLAN_THREADS, t);
    FRI_LAUNCH((count_kernel<O>), 2 * parts, BUCKET_THREADS, counts, g->stream, t);
    FRI_LAUNCH((rows_kernel<O>), (unsigned)t.buckets + parts, bucket_threads(t), bytes, g->stream,
               t);
}

template <class O> static void go_on(fri_gpu *g, int32_t end) {
    transposition<O> t = transposition_in<O>(g);
    t.counted = g->transposed_tiles;
    t.end = end;
    if (!g->transposed_tiles)
        begin(g, t);
    sort(g, t);
    g->transposed_tiles = end;
    if (end == t.tiles)
        finish(g, t);
    else
        count_early(g, t);
}

static bool ends_stage(const fri_gpu *g, int32_t tiles) {
    const int64_t all = tiles_of(g->n, g->m);
    for (int stage : STAGES)
        if (g->transposed_tiles < all * stage / 100)
            return tiles >= all * stage / 100;
    return false;
}

extern "C" fr_status fri_gpu_transpose(fri_gpu *g, int64_t edges) {
    const size_t bytes =
        fri_bytes((int64_t)g->n + 1, g->offsets64 ? sizeof(int64_t) : sizeof(uint32_t));
    const int32_t tiles = g->m ? tiles_within(g, edges) : 0;
    if (!g->m)
        cudaMemsetAsync((void *)(uintptr_t)g->in.offsets, 0, bytes, g->stream);
    else if (!ends_stage(g, tiles))
        return FR_OK;
    FRI_GPU_TRY(
        fri_gpu_check(g, cudaEventRecord(g->upload_event, g->copy_stream), "building in-edges"));
    FRI_GPU_TRY(
        fri_gpu_check(g, cudaStreamWaitEvent(g->stream, g->upload_event, 0), "building in-edges"));
    if (g->m)
        FRI_BY_OFFSET_TYPE(g, go_on<O>(g, tiles));
    return fri_gpu_check(g, cudaGetLastError(), "building in-edges");
}

template <class O> static void load() {
    const void *kernels[] = {(const void *)corners_kernel<O>,     (const void *)tiles_kernel<O>,
                             (const void *)count_early_kernel<O>, (const void *)parts_kernel<O>,
                             (const void *)count_kernel<O>,       (const void *)rows_kernel<O>};
    for (const void *kernel : kernels)
        fri_load_kernel(kernel);
}
extern "C" void fri_gpu_transpose_load(fri_gpu *g) { FRI_BY_OFFSET_TYPE(g, load<O>()); }

extern "C" bool fri_gpu_can_transpose(const fri_gpu *g) { return g->n <= MAX_BUCKETS << MAX_SHIFT; }
