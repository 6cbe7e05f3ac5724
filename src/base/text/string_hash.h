/* A hash of short strings.
 *
 * Source: the multiplication and folding of wyhash (Wang Yi, 2019): the two halves of a product of
 *   128 bits are xored. The seed makes names that collide on purpose hard to find in advance. */
#ifndef FRI_BASE_STRING_HASH_H
#define FRI_BASE_STRING_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t fri_fold(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The hash of up to 16 bytes, padded with zeros to two words. */
static inline uint64_t fri_hash_words(uint64_t first, uint64_t second, uint64_t seed) {
    return fri_fold(fri_fold(first ^ 0xa0761d6478bd642fu, second ^ seed) ^ 0x8ebc6af09c88c6e3u,
                    0x589965cc75374cc3u);
}

/* Joins 16 bytes to the seed of those that follow. */
static inline uint64_t fri_hash_block(uint64_t first, uint64_t second, uint64_t seed) {
    return fri_fold(first ^ 0xe7037ed1a0b428dbu, second ^ seed);
}

static inline uint64_t fri_hash_string(const char *at, size_t length, uint64_t seed) {
    uint64_t word[2] = {0};
    if (length <= 16) {
        memcpy(word, at, length);
        return fri_hash_words(word[0], word[1], seed);
    }
    const char *last =
        at + length - 16; /* may overlap the block before: no tail of variable size */
    for (; at < last; at += 16) {
        memcpy(word, at, 16);
        seed = fri_hash_block(word[0], word[1], seed);
    }
    memcpy(word, last, 16);
    return fri_hash_words(word[0], word[1], seed + length);
}

#endif
