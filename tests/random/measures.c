/* Components, centralities and eccentricities of random graphs against their definitions. */
#include "fringe_measures.h"
#include "measures.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- shared ------------------------------------------------------------------------------------ */

me_facts me_facts_of(const ri_case *c) {
    const ri_graph *g = &c->graph;
    me_facts f = {0};
    unsigned __int128 largest = 0;
    for (int64_t e = 0; e < g->m; e++) {
        const ri_edge *edge = &g->edges[e];
        const bool real = ri_is_real(g->type), loop = edge->from == edge->to;
        const double size = real ? fabs(edge->weight.f) : fabs((double)edge->weight.i);
        const uint64_t whole =
            edge->weight.i < 0 ? 0 - (uint64_t)edge->weight.i : (uint64_t)edge->weight.i;
        f.negative |= real ? edge->weight.f < 0 : edge->weight.i < 0;
        f.zero |= size == 0 && !loop;
        f.zero_loop |= size == 0 && loop;
        f.largest = fmax(f.largest, size);
        if (!real && whole > largest)
            largest = whole;
    }
    if (ri_is_real(g->type))
        f.beyond = g->n && f.largest > DBL_MAX / g->n / g->n;
    else
        f.beyond = g->type && largest * (unsigned __int128)(g->n ? g->n : 1) >= (unsigned __int128)1
                                                                                    << 53;
    return f;
}

void me_draw_backend(ri_case *c, ri_rng *rng) {
    ri_setting *of = ri_of(c, -1, RI_BACKEND);
    of->number = FR_BACKEND_CPU;
    if (ri_have_gpu())
        of->number = RI_PICK(rng, FR_BACKEND_CPU, FR_BACKEND_CUDA, FR_BACKEND_CUDA, FR_BACKEND_ANY);
    else if (ri_chance(rng, 20))
        of->number = FR_BACKEND_ANY;
}

fr_backend me_backend(const ri_case *c) {
    const fr_backend asked = (fr_backend)ri_at(c, -1, RI_BACKEND);
    return asked == FR_BACKEND_CUDA && !ri_have_gpu() ? FR_BACKEND_CPU : asked;
}

void me_draw_vertices(ri_case *c, ri_rng *rng, ri_setting *set, int64_t count) {
    int32_t some[64];
    count = c->graph.n ? (count < 64 ? count : 64) : 0;
    for (int64_t i = 0; i < count; i++)
        some[i] =
            i && ri_chance(rng, 10) ? some[ri_below(rng, i)] : (int32_t)ri_below(rng, c->graph.n);
    ri_set_list(set, some, count);
}

bool me_is_small(const ri_case *c) { return c->graph.n <= 400 && c->graph.m <= 4000; }

uint64_t *me_bits(ri_case *c, const bool *flags, int64_t count) {
    uint64_t *bits = ri_alloc(c, (size_t)(count / 64 + 1) * sizeof *bits);
    for (int64_t i = 0; i < count; i++)
        bits[i / 64] |= (uint64_t)flags[i] << (i % 64);
    return bits;
}

bool me_near(double got, double want, double relative) {
    return got == want || fabs(got - want) <= relative * fabs(want);
}

#define AT(option) [(option)-RI_FRAME_OPTIONS]

/* ---- components -------------------------------------------------------------------------------- */

enum { CO_STRONG = RI_FRAME_OPTIONS, CO_NO_SIZES, CO_VERIFY };
static const ri_option component_options[] = {
    AT(CO_STRONG) = {.name = "strong"},
    AT(CO_NO_SIZES) = {.name = "no_sizes"},
    AT(CO_VERIFY) = {.name = "verify"},
    {0},
};

static void draw_components(ri_case *c, ri_rng *rng) {
    me_draw_backend(c, rng);
    ri_of(c, -1, CO_STRONG)->number = ri_chance(rng, 60);
    ri_of(c, -1, CO_NO_SIZES)->number = ri_chance(rng, 20);
    ri_of(c, -1, CO_VERIFY)->number = ri_chance(rng, 50);
}

