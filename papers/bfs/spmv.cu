/* BFS as products of the adjacency matrix and the frontier, a vector over or/and.
 *
 * Source: Y. Deng, B. Wang, S. Mu: Taming irregular EDA applications on GPUs, ICCAD 2009; as
 *   UIUC-BFS (Luo, Wong, Hwu, DAC 2010) describes it in section 2 and BFS-4K (Busato, Bombieri,
 *   TPDS 2015) in section 3: each frontier propagation is a matrix-vector product, O(V + E D).
 * Idea: with x the frontier and A the matrix, y = A^T x holds every vertex that has a neighbor in
 *   the frontier; y without the vertices reached before is the next x. One kernel multiplies, one
 *   applies. Dense x, a bitmap: a virtual warp forms the product of x and a row of A^T (in-edges),
 *   over all rows. Sparse x, a list: a virtual warp adds the column of a nonzero of x (out-edges)
 *   to y.
 * Differs: the paper has only the dense product and multiplies every nonzero of A at every level:
 *   dense=0,mask=0,stop=0 here. With the mask, reached vertices are left out of the product; with
 *   stop, a row ends at its first nonzero term (an or cannot grow further); with dense above 0,
 *   sparse vectors are multiplied as lists (the default borrows XBFS's alpha, there a share of the
 *   edges). Parents are the vector's values: y keeps for each vertex one u of a nonzero term.
 * Needs: in-edges. Scratch: three bitmaps, a list of n; n parents more without the mask. Work:
 *   n / 32 per level + what is multiplied: up to m per level (dense), m in all (sparse).
 *   Launches: 2 per level. Atomics: a claim or set of a bit per entry of y, an append per block.
 * Good at: few levels; the bitmap that is probed fits the cache. Bad at: many levels, a hub in a
 *   small frontier (one virtual warp expands it).
 */
#include "papers/vertex_queues.cuh"
#include "cuda/prim/device.cuh"
#include "cuda/prim/reduce.cuh"
#include "cuda/prim/scan.cuh"
#include "papers/bfs/virtual_warp.cuh"

#include <string.h>

/* ---- bitmaps of vertices: bit v % 32 of word v / 32. The bits past the last vertex stay 0. ---- */

/* Words of a bitmap of n bits. */
static inline int32_t fri_bits_words(int32_t n) { return (int32_t)(((int64_t)n + 31) / 32); }

/* Any thread, while no thread writes the map. */
static __device__ __forceinline__ bool fri_bit_test(const uint32_t *map, int32_t v) {
    return map[v / 32] >> (v % 32) & 1;
}

/* Any thread. Atomic: 32 vertices share the word. counted: as in FRI_COUNT. */
template <class C>
static __device__ __forceinline__ void fri_bit_set(const C &counted, uint32_t *map, int32_t v) {
    FRI_COUNT(counted, FR_COUNTER_ATOMICS, 1);
    atomicOr(&map[v / 32], 1u << (v % 32));
}

/* True for exactly one of all threads that claim v, whose bit was 0 and is now 1. The racy test
 * before the atomic avoids most atomics: a bit once set stays set. */
template <class C>
static __device__ __forceinline__ bool fri_bit_claim(const C &counted, uint32_t *map, int32_t v) {
    uint32_t bit = 1u << (v % 32);
    if (fri_racy_load(&map[v / 32]) & bit)
        return false;
    FRI_COUNT(counted, FR_COUNTER_ATOMICS, 1);
    if (!(atomicOr(&map[v / 32], bit) & bit))
        return true;
    FRI_COUNT(counted, FR_COUNTER_DUPLICATES_FOUND, 1);
    return false;
}

enum { EXAMINED = 2 /* control words 2 and 3: edges multiplied, 64 bits */, WORDS = 4 };

struct vectors {
    uint32_t *x, *y, *reached;  /* bitmaps */
    int32_t *list;              /* the nonzeros of x as a list */
    int32_t *value;             /* of y: parents; NULL: not requested */
    unsigned long long *counts; /* for FRI_COUNT */
};

static __global__ void place_kernel(const int32_t *sources, int32_t count, vectors a) {
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    fri_bit_set(a, a.x, sources[i]);
    fri_bit_set(a, a.reached, sources[i]);
    a.list[i] = sources[i];
}

