/* Formats that are not read, so that a file of one is called by its name. */
#ifndef FRI_IO_FORMATS_UNREADABLE_H
#define FRI_IO_FORMATS_UNREADABLE_H

#include "io/input.h"

/* The name of the format that the text opens like; NULL: none that is known. */
const char *fri_unreadable_format_name(const fri_input *text);

#endif
