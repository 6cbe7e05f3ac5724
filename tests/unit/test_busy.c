/* Calls with all threads beside processes that spin, four for each processor, and beside another context's calls: no
 * call waits long for threads that the system does not run. In turns with one thread, or one context, so that other
 * loads of the machine slow both. Whatever OMP_WAIT_POLICY says: the tests' harness sets it, users do not. */
#include "support/support.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "fringe_measures.h"

enum { TURNS = 31, MOST_SPINNERS = 256 };

typedef struct {
    pid_t id[MOST_SPINNERS];
    int count;
} spinners;

static spinners start_spinners(int count) {
    spinners s = {.count = FRI_MIN(count, MOST_SPINNERS)};
    for (int i = 0; i < s.count; i++) {
        s.id[i] = fork();
        assert_true(s.id[i] >= 0);
        if (s.id[i])
            continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(60);
        for (volatile int64_t x = 0;; x++)
            ;
    }
    return s;
}

static void end_spinners(const spinners *s) {
    for (int i = 0; i < s->count; i++) {
        kill(s->id[i], SIGKILL);
        waitpid(s->id[i], NULL, 0);
    }
}

typedef struct {
    fr_graph *graph;
    int32_t *out;
} input;

static fr_status run_bfs(fr_ctx *ctx, const input *in) {
    return fr_bfs(ctx, in->graph, 5, in->out, NULL);
}
static fr_status run_sssp(fr_ctx *ctx, const input *in) {
    return fr_sssp(ctx, in->graph, 5, in->out, NULL);
}
static fr_status run_components(fr_ctx *ctx, const input *in) {
    int32_t count;
    return fr_components(ctx, in->graph, FR_COMPONENTS_WEAK, FR_BACKEND_CPU, in->out, NULL, &count);
}
static int take_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    (void)user, (void)row, (void)source, (void)parent;
    return dist == NULL;
}
static fr_status run_rows(fr_ctx *ctx, const input *in) {
    const int32_t sources[] = {5, 6, 7, 8};
    const fr_query query = {.sources = sources, .source_count = COUNT(sources), .row = take_row};
    fr_solver *solver; /* made again by each call, too */
    fr_status status = fr_solver_new(ctx, in->graph, FR_PROBLEM_APSP,
                                     &(fr_solver_options){.strategy = "multi-sssp"}, &solver);
    if (status)
        return status;
    status = fr_solve(solver, &query, &(fr_result){0});
    fr_solver_free(solver);
    return status;
}

typedef fr_status (*call)(fr_ctx *ctx, const input *in);

static int64_t time_of(fr_ctx *ctx, call run, const input *in) {
    const int64_t begin = fri_now_ns();
    assert_ok(ctx, run(ctx, in));
    return fri_now_ns() - begin;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double ratio[TURNS]) {
    qsort(ratio, TURNS, sizeof *ratio, compare);
    return ratio[TURNS / 2];
}

/* The median of time with all threads / time with one. */
static double median_ratio(fr_ctx *one, fr_ctx *all, call run, const input *in) {
    double ratio[TURNS];
    for (int i = -2; i < TURNS; i++) { /* the first ones prepare */
        int64_t ns[2];
        for (int turn = 0; turn < 2; turn++) {
            const int which = turn ^ (i & 1);
            ns[which] = time_of(which ? all : one, run, in);
        }
        if (i >= 0)
            ratio[i] = (double)ns[1] / (double)ns[0];
    }
    return median(ratio);
}

/* Spinning processes for more would take more processor time than a test may. */
static void keep_two_processors(void) {
    cpu_set_t all, two;
    CPU_ZERO(&two);
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&two) < 2; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &two);
    assert_int_equal(sched_setaffinity(0, sizeof two, &two), 0);
}

static void all_threads_are_no_slower_beside_others(void **state) {
    static const struct {
        const char *name, *graph;
        call run;
        double weight_high, most;
    } calls[] = {{"fr_bfs", "kronecker:scale=16,seed=1", run_bfs, 0, 3},
                 {"fr_components", "kronecker:scale=16,seed=1", run_components, 0, 3},
                 {"fr_sssp", "kronecker:scale=16,seed=1", run_sssp, 255, 3},
                 {"rows of fr_solve", "kronecker:scale=12,seed=1", run_rows, 255, 3}};
    (void)state;
    keep_two_processors();
    fr_ctx *one = test_ctx_threads(1), *all = test_ctx_threads(0);
    all->teams = FRI_TEAMS_MEASURED; /* as users have it */
    const spinners s = start_spinners(4 * fr_ctx_threads(all));
    for (size_t i = 0; i < COUNT(calls); i++) {
        input in = {.graph = test_generated(all, calls[i].graph, calls[i].weight_high)};
        in.out = malloc((size_t)fr_graph_vertex_count(in.graph) * sizeof *in.out);
        assert_non_null(in.out);
        const double ratio = median_ratio(one, all, calls[i].run, &in);
        print_message("%s: %.2f times as long with all threads as with one\n", calls[i].name,
                      ratio);
        if (ratio > calls[i].most)
            fail_msg("%s takes %.2f times as long with all threads as with one", calls[i].name,
                     ratio);
        free(in.out);
        fr_graph_free(in.graph);
    }
    end_spinners(&s);
    fr_ctx_free(one);
    fr_ctx_free(all);
}

typedef struct {
    fr_ctx *ctx;
    input in;
} caller;

static void *call_some(void *arg) {
    const caller *c = arg;
    for (int i = 0; i < 8; i++) {
        assert_ok(c->ctx, run_bfs(c->ctx, &c->in));
        assert_ok(c->ctx, run_components(c->ctx, &c->in));
    }
    return NULL;
}

/* The median of the time of both at the same time / the sum of their times one after the other. */
static double ratio_of_both(caller both[2]) {
    double ratio[TURNS];
    pthread_t other;
    for (int i = -2; i < TURNS; i++) {
        const int64_t begin = fri_now_ns();
        call_some(&both[0]);
        call_some(&both[1]);
        const int64_t between = fri_now_ns();
        assert_int_equal(pthread_create(&other, NULL, call_some, &both[1]), 0);
        call_some(&both[0]);
        pthread_join(other, NULL);
        if (i >= 0)
            ratio[i] = (double)(fri_now_ns() - between) / (double)(between - begin);
    }
    return median(ratio);
}

static void two_contexts_share_the_machine(void **state) {
    (void)state;
    keep_two_processors();
    caller both[2];
    for (int i = 0; i < 2; i++) {
        both[i].ctx = test_ctx_threads(0);
        both[i].ctx->teams = FRI_TEAMS_MEASURED; /* as users have it */
        both[i].in.graph = test_generated(both[i].ctx, "kronecker:scale=16,seed=1", 0);
        both[i].in.out =
            malloc((size_t)fr_graph_vertex_count(both[i].in.graph) * sizeof *both[i].in.out);
        assert_non_null(both[i].in.out);
    }
    const double ratio = ratio_of_both(both);
    print_message("two contexts: %.2f times the sum of each alone\n", ratio);
    if (ratio > 2)
        fail_msg("two contexts at a time take %.2f times the sum of each alone", ratio);
    for (int i = 0; i < 2; i++) {
        free(both[i].in.out);
        fr_graph_free(both[i].in.graph);
        fr_ctx_free(both[i].ctx);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_threads_are_no_slower_beside_others),
                                       cmocka_unit_test(two_contexts_share_the_machine)};
    (void)argc;
    if (getenv("OMP_WAIT_POLICY")) { /* it has been read: once more without it */
        unsetenv("OMP_WAIT_POLICY");
        execv("/proc/self/exe", argv);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