/* y = A^T x by columns: one virtual warp per nonzero of x. */
template <class O>
static __global__ void sparse_kernel(fri_csr_view<O> columns, vectors a, int32_t size, int width,
                                     bool mask, unsigned long long *examined) {
    fri_virtual_warp w = fri_virtual_warp_of(width);
    unsigned long long checked = 0;
    if (w.index < size) {
        int32_t u = a.list[w.index];
        FRI_VIRTUAL_WARP_WALK(w, e, columns.offsets[u], columns.offsets[u + 1]) {
            int32_t v = columns.targets[e];
            checked++;
            if (!(mask && fri_bit_test(a.reached, v)) && fri_bit_claim(a, a.y, v) && a.value)
                a.value[v] = u;
        }
    }
    FRI_COUNT(a, FR_COUNTER_EDGES, checked);
    fri_grid_add(examined, checked);
}

/* One row times x. All lanes of the virtual warp; each gets a u of a nonzero term it found, or
 * -1. */
template <class O>
static __device__ int32_t row_times(const fri_virtual_warp &w, fri_csr_view<O> csr, int32_t v,
                                    const uint32_t *x, bool stop, unsigned long long *checked) {
    int32_t term = -1;
    int64_t end = csr.offsets[v + 1];
    for (int64_t first = csr.offsets[v]; first < end; first += w.width) {
        int64_t e = first + w.lane;
        if (e < end) {
            int32_t u = csr.targets[e];
            term = fri_bit_test(x, u) ? u : term;
            ++*checked;
        }
        if (stop && fri_virtual_warp_ballot(w, term >= 0))
            break;
    }
    return term;
}

/* y = A^T x by rows of A^T: one virtual warp per vertex. */
template <class O>
static __global__ void dense_kernel(fri_csr_view<O> csr, vectors a, int32_t n, int width, bool mask,
                                    bool stop, unsigned long long *examined) {
    fri_virtual_warp w = fri_virtual_warp_of(width);
    int32_t v = (int32_t)w.index;
    unsigned long long checked = 0;
    if (w.index < n && !(mask && fri_bit_test(a.reached, v))) {
        int32_t term = row_times(w, csr, v, a.x, stop, &checked);
        unsigned terms = fri_virtual_warp_ballot(w, term >= 0);
        if (terms && w.lane == __ffs((int)terms) - 1) {
            fri_bit_set(a, a.y, v);
            if (a.value)
                a.value[v] = term;
        }
    }
    FRI_COUNT(a, FR_COUNTER_EDGES, checked);
    fri_grid_add(examined, checked);
}

/* x = y without reached vertices, as bitmap and list; y = 0. A thread per word; then the lanes of a
 * warp write levels and parents of each other's words, so that the writes coalesce. */
static __global__ void apply_kernel(vectors a, int32_t words, int32_t depth, int32_t *level,
                                    int32_t *parent, int32_t *tail) {
    FRI_SHARED(int32_t, place, 1);
    int32_t word = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    uint32_t fresh = word < words ? a.y[word] & ~a.reached[word] : 0;
    if (word < words) {
        a.x[word] = fresh;
        a.y[word] = 0;
        a.reached[word] |= fresh;
    }
    int total, before = fri_block_prefix(__popc(fresh), &total);
    if (threadIdx.x == 0) {
        FRI_COUNT(a, FR_COUNTER_ATOMICS, total > 0);
        FRI_COUNT(a, FR_COUNTER_ENQUEUES, total);
        *place = total ? atomicAdd(tail, total) : 0;
    }
    __syncthreads(); /* the block's position in the list is known */
    before += *place;
    for (unsigned left = __ballot_sync(FRI_FULL_MASK, fresh != 0); left; left &= left - 1) {
        int from = __ffs((int)left) - 1;
        uint32_t bits = __shfl_sync(FRI_FULL_MASK, fresh, from);
        int32_t at = __shfl_sync(FRI_FULL_MASK, before, from);
        int32_t v = (word - fri_lane() + from) * 32 + fri_lane();
        if (!(bits >> fri_lane() & 1))
            continue;
        level[v] = depth + 1;
        a.list[at + __popc(bits & ((1u << fri_lane()) - 1))] = v;
        if (a.value != parent)
            parent[v] = a.value[v];
    }
}

