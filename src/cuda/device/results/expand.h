/* The host's part of a download in few bytes: values that device/result_kernels.cu narrowed to
 * signed integers of 1, 2 or 4 bytes become values of 4 or 8 bytes again. The maximum of the narrow
 * type means FR_INF of the wide type, the minimum FR_NEG_INF. */
#ifndef FRI_CUDA_DEVICE_EXPAND_H
#define FRI_CUDA_DEVICE_EXPAND_H

#include <stdint.h>

/* The fewest bytes, at most `size`, in which all integers from `low` to `high` can be sent. */
int fri_narrow_size(int size, int64_t low, int64_t high);

/* Writes `count` values of `size` bytes to `to`; `from` holds them in `narrow` bytes each. Any
 * values if both are the same, else int32 (4) or int64 (8). */
void fri_expand(void *to, int size, const void *from, int narrow, int64_t count);
/* The same for an array that exceeds the caches: writes it around them where that is possible. */
void fri_expand_around_caches(void *to, int size, const void *from, int narrow, int64_t count);

#endif
