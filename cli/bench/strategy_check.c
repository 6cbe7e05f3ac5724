/* Refuses names of strategies before anything is measured, in the words of fr_solver_new, so that every command
 * gives the same reason. */
#include "fringe_tune.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

fr_status strategy_refusal(fr_problem problem, fr_backend backend, const char *name, char **why) {
    fr_ctx *ctx = NULL;
    fr_graph *graph = NULL;
    fr_solver *solver = NULL;
    fr_solver_options options = {.strategy = name, .backend = backend};
    fr_status status = fr_ctx_new(NULL, &ctx);
    if (!status)
        status = fr_graph_generate(ctx, "path:n=1", NULL, &graph);
    if (!status)
        status = fr_solver_new(ctx, graph, problem, &options, &solver);
    *why = cli_format("%s", ctx && status ? fr_ctx_error(ctx) : fr_status_message(status));
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return status;
}

int strategy_fail(fr_status status, const char *why) {
    return status == FR_INVALID ? cli_usage("%s", why) : cli_fail(status, "%s", why);
}

/* Whether a strategy of the list runs on the backend. */
static bool runs(const char *list, fr_problem problem, fr_backend backend) {
    fr_strategy_info strategy = {0};
    for (int i = 0; fr_strategy_get(i, &strategy); i++)
        if (strategy.problem == problem && suite_lists(list, strategy.name) &&
            (!backend || strategy.backend == backend))
            return true;
    return false;
}

static int refuse(fr_problem problem, fr_backend backend, const char *name) {
    char *why;
    fr_status status = strategy_refusal(problem, backend, name, &why);
    int code = strategy_fail(status, why);
    free(why);
    return code;
}

int suite_check_strategies(const char *list, fr_problem problem, fr_backend backend) {
    char *names = cli_format("%s", list ? list : "auto"), *rest = names;
    bool any = runs(list, problem, backend);
    int code = CLI_OK;
    for (char *name; !code && (name = strsep(&rest, ","));) {
        bool after_last_comma = !*name && !rest && name > names;
        if (!after_last_comma && !runs(name, problem, any ? FR_BACKEND_ANY : backend))
            code = refuse(problem, backend, name);
    }
    free(names);
    return code;
}
