/* BFS and SSSP on ranks with a GPU each, on a machine with GPUs: a process per rank, connected by NCCL, compared
 * with ranks on CPU cores. One GPU: one rank, without NCCL.
 *
 * usage: gpu_ranks [RANKS [SCALE [times]]]
 * RANKS: by default 2, 3 and 4 in turn, as far as there are GPUs; SCALE: of the Kronecker graph that is timed, 20;
 * times: nothing else runs. */
#include "comm_sockets.h"
#include "checks.h"
#include "ranks/search.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MAX_GPUS = 4, KEYS = 8, PATIENCE_S = 120, SHORT_PATIENCE_S = 15, TIME_LIMIT_S = 550 };
enum { LARGE = 1 << 18, KEYS_OF_LARGE = 2 };

/* What a rank does; progress may end or cancel it. */
typedef struct rank_run {
    fr_ctx *ctx;
    fr_world *world;
    int scale;
    bool first;
} rank_run;

/* ---- two solvers on one part ------------------------------------------------------------------- */

static search open_search(const rank_run *t, fr_part *part, fr_problem problem, bool on_gpu) {
    search s = {.part = part};
    t->world->on_gpus = on_gpu;
    CHECK_OK(t->ctx, search_open(&s, t->ctx, problem));
    t->world->on_gpus = true;
    return s;
}

/* Not the part, which another search may use. */
static void close_search(search *s) {
    s->part = NULL;
    search_free(s);
}

/* What a rank receives of every other one: BFS a slice with its report; SSSP the formula of ranks/sssp_gpu.c. */
static int64_t bytes_of_level(const rank_run *t, const fr_part *part, fr_problem problem,
                              const fr_part_level *l) {
    if (problem == FR_PROBLEM_BFS)
        return (part->share / 8 + 64 + 127) / 128 * 128;
    int64_t longest = l->own_frontier;
    CHECK_OK(t->ctx, fri_world_max(t->world, &longest, 1));
    if (l->bitmap)
        return 4096 + (int64_t)part->share * 8;
    return 4096 + (l->frontier && longest > 336 ? (longest + 31) / 32 * 32 * 12 : 0);
}

static void compare_bytes(const rank_run *t, const fr_part *part, const search *gpu,
                          fr_problem problem) {
    int64_t count, sum = 0;
    const fr_part_level *levels = fr_part_levels(gpu->solver, &count);
    for (int64_t i = 0; i < count; i++) {
        const int64_t bytes = (t->world->size - 1) * bytes_of_level(t, part, problem, &levels[i]);
        CHECK(levels[i].bytes_received == bytes, "level %lld: %lld bytes, not %lld", (long long)i,
              (long long)levels[i].bytes_received, (long long)bytes);
        sum += bytes;
    }
    CHECK(count == FRI_PART_MAX_LEVELS || gpu->own.bytes_received == sum,
          "%lld bytes in %lld levels", (long long)gpu->own.bytes_received, (long long)count);
}

/* Levels or distances as the ranks on CPU cores have them, parents by the checker, bytes by the formula. */
static void compare(const rank_run *t, const fr_part *part, fr_problem problem, search *gpu,
                    search *cpu, const int64_t *sources, int64_t count) {
    const fr_part_query q = {.sources = sources, .source_count = count};
    const size_t own = (size_t)part->own;
    CHECK_OK(t->ctx, fr_part_solve(gpu->solver, &q, &gpu->own));
    CHECK_OK(t->ctx, fr_part_solve(cpu->solver, &q, &cpu->own));
    CHECK_OK(t->ctx, fr_part_verify(t->ctx, part, problem, &q, &gpu->own));
    const fr_part_result *g = &gpu->own, *c = &cpu->own;
    const bool same = problem == FR_PROBLEM_BFS
                          ? !memcmp(g->level, c->level, own * sizeof *g->level)
                          : !memcmp(g->dist, c->dist, own * sizeof(int64_t));
    CHECK(same, "source %lld: other levels or distances", (long long)sources[0]);
    CHECK(g->reached == c->reached && g->reached_edges == c->reached_edges &&
              (problem == FR_PROBLEM_SSSP || g->levels == c->levels),
          "source %lld: other totals", (long long)sources[0]);
    compare_bytes(t, part, gpu, problem);
}

