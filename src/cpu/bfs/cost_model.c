#include "cpu/bfs/cost_model.h"

#include <limits.h>
#include <math.h>

/* Costs on one core, in nanoseconds. Fitted on two cores of an EPYC 9005 with the graphs of
 * bench/compare_peers.py and `--explain`; only their ratios matter. */
static const struct {
    double vertex;       /* reading a frontier vertex's row bounds */
    double serial_edge;  /* an edge, one thread, prefetched */
    double serial_new;   /* a vertex that it finds */
    double claim_edge;   /* an edge, all threads, to a queue */
    double claim_new;    /* a vertex that it finds: an atomic */
    double contention;   /* of claims in each other's caches, on several threads: a factor */
    double mark_edge;    /* an edge, into the thread's own bitmap */
    double merge_word;   /* a word of the merged bitmap: it is cleared, and listed */
    double merge_sparse; /* a word of it that holds vertices: offsets and levels of its lines */
    double merge_new;    /* a vertex of it */
    double pull_word;    /* a word of the visited bitmap */
    double pull_vertex;  /* an unvisited vertex whose row is read */
    double hub_vertex;   /* an unvisited vertex whose hub parent is tested */
    double pull_edge;    /* an edge examined bottom-up */
    double
        hub_gain; /* probability that a hub parent is in the frontier / that of any in-neighbor */
    double lower_vertex; /* in a window of levels: a vertex and its levels' compare-and-swap */
    double lower_edge;
    double window_vertex; /* beginning and ending windows: a vertex */
    double find_vertex;   /* finding a hub parent: a vertex, an edge of its row */
    double find_edge;
    double transpose_vertex; /* making the in-edges: a vertex, an edge */
    double transpose_edge;
    double compare_vertex; /* comparing both directions: a vertex, an edge */
    double compare_edge;
} cost = {
    .vertex = 3,
    .serial_edge = 1.5,
    .serial_new = 10,
    .claim_edge = 2,
    .claim_new = 20,
    .contention = 1.25,
    .mark_edge = 2.5,
    .merge_word = 0.5,
    .merge_sparse = 20,
    .merge_new = 3,
    .pull_word = 0.5,
    .pull_vertex = 9,
    .hub_vertex = 1.8,
    .pull_edge = 1.8,
    .hub_gain = 2,
    .lower_vertex = 30,
    .lower_edge = 2,
    .window_vertex = 1,
    .find_vertex = 5,
    .find_edge = 0.6,
    .transpose_vertex = 8,
    .transpose_edge = 8,
    .compare_vertex = 8,
    .compare_edge = 3,
};

/* Unvisited vertices scan their in-edges until one leads to the frontier. If a fraction p of the
 * unexplored edges leaves the frontier, that takes 1 / p edges, and at most the whole row. */
static double pull_ns(const fri_bfs_policy_input *f) {
    double left = (double)f->left_vertices;
    double p = f->left_edges > 0 ? (double)f->edges / (double)f->left_edges : 1;
    p = p > 1 ? 1 : p;
    double row = left > 0 ? (double)(f->left_edges - f->edges) / left : 0;
    double examined = p * row > 1 ? 1 / p : row;
    double rows = left, ns = cost.pull_word * (double)f->words;
    if (f->hub_parents) {
        double hit = cost.hub_gain * p;
        ns += cost.hub_vertex * left;
        rows *= hit > 0.9 ? 0.1 : 1 - hit;
    }
    return ns + rows * (cost.pull_vertex + cost.pull_edge * examined);
}

/* Vertices that the level finds top-down: as many per edge as the level before it. */
static double found_of(const fri_bfs_policy_input *f) {
    double found = (double)f->edges * f->new_share, left = (double)f->left_vertices;
    return found < left ? found : left;
}

fri_work fri_bfs_level_work(const fri_bfs_policy_input *f) {
    double vertices = cost.vertex * (double)f->vertices, edges = (double)f->edges;
    double found = found_of(f);
    return (fri_work){.alone = vertices + edges * cost.serial_edge + found * cost.serial_new,
                      .shared = cost.contention *
                                (vertices + edges * cost.claim_edge + found * cost.claim_new)};
}

static double bitmap_ns(const fri_bfs_policy_input *f) {
    double found = found_of(f), words = (double)f->words;
    return cost.vertex * (double)f->vertices + cost.mark_edge * (double)f->edges +
           cost.merge_word * words + cost.merge_sparse * (found < words ? found : words) +
           cost.merge_new * found;
}

/* A method whose members share the work. */
static fri_bfs_plan shared_plan(const fri_bfs_policy_input *f, const fri_share *share, double ns) {
    fri_bfs_plan plan = {share->scale * ns, 1};
    if (f->threads == 1)
        return plan;
    plan.ns = fri_share_least_ns(share, ns, f->threads, &plan.threads);
    plan.ns += share->largest < plan.threads ? fri_share_wake_ns(plan.threads) : 0;
    return plan;
}

void fri_bfs_plans(const fri_bfs_policy_input *f, fri_bfs_plan plan[FRI_METHOD_COUNT]) {
    static const fri_share fitted = {.scale = 1, .shared_scale = 1, .largest = INT_MAX};
    const fri_share *share = f->share ? f->share : &fitted;
    const fri_work level = fri_bfs_level_work(f);
    plan[FRI_METHOD_SERIAL] = (fri_bfs_plan){share->scale * level.alone, 1};
    plan[FRI_METHOD_QUEUE] = shared_plan(f, share, level.shared / cost.contention);
    plan[FRI_METHOD_BITMAP] = shared_plan(f, share, bitmap_ns(f));
    /* without claims, whose contention the other scale has learned; one thread has no other */
    const double scale = f->threads == 1 ? 1 : share->scale / share->shared_scale;
    plan[FRI_METHOD_PULL] =
        f->in_edges ? shared_plan(f, share, scale * pull_ns(f)) : (fri_bfs_plan){INFINITY, 1};
    const double convert = (double)f->words * cost.pull_word / f->threads;
    for (int method = 0; f->is_bitmap && method <= FRI_METHOD_QUEUE; method++)
        plan[method].ns += convert;
}

