/* A heap of vertices by key, with four children a node.
 *
 * A file that includes it defines heap_key, and HEAP_MOVED(places, v, at), which is called when vertex v
 * comes to index `at`; HEAP_PLACES is the type of *places.
 */
#ifndef FRI_CPU_HEAP_H
#define FRI_CPU_HEAP_H

#include "base/base.h"

typedef struct heap_node {
    heap_key key;
    int32_t v;
} heap_node;

/* Puts v to index `at`, which is free, or above it. */
static inline void heap_sift_up(HEAP_PLACES *places, heap_node *node, int32_t at, heap_key key,
                                int32_t v) {
    for (; at > 0 && key < node[(at - 1) / 4].key; at = (at - 1) / 4) {
        node[at] = node[(at - 1) / 4];
        HEAP_MOVED(places, node[at].v, at);
    }
    node[at] = (heap_node){key, v};
    HEAP_MOVED(places, v, at);
}

/* Removes the first node; `count`: how many are left. */
static inline heap_node heap_pop(HEAP_PLACES *places, heap_node *node, int64_t count) {
    const heap_node top = node[0], last = node[count];
    int64_t at = 0;
    for (;;) {
        const int64_t child = 4 * at + 1, end = FRI_MIN(child + 4, count);
        int64_t minimum = child;
        for (int64_t c = child + 1; c < end; c++)
            if (node[c].key < node[minimum].key)
                minimum = c;
        if (child >= end || !(node[minimum].key < last.key))
            break;
        node[at] = node[minimum];
        HEAP_MOVED(places, node[at].v, at);
        at = minimum;
    }
    node[at] = last;
    HEAP_MOVED(places, last.v, at);
    return top;
}

#endif
