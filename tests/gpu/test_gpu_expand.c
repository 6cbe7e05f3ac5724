/* Every width in which integers cross the bus, and their expansion on the host. Needs no GPU. */
#include "cuda/device/results/expand.h"
#include "gpu/harness.h"

static void widths(void) {
    static const struct {
        int size;
        int64_t low, high;
        int want;
    } cases[] = {{4, -1, 126, 1},          {4, -1, 127, 2}, /* 127 means unreached */
                 {4, -127, 0, 1},          {4, -128, 0, 2},      {4, 0, INT16_MAX - 1, 2},
                 {4, 0, INT16_MAX, 4},     {4, INT32_MIN, 5, 4}, {8, 0, INT16_MAX, 4},
                 {8, 0, INT32_MAX - 1, 4}, {8, 0, INT32_MAX, 8}, {8, INT32_MIN, 0, 8},
                 {8, INT64_MIN, 0, 8}};
    for (int i = 0; i < COUNT(cases); i++) {
        const int got = fri_narrow_size(cases[i].size, cases[i].low, cases[i].high);
        CHECK(got == cases[i].want, "case %d: %d bytes, should be %d", i, got, cases[i].want);
    }
}

/* The value in `size` bytes that a narrow one of `bits` bits encodes. */
static int64_t meaning(int64_t v, int bits, int size) {
    const int64_t largest = ((int64_t)1 << (bits - 1)) - 1;
    if (v == largest)
        return size == 4 ? FR_INF_I32 : FR_INF_I64;
    if (v == -largest - 1)
        return size == 4 ? FR_NEG_INF_I32 : FR_NEG_INF_I64;
    return v;
}

typedef void (*expand_fn)(void *to, int size, const void *from, int narrow, int64_t count);

/* To an array that begins `apart` values after a whole cache line; `begin`: the first value that is taken. */
static void check_expansion_at(expand_fn expand, const void *source, int narrow, int size,
                               int begin, int end, int apart) {
    const int count = end - begin;
    const char *from = (const char *)source + begin * narrow;
    char *block = aligned_alloc(64, ((size_t)count + 16) / 8 * 64 + 64), *to = block + apart * size;
    memset(block, 0x5a, (size_t)(count + apart + 1) * (size_t)size);
    expand(to, size, from, narrow, count);
    for (int i = 0; i < apart * size; i++)
        CHECK(block[i] == 0x5a, "byte %d before the values", i);
    for (int i = 0; i < size; i++)
        CHECK(to[count * size + i] == 0x5a, "byte %d after the values", i);
    for (int i = 0; i < count; i++) {
        int64_t v = narrow == 1   ? ((const int8_t *)from)[i]
                    : narrow == 2 ? ((const int16_t *)from)[i]
                                  : ((const int32_t *)from)[i];
        int64_t got = size == 4 ? ((const int32_t *)(const void *)to)[i]
                                : ((const int64_t *)(const void *)to)[i];
        CHECK(got == meaning(v, 8 * narrow, size), "%lld of %d bytes became %lld of %d",
              (long long)v, narrow, (long long)got, size);
    }
    free(block);
}

static void check_expansion(const void *from, int narrow, int size, int count) {
    static const expand_fn ways[] = {fri_expand, fri_expand_around_caches};
    for (int way = 0; way < 2; way++) {
        check_expansion_at(ways[way], from, narrow, size, 0, count, 0);
        for (int apart = 0; apart < 9; apart++)
            for (int length = 0; length < 20; length++)
                check_expansion_at(ways[way], from, narrow, size, apart, apart + length, apart);
    }
}

/* All values of 1 and 2 bytes, and the values of 4 bytes that matter. */
static void expansion(void) {
    static int8_t bytes[1 << 8];
    static int16_t halves[1 << 16];
    static const int32_t ends[] = {0,    -1, INT32_MAX, INT32_MIN, INT32_MAX - 1, INT32_MIN + 1,
                                   70000};
    int32_t words[7 * 9]; /* each at every place of a vector */
    for (int i = 0; i < 1 << 8; i++)
        bytes[i] = (int8_t)(i - (1 << 7));
    for (int i = 0; i < 1 << 16; i++)
        halves[i] = (int16_t)(i - (1 << 15));
    for (int i = 0; i < 7 * 9; i++)
        words[i] = ends[i % 7];
    for (int size = 4; size <= 8; size += 4) {
        check_expansion(bytes, 1, size, 1 << 8);
        check_expansion(halves, 2, size, 1 << 16);
    }
    check_expansion(words, 4, 8, 7 * 9);
    check_expansion(words, 4, 4, 7 * 9);
}

int main(void) {
    widths();
    expansion();
    return checks_end("expansion of results");
}
