#include "ranks.h"

#include "cli/io/progress.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- command lines ------------------------------------------------------------------------- */

int ranks_refuse_copies(const settings *s) {
    int rank, size = fr_launched_ranks(&rank);
    bool informs =
        s->command->run == cmd_help || s->command->run == cmd_list || s->command->run == cmd_doctor;
    if (s->rank_timeout > 0 && !s->ranks)
        return cli_usage("--rank-timeout needs --ranks");
    if (s->ranks || informs || size < 2)
        return CLI_OK;
    if (rank) { /* rank 0 has the message; a launcher ends all ranks when the first one fails */
        nanosleep(&(struct timespec){.tv_nsec = 500 * 1000 * 1000}, NULL);
        return CLI_USAGE;
    }
    bool can = s->command->run == cmd_traverse || s->command->run == cmd_graph500;
    return can ? cli_usage("started as %d ranks, which would all do the same: --ranks divides the "
                           "work among them",
                           size)
               : cli_usage("started as %d ranks, which would all do the same: this command runs as "
                           "one process",
                           size);
}

int ranks_check(const settings *s) {
    const bool gpus = s->backend == FR_BACKEND_CUDA;
    const struct {
        bool given;
        const char *option;
    } refused[] = {{s->strategy, "--strategy"},
                   {s->knobs, "--knob"},
                   {s->tuning_cache, "--tuning-cache"},
                   {s->no_tuning_cache, "--no-tuning-cache"},
                   {s->targets.count, "--targets"},
                   {s->sources_file, "--sources-file"},
                   {s->targets_file, "--targets-file"},
                   {s->reached_only, "--reached-only"},
                   {s->max_level >= 0, "--max-level"},
                   {s->max_distance >= 0, "--max-distance"},
                   {s->dist_type, "--dist-type"},
                   {s->parent_rule, "--parents"},
                   {s->reverse, "--reverse"},
                   {s->mark_negative_cycles, "--mark-negative-cycles"},
                   {s->counters, "--counters"},
                   {s->repeat > 1, "--repeat"},
                   {s->warmup, "--warmup"},
                   {s->load.cache, "--cache"},
                   {s->out && strcmp(s->out, "-") == 0, "-o -"},
                   {s->device, "--device"},
                   {s->devices, "--devices"},
                   {s->closed_vertices, "--closed-vertices"},
                   {s->closed_edges, "--closed-edges"},
                   {s->max_gpu_memory && !gpus, "--max-gpu-mem without --backend cuda"},
                   {s->json && s->command->run == cmd_graph500, "--json"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].given)
            return cli_usage("%s cannot be used with --ranks", refused[i].option);
    return CLI_OK;
}

/* ---- a session ----------------------------------------------------------------------------- */

/* Ranks that the launcher has not bound to cores divide their host's. */
static fr_status divide_cores(session *x) {
    int cores = fr_ctx_threads(x->ctx), on_host = fr_world_host_ranks(x->ranks->world);
    bool bound = cores < sysconf(_SC_NPROCESSORS_ONLN);
    if (x->s->threads || bound || on_host < 2)
        return FR_OK;
    return fr_ctx_set_threads(x->ctx, cores > on_host ? cores / on_host : 1);
}

int ranks_open(session *x) {
    const settings *s = x->s;
    fr_world_options options = {.timeout_s = s->rank_timeout, .backend = (fr_backend)s->backend};
    x->ranks = cli_alloc(sizeof *x->ranks);
    x->ran_on = options.backend;
    fr_status status = fr_world_open(x->ctx, &options, &x->ranks->world);
    if (status)
        return session_fail_ctx(x, status);
    x->silent = fr_world_rank(x->ranks->world) != 0;
    if (x->silent) {
        progress_quiet();
        outcome_json(false);
        cli_mute();
    }
    status = divide_cores(x);
    return status ? session_fail_ctx(x, status) : CLI_OK;
}

int ranks_load(session *x, const char *graph, const fr_load_options *load) {
    ranks *r = x->ranks;
    bool generate = session_is_generated(graph);
    bool chooses = load->source_column || load->target_column || load->weight_column ||
                   load->separator || load->decimal;
    if (generate && (load->format || chooses))
        return cli_usage("'%s' is generated: --input-format and columns need a file", graph);
    fr_status status = generate ? fr_part_generate(x->ctx, r->world, graph, load, &r->part)
                                : fr_part_load(x->ctx, r->world, graph, load, &r->part);
    progress_clear();
    if (status)
        return session_fail_ctx(x, status);
    r->stats.struct_size = sizeof r->stats;
    fr_part_get_stats(r->part, &r->stats);
    r->sizes = (fr_csr){.n = (int32_t)r->stats.n,
                        .m = r->stats.m,
                        .weight_type = r->stats.weight_type,
                        .symmetric = r->stats.undirected};
    x->csr = &r->sizes;
    return CLI_OK;
}

fr_status ranks_random_sources(const session *x, int64_t *count, int32_t **out) {
    int64_t *drawn = cli_alloc((size_t)*count * sizeof *drawn);
    fr_status status = fr_part_draw_sources(x->ctx, x->ranks->part, x->s->load.seed, count, drawn);
    *out = cli_alloc((size_t)*count * sizeof **out);
    for (int64_t i = 0; !status && i < *count; i++)
        (*out)[i] = (int32_t)drawn[i];
    free(drawn);
    return status;
}

void ranks_close(session *x) {
    if (!x->ranks)
        return;
    fr_part_free(x->ranks->part);
    fr_world_close(x->ranks->world);
    free(x->ranks);
    x->ranks = NULL;
}
