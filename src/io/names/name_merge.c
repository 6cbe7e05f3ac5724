/* Merges the names that several threads found.
 *
 * Idea: a shard consists of the names whose hashes have the same leading bits, which are neighbors in
 *   every table. One thread takes a shard and enters its names, table by table, into a small table of
 *   references, where the first table that has a name keeps it. The names that each table keeps are
 *   then counted, and numbered after the names of the tables before it.
 * Work: two passes over the tables. Memory: 8 to 16 bytes per name of all tables, and 4 for its
 *   number. */
#include "io/names/name_table.h"

enum { SHARD_BITS = 10, SHARDS = 1 << SHARD_BITS, TABLE_SHIFT = 32 };

/* A reference: (table << TABLE_SHIFT) + record; 0: empty, for no record begins at 0. */
typedef struct {
    fr_ctx *ctx;
    const fri_name_table *tables;
    int count;
    /* where the references of a shard begin; their capacity is a power of two, or 0 */
    int64_t begin[SHARDS + 1];
    uint64_t *references;
    int32_t **number; /* while shards are merged: the number in the table that keeps the name */
    int32_t **owner;  /* the table that keeps it */
} merge;

static int shard_of(uint32_t hash) { return (int)(hash >> (32 - SHARD_BITS)); }

/* Calls for each entry of a shard; tables have more entries than there are shards, and linear probing
 * moves a name no further than the next empty entry. */
typedef void (*entry_fn)(merge *m, int table, const fri_name_entry *entry, int shard);

static void each_entry(merge *m, int table, int shard, entry_fn call) {
    const fri_name_table *t = &m->tables[table];
    int64_t size = INT64_C(1) << t->bits, width = size >> SHARD_BITS;
    for (int64_t i = shard * width, seen = 0; seen < size; seen++, i = (i + 1) & (size - 1)) {
        const fri_name_entry *entry = &t->entries[i];
        if (!entry->record && seen >= width)
            return;
        if (entry->record && shard_of(entry->hash) == shard)
            call(m, table, entry, shard);
    }
}

static void count_entry(merge *m, int table, const fri_name_entry *entry, int shard) {
    (void)table, (void)entry;
    m->begin[shard + 1]++;
}

static const fri_name_record *record_at(const merge *m, uint64_t reference) {
    return fri_name_record_at(&m->tables[reference >> TABLE_SHIFT], (uint32_t)reference);
}

static bool equal(const fri_name_record *a, const fri_name_record *b) {
    return a->length == b->length && memcmp(a->word, b->word, a->length) == 0;
}

/* Enters a name; it is kept by the first table that has it. */
static void enter_name(merge *m, int table, const fri_name_entry *entry, int shard) {
    const fri_name_record *own = fri_name_record_at(&m->tables[table], entry->record);
    uint64_t *references = m->references + m->begin[shard];
    uint64_t mask = (uint64_t)(m->begin[shard + 1] - m->begin[shard]) - 1;
    uint64_t i = entry->hash & mask; /* bits that do not select the shard */
    for (; references[i]; i = (i + 1) & mask) {
        const fri_name_record *other = record_at(m, references[i]);
        if (!equal(other, own))
            continue;
        m->number[table][own->local] = other->local;
        m->owner[table][own->local] = (int32_t)(references[i] >> TABLE_SHIFT);
        return;
    }
    references[i] = ((uint64_t)table << TABLE_SHIFT) + entry->record;
    m->owner[table][own->local] = table;
}

static void for_shards(merge *m, entry_fn call) {
#pragma omp parallel for schedule(FRI_DYNAMIC, 4) num_threads(m->ctx->threads)
    for (int shard = 0; shard < SHARDS; shard++)
        for (int t = 0; t < m->count; t++)
            each_entry(m, t, shard, call);
}

