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
 * STAGE_GAVE_UP. */
#ifndef FRI_CUDA_SSSP_AUTO_WINDOWS_CUH
#define FRI_CUDA_SSSP_AUTO_WINDOWS_CUH

#include "cuda/sssp/auto/pull.cuh"

enum { STAGE_WINDOWS, STAGE_PULL, STAGE_CORRECT, STAGE_REST, STAGE_GAVE_UP };
/* FEW_LEFT: the window moves once it has fewer than this part of the edges examined in it. Earlier, vertices would
 * push again in a wider window. EARLY_PART: vertices with less than this part of the edges push whole rows after the
 * pull, so that it has a lower bound of the others. */
#ifdef FRI_SIMT /* entries are left on small graphs, too */
static const unsigned FEW_LEFT = 2;
static const int EARLY_PART = 4;
#else
static const unsigned FEW_LEFT = 256;
static const int EARLY_PART = 1024;
#endif
/* Entries that may be left when the pull begins: they push whole rows after it. */
static const unsigned VERY_FEW = 64;
/* THIN: items of a list that a warp pushes one after another; of more, each lane searches one. LISTED_PART: when the
 * window moves and less than this part of the edges is reached, tiles are listed. */
static const unsigned THIN = 4;
static const int LISTED_PART = 8;

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
    /* a chunk that did not fit its block's list may continue a row, from range_from as it is */
    if (continues || (now.chunk_count && !s->tiles_listed) || s->scans_all ||
        s->far_min == NO_KEY || left * FEW_LEFT > s->window_edges)
        return;
    if (pull_pays(p, *s)) {
        if (left > VERY_FEW)
            return;
        s->stage = s->windows >= p.max_windows && 2 * s->unreached_edges > p.view.m ? STAGE_GAVE_UP
                                                                                    : STAGE_PULL;
        s->far_min = NO_KEY;
        return;
    }
    if (left == 0 && (p.view.m - s->unreached_edges) * EARLY_PART < p.view.m)
        s->lower_bound = s->far_min;
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

/* One thread of each block: whether those who find a vertex list the tiles of its row, which pays in small rounds.
 * Where rows continue and their tiles are not listed, the chunks left are only theirs. */
template <class T>
static __device__ bool lists_tiles(const sssp_params<T> &p, const sssp_state &s, bool continues,
                                   const round_counters &now) {
    if (s.stage != STAGE_WINDOWS || s.scans_all || (continues && !s.tiles_listed))
        return false;
    return s.window_moved ? (p.view.m - s.unreached_edges) * LISTED_PART < p.view.m
                          : now.near_count + now.chunk_count <=
                                (unsigned long long)THIN * (unsigned)fri_grid_warps();
}

