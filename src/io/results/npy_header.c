#include "io/results/npy_header.h"

#include <stdio.h>
#include <string.h>

size_t fri_npy_header(char *header, const char *descr, int64_t count, int64_t columns) {
    enum { BLOCK = 64, FIXED = 10 };
    char *text = header + FIXED, second[24] = "";
    if (columns >= 0)
        snprintf(second, sizeof second, " %lld", (long long)columns);
    int length = sprintf(text, "{'descr': %s, 'fortran_order': False, 'shape': (%lld,%s), }", descr,
                         (long long)count, second);
    int whole = (FIXED + length + 1 + BLOCK - 1) / BLOCK * BLOCK;
    memset(text + length, ' ', (size_t)(whole - FIXED - length));
    text[whole - FIXED - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01\0", FIXED - 2);
    header[8] = (char)((whole - FIXED) & 255);
    header[9] = (char)((whole - FIXED) >> 8);
    return (size_t)whole;
}

const char *fri_npy_type(fr_type type) {
    static const char *const names[] = {"", "<i4", "<i8", "<f4", "<f8"};
    return names[type];
}

size_t fr_npy_header(char header[FR_NPY_HEADER_CAPACITY], fr_type type, int64_t rows,
                     int64_t columns) {
    char descr[8];
    snprintf(descr, sizeof descr, "'%s'", fri_npy_type(type));
    return fri_npy_header(header, descr, rows, columns);
}
