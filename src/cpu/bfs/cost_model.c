#include "cpu/bfs/cost_model.h"

/* Costs on one core, in nanoseconds. Fitted on two cores of an EPYC 9005 with the graphs of
 * bench/compare_cpu.py and `--explain`; only their ratios matter. */
static const struct {
    double barrier;     /* per thread: the barriers of a level while all threads run */
    double wake;        /* waking threads that sleep */
    double vertex;      /* reading a frontier vertex's row bounds */
    double serial_edge; /* an edge, one thread, prefetched */
    double claim_edge;  /* an edge, with an atomic for each new vertex */
    double mark_edge;   /* an edge, into the thread's own bitmap */
    double merge_word;  /* a word of one thread's bitmap */
    double pull_word;   /* a word of the visited bitmap */
    double pull_vertex; /* an unvisited vertex whose row is read */
    double head_vertex; /* an unvisited vertex whose likely parent is tested */
    double pull_edge;   /* an edge examined bottom-up */
    double head_gain;   /* probability that a head is in the frontier / that of any in-neighbor */
    double find_vertex; /* finding a head: a vertex, an edge of its row */
    double find_edge;
} cost = {
    .barrier = 400,
    .wake = 30000,
    .vertex = 3,
    .serial_edge = 2.5,
    .claim_edge = 3,
    .mark_edge = 2,
    .merge_word = 0.5,
    .pull_word = 0.5,
    .pull_vertex = 6,
    .head_vertex = 1.2,
    .pull_edge = 1.2,
    .head_gain = 2,
    .find_vertex = 5,
    .find_edge = 0.6,
};

/* Unvisited vertices scan their in-edges until one leads to the frontier. If a fraction p of the
 * unexplored edges leaves the frontier, that takes 1 / p edges, and at most the whole row. */
static double pull_ns(const fri_bfs_policy_input *f) {
    double left = (double)f->left_vertices;
    double p = f->left_edges > 0 ? (double)f->edges / (double)f->left_edges : 1;
    p = p > 1 ? 1 : p;
    double row = left > 0 ? (double)(f->left_edges - f->edges) / left : 0;
    double looks = p * row > 1 ? 1 / p : row;
    double rows = left, ns = cost.pull_word * (double)f->words;
    if (f->hub_parents) {
        double hit = cost.head_gain * p;
        ns += cost.head_vertex * left;
        rows *= hit > 0.9 ? 0.1 : 1 - hit;
    }
    return ns + rows * (cost.pull_vertex + cost.pull_edge * looks);
}

void fri_bfs_expected_ns(const fri_bfs_policy_input *f, double ns[FRI_METHOD_COUNT]) {
    double threads = f->threads, words = (double)f->words;
    double start = fri_bfs_barriers_ns(f->threads) + (f->threads == 1 || f->awake ? 0 : cost.wake);
    double vertices = cost.vertex * (double)f->vertices, edges = (double)f->edges;
    double convert = words * cost.pull_word;
    ns[FRI_METHOD_SERIAL] = vertices + edges * cost.serial_edge;
    ns[FRI_METHOD_QUEUE] = start + (vertices + edges * cost.claim_edge) / threads;
    ns[FRI_METHOD_BITMAP] =
        start + (vertices + edges * cost.mark_edge) / threads + words * cost.merge_word;
    ns[FRI_METHOD_PULL] = start + pull_ns(f) / threads;
    if (f->is_bitmap) {
        ns[FRI_METHOD_SERIAL] += convert / threads;
        ns[FRI_METHOD_QUEUE] += convert / threads;
    }
}

fri_bfs_level_costs fri_bfs_level_costs_of(const fri_bfs_policy_input *f) {
    double vertices = cost.vertex * (double)f->vertices, edges = (double)f->edges;
    return (fri_bfs_level_costs){.serial = vertices + edges * cost.serial_edge,
                                 .shared = (vertices + edges * cost.claim_edge) / f->threads};
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

static double least_ns(const fri_bfs_policy_input *f) {
    double ns[FRI_METHOD_COUNT];
    fri_bfs_expected_ns(f, ns);
    double least = ns[0];
    for (int method = 1; method < FRI_METHOD_COUNT; method++)
        least = ns[method] < least ? ns[method] : least;
    return least;
}

double fri_bfs_hub_saving_ns(const fri_bfs_policy_input *f) {
    fri_bfs_policy_input with = *f, without = *f;
    with.hub_parents = true;
    without.hub_parents = false;
    double saving = least_ns(&without) - least_ns(&with);
    return saving > 0 ? saving : 0;
}

double fri_bfs_hub_cost_ns(int64_t n, int64_t m, int threads) {
    return (cost.find_vertex * (double)n + cost.find_edge * (double)m) / threads;
}

/* One large level: a quarter of the edges leaves its frontier. */
double fri_bfs_first_hub_saving_ns(int64_t n, int64_t m, int threads) {
    fri_bfs_policy_input f = {.threads = threads,
                              .awake = true,
                              .is_bitmap = true,
                              .words = n / 64 + 1,
                              .vertices = n / 16,
                              .edges = m / 4,
                              .left_vertices = n,
                              .left_edges = m};
    return fri_bfs_hub_saving_ns(&f);
}

/* Where a serial level takes as long as a shared one: x = barriers + x / threads, in which a shared
 * edge costs more than a serial one. */
int64_t fri_bfs_serial_edges(int threads) {
    if (threads == 1)
        return 4096;
    double part = cost.claim_edge / cost.serial_edge / threads;
    return (int64_t)(fri_bfs_barriers_ns(threads) / (1 - part) / cost.serial_edge);
}

double fri_bfs_barriers_ns(int threads) { return threads == 1 ? 0 : cost.barrier * threads; }
double fri_bfs_wake_ns(void) { return cost.wake; }
