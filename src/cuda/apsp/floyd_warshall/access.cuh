/* Copies the graph into the matrix of Floyd-Warshall and rows out of it. Included by
 * floyd_warshall.cu only. */
#ifndef FRI_CUDA_APSP_FLOYD_WARSHALL_ACCESS_CUH
#define FRI_CUDA_APSP_FLOYD_WARSHALL_ACCESS_CUH

#include "cuda/apsp/floyd_warshall/kernels.cuh"
#include "cuda/prim/distance.cuh"

namespace {
struct edges { /* the graph, as FRI_EACH_EDGE reads it */
    const int64_t *offsets;
    const int32_t *targets;
    const void *weights;
    fr_type type; /* of the weights on the device */
    int32_t n;
    int64_t m;
    const int32_t *place; /* [n] index in the matrix, -1: none; NULL: the vertex itself */
};

template <class D> struct matrix {
    D *dist;
    int32_t *link; /* parents as matrix indices; NULL: not requested */
    int64_t pitch;
};

/* Destination of rows. */
struct taken {
    const int32_t *sources;        /* [count] */
    const int32_t *place, *vertex; /* NULL: matrix index and vertex are equal */
    int32_t n;
    void *dist; /* [count][n] of type */
    fr_type type;
    int32_t *parent, *suspect; /* parent NULL: not requested */
    bool repair;               /* the parents of every row are to be repaired */
    int32_t *words;
};
} // namespace

template <class D>
static __device__ __forceinline__ D fw_weight(const void *weights, fr_type type, int64_t e) {
    if (type == FR_TYPE_I32)
        return (D)((const int32_t *)weights)[e];
    if (type == FR_TYPE_F32)
        return (D)((const float *)weights)[e];
    return type == FR_TYPE_F64 ? (D)((const double *)weights)[e] : (D)1;
}

/* Sets all distances to far, except each vertex's distance from itself. */
template <class T>
static __global__ void fill_kernel(matrix<typename T::D> a, int32_t size, int32_t side) {
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int32_t i = (int32_t)(at / side), j = (int32_t)(at % side);
    if (i >= side)
        return;
    bool own = i == j && i < size;
    a.dist[i * a.pitch + j] = own ? 0 : T::infinite();
    if (a.link)
        a.link[i * a.pitch + j] = own ? i : -1;
}

/* The first of parallel edges has the smallest weight, so no cell is written twice; a self-loop is
 * shorter than staying only if it is negative, which the pivots detect. */
template <class T> static __global__ void edges_kernel(edges g, matrix<typename T::D> a) {
    FRI_EACH_EDGE(g, u, e) {
        int32_t v = g.targets[e], i = g.place ? g.place[u] : u, j = g.place ? g.place[v] : v;
        if (i < 0 || (e > g.offsets[u] && g.targets[e - 1] == v))
            continue;
        typename T::D w = /* 0 for -0, as in a sum from the source on */
            0 + fw_weight<typename T::D>(g.weights, g.type, e);
        if (i == j && !(w < 0))
            continue;
        a.dist[i * a.pitch + j] = w;
        if (a.link)
            a.link[i * a.pitch + j] = i;
    }
}

/* True: d fits the type. Integers are stored as integers, floats as floats. Any thread, and the
 * host. */
template <class T>
static __host__ __device__ __forceinline__ bool fw_put(const taken &to, int64_t at,
                                                       typename T::D d) {
    bool far = T::far(d);
    switch (to.type) {
    case FR_TYPE_I32:
        ((int32_t *)to.dist)[at] = far ? INT32_MAX : (int32_t)d;
        return far || ((double)d < INT32_MAX && (double)d >= INT32_MIN);
    case FR_TYPE_I64: ((int64_t *)to.dist)[at] = far ? INT64_MAX : (int64_t)d; return true;
    case FR_TYPE_F32:
        ((float *)to.dist)[at] = far ? (float)INFINITY : (float)d;
        return far || fabs((double)d) <= (double)FLT_MAX;
    default: ((double *)to.dist)[at] = far ? (double)INFINITY : (double)d; return true;
    }
}

/* One thread per vertex; blockIdx.y: index of the source. words[FW_OVERFLOW]: the first row with
 * a distance that does not fit. */
template <class T> static __global__ void rows_kernel(matrix<typename T::D> a, taken to) {
    int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), row = (int32_t)blockIdx.y;
    if (v >= to.n)
        return;
    int32_t s = to.sources[row], i = to.place ? to.place[s] : s, j = to.place ? to.place[v] : v;
    typename T::D d = j < 0 ? T::infinite() : a.dist[i * a.pitch + j];
    int64_t at = (int64_t)row * to.n + v;
    if (!fw_put<T>(to, at, d))
        atomicMin((int *)&to.words[FW_OVERFLOW], row); /* atomic: the first row is reported */
    if (!to.parent)
        return;
    int32_t p = T::far(d) ? -1 : a.link[i * a.pitch + j];
    to.parent[at] = p < 0 || !to.vertex ? p : to.vertex[p];
    if (to.repair || (p >= 0 && j != i && !(a.dist[i * a.pitch + p] < d)))
        fri_racy_store(&to.suspect[row], 1); /* racy: all write 1 */
}

#endif
