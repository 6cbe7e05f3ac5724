/* Reads edge lists whose ids are strings, in parallel.
 *
 * Idea: the text is cut after newlines into one region per thread. Each thread numbers the names of its
 *   region in a table of its own (io/names/named_lines.c); the tables are merged in the order of the regions
 *   (io/names/name_merge.c), so that vertices are numbered by first appearance in the text whatever the
 *   number of threads, and the ends of the edges are renumbered. Only the calling thread allocates: a
 *   region whose table is full stops, gets a larger table and continues.
 * Work: one look-up per endpoint. Memory: 8 bytes per line and 8 per weight; its length and 23 to
 *   55 bytes per name that a thread finds, until the names are merged. */
#include "io/names/named_edges.h"
#include "io/text/digits.h"
#include "io/names/named_lines.h"
#include "io/text/number_scan.h"

#include <string.h>

enum { SMALLEST_REGION = 64 << 10, ROUND = 32 << 20 };

typedef struct {
    fr_ctx *ctx;
    const fri_input *text;
    fri_table table;
    fri_named_format format;
    fri_region *regions;
    fri_name_table *tables; /* [count], for the merge */
    int32_t **number;       /* [count] */
    int count;
} reader;

/* ---- are the ids strings? -------------------------------------------------------------------- */

/* A field of the line that is an end of its edge and no integer; false: there is none. */
static bool find_string(const fri_table *t, const char *at, const char *end, fri_field *out) {
    for (int column = 1; fri_table_next_field(t, &at, end, out); column++) {
        int64_t ignored;
        fri_scan scan = {out->at, out->at + out->length};
        bool integral = fri_scan_int64(&scan, &ignored) != FRI_SCAN_NONE && scan.at == scan.end;
        bool chosen =
            column == t->column[FRI_TABLE_SOURCE] || column == t->column[FRI_TABLE_TARGET];
        if (chosen && !integral)
            return true;
    }
    return false;
}

