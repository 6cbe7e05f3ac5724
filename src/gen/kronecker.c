/* Kronecker and R-MAT graphs: every edge descends through a recursively quartered matrix.
 *
 * Source: D. Chakrabarti, Y. Zhan, C. Faloutsos: R-MAT: a recursive model for graph mining, SDM
 *   2004; the Graph500 specification, section 3.3 (kronecker: a .57, b .19, c .19, edge factor 16,
 *   permuted vertices); C. Seshadhri, A. Pinar, T. G. Kolda: An in-depth analysis of stochastic
 *   Kronecker graphs, J. ACM 60(2), 2013, section 5 (noise, off in Graph500).
 * Idea: edge e draws one number per level, whose position among a, a+b, a+b+c selects the quarter.
 * Differs: three levels share one 64-bit number (21 bits each: probabilities are exact to 2.4e-7);
 *   the vertex permutation is a keyed bijection of the bits, so that it needs no array; edges are
 *   not permuted, since sorting the rows removes their order.
 * Work: m * scale steps without branches or divisions. Loops and parallel edges are kept, as in the
 *   standard.
 */
#include "gen/generator.h"

#include "base/rng.h"

#include <math.h>

enum { LEVEL_BITS = 21, LEVELS_PER_NUMBER = 3, MAX_SCALE = 31, BATCH = 32 };

typedef struct {
    uint64_t seed;
    int scale;
    uint32_t cut[MAX_SCALE + LEVELS_PER_NUMBER][3]; /* a, a+b, a+b+c of each level, * 2^21 */
    fri_permutation scramble;
    bool scrambled;
    uint32_t modulo; /* 0: none */
} matrix;

static inline uint64_t renamed(const matrix *k, uint64_t v) {
    if (k->scrambled)
        v = fri_permute(&k->scramble, v);
    return k->modulo ? (uint32_t)v % k->modulo : v; /* a 32-bit division takes half the time */
}

/* 1 if draw >= cut, without a branch, which would be mispredicted every second time. */
static inline uint32_t at_least(uint32_t draw, uint32_t cut) { return (cut - 1 - draw) >> 31; }

/* Processes BATCH edges at once, so that the compiler vectorizes the loop. */
static void draw_batch(const matrix *k, uint64_t first, int numbers, uint32_t *row,
                       uint32_t *column) {
    uint32_t draw[LEVELS_PER_NUMBER][BATCH];
    for (int i = 0; i < numbers; i++) {
        for (int j = 0; j < BATCH; j++) {
            uint64_t random =
                fri_random(k->seed, (first + (uint64_t)j) * (uint64_t)numbers + (uint64_t)i);
            for (int l = 0; l < LEVELS_PER_NUMBER; l++)
                draw[l][j] = (uint32_t)(random >> (l * LEVEL_BITS)) & ((1u << LEVEL_BITS) - 1);
        }
        for (int l = 0; l < LEVELS_PER_NUMBER; l++) {
            const uint32_t *cut = k->cut[i * LEVELS_PER_NUMBER + l];
            for (int j = 0; j < BATCH; j++) {
                uint32_t lower = at_least(draw[l][j], cut[1]); /* c or d */
                uint32_t odd = at_least(draw[l][j], cut[0]) ^ at_least(draw[l][j], cut[2]);
                row[j] = row[j] * 2 + lower;
                column[j] = column[j] * 2 + (odd ^ lower);
            }
        }
    }
}

static int64_t emit(const void *state, int64_t begin, int64_t end, int32_t *ends) {
    const matrix *k = state;
    int numbers = (k->scale + LEVELS_PER_NUMBER - 1) / LEVELS_PER_NUMBER;
    for (int64_t e = begin; ends && e < end; e += BATCH) {
        uint32_t row[BATCH] = {0}, column[BATCH] = {0};
        draw_batch(k, (uint64_t)e, numbers, row, column);
        for (int64_t j = 0; j < FRI_MIN(BATCH, end - e); j++, ends += 2) {
            ends[0] = (int32_t)renamed(k, row[j]);
            ends[1] = (int32_t)renamed(k, column[j]);
        }
    }
    return end - begin;
}

/* The cuts of each level. Levels beyond the scale always choose the first quarter, which adds
 * leading zero bits, so they come first. noise: the mu of each level in Seshadhri et al., from a
 * separate random stream. */
static void set_cuts(matrix *k, double a, double b, double c, double d, double noise) {
    int numbers = (k->scale + LEVELS_PER_NUMBER - 1) / LEVELS_PER_NUMBER;
    int idle = numbers * LEVELS_PER_NUMBER - k->scale;
    for (int l = 0; l < numbers * LEVELS_PER_NUMBER; l++) {
        double mu =
            noise * (2 * fri_random_unit(fri_random(k->seed ^ UINT64_C(0x6e6f697365), l)) - 1);
        double share = a + d > 0 ? 2 * mu / (a + d) : 0;
        double sums[3] = {a - share * a, a - share * a + b + mu, 0};
        sums[2] = sums[1] + c + mu;
        for (int i = 0; i < 3; i++)
            k->cut[l][i] =
                l < idle ? 1u << LEVEL_BITS : (uint32_t)lrint(sums[i] * (1 << LEVEL_BITS));
    }
}