/* Marks what v reaches along the edges (`back`: against them; `both`: either way). */
static void reach(const ri_arcs *s, int32_t v, bool back, bool both, bool *seen) {
    seen[v] = true;
    for (bool more = true; more;) {
        more = false;
        for (int64_t e = 0; e < s->m; e++) {
            const ri_edge *a = &s->arcs[e];
            if ((both || !back) && seen[a->from] && !seen[a->to])
                more = seen[a->to] = true;
            if ((both || back) && seen[a->to] && !seen[a->from])
                more = seen[a->from] = true;
        }
    }
}

/* Labels in the order of the smallest vertices. */
int32_t me_components(ri_case *c, bool strong, int32_t *label, int32_t *size) {
    const int32_t n = c->graph.n;
    bool *from = ri_alloc(c, (size_t)n), *to = ri_alloc(c, (size_t)n);
    int32_t count = 0;
    memset(label, 0xff, (size_t)n * sizeof *label);
    for (int32_t v = 0; v < n; v++) {
        if (label[v] >= 0)
            continue;
        memset(from, 0, (size_t)n);
        memset(to, 0, (size_t)n);
        reach(&c->stored, v, false, !strong, from);
        reach(&c->stored, v, true, !strong, to);
        for (int32_t u = v; u < n; u++)
            if (from[u] && to[u]) {
                label[u] = count;
                size[count]++;
            }
        count++;
    }
    return count;
}

static void run_components(ri_case *c) {
    const size_t n = (size_t)c->graph.n;
    const bool strong = ri_at(c, -1, CO_STRONG);
    const fr_component_kind kind = strong ? FR_COMPONENTS_STRONG : FR_COMPONENTS_WEAK;
    fr_graph *graph = ri_make_graph(c);
    int32_t *label = ri_out(c, n * 4), *size = ri_out(c, n * 4), *count = ri_out(c, 4);
    int32_t *want = ri_alloc(c, n * 4), *sizes = ri_alloc(c, n * 4);
    snprintf(c->what, sizeof c->what, "components %s %s", fr_backend_name(me_backend(c)),
             strong ? "strong" : "weak");
    RI_OK(c, fr_components(c->ctx, graph, kind, me_backend(c), label,
                           ri_at(c, -1, CO_NO_SIZES) ? NULL : size, count));
    const int32_t expected = me_components(c, strong, want, sizes);
    RI_CHECK(c, *count == expected, "%d components, not %d", *count, expected);
    for (int32_t v = 0; v < c->graph.n; v++)
        RI_CHECK(c, label[v] == want[v], "vertex %d is in component %d, not %d", v, label[v],
                 want[v]);
    for (int32_t i = 0; i < *count && !ri_at(c, -1, CO_NO_SIZES); i++)
        RI_CHECK(c, size[i] == sizes[i], "component %d has %d vertices, not %d", i, size[i],
                 sizes[i]);
    if (!ri_at(c, -1, CO_VERIFY) || !n)
        return;
    RI_OK(c, fr_verify_components(c->ctx, graph, kind, label, *count));
    const int32_t v = (int32_t)(c->seed % n);
    label[v] = *count > 1 ? (label[v] + 1) % *count : 1;
    const fr_status s = RI_DO(c, fr_verify_components(c->ctx, graph, kind, label, *count));
    RI_CHECK(c, s == FR_VERIFY_FAILED || ri_is_excused(c, s),
             "%s: the checker takes a wrong label of vertex %d", fr_status_name(s), v);
}

const ri_call ri_call_components = {"components",    component_options, 8,
                                    draw_components, run_components,    NULL};

/* ---- distances from every vertex ------------------------------------------------------------------ */

typedef enum measure { CLOSENESS, HARMONIC, BETWEENNESS, ECCENTRICITY } measure;
static const char *const measure_names[] = {"closeness", "harmonic", "betweenness", "eccentricity",
                                            NULL};
