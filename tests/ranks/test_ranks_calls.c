/* The calls of ranks other than traversals: reading and generating parts, writing files, and
 * failures of a single rank, after which every rank returns with that rank's message. */
#include "conformance/shapes.h"
#include "ranks/comm_threads.h"
#include "ranks/solver.h"
#include "support/files.h"
#include "support/support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_RANKS = 8 };

typedef struct outcome {
    fr_status status[MAX_RANKS];
    char message[MAX_RANKS][512];
} outcome;

/* ---- answers as one process has them --------------------------------------------------------- */

typedef struct same_case {
    const char *graph; /* a description, or a file if it has a '/' */
    fr_load_options load;
    fr_problem problem;
    int64_t source_id;
    const char *path; /* written by the ranks */
    const char *format;
    outcome out;
} same_case;

static void solve_and_write(fr_ctx *ctx, fr_world *w, void *user) {
    same_case *c = user;
    fr_part *part = NULL;
    fr_part_solver *s = NULL;
    fr_status status = strchr(c->graph, '/') ? fr_part_load(ctx, w, c->graph, &c->load, &part)
                                             : fr_part_generate(ctx, w, c->graph, &c->load, &part);
    if (!status)
        status = fr_part_solver_new(ctx, part, c->problem, &s);
    int64_t source = status ? 0 : fr_part_vertex(part, c->source_id);
    fr_part_query q = {.sources = &source, .source_count = 1};
    fr_part_result r = FR_INIT(fr_part_result);
    size_t own = status ? 1 : (size_t)part->own + 1;
    void *value = calloc(own, 8), *parent = calloc(own, 8);
    r.level = c->problem == FR_PROBLEM_BFS ? value : NULL;
    r.dist = c->problem == FR_PROBLEM_BFS ? NULL : value;
    r.parent = parent;
    if (!status)
        status = fr_part_solve(s, &q, &r);
    if (!status)
        status = fr_part_verify(ctx, part, c->problem, &q, &r);
    if (!status)
        status = fr_part_write(ctx, part, c->problem, &r, c->path, c->format);
    c->out.status[fr_world_rank(w)] = status;
    snprintf(c->out.message[fr_world_rank(w)], 512, "%s", fr_ctx_error(ctx));
    free(value);
    free(parent);
    fr_part_solver_free(s);
    fr_part_free(part);
}

/* Reads "vertex value parent" lines: the value of each vertex must be that of one process. */
static void compare_file(fr_ctx *ctx, const same_case *c, const char *path) {
    fr_graph *g = NULL;
    assert_ok(ctx, strchr(c->graph, '/') ? fr_graph_load(ctx, c->graph, &c->load, &g)
                                         : fr_graph_generate(ctx, c->graph, &c->load, &g));
    int32_t n = fr_graph_vertex_count(g), source = fr_graph_vertex(g, c->source_id);
    int32_t *level = malloc((size_t)n * sizeof *level);
    void *dist = malloc((size_t)n * sizeof(double));
    fr_solver *solver = NULL;
    fr_type weights = fr_graph_weight_type(g);
    bool real = weights == FR_TYPE_F32 || weights == FR_TYPE_F64;
    fr_solver_options options = {.dist_type = real ? FR_TYPE_F64 : FR_TYPE_I64};
    if (c->problem == FR_PROBLEM_SSSP) {
        assert_ok(ctx, fr_solver_new(ctx, g, c->problem, &options, &solver));
        fr_query q = {.sources = &source, .source_count = 1};
        fr_result r = {.dist = dist};
        assert_ok(ctx, fr_solve(solver, &q, &r));
    } else
        assert_ok(ctx, fr_bfs(ctx, g, source, level, NULL));
    FILE *file = fopen(path, "r");
    char line[200], value[64];
    long long id, parent;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, c->problem == FR_PROBLEM_BFS ? "vertex\tlevel\tparent\n"
                                                           : "vertex\tdistance\tparent\n");
    for (int32_t v = 0; v < n; v++) {
        assert_int_equal(fscanf(file, "%lld %63s %lld", &id, value, &parent), 3);
        assert_int_equal(id, fr_graph_id(g, v));
        double expected = c->problem == FR_PROBLEM_BFS ? level[v]
                          : real                       ? ((double *)dist)[v]
                                                       : (double)((int64_t *)dist)[v];
        expected = !real && expected == (double)FR_INF_I64 ? INFINITY : expected;
        assert_true(strtod(value, NULL) == expected);
    }
    assert_int_equal(fscanf(file, "%1s", value), EOF);
    fclose(file);
    fr_solver_free(solver);
    fr_graph_free(g);
    free(level);
    free(dist);
}

