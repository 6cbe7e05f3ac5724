/* fringe path with a router's options: one pair, its k shortest paths, or the distances of pairs. */
#include "fringe_measures.h"
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/io/result_sink.h"
#include "cli/traversal.h"
#include "cli/io/vertex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns of the file of paths. */
typedef struct found_paths {
    int64_t *number, *offsets; /* [count], [count + 1] */
    void *dist;                /* [count] of a type of 8 bytes */
    int32_t *vertices;         /* [offsets[count]] */
    int64_t count, rows_capacity, vertices_capacity;
} found_paths;

typedef struct pair_list {
    int32_t *from, *to; /* [count] */
    int64_t *dist;      /* [count], the size of a double, too */
    int64_t count;
    id_list ends[2]; /* of --pairs */
} pair_list;

typedef struct routing {
    session *x;
    const settings *s;
    fr_graph *filtered; /* without what is closed; NULL: nothing is */
    fr_router *router;
    fr_type type;
    int64_t ready_ns, query_ns; /* of fr_router_new, of the queries */
    json_t *list;
    int64_t found;
    found_paths kept; /* with -o */
    pair_list pairs;
} routing;

static bool reached(fr_type type, const void *dist, int64_t i) {
    return type == FR_TYPE_F64 ? ((const double *)dist)[i] < INFINITY
                               : ((const int64_t *)dist)[i] != FR_INF_I64;
}

static json_t *json_distance(fr_type type, const void *dist, int64_t i) {
    if (!reached(type, dist, i))
        return json_null();
    return type == FR_TYPE_F64 ? json_real(((const double *)dist)[i])
                               : json_integer(((const int64_t *)dist)[i]);
}

static int open_router(routing *r) {
    const settings *s = r->s;
    fr_router_options options = {.algorithm = (fr_route_algorithm)s->algorithm,
                                 .landmarks = s->landmarks};
    fr_status status = FR_OK;
    if (s->coordinates) {
        options.x = r->x->place;
        options.y = r->x->place + r->x->csr->n;
        options.algorithm = FR_ROUTE_ASTAR;
    }
    int64_t start = cli_now_ns();
    const closed_sets *closed = &r->x->closed;
    if (!status && (closed->vertices || closed->edges[0]))
        status = fr_graph_filter(r->x->ctx, r->x->graph, closed->vertices, closed->edges[0],
                                 &r->filtered);
    if (!status)
        status =
            fr_router_new(r->x->ctx, r->filtered ? r->filtered : r->x->graph, &options, &r->router);
    r->ready_ns = cli_now_ns() - start;
    if (status)
        return cli_fail_ctx(r->x->ctx, status);
    r->type = fr_router_dist_type(r->router);
    return CLI_OK;
}

static void json_add_path(routing *r, const void *dist, const int32_t *path, int32_t length) {
    json_t *one = json_object(), *vertices = json_array();
    for (int32_t i = 0; i < length; i++)
        json_array_append_new(vertices, json_vertex(r->x->graph, path[i]));
    json_set(one, "distance", json_distance(r->type, dist, 0));
    json_set(one, "edges", json_integer(length - 1));
    json_set(one, "path", vertices);
    json_array_append_new(r->list, one);
}

static void keep_path(found_paths *p, const void *dist, const int32_t *path, int32_t length) {
    if (p->count == p->rows_capacity) {
        p->rows_capacity = 2 * p->rows_capacity + 16;
        size_t bytes = ((size_t)p->rows_capacity + 1) * sizeof(int64_t);
        p->number = cli_realloc(p->number, bytes);
        p->dist = cli_realloc(p->dist, bytes);
        p->offsets = cli_realloc(p->offsets, bytes);
    }
    int64_t at = p->count ? p->offsets[p->count] : 0;
    if (at + length > p->vertices_capacity) {
        p->vertices_capacity = 2 * (at + length);
        p->vertices = cli_realloc(p->vertices, (size_t)p->vertices_capacity * sizeof *p->vertices);
    }
    memcpy(p->vertices + at, path, (size_t)length * sizeof *path);
    memcpy((int64_t *)p->dist + p->count, dist, sizeof(int64_t));
    p->offsets[0] = 0;
    p->count++;
    p->number[p->count - 1] = p->count;
    p->offsets[p->count] = at + length;
}

