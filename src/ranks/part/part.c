/* The public calls that make a part, and report its sizes and ids. */
#include "base/sized.h"
#include "gen/generator.h"
#include "graph/weights.h"
#include "io/formats/fringe.h"
#include "ranks/part/part_build.h"

#include <stdio.h>
#include <string.h>

/* Reads the caller's options and refuses those that a part does not support. */
static fr_status read_options(fr_ctx *ctx, const fr_load_options *options, fr_load_options *own) {
    fr_status status = fri_load_options_read(ctx, options, own);
    if (!status && own->cache)
        return fri_fail(ctx, FR_INVALID, "ranks keep no cache; a .fringe file needs none");
    if (!status && own->weights == FR_WEIGHTS_POTENTIAL)
        return fri_fail(ctx, FR_INVALID, "ranks need weights of at least 0, not potentials");
    if (!status && own->ids == FR_IDS_STRINGS)
        return fri_fail(ctx, FR_INVALID, "ranks need ids that are integers");
    return status;
}

/* What a call that makes a part collects for fri_part_build. */
typedef struct part_call {
    int64_t begin_ns;
    fr_load_options options;
    fri_edge_source source;
    fri_edge_list list;
    fri_ids ids;
} part_call;

/* The checks of this rank alone, after which the ranks agree on the status. */
static fr_status begin_call(fr_ctx *ctx, const fr_world *world, part_call *c, fr_part **out) {
    *c = (part_call){.begin_ns = fri_now_ns()};
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!world || !out)
        return fri_fail(ctx, FR_INVALID, "a part needs a world and an output pointer (out)");
    *out = NULL;
    return FR_OK;
}

static fr_status end_call(fr_ctx *ctx, fr_world *world, fr_status status, part_call *c,
                          fr_part **out) {
    status = fri_part_build(ctx, world, status, &c->source, &c->options, &c->ids, c->begin_ns, out);
    fri_free(c->ids.list);
    fri_edge_list_free(&c->list);
    return status;
}

/* ---- files --------------------------------------------------------------------------------- */

/* Returns whether the file begins with the magic of an uncompressed .fringe file. */
static bool is_binary(const char *path) {
    static const char magic[] = "\x89"
                                "FRINGE\n";
    char head[sizeof magic - 1];
    FILE *file = fopen(path, "rb");
    bool same = file && fread(head, sizeof head, 1, file) == 1 && !memcmp(head, magic, sizeof head);
    if (file)
        fclose(file);
    return same;
}

/* Loads the rows as the file has them; fri_distribute_edges applies the other options. A binary
 * file is mapped, and check_rows() reads the share of this rank. */
static fr_status load_rows(fr_ctx *ctx, const char *path, const fr_load_options *options,
                           fr_graph **graph) {
    fr_load_options plain = *options;
    plain.drop_loops = plain.drop_parallel = false;
    if (fri_weights_made(&plain))
        plain.weights = FR_WEIGHTS_NONE;
    if (plain.direction == FR_DIRECTION_UNDIRECTED && is_binary(path))
        plain.direction = FR_DIRECTION_FILE;
    return fr_graph_load(ctx, path, &plain, graph);
}

static fr_status copy_ids(fr_ctx *ctx, const fr_graph *graph, fri_ids *ids) {
    if (graph->ids.names)
        return fri_fail(ctx, FR_UNSUPPORTED, "%s: its vertices have names; ranks need integers",
                        graph->name);
    ids->base = graph->ids.base;
    if (!graph->ids.list)
        return FR_OK;
    size_t bytes = fri_bytes(graph->csr.n, sizeof *ids->list);
    ids->list = fri_alloc(ctx, bytes);
    if (!ids->list)
        return FR_NOMEM;
    memcpy(ids->list, graph->ids.list, bytes);
    return FR_OK;
}

/* Checks a large binary file as fr_graph_check does, each rank a share of the bytes and its rows.
 * Collective; status: of this rank so far. */
