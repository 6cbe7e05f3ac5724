#include "core/microbench.h"

fr_status fri_microbench_report(const fri_microbench *l, const fr_microbench *result) {
    return l->found(l->user, result) ? fri_fail(l->ctx, FR_CANCELLED, "cancelled") : FR_OK;
}
