/* A tool that is silent must be one that can speak: `gpu_seeded_faults TOOL` is a program as the suite's
 * are, with all of the library's kernels, that makes one fault of the kind that this tool of
 * compute-sanitizer looks for. run_gpu.py fails when it is not reported. In a program that may
 * launch child grids all but memcheck report nothing, which is why there is FRINGE_SANITIZER_BUILD. */
#include "fringe.h"

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { THREADS = 256 };

static __global__ void beyond_the_end(int *out, int) { out[(size_t)threadIdx.x << 20] = 1; }

static __global__ void missing_barrier(int *out, int shift) {
    __shared__ int cell[THREADS];
    cell[threadIdx.x] = (int)threadIdx.x;
    out[threadIdx.x] = cell[((int)threadIdx.x + shift) % THREADS];
}

static __global__ void unwritten_read(int *out, int shift) {
    out[threadIdx.x] = out[threadIdx.x + (unsigned)shift];
}

static __global__ void lane_outside_mask(int *out, int) {
    if (threadIdx.x % 32 < 16)
        __syncwarp(0xffff0000u);
    out[threadIdx.x] = 1;
}

static const struct {
    const char *tool;
    void (*kernel)(int *out, int shift);
} faults[] = {{"memcheck", beyond_the_end},
              {"racecheck", missing_barrier},
              {"initcheck", unwritten_read},
              {"synccheck", lane_outside_mask}};

/* Uses the library, so that its kernels are part of the program. */
static bool search(void) {
    const int32_t from[] = {0, 1}, to[] = {1, 2};
    int32_t level[3];
    fr_ctx *ctx;
    fr_graph *graph = nullptr;
    if (fr_ctx_new(nullptr, &ctx))
        return false;
    fr_status status =
        fr_graph_from_edges(ctx, 3, 2, from, to, nullptr, FR_TYPE_NONE, nullptr, &graph);
    if (!status)
        status = fr_bfs(ctx, graph, 0, level, nullptr);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return !status && level[2] == 2;
}

int main(int argc, char **argv) {
    int *out;
    if (!search() || cudaMalloc(&out, 2 * THREADS * sizeof *out))
        return 1;
    for (const auto &f : faults)
        if (argc > 1 && strcmp(argv[1], f.tool) == 0)
            f.kernel<<<1, THREADS>>>(out, 64);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
