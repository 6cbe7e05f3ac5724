/* The head of a .npy file (NEP 1, version 1.0): magic, length, a Python dict padded to 64 bytes. */
#ifndef FRI_IO_NPY_HEAD_H
#define FRI_IO_NPY_HEAD_H

#include "base/base.h"

enum {
    FRI_NPY_DESCR_ROOM = 8192, /* of the text of the type, with its NUL */
    FRI_NPY_HEAD_ROOM = FRI_NPY_DESCR_ROOM + 256
};

/* Writes the head of an array of `count` entries, or of count x columns where columns >= 0, and
 * returns its bytes: at most FR_NPY_HEAD_ROOM if descr is short. descr: the type as in Python, quotes
 * or list included. */
size_t fri_npy_head(char *head, const char *descr, int64_t count, int64_t columns);

const char *fri_npy_type(fr_type type); /* "<i4" */

#endif
