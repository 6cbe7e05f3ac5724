/* The choice between the block kernels for AVX-512, AVX2 and any processor at run time.
 *
 * typed/block.c is compiled once per instruction set and element type. The portable form is used
 * on other architectures, where the compiler vectorizes it (NEON, for example).
 */
#include "cpu/apsp/floyd_warshall/kernels.h"

#define DECLARE(isa)                                                                               \
    extern const fri_floyd_kernels fri_floyd_block_kernels_##isa##_i32,                            \
        fri_floyd_block_kernels_##isa##_i64, fri_floyd_block_kernels_##isa##_f32,                  \
        fri_floyd_block_kernels_##isa##_f64
#define TYPES(isa)                                                                                 \
    {                                                                                              \
        [FR_TYPE_I32] = &fri_floyd_block_kernels_##isa##_i32,                                      \
        [FR_TYPE_I64] = &fri_floyd_block_kernels_##isa##_i64,                                      \
        [FR_TYPE_F32] = &fri_floyd_block_kernels_##isa##_f32,                                      \
        [FR_TYPE_F64] = &fri_floyd_block_kernels_##isa##_f64                                       \
    }

DECLARE(portable);
static const fri_floyd_kernels *const portable[] = TYPES(portable);

#if defined(__x86_64__)
DECLARE(avx2);
DECLARE(avx512);
static const fri_floyd_kernels *const avx2[] = TYPES(avx2);
static const fri_floyd_kernels *const avx512[] = TYPES(avx512);

const fri_floyd_kernels *fri_floyd_kernels_for(fr_type type, fri_floyd_isa maximum) {
    if (maximum >= FRI_FLOYD_AVX512 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl"))
        return avx512[type];
    return maximum >= FRI_FLOYD_AVX2 && __builtin_cpu_supports("avx2") ? avx2[type]
                                                                       : portable[type];
}

#else

const fri_floyd_kernels *fri_floyd_kernels_for(fr_type type, fri_floyd_isa maximum) {
    (void)maximum;
    return portable[type];
}

#endif
