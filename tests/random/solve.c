/* Runs queries of solvers and judges their statuses and answers. What the header lets a solver refuse is listed in
 * refuse.c. */
#include "fringe_measures.h"
#include "solve_run.h"

#include "device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void so_run(ri_case *c);

static fr_type dist_type_of(const so_run_state *s) {
    const fr_type w = s->unit ? FR_TYPE_NONE : s->c->graph.type,
                  wanted = ri_at(s->c, -1, SO_ONE_CALL) ? FR_TYPE_NONE
                                                        : (fr_type)ri_at(s->c, -1, SO_DIST_TYPE);
    const fr_type usual = w == FR_TYPE_NONE ? FR_TYPE_I32 : w;
    const bool possible = w == FR_TYPE_NONE || wanted == w ||
                          (w == FR_TYPE_I32 && wanted == FR_TYPE_I64) ||
                          (ri_is_real(w) && wanted == FR_TYPE_F64);
    return wanted == FR_TYPE_NONE || !possible ? usual : wanted;
}

static int64_t most_rows(const ri_case *c) {
    int64_t most = 1;
    for (int round = 0; round < c->rounds; round++) {
        const int64_t rows = ri_at(c, round, SO_ALL_ROWS) || ri_at(c, -1, SO_IN_PLACE)
                                 ? c->graph.n
                                 : ri_of((ri_case *)c, round, SO_SOURCES)->count;
        most = rows > most ? rows : most;
    }
    return most;
}

static fr_solver_options options_of(so_run_state *s) {
    ri_case *c = s->c;
    fr_solver_options o = FR_INIT(fr_solver_options);
    o.strategy = strcmp(s->strategy->name, "auto") == 0 ? NULL : s->strategy->name;
    o.knobs = ri_of(c, -1, SO_KNOBS)->text;
    o.backend = s->asked;
    const fr_type usual = s->unit || c->graph.type == FR_TYPE_NONE ? FR_TYPE_I32 : c->graph.type;
    o.dist_type = s->type == usual || s->problem == FR_PROBLEM_BFS ? FR_TYPE_NONE : s->type;
    o.unit_weights = s->unit;
    o.reverse = s->reverse;
    o.expected_queries = ri_at(c, -1, SO_EXPECTED);
    o.record_levels = ri_at(c, -1, SO_RECORD);
    o.in_place = s->in_place;
    o.counters = ri_at(c, -1, SO_COUNTERS);
    o.max_sources =
        ri_at(c, -1, SO_NARROW) && s->problem == FR_PROBLEM_APSP ? (int32_t)most_rows(c) : 0;
    return o;
}

static void describe(so_run_state *s) {
    ri_case *c = s->c;
    int count;
    s->strategy = &so_strategies(&count)[ri_at(c, -1, SO_STRATEGY)];
    s->problem = s->strategy->problem;
    s->asked = (fr_backend)ri_at(c, -1, RI_BACKEND);
    if (!ri_at(c, -1, SO_ONE_CALL)) { /* which has no options */
        s->unit = ri_at(c, -1, SO_UNIT) && c->graph.type != FR_TYPE_NONE;
        s->reverse = ri_at(c, -1, SO_REVERSE);
        s->in_place = ri_at(c, -1, SO_IN_PLACE) && s->problem == FR_PROBLEM_APSP;
    }
    s->type = s->problem == FR_PROBLEM_BFS ? FR_TYPE_I32 : dist_type_of(s);
    for (int64_t e = 0; e < c->graph.m && !s->unit; e++) {
        const ri_weight w = c->graph.edges[e].weight;
        s->negative |= ri_is_real(c->graph.type) ? w.f < 0 : w.i < 0;
        s->largest = fmax(s->largest, ri_is_real(c->graph.type) ? fabs(w.f) : fabs((double)w.i));
    }
    s->negative &= s->problem != FR_PROBLEM_BFS;
    snprintf(c->what, sizeof c->what, "%s %s %s", fr_problem_name(s->problem),
             s->asked ? fr_backend_name(s->asked) : "any", s->strategy->name);
}

