/* The heap and the labels of a search. The heap holds a vertex at most once. A settled vertex returns
 * to it if its distance falls, which happens when rounding makes a lower bound inconsistent. */
#include "cpu/path/typed/search.h"

int32_t fri_search_pop(fri_search *s) {
    if (s->levels)
        return search_take(s);
    s->heap_count--;
    int32_t v = heap_pop(s, s->heap, s->heap_count).v;
    label_of(s, v)->place = PLACE_SETTLED;
    return v;
}

void fri_search_clear(fri_search *s) {
    for (int32_t i = 0; i < s->touched_count; i++)
        label_of(s, s->touched[i])->place = PLACE_NONE;
    s->touched_count = s->heap_count = s->taken = 0;
    s->levels = false;
}

void fri_search_exclude(fri_search *s, int32_t v) {
    s->touched[s->touched_count++] = v;
    label_of(s, v)->place = PLACE_EXCLUDED;
}

/* At most the sum of any path that continues a sum `dist` by edges of `bound` or more: adding the
 * edges one by one may round down at the scale of `dist`. */
static heap_key key_of(const fri_goal *goal, dist_t dist, dist_t bound) {
#if DIST_IS_INTEGER
    (void)goal;
    return (heap_key)dist + (heap_key)bound;
#else
    if (!goal)
        return dist;
    heap_key lowered = (dist + bound) * (1 - rounding_of_sums(goal->router->csr[0].n));
    return FRI_MAX(dist, lowered);
#endif
}

bool fri_search_improve(fri_search *s, const fri_goal *goal, int32_t v, dist_t dist,
                        int32_t parent) {
    label_t *l = label_of(s, v);
    if (l->place == PLACE_EXCLUDED || (l->place != PLACE_NONE && !(dist < l->dist)))
        return false;
    if (s->levels) {
        search_append(s, v, dist, parent);
        return true;
    }
    dist_t bound = goal ? fri_goal_bound(goal, v) : 0;
    if (bound == DIST_INF) {
        fri_search_exclude(s, v);
        return false;
    }
    if (l->place == PLACE_NONE)
        s->touched[s->touched_count++] = v;
    l->dist = dist;
    l->parent = parent;
    heap_sift_up(s, s->heap, l->place > 0 ? l->place - 1 : s->heap_count++,
                 key_of(goal, dist, bound), v);
    return true;
}

void fri_route_expand(fri_search *s, const fr_csr *csr, const fri_goal *goal, int32_t v) {
    dist_t from = label_of(s, v)->dist;
    for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++)
        fri_search_improve(s, goal, csr->targets[e], saturated_sum(from, (dist_t)weight_at(csr, e)),
                           v);
}

weight_t fri_edge_weight(const fr_csr *csr, int32_t u, int32_t v) {
    return weight_at(csr, fri_csr_lower_bound(csr, u, v));
}
