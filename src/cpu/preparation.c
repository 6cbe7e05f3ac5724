#include "cpu/preparation.h"

bool fri_preparation_pays(const fri_preparation *p) {
    if (p->queries >= p->expected)
        return p->queries > 0 && p->saved_ns >= p->cost_ns;
    double per_query = p->queries ? p->saved_ns / (double)p->queries : p->first_saved_ns;
    return per_query * (double)(p->expected - p->queries) > p->cost_ns;
}