static int write_paths(const routing *r) {
    const found_paths *p = &r->kept;
    const int64_t none = 0;
    const fr_column columns[] = {
        {.name = "path", .type = FR_TYPE_I64, .values = p->number},
        {.name = "distance", .kind = FR_COLUMN_DISTANCE, .type = r->type, .values = p->dist},
        {.name = "vertices",
         .kind = FR_COLUMN_PATH,
         .values = p->vertices,
         .offsets = p->count ? p->offsets : &none}};
    return table_write(r->x, p->count, columns, 3);
}

/* The distances along the path. */
static void *distances_along(const routing *r, const int32_t *path, int64_t length) {
    const fr_csr *csr = r->x->csr;
    void *dist = cli_alloc((size_t)(length + 1) * sizeof(int64_t)); /* the size of a double, too */
    int64_t *whole = dist;
    double *real = dist;
    for (int64_t i = 1; i < length; i++) {
        const int64_t e = fr_graph_edge(r->x->graph, path[i - 1], path[i], NULL);
        switch (csr->weight_type) {
        case FR_TYPE_I32: whole[i] = whole[i - 1] + ((const int32_t *)csr->weights)[e]; break;
        case FR_TYPE_I64: whole[i] = whole[i - 1] + ((const int64_t *)csr->weights)[e]; break;
        case FR_TYPE_F32: real[i] = real[i - 1] + (double)((const float *)csr->weights)[e]; break;
        case FR_TYPE_F64: real[i] = real[i - 1] + ((const double *)csr->weights)[e]; break;
        default: whole[i] = i;
        }
    }
    return dist;
}

/* A line for each vertex of the one path. */
static int write_places(const routing *r) {
    const found_paths *p = &r->kept;
    const int64_t length = p->count ? p->offsets[1] : 0;
    void *dist = distances_along(r, p->vertices, length);
    double *place;
    fr_column columns[4] = {
        {.name = "vertex",
         .kind = FR_COLUMN_VERTEX,
         .values = length ? p->vertices : (const int32_t *)&length},
        {.name = "distance", .kind = FR_COLUMN_DISTANCE, .type = r->type, .values = dist}};
    const int count = places_columns(r->x, p->vertices, length, columns, 2, &place);
    const int code = table_write(r->x, length, columns, count);
    free(dist), free(place);
    return code;
}

static void print_path(routing *r, const void *dist, const int32_t *path, int32_t length) {
    FILE *out = r->x->summary_out;
    char text[FR_NUMBER_CAPACITY + 1];
    *fr_put_distance(text, r->type, dist, 0) = 0;
    fprintf(out, "distance %s over %s edge%s\n", text, human_count(length - 1).text,
            length == 2 ? "" : "s");
    for (int32_t i = 0; i < length; i++)
        fprintf(out, "%s%s", i ? " -> " : "", VERTEX_TEXT(r->x->graph, path[i]));
    fputc('\n', out);
}

/* An fr_path_fn. */
static int take_path(void *user, int64_t index, const void *dist, const int32_t *path,
                     int32_t length) {
    routing *r = user;
    r->found = index + 1;
    if (r->s->out)
        keep_path(&r->kept, dist, path, length);
    if (r->s->json)
        json_add_path(r, dist, path, length);
    else if (!r->s->quiet)
        print_path(r, dist, path, length);
    return 0;
}

static fr_status find_paths(routing *r, int32_t source, int32_t target) {
    if (r->s->path_count)
        return fr_router_k_paths(r->router, source, target, r->s->path_count, take_path, r);
    int32_t *path = cli_alloc((size_t)r->x->csr->n * sizeof *path), length;
    int64_t dist;
    fr_status status = fr_router_path(r->router, source, target, &dist, path, &length);
    if (!status && length)
        take_path(r, 0, &dist, path, length);
    free(path);
    return status;
}

/* Writes the file and the JSON object after the queries. */
static int finish(routing *r, fr_status status, const char *key, int (*write)(const routing *r)) {
    static const char *const names[] = {"auto", "bidirectional", "astar", "alt"};
    progress_clear();
    int code = status ? cli_fail_ctx(r->x->ctx, status) : r->s->out ? write(r) : CLI_OK;
    if (code) {
        json_decref(r->list);
        return code;
    }
    if (!r->s->json)
        return CLI_OK;
    json_t *o = json_head(r->x);
    json_set(o, "algorithm", json_string(names[fr_router_algorithm(r->router)]));
    json_set(o, key, r->list);
    json_set(o, "settled", json_integer(fr_router_settled(r->router)));
    json_set(o, "prepare_ns", json_integer(r->ready_ns));
    json_set(o, "query_ns", json_integer(r->query_ns));
    json_peak(o, r->x);
    outcome_object(o);
    return CLI_OK;
}

