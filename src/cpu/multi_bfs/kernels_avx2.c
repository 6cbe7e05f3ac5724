/* The steps of a level, compiled for AVX2 and its popcount. */
#ifdef __x86_64__
#define TARGET       __attribute__((target("avx2,popcnt,bmi")))
#define VECTOR_WORDS 4
#define WORDS        1
#include "cpu/multi_bfs/kernels.h"
#undef WORDS
#define WORDS 4
#include "cpu/multi_bfs/kernels.h"
#undef WORDS
#define WORDS 8
#include "cpu/multi_bfs/kernels.h"

const fri_multi_bfs_kernels *fri_multi_bfs_kernels_avx2(int words) {
    return words == 1 ? &kernels_1 : words == 4 ? &kernels_4 : &kernels_8;
}
#else
#include "cpu/multi_bfs/steps.h"

const fri_multi_bfs_kernels *fri_multi_bfs_kernels_avx2(int words) {
    return fri_multi_bfs_kernels_portable(words);
}
#endif
