/* The bucket engine on several threads: work that passes between the threads of a round, and the width of the buckets. */
#define FRI_WEIGHT I32
#define FRI_DIST   I32
#include "cpu/sssp/typed/given.h"
#include "support/support.h"

enum { CHUNKS = 8, SOON = 3, LATER = 5, MEMBERS = 70, FIRST = 2, LAST = MEMBERS - 1 };

/* An engine without a graph, and one thread's bins: two chunks in bucket SOON, one in bucket LATER. */
typedef struct {
    _Alignas(FRI_CACHE_LINE) char chunks[CHUNKS * FRI_CHUNK_BYTES];
    fri_given_box box[MEMBERS];
    uint64_t wants[2];
    fri_buckets mine;
    fri_delta_engine engine;
    fri_team team;
} bench;

static bench *make_bench(void) {
    bench *b = aligned_alloc(FRI_CACHE_LINE, fri_align_line(sizeof *b));
    assert_non_null(b);
    memset(b, 0, sizeof *b);
    b->engine.pool = (fri_chunk_pool){.chunks = b->chunks, .count = CHUNKS, .taken = 1};
    b->engine.given.box = b->box;
    b->engine.given.wants = b->wants;
    b->engine.members = MEMBERS;
    b->engine.end = LATER + 1;
    b->team.spin_ns = 1000;
    fri_buckets_reset(&b->mine, 0);
    assert_non_null(fri_buckets_grow(&b->mine, &b->engine.pool, SOON));
    assert_non_null(fri_buckets_grow(&b->mine, &b->engine.pool, SOON));
    assert_non_null(fri_buckets_grow(&b->mine, &b->engine.pool, LATER));
    fri_given_reset(&b->engine.given, MEMBERS);
    return b;
}

static bool ask(bench *b, int index) {
    return fri_given_ask(&b->engine.given, (fri_member){&b->team, index, MEMBERS});
}

static fri_given_work taken(bench *b, int index) {
    fri_given_work work = {0};
    fri_given_take(&b->box[index], &work);
    return work;
}

static void work_is_given_where_it_is_wanted(void **state) {
    (void)state;
    bench *b = make_bench();
    uint32_t rest = fri_delta_take_I32_I32(&b->mine, SOON), first = rest;
    fri_given_offer(&b->engine, &b->mine, &rest);
    assert_int_equal(rest, first); /* nobody wants any */
    assert_true(ask(b, LAST) && ask(b, FIRST));
    fri_given_offer(&b->engine, &b->mine, &rest);
    assert_int_equal(rest, 0); /* a chunk for each */
    const uint32_t second = taken(b, LAST).list;
    assert_int_equal(taken(b, FIRST).list, first);
    assert_true(second && second != first && fri_buckets_min(&b->mine) == LATER);
    assert_int_equal(fri_bucket_chunk_at(&b->engine.pool, first)->next, 0);
    assert_int_equal(taken(b, FIRST).list, 0); /* it has been taken */
    assert_int_equal(b->engine.given.idle, 0);
    assert_true(ask(b, LAST));
    b->engine.end = LATER; /* a thread had enough: not of this round */
    fri_given_offer(&b->engine, &b->mine, &rest);
    assert_int_equal(taken(b, LAST).list, 0);
    b->engine.end = LATER + 1;
    fri_given_offer(&b->engine, &b->mine, &rest);
    assert_int_not_equal(taken(b, LAST).list, 0);
    assert_true(fri_buckets_min(&b->mine) == INT64_MAX); /* it has left the bin */
    free(b);
}

static void all_that_want_work_get_a_part_of_a_long_row(void **state) {
    (void)state;
    bench *b = make_bench();
    fri_given_work row = {0, 7, 11, 100, 100 + 40 * FRI_ROW_PART}, part;
    fri_given_offer_edges(&b->engine, &row);
    assert_int_equal(row.end - row.begin, 40 * FRI_ROW_PART); /* nobody wants any */
    assert_true(ask(b, 3) && ask(b, 65) && ask(b, LAST));
    int64_t end = row.end;
    fri_given_offer_edges(&b->engine, &row);
    assert_int_equal(row.end - row.begin, 10 * FRI_ROW_PART);
    for (int i = 0; i < 3; i++) {
        part = taken(b, (int[]){3, 65, LAST}[i]);
        assert_true(part.u == 7 && part.d == 11 && part.list == 0 && part.end == end);
        end = part.begin;
    }
    assert_int_equal(end, row.end);
    row.end = row.begin + 2 * FRI_ROW_PART - 1;
    assert_true(ask(b, 3));
    fri_given_offer_edges(&b->engine, &row); /* too short */
    assert_int_equal(taken(b, 3).end, 0);
    free(b);
}

static void no_thread_waits_where_none_has_work(void **state) {
    (void)state;
    bench *b = make_bench();
    fri_given *g = &b->engine.given;
    fr_ctx ctx = {0};
    fri_given_work work;
    const fri_member me = {&b->team, 0, 2}, other = {&b->team, 1, 2};
    b->engine.buckets = &b->mine;
    b->engine.pace = fri_pace_begin(&ctx, "test", 0);
    assert_false(fri_given_await(&b->engine, me, &work)); /* not for ever */
    assert_true(!g->over && b->wants[0] == 0 && b->engine.waited_ns >= 1000);
    assert_false(fri_given_ask(g, other)); /* the second of two has no work either */
    assert_true(g->over);
    fri_given_reset(g, MEMBERS);
    b->team.spin_ns = INT64_MAX / 16; /* no time passes while the box is filled */
    g->box[0] = (fri_given_box){true, {.list = 1}};
    assert_true(fri_given_await(&b->engine, me, &work) && work.list == 1);
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
static void the_ring_has_some_mean_weights(void **state) {
    const double hub = width(*state, "star:n=20000", 1);
    assert_true(fabs(hub * FRI_BUCKETS / 4 / 128 - 1) < 0.02);
    assert_true(fabs(width(*state, "star:n=20000", 16) / hub - 8) <
                0.2); /* several threads have more to do */
}

TEST_PROGRAM(TEST(work_is_given_where_it_is_wanted),
             TEST(all_that_want_work_get_a_part_of_a_long_row),
             TEST(no_thread_waits_where_none_has_work),
             TEST(buckets_of_sparse_graphs_are_wide_on_many_threads),
             TEST(the_ring_has_some_mean_weights))
