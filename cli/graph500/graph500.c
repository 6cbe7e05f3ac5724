/* fringe graph500: the procedure of Graph500's specification 2.0, with any strategies of the table.
 *
 * The construction time begins with the tuples in memory and ends with the preparation of the
 * solvers. A traversal ends when levels or distances, and parents, are in the memory of the device
 * that ran it.
 * On ranks (--ranks) the weight of a tuple is a function of its two ends, so that parallel tuples have the
 * same; distances are double; the graph is not compared with the tuples a second time. */
#include "fringe_tune.h"
#include "graph500.h"
#include "cli/io/progress.h"
#include "cli/ranks/ranks.h"
#include "cli/bench/suite.h"
#include "cli/traversal.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 64, EDGE_FACTOR = 16 };

static double since(int64_t begin_ns) { return (double)(cli_now_ns() - begin_ns) * 1e-9; }

/* ---- strategies: "NAME[,NAME]" ------------------------------------------------------------- */

static bool find_strategy(fr_problem problem, int backend, const char *list, const char **name) {
    fr_strategy_info strategy = {0};
    const bool found = strategy_next(list, problem, (fr_backend)backend, &(int){0}, &strategy);
    *name = found ? strategy.name : *name;
    return found;
}

/* Why no kernel has the strategy: the reason of a kernel that knows the name, if there is one. */
static int refuse(const graph500 *g, const char *name) {
    static const char unknown[] = "unknown strategy";
    char *reason = NULL;
    fr_status status = FR_INVALID;
    for (int k = 1; k >= 0; k--) {
        if (!g->kernel[k].wanted)
            continue;
        char *text;
        fr_status found = strategy_refusal((fr_problem)k, (fr_backend)g->x.s->backend, name, &text);
        bool better = !reason || strncmp(reason, unknown, sizeof unknown - 1) == 0;
        free(better ? reason : text);
        reason = better ? text : reason;
        status = better ? found : status;
    }
    int code = strategy_fail(status, reason);
    free(reason);
    return code;
}

/* The strategies of a name for the kernels that are wanted; NULL: none. Returns how many there are. */
static int solved_by(const graph500 *g, const char *name, const char *strategy[2]) {
    int count = 0;
    for (int k = 0; k < 2; k++) {
        strategy[k] = NULL;
        count += g->kernel[k].wanted &&
                 find_strategy((fr_problem)k, g->x.s->backend, name, &strategy[k]);
    }
    return count;
}

/* Assigns the names that solve so many kernels to those that have none yet. */
static int assign(graph500 *g, int solved, bool named[2]) {
    char *names = cli_format("%s", g->x.s->strategy ? g->x.s->strategy : "auto"), *rest = names;
    int code = CLI_OK;
    for (char *name; !code && (name = strsep(&rest, ","));) {
        const char *strategy[2];
        const int count = solved_by(g, name, strategy);
        bool is_new = count != solved;
        for (int k = 0; k < 2 && count == solved; k++)
            if (strategy[k] && !named[k]) {
                is_new = named[k] = true;
                g->kernel[k].strategy = strategy[k];
            }
        if (count == 0)
            code = refuse(g, name);
        else if (!is_new)
            code =
                cli_usage("--strategy: more than one strategy for a kernel, '%s' among them", name);
    }
    free(names);
    return code;
}

/* A name is for the kernel that it solves, one that solves both for those that no other name is for; a kernel without a
 * name has auto. */
static int choose_strategies(graph500 *g) {
    const settings *s = g->x.s;
    const char *strategy = NULL;
    bool named[2] = {false, false};
    for (int solved = 1; solved <= 2; solved++) {
        const int code = assign(g, solved, named);
        if (code)
            return code;
    }
    for (int k = 0; k < 2; k++)
        if (g->kernel[k].wanted &&
            !find_strategy((fr_problem)k, s->backend, g->kernel[k].strategy, &strategy))
            return cli_usage("backend %s has no strategy '%s' for %s; name one by --strategy",
                             fr_backend_name((fr_backend)s->backend), g->kernel[k].strategy,
                             g->kernel[k].name);
    return CLI_OK;
}

/* ---- kernel 1 ------------------------------------------------------------------------------ */

static int construct(graph500 *g) {
    tuple_list *t = &g->tuples;
    fr_load_options options = {
        .direction = FR_DIRECTION_UNDIRECTED, .drop_loops = true, .drop_parallel = true};
    int64_t begin = cli_now_ns();
    fr_status status =
        fr_graph_from_edges(g->x.ctx, fr_graph_csr(t->rows)->n, t->m, t->start, t->end, t->weight,
                            t->weighted ? FR_TYPE_F32 : FR_TYPE_NONE, &options, &g->x.graph);
    g->edges_time = since(begin);
    tuples_drop_arrays(t);
    if (status)
        return cli_fail_ctx(g->x.ctx, status);
    g->x.csr = fr_graph_csr(g->x.graph);
    return tuples_check(t, g->x.csr);
}

static int make_graph(graph500 *g) {
    int64_t begin = cli_now_ns();
    int code =
        tuples_make(&g->tuples, &g->x, g->scale, g->edge_factor, g->kernel[FR_PROBLEM_SSSP].wanted);
    g->generation_time = since(begin);
    return code ? code : construct(g);
}

