/* Runs many settings of strategies on one graph and prints a line of JSON for each: the measuring
 * program of the pages papers/pages. run.py writes its input.
 *
 *   bench_papers [-u] [-s] [-l] [-k EDGES] [-w LOW,HIGH[,POTENTIAL]] [-t THREADS] [-x] GRAPH <SETTINGS
 *
 * GRAPH is a file or the description of a generated graph. -u undirected, -s without self-loops and
 * parallel edges, -l a self-loop at every vertex, -k every edge becomes a path of EDGES edges, -w
 * random weights, made by potentials if there is a third number, -x prints the statistics of the
 * degrees. When the graph is made it prints {"kind":"ready"}. A setting is a line of standard input,
 * its fields separated by tabs:
 *
 *   job  problem  backend  strategy  knobs  sources  repeat  flags  seconds
 *
 * sources: a number of random vertices, which reach a tenth of the graph and are the same for every
 * setting, the first of them first; or @VERTEX. repeat: timed runs per source. flags: l records
 * levels and kernels, c counts events (make counting), w runs once more beforehand, unless that takes
 * a second, t leaves the verification out, p adds what the first bottom-up pass does (of xbfs,
 * counting), f copies the graph to the GPU again, - none of these.
 * seconds: after them no source is begun. The answer from the first source is verified.
 * Exits 1 if an answer is wrong; a setting that a strategy refuses gives a line with "skipped".
 */
#include "fringe_tune.h"
#include "turns.h"

#include <inttypes.h>
#include <unistd.h>

enum { MAX_SOURCES = 64, FIELDS = 9, BINS = 40, LONG_RUN_NS = 1000000000 };
enum { JOB, PROBLEM, BACKEND, STRATEGY, KNOBS, SOURCES, REPEAT, FLAGS, SECONDS };

typedef struct {
    fr_ctx *ctx;
    fr_graph *graph;
    const fr_csr *csr;
    const char *name;
    char device[128];
    void *value; /* [n] levels or distances */
    int32_t *parent;
    int32_t sources[MAX_SOURCES];
    int count;
    fr_solver *last;    /* kept until the next one is made, so that the graph stays on the GPU */
    fr_graph *uploaded; /* flag f: an object of its own over the same arrays */
    bool wrong;
} bench;

/* ---- the graph ------------------------------------------------------------------------------ */

typedef struct {
    int32_t *src, *dst;
    int64_t n, m;
} edge_list;

static bool is_listed(const fr_csr *csr, int32_t u, int64_t e) {
    return !csr->symmetric || u <= csr->targets[e];
}

/* Every edge as a path of `length` edges; the inner vertices follow the edge's first end. */
static edge_list paths_of(const fr_csr *csr, int64_t length, bool loops) {
    edge_list list = {.n = csr->n};
    int64_t *id = need_memory((size_t)csr->n * sizeof *id), edges = 0;
    for (int32_t u = 0; u < csr->n; u++) {
        id[u] = u + edges * (length - 1);
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            edges += is_listed(csr, u, e);
    }
    list.n = csr->n + edges * (length - 1);
    size_t capacity = (size_t)(edges * length + (loops ? list.n : 0));
    list.src = need_memory(capacity * sizeof *list.src);
    list.dst = need_memory(capacity * sizeof *list.dst);
    for (int32_t u = 0; u < csr->n; u++) {
        int64_t inner = id[u] + 1;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int64_t at = id[u];
            for (int64_t k = 1; is_listed(csr, u, e) && k <= length; k++) {
                list.src[list.m] = (int32_t)at;
                at = k < length ? inner++ : id[csr->targets[e]];
                list.dst[list.m++] = (int32_t)at;
            }
        }
    }
    for (int64_t v = 0; loops && v < list.n; v++) {
        list.src[list.m] = (int32_t)v;
        list.dst[list.m++] = (int32_t)v;
    }
    free(id);
    return list;
}

