/* Edge classes of hbf (section 4.1): marking them in preparation, and what they leave for the end.
 * See hbf.cu. */
#ifndef FRI_HBF_CLASSES_CUH
#define FRI_HBF_CLASSES_CUH

#include "cuda/sssp/hbf_relax.cuh"

static __global__ void __launch_bounds__(1024)
    count_ends_kernel(fri_sssp_view<fri_i32> p, int32_t *in_degree) {
    FRI_EACH_EDGE(p, u, e) {
        if (p.targets[e] != u && fri_racy_load(&in_degree[p.targets[e]]) < 2) /* 2: or more */
            atomicAdd(&in_degree[p.targets[e]], 1);
    }
}

static __global__ void __launch_bounds__(1024)
    mark_kernel(fri_sssp_view<fri_i32> p, const int32_t *in_degree, int leaf_degree,
                int32_t *targets) {
    FRI_EACH_EDGE(p, u, e) {
        int32_t v = targets[e];
        int kind = u == v                                           ? HBF_LOOP
                   : p.offsets[v + 1] - p.offsets[v] <= leaf_degree ? HBF_LEAF
                   : in_degree[v] == 1                              ? HBF_SINGLE
                                                                    : HBF_PLAIN;
        if (kind == HBF_LEAF)
            fri_racy_store(&p.control[HBF_LEAVES], 1); /* racy: all write 1 */
        targets[e] = (int32_t)((uint32_t)v | (uint32_t)kind << HBF_CLASS_SHIFT);
    }
}

/* Section 4.1, class 4: what was left out gets its distance from all its neighbours, or from the
 * only one it has: then nobody else writes it. */
template <class T>
static __global__ void __launch_bounds__(1024) close_kernel(fri_sssp_view<T> p, bool only) {
    unsigned long long edges = 0, relaxed = 0;
    FRI_EACH_EDGE(p, u, e) {
        int32_t target = p.targets[e], v = target & p.mask;
        if ((int)((uint32_t)target >> HBF_CLASS_SHIFT) != HBF_LEAF)
            continue;
        typename T::K from = fri_racy_load(&p.dist[u]); /* racy: u may be a leaf beside a source */
        if (from == T::far())
            continue;
        edges++;
        typename T::K s = fri_path_key(p, from, e);
        bool falls =
            only ? T::decreases(s, fri_racy_load(&p.dist[v]), p.slack) : fri_relax(p, v, s);
        if (only && falls) {
            FRI_COUNT(p, FR_COUNT_RELAXATIONS, 1);
            fri_racy_store(&p.dist[v], s);
        }
        relaxed += falls;
    }
    FRI_COUNT(p, FR_COUNT_EDGES, edges);
    fri_add_stats(p.control, edges, relaxed);
}

#endif
