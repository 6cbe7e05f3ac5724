#include "regret.h"

#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static regret_line *line_of(regret *r, const char *graph, fr_backend backend) {
    for (int64_t i = 0; i < r->count; i++)
        if (r->line[i].backend == backend && strcmp(r->line[i].graph, graph) == 0)
            return &r->line[i];
    r->line = cli_realloc(r->line, (size_t)(r->count + 1) * sizeof *r->line);
    r->line[r->count] = (regret_line){.graph = graph, .backend = backend};
    return &r->line[r->count++];
}

void regret_add(regret *r, const char *graph, const fr_strategy_info *strategy, double median_ns) {
    regret_line *l = line_of(r, graph, strategy->backend);
    if (strcmp(strategy->name, "auto") == 0)
        l->auto_ns = median_ns;
    else if (!l->best || median_ns < l->best_ns) {
        l->best = strategy->name;
        l->best_ns = median_ns;
    }
}

static bool is_whole(const regret_line *l) { return l->best && l->auto_ns > 0; }

static json_t *json_of(const regret *r, fr_backend backend, const char *graph) {
    json_t *o = json_object();
    json_set(o, "suite", json_string("auto"));
    json_set(o, "kind", json_string("regret"));
    json_set(o, "problem", json_string(fr_problem_name(r->problem)));
    json_set(o, "backend", json_string(fr_backend_name(backend)));
    json_set(o, "case", json_string(graph));
    return o;
}

static void print_line(const regret *r, const regret_line *l) {
    json_t *o = json_of(r, l->backend, l->graph);
    json_set(o, "auto_ns", json_real(l->auto_ns));
    json_set(o, "best", json_string(l->best));
    json_set(o, "best_ns", json_real(l->best_ns));
    json_set(o, "factor", json_real(l->auto_ns / l->best_ns));
    json_line(o);
    fprintf(stderr, "  %-16s %10s  %10s %-16s %7.3f\n", l->graph, human_ns(l->auto_ns).text,
            human_ns(l->best_ns).text, l->best, l->auto_ns / l->best_ns);
}

/* Prints all graphs of one backend. Returns the one of the largest regret; NULL if there is
 * none. */
static const regret_line *print_backend(const regret *r, fr_backend backend) {
    const regret_line *worst = NULL;
    double log_sum = 0;
    int64_t graphs = 0;
    for (int64_t i = 0; i < r->count; i++) {
        const regret_line *l = &r->line[i];
        if (l->backend != backend || !is_whole(l))
            continue;
        if (!graphs++)
            fprintf(stderr, "%s%s, %s%s: auto / best other strategy\n", color(stderr, "1"),
                    fr_problem_name(r->problem), fr_backend_name(backend), color(stderr, "0"));
        print_line(r, l);
        log_sum += log(l->auto_ns / l->best_ns);
        if (!worst || l->auto_ns * worst->best_ns > worst->auto_ns * l->best_ns)
            worst = l;
    }
    if (!worst)
        return NULL;
    double mean = exp(log_sum / (double)graphs), max = worst->auto_ns / worst->best_ns;
    json_t *o = json_of(r, backend, "all");
    json_set(o, "graphs", json_integer(graphs));
    json_set(o, "worst", json_real(max));
    json_set(o, "worst_case", json_string(worst->graph));
    json_set(o, "geometric_mean", json_real(mean));
    json_line(o);
    fprintf(stderr, "  worst %.3f (%s), geometric mean %.3f of %lld\n", max, worst->graph, mean,
            (long long)graphs);
    return worst;
}

int regret_end(regret *r, double max_regression) {
    int code = CLI_OK;
    bool any = false;
    for (int backend = FR_BACKEND_CPU; backend <= FR_BACKEND_CUDA; backend++) {
        const regret_line *worst = print_backend(r, (fr_backend)backend);
        any |= worst != NULL;
        if (worst && !code && max_regression > 0 &&
            worst->auto_ns > (1 + max_regression / 100) * worst->best_ns)
            code = cli_fail(FR_VERIFY_FAILED, "auto is %.1f %% slower than %s on %s",
                            100 * (worst->auto_ns / worst->best_ns - 1), worst->best, worst->graph);
    }
    if (!any)
        code = cli_fail(FR_NOT_FOUND, "no graph has times of both auto and another strategy");
    free(r->line);
    return code;
}