static int divide_graph(graph500 *g) {
    const uint64_t seed = g->x.s->load.seed;
    const bool weighted = g->kernel[FR_PROBLEM_SSSP].wanted;
    const fr_load_options options = {.direction = FR_DIRECTION_UNDIRECTED,
                                     .drop_loops = true,
                                     .drop_parallel = true,
                                     .weights = weighted ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                                     .weight_high = 1,
                                     .weight_type = weighted ? FR_TYPE_F32 : FR_TYPE_NONE,
                                     .seed = seed};
    char *text = cli_format("kronecker:scale=%d,edge_factor=%d,seed=%llu", g->scale, g->edge_factor,
                            (unsigned long long)seed);
    int code = ranks_load(&g->x, text, &options);
    free(text);
    if (code)
        return code;
    g->generation_time = (double)g->x.ranks->stats.read_ns * 1e-9;
    g->edges_time = (double)g->x.ranks->stats.build_ns * 1e-9;
    g->ranks = fr_world_size(g->x.ranks->world);
    g->tuples.seed = seed;
    g->tuples.threads = fr_ctx_threads(g->x.ctx);
    return CLI_OK;
}

/* ---- kernels 2 and 3 ----------------------------------------------------------------------- */

static int run_key(graph500 *g, kernel_record *k, traversal *t, int64_t i) {
    t->query.sources = g->keys + i;
    fr_status status = traversal_run(t, true, false);
    if (status)
        return session_fail_ctx(&g->x, status);
    const run_record *run = &t->runs[t->run_count - 1];
    k->time[i] = (double)run->ns * 1e-9;
    k->transfer_time[i] = (double)(run->stats.transfer_ns - run->stats.upload_ns) * 1e-9;
    k->nedge[i] = (double)(t->part ? t->part->result.input_edges
                                   : tuples_within(&g->tuples, t->answer.parent));
    int64_t begin = cli_now_ns();
    status = traversal_check(t);
    k->validate_time[i] = since(begin);
    if (status == FR_VERIFY_FAILED)
        return cli_fail(status, "%s from key %d: %s", k->name, g->keys[i], t->message);
    if (!status && !t->part && progress_report(NULL, k->name, i + 1, g->key_count))
        return cli_fail(FR_CANCELLED, "interrupted between two keys");
    return status ? session_fail_ctx(&g->x, status) : CLI_OK;
}

static int run_keys(graph500 *g, kernel_record *k, traversal *t) {
    t->query = (fr_query){.sources = g->keys, .source_count = 1};
    t->wants_parents = true;
    fr_status status = traversal_run(t, false, false); /* warm-up, as in the reference code */
    int code = status ? session_fail_ctx(&g->x, status) : CLI_OK;
    for (int64_t i = 0; i < g->key_count && !code; i++)
        code = run_key(g, k, t, i);
    snprintf(k->ran, sizeof k->ran, "%s",
             t->result.stats.strategy ? t->result.stats.strategy : k->strategy);
    return code;
}

static int run_kernel(graph500 *g, fr_problem problem) {
    kernel_record *k = &g->kernel[problem];
    const settings *s = g->x.s;
    fr_type type = s->dist_type ? (fr_type)s->dist_type : FR_TYPE_F32;
    fr_solver_options options = {.strategy = k->strategy,
                                 .backend = (fr_backend)s->backend,
                                 .dist_type = problem == FR_PROBLEM_SSSP ? type : FR_TYPE_NONE,
                                 .expected_queries = g->key_count};
    double **all[] = {&k->time, &k->validate_time, &k->transfer_time, &k->nedge};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = cli_alloc((size_t)g->key_count * sizeof **all[i]);
    traversal t;
    int64_t begin = cli_now_ns();
    fr_status status = traversal_open(&t, &g->x, problem, &options);
    k->prepare_time = since(begin);
    int code = status ? session_fail_ctx(&g->x, status) : run_keys(g, k, &t);
    traversal_close(&t);
    return code;
}

/* ---- the procedure ------------------------------------------------------------------------- */

static int run_all(graph500 *g) {
    const settings *s = g->x.s;
    int code = g->x.ranks ? divide_graph(g) : make_graph(g);
    g->key_count = s->random_sources ? s->random_sources : KEYS;
    if (!code)
        code = session_random_sources(&g->x, &g->key_count, &g->keys);
    for (int k = 0; k < 2 && !code; k++)
        if (g->kernel[k].wanted)
            code = run_kernel(g, (fr_problem)k);
    progress_clear();
    return code;
}

static void graph500_free(graph500 *g) {
    for (int k = 0; k < 2; k++) {
        free(g->kernel[k].time);
        free(g->kernel[k].validate_time);
        free(g->kernel[k].transfer_time);
        free(g->kernel[k].nedge);
    }
    free(g->keys);
    tuples_free(&g->tuples);
    session_end(&g->x);
}

static void print(const graph500 *g, int code) {
    const bool json = g->x.s->json;
    if (!code && json)
        graph500_print_json(g);
    else if (!code)
        graph500_print(g);
    else if (code == 1 && !json)
        puts("No results printed for invalid run."); /* the wording of the reference code */
}

int cmd_graph500(const settings *s) {
    graph500 g = {.scale = s->scale,
                  .edge_factor = s->edge_factor ? s->edge_factor : EDGE_FACTOR,
                  .kernel = {{.name = "bfs", .strategy = "auto", .wanted = s->problem != 2},
                             {.name = "sssp", .strategy = "auto", .wanted = s->problem != 1}}};
    if (!g.scale)
        return cli_usage("--scale is missing");
    int code = session_begin(&g.x, s);
    if (!code && !g.x.ranks)
        code = choose_strategies(&g);
    if (!code)
        code = run_all(&g);
    if (!g.x.silent)
        print(&g, code);
    graph500_free(&g);
    return code;
}
