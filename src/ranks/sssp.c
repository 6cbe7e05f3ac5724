/* SSSP on ranks for non-negative weights: each rank has the in-edges of its own vertices and
 * receives every distance below the bound that another rank lowers.
 *
 * Source: U. Meyer, P. Sanders: Delta-stepping: a parallelizable shortest path algorithm, J.
 *   Algorithms 49(1), 2003; two piles: A. Davidson, S. Baxter, M. Garland, J. Owens: Work-efficient
 *   parallel GPU methods for single-source shortest paths, IPDPS 2014; windows: as in
 *   cpu/sssp/typed/spira_window.c.
 * Idea: a round publishes the lowered distances below a bound to all ranks, which relax the edges
 *   that they hold; only the owner writes a distance. When no rank has such a distance, the bound
 *   moves. On small-world graphs with a wide range of weights rows are read in windows
 *   (typed/sssp_steps.c), from the second query on; otherwise whole rows are relaxed, and vertices
 *   with distances beyond the bound are kept in a far pile.
 * Differs: all edges of a vertex are relaxed at once, light and heavy.
 * Bytes that a rank receives per round: 40 (P - 1), and 12 per distance that others lowered.
 * Good at: graphs of few rounds. Bad at: road networks; a round costs two exchanges. */
#include "cpu/sssp/sssp.h"
#include "ranks/sssp.h"

#include <string.h>

typedef fri_part_sssp_state sssp;

/* A step of the bound in units of the largest weight over the mean degree, for whole rows.
 * Kronecker 17, weights 1 to 255: 1 relaxes 4.5 M edges in 85 rounds, 2 7.8 M in 52, 4 8.1 M in
 * 35. */
enum { WIDTH = 1 };

/* SCANS_PER_EDGE limits the windows. */
enum { SCANS_PER_EDGE = 4 };

/* ---- widths -------------------------------------------------------------------------------- */

int64_t fri_part_sssp_width(const fr_part *p, double width) {
    if (fri_dist_is_real(p->push->csr.weight_type))
        return fri_dist_bits(width > 0 ? width : 1.0);
    return width < 1 ? 1 : width < 0x1p62 ? (int64_t)width : INT64_C(1) << 62;
}

static int64_t row_width(const fr_part *p) {
    double degree = FRI_MAX((double)p->m / (double)FRI_MAX(p->n, 1), 1.0);
    return fri_part_sssp_width(p, WIDTH * p->max_weight / degree);
}

static int64_t window_width(const fr_part_solver *s) {
    const fr_part *p = s->part;
    return fri_part_sssp_width(p, fri_sssp_window_width(s->mean_weight, p->n, p->m));
}

/* After a pull few edges join the remaining vertices, so few rounds matter more than order. */
static int64_t tail_width(const fr_part_solver *s) {
    return FRI_MAX(row_width(s->part), fri_part_sssp_width(s->part, s->mean_weight));
}

/* Slightly less than 1 / width, so that the largest distance below the end of a window is of that
 * window in spite of rounding. */
static double windows_per_distance(fr_type type, int64_t width) {
    return (1 - 0x1p-40) / (fri_dist_is_real(type) ? fri_dist_real(width) : (double)width);
}

static int64_t plus_width(const sssp *x, int64_t dist) {
    return fri_dist_plus(x->rows->weight_type, dist, x->width);
}

/* The end of window `number`; windows have one width. */
static int64_t window_end(const sssp *x, int64_t number) {
    int64_t end;
    if (fri_dist_is_real(x->rows->weight_type))
        return fri_dist_bits((double)(number + 1) * fri_dist_real(x->width));
    return __builtin_mul_overflow(number + 1, x->width, &end) ? x->inf : end;
}

/* The next bound. It exceeds `min_dist` even if adding the width does not change the double. */
static void raise_bound(sssp *x, int64_t min_dist) {
    x->bound = FRI_MAX(plus_width(x, FRI_MAX(min_dist, x->bound)), min_dist + 1);
}

/* ---- the piles ----------------------------------------------------------------------------- */

static void clear_bit(uint64_t *map, int32_t i) { map[i >> 6] &= ~(UINT64_C(1) << (i & 63)); }

/* The minimum of the far pile. Drops entries whose distance has fallen below the bound: they
 * entered the near pile then. */
