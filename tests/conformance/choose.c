#include "conformance/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cf_list_strategies(fr_problem problem, int argc, char **argv) {
    fr_strategy_info strategy = {0};
    if (argc < 2 || strcmp(argv[1], "--strategies") != 0)
        return false;
    for (int r = 0; cf_strategy(problem, r, &strategy); r++)
        printf("%s\n", strategy.name);
    return true;
}

/* "2/5": is the name in the second of five shares? Each name is in one, by its letters; "-2/5": in one of the others. */
static bool in_share(const char *name, const char *share) {
    uint32_t hash = 5381;
    int nth, of;
    const bool others = *share == '-';
    if (sscanf(share + others, "%d/%d", &nth, &of) != 2 || of < 1)
        return false;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return (hash % (uint32_t)of == (uint32_t)nth - 1) != others;
}

static bool is_chosen(const char *name, int first, int argc, char **argv) {
    for (int i = first; i < argc; i++)
        if (strcmp(argv[i], name) == 0 || in_share(name, argv[i]))
            return true;
    return argc <= first;
}

bool cf_shape_chosen(const char *shape, int argc, char **argv) {
    return is_chosen(shape, 2, argc, argv);
}

bool cf_part_chosen(const char *part, int argc, char **argv) {
    return is_chosen(part, 1, argc, argv);
}

bool cf_strategy_chosen(const char *strategy, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], strategy) == 0)
            return true;
    return argc <= 1;
}

bool cf_device_there(fr_ctx *ctx, fr_problem problem) {
    const int32_t end = 0;
    fr_graph *graph = NULL;
    fr_solver *solver = NULL;
    fr_strategy_info strategy = {0};
    fr_status status = fr_graph_from_edges(ctx, 1, 1, &end, &end, NULL, FR_TYPE_NONE, NULL, &graph);
    if (!status && cf_strategy(problem, 0, &strategy)) {
        fr_solver_options options = {.strategy = strategy.name, .backend = FR_BACKEND_CUDA};
        status = fr_solver_new(ctx, graph, problem, &options, &solver);
    }
    if (status)
        printf("skip: %s\n", fr_ctx_error(ctx));
    fr_solver_free(solver);
    fr_graph_free(graph);
    return !status;
}

fr_ctx *cf_device_context(fr_problem problem, bool on_host) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        cf_give_up(NULL, "a context");
    if (on_host || cf_device_there(ctx, problem))
        return ctx;
    fr_ctx_free(ctx);
    return NULL;
}

int cf_knob_settings(const fr_strategy_info *strategy) {
    char text[CF_KNOBS_TEXT];
    int count = 0;
    while (cf_knobs(strategy, count, text))
        count++;
    return count;
}

int cf_reduced(void) {
    const char *text = getenv("FRINGE_REDUCED");
    int maximum = text ? atoi(text) : 0;
    return maximum > 0 ? maximum : 0;
}

void cf_give_up(fr_ctx *ctx, const char *what) {
    fprintf(stderr, "failed: %s%s%s\n", what, ctx ? ": " : "", ctx ? fr_ctx_error(ctx) : "");
    exit(1);
}
