/* The executor itself: right kernels give right results on every schedule, and each seeded fault
 * is reported. A fault ends the process, so each runs in a child process. */
#include "simt_runtime.h"
#include "test_kernels.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <vector>
#include <unistd.h>

static int failures, checks;
static void check(bool ok, const char *what) {
    checks++;
    if (!ok) {
        failures++;
        std::printf("FAILED: %s\n", what);
    }
}

static int *device(int count, const int *from) {
    void *p;
    cudaMalloc(&p, (size_t)count * sizeof(int));
    if (from)
        cudaMemcpy(p, from, (size_t)count * sizeof(int), cudaMemcpyHostToDevice);
    else
        cudaMemset(p, 0, (size_t)count * sizeof(int));
    return (int *)p;
}
static int first(const int *at) {
    int v;
    cudaMemcpy(&v, at, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}

static const struct {
    right_kernel which;
    int n, at; /* the result is cell `at` of the memory that goes in; -1: what comes out */
    int want;
    const char *name;
} right[] = {
    {SUM, 1000, -1, 6000, "the sum of 1000 numbers"},
    {PING_PONG, 5, 50, 5, "five rounds with grid barriers"},
    {PASS_ON, 4, 50, 4, "four rounds with cluster barriers"},
    {PARENT, 0, -1, 2 * 32 * 2 * 32, "every child thread ran"},
    {SPIN, 0, -1, 7, "a spinning thread sees another's store"},
    {COUNT_VOTES, 0, -1, 22, "__syncthreads_count"},
    {SHARED_ATOMICS, 0, -1, 64 * 8, "atomics on shared memory lose nothing and are no race"}};

static void right_kernels(uint64_t seed) {
    int numbers[IN_CELLS];
    for (int i = 0; i < IN_CELLS; i++)
        numbers[i] = i * 7 % 13;
    simt_seed(seed);
    for (const auto &r : right) {
        int *in = device(IN_CELLS, r.which == SUM ? numbers : nullptr), *out = device(1, nullptr);
        launch(r.which, in, r.n, out);
        check(first(r.at < 0 ? out : in + r.at) == r.want, r.name);
        cudaFree(in);
        cudaFree(out);
    }
    check(simt_live_bytes() == 0, "nothing is left");
}

/* ---- several devices ---- */

/* Calls run(device) in a host thread per device, on that device. */
static void on_devices(int devices, const std::function<void(int)> &run) {
    std::vector<std::thread> threads;
    for (int d = 0; d < devices; d++)
        threads.emplace_back([&run, d] {
            cudaSetDevice(d);
            run(d);
        });
    for (auto &t : threads)
        t.join();
}

struct team {
    int devices;
    joint_memory memory[JOINT_DEVICES];
    int *passed[JOINT_DEVICES];

    explicit team(int count) : devices(count) {
        const int cells = JOINT_DEVICES * JOINT_BLOCKS * JOINT_THREADS;
        for (int d = 0; d < count; d++) {
            cudaSetDevice(d);
            for (int peer = 0; peer < count; peer++)
                if (peer != d)
                    cudaDeviceEnablePeerAccess(peer, 0);
            int *words = device((int)(joint_bytes() / sizeof(int)), nullptr);
            int *own = device(cells, nullptr);
            memory[d].bad = device(1, nullptr);
            passed[d] = device(1, nullptr);
            for (int of = 0; of < count; of++) {
                memory[of].words[d] = words;
                memory[of].cells[d] = own;
            }
        }
        cudaGetLastError(); /* peer access may have been enabled before */
    }
    ~team() {
        for (int d = 0; d < devices; d++)
            for (void *p : {memory[d].words[d], (void *)memory[d].cells[d], (void *)memory[d].bad,
                            (void *)passed[d]})
                cudaFree(p);
        cudaSetDevice(0);
    }
    int bad() const {
        int all = 0;
        for (int d = 0; d < devices; d++)
            all += first(memory[d].bad);
        return all;
    }
};

/* Whether devices see what the others stored before their flags. */
static bool exchanged(int devices, uint64_t seed, int with_fence) {
    team t(devices);
    simt_seed(seed);
    on_devices(devices, [&](int d) { exchange(devices, d, &t.memory[d], 3, with_fence); });
    return t.bad() == 0;
}

static void several_devices() {
    enum { SEEDS = 10 };
    simt_set_devices(JOINT_DEVICES);
    for (int devices = 1; devices <= JOINT_DEVICES; devices++) {
        int without = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            check(exchanged(devices, seed, 1), "a fence orders stores to other devices");
            without += !exchanged(devices, seed, 0);
            team t(devices);
            simt_seed(seed);
            on_devices(devices, [&](int d) {
                pass_joint_barriers(devices, d, &t.memory[d], 4, t.passed[d]);
            });
            check(t.bad() == 0, "the joint barrier orders stores and sums");
            for (int d = 0; d < devices; d++)
                check(first(t.passed[d]) == 4, "every device passes");
        }
        check(devices == 1 ? without == 0 : without >= SEEDS / 2, "a missing fence is noticed");
    }
    check(simt_live_bytes() == 0, "several devices leave nothing");
}

