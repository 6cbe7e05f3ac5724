/* Compares strategies, knobs, numbers of GPUs or of threads on one graph: they take turns from the same
 * sources, and their answers are compared.
 *
 *   bench_turns [-b cpu|cuda] [-p bfs|sssp|apsp] [-u] [-d] [-w WEIGHTS] [-n SOURCES] [-s SEED] [-e] [-r QUERIES]
 *               [-P] [-a] [-l SLOWEST] [-m] [-t SECONDS] GRAPH SIDE...
 *
 * GRAPH: a file or the description of a generated graph; -u undirected, -d without self-loops and
 * parallel edges, -w none, LOW,HIGH or LOW,HIGH,POTENTIAL (default 1,255 for sssp and apsp).
 * SIDE: STRATEGY[:KNOBS][@COUNT], by default auto; COUNT: the first GPUs of the host (1), or threads of the
 * CPU (all). Each of the others takes turns with the first; there are never more than two solvers, so that large
 * graphs leave memory for them.
 * -n sources (16): random vertices that reach a tenth of the graph, the same for a SEED; -e evenly spaced
 * ones. A turn makes -r queries (2) in a row from one source: the first one, before which the device was idle,
 * is "after_pause", the best of the others counts. -P also asks for parents. The answer from the first source is
 * verified.
 * -a: a turn is one call for all sources (apsp always; else fr_solve_each) on the caller's clock, without and
 * with results in host memory, -r times (5). -n 0: all rows of apsp. -t: seconds after which no turn begins.
 * -l: also a line per level of the sources that take the first side longest; -m: sums of levels by
 * method over all sources, with what the cost model expects.
 *
 * One line of JSON per side: one_ms of the first side, all_ms of this one, ratio; medians over the sources, with
 * the least, the quartiles and the greatest as ..._spread. Exits 1 if answers differ or are wrong. */
#include "fringe_tune.h"
#include "turns.h"

#include <unistd.h>

enum { METHODS = 16, CHECKED = 16 };

typedef struct settings {
    fr_backend backend;
    fr_problem problem;
    fr_load_options load;
    const char *weights;
    uint64_t seed;
    int sources, queries, slowest;
    bool even, parents, all, methods;
    double limit_ms;
} settings;

typedef struct side {
    const struct bench *b;
    char strategy[32], knobs[256];
    int count; /* GPUs or threads */
    fr_ctx *ctx;
    fr_solver *solver;
    void *values; /* [n], or with -a [sources][n] */
    int32_t *parent;
    double *after_pause; /* [sources] */
    double prepare_ms;
    bool equal, right;
} side;

typedef struct bench {
    settings set;
    const char *graph_name;
    fr_graph *graph;
    size_t bytes; /* of one row of an answer */
    int32_t *sources;
    int count;
    side side[2]; /* the first one, and another */
    turn turn[2], with[2];
} bench;

/* ---- sides --------------------------------------------------------------------------------- */

static void read_side(const bench *b, side *s, const char *text) {
    const size_t name = strcspn(text, ":@"), knobs = strcspn(text, "@");
    const char *at = strchr(text, '@');
    s->count = at ? atoi(at + 1) : b->set.backend == FR_BACKEND_CUDA;
    snprintf(s->strategy, sizeof s->strategy, "%.*s", name ? (int)name : 4, name ? text : "auto");
    if (knobs > name)
        snprintf(s->knobs, sizeof s->knobs, "%.*s", (int)(knobs - name - 1), text + name + 1);
    if (s->count < 0 || s->count > (b->set.backend == FR_BACKEND_CUDA ? MAX_DEVICES : 4096))
        give_up("the count of a side is out of range");
}

