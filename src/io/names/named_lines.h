/* Parses the lines of one region of a text whose ids are strings; io/names/named_edges.c distributes the
 * regions to its threads. */
#ifndef FRI_IO_NAMED_LINES_H
#define FRI_IO_NAMED_LINES_H

#include "base/edge_list.h"
#include "io/names/name_table.h"
#include "io/text/table.h"

typedef enum fri_name_fault {
    FRI_NAME_OK,
    FRI_NAME_MISSING, /* the line has no such column */
    FRI_NAME_EMPTY,
    FRI_NAME_BROKEN, /* see fri_field */
    FRI_NAME_LONG,
    FRI_NAME_CONTROL,
    FRI_NAME_NOT_UTF8,
    FRI_NAME_NO_NUMBER,    /* the weight is no number */
    FRI_NAME_COMMA,        /* but one with a comma */
    FRI_NAME_TYPE,         /* another one than in the first line */
    FRI_NAME_NOT_FINITE,   /* the weight is NaN or infinite as a double */
    FRI_NAME_LARGE,        /* an integral weight does not fit int64 */
    FRI_NAME_MIXED,        /* an integral weight beyond 2^53 among others */
    FRI_NAME_MORE_COLUMNS, /* than the first line has */
} fri_name_fault;

/* What all regions have in common. */
typedef struct fri_named_format {
    const fri_table *table;
    int columns; /* the most that a line has; 0: any number */
    bool rounds; /* weights are double, and integers may be rounded */
} fri_named_format;

/* The weights of a region are int64 until one is no integer, then double. */
typedef struct fri_region {
    const char *at, *end; /* what is not parsed yet */
    fri_name_table names;
    fri_edge_block block; /* ends: numbers of names; capacity: the lines of the region */
    bool real;
    int64_t low, high;      /* the integers among the weights; low > high: none */
    const char *large_line; /* the first one beyond 2^53; NULL: none */
    fri_name_fault fault;   /* why parsing stopped */
    const char *fault_line;
    int fault_column;
} fri_region;

/* Parses up to `bytes` more; stops earlier if the table of names is full. */
void fri_region_parse(const fri_named_format *format, fri_region *region, size_t bytes);

#endif
