/* The steps of BFS on ranks: three kinds of push, one pull. As cpu/bfs/steps.c, but a frontier has
 * slots of all ranks, and what is found are own indices.
 *
 * Rows of later vertices are fetched while a row is processed: a row is at a random place. Level and
 * parent are only written, so that the one thing read at random is a bitmap. */
#include "ranks/bfs_steps.h"

#include <omp.h>
#include <string.h>

enum { PREFETCH = 12 }; /* rows ahead, about the latency of memory */

typedef struct level {
    fr_part_solver *s;
    const fr_part *p;
    const fr_csr *rows;
    bool is_bitmap; /* the frontier */
    int64_t count;
    int32_t depth;
} level;

int64_t fri_part_list_bits(const uint64_t *map, int64_t begin, int64_t end, int32_t base,
                           int32_t *list) {
    int64_t count = 0;
    for (int64_t word = begin; word < end; word++)
        for (uint64_t bits = map[word]; bits; bits &= bits - 1)
            list[count++] = base + (int32_t)(word * 64 + __builtin_ctzll(bits));
    return count;
}

static void prefetch_rows(const level *l, const int32_t *list, int64_t k, int64_t count) {
    if (k + 2 * PREFETCH < count)
        __builtin_prefetch(&l->rows->offsets[list[k + 2 * PREFETCH]]);
    if (k + PREFETCH < count)
        __builtin_prefetch(l->rows->targets + l->rows->offsets[list[k + PREFETCH]]);
}

/* ---- top-down to a list -------------------------------------------------------------------- */

static int64_t sum_in_degrees(const level *l, int64_t count) {
    int64_t sum = 0, base = fri_part_base(l->p);
    for (int64_t k = 0; k < count; k++)
        sum += fri_part_in_degree(l->p, (int32_t)(l->s->found[k] - base));
    return sum;
}

/* One thread: without atomics. */
static fri_part_found push_alone(const level *l) {
    fr_part_solver *s = l->s;
    const int32_t *targets = l->rows->targets;
    uint64_t *seen = s->seen;
    int32_t base = fri_part_base(l->p);
    int64_t found = 0, examined = 0;
    for (int64_t k = 0; k < l->count; k++) {
        prefetch_rows(l, s->list, k, l->count);
        int32_t u = s->list[k];
        int64_t end = l->rows->offsets[u + 1];
        examined += end - l->rows->offsets[u];
        for (int64_t e = l->rows->offsets[u]; e < end; e++) {
            int32_t i = targets[e];
            if (fri_bit_get(seen, i))
                continue;
            fri_bit_set(seen, i);
            __builtin_prefetch(&l->p->pull_offsets[i]);
            s->level[i] = l->depth;
            s->parent[i] = u;
            s->found[found++] = base + i;
        }
    }
    return (fri_part_found){found, sum_in_degrees(l, found), examined, false};
}

static fri_part_found push_claim(const level *l) {
    fr_part_solver *s = l->s;
    int32_t base = fri_part_base(l->p);
    int64_t examined = 0, edges = 0;
    s->found_count = 0;
#pragma omp parallel num_threads(s->threads) reduction(+ : examined, edges)
    {
        fri_append a = {.list = s->found, .count = &s->found_count};
#pragma omp for schedule(FRI_DYNAMIC, 64) nowait
        for (int64_t k = 0; k < l->count; k++) {
            prefetch_rows(l, s->list, k, l->count);
            int32_t u = s->list[k];
            int64_t end = l->rows->offsets[u + 1];
            examined += end - l->rows->offsets[u];
            for (int64_t e = l->rows->offsets[u]; e < end; e++) {
                int32_t i = l->rows->targets[e];
                if (!fri_bit_claim(s->seen, i)) /* atomic: one thread finds i */
                    continue;
                s->level[i] = l->depth;
                s->parent[i] = u;
                edges += fri_part_in_degree(l->p, i);
                fri_append_put(&a, base + i);
            }
        }
        fri_append_flush(&a);
    }
    return (fri_part_found){s->found_count, edges, examined, false};
}

/* ---- settling a word of a bitmap ------------------------------------------------------------- */

