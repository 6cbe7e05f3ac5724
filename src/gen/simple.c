/* Deterministic graphs: path, star, clique, tree. Undirected; the work is the number of edges. */
#include "gen/generator.h"

/* The parent of each vertex except the first: a path has arity 1, a star arity n-1. */
static int64_t emit_tree(const void *state, int64_t begin, int64_t end, int32_t *ends) {
    int64_t arity = *(const int64_t *)state;
    for (int64_t i = begin; ends && i < end; i++, ends += 2) {
        ends[0] = (int32_t)(i / arity);
        ends[1] = (int32_t)(i + 1);
    }
    return end - begin;
}

static fr_status make_arity(fri_gen_args *args, int64_t n, int64_t arity) {
    int64_t edges = FRI_MAX(n - 1, 0);
    fr_status status = fri_gen_size(args, n, edges);
    if (status)
        return status;
    args->edges->undirected = true;
    return fri_gen_emit_parallel(args, edges, 1, true, emit_tree, &arity);
}

#define PATH(P) P(n, FRI_PARAM_INT, 1000, 0, 2147483647, "vertices")
#define TREE(P)                                                                                    \
    P(n, FRI_PARAM_INT, 1000, 0, 2147483647, "vertices")                                           \
    P(arity, FRI_PARAM_INT, 2, 1, 2147483647, "children of a vertex")

static fr_status make_path(fri_gen_args *args) { return make_arity(args, args->value[0].whole, 1); }
static fr_status make_star(fri_gen_args *args) {
    return make_arity(args, args->value[0].whole, FRI_MAX(args->value[0].whole, 1));
}
static fr_status make_tree(fri_gen_args *args) {
    return make_arity(args, args->value[0].whole, args->value[1].whole);
}

static int64_t emit_clique(const void *state, int64_t begin, int64_t end, int32_t *ends) {
    int64_t n = *(const int64_t *)state;
    if (!ends)
        return (end - begin) * (n - 1) - (end * (end - 1) - begin * (begin - 1)) / 2;
    int32_t *at = ends;
    for (int64_t u = begin; u < end; u++)
        for (int64_t v = u + 1; v < n; v++, at += 2) {
            at[0] = (int32_t)u;
            at[1] = (int32_t)v;
        }
    return (at - ends) / 2;
}

static fr_status make_clique(fri_gen_args *args) {
    int64_t n = args->value[0].whole;
    fr_status status = fri_gen_size(args, n, n * (n - 1) / 2);
    if (status)
        return status;
    args->edges->undirected = true;
    return fri_gen_emit_parallel(args, n, n, false, emit_clique, &n);
}

FRI_GENERATOR(fri_gen_path, "path", "vertices in a row, undirected", PATH, make_path);
FRI_GENERATOR(fri_gen_star, "star", "vertex 0 joined to all others, undirected", PATH, make_star);
FRI_GENERATOR(fri_gen_clique, "clique", "every two vertices joined, undirected", PATH, make_clique);
FRI_GENERATOR(fri_gen_tree, "tree", "complete tree below vertex 0, undirected", TREE, make_tree);
