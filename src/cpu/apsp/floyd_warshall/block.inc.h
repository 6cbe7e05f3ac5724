/* Template: one pair of block kernels. Define before including:
 *   DIST, PARENT      element types of the same width
 *   NAME(x)         the names; TARGET, an attribute, or empty
 *   LANES           elements in a vector; 1 for the portable form, which leaves the vectors to the
 *                   compiler, else with VD, VL, LESS (the type of a comparison's result) and
 *                   LOAD, STORE, SET1, ADD, MIN, COMPARE, LOAD_PARENT, STORE_PARENT, SELECT
 *
 * The product holds a tile of c in registers while k runs: ROWS rows by TILE vectors. A step loads
 * TILE vectors of b and spreads ROWS numbers of a, for 2 ROWS TILE operations; with links there
 * are half as many columns, since the links need registers too.
 */
#define B FRI_FLOYD_BLOCK

#if LANES > 1
enum { NAME(ROWS) = 4, NAME(WIDE) = 4, NAME(WITH_PARENTS) = 2 };

TARGET static inline __attribute__((always_inline)) void NAME(tile)(DIST *c, const DIST *a,
                                                                    const DIST *b) {
    VD acc[NAME(ROWS)][NAME(WIDE)];
    _Pragma("GCC unroll 4") for (int i = 0; i < NAME(ROWS); i++)
        _Pragma("GCC unroll 4") for (int j = 0; j < NAME(WIDE); j++) acc[i][j] =
            LOAD(c + i * B + j * LANES);
    for (int k = 0; k < B; k++) {
        VD row[NAME(WIDE)];
        _Pragma("GCC unroll 4") for (int j = 0; j < NAME(WIDE); j++) row[j] =
            LOAD(b + k * B + j * LANES);
        _Pragma("GCC unroll 4") for (int i = 0; i < NAME(ROWS); i++) {
            VD x = SET1(a[i * B + k]);
            _Pragma("GCC unroll 4") for (int j = 0; j < NAME(WIDE); j++) acc[i][j] =
                MIN(ADD(x, row[j]), acc[i][j]);
        }
    }
    _Pragma("GCC unroll 4") for (int i = 0; i < NAME(ROWS); i++)
        _Pragma("GCC unroll 4") for (int j = 0; j < NAME(WIDE); j++)
            STORE(c + i * B + j * LANES, acc[i][j]);
}

TARGET static inline __attribute__((always_inline)) void
NAME(tile_with_parents)(DIST *c, const DIST *a, const DIST *b, PARENT *pc, const PARENT *pb) {
    VD acc[NAME(ROWS)][NAME(WITH_PARENTS)];
    VL parents[NAME(ROWS)][NAME(WITH_PARENTS)];
    _Pragma("GCC unroll 4") for (int i = 0; i < NAME(ROWS); i++)
        _Pragma("GCC unroll 2") for (int j = 0; j < NAME(WITH_PARENTS); j++) {
        acc[i][j] = LOAD(c + i * B + j * LANES);
        parents[i][j] = LOAD_PARENT(pc + i * B + j * LANES);
    }
    for (int k = 0; k < B; k++) {
        VD row[NAME(WITH_PARENTS)];
        VL from[NAME(WITH_PARENTS)];
        _Pragma("GCC unroll 2") for (int j = 0; j < NAME(WITH_PARENTS); j++) {
            row[j] = LOAD(b + k * B + j * LANES);
            from[j] = LOAD_PARENT(pb + k * B + j * LANES);
        }
        _Pragma("GCC unroll 4") for (int i = 0; i < NAME(ROWS); i++) {
            VD x = SET1(a[i * B + k]);
            _Pragma("GCC unroll 2") for (int j = 0; j < NAME(WITH_PARENTS); j++) {
                VD sum = ADD(x, row[j]);
                LESS less = COMPARE(sum, acc[i][j]);
                acc[i][j] = MIN(sum, acc[i][j]);
                parents[i][j] = SELECT(less, from[j], parents[i][j]);
            }
        }
    }
    _Pragma("GCC unroll 4") for (int i = 0; i < NAME(ROWS); i++)
        _Pragma("GCC unroll 2") for (int j = 0; j < NAME(WITH_PARENTS); j++) {
        STORE(c + i * B + j * LANES, acc[i][j]);
        STORE_PARENT(pc + i * B + j * LANES, parents[i][j]);
    }
}

TARGET static void NAME(product)(void *c_, const void *a_, const void *b_, void *pc_,
                                 const void *pb_) {
    DIST *c = c_;
    const DIST *a = a_, *b = b_;
    PARENT *pc = pc_;
    const PARENT *pb = pb_;
    for (int j = 0; pc && j < B; j += NAME(WITH_PARENTS) * LANES)
        for (int i = 0; i < B; i += NAME(ROWS))
            NAME(tile_with_parents)(c + i * B + j, a + i * B, b + j, pc + i * B + j, pb + j);
    for (int j = 0; !pc && j < B; j += NAME(WIDE) * LANES)
        for (int i = 0; i < B; i += NAME(ROWS))
            NAME(tile)(c + i * B + j, a + i * B, b + j);
}

/* out = min(out, x + row), with links when there are any. */
TARGET static inline void NAME(row)(DIST *out, PARENT *parents, DIST x, const DIST *row,
                                    const PARENT *from) {
    VD spread = SET1(x);
    for (int j = 0; j < B; j += LANES) {
        VD sum = ADD(spread, LOAD(row + j)), old = LOAD(out + j);
        if (parents)
            STORE_PARENT(parents + j, SELECT(COMPARE(sum, old), LOAD_PARENT(from + j),
                                             LOAD_PARENT(parents + j)));
        STORE(out + j, MIN(sum, old));
    }
}

#else

static inline void NAME(row)(DIST *out, PARENT *parents, DIST x, const DIST *row,
                             const PARENT *from) {
    for (int j = 0; parents && j < B; j++)
        parents[j] = x + row[j] < out[j] ? from[j] : parents[j];
    for (int j = 0; j < B; j++)
        out[j] = x + row[j] < out[j] ? x + row[j] : out[j];
}

static void NAME(product)(void *c, const void *a, const void *b, void *pc, const void *pb) {
    for (int i = 0; i < B; i++)
        for (int k = 0; k < B; k++)
            NAME(row)
    ((DIST *)c + i * B, pc ? (PARENT *)pc + i * B : NULL, ((const DIST *)a)[i * B + k],
     (const DIST *)b + k * B, pc ? (const PARENT *)pb + k * B : NULL);
}
#endif

/* Row k itself does not change in step k: the distance from k to k is 0. */
TARGET static bool NAME(pivot)(void *c_, void *pc_, bool clamp_negative) {
    DIST *c = c_;
    PARENT *pc = pc_;
    for (int k = 0; k < B; k++) {
        if (c[k * B + k] < 0 && !clamp_negative)
            return false;
        if (c[k * B + k] < 0)
            c[k * B + k] = 0;
        for (int i = 0; i < B; i++)
            if (i != k)
                NAME(row)
        (c + i * B, pc ? pc + i * B : NULL, c[i * B + k], c + k * B, pc ? pc + k * B : NULL);
    }
    return true;
}

#undef B
#undef DIST
#undef PARENT
#undef NAME
#undef LANES
#undef VD
#undef VL
#undef LESS
#undef LOAD
#undef STORE
#undef SET1
#undef ADD
#undef MIN
#undef COMPARE
#undef LOAD_PARENT
#undef STORE_PARENT
#undef SELECT
