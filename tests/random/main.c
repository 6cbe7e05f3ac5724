/* The random test of the public interface. Draws cases from a seed until the time or the number is over; a mismatch,
 * a crash or a hang is printed with its case, made smaller and written to --found. */
#include "case.h"
#include "commit.h"
#include "device.h"
#include "frame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Processor time of a call, in seconds; a sanitizer takes several times as long. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { PATIENCE = 80 };
#else
enum { PATIENCE = 20 };
#endif

static struct options {
    uint64_t seed, first, count;
    double seconds, patience, shrink_seconds;
    const char *repeat, *counts, *found;
    bool go_on, worker;
    int how; /* --failed: only shrink case `first`, which failed so */
} options = {.seconds = -1, .patience = PATIENCE, .shrink_seconds = 60, .found = "random-found"};

static char **words; /* of the command line */
static ri_case current;

static const char usage[] =
    "random_interface [--seed N] [--first CASE] [--seconds S] [--count N] "
    "[--backend cpu|cuda] [--only WHAT]\n"
    "                 [--large] [--counts FILE] [--found FOLDER] "
    "[--patience S] [--shrink-seconds S] [--go-on]\n"
    "random_interface --repeat FILE.case\n"
    "WHAT: a call of the table, or PROBLEM[/BACKEND[/STRATEGY]]. The seed "
    "changes with the commit unless given.\n"
    "--seconds 0: no limit, as with --count; else 30. --go-on: list every mismatch.\n";

/* FNV-1a of the commit. */
static uint64_t seed_of_commit(void) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *at = FRINGE_COMMIT; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return hash >> 40;
}

static fr_backend backend_named(const char *name) {
    for (fr_backend b = FR_BACKEND_CPU; b <= FR_BACKEND_CUDA; b++)
        if (strcmp(fr_backend_name(b), name) == 0)
            return b;
    return FR_BACKEND_ANY;
}

static bool set_option(const char *name, const char *value) {
    struct options *o = &options;
    if (strcmp(name, "--seed") == 0)
        o->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--first") == 0)
        o->first = strtoull(value, NULL, 10);
    else if (strcmp(name, "--count") == 0)
        o->count = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seconds") == 0)
        o->seconds = atof(value);
    else if (strcmp(name, "--patience") == 0)
        o->patience = atof(value);
    else if (strcmp(name, "--shrink-seconds") == 0)
        o->shrink_seconds = atof(value);
    else if (strcmp(name, "--backend") == 0)
        ri_chosen.backend = backend_named(value);
    else if (strcmp(name, "--only") == 0)
        ri_chosen.only = value;
    else if (strcmp(name, "--repeat") == 0)
        o->repeat = value;
    else if (strcmp(name, "--counts") == 0)
        o->counts = value;
    else if (strcmp(name, "--found") == 0)
        o->found = value;
    else if (strcmp(name, "--fault") == 0)
        ri_chosen.fault = strcmp(value, "crash") == 0 ? 1 : strcmp(value, "hang") == 0 ? 2 : 0;
    else if (strcmp(name, "--failed") == 0)
        o->how = atoi(value);
    else
        return false;
    return true;
}

static bool parse(int count, char **word) {
    options.seed = seed_of_commit();
    for (int i = 1; i < count; i++)
        if (strcmp(word[i], "--go-on") == 0)
            options.go_on = true;
        else if (strcmp(word[i], "--large") == 0)
            ri_chosen.large = true;
        else if (strcmp(word[i], "--worker") == 0)
            options.worker = true;
        else if (i + 1 == count || !set_option(word[i], word[i + 1]))
            return false;
        else
            i++;
    if (options.seconds < 0)
        options.seconds = options.count ? 0 : 30;
    return true;
}

/* After a crash or a hang: this program again, to shrink the case. It is called from a handler. */
static void shrink_elsewhere(ri_verdict how) {
    char *again[64], first[32], failed[16], seed[32];
    int count = 0;
    if (options.worker || options.repeat || options.how)
        _exit(3);
    snprintf(first, sizeof first, "%" PRIu64, current.number);
    snprintf(seed, sizeof seed, "%" PRIu64, current.seed);
    snprintf(failed, sizeof failed, "%d", how);
    fprintf(stderr, "seed %s, case %s\n", seed, first);
    for (int i = 0; words[i] && count < 50; i++)
        again[count++] = words[i];
    char *more[] = {"--seed", seed, "--first", first, "--failed", failed, NULL};
    memcpy(again + count, more, sizeof more);
    execv("/proc/self/exe", again);
    _exit(3);
}

static void report(const ri_case *c) {
    printf("MISMATCH seed %" PRIu64 ", case %" PRIu64 ": %s: %s\n", c->seed, c->number,
           c->what[0] ? c->what : c->call->name, c->why);
    fflush(stdout);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int repeat(void) {
    FILE *in = fopen(options.repeat, "r");
    if (!in || !ri_read_case(in, &current))
        return fprintf(stderr, "cannot read %s\n", options.repeat), 2;
    fclose(in);
    ri_verdict how = ri_run_case(&current);
    if (how)
        report(&current);
    else
        printf("as expected%s\n", current.refused ? ": refused" : "");
    return how != RI_FINE;
}

static int run_all(void) {
    const double begin = now();
    uint64_t done = 0, wrong = 0;
    printf("random_interface: seed %" PRIu64 " (commit %s), %d GPUs\n", options.seed, FRINGE_COMMIT,
           ri_device_count());
    fflush(stdout);
    while ((!options.count || done < options.count) &&
           (options.seconds <= 0 || now() - begin < options.seconds)) {
        ri_draw_case(&current, options.seed, options.first + done++);
        ri_verdict how = ri_run_case(&current);
        ri_count_case(&current);
        if (how) {
            wrong++;
            report(&current);
            if (!options.go_on) {
                ri_shrink(&current, how, options.shrink_seconds, options.patience, options.found);
                break;
            }
        }
        ri_case_free(&current);
    }
    if (!wrong)
        ri_forget_contexts();
    ri_print_counts(stdout, false);
    FILE *out = options.counts ? fopen(options.counts, "w") : NULL;
    if (out) {
        ri_print_counts(out, true);
        fclose(out);
    }
    printf("random_interface: %" PRIu64 " cases, %" PRIu64 " calls in %.0f s\n", done, ri_counted(),
           now() - begin);
    printf("random_interface: %" PRIu64 " checks, %" PRIu64 " failed\n", ri_counted(),
           wrong); /* run_gpu.py */
    fflush(stdout);
    if (wrong)
        _exit(1); /* what the library has of those cases is lost: not a leak of its own */
    return !done;
}

int main(int count, char **word) {
    words = word;
    if (!getenv(
            "OMP_WAIT_POLICY")) { /* threads that spin cost other processes their cores; read at the start */
        setenv("OMP_WAIT_POLICY", "passive", 1);
        execv("/proc/self/exe", word);
    }
    if (!parse(count, word))
        return fprintf(stderr, "%s", usage), 2;
    ri_watchdog_start(options.patience, shrink_elsewhere);
    ri_prepare_calls();
    if (options.worker)
        return ri_worker();
    if (options.repeat)
        return repeat();
    if (options.how) {
        ri_draw_case(&current, options.seed, options.first);
        ri_shrink(&current, (ri_verdict)options.how, options.shrink_seconds, options.patience,
                  options.found);
        return 1;
    }
    return run_all();
}
