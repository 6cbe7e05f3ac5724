/* Rows of levels from bits per vertex.
 *
 * Idea: a store per bit goes to another row each time, which costs a cache miss a value. Where many
 *   bits come together, the levels of all sources are kept as numbers in bit planes, to which a level adds a
 *   vertex's bits by one `or` per 1 in its number. At the end of the search blocks of 64 vertices and 64
 *   sources are transposed and written in one stream, unreached values included. In deep graphs few bits come
 *   together, and there is a store per bit.
 * Source: the transposition: H. S. Warren: Hacker's Delight, 2nd edition, 2012, section 7-3.
 */
#include "cpu/apsp/multi_bfs_rows.h"

enum { TILE = 8 }; /* words of vertices that are written at a time: 2 KB of a row */

static bool is_wide(const fri_level_rows *rows) { return rows->type == FR_TYPE_I64; }

/* ---- a store per bit ---------------------------------------------------------------------- */

static void put(const fri_level_rows *rows, int64_t at, int64_t level) {
    if (is_wide(rows))
        ((int64_t *)rows->dist)[at] = level;
    else
        ((int32_t *)rows->dist)[at] = (int32_t)level;
}

void fri_level_rows_clear(const fri_level_rows *rows, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, (int64_t)rows->n * rows->count, 16, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        put(rows, i, is_wide(rows) ? FR_INF_I64 : FR_INF_I32);
}

void fri_level_rows_take(fri_multi_bfs *s, fri_member me, int64_t word, uint64_t vertices) {
    const fri_level_rows *rows = s->user;
    (void)me;
    for (; vertices; vertices &= vertices - 1) {
        const int64_t v = word * 64 + __builtin_ctzll(vertices);
        for (int64_t k = 0; k < s->words; k++)
            for (uint64_t b = s->next[v * s->words + k]; b; b &= b - 1)
                put(rows, (k * 64 + __builtin_ctzll(b)) * rows->n + v, s->level);
    }
}

/* ---- bit planes --------------------------------------------------------------------------- */

void fri_level_planes_clear(const fri_level_planes *planes, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, planes->words, 8, &begin, &end);
    for (int p = 0; p < planes->used; p++)
        memset(planes->plane[p] + begin, 0, (size_t)(end - begin) * sizeof(uint64_t));
}

void fri_level_planes_take(fri_multi_bfs *s, fri_member me, int64_t word, uint64_t vertices) {
    const fri_level_planes *planes = s->user;
    const int words = s->words;
    const unsigned code = (unsigned)s->level + 1;
    (void)me;
    if (planes->wanted)
        vertices &= planes->wanted[word];
    for (; vertices; vertices &= vertices - 1) {
        const int64_t at = (word * 64 + __builtin_ctzll(vertices)) * words;
        for (unsigned c = code; c; c &= c - 1) {
            uint64_t *to = planes->plane[__builtin_ctz(c)] + at;
            for (int k = 0; k < words; k++)
                to[k] |= s->next[at + k];
        }
    }
}

/* Bit j of word i becomes bit i of word j. */
static void transpose(uint64_t *a) {
    uint64_t mask = UINT64_C(0x00000000FFFFFFFF);
    for (int j = 32; j; j >>= 1, mask ^= mask << j)
        for (int base = 0; base < 64; base += 2 * j)
            for (int i = base; i < base + j; i++) {
                const uint64_t swap = ((a[i] >> j) ^ a[i + j]) & mask;
                a[i] ^= swap << j;
                a[i + j] ^= swap;
            }
}

/* The codes of 64 vertices from a bit of each in `used` planes, 64 words apart. Without shifts by a variable,
 * which not every instruction set has for vectors. */
static inline void decode(const uint64_t *planes, int used, int32_t *code) {
    static const int32_t one[32] = {1 << 0,  1 << 1,  1 << 2,  1 << 3,   1 << 4,  1 << 5,  1 << 6,
                                    1 << 7,  1 << 8,  1 << 9,  1 << 10,  1 << 11, 1 << 12, 1 << 13,
                                    1 << 14, 1 << 15, 1 << 16, 1 << 17,  1 << 18, 1 << 19, 1 << 20,
                                    1 << 21, 1 << 22, 1 << 23, 1 << 24,  1 << 25, 1 << 26, 1 << 27,
                                    1 << 28, 1 << 29, 1 << 30, INT32_MIN};
    for (int p = 0; p < used; p++)
        for (int half = 0; half < 2; half++) {
            const int32_t bits = (int32_t)(uint32_t)(planes[p * 64] >> (32 * half));
            int32_t *to = code + 32 * half;
            for (int i = 0; i < 32; i++)
                to[i] = (p ? to[i] : 0) | ((bits & one[i]) == one[i] ? 1 << p : 0);
        }
}

static void write_codes(const fri_level_rows *rows, int64_t at, const int32_t *code, int count) {
    if (is_wide(rows)) {
        int64_t *to = (int64_t *)rows->dist + at;
        for (int i = 0; i < count; i++)
            to[i] = code[i] ? code[i] - 1 : FR_INF_I64;
    } else {
        int32_t *to = (int32_t *)rows->dist + at;
        for (int i = 0; i < count; i++)
            to[i] = code[i] ? code[i] - 1 : FR_INF_I32;
    }
}

/* Reads the bits of 64 vertices for 64 sources, transposed: a word per source in each plane. */
static void load(const fri_level_planes *planes, int words, int word, int64_t first, int count,
                 uint64_t *out) {
    for (int p = 0; p < planes->used; p++) {
        for (int i = 0; i < 64; i++)
            out[p * 64 + i] = i < count ? planes->plane[p][(first + i) * words + word] : 0;
        transpose(out + (size_t)p * 64);
    }
}

/* Rows `begin` .. `end` - 1, sources of the same word, for the vertices of a tile. */
static void write_tile(const fri_level_planes *planes, int words, int32_t first, int32_t begin,
                       int32_t end, int64_t tile, const fri_level_rows *rows) {
    uint64_t bits[FRI_PLANES * 64];
    int32_t code[64];
    const int64_t last = FRI_MIN((tile + 1) * TILE, fri_bitmap_words(rows->n));
    for (int64_t w = tile * TILE; w < last; w++) {
        const int count = (int)FRI_MIN(64, rows->n - w * 64);
        if (planes->wanted && !planes->wanted[w])
            continue;
        load(planes, words, (first + begin) / 64, w * 64, count, bits);
        for (int32_t i = begin; i < end; i++) {
            decode(bits + (first + i) % 64, planes->used, code);
            write_codes(rows, (int64_t)i * rows->n + w * 64, code, count);
        }
    }
}

void fri_level_planes_write(const fri_level_planes *planes, int words, int32_t first,
                            const fri_level_rows *rows, fri_member me, int64_t *cursor) {
    const int64_t tiles = (fri_bitmap_words(rows->n) + TILE - 1) / TILE;
    (void)me;
    for (int64_t tile, end; fri_team_next_chunk(cursor, tiles, 1, &tile, &end);)
        for (int32_t i = 0, next; i < rows->count; i = next) {
            next = FRI_MIN(rows->count, (first + i) / 64 * 64 + 64 - first);
            write_tile(planes, words, first, i, next, tile, rows);
        }
}
