/* All pairs by Floyd-Warshall on blocks: vectors, registers, caches and cores.
 *
 * Source: R. W. Floyd: Algorithm 97: Shortest path, CACM 5(6), 1962; S. Warshall: A theorem on
 *   Boolean matrices, JACM 9(1), 1962; blocks: G. Venkataraman, S. Sahni, S. Mukhopadhyaya: A
 *   blocked all-pairs shortest-paths algorithm, ACM JEA 8, 2003.
 * Idea: for each block of 64 pivots: first the pivot block (one thread), then its row and column of
 *   blocks, then all others; the same one level up with 8 blocks as one. All but the pivot block
 *   are min-plus matrix products, computed like fast matrix products: a tile of the result stays in
 *   registers while one factor is loaded as vectors and the other is broadcast element by element.
 * Differs: the row and column phases are such products too, with the finished pivot block as one
 *   factor, which already includes any number of passes through its vertices. Blocks are
 *   contiguous, so that cache lines do not conflict and few pages are used. Only vertices that a
 *   source of the query reaches are included. Parents are updated with the distances (pi[i][j] =
 *   pi[k][j] if the path through k is strictly shorter); where weights of 0 make them cyclic, the
 *   parents of the row are computed again.
 * Needs: any weights; for int64, n times the largest absolute weight must be below 2^60. The
 *   matrix is int32 where that product is below 2^29 and int64 otherwise; FR_OVERFLOW if a distance
 *   does not fit the result. A pivot whose distance to itself is below 0 lies on a negative cycle:
 *   no sum has gone around it twice by then, so nothing can have wrapped. Bellman-Ford finds the
 *   cycle, or solves the rows where floats only appear negative by rounding; it also repairs rows of
 *   floats whose parents are cyclic or, where a weight is negative, have paths of other lengths.
 * Scratch: distances and parents of n^2 cells, padded to whole blocks.
 * Work: 2 n^3 operations (with parents about twice that); three barriers per 64 pivots and two per
 *   512. See docs/performance.md for measurements.
 * Good at: dense graphs, n up to ten thousand.
 * Bad at: sparse graphs; it computes all rows whatever the query requests.
 */
#include "base/pace.h"
#include "base/team.h"
#include "core/query/min_parents.h"
#include "cpu/apsp/floyd_warshall/matrix.h"
#include "cpu/sssp/sssp.h"
#include "cpu/typed.h"

/* Pivot blocks per step, and columns of blocks that a thread processes together. Every cell is
 * loaded and stored once per step: steps of one block need more bandwidth than memory has, steps of
 * eight an eighth of it. The parts of a step's rows and columns in use, 2 * 8 and 8 blocks, are 384
 * KB of int32, which fit a second-level cache. 8 x 2 was the fastest of 1 x 32, 2 x 8, 4 x 4, 4 x
 * 8, 8 x 4 and 8 x 2. */
enum {
    STEP = 8,
    GROUP = 2,
    PRODUCT_WORK = FRI_PACE_WORK / 8 /* work of a product, for the pace */
};

static const fr_knob knobs[] = {
    {"isa", FRI_FLOYD_ISA_BEST, FRI_FLOYD_PORTABLE, FRI_FLOYD_ISA_BEST,
     "widest vectors to use where the processor has them: 0 the compiler's, 1 AVX2, 2 AVX-512"},
    {0}};
enum { KNOB_ISA };

enum { SQUARE_CROSS, SQUARE_REST, CROSS, REST, CURSORS };

typedef struct {
    fri_floyd f;
    const fri_floyd_kernels *kernels;
    bool negative;
    fr_status status; /* written by pivot() alone while the team works */
    fri_pace pace;
    int64_t step; /* the pivot block */
    /* next item of each phase; member 0 sets them to 0 before the first barrier of a square */
    int64_t cursor[CURSORS];
} run_state;

/* ---- memory ------------------------------------------------------------------------------ */

static size_t matrix_bytes(const fri_job *job) {
    int64_t side = ((int64_t)job->csr.n + FRI_FLOYD_BLOCK - 1) / FRI_FLOYD_BLOCK * FRI_FLOYD_BLOCK;
    return fri_bytes(side * side, fr_type_size(fri_floyd_type(job)));
}

/* Of Bellman-Ford, which repairs rows of floats. */
static size_t search_bytes(const fri_job *job) {
    return fri_is_real(job->in->dist_type) ? fri_sssp_bellman_ford.scratch(job) : 0;
}

static size_t scratch(const fri_job *job) {
    size_t n = (size_t)job->csr.n, ids = n * sizeof(int32_t), matrix = matrix_bytes(job);
    if (matrix > SIZE_MAX / 4)
        return SIZE_MAX;
    return 2 * fri_align_line(matrix) + 3 * fri_align_line(ids) + fri_align_line(2 * ids) +
           fri_align_line(n * fr_type_size(job->in->dist_type)) +
           fri_align_line((size_t)job->in->row_capacity) + search_bytes(job);
}

