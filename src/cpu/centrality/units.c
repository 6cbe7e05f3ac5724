/* Runs units in rounds. In each round every block runs a few units, then all threads wait at a
 * barrier, so that the calling thread can report progress and one thread at a time uses an
 * accumulator. */
#include "cpu/centrality/units.h"

#include "base/pace.h"

/* Vertices and edges per block and round; up to SERIAL_WORK (1.5 ms) a call uses one thread, because a
 * barrier costs a time slice on a busy machine, a millisecond or more. */
enum { ROUND_WORK = 1 << 18, SERIAL_WORK = 1 << 19 };

fr_status fri_units_run(fr_ctx *ctx, const char *phase, int64_t units, int64_t work,
                        fri_unit_fn run, void *arg) {
    int blocks = fri_unit_blocks(units);
    int64_t share = FRI_MAX(1, ROUND_WORK / FRI_MAX(1, work));
    share = FRI_MIN(share, (units + blocks - 1) / blocks);
    int threads = units <= SERIAL_WORK / FRI_MAX(1, work) ? 1 : fri_unit_threads(ctx, units);
    fri_pace pace = fri_pace_begin(ctx, phase, units);
#pragma omp parallel num_threads(threads)
    for (int64_t first = 0; first < units; first += blocks * share) {
        FRI_PACE_STOP_LOOP(&pace, work, first); /* here: the calling thread may get no block */
#pragma omp for schedule(FRI_DYNAMIC, 1)
        for (int block = 0; block < blocks; block++) {
            int64_t begin = first + block * share, end = FRI_MIN(units, begin + share);
            for (int64_t i = begin; i < end && !FRI_PACE_STOP_LOOP(&pace, work, begin); i++)
                run(arg, &pace, omp_get_thread_num(), block, i);
        }
    }
    return pace.status;
}

void fri_units_add(const fr_ctx *ctx, const double *part, int blocks, int64_t count, double *sum) {
#pragma omp parallel for num_threads(ctx->threads) if (count > 4096)
    for (int64_t v = 0; v < count; v++) {
        double total = 0;
        for (int b = 0; b < blocks; b++)
            total += part[b * count + v];
        sum[v] = total;
    }
}