/* Counts the vertices of a word of s->mine. The word belongs to the calling thread. */
static void settle_word(const level *l, int64_t word, uint64_t found, bool writes_levels,
                        int64_t *count, int64_t *edges) {
    fr_part_solver *s = l->s;
    s->mine[word] = found;
    s->seen[word] |= found;
    for (; found; found &= found - 1) {
        int32_t i = (int32_t)(word * 64 + __builtin_ctzll(found));
        if (writes_levels)
            s->level[i] = l->depth;
        *edges += fri_part_in_degree(l->p, i);
        ++*count;
    }
}

/* ---- top-down to a bitmap ------------------------------------------------------------------ */

/* Into the thread's own bitmap: `seen` does not change meanwhile, so nothing is atomic. Two threads
 * may find the same vertex; either parent is right. */
static int64_t mark_rows(const level *l, uint64_t *marks, const int32_t *list, int64_t count) {
    const fr_part_solver *s = l->s;
    const int32_t *targets = l->rows->targets;
    int64_t examined = 0;
    for (int64_t k = 0; k < count; k++) {
        prefetch_rows(l, list, k, count);
        int32_t u = list[k];
        int64_t end = l->rows->offsets[u + 1];
        examined += end - l->rows->offsets[u];
        for (int64_t e = l->rows->offsets[u]; e < end; e++) {
            uint32_t i = (uint32_t)targets[e];
            uint64_t bit = UINT64_C(1) << (i & 63), known = marks[i >> 6];
            if ((known | s->seen[i >> 6]) & bit)
                continue;
            marks[i >> 6] = known | bit;
            /* relaxed: threads may race, and every value stored is right */
            __atomic_store_n(&s->parent[i], u, __ATOMIC_RELAXED);
        }
    }
    return examined;
}

/* Small enough that no thread waits long for the last piece. */
static int64_t grain_of(const level *l) {
    int64_t grain = l->count / (8 * l->s->threads);
    return l->is_bitmap ? FRI_PART_CHUNK_WORDS : FRI_MAX(16, FRI_MIN(grain, 1024));
}

static int64_t mark(const level *l) {
    fr_part_solver *s = l->s;
    int64_t examined = 0, grain = grain_of(l);
    int64_t total = l->is_bitmap ? fri_part_slots(l->p) / 64 : l->count;
#pragma omp parallel num_threads(s->threads) reduction(+ : examined)
    {
        int thread = omp_get_thread_num();
        uint64_t *marks = s->marks + thread * fri_part_words(l->p);
        int32_t *buffer = s->buffers + (int64_t)thread * FRI_PART_BUFFER;
#pragma omp for schedule(FRI_DYNAMIC, 1)
        for (int64_t begin = 0; begin < total; begin += grain) {
            int64_t end = FRI_MIN(begin + grain, total);
            const int32_t *list = l->is_bitmap ? buffer : s->list + begin;
            int64_t count =
                l->is_bitmap ? fri_part_list_bits(s->front, begin, end, 0, buffer) : end - begin;
            examined += mark_rows(l, marks, list, count);
        }
    }
    return examined;
}

/* Merges the threads' bitmaps, and clears them. */
static fri_part_found push_mark(const level *l) {
    fr_part_solver *s = l->s;
    int64_t examined = mark(l), count = 0, edges = 0, words = fri_part_words(l->p);
#pragma omp parallel for num_threads(s->threads) schedule(FRI_DYNAMIC, FRI_PART_CHUNK_WORDS)  \
    reduction(+ : count, edges)
    for (int64_t word = 0; word < words; word++) {
        uint64_t found = 0;
        for (int thread = 0; thread < s->threads; thread++) {
            found |= s->marks[thread * words + word];
            s->marks[thread * words + word] = 0;
        }
        settle_word(l, word, found, true, &count, &edges);
    }
    return (fri_part_found){count, edges, examined, true};
}

/* ---- bottom-up ----------------------------------------------------------------------------- */

/* Vertices whose head is in the frontier are found at once, the others are listed. Level and parent
 * are written before the test: they mean nothing until the vertex is found, and a store costs less
 * than a branch that is predicted wrongly. */
