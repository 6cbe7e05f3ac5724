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

static bool read_line(char *line, int64_t number, bool named, int columns, id_list *lists) {
    /* a tab divides names that contain blanks */
    bool whole = named && (columns == 1 || strchr(line + strspn(line, blanks), '\t'));
    const char *between = whole ? "\t\r\n" : blanks;
    char *rest = NULL, *words[2] = {0};
    int64_t id;
    for (int i = 0; i < columns; i++) {
        words[i] = strtok_r(i ? NULL : line, between, &rest);
        if (!words[i] || !(named || id_read(words[i], &id) || id_list_point(words[i])))
            return false;
    }
    if (strtok_r(NULL, between, &rest))
        return false;
    for (int i = 0; i < columns; i++) {
        id_list_add(&lists[i], words[i], strlen(words[i]));
        lists[i].lines[lists[i].count - 1] = number;
    }
    return true;
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
    for (int64_t number = 1; !code && getline(&text, &capacity, in) >= 0; number++) {
        bool marked =
            number == 1 && strncmp(text, byte_order_mark, sizeof byte_order_mark - 1) == 0;
        char *at = text + (marked ? sizeof byte_order_mark - 1 : 0);
        if (at[strspn(at, blanks)] != 0 && *at != '#' &&
            !read_line(at, number, named, columns, lists))
            code = cli_fail(FR_FORMAT, "%s:%lld: a line '%s' is expected", path, (long long)number,
                            line);
    }
    if (!code && ferror(in))
        code = cli_fail(FR_IO, "%s: %m", path);
    free(text);
    if (in != stdin)
        fclose(in);
    return code;
}

static int find_vertex(const session *x, const char *path, int64_t line, const char *word,
                       int32_t *out) {
    bool named = has_names(x->graph);
    if ((x->place || !named) && id_list_point(word))
        return places_find(x, word, out);
    fr_status status = named ? fr_graph_find_vertex(x->ctx, x->graph, word, out) : FR_OK;
    if (!named)
        *out = fr_graph_vertex(x->graph, strtoll(word, NULL, 10));
    if (status && status != FR_NOT_FOUND)
        return cli_fail_ctx(x->ctx, status);
    if (*out < 0)
        return cli_fail(FR_NOT_FOUND,
                        named ? "%s:%lld: no vertex is called \"%s\""
                              : "%s:%lld: no vertex has the id %s",
                        path, (long long)line, word);
    return CLI_OK;
}

int id_file_vertices(const char *path, const session *x, const id_list *list, int32_t **out) {
    *out = cli_alloc((size_t)(list->count + 1) * sizeof **out);
    int code = CLI_OK;
    for (int64_t i = 0; i < list->count && !code; i++)
        code = find_vertex(x, path, list->lines[i], list->words[i], *out + i);
    return code;
}
