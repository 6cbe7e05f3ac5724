/* Vectors of cells and of parents for the instruction set that the file is compiled for: LANES, the
 * elements of a vector; 1 for the portable form, which leaves vectorization to the compiler, and
 * otherwise the types vec_t, parent_vec_t, mask_t (the result of a comparison) and the operations.
 */
#ifndef FRI_CPU_APSP_FLOYD_WARSHALL_TYPED_VECTOR_H
#define FRI_CPU_APSP_FLOYD_WARSHALL_TYPED_VECTOR_H

#include "cpu/apsp/floyd_warshall/typed/element.h"

#if defined FRI_ISA_AVX512
#include <immintrin.h>
#define FRI_ISA avx512
#define TARGET  __attribute__((target("avx512f,avx512vl")))
#elif defined FRI_ISA_AVX2
#include <immintrin.h>
#define FRI_ISA avx2
#define TARGET  __attribute__((target("avx2")))
#define I256(p) ((const __m256i *)(const void *)(p))
#define O256(p) ((__m256i *)(void *)(p))
#elif defined FRI_ISA_PORTABLE
#define FRI_ISA portable
#define TARGET
#else
#error "define one FRI_ISA_*; see cmake/typed.cmake"
#endif

#if defined FRI_ISA_AVX512 && defined FRI_ELEMENT_I32
#define LANES                  16
#define vec_load(p)            _mm512_loadu_si512(p)
#define vec_store(p, v)        _mm512_storeu_si512(p, v)
#define vec_set1(x)            _mm512_set1_epi32(x)
#define vec_add(a, b)          _mm512_add_epi32(a, b)
#define vec_min(a, b)          _mm512_min_epi32(a, b)
#define vec_less(a, b)         _mm512_cmplt_epi32_mask(a, b)
#define parent_load(p)         _mm512_loadu_si512(p)
#define parent_store(p, v)     _mm512_storeu_si512(p, v)
#define parent_select(m, a, b) _mm512_mask_mov_epi32(b, m, a)
typedef __m512i vec_t;
typedef __m512i parent_vec_t;
typedef __mmask16 mask_t;

#elif defined FRI_ISA_AVX512 && defined FRI_ELEMENT_F32
#define LANES                  16
#define vec_load(p)            _mm512_loadu_ps(p)
#define vec_store(p, v)        _mm512_storeu_ps(p, v)
#define vec_set1(x)            _mm512_set1_ps(x)
#define vec_add(a, b)          _mm512_add_ps(a, b)
#define vec_min(a, b)          _mm512_min_ps(a, b)
#define vec_less(a, b)         _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define parent_load(p)         _mm512_loadu_si512(p)
#define parent_store(p, v)     _mm512_storeu_si512(p, v)
#define parent_select(m, a, b) _mm512_mask_mov_epi32(b, m, a)
typedef __m512 vec_t;
typedef __m512i parent_vec_t;
typedef __mmask16 mask_t;

#elif defined FRI_ISA_AVX512 && defined FRI_ELEMENT_I64
#define LANES                  8
#define vec_load(p)            _mm512_loadu_si512(p)
#define vec_store(p, v)        _mm512_storeu_si512(p, v)
#define vec_set1(x)            _mm512_set1_epi64(x)
#define vec_add(a, b)          _mm512_add_epi64(a, b)
#define vec_min(a, b)          _mm512_min_epi64(a, b)
#define vec_less(a, b)         _mm512_cmplt_epi64_mask(a, b)
#define parent_load(p)         _mm512_loadu_si512(p)
#define parent_store(p, v)     _mm512_storeu_si512(p, v)
#define parent_select(m, a, b) _mm512_mask_mov_epi64(b, m, a)
typedef __m512i vec_t;
typedef __m512i parent_vec_t;
typedef __mmask8 mask_t;

#elif defined FRI_ISA_AVX512 && defined FRI_ELEMENT_F64
#define LANES                  8
#define vec_load(p)            _mm512_loadu_pd(p)
#define vec_store(p, v)        _mm512_storeu_pd(p, v)
#define vec_set1(x)            _mm512_set1_pd(x)
#define vec_add(a, b)          _mm512_add_pd(a, b)
#define vec_min(a, b)          _mm512_min_pd(a, b)
#define vec_less(a, b)         _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define parent_load(p)         _mm512_loadu_si512(p)
#define parent_store(p, v)     _mm512_storeu_si512(p, v)
#define parent_select(m, a, b) _mm512_mask_mov_epi64(b, m, a)
typedef __m512d vec_t;
typedef __m512i parent_vec_t;
typedef __mmask8 mask_t;

