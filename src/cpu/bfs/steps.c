/* The parallel steps of a breadth-first traversal on the CPU: top-down to a queue, top-down to
 * bitmaps, bottom-up, and the two conversions of a frontier.
 * b->policy chooses the method of a level. */
#include "cpu/bfs/state.h"

#include <string.h>

static void write_found(fri_bfs *b, int32_t v, int32_t u) {
    b->level[v] = b->depth + 1;
    if (b->parent)
        b->parent[v] = u;
}

/* ---- top-down to a queue ------------------------------------------------------------------ */

/* The offsets of the buffered vertices were prefetched when the vertices were found. */
static void flush(fri_bfs *b, fri_bfs_worker *worker, int64_t count) {
    /* relaxed: only reserves places; the barrier publishes the entries */
    int64_t at = __atomic_fetch_add(&b->queue_end, count, __ATOMIC_RELAXED);
    worker->flushes++;
    worker->from = at;
    worker->to = at + count;
    const int32_t base = b->base;
    for (int64_t i = 0; i < count; i++) {
        int32_t v = worker->buffer[i];
        b->queue[at + i] = base + v;
        worker->edges += fri_bfs_degree(b->counted, v);
        worker->targets += b->job->target_map && fri_bit_get(b->job->target_map, v);
    }
    worker->vertices += count;
}

/* Examines edges e .. end of u; returns the number of vertices in the member's buffer. */
static inline int64_t claim_edges(fri_bfs *b, fri_bfs_worker *worker, int32_t u, int64_t e,
                                  int64_t end, int64_t fill) {
    worker->examined += end - e;
    for (; e < end; e++) {
        int32_t v = b->out.targets[e];
        if (!fri_bit_claim(b->visited, v)) /* atomic: one thread claims the vertex */
            continue;
        write_found(b, v, u);
        fri_bfs_prefetch_offset(b->counted, v);
        worker->buffer[fill++] = v;
        if (fill == FRI_BFS_BUFFER) {
            flush(b, worker, fill);
            fill = 0;
        }
    }
    return fill;
}

/* This member's part of edges e .. end. */
static void share_row(fri_member me, int64_t *e, int64_t *end) {
    int64_t begin = *e, from, to;
    fri_team_static_range(me, *end - begin, 64, &from, &to);
    *e = begin + from;
    *end = begin + to;
}

static bool defer_hub(fri_bfs *b, fri_member me, int32_t u, int64_t edges) {
    if (edges < FRI_BFS_HUB || me.count == 1)
        return false;
    b->hubs[__atomic_fetch_add(&b->hub_count, 1, __ATOMIC_RELAXED)] = u; /* reserves one place */
    return true;
}

/* Small enough that no thread waits long for the last piece. */
static int64_t queue_grain(int64_t vertices, fri_member me) {
    return FRI_MAX(16, FRI_MIN(1024, vertices / (8 * me.count)));
}

/* The next piece of the frontier. A medium level is partitioned once; each member keeps the
 * vertices that it found if these parts are about even, because their neighborhood is in its
 * core's cache. */
static bool next_piece(fri_bfs *b, fri_member me, bool *assigned, int64_t *begin, int64_t *end) {
    enum { STATIC_MAX = 1 << 14 };
    const fri_bfs_worker *worker = &b->workers[me.index];
    int64_t total = b->tail - b->head;
    if (total > STATIC_MAX)
        return fri_team_next_chunk(&b->cursor, total, queue_grain(total, me), begin, end);
    if (*assigned)
        return false;
    *assigned = true;
    if (b->reuse_partition && me.count == b->last_members) {
        *begin = worker->from - b->head;
        *end = worker->to - b->head;
    } else
        fri_team_static_range(me, total, 16, begin, end);
    return true;
}

