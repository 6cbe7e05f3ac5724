/* The bucket engine on several threads: work that passes between the threads of a round, and the width of the buckets. */
#define FRI_WEIGHT I32
#define FRI_DIST   I32
#include "cpu/sssp/typed/given.h"
#include "support/support.h"

enum { CHUNKS = 8, SOON = 3, LATER = 5 };

/* An engine without a graph, and one thread's bins: two chunks in bucket SOON, one in bucket LATER. */
typedef struct {
    _Alignas(FRI_CACHE_LINE) char chunks[CHUNKS * FRI_CHUNK_BYTES];
    fri_buckets mine;
    fri_delta_engine engine;
} bench;

static bench *make_bench(void) {
    bench *b = aligned_alloc(FRI_CACHE_LINE, fri_align_line(sizeof *b));
    assert_non_null(b);
    memset(b, 0, sizeof *b);
    b->engine.pool = (fri_chunk_pool){.chunks = b->chunks, .count = CHUNKS, .taken = 1};
    fri_buckets_reset(&b->mine, 0);
    assert_non_null(fri_buckets_grow(&b->mine, &b->engine.pool, SOON));
    assert_non_null(fri_buckets_grow(&b->mine, &b->engine.pool, SOON));
    assert_non_null(fri_buckets_grow(&b->mine, &b->engine.pool, LATER));
    fri_given_reset(&b->engine.given);
    return b;
}

static void work_is_given_where_it_is_wanted(void **state) {
    (void)state;
    bench *b = make_bench();
    fri_given *g = &b->engine.given;
    uint32_t rest = fri_delta_take_I32_I32(&b->mine, SOON), first = rest;
    fri_given_offer(&b->engine, &b->mine, &rest, LATER + 1);
    assert_int_equal(rest, first); /* nobody wants any */
    assert_int_equal(fri_given_take(g), 0);
    g->wanted = true;
    fri_given_offer(&b->engine, &b->mine, &rest, LATER + 1);
    assert_int_equal(rest, 0); /* the bucket in progress goes first */
    fri_given_offer(&b->engine, &b->mine, &rest, LATER + 1);
    assert_int_equal(fri_buckets_min(&b->mine), LATER); /* one list at a time */
    assert_int_equal(fri_given_take(g), first);
    assert_false(g->wanted);
    assert_int_equal(fri_given_take(g), 0);
    g->wanted = true;
    fri_given_offer(&b->engine, &b->mine, &rest, LATER); /* not of this round */
    assert_int_equal(fri_given_take(g), 0);
    fri_given_offer(&b->engine, &b->mine, &rest, LATER + 1);
    assert_true(fri_given_take(g) != 0);
    assert_true(fri_buckets_min(&b->mine) == INT64_MAX); /* it has left the bin */
    free(b);
}

static void no_thread_waits_where_none_has_work(void **state) {
    (void)state;
    bench *b = make_bench();
    fri_given *g = &b->engine.given;
    fr_ctx ctx = {0};
    fri_team team = {.spin_ns = 1000};
    b->engine.buckets = &b->mine;
    b->engine.pace = fri_pace_begin(&ctx, "test", 0);
    assert_int_equal(fri_given_await(&b->engine, (fri_member){&team, 0, 2}), 0); /* not for ever */
    assert_false(g->over);
    assert_true(g->wanted && b->engine.waited_ns >= 1000);
    assert_int_equal(fri_given_await(&b->engine, (fri_member){&team, 0, 2}), 0);
    assert_true(g->over); /* the second of two has no work either */
    fri_given_reset(g);
    assert_true(fri_given_put(g, 1));
    assert_int_equal(fri_given_await(&b->engine, (fri_member){&team, 0, 2}), 1);
    assert_int_equal(g->idle, 0);
    free(b);
}

/* The default on so many threads. */
static double width(fr_ctx *ctx, const char *description, int threads) {
    fr_graph *graph = test_generated(ctx, description, 255);
    fr_solver *solver;
    int32_t source = 0, *dist = malloc((size_t)fr_graph_csr(graph)->n * sizeof *dist);
    const fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = dist};
    assert_ok(ctx, fr_ctx_set_threads(ctx, threads));
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, NULL, &solver));
    assert_ok(ctx, fr_solve(solver, &query, &result));
    const char *text = strstr(fr_solver_explain(solver), "delta ");
    const double delta = text ? atof(text + strlen("delta ")) : -1;
    free(dist);
    fr_solver_free(solver);
    fr_graph_free(graph);
    return delta;
}

/* A lattice has 3.1 edges at the end of an edge, a graph of uniform edges with 10 per vertex 11. */
static void buckets_of_sparse_graphs_are_wide_on_many_threads(void **state) {
    static const char lattice[] = "grid2d:rows=100,cols=100,keep=0.7",
                      uniform[] = "uniform:n=10000,edges=50000";
    const double one = width(*state, lattice, 1);
    assert_true(one > 50 && one < 100);
    assert_true(fabs(width(*state, lattice, 2) / one - 4) < 0.1);
    assert_in_range(width(*state, lattice, 16) / one, 7, 9);
    assert_true(width(*state, uniform, 16) == width(*state, uniform, 1));
}

/* A star has half of its edges at the end of an edge: without a least width nearly all entries would be behind the ring. */
static void the_ring_has_four_mean_weights(void **state) {
    const double hub = width(*state, "star:n=20000", 1);
    assert_true(fabs(hub * FRI_BUCKETS / 4 / 128 - 1) < 0.02);
    assert_true(width(*state, "star:n=20000", 16) == hub);
}

TEST_PROGRAM(TEST(work_is_given_where_it_is_wanted), TEST(no_thread_waits_where_none_has_work),
             TEST(buckets_of_sparse_graphs_are_wide_on_many_threads),
             TEST(the_ring_has_four_mean_weights))