static void lay_out(fri_job *job, fri_floyd *f) {
    char *at_scratch = job->scratch;
    size_t n = (size_t)job->csr.n, ids = n * sizeof(int32_t), matrix = matrix_bytes(job);
    f->job = job;
    f->type = fri_floyd_type(job);
    f->dist = fri_carve(&at_scratch, matrix);
    f->parents = fri_carve(&at_scratch, matrix);
    f->vertex = fri_carve(&at_scratch, ids);
    f->place = fri_carve(&at_scratch, ids);
    f->row_parent = fri_carve(&at_scratch, ids);
    f->spare = fri_carve(&at_scratch, 2 * ids);
    f->row_dist = fri_carve(&at_scratch, n * fr_type_size(job->in->dist_type));
    f->invalid = fri_carve(&at_scratch, (size_t)job->in->row_capacity);
    f->search = at_scratch;
    if (!job->out->parent && !(job->in->query.row && job->in->query.want_parents) &&
        !fri_floyd_checks_sums(job))
        f->parents = NULL;
}

/* Assigns places, in the order of the vertices, to those that a source reaches. */
static void choose_vertices(fri_job *job, fri_floyd *f) {
    const fr_csr *csr = &job->csr;
    int64_t tail = 0, rows = fri_job_rows(job);
    for (int32_t v = 0; v < csr->n; v++)
        f->place[v] = job->in->query.sources ? -1 : 0;
    for (int64_t r = 0; job->in->query.sources && r < rows; r++)
        if (f->place[job->in->query.sources[r]] < 0) {
            f->place[job->in->query.sources[r]] = 0;
            f->vertex[tail++] = job->in->query.sources[r];
        }
    for (int64_t head = 0; head < tail; head++)
        for (int64_t e = csr->offsets[f->vertex[head]]; e < csr->offsets[f->vertex[head] + 1]; e++)
            if (f->place[csr->targets[e]] < 0) {
                f->place[csr->targets[e]] = 0;
                f->vertex[tail++] = csr->targets[e];
            }
    f->size = 0;
    for (int32_t v = 0; v < csr->n; v++)
        if (f->place[v] >= 0) {
            f->vertex[f->size] = v;
            f->place[v] = f->size++;
            job->out->stats.edges_examined += csr->offsets[v + 1] - csr->offsets[v];
        }
    f->blocks = (int32_t)(((int64_t)f->size + FRI_FLOYD_BLOCK - 1) / FRI_FLOYD_BLOCK);
}

/* ---- the phases -------------------------------------------------------------------------- */

/* Updates block (i, j) with paths through the pivot blocks begin .. end-1. */
static void product(const run_state *s, int64_t i, int64_t j, int64_t begin, int64_t end) {
    const fri_floyd *f = &s->f;
    for (int64_t k = begin; k < end; k++)
        s->kernels->product(fri_floyd_block(f, f->dist, i, j), fri_floyd_block(f, f->dist, i, k),
                            fri_floyd_block(f, f->dist, k, j), fri_floyd_block(f, f->parents, i, j),
                            fri_floyd_block(f, f->parents, k, j));
}

/* Member 0 alone. */
static void pivot(run_state *s, int64_t k) {
    fri_floyd *f = &s->f;
    for (int i = 0; i < CURSORS; i++)
        s->cursor[i] = 0;
    s->step = k;
    fri_pace_stop(&s->pace, FRI_PACE_WORK, k);
    s->status = s->pace.status;
    if (!s->status)
        s->negative = !s->kernels->pivot(fri_floyd_block(f, f->dist, k, k),
                                         fri_floyd_block(f, f->parents, k, k));
}

/* The index-th block that is not one of the pivot blocks begin .. end-1. */
static int64_t other(int64_t index, int64_t begin, int64_t end) {
    return index < begin ? index : index + end - begin;
}

/* Whether the run should end early; called after a product. Member 0 checks for cancellation;
 * pivot() reports it to all members. */
static bool halts(fri_member me, run_state *s) {
    return fri_pace_stop_team(&s->pace, me.index == 0, PRODUCT_WORK, s->step);
}

