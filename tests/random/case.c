/* A case: its settings, and its text, which --repeat reads. */
#include "case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const ri_option *ri_option_of(const ri_call *call, int option) {
    if (option < RI_FRAME_OPTIONS)
        return &ri_frame_options[option];
    const ri_option *found = call->options;
    for (int i = RI_FRAME_OPTIONS; found->name && i < option; i++)
        found++;
    return found->name ? found : NULL;
}

void *ri_need(size_t bytes) {
    void *made = calloc(1, bytes ? bytes : 1);
    if (!made)
        abort();
    return made;
}

void ri_set_list(ri_setting *setting, const int32_t *values, int64_t count) {
    free(setting->list);
    setting->list = NULL;
    setting->count = count;
    if (count) {
        setting->list = ri_need((size_t)count * sizeof *values);
        memcpy(setting->list, values, (size_t)count * sizeof *values);
    }
}

void ri_set_text(ri_setting *setting, const char *text) {
    free(setting->text);
    setting->text = NULL;
    if (text && *text) {
        setting->text = ri_need(strlen(text) + 1);
        strcpy(setting->text, text);
    }
}

void ri_case_free(ri_case *c) {
    for (int block = 0; block <= RI_ROUNDS; block++)
        for (int i = 0; i < RI_OPTIONS; i++) {
            free(c->of[block][i].text);
            free(c->of[block][i].list);
        }
    free(c->graph.edges);
    *c = (ri_case){0};
}

