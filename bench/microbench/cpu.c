/* Limits of the CPU's threads for `fringe bench --suite microbench`: copying, random reads, bitmap probes, atomics,
 * and their barrier.
 *
 * Idea: as on the GPU each loop does one of these only, here on all threads of a team, between two
 *   of its barriers; it repeats until it takes some milliseconds. Indices come from one
 *   congruential generator each, so that many reads are in flight. Arrays are all ones (zeros for
 *   additions), so that the sums of the loops are known.
 */
#include "base/team.h"
#include "bench/microbench/microbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define KIB ((int64_t)1 << 10)
#define MIB ((int64_t)1 << 20)

enum { FLIGHT = 8, MAX_REPEATS = 1 << 24, LONG_NS = 5000000, MIN_PLACES = 1 << 20 };
static const int64_t STREAM = 1 << 22; /* elements of the stream */

typedef struct bench {
    microbench_run *run;
    uint32_t *buffer, *stream;
    int64_t buffer_bytes; /* bytes of the buffer */
    /* of the current loop */
    const struct loop_row *row;
    int threads, shift;
    int64_t bytes, repeats;
    int64_t sum, ns;     /* added up by all members; from the first barrier to the last */
    int64_t added, done; /* additions since the buffer was cleared; places of the last loop */
} bench;

/* A loop of the table: a member's work, done `repeats` times; returns its count. */
typedef struct loop_row {
    const char *name, *unit;
    int64_t bytes;
    int64_t (*loop)(const bench *b, fri_member me);
    int64_t (*work)(const bench *b); /* operations of all members in one repeat */
} loop_row;

/* ---- loops --------------------------------------------------------------------------------- */

static uint32_t next_place(uint32_t *x, int shift) {
    *x = *x * 1664525u + 1013904223u;
    return *x >> shift;
}

static int64_t read_places(const bench *b, fri_member me) {
    const uint32_t *words = b->buffer;
    uint32_t x = microbench_mix((uint32_t)me.index);
    int64_t sum = 0, repeats = b->repeats;
    int shift = b->shift;
    for (int64_t repeat = 0; repeat < repeats; repeat++)
        for (int i = 0; i < FLIGHT; i++)
            sum += words[next_place(&x, shift)] & 1;
    return sum;
}

static int64_t add_to_places(const bench *b, fri_member me) {
    uint32_t x = microbench_mix((uint32_t)me.index);
    for (int64_t repeat = 0; repeat < b->repeats; repeat++)
        for (int i = 0; i < FLIGHT; i++) /* relaxed: only the sum matters */
            __atomic_fetch_add(&b->buffer[next_place(&x, b->shift)], 1, __ATOMIC_RELAXED);
    return b->repeats * FLIGHT;
}

static int64_t probe_places(const bench *b, fri_member me) {
    const uint32_t *stream = b->stream, *map = b->buffer;
    int64_t begin, end, sum = 0;
    int shift = b->shift;
    fri_team_static_range(me, STREAM, 1, &begin, &end);
    for (int64_t repeat = 0; repeat < b->repeats; repeat++)
        for (int64_t i = begin; i < end; i++) {
            uint32_t bit = stream[i] >> shift;
            sum += map[bit / 32] >> (bit % 32) & 1;
        }
    return sum;
}

static int64_t copy_words(const bench *b, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, b->bytes, FRI_CACHE_LINE, &begin, &end);
    char *from = (char *)b->buffer, *to = from + b->bytes;
    for (int64_t repeat = 0; repeat < b->repeats; repeat++)
        memcpy(to + begin, from + begin, (size_t)(end - begin));
    return (end - begin) * b->repeats;
}

static int64_t wait_at_barrier(const bench *b, fri_member me) {
    for (int64_t repeat = 0; repeat < b->repeats; repeat++)
        fri_team_barrier(me); /* the barrier is measured */
    return b->repeats;
}

