/* How much a traversal from a source cannot but do; docs/measuring.md says how it is reckoned. */
#ifndef CLI_MIN_WORK_H
#define CLI_MIN_WORK_H

#include "cli/io/json.h"

typedef struct min_work {
    double levels;
    double vertices, edges; /* reached, and stored edges leaving those */
    double edge_checks;     /* BFS: edge ends looked at, top-down or bottom-up level by
                                     level */
} min_work;

int32_t *min_work_in_degrees(const fr_csr *csr); /* [n], for the caller to free */
/* level: as BFS leaves them. */
min_work min_work_of(const fr_csr *csr, const int32_t *level, const int32_t *in_degree);
/* Of each number the median. */
json_t *min_work_json(const min_work *of, int64_t count);
bool min_work_read(const json_t *line, min_work *out); /* "min_work" of a line; false: it has
                                                          none */

#endif
