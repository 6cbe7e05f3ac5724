/* What the programs for weighted rows share: where the kernels run, and the kinds of weights. */
#ifndef GPU_KINDS_H
#define GPU_KINDS_H

#include "conformance/oracle.h"

#ifdef FRI_SIMT
#include "simt_runtime.h"
enum { ON_HOST = 1 };
#else
enum { ON_HOST = 0 };
static inline void simt_seed(uint64_t seed) { (void)seed; }
static inline size_t simt_live_bytes(void) { return 0; }
#endif

/* The first and the last have no sums but of small integers; none of the first four has floats. */
static const struct {
    cf_weights weights;
    bool unit;
    fr_type type;
} kinds[] = {
    {CF_I32, false, FR_TYPE_NONE},    {CF_NONE, false, FR_TYPE_NONE},
    {CF_ZERO, false, FR_TYPE_NONE},   {CF_NEGATIVE, false, FR_TYPE_NONE},
    {CF_F32, false, FR_TYPE_NONE},    {CF_HUGE, false, FR_TYPE_I64},
    {CF_F64, false, FR_TYPE_NONE},    {CF_NEGATIVE, false, FR_TYPE_I64},
    {CF_F32, false, FR_TYPE_F64},     {CF_I64_53, false, FR_TYPE_NONE},
    {CF_I64, false, FR_TYPE_NONE},    {CF_I64_NEGATIVE, false, FR_TYPE_NONE},
    {CF_I64_62, false, FR_TYPE_NONE}, {CF_I32, true, FR_TYPE_NONE},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

#endif
