/* Source: APPNOTE.TXT, ".ZIP File Format Specification", version 6.3.10: sections 4.3.7 (local header), 4.3.9 (data
 * descriptor), 4.3.12 to 4.3.16 (directory), 4.5.3 (sizes of 64 bits). */
#include "zip.h"

#include <string.h>

enum {
    VERSION = 45,         /* the first with sizes of 64 bits */
    FLAGS = 0x0808,       /* the checksum follows the data; names are UTF-8 */
    NEW_YEAR_1980 = 0x21, /* equal answers are equal files */
};
static const uint32_t checksum_poly = 0xedb88320; /* reflected */

static uint32_t checksum(const zip *z, uint32_t sum, const unsigned char *at, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        sum = sum >> 8 ^ z->table[(sum ^ at[i]) & 255];
    return sum;
}

void zip_open(zip *z, output_file *to) {
    *z = (zip){.to = to};
    for (uint32_t b = 0; b < 256; b++) {
        z->table[b] = b;
        for (int bit = 0; bit < 8; bit++)
            z->table[b] = z->table[b] >> 1 ^ (z->table[b] & 1 ? checksum_poly : 0);
    }
}

/* Appends the lowest `bytes` bytes of the value. */
static void put(zip *z, uint64_t value, size_t bytes) {
    output_file_put(z->to, &value, bytes);
    z->at += bytes;
}

static void put_text(zip *z, const char *text) {
    output_file_put(z->to, text, strlen(text));
    z->at += strlen(text);
}

/* What a local header and the directory have in common. */
static void put_kind(zip *z, const struct zip_entry *e, uint32_t sum, uint64_t extra) {
    put(z, VERSION, 2);
    put(z, FLAGS, 2);
    put(z, 0, 2); /* stored */
    put(z, 0, 2); /* midnight */
    put(z, NEW_YEAR_1980, 2);
    put(z, sum, 4);
    put(z, UINT32_MAX, 4); /* both sizes are in the extra field */
    put(z, UINT32_MAX, 4);
    put(z, strlen(e->name), 2);
    put(z, extra + 4, 2);
}

static void put_sizes(zip *z, uint64_t bytes, uint64_t extra) {
    put(z, 1, 2); /* the extra field of 64-bit sizes */
    put(z, extra, 2);
    put(z, bytes, 8);
    put(z, bytes, 8);
}

void zip_begin(zip *z, const char *name) {
    struct zip_entry *e = &z->entries[z->count++];
    *e = (struct zip_entry){.begin = z->at, .checksum = UINT32_MAX};
    snprintf(e->name, sizeof e->name, "%s", name);
    put(z, 0x04034b50, 4);
    put_kind(z, e, 0, 16);
    put_text(z, e->name);
    put_sizes(z, 0, 16);
}

void zip_put(zip *z, const void *data, size_t bytes) {
    struct zip_entry *e = &z->entries[z->count - 1];
    e->checksum = checksum(z, e->checksum, data, bytes);
    e->bytes += bytes;
    z->at += bytes;
    output_file_put(z->to, data, bytes);
}

void zip_end(zip *z) {
    struct zip_entry *e = &z->entries[z->count - 1];
    e->checksum = ~e->checksum;
    put(z, 0x08074b50, 4);
    put(z, e->checksum, 4);
    put(z, e->bytes, 8);
    put(z, e->bytes, 8);
}

static void put_directory_entry(zip *z, const struct zip_entry *e) {
    put(z, 0x02014b50, 4);
    put(z, VERSION, 2);
    put_kind(z, e, e->checksum, 24);
    put(z, 0, 2 + 2 + 2);  /* no comment, one disk */
    put(z, 0, 4);          /* attributes */
    put(z, UINT32_MAX, 4); /* where it begins is in the extra field */
    put_text(z, e->name);
    put_sizes(z, e->bytes, 24);
    put(z, e->begin, 8);
}

void zip_finish(zip *z) {
    const uint64_t begin = z->at;
    for (int i = 0; i < z->count; i++)
        put_directory_entry(z, &z->entries[i]);
    const uint64_t end = z->at, bytes = end - begin, count = (uint64_t)z->count;
    put(z, 0x06064b50, 4);
    put(z, 44, 8); /* bytes that follow in this record */
    put(z, VERSION, 2);
    put(z, VERSION, 2);
    put(z, 0, 8); /* one disk */
    put(z, count, 8);
    put(z, count, 8);
    put(z, bytes, 8);
    put(z, begin, 8);
    put(z, 0x07064b50, 4); /* where that record is */
    put(z, 0, 4);
    put(z, end, 8);
    put(z, 1, 4);
    put(z, 0x06054b50, 4);
    put(z, 0, 4);
    put(z, count, 2);
    put(z, count, 2);
    put(z, UINT32_MAX, 4);
    put(z, UINT32_MAX, 4);
    put(z, 0, 2); /* no comment */
}
