/* The tuning cache: tuning results in a text file.
 *
 *   fringe tuning cache 1
 *   problem<TAB>backend<TAB>device<TAB>graph<TAB>alike<TAB>strategy<TAB>knobs<TAB>ns<TAB>auto_ns<TAB>name
 *
 * followed by one line per result. graph is fr_graph_hash, alike the key of similar graphs, name is
 * for human readers. The file is replaced as a whole, so that a reader sees either the old or the
 * new one; of two concurrent writers the last one wins.
 */
#include "base/sized.h"
#include "io/atomic_file.h"
#include "tune/tune.h"
#ifdef FRI_CUDA
#include "cuda/device/memory_plan.h"
#endif

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the key of a result ----------------------------------------------------------------------- */

static void cpu_name(char *out, size_t capacity) {
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[256];
    snprintf(out, capacity, "CPU");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(out, capacity, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (file)
        fclose(file);
}

fr_status fri_device_name(fr_ctx *ctx, fr_backend backend, char *out, size_t capacity) {
    char name[96] = "";
    fr_status status = FR_OK;
    if (backend == FR_BACKEND_CUDA) {
#ifdef FRI_CUDA
        status = fri_gpu_name(ctx, name, sizeof name);
#else
        status = fri_fail(ctx, FR_NO_DEVICE, "this build of fringe has no GPU strategies");
#endif
        snprintf(out, capacity, "%s", name);
    } else {
        cpu_name(name, sizeof name);
        snprintf(out, capacity, "%s, %d threads", name, ctx->threads);
    }
    for (char *at = out; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' '; /* a tab ends a field of the tuning cache */
    return status;
}

static int64_t degree_max(fr_ctx *ctx, const fr_csr *csr) {
    int64_t maximum = 0;
#pragma omp parallel for reduction(max : maximum) num_threads(ctx->threads)
    for (int32_t v = 0; v < csr->n; v++)
        maximum = FRI_MAX(maximum, csr->offsets[v + 1] - csr->offsets[v]);
    return maximum;
}

static int magnitude(int64_t x) { return x < 1 ? 0 : (int)lround(log2((double)x)); }

/* Type, magnitude and sign of the weights: knobs that are a distance depend on them. */
static void describe_weights(fr_ctx *ctx, const fr_csr *csr, char out[48]) {
    static const fri_strategy any;
    const fri_job_input in = {.threads = ctx->threads};
    fri_job job = {.ctx = ctx, .in = &in, .strategy = &any, .csr = *csr};
    fri_options_weights(&job);
    bool is_unit = job.weight_min >= 1 && job.weight_max <= 1;
    double mean = fabs(job.weight_mean);
    snprintf(out, 48, "%s w%d%s", fr_type_name(csr->weight_type),
             mean > 0 ? (int)lround(log2(mean)) : 0,
             job.weight_min < 0 ? " below-0"
             : is_unit          ? " unit"
                                : "");
}

fr_status fri_tuning_key_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                            fr_backend backend, bool unit_weights, fri_tuning_key *out) {
    fr_status status = graph ? fr_graph_check(ctx, graph)
                             : fri_fail(ctx, FR_INVALID, "a tuning cache needs a graph");
    if (!status)
        status = fri_device_name(ctx, backend, out->device, sizeof out->device);
    if (status)
        return status;
    const fr_csr *csr = fr_graph_csr(graph);
    bool weighted = problem != FR_PROBLEM_BFS && !unit_weights && csr->weights;
    out->problem = fr_problem_name(problem);
    out->backend = fr_backend_name(backend);
    out->hash[0] = 0;
    char weights[48] = "unweighted";
    if (weighted)
        describe_weights(ctx, csr, weights);
    snprintf(out->similar, sizeof out->similar, "n%d m%d d%d %s %s", magnitude(csr->n),
             magnitude(csr->m), magnitude(degree_max(ctx, csr)),
             csr->symmetric ? "undirected" : "directed", weights);
    return FR_OK;
}

void fri_tuning_key_hash(const fr_graph *graph, fri_tuning_key *key) {
    if (!*key->hash)
        snprintf(key->hash, sizeof key->hash, "%016llx", (unsigned long long)fr_graph_hash(graph));
}

/* ---- the file ----------------------------------------------------------------------------------- */

enum { VERSION = 1, FIELDS = 10 };
static const char MAGIC[] = "fringe tuning cache ";
static const char COLUMNS[] =
    "problem\tbackend\tdevice\tgraph\talike\tstrategy\tknobs\tns\tauto_ns\tname\n";

typedef struct {
    fr_ctx *ctx;
    const char *path;
    FILE *file;
    char *line; /* owned by getline */
    size_t capacity;
    long number;         /* of the line */
    char *field[FIELDS]; /* into line */
} reader;

/* Reads the first line. FR_NOT_FOUND if there is no file; reader_close closes the file. */
static fr_status reader_open(reader *r, fr_ctx *ctx, const char *path) {
    *r = (reader){.ctx = ctx, .path = path, .file = fopen(path, "re")};
    if (!r->file) {
        bool none = errno == ENOENT || errno == ENOTDIR;
        return fri_fail(ctx, none ? FR_NOT_FOUND : FR_IO, "%s: %s", path, strerror(errno));
    }
    r->number = 1;
    if (getline(&r->line, &r->capacity, r->file) < 0)
        return ferror(r->file) ? fri_fail(ctx, FR_IO, "%s: %s", path, strerror(errno))
                               : fri_fail(ctx, FR_NOT_FOUND, "%s: the tuning cache is empty", path);
    if (strncmp(r->line, MAGIC, sizeof MAGIC - 1) != 0)
        return fri_fail(ctx, FR_INVALID, "%s: not a fringe tuning cache; name another tuning file",
                        path);
    char *end, *version = r->line + sizeof MAGIC - 1;
    if (strtol(version, &end, 10) != VERSION || strcmp(end, "\n") != 0)
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "%s: the tuning cache has version %.*s; this build reads version %d", path,
                        (int)strcspn(version, "\n"), version, VERSION);
    r->number = 2; /* the names of the columns */
    if (getline(&r->line, &r->capacity, r->file) < 0 || strcmp(r->line, COLUMNS) != 0)
        return fri_fail(ctx, FR_FORMAT, "%s:2: unexpected column names in a tuning cache", path);
    return FR_OK;
}

