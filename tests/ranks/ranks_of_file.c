/* A search by ranks that are threads, on a file: no test, but a program for
 * tests/random/random_ranks.py, much faster than processes under mpirun and also built with
 * sanitizers.
 * usage: ranks_of_file RANKS bfs|sssp GRAPH SOURCE OUT [--undirected] [--drop-loops]
 *        [--drop-parallel] [--weights none] [--weight-type float32] [--input-format NAME]
 * Prints the name of the status that all ranks end with, and its message on standard error; exits
 * with 0, 1 (a failure) or 98 (the ranks end differently). */
#include "ranks/search.h"

enum { DIFFER = 98, USAGE = 97 };

typedef struct file_search {
    const char *graph, *out;
    fr_problem problem;
    int64_t source;
    fr_load_options load;
    outcome end;
} file_search;

static void run(fr_ctx *ctx, fr_world *w, void *user) {
    file_search *f = user;
    search s = {0};
    fr_status status = fr_part_load(ctx, w, f->graph, &f->load, &s.part);
    const int64_t source = fr_part_vertex(s.part, f->source);
    if (!status && source < 0)
        status = FR_NOT_FOUND; /* on every rank */
    if (!status)
        status = search_open(&s, ctx, f->problem);
    if (!status)
        status = search_write(&s, ctx, source, f->out, "tsv");
    outcome_set(&f->end, ctx, w, status);
    search_free(&s);
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

static int report(const outcome *s, int ranks) {
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
    file_search s = {0};
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
    return report(&s.end, ranks);
}
