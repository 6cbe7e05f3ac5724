/* Idle solvers of the one-call forms: fr_bfs, fr_sssp and fr_apsp keep their solver for the next
 * call with the same context, graph and problem.
 *
 * Lifetime: an idle solver is freed with its context or its graph, whichever is freed first, by the
 *   thread that frees it. The list belongs to the context and to every graph that has a solver in
 *   it, and has a lock, since a graph may be freed by a thread that does not use the context. The
 *   lock is held while solvers are freed, so that the context exists until they are. Freeing an
 *   idle solver waits for no graph's lock.
 * Memory: at most FRI_MAX_IDLE_SOLVERS per context; all of them are freed before an allocation of the
 *   context fails, on the host or the device.
 * A context with the caller's allocator keeps none: only its own thread may call that. */
#ifndef FRI_CORE_IDLE_SOLVERS_H
#define FRI_CORE_IDLE_SOLVERS_H

#include "core/solver.h"

enum { FRI_MAX_IDLE_SOLVERS = 8 };

/* An idle solver, which then belongs to the caller; NULL: there is none. */
fr_solver *fri_idle_solver_take(fr_ctx *ctx, const fr_graph *graph, fr_problem problem);
/* Keeps the solver, or frees it. */
void fri_idle_solver_put(fr_solver *solver);

#endif
