#include "vertex.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool id_read(const char *word, int64_t *id) {
    char *end;
    errno = 0;
    *id = strtoll(word, &end, 10);
    return end != word && !*end && !errno && !isspace((unsigned char)*word);
}

json_t *json_vertex(const fr_graph *graph, int32_t v) {
    const char *name = fr_graph_vertex_name(graph, v);
    return name ? json_string(name) : json_integer(fr_graph_id(graph, v));
}

const char *vertex_text(const fr_graph *graph, int32_t v, vertex_text_buffer *buffer) {
    const char *name = fr_graph_vertex_name(graph, v);
    if (name)
        return name;
    *fr_put_int64(buffer->text, fr_graph_id(graph, v)) = 0;
    return buffer->text;
}

/* ---- files of vertices ------------------------------------------------------------------------ */

static const char blanks[] = " \t\r\n", byte_order_mark[] = "\xef\xbb\xbf";

/* Returns the first word that is wrong, or the end of the line if one is missing; NULL: none. */
static const char *read_line(char *line, text_place place, bool named, int columns,
                             id_list *lists) {
    /* a tab divides names that contain blanks */
    bool whole = named && (columns == 1 || strchr(line + strspn(line, blanks), '\t'));
    const char *between = whole ? "\t\r\n" : blanks, *end = line + strcspn(line, "\r\n");
    char *rest = NULL, *words[2] = {0};
    int64_t id;
    for (int i = 0; i < columns; i++) {
        words[i] = strtok_r(i ? NULL : line, between, &rest);
        if (!words[i] || !(named || id_read(words[i], &id) || id_list_point(words[i])))
            return words[i] ? words[i] : end;
    }
    const char *next = strtok_r(NULL, between, &rest);
    for (int i = 0; i < columns && !next; i++) {
        id_list_add(&lists[i], words[i], strlen(words[i]));
        place.column = column_in_line(line, words[i]);
        lists[i].places[lists[i].count - 1] = place;
    }
    return next;
}

int id_file_read(const char *path, const fr_graph *graph, const char *line, int columns,
                 id_list *lists) {
    FILE *in = strcmp(path, "-") ? fopen(path, "r") : stdin;
    if (!in)
        return cli_fail(errno == ENOENT ? FR_NOT_FOUND : FR_IO, "%s: %m", path);
    char *text = NULL;
    size_t capacity = 0;
    int code = CLI_OK;
    bool named = has_names(graph);
    text_place place = {.path = in == stdin ? "standard input" : path, .line = 1};
    for (; !code && getline(&text, &capacity, in) >= 0; place.line++) {
        bool marked =
            place.line == 1 && strncmp(text, byte_order_mark, sizeof byte_order_mark - 1) == 0;
        char *at = text + (marked ? sizeof byte_order_mark - 1 : 0);
        const char *wrong = NULL;
        if (at[strspn(at, blanks)] != 0 && *at != '#')
            wrong = read_line(at, place, named, columns, lists);
        place.column = wrong ? column_in_line(at, wrong) : 0;
        if (wrong)
            code = cli_fail_at(FR_FORMAT, place, "a line '%s' is expected", line);
    }
    if (!code && ferror(in))
        code = cli_fail(FR_IO, "%s: %m", path);
    free(text);
    if (in != stdin)
        fclose(in);
    return code;
}

static int find_vertex(const session *x, text_place place, const char *word, int32_t *out) {
    bool named = has_names(x->graph);
    if ((x->place || !named) && id_list_point(word))
        return places_find(x, word, out);
    fr_status status = named ? fr_graph_find_vertex(x->ctx, x->graph, word, out) : FR_OK;
    if (!named)
        *out = fr_graph_vertex(x->graph, strtoll(word, NULL, 10));
    if (status && status != FR_NOT_FOUND)
        return cli_fail_ctx(x->ctx, status);
    if (*out < 0)
        return cli_fail_at(FR_NOT_FOUND, place,
                           named ? "no vertex is called \"%s\"" : "no vertex has the id %s", word);
    return CLI_OK;
}

int id_file_vertices(const session *x, const id_list *list, int32_t **out) {
    *out = cli_alloc((size_t)(list->count + 1) * sizeof **out);
    int code = CLI_OK;
    for (int64_t i = 0; i < list->count && !code; i++)
        code = find_vertex(x, list->places[i], list->words[i], *out + i);
    return code;
}