enum {
    ME_MEASURE = RI_FRAME_OPTIONS,
    ME_PLAIN, /* closeness: reached_only; betweenness: not normalized; eccentricity: only the extents */
    ME_SAMPLES,
    ME_SEED,
    ME_AGAIN, /* with other threads, and without parts */
    ME_CUT /* closeness, harmonic: two parts, in one pass for both; the first vertex of the second */
};
static const ri_option measure_options[] = {
    AT(ME_MEASURE) = {.name = "measure", .kind = RI_NAME, .names = measure_names, .least = 1},
    AT(ME_PLAIN) = {.name = "plain"},
    AT(ME_SAMPLES) = {.name = "samples"},
    AT(ME_SEED) = {.name = "sample_seed"},
    AT(ME_AGAIN) = {.name = "again_with_threads"},
    AT(ME_CUT) = {.name = "cut"},
    {0},
};

static void draw_measures(ri_case *c, ri_rng *rng) {
    me_draw_backend(c, rng);
    if (c->graph.type && c->graph.n > 120) /* with kernels on the host that takes half a minute */
        ri_of(c, -1, RI_BACKEND)->number = FR_BACKEND_CPU;
    ri_of(c, -1, ME_MEASURE)->number = ri_below(rng, 4);
    ri_of(c, -1, ME_PLAIN)->number = ri_chance(rng, 50);
    if (ri_at(c, -1, ME_MEASURE) == BETWEENNESS && ri_chance(rng, 30)) {
        ri_of(c, -1, ME_SAMPLES)->number = 1 + ri_below(rng, c->graph.n + 2);
        ri_of(c, -1, ME_SEED)->number = ri_below(rng, 1000);
    }
    if (ri_at(c, -1, ME_MEASURE) <= HARMONIC && ri_chance(rng, 50))
        ri_of(c, -1, ME_CUT)->number = 1 + ri_below(rng, c->graph.n + 1);
    if (ri_chance(rng, 25))
        ri_of(c, -1, ME_AGAIN)->number = 1 + ri_below(rng, 4);
}

typedef struct totals { /* what is expected, by vertex */
    double *distances, *reciprocals, *score, *eccentricity;
    int64_t *reached;
    bool exact; /* sums of weights are, in doubles */
} totals;

typedef struct brandes {
    ri_distances d;
    int32_t *order, reached;
    long double *paths, *share;
} brandes;

static const ri_distances *sorting;
static int by_distance(const void *a, const void *b) {
    return ri_compare(sorting, *(const int32_t *)a, *(const int32_t *)b);
}

static bool is_tight(const ri_arcs *s, const ri_distances *d, int64_t e) {
    const ri_edge *a = &s->arcs[e];
    return a->from != a->to && d->kind[a->from] == RI_FINITE && ri_compare_edge(d, s, e) == 0;
}

/* Adds the parts of the shortest paths from s. Weights are above 0. */
static void add_betweenness(ri_case *c, brandes *b, int32_t s, const bool *tight,
                            const int64_t *row, double *score) {
    const ri_arcs *arcs = &c->stored;
    sorting = &b->d;
    qsort(b->order, (size_t)b->reached, sizeof *b->order, by_distance);
    for (int32_t v = 0; v < arcs->n; v++)
        b->paths[v] = b->share[v] = 0;
    b->paths[s] = 1;
    for (int32_t i = 0; i < b->reached; i++)
        for (int64_t e = row[b->order[i]]; e < row[b->order[i] + 1]; e++)
            if (tight[e])
                b->paths[arcs->arcs[e].to] += b->paths[b->order[i]];
    for (int32_t i = b->reached; i-- > 0;) {
        const int32_t u = b->order[i];
        for (int64_t e = row[u]; e < row[u + 1]; e++)
            if (tight[e]) {
                const int32_t v = arcs->arcs[e].to;
                b->share[u] += b->paths[u] / b->paths[v] * (1 + b->share[v]);
            }
        if (u != s)
            score[u] += (double)b->share[u];
    }
}