enum { BLOCK_KNOB, WIDTH_KNOB, DENSE_KNOB, MASK_KNOB, STOP_KNOB };
static const fr_knob knobs[] = {
    {"block", 256, 32, 1024, "threads per block, whole warps"},
    {"width", 4, 1, 32, "lanes that share a row or column, a power of two; as virtual-warp's"},
    {"dense", 0.1, 0, 2,
     "share of the vertices from which the vector is dense (XBFS's alpha); 0: always (paper); 2: "
     "never"},
    {"mask", 1, 0, 1,
     "1: reached vertices are left out of the product; 0: dropped after it (paper)"},
    {"stop", 1, 0, 1,
     "1: a row of the dense product ends at its first nonzero; 0: it does not (paper)"},
    {nullptr, 0, 0, 0, nullptr}};

static size_t bits_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(fri_bits_words(g->n), sizeof(uint32_t)));
}
static size_t list_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n, sizeof(int32_t)));
}
static bool masked(const fri_gpu *g) { return g->job->knob[MASK_KNOB] >= 1; }
static size_t scratch(const fri_gpu *g) {
    return 3 * bits_bytes(g) + (masked(g) ? 1 : 2) * list_bytes(g);
}

/* Without the mask y also has values of reached vertices: they must not overwrite the parents. */
static vectors vectors_of(const fri_gpu *g) {
    char *at = g->scratch;
    vectors a;
    a.x = (uint32_t *)fri_carve(&at, bits_bytes(g));
    a.y = (uint32_t *)fri_carve(&at, bits_bytes(g));
    a.reached = (uint32_t *)fri_carve(&at, bits_bytes(g));
    a.list = (int32_t *)fri_carve(&at, list_bytes(g));
    a.value = masked(g) || !g->parent ? g->parent : (int32_t *)(void *)at;
    a.counts = g->out.counts;
    return a;
}

static fr_status start_query(fri_gpu *g) {
    int block = fri_gpu_block_knob(g, BLOCK_KNOB);
    g->host_control[FRI_CONTROL_TAIL] = g->source_count;
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(g->scratch, 0, 3 * bits_bytes(g), g->stream),
                              "clearing the vectors"));
    FRI_RUN_EACH(place_kernel, g->source_count, block, g->sources, g->source_count, vectors_of(g));
    return FR_OK;
}

static void multiply(fri_gpu *g, const vectors &a, int32_t size, int block) {
    int width = fri_virtual_warp_knob(g, WIDTH_KNOB);
    unsigned long long *examined = (unsigned long long *)(void *)&g->control[EXAMINED];
    bool dense = size >= g->job->knob[DENSE_KNOB] * g->n, stop = g->job->knob[STOP_KNOB] >= 1;
    unsigned blocks = fri_virtual_warp_blocks(dense ? g->n : size, width, block);
    if (dense)
        FRI_BY_OFFSET_TYPE(g, FRI_RUN((dense_kernel<O>), blocks, block, fri_csr_view_of<O>(g->in),
                                      a, g->n, width, masked(g), stop, examined));
    else
        FRI_BY_OFFSET_TYPE(g, FRI_RUN((sparse_kernel<O>), blocks, block, fri_csr_view_of<O>(g->out),
                                      a, size, width, masked(g), examined));
}

static fr_status run_level(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    int block = fri_gpu_block_knob(g, BLOCK_KNOB);
    int32_t words = fri_bits_words(g->n);
    vectors a = vectors_of(g);
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(g->control, 0, WORDS * sizeof(int32_t), g->stream),
                              "clearing counts"));
    multiply(g, a, g->host_control[FRI_CONTROL_TAIL], block);
    FRI_RUN_EACH(apply_kernel, words, block, a, words, depth, g->bfs.level, g->parent,
                 &g->control[FRI_CONTROL_TAIL]);
    FRI_GPU_TRY(fri_gpu_read_control(g, 0, WORDS));
    *found = g->host_control[FRI_CONTROL_TAIL];
    memcpy(edges, &g->host_control[EXAMINED], sizeof *edges);
    return FR_OK;
}

static const fri_gpu_strategy device_side = {
    .scratch = scratch, .start_query = start_query, .run_level = run_level};

FRI_GPU_STRATEGY(fri_gpu_bfs_spmv) = {
    .name = "spmv",
    .source = "Deng, Wang, Mu: Taming irregular EDA applications on GPUs, ICCAD 2009",
    .text = "a level is a product of the matrix and the frontier, over rows or columns",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_IN_EDGES,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS,
    FRI_GPU_BFS_STRATEGY(device_side),
};
