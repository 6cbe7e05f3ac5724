/* The kernel of both problems: collects the ranks' records for the host. */
#include "cuda/ranks/part.cuh"

enum { RECORD_WORDS = FRI_PART_RECORD_BYTES / 8 };

static __global__ void gather_records_kernel(const char *first, int64_t stride, int ranks,
                                             unsigned long long *to) {
    for (int i = (int)threadIdx.x; i < ranks * RECORD_WORDS; i += (int)blockDim.x) {
        const char *record = first + i / RECORD_WORDS * stride;
        to[i] = ((const unsigned long long *)record)[i % RECORD_WORDS];
    }
}

void fri_gpu_part_gather_records(fri_gpu_part *p, const void *first, int64_t stride) {
    fri_gpu *g = &p->g;
    FRI_RUN(gather_records_kernel, 1, FRI_PART_BLOCK, (const char *)first, stride, p->ranks,
            (unsigned long long *)p->records);
}
