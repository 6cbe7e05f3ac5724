/* What a caller waits for: the first answer of a new solver, and the answers after it.
 *
 *   bench_first_answer [-n QUERIES] [-r ROUNDS] [-j THREADS] [-e EXPECTED] [-s SEED] [-p] [-c]
 *                      bfs|sssp STRATEGY GRAPH [SOURCE]...
 *
 * Each round loads the graph again, checks it and reads it once, so that nothing prepared remains
 * and no page of it is new. It then makes a solver and solves QUERIES queries from different
 * sources: the given ids, or random vertices with edges. -p asks for parents, -e sets
 * expected_queries, -c checks every answer. Prints one JSON object: for each query the median over
 * the rounds of the caller's wait (the first includes making the solver) and of the traversal; new_ms, of
 * making the solver alone; faults: the page faults of making the solver, then of each query. */
#include "turns.h"

#include <sys/resource.h>
#include <unistd.h>

enum { MAX_RUNS = 256 };

typedef struct {
    int64_t queries, rounds, threads, expected, seed;
    bool parents, check;
    fr_problem problem;
    const char *strategy, *path;
    char **ids;
    int id_count;
    fr_ctx *ctx;
    fr_graph *graph;
    int32_t sources[MAX_RUNS];
    double ids_of_sources[MAX_RUNS];
    /* by query and round; faults: by step, 0 is making the solver */
    double call[MAX_RUNS][MAX_RUNS], clock[MAX_RUNS][MAX_RUNS], made[MAX_RUNS],
        faults[MAX_RUNS + 1][MAX_RUNS];
    char why[512];
} bench;

/* Reads every page of the arrays, so that the first query finds them in memory. */
static int64_t read_all(const fr_csr *csr) {
    int64_t sum = 0;
    for (int32_t v = 0; v < csr->n; v++)
        sum += csr->offsets[v];
    for (int64_t e = 0; e < csr->m; e++)
        sum += csr->targets[e];
    const char *weights = csr->weights;
    for (size_t i = 0; i < (size_t)csr->m * fr_type_size(csr->weight_type); i += 64)
        sum += weights[i];
    return sum;
}

static void choose_sources(bench *b) {
    for (int64_t i = 0; i < b->queries && b->id_count; i++)
        b->sources[i] = fr_graph_vertex(b->graph, atoll(b->ids[i % b->id_count]));
    if (!b->id_count && random_sources(b->ctx, b->graph, NULL, (uint64_t)b->seed, b->sources,
                                       (int)b->queries) < b->queries)
        give_up("the graph has too few edges");
    for (int64_t i = 0; i < b->queries; i++)
        b->ids_of_sources[i] =
            (double)(b->sources[i] < 0 ? -1 : fr_graph_id(b->graph, b->sources[i]));
}

static double faults_now(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_minflt + use.ru_majflt);
}

static void one_query(bench *b, fr_solver *solver, int64_t query, int64_t round, void *values,
                      int32_t *parent) {
    const bool bfs = b->problem == FR_PROBLEM_BFS;
    fr_query q = {.sources = &b->sources[query], .source_count = 1};
    fr_result r = {.level = bfs ? values : NULL, .dist = bfs ? NULL : values, .parent = parent};
    const double faults = faults_now(), begin = now_ms();
    need(b->ctx, fr_solve(solver, &q, &r));
    b->call[query][round] = now_ms() - begin;
    b->faults[query + 1][round] = faults_now() - faults;
    b->clock[query][round] = 1e-6 * (double)r.stats.traverse_ns;
    if (b->check &&
        !is_right(b->ctx, b->graph, solver, b->problem, b->sources[query], values, parent))
        exit(EXIT_FAILURE);
}

