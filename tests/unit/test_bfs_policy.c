/* How BFS `auto` on the CPU chooses the method of a level: the cost model. */
#include "cpu/bfs/cost_model.h"
#include "support/support.h"

/* The middle of a mesh of 10 million vertices: the bitmaps are large and nearly empty. */
static fri_bfs_policy_input mesh(int threads) {
    return (fri_bfs_policy_input){.threads = threads,
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
    /* as measured on 16 cores, where bitmaps took three times as long */
    const fri_share share = {.scale = 0.65, .shared_scale = 1.1, .largest = 16};
    f.share = &share;
    assert_int_equal(fri_bfs_choose(&f), FRI_METHOD_QUEUE);
}

/* A level that finds most vertices of a random graph. */
static void large_levels(void **state) {
    (void)state;
    fri_bfs_policy_input f = {.threads = 16,
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
    fri_bfs_plan plan[FRI_METHOD_COUNT];
    fri_bfs_plans(&f, plan);
    return plan[FRI_METHOD_PULL].ns;
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

/* As measured on 16 cores: roads of Moscow, 1.3 vertices per new one, and a lattice of 1400 x 1400. */
static void windows_follow_facts(void **state) {
    (void)state;
    fri_share share = fri_share_new(NULL);
    share.scale = share.shared_scale = 2;
    const fri_bfs_window roads = fri_bfs_plan_window(&share, 590, 2.2, 16),
                         lattice = fri_bfs_plan_window(&share, 1000, 2.8, 16),
                         two = fri_bfs_plan_window(&share, 1000, 2.8, 2),
                         thin = fri_bfs_plan_window(&share, 10, 2.2, 16);
    assert_int_equal(roads.threads, 16);
    assert_in_range(roads.levels, 8, 16); /* 4 levels took 1.11 times as long, 32 took 1.23 */
    assert_int_equal(lattice.threads, 16);
    assert_in_range(lattice.levels, 8, 32); /* 4 levels took 1.24 times as long, 64 took 1.5 */
    assert_int_equal(two.threads, 1);       /* 0.94 times the time of one, roads 1.17 */
    assert_int_equal(thin.threads, 1);
    share.lost_ns[1] = 1e9;
    assert_int_equal(fri_bfs_plan_window(&share, 1000, 2.8, 16).threads, 1);
}

TEST_PROGRAM(TEST(meshes_are_serial_or_queued), TEST(large_levels), TEST(windows_follow_facts),
             TEST(a_pull_reads_rows_until_it_meets_the_frontier))