/* The graph with paths for edges and with self-loops. */
static void change(bench *b, int64_t length, bool loops, const fr_load_options *weights) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    edge_list list = paths_of(csr, length, loops);
    fr_load_options how = *weights;
    how.direction = csr->symmetric ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED;
    how.drop_loops = how.drop_parallel = false;
    fr_graph_free(b->graph);
    if (list.n > INT32_MAX)
        need(b->ctx, FR_RANGE);
    need(b->ctx, fr_graph_from_edges(b->ctx, (int32_t)list.n, list.m, list.src, list.dst, NULL,
                                     FR_TYPE_NONE, &how, &b->graph));
    free(list.src);
    free(list.dst);
}

static void make_graph(bench *b, const fr_load_options *how, int64_t length, bool loops) {
    fr_load_options plain = *how;
    bool changed = length > 1 || loops;
    if (changed)
        plain.weights = FR_WEIGHTS_NONE;
    b->graph = open_graph(b->ctx, b->name, &plain);
    if (changed)
        change(b, length, loops, how);
    b->csr = fr_graph_csr(b->graph);
    b->value = need_memory((size_t)b->csr->n * sizeof(int64_t));
    b->parent = need_memory((size_t)b->csr->n * sizeof *b->parent);
}

/* Random vertices with edges that reach a tenth of the graph. */
static void choose_sources(bench *b, int wanted) {
    fr_solver *solver;
    fr_solver_options options = {.backend = FR_BACKEND_CPU};
    need(b->ctx, fr_solver_new(b->ctx, b->graph, FR_PROBLEM_BFS, &options, &solver));
    b->count = random_sources(b->ctx, b->graph, solver, 1, b->sources, wanted);
    fr_solver_free(solver);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void put_text(const char *key, const char *text) {
    printf(",\"%s\":\"", key);
    for (; *text; text++)
        printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text == '\n' ? ' ' : *text);
    putchar('"');
}

static void put_head(const bench *b, const char *job, const char *backend) {
    const fr_csr *csr = b->csr;
    printf("{\"kind\":\"paper\"");
    put_text("job", job);
    printf(",\"graph\":{\"name\":\"%s\",\"n\":%d,\"m\":%" PRId64 ",\"directed\":%s,"
           "\"weight_type\":\"%s\",\"hash\":\"%016" PRIx64 "\"}",
           b->name, csr->n, csr->m, csr->symmetric ? "false" : "true",
           fr_type_name(csr->weight_type), fr_graph_hash(b->graph));
    printf(",\"device\":{\"kind\":\"%s\"", backend);
    if (strcmp(backend, "cuda") == 0)
        put_text("name", b->device);
    else
        printf(",\"threads\":%d", fr_ctx_threads(b->ctx));
    putchar('}');
}

static void put_graph_stats(bench *b) {
    fr_graph_stats stats = {.struct_size = sizeof stats};
    need(b->ctx, fr_graph_compute_stats(b->ctx, b->graph, &stats));
    put_head(b, "facts", "cpu");
    printf(",\"n\":%d,\"m\":%" PRId64 ",\"self_loops\":%" PRId64 ",\"degree_mean\":%.9g,"
           "\"degree_stddev\":%.9g,\"degree_max\":%d,\"diameter_lower_bound\":%d,"
           "\"degree_histogram\":[",
           stats.n, stats.m, stats.self_loops, stats.degree_mean, stats.degree_stddev,
           stats.degree_max, stats.diameter_lower_bound);
    for (int k = 0, first = 1; k < FR_DEGREE_BINS; k++)
        if (stats.degree_histogram[k]) {
            printf("%s{\"low\":%" PRId64 ",\"vertices\":%" PRId64 "}", first ? "" : ",",
                   k ? (int64_t)1 << (k - 1) : 0, stats.degree_histogram[k]);
            first = 0;
        }
    puts("]}");
    fflush(stdout);
}

/* Nanoseconds of all recorded levels and of those that were pulled. */
static void put_shares(const fr_solver *solver) {
    int64_t count, all = 0, pulled = 0;
    const fr_level *level = fr_solver_levels(solver, &count);
    for (int64_t i = 0; i < count; i++) {
        all += level[i].ns;
        pulled += strcmp(level[i].method, "bottom-up") == 0 ? level[i].ns : 0;
    }
    printf(",\"levels_ns\":%" PRId64 ",\"pulled_ns\":%" PRId64, all, pulled);
}

