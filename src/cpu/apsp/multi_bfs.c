/* Levels from many sources at once: one bit per source in the words of every vertex.
 *
 * Source: M. Then, M. Kaufmann, F. Chirigati, T.-A. Hoang-Vu, K. Pham, A. Kemper, T. Neumann, H. T.
 *   Vo: The more the merrier: efficient multi-source graph traversal, VLDB 2014, sections 3 and 4.
 * Idea: searches from many sources reach the same vertices at nearly the same time. With 64 to 512
 *   of them in 1 to 8 words per vertex, one access to an edge serves all: next[v] |= visit[u] and
 *   not seen[v]. Bottom-up a vertex stops once its edges have delivered all missing bits.
 * Differs: the direction is chosen per level by edges; top-down only processes the active vertices
 *   (a bitmap) and claims bits by an atomic or; parents are written where a bit is first set. A
 *   pull finds them in ascending order, so FR_PARENT_MIN_ID always pulls.
 * Needs: in-edges; unit weights.
 * Scratch: per vertex 24 bytes per word, and up to 64 MB or one row for callers that take rows by
 *   callback.
 * Work: at most (n + m) words per level; as many levels as the deepest source needs.
 *   Barriers: 3 per level.
 * Good at: low-diameter graphs, hundreds of sources.
 * Bad at: few sources on graphs of large diameter.
 */
#include "cpu/apsp/multi_bfs.h"

#include <string.h>

static const size_t BAND_BYTES = (size_t)64 << 20;

static const fr_knob knobs[] = {
    {"sources", 512, 1, 512, "sources per pass; 64 to a word, a cache line of words at most"},
    {"pull", 3, 0, 1e9,
     "bottom-up when incomplete vertices' edges < this * active edges; 0: never"},
    {0}};
enum { KNOB_SOURCES, KNOB_PULL };

/* ---- memory ------------------------------------------------------------------------------- */

static int pass_sources(const fri_job *job) {
    double maximum = job->knob[KNOB_SOURCES];
    int64_t rows = FRI_MAX(job->in->row_capacity, 1);
    return rows < maximum ? (int)rows : (int)maximum;
}

static int words_for(int sources) {
    return sources <= 64 ? 1 : sources <= 256 ? 4 : FRI_MULTI_BFS_WORDS;
}

static size_t row_bytes(const fri_job *job, size_t size) {
    return fri_align_line(fri_bytes(job->csr.n, size));
}

static int64_t band_rows(const fri_job *job) {
    size_t row = row_bytes(job, fr_type_size(job->in->dist_type)) + row_bytes(job, sizeof(int32_t));
    int64_t rows = (int64_t)(BAND_BYTES / FRI_MAX(row, 1));
    return FRI_MAX(1, FRI_MIN(rows, pass_sources(job)));
}

static size_t state_bytes(const fri_job *job) {
    int words = words_for(pass_sources(job));
    return fri_align_line(fri_bytes((int64_t)job->csr.n * words, sizeof(uint64_t)));
}

static size_t band_bytes(const fri_job *job, size_t size) {
    return (size_t)band_rows(job) * row_bytes(job, size);
}

static size_t scratch(const fri_job *job) {
    return fri_align_line(sizeof(fri_multi_bfs)) + 3 * state_bytes(job) +
           2 * fri_align_line(fri_bitmap_bytes(job->csr.n)) +
           (size_t)job->in->threads * fri_align_line(sizeof(fri_multi_bfs_worker)) +
           band_bytes(job, fr_type_size(job->in->dist_type)) + band_bytes(job, sizeof(int32_t));
}

static fr_status prepare(fri_job *job) {
    char *at = job->scratch;
    fri_multi_bfs *s = fri_carve(&at, sizeof *s);
    *s = (fri_multi_bfs){.job = job, .band = band_rows(job)};
    s->seen = fri_carve(&at, state_bytes(job));
    s->visit = fri_carve(&at, state_bytes(job));
    s->next = fri_carve(&at, state_bytes(job));
    s->active = fri_carve(&at, fri_bitmap_bytes(job->csr.n));
    s->touched = fri_carve(&at, fri_bitmap_bytes(job->csr.n));
    s->workers =
        fri_carve(&at, (size_t)job->in->threads * fri_align_line(sizeof(fri_multi_bfs_worker)));
    s->band_dist = fri_carve(&at, band_bytes(job, fr_type_size(job->in->dist_type)));
    s->band_parent = fri_carve(&at, band_bytes(job, sizeof(int32_t)));
    for (int i = 0; i < job->in->threads; i++)
        s->workers[i] = (fri_multi_bfs_worker){0};
    return FR_OK;
}

/* ---- one pass ----------------------------------------------------------------------------- */

/* Whether the next level is beyond the query's limit. */
static bool is_deepest(const fri_multi_bfs *s) {
    double limit = s->job->in->query.max_distance;
    return limit > 0 && (double)(s->depth + 1) > limit;
}

static void choose(fri_multi_bfs *s) {
    double factor = s->job->knob[KNOB_PULL];
    s->pulls = s->job->in->query.parent_rule == FR_PARENT_MIN_ID ||
               (double)s->left < factor * (double)s->edges;
    s->cursor = 0;
}

