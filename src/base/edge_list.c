#include "base/edge_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends to `to`, which has FRI_NOTE_BYTES. */
static void append(char *to, const char *format, va_list args) {
    size_t used = strlen(to);
    if (used)
        used += (size_t)snprintf(to + used, FRI_NOTE_BYTES - used, "; ");
    if (used >= FRI_NOTE_BYTES)
        return;
    vsnprintf(to + used, FRI_NOTE_BYTES - used, format, args);
    for (char *c = to; *c; c++) /* terminals show it */
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

void fri_edge_list_note(fri_edge_list *edges, const char *format, ...) {
    va_list args;
    va_start(args, format);
    append(edges->note, format, args);
    va_end(args);
}

void fri_edge_list_warn(fri_edge_list *edges, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    append(edges->note, format, args);
    append(edges->warning, format, again);
    va_end(again);
    va_end(args);
}

void fri_edge_list_free(fri_edge_list *edges) {
    for (int i = 0; i < edges->block_count; i++) {
        fri_free(edges->blocks[i].ends);
        fri_free(edges->blocks[i].weights);
    }
    fri_free(edges->blocks);
    fri_free(edges->ids.list);
    fri_names_free(edges->ids.names);
    *edges = (fri_edge_list){0};
}

int64_t fri_edge_list_count(const fri_edge_list *edges) {
    int64_t count = 0;
    for (int i = 0; i < edges->block_count; i++)
        count += edges->blocks[i].count;
    return count;
}