/* ---- a query -------------------------------------------------------------------------------------------- */

static uint64_t *bits_of(ri_case *c, const bool *flags, int64_t count) {
    uint64_t *bits = ri_alloc(c, (size_t)(count / 64 + 1) * sizeof *bits);
    for (int64_t i = 0; i < count; i++)
        bits[i / 64] |= (uint64_t)flags[i] << (i % 64);
    return bits;
}

/* The edges that are traversed, and the bits of those that are not. */
static void set_view(so_query *q) {
    ri_case *c = q->s->c;
    const ri_setting *vertices = ri_of(c, q->round, SO_CLOSED_VERTICES),
                     *edges = ri_of(c, q->round, SO_CLOSED_EDGES);
    bool *closed_vertices = ri_alloc(c, (size_t)c->graph.n),
         *given = ri_alloc(c, (size_t)c->graph.m);
    bool *closed_arcs = ri_alloc(c, (size_t)c->stored.m);
    for (int64_t i = 0; i < vertices->count; i++)
        closed_vertices[vertices->list[i]] = true;
    for (int64_t i = 0; i < edges->count; i++)
        given[edges->list[i]] = true;
    for (int64_t e = 0; e < c->stored.m; e++) /* one direction suffices */
        closed_arcs[e] =
            given[c->stored.given[e]] &&
            (!c->graph.undirected || e <= c->stored.twin[e] || c->stored.given[e] % 3 == 0);
    q->view = ri_view(c, &c->stored, closed_vertices, closed_arcs, q->s->reverse,
                      q->s->unit || q->s->problem == FR_PROBLEM_BFS);
    const bool open = ri_at(c, q->round, SO_OPEN_BITS);
    if (vertices->count || open)
        q->query.closed_vertices = bits_of(c, closed_vertices, c->graph.n);
    if (edges->count || open)
        q->query.closed_edges = bits_of(c, closed_arcs, c->stored.m);
    for (int64_t e = 0; e < q->view.m; e++)
        q->negative |=
            ri_is_real(q->view.type) ? q->view.arcs[e].weight.f < 0 : q->view.arcs[e].weight.i < 0;
}

static void set_sources(so_query *q) {
    ri_case *c = q->s->c;
    const ri_setting *sources = ri_of(c, q->round, SO_SOURCES);
    q->sources = sources->list, q->source_count = sources->count;
    q->all_rows =
        q->s->problem == FR_PROBLEM_APSP && (ri_at(c, q->round, SO_ALL_ROWS) || q->s->in_place);
    q->each = ri_at(c, q->round, SO_EACH) && q->s->problem != FR_PROBLEM_APSP;
    if (q->all_rows) {
        int32_t *every = ri_alloc(c, (size_t)c->graph.n * sizeof *every);
        for (int32_t v = 0; v < c->graph.n; v++)
            every[v] = v;
        q->sources = every, q->source_count = c->graph.n;
    } else {
        q->query.sources = q->sources;
        q->query.source_count = q->source_count;
    }
    q->rows = q->each || q->s->problem == FR_PROBLEM_APSP ? q->source_count : 1;
}

static void set_limits(so_query *q) {
    ri_case *c = q->s->c;
    const ri_setting *targets = ri_of(c, q->round, SO_TARGETS);
    const bool limited = ri_at(c, q->round, SO_LIMITED);
    q->width = c->graph.n;
    if (!q->s->in_place) {
        q->query.targets = targets->count ? targets->list : NULL;
        q->query.target_count = targets->count;
        if (q->s->problem == FR_PROBLEM_APSP && targets->count)
            q->width = targets->count;
        if (q->s->problem == FR_PROBLEM_BFS) {
            q->query.max_level = (int32_t)ri_at(c, q->round, SO_MAX_LEVEL);
            q->query.limit_level = limited;
            q->limit = q->query.max_level;
        } else {
            q->query.max_distance = ri_of(c, q->round, SO_MAX_DISTANCE)->real;
            q->query.limit_distance = limited;
            q->limit = q->query.max_distance;
        }
        q->limited = limited || q->limit > 0;
    }
}