static void assert_all(const outcome *o, int ranks, fr_status status, const char *part) {
    for (int r = 0; r < ranks; r++) {
        if (o->status[r] != status || !strstr(o->message[r], part))
            fail_msg("rank %d: %s: %s", r, fr_status_name(o->status[r]), o->message[r]);
        assert_string_equal(o->message[r], o->message[0]);
    }
}

static void test_answers(void **state) {
    fr_ctx *ctx = *state;
    const char *binary = test_path("g.fringe"), *out = test_path("out.tsv");
    static const char lines[] = "0 1 2\n1 2 3\n2 3 4\n3 4 0.5\n4 9 5\n9 0 1";
    const char *mixed = test_put("mixed.wel", lines, sizeof lines - 1);
    /* sums that do not fit, but no distance is one of them */
    static const char whole[] = "0 1 9000000000000000000\n1 2 500000000000000000\n0 2 5\n2 3 4",
                      real[] = "0 1 1.5e308\n1 2 1.5e308\n0 2 5\n2 3 4";
    const char *wide = test_put("wide.wel", whole, sizeof whole - 1);
    const char *huge = test_put("huge.wel", real, sizeof real - 1);
    fr_graph *g = NULL;
    fr_load_options weighted = {.weights = FR_WEIGHTS_RANDOM, .weight_low = 0, .weight_high = 9};
    assert_ok(ctx, fr_graph_generate(ctx, "kronecker:scale=9,seed=3", &weighted, &g));
    assert_ok(ctx, fr_graph_write(ctx, g, binary, NULL));
    fr_graph_free(g);
    const fr_load_options plain = {0}, mirrored = {.direction = FR_DIRECTION_UNDIRECTED},
                          simple = {.drop_loops = true, .drop_parallel = true},
                          drawn = {.weights = FR_WEIGHTS_RANDOM,
                                   .weight_high = 1,
                                   .seed = 7,
                                   .weight_type = FR_TYPE_F32},
                          both = {.direction = FR_DIRECTION_UNDIRECTED, .id_base = 2},
                          fresh = {.weights = FR_WEIGHTS_RANDOM,
                                   .weight_low = 1,
                                   .weight_high = 255,
                                   .drop_parallel = true};
    const same_case cases[] = {
        {"kronecker:scale=9,seed=3", plain, FR_PROBLEM_BFS, 3, out, "tsv", {{0}}},
        {"kronecker:scale=9,seed=3", simple, FR_PROBLEM_BFS, 3, out, "tsv", {{0}}},
        {"kronecker:scale=9,seed=3", drawn, FR_PROBLEM_SSSP, 3, out, "tsv", {{0}}},
        {"uniform:n=700,edges=1500,directed=1", both, FR_PROBLEM_BFS, 5, out, "tsv", {{0}}},
        {"forest-fire:n=300", plain, FR_PROBLEM_BFS, 299, out, "tsv", {{0}}},
        {"grid2d:rows=17,cols=9", fresh, FR_PROBLEM_SSSP, 0, out, "tsv", {{0}}},
        {TEST_DATA "/eight.mtx", plain, FR_PROBLEM_SSSP, 1, out, "tsv", {{0}}},
        {TEST_DATA "/eight.txt", plain, FR_PROBLEM_SSSP, 1, out, "tsv", {{0}}},
        {TEST_DATA "/eight.fringe", plain, FR_PROBLEM_SSSP, 1, out, "tsv", {{0}}},
        {TEST_DATA "/eight.el", plain, FR_PROBLEM_BFS, 1, out, "tsv", {{0}}},
        {TEST_DATA "/eight.wel", mirrored, FR_PROBLEM_SSSP, 1, out, "tsv", {{0}}},
        {mixed, plain, FR_PROBLEM_SSSP, 0, out, "tsv", {{0}}},
        {wide, plain, FR_PROBLEM_SSSP, 0, out, "tsv", {{0}}},
        {huge, plain, FR_PROBLEM_SSSP, 0, out, "tsv", {{0}}},
        {binary, plain, FR_PROBLEM_SSSP, 3, out, "tsv", {{0}}},
        {binary, fresh, FR_PROBLEM_SSSP, 3, out, "tsv", {{0}}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int ranks = 1; ranks <= 5; ranks += 2) {
            same_case c = cases[i];
            const ranks_run run = {.size = ranks};
            ranks_start(&run, solve_and_write, &c);
            assert_all(&c.out, ranks, FR_OK, "");
            compare_file(ctx, &c, out);
        }
}

/* A distance that does not fit, on the last rank that can tell. */
static void test_overflow(void **state) {
    (void)state;
    static const char lines[] = "0 1 9223372036854775800\n1 2 100\n2 3 1\n0 4 1";
    same_case c = {test_put("over.wel", lines, sizeof lines - 1),
                   {0},
                   FR_PROBLEM_SSSP,
                   0,
                   test_path("none.tsv"),
                   "tsv",
                   {{0}}};
    for (int ranks = 1; ranks <= 5; ranks++) {
        const ranks_run run = {.size = ranks};
        ranks_start(&run, solve_and_write, &c);
        assert_all(&c.out, ranks, FR_OVERFLOW, "the distance of vertex 2 does not fit int64");
    }
}

/* Ranks exchange integer ids only. */
static void test_names(void **state) {
    fr_ctx *ctx = *state;
    const char *text = test_put("names.tsv", "a\tb\nb\tc\n", 8);
    const char *binary = test_path("names.fringe");
    const fr_load_options strings = {.ids = FR_IDS_STRINGS}, plain = {0};
    fr_graph *g = NULL;
    assert_ok(ctx, fr_graph_load(ctx, text, &strings, &g));
    assert_ok(ctx, fr_graph_write(ctx, g, binary, NULL));
    fr_graph_free(g);
    const ranks_run run = {.size = 2};
    same_case c = {text, strings, FR_PROBLEM_BFS, 0, test_path("out.tsv"), "tsv", {{0}}};
    ranks_start(&run, solve_and_write, &c);
    assert_all(&c.out, 2, FR_INVALID, "ids that are integers");
    c.graph = binary;
    c.load = plain;
    ranks_start(&run, solve_and_write, &c);
    assert_all(&c.out, 2, FR_UNSUPPORTED, "have names");
}

/* ---- what goes wrong on one rank
 * --------------------------------------------------------------- */

/* Fails the allocation with this number. */
typedef struct failing {
    int64_t left;
    bool failed;
} failing;

static void *alloc_until(void *user, size_t bytes) {
    failing *f = user;
    if (f->left-- == 0) {
        f->failed = true;
        return NULL;
    }
    return malloc(bytes);
}
static void free_plainly(void *user, void *block) {
    (void)user;
    free(block);
}

static int count_files(const char *folder) {
    DIR *open = opendir(folder);
    int count = 0;
    for (struct dirent *file; (file = readdir(open));)
        count += file->d_name[0] != '.';
    closedir(open);
    return count;
}

static void test_no_memory(void **state) {
    (void)state;
    char folder[256], out[300];
    snprintf(folder, sizeof folder, "%s", test_path("faults"));
    snprintf(out, sizeof out, "%s/out.npy", folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    bool failed = true;
    for (int64_t number = 0; failed; number++) {
        failing f = {number, false};
        const fr_ctx_options options = {
            .alloc = alloc_until, .free = free_plainly, .alloc_user = &f};
        fr_status opened[3] = {0};
        const ranks_run run = {.size = 3, .options = &options, .opened = opened};
        same_case c = {"kronecker:scale=6",
                       {.weights = FR_WEIGHTS_RANDOM, .weight_high = 9},
                       FR_PROBLEM_SSSP,
                       1,
                       out,
                       "npy",
                       {{0}}};
        ranks_start(&run, solve_and_write, &c);
        failed = f.failed;
        if (!failed)
            assert_all(&c.out, 3, FR_OK, "");
        else if (opened[0]) /* failed before the first exchange: the others see the rank return */
            assert_int_equal(opened[0], FR_RANK);
        else
            assert_all(&c.out, 3, FR_NOMEM, "rank 2 on ");
        assert_int_equal(access(out, F_OK), failed ? -1 : 0);
        assert_int_equal(count_files(folder), failed ? 0 : 1); /* no temporary file */
    }
}

/* Three queries; the rows sorted by weight, made before the second one, run out of memory on the last
 * rank. */
typedef struct windows_case {
    failing *f;
    int64_t number; /* of the allocation that fails, of those after the first query */
    bool made;      /* the rows, on rank 0 */
    outcome out;
} windows_case;

static void solve_thrice(fr_ctx *ctx, fr_world *w, void *user) {
    windows_case *c = user;
    const fr_load_options load = {.weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 99};
    int rank = fr_world_rank(w);
    fr_part *part = NULL;
    fr_part_solver *s = NULL;
    int64_t source = 1, first[1024] = {0}, dist[1024] = {0};
    fr_part_query q = {.sources = &source, .source_count = 1};
    fr_status status = fr_part_generate(ctx, w, "kronecker:scale=9,seed=1", &load, &part);
    if (!status)
        status = fr_part_solver_new(ctx, part, FR_PROBLEM_SSSP, &s);
    for (int i = 0; i < 3 && !status; i++) {
        fr_part_result r = {.dist = i ? dist : first};
        status = fr_part_solve(s, &q, &r);
        if (i == 0 && rank == fr_world_size(w) - 1)
            c->f->left = c->number;
        if (i && memcmp(first, dist, sizeof dist) != 0)
            status = FR_INVALID;
    }
    c->out.status[rank] = status;
    snprintf(c->out.message[rank], 512, "%s", fr_ctx_error(ctx));
    if (rank == 0)
        c->made = s && s->push_edges;
    fr_part_solver_free(s);
    fr_part_free(part);
}

static void test_no_memory_for_windows(void **state) {
    (void)state;
    bool failed = true;
    for (int64_t number = 0; failed; number++) {
        failing f = {INT64_MAX, false};
        const fr_ctx_options options = {
            .alloc = alloc_until, .free = free_plainly, .alloc_user = &f};
        const ranks_run run = {.size = 2, .options = &options};
        windows_case c = {.f = &f, .number = number};
        ranks_start(&run, solve_thrice, &c);
        failed = f.failed;
        assert_all(&c.out, 2, FR_OK, "");
        assert_true(c.made == !failed);
        assert_true(number || failed);
    }
}

static int cancel(void *user, const char *phase, int64_t done, int64_t total) {
    (void)done;
    (void)total;
    return strcmp(phase, user) == 0;
}

static void test_cancelled(void **state) {
    (void)state;
    char *phases[] = {"distributing edges", "traversing"};
    for (int i = 0; i < 2; i++) {
        const fr_ctx_options options = {.progress = cancel, .progress_user = phases[i]};
        const ranks_run run = {.size = 3, .options = &options};
        same_case c = {"path:n=50", {0}, FR_PROBLEM_BFS, 1, "unused", "tsv", {{0}}};
        ranks_start(&run, solve_and_write, &c);
        assert_all(&c.out, 3, FR_CANCELLED, "rank 2 on ");
    }
}

static void test_other_version(void **state) {
    (void)state;
    fr_status opened[3] = {0};
    same_case c = {"path:n=5", {0}, FR_PROBLEM_BFS, 1, "unused", "tsv", {{0}}};
    char host[256] = "", expected[512], refusals[3][512] = {""};
    const ranks_run run = {
        .size = 3, .odd_version = "9.9.9", .opened = opened, .refusals = refusals};
    ranks_start(&run, solve_and_write, &c);
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    snprintf(expected, sizeof expected, "rank 2 on %.200s runs version 9.9.9 of the library", host);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(opened[r], FR_INVALID);
        assert_non_null(strstr(refusals[r], expected));
    }
}

/* The last rank makes another call than all others. */
typedef struct odd_case {
    int kind;
    outcome out;
} odd_case;

static void one_differs(fr_ctx *ctx, fr_world *w, void *user) {
    odd_case *c = user;
    bool odd = fr_world_rank(w) == fr_world_size(w) - 1;
    const char *graph = odd && c->kind == 0   ? "path:n=51"
                        : odd && c->kind == 1 ? "path:x=1"
                                              : "path:n=50";
    fr_load_options load = {.seed = odd && c->kind == 2 ? 5 : 0};
    fr_part *part = NULL;
    fr_part_solver *s = NULL;
    fr_status status = odd && c->kind == 3 ? fr_part_load(ctx, w, "nofile", &load, &part)
                                           : fr_part_generate(ctx, w, graph, &load, &part);
    if (!status)
        status = fr_part_solver_new(ctx, part, FR_PROBLEM_BFS, &s);
    int64_t source = odd && c->kind == 4 ? 7 : odd && c->kind == 5 ? 70 : 1;
    fr_part_query q = {.sources = &source, .source_count = 1};
    fr_part_result r = FR_INIT(fr_part_result);
    if (!status)
        status = fr_part_solve(s, &q, &r);
    c->out.status[fr_world_rank(w)] = status;
    snprintf(c->out.message[fr_world_rank(w)], 512, "%s", fr_ctx_error(ctx));
    fr_part_solver_free(s);
    fr_part_free(part);
}

static void test_other_arguments(void **state) {
    (void)state;
    const struct {
        fr_status status;
        const char *part;
    } expected[] = {{FR_INVALID, "has other arguments for fr_part_generate than rank 0"},
                    {FR_INVALID, "has other arguments for fr_part_generate than rank 0"},
                    {FR_INVALID, "has other arguments for fr_part_generate than rank 0"},
                    {FR_INVALID, "calls fr_part_load while rank 0 calls fr_part_generate"},
                    {FR_INVALID, "has other arguments for fr_part_solve than rank 0"},
                    {FR_NOT_FOUND, "rank 2 on "}};
    for (int kind = 0; kind < 6; kind++) {
        odd_case c = {.kind = kind};
        const ranks_run run = {.size = 3};
        ranks_start(&run, one_differs, &c);
        assert_all(&c.out, 3, expected[kind].status, expected[kind].part);
    }
}

/* The last rank makes no call: the others wait no longer than timeout_s. */
static void one_is_absent(fr_ctx *ctx, fr_world *w, void *user) {
    outcome *o = user;
    fr_part *part = NULL;
    int rank = fr_world_rank(w);
    if (rank == fr_world_size(w) - 1)
        return;
    o->status[rank] = fr_part_generate(ctx, w, "path:n=50", NULL, &part);
    snprintf(o->message[rank], 512, "%s", fr_ctx_error(ctx));
}

static void test_absent(void **state) {
    (void)state;
    outcome o = {{0}};
    const ranks_run run = {.size = 3, .timeout_s = 0.2};
    ranks_start(&run, one_is_absent, &o);
    for (int r = 0; r < 2; r++) {
        char start[32];
        snprintf(start, sizeof start, "rank %d on ", r);
        assert_int_equal(o.status[r], FR_RANK);
        assert_memory_equal(o.message[r], start, strlen(start));
        assert_non_null(strstr(o.message[r], "no answer from another rank"));
    }
}

/* ---- wrong answers
 * ------------------------------------------------------------------------------ */

typedef struct wrong_case {
    int kind;
    outcome out;
} wrong_case;

/* A path 0 - 1 - 2 ... whose edges have weight 0 except the first, and a result with one fault. */
static void spoil(fr_ctx *ctx, fr_world *w, void *user) {
    wrong_case *c = user;
    const int64_t src[] = {0, 1, 2, 3, 4}, dst[] = {1, 2, 3, 4, 5};
    const int32_t weights[] = {3, 0, 0, 0, 2};
    const fr_load_options load = {.direction = FR_DIRECTION_UNDIRECTED};
    int rank = fr_world_rank(w);
    fr_part *part = NULL;
    assert_ok(ctx, fr_part_from_edges(ctx, w, 7, rank ? 0 : 5, src, dst, weights, FR_TYPE_I32,
                                      &load, &part));
    int64_t dist[7] = {0, 3, 3, 3, 3, 5, FR_INF_I64}, parent[7] = {0, 0, 1, 2, 3, 4, -1};
    int32_t level[7] = {0, 1, 2, 3, 4, 5, -1};
    bool bfs = c->kind >= 10;
    switch (c->kind) {
    case 1: dist[5] = 4; break;                /* no tight edge */
    case 2: dist[5] = 6; break;                /* a shorter path exists */
    case 3: parent[2] = 3; break;              /* 2 and 3 are each other's parents */
    case 4: dist[6] = 9; break;                /* reached without a parent */
    case 5: parent[6] = 5, dist[6] = 5; break; /* no such edge */
    case 6: parent[0] = 1; break;              /* the source has a parent */
    case 7: parent[4] = 4; break;              /* its own parent */
    case 11: level[5] = 4; break;
    case 12: level[5] = parent[5] = -1; break; /* unreached despite an edge to it */
    case 13: parent[5] = 3; break;
    }
    int64_t own_dist[7], own_parent[7];
    int32_t own_level[7];
    for (int32_t i = 0; i < part->own; i++) {
        int64_t v = fr_part_vertex_of_own(part, i);
        own_dist[i] = dist[v];
        own_level[i] = level[v];
        own_parent[i] = parent[v];
    }
    const int64_t source = 0;
    fr_part_query q = {.sources = &source, .source_count = 1};
    fr_part_result r = {.parent = own_parent};
    r.level = bfs ? own_level : NULL;
    r.dist = bfs ? NULL : own_dist;
    c->out.status[rank] = fr_part_verify(ctx, part, bfs ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP, &q, &r);
    snprintf(c->out.message[rank], 512, "%s", fr_ctx_error(ctx));
    fr_part_free(part);
}

static void test_wrong_answers(void **state) {
    (void)state;
    for (int kind = 0; kind <= 13; kind++) {
        bool right = kind == 0 || (kind >= 8 && kind <= 10);
        for (int ranks = 1; ranks <= 3; ranks++) {
            wrong_case c = {.kind = kind};
            const ranks_run run = {.size = ranks};
            ranks_start(&run, spoil, &c);
            assert_all(&c.out, ranks, right ? FR_OK : FR_VERIFY_FAILED, right ? "" : "vertex ");
        }
    }
}

/* ---- sizes ------------------------------------------------------------------------------------ */

static void too_many_vertices(fr_ctx *ctx, fr_world *w, void *user) {
    outcome *o = user;
    const int rank = fr_world_rank(w);
    fr_part *part = NULL;
    o->status[rank] =
        fr_part_from_edges(ctx, w, INT64_MAX, 0, NULL, NULL, NULL, FR_TYPE_NONE, NULL, &part);
    snprintf(o->message[rank], sizeof o->message[rank], "%s", fr_ctx_error(ctx));
    fr_part_free(part);
}

static void test_too_many_vertices(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= 2; ranks++) {
        outcome o = {0};
        const ranks_run run = {.size = ranks};
        ranks_start(&run, too_many_vertices, &o);
        assert_all(&o, ranks, FR_RANGE, "9223372036854775807 vertices on ");
    }
}

static int set_up(void **state) { return test_folder_make(state) || test_ctx_new(state); }
static int tear_down(void **state) { return test_ctx_free(state) || test_folder_remove(state); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_other_version),
        cmocka_unit_test(test_other_arguments),
        cmocka_unit_test(test_absent),
        cmocka_unit_test(test_wrong_answers),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_no_memory_for_windows),
        cmocka_unit_test(test_too_many_vertices),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
