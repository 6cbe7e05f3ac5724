#include "base/edge_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fri_edge_list_note(fri_edge_list *edges, const char *format, ...) {
    size_t used = strlen(edges->note), capacity = sizeof edges->note;
    if (used)
        used += (size_t)snprintf(edges->note + used, capacity - used, "; ");
    if (used >= capacity)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(edges->note + used, capacity - used, format, args);
    va_end(args);
    for (char *c = edges->note; *c; c++) /* terminals show the note */
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
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