static void reader_close(reader *r) {
    if (r->file)
        fclose(r->file);
    free(r->line);
}

static int column_of(const reader *r, const char *at) { return (int)(at - r->line) + 1; }

static fr_status bad_line(const reader *r, const char *at) {
    return fri_fail(r->ctx, FR_FORMAT, "%s:%ld:%d: not a valid line of a tuning cache", r->path,
                    r->number, column_of(r, at));
}

/* Splits the line; each field ends at the position of its tab. Returns where there is a field too few or too many, or
 * NULL. */
static const char *split(reader *r) {
    char *at = r->line;
    const char *const end = at + strcspn(at, "\n");
    at[end - at] = 0;
    for (int i = 0; i < FIELDS; i++) {
        r->field[i] = strsep(&at, "\t");
        if (!r->field[i])
            return end;
    }
    return at;
}

/* Reads the next result: FR_OK, FR_NOT_FOUND at the end, FR_FORMAT. */
static fr_status reader_next(reader *r) {
    r->number++;
    if (getline(&r->line, &r->capacity, r->file) < 0)
        return ferror(r->file) ? fri_fail(r->ctx, FR_IO, "%s: %s", r->path, strerror(errno))
                               : FR_NOT_FOUND;
    const char *wrong = split(r);
    return wrong ? bad_line(r, wrong) : FR_OK;
}

/* Whether it has the same problem and device and a similar graph. */
static bool is_similar(const reader *r, const fri_tuning_key *key) {
    return strcmp(r->field[0], key->problem) == 0 && strcmp(r->field[1], key->backend) == 0 &&
           strcmp(r->field[2], key->device) == 0 && strcmp(r->field[4], key->similar) == 0;
}

/* The same, and the same graph. */
static bool is_same(const reader *r, const fr_graph *graph, fri_tuning_key *key) {
    if (!is_similar(r, key))
        return false;
    fri_tuning_key_hash(graph, key);
    return strcmp(r->field[3], key->hash) == 0;
}

static bool read_ns(const char *text, int64_t *out) {
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return end != text && !*end && !errno && *out > 0;
}

/* Checks that the strategy exists in this library and that its knobs' values are within their
 * ranges. */
static fr_status read_entry(const reader *r, fr_problem problem, fr_backend backend,
                            fr_tuning *out) {
    fri_job job = {.ctx = r->ctx};
    *out = (fr_tuning){.problem = problem, .backend = backend};
    const char *wrong = strlen(r->field[5]) >= sizeof out->strategy ? r->field[5]
                        : strlen(r->field[6]) >= sizeof out->knobs  ? r->field[6]
                        : !read_ns(r->field[7], &out->ns)           ? r->field[7]
                        : !read_ns(r->field[8], &out->auto_ns)      ? r->field[8]
                                                                    : NULL;
    if (wrong)
        return bad_line(r, wrong);
    snprintf(out->device, sizeof out->device, "%s", r->field[2]);
    memcpy(out->strategy, r->field[5], strlen(r->field[5]) + 1);
    memcpy(out->knobs, r->field[6], strlen(r->field[6]) + 1);
    const fri_strategy *strategy = fri_strategy_find(problem, backend, out->strategy);
    if (!strategy)
        return fri_fail(r->ctx, FR_UNSUPPORTED, "%s:%ld:%d: there is no %s strategy '%s' on %s",
                        r->path, r->number, column_of(r, r->field[5]), r->field[0], out->strategy,
                        r->field[1]);
    job.strategy = strategy;
    if (!fri_options_knobs(&job, out->knobs))
        return FR_OK;
    char why[sizeof r->ctx->message];
    memcpy(why, r->ctx->message, sizeof why);
    return fri_fail(r->ctx, FR_UNSUPPORTED, "%s:%ld:%d: %.300s", r->path, r->number,
                    column_of(r, r->field[6]), why);
}

