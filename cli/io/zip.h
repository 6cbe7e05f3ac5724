/* Writes a zip archive without compression, as .npz files are. Every entry has sizes of 64 bits, and its checksum
 * follows its data, so that the archive is written in one pass. */
#ifndef CLI_ZIP_H
#define CLI_ZIP_H

#include "output_file.h"

#include <stdint.h>

enum { ZIP_MAX_ENTRIES = 8, ZIP_MAX_NAME = 32 };

typedef struct zip {
    output_file *to;
    uint64_t at;         /* bytes written */
    uint32_t table[256]; /* of the checksum of a byte */
    int count;
    struct zip_entry {
        char name[ZIP_MAX_NAME];
        uint64_t begin, bytes;
        uint32_t checksum;
    } entries[ZIP_MAX_ENTRIES];
} zip;

void zip_open(zip *z, output_file *to);
void zip_begin(zip *z, const char *name); /* an entry, whose data follow */
void zip_put(zip *z, const void *data, size_t bytes);
void zip_end(zip *z);    /* of the entry */
void zip_finish(zip *z); /* the directory */

#endif