static int on_row(void *user, int64_t row, int32_t source, const void *dist,
                  const int32_t *parent) {
    so_query *q = user;
    if (row < 0 || row >= q->rows || source != q->sources[row]) {
        q->wrong_row = true;
        return 0;
    }
    q->row_calls[row]++;
    const size_t bytes = (size_t)q->width * fr_type_size(q->s->type);
    memcpy((char *)q->row_values + (size_t)row * bytes, dist, bytes);
    if (parent)
        memcpy(q->row_parents + row * q->width, parent, (size_t)q->width * sizeof *parent);
    q->row_has_parents |= parent != NULL;
    return 0;
}

static void set_row_function(so_query *q) {
    ri_case *c = q->s->c;
    const size_t cells = (size_t)(q->rows * q->width);
    q->row = ri_at(c, q->round, SO_ROW) && q->s->problem == FR_PROBLEM_APSP && !q->s->in_place;
    if (!q->row)
        return;
    q->query.row = on_row, q->query.row_user = q;
    q->query.want_parents = !ri_at(c, q->round, SO_NO_PARENTS);
    q->row_values = ri_alloc(c, cells * fr_type_size(q->s->type));
    q->row_parents = ri_alloc(c, cells * sizeof *q->row_parents);
    q->row_calls = ri_alloc(c, (size_t)q->rows * sizeof *q->row_calls);
}

static void set_outputs(so_query *q) {
    ri_case *c = q->s->c;
    const bool bfs = q->s->problem == FR_PROBLEM_BFS,
               only_row = q->row && ri_at(c, q->round, SO_ROW) == 2;
    const size_t n = (size_t)c->graph.n, cells = (size_t)(q->rows * q->width);
    const ri_place place = q->s->in_place ? RI_HOST : (ri_place)ri_at(c, q->round, SO_PLACE);
    q->device = place == RI_DEVICE && ri_have_gpu();
    if (q->device) {
        q->query.result_memory = FR_MEMORY_DEVICE;
        if (ri_at(c, q->round, SO_STREAM)) {
            q->query.stream = ri_stream_new();
            RI_FREE_AT_END(c, ri_stream_free, q->query.stream);
        }
    }
    void *values = (!ri_at(c, q->round, SO_NO_VALUES) || q->s->in_place) && !only_row
                       ? ri_out_at(c, place, cells * fr_type_size(q->s->type))
                       : NULL;
    if (bfs)
        q->result.level = values;
    else
        q->result.dist = values;
    if (!ri_at(c, q->round, SO_NO_PARENTS) && !only_row)
        q->result.parent = ri_out_at(c, place, cells * sizeof(int32_t));
    if (bfs && !q->each && ri_at(c, q->round, SO_ORDER))
        q->result.order = ri_out_at(c, place, n * sizeof(int32_t));
    if (q->s->problem != FR_PROBLEM_APSP && !q->each && ri_at(c, q->round, SO_ORIGIN))
        q->result.origin = ri_out_at(c, place, n * sizeof(int32_t));
}

static void fill(so_query *q) {
    ri_case *c = q->s->c;
    q->query = FR_INIT(fr_query);
    q->result = FR_INIT(fr_result);
    set_view(q);
    set_sources(q);
    set_limits(q);
    q->query.parent_rule = q->s->in_place && ri_at(c, q->round, SO_RULE) == FR_PARENT_NEAREST
                               ? FR_PARENT_ANY
                               : (fr_parent_rule)ri_at(c, q->round, SO_RULE);
    q->query.mark_negative_cycles = ri_at(c, q->round, SO_MARK) && q->s->problem == FR_PROBLEM_SSSP;
    set_row_function(q);
    set_outputs(q);
    q->parents = q->result.parent || (q->row && q->query.want_parents);
}

