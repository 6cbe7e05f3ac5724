/* Checkpoints of fr_distance_centrality: an interrupted call that is continued, and files that are cut off, damaged,
 * of something else, in use or not writable. Parts: tests/random/measures.c. */
#include "fringe_measures.h"
#include "support/support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    N = 40,
    EVERY = 8,
    HEAD = 256,
    BLOCK = 24 + 2 * EVERY * 8,
    WHOLE = HEAD + N / EVERY * BLOCK
};

static char path[64], whole[2 * WHOLE]; /* a complete file */
static double scores[2][N], want[2][N];

static fr_distance_centrality_options options(void) {
    fr_distance_centrality_options o = FR_INIT(fr_distance_centrality_options);
    o.checkpoint = path;
    o.checkpoint_vertices = EVERY;
    return o;
}

static fr_status run(fr_ctx *ctx, const fr_graph *graph) {
    const fr_distance_centrality_options o = options();
    memset(scores, 0xff, sizeof scores);
    return fr_distance_centrality(ctx, graph, &o, scores[0], scores[1]);
}

static size_t move_file(char *bytes, size_t count, bool writes) {
    FILE *file = fopen(path, writes ? "wb" : "rb");
    assert_non_null(file);
    count = writes ? fwrite(bytes, 1, count, file) : fread(bytes, 1, count, file);
    assert_int_equal(fclose(file), 0);
    return count;
}

static void assert_complete(fr_ctx *ctx, const fr_graph *graph) {
    char now[2 * WHOLE];
    assert_ok(ctx, run(ctx, graph));
    assert_memory_equal(scores, want, sizeof want);
    assert_int_equal(move_file(now, sizeof now, false), WHOLE);
    assert_memory_equal(now, whole, WHOLE);
}

/* A graph of N vertices with its scores in `want`, and a complete checkpoint, also in `whole`. */
static fr_graph *begin(fr_ctx *ctx, double weights) {
    fr_graph *graph = test_generated(ctx, "uniform:n=40,edges=70,directed=1", weights);
    snprintf(path, sizeof path, "checkpoint.%lld", (long long)getpid());
    unlink(path);
    assert_ok(ctx, fr_closeness(ctx, graph, false, FR_BACKEND_CPU, want[0]));
    assert_ok(ctx, fr_harmonic(ctx, graph, FR_BACKEND_CPU, want[1]));
    assert_ok(ctx, run(ctx, graph));
    assert_int_equal(move_file(whole, sizeof whole, false), WHOLE);
    assert_complete(ctx, graph);
    return graph;
}

/* Cancelled at each checkpoint in turn, and continued from there. */
static void is_continued(void **state) {
    (void)state;
    test_watch watch = {.phase = "saving"};
    fr_ctx *ctx = test_ctx_watched(&watch, 2);
    for (int weighted = 0; weighted < 2; weighted++) {
        fr_graph *graph = begin(ctx, weighted ? 9 : 0);
        for (int stop = 1; stop <= 1 + N / EVERY; stop++) {
            unlink(path);
            watch = (test_watch){.phase = "saving", .stop_at = stop};
            assert_int_equal(run(ctx, graph), FR_CANCELLED);
            watch = (test_watch){.phase = "saving"};
            assert_complete(ctx, graph);
            assert_int_equal(watch.calls, 1 + N / EVERY - (stop - 1)); /* the rest alone */
        }
        fr_graph_free(graph);
        unlink(path);
    }
    fr_ctx_free(ctx);
}

/* Files that end anywhere, or have a wrong byte behind the head, give the scores. */
static void damage_is_computed_again(void **state) {
    fr_graph *graph = begin(*state, 0);
    for (int i = 2; i < 2 * WHOLE; i += 5) {
        const int at = i / 2; /* odd i: cut off there */
        whole[at] ^= 0x10;
        move_file(whole, i % 2 ? (size_t)at : WHOLE, true);
        whole[at] ^= 0x10;
        if (at < HEAD && i % 2 == 0)
            assert_refused(*state, run(*state, graph), FR_FORMAT, "is no checkpoint");
        else
            assert_complete(*state, graph);
    }
    for (size_t bytes = 3; bytes < 2 * HEAD; bytes *= 2) { /* another file is kept, however short */
        char text[2 * HEAD] = "freight\n", now[2 * HEAD];
        move_file(text, bytes, true);
        assert_refused(*state, run(*state, graph), FR_FORMAT, "is no checkpoint");
        assert_int_equal(move_file(now, sizeof now, false), bytes);
        assert_memory_equal(now, text, bytes);
    }
    move_file(whole, sizeof whole, true); /* what follows is removed */
    assert_complete(*state, graph);
    fr_graph_free(graph);
    unlink(path);
}

static void others_are_refused(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = begin(ctx, 0), *other = test_generated(ctx, "uniform:n=40,edges=71", 0);
    fr_distance_centrality_options o[] = {options(), options(), options()};
    o[1].first = 1;
    o[2].reached_only = true;
    for (int i = 0; i < 5; i++) /* another graph, part, closeness; closeness, harmonic alone */
        assert_refused(ctx,
                       fr_distance_centrality(ctx, i ? graph : other, &o[i < 3 ? i : 0],
                                              i == 4 ? NULL : scores[0], i == 3 ? NULL : scores[1]),
                       FR_FORMAT, "is no checkpoint of this graph");
    assert_complete(ctx, graph);
    o[0].checkpoint_vertices = -1;
    assert_refused(ctx, fr_distance_centrality(ctx, graph, &o[0], scores[0], NULL), FR_INVALID,
                   "checkpoint_vertices (-1)");
    o[1].first = N + 1;
    assert_refused(ctx, fr_distance_centrality(ctx, graph, &o[1], scores[0], NULL), FR_NOT_FOUND,
                   "is not within");
    fr_graph_free(other);
    fr_graph_free(graph);
    unlink(path);
}

static void files_that_fail(void **state) {
    fr_graph *graph = begin(*state, 0);
    const int file = open(path, O_RDWR);
    assert_int_equal(flock(file, LOCK_EX), 0);
    assert_refused(*state, run(*state, graph), FR_DISK, "in use by another process");
    close(file);
    unlink(path);
    struct rlimit old, small;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = (struct rlimit){HEAD + BLOCK + 9, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    assert_refused(*state, run(*state, graph), FR_DISK, "cannot be written");
    setrlimit(RLIMIT_FSIZE, &old);
    assert_complete(*state, graph); /* the first block was there */
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused(*state, run(*state, graph), FR_DISK, "is no regular file");
    unlink(path);
    snprintf(path, sizeof path, "none/x");
    assert_refused(*state, run(*state, graph), FR_DISK, "cannot be opened");
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(is_continued), TEST(damage_is_computed_again), TEST(others_are_refused),
             TEST(files_that_fail))
