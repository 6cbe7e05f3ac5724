/* Known formats that are not supported, so that a message can name the format of a file. */
#ifndef FRI_IO_FORMATS_UNREADABLE_H
#define FRI_IO_FORMATS_UNREADABLE_H

#include "io/input.h"

/* The name of the format that the text starts like; NULL: none is recognized. */
const char *fri_unreadable_format_name(const fri_input *text);

#endif