/* Room for twice as many references as a shard has names, a power of two. */
static fr_status make_references(merge *m) {
    for_shards(m, count_entry);
    for (int s = 0; s < SHARDS; s++) {
        int64_t names = m->begin[s + 1], capacity = 2;
        while (capacity < 2 * names)
            capacity *= 2;
        m->begin[s + 1] = m->begin[s] + capacity;
    }
    m->references = fri_calloc(m->ctx, fri_bytes(m->begin[SHARDS], sizeof *m->references));
    return m->references ? FR_OK : FR_NOMEM;
}

/* Numbers the names that table t keeps, from `next` on; returns the next number. */
static int64_t number_kept(const merge *m, int t, int64_t next) {
    for (int32_t i = 0; i < m->tables[t].count; i++)
        if (m->owner[t][i] == t) {
            m->number[t][i] = (int32_t)FRI_MIN(next, INT32_MAX);
            next++;
        }
    return next;
}

static void number_others(const merge *m, int t) {
#pragma omp parallel for schedule(static) num_threads(m->ctx->threads)
    for (int32_t i = 0; i < m->tables[t].count; i++)
        if (m->owner[t][i] != t)
            m->number[t][i] = m->number[m->owner[t][i]][m->number[t][i]];
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
    m->owner = fri_calloc(m->ctx, fri_bytes(m->count, sizeof *m->owner));
    if (!m->owner || !make_arrays(m->ctx, m->tables, m->count, m->owner) || make_references(m))
        return FR_NOMEM;
    for_shards(m, enter_name);
    for (int t = 0; t < m->count; t++)
        *n = number_kept(m, t, *n);
    for (int t = 1; t < m->count; t++)
        number_others(m, t);
    return FR_OK;
}

/* ---- the names in order ---------------------------------------------------------------------- */

static bool keeps(const merge *m, int table, int32_t local) {
    return m->count == 1 || m->owner[table][local] == table;
}

/* Calls for each name that its table keeps, in blocks of consecutive names. */
typedef void (*kept_fn)(const fri_name_record *record, int64_t *offset, char *bytes);

static void for_kept(const merge *m, kept_fn call, int64_t *offsets, char *bytes) {
    for (int t = 0; t < m->count; t++) {
        const fri_name_table *table = &m->tables[t];
        const int64_t blocks = ((int64_t)table->count + FRI_NAME_BLOCK - 1) / FRI_NAME_BLOCK;
#pragma omp parallel for schedule(static) num_threads(m->ctx->threads)
        for (int64_t b = 0; b < blocks; b++) {
            uint32_t at = table->marks[b];
            int64_t end = FRI_MIN((b + 1) * FRI_NAME_BLOCK, (int64_t)table->count);
            for (int64_t i = b * FRI_NAME_BLOCK; i < end; i++) {
                const fri_name_record *record = fri_name_record_at(table, at);
                if (keeps(m, t, (int32_t)i))
                    call(record, &offsets[m->number[t][i]], bytes);
                at += fri_name_units(record->length);
            }
        }
    }
}

static void put_length(const fri_name_record *record, int64_t *offset, char *bytes) {
    (void)bytes;
    offset[1] = (int64_t)record->length + 1;
}

static void put_bytes(const fri_name_record *record, int64_t *offset, char *bytes) {
    memcpy(bytes + *offset, record->word, record->length);
    bytes[*offset + record->length] = '\0';
}

static fr_status make_names(const merge *m, int32_t n, fri_names **names) {
    int64_t *offsets = fri_alloc(m->ctx, fri_bytes((int64_t)n + 1, sizeof *offsets));
    if (!offsets)
        return FR_NOMEM;
    offsets[0] = 0;
    for_kept(m, put_length, offsets, NULL);
    for (int32_t v = 0; v < n; v++)
        offsets[v + 1] += offsets[v];
    char *bytes = fri_alloc(m->ctx, (size_t)offsets[n]);
    if (bytes) {
        for_kept(m, put_bytes, offsets, bytes);
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
    if (m.owner)
        fri_free(m.owner[0]);
    fri_free(m.owner);
    return status;
}
