/* The arithmetic on blocks for one type and one instruction set; see cpu/apsp/floyd_warshall/kernels.h.
 *
 * A file block_ISA.c defines TARGET, the attribute of functions, and, unless it leaves vectors to the
 * compiler, LANES, the elements of a vector, the types vec_t, mask_t (the result of a comparison) and
 * parent_vec_t, and the operations vec_set1, vec_add, vec_min, vec_less and parent_select.
 *
 * The product holds a tile of c in registers while k runs: ROWS rows by WIDE vectors. A step loads
 * WIDE vectors of b and broadcasts ROWS numbers of a, for 2 ROWS WIDE operations. With parents a
 * tile has half as many columns, because the parents need registers too.
 */
#include "cpu/apsp/floyd_warshall/kernels.h"
#include "cpu/typed.h"

enum { B = FRI_FLOYD_BLOCK };

/* As wide as a distance, so that the result of a comparison selects both. */
typedef int32_t parent_I32, parent_F32;
typedef int64_t parent_I64, parent_F64;
typedef FRI_JOIN(parent_, FRI_DIST) parent_t;

#ifdef LANES
enum { ROWS = 4, WIDE = 4, WITH_PARENTS = 2 };

/* Not aligned. */
typedef vec_t memory_vec_t __attribute__((aligned(1), may_alias));
typedef parent_vec_t memory_parent_vec_t __attribute__((aligned(1), may_alias));
#define vec_load(p)        (*(const memory_vec_t *)(const void *)(p))
#define vec_store(p, v)    (*(memory_vec_t *)(void *)(p) = (v))
#define parent_load(p)     (*(const memory_parent_vec_t *)(const void *)(p))
#define parent_store(p, v) (*(memory_parent_vec_t *)(void *)(p) = (v))

TARGET static inline __attribute__((always_inline)) void tile(dist_t *c, const dist_t *a,
                                                              const dist_t *b) {
    vec_t acc[ROWS][WIDE];
#pragma GCC unroll 4
    for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 4
        for (int j = 0; j < WIDE; j++)
            acc[i][j] = vec_load(c + i * B + j * LANES);
    for (int k = 0; k < B; k++) {
        vec_t row[WIDE];
#pragma GCC unroll 4
        for (int j = 0; j < WIDE; j++)
            row[j] = vec_load(b + k * B + j * LANES);
#pragma GCC unroll 4
        for (int i = 0; i < ROWS; i++) {
            vec_t x = vec_set1(a[i * B + k]);
#pragma GCC unroll 4
            for (int j = 0; j < WIDE; j++)
                acc[i][j] = vec_min(vec_add(x, row[j]), acc[i][j]);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 4
        for (int j = 0; j < WIDE; j++)
            vec_store(c + i * B + j * LANES, acc[i][j]);
}

TARGET static inline __attribute__((always_inline)) void
tile_with_parents(dist_t *c, const dist_t *a, const dist_t *b, parent_t *pc, const parent_t *pb) {
    vec_t acc[ROWS][WITH_PARENTS];
    parent_vec_t parents[ROWS][WITH_PARENTS];
#pragma GCC unroll 4
    for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 2
        for (int j = 0; j < WITH_PARENTS; j++) {
            acc[i][j] = vec_load(c + i * B + j * LANES);
            parents[i][j] = parent_load(pc + i * B + j * LANES);
        }
    for (int k = 0; k < B; k++) {
        vec_t row[WITH_PARENTS];
        parent_vec_t from[WITH_PARENTS];
#pragma GCC unroll 2
        for (int j = 0; j < WITH_PARENTS; j++) {
            row[j] = vec_load(b + k * B + j * LANES);
            from[j] = parent_load(pb + k * B + j * LANES);
        }
#pragma GCC unroll 4
        for (int i = 0; i < ROWS; i++) {
            vec_t x = vec_set1(a[i * B + k]);
#pragma GCC unroll 2
            for (int j = 0; j < WITH_PARENTS; j++) {
                vec_t sum = vec_add(x, row[j]);
                mask_t less = vec_less(sum, acc[i][j]);
                acc[i][j] = vec_min(sum, acc[i][j]);
                parents[i][j] = parent_select(less, from[j], parents[i][j]);
            }
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 2
        for (int j = 0; j < WITH_PARENTS; j++) {
            vec_store(c + i * B + j * LANES, acc[i][j]);
            parent_store(pc + i * B + j * LANES, parents[i][j]);
        }
}

TARGET static void product(void *c_, const void *a_, const void *b_, void *pc_, const void *pb_) {
    dist_t *c = c_;
    const dist_t *a = a_, *b = b_;
    parent_t *pc = pc_;
    const parent_t *pb = pb_;
    for (int j = 0; pc && j < B; j += WITH_PARENTS * LANES)
        for (int i = 0; i < B; i += ROWS)
            tile_with_parents(c + i * B + j, a + i * B, b + j, pc + i * B + j, pb + j);
    for (int j = 0; !pc && j < B; j += WIDE * LANES)
        for (int i = 0; i < B; i += ROWS)
            tile(c + i * B + j, a + i * B, b + j);
}

/* out = min(out, x + row), with parents if there are any. */
TARGET static inline void relax_row(dist_t *out, parent_t *parents, dist_t x, const dist_t *row,
                                    const parent_t *from) {
    vec_t spread = vec_set1(x);
    for (int j = 0; j < B; j += LANES) {
        vec_t sum = vec_add(spread, vec_load(row + j)), old = vec_load(out + j);
        if (parents)
            parent_store(parents + j, parent_select(vec_less(sum, old), parent_load(from + j),
                                                    parent_load(parents + j)));
        vec_store(out + j, vec_min(sum, old));
    }
}

#else

static inline void relax_row(dist_t *out, parent_t *parents, dist_t x, const dist_t *row,
                             const parent_t *from) {
    for (int j = 0; parents && j < B; j++)
        parents[j] = x + row[j] < out[j] ? from[j] : parents[j];
    for (int j = 0; j < B; j++)
        out[j] = x + row[j] < out[j] ? x + row[j] : out[j];
}

static void product(void *c, const void *a, const void *b, void *pc, const void *pb) {
    for (int i = 0; i < B; i++)
        for (int k = 0; k < B; k++)
            relax_row((dist_t *)c + i * B, pc ? (parent_t *)pc + i * B : NULL,
                      ((const dist_t *)a)[i * B + k], (const dist_t *)b + k * B,
                      pc ? (const parent_t *)pb + k * B : NULL);
}
#endif

/* Row k does not change in step k, because the distance from k to k is 0. */
TARGET static bool pivot(void *c_, void *pc_) {
    dist_t *c = c_;
    parent_t *pc = pc_;
    for (int k = 0; k < B; k++) {
        if (c[k * B + k] < 0)
            return false;
        for (int i = 0; i < B; i++)
            if (i != k)
                relax_row(c + i * B, pc ? pc + i * B : NULL, c[i * B + k], c + k * B,
                          pc ? pc + k * B : NULL);
    }
    return true;
}

#define BLOCK_KERNELS(isa)                                                                         \
    FRI_TYPED_FUNCTION(FRI_EQUAL_PAIRS, fri_pair(type, type), const fri_floyd_kernels *,           \
                       fri_floyd_kernels_##isa, (fr_type type), (type)) {                          \
        static const fri_floyd_kernels kernels = {#isa, product, pivot};                           \
        (void)type;                                                                                \
        return &kernels;                                                                           \
    }
