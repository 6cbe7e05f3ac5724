/* What fringe.h lets a solver refuse. */
#include "solve_run.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is(const so_run_state *s, const char *name) {
    return strcmp(s->strategy->name, name) == 0;
}

static bool is_apsp(const so_run_state *s) { return s->problem == FR_PROBLEM_APSP; }

/* docs/strategies.md: "Needs: no negative weights". */
static bool needs_non_negative(const so_run_state *s) {
    static const char *const names[] = {"dijkstra",     "delta-step", "spira-window", "near-far",
                                        "multi-device", "multi-sssp", "each-sssp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(s, names[i]))
            return true;
    return false;
}

static bool has_weights(const so_run_state *s) {
    return s->c->graph.type != FR_TYPE_NONE && !s->unit;
}

static bool may_refuse_solver(const so_run_state *s) {
    const bool wide = s->c->graph.type == FR_TYPE_I64 && has_weights(s);
    if (!is_apsp(s))
        return false;
    if (is(s, "multi-bfs") && has_weights(s))
        return true;
    if (wide && s->strategy->backend == FR_BACKEND_CUDA && !is(s, "each-sssp"))
        return true;
    return wide && is(s, "floyd-warshall") && s->largest * s->c->graph.n > 0x1p60;
}

bool so_is_refused_solver(so_run_state *s, fr_status status) {
    ri_case *c = s->c;
    if (status == FR_NEGATIVE_WEIGHT && s->negative && needs_non_negative(s))
        return true;
    if (status == FR_UNSUPPORTED && s->in_place &&
        !(is(s, "floyd-warshall") && s->asked == FR_BACKEND_CUDA))
        return true;
    if (status == FR_UNSUPPORTED && s->in_place && !has_weights(s) && ri_is_real(s->type))
        return true;
    if (status == FR_UNSUPPORTED && ri_at(c, -1, SO_COUNTERS) && s->asked != FR_BACKEND_CPU)
        return true; /* only `make counting` counts on a GPU */
    if (status == FR_UNSUPPORTED && may_refuse_solver(s))
        return true;
    const double narrow = s->type == FR_TYPE_I32 ? 0x1p29 : FLT_MAX / 4;
    if (status == FR_OVERFLOW && s->in_place && fr_type_size(s->type) == 4 &&
        s->largest * c->graph.n >= narrow)
        return true;
    RI_CHECK(c, !status, "fr_solver_new: %s: %s", fr_status_name(status), fr_ctx_error(c->ctx));
    RI_CHECK(c, !(s->negative && needs_non_negative(s)), "%s takes a negative weight",
             s->strategy->name);
    return false;
}

/* ---- queries -------------------------------------------------------------------------------------------- */

typedef enum demand { NOT, MAY, MUST } demand;

static demand device_refused(const so_query *q) {
    const so_run_state *s = q->s;
    if (!q->device)
        return NOT;
    if (s->backend != FR_BACKEND_CUDA || q->result.order || q->result.origin || q->row)
        return MUST;
    if (is_apsp(s) && (q->query.target_count || q->limited || q->result.parent))
        return MUST;
    const char *knobs = ri_of(s->c, -1, SO_KNOBS)->text;
    if ((q->limited && q->limit == 0) ||
        (knobs && is(s, "floyd-warshall") && strstr(knobs, "stream")))
        return MAY; /* what the host computes, or a matrix there */
    if (ri_at(s->c, -1, RI_MAX_GPU) && (q->query.closed_vertices || q->query.closed_edges))
        return MAY; /* the solver without them may have to be of the CPU */
    if (q->query.parent_rule == FR_PARENT_NEAREST && q->parents && s->problem == FR_PROBLEM_SSSP)
        return MUST;
    if (is(s, "multi-device") && q->query.parent_rule == FR_PARENT_MIN_ID &&
        s->problem == FR_PROBLEM_BFS)
        return MAY;
    const bool floats_of_units = !has_weights(s) && ri_is_real(s->type);
    return floats_of_units || q->query.parent_rule == FR_PARENT_NEAREST ? MAY : NOT;
}

static demand rule_refused(const so_query *q) {
    const so_run_state *s = q->s;
    const fr_parent_rule rule = q->query.parent_rule;
    if (!q->parents || rule == FR_PARENT_ANY)
        return NOT;
    if (!is_apsp(s) || !ri_is_real(s->type))
        return NOT;
    if (!has_weights(s) || is(s, "auto") || is(s, "multi-bfs"))
        return MAY;
    if (rule == FR_PARENT_NEAREST)
        return is(s, "multi-sssp") || is(s, "each-sssp") ? NOT : MUST;
    return is(s, "floyd-warshall") ? MUST : is(s, "johnson") && s->negative ? MAY : NOT;
}

bool so_is_refused(so_query *q, fr_status status) {
    const demand device = device_refused(q), rule = rule_refused(q);
    const demand most = device > rule ? device : rule;
    const bool sums_first = status == FR_OVERFLOW && so_may_overflow(q);
    RI_CHECK(q->s->c, most != MUST || status == FR_UNSUPPORTED || sums_first,
             "query %d: %s, not FR_UNSUPPORTED", q->round, fr_status_name(status));
    if (status != FR_UNSUPPORTED || most == NOT)
        return false;
    ri_refuse(q->s->c);
    return true;
}

/* Floyd-Warshall refuses sums that may leave double; Johnson adds potentials up. */
bool so_may_overflow(const so_query *q) {
    const so_run_state *s = q->s;
    const double n = s->c->graph.n;
    if (!is_apsp(s) || !ri_is_real(s->type))
        return false;
    if (is(s, "floyd-warshall") || s->in_place)
        return !(s->largest * n < DBL_MAX / 4);
    return s->negative && (is(s, "johnson") || is(s, "auto")) && s->largest > DBL_MAX / (2 * n + 2);
}
