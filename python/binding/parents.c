/* Work along parents: paths, and SciPy's choice of parents for all pairs. */
#include "binding.h"

int64_t pf_path(int32_t n, const int32_t *parent, int32_t target, int32_t *out) {
    if (parent[target] == -1)
        return 0;
    int64_t count = 1;
    for (int32_t v = target; parent[v] != v; v = parent[v], count++)
        if (parent[v] < 0 || parent[v] >= n || count > n)
            return -1;
    int32_t v = target;
    for (int64_t i = count - 1; out && i >= 0; i--, v = parent[v])
        out[i] = v;
    return count;
}

/* Between two parents that both give the shortest distance. A parent at the distance of its child
 * (weight 0) is kept only where there is no other: then the library's tree has no cycle, and an edge
 * to a nearer parent adds none. */
static int is_better(const double *dist, int32_t u, int32_t old, int32_t v) {
    if (!(dist[u] < dist[v]))
        return 0;
    return dist[u] < dist[old] || (dist[u] == dist[old] && u < old);
}

static void nearest_in_row(const fr_csr *csr, const double *dist, int32_t *parent) {
    const double *weight = csr->weights;
    for (int32_t u = 0; u < csr->n; u++) {
        if (parent[u] == -1)
            continue;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (parent[v] != v && dist[u] + weight[e] == dist[v] &&
                is_better(dist, u, parent[v], v))
                parent[v] = u;
        }
    }
}

void pf_nearest_parents(const fr_csr *csr, int64_t rows, const double *dist, int32_t *parent,
                        int threads) {
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int64_t i = 0; i < rows; i++)
        nearest_in_row(csr, dist + i * csr->n, parent + i * csr->n);
}
