/* BFS and SSSP on 1, 2, 3, 5 and 8 ranks, as threads, over the shapes of the conformance suite, against
 * its oracle: values exactly, parents as tight, the checker on ranks, and the bytes of every level as
 * the formula has them. With the library whose kernels run on the host (FRI_SIMT) each rank has a GPU. */
#include "conformance/oracle.h"
#include "ranks/search.h"

#include <math.h>

static int failures, cases; /* of rank 0, one run at a time */

static const int sizes[] = {1, 2, 3, 5, 8};
static const cf_weights kinds[] = {CF_I32, CF_ZERO, CF_F32, CF_F64, CF_I64_53};

static void complain(const cf_graph *g, const fr_world *w, const char *what) {
    if (failures++ < 20)
        printf("FAILED %s %s on %d ranks: %s\n", g->shape, cf_weights_name[g->weights], w->size,
               what);
}

static void *need(size_t count, size_t size) {
    void *p = calloc(count + 1, size);
    if (!p)
        abort();
    return p;
}

static void put_weight(void *array, fr_type type, int64_t i, cf_number value) {
    switch (type) {
    case FR_TYPE_I32: ((int32_t *)array)[i] = (int32_t)value; break;
    case FR_TYPE_I64: ((int64_t *)array)[i] = (int64_t)value; break;
    case FR_TYPE_F32: ((float *)array)[i] = (float)value; break;
    default: ((double *)array)[i] = (double)value;
    }
}

/* Every P-th edge of the oracle's adjacency. */
static fr_part *make_part(fr_ctx *ctx, fr_world *w, const cf_graph *g) {
    fr_type type = cf_weight_type(g->weights);
    int64_t *src = need((size_t)g->m, 8), *dst = need((size_t)g->m, 8), here = 0;
    void *weights = need((size_t)g->m, 8);
    for (int32_t u = 0; u < g->n; u++)
        for (int64_t e = g->offset[u]; e < g->offset[u + 1]; e++)
            if (e % w->size == w->rank) {
                src[here] = u;
                dst[here] = g->to[e];
                put_weight(weights, type, here++, g->weight[e]);
            }
    fr_part *part = NULL;
    if (fr_part_from_edges(ctx, w, g->n, here, src, dst, type ? weights : NULL, type, NULL, &part))
        complain(g, w, fr_ctx_error(ctx));
    free(src);
    free(dst);
    free(weights);
    return part;
}

static cf_number value_of(const fr_part_stats *f, const fr_part_result *r, int64_t v) {
    if (r->level)
        return r->level[v] < 0 ? (cf_number)INFINITY : r->level[v];
    if (f->dist_type == FR_TYPE_F64)
        return ((double *)r->dist)[v];
    int64_t dist = ((int64_t *)r->dist)[v];
    return dist == FR_INF_I64 ? (cf_number)INFINITY : dist;
}

/* On rank 0, with the whole answer. */
static void compare(const cf_graph *g, const fr_world *w, const fr_part_stats *f,
                    const int32_t *sources, int64_t count, const fr_part_result *all) {
    bool unit = all->level != NULL;
    cf_number *dist = need((size_t)g->n, sizeof *dist);
    int32_t *min_parents = need((size_t)g->n, sizeof *min_parents), *parent = need((size_t)g->n, 4);
    cf_solve(g, unit, sources, count, dist, min_parents);
    for (int32_t v = 0; v < g->n; v++) {
        parent[v] = (int32_t)all->parent[v];
        if (value_of(f, all, v) != dist[v]) {
            complain(g, w, unit ? "a level differs" : "a distance differs");
            break;
        }
    }
    if (cf_wrong_parent(g, unit, sources, count, dist, parent) >= 0)
        complain(g, w, "a parent is wrong");
    free(dist);
    free(min_parents);
    free(parent);
}

/* The deepest level of all ranks is the count that each one returns. */
static void check_levels(const cf_graph *g, fr_world *w, const fr_part *p,
                         const fr_part_result *own) {
    int64_t deepest = 0;
    for (int32_t i = 0; i < p->own; i++)
        deepest = FRI_MAX(deepest, own->level[i]);
    if (fri_world_max(w, &deepest, 1) || deepest != own->levels)
        complain(g, w, "the number of levels is not the deepest level");
}

