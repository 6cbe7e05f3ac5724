/* Sets of vertices as bitmaps, in 64-bit words. */
#ifndef FRI_BITMAP_H
#define FRI_BITMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline int64_t fri_bitmap_words(int64_t bits) { return (bits + 63) / 64; }
static inline size_t fri_bitmap_bytes(int64_t bits) {
    return (size_t)fri_bitmap_words(bits) * sizeof(uint64_t);
}
static inline bool fri_bit_get(const uint64_t *map, int64_t i) {
    return map[i >> 6] >> (i & 63) & 1;
}
/* Not atomic: the calling thread must own the word. */
static inline void fri_bit_set(uint64_t *map, int64_t i) { map[i >> 6] |= UINT64_C(1) << (i & 63); }
/* Atomic: any thread may call it; true for the thread that set the bit. It tests first because most
 * bits are already set. */
static inline bool fri_bit_claim(uint64_t *map, int64_t i) {
    uint64_t bit = UINT64_C(1) << (i & 63);
    if (__atomic_load_n(&map[i >> 6], __ATOMIC_RELAXED) & bit)
        return false;
    return !(__atomic_fetch_or(&map[i >> 6], bit, __ATOMIC_RELAXED) & bit);
}

#endif
