/* Runs units in rounds. In each round every block runs a few units, then all members wait at a
 * barrier, so that the calling thread can report progress and one thread at a time uses an
 * accumulator. */
#include "cpu/centrality/units.h"

#include "base/pace.h"
#include "base/team.h"

enum { ROUND_WORK = 1 << 18 }; /* vertices and edges per block and round */

typedef struct {
    int64_t units, work, share; /* share: units of a block in a round */
    int blocks;
    fri_unit_fn run;
    void *arg;
    fri_pace pace;
    struct {
        _Alignas(FRI_CACHE_LINE) int64_t cursor;
    } round[2]; /* in turns: blocks of a round that are taken */
} runner;

static void run_rounds(fri_member me, void *arg) {
    runner *r = arg;
    int at = 0;
    for (int64_t first = 0; first < r->units; first += r->blocks * r->share, at ^= 1) {
        /* here: the calling thread may get no block */
        fri_pace_stop_team(&r->pace, me.index == 0, r->work, first);
        int64_t block, next;
        while (fri_team_next_chunk(&r->round[at].cursor, r->blocks, 1, &block, &next)) {
            const int64_t begin = first + block * r->share,
                          end = FRI_MIN(r->units, begin + r->share);
            for (int64_t i = begin;
                 i < end && !fri_pace_stop_team(&r->pace, me.index == 0, r->work, begin); i++)
                r->run(r->arg, &r->pace, me.index, (int)block, i);
        }
        if (me.index == 0)
            r->round[at ^ 1].cursor = 0;
        fri_team_barrier(me); /* a block's next units follow these; the other cursor is 0 */
    }
}

fr_status fri_units_run(fr_ctx *ctx, const char *phase, int64_t units, int64_t work,
                        fri_unit_fn run, void *arg) {
    const int blocks = fri_unit_blocks(units);
    const int64_t share = FRI_MAX(1, ROUND_WORK / FRI_MAX(1, work));
    runner r = {.units = units,
                .work = work,
                .share = FRI_MIN(share, (units + blocks - 1) / blocks),
                .blocks = blocks,
                .run = run,
                .arg = arg,
                .pace = fri_pace_begin(ctx, phase, units)};
    const int64_t ns = units < INT64_MAX / FRI_MAX(1, 2 * work) ? 2 * units * work : INT64_MAX;
    fri_team_run(ctx, fri_threads_for(ctx, fri_unit_threads(ctx, units), ns), run_rounds, &r);
    return r.pace.status;
}

void fri_units_add(const fr_ctx *ctx, const double *part, int blocks, int64_t count, double *sum) {
#pragma omp parallel for num_threads(fri_threads_for(ctx, ctx->threads, count *blocks / 2))
    for (int64_t v = 0; v < count; v++) {
        double total = 0;
        for (int b = 0; b < blocks; b++)
            total += part[b * count + v];
        sum[v] = total;
    }
}