/* A launch fails on one device: the others end. */
static void failing_device() {
    team t(JOINT_DEVICES);
    cudaError_t status[JOINT_DEVICES];
    simt_seed(1);
    simt_fail_joint_launch(1);
    on_devices(JOINT_DEVICES, [&](int d) {
        status[d] =
            (cudaError_t)pass_joint_barriers(JOINT_DEVICES, d, &t.memory[d], 4, t.passed[d]);
    });
    check(status[1] == cudaErrorLaunchFailure && !status[0] && !status[2], "the launch fails");
    check(!first(t.passed[0]) && !first(t.passed[2]), "the other devices give up");
}

static const struct {
    int which;
    const char *name, *says;
} faults[] = {
    {MISSING_BARRIER, "a missing barrier", "shared memory"},
    {MISSING_ATOMIC, "a missing atomic", "race on shared memory"},
    {DIVERGENT_SHUFFLE, "a divergent shuffle", "__shfl_sync"},
    {MIXED_COLLECTIVES, "two collectives at once", "divergent collective"},
    {OUT_OF_BOUNDS_WRITE, "a write past the end", "write of 4 bytes at offset"},
    {BEFORE_THE_START, "a write before the start", "outside every allocation"},
    {SHARED_OUT_OF_BOUNDS, "a shared write past the end", "of a shared array"},
    {UNWRITTEN_SHARED_READ, "an unwritten shared read", "shared memory that was never written"},
    {UNWRITTEN_GLOBAL_READ, "an unwritten global read", "device memory that was never written"},
    {DIVERGENT_BARRIER, "a barrier for half a block", "the kernel"},
    {LATE_BARRIER, "a barrier after a return", "the kernel"},
    {GRID_BARRIER_IN_PLAIN_LAUNCH, "a grid barrier in a plain launch", "not cooperative"},
    {WRITE_AFTER_READ, "a write after a read without a barrier", "race on shared memory"},
    {ATOMIC_AFTER_WRITE, "an atomic after a write without a barrier", "an atomic of thread"},
    {ATOMIC_AFTER_READ, "an atomic after a read without a barrier", "an atomic of thread"},
    {FREED_MEMORY, "memory after its free", "outside every allocation"},
    {SHARE_UNASKED, "64 KB of shared memory unasked", "more than it may have"},
    {PLAIN_STORE_TO_PEER, "a plain store to another device", "plain store or atomic"},
    {PEER_READ_WITHOUT_ACCESS, "a read of another device's memory", "no peer access"},
};

static std::string report_of(int which, uint64_t seed, int *status) {
    int ends[2];
    if (pipe(ends))
        std::abort();
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        simt_seed(seed);
        void *p;
        cudaMalloc(&p, 64 * sizeof(int)); /* never written */
        if (which == FREED_MEMORY)
            cudaFree(p);
        if (which == PLAIN_STORE_TO_PEER || which == PEER_READ_WITHOUT_ACCESS)
            cudaSetDevice(1);
        if (which == PLAIN_STORE_TO_PEER)
            cudaDeviceEnablePeerAccess(0, 0);
        fault(which, (int *)p, 64);
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[512];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, (size_t)n);
    close(ends[0]);
    waitpid(child, status, 0);
    return text;
}

int main() {
    for (uint64_t seed = 1; seed <= 50; seed++)
        right_kernels(seed);
    several_devices();
    failing_device();
    simt_set_peers(true);
    for (const auto &f : faults)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            int status = 0;
            std::string text = report_of(f.which, seed, &status);
            bool reported = WIFEXITED(status) && WEXITSTATUS(status) == 99 &&
                            text.find(f.says) != std::string::npos;
            check(reported, f.name);
            if (!reported)
                std::printf("  seed %llu said: %s\n", (unsigned long long)seed, text.c_str());
        }
    std::printf("%d passed, %d failed\n", checks - failures, failures);
    return failures != 0;
}
