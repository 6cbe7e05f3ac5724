/* Forest fire graphs: each new vertex links to a random vertex and to those that a fire from there
 * burns.
 *
 * Source: J. Leskovec, J. Kleinberg, C. Faloutsos: Graph evolution: densification and shrinking
 *   diameters, ACM TKDD 1(1), 2007, section 4.2. f and b are the forward and backward burning
 *   probabilities as in SNAP's forestFire (BFS-4K used f 0.35, b 0.32).
 * Idea: from each burning vertex the fire burns a geometric number, of mean f/(1-f), of its
 *   out-neighbors and, of mean b/(1-b), of its in-neighbors that have not burned yet, drawn
 *   uniformly. Few neighbors of a long list are drawn by rejection, so that a hub costs as much as
 *   it burns, not its degree.
 * Scratch: 40 bytes per vertex, up to 16 per edge (in-lists double in a common pool). Work: about
 *   the number of vertices burned.
 * Bad at: several cores. A vertex's fire depends on all earlier ones, so this generator is serial.
 */
#include "gen/generator.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

typedef struct {
    fri_gen_args *args;
    uint64_t seed, draws; /* numbers drawn so far */
    double f, b;
    int64_t n, edges, capacity;
    int32_t *ends; /* [capacity] source, target, source, ... */
    int64_t pooled, pool_capacity;
    int32_t *pool; /* [pool_capacity] the in-lists, each with capacity for 2^k sources */
    int64_t *first_out, *first_in; /* [n+1] into ends: a vertex's edges are consecutive; [n] into
                                      pool */
    int32_t *in_degree;            /* [n] */
    int32_t *burned;               /* [n] the last fire that burned the vertex */
    int32_t *queue, *unburned;     /* [n] burning vertices; candidates around one */
} fire;

/* Grows *array to at least `needed` elements and keeps the first `used`. */
static fr_status grow(fire *w, int32_t **array, int64_t used, int64_t needed, int64_t *capacity) {
    if (needed <= *capacity)
        return FR_OK;
    int64_t more = FRI_MAX(2 * *capacity, needed + 4 * w->n + 1024);
    int32_t *grown = fri_alloc(w->args->ctx, fri_bytes(more, sizeof *grown));
    if (!grown)
        return FR_NOMEM;
    if (used)
        memcpy(grown, *array, (size_t)used * sizeof *grown);
    fri_free(*array);
    *array = grown;
    *capacity = more;
    return FR_OK;
}

static uint64_t draw(fire *w) { return fri_random(w->seed, w->draws++); }

/* Failures before the first success at probability 1 - p: mean p / (1 - p). */
static int64_t geometric(fire *w, double p) {
    if (p <= 0)
        return 0;
    double g = log1p(-fri_random_unit(draw(w))) / log(p);
    return g < (double)w->n ? (int64_t)g : w->n;
}

typedef struct {
    const int32_t *at;
    int64_t count, stride;
} list;

/* Marks u as burning in fire v; false if it is burning already. */
static bool ignite(fire *w, int32_t v, int32_t u, int64_t *tail) {
    if (w->burned[u] == v)
        return false;
    w->burned[u] = v;
    w->queue[(*tail)++] = u;
    return true;
}

/* Burns `wanted` vertices of the list that are not burning yet, drawn uniformly without
 * replacement. */
static void burn(fire *w, int32_t v, list from, int64_t wanted, int64_t *tail) {
    if (wanted < from.count / 4) /* rejection sampling, as long as it terminates quickly */
        for (int64_t tries = 4 * wanted + 8; wanted && tries; tries--) {
            int64_t i = (int64_t)fri_random_below(draw(w), (uint64_t)from.count);
            wanted -= ignite(w, v, from.at[i * from.stride], tail);
        }
    int64_t candidates = 0;
    for (int64_t i = 0; wanted && i < from.count; i++)
        if (w->burned[from.at[i * from.stride]] != v)
            w->unburned[candidates++] = from.at[i * from.stride];
    for (int64_t i = 0; i < wanted && i < candidates; i++) {
        int64_t j = i + (int64_t)fri_random_below(draw(w), (uint64_t)(candidates - i));
        int32_t u = w->unburned[j];
        w->unburned[j] = w->unburned[i];
        ignite(w, v, u, tail);
    }
}

static void burn_around(fire *w, int32_t v, int32_t at, int64_t *tail) {
    int64_t begin = w->first_out[at], end = w->first_out[at + 1];
    burn(w, v, (list){w->ends + 2 * begin + 1, end - begin, 2}, geometric(w, w->f), tail);
    if (w->in_degree[at])
        burn(w, v, (list){w->pool + w->first_in[at], w->in_degree[at], 1}, geometric(w, w->b),
             tail);
}

