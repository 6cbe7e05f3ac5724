/* Eight lanes of xor, multiplication by an odd number and rotation. Each step is a bijection of the
 * lane, so that damage within one word always changes the sum. Blocks of 1 MB are summed separately
 * and mixed with their index, which makes the sum independent of the order and of the threads. */
#include "base/checksum.h"
#include "base/base.h"
#include "base/rng.h"

#include <string.h>

enum { LANES = 8, STEP = LANES * 8 };
static const size_t BLOCK = (size_t)1 << 20;
static const uint64_t ODD = 0x9e3779b185ebca87u; /* any odd number with well-mixed bits */

static uint64_t mix_lane(uint64_t lane, uint64_t word) {
    lane = (lane ^ word) * ODD;
    return lane << 29 | lane >> 35;
}

static uint64_t block_sum(const char *data, size_t bytes) {
    uint64_t lane[LANES], word[LANES];
    for (int i = 0; i < LANES; i++)
        lane[i] = (uint64_t)i;
    size_t at = 0;
    for (; at + STEP <= bytes; at += STEP) {
        memcpy(word, data + at, STEP);
        for (int i = 0; i < LANES; i++)
            lane[i] = mix_lane(lane[i], word[i]);
    }
    memset(word, 0, STEP);
    memcpy(word, data + at, bytes - at);
    uint64_t sum = bytes;
    for (int i = 0; i < LANES; i++)
        sum = fri_checksum_add(sum, mix_lane(lane[i], word[i]));
    return sum;
}

uint64_t fri_checksum_add(uint64_t sum, uint64_t value) { return fri_mix64(mix_lane(sum, value)); }

uint64_t fri_checksum_part(int threads, const void *data, size_t bytes, int share, int shares) {
    int64_t blocks = (int64_t)((bytes + BLOCK - 1) / BLOCK);
    int64_t first = fri_share_begin(blocks, share, shares);
    int64_t last = fri_share_begin(blocks, share + 1, shares);
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)                                       \
    num_threads(fri_threads_for(NULL, threads, (last - first) * BLOCK / 8))
    for (int64_t b = first; b < last; b++) {
        size_t begin = (size_t)b * BLOCK;
        size_t length = bytes - begin < BLOCK ? bytes - begin : BLOCK;
        sum += fri_checksum_add((uint64_t)b, block_sum((const char *)data + begin, length));
    }
    return sum;
}

uint64_t fri_checksum(int threads, const void *data, size_t bytes) {
    return fri_checksum_add(fri_checksum_part(threads, data, bytes, 0, 1), bytes);
}
