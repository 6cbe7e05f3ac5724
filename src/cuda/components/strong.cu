/* Strongly connected components: trimming, one forward and backward search, then coloring.
 *
 * Source: G. M. Slota, S. Rajamanickam, K. Madduri: BFS and coloring-based parallel algorithms for
 *   strongly connected components and related problems, IPDPS 2014 (Multistep), of L. K. Fleischer, B.
 *   Hendrickson, A. Pinar: On identifying strongly connected components in parallel, IPDPS workshops
 *   2000 (forward and backward search), and S. Orzan: On distributed verification and verified
 *   distribution, 2004 (coloring). On GPUs: J. Barnat, P. Bauch, L. Brim, M. Ceska: Computing strongly
 *   connected components in parallel on CUDA, IPDPS 2011.
 * Idea: a vertex that no edge enters, or none leaves, is a component; without it others may become
 *   such vertices. What a pivot reaches and what reaches it have one component in common, mostly the
 *   giant one. For the rest every vertex gets the largest color of those that reach it; a vertex that
 *   keeps its own color is in one component with the vertices of its color that reach it.
 * Differs: colors are hashes of the vertices: if colors were vertex numbers, a round might find only one
 *   component of a path of components. Edges between different colors are cut, as no component
 *   contains one, and trimming continues between rounds of colors. Trimming counts down degrees and
 *   lists a vertex once, instead of passing over all. There is no serial phase at the end. Labels are
 *   the smallest vertices, numbered as in afforest.cu: they do not depend on the order of threads.
 * Needs: in-edges. Scratch: 48 bytes per vertex. Work: n + m for trimming and the searches, and for each
 *   round of colors the rest times the steps that a color takes; expected rounds are logarithmic. Launches:
 *   2 per step of trimming, one per level of the searches and per step of colors. Atomics: one per edge
 *   of a trimmed vertex, one per vertex found, one per raised color.
 * Good at: a giant component and many small ones, as in graphs of web pages. Bad at: paths of
 *   thousands of components and cycles of thousands of vertices, whose steps have little work. */
#include "core/gpu_interface.h"
#include "cuda/components/labels.cuh"
#include "cuda/prim/append.cuh"
#include "cuda/prim/reduce.cuh"

/* LONG_ROW: all warps of a block share a row with more edges; BLOCKS: per multiprocessor; CHECK: the
 * most steps launched before the host reads how many vertices are left. */
#ifdef FRI_SIMT /* small, since every thread costs time */
enum { BLOCK = 64, LONG_ROW = 40, BLOCKS = 1, CHECK = 8 };
#else
enum { BLOCK = 256, LONG_ROW = 512, BLOCKS = 8, CHECK = 64 };
#endif
enum { WARPS = BLOCK / FRI_WARP };
enum { COUNTS = FRI_LABELS_WORDS, ACTIVE = COUNTS + 3, PIVOT = ACTIVE + 1 + (ACTIVE + 1) % 2 };

namespace {
/* The lists alternate between steps. The three counts belong to this step's list, to the next one,
 * and to the one after it, which this step clears. */
struct search {
    int32_t n;
    int32_t *found; /* [n] a member of the component; -1: none yet, the vertex is active */
    int32_t *entering, *leaving; /* [n] edges from and to active vertices of the part */
    uint32_t *part;              /* [n] equal within each component */
    uint32_t *color;             /* [n] */
    int32_t *listed;             /* [n] the last step for which colors listed the vertex */
    int32_t *active, *rest;      /* [n] the active vertices; those after the next compaction */
    int32_t *list[2];            /* [n] */
    int32_t *control;
};
} // namespace