static int64_t *rows_of(ri_case *c) {
    int64_t *row = ri_alloc(c, (size_t)(c->graph.n + 2) * sizeof *row);
    for (int64_t e = 0; e < c->stored.m; e++)
        row[c->stored.arcs[e].from + 1]++;
    for (int32_t v = 0; v < c->graph.n; v++)
        row[v + 1] += row[v];
    return row;
}

static totals compute(ri_case *c, bool with_paths) {
    const ri_arcs *s = &c->stored;
    const size_t n = (size_t)c->graph.n;
    totals t = {ri_alloc(c, n * 8), ri_alloc(c, n * 8), ri_alloc(c, n * 8),
                ri_alloc(c, n * 8), ri_alloc(c, n * 8), true};
    brandes b = {.order = ri_alloc(c, n * 4),
                 .paths = ri_alloc(c, n * sizeof(long double)),
                 .share = ri_alloc(c, n * sizeof(long double))};
    bool *tight = ri_alloc(c, (size_t)s->m);
    const int64_t *row = rows_of(c);
    for (int32_t from = 0; from < c->graph.n; from++) {
        b.d = ri_shortest(c, s, &from, 1);
        b.reached = 0;
        t.exact &= ri_is_exact(&b.d, FR_TYPE_F64);
        for (int32_t v = 0; v < c->graph.n; v++) {
            if (b.d.kind[v] != RI_FINITE)
                continue;
            const double dist = ri_double(&b.d, v);
            b.order[b.reached++] = v;
            t.reached[v]++;
            t.distances[v] += dist;
            t.reciprocals[v] += dist > 0 ? 1 / dist : 0;
            t.eccentricity[from] = fmax(t.eccentricity[from], dist);
        }
        if (!with_paths)
            continue;
        for (int64_t e = 0; e < s->m; e++)
            tight[e] = is_tight(s, &b.d, e);
        add_betweenness(c, &b, from, tight, row, t.score);
    }
    return t;
}

/* ---- judging ----------------------------------------------------------------------------------- */

typedef struct answer {
    double *score, *bound, *diameter, *radius;
    int64_t *passes;
} answer;

static answer answer_new(ri_case *c) {
    return (answer){ri_out(c, (size_t)c->graph.n * 8), ri_out(c, 8), ri_out(c, 8), ri_out(c, 8),
                    ri_out(c, 8)};
}

static fr_status ask_parts(ri_case *c, fr_ctx *ctx, const fr_graph *graph, answer *a) {
    const int64_t n = c->graph.n, cut = ri_at(c, -1, ME_CUT) % (n + 1);
    const bool far = ri_at(c, -1, ME_MEASURE) == CLOSENESS;
    double *other = ri_out(c, (size_t)n * 8);
    fr_status status = FR_OK;
    for (int i = cut > 0 ? 0 : 1; i < 2 && !status; i++) {
        const fr_distance_centrality_options o = {.struct_size = sizeof o,
                                                  .backend = me_backend(c),
                                                  .reached_only = ri_at(c, -1, ME_PLAIN),
                                                  .first = i ? cut : 0,
                                                  .count = i ? 0 : cut};
        double *to[] = {a->score + o.first, other + o.first};
        status = RI_DO(c, fr_distance_centrality(ctx, graph, &o, to[!far], to[far]));
    }
    return status;
}

