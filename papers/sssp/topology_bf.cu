/* Bellman-Ford without a frontier: one thread per vertex relaxes all its edges, until no distance
 * falls.
 *
 * Source: the LoneStar strategy of H-BF (Busato, Bombieri, TPDS 2016, section 6.2, Table 2) and the
 *   "queue-less" curve of its Fig. 9; M. Burtscher, R. Nasre, K. Pingali: A quantitative study of
 *   irregular programs on GPUs, IISWC 2012, which it cites [7]. The loop is its Algorithm 1.
 * Idea: in each round every reached vertex offers d(u) + w to all its neighbors by an atomicMin; a
 *   flag records that a distance fell.
 * Differs: vertices not reached are skipped: their edges can lower nothing. A racy test precedes
 *   each atomic. If n is small, up to 32 rounds are launched before the host reads the flag (knob
 *   rounds); rounds after the last one return at once.
 * Needs: nothing.
 * Scratch: none.
 * Work: m per round.
 * Launches: 1 per round.
 * Atomics: one for each edge that seems to lower its end.
 * Good at: few rounds.
 * Bad at: many rounds, hubs (one thread each). Serves as the baseline. */
#include "papers/vertex_queues.cuh"
#include "cuda/prim/distance.cuh"

/* Control words. FLAG: three, used by rounds in turn: a distance fell before this round. */
enum { FLAG = 0, ROUND = 3 };
enum { BLOCK, ROUNDS };
enum { TEST_SPEEDUP = 16 /* vertices tested in the time of one frontier vertex */ };

template <class T>
static __global__ void __launch_bounds__(1024) topology_kernel(fri_sssp_view<T> p, int32_t round) {
    int64_t u = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long edges = 0, relaxed = 0;
    if (!fri_is_live_round(p.control, ROUND, round) || !p.control[FLAG + round % 3])
        return; /* the whole grid returns */
    if (u == 0) {
        fri_racy_store(&p.control[ROUND], round);
        p.control[FLAG + (round + 2) % 3] = 0; /* cleared for the next round */
    }
    /* racy: other threads may lower it; the flag then causes another round */
    typename T::K from = u < p.n ? fri_racy_load(&p.dist[u]) : T::unreached();
    if (from != T::unreached() && from != T::neg_inf()) {
        int64_t end = p.offsets[u + 1];
        edges = (unsigned long long)(end - p.offsets[u]);
        for (int64_t e = p.offsets[u]; e < end; e++)
            relaxed += fri_relax(p, p.targets[e], fri_path_key(p, from, e));
    }
    FRI_COUNT(p, FR_COUNTER_EDGES, edges);
    if (relaxed)
        fri_racy_store(&p.control[FLAG + (round + 1) % 3], 1); /* racy: all write 1 */
    fri_add_stats(p.control, edges, relaxed);
}

static fr_status start_query(fri_gpu *g) {
    fri_gpu_fill(g, &g->control[FLAG + 1], 1, 1);
    return FR_OK;
}

static fr_status run_rounds(fri_gpu *g, int32_t round, int32_t max_rounds,
                            fri_gpu_progress *progress) {
    int block = fri_gpu_block_knob(g, BLOCK);
    int32_t stride = fri_gpu_sssp_rounds_per_check(g, ROUNDS, max_rounds, g->n / TEST_SPEEDUP);
    for (int32_t r = round; r < round + stride; r++)
        FRI_BY_KIND(g, FRI_RUN_EACH((topology_kernel<T>), g->n, block, fri_sssp_view_of<T>(g), r));
    FRI_GPU_TRY(fri_gpu_sssp_read_control(g));
    int32_t last = g->host_control[ROUND];
    progress->levels = last - round + 1;
    progress->found = g->host_control[FLAG + (last + 1) % 3] ? g->n : 0;
    return FR_OK;
}

static const fr_knob knobs[] = {{"block", 256, 32, 1024, "threads per block, whole warps"},
                                FRI_ROUNDS_KNOB,
                                {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {.start_query = start_query, .run_levels = run_rounds};

FRI_GPU_STRATEGY(fri_gpu_sssp_topology_bf) = {
    .name = "topology-bf",
    .source = "Burtscher, Nasre, Pingali: A quantitative study of irregular programs, IISWC 2012",
    .text = "one thread per vertex relaxes all edges, until no distance falls",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_RELAXATIONS) |
              FRI_COUNTER_BIT(FR_COUNTER_ATOMICS),
    FRI_GPU_SSSP_STRATEGY(device_side),
};