static fr_solver *solver_of(const side *s, bool records) {
    const bench *b = s->b;
    fr_solver *solver;
    fr_solver_options options = {.strategy = s->strategy,
                                 .backend = b->set.backend,
                                 .knobs = *s->knobs ? s->knobs : NULL,
                                 .unit_weights = b->set.load.weights == FR_WEIGHTS_NONE,
                                 .max_sources = b->set.all ? b->set.sources : 0,
                                 .record_levels = records};
    need(s->ctx, fr_solver_new(s->ctx, b->graph, b->set.problem, &options, &solver));
    return solver;
}

static void open_side(bench *b, side *s, const char *text) {
    const bool first = s == &b->side[0];
    *s = (side){.b = b, .equal = true};
    read_side(b, s, text);
    if (!first && s->count == b->side[0].count)
        s->ctx = b->side[0].ctx;
    else
        s->ctx =
            b->set.backend == FR_BACKEND_CUDA ? open_devices(s->count) : open_threads(s->count);
    if (first)
        b->graph = open_graph(s->ctx, b->graph_name, &b->set.load);
    const double begin = now_ms();
    s->solver = solver_of(s, false);
    s->prepare_ms = now_ms() - begin;
}

static void take_memory(side *s) {
    const bench *b = s->b;
    const size_t n = (size_t)fr_graph_vertex_count(b->graph);
    s->values = need_memory(b->bytes * (size_t)(b->set.all && b->count ? b->count : 1));
    s->parent = need_memory(n * sizeof *s->parent);
    s->after_pause = need_memory((size_t)b->count * sizeof *s->after_pause);
}

static void close_side(side *s) {
    fr_solver_free(s->solver);
    free(s->values);
    free(s->parent);
    free(s->after_pause);
    if (s->ctx != s->b->side[0].ctx)
        fr_ctx_free(s->ctx);
}

/* ---- one turn ------------------------------------------------------------------------------ */

static fr_stats solve(const side *s, fr_solver *solver, int32_t source, int32_t *parent) {
    const bool bfs = s->b->set.problem == FR_PROBLEM_BFS;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {
        .level = bfs ? s->values : NULL, .dist = bfs ? NULL : s->values, .parent = parent};
    need(s->ctx, fr_solve(solver, &query, &result));
    return result.stats;
}

static double traverse(void *what, int round) {
    side *s = what;
    const bench *b = s->b;
    const int at = round < 0 ? 0 : round;
    double best = 0;
    for (int i = 0; i < b->set.queries; i++) {
        const double ms =
            1e-6 * (double)solve(s, s->solver, b->sources[at], b->set.parents ? s->parent : NULL)
                       .traverse_ns;
        if (i == 0)
            s->after_pause[at] = ms;
        if (i < 2 || ms < best)
            best = ms;
    }
    s->equal &= !memcmp(b->side[0].values, s->values, b->bytes) || s == b->side;
    return best;
}

static int ignore(void *user, int64_t row, int32_t source, const void *dist,
                  const int32_t *parent) {
    return (void)user, (void)row, (void)source, (void)dist, (void)parent, 0;
}

/* One call for all sources. Without values the CPU, and whoever wants parents, gets rows by a callback. */
static double call_all(const side *s, void *values) {
    const bench *b = s->b;
    const bool apsp = b->set.problem == FR_PROBLEM_APSP, bfs = b->set.problem == FR_PROBLEM_BFS;
    const bool calls = apsp && !values && (b->set.parents || b->set.backend == FR_BACKEND_CPU);
    fr_query query = {.sources = b->count ? b->sources : NULL,
                      .source_count = b->count,
                      .row = calls ? ignore : NULL,
                      .want_parents = calls && b->set.parents};
    fr_result result = {.level = bfs ? values : NULL, .dist = bfs ? NULL : values};
    const double begin = now_ms();
    need(s->ctx, apsp ? fr_solve(s->solver, &query, &result)
                      : fr_solve_each(s->solver, &query, &result, NULL));
    return now_ms() - begin;
}

static double call_without(void *what, int round) { return (void)round, call_all(what, NULL); }

