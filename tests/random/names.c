/* Graphs whose vertices have names: read from text that the test writes, looked up, and kept by what makes one graph
 * of another and by the writers. */
#include "measures.h"

#include <stdlib.h>
#include <string.h>

enum { NA_SEPARATOR = RI_FRAME_OPTIONS, NA_CRLF, NA_CLOSED };
static const char *const separators[] = {"tab", "comma", "semicolon", "blank", NULL};
static const ri_option options[] = {
    [NA_SEPARATOR - RI_FRAME_OPTIONS] = {.name = "separator", .kind = RI_NAME, .names = separators},
    [NA_CRLF - RI_FRAME_OPTIONS] = {.name = "crlf"},
    [NA_CLOSED - RI_FRAME_OPTIONS] = {.name = "vertices", .kind = RI_VERTICES},
    {0},
};

enum { NAME = 48 };
typedef struct named {
    ri_case *c;
    char (*name)[NAME]; /* by number of the graph that is read: the order of first appearance */
    int32_t count;
    ri_case again; /* the case with these numbers */
} named;

static bool takes(const ri_case *c) { return c->graph.m > 0 && c->graph.n <= 400; }

static void draw(ri_case *c, ri_rng *rng) {
    ri_of(c, -1, NA_SEPARATOR)->number = ri_below(rng, 4);
    ri_of(c, -1, NA_CRLF)->number = ri_chance(rng, 20);
    me_draw_vertices(c, rng, ri_of(c, -1, NA_CLOSED), ri_below(rng, 20));
}

static void spell(const ri_case *c, int32_t v, char name[NAME]) {
    static const char *const forms[] = {"v%d",       "%d",      "Z\xc3\xbcrich %d",
                                        "a \"%d\",", "#%d;x|y", "a name of more than 16 bytes, %d"};
    snprintf(name, NAME, forms[((int64_t)v + ri_at(c, -1, RI_MADE_DETAIL)) % 6], v);
}

/* In double quotes, with "" for a quote. */
static void put_name(FILE *out, const char *name) {
    fputc('"', out);
    for (; *name; name++)
        fprintf(out, *name == '"' ? "\"\"" : "%c", *name);
    fputc('"', out);
}

static void put_weight(FILE *out, fr_type type, ri_weight w) {
    if (ri_is_real(type))
        fprintf(out, type == FR_TYPE_F32 ? "%.9g" : "%.17g", w.f);
    else
        fprintf(out, "%lld", (long long)w.i);
}

/* The edge list; numbers the vertices. */
static char *write_text(named *s, size_t *size) {
    ri_case *c = s->c;
    const char separator = "\t,; "[ri_at(c, -1, NA_SEPARATOR)];
    int32_t *number = ri_alloc(c, (size_t)c->graph.n * sizeof *number);
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    s->name = ri_alloc(c, (size_t)c->graph.n * sizeof *s->name);
    s->again.graph.edges = ri_alloc(c, (size_t)c->graph.m * sizeof(ri_edge));
    for (int64_t e = 0; e < c->graph.m; e++) {
        const ri_edge *edge = &c->graph.edges[e];
        const int32_t ends[] = {edge->from, edge->to};
        for (int i = 0; i < 2; i++) {
            char name[NAME];
            spell(c, ends[i], name);
            if (!number[ends[i]]) {
                strcpy(s->name[s->count++], name);
                number[ends[i]] = s->count;
            }
            put_name(out, name);
            if (!i || c->graph.type)
                fputc(separator, out);
        }
        if (c->graph.type)
            put_weight(out, c->graph.type, edge->weight);
        fputs(ri_at(c, -1, NA_CRLF) ? "\r\n" : "\n", out);
        s->again.graph.edges[e] = (ri_edge){number[ends[0]] - 1, number[ends[1]] - 1, edge->weight};
    }
    fclose(out);
    RI_FREE_AT_END(c, free, text);
    return text;
}

static fr_graph *load(named *s, const char *text, size_t size) {
    ri_case *c = s->c;
    fr_load_options o = FR_INIT(fr_load_options);
    fr_graph *graph = NULL;
    o.direction = c->graph.undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED;
    o.ids = FR_IDS_STRINGS;
    o.separator = "\t,; "[ri_at(c, -1, NA_SEPARATOR)];
    o.weight_type = c->graph.type;
    o.weights = c->graph.type ? FR_WEIGHTS_FILE : FR_WEIGHTS_NONE;
    RI_OK(c, fr_graph_load_memory(c->ctx, text, size, &o, &graph));
    RI_FREE_AT_END(c, fr_graph_free, graph);
    return graph;
}