/* SSSP reads the rows of small graphs whole: windows are asked for, and have to have been seen. */
static bool in_windows;
static int64_t windows, pulls, flushes;

#ifdef FRI_SIMT
#include "gpu/gpu_host.h"
#include "simt_runtime.h"
enum { ON_GPUS = 1 };
extern const fri_device_comm_plugin FRI_DEVICE_COMM_PLUGIN; /* host_gpus.c */
static void use_gpus(fr_ctx *ctx, fr_world *w, const cf_graph *g) {
    if (fri_world_use_gpus(w, &FRI_DEVICE_COMM_PLUGIN, 60))
        complain(g, w, fr_ctx_error(ctx));
}
#else
enum { ON_GPUS = 0 };
static void use_gpus(fr_ctx *ctx, fr_world *w, const cf_graph *g) {
    (void)ctx;
    (void)w;
    (void)g;
}
#endif

static int64_t pushes, long_lists, distances, recoveries;

static void count_method(const fr_part_level *l) {
    const char *method = l->method;
    if (ON_GPUS) {
        pushes += strcmp(method, "push") == 0;
        recoveries += strcmp(method, "recover") == 0;
    }
    windows += (ON_GPUS || in_windows) && strcmp(method, "window") == 0;
    pulls += (ON_GPUS || in_windows) && strcmp(method, "pull") == 0;
    flushes += strcmp(method, "flush") == 0;
}

/* On GPUs, for other ranks each: the message, then the distances of all vertices, or the lists if the longest does
 * not fit the message, each padded to `longest` rounded up to 32 entries. Messages of 256 bytes have room for 16
 * entries after the record (real GPUs: 4096, 336). */
static int64_t sssp_bytes_on_gpus(const fr_part *p, const fr_part_level *l, int64_t longest) {
    if (l->bitmap)
        return 256 + (int64_t)p->share * 8;
    return 256 + (l->frontier && longest > 16 ? (longest + 31) / 32 * 32 * 12 : 0);
}

/* What a rank receives per level: every other rank's report, and of the frontier what it lacks. Between
 * GPUs BFS sends both in one message of whole lines of 128 bytes. */
static int64_t level_bytes(fr_part_solver *s, const fr_part_level *l) {
    const fr_part *p = s->part;
    const bool bfs = s->problem == FR_PROBLEM_BFS;
    const int64_t others = p->world->size - 1, map = p->share / 8, each = bfs ? 4 : 12;
    if (!ON_GPUS)
        return others * 40 + (l->bitmap ? others * map : (l->frontier - l->own_frontier) * each);
    if (bfs)
        return others * ((map + 64 + 127) / 128 * 128);
    int64_t longest = l->own_frontier;
    if (fri_world_max(p->world, &longest, 1))
        return -1;
    if (p->world->rank == 0) {
        long_lists += longest > 16 && !l->bitmap;
        distances += l->bitmap;
    }
    return others * sssp_bytes_on_gpus(p, l, longest);
}

static void check_bytes(const cf_graph *g, fr_part_solver *s, int64_t received) {
    const fr_part *p = s->part;
    const fr_world *w = p->world;
    int64_t count, sum = 0;
    const bool bfs = s->problem == FR_PROBLEM_BFS;
    const fr_part_level *levels = fr_part_levels(s, &count);
    for (int64_t i = 0; i < count; i++) {
        const fr_part_level *l = &levels[i];
        if (level_bytes(s, l) != l->bytes_received)
            complain(g, w, "the bytes of a level are not those of the formula");
        const bool wide = bfs && (ON_GPUS || l->frontier > fri_part_slots(p) / 32);
        if (l->bitmap != wide && !(ON_GPUS && !bfs))
            complain(g, w, "a frontier was sent in the longer form");
        if (ON_GPUS && !bfs && l->bitmap != (i + 1 < count && !strcmp(l[1].method, "pull")))
            complain(g, w, "the distances were sent without a pull");
        sum += l->bytes_received;
        if (w->rank == 0)
            count_method(l);
    }
    if (count < FRI_PART_MAX_LEVELS && sum != received)
        complain(g, w, "the levels' bytes are not those of the query");
}

