#include "work.h"

#include "number.h"

#include <math.h>
#include <stdlib.h>

/* Vertices and edges of the levels, [*count] each, in one block. */
static double *level_sums(const fr_csr *csr, const int32_t *level, int32_t *count) {
    *count = 0;
    for (int32_t v = 0; v < csr->n; v++)
        *count = level[v] >= *count ? level[v] + 1 : *count;
    double *sums = cli_alloc((size_t)*count * 2 * sizeof *sums);
    for (int32_t d = 0; d < 2 * *count; d++)
        sums[d] = 0;
    for (int32_t v = 0; v < csr->n; v++)
        if (level[v] >= 0) {
            sums[level[v]]++;
            sums[*count + level[v]] += (double)(csr->offsets[v + 1] - csr->offsets[v]);
        }
    return sums;
}

/* Bottom-up: each vertex that is left looks at its in-edges, `degree` of them, until one comes from
 * the frontier, as a share p of all do: the mean of a geometric number that ends at the degree. */
static double looks_from_below(double left, double left_edges, double p) {
    double degree = left > 0 ? left_edges / left : 0;
    return p > 0 ? left * (1 - pow(1 - p, degree)) / p : INFINITY;
}

work work_of(const fr_csr *csr, const int32_t *level) {
    int32_t count;
    double *vertices = level_sums(csr, level, &count), *edges = vertices + count;
    work w = {.levels = count};
    for (int32_t d = 0; d < count; d++) {
        w.vertices += vertices[d];
        w.edges += edges[d];
    }
    double left = w.vertices, left_edges = w.edges;
    for (int32_t d = 0; d < count; d++) {
        left -= vertices[d];
        left_edges -= edges[d];
        double below = left > 0 ? looks_from_below(left, left_edges, edges[d] / w.edges) : 0;
        w.looks += below < edges[d] ? below : edges[d];
    }
    free(vertices);
    return w;
}

static const struct {
    const char *name;
    size_t offset;
} fields[] = {{"levels", offsetof(work, levels)},
              {"vertices", offsetof(work, vertices)},
              {"edges", offsetof(work, edges)},
              {"looks", offsetof(work, looks)}};
enum { FIELDS = sizeof fields / sizeof *fields };

static double *field_of(const work *w, int i) {
    return (double *)(void *)((char *)(uintptr_t)w + fields[i].offset);
}

json_t *work_json(const work *of, int64_t count) {
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

bool work_read(const json_t *line, work *out) {
    const json_t *o = json_object_get(line, "work");
    for (int i = 0; i < FIELDS; i++)
        *field_of(out, i) = json_number_value(json_object_get(o, fields[i].name));
    return out->vertices > 0;
}
