/* What further threads gain: BFS and SSSP with 1, 2, 4, ... threads in turns, on each graph.
 *
 *   bench_threads [-p bfs|sssp] [-w WEIGHTS] [-n ROUNDS] [-s SEED] [-t SECONDS] [-m THREADS] [-d] [GRAPH...]
 *
 * GRAPH: a file, or the description of a generated graph; by default Kronecker 20, a uniform graph, a lattice
 * and a cubic grid of a million vertices, about 3.5 minutes in all. Generated ones are read as undirected unless -d
 * is given. -p: that problem alone; -w: weights of sssp (1,255). -m: the most threads (those of the machine, at
 * most 32). A turn makes two queries from one source, the same for all; the second one counts. A graph's problem takes -n
 * rounds (31) and at most -t seconds (20).
 *
 * One line of JSON per graph, problem and number of threads: ms; ratio to the best of fewer threads, `best_of` (the
 * one of the least median), as a median with the least, the quartiles and the greatest as ratio_spread; how many
 * threads the last call used. Exits 1 if answers differ. */
#include "turns.h"

#include <unistd.h>

enum { SIDES = 12, MOST_THREADS = 32 };

typedef struct {
    fr_problem problem; /* BFS, SSSP */
    const char *weights;
    int rounds, most;
    uint64_t seed;
    double limit_ms;
    bool directed;
} settings;

typedef struct bench {
    fr_graph *graph;
    fr_problem problem;
    int32_t *sources; /* [rounds] */
    int source_count;
    uint64_t first_sum; /* of the answer of the first side */
    bool equal;
} bench;

typedef struct {
    bench *b;
    int threads;
    fr_ctx *ctx;
    fr_solver *solver;
    int32_t *values;
    int64_t used, edges, levels;
} side;

static double query(side *s, int32_t source) {
    fr_query q = {.sources = &source, .source_count = 1};
    fr_result r = {.struct_size = sizeof r};
    if (s->b->problem == FR_PROBLEM_BFS)
        r.level = s->values;
    else
        r.dist = s->values;
    const double begin = now_ms();
    need(s->ctx, fr_solve(s->solver, &q, &r));
    const double ms = now_ms() - begin;
    s->used = r.stats.threads;
    s->edges = r.stats.edges_examined;
    s->levels = r.stats.levels;
    return ms;
}

static uint64_t sum_of(const side *s) {
    uint64_t sum = 0;
    const int32_t n = fr_graph_vertex_count(s->b->graph);
    for (int32_t v = 0; v < n; v++)
        sum = sum * 31 + (uint32_t)s->values[v];
    return sum;
}

static double run(void *what, int round) {
    side *s = what;
    const int32_t source = s->b->sources[(round < 0 ? 0 : round) % s->b->source_count];
    query(s, source);
    const double ms = query(s, source);
    if (round >= 0)
        return ms;
    const uint64_t sum = sum_of(s);
    if (s->threads == 1)
        s->b->first_sum = sum;
    s->b->equal &= sum == s->b->first_sum;
    return ms;
}

static void open_side(side *s, bench *b, int threads) {
    *s = (side){.b = b, .threads = threads, .ctx = open_threads(threads)};
    fr_solver_options o = {
        .struct_size = sizeof o, .backend = FR_BACKEND_CPU, .expected_queries = 1000};
    need(s->ctx, fr_solver_new(s->ctx, b->graph, b->problem, &o, &s->solver));
    s->values = need_memory((size_t)fr_graph_vertex_count(b->graph) * sizeof *s->values);
}

static void print_side(const char *graph, const side *s, const turn *turns, int at) {
    int best = 0;
    for (int k = 1; k < at; k++)
        if (median(turns[k].values, turns[k].count) < median(turns[best].values, turns[best].count))
            best = k;
    double *ratio = need_memory((size_t)turns[at].count * sizeof *ratio);
    for (int i = 0; i < turns[at].count; i++)
        ratio[i] = turns[at].values[i] / turns[best].values[i];
    line_begin();
    line_text("kind", "threads");
    line_text("problem", s->b->problem == FR_PROBLEM_BFS ? "bfs" : "sssp");
    line_text("graph", graph);
    line_count("threads", s->threads);
    line_count("used", s->used);
    line_count("rounds", turns[at].count);
    line_spread("ms", turns[at].values, turns[at].count);
    line_count("best_of", at ? (s - at + best)->threads : 1);
    line_count("edges", s->edges);
    line_count("levels", s->levels);
    line_spread("ratio", ratio, turns[at].count);
    line_flag("equal", s->b->equal);
    line_end();
    free(ratio);
}