static int64_t min_far(sssp *x) {
    fr_part_solver *s = x->s;
    int64_t min_dist = x->inf, kept = 0;
    for (int64_t k = 0; k < s->far_count; k++) {
        int32_t i = s->far[k];
        if (s->dist[i] < x->bound) {
            clear_bit(s->in_far, i);
            continue;
        }
        s->far[kept++] = i;
        min_dist = FRI_MIN(min_dist, s->dist[i]);
    }
    s->far_count = kept;
    return min_dist;
}

static void move_bound(sssp *x, int64_t min_dist) {
    fr_part_solver *s = x->s;
    int64_t kept = 0;
    raise_bound(x, min_dist);
    for (int64_t k = 0; k < s->far_count; k++) {
        int32_t i = s->far[k];
        if (s->dist[i] >= x->bound) {
            s->far[kept++] = i;
            continue;
        }
        clear_bit(s->in_far, i);
        fri_bit_set(s->in_found, i);
        s->found[s->found_count++] = i;
    }
    s->far_count = kept;
}

/* ---- rounds -------------------------------------------------------------------------------- */

/* Publishes: sends the distances that this rank lowered to all ranks. */
static fr_status publish(sssp *x) {
    fr_part_solver *s = x->s;
    fr_world *w = x->p->world;
    for (int64_t k = 0; k < s->found_count; k++) {
        int32_t i = s->found[k];
        uint64_t dist = (uint64_t)s->dist[i];
        s->lowered[k] =
            (fri_lowered){fri_part_base(x->p) + i, {(uint32_t)dist, (uint32_t)(dist >> 32)}};
        clear_bit(s->in_found, i);
    }
    for (int r = 0; r < w->size; r++)
        s->counts[r] = (int)s->reports[r].count;
    s->found_count = 0;
    return fri_world_allgather(w, s->lowered, s->all, s->counts, sizeof *s->all);
}

/* The number of the next window in which this rank examines an edge, infinity: none. */
static int64_t next_window(const sssp *x) {
    return x->min_due == FRI_DUE_NEVER ? x->inf : x->min_due;
}

/* The report that this rank sends after a round. If it has lowered distances the bound does not
 * move, so the others do not need its minimum; it sends the number of in-edges that it has reached
 * instead. */
static fri_level_report report_of(sssp *x) {
    fr_part_solver *s = x->s;
    fri_level_report mine = {.count = s->found_count};
    int64_t reached = 0;
    for (int thread = 0; thread < s->threads; thread++) {
        fri_part_worker *w = &s->workers[thread];
        mine.examined += w->examined;
        reached += w->edges;
        x->min_due = FRI_MIN(x->min_due, w->min_due);
        *w = (fri_part_worker){.min_due = FRI_DUE_NEVER};
    }
    mine.edges = s->found_count ? reached : x->windows ? next_window(x) : min_far(x);
    mine.status = fri_progress(s->ctx, "traversing", s->rounds, 0);
    return mine;
}

/* Exchanges the reports, then the distances below the bound. *next: if none were published, the
 * next window, or without windows the minimum of the distances beyond the bound; infinity: none. */
static fr_status end_round(sssp *x, const char *method, int64_t *next) {
    fr_part_solver *s = x->s;
    fri_level_report sum;
    fr_status status = fri_part_exchange_reports(s, report_of(x), &sum);
    if (status)
        return status;
    x->published = sum.count;
    x->pushed += sum.examined;
    *next = x->inf;
    for (int r = 0; r < x->p->world->size; r++) {
        if (s->reports[r].count)
            x->reached += s->reports[r].edges;
        else
            *next = FRI_MIN(*next, s->reports[r].edges);
    }
    if (x->published)
        status = publish(x);
    fri_part_record(s, method, false, x->published);
    return status;
}

/* Chooses the step after a window, the next window or the end of windows, from the reports of all
 * ranks. */
static fri_part_sssp_step end_window(sssp *x, int64_t next) {
    enum { SLOTS_PER_EDGE = 8 }; /* a slot scanned costs less than an edge */
    int64_t slots = fri_part_slots(x->p), cost = x->pushed + slots / SLOTS_PER_EDGE;
    bool pulls = x->p->m - x->reached < cost;
    x->windows = !pulls && ++x->scans * slots <= SCANS_PER_EDGE * x->p->m;
    if (!x->windows) {
        x->width = pulls ? tail_width(x->s) : row_width(x->p);
        return pulls ? FRI_PART_PULL : FRI_PART_FLUSH;
    }
    x->window = FRI_MAX(next, x->window + 1); /* `next` is a lower bound */
    x->bound = window_end(x, x->window);
    x->pushed = 0;
    x->min_due = FRI_DUE_NEVER;
    return FRI_PART_SCAN;
}

