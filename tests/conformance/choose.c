#include "conformance/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cf_list_rows(fr_problem problem, int argc, char **argv) {
    fr_strategy_info row;
    if (argc < 2 || strcmp(argv[1], "--rows") != 0)
        return false;
    for (int r = 0; cf_row(problem, r, &row); r++)
        printf("%s\n", row.name);
    return true;
}

bool cf_shape_chosen(const char *shape, int argc, char **argv) {
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], shape) == 0)
            return true;
    return argc <= 2;
}

int cf_reduced(void) {
    const char *text = getenv("FRINGE_REDUCED");
    int most = text ? atoi(text) : 0;
    return most > 0 ? most : 0;
}
