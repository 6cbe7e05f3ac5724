/* The generators of the table, each defined in the file of its algorithm. */
#ifndef FRI_GENERATORS_H
#define FRI_GENERATORS_H

#include "gen/generator.h"

extern const fri_generator fri_gen_kronecker, fri_gen_rmat, fri_gen_uniform;
extern const fri_generator fri_gen_grid2d, fri_gen_grid6, fri_gen_grid3d;
extern const fri_generator fri_gen_small_world, fri_gen_forest_fire, fri_gen_scale_free;
extern const fri_generator fri_gen_random_geometric;
extern const fri_generator fri_gen_path, fri_gen_star, fri_gen_clique, fri_gen_tree;

#endif
