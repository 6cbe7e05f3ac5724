/* One level of the traversal from many sources at once: bottom-up or top-down; see multi_bfs.c.
 * Called by: multi_bfs.c, by a table of functions per number of words. */
#include "cpu/apsp/multi_bfs.h"

#include <string.h>

enum { GRAIN = 16 }; /* words of a bitmap taken at a time */

static inline void put_parents(const fri_multi_bfs *s, int word, uint64_t bits, int32_t v,
                               int32_t u) {
    for (; bits; bits &= bits - 1)
        s->parent[((int64_t)word * 64 + __builtin_ctzll(bits)) * s->job->csr.n + v] = u;
}

/* Writes the levels for v's new bits; only this member processes v. */
static inline void settle(fri_multi_bfs *s, fri_multi_bfs_worker *l, int32_t v, int words) {
    const fr_csr *out = &s->job->csr;
    uint64_t *bits = s->next + (int64_t)v * words, *seen = s->seen + (int64_t)v * words;
    for (int k = 0; k < words; k++) {
        seen[k] |= bits[k];
        for (uint64_t b = bits[k]; b; b &= b - 1)
            fri_multi_bfs_put(s, (int64_t)k * 64 + __builtin_ctzll(b), v, s->depth + 1);
    }
    l->active++;
    l->edges += out->offsets[v + 1] - out->offsets[v];
}

/* Gathers the missing bits of v from its in-neighbors; true if there are new ones. */
static inline bool gather(fri_multi_bfs *s, fri_multi_bfs_worker *l, int32_t v, int words) {
    const fr_csr *in = &s->job->in_edges;
    uint64_t missing[FRI_MULTI_BFS_WORDS], any = 0, came = 0, *next = s->next + (int64_t)v * words;
    for (int k = 0; k < words; k++) {
        missing[k] = s->full[k] & ~s->seen[(int64_t)v * words + k];
        any |= missing[k];
        next[k] = 0;
    }
    int64_t e = in->offsets[v], end = in->offsets[v + 1];
    if (!any)
        return false;
    l->left += end - e;
    for (; e < end && any; e++) {
        int32_t u = in->targets[e];
        l->examined++;
        if (words > 1 && !fri_bit_get(s->active, u))
            continue; /* saves reading a cache line */
        any = 0;
        for (int k = 0; k < words; k++) {
            uint64_t gained = s->visit[(int64_t)u * words + k] & missing[k];
            next[k] |= gained;
            missing[k] &= ~gained;
            any |= missing[k];
            came |= gained;
            if (s->parent)
                put_parents(s, k, gained, v, u);
        }
    }
    return came != 0;
}

/* Whether the level should end early. Member 0 checks for cancellation; `examined`: edges examined
 * before the last piece. */
static inline bool halts(fri_multi_bfs *s, fri_member me, int words, int64_t examined) {
    int64_t work = (s->workers[me.index].examined - examined) * words + GRAIN;
    return fri_pace_stop_team(&s->pace, me.index == 0, work, s->row);
}

static inline void pull(fri_multi_bfs *s, fri_member me, int words) {
    fri_multi_bfs_worker *l = &s->workers[me.index];
    int64_t total = fri_bitmap_words(s->job->csr.n), begin, end;
    while (fri_team_next_chunk(&s->cursor, total, GRAIN, &begin, &end)) {
        int64_t examined = l->examined;
        for (int64_t w = begin; w < end; w++) {
            uint64_t came = 0;
            int64_t first = w * 64, last = FRI_MIN(first + 64, s->job->csr.n);
            for (int64_t v = first; v < last; v++)
                if (gather(s, l, (int32_t)v, words)) {
                    came |= UINT64_C(1) << (v - first);
                    settle(s, l, (int32_t)v, words);
                }
            s->touched[w] = came;
        }
        if (halts(s, me, words, examined))
            return;
    }
}

/* Passes u's bits to v. */
static inline void pass_bits(fri_multi_bfs *s, const uint64_t *from, int32_t u, int32_t v,
                             int words) {
    uint64_t *next = s->next + (int64_t)v * words;
    const uint64_t *seen = s->seen + (int64_t)v * words;
    for (int k = 0; k < words; k++) {
        uint64_t bits = from[k] & ~seen[k];
        if (!(bits & ~__atomic_load_n(&next[k], __ATOMIC_RELAXED)))
            continue;
        /* atomic: other threads pass bits to v too; the vertex that sets a bit first is the
         * parent */
        bits &= ~__atomic_fetch_or(&next[k], bits, __ATOMIC_RELAXED);
        if (bits && s->parent)
            put_parents(s, k, bits, v, u);
        fri_bit_claim(s->touched, v);
    }
}

static inline void push(fri_multi_bfs *s, fri_member me, int words) {
    const fr_csr *out = &s->job->csr;
    fri_multi_bfs_worker *l = &s->workers[me.index];
    int64_t total = fri_bitmap_words(out->n), begin, end;
    while (fri_team_next_chunk(&s->cursor, total, GRAIN, &begin, &end)) {
        int64_t examined = l->examined;
        for (int64_t w = begin; w < end; w++)
            for (uint64_t bits = s->active[w]; bits; bits &= bits - 1) {
                int32_t u = (int32_t)(w * 64 + __builtin_ctzll(bits));
                const uint64_t *from = s->visit + (int64_t)u * words;
                l->examined += out->offsets[u + 1] - out->offsets[u];
                for (int64_t e = out->offsets[u]; e < out->offsets[u + 1]; e++)
                    pass_bits(s, from, u, out->targets[e], words);
            }
        if (halts(s, me, words, examined))
            break;
    }
    fri_team_barrier(me); /* all bits are passed on */
    fri_team_static_range(me, total, 1, &begin, &end);
    for (int64_t w = begin; w < end; w++)
        for (uint64_t bits = s->touched[w]; bits; bits &= bits - 1)
            settle(s, l, (int32_t)(w * 64 + __builtin_ctzll(bits)), words);
}

/* Clears the old frontier, which becomes the next one. */
void fri_multi_bfs_retire(fri_multi_bfs *s, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, fri_bitmap_words(s->job->csr.n), 1, &begin, &end);
    for (int64_t w = begin; w < end; w++) {
        for (uint64_t bits = s->active[w]; bits; bits &= bits - 1) {
            int64_t u = w * 64 + __builtin_ctzll(bits);
            memset(s->visit + u * s->words, 0, (size_t)s->words * sizeof *s->visit);
        }
        s->active[w] = 0;
    }
}

/* A level with a number of words known at compile time. */
#define LEVEL(W)                                                                                   \
    static void level_##W(fri_multi_bfs *s, fri_member me) {                                       \
        if (s->pulls)                                                                              \
            pull(s, me, W);                                                                        \
        else                                                                                       \
            push(s, me, W);                                                                        \
    }
LEVEL(1)
LEVEL(4)
LEVEL(8)
void (*const fri_multi_bfs_level[FRI_MULTI_BFS_WORDS + 1])(fri_multi_bfs *, fri_member) = {
    [1] = level_1, [4] = level_4, [8] = level_8};