static void put_run(int32_t source, const fr_stats *s, const fr_solver *levels, bool first) {
    printf("%s{\"source\":%d,\"traverse_ns\":%" PRId64 ",\"call_ns\":%" PRId64
           ",\"transfer_ns\":%" PRId64 ",\"edges_examined\":%" PRId64 ",\"relaxations\":%" PRId64
           ",\"reached\":%" PRId64 ",\"reached_edges\":%" PRId64 ",\"levels\":%d",
           first ? "" : ",", source, s->traverse_ns, s->call_ns, s->transfer_ns, s->edges_examined,
           s->relaxations, s->reached, s->reached_edges, s->levels);
    if (levels)
        put_shares(levels);
    for (int k = 0, counted = 0; k < FR_COUNTER_COUNT; k++)
        if (s->counter_mask >> k & 1)
            printf("%s\"%s\":%" PRId64, counted++ ? "," : ",\"counters\":{",
                   fr_counter_name((fr_counter)k), s->counters[k]);
    printf(s->counter_mask ? "}}" : "}");
}

static void put_levels(const fr_solver *solver) {
    int64_t count;
    int kernels;
    const fr_level *level = fr_solver_levels(solver, &count);
    printf(",\"level_list\":[");
    for (int64_t i = 0; i < count && i < 2000; i++)
        printf("%s{\"method\":\"%s\",\"frontier\":%" PRId64 ",\"edges\":%" PRId64 ",\"ns\":%" PRId64
               "}",
               i ? "," : "", level[i].method, level[i].frontier, level[i].edges, level[i].ns);
    printf("],\"kernel_list\":[");
    const fr_kernel *kernel = fr_solver_kernels(solver, &kernels);
    for (int i = 0; i < kernels; i++)
        printf("%s{\"name\":\"%s\",\"block\":%d,\"launches\":%" PRId64 ",\"occupancy\":%.4g}",
               i ? "," : "", kernel[i].name, kernel[i].block, kernel[i].launches,
               kernel[i].occupancy);
    putchar(']');
}

/* The vertices of every level. */
static void put_frontiers(const bench *b, int32_t levels) {
    const int32_t *level = b->value;
    int64_t *size = need_memory(((size_t)levels + 1) * sizeof *size);
    for (int32_t v = 0; v < b->csr->n; v++)
        if (level[v] >= 0 && level[v] <= levels)
            size[level[v]]++;
    printf(",\"frontiers\":[");
    for (int32_t i = 0; i <= levels; i++)
        printf("%s%" PRId64, i ? "," : "", size[i]);
    putchar(']');
    free(size);
}

/* ---- settings ------------------------------------------------------------------------------- */

typedef struct {
    bench *b;
    fr_problem problem;
    fr_solver *solver;
    int32_t source;
    int32_t max_level; /* 0: all */
    fr_result result;
} setting;

static fr_status solve(setting *s) {
    bench *b = s->b;
    bool bfs = s->problem == FR_PROBLEM_BFS;
    fr_query query = {.sources = &s->source, .source_count = 1, .max_level = s->max_level};
    s->result = (fr_result){
        .level = bfs ? b->value : NULL, .dist = bfs ? NULL : b->value, .parent = b->parent};
    return fr_solve(s->solver, &query, &s->result);
}

static int sources_of(const bench *b, const char *text, int32_t *out) {
    if (*text == '@') {
        *out = atoi(text + 1);
        return 1;
    }
    int count = atoi(text) < b->count ? atoi(text) : b->count;
    memcpy(out, b->sources, (size_t)count * sizeof *out);
    return count;
}

/* XBFS's Fig. 9: the neighbors that unvisited vertices check in a pass that finds `found`, by the
 * logarithms of their degrees and of the checks. */
