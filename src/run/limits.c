#include "run/limits.h"

fr_status fri_limits_tell(const fri_limits *l, const fr_limit *limit) {
    return l->found(l->user, limit) ? fri_fail(l->ctx, FR_CANCELLED, "cancelled") : FR_OK;
}
