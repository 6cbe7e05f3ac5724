/* Includes TYPED_BODY once for each pair of types; see cpu/sssp/typed.h. */
#include "cpu/sssp/typed.h"

#define W        int32_t
#define EDGE     fri_edge_i32
#define D        int32_t
#define U        uint32_t
#define INF      FR_INF_I32
#define NEG_INF  FR_NEG_INF_I32
#define FN(name) name##_i32_i32
#define INTEGER  1
#define SUM      int64_t
#define SUM_INF  INT64_MAX
#define LIMIT    D
#define NO_LIMIT INF
#include TYPED_BODY
#undef D
#undef U
#undef INF
#undef NEG_INF
#undef FN

#define D        int64_t
#define U        uint64_t
#define INF      FR_INF_I64
#define NEG_INF  FR_NEG_INF_I64
#define FN(name) name##_i32_i64
#include TYPED_BODY
#undef W
#undef EDGE
#undef FN
#undef SUM
#undef SUM_INF

#define W        int64_t
#define EDGE     fri_edge_i64
#define FN(name) name##_i64_i64
#define SUM      __int128
#define SUM_INF  ((__int128)1 << 126)
#include TYPED_BODY
#undef W
#undef EDGE
#undef D
#undef U
#undef INF
#undef NEG_INF
#undef FN
#undef INTEGER
#undef SUM
#undef SUM_INF
#undef LIMIT
#undef NO_LIMIT

#define W        float
#define EDGE     fri_edge_f32
#define D        float
#define U        uint32_t
#define INF      INFINITY
#define NEG_INF  (-INFINITY)
#define FN(name) name##_f32_f32
#define INTEGER  0
#define SUM      D
#define SUM_INF  INF
#define LIMIT    double
#define NO_LIMIT ((double)INFINITY)
#define MOST     ((double)FLT_MAX)
#include TYPED_BODY
#undef D
#undef U
#undef INF
#undef NEG_INF
#undef FN

#define D        double
#define U        uint64_t
#define INF      ((double)INFINITY)
#define NEG_INF  (-(double)INFINITY)
#define FN(name) name##_f32_f64
#undef MOST
#define MOST DBL_MAX
#include TYPED_BODY
#undef W
#undef EDGE
#undef FN

#define W        double
#define EDGE     fri_edge_f64
#define FN(name) name##_f64_f64
#include TYPED_BODY
#undef W
#undef EDGE
#undef D
#undef U
#undef INF
#undef NEG_INF
#undef FN
#undef INTEGER
#undef SUM
#undef SUM_INF
#undef LIMIT
#undef NO_LIMIT
#undef MOST
#undef TYPED_BODY
