/* Matrix Market: accepted input, and the message for each refused input. */
#include "support/cases.h"

#define MM "%%MatrixMarket matrix coordinate "

static const test_good mtx_is_read_cases[] = {
    {"a.mtx", MM "pattern general\n3 3 2\n1 2\n3 1\n", "3: 1>2 3>1"},
    {"a.mtx", MM "pattern general\r\n% x\r\n\r\n3 3 2\r\n1 2\r\n\r\n% y\r\n3 1", "3: 1>2 3>1"},
    {"a.mtx", "%MATRIXMARKET MATRIX Coordinate Pattern GENERAL\n  2\t2  1 \n 2 \t1  \n", "2: 2>1"},
    {"a.mtx", MM "integer symmetric\n3 3 3\n2 1 5\n1 3 -7\n2 2 0\n",
     "3: 1>2/5 1>3/-7 2>1/5 2>2/0 3>1/-7", FR_TYPE_I32},
    {"a.mtx", MM "integer skew-symmetric\n2 2 1\n2 1 5\n", "2: 1>2/-5 2>1/5", FR_TYPE_I32},
    {"a.mtx", MM "integer skew-symmetric\n2 2 1\n2 1 -2147483648\n",
     "2: 1>2/2147483648 2>1/-2147483648", FR_TYPE_I64},
    {"a.mtx", MM "integer skew-symmetric\n2 2 1\n2 1 -9223372036854775807\n",
     "2: 1>2/9223372036854775807 2>1/-9223372036854775807", FR_TYPE_I64},
    {"a.mtx", MM "integer skew-symmetric\n2 2 1\n2 1 5\n", "2: 1>2 2>1", FR_TYPE_NONE,
     OPTIONS(.weights = FR_WEIGHTS_NONE)},
    {"a.mtx", MM "integer general\n2 2 2\n1 2 9007199254740993\n2 1 3\n",
     "2: 1>2/9007199254740993 2>1/3", FR_TYPE_I64},
    {"a.mtx", MM "integer general\n2 2 2\n1 2 9223372036854775808\n2 1 3\n",
     "2: 1>2/9.22337e+18 2>1/3", FR_TYPE_F64, OPTIONS(.weight_type = FR_TYPE_F64)},
    {"a.mtx", MM "real general\n2 2 2\n1 2 9007199254740993\n2 1 3\n",
     "2: 1>2/9007199254740993 2>1/3", FR_TYPE_I64, OPTIONS(.weight_type = FR_TYPE_I64)},
    {"a.mtx", MM "real general\n2 2 2\n1 2 1.5\n2 1 3\n", "2: 1>2/1.5 2>1/3", FR_TYPE_F64},
    {"a.mtx", MM "double general\n2 2 1\n1 2 1e3\n", "2: 1>2/1000", FR_TYPE_F64},
    {"a.mtx", MM "real general\n2 2 2\n1 2 4\n2 1 3\n", "2: 1>2/4 2>1/3", FR_TYPE_I32,
     OPTIONS(.weight_type = FR_TYPE_I32)},
    {"a.mtx", MM "integer general\n2 2 1\n1 2 7\n", "2: 1>2/7", FR_TYPE_F32,
     OPTIONS(.weight_type = FR_TYPE_F32)},
    {"a.mtx", MM "unsigned-integer general\n2 2 2\n1 2 7\n2 1 4294967295\n",
     "2: 1>2/7 2>1/4294967295", FR_TYPE_I64},
    {"a.mtx", MM "integer general\n2 2 1\n1 2 7\n", "2: 1>2/7", FR_TYPE_F64,
     OPTIONS(.weight_type = FR_TYPE_F64)},
    {"a.mtx", MM "pattern general\n3 3 2\n0 2\n1 1\n", "3: 0>2 1>1", FR_TYPE_NONE,
     OPTIONS(.id_base = 1)},
    {"a.mtx", MM "pattern symmetric\n2 2 1\n2 1\n", "2: 2>1", FR_TYPE_NONE,
     OPTIONS(.direction = FR_DIRECTION_DIRECTED)},
    {"a.mtx", "% no banner\n2 2 1\n1 2\n", "2: 1>2"},
    {"a.mtx", "2 2 1\n1 2 .5\n", "2: 1>2/0.5", FR_TYPE_F64},
    {"a.mtx", MM "pattern general\n2 2 0\n", "2:"},
    {"a.mtx", MM "pattern general\n0 0 0\n", "0:"},
    {"a.dat", MM "pattern general\n1 1 1\n1 1\n", "1: 1>1"},
    {"a.mtx", MM "real general\n2 2 3\n1 2 3\n1 2 1\n1 1 9\n", "2: 1>2/1", FR_TYPE_F64,
     OPTIONS(.drop_loops = true, .drop_parallel = true)},
};

