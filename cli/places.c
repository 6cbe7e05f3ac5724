/* --coordinates: the coordinates of all vertices, and vertices given as a point '@X,Y'. */
#include "cli/io/progress.h"
#include "cli/io/vertex.h"
#include "session.h"

#include <math.h>
#include <stdlib.h>

int places_load(session *x) {
    const char *path = x->s->coordinates;
    if (!path)
        return CLI_OK;
    if (x->ranks)
        return cli_usage("--coordinates and --ranks exclude each other");
    const size_t n = (size_t)x->csr->n;
    x->place = cli_alloc((2 * n + 1) * sizeof *x->place);
    const fr_status status = fr_coordinates_load(x->ctx, x->graph, path, x->place, x->place + n);
    return status ? cli_fail_ctx(x->ctx, status) : CLI_OK;
}

/* Where nothing is near: perhaps x and y are exchanged, or in other units. */
static void hint_outside(const session *x, const char *word, const double point[2],
                         int32_t nearest) {
    const int32_t n = x->csr->n;
    char text[4][FR_NUMBER_CAPACITY + 1];
    bool outside = false;
    for (int i = 0; i < 2; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t v = 0; v < n; v++) {
            low = fmin(low, x->place[(int64_t)i * n + v]);
            high = fmax(high, x->place[(int64_t)i * n + v]);
        }
        outside |= point[i] < low || point[i] > high;
        *fr_put_double(text[2 * i], low) = 0;
        *fr_put_double(text[2 * i + 1], high) = 0;
    }
    if (!outside || x->s->quiet)
        return;
    progress_clear();
    fprintf(stderr,
            "fringe: %s: %s lies outside of the coordinates, x %s to %s and y %s to %s; the "
            "nearest vertex is %s\n",
            x->s->coordinates, word, text[0], text[1], text[2], text[3],
            VERTEX_TEXT(x->graph, nearest));
}

int places_find(const session *x, const char *word, int32_t *out) {
    const int32_t n = x->csr->n;
    if (!x->place)
        return cli_usage(
            "the point %s needs --coordinates FILE, which bfs, sssp, apsp and path take", word);
    char *end;
    double best = INFINITY, point[2] = {strtod(word + 1, &end)};
    point[1] = strtod(end + 1, NULL);
    *out = -1;
    for (int32_t v = 0; v < n; v++) {
        const double dx = x->place[v] - point[0], dy = x->place[n + v] - point[1];
        const double square = dx * dx + dy * dy;
        if (*out < 0 || square < best) {
            best = square;
            *out = v;
        }
    }
    if (*out < 0)
        return cli_fail(FR_NOT_FOUND, "%s: the graph has no vertices", session_name(x));
    hint_outside(x, word, point, *out);
    return CLI_OK;
}

int places_columns(const session *x, const int32_t *vertices, int64_t rows, fr_column *columns,
                   int count, double **kept) {
    static const char *const names[] = {"x", "y"};
    *kept = NULL;
    if (!x->place)
        return count;
    *kept = cli_alloc((2 * (size_t)rows + 1) * sizeof **kept);
    for (int i = 0; i < 2; i++) {
        const double *from = x->place + (int64_t)i * x->csr->n;
        double *to = *kept + i * rows;
        for (int64_t r = 0; r < rows; r++)
            to[r] = from[vertices ? vertices[r] : r];
        columns[count++] = (fr_column){.name = names[i], .type = FR_TYPE_F64, .values = to};
    }
    return count;
}
