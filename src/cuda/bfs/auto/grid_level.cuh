/* One level of `auto` on the whole chip: as chosen, through the forms that it needs. */
#ifndef FRI_CUDA_BFS_AUTO_GRID_LEVEL_CUH
#define FRI_CUDA_BFS_AUTO_GRID_LEVEL_CUH

#include "cuda/bfs/auto/decide.cuh"
#include "cuda/bfs/auto/push_aggregated.cuh"
#include "cuda/bfs/auto/pull.cuh"

/* All threads of the block, after a grid barrier: a count that other SMs wrote before it. One
 * thread reads it for all: reads of one place queue up in L2. */
static __device__ int32_t read_count(const int32_t *count) {
    FRI_SHARED(int32_t, copy, 1);
    if (threadIdx.x == 0)
        *copy = fri_racy_load(count);
    __syncthreads(); /* it is there */
    return *copy;
}

/* The team: the frontier in the form that the level needs; ends with a grid barrier. Entries of its
 * queue. */
template <class O>
static __device__ int32_t convert(const bfs_params<O> &p, const bfs_state &s, const decision &dec,
                                  warp_stage<O> *stage, thread_counters<O> *mine) {
    if (dec.dirty) {
        clear_bitmap(p, s.depth);
        fri_grid_sync(); /* it is empty */
    }
    if (dec.kind == LEVELS)
        levels_to_bitmap(p, s.depth);
    if (dec.kind == QUEUE)
        queue_to_bitmap(p, s.depth, dec.entries);
    if (dec.kind != BITMAP)
        fri_grid_sync(); /* the bitmap is there */
    if (dec.bottom_up)
        return 0;
    bitmap_to_queue(p, s.depth, dec.flags.levels_deferred, &p.control->counters[s.phase], stage,
                    mine);
    fri_grid_sync(); /* the queue is there */
    return read_count(&p.control->counters[s.phase].entries);
}

/* The team: one level, as chosen, but for what a pull puts off. `hot`: pushes mind hot words. */
template <class O>
static __device__ void grid_level(const bfs_params<O> &p, const bfs_state &s, const decision &dec,
                                  shared_storage<O> *storage, bool aggregated) {
    word_tile<O> *tile = &storage->word_tiles[fri_warp()];
    chunk_tile<O> *chunks = &storage->push.tile;
    warp_stage<O> *stage = dec.bottom_up ? &tile->stage : &storage->push.stages[fri_warp()];
    int32_t entries = dec.entries;
    level_counters *next = &p.control->counters[(s.phase + 1) % PHASES];
    thread_counters<O> mine = {0, 0, 0};
    /* a pull's finds are not held back: it ends without flush_hubs */
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

/* The team, after a pull: what it put off, if anything. */
template <class O>
static __device__ void finish_long_rows(const bfs_params<O> &p, const bfs_state &s,
                                        bool also_queues, chunk_tile<O> *chunks) {
    level_counters *next = &p.control->counters[(s.phase + 1) % PHASES];
    const int32_t long_chunks = read_count(&next->long_chunks);
    if (long_chunks == 0)
        return;
    thread_counters<O> mine = {0, 0, 0};
    queue_writer<O> none = {nullptr, nullptr, s.depth, 0};
    pull_long_rows(p, s.depth, long_chunks, chunks, also_queues ? &next->entries : nullptr, &mine);
    commit_level(p, mine, &none, next);
    fri_grid_sync(); /* the level is complete */
}

#endif