template <class T>
static __device__ void begin_sorted_round(const sssp_params<T> &p, int32_t done,
                                          block_round<T> *round) {
    read_counters(p, done, round);
    if (round->more) {
        const bool continues = round->s.window_moved != 0;
        round->s.tiles_listed = round->s.lists_tiles;
        decide_sorted_round(p, &round->s, round->now);
        round->s.lists_tiles = lists_tiles(p, round->s, continues, round->now);
    }
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

namespace {
/* Edges [e, e + count) of a sorted row, within a tile: of v at d, or of ~v if that continues. */
template <class T> struct row_part {
    int64_t e;
    typename T::K d;
    int32_t v, count;
};
/* Chunks, then entries; `count`: of both. */
template <class T> struct window_list {
    const chunk_entry *chunks;
    const entry<typename T::K> *entries;
    unsigned chunk_count, count;
};
} // namespace

static __device__ __forceinline__ int32_t vertex_of(int32_t v) { return v < 0 ? ~v : v; }

/* Whole warp: the lanes' items i of the list, those that are on. Unless they are listed, the tiles that follow the
 * first of a row become the block's own chunks. */
template <class T>
static __device__ row_part<T> take_item(const sssp_params<T> &p, const block_queues<T> &q,
                                        const window_list<T> &list, unsigned i, bool on,
                                        thread_counters<T> *mine) {
    typedef typename T::K K;
    row_part<T> x = {0, 0, 0, 0};
    int64_t end = 0;
    const bool whole = on && i >= list.chunk_count; /* a row */
    if (whole) {
        const entry<K> y = list.entries[i - list.chunk_count];
        x.d = y.d;
        x.v = (int32_t)y.v;
    } else if (on) {
        const chunk_entry y = list.chunks[i];
        x = {y.begin, (K)y.d, y.v, 0};
        end = y.begin + y.count;
    }
    /* racy: later decreases are queued as well */
    const K now = fri_racy_load(&p.view.dist[vertex_of(x.v)]);
    if (whole) { /* in flight together */
        x.e = p.view.offsets[vertex_of(x.v)];
        end = p.view.offsets[vertex_of(x.v) + 1];
    }
    if (!on || now != x.d)
        end = x.e;
    x.count = (int)(FRI_MIN(end, tile_end(x.e)) - x.e);
    const int64_t rest = q.round->s.tiles_listed ? 0 : end - x.e - x.count;
    if (rest) /* chunks may wait for the next round */
        mine->near_min = FRI_MIN(mine->near_min, x.d);
    if (__any_sync(FRI_FULL_MASK, rest != 0))
        append_parts<TILE_EDGES>(p, q, true, x.v, x.d, x.e + x.count, rest);
    return x;
}

/* Whole warp: each lane searches its part, and the warp pushes what is within the window. */
template <class T>
static __device__ __forceinline__ void push_by_lanes(const sssp_params<T> &p,
                                                     const block_queues<T> &q, const row_part<T> &x,
                                                     thread_counters<T> *mine) {
    int64_t begin;
    const int count = window_part(p, q, x.d, x.v < 0, x.e, x.e + x.count, &begin, mine);
    const bool hub = count > CHUNK_EDGES;
    if (hub)
        mine->near_min = FRI_MIN(mine->near_min, x.d);
    if (__any_sync(FRI_FULL_MASK, hub))
        append_chunks(p, q, true, vertex_of(x.v), x.d, begin, hub ? count : 0);
    relax_rows<true>(p, q, vertex_of(x.v), x.d, begin, hub ? 0 : count, mine);
}

/* Whole warp: how many whole chunks of the part are not beyond `last`. */
template <class T>
static __device__ __forceinline__ int chunks_within(const sssp_params<T> &p, const row_part<T> &x,
                                                    typename T::K last) {
    const int at = (fri_lane() + 1) * CHUNK_EDGES - 1;
    bool low = false;
    const bool within =
        at < x.count && !(T::sum(x.d, edge_weight(p, x.e + at), p.view.cap, &low) > last);
    return __popc(__ballot_sync(FRI_FULL_MASK, within));
}

template <class T> static __device__ __forceinline__ void skip_edges(row_part<T> *x, int count) {
    x->e += count;
    x->count -= count;
}

/* Whole warp: pushes ITEMS parts, the same in all lanes. The lanes read consecutive edges, so that no search
 * comes before targets are read; after CHUNK_EDGES within the window the rest becomes chunks. */
template <class T>
static __device__ void push_by_warp(const sssp_params<T> &p, const block_queues<T> &q,
                                    row_part<T> (&x)[ITEMS], thread_counters<T> *mine) {
    typedef typename T::K K;
    const K last = q.round->window_end, before = (K)q.round->s.range_from;
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        if (x[j].v < 0 && x[j].count > CHUNK_EDGES)
            skip_edges(&x[j], CHUNK_EDGES * chunks_within(p, x[j], before));
    FRI_ROLLED
    for (int half = 0; half < CHUNK_EDGES / FRI_WARP && (x[0].count > 0 || x[1].count > 0);
         half++) {
        int32_t u[ITEMS], v[ITEMS];
        K from[ITEMS], sum[ITEMS], old[ITEMS];
        int64_t e[ITEMS];
        bool on[ITEMS], fell[ITEMS];
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            u[j] = vertex_of(x[j].v);
            from[j] = x[j].d;
            e[j] = x[j].e + fri_lane();
            on[j] = fri_lane() < x[j].count;
        }
        path_sums(p, from, e, on, v, sum);
        FRI_UNROLL
        for (int j = 0; j < ITEMS; j++) {
            const bool beyond = on[j] && sum[j] > last;
            if (beyond) /* what the next window begins with */
                mine->far_min = FRI_MIN(mine->far_min, sum[j]);
            on[j] = on[j] && !beyond && !(x[j].v < 0 && sum[j] <= before);
            sum[j] = on[j] ? sum[j] : T::unreached();
            skip_edges(&x[j], __any_sync(FRI_FULL_MASK, beyond) ? x[j].count : FRI_WARP);
        }
        lower_ends(p, p.compare_before_atomic != COMPARE_NEVER, last, u, on, v, sum, old, fell,
                   mine);
        append_near(q, fell, v, sum);
        note_fallen(p, q, v, sum, old, fell, mine);
    }
    FRI_UNROLL
    for (int j = 0; j < ITEMS; j++)
        if (x[j].count > 0) {
            const int most = (chunks_within(p, x[j], last) + 1) * CHUNK_EDGES;
            mine->near_min = FRI_MIN(mine->near_min, x[j].d);
            append_chunks(p, q, true, vertex_of(x[j].v), x[j].d, x[j].e,
                          fri_lane() ? 0 : FRI_MIN(most, x[j].count));
        }
}

