/* Rounds of SSSP `auto` on rows sorted by weight, for small-world graphs: the GPU's version of spira-window
 * (cpu/sssp/typed/spira_window.c). Pushes read the out-rows, pulls the in-rows: of an undirected graph the same.
 *
 * Windows: an edge u -> v is examined once dist[u] + w is within the window, so only the first edges
 *   of rows are, and no vertex beyond the window gets a distance. A round pushes from the pending
 *   vertices. When few are left the window moves: in that round a scan queues all reached vertices,
 *   and the next one continues their rows where the last window ended (`again`).
 * Pull: when few edges lead to vertices that are not reached, each of these scans its row until the weight
 *   alone exceeds the best path. All others are final, but for what entries that are left lower later,
 *   and not beyond window_end; so another vertex that was not reached can lower it only over edges
 *   lighter than what its distance exceeds window_end by: only the few whose first edge is as light
 *   are candidates.
 * Correct: the candidates pull again, now with window_end as lower bound.
 * Rest: what fell and what was left pushes whole rows, until nothing falls: some hundredths of all vertices.
 * If most edges lead to vertices that `max_windows` windows have not reached, the graph is not a small world:
 * STAGE_GAVE_UP.
 * Called by: auto.cu. */
#ifndef FRI_CUDA_SSSP_AUTO_WINDOWS_CUH
#define FRI_CUDA_SSSP_AUTO_WINDOWS_CUH

#include "cuda/sssp/auto/pull.cuh"

enum { STAGE_WINDOWS, STAGE_PULL, STAGE_CORRECT, STAGE_REST, STAGE_GAVE_UP };
/* The window moves once it has fewer than this part of the edges examined in it. Earlier, vertices would push
 * again in a wider window. */
#ifdef FRI_SIMT /* entries are left on small graphs, too */
static const unsigned FEW_LEFT = 2;
#else
static const unsigned FEW_LEFT = 256;
#endif
/* Entries that may be left when the pull begins: they push whole rows after it. */
static const unsigned VERY_FEW = 64;

/* ---- decision ---- */

/* Whether pulling what is left costs less than another window, or too many windows have passed. */
template <class T> static __device__ bool pull_pays(const sssp_params<T> &p, const sssp_state &s) {
    return s.windows >= p.max_windows ||
           (double)s.unreached_edges < p.pull_factor * (double)s.window_edges;
}

/* One thread of each block: whether the window moves or the pull begins, neither in the round that continues
 * the rows of the last move. */
template <class T>
static __device__ void decide_window(const sssp_params<T> &p, sssp_state *s,
                                     const round_counters &now) {
    const unsigned long long left = now.near_count + now.chunk_count;
    const bool continues = s->window_moved != 0;
    s->window_moved = 0;
    s->window_edges += now.edges;
    s->unreached_edges -= (long long)now.reached_edges;
    if (continues || s->scans_all || s->far_min == NO_KEY || left * FEW_LEFT > s->window_edges)
        return;
    if (pull_pays(p, *s)) {
        if (left > VERY_FEW)
            return;
        s->stage = s->windows >= p.max_windows && 2 * s->unreached_edges > p.view.m ? STAGE_GAVE_UP
                                                                                    : STAGE_PULL;
        s->far_min = NO_KEY;
        return;
    }
    s->windows++;
    s->window_moved = 1;
    s->range_from = s->window_end;
    s->window_end = T::add_width((typename T::K)FRI_MAX(s->far_min, s->window_end), s->delta);
    s->window_edges = 0;
}

/* One thread of each block: the next round. */
template <class T>
static __device__ void decide_sorted_round(const sssp_params<T> &p, sssp_state *s,
                                           const round_counters &now) {
    s->scans_all = now.near_count > p.near_capacity || now.chunk_count > p.chunk_capacity;
    if (s->stage == STAGE_WINDOWS) {
        decide_window(p, s, now);
        return;
    }
    /* without all candidates everything reached pushes */
    s->stage = s->stage == STAGE_PULL && !s->scans_all ? STAGE_CORRECT : STAGE_REST;
    if (s->stage == STAGE_REST)
        s->window_end = T::unreached() - 1;
}