static void one_problem(const rank_run *t, fr_part *part, fr_problem problem) {
    search gpu = open_search(t, part, problem, true), cpu = open_search(t, part, problem, false);
    int64_t keys[KEYS], count = part->n < LARGE ? KEYS : KEYS_OF_LARGE;
    CHECK_OK(t->ctx, fr_part_draw_sources(t->ctx, part, 7, &count, keys));
    for (int64_t k = 0; gpu.solver && cpu.solver && k < count; k++)
        compare(t, part, problem, &gpu, &cpu, &keys[k], k ? 1 : count); /* first all, merged */
    close_search(&gpu);
    close_search(&cpu);
}

static const fr_type weight_types[] = {FR_TYPE_NONE, FR_TYPE_I32, FR_TYPE_I64, FR_TYPE_F32,
                                       FR_TYPE_F64};

static fr_part *make_part(const rank_run *t, const char *description, fr_direction direction,
                          fr_type weights) {
    const fr_load_options options = {.direction = direction,
                                     .weights = weights ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                                     .weight_type = weights,
                                     .weight_low = 1,
                                     .weight_high = 255,
                                     .seed = 5};
    fr_part *part = NULL;
    CHECK(!fr_part_generate(t->ctx, t->world, description, &options, &part), "%s: %s", description,
          fr_ctx_error(t->ctx));
    return part;
}

/* `weights`: the kinds of weights in turn, as many as that. */
static void one_graph(const rank_run *t, const char *description, fr_direction direction,
                      int weights) {
    for (int i = 0; i < weights; i++) {
        fr_part *part = make_part(t, description, direction, weight_types[i]);
        if (part && i == 0)
            one_problem(t, part, FR_PROBLEM_BFS);
        if (part)
            one_problem(t, part, FR_PROBLEM_SSSP);
        fr_part_free(part);
    }
}

/* ---- times ------------------------------------------------------------------------------------- */

static void print_levels(const search *a) {
    int64_t count;
    const fr_part_level *l = fr_part_levels(a->solver, &count);
    for (int64_t i = 0; i < count; i++)
        printf("  level %lld: %s, %lld found, %lld bytes, %.1f us, of which kernels %.1f\n",
               (long long)i, l[i].method, (long long)l[i].frontier, (long long)l[i].bytes_received,
               (double)l[i].ns / 1e3, (double)l[i].work_ns / 1e3);
}

static void one_timing(const rank_run *t, fr_problem problem) {
    char text[64];
    int64_t keys[KEYS], count = KEYS;
    double ms[KEYS];
    const bool bfs = problem == FR_PROBLEM_BFS;
    snprintf(text, sizeof text, "kronecker:scale=%d,seed=1", t->scale);
    fr_part *part = make_part(t, text, FR_DIRECTION_FILE, bfs ? FR_TYPE_NONE : FR_TYPE_I32);
    if (!part)
        return;
    search a = open_search(t, part, problem, true);
    CHECK_OK(t->ctx, fr_part_draw_sources(t->ctx, part, 1, &count, keys));
    for (int round = 0; a.solver && round < 2; round++) /* the first one loads the kernels */
        for (int64_t k = 0; k < count; k++) {
            const fr_part_query q = {.sources = &keys[k], .source_count = 1};
            CHECK_OK(t->ctx, fr_part_solve(a.solver, &q, &a.own));
            ms[k] = (double)a.own.traverse_ns / 1e6;
        }
    const double middle = count ? median(ms, (int)count) : 0;
    if (t->first && count) {
        printf("%s, %s on %d GPUs: %.3f ms (%.3f to %.3f), %.1f GTEPS, %lld edges examined\n",
               bfs ? "BFS" : "SSSP", text, t->world->size, middle, ms[0], ms[count - 1],
               (double)a.own.reached_edges / 2 / (middle * 1e6), (long long)a.own.edges_examined);
        print_levels(&a);
    }
    close_search(&a);
    fr_part_free(part);
}