void ri_case_copy(ri_case *to, const ri_case *from) {
    *to = *from;
    to->graph.edges = ri_need((size_t)from->graph.m * sizeof *from->graph.edges);
    if (from->graph.m)
        memcpy(to->graph.edges, from->graph.edges,
               (size_t)from->graph.m * sizeof *from->graph.edges);
    for (int block = 0; block <= RI_ROUNDS; block++)
        for (int i = 0; i < RI_OPTIONS; i++) {
            const ri_setting *old = &from->of[block][i];
            ri_setting *made = &to->of[block][i];
            made->text = NULL, made->list = NULL;
            ri_set_text(made, old->text);
            ri_set_list(made, old->list, old->count);
        }
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool is_default(const ri_setting *s) {
    return !s->number && s->real == 0 && !s->text && !s->count;
}

bool ri_is_set(const ri_case *c, int block, int option) {
    return !is_default(&c->of[block][option]);
}

static void put_setting(FILE *out, const ri_option *option, const ri_setting *s) {
    fprintf(out, "option %s", option->name);
    switch (option->kind) {
    case RI_NUMBER: fprintf(out, " %" PRId64, s->number); break;
    case RI_REAL: fprintf(out, " %.17g", s->real); break;
    case RI_NAME: fprintf(out, " %s", option->names[s->number]); break;
    case RI_TEXT: fprintf(out, " %s", s->text); break;
    case RI_VERTICES:
    case RI_EDGES:
        for (int64_t i = 0; i < s->count; i++)
            fprintf(out, " %d", s->list[i]);
    }
    fprintf(out, "\n");
}

static void put_block(FILE *out, const ri_case *c, int block) {
    const ri_option *option;
    for (int i = 0; (option = ri_option_of(c->call, i)); i++)
        if (ri_is_set(c, block, i))
            put_setting(out, option, &c->of[block][i]);
}

static void put_edge(FILE *out, const ri_graph *g, const ri_edge *edge) {
    fprintf(out, "%d %d", edge->from, edge->to);
    if (ri_is_real(g->type))
        fprintf(out, " %.17g", edge->weight.f);
    else if (g->type != FR_TYPE_NONE)
        fprintf(out, " %" PRId64, edge->weight.i);
    fprintf(out, "\n");
}

void ri_write_edges(FILE *out, const ri_graph *g) {
    for (int64_t i = 0; i < g->m; i++)
        put_edge(out, g, &g->edges[i]);
}

void ri_write_case(FILE *out, const ri_case *c) {
    fprintf(out, "seed %" PRIu64 " %" PRIu64 "\ncall %s\nvertices %d\ntype %s\n%s\n", c->seed,
            c->number, c->call->name, c->graph.n, fr_type_name(c->graph.type),
            c->graph.undirected ? "undirected" : "directed");
    put_block(out, c, 0);
    for (int round = 0; round < c->rounds; round++) {
        fprintf(out, "round\n");
        put_block(out, c, 1 + round);
    }
    fprintf(out, "edges %" PRId64 "\n", c->graph.m);
    ri_write_edges(out, &c->graph);
}

/* ---- reading ------------------------------------------------------------------------------------ */

static bool find_name(const ri_option *option, const char *text, int64_t *found) {
    for (int64_t i = 0; option->names[i]; i++)
        if (strcmp(option->names[i], text) == 0) {
            *found = i;
            return true;
        }
    return false;
}

static void read_list(ri_setting *s, char *text) {
    int32_t *values = ri_need(strlen(text) * sizeof *values + sizeof *values);
    int64_t count = 0;
    for (char *end; *text; text = end) {
        long value = strtol(text, &end, 10);
        if (end == text)
            break;
        values[count++] = (int32_t)value;
    }
    ri_set_list(s, values, count);
    free(values);
}

static bool read_setting(ri_case *c, int block, char *line) {
    char *value = strchr(line, ' ');
    const ri_option *option;
    if (!value || !c->call)
        return false;
    *value++ = 0;
    for (int i = 0; (option = ri_option_of(c->call, i)); i++)
        if (strcmp(option->name, line) == 0) {
            ri_setting *s = &c->of[block][i];
            switch (option->kind) {
            case RI_NUMBER: s->number = strtoll(value, NULL, 10); return true;
            case RI_REAL: s->real = strtod(value, NULL); return true;
            case RI_NAME: return find_name(option, value, &s->number);
            case RI_TEXT: ri_set_text(s, value); return true;
            case RI_VERTICES:
            case RI_EDGES: read_list(s, value); return true;
            }
        }
    return false;
}

static fr_type type_named(const char *name) {
    for (fr_type t = FR_TYPE_I32; t <= FR_TYPE_F64; t++)
        if (strcmp(fr_type_name(t), name) == 0)
            return t;
    return FR_TYPE_NONE;
}

static bool read_edges(FILE *in, ri_graph *g) {
    g->edges = ri_need((size_t)g->m * sizeof *g->edges);
    for (int64_t i = 0; i < g->m; i++) {
        ri_edge *e = &g->edges[i];
        char text[64] = "1";
        if (fscanf(in, "%d %d", &e->from, &e->to) != 2 ||
            (g->type != FR_TYPE_NONE && fscanf(in, "%63s", text) != 1))
            return false;
        if (ri_is_real(g->type))
            e->weight.f = strtod(text, NULL);
        else
            e->weight.i = strtoll(text, NULL, 10);
    }
    return true;
}

/* One line before the edges. */
static bool read_line(ri_case *c, int *block, char *line) {
    char *value = strchr(line, ' ') ? strchr(line, ' ') + 1 : line + strlen(line);
    if (strncmp(line, "option ", 7) == 0)
        return read_setting(c, *block, value);
    if (strncmp(line, "seed ", 5) == 0)
        return sscanf(value, "%" SCNu64 " %" SCNu64, &c->seed, &c->number) == 2;
    if (strncmp(line, "vertices ", 9) == 0)
        return sscanf(value, "%d", &c->graph.n) == 1;
    if (strncmp(line, "edges ", 6) == 0)
        return sscanf(value, "%" SCNd64, &c->graph.m) == 1;
    if (strcmp(line, "round") == 0)
        return (*block = ++c->rounds) <= RI_ROUNDS;
    if (strncmp(line, "type ", 5) == 0)
        c->graph.type = type_named(value);
    else if (strncmp(line, "call ", 5) == 0)
        c->call = ri_call_named(value);
    else
        c->graph.undirected = strcmp(line, "undirected") == 0;
    return true;
}

bool ri_read_case(FILE *in, ri_case *c) {
    char *line = NULL;
    size_t capacity = 0;
    int block = 0;
    bool fine = true, edges = false;
    *c = (ri_case){0};
    while (fine && !edges && getline(&line, &capacity, in) > 0) {
        line[strcspn(line, "\n")] = 0;
        fine = read_line(c, &block, line);
        edges = strncmp(line, "edges ", 6) == 0;
        if (!fine)
            fprintf(stderr, "cannot read: %s\n", line);
    }
    free(line);
    return fine && edges && c->call && read_edges(in, &c->graph);
}
