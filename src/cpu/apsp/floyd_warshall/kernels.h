/* The arithmetic of Floyd-Warshall on blocks: the part that knows instruction sets. */
#ifndef FRI_CPU_APSP_FLOYD_WARSHALL_KERNELS_H
#define FRI_CPU_APSP_FLOYD_WARSHALL_KERNELS_H

#include "base/base.h"

/* Side of a block, in elements: three blocks of int32 are a first-level cache of 48 KB. */
enum { FRI_FLOYD_BLOCK = 64 };

/* Blocks are row-major. Distances and parents have the same width (parents int32 beside 4-byte
 * distances, int64 beside 8-byte ones), so that one comparison serves both. */
typedef struct fri_floyd_kernels {
    const char *name;
    /* c = min(c, a (*) b) in min-plus algebra. Where a path through k is shorter, strictly, and of
     * several the first, pc gets pb's parent of row k. pc and pb are NULL without parents. c may be
     * a or b: what is read late is only better. */
    void (*product)(void *c, const void *a, const void *b, void *pc, const void *pb);
    /* All paths through the block's own vertices, in order. False, and at once, when a vertex has a
     * distance to itself below 0; with `clamp_negative` that is set to 0 instead. */
    bool (*pivot)(void *c, void *pc, bool clamp_negative);
} fri_floyd_kernels;

/* What kernels may use, narrowest first; FRI_FLOYD_ISA_BEST allows all. */
typedef enum fri_floyd_isa {
    FRI_FLOYD_PORTABLE,
    FRI_FLOYD_AVX2,
    FRI_FLOYD_AVX512,
    FRI_FLOYD_ISA_BEST = FRI_FLOYD_AVX512
} fri_floyd_isa;

/* The best this processor runs and `maximum` allows, for internal distances of that type. */
const fri_floyd_kernels *fri_floyd_kernels_for(fr_type type, fri_floyd_isa maximum);

#endif