static int show_paths(routing *r) {
    int64_t start = cli_now_ns();
    r->list = r->s->json ? json_array() : NULL;
    fr_status status = find_paths(r, r->x->sources[0], r->x->targets[0]);
    r->query_ns = cli_now_ns() - start;
    const bool places = r->x->place && !r->s->path_count;
    int code = finish(r, status, "paths", places ? write_places : write_paths);
    if (!code && r->found == 0 && !r->s->json && !r->s->quiet)
        fprintf(r->x->summary_out, "no path from %s to %s\n", r->s->sources.words[0],
                r->s->targets.words[0]);
    return code;
}

static void show_pair(routing *r, int64_t i) {
    const fr_graph *graph = r->x->graph;
    const int32_t from = r->pairs.from[i], to = r->pairs.to[i], *route = r->kept.vertices;
    const int64_t begin = r->s->routes ? r->kept.offsets[i] : 0;
    const int64_t end = r->s->routes ? r->kept.offsets[i + 1] : 0;
    char text[FR_NUMBER_CAPACITY + 1];
    *fr_put_distance(text, r->type, r->pairs.dist, i) = 0;
    if (r->s->json) {
        json_t *pair = json_pack("[ooo]", json_vertex(graph, from), json_vertex(graph, to),
                                 json_distance(r->type, r->pairs.dist, i));
        json_t *vertices = r->s->routes ? json_array() : NULL;
        for (int64_t k = begin; k < end; k++)
            json_array_append_new(vertices, json_vertex(graph, route[k]));
        if (vertices)
            json_array_append_new(pair, vertices);
        json_array_append_new(r->list, pair);
    } else if (!r->s->out && !r->s->quiet) {
        printf("%s\t%s\t%s%s", VERTEX_TEXT(graph, from), VERTEX_TEXT(graph, to), text,
               r->s->routes ? "\t" : "");
        for (int64_t k = begin; k < end; k++)
            printf("%s%s", k > begin ? " " : "", VERTEX_TEXT(graph, route[k]));
        putchar('\n');
    }
}

static int write_pairs(const routing *r) {
    const fr_column columns[] = {
        {.name = "source", .kind = FR_COLUMN_VERTEX, .values = r->pairs.from},
        {.name = "target", .kind = FR_COLUMN_VERTEX, .values = r->pairs.to},
        {.name = "distance", .kind = FR_COLUMN_DISTANCE, .type = r->type, .values = r->pairs.dist},
        {.name = "vertices",
         .kind = FR_COLUMN_PATH,
         .values = r->kept.vertices,
         .offsets = r->kept.offsets}};
    return table_write(r->x, r->pairs.count, columns, r->s->routes ? 4 : 3);
}

/* The pairs of the file, or every source with every target. */
static int list_pairs(routing *r) {
    const session *x = r->x;
    pair_list *p = &r->pairs;
    if (r->s->pairs) {
        int code = id_file_read(r->s->pairs, x->graph, "SOURCE TARGET", 2, p->ends);
        p->count = p->ends[0].count;
        if (!code && p->count == 0)
            code = cli_fail(FR_FORMAT, "%s: the file of pairs is empty", r->s->pairs);
        if (!code)
            code = id_file_vertices(x, &p->ends[0], &p->from);
        return code ? code : id_file_vertices(x, &p->ends[1], &p->to);
    }
    p->count = x->source_count * x->target_count;
    p->from = cli_alloc((size_t)(p->count + 1) * sizeof *p->from);
    p->to = cli_alloc((size_t)(p->count + 1) * sizeof *p->to);
    for (int64_t i = 0; i < p->count; i++) {
        p->from[i] = x->sources[i / x->target_count];
        p->to[i] = x->targets[i % x->target_count];
    }
    return CLI_OK;
}

