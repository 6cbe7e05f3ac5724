/* What the first answer of a process waits for on the GPU, step by step, without the library: each
 * step that fringe takes before its first traversal, alone in a fresh process. first_answer.sh runs
 * it and the command in turns.
 *
 *   first_answer   one JSON line, microseconds per step in the order of their execution */
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

static double now_us() {
    using namespace std::chrono;
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

static bool failed = false;
static double last;

static void step(const char *name, cudaError_t error) {
    const double now = now_us();
    printf(", \"%s\": %.1f", name, now - last);
    if (error) {
        fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(error));
        failed = true;
    }
    last = now_us();
}

__global__ void add_one(int *at) { *at += 1; }

int main() {
    const size_t pinned_bytes = 12u << 20, block_bytes = 1u << 20;
    const double begin = last = now_us();
    int devices = 0, each = 0, *at = nullptr, host = 0;
    size_t free_bytes = 0, total = 0;
    void *pinned = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    printf("{\"program\": \"first_answer\"");
    step("device_count", cudaGetDeviceCount(&devices));
    step("set_device", cudaSetDevice(0));
    step("context", cudaFree(nullptr));
    step("load_kernel", cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                            &each, (const void *)add_one, 256, 0));
    step("pin_12_MB", cudaHostAlloc(&pinned, pinned_bytes, cudaHostAllocDefault));
    step("free_memory", cudaMemGetInfo(&free_bytes, &total));
    step("stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    step("event", cudaEventCreate(&event));
    step("allocate_1_MB", cudaMalloc(&at, block_bytes));
    step("clear", cudaMemsetAsync(at, 0, block_bytes, stream));
    add_one<<<1, 1, 0, stream>>>(at);
    step("launch", cudaGetLastError());
    step("wait", cudaStreamSynchronize(stream));
    step("download_4_bytes", cudaMemcpy(&host, at, sizeof host, cudaMemcpyDeviceToHost));
    printf(", \"all\": %.1f", now_us() - begin);
    last = now_us();
    step("free_block", cudaFree(at));
    step("unpin", cudaFreeHost(pinned));
    printf("}\n");
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    return failed || host != 1;
}
