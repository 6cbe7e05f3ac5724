/* Where a command writes its answer, and in which format. The library writes tsv, npy and graphalytics itself; for
 * csv, json, ndjson and npz it writes tsv or npy to a stream, which becomes the file here. */
#ifndef CLI_RESULT_SINK_H
#define CLI_RESULT_SINK_H

#include "result_text.h"
#include "zip.h"
#include "cli/session.h"

/* The format of the file of -o: that of --format, else that of its suffix; NULL after printing a usage failure: no
 * such format, or none of `allowed`, names divided by blanks. */
const char *result_format(const settings *s, const char *allowed);
/* Those of a table; a traversal also has graphalytics, and what has a list of vertices in a row only RESULT_LINES. */
#define RESULT_LINES "tsv csv json ndjson"
#define RESULT_TABLE RESULT_LINES " npy npz"
bool result_is(const settings *s, const char *format); /* after result_format accepted it */

typedef struct result_sink {
    const session *x;
    FILE *stream; /* NULL: the library writes the file */
    output_file file;
    zip archive;
    result_text text;
    bool is_archive;
} result_sink;

int result_sink_open(result_sink *k, const session *x); /* exit code */
/* Where the library writes. The array of an archive that it writes gets the name. */
fr_output result_sink_output(result_sink *k, const char *array);
/* An array of vertices, `count` of them or all (NULL), by id or name. Not an archive: does nothing. */
fr_status result_sink_vertices(result_sink *k, const char *array, const int32_t *vertices,
                               int64_t count);
/* The same of a matrix [rows][columns], where no vertex is -1, of names "". */
fr_status result_sink_vertex_matrix(result_sink *k, const char *array, const int32_t *vertices,
                                    int64_t rows, int64_t columns);
/* Keeps the file if `status` is FR_OK. Returns an exit code; prints a failure of the file, not the status. */
int result_sink_close(result_sink *k, fr_status status);

#endif
