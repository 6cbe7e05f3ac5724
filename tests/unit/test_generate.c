/* Generators: sizes, degrees, statistics with bounds that a wrong generator misses. */
#include "support/support.h"

#include "base/rng.h"

#include <math.h>

static int64_t degree(const fr_csr *csr, int64_t v) {
    return csr->offsets[v + 1] - csr->offsets[v];
}

static int64_t max_degree_of(const fr_csr *csr) {
    int64_t max_degree = 0;
    for (int32_t v = 0; v < csr->n; v++)
        max_degree = degree(csr, v) > max_degree ? degree(csr, v) : max_degree;
    return max_degree;
}

static int64_t loops(const fr_csr *csr) {
    int64_t count = 0;
    for (int32_t v = 0; v < csr->n; v++)
        for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++)
            count += csr->targets[e] == v;
    return count;
}

static double variance(const fr_csr *csr) {
    double mean = (double)csr->m / csr->n, sum = 0;
    for (int32_t v = 0; v < csr->n; v++)
        sum += ((double)degree(csr, v) - mean) * ((double)degree(csr, v) - mean);
    return sum / csr->n;
}

/* Exact sizes of the shapes without chance. */
static void shapes(void **state) {
    static const struct {
        const char *description;
        int32_t n;
        int64_t m, max_degree;
    } cases[] = {
        {"path:n=0", 0, 0, 0},
        {"path:n=1", 1, 0, 0},
        {"path:n=10", 10, 18, 2},
        {"path", 1000, 1998, 2},
        {"star:n=0", 0, 0, 0},
        {"star:n=100", 100, 198, 99},
        {"clique:n=0", 0, 0, 0},
        {"clique:n=50", 50, 2450, 49},
        {"clique:n=2000", 2000, 3998000, 1999},
        {"tree:n=15,arity=2", 15, 28, 3},
        {"tree:n=40,arity=3", 40, 78, 4},
        {"grid2d:rows=3,cols=4", 12, 34, 4},
        {"grid2d:rows=1,cols=7", 7, 12, 2},
        {"grid2d:rows=3,cols=4,neighbors=6", 12, 46, 6},
        {"grid2d:rows=3,cols=4,neighbors=8", 12, 58, 8},
        {"grid2d:rows=3,cols=4,keep=0", 12, 0, 0},
        {"grid2d:rows=3,cols=4,neighbors=3", 12, 26, 3},
        {"grid6:rows=3,cols=4", 12, 46, 6},
        {"grid3d:x=3,y=4,z=5", 60, 266, 6},
        {"grid3d:x=3,y=4,z=5,neighbors=26", 60, 850, 26},
        {"small-world:n=100,k=4,p=0", 100, 400, 4},
        {"random-geometric:n=200,radius=1.5", 200, 39800, 199},
        {"random-geometric:n=200,radius=0", 200, 0, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph = test_generated(*state, cases[i].description, 0);
        const fr_csr *csr = fr_graph_csr(graph);
        print_message("%s\n", cases[i].description);
        assert_int_equal(csr->n, cases[i].n);
        assert_int_equal(csr->m, cases[i].m);
        assert_int_equal(max_degree_of(csr), cases[i].max_degree);
        assert_true(csr->symmetric);
        assert_string_equal(fr_graph_name(graph), cases[i].description);
        fr_graph_free(graph);
    }
}

static void rows_of(void **state, const char *description, int32_t v, const int32_t *expected,
                    int64_t count) {
    fr_graph *graph = test_generated(*state, description, 0);
    const fr_csr *csr = fr_graph_csr(graph);
    assert_int_equal(degree(csr, v), count);
    assert_memory_equal(csr->targets + csr->offsets[v], expected, (size_t)count * sizeof *expected);
    fr_graph_free(graph);
}

/* The neighbors of a vertex. */
static void neighbors(void **state) {
    rows_of(state, "grid2d:rows=3,cols=4", 5, (const int32_t[]){1, 4, 6, 9}, 4);
    rows_of(state, "grid6:rows=3,cols=4", 5, (const int32_t[]){0, 1, 4, 6, 9, 10}, 6);
    rows_of(state, "grid2d:rows=3,cols=4,neighbors=8", 5,
            (const int32_t[]){0, 1, 2, 4, 6, 8, 9, 10}, 8);
    rows_of(state, "grid3d:x=3,y=3,z=3", 13, (const int32_t[]){4, 10, 12, 14, 16, 22}, 6);
    rows_of(state, "grid3d:x=3,y=3,z=3,neighbors=26", 0, (const int32_t[]){1, 3, 4, 9, 10, 12, 13},
            7);
    rows_of(state, "grid2d:rows=3,cols=4,neighbors=3", 5, (const int32_t[]){4, 6, 9}, 3);
    rows_of(state, "grid2d:rows=3,cols=4,neighbors=3", 6, (const int32_t[]){2, 5, 7}, 3);
    rows_of(state, "tree:n=40,arity=3", 2, (const int32_t[]){0, 7, 8, 9}, 4);
    rows_of(state, "small-world:n=9,k=4,p=0", 0, (const int32_t[]){1, 2, 7, 8}, 4);
}

/* Graph500: m edges both ways, a skew that R-MAT alone has, about half the vertices isolated at
 * edge factor 2, the first id not the hub any more. */
static void kronecker(void **state) {
    fr_graph *graph = test_generated(*state, "kronecker:scale=14,edge_factor=16,seed=3", 0);
    const fr_csr *csr = fr_graph_csr(graph);
    assert_int_equal(csr->n, 1 << 14);
    assert_int_equal(csr->m, 2 * (16 << 14) - loops(csr)); /* a loop is stored once */
    assert_true(loops(csr) > 0);
    assert_true(max_degree_of(csr) > 100 * csr->m / csr->n / 2);
    /* the expected degree of the unpermuted vertex 0: 2 m (a+b)^scale = 2 m 0.76^14, 11200 */
    assert_in_range(max_degree_of(csr), 10500, 11900);
    assert_true(degree(csr, 0) < max_degree_of(csr));
    fr_graph_free(graph);
    graph = test_generated(*state, "kronecker:scale=14,seed=3,scramble=0", 0);
    csr = fr_graph_csr(graph);
    assert_int_equal(degree(csr, 0), max_degree_of(csr));
    /* targets' bits: each level is 1 with probability b + d = 0.24 and rows alike */
    int64_t ones[14] = {0};
    for (int64_t e = 0; e < csr->m; e++)
        for (int b = 0; b < 14; b++)
            ones[b] += csr->targets[e] >> b & 1;
    for (int b = 0; b < 14; b++)
        assert_true(fabs((double)ones[b] / (double)csr->m - 0.24) < 0.005);
    fr_graph_free(graph);
}

/* The four quadrants have their probabilities: counts at the top level. */
static void rmat_quarters(void **state) {
    fr_graph *graph =
        test_generated(*state, "rmat:scale=10,edges=400000,a=0.1,b=0.2,c=0.3,d=0.4,scramble=0", 0);
    const fr_csr *csr = fr_graph_csr(graph);
    assert_false(csr->symmetric);
    assert_int_equal(csr->m, 400000);
    double quarter[4] = {0};
    for (int32_t u = 0; u < 1024; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            quarter[(u >> 9) * 2 + (csr->targets[e] >> 9)]++;
    for (int q = 0; q < 4; q++) /* 5 standard deviations are 0.004 */
        assert_true(fabs(quarter[q] / 400000 - 0.1 * (q + 1)) < 0.004);
    fr_graph_free(graph);
}

/* Ids modulo n: the LiveJournal-like graph in small. */
static void rmat_modulo(void **state) {
    fr_graph *graph = test_generated(*state, "rmat:scale=13,n=4847,edges=72000,seed=5", 0);
    const fr_csr *csr = fr_graph_csr(graph);
    assert_int_equal(csr->n, 4847);
    assert_int_equal(csr->m, 72000);
    fr_graph_free(graph);
    graph = test_generated(*state, "rmat:n=5000,directed=0", 0);
    assert_true(fr_graph_csr(graph)->symmetric);
    assert_int_equal(fr_graph_csr(graph)->n, 5000);
    fr_graph_free(graph);
}

/* Degrees of G(n, m) are nearly Poisson: the variance is the mean, 32; no vertex far off. */
static void uniform(void **state) {
    fr_graph *graph = test_generated(*state, "uniform:n=20000,edges=320000,seed=9", 0);
    const fr_csr *csr = fr_graph_csr(graph);
    assert_int_equal(csr->m + loops(csr), 640000);
    assert_in_range(loops(csr), 2, 40); /* 16 expected */
    assert_true(fabs(variance(csr) - 32) < 2);
    assert_in_range(max_degree_of(csr), 45, 70);
    fr_graph_free(graph);
    graph = test_made(*state, "uniform:n=20000,edges=320000,seed=9",
                      (fr_load_options){.direction = FR_DIRECTION_DIRECTED});
    assert_int_equal(fr_graph_csr(graph)->m, 320000);
    fr_graph_free(graph);
    graph = test_generated(*state, "uniform:n=1000,edges=0", 0);
    assert_int_equal(fr_graph_csr(graph)->m, 0);
    fr_graph_free(graph);
}

/* 499,000 edges kept with 0.7: 5 standard deviations are 1,620. */
static void removed_edges(void **state) {
    fr_graph *graph = test_generated(*state, "grid2d:rows=500,cols=500,keep=0.7,seed=4", 0);
    assert_true(llabs(fr_graph_csr(graph)->m / 2 - 349300) < 1620);
    fr_graph_free(graph);
    graph = test_generated(*state, "grid3d:x=50,y=50,z=50,keep=0.5,seed=4", 0);
    assert_true(llabs(fr_graph_csr(graph)->m / 2 - 183750) < 1520);
    fr_graph_free(graph);
}

/* A fraction p of the edges is rewired; a rewired edge lands next to v with probability k/n. */
static void small_world(void **state) {
    fr_graph *graph = test_generated(*state, "small-world:n=20000,k=10,p=0.3,seed=2", 0);
    const fr_csr *csr = fr_graph_csr(graph);
    int64_t far = 0;
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t gap = abs(csr->targets[e] - u);
            far += (gap < csr->n - gap ? gap : csr->n - gap) > 5;
        }
    assert_int_equal(csr->m, 200000);
    assert_int_equal(loops(csr), 0);
    assert_true(fabs((double)far / 200000 - 0.3) < 0.008);
    fr_graph_free(graph);
}

static void scale_free(void **state) {
    fr_graph *graph = test_generated(*state, "scale-free:n=100007,seed=6", 0);
    const fr_csr *csr = fr_graph_csr(graph);
    int64_t hubs = 0, rest = 0, sum = 0, twice = 0;
    int32_t first = -1, second = -1;
    for (int32_t v = 0; v < csr->n; v++) {
        int64_t own = 0;
        for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++)
            own += csr->targets[e] == v;
        int64_t d = degree(csr, v) + own; /* a loop counts twice */
        twice += d;
        if (d > 7) {
            assert_int_equal(d, 1000);
            hubs++;
            second = first < 0 || second >= 0 ? second : v % 1000;
            first = first < 0 ? v % 1000 : first;
            continue;
        }
        assert_true(d >= 5);
        rest++;
        sum += d;
    }
    assert_int_equal(hubs, 100);
    assert_int_equal(sum, 6 * rest);
    assert_int_equal(twice, 2 * (csr->m + loops(csr)) / 2);
    assert_true(first != second); /* hubs have no pattern */
    fr_graph_free(graph);
}