static void one_query(fr_ctx *ctx, search *s, const cf_graph *g, const int32_t *sources,
                      int64_t count) {
    const fr_part *p = s->part;
    const fr_problem problem = s->solver->problem;
    fr_world *w = p->world;
    fr_part_stats f = FR_INIT(fr_part_stats);
    fr_part_get_stats(p, &f);
    int64_t wide[4], everything = w->rank == 0 ? g->n : 0;
    for (int64_t k = 0; k < count; k++)
        wide[k] = sources[k];
    fr_part_query q = {.sources = wide, .source_count = count};
    void *values = need((size_t)everything, 8);
    fr_part_result all = {.level = s->own.level ? values : NULL,
                          .dist = s->own.dist ? values : NULL,
                          .parent = need((size_t)everything, 8)};
    fr_status status = fr_part_solve(s->solver, &q, &s->own);
    if (status || w->bytes_received != ranks_bytes_copied(w))
        complain(g, w, status ? fr_ctx_error(ctx) : "the count of bytes is not what was copied");
    if (!status)
        check_bytes(g, s->solver, s->own.bytes_received);
    if (!status && problem == FR_PROBLEM_BFS)
        check_levels(g, w, p, &s->own);
    if (!status && (status = fr_part_verify(ctx, p, problem, &q, &s->own)))
        complain(g, w, fr_ctx_error(ctx));
    if (!status && fr_part_collect(ctx, p, &s->own, 0, everything, &all))
        complain(g, w, fr_ctx_error(ctx));
    if (!status && w->rank == 0)
        compare(g, w, &f, sources, count, &all);
    if (w->rank == 0)
        cases++;
    free(values);
    free(all.parent);
}

/* Makes the part and the solver; false after a complaint. */
static bool open_search(search *s, fr_ctx *ctx, fr_world *w, const cf_graph *g,
                        fr_problem problem) {
    use_gpus(ctx, w, g);
    s->part = make_part(ctx, w, g);
    const bool good = s->part && !search_open(s, ctx, problem);
    if (s->part && !good)
        complain(g, w, fr_ctx_error(ctx));
    return good;
}

typedef struct one_search {
    cf_graph *g;
    fr_problem problem;
} one_search;

static void on_rank(fr_ctx *ctx, fr_world *w, void *user) {
    const one_search *one = user;
    const cf_graph *g = one->g;
    const int32_t isolated[] = {g->isolated}, sources[] = {g->hub, g->n - 1, 0, g->hub};
    search s = {0};
    const bool good = open_search(&s, ctx, w, g, one->problem);
    if (good && in_windows) {
        s.solver->wants_windows = true;
        s.solver->queries = 1; /* sorted rows wait for the second one */
    }
    if (good && g->isolated >= 0)
        one_query(ctx, &s, g, isolated, 1);
    for (int count = 1; good && count <= 4 && g->n; count += 3) /* four: one is given twice */
        one_query(ctx, &s, g, sources, count);
    search_free(&s);
}

/* `threads`: of the last rank; the others have one. */
static void one_graph(fr_ctx *ctx, const cf_shape *shape, cf_weights kind, int size, int threads) {
    cf_graph *g = cf_graph_new(ctx, shape, kind);
    if (!g)
        exit(1);
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    options.threads = threads;
    const ranks_run run = {.size = size, .options = &options};
    one_search one = {g, kind == CF_NONE ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP};
    for (; one.problem <= FR_PROBLEM_SSSP; one.problem++)
        ranks_start(&run, on_rank, &one);
    cf_graph_free(g);
}

/* ---- reports that never end a traversal ---- */

static _Thread_local size_t message, report; /* bytes of a message; where in it a report is */

static void find_more(void *all, const int *counts, size_t width) {
    fri_level_report *first = (void *)((char *)all + report);
    if ((size_t)counts[0] * width == message)
        first->count = FRI_MAX(first->count, 1);
}