/* Returns whether all answers are equal. */
static bool measure(const settings *set, const char *name, fr_ctx *ctx, fr_graph *graph,
                    fr_problem problem) {
    bench b = {.graph = graph, .problem = problem, .equal = true};
    side sides[SIDES];
    turn turns[SIDES];
    int count = 0;
    b.sources = need_memory((size_t)set->rounds * sizeof *b.sources);
    b.source_count = random_sources(ctx, graph, NULL, set->seed, b.sources, set->rounds);
    for (int threads = 1; count < SIDES; threads *= 2) {
        open_side(&sides[count], &b, threads < set->most ? threads : set->most);
        turns[count] = (turn){.run = run, .what = &sides[count]};
        count++;
        if (threads >= set->most)
            break;
    }
    take_turns(turns, count, set->rounds, set->limit_ms);
    for (int k = 0; k < count; k++)
        print_side(name, &sides[k], turns, k);
    turns_free(turns, count);
    for (int k = 0; k < count; k++) {
        fr_solver_free(sides[k].solver);
        free(sides[k].values);
        fr_ctx_free(sides[k].ctx);
    }
    free(b.sources);
    return b.equal;
}

static bool measure_graph(const settings *set, const char *name) {
    fr_load_options load = {.struct_size = sizeof load};
    if (strchr(name, ':') && !set->directed)
        load.direction = FR_DIRECTION_UNDIRECTED;
    if (!read_weights(set->weights, &load))
        give_up("the weights are not none, LOW,HIGH or LOW,HIGH,POTENTIAL");
    fr_ctx *ctx = open_threads(0);
    fr_graph *graph = open_graph(ctx, name, &load);
    bool equal = true;
    if (set->problem != FR_PROBLEM_SSSP)
        equal &= measure(set, name, ctx, graph, FR_PROBLEM_BFS);
    if (set->problem != FR_PROBLEM_BFS)
        equal &= measure(set, name, ctx, graph, FR_PROBLEM_SSSP);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return equal;
}

int main(int argc, char **argv) {
    static const char *const graphs[] = {
        "kronecker:scale=20,seed=1", "uniform:n=1000000,edges=16000000,seed=1",
        "grid2d:rows=1400,cols=1400,keep=0.7,seed=1", "grid3d:x=100,y=100,z=100"};
    settings set = {.problem = FR_PROBLEM_APSP, /* both */
                    .weights = "1,255",
                    .rounds = 31,
                    .seed = 1,
                    .limit_ms = 20e3};
    bool equal = true;
    for (int c; (c = getopt(argc, argv, "p:w:n:s:t:m:d")) != -1;)
        switch (c) {
        case 'p': set.problem = strcmp(optarg, "bfs") ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS; break;
        case 'w': set.weights = optarg; break;
        case 'n': set.rounds = atoi(optarg); break;
        case 's': set.seed = strtoull(optarg, NULL, 10); break;
        case 't': set.limit_ms = 1000 * atof(optarg); break;
        case 'm': set.most = atoi(optarg); break;
        case 'd': set.directed = true; break;
        default:
            give_up("usage: bench_threads [-p bfs|sssp] [-w WEIGHTS] [-n ROUNDS] [-s SEED] "
                    "[-t SECONDS] [-m THREADS] [-d] [GRAPH...]");
        }
    if (set.rounds < 1 || set.most < 0)
        give_up("rounds and threads are 1 or more");
    if (!set.most) {
        fr_ctx *all = open_threads(0);
        set.most = fr_ctx_threads(all) < MOST_THREADS ? fr_ctx_threads(all) : MOST_THREADS;
        fr_ctx_free(all);
    }
    for (int i = optind; i < argc; i++)
        equal &= measure_graph(&set, argv[i]);
    for (size_t i = 0; optind == argc && i < sizeof graphs / sizeof *graphs; i++)
        equal &= measure_graph(&set, graphs[i]);
    return !equal;
}