/* The route of each pair, without vertices where there is none. */
static fr_status find_routes(routing *r) {
    pair_list *p = &r->pairs;
    int32_t *path = cli_alloc(((size_t)r->x->csr->n + 1) * sizeof *path), length = 0;
    fr_status status = FR_OK;
    for (int64_t i = 0; !status && i < p->count; i++) {
        status = fr_router_path(r->router, p->from[i], p->to[i], &p->dist[i], path, &length);
        if (!status)
            keep_path(&r->kept, &p->dist[i], path, length);
        if (progress_report(NULL, "routes", i, p->count))
            status = FR_CANCELLED;
    }
    free(path);
    return status;
}

static fr_status solve_pairs(routing *r) {
    const session *x = r->x;
    pair_list *p = &r->pairs;
    p->dist = cli_alloc((size_t)(p->count + 1) * sizeof *p->dist);
    if (r->s->routes)
        return find_routes(r);
    if (r->s->pairs)
        return fr_router_distances(r->router, p->from, p->to, p->count, p->dist);
    return fr_router_table(r->router, x->sources, x->source_count, x->targets, x->target_count,
                           p->dist);
}

static int show_pairs(routing *r) {
    pair_list *p = &r->pairs;
    int code = list_pairs(r);
    if (!code) {
        int64_t start = cli_now_ns();
        r->list = r->s->json ? json_array() : NULL;
        fr_status status = solve_pairs(r);
        r->query_ns = cli_now_ns() - start;
        progress_clear();
        for (int64_t i = 0; !status && i < p->count; i++)
            show_pair(r, i);
        code = finish(r, status, "pairs", write_pairs);
    }
    id_list_free(&p->ends[0]), id_list_free(&p->ends[1]);
    free(p->from), free(p->to), free(p->dist);
    return code;
}

/* Whether many pairs are asked for, not one. */
static bool has_pairs(const settings *s) { return s->pairs || s->sources_file || s->targets_file; }

static int check(const settings *s) {
    if (s->pairs && (names_sources(s) || names_targets(s) || s->path_count))
        return cli_usage("--pairs excludes --source, --target, files of them and --paths");
    if (has_pairs(s) && s->path_count)
        return cli_usage("--paths is for one source and one target");
    if (s->routes && !has_pairs(s))
        return cli_usage("--routes is for --pairs, --sources-file and --targets-file; the route of "
                         "one pair is always given");
    if (!s->pairs && has_pairs(s) && !(names_sources(s) && names_targets(s)))
        return cli_usage(
            "sources and targets are needed: --sources-file or -s ID, --targets-file or "
            "-t ID");
    if (!has_pairs(s) && (s->sources.count != 1 || s->targets.count != 1))
        return cli_usage("one source and one target are needed: -s ID -t ID");
    if (s->strategy || s->knobs || s->backend == FR_BACKEND_CUDA || s->verify || s->tuning_cache ||
        s->no_tuning_cache)
        return cli_usage(
            "the options of 'Queries' exclude --strategy, --knob, --backend cuda, --verify "
            "and a cache of tuning; --algorithm chooses how to search");
    if (s->coordinates && (s->landmarks || (s->algorithm && s->algorithm != FR_ROUTE_ASTAR)))
        return cli_usage("--coordinates is for the algorithm astar");
    if (s->landmarks && s->algorithm && s->algorithm != FR_ROUTE_ALT)
        return cli_usage("--landmarks is for the algorithm alt");
    if (s->algorithm == FR_ROUTE_ASTAR && !s->coordinates)
        return cli_usage("the algorithm astar needs --coordinates");
    /* a list of vertices is no value of an array */
    const bool lists = s->routes || (!has_pairs(s) && (s->path_count || !s->coordinates));
    return result_format(s, lists ? RESULT_LINES : RESULT_TABLE) ? CLI_OK : CLI_USAGE;
}

static int run(session *x) {
    routing r = {.x = x, .s = x->s};
    int code = open_router(&r);
    if (!code)
        code = has_pairs(x->s) ? show_pairs(&r) : show_paths(&r);
    fr_router_free(r.router);
    fr_graph_free(r.filtered);
    free(r.kept.number), free(r.kept.dist), free(r.kept.offsets), free(r.kept.vertices);
    return code;
}

int cmd_route(const settings *s) {
    int code = check(s);
    return code ? code : session_run(s, run);
}