static double call_with(void *what, int round) {
    side *s = what;
    const bench *b = s->b;
    const double ms = call_all(s, s->values);
    s->equal &= round < 0 || !memcmp(b->side[0].values, s->values, b->bytes * (size_t)b->count);
    return ms;
}

/* ---- checks -------------------------------------------------------------------------------- */

static bool rows_are_right(const side *s) {
    const bench *b = s->b;
    const int rows = b->count && b->count < CHECKED ? b->count : CHECKED;
    int32_t sources[CHECKED];
    memcpy(sources, b->sources, (size_t)(b->count ? rows : 0) * sizeof *sources);
    if (!b->count)
        spaced_sources(b->graph, sources, rows);
    fr_query query = {.sources = sources, .source_count = rows};
    fr_result result = {.dist = need_memory(b->bytes * (size_t)rows),
                        .parent = need_memory(b->bytes * (size_t)rows)};
    need(s->ctx, fr_solve(s->solver, &query, &result));
    const fr_status status =
        fr_verify_apsp(s->ctx, b->graph, &query, b->set.load.weights == FR_WEIGHTS_NONE,
                       result.dist, fr_solver_dist_type(s->solver), result.parent, 0, 1);
    free(result.dist);
    free(result.parent);
    return !status;
}

static bool side_is_right(const side *s) {
    if (s->b->set.problem == FR_PROBLEM_APSP)
        return rows_are_right(s);
    solve(s, s->solver, s->b->sources[0], s->parent);
    return is_right(s->ctx, s->b->graph, s->solver, s->b->set.problem, s->b->sources[0], s->values,
                    s->parent);
}

/* ---- output -------------------------------------------------------------------------------- */

static void begin_line(const bench *b, const side *s) {
    line_begin();
    line_text("problem", fr_problem_name(b->set.problem));
    line_text("graph", b->graph_name);
    line_text("strategy", s->strategy);
    line_text("knobs", *s->knobs ? s->knobs : NULL);
    line_count(b->set.backend == FR_BACKEND_CUDA ? "devices" : "threads",
               b->set.backend == FR_BACKEND_CUDA ? s->count : fr_ctx_threads(s->ctx));
}

/* one_NAME_ms, all_NAME_ms and their ratio; of the first side one_NAME_ms alone. */
static void put_times(const char *name, const double *one, const double *all, int count,
                      bool first) {
    char key[64];
    snprintf(key, sizeof key, "one%s_ms", name);
    line_spread(key, one, count);
    if (first)
        return;
    snprintf(key, sizeof key, "all%s_ms", name);
    line_spread(key, all, count);
    snprintf(key, sizeof key, "ratio%s", name);
    line_number(key, median(one, count) / median(all, count));
}

static void print_side(const bench *b, int k) {
    const side *s = &b->side[k];
    const turn *one = &b->turn[0], *t = &b->turn[k];
    begin_line(b, s);
    if (!b->set.all)
        line_count("sources", b->count);
    put_times("", one->values, t->values, t->count, k == 0);
    if (!b->set.all && b->set.queries > 1)
        put_times("_after_pause", b->side[0].after_pause, s->after_pause, t->count, k == 0);
    if (b->set.all) {
        const double n = fr_graph_vertex_count(b->graph), rows = b->count ? b->count : n;
        const double seconds = 1e-3 * median(t->values, t->count);
        line_flag("weighted", b->set.load.weights != FR_WEIGHTS_NONE);
        line_count("rows", (int64_t)rows);
        if (b->with[k].count)
            put_times("_with_distances", b->with[0].values, b->with[k].values, b->with[k].count,
                      k == 0);
        line_number("edges_per_s", rows * (double)fr_graph_csr(b->graph)->m / seconds);
        if (strcmp(s->strategy, "floyd-warshall") == 0)
            line_number("ops_per_s", n * n * n / seconds); /* additions with minimum */
    } else
        line_values("by_source_ms", t->values, t->count);
    line_number("prepare_ms", s->prepare_ms);
    line_flag("equal", s->equal);
    line_flag("right", s->right);
    line_text("why", fr_solver_explain(s->solver));
    line_end();
}

