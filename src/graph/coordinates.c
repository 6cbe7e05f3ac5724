/* Reads the coordinates of vertices from a file of their own.
 *
 * Source: 9th DIMACS Implementation Challenge: Shortest Paths, 2005, "File formats" (Coordinates); NumPy's .npz.
 * Format: lines "c anything"; "p aux sp co N"; N lines "v ID X Y". Or an archive with the array xy of shape (n, 2),
 *   row i for vertex i, or, with an array ids, for the id there. Differs: the numbers of lines may be real, and ids
 *   that the graph lacks are skipped.
 */
#include "fringe_measures.h"
#include "graph/graph.h"
#include "io/formats/npz.h"
#include "io/text/number_scan.h"

#include <math.h>

#define FAIL(ctx, status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

static fr_status read_vertex(fr_ctx *ctx, const fri_input *text, fri_scan *scan,
                             const fr_graph *graph, double *x, double *y) {
    const char *at = ++scan->at; /* behind the v, then the field */
    int64_t id;
    double place[2];
    bool right = true;
    for (int i = 0; i < 3 && right; i++) {
        fri_scan_at_eol(scan);
        at = scan->at;
        right = (i == 0 ? fri_scan_int64(scan, &id) : fri_scan_double(scan, &place[i - 1])) ==
                FRI_SCAN_OK;
    }
    if (right) {
        right = fri_scan_at_eol(scan);
        at = scan->at;
    }
    if (!right)
        return FAIL(ctx, FR_FORMAT, at, "a line \"v id x y\" is expected");
    int32_t v = fr_graph_vertex(graph, id);
    if (v >= 0) {
        x[v] = place[0];
        y[v] = place[1];
    }
    return FR_OK;
}

static fr_status read_lines(fr_ctx *ctx, const fri_input *text, const fr_graph *graph, double *x,
                            double *y) {
    fri_scan scan = {text->data, text->data + text->size};
    fr_status status = FR_OK;
    while (!status && scan.at < scan.end) {
        if (!fri_scan_at_eol(&scan)) {
            if (*scan.at == 'v')
                status = read_vertex(ctx, text, &scan, graph, x, y);
            else if (*scan.at != 'c' && *scan.at != 'p')
                status = FAIL(ctx, FR_FORMAT, scan.at, "a line \"v id x y\" is expected");
        }
        if (!fri_scan_next_line(&scan))
            break;
    }
    return status;
}

typedef struct points {
    const fr_graph *graph;
    double *x, *y;
    int64_t rows;
    bool listed; /* by id */
} points;

/* A fri_point_fn. */
static void take_point(void *user, int64_t id, double x, double y) {
    const points *p = user;
    const int64_t v = p->listed ? fr_graph_vertex(p->graph, id) : id;
    if (v >= 0 && v < p->graph->csr.n) {
        p->x[v] = x;
        p->y[v] = y;
    }
}

static fr_status by_id(fr_ctx *ctx, const char *path) {
    return fri_fail(ctx, FR_UNSUPPORTED,
                    "%s: coordinates are listed by integer ids, but the vertices have names", path);
}

static fr_status read_rows(fr_ctx *ctx, const fri_input *text, const fr_graph *graph, double *x,
                           double *y) {
    points p = {.graph = graph, .x = x, .y = y};
    fr_status status = fri_npz_read_points(ctx, text, take_point, &p, &p.rows, &p.listed);
    if (!status && p.listed && graph->ids.names)
        return by_id(ctx, text->name);
    if (!status && !p.listed && p.rows != graph->csr.n)
        return fri_fail(ctx, FR_FORMAT, "%s: xy.npy has %lld rows, and the graph has %lld vertices",
                        text->name, (long long)p.rows, (long long)graph->csr.n);
    return status;
}

fr_status fr_coordinates_load(fr_ctx *ctx, const fr_graph *graph, const char *path, double *x,
                              double *y) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph || !path || !x || !y)
        return fri_fail(ctx, FR_INVALID, "coordinates need a graph, a file and arrays x and y");
    for (int32_t v = 0; v < graph->csr.n; v++)
        x[v] = y[v] = NAN;
    fri_input text = {0};
    fr_status status = fri_input_open(ctx, path, &text);
    if (!status && fri_npz_is(&text))
        status = read_rows(ctx, &text, graph, x, y);
    else if (!status)
        status = graph->ids.names ? by_id(ctx, path) : read_lines(ctx, &text, graph, x, y);
    for (int32_t v = 0; !status && v < graph->csr.n; v++)
        if (!isfinite(x[v]) || !isfinite(y[v]))
            status = fri_fail(ctx, FR_FORMAT, "%s: vertex %lld has no %scoordinates", path,
                              (long long)fr_graph_id(graph, v), isnan(x[v]) ? "" : "finite ");
    fri_input_close(&text);
    return status;
}