#elif defined FRI_ISA_AVX2 && defined FRI_ELEMENT_I32
#define LANES                  8
#define vec_load(p)            _mm256_loadu_si256(I256(p))
#define vec_store(p, v)        _mm256_storeu_si256(O256(p), v)
#define vec_set1(x)            _mm256_set1_epi32(x)
#define vec_add(a, b)          _mm256_add_epi32(a, b)
#define vec_min(a, b)          _mm256_min_epi32(a, b)
#define vec_less(a, b)         _mm256_cmpgt_epi32(b, a)
#define parent_load(p)         _mm256_loadu_si256(I256(p))
#define parent_store(p, v)     _mm256_storeu_si256(O256(p), v)
#define parent_select(m, a, b) _mm256_blendv_epi8(b, a, m)
typedef __m256i vec_t;
typedef __m256i parent_vec_t;
typedef __m256i mask_t;

#elif defined FRI_ISA_AVX2 && defined FRI_ELEMENT_F32
#define LANES                  8
#define vec_load(p)            _mm256_loadu_ps(p)
#define vec_store(p, v)        _mm256_storeu_ps(p, v)
#define vec_set1(x)            _mm256_set1_ps(x)
#define vec_add(a, b)          _mm256_add_ps(a, b)
#define vec_min(a, b)          _mm256_min_ps(a, b)
#define vec_less(a, b)         _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LT_OQ))
#define parent_load(p)         _mm256_loadu_si256(I256(p))
#define parent_store(p, v)     _mm256_storeu_si256(O256(p), v)
#define parent_select(m, a, b) _mm256_blendv_epi8(b, a, m)
typedef __m256 vec_t;
typedef __m256i parent_vec_t;
typedef __m256i mask_t;

#elif defined FRI_ISA_AVX2 && defined FRI_ELEMENT_I64
#define LANES                  4
#define vec_load(p)            _mm256_loadu_si256(I256(p))
#define vec_store(p, v)        _mm256_storeu_si256(O256(p), v)
#define vec_set1(x)            _mm256_set1_epi64x(x)
#define vec_add(a, b)          _mm256_add_epi64(a, b)
#define vec_min(a, b)          _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b))
#define vec_less(a, b)         _mm256_cmpgt_epi64(b, a)
#define parent_load(p)         _mm256_loadu_si256(I256(p))
#define parent_store(p, v)     _mm256_storeu_si256(O256(p), v)
#define parent_select(m, a, b) _mm256_blendv_epi8(b, a, m)
typedef __m256i vec_t;
typedef __m256i parent_vec_t;
typedef __m256i mask_t;

#elif defined FRI_ISA_AVX2 && defined FRI_ELEMENT_F64
#define LANES                  4
#define vec_load(p)            _mm256_loadu_pd(p)
#define vec_store(p, v)        _mm256_storeu_pd(p, v)
#define vec_set1(x)            _mm256_set1_pd(x)
#define vec_add(a, b)          _mm256_add_pd(a, b)
#define vec_min(a, b)          _mm256_min_pd(a, b)
#define vec_less(a, b)         _mm256_castpd_si256(_mm256_cmp_pd(a, b, _CMP_LT_OQ))
#define parent_load(p)         _mm256_loadu_si256(I256(p))
#define parent_store(p, v)     _mm256_storeu_si256(O256(p), v)
#define parent_select(m, a, b) _mm256_blendv_epi8(b, a, m)
typedef __m256d vec_t;
typedef __m256i parent_vec_t;
typedef __m256i mask_t;

#else
#define LANES 1
#endif

#define FRI_PASTE(name, isa, element)  name##_##isa##_##element
#define FRI_EXPAND(name, isa, element) FRI_PASTE(name, isa, element)
#define fri_floyd_block_kernels        FRI_EXPAND(fri_floyd_block_kernels, FRI_ISA, FRI_ELEMENT)

#endif