static int64_t claim_rows(fri_bfs *b, fri_member me, const int32_t *list, int64_t count,
                          int64_t fill) {
    for (int64_t i = 0; i < count; i++) {
        if (i + 2 * FRI_BFS_PREFETCH < count)
            fri_bfs_prefetch_offset(b->out, list[i + 2 * FRI_BFS_PREFETCH]);
        if (i + FRI_BFS_PREFETCH < count)
            __builtin_prefetch(b->out.targets +
                               fri_bfs_row_begin(b->out, list[i + FRI_BFS_PREFETCH]));
        int32_t u = list[i];
        int64_t e = fri_bfs_row_begin(b->out, u), last = fri_bfs_row_begin(b->out, u + 1);
        if (!defer_hub(b, me, u, last - e))
            fill = claim_edges(b, &b->workers[me.index], u, e, last, fill);
    }
    return fill;
}

/* Whether a row of the frontier may be shared by all members. */
static bool may_have_hubs(const fri_bfs *b) {
    return b->max_degree >= FRI_BFS_HUB && (b->edges < 0 || b->edges >= FRI_BFS_HUB);
}

void fri_bfs_push_queue(fri_bfs *b, fri_member me) {
    fri_bfs_worker *worker = &b->workers[me.index];
    const bool hubs = may_have_hubs(b);
    int64_t begin, end, fill = 0;
    bool assigned = false;
    while (next_piece(b, me, &assigned, &begin, &end)) {
        int64_t examined = worker->examined;
        fill = claim_rows(b, me, b->queue + b->head + begin, end - begin, fill);
        if (me.index == 0)
            fri_bfs_poll(b, worker->examined - examined, b->tail - b->head);
    }
    if (hubs)
        fri_team_barrier(me); /* the list of hubs is complete */
    for (int64_t i = 0; hubs && i < b->hub_count; i++) {
        int32_t u = b->hubs[i];
        int64_t e = fri_bfs_row_begin(b->out, u), last = fri_bfs_row_begin(b->out, u + 1);
        share_row(me, &e, &last);
        fill = claim_edges(b, worker, u, e, last, fill);
    }
    flush(b, worker, fill);
}

/* ---- top-down to bitmaps ------------------------------------------------------------------ */

/* Each member marks the vertices that it finds in its own bitmap; `visited` does not change, so
 * there are no atomics and no shared writes. Two members may find the same vertex; either parent is
 * valid. Without branches: whether a target is new is hard to predict in the levels that take this
 * method. */
static inline void mark_targets(const fri_bfs *b, fri_bfs_worker *worker, int64_t e, int64_t end) {
    const int32_t *targets = b->out.targets;
    const uint64_t *visited = b->visited;
    uint64_t *found = worker->found;
    uint8_t *touched = worker->touched;
    for (; e < end; e++) {
        uint32_t v = (uint32_t)targets[e];
        uint64_t fresh = UINT64_C(1) << (v & 63) & ~visited[v >> 6];
        found[v >> 6] |= fresh;
        touched[v / FRI_BFS_BLOCK] |= fresh != 0;
    }
}

/* Also writes parents: the branch saves a store to a random address. */
static inline void mark_parents(const fri_bfs *b, fri_bfs_worker *worker, int32_t u, int64_t e,
                                int64_t end) {
    const int32_t *targets = b->out.targets;
    uint64_t *found = worker->found;
    for (; e < end; e++) {
        uint32_t v = (uint32_t)targets[e];
        uint64_t bit = UINT64_C(1) << (v & 63), seen = found[v >> 6];
        if ((seen | b->visited[v >> 6]) & bit)
            continue;
        found[v >> 6] = seen | bit;
        worker->touched[v / FRI_BFS_BLOCK] = 1;
        /* relaxed store: threads may race, and every value stored is valid */
        __atomic_store_n(&b->parent[v], u, __ATOMIC_RELAXED);
    }
}

