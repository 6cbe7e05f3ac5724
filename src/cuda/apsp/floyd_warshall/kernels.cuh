/* Kernels of Floyd-Warshall on the GPU: the pivot tile, and products of tiles. Included by
 * floyd_warshall.cu only. Matrices are row-major and padded to whole tiles. */
#ifndef FRI_CUDA_APSP_FLOYD_WARSHALL_KERNELS_CUH
#define FRI_CUDA_APSP_FLOYD_WARSHALL_KERNELS_CUH

#include "cuda/prim/device.cuh"
#include <float.h>
#include <math.h>

/* The kinds of Floyd-Warshall's matrix: D the type of its distances, ROWS the rows of a thread's
 * piece of a tile (8 columns wide), LINKED whether parents are updated as well. min_plus(a, b, c, 1):
 * the minimum of a + b and c, where the compiler must not know the value of the 1. Integers:
 * INFINITE + INFINITE does not wrap, and values above FAR mean not reached (a path from an
 * unreached vertex is INFINITE plus the length of a real path, which is below FAR in absolute
 * value). infinite() and far() are also used by the host. */

/* a * one + b in one instruction, written explicitly, as the compiler would otherwise compute a *
 * one separately. */
static __device__ __forceinline__ int32_t fw_multiply_add(int32_t a, int32_t one, int32_t b) {
#ifdef __CUDA_ARCH__
    int32_t sum;
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(one), "r"(b));
    return sum;
#else
    return a * one + b;
#endif
}

struct fw_i32 {
    typedef int32_t D;
    enum { ROWS = 8, LINKED = 0 };
    static __host__ __device__ __forceinline__ D infinite() { return (1 << 30) - 1; }
    static __host__ __device__ __forceinline__ bool far(D d) { return d > 1 << 29; }
    static __device__ __forceinline__ D min_plus(D a, D b, D c, int) {
        D s = a + b;
        return s < c ? s : c;
    }
};
struct fw_i32_fused : fw_i32 {
    static __device__ __forceinline__ D min_plus(D a, D b, D c, int) {
        return __viaddmin_s32(a, b, c);
    }
};
struct fw_i64 {
    typedef int64_t D;
    enum { ROWS = 4, LINKED = 0 };
    static __host__ __device__ __forceinline__ D infinite() { return (INT64_C(1) << 62) - 1; }
    static __host__ __device__ __forceinline__ bool far(D d) { return d > INT64_C(1) << 61; }
    static __device__ __forceinline__ D min_plus(D a, D b, D c, int) {
        D s = a + b;
        return s < c ? s : c;
    }
};
struct fw_f32 {
    typedef float D;
    enum { ROWS = 8, LINKED = 0 };
    static __host__ __device__ __forceinline__ D infinite() { return INFINITY; }
    static __host__ __device__ __forceinline__ bool far(D d) { return d > FLT_MAX; }
    static __device__ __forceinline__ D min_plus(D a, D b, D c, int) { return fminf(a + b, c); }
};
struct fw_f64 {
    typedef double D;
    enum { ROWS = 4, LINKED = 0 };
    static __host__ __device__ __forceinline__ D infinite() { return (double)INFINITY; }
    static __host__ __device__ __forceinline__ bool far(D d) { return d > DBL_MAX; }
    static __device__ __forceinline__ D min_plus(D a, D b, D c, int) { return fmin(a + b, c); }
};
/* A block of the smaller tile has more threads. */
template <class K> struct fw_small : K {
    enum { ROWS = 4 };
};
/* Parents need registers too: half as many rows, as with 8 bytes per cell. */
template <class K> struct fw_linked : K {
    enum { ROWS = 4, LINKED = 1 };
};

enum {
    FW_TILE = 128,          /* side of the larger tile; the other is half of it */
    FW_PANEL = 8,           /* columns of a, rows of b, in shared memory at a time */
    FW_PITCH = FW_TILE + 4, /* of a panel: transposed stores without bank conflicts */
    FW_COLUMNS = 8          /* of a thread's piece */
};
enum { FW_NEGATIVE = 0, FW_OVERFLOW = 1 /* control words */ };

