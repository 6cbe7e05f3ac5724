/* fringe graph500 --ranks: the procedure of graph500/graph500.c on several ranks.
 *
 * Differs: the weight of a tuple is a function of its two ends, so that parallel tuples have the same;
 * distances are double; the graph is not compared with the tuples a second time. */
#include "ranks.h"

#include "cli/graph500/graph500.h"
#include "cli/io/progress.h"

#include <stdlib.h>

enum { KEYS = 64, EDGE_FACTOR = 16 };

typedef struct procedure {
    ranks r;
    graph500 g; /* what rank 0 prints */
    int64_t *keys;
} procedure;

static double seconds(int64_t ns) { return (double)ns * 1e-9; }

static int construct(procedure *p) {
    graph500 *g = &p->g;
    const settings *s = p->r.x.s;
    bool weighted = g->kernel[FR_PROBLEM_SSSP].wanted;
    fr_load_options options = {.direction = FR_DIRECTION_UNDIRECTED,
                               .drop_loops = true,
                               .drop_parallel = true,
                               .weights = weighted ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                               .weight_high = 1,
                               .weight_type = weighted ? FR_TYPE_F32 : FR_TYPE_NONE,
                               .seed = s->load.seed};
    char *text = cli_format("kronecker:scale=%d,edge_factor=%d,seed=%llu", g->scale, g->edge_factor,
                            (unsigned long long)s->load.seed);
    fr_status status = fr_part_generate(p->r.x.ctx, p->r.world, text, &options, &p->r.part);
    free(text);
    progress_clear();
    if (status)
        return ranks_fail(&p->r, status);
    p->r.stats.struct_size = sizeof p->r.stats;
    fr_part_get_stats(p->r.part, &p->r.stats);
    g->generation_time = seconds(p->r.stats.read_ns);
    g->edges_time = seconds(p->r.stats.build_ns);
    return CLI_OK;
}

static int draw_keys(procedure *p) {
    const settings *s = p->r.x.s;
    graph500 *g = &p->g;
    g->key_count = s->random_sources ? s->random_sources : KEYS;
    p->keys = cli_alloc((size_t)g->key_count * sizeof *p->keys);
    fr_status status =
        fr_part_draw_sources(p->r.x.ctx, p->r.part, s->load.seed, &g->key_count, p->keys);
    return status ? ranks_fail(&p->r, status) : CLI_OK;
}

static fr_status run_key(procedure *p, kernel_record *k, ranks_answer *a, int64_t i) {
    fr_status status = ranks_answer_solve(a, p->keys[i]);
    if (status)
        return status;
    k->time[i] = seconds(a->result.traverse_ns);
    k->nedge[i] = (double)a->result.input_edges;
    int64_t begin = cli_now_ns();
    status = fr_part_verify(p->r.x.ctx, p->r.part, a->problem, &a->query, &a->result);
    k->validate_time[i] = seconds(cli_now_ns() - begin);
    return status;
}

static int run_kernel(procedure *p, fr_problem problem) {
    kernel_record *k = &p->g.kernel[problem];
    double **all[] = {&k->time, &k->validate_time, &k->transfer_time, &k->nedge};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = cli_alloc((size_t)p->g.key_count * sizeof **all[i]);
    ranks_answer a;
    int64_t begin = cli_now_ns();
    fr_status status = ranks_answer_open(&p->r, problem, &a);
    k->prepare_time = seconds(cli_now_ns() - begin);
    if (!status && p->g.key_count)
        status = ranks_answer_solve(&a, p->keys[0]); /* warm-up, as in the reference code */
    for (int64_t i = 0; i < p->g.key_count && !status; i++)
        status = run_key(p, k, &a, i);
    snprintf(k->ran, sizeof k->ran, "ranks");
    int code = status ? ranks_fail(&p->r, status) : CLI_OK;
    ranks_answer_close(&a);
    return code;
}

static int run_all(procedure *p) {
    int code = construct(p);
    if (!code)
        code = draw_keys(p);
    for (int k = 0; k < 2 && !code; k++)
        if (p->g.kernel[k].wanted)
            code = run_kernel(p, (fr_problem)k);
    return code;
}

static void procedure_free(procedure *p) {
    for (int k = 0; k < 2; k++) {
        free(p->g.kernel[k].time);
        free(p->g.kernel[k].validate_time);
        free(p->g.kernel[k].transfer_time);
        free(p->g.kernel[k].nedge);
    }
    free(p->keys);
    ranks_close(&p->r);
}

int cmd_ranks_graph500(const settings *s) {
    procedure p = {.g = {.scale = s->scale,
                         .edge_factor = s->edge_factor ? s->edge_factor : EDGE_FACTOR,
                         .kernel = {{.name = "bfs", .wanted = s->problem != 2},
                                    {.name = "sssp", .wanted = s->problem != 1}}}};
    if (!p.g.scale)
        return cli_usage("--scale is missing");
    int code = ranks_check(s);
    if (code)
        return code;
    code = ranks_open(&p.r, s);
    if (!code)
        code = run_all(&p);
    if (!code && p.r.first) {
        p.g.x = p.r.x;
        p.g.ranks = fr_world_size(p.r.world);
        p.g.tuples.seed = s->load.seed;
        p.g.tuples.threads = fr_ctx_threads(p.r.x.ctx);
        graph500_print(&p.g);
    } else if (code == 1 && p.r.first)
        puts("No results printed for invalid run."); /* the wording of the reference code */
    procedure_free(&p);
    return code;
}
