/* Kernels that prepare a result for the caller: narrower integers, and the statistics of what was
 * reached. */
extern "C" {
#include "cuda/device/results/expand.h"
}
#include "cuda/device/results/pinned.h"
#include "cuda/device/results/results.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/publish.cuh"
#include "cuda/prim/reduce.cuh"

#include <string.h>

enum { BLOCK = 256, VALUES_PER_THREAD = 4 };
#ifdef FRI_SIMT
enum { STAGE_BLOCK = 8 };
#else
enum { STAGE_BLOCK = 512 };
#endif

/* ---- narrower integers ------------------------------------------------------------------- */

template <class T> struct alignas(VALUES_PER_THREAD * sizeof(T)) quad {
    T value[VALUES_PER_THREAD];
};

template <class T> struct limits;
template <> struct limits<int8_t> {
    enum : int64_t { low = INT8_MIN, high = INT8_MAX };
};
template <> struct limits<int16_t> {
    enum : int64_t { low = INT16_MIN, high = INT16_MAX };
};
template <> struct limits<int32_t> {
    enum : int64_t { low = INT32_MIN, high = INT32_MAX };
};
template <> struct limits<int64_t> {
    enum : int64_t { low = INT64_MIN, high = INT64_MAX };
};

template <class W, class N> static __device__ __forceinline__ N narrowed(W v) {
    return v == (W)limits<W>::high  ? (N)limits<N>::high
           : v == (W)limits<W>::low ? (N)limits<N>::low
                                    : (N)v;
}

/* What thread `me` does of `count` values, for which there are count / 4 + count % 4 threads. */
template <class W, class N>
static __device__ __forceinline__ void narrow_some(const W *from, N *to, int64_t count,
                                                   int64_t me) {
    int64_t quads = count / VALUES_PER_THREAD;
    if (me < quads) {
        quad<N> out;
        FRI_UNROLL
        for (int i = 0; i < VALUES_PER_THREAD; i++)
            out.value[i] = narrowed<W, N>(from[me * VALUES_PER_THREAD + i]);
        ((quad<N> *)(void *)to)[me] = out;
    } else if (me - quads < count % VALUES_PER_THREAD) {
        int64_t i = quads * VALUES_PER_THREAD + me - quads;
        to[i] = narrowed<W, N>(from[i]);
    }
}

template <class W, class N>
static __global__ void narrow_values(const W *from, N *to, int64_t count) {
    narrow_some(from, to, count, (int64_t)blockIdx.x * blockDim.x + threadIdx.x);
}

template <class W, class N>
static void narrow(fri_gpu *g, const void *from, void *to, int64_t count) {
    const int64_t threads = count / VALUES_PER_THREAD + count % VALUES_PER_THREAD;
    const auto narrow_kernel = narrow_values<W, N>; /* its name in fr_kernel */
    FRI_RUN_EACH(narrow_kernel, threads, BLOCK, (const W *)from, (N *)to, count);
}

void fri_gpu_narrow(fri_gpu *g, const void *from, int size, void *to, int sent, int64_t count) {
    if (size == 4 && sent == 1)
        narrow<int32_t, int8_t>(g, from, to, count);
    else if (size == 4)
        narrow<int32_t, int16_t>(g, from, to, count);
    else if (sent == 1)
        narrow<int64_t, int8_t>(g, from, to, count);
    else if (sent == 2)
        narrow<int64_t, int16_t>(g, from, to, count);
    else
        narrow<int64_t, int32_t>(g, from, to, count);
}

/* ---- pieces in host memory --------------------------------------------------------------- */

/* The fewest bytes for values of -1 and above, as fri_narrow_size. */
template <class W> static __device__ __forceinline__ int size_for(int64_t high) {
    return high < INT8_MAX ? 1 : high < INT16_MAX ? 2 : (int)sizeof(W);
}

template <class W, class N>
static __device__ __forceinline__ void narrow_piece(const void *from, void *to, int64_t length) {
    const int64_t threads = length / VALUES_PER_THREAD + length % VALUES_PER_THREAD;
    for (int64_t i = threadIdx.x; i < threads; i += blockDim.x)
        narrow_some((const W *)from, (N *)to, length, i);
}

template <class W>
static __device__ __forceinline__ void narrow_to(const void *from, void *to, int sent,
                                                 int64_t length) {
    if (sent ==
        sizeof(W)) /* 16 bytes a lane: lanes that skip bytes write each sector of the bus twice */
        narrow_piece<int32_t, int32_t>(from, to, length * (int64_t)(sizeof(W) / sizeof(int32_t)));
    else if (sent == 1)
        narrow_piece<W, int8_t>(from, to, length);
    else if (sent == 2)
        narrow_piece<W, int16_t>(from, to, length);
    else
        narrow_piece<W, int32_t>(from, to, length);
}

