/* Runtime calls on the host: streams run at once, except where a test holds one back; device memory
 * lives in the shadowed arena. */
#include "simt_runtime.h"
#include "simt_exec.h"
#include "simt_memory.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace simt;

struct simt_stream {
    bool held = false;
    std::vector<std::function<void()>> waiting; /* of a held stream */
};
struct simt_event {
    std::chrono::steady_clock::time_point at;
    simt_stream *held = nullptr; /* recorded on a held stream */
};

namespace {
std::map<const char *, size_t> registered; /* pages of the host's memory: bytes by start */
thread_local cudaError_t last = cudaSuccess;
thread_local int current_device;
int devices = 1, failing_launch = -1;
bool peers_possible = true, peer_access[SIMT_DEVICES][SIMT_DEVICES];
cudaError_t report(cudaError_t e) {
    if (e)
        last = e;
    return e;
}
size_t limit = (size_t)4 << 30, live, device_live, device_peak, uploaded;
int64_t fail_after = -1;
std::string failing; /* kernel; empty: none */
void (*at_launch)(const char *kernel);
simt_failure failure;
bool lost;
std::map<void *, size_t> sizes;
std::set<void *> on_device;

void catch_up(simt_stream *stream) {
    turn mine(one_at_a_time);
    std::vector<std::function<void()>> work;
    if (stream)
        work.swap(stream->waiting);
    for (auto &step : work)
        step();
}
/* At once, or when a thread waits for the stream. */
void run(simt_stream *stream, std::function<void()> step) {
    turn mine(one_at_a_time);
    if (stream && stream->held)
        stream->waiting.push_back(step);
    else
        step();
}

cudaError_t take(space kind, void **out, size_t bytes) {
    turn mine(one_at_a_time);
    *out = nullptr;
    if (fail_after >= 0 && fail_after-- == 0)
        return report(cudaErrorMemoryAllocation);
    if (kind == space::device && bytes > limit - device_live)
        return report(cudaErrorMemoryAllocation);
    *out = memory_take(kind, bytes, nullptr, current_device);
    if (!*out)
        return report(cudaErrorMemoryAllocation);
    sizes[*out] = bytes;
    live += bytes;
    if (kind == space::device) {
        on_device.insert(*out);
        device_live += bytes;
        device_peak = device_live > device_peak ? device_live : device_peak;
    }
    return cudaSuccess;
}
cudaError_t drop(void *p) {
    turn mine(one_at_a_time);
    if (!p)
        return cudaSuccess;
    auto found = sizes.find(p);
    if (found == sizes.end())
        fault("cudaFree of %p, which cudaMalloc never gave", p);
    live -= found->second;
    if (on_device.erase(p))
        device_live -= found->second;
    sizes.erase(found);
    memory_drop(p);
    return cudaSuccess;
}
} // namespace

namespace simt {
bool memory_has_peer_access(int from, int to) { return peer_access[from][to]; }
int memory_current_device() { return current_device; }
} // namespace simt

bool simt::launch_fails(const char *kernel) {
    if (at_launch)
        at_launch(kernel);
    if (failing != kernel)
        return false;
    failing.clear();
    lost = failure == SIMT_LOST;
    if (!lost)
        report(cudaErrorLaunchFailure);
    return true;
}