/* Vertex v of the graph is vertex from[v] of the one that was read; NULL: v. */
static void check_names(named *s, const fr_graph *graph, int32_t count, const int32_t *from) {
    ri_case *c = s->c;
    int32_t found = 0;
    RI_CHECK(c, fr_graph_vertex_count(graph) == count, "%d vertices, not %d",
             fr_graph_vertex_count(graph), count);
    for (int32_t v = 0; v < count; v++) {
        const char *name = fr_graph_vertex_name(graph, v), *want = s->name[from ? from[v] : v];
        RI_CHECK(c, name && strcmp(name, want) == 0, "vertex %d is called %s, not %s", v,
                 name ? name : "nothing", want);
        RI_OK(c, fr_graph_find_vertex(c->ctx, graph, want, &found));
        RI_CHECK(c, found == v && fr_graph_id(graph, v) == v,
                 "%s is vertex %d with id %lld, not %d", want, found,
                 (long long)fr_graph_id(graph, v), v);
    }
    const fr_status none = RI_DO(c, fr_graph_find_vertex(c->ctx, graph, "nobody", &found));
    RI_CHECK(c, none == FR_NOT_FOUND || ri_is_excused(c, none), "a vertex of no name: %s",
             fr_status_name(none));
}

static void check_derived(named *s, fr_graph *graph) {
    ri_case *c = s->c;
    const ri_setting *some = ri_of(c, -1, NA_CLOSED);
    bool *flags = ri_alloc(c, (size_t)s->count);
    int32_t *kept = ri_alloc(c, (size_t)s->count * sizeof *kept), left = 0;
    fr_graph *made[3] = {NULL};
    for (int64_t i = 0; i < some->count; i++)
        flags[some->list[i] % s->count] = true;
    for (int32_t v = 0; v < s->count; v++)
        if (flags[v])
            kept[left++] = v;
    RI_OK(c, fr_graph_transpose(c->ctx, graph, &made[0]));
    RI_FREE_AT_END(c, fr_graph_free, made[0]);
    check_names(s, made[0], s->count, NULL);
    RI_OK(c, fr_graph_filter(c->ctx, graph, me_bits(c, flags, s->count), NULL, &made[1]));
    RI_FREE_AT_END(c, fr_graph_free, made[1]);
    check_names(s, made[1], s->count, NULL);
    RI_OK(c, fr_graph_subgraph(c->ctx, made[1], kept, left, NULL, &made[2]));
    RI_FREE_AT_END(c, fr_graph_free, made[2]);
    check_names(s, made[2], left, kept);
}

/* A table of all vertices: a header and the names. */
static void check_table(named *s, const fr_graph *graph) {
    ri_case *c = s->c;
    void *bytes = NULL;
    size_t size = 0;
    const fr_column column = {.name = "who", .kind = FR_COLUMN_VERTEX};
    fr_output to = FR_INIT(fr_output);
    to.bytes = &bytes, to.size = &size;
    RI_OK(c, fr_table_write(c->ctx, graph, s->count, &column, 1, &to));
    char *text = ri_alloc(c, size + 1), *line = text;
    memcpy(text, bytes, size);
    fr_memory_free(bytes);
    for (int32_t v = -1; v < s->count; v++) {
        const char *want = v < 0 ? "who" : s->name[v];
        const size_t length = strcspn(line, "\n");
        RI_CHECK(c, length == strlen(want) && strncmp(line, want, length) == 0,
                 "line %d of a table is %.*s, not %s", v + 2, (int)length, line, want);
        line += length + (line[length] == '\n');
    }
    RI_CHECK(c, !*line, "a table has more lines than vertices");
}

static void run(ri_case *c) {
    named s = {.c = c, .again = *c};
    size_t size = 0;
    snprintf(c->what, sizeof c->what, "names");
    ri_context(c);
    s.again.ctx = c->ctx;
    const char *text = write_text(&s, &size);
    fr_graph *graph = load(&s, text, size);
    check_names(&s, graph, s.count, NULL);
    s.again.graph.n = s.count;
    s.again.blocks = c->blocks;
    ri_store(&s.again);
    c->blocks = s.again.blocks;
    me_check_arcs(c, graph, &s.again.stored);
    check_derived(&s, graph);
    check_table(&s, graph);
}

extern const ri_call ri_call_names;
const ri_call ri_call_names = {"names", options, 4, draw, run, takes};
