/* Random numbers as a function of a counter, so that a result does not depend on the number of
 * threads.
 * Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
 */
#ifndef FRI_RNG_H
#define FRI_RNG_H

#include <stdint.h>

/* The finalizer of SplitMix64: a bijection whose output looks random for consecutive x. */
static inline uint64_t fri_mix64(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The k-th 64-bit number of stream `seed`. */
static inline uint64_t fri_random(uint64_t seed, uint64_t k) {
    return fri_mix64(fri_mix64(seed) ^ (k * 0x9e3779b97f4a7c15u));
}

/* Uniform in 0 .. bound-1, bound >= 1 (Lemire's multiply; the bias is below bound / 2^64). */
static inline uint64_t fri_random_below(uint64_t random, uint64_t bound) {
    return (uint64_t)(((unsigned __int128)random * bound) >> 64);
}

/* Uniform in [0, 1), 53 bits. */
static inline double fri_random_unit(uint64_t random) { return (double)(random >> 11) * 0x1p-53; }

#endif