static void close_level(fri_multi_bfs *s) {
    fri_multi_bfs_worker sum = {0};
    for (int i = 0; i < s->job->in->threads; i++) {
        fri_multi_bfs_worker *l = &s->workers[i];
        sum.active += l->active;
        sum.edges += l->edges;
        sum.left += l->left;
        sum.examined += l->examined;
        *l = (fri_multi_bfs_worker){0};
    }
    fr_stats *stats = &s->job->out->stats;
    stats->edges_examined += sum.examined;
    s->depth += sum.active > 0;
    stats->levels = FRI_MAX(stats->levels, (int32_t)s->depth);
    s->edges = sum.edges;
    if (s->pulls)
        s->left = sum.left;
    uint64_t *visit = s->visit, *active = s->active;
    s->visit = s->next;
    s->next = visit;
    s->active = s->touched;
    s->touched = active;
    fri_pace_stop(&s->pace, s->job->csr.n / 64 + 1, s->row);
    s->status = s->pace.status;
    s->over = sum.active == 0 || s->status || is_deepest(s);
    choose(s);
}

/* Sets all entries of the rows to not reached and all bits to 0. */
static void clear(fri_multi_bfs *s, fri_member me) {
    int64_t n = s->job->csr.n, begin, end;
    fri_team_static_range(me, n * s->words, 8, &begin, &end);
    size_t bytes = (size_t)(end - begin) * sizeof(uint64_t);
    memset(s->seen + begin, 0, bytes);
    memset(s->visit + begin, 0, bytes);
    memset(s->next + begin, 0, bytes);
    fri_team_static_range(me, fri_bitmap_words(n), 8, &begin, &end);
    memset(s->active + begin, 0, (size_t)(end - begin) * sizeof(uint64_t));
    memset(s->touched + begin, 0, (size_t)(end - begin) * sizeof(uint64_t));
    fri_team_static_range(me, n * s->count, 16, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        if (s->job->in->dist_type == FR_TYPE_I64)
            ((int64_t *)(void *)s->dist)[i] = FR_INF_I64;
        else
            ((int32_t *)(void *)s->dist)[i] = FR_INF_I32;
    for (int64_t i = begin; s->parent && i < end; i++)
        s->parent[i] = -1;
}

static void enter_sources(fri_multi_bfs *s) {
    const fr_csr *out = &s->job->csr;
    s->edges = 0;
    s->depth = 0;
    s->left = s->job->in_edges.m;
    memset(s->full, 0, sizeof s->full);
    for (int32_t i = 0; i < s->count; i++) {
        int32_t v = fri_job_source(s->job, s->row + i);
        int64_t at = (int64_t)v * s->words + i / 64;
        uint64_t bit = UINT64_C(1) << (i % 64);
        s->full[i / 64] |= bit;
        s->seen[at] |= bit;
        s->visit[at] |= bit;
        fri_bit_set(s->active, v);
        fri_multi_bfs_put(s, i, v, 0);
        if (s->parent)
            s->parent[(int64_t)i * out->n + v] = v;
        s->edges += out->offsets[v + 1] - out->offsets[v];
    }
    s->over = is_deepest(s);
    choose(s);
}

static void pass(fri_member me, void *arg) {
    fri_multi_bfs *s = arg;
    clear(s, me);
    fri_team_barrier(me); /* all arrays are cleared */
    if (me.index == 0)
        enter_sources(s);
    for (;;) {
        fri_team_barrier(me); /* direction, depth and end are set */
        if (s->over)
            return;
        fri_multi_bfs_level[s->words](s, me);
        fri_team_barrier(me); /* no thread reads the old frontier any more */
        fri_multi_bfs_retire(s, me);
        fri_team_barrier(me); /* all parts of the level are done */
        if (me.index == 0)
            close_level(s);
    }
}

static fr_status deliver_rows(fri_multi_bfs *s) {
    const fr_query *q = &s->job->in->query;
    size_t size = fr_type_size(s->job->in->dist_type) * (size_t)s->job->csr.n;
    for (int32_t i = 0; q->row && i < s->count; i++)
        if (q->row(q->row_user, s->row + i, fri_job_source(s->job, s->row + i),
                   s->dist + (size_t)i * size,
                   s->parent ? s->parent + (int64_t)i * s->job->csr.n : NULL))
            return fri_fail(s->job->ctx, FR_CANCELLED, "cancelled while handing over rows");
    return FR_OK;
}

static fr_status run(fri_job *job) {
    fri_multi_bfs *s = job->scratch;
    bool wants_parent = job->out->parent || (job->in->query.row && job->in->query.want_parents);
    bool banded = !job->out->dist || (wants_parent && !job->out->parent);
    int64_t rows = fri_job_rows(job), n = job->csr.n;
    int64_t maximum = banded ? s->band : pass_sources(job);
    size_t size = fr_type_size(job->in->dist_type);
    s->status = FR_OK;
    s->pace = fri_pace_begin(job->ctx, "traversing", rows);
    for (s->row = 0; s->row < rows && !s->status; s->row += s->count) {
        s->count = (int32_t)FRI_MIN(maximum, rows - s->row);
        s->words = words_for(s->count);
        s->dist =
            job->out->dist ? (char *)job->out->dist + (size_t)(s->row * n) * size : s->band_dist;
        s->parent = job->out->parent ? job->out->parent + s->row * n
                    : wants_parent   ? s->band_parent
                                     : NULL;
        job->out->stats.threads = fri_team_run(job->ctx, job->in->threads, pass, s);
        if (!s->status)
            s->status = deliver_rows(s);
    }
    return s->status;
}

const fri_strategy fri_apsp_multi_bfs = {
    .name = "multi-bfs",
    .source =
        "Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the merrier, "
        "VLDB 2014",
    .text = "breadth-first levels from up to 512 sources at once, one bit each; unit weights",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_IN_EDGES,
    .knobs = knobs,
    .scratch = scratch,
    .check = fri_job_refuse_weights,
    .prepare = prepare,
    .run = run,
};
