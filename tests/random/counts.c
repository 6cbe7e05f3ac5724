/* How many calls there were, by call or strategy and option. */
#include "case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 256, COLUMNS = 128 };

static struct row {
    char what[96];
    uint64_t calls, refused, with[COLUMNS];
} rows[ROWS];
static const char *columns[COLUMNS];
static int row_count, column_count;
static uint64_t total;

static struct row *row_of(const char *what) {
    for (int i = 0; i < row_count; i++)
        if (strcmp(rows[i].what, what) == 0)
            return &rows[i];
    struct row *made = &rows[row_count < ROWS - 1 ? row_count++ : ROWS - 1];
    snprintf(made->what, sizeof made->what, "%s", what);
    return made;
}

static int column_of(const char *name) {
    for (int i = 0; i < column_count; i++)
        if (strcmp(columns[i], name) == 0)
            return i;
    columns[column_count] = name;
    return column_count < COLUMNS - 1 ? column_count++ : column_count;
}

void ri_count_case(const ri_case *c) {
    struct row *row = row_of(c->what[0] ? c->what : c->call->name);
    const ri_option *option;
    row->calls += (uint64_t)c->rounds;
    row->refused += c->refused;
    total += (uint64_t)c->rounds;
    for (int block = 0; block <= c->rounds; block++)
        for (int i = 0; (option = ri_option_of(c->call, i)); i++)
            if (ri_is_set(c, block, i))
                row->with[column_of(option->name)]++;
}

uint64_t ri_counted(void) { return total; }

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct row *)a)->what, ((const struct row *)b)->what);
}

void ri_print_counts(FILE *out, bool full) {
    qsort(rows, (size_t)row_count, sizeof *rows, by_name);
    fprintf(out, "calls\trefused\twhat%s\n", full ? "\toptions" : "");
    for (int i = 0; i < row_count; i++) {
        fprintf(out, "%" PRIu64 "\t%" PRIu64 "\t%s", rows[i].calls, rows[i].refused, rows[i].what);
        for (int j = 0; full && j < column_count; j++)
            if (rows[i].with[j])
                fprintf(out, "\t%s=%" PRIu64, columns[j], rows[i].with[j]);
        fprintf(out, "\n");
    }
    fprintf(out, "options:");
    for (int j = 0; j < column_count; j++) {
        uint64_t sum = 0;
        for (int i = 0; i < row_count; i++)
            sum += rows[i].with[j];
        fprintf(out, " %s %" PRIu64, columns[j], sum);
    }
    fprintf(out, "\n");
}
