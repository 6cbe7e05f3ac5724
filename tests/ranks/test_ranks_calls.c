/* The calls of ranks other than traversals: reading and generating parts, writing files, and
 * failures of a single rank, after which every rank returns with that rank's message. */
#include "ranks/search.h"
#include "support/files.h"
#include "support/support.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- answers as one process has them --------------------------------------------------------- */

typedef struct call {
    const char *graph; /* as in search_load */
    fr_load_options load;
    fr_problem problem;
    int64_t source_id;
    fr_status status;    /* of all ranks ... */
    const char *message; /* ... and a part of what it says */
    const char *path;    /* written by the ranks; NULL: out_path */
    outcome out;
} call;

static char out_path[300], alone_path[300]; /* set_up */

static void solve_and_write(fr_ctx *ctx, fr_world *w, void *user) {
    call *c = user;
    const char *format = c->path ? strrchr(c->path, '.') + 1 : "tsv";
    search s = {0};
    fr_status status = search_load(&s, ctx, w, c->graph, &c->load);
    if (!status)
        status = search_open(&s, ctx, c->problem);
    if (!status)
        status = search_write(&s, ctx, fr_part_vertex(s.part, c->source_id),
                              c->path ? c->path : out_path, format);
    outcome_set(&c->out, ctx, w, status);
    search_free(&s);
}

/* Writes the answer of one process. */
static void write_alone(fr_ctx *ctx, const call *c, const char *path) {
    fr_graph *g = NULL;
    assert_ok(ctx, strchr(c->graph, '/') ? fr_graph_load(ctx, c->graph, &c->load, &g)
                                         : fr_graph_generate(ctx, c->graph, &c->load, &g));
    const bool bfs = c->problem == FR_PROBLEM_BFS;
    const fr_type weights = fr_graph_weight_type(g);
    const bool real = weights == FR_TYPE_F32 || weights == FR_TYPE_F64;
    const fr_type type = bfs ? FR_TYPE_I32 : real ? FR_TYPE_F64 : FR_TYPE_I64;
    const int32_t source = fr_graph_vertex(g, c->source_id);
    const fr_solver_options options = {.dist_type = bfs ? FR_TYPE_NONE : type};
    const fr_query q = {.sources = &source, .source_count = 1};
    const size_t n = (size_t)fr_graph_vertex_count(g);
    const fr_output to = {.path = path, .format = "tsv"};
    fr_result r = {.level = bfs ? malloc(n * sizeof *r.level) : NULL,
                   .dist = bfs ? NULL : malloc(n * sizeof(double)),
                   .parent = malloc(n * sizeof *r.parent)};
    fr_solver *solver = NULL;
    assert_ok(ctx, fr_solver_new(ctx, g, c->problem, &options, &solver));
    assert_ok(ctx, fr_solve(solver, &q, &r));
    assert_ok(ctx, fr_result_write(ctx, g, &q, type, &r, &to));
    fr_solver_free(solver);
    fr_graph_free(g);
    free(r.level);
    free(r.dist);
    free(r.parent);
}

