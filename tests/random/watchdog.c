/* A thread that watches the calls of the library, and what is printed after a crash: the case and a backtrace.
 *
 * A call takes the processor time of the process, so that a busy machine makes no call too long, and all the time in
 * which every thread sleeps. */
#include "case.h"
#include "frame.h"

#include <dirent.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic(const char *) doing;
static _Atomic int64_t since; /* ms; 0: no call */
static double patience_s;
static void (*after_failure)(ri_verdict how);

static int64_t read_ms(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void ri_watch_begin(const char *what) {
    atomic_store(&doing, what);
    atomic_store(&since, read_ms(CLOCK_MONOTONIC));
}

void ri_watch_end(void) { atomic_store(&since, 0); }

static void put(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static void print_stack(void) {
    void *frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
}

static _Atomic int stacks_left;

static void on_ask(int signal) {
    (void)signal;
    put("-- thread\n");
    print_stack();
    atomic_fetch_sub(&stacks_left, 1);
}

/* Each thread of the process prints its own stack, one after the other. */
static void print_all_stacks(void) {
    DIR *tasks = opendir("/proc/self/task");
    const struct timespec pause = {0, 1000000};
    if (!tasks)
        return;
    for (struct dirent *entry; (entry = readdir(tasks));) {
        const int id = atoi(entry->d_name);
        if (id <= 0 || id == (int)syscall(SYS_gettid))
            continue;
        atomic_store(&stacks_left, 1);
        syscall(SYS_tgkill, getpid(), id, SIGUSR2);
        for (int i = 0; i < 500 && atomic_load(&stacks_left) > 0; i++)
            nanosleep(&pause, NULL);
    }
    closedir(tasks);
}

/* Whether a thread runs or waits for a processor. */
static bool runs(const char *id) {
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", id);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    const char *state = length > 0 ? strrchr(text, ')') : NULL;
    return state && strncmp(state, ") R", 3) == 0;
}

static bool all_sleep(void) {
    DIR *tasks = opendir("/proc/self/task");
    bool any = false;
    if (!tasks)
        return true;
    for (struct dirent *entry; !any && (entry = readdir(tasks));)
        any = atoi(entry->d_name) > 0 && atoi(entry->d_name) != (int)syscall(SYS_gettid) &&
              runs(entry->d_name);
    closedir(tasks);
    return !any;
}

static void *watch(void *nothing) {
    const struct timespec pause = {0, 100000000};
    int64_t watched = 0, taken = 0, wall = 0, used = 0;
    for (;;) {
        nanosleep(&pause, NULL);
        const int64_t begin = atomic_load(&since), wall_before = wall, used_before = used;
        wall = read_ms(CLOCK_MONOTONIC), used = read_ms(CLOCK_PROCESS_CPUTIME_ID);
        if (begin != watched)
            taken = 0;
        else if (begin && (used - used_before >= wall - wall_before || all_sleep()))
            taken += wall - wall_before;
        else
            taken += used - used_before;
        watched = begin;
        if (!begin || (double)taken < patience_s * 1000)
            continue;
        put("a call takes too long: ");
        put(atomic_load(&doing));
        put("\n");
        print_all_stacks();
        after_failure(RI_HANG);
    }
    return nothing;
}

static void on_crash(int number) {
    signal(number, SIG_DFL);
    put("crash in: ");
    put(atomic_load(&doing) ? atomic_load(&doing) : "the test");
    put("\n");
    print_stack();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    after_failure(RI_CRASH);
}

/* A sanitizer ends the process by itself, and calls this before. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
static void on_death(void) {
    put("ended by a sanitizer in: ");
    put(atomic_load(&doing) ? atomic_load(&doing) : "the test");
    put("\n");
    after_failure(RI_CRASH);
}

void ri_watchdog_start(double patience, void (*after)(ri_verdict how)) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    void *warm[1];
    pthread_t thread;
    pthread_attr_t detached;
    struct sigaction act = {.sa_handler = on_ask, .sa_flags = SA_RESTART};
    patience_s = patience;
    after_failure = after;
    backtrace(warm, 1); /* its library is loaded now, not in a handler */
    sigaction(SIGUSR2, &act, NULL);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(on_death);
    else
        for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
            signal(crashes[i], on_crash);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &detached, watch, NULL))
        abort();
    pthread_attr_destroy(&detached);
}
