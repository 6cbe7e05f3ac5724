/* A binary heap of vertices by distance. It keeps outdated entries: no vertex is moved up. */
#ifndef PF_HEAP_H
#define PF_HEAP_H

#include <stdint.h>

typedef struct {
    double dist;
    int32_t vertex;
} pf_entry;

/* held: entries before the call. */
static inline void pf_heap_push(pf_entry *heap, int64_t held, double dist, int32_t vertex) {
    int64_t i = held;
    for (; i > 0 && heap[(i - 1) / 2].dist > dist; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = (pf_entry){dist, vertex};
}

/* held: entries before the call, at least one. */
static inline pf_entry pf_heap_pop(pf_entry *heap, int64_t held) {
    const pf_entry top = heap[0], last = heap[--held];
    int64_t i = 0;
    for (int64_t child = 1; child < held; child = 2 * i + 1) {
        child += child + 1 < held && heap[child + 1].dist < heap[child].dist;
        if (last.dist <= heap[child].dist)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

#endif