/* A block writes a piece at a time. */
static __device__ __forceinline__ void stage_pieces(const fri_gpu_pieces &p, int first_sent,
                                                    int64_t block, int64_t blocks) {
    const int64_t slots = FRI_STAGE_SLOTS(p, FRI_MAX(first_sent, p.sent[1])),
                  last = p.last ? p.last : FRI_MIN(slots, p.pieces[0] + p.pieces[1]);
    for (int64_t i = p.first + block; i < last; i += blocks) {
        const int which = i >= p.pieces[0];
        const int sent = which ? p.sent[1] : first_sent;
        const int64_t at = (i - (which ? p.pieces[0] : 0)) * p.piece,
                      length = FRI_MIN(p.piece, p.count[which] - at), slot = i % slots;
        const char *from = (const char *)p.from[which] + at * p.size[which];
        char *to = p.buffer + slot * p.piece * FRI_MAX(first_sent, p.sent[1]);
        if (p.size[which] == 4)
            narrow_to<int32_t>(from, to, sent, length);
        else
            narrow_to<int64_t>(from, to, sent, length);
        fri_publish(&p.flags[slot * FRI_FLAG_STRIDE], p.base + (uint64_t)i + 1);
    }
}

static __global__ void stage_kernel(const __grid_constant__ fri_gpu_pieces p) {
    stage_pieces(p, p.sent[0], blockIdx.x, gridDim.x);
}

/* Runs after a launch of a traversal; if that was the last one, it does what stage_kernel does. The first block
 * publishes control words: no piece waits for its fence, and the words, which the host reads before any piece,
 * are not behind pieces on the bus. */
static __global__ void stage_end_kernel(const __grid_constant__ fri_gpu_pieces p,
                                        const int32_t *control, fri_gpu_ending end, int32_t *words,
                                        uint64_t *number, uint64_t publication) {
    const bool ended = control[end.found + control[end.phase] * end.found_stride] == 0;
    const int size = size_for<int32_t>((int64_t)end.depth + control[end.levels]);
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            words[FRI_CONTROL_STAGED_SIZE] = ended ? size : 0;
        fri_publish_words(control, words, end.words, number, publication);
    } else if (ended) {
        stage_pieces(p, p.sent[0] ? p.sent[0] : size, blockIdx.x - 1, gridDim.x - 1);
    }
}

static unsigned stage_blocks(const fri_gpu_pieces *p) {
    const int64_t pieces = (p->last ? p->last : p->pieces[0] + p->pieces[1]) - p->first;
    return (unsigned)(pieces <= FRI_STAGE_ONE_WAVE ? pieces : (int64_t)FRI_STAGE_BLOCKS);
}

void fri_gpu_stage_pieces(fri_gpu *g, const fri_gpu_pieces *p) {
    FRI_LAUNCH_UNLISTED(stage_kernel, stage_blocks(p), STAGE_BLOCK, 0, g->stream, *p);
}

void fri_gpu_stage_end(fri_gpu *g, const fri_gpu_pieces *p, const fri_gpu_ending *end) {
    FRI_LAUNCH_UNLISTED(stage_end_kernel, stage_blocks(p) + 1, STAGE_BLOCK, 0, g->stream, *p,
                        (const int32_t *)g->control, *end, g->host_control, fri_gpu_published(g),
                        ++g->publications);
}

/* ---- how many bytes values need ---------------------------------------------------------- */

/* The largest magnitude of values that are not infinite. */
template <class W>
static __global__ void find_magnitude(const W *from, int64_t count, unsigned long long *largest) {
    const int64_t quads = count / VALUES_PER_THREAD, all = quads + count % VALUES_PER_THREAD;
    W low = 0, high = 0;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < all;
         i += (int64_t)gridDim.x * blockDim.x) {
        quad<W> in = {{0}};
        if (i < quads)
            in = ((const quad<W> *)(const void *)from)[i];
        else
            in.value[0] = from[quads * VALUES_PER_THREAD + i - quads];
        FRI_UNROLL
        for (int k = 0; k < VALUES_PER_THREAD; k++) {
            const W v = in.value[k];
            const bool infinite = v == (W)limits<W>::high || v == (W)limits<W>::low;
            low = !infinite && v < low ? v : low;
            high = !infinite && v > high ? v : high;
        }
    }
    unsigned long long most = (unsigned long long)FRI_MAX(-(int64_t)low, (int64_t)high);
    for (int d = FRI_WARP / 2; d; d /= 2) {
        const unsigned long long other = __shfl_xor_sync(FRI_FULL_MASK, most, d);
        most = FRI_MAX(most, other);
    }
    if (fri_lane() == 0 && most > fri_racy_load(largest)) /* racy test avoids most atomics */
        atomicMax(largest, most);                         /* atomic: one of many warps */
}