namespace {
/* Four consecutive values, moved at once. */
template <class D> struct alignas(16) quad { D v[4]; };

/* A matrix product, or a part of one: c[i][j] = min(c[i][j], a[i][k] + b[k][j]) tile by tile. */
template <class D> struct product {
    D *c;
    const D *a, *b;
    int32_t *link_c;
    const int32_t *link_b;
    int64_t pitch_c, pitch_a, pitch_b;
    int32_t tile;
    int32_t k_a, k_b;                   /* the pivot: column of tiles of a, row of tiles of b */
    int32_t columns;                    /* tiles of c per row of blocks */
    int32_t row, skip_row, skip_column; /* the first row of tiles; those to skip, -1: none */
    int32_t cross; /* not 0: blocks cover row and column k_a of a square of cross + 1 tiles */
    const int32_t *words;
    int32_t one; /* 1, but unknown to the compiler */
};
} // namespace

/* The tile of c of a block. */
template <class D>
static __device__ __forceinline__ void fw_place(const product<D> &p, int32_t *i, int32_t *j) {
    int32_t b = (int32_t)blockIdx.x;
    if (p.cross) {
        int32_t x = b % p.cross;
        x += x >= p.k_a;
        *i = b < p.cross ? p.k_a : x;
        *j = b < p.cross ? x : p.k_a;
        return;
    }
    *i = p.row + b / p.columns;
    *j = b % p.columns;
    *i += p.skip_row >= 0 && *i >= p.skip_row;
    *j += p.skip_column >= 0 && *j >= p.skip_column;
}

template <class D> static __device__ __forceinline__ void fw_read(D *to, const D *at) {
    quad<D> q = *(const quad<D> *)at;
    FRI_UNROLL
    for (int i = 0; i < 4; i++)
        to[i] = q.v[i];
}
template <class D> static __device__ __forceinline__ void fw_write(D *at, const D *from) {
    quad<D> q;
    FRI_UNROLL
    for (int i = 0; i < 4; i++)
        q.v[i] = from[i];
    *(quad<D> *)at = q;
}

