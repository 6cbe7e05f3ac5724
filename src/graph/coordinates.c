/* Reads the coordinates of vertices from a file of their own.
 *
 * Source: 9th DIMACS Implementation Challenge: Shortest Paths, 2005, "File formats" (Coordinates).
 * Format: lines "c anything"; "p aux sp co N"; N lines "v ID X Y". Differs: the numbers may be real,
 *   and lines of ids that the graph lacks are skipped.
 */
#include "fringe_measures.h"
#include "graph/graph.h"
#include "io/text/number_scan.h"

#include <math.h>

#define FAIL(ctx, status, at, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

static fr_status read_vertex(fr_ctx *ctx, const fri_input *text, fri_scan *scan,
                             const fr_graph *graph, double *x, double *y) {
    const char *at = scan->at++;
    int64_t id;
    double place[2];
    bool right = fri_scan_int64(scan, &id) == FRI_SCAN_OK &&
                 fri_scan_double(scan, &place[0]) == FRI_SCAN_OK &&
                 fri_scan_double(scan, &place[1]) == FRI_SCAN_OK && fri_scan_at_eol(scan);
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

fr_status fr_coordinates_load(fr_ctx *ctx, const fr_graph *graph, const char *path, double *x,
                              double *y) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph || !path || !x || !y)
        return fri_fail(ctx, FR_INVALID, "coordinates need a graph, a file and arrays x and y");
    if (graph->ids.names)
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "%s: coordinates are listed by integer ids, but the vertices have names",
                        path);
    for (int32_t v = 0; v < graph->csr.n; v++)
        x[v] = NAN;
    fri_input text = {0};
    fr_status status = fri_input_open(ctx, path, &text);
    if (!status)
        status = read_lines(ctx, &text, graph, x, y);
    for (int32_t v = 0; !status && v < graph->csr.n; v++)
        if (isnan(x[v]))
            status = fri_fail(ctx, FR_FORMAT, "%s: vertex %lld has no coordinates", path,
                              (long long)fr_graph_id(graph, v));
    fri_input_close(&text);
    return status;
}
