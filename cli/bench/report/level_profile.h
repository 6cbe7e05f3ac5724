/* What the levels of a traversal were like, in as little as a plot and a table need. */
#ifndef CLI_LEVEL_PROFILE_H
#define CLI_LEVEL_PROFILE_H

#include "fringe.h"

typedef struct level_point { /* of neighbouring levels the greatest */
    int64_t frontier, edges;
    int kind; /* index of the first level's choice among those that differ */
} level_point;

typedef struct level_span { /* neighbouring levels of one choice: sums */
    char method[40];
    int kind;
    int64_t first, last, frontier, edges, ns;
} level_span;

enum { PROFILE_POINTS = 400, PROFILE_SPANS = 60 };

typedef struct level_profile {
    int64_t levels, point_count, span_count; /* span_count: may be more than are kept */
    bool has_edges, has_times;               /* some strategies for the GPU tell neither */
    level_point *points;                     /* [point_count] */
    level_span *spans;                       /* [least of span_count and PROFILE_SPANS] */
} level_profile;

level_profile level_profile_of(const fr_solver *solver);
void level_profile_free(level_profile *p);

#endif
