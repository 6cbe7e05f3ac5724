/* Several levels of a thin frontier between two barriers.
 *
 * Source: vertical granularity control, L. Wang, X. Dong, Y. Gu, Y. Sun: Parallel strong connectivity
 *   based on faster reachability, SIGMOD 2023.
 * Idea: in a deep graph a level is so little work that its barriers take longer. Here each member expands its
 *   part of the frontier for some levels, up to the window's end, by itself. Where members meet, one of
 *   them may have come by a detour: a level is lowered with compare-and-swap, and who lowers it expands the
 *   vertex again. No entry below the window's end is left when all have finished, so these levels are
 *   final, and the vertices that have the end's level are the next frontier. A window that finds no room for
 *   them is abandoned: the levels of its begin still hold, and other methods go on from there.
 * Differs: a window of a fixed number of levels in place of a number of vertices, so that the frontier has one level
 *   and queries with limits end as usual. Levels are the state: the bitmap of visited vertices is
 *   filled when another method follows. Parents are found at the end, by a pass over the edges. */
#include "cpu/bfs/state.h"

enum { LIST = FRI_BFS_BUFFER / 3, VERTEX = INT32_MAX };

/* Relaxed: a stale level is only a worse bound, and barriers order the windows. */
static inline int32_t level_of(const fri_bfs *b, int32_t v) {
    return __atomic_load_n(&b->level[v], __ATOMIC_RELAXED);
}