static fr_status ask(ri_case *c, fr_ctx *ctx, const fr_graph *graph, answer *a, bool parts) {
    const bool plain = ri_at(c, -1, ME_PLAIN);
    const fr_backend backend = me_backend(c);
    fr_betweenness_options o = FR_INIT(fr_betweenness_options);
    if (parts && ri_at(c, -1, ME_CUT))
        return ask_parts(c, ctx, graph, a);
    switch ((measure)ri_at(c, -1, ME_MEASURE)) {
    case CLOSENESS: return RI_DO(c, fr_closeness(ctx, graph, plain, backend, a->score));
    case HARMONIC: return RI_DO(c, fr_harmonic(ctx, graph, backend, a->score));
    case ECCENTRICITY:
        return RI_DO(c, fr_eccentricity(ctx, graph, backend, plain ? NULL : a->score, a->diameter,
                                        a->radius, a->passes));
    default: break;
    }
    o.normalized = !plain;
    o.backend = backend;
    o.samples = ri_at(c, -1, ME_SAMPLES);
    o.seed = (uint64_t)ri_at(c, -1, ME_SEED);
    return RI_DO(c, fr_betweenness(ctx, graph, &o, a->score, a->bound));
}

/* Whether the header allows the status. */
static bool is_refusal(const ri_case *c, const me_facts *f, const totals *t, fr_status s) {
    const measure what = (measure)ri_at(c, -1, ME_MEASURE);
    const bool real = ri_is_real(c->graph.type);
    switch (s) {
    case FR_NEGATIVE_WEIGHT: return f->negative;
    case FR_OVERFLOW: return f->beyond;
    case FR_UNSUPPORTED:
        return (what == BETWEENNESS && (f->zero || f->zero_loop || (real && t && !t->exact))) ||
               (what == ECCENTRICITY && real && me_backend(c) == FR_BACKEND_CUDA);
    default: return false;
    }
}

static bool must_refuse(const ri_case *c, const me_facts *f) {
    return f->negative || f->beyond || (ri_at(c, -1, ME_MEASURE) == BETWEENNESS && f->zero);
}

static void check_scores(ri_case *c, const char *what, const double *got, const double *want,
                         double relative, double absolute) {
    for (int32_t v = 0; v < c->graph.n; v++)
        RI_CHECK(c, me_near(got[v], want[v], relative) || fabs(got[v] - want[v]) <= absolute,
                 "%s of vertex %d is %.17g, not %.17g", what, v, got[v], want[v]);
}

static double rounding(const ri_case *c) { return 8 * DBL_EPSILON * (c->graph.n + 2); }

static void judge_closeness(ri_case *c, const totals *t, const answer *a) {
    double *want = ri_alloc(c, (size_t)c->graph.n * sizeof *want);
    for (int32_t v = 0; v < c->graph.n; v++) {
        const double others = (double)(t->reached[v] - 1);
        want[v] = t->distances[v] > 0 ? others / t->distances[v] : 0;
        if (!ri_at(c, -1, ME_PLAIN) && want[v] != 0)
            want[v] *= others / (c->graph.n - 1);
    }
    check_scores(c, "closeness", a->score, want, rounding(c), 0);
}

static void judge_eccentricity(ri_case *c, const totals *t, const answer *a) {
    double diameter = 0, radius = c->graph.n ? INFINITY : 0;
    for (int32_t v = 0; v < c->graph.n; v++) {
        diameter = fmax(diameter, t->eccentricity[v]);
        radius = fmin(radius, t->eccentricity[v]);
    }
    const double relative = ri_is_real(c->graph.type) && !t->exact ? rounding(c) : 0;
    if (!ri_at(c, -1, ME_PLAIN))
        check_scores(c, "eccentricity", a->score, t->eccentricity, relative, 0);
    RI_CHECK(c, me_near(*a->diameter, diameter, relative), "the diameter is %.17g, not %.17g",
             *a->diameter, diameter);
    RI_CHECK(c, me_near(*a->radius, radius, relative), "the radius is %.17g, not %.17g", *a->radius,
             radius);
    RI_CHECK(c, *a->passes >= (c->graph.n > 0) && *a->passes <= 2 * (int64_t)c->graph.n + 4096,
             "%lld traversals", (long long)*a->passes);
}

