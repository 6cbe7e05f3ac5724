/* One level of `auto` on the whole grid: converts the frontier as decided, then pushes or pulls. */
#ifndef FRI_CUDA_BFS_AUTO_GRID_LEVEL_CUH
#define FRI_CUDA_BFS_AUTO_GRID_LEVEL_CUH

#include "cuda/bfs/auto/decide.cuh"
#include "cuda/bfs/auto/push_aggregated.cuh"
#include "cuda/bfs/auto/pull.cuh"

/* All threads of the block, after a grid barrier: a count that other SMs wrote before it. One
 * thread reads it for all because L2 serializes reads of one address. */
static __device__ int32_t read_count(const int32_t *count) {
    FRI_SHARED(int32_t, copy, 1);
    if (threadIdx.x == 0)
        *copy = fri_volatile_load(count);
    __syncthreads(); /* the copy is written */
    return *copy;
}

/* All threads of the grid: converts the frontier to the representation that the level needs; ends
 * with a grid barrier. Returns the entries of its queue. */
template <class O>
static __device__ int32_t convert(const bfs_params<O> &p, const bfs_state &s, const decision &dec,
                                  warp_stage<O> *stage, thread_counters<O> *mine) {
    if (dec.clears_bitmap) {
        clear_bitmap(p, s.depth);
        fri_grid_sync(); /* the bitmap is zero */
    }
    if (dec.kind == LEVELS)
        levels_to_bitmap(p, s.depth);
    if (dec.kind == QUEUE)
        queue_to_bitmap(p, s.depth, dec.entries);
    if (dec.kind != BITMAP)
        fri_grid_sync(); /* the bitmap is complete */
    if (dec.bottom_up)
        return 0;
    bitmap_to_queue(p, s.depth, dec.flags.levels_deferred, &p.control->counters[s.phase], stage,
                    mine);
    fri_grid_sync(); /* the queue is complete */
    return read_count(&p.control->counters[s.phase].entries);
}

/* All threads of the grid: one level as decided, except the long rows that a pull leaves. */
template <class O, grid_variant VARIANT>
static __device__ void grid_level(const grid_params<O, VARIANT> &p, const bfs_state &s,
                                  const decision &dec, shared_storage<O> *storage) {
    const bool aggregated = VARIANT == GRID_AGGREGATED;
    word_tile<O> *tile = &storage->word_tiles[fri_warp()];
    chunk_tile<O> *chunks = &storage->push.tile;
    warp_stage<O> *stage = dec.bottom_up ? &tile->stage : &storage->push.stages[fri_warp()];
    int32_t entries = dec.entries;
    level_counters *next = &p.control->counters[fri_next_phase(s.phase)];
    thread_counters<O> mine = {0, 0, 0};
    /* a pull does not buffer hubs: it ends without flush_hubs */
    hub_buffer<O> *hubs = aggregated && !dec.bottom_up ? &storage->push.hubs : nullptr;
    push_output<O> to = {
        {stage, &next->entries, s.depth + 1, 0, hubs}, dec.skip_queue, nullptr, dec.defers_levels};
    if (dec.skip_queue && dec.next_kind == BITMAP)
        to.next_bitmap = p.frontier_bits[(s.depth + 1) & 1];
    if (dec.kind != (dec.bottom_up ? BITMAP : QUEUE))
        entries = convert(p, s, dec, stage, &mine);
    if (dec.bottom_up)
        pull(p, s.depth, dec.flags, tile, next, &to.writer, &mine);
    else if (aggregated)
        push_aggregated(p, s.depth, entries, chunks, storage->push.word_sums[fri_warp()], &to,
                        &mine);
    else
        push(p, s.depth, entries, chunks, &to, &mine);
    commit_level(p, mine, &to.writer, next);
}

/* All threads of the grid, after a pull: the long rows that it left, if any. *dec does not change before
 * the block barriers of commit_level(). */
template <class P, class O>
static __device__ void finish_long_rows(const P &p, const bfs_state &s, const decision *dec,
                                        chunk_tile<O> *chunks) {
    level_counters *next = &p.control->counters[fri_next_phase(s.phase)];
    const int32_t long_chunks = read_count(&next->long_chunks);
    if (long_chunks == 0)
        return;
    thread_counters<O> mine = {0, 0, 0};
    queue_writer<O> none = {nullptr, nullptr, s.depth, 0};
    pull_long_rows(p, s.depth, long_chunks, chunks,
                   dec->flags.also_queues ? &next->entries : nullptr,
                   pull_defers(p, dec->flags), &mine);
    commit_level(p, mine, &none, next);
    fri_grid_sync(); /* the level is complete */
}

#endif
