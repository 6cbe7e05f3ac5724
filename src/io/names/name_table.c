/* The names that one thread has found.
 *
 * Idea: an entry of 8 bytes has the place of the name's record, which is next to the records that
 *   appeared just before and after it. A look-up needs two accesses to memory, both of which the
 *   caller can fetch ahead, and both in blocks much smaller than the text.
 */
#include "io/names/name_table.h"

enum { FIRST_BITS = 12, MAX_BITS = 31, FIRST_CAPACITY = 1 << 16 };
static const int64_t MAX_CAPACITY = INT64_C(1) << 32;

static int64_t mark_count(int bits) { return (INT64_C(1) << bits) / FRI_NAME_BLOCK; }

fr_status fri_name_table_new(fr_ctx *ctx, uint64_t seed, fri_name_table *table) {
    *table =
        (fri_name_table){.bits = FIRST_BITS, .seed = seed, .used = 1, .capacity = FIRST_CAPACITY};
    table->entries = fri_calloc(ctx, sizeof *table->entries << FIRST_BITS);
    table->marks = fri_alloc(ctx, fri_bytes(mark_count(FIRST_BITS), sizeof *table->marks));
    table->records = fri_alloc(ctx, fri_bytes(FIRST_CAPACITY, FRI_NAME_UNIT));
    return table->entries && table->marks && table->records ? FR_OK : FR_NOMEM;
}

void fri_name_table_free(fri_name_table *table) {
    fri_free(table->entries);
    fri_free(table->marks);
    fri_free(table->records);
}

static fr_status grow_entries(fr_ctx *ctx, fri_name_table *t) {
    int64_t old_count = INT64_C(1) << t->bits, mask = 2 * old_count - 1;
    int bits = t->bits + 1;
    if (bits > MAX_BITS)
        return fri_fail(ctx, FR_RANGE, "the vertices exceed the maximum of 2147483647");
    uint32_t *marks = fri_grow(ctx, t->marks, fri_bytes(mark_count(bits), sizeof *marks));
    if (!marks)
        return FR_NOMEM;
    t->marks = marks;
    fri_name_entry *entries = fri_calloc(ctx, fri_bytes(2 * old_count, sizeof *entries));
    if (!entries)
        return FR_NOMEM;
    for (int64_t i = 0; i < old_count; i++)
        if (t->entries[i].record) {
            int64_t to = t->entries[i].hash >> (32 - bits);
            while (entries[to].record)
                to = (to + 1) & mask;
            entries[to] = t->entries[i];
        }
    fri_free(t->entries);
    t->entries = entries;
    t->bits = bits;
    return FR_OK;
}

static fr_status grow_records(fr_ctx *ctx, fri_name_table *t) {
    if (2 * t->capacity > MAX_CAPACITY)
        return fri_fail(ctx, FR_RANGE, "the names that one thread finds exceed 64 GiB");
    char *records = fri_grow(ctx, t->records, fri_bytes(2 * t->capacity, FRI_NAME_UNIT));
    if (!records)
        return FR_NOMEM;
    t->records = records;
    t->capacity *= 2;
    return FR_OK;
}

fr_status fri_name_table_grow(fr_ctx *ctx, fri_name_table *table) {
    fr_status status = FR_OK;
    if (table->count >= (INT64_C(9) << table->bits) / 16)
        status = grow_entries(ctx, table);
    if (!status && table->used >= table->capacity / 2)
        status = grow_records(ctx, table);
    return status;
}

/* Copies `length` characters; of two quotes in a row the second one is skipped. */
static void unescape_quotes(const char *at, uint32_t length, char *to) {
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
        unescape_quotes(at, length, plain);
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

uint32_t fri_name_append(fri_name_table *t, const fri_name_key *key) {
    uint32_t place = (uint32_t)t->used, units = fri_name_units(key->length);
    fri_name_record *record = fri_name_record_at(t, place);
    char *to = (char *)record->word;
    const char *at = (const char *)(uintptr_t)key->word[0];
    memset((char *)record + (size_t)(units - 1) * FRI_NAME_UNIT, 0, FRI_NAME_UNIT);
    record->length = key->length;
    record->local = t->count;
    if (key->length <= FRI_NAME_INLINE)
        memcpy(to, key->word, key->length);
    else if (key->doubled)
        unescape_quotes(at, key->length, to);
    else
        memcpy(to, at, key->length);
    if (t->count % FRI_NAME_BLOCK == 0)
        t->marks[t->count / FRI_NAME_BLOCK] = place;
    t->used += units;
    t->count++;
    return place;
}

bool fri_name_equal_doubled(const fri_name_record *record, const char *at) {
    const char *bytes = (const char *)record->word;
    for (uint32_t i = 0; i < record->length; i++) {
        if (*at != bytes[i])
            return false;
        at += *at == '"' ? 2 : 1;
    }
    return true;
}
