/* How BFS `auto` on the GPU chooses a push by slices: levels of Kronecker graphs whose methods were timed
 * on an H200 (commit 0ec5337a, 2026-11-23). */
#include "support/support.h"

#include "cuda/bfs/auto/cost_model.h"

enum { MULTIPROCESSORS = 132 };

typedef struct {
    int scale;
    float m, vertices, edges;
    bool sliced; /* was faster by slices */
} timed_level;

/* Of a queue; scale 28 has two slices per multiprocessor. */
static const timed_level levels[] = {
    {24, 536868122.0f, 77.0f, 857796.0f, false},
    {24, 536868122.0f, 210.0f, 2637431.0f, false},
    {24, 536868122.0f, 7069.0f, 42134962.0f, true},
    {24, 536868122.0f, 249912.0f, 290428651.0f, false},
    {26, 2147479396.0f, 21.0f, 1828825.0f, false},
    {26, 2147479396.0f, 5178.0f, 63841440.0f, true},
    {26, 2147479396.0f, 17254.0f, 166658401.0f, true},
    {26, 2147479396.0f, 271131.0f, 789999997.0f, false},
    {28, 8589927858.0f, 399.0f, 11843273.0f, false},
    {28, 8589927858.0f, 12208.0f, 236033228.0f, true},
    {28, 8589927858.0f, 115575.0f, 1142729849.0f, true},
    {28, 8589927858.0f, 837299.0f, 3211714139.0f, false},
};

static fri_cost_input input_of(const timed_level *level) {
    const float n = (float)(1 << level->scale);
    return (fri_cost_input){.vertices = level->vertices,
                            .edges = level->edges,
                            .unvisited = 0.45f * n, /* the rest has no edges */
                            .unvisited_edges = level->m - level->edges,
                            .n = n,
                            .m = level->m,
                            .push_factor = 1.0f,
                            .locality_ratio = 1.0f,
                            .is_queue = true,
                            .uses_hub_parents = true};
}

static int32_t slices_of(const timed_level *level) {
    return level->scale == 28 ? 2 * MULTIPROCESSORS : MULTIPROCESSORS;
}

static bool is_sliced(const timed_level *level, bool parents) {
    const fri_cost_input f = input_of(level);
    return level->edges >= (float)fri_sliced_min_edges(f.n) &&
           fri_prefers_slices(&f,
                              fri_sliced_ps(&f, slices_of(level), parents, FRI_SLICED_LEVEL_PS));
}

static void timed_levels(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++)
        if (is_sliced(&levels[i], false) != levels[i].sliced)
            fail_msg("scale %d, %.0f vertices, %.0f edges", levels[i].scale,
                     (double)levels[i].vertices, (double)levels[i].edges);
}

/* Parents cost a random write per vertex found; a small frontier never pays for the launches. */
static void parents_and_slices_cost(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(levels); i++) {
        const fri_cost_input f = input_of(&levels[i]);
        const int32_t slices = slices_of(&levels[i]);
        assert_true(fri_sliced_ps(&f, slices, true, 0) > fri_sliced_ps(&f, slices, false, 0));
        assert_true(fri_sliced_ps(&f, 2 * slices, false, 0) > fri_sliced_ps(&f, slices, false, 0));
        assert_true(fri_sliced_ps(&f, slices, false, 1e6f) > fri_sliced_ps(&f, slices, false, 0));
        assert_true(levels[i].sliced || !is_sliced(&levels[i], true));
    }
    assert_true(fri_sliced_min_edges(1e9f) > fri_sliced_min_edges(1e6f));
    assert_int_equal(fri_hub_min_degree(MULTIPROCESSORS),
                     MULTIPROCESSORS * FRI_HUB_EDGES_PER_SLICE);
}

TEST_PROGRAM(TEST(timed_levels), TEST(parents_and_slices_cost))