static __device__ __forceinline__ int sorted_method(const sssp_state &s) {
    return s.stage == STAGE_PULL      ? METHOD_PULL
           : s.stage == STAGE_CORRECT ? METHOD_CORRECT
           : s.stage == STAGE_REST    ? METHOD_REST
           : s.window_moved           ? METHOD_WINDOW_MOVED
                                      : METHOD_WINDOW;
}

template <class T>
static __device__ void begin_sorted_round(const sssp_params<T> &p, int32_t done,
                                          block_round<T> *round) {
    read_counters(p, done, round);
    if (round->more)
        decide_sorted_round(p, &round->s, round->now);
    round->more = round->more && round->s.stage != STAGE_GAVE_UP;
    fri_trace_level(p.trace, done, round->now.near_count + round->now.chunk_count, 0,
                    sorted_method(round->s), 0);
    if (done)
        fri_trace_edges_before(p.trace, done, round->now.edges);
    begin_block_round(p, round);
}

/* ---- windows ---- */

/* One thread: the edges of the part [e, end) of a row that are within the window now and, if `again`, were
 * not before it moved; *begin is the first. */
template <class T>
static __device__ __forceinline__ int
window_part(const sssp_params<T> &p, const block_queues<T> &q, typename T::K d, bool again,
            int64_t e, int64_t end, int64_t *begin, thread_counters<T> *mine) {
    bool low = false;
    *begin = again ? first_beyond(p, d, (typename T::K)q.round->s.range_from, e, end) : e;
    int64_t last = first_beyond(p, d, q.round->window_end, *begin, end);
    if (last < end) /* what the next window begins with */
        mine->far_min = FRI_MIN(mine->far_min, T::sum(d, edge_weight(p, last), p.view.cap, &low));
    return (int)(last - *begin);
}

/* Whole warp: the lanes' chunks. Of a tile that is to be searched, what is within the window; if that is
 * more than a chunk, it is queued for the next round. */
template <class T>
static __device__ int take_chunk(const sssp_params<T> &p, const block_queues<T> &q, chunk_entry *y,
                                 thread_counters<T> *mine) {
    typedef typename T::K K;
    const bool again = y->v < 0, searches = y->count < 0;
    y->v = again ? ~y->v : y->v;
    /* racy: later decreases are queued as well */
    int count = fri_racy_load(&p.view.dist[y->v]) == (K)y->d ? y->count : 0;
    if (searches)
        count = window_part(p, q, (K)y->d, again, y->begin, y->begin - count, &y->begin, mine);
    const bool long_part = searches && count > CHUNK_EDGES;
    if (long_part)
        mine->near_min = FRI_MIN(mine->near_min, (K)y->d);
    if (__any_sync(FRI_FULL_MASK, long_part))
        append_chunks(p, q, false, y->v, (K)y->d, y->begin, long_part ? count : 0);
    return long_part ? 0 : count;
}

/* Whole warp: the lanes' entries that wait for the next round. */
template <class T>
static __device__ __forceinline__ void keep_entries(const block_queues<T> &q, const bool (&on)[1],
                                                    const entry<typename T::K> &x,
                                                    thread_counters<T> *mine) {
    const int32_t v[] = {(int32_t)x.v};
    const typename T::K d[] = {x.d};
    if (on[0])
        mine->near_min = FRI_MIN(mine->near_min, x.d);
    append_near(q, on, v, d);
}

/* Whole warp: the lanes' entries, ~v for a row that continues. As filter_entry(). */
template <class T>
static __device__ int take_sorted(const sssp_params<T> &p, const block_queues<T> &q, bool on,
                                  entry<typename T::K> *x, int64_t *begin,
                                  thread_counters<T> *mine) {
    const bool again = x->v < 0;
    x->v = again ? ~x->v : x->v;
    const int64_t row = on ? p.view.offsets[x->v] : 0;
    int64_t end = on ? p.view.offsets[x->v + 1] : 0;
    /* racy: later decreases are queued as well */
    if (on && fri_racy_load(&p.view.dist[x->v]) != x->d)
        end = row;
    const int64_t part = FRI_MIN(end, tile_end(row));
    const int count = window_part(p, q, x->d, again, row, part, begin, mine);
    const bool hub = count > CHUNK_EDGES, tiled = end > part;
    if (hub || tiled) /* chunks may wait for the next round */
        mine->near_min = FRI_MIN(mine->near_min, x->d);
    if (__any_sync(FRI_FULL_MASK, hub))
        append_chunks(p, q, true, (int32_t)x->v, x->d, *begin, hub ? count : 0);
    if (__any_sync(FRI_FULL_MASK, tiled)) /* the tiles that follow are searched by all warps */
        append_parts<TILE_EDGES>(p, q, true, (int32_t)(again ? ~x->v : x->v), x->d, part,
                                 tiled ? end - part : 0, -1);
    return hub ? 0 : count;
}

