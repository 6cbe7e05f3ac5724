/* How many processors a process may use: its affinity mask and the quotas of its control groups.
 *
 * Source: man pages sched_getaffinity(2), cgroups(7); Linux, Documentation/admin-guide/cgroup-v2.rst (cpu.max) and
 *   Documentation/scheduler/sched-bwc.rst (cpu.cfs_quota_us of version 1).
 * Idea: a group and those above it may each have a quota; the smallest one holds. In a container the
 *   path of /proc/self/cgroup may be one of the host, which is not there: then the container's own
 *   group is mounted as the root.
 */
#include "base/processors.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

/* The first line of a file; false: there is none. */
static bool read_line(const char *folder, const char *name, char line[128]) {
    char path[PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    const bool found = file && fgets(line, 128, file);
    if (file)
        fclose(file);
    return found;
}

/* Processors, or 0: no quota. */
static double quota_of(const char *folder) {
    char line[128], period[128];
    double quota_us = 0, period_us = 0;
    if (read_line(folder, "cpu.max", line)) /* "max 100000" or "50000 100000" */
        return sscanf(line, "%lf %lf", &quota_us, &period_us) == 2 && period_us > 0
                   ? quota_us / period_us
                   : 0;
    if (read_line(folder, "cpu.cfs_quota_us", line) &&
        read_line(folder, "cpu.cfs_period_us", period)) /* a quota of -1: none */
        quota_us = strtod(line, NULL), period_us = strtod(period, NULL);
    return quota_us > 0 && period_us > 0 ? quota_us / period_us : 0;
}

/* The smallest quota of `mount` + `group` and of the folders above it, down to the mount. */
static double least_quota(const char *mount, const char *group, double least) {
    char folder[PATH_BYTES];
    const size_t root = strlen(mount);
    if ((size_t)snprintf(folder, sizeof folder, "%s%s", mount, group) >= sizeof folder)
        return least;
    for (char *end; (end = strrchr(folder, '/')) && strlen(folder) >= root; *end = 0) {
        const double quota = quota_of(folder);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    return least;
}

/* Whether `name` is one of the controllers "cpu,cpuacct". */
static bool has_controller(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, length) && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* A line of /proc/self/cgroup, "4:cpu,cpuacct:/user" or "0::/user". */
static double quota_of_line(const char *mounts, char *line, double least) {
    static const char *const names[] = {"", "/unified", "/cpu", "/cpu,cpuacct"};
    char *controllers = strchr(line, ':'),
         *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
        return least;
    *group++ = 0;
    group[strcspn(group, "\n")] = 0;
    const bool unified = !controllers[1];
    if (!unified && !has_controller(controllers + 1, "cpu"))
        return least;
    for (int i = unified ? 0 : 2; i < (unified ? 2 : 4); i++) {
        char mount[PATH_BYTES];
        if ((size_t)snprintf(mount, sizeof mount, "%s%s", mounts, names[i]) < sizeof mount)
            least = least_quota(mount, group, least);
    }
    return least;
}

double fri_cgroup_quota(const char *groups, const char *mounts) {
    char line[PATH_BYTES];
    double least = 0;
    FILE *file = fopen(groups, "re");
    while (file && fgets(line, sizeof line, file))
        least = quota_of_line(mounts, line, least);
    if (file)
        fclose(file);
    return least;
}

/* Of the affinity mask; not by OpenMP first, of which some libraries keep the mask that they began with. */
static int allowed_processors(void) {
#ifdef __linux__
    cpu_set_t set;
    if (!sched_getaffinity(0, sizeof set,
                           &set)) /* it fails where there are more than a set holds */
        return FRI_MAX(CPU_COUNT(&set), 1);
#endif
    return FRI_MAX(omp_get_num_procs(), 1);
}

int fri_processors(void) {
    const int count = allowed_processors();
    const double quota = fri_cgroup_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    return quota > 0 && quota < count ? FRI_MAX((int)(quota + 0.999), 1) : count;
}
