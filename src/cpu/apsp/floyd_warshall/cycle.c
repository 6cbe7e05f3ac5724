/* A negative cycle by Bellman-Ford, after Floyd-Warshall has detected one.
 *
 * Source: T. H. Cormen et al.: Introduction to Algorithms, 3rd ed., section 24.1; the cycle is read
 *   off the graph of parents as in B. V. Cherkassky, A. V. Goldberg: Negative-cycle detection
 *   algorithms, Mathematical Programming 85, 1999.
 * Idea: every vertex starts at 0; edges are relaxed in rounds; as soon as the parents form a
 *   cycle, it is a negative cycle. Only vertices that the query's sources reach are included.
 * Differs: a cycle is accepted only if its weights sum to less than 0: in 128 bits for integers, in
 *   double for floats, where a cycle of weight 0 can appear negative by rounding.
 * Work: rounds times m, usually few rounds. Memory: the matrix, which is no longer needed.
 */
#include "cpu/apsp/floyd_warshall/matrix.h"

typedef union {
    __int128 whole;
    double real;
} sum;

typedef struct {
    const fr_csr *csr;
    const fri_floyd *f;
    bool exact;                     /* sums are integers */
    sum *dist;                      /* [size] */
    int32_t *parent, *walk, *cycle; /* [size] */
} search;

/* Lowers place j through edge e from place i; false: it is as low already. */
static inline bool lower(const search *s, int32_t i, int32_t j, int64_t e) {
    if (s->exact) {
        __int128 d = s->dist[i].whole + fri_csr_int_weight(s->csr, e);
        if (d >= s->dist[j].whole)
            return false;
        s->dist[j].whole = d;
        return true;
    }
    double d = s->dist[i].real + fri_csr_weight(s->csr, e);
    if (!(d < s->dist[j].real))
        return false;
    s->dist[j].real = d;
    return true;
}

static bool relax_all(const search *s) {
    bool changed = false;
    for (int32_t i = 0; i < s->f->size; i++) {
        int32_t u = s->f->vertex[i];
        for (int64_t e = s->csr->offsets[u]; e < s->csr->offsets[u + 1]; e++) {
            int32_t j = s->f->place[s->csr->targets[e]];
            if (!lower(s, i, j, e))
                continue;
            s->parent[j] = i;
            changed = true;
        }
    }
    return changed;
}

/* A place on a cycle of parents; -1: there is none. */
static int32_t find_cycle(const search *s) {
    for (int32_t i = 0; i < s->f->size; i++)
        s->walk[i] = 0;
    for (int32_t i = 0; i < s->f->size; i++) {
        int32_t j = i;
        for (; j >= 0 && !s->walk[j]; j = s->parent[j])
            s->walk[j] = i + 1;
        if (j >= 0 && s->walk[j] == i + 1)
            return j;
    }
    return -1;
}

/* The smallest edge from one place to another; there is at least one. */
static int64_t min_edge(const search *s, int32_t from, int32_t to) {
    int32_t u = s->f->vertex[from], v = s->f->vertex[to];
    int64_t e = s->csr->offsets[u];
    while (s->csr->targets[e] != v) /* of parallel edges the first is the smallest */
        e++;
    return e;
}

/* Lists the vertices of the cycle along its edges; returns their number. */
static int32_t list_cycle(const search *s, int32_t start, double *weight) {
    int32_t length = 0, j = start;
    do { /* parents lead against the edges */
        s->walk[length++] = j;
        j = s->parent[j];
    } while (j != start);
    sum total = {0};
    if (!s->exact)
        total.real = 0;
    for (int32_t i = 0; i < length; i++) {
        int32_t from = s->walk[length - 1 - i];
        int32_t to = s->walk[i + 1 < length ? length - 2 - i : length - 1];
        int64_t e = min_edge(s, from, to);
        if (s->exact)
            total.whole += fri_csr_int_weight(s->csr, e);
        else
            total.real += fri_csr_weight(s->csr, e);
        s->cycle[i] = s->f->vertex[from];
    }
    *weight = s->exact ? (double)total.whole : total.real;
    return length;
}

bool fri_floyd_cycle(fri_floyd *f, const int32_t **cycle, int32_t *length, double *weight) {
    char *at_scratch = f->dist; /* at least 64 times 64 cells for 64 places */
    size_t ids = (size_t)f->size * sizeof(int32_t);
    search s = {
        .csr = &f->job->csr, .f = f, .exact = f->type == FR_TYPE_I32 || f->type == FR_TYPE_I64};
    s.dist = fri_carve(&at_scratch, (size_t)f->size * sizeof *s.dist);
    s.parent = fri_carve(&at_scratch, ids);
    s.walk = fri_carve(&at_scratch, ids);
    s.cycle = fri_carve(&at_scratch, ids);
    for (int32_t i = 0; i < f->size; i++) {
        if (s.exact)
            s.dist[i].whole = 0;
        else
            s.dist[i].real = 0;
        s.parent[i] = -1;
    }
    for (int32_t round = 0; round <= f->size && relax_all(&s); round++) {
        int32_t on = find_cycle(&s);
        if (on < 0)
            continue;
        *length = list_cycle(&s, on, weight);
        *cycle = s.cycle;
        if (*weight < 0)
            return true;
    }
    return false;
}