namespace {
/* A thread's share of the next panels, in flight from global to shared memory. */
template <class T> struct fetched {
    typedef typename T::D D;
    D a[4], b[4];
    int32_t link[4];

    /* A panel has 2 tile quads: a block has as many threads, or twice as many. */
    static __device__ __forceinline__ bool mine(int32_t tile) {
        return (int)threadIdx.x < 2 * tile;
    }
    __device__ __forceinline__ void load(const product<D> &p, const D *from_a, const D *from_b,
                                         const int32_t *links) {
        int e = (int)threadIdx.x, across = p.tile / 4;
        if (!mine(p.tile))
            return;
        int64_t at = e / across * p.pitch_b + e % across * 4;
        fw_read(a, &from_a[e / 2 * p.pitch_a + e % 2 * 4]);
        fw_read(b, &from_b[at]);
        if (T::LINKED)
            fw_read(link, &links[at]);
    }
    __device__ __forceinline__ void store(D *as, D *bs, int32_t *ls, int32_t tile) const {
        int e = (int)threadIdx.x, across = tile / 4, at = e / across * FW_PITCH + e % across * 4;
        if (!mine(tile))
            return;
        FRI_UNROLL
        for (int q = 0; q < 4; q++)
            as[(e % 2 * 4 + q) * FW_PITCH + e / 2] = a[q];
        fw_write(&bs[at], b);
        if (T::LINKED)
            fw_write(&ls[at], link);
    }
};

/* A thread's piece: ROWS x 8, as quads half a tile apart so that a warp's loads are adjacent. */
template <class T> struct piece {
    typedef typename T::D D;
    enum { GROUPS = T::ROWS / 4 };
    D best[T::ROWS][FW_COLUMNS];
    int32_t link[T::LINKED ? T::ROWS : 1][FW_COLUMNS];
    int row[GROUPS], column[2]; /* first row and column of its quads */

    __device__ __forceinline__ void place(int32_t tile) {
        int across = tile / FW_COLUMNS;
        FRI_UNROLL
        for (int g = 0; g < GROUPS; g++)
            row[g] = g * (tile / GROUPS) + (int)threadIdx.x / across * 4;
        column[0] = (int)threadIdx.x % across * 4;
        column[1] = column[0] + tile / 2;
    }
    __device__ __forceinline__ void load(const D *c, const int32_t *links, int64_t pitch) {
        FRI_UNROLL
        for (int q = 0; q < 2 * T::ROWS; q++) {
            int64_t at = (row[q / 8] + q / 2 % 4) * pitch + column[q % 2];
            fw_read(&best[q / 2][q % 2 * 4], &c[at]);
            if (T::LINKED)
                fw_read(&link[q / 2][q % 2 * 4], &links[at]);
        }
    }
    __device__ __forceinline__ void store(D *c, int32_t *links, int64_t pitch) const {
        FRI_UNROLL
        for (int q = 0; q < 2 * T::ROWS; q++) {
            int64_t at = (row[q / 8] + q / 2 % 4) * pitch + column[q % 2];
            fw_write(&c[at], &best[q / 2][q % 2 * 4]);
            if (T::LINKED)
                fw_write(&links[at], &link[q / 2][q % 2 * 4]);
        }
    }
    __device__ __forceinline__ void take_linked(int r, int c, D s, int32_t from) {
        bool less = s < best[r][c];
        best[r][c] = less ? s : best[r][c];
        link[r][c] = less ? from : link[r][c];
    }
    /* One step k: a column of a, a row of b. */
    __device__ __forceinline__ void take(const D *as, const D *bs, const int32_t *ls, int one) {
        D x[T::ROWS], y[FW_COLUMNS];
        int32_t from[FW_COLUMNS] = {0};
        FRI_UNROLL
        for (int g = 0; g < GROUPS; g++)
            fw_read(&x[4 * g], &as[row[g]]);
        FRI_UNROLL
        for (int h = 0; h < 2; h++) {
            fw_read(&y[4 * h], &bs[column[h]]);
            if (T::LINKED)
                fw_read(&from[4 * h], &ls[column[h]]);
        }
        FRI_UNROLL
        for (int r = 0; r < T::ROWS; r++) {
            FRI_UNROLL
            for (int c = 0; c < FW_COLUMNS; c++)
                if (T::LINKED)
                    take_linked(r, c, x[r] + y[c], from[c]);
                else
                    best[r][c] = T::min_plus(x[r], y[c], best[r][c], one);
        }
    }
};
} // namespace

/* All threads of a block: (tile / 8) * (tile / ROWS). c may be a or b if the tile of c is a whole
 * row or column of pivots: it is written after the last barrier, which follows the last read. */