template <class W>
static void launch_magnitude(fri_gpu *g, const void *values, int64_t count, int32_t *largest) {
    const unsigned resident = (unsigned)(g->multiprocessors * g->max_threads_per_sm / BLOCK);
    const auto magnitude_kernel = find_magnitude<W>; /* its name in fr_kernel */
    FRI_RUN(magnitude_kernel,
            FRI_MIN(fri_gpu_blocks(count / VALUES_PER_THREAD + 1, BLOCK), resident), BLOCK,
            (const W *)values, count, (unsigned long long *)(void *)largest);
}

fr_status fri_gpu_find_size(fri_gpu *g, const void *values, int size, int64_t count, int *sent) {
    int64_t largest;
    int32_t *word = &g->control[FRI_CONTROL_REACHED];
    FRI_GPU_TRY(fri_gpu_zero(g, word, sizeof largest));
    if (size == 4)
        launch_magnitude<int32_t>(g, values, count, word);
    else
        launch_magnitude<int64_t>(g, values, count, word);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_REACHED, (int)(sizeof largest / sizeof *word)));
    memcpy(&largest, &g->host_control[FRI_CONTROL_REACHED], sizeof largest);
    *sent = fri_narrow_size(size, -largest, largest);
    return FR_OK;
}

/* ---- statistics -------------------------------------------------------------------------- */

struct reached_counts {
    unsigned long long vertices, edges, expanded;
};

template <class O, class V>
static __global__ void count_values(const O *offsets, int32_t n, const V *values, V unreached,
                                    V last, reached_counts *counts) {
    reached_counts mine = {0, 0, 0};
    for (int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; v < n;
         v += (int64_t)gridDim.x * blockDim.x) {
        const V value = values[v];
        if (value == unreached)
            continue;
        const unsigned long long edges = (unsigned long long)(offsets[v + 1] - offsets[v]);
        mine.vertices++;
        mine.edges += edges;
        mine.expanded += value <= last ? edges : 0;
    }
    fri_grid_add(&counts->vertices, mine.vertices);
    __syncthreads(); /* the block's sums are read before they are written again, here and below */
    fri_grid_add(&counts->edges, mine.edges);
    __syncthreads(); /* the same */
    fri_grid_add(&counts->expanded, mine.expanded);
}

template <class O, class V> static void count_reached(fri_gpu *g, const fri_gpu_counting &what) {
    const unsigned resident = (unsigned)(g->multiprocessors * g->max_threads_per_sm / BLOCK);
    const auto reached_kernel = count_values<O, V>; /* its name in fr_kernel */
    FRI_RUN(reached_kernel, FRI_MIN(fri_gpu_blocks(g->n, BLOCK), resident), BLOCK,
            (const O *)g->out.offsets, g->n, (const V *)what.values, (V)what.unreached,
            (V)what.last, (reached_counts *)(void *)&g->control[FRI_CONTROL_REACHED]);
}

fr_status fri_gpu_count_reached(fri_gpu *g, const fri_gpu_counting *what) {
    int32_t *counts = &g->control[FRI_CONTROL_REACHED];
    FRI_GPU_TRY(fri_gpu_zero(g, counts, sizeof(reached_counts)));
    if (what->size == 4)
        FRI_BY_OFFSET_TYPE(g, count_reached<O, int32_t>(g, *what));
    else
        FRI_BY_OFFSET_TYPE(g, count_reached<O, int64_t>(g, *what));
    fri_gpu_publish(g, FRI_CONTROL_REACHED, (int)(sizeof(reached_counts) / sizeof *counts));
    return fri_gpu_launched(g);
}

int64_t fri_gpu_take_reached(fri_gpu *g) {
    reached_counts counts;
    memcpy(&counts, &g->host_control[FRI_CONTROL_REACHED], sizeof counts);
    g->job->out->stats.reached = (int64_t)counts.vertices;
    g->job->out->stats.reached_edges = (int64_t)counts.edges;
    return (int64_t)counts.expanded;
}