static void put_checks(const bench *b, int32_t found) {
    static int64_t cell[BINS][BINS];
    const fr_csr *csr = b->csr;
    const int32_t *level = b->value;
    memset(cell, 0, sizeof cell);
    for (int32_t v = 0; v < csr->n; v++) {
        int64_t e = csr->offsets[v], end = csr->offsets[v + 1];
        if (e == end || (level[v] >= 0 && level[v] < found))
            continue;
        while (e < end && level[csr->targets[e]] != found - 1)
            e++;
        int64_t checks = e - csr->offsets[v] + (e < end);
        cell[63 - __builtin_clzll((uint64_t)(end - csr->offsets[v]))]
            [63 - __builtin_clzll((uint64_t)checks)]++;
    }
    printf(",\"checks\":[");
    for (int d = 0, first = 1; d < BINS; d++)
        for (int w = 0; w < BINS; w++)
            if (cell[d][w]) {
                printf("%s[%d,%d,%" PRId64 "]", first ? "" : ",", d, w, cell[d][w]);
                first = 0;
            }
    putchar(']');
}

/* XBFS's Figs. 9 and 10, of the first bottom-up pass: its level, the vertices of the level after the
 * one it finds, and how many of them it visited. Adds nothing if no level is pulled. */
static fr_status put_pass(setting *s) {
    int64_t count, pass = 0, next = 0;
    const int32_t *level = s->b->value;
    const fr_level *list = fr_solver_levels(s->solver, &count);
    while (pass < count && strcmp(list[pass].method, "bottom-up") != 0)
        pass++;
    if (pass == count)
        return FR_OK;
    int32_t found = (int32_t)pass + 1;
    for (int32_t v = 0; v < s->b->csr->n; v++)
        next += level[v] == found + 1;
    put_checks(s->b, found);
    s->max_level = found + 1; /* so that no later pass is asynchronous */
    fr_status status = solve(s);
    s->max_level = 0;
    printf(",\"pass\":%d,\"next_level\":%" PRId64 ",\"early\":%" PRId64, found - 1, next,
           s->result.stats.counters[FR_COUNTER_EARLY]);
    return status;
}

/* Runs from every source and prints the runs; the first source's answer is verified. */
static fr_status measure(setting *s, char **field) {
    int32_t sources[MAX_SOURCES];
    int count = sources_of(s->b, field[SOURCES], sources), repeat = atoi(field[REPEAT]);
    double end = now_ms() + 1e3 * atof(field[SECONDS]);
    bool first = true, ran = false, recorded = strchr(field[FLAGS], 'l') != NULL;
    fr_status status = FR_OK;
    s->source = sources[0];
    if (strchr(field[FLAGS], 'w')) {
        status = solve(s);
        ran = !status && s->result.stats.call_ns >= LONG_RUN_NS;
    }
    for (int i = 0; i < count && !status && (first || now_ms() < end); i++) {
        s->source = sources[i];
        for (int r = 0; r < repeat && !status; r++) {
            status = ran ? FR_OK : solve(s);
            ran = false;
            if (status)
                break;
            if (first) {
                fr_stats stats = s->result.stats;
                bool trusted = strchr(field[FLAGS], 't') != NULL;
                if (!trusted && !is_right(s->b->ctx, s->b->graph, s->solver, s->problem, s->source,
                                          s->b->value, s->b->parent))
                    status = FR_VERIFY_FAILED;
                put_head(s->b, field[JOB], field[BACKEND]);
                printf(",\"problem\":\"%s\",\"strategy\":\"%s\",\"knobs\":\"%s\",\"prepare_ns\":"
                       "%" PRId64 ",\"upload_ns\":%" PRId64 ",\"verification\":\"%s\"",
                       field[PROBLEM], field[STRATEGY], field[KNOBS], stats.prepare_ns,
                       stats.upload_ns,
                       trusted  ? "left out"
                       : status ? "wrong"
                                : "right");
                put_text("why", fr_solver_explain(s->solver));
                if (recorded)
                    put_levels(s->solver);
                if (recorded && s->problem == FR_PROBLEM_BFS)
                    put_frontiers(s->b, stats.levels);
                if (strchr(field[FLAGS], 'p') && !status)
                    status = put_pass(s);
                printf(",\"runs\":[");
                s->result.stats = stats;
            }
            put_run(s->source, &s->result.stats, recorded ? s->solver : NULL, first);
            first = false;
        }
    }
    if (!first)
        puts("]}");
    return first ? status : status == FR_VERIFY_FAILED ? status : FR_OK;
}