extern "C" {

const char *cudaGetErrorString(cudaError_t e) {
    switch (e) {
    case cudaSuccess: return "no error";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorLaunchFailure: return "unspecified launch failure";
    case cudaErrorPeerAccessAlreadyEnabled: return "peer access is already enabled";
    default: return "invalid argument";
    }
}
cudaError_t cudaGetLastError(void) {
    cudaError_t e = last;
    last = cudaSuccess;
    return e;
}
cudaError_t cudaGetDeviceCount(int *count) { return *count = devices, cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { return *device = current_device, cudaSuccess; }
cudaError_t cudaSetDevice(int device) {
    if (device < 0 || device >= devices)
        return report(cudaErrorInvalidValue);
    return current_device = device, cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int) {
    *prop = {};
    std::snprintf(prop->name, sizeof prop->name, "SIMT executor");
    prop->totalGlobalMem = limit;
    prop->sharedMemPerBlock = 48 << 10;
    prop->sharedMemPerBlockOptin = prop->sharedMemPerMultiprocessor = 227 << 10;
    prop->major = 9;
    prop->multiProcessorCount = 2;
    prop->maxThreadsPerMultiProcessor = 2048;
    prop->maxThreadsPerBlock = 1024;
    prop->warpSize = 32;
    prop->l2CacheSize = 1 << 20;
    prop->cooperativeLaunch = 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int) {
    *value = attr == cudaDevAttrMultiProcessorCount            ? 2
             : attr == cudaDevAttrComputeCapabilityMajor       ? 9
             : attr == cudaDevAttrComputeCapabilityMinor       ? 0
             : attr == cudaDevAttrMaxThreadsPerMultiProcessor  ? 2048
             : attr == cudaDevAttrMaxSharedMemoryPerBlockOptin ? 227 << 10
                                                               : 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    return *can = peers_possible && device != peer, cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
    turn mine(one_at_a_time);
    if (peer < 0 || peer >= devices || peer == current_device || !peers_possible)
        return report(cudaErrorInvalidValue);
    bool *access = &peer_access[current_device][peer];
    const bool before = *access;
    *access = true;
    return before ? report(cudaErrorPeerAccessAlreadyEnabled) : cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version) { return *version = 0, cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int block,
                                                          size_t shared_bytes) {
    size_t by_threads = 2048 / (size_t)block;
    size_t by_shared = shared_bytes ? ((size_t)227 << 10) / shared_bytes : 32;
    size_t fitting = by_threads < by_shared ? by_threads : by_shared;
    return *blocks = (int)(fitting < 32 ? fitting : 32), cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
    *free_bytes = limit - device_live;
    *total = limit;
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *at) {
    turn mine(one_at_a_time);
    space kind;
    *out = {};
    const auto after = registered.upper_bound((const char *)at);
    if (after != registered.begin()) {
        const auto &[start, bytes] = *std::prev(after);
        if ((const char *)at < start + bytes)
            out->type = cudaMemoryTypeHost;
    }
    if (memory_kind(at, &kind))
        out->type = kind == space::pinned ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
    return cudaSuccess;
}
cudaError_t cudaMalloc(void **out, size_t bytes) { return take(space::device, out, bytes); }
cudaError_t cudaFree(void *p) { return drop(p); }
cudaError_t cudaMallocHost(void **out, size_t bytes) { return take(space::pinned, out, bytes); }
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned) {
    return take(space::pinned, out, bytes);
}
cudaError_t cudaFreeHost(void *p) { return drop(p); }
cudaError_t cudaHostRegister(void *at, size_t bytes, unsigned) {
    turn mine(one_at_a_time);
    return registered[(const char *)at] = bytes, cudaSuccess;
}
cudaError_t cudaHostUnregister(void *at) {
    turn mine(one_at_a_time);
    return registered.erase((const char *)at) ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    turn mine(one_at_a_time);
    bool read = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDefault;
    if (read && !memory_written(from, bytes))
        fault("copy to the host of device memory that was never written");
    memory_mark_written(to, bytes);
    uploaded += kind == cudaMemcpyHostToDevice ? bytes : 0;
    std::memmove(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return run(stream, [=] { cudaMemcpy(to, from, bytes, kind); }), cudaSuccess;
}
cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    turn mine(one_at_a_time);
    memory_mark_written(to, bytes);
    std::memset(to, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
    return run(stream, [=] { cudaMemset(to, value, bytes); }), cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return *stream = new simt_stream{}, cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    return cudaStreamCreate(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    catch_up(stream);
    return delete stream, cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    turn mine(one_at_a_time);
    catch_up(stream);
    return report(lost ? cudaErrorLaunchFailure : cudaSuccess);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    turn mine(one_at_a_time);
    return report(lost                               ? cudaErrorLaunchFailure
                  : stream && stream->waiting.size() ? cudaErrorNotReady
                                                     : cudaSuccess);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned) {
    return catch_up(event->held), cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t *event) { return *event = new simt_event{}, cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    return cudaEventCreate(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    event->held = stream && stream->held ? stream : nullptr;
    return event->at = std::chrono::steady_clock::now(), cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return catch_up(event->held), cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end) {
    *ms = std::chrono::duration<float, std::milli>(end->at - begin->at).count();
    return cudaSuccess;
}

void simt_hold(cudaStream_t stream) { stream->held = true; }
void simt_set_memory(size_t bytes) { limit = bytes; }
void simt_set_devices(int count) { devices = count; }
void simt_set_peers(bool possible) {
    peers_possible = possible;
    std::memset(peer_access, 0, sizeof peer_access);
}
void simt_fail_joint_launch(int device) { failing_launch = device; }
bool simt_joint_launch_fails(int device) {
    turn mine(one_at_a_time);
    const bool fails = device == failing_launch;
    failing_launch = fails ? -1 : failing_launch;
    return fails;
}
int64_t simt_fail_allocation(int64_t after) {
    int64_t left = fail_after;
    return fail_after = after, left;
}
bool simt_fail_launch(const char *kernel, simt_failure how) {
    turn mine(one_at_a_time);
    const bool launched = failing.empty();
    failing = kernel ? kernel : "";
    failure = how;
    lost = false;
    return launched;
}
void simt_at_launch(void (*call)(const char *kernel)) { at_launch = call; }
size_t simt_live_bytes(void) { return device_live; }
size_t simt_uploaded_bytes(void) {
    turn mine(one_at_a_time);
    size_t bytes = uploaded;
    return uploaded = 0, bytes;
}
size_t simt_pinned_bytes(void) { return live - device_live; }
size_t simt_peak_bytes(void) {
    size_t peak = device_peak;
    return device_peak = device_live, peak;
}
}
