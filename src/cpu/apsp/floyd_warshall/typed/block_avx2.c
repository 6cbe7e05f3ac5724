/* The kernels of Floyd-Warshall for AVX2. */
#include "cpu/typed.h"

#ifdef __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define LANES  (32 / (int)sizeof(dist_t))

#define VECTOR_I32 __m256i
#define VECTOR_I64 __m256i
#define VECTOR_F32 __m256
#define VECTOR_F64 __m256d
typedef FRI_JOIN(VECTOR_, FRI_DIST) vec_t;
typedef __m256i mask_t;
typedef __m256i parent_vec_t;
#define parent_select(m, a, b) _mm256_blendv_epi8(b, a, m)

#define SET1_I32 _mm256_set1_epi32
#define SET1_I64 _mm256_set1_epi64x
#define SET1_F32 _mm256_set1_ps
#define SET1_F64 _mm256_set1_pd
#define vec_set1 FRI_JOIN(SET1_, FRI_DIST)

#define ADD_I32 _mm256_add_epi32
#define ADD_I64 _mm256_add_epi64
#define ADD_F32 _mm256_add_ps
#define ADD_F64 _mm256_add_pd
#define vec_add FRI_JOIN(ADD_, FRI_DIST)

#define MIN_I32       _mm256_min_epi32
#define MIN_I64(a, b) _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b))
#define MIN_F32       _mm256_min_ps
#define MIN_F64       _mm256_min_pd
#define vec_min       FRI_JOIN(MIN_, FRI_DIST)

#define LESS_I32(a, b) _mm256_cmpgt_epi32(b, a)
#define LESS_I64(a, b) _mm256_cmpgt_epi64(b, a)
#define LESS_F32(a, b) _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LT_OQ))
#define LESS_F64(a, b) _mm256_castpd_si256(_mm256_cmp_pd(a, b, _CMP_LT_OQ))
#define vec_less       FRI_JOIN(LESS_, FRI_DIST)

#include "cpu/apsp/floyd_warshall/typed/block.h"

BLOCK_KERNELS(avx2)
#endif
