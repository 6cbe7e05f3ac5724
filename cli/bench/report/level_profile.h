/* The levels of a traversal, reduced to what the plot and the table show. */
#ifndef CLI_LEVEL_PROFILE_H
#define CLI_LEVEL_PROFILE_H

#include "fringe.h"

typedef struct level_point { /* the maximum of several consecutive levels */
    int64_t frontier, edges;
    int kind; /* index of the first level's method among the different ones */
} level_point;

typedef struct level_span { /* sums over consecutive levels of one method */
    char method[40];
    int kind;
    int64_t first, last, frontier, edges, ns;
} level_span;

enum { PROFILE_POINTS = 400, PROFILE_SPANS = 60 };

typedef struct level_profile {
    int64_t levels, point_count, span_count; /* span_count may exceed the number kept */
    bool has_edges, has_times;               /* some GPU strategies record neither */
    level_point *points;                     /* [point_count] */
    level_span *spans;                       /* [min(span_count, PROFILE_SPANS)] */
} level_profile;

level_profile level_profile_of(const fr_solver *solver);
void level_profile_free(level_profile *p);

#endif
