/* The kernels of Floyd-Warshall in plain C, which the compiler vectorizes (NEON, for example). */
#define TARGET
#include "cpu/apsp/floyd_warshall/typed/block.h"

BLOCK_KERNELS(portable)