/* Lines "vertex value parent": equal to the lines of one process, but for the parents, which may be others. */
static void compare_files(const char *path, const char *other) {
    char line[200], expected[200];
    FILE *file = fopen(path, "r"), *alone = fopen(other, "r");
    assert_true(file && alone);
    while (fgets(expected, sizeof expected, alone)) {
        assert_non_null(fgets(line, sizeof line, file));
        *strrchr(line, '\t') = *strrchr(expected, '\t') = '\0';
        assert_string_equal(line, expected);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    fclose(alone);
}

static const char *put_text(const char *name, const char *text) {
    return test_put(name, text, strlen(text));
}

/* Graphs that ranks read from files; ids that are no integers are refused. */
static void write_graphs(fr_ctx *ctx, const char *weighted, const char *names, const char *named) {
    const fr_load_options drawn = {.weights = FR_WEIGHTS_RANDOM, .weight_high = 9},
                          strings = {.ids = FR_IDS_STRINGS};
    fr_graph *g = NULL;
    assert_ok(ctx, fr_graph_generate(ctx, "kronecker:scale=9,seed=3", &drawn, &g));
    assert_ok(ctx, fr_graph_write(ctx, g, weighted, NULL));
    fr_graph_free(g);
    assert_ok(ctx, fr_graph_load(ctx, names, &strings, &g));
    assert_ok(ctx, fr_graph_write(ctx, g, named, NULL));
    fr_graph_free(g);
}

static void test_answers(void **state) {
    fr_ctx *ctx = *state;
    const char *binary = test_path("g.fringe"), *named = test_path("names.fringe");
    const char *names = put_text("names.tsv", "a\tb\nb\tc\n");
    const char *mixed = put_text("mixed.wel", "0 1 2\n1 2 3\n2 3 4\n3 4 0.5\n4 9 5\n9 0 1");
    /* sums that do not fit, but no distance is one of them; then one that is */
    const char *wide =
        put_text("wide.wel", "0 1 9000000000000000000\n1 2 500000000000000000\n0 2 5\n2 3 4");
    const char *huge = put_text("huge.wel", "0 1 1.5e308\n1 2 1.5e308\n0 2 5\n2 3 4");
    const char *over = put_text("over.wel", "0 1 9223372036854775800\n1 2 100\n2 3 1\n0 4 1");
    write_graphs(ctx, binary, names, named);
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
                                   .drop_parallel = true},
                          strings = {.ids = FR_IDS_STRINGS};
    const call calls[] = {
        {"kronecker:scale=9,seed=3", plain, FR_PROBLEM_BFS, 3, FR_OK, ""},
        {"kronecker:scale=9,seed=3", simple, FR_PROBLEM_BFS, 3, FR_OK, ""},
        {"kronecker:scale=9,seed=3", drawn, FR_PROBLEM_SSSP, 3, FR_OK, ""},
        {"uniform:n=700,edges=1500,directed=1", both, FR_PROBLEM_BFS, 5, FR_OK, ""},
        {"forest-fire:n=300", plain, FR_PROBLEM_BFS, 299, FR_OK, ""},
        {"grid2d:rows=17,cols=9", fresh, FR_PROBLEM_SSSP, 0, FR_OK, ""},
        {TEST_DATA "/eight.mtx", plain, FR_PROBLEM_SSSP, 1, FR_OK, ""},
        {TEST_DATA "/eight.txt", plain, FR_PROBLEM_SSSP, 1, FR_OK, ""},
        {TEST_DATA "/eight.fringe", plain, FR_PROBLEM_SSSP, 1, FR_OK, ""},
        {TEST_DATA "/eight.el", plain, FR_PROBLEM_BFS, 1, FR_OK, ""},
        {TEST_DATA "/eight.wel", mirrored, FR_PROBLEM_SSSP, 1, FR_OK, ""},
        {mixed, plain, FR_PROBLEM_SSSP, 0, FR_OK, ""},
        {wide, plain, FR_PROBLEM_SSSP, 0, FR_OK, ""},
        {huge, plain, FR_PROBLEM_SSSP, 0, FR_OK, ""},
        {binary, plain, FR_PROBLEM_SSSP, 3, FR_OK, ""},
        {binary, fresh, FR_PROBLEM_SSSP, 3, FR_OK, ""},
        {over, plain, FR_PROBLEM_SSSP, 0, FR_OVERFLOW, "distance of vertex 2 does not fit int64"},
        {names, strings, FR_PROBLEM_BFS, 0, FR_INVALID, "ids that are integers"},
        {named, plain, FR_PROBLEM_BFS, 0, FR_UNSUPPORTED, "have names"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int ranks = 1; ranks <= 5; ranks += 2) {
            call c = calls[i];
            const ranks_run run = {.size = ranks};
            ranks_start(&run, solve_and_write, &c);
            assert_true(outcome_is(&c.out, ranks, c.status, c.message));
            if (c.status)
                continue;
            write_alone(ctx, &c, alone_path);
            compare_files(out_path, alone_path);
        }
}

/* ---- what goes wrong on one rank ------------------------------------------------------------ */

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
        call c = {.graph = "kronecker:scale=6",
                  .load = {.weights = FR_WEIGHTS_RANDOM, .weight_high = 9},
                  .problem = FR_PROBLEM_SSSP,
                  .source_id = 1,
                  .path = out};
        ranks_start(&run, solve_and_write, &c);
        failed = f.failed;
        if (!failed)
            assert_true(outcome_is(&c.out, 3, FR_OK, ""));
        else if (opened[0]) /* failed before the first exchange: the others see the rank return */
            assert_int_equal(opened[0], FR_RANK);
        else
            assert_true(outcome_is(&c.out, 3, FR_NOMEM, "rank 2 on "));
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
    const int rank = fr_world_rank(w);
    int64_t first[1024];
    search s = {0};
    fr_status status = search_load(&s, ctx, w, "kronecker:scale=9,seed=1", &load);
    if (!status)
        status = search_open(&s, ctx, FR_PROBLEM_SSSP);
    for (int i = 0; i < 3 && !status; i++) {
        const size_t bytes = (size_t)s.part->own * sizeof *first;
        status = search_solve(&s, 1);
        if (i == 0)
            memcpy(first, s.own.dist, bytes);
        if (i == 0 && rank == fr_world_size(w) - 1)
            c->f->left = c->number;
        if (memcmp(first, s.own.dist, bytes) != 0)
            status = FR_INVALID;
    }
    outcome_set(&c->out, ctx, w, status);
    if (rank == 0)
        c->made = s.solver && s.solver->push_edges;
    search_free(&s);
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
        assert_true(outcome_is(&c.out, 2, FR_OK, ""));
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
        call c = {.graph = "path:n=50", .problem = FR_PROBLEM_BFS, .source_id = 1};
        ranks_start(&run, solve_and_write, &c);
        assert_true(outcome_is(&c.out, 3, FR_CANCELLED, "rank 2 on "));
    }
}

