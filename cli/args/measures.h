/* The measures of fringe centrality, by name. */
#ifndef CLI_MEASURES_H
#define CLI_MEASURES_H

#include "cli/cli.h"

typedef enum measure {
    MEASURE_BETWEENNESS,
    MEASURE_CLOSENESS,
    MEASURE_HARMONIC,
    MEASURE_ECCENTRICITY,
    MEASURE_DIAMETER
} measure;

static const choice measures[] = {
    {"betweenness", MEASURE_BETWEENNESS}, {"closeness", MEASURE_CLOSENESS},
    {"harmonic", MEASURE_HARMONIC},       {"eccentricity", MEASURE_ECCENTRICITY},
    {"diameter", MEASURE_DIAMETER},       {0}};

#endif