static void endless_on_rank(fr_ctx *ctx, fr_world *w, void *user) {
    const one_search *e = user;
    const bool bfs = e->problem == FR_PROBLEM_BFS;
    search s = {0};
    if (!open_search(&s, ctx, w, e->g, e->problem))
        return;
    report = ON_GPUS && bfs ? (size_t)s.part->share / 8 : 0;
    message = !ON_GPUS ? sizeof(fri_level_report) : bfs ? (report + 191) / 128 * 128 : 256;
    fr_status status = search_solve(&s, 0);
    message = 0;
    if (status != (ON_GPUS ? FR_DEVICE : FR_RANK) || !strstr(fr_ctx_error(ctx), "does not end"))
        complain(e->g, w, "a traversal whose reports never end it");
    search_free(&s);
}

static void check_endless(fr_ctx *ctx) {
    const cf_random_kind kind = {.weights = CF_NONE, .directed = true};
    uint64_t state = 7;
    one_search e = {.g = cf_random_graph(ctx, 12, 36, &kind, &state)};
    const ranks_run run = {.size = 3, .falsify = find_more};
    for (e.problem = FR_PROBLEM_BFS; e.g && e.problem <= FR_PROBLEM_SSSP; e.problem++)
        ranks_start(&run, endless_on_rank, &e);
    if (e.g)
        cf_graph_free(e.g);
    else
        failures++;
}

#ifdef FRI_SIMT
/* The executor takes seconds for many levels on several ranks. */
static bool is_deep(const cf_shape *s) {
    static const char *const deep[] = {
        "path-400", "path-400-directed", "cycle-directed", "lollipop", "grid", "two-components"};
    bool found = false;
    for (int i = 0; i < 6; i++)
        found |= strcmp(s->name, deep[i]) == 0;
    return found;
}

/* Two of the five numbers of ranks for a shape, one rank for a deep one; all of them when it is named. One of the two
 * also with weights; with FRINGE_FULL both. */
static bool is_wanted(const cf_shape *s, int r, int argc, char **argv) {
    int turn = (r + 5 - (int)(s - cf_shapes) % 5) % 5;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], s->name) == 0)
            return true;
    return argc == 1 && !s->large && (is_deep(s) ? r == 0 : turn == 1 || turn == 4);
}

/* What the ranks of a failure test expect: `expected` of one of these steps on every rank. */
typedef struct failure {
    cf_graph *g;
    fr_status expected;
    enum { TAKE_GPU, NEW_SOLVER, SOLVE } step;
    fr_problem problem;
} failure;

static int cancel_in_level_2(void *user, const char *phase, int64_t done, int64_t total) {
    (void)total;
    bool *wanted = user;
    bool now = *wanted && strcmp(phase, "traversing") == 0 && done == 2;
    *wanted &= !now;
    return now;
}

static void fails_on_rank(fr_ctx *ctx, fr_world *w, void *user) {
    const failure *f = user;
    search s = {0};
    fr_status got[3] = {fri_world_use_gpus(w, &FRI_DEVICE_COMM_PLUGIN, 60), FR_OK, FR_OK};
    s.part = got[TAKE_GPU] ? NULL : make_part(ctx, w, f->g);
    if (s.part)
        got[NEW_SOLVER] = search_open(&s, ctx, f->problem);
    if (s.solver)
        got[SOLVE] = search_solve(&s, f->g->hub);
    for (int step = 0; step < 3; step++)
        if (got[step] != (step == (int)f->step ? f->expected : FR_OK))
            complain(f->g, w, "another status than expected");
    /* after a cancelled query the next one is answered */
    if (s.solver && f->expected != FR_OVERFLOW &&
        (search_solve(&s, f->g->hub) || s.own.reached != f->g->n))
        complain(f->g, w, "the next query is not answered");
    search_free(&s);
}

