#include "machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The value of the first line "key ... : value" of a file in /proc; false if there is none. */
static bool proc_line(const char *path, const char *key, char *out, size_t size) {
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    while (file && !found && getline(&line, &capacity, file) > 0) {
        char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = 0;
        snprintf(out, size, "%s", colon);
        found = true;
    }
    free(line);
    if (file)
        fclose(file);
    return found;
}

void machine_cpu_model(char *out, size_t size) {
    struct utsname names;
    if (proc_line("/proc/cpuinfo", "model name", out, size))
        return;
    snprintf(out, size, "%s", uname(&names) == 0 ? names.machine : "unknown");
}

void machine_cpu_features(char *out, size_t size) {
    static const char *const wanted[] = {"sse4_2",  "popcnt",   "bmi2",  "avx2",
                                         "avx512f", "avx512vl", "asimd", "sve"};
    char *flags = malloc(8192);
    *out = 0;
    if (!flags)
        return;
    if (proc_line("/proc/cpuinfo", "flags", flags, 8192) ||
        proc_line("/proc/cpuinfo", "Features", flags, 8192)) {
        size_t used = 0;
        char *rest = flags;
        for (char *word; (word = strsep(&rest, " "));)
            for (size_t i = 0; i < sizeof wanted / sizeof *wanted && used < size; i++)
                if (strcmp(word, wanted[i]) == 0)
                    used +=
                        (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "", word);
    }
    free(flags);
}

int64_t machine_memory(const char *key) {
    char text[64];
    if (!proc_line("/proc/meminfo", key, text, sizeof text))
        return -1;
    return strtoll(text, NULL, 10) * 1024;
}

int machine_cores(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    /* it fails on a machine with more processors than the set holds */
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                       : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int64_t machine_peak_bytes(void) {
    struct rusage use;
    return getrusage(RUSAGE_SELF, &use) == 0 ? (int64_t)use.ru_maxrss * 1024 : 0;
}