static inline void mark_edges(const fri_bfs *b, fri_bfs_worker *worker, int32_t u, int64_t e,
                              int64_t end) {
    worker->examined += end - e;
    if (b->parent)
        mark_parents(b, worker, u, e, end);
    else
        mark_targets(b, worker, e, end);
}

/* A long row in pieces, between which member 0 checks for cancellation. */
static void mark_row(fri_bfs *b, fri_member me, int32_t u, int64_t e, int64_t end) {
    fri_bfs_worker *worker = &b->workers[me.index];
    for (; end - e > FRI_BFS_HUB && !(me.index == 0 && b->pace.status); e += FRI_BFS_HUB) {
        mark_edges(b, worker, u, e, e + FRI_BFS_HUB);
        if (me.index == 0)
            fri_bfs_poll(b, FRI_BFS_HUB, b->is_bitmap ? b->front_words : b->tail - b->head);
    }
    mark_edges(b, worker, u, e, end);
}

static void mark_rows(fri_bfs *b, fri_member me, const int32_t *list, int64_t count) {
    for (int64_t i = 0; i < FRI_MIN(count, 2 * FRI_BFS_PREFETCH); i++)
        fri_bfs_prefetch_offset(b->out, list[i]);
    for (int64_t i = 0; i < count; i++) {
        if (i + 2 * FRI_BFS_PREFETCH < count)
            fri_bfs_prefetch_offset(b->out, list[i + 2 * FRI_BFS_PREFETCH]);
        if (i + FRI_BFS_PREFETCH < count) {
            const int32_t *row =
                b->out.targets + fri_bfs_row_begin(b->out, list[i + FRI_BFS_PREFETCH]);
            __builtin_prefetch(row);
            __builtin_prefetch(row + 16);
        }
        int32_t u = list[i];
        int64_t e = fri_bfs_row_begin(b->out, u), last = fri_bfs_row_begin(b->out, u + 1);
        if (!defer_hub(b, me, u, last - e))
            mark_row(b, me, u, e, last);
    }
}

/* Visits the vertices of `word` w of `next`, counts them, and writes their levels. */
static inline void visit_word(fri_bfs *b, fri_bfs_worker *worker, int64_t w, uint64_t word,
                              bool writes_levels) {
    const uint64_t *targets = b->job->target_map;
    b->visited[w] |= word;
    for (; word; word &= word - 1) { /* counts here: not every x86-64 processor counts bits */
        int32_t v = (int32_t)(w * 64 + __builtin_ctzll(word));
        if (writes_levels)
            b->level[v] = b->depth + 1;
        worker->vertices++;
        worker->edges += fri_bfs_degree(b->counted, v);
        worker->targets += targets && fri_bit_get(targets, v);
    }
}

/* Adds `block` of one member's bitmap to the words of `next`, and clears it. */
static void take_block(fri_bfs_worker *from, int64_t block, int64_t words, uint64_t *next) {
    uint64_t *found = from->found + block * FRI_BFS_BLOCK_WORDS;
    for (int64_t w = 0; w < words; w++) {
        next[w] |= found[w];
        found[w] = 0;
    }
    from->touched[block] = 0;
}

/* Merges a block of the members' bitmaps into `next`, and prefetches the offsets of its vertices:
 * the words hold few of them where this matters. */
static void merge_block(fri_bfs *b, int members, int64_t block) {
    int64_t first = block * FRI_BFS_BLOCK_WORDS;
    int64_t words = FRI_MIN(FRI_BFS_BLOCK_WORDS, b->words - first);
    uint64_t *next = b->next + first;
    bool any = false;
    memset(next, 0, (size_t)words * sizeof *next);
    for (int i = 0; i < members; i++)
        if (b->workers[i].touched[block]) {
            take_block(&b->workers[i], block, words, next);
            any = true;
        }
    for (int64_t w = 0; any && w < words; w++)
        if (next[w])
            fri_bfs_prefetch_offset(b->counted,
                                    (int32_t)((first + w) * 64 + __builtin_ctzll(next[w])));
}

