#include "vertex.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

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
    *put_int64(buffer->text, fr_graph_id(graph, v)) = 0;
    return buffer->text;
}