static fr_status check_rows(fr_ctx *ctx, fr_world *w, const fr_graph *graph, fr_status status) {
    int64_t sums[FRI_BINARY_SECTIONS] = {0};
    bool unchecked = !status && graph->unchecked;
    if (unchecked)
        fri_binary_sum(ctx->threads, graph->text.data, w->rank, w->size, (uint64_t *)sums);
    status = fri_world_agree(w, status);
    if (!status)
        status = fri_world_sum(w, sums, FRI_BINARY_SECTIONS);
    if (!status && unchecked)
        status = fri_binary_check_sums(ctx, graph->text.name, graph->text.data, (uint64_t *)sums);
    if (!status && unchecked)
        status = fri_binary_check_rows(ctx, graph->text.name, graph->text.data, w->rank, w->size);
    return fri_world_agree(w, status);
}

/* Each edge is read by one rank: not so if the hosts have different files of this name. */
static fr_status check_count(fr_ctx *ctx, fr_world *w, const fr_graph *graph, int64_t count) {
    fr_status status = fri_world_sum(w, &count, 1);
    if (status || count == graph->csr.m)
        return status;
    return fri_fail(ctx, FR_FORMAT, "%s: the ranks read %lld edges of %lld: is it the same file?",
                    graph->name, (long long)count, (long long)graph->csr.m);
}

static fr_status load_file(fr_ctx *ctx, fr_world *w, const char *path, part_call *c,
                           fr_graph **graph) {
    fr_status status = load_rows(ctx, path, &c->options, graph);
    if (!status)
        status = copy_ids(ctx, *graph, &c->ids);
    status = check_rows(ctx, w, *graph, status);
    if (status)
        return status;
    c->source = fri_source_of_rows(&(*graph)->csr, w->rank, w->size);
    c->source.undirected =
        c->options.direction == FR_DIRECTION_UNDIRECTED && !(*graph)->csr.symmetric;
    return check_count(ctx, w, *graph, c->source.count);
}

static fr_status load_text(fr_ctx *ctx, fr_world *w, const fri_input *text,
                           const fri_format *format, part_call *c) {
    fr_status status = fri_text_read_share(ctx, w, text, format, &c->options, &c->list);
    if (status)
        return status;
    c->ids.base = c->options.id_base ? c->options.id_base - 1 : 0;
    c->list.undirected = c->options.direction == FR_DIRECTION_UNDIRECTED;
    c->source = fri_source_of_list(&c->list);
    return FR_OK;
}

fr_status fr_part_load(fr_ctx *ctx, fr_world *world, const char *path,
                       const fr_load_options *options, fr_part **out) {
    part_call c;
    fr_graph *graph = NULL;
    fr_status status = begin_call(ctx, world, &c, out);
    if (status)
        return status;
    status = read_options(ctx, options, &c.options);
    if (!status && (!path || strcmp(path, "-") == 0))
        status = fri_fail(ctx, FR_INVALID, "ranks read a file, not standard input");
    uint64_t arguments = fri_hash_text(fri_hash_load_options(&c.options), path);
    status = fri_world_begin(world, "fr_part_load", arguments, status);
    if (status)
        return status;
    fri_input text;
    const fri_format *divided;
    status = fri_text_open(ctx, path, &c.options, &text, &divided);
    status = fri_world_begin(world, "fr_part_load", divided != NULL, status);
    if (!status)
        status = divided ? load_text(ctx, world, &text, divided, &c)
                         : load_file(ctx, world, path, &c, &graph);
    fri_input_close(&text);
    status = end_call(ctx, world, status, &c, out);
    fr_graph_free(graph);
    return status;
}

/* ---- generators and arrays ----------------------------------------------------------------- */

fr_status fr_part_generate(fr_ctx *ctx, fr_world *world, const char *description,
                           const fr_load_options *options, fr_part **out) {
    part_call c;
    fr_status status = begin_call(ctx, world, &c, out);
    if (status)
        return status;
    status = read_options(ctx, options, &c.options);
    if (!status)
        status = fri_load_options_no_file(ctx, &c.options, "a generated graph");
    if (!status && !description)
        status = fri_fail(ctx, FR_INVALID, "the description names no generator");
    uint64_t arguments = fri_hash_text(fri_hash_load_options(&c.options), description);
    status = fri_world_begin(world, "fr_part_generate", arguments, status);
    if (status)
        return status;
    status = fri_generate_share(ctx, description, world->rank, world->size, &c.list);
    if (!status) {
        c.list.undirected &= c.options.direction != FR_DIRECTION_DIRECTED;
        c.list.undirected |= c.options.direction == FR_DIRECTION_UNDIRECTED;
        c.source = fri_source_of_list(&c.list);
    }
    c.ids.base = c.options.id_base == 2;
    return end_call(ctx, world, status, &c, out);
}