/* Applies one pivot block to a step's square of blocks begin .. end-1. False: the run is over. */
static bool square(fri_member me, run_state *s, int64_t k, int64_t begin, int64_t end) {
    int64_t others = end - begin - 1, at, stop;
    if (me.index == 0)
        pivot(s, k);
    fri_team_barrier(me); /* the pivot block is finished, or the run is over */
    if (s->status || s->negative)
        return false;
    while (fri_team_next_chunk(&s->cursor[SQUARE_CROSS], 2 * others, 1, &at, &stop)) {
        int64_t x = begin + other(at % others, k - begin, k - begin + 1);
        product(s, at < others ? k : x, at < others ? x : k, k, k + 1);
        halts(me, s);
    }
    fri_team_barrier(me); /* row and column k are finished: the rest of the square reads them */
    while (!halts(me, s) &&
           fri_team_next_chunk(&s->cursor[SQUARE_REST], others * others, 1, &at, &stop))
        product(s, begin + other(at / others, k - begin, k - begin + 1),
                begin + other(at % others, k - begin, k - begin + 1), k, k + 1);
    fri_team_barrier(me); /* the next pivot block is ready */
    return true;
}

/* One item is a whole column of the step's rows or a whole row of its columns, so that one thread
 * processes it. */
static void cross(fri_member me, run_state *s, int64_t begin, int64_t end) {
    int64_t others = s->f.blocks - (end - begin), at, stop;
    while (fri_team_next_chunk(&s->cursor[CROSS], 2 * others, 1, &at, &stop)) {
        int64_t x = other(at % others, begin, end);
        for (int64_t k = begin; k < end && !halts(me, s); k++)
            product(s, at < others ? k : x, at < others ? x : k, begin, end);
    }
}

/* GROUP columns at a time: their part of the step's rows stays in the second-level cache. */
static void rest(fri_member me, run_state *s, int64_t begin, int64_t end) {
    int64_t others = s->f.blocks - (end - begin), groups = (others + GROUP - 1) / GROUP, at, stop;
    while (fri_team_next_chunk(&s->cursor[REST], groups * others, 1, &at, &stop)) {
        int64_t first = at / others * GROUP, i = other(at % others, begin, end);
        for (int64_t j = first; j < others && j < first + GROUP && !halts(me, s); j++)
            product(s, i, other(j, begin, end), begin, end);
    }
}

static void body(fri_member me, void *arg) {
    run_state *s = arg;
    for (int64_t begin = 0; begin < s->f.blocks; begin += STEP) {
        int64_t end = FRI_MIN(begin + STEP, s->f.blocks);
        for (int64_t k = begin; k < end; k++)
            if (!square(me, s, k, begin, end))
                return;
        cross(me, s, begin, end);
        fri_team_barrier(me); /* the step's rows and columns are finished: all others read them */
        rest(me, s, begin, end);
        fri_team_barrier(me); /* the next step's square is ready */
    }
}

static fr_status all_pairs(run_state *s) {
    s->negative = false;
    s->pace = fri_pace_begin(s->f.job->ctx, "solving", s->f.blocks);
    s->status = fri_floyd_fill(&s->f);
    if (s->status)
        return s->status;
    s->f.job->out->stats.threads = fri_team_run(s->f.job->ctx, s->f.job->in->threads, body, s);
    s->status = s->pace.status; /* the last step has no pivot() after it */
    return s->status;
}

/* ---- the rows ---------------------------------------------------------------------------- */

static void *dist_of(const fri_floyd *f, int64_t row) {
    size_t bytes = (size_t)f->job->csr.n * fr_type_size(f->job->in->dist_type);
    return f->job->out->dist ? (char *)f->job->out->dist + (size_t)row * bytes : NULL;
}

static int32_t *parent_of(const fri_floyd *f, int64_t row) {
    return f->job->out->parent ? f->job->out->parent + row * f->job->csr.n : NULL;
}

static fr_status overflow(const fri_floyd *f, int32_t source) {
    return fri_fail(f->job->ctx, FR_OVERFLOW,
                    "a distance from vertex %lld does not fit %s; ask for a wider type (dist_type)",
                    (long long)fri_id_of(&f->job->in->ids, source),
                    fr_type_name(f->job->in->dist_type));
}

static fr_status rows_to_arrays(const fri_floyd *f) {
    fri_job *job = f->job;
    int64_t bad = INT64_MAX, rows = fri_job_rows(job);
    fri_pace pace = fri_pace_begin(job->ctx, "copying rows", rows);
#pragma omp parallel for reduction(min : bad) schedule(FRI_DYNAMIC, 8) num_threads(job->in->threads)
    for (int64_t r = 0; r < rows; r++) {
        if (FRI_PACE_STOP_LOOP(&pace, job->csr.n, r))
            continue;
        f->invalid[r] = 0;
        if (fri_floyd_row(f, fri_job_source(job, r), dist_of(f, r), parent_of(f, r),
                          &f->invalid[r]))
            bad = FRI_MIN(bad, r);
    }
    if (pace.status)
        return pace.status;
    return bad == INT64_MAX ? FR_OK : overflow(f, fri_job_source(job, bad));
}