static fr_status check_quarters(fri_gen_args *args, double a, double b, double c, double d,
                                double noise) {
    if (fabs(a + b + c + d - 1) > 1e-6 || d < -1e-9)
        return fri_fail(args->ctx, FR_INVALID,
                        "generator %s: a + b + c + d is %g + %g + %g + %g; it must be 1",
                        args->name, a, b, c, d);
    double max_noise = fmin(fmin((a + d) / 2, b), c);
    if (noise > max_noise)
        return fri_fail(args->ctx, FR_INVALID,
                        "generator %s: noise %g exceeds the minimum of (a+d)/2, b and c, %g",
                        args->name, noise, max_noise);
    return FR_OK;
}

static fr_status make(fri_gen_args *args, matrix *k, int64_t n, int64_t m) {
    fr_status status = fri_gen_size(args, n, m);
    if (status)
        return status;
    k->scramble = fri_permutation_of(k->seed, k->scale);
    k->modulo = n < (int64_t)1 << k->scale ? (uint32_t)n : 0;
    return fri_gen_emit_parallel(args, m, 1, true, emit, k);
}

#define KRONECKER(P)                                                                               \
    P(scale, FRI_PARAM_INT, 20, 0, 30, "log2 of the vertices")                                     \
    P(edge_factor, FRI_PARAM_INT, 16, 0, 1048576, "edges per vertex")                              \
    P(a, FRI_PARAM_REAL, 0.57, 0, 1, "probability of the upper left quarter")                      \
    P(b, FRI_PARAM_REAL, 0.19, 0, 1, "upper right")                                                \
    P(c, FRI_PARAM_REAL, 0.19, 0, 1, "lower left; the rest is the lower right")                    \
    P(noise, FRI_PARAM_REAL, 0, 0, 0.5, "maximum deviation of a level's b and c")                  \
    P(scramble, FRI_PARAM_INT, 1, 0, 1, "permute the vertices")                                    \
    P(seed, FRI_PARAM_INT, 1, 0, 9e18, "of the random numbers")

static fr_status make_kronecker(fri_gen_args *args) {
    enum { SCALE, EDGE_FACTOR, A, B, C, NOISE, SCRAMBLE, SEED };
    const fri_param_value *v = args->value;
    double a = v[A].real, b = v[B].real, c = v[C].real, d = 1 - a - b - c;
    fr_status status = check_quarters(args, a, b, c, d, v[NOISE].real);
    if (status)
        return status;
    matrix k = {.seed = (uint64_t)v[SEED].whole,
                .scale = (int)v[SCALE].whole,
                .scrambled = v[SCRAMBLE].whole};
    set_cuts(&k, a, b, c, d, v[NOISE].real);
    args->edges->undirected = true;
    int64_t n = (int64_t)1 << k.scale;
    return make(args, &k, n, n * v[EDGE_FACTOR].whole);
}

FRI_GENERATOR(fri_gen_kronecker, "kronecker", "Graph500's Kronecker graph, undirected", KRONECKER,
              make_kronecker);

#define RMAT(P)                                                                                    \
    P(scale, FRI_PARAM_INT, 20, 0, 31, "log2 of the matrix; fits n if only n is given")            \
    P(n, FRI_PARAM_INT, 0, 0, 2147483647, "vertices: ids are taken modulo n; 0: 2^scale")          \
    P(edges, FRI_PARAM_INT, 0, 0, 1099511627776, "edges; 0: 16 per vertex")                        \
    P(a, FRI_PARAM_REAL, 0.57, 0, 1, "probability of the upper left quarter")                      \
    P(b, FRI_PARAM_REAL, 0.19, 0, 1, "upper right")                                                \
    P(c, FRI_PARAM_REAL, 0.19, 0, 1, "lower left")                                                 \
    P(d, FRI_PARAM_REAL, 0.05, 0, 1, "lower right; the rest of a, b and c if not given")           \
    P(noise, FRI_PARAM_REAL, 0, 0, 0.5, "maximum deviation of a level's b and c")                  \
    P(scramble, FRI_PARAM_INT, 1, 0, 1, "permute the vertices before the modulo")                  \
    P(directed, FRI_PARAM_INT, 1, 0, 1, "0: undirected")                                           \
    P(seed, FRI_PARAM_INT, 1, 0, 9e18, "of the random numbers")

static fr_status make_rmat(fri_gen_args *args) {
    enum { SCALE, N, EDGES, A, B, C, D, NOISE, SCRAMBLE, DIRECTED, SEED };
    const fri_param_value *v = args->value;
    double a = v[A].real, b = v[B].real, c = v[C].real;
    double d = v[D].given ? v[D].real : 1 - a - b - c;
    fr_status status = check_quarters(args, a, b, c, d, v[NOISE].real);
    if (status)
        return status;
    int64_t n = v[N].whole;
    matrix k = {.seed = (uint64_t)v[SEED].whole, .scrambled = v[SCRAMBLE].whole};
    k.scale = n && !v[SCALE].given ? fri_bits_of((uint64_t)n - 1) : (int)v[SCALE].whole;
    n = n ? n : (int64_t)1 << k.scale;
    if (n > (int64_t)1 << k.scale)
        return fri_fail(args->ctx, FR_INVALID,
                        "generator rmat: n=%lld exceeds 2^scale = %lld; omit scale", (long long)n,
                        (long long)1 << k.scale);
    set_cuts(&k, a, b, c, d, v[NOISE].real);
    args->edges->undirected = !v[DIRECTED].whole;
    return make(args, &k, n, v[EDGES].whole ? v[EDGES].whole : 16 * n);
}

FRI_GENERATOR(fri_gen_rmat, "rmat", "R-MAT graph with given quarters, directed", RMAT, make_rmat);
