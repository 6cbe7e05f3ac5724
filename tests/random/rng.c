/* Random numbers: splitmix64, the same on every machine. */
#include "random.h"

ri_rng ri_seeded(uint64_t seed, uint64_t stream) {
    ri_rng rng = {seed * UINT64_C(0x9e3779b97f4a7c15) + stream};
    rng.state = ri_bits(&rng) ^ stream;
    return rng;
}

uint64_t ri_bits(ri_rng *rng) {
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int64_t ri_below(ri_rng *rng, int64_t bound) {
    return bound > 0 ? (int64_t)(ri_bits(rng) % (uint64_t)bound) : 0;
}

int64_t ri_between(ri_rng *rng, int64_t low, int64_t high) {
    return (int64_t)((uint64_t)low + ri_bits(rng) % ((uint64_t)high - (uint64_t)low + 1));
}

bool ri_chance(ri_rng *rng, int percent) { return ri_below(rng, 100) < percent; }

double ri_unit(ri_rng *rng) { return (double)(ri_bits(rng) >> 11) * 0x1p-53; }
