/* Template: one pair of block kernels. Define before including:
 *   DIST, LINK      element types of the same width
 *   NAME(x)         the names; TARGET, an attribute, or empty
 *   LANES           elements in a vector; 1 for the portable form, which leaves the vectors to the
 *                   compiler, else with VD, VL, LESS (the type of a comparison's result) and
 *                   LOAD, STORE, SET1, ADD, MIN, COMPARE, LOAD_LINK, STORE_LINK, PICK
 *
 * The product holds a tile of c in registers while k runs: ROWS rows by TILE vectors. A step loads
 * TILE vectors of b and spreads ROWS numbers of a, for 2 ROWS TILE operations; with links there
 * are half as many columns, since the links need registers too.
 */
#define B FRI_FLOYD_BLOCK

#if LANES > 1
enum { NAME(ROWS) = 4, NAME(WIDE) = 4, NAME(LINKED) = 2 };

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
NAME(linked_tile)(DIST *c, const DIST *a, const DIST *b, LINK *pc, const LINK *pb) {
    VD acc[NAME(ROWS)][NAME(LINKED)];
    VL link[NAME(ROWS)][NAME(LINKED)];
    _Pragma("GCC unroll 4") for (int i = 0; i < NAME(ROWS); i++)
        _Pragma("GCC unroll 2") for (int j = 0; j < NAME(LINKED); j++) {
        acc[i][j] = LOAD(c + i * B + j * LANES);
        link[i][j] = LOAD_LINK(pc + i * B + j * LANES);
    }
    for (int k = 0; k < B; k++) {
        VD row[NAME(LINKED)];
        VL from[NAME(LINKED)];
        _Pragma("GCC unroll 2") for (int j = 0; j < NAME(LINKED); j++) {
            row[j] = LOAD(b + k * B + j * LANES);
            from[j] = LOAD_LINK(pb + k * B + j * LANES);
        }
        _Pragma("GCC unroll 4") for (int i = 0; i < NAME(ROWS); i++) {
            VD x = SET1(a[i * B + k]);
            _Pragma("GCC unroll 2") for (int j = 0; j < NAME(LINKED); j++) {
                VD sum = ADD(x, row[j]);
                LESS less = COMPARE(sum, acc[i][j]);
                acc[i][j] = MIN(sum, acc[i][j]);
                link[i][j] = PICK(less, from[j], link[i][j]);
            }
        }
    }
    _Pragma("GCC unroll 4") for (int i = 0; i < NAME(ROWS); i++)
        _Pragma("GCC unroll 2") for (int j = 0; j < NAME(LINKED); j++) {
        STORE(c + i * B + j * LANES, acc[i][j]);
        STORE_LINK(pc + i * B + j * LANES, link[i][j]);
    }
}

TARGET static void NAME(product)(void *c_, const void *a_, const void *b_, void *pc_,
                                 const void *pb_) {
    DIST *c = c_;
    const DIST *a = a_, *b = b_;
    LINK *pc = pc_;
    const LINK *pb = pb_;
    for (int j = 0; pc && j < B; j += NAME(LINKED) * LANES)
        for (int i = 0; i < B; i += NAME(ROWS))
            NAME(linked_tile)(c + i * B + j, a + i * B, b + j, pc + i * B + j, pb + j);
    for (int j = 0; !pc && j < B; j += NAME(WIDE) * LANES)
        for (int i = 0; i < B; i += NAME(ROWS))
            NAME(tile)(c + i * B + j, a + i * B, b + j);
}

/* out = min(out, x + row), with links when there are any. */
TARGET static inline void NAME(row)(DIST *out, LINK *link, DIST x, const DIST *row,
                                    const LINK *from) {
    VD spread = SET1(x);
    for (int j = 0; j < B; j += LANES) {
        VD sum = ADD(spread, LOAD(row + j)), old = LOAD(out + j);
        if (link)
            STORE_LINK(link + j, PICK(COMPARE(sum, old), LOAD_LINK(from + j), LOAD_LINK(link + j)));
        STORE(out + j, MIN(sum, old));
    }
}

#else

static inline void NAME(row)(DIST *out, LINK *link, DIST x, const DIST *row, const LINK *from) {
    for (int j = 0; link && j < B; j++)
        link[j] = x + row[j] < out[j] ? from[j] : link[j];
    for (int j = 0; j < B; j++)
        out[j] = x + row[j] < out[j] ? x + row[j] : out[j];
}

static void NAME(product)(void *c, const void *a, const void *b, void *pc, const void *pb) {
    for (int i = 0; i < B; i++)
        for (int k = 0; k < B; k++)
            NAME(row)
    ((DIST *)c + i * B, pc ? (LINK *)pc + i * B : NULL, ((const DIST *)a)[i * B + k],
     (const DIST *)b + k * B, pc ? (const LINK *)pb + k * B : NULL);
}
#endif

/* Row k itself does not change in step k: the distance from k to k is 0. */
TARGET static bool NAME(pivot)(void *c_, void *pc_, bool forgive) {
    DIST *c = c_;
    LINK *pc = pc_;
    for (int k = 0; k < B; k++) {
        if (c[k * B + k] < 0 && !forgive)
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
#undef LINK
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
#undef LOAD_LINK
#undef STORE_LINK
#undef PICK