static void all_timings(rank_run *t) {
    one_timing(t, FR_PROBLEM_BFS);
    one_timing(t, FR_PROBLEM_SSSP);
}

/* ---- what a rank does -------------------------------------------------------------------------- */

static void all_graphs(rank_run *t) {
    static const struct {
        const char *text;
        fr_direction direction;
        int weights; /* kinds of weights */
    } graphs[] = {{"path:n=300", FR_DIRECTION_FILE, 2},
                  {"star:n=5000", FR_DIRECTION_FILE, 5},
                  {"grid2d:rows=100,cols=77", FR_DIRECTION_FILE, 2},
                  {"kronecker:scale=8,seed=3", FR_DIRECTION_FILE, 5},
                  {"kronecker:scale=14,seed=3", FR_DIRECTION_DIRECTED, 5},
                  {"kronecker:scale=13,edge_factor=40,seed=3", FR_DIRECTION_DIRECTED, 5},
                  {"uniform:n=100000,edges=400000,directed=1,seed=5", FR_DIRECTION_DIRECTED, 2},
                  {"kronecker:scale=20,seed=2", FR_DIRECTION_FILE, 2}};
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
        one_graph(t, graphs[i].text, graphs[i].direction, graphs[i].weights);
    all_timings(t);
}

/* The last rank's progress function: 1 cancels, 2 ends the process, in the third level. */
static int interruption;

static int interrupt(void *user, const char *phase, int64_t done, int64_t total) {
    (void)user;
    (void)total;
    if (strcmp(phase, "traversing") != 0 || done != 2 || !interruption)
        return 0;
    if (interruption == 2)
        _exit(0);
    return 1;
}

/* A rank that is cancelled: all are, and the next query is answered. */
static void cancel_one(rank_run *t, fr_part *part, fr_problem problem) {
    const int64_t source = 0;
    const fr_part_query q = {.sources = &source, .source_count = 1};
    search a = open_search(t, part, problem, true);
    interruption = 1;
    CHECK(fr_part_solve(a.solver, &q, &a.own) == FR_CANCELLED, "%s", fr_ctx_error(t->ctx));
    interruption = 0;
    CHECK_OK(t->ctx, fr_part_solve(a.solver, &q, &a.own));
    CHECK(a.own.reached == 300, "%lld reached", (long long)a.own.reached);
    close_search(&a);
}

static void one_cancelled(rank_run *t) {
    fr_part *part = make_part(t, "path:n=300", FR_DIRECTION_FILE, FR_TYPE_I32);
    for (int problem = FR_PROBLEM_BFS; part && problem <= FR_PROBLEM_SSSP; problem++)
        cancel_one(t, part, (fr_problem)problem);
    fr_part_free(part);
}

/* A rank that ends between two exchanges: the others fail in bounded time. */
static void one_dead(rank_run *t, fr_problem problem) {
    const int64_t source = 0;
    const fr_part_query q = {.sources = &source, .source_count = 1};
    fr_part *part = make_part(t, "path:n=300", FR_DIRECTION_FILE, FR_TYPE_I32);
    search a = open_search(t, part, problem, true);
    interruption = 2;
    const int64_t begin = fri_now_ns();
    CHECK(fr_part_solve(a.solver, &q, &a.own) == FR_RANK, "%s", fr_ctx_error(t->ctx));
    const double seconds = (double)(fri_now_ns() - begin) * 1e-9;
    CHECK(seconds < 60, "%g s", seconds);
    if (t->first)
        printf("a rank has ended: %s (after %.1f s)\n", fr_ctx_error(t->ctx), seconds);
    close_search(&a);
    fr_part_free(part);
}

static void one_dead_in_bfs(rank_run *t) { one_dead(t, FR_PROBLEM_BFS); }
static void one_dead_in_sssp(rank_run *t) { one_dead(t, FR_PROBLEM_SSSP); }

/* ---- processes --------------------------------------------------------------------------------- */

