/* Grids of two and three dimensions, complete or with edges removed.
 *
 * Source: L. Luo, M. Wong, W. Hwu: An effective GPU implementation of breadth-first search, DAC
 *   2010, section 5: "degree-6 regular graphs", grids whose inner vertices have degree 6. The paper
 *   does not say which grid: grid6 is the triangular one (4 neighbors and a diagonal), grid3d the
 *   other one of degree 6. keep: roads are like a lattice with some edges removed.
 * Idea: a vertex is its position, z * y_size * x_size + y * x_size + x; it emits the edges to its
 *   later neighbors, each kept by an independent draw.
 * Work: n times the number of neighbors, twice with keep < 1 (the kept edges are counted first).
 */
#include "gen/generator.h"

#include "base/rng.h"

typedef struct {
    int x, y, z;
} step;

typedef struct {
    uint64_t seed;
    int64_t x, y, z;
    double keep;
    bool brick; /* rows are joined at every other vertex */
    int steps;
    const step *step; /* [steps] to the later neighbors */
} lattice;

static const step square_steps[] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}};
static const step cube_steps[] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 0},  {-1, 1, 0},
                                  {1, 0, 1},  {-1, 0, 1}, {0, 1, 1},  {0, -1, 1}, {1, 1, 1},
                                  {-1, 1, 1}, {1, -1, 1}, {-1, -1, 1}};
enum { FACES = 3, CUBE = sizeof cube_steps / sizeof *cube_steps };

static inline bool kept(const lattice *l, int64_t vertex, int k) {
    return l->keep >= 1 ||
           fri_random_unit(fri_random(l->seed, (uint64_t)vertex * (l->steps > 4 ? 16 : 4) +
                                                   (uint64_t)k)) < l->keep;
}

static inline bool inside(const lattice *l, int64_t x, int64_t y, int64_t z) {
    return x >= 0 && x < l->x && y >= 0 && y < l->y && z < l->z;
}

static int64_t emit(const void *state, int64_t begin, int64_t end, int32_t *ends) {
    const lattice *l = state;
    int64_t count = 0;
    int64_t x = begin % l->x, y = begin / l->x % l->y, z = begin / l->x / l->y;
    for (int64_t v = begin; v < end; v++) {
        for (int k = 0; k < l->steps; k++) {
            step s = l->step[k];
            if (!inside(l, x + s.x, y + s.y, z + s.z) || (l->brick && s.y && (x + y) % 2) ||
                !kept(l, v, k))
                continue;
            if (ends) {
                ends[2 * count] = (int32_t)v;
                ends[2 * count + 1] = (int32_t)(v + s.x + l->x * (s.y + l->y * s.z));
            }
            count++;
        }
        if (++x == l->x) {
            x = 0;
            if (++y == l->y) {
                y = 0;
                z++;
            }
        }
    }
    return count;
}

static fr_status make(fri_gen_args *args, const lattice *l) {
    int64_t n;
    if (__builtin_mul_overflow(l->x, l->y, &n) || __builtin_mul_overflow(n, l->z, &n))
        n = INT64_MAX;
    /* only an upper bound of the edges is known yet; the exact number is counted later */
    fr_status status = fri_gen_size(args, n, 0);
    if (status)
        return status;
    args->edges->undirected = true;
    return fri_gen_emit_parallel(args, n, l->steps, false, emit, l);
}

#define GRID2D(P)                                                                                  \
    P(rows, FRI_PARAM_INT, 1000, 1, 2147483647, "rows of vertices")                                \
    P(cols, FRI_PARAM_INT, 1000, 1, 2147483647, "vertices in a row")                               \
    P(neighbors, FRI_PARAM_INT, 4, 3, 8, "3 (hexagons), 4, 6 (and a diagonal) or 8 (both)")        \
    P(keep, FRI_PARAM_REAL, 1, 0, 1, "probability of each edge; 0.7: like roads")                  \
    P(seed, FRI_PARAM_INT, 1, 0, 9e18, "of the removed edges")

static fr_status make_grid2d(fri_gen_args *args) {
    enum { ROWS, COLS, NEIGHBORS, KEEP, SEED };
    const fri_param_value *v = args->value;
    bool brick = v[NEIGHBORS].whole == 3;
    if (v[NEIGHBORS].whole % 2 && !brick)
        return fri_fail(args->ctx, FR_INVALID, "generator grid2d: neighbors must be 3, 4, 6 or 8");
    lattice l = {.seed = (uint64_t)v[SEED].whole,
                 .x = v[COLS].whole,
                 .y = v[ROWS].whole,
                 .z = 1,
                 .keep = v[KEEP].real,
                 .brick = brick,
                 .steps = brick ? 2 : (int)v[NEIGHBORS].whole / 2,
                 .step = square_steps};
    return make(args, &l);
}

FRI_GENERATOR(fri_gen_grid2d, "grid2d", "flat grid, undirected", GRID2D, make_grid2d);

#define GRID6(P)                                                                                   \
    P(rows, FRI_PARAM_INT, 1000, 1, 2147483647, "rows of vertices")                                \
    P(cols, FRI_PARAM_INT, 1000, 1, 2147483647, "vertices in a row")

static fr_status make_grid6(fri_gen_args *args) {
    enum { ROWS, COLS };
    const fri_param_value *v = args->value;
    return make(args, &(lattice){.x = v[COLS].whole,
                                 .y = v[ROWS].whole,
                                 .z = 1,
                                 .keep = 1,
                                 .steps = 3,
                                 .step = square_steps});
}

FRI_GENERATOR(fri_gen_grid6, "grid6", "Luo's grid with degree 6 inside, undirected", GRID6,
              make_grid6);

#define GRID3D(P)                                                                                  \
    P(x, FRI_PARAM_INT, 100, 1, 2147483647, "vertices along x")                                    \
    P(y, FRI_PARAM_INT, 100, 1, 2147483647, "along y")                                             \
    P(z, FRI_PARAM_INT, 100, 1, 2147483647, "along z")                                             \
    P(neighbors, FRI_PARAM_INT, 6, 6, 26, "6 (faces) or 26 (edges and corners)")                   \
    P(keep, FRI_PARAM_REAL, 1, 0, 1, "probability of each edge")                                   \
    P(seed, FRI_PARAM_INT, 1, 0, 9e18, "of the removed edges")

static fr_status make_grid3d(fri_gen_args *args) {
    enum { X, Y, Z, NEIGHBORS, KEEP, SEED };
    const fri_param_value *v = args->value;
    if (v[NEIGHBORS].whole != 2 * FACES && v[NEIGHBORS].whole != 2 * CUBE)
        return fri_fail(args->ctx, FR_INVALID, "generator grid3d: neighbors must be 6 or 26");
    return make(args, &(lattice){.seed = (uint64_t)v[SEED].whole,
                                 .x = v[X].whole,
                                 .y = v[Y].whole,
                                 .z = v[Z].whole,
                                 .keep = v[KEEP].real,
                                 .steps = (int)v[NEIGHBORS].whole / 2,
                                 .step = cube_steps});
}

FRI_GENERATOR(fri_gen_grid3d, "grid3d", "grid of three dimensions, undirected", GRID3D,
              make_grid3d);
