/* How BFS `auto` on the CPU chooses the method of a level: the cost model and the feedback. */
#include "cpu/bfs/cost_model.h"
#include "support/support.h"

static const double FITTED = 6400; /* 16 threads */

/* Levels of a mesh on 16 threads: one thread takes 300 us, each of 16 has 20 us of work. */
static const fri_bfs_level_costs MESH = {.serial = 300e3, .shared = 20e3};

typedef struct {
    double ns;  /* of the traversal */
    int shared; /* levels */
} outcome;

/* `levels` equal levels; a shared one takes shared_ns, and every `period`-th one `delay_ns` more. */
static outcome traverse(fri_bfs_feedback *f, fri_bfs_level_costs level, int levels,
                        double serial_ns, double shared_ns, int period, double delay_ns) {
    outcome out = {0};
    static int delays;
    for (int i = 0; i < levels; i++) {
        double gain, ns = serial_ns;
        if (fri_bfs_feedback_shares(f, level, &gain)) {
            ns = shared_ns + (period && ++delays % period == 0 ? delay_ns : 0);
            fri_bfs_feedback_shared(f, level, ns);
            out.shared++;
        } else
            fri_bfs_feedback_serial(f, level, ns);
        out.ns += ns;
    }
    return out;
}

static void idle_machine_shares(void **state) {
    (void)state;
    fri_bfs_feedback f = fri_bfs_feedback_new(FITTED);
    assert_int_equal(traverse(&f, MESH, 300, 300e3, 80e3, 0, 0).shared, 300);
    assert_true(f.overhead_ns > 40e3 && f.overhead_ns < 70e3); /* 80 - 20 us, learned */
}

/* Single delays on an idle machine do not make the traversal serial. */
static void single_delays_are_forgiven(void **state) {
    (void)state;
    fri_bfs_feedback f = fri_bfs_feedback_new(FITTED);
    outcome all = traverse(&f, MESH, 1000, 300e3, 80e3, 20, 1e6);
    assert_true(all.shared > 950);
    assert_true(all.ns < 0.5 * 1000 * 300e3);
}

/* Shared levels that lose: the loss is bounded by the grant and a part of the time. */
static void busy_machine_is_serial(void **state) {
    (void)state;
    fri_bfs_level_costs level = {.serial = 13e3, .shared = 7e3};
    fri_bfs_feedback f = fri_bfs_feedback_new(800);
    outcome all = traverse(&f, level, 100000, 13e3, 8e3, 20, 3e6);
    assert_true(all.ns < 1.06 * 100000 * 13e3 + 4e6);
    assert_true(all.shared > 0); /* it is tried again */
}

/* After the other process has gone, levels are shared again. */
static void recovers(void **state) {
    (void)state;
    fri_bfs_feedback f = fri_bfs_feedback_new(FITTED);
    traverse(&f, MESH, 1000, 300e3, 80e3, 1, 3e6);
    assert_true(f.balance_ns < 0);
    assert_true(traverse(&f, MESH, 1000, 300e3, 80e3, 0, 0).shared > 400);
}

/* Small levels whose overhead is larger than what they save stay serial, and are tried rarely. */
static void overhead_is_learned(void **state) {
    (void)state;
    fri_bfs_level_costs level = {.serial = 12e3, .shared = 1e3};
    fri_bfs_feedback f = fri_bfs_feedback_new(FITTED);
    outcome all = traverse(&f, level, 10000, 12e3, 25e3, 0, 0);
    assert_true(all.shared < 500);
    assert_true(all.ns < 1.06 * 10000 * 12e3);
}

static void scale_is_learned(void **state) {
    (void)state;
    fri_bfs_level_costs level = {.serial = 5e3, .shared = 500};
    fri_bfs_feedback f = fri_bfs_feedback_new(FITTED);
    double gain;
    assert_false(fri_bfs_feedback_shares(&f, level, &gain));
    assert_true(gain < 0);
    for (int i = 0; i < 100; i++)
        fri_bfs_feedback_serial(&f, level, 15e3); /* memory is three times slower than fitted */
    assert_true(f.scale > 2.9 && f.scale < 3.1);
    assert_true(fri_bfs_feedback_shares(&f, level, &gain));
    for (int i = 0; i < 100; i++)
        fri_bfs_feedback_serial(&f, level, 1e9);
    assert_true(f.scale <= 4); /* bounded */
}

