/* Formats that are not read, so that a file of one is called by its name. */
#ifndef FRI_FOREIGN_H
#define FRI_FOREIGN_H

#include "io/text.h"

/* The name of the format that the text opens like; NULL: none that is known. */
const char *fri_foreign_name(const fri_text *text);

#endif