static int64_t try_heads(const level *l, int64_t word, uint64_t *found, int32_t *others) {
    fr_part_solver *s = l->s;
    int64_t count = 0;
    uint64_t hits = 0;
    for (uint64_t open = ~s->seen[word]; open; open &= open - 1) {
        int bit = __builtin_ctzll(open);
        int32_t i = (int32_t)(word * 64 + bit), u = s->head[i];
        uint64_t hit = s->front[u >> 6] >> (u & 63) & 1;
        s->level[i] = l->depth;
        s->parent[i] = u;
        hits |= hit << bit;
        others[count] = i;
        count += !hit;
    }
    *found = hits;
    return count;
}

/* Looks for a source in the frontier among the in-edges; returns the edges examined. */
static int64_t look(const level *l, int32_t i, uint64_t *found) {
    const fr_part *p = l->p;
    int64_t begin = p->pull_offsets[i], end = p->pull_offsets[i + 1];
    for (int64_t e = begin; e < end; e++) {
        int32_t u = p->pull_sources[e];
        if (!fri_bit_get(l->s->front, u))
            continue;
        l->s->parent[i] = u;
        *found |= UINT64_C(1) << (i & 63);
        return e + 1 - begin;
    }
    return end - begin;
}

/* Words begin .. end, which belong to the calling thread; returns the edges examined. */
static int64_t pull_words(const level *l, int64_t begin, int64_t end, int32_t *others,
                          int64_t *count, int64_t *edges) {
    const fr_part *p = l->p;
    uint64_t found[FRI_PART_CHUNK_WORDS];
    int64_t waiting = 0, examined = 0, before = *count;
    for (int64_t word = begin; word < end; word++)
        waiting += try_heads(l, word, &found[word - begin], others + waiting);
    for (int64_t k = 0; k < waiting; k++) {
        if (k + PREFETCH < waiting)
            __builtin_prefetch(p->pull_sources + p->pull_offsets[others[k + PREFETCH]]);
        examined += look(l, others[k], &found[others[k] / 64 - begin]);
    }
    for (int64_t word = begin; word < end; word++)
        settle_word(l, word, found[word - begin], false, count, edges);
    return examined + *count - before;
}

static fri_part_found pull(const level *l) {
    fr_part_solver *s = l->s;
    int64_t examined = 0, count = 0, edges = 0, words = fri_part_words(l->p);
#pragma omp parallel num_threads(s->threads) reduction(+ : examined, count, edges)
    {
        int32_t *others = s->buffers + (int64_t)omp_get_thread_num() * FRI_PART_BUFFER;
#pragma omp for schedule(FRI_DYNAMIC, 1)
        for (int64_t begin = 0; begin < words; begin += FRI_PART_CHUNK_WORDS) {
            int64_t end = FRI_MIN(begin + FRI_PART_CHUNK_WORDS, words);
            examined += pull_words(l, begin, end, others, &count, &edges);
        }
    }
    return (fri_part_found){count, edges, examined, true};
}

/* ---- a step -------------------------------------------------------------------------------- */

static void make_bitmap(const level *l) {
    fr_part_solver *s = l->s;
    memset(s->front, 0, (size_t)fri_part_slots(l->p) / 8);
    for (int64_t k = 0; k < l->count; k++)
        fri_bit_set(s->front, s->list[k]);
}

fri_part_found fri_part_bfs_step(fr_part_solver *s, fri_bfs_method method, bool is_bitmap,
                                 int64_t count, int32_t depth) {
    static const struct {
        fri_part_found (*run)(const level *l);
        bool list, bitmap; /* the forms of the frontier that it takes */
    } steps[FRI_METHOD_COUNT] = {[FRI_METHOD_SERIAL] = {push_alone, true, false},
                                 [FRI_METHOD_QUEUE] = {push_claim, true, false},
                                 [FRI_METHOD_BITMAP] = {push_mark, true, true},
                                 [FRI_METHOD_PULL] = {pull, false, true}};
    level l = {.s = s,
               .p = s->part,
               .rows = &s->part->push->csr,
               .is_bitmap = is_bitmap,
               .count = count,
               .depth = depth};
    if (is_bitmap && !steps[method].bitmap)
        fri_part_list_bits(s->front, 0, fri_part_slots(l.p) / 64, 0, s->list);
    else if (!is_bitmap && !steps[method].list)
        make_bitmap(&l);
    return steps[method].run(&l);
}