/* Appends v to u's in-list; a full list moves to a place of twice the capacity. */
static fr_status add_in(fire *w, int32_t u, int32_t v) {
    int64_t degree = w->in_degree[u];
    if ((degree & (degree - 1)) == 0) { /* 0 or a power of two: full */
        int64_t list_capacity = FRI_MAX(2 * degree, 1);
        fr_status status =
            grow(w, &w->pool, w->pooled, w->pooled + list_capacity, &w->pool_capacity);
        if (status)
            return status;
        if (degree)
            memcpy(w->pool + w->pooled, w->pool + w->first_in[u], (size_t)degree * sizeof v);
        w->first_in[u] = w->pooled;
        w->pooled += list_capacity;
    }
    w->pool[w->first_in[u] + degree] = v;
    w->in_degree[u]++;
    return FR_OK;
}

static fr_status link_to(fire *w, int32_t v, int64_t burning) {
    fr_status status = grow(w, &w->ends, 2 * w->edges, 2 * (w->edges + burning), &w->capacity);
    for (int64_t i = 0; !status && i < burning; i++) {
        w->ends[2 * w->edges] = v;
        w->ends[2 * w->edges + 1] = w->queue[i];
        w->edges++;
        status = add_in(w, w->queue[i], v);
    }
    w->first_out[v + 1] = w->edges;
    return status;
}

static fr_status burn_all(fire *w) {
    for (int32_t v = 1; v < w->n; v++) {
        int32_t ambassador = (int32_t)fri_random_below(draw(w), (uint64_t)v);
        w->burned[ambassador] = v;
        w->queue[0] = ambassador;
        int64_t tail = 1;
        for (int64_t head = 0; head < tail; head++)
            burn_around(w, v, w->queue[head], &tail);
        fr_status status = link_to(w, v, tail);
        if (!status && (v % 1024 == 0 || tail > 4096))
            status = fri_progress(w->args->ctx, "generating", v, w->n);
        if (status)
            return status;
    }
    return FR_OK;
}

/* Stores the edges as one block. */
static fr_status store_edges(fire *w) {
    fri_edge_list *edges = w->args->edges;
    edges->blocks = fri_calloc(w->args->ctx, sizeof *edges->blocks);
    if (!edges->blocks)
        return FR_NOMEM;
    fri_trim(w->ends, (size_t)w->edges * 2 * sizeof *w->ends);
    edges->block_count = 1;
    edges->blocks[0] = (fri_edge_block){w->edges, w->ends, NULL};
    w->ends = NULL;
    return FR_OK;
}

static fr_status allocate(fire *w) {
    fr_ctx *ctx = w->args->ctx;
    fr_status status = fri_gen_size(w->args, w->n, w->n - 1);
    if (!status)
        status = grow(w, &w->ends, 0, 1, &w->capacity);
    if (status)
        return status;
    bool all = (w->first_out = fri_calloc(ctx, fri_bytes(w->n + 1, sizeof *w->first_out))) &&
               (w->first_in = fri_alloc(ctx, fri_bytes(w->n, sizeof *w->first_in))) &&
               (w->in_degree = fri_calloc(ctx, fri_bytes(w->n, sizeof *w->in_degree))) &&
               (w->burned = fri_calloc(ctx, fri_bytes(w->n, sizeof *w->burned))) &&
               (w->queue = fri_alloc(ctx, fri_bytes(w->n, sizeof *w->queue))) &&
               (w->unburned = fri_alloc(ctx, fri_bytes(w->n, sizeof *w->unburned)));
    return all ? FR_OK : FR_NOMEM;
}

#define FOREST_FIRE(P)                                                                             \
    P(n, FRI_PARAM_INT, 100000, 1, 2147483647, "vertices")                                         \
    P(f, FRI_PARAM_REAL, 0.35, 0, 0.999, "forward burning probability")                            \
    P(b, FRI_PARAM_REAL, 0.32, 0, 0.999, "backward burning probability")                           \
    P(seed, FRI_PARAM_INT, 1, 0, 9e18, "of the random numbers")

static fr_status make(fri_gen_args *args) {
    enum { N, F, B, SEED };
    const fri_param_value *v = args->value;
    fire w = {.args = args,
              .seed = (uint64_t)v[SEED].whole,
              .f = v[F].real,
              .b = v[B].real,
              .n = v[N].whole};
    fr_status status = allocate(&w);
    if (!status)
        status = burn_all(&w);
    if (!status)
        status = store_edges(&w);
    void *scratch[] = {w.ends,      w.pool,   w.first_out, w.first_in,
                       w.in_degree, w.burned, w.queue,     w.unburned};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
        fri_free(scratch[i]);
    return status;
}

FRI_GENERATOR(fri_gen_forest_fire, "forest-fire",
              "Leskovec's growing graph, directed from new to old vertices", FOREST_FIRE, make);