/* Different vertices have different colors; the searches from the pivot have colors 0 and 1. */
static __device__ __forceinline__ uint32_t own_color(int32_t v) {
    uint32_t h = (uint32_t)v; /* every step is invertible */
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

static __device__ __forceinline__ bool is_active(const search &s, int32_t v) {
    return fri_racy_load(&s.found[v]) <
           0; /* racy: a thread that acts on it claims v by a compare-and-swap */
}
/* Returns true to one thread only. */
static __device__ __forceinline__ bool claim(const search &s, int32_t v, int32_t member) {
    return is_active(s, v) &&
           atomicCAS(&s.found[v], -1, member) == -1; /* decides between threads */
}

/* ---- rows of listed vertices -------------------------------------------------------------- */

/* A block's vertices, of a list: lane i of each warp has the i-th, below WARPS. */
template <class O> struct rows {
    int32_t vertex;
    O begin, end;
    unsigned longs; /* bit i: vertex i has a long row */
};

template <class O>
static __device__ __forceinline__ rows<O> rows_of(const fri_csr_view<O> &csr, const int32_t *list,
                                                  int64_t first, int32_t count) {
    rows<O> r = {0, 0, 0, 0};
    const int64_t at = first + (int64_t)fri_lane() * gridDim.x;
    if (fri_lane() < WARPS && at < count) {
        r.vertex = list[at];
        r.begin = csr.offsets[r.vertex];
        r.end = csr.offsets[r.vertex + 1];
    }
    r.longs = __ballot_sync(FRI_FULL_MASK, r.end - r.begin > LONG_ROW);
    return r;
}

/* Calls visit(v, u) for the edges of the listed vertices, v the listed one, u -1 in lanes without an
 * edge: whole warps. `done(v)` ends each row of a warp. */
template <class O, class VISIT, class DONE>
static __device__ __forceinline__ void for_edges(const fri_csr_view<O> &csr, const int32_t *list,
                                                 int32_t count, VISIT visit, DONE done) {
    for (int64_t first = blockIdx.x; first < count; first += (int64_t)WARPS * gridDim.x) {
        const rows<O> r = rows_of(csr, list, first, count);
        const unsigned own = first + (int64_t)fri_warp() * gridDim.x < count ? 1u << fri_warp() : 0;
        for (unsigned mine = r.longs | own; mine; mine &= mine - 1) {
            const int i = __ffs((int)mine) - 1;
            const bool is_long = r.longs >> i & 1;
            const int32_t v = __shfl_sync(FRI_FULL_MASK, r.vertex, i);
            const O begin = __shfl_sync(FRI_FULL_MASK, r.begin, i);
            const O end = __shfl_sync(FRI_FULL_MASK, r.end, i);
            const O skip = is_long ? (O)(fri_warp() * FRI_WARP) : 0, length = end - begin;
            const O step = is_long ? BLOCK : FRI_WARP;
            for (O k = skip; k < length; k += step)
                visit(v, (O)fri_lane() < length - k ? csr.targets[begin + k + (O)fri_lane()] : -1);
            done(v);
        }
    }
}

/* ---- steps -------------------------------------------------------------------------------- */

/* What a step does with an edge of a listed vertex v, to or from u: whether u is listed next. */
struct trim_leaving { /* along out-edges: one edge less enters u */
    static __device__ __forceinline__ bool visit(const search &s, int32_t v, int32_t u, int32_t) {
        return is_active(s, u) && s.part[u] == s.part[v] && atomicSub(&s.entering[u], 1) == 1 &&
               claim(s, u, u); /* atomic: several neighbors */
    }
};
struct trim_entering { /* along in-edges: one edge less leaves u */
    static __device__ __forceinline__ bool visit(const search &s, int32_t v, int32_t u, int32_t) {
        return is_active(s, u) && s.part[u] == s.part[v] && atomicSub(&s.leaving[u], 1) == 1 &&
               claim(s, u, u); /* atomic: several neighbors */
    }
};
struct reach { /* from the pivot, along out-edges */
    static __device__ __forceinline__ bool visit(const search &s, int32_t, int32_t u, int32_t) {
        /* racy test: colors only grow; then several neighbors */
        return is_active(s, u) && !fri_racy_load(&s.color[u]) && atomicExch(&s.color[u], 1u) == 0;
    }
};
struct spread { /* along out-edges: the larger color */
    static __device__ __forceinline__ bool visit(const search &s, int32_t v, int32_t u,
                                                 int32_t step) {
        /* racy: colors only grow, and a vertex whose color grows is listed for the next step */
        const uint32_t color = fri_racy_load(&s.color[v]);
        return is_active(s, u) && s.part[u] == s.part[v] && fri_racy_load(&s.color[u]) < color &&
               atomicMax(&s.color[u], color) < color &&        /* atomic: several neighbors */
               atomicExch(&s.listed[u], step + 1) != step + 1; /* of which one lists u */
    }
};
struct collect { /* along in-edges: the component of each vertex that kept its color */
    static __device__ __forceinline__ bool visit(const search &s, int32_t v, int32_t u, int32_t) {
        return s.color[u] == s.color[v] && claim(s, u, s.found[v]);
    }
};

template <class O, class STEP>
static __global__ void __launch_bounds__(BLOCK)
    step_kernel(search s, fri_csr_view<O> csr, int32_t step) {
    int32_t *const tail = &s.control[COUNTS + (step + 1) % 3], *const next = s.list[(step + 1) % 2];
    if (blockIdx.x == 0 && threadIdx.x == 0)
        s.control[COUNTS + (step + 2) % 3] = 0;
    for_edges(
        csr, s.list[step % 2], s.control[COUNTS + step % 3],
        [&](int32_t v, int32_t u) {
            const bool lists = u >= 0 && STEP::visit(s, v, u, step);
            const int32_t at = fri_warp_place(csr, (int32_t)lists, tail);
            if (lists)
                next[at] = u;
        },
        [](int32_t) {});
}

/* degree[v]: edges of active vertices v to active ones of the part, without self-loops. It must be 0. */
template <class O>
static __global__ void __launch_bounds__(BLOCK)
    degree_kernel(search s, fri_csr_view<O> csr, int32_t count, int32_t *degree) {
    unsigned edges = 0;
    for_edges(
        csr, s.active, count,
        [&](int32_t v, int32_t u) {
            edges += u >= 0 && u != v && s.found[u] < 0 && s.part[u] == s.part[v];
        },
        [&](int32_t v) {
            const unsigned all = fri_warp_total(edges);
            if (fri_lane() == 0 && all)
                atomicAdd(&degree[v], (int32_t)all); /* the warps that share a row */
            edges = 0;
        });
}

static __global__ void begin_kernel(search s) {
    const int32_t v = fri_labels_thread();
    if (v >= s.n)
        return;
    s.found[v] = -1;
    s.part[v] = s.color[v] = 0;
    s.listed[v] = 0;
    s.active[v] = v;
}

static __global__ void clear_degrees_kernel(search s, int32_t count) {
    const int32_t i = fri_labels_thread();
    if (i < count)
        s.entering[s.active[i]] = s.leaving[s.active[i]] = 0;
}

/* Lists a vertex for a step. Whole warps. */
template <class O>
static __device__ __forceinline__ void list_first(const search &s, const fri_csr_view<O> &csr,
                                                  bool lists, int32_t v, int32_t step) {
    const int32_t at = fri_warp_place(csr, (int32_t)lists, &s.control[COUNTS + step % 3]);
    if (lists)
        s.list[step % 2][at] = v;
}

template <class O>
static __global__ void first_trimmed_kernel(search s, fri_csr_view<O> csr, int32_t count,
                                            int32_t step) {
    const int32_t i = fri_labels_thread(), v = i < count ? s.active[i] : -1;
    const bool lists = v >= 0 && (!s.entering[v] || !s.leaving[v]);
    if (lists)
        s.found[v] = v;
    list_first(s, csr, lists, v, step);
}

/* The active vertex with the largest product of its degrees. */
static __global__ void find_pivot_kernel(search s, int32_t count) {
    const int32_t i = fri_labels_thread();
    unsigned long long key = 0;
    if (i < count) {
        const int32_t v = s.active[i];
        const unsigned long long product =
            (unsigned long long)s.entering[v] * (unsigned long long)s.leaving[v];
        key = (product < 0xffffffffull ? product : 0xffffffffull) << 32 | (uint32_t)v;
    }
    for (int d = FRI_WARP / 2; d; d /= 2) {
        const unsigned long long other = __shfl_xor_sync(FRI_FULL_MASK, key, d);
        key = other > key ? other : key;
    }
    unsigned long long *const pivot = (unsigned long long *)&s.control[PIVOT];
    /* racy test: the key only increases, and a stale one only costs the atomic */
    if (fri_lane() == 0 && key > fri_racy_load(pivot))
        atomicMax(pivot, key); /* several warps */
}

static __device__ __forceinline__ int32_t pivot_of(const search &s) {
    return (int32_t)(uint32_t) * (const unsigned long long *)&s.control[PIVOT];
}

/* One thread. */
static __global__ void first_reached_kernel(search s, int32_t step) {
    s.color[pivot_of(s)] = 1;
    s.list[step % 2][0] = pivot_of(s);
    s.control[COUNTS + step % 3] = 1;
}
static __global__ void first_collected_kernel(search s, int32_t step) {
    s.found[pivot_of(s)] = pivot_of(s);
    s.list[step % 2][0] = pivot_of(s);
    s.control[COUNTS + step % 3] = 1;
}

template <class O>
static __global__ void first_colors_kernel(search s, fri_csr_view<O> csr, int32_t count,
                                           int32_t step) {
    const int32_t i = fri_labels_thread(), v = i < count ? s.active[i] : -1;
    if (v >= 0)
        s.color[v] = own_color(v);
    list_first(s, csr, v >= 0, v, step);
}

template <class O>
static __global__ void first_roots_kernel(search s, fri_csr_view<O> csr, int32_t count,
                                          int32_t step) {
    const int32_t i = fri_labels_thread(), v = i < count ? s.active[i] : -1;
    const bool lists = v >= 0 && s.color[v] == own_color(v);
    if (lists)
        s.found[v] = v;
    list_first(s, csr, lists, v, step);
}

/* Keeps the active vertices; their colors become parts, if `colored`. */
template <class O>
static __global__ void compact_kernel(search s, fri_csr_view<O> csr, int32_t count, bool colored) {
    const int32_t i = fri_labels_thread(), v = i < count ? s.active[i] : -1;
    const bool stays = v >= 0 && s.found[v] < 0;
    const int32_t at = fri_warp_place(csr, (int32_t)stays, &s.control[ACTIVE]);
    if (!stays)
        return;
    s.rest[at] = v;
    if (colored)
        s.part[v] = s.color[v];
}

/* ---- smallest vertices -------------------------------------------------------------------- */

static __global__ void init_min_member_kernel(search s, int32_t *min_member) {
    const int32_t v = fri_labels_thread();
    if (v < s.n)
        min_member[v] = s.n;
}
static __global__ void min_member_kernel(search s, int32_t *min_member) {
    const int32_t v = fri_labels_thread();
    /* racy test: the value only decreases, and a stale one only costs the atomic */
    if (v < s.n && fri_racy_load(&min_member[s.found[v]]) > v)
        atomicMin(&min_member[s.found[v]], v); /* the members of the component */
}
static __global__ void label_kernel(search s, const int32_t *min_member, int32_t *label) {
    const int32_t v = fri_labels_thread();
    if (v < s.n)
        label[v] = min_member[s.found[v]];
}

/* ---- host -------------------------------------------------------------------------------- */

static search search_of(const fri_gpu *g, char **at) {
    search s = {};
    int32_t **const own[] = {&s.found,  &s.entering, &s.leaving, &s.listed,
                             &s.active, &s.rest,     &s.list[0], &s.list[1]};
    for (int32_t **array : own)
        fri_carve_array(at, array, g->n);
    fri_carve_array(at, &s.part, g->n);
    fri_carve_array(at, &s.color, g->n);
    s.n = g->n;
    s.control = g->control;
    return s;
}

static size_t device_scratch(const fri_gpu *g) {
    return fri_carved_bytes(g, fri_labels_carve) + fri_carved_bytes(g, search_of);
}

namespace {
struct state {
    fri_gpu *g;
    search s;
    int32_t active; /* vertices */
    int32_t step;   /* the next one */
};
} // namespace

static unsigned wide(const fri_gpu *g) { return (unsigned)(g->multiprocessors * BLOCKS); }

/* Launches STEP along out-edges, or in-edges, until it lists nothing. BACK: also along in-edges. A step
 * takes what it lists one edge further, so there are no more steps than active vertices. */
template <class STEP, class BACK = STEP> static fr_status run_steps(state *x, bool out, bool in) {
    fri_gpu *g = x->g;
    const int32_t first = x->step;
    for (int32_t some = 1;; some = FRI_MIN(2 * some, (int32_t)CHECK)) {
        FRI_GPU_TRY(fri_progress(g->job->ctx, "finding components", g->n - x->active, g->n));
        for (int32_t i = 0; i < some; i++, x->step++) {
            if (out)
                FRI_BY_OFFSET_TYPE(g, FRI_RUN((step_kernel<O, STEP>), wide(g), BLOCK, x->s,
                                              fri_csr_view_of<O>(g->out), x->step));
            if (in)
                FRI_BY_OFFSET_TYPE(g, FRI_RUN((step_kernel<O, BACK>), wide(g), BLOCK, x->s,
                                              fri_csr_view_of<O>(g->in), x->step));
        }
        FRI_GPU_TRY(fri_gpu_read_control(g, COUNTS, 3));
        if (!g->host_control[COUNTS + x->step % 3])
            return FR_OK;
        FRI_GPU_TRY(fri_gpu_check_steps(g->job, "steps", x->step - first, x->active));
    }
}

static fr_status clear_words(const state *x, int first, int count) {
    return fri_gpu_zero(x->g, x->s.control + first, (size_t)count * sizeof(int32_t));
}

static fr_status compact(state *x, bool colored) {
    fri_gpu *g = x->g;
    FRI_GPU_TRY(clear_words(x, ACTIVE, 1));
    FRI_BY_OFFSET_TYPE(g, FRI_RUN_EACH((compact_kernel<O>), x->active, BLOCK, x->s,
                                       fri_csr_view_of<O>(g->out), x->active, colored));
    FRI_GPU_TRY(fri_gpu_read_control(g, ACTIVE, 1));
    int32_t *const rest = x->s.rest;
    x->s.rest = x->s.active;
    x->s.active = rest;
    x->active = g->host_control[ACTIVE];
    return FR_OK;
}

static fr_status trim(state *x) {
    fri_gpu *g = x->g;
    const search &s = x->s;
    const unsigned blocks = fri_gpu_blocks(x->active, BLOCK);
    FRI_RUN(clear_degrees_kernel, blocks, BLOCK, s, x->active);
    FRI_BY_OFFSET_TYPE(g, FRI_RUN((degree_kernel<O>), wide(g), BLOCK, s, fri_csr_view_of<O>(g->out),
                                  x->active, s.leaving));
    FRI_BY_OFFSET_TYPE(g, FRI_RUN((degree_kernel<O>), wide(g), BLOCK, s, fri_csr_view_of<O>(g->in),
                                  x->active, s.entering));
    FRI_BY_OFFSET_TYPE(g, FRI_RUN((first_trimmed_kernel<O>), blocks, BLOCK, s,
                                  fri_csr_view_of<O>(g->out), x->active, x->step));
    FRI_GPU_TRY((run_steps<trim_leaving, trim_entering>(x, true, true)));
    return compact(x, false);
}

/* Finds the component of the pivot; what it reaches becomes a part. */
static fr_status search_pivot(state *x) {
    fri_gpu *g = x->g;
    FRI_GPU_TRY(clear_words(x, PIVOT, 2));
    FRI_RUN_EACH(find_pivot_kernel, x->active, BLOCK, x->s, x->active);
    FRI_RUN(first_reached_kernel, 1, 1, x->s, x->step);
    FRI_GPU_TRY(run_steps<reach>(x, true, false));
    FRI_RUN(first_collected_kernel, 1, 1, x->s, x->step);
    FRI_GPU_TRY(run_steps<collect>(x, false, true));
    return compact(x, true);
}

/* Finds at least one component of every part. */
static fr_status search_colors(state *x) {
    fri_gpu *g = x->g;
    const unsigned blocks = fri_gpu_blocks(x->active, BLOCK);
    FRI_BY_OFFSET_TYPE(g, FRI_RUN((first_colors_kernel<O>), blocks, BLOCK, x->s,
                                  fri_csr_view_of<O>(g->out), x->active, x->step));
    FRI_GPU_TRY(run_steps<spread>(x, true, false));
    FRI_BY_OFFSET_TYPE(g, FRI_RUN((first_roots_kernel<O>), blocks, BLOCK, x->s,
                                  fri_csr_view_of<O>(g->out), x->active, x->step));
    FRI_GPU_TRY(run_steps<collect>(x, false, true));
    return compact(x, true);
}

static fr_status find(state *x) {
    fri_gpu *g = x->g;
    FRI_RUN_EACH(begin_kernel, g->n, BLOCK, x->s);
    FRI_GPU_TRY(trim(x));
    if (x->active)
        FRI_GPU_TRY(search_pivot(x));
    for (int32_t searches = 0; x->active; searches++) { /* each finds a component */
        FRI_GPU_TRY(fri_gpu_check_steps(g->job, "searches", searches, g->n));
        FRI_GPU_TRY(trim(x));
        if (x->active)
            FRI_GPU_TRY(search_colors(x));
    }
    return FR_OK;
}

static fr_status run(fri_gpu *g, int32_t *label, int32_t *size, int32_t *count) {
    char *at = g->scratch;
    const unsigned blocks = fri_gpu_blocks(g->n, BLOCK);
    const fri_labels f = fri_labels_carve(g, &at);
    state x = {g, search_of(g, &at), g->n, 0};
    FRI_GPU_TRY(find(&x));
    int32_t *const min_member = x.s.entering; /* free by now */
    FRI_RUN(init_min_member_kernel, blocks, BLOCK, x.s, min_member);
    FRI_RUN(min_member_kernel, blocks, BLOCK, x.s, min_member);
    FRI_RUN(label_kernel, blocks, BLOCK, x.s, min_member, f.label);
    return fri_labels_finish(g, f, label, size, count);
}

FRI_GPU_CALL_STRATEGY(strategy, "strong-components", FR_PROBLEM_BFS, FRI_NEEDS_IN_EDGES,
                      device_scratch);

fr_status fri_gpu_strong_components(fr_ctx *ctx, const fr_graph *graph, int32_t *label,
                                    int32_t *size, int32_t *count) {
    return fri_labels_call(ctx, graph, &strategy, run, label, size, count);
}