/* One rank has too little memory, is cancelled or finds an overflow, or a host has too few GPUs: all ranks get the status. */
static void check_failures(fr_ctx *ctx) {
    const cf_shape *shape = cf_shapes;
    while (strcmp(shape->name, "grid") != 0)
        shape++;
    cf_graph *g = cf_graph_new(ctx, shape, CF_NONE), *heavy = cf_graph_new(ctx, shape, CF_I64_OVER);
    bool cancels = true;
    fr_ctx_options little = FR_INIT(fr_ctx_options), cancelled = FR_INIT(fr_ctx_options);
    little.max_gpu_bytes = 4096;
    cancelled.progress = cancel_in_level_2;
    cancelled.progress_user = &cancels;
    const struct {
        failure f;
        const fr_ctx_options *options;
        int devices;
    } cases_of[] = {{{g, FR_NO_DEVICE, TAKE_GPU, FR_PROBLEM_BFS}, NULL, 2},
                    {{g, FR_NOMEM, NEW_SOLVER, FR_PROBLEM_BFS}, &little, 3},
                    {{g, FR_NOMEM, NEW_SOLVER, FR_PROBLEM_SSSP}, &little, 3},
                    {{g, FR_CANCELLED, SOLVE, FR_PROBLEM_BFS}, &cancelled, 1},
                    {{g, FR_CANCELLED, SOLVE, FR_PROBLEM_SSSP}, &cancelled, 1},
                    {{heavy, FR_OVERFLOW, SOLVE, FR_PROBLEM_SSSP}, NULL, 3}};
    for (size_t i = 0; i < sizeof cases_of / sizeof *cases_of; i++) {
        failure f = cases_of[i].f;
        cancels = true;
        const ranks_run run = {.size = 3, .options = cases_of[i].options};
        simt_set_devices(cases_of[i].devices);
        ranks_start(&run, fails_on_rank, &f);
    }
    cf_graph_free(g);
    cf_graph_free(heavy);
}

/* From vertex 1 to 3, and to all even ones, which it reaches beyond the first bound; from 3 to each even one by
 * several edges. So the round in which the bound moves lowers all vertices of one rank, which are pending, and
 * has more events than that rank has places for. */
enum { LATE_N = 256, LATE_EDGES = 8, LATE_M = 1 + LATE_N / 2 * (1 + LATE_EDGES) };

static int64_t late_edges(int64_t *src, int64_t *dst, int32_t *weight) {
    int64_t m = 0;
    src[m] = 1, dst[m] = 3, weight[m++] = 10;
    for (int64_t v = 0; v < LATE_N; v += 2) {
        src[m] = 1, dst[m] = v, weight[m++] = 1000;
        for (int32_t k = LATE_EDGES; k; k--)
            src[m] = 3, dst[m] = v, weight[m++] = 500 + k;
    }
    return m;
}

static void check_late(const cf_graph *g, const fr_world *w, const fr_part_solver *s,
                       const fr_part_result *r) {
    int64_t count, again = 0;
    const fr_part_level *levels = fr_part_levels(s, &count);
    for (int64_t i = 0; i < count; i++) {
        again += strcmp(levels[i].method, "recover") == 0;
        if (levels[i].own_frontier > s->part->own)
            complain(g, w, "a vertex is twice in the list after a recovery");
    }
    if (!again)
        complain(g, w, "no parents are recovered");
    if (r->edges_examined != LATE_M + again * (LATE_N / 2 * LATE_EDGES))
        complain(g, w, "the edges of a recovery are counted more than once");
}

static void recovers_on_rank(fr_ctx *ctx, fr_world *w, void *user) {
    const cf_graph *g = user;
    int64_t src[LATE_M], dst[LATE_M];
    int32_t weight[LATE_M];
    const int64_t here = w->rank ? 0 : late_edges(src, dst, weight); /* rank 0 passes all */
    search s = {0};
    const fr_part_query q = search_query(&s, 1);
    use_gpus(ctx, w, g);
    if (fr_part_from_edges(ctx, w, LATE_N, here, src, dst, weight, FR_TYPE_I32, NULL, &s.part) ||
        search_open(&s, ctx, FR_PROBLEM_SSSP) || search_solve(&s, 1) ||
        fr_part_verify(ctx, s.part, FR_PROBLEM_SSSP, &q, &s.own))
        complain(g, w, fr_ctx_error(ctx));
    else
        check_late(g, w, s.solver, &s.own);
    search_free(&s);
}

/* A sum that does not fit is dropped where another edge gives a distance: 0 -> 1 -> 2 and 0 -> 2; without that
 * edge it is FR_OVERFLOW. */
