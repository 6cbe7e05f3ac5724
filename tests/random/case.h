/* Cases as a whole: copies and text. For main.c and shrink.c. */
#ifndef RANDOM_CASE_H
#define RANDOM_CASE_H

#include "random.h"

void *ri_need(size_t bytes); /* zeroed; aborts without memory */
void ri_case_copy(ri_case *to, const ri_case *from);
bool ri_is_set(const ri_case *c, int block, int option); /* block 0: of the case; 1 + round */
const ri_call *ri_call_named(const char *name);          /* NULL: none */
void ri_prepare_calls(void);                 /* names of options that are found at run time */
bool ri_call_is_chosen(const ri_call *call); /* by ri_chosen.only */

void ri_write_case(FILE *out, const ri_case *c);
void ri_write_edges(FILE *out, const ri_graph *g); /* an edge list: one line each */
bool ri_read_case(FILE *in, ri_case *c);           /* false: a message is on standard error */

/* Draws case `number` of the run (draw.c). only: a call's name, "problem/strategy", or NULL. */
typedef struct ri_choice {
    const char *only;
    fr_backend backend; /* FR_BACKEND_ANY: each that is there */
    int fault;          /* fault.c */
    bool large;         /* sizes past the thresholds of strategies are drawn, too */
} ri_choice;
extern ri_choice ri_chosen;
void ri_draw_case(ri_case *c, uint64_t seed, uint64_t number);
void ri_draw_graph(ri_rng *rng, ri_graph *g);
void ri_draw_weights(ri_rng *rng, ri_graph *g);
void ri_draw_frame(ri_case *c, ri_rng *rng); /* context.c: options of the frame */

typedef enum ri_verdict { RI_FINE, RI_WRONG, RI_CRASH, RI_HANG } ri_verdict;
ri_verdict ri_run_case(ri_case *c); /* RI_FINE or RI_WRONG, c->why; frees what the run took */

/* counts.c */
void ri_count_case(const ri_case *c);
void ri_print_counts(FILE *out, bool full);
uint64_t ri_counted(void);

/* watchdog.c: starts the thread; `name` and `number` of the case that runs are printed on a crash or after
 * `patience` seconds in one call, then `after` runs, which does not return. */
void ri_watchdog_start(double patience, void (*after)(ri_verdict how));

/* shrink.c: makes the case smaller while a process of its own (this program with --worker) fails alike. Writes the
 * case and its edges into `folder`. */
void ri_shrink(const ri_case *c, ri_verdict how, double seconds, double patience,
               const char *folder);
int ri_worker(void); /* of the smaller cases: paths from standard input */

#endif
