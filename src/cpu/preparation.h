/* When a preparation of the graph pays for itself: a pure function. */
#ifndef FRI_CPU_PREPARATION_H
#define FRI_CPU_PREPARATION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fri_preparation {
    double cost_ns;        /* expected time of the preparation */
    double first_saved_ns; /* expected saving of a query, before any was solved */
    double saved_ns;       /* what the queries so far would have saved */
    int64_t queries;       /* so far */
    int64_t expected;      /* queries in total; 0: unknown */
} fri_preparation;

/* Whether to prepare before the next query. Queries in total unknown, or more than expected: once
 * the queries so far would have saved the cost, so that the time spent is at most twice the minimum
 * possible. Known: if the remaining queries will save the cost. */
static inline bool fri_preparation_pays(const fri_preparation *p) {
    if (p->queries >= p->expected)
        return p->queries > 0 && p->saved_ns >= p->cost_ns;
    double per_query = p->queries ? p->saved_ns / (double)p->queries : p->first_saved_ns;
    return per_query * (double)(p->expected - p->queries) > p->cost_ns;
}

#endif
