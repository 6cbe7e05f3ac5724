#include "gpu/harness.h"

#include "base/base.h"
#ifdef FRI_SIMT
#include "cuda/graph/resident.h"
#endif

#include <sys/mman.h>

#ifdef FRI_SIMT
size_t simt_held_bytes(fr_ctx *ctx) {
    return simt_live_bytes() - (ctx->gpu ? fri_resident_evictable(ctx) : 0);
}
#endif

bool host_is_brief(void) { return ON_HOST && !getenv("FRINGE_FULL"); }

/* ---- checks ---- */

_Atomic int checks, failures;

void check_refused(fr_ctx *ctx, fr_status status, fr_status want, const char *words, int line) {
    CHECK(status == want && strstr(fr_ctx_error(ctx), words), "line %d: %s, not %s with '%s': %s",
          line, fr_status_name(status), fr_status_name(want), words, fr_ctx_error(ctx));
}

int checks_end(const char *what) {
    printf("%s: %d checks, %d failed\n", what, checks, failures);
    return failures || !checks;
}

void must(cudaError_t error, const char *what) {
    if (error) {
        printf("FAILED %s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

/* ---- contexts, graphs, solvers ---- */

fr_ctx *context_new(fr_ctx_options options) {
    fr_ctx *ctx;
    if (fr_ctx_new(&options, &ctx))
        cf_give_up(NULL, "a context");
    ctx->teams = FRI_TEAMS_ALL; /* as the unit tests */
    return ctx;
}

fr_ctx *context_on(int devices, fr_ctx_options options) {
    static const int list[MAX_DEVICES] = {0, 1, 2, 3, 4, 5, 6, 7};
    options.devices = list;
    options.device_count = devices;
    options.threads = options.threads ? options.threads : 2;
    return context_new(options);
}

fr_graph *graph_generate(fr_ctx *ctx, const char *description, fr_load_options options) {
    fr_graph *graph;
    if (fr_graph_generate(ctx, description, &options, &graph))
        cf_give_up(ctx, description);
    return graph;
}

fr_graph *graph_weighted(fr_ctx *ctx, const char *description, double low, double high) {
    return graph_generate(
        ctx, description,
        (fr_load_options){.weights = high > 0 ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                          .weight_low = low,
                          .weight_high = high,
                          .seed = 1});
}

fr_graph *graph_of_edges(fr_ctx *ctx, int32_t n, int64_t m, const edge *edges, fr_type type,
                         fr_direction direction) {
    const size_t count = (size_t)m + 1;
    int32_t *ends = malloc(2 * count * sizeof *ends), *to = ends + count;
    double *weights = malloc(count * sizeof *weights);
    const fr_load_options options = {.direction = direction, .weight_type = type};
    fr_graph *graph;
    for (int64_t e = 0; e < m; e++) {
        ends[e] = edges[e].from;
        to[e] = edges[e].to;
        weights[e] = edges[e].weight;
    }
    if (fr_graph_from_edges(ctx, n, m, ends, to, type ? weights : NULL,
                            type ? FR_TYPE_F64 : FR_TYPE_NONE, &options, &graph))
        cf_give_up(ctx, "edges");
    free(ends);
    free(weights);
    return graph;
}

fr_graph *graph_path(fr_ctx *ctx, int32_t edges, int32_t unreached, fr_type type, double weight,
                     double last) {
    edge *list = malloc((size_t)edges * sizeof *list);
    for (int32_t e = 0; e < edges; e++)
        list[e] = (edge){e, e + 1, e + 1 == edges ? last : weight};
    fr_graph *graph =
        graph_of_edges(ctx, edges + 1 + unreached, edges, list, type, FR_DIRECTION_DIRECTED);
    free(list);
    return graph;
}

fr_graph *graph_clique_and_far(fr_ctx *ctx) {
    const int64_t m = (int64_t)CLIQUE * CLIQUE + 2 * FAR;
    edge *edges = malloc((size_t)m * sizeof *edges), *at = edges;
    uint64_t state = 1;
    for (int32_t u = 0; u < CLIQUE; u++)
        for (int32_t v = 0; v < CLIQUE; v++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            *at++ = (edge){u, v, 1 + (int32_t)(state >> 33) % (10 * CLIQUE)};
        }
    for (int32_t i = 0; i < FAR; i++) {
        *at++ = (edge){i, CLIQUE + i, 100.0 * CLIQUE * (i + 1)};
        *at++ = (edge){CLIQUE + i, CLIQUE + FAR + i, 1};
    }
    fr_graph *graph = graph_of_edges(ctx, CLIQUE_N, m, edges, FR_TYPE_I32, FR_DIRECTION_DIRECTED);
    free(edges);
    return graph;
}

fr_strategy_info strategy_named(fr_problem problem, const char *name) {
    fr_strategy_info strategy = {0};
    for (int i = 0; cf_strategy(problem, i, &strategy); i++)
        if (strcmp(strategy.name, name) == 0)
            return strategy;
    cf_give_up(NULL, name);
}

fr_solver *solver_new(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                      fr_solver_options options) {
    fr_solver *solver = NULL;
    options.backend = options.backend ? options.backend : FR_BACKEND_CUDA;
    CHECK(!fr_solver_new(ctx, graph, problem, &options, &solver), "%s: %s",
          options.strategy ? options.strategy : "auto", fr_ctx_error(ctx));
    return solver;
}

int levels_by(const fr_solver *solver, const char *method) {
    int64_t count;
    int found = 0;
    const fr_level *levels = fr_solver_levels(solver, &count);
    for (int64_t i = 0; i < count; i++)
        found += strcmp(levels[i].method, method) == 0;
    return found;
}

cf_number depth_of(const cf_number *dist, int32_t n) {
    cf_number depth = 0;
    for (int32_t v = 0; v < n; v++)
        if (dist[v] > depth && dist[v] < n)
            depth = dist[v];
    return depth;
}

const weight_kind kinds[KINDS] = {
    {CF_I32, false, FR_TYPE_NONE},         {CF_NONE, false, FR_TYPE_NONE},
    {CF_ZERO, false, FR_TYPE_NONE},        {CF_NEGATIVE, false, FR_TYPE_NONE},
    {CF_F32, false, FR_TYPE_NONE},         {CF_HUGE, false, FR_TYPE_I64},
    {CF_F64, false, FR_TYPE_NONE},         {CF_NEGATIVE, false, FR_TYPE_I64},
    {CF_F32, false, FR_TYPE_F64},          {CF_I64_53, false, FR_TYPE_NONE},
    {CF_I64, false, FR_TYPE_NONE},         {CF_I64_NEGATIVE, false, FR_TYPE_NONE},
    {CF_I64_62, false, FR_TYPE_NONE},      {CF_WIDE, false, FR_TYPE_NONE},
    {CF_SEVENS, false, FR_TYPE_NONE},      {CF_UNIT_F32, false, FR_TYPE_NONE},
    {CF_LOGNORMAL, false, FR_TYPE_NONE},   {CF_UNIT_F64, false, FR_TYPE_NONE},
    {CF_EXPONENTIAL, false, FR_TYPE_NONE}, {CF_TENTHS_F64, false, FR_TYPE_NONE},
    {CF_I64_40, false, FR_TYPE_NONE},      {CF_I32, true, FR_TYPE_NONE},
    {CF_TENTHS_F32, false, FR_TYPE_NONE},  {CF_SEVENS, false, FR_TYPE_I64},
};

/* ---- arrays ---- */

const char *const place_names[] = {"pageable",        "pinned",          "device",     "untouched",
                                   "pinned, shifted", "device, shifted", "half pinned"};

bool on_device(place where) { return where == DEVICE || where == DEVICE_SHIFTED; }

array array_new(place where, size_t bytes, size_t value) {
    const size_t shift = where == PINNED_SHIFTED || where == DEVICE_SHIFTED ? value : 0;
    void *block = NULL;
    if (where == UNTOUCHED)
        block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    else if (where == PAGEABLE || where == HALF_PINNED)
        block = malloc(bytes);
    else if (on_device(where))
        must(cudaMalloc(&block, bytes + shift), "allocating");
    else
        must(cudaHostAlloc(&block, bytes + shift, cudaHostAllocDefault), "pinning");
    array a = {where, block, (char *)block + shift, bytes};
    if (!on_device(where) && where != UNTOUCHED)
        memset(a.at, 0x5a, bytes);
    if (where == HALF_PINNED)
        must(cudaHostRegister(block, bytes / 2, cudaHostRegisterDefault), "registering");
    return a;
}

void array_free(array *a) {
    if (a->where == HALF_PINNED)
        cudaHostUnregister(a->block);
    if (a->where == UNTOUCHED)
        munmap(a->block, a->bytes);
    else if (a->where == PAGEABLE || a->where == HALF_PINNED)
        free(a->block);
    else if (on_device(a->where))
        cudaFree(a->block);
    else
        cudaFreeHost(a->block);
}

void array_read(const array *a, void *to) {
    if (!on_device(a->where)) {
        memcpy(to, a->at, a->bytes);
        return;
    }
    cudaStream_t consumer;
    must(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking), "a stream");
    must(cudaMemcpyAsync(to, a->at, a->bytes, cudaMemcpyDefault, consumer), "reading back");
    must(cudaStreamSynchronize(consumer), "reading back");
    must(cudaStreamDestroy(consumer), "a stream");
}

void array_produce(const array *a, cudaStream_t stream) {
    for (int i = 0; i < (ON_HOST ? 1 : 50) && on_device(a->where); i++)
        must(cudaMemsetAsync(a->at, 0x77 + i % 2, a->bytes, stream), "producing");
}

/* ---- questions and answers ---- */

/* The library's view of the answer's arrays. */
static fr_result result_of(const ask *a, void *values, void *parent, void *order) {
    const bool bfs = a->problem == FR_PROBLEM_BFS;
    return (fr_result){.level = bfs ? values : NULL,
                       .dist = bfs ? NULL : values,
                       .parent = parent,
                       .order = order};
}

static answer answer_empty(const ask *a, const fr_solver *solver) {
    const size_t n = (size_t)fr_graph_vertex_count(a->graph);
    const bool bfs = a->problem == FR_PROBLEM_BFS, all = a->problem == FR_PROBLEM_APSP;
    answer out = {.rows = 1, .width = n, .solved = -1};
    if (all || a->each)
        out.rows = a->query.sources ? a->query.source_count : (int64_t)n;
    if (all && a->query.target_count)
        out.width = (size_t)a->query.target_count;
    out.row = out.width * (bfs ? 4 : fr_type_size(fr_solver_dist_type(solver)));
    out.values = malloc((size_t)out.rows * out.row + 1);
    out.parent = malloc((size_t)out.rows * out.width * 4 + 1);
    out.order = malloc(n * 4 + 1);
    return out;
}

/* FR_OK, or a negative cycle that is marked. */
static bool has_values(const ask *a, fr_status status) {
    return !status || (status == FR_NEGATIVE_CYCLE && a->query.mark_negative_cycles);
}

answer answer_at(const ask *a, fr_solver *solver, place where, int outputs) {
    answer out = answer_empty(a, solver);
    const size_t rows = (size_t)out.rows, size = out.width ? out.row / out.width : 4;
    const size_t bytes[] = {rows * out.row, rows * out.width * 4,
                            (size_t)fr_graph_vertex_count(a->graph) * 4};
    array at[COUNT(bytes)]; /* one value where it is not asked for */
    for (int i = 0; i < COUNT(at); i++)
        at[i] = array_new(where, outputs >> i & 1 && bytes[i] ? bytes[i] : 8, i ? 4 : size);
    void *const to[] = {out.values, out.parent, out.order};
    fr_query query = a->query;
    cudaStream_t stream = NULL;
    if (on_device(where)) {
        must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
        simt_hold(stream);
        query.result_memory = FR_MEMORY_DEVICE;
        query.stream = stream;
    }
    for (int i = 0; i < COUNT(at); i++)
        array_produce(&at[i], stream);
    fr_result result =
        result_of(a, outputs & VALUES ? at[0].at : NULL, outputs & PARENTS ? at[1].at : NULL,
                  outputs & ORDER ? at[2].at : NULL);
    out.status = a->each ? fr_solve_each(solver, &query, &result, &out.solved)
                         : fr_solve(solver, &query, &result);
    out.stats = result.stats;
    for (int i = 0; i < COUNT(at); i++) /* a refused query has not waited for the stream */
        if (outputs >> i & 1 && bytes[i] && (!stream || has_values(a, out.status)))
            array_read(&at[i], to[i]);
    if (stream) {
        must(cudaStreamSynchronize(stream), "a stream");
        must(cudaStreamDestroy(stream), "a stream");
    }
    for (int i = 0; i < COUNT(at); i++)
        array_free(&at[i]);
    return out;
}

typedef struct rows_taken {
    const ask *a;
    answer *to;
} rows_taken;

static int take_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    rows_taken *t = user;
    const int32_t *sources = t->a->query.sources;
    CHECK(source == (sources ? sources[row] : row), "%s: row %lld of source %d", t->a->name,
          (long long)row, source);
    memcpy(t->to->values + (size_t)row * t->to->row, dist, t->to->row);
    if (parent)
        memcpy(t->to->parent + (size_t)row * t->to->width, parent, t->to->width * sizeof *parent);
    return 0;
}

answer answer_by_row(ask a, fr_solver *solver, int outputs) {
    answer out = answer_empty(&a, solver);
    rows_taken taken = {&a, &out};
    a.query.row = take_row;
    a.query.row_user = &taken;
    a.query.want_parents = outputs & PARENTS;
    fr_result result = {0};
    out.status = fr_solve(solver, &a.query, &result);
    out.stats = result.stats;
    return out;
}

answer answer_new(const ask *a) {
    fr_solver *solver = solver_new(a->ctx, a->graph, a->problem, a->options);
    if (!solver)
        cf_give_up(a->ctx, a->name);
    const bool one_row = a->problem == FR_PROBLEM_BFS && !a->each;
    answer out = answer_at(a, solver, PAGEABLE, VALUES | PARENTS | (one_row ? ORDER : 0));
    fr_solver_free(solver);
    return out;
}

answer answer_on_cpu(const ask *a) {
    ask cpu = *a;
    cpu.options.strategy = cpu.options.knobs = NULL;
    cpu.options.backend = FR_BACKEND_CPU;
    return answer_new(&cpu);
}

void answer_free(answer *a) {
    free(a->values);
    free(a->parent);
    free(a->order);
}

void check_same(const ask *a, const answer *want, const answer *got, int outputs, int64_t complete,
                const char *where) {
    char what[200];
    snprintf(what, sizeof what, "%s by %s %s, %s, outputs %d", a->name,
             a->options.strategy ? a->options.strategy : "auto",
             a->options.knobs ? a->options.knobs : "", where, outputs);
    const size_t rows = (size_t)(complete < 0 ? want->rows : complete);
    CHECK(got->status == want->status || complete >= 0, "%s: %s, not %s: %s", what,
          fr_status_name(got->status), fr_status_name(want->status), fr_ctx_error(a->ctx));
    if (complete < 0 && (got->status != want->status || !has_values(a, want->status)))
        return;
    if (outputs & VALUES)
        CHECK(!memcmp(got->values, want->values, rows * want->row), "%s: values", what);
    if (outputs & PARENTS)
        CHECK(!memcmp(got->parent, want->parent, rows * want->width * 4), "%s: parents", what);
    if (outputs & ORDER)
        CHECK(!memcmp(got->order, want->order, want->width * 4), "%s: order", what);
    if (complete >= 0 || a->problem == FR_PROBLEM_APSP)
        return;
    CHECK(got->stats.reached == want->stats.reached &&
              got->stats.reached_edges == want->stats.reached_edges,
          "%s: reached %lld and %lld edges, not %lld and %lld", what, (long long)got->stats.reached,
          (long long)got->stats.reached_edges, (long long)want->stats.reached,
          (long long)want->stats.reached_edges);
    CHECK(got->stats.call_ns > 0 && got->stats.traverse_ns >= 0, "%s: times", what);
}

fr_stats check_place(const ask *a, fr_solver *solver, const answer *want, place where,
                     int outputs) {
    answer got = answer_at(a, solver, where, outputs);
    CHECK(!a->each || got.solved == want->rows, "%s: %lld rows", a->name, (long long)got.solved);
    check_same(a, want, &got, outputs, -1, place_names[where]);
    answer_free(&got);
    return got.stats;
}

void check_verified(const ask *a, const answer *got) {
    const bool unit = a->options.unit_weights;
    const size_t size = got->width ? got->row / got->width : 4;
    const fr_type usual = fr_graph_weight_type(a->graph), type = a->options.dist_type
                                                                     ? a->options.dist_type
                                                                 : unit || !usual ? FR_TYPE_I32
                                                                                  : usual;
    CHECK(a->problem == FR_PROBLEM_BFS || size == fr_type_size(type), "%s: type", a->name);
    fr_status status = got->status;
    if (a->problem == FR_PROBLEM_APSP && !status)
        status =
            fr_verify_apsp(a->ctx, a->graph, &a->query, unit, got->values, type, got->parent, 0, 1);
    for (int64_t i = 0; a->problem != FR_PROBLEM_APSP && !status && i < got->rows; i++) {
        fr_query query = a->query;
        if (a->each) {
            query.sources += i;
            query.source_count = 1;
        }
        void *values = got->values + (size_t)i * got->row;
        int32_t *parent = got->parent + (size_t)i * got->width;
        status = a->problem == FR_PROBLEM_BFS
                     ? fr_verify_bfs(a->ctx, a->graph, &query, values, parent)
                     : fr_verify_sssp(a->ctx, a->graph, &query, unit, values, type, parent);
    }
    CHECK(!status, "%s by %s %s: %s", a->name, a->options.strategy ? a->options.strategy : "auto",
          a->options.knobs ? a->options.knobs : "", fr_ctx_error(a->ctx));
}

fr_stats solve_verified(const ask *a, fr_solver *solver) {
    if (!solver)
        return (fr_stats){0};
    answer got = answer_at(a, solver, PAGEABLE, VALUES | PARENTS);
    check_verified(a, &got);
    answer_free(&got);
    return got.stats;
}

/* ---- programs ---- */

int devices_there;
int more_devices(int devices) { return devices < 4 ? devices + 1 : devices * 2; }
const char *only_strategy;

int stop_here(void *user, const char *phase, int64_t done, int64_t total) {
    const stop *s = user;
    (void)total;
    return s->phase && strcmp(phase, s->phase) == 0 && done >= s->done;
}

/* How many GPUs there are; 0: the reason is printed. */
static int count_devices(const program *p) {
    fr_ctx *ctx = context_on(1, (fr_ctx_options){.threads = 1});
    int count = 0;
    if ((ON_HOST || cf_device_there(ctx, p->problem)) && fr_device_count(ctx, &count))
        cf_give_up(ctx, "counting GPUs");
    fr_ctx_free(ctx);
    if (count && count < p->min_devices)
        printf("skip: needs %d GPUs\n", p->min_devices);
    return count < p->min_devices ? 0 : count < MAX_DEVICES ? count : MAX_DEVICES;
}

int program_main(const program *p, int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0); /* a test that is stopped shows what it found */
    cf_backend = FR_BACKEND_CUDA;
    if (p->by_strategy && cf_list_strategies(p->problem, argc, argv))
        return 0;
    if (p->by_strategy && argc > 1) {
        only_strategy = argv[1];
        argc--;
        argv++;
    }
    simt_set_devices(p->devices ? p->devices : 1);
    devices_there = count_devices(p);
    if (!devices_there)
        return 77;
    fr_ctx *ctx = context_new((fr_ctx_options){0});
    for (const cf_shape *s = cf_shapes; p->shape && s->name; s++)
        if (!(ON_HOST && s->large) && cf_part_chosen(s->name, argc, argv)) {
            p->shape(ctx, s, (int)(s - cf_shapes));
            cf_report_time(p->what, s->name);
        }
    for (const part *at = p->parts; at && at->name; at++)
        if (cf_part_chosen(at->name, argc, argv)) {
            at->run(ctx);
            cf_report_time(p->what, at->name);
        }
    fr_ctx_free(ctx);
    const bool any = checks || cf_cases;
    CHECK(!simt_live_bytes(), "%zu bytes of device memory are kept", simt_live_bytes());
    CHECK(!simt_pinned_bytes(), "%zu bytes of pinned memory are kept", simt_pinned_bytes());
    const int failed = cf_cases && cf_finish(p->what);
    return checks_end(p->what) || failed || !any;
}