/* All warps: the round in which the window moves queues all vertices that were reached, so that the next
 * one continues their rows. */
template <class T>
static __device__ void gather_reached(const sssp_params<T> &p, const block_queues<T> &q,
                                      thread_counters<T> *mine) {
    typedef typename T::K K;
    const K last = (K)q.round->s.range_from;
    for (int64_t first = (int64_t)fri_grid_warp() * GATHER_ITEMS * FRI_WARP; first < p.view.n;
         first += fri_grid_warps() * GATHER_ITEMS * FRI_WARP) {
        int32_t v[GATHER_ITEMS];
        K d[GATHER_ITEMS];
        bool reached[GATHER_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < GATHER_ITEMS; j++) {
            int64_t i = first + j * FRI_WARP + fri_lane();
            v[j] = (int32_t)~i;
            /* racy: a vertex that falls in this round is queued as well */
            d[j] = i < p.view.n ? fri_racy_load(&p.view.dist[i]) : T::unreached();
        }
        FRI_UNROLL
        for (int j = 0; j < GATHER_ITEMS; j++) {
            reached[j] = d[j] <= last;
            if (reached[j])
                mine->near_min = FRI_MIN(mine->near_min, (K)(last + 1));
        }
        append_near(q, reached, v, d);
    }
}

/* ---- pulls ---- */

/* Whole warp: each lane's vertex, unless it is final, pulls over its edges [e, end) within a tile. In
 * STAGE_PULL candidates become `item` in the next round's queue; what fell in STAGE_CORRECT pushes. */
template <class T>
static __device__ void pull_part(const sssp_params<T> &p, const block_queues<T> &q, int32_t v,
                                 int64_t e, int64_t end, int32_t item, thread_counters<T> *mine) {
    typedef typename T::K K;
    const K final_end = q.round->window_end;
    const bool corrects = q.round->s.stage == STAGE_CORRECT;
    K now = e < end ? fri_racy_load(&p.view.dist[v]) : final_end; /* racy: the atomic decides */
    if (!(now > final_end))
        end = e;
    pull_state<T> s = pull_best(p, now, corrects ? final_end : (K)0, e, end, mine);
    bool next[] = {pull_lower(p, s, now, v, mine)}, low = false;
    /* over a vertex that was left it came into the window: it pushes, too */
    const bool pushes = corrects || (next[0] && s.best <= final_end);
    if (!pushes)
        next[0] = e < end && T::sum(final_end, edge_weight(p, e), p.view.cap, &low) < s.best;
    if (next[0]) {
        mine->near_min = FRI_MIN(mine->near_min, pushes ? s.best : (K)(final_end + 1));
        FRI_COUNT(p.view, FR_COUNTER_ENQUEUES, 1);
    }
    int32_t entries[] = {pushes ? v : item};
    K keys[] = {pushes ? s.best : T::unreached()}; /* no entry that is to push has this key */
    append_near(q, next, entries, keys);
}

/* The part of a row in its first tile, or in a later one. */
template <class T>
static __device__ __forceinline__ void pull_item(const sssp_params<T> &p, const block_queues<T> &q,
                                                 bool on, int32_t item, thread_counters<T> *mine) {
    const int32_t v = !on ? 0 : item < 0 ? p.tile_first_row[~item] : item;
    const int64_t begin = on ? p.view.offsets[v] : 0, end = on ? p.view.offsets[v + 1] : 0;
    const int64_t e = item < 0 && on ? (int64_t)~item * TILE_EDGES : begin;
    /* a tile that begins with a row continues none */
    const bool none = item < 0 && begin >= e;
    pull_part(p, q, v, e, none ? e : FRI_MIN(end, tile_end(e)), item, mine);
}