static void mtx_is_read(void **state) {
    test_all_good(*state, mtx_is_read_cases, COUNT(mtx_is_read_cases));
}

static const test_bad mtx_is_refused_cases[] = {
    {"a.mtx", MM "complex general\n1 1 1\n1 1 1 0\n", FR_UNSUPPORTED,
     "a.mtx:1:34: complex values are not supported as weights"},
    {"a.mtx", MM "real hermitian\n1 1 1\n1 1 1\n", FR_UNSUPPORTED},
    {"a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", FR_UNSUPPORTED,
     "a.mtx:1:23: an array (dense) matrix is not supported as a graph"},
    {"a.mtx", MM "real general\n% c\n2 3 1\n1 1 1\n", FR_UNSUPPORTED,
     "a.mtx:3:1: a 2 x 3 matrix is not square and therefore not a graph"},
    {"a.mtx", MM "pattern skew-symmetric\n2 2 1\n2 1\n", FR_FORMAT},
    {"a.mtx", MM "real\n2 2 1\n2 1\n", FR_FORMAT, "a.mtx:1:38: \"\" is not a known symmetry"},
    {"a.mtx", MM "real general\n", FR_FORMAT,
     "a.mtx:2:1: the file ends before its line \"rows columns entries\""},
    {"a.mtx", MM "real general\n2 2\n1 1 1\n", FR_FORMAT},
    {"a.mtx", MM "real general\n2 2 1 7\n1 1 1\n", FR_FORMAT,
     "a.mtx:2:7: unexpected text after \"rows columns entries\""},
    {"a.mtx", MM "real general\n-2 -2 1\n1 1 1\n", FR_FORMAT},
    {"a.mtx", MM "pattern general\n2147483648 2147483648 1\n1 1\n", FR_RANGE,
     "a.mtx:2:1: 2147483648 vertices exceed the maximum of 2147483647"},
    {"a.mtx", MM "pattern general\n99999999999999999999 2 1\n1 1\n", FR_RANGE},
    {"a.mtx", MM "pattern general\n2 2 2199023255552\n1 1\n", FR_RANGE,
     "a.mtx:2:1: 2199023255552 entries exceed the maximum of 2^40"},
    {"a.mtx", MM "pattern general\n2 2 1000\n1 1\n", FR_FORMAT},
    {"a.mtx", MM "pattern general\n2 2 2\n1 1         \n", FR_FORMAT,
     "a.mtx:2:1: 2 entries are declared, 1 follows"},
    {"a.mtx", MM "pattern general\n2 2 1\n1 1\n2 2\n", FR_FORMAT,
     "a.mtx:2:1: 1 entry is declared, 2 follow"},
    {"a.mtx", MM "pattern general\n2 2 2\n1 1\n3 1\n", FR_FORMAT,
     "a.mtx:4:1: row 3 is outside 1..2"},
    {"a.mtx", MM "pattern general\n2 2 2\n1 1\n1 0\n", FR_FORMAT,
     "a.mtx:4:3: column 0 is outside 1..2"},
    {"a.mtx", MM "pattern general\n2 2 1\n-1 1\n", FR_FORMAT, "a.mtx:3:1: row -1 is outside 1..2"},
    {"a.mtx", MM "pattern general\n2 2 1\n99999999999999999999 1\n", FR_RANGE,
     "a.mtx:3:1: row 99999999999999999999 does not fit 64 bits"},
    {"a.mtx", MM "pattern general\n2 2 1\n1 1 5\n", FR_FORMAT,
     "a.mtx:3:5: unexpected \"5\" after the edge"},
    {"a.mtx", MM "real general\n2 2 1\n1 1 5x\n", FR_FORMAT,
     "a.mtx:3:5: the weight \"5x\" is not a number"},
    {"a.mtx", MM "real general\n2 2 1\n1 1    \n", FR_FORMAT,
     "a.mtx:3:8: expected a weight in column 3, found the end of the line"},
    {"a.mtx", MM "real general\n2 2 1\n1 zwei 3\n", FR_FORMAT,
     "a.mtx:3:3: expected a column id, found \"zwei\""},
    {"a.mtx", MM "real general\n2 2 1\n1.0 2 3\n", FR_FORMAT,
     "a.mtx:3:1: row \"1.0\" is not an integer"},
    {"a.mtx", MM "real general\n2 2 1\n1 2 1e400\n", FR_RANGE,
     "a.mtx:3:5: the weight 1e400 is not a finite number"},
    {"a.mtx", MM "real general\n2 2 1\n1 2 nan\n", FR_RANGE,
     "a.mtx:3:5: the weight nan is not a finite number"},
    {"a.mtx", MM "integer general\n2 2 1\n1 2 1.5\n", FR_FORMAT,
     "a.mtx:3:5: the weight 1.5 is not an integer"},
    {"a.mtx", MM "integer general\n2 2 2\n1 2 3000000000\n2 1 1.5\n", FR_FORMAT,
     "a.mtx:4:5: the weight 1.5 is not an integer"},
    {"a.mtx", MM "unsigned-integer general\n2 2 1\n1 2 9223372036854775808\n", FR_RANGE,
     "a.mtx:3:5: the weight 9223372036854775808 does not fit int64"},
    {"a.mtx", MM "integer general\n2 2 1\n1 2 9223372036854775808\n", FR_RANGE,
     "a.mtx:3:5: the weight 9223372036854775808 does not fit int64"},
    {"a.mtx", MM "integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n", FR_RANGE},
    {"a.mtx", MM "integer general\n2 2 1\n1 2 1.5\n", FR_FORMAT,
     "a.mtx:3:5: the weight 1.5 is not an integer", OPTIONS(.weight_type = FR_TYPE_F64)},
    {"a.mtx", MM "real general\n2 2 2\n1 2 1.0\n2 1 9007199254740993\n", FR_RANGE, NULL,
     OPTIONS(.weight_type = FR_TYPE_I64)},
    /* beyond 2^53 a double does not hold every integer: exact, rounded on request, or refused */
    {"a.mtx", MM "real general\n2 2 2\n1 2 1\n2 1 9007199254740993\n", FR_RANGE,
     "a.mtx:4:5: the weight 9007199254740993 is beyond 2^53, where a double does not"},
    {"a.mtx", MM "real general\n2 2 1\n1 2 9007199254740993.0\n", FR_RANGE,
     "a.mtx: the weight 9007199254740992 is beyond 2^53, and not all weights are",
     OPTIONS(.weight_type = FR_TYPE_I64)},
    {"a.mtx", MM "integer general\n2 2 1\n1 2 9007199254740993\n", FR_RANGE,
     "the weight 9007199254740993 does not fit int32", OPTIONS(.weight_type = FR_TYPE_I32)},
    {"a.mtx", MM "integer skew-symmetric\n2 2 1\n2 2 1\n", FR_FORMAT},
    {"a.mtx", MM "real general\n2 2 1\n1 2 1.5\n", FR_RANGE, "the weight 1.5 does not fit int32",
     OPTIONS(.weight_type = FR_TYPE_I32)},
    {"a.mtx", MM "real general\n2 2 1\n1 2 1e300\n", FR_RANGE,
     "the weight 1e+300 does not fit float32", OPTIONS(.weight_type = FR_TYPE_F32)},
    {"a.mtx", MM "real general\n2 2 1\n1 2 1\n", FR_INVALID, NULL,
     OPTIONS(.weight_type = FR_TYPE_F64 + 1)},
    {"a.mtx", MM "real general\n2 2 1\n1 2 1\n", FR_INVALID, NULL, OPTIONS(.id_base = 3)},
    {"a.mtx", MM "real general\n2 2 1\n1 2 1\n", FR_INVALID, "unknown format 'nonesuch'",
     OPTIONS(.format = "nonesuch")},
    {"a.mtx", "", FR_FORMAT},
    {"a.mtx",
     "\x7f"
     "ELF\x02\x01\x01",
     FR_FORMAT},
};

static void mtx_is_refused(void **state) {
    test_all_bad(*state, mtx_is_refused_cases, COUNT(mtx_is_refused_cases));
}

static void memory_is_asked_for_first(void **state) {
    (void)state;
    fr_ctx *ctx = test_ctx(&(fr_ctx_options){.max_memory_bytes = 1 << 20});
    fr_graph *graph = NULL;
    assert_int_equal(
        test_load_text(ctx, "a.mtx", MM "pattern general\n1000000 1000000 1\n1 1\n", NULL, &graph),
        FR_NOMEM);
    assert_null(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM_IN_FOLDER(TEST(mtx_is_read), TEST(mtx_is_refused), TEST(memory_is_asked_for_first))
