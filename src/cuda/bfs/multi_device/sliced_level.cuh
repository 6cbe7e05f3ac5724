/* Top-down levels of `multi-device` from hubs: as auto/push_sliced.cuh, on the grid of one device, whose
 * blocks each hold the bits of a slice of its own vertices. The frontier is in lists. */
#ifndef FRI_CUDA_BFS_MULTI_DEVICE_SLICED_LEVEL_CUH
#define FRI_CUDA_BFS_MULTI_DEVICE_SLICED_LEVEL_CUH

#include "cuda/bfs/auto/hub_slices.cuh"
#include "cuda/bfs/multi_device/level.cuh"

/* All threads of the grid: lists the hubs among the frontier's rows, and queues the other rows. */
template <class O>
static __device__ void split_lists(const slice_params<O> &p, int32_t depth, int phase,
                                   const slice_decision &d, slice_counters<O> *mine) {
    const int64_t all = entries_of(d, p.joint.devices);
    for (int64_t first = (int64_t)fri_grid_warp() * FRI_WARP; first < all;
         first += (int64_t)fri_grid_warps() * FRI_WARP) {
        const int64_t i = first + fri_lane();
        edge_chunk row = i < all ? row_of_entry(p, depth, d, i) : edge_chunk{0, 0, 0};
        const bool is_hub = row.count >= fri_hub_min_degree(p.by_slice.slices);
        int total, before = fri_warp_prefix_count(is_hub, &total);
        const int32_t base =
            total ? fri_reserve(&p.control->counters[phase].sliced_hubs, total) : 0;
        if (is_hub) {
            p.by_slice.hubs[base + before] = row;
            mine->edges_scanned += (edge_sum<O>)row.count;
            row.count = 0;
        }
        append_chunks(p.own.queue[depth & 1], &p.control->counters[phase].entries, row.v, row.begin,
                      row.count);
    }
}

/* All threads of the grid, after a barrier: a block pushes the hubs' edges to its slice, and finishes the
 * slice's words. The next bitmap holds what was visited before the level. */
template <class O>
static __device__ void push_own_slice(const slice_params<O> &p, int32_t depth,
                                      const slice_decision &d, int phase, int32_t hubs,
                                      slice_counters<O> *mine) {
    FRI_SHARED_DYNAMIC(uint32_t, bits);
    FRI_SHARED(int32_t, taken, 1); /* hubs that warps of the block have taken */
    const int32_t slice = (int32_t)blockIdx.x, first = slice * p.by_slice.slice_words;
    const int32_t words = FRI_MIN(words_of(p.own.n) - first, p.by_slice.slice_words);
    uint32_t *next = own_bits(p, depth + 1);
    if (slice >= p.by_slice.slices)
        return;
    FRI_UNROLL_BY(8)
    for (int32_t i = (int32_t)threadIdx.x; i < words; i += (int32_t)blockDim.x)
        bits[i] = p.own.visited[first + i];
    if (threadIdx.x == 0)
        *taken = 0;
    __syncthreads(); /* the slice's bits are loaded */
    push_hubs(p.own, p.by_slice, slice, hubs, bits, taken);
    __syncthreads(); /* the slice's bits are complete */
    for (int32_t begin = fri_warp() * FRI_WARP; begin < words; begin += (int32_t)blockDim.x) {
        const int32_t i = begin + fri_lane();
        uint32_t found = 0;
        if (i < words) {
            found = bits[i] & ~next[first + i];
            p.own.visited[first + i] = bits[i];
            next[first + i] = found;
        }
        if (__any_sync(FRI_FULL_MASK, found != 0))
            finish_words(p, depth, d, first + begin, {found, 0, 0}, phase, mine);
    }
}

/* All threads of the grid. False: a device has given up. */
template <class O>
static __device__ bool sliced_level(const slice_params<O> &p, int32_t depth, int phase,
                                    const slice_decision &d, shared_storage<O> *storage,
                                    fri_joint_state *joint, slice_counters<O> *mine) {
    push_output<O> to = {
        {&storage->push.stages[fri_warp()], nullptr, depth + 1, 0, nullptr}, true, nullptr, true};
    save_visited(p, depth);
    split_lists(p, depth, phase, d, mine);
    if (!fri_joint_grid_sync(p.joint, joint)) /* the hubs and the queue are complete */
        return false;
    const int32_t hubs = read_count(&p.control->counters[phase].sliced_hubs);
    find_slice_ends(p.own, p.by_slice, hubs);
    __syncthreads(); /* all have read the number of hubs */
    const int32_t entries = read_count(&p.control->counters[phase].entries);
    push(p.own, depth, entries, &storage->push.tile, &to, mine);
    mine->vertices = 0;                       /* push_own_slice() counts them */
    if (!fri_joint_grid_sync(p.joint, joint)) /* the slices' ends are known, the claims made */
        return false;
    push_own_slice(p, depth, d, fri_next_phase(phase), hubs, mine);
    return true;
}

#endif
