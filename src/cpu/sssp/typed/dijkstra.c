/* Dijkstra's algorithm with a 4-ary heap that stores the position of each vertex: the oracle.
 *
 * Source: E. W. Dijkstra: A note on two problems in connexion with graphs, Numerische Mathematik
 *   1, 1959; the d-ary heap: D. B. Johnson: Efficient algorithms for shortest paths in sparse
 *   networks, JACM 24(1), 1977.
 * Idea: the nearest vertex that is not settled leaves the heap and relaxes its edges; a decrease of
 *   a distance moves its vertex up. A node has four children, in one cache line for int32.
 * Differs: sources are merged; the search ends when all targets are settled and no nearer vertex is
 *   left, or at the distance limit.
 * Scratch: a heap of n (distance, vertex) and n positions.
 * Work: m sifts up, n sifts down of depth log4 n.
 * Good at: any non-negative weights, few vertices, near targets.
 * Bad at: large graphs, where every sift misses the cache.
 */
#include "cpu/sssp/typed/pair.h"

typedef dist_t heap_key;
#define HEAP_PLACES               int32_t
#define HEAP_MOVED(places, v, at) ((places)[v] = (int32_t)(at))
#include "cpu/heap.h"

typedef struct {
    heap_node *node;
    int32_t *place; /* [n] index of a vertex in the heap; -1: never entered, -2: settled */
    int32_t count;
} vertex_heap;

static void put(vertex_heap *h, dist_t key, int32_t v) {
    heap_sift_up(h->place, h->node, h->place[v] < 0 ? h->count++ : h->place[v], key, v);
}

static heap_node pop(vertex_heap *h) {
    heap_node top = heap_pop(h->place, h->node, --h->count);
    h->place[top.v] = -2;
    return top;
}

static void relax_row(fri_job *job, vertex_heap *h, heap_node from) {
    const fr_csr *csr = &job->csr;
    const weight_t *weights = csr->weights;
    dist_t *dist = job->out->dist;
    for (int64_t e = csr->offsets[from.v]; e < csr->offsets[from.v + 1]; e++) {
        int32_t v = csr->targets[e];
        dist_t sum = dist_sum(from.key, weights[e]);
        if (!dist_less(sum, dist[v]))
            continue;
        dist[v] = sum;
        if (job->out->parent)
            job->out->parent[v] = from.v;
        job->out->stats.relaxations++;
        put(h, sum, v);
    }
    job->out->stats.edges_examined += csr->offsets[from.v + 1] - csr->offsets[from.v];
}

static void start(fri_job *job, vertex_heap *h) {
    dist_t *dist = job->out->dist;
    for (int32_t v = 0; v < job->csr.n; v++) {
        dist[v] = DIST_INF;
        h->place[v] = -1;
        if (job->out->parent)
            job->out->parent[v] = -1;
    }
    for (int64_t i = 0; i < job->in->query.source_count; i++) {
        int32_t s = job->in->query.sources[i];
        if (dist[s] == 0)
            continue;
        dist[s] = 0;
        if (job->out->parent)
            job->out->parent[s] = s;
        put(h, 0, s);
    }
}

FRI_SSSP_FUNCTION(fr_status, fri_sssp_dijkstra_run, (fri_job * job), (job)) {
    char *scratch = job->scratch;
    vertex_heap heap = {.node = fri_carve(&scratch, fri_bytes(job->csr.n, sizeof *heap.node))};
    heap.place = fri_carve(&scratch, fri_bytes(job->csr.n, sizeof *heap.place));
    start(job, &heap);
    limit_t limit = query_limit(job);
    int64_t targets_left = job->target_count, settled = 0;
    enum { HEAP_WORK = 16 }; /* cost of a pop, in edges */
    fri_pace pace = fri_pace_begin(job->ctx, "traversing", job->csr.n);
    dist_t last_target = DIST_INF; /* once all targets are settled: distance of the farthest */
    while (heap.count && heap.node[0].key <= last_target && (limit_t)heap.node[0].key <= limit) {
        heap_node top = pop(&heap);
        int64_t degree = job->csr.offsets[top.v + 1] - job->csr.offsets[top.v];
        if (fri_pace_stop(&pace, degree + HEAP_WORK, settled++))
            return pace.status;
        if (job->target_map && fri_bit_get(job->target_map, top.v) && --targets_left == 0)
            last_target = top.key;
        relax_row(job, &heap, top);
    }
    job->out->stats.levels = (int32_t)FRI_MIN(settled, INT32_MAX);
    return fri_sssp_finish(job, job->scratch);
}

#ifdef FRI_ONCE

/* {key, vertex} of the widest pair, padded. */
static size_t node_bytes(const fri_job *job) { return 2 * fr_type_size(job->in->dist_type); }

static size_t scratch(const fri_job *job) {
    return fri_align_line(fri_bytes(job->csr.n, node_bytes(job))) +
           fri_align_line(fri_bytes(job->csr.n, sizeof(int32_t)));
}

const fri_strategy fri_sssp_dijkstra = {
    .name = "dijkstra",
    .source = "Dijkstra, Numerische Mathematik 1, 1959; Johnson, JACM 24(1), 1977",
    .text = "4-ary heap with positions on one thread: the oracle",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_NON_NEGATIVE | FRI_NEEDS_WEIGHTS,
    .scratch = scratch,
    .run = fri_sssp_dijkstra_run,
};

#endif
