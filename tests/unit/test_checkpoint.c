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

static char path[64];
static char whole[2 * WHOLE]; /* a complete file */
static double closeness[N], harmonic[N];

static fr_distance_centrality_options options(void) {
    fr_distance_centrality_options o = FR_INIT(fr_distance_centrality_options);
    o.checkpoint = path;
    o.checkpoint_vertices = EVERY;
    return o;
}

static fr_status run(fr_ctx *ctx, void *graph) {
    const fr_distance_centrality_options o = options();
    memset(closeness, 0xff, sizeof closeness);
    memset(harmonic, 0xff, sizeof harmonic);
    return fr_distance_centrality(ctx, graph, &o, closeness, harmonic);
}

static void assert_scores(fr_ctx *ctx, const fr_graph *graph) {
    double want[2][N];
    assert_ok(ctx, fr_closeness(ctx, graph, false, FR_BACKEND_CPU, want[0]));
    assert_ok(ctx, fr_harmonic(ctx, graph, FR_BACKEND_CPU, want[1]));
    assert_memory_equal(closeness, want[0], sizeof closeness);
    assert_memory_equal(harmonic, want[1], sizeof harmonic);
}

static void write_file(const char *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(char *bytes, size_t capacity) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, capacity, file);
    fclose(file);
    return count;
}

/* A graph of N vertices, and a complete checkpoint of it in `whole`. */
static fr_graph *begin(fr_ctx *ctx, const char *description, double weights) {
    fr_graph *graph = test_generated(ctx, description, weights);
    snprintf(path, sizeof path, "checkpoint.%lld", (long long)getpid());
    unlink(path);
    assert_ok(ctx, run(ctx, graph));
    assert_scores(ctx, graph);
    assert_int_equal(read_file(whole, sizeof whole), WHOLE);
    return graph;
}

static void end(fr_graph *graph) {
    fr_graph_free(graph);
    unlink(path);
}

#define SPARSE "uniform:n=40,edges=70,directed=1"

/* Cancelled at each report in turn, and continued from where it was. */
static void is_continued(void **state) {
    (void)state;
    test_watch watch = {.phase = "saving"};
    fr_ctx *ctx = test_ctx_watched(&watch, 2);
    for (int weighted = 0; weighted < 2; weighted++) {
        fr_graph *graph = begin(ctx, SPARSE, weighted ? 9 : 0);
        for (int stop = 1; stop <= 1 + N / EVERY; stop++) {
            unlink(path);
            watch = (test_watch){.phase = "saving", .stop_at = stop};
            assert_int_equal(run(ctx, graph), FR_CANCELLED);
            watch = (test_watch){.phase = "saving"};
            assert_ok(ctx, run(ctx, graph));
            assert_int_equal(watch.calls, 1 + N / EVERY - (stop - 1)); /* the rest alone */
            assert_scores(ctx, graph);
        }
        end(graph);
    }
    fr_ctx_free(ctx);
}

/* Files that end anywhere or have a wrong byte give the scores, or are no checkpoint. */
static void damage_is_computed_again(void **state) {
    fr_ctx *ctx = *state;
    char now[2 * WHOLE];
    fr_graph *graph = begin(ctx, SPARSE, 0);
    for (int at = 1; at < WHOLE; at += 3)
        for (int cuts = 0; cuts < 2; cuts++) {
            whole[at] ^= 0x10;
            write_file(whole, cuts ? (size_t)at : WHOLE);
            whole[at] ^= 0x10;
            if (at < HEAD) {
                assert_refused(ctx, run(ctx, graph), FR_FORMAT, "is no checkpoint");
                continue;
            }
            assert_ok(ctx, run(ctx, graph));
            assert_scores(ctx, graph);
            assert_int_equal(read_file(now, sizeof now), WHOLE);
            assert_memory_equal(now, whole, WHOLE);
        }
    write_file(whole, WHOLE + 100); /* and what follows is removed */
    assert_ok(ctx, run(ctx, graph));
    assert_int_equal(read_file(now, sizeof now), WHOLE);
    end(graph);
}

static void others_are_refused(void **state) {
    fr_ctx *ctx = *state;
    char now[2 * WHOLE];
    fr_graph *graph = begin(ctx, SPARSE, 0), *other = test_generated(ctx, SPARSE ",seed=2", 0);
    fr_distance_centrality_options part = options(), reached = options();
    part.first = 1;
    reached.reached_only = true;
    const struct {
        const fr_graph *graph;
        fr_distance_centrality_options o;
        double *closeness, *harmonic;
    } calls[] = {{other, options(), closeness, harmonic},
                 {graph, part, closeness, harmonic},
                 {graph, reached, closeness, harmonic},
                 {graph, options(), closeness, NULL},
                 {graph, options(), NULL, harmonic}};
    for (size_t i = 0; i < COUNT(calls); i++)
        assert_refused(ctx,
                       fr_distance_centrality(ctx, calls[i].graph, &calls[i].o, calls[i].closeness,
                                              calls[i].harmonic),
                       FR_FORMAT, "is no checkpoint of this graph");
    assert_int_equal(read_file(now, sizeof now), WHOLE);
    assert_memory_equal(now, whole, WHOLE);
    part.first = N + 1;
    assert_refused(ctx, fr_distance_centrality(ctx, graph, &part, closeness, NULL), FR_NOT_FOUND,
                   "is not within");
    fr_graph_free(other);
    end(graph);
}

static void files_that_fail(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = begin(ctx, SPARSE, 0);
    const int file = open(path, O_RDWR);
    assert_int_equal(flock(file, LOCK_EX), 0);
    assert_refused(ctx, run(ctx, graph), FR_DISK, "in use by another process");
    close(file);
    unlink(path);
    struct rlimit old, small = {HEAD + BLOCK + 9, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small.rlim_max = old.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    assert_refused(ctx, run(ctx, graph), FR_DISK, "cannot be written");
    setrlimit(RLIMIT_FSIZE, &old);
    assert_ok(ctx, run(ctx, graph)); /* the first block is there */
    assert_scores(ctx, graph);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused(ctx, run(ctx, graph), FR_DISK, "is no regular file");
    unlink(path);
    snprintf(path, sizeof path, "none/x");
    assert_refused(ctx, run(ctx, graph), FR_DISK, "cannot be opened");
    end(graph);
}

TEST_PROGRAM(TEST(is_continued), TEST(damage_is_computed_again), TEST(others_are_refused),
             TEST(files_that_fail))
