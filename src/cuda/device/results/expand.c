#include "cuda/device/results/expand.h"

#include "base/base.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

enum { VECTOR_BYTES = 32 };

/* The two marks and what they mean differ in the same bits, so that one mask serves both. It is made
 * in the narrow type, of which a vector holds more: twice as fast as selecting in the wide one. */
#define EXPAND(name, attribute, from_type, min, max, to_type, infinity)                            \
    static attribute void name(void *restrict to, const void *restrict from, int64_t count) {      \
        to_type *restrict out = to;                                                                \
        const from_type *restrict in = from;                                                       \
        for (int64_t i = 0; i < count; i++) {                                                      \
            const from_type v = in[i], mark = ((v == (max)) | (v == (min))) ? -1 : 0;              \
            out[i] = (to_type)v ^ ((to_type)mark & ((infinity) ^ (to_type)(max)));                 \
        }                                                                                          \
    }
#define EXPAND_ALL(suffix, attribute)                                                              \
    EXPAND(from_1_to_4_##suffix, attribute, int8_t, INT8_MIN, INT8_MAX, int32_t, FR_INF_I32)       \
    EXPAND(from_2_to_4_##suffix, attribute, int16_t, INT16_MIN, INT16_MAX, int32_t, FR_INF_I32)    \
    EXPAND(from_1_to_8_##suffix, attribute, int8_t, INT8_MIN, INT8_MAX, int64_t, FR_INF_I64)       \
    EXPAND(from_2_to_8_##suffix, attribute, int16_t, INT16_MIN, INT16_MAX, int64_t, FR_INF_I64)    \
    EXPAND(from_4_to_8_##suffix, attribute, int32_t, INT32_MIN, INT32_MAX, int64_t, FR_INF_I64)

typedef void (*expand_fn)(void *restrict to, const void *restrict from, int64_t count);
/* In the order of conversion_of. */
#define CONVERSIONS(suffix)                                                                        \
    {                                                                                              \
        from_1_to_4_##suffix, from_2_to_4_##suffix, from_1_to_8_##suffix, from_2_to_8_##suffix,    \
            from_4_to_8_##suffix                                                                   \
    }

static int conversion_of(int size, int narrow) {
    return size == 4 ? narrow == 2 : narrow == 1 ? 2 : narrow == 2 ? 3 : 4;
}

EXPAND_ALL(portable, )
static const expand_fn portable[] = CONVERSIONS(portable);

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))
EXPAND_ALL(avx2, AVX2)
static const expand_fn avx2[] = CONVERSIONS(avx2);

/* Around the caches: a store of a line that is in no cache reads it first. `to` is at a whole vector, and
 * `count` a multiple of its values. */
#define STREAM(name, from_type, min, max, bits, to_type, infinity, widen, set)                     \
    static AVX2 void name(void *restrict to, const void *restrict from, int64_t count) {           \
        enum { VALUES = sizeof(__m256i) / sizeof(to_type) };                                       \
        const from_type *in = from;                                                                \
        __m256i *out = to;                                                                         \
        const __m256i other = set((infinity) ^ (to_type)(max));                                    \
        for (int64_t i = 0; i < count / VALUES; i++) {                                             \
            __m128i some = _mm_setzero_si128();                                                    \
            memcpy(&some, in + i * VALUES, VALUES * sizeof *in);                                   \
            const __m256i v = widen(some),                                                         \
                          mark = _mm256_or_si256(_mm256_cmpeq_epi##bits(v, set((to_type)(max))),   \
                                                 _mm256_cmpeq_epi##bits(v, set((to_type)(min))));  \
            _mm256_stream_si256(out + i, _mm256_xor_si256(v, _mm256_and_si256(mark, other)));      \
        }                                                                                          \
        _mm_sfence(); /* the caller may tell another thread that they are written */               \
    }
STREAM(from_1_to_4_stream, int8_t, INT8_MIN, INT8_MAX, 32, int32_t, FR_INF_I32,
       _mm256_cvtepi8_epi32, _mm256_set1_epi32)
STREAM(from_2_to_4_stream, int16_t, INT16_MIN, INT16_MAX, 32, int32_t, FR_INF_I32,
       _mm256_cvtepi16_epi32, _mm256_set1_epi32)
STREAM(from_1_to_8_stream, int8_t, INT8_MIN, INT8_MAX, 64, int64_t, FR_INF_I64,
       _mm256_cvtepi8_epi64, _mm256_set1_epi64x)
STREAM(from_2_to_8_stream, int16_t, INT16_MIN, INT16_MAX, 64, int64_t, FR_INF_I64,
       _mm256_cvtepi16_epi64, _mm256_set1_epi64x)
STREAM(from_4_to_8_stream, int32_t, INT32_MIN, INT32_MAX, 64, int64_t, FR_INF_I64,
       _mm256_cvtepi32_epi64, _mm256_set1_epi64x)
static const expand_fn streams[] = CONVERSIONS(stream);
static AVX2 void copy_stream(void *restrict to, const void *restrict from, int64_t vectors) {
    const char *in = from;
    __m256i *out = to;
    for (int64_t i = 0; i < vectors; i++)
        _mm256_stream_si256(out + i,
                            _mm256_loadu_si256((const void *)(in + i * (int64_t)sizeof *out)));
    _mm_sfence(); /* as above */
}
static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
static const expand_fn avx2[] = CONVERSIONS(portable), streams[] = CONVERSIONS(portable);
static void copy_stream(void *restrict to, const void *restrict from, int64_t vectors) {
    memcpy(to, from, (size_t)vectors * VECTOR_BYTES);
}
static bool has_avx2(void) { return false; }
#endif

void fri_expand(void *to, int size, const void *from, int narrow, int64_t count) {
    const int conversion = conversion_of(size, narrow);
    if (size == narrow)
        memcpy(to, from, (size_t)count * (size_t)size);
    else
        (has_avx2() ? avx2 : portable)[conversion](to, from, count);
}

void fri_expand_around_caches(void *to, int size, const void *from, int narrow, int64_t count) {
    const int64_t before = -(int64_t)((uintptr_t)to / (uintptr_t)size) & (VECTOR_BYTES / size - 1);
    if (!has_avx2() || count < before) {
        fri_expand(to, size, from, narrow, count);
        return;
    }
    const int64_t whole = (count - before) / (VECTOR_BYTES / size) * (VECTOR_BYTES / size),
                  after = before + whole;
    char *out = to;
    const char *in = from;
    fri_expand(out, size, in, narrow, before);
    if (size == narrow)
        copy_stream(out + before * size, in + before * narrow, whole * size / VECTOR_BYTES);
    else
        streams[conversion_of(size, narrow)](out + before * size, in + before * narrow, whole);
    fri_expand(out + after * size, size, in + after * narrow, narrow, count - after);
}