fr_status fri_ids_are_strings(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                              fri_edge_list *edges, bool *strings) {
    *strings = options->ids == FR_IDS_STRINGS;
    if (options->ids != FR_IDS_AUTO)
        return FR_OK;
    fri_table t = {.ctx = ctx, .text = text};
    fr_status status = fri_table_open(&t, options, true, options->weights == FR_WEIGHTS_FILE);
    if (status)
        return status;
    const char *end = text->data + text->size, *first = t.names ? t.names : t.body;
    const char *line = fri_table_next_content(fri_skip_line(first, end), end);
    if (line == end)
        line = first;
    fri_field found;
    *strings = find_string(&t, line, fri_table_line_end(line, end), &found);
    long long number = (long long)fri_input_line(text, line);
    if (*strings)
        fri_edge_list_note(edges, "ids are strings, because line %lld has \"%.*s\"", number,
                           (int)FRI_MIN(found.length, 40), found.at);
    else
        fri_edge_list_note(edges, "ids are integers, as in line %lld", number);
    return FR_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void note_table(const reader *r, const fr_load_options *options, fri_edge_list *edges) {
    const fri_table *t = &r->table;
    const char *first = t->names ? t->names : t->body;
    const char *end = fri_table_line_end(first, r->text->data + r->text->size);
    const char *separator = t->separator == ' '   ? "blanks"
                            : t->separator == ',' ? "commas"
                            : t->separator == ';' ? "semicolons"
                            : t->separator == '|' ? "bars"
                            : t->separator == ':' ? "colons"
                                                  : "tabs";
    if (options->ids == FR_IDS_STRINGS)
        fri_edge_list_note(edges, "ids are strings");
    fri_edge_list_note(edges, "columns are divided at %s", separator);
    fri_edge_list_note(edges, "line %lld read as %s: %.*s",
                       (long long)fri_input_line(r->text, first),
                       t->names ? "column names" : "an edge", (int)FRI_MIN(end - first, 80), first);
    fri_table_note_columns(t, edges);
}

static fr_status open_table(reader *r, const fr_load_options *options, fri_edge_list *edges) {
    bool weights = options->weights == FR_WEIGHTS_FILE;
    const char *end = r->text->data + r->text->size;
    r->table = (fri_table){.ctx = r->ctx, .text = r->text};
    if (options->id_base)
        return fri_fail(r->ctx, FR_INVALID, "ids that are strings have no base; remove id_base");
    fr_status status = fri_table_open(&r->table, options, true, weights);
    if (status)
        return status;
    if (fri_table_next_content(r->table.body, end) == end)
        return fri_input_fail(r->ctx, FR_FORMAT, r->text, r->table.body,
                              "the file contains no edge");
    if (!weights)
        fri_table_drop_weight(&r->table);
    edges->undirected = r->table.column[FRI_TABLE_TYPE] && r->table.undirected;
    r->format = (fri_named_format){.table = &r->table,
                                   .columns = r->table.chosen ? 0 : r->table.columns,
                                   .rounds = options->weight_type == FR_TYPE_F32 ||
                                             options->weight_type == FR_TYPE_F64};
    note_table(r, options, edges);
    return FR_OK;
}

/* ---- parsing --------------------------------------------------------------------------------- */

static fr_status make_region(reader *r, fri_region *region, const char *begin, const char *end,
                             int64_t lines) {
    size_t weight = r->table.column[FRI_TABLE_WEIGHT] ? sizeof(int64_t) : 0;
    *region = (fri_region){
        .at = begin, .end = end, .low = INT64_MAX, .high = INT64_MIN, .real = r->format.rounds};
    region->block.ends = fri_alloc(r->ctx, fri_bytes(lines, 2 * sizeof(int32_t)));
    region->block.weights = weight ? fri_alloc(r->ctx, fri_bytes(lines, weight)) : NULL;
    if (!region->block.ends || (weight && !region->block.weights))
        return FR_NOMEM;
    /* the context's address differs from run to run */
    return fri_name_table_new(r->ctx, (uint64_t)(uintptr_t)r->ctx, &region->names);
}

static fr_status make_regions(reader *r) {
    const char *begin = r->table.body, *end = r->text->data + r->text->size;
    int64_t max_regions = (end - begin) / SMALLEST_REGION;
    r->count = (int)FRI_MAX(1, FRI_MIN(r->ctx->threads, max_regions));
    r->regions = fri_calloc(r->ctx, fri_bytes(r->count, sizeof *r->regions));
    const char **cut = fri_alloc(r->ctx, fri_bytes(r->count + 1, sizeof *cut));
    int64_t *lines = fri_alloc(r->ctx, fri_bytes(r->count, sizeof *lines)), total = 0;
    fr_status status = r->regions && cut && lines ? FR_OK : FR_NOMEM;
    if (!status) {
        fri_scan_cut(begin, end, r->count, cut);
#pragma omp parallel for schedule(static, 1) num_threads(r->ctx->threads)
        for (int i = 0; i < r->count; i++)
            lines[i] = fri_scan_count_lines(cut[i], cut[i + 1]);
        for (int i = 0; i < r->count; i++)
            total += lines[i];
        status = fri_reserve_check(r->ctx, "the edges", fri_bytes(total, 2 * sizeof(int32_t)));
    }
    for (int i = 0; !status && i < r->count; i++)
        status = make_region(r, &r->regions[i], cut[i], cut[i + 1], lines[i]);
    fri_free(cut);
    fri_free(lines);
    return status;
}

/* Larger tables where they are full; *left counts the bytes that are not parsed. */
static fr_status grow_tables(reader *r, int64_t *left) {
    fr_status status = FR_OK;
    *left = 0;
    for (int i = 0; i < r->count && !status; i++) {
        fri_region *region = &r->regions[i];
        if (region->fault || region->at == region->end)
            continue;
        *left += region->end - region->at;
        status = fri_name_table_grow(r->ctx, &region->names);
    }
    return status;
}

static fr_status parse(reader *r) {
    int64_t total = r->text->data + r->text->size - r->table.body, left = total;
    fr_status status = FR_OK;
    while (!status && left > 0) {
#pragma omp parallel for schedule(static, 1) num_threads(r->count)
        for (int i = 0; i < r->count; i++)
            fri_region_parse(&r->format, &r->regions[i], ROUND);
        status = grow_tables(r, &left);
        if (!status)
            status = fri_progress(r->ctx, "reading", total - left, total);
    }
    return status;
}

/* What a fault says: of a column, and of a limit. */
static fr_status report(const reader *r, const fri_region *region) {
    static const struct {
        fr_status status;
        const char *text;
    } faults[] = {
        [FRI_NAME_MISSING] = {FR_FORMAT, "the line has no column %d"},
        [FRI_NAME_EMPTY] = {FR_FORMAT, "column %d is empty"},
        [FRI_NAME_BROKEN] = {FR_FORMAT, "column %d: a quote is not closed, or text follows it"},
        [FRI_NAME_LONG] = {FR_RANGE, "column %d: the name has more than %d bytes"},
        [FRI_NAME_CONTROL] = {FR_FORMAT, "column %d: the name contains a control character"},
        [FRI_NAME_NOT_UTF8] = {FR_FORMAT, "column %d: the name is not UTF-8"},
        [FRI_NAME_NO_NUMBER] = {FR_FORMAT, "column %d: the weight is no number"},
        [FRI_NAME_COMMA] =
            {FR_FORMAT,
             "column %d: the weight has a comma; if it is a decimal sign, set decimal comma"},
        [FRI_NAME_TYPE] = {FR_FORMAT, "column %d says something else than in the first line; "
                                      "direction decides for all"},
        [FRI_NAME_NOT_FINITE] = {FR_RANGE, "column %d: the weight is not a finite number"},
        [FRI_NAME_LARGE] =
            {FR_RANGE,
             "column %d: the weight does not fit int64; request float64 weights to round it"},
        [FRI_NAME_MORE_COLUMNS] = {FR_FORMAT,
                                   "column %d is in excess of the %d columns of the first line"},
    };
    if (!region->fault)
        return fri_input_fail(
            r->ctx, FR_RANGE, r->text,
            fri_table_place(&r->table, region->large_line, r->table.column[FRI_TABLE_WEIGHT]),
            "the weight is beyond 2^53, and other weights are not integers; request "
            "float64 weights to round it");
    const int limit = region->fault == FRI_NAME_LONG ? FRI_NAME_BYTES : r->format.columns;
    const char *at = fri_table_place(&r->table, region->fault_line, region->fault_column);
    return fri_input_fail(r->ctx, faults[region->fault].status, r->text, at,
                          faults[region->fault].text, region->fault_column, limit);
}

/* Reports the first fault in text order. */
static fr_status report_first_fault(const reader *r, bool *real) {
    *real = r->format.rounds;
    for (int i = 0; i < r->count; i++)
        *real |= r->regions[i].real;
    for (int i = 0; i < r->count; i++)
        if (r->regions[i].fault || (*real && r->regions[i].large_line))
            return report(r, &r->regions[i]);
    return FR_OK;
}

/* ---- the edges ------------------------------------------------------------------------------- */

/* Gives the weights of a region the type of all: int64 becomes double or int32, in place. */
static void convert_weights(fri_region *region, fr_type type) {
    int64_t *whole = region->block.weights;
    if (type == FR_TYPE_F64 && !region->real)
        for (int64_t i = 0; i < region->block.count; i++) {
            double value = (double)whole[i];
            memcpy(&whole[i], &value, sizeof value);
        }
    if (type == FR_TYPE_I32)
        for (int64_t i = 0; i < region->block.count; i++) {
            int32_t value = (int32_t)whole[i];
            memcpy((char *)whole + (size_t)i * sizeof value, &value, sizeof value);
        }
}

static fr_type weight_type(const reader *r, bool real) {
    int64_t low = 0, high = 0;
    if (!r->table.column[FRI_TABLE_WEIGHT])
        return FR_TYPE_NONE;
    for (int i = 0; i < r->count; i++) {
        low = FRI_MIN(low, r->regions[i].low);
        high = FRI_MAX(high, r->regions[i].high);
    }
    return real ? FR_TYPE_F64 : low >= INT32_MIN && high <= INT32_MAX ? FR_TYPE_I32 : FR_TYPE_I64;
}

static fr_status number_vertices(reader *r, fri_edge_list *edges) {
    r->tables = fri_alloc(r->ctx, fri_bytes(r->count, sizeof *r->tables));
    r->number = fri_calloc(r->ctx, fri_bytes(r->count, sizeof *r->number));
    if (!r->tables || !r->number)
        return FR_NOMEM;
    for (int i = 0; i < r->count; i++)
        r->tables[i] = r->regions[i].names;
    fr_status status = fri_names_merge(r->ctx, r->tables, r->count, r->number, &edges->ids.names);
    if (!status)
        edges->n = edges->ids.names->n;
    return status;
}

static void renumber(const reader *r) {
    for (int i = 1; i < r->count; i++) {
        const fri_edge_block *block = &r->regions[i].block;
        const int32_t *number = r->number[i];
#pragma omp parallel for schedule(static) num_threads(r->ctx->threads)
        for (int64_t e = 0; e < 2 * block->count; e++)
            block->ends[e] = number[block->ends[e]];
    }
}

/* Moves the blocks of all regions to `edges`. */
static fr_status move_blocks(reader *r, fri_edge_list *edges, bool real) {
    edges->blocks = fri_calloc(r->ctx, fri_bytes(r->count, sizeof *edges->blocks));
    if (!edges->blocks)
        return FR_NOMEM;
    edges->block_count = r->count;
    edges->weight_type = weight_type(r, real);
#pragma omp parallel for schedule(static, 1) num_threads(r->count)
    for (int i = 0; i < r->count; i++) {
        if (edges->weight_type)
            convert_weights(&r->regions[i], edges->weight_type);
        edges->blocks[i] = r->regions[i].block;
        r->regions[i].block = (fri_edge_block){0};
    }
    return FR_OK;
}

static void close_reader(reader *r) {
    for (int i = 0; r->regions && i < r->count; i++) {
        fri_free(r->regions[i].block.ends);
        fri_free(r->regions[i].block.weights);
        fri_name_table_free(&r->regions[i].names);
    }
    if (r->number)
        fri_free(r->number[0]);
    fri_free(r->number);
    fri_free(r->tables);
    fri_free(r->regions);
}

fr_status fri_named_edges_read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                               fri_edge_list *edges) {
    reader r = {.ctx = ctx, .text = text};
    bool real = false;
    fr_status status = open_table(&r, options, edges);
    if (!status)
        status = make_regions(&r);
    if (!status)
        status = parse(&r);
    if (!status)
        status = report_first_fault(&r, &real);
    if (!status)
        status = number_vertices(&r, edges);
    if (!status) {
        renumber(&r);
        status = move_blocks(&r, edges, real);
    }
    close_reader(&r);
    return status;
}
