/* The steps of a level for any processor. */
#define TARGET
#define VECTOR_WORDS 2
#define WORDS        1
#include "cpu/multi_bfs/kernels.h"
#undef WORDS
#define WORDS 4
#include "cpu/multi_bfs/kernels.h"
#undef WORDS
#define WORDS 8
#include "cpu/multi_bfs/kernels.h"

const fri_multi_bfs_kernels *fri_multi_bfs_kernels_portable(int words) {
    return words == 1 ? &kernels_1 : words == 4 ? &kernels_4 : &kernels_8;
}
