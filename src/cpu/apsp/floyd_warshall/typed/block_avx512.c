/* The kernels of Floyd-Warshall for AVX-512. */
#include "cpu/typed.h"

#ifdef __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512vl")))
#define LANES  (64 / (int)sizeof(dist_t))

#define VECTOR_I32 __m512i
#define VECTOR_I64 __m512i
#define VECTOR_F32 __m512
#define VECTOR_F64 __m512d
typedef FRI_JOIN(VECTOR_, FRI_DIST) vec_t;
typedef __mmask16 mask_I32, mask_F32;
typedef __mmask8 mask_I64, mask_F64;
typedef FRI_JOIN(mask_, FRI_DIST) mask_t;
typedef __m512i parent_vec_t;

#define SUFFIX_I32      epi32
#define SUFFIX_I64      epi64
#define SUFFIX_F32      ps
#define SUFFIX_F64      pd
#define OPERATION(name) FRI_JOIN(_mm512_##name##_, FRI_JOIN(SUFFIX_, FRI_DIST))
#define vec_set1        OPERATION(set1)
#define vec_add         OPERATION(add)
#define vec_min         OPERATION(min)

#define LESS_I32       _mm512_cmplt_epi32_mask
#define LESS_I64       _mm512_cmplt_epi64_mask
#define LESS_F32(a, b) _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define LESS_F64(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define vec_less       FRI_JOIN(LESS_, FRI_DIST)

#define SELECT_I32             _mm512_mask_mov_epi32
#define SELECT_I64             _mm512_mask_mov_epi64
#define SELECT_F32             SELECT_I32
#define SELECT_F64             SELECT_I64
#define parent_select(m, a, b) FRI_JOIN(SELECT_, FRI_DIST)(b, m, a)

#include "cpu/apsp/floyd_warshall/typed/block.h"

BLOCK_KERNELS(avx512)
#endif
