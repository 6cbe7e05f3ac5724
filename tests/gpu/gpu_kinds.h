/* The kinds of weights that the programs for weighted strategies use. */
#ifndef GPU_KINDS_H
#define GPU_KINDS_H

#include "conformance/oracle.h"

/* The first and the last have only sums of small integers; the first four have no floats. */
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
