/* Copies of a caller's arrays, in loops that the compiler vectorizes. */
#include "binding.h"

int pf_narrow(int64_t count, const int64_t *from, int32_t *to) {
    uint64_t high = 0; /* differs from 0 in its upper half if a number does not fit */
    for (int64_t i = 0; i < count; i++) {
        to[i] = (int32_t)from[i];
        high |= ((uint64_t)from[i] + UINT64_C(0x80000000)) >> 32;
    }
    return !high;
}