static so_row row_of(so_query *q, int64_t i) {
    const bool apsp = q->s->problem == FR_PROBLEM_APSP;
    so_row r = {.c = q->s->c, .view = &q->view, .bfs = q->s->problem == FR_PROBLEM_BFS};
    r.sources = q->rows > 1 || apsp ? &q->sources[i] : q->sources;
    r.source_count = q->rows > 1 || apsp ? 1 : q->source_count;
    r.negative = q->negative;
    r.mark = q->query.mark_negative_cycles;
    r.limited = q->limited, r.limit = q->limit;
    if (apsp)
        r.columns = q->query.targets, r.column_count = q->query.target_count;
    else
        r.targets = q->query.targets, r.target_count = q->query.target_count;
    r.rule = q->query.parent_rule;
    r.type = q->s->type;
    so_expect(&r);
    return r;
}

/* ---- judging -------------------------------------------------------------------------------------------- */

static void judge_row(so_query *q, so_row *r, int64_t i, const void *values,
                      const int32_t *parents) {
    char why[512];
    ri_case *c = q->s->c;
    const size_t first = (size_t)(i * q->width);
    r->value = values ? (const char *)values + first * fr_type_size(r->type) : NULL;
    r->parent = parents ? parents + first : NULL;
    const bool right = q->s->problem == FR_PROBLEM_APSP && q->query.target_count
                           ? so_columns_are_right(r, q->query.targets, q->width, why)
                           : so_is_right(r, why);
    RI_CHECK(c, right, "query %d, row %lld: %s", q->round, (long long)i, why);
}

static void judge_stats(so_query *q, const so_row *r) {
    int64_t reached = 0, edges = 0;
    double deepest = 0;
    const fr_stats *stats = &q->result.stats;
    RI_CHECK(q->s->c, stats->strategy && *stats->strategy, "stats.strategy is not set");
    RI_CHECK(q->s->c, stats->transfer_ns >= stats->upload_ns,
             "query %d: stats.transfer_ns is %lld, stats.upload_ns %lld", q->round,
             (long long)stats->transfer_ns, (long long)stats->upload_ns);
    if (q->each || q->s->problem == FR_PROBLEM_APSP || r->d.cycle)
        return;
    for (int32_t v = 0; v < r->d.n; v++) {
        if (r->kept[v] == SO_EITHER)
            return;
        if (r->kept[v] == SO_KEPT) {
            reached++;
            deepest = fmax(deepest, ri_double(&r->d, v));
        }
    }
    for (int64_t e = 0; e < q->view.m; e++)
        edges += r->kept[q->view.arcs[e].from] == SO_KEPT;
    RI_CHECK(q->s->c, stats->reached == reached, "query %d: stats.reached is %lld, not %lld",
             q->round, (long long)stats->reached, (long long)reached);
    RI_CHECK(q->s->c, stats->reached_edges == edges,
             "query %d: stats.reached_edges is %lld, not %lld", q->round,
             (long long)stats->reached_edges, (long long)edges);
    if (r->bfs)
        RI_CHECK(q->s->c, stats->levels == (int32_t)deepest, "query %d: stats.levels is %d, not %g",
                 q->round, stats->levels, deepest);
}

static void judge_cycle(so_query *q, so_row *r) {
    char why[512];
    ri_case *c = q->s->c;
    so_row any = *r; /* a row of all pairs may report a cycle that others reach */
    if (q->s->problem == FR_PROBLEM_APSP)
        any.d = ri_shortest(c, &q->view, NULL, -1);
    const bool right = so_cycle_is_right(&any, q->result.cycle, q->result.cycle_length,
                                         q->result.cycle_weight, why);
    RI_CHECK(c, right, "query %d: FR_NEGATIVE_CYCLE: %s", q->round, why);
    so_check_cycle(q, r);
}