static void skip(const bench *b, const char *job, const char *why) {
    put_head(b, job, "none");
    put_text("skipped", why);
    puts("}");
}

/* Frees the last solver, and its graph if no other has that object. */
static void forget(bench *b) {
    fr_solver_free(b->last);
    fr_graph_free(b->uploaded);
    b->last = NULL;
    b->uploaded = NULL;
}

static void run_setting(bench *b, char **field) {
    setting s = {.b = b};
    s.problem = strcmp(field[PROBLEM], "sssp") == 0 ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS;
    bool cuda = strcmp(field[BACKEND], "cuda") == 0;
    fr_solver_options options = {.strategy = field[STRATEGY],
                                 .knobs = *field[KNOBS] ? field[KNOBS] : NULL,
                                 .backend = cuda ? FR_BACKEND_CUDA : FR_BACKEND_CPU,
                                 .record_levels = strchr(field[FLAGS], 'l') != NULL,
                                 .counters = strchr(field[FLAGS], 'c') != NULL};
    fr_graph *graph = b->graph;
    if (strchr(field[FLAGS], 'f')) {
        forget(b);
        need(b->ctx, fr_graph_from_csr(b->ctx, b->csr, &b->uploaded));
        graph = b->uploaded;
    }
    fr_status status = fr_solver_new(b->ctx, graph, s.problem, &options, &s.solver);
    if (!status)
        status = measure(&s, field);
    if (status == FR_VERIFY_FAILED) {
        fprintf(stderr, "bench_papers: %s: %s\n", field[JOB], fr_ctx_error(b->ctx));
        b->wrong = true;
    } else if (status) {
        skip(b, field[JOB], fr_ctx_error(b->ctx));
    }
    if (s.solver) {
        fr_solver_free(b->last);
        b->last = s.solver;
    }
    fflush(stdout);
}

static bool split(char *line, char **field) {
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < FIELDS; i++)
        if (!(field[i] = strsep(&line, "\t")))
            return false;
    return true;
}

int main(int argc, char **argv) {
    bench b = {0};
    fr_load_options how = {.seed = 1}; /* of weights */
    fr_ctx_options options = {0};
    fr_device_info device = {.struct_size = sizeof device};
    int64_t length = 1;
    bool loops = false, graph_stats = false, wrong = false;
    char line[4096], *field[FIELDS];
    for (int letter; (letter = getopt(argc, argv, "uslk:w:t:x")) != -1;) {
        how.direction = letter == 'u' ? FR_DIRECTION_UNDIRECTED : how.direction;
        how.drop_loops = how.drop_parallel = how.drop_loops || letter == 's';
        loops = loops || letter == 'l';
        graph_stats = graph_stats || letter == 'x';
        length = letter == 'k' ? atoll(optarg) : length;
        options.threads = letter == 't' ? atoi(optarg) : options.threads;
        wrong = wrong || (letter == 'w' && !read_weights(optarg, &how));
    }
    if (wrong || optind + 1 != argc || length < 1 || fr_ctx_new(&options, &b.ctx)) {
        fputs("usage: bench_papers [-u] [-s] [-l] [-k EDGES] [-w LOW,HIGH[,POTENTIAL]] "
              "[-t THREADS] [-x] GRAPH <SETTINGS\n",
              stderr);
        return 2;
    }
    b.name = argv[optind];
    if (!fr_device_get(b.ctx, 0, &device))
        memcpy(b.device, device.name, sizeof b.device);
    make_graph(&b, &how, length, loops);
    choose_sources(&b, 4);
    if (graph_stats)
        put_graph_stats(&b);
    puts("{\"kind\":\"ready\"}");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        if (split(line, field))
            run_setting(&b, field);
    forget(&b);
    free(b.value);
    free(b.parent);
    fr_graph_free(b.graph);
    fr_ctx_free(b.ctx);
    return b.wrong ? 1 : 0;
}
