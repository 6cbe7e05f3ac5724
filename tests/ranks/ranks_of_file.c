/* A search by ranks that are threads, on a file: no test, but a program for
 * tests/random/random_ranks.py, much faster than processes under mpirun and also built with
 * sanitizers.
 * usage: ranks_of_file RANKS bfs|sssp GRAPH SOURCE OUT [--undirected] [--drop-loops]
 *        [--drop-parallel] [--weights none] [--weight-type float32] [--input-format NAME]
 * Prints the name of the status that all ranks end with, and its message on standard error; exits
 * with 0, 1 (a failure) or 98 (the ranks end differently). */
#include "ranks/comm_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 16, DIFFER = 98, USAGE = 97 };

typedef struct search {
    const char *graph, *out;
    fr_problem problem;
    int64_t source;
    fr_load_options load;
    fr_status status[MAX_RANKS];
    char message[MAX_RANKS][512];
} search;

static fr_status solve(fr_ctx *ctx, fr_part *part, const search *s, fr_part_solver **solver,
                       fr_part_result *result) {
    int64_t source = fr_part_vertex(part, s->source);
    if (source < 0)
        return FR_NOT_FOUND; /* on every rank */
    const fr_part_query query = {.sources = &source, .source_count = 1};
    fr_status status = fr_part_solver_new(ctx, part, s->problem, solver);
    if (!status)
        status = fr_part_solve(*solver, &query, result);
    if (!status)
        status = fr_part_verify(ctx, part, s->problem, &query, result);
    return status ? status : fr_part_write(ctx, part, s->problem, result, s->out, "tsv");
}

static void run(fr_ctx *ctx, fr_world *w, void *user) {
    search *s = user;
    fr_part *part = NULL;
    fr_part_solver *solver = NULL;
    fr_part_stats stats = FR_INIT(fr_part_stats);
    fr_part_result result = FR_INIT(fr_part_result);
    fr_status status = fr_part_load(ctx, w, s->graph, &s->load, &part);
    if (!status)
        status = fr_part_get_stats(part, &stats);
    void *value = calloc((size_t)stats.own + 1, sizeof(int64_t));
    int64_t *parent = calloc((size_t)stats.own + 1, sizeof *parent);
    result.level = s->problem == FR_PROBLEM_BFS ? value : NULL;
    result.dist = s->problem == FR_PROBLEM_BFS ? NULL : value;
    result.parent = parent;
    if (!status)
        status = value && parent ? solve(ctx, part, s, &solver, &result) : FR_NOMEM;
    s->status[fr_world_rank(w)] = status;
    snprintf(s->message[fr_world_rank(w)], sizeof s->message[0], "%s", fr_ctx_error(ctx));
    fr_part_solver_free(solver);
    fr_part_free(part);
    free(value);
    free(parent);
}

static bool read_option(fr_load_options *o, char **words, int *used) {
    const char *word = words[0], *value = words[1] ? words[1] : "";
    *used = 1;
    if (!strcmp(word, "--undirected"))
        o->direction = FR_DIRECTION_UNDIRECTED;
    else if (!strcmp(word, "--drop-loops"))
        o->drop_loops = true;
    else if (!strcmp(word, "--drop-parallel"))
        o->drop_parallel = true;
    else {
        *used = 2;
        if (!strcmp(word, "--weights") && !strcmp(value, "none"))
            o->weights = FR_WEIGHTS_NONE;
        else if (!strcmp(word, "--weight-type") && !strcmp(value, "float32"))
            o->weight_type = FR_TYPE_F32;
        else if (!strcmp(word, "--input-format") && *value)
            o->format = value;
        else
            return false;
    }
    return true;
}

static int report(const search *s, int ranks) {
    for (int r = 1; r < ranks; r++)
        if (s->status[r] != s->status[0] || strcmp(s->message[r], s->message[0]) != 0) {
            fprintf(stderr, "rank 0: %s: %s\nrank %d: %s: %s\n", fr_status_name(s->status[0]),
                    s->message[0], r, fr_status_name(s->status[r]), s->message[r]);
            return DIFFER;
        }
    puts(fr_status_name(s->status[0]));
    if (s->status[0])
        fprintf(stderr, "%s\n", *s->message[0] ? s->message[0] : fr_status_message(s->status[0]));
    return s->status[0] ? 1 : 0;
}

int main(int argc, char **argv) {
    search s = {0};
    const int ranks = argc > 5 ? atoi(argv[1]) : 0;
    if (ranks < 1 || ranks > MAX_RANKS)
        return USAGE;
    s.problem = strcmp(argv[2], "bfs") == 0 ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP;
    s.graph = argv[3];
    s.source = strtoll(argv[4], NULL, 10);
    s.out = argv[5];
    for (int i = 6, used; i < argc; i += used)
        if (!read_option(&s.load, argv + i, &used))
            return USAGE;
    const ranks_run how = {.size = ranks};
    ranks_start(&how, run, &s);
    return report(&s, ranks);
}
