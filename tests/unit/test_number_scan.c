/* The number scanner: values at the limits of their types, and no read past the end of the text.
 */
#include "base/rng.h"
#include "io/text/number_scan.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* A copy of the text that ends where a page without access begins. */
typedef struct {
    char *map, *at;
    size_t page, length;
} guarded;

static guarded guard(const char *text) {
    guarded g = {.page = (size_t)sysconf(_SC_PAGESIZE), .length = strlen(text)};
    assert_true(g.length <= g.page);
    g.map = mmap(NULL, 2 * g.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(g.map != MAP_FAILED);
    assert_int_equal(mprotect(g.map + g.page, g.page, PROT_NONE), 0);
    g.at = g.map + g.page - g.length;
    memcpy(g.at, text, g.length);
    return g;
}

static void unguard(guarded g) { munmap(g.map, 2 * g.page); }

static fri_scan_status scan_int(const char *text, int64_t *out, size_t *used) {
    guarded g = guard(text);
    fri_scan scan = {g.at, g.at + g.length};
    fri_scan_status status = fri_scan_int64(&scan, out);
    *used = (size_t)(scan.at - g.at);
    unguard(g);
    return status;
}

static fri_scan_status scan_real(const char *text, double *out, size_t *used) {
    guarded g = guard(text);
    fri_scan scan = {g.at, g.at + g.length};
    fri_scan_status status = fri_scan_double(&scan, out);
    *used = (size_t)(scan.at - g.at);
    unguard(g);
    return status;
}

static void integers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fri_scan_status status;
        int64_t value;
        size_t used;
    } cases[] = {
        {"0", FRI_SCAN_OK, 0, 1},
        {"7\n", FRI_SCAN_OK, 7, 1},
        {" \t,\r12345678", FRI_SCAN_OK, 12345678, 12},
        {"123456789 1", FRI_SCAN_OK, 123456789, 9},
        {"+5", FRI_SCAN_OK, 5, 2},
        {"-00012", FRI_SCAN_OK, -12, 6},
        {"999999999999999999", FRI_SCAN_OK, 999999999999999999, 18},
        {"9223372036854775807", FRI_SCAN_OK, INT64_MAX, 19},
        {"-9223372036854775808", FRI_SCAN_OK, INT64_MIN, 20},
        {"9223372036854775808", FRI_SCAN_RANGE, 0, 19},
        {"-9223372036854775809", FRI_SCAN_RANGE, 0, 20},
        {"18446744073709551617", FRI_SCAN_RANGE, 0, 20},
        {"00000000000000000000000000000000042x", FRI_SCAN_OK, 42, 35},
        {"99999999999999999999999999999999999", FRI_SCAN_RANGE, 0, 35},
        {"12a", FRI_SCAN_OK, 12, 2},
        {"1.5", FRI_SCAN_OK, 1, 1},
        {"", FRI_SCAN_NONE, 0, 0},
        {"  \n1", FRI_SCAN_NONE, 0, 2},
        {"-", FRI_SCAN_NONE, 0, 0},
        {"--1", FRI_SCAN_NONE, 0, 0},
        {"abc", FRI_SCAN_NONE, 0, 0},
        {":123", FRI_SCAN_NONE, 0, 0}, /* ':' follows '9' */
        {"/123", FRI_SCAN_NONE, 0, 0}, /* '/' is the character before '0' */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t value = 0;
        size_t used;
        if (scan_int(cases[i].text, &value, &used) != cases[i].status || used != cases[i].used ||
            (cases[i].status == FRI_SCAN_OK && value != cases[i].value))
            fail_msg("\"%s\": %lld, %zu bytes", cases[i].text, (long long)value, used);
    }
}

static void any_byte_ends_a_number(void **state) {
    (void)state;
    for (int digits = 1; digits <= 18; digits++)
        for (int byte = 1; byte < 256; byte++) {
            if (byte >= '0' && byte <= '9')
                continue;
            char text[32];
            int64_t value, want = 0;
            size_t used;
            for (int d = 0; d < digits; d++) {
                text[d] = (char)('1' + d % 9);
                want = want * 10 + 1 + d % 9;
            }
            snprintf(text + digits, sizeof text - (size_t)digits, "%c0123456", byte);
            assert_int_equal(scan_int(text, &value, &used), FRI_SCAN_OK);
            assert_int_equal(value, want);
            assert_int_equal(used, digits);
        }
}

