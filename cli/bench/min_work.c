#include "min_work.h"

#include "cli/io/number.h"

#include <math.h>
#include <stdlib.h>

enum { CLASSES = 33 };

/* Vertices that no level has reached yet, by the number of bits of their in-degree. */
typedef struct unreached {
    double vertices[CLASSES], edges[CLASSES], all;
} unreached;

typedef struct levels {
    int32_t count;
    int64_t *begin;  /* [count + 1] into vertex */
    int32_t *vertex; /* by level */
} levels;

int32_t *min_work_in_degrees(const fr_csr *csr) {
    int32_t *degree = cli_alloc((size_t)csr->n * sizeof *degree);
    for (int32_t v = 0; v < csr->n; v++)
        degree[v] = csr->symmetric ? (int32_t)(csr->offsets[v + 1] - csr->offsets[v]) : 0;
    for (int64_t e = 0; e < csr->m && !csr->symmetric; e++)
        degree[csr->targets[e]]++;
    return degree;
}

static levels by_level(const fr_csr *csr, const int32_t *level) {
    levels l = {0};
    for (int32_t v = 0; v < csr->n; v++)
        l.count = level[v] >= l.count ? level[v] + 1 : l.count;
    l.begin = cli_alloc(((size_t)l.count + 2) * sizeof *l.begin);
    l.vertex = cli_alloc((size_t)csr->n * sizeof *l.vertex);
    for (int32_t d = 0; d <= l.count + 1; d++)
        l.begin[d] = 0;
    for (int32_t v = 0; v < csr->n; v++)
        if (level[v] >= 0)
            l.begin[level[v] + 2]++;
    for (int32_t d = 1; d <= l.count; d++)
        l.begin[d + 1] += l.begin[d];
    for (int32_t v = 0; v < csr->n; v++) /* afterwards begin[d] is the begin of level d */
        if (level[v] >= 0)
            l.vertex[l.begin[level[v] + 1]++] = v;
    return l;
}

static void add_unreached(unreached *of, int32_t degree, double sign) {
    int c = degree > 0 ? 32 - __builtin_clz((unsigned)degree) : 0;
    of->vertices[c] += sign;
    of->edges[c] += sign * degree;
    of->all += degree > 0 ? sign : 0;
}

/* Expected edge checks of a bottom-up level: each unreached vertex scans its in-edges until one
 * comes from the frontier, to which a fraction p of all edges belongs. This is the mean of a
 * geometric distribution that is cut off at the degree. Returns at most `max`. */
static double bottom_up_edge_checks(const unreached *of, double p, double max) {
    double edge_checks = 0;
    if (!(p > 0) || of->all >= max) /* each vertex checks at least one edge */
        return max;
    for (int c = 1; c < CLASSES; c++)
        if (of->vertices[c] > 0)
            edge_checks += of->vertices[c] * (1 - pow(1 - p, of->edges[c] / of->vertices[c])) / p;
    return edge_checks < max ? edge_checks : max;
}

min_work min_work_of(const fr_csr *csr, const int32_t *level, const int32_t *in_degree) {
    levels l = by_level(csr, level);
    unreached rest = {.all = 0};
    min_work w = {.levels = l.count, .vertices = (double)l.begin[l.count]};
    for (int64_t i = 0; i < l.begin[l.count]; i++) {
        w.edges += (double)(csr->offsets[l.vertex[i] + 1] - csr->offsets[l.vertex[i]]);
        add_unreached(&rest, in_degree[l.vertex[i]], 1);
    }
    for (int32_t d = 0; d < l.count; d++) {
        double edges = 0;
        for (int64_t i = l.begin[d]; i < l.begin[d + 1]; i++) {
            edges += (double)(csr->offsets[l.vertex[i] + 1] - csr->offsets[l.vertex[i]]);
            add_unreached(&rest, in_degree[l.vertex[i]], -1);
        }
        w.edge_checks += bottom_up_edge_checks(&rest, edges / w.edges, edges);
    }
    free(l.begin);
    free(l.vertex);
    return w;
}

static const struct {
    const char *name;
    size_t offset;
} fields[] = {{"levels", offsetof(min_work, levels)},
              {"vertices", offsetof(min_work, vertices)},
              {"edges", offsetof(min_work, edges)},
              {"edge_checks", offsetof(min_work, edge_checks)}};
enum { FIELDS = sizeof fields / sizeof *fields };

static double *field_of(const min_work *w, int i) {
    return (double *)(void *)((char *)(uintptr_t)w + fields[i].offset);
}

json_t *min_work_json(const min_work *of, int64_t count) {
    json_t *o = json_object();
    double *values = cli_alloc((size_t)count * sizeof *values);
    for (int i = 0; i < FIELDS; i++) {
        for (int64_t s = 0; s < count; s++)
            values[s] = *field_of(&of[s], i);
        sort_doubles(values, count);
        json_set(o, fields[i].name, json_integer(llround(quantile(values, count, 0.5))));
    }
    free(values);
    return o;
}

bool min_work_read(const json_t *line, min_work *out) {
    const json_t *o = json_object_get(line, "min_work");
    for (int i = 0; i < FIELDS; i++)
        *field_of(out, i) = json_number_value(json_object_get(o, fields[i].name));
    return out->vertices > 0;
}
