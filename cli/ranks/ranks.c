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

/* ---- the world ----------------------------------------------------------------------------- */

/* Ranks that the launcher has not bound to cores divide their host's. */
static fr_status divide_cores(ranks *r) {
    int cores = fr_ctx_threads(r->x.ctx), on_host = fr_world_host_ranks(r->world);
    bool bound = cores < sysconf(_SC_NPROCESSORS_ONLN);
    if (r->x.s->threads || bound || on_host < 2)
        return FR_OK;
    return fr_ctx_set_threads(r->x.ctx, cores > on_host ? cores / on_host : 1);
}

int ranks_open(ranks *r, const settings *s) {
    *r = (ranks){0};
    int code = session_begin(&r->x, s);
    if (code)
        return code;
    fr_world_options options = {.timeout_s = s->rank_timeout, .backend = (fr_backend)s->backend};
    fr_status status = fr_world_open(r->x.ctx, &options, &r->world);
    if (status)
        return ranks_fail(r, status);
    r->first = fr_world_rank(r->world) == 0;
    if (!r->first) {
        progress_quiet();
        outcome_json(false);
    }
    status = divide_cores(r);
    return status ? ranks_fail(r, status) : CLI_OK;
}

int ranks_load(ranks *r, const char *graph) {
    const fr_load_options *load = &r->x.s->load;
    bool generate = session_is_generated(graph);
    bool chooses = load->source_column || load->target_column || load->weight_column ||
                   load->separator || load->decimal;
    if (generate && (load->format || chooses))
        return cli_usage("'%s' is generated: --input-format and columns need a file", graph);
    fr_status status = generate ? fr_part_generate(r->x.ctx, r->world, graph, load, &r->part)
                                : fr_part_load(r->x.ctx, r->world, graph, load, &r->part);
    progress_clear();
    if (status)
        return ranks_fail(r, status);
    r->stats.struct_size = sizeof r->stats;
    fr_part_get_stats(r->part, &r->stats);
    return CLI_OK;
}

void ranks_close(ranks *r) {
    fr_part_free(r->part);
    fr_world_close(r->world);
    session_end(&r->x);
}

int ranks_fail(ranks *r, fr_status status) {
    if (r->world && !r->first && status != FR_RANK)
        return cli_exit_code(status);
    int code = cli_fail_ctx(r->x.ctx, status);
    if (r->world && status == FR_RANK)
        fr_world_abort(r->world, code);
    return code;
}

/* ---- answers ------------------------------------------------------------------------------- */

fr_status ranks_answer_open(ranks *r, fr_problem problem, ranks_answer *a) {
    *a = (ranks_answer){.problem = problem};
    size_t own = (size_t)r->stats.own;
    a->query = (fr_part_query){.sources = &a->source, .source_count = 1};
    a->result.parent = cli_alloc(own * sizeof *a->result.parent);
    if (problem == FR_PROBLEM_BFS)
        a->result.level = cli_alloc(own * sizeof *a->result.level);
    else
        a->result.dist = cli_alloc(own * sizeof(int64_t));
    return fr_part_solver_new(r->x.ctx, r->part, problem, &a->solver);
}

fr_status ranks_answer_solve(ranks_answer *a, int64_t source) {
    a->source = source;
    return fr_part_solve(a->solver, &a->query, &a->result);
}

void ranks_answer_close(ranks_answer *a) {
    fr_part_solver_free(a->solver);
    free(a->result.parent);
    free(a->result.level);
    free(a->result.dist);
}
