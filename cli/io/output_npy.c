/* The header of a .npy file (NEP 1, version 1.0): magic, header length, a Python dict padded to 64 bytes. */
#include "answer.h"

#include <string.h>

size_t npy_head(char *head, const char *dtype, const char *shape) {
    enum { BLOCK = 64, FIXED = 10, MOST = NPY_HEAD_ROOM - FIXED };
    char *text = head + FIXED;
    int length = snprintf(text, MOST - BLOCK,
                          "{'descr': %s, 'fortran_order': False, 'shape': %s, }", dtype, shape);
    int whole = (FIXED + length + 1 + BLOCK - 1) / BLOCK * BLOCK;
    memset(text + length, ' ', (size_t)(whole - FIXED - length));
    text[whole - FIXED - 1] = '\n';
    memcpy(head, "\x93NUMPY\x01\0", FIXED - 2);
    head[8] = (char)((whole - FIXED) & 255);
    head[9] = (char)((whole - FIXED) >> 8);
    return (size_t)whole;
}

void npy_header(output_file *out, const char *dtype, const char *shape) {
    char head[NPY_HEAD_ROOM];
    output_file_put(out, head, npy_head(head, dtype, shape));
}

const char *npy_type(fr_type type) {
    static const char *const names[] = {"", "'<i4'", "'<i8'", "'<f4'", "'<f8'"};
    return names[type];
}