/* Whether fewer than `slowest` sources took the first side longer; of equal ones the first counts as slower. */
static bool is_among_slowest(const bench *b, int i) {
    const double *ms = b->turn[0].values;
    int slower = 0;
    for (int k = 0; k < b->count; k++)
        slower += ms[k] > ms[i] || (k < i && ms[k] == ms[i]);
    return slower < b->set.slowest;
}

static void print_level(const side *s, int32_t source, int64_t at, const fr_level *level) {
    begin_line(s->b, s);
    if (source >= 0)
        line_count("source", source);
    line_count(source < 0 ? "levels" : "level", at);
    line_text("method", level->method);
    line_count("frontier", level->frontier);
    line_count("edges", level->edges);
    line_number("us", 1e-3 * (double)level->ns);
    line_number("expected_us", 1e-3 * (double)level->expected_ns);
    line_end();
}

static void add_level(fr_level *sums, int64_t *counts, const fr_level *level) {
    int i = 0;
    while (i < METHODS - 1 && sums[i].method && strcmp(sums[i].method, level->method) != 0)
        i++;
    sums[i].method = level->method;
    sums[i].frontier += level->frontier;
    sums[i].edges += level->edges;
    sums[i].ns += level->ns;
    sums[i].expected_ns += level->expected_ns;
    counts[i]++;
}

/* Of a solver of its own, since recording takes time; the second query counts. */
static void print_levels(const side *s) {
    const bench *b = s->b;
    fr_solver *solver = solver_of(s, true);
    fr_level sums[METHODS] = {{0}};
    int64_t counts[METHODS] = {0}, count;
    for (int i = 0; i < b->count; i++) {
        const bool listed = is_among_slowest(b, i);
        if (!listed && !b->set.methods)
            continue;
        for (int query = 0; query < 2; query++)
            solve(s, solver, b->sources[i], NULL);
        const fr_level *levels = fr_solver_levels(solver, &count);
        for (int64_t k = 0; k < count; k++) {
            add_level(sums, counts, &levels[k]);
            if (listed)
                print_level(s, b->sources[i], k, &levels[k]);
        }
    }
    for (int i = 0; b->set.methods && i < METHODS && sums[i].method; i++)
        print_level(s, -1, counts[i], &sums[i]);
    fr_solver_free(solver);
}

/* ---- all sides ----------------------------------------------------------------------------- */

static void choose_sources(bench *b) {
    b->sources = need_memory((size_t)b->set.sources * sizeof *b->sources);
    b->count = b->set.sources;
    if (b->set.even)
        spaced_sources(b->graph, b->sources, b->count);
    else
        b->count = random_sources(b->side[0].ctx, b->graph,
                                  b->set.problem == FR_PROBLEM_APSP ? NULL : b->side[0].solver,
                                  b->set.seed, b->sources, b->count);
    if (b->count < b->set.sources)
        give_up("too few sources reach a tenth of the graph");
}

static void measure(bench *b, int sides, double (*run)(void *, int), turn *turns, int rounds) {
    for (int k = 0; k < sides; k++)
        turns[k] = (turn){.run = run, .what = &b->side[k]};
    take_turns(turns, sides, rounds, b->set.limit_ms);
}

/* The first side and another in turns, or the first alone. first_pair: also levels of the first side. */
static bool compare(bench *b, int sides, bool first_pair) {
    const int last = sides - 1;
    if (b->set.all) {
        measure(b, sides, call_without, b->turn, b->set.queries);
        if (b->count)
            measure(b, sides, call_with, b->with, b->set.queries);
    } else
        measure(b, sides, traverse, b->turn, b->count);
    b->side[last].right = side_is_right(&b->side[last]);
    print_side(b, last);
    for (int k = first_pair ? 0 : last;
         k < sides && !b->set.all && (b->set.slowest || b->set.methods); k++)
        print_levels(&b->side[k]);
    turns_free(b->turn, sides);
    if (b->set.all && b->count)
        turns_free(b->with, sides);
    return b->side[last].right && b->side[last].equal;
}