/* Whole warp, `me` of `warps`: its share of a list. */
template <class T>
static __device__ __forceinline__ void push_list(const sssp_params<T> &p, const block_queues<T> &q,
                                                 const window_list<T> &list, unsigned me,
                                                 unsigned warps, thread_counters<T> *mine) {
    const unsigned per = entries_per_warp(list.count, warps);
    FRI_ROLLED
    for (unsigned first = me * per; first < list.count; first += warps * per) {
        const unsigned i = first + (unsigned)fri_lane();
        const row_part<T> x =
            take_item(p, q, list, i, (unsigned)fri_lane() < per && i < list.count, mine);
        if (per > THIN) {
            push_by_lanes(p, q, x, mine);
            continue;
        }
        FRI_ROLLED
        for (unsigned k = 0; k < per; k += ITEMS) {
            row_part<T> some[ITEMS];
            FRI_UNROLL
            for (int j = 0; j < ITEMS; j++)
                some[j] = {__shfl_sync(FRI_FULL_MASK, x.e, (int)k + j),
                           __shfl_sync(FRI_FULL_MASK, x.d, (int)k + j),
                           __shfl_sync(FRI_FULL_MASK, x.v, (int)k + j),
                           __shfl_sync(FRI_FULL_MASK, x.count, (int)k + j)};
            push_by_warp(p, q, some, mine);
        }
    }
}

/* All threads of each block: pushes the lists of the grid, then the block's own chunks until there are none: chunks of
 * chunks have none. */
template <class T>
static __device__ void push_lists(const sssp_params<T> &p, block_queues<T> q,
                                  thread_counters<T> *mine) {
    block_round<T> *round = q.round;
    chunk_entry *const first_half = q.chunks;
    const int parity = round->s.round & 1;
    const unsigned given = (unsigned)round->now.chunk_count;
    window_list<T> list = {p.chunks[parity], p.near_queue[parity], given,
                           given + (unsigned)round->now.near_count};
    unsigned me = (unsigned)fri_grid_warp(), warps = (unsigned)fri_grid_warps();
    for (int part = 0; part < 3; part++) { /* the second has the chunks, the third is empty */
        push_list(p, q, list, me, warps, mine);
        __syncthreads(); /* the chunks are written */
        list.count = (unsigned)FRI_MIN(round->chunks_tail[q.half], MAX_CHUNKS);
        if (list.count == 0)
            return;
        list.chunks = q.chunks;
        list.chunk_count = list.count;
        /* there is no far pile: its memory has the second half */
        q.half ^= 1;
        q.chunks = q.half ? (chunk_entry *)(void *)q.far : first_half;
        __syncthreads();      /* their number is read */
        if (threadIdx.x == 0) /* appended to after the next barrier */
            round->chunks_tail[q.half ^ 1] = 0;
        me = (unsigned)fri_warp();
        warps = blockDim.x / FRI_WARP;
    }
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
            if (!q.round->s.lists_tiles || !__any_sync(FRI_FULL_MASK, reached[j]))
                continue;
            const int64_t begin[] = {reached[j] ? p.view.offsets[~v[j]] : 0},
                          end[] = {reached[j] ? p.view.offsets[~v[j] + 1] : 0};
            list_tiles<T, 1>(p, q, {v[j]}, {d[j]}, begin, end);
        }
        append_near(q, reached, v, d);
    }
}

/* ---- pulls ---- */

/* Whole warp: each lane's vertex, unless it is final, pulls over its edges [e, end) within a tile. In
 * STAGE_PULL candidates become `item` in the next round's queue; what fell in STAGE_CORRECT pushes.
 * The few vertices nearer than lower_bound push, too, so that pulls need not look for them. */
template <class T>
static __device__ void pull_part(const sssp_params<T> &p, const block_queues<T> &q, int32_t v,
                                 int64_t e, int64_t end, int32_t item, thread_counters<T> *mine) {
    typedef typename T::K K;
    const K final_end = q.round->window_end;
    const bool corrects = q.round->s.stage == STAGE_CORRECT;
    /* racy: the atomic decides */
    K now = e < end || item >= 0 ? fri_racy_load(&p.view.dist[v]) : final_end;
    const K bound = corrects ? final_end : (K)q.round->s.lower_bound;
    const bool early = !corrects && item >= 0 && now < bound;
    if (!(now > final_end))
        end = e;
    pull_state<T> s = pull_best(p, now, bound, e, end, mine);
    bool next[] = {pull_lower(p, s, now, v, mine) || early}, low = false;
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
    pull_part(p, q, v, e, none ? e : FRI_MIN(end, tile_end(e)), on ? item : -1, mine);
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
    static const int THREADS = FRI_GRID_THREADS;
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
        q.near_capacity = 2 * block_queues<T>::CAPACITY;
        if (s.stage == STAGE_PULL) {
            keep_lists(p, q, &mine);
            pull_all(in, q, &mine);
        } else if (s.stage == STAGE_CORRECT)
            correct(in, q, &mine);
        else if (s.scans_all) /* a queue was too short: all rows from their beginning */
            gather_pending(p, q, (typename T::K)0, &mine);
        else
            push_lists(p, q, &mine);
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