template <class T>
static __global__ void __launch_bounds__(T::ROWS == 8 ? 256 : 512, T::ROWS == 8 ? 2 : 1)
    product_kernel(product<typename T::D> p) {
    typedef typename T::D D;
    enum { PLANE = FW_PANEL * FW_PITCH };
    FRI_SHARED(quad<D>, a_tile, 2 * PLANE / 4);
    FRI_SHARED(quad<D>, b_tile, 2 * PLANE / 4);
    FRI_SHARED(quad<int32_t>, l_tile, T::LINKED ? 2 * PLANE / 4 : 1);
    D *as = (D *)a_tile, *bs = (D *)b_tile;
    int32_t *ls = (int32_t *)l_tile, i, j;
    if (p.words[FW_NEGATIVE]) /* a negative pivot ended the run */
        return;
    fw_place(p, &i, &j);
    const D *a = p.a + i * p.tile * p.pitch_a + (int64_t)p.k_a * p.tile;
    const D *b = p.b + p.k_b * p.tile * p.pitch_b + (int64_t)j * p.tile;
    const int32_t *links = T::LINKED ? p.link_b + (b - p.b) : nullptr;
    int64_t corner = i * p.tile * p.pitch_c + (int64_t)j * p.tile;
    fetched<T> next;
    piece<T> mine;
    mine.place(p.tile);
    next.load(p, a, b, links);
    mine.load(p.c + corner, T::LINKED ? p.link_c + corner : nullptr, p.pitch_c);
    next.store(as, bs, ls, p.tile);
    __syncthreads(); /* the first panels are written */
    for (int k = 0; k < p.tile; k += FW_PANEL) {
        int now = k / FW_PANEL % 2 * PLANE;
        bool more = k + FW_PANEL < p.tile;
        a += FW_PANEL;
        b += FW_PANEL * p.pitch_b;
        links += T::LINKED ? FW_PANEL * p.pitch_b : 0;
        if (more)
            next.load(p, a, b, links);
        FRI_ROLLED
        for (int s = 0; s < FW_PANEL; s++)
            mine.take(as + now + s * FW_PITCH, bs + now + s * FW_PITCH,
                      T::LINKED ? ls + now + s * FW_PITCH : ls, p.one);
        if (more)
            next.store(as + PLANE - now, bs + PLANE - now, T::LINKED ? ls + PLANE - now : ls,
                       p.tile);
        /* the other panels are written; all have read these, which may be overwritten */
        __syncthreads();
    }
    mine.store(p.c + corner, T::LINKED ? p.link_c + corner : nullptr, p.pitch_c);
}

/* All paths through the pivot tile's own vertices, in order. One block of (tile / 4)^2 threads, a
 * square of 16 cells each; row and column k are exchanged through shared memory. A vertex with a
 * negative distance to itself ends the run; with `clamp_negative` that distance becomes 0. */
template <class T>
static __global__ void __launch_bounds__(1024)
    pivot_kernel(typename T::D *c, int32_t *links, int64_t pitch, int32_t tile, bool clamp_negative,
                 int32_t *words) {
    typedef typename T::D D;
    FRI_SHARED(D, rows, 2 * FW_TILE);
    FRI_SHARED(D, columns, 2 * FW_TILE);
    FRI_SHARED(int32_t, from, 2 * FW_TILE);
    int across = tile / 4, x = (int)threadIdx.x % across * 4, y = (int)threadIdx.x / across * 4;
    D best[4][4];
    int32_t link[4][4];
    if (words[FW_NEGATIVE])
        return;
    FRI_UNROLL
    for (int r = 0; r < 4; r++) {
        fw_read(best[r], &c[(y + r) * pitch + x]);
        if (T::LINKED)
            fw_read(link[r], &links[(y + r) * pitch + x]);
    }
    for (int k4 = 0; k4 < tile; k4 += 4) {
        FRI_UNROLL
        for (int q = 0; q < 4; q++) {
            int k = k4 + q, side = q % 2 * FW_TILE; /* two buffers in turn: one barrier per step */
            if (clamp_negative && x == k4 && y == k4 && best[q][q] < 0)
                best[q][q] = 0;
            FRI_UNROLL
            for (int i = 0; i < 4; i++) {
                if (y == k4) {
                    rows[side + x + i] = best[q][i];
                    from[side + x + i] = T::LINKED ? link[q][i] : 0;
                }
                if (x == k4)
                    columns[side + y + i] = best[i][q];
            }
            __syncthreads();          /* row and column k are written */
            if (rows[side + k] < 0) { /* the same in all threads */
                if (threadIdx.x == 0)
                    words[FW_NEGATIVE] = 1;
                return;
            }
            FRI_UNROLL
            for (int i = 0; i < 16; i++) {
                D s = columns[side + y + i / 4] + rows[side + x + i % 4];
                if (s < best[i / 4][i % 4]) {
                    best[i / 4][i % 4] = s;
                    if (T::LINKED)
                        link[i / 4][i % 4] = from[side + x + i % 4];
                }
            }
        }
    }
    FRI_UNROLL
    for (int r = 0; r < 4; r++) {
        fw_write(&c[(y + r) * pitch + x], best[r]);
        if (T::LINKED)
            fw_write(&links[(y + r) * pitch + x], link[r]);
    }
}

#endif
