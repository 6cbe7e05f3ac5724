/* The steps of BFS on ranks: three kinds of push, one pull. They are those of cpu/bfs/steps.c,
 * except that the frontier has slots of all ranks and the vertices found are own indices.
 *
 * Rows are at random addresses, so rows of later vertices are prefetched while a row is processed.
 * Level and parent are only written, so a bitmap is the only array that is read at random. */
#include "ranks/bfs_steps.h"

#include <string.h>

enum { PREFETCH = 12 }; /* rows ahead, about the latency of memory */

typedef fri_part_bfs_state bfs;

int64_t fri_part_list_bits(const uint64_t *map, int64_t begin, int64_t end, int32_t base,
                           int32_t *list) {
    int64_t count = 0;
    for (int64_t word = begin; word < end; word++)
        for (uint64_t bits = map[word]; bits; bits &= bits - 1)
            list[count++] = base + (int32_t)(word * 64 + __builtin_ctzll(bits));
    return count;
}

FRI_PREFETCHER prefetch_rows(const bfs *b, const int32_t *list, int64_t k, int64_t count) {
    if (k + 2 * PREFETCH < count)
        __builtin_prefetch(&b->rows->offsets[list[k + 2 * PREFETCH]]);
    if (k + PREFETCH < count)
        __builtin_prefetch(b->rows->targets + b->rows->offsets[list[k + PREFETCH]]);
}

/* ---- top-down to a list -------------------------------------------------------------------- */

/* One thread: without atomics. */
static void push_alone(bfs *b, fri_member me) {
    fr_part_solver *s = b->s;
    const int32_t *targets = b->rows->targets;
    uint64_t *seen = s->seen;
    int32_t base = fri_part_base(b->p);
    int64_t found = 0, examined = 0, edges = 0;
    if (me.index)
        return;
    for (int64_t k = 0; k < b->frontier; k++) {
        prefetch_rows(b, s->list, k, b->frontier);
        int32_t u = s->list[k];
        int64_t end = b->rows->offsets[u + 1];
        examined += end - b->rows->offsets[u];
        for (int64_t e = b->rows->offsets[u]; e < end; e++) {
            int32_t i = targets[e];
            if (fri_bit_get(seen, i))
                continue;
            fri_bit_set(seen, i);
            __builtin_prefetch(&b->p->pull_offsets[i]);
            __builtin_prefetch(&b->rows->offsets[base + i]); /* of the next level */
            s->level[i] = b->depth;
            s->parent[i] = u;
            s->found[found++] = base + i;
        }
    }
    for (int64_t k = 0; k < found; k++)
        edges += fri_part_in_degree(b->p, s->found[k] - base);
    s->found_count = found;
    s->workers[0] = (fri_part_worker){.count = found, .edges = edges, .examined = examined};
}

/* Claims the targets of a row by an atomic, so that one thread finds each. */
static void claim_row(const bfs *b, fri_part_worker *w, int32_t u, fri_append *a) {
    fr_part_solver *s = b->s;
    int64_t end = b->rows->offsets[u + 1];
    int32_t base = fri_part_base(b->p);
    w->examined += end - b->rows->offsets[u];
    for (int64_t e = b->rows->offsets[u]; e < end; e++) {
        int32_t i = b->rows->targets[e];
        if (!fri_bit_claim(s->seen, i))
            continue;
        s->level[i] = b->depth;
        s->parent[i] = u;
        w->edges += fri_part_in_degree(b->p, i);
        w->count++;
        fri_append_put(a, base + i);
    }
}

/* The chunk is small, so no thread waits long for the last one. */
static int64_t grain_of(const bfs *b, fri_member me) {
    return FRI_MAX(16, FRI_MIN(b->frontier / (8 * me.count), 1024));
}

static void push_claim(bfs *b, fri_member me) {
    fr_part_solver *s = b->s;
    fri_append a = {.list = s->found, .count = &s->found_count};
    int64_t begin, end, grain = grain_of(b, me);
    while (fri_team_next_chunk(&b->cursor, b->frontier, grain, &begin, &end))
        for (int64_t k = begin; k < end; k++) {
            prefetch_rows(b, s->list, k, b->frontier);
            claim_row(b, &s->workers[me.index], s->list[k], &a);
        }
    fri_append_flush(&a);
}

