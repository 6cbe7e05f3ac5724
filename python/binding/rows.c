/* Checks and copies of a caller's arrays, each a loop that the compiler vectorizes. */
#include "binding.h"

int pf_rows_are_sound(int32_t n, const pf_rows *rows) {
    int bad = rows->offsets[0] != 0 || rows->offsets[n] > rows->m;
    for (int64_t u = 0; u < n; u++)
        bad |= rows->offsets[u] > rows->offsets[u + 1];
    for (int64_t e = 0; e < rows->m; e++)
        bad |= rows->targets[e] < 0 || rows->targets[e] >= n;
    return !bad;
}

int pf_narrow(int64_t count, const int64_t *from, int32_t *to) {
    uint64_t high = 0; /* differs from 0 in its upper half if a number does not fit */
    for (int64_t i = 0; i < count; i++) {
        to[i] = (int32_t)from[i];
        high |= ((uint64_t)from[i] + UINT64_C(0x80000000)) >> 32;
    }
    return !high;
}