static bool compare_all(bench *b, char **texts, int count) {
    side *first = &b->side[0], *other = &b->side[1];
    bool good = true;
    open_side(b, first, count ? texts[0] : "auto");
    choose_sources(b);
    b->bytes =
        (size_t)fr_graph_vertex_count(b->graph) *
        (b->set.problem == FR_PROBLEM_BFS ? sizeof(int32_t)
                                          : fr_type_size(fr_solver_dist_type(first->solver)));
    take_memory(first);
    if (count < 2)
        good = compare(b, 1, true);
    for (int i = 1; i < count; i++) {
        open_side(b, other, texts[i]);
        take_memory(other);
        good &= compare(b, 2, i == 1);
        close_side(other);
    }
    fr_ctx *ctx = first->ctx;
    close_side(first);
    fr_graph_free(b->graph);
    fr_ctx_free(ctx);
    free(b->sources);
    return good;
}

/* ---- arguments ----------------------------------------------------------------------------- */

static bool read_options(settings *s, int argc, char **argv) {
    int queries = -1;
    for (int c; (c = getopt(argc, argv, "b:p:udw:n:s:er:Pal:mt:")) != -1;)
        switch (c) {
        case 'b': s->backend = strcmp(optarg, "cpu") ? FR_BACKEND_CUDA : FR_BACKEND_CPU; break;
        case 'p':
            s->problem = *optarg == 'b'   ? FR_PROBLEM_BFS
                         : *optarg == 's' ? FR_PROBLEM_SSSP
                                          : FR_PROBLEM_APSP;
            break;
        case 'u': s->load.direction = FR_DIRECTION_UNDIRECTED; break;
        case 'd': s->load.drop_loops = s->load.drop_parallel = true; break;
        case 'w': s->weights = optarg; break;
        case 'n': s->sources = atoi(optarg); break;
        case 's': s->seed = strtoull(optarg, NULL, 10); break;
        case 'e': s->even = true; break;
        case 'r': queries = atoi(optarg); break;
        case 'P': s->parents = true; break;
        case 'a': s->all = true; break;
        case 'l': s->slowest = atoi(optarg); break;
        case 'm': s->methods = true; break;
        case 't': s->limit_ms = 1e3 * atof(optarg); break;
        default: return false;
        }
    s->all |= s->problem == FR_PROBLEM_APSP;
    s->queries = queries >= 0 ? queries : s->all ? 5 : 2;
    if (!s->weights)
        s->weights = s->problem == FR_PROBLEM_BFS ? "none" : "1,255";
    return optind < argc && s->queries > 0 && s->sources >= (s->problem != FR_PROBLEM_APSP) &&
           read_weights(s->weights, &s->load);
}

int main(int argc, char **argv) {
    static bench b = {.set = {.backend = FR_BACKEND_CUDA, .sources = 16, .seed = 1}};
    if (!read_options(&b.set, argc, argv)) {
        fputs("usage: bench_turns [-b cpu|cuda] [-p bfs|sssp|apsp] [-u] [-d] [-w WEIGHTS] [-n "
              "SOURCES] "
              "[-s SEED] [-e] [-r QUERIES] [-P] [-a] [-l SLOWEST] [-m] [-t SECONDS] GRAPH "
              "[STRATEGY][:KNOBS][@COUNT]...\n",
              stderr);
        return 2;
    }
    b.graph_name = argv[optind++];
    return compare_all(&b, argv + optind, argc - optind) ? 0 : 1;
}
