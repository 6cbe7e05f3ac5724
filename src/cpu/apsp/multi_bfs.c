/* Levels of many rows at once, by a search that many sources share (cpu/multi_bfs).
 *
 * Source: M. Then, M. Kaufmann, F. Chirigati, T.-A. Hoang-Vu, K. Pham, A. Kemper, T. Neumann, H. T.
 *   Vo: The more the merrier: efficient multi-source graph traversal, VLDB 2014, sections 3 and 4.
 * Idea: up to 512 sources are searched together by all threads, and their rows are written at the end
 *   (multi_bfs_rows.c), or where a search has more than FRI_PLANE_LEVELS, level by level.
 * Differs: parents are written where a bit is first set. A pull finds them in ascending order, so
 *   FR_PARENT_MIN_ID always pulls.
 * Needs: in-edges; unit weights.
 * Scratch: per vertex 72 bytes per word of 64 sources, 1 for maps, and up to 64 MB or one row for callers that
 *   take rows by callback.
 * Work: at most (n + m) words per level; as many levels as the deepest source needs.
 *   Barriers: 3 per level.
 * Good at: low-diameter graphs, hundreds of sources.
 * Bad at: few sources on graphs of large diameter.
 */
#include "cpu/apsp/multi_bfs_rows.h"

static const size_t BAND_BYTES = (size_t)64 << 20;

static const fr_knob knobs[] = {
    {"sources", FRI_MULTI_BFS_WIDTH, 1, FRI_MULTI_BFS_WIDTH,
     "sources per pass; 64 to a word, a cache line of words at most"},
    {"pull", FRI_MULTI_BFS_PULL, 0, 1e9,
     "bottom-up when incomplete vertices' edges < this * active edges; 0: never"},
    {0}};
enum { KNOB_SOURCES, KNOB_PULL };

typedef struct {
    fri_job *job;
    fri_multi_bfs *search;
    fri_level_planes planes;
    fri_level_rows rows; /* that are written, of the pass from `first` on */
    int32_t *parent;     /* the rows of the pass, or NULL */
    char *band_dist;     /* rows of a query without arrays */
    int32_t *band_parent;
    int64_t band;    /* number of such rows */
    int64_t row;     /* the first of the pass */
    int32_t *source; /* of the pass */
    int32_t count, first;
    fri_pace pace;
    bool deep; /* rows are written level by level: an earlier pass had too many levels for planes */
    _Alignas(FRI_CACHE_LINE) int64_t cursor;
} multi_bfs;

/* ---- memory ------------------------------------------------------------------------------- */

static int pass_sources(const fri_job *job) {
    double maximum = job->knob[KNOB_SOURCES];
    int64_t rows = FRI_MAX(job->in->row_capacity, 1);
    return rows < maximum ? (int)rows : (int)maximum;
}

static size_t row_bytes(const fri_job *job, size_t size) {
    return fri_align_line(fri_bytes(job->csr.n, size));
}

static int64_t band_rows(const fri_job *job) {
    size_t row = row_bytes(job, fr_type_size(job->in->dist_type)) + row_bytes(job, sizeof(int32_t));
    int64_t rows = (int64_t)(BAND_BYTES / FRI_MAX(row, 1));
    return FRI_MAX(1, FRI_MIN(rows, pass_sources(job)));
}

static size_t band_bytes(const fri_job *job, size_t size) {
    return (size_t)band_rows(job) * row_bytes(job, size);
}

static int words_of(const fri_job *job) { return fri_multi_bfs_words_for(pass_sources(job)); }

static size_t plane_bytes(const fri_job *job) {
    return fri_align_line(fri_bytes((int64_t)job->csr.n * words_of(job), sizeof(uint64_t)));
}

static size_t search_bytes(const fri_job *job) {
    return fri_multi_bfs_bytes(job->csr.n, words_of(job), job->in->threads) +
           FRI_PLANES * plane_bytes(job);
}

static size_t scratch(const fri_job *job) {
    return fri_align_line(sizeof(multi_bfs)) +
           fri_align_line(FRI_MULTI_BFS_WIDTH * sizeof(int32_t)) + search_bytes(job) +
           band_bytes(job, fr_type_size(job->in->dist_type)) + band_bytes(job, sizeof(int32_t));
}

static fr_status prepare(fri_job *job) {
    char *at = job->scratch;
    multi_bfs *s = fri_carve(&at, sizeof *s);
    *s = (multi_bfs){.job = job, .band = band_rows(job)};
    s->source = fri_carve(&at, FRI_MULTI_BFS_WIDTH * sizeof *s->source);
    s->search = fri_multi_bfs_carve(&at, job->csr.n, words_of(job), job->in->threads);
    for (int p = 0; p < FRI_PLANES; p++)
        s->planes.plane[p] = fri_carve(&at, plane_bytes(job));
    s->planes.used = FRI_PLANES;
    s->planes.words = (int64_t)job->csr.n * words_of(job);
    s->band_dist = fri_carve(&at, band_bytes(job, fr_type_size(job->in->dist_type)));
    s->band_parent = fri_carve(&at, band_bytes(job, sizeof(int32_t)));
    return FR_OK;
}

/* ---- one pass ----------------------------------------------------------------------------- */