static int64_t work_of_places(const bench *b) { return (int64_t)b->threads * FLIGHT; }
static int64_t work_of_stream(const bench *b) { return (void)b, STREAM; }
static int64_t work_of_copy(const bench *b) { return b->bytes; }
static int64_t work_of_barrier(const bench *b) { return b->threads; }

static const loop_row rows[] = {
    {"copy", "B/s", 128 * MIB, copy_words, work_of_copy},
    {"gather", "1/s", 64 * KIB, read_places, work_of_places},
    {"gather", "1/s", 256 * KIB, read_places, work_of_places},
    {"gather", "1/s", 4 * MIB, read_places, work_of_places},
    {"gather", "1/s", 32 * MIB, read_places, work_of_places},
    {"gather", "1/s", 256 * MIB, read_places, work_of_places},
    {"probe", "1/s", 256 * KIB, probe_places, work_of_stream},
    {"probe", "1/s", MIB, probe_places, work_of_stream},
    {"probe", "1/s", 4 * MIB, probe_places, work_of_stream},
    {"atomic", "1/s", 4 * MIB, add_to_places, work_of_places},
    {"atomic", "1/s", 256 * MIB, add_to_places, work_of_places},
};
static const loop_row barrier = {"team-barrier", "ns", 0, wait_at_barrier, work_of_barrier};

/* ---- the clock ----------------------------------------------------------------------------- */

static void member(fri_member me, void *arg) {
    bench *b = arg;
    if (me.index == 0)
        b->threads = me.count; /* may be fewer than requested */
    fri_team_barrier(me);      /* all are awake */
    int64_t begin = fri_now_ns();
    int64_t counted = b->row->loop(b, me);
    __atomic_fetch_add(&b->sum, counted, __ATOMIC_RELAXED); /* of all members */
    fri_team_barrier(me);                                   /* all have ended */
    if (me.index == 0)
        b->ns = fri_now_ns() - begin;
}

static fr_status wrong(const bench *b, const char *what, int64_t count, int64_t expected) {
    snprintf(b->run->message, sizeof b->run->message, "measuring %s: %s %lld instead of %lld",
             b->row->name, what, (long long)count, (long long)expected);
    return FR_VERIFY_FAILED;
}

static fr_status run_once(bench *b, int threads) {
    b->sum = 0;
    fri_team_run(NULL, threads, member, b);
    b->done = b->row->work(b) * b->repeats;
    b->added += b->done;
    if (b->sum == b->done)
        return FR_OK;
    return wrong(b, "counted", b->sum, b->done);
}

/* Measures the smallest time of one repeat, in ns. One long run may come from a thread that another process
 * delayed, so the number of repeats is accepted once TRIES runs all take LONG_NS. */
static fr_status timed(bench *b, int threads, double *ns) {
    enum { TRIES = 3 };
    fr_status status = FR_OK;
    int64_t minimum = 0;
    b->threads = threads;
    b->repeats = b->row == &barrier ? 1 : 1 + MIN_PLACES / 4 / b->row->work(b);
    for (; !status && minimum < LONG_NS && b->repeats < MAX_REPEATS;) {
        b->repeats *= 4;
        minimum = INT64_MAX;
        for (int i = 0; i < TRIES && minimum >= LONG_NS && !status; i++) {
            status = run_once(b, threads);
            minimum = FRI_MIN(minimum, b->ns);
        }
    }
    for (int run = 0; run < MICROBENCH_RUNS && !status; run++) {
        status = run_once(b, threads);
        minimum = FRI_MIN(minimum, b->ns);
    }
    *ns = (double)minimum / (double)b->repeats;
    return status;
}

/* ---- all loops --------------------------------------------------------------------------- */

static int log2_of(int64_t power) { return 63 - __builtin_clzll((unsigned long long)power); }

static fr_status check_additions(const bench *b) {
    int64_t sum = 0;
    for (int64_t i = 0; i < b->bytes / 4; i++)
        sum += b->buffer[i];
    if (sum == b->added)
        return FR_OK;
    return wrong(b, "added", sum, b->added);
}

