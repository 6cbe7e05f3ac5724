/* The table of generators, each defined in the file of its algorithm. How to add one: docs/architecture.md,
 * "Add a generator". */
#include "gen/generator.h"

/* clang-format off */
#define GENERATORS(X) \
    X(fri_gen_kronecker) X(fri_gen_rmat) X(fri_gen_uniform) X(fri_gen_grid2d) X(fri_gen_grid6) \
    X(fri_gen_grid3d) X(fri_gen_small_world) X(fri_gen_forest_fire) X(fri_gen_scale_free) \
    X(fri_gen_random_geometric) X(fri_gen_path) X(fri_gen_star) X(fri_gen_clique) X(fri_gen_tree)
#define DECLARE(generator) extern const fri_generator generator;
#define ADDRESS(generator) &generator,
GENERATORS(DECLARE)
const fri_generator *const fri_generators[] = {GENERATORS(ADDRESS) NULL};
/* clang-format on */

static const fri_generator *row(int index) {
    int count = sizeof fri_generators / sizeof *fri_generators - 1;
    return index >= 0 && index < count ? fri_generators[index] : NULL;
}

const char *fr_generator_name(int index) { return row(index) ? row(index)->name : NULL; }
const char *fr_generator_description(int index) { return row(index) ? row(index)->text : NULL; }
