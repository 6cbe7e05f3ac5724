/* The quotas of control groups, by files as the kernel shows them, and the default number of threads. */
#include "support/support.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/processors.h"

typedef struct {
    char root[32], groups[64];
} tree;

static void make_folders(char *path) {
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(path, 0700);
        *at = '/';
    }
}

static void write_file(const tree *t, const char *name, const char *text) {
    char path[160];
    snprintf(path, sizeof path, "%s/%s", t->root, name);
    make_folders(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static tree make_tree(const char *groups) {
    tree t = {.root = "/tmp/fringe-groups-XXXXXX"};
    assert_non_null(mkdtemp(t.root));
    snprintf(t.groups, sizeof t.groups, "%s/groups", t.root);
    write_file(&t, "groups", groups);
    return t;
}

static void end_tree(const tree *t) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", t->root);
    assert_int_equal(system(command), 0);
}

static void version_2_is_read(void **state) {
    (void)state;
    tree t = make_tree("0::/user/job\n");
    assert_true(fri_cgroup_quota(t.groups, t.root) == 0);
    write_file(&t, "user/job/cpu.max", "max 100000\n");
    assert_true(fri_cgroup_quota(t.groups, t.root) == 0);
    write_file(&t, "user/cpu.max", "350000 100000\n"); /* of a group above */
    assert_true(fabs(fri_cgroup_quota(t.groups, t.root) - 3.5) < 1e-9);
    write_file(&t, "user/job/cpu.max", "50000 100000\n");
    assert_true(fabs(fri_cgroup_quota(t.groups, t.root) - 0.5) < 1e-9);
    end_tree(&t);
}

static void a_container_sees_its_group_as_the_root(void **state) {
    (void)state;
    tree t = make_tree("0::/host/path/that/is/not/here\n");
    write_file(&t, "cpu.max", "200000 100000\n");
    assert_true(fabs(fri_cgroup_quota(t.groups, t.root) - 2) < 1e-9);
    end_tree(&t);
}

static void version_1_is_read(void **state) {
    (void)state;
    tree t = make_tree("5:cpuset:/a\n4:cpu,cpuacct:/a/b\n1:name=systemd:/a\n");
    write_file(&t, "cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
    write_file(&t, "cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
    assert_true(fri_cgroup_quota(t.groups, t.root) == 0);
    write_file(&t, "cpu,cpuacct/a/cpu.cfs_quota_us", "150000\n");
    write_file(&t, "cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    assert_true(fabs(fri_cgroup_quota(t.groups, t.root) - 1.5) < 1e-9);
    end_tree(&t);
}

static void broken_files_are_no_quota(void **state) {
    (void)state;
    tree t = make_tree("no colons\n0::/a\n::::\n");
    const char *const broken[] = {"", "x y\n", "100000\n", "100000 0\n", "-5 100000\n"};
    for (size_t i = 0; i < COUNT(broken); i++) {
        write_file(&t, "a/cpu.max", broken[i]);
        assert_true(fri_cgroup_quota(t.groups, t.root) == 0);
    }
    assert_true(fri_cgroup_quota("/nowhere", t.root) == 0);
    end_tree(&t);
}

static void threads_follow_the_affinity(void **state) {
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int i = 0; !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    fr_ctx *ctx = test_ctx_threads(0);
    assert_int_equal(fr_ctx_threads(ctx), 1);
    fr_ctx_free(ctx);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST_PROGRAM(TEST(version_2_is_read), TEST(a_container_sees_its_group_as_the_root),
             TEST(version_1_is_read), TEST(broken_files_are_no_quota),
             TEST(threads_follow_the_affinity))