static void test_other_version(void **state) {
    (void)state;
    fr_status opened[3] = {0};
    call c = {.graph = "path:n=5", .problem = FR_PROBLEM_BFS, .source_id = 1};
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

/* What the last rank passes in place of what all others do, and how all end. */
typedef struct odd_call {
    const char *graph; /* "nofile/": fr_part_load */
    uint64_t seed;
    int64_t source;
    fr_status status;
    const char *message;
    outcome out;
} odd_call;

static void one_differs(fr_ctx *ctx, fr_world *w, void *user) {
    odd_call *c = user;
    const bool odd = fr_world_rank(w) == fr_world_size(w) - 1;
    const fr_load_options load = {.seed = odd ? c->seed : 0};
    search s = {0};
    fr_status status = search_load(&s, ctx, w, odd ? c->graph : "path:n=50", &load);
    if (!status)
        status = search_open(&s, ctx, FR_PROBLEM_BFS);
    if (!status)
        status = search_solve(&s, odd ? c->source : 1);
    outcome_set(&c->out, ctx, w, status);
    search_free(&s);
}

static void test_other_arguments(void **state) {
    static const char other[] = "has other arguments for fr_part_generate than rank 0";
    odd_call calls[] = {
        {"path:n=51", 0, 1, FR_INVALID, other},
        {"path:x=1", 0, 1, FR_INVALID, other},
        {"path:n=50", 5, 1, FR_INVALID, other},
        {"nofile/", 0, 1, FR_INVALID, "calls fr_part_load while rank 0 calls fr_part_generate"},
        {"path:n=50", 0, 7, FR_INVALID, "has other arguments for fr_part_solve than rank 0"},
        {"path:n=50", 0, 70, FR_NOT_FOUND, "rank 2 on "}};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const ranks_run run = {.size = 3};
        ranks_start(&run, one_differs, &calls[i]);
        assert_true(outcome_is(&calls[i].out, 3, calls[i].status, calls[i].message));
    }
}