static void reals_are_exact(void **state) {
    (void)state;
    static const char texts[] =
        "0 -0 1 -1.5 .5 5. +.25e1 1e22 1e23 1E-22 1e-23 9007199254740993 9007199254740992.5 0.1 "
        "0.30000000000000004 2.2250738585072011e-308 4.9e-324 1e-400 1.7976931348623157e308 "
        "123456789012345678901234567890 0.000000000000000000000000000000000001 "
        "9999999999999999999e-19 1844674407370955161.5 .12345678901234567 "
        "1.00000000000000011102230246251565404236316680908203125 "
        "1.00000000000000011102230246251565404236316680908203124 8.5 1e+5 0e999999999999 12e-3 "
        "0.46382027914874982"; /* half a unit and a little more */
    for (const char *at = texts; *at;) {
        char *end, text[80] = {0};
        double value, want = strtod(at, &end);
        size_t used;
        memcpy(text, at, (size_t)(end - at));
        assert_int_equal(scan_real(text, &value, &used), FRI_SCAN_OK);
        assert_int_equal(used, strlen(text));
        if (memcmp(&value, &want, sizeof want))
            fail_msg("%s: %.17g, not %.17g", text, value, want);
        at = end + (*end == ' ');
    }
}

static void random_reals_are_exact(void **state) {
    (void)state;
    for (uint64_t k = 0; k < 200000; k++) {
        char text[64];
        uint64_t digits = fri_random(1, k) >> (fri_random(2, k) % 60);
        int places = (int)(fri_random(3, k) % 20), e = (int)(fri_random(4, k) % 40) - 20;
        int form = (int)(k % 3);
        if (form == 0)
            snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits, -places);
        else if (form == 1)
            snprintf(text, sizeof text, "%.*fe%d", places, (double)digits / 1e6, e);
        else
            snprintf(text, sizeof text, "%.17g", (double)digits * pow(10, e));
        fri_scan scan = {text, text + strlen(text)};
        double value, want = strtod(text, NULL);
        assert_int_equal(fri_scan_double(&scan, &value), FRI_SCAN_OK);
        if (value != want || *scan.at)
            fail_msg("%s: %.17g, not %.17g", text, value, want);
    }
}

static void not_a_real_number(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fri_scan_status status;
        size_t used;
    } cases[] = {{"nan", FRI_SCAN_RANGE, 0},
                 {"-inf", FRI_SCAN_RANGE, 0},
                 {"Infinity", FRI_SCAN_RANGE, 0},
                 {"1e400", FRI_SCAN_RANGE, 5},
                 {"-1e999999999999999999999", FRI_SCAN_RANGE, 24},
                 {"x", FRI_SCAN_NONE, 0},
                 {".", FRI_SCAN_NONE, 0},
                 {"-", FRI_SCAN_NONE, 0},
                 {"", FRI_SCAN_NONE, 0},
                 {"\n1", FRI_SCAN_NONE, 0},
                 {"1e", FRI_SCAN_OK, 1},
                 {"1e+", FRI_SCAN_OK, 1},
                 {"1.5.2", FRI_SCAN_OK, 3},
                 {"0x10", FRI_SCAN_OK, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        double value;
        size_t used;
        if (scan_real(cases[i].text, &value, &used) != cases[i].status || used != cases[i].used)
            fail_msg("\"%s\": %zu bytes", cases[i].text, used);
    }
}

static void a_thousand_digits(void **state) {
    (void)state;
    char text[4000];
    double value;
    size_t used;
    memset(text, '1', sizeof text);
    text[1] = '.';
    text[900] = 0;
    assert_int_equal(scan_real(text, &value, &used), FRI_SCAN_OK);
    assert_true(value == strtod(text, NULL));
    text[900] = '1';
    text[3999] = 0;
    assert_int_equal(scan_real(text, &value, &used), FRI_SCAN_RANGE);
}

static void lines(void **state) {
    (void)state;
    guarded g = guard("1 2 \r\n\n  x\n3");
    fri_scan scan = {g.at, g.at + g.length};
    assert_false(fri_scan_at_eol(&scan));
    assert_true(fri_scan_next_line(&scan));
    assert_true(fri_scan_at_eol(&scan));
    assert_true(fri_scan_next_line(&scan));
    assert_false(fri_scan_at_eol(&scan));
    assert_true(fri_scan_next_line(&scan));
    assert_false(fri_scan_next_line(&scan));
    assert_true(fri_scan_at_eol(&scan));
    unguard(g);
}

static void cuts_follow_newlines(void **state) {
    (void)state;
    const char *texts[] = {"", "no newline at all", "a\nbb\nccc\ndddd\neeeee\nf", "\n\n\n\n\n\n"};
    for (int t = 0; t < 4; t++)
        for (int parts = 1; parts < 9; parts++) {
            const char *cut[10], *begin = texts[t], *end = begin + strlen(begin);
            fri_scan_cut(begin, end, parts, cut);
            assert_ptr_equal(cut[0], begin);
            assert_ptr_equal(cut[parts], end);
            for (int i = 1; i <= parts; i++) {
                assert_true(cut[i] >= cut[i - 1]);
                assert_true(cut[i] == begin || cut[i] == end || cut[i][-1] == '\n');
            }
        }
}

TEST_PROGRAM(TEST(integers), TEST(any_byte_ends_a_number), TEST(reals_are_exact),
             TEST(random_reals_are_exact), TEST(not_a_real_number), TEST(a_thousand_digits),
             TEST(lines), TEST(cuts_follow_newlines))