static fr_status check_arrays(fr_ctx *ctx, int64_t m, const int64_t *src, const int64_t *dst,
                              const void *weights, fr_type type) {
    if (m < 0 || (m && (!src || !dst)) || (m && type && !weights))
        return fri_fail(ctx, FR_INVALID, "an array of edges is missing");
    return fri_weights_check(ctx, type ? weights : NULL, type, m);
}

static fr_status check_weight_type(fr_ctx *ctx, const fr_load_options *o, const void *weights,
                                   fr_type type) {
    if (weights && !type)
        return fri_fail(ctx, FR_INVALID, "weight_type does not say what the weights are");
    if (o->weights != FR_WEIGHTS_FILE || !o->weight_type || !type || o->weight_type == type)
        return FR_OK;
    return fri_fail(ctx, FR_INVALID,
                    "ranks use weights of an array as they are, %s: leave weight_type out of the "
                    "options, or convert the array to %s",
                    fr_type_name(type), fr_type_name(o->weight_type));
}

fr_status fr_part_from_edges(fr_ctx *ctx, fr_world *world, int64_t n, int64_t m_here,
                             const int64_t *src, const int64_t *dst, const void *weights,
                             fr_type weight_type, const fr_load_options *options, fr_part **out) {
    part_call c;
    fr_status status = begin_call(ctx, world, &c, out);
    if (status)
        return status;
    status = read_options(ctx, options, &c.options);
    if (!status)
        status = fri_load_options_arrays(ctx, &c.options);
    if (!status)
        status = check_weight_type(ctx, &c.options, weights, weight_type);
    if (!status)
        status = check_arrays(ctx, m_here, src, dst, weights, weight_type);
    uint64_t arguments =
        fri_hash_bytes(fri_hash_load_options(&c.options), &n, sizeof n) + weight_type;
    status = fri_world_begin(world, "fr_part_from_edges", arguments, status);
    if (status)
        return status;
    c.source = fri_source_of_arrays(n, m_here, src, dst, weights, weight_type);
    c.source.undirected = c.options.direction == FR_DIRECTION_UNDIRECTED;
    return end_call(ctx, world, FR_OK, &c, out);
}

void fr_part_free(fr_part *p) {
    if (!p)
        return;
    fr_graph_free(p->push);
    fri_free(p->pull_offsets);
    fri_free(p->pull_sources);
    fri_free(p->input);
    fri_free(p->ids.list);
    fri_free(p);
}

/* ---- sizes --------------------------------------------------------------------------------- */

fr_status fr_part_get_stats(const fr_part *p, fr_part_stats *out) {
    if (!p || FRI_SIZED_CHECK(NULL, fr_part_stats, out))
        return FR_INVALID;
    fr_type weights = p->push->csr.weight_type;
    const fr_part_stats stats = {.n = p->n,
                                 .m = p->m,
                                 .own = p->own,
                                 .own_edges = p->push->csr.m,
                                 .max_edges = p->max_edges,
                                 .read_ns = p->read_ns,
                                 .build_ns = p->build_ns,
                                 .weight_type = weights,
                                 .dist_type = fri_dist_is_real(weights) ? FR_TYPE_F64 : FR_TYPE_I64,
                                 .undirected = p->undirected};
    FRI_SIZED_WRITE(fr_part_stats, &stats, out);
    return FR_OK;
}

int64_t fr_part_vertex_of_own(const fr_part *p, int64_t own_index) {
    if (!p)
        return -1;
    return own_index * p->world->size + p->world->rank;
}

int64_t fr_part_id(const fr_part *p, int64_t vertex) {
    if (!p)
        return -1;
    return p->ids.list ? p->ids.list[vertex] : vertex + p->ids.base;
}

int64_t fr_part_vertex(const fr_part *p, int64_t id) {
    if (!p)
        return -1;
    if (!p->ids.list) { /* in unsigned arithmetic the difference cannot overflow */
        uint64_t vertex = (uint64_t)id - (uint64_t)p->ids.base;
        return vertex < (uint64_t)p->n ? (int64_t)vertex : -1;
    }
    int64_t low = 0, high = p->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (p->ids.list[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->n && p->ids.list[low] == id ? low : -1;
}