/* ---- the vertices of a word -------------------------------------------------------------------- */

/* Stores and counts the vertices found in a word. The word belongs to the calling thread. */
static void commit_word(const bfs *b, fri_part_worker *w, int64_t word, uint64_t found,
                        bool writes_levels) {
    fr_part_solver *s = b->s;
    s->mine[word] = found;
    s->seen[word] |= found;
    for (; found; found &= found - 1) {
        int32_t i = (int32_t)(word * 64 + __builtin_ctzll(found));
        if (writes_levels)
            s->level[i] = b->depth;
        w->edges += fri_part_in_degree(b->p, i);
        w->count++;
    }
}

/* ---- top-down to a bitmap ------------------------------------------------------------------ */

/* Pushes into the thread's own bitmap: `seen` does not change here, so nothing is atomic. Two
 * threads may find the same vertex; either parent is valid. */
static int64_t mark_rows(const bfs *b, uint64_t *marks, const int32_t *list, int64_t count) {
    const fr_part_solver *s = b->s;
    const int32_t *targets = b->rows->targets;
    int64_t examined = 0;
    for (int64_t k = 0; k < count; k++) {
        prefetch_rows(b, list, k, count);
        int32_t u = list[k];
        int64_t end = b->rows->offsets[u + 1];
        examined += end - b->rows->offsets[u];
        for (int64_t e = b->rows->offsets[u]; e < end; e++) {
            uint32_t i = (uint32_t)targets[e];
            uint64_t bit = UINT64_C(1) << (i & 63), known = marks[i >> 6];
            if ((known | s->seen[i >> 6]) & bit)
                continue;
            marks[i >> 6] = known | bit;
            /* relaxed: threads may race, but every stored value is valid */
            __atomic_store_n(&s->parent[i], u, __ATOMIC_RELAXED);
        }
    }
    return examined;
}

static void mark(bfs *b, fri_member me) {
    fr_part_solver *s = b->s;
    uint64_t *marks = s->marks + me.index * fri_part_words(b->p);
    int32_t *buffer = s->buffers + (int64_t)me.index * FRI_PART_BUFFER;
    int64_t total = b->is_bitmap ? fri_part_slots(b->p) / 64 : b->frontier, begin, end;
    int64_t grain = b->is_bitmap ? FRI_PART_CHUNK_WORDS : grain_of(b, me);
    while (fri_team_next_chunk(&b->cursor, total, grain, &begin, &end)) {
        const int32_t *list = b->is_bitmap ? buffer : s->list + begin;
        int64_t count =
            b->is_bitmap ? fri_part_list_bits(s->front, begin, end, 0, buffer) : end - begin;
        s->workers[me.index].examined += mark_rows(b, marks, list, count);
    }
}

/* Merges the threads' bitmaps, and clears them. */
static void push_mark(bfs *b, fri_member me) {
    fr_part_solver *s = b->s;
    int64_t words = fri_part_words(b->p), begin, end;
    mark(b, me);
    fri_team_barrier(me); /* every thread's bitmap is complete */
    while (fri_team_next_chunk(&b->merge_cursor, words, FRI_PART_CHUNK_WORDS, &begin, &end))
        for (int64_t word = begin; word < end; word++) {
            uint64_t found = 0;
            for (int thread = 0; thread < me.count; thread++) {
                found |= s->marks[thread * words + word];
                s->marks[thread * words + word] = 0;
            }
            commit_word(b, &s->workers[me.index], word, found, true);
        }
}

/* ---- bottom-up ----------------------------------------------------------------------------- */

/* Finds the vertices whose hub parent is in the frontier, and lists the others. Level and parent
 * are written before the test: they are undefined until the vertex is found, and a store costs less
 * than a mispredicted branch. */
