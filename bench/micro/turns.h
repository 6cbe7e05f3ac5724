/* The harness of the measuring programs: what is compared takes turns, a figure is the median of its
 * measurements with its spread, and a program prints one JSON object per line. A program ends at its first
 * failure. */
#ifndef FRINGE_BENCH_TURNS_H
#define FRINGE_BENCH_TURNS_H

#include "fringe.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- measuring ----------------------------------------------------------------------------- */

double now_ms(void);

/* One of the things that take turns. */
typedef struct turn {
    /* One measurement; returns its figure, usually in ms. Round -1 warms. `what` is this turn's. */
    double (*run)(void *what, int round);
    void *what;
    double *values; /* [count] figures in the order of the rounds, from take_turns */
    int count;
} turn;

/* Warms each, then runs them in turns for `rounds` rounds, or until limit_ms are over (0: no limit). The first
 * begins each round, to be compared with; of the others each is next as often. */
void take_turns(turn *turns, int count, int rounds, double limit_ms);
void turns_free(turn *turns, int count);
double median(const double *values, int count); /* does not sort them; 0 for none */

/* ---- output: one JSON object per line ------------------------------------------------------ */

void line_begin(void);
void line_text(const char *key, const char *value); /* NULL: left out */
void line_count(const char *key, int64_t value);
void line_number(const char *key, double value);
void line_flag(const char *key, bool value);
void line_values(const char *key, const double *values, int count);
/* Their median, and as KEY_spread the least, the quartiles and the greatest. */
void line_spread(const char *key, const double *values, int count);
void line_end(void); /* flushes: a run that is cut off keeps what it has measured */

/* ---- what the programs need of the library ------------------------------------------------- */

enum { MAX_DEVICES = 16 };

/* Ends the program with the context's message (ctx NULL: the status's) unless status is FR_OK. */
void need(const fr_ctx *ctx, fr_status status);
void *need_memory(size_t bytes);
_Noreturn void give_up(const char *what);

fr_ctx *open_threads(int threads); /* 0: all */
fr_ctx *open_devices(int count);   /* the first GPUs */
/* A file, or what a generator makes of the text. */
fr_graph *open_graph(fr_ctx *ctx, const char *text, const fr_load_options *options);

/* "none", "LOW,HIGH" or "LOW,HIGH,POTENTIAL"; false for anything else. */
bool read_weights(const char *text, fr_load_options *load);

uint64_t draw(uint64_t *state); /* splitmix64 */
/* At most `count` random vertices that have edges, and, if a solver is given, reach a tenth of the graph;
 * returns how many. */
int random_sources(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver, uint64_t seed,
                   int32_t *sources, int count);
/* `count` vertices that have edges, evenly spaced. */
void spaced_sources(const fr_graph *graph, int32_t *sources, int count);

/* Whether the answer from one source is right: levels or distances as fr_solve gave them to `values`, and
 * parents. Prints why not. */
bool is_right(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver, fr_problem problem,
              int32_t source, const void *values, const int32_t *parent);

#endif
