/* Parses one chunk of a text of lines "id id [columns]"; io/text/edge_lines.c distributes the chunks to
 * its threads. */
#ifndef FRI_IO_EDGE_LINES_CHUNK_H
#define FRI_IO_EDGE_LINES_CHUNK_H

#include "io/text/edge_lines.h"

#include <stdatomic.h>

typedef enum fri_parse_result {
    FRI_PARSE_OK,
    FRI_PARSE_WIDER_IDS,     /* an id needs int64 */
    FRI_PARSE_WIDER_WEIGHTS, /* a weight needs int64 */
    FRI_PARSE_REAL_WEIGHTS,  /* a weight needs double */
    FRI_PARSE_BLOCK_FULL,    /* more lines than predicted */
    FRI_PARSE_STOPPED,       /* another chunk's result made this one invalid */
    FRI_PARSE_FAILED
} fri_parse_result;

typedef enum fri_parse_fault {
    FRI_FAULT_NO_PREFIX,
    FRI_FAULT_NO_ID,
    FRI_FAULT_ID_RANGE,
    FRI_FAULT_ID_OVERFLOW,
    FRI_FAULT_NO_SEPARATOR,
    FRI_FAULT_NO_WEIGHT,
    FRI_FAULT_WEIGHT_RANGE,
    FRI_FAULT_WEIGHT_LARGE, /* an integer beyond int64 */
    FRI_FAULT_WEIGHT_MIXED, /* an integer beyond 2^53 while other weights are not integers */
    FRI_FAULT_NOT_INTEGER,
    FRI_FAULT_TRAILING,
    FRI_FAULT_MORE_COLUMNS,
    FRI_FAULT_EMPTY_COLUMN,
    FRI_FAULT_COMMA /* and more columns; perhaps a decimal one */
} fri_parse_fault;

typedef struct fri_edge_lines_chunk {
    const char *begin, *end;
    int64_t lines; /* capacity of the block in lines */
    fri_edge_block *block;
    int64_t low, high;
    fri_parse_result verdict;
    /* after a failure: its position and details */
    const char *at;
    fri_parse_fault fault;
    const char *which; /* name of the id; NULL: the weight */
    int64_t id;
} fri_edge_lines_chunk;

typedef struct fri_edge_lines_job {
    fr_ctx *ctx;
    const fri_input *text;
    const fri_edge_line_format *format;
    fri_edge_lines_chunk *chunks;
    int count;
    bool wide_ids;
    fri_weight_kind value;
    bool forced_real; /* value is REAL because of a non-integer weight: integers are limited to
                         2^53 */
    atomic_bool stop; /* a chunk found something that invalidates the other chunks, or the user
                         cancelled */
} fri_edge_lines_job;

/* Parses one chunk into its block (of capacity chunk->lines) and fills the remaining members of the
 * chunk. */
fri_parse_result fri_edge_lines_chunk_parse(const fri_edge_lines_job *job,
                                            fri_edge_lines_chunk *chunk);

/* The lines that the block of a chunk is to hold, from samples. */
int64_t fri_edge_lines_expect(const char *begin, const char *end);
/* Allocates the block of a chunk for its number of lines. */
fr_status fri_edge_lines_allocate(const fri_edge_lines_job *job, const fri_edge_lines_chunk *chunk);

/* Parses a text of which only the head is decompressed (text->rest), from `begin`, while the rest is
 * decompressed. Sets job->chunks and the blocks of edges. Any failure, which has no message, and what needs a
 * wider representation, requires the whole text. */
fr_status fri_edge_lines_stream(fri_edge_lines_job *job, const char *begin, fri_edge_list *edges);

#endif