static int on_rank(const sockets_mesh *mesh, int rank, int scale, double timeout_s,
                   void (*work)(rank_run *)) {
    const bool last = rank == mesh->size - 1;
    const fr_ctx_options options = {.threads = (int)(sysconf(_SC_NPROCESSORS_ONLN) / mesh->size),
                                    .progress = last ? interrupt : NULL};
    rank_run t = {.scale = scale, .first = rank == 0};
    alarm(TIME_LIMIT_S);
    if (fr_ctx_new(&options, &t.ctx))
        return 1;
    fri_comm *comm = mesh->size > 1 ? sockets_comm(mesh, rank) : NULL;
    CHECK(!fri_world_open_with(t.ctx, comm, FR_VERSION, &t.world), "%s", fr_ctx_error(t.ctx));
    if (!t.world)
        return 1;
    t.ctx->pace_ns = 0;
    fr_status status = fri_world_use_gpus(t.world, NULL, timeout_s);
    CHECK(!status, "%s", fr_ctx_error(t.ctx));
    if (!status)
        work(&t);
    fr_world_close(t.world);
    fr_ctx_free(t.ctx);
    if (t.first)
        printf("%d checks, %d failed on rank 0 of %d\n", checks, failures, mesh->size);
    fflush(stdout);
    return failures != 0;
}

/* Starts a process per rank; the number of those that failed. */
static int start(int ranks, int scale, double timeout_s, void (*work)(rank_run *)) {
    sockets_mesh mesh;
    pid_t process[SOCKETS_MAX];
    int failed = 0, state;
    if (!sockets_connect(&mesh, ranks))
        return 1;
    fflush(stdout);
    for (int r = 0; r < ranks; r++) {
        process[r] = fork();
        if (process[r] == 0)
            _exit(on_rank(&mesh, r, scale, timeout_s, work));
    }
    for (int r = 0; r < ranks; r++)
        for (int q = r + 1; q < ranks; q++) {
            close(mesh.end[r][q]);
            close(mesh.end[q][r]);
        }
    for (int r = 0; r < ranks; r++)
        failed += process[r] < 0 || waitpid(process[r], &state, 0) < 0 || !WIFEXITED(state) ||
                  WEXITSTATUS(state);
    return failed;
}

/* In a process of its own: this one must not have used CUDA or OpenMP when it forks. */
static int count_gpus(void) {
    int state = 0;
    pid_t process = fork();
    if (process == 0) {
        fr_ctx *ctx;
        int count = 0;
        if (!fr_ctx_new(NULL, &ctx))
            fr_device_count(ctx, &count);
        _exit(count);
    }
    waitpid(process, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 0;
}

int main(int argc, char **argv) {
    const int gpus = count_gpus(), scale = argc > 2 ? atoi(argv[2]) : 20;
    int ranks = argc > 1 ? atoi(argv[1]) : FRI_MIN(gpus, MAX_GPUS);
    if (!gpus) {
        printf("skip: no GPU\n");
        return 77;
    }
#ifdef NCCL_PLUGIN
    setenv("FRINGE_NCCL", NCCL_PLUGIN, 0);
#endif
    if (ranks < 1 || ranks > SOCKETS_MAX || ranks > gpus) {
        printf("RANKS is 1 to %d here\n", FRI_MIN(gpus, SOCKETS_MAX));
        return 2;
    }
    if (argc > 3 && strcmp(argv[3], "times") == 0)
        return start(ranks, scale, PATIENCE_S, all_timings) != 0;
    int failed = start(1, scale, PATIENCE_S, all_graphs);
    if (ranks > 1 && !getenv("FRINGE_NCCL")) {
        printf("skip: several ranks: built without NCCL (FRINGE_NCCL_ROOT)\n");
        return failed != 0;
    }
    for (int r = argc > 1 ? FRI_MAX(ranks, 2) : 2; r <= ranks; r++) {
        failed += start(r, scale, PATIENCE_S, all_graphs);
        failed += start(r, scale, PATIENCE_S, one_cancelled);
        failed += start(r, scale, SHORT_PATIENCE_S, one_dead_in_bfs);
        failed += start(r, scale, SHORT_PATIENCE_S, one_dead_in_sssp);
    }
    printf("%s\n", failed ? "FAILED" : "passed");
    return failed != 0;
}
