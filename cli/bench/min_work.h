/* The minimum work of a traversal from a source; docs/benchmarking.md has the formulas. */
#ifndef CLI_MIN_WORK_H
#define CLI_MIN_WORK_H

#include "cli/io/json.h"

typedef struct min_work {
    double levels;
    double vertices, edges; /* reached vertices, and their stored edges */
    double edge_checks;     /* BFS: the cheaper of top-down and bottom-up in each level */
} min_work;

int32_t *min_work_in_degrees(const fr_csr *csr); /* [n], malloc'd */
/* level: the levels of BFS, -1 if unreached. */
min_work min_work_of(const fr_csr *csr, const int32_t *level, const int32_t *in_degree);
/* The median of each member. */
json_t *min_work_json(const min_work *of, int64_t count);
bool min_work_read(const json_t *line, min_work *out); /* reads "min_work" of a line;
                                                          false if it has none */

#endif
