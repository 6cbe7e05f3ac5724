/* Host side of kernels that run many levels per launch. */
#include "cuda/drivers/persistent.h"

enum { WARP = 32, VERTICES_PER_THREAD = 16 /* fewer leave threads idle */ };

size_t fri_gpu_trace_bytes(void) {
    return fri_align_line((FRI_GPU_MAX_LEVELS + 1) * sizeof(fri_level_record));
}

fri_level_record *fri_gpu_carve_trace(const fri_gpu *g, char **scratch) {
    return g->job->told.levels ? fri_carve(scratch, fri_gpu_trace_bytes()) : NULL;
}

fr_status fri_gpu_report_levels(fri_gpu *g, const fri_level_record *trace,
                                const char *const *method_names, fri_gpu_progress *progress) {
    fri_level_record level[FRI_GPU_MAX_LEVELS + 1];
    size_t bytes = ((size_t)progress->levels + 1) * sizeof *level;
    if (!trace)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_download(g, level, trace, bytes));
    for (int32_t i = 0; i < progress->levels; i++)
        fri_job_level_expected(
            g->job, method_names[level[i].method],
            (int64_t)level[i].frontier_high << 32 | level[i].frontier_low, (int64_t)level[i].edges,
            (int64_t)(level[i + 1].began - level[i].began), (double)level[i].expected_ps * 1e-3);
    progress->traced = true;
    return FR_OK;
}

int fri_gpu_threads_per_block(const fri_gpu *g, int knob, int max_threads) {
    double busy = (double)FRI_MIN(g->n / VERTICES_PER_THREAD, max_threads);
    int64_t threads = (int64_t)fri_job_knob(g->job, knob, busy);
    return (int)FRI_MAX(threads / WARP * WARP, WARP);
}