static void judge_betweenness(ri_case *c, const totals *t, const answer *a) {
    const double n = c->graph.n, half = c->stored.undirected ? 0.5 : 1;
    const double pairs = (n - 1) * (n - 2) * half, samples = (double)ri_at(c, -1, ME_SAMPLES);
    const bool normalized = !ri_at(c, -1, ME_PLAIN), sampled = samples > 0 && samples < n;
    double bound = sampled ? n / (n - 1) * sqrt(log(40 * n) / (2 * samples)) : 0;
    double *want = ri_alloc(c, (size_t)c->graph.n * sizeof *want);
    for (int32_t v = 0; v < c->graph.n; v++)
        want[v] = t->score[v] * half / (normalized && pairs > 0 ? pairs : 1);
    if (!normalized)
        bound *= fmax(pairs, 0);
    if (n > 2)
        RI_CHECK(c, me_near(*a->bound, bound, 1e-9), "the error bound is %.17g, not %.17g",
                 *a->bound, bound);
    if (ri_is_real(c->graph.type) && !t->exact) {
        for (int32_t v = 0; v < c->graph.n; v++)
            RI_CHECK(c, a->score[v] >= 0 && a->score[v] <= DBL_MAX, "a score is %g", a->score[v]);
        return;
    }
    /* beyond three times the bound with a probability below 1e-9 */
    check_scores(c, "betweenness", a->score, want, 1e-9, sampled ? 3 * bound : 1e-12);
}

/* Another number of threads gives the same bits. */
static void ask_again(ri_case *c, const answer *a) {
    if (!ri_at(c, -1, ME_AGAIN) || ri_at(c, -1, ME_MEASURE) == ECCENTRICITY ||
        me_backend(c) != FR_BACKEND_CPU)
        return;
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    fr_ctx *ctx = NULL;
    answer other = answer_new(c);
    options.threads = (int)ri_at(c, -1, ME_AGAIN);
    RI_OK(c, fr_ctx_new(&options, &ctx));
    RI_FREE_AT_END(c, fr_ctx_free, ctx);
    fr_ctx *own = c->ctx;
    c->ctx = ctx;
    fr_graph *graph = ri_make_graph(c);
    const fr_status s = ask(c, ctx, graph, &other, false);
    c->ctx = own;
    RI_CHECK(c, !s, "%s with %d threads", fr_status_name(s), options.threads);
    for (int32_t v = 0; v < c->graph.n; v++)
        RI_CHECK(c, memcmp(&a->score[v], &other.score[v], 8) == 0,
                 "vertex %d: %.17g with %lld threads, %.17g with %d", v, a->score[v],
                 (long long)ri_at(c, -1, RI_THREADS), other.score[v], options.threads);
}

static void run_measures(ri_case *c) {
    const measure what = (measure)ri_at(c, -1, ME_MEASURE);
    const me_facts f = me_facts_of(c);
    fr_graph *graph = ri_make_graph(c);
    answer a = answer_new(c);
    snprintf(c->what, sizeof c->what, "%s %s%s", measure_names[what],
             fr_backend_name(me_backend(c)), c->graph.type ? " weights" : "");
    const fr_status s = ask(c, c->ctx, graph, &a, true);
    if (ri_is_excused(c, s))
        ri_stop(c);
    const totals t = f.negative ? (totals){0} : compute(c, what == BETWEENNESS && !f.zero);
    if (s) {
        RI_CHECK(c, is_refusal(c, &f, f.negative ? NULL : &t, s), "%s: %s", fr_status_name(s),
                 fr_ctx_error(c->ctx));
        ri_refuse(c);
        return;
    }
    RI_CHECK(c, !must_refuse(c, &f), "not refused");
    switch (what) {
    case CLOSENESS: judge_closeness(c, &t, &a); break;
    case HARMONIC:
        check_scores(c, "harmonic centrality", a.score, t.reciprocals, rounding(c), 0);
        break;
    case BETWEENNESS: judge_betweenness(c, &t, &a); break;
    case ECCENTRICITY: judge_eccentricity(c, &t, &a); break;
    }
    ask_again(c, &a);
}

const ri_call ri_call_measures = {"measures",    measure_options, 12,
                                  draw_measures, run_measures,    me_is_small};
