/* The header of a .npy file (NEP 1, version 1.0): magic, length, a Python dict padded to 64 bytes. */
#ifndef FRI_IO_NPY_HEADER_H
#define FRI_IO_NPY_HEADER_H

#include "base/base.h"

enum {
    FRI_NPY_DESCR_CAPACITY = 8192, /* of the text of the type, with its NUL */
    FRI_NPY_HEADER_CAPACITY = FRI_NPY_DESCR_CAPACITY + 256
};

/* Writes the header of an array of `count` entries, or of count x columns where columns >= 0, and
 * returns its bytes: at most FR_NPY_HEADER_CAPACITY if descr is short. descr: the type as in Python, quotes
 * or list included. */
size_t fri_npy_header(char *header, const char *descr, int64_t count, int64_t columns);

const char *fri_npy_type(fr_type type); /* "<i4" */

#endif
