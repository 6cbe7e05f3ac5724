/* Opening files: plain, packed, from a pipe, and everything that must be refused. */
#include "io/input.h"
#include "support/files.h"

#include <fcntl.h>
#include <unistd.h>

static void expect_text(fr_ctx *ctx, const char *name, const char *expected) {
    const char *path = test_path(name);
    fri_input text;
    assert_ok(ctx, fri_input_open(ctx, path, &text));
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.data, expected, text.size);
    fri_input_close(&text);
}

static void expect_failure(fr_ctx *ctx, const char *path, fr_status status, const char *says) {
    fri_input text;
    fr_status got = fri_input_open(ctx, path, &text);
    if (got != status || !strstr(fr_ctx_error(ctx), says))
        fail_msg("%s: %s: %s", path, fr_status_name(got), fr_ctx_error(ctx));
    fri_input_close(&text);
}

static void plain(void **state) {
    fri_input text;
    assert_ok(*state, fri_input_open(*state, test_put("plain.txt", "one\ntwo\nthree", 13), &text));
    assert_int_equal(text.size, 13);
    assert_int_equal(fri_input_line(&text, text.data), 1);
    assert_int_equal(fri_input_line(&text, text.data + 4), 2);
    assert_int_equal(fri_input_line(&text, text.data + 13), 3);
    assert_refused(*state, fri_input_fail(*state, FR_FORMAT, &text, text.data + 5, "bad %d", 7),
                   FR_FORMAT, "plain.txt:2:2: bad 7");
    fri_input_close(&text);
    assert_ok(*state,
              fri_input_open(*state, test_put("wide.txt", "\xc3\xa9\n\xc3\xa9\t7", 7), &text));
    assert_refused(*state, fri_input_fail(*state, FR_FORMAT, &text, text.data + 6, "bad"),
                   FR_FORMAT, "wide.txt:2:3: bad");
    fri_input_close(&text);
    assert_ok(*state, fri_input_open(*state, test_put("empty.txt", "", 0), &text));
    assert_int_equal(text.size, 0);
    assert_int_equal(fri_input_line(&text, text.data), 1);
    fri_input_close(&text);
}

/* In a packed file as well; the place of a failure does not change. */
static void byte_order_mark(void **state) {
    fri_input text;
    const char *path = test_put("mark.txt", "\xef\xbb\xbfone\ntwo", 10);
    assert_ok(*state, fri_input_open(*state, path, &text));
    assert_int_equal(text.size, 7);
    assert_memory_equal(text.data, "one\ntwo", 7);
    assert_int_equal(fri_input_line(&text, text.data + 4), 2);
    fri_input_close(&text);
#ifdef FRI_HAVE_ARCHIVE
    if (test_shell("gzip -c mark.txt > mark.gz"))
        expect_text(*state, "mark.gz", "one\ntwo");
#endif
    if (test_shell("mkfifo marked && (cat mark.txt > marked &)"))
        expect_text(*state, "marked", "one\ntwo");
    test_put("only.txt", "\xef\xbb\xbf", 3);
    expect_text(*state, "only.txt", "");
    test_put("half.txt", "\xef\xbb", 2);
    expect_text(*state, "half.txt", "\xef\xbb");
}

static void standard_input(void **state) {
    test_put("plain.txt", "1 2\n2 x\n", 8);
    int kept = dup(0), fd = open(test_path("plain.txt"), O_RDONLY);
    fr_graph *graph;
    assert_true(kept >= 0 && fd >= 0 && dup2(fd, 0) == 0);
    assert_refused(*state, fr_graph_load(*state, "-", NULL, &graph), FR_FORMAT,
                   "standard input:2:3: expected a target id, found \"x\"; names are read with "
                   "ids strings");
    char line[4];
    lseek(0, 0, SEEK_SET);
    assert_int_equal(read(0, line, 4), 4); /* what is left is read */
    const fr_load_options snap = {.format = "snap"};
    assert_refused(*state, fr_graph_load(*state, "-", &snap, &graph), FR_FORMAT,
                   "standard input:1:3: expected a target id");
    const fr_load_options cached = {.cache = true};
    assert_int_equal(fr_graph_load(*state, "-", &cached, &graph), FR_INVALID);
    dup2(kept, 0);
    close(kept);
    close(fd);
}

static void pipe_is_read_to_its_end(void **state) {
    test_put("plain.txt", "one\ntwo\nthree", 13);
    if (!test_shell("mkfifo fifo && (cat plain.txt > fifo &)"))
        skip();
    expect_text(*state, "fifo", "one\ntwo\nthree");
}

static void refused(void **state) {
    fr_ctx *ctx = *state;
    expect_failure(ctx, "/nonexistent/graph.mtx", FR_NOT_FOUND, "/nonexistent/graph.mtx: No such");
    expect_failure(ctx, test_path(""), FR_IO, "is a directory");
}

#ifdef FRI_HAVE_ARCHIVE

