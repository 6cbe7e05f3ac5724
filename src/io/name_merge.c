/* Merges the names that several threads found.
 *
 * Idea: a shard consists of the names whose hashes have the same leading bits, which are neighbors in
 *   every table. One thread takes a shard and enters its names, table by table, into a small table of
 *   references, where the first table that has a name keeps it. The names that each table keeps are
 *   then counted, and numbered behind those of the tables before it.
 * Work: two passes over the tables. Memory: 8 to 16 bytes per name of all tables, besides 4 for its
 *   number.
 */
#include "io/name_merge.h"

enum { SHARD_BITS = 10, SHARDS = 1 << SHARD_BITS, TABLE_SHIFT = 40 };

/* A reference: 1 + (table << TABLE_SHIFT) + slot; 0: empty. */
typedef struct {
    fr_ctx *ctx;
    const fri_name_table *tables;
    int count;
    int64_t
        begin[SHARDS + 1]; /* where the references of a shard begin: powers of two, or nothing */
    uint64_t *references;
    int32_t **number; /* while shards are merged: the number in the table that keeps the name */
    int32_t **keeper; /* the table that keeps it */
} merge;

static int shard_of(uint64_t hash) { return (int)(hash >> (64 - SHARD_BITS)); }

/* Calls for each slot of a shard; tables have more slots than there are shards, and linear probing
 * moves a name no further than the next empty slot. */
typedef void (*slot_fn)(merge *m, int table, int64_t slot, int shard);

static void each_slot(merge *m, int table, int shard, slot_fn call) {
    const fri_name_table *t = &m->tables[table];
    int64_t size = INT64_C(1) << t->bits, width = size >> SHARD_BITS;
    for (int64_t i = shard * width, seen = 0; seen < size; seen++, i = (i + 1) & (size - 1)) {
        const fri_name_slot *slot = &t->slots[i];
        if (!slot->length && seen >= width)
            return;
        if (slot->length && shard_of(slot->hash) == shard)
            call(m, table, i, shard);
    }
}

static void count_slot(merge *m, int table, int64_t slot, int shard) {
    (void)table, (void)slot;
    m->begin[shard + 1]++;
}

static const fri_name_slot *slot_at(const merge *m, uint64_t reference) {
    uint64_t at = reference - 1;
    return &m->tables[at >> TABLE_SHIFT].slots[at & ((UINT64_C(1) << TABLE_SHIFT) - 1)];
}

/* Enters a name; it is kept by the first table that has it. */
static void enter_slot(merge *m, int table, int64_t slot, int shard) {
    const fri_name_slot *own = &m->tables[table].slots[slot];
    const fri_name_key key = {{own->word[0], own->word[1]}, own->hash, own->length, own->doubled};
    uint64_t *references = m->references + m->begin[shard];
    uint64_t mask = (uint64_t)(m->begin[shard + 1] - m->begin[shard]) - 1;
    uint64_t i = own->hash >> 20 & mask; /* bits that do not select the shard */
    for (; references[i]; i = (i + 1) & mask) {
        const fri_name_slot *other = slot_at(m, references[i]);
        if (!fri_name_equal(other, &key))
            continue;
        m->number[table][own->local] = other->local;
        m->keeper[table][own->local] = (int32_t)((references[i] - 1) >> TABLE_SHIFT);
        return;
    }
    references[i] = 1 + ((uint64_t)table << TABLE_SHIFT) + (uint64_t)slot;
    m->keeper[table][own->local] = table;
}

static void for_shards(merge *m, slot_fn call) {
#pragma omp parallel for schedule(FRI_DYNAMIC, 4) num_threads(m->ctx->threads)
    for (int shard = 0; shard < SHARDS; shard++)
        for (int t = 0; t < m->count; t++)
            each_slot(m, t, shard, call);
}

/* Room for twice as many references as a shard has names, a power of two. */
static fr_status make_references(merge *m) {
    for_shards(m, count_slot);
    for (int s = 0; s < SHARDS; s++) {
        int64_t names = m->begin[s + 1], room = 2;
        while (room < 2 * names)
            room *= 2;
        m->begin[s + 1] = m->begin[s] + room;
    }
    m->references = fri_calloc(m->ctx, fri_bytes(m->begin[SHARDS], sizeof *m->references));
    return m->references ? FR_OK : FR_NOMEM;
}

/* Numbers the names that table t keeps, from `next` on; returns the next number. */
static int64_t number_kept(const merge *m, int t, int64_t next) {
    for (int32_t i = 0; i < m->tables[t].count; i++)
        if (m->keeper[t][i] == t) {
            m->number[t][i] = (int32_t)FRI_MIN(next, INT32_MAX);
            next++;
        }
    return next;
}