static fr_status find(fr_ctx *ctx, const char *path, const fr_graph *graph, fr_problem problem,
                      const fr_solver_options *options, fr_tuning *out) {
    if (!path || !*path || !graph || (unsigned)problem >= FR_PROBLEM_COUNT)
        return fri_fail(ctx, FR_INVALID, "a tuning cache needs a path, a graph and a problem");
    fri_tuning_key key;
    reader r;
    bool found = false, same = false;
    fr_backend backend = options->backend;
    fr_status status = reader_open(&r, ctx, path);
    if (!status)
        status = fri_solver_auto_backend(ctx, graph, problem, options, &backend);
    if (!status)
        status = fri_tuning_key_of(ctx, graph, problem, backend, options->unit_weights, &key);
    while (!status && !same && !(status = reader_next(&r))) {
        same = is_same(&r, graph, &key);
        if (same || (!found && is_similar(&r, &key))) { /* of several similar graphs the first,
                                                           which is the latest */
            status = read_entry(&r, problem, backend, out);
            out->from_similar_graph = !same;
            found = true;
        }
    }
    reader_close(&r);
    if (status == FR_NOT_FOUND && found)
        status = FR_OK;
    else if (status == FR_NOT_FOUND && r.number > 1)
        fri_fail(ctx, status,
                 "%s: no tuning result for this graph and device; 'fringe tune' creates one", path);
    if (status)
        *out = (fr_tuning){0};
    else
        ctx->message[0] = 0;
    return status;
}

fr_status fr_tuning_cache_find(fr_ctx *ctx, const char *path, const fr_graph *graph,
                               fr_problem problem, const fr_solver_options *options,
                               fr_tuning *out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_solver_options own;
    fr_tuning found = {0};
    fr_status status = FRI_SIZED_CHECK(ctx, fr_tuning, out);
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_solver_options, options, &own);
    if (status)
        return status;
    status = find(ctx, path, graph, problem, &own, &found);
    FRI_SIZED_WRITE(fr_tuning, &found, out);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------ */

static void write_field(FILE *out, const char *text, char end) {
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    fputc(end, out);
}

static void write_entry(FILE *out, const fri_tuning_key *key, const fr_graph *graph,
                        const fr_tuning *t) {
    const char *fields[] = {key->problem, key->backend, key->device, key->hash,
                            key->similar, t->strategy,  t->knobs};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        write_field(out, fields[i], '\t');
    fprintf(out, "%lld\t%lld\t", (long long)t->ns, (long long)t->auto_ns);
    write_field(out, fr_graph_name(graph), '\n');
}

static void write_entry_fields(FILE *out, const reader *r) {
    for (int i = 0; i < FIELDS; i++)
        write_field(out, r->field[i], i + 1 < FIELDS ? '\t' : '\n');
}

/* Copies all results of the old file except the one of this key; unreadable lines are left out. */
static fr_status copy_others(reader *r, const fr_graph *graph, fri_tuning_key *key, FILE *out) {
    for (;;) {
        fr_status status = reader_next(r);
        if (status == FR_FORMAT)
            continue;
        if (status)
            return status == FR_NOT_FOUND ? FR_OK : status;
        if (!is_same(r, graph, key))
            write_entry_fields(out, r);
    }
}

static fr_status store(fr_ctx *ctx, const char *path, const fr_graph *graph,
                       const fr_solver_options *options, const fr_tuning *tuning) {
    if (!path || !*path || !*tuning->strategy || (unsigned)tuning->problem >= FR_PROBLEM_COUNT)
        return fri_fail(ctx, FR_INVALID, "a tuning cache needs a path, a graph and a tuning");
    fri_tuning_key key;
    fri_atomic_file file = {0};
    reader r = {0};
    fr_status status = fri_tuning_key_of(ctx, graph, tuning->problem, tuning->backend,
                                         options->unit_weights, &key);
    fr_status old = status ? status : reader_open(&r, ctx, path);
    if (old == FR_INVALID || old == FR_IO)
        status = old;
    if (!status)
        status = fri_atomic_file_open(ctx, path, &file);
    if (!status) {
        fprintf(file.out, "%s%d\n%s", MAGIC, VERSION, COLUMNS);
        fri_tuning_key_hash(graph, &key);
        write_entry(file.out, &key, graph, tuning);
        status = old ? FR_OK : copy_others(&r, graph, &key, file.out);
    }
    reader_close(&r);
    if (!status && ferror(file.out))
        status = fri_atomic_file_error(ctx, path, "writing");
    if (!status)
        status = fri_atomic_file_close(ctx, path, &file);
    if (!status)
        status = fri_atomic_file_commit(ctx, path, &file);
    fri_atomic_file_release(&file);
    if (!status)
        ctx->message[0] = 0;
    return status;
}

fr_status fr_tuning_cache_store(fr_ctx *ctx, const char *path, const fr_graph *graph,
                                const fr_solver_options *options, const fr_tuning *tuning) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_solver_options own;
    fr_tuning own_tuning;
    fr_status status = FRI_SIZED_READ(ctx, fr_solver_options, options, &own);
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_tuning, tuning, &own_tuning);
    return status ? status : store(ctx, path, graph, &own, &own_tuning);
}
