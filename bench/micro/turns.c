#include "turns.h"

#include <time.h>
#include <unistd.h>

/* ---- measuring ----------------------------------------------------------------------------- */

double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

void take_turns(turn *turns, int count, int rounds, double limit_ms) {
    for (int k = 0; k < count; k++) {
        turns[k].count = 0;
        turns[k].values = need_memory((size_t)rounds * sizeof(double));
        turns[k].run(turns[k].what, -1);
    }
    const double begin = now_ms();
    for (int round = 0; round < rounds; round++) {
        if (round && limit_ms > 0 && now_ms() - begin > limit_ms)
            return;
        for (int k = 0; k < count; k++) {
            turn *t = &turns[k ? 1 + (k + round) % (count - 1) : 0];
            t->values[t->count++] = t->run(t->what, round);
        }
    }
}

void turns_free(turn *turns, int count) {
    for (int k = 0; k < count; k++)
        free(turns[k].values);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double *sorted(const double *values, int count) {
    double *copy = need_memory((size_t)count * sizeof *copy);
    memcpy(copy, values, (size_t)count * sizeof *copy);
    qsort(copy, (size_t)count, sizeof *copy, ascending);
    return copy;
}

double median(const double *values, int count) {
    double *copy = sorted(values, count), middle = count ? copy[count / 2] : 0;
    free(copy);
    return middle;
}

/* ---- output -------------------------------------------------------------------------------- */

static int fields; /* of the line so far */

static void key_of(const char *key) { printf("%s\"%s\": ", fields++ ? ", " : "", key); }

void line_begin(void) {
    fields = 0;
    putchar('{');
}

void line_text(const char *key, const char *value) {
    if (!value)
        return;
    key_of(key);
    putchar('"');
    for (const char *c = value; *c; c++)
        printf(*c == '"' || *c == '\\' ? "\\%c" : "%c", *c < ' ' && *c > 0 ? ' ' : *c);
    putchar('"');
}

void line_count(const char *key, int64_t value) {
    key_of(key);
    printf("%lld", (long long)value);
}

/* Whole numbers, such as ids, in full. */
static void put_number(double value) {
    printf(value == (double)(int64_t)value ? "%.0f" : "%.5g", value);
}

void line_number(const char *key, double value) {
    key_of(key);
    put_number(value);
}

void line_flag(const char *key, bool value) {
    key_of(key);
    fputs(value ? "true" : "false", stdout);
}

void line_values(const char *key, const double *values, int count) {
    key_of(key);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "[", stdout);
        put_number(values[i]);
    }
    fputs(count ? "]" : "[]", stdout);
}

void line_spread(const char *key, const double *values, int count) {
    char name[64];
    double *order = sorted(values, count);
    line_number(key, count ? order[count / 2] : 0);
    if (count > 1) {
        snprintf(name, sizeof name, "%s_spread", key);
        line_values(name,
                    (double[]){order[0], order[count / 4], order[count * 3 / 4], order[count - 1]},
                    4);
    }
    free(order);
}

void line_end(void) {
    puts("}");
    fflush(stdout);
}

/* ---- what the programs need of the library ------------------------------------------------- */

_Noreturn void give_up(const char *what) {
    fprintf(stderr, "failed: %s\n", what);
    exit(EXIT_FAILURE);
}

void need(const fr_ctx *ctx, fr_status status) {
    if (status)
        give_up(ctx ? fr_ctx_error(ctx) : fr_status_message(status));
}

void *need_memory(size_t bytes) {
    void *memory = calloc(1, bytes + 1);
    if (!memory)
        give_up("not enough memory");
    return memory;
}

fr_ctx *open_threads(int threads) {
    fr_ctx *ctx;
    need(NULL, fr_ctx_new(&(fr_ctx_options){.threads = threads}, &ctx));
    return ctx;
}

fr_ctx *open_devices(int count) {
    int devices[MAX_DEVICES];
    fr_ctx *ctx;
    for (int i = 0; i < MAX_DEVICES; i++)
        devices[i] = i;
    need(NULL, fr_ctx_new(&(fr_ctx_options){.devices = devices, .device_count = count}, &ctx));
    return ctx;
}

fr_graph *open_graph(fr_ctx *ctx, const char *text, const fr_load_options *options) {
    fr_graph *graph;
    need(ctx, access(text, R_OK) ? fr_graph_generate(ctx, text, options, &graph)
                                 : fr_graph_load(ctx, text, options, &graph));
    return graph;
}

bool read_weights(const char *text, fr_load_options *load) {
    const int numbers =
        sscanf(text, "%lf,%lf,%lf", &load->weight_low, &load->weight_high, &load->potential_max);
    load->weights = numbers == 3   ? FR_WEIGHTS_POTENTIAL
                    : numbers == 2 ? FR_WEIGHTS_RANDOM
                                   : FR_WEIGHTS_NONE;
    return numbers >= 2 || strcmp(text, "none") == 0;
}

uint64_t draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static bool reaches_a_tenth(fr_ctx *ctx, fr_solver *solver, int32_t source, int32_t n) {
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {0};
    need(ctx, fr_solve(solver, &query, &result));
    return result.stats.reached >= n / 10;
}

int random_sources(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver, uint64_t seed,
                   int32_t *sources, int count) {
    enum { DRAWS = 16 }; /* of a source, at most */
    const fr_csr *csr = fr_graph_csr(graph);
    uint64_t state = seed;
    int found = 0;
    for (int64_t i = 0; found < count && i < (int64_t)DRAWS * count; i++) {
        const int32_t v = (int32_t)(draw(&state) % (uint64_t)csr->n);
        if (csr->offsets[v] < csr->offsets[v + 1] &&
            (!solver || reaches_a_tenth(ctx, solver, v, csr->n)))
            sources[found++] = v;
    }
    return found;
}

void spaced_sources(const fr_graph *graph, int32_t *sources, int count) {
    const int32_t n = fr_graph_vertex_count(graph);
    const int64_t *offsets = fr_graph_csr(graph)->offsets;
    for (int i = 0; i < count; i++) {
        int32_t v = (int32_t)((int64_t)i * n / count);
        while (v < n - 1 && offsets[v] == offsets[v + 1])
            v++;
        sources[i] = v;
    }
}

bool is_right(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver, fr_problem problem,
              int32_t source, const void *values, const int32_t *parent) {
    const fr_query query = {.sources = &source, .source_count = 1};
    const fr_status status = problem == FR_PROBLEM_BFS
                                 ? fr_verify_bfs(ctx, graph, &query, values, parent)
                                 : fr_verify_sssp(ctx, graph, &query, false, values,
                                                  fr_solver_dist_type(solver), parent);
    if (status)
        fprintf(stderr, "wrong: %s\n", fr_ctx_error(ctx));
    return !status;
}