/* The middle of a mesh of 10 million vertices: the bitmaps are large and nearly empty. */
static fri_bfs_policy_input mesh(int threads) {
    return (fri_bfs_policy_input){.threads = threads,
                                  .team_is_up = true,
                                  .in_edges = true,
                                  .new_share = 1.0 / 6,
                                  .words = 155288,
                                  .vertices = 27000,
                                  .edges = 162000,
                                  .left_vertices = 5000000,
                                  .left_edges = 30000000};
}

static void meshes_are_serial_or_queued(void **state) {
    (void)state;
    fri_bfs_policy_input f = mesh(1);
    assert_int_equal(fri_bfs_choose(&f), FRI_METHOD_SERIAL);
    f = mesh(16);
    assert_int_equal(fri_bfs_choose(&f), FRI_METHOD_QUEUE);
}

/* A level that finds most vertices of a random graph. */
static void large_levels(void **state) {
    (void)state;
    fri_bfs_policy_input f = {.threads = 16,
                              .team_is_up = true,
                              .new_share = 0.9,
                              .words = 15626,
                              .vertices = 28000,
                              .edges = 930000,
                              .left_vertices = 970000,
                              .left_edges = 31000000};
    assert_int_equal(fri_bfs_choose(&f), FRI_METHOD_BITMAP);
    f.vertices = 640000;
    f.edges = 20000000;
    f.left_vertices = 330000;
    f.left_edges = 30000000;
    assert_int_not_equal(fri_bfs_choose(&f), FRI_METHOD_PULL); /* there are no in-edges */
    assert_true(fri_bfs_in_edges_saving_ns(&f) > 0);
    f.in_edges = true;
    assert_int_equal(fri_bfs_choose(&f), FRI_METHOD_PULL);
}

static double pull_ns(int64_t edges) {
    const fri_bfs_policy_input f = {.threads = 1,
                                    .in_edges = true,
                                    .is_bitmap = true,
                                    .words = 16,
                                    .vertices = 1,
                                    .edges = edges,
                                    .left_vertices = 1000,
                                    .left_edges = 100000 + edges};
    double ns[FRI_METHOD_COUNT];
    fri_bfs_expected_ns(&f, ns);
    return ns[FRI_METHOD_PULL];
}

/* An unvisited vertex reads its row until it meets the frontier: all of it where the frontier has few edges,
 * few where it has many. */
static void a_pull_reads_rows_until_it_meets_the_frontier(void **state) {
    (void)state;
    const double whole = pull_ns(1), few = pull_ns(100), half = pull_ns(100000);
    if (!(few > 0.99 * whole && few < 1.01 * whole))
        fail_msg("%.0f ns with 100 edges, should be as of whole rows, %.0f ns", few, whole);
    if (!(5 * half < whole))
        fail_msg("%.0f ns with half of the edges, should be less than a fifth of %.0f ns", half,
                 whole);
}

static void barriers_grow_with_threads(void **state) {
    (void)state;
    assert_true(fri_bfs_barriers_ns(1) == 0);
    assert_true(fri_bfs_barriers_ns(16) > 4 * fri_bfs_barriers_ns(2));
    assert_true(fri_bfs_serial_edges(16) > fri_bfs_serial_edges(2));
}

TEST_PROGRAM(TEST(idle_machine_shares), TEST(single_delays_are_forgiven),
             TEST(busy_machine_is_serial), TEST(recovers), TEST(overhead_is_learned),
             TEST(scale_is_learned), TEST(meshes_are_serial_or_queued), TEST(large_levels),
             TEST(barriers_grow_with_threads), TEST(a_pull_reads_rows_until_it_meets_the_frontier))
