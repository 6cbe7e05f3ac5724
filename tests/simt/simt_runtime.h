/* The part of the CUDA runtime API that fringe's host code uses, on the host. C and C++. */
#ifndef SIMT_RUNTIME_H
#define SIMT_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorNotReady = 600,
    cudaErrorLaunchFailure = 719,
    cudaErrorUnknown = 999,
    cudaErrorNoDevice = 100,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorInsufficientDriver = 35
} cudaError_t;
typedef enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
} cudaMemcpyKind;
typedef struct simt_stream *cudaStream_t;
typedef struct simt_event *cudaEvent_t;

typedef struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    int major, minor, multiProcessorCount, maxThreadsPerMultiProcessor, l2CacheSize;
    int cooperativeLaunch, warpSize, maxThreadsPerBlock;
} cudaDeviceProp;

typedef enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
} cudaDeviceAttr;

typedef enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8
} cudaFuncAttribute;
struct cudaFuncAttributes {
    size_t sharedSizeBytes;
    int maxDynamicSharedSizeBytes;
};

typedef enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
} cudaMemoryType;
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};

enum {
    cudaStreamNonBlocking = 1,
    cudaEventDisableTiming = 2,
    cudaHostAllocDefault = 0,
    cudaHostRegisterDefault = 0
};

const char *cudaGetErrorString(cudaError_t e);
cudaError_t cudaGetLastError(void);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int block, size_t shared_bytes);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *kernel);
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute name, int value);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *at);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total);
cudaError_t cudaMalloc(void **out, size_t bytes);
cudaError_t cudaFree(void *p);
cudaError_t cudaMallocHost(void **out, size_t bytes);
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags);
cudaError_t cudaHostRegister(void *at, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *at);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemset(void *to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end);

/* Tests only. */
enum { SIMT_DEVICES = 16 };
void simt_seed(uint64_t seed);            /* the schedule of the next launches */
void simt_set_memory(size_t bytes);       /* size of the device's memory */
void simt_set_devices(int count);         /* 1; all of them have the same memory */
void simt_set_peers(bool possible);       /* true; then no peer access is enabled yet */
void simt_fail_joint_launch(int device);  /* the next joint launch there fails; -1: none */
bool simt_joint_launch_fails(int device); /* asked once per joint launch */
int64_t
simt_fail_allocation(int64_t after); /* `after` succeed, the next fails; -1: none does. Returns
                                                what was left of the order before, -1: it failed */
/* The next launch of this kernel does not run: it reports this at once, or the device is lost and
 * waiting for a stream reports it until the call with NULL. False: the one before was not launched. */
typedef enum simt_failure { SIMT_REFUSED, SIMT_LOST } simt_failure;
bool simt_fail_launch(const char *kernel, simt_failure how);
void simt_at_launch(void (*call)(const char *kernel)); /* before each launch; NULL: nothing */
size_t simt_live_bytes(void);                          /* device memory not yet freed */
size_t simt_pinned_bytes(void);                        /* pinned memory not yet freed */
size_t simt_uploaded_bytes(void); /* copied to the device since the call before */
size_t simt_peak_bytes(void);     /* most device memory held since the call before */
void simt_static_shared(const void *kernel, size_t bytes);    /* its arrays; nothing asked yet */
bool simt_may_share(const void *kernel, size_t shared_bytes); /* may a launch ask for these? */
/* The stream's copies and memsets wait from here on until the host or another stream waits for it. */
void simt_hold(cudaStream_t stream);
int simt_shares_lowered(void); /* times that a kernel's limit became less than it was */

#ifdef __cplusplus
}
#endif
#endif
