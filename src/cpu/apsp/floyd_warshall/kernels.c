/* Floyd-Warshall on blocks for AVX-512, AVX2 and any processor: twelve instances of one template
 * and the choice between them at run time.
 *
 * Measured: see floyd_warshall.c. The portable form is what other architectures get; their
 * compilers make it NEON or the like.
 */
#include "cpu/apsp/floyd_warshall/kernels.h"

#define TARGET

#define DIST    int32_t
#define PARENT  int32_t
#define NAME(x) portable_i32_##x
#define LANES   1
#include "cpu/apsp/floyd_warshall/block.inc.h"

#define DIST    int64_t
#define PARENT  int64_t
#define NAME(x) portable_i64_##x
#define LANES   1
#include "cpu/apsp/floyd_warshall/block.inc.h"

#define DIST    float
#define PARENT  int32_t
#define NAME(x) portable_f32_##x
#define LANES   1
#include "cpu/apsp/floyd_warshall/block.inc.h"

#define DIST    double
#define PARENT  int64_t
#define NAME(x) portable_f64_##x
#define LANES   1
#include "cpu/apsp/floyd_warshall/block.inc.h"

#undef TARGET

#define ENTRY(isa, type)                                                                           \
    { #isa, isa##_##type##_product, isa##_##type##_pivot }
#define ENTRIES(isa)                                                                               \
    {                                                                                              \
        [FR_TYPE_I32] = ENTRY(isa, i32), [FR_TYPE_I64] = ENTRY(isa, i64),                          \
        [FR_TYPE_F32] = ENTRY(isa, f32), [FR_TYPE_F64] = ENTRY(isa, f64)                           \
    }

static const fri_floyd_kernels portable[] = ENTRIES(portable);

#if defined(__x86_64__)
#include <immintrin.h>

/* ---- AVX-512: 64-byte vectors, masks ------------------------------------------------------ */

#define TARGET __attribute__((target("avx512f,avx512vl")))

#define DIST               int32_t
#define PARENT             int32_t
#define NAME(x)            avx512_i32_##x
#define LANES              16
#define VD                 __m512i
#define VL                 __m512i
#define LESS               __mmask16
#define LOAD(p)            _mm512_loadu_si512(p)
#define STORE(p, v)        _mm512_storeu_si512(p, v)
#define SET1(x)            _mm512_set1_epi32(x)
#define ADD(a, b)          _mm512_add_epi32(a, b)
#define MIN(a, b)          _mm512_min_epi32(a, b)
#define COMPARE(a, b)      _mm512_cmplt_epi32_mask(a, b)
#define LOAD_PARENT(p)     _mm512_loadu_si512(p)
#define STORE_PARENT(p, v) _mm512_storeu_si512(p, v)
#define SELECT(m, a, b)    _mm512_mask_mov_epi32(b, m, a)
#include "cpu/apsp/floyd_warshall/block.inc.h"

#define DIST               float
#define PARENT             int32_t
#define NAME(x)            avx512_f32_##x
#define LANES              16
#define VD                 __m512
#define VL                 __m512i
#define LESS               __mmask16
#define LOAD(p)            _mm512_loadu_ps(p)
#define STORE(p, v)        _mm512_storeu_ps(p, v)
#define SET1(x)            _mm512_set1_ps(x)
#define ADD(a, b)          _mm512_add_ps(a, b)
#define MIN(a, b)          _mm512_min_ps(a, b)
#define COMPARE(a, b)      _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define LOAD_PARENT(p)     _mm512_loadu_si512(p)
#define STORE_PARENT(p, v) _mm512_storeu_si512(p, v)
#define SELECT(m, a, b)    _mm512_mask_mov_epi32(b, m, a)
#include "cpu/apsp/floyd_warshall/block.inc.h"

#define DIST               int64_t
#define PARENT             int64_t
#define NAME(x)            avx512_i64_##x
#define LANES              8
#define VD                 __m512i
#define VL                 __m512i
#define LESS               __mmask8
#define LOAD(p)            _mm512_loadu_si512(p)
#define STORE(p, v)        _mm512_storeu_si512(p, v)
#define SET1(x)            _mm512_set1_epi64(x)
#define ADD(a, b)          _mm512_add_epi64(a, b)
#define MIN(a, b)          _mm512_min_epi64(a, b)
#define COMPARE(a, b)      _mm512_cmplt_epi64_mask(a, b)
#define LOAD_PARENT(p)     _mm512_loadu_si512(p)
#define STORE_PARENT(p, v) _mm512_storeu_si512(p, v)
#define SELECT(m, a, b)    _mm512_mask_mov_epi64(b, m, a)
#include "cpu/apsp/floyd_warshall/block.inc.h"

#define DIST               double
#define PARENT             int64_t
#define NAME(x)            avx512_f64_##x
#define LANES              8
#define VD                 __m512d
#define VL                 __m512i
#define LESS               __mmask8
#define LOAD(p)            _mm512_loadu_pd(p)
#define STORE(p, v)        _mm512_storeu_pd(p, v)
#define SET1(x)            _mm512_set1_pd(x)
#define ADD(a, b)          _mm512_add_pd(a, b)
#define MIN(a, b)          _mm512_min_pd(a, b)
#define COMPARE(a, b)      _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define LOAD_PARENT(p)     _mm512_loadu_si512(p)
#define STORE_PARENT(p, v) _mm512_storeu_si512(p, v)
#define SELECT(m, a, b)    _mm512_mask_mov_epi64(b, m, a)
#include "cpu/apsp/floyd_warshall/block.inc.h"

#undef TARGET
static const fri_floyd_kernels avx512[] = ENTRIES(avx512);

/* ---- AVX2: 32-byte vectors, comparisons give vectors -------------------------------------- */

#define TARGET  __attribute__((target("avx2")))
#define I256(p) ((const __m256i *)(const void *)(p))
#define O256(p) ((__m256i *)(void *)(p))

#define DIST               int32_t
#define PARENT             int32_t
#define NAME(x)            avx2_i32_##x
#define LANES              8
#define VD                 __m256i
#define VL                 __m256i
#define LESS               __m256i
#define LOAD(p)            _mm256_loadu_si256(I256(p))
#define STORE(p, v)        _mm256_storeu_si256(O256(p), v)
#define SET1(x)            _mm256_set1_epi32(x)
#define ADD(a, b)          _mm256_add_epi32(a, b)
#define MIN(a, b)          _mm256_min_epi32(a, b)
#define COMPARE(a, b)      _mm256_cmpgt_epi32(b, a)
#define LOAD_PARENT(p)     _mm256_loadu_si256(I256(p))
#define STORE_PARENT(p, v) _mm256_storeu_si256(O256(p), v)
#define SELECT(m, a, b)    _mm256_blendv_epi8(b, a, m)
#include "cpu/apsp/floyd_warshall/block.inc.h"

#define DIST               float
#define PARENT             int32_t
#define NAME(x)            avx2_f32_##x
#define LANES              8
#define VD                 __m256
#define VL                 __m256i
#define LESS               __m256i
#define LOAD(p)            _mm256_loadu_ps(p)
#define STORE(p, v)        _mm256_storeu_ps(p, v)
#define SET1(x)            _mm256_set1_ps(x)
#define ADD(a, b)          _mm256_add_ps(a, b)
#define MIN(a, b)          _mm256_min_ps(a, b)
#define COMPARE(a, b)      _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LT_OQ))
#define LOAD_PARENT(p)     _mm256_loadu_si256(I256(p))
#define STORE_PARENT(p, v) _mm256_storeu_si256(O256(p), v)
#define SELECT(m, a, b)    _mm256_blendv_epi8(b, a, m)
#include "cpu/apsp/floyd_warshall/block.inc.h"

#define DIST               int64_t
#define PARENT             int64_t
#define NAME(x)            avx2_i64_##x
#define LANES              4
#define VD                 __m256i
#define VL                 __m256i
#define LESS               __m256i
#define LOAD(p)            _mm256_loadu_si256(I256(p))
#define STORE(p, v)        _mm256_storeu_si256(O256(p), v)
#define SET1(x)            _mm256_set1_epi64x(x)
#define ADD(a, b)          _mm256_add_epi64(a, b)
#define MIN(a, b)          _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b))
#define COMPARE(a, b)      _mm256_cmpgt_epi64(b, a)
#define LOAD_PARENT(p)     _mm256_loadu_si256(I256(p))
#define STORE_PARENT(p, v) _mm256_storeu_si256(O256(p), v)
#define SELECT(m, a, b)    _mm256_blendv_epi8(b, a, m)
#include "cpu/apsp/floyd_warshall/block.inc.h"

#define DIST               double
#define PARENT             int64_t
#define NAME(x)            avx2_f64_##x
#define LANES              4
#define VD                 __m256d
#define VL                 __m256i
#define LESS               __m256i
#define LOAD(p)            _mm256_loadu_pd(p)
#define STORE(p, v)        _mm256_storeu_pd(p, v)
#define SET1(x)            _mm256_set1_pd(x)
#define ADD(a, b)          _mm256_add_pd(a, b)
#define MIN(a, b)          _mm256_min_pd(a, b)
#define COMPARE(a, b)      _mm256_castpd_si256(_mm256_cmp_pd(a, b, _CMP_LT_OQ))
#define LOAD_PARENT(p)     _mm256_loadu_si256(I256(p))
#define STORE_PARENT(p, v) _mm256_storeu_si256(O256(p), v)
#define SELECT(m, a, b)    _mm256_blendv_epi8(b, a, m)
#include "cpu/apsp/floyd_warshall/block.inc.h"

#undef TARGET
static const fri_floyd_kernels avx2[] = ENTRIES(avx2);

const fri_floyd_kernels *fri_floyd_kernels_for(fr_type type, fri_floyd_isa maximum) {
    if (maximum >= FRI_FLOYD_AVX512 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl"))
        return &avx512[type];
    return maximum >= FRI_FLOYD_AVX2 && __builtin_cpu_supports("avx2") ? &avx2[type]
                                                                       : &portable[type];
}

#else

const fri_floyd_kernels *fri_floyd_kernels_for(fr_type type, fri_floyd_isa maximum) {
    (void)maximum;
    return &portable[type];
}

#endif
