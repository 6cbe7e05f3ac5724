/* The names that one thread has found, numbered 0, 1, ... in order of their first appearance. */
#ifndef FRI_IO_NAME_TABLE_H
#define FRI_IO_NAME_TABLE_H

#include "base/names.h"
#include "base/string_hash.h"

/* A name. Up to 16 bytes are held in the two words, padded with zeros; of a longer one the first word
 * is its address in the text. */
typedef struct fri_name_key {
    uint64_t word[2];
    uint64_t hash;
    uint32_t length; /* at least 1 */
    bool doubled;    /* longer than 16 bytes, and the text has "" for each quote */
} fri_name_key;

typedef struct fri_name_slot {
    uint64_t word[2];
    uint64_t hash;
    uint32_t length : 31; /* 0: empty */
    uint32_t doubled : 1;
    int32_t local; /* the number of the name */
} fri_name_slot;

typedef struct fri_name_table {
    fri_name_slot *slots; /* open addressing by the leading bits of the hash */
    int bits;             /* of the number of slots */
    int32_t count;
    uint64_t seed; /* of the hash */
} fri_name_table;

enum { FRI_NAME_INLINE = 16 };

/* An empty table; tables that are merged have the same seed. FR_NOMEM. */
fr_status fri_name_table_new(fr_ctx *ctx, uint64_t seed, fri_name_table *table);
/* Twice as many slots. FR_NOMEM. FR_RANGE: more names than there can be vertices. */
fr_status fri_name_table_grow(fr_ctx *ctx, fri_name_table *table);

/* Whether `more` names fit without growing. */
static inline bool fri_name_table_fits(const fri_name_table *t, int32_t more) {
    return (int64_t)t->count + more <= (INT64_C(3) << t->bits) / 4;
}

static inline int64_t fri_name_home(const fri_name_table *t, uint64_t hash) {
    return (int64_t)(hash >> (64 - t->bits));
}

/* The key of a name of `length` bytes in the text, where each quote is doubled if `doubled`; the
 * length counts such a pair once. */
fri_name_key fri_name_key_of(const char *at, uint32_t length, bool doubled, uint64_t seed);
/* Writes the name of a slot, length bytes. */
void fri_name_copy(const fri_name_slot *slot, char *to);
/* Compares two names of more than FRI_NAME_INLINE bytes that have the same hash and length. */
bool fri_name_long_equal(const uint64_t *a, bool a_doubled, const uint64_t *b, bool b_doubled,
                         uint32_t length);

static inline bool fri_name_equal(const fri_name_slot *slot, const fri_name_key *key) {
    if (slot->length != key->length || slot->hash != key->hash)
        return false;
    if (key->length <= FRI_NAME_INLINE)
        return slot->word[0] == key->word[0] && slot->word[1] == key->word[1];
    return fri_name_long_equal(slot->word, slot->doubled, key->word, key->doubled, key->length);
}

/* The number of the name, which is new if it was not there. The table must have room. */
static inline int32_t fri_name_number(fri_name_table *t, const fri_name_key *key) {
    int64_t mask = (INT64_C(1) << t->bits) - 1, i = fri_name_home(t, key->hash);
    for (; t->slots[i].length; i = (i + 1) & mask)
        if (fri_name_equal(&t->slots[i], key))
            return t->slots[i].local;
    t->slots[i] = (fri_name_slot){
        {key->word[0], key->word[1]}, key->hash, key->length, key->doubled, t->count};
    return t->count++;
}

#endif