/* Lowers the level of v to `depth`; *old: what it was. `alone`: no other thread does. */
static inline bool lower(fri_bfs *b, int32_t v, int32_t depth, int32_t *old, bool alone) {
    *old = level_of(b, v);
    while (*old > depth) {
        if (alone) {
            b->level[v] = depth;
            return true;
        }
        if (__atomic_compare_exchange_n(&b->level[v], old, depth, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
    }
    return false;
}

/* Appends to the next frontier, for which there is room for as many entries as the current one left. */
static void flush(fri_bfs *b, fri_bfs_worker *worker, const int32_t *list, int64_t count) {
    const int64_t at = __atomic_fetch_add(&b->queue_end, count, __ATOMIC_RELAXED);
    if (at + count > b->window_room) {
        __atomic_store_n(&b->is_abandoned, true, __ATOMIC_RELAXED);
        return;
    }
    worker->flushes++;
    worker->from = at;
    worker->to = at + count;
    for (int64_t i = 0; i < count; i++)
        b->queue[at + i] = list[i] & VERTEX;
}

/* Entries of a list, all of one level; the sign of one says that this is its first expansion. */
typedef struct {
    int32_t *entry; /* [LIST] */
    int64_t count;
} entries;

/* Expands `from`, whose level is `depth`, to the list `to`; false: `to` is full, and the window is abandoned. */
static inline __attribute__((always_inline)) bool
expand(fri_bfs *b, fri_bfs_worker *worker, entries from, int32_t depth, entries *to, bool alone) {
    const bool first = depth == b->depth, last = depth + 1 == b->window_end;
    for (int64_t i = 0; i < from.count; i++) {
        if (i + 2 * FRI_BFS_PREFETCH < from.count)
            fri_bfs_prefetch_offset(b->out, from.entry[i + 2 * FRI_BFS_PREFETCH] & VERTEX);
        if (i + FRI_BFS_PREFETCH < from.count)
            __builtin_prefetch(
                b->out.targets +
                fri_bfs_row_begin(b->out, from.entry[i + FRI_BFS_PREFETCH] & VERTEX));
        const int32_t u = from.entry[i] & VERTEX;
        const bool valid = level_of(b, u) == depth;
        const int64_t begin = fri_bfs_row_begin(b->out, u), end = fri_bfs_row_begin(b->out, u + 1);
        if (first ? valid : from.entry[i] < 0)
            worker->edges += end - begin;
        if (!valid)
            continue;
        worker->examined += end - begin;
        for (int64_t e = begin; e < end; e++) {
            const int32_t v = b->out.targets[e];
            int32_t old;
            if (!lower(b, v, depth + 1, &old, alone))
                continue;
            worker->vertices += old == INT32_MAX;
            if (to->count == LIST) {
                if (!last)
                    return false;
                flush(b, worker, to->entry, to->count);
                to->count = 0;
            }
            fri_bfs_prefetch_offset(b->out, v);
            to->entry[to->count++] = v | (int32_t)((uint32_t)(old >= b->window_end) << 31);
        }
    }
    return true;
}

/* The levels from b->depth to the window's end, of a part of the frontier. */
static inline __attribute__((always_inline)) void
run_window(fri_bfs *b, fri_bfs_worker *worker, entries from, entries *found, bool alone) {
    entries to = {worker->buffer, 0}, spare = {worker->buffer + LIST, 0};
    for (int32_t depth = b->depth; depth < b->window_end && from.count; depth++) {
        entries *next = depth + 1 == b->window_end ? found : &to;
        if (!expand(b, worker, from, depth, next, alone)) {
            __atomic_store_n(&b->is_abandoned, true, __ATOMIC_RELAXED);
            return;
        }
        from = to;
        to = spare;
        to.count = 0;
        spare = from;
    }
}

void fri_bfs_local(fri_bfs *b, fri_member me) {
    fri_bfs_worker *worker = &b->workers[me.index];
    entries found = {worker->buffer + 2 * LIST, 0};
    int64_t begin, end;
    if (b->reuse_partition && me.count == b->last_members) {
        begin = worker->from - b->head;
        end = worker->to - b->head;
    } else
        fri_team_static_range(me, b->tail - b->head, 1, &begin, &end);
    int64_t seen = worker->examined;
    for (; begin < end && !__atomic_load_n(&b->is_abandoned, __ATOMIC_RELAXED); begin += LIST / 2) {
        const entries from = {b->queue + b->head + begin, FRI_MIN(LIST / 2, end - begin)};
        if (me.count == 1)
            run_window(b, worker, from, &found, true);
        else
            run_window(b, worker, from, &found, false);
        if (fri_pace_stop_team(&b->pace, me.index == 0, worker->examined - seen,
                               b->with_in - b->left_vertices))
            break;
        seen = worker->examined;
    }
    flush(b, worker, found.entry, found.count);
}

void fri_bfs_to_local(fri_bfs *b, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, b->words, FRI_BFS_WORDS, &begin, &end);
    for (int64_t w = begin; w < end; w++) {
        const uint64_t visited = b->visited[w];
        for (int64_t v = w * 64; v < FRI_MIN(b->n, w * 64 + 64); v++)
            b->level[v] = visited >> (v & 63) & 1 ? b->level[v] : INT32_MAX;
    }
}

/* The vertices of a word that are not visited and have a level of at most `depth`; raises *deepest to their levels. */
static uint64_t reached_of_word(const fri_bfs *b, int64_t w, int32_t depth, int32_t *deepest) {
    uint64_t word = 0;
    for (int64_t v = w * 64; v < FRI_MIN(b->n, w * 64 + 64); v++) {
        const bool reached = b->level[v] <= depth && !fri_bit_get(b->visited, v);
        word |= (uint64_t)reached << (v & 63);
        *deepest = reached && b->level[v] > *deepest ? b->level[v] : *deepest;
    }
    return word;
}

void fri_bfs_from_local(fri_bfs *b, fri_member me) {
    fri_bfs_worker *worker = &b->workers[me.index];
    int64_t begin, end;
    int32_t deepest = worker->deepest;
    fri_team_static_range(me, b->words, FRI_BFS_WORDS, &begin, &end);
    for (int64_t w = begin; w < end; w++)
        if (~b->visited[w])
            b->visited[w] |= reached_of_word(b, w, b->depth, &deepest);
    worker->deepest = deepest;
}

/* Every value stored is valid. */
static void offer_parent(const fri_bfs *b, int32_t u) {
    const int64_t end = fri_bfs_row_begin(b->out, u + 1);
    for (int64_t e = fri_bfs_row_begin(b->out, u); e < end; e++) {
        const int32_t v = b->out.targets[e];
        if (b->level[v] == b->level[u] + 1 && fri_bit_get(b->visited, v))
            __atomic_store_n(&b->parent[v], u, __ATOMIC_RELAXED);
    }
}

void fri_bfs_local_parents(fri_bfs *b, fri_member me) {
    enum { GRAIN = 1 << 13 };
    int64_t begin, end;
    while (!fri_pace_stop_team(&b->pace, me.index == 0, GRAIN, b->with_in) &&
           fri_team_next_chunk(&b->merge_cursor, b->n, GRAIN, &begin, &end))
        for (int64_t u = begin; u < end; u++)
            if (fri_bit_get(b->visited, u) && !(b->knows_no_in && fri_bit_get(b->no_in, u)) &&
                b->level[u] >= b->local_from)
                offer_parent(b, (int32_t)u);
}
