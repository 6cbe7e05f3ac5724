#include "base/edges.h"

void fri_edges_free(fri_edges *edges) {
    for (int i = 0; i < edges->block_count; i++) {
        fri_free(edges->blocks[i].ends);
        fri_free(edges->blocks[i].weights);
    }
    fri_free(edges->blocks);
    fri_free(edges->ids.list);
    *edges = (fri_edges){0};
}

int64_t fri_edges_count(const fri_edges *edges) {
    int64_t count = 0;
    for (int i = 0; i < edges->block_count; i++)
        count += edges->blocks[i].count;
    return count;
}
