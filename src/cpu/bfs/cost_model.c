#include "cpu/bfs/cost_model.h"

#include <math.h>

/* Costs on one core, in nanoseconds. Fitted on two cores of an EPYC 9005 with the graphs of
 * bench/compare_peers.py and `--explain`; only their ratios matter. */
static const struct {
    double barrier;      /* per thread: the barriers of a level while all threads run */
    double wake;         /* waking threads that sleep */
    double vertex;       /* reading a frontier vertex's row bounds */
    double serial_edge;  /* an edge, one thread, prefetched */
    double serial_new;   /* a vertex that it finds */
    double claim_edge;   /* an edge, all threads, to a queue */
    double claim_new;    /* a vertex that it finds: an atomic */
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
    double find_vertex; /* finding a hub parent: a vertex, an edge of its row */
    double find_edge;
    double transpose_vertex; /* making the in-edges: a vertex, an edge */
    double transpose_edge;
    double compare_vertex; /* comparing both directions: a vertex, an edge */
    double compare_edge;
} cost = {
    .barrier = 400,
    .wake = 30000,
    .vertex = 3,
    .serial_edge = 1.5,
    .serial_new = 10,
    .claim_edge = 2,
    .claim_new = 20,
    .mark_edge = 2.5,
    .merge_word = 0.5,
    .merge_sparse = 20,
    .merge_new = 3,
    .pull_word = 0.5,
    .pull_vertex = 9,
    .hub_vertex = 1.8,
    .pull_edge = 1.8,
    .hub_gain = 2,
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

fri_bfs_level_costs fri_bfs_level_costs_of(const fri_bfs_policy_input *f) {
    double vertices = cost.vertex * (double)f->vertices, edges = (double)f->edges;
    double found = found_of(f);
    return (fri_bfs_level_costs){
        .serial = vertices + edges * cost.serial_edge + found * cost.serial_new,
        .shared = (vertices + edges * cost.claim_edge + found * cost.claim_new) / f->threads};
}

static double bitmap_ns(const fri_bfs_policy_input *f) {
    double found = found_of(f), words = (double)f->words;
    return cost.vertex * (double)f->vertices + cost.mark_edge * (double)f->edges +
           cost.merge_word * words + cost.merge_sparse * (found < words ? found : words) +
           cost.merge_new * found;
}

void fri_bfs_expected_ns(const fri_bfs_policy_input *f, double ns[FRI_METHOD_COUNT]) {
    fri_bfs_level_costs level = fri_bfs_level_costs_of(f);
    double threads = f->threads, convert = (double)f->words * cost.pull_word / threads;
    double start =
        fri_bfs_barriers_ns(f->threads) + (f->threads == 1 || f->team_is_up ? 0 : cost.wake);
    ns[FRI_METHOD_SERIAL] = level.serial;
    ns[FRI_METHOD_QUEUE] = start + level.shared;
    ns[FRI_METHOD_BITMAP] = start + bitmap_ns(f) / threads;
    ns[FRI_METHOD_PULL] = f->in_edges ? start + pull_ns(f) / threads : INFINITY;
    if (f->is_bitmap) {
        ns[FRI_METHOD_SERIAL] += convert;
        ns[FRI_METHOD_QUEUE] += convert;
    }
}

fri_bfs_method fri_bfs_choose(const fri_bfs_policy_input *f) {
    double ns[FRI_METHOD_COUNT];
    fri_bfs_expected_ns(f, ns);
    fri_bfs_method best = FRI_METHOD_SERIAL;
    for (int method = 1; method < FRI_METHOD_COUNT; method++)
        if (ns[method] < ns[best])
            best = (fri_bfs_method)method;
    return best;
}

static double min_ns(const fri_bfs_policy_input *f) {
    double ns[FRI_METHOD_COUNT];
    fri_bfs_expected_ns(f, ns);
    double best = ns[0];
    for (int method = 1; method < FRI_METHOD_COUNT; method++)
        best = ns[method] < best ? ns[method] : best;
    return best;
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
                                  .team_is_up = true,
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

/* Where a serial level takes as long as the barriers of a shared one, if all its edges lead to new
 * vertices. */
int64_t fri_bfs_serial_edges(int threads) {
    if (threads == 1)
        return 4096;
    return (int64_t)(fri_bfs_barriers_ns(threads) / (cost.serial_edge + cost.serial_new));
}

double fri_bfs_barriers_ns(int threads) { return threads == 1 ? 0 : cost.barrier * threads; }
double fri_bfs_wake_ns(void) { return cost.wake; }