/* Growing: edges go to older vertices, everybody but the first has one, and more fire burns more.
 * BFS-4K's Table 1 has 7.3 edges a vertex for these probabilities and 10^6 vertices. */
static void forest_fire(void **state) {
    fr_graph *graph = test_generated(*state, "forest-fire:n=20000,f=0.35,b=0.32,seed=1", 0);
    const fr_csr *csr = fr_graph_csr(graph);
    assert_false(csr->symmetric);
    for (int32_t v = 0; v < csr->n; v++) {
        assert_true(v == 0 || degree(csr, v) > 0);
        for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++) {
            assert_true(csr->targets[e] < v);
            assert_true(e == csr->offsets[v] || csr->targets[e - 1] < csr->targets[e]);
        }
    }
    double mean = (double)csr->m / csr->n;
    print_message("forest fire: %.2f edges a vertex\n", mean);
    assert_true(mean > 2.5 && mean < 12);
    fr_graph_free(graph);
    graph = test_generated(*state, "forest-fire:n=2000,f=0,b=0", 0); /* a random recursive tree */
    assert_int_equal(fr_graph_csr(graph)->m, 1999);
    fr_graph_free(graph);
}

/* Against all pairs, with the points drawn as the generator draws them; mean degree inside. */
static void geometric(void **state) {
    fr_graph *graph = test_generated(*state, "random-geometric:n=20000,degree=12,seed=8", 0);
    double mean = (double)fr_graph_csr(graph)->m / 20000;
    assert_true(mean > 11.5 && mean < 12.2); /* the border has about 2 % */
    assert_int_equal(loops(fr_graph_csr(graph)), 0);
    fr_graph_free(graph);
    const int n = 1500;
    const double radius = 0.07;
    static double x[1500], y[1500];
    for (int i = 0; i < n; i++) {
        x[i] = fri_random_unit(fri_random(8, 2 * (uint64_t)i));
        y[i] = fri_random_unit(fri_random(8, 2 * (uint64_t)i + 1));
    }
    int64_t pairs = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            pairs += i != j && hypot(x[i] - x[j], y[i] - y[j]) <= radius;
    graph = test_generated(*state, "random-geometric:n=1500,radius=0.07,seed=8", 0);
    assert_int_equal(fr_graph_csr(graph)->m, pairs);
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(shapes), TEST(neighbors), TEST(kronecker), TEST(rmat_quarters), TEST(rmat_modulo),
             TEST(uniform), TEST(removed_edges), TEST(small_world), TEST(scale_free),
             TEST(forest_fire), TEST(geometric))
