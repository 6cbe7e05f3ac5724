#include "progress.h"

#include "cli/io/number.h"
#include "cli/session.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static volatile sig_atomic_t stop_signal;
enum { GUARDED = 8 };
static char *volatile guarded[GUARDED]; /* NULL: free */

static struct {
    bool off, drawn, started;
    int64_t saves, saved,
        saved_at; /* reports of a checkpoint; of the second one, vertices and time */
    char phase[32];
    int64_t began, last_drawn; /* ns, cli_now_ns() */
} bar;

static void end_at_once(int number) {
    for (int i = 0; i < GUARDED; i++)
        if (guarded[i])
            unlink(guarded[i]);
    _exit(128 + number);
}

static void on_signal(int number) {
    if (stop_signal) /* second signal: do not wait for the end of a level */
        end_at_once(number);
    stop_signal = number;
}

/* Files are mapped, and a page that is behind their end cannot be read. */
static void on_bus_error(int number) {
    static const char text[] =
        "fringe: a file was made shorter, or could not be read, while it was mapped\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    end_at_once(number);
}

void progress_catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    /* A shell without job control starts `cmd &` with SIGINT ignored; a SIGINT sent by kill must
     * still stop it. */
    sigaction(SIGINT, &action, NULL);
    action.sa_handler = on_bus_error;
    sigaction(SIGBUS, &action, NULL);
}

bool progress_stopped(void) { return stop_signal != 0; }
int progress_exit_code(void) { return stop_signal ? 128 + stop_signal : 130; }

void progress_guard_file(const char *path) {
    for (int i = 0; i < GUARDED; i++)
        if (!guarded[i]) {
            guarded[i] = cli_format("%s", path);
            return;
        }
}

void progress_unguard_file(const char *path) {
    for (int i = 0; i < GUARDED; i++) {
        char *file = guarded[i];
        if (file && strcmp(file, path) == 0) {
            guarded[i] = NULL;
            free(file);
        }
    }
}

void progress_guard_output(const char *path) {
    char *target = realpath(path, NULL); /* NULL: a new file */
    char *temporary = cli_format("%s.%lld.tmp", target ? target : path, (long long)getpid());
    progress_guard_file(temporary);
    free(temporary);
    free(target);
}

static int64_t deadline; /* ns, cli_now_ns(); 0: none */

void progress_deadline(int64_t ns) { deadline = ns; }

bool color_on(FILE *out) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(out)) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

const char *color(FILE *out, const char *code) {
    static const struct {
        const char *code, *text;
    } codes[] = {{"0", "\033[0m"},
                 {"1", "\033[1m"},
                 {"31", "\033[31m"},
                 {"32", "\033[32m"},
                 {"36", "\033[36m"}};
    if (!color_on(out))
        return "";
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i].code, code) == 0)
            return codes[i].text;
    return "";
}

int screen_width(FILE *out) {
    enum { MIN_COLUMNS = 40, USUAL_COLUMNS = 80, MAX_COLUMNS = 1000 };
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (!isatty(fileno(out)))
        return USUAL_COLUMNS;
    long width = columns ? strtol(columns, NULL, 10) : 0;
    if (width <= 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    return width <= 0            ? USUAL_COLUMNS
           : width < MIN_COLUMNS ? MIN_COLUMNS
           : width > MAX_COLUMNS ? MAX_COLUMNS
                                 : (int)width;
}

/* "reading [####....]  40 %", "reading 1000", or the name alone where nothing is counted yet. */
static void draw(const char *phase, int64_t done, int64_t total) {
    enum {
        WIDTH = 30,
        NAME = 26
    }; /* NAME: the columns of the longest, so that bars stay in place */
    char cells[WIDTH + 1];
    if (total > 0) {
        double part = (double)done / (double)total;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        int full = (int)(part * WIDTH);
        memset(cells, '#', (size_t)full);
        memset(cells + full, '.', (size_t)(WIDTH - full));
        cells[WIDTH] = 0;
        fprintf(stderr, "\r\033[K%s%-*s%s [%s] %3.0f %%", color(stderr, "36"), NAME, phase,
                color(stderr, "0"), cells, part * 100);
    } else {
        fprintf(stderr, "\r\033[K%s%-*s%s", color(stderr, "36"), NAME, phase, color(stderr, "0"));
        if (done)
            fprintf(stderr, " %lld", (long long)done);
    }
    fflush(stderr);
    bar.drawn = true;
}

/* A checkpoint has `done` of `total` vertices. */
static void report_saved(int64_t done, int64_t total) {
    const int64_t t = cli_now_ns();
    if (bar.off)
        return;
    if (++bar.saves == 1 && !done) /* what an earlier run has saved: nothing */
        return;
    if (bar.saves <= 2) { /* the first part also opens a device */
        bar.saved = done;
        bar.saved_at = t;
    }
    progress_clear();
    fprintf(stderr, "%-12s%s of %s vertices", "saved", human_count(done).text,
            human_count(total).text);
    if (done > bar.saved) {
        const double ns = (double)(t - bar.saved_at + 1) / (double)(done - bar.saved);
        fprintf(stderr, ", %s a second", human_count((int64_t)(1e9 / ns)).text);
        if (done < total)
            fprintf(stderr, ", %s left", human_ns(ns * (double)(total - done)).text);
    }
    fputc('\n', stderr);
}

int progress_report(void *user, const char *phase, int64_t done, int64_t total) {
    (void)user;
    if (!strcmp(phase, "saving"))
        report_saved(done, total);
    if (stop_signal)
        return 1;
    if (deadline > 0 && cli_now_ns() > deadline)
        return 1;
    if (bar.off || !strcmp(phase, "saving") || !isatty(STDERR_FILENO))
        return 0;
    enum { SECOND = 1000000000, REDRAW = SECOND / 10 };
    int64_t t = cli_now_ns();
    const bool other = strncmp(bar.phase, phase, sizeof bar.phase - 1) != 0;
    if (!bar.started)
        bar.began = t;
    bar.started = true;
    strncpy(bar.phase, phase, sizeof bar.phase - 1);
    /* the name of a new phase at once, which may report nothing else for long */
    if (t - bar.began < SECOND || (!other && bar.drawn && t - bar.last_drawn < REDRAW))
        return 0;
    bar.last_drawn = t;
    draw(phase, done, total);
    return 0;
}

void progress_quiet(void) { bar.off = true; }

void progress_clear(void) {
    if (bar.drawn)
        fputs("\r\033[K", stderr);
    bar.drawn = false;
    bar.started = false;
}
