/* How many processors this process may use. */
#ifndef FRI_PROCESSORS_H
#define FRI_PROCESSORS_H

#include "base/base.h"

/* The smallest quota, in processors, of the control groups that `groups` lists (/proc/self/cgroup), which are
 * mounted in `mounts` (/sys/fs/cgroup), and of those above them; 0: none. */
double fri_cgroup_quota(const char *groups, const char *mounts);

#endif
