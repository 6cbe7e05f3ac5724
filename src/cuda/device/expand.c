#include "cuda/device/expand.h"

#include "base/base.h"

#include <string.h>

int fri_narrow_size(int size, int64_t low, int64_t high) {
    static const struct {
        int bytes;
        int64_t min, max;
    } widths[] = {{1, INT8_MIN, INT8_MAX}, {2, INT16_MIN, INT16_MAX}, {4, INT32_MIN, INT32_MAX}};
    for (int i = 0; i < 3 && widths[i].bytes < size; i++)
        if (low > widths[i].min && high < widths[i].max)
            return widths[i].bytes;
    return size;
}

/* The two marks and what they mean differ in the same bits, so that one mask serves both. It is made
 * in the narrow type, of which a vector holds more: twice as fast as selecting in the wide one. */
#define EXPAND(name, from_type, min, max, to_type, infinity)                                       \
    static void name(void *restrict to, const void *restrict from, int64_t count) {                \
        to_type *restrict out = to;                                                                \
        const from_type *restrict in = from;                                                       \
        for (int64_t i = 0; i < count; i++) {                                                      \
            const from_type v = in[i], mark = (v == (max)) | (v == (min)) ? -1 : 0;                \
            out[i] = (to_type)v ^ ((to_type)mark & ((infinity) ^ (to_type)(max)));                 \
        }                                                                                          \
    }
EXPAND(from_1_to_4, int8_t, INT8_MIN, INT8_MAX, int32_t, FR_INF_I32)
EXPAND(from_2_to_4, int16_t, INT16_MIN, INT16_MAX, int32_t, FR_INF_I32)
EXPAND(from_1_to_8, int8_t, INT8_MIN, INT8_MAX, int64_t, FR_INF_I64)
EXPAND(from_2_to_8, int16_t, INT16_MIN, INT16_MAX, int64_t, FR_INF_I64)
EXPAND(from_4_to_8, int32_t, INT32_MIN, INT32_MAX, int64_t, FR_INF_I64)

void fri_expand(void *to, int size, const void *from, int narrow, int64_t count) {
    if (size == narrow)
        memcpy(to, from, (size_t)count * (size_t)size);
    else if (size == 4)
        (narrow == 1 ? from_1_to_4 : from_2_to_4)(to, from, count);
    else
        (narrow == 1 ? from_1_to_8 : narrow == 2 ? from_2_to_8 : from_4_to_8)(to, from, count);
}
