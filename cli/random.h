/* Random numbers that are the same on every machine: splitmix64 (G. L. Steele, D. Lea, C. H. Flood:
 * Fast splittable pseudorandom number generators, OOPSLA 2014).
 *
 * The library has the same function in base/rng.h. It is repeated here because the command includes
 * no header of the library but fringe.h, and random numbers are not part of that interface. */
#ifndef CLI_RANDOM_H
#define CLI_RANDOM_H

#include <stdint.h>

static inline uint64_t random_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t random_next(uint64_t *state) {
    return random_mix(*state += 0x9e3779b97f4a7c15u);
}

#endif