static void one_round(bench *b, int64_t round) {
    fr_solver_options options = {
        .strategy = b->strategy, .backend = FR_BACKEND_CPU, .expected_queries = b->expected};
    fr_solver *solver;
    b->graph = open_graph(b->ctx, b->path, NULL);
    need(b->ctx, fr_graph_check(b->ctx, b->graph));
    if (read_all(fr_graph_csr(b->graph)) == -1) /* keeps the sum */
        puts("");
    choose_sources(b);
    const double faults = faults_now(), begin = now_ms();
    need(b->ctx, fr_solver_new(b->ctx, b->graph, b->problem, &options, &solver));
    b->made[round] = now_ms() - begin;
    b->faults[0][round] = faults_now() - faults;
    const size_t n = (size_t)fr_graph_vertex_count(b->graph);
    void *values =
        malloc(n * 8 + 1); /* not touched: the first answer writes new pages, as a caller's */
    int32_t *parent = b->parents ? malloc(n * sizeof *parent + 1) : NULL;
    if (!values || (b->parents && !parent))
        give_up("not enough memory");
    for (int64_t i = 0; i < b->queries; i++)
        one_query(b, solver, i, round, values, parent);
    b->call[0][round] += b->made[round];
    snprintf(b->why, sizeof b->why, "%s", fr_solver_explain(solver));
    free(values);
    free(parent);
    fr_solver_free(solver);
    fr_graph_free(b->graph);
}

static void put_medians(const char *name, double values[][MAX_RUNS], int64_t count,
                        int64_t rounds) {
    double middle[MAX_RUNS + 1];
    for (int64_t i = 0; i < count; i++)
        middle[i] = median(values[i], (int)rounds);
    line_values(name, middle, (int)count);
}

static void print(bench *b) {
    line_begin();
    line_text("graph", b->path);
    line_text("problem", fr_problem_name(b->problem));
    line_text("strategy", b->strategy);
    line_count("expected", b->expected);
    line_values("sources", b->ids_of_sources, (int)b->queries);
    line_number("new_ms", median(b->made, (int)b->rounds));
    put_medians("call_ms", b->call, b->queries, b->rounds);
    put_medians("clock_ms", b->clock, b->queries, b->rounds);
    put_medians("faults", b->faults, b->queries + 1, b->rounds);
    line_text("explain", b->why);
    line_end();
}

static bool read_number(const char *text, int64_t low, int64_t high, int64_t *out) {
    char *end;
    *out = strtoll(text, &end, 10);
    return *text && !*end && *out >= low && *out <= high;
}

static bool read_words(bench *b, int argc, char **argv) {
    bool good = true;
    for (int c; good && (c = getopt(argc, argv, "n:r:j:e:s:pc")) != -1;)
        switch (c) {
        case 'n': good = read_number(optarg, 1, MAX_RUNS, &b->queries); break;
        case 'r': good = read_number(optarg, 1, MAX_RUNS, &b->rounds); break;
        case 'j': good = read_number(optarg, 0, 4096, &b->threads); break;
        case 'e': good = read_number(optarg, 0, INT64_MAX, &b->expected); break;
        case 's': good = read_number(optarg, 0, INT64_MAX, &b->seed); break;
        case 'p': b->parents = true; break;
        case 'c': b->check = b->parents = true; break;
        default: good = false;
        }
    if (!good || argc - optind < 3)
        return false;
    b->problem = strcmp(argv[optind], "bfs") == 0 ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP;
    b->strategy = argv[optind + 1];
    b->path = argv[optind + 2];
    b->ids = argv + optind + 3;
    b->id_count = argc - optind - 3;
    return true;
}

int main(int argc, char **argv) {
    static bench b = {.queries = 10, .rounds = 5, .seed = 1};
    if (!read_words(&b, argc, argv)) {
        fputs("usage: bench_first_answer [-n QUERIES] [-r ROUNDS] [-j THREADS] [-e EXPECTED] "
              "[-s SEED] [-p] [-c] bfs|sssp STRATEGY GRAPH [SOURCE]...\n",
              stderr);
        return 2;
    }
    b.ctx = open_threads((int)b.threads);
    for (int64_t round = 0; round < b.rounds; round++)
        one_round(&b, round);
    print(&b);
    fr_ctx_free(b.ctx);
    return 0;
}
