/* The plain bucket queue on one core: a textbook program as a baseline of the SSSP strategies.
 *
 *   bench_dial GRAPH SOURCE...   a line "SOURCE SECONDS" each: the median of three runs, checked
 *
 * Source: R. B. Dial: Algorithm 360: shortest-path forest with topological ordering, CACM 12(11),
 *   1969. One bucket per distance, modulo the maximum weight plus one; an entry whose distance
 *   has been lowered since is skipped. int32 weights, not negative.
 */
#include "turns.h"

enum { RUNS = 3 };

typedef struct {
    int32_t *v;
    int32_t count, capacity;
} bucket;

typedef struct {
    const fr_csr *csr;
    int32_t *dist, *parent;
    bucket *ring;
    int32_t size; /* buckets in the ring */
    int64_t queued;
} dial;

static void put(dial *q, int32_t v, int32_t dist) {
    bucket *b = &q->ring[dist % q->size];
    if (b->count == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 64;
        b->v = realloc(b->v, (size_t)b->capacity * sizeof *b->v);
        if (!b->v)
            abort();
    }
    b->v[b->count++] = v;
    q->queued++;
}

static void relax_row(dial *q, int32_t u, int32_t at) {
    const fr_csr *csr = q->csr;
    const int32_t *weights = csr->weights;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int32_t v = csr->targets[e];
        if (q->dist[v] - at <= weights[e])
            continue;
        q->dist[v] = at + weights[e];
        q->parent[v] = u;
        put(q, v, q->dist[v]);
    }
}

static void traverse(dial *q, int32_t source) {
    for (int32_t v = 0; v < q->csr->n; v++) {
        q->dist[v] = FR_INF_I32;
        q->parent[v] = -1;
    }
    q->dist[source] = 0;
    q->parent[source] = source;
    put(q, source, 0);
    for (int32_t at = 0; q->queued; at++) {
        bucket *b = &q->ring[at % q->size];
        while (b->count) {
            int32_t u = b->v[--b->count];
            q->queued--;
            if (q->dist[u] == at)
                relax_row(q, u, at);
        }
    }
}

typedef struct {
    dial *q;
    int32_t source;
} query;

static double timed(void *what, int round) {
    const query *one = what;
    const double begin = now_ms();
    (void)round;
    traverse(one->q, one->source);
    return 1e-3 * (now_ms() - begin);
}

static void time_source(fr_ctx *ctx, const fr_graph *graph, dial *q, int32_t source) {
    turn t = {.run = timed, .what = &(query){q, source}};
    fr_query checked = {.sources = &source, .source_count = 1};
    take_turns(&t, 1, RUNS, 0);
    need(ctx, fr_verify_sssp(ctx, graph, &checked, false, q->dist, FR_TYPE_I32, q->parent));
    printf("%lld %.9f\n", (long long)fr_graph_id(graph, source), median(t.values, RUNS));
    turns_free(&t, 1);
}

int main(int argc, char **argv) {
    fr_graph_stats stats = {0};
    if (argc < 3) {
        fputs("usage: bench_dial GRAPH SOURCE...\n", stderr);
        return 2;
    }
    fr_ctx *ctx = open_threads(0);
    fr_graph *graph = open_graph(ctx, argv[1], NULL);
    need(ctx, fr_graph_compute_stats(ctx, graph, &stats));
    dial q = {.csr = fr_graph_csr(graph), .size = (int32_t)stats.weight_max + 1};
    if (q.csr->weight_type != FR_TYPE_I32 || stats.weight_min < 0)
        give_up("the weights must be int32 and not negative");
    q.dist = need_memory((size_t)q.csr->n * sizeof *q.dist);
    q.parent = need_memory((size_t)q.csr->n * sizeof *q.parent);
    q.ring = need_memory((size_t)q.size * sizeof *q.ring);
    for (int i = 2; i < argc; i++)
        time_source(ctx, graph, &q, fr_graph_vertex(graph, atoll(argv[i])));
    for (int32_t i = 0; i < q.size; i++)
        free(q.ring[i].v);
    free(q.ring);
    free(q.dist);
    free(q.parent);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return 0;
}
