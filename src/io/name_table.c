/* The names that one thread has found.
 *
 * Idea: a slot of 32 bytes contains a name of up to 16 bytes, so that a look-up needs one access to
 *   memory, which the caller can fetch ahead; the slot of a longer name has its address in the text.
 */
#include "io/name_table.h"

enum { FIRST_BITS = 12, MOST_BITS = 31 };

fr_status fri_name_table_new(fr_ctx *ctx, uint64_t seed, fri_name_table *table) {
    *table = (fri_name_table){.bits = FIRST_BITS, .seed = seed};
    table->slots = fri_calloc(ctx, sizeof *table->slots << FIRST_BITS);
    return table->slots ? FR_OK : FR_NOMEM;
}

static void enter(fri_name_table *t, const fri_name_slot *slot) {
    int64_t mask = (INT64_C(1) << t->bits) - 1, i = fri_name_home(t, slot->hash);
    while (t->slots[i].length)
        i = (i + 1) & mask;
    t->slots[i] = *slot;
}

fr_status fri_name_table_grow(fr_ctx *ctx, fri_name_table *table) {
    int64_t old_count = INT64_C(1) << table->bits;
    fri_name_table larger = *table;
    larger.bits++;
    if (larger.bits > MOST_BITS)
        return fri_fail(ctx, FR_RANGE, "the vertices exceed the maximum of 2147483647");
    larger.slots = fri_calloc(ctx, fri_bytes(2 * old_count, sizeof *larger.slots));
    if (!larger.slots)
        return FR_NOMEM;
    for (int64_t i = 0; i < old_count; i++)
        if (table->slots[i].length)
            enter(&larger, &table->slots[i]);
    fri_free(table->slots);
    *table = larger;
    return FR_OK;
}

/* Copies `length` characters; of two quotes in a row the second one is skipped. */
static void undouble(const char *at, uint32_t length, char *to) {
    for (uint32_t i = 0; i < length; i++) {
        to[i] = *at;
        at += *at == '"' ? 2 : 1;
    }
}

fri_name_key fri_name_key_of(const char *at, uint32_t length, bool doubled, uint64_t seed) {
    char plain[FRI_NAME_BYTES];
    fri_name_key key = {.length = length};
    const char *name = at;
    if (doubled) {
        undouble(at, length, plain);
        name = plain;
    }
    if (length <= FRI_NAME_INLINE) {
        memcpy(key.word, name, length);
        key.hash = fri_hash_words(key.word[0], key.word[1], seed);
        return key;
    }
    key.hash = fri_hash_string(name, length, seed);
    key.word[0] = (uint64_t)(uintptr_t)at;
    key.doubled = doubled;
    return key;
}

void fri_name_copy(const fri_name_slot *slot, char *to) {
    const char *at = (const char *)(uintptr_t)slot->word[0];
    if (slot->length <= FRI_NAME_INLINE)
        memcpy(to, slot->word, slot->length);
    else if (slot->doubled)
        undouble(at, slot->length, to);
    else
        memcpy(to, at, slot->length);
}

bool fri_name_long_equal(const uint64_t *a, bool a_doubled, const uint64_t *b, bool b_doubled,
                         uint32_t length) {
    const char *x = (const char *)(uintptr_t)a[0], *y = (const char *)(uintptr_t)b[0];
    if (!a_doubled && !b_doubled)
        return memcmp(x, y, length) == 0;
    for (uint32_t i = 0; i < length; i++) {
        if (*x != *y)
            return false;
        x += a_doubled && *x == '"' ? 2 : 1;
        y += b_doubled && *y == '"' ? 2 : 1;
    }
    return true;
}