/* The last rank makes no call: the others wait no longer than timeout_s. */
static void one_is_absent(fr_ctx *ctx, fr_world *w, void *user) {
    search s = {0};
    if (fr_world_rank(w) < fr_world_size(w) - 1)
        outcome_set(user, ctx, w, search_load(&s, ctx, w, "path:n=50", NULL));
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

/* ---- wrong answers --------------------------------------------------------------------------- */

/* The vertex whose value or parent is changed in a right answer; -1: none. The other one is kept if it is KEPT. */
enum { KEPT = -7 };
typedef struct fault {
    bool bfs;
    int vertex;
    int64_t value, parent;
    outcome out;
} fault;

/* A path 0 - 1 - 2 ... whose edges have weight 0 except the first and the last. */
static void spoil(fr_ctx *ctx, fr_world *w, void *user) {
    fault *f = user;
    const int64_t src[] = {0, 1, 2, 3, 4}, dst[] = {1, 2, 3, 4, 5};
    const int32_t weights[] = {3, 0, 0, 0, 2};
    const fr_load_options load = {.direction = FR_DIRECTION_UNDIRECTED};
    const fr_problem problem = f->bfs ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP;
    search s = {0};
    assert_ok(ctx, fr_part_from_edges(ctx, w, 7, fr_world_rank(w) ? 0 : 5, src, dst, weights,
                                      FR_TYPE_I32, &load, &s.part));
    assert_ok(ctx, search_open(&s, ctx, problem));
    assert_ok(ctx, search_solve(&s, 0));
    for (int32_t i = 0; i < s.part->own; i++) {
        if (fr_part_vertex_of_own(s.part, i) != f->vertex)
            continue;
        if (f->value != KEPT && f->bfs)
            s.own.level[i] = (int32_t)f->value;
        else if (f->value != KEPT)
            ((int64_t *)s.own.dist)[i] = f->value;
        if (f->parent != KEPT)
            s.own.parent[i] = f->parent;
    }
    const fr_part_query q = search_query(&s, 0);
    outcome_set(&f->out, ctx, w, fr_part_verify(ctx, s.part, problem, &q, &s.own));
    search_free(&s);
}

static void test_wrong_answers(void **state) {
    static const fault faults[] = {
        {false, -1, 0, 0},   {true, -1, 0, 0},  {false, 5, 4, KEPT}, /* no tight edge */
        {false, 5, 6, KEPT},                                         /* a shorter path exists */
        {false, 2, KEPT, 3},                    /* 2 and 3 are each other's parents */
        {false, 6, 9, KEPT},                    /* reached without a parent */
        {false, 6, 5, 5},                       /* no such edge */
        {false, 0, KEPT, 1},                    /* the source has a parent */
        {false, 4, KEPT, 4},                    /* its own parent */
        {true, 5, 4, KEPT},  {true, 5, -1, -1}, /* unreached despite an edge to it */
        {true, 5, KEPT, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (int ranks = 1; ranks <= 3; ranks++) {
            fault f = faults[i];
            const bool right = f.vertex < 0;
            const ranks_run run = {.size = ranks};
            ranks_start(&run, spoil, &f);
            assert_true(outcome_is(&f.out, ranks, right ? FR_OK : FR_VERIFY_FAILED,
                                   right ? "" : "vertex "));
        }
}

/* ---- sizes ------------------------------------------------------------------------------------ */

static void too_many_vertices(fr_ctx *ctx, fr_world *w, void *user) {
    fr_part *part = NULL;
    outcome_set(
        user, ctx, w,
        fr_part_from_edges(ctx, w, INT64_MAX, 0, NULL, NULL, NULL, FR_TYPE_NONE, NULL, &part));
}

static void test_too_many_vertices(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= 2; ranks++) {
        outcome o = {0};
        const ranks_run run = {.size = ranks};
        ranks_start(&run, too_many_vertices, &o);
        assert_true(outcome_is(&o, ranks, FR_RANGE, "9223372036854775807 vertices on "));
    }
}

/* A part of few edges takes little memory. */
static void small(fr_ctx *ctx, fr_world *w, void *user) {
    enum { MOST = 1 << 17 };
    const int64_t ends[] = {0, 1, 2, 3, 4};
    const fr_load_options load = {.direction = FR_DIRECTION_UNDIRECTED};
    const size_t before = fr_ctx_peak_bytes(ctx);
    fr_part *part = NULL;
    fr_status status =
        fr_part_from_edges(ctx, w, 5, 4, ends, ends + 1, NULL, FR_TYPE_NONE, &load, &part);
    if (fr_ctx_peak_bytes(ctx) - before > MOST)
        status = FR_NOMEM;
    outcome_set(user, ctx, w, status);
    fr_part_free(part);
}

static void test_small_parts(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= 3; ranks++) {
        outcome o = {0};
        const ranks_run run = {.size = ranks};
        ranks_start(&run, small, &o);
        assert_true(outcome_is(&o, ranks, FR_OK, ""));
    }
}

static int set_up(void **state) {
    if (test_folder_make(state))
        return 1;
    snprintf(out_path, sizeof out_path, "%s", test_path("out.tsv"));
    snprintf(alone_path, sizeof alone_path, "%s", test_path("alone.tsv"));
    return test_ctx_new(state);
}
static int tear_down(void **state) { return test_ctx_free(state) || test_folder_remove(state); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),           cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_cancelled),         cmocka_unit_test(test_other_version),
        cmocka_unit_test(test_other_arguments),   cmocka_unit_test(test_absent),
        cmocka_unit_test(test_wrong_answers),     cmocka_unit_test(test_no_memory_for_windows),
        cmocka_unit_test(test_too_many_vertices), cmocka_unit_test(test_small_parts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
