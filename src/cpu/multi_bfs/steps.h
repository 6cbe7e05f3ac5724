/* What the kernels of all widths and instruction sets share; see multi_bfs.c. */
#ifndef FRI_CPU_MULTI_BFS_STEPS_H
#define FRI_CPU_MULTI_BFS_STEPS_H

#include "cpu/multi_bfs/multi_bfs.h"

typedef struct {
    void (*push)(fri_multi_bfs *s, fri_member me);   /* from visit to next */
    void (*settle)(fri_multi_bfs *s, fri_member me); /* ends a pushed level */
    void (*pull)(fri_multi_bfs *s, fri_member me);   /* both, bottom-up */
} fri_multi_bfs_kernels;

/* By words per vertex: 1, 4 or 8. */
const fri_multi_bfs_kernels *fri_multi_bfs_kernels_avx2(int words);
const fri_multi_bfs_kernels *fri_multi_bfs_kernels_portable(int words);

/* Takes the next chunks of the bitmaps; false if none is left or the search is to end. */
static inline bool fri_multi_bfs_chunks(fri_multi_bfs *s, fri_member me, int phase, int64_t *begin,
                                        int64_t *end) {
    enum { MOST = 64, SHARES = 32 };
    const int64_t words = fri_bitmap_words(s->out.n),
                  chunks = (words + FRI_MULTI_BFS_CHUNK - 1) / FRI_MULTI_BFS_CHUNK;
    const int64_t grain =
        me.count == 1 ? MOST : FRI_MAX(1, FRI_MIN(MOST, chunks / (SHARES * me.count)));
    fri_multi_bfs_worker *l = &s->workers[me.index];
    const int64_t work = l->examined - l->paced;
    l->paced = l->examined;
    if (s->pace &&
        fri_pace_stop_team(s->pace, s->caller && me.index == 0, work * s->words + grain, s->done))
        return false;
    return fri_team_next_chunk(&s->cursor[phase], chunks, grain, begin, end);
}

/* The words of a chunk that are not zero, a bit each, which it clears. */
static inline unsigned fri_multi_bfs_take_words(uint16_t *words, int64_t chunk) {
    const unsigned bits = words[chunk];
    words[chunk] = 0;
    return bits;
}

static inline void fri_multi_bfs_mark_word(uint16_t *words, int64_t word) {
    words[word / FRI_MULTI_BFS_CHUNK] |= (uint16_t)(1u << word % FRI_MULTI_BFS_CHUNK);
}

/* Adds v to the vertices whose next is not zero. */
static inline void fri_multi_bfs_touch(fri_multi_bfs *s, int32_t v, bool team) {
    if (!team) {
        fri_bit_set(s->touched, v);
        fri_multi_bfs_mark_word(s->touched_words, v / 64);
    } else if (fri_bit_claim(s->touched, v)) {
        uint16_t *at = &s->touched_words[v / 64 / FRI_MULTI_BFS_CHUNK];
        const uint16_t bit = (uint16_t)(1u << v / 64 % FRI_MULTI_BFS_CHUNK);
        if (!(__atomic_load_n(at, __ATOMIC_RELAXED) & bit))
            __atomic_fetch_or(at, bit, __ATOMIC_RELAXED);
    }
}

/* Sets bits atomically; returns those that were not set. It tests first because most are. */
static inline uint64_t fri_multi_bfs_claim(uint64_t *word, uint64_t bits) {
    if (!(bits & ~__atomic_load_n(word, __ATOMIC_RELAXED)))
        return 0;
    return bits & ~__atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

static inline void fri_multi_bfs_put_parents(const fri_multi_bfs *s, const uint64_t *bits,
                                             int words, int32_t v, int32_t u) {
    for (int64_t k = 0; k < words; k++)
        for (uint64_t b = bits[k]; b; b &= b - 1)
            s->parent[(k * 64 + __builtin_ctzll(b)) * s->out.n + v] = u;
}

/* v gets no further bits, as the sources that it misses have ended. */
static inline void fri_multi_bfs_close_vertex(fri_multi_bfs *s, fri_multi_bfs_worker *l,
                                              int32_t v) {
    const uint64_t bit = UINT64_C(1) << (v & 63);
    if (!(s->open[v >> 6] & bit))
        return;
    s->open[v >> 6] ^= bit;
    l->left += s->in.offsets[v + 1] - s->in.offsets[v];
}

/* Of a word's vertices, `came` got bits, and `kept` of these are the next frontier. */
static inline void fri_multi_bfs_note(fri_multi_bfs *s, fri_multi_bfs_worker *l, int64_t word,
                                      uint64_t came, uint64_t kept) {
    l->found++;
    s->reached[word] |= came;
    fri_multi_bfs_mark_word(s->reached_words, word);
    s->touched[word] = kept;
    if (kept)
        fri_multi_bfs_mark_word(s->touched_words, word);
}

#endif