/* fr_path to one of the vertices. */
static void judge_path(so_query *q, const int32_t *parents) {
    ri_case *c = q->s->c;
    const int32_t n = c->graph.n;
    if (!parents || !n || q->rows != 1 || q->s->problem == FR_PROBLEM_APSP ||
        (q->negative && q->limited)) /* then parents may be beyond the limit */
        return;
    const int32_t t = (int32_t)((ri_at(c, -1, RI_MADE_DETAIL) + q->round) % n);
    int32_t *path = ri_out(c, (size_t)n * sizeof *path), *length = ri_out(c, sizeof *length);
    RI_OK(c, fr_path(c->ctx, parents, n, t, path, length));
    RI_CHECK(c, (*length == 0) == (parents[t] < 0) && *length <= n, "a path of %d vertices to %d",
             *length, t);
    for (int32_t i = *length, v = t; i-- > 0; v = parents[v])
        RI_CHECK(c, path[i] == v && (i || parents[v] == v), "place %d of the path to %d is %d", i,
                 t, path[i]);
}

static void judge(so_query *q, fr_status status, int64_t solved) {
    ri_case *c = q->s->c;
    so_row *rows = ri_alloc(c, (size_t)(q->rows + 1) * sizeof *rows);
    so_answer cycle = SO_NO, overflow = SO_NO;
    const int64_t complete = q->each && status ? solved + (status == FR_NEGATIVE_CYCLE) : q->rows;
    RI_CHECK(c, !q->each || (solved >= 0 && solved <= q->rows - (status != FR_OK)),
             "query %d: %s, but %lld rows of %lld are solved", q->round, fr_status_name(status),
             (long long)solved, (long long)q->rows);
    for (int64_t i = 0; i < (q->each ? solved + 1 : q->rows) && i < q->rows; i++) {
        rows[i] = row_of(q, i);
        const bool ended = q->each && status && i == solved;
        const so_answer one_cycle = q->s->problem == FR_PROBLEM_BFS ? SO_NO : so_cycle(&rows[i]);
        so_answer one_overflow = so_overflow(&rows[i]);
        if (one_overflow == SO_MUST && !q->result.dist && !q->row)
            one_overflow = SO_MAY; /* nobody asked for distances */
        cycle = one_cycle > cycle || ended ? one_cycle : cycle;
        overflow = one_overflow > overflow || ended ? one_overflow : overflow;
        RI_CHECK(c,
                 !q->each || !status || ended || (one_cycle != SO_MUST && one_overflow != SO_MUST),
                 "query %d: row %lld is called complete", q->round, (long long)i);
    }
    const int64_t end = q->each && status ? solved : 0;
    if (status == FR_OVERFLOW && (overflow != SO_NO || so_may_overflow(q))) {
        ri_refuse(c);
        return;
    }
    if (status == FR_NEGATIVE_CYCLE) {
        const bool elsewhere =
            q->s->problem == FR_PROBLEM_APSP && ri_shortest(c, &q->view, NULL, -1).cycle;
        RI_CHECK(c, cycle != SO_NO || elsewhere,
                 "query %d: FR_NEGATIVE_CYCLE, but no negative cycle is reached", q->round);
        if (!q->one_call)
            judge_cycle(q, &rows[end]);
        if (!q->query.mark_negative_cycles && !q->each)
            return;
    } else
        RI_CHECK(c, !status, "query %d: %s: %s", q->round, fr_status_name(status),
                 fr_ctx_error(c->ctx));
    RI_CHECK(c, status || cycle != SO_MUST, "query %d: FR_OK, but a negative cycle is reached",
             q->round);
    RI_CHECK(c, status == FR_NEGATIVE_CYCLE || overflow != SO_MUST,
             "query %d: FR_OK, but a distance does not fit", q->round);
    RI_CHECK(c, overflow != SO_MUST || (q->each && status), "query %d: a distance does not fit",
             q->round);
    const void *values = ri_host(c, q->result.level ? q->result.level : q->result.dist);
    const int32_t *parents = ri_host(c, q->result.parent);
    rows[0].order = ri_host(c, q->result.order);
    rows[0].origin = ri_host(c, q->result.origin);
    for (int64_t i = 0; i < complete && !(i == end && status && !q->query.mark_negative_cycles);
         i++) {
        if (values || parents || !q->row)
            judge_row(q, &rows[i], i, values, parents);
        if (q->row) {
            RI_CHECK(c, q->row_calls[i] == 1, "query %d: row %lld came %d times", q->round,
                     (long long)i, q->row_calls[i]);
            judge_row(q, &rows[i], i, q->row_values, q->query.want_parents ? q->row_parents : NULL);
        }
    }
    RI_CHECK(c, !q->wrong_row, "query %d: a row came with a wrong index or source", q->round);
    if (!status)
        judge_path(q, parents);
    if (!status && !q->one_call)
        judge_stats(q, &rows[0]);
    so_check_checker(q, rows, status, complete);
}

