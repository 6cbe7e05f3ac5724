/* The kernels of Floyd-Warshall in plain C, which the compiler vectorizes (NEON, for example), and the
 * choice between these and those for AVX-512 and AVX2. */
#define TARGET
#include "cpu/apsp/floyd_warshall/typed/block.h"

BLOCK_KERNELS(portable)

#ifdef FRI_ONCE

const fri_floyd_kernels *fri_floyd_kernels_for(fr_type type, fri_floyd_isa maximum) {
#ifdef __x86_64__
    if (maximum >= FRI_FLOYD_AVX512 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl"))
        return fri_floyd_kernels_avx512(type);
    if (maximum >= FRI_FLOYD_AVX2 && __builtin_cpu_supports("avx2"))
        return fri_floyd_kernels_avx2(type);
#endif
    (void)maximum;
    return fri_floyd_kernels_portable(type);
}

#endif