static fr_status measure_row(bench *b, const loop_row *row, microbench *out) {
    bool adds = row->loop == add_to_places, copies = row->loop == copy_words;
    double ns;
    if (copies)
        out->bytes = FRI_MIN(row->bytes, b->buffer_bytes / 2);
    if (out->bytes > b->buffer_bytes) {
        out->skipped = "the memory limit is too small";
        return FR_OK;
    }
    b->row = row;
    b->bytes = out->bytes;
    b->shift = 32 - log2_of(row->loop == probe_places ? out->bytes * 8 : out->bytes / 4);
    b->added = 0;
    memset(b->buffer, adds ? 0 : 0xff, (size_t)out->bytes);
    fr_status status = timed(b, b->run->threads, &ns);
    if (!status && adds)
        status = check_additions(b);
    if (!status)
        out->value = (double)row->work(b) * (copies ? 2e9 : 1e9) / ns;
    return status;
}

/* 1, 2, 4, ... and all. */
static fr_status measure_barriers(bench *b) {
    int maximum = b->run->threads;
    for (int power = 1; power < 2 * maximum; power *= 2) {
        int threads = FRI_MIN(power, maximum);
        microbench out = {barrier.name, barrier.unit, 0, 0, 0, NULL};
        b->row = &barrier;
        fr_status status = timed(b, threads, &out.value);
        out.width = b->threads;
        if (!status)
            status = b->run->found(b->run->user, &out) ? FR_CANCELLED : FR_OK;
        if (status)
            return status;
    }
    return FR_OK;
}

static fr_status measure_all(bench *b) {
    const int count = (int)(sizeof rows / sizeof *rows);
    for (int i = 0; i < count; i++) {
        microbench out = {rows[i].name, rows[i].unit, rows[i].bytes, 0, 0, NULL};
        fr_status status = b->run->progress(NULL, "limits", i, count + 1) ? FR_CANCELLED : FR_OK;
        if (!status)
            status = measure_row(b, &rows[i], &out);
        if (!status)
            status = b->run->found(b->run->user, &out) ? FR_CANCELLED : FR_OK;
        if (status)
            return status;
    }
    return measure_barriers(b);
}

/* In huge pages, as the library's large arrays are. */
static uint32_t *allocate(size_t bytes) {
    const size_t page = 2 * (size_t)MIB, whole = (bytes + page - 1) / page * page;
    void *memory = aligned_alloc(page, whole);
#ifdef MADV_HUGEPAGE
    if (memory)
        madvise(memory, whole, MADV_HUGEPAGE);
#endif
    return memory;
}

/* The largest power of two within the limit. */
static fr_status take_memory(bench *b) {
    const size_t stream = (size_t)STREAM * sizeof *b->stream, limit = b->run->max_bytes;
    for (b->buffer_bytes = 256 * MIB; b->buffer_bytes >= 256 * KIB; b->buffer_bytes /= 2)
        if (stream + (size_t)b->buffer_bytes <= limit)
            break;
    if (stream + (size_t)b->buffer_bytes <= limit) {
        b->stream = allocate(stream);
        b->buffer = allocate((size_t)b->buffer_bytes);
    }
    for (int64_t i = 0; i < STREAM && b->stream; i++)
        b->stream[i] = microbench_mix((uint32_t)i);
    if (b->stream && b->buffer)
        return FR_OK;
    snprintf(
        b->run->message, sizeof b->run->message,
        "not enough memory: the micro-benchmarks need at least %lld MiB, and the limit is %.4g "
        "MiB; --max-mem sets the limit",
        (long long)(stream >> 20) + 1, (double)limit / (double)MIB);
    return FR_NOMEM;
}

fr_status microbench_cpu(microbench_run *run) {
    bench b = {.run = run};
    fr_status status = take_memory(&b);
    if (!status)
        status = measure_all(&b);
    free(b.buffer);
    free(b.stream);
    return status;
}