static void record(const so_run_state *s) {
    int64_t count = -1;
    int kernels = -1;
    const fr_level *levels = fr_solver_levels(s->solver, &count);
    fr_solver_kernels(s->solver, &kernels);
    RI_CHECK(s->c, count >= 0 && kernels >= 0,
             "fr_solver_levels gives %lld lines, fr_solver_kernels %d", (long long)count, kernels);
    for (int64_t i = 0; i < count; i++)
        RI_CHECK(s->c, levels[i].method && levels[i].frontier >= 0 && levels[i].edges >= 0,
                 "line %lld of fr_solver_levels is not filled", (long long)i);
}

/* What does not exist must be refused. */
static void spoil(so_query *q) {
    ri_case *c = q->s->c;
    int32_t *none = ri_alloc(c, 2 * sizeof *none);
    const int64_t bad = c->graph.n || q->all_rows ? ri_at(c, q->round, SO_BAD) : 1;
    none[0] = ri_at(c, -1, RI_MADE_DETAIL) % 2 ? c->graph.n : -1;
    if (!c->graph.n && q->query.target_count)
        q->refusal = FR_NOT_FOUND;
    if (q->s->in_place || (q->all_rows && bad != 2))
        return;
    if (bad == 1)
        q->query.sources = none, q->query.source_count = 1, q->refusal = FR_NOT_FOUND;
    else if (bad == 2 && q->s->problem != FR_PROBLEM_APSP)
        q->query.targets = none, q->query.target_count = 1, q->refusal = FR_NOT_FOUND;
    else if (bad == 3)
        q->query.source_count = 0, q->refusal = FR_INVALID;
}

static void run_query(so_run_state *s, int round) {
    so_query q = {.s = s, .round = round};
    ri_case *c = s->c;
    int64_t solved = -1;
    fill(&q);
    spoil(&q);
    if (ri_at(c, round, SO_SET_THREADS))
        RI_OK(c, fr_ctx_set_threads(c->ctx, (int)ri_at(c, round, SO_SET_THREADS)));
    const fr_status status = q.each
                                 ? RI_DO(c, fr_solve_each(s->solver, &q.query, &q.result, &solved))
                                 : RI_DO(c, fr_solve(s->solver, &q.query, &q.result));
    if (ri_is_excused(c, status))
        ri_stop(c);
    if (q.refusal) {
        /* an empty graph's solver is made for 0 rows */
        const bool none = !c->graph.n && status == FR_INVALID;
        RI_CHECK(c, none || status == q.refusal || status == FR_UNSUPPORTED, "query %d: %s, not %s",
                 round, fr_status_name(status), fr_status_name(q.refusal));
        ri_refuse(c);
        return;
    }
    if (so_is_refused(&q, status))
        return;
    judge(&q, status, solved);
    if (ri_at(c, -1, SO_RECORD))
        record(s);
}