static const char *const names[FRI_PART_SSSP_STEPS] = {
    [FRI_PART_SOURCE] = "source", [FRI_PART_RELAX] = "relax", [FRI_PART_DRAIN] = "relax",
    [FRI_PART_SCAN] = "window",   [FRI_PART_PULL] = "pull",   [FRI_PART_FLUSH] = "flush",
};

/* A scan of windows may find nothing to relax. */
static int64_t most_exchanges(const fr_part *p) {
    return fri_part_sssp_most_rounds(p) + SCANS_PER_EDGE * p->m / FRI_MAX(fri_part_slots(p), 1);
}

/* Member 0 ends a round and chooses the next step. After the bound has moved, distances are
 * published before they are relaxed. */
static void plan(sssp *x) {
    const char *method = names[x->step];
    x->s->rounds += x->published > 0;
    for (;;) {
        int64_t next;
        x->status = end_round(x, method, &next);
        if (!x->status)
            x->status = fri_part_check_steps(x->s, "rounds", ++x->exchanges, most_exchanges(x->p));
        x->over = x->status || (!x->published && next == x->inf);
        if (x->over || x->published || x->windows) {
            x->cursor = 0;
            if (!x->over && !x->published)
                x->step = end_window(x, next);
            else
                x->step = x->windows ? FRI_PART_DRAIN : FRI_PART_RELAX;
            return;
        }
        move_bound(x, next);
        method = "window";
    }
}

/* ---- a query ------------------------------------------------------------------------------- */

static void clear(sssp *x, fri_member me) {
    fr_part_solver *s = x->s;
    int64_t begin, end;
    fri_team_static_range(me, x->p->own, 1024, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        s->dist[i] = x->inf;
        s->parent[i] = -1;
    }
    fri_team_static_range(me, x->windows ? s->rows.count : 0, 1024, &begin, &end);
    for (int64_t row = begin; row < end; row++) {
        s->rows.rows[row].dist = x->inf;
        s->rows.next[row] = -1;
    }
    if (begin < end)
        memset(s->rows.due + begin, FRI_DUE_NEVER, (size_t)(end - begin));
    s->workers[me.index] = (fri_part_worker){.min_due = FRI_DUE_NEVER};
}

static void enter_sources(sssp *x, const fr_part_query *query) {
    fr_part_solver *s = x->s;
    const fr_part *p = x->p;
    size_t map = (size_t)fri_part_words(p) * sizeof *s->in_found;
    memset(s->in_found, 0, map);
    memset(s->in_far, 0, map);
    s->found_count = s->far_count = 0;
    for (int64_t k = 0; k < query->source_count; k++) {
        int32_t slot = fri_part_slot(p, query->sources[k]), i = slot - fri_part_base(p);
        if (i < 0 || i >= p->own || s->dist[i] == 0)
            continue;
        s->dist[i] = 0;
        s->parent[i] = slot;
        s->workers[0].edges += fri_part_in_degree(p, i);
        fri_bit_set(s->in_found, i);
        s->found[s->found_count++] = i;
    }
}

static void member(fri_member me, void *user) {
    sssp *x = user;
    const fri_part_sssp_step_fn *steps = fri_part_sssp_steps(x->rows->weight_type);
    clear(x, me);
    fri_team_barrier(me); /* distances are cleared */
    if (me.index == 0)
        enter_sources(x, x->query);
    for (;;) {
        if (me.index == 0)
            plan(x);
        fri_team_barrier(me); /* member 0 has chosen the step */
        if (x->over)
            return;
        steps[x->step](x, me);
        fri_team_barrier(me); /* all members have finished the step */
    }
}

static fr_status run(fr_part_solver *s, const fr_part_query *query) {
    sssp x = {.s = s,
              .p = s->part,
              .rows = &s->part->push->csr,
              .query = query,
              .shared = s->threads > 1,
              .windows = s->push_edges != NULL};
    x.inf = fri_dist_inf(x.rows->weight_type);
    x.min_due = FRI_DUE_NEVER;
    x.width = x.windows ? window_width(s) : row_width(s->part);
    x.windows_per_distance = windows_per_distance(x.rows->weight_type, x.width);
    x.bound = plus_width(&x, 0);
    fri_team_run(s->threads, member, &x);
    return x.status;
}

const fri_part_method fri_part_sssp_cores = {.prepare = fri_part_sssp_prepare,
                                             .begin = fri_part_sssp_prepare_windows,
                                             .run = run,
                                             .free = fri_part_sssp_free_rows};
