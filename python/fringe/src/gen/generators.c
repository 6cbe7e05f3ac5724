/* The table of generators. */
#include "gen/generators.h"

const fri_generator *const fri_generators[] = {
    &fri_gen_kronecker,        &fri_gen_rmat,        &fri_gen_uniform,
    &fri_gen_grid2d,           &fri_gen_grid6,       &fri_gen_grid3d,
    &fri_gen_small_world,      &fri_gen_forest_fire, &fri_gen_scale_free,
    &fri_gen_random_geometric, &fri_gen_path,        &fri_gen_star,
    &fri_gen_clique,           &fri_gen_tree,        NULL};

static const fri_generator *row(int index) {
    int count = sizeof fri_generators / sizeof *fri_generators - 1;
    return index >= 0 && index < count ? fri_generators[index] : NULL;
}

const char *fr_generator_name(int index) { return row(index) ? row(index)->name : NULL; }
const char *fr_generator_description(int index) { return row(index) ? row(index)->text : NULL; }