/* fr_bfs, fr_sssp, fr_apsp: from the first source of each round. */
static void run_one_call(so_run_state *s, int round) {
    ri_case *c = s->c;
    so_query q = {.s = s, .round = round};
    const size_t n = (size_t)c->graph.n, cells = s->problem == FR_PROBLEM_APSP ? n * n : n;
    q.query = FR_INIT(fr_query), q.result = FR_INIT(fr_result);
    q.view = ri_view(c, &c->stored, NULL, NULL, false, s->problem == FR_PROBLEM_BFS);
    q.width = c->graph.n, q.negative = s->negative;
    q.sources = ri_of(c, round, SO_SOURCES)->list, q.source_count = q.rows = 1;
    if (s->problem == FR_PROBLEM_APSP) {
        q.all_rows = true;
        c->of[1 + round][SO_ALL_ROWS].number = 1;
        set_sources(&q);
    }
    void *values = ri_at(c, round, SO_NO_VALUES) ? NULL : ri_out(c, cells * fr_type_size(s->type));
    q.result.parent = ri_at(c, round, SO_NO_PARENTS) ? NULL : ri_out(c, cells * sizeof(int32_t));
    q.result.level = s->problem == FR_PROBLEM_BFS ? values : NULL;
    q.result.dist = s->problem == FR_PROBLEM_BFS ? NULL : values;
    q.one_call = true;
    fr_status status =
        s->problem == FR_PROBLEM_BFS
            ? RI_DO(c, fr_bfs(c->ctx, s->graph, q.sources[0], values, q.result.parent))
        : s->problem == FR_PROBLEM_SSSP
            ? RI_DO(c, fr_sssp(c->ctx, s->graph, q.sources[0], values, q.result.parent))
            : RI_DO(c, fr_apsp(c->ctx, s->graph, values, q.result.parent));
    if (ri_is_excused(c, status))
        ri_stop(c);
    if (!c->graph.n && !q.all_rows)
        RI_CHECK(c, status == FR_NOT_FOUND, "%s, not FR_NOT_FOUND", fr_status_name(status));
    else
        judge(&q, status, -1);
}

void so_run(ri_case *c) {
    so_run_state state = {.c = c}, *s = &state;
    fr_memory_estimate estimate = FR_INIT(fr_memory_estimate);
    describe(s);
    s->graph = ri_make_graph(c);
    if (ri_at(c, -1, SO_ONE_CALL)) {
        for (int round = 0; round < c->rounds; round++)
            run_one_call(s, round);
        return;
    }
    fr_solver_options options = options_of(s);
    so_tune(s, &options);
    fr_status estimated = FR_OK;
    if (ri_at(c, -1, SO_ESTIMATE))
        estimated = RI_DO(c, fr_estimate_memory(c->ctx, s->graph, s->problem, &options, &estimate));
    fr_status status = RI_DO(c, fr_solver_new(c->ctx, s->graph, s->problem, &options, &s->solver));
    if (ri_is_excused(c, status))
        ri_stop(c);
    RI_CHECK(c,
             !ri_at(c, -1, SO_ESTIMATE) || estimated == status || status == FR_OVERFLOW ||
                 ri_is_excused(c, estimated),
             "fr_estimate_memory says %s, fr_solver_new %s", fr_status_name(estimated),
             fr_status_name(status));
    if (so_is_refused_solver(s, status)) {
        ri_refuse(c);
        return;
    }
    RI_FREE_AT_END(c, fr_solver_free, s->solver);
    s->backend = fr_solver_backend(s->solver);
    RI_CHECK(c, s->problem == FR_PROBLEM_BFS || fr_solver_dist_type(s->solver) == s->type,
             "fr_solver_dist_type is %s, not %s", fr_type_name(fr_solver_dist_type(s->solver)),
             fr_type_name(s->type));
    const char *why = fr_solver_explain(s->solver);
    RI_CHECK(c, why, "fr_solver_explain is NULL");
    for (int round = 0; round < c->rounds; round++)
        run_query(s, round);
    RI_OK(c, fr_ctx_set_threads(c->ctx, (int)ri_at(c, -1, RI_THREADS)));
}