static void search_rows(fri_member me, void *arg) {
    multi_bfs *s = arg;
    const int64_t n = s->job->csr.n;
    int64_t begin, end;
    if (s->deep)
        fri_level_rows_clear(&s->rows, me);
    else
        fri_level_planes_clear(&s->planes, me);
    fri_team_static_range(me, n * s->count, 16, &begin, &end);
    for (int64_t i = begin; s->parent && i < end; i++)
        s->parent[i] = -1;
    fri_multi_bfs_begin(s->search, me, s->source, s->count); /* waits until all is cleared */
    fri_multi_bfs_run(s->search, me);
}

static void write_rows(fri_member me, void *arg) {
    multi_bfs *s = arg;
    fri_level_planes_write(&s->planes, s->search->words, s->first, &s->rows, me, &s->cursor);
}

static fr_status deliver_rows(multi_bfs *s) {
    const fr_query *q = &s->job->in->query;
    const int64_t n = s->job->csr.n;
    const size_t size = fr_type_size(s->job->in->dist_type) * (size_t)n;
    for (int32_t i = 0; q->row && i < s->rows.count; i++) {
        const int64_t at = s->first + i, row = s->row + at;
        if (q->row(q->row_user, row, fri_job_source(s->job, row),
                   (char *)s->rows.dist + (size_t)i * size, s->parent ? s->parent + at * n : NULL))
            return fri_fail(s->job->ctx, FR_CANCELLED, "cancelled while handing over rows");
    }
    return FR_OK;
}

/* Writes the rows of a pass, unless its levels have done so, and hands them over: in bands if there is no
 * array. */
static fr_status finish_pass(multi_bfs *s) {
    const int64_t most = s->job->out->dist ? s->count : s->band;
    fr_status status = FR_OK;
    for (s->first = 0; s->first < s->count && !status; s->first += s->rows.count) {
        s->rows.count = (int32_t)FRI_MIN(most, s->count - s->first);
        s->cursor = 0;
        if (!s->deep)
            fri_team_run(s->job->in->threads, write_rows, s);
        status = deliver_rows(s);
    }
    return status;
}

/* Sets up the search from the next rows, at most `left`. */
static void begin_pass(multi_bfs *s, int64_t left) {
    const fri_job *job = s->job;
    const fr_result *out = job->out;
    const bool wants_parent = out->parent || (job->in->query.row && job->in->query.want_parents),
               banded = (wants_parent && !out->parent) || (s->deep && !out->dist);
    const int64_t n = job->csr.n, most = banded ? s->band : left;
    char *const dist = out->dist;
    s->count = (int32_t)FRI_MIN(FRI_MIN(pass_sources(job), left), most);
    for (int32_t i = 0; i < s->count; i++)
        s->source[i] = fri_job_source(job, s->row + i);
    s->parent = out->parent ? out->parent + s->row * n : wants_parent ? s->band_parent : NULL;
    s->rows = (fri_level_rows){.dist = dist ? dist + (size_t)(s->row * n) *
                                                         fr_type_size(job->in->dist_type)
                                            : s->band_dist,
                               .type = job->in->dist_type,
                               .wanted = job->reads_targets ? job->target_map : NULL,
                               .n = job->csr.n,
                               .count = s->count};
    s->planes.wanted = s->rows.wanted;
    fri_multi_bfs *search = s->search;
    search->out = job->csr;
    search->in = job->in_edges;
    search->words = fri_multi_bfs_words_for(s->count);
    search->pull = job->knob[KNOB_PULL];
    search->pulls_only = job->in->query.parent_rule == FR_PARENT_MIN_ID;
    search->parent = s->parent;
    search->take = s->deep ? fri_level_rows_take : fri_level_planes_take;
    search->user = s->deep ? (void *)&s->rows : (void *)&s->planes;
    search->limit = job->in->query.max_distance;
    search->most_levels = s->deep ? 0 : FRI_PLANE_LEVELS;
    search->pace = &s->pace;
    search->caller = true;
    search->done = s->row;
    search->depth = search->examined = 0;
}

static fr_status pass(multi_bfs *s) {
    fr_stats *stats = &s->job->out->stats;
    stats->threads = fri_team_run(s->job->in->threads, search_rows, s);
    stats->edges_examined += s->search->examined;
    s->planes.used = s->deep ? 0 : FRI_PLANES;
    s->planes.words = (int64_t)s->job->csr.n * s->search->words;
    if (s->pace.status)
        return s->pace.status;
    if (s->search->cut) {
        s->deep = true; /* the pass is repeated */
        s->count = 0;
        return FR_OK;
    }
    if (!s->deep)
        s->planes.used = 32 - __builtin_clz((unsigned)s->search->depth + 1);
    stats->levels = FRI_MAX(stats->levels, (int32_t)s->search->depth);
    return finish_pass(s);
}

static fr_status run(fri_job *job) {
    multi_bfs *s = job->scratch;
    const int64_t rows = fri_job_rows(job);
    fr_status status = FR_OK;
    s->pace = fri_pace_begin(job->ctx, "traversing", rows);
    for (s->row = 0; s->row < rows && !status; s->row += s->count) {
        begin_pass(s, rows - s->row);
        status = pass(s);
    }
    return status;
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
