/* The names that one thread has found, numbered 0, 1, ... in order of their first appearance. */
#ifndef FRI_IO_NAME_TABLE_H
#define FRI_IO_NAME_TABLE_H

#include "base/text/names.h"
#include "base/text/string_hash.h"

/* A name in the text. Up to 16 bytes are held in the two words, padded with zeros; of a longer one the
 * first word is its address in the text. */
typedef struct fri_name_key {
    uint64_t word[2];
    uint64_t hash;
    uint32_t length; /* at least 1 */
    bool doubled;    /* longer than 16 bytes, and the text has "" for each quote */
} fri_name_key;

/* A name in the table: the bytes follow, padded with zeros to a multiple of 16 bytes. */
typedef struct fri_name_record {
    uint32_t length;
    int32_t local; /* the number of the name */
    uint64_t word[];
} fri_name_record;

typedef struct fri_name_entry {
    uint32_t hash;   /* its leading bits */
    uint32_t record; /* where the record begins, in units of 16 bytes; 0: the entry is empty */
} fri_name_entry;

typedef struct fri_name_table {
    fri_name_entry *entries; /* open addressing by the leading bits of the hash */
    char *records;           /* in order of their numbers; the first unit is not used */
    uint32_t *marks;         /* the record of each FRI_NAME_BLOCK-th number */
    int bits;                /* of the number of entries */
    int32_t count;
    int64_t used, capacity; /* units of the records */
    uint64_t seed;          /* of the hash */
} fri_name_table;

enum {
    FRI_NAME_INLINE = 16,
    FRI_NAME_UNIT = 16,
    FRI_NAME_BLOCK = 4096,
};

/* An empty table; tables that are merged have the same seed. On failure the caller still frees it.
 * FR_NOMEM. */
fr_status fri_name_table_new(fr_ctx *ctx, uint64_t seed, fri_name_table *table);
/* Doubles the entries if at most a quarter of them is free, and the capacity for records if half of it is
 * used: 128 more names then fit (fri_name_table_fits). FR_NOMEM. FR_RANGE: more names than there can be
 * vertices, or 64 GiB of records. */
fr_status fri_name_table_grow(fr_ctx *ctx, fri_name_table *table);
void fri_name_table_free(fri_name_table *table);

static inline uint32_t fri_name_units(uint32_t length) {
    return (uint32_t)(sizeof(fri_name_record) + length + FRI_NAME_UNIT - 1) / FRI_NAME_UNIT;
}

/* Whether `more` names of any length fit without growing. */
static inline bool fri_name_table_fits(const fri_name_table *t, int32_t more) {
    return (int64_t)t->count + more <= (INT64_C(3) << t->bits) / 4 &&
           t->used + (int64_t)more * fri_name_units(FRI_NAME_BYTES) <= t->capacity;
}

static inline int64_t fri_name_home(const fri_name_table *t, uint64_t hash) {
    return (int64_t)(hash >> (64 - t->bits));
}

static inline fri_name_record *fri_name_record_at(const fri_name_table *t, uint32_t record) {
    return (fri_name_record *)(void *)(t->records + (size_t)record * FRI_NAME_UNIT);
}

/* The key of a name of `length` bytes in the text, where each quote is doubled if `doubled`; the
 * length counts such a pair once. */
fri_name_key fri_name_key_of(const char *at, uint32_t length, bool doubled, uint64_t seed);
/* Appends a record for the key and returns where it begins. The table must not be full. */
uint32_t fri_name_append(fri_name_table *t, const fri_name_key *key);
/* Compares a name with doubled quotes with a record of the same length. */
bool fri_name_equal_doubled(const fri_name_record *record, const char *at);

/* Compares more than 8 bytes; the last word overlaps the one before. */
static inline bool fri_name_equal_bytes(const char *a, const char *b, uint32_t length) {
    uint64_t x, y;
    for (uint32_t i = 0; i + 8 < length; i += 8) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        if (x != y)
            return false;
    }
    memcpy(&x, a + length - 8, sizeof x);
    memcpy(&y, b + length - 8, sizeof y);
    return x == y;
}

static inline bool fri_name_equal(const fri_name_record *record, const fri_name_key *key) {
    if (record->length != key->length)
        return false;
    if (key->length <= FRI_NAME_INLINE)
        return record->word[0] == key->word[0] &&
               (key->length <= 8 || record->word[1] == key->word[1]);
    const char *at = (const char *)(uintptr_t)key->word[0];
    return key->doubled ? fri_name_equal_doubled(record, at)
                        : fri_name_equal_bytes(at, (const char *)record->word, key->length);
}

/* The first entry that is empty or has the hash of the key. The first two steps have no branch, since
 * the processor could not predict it. */
static inline int64_t fri_name_probe(const fri_name_table *t, uint64_t hash) {
    const int64_t mask = (INT64_C(1) << t->bits) - 1;
    const uint32_t lead = (uint32_t)(hash >> 32);
    int64_t i = fri_name_home(t, hash);
    for (int step = 0; step < 2; step++)
        i = (i + ((t->entries[i].record != 0) & (t->entries[i].hash != lead))) & mask;
    while (t->entries[i].record && t->entries[i].hash != lead)
        i = (i + 1) & mask;
    return i;
}

/* The number of the name, which is new if it was not there. The table must not be full. `i`: what
 * fri_name_probe has returned since the table last grew. */
static inline int32_t fri_name_number(fri_name_table *t, const fri_name_key *key, int64_t i) {
    const uint32_t hash = (uint32_t)(key->hash >> 32);
    for (int64_t mask = (INT64_C(1) << t->bits) - 1; t->entries[i].record; i = (i + 1) & mask) {
        if (t->entries[i].hash != hash)
            continue;
        const fri_name_record *record = fri_name_record_at(t, t->entries[i].record);
        if (fri_name_equal(record, key))
            return record->local;
    }
    t->entries[i] = (fri_name_entry){hash, fri_name_append(t, key)};
    return t->count - 1;
}

/* Numbers the names of all tables in order of their first appearance, names of an earlier table first.
 * number[t][i] becomes the number of name i of table t; the arrays lie in one block, number[0], which
 * the caller frees. *names has the names in that order. FR_RANGE: more than 2^31 - 1. */
fr_status fri_names_merge(fr_ctx *ctx, const fri_name_table *tables, int count, int32_t **number,
                          fri_names **names);

#endif
