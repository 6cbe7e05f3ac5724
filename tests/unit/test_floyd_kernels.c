/* The block kernels of Floyd-Warshall for each instruction set against the definition, cell by
 * cell: every type, with and without parents, with unreached cells, ties and negative cycles. */
#include "cpu/apsp/floyd_warshall/kernels.h"
#include "conformance/shapes.h"
#include "support/support.h"

enum { B = FRI_FLOYD_BLOCK, CELLS = B * B };

typedef union {
    int32_t i32[CELLS];
    int64_t i64[CELLS];
    float f32[CELLS];
    double f64[CELLS];
} block;

typedef struct {
    block dist[3], link[3]; /* c, a, b */
} blocks;

static const fr_type types[] = {FR_TYPE_I32, FR_TYPE_I64, FR_TYPE_F32, FR_TYPE_F64};
static const char *const sets[] = {"portable", "avx2", "avx512"};
enum { INFINITE = 1 << 29 };

static void put(block *b, fr_type type, int at, double value) {
    switch (type) {
    case FR_TYPE_I32: b->i32[at] = (int32_t)value; break;
    case FR_TYPE_I64: b->i64[at] = (int64_t)value; break;
    case FR_TYPE_F32: b->f32[at] = (float)value; break;
    default: b->f64[at] = value;
    }
}

static double get(const block *b, fr_type type, int at) {
    return type == FR_TYPE_I32   ? b->i32[at]
           : type == FR_TYPE_I64 ? (double)b->i64[at]
           : type == FR_TYPE_F32 ? (double)b->f32[at]
                                 : b->f64[at];
}

static fr_type link_type(fr_type type) {
    return fr_type_size(type) == 4 ? FR_TYPE_I32 : FR_TYPE_I64;
}

/* Small numbers, so that there are ties; a third unreached. */
static void fill(blocks *x, fr_type type, int low, uint64_t seed) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < CELLS; i++) {
            int value = cf_between(&seed, low, 20);
            bool far = cf_between(&seed, 0, 2) == 0, self = i / B == i % B;
            put(&x->dist[k], type, i, self ? 0 : far ? INFINITE : value);
            put(&x->link[k], link_type(type), i, far ? -1 : cf_between(&seed, 0, 999));
        }
}

/* The definition: in the order of k, the first strictly shorter way wins. */
static void reference_step(block *c, block *pc, const block *a, const block *b, const block *pb,
                           int k, fr_type type) {
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
            double sum = get(a, type, i * B + k) + get(b, type, k * B + j);
            if (sum >= get(c, type, i * B + j))
                continue;
            put(c, type, i * B + j, sum);
            put(pc, link_type(type), i * B + j, get(pb, link_type(type), k * B + j));
        }
}

static void same(const block *got, const block *want, fr_type type, const char *set) {
    for (int i = 0; i < CELLS; i++)
        if (get(got, type, i) != get(want, type, i))
            fail_msg("%s, %s, cell %d: %g, not %g", set, fr_type_name(type), i, get(got, type, i),
                     get(want, type, i));
}

static void check_products(const fri_floyd_kernels *kernels, fr_type type, uint64_t seed) {
    static blocks start, got, want;
    fill(&start, type, -5, seed);
    for (int linked = 0; linked < 2; linked++) {
        got = want = start;
        kernels->product(&got.dist[0], &got.dist[1], &got.dist[2], linked ? &got.link[0] : NULL,
                         linked ? &got.link[2] : NULL);
        for (int k = 0; k < B; k++)
            reference_step(&want.dist[0], &want.link[0], &want.dist[1], &want.dist[2],
                           &want.link[2], k, type);
        same(&got.dist[0], &want.dist[0], type, kernels->name);
        same(&got.link[0], linked ? &want.link[0] : &start.link[0], link_type(type), kernels->name);
    }
}

static void check_pivot(const fri_floyd_kernels *kernels, fr_type type, uint64_t seed) {
    static blocks start, got, want;
    fill(&start, type, 1, seed);
    for (int linked = 0; linked < 2; linked++) {
        got = want = start;
        assert_true(kernels->pivot(&got.dist[0], linked ? &got.link[0] : NULL));
        for (int k = 0; k < B; k++)
            reference_step(&want.dist[0], &want.link[0], &want.dist[0], &want.dist[0],
                           &want.link[0], k, type);
        same(&got.dist[0], &want.dist[0], type, kernels->name);
        same(&got.link[0], linked ? &want.link[0] : &start.link[0], link_type(type), kernels->name);
    }
    put(&start.dist[0], type, 3 * B + 9, -7);
    put(&start.dist[0], type, 9 * B + 3, 6);
    got = start;
    assert_false(kernels->pivot(&got.dist[0], &got.link[0]));
}

static void test_each_set(void **state) {
    (void)state;
    for (int set = FRI_FLOYD_PORTABLE; set <= FRI_FLOYD_ISA_BEST; set++)
        for (int t = 0; t < 4; t++) {
            const fri_floyd_kernels *kernels = fri_floyd_kernels_for(types[t], (fri_floyd_isa)set);
            if (strcmp(kernels->name, sets[set]) != 0) {
                print_message("skip: this processor has no %s\n", sets[set]);
                break;
            }
            for (uint64_t seed = 1; seed <= 3; seed++) {
                check_products(kernels, types[t], seed);
                check_pivot(kernels, types[t], seed);
            }
        }
}

TEST_PROGRAM(TEST(test_each_set))
