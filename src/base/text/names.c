#include "base/text/names.h"
#include "base/text/string_hash.h"
#include "base/text/utf8.h"

enum { AHEAD = 16 }; /* names whose slots are prefetched before they are entered */

fri_names *fri_names_new(fr_ctx *ctx, int32_t n, const int64_t *offsets, const char *bytes,
                         size_t size, bool borrowed) {
    fri_names *names = fri_alloc(ctx, sizeof *names);
    if (names)
        *names = (fri_names){n, offsets, bytes, size, borrowed, NULL};
    return names;
}

fri_names *fri_names_copy(fr_ctx *ctx, const fri_names *names) {
    size_t offset_bytes = fri_bytes((int64_t)names->n + 1, sizeof *names->offsets);
    int64_t *offsets = fri_alloc(ctx, offset_bytes);
    char *bytes = offsets ? fri_alloc(ctx, names->size) : NULL;
    fri_names *copy = NULL;
    if (bytes) {
        memcpy(offsets, names->offsets, offset_bytes);
        if (names->size)
            memcpy(bytes, names->bytes, names->size);
        copy = fri_names_new(ctx, names->n, offsets, bytes, names->size, false);
    }
    if (!copy) {
        fri_free(offsets);
        fri_free(bytes);
    }
    return copy;
}

void fri_names_free(fri_names *names) {
    if (!names)
        return;
    if (!names->borrowed) {
        fri_free((void *)(uintptr_t)names->offsets);
        fri_free((void *)(uintptr_t)names->bytes);
    }
    fri_free(names->index);
    fri_free(names);
}

const char *fri_names_get(const fri_names *names, int32_t v) {
    uint64_t at = (uint64_t)names->offsets[v];
    return at < names->size ? names->bytes + at : "";
}

/* ---- the index ------------------------------------------------------------------------------- */

static int slot_bits(int32_t n) {
    int bits = 1;
    while ((INT64_C(1) << bits) < 2 * (int64_t)n)
        bits++;
    return bits;
}

/* The address of the structure is a seed that differs from run to run. */
static uint64_t hash_of(const fri_names *names, const char *name, size_t length) {
    return fri_hash_string(name, length, (uint64_t)(uintptr_t)names);
}

/* The slot that has the name, or the empty one where it belongs. */
static int64_t slot_of(const fri_names *names, const int32_t *index, uint64_t hash,
                       const char *name, size_t length) {
    int bits = slot_bits(names->n);
    int64_t mask = (INT64_C(1) << bits) - 1, i = (int64_t)(hash >> (64 - bits));
    for (; index[i] >= 0; i = (i + 1) & mask) {
        const int64_t *at = names->offsets + index[i];
        if ((size_t)(at[1] - at[0]) == length + 1 && !memcmp(names->bytes + at[0], name, length))
            break;
    }
    return i;
}

/* Enters all names; returns a vertex whose name occurs twice, -1 if there is none. */
static int32_t enter_all(const fri_names *names, int32_t *index) {
    int bits = slot_bits(names->n);
    uint64_t hash[AHEAD];
    for (int32_t first = 0; first < names->n; first += AHEAD) {
        int32_t count = FRI_MIN(AHEAD, names->n - first);
        for (int32_t i = 0; i < count; i++) {
            const int64_t *at = names->offsets + first + i;
            hash[i] = hash_of(names, names->bytes + at[0], (size_t)(at[1] - at[0] - 1));
            __builtin_prefetch(index + (hash[i] >> (64 - bits)), 1);
        }
        for (int32_t i = 0; i < count; i++) {
            const int64_t *at = names->offsets + first + i;
            int64_t slot =
                slot_of(names, index, hash[i], names->bytes + at[0], (size_t)(at[1] - at[0] - 1));
            if (index[slot] >= 0)
                return first + i;
            index[slot] = first + i;
        }
    }
    return -1;
}

/* The index, built at the first need; NULL with FR_OK: two names are equal. */
static fr_status get_index(fr_ctx *ctx, const fri_names *names, int32_t **out) {
    int32_t **place = (int32_t **)(uintptr_t)&names->index, *there = NULL;
    *out = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (*out)
        return FR_OK;
    size_t bytes = fri_bytes(INT64_C(1) << slot_bits(names->n), sizeof **out);
    int32_t *fresh = fri_alloc(ctx, bytes);
    if (!fresh)
        return FR_NOMEM;
    memset(fresh, 0xff, bytes);
    if (enter_all(names, fresh) >= 0) {
        fri_free(fresh);
        return FR_OK;
    }
    bool first = __atomic_compare_exchange_n(place, &there, fresh, false, __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE);
    if (!first)
        fri_free(fresh);
    *out = first ? fresh : there;
    return FR_OK;
}

fr_status fri_names_find(fr_ctx *ctx, const fri_names *names, const char *name, int32_t *vertex) {
    int32_t *index;
    size_t length = strlen(name);
    *vertex = -1;
    if (length == 0 || length > FRI_NAME_BYTES)
        return FR_OK;
    fr_status status = get_index(ctx, names, &index);
    if (!status && index)
        *vertex = index[slot_of(names, index, hash_of(names, name, length), name, length)];
    return status;
}

static bool each_is_valid(int threads, const fri_names *names) {
    int64_t wrong = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : wrong)
    for (int32_t v = 0; v < names->n; v++) {
        int64_t at = names->offsets[v], length = names->offsets[v + 1] - at - 1;
        wrong += length < 1 || length > FRI_NAME_BYTES || names->bytes[at + length] != '\0' ||
                 fri_text_kind_of(names->bytes + at, (size_t)length) != FRI_TEXT_PLAIN;
    }
    return !wrong;
}

static bool offsets_ascend(int threads, const fri_names *names) {
    int64_t wrong = names->offsets[0] != 0 || (size_t)names->offsets[names->n] != names->size;
#pragma omp parallel for num_threads(threads) reduction(+ : wrong)
    for (int32_t v = 0; v < names->n; v++)
        wrong += names->offsets[v] >= names->offsets[v + 1];
    return !wrong;
}

fr_status fri_names_check(fr_ctx *ctx, const fri_names *names, bool *valid, const char **why) {
    int32_t *index = NULL;
    *valid = false;
    *why = "the names are invalid";
    const int threads = fri_threads_for(ctx, ctx->threads, 8 * (int64_t)names->n);
    if (!offsets_ascend(threads, names) || !each_is_valid(threads, names))
        return FR_OK;
    *why = "two vertices have the same name";
    fr_status status = get_index(ctx, names, &index);
    *valid = !status && index;
    return status;
}