/* Merges the members' bitmaps, and writes the levels in vertex order. Most blocks of a level of a
 * mesh are not touched. */
static void merge(fri_bfs *b, fri_member me) {
    enum { BLOCKS = 16 };
    fri_bfs_worker *worker = &b->workers[me.index];
    int64_t begin, end, polled = 0;
    while (fri_team_next_chunk(&b->merge_cursor, fri_bfs_blocks(b->words), BLOCKS, &begin, &end)) {
        for (int64_t block = begin; block < end; block++)
            merge_block(b, me.count, block);
        int64_t last = FRI_MIN(b->words, end * FRI_BFS_BLOCK_WORDS);
        for (int64_t w = begin * FRI_BFS_BLOCK_WORDS; w < last; w++)
            if (b->next[w])
                visit_word(b, worker, w, b->next[w], true);
        if (me.index == 0) {
            fri_pace_stop(&b->pace, worker->vertices - polled + end - begin,
                          b->with_in - b->left_vertices); /* the merge is short: it continues */
            polled = worker->vertices;
        }
    }
}

/* By its member, so that the page faults of fresh memory are divided among the members. */
static void clear_found(const fri_bfs *b, fri_bfs_worker *worker) {
    memset(worker->found, 0, (size_t)b->words * sizeof *worker->found);
    memset(worker->touched, 0, (size_t)fri_bfs_blocks(b->words));
    worker->is_cleared = true;
}

void fri_bfs_push_bitmap(fri_bfs *b, fri_member me) {
    fri_bfs_worker *worker = &b->workers[me.index];
    if (!worker->is_cleared)
        clear_found(b, worker);
    int64_t total = b->is_bitmap ? b->front_words : b->tail - b->head, begin, end;
    int64_t grain = b->is_bitmap ? FRI_BFS_WORDS : queue_grain(total, me);
    while (fri_team_next_chunk(&b->cursor, total, grain, &begin, &end)) {
        int64_t examined = worker->examined;
        if (b->is_bitmap)
            mark_rows(b, me, worker->buffer,
                      fri_bfs_list_bits(b->front, begin, end, worker->buffer));
        else
            mark_rows(b, me, b->queue + b->head + begin, end - begin);
        if (me.index == 0)
            fri_bfs_poll(b, worker->examined - examined, total);
    }
    fri_team_barrier(me); /* the list of hubs is complete */
    for (int64_t i = 0; i < b->hub_count; i++) {
        int64_t e = fri_bfs_row_begin(b->out, b->hubs[i]),
                last = fri_bfs_row_begin(b->out, b->hubs[i] + 1);
        share_row(me, &e, &last);
        mark_row(b, me, b->hubs[i], e, last);
    }
    fri_team_barrier(me); /* every member's bitmap is complete */
    merge(b, me);
}

/* ---- bottom-up ---------------------------------------------------------------------------- */

/* Lists the unvisited vertices of words begin .. end; a vertex whose hub parent is in the frontier is
 * visited at once. Level and parent are written before the test: they have no meaning until a
 * vertex is visited, and a store costs less than a mispredicted branch. */
static int64_t try_hub_parents(fri_bfs *b, fri_bfs_worker *worker, int64_t begin, int64_t end) {
    int32_t *retry = worker->buffer;
    const uint64_t *front = b->front;
    const int32_t *hub_parents = b->hub_parents;
    int32_t *level = b->level, *parent = b->parent;
    int64_t count = 0, hits = 0;
    for (int64_t w = begin; w < end; w++) {
        uint64_t found = 0;
        for (uint64_t left = ~b->visited[w]; left; left &= left - 1) {
            int bit = __builtin_ctzll(left);
            int32_t v = (int32_t)(w * 64 + bit), u = hub_parents[v];
            uint64_t hit = front[u >> 6] >> (u & 63) & 1;
            level[v] = b->depth + 1;
            if (parent)
                parent[v] = u;
            found |= hit << bit;
            retry[count] = v;
            count += !hit;
            hits += (int64_t)hit;
        }
        b->next[w] = found;
    }
    worker->examined += count + hits;
    return count;
}