static bool must_repair(const fri_floyd *f, int64_t row) {
    return fri_floyd_checks_sums(f->job) ||
           (f->parents && (f->invalid[row] || f->job->in->query.parent_rule == FR_PARENT_MIN_ID));
}

/* The arrays of a row: the caller's or ours; parent is NULL if nobody wants parents. */
typedef struct {
    int32_t source, *parent;
    void *dist;
    bool own_dist, own_parent;
} row_arrays;

static row_arrays arrays_of(const fri_floyd *f, int64_t row) {
    row_arrays a = {fri_job_source(f->job, row), parent_of(f, row), dist_of(f, row), false, false};
    a.own_dist = !a.dist;
    a.own_parent = f->parents && !a.parent;
    if (a.own_dist)
        a.dist = f->row_dist;
    if (a.own_parent)
        a.parent = f->row_parent;
    return a;
}

static fr_status hand_over(const fri_floyd *f, int64_t row, const row_arrays *a) {
    const fr_query *q = &f->job->in->query;
    if (q->row && q->row(q->row_user, row, a->source, a->dist, q->want_parents ? a->parent : NULL))
        return fri_fail(f->job->ctx, FR_CANCELLED, "cancelled while handing over rows");
    return FR_OK;
}

/* Repairs the row and passes it to the callback. */
static fr_status finish_row(const fri_floyd *f, int64_t row) {
    if (!f->job->in->query.row && !must_repair(f, row))
        return FR_OK;
    row_arrays a = arrays_of(f, row);
    if ((a.own_dist || a.own_parent) &&
        fri_floyd_row(f, a.source, a.own_dist ? a.dist : NULL, a.own_parent ? a.parent : NULL,
                      &f->invalid[row]))
        return overflow(f, a.source);
    fr_status status = FR_OK;
    if (must_repair(f, row)) /* `invalid` may have been set just now */
        status = fri_floyd_repair_row(f, a.source, f->invalid[row], a.dist, a.parent);
    return status ? status : hand_over(f, row, &a);
}

/* After a distance below 0 that comes from rounding: the matrix is void. */
static fr_status search_row(const fri_floyd *f, int64_t row) {
    row_arrays a = arrays_of(f, row); /* there are parents, if only ours */
    fr_status status = fri_floyd_search_row(f, a.source, a.dist, a.parent);
    return status ? status : hand_over(f, row, &a);
}

static fr_status each_row(const fri_floyd *f, fr_status (*finish)(const fri_floyd *, int64_t)) {
    fri_job *job = f->job;
    const int64_t rows = fri_job_rows(job);
    fri_pace pace = fri_pace_begin(job->ctx, "copying rows", rows);
    for (int64_t r = 0; r < rows; r++) {
        fr_status status = finish(f, r);
        if (!status && fri_pace_stop(&pace, job->csr.n, r))
            status = pace.status;
        if (status)
            return status;
    }
    return FR_OK;
}

static fr_status check(const fri_job *job) {
    if (fri_floyd_takes(job))
        return FR_OK;
    return fri_fail(
        job->ctx, FR_UNSUPPORTED,
        "floyd-warshall: %d vertices times the largest weight, %g, exceed 2^60; johnson "
        "and, without negative weights, multi-sssp take them",
        job->csr.n, fri_floyd_path_bound(job) / FRI_MAX(job->csr.n, 1));
}

static fr_status run(fri_job *job) {
    run_state s = {0};
    fr_status status = fri_refuse_min_parents_of_floats(job);
    if (status)
        return status;
    if (!fri_floyd_sums_fit(job))
        return fri_fail(job->ctx, FR_OVERFLOW, "sums of weights up to %g may exceed double",
                        job->weight_max);
    lay_out(job, &s.f);
    choose_vertices(job, &s.f);
    s.kernels = fri_floyd_kernels_for(s.f.type, (fri_floyd_isa)job->knob[KNOB_ISA]);
    status = all_pairs(&s);
    job->out->stats.levels = s.f.blocks;
    if (!status && s.negative) {
        status = fri_floyd_find_cycle(&s.f);
        return status ? status : each_row(&s.f, search_row);
    }
    if (!status)
        status = rows_to_arrays(&s.f);
    return status ? status : each_row(&s.f, finish_row);
}

const fri_strategy fri_apsp_floyd_warshall = {
    .name = "floyd-warshall",
    .source = "Floyd, CACM 1962; Venkataraman, Sahni, Mukhopadhyaya, JEA 2003",
    .text = "min-plus matrix products on blocks of 64, all cores, any weights",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CPU,
    .knobs = knobs,
    .scratch = scratch,
    .check = check,
    .run = run,
};
