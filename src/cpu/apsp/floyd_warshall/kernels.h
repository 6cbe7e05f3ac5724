/* The arithmetic of Floyd-Warshall on blocks, for each instruction set. */
#ifndef FRI_CPU_APSP_FLOYD_WARSHALL_KERNELS_H
#define FRI_CPU_APSP_FLOYD_WARSHALL_KERNELS_H

#include "base/base.h"

/* Side of a block, in elements: three blocks of int32 fill a first-level cache of 48 KB. */
enum { FRI_FLOYD_BLOCK = 64 };

/* Blocks are row-major. Distances and parents have the same width (int32 with 4-byte
 * distances, int64 with 8-byte ones), so that one comparison result selects both. */
typedef struct fri_floyd_kernels {
    const char *name;
    /* c = min(c, a (*) b) in min-plus algebra. Where a path through k is strictly shorter, pc
     * gets pb's parent of row k, of several k the first. pc and pb are NULL without parents. c may
     * be a or b: a value read late is only smaller. */
    void (*product)(void *c, const void *a, const void *b, void *pc, const void *pb);
    /* All paths through the block's own vertices, in order. Returns false at the first vertex whose
     * distance to itself is below 0. */
    bool (*pivot)(void *c, void *pc);
} fri_floyd_kernels;

/* Instruction sets, narrowest first; FRI_FLOYD_ISA_BEST allows all. */
typedef enum fri_floyd_isa {
    FRI_FLOYD_PORTABLE,
    FRI_FLOYD_AVX2,
    FRI_FLOYD_AVX512,
    FRI_FLOYD_ISA_BEST = FRI_FLOYD_AVX512
} fri_floyd_isa;

/* The kernels for one instruction set, in typed/block_ISA.c; those with AVX on x86-64 alone. */
const fri_floyd_kernels *fri_floyd_kernels_portable(fr_type type);
const fri_floyd_kernels *fri_floyd_kernels_avx2(fr_type type);
const fri_floyd_kernels *fri_floyd_kernels_avx512(fr_type type);

/* The kernels for the widest instruction set that this processor has and `maximum` allows, for
 * matrices of `type`. */
const fri_floyd_kernels *fri_floyd_kernels_for(fr_type type, fri_floyd_isa maximum);

#endif
