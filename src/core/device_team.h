/* Divides the rows of a query among several GPUs of one host. Each GPU has a copy of the graph
 * and a solver of the same strategy, or several where the strategy says that these take less time, each with a part
 * of the multiprocessors; no data pass between GPUs. */
#ifndef FRI_CORE_DEVICE_TEAM_H
#define FRI_CORE_DEVICE_TEAM_H

#include "core/solver.h"

/* Sets *peer to a further context, index > 0: of ctx->devices[index], and from device_count on of the same again. `ctx` keeps it, because opening a GPU
 * takes long. The thread of `ctx`, or one thread for it, uses it. */
fr_status fri_device_peer(fr_ctx *ctx, int index, fr_ctx **peer);

/* Sets s->team if the context names further GPUs and the strategy of `s` solves rows separately
 * on a GPU; otherwise leaves it NULL. `s` is ready for queries. A second call changes nothing. */
fr_status fri_device_team_make(fr_solver *s);

/* The rows 0 .. rows - 1 that GPUs take in parts, `next` being the first that is left. Each part is a call of
 * its own: the first ones are large, the last ones small, so that all GPUs end at about the same time. A part
 * is `sixteenths` of a GPU's share of the units of `unit` rows that are left before `whole`, rounded up; the
 * GPUs share the rows after that. */
typedef struct fri_row_parts {
    int64_t rows, unit, whole, next;
    int devices, sixteenths;
} fri_row_parts;
/* APSP. A GPU takes nearly as long for a part of a batch as for all of its `at_once` rows, so the units are
 * whole batches while each GPU gets as many. The last four per GPU are parts of one batch, since batches differ in
 * time; parts before these have several, since a call has a cost of its own. */
fri_row_parts fri_cut_rows_by_batches(int64_t rows, int64_t at_once, int devices);
/* Units of `at_once` rows, unless that leaves a GPU without any. Parts are large: a call overlaps the copies
 * of a row with the next row. */
fri_row_parts fri_cut_rows_evenly(int64_t rows, int64_t at_once, int devices);
/* Takes the next part: sets *first to its first row; returns its rows, 0 after the last part. */
int64_t fri_next_row_part(fri_row_parts *parts, int64_t *first);

#endif
