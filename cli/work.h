/* How much a traversal from a source cannot but do; docs/measuring.md says how it is reckoned. */
#ifndef CLI_WORK_H
#define CLI_WORK_H

#include "json.h"

typedef struct work {
    double levels;
    double vertices, edges; /* reached, and stored edges leaving those */
    double looks;           /* BFS: edge ends looked at, top-down or bottom-up level by level */
} work;

int32_t *work_in_degrees(const fr_csr *csr); /* [n], for the caller to free */
/* level: as BFS leaves them. */
work work_of(const fr_csr *csr, const int32_t *level, const int32_t *in_degree);
/* Of each number the median. */
json_t *work_json(const work *of, int64_t count);
bool work_read(const json_t *line, work *out); /* "work" of a line; false: it has none */

#endif