/* All warps: all vertices that are not reached. */
template <class T>
static __device__ void pull_all(const sssp_params<T> &p, const block_queues<T> &q,
                                thread_counters<T> *mine) {
    for (int64_t first = (int64_t)fri_grid_warp() * TILES_PER_WARP; first < p.tiles;
         first += fri_grid_warps() * TILES_PER_WARP) {
        int64_t tile = first + fri_lane();
        pull_item(p, q, fri_lane() < TILES_PER_WARP && tile < p.tiles, (int32_t)~tile, mine);
    }
    for (int64_t first = (int64_t)fri_grid_warp() * FRI_WARP; first < p.view.n;
         first += fri_grid_warps() * FRI_WARP) {
        int64_t v = first + fri_lane();
        pull_item(p, q, v < p.view.n, (int32_t)v, mine);
    }
}

/* All warps: what the windows have left waits until the pulls are over; chunks as whole rows. */
template <class T>
static __device__ void keep_lists(const sssp_params<T> &p, const block_queues<T> &q,
                                  thread_counters<T> *mine) {
    const entry<typename T::K> *entries = p.near_queue[q.round->s.round & 1];
    const chunk_entry *chunks = p.chunks[q.round->s.round & 1];
    const int64_t count = (int64_t)q.round->now.near_count,
                  all = count + (int64_t)q.round->now.chunk_count;
    for (int64_t first = (int64_t)fri_grid_warp() * FRI_WARP; first < all;
         first += fri_grid_warps() * FRI_WARP) {
        const int64_t i = first + fri_lane();
        const bool on[] = {i < all};
        entry<typename T::K> x = {0, 0};
        if (i < count)
            x = entries[i];
        else if (on[0])
            x = {(typename T::K)chunks[i - count].d,
                 chunks[i - count].v < 0 ? ~chunks[i - count].v : chunks[i - count].v};
        keep_entries(q, on, x, mine);
    }
}

/* All warps: the candidates pull again. */
template <class T>
static __device__ void correct(const sssp_params<T> &p, const block_queues<T> &q,
                               thread_counters<T> *mine) {
    const entry<typename T::K> *entries = p.near_queue[q.round->s.round & 1];
    const int64_t count = (int64_t)q.round->now.near_count;
    for (int64_t first = (int64_t)fri_grid_warp() * FRI_WARP; first < count;
         first += fri_grid_warps() * FRI_WARP) {
        const int64_t i = first + fri_lane();
        entry<typename T::K> x = {0, 0};
        if (i < count)
            x = entries[i];
        const bool waits[] = {i < count && x.d != T::unreached()};
        pull_item(p, q, i < count && !waits[0], (int32_t)x.v, mine);
        keep_entries(q, waits, x, mine);
    }
}

/* ---- rounds ---- */

namespace {
/* The rounds of a launch (fri_persistent_loop). */
template <class T> struct sorted_round_steps {
    const sssp_params<T> &p, &in; /* in: with in-rows */
    block_queues<T> q;
    thread_counters<T> mine;
    int32_t done; /* rounds of this launch so far */

    __device__ __forceinline__ void decide() { begin_sorted_round(p, done, q.round); }
    __device__ __forceinline__ bool ends() const { return !q.round->more; }
    __device__ __forceinline__ void clear() {
        reset_counters(&p.control->counters[fri_spare_phase(q.round->s.round)], 0);
    }
    __device__ __forceinline__ void run() {
        const sssp_state &s = q.round->s;
        auto take = [&](bool on, entry<typename T::K> *x, int64_t *begin) {
            return take_sorted(p, q, on, x, begin, &mine);
        };
        auto part = [&](chunk_entry *y) { return take_chunk(p, q, y, &mine); };
        q.near_capacity = 2 * block_queues<T>::CAPACITY;
        if (s.stage == STAGE_PULL) {
            keep_lists(p, q, &mine);
            pull_all(in, q, &mine);
        } else if (s.stage == STAGE_CORRECT)
            correct(in, q, &mine);
        else if (s.scans_all) /* a queue was too short: all rows from their beginning */
            gather_pending(p, q, (typename T::K)0, &mine);
        else
            relax_lists<true>(p, q, take, part, &mine);
        if (s.window_moved)
            gather_reached(p, q, &mine);
        flush_round<true>(p, q, 0, &mine);
        fri_grid_sync(); /* all blocks have finished the round */
        if (threadIdx.x == 0)
            q.round->s.round++;
        done++;
    }
};
} // namespace

#endif