static int64_t try_hub_parents(const bfs *b, int64_t word, uint64_t *found, int32_t *others) {
    fr_part_solver *s = b->s;
    int64_t count = 0;
    uint64_t hits = 0;
    for (uint64_t open = ~s->seen[word]; open; open &= open - 1) {
        int bit = __builtin_ctzll(open);
        int32_t i = (int32_t)(word * 64 + bit), u = s->hub_parent[i];
        uint64_t hit = s->front[u >> 6] >> (u & 63) & 1;
        s->level[i] = b->depth;
        s->parent[i] = u;
        hits |= hit << bit;
        others[count] = i;
        count += !hit;
    }
    *found = hits;
    return count;
}

/* Scans the in-edges for one from the frontier; returns the edges examined. */
static int64_t scan_in_edges(const bfs *b, int32_t i, uint64_t *found) {
    const fr_part *p = b->p;
    int64_t begin = p->pull_offsets[i], end = p->pull_offsets[i + 1];
    for (int64_t e = begin; e < end; e++) {
        int32_t u = p->pull_sources[e];
        if (!fri_bit_get(b->s->front, u))
            continue;
        b->s->parent[i] = u;
        *found |= UINT64_C(1) << (i & 63);
        return e + 1 - begin;
    }
    return end - begin;
}

/* Pulls the vertices of words begin .. end, which belong to the calling thread. */
static void pull_words(const bfs *b, fri_part_worker *w, int64_t begin, int64_t end,
                       int32_t *others) {
    const fr_part *p = b->p;
    uint64_t found[FRI_PART_CHUNK_WORDS];
    int64_t waiting = 0, before = w->count;
    for (int64_t word = begin; word < end; word++)
        waiting += try_hub_parents(b, word, &found[word - begin], others + waiting);
    for (int64_t k = 0; k < waiting; k++) {
        if (k + PREFETCH < waiting)
            __builtin_prefetch(p->pull_sources + p->pull_offsets[others[k + PREFETCH]]);
        w->examined += scan_in_edges(b, others[k], &found[others[k] / 64 - begin]);
    }
    for (int64_t word = begin; word < end; word++)
        commit_word(b, w, word, found[word - begin], false);
    w->examined += w->count - before;
}

static void pull(bfs *b, fri_member me) {
    fr_part_solver *s = b->s;
    int32_t *others = s->buffers + (int64_t)me.index * FRI_PART_BUFFER;
    int64_t begin, end;
    while (
        fri_team_next_chunk(&b->cursor, fri_part_words(b->p), FRI_PART_CHUNK_WORDS, &begin, &end))
        pull_words(b, &s->workers[me.index], begin, end, others);
}

/* ---- a step -------------------------------------------------------------------------------- */

static const struct {
    void (*run)(bfs *b, fri_member me);
    bool list, bitmap; /* the forms of the frontier that it reads */
    bool finds_bitmap;
} steps[FRI_METHOD_COUNT] = {[FRI_METHOD_SERIAL] = {push_alone, true, false, false},
                             [FRI_METHOD_QUEUE] = {push_claim, true, false, false},
                             [FRI_METHOD_BITMAP] = {push_mark, true, true, true},
                             [FRI_METHOD_PULL] = {pull, false, true, true}};

static void make_bitmap(const bfs *b) {
    fr_part_solver *s = b->s;
    memset(s->front, 0, (size_t)fri_part_slots(b->p) / 8);
    for (int64_t k = 0; k < b->frontier; k++)
        fri_bit_set(s->front, s->list[k]);
}

void fri_part_bfs_convert(bfs *b) {
    if (b->is_bitmap && !steps[b->method].bitmap) {
        fri_part_list_bits(b->s->front, 0, fri_part_slots(b->p) / 64, 0, b->s->list);
        b->is_bitmap = false;
    } else if (!b->is_bitmap && !steps[b->method].list) {
        make_bitmap(b);
        b->is_bitmap = true;
    }
    b->found_bitmap = steps[b->method].finds_bitmap;
}

void fri_part_bfs_step(bfs *b, fri_member me) { steps[b->method].run(b, me); }