static void drops_on_rank(fr_ctx *ctx, fr_world *w, void *user) {
    const cf_graph *g = user;
    const int64_t src[] = {0, 1, 0}, dst[] = {1, 2, 2};
    const int64_t weight[] = {9000000000000000000, 500000000000000000, 5};
    use_gpus(ctx, w, g);
    for (int64_t m = 2; m <= 3; m++) {
        search s = {0};
        const fr_part_query q = search_query(&s, 0);
        if (fr_part_from_edges(ctx, w, 3, w->rank ? 0 : m, src, dst, weight, FR_TYPE_I64, NULL,
                               &s.part) ||
            search_open(&s, ctx, FR_PROBLEM_SSSP))
            complain(g, w, fr_ctx_error(ctx));
        else if (search_solve(&s, 0) != (m == 2 ? FR_OVERFLOW : FR_OK))
            complain(g, w, "another status than expected");
        else if (m == 3 && fr_part_verify(ctx, s.part, FR_PROBLEM_SSSP, &q, &s.own))
            complain(g, w, fr_ctx_error(ctx));
        search_free(&s);
    }
}

/* Runs `fn` on 1 to `most` ranks. */
static void check_on(int most, ranks_fn fn, cf_graph named) {
    for (int size = 1; size <= most; size++) {
        const ranks_run run = {.size = size};
        simt_set_devices(size);
        ranks_start(&run, fn, &named);
    }
}

/* usage: test_simt_ranks [SHAPE...] */
int main(int argc, char **argv) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    check_failures(ctx);
    check_on(2, recovers_on_rank, (cf_graph){.shape = "recovery", .weights = CF_I32});
    check_on(3, drops_on_rank, (cf_graph){.shape = "dropped sums", .weights = CF_I64_OVER});
    simt_set_devices(8);
    check_endless(ctx);
    for (const cf_shape *s = cf_shapes; s->name; s++)
        for (int r = 0; r < 5; r++) {
            if (!is_wanted(s, r, argc, argv))
                continue;
            const int at = (int)(s - cf_shapes) + r;
            simt_seed((uint64_t)((s - cf_shapes) * 5 + r));
            one_graph(ctx, s, CF_NONE, sizes[r], 1);
            if (at % 2 == 0 || !host_is_brief())
                one_graph(ctx, s, kinds[at % 5], sizes[r], 1);
        }
    fr_ctx_free(ctx);
    const bool freed = simt_live_bytes() == 0 && simt_pinned_bytes() == 0;
    printf(
        "%d queries on ranks with GPUs, %d failures; %lld pushes, %lld pulls; %lld windows, %lld "
        "long lists, %lld exchanges of distances, %lld recoveries%s\n",
        cases, failures, (long long)pushes, (long long)pulls, (long long)windows,
        (long long)long_lists, (long long)distances, (long long)recoveries,
        freed ? "" : "; memory is not freed");
    return failures || !cases || !pushes || !pulls || !windows || !long_lists || !distances ||
           (argc < 2 && !recoveries) || !freed; /* few shapes need no recovery */
}
#else
int main(void) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    check_endless(ctx);
    static const cf_weights drawn[] = {CF_WIDE, CF_UNIT_F64, CF_EXPONENTIAL, CF_I64_40};
    /* every shape on every number of ranks, and with every kind of weights on one of them */
    for (const cf_shape *s = cf_shapes; s->name; s++)
        for (int r = 0; r < 5 && !s->large; r++) {
            int at = (int)(s - cf_shapes) + r, threads = at % 2 ? 3 : 1;
            one_graph(ctx, s, CF_NONE, sizes[r], threads);
            for (int i = 0; i < 2; i++) {
                in_windows = i > 0;
                one_graph(ctx, s, kinds[at % 5], sizes[r], threads);
                if (i == (at / 4) % 2)
                    one_graph(ctx, s, drawn[at % 4], sizes[r], threads);
            }
            in_windows = false;
        }
    fr_ctx_free(ctx);
    printf("%d queries on ranks, %d failures; %lld windows, %lld pulls, %lld flushes\n", cases,
           failures, (long long)windows, (long long)pulls, (long long)flushes);
    return failures || !cases || !windows || !pulls || !flushes;
}
#endif
