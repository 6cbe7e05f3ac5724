/* The type of the matrix's elements for which a file of this folder is compiled.
 *
 * The build compiles cells.c once per type, with one FRI_ELEMENT_* defined, and block.c once per
 * type and instruction set, with one FRI_ISA_* too (cmake/typed.cmake). The code is plain C on
 * cell_t, a distance, and parent_t of the same size. FAR: a cell above it is not reached; INFINITE:
 * the cell of a vertex that is not reached (see matrix.c).
 */
#ifndef FRI_CPU_APSP_FLOYD_WARSHALL_TYPED_ELEMENT_H
#define FRI_CPU_APSP_FLOYD_WARSHALL_TYPED_ELEMENT_H

#include "cpu/apsp/floyd_warshall/matrix.h"

#include <float.h>
#include <math.h>

#if defined FRI_ELEMENT_I32
#define FRI_ELEMENT i32
typedef int32_t cell_t;
typedef int32_t parent_t;
#define FAR        ((cell_t)FRI_FLOYD_FAR_I32)
#define INFINITE   ((INT32_C(1) << 30) - 1)
#define CSR_WEIGHT fri_csr_int_weight
#elif defined FRI_ELEMENT_I64
#define FRI_ELEMENT i64
typedef int64_t cell_t;
typedef int64_t parent_t;
#define FAR         (INT64_C(1) << 61)
#define INFINITE    ((INT64_C(1) << 62) - 1)
#define CSR_WEIGHT  fri_csr_int_weight
#elif defined FRI_ELEMENT_F32
#define FRI_ELEMENT f32
typedef float cell_t;
typedef int32_t parent_t;
#define FAR         FLT_MAX
#define INFINITE    INFINITY
#define CSR_WEIGHT  fri_csr_weight
#elif defined FRI_ELEMENT_F64
#define FRI_ELEMENT f64
typedef double cell_t;
typedef int64_t parent_t;
#define FAR         DBL_MAX
#define INFINITE    ((double)INFINITY)
#define CSR_WEIGHT  fri_csr_weight
#else
#error "define one FRI_ELEMENT_*; see cmake/typed.cmake"
#endif

#endif