static void number_others(const merge *m, int t) {
#pragma omp parallel for schedule(static) num_threads(m->ctx->threads)
    for (int32_t i = 0; i < m->tables[t].count; i++)
        if (m->keeper[t][i] != t)
            m->number[t][i] = m->number[m->keeper[t][i]][m->number[t][i]];
}

/* One block for the arrays of all tables. */
static int32_t *make_arrays(fr_ctx *ctx, const fri_name_table *tables, int count, int32_t **array) {
    int64_t total = 0;
    for (int t = 0; t < count; t++)
        total += tables[t].count;
    int32_t *block = fri_alloc(ctx, fri_bytes(total, sizeof *block)), *at = block;
    for (int t = 0; block && t < count; t++) {
        array[t] = at;
        at += tables[t].count;
    }
    return block;
}

static fr_status merge_tables(merge *m, int64_t *n) {
    m->keeper = fri_calloc(m->ctx, fri_bytes(m->count, sizeof *m->keeper));
    if (!m->keeper || !make_arrays(m->ctx, m->tables, m->count, m->keeper) || make_references(m))
        return FR_NOMEM;
    for_shards(m, enter_slot);
    for (int t = 0; t < m->count; t++)
        *n = number_kept(m, t, *n);
    for (int t = 1; t < m->count; t++)
        number_others(m, t);
    return FR_OK;
}

/* ---- the names in order ---------------------------------------------------------------------- */

static bool keeps(const merge *m, int table, int32_t local) {
    return m->count == 1 || m->keeper[table][local] == table;
}

static void put_lengths(const merge *m, int64_t *offsets) {
    for (int t = 0; t < m->count; t++) {
        const fri_name_slot *slots = m->tables[t].slots;
        int64_t size = INT64_C(1) << m->tables[t].bits;
#pragma omp parallel for schedule(static) num_threads(m->ctx->threads)
        for (int64_t i = 0; i < size; i++)
            if (slots[i].length && keeps(m, t, slots[i].local))
                offsets[m->number[t][slots[i].local] + 1] = (int64_t)slots[i].length + 1;
    }
}

static void put_bytes(const merge *m, const int64_t *offsets, char *bytes) {
    for (int t = 0; t < m->count; t++) {
        const fri_name_slot *slots = m->tables[t].slots;
        int64_t size = INT64_C(1) << m->tables[t].bits;
#pragma omp parallel for schedule(static) num_threads(m->ctx->threads)
        for (int64_t i = 0; i < size; i++)
            if (slots[i].length && keeps(m, t, slots[i].local)) {
                char *to = bytes + offsets[m->number[t][slots[i].local]];
                fri_name_copy(&slots[i], to);
                to[slots[i].length] = '\0';
            }
    }
}

static fr_status make_names(const merge *m, int32_t n, fri_names **names) {
    int64_t *offsets = fri_alloc(m->ctx, fri_bytes((int64_t)n + 1, sizeof *offsets));
    if (!offsets)
        return FR_NOMEM;
    offsets[0] = 0;
    put_lengths(m, offsets);
    for (int32_t v = 0; v < n; v++)
        offsets[v + 1] += offsets[v];
    char *bytes = fri_alloc(m->ctx, (size_t)offsets[n]);
    if (bytes) {
        put_bytes(m, offsets, bytes);
        *names = fri_names_new(m->ctx, n, offsets, bytes, (size_t)offsets[n], false);
    }
    if (*names)
        return FR_OK;
    fri_free(offsets);
    fri_free(bytes);
    return FR_NOMEM;
}

fr_status fri_names_merge(fr_ctx *ctx, const fri_name_table *tables, int count, int32_t **number,
                          fri_names **names) {
    merge m = {.ctx = ctx, .tables = tables, .count = count, .number = number};
    int64_t n = 0;
    fr_status status = make_arrays(ctx, tables, count, number) ? FR_OK : FR_NOMEM;
    if (!status && count > 1)
        status = merge_tables(&m, &n);
    for (; !status && count == 1 && n < tables[0].count; n++)
        number[0][n] = (int32_t)n;
    if (!status && n > INT32_MAX)
        status =
            fri_fail(ctx, FR_RANGE, "%lld vertices exceed the maximum of 2147483647", (long long)n);
    fri_free(m.references);
    m.references = NULL;
    if (!status)
        status = make_names(&m, (int32_t)n, names);
    if (m.keeper)
        fri_free(m.keeper[0]);
    fri_free(m.keeper);
    return status;
}