static void packed(void **state) {
    test_put("m.mtx", "packed text\n", 12);
    if (!test_shell("mkdir -p m && cp m.mtx m/m.mtx && echo no > m/m_b.mtx"))
        fail();
    const char *const commands[][2] = {
        {"gzip -c m.mtx > m.gz", "m.gz"},
        {"gzip -c m.mtx > disguised.txt", "disguised.txt"},
        {"(head -c 5 m.mtx | gzip; tail -c 7 m.mtx | gzip) > members.gz", "members.gz"},
        {"xz -c m.mtx > m.xz", "m.xz"},
        {"bzip2 -c m.mtx > m.bz2", "m.bz2"},
        {"zstd -qc m.mtx > m.zst", "m.zst"},
        /* as pzstd writes it: a frame that is skipped, then the others */
        {"(printf '\\120\\052\\115\\030\\004\\000\\000\\000size'; zstd -qc m.mtx) > p.zst",
         "p.zst"},
        {"tar cf m.tar m/m_b.mtx m/m.mtx", "m.tar"},
        {"tar czf m.tar.gz m", "m.tar.gz"},
        {"tar czf single.tgz m.mtx", "single.tgz"},
    };
    for (size_t i = 0; i < COUNT(commands); i++)
        if (test_shell(commands[i][0]))
            expect_text(*state, commands[i][1], "packed text\n");
        else
            print_message("skipped: %s\n", commands[i][0]);
}

static void packed_refused(void **state) {
    fr_ctx *ctx = *state;
    expect_failure(ctx, test_put("g.zip", "PK\x03\x04zip", 7), FR_UNSUPPORTED, "zip archive");
    expect_failure(ctx, test_put("junk.gz", "\x1f\x8bthis is no gzip data", 22), FR_FORMAT,
                   "junk.gz");
    if (test_shell("head -c 100000 /dev/urandom > r && gzip -c r | head -c 50000 > cut.gz"))
        expect_failure(ctx, test_path("cut.gz"), FR_FORMAT, "gzip");
    if (test_shell("mkdir -p two && touch two/a two/b && tar cf none.tar two"))
        expect_failure(ctx, test_path("none.tar"), FR_NOT_FOUND,
                       "none of its 2 files is named none.mtx");
}

/* A flipped bit is reported unless the content stays equal. */
static void flip_each(fr_ctx *ctx, const char *name, size_t first, size_t behind) {
    size_t size, length;
    char *bytes = test_read(test_path(name), &size);
    char *expected = test_read(test_path("seq.txt"), &length);
    for (size_t at = first; at < size - behind; at++) {
        bytes[at] ^= 16;
        fri_input text;
        if (!fri_input_open(ctx, test_put("flipped.gz", bytes, size), &text)) {
            assert_int_equal(text.size, length);
            assert_memory_equal(text.data, expected, length);
        }
        fri_input_close(&text);
        bytes[at] ^= 16;
    }
    free(bytes);
    free(expected);
}

static void damaged_gzip(void **state) {
    if (!test_shell("seq 1000 > seq.txt && gzip -nc seq.txt > seq.gz"))
        skip();
    flip_each(*state, "seq.gz", 4, 0);
}

/* Among the members an empty one, and one whose bytes look like the beginning of another. */
static void damaged_gzip_members(void **state) {
    if (!test_shell(
            "(seq 90; printf '\\037\\213\\010'; seq 91 99) > seq.txt && (seq 90 | gzip -nc; "
            "gzip -nc < /dev/null; printf '\\037\\213\\010' | gzip -nc1; seq 91 99 | gzip "
            "-nc) > members.gz"))
        skip();
    size_t length;
    char *expected = test_read(test_path("seq.txt"), &length);
    fri_input text;
    assert_ok(*state, fri_input_open(*state, test_path("members.gz"), &text));
    assert_int_equal(text.size, length);
    assert_memory_equal(text.data, expected, length);
    fri_input_close(&text);
    free(expected);
    flip_each(*state, "members.gz", 4, 0);
}

static void zip_bomb(void **state) {
    (void)state;
    fr_ctx_options options = {.threads = 1, .max_memory_bytes = 8 << 20};
    fr_ctx *ctx = test_ctx(&options);
    const char *const commands[] = {"yes 1 2 | head -c 64M | gzip > bomb",
                                    "yes 1 2 | head -c 64M | zstd > bomb",
                                    "truncate -s 64M bomb.mtx && tar czSf bomb bomb.mtx",
                                    "truncate -s 64M bomb.mtx && tar czf bomb bomb.mtx"};
    const char *path = test_path("bomb");
    for (size_t i = 0; i < COUNT(commands); i++)
        if (test_shell(commands[i]))
            expect_failure(ctx, path, FR_NOMEM, "memory limit of 8.00 MiB");
    assert_true(fr_ctx_peak_bytes(ctx) <= 8 << 20);
    fr_ctx_free(ctx);
}

#else

static void packed_is_refused(void **state) {
    const char *path = test_put("m.gz", "\x1f\x8b\x08 and so on", 13);
    expect_failure(*state, path, FR_UNSUPPORTED, "built without libarchive");
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(plain),
        TEST(byte_order_mark),
        TEST(standard_input),
        TEST(pipe_is_read_to_its_end),
        TEST(refused),
#ifdef FRI_HAVE_ARCHIVE
        TEST(packed),
        TEST(packed_refused),
        TEST(damaged_gzip),
        TEST(damaged_gzip_members),
        cmocka_unit_test(zip_bomb),
#else
        TEST(packed_is_refused),
#endif
    };
    return cmocka_run_group_tests(tests, test_folder_make, test_folder_remove);
}
