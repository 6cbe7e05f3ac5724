/* What struct_size 0 means once a nested struct has grown: this file sees a fr_stats with one more
 * member than the library's. */
#define call_ns call_ns, added_later
#include "fringe.h"
#undef call_ns

#include "base/sized.h"
#include "support/support.h"

static void the_first_size_excludes_later_statistics(void **state) {
    (void)state;
    assert_int_equal(FRI_FIRST_SIZE_fr_result, offsetof(fr_result, stats.added_later));
    assert_true(FRI_FIRST_SIZE_fr_result < sizeof(fr_result));
}

TEST_PROGRAM(TEST(the_first_size_excludes_later_statistics))
