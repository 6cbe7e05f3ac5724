/* The first lines of a file of the KONECT collection. */
#ifndef FRI_IO_FORMATS_KONECT_H
#define FRI_IO_FORMATS_KONECT_H

#include "io/input.h"

typedef struct fri_konect {
    bool found;
    bool undirected, bipartite;
    bool weighted; /* column 3 has weights */
    bool
        multiplicities; /* column 3 may count parallel edges, of which the second line counts all */
    bool dynamic;       /* edges appear and vanish */
    int64_t edges;      /* as the second line says; -1: not declared */
    int64_t left, right; /* vertices of each side; right: -1 if the two are the same */
    const char *counts;  /* the second line */
} fri_konect;

fri_konect fri_konect_read(const fri_input *text);

#endif