static int64_t list_unvisited(fri_bfs *b, int64_t begin, int64_t end, int32_t *list) {
    int64_t count = 0;
    for (int64_t w = begin; w < end; w++) {
        b->next[w] = 0;
        for (uint64_t left = ~b->visited[w]; left; left &= left - 1)
            list[count++] = (int32_t)(w * 64 + __builtin_ctzll(left));
    }
    return count;
}

/* Searches v's row for a parent in the frontier; returns the edges examined. */
static inline int64_t find_parent(fri_bfs *b, int32_t v) {
    const int32_t *sources = b->in.targets;
    int64_t begin = fri_bfs_row_begin(b->in, v), end = fri_bfs_row_begin(b->in, v + 1);
    for (int64_t e = begin; e < end; e++) {
        int32_t u = sources[e];
        if (!fri_bit_get(b->front, u))
            continue;
        write_found(b, v, u);
        fri_bit_set(b->next, v); /* this member owns the word */
        return e + 1 - begin;
    }
    return end - begin;
}

void fri_bfs_pull(fri_bfs *b, fri_member me) {
    fri_bfs_worker *worker = &b->workers[me.index];
    int32_t *list = worker->buffer;
    int64_t begin, end;
    while (fri_team_next_chunk(&b->cursor, b->words, FRI_BFS_WORDS, &begin, &end)) {
        int64_t count, examined = worker->examined;
        if (!b->knows_no_in) /* this member owns the words */
            worker->no_in += fri_bfs_find_no_in(b, begin, end);
        if (b->hub_parents)
            count = try_hub_parents(b, worker, begin, end);
        else
            count = list_unvisited(b, begin, end, list);
        for (int64_t i = 0; i < count; i++) {
            if (i + FRI_BFS_PREFETCH < count)
                __builtin_prefetch(b->in.targets +
                                   fri_bfs_row_begin(b->in, list[i + FRI_BFS_PREFETCH]));
            worker->examined += find_parent(b, list[i]);
        }
        for (int64_t w = begin; w < end; w++)
            visit_word(b, worker, w, b->next[w], false);
        if (me.index == 0)
            fri_bfs_poll(b, worker->examined - examined + end - begin, b->words);
    }
}

/* ---- conversion of the frontier ------------------------------------------------------------ */

void fri_bfs_to_bitmap(fri_bfs *b, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, b->front_words, FRI_BFS_BLOCK_WORDS, &begin, &end);
    memset(b->front + begin, 0, (size_t)(end - begin) * sizeof *b->front);
    fri_team_barrier(me); /* all of `front` is zero */
    fri_team_static_range(me, b->tail - b->head, 16, &begin, &end);
    for (int64_t i = b->head + begin; i < b->head + end; i++) {
        int32_t v = b->queue[i];
        /* atomic: neighboring vertices of other members share the word */
        __atomic_fetch_or(&b->front[v >> 6], UINT64_C(1) << (v & 63), __ATOMIC_RELAXED);
    }
}

void fri_bfs_to_queue(fri_bfs *b, fri_member me) {
    int32_t *list = b->workers[me.index].buffer;
    int64_t begin, end;
    while (fri_team_next_chunk(&b->cursor, b->front_words, FRI_BFS_WORDS, &begin, &end)) {
        int64_t count = fri_bfs_list_bits(b->front, begin, end, list);
        /* relaxed: only reserves places */
        int64_t at = count ? __atomic_fetch_add(&b->queue_end, count, __ATOMIC_RELAXED) : 0;
        for (int64_t i = 0; i < count; i++)
            b->queue[at + i] = list[i];
    }
}