fri_work fri_bfs_window_work(int64_t vertices, double degree) {
    const double alone = cost.vertex + cost.serial_new + cost.serial_edge * degree;
    const double shared = cost.lower_vertex + cost.lower_edge * degree;
    return (fri_work){alone * (double)vertices, shared * (double)vertices};
}

/* In h levels a member comes by detours into the parts of its neighbors: by h^2 / 2 vertices at most in a mesh, an eighth
 * of that on 16 cores (roads, lattices, 4 to 64 levels). So h is where that takes half as long as the calls of the
 * members. Frontiers neither grow nor shrink much. */
fri_bfs_window fri_bfs_plan_window(const fri_share *share, int64_t vertices, double degree,
                                   int most) {
    enum { MOST_LEVELS = 64, ALONE = 16, LEAST = 8 /* vertices of a member */ };
    const fri_work one = fri_bfs_window_work(1, degree);
    const double count = (double)vertices;
    fri_share_choice choice = fri_share_first(share->scale * one.alone * count, 1);
    fri_bfs_window best = {choice.ns, 1, ALONE};
    most = (int)FRI_MIN(vertices / LEAST, most);
    for (int k = 2; k < 2 * most; k *= 2) {
        const int threads = FRI_MIN(k, most);
        const double h =
            ceil(sqrt(4 * fri_share_fitted_ns(threads) / (share->shared_scale * one.shared)));
        const double ns =
            (fri_share_ns(share, one.shared * (count * h + h * h * threads / 16), threads)) / h;
        fri_share_try(share, &choice, threads, ns, 1);
        if (choice.threads == threads)
            best = (fri_bfs_window){ns, threads, FRI_MIN((int)h, MOST_LEVELS)};
    }
    return best;
}

double fri_bfs_windows_ns(int64_t n, int threads) {
    return cost.window_vertex * (double)n / threads;
}

fri_bfs_method fri_bfs_cheapest(const fri_bfs_plan plan[FRI_METHOD_COUNT]) {
    fri_bfs_method best = FRI_METHOD_SERIAL;
    for (int method = 1; method < FRI_METHOD_COUNT; method++)
        if (plan[method].ns < plan[best].ns)
            best = (fri_bfs_method)method;
    return best;
}

fri_bfs_method fri_bfs_choose(const fri_bfs_policy_input *f) {
    fri_bfs_plan plan[FRI_METHOD_COUNT];
    fri_bfs_plans(f, plan);
    return fri_bfs_cheapest(plan);
}

static double min_ns(const fri_bfs_policy_input *f) {
    fri_bfs_plan plan[FRI_METHOD_COUNT];
    fri_bfs_plans(f, plan);
    return plan[fri_bfs_cheapest(plan)].ns;
}

double fri_bfs_hub_saving_ns(const fri_bfs_policy_input *f) {
    fri_bfs_policy_input with = *f, without = *f;
    with.in_edges = without.in_edges = true;
    with.hub_parents = true;
    without.hub_parents = false;
    double saving = min_ns(&without) - min_ns(&with);
    return saving > 0 ? saving : 0;
}

double fri_bfs_hub_cost_ns(int64_t n, int64_t m, int threads) {
    return (cost.find_vertex * (double)n + cost.find_edge * (double)m) / threads;
}

double fri_bfs_in_edges_saving_ns(const fri_bfs_policy_input *f) {
    fri_bfs_policy_input with = *f, without = *f;
    with.in_edges = true;
    without.in_edges = false;
    return min_ns(&without) - min_ns(&with); /* not negative: one method more */
}

double fri_bfs_comparison_cost_ns(int64_t n, int64_t m, int threads) {
    return (cost.compare_vertex * (double)n + cost.compare_edge * (double)m) / threads;
}

double fri_bfs_in_edges_cost_ns(int64_t n, int64_t m, int threads) {
    /* memory and page faults limit it: 246 ms for 71 million edges on 16 cores */
    enum { SPEEDUP = 4 };
    double ns = cost.transpose_vertex * (double)n + cost.transpose_edge * (double)m;
    return ns / (threads < SPEEDUP ? threads : SPEEDUP);
}

/* One large level: half of the edges leave its frontier, and half of the vertices are left. */
static fri_bfs_policy_input large_level(int64_t n, int64_t m, int threads) {
    return (fri_bfs_policy_input){.threads = threads,
                                  .is_bitmap = true,
                                  .in_edges = true,
                                  .words = n / 64 + 1,
                                  .new_share = 1,
                                  .vertices = n / 8,
                                  .edges = m / 2,
                                  .left_vertices = n / 2,
                                  .left_edges = m - m / 4};
}

double fri_bfs_first_in_edges_saving_ns(int64_t n, int64_t m, int threads) {
    fri_bfs_policy_input f = large_level(n, m, threads);
    return fri_bfs_in_edges_saving_ns(&f);
}

double fri_bfs_first_hub_saving_ns(int64_t n, int64_t m, int threads) {
    fri_bfs_policy_input f = large_level(n, m, threads);
    return fri_bfs_hub_saving_ns(&f);
}

/* Where half of a serial level takes as long as two threads cost, if all its edges lead to new vertices. */
int64_t fri_bfs_serial_edges(int threads) {
    if (threads == 1)
        return 4096;
    return (int64_t)(2 * fri_share_fitted_ns(2) / (cost.serial_edge + cost.serial_new));
}
